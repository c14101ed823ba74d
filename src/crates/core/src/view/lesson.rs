//! A guided first game, as a list of small tasks on the board.
//!
//! A person solves each task with one move. The tasks lead from the simplest move to the winning
//! move. After the last task, the person knows enough to play a whole game.

/// A task of the guided first game: a position, and the moves that solve the task. The default
/// rules of the game apply, and the person plays the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LessonStep {
    /// The description of the task for people, in one or two sentences.
    pub text: &'static str,
    /// The FEN of the position.
    pub fen: &'static str,
    /// The canonical strings of all moves that solve the task.
    pub moves: &'static [&'static str],
    /// A hint for people who do not find a solution.
    pub hint: &'static str,
    /// A remark that is shown to people after they have solved the task.
    pub done: &'static str,
}
