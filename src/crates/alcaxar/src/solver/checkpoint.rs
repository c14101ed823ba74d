//! Saves the solver's progress, resumes from the saved progress, and manages the files of ended
//! stages.

use std::path::Path;
use std::sync::PoisonError;
use std::sync::atomic::Ordering::Relaxed;

use bytemuck::{cast_slice, cast_slice_mut};

use pentarch_core::Side;
use pentarch_core::tables::directory::{TableDirectory, table_file_path};
use pentarch_system::{FileError, WithErrorLocation};
use pentarch_tables::error::TableFileError;
use pentarch_tables::table_file::{self, StoredTableValues};

use super::checker::{CheckFailure, FailedStageCheck};
use super::compressed_sets::ChunkPairSets;
use super::entries::SolverEntries;
use super::entry_numbering::EntryNumbering;
use super::error::{SolverError, SolverFileError};
use super::file_names::{stage_file_name, table_file_name, win_rank_log_path, win_ranks_file_name};
use super::pair_set::PairSet;
use super::progress::{ProgressWords, SolverProgress};
use super::stage_runner::StageRunner;
use super::stages::Stage;
use super::wall_sets::count_wall_sets;
use super::win_rank_log::{WinRankLog, write_win_rank_file};
use super::{RetrogradeSolver, WALL_SETS_PER_CHUNK};

/// The minimum number of updates per set of walls between two saves. A save takes about as long as
/// one update of all sets.
const SAVE_INTERVAL_UPDATES: usize = 20;

/// The methods that read and write files. During a stage, the file `entries` contains the progress,
/// the due words, all entries and the closed classes. When a stage has ended, the file `progress`
/// contains only the progress.
impl StageRunner {
    /// Continues from the files in a directory. If there are no files, the runner starts from
    /// scratch.
    ///
    /// # Errors
    /// If a file cannot be used. In this case the runner solves the file's stage from scratch.
    pub fn resume(&mut self, directory: &Path) -> Result<(), SolverError> {
        let files = TableDirectory(directory);
        self.progress = self.load_progress(directory)?;
        self.begin_next_stage();
        for (stage, name) in self.ended_stage_files() {
            let error = match StoredTableValues::open(&files, &name, None) {
                Ok(Some(_)) => continue,
                Ok(None) => SolverError::missing_file_error(&files, &name),
                Err(error) => error.into(),
            };
            self.restart_stage(stage);
            return Err(error);
        }
        let loaded = self.current_stage().map_or(Ok(true), |_| self.load_entries(directory));
        if !matches!(loaded, Ok(true)) {
            self.load_prerequisite_wins(directory)?;
        }
        let opened = self.open_win_rank_log(directory);
        if opened.is_err()
            && let Some(base) = self.current_stage().and_then(Stage::prerequisite_stage)
        {
            self.restart_stage(base);
        }
        if self.current_stage().is_none() {
            // All stages have ended, but the last run may have left the progress files of its last
            // stage.
            self.remove_stage_checkpoint_files(directory)?;
        }
        loaded?;
        opened
    }

    fn remove_stage_checkpoint_files(&self, directory: &Path) -> Result<(), FileError> {
        let walls = self.solver.numbering.walls;
        table_file::remove_table_file(directory, &table_file_name(walls, "entries"))?;
        // Removing fails if there is no log.
        let _ = std::fs::remove_file(win_rank_log_path(directory, walls));
        Ok(())
    }

    /// Frees the memory of the entries, calls `act`, and allocates the memory again. Afterwards the
    /// entries are empty. Call [`resume`](Self::resume) to load them again.
    ///
    /// # Errors
    /// If there is no longer enough memory for the entries.
    pub fn with_entries_released<T>(
        &mut self,
        act: impl FnOnce(&EntryNumbering) -> T,
    ) -> Result<T, SolverError> {
        self.solver.release_entries();
        self.loaded_stage = None;
        let result = act(&self.solver.numbering);
        if self.solver.allocate_entries() { Ok(result) } else { Err(SolverError::MemoryOfEntries) }
    }

    fn restart_stage(&mut self, stage: Stage) {
        self.reopen_stage(stage);
        self.begin_next_stage();
    }

    /// Returns the progress that is saved in a directory, or the current progress if none is saved.
    fn load_progress(&self, directory: &Path) -> Result<SolverProgress, SolverError> {
        let mut words = self.progress.to_words();
        let name = table_file_name(self.solver.numbering.walls, "progress");
        let len = size_of::<ProgressWords>() as u64;
        table_file::load_table_file(&TableDirectory(directory), &name, len, |read| {
            read(cast_slice_mut(&mut words))
        })?;
        let progress = SolverProgress::from_words(&words).ok_or(SolverFileError::Version);
        Ok(progress.with_file_path(&table_file_path(directory, &name))?)
    }

    /// Returns whether the progress saved in a directory leaves no stage to solve.
    pub fn is_saved_run_complete(&self, directory: &Path) -> bool {
        self.load_progress(directory).is_ok_and(|saved| self.next_stage_after(&saved).is_none())
    }

    fn ended_stage_files(&self) -> Vec<(Stage, String)> {
        let walls = self.solver.numbering.walls;
        let ended = Stage::ALL.into_iter().filter(|&stage| self.has_stage_ended(stage));
        let names = ended.flat_map(|stage| {
            let ranks = matches!(stage, Stage::Certain(_))
                .then(|| win_ranks_file_name(walls, stage.winner()));
            stage_file_name(walls, stage).into_iter().chain(ranks).map(move |name| (stage, name))
        });
        names.collect()
    }

    /// Checks the files of the ended stages `stages`, and returns the failures. Calls `begin` with
    /// the name of each file before it verifies the checksums. Then calls `check` for each stage.
    /// If a file is damaged, the runner will solve its stage from scratch. If a file has wrong
    /// values, the runner will also solve all stages that depend on its stage from scratch.
    ///
    /// # Errors
    /// If a check is not possible, or if a file cannot be written.
    pub fn check_ended_stage_files(
        &mut self,
        directory: &Path,
        stages: &[Stage],
        begin: impl Fn(&str),
        check: impl Fn(&EntryNumbering, Stage) -> Result<(), CheckFailure>,
    ) -> Result<Vec<FailedStageCheck>, SolverError> {
        if stages.is_empty() {
            return Ok(Vec::new());
        }
        let files = self.ended_stage_files();
        let failures = self.with_entries_released(|numbering| {
            let mut failures: Vec<FailedStageCheck> = Vec::new();
            for (stage, name) in files.iter().filter(|(stage, _)| stages.contains(stage)) {
                begin(name);
                if let Err(error) =
                    table_file::verify_file_checksums(&TableDirectory(directory), name)
                {
                    let failure = CheckFailure::Damaged(error.into());
                    failures.push(FailedStageCheck { stage: *stage, failure });
                }
            }
            for &stage in stages {
                // The check of a stage also reads the files of the stages on which it builds. So
                // the check runs only if these files have passed.
                if !failures.iter().any(|failed| stage.depends_on(failed.stage))
                    && let Err(failure) = check(numbering, stage)
                {
                    failures.push(FailedStageCheck { stage, failure });
                }
            }
            failures
        })?;
        // An error needs no handling here, because the failures are already known.
        let _ = self.resume(directory);
        let mut reported = Vec::new();
        for FailedStageCheck { stage, failure } in failures {
            match failure {
                CheckFailure::WrongState(..) => self.reject_stage(directory, stage)?,
                CheckFailure::Damaged(_) => self.restart_stage(stage),
                CheckFailure::Impossible(error) => return Err(error),
            }
            reported.push(FailedStageCheck { stage, failure });
        }
        if !reported.is_empty() {
            self.save_progress(directory)?;
            self.load_prerequisite_wins(directory)?;
            self.open_win_rank_log(directory)?;
        }
        Ok(reported)
    }

    /// Removes the files of a stage with wrong values, and of all stages that depend on it. The
    /// runner will solve these stages from scratch.
    ///
    /// # Errors
    /// If a file cannot be removed or written.
    pub fn reject_stage(&mut self, directory: &Path, stage: Stage) -> Result<(), FileError> {
        for (_, name) in
            self.ended_stage_files().iter().filter(|(other, _)| other.depends_on(stage))
        {
            table_file::remove_table_file(directory, name)?;
        }
        for other in Stage::ALL {
            if other.depends_on(stage) {
                self.reopen_stage(other);
            }
        }
        self.progress.start_wins[stage.winner().index()] = 0;
        self.begin_next_stage();
        self.save_progress(directory)
    }

    fn save_progress(&self, directory: &Path) -> Result<(), FileError> {
        let name = table_file_name(self.solver.numbering.walls, "progress");
        table_file::save_table_file(directory, &name, &[cast_slice(&self.progress.to_words())])
    }

    /// Opens the log of the ranks if the current stage needs it, and closes it otherwise.
    fn open_win_rank_log(&mut self, directory: &Path) -> Result<(), SolverError> {
        let path = win_rank_log_path(directory, self.solver.numbering.walls);
        let open = || WinRankLog::open(&path, self.progress.log_len);
        self.solver.log =
            matches!(self.current_stage(), Some(Stage::Certain(_))).then(open).transpose()?;
        Ok(())
    }

    /// Loads the saved entries of the current stage, if there are any. Returns whether it has
    /// loaded entries.
    fn load_entries(&mut self, directory: &Path) -> Result<bool, SolverError> {
        let walls = self.solver.numbering.walls;
        let mut words = [0; 64];
        let len = self.entries_file_size();
        let RetrogradeSolver { entries, closed, due, .. } = &mut self.solver;
        table_file::load_table_file(
            &TableDirectory(directory),
            &table_file_name(walls, "entries"),
            len,
            |read| {
                read(cast_slice_mut(&mut words))?;
                for side in Side::BOTH_SIDES {
                    let ranks = due.words().len();
                    for first in (0..ranks).step_by(ENTRIES_PER_TRANSFER) {
                        let mut saved = vec![0_u64; ENTRIES_PER_TRANSFER.min(ranks - first)];
                        read(cast_slice_mut(&mut saved))?;
                        (first..)
                            .zip(saved)
                            .for_each(|(rank, word)| due.set_due_word(side.index(), rank, word));
                    }
                }
                for side in Side::BOTH_SIDES {
                    read_side_entries(entries, side, read)?;
                }
                for closed in closed.iter_mut().flatten() {
                    let mut sets = Box::new([[0; 4]; WALL_SETS_PER_CHUNK]);
                    read(cast_slice_mut(&mut sets[..]))?;
                    closed.get_mut().unwrap_or_else(PoisonError::into_inner).compress(&sets);
                }
                Ok(())
            },
        )?;
        let stage = self.current_stage().map(Stage::index);
        let saved = SolverProgress::from_words(&words).filter(|saved| Some(saved.stage) == stage);
        let Some(saved) = saved else { return Ok(false) };
        // A stage that has been found wrong since the entries were saved must not count as ended.
        let ended = saved.ended & self.progress.ended;
        self.progress = SolverProgress { ended, ..saved };
        self.solver.due.mark_chunks();
        self.saved_updates = self.progress.updates as usize;
        self.solver.updates.store(self.saved_updates, Relaxed);
        self.solver.wins_ties =
            self.current_stage().is_some_and(|stage| stage.winner() == Side::Second);
        Ok(true)
    }

    /// Loads the wins on which the current stage builds, unless they are already in the entries.
    /// The file contains only the wins with the other side to move. The wins with the winner to
    /// move enter in the first step of the stage.
    fn load_prerequisite_wins(&mut self, directory: &Path) -> Result<(), SolverError> {
        let base = self
            .current_stage()
            .and_then(Stage::prerequisite_stage)
            .filter(|&base| self.loaded_stage != Some(base));
        let file =
            base.and_then(|base| Some((base, stage_file_name(self.solver.numbering.walls, base)?)));
        let Some((base, name)) = file.filter(|_| self.progress.next.is_none()) else {
            return Ok(());
        };
        self.solver.reset();
        let RetrogradeSolver { entries, .. } = &self.solver;
        let len = self.solver.side_entries_size() as u64;
        let files = TableDirectory(directory);
        if !table_file::load_table_file(&files, &name, len, |read| {
            read_side_entries(entries, Side::Second, read)
        })? {
            return Err(SolverError::missing_file_error(&files, &name));
        }
        self.loaded_stage = Some(base);
        Ok(())
    }

    /// Saves the progress and the entries if the solver has made enough updates since the last
    /// save.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn save_progress_if_due(&mut self, directory: &Path) -> Result<(), FileError> {
        let walls = self.solver.numbering.walls;
        let updates = self.progress.updates as usize;
        if updates - self.saved_updates < SAVE_INTERVAL_UPDATES * count_wall_sets(walls) {
            return Ok(());
        }
        self.saved_updates = updates;
        self.progress.log_len = self.sync_win_rank_log(directory)?;
        let RetrogradeSolver { entries, closed, due, .. } = &self.solver;
        let name = table_file_name(walls, "entries");
        let mut writer =
            table_file::TableFileWriter::new(directory, &name, self.entries_file_size())?;
        writer.write(cast_slice(&self.progress.to_words()))?;
        for side in Side::BOTH_SIDES {
            for due in due.words().chunks(ENTRIES_PER_TRANSFER) {
                let words: Vec<u64> =
                    due.iter().map(|due| due[side.index()].load(Relaxed)).collect();
                writer.write(cast_slice(&words))?;
            }
        }
        for side in Side::BOTH_SIDES {
            write_side_entries(entries, side, &mut writer)?;
        }
        let mut sets = Box::new([[0; 4]; WALL_SETS_PER_CHUNK]);
        for closed in closed.iter().flatten() {
            closed.lock().unwrap_or_else(PoisonError::into_inner).decompress(&mut sets);
            writer.write(cast_slice(&sets[..]))?;
        }
        writer.finish()
    }

    /// Returns the size of the contents of the file `entries` in bytes, before compression.
    fn entries_file_size(&self) -> u64 {
        let RetrogradeSolver { closed, due, .. } = &self.solver;
        let entries = 2 * self.solver.side_entries_size();
        let closed = closed.iter().flatten().count() * size_of::<ChunkPairSets>();
        (size_of::<ProgressWords>() + size_of_val(due.words()) + entries + closed) as u64
    }

    /// Flushes the log of the ranks to the disk, so that the log survives a power failure. Returns
    /// the length of the log in bytes.
    fn sync_win_rank_log(&self, directory: &Path) -> Result<u64, FileError> {
        let synced = self.solver.log.as_ref().map_or(Ok(0), WinRankLog::sync);
        synced.with_file_path(&win_rank_log_path(directory, self.solver.numbering.walls))
    }

    /// Saves the results of a stage that has just ended.
    ///
    /// # Errors
    /// If a file cannot be read or written.
    pub fn save_stage_results(
        &mut self,
        directory: &Path,
        stage: Stage,
    ) -> Result<(), SolverError> {
        let walls = self.solver.numbering.walls;
        if let Stage::Certain(winner) = stage {
            self.sync_win_rank_log(directory)?;
            self.solver.clear_closed_classes();
            if let Some(safe) = stage_file_name(walls, Stage::Safe(winner)) {
                let name = win_ranks_file_name(walls, winner);
                write_win_rank_file(&self.solver, directory, &name, &safe)?;
            }
        }
        if let Some(name) = stage_file_name(walls, stage) {
            // The file contains only the wins with the other side to move. These wins are enough,
            // because the winner to move only needs a move to one of them.
            let mut writer = table_file::TableFileWriter::new(
                directory,
                &name,
                self.solver.side_entries_size() as u64,
            )?;
            write_side_entries(&self.solver.entries, Side::Second, &mut writer)?;
            writer.finish()?;
        }
        self.save_progress(directory)?;
        self.remove_stage_checkpoint_files(directory)?;
        self.load_prerequisite_wins(directory)?;
        self.open_win_rank_log(directory)
    }
}

/// The number of entries, or of due words, that are read or written at once.
const ENTRIES_PER_TRANSFER: usize = 1 << 16;

fn write_side_entries(
    entries: &SolverEntries,
    side: Side,
    writer: &mut table_file::TableFileWriter,
) -> Result<(), FileError> {
    for first in (0..entries.len).step_by(ENTRIES_PER_TRANSFER) {
        let part = entries.side_words(side, first..entries.len.min(first + ENTRIES_PER_TRANSFER));
        writer.write(cast_slice(&part))?;
    }
    Ok(())
}

fn read_side_entries(
    entries: &SolverEntries,
    side: Side,
    read: &mut table_file::ReadPartFn,
) -> Result<(), TableFileError> {
    for first in (0..entries.len).step_by(ENTRIES_PER_TRANSFER) {
        let mut part = vec![PairSet::EMPTY.0; ENTRIES_PER_TRANSFER.min(entries.len - first)];
        read(cast_slice_mut(&mut part))?;
        (first..).zip(part).for_each(|(entry, set)| entries.set(side, entry, PairSet(set)));
    }
    Ok(())
}
