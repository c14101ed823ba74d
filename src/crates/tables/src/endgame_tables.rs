//! Endgame tables: the values of all positions with few pieces, read from files or solved in
//! memory.

use std::collections::VecDeque;
use std::sync::Arc;

use pentarch_core::{
    Rules, TableFiles, TableValue, TableWriteProgress, TableWriteRequest, TableWriteRequestError,
    WriteTablesError,
};
use pentarch_system::file_system::lock_directory;

use super::background::{BackgroundJob, TableJobControl, stepwise_table_job};
use super::error::MakeTablesError;
use super::retrograde::{GroupSolver, solve_group};
use super::retrograde_control::{GroupSolveError, RetrogradeControl};
use super::table_file::{self, StoredTableValues};
use super::{Position, RetrogradeNumbering, Tablebase};

/// A numbering of the positions with few pieces. All positions of a group have the same number of
/// pieces, both sides together, and each group has its own file.
pub trait EndgameNumbering: RetrogradeNumbering + Send + Sized + 'static {
    /// The noun for several pieces, for messages.
    const PIECES_NOUN: &'static str;
    /// The maximum number of pieces in a numbered position.
    const MAX_PIECES: usize;

    /// Creates the numbering of the positions with at most `max_pieces` pieces.
    fn new(rules: &Self::Rules, max_pieces: usize) -> Self;

    /// Returns the names of the files of all groups with this number of pieces.
    fn file_names(rules: &Self::Rules, pieces: usize) -> Vec<String>;

    /// Returns the name of the file of a group.
    fn group_file_name(&self, group: &[usize]) -> String;

    /// Returns the number of pieces in each position of a group.
    fn piece_count(&self, group: &[usize]) -> usize;
}

/// The tables of positions with few pieces.
pub struct EndgameTables<N> {
    numbering: N,
    tables: Tablebase,
}

impl<N: EndgameNumbering> EndgameTables<N> {
    /// Returns the value of a position, or `None` if the tables lack it.
    pub fn value(&self, position: &Position<N>) -> Option<TableValue> {
        Some(self.tables.get(self.numbering.index_of_position(position)?)?.value())
    }

    /// Returns the job that builds the tables. The job reads the files, if there are any, and
    /// solves the other positions with at most `max_solved` pieces.
    pub fn prepare_build_job(
        rules: N::Rules,
        max_solved: usize,
        files: Option<Arc<dyn TableFiles>>,
    ) -> BackgroundJob<EndgameTables<N>> {
        stepwise_table_job(
            N::Rules::GAME_NAME,
            0,
            move |task: &_| Ok(Builder::new(&rules, max_solved, files.clone(), task)),
            Builder::build_next_group,
            |builder| builder.built,
        )
    }

    /// Writes the files that the user requests. The implementation of
    /// [`WriteTables`](pentarch_core::WriteTables) for a game with endgame tables.
    ///
    /// # Errors
    /// If the number of pieces is invalid, if a file cannot be computed or written, or if the check
    /// finds wrong values.
    pub fn write_files(
        rules: &N::Rules,
        plan: &TableWriteRequest,
        report: &(dyn Fn(TableWriteProgress) + Sync),
    ) -> Result<(), WriteTablesError<MakeTablesError>> {
        let range = 2..=N::MAX_PIECES;
        let max_pieces = plan.count.parse().ok().filter(|max_pieces| range.contains(max_pieces));
        let max_pieces = max_pieces.ok_or_else(|| {
            WriteTablesError::Request(TableWriteRequestError::Count {
                game: N::Rules::GAME_ID,
                range,
                unit: N::PIECES_NOUN,
                found: plan.count.into(),
            })
        })?;
        let _lock = lock_directory(plan.directory).map_err(MakeTablesError::File)?;
        let numbering = N::new(rules, max_pieces);
        let mut tables = Tablebase::default();
        let groups = numbering.class_groups();
        let total_size = |groups: &[Vec<usize>]| {
            groups.iter().flatten().map(|&class| numbering.class_size(class)).sum::<usize>()
        };
        for (done, group) in groups.iter().enumerate() {
            let share = total_size(&groups[..done]) as f64 / total_size(&groups) as f64;
            let name = numbering.group_file_name(group);
            let should_continue = |plies| {
                report(TableWriteProgress::Working(&format!("{name}, {plies} plies back"), share));
                true
            };
            let budget =
                RetrogradeControl { threads: plan.threads, should_continue: &should_continue };
            table_file::load_or_solve_group(
                &name,
                &numbering,
                group,
                &mut tables,
                plan,
                report,
                |tables| solve_group(&numbering, group, tables, &budget),
            )?;
        }
        Ok(())
    }
}

/// Builds [`EndgameTables`] in steps.
struct Builder<N> {
    /// The maximum number of pieces in positions that are solved because no file contains them.
    max_solved: usize,
    files: Option<Arc<dyn TableFiles>>,
    built: EndgameTables<N>,
    /// The groups of classes that have not been read or solved yet.
    groups: VecDeque<Vec<usize>>,
    /// The solver of the first group in `groups`; `None` if it has not begun to solve this group.
    solving: Option<GroupSolver>,
}

impl<N: EndgameNumbering> Builder<N> {
    /// Opens the files to find the greatest number of pieces for which there is a file. Reports to
    /// `task` the faults of files for more pieces.
    fn new(
        rules: &N::Rules,
        max_solved: usize,
        files: Option<Arc<dyn TableFiles>>,
        task: &TableJobControl<EndgameTables<N>>,
    ) -> Builder<N> {
        let mut max_pieces = max_solved;
        let mut faults = Vec::new();
        if let Some(files) = files.as_deref() {
            for pieces in max_solved + 1..=N::MAX_PIECES {
                for name in N::file_names(rules, pieces) {
                    match StoredTableValues::open(files, &name, None) {
                        Ok(Some(_)) => max_pieces = pieces,
                        Ok(None) => {}
                        Err(fault) => faults.push((pieces, fault)),
                    }
                }
            }
        }
        // The faults of the other files are reported when `build_next_group` reads these files.
        for (pieces, fault) in faults {
            if pieces > max_pieces {
                task.report_fault(fault);
            }
        }
        let numbering = N::new(rules, max_pieces);
        let groups = numbering.class_groups().into();
        let built = EndgameTables { numbering, tables: Tablebase::default() };
        Builder { max_solved, files, built, groups, solving: None }
    }

    /// Reads the next group of classes from its file, or solves it. Returns whether there was a
    /// group left. Reports faults of files to `task`.
    ///
    /// # Errors
    /// If the group cannot be solved, or if the task is interrupted. After an interruption the next
    /// call continues.
    fn build_next_group(
        &mut self,
        task: &TableJobControl<EndgameTables<N>>,
    ) -> Result<bool, GroupSolveError> {
        let Some(classes) = self.groups.front() else { return Ok(false) };
        let EndgameTables { numbering, tables } = &mut self.built;
        if self.solving.is_none() {
            let load = |files| {
                table_file::load_group_file(
                    files,
                    &numbering.group_file_name(classes),
                    numbering,
                    classes,
                    tables,
                )
            };
            let is_loaded = self.files.as_deref().map_or(Ok(false), load).unwrap_or_else(|fault| {
                task.report_fault(fault);
                false
            });
            if !is_loaded && numbering.piece_count(classes) <= self.max_solved {
                self.solving = Some(GroupSolver::new(numbering, classes)?);
            }
        }
        if let Some(group) = &mut self.solving {
            task.run_analysis(|budget| group.solve(numbering, tables, budget))?;
        }
        if let Some(group) = self.solving.take() {
            group.store_in(tables);
        }
        self.groups.pop_front();
        Ok(true)
    }
}
