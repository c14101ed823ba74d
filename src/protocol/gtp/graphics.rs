//! What GoGui draws of a position: a field for each point, and everything that stones cannot show as lines of its
//! graphics language (`COLOR #ff0000 D4`, `LABEL D4 K`, ...).

use std::collections::{BTreeMap, BTreeSet};

use pentarch_core::{GoGrid, Point, Side, TextPart};
use pentarch_engine::go_board::{GoPiece, GoScene};

use super::text::{player, vertex};

/// What a point of the front end's board shows: a stone, nothing, or no point at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Field {
    /// The game's board has no such point.
    Missing,
    /// Nothing stands there.
    Empty,
    /// A man of this side stands there.
    Man(Side),
}

/// What each point of the board shows.
pub fn fields(scene: &GoScene) -> BTreeMap<Point, Field> {
    let mut fields: BTreeMap<Point, Field> =
        scene.grid.points().map(|point| (point, Field::Missing)).collect();
    let empty = |point| (point, Field::Empty);
    fields.extend(all_points(scene).into_iter().map(empty));
    if scene.grid.hexagonal {
        fields.extend(surroundings(scene).into_iter().map(empty));
    }
    fields.extend(scene.pieces.iter().filter_map(|piece| {
        Some((*piece.points.first()?, Field::Man(Side::BOTH[piece.piece.player?])))
    }));
    fields
}

/// The fields as `gogui-rules_board` gives them: a line for each row from the top, its points from the left.
pub fn rows(scene: &GoScene) -> Vec<String> {
    let fields = fields(scene);
    let letter = |field: &Field| match field {
        Field::Missing => "?",
        Field::Empty => ".",
        Field::Man(Side::First) => "X",
        Field::Man(Side::Second) => "O",
    };
    let row = |rank| {
        let row =
            fields.iter().filter(|(point, _)| point.rank == rank).map(|(_, field)| letter(field));
        row.collect::<Vec<_>>().join(" ")
    };
    (0..scene.grid.size).rev().map(row).collect()
}

/// What stones cannot show, as lines of the graphics language. The line of text says in words which stones each side
/// plays, because the first side has the black ones whatever the game calls it.
pub fn lines(scene: &GoScene) -> Vec<String> {
    let mut lines = coloured(scene.grid, &colours(scene));
    let label = |piece: &GoPiece| {
        let at = piece.points.first().filter(|_| !piece.label.is_empty())?;
        Some(format!(" {} {}", vertex(*at), written(&piece.label)))
    };
    let labels: String = scene.pieces.iter().filter_map(label).collect();
    lines.extend((!labels.is_empty()).then(|| format!("LABEL{labels}")));
    for (kind, verb) in [("huff", "MARK"), ("spent", "TRIANGLE")] {
        lines.extend(shaped(verb, marked(scene, kind)));
    }
    lines.push(text(scene));
    lines
}

/// The colours of points. A wall that may be moved colours the points that it shares with one that may not.
fn colours(scene: &GoScene) -> BTreeMap<Point, &'static str> {
    let mut colours: BTreeMap<Point, &str> = BTreeMap::new();
    colours.extend(surroundings(scene).into_iter().map(|point| (point, SURROUNDINGS)));
    colours.extend(
        scene.sites.iter().filter_map(|site| Some((*site.points.first()?, colour(site.class)?))),
    );
    let blocked: Vec<Point> = marked(scene, "blocked").collect();
    let walls = scene.pieces.iter().filter(|piece| piece.piece.kind == "wall");
    let (blocked, free): (Vec<&GoPiece>, Vec<&GoPiece>) =
        walls.partition(|wall| wall.points.first().is_some_and(|at| blocked.contains(at)));
    for (walls, colour) in [(blocked, BLOCKED), (free, WALL)] {
        colours
            .extend(walls.into_iter().flat_map(|wall| &wall.points).map(|&point| (point, colour)));
    }
    colours
}

/// The points that have marks of this kind.
fn marked(scene: &GoScene, kind: &str) -> impl Iterator<Item = Point> {
    scene.marks.iter().filter(move |mark| mark.0 == kind).map(|mark| mark.1)
}

/// The points that the sites cover.
fn all_points(scene: &GoScene) -> BTreeSet<Point> {
    scene.sites.iter().flat_map(|site| &site.points).copied().collect()
}

/// The points that the front end draws although no site covers them: on squares all, since GoGui draws the lines of the
/// whole square. On hexagons it draws a point exactly if the point with row and column exchanged is there, so these are
/// the points for which only that one is.
fn surroundings(scene: &GoScene) -> Vec<Point> {
    let there = all_points(scene);
    let is_drawn =
        |at: &Point| !scene.grid.hexagonal || there.contains(&Point::new(at.rank, at.file));
    scene.grid.points().filter(|at| !there.contains(at) && is_drawn(at)).collect()
}

/// The line with the text below the board.
fn text(scene: &GoScene) -> String {
    let after = |separator: &str, parts: &[TextPart]| match parts {
        [] => String::new(),
        _ => format!("{separator}{}", written(parts)),
    };
    let player = |side: Side| player(scene.sides, side) + &after(" ", &scene.remarks[side.index()]);
    let [first, second] = Side::BOTH.map(player);
    format!("TEXT {first}, {second}{}", after("; ", &scene.note))
}

/// What is written, with the names of GTP for points.
fn written(parts: &[TextPart]) -> String {
    let word = |part: &TextPart| match part {
        TextPart::Text(text) => text.clone(),
        TextPart::Point(point) => vertex(*point),
    };
    parts.iter().map(word).collect()
}

/// The colour of walls, and of the points that they cover.
const WALL: &str = "#803010";
/// The colour of walls that may not be moved now, and of the points that they cover, except for those that are also
/// covered by a wall that may be moved.
const BLOCKED: &str = "#606080";

/// The colour of points that the game's board lacks.
const SURROUNDINGS: &str = "#202020";

/// The colour of sites of this class; none for those that the Go board draws by itself.
fn colour(class: &str) -> Option<&'static str> {
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

/// The lines that paint points of the board with their colours, one line for each colour.
fn coloured(grid: GoGrid, colours: &BTreeMap<Point, &'static str>) -> Vec<String> {
    let mut lines: Vec<(&str, String)> = Vec::new();
    for (point, &colour) in grid.points().filter_map(|point| Some((point, colours.get(&point)?))) {
        let place = lines.iter().position(|line| line.0 == colour).unwrap_or_else(|| {
            lines.push((colour, format!("COLOR {colour}")));
            lines.len() - 1
        });
        lines[place].1 += &format!(" {}", vertex(point));
    }
    lines.into_iter().map(|line| line.1).collect()
}

/// The line that marks all these points with a shape (`CIRCLE`, `SQUARE`, `TRIANGLE`, `MARK`); no line without points.
pub fn shaped(verb: &str, points: impl Iterator<Item = Point>) -> Option<String> {
    let points: String = points.map(|point| format!(" {}", vertex(point))).collect();
    (!points.is_empty()).then(|| format!("{verb}{points}"))
}

/// The line that numbers these points in their order; no line without points. A point that occurs again has the numbers
/// of all its places.
pub fn numbered(points: impl Iterator<Item = Point>) -> Option<String> {
    let mut numbers: Vec<(Point, String)> = Vec::new();
    for (number, point) in (1..).zip(points) {
        match numbers.iter_mut().find(|(other, _)| *other == point) {
            Some((_, text)) => *text += &format!(",{number}"),
            None => numbers.push((point, number.to_string())),
        }
    }
    let label = |(point, text): (Point, String)| format!(" {} {text}", vertex(point));
    let labels: String = numbers.into_iter().map(label).collect();
    (!labels.is_empty()).then(|| format!("LABEL{labels}"))
}
