//! Scores: centipawns for the side to move. Proven wins and losses are at the ends of the scale, in
//! the order of their distance to mate.
//!
//! | score for the winner | meaning |
//! |---|---|
//! | 31,000, less 1 per ply | a proven win |
//! | 20,000, less 1 per ply | a win by repetition that may not occur on another path |
//! | 19,000, less 1 per ply | a win that tables know without the number of plies |
//! | 10,000, less 10 per ply | an estimated win |
//! | at most 9,999 | a static evaluation |

use pentarch_core::{Outcome, Side, TableValue};

/// A bound above every score.
pub const INFINITE_SCORE: i32 = 32_000;
/// The score of a game that is won at the root. The score of a win in `n` plies is less by `n`.
const WIN_SCORE: i32 = 31_000;
/// The maximum number of plies of a search.
pub const MAX_SEARCH_PLIES: usize = 200;
/// The minimum score of a proven win.
const MIN_PROVEN_SCORE: i32 = WIN_SCORE - 1_000;
/// The score of a win in 0 plies that is only estimated ([`score_from_similar_rules`]). The score
/// is more than any evaluation, but not proven.
const ESTIMATED_WIN_SCORE: i32 = 10_000;
/// The number of centipawns that each ply to an estimated win costs. Without this penalty, the
/// winner would have no reason to play towards the end of the game.
const ESTIMATED_PLY_PENALTY: i32 = 10;

/// The score of a win known from tables without the number of plies. The score is above any
/// evaluation, and below a win whose end the search sees.
const KNOWN_WIN_SCORE: i32 = 19_000;
/// The score of a win by repetition at the root, if the repeated position occurred within the
/// search. The score is more than any evaluation, but not proven, because another path to the same
/// position may not repeat this position.
const REPETITION_WIN_SCORE: i32 = 20_000;

/// Returns the winner's score of a game that is won at this ply.
#[inline]
pub fn win_score_at_ply(ply: usize) -> i32 {
    WIN_SCORE - ply as i32
}

/// Returns the winner's score of a game that ends by repetition at this ply. `certain` states
/// whether the position is repeated on every path to it.
#[inline]
pub fn repetition_win_score_at_ply(ply: usize, certain: bool) -> i32 {
    if certain { win_score_at_ply(ply) } else { REPETITION_WIN_SCORE - ply as i32 }
}

/// Returns the score to report for a score of the search. An unconfirmed proven score becomes the
/// score of a win or loss by repetition, which does not count as proven.
pub fn reportable_score(score: i32, is_confirmed: bool) -> i32 {
    if is_confirmed || !is_proven_score(score) {
        return score;
    }
    repetition_win_score_at_ply(plies_to_end(score) as usize, false) * score.signum()
}

/// Returns the winner's score at this ply if tables without distances to mate know the win.
#[inline]
pub fn known_win_score_at_ply(ply: usize) -> i32 {
    KNOWN_WIN_SCORE - ply as i32
}

/// Returns whether this is the score of a win or a loss that is known from tables without the
/// number of plies.
pub fn is_known_win_score(score: i32) -> bool {
    (KNOWN_WIN_SCORE - MAX_SEARCH_PLIES as i32..=KNOWN_WIN_SCORE).contains(&score.abs())
}

/// Returns an estimate of a position's score for the side to move. `value` is the exact value of
/// the same position under similar rules. A draw gives no estimate, because most draws under
/// similar rules are not draws under the current rules.
#[inline]
pub fn score_from_similar_rules(value: TableValue) -> Option<i32> {
    let win = |plies: u32| ESTIMATED_WIN_SCORE - ESTIMATED_PLY_PENALTY * plies as i32;
    match value {
        TableValue::Win(plies) => Some(win(plies)),
        TableValue::Draw => None,
        TableValue::Loss(plies) => Some(-win(plies)),
    }
}

/// Returns whether the score is a proven win or loss.
#[inline]
pub fn is_proven_score(score: i32) -> bool {
    score.abs() >= MIN_PROVEN_SCORE
}

/// Returns the distance to mate of a proven score, in plies.
#[inline]
pub fn plies_to_end(score: i32) -> i32 {
    WIN_SCORE - score.abs()
}

/// Converts a score for the transposition table. In the table, the distance to mate is counted from
/// the node at `ply`, not from the root.
#[inline]
pub fn score_to_transposition_table(score: i32, ply: usize) -> i32 {
    if is_proven_score(score) { score + score.signum() * ply as i32 } else { score }
}

/// Converts a score from the transposition table. This is the inverse of
/// [`score_to_transposition_table`].
#[inline]
pub fn score_from_transposition_table(score: i32, ply: usize) -> i32 {
    if is_proven_score(score) { score - score.signum() * ply as i32 } else { score }
}

/// Returns the distance to mate of a proven score in moves of the side to move. The distance is
/// negative if that side loses.
pub fn mate_distance_in_moves(score: i32) -> i32 {
    (plies_to_end(score) + 1) / 2 * score.signum()
}

/// Returns the score for the side to move if it wins with its `moves`-th move from now on. If
/// `moves` is 0 or negative, the side to move loses after `-moves` of its own moves.
pub fn mate_score(moves: i32) -> i32 {
    let moves = moves.clamp(-(MAX_SEARCH_PLIES as i32), MAX_SEARCH_PLIES as i32);
    if moves > 0 { WIN_SCORE + 1 - 2 * moves } else { -WIN_SCORE - 2 * moves }
}

/// Formats a score as in UCI: `cp 25`, or `mate 3` and `mate -3` in moves of the side to move.
pub fn format_uci_score(score: i32) -> String {
    if is_proven_score(score) {
        format!("mate {}", mate_distance_in_moves(score))
    } else {
        format!("cp {score}")
    }
}

/// Returns the score of an outcome for `side`. `win` is the score of a game that this side has won.
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
        assert_eq!(format_uci_score(win_score_at_ply(1)), "mate 1");
        assert_eq!(format_uci_score(win_score_at_ply(3)), "mate 2");
        assert_eq!(format_uci_score(-win_score_at_ply(2)), "mate -1");
        assert_eq!(format_uci_score(-win_score_at_ply(4)), "mate -2");
        assert_eq!(format_uci_score(-55), "cp -55");
        assert!(
            (-90..=90)
                .all(|moves| moves == 0 || mate_distance_in_moves(mate_score(moves)) == moves)
        );
        assert_eq!(
            [mate_score(1), mate_score(-1), mate_score(0)],
            [win_score_at_ply(1), -win_score_at_ply(2), -win_score_at_ply(0)]
        );
        assert!(is_proven_score(mate_score(i32::MAX)) && is_proven_score(mate_score(i32::MIN)));
        assert_eq!(format_uci_score(repetition_win_score_at_ply(1, true)), "mate 1");
        assert_eq!(format_uci_score(repetition_win_score_at_ply(3, false)), "cp 19997");
    }

    #[test]
    fn tables_keep_distances_from_the_node() {
        for score in [
            win_score_at_ply(7),
            -win_score_at_ply(12),
            0,
            25,
            -9999,
            repetition_win_score_at_ply(9, false),
        ] {
            assert_eq!(
                score_from_transposition_table(score_to_transposition_table(score, 5), 5),
                score
            );
        }
        assert_eq!(score_to_transposition_table(win_score_at_ply(7), 5), win_score_at_ply(2));
        assert_eq!(score_to_transposition_table(-win_score_at_ply(7), 5), -win_score_at_ply(2));
    }
}
