//! The errors of moves and positions, for two and for four players, with the sentences that forbid them.
//!
//! The texts for two and for four, `rules.md` and `rules-four.md`, number their sentences differently. The number of
//! players is part of the types, and so says which text applies.

use std::fmt;

use pentarch_core::notation::points::letter;
use pentarch_core::{Point, RuleError};
use thiserror::Error;

use super::walls::Wall;

/// The ids of sentences of the text for two and of that for four.
type RuleIds = [&'static [&'static str]; 2];

/// Returns those of the ids that the text for this number of players has.
fn select_rule_ids<const PLAYERS: usize>([two, four]: RuleIds) -> &'static [&'static str] {
    if PLAYERS == 2 { two } else { four }
}

/// A reason why a move is illegal for this number of players.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum IllegalMove<const PLAYERS: usize> {
    /// The board lacks the square or the place of the wall.
    #[error(transparent)]
    OffBoard(#[from] OffBoard),
    /// The player has placed all walls.
    #[error("{0} has no wall left")]
    NoWallLeft(&'static str),
    /// The wall and another one cannot be on the board together.
    #[error("it {0}")]
    WallConflict(WallConflict),
    /// The wall leaves some pawns no path.
    #[error("it leaves {}", describe_cut_off(.0))]
    CutOff(Vec<PlayerGoal>),
    /// The pawn would stay on its square.
    #[error("the pawn stands on {0} already, and there is no passing")]
    Pass(Point),
    /// A pawn is on the square to which the move leads.
    #[error("{}'s pawn stands on {}", .pawn.owner, .pawn.point)]
    Occupied {
        /// The pawn on the square.
        pawn: Pawn,
        /// The way to the square.
        way: PawnMovePart,
    },
    /// A wall is between two squares of the way.
    #[error("the wall {wall} stands between {from} and {to}")]
    WallBetween {
        /// The wall.
        wall: Wall,
        /// The square before the wall.
        from: Point,
        /// The square behind the wall.
        to: Point,
        /// The way that the wall closes.
        way: PawnMovePart,
    },
    /// The pawn cannot step to this square.
    #[error("no step leads to {0}")]
    NoStep(Point),
    /// The square is not a neighbour, and not at the end of a jump.
    #[error("{to} is not a neighbour of {from}, and {no_jump}")]
    NotNeighbour {
        /// The square to which the move leads.
        to: Point,
        /// The square of the pawn.
        from: Point,
        /// The reason why no jump leads there.
        no_jump: NoJumpReason,
    },
    /// A third pawn is behind the one to be jumped.
    #[error("{third} stands behind {over}: it bars the straight jump and opens no diagonal one")]
    JumpBarred {
        /// The third pawn.
        third: Pawn,
        /// The pawn to be jumped.
        over: Pawn,
    },
    /// The straight jump over this pawn is possible, so the diagonal one is not.
    #[error("neither a wall nor the rim is behind {0}: the jump is straight then, not diagonal")]
    JumpIsStraight(Pawn),
}

impl<const PLAYERS: usize> RuleError for IllegalMove<PLAYERS> {
    fn rules(&self) -> &'static [&'static str] {
        select_rule_ids::<PLAYERS>(match self {
            IllegalMove::OffBoard(error) => error.rule_ids(),
            IllegalMove::NoWallLeft(_) => [&["7.1"], &["6.5"]],
            IllegalMove::WallConflict(wall_conflict) => wall_conflict.rule_ids(),
            IllegalMove::CutOff(_) => [&["7.6"], &["2.2"]],
            IllegalMove::Pass(_) => [&["5.2"], &["6.1"]],
            IllegalMove::Occupied { way: PawnMovePart::StraightJump, .. } => [&["6.4"], &["2.4"]],
            IllegalMove::Occupied { way: PawnMovePart::DiagonalJump, .. } => [&["6.4"], &["6.4"]],
            IllegalMove::Occupied { .. } => [&["6.4"], &["6.2"]],
            IllegalMove::WallBetween { way: PawnMovePart::Step, .. } => [&["6.2"], &["6.2"]],
            IllegalMove::WallBetween { way: PawnMovePart::ToJumpedPawn, .. } => [&["6.6"], &["6.3"]],
            IllegalMove::WallBetween { way: PawnMovePart::StraightJump, .. } => [&["6.7"], &["6.4"]],
            IllegalMove::WallBetween { way: PawnMovePart::DiagonalJump, .. } => [&["6.9"], &["6.4"]],
            IllegalMove::NotNeighbour { no_jump: NoJumpReason::EndsElsewhere(_), .. } => {
                [&["6.5"], &["2.3"]]
            }
            IllegalMove::NoStep(_) | IllegalMove::NotNeighbour { .. } => [&["6.1"], &["6.2"]],
            // With two pawns there is no third one.
            IllegalMove::JumpBarred { .. } => [&["6.10"], &["2.4"]],
            IllegalMove::JumpIsStraight(_) => [&["6.10"], &["6.4"]],
        })
    }
}

/// A reason why a position is not one of the game for this number of players.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum InvalidPosition<const PLAYERS: usize> {
    /// The board lacks a square or the place of a wall.
    #[error(transparent)]
    OffBoard(#[from] OffBoard),
    /// The walls name one of them twice.
    #[error("the wall {0} is listed twice")]
    WallTwice(Wall),
    /// The walls are not in their order.
    #[error("the walls are not in ascending order: {wall} after {before}")]
    WallOrder {
        /// The wall that belongs before the other.
        wall: Wall,
        /// The wall that is before it.
        before: Wall,
    },
    /// Two walls cannot be on the board together.
    #[error("the wall {wall} {wall_conflict}")]
    WallConflict {
        /// The second of them.
        wall: Wall,
        /// The reason, with the first of them.
        wall_conflict: WallConflict,
    },
    /// Two pawns are on one square.
    #[error("{} on {point}", shared_square_subject::<PLAYERS>(*.players))]
    SharedSquare {
        /// The players of the pawns.
        players: [&'static str; 2],
        /// The square.
        point: Point,
    },
    /// The pawn of the player to move is on its goal.
    #[error("{}'s pawn stands on its goal, {}, but it is {}'s turn", .player_goal.player, .player_goal.goal, .player_goal.player)]
    MoverOnGoal {
        /// The player to move, with the goal.
        player_goal: PlayerGoal,
        /// Whether a player wins for a team.
        teams: bool,
    },
    /// Two pawns are on their goals.
    #[error("the pawns of {} and {} both stand on their goals", .players[0], .players[1])]
    TwoOnGoals {
        /// The players of the pawns.
        players: [&'static str; 2],
        /// Whether a player wins for a team.
        teams: bool,
    },
    /// A pawn has no path to its goal.
    #[error("{}'s pawn on {point} has no path to {}", .player_goal.player, .player_goal.goal)]
    NoPath {
        /// The player of the pawn, with the goal.
        player_goal: PlayerGoal,
        /// The square of the pawn.
        point: Point,
    },
    /// A player has more walls than at the start.
    #[error("{player} has more walls left, {left}, than {} begins with, {most}", if *.is_same { "each" } else { player })]
    TooManyWalls {
        /// The player.
        player: &'static str,
        /// The number of walls that the player has left.
        left: u8,
        /// The number at the start.
        most: u8,
        /// Whether all players start with this number.
        is_same: bool,
    },
    /// The walls on the board and those left are not all walls.
    #[error("walls on the board, {placed}, and walls left, {}, do not add up to {all}", .left.map(|left| left.to_string()).join("/"))]
    WallSum {
        /// The number of walls on the board.
        placed: u32,
        /// The numbers of walls that the players have left.
        left: [u8; PLAYERS],
        /// The number of all walls.
        all: u32,
    },
    /// The player to move has no legal move, but another player has one.
    #[error("{player} has no legal move and is passed over, since {other} has one")]
    PlayerSkipped {
        /// The player to move.
        player: &'static str,
        /// The other player.
        other: &'static str,
    },
}

impl<const PLAYERS: usize> RuleError for InvalidPosition<PLAYERS> {
    fn rules(&self) -> &'static [&'static str] {
        select_rule_ids::<PLAYERS>(match self {
            InvalidPosition::OffBoard(error) => error.rule_ids(),
            InvalidPosition::WallTwice(_) => WallConflict::Same.rule_ids(),
            InvalidPosition::WallOrder { .. } => [&["10.5"], &["4.2"]],
            InvalidPosition::WallConflict { wall_conflict, .. } => wall_conflict.rule_ids(),
            InvalidPosition::SharedSquare { .. } => [&["6.4"], &["6.2"]],
            InvalidPosition::MoverOnGoal { teams, .. }
            | InvalidPosition::TwoOnGoals { teams, .. } => {
                [&["9.1"], if *teams { &["3.2"] } else { &["3.1"] }]
            }
            InvalidPosition::NoPath { .. } => [&["7.6"], &["2.2"]],
            InvalidPosition::TooManyWalls { .. } => [&["3.2"], &["1.4"]],
            InvalidPosition::WallSum { .. } => [&["7.1"], &["6.5"]],
            InvalidPosition::PlayerSkipped { .. } => [&["9.2"], &["3.3"]],
        })
    }
}

/// A point that the board lacks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum OffBoard {
    /// The board has no such square.
    #[error("{point} is off the board, which ends at {last}")]
    Square {
        /// The name of the square.
        point: Point,
        /// The last square of the board.
        last: Point,
    },
    /// No wall of this name lies on the board with its whole length.
    #[error("no wall fits at {point}: names of walls run from a1 to {last}")]
    Wall {
        /// The name of the place.
        point: Point,
        /// The last place of the board.
        last: Point,
    },
}

impl OffBoard {
    fn rule_ids(self) -> RuleIds {
        match self {
            OffBoard::Square { .. } => [&["2.1"], &["5.1"]],
            OffBoard::Wall { .. } => [&["7.2"], &["6.6"]],
        }
    }
}

/// A reason why a wall cannot be on the board together with others. Its text follows the name of the wall.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum WallConflict {
    /// The same wall is on the board.
    #[error("stands there already")]
    Same,
    /// The wall covers half of this one.
    #[error("shares an edge with the wall {0}")]
    Overlap(Wall),
    /// The wall has its middle on that of this one.
    #[error("crosses the wall {0}")]
    Crossing(Wall),
}

impl WallConflict {
    fn rule_ids(self) -> RuleIds {
        match self {
            WallConflict::Same | WallConflict::Overlap(_) => [&["7.3"], &["6.6"]],
            WallConflict::Crossing(_) => [&["7.4"], &["6.6"]],
        }
    }
}

/// The way of a pawn to a square, or a part of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PawnMovePart {
    /// A step, to whatever square.
    Step,
    /// The part of a jump up to the pawn to be jumped.
    ToJumpedPawn,
    /// The rest of a straight jump.
    StraightJump,
    /// The rest of a diagonal jump.
    DiagonalJump,
}

/// A reason why no jump leads to a square.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum NoJumpReason {
    /// The jumps over this pawn, which is on a neighbouring square, do not end there.
    #[error("no jump over {0} ends there")]
    EndsElsewhere(Pawn),
    /// The only other pawn is elsewhere.
    #[error("{0} is not between them to be jumped")]
    PawnElsewhere(Pawn),
    /// None of several other pawns is between the squares.
    #[error("no pawn stands between them to be jumped")]
    NoPawn,
}

/// A pawn on its square.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pawn {
    /// The player of the pawn.
    pub owner: &'static str,
    /// The square.
    pub point: Point,
}

impl fmt::Display for Pawn {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}'s pawn on {}", self.owner, self.point)
    }
}

/// A player and the goal of the player's pawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlayerGoal {
    /// The player.
    pub player: &'static str,
    /// The goal.
    pub goal: GoalLine,
}

/// The squares where a pawn wins: a line at an edge of the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GoalLine {
    /// A file, from 0.
    File(u8),
    /// A rank, from 0.
    Rank(u8),
}

impl fmt::Display for GoalLine {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            GoalLine::File(file) => write!(f, "file {}", letter(*file)),
            GoalLine::Rank(rank) => write!(f, "rank {}", rank + 1),
        }
    }
}

/// Returns the words for the players whose pawns have no path: `white without a path to rank 9`.
fn describe_cut_off(racers: &[PlayerGoal]) -> String {
    let each =
        racers.iter().map(|player_goal| format!("{} without a path to {}", player_goal.player, player_goal.goal));
    each.collect::<Vec<_>>().join(" and ")
}

/// Returns the beginning of the sentence on the pawns of these players, up to the verb.
fn shared_square_subject<const PLAYERS: usize>([first, second]: [&str; 2]) -> String {
    match PLAYERS {
        2 => "both pawns stand".into(),
        _ => format!("the pawns of {first} and {second} stand"),
    }
}
