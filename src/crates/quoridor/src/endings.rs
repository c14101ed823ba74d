//! Endings: the positions with few walls in hand, solved exactly when they are asked for.
//!
//! The walls that stand and those in hand are as many as before whatever is played, so an ending is a small tablebase:
//! its classes have the walls of one set and none, one or two more. On the usual board these are some two thousand sets
//! late in a game, which are solved within about a second, for all places of the pawns.

use std::sync::{Mutex, MutexGuard, PoisonError};

use pentarch_core::TableValue;
use pentarch_tables::{Numbering, Tablebase, thread_count};

use super::Quoridor;
use super::layers::solve;
use super::numbering::QuoridorNumbering;
use super::position::Position;

/// The most walls in hand, of both sides together, with which positions are solved. Only composers of problems ask for
/// it: the page without a server has none, and is to be small.
const MOST_LEFT: Option<usize> = if cfg!(target_arch = "wasm32") { None } else { Some(2) };

/// All positions that the game can come to from those with one set of walls on the board.
struct Ending {
    numbering: QuoridorNumbering,
    values: Tablebase,
}

/// The ending that was asked for last.
#[derive(Default)]
pub struct EndingCache(Mutex<Option<Ending>>);

impl Ending {
    /// Solves the positions with the walls of this one; none if there is not enough memory, or if a win takes so many
    /// plies that they do not fit into a byte.
    fn solve(rules: &Quoridor, position: &Position, left: usize) -> Option<Ending> {
        let numbering = QuoridorNumbering::around(rules, position.walls, left);
        let mut values = Tablebase::default();
        for class in (numbering.total - left..=numbering.total).rev() {
            let solved =
                solve(&numbering, class, values.values(class + 1), thread_count(), &|_| {}).ok()?;
            values.put(class, solved);
        }
        Some(Ending { numbering, values })
    }

    fn value(&self, position: &Position) -> Option<TableValue> {
        self.values.get(self.numbering.index(position)?).map(|value| value.value())
    }
}

impl EndingCache {
    fn kept(&self) -> MutexGuard<'_, Option<Ending>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The value of an undecided position that can come after the one that was solved last.
    pub fn known(&self, position: &Position) -> Option<TableValue> {
        self.kept().as_ref()?.value(position)
    }

    /// The value of an undecided position with few walls in hand; none if they are too many. What is not
    /// [known](EndingCache::known) is solved.
    pub fn value(&self, rules: &Quoridor, position: &Position) -> Option<TableValue> {
        let left = position.walls_left.map(usize::from).iter().sum();
        MOST_LEFT.filter(|&most| left <= most)?;
        let mut kept = self.kept();
        let known = kept.as_ref().and_then(|ending| ending.value(position));
        known.or_else(|| {
            *kept = None;
            *kept = Ending::solve(rules, position, left);
            kept.as_ref()?.value(position)
        })
    }
}

#[cfg(test)]
mod tests {
    use pentarch_core::{MakeTables, Probe, ProbeLimit, ProbeResult, Rules};

    use super::super::board::Board;
    use super::super::tables::QuoridorTables;
    use super::super::test_positions::random_position;
    use super::*;

    /// The value of a position by those of the positions after its moves, from one of them on.
    fn by_moves(rules: &Quoridor, tables: &QuoridorTables, position: &Position) -> TableValue {
        let mut moves = Vec::new();
        rules.legal_moves(position, &mut moves);
        let after = moves.into_iter().map(|mv| {
            let next = rules.play(position, mv);
            let value = || {
                rules
                    .probe(tables, &next, ProbeLimit::Exhaustive)
                    .and_then(ProbeResult::value)
                    .unwrap()
            };
            if rules.outcome(&next).is_some() { TableValue::Loss(0) } else { value() }
        });
        let rank = |value: &TableValue| match *value {
            TableValue::Loss(plies) => (0, i64::from(plies)),
            TableValue::Draw => (1, 0),
            TableValue::Win(plies) => (2, -i64::from(plies)),
        };
        match after.min_by_key(rank).unwrap() {
            TableValue::Loss(plies) => TableValue::Win(plies + 1),
            TableValue::Draw => TableValue::Draw,
            TableValue::Win(plies) => TableValue::Loss(plies + 1),
        }
    }

    /// The value of each position is that of its best move, on boards of several sizes, and the tables of all positions
    /// with so many walls say the same.
    #[test]
    fn endings_have_the_values_of_their_best_moves() {
        let mut rng = fastrand::Rng::with_seed(5);
        let mut kinds = [0; 3];
        for (size, count) in [(3, 40), (4, 40), (5, 20), (9, 2)] {
            let rules = Quoridor { board: Board::new(size), ..Quoridor::default() };
            let tables = QuoridorTables::new(&rules, None);
            for _ in 0..count {
                let walls_left = [[0, 1], [1, 0], [1, 1], [2, 0], [0, 2]][rng.usize(..5)];
                let position = Position { walls_left, ..random_position(&rules.board, &mut rng) };
                let value = EndingCache::default().value(&rules, &position).unwrap();
                assert_eq!(value, by_moves(&rules, &tables, &position), "{position:?}");
                kinds[match value {
                    TableValue::Win(_) => 0,
                    TableValue::Draw => 1,
                    TableValue::Loss(_) => 2,
                }] += 1;
            }
        }
        assert!(kinds[0] > 10 && kinds[2] > 10, "{kinds:?}");
        let rules = Quoridor { board: Board::new(4), ..Quoridor::default() };
        let start = Position::start(&rules.board, [1, 1]);
        let all = QuoridorNumbering::new(&rules, 2, |_| true);
        let mut values = Tablebase::default();
        for class in (0..=2).rev() {
            let solved = solve(&all, class, values.values(class + 1), 1, &|_| {}).ok().unwrap();
            values.put(class, solved);
        }
        let known = values.get(all.index(&start).unwrap()).unwrap().value();
        assert_eq!(EndingCache::default().value(&rules, &start), Some(known));
        let more = Position { walls_left: [2, 1], ..start };
        assert_eq!(EndingCache::default().value(&rules, &more), None);
    }
}
