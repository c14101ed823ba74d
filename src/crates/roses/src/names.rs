//! The names of the sides and the letters of the pieces.

use pentarch_core::{Rules, Side};

use super::Roses;
use super::board::Cell;
use super::position::Position;

/// The name of a side.
pub fn name(side: Side) -> &'static str {
    Roses::SIDES[side.index()]
}

/// The letter of the piece on a cell; none if it is empty.
pub fn symbol(position: &Position, cell: Cell) -> Option<char> {
    let sets = [
        position.soldiers[0],
        position.soldiers[1],
        position.castle(Side::First),
        position.castle(Side::Second),
    ];
    sets.into_iter()
        .zip(['S', 's', 'C', 'c'])
        .find_map(|(set, letter)| (set & cell.bit() != 0).then_some(letter))
}
