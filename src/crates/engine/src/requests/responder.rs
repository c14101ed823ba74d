//! Responds to requests: at once, or with a task that searches for the rest of the response.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use pentarch_core::notation::record::Record;
use pentarch_core::{Options, PlayerEnd};
use pentarch_diagram::board::View;
use pentarch_diagram::style::Theme;
use pentarch_games::GameId;
use pentarch_search::Limits;
use pentarch_search::clock::Clock;
use pentarch_search::control::Control;

use super::check::{RequestError, UnavailableFeature};
use super::fields::{Question, RequestFields};
use super::id::Id;
use super::recent_games::RecentGames;
use super::request::{Request, RequestPosition, RequestedEnd, SearchLimits};
use super::response::{
    CourseFields, GameFields, Legality, ProblemCheck, Response, Successor, Version,
};
use super::task::{ResponseTask, TaskPart};
use crate::builtin_drills;
use crate::builtin_problems::{self, BuiltinProblem, ListedProblem, ProblemWithSolution};
use crate::error::{EngineError, EngineFault};
use crate::game_rules;
use crate::host::Host;
use crate::input_word::Word;
use crate::options::{self as engine_options, EngineOptions, OptionEntry};
use crate::problem::{NotAProblem, ProblemMaker};
use crate::proof::{ProofFailure, ProofLimits, ProofResult, WinnerProver};
use crate::record::{ReplayedGame, current_record};
use crate::review;
use crate::rules_page::RulesPage;
use crate::session::{MAX_PLIES, Session};
use crate::stopper::Stopper;

/// Responds to requests. Its only state is a cache of the games of the last requests.
pub struct Responder {
    host: Arc<dyn Host>,
    /// Makes problems of positions; `None` without a prover.
    problem_maker: Option<ProblemMaker>,
    /// Determines the side that can force a win; `None` if the host does not support it.
    winner_prover: Option<WinnerProver>,
    /// The options for requests that have none.
    defaults: Options,
    /// The limits for requests that have none.
    effort: SearchLimits,
    /// The maximum number of moves in a request.
    most_moves: usize,
    games: RecentGames,
}

/// The response to a request, or the task that computes it.
pub enum PreparedResponse {
    /// A complete response.
    Response(Box<Response>),
    /// A task that searches for the rest of the response.
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
        effort: SearchLimits,
        most_moves: usize,
        host: Arc<dyn Host>,
    ) -> Responder {
        Responder {
            host,
            problem_maker: None,
            winner_prover: None,
            defaults,
            effort,
            most_moves,
            games: RecentGames::default(),
        }
    }

    /// Sets the function that makes problems of positions.
    #[must_use]
    pub fn with_problems(self, problem_maker: ProblemMaker) -> Responder {
        Responder { problem_maker: Some(problem_maker), ..self }
    }

    /// Sets the function that determines the side that can force a win.
    #[must_use]
    pub fn with_proofs(self, winner_prover: WinnerProver) -> Responder {
        Responder { winner_prover: Some(winner_prover), ..self }
    }

    /// Creates a responder with the default options and without limits. Each request needs its own
    /// limits.
    pub fn with_defaults(host: Arc<dyn Host>) -> Responder {
        Responder::new(Options::default(), SearchLimits::NONE, MAX_PLIES, host)
    }

    /// Returns the clock of the host.
    pub fn clock(&self) -> Clock {
        self.host.clock()
    }

    /// Returns a responder for another thread, with a separate cache of games. Both share the
    /// tablebases and other data of rules.
    pub fn for_another_thread(&self) -> Responder {
        let (host, defaults, games) =
            (self.host.clone(), self.defaults.clone(), self.games.sharing_rules());
        Responder { host, defaults, games, ..*self }
    }

    /// Prepares the response to a request.
    pub fn prepare(&mut self, mut fields: RequestFields) -> PreparedResponse {
        let id = fields.id.take().unwrap_or_default();
        let request = Request::check(fields, &self.defaults, &self.effort);
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
        let (about_games, about_position): (Vec<Question>, Vec<Question>) =
            request.questions.iter().partition(|question| !question.is_about_position());
        for question in about_games {
            match question {
                Question::Games => {
                    response.games = Some(GameId::ENTRIES.iter().map(GameFields::from).collect());
                }
                Question::Options => {
                    let options = engine_options::all();
                    let entries = options.map(|spec| OptionEntry::new(spec, &self.defaults));
                    response.options = Some(entries.collect());
                }
                _ => response.version = Some(Version::THIS),
            }
        }
        if about_position.is_empty() {
            return Ok(response.into());
        }
        let mut replayed_game;
        let mut kept = None;
        let (options, session) = match &request.place {
            RequestPosition::Record(record) => {
                self.check_length(record.len_with_variations(), "record")?;
                let game = ReplayedGame::replay(record.clone(), &self.defaults, self.host.as_ref());
                replayed_game = game.map_err(|error| error.in_field("record"))?;
                kept = Some(&replayed_game.record);
                (&replayed_game.options, replayed_game.session.as_mut() as &mut dyn Session)
            }
            RequestPosition::Moves { options, fen, moves } => {
                self.check_length(moves.len(), "moves")?;
                let game = self.games.game(options, fen.as_deref(), moves, self.host.as_ref());
                // An error without a field is in the moves, because the FEN is parsed before them.
                let of = |error: EngineError| match error.field {
                    Some(_) => error,
                    None => error.in_field("moves"),
                };
                (options, game.map_err(of)?)
            }
        };
        if let Some((clock, _)) = &request.clock {
            let players = session.constants().players.len();
            for (list, clocks) in [("times", clock.time), ("increments", clock.increment)] {
                if ![0, 1, players].contains(&clocks.iter().flatten().count()) {
                    return Err(RequestError::ClockLength { list, players }.in_named_field("clock"));
                }
            }
        }
        let in_end = |error: EngineError| error.in_named_field("end");
        if let Some(end) = &request.end {
            session.end(player_end(session, end).map_err(in_end)?).map_err(in_end)?;
        }
        let outside = (self.host.as_ref(), self.problem_maker, self.winner_prover);
        let prepared = answer_position_questions(
            request,
            kept,
            options,
            session,
            &about_position,
            response,
            outside,
        );
        if request.end.is_some() && session.game_state().end.is_some() {
            // The cached game continues, so that the next request can use it.
            session.undo(1)?;
        }
        prepared
    }

    fn check_length(&self, moves: usize, field: &str) -> Result<(), EngineError> {
        let most = self.most_moves;
        let too_long =
            || EngineError::new(EngineFault::TooManyMoves { most }).in_named_field(field);
        if moves > most { Err(too_long()) } else { Ok(()) }
    }
}

/// The maximum number of nodes of a proof that a position is a problem, as in `pentarch problems`.
/// A request can only lower it, so that the response takes a few seconds at most.
const PROOF_NODES: u64 = 20_000;

/// Answers the questions about the position of a game. The record, if there is one, contributes
/// comments and variations.
fn answer_position_questions(
    request: &Request,
    kept: Option<&Record>,
    options: &Options,
    session: &mut dyn Session,
    questions: &[Question],
    mut response: Response,
    (host, problem_maker, winner_prover): (&dyn Host, Option<ProblemMaker>, Option<WinnerProver>),
) -> Result<PreparedResponse, EngineError> {
    let (constants, status) = (session.constants(), session.status());
    response.game = Some(constants.game);
    response.fen = Some(session.position_text());
    // Reports have only these fields in common with the response.
    let head = Response {
        game: response.game,
        fen: response.fen.clone(),
        ..Response::new(response.id.clone())
    };
    let (player, players) = (status.player, constants.players.len());
    let budget = request.budget(player, players);
    let use_books = EngineOptions::new(options).own_book;
    let search = |session: &dyn Session, limits| {
        session
            .search(&Limits { use_books, ..limits })
            .map_err(|error| error.in_field("searchmoves"))
    };
    let unavailable = |what: UnavailableFeature| RequestError::from(what).in_named_field("ask");
    let mut parts = VecDeque::new();
    for question in questions {
        match question {
            Question::Board => response.board = Some(session.board(options)),
            Question::Scene => response.scene = Some(session.scene()),
            Question::Clicks => {
                let clicks = session.clicks(&request.clicks);
                response.clicks = Some(clicks.map_err(|error| error.in_field("clicks"))?);
            }
            Question::Details => {
                let details = session.details(mv(request)?);
                response.details = Some(details.map_err(|error| error.in_field("move"))?);
            }
            Question::Successor => response.successor = Some(successor(session, request)?),
            Question::Rules => {
                let text = game_rules::rules_text(GameId::chosen(options))?;
                let page = RulesPage::new(&text, request.topic.as_deref());
                response.rules =
                    Some(page.map_err(|error| EngineError::from(error).in_field("topic"))?);
            }
            Question::Lesson => {
                response.lesson = Some(game_rules::lesson(GameId::chosen(options))?)
            }
            Question::Problem => {
                let side = constants.sides[session.game_line().first_turn.1.index()];
                response.problem = request.problem.map(|BuiltinProblem { number, problem }| {
                    ProblemWithSolution::new(problem.clone(), Some(number), side)
                });
            }
            Question::Problems => {
                let problems = builtin_problems::of_game(options.choice(&pentarch_games::GAME));
                response.problems =
                    Some(problems.iter().cloned().map(ListedProblem::from).collect());
            }
            Question::Drills => {
                let game = options.choice(&pentarch_games::GAME);
                response.drills = Some(builtin_drills::of_game(game));
            }
            Question::IsProblem => {
                let make = problem_maker.ok_or_else(|| unavailable(UnavailableFeature::Prover))?;
                if session.game_state().end.is_some() {
                    // The FEN does not tell that the players ended the game.
                    response.isproblem = Some(ProblemCheck::none(&NotAProblem::Over));
                    continue;
                }
                let (options, position) = (options.clone(), session.position_text());
                let nodes =
                    request.effort.nodes.map_or(PROOF_NODES, |nodes| nodes.min(PROOF_NODES));
                let side = constants.sides[session.game_state().side.index()];
                let prove = move |control: &Arc<Control>, response: &mut Response| {
                    let made = match control.is_stopped() {
                        true => Err(NotAProblem::Stopped),
                        false => make(&options, &position, nodes, control),
                    };
                    response.isproblem = Some(match made {
                        Err(why) => ProblemCheck::none(&why),
                        Ok(problem) => {
                            let problem = Some(ProblemWithSolution::new(problem, None, side));
                            ProblemCheck { problem, why: None }
                        }
                    });
                };
                parts.push_back(TaskPart::Proofs(Box::new(prove)));
            }
            Question::Prove => {
                let winner_prover =
                    winner_prover.ok_or_else(|| unavailable(UnavailableFeature::Proofs))?;
                let (options, position) = (options.clone(), session.position_text());
                let nodes = request.effort.nodes.unwrap_or_default();
                let limits = ProofLimits { nodes, memory: request.memory, tables: request.tables };
                let over =
                    status.turn.is_none().then(|| ProofResult::undetermined(ProofFailure::Over));
                let prove = move |control: &Arc<Control>, response: &mut Response| {
                    response.prove = Some(match over {
                        Some(over) => over,
                        None if control.is_stopped() => {
                            ProofResult::undetermined(ProofFailure::Stopped)
                        }
                        None => winner_prover(&options, &position, limits, control),
                    });
                };
                parts.push_back(TaskPart::Proofs(Box::new(prove)));
            }
            Question::Status => response.status = Some(status.clone()),
            Question::Moves => response.moves = Some(session.move_texts()),
            Question::Legal => response.legal = Some(Legality::of(session, mv(request)?)),
            Question::Record => {
                let record = current_record(kept, options, session);
                response.record = Some(record.text(session.game_line().turns));
            }
            Question::Course => {
                let record = current_record(kept, options, session);
                response.course = Some(CourseFields::of(session, &record));
            }
            Question::Diagram => {
                let view = View { flipped: request.flip, theme: Theme::Auto };
                response.diagram = Some(session.diagram(&[], view)?);
            }
            Question::Analysis => {
                parts.push_back(TaskPart::Search(
                    *question,
                    search(session, request.limits())?,
                    budget,
                ));
            }
            Question::Play => {
                let job = search(session, Limits { level: request.level, ..request.limits() })?;
                let budget = request.budget_of_move(player, players);
                parts.push_back(TaskPart::Search(*question, job, budget));
            }
            Question::DrawOffer => {
                let may_agree = session.game_state().knows_agreement;
                let job = if may_agree { search(session, request.effort.limits())? } else { None };
                parts.push_back(TaskPart::Search(*question, job, budget));
            }
            Question::Review => {
                let begun =
                    review::start_review(session, Limits { use_books, ..request.effort.limits() });
                let (positions, judge) = begun.map_err(|error| error.in_field("ask"))?;
                parts.push_back(TaskPart::Review(Box::new(positions), Box::new(judge), budget));
            }
            // These questions were answered before.
            Question::Games | Question::Options | Question::Version => {}
        }
    }
    if parts.is_empty() {
        return Ok(response.into());
    }
    let task = ResponseTask {
        response,
        head,
        parts,
        multipv: request.effort.multipv,
        clock: host.clock(),
        scale: constants.win_rate_scale,
        every: request.every,
        running: None,
        stopper: Stopper::default(),
        longest_step: Duration::MAX,
        files: game_rules::missing_files(options),
    };
    Ok(PreparedResponse::Task(Box::new(task)))
}

/// Returns the position after the move of the request, or after the move of its clicks; `None` if
/// the move is not legal. So a click on a board needs one request, whether it completes a move or
/// not.
fn successor(
    session: &mut dyn Session,
    request: &Request,
) -> Result<Option<Box<Successor>>, EngineError> {
    let mv = match &request.mv {
        Some(mv) => Some(mv.clone()),
        None => {
            let clicks =
                session.clicks(&request.clicks).map_err(|error| error.in_field("clicks"))?;
            clicks.mv.map(|mv| Word::without_column(&mv))
        }
    };
    let Some(details) = mv.and_then(|mv| session.details(&mv).ok()) else { return Ok(None) };
    session.play(&[Word::without_column(&details.mv)])?;
    let (scene, status, clicks) = (session.scene(), session.status(), session.clicks(&[]));
    session.undo(1)?;
    Ok(Some(Box::new(Successor { details, scene, status, clicks: clicks? })))
}

/// Returns the move of the request.
fn mv(request: &Request) -> Result<&Word, EngineError> {
    request.mv.as_ref().ok_or_else(|| {
        let (expected, needed_by) = ("a move", "'legal' and 'details' need it");
        RequestError::Needed { expected, needed_by }.in_named_field("move")
    })
}

/// Returns how the players ended a game.
fn player_end(session: &dyn Session, end: &RequestedEnd) -> Result<PlayerEnd, EngineError> {
    Ok(match end {
        RequestedEnd::Resign(side) => PlayerEnd::Resignation(session.parse_side(side)?),
        RequestedEnd::Flag(side) => PlayerEnd::Time(session.parse_side(side)?),
        RequestedEnd::Agree => PlayerEnd::Agreement,
    })
}
