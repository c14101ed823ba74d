//! The time that the engine takes for its moves at a terminal, so that people can follow them.

use std::str::FromStr;
use std::time::Duration;

use thiserror::Error;

/// The shortest time of the natural pace.
const MIN_NATURAL_PACE_MOVE_TIME: Duration = Duration::from_millis(300);
/// The longest time of the natural pace.
const MAX_NATURAL_PACE_MOVE_TIME: Duration = Duration::from_secs(2);
/// The time that a doubling of the legal moves adds to the natural pace, in milliseconds.
const MILLISECONDS_PER_DOUBLING: f64 = 170.;

/// The minimum time per move of the engine at a terminal.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub enum Pace {
    /// 0.3 to 2 seconds: the more legal moves there are, the longer.
    #[default]
    Natural,
    /// No time.
    Instant,
    /// The same time for each move.
    Fixed(Duration),
}

impl Pace {
    /// Returns the minimum time of a move in a position with this number of legal moves.
    pub fn move_time(self, legal_moves: usize) -> Duration {
        match self {
            Pace::Natural => {
                let doublings = (legal_moves.max(1) as f64).log2();
                let more = Duration::from_secs_f64(doublings * MILLISECONDS_PER_DOUBLING / 1000.);
                (MIN_NATURAL_PACE_MOVE_TIME + more).min(MAX_NATURAL_PACE_MOVE_TIME)
            }
            Pace::Instant => Duration::ZERO,
            Pace::Fixed(time) => time,
        }
    }
}

/// The error for a word that is not a pace.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("expected natural, instant, or a number of seconds from 0 to 3600")]
pub struct InvalidPace;

impl FromStr for Pace {
    type Err = InvalidPace;

    fn from_str(text: &str) -> Result<Pace, InvalidPace> {
        match text {
            "natural" => Ok(Pace::Natural),
            "instant" => Ok(Pace::Instant),
            _ => {
                let seconds = text.parse().ok().filter(|seconds| (0. ..=3600.).contains(seconds));
                Ok(Pace::Fixed(Duration::from_secs_f64(seconds.ok_or(InvalidPace)?)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn natural_pace_grows_with_the_legal_moves() {
        let times = [0, 1, 4, 131, 90_000].map(|count| Pace::Natural.move_time(count).as_millis());
        assert_eq!(times, [300, 300, 640, 1495, 2000]);
        assert_eq!("0.5".parse::<Pace>().unwrap().move_time(9), Duration::from_millis(500));
        assert_eq!("instant".parse::<Pace>().unwrap().move_time(9), Duration::ZERO);
        assert_eq!("-1".parse::<Pace>(), Err(InvalidPace));
    }
}
