//! The board of Quoridor as front ends draw it: squares, and the grooves between them in which walls stand.
//!
//! A pawn move is one click, on the square to which it leads. A wall is one click, too, on its site.

use pentarch_core::Point;
use pentarch_core::view::layout::{
    DrawnSite, Geometry, Layout, MoveEffect, Piece, PiecesInHand, Scene, Site, centre, labels,
    rectangle,
};

use super::Quoridor;
use super::board::Board;
use super::moves::Move;
use super::position::{Mover, Position};
use super::sets::Square;
use super::walls::{Direction, Wall, Walls};

/// The width of a groove.
const GROOVE: f64 = 0.25;
/// The distance between the centres of neighbouring squares.
const PITCH: f64 = 1.0 + GROOVE;

impl Layout for Quoridor {
    fn geometry(&self) -> Geometry {
        geometry(&self.board, &self.board.goals)
    }

    fn scene(&self, position: &Position) -> Scene {
        scene(position)
    }

    fn clicks(&self, _: &Position, mv: Move, sites: &mut Vec<Site>) {
        sites.push(click(mv));
    }

    fn details(&self, position: &Position, mv: Move) -> MoveEffect {
        details(position, mv)
    }
}

/// What is drawn of a position: the players' pawns, the walls that they have left, and the walls on the board.
pub fn scene<const PLAYERS: usize, M>(position: &Position<PLAYERS, M>) -> Scene {
    let pawn = |(player, pawn)| Piece { kind: "pawn", player: Some(player), site: site(pawn) };
    let hand = |(player, count)| PiecesInHand { player, kind: "wall", count };
    Scene {
        pieces: position
            .pawns
            .into_iter()
            .enumerate()
            .map(pawn)
            .chain(position.walls.iter().map(standing))
            .collect(),
        hands: position.walls_left.into_iter().enumerate().map(hand).collect(),
        ..Scene::default()
    }
}

/// The classes of the squares of each player's goal.
const GOALS: [&str; 4] =
    ["square goal-first", "square goal-second", "square goal-third", "square goal-fourth"];

/// What is drawn of a board in every position. `goals` are those of the players.
pub fn geometry(board: &Board, goals: &[u128]) -> Geometry {
    let size = board.size;
    let class = |point: Point| {
        let here = board.square(point).map_or(0, Square::bit);
        let mut classes = GOALS
            .into_iter()
            .zip(goals)
            .filter(|(_, goal)| *goal & here != 0)
            .map(|(class, _)| class);
        // Among four, a corner belongs to two goals.
        classes.next().filter(|_| classes.next().is_none()).unwrap_or("square")
    };
    let points = (0..size).flat_map(|file| (0..size).map(move |rank| Point::new(file, rank)));
    let square = |point: Point| {
        let (site, centre) = (point.into(), centre(point, PITCH));
        DrawnSite { site, centre, shape: "square", turn: 0, class: class(point) }
    };
    let walls = Walls { horizontal: board.posts, vertical: board.posts };
    let length = PITCH * f64::from(size - 1) + 1.0;
    Geometry {
        bounds: [-1.25, -1.25, length + 1.0, length + 1.0],
        sites: points.map(square).chain(walls.iter().map(drawn_groove)).collect(),
        // Grooves in the same direction do not overlap: a click on one names one wall.
        shapes: vec![("square", rectangle(1.0, 1.0)), ("groove", rectangle(PITCH, GROOVE))],
        kinds: vec![("pawn", pawn()), ("wall", rectangle(1.0 + PITCH, GROOVE * 0.8))],
        lines: Vec::new(),
        labels: labels(size, size, PITCH, 0.85),
    }
}

/// The site that is clicked to make a move.
pub fn click(mv: Move) -> Site {
    match mv {
        Move::Pawn(to) => site(to),
        Move::Wall(wall) => wall_site(wall),
    }
}

/// What a legal move does on the board.
pub fn details<const PLAYERS: usize, M: Mover>(
    position: &Position<PLAYERS, M>,
    mv: Move,
) -> MoveEffect {
    match mv {
        Move::Pawn(to) => {
            let step = [position.pawns[position.player()], to].map(site);
            MoveEffect { moved: vec![step], path: step.into(), ..MoveEffect::default() }
        }
        Move::Wall(wall) => MoveEffect { placed: vec![standing(wall)], ..MoveEffect::default() },
    }
}

fn drawn_groove(wall: Wall) -> DrawnSite {
    let [x, y] = centre(wall.post.point(), PITCH);
    let turn = match wall.direction {
        Direction::Horizontal => 0,
        Direction::Vertical => 90,
    };
    let centre = [x + PITCH / 2.0, y + PITCH / 2.0];
    DrawnSite { site: wall_site(wall), centre, shape: "groove", turn, class: "groove" }
}

/// The site of a square.
pub fn site(square: Square) -> Site {
    square.point().into()
}

/// The site of a wall.
pub fn wall_site(wall: Wall) -> Site {
    Site { point: wall.post.point(), letter: Some(wall.direction.letter()) }
}

/// A wall on the board, which belongs to nobody.
fn standing(wall: Wall) -> Piece {
    Piece { kind: "wall", player: None, site: wall_site(wall) }
}

/// The outline of a pawn: a head on a body that widens towards its base.
fn pawn() -> String {
    "M-0.26 -0.32L0.26 -0.32L0.26 -0.24Q0.1 -0.1 0.09 0.04A0.17 0.17 0 1 1 -0.09 0.04Q-0.1 -0.1 -0.26 -0.24Z".into()
}
