//! Visits made one at a time, and held against what is proved of the wins that are found in any order.

use std::collections::{HashMap, HashSet};

use super::super::super::board::{Board, half_turn};
use super::super::super::moves;
use super::super::super::position::Position;
use super::super::undecided::undecided_positions;
use super::*;

/// A solver whose visits are made one at a time.
struct Watched {
    board: Board,
    solver: Solver,
    winner: Side,
    /// The states that have entered, by the side to move, the entry and the pair.
    entered: HashSet<(Side, usize, u16)>,
    /// In how many batches states of a class have entered that the other side owns, by the side to move, the first
    /// entry of its set of walls and the pair.
    batches: HashMap<(Side, usize, u16), usize>,
}

impl Watched {
    /// The state of a position, and its class.
    fn state(&self, position: &Position) -> [(Side, usize, u16); 2] {
        let place = |last| self.solver.numbering.index(position.walls, last);
        let pair = PairSet::of(|red, green| [red, green] == position.knights);
        let pair = if place(None).is_mirrored { pair.mirror() } else { pair };
        let pair = pair.numbers().next().map_or(0, u16::from);
        [position.last_wall, None].map(|last| (position.side, place(last).entry, pair))
    }

    /// Whether red can force from this position that it has won after the next move, or that the next state has
    /// entered.
    fn is_forced(&self, position: &Position) -> bool {
        let mut moves = Vec::new();
        moves::generate(&self.board, position, &mut moves);
        let mut is_good = moves.into_iter().map(|mv| {
            let next = position.play(mv);
            match next.outcome(&self.board) {
                Some(outcome) => outcome.winner() == Some(Side::First),
                None => self.entered.contains(&self.state(&next)[0]),
            }
        });
        if position.side == Side::First {
            is_good.any(|is_good| is_good)
        } else {
            is_good.all(|is_good| is_good)
        }
    }

    /// The positions of a set of walls that are won and have not entered.
    fn new_positions(&self, walls: u64) -> Vec<Position> {
        let is_new = |position: &Position| {
            self.solver.is_won(position) && !self.entered.contains(&self.state(position)[0])
        };
        undecided_positions(&self.board, walls).filter(is_new).collect()
    }

    /// Lets the new wins with these walls enter in batches, the side to move in turns: first those from which red
    /// can force the next state into what has entered before. Each must enter with one.
    fn enter(&mut self, _: usize, walls: u64) {
        let (mut new, mut idle, mut side) = (self.new_positions(walls), 0, Side::First);
        while !new.is_empty() {
            let (batch, later): (Vec<Position>, Vec<Position>) = new
                .into_iter()
                .partition(|position| position.side == side && self.is_forced(position));
            idle = if batch.is_empty() { idle + 1 } else { 0 };
            assert!(idle < 2, "{later:?}");
            let mut classes = Vec::new();
            for position in &batch {
                let [state, class] = self.state(position);
                self.entered.insert(state);
                if !is_owned(&self.board, position, self.winner) {
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
            (new, side) = (later, !side);
        }
    }

    /// Makes all visits that are due until none is; calls `after` after each that has changed
    /// something, with the rank and the walls.
    fn visit_all(&mut self, step: Step, mut after: impl FnMut(&mut Watched, usize, u64)) {
        let sets: Vec<_> = self.solver.numbering.canonical_sets().collect();
        let mut closed = vec![[PairSet::EMPTY; 2]; sets.len()];
        let (mut turns, mut is_done) = (Turns::default(), false);
        self.solver.make_all_due();
        while !is_done {
            is_done = true;
            for (&(rank, set), closed) in sets.iter().zip(&mut closed) {
                let due = [0, 1]
                    .map(|side| self.solver.due.take(side, rank, u64::MAX) & super::super::ALL);
                if due == [0; 2] {
                    continue;
                }
                let plan = Plan { step, side: None, shift: 0, backwards: false };
                let first = self.solver.numbering.first_entry(rank);
                let visit = Visit { solver: &self.solver, rank, set, first, plan };
                if visit.work_out(due, [PairSet::ALL; 2], closed, &mut turns, &mut None) {
                    is_done = false;
                    after(self, rank, set);
                }
            }
        }
    }
}

/// A solver that holds the safe wins of a side.
fn safe_wins(walls: usize, winner: Side) -> Watched {
    let board = Board::default();
    let mut solver = Solver::new(&board, walls).unwrap();
    solver.ties = winner == Side::Second;
    solver.clear();
    solver.add_owned();
    let mut watched =
        Watched { board, solver, winner, entered: HashSet::new(), batches: HashMap::new() };
    watched.visit_all(Step::Stay, |_, _, _| ());
    watched
}

/// Each win that is found in any order enters after those that it can be forced into, and the states of each class
/// that the other side owns enter in two batches at most.
#[test]
fn wins_enter_in_batches_after_those_that_they_lead_to() {
    for winner in Side::BOTH {
        let mut watched = safe_wins(2, winner);
        for (_, set) in watched.solver.numbering.canonical_sets().collect::<Vec<_>>() {
            for position in watched.new_positions(set) {
                assert!(is_owned(&watched.board, &position, winner));
                let [state, _] = watched.state(&position);
                watched.entered.insert(state);
            }
        }
        let safe = watched.entered.len();
        watched.visit_all(Step::AttractTwice, Watched::enter);
        assert!(watched.batches.values().any(|&batches| batches == 2));
        assert!(watched.entered.len() > safe * 5 / 4, "{safe} {}", watched.entered.len());
    }
}

/// With three walls there are classes whose states would enter at more than two visits.
#[test]
fn states_of_a_class_that_the_other_side_owns_enter_at_two_visits_at_most() {
    let mut watched = safe_wins(3, Side::First);
    let wins = |solver: &Solver, entries: std::ops::Range<usize>| {
        Side::BOTH.map(|side| solver.entries.of_side(side, entries.clone()))
    };
    let mut before = wins(&watched.solver, 0..watched.solver.numbering.entries);
    // For each set of walls and side, the classes of which states have entered at one visit, at two and at three.
    let mut entered: HashMap<usize, [[PairSet; 3]; 2]> = HashMap::new();
    watched.visit_all(Step::AttractTwice, |watched, rank, set| {
        let entries = watched.solver.numbering.entries_of(rank);
        let after = wins(&watched.solver, entries.clone());
        let owned = Knights::between(set).owned_by_red(false);
        for ((after, before), visits) in
            after.iter().zip(&mut before).zip(entered.entry(rank).or_default())
        {
            let mut new = PairSet::EMPTY;
            for (after, before) in after.iter().zip(&mut before[entries.clone()]) {
                new = new | PairSet(*after) & !PairSet(*before) & !owned;
                *before = *after;
            }
            let [once, twice, thrice] = *visits;
            *visits = [once | new, twice | once & new, thrice | twice & new];
        }
    });
    let any = |at: usize| entered.values().flatten().any(|visits| !visits[at].is_empty());
    assert_eq!([0, 1, 2].map(any), [true, true, false]);
}

/// Whether `winner`, which this position has on the side of red, wins by its repetition.
fn is_owned(board: &Board, position: &Position, winner: Side) -> bool {
    let position = if winner == Side::First { *position } else { position.map(true, half_turn) };
    position.stalemate(board).winner == winner
}
