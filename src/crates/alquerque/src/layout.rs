//! The board of Alquerque as front ends draw it: points, and the lines between them.
//!
//! The clicks of a move are the points of its text: that of the checker, then the point to which it steps or every
//! point on which it lands. A huff comes first, as a click on the huffed checker; if the huff ends the game, it is the
//! only click. Only if a capture may stop early (`MultiCapture stop`) can the clicks of one move be the beginning of
//! those of another.

use pentarch_core::view::layout::{
    Arrow, DrawnSite, Geometry, Layout, Mark, MoveEffect, Piece, Scene, Site, centre, circle,
    labels,
};
use pentarch_core::{Point, Side};

use super::board::{ALL, Direction, SIZE, Spot, spots};
use super::moves::Move;
use super::notation::{MEN, bans};
use super::position::Position;
use super::rules::Alquerque;

impl Layout for Alquerque {
    fn geometry(&self) -> Geometry {
        // Half of the directions give every line once.
        let lines = Direction::ALL.into_iter().take(4).flat_map(|direction| {
            spots(direction.lines()).map(move |spot| {
                let end = Spot::of(direction.ahead(spot.bit()));
                let ([x, y], [to_x, to_y]) = (centre(spot.point(), 1.0), centre(end.point(), 1.0));
                [x, y, to_x, to_y]
            })
        });
        let size = f64::from(SIZE);
        Geometry {
            bounds: [-1.0, -1.0, size + 0.5, size + 0.5],
            sites: spots(ALL).map(drawn).collect(),
            shapes: vec![("point", circle(0.12))],
            kinds: vec![("checker", circle(0.36))],
            lines: lines.collect(),
            labels: labels(SIZE, SIZE, 1.0, 0.75),
        }
    }

    /// An enemy checker that may be huffed is marked `huff`, one that never steps again `spent`. A step that would take
    /// a move back is `forbidden`. A huffed checker is lost like a captured one.
    fn scene(&self, position: &Position) -> Scene {
        let men = |side: Side| {
            spots(position.men[side.index()])
                .map(move |spot| Piece::of_side(side, "checker", site(spot)))
        };
        let marks = |kind, set| spots(set).map(move |spot| Mark { kind, site: site(spot) });
        let arrow = |(from, to)| Arrow { kind: "forbidden", from: site(from), to: site(to) };
        Scene {
            pieces: Side::BOTH.into_iter().flat_map(men).collect(),
            marks: marks("huff", position.huff).chain(marks("spent", position.spent)).collect(),
            arrows: bans(position).map(arrow).collect(),
            lost: position.men.map(|men| MEN - men.count_ones()),
            ..Scene::default()
        }
    }

    fn clicks(&self, _: &Position, mv: Move, sites: &mut Vec<Site>) {
        sites.extend(mv.huffed.into_iter().chain(mv.points()).map(site));
    }

    /// If a huff is due, a first click that is not on an own checker is read as the huff.
    fn move_string_of_clicks(&self, position: &Position, clicks: &[Site]) -> String {
        let is_own =
            |site: &Site| Spot::at(site.point).is_some_and(|spot| position.own() & spot.bit() != 0);
        let huffs = position.huff != 0 && clicks.first().is_some_and(|first| !is_own(first));
        let ids: String = clicks.iter().map(Site::to_string).collect();
        if huffs { format!("h{ids}") } else { ids }
    }

    fn details(&self, position: &Position, mv: Move) -> MoveEffect {
        let path: Vec<Spot> = mv.points().collect();
        let mut captured: Vec<Site> = Vec::new();
        for leg in path.windows(2).filter(|_| !mv.is_step()) {
            let [from, to] = [leg[0].point(), leg[1].point()];
            let over = Point::new(from.file.midpoint(to.file), from.rank.midpoint(to.rank)).into();
            if !captured.contains(&over) {
                captured.push(over);
            }
        }
        let huffed = mv.huffed.map(site);
        let lost = huffed.into_iter().chain(captured.iter().copied());
        let ends = path.first().zip(path.last()).filter(|(from, to)| from != to);
        MoveEffect {
            moved: ends.map(|(&from, &to)| [site(from), site(to)]).into_iter().collect(),
            removed: lost.map(|site| Piece::of_side(!position.side, "checker", site)).collect(),
            path: path.into_iter().map(site).collect(),
            captured,
            ..MoveEffect::default()
        }
    }
}

fn site(spot: Spot) -> Site {
    spot.point().into()
}

fn drawn(spot: Spot) -> DrawnSite {
    let Point { file, rank } = spot.point();
    let class = if (file + rank).is_multiple_of(2) { "point diagonal" } else { "point" };
    DrawnSite {
        site: site(spot),
        centre: centre(spot.point(), 1.0),
        shape: "point",
        turn: 0,
        class,
    }
}
