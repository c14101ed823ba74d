//! The tablebase of Guerre des Deux Roses. It holds the distance to the end from every position, and is made in memory
//! when a search begins: the game is solved.

use std::path::Path;

use crate::core::{MakeTables, Probe, TableValue};
use crate::tables::background::Background;
use crate::tables::{Numbering, Tablebase};

use super::Roses;
use super::numbering::{RosesNumbering, index_of};
use super::position::Position;

/// The tablebase of all positions under one set of rules.
pub struct RosesTables {
    rules: Roses,
    values: Background<Tablebase>,
}

impl MakeTables<Roses> for RosesTables {
    fn new(rules: &Roses, _: Option<&Path>) -> RosesTables {
        RosesTables { rules: rules.clone(), values: Background::default() }
    }

    fn begin(&self) {
        let rules = self.rules.clone();
        self.values.begin(move |task| {
            let numbering = RosesNumbering::new(&rules);
            let mut values = Tablebase::default();
            numbering.groups().iter().all(|group| values.solve(&numbering, group, task)).then_some(values)
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
