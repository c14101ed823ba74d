//! The drop phase, solved by looking one move ahead.

use pentarch_tables::dtm::Dtm;

use super::board::{Board, Cells, HOMES, RED, cells, half_turn};
use super::numbering::CASTLES;
use super::sets::Sets;

/// The values of a drop phase in which the side to move has one soldier less than after its drop. `after` has the
/// values after it.
pub fn values_before(sets: &Sets, board: &Board, counts: [usize; 2], after: &[u8]) -> Vec<u8> {
    let [own, enemy] = counts;
    let row = sets.of_size[own + 1].len();
    let merits: Vec<u8> = after.iter().map(|&value| merit(Dtm(value))).collect();
    let value_before = value_by_merit();
    let mut values = vec![Dtm::DRAW.0; sets.size(counts)];
    for (&own_set, values) in
        sets.of_size[own].iter().zip(values.chunks_mut(sets.of_size[enemy].len()))
    {
        let beside =
            cells(own_set | HOMES[0].bit()).fold(0, |set, cell| set | board.neighbours(cell));
        let allowed = beside & !own_set & !RED & !CASTLES;
        let places: Vec<(Cells, usize)> = cells(allowed)
            .map(|cell| (cell.bit(), sets.number(half_turn(own_set | cell.bit()))))
            .collect();
        let enemies = sets.of_size[enemy].iter().zip(&sets.turned[enemy]);
        for ((&enemy_set, &turned), value) in
            enemies.zip(values).filter(|((set, _), _)| *set & own_set == 0)
        {
            let merits = &merits[usize::from(turned) * row..][..row];
            let free = places.iter().filter(|(cell, _)| enemy_set & cell == 0);
            let best = free.map(|&(_, place)| merits[place]).max();
            *value = value_before[usize::from(best.unwrap_or_default())].0;
        }
    }
    values
}

/// How good a move to a position of this value is, the opponent being to move there: the greater, the better. It is at
/// least 1, unless the distance before the move does not fit into a byte.
fn merit(value: Dtm) -> u8 {
    match value.before() {
        None => 0,
        Some(_) if value.is_loss() => u8::MAX - value.0 / 2,
        Some(_) if value.is_win() => value.0 / 2,
        Some(_) => 128,
    }
}

/// For each [merit] of the best move, the value before the move; without a move that of a loss.
fn value_by_merit() -> [Dtm; 256] {
    let mut values = [Dtm::LOST; 256];
    for value in (0..u8::MAX).map(Dtm) {
        values[usize::from(merit(value))] = value.before().unwrap_or(Dtm::LOST);
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_move_of_the_greatest_merit_is_the_best_one() {
        let values = value_by_merit();
        for [first, second] in (0..u8::MAX).flat_map(|a| (0..u8::MAX).map(move |b| [a, b].map(Dtm)))
        {
            let best = [first, second]
                .map(|value| value.before().unwrap())
                .into_iter()
                .reduce(Dtm::better)
                .unwrap();
            assert_eq!(
                values[usize::from(merit(first).max(merit(second)))],
                best,
                "{first:?} {second:?}"
            );
        }
        assert_eq!((values[0], merit(Dtm::LONGEST)), (Dtm::LOST, 0));
    }
}
