//! The sums of the net's weights for a soldier with its pairs.
//!
//! A soldier has up to three inputs: its own, and those of the two [pairs](super::eval) in which it
//! is the lower soldier. Their weights are added once, for all combinations, so that an evaluation
//! adds one sum for each piece.

use std::sync::LazyLock;

use super::Bushka;
use super::board::iter_squares;
use super::eval::{
    BushkaAccumulator, BushkaNet, InputKind, NET_10X10, NET_11X9, SidePieces, net_input,
};
use super::position::Position;

/// The sums for the net of the 10x10 board.
pub(crate) static NET_10X10_SUMS: LazyLock<NetInputSums> =
    LazyLock::new(|| NetInputSums::new(&NET_10X10));
/// The sums for the net of the 11x9 board.
pub(crate) static NET_11X9_SUMS: LazyLock<NetInputSums> =
    LazyLock::new(|| NetInputSums::new(&NET_11X9));

/// The number of sets of pairs of which a soldier can be the lower soldier.
const PAIR_SET_COUNT: usize = 4;

/// The sums for one net. Player 0 is the side to move.
pub(crate) struct NetInputSums {
    /// For each player: a soldier with its pairs, by the set of pairs and the square.
    soldiers: [Vec<BushkaAccumulator>; 2],
    /// For each player: a king, by its square.
    kings: [Vec<BushkaAccumulator>; 2],
    /// The biases.
    biases: BushkaAccumulator,
}

impl NetInputSums {
    fn new(net: &BushkaNet) -> NetInputSums {
        let sum = |player: usize, kinds: &[InputKind], square: usize| {
            let mut sums = BushkaAccumulator::ZERO_SUMS;
            for &kind in kinds {
                net.add_input(&mut sums, net_input(player, kind, square));
            }
            sums
        };
        let pair_sets: [&[InputKind]; PAIR_SET_COUNT] = [
            &[InputKind::Soldier],
            &[InputKind::Soldier, InputKind::RightPair],
            &[InputKind::Soldier, InputKind::LeftPair],
            &[InputKind::Soldier, InputKind::RightPair, InputKind::LeftPair],
        ];
        let sums = |player: usize, kinds: &[&[InputKind]]| {
            kinds
                .iter()
                .flat_map(|kinds| (0..64).map(|square| sum(player, kinds, square)))
                .collect()
        };
        NetInputSums {
            soldiers: [0, 1].map(|player| sums(player, &pair_sets)),
            kings: [0, 1].map(|player| sums(player, &[&[InputKind::King]])),
            biases: net.new_accumulator(),
        }
    }

    /// Returns the accumulator with all active inputs of a position.
    #[inline]
    pub(crate) fn accumulate_active_inputs(
        &self,
        rules: &Bushka,
        position: &Position,
    ) -> BushkaAccumulator {
        let mut sums = self.biases.clone();
        let sides = [position.side, !position.side];
        for (player, side) in sides.into_iter().enumerate() {
            let SidePieces { soldiers, kings, right_pairs, left_pairs } =
                rules.pieces_seen_by_mover(position, side);
            for at in iter_squares(soldiers) {
                let square = usize::from(at.0);
                let pairs = right_pairs >> square & 1 | (left_pairs >> square & 1) << 1;
                sums.add_sums(&self.soldiers[player][64 * pairs as usize + square]);
            }
            iter_squares(kings)
                .for_each(|at| sums.add_sums(&self.kings[player][usize::from(at.0)]));
        }
        sums
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pentarch_core::{Evaluate, NetInputs, Notation, Rules};

    #[test]
    fn the_sums_equal_the_sums_of_single_inputs() {
        let rules = Bushka::default();
        let mut moves = Vec::new();
        for text in Bushka::BENCH_POSITIONS.1 {
            let position = rules.parse_position(text).unwrap();
            moves.clear();
            rules.legal_moves(&position, &mut moves);
            let after = moves.iter().map(|&mv| rules.play(&position, mv));
            for position in after.chain([position]) {
                let mut expected = NET_10X10.new_accumulator();
                rules.visit_net_inputs(&position, &(), |input| {
                    NET_10X10.add_input(&mut expected, input);
                });
                let sums = NET_10X10_SUMS.accumulate_active_inputs(&rules, &position);
                assert_eq!(sums, expected, "{position:?}");
            }
        }
    }
}
