//! The file of an unfinished tuning, from which the same command continues after an interruption.
//!
//! The file is replaced after each step: a training epoch of a net, or an iteration of SPSA. Its
//! first line is the format. 32-bit words follow, low byte first:
//!
//! - the two halves of the key, which is a hash of everything that the tuning depends on
//! - the number of finished steps
//! - the numbers of the state; a step may add further numbers
//! - the CRC-32 of all bytes before this word

use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::io::whole_files::check_regular_file;
use pentarch_system::file_system::{lock_file, open_without_link, path_with_suffix};
use pentarch_system::new_file::replace_file;
use pentarch_system::{FileError, LocatedError, WithErrorLocation};

/// The reason why the file of an unfinished tuning cannot be used.
#[derive(Debug, Error)]
pub enum CheckpointError {
    /// The file cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// Another program, or another version of this program, wrote the file.
    #[error("another version of the program made it; remove it to start from scratch")]
    Version,
    /// The checksum of the file does not match its contents.
    #[error("it is damaged; remove it to start from scratch")]
    Damaged,
    /// The file does not contain a state of this tuning.
    #[error(
        "it belongs to another tuning, with other games or flags; remove it to start from scratch"
    )]
    OtherTuning,
}

/// The file of an unfinished tuning. While the value exists, no other run can use the file.
#[derive(Debug)]
pub struct CheckpointFile {
    path: PathBuf,
    /// The hash of everything that the tuning depends on.
    key: u64,
    /// A locked file next to the checkpoint. The checkpoint itself cannot be locked, because each
    /// step replaces it. Dropping the value does not remove the lock file, because another run
    /// might lock the file during the removal.
    _lock: File,
}

/// The first line of a checkpoint: the format and its version.
const CHECKPOINT_FORMAT: &[u8] = b"pentarch checkpoint 2\n";

/// The number of words before the state.
const CHECKPOINT_HEADER_WORDS: usize = 3;

impl CheckpointFile {
    /// Locks the file at this path. `key` is a hash of everything that the tuning depends on.
    ///
    /// # Errors
    /// If another run has locked the file, or the lock file cannot be written. The error names the
    /// file.
    pub fn new(path: PathBuf, key: u64) -> Result<CheckpointFile, FileError> {
        let lock_path = path_with_suffix(&path, LOCK_FILE_SUFFIX);
        let lock = open_without_link(&lock_path).with_file_path(&lock_path)?;
        lock_file(&lock).with_file_path(&path)?;
        Ok(CheckpointFile { path, key, _lock: lock })
    }

    /// Locks the checkpoint of the net at this path.
    ///
    /// # Errors
    /// The errors of [`CheckpointFile::new`].
    pub fn lock_for_net(net: &Path, key: u64) -> Result<CheckpointFile, FileError> {
        CheckpointFile::new(path_with_suffix(net, CHECKPOINT_SUFFIX), key)
    }

    /// Returns the number of finished steps and the state after them; `None` if there is no file.
    /// The state must have `length` numbers, and `per_step` further numbers for each step.
    ///
    /// # Errors
    /// If the file cannot be read, or belongs to another tuning.
    pub fn read(
        &self,
        length: usize,
        per_step: usize,
    ) -> Result<Option<(u32, Vec<f32>)>, LocatedError<CheckpointError>> {
        self.read_checkpoint_state(length, per_step).with_file_path(&self.path)
    }

    fn read_checkpoint_state(
        &self,
        length: usize,
        per_step: usize,
    ) -> Result<Option<(u32, Vec<f32>)>, CheckpointError> {
        let bytes = match check_regular_file(&self.path).and_then(|()| fs::read(&self.path)) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            other => other?,
        };
        let bytes = verified_checkpoint_words(&bytes)?;
        let words: Vec<[u8; 4]> = bytes.as_chunks().0.to_vec();
        let steps = words.get(2).map_or(0, |&word| u32::from_le_bytes(word));
        let has_key = words.iter().zip(self.header(0)).take(2).all(|(a, b)| *a == b);
        let state: Vec<f32> = words
            .iter()
            .skip(CHECKPOINT_HEADER_WORDS)
            .map(|&word| f32::from_le_bytes(word))
            .collect();
        let is_valid =
            bytes.len().is_multiple_of(4) && state.iter().all(|number| number.is_finite());
        if !has_key
            || !is_valid
            || words.len()
                != CHECKPOINT_HEADER_WORDS + length + per_step.saturating_mul(steps as usize)
        {
            return Err(CheckpointError::OtherTuning);
        }
        Ok(Some((steps, state)))
    }

    /// Replaces the file with the state after `steps` finished steps.
    ///
    /// # Errors
    /// If the file cannot be written; the error names the file.
    pub fn write(&self, steps: u32, state: impl Iterator<Item = f32>) -> Result<(), FileError> {
        let words = self.header(steps).into_iter().chain(state.map(f32::to_le_bytes));
        let mut bytes = CHECKPOINT_FORMAT.to_vec();
        bytes.extend(words.flatten());
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        replace_file(&self.path, &bytes).with_file_path(&self.path)
    }

    fn header(&self, steps: u32) -> [[u8; 4]; CHECKPOINT_HEADER_WORDS] {
        [self.key as u32, (self.key >> 32) as u32, steps].map(u32::to_le_bytes)
    }
}

/// Returns the words of a file, between its first line and its checksum.
///
/// # Errors
/// If the file has another format or another checksum.
fn verified_checkpoint_words(bytes: &[u8]) -> Result<&[u8], CheckpointError> {
    let (before, checksum) = bytes.split_last_chunk().ok_or(CheckpointError::Version)?;
    let words = before.strip_prefix(CHECKPOINT_FORMAT).ok_or(CheckpointError::Version)?;
    if crc32fast::hash(before) != u32::from_le_bytes(*checksum) {
        return Err(CheckpointError::Damaged);
    }
    Ok(words)
}

/// Removes the checkpoint and the lock file of a net that has been written to this path. No other
/// run can have begun to train the net, because the file of the net exists.
pub fn remove_checkpoint_of_net(net: &Path) {
    let checkpoint = path_with_suffix(net, CHECKPOINT_SUFFIX);
    // A remaining file is harmless: the next run reads or rejects it.
    let _ = fs::remove_file(&checkpoint)
        .and_then(|()| fs::remove_file(path_with_suffix(&checkpoint, LOCK_FILE_SUFFIX)));
}

/// The suffix of a checkpoint after the name of its net.
const CHECKPOINT_SUFFIX: &str = ".checkpoint";
/// The suffix of a lock file after the name of the file that it guards.
const LOCK_FILE_SUFFIX: &str = ".lock";

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn the_lock_follows_no_link() {
        let folder = std::env::temp_dir().join(format!("pentarch-lock-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        std::os::unix::fs::symlink("victim", folder.join("a.spsa.lock")).unwrap();
        let error = CheckpointFile::new(folder.join("a.spsa"), 0).unwrap_err().to_string();
        assert!(error.ends_with("a.spsa.lock: it is not a regular file"), "{error}");
        assert!(!folder.join("victim").exists());
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn damaged_states_are_rejected() {
        let folder = std::env::temp_dir().join(format!("pentarch-state-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join("a.spsa");
        let checkpoint = CheckpointFile::new(path.clone(), 0x0123_4567_89ab_cdef).unwrap();
        let state: Vec<f32> = (0..40).map(|number| number as f32 / 3.0).collect();
        checkpoint.write(5, state.iter().copied()).unwrap();
        assert_eq!(checkpoint.read(30, 2).unwrap(), Some((5, state)));
        assert!(matches!(checkpoint.read(31, 2).unwrap_err().error, CheckpointError::OtherTuning));
        let whole = fs::read(&path).unwrap();
        let mut rng = fastrand::Rng::with_seed(83);
        for _ in 0..200 {
            let mut damaged = whole.clone();
            let index = rng.usize(..whole.len());
            match rng.u8(..5) {
                0 => damaged[index] ^= 1 << rng.u8(..8),
                1 => damaged[index] = damaged[index].wrapping_add(rng.u8(1..)),
                2 => damaged.truncate(index),
                3 => damaged[index..].rotate_left(1),
                _ => damaged.insert(index, rng.u8(..)),
            }
            if damaged != whole {
                fs::write(&path, &damaged).unwrap();
                let error = checkpoint.read(30, 2).unwrap_err().error;
                assert!(matches!(error, CheckpointError::Damaged | CheckpointError::Version));
            }
        }
        // The file has the format of the previous version.
        fs::write(&path, &whole[CHECKPOINT_FORMAT.len()..whole.len() - 4]).unwrap();
        assert!(matches!(checkpoint.read(30, 2).unwrap_err().error, CheckpointError::Version));
        fs::remove_dir_all(&folder).unwrap();
    }
}
