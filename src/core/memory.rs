//! Large tables and threads are made only where enough memory is left for the rest of the program.
//!
//! Small allocations happen everywhere, and a program ends when one of them fails. So what the program can do without,
//! a large table or a thread, is made only if a reserve of memory is left afterwards. This matters where memory is
//! limited, as by `ulimit -v`.
//!
//! What a thread takes must be known for that. So an allocator that sets memory apart for each thread, as glibc's does,
//! has to be told not to, as the program tells it where memory is limited.

use std::fs;
use std::hint::black_box;
use std::io::{self, ErrorKind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, Scope, ScopedJoinHandle, sleep};
use std::time::Duration;

use bytemuck::Zeroable;

/// The memory in MiB that is left in any case. An allocator may keep smaller blocks than this for itself when they are
/// freed, so that testing for less would use them up.
pub const RESERVE: usize = 33;
/// The most memory in MiB that a thread takes before it works: its stack, and what it prepares its work with.
const THREAD: usize = 8;

/// What one finds, another one must not take before it is used. So the functions of this module, which look for memory
/// or start threads, wait for each other.
static LOOKING: Mutex<()> = Mutex::new(());

fn look() -> MutexGuard<'static, ()> {
    LOOKING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Allocates so many MiB, which are held until dropped; none if the system does not give them.
fn hold(mib: usize) -> Option<Vec<u8>> {
    let mut block = Vec::new();
    block.try_reserve_exact(mib * 1024 * 1024).ok()?;
    // The compiler must not remove an allocation because it is not used.
    Some(black_box(block))
}

/// Whether so many MiB are left. Where the system does not say how many, they are allocated for a moment, in which a
/// small allocation of another thread could fail.
fn is_left(mib: usize) -> bool {
    left().map_or_else(|| hold(mib).is_some(), |left| left >= mib)
}

/// How many MiB of address space are left, if the system limits it and says so, as Linux does.
fn left() -> Option<usize> {
    left_by(|name| fs::read_to_string(format!("/proc/self/{name}")).ok())
}

/// The same by the texts of the files `limits`, where the soft limit stands in bytes, and `status`, where what is taken
/// stands in KiB. The second one is read only if there is a limit, since the system takes longer to write it.
fn left_by(text: impl Fn(&str) -> Option<String>) -> Option<usize> {
    let number = |file: &str, name: &str| {
        let text = text(file)?;
        text.lines().find_map(|line| line.strip_prefix(name))?.split_whitespace().next()?.parse::<usize>().ok()
    };
    let limit = number("limits", "Max address space")?;
    let taken = number("status", "VmSize:")?;
    Some(limit.saturating_sub(taken.saturating_mul(1024)) / (1024 * 1024))
}

/// Whether the system limits the address space of the program and says so.
pub fn is_limited() -> bool {
    left().is_some()
}

/// A slice of so many zeros; none if there is not enough memory for it and the reserve. This takes no time, because the
/// system hands out the pages as they are used.
pub fn zeroed<T: Zeroable>(len: usize) -> Option<Box<[T]>> {
    let _looking = look();
    let mib = len.checked_mul(size_of::<T>())?.div_ceil(1024 * 1024);
    // While it is too large, even for a moment, small allocations of other threads could fail.
    if left().is_some_and(|left| left < mib + RESERVE) {
        return None;
    }
    let zeros = bytemuck::try_zeroed_slice_box(len).ok()?;
    is_left(RESERVE).then_some(zeros)
}

/// Prepares a work that takes so many MiB in all; nothing if they and the reserve are not left. Other calls of
/// functions of this module wait meanwhile, and `prepare` must make none. It has to allocate all but 30 MiB of what the
/// work takes: so much is left whatever the functions of this module hold.
pub fn prepare_with<T>(mib: usize, prepare: impl FnOnce() -> T) -> Option<T> {
    let _looking = look();
    is_left(RESERVE + mib).then(prepare)
}

/// Whether there is memory for so many threads, beside the reserve.
pub fn is_plenty_for(threads: usize) -> bool {
    let _looking = look();
    is_left(RESERVE + threads * THREAD)
}

/// The least memory in MiB with which a thread is started that needs little: its stack, and what it and the rest of the
/// program allocate for a command that takes neither a table nor a search.
const LITTLE: usize = 6;

/// What a thread does. In a box, so that what starts a thread is compiled once, and not for each work.
pub type Work<'scope> = Box<dyn FnOnce() + Send + 'scope>;

/// Starts a thread, with a stack of 2 MiB at the most.
///
/// # Errors
/// If the system has no thread to give, or if there is too little memory, which is an [`ErrorKind::OutOfMemory`]. Where
/// there are no threads at all, it is an [`ErrorKind::Unsupported`].
pub fn start(thread: Builder, work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    start_with(RESERVE, thread, Box::new(work))
}

/// The same for a thread that needs little memory, and is started even if the reserve is not left.
///
/// # Errors
/// As those of [`start`].
pub fn start_with_little(thread: Builder, work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    start_with(LITTLE, thread, Box::new(work))
}

/// Starts a thread if there are so many MiB at least.
fn start_with(least: usize, thread: Builder, work: Work<'static>) -> io::Result<()> {
    // There the system says so, too, but memory that was looked for is never given back.
    if cfg!(all(target_family = "wasm", target_os = "unknown")) {
        return Err(ErrorKind::Unsupported.into());
    }
    let _looking = look();
    if !is_left(least) {
        return Err(too_little());
    }
    // The system says only that it has none to give.
    thread.spawn(work).map(drop).map_err(|error| if is_left(RESERVE) { error } else { too_little() })
}

/// Starts helping threads in a scope, one after the other, as far as there is memory for them.
///
/// What is shared has an owner here, and one in each thread that may not have allocated yet what it prepares its work
/// with.
#[derive(Debug, Default)]
pub struct HelperThreads(Arc<()>);

impl HelperThreads {
    /// Starts one more thread, which calls `prepare`, allocating what it needs, and then `work`. If there is not plenty
    /// of memory for all threads that are still preparing, this waits for some of them first.
    ///
    /// # Errors
    /// If the system has no thread to give, or if there is too little memory.
    pub fn start<'scope, W>(
        &mut self,
        scope: &'scope Scope<'scope, '_>,
        name: &str,
        prepare: impl FnOnce() -> W + Send + 'scope,
        work: impl FnOnce(W) + Send + 'scope,
    ) -> io::Result<ScopedJoinHandle<'scope, ()>> {
        loop {
            let threads = Arc::strong_count(&self.0);
            match is_plenty_for(threads) {
                true => break,
                false if threads == 1 => return Err(too_little()),
                false => sleep(Duration::from_millis(1)),
            }
        }
        let preparing = self.0.clone();
        let run = move || {
            let prepared = prepare();
            drop(preparing);
            work(prepared);
        };
        Builder::new().name(name.into()).spawn_scoped(scope, Box::new(run) as Work)
    }
}

fn too_little() -> io::Error {
    io::Error::new(ErrorKind::OutOfMemory, "too little memory is left")
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;
    use std::thread;

    use super::*;

    #[test]
    fn what_is_held_is_measured_in_mib() {
        assert_eq!([0, 1, 3].map(|mib| hold(mib).unwrap().capacity()), [0, 1 << 20, 3 << 20]);
    }

    #[test]
    fn what_is_left_is_told_by_the_system() {
        let left_with = |soft: &str, status: Option<&str>| {
            let limits =
                format!("Max data size  unlimited  unlimited  bytes\nMax address space  {soft}  unlimited  bytes\n");
            left_by(|file| match file {
                "limits" => Some(limits.clone()),
                _ if soft == "unlimited" => panic!("{file} is read without need"),
                _ => status.map(str::to_owned),
            })
        };
        let left = |soft| left_with(soft, Some("VmPeak:\t 9000 kB\nVmSize:\t    2048 kB\n"));
        assert_eq!((left("104857600"), left("1048576"), left("unlimited")), (Some(98), Some(0), None));
        assert_eq!(left_by(|_| None), None);
        assert_eq!([Some(""), None].map(|status| left_with("104857600", status)), [None; 2]);
    }

    #[test]
    fn helpers_are_not_waited_for_where_there_is_plenty() {
        let gates = [(); 3].map(|()| channel::<()>());
        let mut passed = 0;
        thread::scope(|scope| {
            let mut helpers = HelperThreads::default();
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
            let mut helpers = HelperThreads::default();
            let failing = helpers.start(scope, "helper", || panic!("provoked"), |()| ()).unwrap();
            assert!(failing.join().is_err());
            assert_eq!(Arc::strong_count(&helpers.0), 1);
        });
    }
}
