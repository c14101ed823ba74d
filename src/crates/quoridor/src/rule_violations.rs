//! The errors of moves and positions, for two and for four players, with the broken rules.
//!
//! The rules for two players are in `rules.md`, and those for four players in `rules-four.md`. The
//! two files number their rules differently. The number of players is a parameter of the error
//! types, so it also selects the numbers of the rules.

use std::fmt;

use pentarch_core::notation::points::file_letter;
use pentarch_core::{Point, RuleError};
use thiserror::Error;

use super::walls::Wall;

/// The ids of the broken rules: first for two players, then for four.
type RuleIdsByPlayerCount = [&'static [&'static str]; 2];

/// Returns the ids of the rules for this number of players.
fn rule_ids_for_player_count<const PLAYERS: usize>(
    [two, four]: RuleIdsByPlayerCount,
) -> &'static [&'static str] {
    if PLAYERS == 2 { two } else { four }
}

/// A reason why a move is illegal for this number of players.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub(crate) enum IllegalMove<const PLAYERS: usize> {
    /// The target square or the wall is not on the board.
    #[error(transparent)]
    OffBoardPoint(#[from] OffBoardPoint),
    /// The player has placed all walls.
    #[error("{0} has no wall left")]
    NoWallLeft(&'static str),
    /// The wall conflicts with another wall.
    #[error("it {0}")]
    WallConflict(WallConflict),
    /// The wall leaves at least one pawn without a path.
    #[error("it leaves {}", describe_cut_off_players(.0))]
    CutOff(Vec<PlayerGoal>),
    /// The pawn would stay on its square.
    #[error("the pawn is already on {0}, and passing is not allowed")]
    Pass(Point),
    /// A pawn is on the target square.
    #[error("{}'s pawn stands on {}", .pawn.owner, .pawn.point)]
    Occupied {
        /// The pawn on the square.
        pawn: PawnOnSquare,
        /// The part of the move that leads to the square.
        part: PawnMovePart,
    },
    /// A wall is between two squares of the move.
    #[error("the wall {wall} stands between {from} and {to}")]
    WallBetween {
        wall: Wall,
        /// The square before the wall.
        from: Point,
        /// The square behind the wall.
        to: Point,
        /// The part of the move that the wall blocks.
        part: PawnMovePart,
    },
    /// The pawn cannot step to this square.
    #[error("no step leads to {0}")]
    NoStep(Point),
    /// No step and no jump leads to the target square.
    #[error("{to} is not a neighbour of {from}, and {no_jump}")]
    NotNeighbour {
        to: Point,
        from: Point,
        /// The reason why no jump leads there.
        no_jump: NoJumpReason,
    },
    /// A third pawn is behind the pawn to be jumped.
    #[error("{third} is behind {over}: it bars the straight jump and opens no diagonal one")]
    JumpBarred {
        /// The third pawn, behind the pawn to be jumped.
        third: PawnOnSquare,
        /// The pawn to be jumped.
        over: PawnOnSquare,
    },
    /// The straight jump over this pawn is possible, so a diagonal jump is not allowed.
    #[error("neither a wall nor the edge is behind {0}, so the jump must be straight")]
    JumpIsStraight(PawnOnSquare),
}

impl<const PLAYERS: usize> RuleError for IllegalMove<PLAYERS> {
    fn broken_rule_ids(&self) -> &'static [&'static str] {
        rule_ids_for_player_count::<PLAYERS>(match self {
            IllegalMove::OffBoardPoint(error) => error.rule_ids(),
            IllegalMove::NoWallLeft(_) => [&["7.1"], &["6.5"]],
            IllegalMove::WallConflict(conflict) => conflict.rule_ids(),
            IllegalMove::CutOff(_) => [&["7.6"], &["2.2"]],
            IllegalMove::Pass(_) => [&["5.2"], &["6.1"]],
            IllegalMove::Occupied { part: PawnMovePart::StraightJump, .. } => [&["6.4"], &["2.4"]],
            IllegalMove::Occupied { part: PawnMovePart::DiagonalJump, .. } => [&["6.4"], &["6.4"]],
            IllegalMove::Occupied { .. } => [&["6.4"], &["6.2"]],
            IllegalMove::WallBetween { part: PawnMovePart::Step, .. } => [&["6.2"], &["6.2"]],
            IllegalMove::WallBetween { part: PawnMovePart::ToJumpedPawn, .. } => {
                [&["6.6"], &["6.3"]]
            }
            IllegalMove::WallBetween { part: PawnMovePart::StraightJump, .. } => {
                [&["6.7"], &["6.4"]]
            }
            IllegalMove::WallBetween { part: PawnMovePart::DiagonalJump, .. } => {
                [&["6.9"], &["6.4"]]
            }
            IllegalMove::NotNeighbour { no_jump: NoJumpReason::EndsElsewhere(_), .. } => {
                [&["6.5"], &["2.3"]]
            }
            IllegalMove::NoStep(_) | IllegalMove::NotNeighbour { .. } => [&["6.1"], &["6.2"]],
            // With two players, this error cannot occur, because there is no third pawn.
            IllegalMove::JumpBarred { .. } => [&["6.10"], &["2.4"]],
            IllegalMove::JumpIsStraight(_) => [&["6.10"], &["6.4"]],
        })
    }
}

/// A reason why a position is invalid for this number of players.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub(crate) enum InvalidPosition<const PLAYERS: usize> {
    /// A square or a wall in the string is not on the board.
    #[error(transparent)]
    OffBoardPoint(#[from] OffBoardPoint),
    /// The list of walls contains a duplicate.
    #[error("the wall {0} is listed twice")]
    WallTwice(Wall),
    /// The walls are not in ascending order.
    #[error("the walls are not in ascending order: {wall} after {before}")]
    WallOrder {
        /// The wall that should come first in the list.
        wall: Wall,
        /// The wall that precedes this wall in the string.
        before: Wall,
    },
    /// Two walls conflict.
    #[error("the wall {wall} {conflict}")]
    WallConflict {
        /// The wall of the list that conflicts with an earlier wall.
        wall: Wall,
        /// The kind of conflict, and the earlier wall.
        conflict: WallConflict,
    },
    /// Two pawns are on one square.
    #[error("{} on {point}", shared_square_sentence_start::<PLAYERS>(*.players))]
    SharedSquare {
        /// The players of the pawns.
        players: [&'static str; 2],
        /// The square of the two pawns.
        point: Point,
    },
    /// The pawn of the player to move is on its goal.
    #[error(
        "{}'s pawn stands on its goal, {}, but it is {}'s turn",
        .player_goal.player, .player_goal.goal, .player_goal.player
    )]
    MoverOnGoal {
        /// The player to move, and the player's goal.
        player_goal: PlayerGoal,
        /// Whether the players form two teams.
        has_teams: bool,
    },
    /// Two pawns are on their goals.
    #[error("the pawns of {} and {} both stand on their goals", .players[0], .players[1])]
    TwoOnGoals {
        /// The players of the pawns.
        players: [&'static str; 2],
        /// Whether the players form two teams.
        has_teams: bool,
    },
    /// A pawn has no path to its goal.
    #[error("{}'s pawn on {point} has no path to {}", .player_goal.player, .player_goal.goal)]
    NoPath {
        /// The pawn's player, and the player's goal.
        player_goal: PlayerGoal,
        point: Point,
    },
    /// A player has more walls left than at the start.
    #[error(
        "{player} has more walls left, {left}, than {} begins with, {max}",
        if *.is_same { "each" } else { player }
    )]
    TooManyWalls {
        player: &'static str,
        /// The number of walls that the player has left, according to the string.
        left: u8,
        /// The number of walls that the player has at the start.
        max: u8,
        /// Whether all players start with this number.
        is_same: bool,
    },
    /// The walls on the board and the walls left do not add up to the number of all walls.
    #[error(
        "walls on the board, {placed}, and walls left, {}, do not add up to {all}",
        .left.map(|left| left.to_string()).join("/")
    )]
    WallSum {
        /// The number of walls on the board.
        placed: u32,
        /// The numbers of walls that the players have left.
        left: [u8; PLAYERS],
        /// The number of all walls.
        all: u32,
    },
    /// The player to move has no legal move, but another player has one.
    #[error("{player} has no legal move and is skipped, because {other} has one")]
    PlayerSkipped {
        /// The player to move.
        player: &'static str,
        /// A player who has a legal move.
        other: &'static str,
    },
}

impl<const PLAYERS: usize> RuleError for InvalidPosition<PLAYERS> {
    fn broken_rule_ids(&self) -> &'static [&'static str] {
        rule_ids_for_player_count::<PLAYERS>(match self {
            InvalidPosition::OffBoardPoint(error) => error.rule_ids(),
            InvalidPosition::WallTwice(_) => WallConflict::Same.rule_ids(),
            InvalidPosition::WallOrder { .. } => [&["10.5"], &["4.2"]],
            InvalidPosition::WallConflict { conflict, .. } => conflict.rule_ids(),
            InvalidPosition::SharedSquare { .. } => [&["6.4"], &["6.2"]],
            InvalidPosition::MoverOnGoal { has_teams, .. }
            | InvalidPosition::TwoOnGoals { has_teams, .. } => {
                [&["9.1"], if *has_teams { &["3.2"] } else { &["3.1"] }]
            }
            InvalidPosition::NoPath { .. } => [&["7.6"], &["2.2"]],
            InvalidPosition::TooManyWalls { .. } => [&["3.2"], &["1.4"]],
            InvalidPosition::WallSum { .. } => [&["7.1"], &["6.5"]],
            InvalidPosition::PlayerSkipped { .. } => [&["9.2"], &["3.3"]],
        })
    }
}

/// A point that is not on the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub(crate) enum OffBoardPoint {
    /// The board has no such square.
    #[error("{point} is off the board, which ends at {last}")]
    Square {
        /// The name of the square.
        point: Point,
        /// The last square of the board.
        last: Point,
    },
    /// No wall with this name fits on the board.
    #[error("no wall fits at {point}: names of walls run from a1 to {last}")]
    Wall {
        /// The name of the wall's post.
        point: Point,
        /// The last post of the board.
        last: Point,
    },
}

impl OffBoardPoint {
    fn rule_ids(self) -> RuleIdsByPlayerCount {
        match self {
            OffBoardPoint::Square { .. } => [&["2.1"], &["5.1"]],
            OffBoardPoint::Wall { .. } => [&["7.2"], &["6.6"]],
        }
    }
}

/// A reason why a wall conflicts with a wall on the board. The message is a verb phrase that
/// follows the name of the wall.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub(crate) enum WallConflict {
    /// The same wall is on the board.
    #[error("is already on the board")]
    Same,
    /// The wall shares one of its two edges with this other wall.
    #[error("shares an edge with the wall {0}")]
    Overlap(Wall),
    /// The wall crosses this other wall in the middle.
    #[error("crosses the wall {0}")]
    Crossing(Wall),
}

impl WallConflict {
    fn rule_ids(self) -> RuleIdsByPlayerCount {
        match self {
            WallConflict::Same | WallConflict::Overlap(_) => [&["7.3"], &["6.6"]],
            WallConflict::Crossing(_) => [&["7.4"], &["6.6"]],
        }
    }
}

/// A step of a pawn, or a part of a jump.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PawnMovePart {
    /// A step to a neighbouring square.
    Step,
    /// The first part of a jump: up to the jumped pawn.
    ToJumpedPawn,
    /// The second part of a straight jump.
    StraightJump,
    /// The second part of a diagonal jump.
    DiagonalJump,
}

/// A reason why no jump leads to a square.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub(crate) enum NoJumpReason {
    /// A pawn is on a neighbouring square, but no jump over this pawn ends on the target square.
    #[error("no jump over {0} ends there")]
    EndsElsewhere(PawnOnSquare),
    /// The only other pawn is not between the pawn and the target square.
    #[error("{0} is not between them")]
    PawnElsewhere(PawnOnSquare),
    /// There are several other pawns, and none is between the pawn and the target square.
    #[error("no pawn stands between them")]
    NoPawn,
}

/// A pawn on its square.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PawnOnSquare {
    /// The player of the pawn.
    pub owner: &'static str,
    /// The square of the pawn.
    pub point: Point,
}

impl fmt::Display for PawnOnSquare {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}'s pawn on {}", self.owner, self.point)
    }
}

/// A player, and the goal of the player's pawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PlayerGoal {
    pub player: &'static str,
    pub goal: GoalLine,
}

/// A player's goal: a line of squares along an edge of the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum GoalLine {
    /// A file, counted from 0.
    File(u8),
    /// A rank, counted from 0.
    Rank(u8),
}

impl fmt::Display for GoalLine {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            GoalLine::File(file) => write!(f, "file {}", file_letter(*file)),
            GoalLine::Rank(rank) => write!(f, "rank {}", rank + 1),
        }
    }
}

/// Returns a list of players whose pawns have no path, as in `white without a path to rank 9`.
fn describe_cut_off_players(players: &[PlayerGoal]) -> String {
    let each = players.iter().map(|player_goal| {
        format!("{} without a path to {}", player_goal.player, player_goal.goal)
    });
    each.collect::<Vec<_>>().join(" and ")
}

/// Returns the beginning of a message about two pawns on one square: the subject and the verb.
fn shared_square_sentence_start<const PLAYERS: usize>([first, second]: [&str; 2]) -> String {
    match PLAYERS {
        2 => "both pawns stand".into(),
        _ => format!("the pawns of {first} and {second} stand"),
    }
}
