//! Runs the stages one after the other, and counts their wins.

use std::sync::atomic::Ordering::Relaxed;

use pentarch_core::Side;

use super::super::board::{self, Board, iter_slots};
use super::super::moves::{self, Move};
use super::super::position::Position;
use super::knight_pairs::KnightPairSets;
use super::progress::{START_STAGE_FOUND_WIN_BIT, SolverProgress};
use super::stages::{Stage, StateCounts};
use super::wall_sets::count_wall_sets;
use super::{FixpointStepKind, RetrogradeSolver};

/// A runner that solves the stages for one number of walls, one after the other.
#[derive(Debug)]
pub struct StageRunner {
    pub(super) solver: RetrogradeSolver,
    pub(super) progress: SolverProgress,
    /// The stages to solve, in their order.
    stages: Vec<Stage>,
    /// The finished stage whose wins are in the solver's entries; `None` if the entries contain
    /// anything else.
    pub(super) loaded_stage: Option<Stage>,
    /// The number of updates of this stage when its progress was last saved.
    pub(super) saved_updates: usize,
}

/// The result of the start position, or of the position after one of its moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StartPositionResult {
    /// The move from the start position, or `None` for the start position itself.
    pub mv: Option<Move>,
    /// The side that certainly wins, if any.
    pub winner: Option<Side>,
}

impl StageRunner {
    /// Creates a runner for these stages, none of which has begun. If a stage builds on another
    /// stage, the list must contain that stage first. Returns `None` if there is not enough memory.
    pub fn new(board: &Board, walls: usize, stages: Vec<Stage>) -> Option<StageRunner> {
        let mut runner = StageRunner {
            solver: RetrogradeSolver::new(board, walls)?,
            progress: SolverProgress::default(),
            stages,
            loaded_stage: None,
            saved_updates: 0,
        };
        runner.begin_next_stage();
        Some(runner)
    }

    /// Begins the first needed stage that has not ended, unless it is already the current stage.
    pub(super) fn begin_next_stage(&mut self) {
        let next = self.current_stage().map_or(Stage::ALL.len(), Stage::index);
        if next != self.progress.stage {
            self.progress.begin_stage(next);
            self.saved_updates = 0;
        }
    }

    /// Marks a stage as not ended, so that it begins again.
    pub(super) fn reopen_stage(&mut self, stage: Stage) {
        self.progress.ended &= !(1 << stage.index());
    }

    /// Returns the solver. Its entries show the wins that have been found so far.
    pub fn solver(&self) -> &RetrogradeSolver {
        &self.solver
    }

    /// Returns the current stage, or `None` if all needed stages have ended.
    pub fn current_stage(&self) -> Option<Stage> {
        self.next_stage_after(&self.progress)
    }

    /// Returns the next stage to solve after this progress, or `None` if no stage is left. The
    /// start stages are skipped if the winner of the start position is already known.
    pub(super) fn next_stage_after(&self, progress: &SolverProgress) -> Option<Stage> {
        let is_start_known =
            Side::BOTH_SIDES.into_iter().any(|side| progress.is_start_won_by(side));
        let is_needed = |stage: &Stage| match *stage {
            Stage::Start(_) => !is_start_known,
            Stage::Safe(winner) => !is_start_known || self.stages.contains(&Stage::Certain(winner)),
            Stage::Plain | Stage::Certain(_) | Stage::Repetition(_) => true,
        };
        self.stages
            .iter()
            .copied()
            .find(|stage| is_needed(stage) && !progress.has_stage_ended(*stage))
    }

    /// Returns whether the result of a stage is known, because the stage has ended or because
    /// another stage has shown its result.
    pub fn is_result_known(&self, stage: Stage) -> bool {
        self.has_stage_ended(stage)
            || matches!(stage, Stage::Start(side) if self.start_position_winner(side).is_some())
    }

    /// Returns the winner of the start position that the start stage of `side` reports, or `None`
    /// if no winner is known. If the start stages of both sides are requested, each reports only a
    /// win of its own side.
    pub fn start_position_winner(&self, side: Side) -> Option<Side> {
        if self.progress.is_start_won_by(side) {
            return Some(side);
        }
        let is_reported_here = !self.stages.contains(&Stage::Start(!side));
        (is_reported_here && self.progress.is_start_won_by(!side)).then_some(!side)
    }

    /// Returns whether a stage has ended.
    pub fn has_stage_ended(&self, stage: Stage) -> bool {
        self.progress.has_stage_ended(stage)
    }

    /// Returns two counts of an ended stage: the states without a blocked wall, and all states.
    pub fn stage_counts(&self, stage: Stage) -> [StateCounts; 2] {
        self.progress.counts[stage.index()]
    }

    /// Returns the number of plies of the longest win in a game where repetition has no
    /// consequence.
    pub fn longest_plain_win_plies(&self) -> u64 {
        self.progress.longest_plain_win_plies
    }

    /// Returns the results of the start position and of the positions after each of its moves. With
    /// fewer than eight walls, the start position has only the first walls of the game's start
    /// position.
    pub fn start_position_results(&self) -> Vec<StartPositionResult> {
        let mut results = Vec::new();
        for (at, (mv, _)) in
            start_position_and_successors(self.solver.numbering.walls).into_iter().enumerate()
        {
            let mut sides = Side::BOTH_SIDES.into_iter();
            let winner = sides.find(|side| self.progress.start_wins[side.index()] >> at & 1 != 0);
            results.push(StartPositionResult { mv, winner });
        }
        results
    }

    /// Runs one step on `threads` threads. Returns the stage if this step has ended it.
    pub fn run_step(&mut self, threads: usize) -> Option<Stage> {
        let stage = self.current_stage()?;
        let Some((step, side)) = self.progress.next else {
            self.begin_stage(stage);
            return None;
        };
        let StageRunner { solver, progress, .. } = self;
        if let Some(log) = &mut solver.log {
            log.rank = progress.round;
            log.stay_rank = progress.stay_round;
        }
        // The plain wins need single steps, in which the two sides alternate, because the number of
        // such steps is the number of plies of a win.
        let is_ply = step == FixpointStepKind::AttractUnowned || stage == Stage::Plain;
        let has_changed = if is_ply {
            solver.run_step(side, step, threads) > 0
        } else {
            solver.run_sweep(step, progress.steps % 2 != 0, threads);
            solver.is_any_wall_set_due(step)
        };
        progress.steps += 1;
        if has_changed {
            progress.last_change = progress.steps;
        }
        progress.updates = solver.updates.load(Relaxed) as u64;
        progress.idle_steps = if has_changed { 0 } else { progress.idle_steps + 1 };
        let is_idle = if is_ply {
            progress.idle_steps >= 2 && !solver.is_any_wall_set_due(step)
        } else {
            !has_changed
        };
        progress.next = Some((step, if is_ply { !side } else { side }));
        if is_idle {
            progress.idle_steps = 0;
            progress.next = Some((step, Side::First));
        }
        self.choose_next_step(stage, has_changed, is_idle)
    }

    /// Begins a stage. If the entries lack the wins on which it builds, begins the stage of these
    /// wins instead.
    fn begin_stage(&mut self, stage: Stage) {
        if let Some(base) =
            stage.prerequisite_stage().filter(|&base| self.loaded_stage != Some(base))
        {
            self.reopen_stage(base);
            self.begin_next_stage();
            return;
        }
        self.loaded_stage = None;
        let StageRunner { solver, progress, .. } = self;
        solver.wins_ties = stage.winner() == Side::Second;
        solver.updates.store(0, Relaxed);
        let is_safe = matches!(stage, Stage::Safe(_));
        if is_safe || stage == Stage::Plain {
            solver.reset();
        }
        if is_safe {
            solver.add_states_owned_by_red();
        }
        let first = if is_safe { FixpointStepKind::Stay } else { stage.attracting_step() };
        progress.next = Some((first, Side::First));
        solver.make_all_due();
    }

    /// Chooses the step that follows the last step. This is the same step unless a condition below
    /// holds. Returns the stage if it has ended.
    fn choose_next_step(
        &mut self,
        stage: Stage,
        has_changed: bool,
        is_idle: bool,
    ) -> Option<Stage> {
        let StageRunner { solver, progress, .. } = self;
        let (step, next_side) = progress.next?;
        match step {
            FixpointStepKind::AttractCapped
                if solver.is_won_by(stage.winner(), &start_position(solver.numbering.walls)) =>
            {
                return Some(self.end_stage(stage));
            }
            FixpointStepKind::AttractUnowned if has_changed => {
                progress.next = Some((stage.attracting_step(), next_side));
            }
            FixpointStepKind::AttractUnowned if !is_idle => progress.begin_certain_wins_round(),
            FixpointStepKind::AttractOwned if is_idle => progress.begin_certain_wins_round(),
            FixpointStepKind::Stay if is_idle && !matches!(stage, Stage::Safe(_)) => {
                progress.stay_round = progress.round;
                progress.next = Some((stage.attracting_step(), Side::First));
                solver.make_all_due();
            }
            _ if is_idle => return self.end_stage_or_begin_next_phase(stage),
            _ => {}
        }
        None
    }

    /// Continues a stage when attracting finds no new states. If red must stay next, begins the
    /// staying steps and returns `None`. Otherwise ends the stage and returns it.
    fn end_stage_or_begin_next_phase(&mut self, stage: Stage) -> Option<Stage> {
        let StageRunner { solver, progress, .. } = self;
        let counts = solver.count_states();
        let won = counts[1][1] + counts[1][2];
        let may_stay = match stage {
            Stage::Plain | Stage::Safe(_) => false,
            // All states that enter by staying get the same rank, `stay_round`. So red may stay
            // only once.
            Stage::Certain(_) => progress.stay_round == 0,
            Stage::Repetition(_) | Stage::Start(_) => true,
        };
        if may_stay && won != progress.won_before_stay {
            progress.won_before_stay = won;
            progress.next = Some((FixpointStepKind::Stay, Side::First));
            solver.add_states_owned_by_red();
            solver.make_all_due();
            return None;
        }
        if let Some(stored) = progress.counts.get_mut(progress.stage) {
            *stored = counts;
        }
        if stage == Stage::Plain {
            progress.longest_plain_win_plies = progress.last_change;
        }
        Some(self.end_stage(stage))
    }

    fn end_stage(&mut self, stage: Stage) -> Stage {
        let StageRunner { solver, progress, .. } = self;
        let won = |winner: Side, position: &Position| u64::from(solver.is_won_by(winner, position));
        match stage {
            Stage::Certain(winner) => {
                let positions =
                    start_position_and_successors(solver.numbering.walls).into_iter().enumerate();
                let certain = positions
                    .fold(0, |set, (at, (_, position))| set | won(winner, &position) << at);
                let start = &mut progress.start_wins[winner.index()];
                *start = *start & START_STAGE_FOUND_WIN_BIT | certain;
            }
            Stage::Start(winner) => {
                progress.start_wins[winner.index()] |=
                    won(winner, &start_position(solver.numbering.walls))
                        * START_STAGE_FOUND_WIN_BIT;
            }
            Stage::Plain | Stage::Safe(_) | Stage::Repetition(_) => {}
        }
        progress.ended |= 1 << stage.index();
        self.saved_updates = 0;
        self.loaded_stage = Some(stage);
        self.begin_next_stage();
        stage
    }

    /// Returns an estimate of the completed share of all stages, from 0 to 1. The estimate uses the
    /// numbers of updates that the stages needed with four walls.
    pub fn completed_share(&self) -> f64 {
        let expected = |stages: &[Stage]| {
            stages.iter().map(|stage| stage.expected_updates_per_wall_set()).sum::<usize>() as f64
        };
        let ended: Vec<Stage> =
            self.stages.iter().copied().filter(|&stage| self.has_stage_ended(stage)).collect();
        let current = self.current_stage().map_or(0., |stage| {
            let done =
                self.progress.updates as f64 / count_wall_sets(self.solver.numbering.walls) as f64;
            done.min(0.95 * expected(&[stage]))
        });
        (expected(&ended) + current) / expected(&self.stages)
    }

    /// Returns the number of steps that the stage has made.
    pub fn step_count(&self) -> u64 {
        self.progress.steps
    }
}

impl RetrogradeSolver {
    /// Counts the states without a blocked wall, and all states. A state and its mirror image count
    /// as two.
    pub fn count_states(&self) -> [StateCounts; 2] {
        let RetrogradeSolver { numbering, entries, .. } = self;
        let mut counts = [[0; 3]; 2];
        for (rank, set) in numbering.canonical_sets() {
            let images = if numbering.masks.mirror_slots(set) == set { 1 } else { 2 };
            let undecided = KnightPairSets::for_walls(set).undecided;
            for (number, entry) in numbering.entry_range(rank).enumerate() {
                let won = Side::BOTH_SIDES.map(|side| (entries.get(side, entry) & undecided).len());
                let added = [undecided.len(), won[0], won[1]].map(|number| images * number);
                for counts in &mut counts[usize::from(number > 0)..] {
                    counts.iter_mut().zip(added).for_each(|(count, added)| *count += added);
                }
            }
        }
        counts
    }

    /// Returns whether a side can force a win from this undecided position, according to the
    /// entries. The entries must contain the wins of this side.
    pub fn is_won_by(&self, winner: Side, position: &Position) -> bool {
        match winner {
            Side::First => self.is_won_by_red(position),
            Side::Second => {
                self.is_won_by_red(&position.apply_symmetry(true, board::half_turn_point))
            }
        }
    }
}

/// Returns the start position with only its first `walls` walls.
pub fn start_position(walls: usize) -> Position {
    let whole = Position::start();
    Position {
        walls: iter_slots(whole.walls).take(walls).fold(0, |set, slot| set | slot.bit()),
        ..whole
    }
}

/// Returns the start position with only its first `walls` walls, and the positions after each of
/// its moves.
fn start_position_and_successors(walls: usize) -> Vec<(Option<Move>, Position)> {
    let start_position = start_position(walls);
    let mut moves = Vec::new();
    moves::generate_moves(&Board::default(), &start_position, &mut moves);
    let replies = moves.into_iter().map(|mv| (Some(mv), start_position.play(mv)));
    std::iter::once((None, start_position)).chain(replies).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// If a file is damaged, an earlier stage may have to begin again although the progress of a
    /// later stage has been saved.
    #[test]
    fn reopening_an_earlier_stage_resets_the_saved_updates() {
        let stages = vec![Stage::Plain, Stage::Safe(Side::First)];
        let mut runner = StageRunner::new(&Board::default(), 1, stages).unwrap();
        runner.progress.ended |= 1 << Stage::Plain.index();
        runner.begin_next_stage();
        runner.saved_updates = 9;
        runner.reopen_stage(Stage::Plain);
        runner.begin_next_stage();
        assert_eq!((runner.current_stage(), runner.saved_updates), (Some(Stage::Plain), 0));
    }
}
