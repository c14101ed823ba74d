//! The clocks of a game at the terminal. Each player has one, which runs from the turn of the player to the move.

use std::str::FromStr;
use std::time::{Duration, Instant};

use pentarch_search::time_management::TimeControl;
use thiserror::Error;

/// The most minutes that a player can have.
const MAX_MINUTES: u16 = 1440;
/// The most seconds that a move can add.
const MAX_SECONDS: u16 = 3600;

/// What a player has at the beginning, and what each move adds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Times {
    time: Duration,
    increment: Duration,
}

/// The error of a text that is not a number of minutes, with or without one of seconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("minutes up to {MAX_MINUTES} and seconds up to {MAX_SECONDS} expected, such as 5+3")]
pub struct InvalidTimes;

/// An error of clocks that do not fit the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum ClockError {
    /// By the rules nobody can lose by time.
    #[error("by these rules nobody can lose by time")]
    NoTimeLimit,
    /// The number of times is neither one nor that of the players.
    #[error("one time or one for each of {players} players expected, not {found}")]
    Count {
        /// The number of players.
        players: usize,
        /// The number of times.
        found: usize,
    },
}

impl FromStr for Times {
    type Err = InvalidTimes;

    /// Reads `5+3`: minutes, and seconds for each move. Both may be fractions, and the seconds may be left out.
    fn from_str(text: &str) -> Result<Times, InvalidTimes> {
        let (minutes, seconds) = text.split_once('+').unwrap_or((text, "0"));
        let number = |text: &str, most: u16| {
            text.parse().ok().filter(|number| (0. ..=f64::from(most)).contains(number))
        };
        let times = number(minutes, MAX_MINUTES)
            .filter(|&minutes: &f64| minutes > 0.)
            .zip(number(seconds, MAX_SECONDS));
        let (minutes, seconds) = times.ok_or(InvalidTimes)?;
        Ok(Times {
            time: Duration::from_secs_f64(60. * minutes),
            increment: Duration::from_secs_f64(seconds),
        })
    }
}

/// The clocks of all players.
#[derive(Debug, Clone)]
pub struct Clocks {
    times: Vec<Times>,
    left: Vec<Duration>,
    /// The player whose clock runs, and since when.
    running: Option<(usize, Instant)>,
    /// For each move, who has made it, and the time that was left then.
    moves: Vec<(usize, Duration)>,
}

impl Clocks {
    /// Clocks with these times, one for each of so many players, or the same for all.
    ///
    /// # Errors
    /// If there are as many as neither.
    pub fn new(times: &[Times], players: usize) -> Result<Clocks, ClockError> {
        let times = match times {
            [times] => vec![*times; players],
            times if times.len() == players => times.to_vec(),
            times => return Err(ClockError::Count { players, found: times.len() }),
        };
        Ok(Clocks {
            left: times.iter().map(|times| times.time).collect(),
            times,
            running: None,
            moves: Vec::new(),
        })
    }

    /// Has all players begin again.
    pub fn reset(&mut self) {
        (self.left, self.running) = (self.times.iter().map(|times| times.time).collect(), None);
        self.moves.clear();
    }

    /// Has the clock of this player run, and no other one; none runs without a player.
    pub fn run(&mut self, player: Option<usize>) {
        if self.running.map(|(running, _)| running) != player {
            if let Some((running, _)) = self.running {
                self.left[running] = self.left(running);
            }
            self.running = player.map(|player| (player, Instant::now()));
        }
    }

    /// Takes in that this player has made a move.
    pub fn moved(&mut self, player: usize) {
        self.run(None);
        self.moves.push((player, self.left[player]));
        self.left[player] += self.times[player].increment;
    }

    /// The milliseconds that a player has left.
    pub fn milliseconds(&self, player: usize) -> u64 {
        u64::try_from(self.left(player).as_millis()).unwrap_or(u64::MAX)
    }

    /// Takes in that so many moves were taken back: whoever made one has the time that was left when it was made.
    pub fn taken_back(&mut self, moves: usize) {
        self.run(None);
        for (player, left) in self.moves.drain(self.moves.len().saturating_sub(moves)..).rev() {
            self.left[player] = left;
        }
    }

    /// The time that a player has left.
    pub fn left(&self, player: usize) -> Duration {
        let run = self
            .running
            .filter(|&(running, _)| running == player)
            .map(|(_, since)| since.elapsed());
        self.left[player].saturating_sub(run.unwrap_or_default())
    }

    /// The player whose clock runs and has nothing left.
    pub fn fallen(&self) -> Option<usize> {
        self.running.map(|(player, _)| player).filter(|&player| self.left(player).is_zero())
    }

    /// The clocks as a search takes them.
    pub fn time_control(&self) -> TimeControl {
        let mut control = TimeControl::default();
        let milliseconds =
            |time: Duration| Some(i64::try_from(time.as_millis()).unwrap_or(i64::MAX));
        for (player, times) in self.times.iter().enumerate().take(control.time.len()) {
            control.time[player] = milliseconds(self.left(player));
            control.increment[player] = milliseconds(times.increment);
        }
        control
    }

    /// The time that a player has left, as clocks show it, in seconds that have begun: `4:58`.
    pub fn text(&self, player: usize) -> String {
        let seconds = self.left(player).as_millis().div_ceil(1000);
        format!("{}:{:02}", seconds / 60, seconds % 60)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read() {
        let seconds = |time, increment| {
            Ok(Times { time: Duration::from_secs(time), increment: Duration::from_secs(increment) })
        };
        let all = [("5+3", seconds(300, 3)), ("90", seconds(5400, 0)), ("0.5+0", seconds(30, 0))];
        all.into_iter().for_each(|(text, times)| assert_eq!(text.parse(), times, "{text}"));
        for text in ["", "0+3", "-1", "5+", "5+x", "1e9", "5+3+1", "nan"] {
            assert!(text.parse::<Times>().is_err(), "{text}");
        }
    }

    #[test]
    fn only_the_clock_of_the_player_to_move_runs() {
        let times = Times { time: Duration::from_secs(60), increment: Duration::from_secs(3) };
        let seconds = Duration::from_secs;
        let mut clocks = Clocks::new(&[times], 2).unwrap();
        clocks.left[0] = seconds(40);
        clocks.run(Some(0));
        assert!(clocks.left(0) <= seconds(40) && clocks.text(1) == "1:00");
        // However long that took.
        (clocks.left[0], clocks.running) = (seconds(40), None);
        clocks.moved(0);
        assert_eq!((clocks.left(0), clocks.fallen()), (seconds(43), None));
        clocks.moved(1);
        clocks.taken_back(2);
        assert_eq!(
            [0, 1].map(|player| clocks.left(player)),
            [40, 60].map(seconds),
            "no increment is left"
        );
        clocks.left[1] = Duration::ZERO;
        assert_eq!(clocks.fallen(), None);
        clocks.run(Some(1));
        assert_eq!((clocks.fallen(), clocks.text(1).as_str()), (Some(1), "0:00"));
        clocks.run(None);
        assert_eq!(clocks.fallen(), None);
        clocks.reset();
        assert_eq!([0, 1].map(|player| clocks.text(player)), ["1:00", "1:00"]);
        assert!(Clocks::new(&[times; 2], 4).is_err() && Clocks::new(&[times; 4], 4).is_ok());
    }
}
