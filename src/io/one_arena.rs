//! One arena of the system's allocator for all threads, where the address space is limited.

/// Sees to it that the system's allocator sets no memory apart for threads, where the address space is limited.
///
/// For each thread glibc may set an arena of 64 MiB of address space apart, for a moment even twice as much, at any
/// time and for good: nobody knows then how much is left. It reads how many arenas it may make when a program starts.
/// So this starts the program once more, with that number in its environment, and is called before anything else is
/// done. (The GNU C Library Reference Manual, Memory Allocation Tunables)
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub fn use_one_arena() {
    use std::env;
    use std::os::unix::process::CommandExt;
    use std::process::Command;

    const ARENAS: &str = "MALLOC_ARENA_MAX";
    if !crate::core::memory::is_limited() || env::var_os(ARENAS).is_some() {
        return;
    }
    let Ok(program) = env::current_exe() else { return };
    let mut again = Command::new(program);
    let mut arguments = env::args_os();
    arguments.next().map(|name| again.arg0(name));
    // This returns only if the program cannot be started. Then it goes on with its arenas.
    let _ = again.args(arguments).env(ARENAS, "1").exec();
}

/// Nothing: the allocators of other systems set no memory apart.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub fn use_one_arena() {}
