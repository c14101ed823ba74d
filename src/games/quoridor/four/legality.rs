//! Finds the legal move that a text names, or says why there is none.

use crate::core::Point;

use super::super::board::Square;
use super::super::legality::{conflict, is_beside, post, square, wall_between};
use super::super::moves::Move;
use super::super::paths::Passages;
use super::super::walls::{Direction, Wall};
use super::position::Position;
use super::{NAMES, QuoridorForFour, moves};

impl QuoridorForFour {
    /// The players whose pawns have no path to their goals through these passages.
    pub(super) fn cut_off(&self, position: &Position, open: Passages) -> impl Iterator<Item = usize> {
        let goals = self.goals;
        let pawns = position.pawns;
        (0..4).filter(move |&player| open.flood_to(pawns[player].bit(), goals[player]).is_none())
    }

    /// The wall move with this name.
    ///
    /// # Errors
    /// The rule that forbids it.
    pub(super) fn find_wall(&self, position: &Position, at: Point, direction: Direction) -> Result<Move, String> {
        let wall = Wall { post: post(&self.board, at)?, direction };
        if position.walls_left[position.player()] == 0 {
            return Err(format!("{} has no wall left", NAMES[position.player()]));
        }
        let open = position.open(&self.board);
        if self.allowed(position, open).contains(wall) {
            return Ok(Move::Wall(wall));
        }
        if let Some(conflict) = conflict(position.walls, wall) {
            return Err(format!("it {conflict}"));
        }
        let cut_off = self.cut_off(position, open.without(wall.into()));
        let all: Vec<String> =
            cut_off.map(|player| format!("{} without a path to {}", NAMES[player], self.goal_name(player))).collect();
        Err(format!("it leaves {}", all.join(" and ")))
    }

    /// The pawn move to this point.
    ///
    /// # Errors
    /// The rule that forbids it.
    pub(super) fn find_pawn_move(&self, position: &Position, at: Point) -> Result<Move, String> {
        let to = square(&self.board, at)?;
        let open = position.open(&self.board);
        if moves::targets(&position.pawns, position.player(), open) & to.bit() != 0 {
            return Ok(Move::Pawn(to));
        }
        Err(why_no_pawn_move(position, to))
    }
}

/// Why the pawn of the player to move cannot go to this square.
fn why_no_pawn_move(position: &Position, to: Square) -> String {
    let own = position.pawns[position.player()];
    let (point, from) = (to.point(), own.point());
    let pawn_on = |square: Square| position.pawns.iter().position(|&pawn| pawn == square);
    if to == own {
        return format!("the pawn stands on {point} already, and there is no passing");
    }
    if let Some(player) = pawn_on(to) {
        return format!("{}'s pawn stands on {point}", NAMES[player]);
    }
    let wall = |a: Square, b: Square| {
        let wall = wall_between(position.walls, a, b)?;
        Some(format!("the wall {wall} stands between {} and {}", a.point(), b.point()))
    };
    if is_beside(own, to) {
        // Nothing else can forbid a step to a free square.
        return wall(own, to).unwrap_or_else(|| format!("no step leads to {point}"));
    }
    let between = |&over: &Square| is_beside(own, over) && is_beside(over, to);
    let Some(over) = position.pawns.into_iter().find(between) else {
        return format!("{point} is not a neighbour of {from}, and no pawn stands between them to be jumped");
    };
    if let Some(reason) = wall(own, over).or_else(|| wall(over, to)) {
        return reason;
    }
    // The move is diagonal, and behind the pawn is neither a wall nor the rim.
    let name = |square: Square| format!("{}'s pawn on {}", NAMES[pawn_on(square).unwrap_or(0)], square.point());
    let [a, b] = [from, over.point()];
    let behind = [2 * b.file - a.file, 2 * b.rank - a.rank];
    let barring = position.pawns.into_iter().find(|pawn| [pawn.point().file, pawn.point().rank] == behind);
    match barring {
        Some(barring) => {
            let (barring, over) = (name(barring), name(over));
            format!("{barring} stands behind {over}: it bars the straight jump and opens no diagonal one")
        }
        None => {
            let over = name(over);
            format!("neither a wall nor the rim is behind {over}: the jump is straight then, not diagonal")
        }
    }
}
