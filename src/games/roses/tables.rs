//! The tablebase of Guerre des Deux Roses, in memory. It holds the distance to the end from every position: the game is
//! solved.

use std::sync::Arc;

use crate::core::{MakeTables, Probe, Rules, TableFiles, TableValue};
use crate::tables::Tablebase;
use crate::tables::background::Background;

use super::Roses;
use super::numbering::index_of;
use super::position::Position;
use super::solver;

/// The tablebase of all positions under one set of rules.
pub struct RosesTables {
    rules: Roses,
    values: Background<Tablebase>,
}

impl MakeTables<Roses> for RosesTables {
    fn new(rules: &Roses, _: Option<Arc<dyn TableFiles>>) -> RosesTables {
        RosesTables { rules: rules.clone(), values: Background::default() }
    }

    fn begin(&self) {
        let rules = self.rules.clone();
        self.values.begin(move |task| {
            let solved = solver::solve(&rules, || !task.is_cancelled());
            solved.inspect_err(|error| task.report_unsolved(Roses::NAME, error)).ok()
        });
    }

    fn wait(&self, given_up: &dyn Fn() -> bool) {
        self.values.wait(given_up);
    }

    fn take_faults(&self) -> Vec<String> {
        self.values.take_faults()
    }
}

impl Probe for Roses {
    type Tables = RosesTables;

    fn probe(&self, tables: &RosesTables, position: &Position) -> Option<TableValue> {
        Some(tables.values.get()?.get(index_of(position)?)?.value())
    }
}
