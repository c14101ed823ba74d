//! Tablebases of positions with few checkers in which REQ.25.ALT.3 binds one side, the *bound*
//! side, and not the other, the *free* side.
//!
//! In each turn the rule forbids the bound side at most one step, the one that takes its last step
//! back. So three facts describe a position with the bound side to move: the value if nothing is
//! forbidden, the step that alone reaches this value, and the value without that step. The value of
//! a position with the free side to move follows from these by looking one move ahead, so it is not
//! stored. Light is taken as the bound side: where movement is free, the two sides differ in
//! nothing else.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU16, AtomicU32, Ordering::Relaxed};

use pentarch_core::{Rules, Side, TableValue};
use pentarch_tables::TableIndex;
use pentarch_tables::background::{BackgroundJob, JobControl, stepwise_job};
use pentarch_tables::budget::{RetrogradeBudget, SolveError};
use pentarch_tables::dtm::Dtm;
use pentarch_tables::retrograde::zeroed;
use pentarch_tables::worklist::{PassProgress, Worklist};

use super::Alquerque;
use super::board::{ALL, BoardPoint, Direction, iter_points};
use super::moves::Move;
use super::numbering::{
    COUNTS_PER_SIDE, DecodedPosition, PointSetOrbits, PositionIndex, StepNumber, SymmetrySet,
    class_of_counts, position_without_history,
};
use super::position::Position;

/// The tables of the positions with the bound side to move.
pub(crate) struct RetreatTables {
    /// Rules under which REQ.25.ALT.3 binds Light only.
    rules: Alquerque,
    orbits: PointSetOrbits,
    /// The packed [values](BoundValue) by class and number; empty for a class that is not solved.
    values: Vec<Box<[AtomicU32]>>,
}

/// The value of a position with the bound side to move, which depends on the step that is
/// forbidden.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct BoundValue {
    /// The value if no step is forbidden.
    best: Dtm,
    /// The only step that reaches `best`. It has no meaning if `rest` equals `best`.
    step: StepNumber,
    /// The value if that step is forbidden.
    rest: Dtm,
}

impl BoundValue {
    fn unpack(bits: u32) -> BoundValue {
        let [best, step, rest, _] = bits.to_le_bytes();
        BoundValue { best: Dtm(best), step: StepNumber(step), rest: Dtm(rest) }
    }

    fn pack(self) -> u32 {
        u32::from_le_bytes([self.best.0, self.step.0, self.rest.0, 0])
    }

    /// Returns the value if this step is forbidden, or if none is. The step is a step of the
    /// position to which the index belongs.
    fn with_forbidden(self, step: Option<StepNumber>) -> Dtm {
        if step == Some(self.step) { self.rest } else { self.best }
    }
}

/// The value of a position with the free side to move, which depends on the step that is forbidden
/// to the bound side in its next turn.
struct FreeValue {
    /// The value if no step is forbidden. The free side never reaches less.
    least: Dtm,
    /// The values after those moves of the free side after which a forbidden step can have an
    /// effect.
    after_moves: Vec<IndexedValue>,
}

/// The value of a position with the bound side to move.
#[derive(Clone, Copy)]
struct IndexedValue {
    value: BoundValue,
    /// The symmetries that map the position to the one to which its index belongs.
    symmetries: SymmetrySet,
}

impl RetreatTables {
    /// Returns the job that solves the positions with at most `max_checkers` checkers. The rules
    /// bind Light only.
    pub(crate) fn job(rules: Alquerque, max_checkers: usize) -> BackgroundJob<RetreatTables> {
        stepwise_job(
            Alquerque::NAME,
            0,
            move |_: &_| Ok(RetreatTablesBuilder::new(&rules, max_checkers)),
            RetreatTablesBuilder::step,
            |builder| builder.tables,
        )
    }

    /// Returns the value of a position under the assumption that from now on REQ.25.ALT.3 applies
    /// only to the side `bound`. Returns `None` if the tables do not have the value.
    pub(crate) fn value(&self, position: &Position, bound: Side) -> Option<TableValue> {
        if position.occupied().count_ones() as usize > self.orbits.max_checkers
            || position.checkers.contains(&0)
        {
            return None;
        }
        let checkers = [bound, !bound].map(|side| position.checkers[side.index()]);
        let side = if position.side == bound { Side::First } else { Side::Second };
        let position = Position { checkers, side, ..*position };
        let steps = Direction::ALL.into_iter().flat_map(|direction| {
            let from = position.banned[direction.index()] & position.checkers[0];
            iter_points(from).map(move |from| StepNumber::new(from, direction))
        });
        let forbidden = steps.last();
        let dtm = match position.side {
            Side::First => self.probe(position.checkers)?.with_forbidden(forbidden, &self.orbits),
            Side::Second => {
                let value = self.look_ahead(&position, &mut Vec::new())?;
                value.with_forbidden(forbidden, &self.orbits)
            }
        };
        Some(dtm.value())
    }

    /// Returns the value of the position with the bound side to move in which the bound side has
    /// the checkers `own`, if the tables have it.
    fn probe(&self, [own, enemy]: [u32; 2]) -> Option<IndexedValue> {
        let PositionIndex { index, symmetries } =
            self.orbits.numbering_for_enemy(enemy)?.index(own);
        let bits = self.values.get(index.class)?.get(index.number)?.load(Relaxed);
        Some(IndexedValue { value: BoundValue::unpack(bits), symmetries })
    }

    /// Returns the value of a position with the free side to move, from the positions after its
    /// moves; none if the tables lack one of them. `moves` is a scratch buffer.
    fn look_ahead(&self, position: &Position, moves: &mut Vec<Move>) -> Option<FreeValue> {
        moves.clear();
        self.rules.generate_moves(position, moves);
        let mut value = FreeValue { least: Dtm::LOST, after_moves: Vec::new() };
        for (index, mv) in moves.drain(..).enumerate() {
            let best = match position.play(&self.rules, mv).checkers {
                [0, _] => Dtm::LOST,
                checkers => {
                    let after = self.probe(checkers)?;
                    if after.value.best != after.value.rest {
                        value.after_moves.push(after);
                    }
                    after.value.best
                }
            };
            let dtm = best.before().unwrap_or(Dtm::DRAW);
            value.least = if index == 0 { dtm } else { value.least.better(dtm) };
        }
        Some(value)
    }
}

/// Builds [`RetreatTables`] in steps.
struct RetreatTablesBuilder {
    tables: RetreatTables,
    /// The positions that are not solved yet, those with fewer checkers first.
    unsolved: VecDeque<SideCounts>,
    /// The analysis of the first of these, if it has begun.
    analysis: Option<(RetreatAnalysis, PassProgress)>,
}

/// The numbers of checkers of the bound side and of the free side.
#[derive(Clone, Copy)]
struct SideCounts {
    bound: usize,
    free: usize,
}

impl RetreatTablesBuilder {
    fn new(rules: &Alquerque, max_checkers: usize) -> RetreatTablesBuilder {
        let orbits = PointSetOrbits::new(rules, max_checkers);
        let mut tables = RetreatTables { rules: rules.clone(), orbits, values: Vec::new() };
        tables.values.resize_with(COUNTS_PER_SIDE * COUNTS_PER_SIDE, Default::default);
        let unsolved = (2..=max_checkers)
            .flat_map(|sum| (1..sum).map(move |bound| SideCounts { bound, free: sum - bound }));
        RetreatTablesBuilder { tables, unsolved: unsolved.collect(), analysis: None }
    }

    /// Solves the next positions, or continues with them. Returns whether there were any.
    ///
    /// # Errors
    /// If they cannot be solved, or if the analysis is interrupted. After an interruption the next
    /// call continues.
    fn step(&mut self, task: &JobControl<RetreatTables>) -> Result<bool, SolveError> {
        let Some(&SideCounts { bound, free }) = self.unsolved.front() else { return Ok(false) };
        let (analysis, passes) = match &mut self.analysis {
            Some(begun) => begun,
            None => {
                let bound_class = class_of_counts(bound, free);
                self.tables.values[bound_class] = zeroed(self.tables.orbits.size(bound_class))?;
                let analysis = RetreatAnalysis::new(
                    &self.tables.orbits,
                    bound_class,
                    class_of_counts(free, bound),
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

impl IndexedValue {
    /// Returns the value if this step of the position is forbidden, or if none is.
    fn with_forbidden(self, step: Option<StepNumber>, orbits: &PointSetOrbits) -> Dtm {
        let step = step.map(|step| self.symmetries.first_image(orbits, step));
        self.value.with_forbidden(step)
    }
}

impl FreeValue {
    /// Returns the value if the bound side may not make this step in its next turn.
    fn with_forbidden(&self, step: Option<StepNumber>, orbits: &PointSetOrbits) -> Dtm {
        self.after_moves
            .iter()
            .map(|after| after.with_forbidden(step, orbits).before().unwrap_or(Dtm::DRAW))
            .fold(self.least, Dtm::better)
    }
}

/// The count of open moves of a position that the free side wins for any forbidden step, so that
/// its value is final.
const SETTLED: u16 = u16::MAX;

/// The retrograde analysis of the positions in which each side has one number of checkers.
///
/// As [usual](pentarch_tables::retrograde), it works backwards from the ends of the game, one more
/// ply with each pass. In addition, it determines for each single step of the bound side whether
/// the step wins or loses, once the values of the free side's replies are known. The fields are the
/// state of the positions in addition to the tables.
struct RetreatAnalysis {
    /// The class of the positions with the bound side to move.
    bound_class: usize,
    /// For each position of that class, the number of its steps that are not known to lose, in the
    /// high byte, and the exclusive or of these steps, in the low byte.
    open_steps: Box<[AtomicU16]>,
    /// The positions of that class whose values have changed, each with the pass that examines it.
    bound_worklist: Worklist,
    /// The class of the positions with the free side to move.
    free_class: usize,
    /// For each position of that class, the number of its steps that are not known to lose if
    /// nothing is forbidden to the bound side, times its images under symmetries.
    open_moves: Box<[AtomicU16]>,
    /// For each position of that class, the value that the free side may reach and that is examined
    /// next.
    next_dtm: Box<[AtomicU8]>,
    /// The positions of that class to examine, each with the pass that examines it.
    free_worklist: Worklist,
    /// Whether a distance to mate is greater than a table can hold.
    too_long: AtomicBool,
}

impl RetreatAnalysis {
    fn new(
        orbits: &PointSetOrbits,
        bound_class: usize,
        free_class: usize,
    ) -> Result<RetreatAnalysis, SolveError> {
        let bound_size = orbits.size(bound_class);
        let free_size = orbits.size(free_class);
        Ok(RetreatAnalysis {
            bound_class,
            open_steps: zeroed(bound_size)?,
            bound_worklist: Worklist::new(bound_size),
            free_class,
            open_moves: zeroed(free_size)?,
            next_dtm: zeroed(free_size)?,
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
        tables: &RetreatTables,
        budget: &RetrogradeBudget,
    ) -> Result<(), SolveError> {
        let bound = &self.bound_worklist;
        let free = &self.free_worklist;
        passes.run_pass(0, budget, 0, bound.chunk_count(), |chunk, moves| {
            self.init_bound(tables, bound.positions(chunk), moves)
        })?;
        passes.run_pass(1, budget, 0, free.chunk_count(), |chunk, moves| {
            self.init_free(tables, free.positions(chunk), moves)
        })?;
        for dtm in (1..=u8::MAX).map(Dtm) {
            let plies = dtm.0.into();
            let pass = 2 * usize::from(dtm.0);
            // The free side comes first: changes by positions of the bound side are for the next
            // pass.
            if free.was_ever_due(dtm) {
                passes.run_pass(pass, budget, plies, free.chunk_count(), |chunk, moves| {
                    let Some(numbers) = free.take(chunk, dtm) else { return false };
                    for number in numbers {
                        if self.next_dtm[number].load(Relaxed) == dtm.0 {
                            self.update_bound_predecessors(tables, number, dtm, moves);
                        }
                    }
                    true
                })?;
            }
            if bound.was_ever_due(dtm) {
                passes.run_pass(
                    pass + 1,
                    budget,
                    plies,
                    bound.chunk_count(),
                    |chunk, _: &mut Vec<Move>| {
                        bound.take(chunk, dtm).is_some_and(|numbers| {
                            self.update_free_side_predecessors(tables, numbers, dtm)
                        })
                    },
                )?;
            }
        }
        if self.too_long.load(Relaxed) { Err(SolveError::TooLong) } else { Ok(()) }
    }

    /// Prepares positions with the bound side to move. If it can capture, the value follows from
    /// positions with fewer checkers. Otherwise its steps are counted.
    fn init_bound(
        &self,
        tables: &RetreatTables,
        numbers: Range<usize>,
        moves: &mut Vec<Move>,
    ) -> bool {
        let RetreatTables { rules, orbits, .. } = tables;
        let store = |number: usize, value: BoundValue| {
            tables.values[self.bound_class][number].store(value.pack(), Relaxed);
            [value.best, value.rest]
                .into_iter()
                .for_each(|dtm| self.bound_worklist.add(number, dtm));
        };
        for number in numbers {
            let index = TableIndex { class: self.bound_class, number };
            let Some(DecodedPosition { own, enemy, .. }) = orbits.position_at(index) else {
                continue;
            };
            let position = position_without_history([own, enemy], Side::First);
            if rules.jumpers(&position) != 0 {
                let mut captures = Vec::new();
                rules.generate_moves(&position, &mut captures);
                let value_after = |mv| {
                    let next = position.play(rules, mv);
                    let least = match next.checkers[1] {
                        0 => Some(Dtm::LOST),
                        _ => tables.look_ahead(&next, moves).map(|value| value.least),
                    };
                    least.and_then(Dtm::before).unwrap_or(Dtm::DRAW)
                };
                let best =
                    captures.into_iter().map(value_after).reduce(Dtm::better).unwrap_or(Dtm::DRAW);
                store(number, BoundValue { best, step: StepNumber(0), rest: best });
                continue;
            }
            let steps = Direction::ALL.into_iter().flat_map(|direction| {
                iter_points(rules.steppers(&position, direction))
                    .map(move |from| StepNumber::new(from, direction))
            });
            let open = steps.fold(0_u16, |open, step| (open + 0x100) ^ u16::from(step.0));
            self.open_steps[number].store(open, Relaxed);
            let [step, count] = open.to_le_bytes();
            match count {
                0 => store(
                    number,
                    BoundValue { best: Dtm::LOST, step: StepNumber(0), rest: Dtm::LOST },
                ),
                1 => store(
                    number,
                    BoundValue { best: Dtm::DRAW, step: StepNumber(step), rest: Dtm::LOST },
                ),
                _ => {}
            }
        }
        true
    }

    /// Prepares positions with the free side to move. If it can capture, the value follows from
    /// positions with fewer checkers. If it cannot move, it has lost. Otherwise its steps are
    /// counted.
    fn init_free(
        &self,
        tables: &RetreatTables,
        numbers: Range<usize>,
        moves: &mut Vec<Move>,
    ) -> bool {
        let RetreatTables { rules, orbits, .. } = tables;
        for number in numbers {
            let Some(indexed) = self.free_position(tables, number) else { continue };
            let position = position_without_history([indexed.enemy, indexed.own], Side::Second);
            if rules.jumpers(&position) == 0 {
                let steps = Direction::ALL
                    .map(|direction| rules.steppers(&position, direction).count_ones() as u16);
                let steps = steps.iter().sum::<u16>();
                let images = orbits.image_count(indexed.symmetries);
                self.open_moves[number].store(steps * images, Relaxed);
                if steps != 0 {
                    continue;
                }
            }
            self.update_bound_predecessors(tables, number, Dtm::DRAW, moves);
        }
        true
    }

    /// Returns the position with the free side to move that has this number. Its `own` checkers are
    /// those of the free side.
    fn free_position(&self, tables: &RetreatTables, number: usize) -> Option<DecodedPosition> {
        tables.orbits.position_at(TableIndex { class: self.free_class, number })
    }

    /// Sets the value of those steps of the bound side that lead to this position and after which
    /// the free side reaches the value `dtm`. After such a step the step back is forbidden, so the
    /// values of the steps can differ. The position is put on the worklist again for the next value
    /// that the free side reaches after one of the steps.
    fn update_bound_predecessors(
        &self,
        tables: &RetreatTables,
        number: usize,
        dtm: Dtm,
        moves: &mut Vec<Move>,
    ) {
        let RetreatTables { rules, orbits, .. } = tables;
        let Some(DecodedPosition { own: enemy, enemy: own, symmetries }) =
            self.free_position(tables, number)
        else {
            return;
        };
        let position = position_without_history([own, enemy], Side::Second);
        let Some(value) = tables.look_ahead(&position, moves) else { return };
        let Some(numbering) = orbits.numbering_for_enemy(enemy) else { return };
        if value.least.is_win() && value.least.0 <= dtm.0 {
            self.open_moves[number].store(SETTLED, Relaxed);
        }
        let free = ALL & !(own | enemy);
        let mut later: Option<Dtm> = None;
        for direction in Direction::ALL {
            for at in iter_points(own & direction.line_starts() & direction.shift_back(free)) {
                let back = StepNumber::new(at, direction);
                let reached = value.with_forbidden(Some(back), orbits);
                if reached.0 > dtm.0 {
                    later = later.filter(|later| later.0 < reached.0).or(Some(reached));
                }
                // Of the steps that symmetries map onto each other, only the first one is examined.
                let is_first = symmetries.images_of_step(orbits, back).all(|image| image >= back);
                if reached != dtm || dtm == Dtm::DRAW || !is_first {
                    continue;
                }
                let from = direction.shift(at.bit());
                let before = own ^ at.bit() ^ from;
                if rules.jumpers(&position_without_history([before, enemy], Side::First)) == 0 {
                    let Some(dtm) = dtm.before() else { continue };
                    let PositionIndex { index, symmetries } = numbering.index(before);
                    let step = StepNumber::new(BoardPoint::from_bit(from), direction.opposite());
                    self.set_step_value(tables, index.number, symmetries, step, dtm);
                }
            }
        }
        if let Some(later) = later {
            self.next_dtm[number].store(later.0, Relaxed);
            self.free_worklist.add(number, later);
        }
    }

    /// Sets the value that a step of the bound side reaches, together with its images under these
    /// symmetries, and updates the value of the position with this number.
    fn set_step_value(
        &self,
        tables: &RetreatTables,
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
        let update = |change: &dyn Fn(BoundValue) -> BoundValue| {
            let change = |bits| {
                Some(change(BoundValue::unpack(bits)).pack()).filter(|&changed| changed != bits)
            };
            if value.fetch_update(Relaxed, Relaxed, change).is_ok() {
                self.bound_worklist.add(number, dtm);
            }
        };
        if dtm.is_win() {
            update(&|value| match value.best.is_win() {
                false => BoundValue {
                    best: dtm,
                    step: steps[0],
                    rest: if count > 1 { dtm } else { value.rest },
                },
                true if steps.contains(&value.step) || value.rest.is_win() => value,
                true => BoundValue { rest: dtm, ..value },
            });
            return;
        }
        let refute =
            |open: u16| steps.iter().fold(open, |open, step| (open - 0x100) ^ u16::from(step.0));
        let before = self.open_steps[number]
            .fetch_update(Relaxed, Relaxed, |open| Some(refute(open)))
            .unwrap_or_default();
        let [last, left] = refute(before).to_le_bytes();
        match left {
            0 if before >> 8 == 1 => update(&|value| BoundValue { best: dtm, ..value }),
            0 => update(&|value| BoundValue { best: dtm, rest: dtm, ..value }),
            1 => update(&|value| BoundValue { rest: dtm, step: StepNumber(last), ..value }),
            _ => {}
        }
    }

    /// Updates the predecessors of those positions with the bound side to move that have this
    /// value. The predecessors have the free side to move.
    fn update_free_side_predecessors(
        &self,
        tables: &RetreatTables,
        numbers: Range<usize>,
        dtm: Dtm,
    ) -> bool {
        let RetreatTables { rules, orbits, .. } = tables;
        for number in numbers {
            let value = BoundValue::unpack(tables.values[self.bound_class][number].load(Relaxed));
            if value.best != dtm && value.rest != dtm {
                continue;
            }
            let index = TableIndex { class: self.bound_class, number };
            let Some(DecodedPosition { own, enemy, symmetries }) = orbits.position_at(index) else {
                continue;
            };
            let Some(before) = dtm.before() else {
                self.too_long.store(true, Relaxed);
                break;
            };
            let Some(numbering) = orbits.numbering_for_enemy(own) else { continue };
            let refuted =
                if dtm.is_win() && value.best == dtm { orbits.image_count(symmetries) } else { 0 };
            let free = ALL & !(own | enemy);
            for direction in Direction::ALL {
                let starts = direction.line_starts() & direction.shift_back(enemy) & free;
                for from in iter_points(starts) {
                    let enemy_before = enemy ^ from.bit() ^ direction.shift(from.bit());
                    let position = position_without_history([own, enemy_before], Side::Second);
                    if rules.jumpers(&position) != 0 {
                        continue;
                    }
                    let number = numbering.index(enemy_before).index.number;
                    let open_moves = &self.open_moves[number];
                    if open_moves.load(Relaxed) == SETTLED {
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
