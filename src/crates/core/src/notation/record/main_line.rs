//! Other moves as the main line of a record: what was played before stays as a variation where something is said of it.

use super::notes::{self, RecordedMove};
use super::{MAX_NESTING, Record};

impl Record {
    /// The record with these moves as its main line, with what was added to them and to their alternatives. The moves
    /// of the main line from which they turn away become a variation if somebody has said something of them, unless the
    /// variations in them would lie too deep then; those that follow the last of the moves go.
    #[must_use]
    pub fn with_main_line(mut self, played: Vec<RecordedMove>) -> Record {
        let mut rest = std::mem::take(&mut self.moves).into_iter();
        for mv in played {
            let head = match rest.next() {
                None => mv,
                Some(head) if head.bare() == mv.bare() => joined(head, mv),
                Some(mut head) => {
                    let mut others = std::mem::take(&mut head.notes_mut().variations);
                    let old: Vec<RecordedMove> = std::iter::once(head).chain(rest).collect();
                    let at = others.iter().position(|other| {
                        other.first().is_some_and(|first| first.bare() == mv.bare())
                    });
                    let is_kept = (at.is_some() || notes::says_something(&old))
                        && notes::is_nested_within(&old, MAX_NESTING - 1);
                    rest = at.map(|at| others.remove(at)).unwrap_or_default().into_iter();
                    if is_kept {
                        others.insert(0, old);
                    }
                    let mut head = rest.next().map_or(mv.clone(), |first| joined(first, mv));
                    if !others.is_empty() {
                        head.notes_mut().variations.extend(others);
                    }
                    head
                }
            };
            self.moves.push(head);
        }
        self
    }
}

/// The same move with the notes of both: the text is that of the second, the notes are those of the first.
fn joined(mut known: RecordedMove, mv: RecordedMove) -> RecordedMove {
    mv.notes().glyphs.iter().for_each(|&glyph| known.notes_mut().add_glyph(glyph));
    known.text = mv.text;
    known
}
