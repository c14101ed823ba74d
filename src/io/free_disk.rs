//! Determines the free space of a disk.

use std::path::Path;

/// Returns the free bytes of the disk of this directory; `None` if the system does not report this
/// number. The directory need not exist yet.
#[cfg(unix)]
pub fn free_disk_bytes(directory: &Path) -> Option<u64> {
    let whole = std::path::absolute(directory).ok()?;
    let statistics = whole.ancestors().find_map(|path| nix::sys::statvfs::statvfs(path).ok())?;
    // The types of these numbers are different on different systems.
    let bytes = u128::from(statistics.blocks_available()) * u128::from(statistics.fragment_size());
    u64::try_from(bytes).ok()
}

/// Returns `None`, because only Unix has this system call.
#[cfg(not(unix))]
pub fn free_disk_bytes(_: &Path) -> Option<u64> {
    None
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_missing_directory_has_the_space_of_its_parent() {
        let there = std::env::temp_dir();
        assert!(free_disk_bytes(&there).is_some_and(|bytes| bytes > 0));
        assert!(free_disk_bytes(&there.join("not/there")).is_some_and(|bytes| bytes > 0));
    }
}
