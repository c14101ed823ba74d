//! Quoridor for four players: each against all, or two teams of two.
//!
//! Outside this crate, the game is also called `quoridor`; the option `Quoridor_Players` selects
//! it. The search supports only two sides. With teams, the sides are the teams. In free for all,
//! the first side is the player to move at the root, and the second side is all other players. This
//! is the paranoid assumption (Sturtevant and Korf, 2000).
//!
//! | module | contents |
//! |---|---|
//! | `position` | the state, playing a move, outcomes |
//! | `moves` | the moves, and the walls that may be placed |
//! | `notation` | position strings, move strings, the board as a text diagram |
//! | `layout` | the board as front ends draw it |
//! | `eval` | the evaluation |

mod eval;
mod layout;
mod moves;
mod notation;
mod position;

use std::convert::Infallible;

use pentarch_core::rules::key;
use pentarch_core::rules::options::REPETITION_DRAW_OPTION;
use pentarch_core::{
    ComboOption, Exercises, GoBoardProjection, HasPlayers, HistoryBans, MatchOpenings, NetInputs,
    OpeningBook, OptionSpec, Options, Outcome, ProbeResult, ProbeTables, ProbeWorkLimit, Rules,
    SearchDataFiles, Side, TableValue, WriteTables,
};

use super::board::Board;
use super::moves::{Move, generate_moves};
use super::{BOARD_SIZE_OPTION, FOUR_PLAYER_WALLS_OPTION, PLAYER_COUNT_OPTION, TEAMS_OPTION};

use position::{FourPlayerTurn, Position};

const PLAYER_NAMES: [&str; 4] = ["player1", "player2", "player3", "player4"];
/// The players of the first team, with one bit for each player.
const TEAM_ONE_PLAYERS: u8 = 0b0101;
/// The players of the first side in free for all: only the first player. A search replaces this
/// player by the player to move.
const FIRST_PLAYER_SET: u8 = 0b0001;

/// The rules of Quoridor for four players, on a board of one size. Each player has the same number
/// of walls.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QuoridorForFour {
    pub(super) board: Board,
    /// The goal squares of each player's pawn.
    goals: [u128; 4],
    /// The number of walls that each player has at the start.
    walls: u8,
    /// Whether players 1 and 3 play against players 2 and 4.
    has_teams: bool,
    /// Whether the third occurrence of a position is a draw.
    repetition_draw: bool,
}

impl Default for QuoridorForFour {
    fn default() -> QuoridorForFour {
        QuoridorForFour::from_options(&Options::default())
    }
}

impl QuoridorForFour {
    /// Returns the player whose pawn is on its goal, or `None` if no pawn is on its goal.
    fn player_at_goal(&self, position: &Position) -> Option<usize> {
        (0..4).find(|&player| position.pawns[player].bit() & self.goals[player] != 0)
    }
}

impl Rules for QuoridorForFour {
    type Position = Position;
    type Move = Move;

    const GAME_ID: &'static str = super::Quoridor::GAME_ID;
    const GAME_NAME: &'static str = super::Quoridor::GAME_NAME;
    const GAME_SUMMARY: &'static str = super::Quoridor::GAME_SUMMARY;
    const SIDE_NAMES: [&'static str; 2] = ["team1", "team2"];
    const RULE_OPTIONS: &'static [OptionSpec] = super::Quoridor::RULE_OPTIONS;

    fn from_options(options: &Options) -> QuoridorForFour {
        let board = Board::new(options.spin_value(&BOARD_SIZE_OPTION) as u8);
        QuoridorForFour {
            goals: [
                board.goals[0],
                board.file_squares(board.size - 1),
                board.goals[1],
                board.file_squares(0),
            ],
            walls: options.spin_value(&FOUR_PLAYER_WALLS_OPTION) as u8,
            has_teams: options.is_on(&TEAMS_OPTION),
            repetition_draw: options.is_on(&REPETITION_DRAW_OPTION),
            board,
        }
    }

    fn start_position(&self) -> Position {
        Position {
            walls: super::walls::Walls::EMPTY,
            pawns: self.board.start_squares(),
            walls_left: [self.walls; 4],
            mover: FourPlayerTurn {
                player: 0,
                first_side_players: if self.has_teams {
                    TEAM_ONE_PLAYERS
                } else {
                    FIRST_PLAYER_SET
                },
            },
            full_move: 1,
        }
    }

    fn outcome(&self, position: &Position) -> Option<Outcome> {
        if let Some(player) = self.player_at_goal(position) {
            return Some(Outcome::Win(position.mover.side_containing_player(player), "goal"));
        }
        let open = position.open_passages(&self.board);
        // Play skips a player without a legal move. So if the player to move has none, no player
        // has one.
        (!self.can_move(position, open, position.player_index()))
            .then_some(Outcome::Draw("no move"))
    }

    fn legal_moves(&self, position: &Position, moves: &mut Vec<Move>) {
        if self.player_at_goal(position).is_none() {
            let open = position.open_passages(&self.board);
            let targets = moves::pawn_targets(&position.pawns, position.player_index(), open);
            generate_moves(position, targets, || self.placeable_walls(position, open), moves);
        }
    }

    fn play(&self, position: &Position, mv: Move) -> Position {
        self.position_after_move(position, mv)
    }

    /// Returns a key of the pawns, the walls on the board, the walls left, the player to move, and
    /// the players of the first side. The value of a position depends on all of these.
    fn search_key(&self, position: &Position) -> u64 {
        key::hash_words(&position.words_to_hash(position.mover.first_side_players))
    }

    fn repetition_key(&self, position: &Position) -> u64 {
        key::hash_words(&position.words_to_hash(0))
    }

    fn repetition_outcome(&self, _: &Position) -> Option<Outcome> {
        self.repetition_draw.then_some(Outcome::Draw("repetition"))
    }

    /// Returns `true` for a wall, because a wall is never removed.
    fn is_irreversible_move(&self, _: &Position, mv: Move) -> bool {
        matches!(mv, Move::Wall(_))
    }
}

impl HasPlayers for QuoridorForFour {
    const PLAYER_NAMES: &'static [&'static str] = &PLAYER_NAMES;
    const PLAYER_COUNT_OPTION: Option<&'static ComboOption<usize>> = Some(&PLAYER_COUNT_OPTION);

    fn player_to_move(&self, position: &Position) -> usize {
        position.player_index()
    }

    fn side_of_player(&self, player: usize) -> Option<Side> {
        let side = if TEAM_ONE_PLAYERS >> player & 1 != 0 { Side::First } else { Side::Second };
        self.has_teams.then_some(side)
    }

    fn side_number_and_name(&self, position: &Position, side: Side) -> (usize, &'static str) {
        let first_alone = position.mover.first_side_players.trailing_zeros() as usize;
        match (self.player_at_goal(position), side) {
            _ if self.has_teams => (side.index(), Self::SIDE_NAMES[side.index()]),
            (Some(player), _) => (player, PLAYER_NAMES[player]),
            (None, Side::First) => (first_alone, PLAYER_NAMES[first_alone]),
            (None, Side::Second) => (1, "the rest"),
        }
    }

    fn position_seen_by_mover(&self, position: &Position) -> Position {
        let first_side_players =
            if self.has_teams { TEAM_ONE_PLAYERS } else { 1 << position.mover.player };
        Position { mover: FourPlayerTurn { first_side_players, ..position.mover }, ..*position }
    }
}

impl ProbeTables for QuoridorForFour {
    type Tables = ();

    /// Finds only wins in one ply: moves of the pawn into its goal.
    fn probe_tables(&self, (): &(), position: &Position, _: ProbeWorkLimit) -> Option<ProbeResult> {
        let open = position.open_passages(&self.board);
        let targets = moves::pawn_targets(&position.pawns, position.player_index(), open);
        (targets & self.goals[position.player_index()] != 0)
            .then_some(ProbeResult::Value(TableValue::Win(1)))
    }
}

impl HistoryBans for QuoridorForFour {}
impl OpeningBook for QuoridorForFour {}
impl SearchDataFiles for QuoridorForFour {}
impl MatchOpenings for QuoridorForFour {}
impl Exercises for QuoridorForFour {}
impl NetInputs for QuoridorForFour {}
impl WriteTables for QuoridorForFour {
    type TableError = Infallible;
}
// Go front ends cannot show stones of four colours.
impl GoBoardProjection for QuoridorForFour {}

pentarch_search::compile_search!(QuoridorForFour);
