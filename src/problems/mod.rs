//! Problems: positions in which exactly one move wins, or holds a draw, to be solved by people.
//!
//! | module | what it holds |
//! |---|---|
//! | [`compose`] | a list of new problems of a game, proved and graded |
//! | [`drills`] | won and drawn positions to be played to the end |
//! | [`judge`] | whether a position is a problem, and its grade and themes |
//! | `line` | the solution of a problem, proved |
//! | [`solved`] | which problems this user has solved |
//! | [`twins`] | whether two positions are alike |
//!
//! The problems of the program are in [`builtin_problems`](pentarch_engine::builtin_problems).
//!
//! The side to move, the solver, wins by force within so many of its own moves, the *length* of the problem, and not
//! within fewer. The first move, the *key*, is the only one that wins in any number of moves, and so is each move of
//! the solver in the solution but the last; the opponent replies with moves that resist longest. The last move ends the
//! game; where several do, each is right.
//!
//! Where a [draw] is to be held, neither side can win by force, and after every other move the opponent
//! can. The solution goes on while there is a reply after which again only one move holds; its length is the number of
//! such moves.
//!
//! A problem is written as a [record]: the position, the solution with the key marked `!`, behind
//! it perhaps a move that tempts, with its refutation, and the tags `Grade`, `Length` and `ProblemTheme`.
//!
//! ```text
//! [Game "roses"]
//! [Fen "..."]
//! [Grade "2"]
//! [Length "2"]
//! [ProblemTheme "surprise"]
//! 1. c3d4! (1. e2? f3) f3 2. a1b2 1-0
//! ```
//!
//! [draw]: pentarch_engine::problem::Theme::Draw
//! [record]: pentarch_core::notation::record

pub mod compose;
pub mod drills;
pub mod judge;
pub mod line;
pub mod solved;
pub mod twins;

/// The greatest length of a problem, in moves of the solver.
pub const MOST_MOVES: u32 = 5;
