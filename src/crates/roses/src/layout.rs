//! The board of Guerre des Deux Roses as front ends draw it: twenty hexagons.
//!
//! The clicks of a move are the cells of its string:
//!
//! - A drop is one click.
//! - A move along a line is two clicks: the rearmost soldier, and the cell that the foremost
//!   soldier reaches.
//! - A translation is four clicks: both soldiers, and then the cells that they reach.
//!
//! The clicks of one move are never the first clicks of another move, because a move along a line
//! never ends on an own soldier.

use pentarch_core::Side;
use pentarch_core::view::layout::{
    BoardGeometry, BoardLayout, DrawnSite, MoveEffect, Piece, PieceCount, Scene, Site,
    circle_svg_path_at, polygon_svg_path,
};
use pentarch_core::view::position_counts::LabelledCount;

use super::Roses;
use super::board::{CASTLE_CELLS, HexCell, NO_DROP_CELLS, iter_cells};
use super::moves::Move;
use super::position::{Position, SOLDIERS_PER_SIDE};
use super::position_counts;

/// The outline of a soldier: a shield. The outline leaves space for the name of the cell below the
/// shield.
const SHIELD_SVG_PATH: &str = "M-0.32 0.37Q-0.15 0.3 0 0.37Q0.15 0.3 0.32 0.37L0.32 0.09\
     Q0.29 -0.15 0 -0.29Q-0.29 -0.15 -0.32 0.09Z";
/// The outline of a castle: a tower with three battlements.
const CASTLE_SVG_PATH: &str = "M-0.34 -0.27L0.34 -0.27L0.34 -0.18L0.25 -0.12L0.25 0.12L0.32 0.17\
     L0.32 0.38L0.19 0.38L0.19 0.28L0.07 0.28L0.07 0.38L-0.07 0.38L-0.07 0.28L-0.19 0.28L-0.19 0.38\
     L-0.32 0.38L-0.32 0.17L-0.25 0.12L-0.25 -0.12L-0.34 -0.18Z";
/// The gate of a castle.
const GATE_SVG_PATH: &str = "M-0.09 -0.2L0.09 -0.2L0.09 -0.03A0.09 0.09 0 0 1 -0.09 -0.03Z";
/// The distance between two rows of cells: the height of a triangle with sides of length 1.
const ROW_SPACING: f64 = 0.866;

impl BoardLayout for Roses {
    fn board_geometry(&self) -> BoardGeometry {
        let label = |cell: HexCell| {
            let [x, y] = cell_centre(cell);
            (cell.point().to_string(), [x, y - 0.4])
        };
        // The home cells are drawn last, so that other cells do not cover their outlines.
        let mut sites: Vec<DrawnSite> = HexCell::all().map(drawn_site).collect();
        sites.sort_by_key(|site| site.class.contains("home"));
        BoardGeometry {
            bounds: [-0.1, -2.0 * ROW_SPACING - 0.68, 5.7, 5.0 * ROW_SPACING + 1.36],
            sites,
            shapes: vec![("cell", hexagon_svg_path())],
            kinds: vec![("soldier", SHIELD_SVG_PATH.into()), ("castle", CASTLE_SVG_PATH.into())],
            emblems: vec![("soldier", rose_svg_path()), ("castle", GATE_SVG_PATH.into())],
            lines: Vec::new(),
            labels: HexCell::all().map(label).collect(),
        }
    }

    /// Returns the scene of a position. A captured castle is shown as a lost piece, like a captured
    /// soldier.
    fn position_scene(&self, position: &Position) -> Scene {
        let mut pieces = Vec::new();
        let mut lost = Vec::new();
        for side in Side::BOTH_SIDES {
            let castle = iter_cells(position.castle(side));
            pieces.extend(castle.map(|cell| Piece::of_side(side, "castle", cell_site(cell))));
            let soldiers = iter_cells(position.soldiers(side));
            pieces.extend(soldiers.map(|cell| Piece::of_side(side, "soldier", cell_site(cell))));
            let player = side.index();
            let soldiers = position.soldiers(side).count_ones() as u8 + position.reserves[player];
            let castles = position.castle(side).count_ones() as u8;
            for (kind, count) in
                [("soldier", SOLDIERS_PER_SIDE - soldiers), ("castle", 1 - castles)]
            {
                lost.push(PieceCount { player, kind, count });
            }
        }
        let hands = [0, 1].map(|player| PieceCount {
            player,
            kind: "soldier",
            count: position.reserves[player],
        });
        Scene { pieces, hands: hands.into(), lost, ..Scene::default() }
    }

    fn append_move_clicks(&self, _: &Position, mv: Move, sites: &mut Vec<Site>) {
        match mv {
            Move::Drop(cell) => sites.push(cell_site(cell)),
            Move::Forward { from, to, .. } => sites.extend([from, to].map(cell_site)),
            Move::Translation { from, to } => {
                sites.extend([from[0], from[1], to[0], to[1]].map(cell_site))
            }
        }
    }

    fn move_effect(&self, position: &Position, mv: Move) -> MoveEffect {
        match mv {
            Move::Drop(cell) => MoveEffect {
                placed: vec![Piece::of_side(position.side, "soldier", cell_site(cell))],
                ..MoveEffect::default()
            },
            Move::Translation { from, to } => {
                let moved = vec![[from[0], to[0]].map(cell_site), [from[1], to[1]].map(cell_site)];
                MoveEffect { moved, ..MoveEffect::default() }
            }
            Move::Forward { from, to, direction } => {
                let mut moved: Vec<[Site; 2]> = Vec::new();
                let mut cell = from;
                while let Some(next) = self.board.next(cell, direction).filter(|_| cell != to) {
                    moved.push([cell_site(cell), cell_site(next)]);
                    cell = next;
                }
                let path = if moved.len() == 1 {
                    vec![cell_site(from), cell_site(to)]
                } else {
                    Vec::new()
                };
                let enemy = self
                    .position_scene(position)
                    .pieces
                    .into_iter()
                    .find(|piece| piece.site == cell_site(to));
                let behind = self.board.next(to, direction).map(cell_site);
                let pushed: Vec<[Site; 2]> =
                    enemy.zip(behind).map(|(enemy, to)| [enemy.site, to]).into_iter().collect();
                moved.extend(&pushed);
                let removed: Vec<Piece> = enemy.into_iter().filter(|_| behind.is_none()).collect();
                let captured = removed.iter().map(|piece| piece.site).collect();
                MoveEffect { moved, removed, path, captured, pushed, ..MoveEffect::default() }
            }
        }
    }

    fn labelled_position_counts(&self, position: &Position) -> Vec<LabelledCount> {
        position_counts::labelled_position_counts(self, position)
    }
}

pub(crate) fn cell_site(cell: HexCell) -> Site {
    cell.point().into()
}

/// Returns the centre of a cell. Files run down to the right, and ranks run up to the right.
/// Neighbours are one unit apart.
fn cell_centre(cell: HexCell) -> [f64; 2] {
    let [file, rank] = [cell.point().file, cell.point().rank].map(f64::from);
    [(file + rank) / 2.0, (rank - file) * ROW_SPACING]
}

fn drawn_site(cell: HexCell) -> DrawnSite {
    let class = match cell {
        _ if NO_DROP_CELLS & cell.bit() != 0 => "cell red",
        _ if cell == CASTLE_CELLS[0] => "cell home-first",
        _ if cell == CASTLE_CELLS[1] => "cell home-second",
        _ => "cell",
    };
    DrawnSite { site: cell_site(cell), centre: cell_centre(cell), shape: "cell", turn: 0, class }
}

/// Returns the outline of a hexagon with a corner at the bottom. If two centres are one unit apart,
/// their hexagons touch.
fn hexagon_svg_path() -> String {
    let corner = ROW_SPACING * 2.0 / 3.0;
    let shoulder = ROW_SPACING / 3.0;
    polygon_svg_path(&[
        [0.0, corner],
        [0.5, shoulder],
        [0.5, -shoulder],
        [0.0, -corner],
        [-0.5, -shoulder],
        [-0.5, shoulder],
    ])
}

/// Returns a rose: five petals around a disc.
fn rose_svg_path() -> String {
    let centre = [0.0, 0.07];
    let petal = |index: u8| {
        let (sin, cos) = (f64::from(index) * 72_f64.to_radians()).sin_cos();
        circle_svg_path_at([centre[0] + 0.13 * sin, centre[1] + 0.13 * cos], 0.09)
    };
    (0..5).map(petal).chain([circle_svg_path_at(centre, 0.06)]).collect()
}
