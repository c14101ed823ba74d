//! Temporary folders.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// A private temporary folder. It is empty at the beginning. The folder is removed when the value
/// is dropped.
pub(crate) struct Folder(PathBuf);

impl Folder {
    /// Creates a folder whose name contains the owner. No other folder of this process or of
    /// another process has the same path.
    pub(crate) fn new(owner: &str) -> Folder {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let number = NUMBER.fetch_add(1, Relaxed);
        let path =
            std::env::temp_dir().join(format!("pentarch-{owner}-{}-{number}", std::process::id()));
        // A run that was killed may have left the folder.
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    /// Returns the path of the folder.
    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    /// Returns the path of a file in the folder, as a string.
    pub(crate) fn file(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().into()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // If this fails, the folder remains among the temporary files.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
