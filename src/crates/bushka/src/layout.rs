//! The board of Bushka as front ends draw it: light squares and dark squares. The game is played on
//! the dark squares.
//!
//! The clicks of a move are the points of its path, as in its notation. The clicks of one move are
//! never the beginning of another move's clicks. All captures by single pieces capture the same
//! number of pieces, one at each stop, and therefore have the same number of clicks. All other
//! moves have two clicks.

use pentarch_core::view::layout::{
    BoardGeometry, BoardLayout, DrawnSite, MoveEffect, Piece, PieceCount, Scene, Site,
    board_labels, circle_svg_path, point_centre, polygon_svg_path, rectangle_svg_path,
};
use pentarch_core::view::position_counts::LabelledCount;
use pentarch_core::{Point, Side};

use super::Bushka;
use super::board::{Square, iter_squares};
use super::captures;
use super::moves::Move;
use super::position::Position;
use super::position_counts;

impl BoardLayout for Bushka {
    fn board_geometry(&self) -> BoardGeometry {
        let files = self.board.files;
        let ranks = self.board.ranks;
        let drawn_site = |point: Point| {
            let class =
                if self.board.square_at(point).is_some() { "square dark" } else { "square light" };
            DrawnSite {
                site: point.into(),
                centre: point_centre(point, 1.0),
                shape: "square",
                turn: 0,
                class,
            }
        };
        let points = (0..files).flat_map(|file| (0..ranks).map(move |rank| Point::new(file, rank)));
        BoardGeometry {
            bounds: [-1.0, -1.0, f64::from(files) + 0.75, f64::from(ranks) + 0.75],
            sites: points.map(drawn_site).collect(),
            shapes: vec![("square", rectangle_svg_path(1.0, 1.0))],
            kinds: vec![("soldier", circle_svg_path(0.38)), ("king", circle_svg_path(0.42))],
            emblems: vec![("soldier", circle_svg_path(0.24)), ("king", crown_svg_path())],
            lines: Vec::new(),
            labels: board_labels(files, ranks, 1.0, 0.75),
        }
    }

    fn position_scene(&self, position: &Position) -> Scene {
        let pieces = |side: Side| {
            let sets = [
                ("soldier", position.soldiers[side.index()]),
                ("king", position.kings[side.index()]),
            ];
            sets.into_iter().flat_map(move |(kind, set)| {
                iter_squares(set).map(move |square| Piece::of_side(side, kind, square_site(square)))
            })
        };
        let lost = |side: Side| PieceCount {
            player: side.index(),
            kind: "soldier",
            count: (self.board.home_squares[side.index()].count_ones()
                - position.pieces(side).count_ones()) as u8,
        };
        Scene {
            pieces: Side::BOTH_SIDES.into_iter().flat_map(pieces).collect(),
            lost: Side::BOTH_SIDES.map(lost).into(),
            ..Scene::default()
        }
    }

    fn append_move_clicks(&self, _: &Position, mv: Move, sites: &mut Vec<Site>) {
        sites.extend(mv.path_squares().map(square_site));
    }

    fn move_effect(&self, position: &Position, mv: Move) -> MoveEffect {
        let from = mv.from();
        let to = mv.last_square();
        let side = position.side;
        let is_phalanx = captures::is_phalanx_move(position, mv);
        // Each soldier of a phalanx moves one step. A single piece moves along the whole path.
        let steps: Vec<[Square; 2]> = if is_phalanx {
            let direction = from.direction_along_diagonal(to);
            let line = std::iter::successors(Some(from), |square| {
                Some(square.neighbour_unchecked(direction))
            });
            let line: Vec<Square> = line.take(usize::from(from.distance(to)) + 1).collect();
            line.windows(2).map(|step| [step[0], step[1]]).collect()
        } else {
            vec![[from, to]]
        };
        let soldiers = position.soldiers[side.index()];
        let last_rank = self.board.last_ranks[side.index()];
        let captured = captured_sites_in_order(position, mv);
        let mut details = MoveEffect::default();
        for [from, to] in steps {
            if soldiers & from.bit() != 0 && last_rank & to.bit() != 0 {
                details.removed.push(Piece::of_side(side, "soldier", square_site(from)));
                details.placed.push(Piece::of_side(side, "king", square_site(to)));
            } else if from != to {
                details.moved.push([square_site(from), square_site(to)]);
            }
        }
        let pieces = self.position_scene(position).pieces.into_iter();
        details.removed.extend(pieces.filter(|piece| captured.contains(&piece.site)));
        if !is_phalanx {
            details.path = mv.path_squares().map(square_site).collect();
        }
        details.promoted = Some(!details.placed.is_empty());
        details.captured = captured;
        details
    }

    fn labelled_position_counts(&self, position: &Position) -> Vec<LabelledCount> {
        position_counts::labelled_position_counts(self, position)
    }
}

/// Returns the sites of the pieces that a legal move captures. A single piece captures the piece
/// behind each stop. A phalanx captures the run in front of it. The nearest piece of the run comes
/// first.
fn captured_sites_in_order(position: &Position, mv: Move) -> Vec<Site> {
    let mut left = captures::captured_pieces(position, mv);
    let mut sites = Vec::new();
    for (from, to) in mv.legs() {
        let direction = from.direction_along_diagonal(to);
        let mut next = direction.shift(to.bit()) & left;
        while next != 0 {
            left &= !next;
            sites.extend(iter_squares(next).map(square_site));
            next = if captures::is_phalanx_move(position, mv) {
                direction.shift(next) & left
            } else {
                0
            };
        }
    }
    sites
}

pub(crate) fn square_site(square: Square) -> Site {
    square.point().into()
}

/// Returns the outline of a crown with three points.
fn crown_svg_path() -> String {
    polygon_svg_path(&[
        [-0.22, -0.18],
        [-0.27, 0.16],
        [-0.12, 0.0],
        [0.0, 0.23],
        [0.12, 0.0],
        [0.27, 0.16],
        [0.22, -0.18],
    ])
}
