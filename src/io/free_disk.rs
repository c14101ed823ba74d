//! How much room a disk has.

use std::path::Path;

/// How many bytes can be written to the disk of this directory, or of where it is going to be; none where the system
/// does not say.
#[cfg(unix)]
pub fn free_bytes(directory: &Path) -> Option<u64> {
    let whole = std::path::absolute(directory).ok()?;
    let statistics = whole.ancestors().find_map(|path| nix::sys::statvfs::statvfs(path).ok())?;
    // The types of these numbers are not the same on all systems.
    let bytes = u128::from(statistics.blocks_available()) * u128::from(statistics.fragment_size());
    u64::try_from(bytes).ok()
}

/// Returns `None`: only Unix has the system call.
#[cfg(not(unix))]
pub fn free_bytes(_: &Path) -> Option<u64> {
    None
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_directory_that_is_not_there_has_the_room_of_the_one_above() {
        let there = std::env::temp_dir();
        assert!(free_bytes(&there).is_some_and(|bytes| bytes > 0));
        assert!(free_bytes(&there.join("not/there")).is_some_and(|bytes| bytes > 0));
    }
}
