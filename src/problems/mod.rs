//! Problems: positions in which exactly one move wins, or holds a draw, for people to solve.
//!
//! | module | contents |
//! |---|---|
//! | [`compose`] | lists of new problems of a game, proved and graded |
//! | [`drills`] | won and drawn positions to be played to the end |
//! | [`grader`] | the problem of a position, with its grade and themes |
//! | [`problem_prover`] | the proved solution of a problem |
//! | [`solved_problems`] | the problems that this user has solved |
//! | [`dedup`] | the detection of duplicate positions |
//!
//! The problems of the program are in [`builtin_problems`](pentarch_engine::builtin_problems).
//!
//! The side to move, the solver, can force a win within a number of its own moves, the *length* of
//! the problem, and not within fewer. The first move, the *key*, is the only one that wins in any
//! number of moves. So is each move of the solver in the solution, except the last. The opponent
//! replies with moves that resist longest. The last move ends the game; if several do, each is
//! right.
//!
//! If a [draw] is to be held, neither side can force a win, and after every other move the opponent
//! can. The solution continues while there is a reply after which again only one move holds; its
//! length is the number of such moves.
//!
//! A problem is written as a [record]: the position, the solution with the key marked `!`, after it
//! perhaps a tempting move with its refutation, and the tags `Grade`, `Length` and `ProblemTheme`.
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
//! [draw]: pentarch_engine::problem::ProblemTheme::Draw
//! [record]: pentarch_core::notation::record

pub mod compose;
pub mod dedup;
pub mod drills;
pub mod grader;
pub mod problem_prover;
pub mod solved_problems;

/// The maximum length of a problem, in moves of the solver.
pub const MAX_MOVES: u32 = 5;
