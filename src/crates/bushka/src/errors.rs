//! The errors of moves and positions, with the sentences of `rules.md` that forbid them.

use pentarch_core::notation::board_field::BoardShapeError;
use pentarch_core::{Notation, Point, RuleError};
use thiserror::Error;

use super::Bushka;

/// A reason why a move is illegal.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum IllegalMove {
    /// The path has only one square.
    #[error("a move needs two squares")]
    OneSquare,
    /// A point of the path is off the board.
    #[error("{point} is off the board")]
    OffBoard {
        /// The point.
        point: Point,
        /// The number of files of the board.
        files: u8,
    },
    /// A point of the path is a light square.
    #[error("{0} is a light square: play is on the dark ones")]
    LightSquare(Point),
    /// The path begins on an empty square.
    #[error("no piece stands on {0}")]
    NoPiece(Point),
    /// The path begins on a piece of the other side.
    #[error("the piece on {point} is {owner}'s, and it is {mover}'s turn")]
    EnemyPiece {
        /// The square of the piece.
        point: Point,
        /// The side of the piece.
        owner: &'static str,
        /// The side to move.
        mover: &'static str,
    },
    /// The path names the same square twice in a row.
    #[error("{0} is named twice running")]
    SquareTwice(Point),
    /// Two squares of the path that follow each other share no diagonal.
    #[error("all lines are diagonals, and {from} and {to} share none")]
    NotDiagonal {
        /// The first of the squares.
        from: Point,
        /// The second of the squares.
        to: Point,
    },
    /// A phalanx makes more than one step, or a soldier goes more than one square in a step.
    #[error(
        "a phalanx never goes on after its step, and a soldier goes one step at a time, not from {from} to {to}"
    )]
    PhalanxGoesOn {
        /// The square where the path begins.
        from: Point,
        /// The square where its first part ends.
        to: Point,
    },
    /// A king stands in the row of soldiers that would move.
    #[error("a king, as on {0}, is never part of a phalanx")]
    KingInPhalanx(Point),
    /// The row of soldiers that would move has a gap.
    #[error("a soldier goes one step, and a phalanx from {from} needs a soldier on {gap}")]
    GapInPhalanx {
        /// The square of the last soldier.
        from: Point,
        /// The square without a soldier.
        gap: Point,
    },
    /// A phalanx steps onto a piece.
    #[error("a phalanx steps onto an empty square, and {0} is not")]
    PhalanxOntoPiece(Point),
    /// A phalanx goes backward and captures nothing.
    #[error("a phalanx goes backward only to capture, and {0}")]
    PhalanxBackward(NoTarget),
    /// A soldier that captures goes more than one square in a step.
    #[error("a soldier goes one step at a time, not from {from} to {to}")]
    LongStep {
        /// The square where the step begins.
        from: Point,
        /// The square where it ends.
        to: Point,
    },
    /// A piece stands on the way of a king.
    #[error("a piece on {at} stands between {from} and {to}{}", until_the_end(*.by))]
    PieceBetween {
        /// The square of the piece.
        at: Point,
        /// The square where the king comes from.
        from: Point,
        /// The square to which it goes.
        to: Point,
        /// The kind of the blocked move.
        by: Blocked,
    },
    /// A single piece goes to a square that is not empty.
    #[error("{point} is not empty{}", until_the_end(*.by))]
    NotEmpty {
        /// The square.
        point: Point,
        /// The kind of the blocked move.
        by: Blocked,
    },
    /// A soldier would begin to capture along a diagonal on which it is not isolated.
    #[error("the soldier on {from} is not isolated on that line: a soldier stands on {friend}")]
    NotIsolated {
        /// The square of the soldier.
        from: Point,
        /// The square of the soldier behind it.
        friend: Point,
    },
    /// A part of a turn with several parts captures nothing.
    #[error("only a capture goes on, and going to {to} captures nothing: {why}")]
    CapturesNothing {
        /// The square where the part ends.
        to: Point,
        /// The reason why it captures nothing.
        why: NoTarget,
    },
    /// A part of a turn with several parts would capture a piece again.
    #[error(
        "only a capture goes on, and going to {to} captures nothing: the piece on {piece} is captured already"
    )]
    CapturedAlready {
        /// The square where the part ends.
        to: Point,
        /// The square of the captured piece.
        piece: Point,
    },
    /// A soldier goes backward and captures nothing.
    #[error("a soldier goes backward only to capture, and {0}")]
    SoldierBackward(NoTarget),
    /// The side to move has no legal move.
    #[error("the game is over")]
    GameOver,
    /// A phalanx can capture, and this move is no capture by a phalanx.
    #[error("a phalanx capture comes first: {example} captures {most}")]
    PhalanxFirst {
        /// A legal move.
        example: String,
        /// The number of pieces that it captures.
        most: u32,
    },
    /// A piece can capture, and this move captures nothing.
    #[error("a capture comes first: {example} captures {most}")]
    CaptureFirst {
        /// A legal move.
        example: String,
        /// The number of pieces that it captures.
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
        /// A legal move.
        example: String,
    },
    /// A soldier or a king can capture more.
    #[error("the most that can be captured is {most}, this captures {captured}: e.g. {example}")]
    PieceCapturesMore {
        /// The number of pieces that a legal move captures.
        most: u32,
        /// The number of pieces that this move captures.
        captured: u32,
        /// A legal move.
        example: String,
    },
}

/// A reason why a move that ends on a square captures nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum NoTarget {
    /// The square is on the edge of the board.
    #[error("{0} lies on the edge")]
    Edge(Point),
    /// No enemy piece is on this next square.
    #[error("no enemy piece stands on {0}")]
    NoEnemy(Point),
}

/// A kind of move of a single piece that something blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Blocked {
    /// A soldier's only step.
    SoldierStep,
    /// A step in a turn in which a soldier captures several times.
    SoldierCapture,
    /// A king's only move.
    KingMove,
    /// A move in a turn in which a king captures several times.
    KingCapture,
    /// A move of any piece which is blocked by a piece that the turn has captured.
    ByCaptured,
}

/// Returns the end of the sentence that names a blocking piece.
fn until_the_end(by: Blocked) -> &'static str {
    match by {
        Blocked::ByCaptured => ", for captured pieces stay until the turn is over",
        _ => "",
    }
}

impl RuleError for IllegalMove {
    fn rules(&self) -> &'static [&'static str] {
        match self {
            IllegalMove::OneSquare | IllegalMove::NoPiece(_) | IllegalMove::SquareTwice(_) => {
                &["8.1"]
            }
            IllegalMove::OffBoard { files, .. } => board_rule(*files),
            IllegalMove::LightSquare(_) => &["2.2"],
            IllegalMove::EnemyPiece { .. } => &["2.4"],
            IllegalMove::NotDiagonal { .. } => &["2.5"],
            IllegalMove::PhalanxGoesOn { .. } => &["4.6"],
            IllegalMove::KingInPhalanx(_) => &["3.5"],
            IllegalMove::GapInPhalanx { .. } => &["3.4"],
            IllegalMove::PhalanxOntoPiece(_) | IllegalMove::PhalanxBackward(_) => &["3.6"],
            IllegalMove::LongStep { .. } => &["5.2"],
            IllegalMove::PieceBetween { by, .. } | IllegalMove::NotEmpty { by, .. } => match by {
                Blocked::SoldierStep => &["3.2"],
                Blocked::SoldierCapture => &["5.2"],
                Blocked::KingMove => &["3.3"],
                Blocked::KingCapture => &["5.6"],
                Blocked::ByCaptured => &["5.9"],
            },
            IllegalMove::NotIsolated { .. } => &["5.4"],
            IllegalMove::CapturesNothing { .. } => &["5.7"],
            IllegalMove::CapturedAlready { .. } => &["5.10"],
            IllegalMove::SoldierBackward(_) => &["3.2"],
            IllegalMove::GameOver => Bushka::GAME_OVER,
            IllegalMove::PhalanxFirst { .. } => &["6.1"],
            IllegalMove::CaptureFirst { .. } => &["3.1"],
            IllegalMove::PhalanxCapturesMore { .. } => &["6.2"],
            IllegalMove::PieceCapturesMore { .. } => &["6.3"],
        }
    }
}

/// A reason why a position is not one of the game.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum InvalidPosition {
    /// The rows are not those of the board.
    #[error("on {files}x{ranks}, {error}")]
    Shape {
        /// The number of files of the board.
        files: u8,
        /// The number of ranks of the board.
        ranks: u8,
        /// The row that does not fit, or the number of rows.
        error: BoardShapeError,
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
        /// The side.
        side: &'static str,
        /// The number of its pieces.
        pieces: u32,
        /// The number at the start.
        most: u32,
    },
    /// A soldier is on the rank where it becomes a king.
    #[error("a {side} soldier stands on its last rank, on {point}")]
    SoldierOnLastRank {
        /// The side of the soldier.
        side: &'static str,
        /// The square of the soldier.
        point: Point,
    },
}

impl RuleError for InvalidPosition {
    fn rules(&self) -> &'static [&'static str] {
        match self {
            InvalidPosition::Shape { files, .. } => board_rule(*files),
            InvalidPosition::LightSquare(_) => &["2.2"],
            InvalidPosition::NoPiece => &["7.2"],
            InvalidPosition::TooManyPieces { .. } => &["2.3"],
            InvalidPosition::SoldierOnLastRank { .. } => &["3.8"],
        }
    }
}

/// Returns the id of the sentence that describes the board with this number of files: 10x10 or 11x9.
fn board_rule(files: u8) -> &'static [&'static str] {
    if files == 10 { &["2.1"] } else { &["2.7"] }
}
