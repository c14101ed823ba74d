//! What a game is to the rest of the program: rules, notation and tables, each a trait of its own.

use std::fmt::Debug;
use std::path::Path;

use super::{Evaluate, Illegal, OptionSpec, Options, Outcome, PositionError, Projection, Side, SyntaxError};

/// The rules of one game, as a value: board size and rule alternatives are chosen once, from [`Options`], and compiled
/// into whatever tables the rules need. Two equal values play the same game.
///
/// Positions are small, plain and copied; a move is one whole turn. What history decides (repetition) is told apart
/// from what the position alone decides: [`Line`](super::Line) puts the two together.
pub trait Game: Clone + PartialEq + Debug + Send + Sync + 'static {
    /// A position without its history, with the full-move number.
    type Position: Copy + Eq + Debug + Send + Sync;
    /// One whole turn: every jump, the huff included.
    type Move: Copy + Eq + Debug + Send + Sync;

    /// The word that selects the game: `quoridor`.
    const ID: &'static str;
    /// The name for people: `Quoridor`.
    const NAME: &'static str;
    /// One line for people that says what the game is about.
    const SUMMARY: &'static str;
    /// What the game calls its sides, in lower case, the first to move first.
    const SIDES: [&'static str; 2];
    /// The options that choose among the game's rules, named with the game in front: `Quoridor_Walls`.
    const OPTIONS: &'static [OptionSpec];

    /// The rules that these options choose. Options of other games are ignored.
    fn from_options(options: &Options) -> Self;

    /// The start position.
    fn start(&self) -> Self::Position;

    /// Whose turn it is.
    fn side_to_move(&self, position: &Self::Position) -> Side;

    /// The full-move number.
    fn full_move(&self, position: &Self::Position) -> u32;

    /// How the game has ended, as far as the position alone tells.
    fn outcome(&self, position: &Self::Position) -> Option<Outcome>;

    /// Appends the legal moves to `moves`, each once: none exactly if the [`outcome`](Game::outcome) is decided.
    ///
    /// The order depends on nothing but what [`search_key`](Game::search_key) covers.
    fn legal_moves(&self, position: &Self::Position, moves: &mut Vec<Self::Move>);

    /// The position after a legal move.
    fn play(&self, position: &Self::Position, mv: Self::Move) -> Self::Position;

    /// The key of what the repetition rule compares.
    fn repetition_key(&self, position: &Self::Position) -> u64;

    /// The key of everything that decides how the game can go on, the history aside: not the full-move number.
    fn search_key(&self, position: &Self::Position) -> u64;

    /// What the third occurrence of this position is worth; none if these rules let it pass.
    fn repetition_outcome(&self, position: &Self::Position) -> Option<Outcome>;

    /// Whether after this move no earlier position can ever come again (a capture, a drop, a wall from the hand).
    ///
    /// Only makes the search for repetitions shorter; `false` is always right.
    fn is_irreversible(&self, position: &Self::Position, mv: Self::Move) -> bool;

    /// The symmetries of these rules, the identity left out.
    fn symmetries(&self) -> Vec<Symmetry<Self>>;
}

/// A map of a game's positions and moves that keeps all rules, but for what the game's file lists as exceptions.
pub struct Symmetry<G: Game> {
    /// What it does to the board: `half turn`.
    pub name: &'static str,
    /// Whether it turns the first side's men into the second's and back, the side to move with them.
    pub swaps_sides: bool,
    /// The image of a position.
    pub position: fn(&G, &G::Position) -> G::Position,
    /// The image of a move.
    pub mv: fn(&G, G::Move) -> G::Move,
}

/// Texts of positions and moves, and the board drawn for people.
pub trait Notation: Game {
    /// A move as it was written, knowing no position.
    type MoveText;

    /// Reads a position text.
    ///
    /// # Errors
    /// If it is not of the form, not canonical, or gives a position that cannot be.
    fn parse_position(&self, text: &str) -> Result<Self::Position, PositionError>;

    /// The canonical text of a position: what [`parse_position`](Notation::parse_position) reads back.
    fn position_text(&self, position: &Self::Position) -> String;

    /// Reads a move text, knowing no position. The case of letters does not matter.
    ///
    /// # Errors
    /// If the text is not of the form of a move of this game.
    fn parse_move(&self, text: &str) -> Result<Self::MoveText, SyntaxError>;

    /// The legal move that a move text names in an undecided position.
    ///
    /// # Errors
    /// The rule that forbids it.
    fn find_move(&self, position: &Self::Position, text: &Self::MoveText) -> Result<Self::Move, Illegal>;

    /// The canonical text of a move.
    fn move_text(&self, mv: Self::Move) -> String;

    /// The move text for people, where the game has such a form: `after` is the outcome that the move leads to, with
    /// its history.
    fn annotated_move(&self, position: &Self::Position, mv: Self::Move, after: Option<Outcome>) -> String {
        let _ = (position, after);
        self.move_text(mv)
    }

    /// The board as it looks on a table, several lines without trailing spaces, the last one not ended. What stands
    /// beside the board (men in hand, the side to move) belongs to it.
    fn diagram(&self, position: &Self::Position) -> String;
}

/// What is known for certain of a position, for the side to move.
///
/// Where the rules know a past that tables do not, the plies are the most that it takes whatever the past.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TableValue {
    /// It wins in this many plies.
    Win(u32),
    /// Neither side can force a win.
    Draw,
    /// It loses in this many plies.
    Loss(u32),
}

impl TableValue {
    /// The plies to the end of a game that is won or lost; 0 for a draw.
    pub fn plies(self) -> u32 {
        match self {
            TableValue::Win(plies) | TableValue::Loss(plies) => plies,
            TableValue::Draw => 0,
        }
    }
}

/// What is known of positions without a search. Games of which nothing is known keep the defaults.
pub trait Probe: Game {
    /// The exact value of this position, if it takes no table to tell.
    fn compute(&self, position: &Self::Position) -> Option<TableValue> {
        let _ = position;
        None
    }

    /// The exact value of this position, if a table holds it or it takes none.
    fn probe(&self, position: &Self::Position) -> Option<TableValue> {
        self.compute(position)
    }

    /// The exact value of this position, if a table holds it or it can be worked out in the time of a search of a few
    /// plies.
    fn solve(&self, position: &Self::Position) -> Option<TableValue> {
        self.probe(position)
    }

    /// The value of this position under rules like these, if a table holds it: most often right, but no proof. For
    /// where [`probe`](Probe::probe) does not know.
    fn hint(&self, position: &Self::Position) -> Option<TableValue> {
        let _ = position;
        None
    }

    /// Begins to make the tables, unless that has begun. Returns at once; [`probe`](Probe::probe) finds them when they
    /// are there.
    fn begin_tables(&self) {}

    /// Begins to make tables for a proof instead, in memory: of all positions with at most so many men, if the game
    /// can, or of as many as it makes tables of by itself.
    fn begin_proof_tables(&self, men: Option<usize>) {
        let _ = men;
        self.begin_tables();
    }

    /// Waits for the tables that were begun, or until `given_up` says so.
    fn await_tables(&self, given_up: &dyn Fn() -> bool) {
        let _ = given_up;
    }

    /// What was wrong with the files that tables were to come from; each fault is told once.
    fn table_faults(&self) -> Vec<String> {
        Vec::new()
    }

    /// Makes the files that `plan` asks for, one after the other, and `tell`s of it all the while; those that are there
    /// already are kept.
    ///
    /// # Errors
    /// If the game has no such files, or they cannot be made or written, or are found wrong.
    fn make_tables(&self, plan: &TablePlan, tell: &(dyn Fn(TableNews) + Sync)) -> Result<(), TableFailure> {
        let _ = (plan, tell);
        Err(TableFailure::Refused(format!("{} has no tables in files", Self::NAME)))
    }

    /// This game under rules that forbid the other side less, and by which positions tell less of the past: what `side`
    /// can force under them, it can force here. None if there are no such rules; the tables of a game that has none
    /// tell exact plies.
    fn easier_against(&self, side: Side) -> Option<Self> {
        let _ = side;
        None
    }

    /// The position without what the rules remember of the past moves of one side.
    fn without_past_of(&self, position: &Self::Position, side: Side) -> Self::Position {
        let _ = side;
        *position
    }

    /// The position without what the rules remember of the past.
    fn without_past(&self, position: &Self::Position) -> Self::Position {
        Side::BOTH.into_iter().fold(*position, |position, side| self.without_past_of(&position, side))
    }

    /// What the past of a position forbids each side, as bits, if these are all that it does, a side is never better
    /// off for it and no position can come again: a win holds then for other pasts, too. None if not.
    fn forbidden(&self, position: &Self::Position) -> Option<[u64; 2]> {
        let _ = position;
        None
    }

    /// Of that, what forbids the side to move something that it could do otherwise.
    fn forbidden_now(&self, position: &Self::Position) -> u64 {
        let _ = position;
        0
    }

    /// What would forbid a move.
    fn forbids(&self, mv: Self::Move) -> u64 {
        let _ = mv;
        0
    }

    /// What a move allows or forbids to either side, whatever was forbidden before.
    fn set_by(&self, mv: Self::Move) -> u64 {
        let _ = mv;
        0
    }

    /// A book of the moves by which the first player wins from the start position, if there is one that goes as far as
    /// this position: not where tables are to take over.
    fn book(&self, position: &Self::Position) -> Option<&'static [u8]> {
        let _ = position;
        None
    }
}

/// Which files of tables to make.
#[derive(Debug, Clone, Copy)]
pub struct TablePlan<'a> {
    /// Where.
    pub directory: &'a Path,
    /// Of positions with up to so many men in all, as somebody has written the number: how many there can be, the game
    /// knows.
    pub men: &'a str,
    /// Whether to hold every position against those that its moves lead to.
    pub check: bool,
}

/// Why there are no files of tables.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TableFailure {
    /// There cannot be such files; nothing has been done.
    Refused(String),
    /// They cannot be made or written, or are found wrong.
    Failed(String),
}

/// What the making of a file of tables tells.
#[derive(Debug, Clone, Copy)]
pub enum TableNews<'a> {
    /// Its analysis looks so many plies back from the ends of the game.
    Solving(&'a str, u32),
    /// A file that was there is of no use, and why; it is made anew.
    Refused(&'a str),
    /// Its positions are held against those that their moves lead to.
    Checking(&'a str),
    /// It is complete, and has so many bytes of values.
    Made(&'a str, usize),
    /// It was complete before.
    Kept(&'a str, usize),
}

/// Everything that the program asks of a game.
pub trait Complete: Notation + Evaluate + Probe + Projection {}

impl<G: Notation + Evaluate + Probe + Projection> Complete for G {}
