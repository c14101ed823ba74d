//! The board of Alquerque as front ends draw it: points, and the lines between them.
//!
//! The clicks of a move are the points of its string. The first click is the point of the checker.
//! The next clicks are the target of a step, or each landing point of a capture. A huff comes
//! first, as a click on the huffed checker. If the huff ends the game, the click on the huffed
//! checker is the only click. The clicks of one move can be the beginning of another move's clicks
//! only if a capture may stop early (`MultiCapture stop`).

use pentarch_core::view::layout::{
    Arrow, BoardGeometry, BoardLayout, DrawnSite, MoveEffect, Piece, PieceCount, Scene, Site,
    SiteMark, board_labels, circle_svg_path, point_centre,
};
use pentarch_core::view::position_counts::LabelledCount;
use pentarch_core::{Point, Side};

use super::board::{ALL_POINTS, BOARD_SIZE, BoardPoint, Direction, iter_points_of_set};
use super::moves::Move;
use super::notation::{MAX_CHECKERS_PER_SIDE, forbidden_steps};
use super::position::Position;
use super::position_counts;
use super::rules::Alquerque;

impl BoardLayout for Alquerque {
    fn board_geometry(&self) -> BoardGeometry {
        let mut lines = Vec::new();
        // Four of the eight directions suffice, because the opposite directions yield the same
        // lines.
        for &direction in &Direction::ALL[..4] {
            for start in iter_points_of_set(direction.line_start_points()) {
                let end = BoardPoint::from_lowest_bit(direction.shift_set(start.bit()));
                let [x, y] = point_centre(start.coordinates(), 1.0);
                let [to_x, to_y] = point_centre(end.coordinates(), 1.0);
                lines.push([x, y, to_x, to_y]);
            }
        }
        let size = f64::from(BOARD_SIZE);
        BoardGeometry {
            bounds: [-1.0, -1.0, size + 0.5, size + 0.5],
            sites: iter_points_of_set(ALL_POINTS).map(drawn_site).collect(),
            shapes: vec![("point", circle_svg_path(0.12))],
            kinds: vec![("checker", circle_svg_path(0.36))],
            emblems: vec![("checker", circle_svg_path(0.22))],
            lines,
            labels: board_labels(BOARD_SIZE, BOARD_SIZE, 1.0, 0.75),
        }
    }

    /// Returns the scene of a position. The mark `huff` shows an enemy checker that may be huffed,
    /// and `spent` a checker that never steps again. A `forbidden` arrow shows a step that would
    /// take a move back. A huffed checker is shown as lost, like a captured checker.
    fn position_scene(&self, position: &Position) -> Scene {
        let mut pieces = Vec::new();
        for side in Side::BOTH_SIDES {
            let checkers = iter_points_of_set(position.checkers[side.index()]);
            pieces.extend(checkers.map(|point| Piece::of_side(side, "checker", point_site(point))));
        }
        let marks = |kind, set| {
            iter_points_of_set(set).map(move |point| SiteMark { kind, site: point_site(point) })
        };
        let arrows = forbidden_steps(position).map(|step| Arrow {
            kind: "forbidden",
            from: point_site(step.from),
            to: point_site(step.to),
        });
        let lost = [0, 1].map(|player| PieceCount {
            player,
            kind: "checker",
            count: (MAX_CHECKERS_PER_SIDE - position.checkers[player].count_ones()) as u8,
        });
        Scene {
            pieces,
            marks: marks("huff", position.huff).chain(marks("spent", position.spent)).collect(),
            arrows: arrows.collect(),
            lost: lost.into(),
            ..Scene::default()
        }
    }

    fn append_move_clicks(&self, _: &Position, mv: Move, sites: &mut Vec<Site>) {
        sites.extend(mv.huffed.into_iter().chain(mv.visited_points()).map(point_site));
    }

    /// Returns the move string of the clicks. If a huff is due, a first click that is not on an own
    /// checker is the huff.
    fn move_string_from_clicks(&self, position: &Position, clicks: &[Site]) -> String {
        let ids: String = clicks.iter().map(Site::to_string).collect();
        let Some(first) = clicks.first().filter(|_| position.huff != 0) else { return ids };
        let first = BoardPoint::from_coordinates(first.point).map_or(0, BoardPoint::bit);
        if position.own_checkers() & first == 0 { format!("h{ids}") } else { ids }
    }

    fn move_effect(&self, position: &Position, mv: Move) -> MoveEffect {
        let path: Vec<BoardPoint> = mv.visited_points().collect();
        let mut captured: Vec<Site> = Vec::new();
        for jump in path.windows(2).filter(|_| !mv.is_step()) {
            let [from, to] = [jump[0].coordinates(), jump[1].coordinates()];
            let over = Point::new(from.file.midpoint(to.file), from.rank.midpoint(to.rank)).into();
            if !captured.contains(&over) {
                captured.push(over);
            }
        }
        let huffed = mv.huffed.map(point_site);
        let lost = huffed.into_iter().chain(captured.iter().copied());
        let ends = path.first().zip(path.last()).filter(|(from, to)| from != to);
        MoveEffect {
            moved: ends
                .map(|(&from, &to)| [point_site(from), point_site(to)])
                .into_iter()
                .collect(),
            removed: lost.map(|site| Piece::of_side(!position.side, "checker", site)).collect(),
            path: path.into_iter().map(point_site).collect(),
            captured,
            ..MoveEffect::default()
        }
    }

    fn labelled_position_counts(&self, position: &Position) -> Vec<LabelledCount> {
        position_counts::labelled_position_counts(self, position)
    }
}

pub(crate) fn point_site(point: BoardPoint) -> Site {
    point.coordinates().into()
}

fn drawn_site(point: BoardPoint) -> DrawnSite {
    let Point { file, rank } = point.coordinates();
    let class = if (file + rank).is_multiple_of(2) { "point diagonal" } else { "point" };
    DrawnSite {
        site: point_site(point),
        centre: point_centre(point.coordinates(), 1.0),
        shape: "point",
        turn: 0,
        class,
    }
}
