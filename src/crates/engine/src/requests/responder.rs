//! Responds to requests. A response is either ready at once, or a task completes it by searching.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use pentarch_core::notation::record::GameRecord;
use pentarch_core::{EndByPlayers, Options};
use pentarch_diagram::board::ImageOptions;
use pentarch_diagram::stylesheet::ColourScheme;
use pentarch_search::Limits;
use pentarch_search::clock::Clock;
use pentarch_search::control::SearchControl;
use pentarch_search::time_management::MoveTimeControl;

use super::field_checks::{FieldCheckError, UnavailableFeature};
use super::fields::{RequestFields, RequestQuestion};
use super::id::Id;
use super::recent_games::RecentGameCache;
use super::request::{Request, RequestPosition, RequestedGameEnd, SearchLimits};
use super::response::{
    GameListEntry, GameRequestFields, LegalityResponse, ProblemCheck, ProgramVersion, Response,
    Successor,
};
use super::response_task::{ResponseTask, ResponseTaskPart};
use crate::builtin_problems::{BuiltinProblem, ListedProblem, ProblemWithSolution};
use crate::engine_options::{self as engine_options, EngineOptions, OptionEntry};
use crate::error::{EngineError, EngineFault};
use crate::games::{RulesId, all_games};
use crate::host::Host;
use crate::input_word::InputWord;
use crate::problem::{NotAProblemReason, ProblemMakerFn};
use crate::proof::{ProofFailure, ProofLimits, ProofResult, WinnerProverFn};
use crate::record::{ReplayedGame, current_game_record};
use crate::review;
use crate::rules_info;
use crate::rules_page::RulesPage;
use crate::session::{MAX_GAME_PLIES, SearchJob, Session};
use crate::starts::Starts;
use crate::stopper::Stopper;

/// Responds to requests. Its only state is a cache of the games of recent requests.
pub struct Responder {
    host: Arc<dyn Host>,
    /// The function that turns positions into problems; `None` without a prover.
    problem_maker: Option<ProblemMakerFn>,
    /// The function that determines which side can force a win; `None` without a prover.
    winner_prover: Option<WinnerProverFn>,
    /// The options for everything that a request does not set.
    defaults: Options,
    /// The limits for requests without limits.
    limits: SearchLimits,
    most_moves: usize,
    games: RecentGameCache,
}

/// The response to a request, or the task that completes it.
pub enum PreparedResponse {
    /// The complete response, if it needs no search.
    Response(Box<Response>),
    /// A task that completes the response by searching.
    Task(Box<ResponseTask>),
}

impl From<Response> for PreparedResponse {
    fn from(response: Response) -> PreparedResponse {
        PreparedResponse::Response(Box::new(response))
    }
}

impl Responder {
    /// Creates a responder with these default options and limits. A request may have at most
    /// `most_moves` moves.
    pub fn new(
        defaults: Options,
        limits: SearchLimits,
        most_moves: usize,
        host: Arc<dyn Host>,
    ) -> Responder {
        Responder {
            host,
            problem_maker: None,
            winner_prover: None,
            defaults,
            limits,
            most_moves,
            games: RecentGameCache::default(),
        }
    }

    /// Sets the function that turns positions into problems.
    #[must_use]
    pub fn with_problem_maker(self, problem_maker: ProblemMakerFn) -> Responder {
        Responder { problem_maker: Some(problem_maker), ..self }
    }

    /// Sets the function that determines which side can force a win.
    #[must_use]
    pub fn with_winner_prover(self, winner_prover: WinnerProverFn) -> Responder {
        Responder { winner_prover: Some(winner_prover), ..self }
    }

    /// Creates a responder with the default options and without limits, so that each request must
    /// state limits.
    pub fn with_default_options(host: Arc<dyn Host>) -> Responder {
        Responder::new(Options::default(), SearchLimits::UNLIMITED, MAX_GAME_PLIES, host)
    }

    /// Returns the clock of the host.
    pub fn host_clock(&self) -> Clock {
        self.host.host_clock()
    }

    /// Returns a responder for another thread, with a separate cache of games. The two responders
    /// share the tablebases and other data of rules.
    pub fn clone_for_thread(&self) -> Responder {
        Responder {
            host: self.host.clone(),
            defaults: self.defaults.clone(),
            games: self.games.empty_cache_sharing_rules(),
            ..*self
        }
    }

    /// Prepares the response to a request.
    pub fn prepare_response(&mut self, mut fields: RequestFields) -> PreparedResponse {
        let id = fields.id.take().unwrap_or_default();
        let request = Request::from_fields(fields, &self.defaults, &self.limits, self.most_moves);
        request
            .and_then(|request| self.prepare_request(&request, id.clone()))
            .unwrap_or_else(|error| Response::for_error(id, error).into())
    }

    fn prepare_request(
        &mut self,
        request: &Request,
        id: Id,
    ) -> Result<PreparedResponse, EngineError> {
        let mut response = Response::new(id);
        for question in &request.questions {
            self.answer_general_question(*question, &mut response);
        }
        if !request.questions.iter().any(|question| question.is_about_position()) {
            return Ok(response.into());
        }
        let mut replayed_game;
        let mut record = None;
        let (options, session) = match &request.position {
            RequestPosition::Record { record: requested, options } => {
                self.check_move_count(requested.len_with_variations(), "record")?;
                replayed_game =
                    ReplayedGame::replay(requested.clone(), options, self.host.as_ref())
                        .map_err(|error| error.in_field("record"))?;
                let warnings = Some(replayed_game.warnings.messages());
                response.warnings = warnings.filter(|warnings| !warnings.is_empty());
                record = Some(&replayed_game.record);
                (&replayed_game.options, replayed_game.session.as_mut() as &mut dyn Session)
            }
            RequestPosition::Moves { options, fen, moves } => {
                self.check_move_count(moves.len(), "moves")?;
                let game = self.games.get_or_replay_game(
                    options,
                    fen.as_deref(),
                    moves,
                    self.host.as_ref(),
                );
                (options, game.map_err(attribute_error_to_moves_field)?)
            }
        };
        if let Some(clock) = &request.clock {
            check_clock_count(&clock.control, session.game_constants().players.len())?;
        }
        if let Some(end) = &request.end {
            end_game_as_requested(session, end)?;
        }
        let position = PositionResponder {
            request,
            record,
            options,
            session: &mut *session,
            problem_maker: self.problem_maker,
            winner_prover: self.winner_prover,
            response,
            parts: VecDeque::new(),
        };
        let prepared = position.answer_questions(self.host.host_clock());
        if request.end.is_some() && session.game_state().end.is_some() {
            // The next request can use the cached game only if the end by the players is undone.
            session.undo_moves(1)?;
        }
        prepared
    }

    /// Answers a question that is not about a position.
    fn answer_general_question(&self, question: RequestQuestion, response: &mut Response) {
        match question {
            RequestQuestion::Games => {
                response.games = Some(all_games().iter().map(GameListEntry::from).collect());
            }
            RequestQuestion::Options => {
                let options = engine_options::all_options();
                let entries = options.map(|spec| OptionEntry::new(spec, &self.defaults));
                response.options = Some(entries.collect());
            }
            RequestQuestion::Version => response.version = Some(ProgramVersion::PROGRAM_VERSION),
            _ => {}
        }
    }

    fn check_move_count(&self, moves: usize, field: &str) -> Result<(), EngineError> {
        if moves > self.most_moves {
            let fault = EngineFault::TooManyMoves { most: self.most_moves };
            return Err(EngineError::new(fault).in_named_field(field));
        }
        Ok(())
    }
}

/// Checks that there is a clock for each player, or one clock for all players.
fn check_clock_count(clock: &MoveTimeControl, players: usize) -> Result<(), EngineError> {
    for (list, times) in [("times", clock.time), ("increments", clock.increment)] {
        if ![0, 1, players].contains(&times.iter().flatten().count()) {
            return Err(FieldCheckError::ClockLength { list, players }.in_named_field("clock"));
        }
    }
    Ok(())
}

/// The maximum number of nodes of a proof that a position is a problem, as in `pentarch problems`.
/// A request can lower the number but not raise it, so the response takes a few seconds at most.
const MAX_PROBLEM_PROOF_NODES: u64 = 20_000;

/// Answers the questions about the position of a game.
struct PositionResponder<'a> {
    request: &'a Request,
    /// The record of the request. The response uses its comments and variations.
    record: Option<&'a GameRecord>,
    options: &'a Options,
    session: &'a mut dyn Session,
    problem_maker: Option<ProblemMakerFn>,
    winner_prover: Option<WinnerProverFn>,
    response: Response,
    /// The searches of the response.
    parts: VecDeque<ResponseTaskPart>,
}

impl PositionResponder<'_> {
    /// Answers all questions, or prepares the searches that answer them.
    fn answer_questions(mut self, clock: Clock) -> Result<PreparedResponse, EngineError> {
        self.response.game = Some(self.session.game_constants().game);
        self.response.fen = Some(self.session.position_fen());
        // A report has only these fields in common with the response.
        let head = Response {
            game: self.response.game,
            fen: self.response.fen.clone(),
            ..Response::new(self.response.id.clone())
        };
        for question in &self.request.questions {
            self.answer_question(*question)?;
        }
        if self.parts.is_empty() {
            return Ok(self.response.into());
        }
        let task = ResponseTask {
            response: self.response,
            head,
            parts: self.parts,
            multipv: self.request.search_limits.multipv,
            has_all_moves: self.request.limits_without_time().moves.is_empty(),
            clock,
            win_rate_scale: self.session.game_constants().win_rate_scale,
            every: self.request.every,
            current: None,
            stopper: Stopper::default(),
            longest_step: Duration::MAX,
            files: rules_info::missing_search_files(self.options),
        };
        Ok(PreparedResponse::Task(Box::new(task)))
    }

    fn answer_question(&mut self, question: RequestQuestion) -> Result<(), EngineError> {
        match question {
            RequestQuestion::Board
            | RequestQuestion::Scene
            | RequestQuestion::Clicks
            | RequestQuestion::Details
            | RequestQuestion::Counts
            | RequestQuestion::Successor
            | RequestQuestion::Status
            | RequestQuestion::Moves
            | RequestQuestion::Legal
            | RequestQuestion::Record
            | RequestQuestion::Course
            | RequestQuestion::Diagram => self.answer_about_game(question),
            RequestQuestion::Rules
            | RequestQuestion::Lesson
            | RequestQuestion::Problem
            | RequestQuestion::Problems
            | RequestQuestion::Drills
            | RequestQuestion::Starts => self.answer_about_rules(question),
            RequestQuestion::IsProblem => self.prepare_problem_check(),
            RequestQuestion::Prove => self.prepare_proof(),
            RequestQuestion::Known => {
                self.prepare_known_values();
                Ok(())
            }
            RequestQuestion::Analysis
            | RequestQuestion::Play
            | RequestQuestion::DrawOffer
            | RequestQuestion::Swap
            | RequestQuestion::Review => self.prepare_search(question),
            // [`Responder::answer_general_question`] has already answered these questions.
            RequestQuestion::Games | RequestQuestion::Options | RequestQuestion::Version => Ok(()),
        }
    }

    fn answer_about_game(&mut self, question: RequestQuestion) -> Result<(), EngineError> {
        let request = self.request;
        let session = &mut *self.session;
        let response = &mut self.response;
        match question {
            RequestQuestion::Board => response.board = Some(session.board_data(self.options)),
            RequestQuestion::Scene => response.scene = Some(session.position_scene()),
            RequestQuestion::Clicks => {
                let clicks = session.interpret_clicks(&request.clicks);
                response.clicks = Some(clicks.map_err(|error| error.in_field("clicks"))?);
            }
            RequestQuestion::Details => {
                let details = session.move_effect(requested_move(request)?);
                response.details = Some(details.map_err(|error| error.in_field("move"))?);
            }
            RequestQuestion::Counts => {
                let counts = session.position_counts(request.mv.as_ref());
                response.counts = Some(counts.map_err(|error| error.in_field("move"))?);
            }
            RequestQuestion::Successor => {
                response.successor = Some(successor_of_requested_move(session, request)?)
            }
            RequestQuestion::Status => response.status = Some(session.game_status()),
            RequestQuestion::Moves => response.moves = Some(session.legal_move_strings()),
            RequestQuestion::Legal => {
                response.legal = Some(LegalityResponse::of_move(session, requested_move(request)?));
            }
            RequestQuestion::Record => {
                let record = current_game_record(self.record, self.options, session);
                response.record = Some(record.text(session.game_moves().turns));
            }
            RequestQuestion::Course => {
                let record = current_game_record(self.record, self.options, session);
                response.course = Some(GameRequestFields::new(session, &record));
            }
            RequestQuestion::Diagram => {
                let image = ImageOptions { flipped: request.flip, colours: ColourScheme::Auto };
                response.diagram = Some(session.svg_image(&[], image)?);
            }
            _ => {}
        }
        Ok(())
    }

    fn answer_about_rules(&mut self, question: RequestQuestion) -> Result<(), EngineError> {
        let rules = RulesId::from_options(self.options);
        let response = &mut self.response;
        match question {
            RequestQuestion::Rules => {
                let text = rules_info::rules_text(rules)?;
                let page = RulesPage::new(&text, self.request.topic.as_deref());
                response.rules =
                    Some(page.map_err(|error| EngineError::from(error).in_field("topic"))?);
            }
            RequestQuestion::Lesson => response.lesson = Some(rules_info::lesson_of_rules(rules)?),
            RequestQuestion::Problem => {
                let first_side = self.session.game_moves().first_turn.1;
                let side = self.session.game_constants().sides[first_side.index()];
                response.problem =
                    self.request.problem.map(|BuiltinProblem { number, problem }| {
                        ProblemWithSolution::new(problem.clone(), Some(number), side)
                    });
            }
            RequestQuestion::Problems => {
                let problems = rules.game_definition().problems();
                response.problems =
                    Some(problems.iter().cloned().map(ListedProblem::from).collect());
            }
            RequestQuestion::Drills => response.drills = Some(rules.game_definition().drills()),
            RequestQuestion::Starts => {
                response.starts = Some(Starts::new(self.options, self.request.seed));
            }
            _ => {}
        }
        Ok(())
    }

    fn prepare_problem_check(&mut self) -> Result<(), EngineError> {
        let make_problem = self
            .problem_maker
            .ok_or_else(|| unavailable_feature_error(UnavailableFeature::Prover))?;
        let game_state = self.session.game_state();
        if game_state.end.is_some() {
            // The players have ended the game, so the position is not a problem. The FEN does not
            // contain this end.
            self.response.isproblem = Some(ProblemCheck::not_a_problem(&NotAProblemReason::Over));
            return Ok(());
        }
        let options = self.options.clone();
        let position = self.session.position_fen();
        let nodes = self
            .request
            .search_limits
            .nodes
            .unwrap_or(MAX_PROBLEM_PROOF_NODES)
            .min(MAX_PROBLEM_PROOF_NODES);
        let side = self.session.game_constants().sides[game_state.side.index()];
        let prove = move |control: &Arc<SearchControl>, response: &mut Response| {
            let result = match control.is_stopped() {
                true => Err(NotAProblemReason::Stopped),
                false => make_problem(&options, &position, nodes, control),
            };
            response.isproblem = Some(match result {
                Err(why) => ProblemCheck::not_a_problem(&why),
                Ok(problem) => {
                    let problem = Some(ProblemWithSolution::new(problem, None, side));
                    ProblemCheck { problem, why: None }
                }
            });
        };
        self.parts.push_back(ResponseTaskPart::Proofs(Box::new(prove)));
        Ok(())
    }

    fn prepare_proof(&mut self) -> Result<(), EngineError> {
        let prove_winner = self
            .winner_prover
            .ok_or_else(|| unavailable_feature_error(UnavailableFeature::Proofs))?;
        let options = self.options.clone();
        let position = self.session.position_fen();
        let limits = ProofLimits {
            nodes: self.request.search_limits.nodes.unwrap_or_default(),
            memory: self.request.memory,
            tables: self.request.tables,
        };
        let is_over = self.session.game_state().outcome.is_some();
        let prove = move |control: &Arc<SearchControl>, response: &mut Response| {
            response.prove = Some(if is_over {
                ProofResult::undetermined(ProofFailure::Over)
            } else if control.is_stopped() {
                ProofResult::undetermined(ProofFailure::Stopped)
            } else {
                prove_winner(&options, &position, limits, control)
            });
        };
        self.parts.push_back(ResponseTaskPart::Proofs(Box::new(prove)));
        Ok(())
    }

    /// Prepares the answer to `known`, which may have to wait for tables. This lookup runs before
    /// all searches, because the results of an analysis are added to its answer.
    fn prepare_known_values(&mut self) {
        let session = self.session.copy_session();
        let look_up = move |control: &Arc<SearchControl>, response: &mut Response| {
            response.known = Some(session.known_values(&|| control.is_over()));
        };
        self.parts.push_front(ResponseTaskPart::Proofs(Box::new(look_up)));
    }

    fn prepare_search(&mut self, question: RequestQuestion) -> Result<(), EngineError> {
        let request = self.request;
        let player = self.session.player_on_clock();
        let budget = request.analysis_time_budget(player);
        let part = match question {
            RequestQuestion::Play | RequestQuestion::Swap => {
                let job = self.prepare_search_job(Limits {
                    level: request.level,
                    seed: request.seed,
                    ..request.limits_without_time()
                })?;
                ResponseTaskPart::Search(question, job, request.move_time_budget(player))
            }
            RequestQuestion::DrawOffer => {
                let job = match self.session.game_state().allows_draw_agreement {
                    true => self.prepare_search_job(request.search_limits.limits_without_time())?,
                    false => None,
                };
                ResponseTaskPart::Search(question, job, budget)
            }
            RequestQuestion::Review => {
                let limits =
                    self.limits_with_book_setting(request.search_limits.limits_without_time());
                let review = review::prepare_review(&*self.session, limits);
                let review = review.map_err(|error| error.in_field("ask"))?;
                ResponseTaskPart::Review(Box::new(review), None, budget)
            }
            _ => ResponseTaskPart::Search(
                question,
                self.prepare_search_job(request.limits_without_time())?,
                budget,
            ),
        };
        self.parts.push_back(part);
        Ok(())
    }

    /// Prepares a search of the position; `None` if the game is over.
    fn prepare_search_job(
        &self,
        limits: Limits<InputWord>,
    ) -> Result<Option<Box<dyn SearchJob>>, EngineError> {
        let job = self.session.prepare_search_job(&self.limits_with_book_setting(limits));
        job.map_err(|error| error.in_field("searchmoves"))
    }

    /// Returns these limits, with opening books enabled only if the options permit them.
    fn limits_with_book_setting(&self, limits: Limits<InputWord>) -> Limits<InputWord> {
        Limits { use_books: EngineOptions::new(self.options).own_book, ..limits }
    }
}

/// Returns the error for a question that the host does not support.
fn unavailable_feature_error(feature: UnavailableFeature) -> EngineError {
    FieldCheckError::from(feature).in_named_field("ask")
}

/// Returns the position after the move of the request; `None` if the move is not legal. If the
/// request has no move, the function uses the move that its clicks form. So a click on a board
/// needs only one request, even if it completes a move.
fn successor_of_requested_move(
    session: &mut dyn Session,
    request: &Request,
) -> Result<Option<Box<Successor>>, EngineError> {
    let mv = match &request.mv {
        Some(mv) => Some(mv.clone()),
        None => {
            let clicks = session
                .interpret_clicks(&request.clicks)
                .map_err(|error| error.in_field("clicks"))?;
            clicks.mv.map(|mv| InputWord::from_text(&mv))
        }
    };
    let Some(details) = mv.and_then(|mv| session.move_effect(&mv).ok()) else { return Ok(None) };
    session.play_moves(&[InputWord::from_text(&details.mv)])?;
    let scene = session.position_scene();
    let status = session.game_status();
    let clicks = session.interpret_clicks(&[]);
    session.undo_moves(1)?;
    Ok(Some(Box::new(Successor { details, scene, status, clicks: clicks? })))
}

/// Returns the move of the request.
fn requested_move(request: &Request) -> Result<&InputWord, EngineError> {
    request.mv.as_ref().ok_or_else(|| {
        let error = FieldCheckError::MissingField {
            expected: "a move",
            needed_by: "'legal' and 'details' need it",
        };
        error.in_named_field("move")
    })
}

/// Adds the field to an error in a FEN or in the moves after it. Errors in the FEN already name a
/// field, so an error without a field is in the moves.
fn attribute_error_to_moves_field(error: EngineError) -> EngineError {
    if error.field.is_some() { error } else { error.in_field("moves") }
}

fn end_game_as_requested(
    session: &mut dyn Session,
    end: &RequestedGameEnd,
) -> Result<(), EngineError> {
    requested_end_by_players(session, end)
        .and_then(|end| session.end_game_by_players(end))
        .map_err(|error| error.in_named_field("end"))
}

/// Returns how the players ended a game.
fn requested_end_by_players(
    session: &dyn Session,
    end: &RequestedGameEnd,
) -> Result<EndByPlayers, EngineError> {
    Ok(match end {
        RequestedGameEnd::Resign(side) => EndByPlayers::Resignation(session.parse_side(side)?),
        RequestedGameEnd::Flag(side) => EndByPlayers::Time(session.parse_side(side)?),
        RequestedGameEnd::Agree => EndByPlayers::Agreement,
    })
}
