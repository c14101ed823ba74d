//! The errors of move strings and position strings that are well-formed but break a rule. Each
//! error lists the ids of the broken rules.

use std::fmt;

use pentarch_core::{Point, RuleError};
use thiserror::Error;

/// A point of the wrong kind in a string: for example, a tower where a square is needed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub(crate) enum WrongPointKind {
    /// The point is off the board.
    #[error("{point} is off the board")]
    OffBoard { point: Point },
    /// A knight is on a point that is not a square, or would step to such a point.
    #[error("{point} is a {kind}, not a square")]
    NotASquare {
        point: Point,
        /// The kind of the point.
        kind: &'static str,
    },
    /// A wall is on a point that is not a slot, or would turn to such a point.
    #[error("{point} is a {kind}, not a wall slot")]
    NotASlot {
        point: Point,
        /// The kind of the point.
        kind: &'static str,
    },
}

/// An obstacle to the turn of a wall.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WallTurnObstacle {
    /// A wall in this slot.
    Wall(Point),
    /// A knight on this square.
    Knight(Point),
}

impl fmt::Display for WallTurnObstacle {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            WallTurnObstacle::Wall(slot) => write!(f, "the wall in {slot}"),
            WallTurnObstacle::Knight(square) => write!(f, "the knight on {square}"),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub(crate) enum IllegalMove {
    /// A point of the wrong kind in the move string.
    #[error(transparent)]
    WrongPointKind(#[from] WrongPointKind),
    /// A step to the square on which the knight already is.
    #[error("the knight stands on {square} already")]
    NoStep { square: Point },
    /// A step to a square that is not a neighbour.
    #[error("a knight steps to a neighbouring square, and {to} is not next to {from}")]
    LongStep { from: Point, to: Point },
    /// A step through a wall.
    #[error("the wall in {slot} stands between {from} and {to}")]
    WallBetween { slot: Point, from: Point, to: Point },
    /// A step onto the other knight.
    #[error("the other knight stands on {square}")]
    OtherKnight {
        /// The square of the other knight.
        square: Point,
    },
    /// A turn of a wall from an empty slot.
    #[error("no wall stands in {slot}")]
    NoWall { slot: Point },
    /// A turn of a wall to its own slot.
    #[error("the wall stands in {slot} already")]
    NoTurn { slot: Point },
    /// A turn of the wall that the opponent has just moved.
    #[error("the wall in {slot} has just been moved there")]
    LastWall { slot: Point },
    /// A turn of a wall that shares a tower with the wall just moved by the opponent.
    #[error("the wall just moved to {last} stands on its tower {tower}")]
    BlockedTower {
        /// The slot of the wall that the opponent has just moved.
        last: Point,
        /// The tower that both walls share.
        tower: Point,
    },
    /// A turn between two slots that have no common tower.
    #[error("a wall turns about one of its towers, and {from} and {to} share none")]
    NoHinge { from: Point, to: Point },
    /// A turn into the slot of another wall.
    #[error("another wall stands in {slot}")]
    OccupiedSlot { slot: Point },
    /// A turn that meets obstacles in both directions.
    #[error(
        "turning about {hinge} meets {} clockwise, {} counter-clockwise",
        join_obstacles(clockwise),
        join_obstacles(counter_clockwise)
    )]
    BarredTurn {
        /// The tower about which the wall would turn.
        hinge: Point,
        /// The obstacles in the clockwise direction, at least one.
        clockwise: Vec<WallTurnObstacle>,
        /// The obstacles in the counter-clockwise direction, at least one.
        counter_clockwise: Vec<WallTurnObstacle>,
    },
    /// A turn that leaves the knight of the side to move without a step.
    #[error("it would trap the mover's own knight on {square}")]
    OwnTrap { square: Point },
}

impl RuleError for IllegalMove {
    fn broken_rule_ids(&self) -> &'static [&'static str] {
        match self {
            IllegalMove::WrongPointKind(WrongPointKind::OffBoard { .. }) => &["2.1"],
            IllegalMove::WrongPointKind(WrongPointKind::NotASquare { .. }) => &["6.3"],
            IllegalMove::WrongPointKind(WrongPointKind::NotASlot { .. }) => &["6.2"],
            IllegalMove::NoStep { .. } | IllegalMove::LongStep { .. } => &["3.3"],
            IllegalMove::WallBetween { .. } => &["3.4"],
            IllegalMove::OtherKnight { .. } => &["3.5"],
            IllegalMove::NoHinge { .. } => &["4.1"],
            IllegalMove::NoTurn { .. } => &["4.2"],
            IllegalMove::OccupiedSlot { .. } => &["4.3"],
            IllegalMove::BarredTurn { clockwise, counter_clockwise, .. } => {
                let is_knight =
                    |obstacle: &WallTurnObstacle| matches!(obstacle, WallTurnObstacle::Knight(_));
                let obstacles = || clockwise.iter().chain(counter_clockwise);
                if obstacles().all(is_knight) {
                    &["4.4"]
                } else if obstacles().any(is_knight) {
                    &["4.4", "4.5"]
                } else {
                    &["4.5"]
                }
            }
            IllegalMove::LastWall { .. } | IllegalMove::BlockedTower { .. } => &["4.8"],
            IllegalMove::OwnTrap { .. } => &["4.11"],
            IllegalMove::NoWall { .. } => &["6.2"],
        }
    }
}

/// A position string that does not fit the board, or whose position no game can reach.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub(crate) enum InvalidPosition {
    /// A point of the wrong kind in the position string.
    #[error(transparent)]
    WrongPointKind(#[from] WrongPointKind),
    /// The string has the wrong number of walls.
    #[error("expected {expected} walls, found {found}")]
    WallCount {
        /// The number of walls in the game.
        expected: usize,
        /// The number of walls in the string.
        found: usize,
    },
    /// The string lists a wall twice.
    #[error("the wall {slot} is listed twice")]
    DuplicateWall { slot: Point },
    /// The string lists two walls in the wrong order.
    #[error("the walls are not in ascending order: {second} after {first}")]
    UnsortedWalls {
        /// The slot of the wall that comes first in the string.
        first: Point,
        /// The slot of the next wall.
        second: Point,
    },
    /// Both knights are on one square.
    #[error("both knights stand on {square}")]
    SharedSquare {
        /// The square of both knights.
        square: Point,
    },
    /// The slot of the wall that was moved last is empty.
    #[error("the wall moved last, {slot}, is not one of the walls")]
    NoLastWall { slot: Point },
    /// The knight of the side that has just moved has no step. A side may not trap its own knight.
    #[error("the {side} knight, which has just moved, has no accessible square")]
    TrappedMover {
        /// The side that has just moved.
        side: &'static str,
    },
    /// The knight of the side to move is on the enemy fortress, so the game has already ended.
    #[error("the {side} knight stands on the enemy fortress, but it is {side}'s turn")]
    WinnerToMove {
        /// The side to move.
        side: &'static str,
    },
}

impl RuleError for InvalidPosition {
    fn broken_rule_ids(&self) -> &'static [&'static str] {
        match self {
            InvalidPosition::WrongPointKind(WrongPointKind::OffBoard { .. }) => &["2.1"],
            InvalidPosition::WrongPointKind(WrongPointKind::NotASquare { .. }) => &["2.2"],
            InvalidPosition::WrongPointKind(WrongPointKind::NotASlot { .. }) => &["2.4"],
            InvalidPosition::UnsortedWalls { .. } => &["6.8"],
            InvalidPosition::WallCount { .. }
            | InvalidPosition::DuplicateWall { .. }
            | InvalidPosition::SharedSquare { .. }
            | InvalidPosition::NoLastWall { .. } => &["6.9"],
            InvalidPosition::TrappedMover { .. } | InvalidPosition::WinnerToMove { .. } => {
                &["6.10"]
            }
        }
    }
}

/// Joins the obstacles with "and".
fn join_obstacles(obstacles: &[WallTurnObstacle]) -> String {
    obstacles.iter().map(WallTurnObstacle::to_string).collect::<Vec<_>>().join(" and ")
}
