//! Static evaluation and move ordering: the knowledge about a game that a search needs in addition
//! to its rules.
//!
//! | module | contents |
//! |---|---|
//! | [`data_format`] | the formats of nets and opening books |
//! | [`net`] | a small neural net for evaluation |
//! | [`search_file`](mod@search_file) | files that a search needs: nets and opening books |
//! | [`search_parameters`] | the parameters of pruning and reductions |

pub mod data_format;
pub mod net;
pub mod search_file;
pub mod search_parameters;

use crate::evaluation::net::NetShape;
use crate::{Players, SearchParameters, Turn};

/// The state of a position for the quiescence search, which decides how the search continues at the
/// end of its depth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QuiescenceState {
    /// The static evaluation is reliable.
    Quiet,
    /// The static evaluation is reliable, but a [noisy](MIN_NOISY_SCORE) move may lead to a better
    /// one.
    Noisy,
    /// The side to move must act, so that the static evaluation says little: a capture is
    /// compulsory, or the opponent threatens to win. The search tries all moves, and deeper than
    /// elsewhere.
    Forced,
}

/// The minimum [ordering score](Evaluate::move_ordering_scores) of a noisy move: a capture, a
/// threat, a step into the goal.
pub const MIN_NOISY_SCORE: i32 = 1000;

/// The name of the feature that is the output of a net.
pub const NET_FEATURE: &str = "the net";

/// Static evaluation and move ordering. The cache, the features and their weights are required;
/// everything else has a default. The methods only get positions in which the game is not over.
///
/// The evaluation is linear in its features: it is the sum of the features' differences between the
/// first and the second side, each times the weight of the feature. So the weights can be fitted to
/// the results of games.
pub trait Evaluate: Players {
    /// Data that is computed once for a position and used for its features, its quiescence state
    /// and the ordering of its moves; `()` in a game that needs no such data.
    type EvalCache: Default;

    /// The features by name, each with its weight: the value of one unit of the feature in tenths
    /// of a centipawn. A weight of 1000 is the value of the game's basic unit (a piece, a step).
    const FEATURE_WEIGHTS: &'static [(&'static str, i32)];

    /// The depth in plies of the benchmark, and its position strings under the default rules. A
    /// game of the program `pentarch` must define some.
    const BENCH_POSITIONS: (u32, &'static [&'static str]) = (1, &[]);

    /// The number of different values of [`history_index`](Evaluate::history_index).
    const HISTORY_SIZE: usize = 1;

    /// The parameters of pruning and reductions.
    const SEARCH_PARAMETERS: SearchParameters = SearchParameters::DEFAULT;

    /// Whether the search extends singular moves, and reduces nodes without a move in the
    /// transposition table.
    const EXTENDS_SINGULAR_MOVES: bool = false;

    /// The number of centipawns by which a search score grows when the odds of winning grow by the
    /// factor e. Fitted by logistic regression to games of the engine with itself at some thousand
    /// nodes per move.
    const WIN_RATE_SCALE: i32 = 300;

    /// Whether an evaluation takes much longer than a table lookup, so that a search caches
    /// evaluations by the [search key](crate::Rules::search_key) of their positions.
    const CACHES_EVALUATIONS: bool = false;

    /// Computes the cache that the other methods need.
    fn eval_cache(&self, position: &Self::Position) -> Self::EvalCache {
        let _ = position;
        Self::EvalCache::default()
    }

    /// Calls `feature` once for each feature, in the order of the
    /// [weights](Evaluate::FEATURE_WEIGHTS), with the amounts of the first and the second side.
    /// Features omitted at the end are 0.
    fn features(
        &self,
        position: &Self::Position,
        cache: &Self::EvalCache,
        feature: impl FnMut([i32; 2]),
    );

    /// Returns the static evaluation for the side to move, in centipawns within ±9999.
    #[inline]
    fn evaluate(&self, position: &Self::Position, cache: &Self::EvalCache) -> i32 {
        let mut sum = 0;
        let mut number = 0;
        self.features(position, cache, |[first, second]| {
            sum += Self::FEATURE_WEIGHTS[number].1 * (first - second);
            number += 1;
        });
        (sum / 10 * position.side_to_move().sign()).clamp(-9999, 9999)
    }

    /// Returns the state of the position for the quiescence search.
    fn quiescence_state(
        &self,
        position: &Self::Position,
        cache: &Self::EvalCache,
    ) -> QuiescenceState {
        let _ = (position, cache);
        QuiescenceState::Quiet
    }

    /// Returns a function that gives each move of a position its ordering score, within ±100000:
    /// moves with higher scores are tried first. In a [noisy](QuiescenceState::Noisy) position the
    /// quiescence search tries the moves with at least [`MIN_NOISY_SCORE`].
    fn move_ordering_scores<'a>(
        &'a self,
        position: &'a Self::Position,
        cache: &'a Self::EvalCache,
    ) -> impl Fn(Self::Move) -> i32 + 'a {
        let _ = (position, cache);
        |_| 0
    }

    /// Returns a function that gives each move of a position the purpose for which a person would
    /// make it, as a number defined by the game; `None` for a move that is obviously useless. Weak
    /// players choose a purpose first, and then a move for it.
    fn move_purposes<'a>(
        &'a self,
        position: &'a Self::Position,
        cache: &'a Self::EvalCache,
    ) -> impl Fn(Self::Move) -> Option<u8> + 'a {
        let _ = (position, cache);
        |_| Some(0)
    }

    /// Returns the index of a move in the tables of the history heuristic, below
    /// [`HISTORY_SIZE`](Evaluate::HISTORY_SIZE). It depends on the effect of the move on the board,
    /// not on the position: moves with the same index share an entry.
    fn history_index(&self, mv: Self::Move) -> usize {
        let _ = mv;
        0
    }

    /// Returns the position after a null move: the other side is to move and nothing else has
    /// changed. Only games in which having to move is hardly ever a burden (zugzwang) return one.
    /// The search calls this only for positions that are not [forced](QuiescenceState::Forced).
    fn null_move(&self, position: &Self::Position) -> Option<Self::Position> {
        let _ = position;
        None
    }
}

/// The inputs of the evaluation's [net], for its training. The output of the net is one of the
/// features. A game without a net keeps the defaults.
pub trait NetInputs: Evaluate {
    /// The shape of the evaluation's net under all rules; `None` if there is no net.
    const NET: Option<NetShape> = None;

    /// Calls `input` once for each active input of the net, as seen by the side to move. Each is
    /// below the number of inputs. It is only called in a game with a [net](NetInputs::NET).
    fn inputs(&self, position: &Self::Position, cache: &Self::EvalCache, input: impl FnMut(usize)) {
        let _ = (position, cache, input);
    }

    /// Returns the output bucket of a position: a phase of the game.
    fn output_bucket(&self, position: &Self::Position) -> usize {
        let _ = position;
        0
    }
}
