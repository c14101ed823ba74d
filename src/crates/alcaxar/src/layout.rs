//! The board of Alcaxar as front ends draw it: squares, towers between them, and slots for walls.
//!
//! A knight move is one click, on the square that the knight reaches. A wall move is two clicks:
//! the wall's slot, then the new slot. Squares and slots are different sites, so the clicks of one
//! move are never the first clicks of another move.

use pentarch_core::view::layout::{
    BoardGeometry, BoardLayout, DrawnSite, MoveEffect, Piece, Scene, Site, SiteMark, WallRotation,
    board_labels, circle_svg_path, point_centre, rectangle_svg_path,
};
use pentarch_core::view::position_counts::LabelledCount;
use pentarch_core::{Point, Side};

use super::Alcaxar;
use super::board::{BOARD_SIZE, DIRECTION_OFFSETS, Square, WallSlot, WallTurn, iter_slots};
use super::moves::Move;
use super::position::{FORTRESS_SQUARES, Position};
use super::position_counts;

/// The distance between neighbouring points. Towers are one unit apart, with squares between them.
const POINT_SPACING: f64 = 0.5;
const WALL_WIDTH: f64 = 0.15;
const TOWER_RADIUS: f64 = 0.15;

impl BoardLayout for Alcaxar {
    fn board_geometry(&self) -> BoardGeometry {
        let points = (0..BOARD_SIZE)
            .flat_map(|file| (0..BOARD_SIZE).map(move |rank| Point::new(file, rank)));
        // The outline of a fortress is drawn above the squares and slots, but below the towers on
        // its corners.
        let layer = |site: &DrawnSite| match (site.class, site.shape) {
            ("square", _) => 0,
            ("slot", _) => 1,
            (_, "square") => 2,
            _ => 3,
        };
        let mut sites: Vec<DrawnSite> = points.map(drawn_site).collect();
        sites.sort_by_key(layer);
        let gap = 1.0 - WALL_WIDTH;
        BoardGeometry {
            bounds: [-0.6, -0.6, 4.9, 4.9],
            sites,
            shapes: vec![
                ("square", rectangle_svg_path(gap, gap)),
                ("slot", rectangle_svg_path(1.0 - 2.0 * TOWER_RADIUS, WALL_WIDTH)),
                ("tower", circle_svg_path(TOWER_RADIUS)),
            ],
            kinds: vec![
                ("knight", knight_outline()),
                ("wall", rectangle_svg_path(1.0 - 1.8 * TOWER_RADIUS, WALL_WIDTH)),
            ],
            emblems: vec![("knight", KNIGHT_EMBLEM_SVG_PATH.into())],
            lines: Vec::new(),
            labels: board_labels(BOARD_SIZE, BOARD_SIZE, POINT_SPACING, 0.4),
        }
    }

    /// Returns the pieces of a position, and marks the walls that may not move now as `blocked`.
    fn position_scene(&self, position: &Position) -> Scene {
        let knight =
            |side: Side| Piece::of_side(side, "knight", position.knight(side).point().into());
        let walls = iter_slots(position.walls).map(|slot| Piece {
            kind: "wall",
            player: None,
            site: slot.point().into(),
        });
        let blocked = iter_slots(position.walls & position.blocked_slots(&self.board));
        Scene {
            pieces: Side::BOTH_SIDES.map(knight).into_iter().chain(walls).collect(),
            marks: blocked
                .map(|slot| SiteMark { kind: "blocked", site: slot.point().into() })
                .collect(),
            ..Scene::default()
        }
    }

    fn append_move_clicks(&self, _: &Position, mv: Move, sites: &mut Vec<Site>) {
        match mv {
            Move::Knight(to) => sites.push(to.point().into()),
            Move::Wall { from, to } => {
                sites.extend([from, to].map(|slot| Site::from(slot.point())))
            }
        }
    }

    /// Returns the move string for these clicks. A single click on a square or tower is a knight
    /// step. A click on the knight to move, followed by a second click, is also a knight step.
    fn move_string_from_clicks(&self, position: &Position, clicks: &[Site]) -> String {
        let knight = Site::from(position.knight(position.side).point());
        match clicks {
            [site] if WallSlot::from_point(site.point).is_none() => format!("K{site}"),
            [from, to] if *from == knight => format!("K{to}"),
            _ => clicks.iter().map(Site::to_string).collect(),
        }
    }

    fn move_effect(&self, position: &Position, mv: Move) -> MoveEffect {
        match mv {
            Move::Knight(to) => {
                let step = [position.knight(position.side), to].map(|square| square.point().into());
                MoveEffect { moved: vec![step], path: step.into(), ..MoveEffect::default() }
            }
            Move::Wall { from, to } => {
                let turns = self.board.turns[usize::from(from.0)].iter();
                let turn = turns
                    .filter(|turn| turn.to == to)
                    .map(|turn| drawn_wall_turn(position, from, turn))
                    .next();
                let moved = vec![[from.point().into(), to.point().into()]];
                MoveEffect { moved, turn, ..MoveEffect::default() }
            }
        }
    }

    fn labelled_position_counts(&self, position: &Position) -> Vec<LabelledCount> {
        position_counts::labelled_position_counts(self, position)
    }
}

fn drawn_site(point: Point) -> DrawnSite {
    let fortress = Square::from_point(point)
        .and_then(|square| FORTRESS_SQUARES.iter().position(|&fortress| fortress == square));
    let (shape, class) = match (Square::from_point(point), WallSlot::from_point(point), fortress) {
        (_, _, Some(0)) => ("square", "square home-first"),
        (_, _, Some(_)) => ("square", "square home-second"),
        (Some(_), _, None) => ("square", "square"),
        (_, Some(_), _) => ("slot", "slot"),
        _ => ("tower", "tower"),
    };
    let is_vertical = WallSlot::from_point(point).is_some() && point.file.is_multiple_of(2);
    DrawnSite {
        site: point.into(),
        centre: point_centre(point, POINT_SPACING),
        shape,
        turn: if is_vertical { 90 } else { 0 },
        class,
    }
}

/// Returns the rotation to draw for a wall turn. The wall turns the shorter way if that way is
/// clear.
fn drawn_wall_turn(position: &Position, from: WallSlot, turn: &WallTurn) -> WallRotation {
    let direction = |slot: WallSlot| {
        DIRECTION_OFFSETS
            .iter()
            .position(|&(files, ranks)| turn.tower.offset_by(files, ranks) == Some(slot.point()))
            .unwrap_or(0)
    };
    // Directions are counted clockwise.
    let quarters = (4 + direction(turn.to) - direction(from)) % 4;
    let [is_clear, is_clear_back] =
        turn.sweeps.map(|sweep| sweep.is_clear(position.walls, position.knight_squares()));
    let clockwise = match quarters {
        2 if is_clear && is_clear_back => None,
        3 => Some(!is_clear_back),
        _ => Some(is_clear),
    };
    let quarters = if clockwise == Some(false) { 4 - quarters } else { quarters };
    WallRotation { pivot: turn.tower.into(), clockwise, degrees: 90 * quarters as u16 }
}

/// The eye and the mane of a knight.
const KNIGHT_EMBLEM_SVG_PATH: &str =
    "M-0.11 0.1L-0.08 0.11M0.03 0.2Q0.14 0.09 0.13 -0.06L0.12 -0.17";

/// Returns the outline of a knight: the head of a horse that looks to the left, on a base.
fn knight_outline() -> String {
    "M-0.22 -0.3L0.24 -0.3L0.24 -0.23L0.19 -0.2L0.21 -0.02L0.17 0.13L0.08 0.24L-0.01 0.28L-0.03 0.34\
     L-0.09 0.27L-0.16 0.17L-0.25 0.03L-0.28 -0.03L-0.25 -0.08L-0.19 -0.08L-0.12 -0.01L-0.05 0\
     L-0.15 -0.13L-0.18 -0.2L-0.22 -0.23Z"
        .into()
}
