//! The errors of moves and positions, with the rules of `rules.md` that they break.

use pentarch_core::notation::parsing::join_first_with_or;
use pentarch_core::notation::piece_placement::PlacementShapeError;
use pentarch_core::{Notation, Point, RuleError};
use thiserror::Error;

use super::Bushka;

/// A reason why a move is illegal.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub(crate) enum IllegalMove {
    /// The path has only one square.
    #[error("a move needs two squares")]
    OneSquare,
    /// A point of the path is off the board.
    #[error("{point} is off the board")]
    OffBoard {
        point: Point,
        /// The number of files of the board.
        files: u8,
    },
    /// A point of the path is a light square.
    #[error("{0} is a light square: only dark squares are used")]
    LightSquare(Point),
    /// The path begins on an empty square.
    #[error("no piece stands on {0}")]
    NoPiece(Point),
    /// The path begins on a piece of the other side.
    #[error("the piece on {point} is {owner}'s, and it is {mover}'s turn")]
    EnemyPiece {
        point: Point,
        /// The side of the piece.
        owner: &'static str,
        /// The side to move.
        mover: &'static str,
    },
    /// The path lists the same square twice in a row.
    #[error("{0} is listed twice in a row")]
    SquareTwice(Point),
    /// Two consecutive squares of the path share no diagonal.
    #[error("all moves are diagonal, and {from} and {to} share no diagonal")]
    NotDiagonal {
        /// The first of the squares.
        from: Point,
        /// The second of the squares.
        to: Point,
    },
    /// A phalanx makes more than one step, or a capturing soldier moves more than one square in a
    /// step.
    #[error(
        "a phalanx does not continue after its step, and a soldier moves one step at a time, \
         not from {from} to {to}"
    )]
    PhalanxGoesOn {
        from: Point,
        /// The square where the first leg of the move ends.
        to: Point,
    },
    /// A king is in the row of soldiers that would move.
    #[error("a king, as on {0}, is never part of a phalanx")]
    KingInPhalanx(Point),
    /// The row of soldiers that would move has a gap.
    #[error("a soldier moves one step, and a phalanx from {from} needs a soldier on {gap}")]
    GapInPhalanx {
        /// The square of the rearmost soldier.
        from: Point,
        /// The square without a soldier.
        gap: Point,
    },
    /// A phalanx steps to an occupied square.
    #[error("a phalanx steps onto an empty square, and {0} is not")]
    PhalanxOntoPiece(Point),
    /// A phalanx moves backward without a capture.
    #[error("a phalanx moves backward only to capture, and {0}")]
    PhalanxBackward(NoCaptureReason),
    /// A capturing soldier moves more than one square in a step.
    #[error("a soldier moves one step at a time, not from {from} to {to}")]
    LongStep { from: Point, to: Point },
    /// A piece blocks the path of a king.
    #[error("a piece on {at} stands between {from} and {to}{}", captured_piece_note(*.blocked))]
    PieceBetween {
        /// The square of the piece.
        at: Point,
        from: Point,
        to: Point,
        /// The kind of the blocked move.
        blocked: BlockedMove,
    },
    /// A single piece moves to a square that is not empty.
    #[error("{point} is not empty{}", captured_piece_note(*.blocked))]
    NotEmpty {
        point: Point,
        /// The kind of the blocked move.
        blocked: BlockedMove,
    },
    /// A soldier would start to capture along a diagonal on which it is not isolated.
    #[error("the soldier on {from} is not isolated on that line: a soldier stands on {friend}")]
    NotIsolated {
        from: Point,
        /// The square of the friendly soldier next to this soldier on the diagonal.
        friend: Point,
    },
    /// A leg of a turn with several legs captures nothing.
    #[error("only captures continue, and the move to {to} captures nothing: {why}")]
    CapturesNothing {
        /// The square where the leg ends.
        to: Point,
        /// The reason why the move captures nothing.
        why: NoCaptureReason,
    },
    /// A leg of a turn with several legs would capture the same piece again.
    #[error(
        "only captures continue, and the move to {to} captures nothing: \
         the piece on {piece} has already been captured"
    )]
    CapturedAlready {
        /// The square where the leg ends.
        to: Point,
        /// The square of the captured piece.
        piece: Point,
    },
    /// A soldier moves backward without a capture.
    #[error("a soldier moves backward only to capture, and {0}")]
    SoldierBackward(NoCaptureReason),
    /// A shortened string that fits several captures, because they begin and end on the same
    /// squares.
    #[error("several captures begin and end there: {}", join_first_with_or(.candidates))]
    SeveralCaptures {
        /// The move strings of the captures.
        candidates: Vec<String>,
    },
    /// The side to move has no legal move.
    #[error("the game is over")]
    GameOver,
    /// A phalanx can capture, and this move is not a phalanx capture.
    #[error("a phalanx capture comes first: {example} captures {most}")]
    PhalanxFirst {
        /// A legal phalanx capture.
        example: String,
        /// The number of pieces that the example captures.
        most: u32,
    },
    /// A piece can capture, and this move captures nothing.
    #[error("a capture comes first: {example} captures {most}")]
    CaptureFirst {
        /// A legal capture.
        example: String,
        /// The number of pieces that the example captures.
        most: u32,
    },
    /// A phalanx can capture more.
    #[error(
        "the most that a phalanx can capture is {most}, this captures {captured}: e.g. {example}"
    )]
    PhalanxCapturesMore {
        /// The number of pieces that a legal move captures.
        most: u32,
        /// The number of pieces that this move captures.
        captured: u32,
        /// A legal phalanx capture, which captures the most.
        example: String,
    },
    /// A soldier or a king can capture more.
    #[error("the most that can be captured is {most}, this captures {captured}: e.g. {example}")]
    PieceCapturesMore {
        /// The number of pieces that a legal move captures.
        most: u32,
        /// The number of pieces that this move captures.
        captured: u32,
        /// A legal capture, which captures the most.
        example: String,
    },
}

/// The reason why a move that ends on a square captures nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub(crate) enum NoCaptureReason {
    /// The square is on the edge of the board.
    #[error("{0} is on the edge")]
    Edge(Point),
    /// The next square in the direction of the move has no enemy piece. The variant contains this
    /// next square.
    #[error("no enemy piece stands on {0}")]
    NoEnemy(Point),
}

/// The kind of a blocked move of a single piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BlockedMove {
    /// The only step of a soldier.
    SoldierStep,
    /// A step of a soldier, in a turn with several captures.
    SoldierCapture,
    /// The only leg of a king.
    KingMove,
    /// A leg of a king's move, in a turn with several captures.
    KingCapture,
    /// Any move that a piece captured in the same turn blocks.
    ByCaptured,
}

/// Returns a note to add after a sentence about a blocking piece.
fn captured_piece_note(blocked: BlockedMove) -> &'static str {
    match blocked {
        BlockedMove::ByCaptured => ", because captured pieces stay until the turn is over",
        _ => "",
    }
}

impl RuleError for IllegalMove {
    fn broken_rule_ids(&self) -> &'static [&'static str] {
        match self {
            IllegalMove::OneSquare | IllegalMove::NoPiece(_) | IllegalMove::SquareTwice(_) => {
                &["8.1"]
            }
            IllegalMove::OffBoard { files, .. } => board_rule_ids(*files),
            IllegalMove::LightSquare(_) => &["2.2"],
            IllegalMove::EnemyPiece { .. } => &["2.4"],
            IllegalMove::NotDiagonal { .. } => &["2.5"],
            IllegalMove::PhalanxGoesOn { .. } => &["4.6"],
            IllegalMove::KingInPhalanx(_) => &["3.5"],
            IllegalMove::GapInPhalanx { .. } => &["3.4"],
            IllegalMove::PhalanxOntoPiece(_) | IllegalMove::PhalanxBackward(_) => &["3.6"],
            IllegalMove::LongStep { .. } => &["5.2"],
            IllegalMove::PieceBetween { blocked, .. } | IllegalMove::NotEmpty { blocked, .. } => {
                match blocked {
                    BlockedMove::SoldierStep => &["3.2"],
                    BlockedMove::SoldierCapture => &["5.2"],
                    BlockedMove::KingMove => &["3.3"],
                    BlockedMove::KingCapture => &["5.6"],
                    BlockedMove::ByCaptured => &["5.9"],
                }
            }
            IllegalMove::NotIsolated { .. } => &["5.4"],
            IllegalMove::CapturesNothing { .. } => &["5.7"],
            IllegalMove::CapturedAlready { .. } => &["5.10"],
            IllegalMove::SoldierBackward(_) => &["3.2"],
            IllegalMove::SeveralCaptures { .. } => &["8.6"],
            IllegalMove::GameOver => Bushka::NO_MOVE_AFTER_END_RULE_IDS,
            IllegalMove::PhalanxFirst { .. } => &["6.1"],
            IllegalMove::CaptureFirst { .. } => &["3.1"],
            IllegalMove::PhalanxCapturesMore { .. } => &["6.2"],
            IllegalMove::PieceCapturesMore { .. } => &["6.3"],
        }
    }
}

/// A reason why a position is invalid.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub(crate) enum InvalidPosition {
    /// The rows do not have the shape of the board.
    #[error("on {files}x{ranks}, {error}")]
    Shape {
        /// The number of files of the board.
        files: u8,
        /// The number of ranks of the board.
        ranks: u8,
        error: PlacementShapeError,
    },
    /// A piece is on a light square.
    #[error("a piece stands on {0}, a light square")]
    LightSquare(Point),
    /// The board is empty.
    #[error("no piece is on the board")]
    NoPiece,
    /// A side has more pieces than at the start.
    #[error("{side} has {pieces} pieces, more than the {most} it starts with")]
    TooManyPieces {
        side: &'static str,
        /// The number of pieces of the side.
        pieces: u32,
        /// The number at the start.
        most: u32,
    },
    /// A soldier is on the rank where it becomes a king.
    #[error("a {side} soldier stands on its last rank, on {point}")]
    SoldierOnLastRank {
        /// The side of the soldier.
        side: &'static str,
        point: Point,
    },
}

impl RuleError for InvalidPosition {
    fn broken_rule_ids(&self) -> &'static [&'static str] {
        match self {
            InvalidPosition::Shape { files, .. } => board_rule_ids(*files),
            InvalidPosition::LightSquare(_) => &["2.2"],
            InvalidPosition::NoPiece => &["7.2"],
            InvalidPosition::TooManyPieces { .. } => &["2.3"],
            InvalidPosition::SoldierOnLastRank { .. } => &["3.8"],
        }
    }
}

/// Returns the id of the rule that describes the board with this number of files: 10x10 or 11x9.
fn board_rule_ids(files: u8) -> &'static [&'static str] {
    if files == 10 { &["2.1"] } else { &["2.7"] }
}
