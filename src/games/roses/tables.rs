//! The tablebase of Guerre des Deux Roses, in memory. It holds the distance to the end from every position: the game is
//! solved.

use std::sync::Arc;

use pentarch_core::{MakeTables, Probe, Probed, Probing, Rules, TableFiles};
use pentarch_tables::Tablebase;
use pentarch_tables::background::{Background, Work, in_steps};

use super::Roses;
use super::numbering::index_of;
use super::position::Position;
use super::solver::Solver;

/// The tablebase of all positions under one set of rules.
pub struct RosesTables {
    rules: Roses,
    values: Background<Tablebase>,
}

impl RosesTables {
    /// The work of solving the positions.
    fn solving(&self) -> Work<Tablebase> {
        let rules = self.rules.clone();
        in_steps(Roses::NAME, 10, move |_| Solver::new(&rules), |solver, _| Ok(solver.step()), Solver::into_tables)
    }
}

impl MakeTables<Roses> for RosesTables {
    const SOLVES_GAME: bool = true;

    fn new(rules: &Roses, _: Option<Arc<dyn TableFiles>>) -> RosesTables {
        RosesTables { rules: rules.clone(), values: Background::default() }
    }

    fn begin(&self) {
        self.values.begin(self.solving());
    }

    fn advance(&self) -> bool {
        self.values.advance(self.solving())
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

    fn probe(&self, tables: &RosesTables, position: &Position, probing: Probing) -> Option<Probed> {
        if probing == Probing::Computed {
            return None;
        }
        Some(Probed::Value(tables.values.get()?.get(index_of(position)?)?.value()))
    }
}

#[cfg(test)]
mod tests {
    use super::super::numbering::{Class, RosesNumbering};
    use super::*;
    use pentarch_core::Options;
    use pentarch_tables::{Numbering, TableIndex};

    #[test]
    fn tables_made_in_parts_are_those_made_on_a_thread() {
        let rules = Roses::from_options(&Options::default());
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
