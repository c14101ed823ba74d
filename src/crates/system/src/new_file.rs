//! Files that get their final names when they are complete.
//!
//! A file `TARGET` is written as `TARGET.pentarch.part`, synced, and then linked or renamed. So if
//! the program ends at any time, `TARGET` is either the old file or the new one. The partial file
//! is locked while it is written. An unlocked partial file is left over from an interrupted run,
//! and the next run removes it. No other program uses such names, so a user's own file, such as
//! `TARGET.part`, stays.
//!
//! A run always creates a new partial file. So it never writes through a link, or into a file of
//! another program. A run removes the name of a partial file only while it holds the lock on this
//! file. So a run first locks its new file and then checks that the file still has the name. After
//! that, no other run removes the name.

use std::fs::{self, File, Metadata};
use std::io::{self, ErrorKind, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::error_location::path_on_one_line;
#[cfg(unix)]
use super::file_system::is_same_file;
use super::file_system::{
    LockedByOtherRunError, NotRegularFileError, is_open_file_at_path, lock_file, path_with_suffix,
    sync_parent_directory,
};

/// A file that is being written. Until it is complete, it has the name of its target, followed by
/// [`PARTIAL_FILE_SUFFIX`]. [`commit_as_new_target`](NewFile::commit_as_new_target) and
/// [`commit_replacing_target`](NewFile::commit_replacing_target) give it the target's name. If the
/// file still has its partial name when this value is dropped, the file is removed.
#[derive(Debug)]
pub struct NewFile {
    file: File,
    part: PathBuf,
    target: PathBuf,
}

/// The end of the name of a partial file.
pub const PARTIAL_FILE_SUFFIX: &str = ".pentarch.part";

#[derive(Debug, Error)]
#[error("{} cannot be replaced: {error}", path_on_one_line(.path))]
struct PartialFileError {
    path: PathBuf,
    error: io::Error,
}

/// The users who can read and write a new file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum NewFilePermissions {
    /// The system's default.
    Default,
    /// Only the owner.
    Owner,
}

impl NewFile {
    /// Creates the partial file of a target. If there is already such a file and no other run has
    /// locked it, that file is removed first.
    ///
    /// # Errors
    /// If another run writes to the same target, or if the file cannot be created.
    pub fn create(target: &Path) -> io::Result<NewFile> {
        NewFile::create_with_permissions(target, NewFilePermissions::Default)
    }

    /// Creates a partial file that only its owner can read and write.
    ///
    /// # Errors
    /// The same as for [`create`](NewFile::create).
    pub fn create_private(target: &Path) -> io::Result<NewFile> {
        NewFile::create_with_permissions(target, NewFilePermissions::Owner)
    }

    fn create_with_permissions(target: &Path, access: NewFilePermissions) -> io::Result<NewFile> {
        let part = path_with_suffix(target, PARTIAL_FILE_SUFFIX);
        loop {
            remove_stale_partial(&part)?;
            match create_new_read_write_file(&part, access) {
                // Another run has created a partial file in the meantime. That run still holds the
                // lock, or has ended.
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
                Ok(file) => {
                    lock_file(&file)?;
                    // Before the lock, another run may have considered this file stale and removed
                    // it.
                    if is_open_file_at_path(&file, &part) {
                        return Ok(NewFile { file, part, target: target.into() });
                    }
                }
            }
        }
    }

    /// Returns the path of the partial file.
    pub fn partial_path(&self) -> &Path {
        &self.part
    }

    /// Syncs the file and gives it the target's name. An existing target is not replaced.
    ///
    /// # Errors
    /// If another file already has the target's name ([`ErrorKind::AlreadyExists`]), or if the file
    /// cannot be synced or named.
    pub fn commit_as_new_target(self) -> io::Result<()> {
        self.sync_partial_file()?;
        match fs::hard_link(&self.part, &self.target) {
            // For a moment, the file has both the partial name and the target's name. Dropping
            // `self` removes the partial name.
            Ok(()) => {}
            Err(error) if error.kind() == ErrorKind::AlreadyExists => return Err(error),
            // Not all file systems have links.
            Err(_) if self.target.symlink_metadata().is_ok() => {
                return Err(ErrorKind::AlreadyExists.into());
            }
            Err(_) => fs::rename(&self.part, &self.target)?,
        }
        sync_parent_directory(&self.target);
        Ok(())
    }

    /// Syncs the file and gives it the target's name. An existing target is replaced.
    ///
    /// # Errors
    /// If the file cannot be synced or named. In that case the target stays unchanged.
    pub fn commit_replacing_target(self) -> io::Result<()> {
        self.replace_target_and_keep_lock().map(drop)
    }

    /// Does the same as [`commit_replacing_target`](NewFile::commit_replacing_target). Returns the
    /// file, which stays locked against other runs until it is closed.
    ///
    /// # Errors
    /// If the file cannot be synced or named. In that case the target stays unchanged.
    pub fn replace_target_and_keep_lock(self) -> io::Result<File> {
        self.sync_partial_file()?;
        // The clone shares the lock.
        let file = self.file.try_clone()?;
        fs::rename(&self.part, &self.target)?;
        sync_parent_directory(&self.target);
        Ok(file)
    }

    /// Syncs the file, and checks that the partial name still belongs to this file. On a system
    /// without locks, another run may have removed the name.
    fn sync_partial_file(&self) -> io::Result<()> {
        self.file.sync_all()?;
        if is_open_file_at_path(&self.file, &self.part) {
            Ok(())
        } else {
            Err(io::Error::other(LockedByOtherRunError))
        }
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Seek for NewFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

/// Removes the partial file. Does nothing if the partial name no longer belongs to this file.
impl Drop for NewFile {
    fn drop(&mut self) {
        if is_open_file_at_path(&self.file, &self.part) {
            // If the file cannot be removed now, the next run removes it as stale.
            let _ = fs::remove_file(&self.part);
        }
    }
}

/// Creates a file with these bytes, or replaces an existing file.
///
/// # Errors
/// If the file cannot be written. In that case an existing file stays unchanged.
pub fn replace_file(target: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = NewFile::create(target)?;
    file.write_all(bytes)?;
    file.commit_replacing_target()
}

/// Removes the partial name of a target if the partial name and the target are the same file. This
/// is the case if a run was interrupted between linking the file to the target and removing the
/// partial name. If the partial name belongs to another file, the name stays.
///
/// # Errors
/// If another run has locked the file, or if the name cannot be removed.
#[cfg(unix)]
pub fn remove_leftover_partial_link(target: &Path) -> io::Result<()> {
    let part = path_with_suffix(target, PARTIAL_FILE_SUFFIX);
    match (part.symlink_metadata(), target.symlink_metadata()) {
        (Ok(one), Ok(other)) if is_same_file(&one, &other) => remove_stale_partial(&part),
        _ => Ok(()),
    }
}

/// Removes the partial file that an interrupted run has left over, if there is one.
///
/// # Errors
/// If another run has locked the partial file, or if the file cannot be removed. In the second
/// case, the error names the partial file instead of the target.
fn remove_stale_partial(part: &Path) -> io::Result<()> {
    let named = match part.symlink_metadata() {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        named => named?,
    };
    remove_partial_if_unlocked(part, &named).map_err(|error| {
        if error.get_ref().is_some_and(|error| error.is::<LockedByOtherRunError>()) {
            return error;
        }
        io::Error::other(PartialFileError { path: part.into(), error })
    })
}

fn remove_partial_if_unlocked(part: &Path, named: &Metadata) -> io::Result<()> {
    if named.is_symlink() {
        return remove_partial_file(part);
    }
    if !named.is_file() {
        return Err(io::Error::other(NotRegularFileError));
    }
    let file = match File::options().read(true).write(true).open(part) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        opened => opened?,
    };
    lock_file(&file)?;
    if is_open_file_at_path(&file, part) { remove_partial_file(part) } else { Ok(()) }
}

fn remove_partial_file(part: &Path) -> io::Result<()> {
    match fs::remove_file(part) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Creates a file for writing and reading. Some systems lock only files that can be read.
fn create_new_read_write_file(path: &Path, access: NewFilePermissions) -> io::Result<File> {
    let mut options = File::options();
    options.read(true).write(true).create_new(true);
    #[cfg(unix)]
    if access == NewFilePermissions::Owner {
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    }
    #[cfg(not(unix))]
    let _ = access;
    options.open(path)
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;
    use std::thread;

    use super::*;

    /// A test folder that is removed when it is dropped.
    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Folder {
            let folder =
                std::env::temp_dir().join(format!("pentarch-{name}-{}", std::process::id()));
            fs::create_dir_all(&folder).unwrap();
            Folder(folder)
        }

        fn names(&self) -> Vec<String> {
            let entries = fs::read_dir(&self.0).unwrap();
            let mut names: Vec<String> =
                entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
            names.sort();
            names
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    fn write(target: &Path, text: &str) -> io::Result<NewFile> {
        let mut file = NewFile::create(target)?;
        file.write_all(text.as_bytes())?;
        Ok(file)
    }

    #[test]
    fn a_file_appears_when_it_is_complete() {
        let folder = Folder::new("complete");
        let target = folder.0.join("a");
        let one = write(&target, "one").unwrap();
        assert_eq!(folder.names(), ["a.pentarch.part"]);
        let other = File::open(one.partial_path()).unwrap().try_lock();
        assert!(matches!(other, Err(fs::TryLockError::WouldBlock)), "another run waits for it");
        one.commit_as_new_target().unwrap();
        assert_eq!(folder.names(), ["a"]);
        let exists = write(&target, "two").unwrap().commit_as_new_target().unwrap_err();
        assert_eq!(exists.kind(), ErrorKind::AlreadyExists);
        drop(write(&target, "three").unwrap());
        assert_eq!(fs::read_to_string(&target).unwrap(), "one");
        write(&target, "two").unwrap().commit_replacing_target().unwrap();
        assert_eq!(fs::read_to_string(&target).unwrap(), "two");
        assert_eq!(folder.names(), ["a"]);
    }

    #[test]
    fn stale_partial_files_are_replaced() {
        let folder = Folder::new("stale");
        let [target, part] = ["a", "a.pentarch.part"].map(|name| folder.0.join(name));
        fs::write(&part, "left over from a run that was ended").unwrap();
        write(&target, "one").unwrap().commit_as_new_target().unwrap();
        assert_eq!(fs::read_to_string(&target).unwrap(), "one");
        // The state after a run was interrupted between linking the file and removing the partial
        // name.
        fs::hard_link(&target, &part).unwrap();
        write(&target, "two").unwrap().commit_replacing_target().unwrap();
        assert_eq!(fs::read_to_string(&target).unwrap(), "two");
        assert_eq!(folder.names(), ["a"]);
        fs::create_dir(&part).unwrap();
        let error = write(&target, "three").unwrap_err().to_string();
        assert_eq!(
            error,
            format!("{} cannot be replaced: it is not a regular file", part.display())
        );
        assert!(part.is_dir());
    }

    #[test]
    fn files_of_the_user_stay() {
        let folder = Folder::new("user");
        let [target, own] = ["a", "a.part"].map(|name| folder.0.join(name));
        fs::write(&own, "a file of the user").unwrap();
        write(&target, "one").unwrap().commit_as_new_target().unwrap();
        assert_eq!(folder.names(), ["a", "a.part"]);
        assert_eq!(fs::read_to_string(&own).unwrap(), "a file of the user");
    }

    #[test]
    fn writes_files_with_the_longest_names() {
        let folder = Folder::new("long");
        let name = "x".repeat(255);
        let target = folder.0.join(&name);
        let part = write(&target, "one").unwrap();
        drop(part);
        // The partial file of an interrupted run.
        fs::write(path_with_suffix(&target, PARTIAL_FILE_SUFFIX), "one").unwrap();
        write(&target, "two").unwrap().commit_as_new_target().unwrap();
        assert_eq!(folder.names(), [name]);
        let error = write(&folder.0.join("x".repeat(256)), "one").unwrap_err().to_string();
        assert!(!error.contains("cannot be replaced"), "{error}");
    }

    #[cfg(unix)]
    #[test]
    fn only_a_second_name_of_the_target_is_removed() {
        let folder = Folder::new("second-name");
        let [target, part] = ["a", "a.pentarch.part"].map(|name| folder.0.join(name));
        fs::write(&target, "a").unwrap();
        fs::write(&part, "another file").unwrap();
        remove_leftover_partial_link(&target).unwrap();
        assert_eq!(folder.names(), ["a", "a.pentarch.part"]);
        fs::remove_file(&part).unwrap();
        fs::hard_link(&target, &part).unwrap();
        remove_leftover_partial_link(&target).unwrap();
        assert_eq!(folder.names(), ["a"]);
    }

    #[cfg(unix)]
    #[test]
    fn nothing_is_written_through_a_link() {
        let folder = Folder::new("link");
        let [target, part, victim] =
            ["a", "a.pentarch.part", "victim"].map(|name| folder.0.join(name));
        fs::write(&victim, "victim").unwrap();
        for replaces in [false, true] {
            std::os::unix::fs::symlink("victim", &part).unwrap();
            let file = write(&target, "one").unwrap();
            if replaces {
                file.commit_replacing_target().unwrap()
            } else {
                file.commit_as_new_target().unwrap()
            }
            assert_eq!(fs::read_to_string(&victim).unwrap(), "victim");
            assert!(target.symlink_metadata().unwrap().is_file());
        }
        assert_eq!(folder.names(), ["a", "victim"]);
    }

    #[test]
    fn runs_at_the_same_time_write_whole_files() {
        let folder = Folder::new("race");
        let target = folder.0.join("a");
        let start = Barrier::new(4);
        let committed: usize = thread::scope(|scope| {
            let run = |name: char| {
                start.wait();
                // All threads write to the same target at the same time. So a thread often finds
                // the partial file of another thread, and tries to lock and remove it.
                let text = String::from(name).repeat(1000);
                let written =
                    |_| write(&target, &text).and_then(NewFile::commit_as_new_target).is_ok();
                (0..20).filter(|&at| written(at)).count()
            };
            let runs: Vec<_> = "abcd".chars().map(|name| scope.spawn(move || run(name))).collect();
            runs.into_iter().map(|run| run.join().unwrap()).sum()
        });
        let text = fs::read_to_string(&target).unwrap();
        assert_eq!((committed, text.len()), (1, 1000));
        assert!(text.chars().all(|letter| text.starts_with(letter)));
        assert_eq!(folder.names(), ["a"]);
    }
}
