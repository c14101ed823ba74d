//! Guerre des Deux Roses (Le Korrigan, 2004): four soldiers a side are dropped, and then move along lines to capture
//! the enemy castle.
//!
//! | module | what it holds |
//! |---|---|
//! | `board` | cells, directions, neighbours, and support |
//! | `position` | the state, and playing a move |
//! | `moves` | the moves and their generation |
//! | `names` | the names of the sides and the letters of the pieces |
//! | `notation` | position texts and move texts |
//! | `legality` | from a move text to the legal move, or to the rule that forbids it |
//! | `errors` | the errors of move texts and position texts, with the rules that are broken |
//! | `lesson` | a guided first game |
//! | `diagram` | the board as a text diagram |
//! | `layout` | the board as front ends draw it, and moves as clicks |
//! | `projection` | the game on the board of a Go front end |
//! | `eval` | the evaluation |
//! | `numbering` | the positions as numbers, for the tablebase |
//! | `solver` | solves all positions, the move phase first |
//! | `drop_phase` | solves the drop phase |
//! | `sets` | the sets of cells with soldiers as numbers |
//! | `tables` | the tablebase of all positions |

pub mod board;
mod diagram;
mod drop_phase;
mod errors;
mod eval;
mod layout;
mod legality;
mod lesson;
pub mod moves;
mod names;
mod notation;
pub mod numbering;
pub mod position;
mod projection;
mod sets;
pub mod solver;
pub mod tables;

use pentarch_core::rules::key;
use pentarch_core::rules::options::REPETITION_DRAW;
use pentarch_core::{
    CheckOption, Exercises, HistoryBans, MatchOpenings, NetInputs, OpeningBook, OptionSpec,
    Options, Outcome, Players, PublishedNotation, Rules, SearchFiles, Side, Symmetry,
};

use board::{Board, HOMES};
use moves::Move;
use position::{Position, SOLDIERS};

/// Whether the two soldiers of an attack by support must be adjacent to each other.
const CONTIGUOUS_SUPPORT: CheckOption = OptionSpec::check("Roses_ContiguousSupport", false);

/// Whether the third occurrence of a position is a draw.
const REPETITION: CheckOption = OptionSpec::check("Roses_Repetition", true);

/// The rules of Guerre des Deux Roses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Roses {
    board: Board,
    /// Whether the third occurrence of a position is a draw.
    repetition_draws: bool,
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

    const ID: &'static str = "roses";
    const NAME: &'static str = "Guerre des Deux Roses";
    const SUMMARY: &'static str =
        "drop four soldiers, then push through to the enemy castle, two abreast on a line";
    const SIDES: [&'static str; 2] = ["white", "black"];
    const OPTIONS: &'static [OptionSpec] = &[CONTIGUOUS_SUPPORT.spec, REPETITION.spec];

    fn from_options(options: &Options) -> Roses {
        Roses {
            board: Board::new(options.is_on(&CONTIGUOUS_SUPPORT)),
            repetition_draws: options.is_on(&REPETITION) || options.is_on(&REPETITION_DRAW),
        }
    }

    /// Only the castles stand on the board, and all soldiers are in reserve.
    fn start(&self) -> Position {
        Position {
            soldiers: [0; 2],
            castles: HOMES[0].bit() | HOMES[1].bit(),
            reserves: [SOLDIERS; 2],
            side: Side::First,
            full_move: 1,
        }
    }

    /// The game ends if a castle is captured, or if the side to move has no legal move and loses.
    fn outcome(&self, position: &Position) -> Option<Outcome> {
        if let Some(winner) = Side::BOTH.into_iter().find(|&side| position.castle(!side) == 0) {
            Some(Outcome::Win(winner, "castle"))
        } else if !moves::any(&self.board, position) {
            Some(Outcome::Win(!position.side, "no move"))
        } else {
            None
        }
    }

    fn legal_moves(&self, position: &Position, moves: &mut Vec<Move>) {
        if position.has_both_castles() {
            moves::generate(&self.board, position, moves);
        }
    }

    fn play(&self, position: &Position, mv: Move) -> Position {
        position.play(&self.board, mv)
    }

    fn search_key(&self, position: &Position) -> u64 {
        key::hash(&[position.packed()])
    }

    fn repetition_outcome(&self, _: &Position) -> Option<Outcome> {
        self.repetition_draws.then_some(Outcome::Draw("repetition"))
    }

    /// Drops and captures are irreversible: a soldier never returns to the reserve, nor a captured piece to the board.
    fn is_irreversible(&self, position: &Position, mv: Move) -> bool {
        matches!(mv, Move::Drop(_)) || position.captures(&self.board, mv) != 0
    }

    /// The half turn, which exchanges the castles, is the only symmetry of the board.
    fn symmetries(&self) -> Vec<Symmetry<Roses>> {
        vec![Symmetry {
            name: "half turn",
            swaps_sides: true,
            position: |_, position| position.half_turn(),
            mv: |_, mv| mv.half_turn(),
        }]
    }
}

impl Players for Roses {}
impl HistoryBans for Roses {}
impl NetInputs for Roses {}
impl PublishedNotation for Roses {}

pentarch_search::compile_search!(Roses);

impl OpeningBook for Roses {}

impl SearchFiles for Roses {}

impl MatchOpenings for Roses {
    fn openings(&self) -> Option<&'static str> {
        Some(match self.board == Board::new(true) {
            true => include_str!("../openings/contiguous.txt"),
            false => include_str!("../openings/roses.txt"),
        })
    }
}

impl Exercises for Roses {
    const PROBLEMS: &'static str = include_str!("../problems.txt");
    const DRILLS: &'static str = include_str!("../drills.txt");
}
