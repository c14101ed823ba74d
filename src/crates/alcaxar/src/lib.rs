//! Alcaxar: two knights, eight walls that both sides move, and two fortresses.
//!
//! | module | contents |
//! |---|---|
//! | `board` | squares, towers and slots, and a table of all turns of walls |
//! | `position` | the game state, playing a move, outcomes |
//! | `moves` | the moves and their generation |
//! | `notation` | position strings, move strings, the text diagram of the board |
//! | `legality` | the legal move for a move string, or the rule that forbids it |
//! | `rule_violations` | the errors of move strings and position strings, with the broken rules |
//! | `lesson` | a guided first game |
//! | `published_notation` | positions in the notation of the rules' source |
//! | `layout` | the board as front ends draw it, and moves as clicks |
//! | `position_counts` | the numbers by which players assess a position |
//! | `go_board_projection` | the game on the board of a Go front end |
//! | `bitboard` | squares, towers and slots as bits: knight steps, distances and wall turns by shifts |
//! | `position_eval_data` | distances to the fortresses, exits, and winning threats |
//! | `net_inputs` | the inputs of the neural net |
//! | `net_input_sums` | the sums of the net's weights for groups of inputs |
//! | `eval` | the evaluation |
//! | `solver` | solves the game: forced wins, their files, checks, extraction |

mod bitboard;
pub mod board;
mod eval;
mod go_board_projection;
mod layout;
mod legality;
mod lesson;
pub mod moves;
mod net_input_sums;
mod net_inputs;
mod notation;
pub mod position;
mod position_counts;
mod position_eval_data;
mod published_notation;
mod rule_violations;
pub mod solver;

use pentarch_core::rules::key;
use pentarch_core::symmetry;
use pentarch_core::{
    Exercises, HasPlayers, HistoryBans, LoadableFile, MatchOpenings, OpeningBook, Outcome, Rules,
    SearchDataFiles, Symmetry,
};

use board::Board;
use moves::Move;
use position::{Position, REPETITION_WIN_REASON};

/// The rules of Alcaxar. There are no options.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Alcaxar {
    board: Board,
}

pentarch_core::turn_from_fields!(Position);

impl Rules for Alcaxar {
    type Position = Position;
    type Move = Move;

    const GAME_ID: &'static str = "alcaxar";
    const GAME_NAME: &'static str = "Alcaxar";
    const GAME_SUMMARY: &'static str =
        "turn the walls, trap the enemy knight or step into its fortress";
    const FIRST_MOVE_CAN_LOSE: bool = true;
    const FIRST_SIDE_SCORE_PERCENT: Option<u8> = Some(56);
    const SIDE_NAMES: [&'static str; 2] = ["red", "green"];

    fn start_position(&self) -> Position {
        Position::start()
    }

    fn outcome(&self, position: &Position) -> Option<Outcome> {
        position.outcome(&self.board)
    }

    fn legal_moves(&self, position: &Position, moves: &mut Vec<Move>) {
        if self.outcome(position).is_none() {
            moves::generate_moves(&self.board, position, moves);
        }
    }

    fn play(&self, position: &Position, mv: Move) -> Position {
        position.play(mv)
    }

    fn repetition_key(&self, position: &Position) -> u64 {
        key::hash_words(&[position.packed_bits()])
    }

    fn search_key(&self, position: &Position) -> u64 {
        key::hash_words(&[
            position.packed_bits(),
            position.last_wall.map_or(0, |slot| 1 + u64::from(slot.0)),
        ])
    }

    /// Four plies: each side moves and then moves back. This restores the walls and knights, but
    /// the blocked walls may differ. Two plies are not enough: a side cannot undo a step of the
    /// other side's knight, or turn back a wall that the other side has just turned, because that
    /// wall is blocked.
    const MIN_PLIES_TO_REPETITION_WITH_OTHER_SEARCH_KEY: Option<u32> = Some(4);

    /// Returns the outcome of a repetition: a stalemate, which is never a draw. The side whose
    /// knight is nearer to the enemy fortress wins. If the distances are equal, the side whose
    /// knight can step to more squares wins. If these numbers are also equal, Green wins.
    fn repetition_outcome(&self, position: &Position) -> Option<Outcome> {
        Some(Outcome::Win(
            position.third_occurrence_result(&self.board).winner,
            REPETITION_WIN_REASON,
        ))
    }

    /// Returns the three symmetries other than the identity. They exist because the fortresses are
    /// at the two ends of a diagonal. One rule is not symmetric: the last tie-break of a stalemate
    /// favours Green.
    fn symmetries(&self) -> Vec<Symmetry<Alcaxar>> {
        vec![
            symmetry!("half turn", true, board::half_turn_point),
            symmetry!("mirror on a1-i9", true, board::mirror_point),
            symmetry!("mirror on a9-i1", false, |point| board::half_turn_point(
                board::mirror_point(point)
            )),
        ]
    }
}

impl HasPlayers for Alcaxar {}
impl HistoryBans for Alcaxar {}

pentarch_search::compile_search!(Alcaxar);

impl OpeningBook for Alcaxar {}

impl SearchDataFiles for Alcaxar {
    fn search_data_files(&self) -> Vec<&'static dyn LoadableFile> {
        vec![&eval::ALCAXAR_NET]
    }
}

impl MatchOpenings for Alcaxar {
    fn match_openings(&self) -> Option<&'static str> {
        Some(include_str!("../openings/alcaxar.txt"))
    }
}

impl Exercises for Alcaxar {
    const PROBLEM_RECORDS: &'static str = include_str!("../problems.txt");
}
