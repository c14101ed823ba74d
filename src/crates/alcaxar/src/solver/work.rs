//! The stages one after the other, and their counts.

use std::sync::atomic::Ordering::Relaxed;

use pentarch_core::Side;

use super::super::board::{self, Board, slots};
use super::super::moves::{self, Move};
use super::super::position::Position;
use super::knights::Knights;
use super::progress::{FOUND_ALONE, Progress};
use super::stages::{Counts, Stage};
use super::wall_sets::count;
use super::{Solver, Step};

/// The work on the positions with one number of walls.
#[derive(Debug)]
pub struct Work {
    pub(super) solver: Solver,
    pub(super) progress: Progress,
    /// The stages to be solved, in their order.
    wanted: Vec<Stage>,
    /// The stage that has ended whose wins the entries hold, if they are those of one.
    pub(super) held: Option<Stage>,
    /// The evaluations of this stage when its progress was last kept.
    pub(super) kept: usize,
}

impl Work {
    /// The work on these stages from its beginning; none if there is not enough memory. A stage that goes on from
    /// another one must follow it.
    pub fn new(board: &Board, walls: usize, wanted: Vec<Stage>) -> Option<Work> {
        let (solver, progress) = (Solver::new(board, walls)?, Progress::default());
        let mut work = Work { solver, progress, wanted, held: None, kept: 0 };
        work.begin_next();
        Some(work)
    }

    /// Begins the first stage that has not ended, unless it is being worked on.
    pub(super) fn begin_next(&mut self) {
        let next = self.stage().map_or(Stage::ALL.len(), Stage::index);
        if next != self.progress.stage {
            self.progress.begin_stage(next);
            self.kept = 0;
        }
    }

    /// Lets a stage begin anew, although it had ended.
    pub(super) fn redo(&mut self, stage: Stage) {
        self.progress.ended &= !(1 << stage.index());
    }

    /// The entries as far as they are worked out.
    pub fn solver(&self) -> &Solver {
        &self.solver
    }

    /// The stage that is being worked on; none if all that are needed have ended.
    pub fn stage(&self) -> Option<Stage> {
        self.stage_after(&self.progress)
    }

    /// The first stage that is still to be solved after this progress. When a side is known to win the start, nothing
    /// more is to be done to learn which one does.
    pub(super) fn stage_after(&self, progress: &Progress) -> Option<Stage> {
        let is_start_known = Side::BOTH.into_iter().any(|side| progress.wins_start(side));
        let is_needed = |stage: &Stage| match *stage {
            Stage::Start(_) => !is_start_known,
            Stage::Safe(winner) => !is_start_known || self.wanted.contains(&Stage::Certain(winner)),
            Stage::Plain | Stage::Certain(_) | Stage::Repetition(_) => true,
        };
        self.wanted.iter().copied().find(|stage| is_needed(stage) && !progress.has_ended(*stage))
    }

    /// Whether what a stage is to find is known.
    pub fn is_known(&self, stage: Stage) -> bool {
        self.has_ended(stage)
            || matches!(stage, Stage::Start(side) if self.start_winner(side).is_some())
    }

    /// The side that wins the start, if it is known and to be told as the result of the stage for this side. That the
    /// other side wins is the result of the other stage, if that one is wanted, too.
    pub fn start_winner(&self, side: Side) -> Option<Side> {
        let mut sides = [side, !side]
            .into_iter()
            .filter(|&of| of == side || !self.wanted.contains(&Stage::Start(of)));
        sides.find(|&side| self.progress.wins_start(side))
    }

    /// Whether a stage has ended.
    pub fn has_ended(&self, stage: Stage) -> bool {
        self.progress.has_ended(stage)
    }

    /// The counts of a stage that has ended, without a blocked wall and with all blocked sets.
    pub fn counts(&self, stage: Stage) -> [Counts; 2] {
        self.progress.counts[stage.index()]
    }

    /// The longest plain win, in plies.
    pub fn longest(&self) -> u64 {
        self.progress.longest
    }

    /// For the start position and the positions after each of its moves, the side that wins for certain, if any. With
    /// fewer than eight walls it is the position with the first ones of the start position.
    pub fn start(&self) -> Vec<(Option<Move>, Option<Side>)> {
        let wins = |side: Side, at: usize| self.progress.start[side.index()] >> at & 1 != 0;
        let positions = start_and_replies(self.solver.numbering.walls).into_iter().enumerate();
        positions
            .map(|(at, (mv, _))| (mv, Side::BOTH.into_iter().find(|&side| wins(side, at))))
            .collect()
    }

    /// Makes one step, on so many threads. Returns the stage that has ended with it, if any.
    pub fn step(&mut self, threads: usize) -> Option<Stage> {
        let stage = self.stage()?;
        let Work { solver, progress, .. } = self;
        let red = Side::First;
        let Some((step, side)) = progress.next else {
            if let Some(base) = stage.base().filter(|_| stage.base() != self.held) {
                self.redo(base);
                self.begin_next();
                return None;
            }
            self.held = None;
            solver.ties = stage.winner() == Side::Second;
            solver.evaluations.store(0, Relaxed);
            let is_safe = matches!(stage, Stage::Safe(_));
            if is_safe || stage == Stage::Plain {
                solver.clear();
            }
            if is_safe {
                solver.add_owned();
            }
            progress.next = Some((if is_safe { Step::Stay } else { stage.attracting() }, red));
            solver.make_all_due();
            return None;
        };
        if let Some(log) = &mut solver.log {
            (log.rank, log.stayed) = (progress.round, progress.stay_round);
        }
        // How long the plain wins are is known by the steps of one side after the other.
        let is_ply = step == Step::AttractOther || stage == Stage::Plain;
        let has_changed = if is_ply {
            solver.step(side, step, threads) > 0
        } else {
            solver.sweep(step, progress.steps % 2 != 0, threads);
            solver.is_due(step)
        };
        progress.steps += 1;
        if has_changed {
            progress.last_change = progress.steps;
        }
        progress.evaluations = solver.evaluations.load(Relaxed) as u64;
        progress.idle = if has_changed { 0 } else { progress.idle + 1 };
        let is_idle =
            if is_ply { progress.idle >= 2 && !solver.is_due(step) } else { !has_changed };
        progress.next = Some((step, if is_ply { !side } else { side }));
        if is_idle {
            progress.idle = 0;
            progress.next = Some((step, red));
        }
        match step {
            Step::AttractTwice
                if solver.is_won_by(stage.winner(), &start(solver.numbering.walls)) =>
            {
                return Some(self.end(stage));
            }
            Step::AttractOther if has_changed => progress.next = Some((stage.attracting(), !side)),
            Step::AttractOther if !is_idle => progress.begin_round(),
            Step::AttractOwned if is_idle => progress.begin_round(),
            Step::Stay if is_idle && !matches!(stage, Stage::Safe(_)) => {
                progress.stay_round = progress.round;
                progress.next = Some((stage.attracting(), red));
                solver.make_all_due();
            }
            _ if is_idle => return self.end_or_stay(stage),
            _ => {}
        }
        None
    }

    /// Ends a stage in which nothing new is attracted, and returns it, or begins to stay again.
    fn end_or_stay(&mut self, stage: Stage) -> Option<Stage> {
        let Work { solver, progress, .. } = self;
        let counts = solver.counts();
        let won = counts[1][1] + counts[1][2];
        let may_stay = match stage {
            Stage::Plain | Stage::Safe(_) => false,
            // What enters by staying has one rank, so this is done only once.
            Stage::Certain(_) => progress.stay_round == 0,
            Stage::Repetition(_) | Stage::Start(_) => true,
        };
        if may_stay && won != progress.won_before {
            progress.won_before = won;
            progress.next = Some((Step::Stay, Side::First));
            solver.add_owned();
            solver.make_all_due();
            return None;
        }
        if let Some(kept) = progress.counts.get_mut(progress.stage) {
            *kept = counts;
        }
        if stage == Stage::Plain {
            progress.longest = progress.last_change;
        }
        Some(self.end(stage))
    }

    /// Ends a stage, and returns it.
    fn end(&mut self, stage: Stage) -> Stage {
        let Work { solver, progress, .. } = self;
        let won = |winner: Side, position: &Position| u64::from(solver.is_won_by(winner, position));
        match stage {
            Stage::Certain(winner) => {
                let positions = start_and_replies(solver.numbering.walls).into_iter().enumerate();
                let certain = positions
                    .fold(0, |set, (at, (_, position))| set | won(winner, &position) << at);
                let start = &mut progress.start[winner.index()];
                *start = *start & FOUND_ALONE | certain;
            }
            Stage::Start(winner) => {
                progress.start[winner.index()] |=
                    won(winner, &start(solver.numbering.walls)) * FOUND_ALONE;
            }
            Stage::Plain | Stage::Safe(_) | Stage::Repetition(_) => {}
        }
        progress.ended |= 1 << stage.index();
        (self.kept, self.held) = (0, Some(stage));
        self.begin_next();
        stage
    }

    /// Which share of the expected work is done. The estimate rests on what fewer walls took.
    pub fn share(&self) -> f64 {
        let expected = |stages: &[Stage]| {
            stages.iter().map(|stage| stage.expected_evaluations()).sum::<usize>() as f64
        };
        let ended: Vec<Stage> =
            self.wanted.iter().copied().filter(|&stage| self.has_ended(stage)).collect();
        let here = self.stage().map_or(0., |stage| {
            let done = self.progress.evaluations as f64 / count(self.solver.numbering.walls) as f64;
            done.min(0.95 * expected(&[stage]))
        });
        (expected(&ended) + here) / expected(&self.wanted)
    }

    /// How many steps the stage has made.
    pub fn steps(&self) -> u64 {
        self.progress.steps
    }
}

impl Solver {
    /// The counts without a blocked wall and with all blocked sets, with no symmetry removed.
    pub fn counts(&self) -> [Counts; 2] {
        let (mut counts, Solver { numbering, entries, .. }) = ([[0; 3]; 2], self);
        for (rank, set) in numbering.canonical_sets() {
            let images = if numbering.geometry.mirror(set) == set { 1 } else { 2 };
            let undecided = Knights::between(set).undecided;
            for (number, entry) in numbering.entries_of(rank).enumerate() {
                let won = Side::BOTH.map(|side| (entries.get(side, entry) & undecided).len());
                let added = [undecided.len(), won[0], won[1]].map(|number| images * number);
                for counts in &mut counts[usize::from(number > 0)..] {
                    counts.iter_mut().zip(added).for_each(|(count, added)| *count += added);
                }
            }
        }
        counts
    }

    /// Whether a side, whose wins the entries hold, can force a win from this undecided position.
    pub fn is_won_by(&self, winner: Side, position: &Position) -> bool {
        match winner {
            Side::First => self.is_won(position),
            Side::Second => self.is_won(&position.map(true, board::half_turn)),
        }
    }
}

/// The start position with only the first walls, so many.
pub fn start(walls: usize) -> Position {
    let whole = Position::start();
    Position {
        walls: slots(whole.walls).take(walls).fold(0, |set, slot| set | slot.bit()),
        ..whole
    }
}

/// The same position, and those after each of its moves.
fn start_and_replies(walls: usize) -> Vec<(Option<Move>, Position)> {
    let (start, mut moves) = (start(walls), Vec::new());
    moves::generate(&Board::default(), &start, &mut moves);
    let replies = moves.into_iter().map(|mv| (Some(mv), start.play(mv)));
    std::iter::once((None, start)).chain(replies).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A damaged file lets an earlier stage begin again while the work on a later one has been stored.
    #[test]
    fn a_stage_that_begins_again_has_stored_nothing() {
        let wanted = vec![Stage::Plain, Stage::Safe(Side::First)];
        let mut work = Work::new(&Board::default(), 1, wanted).unwrap();
        work.progress.ended |= 1 << Stage::Plain.index();
        work.begin_next();
        work.kept = 9;
        work.redo(Stage::Plain);
        work.begin_next();
        assert_eq!((work.stage(), work.kept), (Some(Stage::Plain), 0));
    }
}
