//! Games that end before the rules end them, because their result is clear.

use std::fmt;

use pentarch_core::Side;

/// The end of a game that both engines have judged alike for long enough.
pub const BY_SCORE: &str = "adjudicated by score";

/// The end of a game whose result tables know.
pub const BY_TABLES: &str = "adjudicated by tables";

/// When a game is adjudicated. By default none is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Adjudication {
    /// A side has won if both engines say so, by so many centipawns at least, for so many plies in a row.
    pub score: Option<(i32, u32)>,
    /// A game ends as soon as this program knows its result by tables, or without a search.
    pub by_tables: bool,
}

/// The part of the conditions of a match that tells when games are adjudicated; empty if none is.
impl fmt::Display for Adjudication {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if let Some((centipawns, plies)) = self.score {
            write!(f, ", {BY_SCORE} from {centipawns} cp on for {plies} plies")?;
        }
        if self.by_tables { write!(f, ", {BY_TABLES}") } else { Ok(()) }
    }
}

/// What the engines have said of a game so far.
#[derive(Debug, Default)]
pub struct Judgement {
    /// The last score of each side in centipawns for the first side; none if it gave none with its last move.
    scores: [Option<i32>; 2],
    /// The side that both see ahead, and for how many plies they have done so.
    ahead: Option<(Side, u32)>,
}

impl Judgement {
    /// Takes in the score that came with the move of this side, in centipawns for this side. Returns the winner if both
    /// engines have seen the same side ahead for long enough: by `least` centipawns at least, for `plies` plies.
    pub fn add(
        &mut self,
        side: Side,
        score: Option<i32>,
        (least, plies): (i32, u32),
    ) -> Option<Side> {
        self.scores[side.index()] =
            if side == Side::First { score } else { score.map(i32::saturating_neg) };
        let seen = match self.scores {
            [Some(a), Some(b)] if a.min(b) >= least => Some(Side::First),
            [Some(a), Some(b)] if a.max(b) <= -least => Some(Side::Second),
            _ => None,
        };
        let before =
            self.ahead.filter(|(ahead, _)| Some(*ahead) == seen).map_or(0, |(_, plies)| plies);
        self.ahead = seen.map(|side| (side, before + 1));
        self.ahead.filter(|&(_, so_far)| so_far >= plies).map(|(side, _)| side)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pentarch_search::score;

    /// The winner after each of these scores, which come with the moves of the sides in turn.
    fn winners(scores: &[Option<i32>], limit: (i32, u32)) -> Vec<Option<Side>> {
        let mut judgement = Judgement::default();
        let sides = Side::BOTH.into_iter().cycle();
        scores.iter().zip(sides).map(|(&score, side)| judgement.add(side, score, limit)).collect()
    }

    #[test]
    fn both_engines_must_agree_for_all_plies() {
        let [first, second] = Side::BOTH.map(Some);
        assert_eq!(
            winners(&[Some(300), Some(-300), Some(301), Some(-900)], (300, 3)),
            [None, None, None, first]
        );
        assert_eq!(winners(&[Some(-300), Some(300), Some(-300)], (300, 2)), [None, None, second]);
        // One of them sees less, says nothing, or sees the other side ahead: the count begins anew.
        for breaking in [Some(-299), None, Some(300)] {
            let scores =
                [Some(300), Some(-300), Some(300), breaking, Some(300), Some(-300), Some(300)];
            assert_eq!(winners(&scores, (300, 3)), [None; 7], "{breaking:?}");
        }
        assert_eq!(winners(&[Some(i32::MIN), Some(i32::MAX)], (300, 1)), [None, second]);
    }

    #[test]
    fn a_mate_is_beyond_any_score() {
        let scores = [Some(score::mate_score(200)), Some(score::mate_score(-200))];
        assert_eq!(winners(&scores, (30_000, 1)), [None, Some(Side::First)]);
    }

    #[test]
    fn what_is_asked_for_is_told() {
        assert_eq!(Adjudication::default().to_string(), "");
        let both = Adjudication { score: Some((500, 4)), by_tables: true };
        let told = ", adjudicated by score from 500 cp on for 4 plies, adjudicated by tables";
        assert_eq!(both.to_string(), told);
    }
}
