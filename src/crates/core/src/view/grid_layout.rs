//! The default board of front ends: a grid of the sites that the drawn board shows.

use std::collections::BTreeSet;

use nom::Parser;
use nom::combinator::all_consuming;
use nom::multi::many1;

use super::diagram::{DiagramCell, DiagramCellKind};
use super::layout::{
    BoardGeometry, BoardLayout, DrawnSite, MoveEffect, Piece, Scene, Site, board_labels,
    circle_svg_path, point_centre, rectangle_svg_path,
};
use crate::notation::points::parse_point_ignoring_case;
use crate::{Point, Side};

/// Returns the cells of the drawn board that show a point, each point once.
fn point_cells<G: BoardLayout>(game: &G, position: &G::Position) -> Vec<(Point, DiagramCell)> {
    let mut seen = BTreeSet::new();
    let rows = game.board_diagram(position, Side::First).rows;
    rows.into_iter()
        .flatten()
        .filter_map(|cell| Some((cell.site.filter(|site| site.letter.is_none())?.point, cell)))
        .filter(|(point, _)| seen.insert((point.file, point.rank)))
        .collect()
}

/// Returns a board with a square for each point.
pub(super) fn grid_geometry<G: BoardLayout>(game: &G) -> BoardGeometry {
    let cells = point_cells(game, &game.start_position());
    let files = cells.iter().map(|(point, _)| point.file + 1).max().unwrap_or(0);
    let ranks = cells.iter().map(|(point, _)| point.rank + 1).max().unwrap_or(0);
    let sites = cells.into_iter().map(|(point, _)| DrawnSite {
        site: point.into(),
        centre: point_centre(point, 1.0),
        shape: "square",
        turn: 0,
        class: "square",
    });
    BoardGeometry {
        bounds: [-1.0, -1.0, f64::from(files) + 0.75, f64::from(ranks) + 0.75],
        sites: sites.collect(),
        shapes: vec![("square", rectangle_svg_path(1.0, 1.0))],
        kinds: vec![("piece", circle_svg_path(0.38))],
        emblems: Vec::new(),
        lines: Vec::new(),
        labels: board_labels(files, ranks, 1.0, 0.75),
    }
}

/// Returns the pieces of the drawn board. All pieces have the same kind.
pub(super) fn grid_scene<G: BoardLayout>(game: &G, position: &G::Position) -> Scene {
    let cells = point_cells(game, position).into_iter();
    let pieces = cells.filter(|(_, cell)| cell.kind == DiagramCellKind::Piece);
    let piece = |(point, cell): (Point, DiagramCell)| Piece {
        kind: "piece",
        player: cell.player,
        site: point.into(),
    };
    Scene { pieces: pieces.map(piece).collect(), ..Scene::default() }
}

/// Appends the points of a move string that consists of points only, such as `b2c3`.
pub(super) fn append_points_of_move<G: BoardLayout>(game: &G, mv: G::Move, sites: &mut Vec<Site>) {
    let text = game.move_text(mv);
    let points = all_consuming(many1(parse_point_ignoring_case)).parse(&text);
    if let Ok((_, points)) = points {
        sites.extend(points.into_iter().map(Site::from));
    }
}

/// Compares the pieces before and after a move. A piece that left one site and reached another has
/// moved, if it is the only such piece of its kind and player.
pub(super) fn effect_by_comparison<G: BoardLayout>(
    game: &G,
    position: &G::Position,
    mv: G::Move,
) -> MoveEffect {
    let before = game.position_scene(position).pieces;
    let after = game.position_scene(&game.play(position, mv)).pieces;
    let without = |pieces: &[Piece], others: &[Piece]| -> Vec<Piece> {
        pieces.iter().filter(|piece| !others.contains(piece)).copied().collect()
    };
    let mut removed = without(&before, &after);
    let mut placed = without(&after, &before);
    let mut moved = Vec::new();
    if let [to] = placed[..] {
        let is_same = |piece: &Piece| (piece.kind, piece.player) == (to.kind, to.player);
        if removed.iter().filter(|piece| is_same(piece)).count() == 1 {
            let index = removed.iter().position(is_same).unwrap_or(0);
            moved.push([removed.remove(index).site, to.site]);
            placed.clear();
        }
    }
    let path = moved.first().map_or_else(Vec::new, |sites| sites.to_vec());
    let captured = removed.iter().map(|piece| piece.site).collect();
    MoveEffect { moved, removed, placed, path, captured, ..MoveEffect::default() }
}
