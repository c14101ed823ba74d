//! Answers to requests: what the engine knows at once, and the task that finds out the rest.

use std::collections::VecDeque;
use std::sync::Arc;

use serde::Serialize;
use serde_json::{Value, json};

use crate::core::record::Record;
use crate::core::{Game, Illegal, MoveError, OptionKind, Options, PlayerEnd};
use crate::diagram::board::View;
use crate::diagram::style::Theme;
use crate::games::{GameId, Visitor};
use crate::search::Limits;
use crate::search::clock::Clock;

use super::games::Games;
use super::host::Host;
use super::members::{Fault, Members};
use super::options as engine_options;
use super::record::{record_of, replayed, text as record_text};
use super::refused::Refused;
use super::request::{Effort, End, Format, Place, Question, Request, format_of};
use super::review;
use super::rules_page::RulesPage;
use super::session::{MAX_PLIES, Session};
use super::task::{Object, Plan, Purpose, Task, Work, value};
use super::word::Word;

/// Answers requests. It keeps no state but the games that were asked about last, which makes requests about them quick.
pub struct Answers {
    host: Arc<dyn Host>,
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
    pub fn new(defaults: Options, effort: Effort, most_moves: usize, host: Arc<dyn Host>) -> Answers {
        Answers { host, defaults, effort, most_moves, games: Games::default() }
    }

    /// Answers with the defaults of all options, in which each request must say itself how far to search.
    pub fn with_defaults(host: Arc<dyn Host>) -> Answers {
        let effort = Effort { depth: None, nodes: None, movetime: None, multipv: 1 };
        Answers::new(Options::default(), effort, MAX_PLIES, host)
    }

    /// The clock of the host.
    pub fn clock(&self) -> Clock {
        self.host.clock()
    }

    /// The same with games of its own, for another thread. What is made for the rules of a game, such as tables, is
    /// shared.
    pub fn for_another_thread(&self) -> Answers {
        let (host, defaults, games) = (self.host.clone(), self.defaults.clone(), self.games.with_the_same_rules());
        Answers { host, defaults, games, ..*self }
    }

    /// Prepares the answer to the request with these members.
    pub fn prepare(&mut self, mut members: Members) -> Prepared {
        let (id, format) = (members.id(), format_of(&members));
        let request = Request::read(&mut members, &self.defaults, &self.effort);
        let prepared = request.and_then(|request| self.prepare_request(&request, id.clone()));
        prepared.unwrap_or_else(|fault| Prepared::Answer(refusal(id, format, &fault)))
    }

    fn prepare_request(&mut self, request: &Request, id: Value) -> Result<Prepared, Fault> {
        let mut answer = Object::from_iter([("format".into(), request.format.number().into()), ("id".into(), id)]);
        let (about_games, about_position): (Vec<Question>, Vec<Question>) =
            request.questions.iter().partition(|question| !question.is_about_position());
        for question in about_games {
            answer.extend([match question {
                Question::Games => ("games".into(), GameId::ALL.iter().map(|id| id.visit(InList)).collect()),
                Question::Options => ("options".into(), options(&self.defaults)),
                _ => (
                    "version".into(),
                    json!({ "program": concat!("pentarch ", env!("CARGO_PKG_VERSION")), "format": FORMAT }),
                ),
            }]);
        }
        if about_position.is_empty() {
            return Ok(Prepared::Answer(answer));
        }
        let mut replayed_game;
        let (options, session) = match &request.place {
            Place::Record(record) => {
                self.check_length(record.moves.len(), "record")?;
                replayed_game = replayed(record, &self.defaults, self.host.as_ref())
                    .map_err(|refused| Fault::of("record", refused))?;
                (&replayed_game.0, replayed_game.1.as_mut())
            }
            Place::Moves { options, fen, moves } => {
                self.check_length(moves.len(), "moves")?;
                let game = self.games.game(options, fen.as_deref(), moves, self.host.as_ref());
                // The position text is read first; what is wrong later is a move.
                let of = |refused: Refused| match refused.is_of_position() {
                    true => Fault::of("fen", refused),
                    false => Fault::of("moves", refused),
                };
                (options, game.map_err(of)?)
            }
        };
        if let Some((clock, _)) = &request.clock {
            let players = session.facts().players.len();
            for (name, list) in [("times", clock.time), ("increments", clock.increment)] {
                if ![0, 1, players].contains(&list.iter().flatten().count()) {
                    return Err(Fault::form(
                        "clock",
                        format!("{name}: one for each of the {players} players expected"),
                    ));
                }
            }
        }
        let in_end = |refused: Refused| Fault::form("end", refused);
        if let Some(end) = &request.end {
            session.end(player_end(session, end).map_err(in_end)?).map_err(in_end)?;
        }
        let answered = asked(request, options, session, &about_position, &mut answer, self.host.as_ref());
        if request.end.is_some() && session.standing().end.is_some() {
            // The game is kept without its end, as it is asked about next time.
            session.undo(1)?;
        }
        answered
    }

    fn check_length(&self, moves: usize, member: &str) -> Result<(), Fault> {
        let most = self.most_moves;
        let fault = || Fault::form(member, format!("a game has at most {most} moves"));
        if moves > most { Err(fault()) } else { Ok(()) }
    }
}

/// The version of the newest form of answers.
pub const FORMAT: u32 = 2;

/// Answers the questions about the position of a game.
fn asked(
    request: &Request,
    options: &Options,
    session: &dyn Session,
    questions: &[Question],
    answer: &mut Object,
    host: &dyn Host,
) -> Result<Prepared, Fault> {
    let (facts, status) = (session.facts(), session.status());
    answer.extend([("game".into(), facts.game.into()), ("fen".into(), session.position_text().into())]);
    if request.format == Format::One {
        answer.extend([("turn".into(), status.turn.into()), ("outcome".into(), status.outcome.clone().into())]);
    }
    // A report has nothing that the answer will have anyway.
    let of_head = |name: &&str| answer.get(*name).map(|value| (name.to_string(), value.clone()));
    let head = ["format", "id", "game", "fen"].iter().filter_map(of_head).collect();
    let (player, players) = (status.player, facts.players.len());
    let mut work = VecDeque::new();
    for question in questions {
        let (name, answered) = match question {
            Question::Board => ("board", value(&session.board(options))),
            Question::Scene => ("scene", value(&session.scene(None, &[])?)),
            Question::Clicks => {
                let clicks = session.clicks(&request.clicks).map_err(|refused| Fault::of("clicks", refused))?;
                ("clicks", value(&clicks))
            }
            Question::Details => {
                let details = session.details(mv(request)?).map_err(|refused| Fault::of("move", refused))?;
                ("details", value(&details))
            }
            Question::Rules => {
                let page = RulesPage::of(&session.rules_text()?, request.topic.as_deref());
                ("rules", value(&page.map_err(|refused| Fault::of("topic", refused))?))
            }
            Question::Status => ("status", value(&status)),
            Question::Moves => ("moves", session.legal_moves().into()),
            Question::Legal => ("legal", value(&legality(session, mv(request)?))),
            Question::Record => {
                let mut record = record_of(options, session);
                if let Place::Record(Record { result, .. }) = &request.place
                    && session.standing().outcome.is_none()
                {
                    record.result.clone_from(result);
                }
                ("record", record_text(&record, session).into())
            }
            Question::Course => ("course", value(&Way::of(session))),
            Question::Diagram => {
                let view = View { flipped: request.flip, theme: Theme::Auto };
                ("diagram", session.diagram(None, &[], &[], view)?.into())
            }
            Question::Analysis => {
                let job = session.search(&request.limits()).map_err(|refused| Fault::of("searchmoves", refused))?;
                work.push_back(Work::Search(Purpose::Analysis, job, request.budget(player, players)));
                continue;
            }
            Question::Play => {
                let limits = Limits { skill: request.skill, ..request.limits() };
                let job = session.search(&limits).map_err(|refused| Fault::of("searchmoves", refused))?;
                work.push_back(Work::Search(Purpose::Play, job, request.budget_of_move(player, players)));
                continue;
            }
            Question::DrawOffer => {
                let job =
                    if session.standing().knows_agreement { session.search(&request.effort.limits())? } else { None };
                work.push_back(Work::Search(Purpose::DrawOffer, job, request.budget(player, players)));
                continue;
            }
            Question::Review => {
                let begun = review::begin(session, request.effort.limits());
                let (positions, judge) = begun.map_err(|refused| Fault::of("ask", refused))?;
                let budget = request.budget(player, players);
                work.push_back(Work::Review(Box::new(positions), Box::new(judge), budget));
                continue;
            }
            // They are about no position.
            Question::Games | Question::Options | Question::Version => continue,
        };
        answer.insert(name.into(), answered);
    }
    let answer = std::mem::take(answer);
    if work.is_empty() {
        return Ok(Prepared::Answer(answer));
    }
    let plan = Plan {
        format: request.format,
        answer,
        head,
        work,
        multipv: request.effort.multipv,
        clock: host.clock(),
        scale: facts.odds_scale,
        every: request.every,
    };
    Ok(Prepared::Task(Box::new(plan.into())))
}

/// The move that is asked about.
fn mv(request: &Request) -> Result<&Word, Fault> {
    request.mv.as_ref().ok_or_else(|| Fault::form("move", "a text expected"))
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
}

impl Way {
    /// The way to the current position of a game.
    fn of(session: &dyn Session) -> Way {
        let (course, sides) = (session.course(), session.facts().sides);
        let end = session.standing().end.map(|end| match end {
            PlayerEnd::Resignation(side) => json!({ "resign": sides[side.index()] }),
            PlayerEnd::Time(side) => json!({ "flag": sides[side.index()] }),
            PlayerEnd::Agreement => json!({ "agree": true }),
        });
        let players = course.turns.into_iter().map(|(player, _)| player).collect();
        Way { start: course.start, moves: course.moves, players, end }
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
    /// The id of the requirement that forbids it, if the rules of the game have such ids.
    pub rule: Option<&'static str>,
}

/// Whether a move is legal in the current position of a game.
fn legality(session: &dyn Session, mv: &Word) -> Legality {
    match session.canonical_move(&mv.text) {
        Ok(text) => Legality { legal: true, mv: Some(text), why: None, rule: None },
        Err(MoveError::Illegal(Illegal { why, rule })) => Legality { legal: false, mv: None, why: Some(why), rule },
        Err(MoveError::Syntax(error)) => Legality { legal: false, mv: None, why: Some(error.to_string()), rule: None },
    }
}

/// The answer to a request that is refused.
pub fn refusal(id: Value, format: Format, Fault { member, refused }: &Fault) -> Object {
    let error = match format {
        Format::One => json!({ "error": refused.to_string(), "column": refused.column }),
        Format::Two => {
            let (message, column, rule) = (refused.message(), refused.column, refused.rule);
            json!({ "error": { "message": message, "member": member, "column": column, "rule": rule } })
        }
    };
    let mut answer = Object::from_iter([("format".into(), format.number().into()), ("id".into(), id)]);
    if let Value::Object(members) = error {
        answer.extend(members);
    }
    answer
}

/// The answer to a stop that has stopped so many requests.
pub fn stopped(id: Value, count: usize) -> Object {
    Object::from_iter([("format".into(), FORMAT.into()), ("id".into(), id), ("stopped".into(), count.into())])
}

/// A game in the list of games.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct GameEntry {
    /// The word that selects the game.
    pub word: &'static str,
    /// Its name for people.
    pub name: &'static str,
    /// The words for its sides.
    pub sides: [&'static str; 2],
    /// What it is about.
    pub summary: &'static str,
}

/// Makes the entry of the game that it visits.
struct InList;

impl Visitor for InList {
    type Output = Value;

    fn visit<G: Game>(self) -> Value {
        value(&GameEntry { word: G::ID, name: G::NAME, sides: G::SIDES, summary: G::SUMMARY })
    }
}

/// An option in the list of options.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct OptionEntry {
    /// Its name.
    pub name: &'static str,
    /// Its type, as in UCI: `check`, `spin`, `combo`, `string` or `button`.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// Its value before any setting: a number, `true` or `false`, or a text; none for a button.
    pub default: Value,
    /// The least number.
    pub min: Option<i64>,
    /// The greatest number.
    pub max: Option<i64>,
    /// The words to choose from.
    pub values: Option<&'static [&'static str]>,
    /// The words of the games that it has to do with.
    pub games: Vec<&'static str>,
}

/// The list of options. Their defaults are the values of `initial`.
fn options(initial: &Options) -> Value {
    let entry = |spec: &'static crate::core::OptionSpec| {
        let text = engine_options::text(initial, spec);
        let (kind, default, min, max, values) = match spec.kind {
            OptionKind::Check { .. } => ("check", (text == "true").into(), None, None, None),
            OptionKind::Spin { min, max, .. } => {
                ("spin", text.parse::<i64>().map_or(Value::Null, Value::from), Some(min), Some(max), None)
            }
            OptionKind::Combo { values, .. } => ("combo", text.into(), None, None, Some(values)),
            OptionKind::Text => ("string", text.into(), None, None, None),
            OptionKind::Button => ("button", Value::Null, None, None, None),
        };
        let own = GameId::OPTIONS.iter().zip(GameId::WORDS).find(|(options, _)| options.contains(spec));
        let games = own.map_or_else(|| GameId::WORDS.to_vec(), |(_, word)| vec![*word]);
        value(&OptionEntry { name: spec.name, kind, default, min, max, values, games })
    };
    engine_options::all().map(entry).collect()
}
