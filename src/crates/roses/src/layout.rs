//! The board of Guerre des Deux Roses as front ends draw it: twenty hexagons.
//!
//! The clicks of a move are the cells of its text. A drop is one click. A move along a line is two: the rearmost
//! soldier, and the cell that the foremost reaches. A translation is four: both soldiers, then the cell that each
//! reaches. The clicks of one move are never the beginning of those of another, since a move along a line never ends on
//! an own soldier.

use pentarch_core::Side;
use pentarch_core::view::layout::{
    DrawnSite, Geometry, Layout, MoveEffect, Piece, PiecesInHand, Scene, Site, circle, polygon,
};

use super::Roses;
use super::board::{Cell, HOMES, RED, cells};
use super::moves::Move;
use super::position::{Position, SOLDIERS};

/// The distance between two rows of cells: the height of a triangle with sides of length 1.
const ROW: f64 = 0.866;

impl Layout for Roses {
    fn geometry(&self) -> Geometry {
        let label = |cell: Cell| {
            let [x, y] = centre(cell);
            (cell.point().to_string(), [x, y - 0.42])
        };
        // Nothing covers the outlines of the homes.
        let mut sites: Vec<DrawnSite> = Cell::all().map(drawn).collect();
        sites.sort_by_key(|site| site.class.contains("home"));
        Geometry {
            bounds: [-0.1, -2.0 * ROW - 0.68, 5.7, 5.0 * ROW + 1.36],
            sites,
            shapes: vec![("cell", hexagon())],
            kinds: vec![("soldier", circle(0.3)), ("castle", castle())],
            lines: Vec::new(),
            labels: Cell::all().map(label).collect(),
        }
    }

    /// A captured castle counts like a soldier.
    fn scene(&self, position: &Position) -> Scene {
        let men = |side: Side| {
            let castle = cells(position.castle(side))
                .map(move |cell| Piece::of_side(side, "castle", site(cell)));
            castle.chain(
                cells(position.soldiers(side))
                    .map(move |cell| Piece::of_side(side, "soldier", site(cell))),
            )
        };
        let hand = |player: usize| PiecesInHand {
            player,
            kind: "soldier",
            count: position.reserves[player],
        };
        let all = u32::from(SOLDIERS) + 1;
        let left = |side: Side| {
            position.pieces(side).count_ones() + u32::from(position.reserves[side.index()])
        };
        Scene {
            pieces: Side::BOTH.into_iter().flat_map(men).collect(),
            hands: [0, 1].map(hand).into(),
            lost: Side::BOTH.map(|side| all - left(side)),
            ..Scene::default()
        }
    }

    fn clicks(&self, _: &Position, mv: Move, sites: &mut Vec<Site>) {
        match mv {
            Move::Drop(cell) => sites.push(site(cell)),
            Move::Forward { from, to, .. } => sites.extend([from, to].map(site)),
            Move::Translation { from, to } => {
                sites.extend([from[0], from[1], to[0], to[1]].map(site))
            }
        }
    }

    fn details(&self, position: &Position, mv: Move) -> MoveEffect {
        match mv {
            Move::Drop(cell) => MoveEffect {
                placed: vec![Piece::of_side(position.side, "soldier", site(cell))],
                ..MoveEffect::default()
            },
            Move::Translation { from, to } => {
                let moved = vec![[from[0], to[0]].map(site), [from[1], to[1]].map(site)];
                MoveEffect { moved, ..MoveEffect::default() }
            }
            Move::Forward { from, to, direction } => {
                let line =
                    std::iter::successors(Some(from), |&cell| self.board.next(cell, direction));
                let line: Vec<Cell> = line.take_while(|&cell| cell != to).chain([to]).collect();
                let mut moved: Vec<[Site; 2]> =
                    line.windows(2).map(|step| [site(step[0]), site(step[1])]).collect();
                let path = if moved.len() == 1 { vec![site(from), site(to)] } else { Vec::new() };
                let enemy =
                    self.scene(position).pieces.into_iter().find(|piece| piece.site == site(to));
                let behind = self.board.next(to, direction).map(site);
                let pushed: Vec<[Site; 2]> =
                    enemy.zip(behind).map(|(enemy, to)| [enemy.site, to]).into_iter().collect();
                moved.extend(&pushed);
                let removed: Vec<Piece> = enemy.into_iter().filter(|_| behind.is_none()).collect();
                let captured = removed.iter().map(|piece| piece.site).collect();
                MoveEffect { moved, removed, path, captured, pushed, ..MoveEffect::default() }
            }
        }
    }
}

fn site(cell: Cell) -> Site {
    cell.point().into()
}

/// The place of a cell: files run down to the right, ranks up to the right, and neighbours are one unit apart.
fn centre(cell: Cell) -> [f64; 2] {
    let (file, rank) = (f64::from(cell.point().file), f64::from(cell.point().rank));
    [(file + rank) / 2.0, (rank - file) * ROW]
}

fn drawn(cell: Cell) -> DrawnSite {
    let class = match cell {
        _ if RED & cell.bit() != 0 => "cell red",
        _ if cell == HOMES[0] => "cell home-first",
        _ if cell == HOMES[1] => "cell home-second",
        _ => "cell",
    };
    DrawnSite { site: site(cell), centre: centre(cell), shape: "cell", turn: 0, class }
}

/// A hexagon that stands on a corner, so that hexagons one unit apart touch.
fn hexagon() -> String {
    let (corner, shoulder) = (ROW * 2.0 / 3.0, ROW / 3.0);
    polygon(&[
        [0.0, corner],
        [0.5, shoulder],
        [0.5, -shoulder],
        [0.0, -corner],
        [-0.5, -shoulder],
        [-0.5, shoulder],
    ])
}

/// The outline of a castle: a tower with three battlements.
fn castle() -> String {
    "M-0.3 -0.3L0.3 -0.3L0.3 -0.22L0.22 -0.16L0.22 0.1L0.3 0.14L0.3 0.34L0.18 0.34L0.18 0.24L0.07 0.24\
     L0.07 0.34L-0.07 0.34L-0.07 0.24L-0.18 0.24L-0.18 0.34L-0.3 0.34L-0.3 0.14L-0.22 0.1L-0.22 -0.16\
     L-0.3 -0.22Z"
        .into()
}
