//! Scores: centipawns for the side to move, with proven wins and losses at the ends of the scale by their distance.

use crate::core::TableValue;

/// Above every score.
pub const INFINITE: i32 = 32_000;
/// A win now; a win in `n` plies is worth `n` less.
const WIN: i32 = 31_000;
/// The most plies that a search goes deep.
pub const MAX_PLY: usize = 200;
/// From here on a score is a proven win.
const PROVEN: i32 = WIN - 1_000;
/// The worth of a win that a hint speaks of: more than any evaluation, but not proven. Each ply to the win takes some
/// of it, so that the game goes on towards it.
const HINTED_WIN: i32 = 10_000;
/// How much.
const HINTED_PLY: i32 = 10;

/// The worth of a repetition that the rules count as a win and that comes about in the search itself: more than any
/// evaluation, but not proven, because another way to the same position may not repeat.
const WIN_BY_REPETITION: i32 = 20_000;

/// The score of a game won at this ply by the side to move; of one lost, the negative.
pub fn win_at(ply: usize) -> i32 {
    WIN - ply as i32
}

/// The score of a game that a repetition wins at this ply, for the winner; `certain` if it does so on every way there.
pub fn repetition_win_at(ply: usize, certain: bool) -> i32 {
    if certain { win_at(ply) } else { WIN_BY_REPETITION - ply as i32 }
}

/// The score of a position of which there is a hint, for the side to move. A draw tells nothing: similar rules decide
/// most of them.
pub fn hinted(hint: TableValue) -> Option<i32> {
    match hint {
        TableValue::Win(plies) => Some(hinted_win(plies)),
        TableValue::Draw => None,
        TableValue::Loss(plies) => Some(-hinted_win(plies)),
    }
}

/// The score of a win in so many plies that a hint speaks of.
pub fn hinted_win(plies: u32) -> i32 {
    HINTED_WIN - HINTED_PLY * plies as i32
}

/// Whether the score says that the game is won or lost for certain.
pub fn is_proven(score: i32) -> bool {
    score.abs() >= PROVEN
}

/// The plies to a proven end.
pub fn plies_to_end(score: i32) -> i32 {
    WIN - score.abs()
}

/// The score as a table keeps it, counted from the node at `ply` instead of from the root.
pub fn to_table(score: i32, ply: usize) -> i32 {
    if is_proven(score) { score + score.signum() * ply as i32 } else { score }
}

/// The opposite of [`to_table`].
pub fn from_table(score: i32, ply: usize) -> i32 {
    if is_proven(score) { score - score.signum() * ply as i32 } else { score }
}

/// A score in the words of UCI: `cp 25`, or `mate 3` and `mate -3` in moves of the side to move.
pub fn text(score: i32) -> String {
    if is_proven(score) {
        format!("mate {}", (plies_to_end(score) + 1) / 2 * score.signum())
    } else {
        format!("cp {score}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_counted_in_moves_of_the_side_to_move() {
        assert_eq!(text(win_at(1)), "mate 1");
        assert_eq!(text(win_at(3)), "mate 2");
        assert_eq!(text(-win_at(2)), "mate -1");
        assert_eq!(text(-win_at(4)), "mate -2");
        assert_eq!(text(-55), "cp -55");
        assert_eq!(text(repetition_win_at(1, true)), "mate 1");
        assert_eq!(text(repetition_win_at(3, false)), "cp 19997");
    }

    #[test]
    fn tables_keep_distances_from_the_node() {
        for score in [win_at(7), -win_at(12), 0, 25, -9999, repetition_win_at(9, false)] {
            assert_eq!(from_table(to_table(score, 5), 5), score);
        }
        assert_eq!(to_table(win_at(7), 5), win_at(2));
        assert_eq!(to_table(-win_at(7), 5), -win_at(2));
    }
}
