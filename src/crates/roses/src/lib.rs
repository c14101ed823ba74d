//! Guerre des Deux Roses (Le Korrigan, 2004). Each side drops four soldiers, which then move along
//! lines to capture the enemy castle.
//!
//! | module | contents |
//! |---|---|
//! | `board` | cells, directions, neighbours, and support |
//! | `position` | the state, and playing a move |
//! | `moves` | the moves and their generation |
//! | `names` | the names of the sides and the letters of the pieces |
//! | `notation` | position strings and move strings |
//! | `legality` | the legal move for a parsed move, or the rule that forbids it |
//! | `rule_violations` | the errors of move strings and position strings, with the broken rules |
//! | `lesson` | a guided first game |
//! | `diagram` | the board as a text diagram |
//! | `layout` | the board as front ends draw it, and moves as clicks |
//! | `position_counts` | the numbers by which players assess a position |
//! | `go_board_projection` | the game on the board of a Go front end |
//! | `eval` | the evaluation |
//! | `numbering` | the positions as numbers, for the tablebase |
//! | `solver` | solves all positions, the move phase first |
//! | `drop_phase` | solves the drop phase |
//! | `soldier_sets` | the sets of cells with soldiers, and their numbers |
//! | `tables` | the losses of the solved game, and the values of all positions |

mod board;
mod diagram;
mod drop_phase;
mod eval;
mod go_board_projection;
mod layout;
mod legality;
mod lesson;
mod moves;
mod names;
mod notation;
pub mod numbering;
mod position;
mod position_counts;
mod rule_violations;
mod soldier_sets;
mod solver;
pub mod tables;

use pentarch_core::rules::key;
use pentarch_core::rules::options::REPETITION_DRAW_OPTION;
use pentarch_core::{
    CheckOption, Exercises, HasPlayers, HistoryBans, MatchOpenings, NetInputs, OpeningBook,
    OptionSpec, Options, Outcome, PublishedNotation, Rules, Side, Symmetry,
};

use board::{BoardGraph, CASTLE_CELLS};
use moves::Move;
use position::{Position, SOLDIERS_PER_SIDE};

/// The option that requires adjacent soldiers in an attack by support.
const CONTIGUOUS_SUPPORT_OPTION: CheckOption = OptionSpec::define_check(
    "Roses_ContiguousSupport",
    "Whether the two soldiers of an attack by support must be adjacent to each other",
    false,
);

/// The option that makes the third occurrence of a position a draw.
const REPETITION_OPTION: CheckOption = OptionSpec::define_check(
    "Roses_Repetition",
    "Whether a third occurrence of a position is a draw",
    true,
);

/// The rules of Guerre des Deux Roses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Roses {
    board: BoardGraph,
    /// Whether the third occurrence of a position is a draw.
    repetition_draws: bool,
}

impl Roses {
    /// Returns whether the two soldiers of an attack by support must be adjacent to each other.
    fn requires_contiguous_support(&self) -> bool {
        self.board == BoardGraph::new(true)
    }
}

impl Default for Roses {
    fn default() -> Roses {
        Roses::from_options(&Options::default())
    }
}

pentarch_core::turn_from_fields!(Position);

impl Rules for Roses {
    type Position = Position;
    type Move = Move;

    const GAME_ID: &'static str = "roses";
    const GAME_NAME: &'static str = "Guerre des Deux Roses";
    const GAME_SUMMARY: &'static str =
        "drop four soldiers, then push through to the enemy castle, two abreast on a line";
    const FIRST_SIDE_SCORE_PERCENT: Option<u8> = Some(49);
    const SIDE_NAMES: [&'static str; 2] = ["white", "black"];
    const RULE_OPTIONS: &'static [OptionSpec] =
        &[CONTIGUOUS_SUPPORT_OPTION.spec, REPETITION_OPTION.spec];

    fn from_options(options: &Options) -> Roses {
        Roses {
            board: BoardGraph::new(options.is_on(&CONTIGUOUS_SUPPORT_OPTION)),
            repetition_draws: options.is_on(&REPETITION_OPTION)
                || options.is_on(&REPETITION_DRAW_OPTION),
        }
    }

    /// Returns the position with only the castles on the board and all soldiers in reserve.
    fn start_position(&self) -> Position {
        Position {
            soldiers: [0; 2],
            castles: CASTLE_CELLS[0].bit() | CASTLE_CELLS[1].bit(),
            reserves: [SOLDIERS_PER_SIDE; 2],
            side: Side::First,
            full_move: 1,
        }
    }

    /// Returns the outcome of the game. A side whose castle is captured has lost. If the side to
    /// move has no legal move, this side has also lost.
    fn outcome(&self, position: &Position) -> Option<Outcome> {
        if let Some(winner) = Side::BOTH_SIDES.into_iter().find(|&side| position.castle(!side) == 0)
        {
            Some(Outcome::Win(winner, "castle"))
        } else if !moves::has_move(&self.board, position) {
            Some(Outcome::Win(!position.side, "no move"))
        } else {
            None
        }
    }

    fn legal_moves(&self, position: &Position, moves: &mut Vec<Move>) {
        if position.has_both_castles() {
            moves::generate_moves(&self.board, position, moves);
        }
    }

    fn play(&self, position: &Position, mv: Move) -> Position {
        position.play(&self.board, mv)
    }

    fn search_key(&self, position: &Position) -> u64 {
        key::hash_words(&[position.packed_bits()])
    }

    fn repetition_outcome(&self, _: &Position) -> Option<Outcome> {
        self.repetition_draws.then_some(Outcome::Draw("repetition"))
    }

    /// Returns whether the move is a drop or a capture. A soldier never returns to the reserve, and
    /// a captured piece never returns to the board.
    fn is_irreversible_move(&self, position: &Position, mv: Move) -> bool {
        matches!(mv, Move::Drop(_)) || position.captured_cell(&self.board, mv) != 0
    }

    /// Returns the half turn, which exchanges the castles. The board has no other symmetry.
    fn symmetries(&self) -> Vec<Symmetry<Roses>> {
        vec![Symmetry {
            name: "half turn",
            swaps_sides: true,
            position: |_, position| position.half_turn(),
            mv: |_, mv| mv.half_turn(),
        }]
    }
}

impl HasPlayers for Roses {}
impl HistoryBans for Roses {}
impl NetInputs for Roses {}
impl PublishedNotation for Roses {}

pentarch_search::compile_search!(Roses);

impl OpeningBook for Roses {}

impl MatchOpenings for Roses {
    fn match_openings(&self) -> Option<&'static str> {
        Some(if self.requires_contiguous_support() {
            include_str!("../openings/contiguous.txt")
        } else {
            include_str!("../openings/roses.txt")
        })
    }
}

impl Exercises for Roses {
    const PROBLEM_RECORDS: &'static str = include_str!("../problems.txt");
    const DRILL_POSITIONS: &'static str = include_str!("../drills.txt");
}
