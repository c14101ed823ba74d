//! Runs the clocks of a game at the terminal: the clock of the player to move runs.

use std::str::FromStr;
use std::time::{Duration, Instant};

use pentarch_search::time_management::MoveTimeControl;
use thiserror::Error;

/// Maximum time of a player, in minutes.
const MAX_CLOCK_MINUTES: u16 = 1440;
/// Maximum increment, in seconds.
const MAX_INCREMENT_SECONDS: u16 = 3600;

/// The initial time of a player, and the increment after each move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClockSetting {
    time: Duration,
    increment: Duration,
}

/// The error for a string that is not a clock setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error(
    "expected minutes up to {MAX_CLOCK_MINUTES} and seconds up to {MAX_INCREMENT_SECONDS}, such as 5+3"
)]
pub struct InvalidClockSetting;

/// The reason why clock settings do not fit the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum ClockError {
    /// The rules have no loss on time.
    #[error("these rules have no loss on time")]
    NoTimeLimit,
    /// The number of settings is neither one nor the number of players.
    #[error("expected one time, or one for each of {players} players, not {found}")]
    Count {
        /// The number of players of the game.
        players: usize,
        /// The number of given settings.
        found: usize,
    },
}

impl FromStr for ClockSetting {
    type Err = InvalidClockSetting;

    /// Parses a setting such as `5+3`: minutes, and seconds per move. The minutes and the seconds
    /// may be fractions. The seconds are optional.
    fn from_str(text: &str) -> Result<ClockSetting, InvalidClockSetting> {
        let (minutes, seconds) = text.split_once('+').unwrap_or((text, "0"));
        let parse = |text: &str, max: u16| {
            let number = text.parse().ok();
            number
                .filter(|number| (0. ..=f64::from(max)).contains(number))
                .ok_or(InvalidClockSetting)
        };
        let minutes: f64 = parse(minutes, MAX_CLOCK_MINUTES)?;
        let seconds = parse(seconds, MAX_INCREMENT_SECONDS)?;
        if minutes == 0. {
            return Err(InvalidClockSetting);
        }
        Ok(ClockSetting {
            time: Duration::from_secs_f64(60. * minutes),
            increment: Duration::from_secs_f64(seconds),
        })
    }
}

/// The clocks of all players.
#[derive(Debug, Clone)]
pub struct Clocks {
    settings: Vec<ClockSetting>,
    /// The remaining time of each player. The time of the current turn is not subtracted yet.
    remaining: Vec<Duration>,
    running: Option<RunningClock>,
    /// The players of the last moves, whose increments [`undo_moves`](Clocks::undo_moves) takes
    /// back. Moves before the clocks started have no increments.
    moves: Vec<usize>,
}

/// The clock that runs.
#[derive(Debug, Clone, Copy)]
struct RunningClock {
    player: usize,
    since: Instant,
}

impl Clocks {
    /// Creates clocks for `players` players. `settings` has one setting for each player, or a
    /// single setting for all.
    ///
    /// # Errors
    /// If the number of settings is neither one nor `players`.
    pub fn new(settings: &[ClockSetting], players: usize) -> Result<Clocks, ClockError> {
        let settings = match settings {
            [setting] => vec![*setting; players],
            _ if settings.len() == players => settings.to_vec(),
            _ => return Err(ClockError::Count { players, found: settings.len() }),
        };
        Ok(Clocks {
            remaining: settings.iter().map(|setting| setting.time).collect(),
            settings,
            running: None,
            moves: Vec::new(),
        })
    }

    /// Returns the clocks as a word: for each player the time, the increment and the remaining time
    /// in milliseconds; then a slash and the number of moves with increments. The time of the
    /// current turn is not spent yet.
    pub fn stored_text(&self) -> String {
        let mut players = Vec::new();
        for (setting, left) in self.settings.iter().zip(&self.remaining) {
            let times = [setting.time, setting.increment, *left];
            players.push(times.map(|time| time.as_millis().to_string()).join("+"));
        }
        format!("{}/{}", players.join(","), self.moves.len())
    }

    /// Restores the clocks of `players` players from their [word](Clocks::stored_text); `None` if
    /// it has another form. `moves` has the players of all moves. A word without a number of moves
    /// has no increments to take back.
    pub fn from_stored_text(text: &str, players: usize, moves: &[usize]) -> Option<Clocks> {
        let (text, count) = text.split_once('/').unwrap_or((text, "0"));
        let first = moves.len().saturating_sub(count.parse().ok()?);
        let mut settings = Vec::new();
        let mut remaining = Vec::new();
        for player in text.split(',') {
            let times: Result<Vec<u64>, _> = player.split('+').map(str::parse).collect();
            let [time, increment, left] = times.ok()?[..] else { return None };
            settings.push(ClockSetting {
                time: Duration::from_millis(time),
                increment: Duration::from_millis(increment),
            });
            remaining.push(Duration::from_millis(left));
        }
        let clocks = Clocks::new(&settings, players).ok()?;
        let moves = moves[first..].to_vec();
        Some(Clocks { remaining, moves, ..clocks })
            .filter(|clocks| clocks.remaining.len() == players)
    }

    /// Sets all clocks to their initial times, and stops them.
    pub fn reset_to_initial_times(&mut self) {
        self.remaining = self.settings.iter().map(|setting| setting.time).collect();
        self.running = None;
        self.moves.clear();
    }

    /// Runs the clock of this player and stops the others; with `None` stops all.
    pub fn run_only_clock_of_player(&mut self, player: Option<usize>) {
        let running = self.running.map(|running| running.player);
        if running == player {
            return;
        }
        if let Some(running) = running {
            self.remaining[running] = self.remaining_time(running);
        }
        self.running = player.map(|player| RunningClock { player, since: Instant::now() });
    }

    /// Records a move of this player: stops the clock, and adds the increment.
    pub fn stop_clock_and_add_increment(&mut self, player: usize) {
        self.run_only_clock_of_player(None);
        self.moves.push(player);
        self.remaining[player] += self.settings[player].increment;
    }

    /// Exchanges the clocks of two players who swap sides.
    pub fn swap_players(&mut self) {
        self.run_only_clock_of_player(None);
        self.settings.reverse();
        self.remaining.reverse();
        self.moves.iter_mut().for_each(|player| *player = 1 - *player);
    }

    /// Returns the remaining time of a player, in milliseconds.
    pub fn remaining_milliseconds(&self, player: usize) -> u64 {
        u64::try_from(self.remaining_time(player).as_millis()).unwrap_or(u64::MAX)
    }

    /// Undoes the last `moves` moves: takes their increments back. The time spent stays spent.
    /// Returns the players of the moves that had increments.
    pub fn undo_moves(&mut self, moves: usize) -> Vec<usize> {
        self.run_only_clock_of_player(None);
        let undone = self.moves.split_off(self.moves.len().saturating_sub(moves));
        for &player in &undone {
            let increment = self.settings[player].increment;
            self.remaining[player] = self.remaining[player].saturating_sub(increment);
        }
        undone
    }

    /// Returns the remaining time of a player.
    pub fn remaining_time(&self, player: usize) -> Duration {
        let turn = match self.running {
            Some(running) if running.player == player => running.since.elapsed(),
            _ => Duration::ZERO,
        };
        self.remaining[player].saturating_sub(turn)
    }

    /// Returns the player whose running clock has no time left; `None` if there is time.
    pub fn player_out_of_time(&self) -> Option<usize> {
        let player = self.running?.player;
        self.remaining_time(player).is_zero().then_some(player)
    }

    /// Returns the time control for a search.
    pub fn time_control_for_search(&self) -> MoveTimeControl {
        let mut control = MoveTimeControl::default();
        let milliseconds =
            |time: Duration| Some(i64::try_from(time.as_millis()).unwrap_or(i64::MAX));
        for (player, setting) in self.settings.iter().enumerate().take(control.time.len()) {
            control.time[player] = milliseconds(self.remaining_time(player));
            control.increment[player] = milliseconds(setting.increment);
        }
        control
    }

    /// Returns the remaining time of a player as minutes and seconds, rounded up: `4:58`.
    pub fn remaining_time_text(&self, player: usize) -> String {
        let seconds = self.remaining_time(player).as_millis().div_ceil(1000);
        format!("{}:{:02}", seconds / 60, seconds % 60)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_clock_settings() {
        let seconds = |time, increment| {
            Ok(ClockSetting {
                time: Duration::from_secs(time),
                increment: Duration::from_secs(increment),
            })
        };
        let all = [("5+3", seconds(300, 3)), ("90", seconds(5400, 0)), ("0.5+0", seconds(30, 0))];
        all.into_iter().for_each(|(text, times)| assert_eq!(text.parse(), times, "{text}"));
        for text in ["", "0+3", "-1", "5+", "5+x", "1e9", "5+3+1", "nan"] {
            assert!(text.parse::<ClockSetting>().is_err(), "{text}");
        }
    }

    #[test]
    fn only_the_clock_of_the_player_to_move_runs() {
        let times =
            ClockSetting { time: Duration::from_secs(60), increment: Duration::from_secs(3) };
        let seconds = Duration::from_secs;
        let mut clocks = Clocks::new(&[times], 2).unwrap();
        clocks.remaining[0] = seconds(40);
        clocks.run_only_clock_of_player(Some(0));
        assert!(clocks.remaining_time(0) <= seconds(40) && clocks.remaining_time_text(1) == "1:00");
        // The test does not depend on the time that has passed.
        clocks.remaining[0] = seconds(40);
        clocks.running = None;
        clocks.stop_clock_and_add_increment(0);
        assert_eq!((clocks.remaining_time(0), clocks.player_out_of_time()), (seconds(43), None));
        clocks.stop_clock_and_add_increment(1);
        let stored = clocks.stored_text();
        assert_eq!(stored, "60000+3000+43000,60000+3000+63000/2");
        let mut restored = Clocks::from_stored_text(&stored, 2, &[1, 0, 1]).unwrap();
        assert_eq!([0, 1].map(|player| restored.remaining_time(player)), [43, 63].map(seconds));
        restored.swap_players();
        assert_eq!([0, 1].map(|player| restored.remaining_time(player)), [63, 43].map(seconds));
        restored.swap_players();
        // The first move had no increment.
        assert_eq!(restored.undo_moves(3), [0, 1]);
        assert_eq!([0, 1].map(|player| restored.remaining_time(player)), [40, 60].map(seconds));
        for (text, players) in
            [(stored.as_str(), 3), ("1+2,3+4", 2), ("1+2+3/x", 1), ("x", 1), ("", 0)]
        {
            assert!(Clocks::from_stored_text(text, players, &[]).is_none(), "{text}");
        }
        clocks.remaining[0] -= seconds(10);
        assert_eq!(clocks.undo_moves(2), [0, 1]);
        assert_eq!(
            [0, 1].map(|player| clocks.remaining_time(player)),
            [30, 60].map(seconds),
            "the increments are undone, and the ten seconds are spent"
        );
        clocks.remaining[1] = Duration::ZERO;
        assert_eq!(clocks.player_out_of_time(), None);
        clocks.run_only_clock_of_player(Some(1));
        assert_eq!(
            (clocks.player_out_of_time(), clocks.remaining_time_text(1).as_str()),
            (Some(1), "0:00")
        );
        clocks.run_only_clock_of_player(None);
        assert_eq!(clocks.player_out_of_time(), None);
        clocks.reset_to_initial_times();
        assert_eq!([0, 1].map(|player| clocks.remaining_time_text(player)), ["1:00", "1:00"]);
        assert!(Clocks::new(&[times; 2], 4).is_err() && Clocks::new(&[times; 4], 4).is_ok());
    }
}
