//! The clocks of GTP: main time, then Canadian byo-yomi, so many stones in so much time.

use std::time::Duration;

/// The longest time that is told apart from no limit: a billion seconds.
const LONGEST: f64 = 1e9;

/// What `time_settings` sets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Settings {
    main: Duration,
    period: Duration,
    stones: u32,
}

/// What one side has left: this time, for so many stones if it is in byo-yomi.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Left {
    /// The time.
    pub time: Duration,
    /// The moves that must be made in it; none in the main time.
    pub stones: Option<u32>,
}

/// The clocks of both sides; none if nobody has set any.
#[derive(Debug, Clone, Default)]
pub struct GtpClock {
    settings: Option<Settings>,
    left: [Option<Left>; 2],
}

impl GtpClock {
    /// Sets both clocks: main time, time of a period, and stones in it. A period without stones means no limit.
    pub fn set(&mut self, main: Duration, period: Duration, stones: u32) {
        let unlimited = period > Duration::ZERO && stones == 0;
        self.settings = (!unlimited).then_some(Settings { main, period, stones });
        self.restart();
    }

    /// Sets both clocks back to the beginning of a game.
    pub fn restart(&mut self) {
        self.left = [self.settings.map(Settings::beginning); 2];
    }

    /// Takes over what the front end says that a side (0 or 1) has left; no stones mean main time.
    pub fn tell(&mut self, side: usize, time: Duration, stones: u32) {
        self.left[side] = Some(Left { time, stones: (stones > 0).then_some(stones) });
    }

    /// What a side has left; none if it may think as long as it likes.
    pub fn left(&self, side: usize) -> Option<Left> {
        self.left[side]
    }

    /// Takes the time of a move off a side's clock.
    pub fn spend(&mut self, side: usize, time: Duration) {
        let (Some(left), settings) = (&mut self.left[side], self.settings) else { return };
        let over = time.saturating_sub(left.time);
        left.time = left.time.saturating_sub(time);
        let next_period = settings.filter(|settings| settings.stones > 0);
        match (&mut left.stones, next_period) {
            (None, Some(settings)) if left.time.is_zero() => {
                *left = Left { time: settings.period.saturating_sub(over), stones: Some(settings.stones) };
            }
            (Some(stones), _) if *stones > 1 => *stones -= 1,
            // If nobody has said what comes after the last stone, it stays the last.
            (Some(_), period) => *left = period.map_or(*left, Settings::period),
            _ => {}
        }
    }
}

impl Settings {
    fn beginning(self) -> Left {
        if self.main.is_zero() && self.stones > 0 { self.period() } else { Left { time: self.main, stones: None } }
    }

    fn period(self) -> Left {
        Left { time: self.period, stones: Some(self.stones) }
    }
}

/// A number of seconds, whole or not.
pub fn seconds(text: &str) -> Option<Duration> {
    let seconds: f64 = text.parse().ok()?;
    (0.0..=LONGEST).contains(&seconds).then(|| Duration::from_secs_f64(seconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn s(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    #[test]
    fn main_time_runs_into_byo_yomi() {
        let mut clock = GtpClock::default();
        assert_eq!(clock.left(0), None);
        clock.set(s(10), s(30), 2);
        clock.spend(0, s(4));
        assert_eq!(clock.left(0), Some(Left { time: s(6), stones: None }));
        clock.spend(0, s(8));
        assert_eq!(clock.left(0), Some(Left { time: s(28), stones: Some(2) }));
        clock.spend(0, s(5));
        assert_eq!(clock.left(0), Some(Left { time: s(23), stones: Some(1) }));
        clock.spend(0, s(5));
        assert_eq!(clock.left(0), Some(Left { time: s(30), stones: Some(2) }));
        assert_eq!(clock.left(1), Some(Left { time: s(10), stones: None }));
        clock.restart();
        assert_eq!(clock.left(0), clock.left(1));
    }

    #[test]
    fn a_period_without_stones_is_no_limit() {
        let mut clock = GtpClock::default();
        clock.set(s(10), s(1), 0);
        assert_eq!(clock.left(0), None);
        clock.set(s(10), s(0), 0);
        clock.spend(1, s(20));
        assert_eq!(clock.left(1), Some(Left { time: s(0), stones: None }));
        clock.set(s(0), s(5), 1);
        assert_eq!(clock.left(1), Some(Left { time: s(5), stones: Some(1) }));
        clock.tell(1, s(3), 0);
        assert_eq!(clock.left(1), Some(Left { time: s(3), stones: None }));
    }

    #[test]
    fn the_last_stone_stays_where_no_period_follows() {
        let mut clock = GtpClock::default();
        clock.tell(0, s(5), 2);
        for time in [4, 3, 2] {
            clock.spend(0, s(1));
            assert_eq!(clock.left(0), Some(Left { time: s(time), stones: Some(1) }));
        }
    }

    #[test]
    fn seconds_are_numbers_from_zero() {
        assert_eq!(seconds("1.5"), Some(Duration::from_millis(1500)));
        for text in ["-1", "x", "", "inf", "nan", "1e10"] {
            assert_eq!(seconds(text), None, "{text}");
        }
    }
}
