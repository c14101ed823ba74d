//! Room in memory, for what cannot be refused any.
//!
//! Little pieces of memory are asked for everywhere, and a program that is refused one ends. So whatever can be done
//! without, a large table or a thread, is begun only if some room is left after it. This matters where memory is
//! limited, as by `ulimit -v`.
//!
//! A thread takes more than its stack. The system's allocator may set apart 64 MiB of addresses for it, if it finds
//! twice as much (glibc does), and before it does anything of its own it needs a few pages that cannot be refused
//! either. So a thread is started where there is plenty, or else where there is too little for the allocator to set
//! apart, but enough for the rest.

use std::hint::black_box;
use std::io::{self, ErrorKind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{Builder, Scope, ScopedJoinHandle};

use bytemuck::Zeroable;

/// The room that is left in any case, in MiB. Allocators keep smaller pieces than this when they are given back.
const ROOM: usize = 33;
/// What a thread takes: its stack, and what is set apart for it.
const THREAD: usize = 2 + 64;

/// So many MiB, held until dropped; none if the system does not give them.
fn held(mib: usize) -> Option<Vec<u8>> {
    let mut room = Vec::new();
    room.try_reserve_exact(mib * 1024 * 1024).ok()?;
    // The compiler must not leave out what is not used.
    Some(black_box(room))
}

/// Zeros, which the system hands out page by page as they are used, so that this takes no time; none if there is not so
/// much memory and some room besides.
pub fn zeroed<T: Zeroable>(len: usize) -> Option<Box<[T]>> {
    let zeros = bytemuck::try_zeroed_slice_box(len).ok()?;
    held(ROOM).map(|_| zeros)
}

/// Whether so many threads can be started at once, whatever is set apart for them.
pub fn is_plenty_for(threads: usize) -> bool {
    // The last one is to find twice what is set apart.
    held(ROOM + 64 + threads * THREAD).is_some()
}

/// Starts a thread, with a stack of 2 MiB at the most.
///
/// # Errors
/// If there is none to be had, or too little room.
pub fn start(thread: Builder, work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    // All but 31 to 62 MiB are held meanwhile, if there are more: less than would be set apart.
    let rest = || [126, 95, 64, 33].into_iter().find_map(|mib| held(mib + 31).and_then(|_| held(mib)));
    let meanwhile = if is_plenty_for(1) { None } else { rest() };
    if meanwhile.is_none() && held(ROOM).is_none() {
        return Err(too_little());
    }
    let run = move || {
        drop(meanwhile);
        work();
    };
    thread.spawn(run).map(drop)
}

/// The starting of threads that help in a scope.
#[derive(Debug)]
pub struct Helpers {
    ready: Sender<()>,
    prepared: Receiver<()>,
    /// How many may have taken less yet than they will.
    pending: usize,
}

impl Default for Helpers {
    fn default() -> Helpers {
        let (ready, prepared) = channel();
        Helpers { ready, prepared, pending: 0 }
    }
}

impl Helpers {
    /// Starts one more. Where there is not plenty for all that have not prepared their work yet, it waits for them
    /// first.
    ///
    /// # Errors
    /// If there is none to be had, or too little room for it and more.
    pub fn start<'scope, W>(
        &mut self,
        scope: &'scope Scope<'scope, '_>,
        name: &str,
        prepare: impl FnOnce() -> W + Send + 'scope,
        work: impl FnOnce(W) + Send + 'scope,
    ) -> io::Result<ScopedJoinHandle<'scope, ()>> {
        self.pending -= self.prepared.try_iter().count();
        while !is_plenty_for(self.pending + 1) {
            self.pending = self.pending.checked_sub(1).ok_or_else(too_little)?;
            // Each of them tells, even if it fails.
            let _ = self.prepared.recv();
        }
        let ready = Ready(self.ready.clone());
        self.pending += 1;
        let run = move || {
            let prepared = prepare();
            drop(ready);
            work(prepared);
        };
        Builder::new().name(name.into()).spawn_scoped(scope, run)
    }
}

/// Tells when it is dropped that a thread has prepared its work, or has failed.
struct Ready(Sender<()>);

impl Drop for Ready {
    fn drop(&mut self) {
        // Nobody has to hear it.
        let _ = self.0.send(());
    }
}

fn too_little() -> io::Error {
    io::Error::new(ErrorKind::OutOfMemory, "too little memory is left")
}

#[cfg(test)]
mod tests {
    use std::thread;
    use std::time::Duration;

    use super::*;

    #[test]
    fn helpers_are_not_waited_for_where_there_is_plenty() {
        let gates = [(); 3].map(|()| channel::<()>());
        let mut passed = 0;
        thread::scope(|scope| {
            let mut helpers = Helpers::default();
            let (opened, gates): (Vec<_>, Vec<_>) = gates.into_iter().unzip();
            let (told, tell) = channel();
            for gate in gates {
                let told = told.clone();
                let prepare = move || gate.recv_timeout(Duration::from_secs(60)).is_ok();
                helpers.start(scope, "helper", prepare, move |open| told.send(open).unwrap()).unwrap();
            }
            opened.iter().for_each(|gate| gate.send(()).unwrap());
            drop(told);
            passed = tell.iter().filter(|open| *open).count();
        });
        assert_eq!(passed, 3);
    }

    #[test]
    fn a_helper_that_fails_is_not_waited_for_without_end() {
        thread::scope(|scope| {
            let mut helpers = Helpers::default();
            let failing = helpers.start(scope, "helper", || panic!("provoked"), |()| ()).unwrap();
            assert!(failing.join().is_err());
            assert!(helpers.prepared.recv_timeout(Duration::from_secs(60)).is_ok());
        });
    }
}
