//! How long an engine may think about a move, and the clocks of a game.

use std::fmt;
use std::time::Duration;

use pentarch_core::Side;

use super::dialect::Dialect;

/// What limits each move of an engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    /// The time for each move.
    MoveTime(Duration),
    /// A clock for the whole game.
    Clock {
        /// The time on the clock when the game begins.
        time: Duration,
        /// The time that is added after each move.
        increment: Duration,
    },
    /// The number of nodes for each move.
    Nodes(u64),
    /// The depth in plies for each move.
    Depth(u32),
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Limit::MoveTime(time) => write!(f, "movetime {}", time.as_millis()),
            Limit::Clock { time, increment } => {
                write!(f, "time {}+{}", time.as_millis(), increment.as_millis())
            }
            Limit::Nodes(nodes) => write!(f, "nodes {nodes}"),
            Limit::Depth(depth) => write!(f, "depth {depth}"),
        }
    }
}

/// The limits of both sides in one game, the first side's first, and the time that they have left.
#[derive(Debug, Clone)]
pub struct Clocks {
    limits: [Limit; 2],
    /// The time left on the clock of a side, or for its move; zero if its time is not limited.
    left: [Duration; 2],
}

impl Clocks {
    /// The clocks when a game begins.
    pub fn new(limits: [Limit; 2]) -> Clocks {
        let shown = |limit| match limit {
            Limit::MoveTime(time) | Limit::Clock { time, .. } => time,
            Limit::Nodes(_) | Limit::Depth(_) => Duration::ZERO,
        };
        Clocks { limits, left: limits.map(shown) }
    }

    /// The `go` command for the move of this side.
    pub fn go(&self, side: Side, dialect: Dialect) -> String {
        match self.limits[side.index()] {
            Limit::Clock { .. } => {
                let names = dialect.clock_names();
                let clocks =
                    Side::BOTH.into_iter().filter_map(|side| match self.limits[side.index()] {
                        Limit::Clock { increment, .. } => {
                            let (time, inc) = names[side.index()];
                            let left = self.left[side.index()].as_millis();
                            Some(format!(" {time} {left} {inc} {}", increment.as_millis()))
                        }
                        _ => None,
                    });
                format!("go{}", clocks.collect::<String>())
            }
            Limit::MoveTime(_) => format!("go movetime {}", self.left[side.index()].as_millis()),
            limit => format!("go {limit}"),
        }
    }

    /// The time that this side has for its move; `None` if its time is not limited.
    pub fn allowed(&self, side: Side) -> Option<Duration> {
        match self.limits[side.index()] {
            Limit::MoveTime(_) | Limit::Clock { .. } => Some(self.left[side.index()]),
            Limit::Nodes(_) | Limit::Depth(_) => None,
        }
    }

    /// Subtracts the time that this side took for an answer.
    pub fn spend(&mut self, side: Side, time: Duration) {
        let left = &mut self.left[side.index()];
        *left = left.saturating_sub(time);
    }

    /// Ends the move of this side: adds the increment to its clock, or gives it the time for another move.
    pub fn end_move(&mut self, side: Side) {
        let left = &mut self.left[side.index()];
        *left = match self.limits[side.index()] {
            Limit::Clock { increment, .. } => left.saturating_add(increment),
            Limit::MoveTime(time) => time,
            Limit::Nodes(_) | Limit::Depth(_) => *left,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    #[test]
    fn clocks_run_and_are_told() {
        let limit = Limit::Clock { time: ms(1000), increment: ms(100) };
        let mut clocks = Clocks::new([limit, limit]);
        assert_eq!(
            clocks.go(Side::First, Dialect::Ugi),
            "go p1time 1000 p1inc 100 p2time 1000 p2inc 100"
        );
        clocks.spend(Side::First, ms(100));
        clocks.spend(Side::First, ms(200));
        clocks.spend(Side::Second, ms(1005));
        assert_eq!(clocks.allowed(Side::First), Some(ms(700)));
        Side::BOTH.into_iter().for_each(|side| clocks.end_move(side));
        assert_eq!(
            clocks.go(Side::Second, Dialect::Uci),
            "go wtime 800 winc 100 btime 100 binc 100"
        );
        assert_eq!(
            (clocks.allowed(Side::First), clocks.allowed(Side::Second)),
            (Some(ms(800)), Some(ms(100)))
        );
    }

    #[test]
    fn sides_may_have_limits_of_their_own() {
        let mut clocks =
            Clocks::new([Limit::Nodes(5), Limit::Clock { time: ms(9), increment: ms(0) }]);
        assert_eq!(clocks.go(Side::First, Dialect::Ugi), "go nodes 5");
        assert_eq!(clocks.go(Side::Second, Dialect::Ugi), "go p2time 9 p2inc 0");
        clocks.spend(Side::First, ms(50));
        assert_eq!(
            (clocks.allowed(Side::First), clocks.allowed(Side::Second)),
            (None, Some(ms(9)))
        );
        let mut clocks = Clocks::new([Limit::Depth(3), Limit::MoveTime(ms(7))]);
        clocks.spend(Side::Second, ms(2));
        assert_eq!(clocks.go(Side::Second, Dialect::Uci), "go movetime 5");
        clocks.end_move(Side::Second);
        assert_eq!(clocks.go(Side::Second, Dialect::Uci), "go movetime 7");
    }
}
