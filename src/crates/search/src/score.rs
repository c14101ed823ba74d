//! Scores: centipawns for the side to move, with proven wins and losses at the ends of the scale,
//! by their distance to mate.

use pentarch_core::{Outcome, Side, TableValue};

/// A bound above every score.
pub const INFINITE_SCORE: i32 = 32_000;
/// The score of a game that is won at the root. The score of a win in `n` plies is less by `n`.
const WIN_SCORE: i32 = 31_000;
/// The maximum number of plies of a search.
pub const MAX_PLY: usize = 200;
/// The minimum score of a proven win.
const MIN_PROVEN_SCORE: i32 = WIN_SCORE - 1_000;
/// The score of an estimated win now: more than any evaluation, but not proven.
const ESTIMATED_WIN_SCORE: i32 = 10_000;
/// The amount by which each ply to an estimated win lowers its score, so that the winner plays
/// towards the end.
const ESTIMATED_PLY: i32 = 10;

/// The score of a position that tables know to be won, without the number of plies: more than any
/// evaluation, and less than a win whose end the search sees.
const KNOWN_WIN_SCORE: i32 = 19_000;
/// The score of a repetition at the root that the rules count as a win, if the repeated position
/// occurred within the search. It is more than any evaluation, but not proven, because another path
/// to the same position may not repeat.
const REPETITION_WIN_SCORE: i32 = 20_000;

/// Returns the winner's score of a game that is won at this ply.
#[inline]
pub fn win_at(ply: usize) -> i32 {
    WIN_SCORE - ply as i32
}

/// Returns the winner's score of a game that a repetition wins at this ply. `certain` means that
/// the position is repeated on every path to it.
#[inline]
pub fn repetition_win_at(ply: usize, certain: bool) -> i32 {
    if certain { win_at(ply) } else { REPETITION_WIN_SCORE - ply as i32 }
}

/// Returns the score to report for this one: a proven score that is not confirmed becomes that of a
/// win by repetition, which is not proven.
pub fn reportable_score(score: i32, is_confirmed: bool) -> i32 {
    if is_confirmed || !is_proven(score) {
        return score;
    }
    repetition_win_at(plies_to_end(score) as usize, false) * score.signum()
}

/// Returns the winner's score of a position at this ply that tables know to be won, without the
/// number of plies.
#[inline]
pub fn known_win_at(ply: usize) -> i32 {
    KNOWN_WIN_SCORE - ply as i32
}

/// Returns whether this is the score of a position that tables know to be won or lost, without the
/// number of plies.
pub fn is_known_by_tables(score: i32) -> bool {
    (KNOWN_WIN_SCORE - MAX_PLY as i32..=KNOWN_WIN_SCORE).contains(&score.abs())
}

/// Estimates the score of a position for the side to move by its value under similar rules. A draw
/// gives no estimate, because most of these draws are not draws under the current rules.
#[inline]
pub fn score_from_similar_rules(value: TableValue) -> Option<i32> {
    let win = |plies: u32| ESTIMATED_WIN_SCORE - ESTIMATED_PLY * plies as i32;
    match value {
        TableValue::Win(plies) => Some(win(plies)),
        TableValue::Draw => None,
        TableValue::Loss(plies) => Some(-win(plies)),
    }
}

/// Returns whether the score is a proven win or loss.
#[inline]
pub fn is_proven(score: i32) -> bool {
    score.abs() >= MIN_PROVEN_SCORE
}

/// Returns the distance to mate of a proven score, in plies.
#[inline]
pub fn plies_to_end(score: i32) -> i32 {
    WIN_SCORE - score.abs()
}

/// Converts a score for the transposition table: the distance to mate is counted from the node at
/// `ply` instead of from the root.
#[inline]
pub fn to_table(score: i32, ply: usize) -> i32 {
    if is_proven(score) { score + score.signum() * ply as i32 } else { score }
}

/// Converts a score of the transposition table: the inverse of [`to_table`].
#[inline]
pub fn from_table(score: i32, ply: usize) -> i32 {
    if is_proven(score) { score - score.signum() * ply as i32 } else { score }
}

/// Returns the distance to mate of a proven score in moves of the side to move, negative if it
/// loses.
pub fn mate_in(score: i32) -> i32 {
    (plies_to_end(score) + 1) / 2 * score.signum()
}

/// Returns the score of a win in this many moves of the side to move, or of a loss if `moves` is
/// not positive.
pub fn mate_score(moves: i32) -> i32 {
    let moves = moves.clamp(-(MAX_PLY as i32), MAX_PLY as i32);
    if moves > 0 { WIN_SCORE + 1 - 2 * moves } else { -WIN_SCORE - 2 * moves }
}

/// Formats a score as in UCI: `cp 25`, or `mate 3` and `mate -3` in moves of the side to move.
pub fn to_uci_score(score: i32) -> String {
    if is_proven(score) { format!("mate {}", mate_in(score)) } else { format!("cp {score}") }
}

/// Returns the score of an outcome for a side. `win` is the score of a win.
pub fn outcome_score(outcome: Outcome, side: Side, win: i32) -> i32 {
    match outcome.winner() {
        Some(winner) if winner == side => win,
        Some(_) => -win,
        None => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_counted_in_moves_of_the_side_to_move() {
        assert_eq!(to_uci_score(win_at(1)), "mate 1");
        assert_eq!(to_uci_score(win_at(3)), "mate 2");
        assert_eq!(to_uci_score(-win_at(2)), "mate -1");
        assert_eq!(to_uci_score(-win_at(4)), "mate -2");
        assert_eq!(to_uci_score(-55), "cp -55");
        assert!((-90..=90).all(|moves| moves == 0 || mate_in(mate_score(moves)) == moves));
        assert_eq!(
            [mate_score(1), mate_score(-1), mate_score(0)],
            [win_at(1), -win_at(2), -win_at(0)]
        );
        assert!(is_proven(mate_score(i32::MAX)) && is_proven(mate_score(i32::MIN)));
        assert_eq!(to_uci_score(repetition_win_at(1, true)), "mate 1");
        assert_eq!(to_uci_score(repetition_win_at(3, false)), "cp 19997");
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
