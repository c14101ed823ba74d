//! The moves of Alcaxar and their generation.

use pentarch_core::Point;

use super::bitboard::{adjacent_wall_slots, square_bitboard};
use super::board::{Board, Square, WallSlot, iter_slots};
use super::position::{Position, map_slot, map_square};
use super::position_eval_data::PositionEvalData;

/// A move of Alcaxar: a step of the knight or a turn of a wall.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Move {
    /// The knight steps to this square.
    Knight(Square),
    /// A wall turns from one slot to another.
    Wall {
        /// The slot that the wall leaves.
        from: WallSlot,
        /// The slot that the wall reaches.
        to: WallSlot,
    },
}

impl Move {
    /// Returns the image of the move under a symmetry of the board.
    pub fn apply_symmetry(self, image: fn(Point) -> Point) -> Move {
        match self {
            Move::Knight(to) => Move::Knight(map_square(to, image)),
            Move::Wall { from, to } => {
                Move::Wall { from: map_slot(from, image), to: map_slot(to, image) }
            }
        }
    }
}

/// Appends the legal moves of an undecided position.
pub fn generate_moves(board: &Board, position: &Position, moves: &mut Vec<Move>) {
    let own = position.knight(position.side);
    let enemy = position.knight(!position.side);
    moves.extend(board.knight_step_targets(own, enemy, position.walls).map(Move::Knight));
    let knights = position.knight_squares();
    // Only a wall that turns into a slot beside the own knight can trap it.
    let near_own = adjacent_wall_slots(square_bitboard(own));
    let traps_own = |from: WallSlot, to: WallSlot| {
        let after = position.walls ^ from.bit() ^ to.bit();
        to.bit() & near_own != 0 && board.knight_step_targets(own, enemy, after).next().is_none()
    };
    for from in iter_slots(position.walls & !position.blocked_slots(board)) {
        for turn in &board.turns[usize::from(from.0)] {
            if turn.is_path_clear(position.walls, knights) && !traps_own(from, turn.to) {
                moves.push(Move::Wall { from, to: turn.to });
            }
        }
    }
}

/// Returns a move that wins at once, or `None` if there is no such move. Such a move is a step into
/// the enemy fortress, or it takes the last exit of the enemy knight.
pub(crate) fn find_immediate_win(
    board: &Board,
    position: &Position,
    data: &PositionEvalData,
) -> Option<Move> {
    let own = position.side.index();
    let enemy = (!position.side).index();
    if !data.can_win[own] {
        return None;
    }
    let [own_square, enemy_square] = [position.knights[own], position.knights[enemy]];
    let target = square_bitboard(Position::target_fortress(position.side));
    let has_one_exit = data.exits[enemy].is_power_of_two();
    // A knight that steps onto the square behind the last exit closes this exit.
    let winning_squares = if has_one_exit { target | data.accessible[enemy] } else { target };
    let mut steps = board.knight_step_targets(own_square, enemy_square, position.walls);
    if let Some(to) = steps.find(|&to| square_bitboard(to) & winning_squares != 0) {
        return Some(Move::Knight(to));
    }
    // No step wins, so a wall wins. It turns into the last exit, and the slot that it leaves must not
    // be another exit. The slot between the two knights is no exit.
    let to = iter_slots(data.closable[enemy]).next()?;
    let near_own = adjacent_wall_slots(square_bitboard(own_square));
    let near_enemy = adjacent_wall_slots(square_bitboard(enemy_square));
    let blocked = position.blocked_slots(board) | near_enemy & !near_own;
    let walls = position.walls & board.touching[usize::from(to.0)] & !blocked;
    let can_turn = |from: &WallSlot| {
        let mut turns = board.turns[usize::from(from.0)].iter();
        let turn = turns.find(|turn| turn.to == to);
        turn.is_some_and(|turn| turn.is_path_clear(position.walls, position.knight_squares()))
    };
    iter_slots(walls).find(can_turn).map(|from| Move::Wall { from, to })
}
