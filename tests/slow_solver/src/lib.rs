//! A second, simple solver of Alcaxar in memory. The tests compare it with the first solver. It is
//! not a second implementation of the rules, because the engine generates its moves.
//!
//! It is a separate crate. So it is compiled with optimisation, unlike the tests.

use std::collections::HashMap;

use pentarch_alcaxar::Alcaxar;
use pentarch_alcaxar::board::Board;
use pentarch_alcaxar::position::Position;
use pentarch_alcaxar::solver::non_terminal_positions::non_terminal_positions;
use pentarch_alcaxar::solver::stages::Stage;
use pentarch_alcaxar::solver::wall_sets::{count_wall_sets, unrank_wall_set};
use pentarch_core::{Outcome, Rules, Side};

/// The result of a move.
#[derive(Clone, Copy)]
enum Successor {
    /// This state.
    State(u32),
    /// The game ends, and this side wins.
    End(Side),
}

/// All undecided states with one number of walls. Two positions have the same state if the wall
/// that was moved last blocks the same walls in both.
pub struct States {
    /// A position of each state.
    pub positions: Vec<Position>,
    /// The index of the first move of each state in `moves`. The last entry is the number of moves.
    first_move: Vec<usize>,
    moves: Vec<Successor>,
    /// The states with a move to each state.
    before: Vec<Vec<u32>>,
    /// The number of the class of each state. The class consists of the walls, the knights and the
    /// side to move.
    class: Vec<u32>,
    classes: usize,
    /// The side that wins at the third occurrence of each class.
    owner: Vec<Side>,
    /// For each state, whether no wall is blocked.
    pub none_blocked: Vec<bool>,
}

/// Returns the key of the state of a position. It contains the part that the repetition rule
/// compares, and the blocked walls.
fn state_key(board: &Board, position: &Position) -> (u64, u64) {
    (position.packed_bits(), position.walls & position.blocked_slots(board))
}

impl States {
    /// Enumerates the states with `walls` walls and their moves.
    pub fn new(rules: &Alcaxar, walls: usize) -> States {
        let board = Board::default();
        let sets = (0..count_wall_sets(walls)).map(|rank| unrank_wall_set(walls, rank));
        let mut numbers = HashMap::new();
        let mut positions = Vec::new();
        for position in sets.flat_map(|set| non_terminal_positions(&board, set)) {
            let number = positions.len() as u32;
            if *numbers.entry(state_key(&board, &position)).or_insert(number) == number {
                positions.push(position);
            }
        }
        let mut states = States {
            first_move: vec![0],
            moves: Vec::new(),
            before: vec![Vec::new(); positions.len()],
            class: Vec::new(),
            classes: 0,
            owner: Vec::new(),
            none_blocked: positions.iter().map(|position| position.last_wall.is_none()).collect(),
            positions,
        };
        let mut classes = HashMap::new();
        let mut moves = Vec::new();
        for (at, position) in (0..).zip(&states.positions) {
            moves.clear();
            rules.legal_moves(position, &mut moves);
            states.moves.extend(moves.iter().map(|&mv| {
                let next = rules.play(position, mv);
                match rules.outcome(&next) {
                    Some(Outcome::Win(winner, _)) => Successor::End(winner),
                    Some(Outcome::Draw(_)) => panic!("a draw"),
                    None => {
                        let next = numbers[&state_key(&board, &next)];
                        states.before[next as usize].push(at);
                        Successor::State(next)
                    }
                }
            }));
            states.first_move.push(states.moves.len());
            let number = classes.len() as u32;
            let class = *classes.entry(position.packed_bits()).or_insert(number);
            if class == number {
                let Some(Outcome::Win(owner, _)) = rules.repetition_outcome(position) else {
                    panic!("nobody wins")
                };
                states.owner.push(owner);
            }
            states.class.push(class);
        }
        states.classes = states.owner.len();
        states
    }

    /// Returns the results of the moves of a state.
    fn moves(&self, at: usize) -> &[Successor] {
        &self.moves[self.first_move[at]..self.first_move[at + 1]]
    }

    /// Returns the side that wins by the repetition of a state.
    fn owner(&self, at: usize) -> Side {
        self.owner[self.class[at] as usize]
    }

    /// Returns whether `winner` can force one of two things: it has won after the next move, or the
    /// next state is in a set.
    fn is_forced(&self, at: usize, winner: Side, is_in: impl Fn(usize) -> bool) -> bool {
        let is_good = |next: &Successor| match *next {
            Successor::State(next) => is_in(next as usize),
            Successor::End(side) => side == winner,
        };
        if self.positions[at].side == winner {
            self.moves(at).iter().any(is_good)
        } else {
            self.moves(at).iter().all(is_good)
        }
    }

    /// Returns the time at which each state entered the set of states that `winner` wins; 0 if it
    /// never entered. For certain wins, the time is the rank plus 1.
    pub fn solve(&self, winner: Side, stage: Stage) -> Vec<u32> {
        match stage {
            Stage::Plain => self.attract(winner, false),
            Stage::Safe(_) => self.stay(winner, &vec![0; self.positions.len()], 1),
            Stage::Certain(_) => self.attract_in_rounds(winner),
            Stage::Repetition(_) => self.attract(winner, true),
            Stage::Start(_) => {
                panic!("the wins of this stage depend on the order in which they enter")
            }
        }
    }

    /// Returns the times of the states from which `winner` can force a win if no repetition ends a
    /// game. With `stays`, it is enough that no repetition ends the game for the other side.
    fn attract(&self, winner: Side, stays: bool) -> Vec<u32> {
        let mut won = WonStates::new(self, winner, vec![0; self.positions.len()]);
        let mut now = 0;
        loop {
            let before = won.times.clone();
            if stays {
                now += 2;
                won = WonStates::new(self, winner, self.stay(winner, &won.times, now));
            }
            let mut idle = 0;
            while idle < 2 {
                now += 1;
                idle += 1;
                let side = if now % 2 == 1 { winner } else { !winner };
                if !won.enter(now, |at| self.positions[at].side == side).is_empty() {
                    idle = 0;
                }
            }
            if !stays || before == won.times {
                return won.times;
            }
            // The winner's states enter at odd times.
            now += now % 2;
        }
    }

    /// Returns the times of the certain wins. They enter in rounds.
    fn attract_in_rounds(&self, winner: Side) -> Vec<u32> {
        let mut won = WonStates::new(self, winner, self.solve(winner, Stage::Safe(winner)));
        let mut round = 0;
        let mut idle = 0;
        let mut has_stayed = false;
        let mut batches = vec![0; self.classes];
        loop {
            while !won.enter(round + 1, |at| self.owner(at) == winner).is_empty() {}
            round += 1;
            let side = if round % 2 == 1 { winner } else { !winner };
            let entered = won.enter(round + 1, |at| {
                self.owner(at) != winner
                    && self.positions[at].side == side
                    && batches[self.class[at] as usize] < 2
            });
            let mut classes: Vec<u32> = entered.iter().map(|&at| self.class[at]).collect();
            classes.sort_unstable();
            classes.dedup();
            classes.into_iter().for_each(|class| batches[class as usize] += 1);
            idle = if entered.is_empty() { idle + 1 } else { 0 };
            if idle == 2 && has_stayed {
                return won.times;
            }
            if idle == 2 {
                idle = 0;
                has_stayed = true;
                won = WonStates::new(self, winner, self.stay(winner, &won.times, round + 1));
            }
        }
    }

    /// Lets more states enter at time `now`, and returns all times. From these states `winner` can
    /// stay among its own states and the states that it has won.
    fn stay(&self, winner: Side, times: &[u32], now: u32) -> Vec<u32> {
        let mut stays: Vec<bool> =
            (0..times.len()).map(|at| times[at] > 0 || self.owner(at) == winner).collect();
        let mut due: Vec<usize> = (0..times.len()).collect();
        while !due.is_empty() {
            due.retain(|&at| stays[at] && !self.is_forced(at, winner, |next| stays[next]));
            due.iter().for_each(|&at| stays[at] = false);
            due = due
                .iter()
                .flat_map(|&at| &self.before[at])
                .map(|&before| before as usize)
                .collect();
        }
        let times = times.iter().zip(stays);
        times.map(|(&time, stays)| if time == 0 && stays { now } else { time }).collect()
    }
}

/// The states that a side has won so far.
struct WonStates<'a> {
    states: &'a States,
    winner: Side,
    /// The time at which each state entered; 0 if it has not entered yet.
    times: Vec<u32>,
    /// The states to test. Since their last test, a state to which they lead has entered.
    due: Vec<u32>,
}

impl WonStates<'_> {
    /// Starts from the times of the states that are already won.
    fn new(states: &States, winner: Side, times: Vec<u32>) -> WonStates<'_> {
        WonStates { states, winner, due: (0..times.len() as u32).collect(), times }
    }

    /// Lets states enter at time `now`. They must be allowed to enter, and the winner must be able
    /// to force the next state into the set. Returns these states.
    fn enter(&mut self, now: u32, may_enter: impl Fn(usize) -> bool) -> Vec<usize> {
        let WonStates { states, winner, times, due } = self;
        let waiting = std::mem::take(due).into_iter().filter(|&at| times[at as usize] == 0);
        let (tested, later): (Vec<u32>, Vec<u32>) = waiting.partition(|&at| may_enter(at as usize));
        let is_forced = |&at: &usize| states.is_forced(at, *winner, |next| times[next] > 0);
        let entering: Vec<usize> =
            tested.into_iter().map(|at| at as usize).filter(is_forced).collect();
        *due = later;
        for &at in &entering {
            times[at] = now;
            due.extend(&states.before[at]);
        }
        due.sort_unstable();
        due.dedup();
        entering
    }
}
