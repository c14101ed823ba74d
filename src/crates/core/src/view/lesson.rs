//! A guided first game as data: small tasks on the board, in order.
//!
//! Each task is done by a move. The tasks lead from the simplest move to the winning one; after all
//! of them you know enough to play a first game to its end.

/// A small task: a position, and the moves in it that solve the task. The game is played by its
/// default rules, and the person moves for the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LessonStep {
    /// The task, in one or two sentences for people.
    pub text: &'static str,
    /// The position string.
    pub fen: &'static str,
    /// The canonical strings of all moves that solve the task.
    pub moves: &'static [&'static str],
    /// How to solve it, for people who do not find it.
    pub hint: &'static str,
    /// A conclusion for people who have solved it.
    pub done: &'static str,
}
