//! A game on the board of a Go front end, as a view of its [`Layout`]: each site becomes one point or several, a man a
//! stone, and everything else a colour, a label or a shape.

use std::collections::{BTreeMap, BTreeSet};

use super::layout::{Layout, Piece, Site};
use super::{Point, Side};

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

/// The front end's board: square, its cells square or hexagonal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Grid {
    /// The number of points along each side.
    pub size: u8,
    /// Whether the cells are hexagons. Each row is then drawn half a point to the left of the row below it, so that the
    /// neighbours of `(x, y)` are those on its row and on its column, `(x + 1, y + 1)` and `(x - 1, y - 1)`.
    pub hexagonal: bool,
}

/// How the sites of a game become points of a square board. A game that Go front ends do not show keeps the defaults.
pub trait Projection: Layout {
    /// The front end's board; none if Go front ends do not show this game.
    fn grid(&self) -> Option<Grid> {
        None
    }

    /// The points that a site and what stands on it cover, first the one by which the site is clicked. By default it is
    /// the point of the site.
    fn points(&self, site: Site) -> Vec<Point> {
        vec![site.point]
    }

    /// What is written on a piece: a word without spaces. By default nothing.
    fn label(&self, position: &Self::Position, piece: Piece) -> Option<String> {
        let _ = (position, piece);
        None
    }

    /// What to say of a side below the board, after its name: `has 3 walls left`. By default nothing.
    fn remark(&self, position: &Self::Position, side: Side) -> Option<String> {
        let _ = (position, side);
        None
    }

    /// What else to say below the board. By default nothing.
    fn note(&self, position: &Self::Position) -> Option<String> {
        let _ = position;
        None
    }

    /// What the points of the board show, file by file, and on each file by rank.
    fn fields(&self, position: &Self::Position) -> Vec<(Point, Field)> {
        let Some(grid) = self.grid() else { return Vec::new() };
        let mut fields: BTreeMap<Point, Field> = grid.points().map(|point| (point, Field::Missing)).collect();
        let empty = |point| (point, Field::Empty);
        fields.extend(self.all_points().into_iter().map(empty));
        if grid.hexagonal {
            fields.extend(self.surroundings(grid).into_iter().map(empty));
        }
        let pieces = self.pieces(position);
        fields.extend(pieces.iter().filter_map(|piece| Some((self.click_point(piece.site), Field::Man(piece.side?)))));
        fields.into_iter().collect()
    }

    /// What stones cannot show, as lines of GoGui's graphics language: `COLOR #ff0000 D4`, `LABEL D4 K`, ... The
    /// function [`vertex`] gives the names of the points. The last line says in words which stones each side plays,
    /// because the first side has the black ones whatever the game calls it.
    fn graphics(&self, position: &Self::Position) -> Vec<String> {
        let Some(grid) = self.grid() else { return Vec::new() };
        let (pieces, marks) = (self.pieces(position), self.marks(position));
        let marked =
            |kind: &str| -> Vec<Site> { marks.iter().filter(|mark| mark.kind == kind).map(|mark| mark.site).collect() };
        let mut colours: BTreeMap<Point, &str> = BTreeMap::new();
        colours.extend(self.surroundings(grid).into_iter().map(|point| (point, SURROUNDINGS)));
        for drawn in self.geometry().sites {
            colours.extend(colour(drawn.class).map(|colour| (self.click_point(drawn.site), colour)));
        }
        // A wall that may be moved colours the points that it shares with one that may not.
        let (free, blocked): (Vec<Site>, Vec<Site>) = {
            let blocked = marked("blocked");
            let walls = pieces.iter().filter(|piece| piece.kind == "wall").map(|piece| piece.site);
            walls.partition(|site| !blocked.contains(site))
        };
        for (walls, colour) in [(blocked, BLOCKED), (free, WALL)] {
            colours.extend(walls.into_iter().flat_map(|wall| self.points(wall)).map(|point| (point, colour)));
        }
        let mut lines = grid.coloured(|point| colours.get(&point).copied());
        let label = |piece: &Piece| {
            let word = self.label(position, *piece)?;
            Some(format!(" {} {word}", vertex(self.click_point(piece.site))))
        };
        let labels: String = pieces.iter().filter_map(label).collect();
        lines.extend((!labels.is_empty()).then(|| format!("LABEL{labels}")));
        for (kind, verb) in [("huff", "MARK"), ("spent", "TRIANGLE")] {
            lines.extend(shaped(verb, marked(kind).into_iter().map(|site| self.click_point(site))));
        }
        lines.push(text(self, position));
        lines
    }

    /// The points that the sites cover.
    fn all_points(&self) -> BTreeSet<Point> {
        self.geometry().sites.iter().flat_map(|drawn| self.points(drawn.site)).collect()
    }

    /// The points that the front end draws although no site covers them: on squares all, since GoGui draws the lines of
    /// the whole square. On hexagons it draws a point exactly if the point with row and column exchanged is there, so
    /// these are the points for which only that one is.
    fn surroundings(&self, grid: Grid) -> Vec<Point> {
        let there = self.all_points();
        let is_drawn = |at: &Point| !grid.hexagonal || there.contains(&Point::new(at.rank, at.file));
        grid.points().filter(|at| !there.contains(at) && is_drawn(at)).collect()
    }

    /// The point by which a site is clicked.
    fn click_point(&self, site: Site) -> Point {
        self.points(site).first().copied().unwrap_or(site.point)
    }

    /// Appends the points that are clicked one after the other to make a legal move. No two legal moves of a position
    /// have the same points. If the points of one move are the first points of another, a pass ends the shorter one.
    fn click_points(&self, position: &Self::Position, mv: Self::Move, points: &mut Vec<Point>) {
        let mut sites = Vec::new();
        self.clicks(position, mv, &mut sites);
        points.extend(sites.into_iter().map(|site| self.click_point(site)));
    }
}

/// The graphics line with the text below the board.
fn text<G: Projection>(game: &G, position: &G::Position) -> String {
    let player = |side: Side| {
        let remark = game.remark(position, side).map_or_else(String::new, |remark| format!(" {remark}"));
        player(G::SIDES, side) + &remark
    };
    let [first, second] = Side::BOTH.map(player);
    let note = game.note(position).map_or_else(String::new, |note| format!("; {note}"));
    format!("TEXT {first}, {second}{note}")
}

/// A side of a game with these sides, by its name and by its stones, since black stones are the first side whatever the
/// game calls it: `white (black stones)`.
pub fn player(sides: [&str; 2], side: Side) -> String {
    format!("{} ({} stones)", sides[side.index()], ["black", "white"][side.index()])
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

/// The name of a point in GTP, whose column letters leave out I: file 8 is `J`.
pub fn vertex(point: Point) -> String {
    let letter = point.file + u8::from(point.file >= 8);
    format!("{}{}", char::from(b'A' + letter), point.rank + 1)
}

impl Grid {
    /// All points, file by file, and on each file by rank.
    pub fn points(self) -> impl Iterator<Item = Point> {
        (0..self.size).flat_map(move |file| (0..self.size).map(move |rank| Point::new(file, rank)))
    }

    /// The graphics lines that paint the points with their colours, one line for each colour.
    fn coloured(self, colour: impl Fn(Point) -> Option<&'static str>) -> Vec<String> {
        let mut lines: Vec<(&str, String)> = Vec::new();
        for (point, colour) in self.points().filter_map(|point| Some((point, colour(point)?))) {
            let place = lines.iter().position(|line| line.0 == colour).unwrap_or_else(|| {
                lines.push((colour, format!("COLOR {colour}")));
                lines.len() - 1
            });
            lines[place].1 += &format!(" {}", vertex(point));
        }
        lines.into_iter().map(|line| line.1).collect()
    }
}

/// The graphics line that marks all these points with a shape (`CIRCLE`, `SQUARE`, `TRIANGLE`, `MARK`); no line without
/// points.
pub fn shaped(verb: &str, points: impl Iterator<Item = Point>) -> Option<String> {
    let points: String = points.map(|point| format!(" {}", vertex(point))).collect();
    (!points.is_empty()).then(|| format!("{verb}{points}"))
}
