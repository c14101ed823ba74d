//! Limits how often reports are written.

use std::time::Duration;

use super::response::Response;

/// A throttle, which stores a report until it is due. A later report replaces the stored report.
#[derive(Debug, Default)]
pub struct ReportThrottle {
    every: Duration,
    /// The time of the last report.
    last: Option<Duration>,
    stored: Option<Response>,
}

impl ReportThrottle {
    /// Creates a throttle that releases at most one report per `every`.
    pub fn new(every: Duration) -> ReportThrottle {
        ReportThrottle { every, ..ReportThrottle::default() }
    }

    /// Stores a report.
    pub fn store_report(&mut self, report: Response) {
        self.stored = Some(report);
    }

    /// Returns the time at which the stored report is due; `None` if no report is stored.
    pub fn report_due_time(&self) -> Option<Duration> {
        self.stored.as_ref()?;
        Some(self.last.map_or(Duration::ZERO, |last| last.saturating_add(self.every)))
    }

    /// Returns the stored report if it is due.
    pub fn take_due_report(&mut self, now: Duration) -> Option<Response> {
        if self.report_due_time()? > now {
            return None;
        }
        self.last = Some(now);
        self.stored.take()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn releases_the_newest_report_when_it_is_due() {
        let report = |number: u64| Response::new(number.into());
        let id = |report: Option<Response>| report.map(|report| report.id);
        let at = Duration::from_millis;
        let mut throttle = ReportThrottle::new(at(100));
        assert_eq!((throttle.report_due_time(), id(throttle.take_due_report(at(5)))), (None, None));
        throttle.store_report(report(1));
        assert_eq!(id(throttle.take_due_report(at(5))), Some(1.into()));
        throttle.store_report(report(2));
        throttle.store_report(report(3));
        assert_eq!(
            (id(throttle.take_due_report(at(104))), throttle.report_due_time()),
            (None, Some(at(105)))
        );
        assert_eq!(id(throttle.take_due_report(at(105))), Some(3.into()));
        assert_eq!(id(throttle.take_due_report(at(300))), None);
    }
}
