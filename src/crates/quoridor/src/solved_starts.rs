//! The values of start positions whose games were solved in advance by tables in files.
//! `docs/games/quoridor.md` has the table and the command. The values are also true if the third
//! occurrence of a position is a draw.

use pentarch_core::{Rules, TableValue};

use super::Quoridor;
use super::position::Position;
use super::square_sets::Square;

use TableValue::{Loss, Win};

/// For each board size, the values of the start position for White, by the number of walls per
/// side.
const SOLVED_STARTS: [(u8, &[TableValue]); 5] = [
    (3, &[Loss(4), Loss(8), Loss(12), Loss(12), Loss(12), Loss(12)]),
    (4, &[Win(5), Win(7), Win(11), Win(13), Win(13), Win(13)]),
    (5, &[Loss(8), Loss(12), Loss(18), Loss(28), Loss(38), Win(25)]),
    (6, &[Win(9), Win(11), Win(21), Loss(34)]),
    (7, &[Loss(12), Loss(16)]),
];
/// The maximum board size for which more than five walls per side do not change the value.
const MAX_SIZE_WITH_FIVE_USEFUL_WALLS: u8 = 4;
/// The numbers of walls above five for which the boards up to that size were solved.
const SOLVED_WALLS_ABOVE_FIVE: [u8; 7] = [6, 7, 8, 9, 10, 15, 20];

impl Quoridor {
    /// Returns the value of this position for its side to move, if its game was solved in advance.
    /// The position must be the start position, or the position after White's winning first step
    /// ahead.
    pub(crate) fn solved_start_value(&self, position: &Position) -> Option<TableValue> {
        let [own, other] = self.walls;
        if position.walls_left != self.walls || position.walls.count() > 0 || own != other {
            return None;
        }
        let size = self.board.size;
        let has_same_value =
            size <= MAX_SIZE_WITH_FIVE_USEFUL_WALLS && SOLVED_WALLS_ABOVE_FIVE.contains(&own);
        let walls = if has_same_value { 5 } else { usize::from(own) };
        let (_, values) = SOLVED_STARTS.iter().find(|(solved, _)| *solved == size)?;
        let value = *values.get(walls)?;
        let start = self.start_position();
        let is =
            |other: &Position| *position == Position { full_move: position.full_move, ..*other };
        match value {
            _ if is(&start) => Some(value),
            Win(plies) => {
                let [own, other] = start.pawns;
                let ahead = Square(own.0 + 1);
                let next = Position { pawns: [ahead, other], mover: !start.mover, ..start };
                is(&next).then_some(Loss(plies - 1))
            }
            _ => None,
        }
    }
}
