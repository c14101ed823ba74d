//! The board of a game as front ends draw it: the sites, the pieces on the sites, and moves as
//! clicks on sites.
//!
//! The unit of length is one square. As the first side sees the board, `x` grows to the right and
//! `y` grows upwards. Angles are in degrees, counter-clockwise. Paths have the syntax of SVG (W3C,
//! *Scalable Vector Graphics 2*, chapter 9), but `y` grows upwards. Front ends choose the colours.

use std::collections::BTreeSet;
use std::fmt;

use nom::Parser;
use nom::character::complete::satisfy;
use nom::combinator::opt;

use super::grid_layout;
use super::position_counts::{LabelledCount, RaceCountLabel};
use crate::notation::parsing::{FoundToken, parse_whole_string};
use crate::notation::points::{file_letter, parse_point_ignoring_case};
use crate::rules::legal_move_list;
use crate::{Notation, Point, Side, SyntaxError};

/// A site of the board: a location that can hold a piece or be clicked. A site is a point, with a
/// letter if several sites share the point. Its string is its id as in move strings, such as `e3`
/// or `e3h`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Site {
    /// The point of the site.
    pub point: Point,
    /// The letter after the point in the site's id, in lower case, such as `h` in `e3h`; `None` if
    /// the id is only a point.
    pub letter: Option<char>,
}

impl Site {
    /// Parses the id of a site, ignoring case.
    ///
    /// # Errors
    /// If the string does not have the form of an id.
    pub fn parse(text: &str) -> Result<Site, SyntaxError> {
        let letter = opt(satisfy(|letter| letter.is_ascii_alphabetic()));
        let site = (parse_point_ignoring_case, letter).map(|(point, letter): (_, Option<char>)| {
            Site { point, letter: letter.map(|letter| letter.to_ascii_lowercase()) }
        });
        parse_whole_string(site, text)
    }
}

impl From<Point> for Site {
    fn from(point: Point) -> Site {
        Site { point, letter: None }
    }
}

impl fmt::Display for Site {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Site { point, letter } = self;
        write!(f, "{point}{}", letter.map_or_else(String::new, String::from))
    }
}

/// A site as it is drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DrawnSite {
    /// The site to draw.
    pub site: Site,
    /// The centre of the site, as `[x, y]`.
    pub centre: [f64; 2],
    /// The name of the site's shape, one of [`BoardGeometry::shapes`].
    pub shape: &'static str,
    /// The angle by which the site's shape, and a piece on the site, are turned. The angle is in
    /// degrees, counter-clockwise.
    pub turn: u16,
    /// The kind of site: words from the list in `protocol.md`, separated by spaces.
    pub class: &'static str,
}

/// The parts of a board that are drawn in every position.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct BoardGeometry {
    /// The rectangle around everything that is drawn: `x` and `y` of its lower left corner, its
    /// width and its height.
    pub bounds: [f64; 4],
    /// The sites in drawing order. If two sites overlap, the lower site is first.
    pub sites: Vec<DrawnSite>,
    /// The shapes that sites can have, as pairs of the shape's name and its outline (an SVG path).
    /// An outline is drawn around the centre of a site that is not turned.
    pub shapes: Vec<(&'static str, String)>,
    /// The kinds of pieces, as pairs of the kind and its outline (an SVG path). An outline is drawn
    /// around the centre of a site that is not turned.
    pub kinds: Vec<(&'static str, String)>,
    /// The emblems of pieces, as pairs of the kind and an SVG path. An emblem is drawn on the
    /// piece. A kind without details has none.
    pub emblems: Vec<(&'static str, String)>,
    /// The lines of the board. A line from `x1`, `y1` to `x2`, `y2` is stored as `[x1, y1, x2,
    /// y2]`.
    pub lines: Vec<[f64; 4]>,
    /// The labels with their centres.
    pub labels: Vec<(String, [f64; 2])>,
}

/// A piece on a site.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Piece {
    /// The kind of piece, such as `pawn`, `wall` or `king`.
    pub kind: &'static str,
    /// The index of the player who owns the piece; `None` if nobody owns it.
    pub player: Option<usize>,
    /// The site of the piece.
    pub site: Site,
}

impl Piece {
    /// Creates a piece of a side in a game for two players.
    pub fn of_side(side: Side, kind: &'static str, site: Site) -> Piece {
        Piece { kind, player: Some(side.index()), site }
    }
}

/// A mark on a site. For example, a mark shows that the piece on the site may not be moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SiteMark {
    /// The kind of mark: a word from the list in `protocol.md`.
    pub kind: &'static str,
    /// The marked site.
    pub site: Site,
}

/// An arrow that shows a relation between two sites.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Arrow {
    /// The kind of arrow: a word from the list in `protocol.md`.
    pub kind: &'static str,
    /// The site at which the arrow begins.
    pub from: Site,
    /// The site at which the arrow ends.
    pub to: Site,
}

/// A number of pieces of one kind that are not on the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PieceCount {
    /// The index of the player who owns the pieces.
    pub player: usize,
    /// The kind of the pieces.
    pub kind: &'static str,
    /// The number of pieces.
    pub count: u8,
}

/// The parts of a board that depend on the position.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Scene {
    /// The pieces on the board.
    pub pieces: Vec<Piece>,
    /// Marks of sites.
    pub marks: Vec<SiteMark>,
    /// Arrows between sites.
    pub arrows: Vec<Arrow>,
    /// The pieces in hand, which their players can still bring onto the board. If all pieces of a
    /// kind are on the board, the kind is included with the count 0.
    pub hands: Vec<PieceCount>,
    /// The pieces that the players have lost. Each piece is counted under the kind that it had at
    /// the start of the game. Only pieces with which a player starts a game are counted.
    pub lost: Vec<PieceCount>,
}

impl Scene {
    /// Returns the number of pieces that a player has lost.
    pub fn lost_count(&self, player: usize) -> u32 {
        let lost = self.lost.iter().filter(|lost| lost.player == player);
        lost.map(|lost| u32::from(lost.count)).sum()
    }
}

/// The rotation of a wall.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WallRotation {
    /// The site around which the wall turns.
    pub pivot: Site,
    /// Whether the wall turns clockwise; `None` if it can turn in either direction, by the same
    /// angle.
    pub clockwise: Option<bool>,
    /// The angle, always greater than 0.
    pub degrees: u16,
}

/// The effect of a legal move on the board.
///
/// The move changes the pieces as follows:
/// - The `removed` pieces leave the board.
/// - The `moved` pieces are at their new sites.
/// - The `placed` pieces come onto the board.
///
/// If a piece changes its kind, the piece is both removed and placed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MoveEffect {
    /// The pieces that change their sites. Each entry is a pair of the old and the new site.
    pub moved: Vec<[Site; 2]>,
    /// The pieces that leave the board, with their old sites.
    pub removed: Vec<Piece>,
    /// The pieces that come onto the board.
    pub placed: Vec<Piece>,
    /// The sites through which a single piece moves, beginning with its old site. Empty if no piece
    /// moves, or if several pieces move.
    pub path: Vec<Site>,
    /// The sites of the captured pieces, in the order of the captures.
    pub captured: Vec<Site>,
    /// The opponent's pieces that are pushed. Each entry is a pair of the old and the new site.
    /// These pieces are also in `moved`.
    pub pushed: Vec<[Site; 2]>,
    /// Whether the move promotes a piece; `None` in a game without promotion.
    pub promoted: Option<bool>,
    /// The rotation of a wall; `None` if no wall turns.
    pub turn: Option<WallRotation>,
}

/// The board of a game as front ends draw it. The default is a grid of squares, one for each point
/// of the [drawn board](Notation::board_diagram), and all pieces look the same.
pub trait BoardLayout: Notation {
    /// Returns the parts of the board that are drawn in every position.
    fn board_geometry(&self) -> BoardGeometry {
        grid_layout::grid_geometry(self)
    }

    /// Returns the parts of the board that depend on the position.
    fn position_scene(&self, position: &Self::Position) -> Scene {
        grid_layout::grid_scene(self, position)
    }

    /// Appends the sites that a person clicks, one after the other, to make a legal move. Two legal
    /// moves of a position never have the same clicks, but the clicks of one move may begin with
    /// all the clicks of another move. The default is the points of the move string, or no clicks
    /// if the string contains anything else.
    fn append_move_clicks(&self, position: &Self::Position, mv: Self::Move, sites: &mut Vec<Site>) {
        let _ = position;
        grid_layout::append_points_of_move(self, mv, sites);
    }

    /// Returns the string for a sequence of clicks on sites. By default, this string consists of
    /// the ids of the sites, one after the other. The result need not be a move string.
    fn move_string_from_clicks(&self, position: &Self::Position, clicks: &[Site]) -> String {
        let _ = position;
        clicks.iter().map(Site::to_string).collect()
    }

    /// Returns the site on which a move places a piece, if positions do not store the player who
    /// placed it. [`GameHistory::scene`](crate::GameHistory::scene) then assigns the piece to the
    /// player who made the move. Otherwise returns `None`.
    fn ownerless_placement_site(&self, mv: Self::Move) -> Option<Site> {
        let _ = mv;
        None
    }

    /// Returns the effect of a legal move on the board. The default is the difference between the
    /// scenes before and after the move. The effect assigns each placed piece to the player who
    /// places it.
    fn move_effect(&self, position: &Self::Position, mv: Self::Move) -> MoveEffect {
        grid_layout::effect_by_comparison(self, position, mv)
    }

    /// The count that decides the race; `None` if the game is not a race between two players.
    /// Reviews show this count.
    const RACE_COUNT_LABEL: Option<RaceCountLabel> = None;

    /// Returns the numbers by which players assess this position, by default the number of legal
    /// moves. Under the same rules, all positions have the same labels and players in the same
    /// order. If a number depends on the legal moves, the number of the side that is not to move is
    /// computed as if the other side had passed.
    fn labelled_position_counts(&self, position: &Self::Position) -> Vec<LabelledCount> {
        let moves = legal_move_list(self, position).len() as u32;
        let count = LabelledCount::of_number("legal moves", 0, moves);
        vec![LabelledCount { player: None, ..count }]
    }
}

/// Returns an error if the first point in a string has a file or a rank that is not on the board.
pub fn find_off_board_error(game: &impl BoardLayout, text: &str) -> Option<SyntaxError> {
    let first = |(column, (at, _))| Some((column, parse_point_ignoring_case(&text[at..]).ok()?.1));
    let (column, point): (usize, Point) = (1..).zip(text.char_indices()).find_map(first)?;
    let geometry = game.board_geometry();
    let sites = || geometry.sites.iter().map(|drawn| drawn.site.point);
    let files: BTreeSet<u8> = sites().map(|point| point.file).collect();
    let ranks: BTreeSet<u8> = sites().map(|point| point.rank).collect();
    let (column, expected) = if !files.contains(&point.file) {
        (
            column,
            format!(
                "a file from {} to {}",
                file_letter(*files.first()?),
                file_letter(*files.last()?)
            ),
        )
    } else if !ranks.contains(&point.rank) {
        (column + 1, format!("a rank from {} to {}", ranks.first()? + 1, ranks.last()? + 1))
    } else {
        return None;
    };
    let rest: String = text.chars().skip(column - 1).collect();
    Some(SyntaxError { column, expected, found: FoundToken::Word(rest) })
}

/// Rounds a length to four decimals, which are enough for an image.
pub fn round_drawing_length(length: f64) -> f64 {
    (length * 10_000.0).round() / 10_000.0
}

/// Returns the path of a circle.
pub fn circle_svg_path(radius: f64) -> String {
    circle_svg_path_at([0.0, 0.0], radius)
}

/// Returns the path of a circle around this centre.
pub fn circle_svg_path_at([x, y]: [f64; 2], radius: f64) -> String {
    let [left, right, y] = [x - radius, x + radius, y].map(round_drawing_length);
    let arc = format!("A{radius} {radius} 0 1 1");
    format!("M{left} {y}{arc} {right} {y}{arc} {left} {y}Z")
}

/// Returns the path of a rectangle.
pub fn rectangle_svg_path(width: f64, height: f64) -> String {
    let x = width / 2.0;
    let y = height / 2.0;
    polygon_svg_path(&[[-x, -y], [x, -y], [x, y], [-x, y]])
}

/// Returns the path of a polygon.
pub fn polygon_svg_path(corners: &[[f64; 2]]) -> String {
    let corners: Vec<String> = corners
        .iter()
        .map(|&[x, y]| format!("{} {}", round_drawing_length(x), round_drawing_length(y)))
        .collect();
    format!("M{}Z", corners.join("L"))
}

/// Returns the centre of a point. `pitch` is the distance between neighbouring centres.
pub fn point_centre(point: Point, pitch: f64) -> [f64; 2] {
    [pitch * f64::from(point.file), pitch * f64::from(point.rank)]
}

/// Returns the labels of a board, each with its centre: `files` labels below the board, and `ranks`
/// labels at its left. `distance` is the distance from a label to the [centre](point_centre) of the
/// first point on its file or rank. `pitch` is the distance between neighbouring centres.
pub fn board_labels(files: u8, ranks: u8, pitch: f64, distance: f64) -> Vec<(String, [f64; 2])> {
    let below = (0..files)
        .map(|file| (file_letter(file).to_string(), [pitch * f64::from(file), -distance]));
    let left =
        (0..ranks).map(|rank| ((rank + 1).to_string(), [-distance, pitch * f64::from(rank)]));
    below.chain(left).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_of_sites_round_trip() {
        for letter in [None, Some('h'), Some('v')] {
            let site = Site { point: Point::new(4, 10), letter };
            assert_eq!(Site::parse(&site.to_string()), Ok(site));
            assert_eq!(Site::parse(&site.to_string().to_uppercase()), Ok(site));
        }
        for text in ["", "e", "3e", "e3hh", "e3 ", "e3-"] {
            assert!(Site::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn paths_are_closed_and_centred() {
        assert_eq!(rectangle_svg_path(1.0, 0.5), "M-0.5 -0.25L0.5 -0.25L0.5 0.25L-0.5 0.25Z");
        assert_eq!(circle_svg_path(0.4), "M-0.4 0A0.4 0.4 0 1 1 0.4 0A0.4 0.4 0 1 1 -0.4 0Z");
    }
}
