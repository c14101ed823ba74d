//! A guided first game as data: small tasks on the board, in the order in which they are to be done.
//!
//! A task is done by a move. The tasks go from the simplest move to the one that wins, and whoever has done them all
//! knows enough to play a first game to its end.

/// A small task: a position, and moves in it that are what is asked for. The game is played by its usual rules, and the
/// person makes the move of the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LessonStep {
    /// What is to be done, in one or two sentences for people.
    pub text: &'static str,
    /// The text of the position.
    pub fen: &'static str,
    /// The canonical texts of all moves that do what the text says.
    pub moves: &'static [&'static str],
    /// How to do it, for whoever does not find it.
    pub hint: &'static str,
    /// What has been learned, for whoever has done it.
    pub done: &'static str,
}
