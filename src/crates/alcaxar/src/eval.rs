//! The evaluation of Alcaxar: a small neural net.
//!
//! `alcaxar.net` is the third net that was trained for Alcaxar. `pentarch tune --game alcaxar
//! --data FILE --games 40000 --nodes 1000 --random-plies 12 --seed 3 --epochs 16 --with OLDER --net
//! alcaxar.net` at commit cd6a5ee trained it. `OLDER` contains 50000 older games. Commit a71c8af
//! played them with the first net and `--seed 2`. The first net was trained on 30000 games with a
//! linear evaluation.

use std::cmp::Ordering;

use pentarch_core::evaluation::HumanWinChanceCurve;
use pentarch_core::evaluation::net::{Accumulator, Net, NetShape};
use pentarch_core::search_file;
use pentarch_core::{
    Evaluate, MIN_NOISY_ORDERING_SCORE, NET_FEATURE_NAME, NetInputs, NoticeableMoveFeatures,
    QuiescenceState, SearchDataFile, SearchParameters,
};

use super::Alcaxar;
use super::bitboard::{adjacent_wall_slots, square_bitboard};
use super::moves::{self, Move};
use super::net_input_sums::NET_INPUT_SUMS;
use super::net_inputs::{self, NET_INPUT_COUNT};
use super::position::Position;
use super::position_eval_data::PositionEvalData;

/// Move ordering: the score of a move that wins at once. Only such moves are noisy.
const WINNING_MOVE_ORDERING_SCORE: i32 = 10 * MIN_NOISY_ORDERING_SCORE;
/// Move ordering: the score of a knight move. A wall move begins with 0; the scores below are then
/// added.
const KNIGHT_MOVE_ORDERING_SCORE: i32 = 40;
/// Move ordering: the bonus for a knight move that shortens the knight's path round the walls to
/// the enemy fortress.
const KNIGHT_APPROACH_ORDERING_SCORE: i32 = 60;
/// Move ordering: the scores of a wall move that closes an exit of the enemy knight. The second
/// score applies if the knight has one exit left, and the first score otherwise.
const EXIT_CLOSING_ORDERING_SCORES: [i32; 2] = [30, 60];
/// Move ordering: the bonus of a wall move for opening an exit of the own knight, and the penalty
/// for closing one.
const EXIT_OPENING_ORDERING_SCORES: i32 = 20;

const HIDDEN_UNIT_COUNT: usize = 64;
pub(crate) type AlcaxarNet = Net<NET_INPUT_COUNT, HIDDEN_UNIT_COUNT, 1>;
pub(crate) type AlcaxarAccumulator = Accumulator<HIDDEN_UNIT_COUNT>;

/// The net, embedded or read from a file.
pub(crate) static ALCAXAR_NET: SearchDataFile<AlcaxarNet> =
    search_file!("alcaxar.net", AlcaxarNet::from_bytes);

impl Evaluate for Alcaxar {
    type PositionEvalData = PositionEvalData;

    const BENCH_POSITIONS: (u32, &'static [&'static str]) = (
        6,
        &[
            "b8h2 b5c6d7e2e8f3g4h5 r - 1",
            "d8f4 b7c4d7e2e8f3f7h5 r f7 7",
            "d4f4 c2c4d3f5f7g4g6g8 g g4 10",
            "f8h4 a4d5e2e6g6h1h5i8 r g6 11",
            "b6d4 b5c6c8d7d9h1h3h5 g d9 21",
            "f8d6 a4b7c4c6f7g2i2i4 g - 39",
        ],
    );
    const HISTORY_TABLE_SIZE: usize = 16 + 40 * 40;

    const CACHES_EVALUATIONS: bool = true;

    const WIN_RATE_SCALE: i32 = 55;

    fn human_win_chance_curve(&self) -> HumanWinChanceCurve {
        HumanWinChanceCurve { scale: 380, win_moves: 30 }
    }

    const FEATURE_WEIGHTS: &'static [(&'static str, i32)] = &[(NET_FEATURE_NAME, 10)];

    /// The parameters were tuned by `pentarch tune --game alcaxar --spsa FILE --iterations 160
    /// --nodes 2000 --random-plies 6 --plies 200` at commit b685454.
    const SEARCH_PARAMETERS: SearchParameters = SearchParameters {
        reverse_futility_margin: 36,
        futility_margin: 33,
        late_moves: 322,
        late_moves_slope: 105,
        null_move_reduction: 1626,
        null_move_slope: 259,
        reduction: 308,
        reduction_slope: 352,
        cut_node_reduction: 955,
        reduction_history: 570,
    };

    fn expected_moves_left(&self, moves_made: u32) -> u32 {
        50_u32.saturating_sub(moves_made).max(28)
    }

    fn compute_eval_data(&self, position: &Position) -> PositionEvalData {
        PositionEvalData::new(&self.board, position)
    }

    #[inline]
    fn visit_features(
        &self,
        position: &Position,
        cache: &PositionEvalData,
        mut feature: impl FnMut([i32; 2]),
    ) {
        feature(position.side.one_sided_pair(self.net_output(position, cache)));
    }

    fn quiescence_state(&self, position: &Position, cache: &PositionEvalData) -> QuiescenceState {
        if cache.can_win[position.side.index()] {
            QuiescenceState::Noisy
        } else {
            QuiescenceState::Quiet
        }
    }

    fn find_immediate_win(&self, position: &Position, cache: &PositionEvalData) -> Option<Move> {
        moves::find_immediate_win(&self.board, position, cache)
    }

    fn move_ordering_scores<'a>(
        &'a self,
        position: &'a Position,
        cache: &'a PositionEvalData,
    ) -> impl Fn(Move) -> i32 + 'a {
        let own = position.side.index();
        let enemy = (!position.side).index();
        let target = square_bitboard(Position::target_fortress(position.side));
        let has_one_exit = cache.exits[enemy].is_power_of_two();
        let near_own = adjacent_wall_slots(square_bitboard(position.knights[own]));
        let near_enemy = adjacent_wall_slots(square_bitboard(position.knights[enemy]));
        let own_gates = near_own & !near_enemy;
        let enemy_gates = near_enemy & !near_own;
        let exit_closing_score =
            EXIT_CLOSING_ORDERING_SCORES[usize::from(cache.exits[enemy].count_ones() == 2)];
        move |mv| match mv {
            Move::Knight(to) => {
                let to = square_bitboard(to);
                let wins = to == target || (has_one_exit && to & cache.accessible[enemy] != 0);
                if wins {
                    WINNING_MOVE_ORDERING_SCORE
                } else {
                    KNIGHT_MOVE_ORDERING_SCORE
                        + KNIGHT_APPROACH_ORDERING_SCORE * i32::from(to & cache.nearer[own] != 0)
                }
            }
            Move::Wall { from, to } => {
                let from = from.bit();
                let to = to.bit();
                if to & cache.exits[enemy] != 0 && from & enemy_gates == 0 {
                    if has_one_exit { WINNING_MOVE_ORDERING_SCORE } else { exit_closing_score }
                } else {
                    EXIT_OPENING_ORDERING_SCORES
                        * (i32::from(from & own_gates != 0) - i32::from(to & own_gates != 0))
                }
            }
        }
    }

    /// Returns features that mark a step towards the enemy fortress as progress, and a wall move
    /// that closes an exit of the enemy as forcing.
    fn noticeable_move_features<'a>(
        &'a self,
        position: &'a Position,
        cache: &'a PositionEvalData,
    ) -> impl Fn(Move) -> Option<NoticeableMoveFeatures> + 'a {
        let own = position.side.index();
        let exits = cache.exits[(!position.side).index()];
        move |mv| {
            Some(match mv {
                Move::Knight(to) => NoticeableMoveFeatures {
                    from: Some(position.knight(position.side).point()),
                    to: to.point(),
                    progress: if square_bitboard(to) & cache.nearer[own] != 0 {
                        Ordering::Greater
                    } else {
                        Ordering::Less
                    },
                    is_forcing: false,
                },
                Move::Wall { from, to } => NoticeableMoveFeatures {
                    from: Some(from.point()),
                    to: to.point(),
                    progress: Ordering::Equal,
                    is_forcing: to.bit() & exits != 0,
                },
            })
        }
    }

    fn history_table_index(&self, mv: Move) -> usize {
        match mv {
            Move::Knight(to) => usize::from(to.0),
            Move::Wall { from, to } => 16 + usize::from(from.0) * 40 + usize::from(to.0),
        }
    }

    fn position_after_null_move(&self, position: &Position) -> Option<Position> {
        Some(Position { side: !position.side, last_wall: None, ..*position })
    }
}

impl Alcaxar {
    /// Returns the output of the net in centipawns for the side to move. The method is separate
    /// from the generic [`visit_features`](Evaluate::visit_features), so that it is compiled only
    /// once: in this crate, with the optimisation level of the rules.
    fn net_output(&self, position: &Position, cache: &PositionEvalData) -> i32 {
        let net: &AlcaxarNet = &ALCAXAR_NET;
        let blocked = position.blocked_slots(&self.board);
        net.output(&NET_INPUT_SUMS.accumulate_active_inputs(position, cache, blocked), 0)
    }
}

impl NetInputs for Alcaxar {
    const NET_SHAPE: Option<NetShape> = Some(AlcaxarNet::NET_SHAPE);

    #[inline]
    fn visit_net_inputs(
        &self,
        position: &Position,
        cache: &PositionEvalData,
        input: impl FnMut(usize),
    ) {
        net_inputs::for_each_active_input(
            position,
            cache,
            position.blocked_slots(&self.board),
            input,
        );
    }
}
