//! The evaluation of Quoridor: the race to the goal ranks round the walls, and the walls in hand.

use crate::core::{Evaluate, Side, Tension};

use super::Quoridor;
use super::board::STRIDE;
use super::moves::Move;
use super::paths::{Passages, Route};
use super::position::Position;
use super::walls::{Direction, Walls};

/// The promise of a pawn move that gets nearer to the goal.
const NEARER: i32 = 200;
/// The promise of a wall that makes the opponent's way longer.
const LENGTHENS: i32 = 150;
/// What a wall loses of its promise that makes one's own way longer.
const IN_OWN_WAY: i32 = -100;

/// What is known of a position beyond its men.
#[derive(Debug)]
pub struct Insight {
    open: Passages,
    /// How many steps either pawn is from its goal, the other pawn aside.
    way: [i32; 2],
    /// How many squares either pawn can reach in as many steps.
    area: [i32; 2],
}

impl Evaluate for Quoridor {
    type Insight = Insight;

    const BENCH: (u32, &'static [&'static str]) = (
        5,
        &[
            "e1e9 - w 10/10 1",
            "e4e6 d6he3h w 9/9 5",
            "d5e5 a1ha5vb6hc3hd6he3hf6hg3hg8h w 6/5 10",
            "f5f4 a1ha6va7hb2vb4hb6vb8hc2hc6he2he6hf5vf7hg2hg6hh1hh7h b 1/2 15",
            "a4h3 a1ha3va5va7hb2vb6hc3hc4vd6he3he5vf2hf6hg3hg4vg8hh2hh6h w 1/1 25",
        ],
    );
    /// Pawn moves, horizontal walls and vertical walls, each by file and rank.
    const SLOTS: usize = 3 * STRIDE as usize * STRIDE as usize;

    /// A wall placed well makes the other way a step or two longer, at times the own too; so a step counts more while
    /// the other side has none left to undo it.
    const WEIGHTS: &'static [(&'static str, i32)] = &[
        ("steps to the goal", -1000),
        ("steps times enemy walls", 41),
        ("straight to the goal", 159),
        ("squares within these steps", -65),
        ("walls left", 1895),
        ("a wall left", 1162),
        ("a second wall left", 1274),
        ("a fourth wall left", 1102),
        ("ahead, enemy without walls", 8520),
        ("ahead, nobody with walls", -3179),
        ("the move", 287),
    ];

    fn study(&self, position: &Position) -> Insight {
        let open = position.open(&self.board);
        let flood = |side: Side| {
            let flood = open.flood_to(position.pawn(side).bit(), self.board.goals[side.index()]);
            flood.map_or((0, 0), |(reached, steps)| (reached.count_ones() as i32, steps as i32))
        };
        let [(own, way), (other, other_way)] = Side::BOTH.map(flood);
        Insight { open, way: [way, other_way], area: [own, other] }
    }

    #[inline]
    fn parts(&self, position: &Position, insight: &Insight, mut part: impl FnMut([i32; 2])) {
        let walls = position.left.map(i32::from);
        let way = insight.way;
        part(way);
        part([way[0] * walls[1], way[1] * walls[0]]);
        let rank = |side: Side| position.pawn(side).point().rank;
        part(Side::BOTH.map(|side| i32::from(self.board.goal_rank(side).abs_diff(rank(side)))));
        part(insight.area);
        part(walls);
        [1, 2, 4].into_iter().for_each(|number| part(walls.map(|walls| i32::from(walls >= number))));
        let to_move = position.side.index();
        let ahead = if way[to_move] <= way[1 - to_move] { position.side } else { !position.side };
        part(ahead.only(i32::from(walls[(!ahead).index()] == 0)));
        part(ahead.only(i32::from(walls == [0; 2])));
        part(position.side.only(1));
    }

    fn tension(&self, _: &Position, _: &Insight) -> Tension {
        Tension::Quiet
    }

    fn promises<'a>(&'a self, position: &'a Position, insight: &'a Insight) -> impl Fn(Move) -> i32 + 'a {
        let [own, other] = [position.side, !position.side].map(|side| {
            let route = insight.open.route(position.pawn(side).bit(), self.board.goals[side.index()]);
            let longer = |route: Route| route.lengthening(&self.board, insight.open, side);
            (route.map_or(0, |route| route.nearer), route.map_or(Walls::NONE, longer))
        });
        move |mv| match mv {
            Move::Pawn(to) => NEARER * i32::from(own.0 & to.bit() != 0),
            Move::Wall(wall) => {
                LENGTHENS * i32::from(other.1.contains(wall)) + IN_OWN_WAY * i32::from(own.1.contains(wall))
            }
        }
    }

    fn slot(&self, mv: Move) -> usize {
        let (kind, square) = match mv {
            Move::Pawn(to) => (0, to),
            Move::Wall(wall) if wall.direction == Direction::Horizontal => (1, wall.post),
            Move::Wall(wall) => (2, wall.post),
        };
        kind * usize::from(STRIDE) * usize::from(STRIDE) + usize::from(square.0)
    }

    fn pass(&self, position: &Position) -> Option<Position> {
        Some(Position { side: !position.side, ..*position })
    }
}
