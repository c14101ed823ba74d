//! The state of an unfinished tuning in a file, so that the same command goes on after an interruption.
//!
//! The file is replaced after each step: an epoch of the training of a net, or an iteration of SPSA. It holds 32-bit
//! words, the low byte first: the two halves of the key of the tuning, the number of finished steps, and the numbers
//! that make up the state, of which some may be added in each step.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::io::files::{check_plain, new_file};

/// The file of an unfinished tuning.
#[derive(Debug, Clone)]
pub struct Checkpoint {
    path: PathBuf,
    /// What the tuning depends on, as a hash.
    key: u64,
}

/// The number of words before the state.
const HEAD: usize = 3;

impl Checkpoint {
    /// The file at this path. `key` is a hash of what the tuning depends on.
    pub fn new(path: PathBuf, key: u64) -> Checkpoint {
        Checkpoint { path, key }
    }

    /// The file of the training of the net that is to be written to this path.
    pub fn beside(net: &Path, key: u64) -> Checkpoint {
        Checkpoint::new(path_beside(net), key)
    }

    /// The number of finished steps and the state after them, which is to have this length and so much more for each
    /// step; `None` if there is no file.
    ///
    /// # Errors
    /// If the file cannot be read, or is that of another tuning.
    pub fn read(&self, length: usize, more: usize) -> Result<Option<(u32, Vec<f32>)>, String> {
        let named = |error: &dyn std::fmt::Display| format!("{}: {error}", self.path.display());
        let bytes = match check_plain(&self.path).and_then(|()| fs::read(&self.path)) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            other => other.map_err(|error| named(&error))?,
        };
        let words: Vec<[u8; 4]> = bytes.as_chunks().0.to_vec();
        let steps = words.get(2).map_or(0, |&word| u32::from_le_bytes(word));
        let is_own = words.iter().zip(self.head(0)).take(2).all(|(a, b)| *a == b);
        let state: Vec<f32> = words.iter().skip(HEAD).map(|&word| f32::from_le_bytes(word)).collect();
        let is_sound = bytes.len().is_multiple_of(4) && state.iter().all(|number| number.is_finite());
        if !is_own || !is_sound || words.len() != HEAD + length + more.saturating_mul(steps as usize) {
            return Err(named(&"it is of another tuning, by other games or flags; remove it to begin anew"));
        }
        Ok(Some((steps, state)))
    }

    /// Replaces the file by the state after so many finished steps.
    ///
    /// # Errors
    /// If the file cannot be written; the error names it.
    pub fn write(&self, steps: u32, state: impl Iterator<Item = f32>) -> Result<(), String> {
        let words = self.head(steps).into_iter().chain(state.map(f32::to_le_bytes));
        let mut new = self.path.clone().into_os_string();
        new.push(".new");
        // What a run that was interrupted here has left is in the way, and nothing is written through a link.
        let _ = fs::remove_file(&new);
        let bytes: Vec<u8> = words.flatten().collect();
        let written = new_file(Path::new(&new), &bytes).and_then(|()| fs::rename(&new, &self.path));
        written.map_err(|error| format!("{}: {error}", self.path.display()))
    }

    fn head(&self, steps: u32) -> [[u8; 4]; HEAD] {
        [self.key as u32, (self.key >> 32) as u32, steps].map(u32::to_le_bytes)
    }
}

/// Removes the file of a training whose net has been written to this path.
pub fn remove_beside(net: &Path) {
    // A file that cannot be removed is only read or refused the next time.
    let _ = fs::remove_file(path_beside(net));
}

fn path_beside(net: &Path) -> PathBuf {
    let mut name = net.as_os_str().to_owned();
    name.push(".part");
    name.into()
}
