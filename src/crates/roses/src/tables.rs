//! The tablebase of Guerre des Deux Roses. It is solved in memory or read from a file. The
//! tablebase has the distance to the end for every position, so the game is solved.

use std::sync::Arc;

use pentarch_core::tables::default_check_statement;
use pentarch_core::{
    HasTurn, KnownSource, MakeTables, ProbeResult, ProbeTables, ProbeWorkLimit, Rules, TableFiles,
    TableValue, TableWritePlan, TableWritePlanError, TableWriteProgress, Warning, WriteTables,
    WriteTablesError,
};
use pentarch_system::file_system::lock_directory;
use pentarch_system::process_wide_cache;
use pentarch_tables::background::{
    BackgroundJob, BackgroundValue, TableJobControl, stepwise_table_job,
};
use pentarch_tables::budget::GroupSolveError;
use pentarch_tables::error::MakeTablesError;
use pentarch_tables::{Tablebase, file};

use super::Roses;
use super::numbering::{PositionClass, RosesNumbering, table_index_of};
use super::position::Position;
use super::solver::RosesSolver;

/// The tablebase of all positions under one set of rules.
pub struct RosesTables {
    rules: Roses,
    /// The collection of table files; `None` if no files are used.
    files: Option<Arc<dyn TableFiles>>,
    values: BackgroundValue<Tablebase>,
}

const TOTAL_SOLDIER_COUNT: usize = 8;

/// Returns the numbers of all classes of positions, in the order in which the file stores them.
fn all_position_classes() -> Vec<usize> {
    PositionClass::all_class_ids().collect()
}

fn table_file_name(rules: &Roses) -> &'static str {
    if rules.has_contiguous_support() { "roses-contiguous" } else { "roses" }
}

impl RosesTables {
    /// Returns the job that reads the file, or solves the positions if there is no file.
    fn build_job(&self) -> BackgroundJob<Tablebase> {
        let rules = self.rules.clone();
        let files = self.files.clone();
        let begin = move |task: &TableJobControl<Tablebase>| {
            let mut tables = Tablebase::default();
            let numbering = RosesNumbering::new(&rules);
            let load = |files| {
                file::load_group_file(
                    files,
                    table_file_name(&rules),
                    &numbering,
                    &all_position_classes(),
                    &mut tables,
                )
            };
            match files.as_deref().map_or(Ok(false), load) {
                Ok(true) => return Ok(RosesTablesBuilder::Loaded(tables)),
                Ok(false) => {}
                Err(fault) => task.report_fault(fault),
            }
            Ok(RosesTablesBuilder::Solving(Box::new(RosesSolver::new(&rules)?)))
        };
        stepwise_table_job(
            Roses::GAME_NAME,
            10,
            begin,
            RosesTablesBuilder::step,
            RosesTablesBuilder::into_tables,
        )
    }
}

/// Builds the tables in steps.
enum RosesTablesBuilder {
    /// The file has been read.
    Loaded(Tablebase),
    /// The positions are being solved.
    Solving(Box<RosesSolver>),
}

impl RosesTablesBuilder {
    fn step(&mut self, _: &TableJobControl<Tablebase>) -> Result<bool, GroupSolveError> {
        Ok(match self {
            RosesTablesBuilder::Loaded(_) => false,
            RosesTablesBuilder::Solving(solver) => solver.run_step(),
        })
    }

    fn into_tables(self) -> Tablebase {
        match self {
            RosesTablesBuilder::Loaded(tables) => tables,
            RosesTablesBuilder::Solving(solver) => solver.into_tables(),
        }
    }
}

impl MakeTables<Roses> for RosesTables {
    const TABLES_SOLVE_GAME: bool = true;

    fn new(rules: &Roses, files: Option<Arc<dyn TableFiles>>) -> RosesTables {
        RosesTables { rules: rules.clone(), files, values: BackgroundValue::default() }
    }

    fn create_shared_tables(rules: &Roses) -> Arc<RosesTables> {
        process_wide_cache::get_or_insert_cached(
            rules.clone(),
            || Arc::new(RosesTables::new(rules, None)),
            |tables| tables.has_computation_failed(),
        )
    }

    fn begin_computing_tables(&self) {
        self.values.begin_computing_tables(self.build_job());
    }

    fn have_solved_game(&self) -> bool {
        self.values.get().is_some()
    }

    fn has_computation_failed(&self) -> bool {
        self.values.has_computation_failed()
    }

    fn compute_next_part(&self) -> bool {
        self.values.compute_next_part(self.build_job())
    }

    fn wait_until_computed(&self, given_up: &dyn Fn() -> bool) {
        self.values.wait_until_computed(given_up);
    }

    fn take_faults(&self) -> Vec<Warning> {
        self.values.take_faults()
    }
}

impl WriteTables for Roses {
    type TableError = MakeTablesError;

    fn write_table_files(
        &self,
        plan: &TableWritePlan,
        report: &(dyn Fn(TableWriteProgress) + Sync),
    ) -> Result<(), WriteTablesError<MakeTablesError>> {
        if plan.count != TOTAL_SOLDIER_COUNT.to_string() {
            return Err(WriteTablesError::Plan(TableWritePlanError::Count {
                game: Roses::GAME_ID,
                range: TOTAL_SOLDIER_COUNT..=TOTAL_SOLDIER_COUNT,
                unit: "soldiers",
                found: plan.count.into(),
            }));
        }
        let _lock = lock_directory(plan.directory).map_err(MakeTablesError::File)?;
        let solve = |tables: &mut Tablebase| {
            let mut solver = RosesSolver::new(self)?;
            while solver.run_step() {}
            *tables = solver.into_tables();
            Ok(())
        };
        let numbering = RosesNumbering::new(self);
        let mut tables = Tablebase::default();
        let name = table_file_name(self);
        Ok(file::load_or_solve_group(
            name,
            &numbering,
            &all_position_classes(),
            &mut tables,
            plan,
            report,
            solve,
        )?)
    }
}

impl ProbeTables for Roses {
    type Tables = RosesTables;

    fn probe_tables(
        &self,
        tables: &RosesTables,
        position: &Position,
        probing: ProbeWorkLimit,
    ) -> Option<ProbeResult> {
        if probing == ProbeWorkLimit::Computed {
            return None;
        }
        Some(ProbeResult::Value(tables.values.get()?.get(table_index_of(position)?)?.value()))
    }

    /// Returns a draw for the start position, with and without contiguous support.
    fn proved_value(&self, position: &Position) -> Option<TableValue> {
        (position.with_full_move_number(1) == self.start_position()).then_some(TableValue::Draw)
    }

    fn check_statement(&self, source: KnownSource) -> &'static str {
        match source {
            KnownSource::Table | KnownSource::Proof => {
                "The command 'tables 8 --check' compared the value of each position with the \
                 values after its moves, in full, and all positions passed."
            }
            _ => default_check_statement(source),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::numbering::{PositionClass, RosesNumbering};
    use super::*;

    use pentarch_tables::{PositionNumbering, TableIndex};

    #[test]
    fn tables_built_steppedequal_those_built_on_a_thread() {
        let rules = Roses::default();
        let [threaded, stepped] = [(); 2].map(|()| RosesTables::new(&rules, None));
        threaded.begin_computing_tables();
        let steps = 1 + (0..1000).take_while(|_| !stepped.compute_next_part()).count();
        assert!((10..100).contains(&steps), "{steps}");
        threaded.wait_until_computed(&|| false);
        let [expected, found] = [&threaded, &stepped].map(|tables| tables.values.get().unwrap());
        let numbering = RosesNumbering::new(&rules);
        for class in PositionClass::all_class_ids() {
            for number in 0..numbering.class_size(class) {
                let index = TableIndex { class, number };
                assert_eq!(expected.get(index), found.get(index), "{index:?}");
            }
        }
    }
}
