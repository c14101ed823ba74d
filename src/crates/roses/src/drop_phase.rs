//! Solves the drop phase of the game by looking one move ahead.

use pentarch_tables::dtm::Dtm;

use super::board::{BoardGraph, CASTLE_CELLS, NO_DROP_CELLS, half_turn_cell_set, iter_cells};
use super::numbering::CASTLE_CELL_SET;
use super::soldier_sets::{SoldierCounts, SoldierSets};

/// Returns the values of all positions in which a drop is the next move. `counts` are the numbers
/// of soldiers on the board before the drop. `after` are the values of the positions after the
/// drop.
pub(crate) fn drop_phase_values(
    sets: &SoldierSets,
    board: &BoardGraph,
    counts: SoldierCounts,
    after: &[u8],
) -> Vec<u8> {
    let SoldierCounts { own, enemy } = counts;
    let positions_per_row = sets.by_size[own + 1].len();
    let merits: Vec<u8> = after.iter().map(|&value| move_merit(Dtm(value))).collect();
    let value_before = position_values_by_move_merit();
    let mut values = vec![Dtm::DRAW_VALUE.0; sets.pair_count(counts)];
    let rows = values.chunks_mut(sets.by_size[enemy].len());
    for (&own_set, row) in sets.by_size[own].iter().zip(rows) {
        let adjacent = iter_cells(own_set | CASTLE_CELLS[0].bit())
            .fold(0, |set, cell| set | board.neighbours(cell));
        let allowed = adjacent & !own_set & !NO_DROP_CELLS & !CASTLE_CELL_SET;
        let drops: Vec<SoldierDrop> = iter_cells(allowed)
            .map(|cell| SoldierDrop {
                cell: cell.bit(),
                set_after: sets.number_of_set(half_turn_cell_set(own_set | cell.bit())),
            })
            .collect();
        let enemies = sets.by_size[enemy].iter().zip(&sets.half_turns[enemy]);
        for ((&enemy_set, &enemy_after), value) in enemies.zip(row) {
            if enemy_set & own_set != 0 {
                continue;
            }
            let merits =
                &merits[usize::from(enemy_after) * positions_per_row..][..positions_per_row];
            let legal = drops.iter().filter(|drop| enemy_set & drop.cell == 0);
            let best = legal.map(|drop| merits[drop.set_after]).max();
            *value = value_before[usize::from(best.unwrap_or_default())].0;
        }
    }
    values
}

/// A drop on a cell.
struct SoldierDrop {
    /// The cell, as a set.
    cell: u32,
    /// The number of the set of own soldiers after the drop, on the board turned by 180 degrees, as
    /// the other side sees it.
    set_after: usize,
}

/// Returns the merit of a move that leads to a position with this value. The value is for the
/// opponent, who is then to move. A move with a higher merit is better. The merit is 0 if the
/// distance to mate before the move does not fit into a byte.
fn move_merit(value: Dtm) -> u8 {
    match value.one_ply_earlier() {
        None => 0,
        Some(_) if value.is_loss() => u8::MAX - value.0 / 2,
        Some(_) if value.is_win() => value.0 / 2,
        Some(_) => 128,
    }
}

/// Returns, for each [merit](move_merit) of a position's best move, the value of the position. The
/// merit 0 also stands for no move, and its value is a loss.
fn position_values_by_move_merit() -> [Dtm; 256] {
    let mut values = [Dtm::LOST_VALUE; 256];
    for value in (0..u8::MAX).map(Dtm) {
        values[usize::from(move_merit(value))] = value.one_ply_earlier().unwrap_or(Dtm::LOST_VALUE);
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_move_with_the_highest_merit_is_the_best_one() {
        let values = position_values_by_move_merit();
        for first in (0..u8::MAX).map(Dtm) {
            for second in (0..u8::MAX).map(Dtm) {
                let best = first
                    .one_ply_earlier()
                    .unwrap()
                    .better_value(second.one_ply_earlier().unwrap());
                let merit = move_merit(first).max(move_merit(second));
                assert_eq!(values[usize::from(merit)], best, "{first:?} {second:?}");
            }
        }
        assert_eq!((values[0], move_merit(Dtm::MAX_DISTANCE_VALUE)), (Dtm::LOST_VALUE, 0));
    }
}
