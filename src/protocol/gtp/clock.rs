//! The clocks of GTP. The main time is followed by Canadian byo-yomi, in which a number of stones
//! must be played in each period.

use std::time::Duration;

/// The arguments of `time_settings`: the main time, the time of a byo-yomi period, and the number
/// of stones in a period.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct GtpTimeSettings {
    main: Duration,
    period: Duration,
    stones: u32,
}

/// The remaining time of a side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SideTimeLeft {
    /// The remaining main time. In byo-yomi, this is the remaining time of the period.
    pub(super) time: Duration,
    /// The number of stones that must still be played in this byo-yomi period; `None` in the main
    /// time.
    pub(super) stones: Option<u32>,
}

/// The clocks of both sides. A side has no limit before its time is set.
#[derive(Debug, Clone, Default)]
pub(super) struct GtpClock {
    settings: Option<GtpTimeSettings>,
    /// The remaining time of each side; `None` for a side without a limit.
    pub(super) left: [Option<SideTimeLeft>; 2],
}

impl GtpClock {
    /// Sets both clocks to the main time, the time of a byo-yomi period, and the number of stones
    /// in a period. By the GTP standard, a period without stones means no limit.
    pub(super) fn set_time_settings(&mut self, main: Duration, period: Duration, stones: u32) {
        let unlimited = period > Duration::ZERO && stones == 0;
        self.settings = (!unlimited).then_some(GtpTimeSettings { main, period, stones });
        self.reset_clocks();
    }

    /// Resets both clocks for a new game.
    pub(super) fn reset_clocks(&mut self) {
        self.left = [self.settings.map(GtpTimeSettings::initial_time_left); 2];
    }

    /// Sets the remaining time of a side (0 or 1), as the front end reports it. 0 stones mean main
    /// time.
    pub(super) fn set_time_left(&mut self, side: usize, time: Duration, stones: u32) {
        self.left[side] = Some(SideTimeLeft { time, stones: (stones > 0).then_some(stones) });
    }

    /// Subtracts the time of a move from the clock of a side (0 or 1). If the time exceeds the main
    /// time, the excess is subtracted from the first byo-yomi period. A new period begins when the
    /// stones of the previous period have been played. Returns whether the time of the side has run
    /// out.
    pub(super) fn subtract_move_time(&mut self, side: usize, time: Duration) -> bool {
        let Some(left) = &mut self.left[side] else { return false };
        let excess = time.saturating_sub(left.time);
        left.time = left.time.saturating_sub(time);
        let next_period = self.settings.filter(|settings| settings.stones > 0);
        let spare = match next_period {
            Some(settings) if left.stones.is_none() => settings.period,
            _ => Duration::ZERO,
        };
        match (&mut left.stones, next_period) {
            (None, Some(settings)) if left.time.is_zero() => {
                *left = SideTimeLeft {
                    time: settings.period.saturating_sub(excess),
                    stones: Some(settings.stones),
                };
            }
            (Some(stones), _) if *stones > 1 => *stones -= 1,
            // Without `time_settings` there is no next period, and one stone remains to be played.
            (Some(_), period) => *left = period.map_or(*left, GtpTimeSettings::period_time_left),
            _ => {}
        }
        excess > spare
    }
}

impl GtpTimeSettings {
    fn initial_time_left(self) -> SideTimeLeft {
        if self.main.is_zero() && self.stones > 0 {
            self.period_time_left()
        } else {
            SideTimeLeft { time: self.main, stones: None }
        }
    }

    fn period_time_left(self) -> SideTimeLeft {
        SideTimeLeft { time: self.period, stones: Some(self.stones) }
    }
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
        assert_eq!(clock.left[0], None);
        clock.set_time_settings(s(10), s(30), 2);
        clock.subtract_move_time(0, s(4));
        assert_eq!(clock.left[0], Some(SideTimeLeft { time: s(6), stones: None }));
        assert!(!clock.subtract_move_time(0, s(8)), "time is left in the byo-yomi");
        assert_eq!(clock.left[0], Some(SideTimeLeft { time: s(28), stones: Some(2) }));
        clock.subtract_move_time(0, s(5));
        assert_eq!(clock.left[0], Some(SideTimeLeft { time: s(23), stones: Some(1) }));
        clock.subtract_move_time(0, s(5));
        assert_eq!(clock.left[0], Some(SideTimeLeft { time: s(30), stones: Some(2) }));
        assert_eq!(clock.left[1], Some(SideTimeLeft { time: s(10), stones: None }));
        clock.reset_clocks();
        assert_eq!(clock.left[0], clock.left[1]);
    }

    #[test]
    fn a_period_without_stones_is_no_limit() {
        let mut clock = GtpClock::default();
        clock.set_time_settings(s(10), s(1), 0);
        assert_eq!(clock.left[0], None);
        clock.set_time_settings(s(10), s(0), 0);
        clock.subtract_move_time(1, s(20));
        assert_eq!(clock.left[1], Some(SideTimeLeft { time: s(0), stones: None }));
        clock.set_time_settings(s(0), s(5), 1);
        assert_eq!(clock.left[1], Some(SideTimeLeft { time: s(5), stones: Some(1) }));
        clock.set_time_left(1, s(3), 0);
        assert_eq!(clock.left[1], Some(SideTimeLeft { time: s(3), stones: None }));
    }

    #[test]
    fn the_last_stone_stays_if_no_period_follows() {
        let mut clock = GtpClock::default();
        clock.set_time_left(0, s(5), 2);
        for time in [4, 3, 2] {
            clock.subtract_move_time(0, s(1));
            assert_eq!(clock.left[0], Some(SideTimeLeft { time: s(time), stones: Some(1) }));
        }
    }

    #[test]
    fn time_runs_out_when_nothing_is_left() {
        let mut clock = GtpClock::default();
        assert!(!clock.subtract_move_time(0, s(1000)), "no limit");
        clock.set_time_settings(s(10), s(0), 0);
        assert!(
            !clock.subtract_move_time(0, s(10))
                && clock.subtract_move_time(0, s(1))
                && !clock.subtract_move_time(1, s(10))
        );
        clock.set_time_settings(s(10), s(30), 2);
        assert!(clock.subtract_move_time(0, s(41)) && !clock.subtract_move_time(1, s(40)));
        clock.set_time_left(0, s(5), 3);
        assert!(!clock.subtract_move_time(0, s(5)) && clock.subtract_move_time(0, s(1)));
    }
}
