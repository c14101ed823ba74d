//! Lots of work, each decided by its number, on several threads; a lot that fails or hangs is named.

use std::collections::HashMap;
use std::panic::{RefUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

/// A lot takes milliseconds: one that takes longer than this will never end, however busy the machine is.
const PATIENCE: Duration = Duration::from_secs(900);

/// What becomes of a lot.
enum News {
    /// It has begun; its number.
    Begun(u64),
    Good,
    Bad,
}

/// Runs lots from this number on until their sizes, which `lot` returns, are enough together. Returns how many lots.
pub fn run(
    first: u64,
    enough: usize,
    lot: impl Fn(u64) -> usize + Send + Sync + RefUnwindSafe + 'static,
) -> u64 {
    let lot = Arc::new(lot);
    let (next, done) = (Arc::new(AtomicU64::new(first)), Arc::new(AtomicUsize::new(0)));
    let (news, heard) = channel();
    for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
        let (lot, next, done, news) = (lot.clone(), next.clone(), done.clone(), news.clone());
        thread::spawn(move || {
            while done.load(Relaxed) < enough {
                let number = next.fetch_add(1, Relaxed);
                let tell = |what| news.send((thread::current().id(), what));
                // Nobody listens any more once a lot was bad.
                let _ = tell(News::Begun(number));
                let size = catch_unwind(|| lot(number));
                done.fetch_add(size.as_ref().map_or(0, |&size| size), Relaxed);
                let _ = tell(if size.is_ok() { News::Good } else { News::Bad });
            }
        });
    }
    drop(news);
    let mut running = HashMap::new();
    loop {
        match heard.recv_timeout(PATIENCE) {
            Ok((thread, News::Begun(number))) => drop(running.insert(thread, number)),
            Ok((_, News::Good)) => {}
            Ok((thread, News::Bad)) => panic!("a finding in lot {}", running[&thread]),
            Err(RecvTimeoutError::Timeout) => {
                panic!("one of the lots {:?} hangs", running.values())
            }
            Err(RecvTimeoutError::Disconnected) => return next.load(Relaxed) - first,
        }
    }
}

/// A number from the environment, or else the usual one.
pub fn number(name: &str, usual: u64) -> u64 {
    std::env::var(name)
        .map_or(usual, |text| text.parse().unwrap_or_else(|_| panic!("{name} takes a number")))
}
