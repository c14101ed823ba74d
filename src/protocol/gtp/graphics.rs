//! Shows a position in GoGui. Each point has a stone or nothing. Everything else is written as
//! lines of GoGui's graphics language (`COLOR #ff0000 D4`, `LABEL D4 K`, ...).

use std::collections::{BTreeMap, BTreeSet};

use pentarch_core::{GoBoardLabelFragment, GoBoardShape, Point, Side};
use pentarch_engine::go_board::{GoBoardScene, GoFrontEndPiece};

use super::text::{side_name_with_stone_colour, vertex_name};

/// The content of a point on the board of the front end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GoBoardPointContent {
    /// The game's board has no such point.
    Missing,
    /// A point without a stone.
    Empty,
    /// A piece of this side.
    Piece(Side),
}

/// Returns the content of each point of the board.
pub fn go_board_point_contents(scene: &GoBoardScene) -> BTreeMap<Point, GoBoardPointContent> {
    let mut contents: BTreeMap<Point, GoBoardPointContent> =
        scene.grid.points().map(|point| (point, GoBoardPointContent::Missing)).collect();
    let empty = |point| (point, GoBoardPointContent::Empty);
    contents.extend(site_points(scene).into_iter().map(empty));
    if scene.grid.hexagonal {
        contents.extend(drawn_points_without_site(scene).into_iter().map(empty));
    }
    contents.extend(scene.pieces.iter().filter_map(|piece| {
        Some((
            *piece.points.first()?,
            GoBoardPointContent::Piece(Side::BOTH_SIDES[piece.piece.player?]),
        ))
    }));
    contents
}

/// Returns the board in the form of `gogui-rules_board`: a line for each row from the top, with its
/// points from the left.
pub(super) fn board_rows(scene: &GoBoardScene) -> Vec<String> {
    let contents = go_board_point_contents(scene);
    let letter = |content: &GoBoardPointContent| match content {
        GoBoardPointContent::Missing => "?",
        GoBoardPointContent::Empty => ".",
        GoBoardPointContent::Piece(Side::First) => "X",
        GoBoardPointContent::Piece(Side::Second) => "O",
    };
    let row = |rank| {
        let row =
            contents.iter().filter(|(point, _)| point.rank == rank).map(|(_, field)| letter(field));
        row.collect::<Vec<_>>().join(" ")
    };
    (0..scene.grid.size).rev().map(row).collect()
}

/// Returns everything except the stones as lines of the graphics language. The text line states
/// which stones each side plays. The first side always has the black stones, whatever its name is
/// in the game.
pub fn gogui_graphics_lines(scene: &GoBoardScene) -> Vec<String> {
    let mut lines = point_colour_lines(scene.grid, &point_colours(scene));
    let label = |piece: &GoFrontEndPiece| {
        let at = piece.points.first().filter(|_| !piece.label.is_empty())?;
        Some(format!(" {} {}", vertex_name(*at), join_text_parts(&piece.label)))
    };
    let labels: String = scene.pieces.iter().filter_map(label).collect();
    lines.extend((!labels.is_empty()).then(|| format!("LABEL{labels}")));
    for (kind, verb) in [("huff", "MARK"), ("spent", "TRIANGLE")] {
        lines.extend(shape_mark_line(verb, marked_points(scene, kind)));
    }
    lines.push(text_line_below_board(scene));
    lines
}

/// Returns the colours of points. If a movable wall and an unmovable wall cover a point, the point
/// has the colour of the movable wall.
fn point_colours(scene: &GoBoardScene) -> BTreeMap<Point, &'static str> {
    let mut colours: BTreeMap<Point, &str> = BTreeMap::new();
    colours.extend(
        drawn_points_without_site(scene).into_iter().map(|point| (point, UNCOVERED_POINT_COLOUR)),
    );
    colours.extend(
        scene
            .sites
            .iter()
            .filter_map(|site| Some((*site.points.first()?, site_class_colour(site.class)?))),
    );
    let blocked: Vec<Point> = marked_points(scene, "blocked").collect();
    let walls = scene.pieces.iter().filter(|piece| piece.piece.kind == "wall");
    let (blocked, free): (Vec<&GoFrontEndPiece>, Vec<&GoFrontEndPiece>) =
        walls.partition(|wall| wall.points.first().is_some_and(|at| blocked.contains(at)));
    for (walls, colour) in [(blocked, BLOCKED_WALL_COLOUR), (free, WALL_COLOUR)] {
        colours
            .extend(walls.into_iter().flat_map(|wall| &wall.points).map(|&point| (point, colour)));
    }
    colours
}

fn marked_points(scene: &GoBoardScene, kind: &str) -> impl Iterator<Item = Point> {
    scene.marks.iter().filter(move |mark| mark.0 == kind).map(|mark| mark.1)
}

/// Returns the points that the sites cover.
fn site_points(scene: &GoBoardScene) -> BTreeSet<Point> {
    scene.sites.iter().flat_map(|site| &site.points).copied().collect()
}

/// Returns the points that the front end draws although no site covers them. On a board of squares
/// these are all uncovered points, because GoGui draws the lines of the whole square. On a board of
/// hexagons, GoGui draws a point if and only if the board has the mirrored point, with row and
/// column exchanged. So these are the uncovered points whose mirrored point is covered.
fn drawn_points_without_site(scene: &GoBoardScene) -> Vec<Point> {
    let covered = site_points(scene);
    let mut points: Vec<Point> =
        scene.grid.points().filter(|point| !covered.contains(point)).collect();
    if scene.grid.hexagonal {
        points.retain(|point| covered.contains(&Point::new(point.rank, point.file)));
    }
    points
}

/// Returns the line with the text below the board.
fn text_line_below_board(scene: &GoBoardScene) -> String {
    let after = |separator: &str, parts: &[GoBoardLabelFragment]| match parts {
        [] => String::new(),
        _ => format!("{separator}{}", join_text_parts(parts)),
    };
    let [first, second] = Side::BOTH_SIDES.map(|side| {
        side_name_with_stone_colour(scene.sides, side) + &after(" ", &scene.remarks[side.index()])
    });
    format!("TEXT {first}, {second}{}", after("; ", &scene.note))
}

/// Joins the parts of a text. Points are written by their GTP names, such as `D4`.
fn join_text_parts(parts: &[GoBoardLabelFragment]) -> String {
    let word = |part: &GoBoardLabelFragment| match part {
        GoBoardLabelFragment::Text(text) => text.clone(),
        GoBoardLabelFragment::Point(point) => vertex_name(*point),
    };
    parts.iter().map(word).collect()
}

/// The colour of walls, and of the points that they cover.
const WALL_COLOUR: &str = "#803010";
/// The colour of walls that cannot be moved now, and of points covered only by such walls.
const BLOCKED_WALL_COLOUR: &str = "#606080";

/// The colour of points that are not part of the game's board.
const UNCOVERED_POINT_COLOUR: &str = "#202020";

/// Returns the colour of sites of this class, for example `square dark`; `None` if the Go board
/// itself draws such sites.
fn site_class_colour(class: &str) -> Option<&'static str> {
    Some(match class {
        "square" => "#f0e0c0",
        "square home-first" => "#e08080",
        "square home-second" => "#80c080",
        "square goal-first" => "#b0b0b0",
        "square goal-second" => "#ffffff",
        "square dark" => "#c09060",
        "point diagonal" => "#804000",
        "cell red" => "#d04040",
        "tower" => "#a0a0a0",
        _ => return None,
    })
}

/// Returns the lines that colour points of the board. There is one line for each colour.
fn point_colour_lines(grid: GoBoardShape, colours: &BTreeMap<Point, &'static str>) -> Vec<String> {
    let mut lines: Vec<(&str, String)> = Vec::new();
    for (point, &colour) in grid.points().filter_map(|point| Some((point, colours.get(&point)?))) {
        let index = lines.iter().position(|line| line.0 == colour).unwrap_or_else(|| {
            lines.push((colour, format!("COLOR {colour}")));
            lines.len() - 1
        });
        lines[index].1 += &format!(" {}", vertex_name(point));
    }
    lines.into_iter().map(|line| line.1).collect()
}

/// Returns the line that marks these points with a shape (`CIRCLE`, `SQUARE`, `TRIANGLE`, `MARK`);
/// `None` without points.
pub(super) fn shape_mark_line(verb: &str, points: impl Iterator<Item = Point>) -> Option<String> {
    let points: String = points.map(|point| format!(" {}", vertex_name(point))).collect();
    (!points.is_empty()).then(|| format!("{verb}{points}"))
}

/// Returns the line that numbers these points in order; `None` without points. If a point occurs
/// several times, the point has all of its numbers.
pub(super) fn gogui_number_label_line(points: impl Iterator<Item = Point>) -> Option<String> {
    let mut numbers: Vec<(Point, String)> = Vec::new();
    for (number, point) in (1..).zip(points) {
        match numbers.iter_mut().find(|(other, _)| *other == point) {
            Some((_, text)) => *text += &format!(",{number}"),
            None => numbers.push((point, number.to_string())),
        }
    }
    let labels: String = numbers
        .into_iter()
        .map(|(point, text)| format!(" {} {text}", vertex_name(point)))
        .collect();
    (!labels.is_empty()).then(|| format!("LABEL{labels}"))
}
