//! Replaces the main line of a record. The old main line becomes a variation if it is annotated.

use super::notes::{self, RecordedMove};
use super::{GameRecord, MAX_VARIATION_NESTING};

impl GameRecord {
    /// Returns the record with these moves as its main line. Moves that were already in the record
    /// retain their notes and variations.
    ///
    /// At a move that differs from the old main line, the rest of the old line becomes a variation
    /// in two cases. Either this rest is annotated, or one of its variations already begins with
    /// the new move. If the variations of the old line would then be nested too deeply, the rest of
    /// the old line is removed instead. If the new main line ends before the old one, the remaining
    /// old moves are removed.
    #[must_use]
    pub fn with_main_line(mut self, played: Vec<RecordedMove>) -> GameRecord {
        let mut rest = std::mem::take(&mut self.moves).into_iter();
        for mv in played {
            let head = match rest.next() {
                None => mv,
                Some(head) if head.text == mv.text => merge_duplicate_moves(head, mv),
                Some(mut head) => {
                    let mut others = std::mem::take(&mut head.notes_mut().variations);
                    let old: Vec<RecordedMove> = std::iter::once(head).chain(rest).collect();
                    let at = others
                        .iter()
                        .position(|other| other.first().is_some_and(|first| first.text == mv.text));
                    let is_kept = (at.is_some() || notes::has_annotated_move(&old))
                        && notes::is_variation_nesting_at_most(&old, MAX_VARIATION_NESTING - 1);
                    rest = at.map(|at| others.remove(at)).unwrap_or_default().into_iter();
                    if is_kept {
                        others.insert(0, old);
                    }
                    let mut head =
                        rest.next().map_or(mv.clone(), |first| merge_duplicate_moves(first, mv));
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

/// Merges two occurrences of the same move. The result has the string and the signs of `mv`, the
/// other notes of `known`, and the glyphs of both. If `mv` has no signs, the result has the signs
/// of `known`.
fn merge_duplicate_moves(mut known: RecordedMove, mv: RecordedMove) -> RecordedMove {
    mv.notes().glyphs.iter().for_each(|&glyph| known.notes_mut().add_glyph(glyph));
    if !mv.notes().signs.is_empty() {
        known.notes_mut().signs.clone_from(&mv.notes().signs);
    }
    known
}
