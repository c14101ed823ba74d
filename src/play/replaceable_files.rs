//! The files that a session may replace, because it has written or loaded them.

#![expect(clippy::disallowed_types, reason = "the time of a file decides no move and no clock")]

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use pentarch_system::new_file::NewFile;

/// The files that this session has saved or loaded, each with its last known state.
#[derive(Debug, Default)]
pub struct ReplaceableFiles(BTreeMap<PathBuf, FileChangeStamp>);

/// The state of a file, which changes if somebody writes to the file.
#[derive(Debug, PartialEq, Eq)]
struct FileChangeStamp {
    length: u64,
    changed: SystemTime,
}

impl FileChangeStamp {
    /// Returns the state of a regular file; `None` if the path is a link or leads to anything else.
    fn of_regular_file(path: &Path) -> Option<FileChangeStamp> {
        let file = path.symlink_metadata().ok().filter(|file| file.is_file())?;
        Some(FileChangeStamp { length: file.len(), changed: file.modified().ok()? })
    }
}

impl ReplaceableFiles {
    /// Adds a file in its current state. Ignores links and devices.
    pub fn add(&mut self, path: &Path) {
        if let Some(state) = FileChangeStamp::of_regular_file(path) {
            self.0.insert(path.into(), state);
        }
    }

    /// Returns whether the session may replace the file at this path: the session has added the
    /// file, and nobody has changed it since.
    pub fn may_replace(&self, path: &Path) -> bool {
        let state = FileChangeStamp::of_regular_file(path);
        state.is_some() && state.as_ref() == self.0.get(path)
    }
}

/// Replaces a file. The new file has the permissions of the old one.
///
/// # Errors
/// If the file cannot be written. Then the old file stays unchanged.
pub fn replace_and_keep_permissions(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let permissions = path.symlink_metadata()?.permissions();
    let mut file = NewFile::create_private(path)?;
    file.write_all(bytes)?;
    fs::set_permissions(file.partial_path(), permissions)?;
    file.commit_replacing_target()
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs::Permissions;
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    #[test]
    fn only_own_unchanged_files_may_be_replaced() {
        let name = format!("pentarch-own-{}-{:016x}", std::process::id(), fastrand::u64(..));
        let folder = std::env::temp_dir().join(name);
        fs::create_dir(&folder).unwrap();
        let [file, link] = ["file", "link"].map(|name| folder.join(name));
        fs::write(&file, "one").unwrap();
        fs::set_permissions(&file, Permissions::from_mode(0o600)).unwrap();
        symlink(&file, &link).unwrap();
        let mut own = ReplaceableFiles::default();
        assert!(!own.may_replace(&file));
        for path in [&file, &link, Path::new("/dev/null")] {
            own.add(path);
        }
        assert!(own.may_replace(&file));
        assert!(!own.may_replace(&link) && !own.may_replace(Path::new("/dev/null")));
        replace_and_keep_permissions(&file, b"two").unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"two");
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
        own.add(&file);
        fs::write(&file, "somebody else's").unwrap();
        assert!(!own.may_replace(&file), "somebody has changed the file");
        fs::remove_file(&file).unwrap();
        symlink(&link, &file).unwrap();
        assert!(!own.may_replace(&file), "the file has become a link");
        fs::remove_dir_all(&folder).unwrap();
    }
}
