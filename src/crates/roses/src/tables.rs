//! The tablebase of Guerre des Deux Roses, solved in memory or read from a file. It has the
//! distance to the end from every position: the game is solved.

use std::sync::Arc;

use pentarch_core::{
    MakeTables, Probe, ProbeLimit, ProbeResult, Rules, TableFiles, TableReport, TableWritePlan,
    TableWritePlanError, Warning, WriteTables, WriteTablesError,
};
use pentarch_system::files::lock_directory;
use pentarch_system::process_cache;
use pentarch_tables::background::{BackgroundJob, BackgroundValue, JobControl, stepwise_job};
use pentarch_tables::budget::SolveError;
use pentarch_tables::error::MakeTablesError;
use pentarch_tables::{Tablebase, file};

use super::Roses;
use super::numbering::{PositionClass, RosesNumbering, index_of};
use super::position::Position;
use super::solver::RosesSolver;

/// The tablebase of all positions under one set of rules.
pub struct RosesTables {
    rules: Roses,
    /// The file of the tables; none if no files are used.
    files: Option<Arc<dyn TableFiles>>,
    values: BackgroundValue<Tablebase>,
}

/// The number of soldiers in the game.
const SOLDIER_COUNT: usize = 8;

/// Returns all classes of positions, in the order of their file.
fn all_classes() -> Vec<usize> {
    PositionClass::all_ids().collect()
}

/// Returns the name of the file of the tables for these rules.
fn file_name(rules: &Roses) -> &'static str {
    if rules.has_contiguous_support() { "roses-contiguous" } else { "roses" }
}

impl RosesTables {
    /// Returns the job that reads the file, or solves the positions if there is no file.
    fn job(&self) -> BackgroundJob<Tablebase> {
        let rules = self.rules.clone();
        let files = self.files.clone();
        let begin = move |task: &JobControl<Tablebase>| {
            let mut tables = Tablebase::default();
            let numbering = RosesNumbering::new(&rules);
            let load = |files| {
                file::load_group(files, file_name(&rules), &numbering, &all_classes(), &mut tables)
            };
            match files.as_deref().map_or(Ok(false), load) {
                Ok(true) => return Ok(TablesBuilder::Loaded(tables)),
                Ok(false) => {}
                Err(fault) => task.report_fault(fault),
            }
            Ok(TablesBuilder::Solving(Box::new(RosesSolver::new(&rules)?)))
        };
        stepwise_job(Roses::NAME, 10, begin, TablesBuilder::step, TablesBuilder::into_tables)
    }
}

/// Builds the tables in steps.
enum TablesBuilder {
    /// The file has been read.
    Loaded(Tablebase),
    /// The positions are being solved.
    Solving(Box<RosesSolver>),
}

impl TablesBuilder {
    fn step(&mut self, _: &JobControl<Tablebase>) -> Result<bool, SolveError> {
        Ok(match self {
            TablesBuilder::Loaded(_) => false,
            TablesBuilder::Solving(solver) => solver.step(),
        })
    }

    fn into_tables(self) -> Tablebase {
        match self {
            TablesBuilder::Loaded(tables) => tables,
            TablesBuilder::Solving(solver) => solver.into_tables(),
        }
    }
}

impl MakeTables<Roses> for RosesTables {
    const SOLVES_GAME: bool = true;

    fn new(rules: &Roses, files: Option<Arc<dyn TableFiles>>) -> RosesTables {
        RosesTables { rules: rules.clone(), files, values: BackgroundValue::default() }
    }

    fn shared(rules: &Roses) -> Arc<RosesTables> {
        process_cache::get_or_insert_with(
            rules.clone(),
            || Arc::new(RosesTables::new(rules, None)),
            |tables| tables.has_failed(),
        )
    }

    fn begin_computing(&self) {
        self.values.begin_computing(self.job());
    }

    fn have_solved_game(&self) -> bool {
        self.values.get().is_some()
    }

    fn has_failed(&self) -> bool {
        self.values.has_failed()
    }

    fn advance(&self) -> bool {
        self.values.advance(self.job())
    }

    fn wait(&self, given_up: &dyn Fn() -> bool) {
        self.values.wait(given_up);
    }

    fn take_faults(&self) -> Vec<Warning> {
        self.values.take_faults()
    }
}

impl WriteTables for Roses {
    type TableError = MakeTablesError;

    fn write_files(
        &self,
        plan: &TableWritePlan,
        report: &(dyn Fn(TableReport) + Sync),
    ) -> Result<(), WriteTablesError<MakeTablesError>> {
        if plan.count != SOLDIER_COUNT.to_string() {
            return Err(WriteTablesError::Plan(TableWritePlanError::Count {
                game: Roses::ID,
                range: SOLDIER_COUNT..=SOLDIER_COUNT,
                unit: "soldiers",
                found: plan.count.into(),
            }));
        }
        let _lock = lock_directory(plan.directory).map_err(MakeTablesError::File)?;
        let solve = |tables: &mut Tablebase| {
            let mut solver = RosesSolver::new(self)?;
            while solver.step() {}
            *tables = solver.into_tables();
            Ok(())
        };
        let numbering = RosesNumbering::new(self);
        let mut tables = Tablebase::default();
        let name = file_name(self);
        Ok(file::load_or_solve(name, &numbering, &all_classes(), &mut tables, plan, report, solve)?)
    }
}

impl Probe for Roses {
    type Tables = RosesTables;

    fn probe(
        &self,
        tables: &RosesTables,
        position: &Position,
        probing: ProbeLimit,
    ) -> Option<ProbeResult> {
        if probing == ProbeLimit::Computed {
            return None;
        }
        Some(ProbeResult::Value(tables.values.get()?.get(index_of(position)?)?.value()))
    }
}

#[cfg(test)]
mod tests {
    use super::super::numbering::{PositionClass, RosesNumbering};
    use super::*;

    use pentarch_tables::{Numbering, TableIndex};

    #[test]
    fn tables_built_steppedequal_those_built_on_a_thread() {
        let rules = Roses::default();
        let [threaded, stepped] = [(); 2].map(|()| RosesTables::new(&rules, None));
        threaded.begin_computing();
        let steps = 1 + (0..1000).take_while(|_| !stepped.advance()).count();
        assert!((10..100).contains(&steps), "{steps}");
        threaded.wait(&|| false);
        let [expected, found] = [&threaded, &stepped].map(|tables| tables.values.get().unwrap());
        let numbering = RosesNumbering::new(&rules);
        for class in PositionClass::all_ids() {
            for number in 0..numbering.size(class) {
                let index = TableIndex { class, number };
                assert_eq!(expected.get(index), found.get(index), "{index:?}");
            }
        }
    }
}
