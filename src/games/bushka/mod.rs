//! Bushka: soldiers in phalanxes and flying kings, which capture by approach.
//!
//! | room | what it holds |
//! |---|---|
//! | `board` | the dark squares, directions, and lines of sight |
//! | `position` | the state, playing a move, outcomes |
//! | `moves` | the moves, the generation of quiet ones, and what comes first |
//! | `captures` | captures by phalanxes and by pieces |
//! | `notation` | position texts, move texts, the drawn board |
//! | `reasons` | why a move is illegal |
//! | `projection` | the game on the board of a Go front end |
//! | `eval` | the evaluation |

pub mod board;
pub mod captures;
mod eval;
pub mod moves;
mod notation;
pub mod position;
mod projection;
mod reasons;

use crate::core::{Game, OptionSpec, Options, Outcome, Probe, Side, Symmetry, key};

use board::{Board, Square};
use eval::Judge;
use moves::Move;
use position::Position;

/// The published board, or the older one.
const BOARD: OptionSpec = OptionSpec::combo("Bushka_Board", &["10x10", "11x9"]);

/// The rules of Bushka on one of the two boards.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bushka {
    board: Board,
    net: &'static Judge,
}

impl Game for Bushka {
    type Position = Position;
    type Move = Move;

    const ID: &'static str = "bushka";
    const NAME: &'static str = "Bushka";
    const SUMMARY: &'static str = "advance in phalanxes, capture by approach, and make the last move";
    const SIDES: [&'static str; 2] = ["white", "black"];
    const OPTIONS: &'static [OptionSpec] = &[BOARD];

    fn from_options(options: &Options) -> Bushka {
        match options.choice(&BOARD) {
            0 => Bushka { board: Board::new(10, 10), net: &eval::TEN },
            _ => Bushka { board: Board::new(11, 9), net: &eval::ELEVEN },
        }
    }

    fn start(&self) -> Position {
        Position::start(&self.board)
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
        moves::generate(&self.board, position, moves);
    }

    fn play(&self, position: &Position, mv: Move) -> Position {
        position.play(&self.board, mv)
    }

    /// Repetition compares the board and the side to move.
    fn repetition_key(&self, position: &Position) -> u64 {
        key::hash(&position.words())
    }

    fn search_key(&self, position: &Position) -> u64 {
        key::hash(&position.words())
    }

    fn repetition_outcome(&self, _: &Position) -> Option<Outcome> {
        Some(Outcome::Draw("repetition"))
    }

    /// A capture takes pieces off for good. A soldier or a phalanx that captures nothing leads soldiers forward, and
    /// only captures can lead them back. So all that can be undone is a king's quiet move.
    fn is_irreversible(&self, position: &Position, mv: Move) -> bool {
        position.own_soldiers() & mv.from().bit() != 0 || captures::captured(position, mv) != 0
    }

    /// The half turn, which swaps the sides, and on 11x9 the mirrors: on 10x10 a mirror swaps dark and light squares.
    fn symmetries(&self) -> Vec<Symmetry<Bushka>> {
        let half_turn = Symmetry::<Bushka> {
            name: "half turn",
            swaps_sides: true,
            position: |game, position| position.map(true, |square| game.board.half_turn(square)),
            mv: |game, mv| mv.map(|square| game.board.half_turn(square)),
        };
        if self.board.files.is_multiple_of(2) {
            return vec![half_turn];
        }
        let file_mirror = Symmetry::<Bushka> {
            name: "file mirror",
            swaps_sides: false,
            position: |game, position| position.map(false, |square| game.board.file_mirror(square)),
            mv: |game, mv| mv.map(|square| game.board.file_mirror(square)),
        };
        let rank_mirror = Symmetry::<Bushka> {
            name: "rank mirror",
            swaps_sides: true,
            position: |game, position| position.map(true, |square| rank_mirror(&game.board, square)),
            mv: |game, mv| mv.map(|square| rank_mirror(&game.board, square)),
        };
        vec![half_turn, file_mirror, rank_mirror]
    }
}

fn rank_mirror(board: &Board, square: Square) -> Square {
    board.half_turn(board.file_mirror(square))
}

impl Probe for Bushka {}
