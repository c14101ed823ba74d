//! The fields of a request. The JSON Schema and the types for JavaScript and Python are generated
//! from this definition. The comment on a field becomes its description in the generated files.

use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer, Serialize};

use super::field_error::{FieldError, FieldFault};
use super::field_types::{
    BoundedInteger, ClockTimes, LevelName, MoveOverhead, OptionValues, Priority, RequestQuestions,
    SingleLineString, SingleWordString, Words,
};
use super::id::Id;
use super::json::JsonNode;
use crate::engine_options::MAX_SEED;
use crate::error::EngineError;
use crate::proof::{MAX_PROOF_MEMORY_MIB, MAX_PROOF_TABLE_PIECES};

/// The highest limit on a search, as in `go`. A search with a higher limit would never end.
const MAX_SEARCH_LIMIT: u64 = i64::MAX as u64;
/// The maximum depth in plies, as in `go`.
const MAX_SEARCH_DEPTH_PLIES: u64 = 1_000_000;
/// The maximum number of moves to report.
pub const MAX_REPORTED_MOVES: u64 = 256;

/// A request, a stop, or a line for the console. Except for `stop`, a field with the value `null`
/// counts as missing.
#[derive(Debug, Clone, Default, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(
    default,
    deny_unknown_fields,
    expecting = "an object such as {\"id\": 1, \"game\": \"quoridor\", \"depth\": 6}"
)]
#[cfg_attr(test, schemars(extend("allOf" = super::schema::request_schema_conditions())))]
pub struct RequestFields {
    /// The id of the request, which can be any JSON value. Each response repeats the id.
    #[serde(deserialize_with = "deserialize_nullable")]
    pub id: Option<Id>,
    /// One or more questions. The default is `analysis`. The response has a field for each
    /// question.
    pub ask: Option<RequestQuestions>,
    /// The time in milliseconds between two reports of a search. Without this field, there are no
    /// reports.
    pub every: Option<BoundedInteger<1, MAX_SEARCH_LIMIT>>,
    /// The priority. The default is 0. The engine answers requests with a higher priority first.
    /// Requests with the same priority are answered in the order of arrival.
    pub priority: Option<Priority>,
    /// The word that names the game. Its case does not matter. Without this field, the game of the
    /// command line applies.
    pub game: Option<String>,
    /// The rules of the game, as names of options with their values. The case of the names does not
    /// matter. All other options have their values from the command line.
    pub options: Option<OptionValues>,
    /// The FEN of the first position. Without this field, the game begins at its start position.
    pub fen: Option<String>,
    /// The moves from the first position to the position that the questions are about.
    pub moves: Option<Words>,
    /// A game record, SGF or a list of moves, instead of `fen`, `moves` and `problem`. `game` and
    /// `options` apply if the text names no game.
    pub record: Option<String>,
    /// The number of a built-in problem of the game. The game begins at the position of the
    /// problem, with the rules of the problem. So this field replaces `options` and `fen`. The
    /// question `problem` needs this field.
    pub problem: Option<BoundedInteger<1, MAX_SEARCH_LIMIT>>,
    /// How the players ended the game after the moves.
    pub end: Option<EndFields>,
    /// The clicked sites, for the questions `clicks` and `successor`.
    pub clicks: Option<Words>,
    /// A move, for the questions `details`, `legal`, `counts` and `successor`. The questions
    /// `details` and `legal` need this field.
    #[serde(rename = "move")]
    pub mv: Option<SingleWordString>,
    /// The topic of the rules, for the question `rules`. Its case does not matter. The default is
    /// the first topic.
    pub topic: Option<String>,
    /// Whether the second side is at the bottom of the image, for the question `diagram`.
    pub flip: Option<bool>,
    /// The maximum depth in plies. Any limit in the request replaces all limits of the command
    /// line. A limit of 0 has the same meaning as in `go`.
    pub depth: Option<BoundedInteger<0, MAX_SEARCH_DEPTH_PLIES>>,
    /// The maximum number of nodes. The question `prove` needs this field.
    pub nodes: Option<BoundedInteger<0, MAX_SEARCH_LIMIT>>,
    /// The maximum time in milliseconds.
    pub movetime: Option<BoundedInteger<0, MAX_SEARCH_LIMIT>>,
    /// The number of moves that an analysis reports. The default is set on the command line.
    pub multipv: Option<BoundedInteger<1, MAX_REPORTED_MOVES>>,
    /// The moves from which `analysis` and `play` choose. The default is all legal moves.
    pub searchmoves: Option<Words>,
    /// The level of the player, for the questions `play` and `swap`. Its case does not matter. The
    /// default is set on the command line.
    pub level: Option<LevelName>,
    /// The seed for random choices, for the questions `play`, `swap` and `starts`; 0 for a new seed
    /// each time. The default is set on the command line.
    pub seed: Option<BoundedInteger<0, MAX_SEED>>,
    /// The clocks of the players.
    pub clock: Option<ClockFields>,
    /// The memory in MiB for the question `prove`. The default is 256 MiB, or less if the machine
    /// has less.
    pub memory: Option<BoundedInteger<1, MAX_PROOF_MEMORY_MIB>>,
    /// The engine solves all positions with up to this number of pieces before it answers `prove`.
    /// The default depends on the game.
    pub tables: Option<BoundedInteger<1, MAX_PROOF_TABLE_PIECES>>,
    /// The `id` of the requests to stop. The value `null` stops all requests. A request with this
    /// field may have only one other field: `id`.
    #[serde(deserialize_with = "deserialize_nullable")]
    pub stop: Option<Id>,
    /// A line for the UGI session of a socket. A request with this field may have only one other
    /// field: `id`.
    pub ugi: Option<SingleLineString>,
}

/// How the players ended the game. The object has exactly one of the fields.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(
    default,
    deny_unknown_fields,
    expecting = "an object such as {\"resign\": \"white\"}, {\"flag\": \"white\"} or {\"agree\": true}"
)]
#[cfg_attr(test, schemars(extend("oneOf" = super::schema::exactly_one_end_field_conditions())))]
pub struct EndFields {
    /// The side that resigned, or a player of this side. The case of the word does not matter.
    pub resign: Option<String>,
    /// The side whose time ran out, or a player of this side. The case of the word does not matter.
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
    /// The remaining time of each player in milliseconds, in the order of their turns. A single
    /// number applies to all players.
    pub times: ClockTimes,
    /// The time that each move adds, in the same form as `times`. The default is no time.
    #[serde(default)]
    pub increments: Option<ClockTimes>,
    /// The time in milliseconds that each move loses between the front end and the engine. The
    /// default is the value of the option `Move Overhead`.
    #[serde(default)]
    pub overhead: Option<MoveOverhead>,
}

/// A question. `protocol.md` describes the responses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase", expecting = "a question")]
#[expect(missing_docs, reason = "each is the word of its name")]
#[cfg_attr(test, schemars(rename = "Question"))]
pub enum RequestQuestion {
    Board,
    Scene,
    Clicks,
    Details,
    Counts,
    Successor,
    Rules,
    Lesson,
    Problem,
    Problems,
    IsProblem,
    Prove,
    Drills,
    Starts,
    Status,
    Moves,
    Legal,
    Known,
    Analysis,
    Play,
    DrawOffer,
    Swap,
    Review,
    Record,
    Course,
    Diagram,
    Games,
    Options,
    Version,
}

impl RequestQuestion {
    /// Returns whether the response needs a search.
    pub fn needs_search(self) -> bool {
        use RequestQuestion::*;
        matches!(self, IsProblem | Prove | Analysis | Play | DrawOffer | Swap | Review)
    }

    /// Returns whether the question concerns a position.
    pub(crate) fn is_about_position(self) -> bool {
        !matches!(
            self,
            RequestQuestion::Games | RequestQuestion::Options | RequestQuestion::Version
        )
    }
}

/// A line of input, by its purpose.
#[derive(Debug, Clone)]
pub enum InputMessage {
    /// A request. Waiting requests with a higher priority, and earlier requests with the same
    /// priority, are answered first.
    Request(Box<RequestFields>),
    /// A command to stop requests, which takes effect at once.
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

/// An invalid line. It may have an `id`.
#[derive(Debug, Clone, PartialEq)]
pub struct InvalidMessage {
    /// The `id` in the line; `null` if there is none.
    pub id: Id,
    /// The error in the line.
    pub error: EngineError,
}

impl InputMessage {
    /// Parses a line of JSON.
    ///
    /// # Errors
    /// If the line is not JSON. If a field is unknown or duplicate, or has an invalid form. If a
    /// stop or a line for the console also has fields of a request.
    pub fn parse(line: &str) -> Result<InputMessage, Box<InvalidMessage>> {
        let invalid =
            |id, error: FieldError| InvalidMessage { id, error: error.to_engine_error(line) };
        let node = JsonNode::parse(line).map_err(|error| invalid(Id::default(), error))?;
        InputMessage::from_json_node(&node).map_err(|error| {
            let id = node.object_fields().iter().rfind(|field| field.name == "id");
            let id = id.map_or_else(Id::default, |id| Id::new(id.value.text));
            Box::new(invalid(id, error))
        })
    }

    fn from_json_node(node: &JsonNode) -> Result<InputMessage, FieldError> {
        let check_only = |name, known: &'static [&'static str]| {
            let other = node.object_fields().iter().find(|field| !known.contains(&&*field.name));
            other.map_or(Ok(()), |other| {
                let fault = FieldFault::UnknownField { name: other.name.to_string(), known };
                Err(FieldError::at_offset(other.start, fault).in_field(name))
            })
        };
        match RequestFields::deserialize(node)? {
            RequestFields { id, stop: Some(stop), .. } => {
                check_only("stop", &["id", "stop"])?;
                Ok(InputMessage::Stop { id, target: Some(stop).filter(|stop| !stop.is_null()) })
            }
            RequestFields { id, ugi: Some(line), .. } => {
                check_only("ugi", &["id", "ugi"])?;
                Ok(InputMessage::Console { id: id.unwrap_or_default(), line: line.0 })
            }
            fields => Ok(InputMessage::Request(Box::new(fields))),
        }
    }
}

impl RequestFields {
    /// Returns the questions of the request, or `analysis` if it has none.
    pub fn questions(&self) -> &[RequestQuestion] {
        self.ask.as_ref().map_or(&[RequestQuestion::Analysis], |questions| &questions.0)
    }
}

/// Returns the name of the first field that occurs twice in an object in a line of JSON.
pub fn find_duplicate_field(line: &str) -> Option<String> {
    let node = JsonNode::parse(line).ok()?;
    match IgnoredAny::deserialize(&node).err()?.fault {
        FieldFault::DuplicateField { name } => Some(name),
        _ => None,
    }
}

/// Deserialises a field for which `null` is different from a missing field.
fn deserialize_nullable<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}
