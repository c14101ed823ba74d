//! Reports of a search, not more often than they are wanted.

use std::time::Duration;

use super::response::Response;

/// Holds reports back until the time between two of them has passed. A later report takes the place of one that is held
/// back.
#[derive(Debug, Default)]
pub struct Throttle {
    every: Duration,
    /// When the last report was let through.
    last: Option<Duration>,
    held: Option<Response>,
}

impl Throttle {
    /// Lets a report through each time that so much time has passed.
    pub fn new(every: Duration) -> Throttle {
        Throttle { every, ..Throttle::default() }
    }

    /// Takes in a report.
    pub fn hold(&mut self, report: Response) {
        self.held = Some(report);
    }

    /// When the report that is held back may be given; none if there is none.
    pub fn due(&self) -> Option<Duration> {
        self.held.as_ref()?;
        Some(self.last.map_or(Duration::ZERO, |last| last.saturating_add(self.every)))
    }

    /// The report that may be given at this time.
    pub fn release(&mut self, now: Duration) -> Option<Response> {
        if self.due()? > now {
            return None;
        }
        self.last = Some(now);
        self.held.take()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_report_is_given_when_it_is_due() {
        let report = |number: u64| Response::new(number.into());
        let id = |report: Option<Response>| report.map(|report| report.id);
        let at = Duration::from_millis;
        let mut throttle = Throttle::new(at(100));
        assert_eq!((throttle.due(), id(throttle.release(at(5)))), (None, None));
        throttle.hold(report(1));
        assert_eq!(id(throttle.release(at(5))), Some(1.into()));
        throttle.hold(report(2));
        throttle.hold(report(3));
        assert_eq!((id(throttle.release(at(104))), throttle.due()), (None, Some(at(105))));
        assert_eq!(id(throttle.release(at(105))), Some(3.into()));
        assert_eq!(id(throttle.release(at(300))), None);
    }
}
