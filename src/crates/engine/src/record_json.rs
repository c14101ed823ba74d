//! Converts the contents of records to and from JSON.
//!
//! A line of moves is a list, in which each string is a move. An object after a move contains notes
//! on that move. An object at the beginning of the main line contains the comment before the first
//! move. A list after a move is a variation, whose first move replaces that move. The page stores
//! its games in the same form.

use serde::Serialize;
use serde_json::{Map, Value};
use thiserror::Error;

use pentarch_core::notation::parsing::quote_for_message;
use pentarch_core::notation::record::notes::{
    MAX_CLOCK_MILLIS, MOVE_SUFFIX_CHARACTERS, SearchEvaluation, unescape_tag_value,
};
use pentarch_core::notation::record::{
    CommentError, GameRecord, MAX_VARIATION_NESTING, MoveAnnotations, RecordedMove,
    normalise_comment,
};

/// An entry of a line of moves.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum LineEntry {
    /// A move as a string.
    Move(String),
    /// Notes on the previous move. If this is the first entry, the notes are about the game.
    Notes(MoveNotes),
    /// A variation. Its first move replaces the previous move.
    Variation(Vec<LineEntry>),
}

/// Notes on a move.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct MoveNotes {
    /// The numeric annotation glyphs (NAGs) of the move; missing if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub glyphs: Vec<u8>,
    /// The signs `+ # ≠ = ≡ ! ?` that a person wrote after the move, except the sign that is stored
    /// as the mark of the move; missing if there are none. The signs are not verified. Only the
    /// notation of Alcaxar has such signs.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub signs: String,
    /// The score and the depth of the search that chose the move; missing if they are unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evaluation: Option<MoveEvaluation>,
    /// The remaining time of the player in milliseconds after the move; missing if it is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clock: Option<u64>,
    /// The comment; missing if there is none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub comment: String,
}

/// The score and the depth of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct MoveEvaluation {
    /// The score in centipawns, for the side that moved.
    pub cp: i32,
    /// The depth of the search, in plies.
    pub depth: u32,
}

/// Returns the main line of a record with all its notes.
pub fn main_line_entries(record: &GameRecord) -> Vec<LineEntry> {
    let mut list = Vec::new();
    if !record.comment.is_empty() {
        let comment = record.comment.clone();
        list.push(LineEntry::Notes(MoveNotes { comment, ..MoveNotes::default() }));
    }
    list.extend(move_line_entries(&record.moves));
    list
}

/// Returns these tags of a record as pairs of a name and an unescaped value.
pub fn tag_pairs<'a>(tags: impl IntoIterator<Item = &'a (String, String)>) -> Vec<[String; 2]> {
    tags.into_iter().map(|(name, value)| [name.clone(), unescape_tag_value(value)]).collect()
}

/// Returns the entries of a line. Variations are nested at most [`MAX_VARIATION_NESTING`] levels
/// deep.
fn move_line_entries(line: &[RecordedMove]) -> Vec<LineEntry> {
    let mut list = Vec::with_capacity(line.len());
    for mv in line {
        list.push(LineEntry::Move(mv.text.clone()));
        let notes = move_notes(mv);
        if notes != MoveNotes::default() {
            list.push(LineEntry::Notes(notes));
        }
        let variations = mv.notes().variations.iter();
        list.extend(variations.map(|variation| LineEntry::Variation(move_line_entries(variation))));
    }
    list
}

/// Returns the notes on a move, except its variations.
fn move_notes(mv: &RecordedMove) -> MoveNotes {
    let MoveAnnotations { glyphs, signs, clock, comment, .. } = mv.notes();
    let evaluation = mv
        .evaluation
        .map(|SearchEvaluation { centipawns, depth }| MoveEvaluation { cp: centipawns, depth });
    MoveNotes {
        glyphs: glyphs.clone(),
        signs: signs.clone(),
        evaluation,
        clock: *clock,
        comment: comment.clone(),
    }
}

/// The error for a JSON value that is not the main line of a record.
///
/// As a string, the error lists the numbers of the entries that lead to the fault, as in `entry 3:
/// entry 1: there is no field 'x'`.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{}{fault}", .entries.iter().map(|number| format!("entry {number}: ")).collect::<String>())]
pub struct MainLineJsonError {
    /// The numbers, counted from 1, of the nested entries that contain the fault, outermost first;
    /// empty if the fault concerns the whole value.
    pub entries: Vec<usize>,
    /// The fault, without its location.
    pub fault: MainLineJsonFault,
}

/// The reason why a JSON value cannot be read as the main line of a record.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum MainLineJsonFault {
    /// The value is not a list.
    #[error("expected a list of moves")]
    NotAList,
    /// The first entry has a field other than a comment.
    #[error("expected a comment or a move")]
    NotAComment,
    /// The move already has notes.
    #[error("the move before has notes already")]
    NotesTwice,
    /// The entry is neither a move nor notes nor a variation.
    #[error("expected a move, or notes or a variation for the move before")]
    NotAMove,
    /// Variations are nested deeper than [`MAX_VARIATION_NESTING`].
    #[error("variations lie at most {MAX_VARIATION_NESTING} deep in one another")]
    TooDeep,
    /// A field of the entry has an invalid form.
    #[error("{field}: expected {expected}")]
    Field {
        /// The name of the field.
        field: &'static str,
        /// The form of the field.
        expected: &'static str,
    },
    /// The comment is invalid.
    #[error(transparent)]
    Comment(#[from] CommentError),
    /// An entry has no such field.
    #[error("there is no field {}", quote_for_message(.name))]
    UnknownField {
        /// The name of the field.
        name: String,
    },
}

impl From<MainLineJsonFault> for MainLineJsonError {
    fn from(fault: MainLineJsonFault) -> MainLineJsonError {
        MainLineJsonError { entries: Vec::new(), fault }
    }
}

impl MainLineJsonError {
    /// Returns the same error, located in the entry with this number.
    fn in_entry(mut self, number: usize) -> MainLineJsonError {
        self.entries.insert(0, number);
        self
    }
}

/// Parses the main line of a record from JSON. Returns the comment before the first move, and the
/// moves.
///
/// # Errors
/// If the value has an invalid form.
pub fn parse_record_main_line_json(
    value: &Value,
) -> Result<(String, Vec<RecordedMove>), MainLineJsonError> {
    let list = value.as_array().ok_or(MainLineJsonFault::NotAList)?;
    let (comment, list) = match list.split_first() {
        Some((Value::Object(fields), rest)) => {
            let mut mv = RecordedMove::new(String::new(), None);
            let added = add_move_notes(&mut mv, fields).and_then(|()| {
                let is_comment = fields.keys().all(|name| name == "comment");
                if is_comment { Ok(()) } else { Err(MainLineJsonFault::NotAComment) }
            });
            added.map_err(|fault| MainLineJsonError::from(fault).in_entry(1))?;
            (std::mem::take(&mut mv.notes_mut().comment), rest)
        }
        _ => (String::new(), list.as_slice()),
    };
    Ok((comment, parse_move_line_json(list, 0)?))
}

/// Parses the entries of a line of moves. `depth` is the number of lines that contain this line.
fn parse_move_line_json(
    list: &[Value],
    depth: usize,
) -> Result<Vec<RecordedMove>, MainLineJsonError> {
    let mut line: Vec<RecordedMove> = Vec::new();
    let mut has_notes = false;
    for (number, entry) in (1..).zip(list) {
        let result = match (entry, line.last_mut()) {
            (Value::String(text), _) if !text.is_empty() && !text.contains(char::is_whitespace) => {
                line.push(RecordedMove::from(text.clone()));
                has_notes = false;
                Ok(())
            }
            (Value::Object(_), Some(_)) if std::mem::replace(&mut has_notes, true) => {
                Err(MainLineJsonFault::NotesTwice.into())
            }
            (Value::Object(fields), Some(mv)) => {
                add_move_notes(mv, fields).map_err(MainLineJsonError::from)
            }
            (Value::Array(_), Some(_)) if depth == MAX_VARIATION_NESTING => {
                Err(MainLineJsonFault::TooDeep.into())
            }
            (Value::Array(variation), Some(mv)) if !variation.is_empty() => {
                parse_move_line_json(variation, depth + 1)
                    .map(|variation| mv.notes_mut().variations.push(variation))
            }
            _ => Err(MainLineJsonFault::NotAMove.into()),
        };
        result.map_err(|error| error.in_entry(number))?;
    }
    Ok(line)
}

/// Adds the notes in these fields to a move.
fn add_move_notes(
    mv: &mut RecordedMove,
    fields: &Map<String, Value>,
) -> Result<(), MainLineJsonFault> {
    for (name, value) in fields {
        let invalid = |field, expected| MainLineJsonFault::Field { field, expected };
        match name.as_str() {
            "comment" => {
                let text = value.as_str().ok_or(invalid("comment", "a string"))?;
                mv.notes_mut().comment = normalise_comment(text)?;
            }
            "clock" => {
                let time = value.as_u64().filter(|&time| time <= MAX_CLOCK_MILLIS);
                let expected = "milliseconds, less than 10000 hours";
                mv.notes_mut().clock = Some(time.ok_or(invalid("clock", expected))?);
            }
            "glyphs" => {
                let glyph =
                    |value: &Value| value.as_u64().and_then(|glyph| u8::try_from(glyph).ok());
                let glyphs = value
                    .as_array()
                    .and_then(|list| list.iter().map(glyph).collect::<Option<Vec<u8>>>());
                let glyphs = glyphs.ok_or(invalid("glyphs", "a list of numbers from 0 to 255"))?;
                glyphs.into_iter().for_each(|glyph| mv.notes_mut().add_glyph(glyph));
            }
            "signs" => {
                if !mv.notes().signs.is_empty() {
                    return Err(invalid("signs", "the signs of a move in one place"));
                }
                let signs = value.as_str().filter(|signs| {
                    !signs.is_empty()
                        && signs.chars().all(|sign| MOVE_SUFFIX_CHARACTERS.contains(sign))
                });
                mv.add_suffix_signs(signs.ok_or(invalid("signs", "some of + # ≠ = ≡ ! ?"))?);
            }
            "evaluation" => {
                let mut names = value.as_object().into_iter().flat_map(Map::keys);
                if let Some(name) = names.find(|name| !matches!(name.as_str(), "cp" | "depth")) {
                    return Err(MainLineJsonFault::UnknownField { name: name.clone() });
                }
                let number = |name: &str| value[name].as_i64();
                let centipawns = number("cp").and_then(|number| i32::try_from(number).ok());
                let depth = number("depth").and_then(|number| u32::try_from(number).ok());
                let values = centipawns.zip(depth);
                let (centipawns, depth) =
                    values.ok_or(invalid("evaluation", r#"{"cp": 35, "depth": 12}"#))?;
                mv.evaluation = Some(SearchEvaluation { centipawns, depth });
            }
            _ => return Err(MainLineJsonFault::UnknownField { name: name.clone() }),
        }
    }
    Ok(())
}
