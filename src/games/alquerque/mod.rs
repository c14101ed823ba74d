//! Alquerque de doze: twelve checkers a side on twenty-five points, and an alternative for almost every rule.
//!
//! | room | what it holds |
//! |---|---|
//! | `board` | points, lines and directions |
//! | `rules` | the alternatives, and the options that choose them |
//! | `position` | the state, playing a move, outcomes |
//! | `moves` | the moves and their generation |
//! | `notation` | position texts, move texts, the drawn board |
//! | `reasons` | from a move text to the move, or to the rule that forbids it |
//! | `projection` | the game on the board of a Go front end |
//! | `eval` | the evaluation |
//! | `bound` | tables of positions in which one side may be forbidden a step |
//! | `tables` | the positions as numbers, for tables of solved ones |
//! | `solution` | those tables: in memory, in files, and what they say |

pub mod board;
pub mod bound;
mod eval;
pub mod moves;
mod notation;
pub mod position;
mod projection;
mod reasons;
pub mod rules;
pub mod solution;
pub mod tables;

pub use rules::Alquerque;

use crate::core::{Game, OptionSpec, Options, Outcome, Side, Symmetry};

use moves::Move;
use position::Position;
use rules::Movement;

/// A symmetry of the game from one of the board.
macro_rules! symmetry {
    ($name:literal, $swaps_sides:literal, $image:expr) => {
        Symmetry {
            name: $name,
            swaps_sides: $swaps_sides,
            position: |_, position: &Position| position.map($swaps_sides, $image),
            mv: |_, mv: Move| mv.map($image),
        }
    };
}
impl Game for Alquerque {
    type Position = Position;
    type Move = Move;

    const ID: &'static str = "alquerque";
    const NAME: &'static str = "Alquerque de doze";
    const SUMMARY: &'static str = "jump over all twelve enemy checkers along the lines of the board";
    const SIDES: [&'static str; 2] = ["light", "dark"];
    const OPTIONS: &'static [OptionSpec] = &[
        rules::RULESET,
        rules::MULTI_CAPTURE,
        rules::REMOVAL,
        rules::MOVEMENT,
        rules::BASE_ROW,
        rules::RETREAT,
        rules::MISSED_CAPTURE,
        rules::WIN,
    ];

    fn from_options(options: &Options) -> Alquerque {
        Alquerque::new(options)
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
        position.outcome(self)
    }

    fn legal_moves(&self, position: &Position, moves: &mut Vec<Move>) {
        if position.men.iter().all(|&men| men != 0) {
            self.generate(position, moves);
        }
    }

    fn play(&self, position: &Position, mv: Move) -> Position {
        position.play(self, mv)
    }

    /// REQ.27.ALT.3: position and status.
    fn repetition_key(&self, position: &Position) -> u64 {
        position.key()
    }

    fn search_key(&self, position: &Position) -> u64 {
        position.key_of_future(self)
    }

    fn repetition_outcome(&self, _: &Position) -> Option<Outcome> {
        self.repetition_draws.then_some(Outcome::Draw("repetition"))
    }

    /// Checkers that leave the board do not return (REQ.13), and in Bell's movement only a capture takes a checker
    /// back.
    fn is_irreversible(&self, _: &Position, mv: Move) -> bool {
        let forwards = mv.step().is_some_and(|direction| direction.ranks() != 0);
        mv.huffed.is_some() || !mv.is_step() || forwards && self.movement != Movement::Free
    }

    /// Movement is symmetric in all ways of the board and between the sides, Bell's only where forwards stays forwards.
    /// The quarter turns are left out: they are not their own inverses.
    fn symmetries(&self) -> Vec<Symmetry<Alquerque>> {
        let mut symmetries = vec![
            symmetry!("file mirror", false, board::mirror_files),
            symmetry!("rank mirror, sides swapped", true, board::mirror_ranks),
            symmetry!("half turn, sides swapped", true, board::half_turn),
        ];
        if self.movement == Movement::Free {
            symmetries.extend([
                symmetry!("rank mirror", false, board::mirror_ranks),
                symmetry!("half turn", false, board::half_turn),
                symmetry!("mirror on a1-e5", false, board::mirror_diagonal),
                symmetry!("mirror on a5-e1", false, board::mirror_antidiagonal),
                symmetry!("sides swapped", true, |point| point),
                symmetry!("file mirror, sides swapped", true, board::mirror_files),
                symmetry!("mirror on a1-e5, sides swapped", true, board::mirror_diagonal),
                symmetry!("mirror on a5-e1, sides swapped", true, board::mirror_antidiagonal),
            ]);
        }
        symmetries
    }
}
