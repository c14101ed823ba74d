//! The state of an unfinished tuning in a file, so that the same command goes on after an interruption.
//!
//! The file is replaced after each step: an epoch of the training of a net, or an iteration of SPSA. Its first line is
//! the format. Then come 32-bit words, the low byte first: the two halves of the key of the tuning, the number of
//! finished steps, the numbers that make up the state, of which some may be added in each step, and the CRC-32 of all
//! bytes before.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::io::files::check_plain;
use pentarch_system::files::lock_file;
use pentarch_system::new_file::replace_file;
use pentarch_system::{ErrorContext, FileError, Located};

/// An error of the file of an unfinished tuning.
#[derive(Debug, Error)]
pub enum CheckpointError {
    /// The file cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// Another version of the program made the file, or another program.
    #[error("another version of the program made it; remove it to begin anew")]
    Version,
    /// The file has another checksum.
    #[error("it is damaged; remove it to begin anew")]
    Damaged,
    /// The file holds something else than a state of this tuning.
    #[error("it is of another tuning, by other games or flags; remove it to begin anew")]
    OtherTuning,
}

/// The file of an unfinished tuning. While it exists, no other run can have the same.
#[derive(Debug)]
pub struct Checkpoint {
    path: PathBuf,
    /// What the tuning depends on, as a hash.
    key: u64,
    /// A file beside it that is locked, since the file itself is replaced. It stays, because another run might lock it
    /// while it is removed.
    _lock: File,
}

/// The first line: the format and its version.
const FORMAT: &[u8] = b"pentarch checkpoint 2\n";

/// The number of words before the state.
const HEAD: usize = 3;

impl Checkpoint {
    /// The file at this path. `key` is a hash of what the tuning depends on.
    ///
    /// # Errors
    /// If another run has it, or the file of the lock cannot be written; the error names the file.
    pub fn new(path: PathBuf, key: u64) -> Result<Checkpoint, FileError> {
        let beside = with_ending(&path, LOCK);
        let open = || OpenOptions::new().append(true).create(true).open(&beside);
        let _lock = open().and_then(|file| lock_file(&file).map(|()| file)).in_file(&path)?;
        Ok(Checkpoint { path, key, _lock })
    }

    /// The file of the training of the net that is to be written to this path.
    ///
    /// # Errors
    /// As those of [`Checkpoint::new`].
    pub fn beside(net: &Path, key: u64) -> Result<Checkpoint, FileError> {
        Checkpoint::new(with_ending(net, CHECKPOINT), key)
    }

    /// The number of finished steps and the state after them, which is to have this length and so much more for each
    /// step; `None` if there is no file.
    ///
    /// # Errors
    /// If the file cannot be read, or is that of another tuning.
    pub fn read(
        &self,
        length: usize,
        more: usize,
    ) -> Result<Option<(u32, Vec<f32>)>, Located<CheckpointError>> {
        self.read_state(length, more).in_file(&self.path)
    }

    fn read_state(
        &self,
        length: usize,
        more: usize,
    ) -> Result<Option<(u32, Vec<f32>)>, CheckpointError> {
        let bytes = match check_plain(&self.path).and_then(|()| fs::read(&self.path)) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            other => other?,
        };
        let bytes = checked(&bytes)?;
        let words: Vec<[u8; 4]> = bytes.as_chunks().0.to_vec();
        let steps = words.get(2).map_or(0, |&word| u32::from_le_bytes(word));
        let is_own = words.iter().zip(self.head(0)).take(2).all(|(a, b)| *a == b);
        let state: Vec<f32> =
            words.iter().skip(HEAD).map(|&word| f32::from_le_bytes(word)).collect();
        let is_sound =
            bytes.len().is_multiple_of(4) && state.iter().all(|number| number.is_finite());
        if !is_own
            || !is_sound
            || words.len() != HEAD + length + more.saturating_mul(steps as usize)
        {
            return Err(CheckpointError::OtherTuning);
        }
        Ok(Some((steps, state)))
    }

    /// Replaces the file by the state after so many finished steps.
    ///
    /// # Errors
    /// If the file cannot be written; the error names it.
    pub fn write(&self, steps: u32, state: impl Iterator<Item = f32>) -> Result<(), FileError> {
        let words = self.head(steps).into_iter().chain(state.map(f32::to_le_bytes));
        let mut bytes = FORMAT.to_vec();
        bytes.extend(words.flatten());
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        replace_file(&self.path, &bytes).in_file(&self.path)
    }

    fn head(&self, steps: u32) -> [[u8; 4]; HEAD] {
        [self.key as u32, (self.key >> 32) as u32, steps].map(u32::to_le_bytes)
    }
}

/// Returns the words of a file, between its first line and its checksum.
///
/// # Errors
/// If it has another format or another checksum.
fn checked(bytes: &[u8]) -> Result<&[u8], CheckpointError> {
    let (before, checksum) = bytes.split_last_chunk().ok_or(CheckpointError::Version)?;
    let words = before.strip_prefix(FORMAT).ok_or(CheckpointError::Version)?;
    if crc32fast::hash(before) != u32::from_le_bytes(*checksum) {
        return Err(CheckpointError::Damaged);
    }
    Ok(words)
}

/// Removes the file of a training whose net has been written to this path, and its lock: no other run begins to train a
/// net that is there.
pub fn remove_beside(net: &Path) {
    let checkpoint = with_ending(net, CHECKPOINT);
    // A file that cannot be removed is only read or refused the next time.
    let _ =
        fs::remove_file(&checkpoint).and_then(|()| fs::remove_file(with_ending(&checkpoint, LOCK)));
}

/// What the name of the file of an unfinished training has more than that of its net.
const CHECKPOINT: &str = ".checkpoint";
/// What the name of a file with a lock has more than that of the file that it guards.
const LOCK: &str = ".lock";

fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn damaged_states_are_rejected() {
        let folder = std::env::temp_dir().join(format!("pentarch-state-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join("a.spsa");
        let checkpoint = Checkpoint::new(path.clone(), 0x0123_4567_89ab_cdef).unwrap();
        let state: Vec<f32> = (0..40).map(|number| number as f32 / 3.0).collect();
        checkpoint.write(5, state.iter().copied()).unwrap();
        assert_eq!(checkpoint.read(30, 2).unwrap(), Some((5, state)));
        assert!(matches!(checkpoint.read(31, 2).unwrap_err().error, CheckpointError::OtherTuning));
        let whole = fs::read(&path).unwrap();
        let mut rng = fastrand::Rng::with_seed(83);
        for _ in 0..200 {
            let mut damaged = whole.clone();
            let at = rng.usize(..whole.len());
            match rng.u8(..5) {
                0 => damaged[at] ^= 1 << rng.u8(..8),
                1 => damaged[at] = damaged[at].wrapping_add(rng.u8(1..)),
                2 => damaged.truncate(at),
                3 => damaged[at..].rotate_left(1),
                _ => damaged.insert(at, rng.u8(..)),
            }
            if damaged != whole {
                fs::write(&path, &damaged).unwrap();
                let error = checkpoint.read(30, 2).unwrap_err().error;
                assert!(matches!(error, CheckpointError::Damaged | CheckpointError::Version));
            }
        }
        // As the version before wrote it.
        fs::write(&path, &whole[FORMAT.len()..whole.len() - 4]).unwrap();
        assert!(matches!(checkpoint.read(30, 2).unwrap_err().error, CheckpointError::Version));
        fs::remove_dir_all(&folder).unwrap();
    }
}
