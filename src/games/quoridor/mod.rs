//! Quoridor: two pawns race across the board, and walls make the way of the other one longer.
//!
//! | room | what it holds |
//! |---|---|
//! | `board` | squares and posts as bits, and the sets that make up a board of one size |
//! | `walls` | walls and sets of them |
//! | `paths` | passages between squares, floods, shortest ways |
//! | `loops` | which walls would part a pawn from its goal |
//! | `placement` | where a wall may be placed |
//! | `race` | the game without walls in hand, solved |
//! | `position` | the state, playing a move, outcomes |
//! | `moves` | the moves and their generation |
//! | `notation` | position texts and move texts |
//! | `reasons` | why a move is illegal |
//! | `diagram` | the drawn board |
//! | `projection` | the game on the board of a Go front end |
//! | `eval` | the evaluation |
//! | `samples` | random positions, for tests |

pub mod board;
mod diagram;
mod eval;
mod loops;
pub mod moves;
mod notation;
pub mod paths;
mod placement;
pub mod position;
mod projection;
pub mod race;
mod reasons;
#[cfg(test)]
mod samples;
pub mod walls;

use crate::core::options::REPETITION_DRAW;
use crate::core::{Game, OptionSpec, Options, Outcome, Probe, Side, Symmetry, TableValue, key};

use board::{Board, Mirror};
use moves::Move;
use position::Position;
use race::Races;

/// The number of files and of ranks.
const BOARD_SIZE: OptionSpec = OptionSpec::combo("Quoridor_BoardSize", &["9", "3", "5", "7", "11"]);
/// The values of [`BOARD_SIZE`].
const SIZES: [u8; 5] = [9, 3, 5, 7, 11];
/// How many walls each player has at the start.
const WALLS: OptionSpec = OptionSpec::spin("Quoridor_Walls", 10, 0, MOST_WALLS as i64);
/// The most walls that a player can have.
const MOST_WALLS: u8 = 20;

/// The rules of Quoridor, on a board of one size, with so many walls.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quoridor {
    board: Board,
    /// How many walls each player has at the start.
    walls: u8,
    /// Whether the third occurrence of a position is a draw.
    repetition_draw: bool,
    races: Races,
}

impl Game for Quoridor {
    type Position = Position;
    type Move = Move;

    const ID: &'static str = "quoridor";
    const NAME: &'static str = "Quoridor";
    const SUMMARY: &'static str = "walk your pawn to the far side, and put walls in the way of the other one";
    const SIDES: [&'static str; 2] = ["white", "black"];
    const OPTIONS: &'static [OptionSpec] = &[BOARD_SIZE, WALLS];

    fn from_options(options: &Options) -> Quoridor {
        Quoridor {
            board: Board::new(SIZES[options.choice(&BOARD_SIZE)]),
            walls: options.number(&WALLS).clamp(0, i64::from(MOST_WALLS)) as u8,
            repetition_draw: options.is_on(&REPETITION_DRAW),
            races: Races::default(),
        }
    }

    fn start(&self) -> Position {
        Position::start(&self.board, self.walls)
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

    /// Pawns, walls, walls left and the side to move.
    fn repetition_key(&self, position: &Position) -> u64 {
        key::hash(&position.words())
    }

    /// The same as the [`repetition_key`](Game::repetition_key): nothing else decides how the game can go on.
    fn search_key(&self, position: &Position) -> u64 {
        self.repetition_key(position)
    }

    /// The rules know no draw; the common option `RepetitionDraw` makes the third occurrence one.
    fn repetition_outcome(&self, _: &Position) -> Option<Outcome> {
        self.repetition_draw.then_some(Outcome::Draw("repetition"))
    }

    /// A wall stands for ever.
    fn is_irreversible(&self, _: &Position, mv: Move) -> bool {
        matches!(mv, Move::Wall(_))
    }

    fn symmetries(&self) -> Vec<Symmetry<Quoridor>> {
        const FILES: Mirror = Mirror { files: true, ranks: false };
        const RANKS: Mirror = Mirror { files: false, ranks: true };
        const BOTH: Mirror = Mirror { files: true, ranks: true };
        vec![
            Symmetry {
                name: "mirror of the files",
                swaps_sides: false,
                position: |game, position| position.mirrored(&game.board, FILES),
                mv: |game, mv| mv.mirrored(&game.board, FILES),
            },
            Symmetry {
                name: "mirror of the ranks",
                swaps_sides: true,
                position: |game, position| position.mirrored(&game.board, RANKS),
                mv: |game, mv| mv.mirrored(&game.board, RANKS),
            },
            Symmetry {
                name: "half turn",
                swaps_sides: true,
                position: |game, position| position.mirrored(&game.board, BOTH),
                mv: |game, mv| mv.mirrored(&game.board, BOTH),
            },
        ]
    }
}

impl Probe for Quoridor {
    /// Once neither side has a wall in hand: the [race](race), solved from a few floods if the pawns cannot meet.
    fn compute(&self, position: &Position) -> Option<TableValue> {
        if position.left != [0; 2] {
            return None;
        }
        race::undisturbed(&self.board, position, position.open(&self.board))
    }

    /// Any race at all.
    fn solve(&self, position: &Position) -> Option<TableValue> {
        let is_race = position.left == [0; 2];
        self.compute(position).or_else(|| is_race.then(|| self.races.value(&self.board, position)))
    }
}
