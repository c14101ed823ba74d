//! Time management: the time for a move, as a pure function of the clocks.

use std::time::Duration;

/// The maximum number of players with a clock.
pub const MAX_PLAYER_CLOCKS: usize = 4;

/// The player whose clock runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlayerOnClock {
    /// The index of the player, in the order of turns.
    pub index: usize,
    /// The number of players.
    pub player_count: usize,
    /// The number of moves, including this one, that the player should
    /// [expect](pentarch_core::Evaluate::expected_moves_left) to make until the game is decided.
    pub expected_moves: u32,
}

/// The time control for a move, as the front end sends it. All times are milliseconds; times below
/// zero count as zero.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct MoveTimeControl {
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

impl MoveTimeControl {
    /// Returns whether the time for the move, a clock or an increment is above 0.
    pub(crate) fn has_time_above_zero(&self, players: usize) -> bool {
        let clocks = self.time.into_iter().take(players);
        let clocks = clocks.chain(self.increment.into_iter().take(players));
        clocks.chain([self.movetime]).flatten().any(|time| time > 0)
    }

    /// Returns the budget for a move of `player`; `None` if nothing limits the time of the move.
    /// `overhead` is the time lost in communication with the front end.
    pub fn move_time_budget(
        &self,
        player: PlayerOnClock,
        overhead: Duration,
    ) -> Option<TimeBudget> {
        let milliseconds = |time: i64| Duration::from_millis(u64::try_from(time).unwrap_or(0));
        // If the front end sends only one clock, this clock applies to all players.
        let own = |times: [Option<i64>; MAX_PLAYER_CLOCKS]| {
            times
                .get(player.index)
                .copied()
                .flatten()
                .or_else(|| times.into_iter().take(player.player_count).flatten().next())
        };
        let has_clock = own(self.time).is_some() || own(self.increment).is_some();
        let remaining = milliseconds(own(self.time).unwrap_or(0));
        let increment = milliseconds(own(self.increment).unwrap_or(0));
        let is_limit = has_clock && !(self.ignores_zero && remaining.is_zero());
        let moves = self.moves_to_go.unwrap_or(u32::MAX).min(player.expected_moves).max(1);
        let on_clock = is_limit.then(|| budget_for_clock(remaining, increment, moves, overhead));
        let fixed = self.movetime.map(|time| budget_for_movetime(milliseconds(time), overhead));
        match (on_clock, fixed) {
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
    /// The time after which no new iteration begins. After each iteration, this limit is adapted:
    /// it is longer while the best move is uncertain, and shorter once the search spends nearly all
    /// of its nodes on the best move. [`Duration::MAX`] for an analysis, which uses all of its
    /// time.
    pub soft: Duration,
    /// The time at which the search ends, even within an iteration.
    pub hard: Duration,
}

/// The shortest soft limit after an iteration, in per cent of the original limit.
pub(crate) const MIN_SOFT_LIMIT_PER_CENT: u32 = 60;

/// With this time or less left, the engine moves at once.
const MAX_TIME_LEFT_FOR_IMMEDIATE_MOVE: Duration = Duration::from_millis(5);

/// Returns the budget of one move. The clock shows `remaining`, and each move adds `increment` to
/// this time. `moves` is the number of moves, including this one, that must share this time: at
/// least 1. `overhead` is the time that each move loses in communication with the front end.
///
/// Neither limit ever exceeds the remaining time minus the overhead. With no time left, both limits
/// are zero.
pub fn budget_for_clock(
    remaining: Duration,
    increment: Duration,
    moves: u32,
    overhead: Duration,
) -> TimeBudget {
    let usable = remaining.saturating_sub(overhead.max(MAX_TIME_LEFT_FOR_IMMEDIATE_MOVE));
    let later_moves = moves - 1;
    let later_increments = increment.saturating_mul(later_moves);
    let later_overhead = overhead.saturating_mul(later_moves);
    // Without an increment, the overhead of the later moves can exceed the time that is left. Even
    // then a move gets a part of the time that is left.
    let shared_time = usable.saturating_add(later_increments).saturating_sub(later_overhead);
    let share = shared_time.max(usable / 4) / moves;
    // If further moves must be made in the remaining time, one move may take only a fraction of it.
    let most = if moves == 1 { usable * 9 / 10 } else { usable * 2 / 5 };
    TimeBudget {
        // The last iteration usually ends after the soft limit, so this limit is lower than the
        // move's share of the time.
        soft: (share * 2 / 3).min(most),
        hard: share.saturating_mul(5).min(most),
    }
}

/// Returns the budget for a move with a fixed time, as in `go movetime`. The budget is this time
/// minus the overhead, but at least half of the time. Time that the search does not use would be
/// lost. So the soft limit is too late to end the search, even when it is
/// [shortened](TimeBudget::soft).
pub fn budget_for_movetime(time: Duration, overhead: Duration) -> TimeBudget {
    let usable = time.saturating_sub(overhead).max(time / 2);
    TimeBudget { soft: 2 * usable, hard: usable }
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
                for moves in [1, 2, 40, u32::MAX] {
                    let TimeBudget { soft, hard } =
                        budget_for_clock(ms(remaining), ms(increment), moves, ms(10));
                    let is_nesting_at_most =
                        soft <= hard && hard <= ms(remaining.saturating_sub(10));
                    assert!(is_nesting_at_most, "{remaining} {increment} {moves}");
                }
            }
        }
    }

    #[test]
    fn moves_get_equal_shares_of_the_time_and_the_later_increments() {
        let soft_and_hard = |remaining, increment, moves| {
            let TimeBudget { soft, hard } =
                budget_for_clock(ms(remaining), ms(increment), moves, ms(10));
            [soft.as_millis(), hard.as_millis()]
        };
        assert_eq!(soft_and_hard(60_300, 0, 30), [1333, 10_000], "overhead of 29 later moves");
        assert_eq!(soft_and_hard(60_300, 300, 30), [1526, 11_450], "increments of 29 later moves");
        assert_eq!(soft_and_hard(1010, 0, 1), [666, 900], "the last move before the time control");
        assert_eq!(soft_and_hard(1010, 0, 2), [330, 400], "one more move");
        assert_eq!(soft_and_hard(210, 0, 50), [0, 5], "less time than overhead");
        assert_eq!(soft_and_hard(5, 1000, 1), [0, 0], "no time to think");
    }

    #[test]
    fn the_time_control_limits_the_number_of_moves_that_share_the_time() {
        let player = PlayerOnClock { index: 1, player_count: 2, expected_moves: 20 };
        let budget = |moves_to_go| {
            let time = [None, Some(60_000), None, None];
            let limits = MoveTimeControl { time, moves_to_go, ..MoveTimeControl::default() };
            limits.move_time_budget(player, ms(10))
        };
        let with_moves = |moves| Some(budget_for_clock(ms(60_000), ms(0), moves, ms(10)));
        assert_eq!(budget(None), with_moves(20));
        assert_eq!(budget(Some(5)), with_moves(5));
        assert_eq!(budget(Some(40)), with_moves(20));
        assert_eq!(budget(Some(0)), with_moves(1));
    }

    #[test]
    fn a_separate_time_limit_is_used_up() {
        for (time, usable) in [(100, 90), (10, 5), (0, 0)] {
            let TimeBudget { soft, hard } = budget_for_movetime(ms(time), ms(10));
            assert_eq!(hard, ms(usable));
            assert!(soft * MIN_SOFT_LIMIT_PER_CENT / 100 >= hard);
        }
    }
}
