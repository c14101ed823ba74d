//! A move of a record, and what people and programs have added to it.

use thiserror::Error;

/// A move of a record.
#[derive(Debug, Clone)]
pub struct RecordedMove {
    /// The text of the move, without a mark.
    pub text: String,
    /// The score and depth of the search that chose the move, if the record has them.
    pub evaluation: Option<Evaluation>,
    /// What was added; none takes less memory than empty notes, and files of games have millions of moves.
    notes: Option<Box<Notes>>,
}

/// The score and depth of the search that chose a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Evaluation {
    /// The score in centipawns, for the side that moved.
    pub centipawns: i32,
    /// The depth in plies.
    pub depth: u32,
}

/// What was added to a move.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Notes {
    /// Numeric annotation glyphs, each once. Those from 1 to 6 are the [`MARKS`].
    pub glyphs: Vec<u8>,
    /// The milliseconds that the player has left after the move.
    pub clock: Option<u64>,
    /// What is said about the move: one line, as [`normalise_comment`] gives it; empty if nothing is said.
    pub comment: String,
    /// What could have been played instead of the move: lines that begin in the position before it, each with a move
    /// at least. They lie at most [`MAX_NESTING`](super::MAX_NESTING) deep in one another.
    pub variations: Vec<Vec<RecordedMove>>,
}

/// The marks of moves: the glyphs from 1 on as signs behind the move.
pub const MARKS: [&str; 6] = ["!", "?", "!!", "??", "!?", "?!"];

/// The most characters of a comment.
pub const MAX_COMMENT_LENGTH: usize = 10_000;

/// A text that cannot be a comment.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum CommentError {
    /// The text has a control character that is not white space.
    #[error("a comment has no control characters, but there is one at character {at}")]
    ControlCharacter {
        /// The index of the character, from 1.
        at: usize,
    },
    /// The comment would have more than [`MAX_COMMENT_LENGTH`] characters.
    #[error("a comment has at most {MAX_COMMENT_LENGTH} characters")]
    TooLong,
}

static NOTHING: Notes =
    Notes { glyphs: Vec::new(), clock: None, comment: String::new(), variations: Vec::new() };

impl RecordedMove {
    /// A move without notes.
    pub fn new(text: String, evaluation: Option<Evaluation>) -> RecordedMove {
        RecordedMove { text, evaluation, notes: None }
    }

    /// What was added to the move.
    pub fn notes(&self) -> &Notes {
        self.notes.as_deref().unwrap_or(&NOTHING)
    }

    /// The same, to be changed.
    pub fn notes_mut(&mut self) -> &mut Notes {
        self.notes.get_or_insert_default()
    }

    /// The text without signs behind it, by which moves are compared: `+`, which says that a move threatens to win,
    /// makes no other move of it.
    pub fn bare(&self) -> &str {
        bare(&self.text)
    }
}

/// A move with the mark behind it as its glyph.
impl From<String> for RecordedMove {
    fn from(mut text: String) -> RecordedMove {
        let glyph = mark_behind(&text);
        let Some(glyph) = glyph else { return RecordedMove::new(text, None) };
        text.truncate(text.len() - MARKS[usize::from(glyph) - 1].len());
        let mut mv = RecordedMove::new(text, None);
        mv.notes_mut().glyphs.push(glyph);
        mv
    }
}

impl PartialEq for RecordedMove {
    fn eq(&self, other: &RecordedMove) -> bool {
        (&self.text, &self.evaluation, self.notes())
            == (&other.text, &other.evaluation, other.notes())
    }
}

impl Eq for RecordedMove {}

impl Notes {
    /// Whether somebody has said something here: a mark, a comment or a variation. A time of a clock says nothing.
    pub fn say_something(&self) -> bool {
        !self.glyphs.is_empty() || !self.comment.is_empty() || !self.variations.is_empty()
    }

    /// Adds a glyph, unless it is there.
    pub fn add_glyph(&mut self, glyph: u8) {
        if !self.glyphs.contains(&glyph) {
            self.glyphs.push(glyph);
        }
    }

    /// Adds a variation to a move, unless the move has it already.
    pub fn add_variation(&mut self, line: Vec<RecordedMove>) {
        let is_begun_by = |known: &Vec<RecordedMove>| {
            known.len() >= line.len()
                && known.iter().zip(&line).all(|(one, other)| one.bare() == other.bare())
        };
        if !self.variations.iter().any(is_begun_by) {
            self.variations.push(line);
        }
    }
}

/// Adds to a comment. `said` has the form that [`normalise_comment`] gives.
///
/// # Errors
/// If the comment would become too long; it is unchanged then.
pub fn add_comment(comment: &mut String, said: &str) -> Result<(), CommentError> {
    // The bytes are counted first, as most comments have fewer than there may be characters.
    let length = comment.len() + said.len() + 1;
    if length > MAX_COMMENT_LENGTH
        && comment.chars().chain(said.chars()).count() + 1 > MAX_COMMENT_LENGTH
    {
        return Err(CommentError::TooLong);
    }
    if !comment.is_empty() {
        comment.push(' ');
    }
    comment.push_str(said);
    Ok(())
}

/// A text as a comment: one line in which each run of white space is a space.
///
/// # Errors
/// If it has control characters that are no white space, or is too long.
pub fn normalise_comment(text: &str) -> Result<String, CommentError> {
    if let Some(at) = text.chars().position(is_hidden) {
        return Err(CommentError::ControlCharacter { at: at + 1 });
    }
    let comment = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if comment.chars().count() > MAX_COMMENT_LENGTH {
        return Err(CommentError::TooLong);
    }
    Ok(comment)
}

/// Whether a comment or the value of a tag must not have this character: it is a control character, and no tabulator or
/// end of a line.
pub fn is_hidden(letter: char) -> bool {
    letter.is_control() && !matches!(letter, '\t' | '\n' | '\r')
}

/// A text as the value of a tag: quotes and backslashes are escaped, and control characters are spaces.
pub fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace(char::is_control, " ")
}

/// The text that the value of a tag stands for.
pub fn unescaped(value: &str) -> String {
    let mut letters = value.chars();
    let mut text = String::with_capacity(value.len());
    while let Some(letter) = letters.next() {
        text.extend(if letter == '\\' { letters.next() } else { Some(letter) });
    }
    text
}

/// The glyph of the mark behind a move, if there is one. What else consists of such signs is part of the text.
fn mark_behind(text: &str) -> Option<u8> {
    let before = text.trim_end_matches(['!', '?']);
    let glyph = (1..).zip(MARKS).find(|(_, mark)| *mark == &text[before.len()..])?.0;
    (!before.is_empty()).then_some(glyph)
}

/// The text of a move without signs behind it.
pub fn bare(text: &str) -> &str {
    text.trim_end_matches(|letter: char| !letter.is_alphanumeric())
}

/// The number of moves of a line, with those of its variations.
pub(super) fn count(line: &[RecordedMove]) -> usize {
    line.iter()
        .map(|mv| 1 + mv.notes().variations.iter().map(|other| count(other)).sum::<usize>())
        .sum()
}

/// Whether the variations of a line lie at most so deep in one another.
pub fn is_nested_within(line: &[RecordedMove], depth: usize) -> bool {
    let variations = line.iter().flat_map(|mv| &mv.notes().variations);
    variations.into_iter().all(|other| depth > 0 && is_nested_within(other, depth - 1))
}

/// Whether somebody has said something of a move of this line.
pub fn says_something(line: &[RecordedMove]) -> bool {
    line.iter().any(|mv| mv.notes().say_something())
}
