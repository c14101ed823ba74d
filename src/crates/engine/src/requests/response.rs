//! The fields of a response. The JSON Schema and the types for JavaScript and Python are generated
//! from this definition. The comment on a field becomes its description in the generated files.

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};
use serde_json::Value;

use pentarch_core::notation::record::GameRecord;
use pentarch_core::{EndByPlayers, MoveError};

use super::id::Id;
use crate::best_lines::BestLines;
use crate::builtin_drills::Drill;
use crate::builtin_problems::{ListedProblem, ProblemWithSolution};
use crate::engine_options::OptionEntry;
use crate::error::EngineError;
#[cfg(test)]
use crate::error::ErrorFields;
use crate::games::GameDefinition;
use crate::input_word::InputWord;
use crate::known::KnownFacts;
use crate::problem::NotAProblemReason;
use crate::proof::ProofResult;
use crate::record::is_derived_tag;
use crate::record_json::{self, LineEntry};
use crate::review::Review;
use crate::rules_info::Lesson;
use crate::rules_page::RulesPage;
use crate::scene::{Board, ClickInterpretation, LabelledCountFields, MoveDetails, Scene};
use crate::session::{GameStatus, Session};
use crate::starts::Starts;
use crate::to_json_value;

/// The version number of the response format. Changes that can break readers increase the number.
pub const RESPONSE_FORMAT_VERSION: u32 = 3;

/// A response, a report before it, or a line of the console.
#[derive(Debug, Clone, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(extend("allOf" = super::schema::response_schema_conditions())))]
pub struct Response {
    /// The number of the format.
    pub format: ResponseFormatVersion,
    /// The `id` of the request; `null` if the request has none or if the line is not JSON.
    #[serde(serialize_with = "serialize_id_as_null")]
    #[cfg_attr(test, schemars(with = "Id"))]
    pub id: Id,
    /// The word that names the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub game: Option<&'static str>,
    /// The FEN of the position.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fen: Option<String>,
    /// The board and the rules.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub board: Option<Board>,
    /// The pieces and marks in the position.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scene: Option<Scene>,
    /// The meaning of the clicks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clicks: Option<ClickInterpretation>,
    /// The effects of the move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub details: Option<MoveDetails>,
    /// The numbers with which players assess the position.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counts: Option<Vec<LabelledCountFields>>,
    /// The position after the move; `null` if the move is not legal.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(extend("x-nullable" = true)))]
    pub successor: Option<Option<Box<Successor>>>,
    /// A topic of the rules for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rules: Option<RulesPage>,
    /// A guided first game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lesson: Option<Lesson>,
    /// The built-in problem of the request, with its solution.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<ProblemWithSolution>,
    /// The built-in problems of the game. The easiest problem comes first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problems: Option<Vec<ListedProblem>>,
    /// Whether the position is a problem, and the problem.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub isproblem: Option<ProblemCheck>,
    /// The answer to the question of which side can force a win.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prove: Option<ProofResult>,
    /// The built-in drills of the game. The easiest drill comes first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub drills: Option<&'static [Drill]>,
    /// The ways to begin a game under these rules.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub starts: Option<Starts>,
    /// The state of the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<GameStatus>,
    /// The legal moves in sorted order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moves: Option<Vec<String>>,
    /// Whether the move is legal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub legal: Option<LegalityResponse>,
    /// The facts about the position that are certain, without a search or with the searches of the
    /// same request.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub known: Option<KnownFacts>,
    /// The best moves with their scores.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub analysis: Option<Analysis>,
    /// The move that a player of the requested level makes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub play: Option<PlayedMove>,
    /// Whether the side to move accepts a draw.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub drawoffer: Option<DrawResponse>,
    /// Whether a player of the requested level takes over the other side.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub swap: Option<bool>,
    /// An evaluation of each move of the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub review: Option<Review>,
    /// The game as a record.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub record: Option<String>,
    /// Warnings about parts of the request's record that were not read; missing if there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub warnings: Option<Vec<String>>,
    /// The game, described by the fields of a request about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub course: Option<GameRequestFields>,
    /// The position as an image in SVG.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub diagram: Option<String>,
    /// All games of the engine.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub games: Option<Vec<GameListEntry>>,
    /// The options of the engine and of all games.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub options: Option<Vec<OptionEntry>>,
    /// The version of the program.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<ProgramVersion>,
    /// `true` in a report before the response. A report contains the results of a search so far.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(extend("const" = true)))]
    pub partial: Option<bool>,
    /// The number of requests that this stop has ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stopped: Option<usize>,
    /// A line that the UGI session of a socket has written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ugi: Option<String>,
    /// The error for a request that the engine rejects. Such a response contains no results.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "Option<ErrorFields<'static>>"))]
    pub error: Option<EngineError>,
}

impl Response {
    /// Creates a response without results.
    pub fn new(id: Id) -> Response {
        Response { id, ..Response::default() }
    }

    /// Creates the response to a request that the engine rejects.
    pub fn for_error(id: Id, error: EngineError) -> Response {
        Response { error: Some(error), ..Response::new(id) }
    }

    /// Creates the response to a stop that has stopped `count` requests.
    pub fn for_stop(id: Id, count: usize) -> Response {
        Response { stopped: Some(count), ..Response::new(id) }
    }

    /// Creates the response with a line that a console session has written.
    pub fn for_console(id: Id, line: &str) -> Response {
        Response { ugi: Some(line.into()), ..Response::new(id) }
    }

    /// Returns the response as a line of JSON, with the fields of objects sorted by name.
    pub fn to_json_line(&self) -> String {
        struct ResponseWithSortedFields<'a>(Value, &'a Id);
        impl Serialize for ResponseWithSortedFields<'_> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let Some(fields) = self.0.as_object() else { return self.0.serialize(serializer) };
                let mut map = serializer.serialize_map(Some(fields.len()))?;
                for (name, field) in fields {
                    match name.as_str() {
                        "id" => map.serialize_entry("id", self.1)?,
                        _ => map.serialize_entry(name, field)?,
                    }
                }
                map.end()
            }
        }
        serde_json::to_string(&ResponseWithSortedFields(to_json_value(self), &self.id))
            .unwrap_or_default()
    }
}

/// Serialises an id as `null`, because serde_json cannot represent every id.
/// [`Response::to_json_line`] writes the text of the id instead.
fn serialize_id_as_null<S: Serializer>(_: &Id, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_unit()
}

/// The version number of the format of responses. Each response has it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ResponseFormatVersion;

impl Serialize for ResponseFormatVersion {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u32(RESPONSE_FORMAT_VERSION)
    }
}

/// A game of the engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "GameFields"))]
pub struct GameListEntry {
    /// The word that selects the game.
    pub word: &'static str,
    /// The name of the game, for people.
    pub name: &'static str,
    /// The words that name the sides.
    pub sides: [&'static str; 2],
    /// A summary of the game for people.
    pub summary: &'static str,
    /// Whether a first move can lose at once, because the opponent then has a winning move.
    pub sharp: bool,
    /// The score of the first side in per cent, in games between players of the level `average`
    /// from the start position; `null` if nobody has measured it.
    pub firstscore: Option<u8>,
}

impl From<&GameDefinition> for GameListEntry {
    fn from(game: &GameDefinition) -> GameListEntry {
        let &GameDefinition { word, name, sides, summary, is_sharp, .. } = game;
        let firstscore = game.first_side_score_percent;
        GameListEntry { word, name, sides, summary, sharp: is_sharp, firstscore }
    }
}

/// The program that has sent the response.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "Version"))]
pub struct ProgramVersion {
    /// The name of the program and its version.
    pub program: &'static str,
    /// The number of the newest format.
    pub format: ResponseFormatVersion,
}

impl ProgramVersion {
    /// The version of this program.
    pub const PROGRAM_VERSION: ProgramVersion = ProgramVersion {
        program: concat!("pentarch ", env!("CARGO_PKG_VERSION")),
        format: ResponseFormatVersion,
    };
}

/// The effects of a move, and the position after it.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Successor {
    /// The effects of the move.
    pub details: MoveDetails,
    /// The position after the move.
    pub scene: Scene,
    /// The state of the game after the move.
    pub status: GameStatus,
    /// The clicks that can begin the next move.
    pub clicks: ClickInterpretation,
}

/// Whether a position is a problem.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ProblemCheck {
    /// The problem; `null` if the position is not a problem.
    pub problem: Option<ProblemWithSolution>,
    /// The reason why the position is not a problem, as a clause; `null` if it is a problem.
    pub why: Option<String>,
}

impl ProblemCheck {
    /// Creates the result for a position that is not a problem. `why` is the reason.
    pub(super) fn not_a_problem(why: &NotAProblemReason) -> ProblemCheck {
        ProblemCheck { problem: None, why: Some(why.to_string()) }
    }
}

/// The result of a search.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Analysis {
    /// The best moves, and the number of searched nodes.
    #[serde(flatten)]
    pub lines: BestLines,
    /// The time of the search in milliseconds.
    pub time: u64,
}

/// The move of a player.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PlayedMove {
    /// The move; `null` if the game is over.
    #[serde(rename = "move")]
    pub mv: Option<String>,
    /// The result of the search with which the player chose the move.
    pub analysis: Analysis,
}

/// The response to a draw offer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum DrawResponse {
    /// The game is drawn.
    Accept,
    /// The engine rejects the offer, and the game continues.
    Decline,
}

/// Whether a move is legal, and if not, the rule that forbids it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "Legality"))]
pub struct LegalityResponse {
    /// Whether the move is legal.
    pub legal: bool,
    /// The canonical notation of the move; `null` if the move is not legal.
    #[serde(rename = "move")]
    pub mv: Option<String>,
    /// The reason why the move is illegal, or the fault of its notation; `null` if the move is
    /// legal.
    pub why: Option<String>,
    /// The text of `why` without the ids of requirements; `null` if the move is legal or its
    /// notation is invalid.
    pub reason: Option<String>,
    /// The id of the requirement that forbids the move; `null` if the move is legal or its notation
    /// is invalid.
    pub rule: Option<&'static str>,
}

impl LegalityResponse {
    /// Checks whether a move is legal in the current position of a game.
    pub fn of_move(session: &dyn Session, mv: &InputWord) -> LegalityResponse {
        let illegal =
            LegalityResponse { legal: false, mv: None, why: None, reason: None, rule: None };
        match session.resolve_move(&mv.text) {
            Ok(found) => LegalityResponse { legal: true, mv: Some(found.text), ..illegal },
            Err(MoveError::Syntax(error)) => {
                LegalityResponse { why: Some(error.to_string()), ..illegal }
            }
            Err(MoveError::Illegal(error)) => LegalityResponse {
                why: Some(error.to_string()),
                rule: error.decisive_rule_id(),
                reason: Some(error.reason),
                ..illegal
            },
        }
    }
}

/// A game, described by the fields of a request about it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "CourseFields"))]
pub struct GameRequestFields {
    /// The FEN of the first position; `null` for the start position of the rules.
    pub start: Option<String>,
    /// The moves, beginning at the first position.
    pub moves: Vec<String>,
    /// For each move, the index of the player who made it.
    pub players: Vec<usize>,
    /// How the players ended the game; `null` if they did not end it.
    pub end: Option<EndedBy>,
    /// The moves with the comments and variations of the record.
    pub line: Vec<LineEntry>,
    /// The tags that people added to the record, as pairs of a name and a value.
    pub tags: Vec<[String; 2]>,
}

/// How the players ended a game. The object has exactly one of the fields.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct EndedBy {
    /// The side that resigned.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resign: Option<&'static str>,
    /// The side whose time ran out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub flag: Option<&'static str>,
    /// `true` if the players agreed on a draw.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agree: Option<bool>,
}

impl GameRequestFields {
    /// Creates the fields that describe the game up to its current position. The comments,
    /// variations and tags come from the record.
    pub(super) fn new(session: &dyn Session, record: &GameRecord) -> GameRequestFields {
        let game_moves = session.game_moves();
        let sides = session.game_constants().sides;
        let end = session.game_state().end.map(|end| match end {
            EndByPlayers::Resignation(side) => {
                EndedBy { resign: Some(sides[side.index()]), ..EndedBy::default() }
            }
            EndByPlayers::Time(side) => {
                EndedBy { flag: Some(sides[side.index()]), ..EndedBy::default() }
            }
            EndByPlayers::Agreement => EndedBy { agree: Some(true), ..EndedBy::default() },
        });
        GameRequestFields {
            start: game_moves.start,
            moves: game_moves.moves,
            players: game_moves.turns.into_iter().map(|(player, _)| player).collect(),
            end,
            line: record_json::main_line_entries(record),
            tags: record_json::tag_pairs(
                record.tags.iter().filter(|(name, _)| !is_derived_tag(name)),
            ),
        }
    }
}
