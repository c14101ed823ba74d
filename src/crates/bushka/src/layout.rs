//! The board of Bushka as front ends draw it: dark squares, on which the game is played, and light
//! squares.
//!
//! The clicks of a move are the points of its path, as in its notation. The clicks of one move are
//! never a prefix of another move's: all captures by single pieces capture the same number of
//! pieces, one at each stop, and all other moves are two clicks.

use pentarch_core::view::layout::{
    DrawnSite, Geometry, Layout, MoveEffect, Piece, Scene, Site, board_labels, circle_path,
    point_centre, polygon_path, rectangle_path,
};
use pentarch_core::{Point, Side};

use super::Bushka;
use super::board::{Square, squares};
use super::captures;
use super::moves::Move;
use super::position::Position;

impl Layout for Bushka {
    fn geometry(&self) -> Geometry {
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
        Geometry {
            bounds: [-1.0, -1.0, f64::from(files) + 0.75, f64::from(ranks) + 0.75],
            sites: points.map(drawn_site).collect(),
            shapes: vec![("square", rectangle_path(1.0, 1.0))],
            kinds: vec![("soldier", circle_path(0.38)), ("king", king_outline())],
            lines: Vec::new(),
            labels: board_labels(files, ranks, 1.0, 0.75),
        }
    }

    fn scene(&self, position: &Position) -> Scene {
        let pieces = |side: Side| {
            let sets = [
                ("soldier", position.soldiers[side.index()]),
                ("king", position.kings[side.index()]),
            ];
            sets.into_iter().flat_map(move |(kind, set)| {
                squares(set).map(move |square| Piece::of_side(side, kind, square_site(square)))
            })
        };
        let lost = |side: Side| {
            self.board.home_squares[side.index()].count_ones() - position.pieces(side).count_ones()
        };
        Scene {
            pieces: Side::BOTH.into_iter().flat_map(pieces).collect(),
            lost: Side::BOTH.map(lost),
            ..Scene::default()
        }
    }

    fn clicks(&self, _: &Position, mv: Move, sites: &mut Vec<Site>) {
        sites.extend(mv.squares().map(square_site));
    }

    fn details(&self, position: &Position, mv: Move) -> MoveEffect {
        let from = mv.from();
        let to = mv.to();
        let side = position.side;
        let is_phalanx = captures::is_phalanx_move(position, mv);
        // Each soldier of a phalanx moves one step. A single piece moves along the whole path.
        let steps: Vec<[Square; 2]> = if is_phalanx {
            let direction_to_square = from.direction_to_square(to);
            let line = std::iter::successors(Some(from), |square| {
                Some(square.neighbour(direction_to_square))
            });
            let line: Vec<Square> = line.take(usize::from(from.distance(to)) + 1).collect();
            line.windows(2).map(|step| [step[0], step[1]]).collect()
        } else {
            vec![[from, to]]
        };
        let soldiers = position.soldiers[side.index()];
        let last_rank = self.board.last_ranks[side.index()];
        let captured = captured_in_order(position, mv);
        let mut details = MoveEffect::default();
        for [from, to] in steps {
            if soldiers & from.bit() != 0 && last_rank & to.bit() != 0 {
                details.removed.push(Piece::of_side(side, "soldier", square_site(from)));
                details.placed.push(Piece::of_side(side, "king", square_site(to)));
            } else if from != to {
                details.moved.push([square_site(from), square_site(to)]);
            }
        }
        let pieces = self.scene(position).pieces.into_iter();
        details.removed.extend(pieces.filter(|piece| captured.contains(&piece.site)));
        if !is_phalanx {
            details.path = mv.squares().map(square_site).collect();
        }
        details.promoted = Some(!details.placed.is_empty());
        details.captured = captured;
        details
    }
}

/// Returns the sites of the pieces that a legal move captures: for a single piece the piece behind
/// each stop, and for a phalanx the run in front of it, the nearest piece first.
fn captured_in_order(position: &Position, mv: Move) -> Vec<Site> {
    let mut left = captures::captured_pieces(position, mv);
    let mut sites = Vec::new();
    for (from, to) in mv.segments() {
        let direction_to_square = from.direction_to_square(to);
        let mut next = direction_to_square.shift(to.bit()) & left;
        while next != 0 {
            left &= !next;
            sites.extend(squares(next).map(square_site));
            next = if captures::is_phalanx_move(position, mv) {
                direction_to_square.shift(next) & left
            } else {
                0
            };
        }
    }
    sites
}

fn square_site(square: Square) -> Site {
    square.point().into()
}

/// Returns the outline of a king: a disc with a crown cut out. The crown has the opposite
/// orientation of the disc, so that both fill rules make it a hole.
fn king_outline() -> String {
    let crown = [
        [-0.2, -0.16],
        [-0.24, 0.14],
        [-0.1, 0.0],
        [0.0, 0.2],
        [0.1, 0.0],
        [0.24, 0.14],
        [0.2, -0.16],
    ];
    circle_path(0.42) + &polygon_path(&crown)
}
