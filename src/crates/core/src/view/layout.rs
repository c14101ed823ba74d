//! The board of a game as front ends draw it: its sites, the pieces on them, and moves as clicks on
//! sites.
//!
//! Lengths are in units of one square; `x` grows to the right and `y` up, as the first side sees
//! the board. Angles are in degrees, counter-clockwise. Paths are in the syntax of SVG (W3C,
//! *Scalable Vector Graphics 2*, chapter 9), but with `y` growing up. Front ends choose the
//! colours.

use std::collections::BTreeSet;
use std::fmt;

use nom::Parser;
use nom::character::complete::satisfy;
use nom::combinator::opt;

use crate::notation::points::{file_letter, point_any_case};
use crate::notation::text::{FoundToken, parse_whole};
use crate::{Notation, Point, Side, SyntaxError};

/// A site of the board that can hold a piece or be clicked: a point, with a letter if several sites
/// share the point. Its string is its id, the word for it in move strings: `e3`, `e3h`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Site {
    /// The point.
    pub point: Point,
    /// The letter after the point, in lower case.
    pub letter: Option<char>,
}

impl Site {
    /// Parses the id of a site, ignoring case.
    ///
    /// # Errors
    /// If the string does not have the form of an id.
    pub fn parse(text: &str) -> Result<Site, SyntaxError> {
        let letter = opt(satisfy(|letter| letter.is_ascii_alphabetic()));
        let site = (point_any_case, letter).map(|(point, letter): (_, Option<char>)| Site {
            point,
            letter: letter.map(|letter| letter.to_ascii_lowercase()),
        });
        parse_whole(site, text)
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
    /// The site.
    pub site: Site,
    /// The centre.
    pub centre: [f64; 2],
    /// The name of its shape, one of [`Geometry::shapes`].
    pub shape: &'static str,
    /// The angle by which its shape is turned, and any piece on it.
    pub turn: u16,
    /// The kind of site: words of the list in `protocol.md`, separated by spaces.
    pub class: &'static str,
}

/// The parts of a board that are drawn in every position.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Geometry {
    /// The rectangle around everything: the `x` and `y` of its lower left corner, its width and its
    /// height.
    pub bounds: [f64; 4],
    /// The sites in drawing order: of two that overlap, the lower one first.
    pub sites: Vec<DrawnSite>,
    /// The outlines of sites by name, around the centre of a site that is not turned.
    pub shapes: Vec<(&'static str, String)>,
    /// The outlines of the kinds of pieces by name, around the centre of a site that is not turned.
    pub kinds: Vec<(&'static str, String)>,
    /// Lines from `[x1, y1]` to `[x2, y2]`, each as `[x1, y1, x2, y2]`.
    pub lines: Vec<[f64; 4]>,
    /// Labels with their centres.
    pub labels: Vec<(String, [f64; 2])>,
}

/// A piece on a site.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Piece {
    /// The kind of piece: `pawn`, `wall`, `king`, ...
    pub kind: &'static str,
    /// The index of the player who owns it; `None` if nobody does.
    pub player: Option<usize>,
    /// The site of the piece.
    pub site: Site,
}

impl Piece {
    /// Creates a piece of a side, in a game for two.
    pub fn of_side(side: Side, kind: &'static str, site: Site) -> Piece {
        Piece { kind, player: Some(side.index()), site }
    }
}

/// A mark of a site in a position: for example, that the piece on it may not be moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mark {
    /// The kind of mark: a word of the list in `protocol.md`.
    pub kind: &'static str,
    /// The site.
    pub site: Site,
}

/// A relation between two sites in a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Arrow {
    /// The kind of arrow: a word of the list in `protocol.md`.
    pub kind: &'static str,
    /// The site at which it begins.
    pub from: Site,
    /// The site at which it ends.
    pub to: Site,
}

/// Pieces in hand, which a player can still bring onto the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PiecesInHand {
    /// The index of the player who owns them.
    pub player: usize,
    /// The kind of piece.
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
    pub marks: Vec<Mark>,
    /// Arrows between sites.
    pub arrows: Vec<Arrow>,
    /// The pieces in hand. A kind of which all pieces are on the board is included with a count of
    /// 0.
    pub hands: Vec<PiecesInHand>,
    /// The number of pieces that each side has lost, of those with which it starts a game.
    pub lost: [u32; 2],
}

/// The rotation of a wall.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WallTurn {
    /// The site around which it turns.
    pub pivot: Site,
    /// Whether it turns clockwise; `None` if it can turn either way by the same angle.
    pub clockwise: Option<bool>,
    /// The angle, always greater than 0.
    pub degrees: u16,
}

/// The effect of a legal move on the board.
///
/// The pieces after the move are those before, without the `removed` ones and with the `moved` ones
/// at their new sites, and the `placed` ones. A piece that becomes another kind is removed and
/// placed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MoveEffect {
    /// The start and the end of each piece that changes its site.
    pub moved: Vec<[Site; 2]>,
    /// The pieces that leave the board, at their old sites.
    pub removed: Vec<Piece>,
    /// The pieces that come onto the board.
    pub placed: Vec<Piece>,
    /// The sites over which a single piece moves, its start first. Empty if none or several move.
    pub path: Vec<Site>,
    /// The sites of the captured pieces, in order.
    pub captured: Vec<Site>,
    /// The start and the end of each piece of the opponent that is pushed. They are also in
    /// `moved`.
    pub pushed: Vec<[Site; 2]>,
    /// Whether a piece is promoted; `None` in a game without promotion.
    pub promoted: Option<bool>,
    /// The rotation of a wall, if one turns.
    pub turn: Option<WallTurn>,
}

/// The board of a game as front ends draw it. A game that no front end draws keeps the defaults: a
/// board without sites.
pub trait Layout: Notation {
    /// Returns the parts of the board that are drawn in every position.
    fn geometry(&self) -> Geometry {
        Geometry::default()
    }

    /// Returns the parts of the board that depend on the position.
    fn scene(&self, position: &Self::Position) -> Scene {
        let _ = position;
        Scene::default()
    }

    /// Appends the sites to click one after the other for a legal move. No two legal moves of a
    /// position have the same clicks, but the clicks of one move may begin with those of another.
    fn clicks(&self, position: &Self::Position, mv: Self::Move, sites: &mut Vec<Site>) {
        let _ = (position, mv, sites);
    }

    /// Returns the string that clicks on these sites spell, whether or not it is a move string: by
    /// default the ids one after the other.
    fn move_string_of_clicks(&self, position: &Self::Position, clicks: &[Site]) -> String {
        let _ = position;
        clicks.iter().map(Site::to_string).collect()
    }

    /// Returns the effect of a legal move on the board.
    fn details(&self, position: &Self::Position, mv: Self::Move) -> MoveEffect {
        let _ = (position, mv);
        MoveEffect::default()
    }
}

/// Returns the error of the first point in a string, if the board lacks its file or its rank.
pub fn off_board(game: &impl Layout, text: &str) -> Option<SyntaxError> {
    let first = |(column, (at, _))| Some((column, point_any_case(&text[at..]).ok()?.1));
    let (column, point): (usize, Point) = (1..).zip(text.char_indices()).find_map(first)?;
    let geometry = game.geometry();
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

/// Rounds a length to digits that an image can show.
pub fn round_length(length: f64) -> f64 {
    (length * 10_000.0).round() / 10_000.0
}

/// Returns the path of a circle.
pub fn circle_path(radius: f64) -> String {
    format!("M-{radius} 0A{radius} {radius} 0 1 1 {radius} 0A{radius} {radius} 0 1 1 -{radius} 0Z")
}

/// Returns the path of a rectangle.
pub fn rectangle_path(width: f64, height: f64) -> String {
    let x = width / 2.0;
    let y = height / 2.0;
    polygon_path(&[[-x, -y], [x, -y], [x, y], [-x, y]])
}

/// Returns the path of a polygon.
pub fn polygon_path(corners: &[[f64; 2]]) -> String {
    let corners: Vec<String> =
        corners.iter().map(|&[x, y]| format!("{} {}", round_length(x), round_length(y))).collect();
    format!("M{}Z", corners.join("L"))
}

/// Returns the centre of a point on a board with this distance between neighbouring centres.
pub fn point_centre(point: Point, pitch: f64) -> [f64; 2] {
    [pitch * f64::from(point.file), pitch * f64::from(point.rank)]
}

/// Returns the labels of `files` files below a board and of `ranks` ranks at its left. Their
/// distance from the [centres](point_centre) of the first points is `distance`.
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
        assert_eq!(rectangle_path(1.0, 0.5), "M-0.5 -0.25L0.5 -0.25L0.5 0.25L-0.5 0.25Z");
        assert_eq!(circle_path(0.4), "M-0.4 0A0.4 0.4 0 1 1 0.4 0A0.4 0.4 0 1 1 -0.4 0Z");
    }
}
