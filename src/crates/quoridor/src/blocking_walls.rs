//! Which walls would part a pawn from its goal, for all walls at once and without a flood for each.
//!
//! Some passages between squares are closed. Every passage lies across one edge between two posts, or between a post
//! and the rim; draw the edges of the closed ones. The rim is drawn too, as one more vertex that is as long as three
//! sides of the board: at the goal rank of the pawn the board is open, and all that lies beyond is its goal. The
//! plane falls into faces, and the pawn can reach its goal exactly if both lie in the same one, that is, if no *loop*
//! of edges goes round one of them and not round the other.
//!
//! Let there be such a path from the pawn to its goal. A loop parts the two exactly if the path crosses it an odd
//! number of times (Jordan's curve theorem), and what is closed already the path never crosses. So a wall that is put
//! up besides parts them exactly if it completes a loop that the path crosses once, at the wall itself. A wall is two
//! edges, which lead through three points: its start, its middle and its end, each a post or the rim. A loop can take
//!
//! - the first edge, if start and middle are connected already: it is crossed if the path crosses the first edge;
//! - the second edge, if middle and end are connected: it is crossed if the path crosses the second edge;
//! - both, if start and end are connected: it is crossed an odd number of times if the path crosses one edge of the
//!   two.
//!
//! Two points are connected if they are in one component of the drawing. There are few of them: each is found by one
//! flood over posts, and shifts tell for all walls which of their points are in it. Most need not even be found. In a
//! component that lies on one straight line, two points of a wall can be connected only by edges of this very wall,
//! which are closed then, and the path does not cross them. So a flood is due only from the rim and from *corners*,
//! posts that edges of both directions meet.
//!
//! This is used twice. With the passages closed that walls close, the walls that part a pawn from its goal are those
//! that the rules forbid. With all passages closed that are on no shortest path, they are those that make the path
//! longer.

use pentarch_core::Side;

use super::board::{Board, EdgePosts};
use super::square_sets::{Passages, STRIDE};
use super::walls::Walls;

/// The loops that walls complete, each wall taken for itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LoopClosingWalls {
    /// The walls whose start and middle are connected.
    first: Walls,
    /// The walls whose middle and end are connected.
    second: Walls,
    /// The walls whose start and end are connected.
    both: Walls,
}

impl LoopClosingWalls {
    /// The loops that matter to the pawns of these sides, when these passages are closed.
    pub fn of<const N: usize>(board: &Board, closed: Passages, sides: [Side; N]) -> [LoopClosingWalls; N] {
        let [start, end] =
            [closed, Passages { north: closed.north >> STRIDE, east: closed.east >> 1 }];
        let joints = Passages {
            north: board.post_links.north & end.east,
            east: board.post_links.east & end.north,
        };
        let edge_posts = board.edge_posts;
        let beside = joints.reachable_from(edge_posts.west & start.north | edge_posts.east & end.north);
        let anchored = sides.map(|side| {
            let behind = match side {
                Side::First => edge_posts.south & start.east,
                Side::Second => edge_posts.north & end.east,
            };
            joints.reachable_from(beside | behind)
        });
        let mut afloat = LoopClosingWalls::for_component(0, EdgePosts::NONE);
        let corners = (joints.north | joints.north << 1) & (joints.east | joints.east << STRIDE);
        let mut rest = corners & !anchored.iter().fold(!0, |all, posts| all & posts);
        while rest != 0 {
            let component = joints.reachable_from(rest & rest.wrapping_neg());
            afloat = afloat.or(LoopClosingWalls::for_component(component, EdgePosts::NONE));
            rest &= !component;
        }
        let mut anchored = anchored.into_iter();
        sides.map(|side| {
            LoopClosingWalls::for_component(anchored.next().unwrap_or(0), board.edge_posts_for(side)).or(afloat)
        })
    }

    /// The loops that could be at most, if any edges join these posts and the rim.
    pub fn upper_bound(board: &Board, posts: u128) -> LoopClosingWalls {
        LoopClosingWalls::for_component(posts & board.posts, board.edge_posts)
    }

    /// The loops that a component of posts closes, together with this rim.
    fn for_component(posts: u128, edge_posts: EdgePosts) -> LoopClosingWalls {
        let start =
            Walls { horizontal: posts << STRIDE | edge_posts.west, vertical: posts << 1 | edge_posts.south };
        let end =
            Walls { horizontal: posts >> STRIDE | edge_posts.east, vertical: posts >> 1 | edge_posts.north };
        let middle = Walls { horizontal: posts, vertical: posts };
        LoopClosingWalls { first: start & middle, second: middle & end, both: start & end }
    }

    fn or(self, other: LoopClosingWalls) -> LoopClosingWalls {
        LoopClosingWalls {
            first: self.first | other.first,
            second: self.second | other.second,
            both: self.both | other.both,
        }
    }

    /// All walls that complete a loop, whether it parts anything or not.
    pub fn all(self) -> Walls {
        self.first | self.second | self.both
    }

    /// The walls that part the pawn from its goal: `path` is any path between the two through passages that are open.
    pub fn separating_walls(self, path: Passages) -> Walls {
        let first = Walls { horizontal: path.north, vertical: path.east };
        let second = Walls { horizontal: path.north >> STRIDE, vertical: path.east >> 1 };
        let one = first.difference(second) | second.difference(first);
        self.first & first | self.second & second | self.both & one
    }
}
