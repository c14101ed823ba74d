//! The board of Quoridor for four as front ends draw it.

use pentarch_core::view::layout::{Geometry, Layout, MoveEffect, Scene, Site};

use super::super::layout;
use super::super::moves::Move;
use super::QuoridorForFour;
use super::position::Position;

impl Layout for QuoridorForFour {
    fn geometry(&self) -> Geometry {
        layout::geometry(&self.board, &self.goals)
    }

    fn scene(&self, position: &Position) -> Scene {
        layout::scene(position)
    }

    fn clicks(&self, _: &Position, mv: Move, sites: &mut Vec<Site>) {
        sites.push(layout::move_site(mv));
    }

    fn details(&self, position: &Position, mv: Move) -> MoveEffect {
        layout::details(position, mv)
    }
}
