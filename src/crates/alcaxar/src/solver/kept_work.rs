//! Going on with the work after an interruption, and the files of what has ended.

use std::path::Path;
use std::sync::PoisonError;
use std::sync::atomic::Ordering::Relaxed;

use bytemuck::{cast_slice, cast_slice_mut};

use pentarch_core::Side;
use pentarch_core::tables::directory::{TableDirectory, table_path};
use pentarch_system::{ErrorContext, FileError};
use pentarch_tables::error::TableFileError;
use pentarch_tables::file::{self, StoredValues};

use super::checker::Fault;
use super::compressed_sets::ChunkSets;
use super::entries::Entries;
use super::entry_numbering::EntryNumbering;
use super::error::{SolverError, SolverFileError};
use super::file_names::{file_name, log_path, missing, name, ranks_name};
use super::pair_set::PairSet;
use super::progress::{Progress, Words};
use super::ranks::{self, RankLog};
use super::stages::Stage;
use super::wall_sets::count;
use super::work::Work;
use super::{CHUNK, Solver};

/// How many times each set of walls is worked out between two times at which the progress is kept. Writing takes about
/// as long as working all sets out once.
const KEEP_AFTER: usize = 20;

/// Keeping the progress in files. While a stage is worked on, the file `entries` holds the progress, the sets that are
/// due, all entries and the closed classes; when it has ended, the file `progress` holds the progress alone.
impl Work {
    /// Goes on with the work that files in a directory hold. Without files it begins anew.
    ///
    /// # Errors
    /// If a file cannot be used. What it held begins anew.
    pub fn resume(&mut self, directory: &Path) -> Result<(), SolverError> {
        let files = TableDirectory(directory);
        self.progress = self.kept_progress(directory)?;
        self.begin_next();
        for (stage, name) in self.ended_files() {
            let error = match StoredValues::open(&files, &name, None) {
                Ok(Some(_)) => continue,
                Ok(None) => missing(&files, &name),
                Err(error) => error.into(),
            };
            self.begin_anew(stage);
            return Err(error);
        }
        let loaded = self.stage().map_or(Ok(true), |_| self.load_entries(directory));
        if !matches!(loaded, Ok(true)) {
            self.load_base(directory)?;
        }
        let opened = self.open_log(directory);
        if let (Err(_), Some(base)) = (&opened, self.stage().and_then(Stage::base)) {
            self.begin_anew(base);
        }
        if self.stage().is_none() {
            // A run that was ended after the last stage has left them.
            self.remove_unfinished(directory)?;
        }
        loaded?;
        opened
    }

    /// Removes the files of a stage that is worked on.
    fn remove_unfinished(&self, directory: &Path) -> Result<(), FileError> {
        let walls = self.solver.numbering.walls;
        file::remove(directory, &name(walls, "entries"))?;
        // Removing fails if there is none.
        let _ = std::fs::remove_file(log_path(directory, walls));
        Ok(())
    }

    /// Calls `act` while the entries take no memory. Afterwards they are empty, and [`resume`](Work::resume) loads them.
    ///
    /// # Errors
    /// If there is not enough memory any more.
    pub fn without_entries<T>(
        &mut self,
        act: impl FnOnce(&EntryNumbering) -> T,
    ) -> Result<T, SolverError> {
        self.solver.release();
        self.held = None;
        let done = act(&self.solver.numbering);
        if self.solver.allocate() { Ok(done) } else { Err(SolverError::MemoryOfEntries) }
    }

    /// Begins a stage anew, although it had ended.
    fn begin_anew(&mut self, stage: Stage) {
        self.redo(stage);
        self.begin_next();
    }

    /// The progress that a directory holds; that of this work without files.
    fn kept_progress(&self, directory: &Path) -> Result<Progress, SolverError> {
        let (mut words, name) =
            (self.progress.to_words(), name(self.solver.numbering.walls, "progress"));
        let (files, len) = (TableDirectory(directory), size_of::<Words>() as u64);
        file::load(&files, &name, len, |read| read(cast_slice_mut(&mut words)))?;
        let progress = Progress::from_words(&words).ok_or(SolverFileError::Version);
        Ok(progress.in_file(&table_path(directory, &name))?)
    }

    /// Whether all stages have ended by the progress that a directory holds, so that only results are to be told.
    pub fn is_done(&self, directory: &Path) -> bool {
        self.kept_progress(directory).is_ok_and(|kept| self.stage_after(&kept).is_none())
    }

    /// The names of the files of the stages that have ended.
    fn ended_files(&self) -> Vec<(Stage, String)> {
        let walls = self.solver.numbering.walls;
        let ended = Stage::ALL.into_iter().filter(|&stage| self.has_ended(stage));
        let names = ended.flat_map(|stage| {
            let ranks =
                matches!(stage, Stage::Certain(_)).then(|| ranks_name(walls, stage.winner()));
            file_name(walls, stage).into_iter().chain(ranks).map(move |name| (stage, name))
        });
        names.collect()
    }

    /// Looks through the files of these stages, which have ended, block by block, and calls `begin` with the name of each;
    /// then calls `check` for each stage. A stage with a damaged file starts from scratch; after a wrong one, all stages
    /// that rest on it do so. Returns the faults.
    ///
    /// # Errors
    /// If a check is not possible, or a file of the work cannot be written.
    pub fn look_through(
        &mut self,
        directory: &Path,
        stages: &[Stage],
        begin: impl Fn(&str),
        check: impl Fn(&EntryNumbering, Stage) -> Result<(), Fault>,
    ) -> Result<Vec<(Stage, Fault)>, SolverError> {
        if stages.is_empty() {
            return Ok(Vec::new());
        }
        let files = self.ended_files();
        let faults = self.without_entries(|numbering| {
            let mut faults: Vec<(Stage, Fault)> = Vec::new();
            for (stage, name) in files.iter().filter(|(stage, _)| stages.contains(stage)) {
                begin(name);
                let found = file::verify_checksums(&TableDirectory(directory), name);
                faults.extend(found.err().map(|fault| (*stage, Fault::Damaged(fault.into()))));
            }
            for &stage in stages {
                // The files of a stage are checked with those that it goes on from.
                if !faults.iter().any(|&(of, _)| stage.rests_on(of)) {
                    faults.extend(check(numbering, stage).err().map(|fault| (stage, fault)));
                }
            }
            faults
        })?;
        // The faults are known already.
        let _ = self.resume(directory);
        let mut found = Vec::new();
        for (stage, fault) in faults {
            match fault {
                Fault::State(..) => self.refuse(directory, stage)?,
                Fault::Damaged(_) => self.begin_anew(stage),
                Fault::Unable(why) => return Err(why),
            }
            found.push((stage, fault));
        }
        if !found.is_empty() {
            self.keep_progress(directory)?;
            self.load_base(directory)?;
            self.open_log(directory)?;
        }
        Ok(found)
    }

    /// Starts a stage with wrong files from scratch, and all stages that rest on it. Removes the files.
    ///
    /// # Errors
    /// If a file cannot be removed or written.
    pub fn refuse(&mut self, directory: &Path, stage: Stage) -> Result<(), FileError> {
        for (_, name) in self.ended_files().iter().filter(|(other, _)| other.rests_on(stage)) {
            file::remove(directory, name)?;
        }
        Stage::ALL
            .into_iter()
            .filter(|other| other.rests_on(stage))
            .for_each(|other| self.redo(other));
        self.progress.start[stage.winner().index()] = 0;
        self.begin_next();
        self.keep_progress(directory)
    }

    /// Writes the file of the progress.
    fn keep_progress(&self, directory: &Path) -> Result<(), FileError> {
        let name = name(self.solver.numbering.walls, "progress");
        file::save(directory, &name, &[cast_slice(&self.progress.to_words())])
    }

    /// Opens the log of the ranks if the wins that are certain are worked on.
    fn open_log(&mut self, directory: &Path) -> Result<(), SolverError> {
        let path = log_path(directory, self.solver.numbering.walls);
        let open = || RankLog::open(&path, self.progress.log_len);
        self.solver.log = matches!(self.stage(), Some(Stage::Certain(_))).then(open).transpose()?;
        Ok(())
    }

    /// Goes on with the entries of a stage that was worked on, if there are any. Returns whether there are.
    fn load_entries(&mut self, directory: &Path) -> Result<bool, SolverError> {
        let walls = self.solver.numbering.walls;
        let mut words = [0; 64];
        let len = self.kept_len();
        let Solver { entries, closed, due, .. } = &mut self.solver;
        file::load(&TableDirectory(directory), &name(walls, "entries"), len, |read| {
            read(cast_slice_mut(&mut words))?;
            for side in Side::BOTH {
                let ranks = due.words().len();
                for first in (0..ranks).step_by(PART) {
                    let mut kept = vec![0_u64; PART.min(ranks - first)];
                    read(cast_slice_mut(&mut kept))?;
                    (first..).zip(kept).for_each(|(rank, kept)| due.set(side.index(), rank, kept));
                }
            }
            for side in Side::BOTH {
                read_side(entries, side, read)?;
            }
            closed.iter_mut().flatten().try_for_each(|closed| {
                let mut sets = Box::new([[0; 4]; CHUNK]);
                read(cast_slice_mut(&mut sets[..]))?;
                closed.get_mut().unwrap_or_else(PoisonError::into_inner).set(&sets);
                Ok(())
            })
        })?;
        let stage = self.stage().map(Stage::index);
        let kept = Progress::from_words(&words).filter(|kept| Some(kept.stage) == stage);
        let Some(kept) = kept else { return Ok(false) };
        // A stage that has been found wrong since then has not ended.
        let ended = kept.ended & self.progress.ended;
        self.progress = Progress { ended, ..kept };
        self.solver.due.mark_chunks();
        self.kept = self.progress.evaluations as usize;
        self.solver.evaluations.store(self.kept, Relaxed);
        self.solver.ties = self.stage().is_some_and(|stage| stage.winner() == Side::Second);
        Ok(true)
    }

    /// Loads the wins that the next stage goes on from, unless the entries hold them. Those with the winner to move,
    /// which no file has, enter with the first step.
    fn load_base(&mut self, directory: &Path) -> Result<(), SolverError> {
        let base = self.stage().and_then(Stage::base).filter(|&base| self.held != Some(base));
        let file =
            base.and_then(|base| Some((base, file_name(self.solver.numbering.walls, base)?)));
        let Some((base, name)) = file.filter(|_| self.progress.next.is_none()) else {
            return Ok(());
        };
        self.solver.clear();
        let Solver { entries, .. } = &self.solver;
        let len = self.solver.side_size() as u64;
        let files = TableDirectory(directory);
        if !file::load(&files, &name, len, |read| read_side(entries, Side::Second, read))? {
            return Err(missing(&files, &name));
        }
        self.held = Some(base);
        Ok(())
    }

    /// Keeps the progress if enough has been done since it was kept.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn keep(&mut self, directory: &Path) -> Result<(), FileError> {
        let walls = self.solver.numbering.walls;
        let evaluations = self.progress.evaluations as usize;
        if evaluations - self.kept < KEEP_AFTER * count(walls) {
            return Ok(());
        }
        self.kept = evaluations;
        self.progress.log_len = self.sync_log(directory)?;
        let Solver { entries, closed, due, .. } = &self.solver;
        let mut writer =
            file::PartWriter::new(directory, &name(walls, "entries"), self.kept_len())?;
        writer.write(cast_slice(&self.progress.to_words()))?;
        for side in Side::BOTH {
            for due in due.words().chunks(PART) {
                let words: Vec<u64> =
                    due.iter().map(|due| due[side.index()].load(Relaxed)).collect();
                writer.write(cast_slice(&words))?;
            }
        }
        for side in Side::BOTH {
            write_side(entries, side, &mut writer)?;
        }
        let mut sets = Box::new([[0; 4]; CHUNK]);
        closed.iter().flatten().try_for_each(|closed| {
            closed.lock().unwrap_or_else(PoisonError::into_inner).get(&mut sets);
            writer.write(cast_slice(&sets[..]))
        })?;
        writer.finish()
    }

    /// The number of bytes of values of the file `entries`.
    fn kept_len(&self) -> u64 {
        let Solver { closed, due, .. } = &self.solver;
        let entries = 2 * self.solver.side_size();
        let closed = closed.iter().flatten().count() * size_of::<ChunkSets>();
        (size_of::<Words>() + size_of_val(due.words()) + entries + closed) as u64
    }

    /// Has the log of the ranks outlive a power failure. Returns its length.
    fn sync_log(&self, directory: &Path) -> Result<u64, FileError> {
        let synced = self.solver.log.as_ref().map_or(Ok(0), RankLog::sync);
        synced.in_file(&log_path(directory, self.solver.numbering.walls))
    }

    /// Keeps what a stage that has just ended has found.
    ///
    /// # Errors
    /// If a file cannot be read or written.
    pub fn keep_stage(&mut self, directory: &Path, stage: Stage) -> Result<(), SolverError> {
        let walls = self.solver.numbering.walls;
        if let Stage::Certain(winner) = stage {
            self.sync_log(directory)?;
            self.solver.forget_closed();
            if let Some(safe) = file_name(walls, Stage::Safe(winner)) {
                ranks::write(&self.solver, directory, &ranks_name(walls, winner), &safe)?;
            }
        }
        if let Some(name) = file_name(walls, stage) {
            // A move of the winner leads to the wins with the other side to move, so these are enough.
            let mut writer =
                file::PartWriter::new(directory, &name, self.solver.side_size() as u64)?;
            write_side(&self.solver.entries, Side::Second, &mut writer)?;
            writer.finish()?;
        }
        self.keep_progress(directory)?;
        self.remove_unfinished(directory)?;
        self.load_base(directory)?;
        self.open_log(directory)
    }
}

/// How many entries are read or written at once.
const PART: usize = 1 << 16;

/// Writes all entries of a side.
fn write_side(
    entries: &Entries,
    side: Side,
    writer: &mut file::PartWriter,
) -> Result<(), FileError> {
    let parts = (0..entries.len).step_by(PART).map(|at| at..entries.len.min(at + PART));
    parts
        .map(|part| entries.of_side(side, part))
        .try_for_each(|part| writer.write(cast_slice(&part)))
}

/// Reads all entries of a side.
fn read_side(
    entries: &Entries,
    side: Side,
    read: &mut file::ReadPart,
) -> Result<(), TableFileError> {
    for at in (0..entries.len).step_by(PART) {
        let mut part = vec![PairSet::EMPTY.0; PART.min(entries.len - at)];
        read(cast_slice_mut(&mut part))?;
        (at..).zip(part).for_each(|(entry, set)| entries.set(side, entry, PairSet(set)));
    }
    Ok(())
}
