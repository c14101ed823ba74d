//! Tablebases of positions with few checkers in which REQ.25.ALT.3 binds one side, the *bound* side, and not the other,
//! the *free* side.
//!
//! In each turn the rule forbids the bound side at most one step, the one that takes its last step back. So for each
//! position with the bound side to move it is enough to know the value if nothing is forbidden, the step that alone
//! reaches this value, and the value without that step. The value of a position with the free side to move follows from
//! these by looking one move ahead, so it is not stored. The bound side is taken for Light: where movement is free, the
//! two sides differ in nothing else.

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
use super::board::{ALL, Direction, spots};
use super::moves::Move;
use super::numbering::{COUNTS, Orbits, Step, Symmetries, class, position};
use super::position::Position;

/// The tables of the positions with the bound side to move.
pub struct RetreatTables {
    /// Rules under which REQ.25.ALT.3 binds Light only.
    rules: Alquerque,
    orbits: Orbits,
    /// The packed [values](BoundValue) by class and number; empty for a class that is not solved.
    values: Vec<Box<[AtomicU32]>>,
}

/// The value of a position with the bound side to move, which depends on the step that is forbidden.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct BoundValue {
    /// The value if no step is forbidden.
    best: Dtm,
    /// The only step that reaches `best`. It means nothing if `rest` is the same.
    step: Step,
    /// The value if that step is forbidden.
    rest: Dtm,
}

impl BoundValue {
    fn unpack(bits: u32) -> BoundValue {
        let [best, step, rest, _] = bits.to_le_bytes();
        BoundValue { best: Dtm(best), step: Step(step), rest: Dtm(rest) }
    }

    fn pack(self) -> u32 {
        u32::from_le_bytes([self.best.0, self.step.0, self.rest.0, 0])
    }

    /// The value if this step is forbidden, or if none is. The step is one of the position that has the index.
    fn without(self, step: Option<Step>) -> Dtm {
        if step == Some(self.step) { self.rest } else { self.best }
    }
}

/// The value of a position with the free side to move, which depends on the step that is forbidden to the bound side in
/// its next turn.
struct FreeValue {
    /// The value if no step is forbidden. The free side never reaches less.
    least: Dtm,
    /// The values after those moves of the free side after which a forbidden step can matter, each with the symmetries
    /// that lead to the position that has the index.
    replies: Vec<(BoundValue, Symmetries)>,
}

impl RetreatTables {
    /// The work of solving the positions with at most `max_checkers` checkers. The rules bind Light only.
    pub fn work(rules: Alquerque, max_checkers: usize) -> BackgroundJob<RetreatTables> {
        let begin = move |_: &_| Ok(Making::new(&rules, max_checkers));
        stepwise_job(Alquerque::NAME, 0, begin, Making::step, |making| making.tables)
    }

    /// The value of a position if REQ.25.ALT.3 binds only the side `bound` from now on. None if the tables do not hold
    /// it.
    pub fn value(&self, position: &Position, bound: Side) -> Option<TableValue> {
        if position.occupied().count_ones() as usize > self.orbits.max_checkers
            || position.men.contains(&0)
        {
            return None;
        }
        let men = [bound, !bound].map(|side| position.men[side.index()]);
        let side = if position.side == bound { Side::First } else { Side::Second };
        let position = Position { men, side, ..*position };
        let steps = Direction::ALL.into_iter().flat_map(|direction| {
            let from = position.banned[direction.index()] & position.men[0];
            spots(from).map(move |from| Step::new(from, direction))
        });
        let forbidden = steps.last();
        let dtm = match position.side {
            Side::First => {
                let (value, symmetries) = self.probe(position.men)?;
                value.without(forbidden.map(|step| symmetries.image(&self.orbits, step)))
            }
            Side::Second => {
                self.look_ahead(&position, &mut Vec::new())?.against(forbidden, &self.orbits)
            }
        };
        Some(dtm.value())
    }

    /// The value of the position with the bound side to move in which it has the checkers `own`, and the symmetries
    /// that lead to the position that has the index.
    fn probe(&self, [own, enemy]: [u32; 2]) -> Option<(BoundValue, Symmetries)> {
        let (TableIndex { class, number }, symmetries) = self.orbits.row(enemy)?.index(own);
        Some((BoundValue::unpack(self.values.get(class)?.get(number)?.load(Relaxed)), symmetries))
    }

    /// The value of a position with the free side to move, from the positions after its moves; none if the tables lack
    /// one of them. `moves` is a scratch buffer.
    fn look_ahead(&self, position: &Position, moves: &mut Vec<Move>) -> Option<FreeValue> {
        moves.clear();
        self.rules.generate(position, moves);
        let mut value = FreeValue { least: Dtm::LOST, replies: Vec::new() };
        for (at, mv) in moves.drain(..).enumerate() {
            let best = match position.play(&self.rules, mv).men {
                [0, _] => Dtm::LOST,
                men => {
                    let (reply, symmetries) = self.probe(men)?;
                    if reply.best != reply.rest {
                        value.replies.push((reply, symmetries));
                    }
                    reply.best
                }
            };
            let dtm = best.before().unwrap_or(Dtm::DRAW);
            value.least = if at == 0 { dtm } else { value.least.better(dtm) };
        }
        Some(value)
    }
}

/// The making of these tables.
struct Making {
    tables: RetreatTables,
    /// The numbers of checkers of the bound side and of the free side in the positions that are not solved yet, those
    /// with fewer checkers first.
    counts: VecDeque<(usize, usize)>,
    /// The analysis of the first of these, if it has begun.
    analysis: Option<(Analysis, PassProgress)>,
}

impl Making {
    fn new(rules: &Alquerque, max_checkers: usize) -> Making {
        let (rules, orbits) = (rules.clone(), Orbits::new(rules, max_checkers));
        let mut tables = RetreatTables { rules, orbits, values: Vec::new() };
        tables.values.resize_with(COUNTS * COUNTS, Default::default);
        let counts =
            (2..=max_checkers).flat_map(|sum| (1..sum).map(move |own| (own, sum - own))).collect();
        Making { tables, counts, analysis: None }
    }

    /// Solves the next positions, or goes on with them; returns whether there were any.
    ///
    /// # Errors
    /// If they cannot be solved, or if the analysis is interrupted: then the next call goes on with it.
    fn step(&mut self, task: &JobControl<RetreatTables>) -> Result<bool, SolveError> {
        let Some(&(own, enemy)) = self.counts.front() else { return Ok(false) };
        let (analysis, passes) = match &mut self.analysis {
            Some(begun) => begun,
            None => {
                let bound_class = class(own, enemy);
                self.tables.values[bound_class] = zeroed(self.tables.orbits.size(bound_class))?;
                let analysis = Analysis::new(&self.tables.orbits, bound_class, class(enemy, own))?;
                self.analysis.insert((analysis, PassProgress::default()))
            }
        };
        task.run_analysis(|budget| analysis.run(passes, &self.tables, budget))?;
        self.analysis = None;
        self.counts.pop_front();
        Ok(true)
    }
}

impl FreeValue {
    /// The value if the bound side may not make this step in its next turn.
    fn against(&self, forbidden: Option<Step>, orbits: &Orbits) -> Dtm {
        let dtm = |(reply, symmetries): &(BoundValue, Symmetries)| {
            let step = forbidden.map(|step| symmetries.image(orbits, step));
            reply.without(step).before().unwrap_or(Dtm::DRAW)
        };
        self.replies.iter().map(dtm).fold(self.least, Dtm::better)
    }
}

/// The count of open moves of a position that the free side is found to win whatever is forbidden: its value is final.
const SETTLED: u16 = u16::MAX;

/// The retrograde analysis of the positions in which each side has one number of checkers.
///
/// As [usual](pentarch_tables::retrograde), it works from the ends of the game backwards, one more ply with each pass.
/// What is particular here is that each step of the bound side is found to win or to lose by itself, once the free
/// side's replies to it are known. This is what is known of the positions besides the tables.
struct Analysis {
    /// The class of the positions with the bound side to move.
    bound_class: usize,
    /// For each position of that class, the number of its steps that are not found to lose, in the high byte, and the
    /// exclusive or of these steps, in the low byte.
    open_steps: Box<[AtomicU16]>,
    /// The positions of that class whose values have changed, and in which pass to look at them.
    bound_worklist: Worklist,
    /// The class of the positions with the free side to move.
    free_class: usize,
    /// For each position of that class, the number of its steps that are not found to lose if nothing is forbidden to
    /// the bound side, times its images under symmetries.
    open_moves: Box<[AtomicU16]>,
    /// For each position of that class, the value that the free side may reach and that is examined next.
    next_dtm: Box<[AtomicU8]>,
    /// The positions of that class that are to be examined, and in which pass.
    free_worklist: Worklist,
    /// Whether a distance to mate is greater than a table can hold.
    too_long: AtomicBool,
}

impl Analysis {
    fn new(orbits: &Orbits, bound_class: usize, free_class: usize) -> Result<Analysis, SolveError> {
        let sizes = [bound_class, free_class].map(|class| orbits.size(class));
        Ok(Analysis {
            bound_class,
            open_steps: zeroed(sizes[0])?,
            bound_worklist: Worklist::new(sizes[0]),
            free_class,
            open_moves: zeroed(sizes[1])?,
            next_dtm: zeroed(sizes[1])?,
            free_worklist: Worklist::new(sizes[1]),
            too_long: AtomicBool::new(false),
        })
    }

    /// Runs all passes, or those that are left. The tables hold all positions with fewer checkers.
    ///
    /// # Errors
    /// If a distance to mate is too great, or if the analysis is interrupted: then the next call goes on with it.
    fn run(
        &self,
        passes: &mut PassProgress,
        tables: &RetreatTables,
        budget: &RetrogradeBudget,
    ) -> Result<(), SolveError> {
        let (bound, free) = (&self.bound_worklist, &self.free_worklist);
        passes.run_pass(0, budget, 0, bound.chunks(), |chunk, moves| {
            self.init_bound(tables, bound.positions(chunk), moves)
        })?;
        passes.run_pass(1, budget, 0, free.chunks(), |chunk, moves| {
            self.init_free(tables, free.positions(chunk), moves)
        })?;
        for dtm in (1..=u8::MAX).map(Dtm) {
            let (plies, number) = (dtm.0.into(), 2 * usize::from(dtm.0));
            // The free side comes first, because what a position of the bound side changes is for the next pass.
            if free.was_ever_due(dtm) {
                passes.run_pass(number, budget, plies, free.chunks(), |chunk, moves| {
                    let due = free.take(chunk, dtm).map(|numbers| {
                        let may_reach =
                            |&number: &usize| self.next_dtm[number].load(Relaxed) == dtm.0;
                        let examine =
                            |number| self.update_bound_predecessors(tables, number, dtm, moves);
                        numbers.filter(may_reach).for_each(examine);
                    });
                    due.is_some()
                })?;
            }
            if bound.was_ever_due(dtm) {
                passes.run_pass(
                    number + 1,
                    budget,
                    plies,
                    bound.chunks(),
                    |chunk, _: &mut Vec<Move>| {
                        bound.take(chunk, dtm).is_some_and(|numbers| {
                            self.update_free_predecessors(tables, numbers, dtm)
                        })
                    },
                )?;
            }
        }
        if self.too_long.load(Relaxed) { Err(SolveError::TooLong) } else { Ok(()) }
    }

    /// Prepares positions with the bound side to move. If it can capture, the value follows from positions with fewer
    /// checkers; otherwise its steps are counted.
    fn init_bound(
        &self,
        tables: &RetreatTables,
        numbers: Range<usize>,
        moves: &mut Vec<Move>,
    ) -> bool {
        let RetreatTables { rules, orbits, .. } = tables;
        let set = |number: usize, value: BoundValue| {
            tables.values[self.bound_class][number].store(value.pack(), Relaxed);
            [value.best, value.rest]
                .into_iter()
                .for_each(|dtm| self.bound_worklist.add(number, dtm));
        };
        for number in numbers {
            let Some((men, _)) = orbits.men(TableIndex { class: self.bound_class, number }) else {
                continue;
            };
            let position = position(men, Side::First);
            if rules.jumpers(&position) != 0 {
                let mut captures = Vec::new();
                rules.generate(&position, &mut captures);
                let value_after = |mv| {
                    let next = position.play(rules, mv);
                    let least = match next.men[1] {
                        0 => Some(Dtm::LOST),
                        _ => tables.look_ahead(&next, moves).map(|value| value.least),
                    };
                    least.and_then(Dtm::before).unwrap_or(Dtm::DRAW)
                };
                let best =
                    captures.into_iter().map(value_after).reduce(Dtm::better).unwrap_or(Dtm::DRAW);
                set(number, BoundValue { best, step: Step(0), rest: best });
                continue;
            }
            let steps = Direction::ALL.into_iter().flat_map(|direction| {
                spots(rules.steppers(&position, direction))
                    .map(move |from| Step::new(from, direction))
            });
            let open = steps.fold(0_u16, |open, step| (open + 0x100) ^ u16::from(step.0));
            self.open_steps[number].store(open, Relaxed);
            let [step, count] = open.to_le_bytes();
            match count {
                0 => set(number, BoundValue { best: Dtm::LOST, step: Step(0), rest: Dtm::LOST }),
                1 => set(number, BoundValue { best: Dtm::DRAW, step: Step(step), rest: Dtm::LOST }),
                _ => {}
            }
        }
        true
    }

    /// Prepares positions with the free side to move. If it can capture, the value follows from positions with fewer
    /// checkers; if it cannot move, it has lost; otherwise its steps are counted.
    fn init_free(
        &self,
        tables: &RetreatTables,
        numbers: Range<usize>,
        moves: &mut Vec<Move>,
    ) -> bool {
        let RetreatTables { rules, orbits, .. } = tables;
        for number in numbers {
            let Some((men, symmetries)) = self.free_men(tables, number) else { continue };
            let position = position(men, Side::Second);
            if rules.jumpers(&position) == 0 {
                let steps = Direction::ALL
                    .map(|direction| rules.steppers(&position, direction).count_ones() as u16);
                let steps = steps.iter().sum::<u16>();
                self.open_moves[number].store(steps * orbits.images(symmetries), Relaxed);
                if steps != 0 {
                    continue;
                }
            }
            self.update_bound_predecessors(tables, number, Dtm::DRAW, moves);
        }
        true
    }

    /// The checkers of the bound side and of the free side in a position with the free side to move, and the symmetries
    /// that map the position onto itself.
    fn free_men(&self, tables: &RetreatTables, number: usize) -> Option<([u32; 2], Symmetries)> {
        let ([enemy, own], symmetries) =
            tables.orbits.men(TableIndex { class: self.free_class, number })?;
        Some(([own, enemy], symmetries))
    }

    /// Sets the value of those steps of the bound side that lead to this position and after which the free side reaches
    /// the value `dtm`. After such a step, the step back is forbidden, so each can have another value. The position is
    /// put on the worklist again for the next value that the free side reaches after one of the steps.
    fn update_bound_predecessors(
        &self,
        tables: &RetreatTables,
        number: usize,
        dtm: Dtm,
        moves: &mut Vec<Move>,
    ) {
        let RetreatTables { rules, orbits, .. } = tables;
        let Some(([own, enemy], symmetries)) = self.free_men(tables, number) else { return };
        let value = tables.look_ahead(&position([own, enemy], Side::Second), moves);
        let (Some(value), Some(row)) = (value, orbits.row(enemy)) else { return };
        if value.least.is_win() && value.least.0 <= dtm.0 {
            self.open_moves[number].store(SETTLED, Relaxed);
        }
        let free = ALL & !(own | enemy);
        let mut later: Option<Dtm> = None;
        for direction in Direction::ALL {
            for at in spots(own & direction.lines() & direction.behind(free)) {
                let back = Step::new(at, direction);
                let reached = value.against(Some(back), orbits);
                if reached.0 > dtm.0 {
                    later = later.filter(|later| later.0 < reached.0).or(Some(reached));
                }
                // Of steps that symmetries map onto each other, only the first one is examined.
                let is_first = symmetries.images(orbits, back).all(|image| image >= back);
                if reached != dtm || dtm == Dtm::DRAW || !is_first {
                    continue;
                }
                let from = direction.ahead(at.bit());
                let before = own ^ at.bit() ^ from;
                if rules.jumpers(&position([before, enemy], Side::First)) == 0 {
                    let Some(dtm) = dtm.before() else { continue };
                    let (index, symmetries) = row.index(before);
                    let step = Step::new(spots(from).next().unwrap_or(at), direction.opposite());
                    self.set_step(tables, index.number, symmetries, step, dtm);
                }
            }
        }
        if let Some(later) = later {
            self.next_dtm[number].store(later.0, Relaxed);
            self.free_worklist.add(number, later);
        }
    }

    /// Sets the value that a step of the bound side reaches, together with its images under these symmetries, and
    /// updates the value of the position with this number.
    fn set_step(
        &self,
        tables: &RetreatTables,
        number: usize,
        symmetries: Symmetries,
        step: Step,
        dtm: Dtm,
    ) {
        let value = &tables.values[self.bound_class][number];
        let mut steps = [step; 8];
        let mut count = 0;
        for image in symmetries.images(&tables.orbits, step) {
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
            1 => update(&|value| BoundValue { rest: dtm, step: Step(last), ..value }),
            _ => {}
        }
    }

    /// Updates the predecessors, which have the free side to move, of those positions with the bound side to move that
    /// have this value.
    fn update_free_predecessors(
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
            let Some((men, symmetries)) =
                orbits.men(TableIndex { class: self.bound_class, number })
            else {
                continue;
            };
            let Some(before) = dtm.before() else {
                self.too_long.store(true, Relaxed);
                break;
            };
            let Some(row) = orbits.row(men[0]) else { continue };
            let refuted =
                if dtm.is_win() && value.best == dtm { orbits.images(symmetries) } else { 0 };
            let free = ALL & !(men[0] | men[1]);
            for direction in Direction::ALL {
                for from in spots(direction.lines() & direction.behind(men[1]) & free) {
                    let enemy = men[1] ^ from.bit() ^ direction.ahead(from.bit());
                    if rules.jumpers(&position([men[0], enemy], Side::Second)) != 0 {
                        continue;
                    }
                    let (index, _) = row.index(enemy);
                    if self.open_moves[index.number].load(Relaxed) == SETTLED {
                        continue;
                    }
                    let is_open =
                        self.open_moves[index.number].fetch_sub(refuted, Relaxed) != refuted;
                    if dtm.is_loss() || !is_open {
                        self.next_dtm[index.number].store(before.0, Relaxed);
                        self.free_worklist.add(index.number, before);
                    }
                }
            }
        }
        true
    }
}
