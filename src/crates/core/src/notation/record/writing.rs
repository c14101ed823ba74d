//! The text of a record.
//!
//! A line of the text never ends inside a comment: so each begins with a bracket, a brace, a number or a move, and none
//! can be taken for an answer of the protocol, whatever a comment says.

use std::fmt;

use super::notes::MARKS;
use super::{Evaluation, Record, RecordedMove};

/// Lines of moves are shorter than this many bytes, unless a comment is longer.
const WIDTH: usize = 80;

/// The player of a move, as an index, and its full-move number.
type Turn = (usize, u32);

impl fmt::Display for Evaluation {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let sign = if self.centipawns < 0 { '-' } else { '+' };
        let amount = self.centipawns.unsigned_abs();
        write!(f, "{{{sign}{}.{:02}/{}}}", amount / 100, amount % 100, self.depth)
    }
}

/// The text of a record whose moves are made at these turns.
pub(super) fn text(record: &Record, turns: impl IntoIterator<Item = Turn>) -> String {
    let tags = record.tags.iter().map(|(name, value)| format!("[{name} \"{value}\"]"));
    let turns: Vec<Turn> = turns.into_iter().take(record.moves.len()).collect();
    let is_for_two = turns.iter().all(|&(player, _)| player < 2);
    let mut writer = Writer { lines: tags.collect(), is_for_two, ..Writer::default() };
    writer.comment(&record.comment);
    writer.moves(&record.moves, turns);
    writer.push(&record.result);
    writer.lines.push(writer.line);
    writer.lines.join("\n")
}

#[derive(Default)]
struct Writer {
    lines: Vec<String>,
    line: String,
    /// Whether the players take turns, as far as is known.
    is_for_two: bool,
    /// Brackets that stand before the next word.
    opening: String,
}

impl Writer {
    /// Writes a word, on another line if it does not fit on this one.
    fn push(&mut self, word: &str) {
        let word = std::mem::take(&mut self.opening) + word;
        if !self.line.is_empty() && self.line.len() + 1 + word.len() >= WIDTH {
            self.lines.push(std::mem::take(&mut self.line));
        }
        self.line += if self.line.is_empty() { "" } else { " " };
        self.line += &word;
    }

    fn comment(&mut self, comment: &str) {
        if comment.is_empty() {
            return;
        }
        // What a program would read as something else begins with a space.
        let is_open = comment.starts_with(['[', '+', '-', ' ']);
        self.push(&format!("{{{}{}}}", if is_open { " " } else { "" }, comment.replace('}', "}}")));
    }

    fn moves(&mut self, line: &[RecordedMove], turns: impl IntoIterator<Item = Turn>) {
        let mut turns = turns.into_iter();
        let mut last = None;
        for mv in line {
            let turn = turns.next();
            if let Some((player, number)) = turn
                && last.replace(number) != Some(number)
            {
                self.push(&format!("{number}{}", if player == 0 { "." } else { "..." }));
            }
            if self.notes(mv, turn) {
                last = None;
            }
        }
    }

    /// Writes a move with what was added to it. Gives whether the next move takes a number.
    fn notes(&mut self, mv: &RecordedMove, turn: Option<Turn>) -> bool {
        let notes = mv.notes();
        let mut glyphs = notes.glyphs.as_slice();
        let mark = glyphs.first().and_then(|&glyph| MARKS.get(usize::from(glyph).wrapping_sub(1)));
        match mark.filter(|_| !mv.text.ends_with(['!', '?'])) {
            Some(mark) => {
                self.push(&format!("{}{mark}", mv.text));
                glyphs = &glyphs[1..];
            }
            None => self.push(&mv.text),
        }
        glyphs.iter().for_each(|glyph| self.push(&format!("${glyph}")));
        mv.evaluation.iter().for_each(|evaluation| self.push(&evaluation.to_string()));
        notes.clock.iter().for_each(|&time| self.push(&format!("{{[%clk {}]}}", clock_text(time))));
        self.comment(&notes.comment);
        let is_for_two = self.is_for_two;
        for variation in &notes.variations {
            self.opening.push('(');
            self.moves(
                variation,
                turn.into_iter().flat_map(move |turn| following(turn, is_for_two)),
            );
            self.line.push(')');
        }
        !notes.comment.is_empty() || !notes.variations.is_empty()
    }
}

/// The turns of a variation from this one on. In a game of more players than two who comes next is for the rules to
/// say, so that only the first one is known.
fn following(first: Turn, is_for_two: bool) -> impl Iterator<Item = Turn> {
    std::iter::successors(Some(first), move |&(player, number)| match player {
        _ if !is_for_two => None,
        0 => Some((1, number)),
        1 => Some((0, number + 1)),
        _ => None,
    })
}

/// A time on a clock: hours, minutes, seconds, and thousandths if there are some.
fn clock_text(time: u64) -> String {
    let (seconds, thousandths) = (time / 1000, time % 1000);
    let text = format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
    if thousandths > 0 { format!("{text}.{thousandths:03}") } else { text }
}
