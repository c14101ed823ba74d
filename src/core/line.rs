//! A game as it was played so far: the positions, the moves between them, and what their repetition decides.

use std::sync::Arc;

use super::{Game, Illegal, MoveError, Notation, Outcome};

/// A start position and the moves made from it, with every position on the way.
///
/// This is what decides legality: a game that repetition has ended has no legal moves.
#[derive(Debug, Clone)]
pub struct Line<G: Game> {
    game: Arc<G>,
    current: G::Position,
    before: Vec<Step<G>>,
    /// The repetition keys of all positions, the current one last.
    keys: Vec<u64>,
    /// How many of the keys fall into each of these slots, by their lowest bits: most positions are the only one in
    /// theirs and need not be looked for among the others.
    tally: Vec<u32>,
    /// How many positions back, the current one not counted, can be equal to the current one or to a later one.
    reach: usize,
}

/// A move made, or a turn passed in a search, and what taking it back restores.
#[derive(Debug, Clone, Copy)]
struct Step<G: Game> {
    position: G::Position,
    mv: Option<G::Move>,
    reach: usize,
}

impl<G: Game> Line<G> {
    /// A game that begins at this position, with an empty history.
    pub fn new(game: Arc<G>, start: G::Position) -> Line<G> {
        let keys = vec![game.repetition_key(&start)];
        let mut line = Line { game, current: start, before: Vec::new(), keys, tally: Vec::new(), reach: 0 };
        line.count_keys();
        line
    }

    /// Makes the tally anew, with room for as many keys again.
    fn count_keys(&mut self) {
        self.tally = vec![0; (self.keys.len() * 16).next_power_of_two().max(1024)];
        for at in 0..self.keys.len() {
            let slot = self.slot(self.keys[at]);
            self.tally[slot] += 1;
        }
    }

    fn slot(&self, key: u64) -> usize {
        key as usize & (self.tally.len() - 1)
    }

    /// The rules.
    pub fn game(&self) -> &Arc<G> {
        &self.game
    }

    /// Goes on with another value of the same rules, which has other tables.
    pub fn change_game(&mut self, game: Arc<G>) {
        debug_assert!(*game == *self.game);
        self.game = game;
    }

    /// The current position.
    pub fn position(&self) -> &G::Position {
        &self.current
    }

    /// The position that the line began at.
    pub fn start(&self) -> &G::Position {
        self.before.first().map_or(&self.current, |step| &step.position)
    }

    /// How many moves were made.
    pub fn len(&self) -> usize {
        self.before.len()
    }

    /// Whether no move was made yet.
    pub fn is_empty(&self) -> bool {
        self.before.is_empty()
    }

    /// The moves made, first to last.
    pub fn moves(&self) -> impl Iterator<Item = G::Move> + '_ {
        self.before.iter().filter_map(|step| step.mv)
    }

    /// Makes a legal move.
    pub fn push(&mut self, mv: G::Move) {
        let reach = if self.game.is_irreversible(&self.current, mv) { 0 } else { self.reach + 1 };
        self.step(Some(mv), self.game.play(&self.current, mv), reach);
    }

    /// Leaves the turn to the other side, which no rule allows: `after` is this position with that side to move. No
    /// position before it counts as an earlier occurrence of one after it.
    pub fn pass(&mut self, after: G::Position) {
        self.step(None, after, 0);
    }

    fn step(&mut self, mv: Option<G::Move>, after: G::Position, reach: usize) {
        self.before.push(Step { position: self.current, mv, reach: self.reach });
        self.reach = reach;
        self.current = after;
        let key = self.game.repetition_key(&self.current);
        self.keys.push(key);
        if self.keys.len() * 8 > self.tally.len() {
            self.count_keys();
        } else {
            let slot = self.slot(key);
            self.tally[slot] += 1;
        }
    }

    /// Takes the last move, or the last passed turn, back. Returns the move; none if none was made.
    pub fn pop(&mut self) -> Option<G::Move> {
        let Step { position, mv, reach } = self.before.pop()?;
        if let Some(key) = self.keys.pop() {
            let slot = self.slot(key);
            self.tally[slot] -= 1;
        }
        self.current = position;
        self.reach = reach;
        mv
    }

    /// How many moves ago the current position stood before, most recent first.
    pub fn earlier_occurrences(&self) -> impl Iterator<Item = usize> + '_ {
        let last = self.keys.len() - 1;
        let key = self.keys[last];
        let reach = if self.tally[self.slot(key)] > 1 { self.reach } else { 0 };
        (2..=reach).step_by(2).filter(move |&ago| self.keys[last - ago] == key)
    }

    /// How the game has ended, if it has: by the position, or by its third occurrence.
    pub fn outcome(&self) -> Option<Outcome> {
        self.game.outcome(&self.current).or_else(|| {
            let third = self.earlier_occurrences().nth(1).is_some();
            third.then(|| self.game.repetition_outcome(&self.current)).flatten()
        })
    }

    /// The repetition keys of those positions of this game that stand for the second time at least and can come again:
    /// one more visit can end the game.
    pub fn repeated_keys(&self) -> Vec<u64> {
        let last = self.keys.len() - 1;
        let mut open = self.keys[last - self.reach..].to_vec();
        open.sort_unstable();
        let mut repeated: Vec<u64> = open.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0]).collect();
        repeated.dedup();
        repeated
    }

    /// The positions of this game that stand for the second time at least and can come again.
    pub fn repeated(&self) -> impl Iterator<Item = &G::Position> {
        let repeated = self.repeated_keys();
        let position = |at: usize| self.before.get(at).map_or(&self.current, |step| &step.position);
        let open = self.keys.len() - 1 - self.reach..self.keys.len();
        open.filter(move |&at| repeated.contains(&self.keys[at])).map(position)
    }

    /// Whether none of the positions that stood before so many moves were made can come again. A passed turn only hides
    /// them.
    pub fn has_left(&self, moves: usize) -> bool {
        let mut first = self.len() - self.reach;
        while let Some(Step { mv: None, reach, .. }) = first.checked_sub(1).and_then(|at| self.before.get(at)) {
            first -= 1 + reach;
        }
        first >= moves
    }

    /// Whether any position of this game stands for the second time at least, so that one more visit can end the game.
    pub fn has_repeated(&self) -> bool {
        !self.repeated_keys().is_empty()
    }

    /// Appends the legal moves; none exactly if the game has ended.
    pub fn legal_moves(&self, moves: &mut Vec<G::Move>) {
        if self.outcome().is_none() {
            self.game.legal_moves(&self.current, moves);
        }
    }
}

impl<G: Notation> Line<G> {
    /// The legal move that this text names now.
    ///
    /// # Errors
    /// If the text is not of the form, or names no move that the rules allow here.
    pub fn find_move(&self, text: &str) -> Result<G::Move, MoveError> {
        let parsed = self.game.parse_move(text)?;
        if let Some(outcome) = self.outcome() {
            return Err(Illegal(format!("the game is over: {}", self.outcome_sentence(outcome))).into());
        }
        Ok(self.game.find_move(&self.current, &parsed)?)
    }

    /// An outcome of this game for people: `red has won (fortress)`.
    pub fn outcome_sentence(&self, outcome: Outcome) -> String {
        match outcome {
            Outcome::Win(side, reason) => format!("{} has won ({reason})", G::SIDES[side.index()]),
            Outcome::Draw(reason) => format!("it is a draw ({reason})"),
        }
    }
}
