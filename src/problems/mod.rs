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
//! The side to move is the *solver*. The solver can force a win. The number of moves that the
//! solver needs for the win is the *length* of the problem. The first move is the *key*. No other
//! first move wins, however long the game lasts. The same holds for each later move of the solver
//! in the solution, except the last move. The opponent replies with moves that resist longest. The
//! last move ends the game. If several moves end the game, each of them is right.
//!
//! In some problems the solver must hold a [draw]. In such a position neither side can force a win,
//! but after every move except the key, the opponent can force a win. The solution continues while
//! the opponent has a reply after which again only one move holds the draw. The length is the
//! number of these only moves.
//!
//! A problem is written as a [record]. The record has the position, the tags `Grade`, `Length` and
//! `Theme`, and the solution with the key marked `!`. A tempting move with its refutation may
//! follow the key.
//!
//! ```text
//! [Game "roses"]
//! [Fen "..."]
//! [Grade "2"]
//! [Length "2"]
//! [Theme "surprise"]
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
pub const MAX_PROBLEM_MOVES: u32 = 5;
