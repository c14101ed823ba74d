//! Tests single passes of the solver. They compare the states that enter with the conditions of the
//! proof in the documentation of the solver, section "The winner of the start".

use std::collections::{HashMap, HashSet};

use super::super::super::board::{Board, half_turn_point};
use super::super::super::moves;
use super::super::super::position::Position;
use super::super::non_terminal_positions::non_terminal_positions;
use super::*;

/// A key of a state: the side to move, the number of the entry, and the number of the pair of
/// knights. The key of a class is that of its state without blocked walls.
type StateKey = (Side, usize, u16);

/// A solver whose passes are run one at a time, and a record of the states that have entered.
struct PassRecorder {
    board: Board,
    solver: RetrogradeSolver,
    winner: Side,
    entered: HashSet<StateKey>,
    /// For each class that the other side owns, the number of batches in which its states have
    /// entered.
    batches: HashMap<StateKey, usize>,
}

impl PassRecorder {
    fn state_and_class(&self, position: &Position) -> [StateKey; 2] {
        let index = |last| self.solver.numbering.entry_index(position.walls, last);
        let pair = PairSet::with_property(|red, green| [red, green] == position.knights);
        let pair = if index(None).is_mirrored { pair.mirror() } else { pair };
        let pair = pair.iter_numbers().next().map_or(0, u16::from);
        [position.last_wall, None].map(|last| (position.side, index(last).entry, pair))
    }

    /// Returns whether red can force a win with the next move, or force the next state into the
    /// entered states.
    fn is_win_forced(&self, position: &Position) -> bool {
        let mut moves = Vec::new();
        moves::generate_moves(&self.board, position, &mut moves);
        let mut is_good = moves.into_iter().map(|mv| {
            let next = position.play(mv);
            match next.outcome(&self.board) {
                Some(outcome) => outcome.winner() == Some(Side::First),
                None => self.entered.contains(&self.state_and_class(&next)[0]),
            }
        });
        if position.side == Side::First {
            is_good.any(|is_good| is_good)
        } else {
            is_good.all(|is_good| is_good)
        }
    }

    /// Returns the positions with these walls that are won according to the solver but missing from
    /// `entered`.
    fn new_won_positions(&self, walls: u64) -> Vec<Position> {
        let is_new = |position: &Position| {
            let [state, _] = self.state_and_class(position);
            self.solver.is_won_by_red(position) && !self.entered.contains(&state)
        };
        non_terminal_positions(&self.board, walls).filter(is_new).collect()
    }

    /// Adds the new wins with these walls to `entered`, in batches. All states of a batch have the
    /// same side to move; the side alternates. A state belongs to a batch if red can force the next
    /// state into `entered` as it was before this batch. Panics if some new win is in no batch, or
    /// if a class that the other side owns has more than two batches.
    fn add_new_wins_in_batches(&mut self, _: usize, walls: u64) {
        let mut new = self.new_won_positions(walls);
        let mut idle = 0;
        let mut side = Side::First;
        while !new.is_empty() {
            let (batch, later): (Vec<Position>, Vec<Position>) = new
                .into_iter()
                .partition(|position| position.side == side && self.is_win_forced(position));
            idle = if batch.is_empty() { idle + 1 } else { 0 };
            assert!(idle < 2, "{later:?}");
            let mut classes = Vec::new();
            for position in &batch {
                let [state, class] = self.state_and_class(position);
                self.entered.insert(state);
                if !is_repetition_won_by(&self.board, position, self.winner) {
                    classes.push(class);
                }
            }
            classes.sort_unstable_by_key(|&(side, entry, pair)| (side.index(), entry, pair));
            classes.dedup();
            for class in classes {
                let batches = self.batches.entry(class).or_default();
                *batches += 1;
                assert!(*batches <= 2, "{batch:?}");
            }
            new = later;
            side = !side;
        }
    }

    /// Runs passes of `step` until no set of walls is due. After each pass that changes an entry,
    /// calls `after` with the rank and the bits of the set of walls.
    fn run_all_passes(
        &mut self,
        step: FixpointStepKind,
        mut after: impl FnMut(&mut PassRecorder, usize, u64),
    ) {
        let sets: Vec<_> = self.solver.numbering.canonical_sets().collect();
        let mut closed = vec![[PairSet::EMPTY; 2]; sets.len()];
        let mut turns = WallTurnCache::default();
        let mut is_done = false;
        self.solver.make_all_due();
        while !is_done {
            is_done = true;
            for (&(rank, set), closed) in sets.iter().zip(&mut closed) {
                let due = [0, 1].map(|side| {
                    self.solver.due.take_bits(side, rank, u64::MAX)
                        & super::super::ALL_DUE_MOVE_BITS
                });
                if due == [0; 2] {
                    continue;
                }
                let options =
                    SolverPassOptions { step, only_side: None, shift: 0, backwards: false };
                let first_entry = self.solver.numbering.first_entry(rank);
                let pass = WallSetPass { solver: &self.solver, rank, set, first_entry, options };
                if pass.propagate(due, [PairSet::ALL; 2], closed, &mut turns, &mut None) {
                    is_done = false;
                    after(self, rank, set);
                }
            }
        }
    }
}

fn solve_safe_wins(walls: usize, winner: Side) -> PassRecorder {
    let board = Board::default();
    let mut solver = RetrogradeSolver::new(&board, walls).unwrap();
    solver.wins_ties = winner == Side::Second;
    solver.reset();
    solver.add_states_owned_by_red();
    let mut recorder =
        PassRecorder { board, solver, winner, entered: HashSet::new(), batches: HashMap::new() };
    recorder.run_all_passes(FixpointStepKind::Stay, |_, _, _| ());
    recorder
}

/// The solver may find wins in any order. But each win enters only after the states into which red
/// can force the game from it. The states of a class that the other side owns enter in at most two
/// batches.
#[test]
fn wins_enter_in_batches_after_the_states_they_lead_to() {
    for winner in Side::BOTH_SIDES {
        let mut recorder = solve_safe_wins(2, winner);
        for (_, set) in recorder.solver.numbering.canonical_sets().collect::<Vec<_>>() {
            for position in recorder.new_won_positions(set) {
                assert!(is_repetition_won_by(&recorder.board, &position, winner));
                let [state, _] = recorder.state_and_class(&position);
                recorder.entered.insert(state);
            }
        }
        let safe = recorder.entered.len();
        recorder
            .run_all_passes(FixpointStepKind::AttractCapped, PassRecorder::add_new_wins_in_batches);
        assert!(recorder.batches.values().any(|&batches| batches == 2));
        assert!(recorder.entered.len() > safe * 5 / 4, "{safe} {}", recorder.entered.len());
    }
}

/// Three walls are enough for classes whose states would enter in more than two passes if there
/// were no limit.
#[test]
fn states_of_an_unowned_class_enter_in_at_most_two_passes() {
    let mut recorder = solve_safe_wins(3, Side::First);
    let wins = |solver: &RetrogradeSolver, entries: std::ops::Range<usize>| {
        Side::BOTH_SIDES.map(|side| solver.entries.side_words(side, entries.clone()))
    };
    let mut before = wins(&recorder.solver, 0..recorder.solver.numbering.entries);
    // For each set of walls, by its rank, and each side to move, three sets of classes: with states
    // entered in at least one pass, in at least two passes and in at least three passes.
    let mut entered: HashMap<usize, [[PairSet; 3]; 2]> = HashMap::new();
    recorder.run_all_passes(FixpointStepKind::AttractCapped, |recorder, rank, set| {
        let entries = recorder.solver.numbering.entry_range(rank);
        let after = wins(&recorder.solver, entries.clone());
        let owned = KnightPairSets::for_walls(set).pairs_with_repetition_won_by_red(false);
        for ((after, before), passes) in
            after.iter().zip(&mut before).zip(entered.entry(rank).or_default())
        {
            let mut new = PairSet::EMPTY;
            for (after, before) in after.iter().zip(&mut before[entries.clone()]) {
                new = new | PairSet(*after) & !PairSet(*before) & !owned;
                *before = *after;
            }
            let [once, twice, thrice] = *passes;
            *passes = [once | new, twice | once & new, thrice | twice & new];
        }
    });
    let any = |at: usize| entered.values().flatten().any(|passes| !passes[at].is_empty());
    assert_eq!([0, 1, 2].map(any), [true, true, false]);
}

/// Returns whether `winner` wins by the third occurrence of this position. The position is turned
/// so that the winner is red.
fn is_repetition_won_by(board: &Board, position: &Position, winner: Side) -> bool {
    let position = if winner == Side::First {
        *position
    } else {
        position.apply_symmetry(true, half_turn_point)
    };
    position.third_occurrence_result(board).winner == winner
}
