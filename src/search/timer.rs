//! A timer, also for systems without a clock.

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
mod system {
    use std::time::{Duration, Instant};

    /// Measures the time since it was started.
    #[derive(Debug, Clone, Copy)]
    pub struct Timer(Instant);

    impl Timer {
        /// A timer that starts now.
        pub fn start() -> Timer {
            Timer(Instant::now())
        }

        /// The time since it was started.
        pub fn elapsed(&self) -> Duration {
            self.0.elapsed()
        }
    }
}

/// WebAssembly without a system has no clock, and asking for the time ends the program. So no time passes there: a
/// search ends by limits of depth or nodes or by [`Control::stop`](super::control::Control::stop), and not by limits of
/// time.
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod system {
    use std::time::Duration;

    /// Measures no time, since there is no clock.
    #[derive(Debug, Clone, Copy)]
    pub struct Timer;

    impl Timer {
        /// A timer that starts now.
        pub fn start() -> Timer {
            Timer
        }

        /// Always zero.
        pub fn elapsed(&self) -> Duration {
            Duration::ZERO
        }
    }
}

pub use system::Timer;
