//! What the engine takes from outside.

/// Where the engine runs: what it takes from there beside its input. An engine in a browser has no files and the clock
/// of the browser.
pub trait Host: Send + Sync {
    /// How much memory the engine could get now, in MiB; `None`, the default, where that is not known.
    fn free_memory(&self) -> Option<u64> {
        None
    }

    /// Checks that there is a directory of this name, in which files of tables can be looked up.
    ///
    /// # Errors
    /// If there is none, or it cannot be used: the rest of a sentence that begins with its name. By default there is
    /// none.
    fn check_directory(&self, path: &str) -> Result<(), String> {
        let _ = path;
        Err("is none".into())
    }
}
