//! Judgement: what a search needs to know of a game beyond its rules.

use super::Game;

/// How unsettled a position is, and so what the search does with it where its depth is used up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tension {
    /// It can be judged as it stands.
    Quiet,
    /// It can be judged as it stands, but a [noisy](NOISY) move may be better than that judgement.
    Noisy,
    /// The side to move must act, so that the static evaluation says little: a capture is compulsory, or the opponent
    /// threatens to win. The search looks at all moves, and deeper than elsewhere.
    Forced,
}

/// From this [promise](Evaluate::promises) on a move is noisy: a capture, a threat, a step into the goal.
pub const NOISY: i32 = 1000;

/// What an evaluation is made of, and what makes moves promising.
///
/// The evaluation is linear in its parts: the sum of how much of each part the sides have, times the part's weight. So
/// weights can be found from the results of games.
pub trait Evaluate: Game {
    /// What is worked out once for a position, and then serves its evaluation, its tension and the promises of its
    /// moves.
    type Insight;

    /// Positions that the benchmark searches under the default rules, and how many plies deep.
    const BENCH: (u32, &'static [&'static str]);

    /// How many different values [`slot`](Evaluate::slot) has.
    const SLOTS: usize;

    /// The parts of the evaluation by name, and what one unit of each is worth, in thousandths of the game's small
    /// change (a man, a step): ten of these are a centipawn.
    const WEIGHTS: &'static [(&'static str, i32)];

    /// How many inputs the game's [net](super::net) has; 0 if it has none.
    const INPUTS: usize = 0;

    /// The inputs of the net that are on, each below [`INPUTS`](Evaluate::INPUTS) and named once, as the side to move
    /// sees the position. What the net says of it is one of the parts of the evaluation.
    fn inputs(&self, position: &Self::Position) -> impl Iterator<Item = usize> {
        let _ = position;
        std::iter::empty()
    }

    /// Works out what the other methods need. The position is undecided, here and there.
    fn study(&self, position: &Self::Position) -> Self::Insight;

    /// Calls `part` with how much either side has of each part of the evaluation, in the order of the
    /// [weights](Evaluate::WEIGHTS).
    fn parts(&self, position: &Self::Position, insight: &Self::Insight, part: impl FnMut([i32; 2]));

    /// The static evaluation for the side to move, in centipawns within ±9999.
    #[inline]
    fn evaluate(&self, position: &Self::Position, insight: &Self::Insight) -> i32 {
        let (mut sum, mut number) = (0, 0);
        self.parts(position, insight, |[first, second]| {
            sum += Self::WEIGHTS[number].1 * (first - second);
            number += 1;
        });
        (sum / 10 * self.side_to_move(position).sign()).clamp(-9999, 9999)
    }

    /// How unsettled the position is.
    fn tension(&self, position: &Self::Position, insight: &Self::Insight) -> Tension;

    /// How promising each move of a position looks, to try the best first, within ±100000; from [`NOISY`] on for the
    /// moves that a position is not settled without.
    fn promises<'a>(
        &'a self,
        position: &'a Self::Position,
        insight: &'a Self::Insight,
    ) -> impl Fn(Self::Move) -> i32 + 'a;

    /// A number below [`SLOTS`](Evaluate::SLOTS) for what the move does on the board, wherever it is made: moves with
    /// the same number share what the search learns about them.
    fn slot(&self, mv: Self::Move) -> usize;

    /// The position with the other side to move and nothing else changed, in games where having to move is hardly ever
    /// a burden: what is good even then is good. Asked only of positions that are not [forced](Tension::Forced).
    fn pass(&self, position: &Self::Position) -> Option<Self::Position> {
        let _ = position;
        None
    }
}
