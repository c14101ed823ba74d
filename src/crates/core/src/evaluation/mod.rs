//! Static evaluation and move ordering: the knowledge about a game that a search needs in addition
//! to its rules.
//!
//! | module | contents |
//! |---|---|
//! | [`data_format`] | the formats of nets, opening books and packed losses |
//! | [`net`] | a small neural net for evaluation |
//! | [`search_file`](mod@search_file) | files that a search needs: nets, books and packed losses |
//! | [`search_parameters`] | the parameters of pruning and reductions |

pub mod data_format;
pub mod net;
pub mod search_file;
pub mod search_parameters;

use std::cmp::Ordering;

use crate::evaluation::net::NetShape;
use crate::{HasPlayers, HasTurn, Point, SearchParameters};

/// The state of a position for the quiescence search. The state determines how the search continues
/// when it reaches its depth limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QuiescenceState {
    /// The static evaluation is reliable.
    Quiet,
    /// The static evaluation is reliable, but a [noisy](MIN_NOISY_ORDERING_SCORE) move may improve
    /// the score.
    Noisy,
    /// The side to move must act: a capture is compulsory, or the opponent threatens to win. So the
    /// static evaluation is unreliable. The search tries all moves, and searches deeper than in
    /// other positions.
    Forced,
}

/// The minimum [ordering score](Evaluate::move_ordering_scores) of a noisy move, such as a capture,
/// a threat or a step into the goal.
pub const MIN_NOISY_ORDERING_SCORE: i32 = 1000;

/// The features of a move that a person notices at first sight. Weak players overlook some moves
/// more often than others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoticeableMoveFeatures {
    /// The point that the moving piece leaves; `None` if the move places a piece.
    pub from: Option<Point>,
    /// The point that the piece reaches.
    pub to: Point,
    /// `Greater` if the move goes forward, `Less` if it goes backward, and otherwise `Equal`.
    pub progress: Ordering,
    /// Whether the move captures, or restricts the opponent in another visible way.
    pub is_forcing: bool,
}

/// The name of the evaluation feature whose value is the output of a net.
pub const NET_FEATURE_NAME: &str = "the net";

/// The curve that converts scores to winning chances, for people who play about equally well.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HumanWinChanceCurve {
    /// The score, in centipawns, at which people win 85 % of the games.
    pub scale: i32,
    /// If a proven win needs one move more than this number, people win three quarters of the
    /// games. If the win is nearer, they win more often, and if it is farther, less often.
    pub win_moves: u32,
}

/// Static evaluation and move ordering. The data, the features and their weights are required;
/// everything else has a default. Callers pass only positions in which the game is not over.
///
/// The evaluation is linear in its features. The value of a feature is its weight times the
/// difference between the amount of the first side and the amount of the second side. The
/// evaluation is the sum of these values. So the weights can be fitted to the results of games.
pub trait Evaluate: HasPlayers {
    /// Data that is computed once for a position. The features, the quiescence state and the move
    /// ordering all use this data. The type is `()` in a game that needs no such data.
    type PositionEvalData: Default;

    /// The names of the features with their weights. A weight is the value of one unit of the
    /// feature, in tenths of a centipawn. A weight of 1000 is the value of the game's basic unit (a
    /// piece, a step).
    const FEATURE_WEIGHTS: &'static [(&'static str, i32)];

    /// The depth in plies and the position strings of the benchmark, under the default rules.
    /// Without position strings, the benchmark searches the start position. Every game of the
    /// program `pentarch` must define position strings.
    const BENCH_POSITIONS: (u32, &'static [&'static str]) = (6, &[]);

    /// The number of different values of [`history_table_index`](Evaluate::history_table_index).
    const HISTORY_TABLE_SIZE: usize = 1;

    /// The parameters of pruning and reductions.
    const SEARCH_PARAMETERS: SearchParameters = SearchParameters::DEFAULT_PARAMETERS;

    /// Whether the search extends singular moves, and reduces the depth of a node for which the
    /// transposition table has no move.
    const EXTENDS_SINGULAR_MOVES: bool = false;

    /// The number of centipawns by which a search score grows when the odds of winning grow by the
    /// factor e. The number was fitted by logistic regression to games of the engine against
    /// itself, with some thousand nodes per move.
    const WIN_RATE_SCALE: i32 = 300;

    /// Returns the curve that converts scores to people's winning chances, for reviews. It was
    /// fitted to games between the levels `casual` and `average`; see `docs/analysis.md`.
    fn human_win_chance_curve(&self) -> HumanWinChanceCurve {
        HumanWinChanceCurve { scale: Self::WIN_RATE_SCALE, win_moves: 20 }
    }

    /// Returns the number of moves that a player should expect to make until a typical game is
    /// decided, including the next move. The result is at least 1. `moves_made` is the number of
    /// moves already made. The remaining time is divided among the expected moves, because time for
    /// later moves is of little use.
    fn expected_moves_left(&self, moves_made: u32) -> u32 {
        40_u32.saturating_sub(moves_made).max(20)
    }

    /// Whether a search caches evaluations, because an evaluation takes much longer than a table
    /// lookup. The cache uses the [search key](crate::Rules::search_key) of the positions.
    const CACHES_EVALUATIONS: bool = false;

    /// Computes the data of a position that the other methods need.
    fn compute_eval_data(&self, position: &Self::Position) -> Self::PositionEvalData {
        let _ = position;
        Self::PositionEvalData::default()
    }

    /// Calls `feature` once for each feature, in the order of the
    /// [weights](Evaluate::FEATURE_WEIGHTS). The argument contains the amounts of the feature for
    /// the first side and for the second side. A game may omit features at the end; their amounts
    /// are then 0.
    fn visit_features(
        &self,
        position: &Self::Position,
        cache: &Self::PositionEvalData,
        feature: impl FnMut([i32; 2]),
    );

    /// Returns the static evaluation for the side to move, in centipawns, from -9999 to 9999.
    #[inline]
    fn evaluate(&self, position: &Self::Position, cache: &Self::PositionEvalData) -> i32 {
        let mut sum = 0;
        let mut number = 0;
        self.visit_features(position, cache, |[first, second]| {
            let weight = Self::FEATURE_WEIGHTS.get(number);
            let (_, weight) =
                weight.expect("`visit_features` has more features than FEATURE_WEIGHTS");
            sum += weight * (first - second);
            number += 1;
        });
        (sum / 10 * position.side_to_move().sign()).clamp(-9999, 9999)
    }

    /// Returns the state of the position for the quiescence search.
    fn quiescence_state(
        &self,
        position: &Self::Position,
        cache: &Self::PositionEvalData,
    ) -> QuiescenceState {
        let _ = (position, cache);
        QuiescenceState::Quiet
    }

    /// Returns a legal move that wins at once, without generating all moves. If the result is
    /// `None`, the search tries the moves. The search calls this method only for
    /// [noisy](QuiescenceState::Noisy) positions.
    fn find_immediate_win(
        &self,
        position: &Self::Position,
        cache: &Self::PositionEvalData,
    ) -> Option<Self::Move> {
        let _ = (position, cache);
        None
    }

    /// Returns a function that maps a move of the position to its ordering score, from -100000 to
    /// 100000. Moves with higher scores are tried first. In a [noisy](QuiescenceState::Noisy)
    /// position the quiescence search tries the moves with at least [`MIN_NOISY_ORDERING_SCORE`].
    fn move_ordering_scores<'a>(
        &'a self,
        position: &'a Self::Position,
        cache: &'a Self::PositionEvalData,
    ) -> impl Fn(Self::Move) -> i32 + 'a {
        let _ = (position, cache);
        |_| 0
    }

    /// Returns a function that maps a move of the position to its purpose. A purpose is the reason
    /// why a person would make the move, as a number that the game defines. The function returns
    /// `None` for an obviously useless move. Weak players choose a purpose first, and then a move
    /// for it.
    fn move_purposes<'a>(
        &'a self,
        position: &'a Self::Position,
        cache: &'a Self::PositionEvalData,
    ) -> impl Fn(Self::Move) -> Option<u8> + 'a {
        let _ = (position, cache);
        |_| Some(0)
    }

    /// Returns a function that maps a move of the position to its features. The function returns
    /// `None` if all moves are equally easy to notice. Only weak players use the features.
    fn noticeable_move_features<'a>(
        &'a self,
        position: &'a Self::Position,
        cache: &'a Self::PositionEvalData,
    ) -> impl Fn(Self::Move) -> Option<NoticeableMoveFeatures> + 'a {
        let _ = (position, cache);
        |_| None
    }

    /// Returns the index of a move in the tables of the history heuristic, below
    /// [`HISTORY_TABLE_SIZE`](Evaluate::HISTORY_TABLE_SIZE). The index depends only on the effect
    /// of the move on the board, and not on the position. Moves with the same index share an entry.
    fn history_table_index(&self, mv: Self::Move) -> usize {
        let _ = mv;
        0
    }

    /// Returns the position after a null move: the other side is to move, and nothing else has
    /// changed. A game in which a side is often worse off because it must move (zugzwang) must
    /// return `None`. The search calls this method only for positions that are not
    /// [forced](QuiescenceState::Forced).
    fn position_after_null_move(&self, position: &Self::Position) -> Option<Self::Position> {
        let _ = position;
        None
    }
}

/// The inputs of the evaluation's [net], for its training. The output of the net is one of the
/// features. A game without a net uses the defaults.
pub trait NetInputs: Evaluate {
    /// The numbers of inputs, hidden units and buckets of the net, which are the same under all
    /// rules of the game; `None` if the game has no net.
    const NET_SHAPE: Option<NetShape> = None;

    /// Calls `input` with the index of each active input of the net, as seen by the side to move.
    /// Each index occurs once and is below the number of inputs. Only a game with a
    /// [net](NetInputs::NET_SHAPE) must implement this method.
    fn visit_net_inputs(
        &self,
        position: &Self::Position,
        cache: &Self::PositionEvalData,
        input: impl FnMut(usize),
    ) {
        let _ = (position, cache, input);
    }

    /// Returns the output bucket of a position, an index below the number of buckets. Each bucket
    /// stands for a phase of the game and has its own output weights in the [net].
    fn net_output_bucket(&self, position: &Self::Position) -> usize {
        let _ = position;
        0
    }
}
