//! The errors of well-formed move strings and position strings. An error contains the facts and the
//! ids of the broken rules. To *huff* a checker means to remove it from the board because it missed
//! a capture. A *spent* checker never steps again.

use pentarch_core::notation::parsing::join_first_with_or;
use pentarch_core::notation::piece_placement::PlacementShapeError;
use pentarch_core::{Point, RuleError, Side};
use thiserror::Error;

use super::board::format_point_set;
use super::notation::MAX_CHECKERS_PER_SIDE;

/// An illegal move. A set of points has one bit per point of the board.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub(crate) enum IllegalMove {
    /// The string names a point that is off the board.
    #[error("{point} is off the board")]
    OffBoard { point: Point },
    /// A huff under rules without huffs.
    #[error("these rules have no huffs")]
    HuffNotInRules,
    /// A turn that does not begin with a huff, although one is due.
    #[error("the turn begins by huffing one of {}", format_point_set(*due))]
    MissingHuff {
        /// The set of checkers that may be huffed; one of these must be huffed.
        due: u32,
    },
    /// A huff where none is due.
    #[error("there is nothing to huff: the previous move did not miss a capture")]
    NothingToHuff,
    /// A huff of a checker that could not have captured.
    #[error("{point} could not have captured; only these can be huffed: {}", format_point_set(*due))]
    WrongHuff {
        point: Point,
        /// The set of checkers that may be huffed; one of these must be huffed.
        due: u32,
    },
    /// A move after the huff of the last checker.
    #[error("huffing {point} takes the last checker: no move follows")]
    MoveAfterLastHuff { point: Point },
    /// A huff that would leave the side to move without a move.
    #[error("huffing {point} would leave {side} without a move")]
    BlockingHuff {
        point: Point,
        /// The side to move.
        side: &'static str,
    },
    /// A huff without the move that follows it.
    #[error("a move must follow the huff, because {enemy} still has checkers")]
    HuffWithoutMove {
        /// The side of the checker that is huffed.
        enemy: &'static str,
    },
    /// The move begins on the point of an enemy checker.
    #[error("the checker on {point} is {enemy}, and it is {side}'s turn")]
    EnemyChecker {
        point: Point,
        /// The side of the checker.
        enemy: &'static str,
        /// The side to move.
        side: &'static str,
    },
    /// The move begins on a free point.
    #[error("no checker stands on {point}")]
    NoChecker { point: Point },
    /// A step or a jump to the point where the checker already is.
    #[error("the checker is already on {point}")]
    SamePoint { point: Point },
    /// A move to a point that neither a step nor a jump reaches.
    #[error("{to} is neither next to {from} nor the second point from it in a straight line")]
    NeitherStepNorJump { from: Point, to: Point },
    /// A move that continues after a step.
    #[error("the step to {to} ends the turn")]
    MoveAfterStep { to: Point },
    /// A move that would be a jump with a change of direction over the jumped checker.
    #[error("a jump from {from} over {over} is straight and cannot turn to {to}")]
    JumpWithTurn {
        from: Point,
        /// The point of an enemy checker that is next to `from` and next to `to`.
        over: Point,
        to: Point,
    },
    /// A step between points that no line joins.
    #[error("no line joins {from} and {to}")]
    NoLine { from: Point, to: Point },
    /// A step to a point that is not free.
    #[error("a checker stands on {point}")]
    OccupiedStep { point: Point },
    /// A step from the opponent's base row.
    #[error("{from} is on the opponent's base row, where a checker only captures")]
    StepOnBaseRow {
        /// The side to move.
        side: Side,
        from: Point,
    },
    /// A step of a checker that has been on the opponent's base row.
    #[error("the checker on {from} has been on the opponent's base row and only captures")]
    SpentChecker { from: Point },
    /// A step backwards.
    #[error("a step from {from} to {to} is backwards")]
    BackwardStep {
        /// The side to move.
        side: Side,
        from: Point,
        to: Point,
    },
    /// A step that takes back the last move of the player.
    #[error("{from}{to} takes back the player's last move")]
    RetreatOfPlayer { from: Point, to: Point },
    /// A step that takes back the latest move of the checker.
    #[error("the latest move of the checker on {from} began on {to}")]
    RetreatOfChecker { from: Point, to: Point },
    /// A step while a jump is possible.
    #[error(
        "a step while a jump is possible: {from} can capture {}{}",
        format_point_set(*captured), format_checker_count(*captured)
    )]
    MissedCapture {
        /// The point of a checker that takes the most.
        from: Point,
        /// The set of checkers that this checker can capture in one turn.
        captured: u32,
    },
    /// A jump to a neighbouring point.
    #[error("a jump goes straight over a checker to the point behind it, {from}{to} does not")]
    ShortJump { from: Point, to: Point },
    /// A second jump under rules with one jump per turn.
    #[error("a turn has one jump only")]
    SecondJump,
    /// A jump along a path of two steps on which a line is missing.
    #[error("no line leads straight from {from} to {to}")]
    NoJumpLine { from: Point, to: Point },
    /// A jump straight back.
    #[error("the jump from {from} to {to} reverses the direction of the jump before it")]
    ReversedJump { from: Point, to: Point },
    /// A jump over a checker of the side to move.
    #[error("the checker on {over} is the player's own")]
    JumpOverOwn {
        /// The point of that checker.
        over: Point,
    },
    /// A jump over a free point.
    #[error("no checker stands on {over}, which {from}{to} would jump over")]
    JumpOverNone {
        from: Point,
        /// The free point that the move would jump over.
        over: Point,
        to: Point,
    },
    /// A second jump over a checker that has left the board.
    #[error("the checker on {over} was captured by an earlier jump and has left the board")]
    JumpOverCaptured {
        /// The point of that checker.
        over: Point,
    },
    /// A jump to a point that is not free.
    #[error("a checker stands on {point}")]
    OccupiedLanding { point: Point },
    /// A jump off the opponent's base row in a turn that begins on this row.
    #[error(
        "a turn that begins on the opponent's base row, on {start}, captures along the rank only"
    )]
    JumpOffBaseRow {
        /// The point on which the turn begins.
        start: Point,
    },
    /// A second jump over a checker, to a point already visited in the turn.
    #[error(
        "{over} was already jumped over: the jump must end on a point that is new in this turn, not {to}"
    )]
    VisitedLanding {
        /// The point of the checker.
        over: Point,
        to: Point,
    },
    /// A shortened string that fits several captures, because they begin and end on the same
    /// points.
    #[error("several captures begin and end there: {}", join_first_with_or(candidates))]
    SeveralCaptures {
        /// The move strings of the captures.
        candidates: Vec<String>,
    },
    /// A capture that stops although the checker can jump again.
    #[error("the capture must continue: {at} can capture {}", format_point_set(*next))]
    UnfinishedCapture {
        /// The point on which the capture stops.
        at: Point,
        /// The set of the checkers over which the checker can jump next.
        next: u32,
        /// Whether the rules require the largest capture.
        maximum: bool,
    },
    /// A capture that takes fewer checkers than another legal capture.
    #[error("{most} checkers must be captured, as by {}, not {captured}", format_move_string(path))]
    SmallCapture {
        /// The greatest number of checkers that one capture can take.
        most: u32,
        /// The points of a capture that takes the most checkers.
        path: Vec<Point>,
        /// The number of checkers that this capture takes.
        captured: u32,
    },
}

impl RuleError for IllegalMove {
    fn broken_rule_ids(&self) -> &'static [&'static str] {
        match self {
            IllegalMove::OffBoard { .. } => &["REQ.2"],
            IllegalMove::EnemyChecker { .. } | IllegalMove::NoChecker { .. } => &["REQ.5"],
            IllegalMove::NoLine { .. } => &["REQ.7"],
            IllegalMove::SamePoint { .. } | IllegalMove::MoveAfterStep { .. } => &["REQ.8"],
            IllegalMove::NeitherStepNorJump { .. } => &["REQ.8", "REQ.9"],
            IllegalMove::NoJumpLine { .. } => &["REQ.9"],
            IllegalMove::SecondJump => &["REQ.10.ALT.2"],
            IllegalMove::UnfinishedCapture { maximum: false, .. } => &["REQ.10.1.ALT.2"],
            IllegalMove::UnfinishedCapture { maximum: true, .. }
            | IllegalMove::SmallCapture { .. } => &["REQ.10.1.ALT.3"],
            IllegalMove::SeveralCaptures { .. } => &["0.23"],
            IllegalMove::OccupiedStep { .. } => &["REQ.11"],
            IllegalMove::OccupiedLanding { .. } => &["REQ.12"],
            IllegalMove::JumpWithTurn { .. } | IllegalMove::ShortJump { .. } => &["REQ.14"],
            IllegalMove::ReversedJump { .. } => &["REQ.15"],
            IllegalMove::JumpOverNone { .. } => &["REQ.16"],
            IllegalMove::JumpOverOwn { .. } => &["REQ.17"],
            IllegalMove::BackwardStep { side: Side::First, .. } => &["REQ.19"],
            IllegalMove::BackwardStep { side: Side::Second, .. } => &["REQ.20"],
            IllegalMove::StepOnBaseRow { side: Side::First, .. } => &["REQ.21"],
            IllegalMove::StepOnBaseRow { side: Side::Second, .. } => &["REQ.22"],
            IllegalMove::SpentChecker { .. } => &["REQ.23.ALT.2"],
            IllegalMove::JumpOffBaseRow { .. } => &["REQ.23.ALT.3"],
            IllegalMove::JumpOverCaptured { .. } => &["REQ.24.ALT.1"],
            IllegalMove::VisitedLanding { .. } => &["REQ.24.ALT.2"],
            IllegalMove::RetreatOfChecker { .. } => &["REQ.25.ALT.2"],
            IllegalMove::RetreatOfPlayer { .. } => &["REQ.25.ALT.3"],
            IllegalMove::MissingHuff { .. }
            | IllegalMove::NothingToHuff
            | IllegalMove::WrongHuff { .. }
            | IllegalMove::MoveAfterLastHuff { .. }
            | IllegalMove::BlockingHuff { .. }
            | IllegalMove::HuffWithoutMove { .. } => &["REQ.26.ALT.1"],
            IllegalMove::HuffNotInRules | IllegalMove::MissedCapture { .. } => &["REQ.26.ALT.2"],
        }
    }
}

/// A position string that does not fit the board, contradicts itself, or contradicts the rules.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub(crate) enum InvalidPosition {
    /// The rows do not have the shape of the board.
    #[error(transparent)]
    Shape(PlacementShapeError),
    /// The string names a point that is off the board.
    #[error("{point} is off the board")]
    OffBoard { point: Point },
    /// The board is empty.
    #[error("there are no checkers on the board")]
    NoChecker,
    /// A side has more checkers than at the start.
    #[error("{side} has {checkers} checkers: at most {MAX_CHECKERS_PER_SIDE} are allowed")]
    TooManyCheckers {
        /// The name of the side with too many checkers.
        side: &'static str,
        /// The number of its checkers.
        checkers: u32,
    },
    /// The string lists a point twice.
    #[error("the {field} lists {point} twice")]
    DuplicatePoint {
        /// The name of the field.
        field: &'static str,
        /// The point that the string lists twice.
        point: Point,
    },
    /// The string lists two points in the wrong order.
    #[error("the {field} is not in ascending order: {second} after {first}")]
    UnsortedPoints {
        /// The name of the field.
        field: &'static str,
        /// The point that comes first in the string.
        first: Point,
        /// The second point, which must not follow the first.
        second: Point,
    },
    /// The string forbids a step back, but the rules never forbid steps back.
    #[error("no step back is forbidden under these rules: the retreat field must be -")]
    RetreatNotInRules,
    /// The string forbids a step back from a free point.
    #[error("the retreat field lists {point}, but no checker stands there")]
    NoCheckerToRetreat { point: Point },
    /// The string forbids steps back to two checkers of a side, but the rules only forbid taking
    /// back the last move of the player.
    #[error("the retreat field lists two {side} checkers; a side moves one per turn")]
    TwoRetreats {
        /// The name of the side with two checkers in the retreat field.
        side: &'static str,
    },
    /// The string forbids a step back between points that no line joins.
    #[error("the retreat field has {from}{to}, but no line joins these points")]
    NoRetreatLine {
        from: Point,
        /// The point to which the checker must not step.
        to: Point,
    },
    /// The string lists a spent checker, but the rules have no spent checkers.
    #[error("these rules have no spent checkers: the field of spent checkers must be -")]
    SpentNotInRules,
    /// The string lists a spent checker on a free point.
    #[error("the checker on {point} is spent, but no checker stands there")]
    NoSpentChecker { point: Point },
    /// The string lists a spent checker on the opponent's base row.
    #[error(
        "the {side} checker on {point} is on the opponent's base row, so it must not be listed as spent"
    )]
    SpentOnBaseRow {
        /// The side of the checker.
        side: &'static str,
        point: Point,
    },
    /// The string lists a checker to huff, but the rules have no huffs.
    #[error("these rules have no huffs: the huff field must be -")]
    HuffNotInRules,
    /// The string lists a checker to huff on a point without an enemy checker.
    #[error("the huff field lists {point}, but no {enemy} checker stands there")]
    NoCheckerToHuff {
        point: Point,
        /// The enemy of the side to move.
        enemy: &'static str,
    },
}

impl RuleError for InvalidPosition {
    fn broken_rule_ids(&self) -> &'static [&'static str] {
        match self {
            InvalidPosition::OffBoard { .. } => &["REQ.2"],
            InvalidPosition::RetreatNotInRules => &["REQ.25.ALT.1"],
            InvalidPosition::Shape(_)
            | InvalidPosition::SpentNotInRules
            | InvalidPosition::HuffNotInRules => &["0.8"],
            InvalidPosition::NoChecker | InvalidPosition::TooManyCheckers { .. } => &["0.9"],
            InvalidPosition::NoCheckerToRetreat { .. }
            | InvalidPosition::TwoRetreats { .. }
            | InvalidPosition::NoRetreatLine { .. } => &["0.10"],
            InvalidPosition::DuplicatePoint { .. } | InvalidPosition::UnsortedPoints { .. } => {
                &["0.11"]
            }
            InvalidPosition::NoSpentChecker { .. } | InvalidPosition::SpentOnBaseRow { .. } => {
                &["0.18"]
            }
            InvalidPosition::NoCheckerToHuff { .. } => &["0.21"],
        }
    }
}

/// Returns a note that says how many checkers a set has, as in ` (2 checkers)`. The note is empty
/// if the set has one checker.
fn format_checker_count(set: u32) -> String {
    match set.count_ones() {
        1 => String::new(),
        count => format!(" ({count} checkers)"),
    }
}

fn format_move_string(path: &[Point]) -> String {
    path.iter().map(Point::to_string).collect()
}
