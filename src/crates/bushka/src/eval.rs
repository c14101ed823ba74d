//! The evaluation of Bushka: a small neural net. Its inputs are the pieces on their squares, and the
//! pairs of soldiers that are neighbours along a diagonal. Phalanxes consist of such pairs.
//!
//! `10x10.net` was trained on three files of games. The engine of commit 519f17ac played them, with
//! an older net without inputs of pairs:
//!
//! ```text
//! pentarch tune --game bushka --seed 71 --data FIRST --games 34802 --nodes 1000 --random-plies 12
//! pentarch tune --game bushka --seed 72 --data SECOND --games 59229 --nodes 1000 --random-plies 12
//! pentarch tune --game bushka --seed 73 --data THIRD --games 32375 --nodes 500 --random-plies 12
//! pentarch tune --game bushka --seed 71 --data FIRST --with SECOND --with THIRD --games 0 \
//!   --epochs 16 --net 10x10.net
//! ```
//!
//! The older net was trained by `pentarch tune --game bushka --seed 40 --data FILE --games 190000
//! --nodes 500 --random-plies 12 --net 10x10.net`, on games of a still older net. `11x9.net` has the
//! older inputs: its weights of pairs are 0. It was trained by `pentarch tune --game bushka --set
//! Bushka_Board=11x9 --seed 20 --data FILE --games 120000 --nodes 500 --random-plies 12 --net
//! 11x9.net`.

use std::cmp::Ordering;

use pentarch_core::evaluation::HumanWinChanceCurve;
use pentarch_core::evaluation::net::{Accumulator, Net, NetShape};
use pentarch_core::search_file;
use pentarch_core::{
    Evaluate, MIN_NOISY_ORDERING_SCORE, NET_FEATURE_NAME, NetInputs, NoticeableMoveFeatures,
    QuiescenceState, SearchDataFile, Side,
};

use super::Bushka;
use super::board::{DiagonalDirection, iter_squares};
use super::captures;
use super::moves::Move;
use super::net_input_sums::{NET_10X10_SUMS, NET_11X9_SUMS};
use super::position::Position;

/// The move ordering scores of each captured soldier and of each captured king.
const CAPTURE_ORDERING_SCORES: [i32; 2] = [MIN_NOISY_ORDERING_SCORE, 3 * MIN_NOISY_ORDERING_SCORE];
/// The move ordering score of each soldier that moves. This score puts long phalanxes first.
const MOVED_SOLDIER_ORDERING_SCORE: i32 = 6;

/// The kinds of inputs of a side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum InputKind {
    /// A soldier.
    Soldier,
    /// A king.
    King,
    /// A soldier with a friendly soldier on the next square to the upper right.
    RightPair,
    /// A soldier with a friendly soldier on the next square to the upper left.
    LeftPair,
}

impl InputKind {
    const COUNT: usize = 4;
}

/// The number of inputs: all kinds of both sides on 64 squares.
const NET_INPUT_COUNT: usize = 2 * InputKind::COUNT * 64;
const HIDDEN_UNIT_COUNT: usize = 64;
/// The number of output buckets. The number of pieces on the board selects the bucket: up to 8, up
/// to 16, up to 24, or more.
const OUTPUT_BUCKET_COUNT: usize = 4;

/// A net for one of the boards.
pub(crate) type BushkaNet = Net<NET_INPUT_COUNT, HIDDEN_UNIT_COUNT, OUTPUT_BUCKET_COUNT>;
pub(crate) type BushkaAccumulator = Accumulator<HIDDEN_UNIT_COUNT>;

/// The net for the 10x10 board.
pub(crate) static NET_10X10: SearchDataFile<BushkaNet> =
    search_file!("10x10.net", BushkaNet::from_bytes);
/// The net for the 11x9 board.
pub(crate) static NET_11X9: SearchDataFile<BushkaNet> =
    search_file!("11x9.net", BushkaNet::from_bytes);

impl Evaluate for Bushka {
    type PositionEvalData = ();

    const BENCH_POSITIONS: (u32, &'static [&'static str]) = (
        6,
        &[
            "1b1b1b1b1b/b1b1b1b1b1/1b1b1b1b1b/10/10/10/10/w1w1w1w1w1/1w1w1w1w1w/w1w1w1w1w1 w 1",
            "1b1b1b1b2/2b1b1b1b1/1b3b1b1b/b1b3b3/10/10/1w1w1w1w2/w1w1w1w1w1/1w3w1w1w/2w3w3 w 6",
            "1b1b3b2/b1b1b1b1b1/1b3b1b1b/6b1b1/10/w9/1w3w1w2/w5w1w1/1w3w1w2/w1w3w1w1 w 6",
            "3b6/2b1b3b1/1b1b1b1b2/2b3b1b1/10/2w3b3/1w8/w1w3w1w1/1w1w3w2/w7w1 w 11",
            "10/2b7/1b8/b1b5b1/1b1w1w1b1b/2w1w1w1b1/1w3w1w2/8b1/10/2w7 w 21",
            "10/10/10/4w5/7b2/10/10/4B5/9W/10 w 41",
        ],
    );

    const WIN_RATE_SCALE: i32 = 220;

    fn human_win_chance_curve(&self) -> HumanWinChanceCurve {
        HumanWinChanceCurve { scale: 760, win_moves: 12 }
    }

    /// The size of the move history, which uses the first and the last square of a path.
    const HISTORY_TABLE_SIZE: usize = 64 * 64;

    /// Three kings always win against one king. A king and two soldiers also win, because the
    /// soldiers become kings. The net learns this poorly, because self-play games end as soon as a
    /// win is proved.
    const FEATURE_WEIGHTS: &'static [(&'static str, i32)] =
        &[(NET_FEATURE_NAME, 10), ("three or more to one", 5000)];

    fn expected_moves_left(&self, moves_made: u32) -> u32 {
        60_u32.saturating_sub(moves_made).max(40)
    }

    #[inline]
    fn visit_features(&self, position: &Position, (): &(), mut feature: impl FnMut([i32; 2])) {
        feature(position.side.one_sided_pair(if is_drawish(position) {
            0
        } else {
            self.net_output(position)
        }));
        let pieces = Side::BOTH_SIDES.map(|side| piece_count(position.pieces(side)));
        feature(Side::BOTH_SIDES.map(|side| {
            let [own, enemy] = [side, !side].map(|side| pieces[side.index()]);
            i32::from(own > 2 && enemy == 1 && position.kings[side.index()] != 0)
        }));
    }

    /// Returns `Forced` for a position with a capture, because captures are compulsory.
    fn quiescence_state(&self, position: &Position, (): &()) -> QuiescenceState {
        if captures::must_capture(&self.board, position) {
            QuiescenceState::Forced
        } else {
            QuiescenceState::Quiet
        }
    }

    /// Returns scores that put the captures with the most captured kings first. The number of
    /// captured pieces is the same for all legal captures. Among quiet moves, promotions come
    /// first, then the moves of long phalanxes.
    fn move_ordering_scores<'a>(
        &'a self,
        position: &'a Position,
        (): &'a (),
    ) -> impl Fn(Move) -> i32 + 'a {
        let must_capture = captures::must_capture(&self.board, position);
        move |mv: Move| {
            let captured = if must_capture { captures::captured_pieces(position, mv) } else { 0 };
            let kings = captured & position.kings[(!position.side).index()];
            let is_soldier = position.own_soldiers() & mv.from().bit() != 0;
            let promotes = position.is_promotion(&self.board, mv);
            let moved =
                if is_soldier { i32::from(mv.from().distance(mv.last_square())) } else { 0 };
            let [soldier, king] = CAPTURE_ORDERING_SCORES;
            soldier * (captured & !kings).count_ones() as i32
                + king * (kings.count_ones() as i32 + i32::from(promotes))
                + MOVED_SOLDIER_ORDERING_SCORE * moved
        }
    }

    /// Returns features that mark captures as forcing, and soldiers' steps as forward.
    fn noticeable_move_features<'a>(
        &'a self,
        position: &'a Position,
        (): &'a (),
    ) -> impl Fn(Move) -> Option<NoticeableMoveFeatures> + 'a {
        let is_forcing = captures::must_capture(&self.board, position);
        move |mv: Move| {
            let is_soldier = position.own_soldiers() & mv.from().bit() != 0;
            Some(NoticeableMoveFeatures {
                from: Some(mv.from().point()),
                to: mv.last_square().point(),
                progress: if is_soldier { Ordering::Greater } else { Ordering::Equal },
                is_forcing,
            })
        }
    }

    fn history_table_index(&self, mv: Move) -> usize {
        usize::from(mv.from().0) * 64 + usize::from(mv.last_square().0)
    }
}

impl Bushka {
    /// Returns the net for the board of these rules.
    pub fn net(&self) -> &'static SearchDataFile<BushkaNet> {
        if self.board.files == 10 { &NET_10X10 } else { &NET_11X9 }
    }

    /// Returns the output of the net in centipawns for the side to move. This function is separate
    /// from the generic [`visit_features`](Evaluate::visit_features), so that it is compiled only
    /// once, with the optimisation of this crate.
    fn net_output(&self, position: &Position) -> i32 {
        let sums = if self.board.files == 10 { &NET_10X10_SUMS } else { &NET_11X9_SUMS };
        let accumulator = sums.accumulate_active_inputs(self, position);
        self.net().output(&accumulator, self.net_output_bucket(position))
    }

    /// Returns the pieces of a side. The board is turned so that the side to move moves up.
    #[inline]
    pub(crate) fn pieces_seen_by_mover(&self, position: &Position, side: Side) -> SidePieces {
        let [soldiers, kings] = [position.soldiers, position.kings].map(|sets| {
            let set = sets[side.index()];
            match position.side {
                Side::First => set,
                Side::Second => self.board.half_turn_square_set(set),
            }
        });
        SidePieces {
            soldiers,
            kings,
            right_pairs: soldiers & DiagonalDirection::DownLeft.shift(soldiers),
            left_pairs: soldiers & DiagonalDirection::DownRight.shift(soldiers),
        }
    }
}

/// The pieces of one side, for the inputs of the net.
pub(crate) struct SidePieces {
    pub(crate) soldiers: u64,
    pub(crate) kings: u64,
    /// The soldiers with a friendly soldier on the next square to the upper right.
    pub(crate) right_pairs: u64,
    /// The soldiers with a friendly soldier on the next square to the upper left.
    pub(crate) left_pairs: u64,
}

/// Returns the number of an input. Player 0 is the side to move.
#[inline]
pub(crate) fn net_input(player: usize, kind: InputKind, square: usize) -> usize {
    64 * (InputKind::COUNT * player + kind as usize) + square
}

impl NetInputs for Bushka {
    const NET_SHAPE: Option<NetShape> = Some(BushkaNet::NET_SHAPE);

    #[inline]
    fn visit_net_inputs(&self, position: &Position, (): &(), mut input: impl FnMut(usize)) {
        let sides = [position.side, !position.side];
        for (player, side) in sides.into_iter().enumerate() {
            let pieces = self.pieces_seen_by_mover(position, side);
            for (kind, set) in [
                (InputKind::Soldier, pieces.soldiers),
                (InputKind::King, pieces.kings),
                (InputKind::RightPair, pieces.right_pairs),
                (InputKind::LeftPair, pieces.left_pairs),
            ] {
                iter_squares(set).for_each(|at| input(net_input(player, kind, at.0.into())));
            }
        }
    }

    /// Every position has at least one piece.
    fn net_output_bucket(&self, position: &Position) -> usize {
        let pieces = position.pieces(Side::First) | position.pieces(Side::Second);
        ((piece_count(pieces) as usize - 1) / 8).min(OUTPUT_BUCKET_COUNT - 1)
    }
}

/// Returns whether the position is most likely a draw. In such a position each side has a king and
/// at most one other piece.
///
/// Retrograde analysis has solved the endings of one king against one or two kings, and of two
/// kings against two. Nearly all of them are drawn. In the exceptions, the side to move captures at
/// once or cannot avoid the loss of a king. One king always loses against three.
fn is_drawish(position: &Position) -> bool {
    Side::BOTH_SIDES
        .iter()
        .all(|&side| position.kings[side.index()] != 0 && piece_count(position.pieces(side)) <= 2)
}

fn piece_count(set: u64) -> i32 {
    set.count_ones() as i32
}

#[cfg(test)]
mod tests {
    use super::*;
    use pentarch_core::Notation;

    #[test]
    fn three_kings_beat_one_and_two_do_not() {
        let rules = Bushka::default();
        let evaluate = |text: &str| rules.evaluate(&rules.parse_position(text).unwrap(), &());
        assert_eq!(evaluate("10/10/10/10/9W/10/10/B1W7/10/10 w 51"), 0);
        assert_eq!(evaluate("10/10/10/10/9W/10/10/B1w7/10/10 b 51"), 0);
        assert!(evaluate("10/10/1W8/10/9W/10/10/B1W7/10/10 w 51") > 500);
        assert!(evaluate("10/10/10/10/9W/10/10/b1W7/10/10 w 51") > 100);
    }
}
