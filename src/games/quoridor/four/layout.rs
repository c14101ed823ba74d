//! The board of Quoridor for four as front ends draw it, and as a text diagram.

use crate::core::layout::{Details, Geometry, Layout, Scene, Site};
use crate::core::{Point, Side};

use super::super::board::Square;
use super::super::moves::Move;
use super::super::{diagram, layout};
use super::position::Position;
use super::{NAMES, QuoridorForFour};

impl Layout for QuoridorForFour {
    fn geometry(&self) -> Geometry {
        let class = |point: Point| {
            let goals = self.board.square(point).map(|square| self.goals.map(|goal| goal & square.bit() != 0));
            // A corner belongs to two goals.
            match goals {
                Some([true, false, _, false]) => "square goal-first",
                Some([false, true, false, _]) => "square goal-second",
                Some([_, false, true, false]) => "square goal-third",
                Some([false, _, false, true]) => "square goal-fourth",
                _ => "square",
            }
        };
        layout::geometry(&self.board, class)
    }

    fn scene(&self, position: &Position) -> Scene {
        layout::scene(position)
    }

    fn clicks(&self, _: &Position, mv: Move, sites: &mut Vec<Site>) {
        sites.push(layout::click(mv));
    }

    fn details(&self, position: &Position, mv: Move) -> Details {
        layout::details(position.pawns[position.player()], mv)
    }
}

impl QuoridorForFour {
    /// Draws the board, and below it the walls that each player has left.
    pub(super) fn draw(&self, position: &Position, viewer: Side) -> String {
        let sign = |square: Square| {
            let player = position.pawns.iter().position(|&pawn| pawn == square);
            player.map_or(' ', |player| ['1', '2', '3', '4'][player])
        };
        let mut lines = diagram::board(&self.board, position.walls, viewer, sign, |_| None);
        let left: Vec<String> =
            NAMES.iter().zip(position.walls_left).map(|(name, left)| format!("{name} {left}")).collect();
        lines.push(format!("walls left: {}", left.join(", ")));
        lines.push("1, 2, 3, 4: the pawns".into());
        lines.join("\n")
    }
}
