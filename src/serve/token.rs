//! The token in the address of the page. The token is stored in a file, so that the address is the
//! same at the next start. Only the owner of the file can read it.
//!
//! Each port has its own token. While the server is down, another user's program may take the port.
//! Open pages then send the token of this port to that program. The token is useless on any other
//! port.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
#[cfg(unix)]
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

#[cfg(unix)]
use rustix::process::geteuid;

use crate::io::output::print_to_stderr;
use crate::io::state_folder::{create_private_folder, user_state_folder};
use crate::io::whole_files::{open_regular_file, read_open_file_text};
use pentarch_system::error_location::path_on_one_line;
use pentarch_system::new_file::NewFile;
use pentarch_system::{LocatedError, WithErrorLocation};
use thiserror::Error;

/// Number of hexadecimal digits of a token.
const TOKEN_HEX_DIGITS: usize = 32;

/// An error that prevents storing a token.
#[derive(Debug, Error)]
enum TokenStoreError {
    /// The system has no folder for the file.
    #[error("the system names no folder for it")]
    NoFolder,
    /// The file cannot be used.
    #[error(transparent)]
    File(#[from] LocatedError<TokenFileError>),
}

#[derive(Debug, Error)]
enum TokenFileError {
    /// The file cannot be opened or written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The contents of the file cannot be read.
    #[error("{0}; {REPLACE_TOKEN_HINT}")]
    Unreadable(io::Error),
    /// Users other than the owner of the file can read it.
    #[error("other users can read it; {REPLACE_TOKEN_HINT}")]
    Public,
    /// The file belongs to another user.
    #[error("it belongs to another user; {REPLACE_TOKEN_HINT}")]
    Foreign,
    /// Users other than the owner of the folder can write to it.
    #[error("other users can change its contents; 'chmod 700 {}' prevents that", path_on_one_line(.folder))]
    SharedFolder {
        /// The folder.
        folder: PathBuf,
    },
    /// The folder belongs to another user.
    #[error("it belongs to another user; set XDG_STATE_HOME to a folder of yours")]
    ForeignFolder,
    /// The contents of the file are not a token.
    #[error("it does not contain a token; {REPLACE_TOKEN_HINT}")]
    NotAToken,
    /// Another run of the program has created the file, but the file no longer exists.
    #[error("it is gone again")]
    Gone,
}

/// The advice for an unusable file.
const REPLACE_TOKEN_HINT: &str = "'pentarch serve --new-token' replaces it";

/// Returns the token for this port. Without a stored token, or with `replace`, creates and stores a
/// new token. If the new token cannot be stored, prints the reason, and the token is valid only
/// until the server ends.
///
/// # Errors
/// If the system does not provide random bytes.
pub(super) fn load_or_create_token(port: u16, replace: bool) -> Result<String, getrandom::Error> {
    let new = random_token()?;
    let folder = user_state_folder().ok_or(TokenStoreError::NoFolder);
    let stored = folder.and_then(|folder| Ok(load_or_store_token(&folder, port, &new, replace)?));
    Ok(stored.unwrap_or_else(|error| {
        let reason = format!("since its token cannot be stored: {error}");
        print_to_stderr(&format!("the address is for this start only, {reason}"));
        new
    }))
}

/// Returns 128 random bits from a secure source, as hexadecimal digits.
///
/// # Errors
/// If the system does not provide random bytes.
pub(super) fn random_token() -> Result<String, getrandom::Error> {
    let mut bytes = [0; TOKEN_HEX_DIGITS / 2];
    getrandom::fill(&mut bytes)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Returns the token that this folder contains for this port. If there is no token, or if `replace`
/// is true, stores `new` and returns `new`.
///
/// # Errors
/// Returns an error in these cases:
/// - The contents of the file are not a token.
/// - Other users can read the file or may have written it.
/// - The file cannot be read or written.
fn load_or_store_token(
    folder: &Path,
    port: u16,
    new: &str,
    replace: bool,
) -> Result<String, LocatedError<TokenFileError>> {
    create_private_folder(folder)
        .map_err(TokenFileError::Io)
        .and_then(|()| check_folder_permissions(folder))
        .with_file_path(folder)?;
    let path = folder.join(format!("serve-{port}.token"));
    if !replace && let Some(stored) = read_token_file(&path).with_file_path(&path)? {
        return Ok(stored);
    }
    let write = || {
        let mut file = NewFile::create_private(&path)?;
        writeln!(file, "{new}")?;
        if replace { file.commit_replacing_target() } else { file.commit_as_new_target() }
    };
    let token = match write() {
        Ok(()) => Ok(new.into()),
        // Another process has stored its token first.
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            read_token_file(&path).and_then(|token| token.ok_or(TokenFileError::Gone))
        }
        Err(error) => Err(error.into()),
    };
    token.with_file_path(&path)
}

fn read_token_file(path: &Path) -> Result<Option<String>, TokenFileError> {
    let mut file = match open_regular_file(OpenOptions::new().read(true), path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        opened => opened?,
    };
    check_file_permissions(&file)?;
    let text = read_open_file_text(&mut file).map_err(TokenFileError::Unreadable)?;
    let token = text.trim_end();
    let is_token = token.len() == TOKEN_HEX_DIGITS
        && token.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    if is_token { Ok(Some(token.into())) } else { Err(TokenFileError::NotAToken) }
}

/// Checks that a file belongs to this user, and that no other user can read or write it.
#[cfg(unix)]
fn check_file_permissions(file: &File) -> Result<(), TokenFileError> {
    let metadata = file.metadata()?;
    match metadata.mode() & 0o077 {
        _ if metadata.uid() != geteuid().as_raw() => Err(TokenFileError::Foreign),
        0 => Ok(()),
        _ => Err(TokenFileError::Public),
    }
}

/// Checks that a folder belongs to this user, and that no other user can replace a file in it.
#[cfg(unix)]
fn check_folder_permissions(folder: &Path) -> Result<(), TokenFileError> {
    let metadata = fs::metadata(folder)?;
    match metadata.mode() & 0o022 {
        _ if metadata.uid() != geteuid().as_raw() => Err(TokenFileError::ForeignFolder),
        0 => Ok(()),
        _ => Err(TokenFileError::SharedFolder { folder: folder.into() }),
    }
}

/// Accepts every file, because on these systems only the owner can access the folder for the user's
/// data.
#[cfg(not(unix))]
fn check_file_permissions(_: &File) -> Result<(), TokenFileError> {
    Ok(())
}

/// Accepts every folder, because on these systems only the owner can access the folder for the
/// user's data.
#[cfg(not(unix))]
fn check_folder_permissions(_: &Path) -> Result<(), TokenFileError> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;
    use std::thread;

    use super::*;

    struct TemporaryFolder(PathBuf);

    impl TemporaryFolder {
        fn new() -> TemporaryFolder {
            let name = format!("pentarch-token-{}-{:016x}", std::process::id(), fastrand::u64(..));
            TemporaryFolder(std::env::temp_dir().join(name))
        }
    }

    impl Drop for TemporaryFolder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn a_port_has_the_same_token_until_it_is_replaced() {
        let folder = TemporaryFolder::new();
        let keep = |port, replace| {
            let folder = folder.0.join("state/pentarch");
            load_or_store_token(&folder, port, &random_token().unwrap(), replace).unwrap()
        };
        let one = keep(1, false);
        let other = keep(2, false);
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
    fn only_its_owner_can_read_the_file() {
        use std::os::unix::fs::PermissionsExt;

        let folder = TemporaryFolder::new();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        let keep = |replace| load_or_store_token(&folder.0, 1, &random_token().unwrap(), replace);
        let token = keep(false).unwrap();
        let path = folder.0.join("serve-1.token");
        assert_eq!([mode(&folder.0), mode(&path)], [0o700, 0o600]);
        for others in [0o604, 0o640, 0o602, 0o644] {
            fs::set_permissions(&path, fs::Permissions::from_mode(others)).unwrap();
            let rejected = keep(false).unwrap_err();
            assert!(matches!(rejected.error, TokenFileError::Public), "{rejected}");
        }
        assert_ne!(keep(true).unwrap(), token);
        assert_eq!(mode(&path), 0o600);
    }

    #[cfg(unix)]
    #[test]
    fn rejects_files_and_folders_of_other_users() {
        use std::os::unix::fs::{PermissionsExt, chown};

        let folder = TemporaryFolder::new();
        let keep = |replace| load_or_store_token(&folder.0, 1, &random_token().unwrap(), replace);
        let token = keep(false).unwrap();
        for mode in [0o777, 0o770, 0o1777] {
            fs::set_permissions(&folder.0, fs::Permissions::from_mode(mode)).unwrap();
            for replace in [false, true] {
                let rejected = keep(replace).unwrap_err();
                let remedy = format!("'chmod 700 {}' prevents that", folder.0.display());
                assert!(rejected.to_string().ends_with(&remedy), "{rejected}");
            }
        }
        fs::set_permissions(&folder.0, fs::Permissions::from_mode(0o755)).unwrap();
        assert_eq!(keep(false).unwrap(), token);
        // Only root can change the owner of a file.
        const NOBODY: Option<u32> = Some(65_534);
        if chown(folder.0.join("serve-1.token"), NOBODY, None).is_ok() {
            let rejected = keep(false).unwrap_err();
            assert!(matches!(rejected.error, TokenFileError::Foreign), "{rejected}");
            chown(&folder.0, NOBODY, None).unwrap();
            let rejected = keep(false).unwrap_err();
            assert!(matches!(rejected.error, TokenFileError::ForeignFolder), "{rejected}");
        }
    }

    #[test]
    fn rejects_and_leaves_files_that_are_not_tokens() {
        let folder = TemporaryFolder::new();
        let keep = |replace| load_or_store_token(&folder.0, 1, &random_token().unwrap(), replace);
        keep(false).unwrap();
        let path = folder.0.join("serve-1.token");
        for text in [
            "",
            "\n",
            "0",
            &"g".repeat(TOKEN_HEX_DIGITS),
            &"A".repeat(TOKEN_HEX_DIGITS),
            &"0".repeat(TOKEN_HEX_DIGITS + 1),
            "../../x",
        ] {
            fs::write(&path, text).unwrap();
            let rejected = keep(false).unwrap_err();
            assert!(matches!(rejected.error, TokenFileError::NotAToken), "{text}: {rejected}");
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
        assert_eq!(keep(true).unwrap(), keep(false).unwrap());
        fs::remove_file(&path).unwrap();
        fs::create_dir(&path).unwrap();
        assert!(keep(false).unwrap_err().to_string().contains("it is not a regular file"));
        assert!(keep(true).is_err());
    }

    #[test]
    fn simultaneous_starts_have_the_same_token() {
        let folder = TemporaryFolder::new();
        let start = Barrier::new(8);
        let tokens: Vec<String> = thread::scope(|scope| {
            let keep = || {
                let new = random_token().unwrap();
                start.wait();
                load_or_store_token(&folder.0, 1, &new, false).unwrap()
            };
            let starts: Vec<_> = (0..8).map(|_| scope.spawn(keep)).collect();
            starts.into_iter().map(|start| start.join().unwrap()).collect()
        });
        assert!(tokens.iter().all(|token| *token == tokens[0]), "{tokens:?}");
    }
}
