//! The evaluation of Guerre des Deux Roses. Its features are material, the distance of soldiers to
//! the enemy castle, and phalanxes in front of the enemy castle.

use std::cmp::Ordering;

use pentarch_core::evaluation::HumanWinChanceCurve;
use pentarch_core::{
    Evaluate, MIN_NOISY_ORDERING_SCORE, NoticeableMoveFeatures, QuiescenceState, Side,
};

use super::Roses;
use super::board::{CASTLE_CELLS, CELL_COUNT, HexCell, SIEGE_CELL_PAIRS, iter_cells};
use super::moves::Move;
use super::position::Position;

/// The distance to the enemy castle, in steps, at which the nearness of a soldier is 0.
const FAR_CASTLE_DISTANCE: i32 = 5;
const CASTLE_CAPTURE_ORDERING_SCORE: i32 = 10 * MIN_NOISY_ORDERING_SCORE;
/// The move ordering score of a capture of a soldier.
const CAPTURE_ORDERING_SCORE: i32 = MIN_NOISY_ORDERING_SCORE;
const PUSH_ORDERING_SCORE: i32 = 200;
/// The move ordering score of each step towards the enemy castle.
const STEP_ORDERING_SCORE: i32 = 10;

impl Evaluate for Roses {
    type PositionEvalData = ();

    const BENCH_POSITIONS: (u32, &'static [&'static str]) = (
        8,
        &[
            "c/4/5/5/4/C w 4/4 1",
            "c/2s1/1s1Ss/s3S/2SS/C w 0/0 16",
            "c/s3/2ssS/S3S/2S1/C w 0/0 16",
            "c/sss1/3s1/2SS1/S2S/C w 0/0 9",
            "c/1sS1/3s1/s1s1S/2SS/C w 0/0 16",
            "c/1s2/s4/4S/2S1/C b 0/0 40",
        ],
    );
    const HISTORY_TABLE_SIZE: usize = CELL_COUNT + CELL_COUNT.pow(2) + CELL_COUNT.pow(3);

    /// Soldiers in reserve are also counted. The second soldier has the greatest weight, because
    /// one soldier alone cannot attack. Two soldiers in line in front of the enemy castle threaten
    /// to capture the castle.
    const FEATURE_WEIGHTS: &'static [(&'static str, i32)] = &[
        ("a soldier", 1000),
        ("a second soldier", 2500),
        ("a third soldier", 1500),
        ("a fourth soldier", 1000),
        ("nearness to the castle", 120),
        ("phalanx before the castle", 1500),
        ("the move", 200),
    ];

    /// All values are exact, so only the number of moves to a win matters.
    fn human_win_chance_curve(&self) -> HumanWinChanceCurve {
        HumanWinChanceCurve { scale: Self::WIN_RATE_SCALE, win_moves: 3 }
    }

    fn expected_moves_left(&self, moves_made: u32) -> u32 {
        10_u32.saturating_sub(moves_made).max(5)
    }

    #[inline]
    fn visit_features(&self, position: &Position, (): &(), mut feature: impl FnMut([i32; 2])) {
        let soldiers = Side::BOTH_SIDES.map(|side| {
            position.soldiers(side).count_ones() + u32::from(position.reserves[side.index()])
        });
        (1..=4).for_each(|number| feature(soldiers.map(|soldiers| i32::from(soldiers >= number))));
        feature(Side::BOTH_SIDES.map(|side| {
            iter_cells(position.soldiers(side)).map(|cell| castle_nearness(side, cell)).sum()
        }));
        feature(Side::BOTH_SIDES.map(|side| i32::from(besieges_castle(position, side))));
        feature(position.side.one_sided_pair(1));
    }

    /// Returns `Noisy` if the side to move can capture the castle. A side can do this only after it
    /// has dropped all its soldiers.
    fn quiescence_state(&self, position: &Position, (): &()) -> QuiescenceState {
        if position.is_drop_phase() || !besieges_castle(position, position.side) {
            QuiescenceState::Quiet
        } else {
            QuiescenceState::Noisy
        }
    }

    fn move_ordering_scores<'a>(
        &'a self,
        position: &'a Position,
        (): &'a (),
    ) -> impl Fn(Move) -> i32 + 'a {
        let advance_score = move |from: HexCell, to: HexCell| {
            STEP_ORDERING_SCORE
                * (castle_nearness(position.side, to) - castle_nearness(position.side, from))
        };
        move |mv| match mv {
            Move::Drop(cell) => STEP_ORDERING_SCORE * castle_nearness(position.side, cell),
            Move::Forward { from, to, .. } => {
                let captured = position.captured_cell(&self.board, mv);
                let attack = if captured & position.castles != 0 {
                    CASTLE_CAPTURE_ORDERING_SCORE
                } else if captured != 0 {
                    CAPTURE_ORDERING_SCORE
                } else if position.occupied_cells() & to.bit() != 0 {
                    PUSH_ORDERING_SCORE
                } else {
                    0
                };
                attack + advance_score(from, to)
            }
            Move::Translation { from, to } => {
                advance_score(from[0], to[0]) + advance_score(from[1], to[1])
            }
        }
    }

    /// Returns features that mark a step to the enemy castle as forward, and captures and pushes as
    /// forcing.
    fn noticeable_move_features<'a>(
        &'a self,
        position: &'a Position,
        (): &'a (),
    ) -> impl Fn(Move) -> Option<NoticeableMoveFeatures> + 'a {
        let occupied = position.occupied_cells();
        move |mv| {
            let (from, to) = match mv {
                Move::Drop(cell) => (None, cell),
                Move::Forward { from, to, .. } => (Some(from), to),
                Move::Translation { from: [from, _], to: [to, _] } => (Some(from), to),
            };
            let nearness = |cell| castle_nearness(position.side, cell);
            Some(NoticeableMoveFeatures {
                from: from.map(HexCell::point),
                to: to.point(),
                progress: from.map_or(Ordering::Equal, |from| nearness(to).cmp(&nearness(from))),
                is_forcing: matches!(mv, Move::Forward { .. }) && occupied & to.bit() != 0,
            })
        }
    }

    fn history_table_index(&self, mv: Move) -> usize {
        let number = |cells: &[HexCell]| {
            cells.iter().fold(0, |number, cell| number * CELL_COUNT + cell.index())
        };
        match mv {
            Move::Drop(cell) => cell.index(),
            Move::Forward { from, to, .. } => CELL_COUNT + number(&[from, to]),
            Move::Translation { from, to } => {
                CELL_COUNT + CELL_COUNT.pow(2) + number(&[from[0], from[1], to[0]])
            }
        }
    }
}

/// Returns [`FAR_CASTLE_DISTANCE`] minus the distance from a cell to the castle that this side
/// attacks. The result is negative if the cell is farther away than `FAR_CASTLE_DISTANCE`.
fn castle_nearness(side: Side, cell: HexCell) -> i32 {
    FAR_CASTLE_DISTANCE - i32::from(CASTLE_CELLS[(!side).index()].distance(cell))
}

/// Returns whether this side has two soldiers in line in front of the enemy castle.
fn besieges_castle(position: &Position, side: Side) -> bool {
    SIEGE_CELL_PAIRS[side.index()].iter().any(|pair| position.soldiers(side) & pair == *pair)
}
