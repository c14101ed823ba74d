//! Requests and answers as lines of JSON: each line asks about a position, and gets one line of answer.

use std::io::BufRead;

use serde_json::{Map, Value, json};

use crate::core::{OptionSpec, Options};
use crate::engine::options as engine_options;
use crate::engine::session::{Session, Status};
use crate::engine::state::{changed_rules, new_session};
use crate::io::input::{Line as InputLine, Lines as InputLines, MAX_WAITING};
use crate::io::output::Output;

use super::Effort;
use super::pool::{self, Plan, Work};
use super::request::{Request, object};
use crate::engine::lines::Lines;

/// The version of the form of answers. It grows with each change that a program which reads them could notice.
pub const FORMAT: u32 = 1;

/// What an answer says besides what the search has found.
enum About {
    /// The position that was searched.
    Position { id: Value, game: &'static str, fen: String, turn: Option<&'static str>, outcome: String },
    /// Why the request was refused.
    Refused { id: Value, why: String },
}

/// Answers each line of the input with a line of the output, until the input ends or the output closes. `options` and
/// `effort` hold where a request says nothing.
///
/// # Errors
/// If there is not enough memory. A failure of the input or the output is kept by the output.
pub fn answer_all(
    input: impl BufRead + Send + 'static,
    out: &Output,
    options: &Options,
    effort: Effort,
    plan: Plan,
) -> Result<(), String> {
    let mut input = InputLines::new(input, MAX_WAITING);
    let mut sessions = Sessions { defaults: options.clone(), known: Vec::new() };
    let failed = out.clone();
    let next = move || loop {
        match input.next_line() {
            Ok(Some(line)) if line.text.as_ref().is_ok_and(|text| text.trim().is_empty()) => {}
            Ok(Some(line)) => {
                line.text.iter().for_each(|text| log::debug!("> {text}"));
                return Some(sessions.prepare(&line, &effort));
            }
            Ok(None) => return None,
            Err(error) => {
                failed.input_failed(&error);
                return None;
            }
        }
    };
    pool::run(plan, next, |about, lines| {
        out.lines(&answer(about, &lines).to_string());
        !out.is_closed()
    })
}

/// How many sessions are kept at most. Each may have tablebases of its own.
const MOST_SESSIONS: usize = 32;

/// The rules of a session: the game, and the options of its rules that differ from their defaults.
type Key = (String, Vec<(&'static OptionSpec, String)>);

/// Sessions by their rules, the one used last at the end.
struct Sessions {
    defaults: Options,
    known: Vec<(Key, Box<dyn Session>)>,
}

impl Sessions {
    /// Prepares the answer to a line.
    fn prepare(&mut self, line: &InputLine, effort: &Effort) -> Work<About> {
        let refused = |id, why| Work { about: About::Refused { id, why }, search: None };
        let members = match line.text.as_ref().map_err(ToString::to_string).and_then(|text| object(text)) {
            Ok(members) => members,
            Err(why) => return refused(Value::Null, why),
        };
        let id = members.get("id").cloned().unwrap_or_default();
        self.search(&members, id.clone(), effort).unwrap_or_else(|why| refused(id, why))
    }

    fn search(&mut self, members: &Map<String, Value>, id: Value, effort: &Effort) -> Result<Work<About>, String> {
        let Request { options, fen, moves, effort } = Request::read(members, &self.defaults, effort)?;
        let session = self.session(&options);
        session.set_position(fen.as_deref(), &moves)?;
        let Status { turn, outcome, .. } = session.status();
        let (game, fen) = (session.facts().game, session.position_text());
        let about = About::Position { id, game, fen, turn, outcome };
        Ok(Work { about, search: session.search(&effort.limits())?.map(|job| (job, effort)) })
    }

    /// The session with the rules that these options choose.
    fn session(&mut self, options: &Options) -> &mut dyn Session {
        let key = (options.text(&engine_options::GAME), changed_rules(options));
        let at = self.known.iter().position(|(known, _)| *known == key);
        let session = at.map(|at| self.known.remove(at).1).unwrap_or_else(|| new_session(options));
        if self.known.len() >= MOST_SESSIONS {
            self.known.remove(0);
        }
        self.known.push((key, session));
        let last = self.known.len() - 1;
        self.known[last].1.as_mut()
    }
}

/// The answer as an object.
fn answer(about: About, Lines { lines, nodes, faults }: &Lines) -> Value {
    match about {
        About::Refused { id, why } => {
            let column = column(&why);
            json!({ "format": FORMAT, "id": id, "error": why, "column": column })
        }
        About::Position { id, game, fen, turn, outcome } => json!({
            "format": FORMAT,
            "id": id,
            "game": game,
            "fen": fen,
            "turn": turn,
            "outcome": outcome,
            "nodes": nodes,
            "lines": lines,
            "warnings": faults,
        }),
    }
}

/// The first column that a message names, unless that stands in what it quotes.
fn column(message: &str) -> Option<usize> {
    let (_, rest) = message.split('\'').next()?.split_once("column ")?;
    let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    rest[..digits].parse().ok()
}
