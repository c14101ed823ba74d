//! Writes records as text.
//!
//! Each line of the text begins with a bracket, a brace, a number or a move. A comment is never
//! broken into two lines. So no line looks like a response of the protocol, no matter which words a
//! comment contains.

use std::fmt;

use super::notes::{CLOCK_COMMENT_PREFIX, MOVE_QUALITY_MARKS, MOVE_SUFFIX_CHARACTERS};
use super::{GameRecord, RecordedMove, SearchEvaluation};

/// The limit for the length of a line of moves, in bytes. Lines are shorter than this, except a
/// line with one long comment.
const MAX_RECORD_LINE_LENGTH: usize = 80;

/// A turn of a game: the player's index, and the full-move number.
type RecordTurn = (usize, u32);

impl fmt::Display for SearchEvaluation {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let sign = if self.centipawns < 0 { '-' } else { '+' };
        let amount = self.centipawns.unsigned_abs();
        write!(f, "{{{sign}{}.{:02}/{}}}", amount / 100, amount % 100, self.depth)
    }
}

/// Returns a record as text. `turns` are the turns of the moves of its main line.
pub(super) fn format_record(
    record: &GameRecord,
    turns: impl IntoIterator<Item = RecordTurn>,
) -> String {
    let tags = record.tags.iter().map(|(name, value)| format!("[{name} \"{value}\"]"));
    let turns: Vec<RecordTurn> = turns.into_iter().take(record.moves.len()).collect();
    let is_for_two = turns.iter().all(|&(player, _)| player < 2);
    let mut writer = RecordWriter { lines: tags.collect(), is_for_two, ..RecordWriter::default() };
    writer.write_comment(&record.comment);
    writer.write_moves(&record.moves, turns);
    writer.push_word(&record.result);
    writer.lines.push(writer.line);
    writer.lines.join("\n")
}

#[derive(Default)]
struct RecordWriter {
    lines: Vec<String>,
    line: String,
    /// Whether all known turns are turns of the first two players.
    is_for_two: bool,
    /// The opening brackets before the next word.
    opening: String,
}

impl RecordWriter {
    /// Writes a word. Begins a new line if the word does not fit on the current line.
    fn push_word(&mut self, word: &str) {
        let word = std::mem::take(&mut self.opening) + word;
        if !self.line.is_empty() && self.line.len() + 1 + word.len() >= MAX_RECORD_LINE_LENGTH {
            self.lines.push(std::mem::take(&mut self.line));
        }
        self.line += if self.line.is_empty() { "" } else { " " };
        self.line += &word;
    }

    fn write_comment(&mut self, comment: &str) {
        if comment.is_empty() {
            return;
        }
        // A program would read a comment such as `+0.35/12` as a score. So a space is written
        // before such a comment.
        let needs_space = comment.starts_with(['+', '-', ' ']);
        let text = comment
            .replace('}', "}}")
            .replace(CLOCK_COMMENT_PREFIX, &format!("[{CLOCK_COMMENT_PREFIX}"));
        self.push_word(&format!("{{{}{text}}}", if needs_space { " " } else { "" }));
    }

    fn write_moves(&mut self, line: &[RecordedMove], turns: impl IntoIterator<Item = RecordTurn>) {
        let mut turns = turns.into_iter();
        let mut last = None;
        for mv in line {
            let turn = turns.next();
            if let Some((player, number)) = turn
                && last.replace(number) != Some(number)
            {
                self.push_word(&format!("{number}{}", if player == 0 { "." } else { "..." }));
            }
            if self.write_move_with_annotations(mv, turn) {
                last = None;
            }
        }
    }

    /// Writes a move and its annotations. Returns whether the full-move number must be written
    /// before the next move.
    fn write_move_with_annotations(&mut self, mv: &RecordedMove, turn: Option<RecordTurn>) -> bool {
        let notes = mv.notes();
        let mut glyphs = notes.glyphs.as_slice();
        let mark = glyphs
            .first()
            .and_then(|&glyph| MOVE_QUALITY_MARKS.get(usize::from(glyph).wrapping_sub(1)));
        let text = mv.text_with_suffix_signs();
        // A mark after signs that end with a mark, or after a word that consists of signs, would be
        // read as one of these signs. In these cases, the glyph is written as a number instead.
        let is_word_of_signs = mv.text.ends_with(|letter| MOVE_SUFFIX_CHARACTERS.contains(letter));
        match mark.filter(|_| !is_word_of_signs && !notes.signs.ends_with(['!', '?'])) {
            Some(mark) => {
                self.push_word(&format!("{text}{mark}"));
                glyphs = &glyphs[1..];
            }
            None => self.push_word(&text),
        }
        glyphs.iter().for_each(|glyph| self.push_word(&format!("${glyph}")));
        mv.evaluation.iter().for_each(|evaluation| self.push_word(&evaluation.to_string()));
        notes.clock.iter().for_each(|&time| {
            self.push_word(&format!("{{{CLOCK_COMMENT_PREFIX} {}]}}", format_clock_time(time)))
        });
        self.write_comment(&notes.comment);
        let is_for_two = self.is_for_two;
        for variation in &notes.variations {
            self.opening.push('(');
            self.write_moves(
                variation,
                turn.into_iter().flat_map(move |turn| variation_turns(turn, is_for_two)),
            );
            self.line.push(')');
        }
        !notes.comment.is_empty() || !notes.variations.is_empty()
    }
}

/// Returns the turns of the moves of a variation. The first turn is `first`. With more than two
/// players, only the first turn is known, because the next player depends on the rules.
fn variation_turns(first: RecordTurn, is_for_two: bool) -> impl Iterator<Item = RecordTurn> {
    std::iter::successors(Some(first), move |&(player, number)| match player {
        _ if !is_for_two => None,
        0 => Some((1, number)),
        1 => Some((0, number + 1)),
        _ => None,
    })
}

/// Formats a clock time: hours, minutes, seconds, and thousandths if there are any.
fn format_clock_time(time: u64) -> String {
    let seconds = time / 1000;
    let thousandths = time % 1000;
    let text = format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
    if thousandths > 0 { format!("{text}.{thousandths:03}") } else { text }
}
