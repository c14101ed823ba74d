//! The board of Quoridor for four as front ends draw it.

use pentarch_core::view::layout::{BoardGeometry, BoardLayout, MoveEffect, Scene, Site};
use pentarch_core::view::position_counts::LabelledCount;

use super::super::layout;
use super::super::moves::Move;
use super::super::position_counts;
use super::QuoridorForFour;
use super::position::Position;

impl BoardLayout for QuoridorForFour {
    fn board_geometry(&self) -> BoardGeometry {
        layout::board_geometry(&self.board, &self.goals)
    }

    fn position_scene(&self, position: &Position) -> Scene {
        layout::position_scene(position)
    }

    fn append_move_clicks(&self, _: &Position, mv: Move, sites: &mut Vec<Site>) {
        sites.push(layout::move_site(mv));
    }

    fn ownerless_placement_site(&self, mv: Move) -> Option<Site> {
        layout::placed_wall_site(mv)
    }

    fn move_effect(&self, position: &Position, mv: Move) -> MoveEffect {
        layout::move_effect(position, mv)
    }

    fn labelled_position_counts(&self, position: &Position) -> Vec<LabelledCount> {
        position_counts::labelled_position_counts(&self.board, &self.goals, position)
    }
}
