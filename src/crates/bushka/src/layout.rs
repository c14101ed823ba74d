//! The board of Bushka as front ends draw it: dark squares, on which the game is played, and light ones.
//!
//! The clicks of a move are the points of its path, as in its text. The clicks of one move are never the beginning of
//! those of another: all captures by single pieces take equally many pieces, one at each stop, and all other moves are
//! two clicks.

use pentarch_core::view::layout::{
    DrawnSite, Geometry, Layout, MoveEffect, Piece, Scene, Site, centre, circle, labels, polygon,
    rectangle,
};
use pentarch_core::{Point, Side};

use super::Bushka;
use super::board::{Square, squares};
use super::captures;
use super::moves::Move;
use super::position::Position;

impl Layout for Bushka {
    fn geometry(&self) -> Geometry {
        let (files, ranks) = (self.board.files, self.board.ranks);
        let drawn = |point: Point| {
            let class =
                if self.board.square_at(point).is_some() { "square dark" } else { "square light" };
            DrawnSite {
                site: point.into(),
                centre: centre(point, 1.0),
                shape: "square",
                turn: 0,
                class,
            }
        };
        let points = (0..files).flat_map(|file| (0..ranks).map(move |rank| Point::new(file, rank)));
        Geometry {
            bounds: [-1.0, -1.0, f64::from(files) + 0.75, f64::from(ranks) + 0.75],
            sites: points.map(drawn).collect(),
            shapes: vec![("square", rectangle(1.0, 1.0))],
            kinds: vec![("soldier", circle(0.38)), ("king", king())],
            lines: Vec::new(),
            labels: labels(files, ranks, 1.0, 0.75),
        }
    }

    fn scene(&self, position: &Position) -> Scene {
        let men = |side: Side| {
            let sets = [
                ("soldier", position.soldiers[side.index()]),
                ("king", position.kings[side.index()]),
            ];
            sets.into_iter().flat_map(move |(kind, set)| {
                squares(set).map(move |square| Piece::of_side(side, kind, site(square)))
            })
        };
        let lost = |side: Side| {
            self.board.homes[side.index()].count_ones() - position.pieces(side).count_ones()
        };
        Scene {
            pieces: Side::BOTH.into_iter().flat_map(men).collect(),
            lost: Side::BOTH.map(lost),
            ..Scene::default()
        }
    }

    fn clicks(&self, _: &Position, mv: Move, sites: &mut Vec<Site>) {
        sites.extend(mv.squares().map(site));
    }

    fn details(&self, position: &Position, mv: Move) -> MoveEffect {
        let (from, to, side) = (mv.from(), mv.to(), position.side);
        let is_phalanx = captures::is_by_phalanx(position, mv);
        // Each soldier of a phalanx goes one step, a single piece all the way.
        let steps: Vec<[Square; 2]> = if is_phalanx {
            let heading = from.heading(to);
            let line = std::iter::successors(Some(from), |square| Some(square.next(heading)));
            let line: Vec<Square> = line.take(usize::from(from.distance(to)) + 1).collect();
            line.windows(2).map(|step| [step[0], step[1]]).collect()
        } else {
            vec![[from, to]]
        };
        let (soldiers, last_rank) =
            (position.soldiers[side.index()], self.board.last_ranks[side.index()]);
        let is_promoted =
            |[from, to]: &[Square; 2]| soldiers & from.bit() != 0 && last_rank & to.bit() != 0;
        let (promoted, moved): (Vec<[Square; 2]>, Vec<_>) =
            steps.into_iter().partition(is_promoted);
        let captured = captured_in_order(position, mv);
        let enemies =
            self.scene(position).pieces.into_iter().filter(|piece| captured.contains(&piece.site));
        MoveEffect {
            moved: moved
                .into_iter()
                .filter(|[from, to]| from != to)
                .map(|step| step.map(site))
                .collect(),
            removed: promoted
                .iter()
                .map(|step| Piece::of_side(side, "soldier", site(step[0])))
                .chain(enemies)
                .collect(),
            placed: promoted
                .iter()
                .map(|step| Piece::of_side(side, "king", site(step[1])))
                .collect(),
            path: if is_phalanx { Vec::new() } else { mv.squares().map(site).collect() },
            promoted: Some(!promoted.is_empty()),
            captured,
            ..MoveEffect::default()
        }
    }
}

/// The sites of the pieces that a legal move captures: one behind each stop of a single piece, and the run in front of
/// a phalanx from its near end.
fn captured_in_order(position: &Position, mv: Move) -> Vec<Site> {
    let mut left = captures::captured(position, mv);
    let mut sites = Vec::new();
    for (from, to) in mv.legs() {
        let heading = from.heading(to);
        let mut next = heading.shift(to.bit()) & left;
        while next != 0 {
            left &= !next;
            sites.extend(squares(next).map(site));
            next =
                if captures::is_by_phalanx(position, mv) { heading.shift(next) & left } else { 0 };
        }
    }
    sites
}

fn site(square: Square) -> Site {
    square.point().into()
}

/// The outline of a king: a disc with a crown cut out. The crown runs the other way round than the disc, so that it is
/// a hole by either fill rule.
fn king() -> String {
    let crown = [
        [-0.2, -0.16],
        [-0.24, 0.14],
        [-0.1, 0.0],
        [0.0, 0.2],
        [0.1, 0.0],
        [0.24, 0.14],
        [0.2, -0.16],
    ];
    circle(0.42) + &polygon(&crown)
}
