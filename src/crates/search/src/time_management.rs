//! Time management: the time for a move, as a pure function of the clocks.

use std::time::Duration;

/// The maximum number of players with a clock.
pub const MAX_PLAYER_CLOCKS: usize = 4;

/// The time control for a move, as the front end sends it. All times are milliseconds; times below
/// zero count as zero.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct MoveTimeLimits {
    /// The time for this move.
    pub movetime: Option<i64>,
    /// The time left on the clocks, the first player's first.
    pub time: [Option<i64>; MAX_PLAYER_CLOCKS],
    /// The time that each move adds to the clocks, the first player's first.
    pub increment: [Option<i64>; MAX_PLAYER_CLOCKS],
    /// The number of moves to the next time control, including this one.
    pub moves_to_go: Option<u32>,
    /// Whether a clock that shows 0 or less is ignored. This is the case if the search has another
    /// limit.
    pub ignores_zero: bool,
}

impl MoveTimeLimits {
    /// Returns whether the time for the move, a clock or an increment is above 0.
    pub(crate) fn has_time_above_zero(&self, players: usize) -> bool {
        let clocks = self.time.into_iter().take(players);
        let clocks = clocks.chain(self.increment.into_iter().take(players));
        clocks.chain([self.movetime]).flatten().any(|time| time > 0)
    }

    /// Returns the budget for a move of the player with index `player`; `None` if nothing limits
    /// its time. `players` is the number of players. `overhead` is the time lost on the way to the
    /// front end and back.
    pub fn move_time_budget(
        &self,
        player: usize,
        players: usize,
        overhead: Duration,
    ) -> Option<TimeBudget> {
        let milliseconds = |time: i64| Duration::from_millis(u64::try_from(time).unwrap_or(0));
        // If the front end sends only one clock, this clock applies to all players.
        let own = |times: [Option<i64>; MAX_PLAYER_CLOCKS]| {
            times
                .get(player)
                .copied()
                .flatten()
                .or_else(|| times.into_iter().take(players).flatten().next())
        };
        let has_clock = own(self.time).is_some() || own(self.increment).is_some();
        let remaining = milliseconds(own(self.time).unwrap_or(0));
        let increment = milliseconds(own(self.increment).unwrap_or(0));
        let is_limit = has_clock && !(self.ignores_zero && remaining.is_zero());
        let on_clock =
            is_limit.then(|| budget_for_clock(remaining, increment, self.moves_to_go, overhead));
        let on_move = self.movetime.map(|time| budget_for_move(milliseconds(time), overhead));
        match (on_clock, on_move) {
            (Some(a), Some(b)) => {
                Some(TimeBudget { soft: a.soft.min(b.soft), hard: a.hard.min(b.hard) })
            }
            (a, b) => a.or(b),
        }
    }
}

/// The time limits of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimeBudget {
    /// The time after which no new iteration begins. The limit is extended, at most threefold, if
    /// the best move changes or its score falls. [`Duration::MAX`] for an analysis, which uses all
    /// of its time.
    pub soft: Duration,
    /// The time at which the search ends, even within an iteration.
    pub hard: Duration,
}

const EXPECTED_MOVES_LEFT: u32 = 25;

/// With this time or less left, the engine moves at once.
const MAX_TIME_LEFT_FOR_IMMEDIATE_MOVE: Duration = Duration::from_millis(5);

/// Returns the budget of one move. The clock shows `remaining`, and each move adds `increment` to
/// it. `moves_to_go` is the number of moves to the next time control, including this one; `None` if
/// the time is for the rest of the game. `overhead` is the time lost on the way to the front end
/// and back.
///
/// Neither limit ever exceeds the remaining time minus the overhead. With no time left, both limits
/// are zero.
pub fn budget_for_clock(
    remaining: Duration,
    increment: Duration,
    moves_to_go: Option<u32>,
    overhead: Duration,
) -> TimeBudget {
    let usable = remaining.saturating_sub(overhead.max(MAX_TIME_LEFT_FOR_IMMEDIATE_MOVE));
    let moves = moves_to_go.unwrap_or(EXPECTED_MOVES_LEFT).clamp(1, EXPECTED_MOVES_LEFT);
    let share = usable / moves + increment.saturating_mul(3) / 4;
    // If further moves must be made in the remaining time, one move may take only a fraction of it.
    let most = if moves == 1 { usable * 9 / 10 } else { usable * 2 / 5 };
    TimeBudget { soft: (share * 9 / 20).min(most), hard: share.saturating_mul(3).min(most) }
}

/// Returns the budget for a move that has a separate time limit. The budget is this limit minus the
/// overhead, but at least half of the limit.
pub fn budget_for_move(time: Duration, overhead: Duration) -> TimeBudget {
    let usable = time.saturating_sub(overhead).max(time / 2);
    TimeBudget { soft: usable, hard: usable }
}

/// Returns the budget of an analysis, which saves no time for other moves.
pub fn budget_for_analysis(time: Duration) -> TimeBudget {
    TimeBudget { soft: Duration::MAX, hard: time }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    #[test]
    fn no_budget_exceeds_what_is_left() {
        for remaining in [0, 1, 5, 10, 11, 50, 1000, 60_000, u64::MAX / 1000] {
            for increment in [0, 10, 1000, u64::MAX / 1000] {
                for moves_to_go in [None, Some(0), Some(1), Some(2), Some(40), Some(u32::MAX)] {
                    let TimeBudget { soft, hard } =
                        budget_for_clock(ms(remaining), ms(increment), moves_to_go, ms(10));
                    let is_nesting_at_most =
                        soft <= hard && hard <= ms(remaining.saturating_sub(10));
                    assert!(is_nesting_at_most, "{remaining} {increment} {moves_to_go:?}");
                }
            }
        }
    }

    #[test]
    fn budgets_are_sensible() {
        assert_eq!(
            budget_for_clock(ms(60_010), ms(0), None, ms(10)),
            TimeBudget { soft: ms(1080), hard: ms(7200) }
        );
        assert_eq!(budget_for_clock(ms(60_010), ms(0), Some(1), ms(10)).hard, ms(54_000));
        assert_eq!(
            budget_for_clock(ms(5), ms(1000), Some(1), ms(0)),
            TimeBudget { soft: ms(0), hard: ms(0) }
        );
        assert_eq!(budget_for_move(ms(100), ms(10)), TimeBudget { soft: ms(90), hard: ms(90) });
        assert_eq!(budget_for_move(ms(10), ms(10)), TimeBudget { soft: ms(5), hard: ms(5) });
        assert_eq!(budget_for_move(ms(0), ms(10)), TimeBudget { soft: ms(0), hard: ms(0) });
    }
}
