//! The tablebases of positions with few checkers: solved in memory or read from files, and probed.
//!
//! Values of positions without history are exact under rules without history. Under other rules they serve as
//! estimates. Where REQ.25.ALT.3 forbids steps, the tables of [`retreat_tables`](super::retreat_tables) give exact
//! values.

use std::collections::VecDeque;
use std::sync::Arc;

use pentarch_core::{
    MakeTables, Probe, ProbeLimit, ProbeResult, Rules, Side, TableFiles, TablePlan, TablePlanError,
    TableReport, TableValue, Warning, WriteTables, WriteTablesError,
};
use pentarch_system::files::lock_directory;
use pentarch_system::process_cache;
use pentarch_tables::background::{Background, BackgroundJob, JobControl, stepwise_job};
use pentarch_tables::budget::{RetrogradeBudget, SolveError};
use pentarch_tables::error::MakeTablesError;
use pentarch_tables::file::{self, StoredValues};
use pentarch_tables::retrograde::{GroupSolver, solve};
use pentarch_tables::{Numbering, Retromoves, Tablebase};

use super::Alquerque;
use super::numbering::{AlquerqueNumbering, MAX_CHECKERS, counts, file_name};
use super::position::Position;
use super::retreat_tables::RetreatTables;

/// The greatest number of checkers of the positions that are solved in memory if no file has them.
const MAX_IN_MEMORY: usize = 6;
/// The greatest number of checkers of the positions that are solved in memory for rules by which a step may be
/// forbidden to a side.
const MAX_IN_MEMORY_WITH_RETREAT: usize = 5;

/// The values of positions under rules without history.
pub struct CheckerTables {
    numbering: AlquerqueNumbering,
    tables: Tablebase,
}

impl CheckerTables {
    /// The value of a position, if the tables hold it.
    fn value(&self, position: &Position) -> Option<TableValue> {
        Some(self.tables.get(self.numbering.index(position)?)?.value())
    }
}

/// The making of these tables.
struct Making {
    /// The greatest number of checkers of the positions that are solved if no file has them.
    max_solved: usize,
    files: Option<Arc<dyn TableFiles>>,
    /// The tables so far.
    made: CheckerTables,
    /// The groups that are not in the tables yet.
    groups: VecDeque<Vec<usize>>,
    /// The first of these groups, if it is being solved.
    solving: Option<GroupSolver>,
}

impl Making {
    /// Looks for the files. Those of positions with more than `max_solved` checkers that cannot be used are told to the
    /// task.
    fn new(
        rules: &Alquerque,
        max_solved: usize,
        files: Option<Arc<dyn TableFiles>>,
        task: &JobControl<CheckerTables>,
    ) -> Making {
        let (mut max_checkers, mut faults) = (max_solved, Vec::new());
        for counts in counts(max_solved + 1, MAX_CHECKERS) {
            let checkers = counts.0 + counts.1;
            let open = |files| StoredValues::open(files, &file_name(rules, counts), None);
            match files.as_deref().map_or(Ok(None), open) {
                Ok(file) => max_checkers = file.map_or(max_checkers, |_| checkers),
                Err(fault) => faults.push((checkers, fault)),
            }
        }
        // The files of positions with fewer checkers are opened below, and their faults told then.
        let beyond = faults.into_iter().filter(|&(checkers, _)| checkers > max_checkers);
        beyond.for_each(|(_, fault)| task.report_fault(fault));
        let numbering = AlquerqueNumbering::new(rules, max_checkers);
        let groups = numbering.groups().into();
        let made = CheckerTables { numbering, tables: Tablebase::default() };
        Making { max_solved, files, made, groups, solving: None }
    }

    /// The work of making the tables of positions under rules without history. They are read from the files, if there
    /// are any; positions with at most `max_solved` checkers that no file has are solved.
    fn work(
        rules: Alquerque,
        max_solved: usize,
        files: Option<Arc<dyn TableFiles>>,
    ) -> BackgroundJob<CheckerTables> {
        let begin = move |task: &_| Ok(Making::new(&rules, max_solved, files.clone(), task));
        stepwise_job(Alquerque::NAME, 0, begin, Making::step, |making| making.made)
    }

    /// Reads the next group, or goes on solving it; returns whether there was any. Faults of files are told to the
    /// task.
    ///
    /// # Errors
    /// If it cannot be solved, or if it is interrupted: then the next call goes on with it.
    fn step(&mut self, task: &JobControl<CheckerTables>) -> Result<bool, SolveError> {
        let Some(classes) = self.groups.front() else { return Ok(false) };
        let CheckerTables { numbering, tables } = &mut self.made;
        if self.solving.is_none() {
            let load = |files| {
                file::load_group(files, &numbering.name(classes), numbering, classes, tables)
            };
            let is_loaded = self.files.as_deref().map_or(Ok(false), load).unwrap_or_else(|fault| {
                task.report_fault(fault);
                false
            });
            if !is_loaded && numbering.checkers(classes) <= self.max_solved {
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

/// The tablebases for one set of rules, made in the background.
pub struct AlquerqueTables {
    rules: Alquerque,
    /// The table files; none if no files are used.
    files: Option<Arc<dyn TableFiles>>,
    /// The values under the same rules without history.
    checkers: Background<CheckerTables>,
    /// The values if a step may be forbidden to one side and not to the other.
    retreat: Background<RetreatTables>,
}

impl AlquerqueTables {
    /// The work of making the tables of positions with at most this number of checkers in which a step may be forbidden
    /// to a side; none under rules for which these tables are of no use.
    fn retreat_work(&self, max_checkers: usize) -> Option<BackgroundJob<RetreatTables>> {
        let work = || RetreatTables::work(self.rules.with_one_side_bound(), max_checkers);
        self.rules.has_player_ban_only().then(work)
    }

    fn checker_work(&self) -> BackgroundJob<CheckerTables> {
        Making::work(self.rules.without_history(), MAX_IN_MEMORY, self.files.clone())
    }

    fn begin_retreat(&self, max_checkers: usize) {
        if let Some(work) = self.retreat_work(max_checkers) {
            self.retreat.begin(work);
        }
    }
}

impl MakeTables<Alquerque> for AlquerqueTables {
    /// With the tables a search uses the opening book.
    fn new(rules: &Alquerque, files: Option<Arc<dyn TableFiles>>) -> AlquerqueTables {
        AlquerqueTables {
            rules: rules.clone(),
            files,
            checkers: Background::default(),
            retreat: Background::default(),
        }
    }

    /// Rule sets that differ only in what the past decides share the values under the same rules without history.
    fn shared(rules: &Alquerque) -> Arc<AlquerqueTables> {
        let checkers = process_cache::get_or_insert_with(
            rules.without_history(),
            Background::default,
            Background::has_failed,
        );
        let retreat = match rules.has_player_ban_only() {
            true => process_cache::get_or_insert_with(
                rules.with_one_side_bound(),
                Background::default,
                Background::has_failed,
            ),
            false => Background::default(),
        };
        Arc::new(AlquerqueTables { checkers, retreat, ..AlquerqueTables::new(rules, None) })
    }

    fn begin(&self) {
        self.checkers.begin(self.checker_work());
        self.begin_retreat(MAX_IN_MEMORY_WITH_RETREAT);
    }

    /// Which positions files hold is known when they are opened.
    fn may_hold(&self, position: &Position) -> bool {
        self.files.is_some() || position.occupied().count_ones() as usize <= MAX_IN_MEMORY
    }

    fn has_failed(&self) -> bool {
        self.checkers.has_failed() || self.retreat.has_failed()
    }

    fn advance(&self) -> bool {
        let retreat = || {
            self.retreat_work(MAX_IN_MEMORY_WITH_RETREAT)
                .is_none_or(|work| self.retreat.advance(work))
        };
        self.checkers.advance(self.checker_work()) && retreat()
    }

    /// No files are read, because a proof rests only on what this program has computed itself.
    fn begin_for_proof(&self, men: Option<usize>) {
        let men = men.unwrap_or(self.rules.max_exact_checkers()).clamp(2, MAX_CHECKERS);
        if self.rules.has_no_history() {
            self.checkers.begin(Making::work(self.rules.without_history(), men, None));
        }
        self.begin_retreat(men);
    }

    fn wait(&self, given_up: &dyn Fn() -> bool) {
        self.checkers.wait(given_up);
        self.retreat.wait(given_up);
    }

    fn take_faults(&self) -> Vec<Warning> {
        [self.checkers.take_faults(), self.retreat.take_faults()].concat()
    }
}

impl WriteTables for Alquerque {
    type TableError = MakeTablesError;

    fn write_files(
        &self,
        plan: &TablePlan,
        tell: &(dyn Fn(TableReport) + Sync),
    ) -> Result<(), WriteTablesError<MakeTablesError>> {
        let range = 2..=MAX_CHECKERS;
        let men = plan.count.parse().ok().filter(|men| range.contains(men));
        let men = men.ok_or_else(|| {
            WriteTablesError::Plan(TablePlanError::Count {
                game: Alquerque::ID,
                range,
                unit: "checkers",
                found: plan.count.into(),
            })
        })?;
        let _lock = lock_directory(plan.directory).map_err(MakeTablesError::File)?;
        let rules = self.without_history();
        let numbering = AlquerqueNumbering::new(&rules, men);
        let mut tables = Tablebase::default();
        let groups = numbering.groups();
        let size = |groups: &[Vec<usize>]| {
            groups.iter().flatten().map(|&class| numbering.size(class)).sum::<usize>()
        };
        for (done, group) in groups.iter().enumerate() {
            let share = size(&groups[..done]) as f64 / size(&groups) as f64;
            let name = numbering.name(group);
            let should_continue = |plies| {
                tell(TableReport::Working(&format!("{name}, {plies} plies back"), share));
                true
            };
            let budget =
                RetrogradeBudget { threads: plan.threads, should_continue: &should_continue };
            let solve = |tables: &mut _| solve(&numbering, group, tables, &budget);
            file::load_or_solve(&name, &numbering, group, &mut tables, plan, tell, solve)?;
        }
        Ok(())
    }
}

impl Alquerque {
    /// The greatest number of checkers of positions for which the tables in memory are exact.
    pub fn max_exact_checkers(&self) -> usize {
        if self.has_player_ban_only() { MAX_IN_MEMORY_WITH_RETREAT } else { MAX_IN_MEMORY }
    }

    /// The exact value of a position by the tables that know which steps back are forbidden.
    ///
    /// Where a step may be forbidden to both sides, the tables that bind only one side give bounds: each side reaches
    /// at least what it reaches if only it is bound. The value is known if the bounds of both sides meet.
    fn value_with_retreat(
        &self,
        tables: &AlquerqueTables,
        position: &Position,
    ) -> Option<TableValue> {
        let retreat = tables.retreat.get()?;
        let value = |side: Side| retreat.value(position, side);
        match self.binds {
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

impl Probe for Alquerque {
    type Tables = AlquerqueTables;

    /// Positions with more history than the tables have, or than can be known, have the value under the same rules
    /// without history. There is none if a huff is due, because rules without history have no such moves.
    fn probe(
        &self,
        tables: &AlquerqueTables,
        position: &Position,
        probing: ProbeLimit,
    ) -> Option<ProbeResult> {
        if probing == ProbeLimit::Computed {
            return None;
        }
        let without_history = || tables.checkers.get()?.value(position);
        if self.has_no_history() {
            return without_history().map(ProbeResult::Value);
        }
        let value = self.value_with_retreat(tables, position).map(ProbeResult::Value);
        value.or_else(|| without_history().filter(|_| position.huff == 0).map(ProbeResult::Similar))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::RETREAT;
    use pentarch_core::Options;
    use pentarch_tables::TableIndex;

    #[test]
    fn tables_made_in_parts_are_those_made_on_a_thread() {
        let mut options = Options::default();
        options.set(&RETREAT, "player").unwrap();
        let rules = Alquerque::from_options(&options);
        let free = rules.without_history();
        let [threaded, in_parts] = [(); 2].map(|()| AlquerqueTables::new(&rules, None));
        threaded.begin();
        let parts = 1 + (0..10_000).take_while(|_| !in_parts.advance()).count();
        assert!(parts > 10, "{parts}");
        threaded.wait(&|| false);
        let numbering = AlquerqueNumbering::new(&free, MAX_IN_MEMORY);
        let mut known = [0; 2];
        for class in numbering.groups().concat() {
            for number in 0..numbering.size(class) {
                let Some(position) = numbering.position(TableIndex { class, number }) else {
                    continue;
                };
                for (at, rules) in [&free, &rules].into_iter().enumerate() {
                    let expected = rules.probe(&threaded, &position, ProbeLimit::Quick);
                    assert_eq!(
                        expected,
                        rules.probe(&in_parts, &position, ProbeLimit::Quick),
                        "{position:?}"
                    );
                    known[at] += usize::from(expected.is_some());
                }
            }
        }
        assert!(known.iter().all(|&known| known > 1000), "{known:?}");
    }
}
