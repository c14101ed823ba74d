//! The tablebases of positions with few checkers: solved in memory or read from files, and probed.
//!
//! The values are for positions without history. Under rules without history, the values are exact.
//! Under other rules they are estimates. If REQ.25.ALT.3 forbids steps, the tables of
//! `one_sided_ban_tables` have exact values.

use std::collections::VecDeque;
use std::sync::Arc;

use pentarch_core::tables::default_verification_sentence;
use pentarch_core::{
    GameTables, KnownValueSource, ProbeResult, ProbeTables, ProbeWorkLimit, Rules, Side,
    TableFiles, TableValue, TableWriteProgress, TableWriteRequest, TableWriteRequestError, Warning,
    WriteTables, WriteTablesError,
};
use pentarch_system::file_system::lock_directory;
use pentarch_system::process_wide_cache;
use pentarch_tables::background::{
    BackgroundJob, BackgroundValue, TableJobControl, stepwise_table_job,
};
use pentarch_tables::error::MakeTablesError;
use pentarch_tables::retrograde::{GroupSolver, solve_group};
use pentarch_tables::retrograde_control::{GroupSolveError, RetrogradeControl};
use pentarch_tables::table_file::{self, StoredTableValues};
use pentarch_tables::{PositionNumbering, RetrogradeNumbering, Tablebase};

use super::Alquerque;
use super::numbering::{
    AlquerqueNumbering, CheckerCounts, MAX_CHECKERS_IN_NUMBERED_POSITION, table_file_name,
};
use super::one_sided_ban_tables::OneSidedBanTables;
use super::position::Position;

/// The maximum number of checkers in positions that are solved in memory because no file contains
/// them.
const MAX_CHECKERS_SOLVED_IN_MEMORY: usize = 6;
/// The maximum number of checkers in positions that are solved in memory under rules that may
/// forbid a step to one side.
const MAX_CHECKERS_SOLVED_WITH_BANS: usize = 5;

/// The values of positions under rules without history, in which earlier moves do not restrict
/// later moves.
pub struct HistoryFreeTables {
    numbering: AlquerqueNumbering,
    tables: Tablebase,
}

impl HistoryFreeTables {
    fn value(&self, position: &Position) -> Option<TableValue> {
        Some(self.tables.get(self.numbering.index_of_position(position)?)?.value())
    }
}

/// Builds [`HistoryFreeTables`] in steps.
struct HistoryFreeTablesBuilder {
    /// The maximum number of checkers in positions that are solved because no file contains them.
    max_solved: usize,
    files: Option<Arc<dyn TableFiles>>,
    built: HistoryFreeTables,
    /// The groups of classes that have not been read or solved yet.
    groups: VecDeque<Vec<usize>>,
    /// The solver of the first group in `groups`; `None` if it has not begun to solve this group.
    solving: Option<GroupSolver>,
}

impl HistoryFreeTablesBuilder {
    /// Opens the files to find the greatest number of checkers for which there is a file. Reports
    /// to `task` the faults of files for more checkers.
    fn new(
        rules: &Alquerque,
        max_solved: usize,
        files: Option<Arc<dyn TableFiles>>,
        task: &TableJobControl<HistoryFreeTables>,
    ) -> HistoryFreeTablesBuilder {
        let mut max_checkers = max_solved;
        let mut faults = Vec::new();
        for counts in
            CheckerCounts::with_sum_between(max_solved + 1, MAX_CHECKERS_IN_NUMBERED_POSITION)
        {
            let checkers = counts.fewer + counts.more;
            let Some(files) = files.as_deref() else { continue };
            match StoredTableValues::open(files, &table_file_name(rules, counts), None) {
                Ok(Some(_)) => max_checkers = checkers,
                Ok(None) => {}
                Err(fault) => faults.push((checkers, fault)),
            }
        }
        // The faults of the other files are reported when `step` reads these files.
        for (checkers, fault) in faults {
            if checkers > max_checkers {
                task.report_fault(fault);
            }
        }
        let numbering = AlquerqueNumbering::new(rules, max_checkers);
        let groups = numbering.class_groups().into();
        let built = HistoryFreeTables { numbering, tables: Tablebase::default() };
        HistoryFreeTablesBuilder { max_solved, files, built, groups, solving: None }
    }

    /// Returns the job that builds the tables under rules without history. The job reads the files,
    /// if there are any, and solves the other positions with at most `max_solved` checkers.
    fn prepare_build_job(
        rules: Alquerque,
        max_solved: usize,
        files: Option<Arc<dyn TableFiles>>,
    ) -> BackgroundJob<HistoryFreeTables> {
        stepwise_table_job(
            Alquerque::GAME_NAME,
            0,
            move |task: &_| {
                Ok(HistoryFreeTablesBuilder::new(&rules, max_solved, files.clone(), task))
            },
            HistoryFreeTablesBuilder::build_next_group,
            |builder| builder.built,
        )
    }

    /// Reads the next group of classes from its file, or solves it. Returns whether there was a
    /// group left. Reports faults of files to `task`.
    ///
    /// # Errors
    /// If the group cannot be solved, or if the task is interrupted. After an interruption the next
    /// call continues.
    fn build_next_group(
        &mut self,
        task: &TableJobControl<HistoryFreeTables>,
    ) -> Result<bool, GroupSolveError> {
        let Some(classes) = self.groups.front() else { return Ok(false) };
        let HistoryFreeTables { numbering, tables } = &mut self.built;
        if self.solving.is_none() {
            let load = |files| {
                table_file::load_group_file(
                    files,
                    &numbering.table_file_name(classes),
                    numbering,
                    classes,
                    tables,
                )
            };
            let is_loaded = self.files.as_deref().map_or(Ok(false), load).unwrap_or_else(|fault| {
                task.report_fault(fault);
                false
            });
            if !is_loaded && numbering.checker_count(classes) <= self.max_solved {
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

/// The tablebases for one set of rules, built in the background.
pub struct AlquerqueTablebase {
    rules: Alquerque,
    /// The table files; `None` if no files are used.
    files: Option<Arc<dyn TableFiles>>,
    /// The values of positions under the same rules, but without history.
    history_free: BackgroundValue<HistoryFreeTables>,
    /// The values of positions in which a step may be forbidden to only one of the two sides.
    one_sided_ban: BackgroundValue<OneSidedBanTables>,
}

impl AlquerqueTablebase {
    /// Returns the job that builds the tables of positions in which a step may be forbidden to one
    /// side. The positions have at most `max_checkers` checkers. Returns `None` if the rules forbid
    /// no such steps, or if earlier moves also have other effects.
    fn one_sided_ban_tables_job(
        &self,
        max_checkers: usize,
    ) -> Option<BackgroundJob<OneSidedBanTables>> {
        self.rules.has_player_retreat_ban_only().then(|| {
            OneSidedBanTables::prepare_build_job(
                self.rules.without_history_except_first_side_bans(),
                max_checkers,
            )
        })
    }

    fn history_free_tables_job(&self) -> BackgroundJob<HistoryFreeTables> {
        HistoryFreeTablesBuilder::prepare_build_job(
            self.rules.without_history(),
            MAX_CHECKERS_SOLVED_IN_MEMORY,
            self.files.clone(),
        )
    }

    fn begin_one_sided_ban_tables(&self, max_checkers: usize) {
        if let Some(job) = self.one_sided_ban_tables_job(max_checkers) {
            self.one_sided_ban.begin_computing_tables(job);
        }
    }
}

impl GameTables<Alquerque> for AlquerqueTablebase {
    /// Creates the tables. A search with tables also uses the opening book.
    fn new(rules: &Alquerque, files: Option<Arc<dyn TableFiles>>) -> AlquerqueTablebase {
        AlquerqueTablebase {
            rules: rules.clone(),
            files,
            history_free: BackgroundValue::default(),
            one_sided_ban: BackgroundValue::default(),
        }
    }

    /// Returns tables that share history-free values among all rules that differ only in the
    /// effects of history.
    fn create_shared_tables(rules: &Alquerque) -> Arc<AlquerqueTablebase> {
        let history_free = process_wide_cache::get_or_insert_cached(
            rules.without_history(),
            BackgroundValue::default,
            BackgroundValue::has_computation_failed,
        );
        let one_sided_ban = match rules.has_player_retreat_ban_only() {
            true => process_wide_cache::get_or_insert_cached(
                rules.without_history_except_first_side_bans(),
                BackgroundValue::default,
                BackgroundValue::has_computation_failed,
            ),
            false => BackgroundValue::default(),
        };
        Arc::new(AlquerqueTablebase {
            history_free,
            one_sided_ban,
            ..AlquerqueTablebase::new(rules, None)
        })
    }

    fn begin_computing_tables(&self) {
        self.history_free.begin_computing_tables(self.history_free_tables_job());
        self.begin_one_sided_ban_tables(MAX_CHECKERS_SOLVED_WITH_BANS);
    }

    /// Returns `true` for every position if there are files, because the contents of a file are
    /// unknown before it is opened.
    fn may_contain_position(&self, position: &Position) -> bool {
        self.files.is_some()
            || position.occupied_points().count_ones() as usize <= MAX_CHECKERS_SOLVED_IN_MEMORY
    }

    fn has_computation_failed(&self) -> bool {
        self.history_free.has_computation_failed() || self.one_sided_ban.has_computation_failed()
    }

    fn compute_next_table_part(&self) -> bool {
        self.history_free.compute_next_table_part(self.history_free_tables_job())
            && self
                .one_sided_ban_tables_job(MAX_CHECKERS_SOLVED_WITH_BANS)
                .is_none_or(|job| self.one_sided_ban.compute_next_table_part(job))
    }

    /// Begins to build the tables without reading files, because a proof may use only values that
    /// this process has computed.
    fn begin_tablebases_for_proof(&self, max_checkers: Option<usize>) {
        let max_checkers = max_checkers
            .unwrap_or(self.rules.max_checkers_of_exact_tables())
            .clamp(2, MAX_CHECKERS_IN_NUMBERED_POSITION);
        if self.rules.has_no_history() {
            self.history_free.begin_computing_tables(HistoryFreeTablesBuilder::prepare_build_job(
                self.rules.without_history(),
                max_checkers,
                None,
            ));
        }
        self.begin_one_sided_ban_tables(max_checkers);
    }

    fn wait_until_computed(&self, given_up: &dyn Fn() -> bool) {
        self.history_free.wait_until_computed(given_up);
        self.one_sided_ban.wait_until_computed(given_up);
    }

    fn take_faults(&self) -> Vec<Warning> {
        [self.history_free.take_faults(), self.one_sided_ban.take_faults()].concat()
    }
}

impl WriteTables for Alquerque {
    type TableError = MakeTablesError;

    fn write_table_files(
        &self,
        plan: &TableWriteRequest,
        report: &(dyn Fn(TableWriteProgress) + Sync),
    ) -> Result<(), WriteTablesError<MakeTablesError>> {
        let range = 2..=MAX_CHECKERS_IN_NUMBERED_POSITION;
        let max_checkers =
            plan.count.parse().ok().filter(|max_checkers| range.contains(max_checkers));
        let max_checkers = max_checkers.ok_or_else(|| {
            WriteTablesError::Request(TableWriteRequestError::Count {
                game: Alquerque::GAME_ID,
                range,
                unit: "checkers",
                found: plan.count.into(),
            })
        })?;
        let _lock = lock_directory(plan.directory).map_err(MakeTablesError::File)?;
        let rules = self.without_history();
        let numbering = AlquerqueNumbering::new(&rules, max_checkers);
        let mut tables = Tablebase::default();
        let groups = numbering.class_groups();
        let total_size = |groups: &[Vec<usize>]| {
            groups.iter().flatten().map(|&class| numbering.class_size(class)).sum::<usize>()
        };
        for (done, group) in groups.iter().enumerate() {
            let share = total_size(&groups[..done]) as f64 / total_size(&groups) as f64;
            let name = numbering.table_file_name(group);
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

impl Alquerque {
    /// Returns the maximum number of checkers in positions for which the tables in memory have
    /// exact values.
    pub fn max_checkers_of_exact_tables(&self) -> usize {
        if self.has_player_retreat_ban_only() {
            MAX_CHECKERS_SOLVED_WITH_BANS
        } else {
            MAX_CHECKERS_SOLVED_IN_MEMORY
        }
    }

    /// Returns the exact value of a position from the tables that take forbidden steps into
    /// account, or `None` if the tables do not determine this value.
    ///
    /// If a step may be forbidden to both sides, the tables that bind only one side give bounds. If
    /// only one side is bound, this side reaches at most its value in the game. So each side's
    /// value in such tables is a lower bound for this side. The value is known if the bounds of
    /// both sides are equal.
    fn value_with_step_bans(
        &self,
        tables: &AlquerqueTablebase,
        position: &Position,
    ) -> Option<TableValue> {
        let one_sided_ban = tables.one_sided_ban.get()?;
        let value = |side: Side| one_sided_ban.value(position, side);
        match self.retreat_binds {
            [true, true] => match (value(position.side)?, value(!position.side)?) {
                (win @ TableValue::Win(_), _) => Some(win),
                (_, loss @ TableValue::Loss(_)) => Some(loss),
                (TableValue::Draw, TableValue::Draw) => Some(TableValue::Draw),
                _ => None,
            },
            [true, false] => value(Side::First),
            [false, _] => value(Side::Second),
        }
    }
}

impl ProbeTables for Alquerque {
    type Tables = AlquerqueTablebase;

    /// Returns the exact value if the tables take the history of the position into account.
    /// Otherwise returns the value under the same rules without history, as
    /// [`Similar`](ProbeResult::Similar). Returns `None` instead if a huff is due, because rules
    /// without history have no huffs.
    fn probe_tables(
        &self,
        tables: &AlquerqueTablebase,
        position: &Position,
        probing: ProbeWorkLimit,
    ) -> Option<ProbeResult> {
        if probing == ProbeWorkLimit::Computed {
            return None;
        }
        let without_history = || tables.history_free.get()?.value(position);
        if self.has_no_history() {
            return without_history().map(ProbeResult::Value);
        }
        let value = self.value_with_step_bans(tables, position).map(ProbeResult::Value);
        value.or_else(|| without_history().filter(|_| position.huff == 0).map(ProbeResult::Similar))
    }

    fn proved_value(&self, position: &Position) -> Option<TableValue> {
        self.value_proved_in_advance(position)
    }

    fn value_verification_sentence(&self, source: KnownValueSource) -> &'static str {
        match source {
            KnownValueSource::Table if self.has_no_history() => {
                "The tests compare the values of all positions with at most six checkers with the \
                 values after their moves; for other tables the command 'tables N --check' does it."
            }
            KnownValueSource::Table => {
                "The tests compare values of positions with at most six checkers with the values \
                 after their moves, with one forbidden step in each position."
            }
            KnownValueSource::Book => {
                "When 'pentarch prove' made the book, it played all moves of Dark against the book, \
                 and the tests can repeat this in full."
            }
            KnownValueSource::Proof => {
                "'pentarch prove' found the proof, and then its verification played all moves of \
                 the other side against the replies, in full, but without the values in tables."
            }
            _ => default_verification_sentence(source),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::RETREAT_BAN_OPTION;
    use pentarch_core::Options;
    use pentarch_tables::TableIndex;

    #[test]
    fn tables_built_in_steps_equal_those_built_on_a_thread() {
        let mut options = Options::default();
        options.set(&RETREAT_BAN_OPTION, "player").unwrap();
        let rules = Alquerque::from_options(&options);
        let free = rules.without_history();
        let [threaded, stepwise_table_job] =
            [(); 2].map(|()| AlquerqueTablebase::new(&rules, None));
        threaded.begin_computing_tables();
        let steps =
            1 + (0..10_000).take_while(|_| !stepwise_table_job.compute_next_table_part()).count();
        assert!(steps > 10, "{steps}");
        threaded.wait_until_computed(&|| false);
        let numbering = AlquerqueNumbering::new(&free, MAX_CHECKERS_SOLVED_IN_MEMORY);
        let mut known = [0; 2];
        for class in numbering.class_groups().concat() {
            for number in 0..numbering.class_size(class) {
                let Some(position) = numbering.position_at_index(TableIndex { class, number })
                else {
                    continue;
                };
                for (index, rules) in [&free, &rules].into_iter().enumerate() {
                    let expected = rules.probe_tables(&threaded, &position, ProbeWorkLimit::Quick);
                    assert_eq!(
                        expected,
                        rules.probe_tables(&stepwise_table_job, &position, ProbeWorkLimit::Quick),
                        "{position:?}"
                    );
                    known[index] += usize::from(expected.is_some());
                }
            }
        }
        assert!(known.iter().all(|&known| known > 1000), "{known:?}");
    }
}
