//! The board of Quoridor as front ends draw it: squares, and the grooves between them for the
//! walls.
//!
//! Every move is one click. A pawn move is a click on its target square, and a wall is a click on
//! its site.

use pentarch_core::Point;
use pentarch_core::view::layout::{
    BoardGeometry, BoardLayout, DrawnSite, MoveEffect, Piece, PieceCount, Scene, Site,
    board_labels, point_centre, rectangle_svg_path,
};
use pentarch_core::view::position_counts::{LabelledCount, RaceCountLabel};

use super::Quoridor;
use super::board::Board;
use super::moves::Move;
use super::position::{PlayerToMove, Position};
use super::position_counts::{STEPS_LABEL, labelled_position_counts};
use super::square_sets::Square;
use super::walls::{Wall, WallDirection, Walls};

const GROOVE_WIDTH: f64 = 0.25;
/// The outline of a pawn: a head on a body that widens towards its base.
const PAWN_SVG_PATH: &str = "M-0.34 -0.42L0.34 -0.42L0.34 -0.31Q0.14 -0.16 0.12 0.03\
     A0.22 0.22 0 1 1 -0.12 0.03Q-0.14 -0.16 -0.34 -0.31Z";
/// The collar of a pawn.
const PAWN_COLLAR_SVG_PATH: &str = "M-0.2 -0.03L0.2 -0.03L0.16 0.05L-0.16 0.05Z";
/// The distance between the centres of neighbouring squares.
const SQUARE_SPACING: f64 = 1.0 + GROOVE_WIDTH;

impl BoardLayout for Quoridor {
    fn board_geometry(&self) -> BoardGeometry {
        board_geometry(&self.board, &self.board.goals)
    }

    fn position_scene(&self, position: &Position) -> Scene {
        position_scene(position)
    }

    fn append_move_clicks(&self, _: &Position, mv: Move, sites: &mut Vec<Site>) {
        sites.push(move_site(mv));
    }

    fn ownerless_placement_site(&self, mv: Move) -> Option<Site> {
        placed_wall_site(mv)
    }

    fn move_effect(&self, position: &Position, mv: Move) -> MoveEffect {
        move_effect(position, mv)
    }

    const RACE_COUNT_LABEL: Option<RaceCountLabel> =
        Some(RaceCountLabel { label: STEPS_LABEL, unit: "step" });

    fn labelled_position_counts(&self, position: &Position) -> Vec<LabelledCount> {
        labelled_position_counts(&self.board, &self.board.goals, position)
    }
}

/// Returns the pieces of a position: the pawns, the walls in hand, and the walls on the board.
pub(crate) fn position_scene<const PLAYERS: usize, M>(position: &Position<PLAYERS, M>) -> Scene {
    let mut pieces = Vec::new();
    for (player, &pawn) in position.pawns.iter().enumerate() {
        pieces.push(Piece { kind: "pawn", player: Some(player), site: site_of_square(pawn) });
    }
    pieces.extend(position.walls.iter().map(|wall| wall_piece(wall, None)));
    let mut hands = Vec::new();
    for (player, &count) in position.walls_left.iter().enumerate() {
        hands.push(PieceCount { player, kind: "wall", count });
    }
    Scene { pieces, hands, ..Scene::default() }
}

/// The class names with which a front end draws the goal squares of each player.
const GOAL_SQUARE_CSS_CLASSES: [&str; 4] =
    ["square goal-first", "square goal-second", "square goal-third", "square goal-fourth"];

/// Returns the drawing of the empty board. `goals` are the goals of the players.
pub(crate) fn board_geometry(board: &Board, goals: &[u128]) -> BoardGeometry {
    let size = board.size;
    let square_class = |point: Point| {
        let here = board.square_at(point).map_or(0, Square::bit);
        let mut classes = GOAL_SQUARE_CSS_CLASSES
            .into_iter()
            .zip(goals)
            .filter(|(_, goal)| *goal & here != 0)
            .map(|(class, _)| class);
        // With four players, each corner belongs to the goals of two players. It is drawn as an
        // ordinary square.
        classes.next().filter(|_| classes.next().is_none()).unwrap_or("square")
    };
    let points = (0..size).flat_map(|file| (0..size).map(move |rank| Point::new(file, rank)));
    let square_site = |point: Point| DrawnSite {
        site: point.into(),
        centre: point_centre(point, SQUARE_SPACING),
        shape: "square",
        turn: 0,
        class: square_class(point),
    };
    let walls = Walls { horizontal: board.posts, vertical: board.posts };
    let length = SQUARE_SPACING * f64::from(size - 1) + 1.0;
    BoardGeometry {
        bounds: [-1.25, -1.25, length + 1.0, length + 1.0],
        sites: points.map(square_site).chain(walls.iter().map(drawn_groove)).collect(),
        // Grooves in the same direction do not overlap, so a click on a groove identifies one wall.
        shapes: vec![
            ("square", rectangle_svg_path(1.0, 1.0)),
            ("groove", rectangle_svg_path(SQUARE_SPACING, GROOVE_WIDTH)),
        ],
        kinds: vec![
            ("pawn", PAWN_SVG_PATH.into()),
            ("wall", rectangle_svg_path(1.0 + SQUARE_SPACING, GROOVE_WIDTH * 0.8)),
        ],
        emblems: vec![("pawn", PAWN_COLLAR_SVG_PATH.into())],
        lines: Vec::new(),
        labels: board_labels(size, size, SQUARE_SPACING, 0.85),
    }
}

/// Returns the site that a player clicks to make a move.
pub(crate) fn move_site(mv: Move) -> Site {
    match mv {
        Move::Pawn(to) => site_of_square(to),
        Move::Wall(wall) => wall_site(wall),
    }
}

/// Returns the effects of a legal move: the moved pawn or the placed wall.
pub(crate) fn move_effect<const PLAYERS: usize, M: PlayerToMove>(
    position: &Position<PLAYERS, M>,
    mv: Move,
) -> MoveEffect {
    match mv {
        Move::Pawn(to) => {
            let step = [position.pawns[position.player_index()], to].map(site_of_square);
            MoveEffect { moved: vec![step], path: step.into(), ..MoveEffect::default() }
        }
        Move::Wall(wall) => MoveEffect {
            placed: vec![wall_piece(wall, Some(position.player_index()))],
            ..MoveEffect::default()
        },
    }
}

fn drawn_groove(wall: Wall) -> DrawnSite {
    let [x, y] = point_centre(wall.post.point(), SQUARE_SPACING);
    let turn = match wall.direction {
        WallDirection::Horizontal => 0,
        WallDirection::Vertical => 90,
    };
    let centre = [x + SQUARE_SPACING / 2.0, y + SQUARE_SPACING / 2.0];
    DrawnSite { site: wall_site(wall), centre, shape: "groove", turn, class: "groove" }
}

pub(crate) fn site_of_square(square: Square) -> Site {
    square.point().into()
}

pub(crate) fn wall_site(wall: Wall) -> Site {
    Site { point: wall.post.point(), letter: Some(wall.direction.letter()) }
}

/// Returns a wall as a piece. Positions do not store which player placed a wall, because the rules
/// do not depend on this player.
fn wall_piece(wall: Wall, player: Option<usize>) -> Piece {
    Piece { kind: "wall", player, site: wall_site(wall) }
}

/// Returns the site of the wall that a move places.
pub(crate) fn placed_wall_site(mv: Move) -> Option<Site> {
    match mv {
        Move::Pawn(_) => None,
        Move::Wall(wall) => Some(wall_site(wall)),
    }
}
