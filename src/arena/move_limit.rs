//! Limits the moves of an engine, and keeps the clocks of a game.

use std::fmt;
use std::time::Duration;

use pentarch_core::Side;

use super::engine_protocol::EngineProtocol;

/// The limit of each move of an engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MoveLimit {
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

impl fmt::Display for MoveLimit {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            MoveLimit::MoveTime(time) => write!(f, "movetime {}", time.as_millis()),
            MoveLimit::Clock { time, increment } => {
                write!(f, "time {}+{}", time.as_millis(), increment.as_millis())
            }
            MoveLimit::Nodes(nodes) => write!(f, "nodes {nodes}"),
            MoveLimit::Depth(depth) => write!(f, "depth {depth}"),
        }
    }
}

/// The limits and remaining times of both sides in one game. The first side comes first.
#[derive(Debug, Clone)]
pub struct MatchClocks {
    limits: [MoveLimit; 2],
    /// The time left on the clock of a side, or for its current move. The time is zero if the side
    /// has no time limit.
    remaining: [Duration; 2],
}

impl MatchClocks {
    /// Creates the clocks of a new game.
    pub fn new(limits: [MoveLimit; 2]) -> MatchClocks {
        let remaining = limits.map(|limit| match limit {
            MoveLimit::MoveTime(time) | MoveLimit::Clock { time, .. } => time,
            MoveLimit::Nodes(_) | MoveLimit::Depth(_) => Duration::ZERO,
        });
        MatchClocks { limits, remaining }
    }

    /// Returns the `go` command for the move of this side.
    pub fn go_command(&self, side: Side, protocol: EngineProtocol) -> String {
        match self.limits[side.index()] {
            MoveLimit::Clock { .. } => {
                let names = protocol.go_clock_argument_names();
                let clocks = Side::BOTH_SIDES.into_iter().filter_map(|side| {
                    match self.limits[side.index()] {
                        MoveLimit::Clock { increment, .. } => {
                            let (time, inc) = names[side.index()];
                            let left = self.remaining[side.index()].as_millis();
                            Some(format!(" {time} {left} {inc} {}", increment.as_millis()))
                        }
                        _ => None,
                    }
                });
                format!("go{}", clocks.collect::<String>())
            }
            MoveLimit::MoveTime(_) => {
                format!("go movetime {}", self.remaining[side.index()].as_millis())
            }
            limit => format!("go {limit}"),
        }
    }

    /// Returns the time that this side has for its move; `None` without a time limit.
    pub fn time_limit_of_move(&self, side: Side) -> Option<Duration> {
        match self.limits[side.index()] {
            MoveLimit::MoveTime(_) | MoveLimit::Clock { .. } => Some(self.remaining[side.index()]),
            MoveLimit::Nodes(_) | MoveLimit::Depth(_) => None,
        }
    }

    /// Subtracts the time that this side took for a reply.
    pub fn subtract_used_time(&mut self, side: Side, time: Duration) {
        let left = &mut self.remaining[side.index()];
        *left = left.saturating_sub(time);
    }

    /// Ends the move of this side: adds the increment to the side's clock, or resets the side's
    /// time for a move.
    pub fn update_clock_after_move(&mut self, side: Side) {
        let left = &mut self.remaining[side.index()];
        *left = match self.limits[side.index()] {
            MoveLimit::Clock { increment, .. } => left.saturating_add(increment),
            MoveLimit::MoveTime(time) => time,
            MoveLimit::Nodes(_) | MoveLimit::Depth(_) => *left,
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
    fn go_commands_have_the_remaining_times() {
        let limit = MoveLimit::Clock { time: ms(1000), increment: ms(100) };
        let mut clocks = MatchClocks::new([limit, limit]);
        assert_eq!(
            clocks.go_command(Side::First, EngineProtocol::Ugi),
            "go p1time 1000 p1inc 100 p2time 1000 p2inc 100"
        );
        clocks.subtract_used_time(Side::First, ms(100));
        clocks.subtract_used_time(Side::First, ms(200));
        clocks.subtract_used_time(Side::Second, ms(1005));
        assert_eq!(clocks.time_limit_of_move(Side::First), Some(ms(700)));
        Side::BOTH_SIDES.into_iter().for_each(|side| clocks.update_clock_after_move(side));
        assert_eq!(
            clocks.go_command(Side::Second, EngineProtocol::Uci),
            "go wtime 800 winc 100 btime 100 binc 100"
        );
        assert_eq!(
            (clocks.time_limit_of_move(Side::First), clocks.time_limit_of_move(Side::Second)),
            (Some(ms(800)), Some(ms(100)))
        );
    }

    #[test]
    fn sides_have_separate_limits() {
        let mut clocks = MatchClocks::new([
            MoveLimit::Nodes(5),
            MoveLimit::Clock { time: ms(9), increment: ms(0) },
        ]);
        assert_eq!(clocks.go_command(Side::First, EngineProtocol::Ugi), "go nodes 5");
        assert_eq!(clocks.go_command(Side::Second, EngineProtocol::Ugi), "go p2time 9 p2inc 0");
        clocks.subtract_used_time(Side::First, ms(50));
        assert_eq!(
            (clocks.time_limit_of_move(Side::First), clocks.time_limit_of_move(Side::Second)),
            (None, Some(ms(9)))
        );
        let mut clocks = MatchClocks::new([MoveLimit::Depth(3), MoveLimit::MoveTime(ms(7))]);
        clocks.subtract_used_time(Side::Second, ms(2));
        assert_eq!(clocks.go_command(Side::Second, EngineProtocol::Uci), "go movetime 5");
        clocks.update_clock_after_move(Side::Second);
        assert_eq!(clocks.go_command(Side::Second, EngineProtocol::Uci), "go movetime 7");
    }
}
