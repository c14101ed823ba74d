//! Tablebases of positions with few checkers in which REQ.25.ALT.3 binds only one side. This side
//! is the *bound* side, and the other one is the *free* side.
//!
//! In each turn the rule forbids the bound side at most one step: the step that takes this side's
//! last step back. The value of a position with the bound side to move depends on this forbidden
//! step. Three facts are enough to describe the value:
//!
//! - the value if nothing is forbidden
//! - the only step that reaches this value
//! - the value without that step
//!
//! Values of positions with the free side to move are not stored, because a search of one move
//! finds them. In the tables, Light is the bound side. This is enough, because with free movement
//! the sides are otherwise equal.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU16, AtomicU32, Ordering::Relaxed};

use pentarch_core::{Rules, Side, TableValue};
use pentarch_tables::TableIndex;
use pentarch_tables::background::{BackgroundJob, TableJobControl, stepwise_table_job};
use pentarch_tables::dtm::Dtm;
use pentarch_tables::retrograde::allocate_zeros;
use pentarch_tables::retrograde_control::{GroupSolveError, RetrogradeControl};
use pentarch_tables::worklist::{PassProgress, Worklist};

use super::Alquerque;
use super::board::{ALL_POINTS, BoardPoint, Direction, iter_points_of_set};
use super::moves::Move;
use super::numbering::{
    CHECKER_COUNT_VALUES_PER_SIDE, DecodedPosition, PointSetOrbits, PositionIndex, StepNumber,
    SymmetrySet, class_of_checker_counts, position_without_history,
};
use super::position::Position;

/// The tables of the positions with the bound side to move.
pub(crate) struct OneSidedBanTables {
    /// Rules under which REQ.25.ALT.3 binds Light only.
    rules: Alquerque,
    orbits: PointSetOrbits,
    /// The [values](RestrictedSideValue), by the class and the number of the position. Each value
    /// is packed into a word. The list of a class is empty until the class is solved.
    values: Vec<Box<[AtomicU32]>>,
}

/// The value of a position with the bound side to move, for each step that may be forbidden to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct RestrictedSideValue {
    /// The value if no step is forbidden.
    best: Dtm,
    /// The only step that reaches `best`. If `rest` equals `best`, there is no such step, and this
    /// field has no meaning.
    step: StepNumber,
    /// The value if that step is forbidden.
    rest: Dtm,
}

impl RestrictedSideValue {
    /// Returns a value that is the same whichever step is forbidden.
    fn same_for_all_bans(dtm: Dtm) -> RestrictedSideValue {
        RestrictedSideValue { best: dtm, step: StepNumber(0), rest: dtm }
    }

    fn unpack(bits: u32) -> RestrictedSideValue {
        let [best, step, rest, _] = bits.to_le_bytes();
        RestrictedSideValue { best: Dtm(best), step: StepNumber(step), rest: Dtm(rest) }
    }

    fn pack(self) -> u32 {
        u32::from_le_bytes([self.best.0, self.step.0, self.rest.0, 0])
    }

    /// Returns the value if `step` is forbidden. If `step` is `None`, no step is forbidden. The
    /// step must be given as in the canonical image of the position, which is the image that has
    /// the index.
    fn value_with_forbidden_step(self, step: Option<StepNumber>) -> Dtm {
        if step == Some(self.step) { self.rest } else { self.best }
    }
}

/// The value of a position with the free side to move, for each step that may be forbidden to the
/// bound side in its next turn.
struct FreeSideValue {
    /// The value if no step is forbidden. A forbidden step never makes the value worse for the free
    /// side.
    least: Dtm,
    /// The values after the moves of the free side, if a forbidden step can change them. Other
    /// moves are not in the list.
    after_moves: Vec<StoredPositionValue>,
}

/// The stored value of a position with the bound side to move.
#[derive(Clone, Copy)]
struct StoredPositionValue {
    value: RestrictedSideValue,
    /// The symmetries that map the position to its canonical image, which has an index.
    symmetries: SymmetrySet,
}

impl OneSidedBanTables {
    /// Returns the job that solves the positions with at most `max_checkers` checkers. Under
    /// `rules`, REQ.25.ALT.3 must bind Light only.
    pub(crate) fn prepare_build_job(
        rules: Alquerque,
        max_checkers: usize,
    ) -> BackgroundJob<OneSidedBanTables> {
        stepwise_table_job(
            Alquerque::GAME_NAME,
            0,
            move |_: &_| Ok(OneSidedBanTablesBuilder::new(&rules, max_checkers)),
            OneSidedBanTablesBuilder::build_next_group,
            |builder| builder.tables,
        )
    }

    /// Returns the value of a position under the assumption that from now on REQ.25.ALT.3 applies
    /// only to the side `bound`. Returns `None` if the tables do not have the value.
    pub(crate) fn value(&self, position: &Position, bound: Side) -> Option<TableValue> {
        if position.occupied_points().count_ones() as usize > self.orbits.max_checkers
            || position.checkers.contains(&0)
        {
            return None;
        }
        let checkers = [bound, !bound].map(|side| position.checkers[side.index()]);
        let side = if position.side == bound { Side::First } else { Side::Second };
        let position = Position { checkers, side, ..*position };
        let steps = Direction::ALL.into_iter().flat_map(|direction| {
            let from = position.banned[direction.index()] & position.checkers[0];
            iter_points_of_set(from).map(move |from| StepNumber::new(from, direction))
        });
        let forbidden = steps.last();
        let dtm = match position.side {
            Side::First => self
                .stored_value(position.checkers)?
                .value_with_forbidden_step(forbidden, &self.orbits),
            Side::Second => {
                let value = self.value_from_moves(&position, &mut Vec::new())?;
                value.value_with_forbidden_step(forbidden, &self.orbits)
            }
        };
        Some(dtm.value())
    }

    /// Returns the stored value of a position with the bound side to move, or `None` if the tables
    /// do not contain this value. `own` are the checkers of the bound side.
    fn stored_value(&self, [own, enemy]: [u32; 2]) -> Option<StoredPositionValue> {
        let PositionIndex { index, symmetries } =
            self.orbits.numbering_for_fixed_enemy(enemy)?.index(own);
        let bits = self.values.get(index.class)?.get(index.number)?.load(Relaxed);
        Some(StoredPositionValue { value: RestrictedSideValue::unpack(bits), symmetries })
    }

    /// Computes the value of a position with the free side to move from the values after its moves.
    /// Returns `None` if the tables do not contain one of these values. `moves` is a scratch
    /// buffer.
    fn value_from_moves(
        &self,
        position: &Position,
        moves: &mut Vec<Move>,
    ) -> Option<FreeSideValue> {
        moves.clear();
        self.rules.generate_moves(position, moves);
        let mut value = FreeSideValue { least: Dtm::LOST_VALUE, after_moves: Vec::new() };
        for (index, mv) in moves.drain(..).enumerate() {
            let best = match position.play(&self.rules, mv).checkers {
                [0, _] => Dtm::LOST_VALUE,
                checkers => {
                    let after = self.stored_value(checkers)?;
                    if after.value.best != after.value.rest {
                        value.after_moves.push(after);
                    }
                    after.value.best
                }
            };
            let dtm = best.one_ply_earlier().unwrap_or(Dtm::DRAW_VALUE);
            value.least = if index == 0 { dtm } else { value.least.better_value(dtm) };
        }
        Some(value)
    }
}

/// Builds [`OneSidedBanTables`] in steps.
struct OneSidedBanTablesBuilder {
    tables: OneSidedBanTables,
    /// The checker counts whose positions are not solved yet. Counts with fewer checkers come
    /// first.
    unsolved: VecDeque<SideCheckerCounts>,
    /// The unfinished analysis of the first element of `unsolved`; `None` if it has not begun.
    analysis: Option<(OneSidedBanAnalysis, PassProgress)>,
}

/// The numbers of checkers of the bound side and of the free side.
#[derive(Clone, Copy)]
struct SideCheckerCounts {
    bound: usize,
    free: usize,
}

impl OneSidedBanTablesBuilder {
    fn new(rules: &Alquerque, max_checkers: usize) -> OneSidedBanTablesBuilder {
        let orbits = PointSetOrbits::new(rules, max_checkers);
        let mut tables = OneSidedBanTables { rules: rules.clone(), orbits, values: Vec::new() };
        tables.values.resize_with(
            CHECKER_COUNT_VALUES_PER_SIDE * CHECKER_COUNT_VALUES_PER_SIDE,
            Default::default,
        );
        let unsolved = (2..=max_checkers).flat_map(|sum| {
            (1..sum).map(move |bound| SideCheckerCounts { bound, free: sum - bound })
        });
        OneSidedBanTablesBuilder { tables, unsolved: unsolved.collect(), analysis: None }
    }

    /// Solves the positions with the next unsolved checker counts, or continues to solve them.
    /// Returns whether there were unsolved positions.
    ///
    /// # Errors
    /// If the positions cannot be solved, or if the analysis is interrupted. After an interruption
    /// the next call continues.
    fn build_next_group(
        &mut self,
        task: &TableJobControl<OneSidedBanTables>,
    ) -> Result<bool, GroupSolveError> {
        let Some(&SideCheckerCounts { bound, free }) = self.unsolved.front() else {
            return Ok(false);
        };
        let (analysis, passes) = match &mut self.analysis {
            Some(begun) => begun,
            None => {
                let bound_class = class_of_checker_counts(bound, free);
                self.tables.values[bound_class] =
                    allocate_zeros(self.tables.orbits.class_size(bound_class))?;
                let analysis = OneSidedBanAnalysis::new(
                    &self.tables.orbits,
                    bound_class,
                    class_of_checker_counts(free, bound),
                )?;
                self.analysis.insert((analysis, PassProgress::default()))
            }
        };
        task.run_analysis(|budget| analysis.run(passes, &self.tables, budget))?;
        self.analysis = None;
        self.unsolved.pop_front();
        Ok(true)
    }
}

impl StoredPositionValue {
    /// Returns the value if `step` is forbidden. If `step` is `None`, no step is forbidden.
    fn value_with_forbidden_step(self, step: Option<StepNumber>, orbits: &PointSetOrbits) -> Dtm {
        let step = step.map(|step| self.symmetries.step_image_by_first_symmetry(orbits, step));
        self.value.value_with_forbidden_step(step)
    }
}

impl FreeSideValue {
    /// Returns the value if the bound side may not make `step` in its next turn. If `step` is
    /// `None`, no step is forbidden.
    fn value_with_forbidden_step(&self, step: Option<StepNumber>, orbits: &PointSetOrbits) -> Dtm {
        self.after_moves
            .iter()
            .map(|after| {
                after
                    .value_with_forbidden_step(step, orbits)
                    .one_ply_earlier()
                    .unwrap_or(Dtm::DRAW_VALUE)
            })
            .fold(self.least, Dtm::better_value)
    }
}

/// The element of `open_moves` that marks a settled position: the free side wins this position,
/// whichever step is forbidden. So its value is final.
const SETTLED_POSITION_MARKER: u16 = u16::MAX;

/// The retrograde analysis of the positions with given numbers of checkers.
///
/// As [usual](pentarch_tables::retrograde), the analysis works backwards from the ends of the game,
/// one more ply with each pass. In addition, the analysis determines whether each single step of
/// the bound side wins or loses, because each step forbids a different step afterwards. The fields
/// contain the state of the analysis; the values of the bound side are in the tables.
struct OneSidedBanAnalysis {
    /// The class of the positions with the bound side to move.
    bound_class: usize,
    /// For each position of `bound_class`, its open steps: those that are not known to lose. The
    /// high byte is the number of open steps. The low byte is the exclusive or of their step
    /// numbers. So if only one step is open, the low byte is its number.
    open_steps: Box<[AtomicU16]>,
    /// The positions of `bound_class` with changed values, each with the pass that will examine it.
    bound_worklist: Worklist,
    /// The class of the positions with the free side to move.
    free_class: usize,
    /// For each position of `free_class`, the number of open steps, multiplied by the number of
    /// symmetric images of the position. A step is open if it is not known to lose when nothing is
    /// forbidden to the bound side afterwards.
    open_moves: Box<[AtomicU16]>,
    /// For each position of `free_class`, the next value to examine: a value that the free side may
    /// be able to reach.
    next_dtm: Box<[AtomicU8]>,
    /// The positions of `free_class` to examine, each with the pass that will examine it.
    free_worklist: Worklist,
    /// Whether some distance to mate is too large for the tables.
    too_long: AtomicBool,
}

impl OneSidedBanAnalysis {
    fn new(
        orbits: &PointSetOrbits,
        bound_class: usize,
        free_class: usize,
    ) -> Result<OneSidedBanAnalysis, GroupSolveError> {
        let bound_size = orbits.class_size(bound_class);
        let free_size = orbits.class_size(free_class);
        Ok(OneSidedBanAnalysis {
            bound_class,
            open_steps: allocate_zeros(bound_size)?,
            bound_worklist: Worklist::new(bound_size),
            free_class,
            open_moves: allocate_zeros(free_size)?,
            next_dtm: allocate_zeros(free_size)?,
            free_worklist: Worklist::new(free_size),
            too_long: AtomicBool::new(false),
        })
    }

    /// Runs all remaining passes. The tables must have all positions with fewer checkers.
    ///
    /// # Errors
    /// If a distance to mate is too large, or if the analysis is interrupted. After an interruption
    /// the next call continues.
    fn run(
        &self,
        passes: &mut PassProgress,
        tables: &OneSidedBanTables,
        budget: &RetrogradeControl,
    ) -> Result<(), GroupSolveError> {
        let bound = &self.bound_worklist;
        let free = &self.free_worklist;
        passes.run_pass(0, budget, 0, bound.chunk_count(), |chunk, moves| {
            self.init_bound_side_positions(tables, bound.positions_of_chunk(chunk), moves)
        })?;
        passes.run_pass(1, budget, 0, free.chunk_count(), |chunk, moves| {
            self.init_free_side_positions(tables, free.positions_of_chunk(chunk), moves)
        })?;
        for dtm in (1..=u8::MAX).map(Dtm) {
            let plies = dtm.0.into();
            let pass = 2 * usize::from(dtm.0);
            // The free side comes first. A change by a position of the bound side is examined in
            // the next pass.
            if free.was_value_ever_due(dtm) {
                passes.run_pass(pass, budget, plies, free.chunk_count(), |chunk, moves| {
                    let Some(numbers) = free.take_due_positions(chunk, dtm) else { return false };
                    for number in numbers {
                        if self.next_dtm[number].load(Relaxed) == dtm.0 {
                            self.update_bound_side_predecessors(tables, number, dtm, moves);
                        }
                    }
                    true
                })?;
            }
            if bound.was_value_ever_due(dtm) {
                passes.run_pass(
                    pass + 1,
                    budget,
                    plies,
                    bound.chunk_count(),
                    |chunk, _: &mut Vec<Move>| {
                        bound.take_due_positions(chunk, dtm).is_some_and(|numbers| {
                            self.update_free_side_predecessors(tables, numbers, dtm)
                        })
                    },
                )?;
            }
        }
        if self.too_long.load(Relaxed) { Err(GroupSolveError::TooLong) } else { Ok(()) }
    }

    /// Prepares positions with the bound side to move. If this side can capture, computes the value
    /// from the values of positions with fewer checkers. If this side has no step, the side has
    /// lost. Otherwise stores the open steps, which are all steps at first.
    fn init_bound_side_positions(
        &self,
        tables: &OneSidedBanTables,
        numbers: Range<usize>,
        moves: &mut Vec<Move>,
    ) -> bool {
        let OneSidedBanTables { rules, orbits, .. } = tables;
        let store = |number: usize, value: RestrictedSideValue| {
            tables.values[self.bound_class][number].store(value.pack(), Relaxed);
            [value.best, value.rest]
                .into_iter()
                .for_each(|dtm| self.bound_worklist.add(number, dtm));
        };
        for number in numbers {
            let index = TableIndex { class: self.bound_class, number };
            let Some(DecodedPosition { own, enemy, .. }) = orbits.decode_position(index) else {
                continue;
            };
            let position = position_without_history([own, enemy], Side::First);
            if rules.jumping_checkers(&position) != 0 {
                let mut captures = Vec::new();
                rules.generate_moves(&position, &mut captures);
                let value_after = |mv| {
                    let next = position.play(rules, mv);
                    let least = match next.checkers[1] {
                        0 => Some(Dtm::LOST_VALUE),
                        _ => tables.value_from_moves(&next, moves).map(|value| value.least),
                    };
                    least.and_then(Dtm::one_ply_earlier).unwrap_or(Dtm::DRAW_VALUE)
                };
                let best = captures
                    .into_iter()
                    .map(value_after)
                    .reduce(Dtm::better_value)
                    .unwrap_or(Dtm::DRAW_VALUE);
                store(number, RestrictedSideValue::same_for_all_bans(best));
                continue;
            }
            let steps = Direction::ALL.into_iter().flat_map(|direction| {
                iter_points_of_set(rules.stepping_checkers(&position, direction))
                    .map(move |from| StepNumber::new(from, direction))
            });
            let open = steps.fold(0_u16, |open, step| (open + 0x100) ^ u16::from(step.0));
            self.open_steps[number].store(open, Relaxed);
            let [step, count] = open.to_le_bytes();
            match count {
                0 => store(number, RestrictedSideValue::same_for_all_bans(Dtm::LOST_VALUE)),
                1 => {
                    let step = StepNumber(step);
                    let rest = Dtm::LOST_VALUE;
                    store(number, RestrictedSideValue { best: Dtm::DRAW_VALUE, step, rest });
                }
                _ => {}
            }
        }
        true
    }

    /// Prepares positions with the free side to move. If this side can capture, its value follows
    /// from positions with fewer checkers. If this side cannot move, the side has lost. In both
    /// cases, the steps that lead to the position are examined at once. Otherwise stores the number
    /// of open steps.
    fn init_free_side_positions(
        &self,
        tables: &OneSidedBanTables,
        numbers: Range<usize>,
        moves: &mut Vec<Move>,
    ) -> bool {
        let OneSidedBanTables { rules, orbits, .. } = tables;
        for number in numbers {
            let Some(indexed) = self.decode_free_side_position(tables, number) else {
                continue;
            };
            let position = position_without_history([indexed.enemy, indexed.own], Side::Second);
            if rules.jumping_checkers(&position) == 0 {
                let steps = Direction::ALL.map(|direction| {
                    rules.stepping_checkers(&position, direction).count_ones() as u16
                });
                let steps = steps.iter().sum::<u16>();
                let images = orbits.count_positions_sharing_index(indexed.symmetries);
                self.open_moves[number].store(steps * images, Relaxed);
                if steps != 0 {
                    continue;
                }
            }
            self.update_bound_side_predecessors(tables, number, Dtm::DRAW_VALUE, moves);
        }
        true
    }

    /// Returns the position with this number in `free_class`. Its `own` checkers are those of the
    /// free side.
    fn decode_free_side_position(
        &self,
        tables: &OneSidedBanTables,
        number: usize,
    ) -> Option<DecodedPosition> {
        tables.orbits.decode_position(TableIndex { class: self.free_class, number })
    }

    /// Examines the steps of the bound side that lead to a position with the free side to move.
    /// After each step, another step back is forbidden, so the free side can reach different
    /// values. If the free side reaches `dtm` after a step, the function records the value of this
    /// step. If the free side reaches later values after other steps, the position is put on the
    /// worklist again, with the earliest of these values.
    fn update_bound_side_predecessors(
        &self,
        tables: &OneSidedBanTables,
        number: usize,
        dtm: Dtm,
        moves: &mut Vec<Move>,
    ) {
        let OneSidedBanTables { rules, orbits, .. } = tables;
        let Some(DecodedPosition { own: enemy, enemy: own, symmetries }) =
            self.decode_free_side_position(tables, number)
        else {
            return;
        };
        let position = position_without_history([own, enemy], Side::Second);
        let Some(value) = tables.value_from_moves(&position, moves) else { return };
        let Some(numbering) = orbits.numbering_for_fixed_enemy(enemy) else { return };
        if value.least.is_win() && value.least.0 <= dtm.0 {
            self.open_moves[number].store(SETTLED_POSITION_MARKER, Relaxed);
        }
        let free_points = ALL_POINTS & !(own | enemy);
        let mut later: Option<Dtm> = None;
        for direction in Direction::ALL {
            for at in iter_points_of_set(
                own & direction.line_start_points() & direction.shift_set_back(free_points),
            ) {
                let back = StepNumber::new(at, direction);
                let reached = value.value_with_forbidden_step(Some(back), orbits);
                if reached.0 > dtm.0 {
                    later = later.filter(|later| later.0 < reached.0).or(Some(reached));
                }
                // If symmetries map several of these steps onto each other, only the first of them
                // is examined.
                let is_first = symmetries.images_of_step(orbits, back).all(|image| image >= back);
                if reached != dtm || dtm == Dtm::DRAW_VALUE || !is_first {
                    continue;
                }
                let from = direction.shift_set(at.bit());
                let before = own ^ at.bit() ^ from;
                if rules.jumping_checkers(&position_without_history([before, enemy], Side::First))
                    == 0
                {
                    let Some(dtm) = dtm.one_ply_earlier() else { continue };
                    let PositionIndex { index, symmetries } = numbering.index(before);
                    let step =
                        StepNumber::new(BoardPoint::from_lowest_bit(from), direction.opposite());
                    self.set_step_value(tables, index.number, symmetries, step, dtm);
                }
            }
        }
        if let Some(later) = later {
            self.next_dtm[number].store(later.0, Relaxed);
            self.free_worklist.add(number, later);
        }
    }

    /// Records the value `dtm` that a step of the bound side reaches, and updates the value of the
    /// position with this number. The images of the step under `symmetries` have the same value.
    fn set_step_value(
        &self,
        tables: &OneSidedBanTables,
        number: usize,
        symmetries: SymmetrySet,
        step: StepNumber,
        dtm: Dtm,
    ) {
        let value = &tables.values[self.bound_class][number];
        let mut steps = [step; 8];
        let mut count = 0;
        for image in symmetries.images_of_step(&tables.orbits, step) {
            if !steps[..count].contains(&image) {
                steps[count] = image;
                count += 1;
            }
        }
        let steps = &steps[..count];
        let update = |change: &dyn Fn(RestrictedSideValue) -> RestrictedSideValue| {
            let change = |bits| {
                Some(change(RestrictedSideValue::unpack(bits)).pack())
                    .filter(|&changed| changed != bits)
            };
            if value.fetch_update(Relaxed, Relaxed, change).is_ok() {
                self.bound_worklist.add(number, dtm);
            }
        };
        if dtm.is_win() {
            update(&|value| match value.best.is_win() {
                false => RestrictedSideValue {
                    best: dtm,
                    step: steps[0],
                    rest: if count > 1 { dtm } else { value.rest },
                },
                true if steps.contains(&value.step) || value.rest.is_win() => value,
                true => RestrictedSideValue { rest: dtm, ..value },
            });
            return;
        }
        // The step loses, so it is no longer open. Losing steps are found in ascending order of
        // their plies. So the steps found last are the best ones.
        let refute =
            |open: u16| steps.iter().fold(open, |open, step| (open - 0x100) ^ u16::from(step.0));
        let before = self.open_steps[number]
            .fetch_update(Relaxed, Relaxed, |open| Some(refute(open)))
            .unwrap_or_default();
        let [last, left] = refute(before).to_le_bytes();
        match left {
            0 if before >> 8 == 1 => update(&|value| RestrictedSideValue { best: dtm, ..value }),
            0 => update(&|value| RestrictedSideValue { best: dtm, rest: dtm, ..value }),
            1 => {
                update(&|value| RestrictedSideValue { rest: dtm, step: StepNumber(last), ..value })
            }
            _ => {}
        }
    }

    /// Examines these positions with the bound side to move. If a position has the value `dtm`,
    /// updates the positions of the free side from which a step leads to this position.
    fn update_free_side_predecessors(
        &self,
        tables: &OneSidedBanTables,
        numbers: Range<usize>,
        dtm: Dtm,
    ) -> bool {
        let OneSidedBanTables { rules, orbits, .. } = tables;
        for number in numbers {
            let value =
                RestrictedSideValue::unpack(tables.values[self.bound_class][number].load(Relaxed));
            if value.best != dtm && value.rest != dtm {
                continue;
            }
            let index = TableIndex { class: self.bound_class, number };
            let Some(DecodedPosition { own, enemy, symmetries }) = orbits.decode_position(index)
            else {
                continue;
            };
            let Some(before) = dtm.one_ply_earlier() else {
                self.too_long.store(true, Relaxed);
                break;
            };
            let Some(numbering) = orbits.numbering_for_fixed_enemy(own) else { continue };
            let refuted = if dtm.is_win() && value.best == dtm {
                orbits.count_positions_sharing_index(symmetries)
            } else {
                0
            };
            let free_points = ALL_POINTS & !(own | enemy);
            for direction in Direction::ALL {
                let starts =
                    direction.line_start_points() & direction.shift_set_back(enemy) & free_points;
                for from in iter_points_of_set(starts) {
                    let enemy_before = enemy ^ from.bit() ^ direction.shift_set(from.bit());
                    let position = position_without_history([own, enemy_before], Side::Second);
                    if rules.jumping_checkers(&position) != 0 {
                        continue;
                    }
                    let number = numbering.index(enemy_before).index.number;
                    let open_moves = &self.open_moves[number];
                    if open_moves.load(Relaxed) == SETTLED_POSITION_MARKER {
                        continue;
                    }
                    let is_open = open_moves.fetch_sub(refuted, Relaxed) != refuted;
                    if dtm.is_loss() || !is_open {
                        self.next_dtm[number].store(before.0, Relaxed);
                        self.free_worklist.add(number, before);
                    }
                }
            }
        }
        true
    }
}
