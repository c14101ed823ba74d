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

use super::check::{RequestError, Unavailable};
use super::fields::{Question, RequestFields};
use super::id::Id;
use super::recent_games::Games;
use super::request::{Effort, End, Place, Request};
use super::response::{
    CourseFields, GameFields, Legality, ProblemCheck, Response, Successor, Version,
};
use super::task::{Job, Task};
use crate::builtin_drills;
use crate::builtin_problems::{self, BuiltinProblem, Listed, Whole};
use crate::error::{EngineError, Fault};
use crate::game_rules;
use crate::host::Host;
use crate::input_word::Word;
use crate::options::{self as engine_options, EngineOptions, OptionEntry};
use crate::problem::{MakeProblem, NotAProblem};
use crate::proof::{ProofLimits, Settle, Settled, Unsettled};
use crate::record::{Replayed, record_with_additions};
use crate::review;
use crate::rules_page::RulesPage;
use crate::session::{MAX_PLIES, Session};
use crate::stopper::Stopper;

/// Responds to requests. Its only state is a cache of the games of the last requests.
pub struct Responder {
    host: Arc<dyn Host>,
    /// Makes problems of positions; `None` without a prover.
    make_problem: Option<MakeProblem>,
    /// Determines the side that can force a win; `None` if requests cannot ask for it.
    settle: Option<Settle>,
    /// The options where a request has none.
    defaults: Options,
    /// The limits where a request has none.
    effort: Effort,
    /// The greatest number of moves in a request.
    most_moves: usize,
    games: Games,
}

/// The result of a request.
pub enum Prepared {
    /// The response.
    Response(Box<Response>),
    /// The task that searches for the response.
    Task(Box<Task>),
}

impl From<Response> for Prepared {
    fn from(response: Response) -> Prepared {
        Prepared::Response(Box::new(response))
    }
}

impl Responder {
    /// Creates a responder with these default options and limits. A request may have at most `most_moves` moves.
    pub fn new(
        defaults: Options,
        effort: Effort,
        most_moves: usize,
        host: Arc<dyn Host>,
    ) -> Responder {
        Responder {
            host,
            make_problem: None,
            settle: None,
            defaults,
            effort,
            most_moves,
            games: Games::default(),
        }
    }

    /// Returns the responder with a function that makes problems of positions.
    #[must_use]
    pub fn with_problems(self, make_problem: MakeProblem) -> Responder {
        Responder { make_problem: Some(make_problem), ..self }
    }

    /// Returns the responder with a function that determines the side that can force a win.
    #[must_use]
    pub fn with_proofs(self, settle: Settle) -> Responder {
        Responder { settle: Some(settle), ..self }
    }

    /// Creates a responder with the default options and without limits: each request needs its own.
    pub fn with_defaults(host: Arc<dyn Host>) -> Responder {
        Responder::new(Options::default(), Effort::NONE, MAX_PLIES, host)
    }

    /// Returns the clock of the host.
    pub fn clock(&self) -> Clock {
        self.host.clock()
    }

    /// Returns a responder for another thread, with a separate cache of games. Both share tables and other data of
    /// rules.
    pub fn for_another_thread(&self) -> Responder {
        let (host, defaults, games) =
            (self.host.clone(), self.defaults.clone(), self.games.with_the_same_rules());
        Responder { host, defaults, games, ..*self }
    }

    /// Prepares the response to a request.
    pub fn prepare(&mut self, mut fields: RequestFields) -> Prepared {
        let id = fields.id.take().unwrap_or_default();
        let request = Request::check(fields, &self.defaults, &self.effort);
        request
            .and_then(|request| self.prepare_request(&request, id.clone()))
            .unwrap_or_else(|error| Response::error(id, error).into())
    }

    fn prepare_request(&mut self, request: &Request, id: Id) -> Result<Prepared, EngineError> {
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
                    let entries = options.map(|spec| OptionEntry::of(spec, &self.defaults));
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
            Place::Record(record) => {
                self.check_length(record.len_with_variations(), "record")?;
                let game = Replayed::of(record.clone(), &self.defaults, self.host.as_ref());
                replayed_game = game.map_err(|error| error.inside("record"))?;
                kept = Some(&replayed_game.record);
                (&replayed_game.options, replayed_game.session.as_mut() as &mut dyn Session)
            }
            Place::Moves { options, fen, moves } => {
                self.check_length(moves.len(), "moves")?;
                let game = self.games.game(options, fen.as_deref(), moves, self.host.as_ref());
                // An error without a field is in the moves, which are read after the FEN.
                let of = |error: EngineError| match error.field {
                    Some(_) => error,
                    None => error.inside("moves"),
                };
                (options, game.map_err(of)?)
            }
        };
        if let Some((clock, _)) = &request.clock {
            let players = session.facts().players.len();
            for (list, clocks) in [("times", clock.time), ("increments", clock.increment)] {
                if ![0, 1, players].contains(&clocks.iter().flatten().count()) {
                    return Err(RequestError::ClockLength { list, players }.of_field("clock"));
                }
            }
        }
        let in_end = |error: EngineError| error.of_field("end");
        if let Some(end) = &request.end {
            session.end(player_end(session, end).map_err(in_end)?).map_err(in_end)?;
        }
        let outside = (self.host.as_ref(), self.make_problem, self.settle);
        let prepared = answer_position_questions(
            request,
            kept,
            options,
            session,
            &about_position,
            response,
            outside,
        );
        if request.end.is_some() && session.standing().end.is_some() {
            // The cached game goes on, as for the next request.
            session.undo(1)?;
        }
        prepared
    }

    fn check_length(&self, moves: usize, field: &str) -> Result<(), EngineError> {
        let most = self.most_moves;
        let too_long = || EngineError::new(Fault::TooManyMoves { most }).of_field(field);
        if moves > most { Err(too_long()) } else { Ok(()) }
    }
}

/// The maximum number of nodes of a proof that a position is a problem, as in `pentarch problems`. A request can only
/// lower it, so that the response comes within some seconds.
const PROOF_NODES: u64 = 20_000;

/// Answers the questions about the position of a game. The record, if there is one, adds comments and variations.
fn answer_position_questions(
    request: &Request,
    kept: Option<&Record>,
    options: &Options,
    session: &mut dyn Session,
    questions: &[Question],
    mut response: Response,
    (host, make_problem, settle): (&dyn Host, Option<MakeProblem>, Option<Settle>),
) -> Result<Prepared, EngineError> {
    let (facts, status) = (session.facts(), session.status());
    response.game = Some(facts.game);
    response.fen = Some(session.position_text());
    // Only the response has the other fields.
    let head = Response {
        game: response.game,
        fen: response.fen.clone(),
        ..Response::new(response.id.clone())
    };
    let (player, players) = (status.player, facts.players.len());
    let budget = request.budget(player, players);
    let use_books = EngineOptions::of(options).own_book;
    let search = |session: &dyn Session, limits| {
        session.search(&Limits { use_books, ..limits }).map_err(|error| error.inside("searchmoves"))
    };
    let unavailable = |what: Unavailable| RequestError::from(what).of_field("ask");
    let mut jobs = VecDeque::new();
    for question in questions {
        match question {
            Question::Board => response.board = Some(session.board(options)),
            Question::Scene => response.scene = Some(session.scene()),
            Question::Clicks => {
                let clicks = session.clicks(&request.clicks);
                response.clicks = Some(clicks.map_err(|error| error.inside("clicks"))?);
            }
            Question::Details => {
                let details = session.details(mv(request)?);
                response.details = Some(details.map_err(|error| error.inside("move"))?);
            }
            Question::Successor => response.successor = Some(successor(session, request)?),
            Question::Rules => {
                let text = game_rules::rules_text(GameId::chosen(options))?;
                let page = RulesPage::of(&text, request.topic.as_deref());
                response.rules =
                    Some(page.map_err(|error| EngineError::from(error).inside("topic"))?);
            }
            Question::Lesson => {
                response.lesson = Some(game_rules::lesson(GameId::chosen(options))?)
            }
            Question::Problem => {
                let side = facts.sides[session.course().first_turn.1.index()];
                response.problem = request.problem.map(|BuiltinProblem { number, problem }| {
                    Whole::of(problem.clone(), Some(number), side)
                });
            }
            Question::Problems => {
                let problems = builtin_problems::of_game(options.choice(&pentarch_games::GAME));
                response.problems = Some(problems.iter().cloned().map(Listed::from).collect());
            }
            Question::Drills => {
                let game = options.choice(&pentarch_games::GAME);
                response.drills = Some(builtin_drills::of_game(game));
            }
            Question::IsProblem => {
                let make = make_problem.ok_or_else(|| unavailable(Unavailable::Prover))?;
                if session.standing().end.is_some() {
                    // The FEN does not have the end of the game.
                    response.isproblem = Some(ProblemCheck::none(&NotAProblem::Over));
                    continue;
                }
                let (options, position) = (options.clone(), session.position_text());
                let nodes =
                    request.effort.nodes.map_or(PROOF_NODES, |nodes| nodes.min(PROOF_NODES));
                let side = facts.sides[session.standing().side.index()];
                let prove = move |control: &Arc<Control>, response: &mut Response| {
                    let made = match control.is_stopped() {
                        true => Err(NotAProblem::Stopped),
                        false => make(&options, &position, nodes, control),
                    };
                    response.isproblem = Some(match made {
                        Err(why) => ProblemCheck::none(&why),
                        Ok(problem) => {
                            let problem = Some(Whole::of(problem, None, side));
                            ProblemCheck { problem, why: None }
                        }
                    });
                };
                jobs.push_back(Job::Proofs(Box::new(prove)));
            }
            Question::Prove => {
                let settle = settle.ok_or_else(|| unavailable(Unavailable::Proofs))?;
                let (options, position) = (options.clone(), session.position_text());
                let nodes = request.effort.nodes.unwrap_or_default();
                let limits = ProofLimits { nodes, memory: request.memory, tables: request.tables };
                let over = status.turn.is_none().then(|| Settled::open(Unsettled::Over));
                let prove = move |control: &Arc<Control>, response: &mut Response| {
                    response.prove = Some(match over {
                        Some(over) => over,
                        None if control.is_stopped() => Settled::open(Unsettled::Stopped),
                        None => settle(&options, &position, limits, control),
                    });
                };
                jobs.push_back(Job::Proofs(Box::new(prove)));
            }
            Question::Status => response.status = Some(status.clone()),
            Question::Moves => response.moves = Some(session.move_texts()),
            Question::Legal => response.legal = Some(Legality::of(session, mv(request)?)),
            Question::Record => {
                let record = record_with_additions(kept, options, session);
                response.record = Some(record.text(session.course().turns));
            }
            Question::Course => {
                let record = record_with_additions(kept, options, session);
                response.course = Some(CourseFields::of(session, &record));
            }
            Question::Diagram => {
                let view = View { flipped: request.flip, theme: Theme::Auto };
                response.diagram = Some(session.diagram(&[], view)?);
            }
            Question::Analysis => {
                jobs.push_back(Job::Search(*question, search(session, request.limits())?, budget));
            }
            Question::Play => {
                let job = search(session, Limits { level: request.level, ..request.limits() })?;
                let budget = request.budget_of_move(player, players);
                jobs.push_back(Job::Search(*question, job, budget));
            }
            Question::DrawOffer => {
                let may_agree = session.standing().allows_draw_agreement;
                let job = if may_agree { search(session, request.effort.limits())? } else { None };
                jobs.push_back(Job::Search(*question, job, budget));
            }
            Question::Review => {
                let begun = review::begin(session, Limits { use_books, ..request.effort.limits() });
                let (positions, judge) = begun.map_err(|error| error.inside("ask"))?;
                jobs.push_back(Job::Review(Box::new(positions), Box::new(judge), budget));
            }
            // The questions about no position were answered before.
            Question::Games | Question::Options | Question::Version => {}
        }
    }
    if jobs.is_empty() {
        return Ok(response.into());
    }
    let task = Task {
        response,
        head,
        jobs,
        multipv: request.effort.multipv,
        clock: host.clock(),
        scale: facts.odds_scale,
        every: request.every,
        running: None,
        stopper: Stopper::default(),
        longest_step: Duration::MAX,
        files: game_rules::lacking_files(options),
    };
    Ok(Prepared::Task(Box::new(task)))
}

/// Returns the position after the move of the request, or after the move that its clicks make; `None` if it is not
/// legal. A click on a board therefore takes one request, whether it makes a move or not.
fn successor(
    session: &mut dyn Session,
    request: &Request,
) -> Result<Option<Box<Successor>>, EngineError> {
    let mv = match &request.mv {
        Some(mv) => Some(mv.clone()),
        None => {
            let clicks = session.clicks(&request.clicks).map_err(|error| error.inside("clicks"))?;
            clicks.mv.map(|mv| Word::alone(&mv))
        }
    };
    let Some(details) = mv.and_then(|mv| session.details(&mv).ok()) else { return Ok(None) };
    session.play(&[Word::alone(&details.mv)])?;
    let (scene, status, clicks) = (session.scene(), session.status(), session.clicks(&[]));
    session.undo(1)?;
    Ok(Some(Box::new(Successor { details, scene, status, clicks: clicks? })))
}

/// Returns the move of the request.
fn mv(request: &Request) -> Result<&Word, EngineError> {
    request.mv.as_ref().ok_or_else(|| {
        let (expected, needed_by) = ("a move", "'legal' and 'details' need it");
        RequestError::Needed { expected, needed_by }.of_field("move")
    })
}

/// Returns how the players ended a game.
fn player_end(session: &dyn Session, end: &End) -> Result<PlayerEnd, EngineError> {
    Ok(match end {
        End::Resign(side) => PlayerEnd::Resignation(session.side_named(side)?),
        End::Flag(side) => PlayerEnd::Time(session.side_named(side)?),
        End::Agree => PlayerEnd::Agreement,
    })
}
