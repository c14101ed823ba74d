//! The clock: how long to think, as a pure function of what is left.

use std::time::Duration;

/// What a clock shows for the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Clock {
    /// What is left for this move and the next ones.
    pub remaining: Duration,
    /// What each move adds.
    pub increment: Duration,
    /// Moves until more time comes, this one included; none if the rest of the game must do.
    pub moves_to_go: Option<u32>,
}

/// How long a search may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    /// After this, nothing new is begun where all is clear; where it is not, a few times this.
    pub soft: Duration,
    /// At this, the search ends wherever it is.
    pub hard: Duration,
}

/// How many more moves a game is expected to last at any time.
const EXPECTED_MOVES: u32 = 25;

/// With this or less left there is no time to lose: the answer comes at once.
const LAST_MOMENT: Duration = Duration::from_millis(5);

/// The budget of one move on a clock, `overhead` being lost on the way to the front end and back.
///
/// Neither limit is ever above what remains less the overhead; with nothing left both are zero.
pub fn for_clock(clock: Clock, overhead: Duration) -> Budget {
    let usable = clock.remaining.saturating_sub(overhead.max(LAST_MOMENT));
    let moves = clock.moves_to_go.unwrap_or(EXPECTED_MOVES).clamp(1, EXPECTED_MOVES);
    let share = usable / moves + clock.increment.saturating_mul(3) / 4;
    // With several moves to come, one of them never takes more than a fraction of what all of them have.
    let most = if moves == 1 { usable * 9 / 10 } else { usable * 2 / 5 };
    Budget { soft: (share * 9 / 20).min(most), hard: share.saturating_mul(3).min(most) }
}

/// The budget of a move that is to take this long, at least half of it whatever the overhead.
pub fn for_move(time: Duration, overhead: Duration) -> Budget {
    let usable = time.saturating_sub(overhead).max(time / 2);
    Budget { soft: usable, hard: usable }
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
                    let clock = Clock { remaining: ms(remaining), increment: ms(increment), moves_to_go };
                    let Budget { soft, hard } = for_clock(clock, ms(10));
                    assert!(soft <= hard && hard <= ms(remaining.saturating_sub(10)), "{clock:?}");
                }
            }
        }
    }

    #[test]
    fn budgets_are_sensible() {
        let clock = Clock { remaining: ms(60_010), increment: ms(0), moves_to_go: None };
        assert_eq!(for_clock(clock, ms(10)), Budget { soft: ms(1080), hard: ms(7200) });
        let last = Clock { moves_to_go: Some(1), ..clock };
        assert_eq!(for_clock(last, ms(10)).hard, ms(54_000));
        let moment = Clock { remaining: ms(5), increment: ms(1000), moves_to_go: Some(1) };
        assert_eq!(for_clock(moment, ms(0)), Budget { soft: ms(0), hard: ms(0) });
        assert_eq!(for_move(ms(100), ms(10)), Budget { soft: ms(90), hard: ms(90) });
        assert_eq!(for_move(ms(10), ms(10)), Budget { soft: ms(5), hard: ms(5) });
        assert_eq!(for_move(ms(0), ms(10)), Budget { soft: ms(0), hard: ms(0) });
    }
}
