//! Searches of many positions on several threads.

use std::collections::BTreeMap;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::Builder;

use crate::core::memory;
use crate::engine::request::Effort;
use crate::engine::session::SearchJob;
use crate::io::clock;
use crate::search::control::Control;
use crate::search::transposition::TranspositionTable;

use crate::engine::best_lines::Lines;

/// How a pool of threads works.
#[derive(Debug, Clone, Copy)]
pub struct Plan {
    /// The number of threads.
    pub concurrency: usize,
    /// The size in MiB of the transposition table of each thread.
    pub hash: usize,
    /// Whether the results come in the order of the work, rather than as they are found.
    pub ordered: bool,
}

/// A position to be searched, with what the caller wants back together with the result.
pub struct Work<T> {
    /// What the result is about.
    pub about: T,
    /// The search, and how far it goes; none if there is nothing to search.
    pub search: Option<(Box<dyn SearchJob>, Effort)>,
}

/// Where the threads take positions from, each with its number.
type Queue<T> = Mutex<Receiver<(usize, Work<T>)>>;

/// How many positions for each thread may wait to be searched, or for their turn after they were.
const WAITING: usize = 64;

/// Searches the positions that `next` gives until it gives none, and calls `each` with every one of them and what was
/// found. `next` is called on a thread of its own, because it may wait for input; it does not run far ahead of `each`.
/// The work ends before its time if `each` returns `false`.
///
/// # Errors
/// If there is not enough memory for the threads and their tables.
pub fn run<T: Send + 'static>(
    plan: Plan,
    mut next: impl FnMut() -> Option<Work<T>> + Send + 'static,
    mut each: impl FnMut(T, Lines) -> bool,
) -> Result<(), String> {
    let Plan { concurrency, hash, ordered } = plan;
    let (work_sender, work) = sync_channel::<(usize, Work<T>)>(concurrency);
    let (found_sender, found) = sync_channel(concurrency);
    // A ticket is taken for each position that is given out, and given back when its result was handed on.
    let (ticket_sender, tickets) = sync_channel(WAITING * concurrency);
    let queue: Arc<Queue<T>> = Arc::new(Mutex::new(work));
    for number in 0..concurrency {
        let table = TranspositionTable::new(hash)
            .ok_or_else(|| format!("no memory for {concurrency} tables of {hash} MiB: set a smaller Hash"))?;
        let (queue, found) = (queue.clone(), found_sender.clone());
        let name = format!("analysis {number}");
        memory::start(Builder::new().name(name), move || search_all(&table, &queue, &found))
            .map_err(|error| format!("there is no thread to search on: {error}"))?;
    }
    drop(found_sender);
    let give_out = move || {
        for number in 0.. {
            // Where nobody listens any more, the work has ended before its time.
            let given = next().and_then(|work| {
                ticket_sender.send(()).ok()?;
                work_sender.send((number, work)).ok()
            });
            if given.is_none() {
                return;
            }
        }
    };
    memory::start(Builder::new().name("requests".into()), give_out)
        .map_err(|error| format!("there is no thread to read on: {error}"))?;
    let (mut waiting, mut expected) = (BTreeMap::new(), 0);
    for (number, about, lines) in found {
        waiting.insert(if ordered { number } else { expected }, (about, lines));
        while let Some((about, lines)) = waiting.remove(&expected) {
            expected += 1;
            // There is a ticket for each position that was given out.
            let _ = tickets.recv();
            if !each(about, lines) {
                return Ok(());
            }
        }
    }
    Ok(())
}

/// Searches positions until there are no more.
fn search_all<T>(table: &TranspositionTable, queue: &Queue<T>, found: &SyncSender<(usize, T, Lines)>) {
    loop {
        let received = queue.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok((number, Work { about, search })) = received else { return };
        let lines = search.map_or_else(Lines::default, |(job, effort)| {
            table.clear();
            let mut lines = Lines::default();
            let control = Control::new(&clock::system(), effort.budget(), false, false);
            let answer = job.run(table, &control, &mut |info| lines.add(info));
            lines.end(answer, effort.multipv)
        });
        if found.send((number, about, lines)).is_err() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

    use super::*;

    fn plan(concurrency: usize, ordered: bool) -> Plan {
        Plan { concurrency, hash: 1, ordered }
    }

    #[test]
    fn results_come_in_order_and_each_once() {
        for concurrency in [1, 3] {
            let mut numbers = 0..1000;
            let mut seen = Vec::new();
            let next = move || numbers.next().map(|about| Work { about, search: None });
            let each = |about, _| {
                seen.push(about);
                true
            };
            run(plan(concurrency, true), next, each).unwrap();
            assert!(seen.into_iter().eq(0..1000));
        }
    }

    #[test]
    fn the_reader_does_not_run_far_ahead_and_ends_with_the_output() {
        let given = Arc::new(AtomicUsize::new(0));
        let counted = given.clone();
        let next = move || Some(Work { about: counted.fetch_add(1, Relaxed), search: None });
        let mut seen = 0;
        let each = |_, _| {
            seen += 1;
            // One more may have been asked for before a ticket was free.
            assert!(given.load(Relaxed) <= seen + WAITING + 1);
            seen < 500
        };
        run(plan(1, false), next, each).unwrap();
        assert_eq!(seen, 500);
    }
}
