//! Solves endings on request. An ending consists of all positions that can follow a position with
//! few walls in hand.
//!
//! If at most two walls are in hand, an ending is a small tablebase: its positions have the walls
//! of the first position on the board, and at most two more. Late in a game on the default board,
//! there are about two thousand such sets of walls. Solving them for all squares of the pawns takes
//! about a second.

use std::sync::{Mutex, MutexGuard, PoisonError};

use pentarch_core::TableValue;
use pentarch_tables::{PositionNumbering, Tablebase, table_thread_count};

use super::Quoridor;
use super::class_solver::solve_class;
use super::numbering::QuoridorNumbering;
use super::position::Position;

/// The maximum number of walls that both sides together have in hand in a solved ending. If this is
/// `None`, no endings are solved. It is `None` in WebAssembly, on the page without a server: the
/// page's program must be small, and only problem composers need these values.
const MAX_SOLVED_WALLS_IN_HAND: Option<usize> =
    if cfg!(target_arch = "wasm32") { None } else { Some(2) };

/// A solved ending: the values of all positions that can follow a position.
struct SolvedEnding {
    numbering: QuoridorNumbering,
    values: Tablebase,
}

/// The cache of the ending that was solved last.
#[derive(Default)]
pub(crate) struct EndingCache(Mutex<Option<SolvedEnding>>);

impl SolvedEnding {
    /// Solves the ending of `position`. `left` is the number of walls that both sides together have
    /// in hand. Returns `None` if there is not enough memory, or if a distance to mate does not fit
    /// into a byte.
    fn solve(rules: &Quoridor, position: &Position, left: usize) -> Option<SolvedEnding> {
        let numbering = QuoridorNumbering::from_walls(rules, position.walls, left);
        let mut values = Tablebase::default();
        for class in (numbering.total - left..=numbering.total).rev() {
            let solved = solve_class(
                &numbering,
                class,
                values.class_values(class + 1),
                table_thread_count(),
                &|_| {},
            )
            .ok()?;
            values.put_class_values(class, solved);
        }
        Some(SolvedEnding { numbering, values })
    }

    fn value(&self, position: &Position) -> Option<TableValue> {
        self.values.get(self.numbering.index_of_position(position)?).map(|value| value.value())
    }
}

impl EndingCache {
    fn lock(&self) -> MutexGuard<'_, Option<SolvedEnding>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the value of an undecided position, or `None` if the ending that was solved last
    /// does not contain it.
    pub(crate) fn cached_value(&self, position: &Position) -> Option<TableValue> {
        self.lock().as_ref()?.value(position)
    }

    /// Returns the value of an undecided position. Solves the ending of the position if the cache
    /// does not contain it. Returns `None` if too many walls are in hand, or if the ending cannot
    /// be solved.
    pub(crate) fn value(&self, rules: &Quoridor, position: &Position) -> Option<TableValue> {
        let left = position.walls_left.map(usize::from).iter().sum();
        MAX_SOLVED_WALLS_IN_HAND.filter(|&max| left <= max)?;
        let mut ending = self.lock();
        if let Some(value) = ending.as_ref().and_then(|ending| ending.value(position)) {
            return Some(value);
        }
        // The memory of the previous ending is freed before the next ending is solved.
        *ending = None;
        *ending = SolvedEnding::solve(rules, position, left);
        ending.as_ref()?.value(position)
    }
}

#[cfg(test)]
mod tests {
    use pentarch_core::{GameTables, ProbeResult, ProbeTables, ProbeWorkLimit, Rules};

    use super::super::board::Board;
    use super::super::tables::QuoridorTablebase;
    use super::super::test_positions::random_position;
    use super::*;

    /// Computes the value of a position from the values of the positions after its moves.
    fn value_from_moves(
        rules: &Quoridor,
        tables: &QuoridorTablebase,
        position: &Position,
    ) -> TableValue {
        let mut moves = Vec::new();
        rules.legal_moves(position, &mut moves);
        let after = moves.into_iter().map(|mv| {
            let next = rules.play(position, mv);
            if rules.outcome(&next).is_some() {
                return TableValue::Loss(0);
            }
            rules
                .probe_tables(tables, &next, ProbeWorkLimit::Exhaustive)
                .and_then(ProbeResult::value)
                .unwrap()
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

    /// The value of each position agrees with the values after its moves, on boards of several
    /// sizes. The value of a start position also agrees with a tablebase of all positions with the
    /// same total number of walls.
    #[test]
    fn agrees_with_the_values_after_the_best_moves() {
        let mut rng = fastrand::Rng::with_seed(5);
        let mut kinds = [0; 3];
        for (size, count) in [(3, 40), (4, 40), (5, 20), (9, 2)] {
            let rules = Quoridor { board: Board::new(size), ..Quoridor::default() };
            let tables = QuoridorTablebase::new(&rules, None);
            for _ in 0..count {
                let walls_left = [[0, 1], [1, 0], [1, 1], [2, 0], [0, 2]][rng.usize(..5)];
                let position = Position { walls_left, ..random_position(&rules.board, &mut rng) };
                let value = EndingCache::default().value(&rules, &position).unwrap();
                assert_eq!(value, value_from_moves(&rules, &tables, &position), "{position:?}");
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
            let solved =
                solve_class(&all, class, values.class_values(class + 1), 1, &|_| {}).ok().unwrap();
            values.put_class_values(class, solved);
        }
        let known = values.get(all.index_of_position(&start).unwrap()).unwrap().value();
        assert_eq!(EndingCache::default().value(&rules, &start), Some(known));
        let more = Position { walls_left: [2, 1], ..start };
        assert_eq!(EndingCache::default().value(&rules, &more), None);
    }
}
