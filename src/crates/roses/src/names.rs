//! The names of the sides and the letters of the pieces.

use pentarch_core::{Rules, Side};

use super::Roses;
use super::board::HexCell;
use super::position::Position;

pub(crate) fn side_name(side: Side) -> &'static str {
    Roses::SIDE_NAMES[side.index()]
}

/// Returns the letter of the piece on a cell, or `None` if the cell is empty.
pub(crate) fn piece_letter(position: &Position, cell: HexCell) -> Option<char> {
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
