//! A move of a record, with the annotations that people and programs have added to it.

use std::borrow::Cow;
use std::num::NonZeroU32;

use thiserror::Error;

/// A move of a record.
#[derive(Debug, Clone)]
pub struct RecordedMove {
    /// The move string, without signs and marks.
    pub text: String,
    /// The score and depth of the search that chose the move, if the record has them.
    pub evaluation: Option<SearchEvaluation>,
    /// Twice the number that precedes the move in the text, plus 1 if an ellipsis follows the
    /// number; `None` if there is no number.
    number: Option<NonZeroU32>,
    /// The annotations; `None` if there are none. `None` needs less memory than empty annotations,
    /// and a file of games can have millions of moves.
    notes: Option<Box<MoveAnnotations>>,
}

/// The score and depth of the search that chose a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SearchEvaluation {
    /// The score in centipawns, from the view of the side that moved.
    pub centipawns: i32,
    /// The depth of the search, in plies.
    pub depth: u32,
}

/// The annotations of a move.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MoveAnnotations {
    /// The numeric annotation glyphs of the move, each once. The glyphs 1 to 6 stand for the
    /// [`MOVE_QUALITY_MARKS`].
    pub glyphs: Vec<u8>,
    /// The signs after the move, such as `≠` in `Kb6≠`; empty if there are none. A mark such as `!`
    /// is not included. The notation of some games has such signs. A sign can state a fact about
    /// the move, such as a check, but such statements are not verified.
    pub signs: String,
    /// The time left on the player's clock after the move, in milliseconds.
    pub clock: Option<u64>,
    /// The comment as one line, normalised by [`normalise_comment`]; empty if there is none.
    pub comment: String,
    /// The alternatives to the move. Each is a line of at least one move that begins in the
    /// position before the move. Variations are nested at most
    /// [`MAX_VARIATION_NESTING`](super::MAX_VARIATION_NESTING) levels deep.
    pub variations: Vec<Vec<RecordedMove>>,
}

/// The marks that people write after a move. The mark at index `i` stands for the glyph `i + 1`.
pub const MOVE_QUALITY_MARKS: [&str; 6] = ["!", "?", "!!", "??", "!?", "?!"];

/// The beginning of a clock time in a comment, as in PGN: `[%clk 0:09:59]`. If the words of a
/// comment contain this string, a record escapes it with another bracket: `[[%clk`.
pub(super) const CLOCK_COMMENT_PREFIX: &str = "[%clk";

/// Returns whether the dots after a move number are an ellipsis: more than one, or `…`.
pub fn is_ellipsis(dots: &str) -> bool {
    dots.chars().count() > 1 || dots == "\u{2026}"
}

/// The maximum time on a clock in milliseconds: just below 10,000 hours, because the hours have at
/// most four digits.
pub const MAX_CLOCK_MILLIS: u64 = 10_000 * 3_600_000 - 1;

/// The characters that may follow the string of a move. They form the signs of the move, followed
/// by its mark.
pub const MOVE_SUFFIX_CHARACTERS: &str = "+#≠=≡!?";

/// The maximum number of characters of a comment.
pub const MAX_COMMENT_LENGTH: usize = 10_000;

/// The reason why a text cannot be a comment.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum CommentError {
    /// The text contains a control character that is not white space.
    #[error("a comment must not have control characters, but there is one at character {at}")]
    ControlCharacter {
        /// The index of the character, from 1.
        at: usize,
    },
    /// The comment would have more than [`MAX_COMMENT_LENGTH`] characters.
    #[error("a comment has at most {MAX_COMMENT_LENGTH} characters")]
    TooLong,
}

static EMPTY_ANNOTATIONS: MoveAnnotations = MoveAnnotations {
    glyphs: Vec::new(),
    signs: String::new(),
    clock: None,
    comment: String::new(),
    variations: Vec::new(),
};

impl RecordedMove {
    /// Creates a move without notes.
    pub fn new(text: String, evaluation: Option<SearchEvaluation>) -> RecordedMove {
        RecordedMove { text, evaluation, number: None, notes: None }
    }

    /// Returns the move number that the text of the record states before this move.
    pub fn stated_number(&self) -> Option<u32> {
        self.number.map(|number| number.get() >> 1)
    }

    /// Returns whether an ellipsis follows the stated move number. Only moves of players after the
    /// first have an ellipsis.
    pub fn has_stated_ellipsis(&self) -> bool {
        self.number.is_some_and(|number| number.get() & 1 == 1)
    }

    /// Sets the move number that the text of the record states before this move.
    pub fn set_stated_number(&mut self, number: Option<u32>, has_ellipsis: bool) {
        self.number = number.map(|number| {
            let doubled = number.min(u32::MAX >> 1) << 1;
            // 0 is not the number of any move. It is stored as `MAX`, which is not a valid move
            // number either.
            NonZeroU32::new(doubled | u32::from(has_ellipsis)).unwrap_or(NonZeroU32::MAX)
        });
    }

    /// Returns the annotations of the move.
    pub fn notes(&self) -> &MoveAnnotations {
        self.notes.as_deref().unwrap_or(&EMPTY_ANNOTATIONS)
    }

    /// Returns the annotations of the move, so that the caller can change them.
    pub fn notes_mut(&mut self) -> &mut MoveAnnotations {
        self.notes.get_or_insert_default()
    }

    /// Returns the string of the move followed by its signs, but without its mark.
    pub fn text_with_suffix_signs(&self) -> Cow<'_, str> {
        match self.notes().signs.as_str() {
            "" => Cow::Borrowed(&self.text),
            signs => Cow::Owned(format!("{}{signs}", self.text)),
        }
    }

    /// Adds a string of [`MOVE_SUFFIX_CHARACTERS`] that follows the move. If the string ends with a
    /// mark, the mark is stored as a glyph. The other signs replace the signs that the move had
    /// before.
    pub fn add_suffix_signs(&mut self, signs: &str) {
        let before = signs.trim_end_matches(['!', '?']);
        let glyph = (1..).zip(MOVE_QUALITY_MARKS).find(|(_, mark)| *mark == &signs[before.len()..]);
        let signs = if glyph.is_some() { before } else { signs };
        if let Some((glyph, _)) = glyph {
            self.notes_mut().add_glyph(glyph);
        }
        if !signs.is_empty() {
            self.notes_mut().signs = signs.into();
        }
    }
}

/// Creates a move from its string. The signs and the mark at the end of the string are stored
/// separately.
impl From<String> for RecordedMove {
    fn from(mut text: String) -> RecordedMove {
        let length = text.trim_end_matches(|letter| MOVE_SUFFIX_CHARACTERS.contains(letter)).len();
        if length == 0 || length == text.len() {
            return RecordedMove::new(text, None);
        }
        let signs = text.split_off(length);
        let mut mv = RecordedMove::new(text, None);
        mv.add_suffix_signs(&signs);
        mv
    }
}

/// Compares the moves and their annotations, but not the stated numbers.
impl PartialEq for RecordedMove {
    fn eq(&self, other: &RecordedMove) -> bool {
        (&self.text, &self.evaluation, self.notes())
            == (&other.text, &other.evaluation, other.notes())
    }
}

impl Eq for RecordedMove {}

impl MoveAnnotations {
    /// Returns whether the move has a mark, a comment or a variation. A clock time is not an
    /// annotation.
    pub fn is_annotated(&self) -> bool {
        !self.glyphs.is_empty() || !self.comment.is_empty() || !self.variations.is_empty()
    }

    /// Adds a glyph, unless the move already has it.
    pub fn add_glyph(&mut self, glyph: u8) {
        if !self.glyphs.contains(&glyph) {
            self.glyphs.push(glyph);
        }
    }

    /// Adds a variation to the move, unless one of its variations already begins with the moves of
    /// `line`.
    pub fn add_variation(&mut self, line: Vec<RecordedMove>) {
        let begins_with_line = |known: &Vec<RecordedMove>| {
            known.len() >= line.len()
                && known.iter().zip(&line).all(|(one, other)| one.text == other.text)
        };
        if !self.variations.iter().any(begins_with_line) {
            self.variations.push(line);
        }
    }
}

/// Appends a text to a comment, after a space. `addition` must be normalised by
/// [`normalise_comment`].
///
/// # Errors
/// If the comment would become too long. The comment then stays unchanged.
pub fn append_to_comment(comment: &mut String, addition: &str) -> Result<(), CommentError> {
    // A comment that is short enough in bytes is also short enough in characters. The number of
    // bytes is available without counting, and most comments are far below the limit.
    let length = comment.len() + addition.len() + 1;
    if length > MAX_COMMENT_LENGTH
        && comment.chars().chain(addition.chars()).count() + 1 > MAX_COMMENT_LENGTH
    {
        return Err(CommentError::TooLong);
    }
    if !comment.is_empty() {
        comment.push(' ');
    }
    comment.push_str(addition);
    Ok(())
}

/// Normalises a text to a comment, which is one line in which each run of white space is a single
/// space.
///
/// # Errors
/// If the text contains control characters that are not white space, or is too long.
pub fn normalise_comment(text: &str) -> Result<String, CommentError> {
    if let Some(at) = text.chars().position(is_forbidden_character) {
        return Err(CommentError::ControlCharacter { at: at + 1 });
    }
    let comment = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if comment.chars().count() > MAX_COMMENT_LENGTH {
        return Err(CommentError::TooLong);
    }
    Ok(comment)
}

/// Returns whether this character is forbidden in comments and tag values. These are the control
/// characters, except tabs and line ends.
pub fn is_forbidden_character(letter: char) -> bool {
    letter.is_control() && !matches!(letter, '\t' | '\n' | '\r')
}

/// Escapes a text for the value of a tag: quotes and backslashes are escaped, and control
/// characters except tabs become spaces.
pub fn escape_tag_value(text: &str) -> String {
    text.replace('\\', "\\\\")
        .replace('"', "\\\"")
        .replace(|letter: char| letter.is_control() && letter != '\t', " ")
}

/// Returns the value of a tag without its escapes.
pub fn unescape_tag_value(value: &str) -> String {
    let mut letters = value.chars();
    let mut text = String::with_capacity(value.len());
    while let Some(letter) = letters.next() {
        text.extend(if letter == '\\' { letters.next() } else { Some(letter) });
    }
    text
}

/// Returns the number of moves of a line, including its variations.
pub(super) fn count_moves_with_variations(line: &[RecordedMove]) -> usize {
    line.iter()
        .map(|mv| {
            1 + mv
                .notes()
                .variations
                .iter()
                .map(|other| count_moves_with_variations(other))
                .sum::<usize>()
        })
        .sum()
}

/// Returns whether the variations of a line are nested at most `depth` levels deep.
pub fn is_variation_nesting_at_most(line: &[RecordedMove], depth: usize) -> bool {
    let variations = line.iter().flat_map(|mv| &mv.notes().variations);
    variations.into_iter().all(|other| depth > 0 && is_variation_nesting_at_most(other, depth - 1))
}

/// Returns whether a move of this line is annotated.
pub fn has_annotated_move(line: &[RecordedMove]) -> bool {
    line.iter().any(|mv| mv.notes().is_annotated())
}
