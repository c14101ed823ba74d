//! The fields of a request: the only definition, from which the JSON Schema and the types for
//! JavaScript and Python are generated. The comment on a field is its description there.

use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer, Serialize};

use super::field_error::{FieldError, FieldFault};
use super::field_types::{
    ClockTimes, LevelName, MoveOverhead, Number, OneWord, OptionValues, Priority, Questions,
    SingleLineString, Words,
};
use super::id::Id;
use super::json::JsonNode;
use crate::error::EngineError;
use crate::proof::{MAX_PROOF_MEMORY, MAX_SOLVED_PIECES};

/// The highest limit of a search, as in `go`. A search to a higher one would not end.
const MAX_LIMIT: u64 = i64::MAX as u64;
/// The maximum depth in plies, as in `go`.
const MAX_DEPTH: u64 = 1_000_000;
/// The maximum number of moves to report.
pub const MAX_MULTIPV: u64 = 256;

/// A request, a stop, or a line for the console. A field that is `null` counts as missing, except
/// `stop`.
#[derive(Debug, Clone, Default, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(
    default,
    deny_unknown_fields,
    expecting = "an object such as {\"id\": 1, \"game\": \"quoridor\", \"depth\": 6}"
)]
#[cfg_attr(test, schemars(extend("allOf" = super::schema::request_schema_conditions())))]
pub struct RequestFields {
    /// The name of the request: any value. Each response repeats it.
    #[serde(deserialize_with = "nullable")]
    pub id: Option<Id>,
    /// One or several questions; `analysis` without this field. The response has a field for each.
    pub ask: Option<Questions>,
    /// The time in milliseconds between two reports of a search. Without it there are no reports.
    pub every: Option<Number<1, MAX_LIMIT>>,
    /// The priority, 0 without this field. The engine answers requests with a higher priority
    /// first, and those with the same priority in the order of arrival.
    pub priority: Option<Priority>,
    /// The word of the game, in any case. Without it the command line decides.
    pub game: Option<String>,
    /// The rules of the game: option names, in any case, with their values. The command line
    /// decides about the others.
    pub options: Option<OptionValues>,
    /// The FEN of the first position. Without it the game begins at its start position.
    pub fen: Option<String>,
    /// The moves from the first position to the position of the questions.
    pub moves: Option<Words>,
    /// A game record, SGF or a list of moves, in place of `fen`, `moves` and `problem`. `game` and
    /// `options` apply if the text names no game.
    pub record: Option<String>,
    /// The number of a built-in problem of the game. The game begins at its position, with its
    /// rules; it replaces `options` and `fen`. The question `problem` needs it.
    pub problem: Option<Number<1, MAX_LIMIT>>,
    /// How the players ended the game after the moves.
    pub end: Option<EndFields>,
    /// The clicked sites, for the questions `clicks` and `successor`.
    pub clicks: Option<Words>,
    /// A move, for the questions `details`, `legal` and `successor`. The first two need it.
    #[serde(rename = "move")]
    pub mv: Option<OneWord>,
    /// The topic of the rules, in any case, for the question `rules`. Without it the first topic is
    /// shown.
    pub topic: Option<String>,
    /// Whether the second side is at the bottom of the image, for the question `diagram`.
    pub flip: Option<bool>,
    /// The maximum depth in plies. A limit in the request replaces all limits of the command line.
    /// A limit of 0 counts as in `go`.
    pub depth: Option<Number<0, MAX_DEPTH>>,
    /// The maximum number of nodes. The question `prove` needs it.
    pub nodes: Option<Number<0, MAX_LIMIT>>,
    /// The maximum time in milliseconds.
    pub movetime: Option<Number<0, MAX_LIMIT>>,
    /// The number of moves that an analysis reports. Without it the command line decides.
    pub multipv: Option<Number<1, MAX_MULTIPV>>,
    /// The moves from which `analysis` and `play` choose. Without it they choose from all.
    pub searchmoves: Option<Words>,
    /// The level of the player, in any case, for the question `play`. Without it the command line
    /// decides.
    pub level: Option<LevelName>,
    /// The clocks of the players.
    pub clock: Option<ClockFields>,
    /// The memory in MiB for the question `prove`. Without it the limit is 256, or less if the
    /// machine has less.
    pub memory: Option<Number<1, MAX_PROOF_MEMORY>>,
    /// The maximum number of pieces of the positions that the engine solves before it answers
    /// `prove`. Without it the game decides.
    pub tables: Option<Number<1, MAX_SOLVED_PIECES>>,
    /// The `id` of the requests to stop, or `null` for all. A request with this field may have no
    /// other field but `id`.
    #[serde(deserialize_with = "nullable")]
    pub stop: Option<Id>,
    /// A line for the UGI session of a socket. A request with this field may have no other field
    /// but `id`.
    pub ugi: Option<SingleLineString>,
}

/// How the players ended the game: exactly one of the fields.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(
    default,
    deny_unknown_fields,
    expecting = "an object such as {\"resign\": \"white\"}, {\"flag\": \"white\"} or {\"agree\": true}"
)]
#[cfg_attr(test, schemars(extend("oneOf" = super::schema::end_conditions())))]
pub struct EndFields {
    /// The side that resigned, or a player of it, in any case.
    pub resign: Option<String>,
    /// The side whose time ran out, or a player of it, in any case.
    pub flag: Option<String>,
    /// Whether the players agreed on a draw.
    pub agree: Option<bool>,
}

/// The clocks of the players.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(
    deny_unknown_fields,
    expecting = "an object such as {\"times\": [60000, 60000], \"increments\": [1000, 1000], \"overhead\": 10}"
)]
pub struct ClockFields {
    /// The remaining time of each player, in the order of their turns, or one for all, in
    /// milliseconds.
    pub times: ClockTimes,
    /// The time that each move adds, in the same form. Without it moves add none.
    #[serde(default)]
    pub increments: Option<ClockTimes>,
    /// The time in milliseconds that a move loses between front end and engine. Without it the
    /// option `Move MoveOverhead` decides.
    #[serde(default)]
    pub overhead: Option<MoveOverhead>,
}

/// A question. `protocol.md` describes the responses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase", expecting = "a question")]
#[expect(missing_docs, reason = "each is the word of its name")]
pub enum Question {
    Board,
    Scene,
    Clicks,
    Details,
    Successor,
    Rules,
    Lesson,
    Problem,
    Problems,
    IsProblem,
    Prove,
    Drills,
    Status,
    Moves,
    Legal,
    Analysis,
    Play,
    DrawOffer,
    Review,
    Record,
    Course,
    Diagram,
    Games,
    Options,
    Version,
}

impl Question {
    /// Returns whether the response needs a search.
    pub fn is_searched(self) -> bool {
        use Question::*;
        matches!(self, IsProblem | Prove | Analysis | Play | DrawOffer | Review)
    }

    /// Returns whether the question is about a position.
    pub(crate) fn is_about_position(self) -> bool {
        !matches!(self, Question::Games | Question::Options | Question::Version)
    }
}

/// A line of input, by its purpose.
#[derive(Debug, Clone)]
pub enum Message {
    /// A request, which is answered in its turn.
    Request(Box<RequestFields>),
    /// A stop of requests, which takes effect at once.
    Stop {
        /// The `id` of the stop. A stop without an `id` gets no response.
        id: Option<Id>,
        /// The `id` of the requests to stop; `None` for all.
        target: Option<Id>,
    },
    /// A line for the UGI session of a socket.
    Console {
        /// The `id` of the responses.
        id: Id,
        /// The line, without its end.
        line: String,
    },
}

/// An invalid line, with its `id` if it has one.
#[derive(Debug, Clone, PartialEq)]
pub struct InvalidMessage {
    /// The `id` in the line; `null` if there is none.
    pub id: Id,
    /// The fault.
    pub error: EngineError,
}

impl Message {
    /// Parses a line of JSON.
    ///
    /// # Errors
    /// If the line is not JSON, if a field is unknown, duplicate or of an invalid form, or if a
    /// stop or a line for the console has fields of a request.
    pub fn parse(line: &str) -> Result<Message, Box<InvalidMessage>> {
        let invalid = |id, error: FieldError| InvalidMessage { id, error: error.in_line(line) };
        let node = JsonNode::parse(line).map_err(|error| invalid(Id::default(), error))?;
        Message::from_node(&node).map_err(|error| {
            let id = node.fields().iter().rfind(|field| field.name == "id");
            let id = id.map_or_else(Id::default, |id| Id::new(id.value.text));
            Box::new(invalid(id, error))
        })
    }

    fn from_node(node: &JsonNode) -> Result<Message, FieldError> {
        let check_only = |name, known: &'static [&'static str]| {
            let other = node.fields().iter().find(|field| !known.contains(&&*field.name));
            other.map_or(Ok(()), |other| {
                let fault = FieldFault::UnknownField { name: other.name.to_string(), known };
                Err(FieldError::at(other.start, fault).in_field(name))
            })
        };
        match RequestFields::deserialize(node)? {
            RequestFields { id, stop: Some(stop), .. } => {
                check_only("stop", &["id", "stop"])?;
                Ok(Message::Stop { id, target: Some(stop).filter(|stop| !stop.is_null()) })
            }
            RequestFields { id, ugi: Some(line), .. } => {
                check_only("ugi", &["id", "ugi"])?;
                Ok(Message::Console { id: id.unwrap_or_default(), line: line.0 })
            }
            fields => Ok(Message::Request(Box::new(fields))),
        }
    }
}

impl RequestFields {
    /// Returns the questions: `analysis` if the request has none.
    pub fn questions(&self) -> &[Question] {
        self.ask.as_ref().map_or(&[Question::Analysis], |questions| &questions.0)
    }
}

/// Returns the name of the first field that an object in a line of JSON has twice.
pub fn duplicate_field(line: &str) -> Option<String> {
    let node = JsonNode::parse(line).ok()?;
    match IgnoredAny::deserialize(&node).err()?.fault {
        FieldFault::DuplicateField { name } => Some(name),
        _ => None,
    }
}

/// Deserialises a field for which `null` is a value.
fn nullable<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}
