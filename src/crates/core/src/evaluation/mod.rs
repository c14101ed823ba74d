//! Static evaluation and move ordering: what a search asks of a game besides its rules.
//!
//! | module | what it holds |
//! |---|---|
//! | [`net`] | a small neural net for evaluation |
//! | [`search_file`](mod@search_file) | files that searches take: nets and opening books |
//! | [`search_parameters`] | the numbers on which pruning and reductions depend |

pub mod net;
pub mod search_file;
pub mod search_parameters;

use crate::evaluation::net::Shape;
use crate::{Players, SearchParameters, Turn};

/// How unsettled a position is. This decides what the search does with a position at the end of its depth (quiescence
/// search).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QuiescenceState {
    /// The position can be evaluated as it stands.
    Quiet,
    /// The position can be evaluated as it stands, but a [noisy](NOISY) move may be better than that evaluation.
    Noisy,
    /// The side to move must act, so that the static evaluation says little: a capture is compulsory, or the opponent
    /// threatens to win. The search looks at all moves, and deeper than elsewhere.
    Forced,
}

/// A move with at least this [ordering score](Evaluate::move_ordering_scores) is noisy: a capture, a threat, a step
/// into the goal.
pub const NOISY: i32 = 1000;

/// The name of the feature that is the output of a net.
pub const NET_FEATURE: &str = "the net";

/// Static evaluation and move ordering. The cache, the features and their weights must be given; everything else has a
/// default. The methods are only asked about positions in which the game is not over.
///
/// The evaluation is linear in its features: for each feature, what the second side has of it is subtracted from what
/// the first side has; the evaluation is the sum of these differences, each times the weight of its feature. So the
/// weights can be fitted to the results of games.
pub trait Evaluate: Players {
    /// What is worked out once for a position and used for its features, its tension and the ordering of its moves;
    /// `()` in a game that needs nothing of the kind.
    type EvalCache: Default;

    /// The features by name, each with its weight: the value of one unit of the feature in tenths of a centipawn. A
    /// weight of 1000 is the value of the game's basic unit (a man, a step).
    const FEATURE_WEIGHTS: &'static [(&'static str, i32)];

    /// The depth in plies to which the benchmark searches, and the texts of the positions that it searches, under the
    /// default rules. A game of the program `pentarch` must give some.
    const BENCH: (u32, &'static [&'static str]) = (1, &[]);

    /// The number of different values of [`history_index`](Evaluate::history_index).
    const HISTORY_SIZE: usize = 1;

    /// The numbers on which pruning and reductions of the search depend.
    const SEARCH_PARAMETERS: SearchParameters = SearchParameters::DEFAULT;

    /// Whether the search extends singular moves, and reduces nodes for which the transposition table knows no move.
    const EXTENDS_SINGULAR_MOVES: bool = false;

    /// By how many centipawns the score of a search grows where the odds of winning grow by the factor e, fitted by
    /// logistic regression to games of the engine with itself at some thousand nodes a move.
    const WIN_RATE_SCALE: i32 = 300;

    /// Whether an evaluation takes much longer than a look into a table, so that a search keeps evaluations by the
    /// [search key](crate::Rules::search_key) of their positions.
    const KEEPS_EVALUATIONS: bool = false;

    /// Works out the cache that the other methods take.
    fn eval_cache(&self, position: &Self::Position) -> Self::EvalCache {
        let _ = position;
        Self::EvalCache::default()
    }

    /// Calls `feature` once for each feature, in the order of the [weights](Evaluate::FEATURE_WEIGHTS), with how much
    /// of it the first and the second side have. Features that are left out at the end are 0.
    fn features(
        &self,
        position: &Self::Position,
        cache: &Self::EvalCache,
        feature: impl FnMut([i32; 2]),
    );

    /// The static evaluation for the side to move, in centipawns within ±9999.
    #[inline]
    fn evaluate(&self, position: &Self::Position, cache: &Self::EvalCache) -> i32 {
        let (mut sum, mut number) = (0, 0);
        self.features(position, cache, |[first, second]| {
            sum += Self::FEATURE_WEIGHTS[number].1 * (first - second);
            number += 1;
        });
        (sum / 10 * position.side_to_move().sign()).clamp(-9999, 9999)
    }

    /// How unsettled the position is.
    fn quiescence_state(
        &self,
        position: &Self::Position,
        cache: &Self::EvalCache,
    ) -> QuiescenceState {
        let _ = (position, cache);
        QuiescenceState::Quiet
    }

    /// The move ordering score of each move of a position, within ±100000: moves with higher scores are tried first.
    /// Moves with at least [`NOISY`] are those that the quiescence search tries in a [noisy](QuiescenceState::Noisy) position.
    fn move_ordering_scores<'a>(
        &'a self,
        position: &'a Self::Position,
        cache: &'a Self::EvalCache,
    ) -> impl Fn(Self::Move) -> i32 + 'a {
        let _ = (position, cache);
        |_| 0
    }

    /// What a person would make each move of a position for, as a number of the game's own; none if a move is of no
    /// use that one sees at once. Weak players think of a purpose first, and then of a move for it.
    fn purposes<'a>(
        &'a self,
        position: &'a Self::Position,
        cache: &'a Self::EvalCache,
    ) -> impl Fn(Self::Move) -> Option<u8> + 'a {
        let _ = (position, cache);
        |_| Some(0)
    }

    /// The entry of a move in the tables of the history heuristic, below [`HISTORY_SIZE`](Evaluate::HISTORY_SIZE). It
    /// depends on what the move does on the board, not on the position: moves with the same index share their entry.
    fn history_index(&self, mv: Self::Move) -> usize {
        let _ = mv;
        0
    }

    /// The position after a null move: the other side is to move and nothing else has changed. Only games in which
    /// having to move is hardly ever a burden (zugzwang) give one. The search asks for it only in positions that are
    /// not [forced](QuiescenceState::Forced).
    fn null_move(&self, position: &Self::Position) -> Option<Self::Position> {
        let _ = position;
        None
    }
}

/// What the [net] of an evaluation sees of a position, for those who train it. The output of the net is one
/// of the features. A game without a net keeps the defaults.
pub trait NetInputs: Evaluate {
    /// The shape of the net that the evaluation uses, whatever the rules; none if it uses none.
    const NET: Option<Shape> = None;

    /// Calls `input` with each input of the net that is active, seen from the side to move: once each, and each below
    /// the number of inputs. It is only called in a game with a [net](NetInputs::NET).
    fn inputs(&self, position: &Self::Position, cache: &Self::EvalCache, input: impl FnMut(usize)) {
        let _ = (position, cache, input);
    }

    /// The output bucket of a position: a phase of the game.
    fn output_bucket(&self, position: &Self::Position) -> usize {
        let _ = position;
        0
    }
}
