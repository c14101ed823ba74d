//! Answers to requests: what the engine knows at once, and the task that finds out the rest.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;
use serde_json::{Value, json};

use pentarch_core::notation::record::Record;
use pentarch_core::{MoveError, Options, PlayerEnd};
use pentarch_diagram::board::View;
use pentarch_diagram::style::Theme;
use pentarch_games::GameId;
use pentarch_search::Limits;
use pentarch_search::clock::Clock;
use pentarch_search::control::Control;

use super::builtin_drills;
use super::builtin_problems::{self, BuiltinProblem, Listed, Whole};
use super::host::Host;
use super::input_word::Word;
use super::options::{self as engine_options, OptionEntry};
use super::problem::MakeProblem;
use super::proof::{ProofLimits, Settle, Settled};
use super::recent_games::Games;
use super::record::{Replayed, is_told, record_with_additions};
use super::record_data;
use super::refused::Refused;
use super::request::{Effort, End, Format, Place, Question, Request, format_of};
use super::request_members::Members;
use super::request_searches::{OVER, Object, STOPPED, Task, Work};
use super::review;
use super::rules_page::RulesPage;
use super::scene::{Clicks, Details, Scene};
use super::session::{MAX_PLIES, Session, Status};
use super::stopper::Stopper;
use super::value;

/// Answers requests. It keeps no state but the games that were asked about last, which makes requests about them quick.
pub struct Answers {
    host: Arc<dyn Host>,
    /// What makes problems of positions; none where there is no prover.
    make_problem: Option<MakeProblem>,
    /// What finds out who can force a win; none where that is not asked.
    settle: Option<Settle>,
    /// What holds where a request says nothing.
    defaults: Options,
    effort: Effort,
    /// The most moves that a request may name.
    most_moves: usize,
    games: Games,
}

/// What comes of a request.
pub enum Prepared {
    /// Its answer.
    Answer(Object),
    /// The task that finds its answer.
    Task(Box<Task>),
}

impl From<Object> for Prepared {
    fn from(answer: Object) -> Prepared {
        Prepared::Answer(answer)
    }
}

impl Answers {
    /// Answers in which these options and this effort hold where a request says nothing. A request may name so many
    /// moves.
    pub fn new(
        defaults: Options,
        effort: Effort,
        most_moves: usize,
        host: Arc<dyn Host>,
    ) -> Answers {
        Answers {
            host,
            make_problem: None,
            settle: None,
            defaults,
            effort,
            most_moves,
            games: Games::default(),
        }
    }

    /// The same, but problems are made of positions by this.
    #[must_use]
    pub fn with_problems(self, make_problem: MakeProblem) -> Answers {
        Answers { make_problem: Some(make_problem), ..self }
    }

    /// The same, but who can force a win is found out by this.
    #[must_use]
    pub fn with_proofs(self, settle: Settle) -> Answers {
        Answers { settle: Some(settle), ..self }
    }

    /// Answers with the defaults of all options, in which each request must say itself how far to search.
    pub fn with_defaults(host: Arc<dyn Host>) -> Answers {
        Answers::new(Options::default(), Effort::NONE, MAX_PLIES, host)
    }

    /// The clock of the host.
    pub fn clock(&self) -> Clock {
        self.host.clock()
    }

    /// The same with games of its own, for another thread. What is made for the rules of a game, such as tables, is
    /// shared.
    pub fn for_another_thread(&self) -> Answers {
        let (host, defaults, games) =
            (self.host.clone(), self.defaults.clone(), self.games.with_the_same_rules());
        Answers { host, defaults, games, ..*self }
    }

    /// Prepares the answer to the request with these members.
    pub fn prepare(&mut self, mut members: Members) -> Prepared {
        let (id, format) = (members.id(), format_of(&members));
        let request = Request::read(&mut members, &self.defaults, &self.effort);
        let prepared = request.and_then(|request| self.prepare_request(&request, id.clone()));
        prepared.unwrap_or_else(|refused| Prepared::Answer(refusal(id, format, &refused)))
    }

    fn prepare_request(&mut self, request: &Request, id: Value) -> Result<Prepared, Refused> {
        let mut answer = Object::from_iter([
            ("format".into(), (request.format as u32).into()),
            ("id".into(), id),
        ]);
        let (about_games, about_position): (Vec<Question>, Vec<Question>) =
            request.questions.iter().partition(|question| !question.is_about_position());
        for question in about_games {
            let answered = match question {
                Question::Games => GameId::ENTRIES.iter().map(value).collect(),
                Question::Options => engine_options::all()
                    .map(|spec| value(&OptionEntry::of(spec, &self.defaults)))
                    .collect(),
                _ => {
                    json!({ "program": concat!("pentarch ", env!("CARGO_PKG_VERSION")), "format": FORMAT })
                }
            };
            answer.insert(question.word(), answered);
        }
        if about_position.is_empty() {
            return Ok(Prepared::Answer(answer));
        }
        let mut replayed_game;
        let mut kept = None;
        let (options, session) = match &request.place {
            Place::Record(record) => {
                self.check_length(record.len_with_variations(), "record")?;
                let game = Replayed::of(record.clone(), &self.defaults, self.host.as_ref());
                replayed_game = game.map_err(|refused| refused.inside("record"))?;
                kept = Some(&replayed_game.record);
                (&replayed_game.options, replayed_game.session.as_mut() as &mut dyn Session)
            }
            Place::Moves { options, fen, moves } => {
                self.check_length(moves.len(), "moves")?;
                let game = self.games.game(options, fen.as_deref(), moves, self.host.as_ref());
                // The position text is read first; what is wrong later is a move.
                let of = |refused: Refused| match refused.member {
                    Some(_) => refused,
                    None => refused.inside("moves"),
                };
                (options, game.map_err(of)?)
            }
        };
        if let Some((clock, _)) = &request.clock {
            let players = session.facts().players.len();
            for (name, list) in [("times", clock.time), ("increments", clock.increment)] {
                if ![0, 1, players].contains(&list.iter().flatten().count()) {
                    return Err(Refused::of_form(
                        "clock",
                        format!("{name}: one for each of the {players} players expected"),
                    ));
                }
            }
        }
        let in_end = |refused: Refused| Refused::of_form("end", refused);
        if let Some(end) = &request.end {
            session.end(player_end(session, end).map_err(in_end)?).map_err(in_end)?;
        }
        let outside = (self.host.as_ref(), self.make_problem, self.settle);
        let answered =
            asked(request, kept, options, session, &about_position, &mut answer, outside);
        if request.end.is_some() && session.standing().end.is_some() {
            // The game is kept without its end, as it is asked about next time.
            session.undo(1)?;
        }
        answered
    }

    fn check_length(&self, moves: usize, member: &str) -> Result<(), Refused> {
        let most = self.most_moves;
        let refused = || Refused::of_form(member, format!("a game has at most {most} moves"));
        if moves > most { Err(refused()) } else { Ok(()) }
    }
}

/// The most nodes of a proof of whether a position is a problem: as many as where problems are composed. A request can
/// only lower them, so that the answer comes within some seconds.
const PROOF_NODES: u64 = 20_000;

/// The version of the newest form of answers.
pub const FORMAT: u32 = 2;

/// Answers the questions about the position of a game, of which this record says more than its moves.
fn asked(
    request: &Request,
    kept: Option<&Record>,
    options: &Options,
    session: &mut dyn Session,
    questions: &[Question],
    answer: &mut Object,
    (host, make_problem, settle): (&dyn Host, Option<MakeProblem>, Option<Settle>),
) -> Result<Prepared, Refused> {
    let (facts, status) = (session.facts(), session.status());
    answer.extend([
        ("game".into(), facts.game.into()),
        ("fen".into(), session.position_text().into()),
    ]);
    if request.format == Format::One {
        answer.extend([
            ("turn".into(), status.turn.into()),
            ("outcome".into(), status.outcome.clone().into()),
        ]);
    }
    // A report has nothing that the answer will have anyway.
    let of_head = |name: &&str| answer.get(*name).map(|value| (name.to_string(), value.clone()));
    let head = ["format", "id", "game", "fen"].iter().filter_map(of_head).collect();
    let (player, players) = (status.player, facts.players.len());
    let budget = request.budget(player, players);
    let use_books = options.is_on(&engine_options::OWN_BOOK);
    let search = |session: &dyn Session, limits| {
        session
            .search(&Limits { use_books, ..limits })
            .map_err(|refused| refused.inside("searchmoves"))
    };
    let mut work = VecDeque::new();
    for question in questions {
        let answered = match question {
            Question::Board => value(&session.board(options)),
            Question::Scene => value(&session.scene()),
            Question::Clicks => {
                value(&session.clicks(&request.clicks).map_err(|refused| refused.inside("clicks"))?)
            }
            Question::Details => {
                value(&session.details(mv(request)?).map_err(|refused| refused.inside("move"))?)
            }
            Question::Successor => value(&successor(session, request)?),
            Question::Rules => {
                let text = session.rules_text()?;
                let page = RulesPage::of(&text, request.topic.as_deref());
                value(&page.map_err(|refused| refused.inside("topic"))?)
            }
            Question::Lesson => value(&session.lesson()?),
            Question::Problem => {
                let side = facts.sides[session.course().first_turn.1.index()];
                value(&request.problem.map(|BuiltinProblem { number, problem }| {
                    Whole::of(problem.clone(), Some(number), side)
                }))
            }
            Question::Problems => {
                let problems = builtin_problems::of_game(options.choice(&pentarch_games::GAME));
                problems.iter().map(|problem| value(&Listed::from(problem.clone()))).collect()
            }
            Question::Drills => builtin_drills::of_game(options.choice(&pentarch_games::GAME))
                .iter()
                .map(value)
                .collect(),
            Question::IsProblem => {
                let refused =
                    || Refused::of_form("ask", "isproblem takes a prover, and there is none");
                let make = make_problem.ok_or_else(refused)?;
                if session.standing().end.is_some() {
                    // The text of the position does not say it.
                    answer.insert(question.word(), json!({ "problem": null, "why": OVER }));
                    continue;
                }
                let (options, position) = (options.clone(), session.position_text());
                let nodes =
                    request.effort.nodes.map_or(PROOF_NODES, |nodes| nodes.min(PROOF_NODES));
                let side = facts.sides[session.standing().side.index()];
                let tell = move |control: &Arc<Control>| {
                    let is_stopped = control.is_stopped();
                    match if is_stopped {
                        Err(STOPPED.into())
                    } else {
                        make(&options, &position, nodes, control)
                    } {
                        Ok(problem) => {
                            json!({ "problem": Whole::of(problem, None, side), "why": null })
                        }
                        Err(why) => json!({ "problem": null, "why": why }),
                    }
                };
                work.push_back(Work::Proofs(*question, Box::new(tell)));
                continue;
            }
            Question::Prove => {
                let refused =
                    || Refused::of_form("ask", "prove is a question to the command analyse only");
                let settle = settle.ok_or_else(refused)?;
                let (options, position) = (options.clone(), session.position_text());
                let nodes = request.effort.nodes.unwrap_or_default();
                let limits = ProofLimits { nodes, memory: request.memory, tables: request.tables };
                let over = status.turn.is_none().then(|| Settled::open(OVER));
                let tell = move |control: &Arc<Control>| match over {
                    Some(over) => value(&over),
                    None if control.is_stopped() => value(&Settled::open(STOPPED)),
                    None => value(&settle(&options, &position, limits, control)),
                };
                work.push_back(Work::Proofs(*question, Box::new(tell)));
                continue;
            }
            Question::Status => value(&status),
            Question::Moves => session.legal_moves().into(),
            Question::Legal => value(&legality(session, mv(request)?)),
            Question::Record => {
                record_with_additions(kept, options, session).text(session.course().turns).into()
            }
            Question::Course => {
                value(&Way::of(session, &record_with_additions(kept, options, session)))
            }
            Question::Diagram => {
                let view = View { flipped: request.flip, theme: Theme::Auto };
                session.diagram(&[], view)?.into()
            }
            Question::Analysis => {
                work.push_back(Work::Search(*question, search(session, request.limits())?, budget));
                continue;
            }
            Question::Play => {
                let job = search(session, Limits { level: request.level, ..request.limits() })?;
                work.push_back(Work::Search(
                    *question,
                    job,
                    request.budget_of_move(player, players),
                ));
                continue;
            }
            Question::DrawOffer => {
                let may_agree = session.standing().knows_agreement;
                let job = if may_agree { search(session, request.effort.limits())? } else { None };
                work.push_back(Work::Search(*question, job, budget));
                continue;
            }
            Question::Review => {
                let begun = review::begin(session, Limits { use_books, ..request.effort.limits() });
                let (positions, judge) = begun.map_err(|refused| refused.inside("ask"))?;
                work.push_back(Work::Review(Box::new(positions), Box::new(judge), budget));
                continue;
            }
            // They are about no position.
            Question::Games | Question::Options | Question::Version => continue,
        };
        answer.insert(question.word(), answered);
    }
    let answer = std::mem::take(answer);
    if work.is_empty() {
        return Ok(Prepared::Answer(answer));
    }
    let task = Task {
        format: request.format,
        answer,
        head,
        work,
        multipv: request.effort.multipv,
        clock: host.clock(),
        scale: facts.odds_scale,
        every: request.every,
        running: None,
        stopper: Stopper::default(),
        longest_step: Duration::MAX,
        files: session.lacking_files(),
    };
    Ok(Prepared::Task(Box::new(task)))
}

/// The position after a move, and what the move does.
#[derive(Serialize)]
struct Successor {
    details: Details,
    scene: Scene,
    status: Status,
    clicks: Clicks,
}

/// The position after the move that is asked about, or after the one that the clicks are; nothing if that is no legal
/// move. So a click on a board takes one request, whether it makes a move or not.
fn successor(session: &mut dyn Session, request: &Request) -> Result<Option<Successor>, Refused> {
    let mv = match &request.mv {
        Some(mv) => Some(mv.clone()),
        None => {
            let clicks =
                session.clicks(&request.clicks).map_err(|refused| refused.inside("clicks"))?;
            clicks.mv.map(|mv| Word::alone(&mv))
        }
    };
    let Some(details) = mv.and_then(|mv| session.details(&mv).ok()) else { return Ok(None) };
    session.play(&[Word::alone(&details.mv)])?;
    let (scene, status, clicks) = (session.scene(), session.status(), session.clicks(&[]));
    session.undo(1)?;
    Ok(Some(Successor { details, scene, status, clicks: clicks? }))
}

/// The move that is asked about.
fn mv(request: &Request) -> Result<&Word, Refused> {
    request.mv.as_ref().ok_or_else(|| Refused::of_form("move", "a text expected"))
}

/// How the players have ended a game.
fn player_end(session: &dyn Session, end: &End) -> Result<PlayerEnd, Refused> {
    Ok(match end {
        End::Resign(side) => PlayerEnd::Resignation(session.side_named(side)?),
        End::Flag(side) => PlayerEnd::Time(session.side_named(side)?),
        End::Agree => PlayerEnd::Agreement,
    })
}

/// The way from the start of a game to its position, so far as the members of a request name it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Way {
    /// The text of the position that the game began at; none for the start position of its rules.
    pub start: Option<String>,
    /// The canonical texts of the moves made, first to last.
    pub moves: Vec<String>,
    /// The index of the player who has made each move.
    pub players: Vec<usize>,
    /// How the players have ended the game, as the member `end` says it; none if they have not.
    pub end: Option<Value>,
    /// The moves with what was added to them, as [`record_data`] has it.
    pub line: Value,
    /// The tags that people have added, as pairs of a name and a text.
    pub tags: Value,
}

impl Way {
    /// The way to the current position of a game.
    fn of(session: &dyn Session, record: &Record) -> Way {
        let (course, sides) = (session.course(), session.facts().sides);
        let end = session.standing().end.map(|end| match end {
            PlayerEnd::Resignation(side) => json!({ "resign": sides[side.index()] }),
            PlayerEnd::Time(side) => json!({ "flag": sides[side.index()] }),
            PlayerEnd::Agreement => json!({ "agree": true }),
        });
        let players = course.turns.into_iter().map(|(player, _)| player).collect();
        let tags = record_data::tags(record.tags.iter().filter(|(name, _)| !is_told(name)));
        Way {
            start: course.start,
            moves: course.moves,
            players,
            end,
            line: record_data::line(record),
            tags,
        }
    }
}

/// Whether a move is legal, and if not, by which rule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Legality {
    /// Whether it is.
    pub legal: bool,
    /// The canonical text of a legal move.
    #[serde(rename = "move")]
    pub mv: Option<String>,
    /// What forbids the move, or what is wrong with its text.
    pub why: Option<String>,
    /// What forbids the move, without ids of requirements; none if the text is not that of a move.
    pub reason: Option<String>,
    /// The id of the requirement that forbids it, if the rules of the game have such ids.
    pub rule: Option<&'static str>,
}

/// Whether a move is legal in the current position of a game.
fn legality(session: &dyn Session, mv: &Word) -> Legality {
    match session.canonical_move(&mv.text) {
        Ok(text) => Legality { legal: true, mv: Some(text), why: None, reason: None, rule: None },
        Err(MoveError::Illegal(illegal)) => {
            let reason = Some(illegal.reason().into());
            Legality { legal: false, mv: None, why: Some(illegal.why), reason, rule: illegal.rule }
        }
        Err(MoveError::Syntax(error)) => Legality {
            legal: false,
            mv: None,
            why: Some(error.to_string()),
            reason: None,
            rule: None,
        },
    }
}

/// The answer to a request that is refused.
pub fn refusal(id: Value, format: Format, refused: &Refused) -> Object {
    let answer = [("format".into(), (format as u32).into()), ("id".into(), id)].into_iter();
    match format {
        Format::One => {
            let error = [
                ("error".into(), refused.to_string().into()),
                ("column".into(), refused.column.into()),
            ];
            answer.chain(error).collect()
        }
        Format::Two => answer.chain([("error".into(), value(refused))]).collect(),
    }
}

/// The answer to a stop that has stopped so many requests.
pub fn stopped(id: Value, count: usize) -> Object {
    Object::from_iter([
        ("format".into(), FORMAT.into()),
        ("id".into(), id),
        ("stopped".into(), count.into()),
    ])
}
