//! Finds the walls that would separate a pawn from its goal. This module finds all these walls at
//! once, without a flood for each wall.
//!
//! Some passages between squares are closed. Each passage crosses one edge between two posts, or
//! between a post and the rim of the board. Draw the edges of the closed passages. Also draw the
//! rim, as one more vertex that covers three sides of the board. The fourth side, at the pawn's
//! goal rank, is open, and everything beyond this side is the goal. The drawing divides the plane
//! into faces. The pawn can reach its goal if and only if the pawn and the goal are in the same
//! face. The pawn and the goal are in different faces if and only if a *loop* of edges encloses
//! exactly one of the two.
//!
//! Assume that a path leads from the pawn to its goal. A loop separates the pawn from its goal if
//! and only if the path crosses the loop an odd number of times (Jordan curve theorem). The path
//! never crosses a closed passage. So a new wall separates the pawn from its goal if and only if
//! the wall completes a loop that the path crosses exactly once. The path crosses this loop at the
//! wall itself.
//!
//! A wall is two edges that connect three points: its start, its middle and its end. Each point is
//! a post or the rim. A loop can contain
//!
//! - the first edge, if start and middle are already connected. The path crosses the loop if it
//!   crosses the first edge.
//! - the second edge, if middle and end are already connected. The path crosses the loop if it
//!   crosses the second edge.
//! - both edges, if start and end are already connected. The path crosses the loop an odd number of
//!   times if it crosses exactly one of the two edges.
//!
//! Two points are connected if they are in one component of the drawing. There are few components.
//! One flood over posts finds a component. Shifts then test all walls at once for points in this
//! component.
//!
//! Most components can be skipped. In a component on one straight line, only a wall's own edges can
//! connect two points of the wall. These edges are already closed, so the path does not cross them.
//! So only the rim and the *corners* need a flood. A corner is a post where edges of both
//! directions meet.
//!
//! The search has two uses:
//!
//! - If the closed passages are those closed by walls, the rules forbid the walls that separate a
//!   pawn from its goal.
//! - If all passages are closed except those on shortest paths, the separating walls are the walls
//!   that lengthen the shortest path.

use pentarch_core::Side;

use super::board::{Board, EdgePosts};
use super::square_sets::{FILE_STRIDE, PassageSet};
use super::walls::Walls;

/// The walls that complete a loop by themselves, without other new walls. The walls are grouped by
/// their edges that are in the loop. Each wall has a start, a middle and an end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LoopClosingWalls {
    /// The walls whose start and middle are already connected, so that the first edge completes a
    /// loop.
    by_first_edge: Walls,
    /// The walls whose middle and end are already connected, so that the second edge completes a
    /// loop.
    by_second_edge: Walls,
    /// The walls whose start and end are already connected, so that both edges together complete a
    /// loop.
    by_both_edges: Walls,
}

impl LoopClosingWalls {
    /// Returns, for each of these sides, the walls that complete a loop while the passages in
    /// `closed` are closed. The result may omit walls whose loops cannot separate the side's pawn
    /// from its goal.
    pub(crate) fn find<const N: usize>(
        board: &Board,
        closed: PassageSet,
        sides: [Side; N],
    ) -> [LoopClosingWalls; N] {
        let [start, end] =
            [closed, PassageSet { north: closed.north >> FILE_STRIDE, east: closed.east >> 1 }];
        let links = PassageSet {
            north: board.post_links.north & end.east,
            east: board.post_links.east & end.north,
        };
        // The components that contain the rim: one for each side.
        let edge_posts = board.edge_posts;
        let linked_to_west_or_east =
            links.reachable_from(edge_posts.west & start.north | edge_posts.east & end.north);
        let connected_to_edge = sides.map(|side| {
            let back_edge_posts = match side {
                Side::First => edge_posts.south & start.east,
                Side::Second => edge_posts.north & end.east,
            };
            links.reachable_from(linked_to_west_or_east | back_edge_posts)
        });
        // The other components that have a corner.
        let mut inner = LoopClosingWalls::for_component(0, EdgePosts::EMPTY);
        let corners = (links.north | links.north << 1) & (links.east | links.east << FILE_STRIDE);
        let mut unvisited = corners & !connected_to_edge.iter().fold(!0, |all, posts| all & posts);
        while unvisited != 0 {
            let component = links.reachable_from(unvisited & unvisited.wrapping_neg());
            inner = inner.union(LoopClosingWalls::for_component(component, EdgePosts::EMPTY));
            unvisited &= !component;
        }
        let mut connected_to_edge = connected_to_edge.into_iter();
        sides.map(|side| {
            LoopClosingWalls::for_component(
                connected_to_edge.next().unwrap_or(0),
                board.edge_posts_except_goal(side),
            )
            .union(inner)
        })
    }

    /// Returns the walls that could complete a loop if edges connected all these posts and the rim.
    /// Whichever edges actually connect these points, the result contains all walls that complete a
    /// loop.
    pub(crate) fn superset_for_posts(board: &Board, posts: u128) -> LoopClosingWalls {
        LoopClosingWalls::for_component(posts & board.posts, board.edge_posts)
    }

    /// Returns the walls that complete a loop through one component of the drawing. The component
    /// consists of `posts`, and of the edges of the board next to the posts in `edge_posts`.
    fn for_component(posts: u128, edge_posts: EdgePosts) -> LoopClosingWalls {
        let start = Walls {
            horizontal: posts << FILE_STRIDE | edge_posts.west,
            vertical: posts << 1 | edge_posts.south,
        };
        let end = Walls {
            horizontal: posts >> FILE_STRIDE | edge_posts.east,
            vertical: posts >> 1 | edge_posts.north,
        };
        let middle = Walls { horizontal: posts, vertical: posts };
        LoopClosingWalls {
            by_first_edge: start & middle,
            by_second_edge: middle & end,
            by_both_edges: start & end,
        }
    }

    fn union(self, other: LoopClosingWalls) -> LoopClosingWalls {
        LoopClosingWalls {
            by_first_edge: self.by_first_edge | other.by_first_edge,
            by_second_edge: self.by_second_edge | other.by_second_edge,
            by_both_edges: self.by_both_edges | other.by_both_edges,
        }
    }

    /// Returns all walls that complete a loop, even if the loop separates nothing.
    pub(crate) fn all_walls(self) -> Walls {
        self.by_first_edge | self.by_second_edge | self.by_both_edges
    }

    /// Returns the walls that separate a pawn from its goal. `path` is any path from this pawn to
    /// the goal through open passages.
    pub(crate) fn separating_walls(self, path: PassageSet) -> Walls {
        let first = Walls { horizontal: path.north, vertical: path.east };
        let second = Walls { horizontal: path.north >> FILE_STRIDE, vertical: path.east >> 1 };
        let exactly_one = first.difference(second) | second.difference(first);
        self.by_first_edge & first | self.by_second_edge & second | self.by_both_edges & exactly_one
    }
}
