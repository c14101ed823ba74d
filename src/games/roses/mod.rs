//! Guerre des Deux Roses (Le Korrigan, 2004): four soldiers a side, dropped and then led in lines against a castle.
//!
//! | room | what it holds |
//! |---|---|
//! | `board` | cells, directions and neighbours, and who supports whom |
//! | `position` | the state, playing a move, outcomes |
//! | `moves` | the moves and their generation |
//! | `notation` | position texts and move texts |
//! | `reasons` | the legal move that a text names, or the rule that forbids it |
//! | `diagram` | the drawn board |
//! | `projection` | the game on the board of a Go front end |
//! | `eval` | the evaluation |
//! | `tables` | the positions as numbers, for the tables that solve the game |

pub mod board;
mod diagram;
mod eval;
pub mod moves;
mod notation;
pub mod position;
mod projection;
mod reasons;
pub mod tables;

use crate::core::{Game, OptionSpec, Options, Outcome, Probe, Side, Symmetry, TableValue, key};
use crate::tables::later::Later;
use crate::tables::{Numbering, Tables};

use board::Board;
use moves::Move;
use position::Position;
use tables::Soldiers;

/// The two soldiers of an attack by support must be adjacent to each other as well.
const CONTIGUOUS_SUPPORT: OptionSpec = OptionSpec::check("Roses_ContiguousSupport", false);

/// The rules of Guerre des Deux Roses. Repetition is a draw under all of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Roses {
    board: Board,
    /// The value of every position.
    solution: Later<Tables>,
}

impl Game for Roses {
    type Position = Position;
    type Move = Move;

    const ID: &'static str = "roses";
    const NAME: &'static str = "Guerre des Deux Roses";
    const SUMMARY: &'static str = "drop four soldiers, then push through to the enemy castle, two abreast on a line";
    const SIDES: [&'static str; 2] = ["white", "black"];
    const OPTIONS: &'static [OptionSpec] = &[CONTIGUOUS_SUPPORT];

    fn from_options(options: &Options) -> Roses {
        Roses { board: Board::new(options.is_on(&CONTIGUOUS_SUPPORT)), solution: Later::default() }
    }

    fn start(&self) -> Position {
        Position::start()
    }

    fn side_to_move(&self, position: &Position) -> Side {
        position.side
    }

    fn full_move(&self, position: &Position) -> u32 {
        position.full_move
    }

    fn outcome(&self, position: &Position) -> Option<Outcome> {
        position.outcome(&self.board)
    }

    fn legal_moves(&self, position: &Position, moves: &mut Vec<Move>) {
        if position.has_both_castles() {
            moves::generate(&self.board, position, moves);
        }
    }

    fn play(&self, position: &Position, mv: Move) -> Position {
        position.play(&self.board, mv)
    }

    fn repetition_key(&self, position: &Position) -> u64 {
        key::hash(&[position.men()])
    }

    fn search_key(&self, position: &Position) -> u64 {
        key::hash(&[position.men()])
    }

    fn repetition_outcome(&self, _: &Position) -> Option<Outcome> {
        Some(Outcome::Draw("repetition"))
    }

    /// Drops and captures: a soldier never goes back to the reserve, nor a captured piece to the board.
    fn is_irreversible(&self, position: &Position, mv: Move) -> bool {
        matches!(mv, Move::Drop(_)) || position.captures(&self.board, mv) != 0
    }

    /// The castles stand aslant to all axes of the board, so that no mirror keeps it: a half turn is all there is.
    fn symmetries(&self) -> Vec<Symmetry<Roses>> {
        vec![Symmetry {
            name: "half turn",
            swaps_sides: true,
            position: |_, position| position.half_turn(),
            mv: |_, mv| mv.half_turn(),
        }]
    }
}

/// All positions are solved on first need.
impl Probe for Roses {
    fn probe(&self, position: &Position) -> Option<TableValue> {
        let place = tables::place(position)?;
        Some(self.solution.get()?.get(place)?.value())
    }

    fn begin_tables(&self) {
        // Without the solution, which would else be wanted for ever.
        let rules = Roses { solution: Later::default(), ..self.clone() };
        self.solution.begin(move |making| {
            let numbering = Soldiers::new(&rules);
            let mut tables = Tables::default();
            numbering.groups().iter().all(|group| tables.solve(&numbering, group, making)).then_some(tables)
        });
    }

    fn await_tables(&self, given_up: &dyn Fn() -> bool) {
        self.solution.wait(given_up);
    }

    fn table_faults(&self) -> Vec<String> {
        self.solution.take_faults()
    }
}
