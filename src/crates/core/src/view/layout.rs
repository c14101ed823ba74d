//! The board of a game as front ends draw it: where its sites lie, what stands on them, and moves as clicks on them.
//!
//! Lengths are in units of one square, `x` grows to the right and `y` up, as the first side sees the board. Angles are
//! in degrees, counter-clockwise. Paths are in the syntax of SVG (W3C, *Scalable Vector Graphics 2*, chapter 9), but
//! with `y` growing up. Colours are left to the front end.

use std::collections::BTreeSet;
use std::fmt;

use nom::Parser;
use nom::character::complete::satisfy;
use nom::combinator::opt;

use crate::notation::points::{letter, point_any_case};
use crate::notation::text::{FoundToken, finish};
use crate::{Notation, Point, Side, SyntaxError};

/// A place of the board where something can stand or be clicked: a point, and a letter where several places share one.
/// Its text is its id, which is the word of the move texts for it: `e3`, `e3h`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Site {
    /// The point.
    pub point: Point,
    /// The letter that follows the point, in lower case.
    pub letter: Option<char>,
}

impl Site {
    /// Reads the id of a site, in any case.
    ///
    /// # Errors
    /// If the text does not have the form of an id.
    pub fn parse(text: &str) -> Result<Site, SyntaxError> {
        let letter = opt(satisfy(|letter| letter.is_ascii_alphabetic()));
        let site = (point_any_case, letter).map(|(point, letter): (_, Option<char>)| Site {
            point,
            letter: letter.map(|letter| letter.to_ascii_lowercase()),
        });
        finish(site, text)
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
    /// The angle by which its shape, and whatever stands there, is turned.
    pub turn: u16,
    /// What kind of site it is: words of the list in `protocol.md`, separated by spaces.
    pub class: &'static str,
}

/// What is drawn of a board in every position.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Geometry {
    /// The rectangle that holds everything: the `x` and `y` of its lower left corner, its width and its height.
    pub bounds: [f64; 4],
    /// The sites, in the order in which they are drawn: of two that overlap, the lower one first.
    pub sites: Vec<DrawnSite>,
    /// The outlines of sites by name, about the centre of a site that is not turned.
    pub shapes: Vec<(&'static str, String)>,
    /// The outlines of the kinds of pieces by name, about the centre of a site that is not turned.
    pub kinds: Vec<(&'static str, String)>,
    /// Lines from `[x1, y1]` to `[x2, y2]`, each as `[x1, y1, x2, y2]`.
    pub lines: Vec<[f64; 4]>,
    /// Texts, each with the place of its centre.
    pub labels: Vec<(String, [f64; 2])>,
}

/// Something that stands on a site.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Piece {
    /// What it is: `pawn`, `wall`, `king`, ...
    pub kind: &'static str,
    /// Whose it is: the index of a player; none if it belongs to nobody.
    pub player: Option<usize>,
    /// Where it stands.
    pub site: Site,
}

impl Piece {
    /// A piece of a side, in a game for two.
    pub fn of_side(side: Side, kind: &'static str, site: Site) -> Piece {
        Piece { kind, player: Some(side.index()), site }
    }
}

/// Something to be known of a site in a position, such as that what stands there may not be moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mark {
    /// What is to be known: a word of the list in `protocol.md`.
    pub kind: &'static str,
    /// The site.
    pub site: Site,
}

/// Something to be known of the way from one site to another in a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Arrow {
    /// What is to be known: a word of the list in `protocol.md`.
    pub kind: &'static str,
    /// The site on which it begins.
    pub from: Site,
    /// The site on which it ends.
    pub to: Site,
}

/// Pieces beside the board that a side can still bring onto it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PiecesInHand {
    /// Whose they are: the index of a player.
    pub player: usize,
    /// What they are.
    pub kind: &'static str,
    /// How many there are.
    pub count: u8,
}

/// What is drawn of one position.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Scene {
    /// What stands on the board.
    pub pieces: Vec<Piece>,
    /// What is to be known of sites.
    pub marks: Vec<Mark>,
    /// What is to be known of ways between sites.
    pub arrows: Vec<Arrow>,
    /// The pieces beside the board, those that have all been brought onto it included, with a count of 0.
    pub hands: Vec<PiecesInHand>,
    /// The number of men that each side has lost, of those with which it starts a game.
    pub lost: [u32; 2],
}

/// How a wall turns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WallTurn {
    /// The site about which it turns.
    pub pivot: Site,
    /// Whether it turns clockwise; none if it can turn either way by the same angle.
    pub clockwise: Option<bool>,
    /// The angle, greater than 0 whichever way it turns.
    pub degrees: u16,
}

/// What a legal move does on the board.
///
/// The pieces after the move are those before, without the `removed` ones and those that are `moved`, together with the
/// `placed` ones and the `moved` ones where they go. A piece that becomes another kind is removed and placed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Details {
    /// Every piece that comes to stand on another site: from where to where.
    pub moved: Vec<[Site; 2]>,
    /// The pieces that leave the board, as they stood.
    pub removed: Vec<Piece>,
    /// The pieces that come onto the board.
    pub placed: Vec<Piece>,
    /// The sites over which a single man goes, its start first. Empty if no man moves, or several do.
    pub path: Vec<Site>,
    /// The sites of the pieces that the moving ones capture, in order.
    pub captured: Vec<Site>,
    /// The pieces of the opponent that are pushed: from where to where. They are also among the moved ones.
    pub pushed: Vec<[Site; 2]>,
    /// Whether a man is promoted; none in a game without promotion.
    pub promoted: Option<bool>,
    /// How a wall turns, if one does.
    pub turn: Option<WallTurn>,
}

/// The board of a game as front ends draw it. A game that no front end draws keeps the defaults: a board without sites.
pub trait Layout: Notation {
    /// What is drawn in every position.
    fn geometry(&self) -> Geometry {
        Geometry::default()
    }

    /// What is drawn of this position.
    fn scene(&self, position: &Self::Position) -> Scene {
        let _ = position;
        Scene::default()
    }

    /// Appends the sites that are clicked one after the other to make a legal move. No two legal moves of a position
    /// have the same clicks, but those of one may begin those of another.
    fn clicks(&self, position: &Self::Position, mv: Self::Move, sites: &mut Vec<Site>) {
        let _ = (position, mv, sites);
    }

    /// The text that clicks on these sites spell, be it that of a move or not: by default the ids one after the other.
    fn move_string_of_clicks(&self, position: &Self::Position, clicks: &[Site]) -> String {
        let _ = position;
        clicks.iter().map(Site::to_string).collect()
    }

    /// What a legal move does on the board.
    fn details(&self, position: &Self::Position, mv: Self::Move) -> Details {
        let _ = (position, mv);
        Details::default()
    }
}

/// The error of the first point in a text, if the board lacks its file or its rank.
pub fn off_board(game: &impl Layout, text: &str) -> Option<SyntaxError> {
    let first = |(column, (at, _))| Some((column, point_any_case(&text[at..]).ok()?.1));
    let (column, point): (usize, Point) = (1..).zip(text.char_indices()).find_map(first)?;
    let geometry = game.geometry();
    let sites = || geometry.sites.iter().map(|drawn| drawn.site.point);
    let files: BTreeSet<u8> = sites().map(|point| point.file).collect();
    let ranks: BTreeSet<u8> = sites().map(|point| point.rank).collect();
    let (column, expected) = if !files.contains(&point.file) {
        (column, format!("a file from {} to {}", letter(*files.first()?), letter(*files.last()?)))
    } else if !ranks.contains(&point.rank) {
        (column + 1, format!("a rank from {} to {}", ranks.first()? + 1, ranks.last()? + 1))
    } else {
        return None;
    };
    let rest: String = text.chars().skip(column - 1).collect();
    Some(SyntaxError { column, expected, found: FoundToken::Word(rest) })
}

/// A length without the digits that no picture shows.
pub fn rounded(length: f64) -> f64 {
    (length * 10_000.0).round() / 10_000.0
}

/// The path of a circle with this radius.
pub fn circle(radius: f64) -> String {
    format!("M-{radius} 0A{radius} {radius} 0 1 1 {radius} 0A{radius} {radius} 0 1 1 -{radius} 0Z")
}

/// The path of a rectangle with this width and height.
pub fn rectangle(width: f64, height: f64) -> String {
    let (x, y) = (width / 2.0, height / 2.0);
    polygon(&[[-x, -y], [x, -y], [x, y], [-x, y]])
}

/// The path of a polygon with these corners.
pub fn polygon(corners: &[[f64; 2]]) -> String {
    let corners: Vec<String> =
        corners.iter().map(|&[x, y]| format!("{} {}", rounded(x), rounded(y))).collect();
    format!("M{}Z", corners.join("L"))
}

/// The place of a point of a board on which the centres of neighbours lie so far apart.
pub fn centre(point: Point, pitch: f64) -> [f64; 2] {
    [pitch * f64::from(point.file), pitch * f64::from(point.rank)]
}

/// The labels of so many files below a board and of so many ranks at its left. They lie at this distance from the
/// [centres](centre) of the first ones.
pub fn labels(files: u8, ranks: u8, pitch: f64, distance: f64) -> Vec<(String, [f64; 2])> {
    let below =
        (0..files).map(|file| (letter(file).to_string(), [pitch * f64::from(file), -distance]));
    let left =
        (0..ranks).map(|rank| ((rank + 1).to_string(), [-distance, pitch * f64::from(rank)]));
    below.chain(left).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_of_sites_read_what_they_print() {
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
    fn paths_are_closed_about_the_centre() {
        assert_eq!(rectangle(1.0, 0.5), "M-0.5 -0.25L0.5 -0.25L0.5 0.25L-0.5 0.25Z");
        assert_eq!(circle(0.4), "M-0.4 0A0.4 0.4 0 1 1 0.4 0A0.4 0.4 0 1 1 -0.4 0Z");
    }
}
