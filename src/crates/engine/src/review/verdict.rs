//! Verdicts on moves: the chances of people, and the class of a move by the chance that it loses.

use pentarch_core::evaluation::HumanWinChanceCurve;
use pentarch_search::score;

use super::SidePositionValue;

/// The loss of winning chance below which a move is about as good as the best move.
pub const MAX_NEGLIGIBLE_CHANCE_LOSS: f64 = 0.05;
/// A move with at least this loss of the chance of winning is a mistake, marked `?`.
const MIN_MISTAKE_CHANCE_LOSS: f64 = 0.1;
/// A move with at least this loss is a blunder, marked `??`.
const MIN_BLUNDER_CHANCE_LOSS: f64 = 0.2;
/// A verdict is uncertain if the loss differs from a limit of a mark by less than this.
const BORDERLINE_CHANCE_LOSS_MARGIN: f64 = 0.03;

/// The class of a move, from the best to the worst.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum MoveQualityClass {
    /// The only move that does not lose much. The player has found it.
    OnlyMove,
    /// The best move.
    Best,
    /// A move about as good as the best one.
    Good,
    /// A move that is worse than the best one, but no mistake.
    Inaccuracy,
    /// A mistake.
    Mistake,
    /// A blunder.
    Blunder,
    /// A mistake or a blunder by which a proven win was missed.
    MissedWin,
}

impl MoveQualityClass {
    /// The words for the classes, in the order of the classes.
    pub const MOVE_CLASS_WORDS: [&'static str; 7] =
        ["only move", "best", "good", "inaccuracy", "mistake", "blunder", "missed win"];

    /// Returns the word for the class, one of [`MoveQualityClass::MOVE_CLASS_WORDS`].
    pub fn word(self) -> &'static str {
        MoveQualityClass::MOVE_CLASS_WORDS[self as usize]
    }
}

/// Returns the class of a loss of winning chance.
pub(super) fn move_class_of_chance_loss(lost: f64) -> MoveQualityClass {
    match lost {
        lost if lost >= MIN_BLUNDER_CHANCE_LOSS => MoveQualityClass::Blunder,
        lost if lost >= MIN_MISTAKE_CHANCE_LOSS => MoveQualityClass::Mistake,
        lost if lost >= MAX_NEGLIGIBLE_CHANCE_LOSS => MoveQualityClass::Inaccuracy,
        _ => MoveQualityClass::Good,
    }
}

/// Returns the mark of a move that loses this chance of winning; empty if the move is not a
/// mistake.
pub(super) fn mark_of_chance_loss(lost: f64) -> &'static str {
    match move_class_of_chance_loss(lost) {
        MoveQualityClass::Blunder => "??",
        MoveQualityClass::Mistake => "?",
        _ => "",
    }
}

/// Returns whether a loss is so near to the limit of a mark that a deeper search may change the
/// mark.
pub(super) fn is_borderline_chance_loss(lost: f64) -> bool {
    [MIN_MISTAKE_CHANCE_LOSS, MIN_BLUNDER_CHANCE_LOSS]
        .iter()
        .any(|limit| (lost - limit).abs() < BORDERLINE_CHANCE_LOSS_MARGIN)
}

/// Returns the greatest loss that gets a milder mark than this loss.
pub(super) fn milder_chance_loss(lost: f64) -> f64 {
    let limit = if lost >= MIN_BLUNDER_CHANCE_LOSS {
        MIN_BLUNDER_CHANCE_LOSS
    } else {
        MIN_MISTAKE_CHANCE_LOSS
    };
    // The loss is rounded to thousandths for people.
    lost.min(limit - 0.001)
}

/// Returns the chance that a person wins with this score. A draw counts half. The curve is
/// algebraic, so that it is the same on all machines. Its tails are longer than those of a logistic
/// curve: people make blunders even in positions that are nearly won.
pub fn human_win_chance(value: i32, curve: HumanWinChanceCurve) -> f64 {
    if score::is_proven_score(value) {
        let moves = f64::from(score::mate_distance_in_moves(value).unsigned_abs());
        let win_moves = f64::from(curve.win_moves);
        let ratio = (moves - 1.).max(0.) / win_moves;
        let half = 0.5 / (1. + ratio * ratio);
        return if value > 0 { 0.5 + half } else { 0.5 - half };
    }
    let ratio = f64::from(value) / f64::from(curve.scale);
    0.5 + 0.5 * ratio / (1. + ratio * ratio).sqrt()
}

impl SidePositionValue {
    /// Returns the chance that a person wins with this value; `None` if the value is unknown.
    pub(super) fn human_win_chance(self, curve: HumanWinChanceCurve) -> Option<f64> {
        match self {
            SidePositionValue::Over(half_points) => Some(f64::from(half_points) / 2.),
            SidePositionValue::Score(score) => score.map(|score| human_win_chance(score, curve)),
        }
    }

    /// Returns whether the value is a proven win.
    pub(super) fn is_proven_win(self) -> bool {
        match self {
            SidePositionValue::Over(half_points) => half_points == 2,
            SidePositionValue::Score(score) => {
                score.is_some_and(|score| score > 0 && score::is_proven_score(score))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_grow_with_the_score_and_with_nearer_wins() {
        let curve = HumanWinChanceCurve { scale: 100, win_moves: 9 };
        let mates = [1, 10, 40].map(|moves| human_win_chance(score::mate_score(moves), curve));
        let scores = [-300, 0, 75, 10_000].map(|value| human_win_chance(value, curve));
        assert_eq!((mates[0], mates[1], scores[1], scores[2]), (1., 0.75, 0.5, 0.8));
        assert!(mates[2] > 0.5 && scores[0] > 0. && scores[3] < 1.);
    }

    #[test]
    fn milder_losses_have_milder_marks() {
        for (lost, mark) in [(0.21, "?"), (0.5, "?"), (0.13, ""), (0.101, ""), (0.03, "")] {
            assert_eq!(mark_of_chance_loss(milder_chance_loss(lost)), mark, "{lost}");
        }
        assert!(
            is_borderline_chance_loss(0.08)
                && !is_borderline_chance_loss(0.3)
                && !is_borderline_chance_loss(0.02)
        );
    }
}
