//! Tables of positions with few checkers in which REQ.25.ALT.3 binds one side and not the other.
//!
//! It forbids that side one step at most in each of its turns: the one that takes its last back. So it is enough to know
//! for each of its positions what it reaches, by which step, and what without that step. What the other side reaches
//! comes of looking one move ahead. The bound side is taken for Light: where movement is free, the sides differ in
//! nothing else.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU16, AtomicU32, Ordering::Relaxed};

use crate::core::{Game, Side, TableValue, room};
use crate::tables::code::Code;
use crate::tables::due::{Due, in_parallel};
use crate::tables::later::Making;
use crate::tables::solve::{Effort, Unsolved};
use crate::tables::{Place, threads};

use super::Alquerque;
use super::board::{ALL, Direction, spots};
use super::moves::Move;
use super::position::Position;
use super::tables::{COUNTS, Orbits, Step, Symmetries, class};

/// The tables.
pub struct Bound {
    /// Those that bind Light only.
    rules: Alquerque,
    /// The positions have no more checkers than this.
    most: usize,
    orbits: Orbits,
    /// By class and number, where the bound side is to move; empty if the class is not solved.
    worths: Vec<Box<[AtomicU32]>>,
}

/// What the bound side reaches with its turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Worth {
    /// If nothing is forbidden.
    best: Code,
    /// The step that alone reaches this, if something else is reached without it.
    step: Step,
    /// If that step is forbidden.
    rest: Code,
}

impl Worth {
    fn unpack(bits: u32) -> Worth {
        let [best, step, rest, _] = bits.to_le_bytes();
        Worth { best: Code(best), step: Step(step), rest: Code(rest) }
    }

    fn pack(self) -> u32 {
        u32::from_le_bytes([self.best.0, self.step.0, self.rest.0, 0])
    }

    /// If this step, as it looks at the place of the position, is forbidden, or none.
    fn without(self, step: Option<Step>) -> Code {
        if step == Some(self.step) { self.rest } else { self.best }
    }
}

/// What the other side reaches with its turn.
struct Answer {
    /// If nothing is forbidden to the bound side: the least.
    least: Code,
    /// The positions after its moves in which it matters if a step is, and the symmetries that lead to their places.
    more: Vec<(Worth, Symmetries)>,
}

impl Bound {
    /// Solves the positions with at most so many checkers under these rules, as they are if only Light is bound.
    pub fn make(rules: Alquerque, most: usize, making: &Making<Bound>) -> Option<Bound> {
        let orbits = Orbits::new(&rules, most);
        let mut bound = Bound { rules, most, orbits, worths: Vec::new() };
        bound.worths.resize_with(COUNTS * COUNTS, Default::default);
        let effort = Effort { threads: threads(), go_on: &|_| !making.is_unwanted() };
        for counts in (2..=most).flat_map(|sum| (1..sum).map(move |own| (own, sum - own))) {
            if let Err(error) = bound.solve(counts, &effort) {
                making.complain(format!("there are no tables for {}: {error}", Alquerque::NAME));
                return None;
            }
        }
        Some(bound)
    }

    /// What the side to move reaches if REQ.25.ALT.3 binds only this side from now on; a step that it forbids the other
    /// one now stays forbidden.
    pub fn value(&self, position: &Position, bound: Side) -> Option<TableValue> {
        if position.occupied().count_ones() as usize > self.most || position.men.contains(&0) {
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
        let code = match position.side {
            Side::First => {
                let (worth, symmetries) = self.turn(position.men)?;
                worth.without(forbidden.map(|step| symmetries.image(&self.orbits, step)))
            }
            Side::Second => self.answer(&position, &mut Vec::new())?.against(forbidden, &self.orbits),
        };
        Some(code.value())
    }

    /// What the bound side reaches with its turn, and the symmetries that lead to the place of the position.
    fn turn(&self, [own, enemy]: [u32; 2]) -> Option<(Worth, Symmetries)> {
        let (Place { class, number }, symmetries) = self.orbits.row(enemy)?.place(own);
        Some((Worth::unpack(self.worths.get(class)?.get(number)?.load(Relaxed)), symmetries))
    }

    /// What the other side reaches with its turn; none if the tables lack a position. `moves` is room to work in.
    fn answer(&self, position: &Position, moves: &mut Vec<Move>) -> Option<Answer> {
        moves.clear();
        self.rules.generate(position, moves);
        let mut answer = Answer { least: Code::LOST, more: Vec::new() };
        for (at, mv) in moves.drain(..).enumerate() {
            let best = match position.play(&self.rules, mv).men {
                [0, _] => Code::LOST,
                men => {
                    let (worth, symmetries) = self.turn(men)?;
                    if worth.best != worth.rest {
                        answer.more.push((worth, symmetries));
                    }
                    worth.best
                }
            };
            let code = best.before().unwrap_or(Code::DRAW);
            answer.least = if at == 0 { code } else { answer.least.better(code) };
        }
        Some(answer)
    }

    /// Solves the positions in which the sides have so many checkers, the bound one first. Those with fewer are solved.
    fn solve(&mut self, (own, enemy): (usize, usize), effort: &Effort) -> Result<(), Unsolved> {
        let turns = class(own, enemy);
        self.worths[turns] = zeroed(self.orbits.size(turns))?;
        Work::new(self, turns, class(enemy, own))?.solve(effort)
    }
}

impl Answer {
    /// What it reaches if the bound side may not make this step in its next turn.
    fn against(&self, forbidden: Option<Step>, orbits: &Orbits) -> Code {
        let code = |(worth, symmetries): &(Worth, Symmetries)| {
            let step = forbidden.map(|step| symmetries.image(orbits, step));
            worth.without(step).before().unwrap_or(Code::DRAW)
        };
        self.more.iter().map(code).fold(self.least, Code::better)
    }
}

fn zeroed<T: bytemuck::Zeroable>(size: usize) -> Result<Box<[T]>, Unsolved> {
    room::zeroed(size).ok_or(Unsolved::Memory)
}

/// A position with Light to move, or with Dark.
fn position(men: [u32; 2], side: Side) -> Position {
    Position { men, banned: [0; 8], spent: 0, huff: 0, full_move: 1, side }
}

/// The count of a position of the other side that wins whatever is forbidden: nothing is left to be found out.
const SETTLED: u16 = u16::MAX;

/// The analysis of the positions in which each side has so many checkers: as [usual](crate::tables::solve), from the
/// ends of the game backwards. Each step of the bound side is won or refuted by itself, once the other side's replies
/// to it are known.
struct Work<'a> {
    bound: &'a Bound,
    /// The class of the positions in which the bound side is to move.
    turns: usize,
    /// For each of them how many steps are not refuted, in the high byte, and the exclusive or of these steps.
    open: Box<[AtomicU16]>,
    /// What is known of which of them, and not worked off yet.
    turns_due: Due,
    /// The class of the positions in which the other side is to move.
    answers: usize,
    /// For each of them how many steps the bound side does not win against with all steps allowed, times its images.
    saving: Box<[AtomicU16]>,
    /// For each of them what the other side may reach, the code to be looked at next.
    next: Box<[AtomicU8]>,
    answers_due: Due,
    too_long: AtomicBool,
}

impl<'a> Work<'a> {
    fn new(bound: &'a Bound, turns: usize, answers: usize) -> Result<Self, Unsolved> {
        let sizes = [turns, answers].map(|class| bound.orbits.size(class));
        Ok(Work {
            bound,
            turns,
            open: zeroed(sizes[0])?,
            turns_due: Due::new(sizes[0]),
            answers,
            saving: zeroed(sizes[1])?,
            next: zeroed(sizes[1])?,
            answers_due: Due::new(sizes[1]),
            too_long: AtomicBool::new(false),
        })
    }

    fn solve(&self, effort: &Effort) -> Result<(), Unsolved> {
        let (turns, answers) = (self.turns_due.chunks(), self.answers_due.chunks());
        in_parallel(effort, 0, turns, |chunk, moves| self.begin_turns(self.turns_due.all(chunk), moves))?;
        in_parallel(effort, 0, answers, |chunk, moves| self.begin_answers(self.answers_due.all(chunk), moves))?;
        for code in (1..=u8::MAX).map(Code) {
            let plies = code.0.into();
            // In this order: what a position of the bound side tells is for the next pass.
            if self.answers_due.has(code) {
                in_parallel(effort, plies, answers, |chunk, moves| {
                    let due = self.answers_due.take(chunk, code);
                    due.is_some_and(|numbers| self.judge_steps(numbers, code, moves))
                })?;
            }
            if self.turns_due.has(code) {
                in_parallel(effort, plies, turns, |chunk, _: &mut Vec<Move>| {
                    let due = self.turns_due.take(chunk, code);
                    due.is_some_and(|numbers| self.look_back(numbers, code))
                })?;
            }
        }
        if self.too_long.load(Relaxed) { Err(Unsolved::TooLong) } else { Ok(()) }
    }

    /// Finds out what the captures of the bound side decide, and counts its steps.
    fn begin_turns(&self, numbers: Range<usize>, moves: &mut Vec<Move>) -> bool {
        let Bound { rules, orbits, .. } = self.bound;
        let give = |number: usize, worth: Worth| {
            self.bound.worths[self.turns][number].store(worth.pack(), Relaxed);
            [worth.best, worth.rest].into_iter().for_each(|code| self.turns_due.give(number, code));
        };
        for number in numbers {
            let Some((men, _)) = orbits.men(Place { class: self.turns, number }) else { continue };
            let position = position(men, Side::First);
            if rules.jumpers(&position) != 0 {
                let mut captures = Vec::new();
                rules.generate(&position, &mut captures);
                let reached = |mv| {
                    let next = position.play(rules, mv);
                    let least = match next.men[1] {
                        0 => Some(Code::LOST),
                        _ => self.bound.answer(&next, moves).map(|answer| answer.least),
                    };
                    least.and_then(Code::before).unwrap_or(Code::DRAW)
                };
                let code = captures.into_iter().map(reached).reduce(Code::better).unwrap_or(Code::DRAW);
                give(number, Worth { best: code, step: Step(0), rest: code });
                continue;
            }
            let steps = Direction::ALL.into_iter().flat_map(|direction| {
                spots(rules.steppers(&position, direction)).map(move |from| Step::new(from, direction))
            });
            let open = steps.fold(0_u16, |open, step| (open + 0x100) ^ u16::from(step.0));
            self.open[number].store(open, Relaxed);
            let [step, count] = open.to_le_bytes();
            match count {
                0 => give(number, Worth { best: Code::LOST, step: Step(0), rest: Code::LOST }),
                1 => give(number, Worth { best: Code::DRAW, step: Step(step), rest: Code::LOST }),
                _ => {}
            }
        }
        true
    }

    /// Counts the steps of the other side, and finds out when its captures decide something.
    fn begin_answers(&self, numbers: Range<usize>, moves: &mut Vec<Move>) -> bool {
        let Bound { rules, orbits, .. } = self.bound;
        for number in numbers {
            let Some((men, symmetries)) = self.men(number) else { continue };
            let position = position(men, Side::Second);
            if rules.jumpers(&position) == 0 {
                let steps = Direction::ALL.map(|direction| rules.steppers(&position, direction).count_ones() as u16);
                let steps = steps.iter().sum::<u16>();
                self.saving[number].store(steps * orbits.images(symmetries), Relaxed);
                if steps != 0 {
                    continue;
                }
            }
            self.judge(number, Code::DRAW, moves);
        }
        true
    }

    /// The checkers of the bound side and of the other one, which is to move, and the symmetries that leave them as
    /// they are.
    fn men(&self, number: usize) -> Option<([u32; 2], Symmetries)> {
        let ([enemy, own], symmetries) = self.bound.orbits.men(Place { class: self.answers, number })?;
        Some(([own, enemy], symmetries))
    }

    /// Judges the steps that have led to positions of the other side in which this is reached.
    fn judge_steps(&self, numbers: Range<usize>, code: Code, moves: &mut Vec<Move>) -> bool {
        for number in numbers.filter(|&number| self.next[number].load(Relaxed) == code.0) {
            self.judge(number, code, moves);
        }
        true
    }

    /// Tells the steps of the bound side that have led to this position and by which the other side reaches this now,
    /// and finds out when to look at it again.
    fn judge(&self, number: usize, code: Code, moves: &mut Vec<Move>) {
        let Bound { rules, orbits, .. } = self.bound;
        let Some(([own, enemy], symmetries)) = self.men(number) else { return };
        let answer = self.bound.answer(&position([own, enemy], Side::Second), moves);
        let (Some(answer), Some(row)) = (answer, orbits.row(enemy)) else { return };
        if answer.least.is_win() && answer.least.0 <= code.0 {
            self.saving[number].store(SETTLED, Relaxed);
        }
        let free = ALL & !(own | enemy);
        let mut later: Option<Code> = None;
        for direction in Direction::ALL {
            for at in spots(own & direction.lines() & direction.behind(free)) {
                let back = Step::new(at, direction);
                let reached = answer.against(Some(back), orbits);
                if reached.0 > code.0 {
                    later = later.filter(|later| later.0 < reached.0).or(Some(reached));
                }
                // Of steps that symmetries map on each other one speaks for all.
                let is_first = symmetries.images(orbits, back).all(|image| image >= back);
                if reached != code || code == Code::DRAW || !is_first {
                    continue;
                }
                let from = direction.ahead(at.bit());
                let before = own ^ at.bit() ^ from;
                if rules.jumpers(&position([before, enemy], Side::First)) == 0 {
                    let Some(code) = code.before() else { continue };
                    let (place, symmetries) = row.place(before);
                    let step = Step::new(spots(from).next().unwrap_or(at), direction.opposite());
                    self.tell(place.number, symmetries, step, code);
                }
            }
        }
        if let Some(later) = later {
            self.next[number].store(later.0, Relaxed);
            self.answers_due.give(number, later);
        }
    }

    /// Takes note of what a step of the bound side reaches, and those that are the same by symmetry.
    fn tell(&self, number: usize, symmetries: Symmetries, step: Step, code: Code) {
        let worth = &self.bound.worths[self.turns][number];
        let mut steps = [step; 8];
        let mut count = 0;
        for image in symmetries.images(&self.bound.orbits, step) {
            if !steps[..count].contains(&image) {
                steps[count] = image;
                count += 1;
            }
        }
        let steps = &steps[..count];
        let change = |change: &dyn Fn(Worth) -> Worth| {
            let change = |bits| Some(change(Worth::unpack(bits)).pack()).filter(|&changed| changed != bits);
            if worth.fetch_update(Relaxed, Relaxed, change).is_ok() {
                self.turns_due.give(number, code);
            }
        };
        if code.is_win() {
            change(&|worth| match worth.best.is_win() {
                false => Worth { best: code, step: steps[0], rest: if count > 1 { code } else { worth.rest } },
                true if steps.contains(&worth.step) || worth.rest.is_win() => worth,
                true => Worth { rest: code, ..worth },
            });
            return;
        }
        let refute = |open: u16| steps.iter().fold(open, |open, step| (open - 0x100) ^ u16::from(step.0));
        let before = self.open[number].fetch_update(Relaxed, Relaxed, |open| Some(refute(open))).unwrap_or_default();
        let [last, left] = refute(before).to_le_bytes();
        match left {
            0 if before >> 8 == 1 => change(&|worth| Worth { best: code, ..worth }),
            0 => change(&|worth| Worth { best: code, rest: code, ..worth }),
            1 => change(&|worth| Worth { rest: code, step: Step(last), ..worth }),
            _ => {}
        }
    }

    /// Tells the predecessors of the bound side's positions of which this is known.
    fn look_back(&self, numbers: Range<usize>, code: Code) -> bool {
        let Bound { rules, orbits, .. } = self.bound;
        for number in numbers {
            let worth = Worth::unpack(self.bound.worths[self.turns][number].load(Relaxed));
            if worth.best != code && worth.rest != code {
                continue;
            }
            let Some((men, symmetries)) = orbits.men(Place { class: self.turns, number }) else { continue };
            let Some(before) = code.before() else {
                self.too_long.store(true, Relaxed);
                break;
            };
            let Some(row) = orbits.row(men[0]) else { continue };
            let taken = if code.is_win() && worth.best == code { orbits.images(symmetries) } else { 0 };
            let free = ALL & !(men[0] | men[1]);
            for direction in Direction::ALL {
                for from in spots(direction.lines() & direction.behind(men[1]) & free) {
                    let enemy = men[1] ^ from.bit() ^ direction.ahead(from.bit());
                    if rules.jumpers(&position([men[0], enemy], Side::Second)) != 0 {
                        continue;
                    }
                    let (place, _) = row.place(enemy);
                    if self.saving[place.number].load(Relaxed) == SETTLED {
                        continue;
                    }
                    let is_saved = self.saving[place.number].fetch_sub(taken, Relaxed) != taken;
                    if code.is_loss() || !is_saved {
                        self.next[place.number].store(before.0, Relaxed);
                        self.answers_due.give(place.number, before);
                    }
                }
            }
        }
        true
    }
}
