//! Files and folders for a while.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// A folder of its owner's own, empty at first. It is removed in the end, however that comes.
pub struct Folder(PathBuf);

impl Folder {
    /// A folder of which the name tells whose it is; no other one is given the same, in this process or beside it.
    pub fn new(owner: &str) -> Folder {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let number = NUMBER.fetch_add(1, Relaxed);
        let path =
            std::env::temp_dir().join(format!("pentarch-{owner}-{}-{number}", std::process::id()));
        // It may be left from a run that was killed.
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// The path of a file in it, as a text.
    pub fn file(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().into()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What cannot be removed stays among the temporary files.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
