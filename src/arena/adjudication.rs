//! Adjudication: ends games with a clear result before the rules end them.

use std::fmt;

use pentarch_core::Side;

/// The ending of a game in which both engines have seen the same side ahead for long enough.
pub const SCORE_ADJUDICATION_ENDING: &str = "adjudicated by score";

/// The ending of a game that was stopped because tables contain its result.
pub const TABLE_ADJUDICATION_ENDING: &str = "adjudicated by tables";

/// The conditions under which a game is adjudicated. By default no game is adjudicated.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct AdjudicationConditions {
    /// The lead in the engines' scores that decides a game; `None` if scores never decide a game.
    pub score: Option<ScoreAdjudicationThreshold>,
    /// Whether a game ends as soon as this program knows its result from tables or by other means
    /// without a search.
    pub by_tables: bool,
}

/// The condition on the scores of the engines that decides a game. Both engines must see the same
/// side ahead.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScoreAdjudicationThreshold {
    /// The minimum lead of the winner in centipawns.
    pub centipawns: i32,
    /// The number of consecutive plies in which the scores of both engines must show this lead.
    pub plies: u32,
}

/// Writes the conditions as part of a match's settings; writes nothing if no game is adjudicated.
impl fmt::Display for AdjudicationConditions {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if let Some(ScoreAdjudicationThreshold { centipawns, plies }) = self.score {
            write!(f, ", {SCORE_ADJUDICATION_ENDING} from {centipawns} cp on for {plies} plies")?;
        }
        if self.by_tables { write!(f, ", {TABLE_ADJUDICATION_ENDING}") } else { Ok(()) }
    }
}

/// The agreement of the two engines on which side is ahead.
#[derive(Debug, Default)]
pub struct ScoreAgreementTracker {
    /// The last score of each side in centipawns for the first side; `None` if the last move of the
    /// side came without a score.
    scores: [Option<i32>; 2],
    /// The side that both engines see ahead, and the number of plies for which they have agreed.
    ahead: Option<(Side, u32)>,
}

impl ScoreAgreementTracker {
    /// Adds the score that came with the move of `side`, in centipawns for this side. Returns the
    /// winner if both engines have seen the same side ahead by the threshold for long enough.
    pub fn add_engine_score(
        &mut self,
        side: Side,
        score: Option<i32>,
        threshold: ScoreAdjudicationThreshold,
    ) -> Option<Side> {
        let least = threshold.centipawns;
        self.scores[side.index()] =
            if side == Side::First { score } else { score.map(i32::saturating_neg) };
        let leader = match self.scores {
            [Some(a), Some(b)] if a.min(b) >= least => Some(Side::First),
            [Some(a), Some(b)] if a.max(b) <= -least => Some(Side::Second),
            _ => None,
        };
        let plies = match self.ahead {
            Some((side, plies)) if Some(side) == leader => plies + 1,
            _ => 1,
        };
        self.ahead = leader.map(|side| (side, plies));
        leader.filter(|_| plies >= threshold.plies)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pentarch_search::score;

    /// Adds these scores, which alternate between the sides. For each score, returns the side that
    /// both engines then see as the winner.
    fn winners(scores: &[Option<i32>], centipawns: i32, plies: u32) -> Vec<Option<Side>> {
        let threshold = ScoreAdjudicationThreshold { centipawns, plies };
        let mut agreement = ScoreAgreementTracker::default();
        let sides = Side::BOTH_SIDES.into_iter().cycle();
        scores
            .iter()
            .zip(sides)
            .map(|(&score, side)| agreement.add_engine_score(side, score, threshold))
            .collect()
    }

    #[test]
    fn both_engines_must_agree_for_all_plies() {
        let [first, second] = Side::BOTH_SIDES.map(Some);
        assert_eq!(
            winners(&[Some(300), Some(-300), Some(301), Some(-900)], 300, 3),
            [None, None, None, first]
        );
        assert_eq!(winners(&[Some(-300), Some(300), Some(-300)], 300, 2), [None, None, second]);
        // The count starts again if one engine sees a smaller lead, reports no score, or sees the
        // other side ahead.
        for breaking in [Some(-299), None, Some(300)] {
            let scores =
                [Some(300), Some(-300), Some(300), breaking, Some(300), Some(-300), Some(300)];
            assert_eq!(winners(&scores, 300, 3), [None; 7], "{breaking:?}");
        }
        assert_eq!(winners(&[Some(i32::MIN), Some(i32::MAX)], 300, 1), [None, second]);
    }

    #[test]
    fn mate_scores_exceed_every_threshold() {
        let scores = [Some(score::mate_score(200)), Some(score::mate_score(-200))];
        assert_eq!(winners(&scores, 30_000, 1), [None, Some(Side::First)]);
    }

    #[test]
    fn displays_the_conditions_in_use() {
        assert_eq!(AdjudicationConditions::default().to_string(), "");
        let score = Some(ScoreAdjudicationThreshold { centipawns: 500, plies: 4 });
        let both = AdjudicationConditions { score, by_tables: true };
        let expected = ", adjudicated by score from 500 cp on for 4 plies, adjudicated by tables";
        assert_eq!(both.to_string(), expected);
    }
}
