//! The errors of move strings and position strings that are well-formed but break a rule. Each
//! error contains the details and the ids of the broken rules.

use std::fmt;

use pentarch_core::notation::piece_placement::PlacementShapeError;
use pentarch_core::{Point, RuleError};
use thiserror::Error;

use super::position::SOLDIERS_PER_SIDE;

/// A piece and its side, as in `a white soldier` and `the black castle`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NamedPiece {
    /// A soldier of the side with this name.
    Soldier(&'static str),
    /// The castle of the side with this name.
    Castle(&'static str),
}

impl fmt::Display for NamedPiece {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            NamedPiece::Soldier(side) => write!(f, "a {side} soldier"),
            NamedPiece::Castle(side) => write!(f, "the {side} castle"),
        }
    }
}

/// A piece on its cell, as in `a white soldier stands on d4`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Occupant {
    /// The piece on the cell.
    pub piece: NamedPiece,
    /// The cell of the piece.
    pub cell: Point,
}

impl fmt::Display for Occupant {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Occupant { piece, cell } = self;
        write!(f, "{piece} stands on {cell}")
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub(crate) enum IllegalMove {
    /// The string names a point that is not a cell.
    #[error("the board has no cell {point}")]
    OffBoard { point: Point },
    /// The string is a move of soldiers, and the side to move has soldiers in reserve.
    #[error("{side} must drop a soldier while it has any in reserve ({reserve} now)")]
    MoveBeforeLastDrop {
        /// The side to move.
        side: &'static str,
        /// The number of soldiers that the side to move has in reserve.
        reserve: u8,
    },
    /// The string is a drop, and the side to move has no soldier in reserve.
    #[error("{side} has no soldier in reserve to drop on {cell}")]
    EmptyReserve {
        /// The side to move.
        side: &'static str,
        cell: Point,
    },
    /// A drop on a cell that is not empty.
    #[error("a soldier is dropped on an empty cell, and {0}")]
    OccupiedDrop(Occupant),
    /// A drop on a red cell.
    #[error("{cell} is red, and soldiers cannot be dropped on red cells")]
    RedDrop { cell: Point },
    /// A drop on a cell that is not adjacent to a piece of the side to move.
    #[error(
        "a soldier is dropped next to a friendly piece, and none of {side}'s is adjacent to {cell}"
    )]
    RemoteDrop {
        /// The side to move.
        side: &'static str,
        cell: Point,
    },
    /// The move begins on the cell of a castle.
    #[error("castles do not move, and there is one on {cell}")]
    CastleMove { cell: Point },
    /// The move begins on the cell of an enemy soldier.
    #[error("the soldier on {cell} is {enemy}'s, and it is {side}'s turn")]
    EnemySoldier {
        /// The cell of the enemy soldier.
        cell: Point,
        /// The side of the soldier.
        enemy: &'static str,
        /// The side to move.
        side: &'static str,
    },
    /// The move begins on an empty cell.
    #[error("no soldier stands on {cell}")]
    NoSoldier { cell: Point },
    /// The move ends where it begins.
    #[error("the soldier is already on {cell}")]
    SameCell {
        /// The cell where the move begins and ends.
        cell: Point,
    },
    /// No line joins the first cell and the last cell.
    #[error("{from} and {to} are not on one line of the board")]
    NoLine { from: Point, to: Point },
    /// The soldiers of a line move or an attack are not on adjacent cells.
    #[error("{from}{to} moves a line of {side} soldiers, and none stands on {gap}")]
    Gap {
        from: Point,
        to: Point,
        /// The side to move.
        side: &'static str,
        /// The first cell of the line without a soldier of this side.
        gap: Point,
    },
    /// A piece of the side to move is in front of the soldiers that would move.
    #[error("the cell in front is not empty: {occupant}")]
    BlockedFront {
        /// The piece in front, with its cell.
        occupant: Occupant,
        /// The number of soldiers that would move. A move of one soldier is a step.
        soldiers: usize,
    },
    /// An attack by more than two soldiers in a line.
    #[error("an attack by phalanx moves two soldiers, not {soldiers}")]
    LongPhalanx {
        /// The number of soldiers that would move.
        soldiers: usize,
    },
    /// The cell to which an attack would push the enemy soldier is not empty.
    #[error("the soldier on {cell} cannot be pushed: {behind}")]
    BlockedPush {
        /// The cell of the enemy soldier.
        cell: Point,
        /// The piece behind the enemy soldier.
        behind: Occupant,
        /// The number of soldiers that would move. One soldier attacks by support, and two soldiers
        /// attack by phalanx.
        soldiers: usize,
    },
    /// An attack on a castle by one soldier.
    #[error(
        "the castle on {cell} cannot be attacked by support, only by two soldiers on a line to it"
    )]
    CastleSupport { cell: Point },
    /// An attack by one soldier that no other soldier supports.
    #[error("{from} attacks {to} alone: support needs two soldiers adjacent to the enemy soldier")]
    LoneAttack {
        from: Point,
        /// The cell of the enemy soldier.
        to: Point,
    },
    /// An attack by support with two soldiers that are not adjacent. The option for contiguous
    /// support requires adjacent soldiers.
    #[error(
        "support must be contiguous: no other soldier of {side}'s is adjacent to both {from} and {to}"
    )]
    RemoteSupport {
        /// The side to move.
        side: &'static str,
        from: Point,
        /// The cell of the enemy soldier.
        to: Point,
    },
    /// A translation with only one soldier: the string names this soldier twice.
    #[error("a translation moves two soldiers, and {cell} is named twice")]
    SameSoldier { cell: Point },
    /// A translation of two soldiers that are not adjacent.
    #[error("a translation moves two adjacent soldiers, and {first} and {second} are not adjacent")]
    DistantSoldiers {
        /// The cell of the first soldier.
        first: Point,
        /// The cell of the second soldier.
        second: Point,
    },
    /// A translation that takes a soldier farther than to an adjacent cell.
    #[error("each soldier goes one cell, and {to} is not adjacent to {from}")]
    LongTranslation { from: Point, to: Point },
    /// A translation whose soldiers go in different directions.
    #[error(
        "both soldiers go in the same direction, not one from {} to {} and one from {} to {}",
        from[0], to[0], from[1], to[1]
    )]
    TwoDirections {
        /// The cells of the soldiers.
        from: [Point; 2],
        /// The cells to which the soldiers would go.
        to: [Point; 2],
    },
    /// A translation along the line of the soldiers.
    #[error("a translation is not along the soldiers' own line: that is a line move")]
    TranslationAlongLine,
    /// A translation to cells that are not both empty.
    #[error("both cells must be empty, and {}", format_occupants(occupants))]
    BlockedTranslation {
        /// The pieces on the cells to which the soldiers would go.
        occupants: Vec<Occupant>,
    },
}

impl RuleError for IllegalMove {
    fn broken_rule_ids(&self) -> &'static [&'static str] {
        match self {
            IllegalMove::OffBoard { .. } => &["2.1"],
            IllegalMove::CastleMove { .. } => &["2.3"],
            IllegalMove::MoveBeforeLastDrop { .. } => &["3.1"],
            IllegalMove::OccupiedDrop(_) => &["3.2"],
            IllegalMove::RemoteDrop { .. } => &["3.3"],
            IllegalMove::RedDrop { .. } => &["3.4"],
            IllegalMove::EmptyReserve { .. } => &["3.5"],
            IllegalMove::EnemySoldier { .. } | IllegalMove::NoSoldier { .. } => &["4.2"],
            IllegalMove::SameCell { .. } | IllegalMove::BlockedFront { soldiers: 1, .. } => {
                &["4.4"]
            }
            IllegalMove::NoLine { .. } | IllegalMove::Gap { .. } => &["4.5"],
            IllegalMove::BlockedFront { .. } => &["4.6"],
            IllegalMove::SameSoldier { .. }
            | IllegalMove::DistantSoldiers { .. }
            | IllegalMove::LongTranslation { .. }
            | IllegalMove::TwoDirections { .. } => &["4.8"],
            IllegalMove::TranslationAlongLine => &["4.9"],
            IllegalMove::BlockedTranslation { .. } => &["4.10"],
            IllegalMove::LoneAttack { .. } => &["5.1"],
            IllegalMove::BlockedPush { soldiers: 1, .. } => &["5.11"],
            IllegalMove::BlockedPush { .. } => &["5.4"],
            IllegalMove::LongPhalanx { .. } => &["5.6"],
            IllegalMove::RemoteSupport { .. } => &["5.13"],
            IllegalMove::CastleSupport { .. } => &["5.14"],
        }
    }
}

/// A position string that does not fit the board, or whose position cannot occur in a game.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub(crate) enum InvalidPosition {
    /// The rows do not have the shape of the board.
    #[error(transparent)]
    Shape(PlacementShapeError),
    /// A castle is on a cell that is not its home cell.
    #[error("the {side} castle belongs on {home}, not on {cell}")]
    MisplacedCastle {
        /// The side of the castle.
        side: &'static str,
        /// The home cell of the castle.
        home: Point,
        cell: Point,
    },
    /// No castle is on the board.
    #[error("both castles are gone")]
    NoCastle,
    /// A side has more soldiers than at the start.
    #[error("{side} has {soldiers} soldiers, reserve included: more than {SOLDIERS_PER_SIDE}")]
    TooManySoldiers {
        /// The name of the side with too many soldiers.
        side: &'static str,
        /// The number of soldiers that the side has on the board and in reserve.
        soldiers: u8,
    },
    /// White is to move in the drop phase, but the reserves of the two sides differ.
    #[error("with white to move the reserves are equal, not {white}/{black}")]
    UnequalReserves {
        /// The number of soldiers that White has in reserve.
        white: u8,
        /// The number of soldiers that Black has in reserve.
        black: u8,
    },
    /// Black is to move in the drop phase, but its reserve is not one soldier larger than White's.
    #[error(
        "with black to move black's reserve is one larger than white's, or both are 0, not {white}/{black}"
    )]
    UnequalDrops {
        /// The number of soldiers that White has in reserve.
        white: u8,
        /// The number of soldiers that Black has in reserve.
        black: u8,
    },
    /// A side has soldiers in reserve, but has already lost soldiers.
    #[error(
        "{side} has a reserve of {reserve} and {board} on the board: in the drop phase both add up to {SOLDIERS_PER_SIDE}"
    )]
    LossBeforeLastDrop {
        /// The name of the side that has lost soldiers.
        side: &'static str,
        /// The number of soldiers that the side has in reserve.
        reserve: u8,
        /// The number of soldiers that the side has on the board.
        board: u8,
    },
    /// A castle is captured, but a side still has soldiers in reserve.
    #[error("the {loser} castle is gone, but soldiers are still in reserve")]
    CaptureBeforeLastDrop {
        /// The side of the castle.
        loser: &'static str,
    },
    /// A castle is captured, but the side that has captured it is to move.
    #[error("the {loser} castle is gone, so {winner} has just moved, but it is {winner}'s turn")]
    WinnerToMove {
        /// The side of the castle.
        loser: &'static str,
        /// The name of the side that has captured the castle.
        winner: &'static str,
    },
}

impl RuleError for InvalidPosition {
    fn broken_rule_ids(&self) -> &'static [&'static str] {
        match self {
            InvalidPosition::TooManySoldiers { .. } => &["1.1"],
            InvalidPosition::UnequalReserves { .. }
            | InvalidPosition::UnequalDrops { .. }
            | InvalidPosition::WinnerToMove { .. } => &["1.3"],
            InvalidPosition::Shape(_) => &["2.1"],
            InvalidPosition::MisplacedCastle { .. } => &["2.2"],
            InvalidPosition::LossBeforeLastDrop { .. }
            | InvalidPosition::CaptureBeforeLastDrop { .. } => &["3.1"],
            InvalidPosition::NoCastle => &["6.8"],
        }
    }
}

fn format_occupants(occupants: &[Occupant]) -> String {
    occupants.iter().map(Occupant::to_string).collect::<Vec<_>>().join(", ")
}
