//! Making files of tables, for the command `tables`.

use std::path::Path;

use pentarch_system::Failure;

use crate::Rules;

/// Tables in files, which the command `tables` makes.
pub trait WriteTables: Rules {
    /// The names of what can be solved one after the other for files, if it can be chosen.
    const STAGES: &'static [&'static str] = &[];

    /// Whether something can be [extracted](WriteTables::extract) from the files.
    const HAS_EXTRACT: bool = false;

    /// Makes the files that `plan` requests, one after the other, and reports the progress to `tell`. Existing files stay.
    ///
    /// # Errors
    /// If the game has no such files, if one cannot be made or written, or if its values turn out wrong.
    fn write_files(
        &self,
        plan: &TablePlan,
        tell: &(dyn Fn(TableReport) + Sync),
    ) -> Result<(), Failure> {
        let _ = (plan, tell);
        Err(Failure::BadArguments(format!("{} has no tables in files", Self::NAME)))
    }

    /// Writes to an existing folder the parts of the files of `plan` that people need, because the whole files are too
    /// large to share. Returns whether the files cover the start position, so that games can be made from them.
    ///
    /// # Errors
    /// If the game has [nothing of the kind](WriteTables::HAS_EXTRACT), if a file of the plan is missing, cannot be
    /// read or turns out wrong, or if a file cannot be written.
    fn extract(
        &self,
        plan: &TablePlan,
        folder: &Path,
        tell: &(dyn Fn(TableReport) + Sync),
    ) -> Result<bool, Failure> {
        let _ = (plan, folder, tell);
        Err(Failure::BadArguments(format!(
            "there is nothing to extract from tables of {}",
            Self::ID
        )))
    }
}

/// Which tablebase files to make.
#[derive(Debug, Clone, Copy)]
pub struct TablePlan<'a> {
    /// The directory of the files.
    pub directory: &'a Path,
    /// The most men of a position, both sides together, or the number of walls, as it was entered: only the game knows
    /// which numbers it takes.
    pub men: &'a str,
    /// Whether to verify positions against those that their moves lead to.
    pub check: bool,
    /// On how many threads to work.
    pub threads: usize,
    /// How many bytes of memory are free, if that is known.
    pub free_memory: Option<u64>,
    /// How many bytes of the disk with the directory are free, if that is known.
    pub free_disk: Option<u64>,
    /// Which of the [stages](WriteTables::STAGES) to solve, parted by commas; none for those that a game is played by.
    pub stages: Option<&'a str>,
}

/// A report on the making of a tablebase file.
#[derive(Debug, Clone, Copy)]
pub enum TableReport<'a> {
    /// The current job for the file of this name, and the share of the expected work that is done.
    Working(&'a str, f64),
    /// Something to know before the work begins.
    Note(&'a str),
    /// A result, as one line.
    Result(&'a str),
    /// A file that exists cannot be used, for this reason; it is discarded, and recomputed where needed.
    Refused(&'a str),
    /// The positions of the file of this name are being checked, of which this share is done, if that is known.
    Checking(&'a str, Option<f64>),
    /// The file of this name has been made; with its number of bytes of values.
    Made(&'a str, usize),
    /// The file of this name existed already; with its number of bytes of values.
    Kept(&'a str, usize),
}
