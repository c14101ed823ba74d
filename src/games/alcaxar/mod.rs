//! Alcaxar: two knights, eight walls that belong to nobody, and two fortresses.
//!
//! | room | what it holds |
//! |---|---|
//! | `board` | squares, towers and slots, and the table of every turn of a wall |
//! | `position` | the state, playing a move, outcomes |
//! | `moves` | the moves and their generation |
//! | `notation` | position texts, move texts, reasons, the drawn board |
//! | `projection` | the game on the board of a Go front end |
//! | `areas` | squares and slots as sets that shift onto each other: steps, ways and turns all at once |
//! | `insight` | what threatens, and how far it is to the fortresses |
//! | `eval` | the evaluation |

mod areas;
pub mod board;
mod eval;
mod insight;
pub mod moves;
mod notation;
pub mod position;
mod projection;

use crate::core::{Game, OptionSpec, Options, Outcome, Probe, Side, Symmetry, key};

use board::Board;
use moves::Move;
use position::{Position, STALEMATE};

/// The rules of Alcaxar. They have no alternatives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alcaxar {
    board: Board,
}

impl Game for Alcaxar {
    type Position = Position;
    type Move = Move;

    const ID: &'static str = "alcaxar";
    const NAME: &'static str = "Alcaxar";
    const SUMMARY: &'static str = "turn the walls, trap the enemy knight or step into its fortress";
    const SIDES: [&'static str; 2] = ["red", "green"];
    const OPTIONS: &'static [OptionSpec] = &[];

    fn from_options(_: &Options) -> Alcaxar {
        Alcaxar { board: Board::default() }
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
        if self.outcome(position).is_none() {
            moves::generate(&self.board, position, moves);
        }
    }

    fn play(&self, position: &Position, mv: Move) -> Position {
        position.play(mv)
    }

    fn repetition_key(&self, position: &Position) -> u64 {
        key::hash(&[position.men()])
    }

    fn search_key(&self, position: &Position) -> u64 {
        key::hash(&[position.men(), position.last_wall.map_or(0, |slot| 1 + u64::from(slot.0))])
    }

    /// A stalemate is never a draw: the shorter way to the enemy fortress wins, then the larger choice of squares,
    /// then Green.
    fn repetition_outcome(&self, position: &Position) -> Option<Outcome> {
        Some(Outcome::Win(position.stalemate_winner(&self.board), STALEMATE))
    }

    fn is_irreversible(&self, _: &Position, _: Move) -> bool {
        false
    }

    /// The fortresses stand at two ends of a diagonal, so the board has four symmetries. Only the last tie-break of
    /// the stalemate, which favours Green, is not symmetric.
    fn symmetries(&self) -> Vec<Symmetry<Alcaxar>> {
        vec![
            Symmetry {
                name: "half turn",
                swaps_sides: true,
                position: |_, position| position.map(true, board::half_turn),
                mv: |_, mv| mv.map(board::half_turn),
            },
            Symmetry {
                name: "mirror on a1-i9",
                swaps_sides: true,
                position: |_, position| position.map(true, board::mirror),
                mv: |_, mv| mv.map(board::mirror),
            },
            Symmetry {
                name: "mirror on a9-i1",
                swaps_sides: false,
                position: |_, position| position.map(false, |point| board::half_turn(board::mirror(point))),
                mv: |_, mv| mv.map(|point| board::half_turn(board::mirror(point))),
            },
        ]
    }
}

impl Probe for Alcaxar {}
