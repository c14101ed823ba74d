//! The tablebase of Guerre des Deux Roses, solved in memory or read from a file. It holds the distance to the end from
//! every position: the game is solved.

use std::sync::Arc;

use pentarch_core::{
    MakeTables, Probe, ProbeLimit, ProbeResult, Rules, TableFiles, TablePlan, TablePlanError,
    TableReport, Warning, WriteTables, WriteTablesError,
};
use pentarch_system::files::lock_directory;
use pentarch_system::process_cache;
use pentarch_tables::background::{Background, BackgroundJob, JobControl, stepwise_job};
use pentarch_tables::error::MakeTablesError;
use pentarch_tables::{Tablebase, file};

use super::Roses;
use super::board::Board;
use super::numbering::{Class, RosesNumbering, index_of};
use super::position::Position;
use super::solver::Solver;

/// The tablebase of all positions under one set of rules.
pub struct RosesTables {
    rules: Roses,
    /// The file of the tables; none if no files are used.
    files: Option<Arc<dyn TableFiles>>,
    values: Background<Tablebase>,
}

/// The number of soldiers in the game.
const MEN: usize = 8;

/// All classes of positions, as their file has them.
fn classes() -> Vec<usize> {
    Class::of_move_phase().chain(Class::of_drop_phase()).map(Class::id).collect()
}

/// The name of the file of the tables for these rules.
fn file_name(rules: &Roses) -> &'static str {
    if rules.board == Board::new(true) { "roses-contiguous" } else { "roses" }
}

impl RosesTables {
    /// The work of reading the file, or without one of solving the positions.
    fn solving(&self) -> BackgroundJob<Tablebase> {
        let (rules, files) = (self.rules.clone(), self.files.clone());
        let begin = move |task: &JobControl<Tablebase>| {
            let (mut tables, numbering) = (Tablebase::default(), RosesNumbering::new(&rules));
            let load = |files| {
                file::load_group(files, file_name(&rules), &numbering, &classes(), &mut tables)
            };
            match files.as_deref().map_or(Ok(false), load) {
                Ok(true) => return Ok(Err(tables)),
                Ok(false) => {}
                Err(fault) => task.report_fault(fault),
            }
            Solver::new(&rules).map(Ok)
        };
        let step = |making: &mut Result<Solver, Tablebase>, _: &_| {
            Ok(making.as_mut().is_ok_and(Solver::step))
        };
        stepwise_job(Roses::NAME, 10, begin, step, |making| {
            making.map_or_else(|tables| tables, Solver::into_tables)
        })
    }
}

impl MakeTables<Roses> for RosesTables {
    const SOLVES_GAME: bool = true;

    fn new(rules: &Roses, files: Option<Arc<dyn TableFiles>>) -> RosesTables {
        RosesTables { rules: rules.clone(), files, values: Background::default() }
    }

    fn shared(rules: &Roses) -> Arc<RosesTables> {
        process_cache::get_or_insert_with(
            rules.clone(),
            || Arc::new(RosesTables::new(rules, None)),
            |tables| tables.has_failed(),
        )
    }

    fn begin(&self) {
        self.values.begin(self.solving());
    }

    fn have_solved_game(&self) -> bool {
        self.values.get().is_some()
    }

    fn has_failed(&self) -> bool {
        self.values.has_failed()
    }

    fn advance(&self) -> bool {
        self.values.advance(self.solving())
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
        plan: &TablePlan,
        tell: &(dyn Fn(TableReport) + Sync),
    ) -> Result<(), WriteTablesError<MakeTablesError>> {
        if plan.count != MEN.to_string() {
            return Err(WriteTablesError::Plan(TablePlanError::Count {
                game: Roses::ID,
                range: MEN..=MEN,
                unit: "soldiers",
                found: plan.count.into(),
            }));
        }
        let _lock = lock_directory(plan.directory).map_err(MakeTablesError::File)?;
        let solve = |tables: &mut Tablebase| {
            let mut solver = Solver::new(self)?;
            while solver.step() {}
            *tables = solver.into_tables();
            Ok(())
        };
        let numbering = RosesNumbering::new(self);
        let mut tables = Tablebase::default();
        let name = file_name(self);
        Ok(file::load_or_solve(name, &numbering, &classes(), &mut tables, plan, tell, solve)?)
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
    use super::super::numbering::{Class, RosesNumbering};
    use super::*;

    use pentarch_tables::{Numbering, TableIndex};

    #[test]
    fn tables_made_in_parts_are_those_made_on_a_thread() {
        let rules = Roses::default();
        let [threaded, in_parts] = [(); 2].map(|()| RosesTables::new(&rules, None));
        threaded.begin();
        let parts = 1 + (0..1000).take_while(|_| !in_parts.advance()).count();
        assert!((10..100).contains(&parts), "{parts}");
        threaded.wait(&|| false);
        let [expected, found] = [&threaded, &in_parts].map(|tables| tables.values.get().unwrap());
        let numbering = RosesNumbering::new(&rules);
        for class in Class::of_move_phase().chain(Class::of_drop_phase()).map(Class::id) {
            for number in 0..numbering.size(class) {
                let place = TableIndex { class, number };
                assert_eq!(expected.get(place), found.get(place), "{place:?}");
            }
        }
    }
}
