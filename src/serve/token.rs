//! The token in the address of the page, which is kept in a file that only its owner can read, so that the address is
//! the same at the next start.
//!
//! Each port has a token of its own. Who listens on a port while the server does not is sent the token of that port by
//! pages that are still open, and can do nothing with it on another one.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
#[cfg(unix)]
use std::os::unix::fs::MetadataExt;
use std::path::Path;

#[cfg(unix)]
use rustix::process::geteuid;

use crate::io::files::{open_plain, read_text};
use crate::io::output::tell;
use crate::io::state::{create_folder, folder};
use pentarch_system::new_file::NewFile;
use pentarch_system::{ErrorContext, Located};
use thiserror::Error;

/// How many hexadecimal digits a token has.
const DIGITS: usize = 32;

/// The reason why a token is not stored.
#[derive(Debug, Error)]
enum KeepError {
    /// The system has no folder for the file.
    #[error("the system names no folder for it")]
    NoFolder,
    /// The file cannot be used.
    #[error(transparent)]
    File(#[from] Located<TokenFileError>),
}

/// An error of the file of a token, or of its folder.
#[derive(Debug, Error)]
enum TokenFileError {
    /// The file cannot be opened or written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The contents of the file cannot be read.
    #[error("{0}; {REMEDY}")]
    Unreadable(io::Error),
    /// Others than the owner of the file can read it.
    #[error("other users can read it; {REMEDY}")]
    Public,
    /// The file is another user's.
    #[error("it is another user's; {REMEDY}")]
    Foreign,
    /// The folder is another user's, or others can write to it.
    #[error("other users can change what is in it")]
    SharedFolder,
    /// The file has other contents.
    #[error("it holds no token; {REMEDY}")]
    NotAToken,
    /// The file that another start has made is gone.
    #[error("it is gone again")]
    Gone,
}

/// The advice for a file that cannot be used.
const REMEDY: &str = "'pentarch serve --new-token' replaces it";

/// The token for this port: the one that is kept, or a new one, which is kept then. `anew` says that it is to be a new
/// one. A token that cannot be kept is reported, and is for this start only.
///
/// # Errors
/// If the system gives no random bytes.
pub fn token(port: u16, anew: bool) -> Result<String, getrandom::Error> {
    let new = random()?;
    let folder = folder().ok_or(KeepError::NoFolder);
    let kept = folder.and_then(|folder| Ok(keep(&folder, port, &new, anew)?));
    Ok(kept.unwrap_or_else(|error| {
        tell(&format!("the address is for this start only, since its token is not kept: {error}"));
        new
    }))
}

/// 128 bits that cannot be guessed, as hexadecimal digits.
///
/// # Errors
/// If the system gives no random bytes.
pub fn random() -> Result<String, getrandom::Error> {
    let mut bytes = [0; DIGITS / 2];
    getrandom::fill(&mut bytes)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// The token that is kept in this folder for this port. If there is none, or `anew` says so, the new one is kept.
///
/// # Errors
/// If what is kept is no token, others can read it or may have written it, or the file cannot be read or written.
fn keep(
    folder: &Path,
    port: u16,
    new: &str,
    anew: bool,
) -> Result<String, Located<TokenFileError>> {
    create_folder(folder)
        .map_err(TokenFileError::Io)
        .and_then(|()| check_folder(folder))
        .in_file(folder)?;
    let path = folder.join(format!("serve-{port}.token"));
    if !anew && let Some(kept) = read(&path).in_file(&path)? {
        return Ok(kept);
    }
    let write = || {
        let mut file = NewFile::create_private(&path)?;
        writeln!(file, "{new}")?;
        if anew { file.replace() } else { file.commit() }
    };
    let kept = match write() {
        Ok(()) => Ok(new.into()),
        // Another start was faster.
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            read(&path).and_then(|token| token.ok_or(TokenFileError::Gone))
        }
        Err(error) => Err(error.into()),
    };
    kept.in_file(&path)
}

/// The token in a file; none if there is no file.
fn read(path: &Path) -> Result<Option<String>, TokenFileError> {
    let mut file = match open_plain(OpenOptions::new().read(true), path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        opened => opened?,
    };
    check_owner(&file)?;
    let text = read_text(&mut file).map_err(TokenFileError::Unreadable)?;
    let token = text.trim_end();
    let is_token = token.len() == DIGITS
        && token.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    if is_token { Ok(Some(token.into())) } else { Err(TokenFileError::NotAToken) }
}

/// Checks that a file is this user's, and that no other user can read it or write to it.
#[cfg(unix)]
fn check_owner(file: &File) -> Result<(), TokenFileError> {
    let metadata = file.metadata()?;
    match metadata.mode() & 0o077 {
        _ if metadata.uid() != geteuid().as_raw() => Err(TokenFileError::Foreign),
        0 => Ok(()),
        _ => Err(TokenFileError::Public),
    }
}

/// Checks that a folder is this user's, and that no other user can put another file in the place of one.
#[cfg(unix)]
fn check_folder(folder: &Path) -> Result<(), TokenFileError> {
    let metadata = fs::metadata(folder)?;
    if metadata.uid() != geteuid().as_raw() || metadata.mode() & 0o022 != 0 {
        return Err(TokenFileError::SharedFolder);
    }
    Ok(())
}

/// Accepts each file: the folder of the user's own data gives what is in it to its owner only.
#[cfg(not(unix))]
fn check_owner(_: &File) -> Result<(), TokenFileError> {
    Ok(())
}

/// Accepts each folder, see above.
#[cfg(not(unix))]
fn check_folder(_: &Path) -> Result<(), TokenFileError> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;
    use std::sync::Barrier;
    use std::thread;

    use super::*;

    /// A folder that is removed in the end.
    struct Temporary(PathBuf);

    impl Temporary {
        fn new() -> Temporary {
            let name = format!("pentarch-token-{}-{:016x}", std::process::id(), fastrand::u64(..));
            Temporary(std::env::temp_dir().join(name))
        }
    }

    impl Drop for Temporary {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn a_token_is_kept_for_its_port_until_a_new_one_is_asked_for() {
        let folder = Temporary::new();
        let keep = |port, anew| {
            keep(&folder.0.join("state/pentarch"), port, &random().unwrap(), anew).unwrap()
        };
        let (one, other) = (keep(1, false), keep(2, false));
        assert_ne!(one, other);
        assert_eq!([keep(1, false), keep(2, false)], [one.as_str(), &other]);
        let new = keep(1, true);
        assert_ne!(new, one);
        assert_eq!([keep(1, false), keep(2, false)], [new, other]);
        let names = fs::read_dir(folder.0.join("state/pentarch"))
            .unwrap()
            .map(|entry| entry.unwrap().file_name());
        let mut names: Vec<_> = names.map(|name| name.into_string().unwrap()).collect();
        names.sort();
        assert_eq!(names, ["serve-1.token", "serve-2.token"]);
    }

    #[cfg(unix)]
    #[test]
    fn what_is_kept_is_its_owner_s_only() {
        use std::os::unix::fs::PermissionsExt;

        let folder = Temporary::new();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        let keep = |anew| keep(&folder.0, 1, &random().unwrap(), anew);
        let token = keep(false).unwrap();
        let path = folder.0.join("serve-1.token");
        assert_eq!([mode(&folder.0), mode(&path)], [0o700, 0o600]);
        for others in [0o604, 0o640, 0o602, 0o644] {
            fs::set_permissions(&path, fs::Permissions::from_mode(others)).unwrap();
            let refused = keep(false).unwrap_err();
            assert!(matches!(refused.error, TokenFileError::Public), "{refused}");
        }
        assert_ne!(keep(true).unwrap(), token);
        assert_eq!(mode(&path), 0o600);
    }

    #[cfg(unix)]
    #[test]
    fn rejects_files_and_folders_of_other_users() {
        use std::os::unix::fs::{PermissionsExt, chown};

        let folder = Temporary::new();
        let keep = |anew| keep(&folder.0, 1, &random().unwrap(), anew);
        let token = keep(false).unwrap();
        for mode in [0o777, 0o770, 0o1777] {
            fs::set_permissions(&folder.0, fs::Permissions::from_mode(mode)).unwrap();
            for anew in [false, true] {
                let rejected = keep(anew).unwrap_err();
                assert!(matches!(rejected.error, TokenFileError::SharedFolder), "{rejected}");
            }
        }
        fs::set_permissions(&folder.0, fs::Permissions::from_mode(0o755)).unwrap();
        assert_eq!(keep(false).unwrap(), token);
        // Only root can give files away.
        const NOBODY: Option<u32> = Some(65_534);
        if chown(folder.0.join("serve-1.token"), NOBODY, None).is_ok() {
            let rejected = keep(false).unwrap_err();
            assert!(matches!(rejected.error, TokenFileError::Foreign), "{rejected}");
            chown(&folder.0, NOBODY, None).unwrap();
            let rejected = keep(false).unwrap_err();
            assert!(matches!(rejected.error, TokenFileError::SharedFolder), "{rejected}");
        }
    }

    #[test]
    fn what_is_no_token_is_refused_and_stays() {
        let folder = Temporary::new();
        let keep = |anew| keep(&folder.0, 1, &random().unwrap(), anew);
        keep(false).unwrap();
        let path = folder.0.join("serve-1.token");
        for text in [
            "",
            "\n",
            "0",
            &"g".repeat(DIGITS),
            &"A".repeat(DIGITS),
            &"0".repeat(DIGITS + 1),
            "../../x",
        ] {
            fs::write(&path, text).unwrap();
            let refused = keep(false).unwrap_err();
            assert!(matches!(refused.error, TokenFileError::NotAToken), "{text}: {refused}");
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
        assert_eq!(keep(true).unwrap(), keep(false).unwrap());
        fs::remove_file(&path).unwrap();
        fs::create_dir(&path).unwrap();
        assert!(keep(false).unwrap_err().to_string().contains("it is no plain file"));
        assert!(keep(true).is_err());
    }

    #[test]
    fn starts_at_the_same_time_keep_the_same_token() {
        let folder = Temporary::new();
        let start = Barrier::new(8);
        let tokens: Vec<String> = thread::scope(|scope| {
            let keep = || {
                let new = random().unwrap();
                start.wait();
                keep(&folder.0, 1, &new, false).unwrap()
            };
            let starts: Vec<_> = (0..8).map(|_| scope.spawn(keep)).collect();
            starts.into_iter().map(|start| start.join().unwrap()).collect()
        });
        assert!(tokens.iter().all(|token| *token == tokens[0]), "{tokens:?}");
    }
}
