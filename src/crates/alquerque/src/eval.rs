//! The evaluation of Alquerque: material, safe checkers, mobility, and the side to move.

use pentarch_core::evaluation::HumanWinChanceCurve;
use pentarch_core::{
    Evaluate, MIN_NOISY_ORDERING_SCORE, NoticeableMoveFeatures, QuiescenceState, Side,
};

use super::board::{ALL_POINTS, BOARD_SIZE, BoardPoint, Direction, POINT_COUNT, points_of_rank};
use super::moves::{Move, MoveEffect};
use super::notation::MAX_CHECKERS_PER_SIDE;
use super::position::Position;
use super::rules::{Alquerque, MovementRule};

/// The points of files a and e.
const EDGE_FILES_MASK: u32 = 0b11111 | 0b11111 << 20;

impl Evaluate for Alquerque {
    type PositionEvalData = ();

    const BENCH_POSITIONS: (u32, &'static [&'static str]) = (
        11,
        &[
            "xxxxx/xxxxx/xx1oo/ooooo/ooooo l - - - 1",
            "xxxx1/xxxx1/x1o1x/oooo1/ooooo l - - - 4",
            "xxxxx/x2xx/ox1oo/o2oo/ooxoo l b3b4 - - 4",
            "x1xx1/x4/x2xx/o1oo1/ooooo l - - - 7",
            "x1x2/5/o1x1x/2o2/o1oo1 l - - - 13",
            "x3x/2o2/4o/4o/5 l a5b5c4c3 - - 19",
        ],
    );
    const HISTORY_TABLE_SIZE: usize = POINT_COUNT * POINT_COUNT;

    const WIN_RATE_SCALE: i32 = 40;

    fn human_win_chance_curve(&self) -> HumanWinChanceCurve {
        HumanWinChanceCurve { scale: 140, win_moves: 65 }
    }

    /// A side's share of the checkers is counted in hundredths of all checkers on the board. The
    /// weight of this share makes the side that is ahead exchange checkers. If checkers never step
    /// back, the remaining steps matter more than material. Therefore all features have separate
    /// weights under such rules (`bell: …`).
    ///
    /// These weights come from `pentarch tune --game alquerque --set Alquerque_Ruleset=bell --data
    /// FILE --games 3000 --nodes 1500 --random-plies 8 --unit "bell: checkers"`. A second file of
    /// 4000 games, played with the weights from the first file, was also used. The weights are
    /// scaled so that a checker has the weight 600.
    const FEATURE_WEIGHTS: &'static [(&'static str, i32)] = &[
        ("checkers", 1000),
        ("share of the checkers", 20),
        ("safe checkers", 80),
        ("room to step", 40),
        ("the move", 100),
        ("the huff", 900),
        ("bell: checkers", 600),
        ("bell: share of the checkers", 38),
        ("bell: safe checkers", 385),
        ("bell: room to step", 184),
        ("bell: the move", 53),
        ("bell: room to step forward", -164),
        ("bell: ranks to go", 78),
        ("bell: checkers at the end", -632),
        ("bell: checkers on files a and e", 197),
        ("bell: blocked checkers", 214),
        ("bell: ranks to go by checkers", 10),
    ];

    fn expected_moves_left(&self, moves_made: u32) -> u32 {
        25_u32.saturating_sub(moves_made).max(12)
    }

    #[inline]
    fn visit_features(&self, position: &Position, (): &(), feature: impl FnMut([i32; 2])) {
        let steppers = Side::BOTH_SIDES.map(|side| {
            let to_move = Position { side, ..*position };
            Direction::ALL.map(|direction| self.stepping_checkers(&to_move, direction))
        });
        let common = features_under_all_rules(position, &steppers);
        let huff = position.side.one_sided_pair(i32::from(position.huff != 0));
        let (free, bell, bell_rules_features) = match self.movement {
            MovementRule::Free => {
                (common, [[0; 2]; ALL_RULES_FEATURE_COUNT], [[0; 2]; BELL_RULES_FEATURE_COUNT])
            }
            MovementRule::Bell(_) => (
                [[0; 2]; ALL_RULES_FEATURE_COUNT],
                common,
                bell_rules_features(position, &steppers),
            ),
        };
        free.into_iter().chain([huff]).chain(bell).chain(bell_rules_features).for_each(feature);
    }

    /// Returns `Forced` for a position with a huff or a capture, because both are compulsory.
    /// (Under rules with huffing, a player may miss a capture but then loses a checker.)
    fn quiescence_state(&self, position: &Position, (): &()) -> QuiescenceState {
        if position.huff == 0 && self.jumping_checkers(position) == 0 {
            QuiescenceState::Quiet
        } else {
            QuiescenceState::Forced
        }
    }

    /// Returns scores that put captures first, with larger captures before smaller ones. Steps that
    /// let the opponent capture come last.
    fn move_ordering_scores<'a>(
        &'a self,
        position: &'a Position,
        (): &'a (),
    ) -> impl Fn(Move) -> i32 + 'a {
        move |mv: Move| {
            let MoveEffect { to, captured } = mv.effect();
            if !mv.is_step() {
                return MIN_NOISY_ORDERING_SCORE * captured.count_ones() as i32;
            }
            let mut after = mv.huffed.map_or(*position, |point| position.after_huff(point));
            after.checkers[position.side.index()] ^= mv.from.bit() | to;
            after.side = !position.side;
            -20 * self.jumping_checkers(&after).count_ones() as i32
        }
    }

    /// Returns features that mark captures as forcing.
    fn noticeable_move_features<'a>(
        &'a self,
        position: &'a Position,
        (): &'a (),
    ) -> impl Fn(Move) -> Option<NoticeableMoveFeatures> + 'a {
        move |mv: Move| {
            let from = mv.from.coordinates();
            let to = BoardPoint::from_lowest_bit(mv.effect().to).coordinates();
            let [start, end] = match position.side {
                Side::First => [from.rank, to.rank],
                Side::Second => [to.rank, from.rank],
            };
            let progress = end.cmp(&start);
            Some(NoticeableMoveFeatures {
                from: Some(from),
                to,
                progress,
                is_forcing: !mv.is_step(),
            })
        }
    }

    fn history_table_index(&self, mv: Move) -> usize {
        mv.from.index() * POINT_COUNT + BoardPoint::from_lowest_bit(mv.effect().to).index()
    }
}

/// The number of features that exist under all rules. If checkers never step back, these features
/// have separate weights.
const ALL_RULES_FEATURE_COUNT: usize = 5;
/// The number of further features, which exist only if checkers never step back (Bell's movement).
const BELL_RULES_FEATURE_COUNT: usize = 6;

/// Returns the values of the features that exist under all rules. `steppers` are the checkers that
/// can step, by side and then by direction. The mobility of a side is the number of its steps in
/// all directions.
#[inline]
fn features_under_all_rules(
    position: &Position,
    steppers: &[[u32; 8]; 2],
) -> [[i32; 2]; ALL_RULES_FEATURE_COUNT] {
    let all = count_points(position.occupied_points()).max(1);
    [
        position.checkers.map(count_points),
        position.checkers.map(|checkers| 100 * count_points(checkers) / all),
        Side::BOTH_SIDES.map(|side| {
            count_points(
                position.checkers[side.index()]
                    & !threatened_checkers(&Position { side, ..*position }),
            )
        }),
        steppers.map(|steppers| steppers.into_iter().map(count_points).sum()),
        position.side.one_sided_pair(1),
    ]
}

/// Returns the values of the features that exist only if checkers never step back. `steppers` is
/// the same as in [`features_under_all_rules`].
#[inline]
fn bell_rules_features(
    position: &Position,
    steppers: &[[u32; 8]; 2],
) -> [[i32; 2]; BELL_RULES_FEATURE_COUNT] {
    let captured = 2 * MAX_CHECKERS_PER_SIDE as i32 - count_points(position.occupied_points());
    let is_forward = Direction::ALL.map(|direction| direction.rank_step() != 0);
    let both =
        |value: &dyn Fn(usize, u32) -> i32| [0, 1].map(|side| value(side, position.checkers[side]));
    let ranks_to_go = both(&|side, checkers| {
        (0..BOARD_SIZE)
            .map(|ranks| {
                i32::from(ranks)
                    * count_points(checkers & points_at_ranks_from_last_rank(side, ranks))
            })
            .sum()
    });
    let forward_steps = |side: usize| {
        let steppers = steppers[side].iter().zip(is_forward);
        steppers.map(|(&checkers, is_forward)| i32::from(is_forward) * count_points(checkers)).sum()
    };
    [
        both(&|side, _| forward_steps(side)),
        ranks_to_go,
        both(&|side, checkers| count_points(checkers & points_at_ranks_from_last_rank(side, 0))),
        both(&|_, checkers| count_points(checkers & EDGE_FILES_MASK)),
        both(&|side, checkers| {
            count_points(
                checkers & !steppers[side].iter().fold(0, |mobile, checkers| mobile | checkers),
            )
        }),
        ranks_to_go.map(|ranks| ranks * captured),
    ]
}

/// Returns the points of the rank that is `ranks` ranks away from the last rank of a side.
fn points_at_ranks_from_last_rank(side: usize, ranks: u8) -> u32 {
    points_of_rank(if side == 0 { BOARD_SIZE - 1 - ranks } else { ranks })
}

fn count_points(set: u32) -> i32 {
    set.count_ones() as i32
}

/// Returns the checkers of the side to move that an enemy checker could jump over now.
fn threatened_checkers(position: &Position) -> u32 {
    let free = ALL_POINTS & !position.occupied_points();
    let mut threatened = 0;
    for direction in Direction::ALL {
        threatened |= direction
            .shift_set(position.enemy_checkers() & direction.double_line_start_points())
            & position.own_checkers()
            & direction.shift_set_back(free);
    }
    threatened
}

#[cfg(test)]
mod tests {
    use super::*;
    use pentarch_core::{Notation, Options, Rules};

    /// The expected values are counted by hand: Light has a1, a5 and c3, and Dark has e5 and e2.
    /// The checker on a5 has reached its last rank, and no checker can step back.
    #[test]
    fn features_count_the_steps_left_where_checkers_never_step_back() {
        let mut options = Options::default();
        options.set(&super::super::rules::RULESET_OPTION, "bell").unwrap();
        let rules = Alquerque::from_options(&options);
        let position = rules.parse_position("o3x/5/2o2/4x/o4 l - - - 1").unwrap();
        let mut values = Vec::new();
        rules.visit_features(&position, &(), |pair| values.push(pair));
        // The common features are checkers, share of the checkers, safe checkers, steps, and
        // whether the side is to move. The others are forward steps, ranks to go, checkers on the
        // last rank, checkers on the edges, blocked checkers, and ranks to go times captured
        // checkers.
        let expected = [[3, 2], [60, 40], [3, 2], [8, 5], [1, 0]];
        let expected =
            expected.into_iter().chain([[5, 3], [6, 5], [1, 0], [2, 2], [1, 0], [114, 95]]);
        assert_eq!(values[ALL_RULES_FEATURE_COUNT + 1..], expected.collect::<Vec<_>>());
        assert!(values[..=ALL_RULES_FEATURE_COUNT].iter().all(|&pair| pair == [0; 2]));
    }
}
