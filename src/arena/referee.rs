//! One game: the arena keeps it by its own rules, and judges what the engines do.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use crate::core::text::quoted;
use crate::core::{MoveError, Side};
use crate::protocol::command::Word;
use crate::protocol::host::Host;
use crate::protocol::record::Record;

use super::Conditions;
use super::engine::{Answer, Engine, Rule, Spec};
use super::fault::{Fault, FaultKind};
use super::limit::Clocks;
use super::opening::Opening;

/// What the searches of one engine took, summed up over moves.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Effort {
    /// Moves.
    pub moves: u64,
    /// Depths of the last reports.
    pub depths: u64,
    /// Nodes of the last reports.
    pub nodes: u64,
    /// Microseconds, as the arena measures them.
    pub micros: u64,
}

impl Effort {
    fn add_move(&mut self, answer: &Answer) {
        let micros = u64::try_from(answer.time.as_micros()).unwrap_or(u64::MAX);
        self.add(Effort { moves: 1, depths: answer.depth, nodes: answer.nodes, micros });
    }

    /// Adds another sum.
    pub fn add(&mut self, other: Effort) {
        self.moves = self.moves.saturating_add(other.moves);
        self.depths = self.depths.saturating_add(other.depths);
        self.nodes = self.nodes.saturating_add(other.nodes);
        self.micros = self.micros.saturating_add(other.micros);
    }
}

/// A game that is over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finished {
    /// Who has won; nobody in a draw.
    pub winner: Option<Side>,
    /// How it ended: the rules' word, `ply limit`, or the fault of the loser.
    pub end: String,
    /// How many moves were made, those of the opening included.
    pub plies: usize,
    /// What each side's searches took.
    pub effort: [Effort; 2],
}

/// The end of a game that has reached the most plies.
pub const PLY_LIMIT: &str = "ply limit";

/// A game that was just played, and its record as far as the rules tell.
pub struct Played {
    /// How it went.
    pub finished: Finished,
    /// Its record.
    pub record: Record,
    /// The full-move number and the side of its first move.
    pub first_turn: (u32, Side),
}

/// An engine of a match, running or not.
pub struct Player<'a> {
    spec: &'a Spec,
    /// The process; none before the first game, and after a fault.
    engine: Option<Engine>,
}

impl<'a> Player<'a> {
    /// An engine that does not run yet.
    pub fn new(spec: &'a Spec) -> Player<'a> {
        Player { spec, engine: None }
    }

    /// The process, started if it does not run.
    fn engine(&mut self, rules: &[Rule], patience: Duration) -> Result<&mut Engine, String> {
        let engine = match self.engine.take() {
            Some(engine) => engine,
            None => Engine::start(self.spec, rules, patience)?,
        };
        Ok(self.engine.insert(engine))
    }
}

/// How a game ended: the winner, and the end in words.
type End = (Option<Side>, String);

/// What keeps games: the rules, and the conditions of the match.
pub struct Referee<'a> {
    host: Host,
    /// What the engines are told of the rules.
    rules: Vec<Rule>,
    conditions: &'a Conditions,
}

impl<'a> Referee<'a> {
    /// A referee for games under these conditions.
    pub fn new(conditions: &'a Conditions) -> Referee<'a> {
        Referee { host: Host::new(conditions.options.clone()), rules: conditions.rules(), conditions }
    }

    /// Plays a game between players, the first side's first; none if `over` says that nobody wants it any more.
    ///
    /// # Errors
    /// If an engine does not start, or the opening cannot be played.
    pub fn play(
        &mut self,
        players: [&mut Player; 2],
        opening: &Opening,
        over: &AtomicBool,
    ) -> Result<Option<Played>, String> {
        opening.set_up(self.host.session.as_mut())?;
        let limits = [players[0].spec.limit, players[1].spec.limit];
        let [first, second] = players;
        let patience = self.conditions.patience;
        let mut engines = [first.engine(&self.rules, patience)?, second.engine(&self.rules, patience)?];
        let mut effort = [Effort::default(); 2];
        let ended = self.play_out(&mut engines, Clocks::new(limits), opening, &mut effort, over);
        let (winner, end) = match ended {
            Ok(None) => return Ok(None),
            Ok(Some(end)) => end,
            Err((side, fault)) => {
                // Whatever state it is in, the next game begins with a new one.
                [first, second][side.index()].engine = None;
                (Some(!side), fault.to_string())
            }
        };
        let plies = self.host.session.moves_made().len();
        let finished = Finished { winner, end, plies, effort };
        let (record, first_turn) = (self.host.record(), self.host.session.first_turn());
        Ok(Some(Played { finished, record, first_turn }))
    }

    fn play_out(
        &mut self,
        engines: &mut [&mut Engine; 2],
        mut clocks: Clocks,
        opening: &Opening,
        effort: &mut [Effort; 2],
        over: &AtomicBool,
    ) -> Result<Option<End>, (Side, Fault)> {
        for side in Side::BOTH {
            engines[side.index()].new_game().map_err(|fault| (side, fault))?;
        }
        let mut moves = Vec::new();
        loop {
            if let Some(outcome) = self.host.session.outcome() {
                return Ok(Some((outcome.winner(), outcome.reason().into())));
            }
            if opening.moves.len() + moves.len() >= self.conditions.most_plies {
                return Ok(Some((None, PLY_LIMIT.into())));
            }
            if over.load(Relaxed) {
                return Ok(None);
            }
            let side = self.host.session.side_to_move();
            let engine = &mut *engines[side.index()];
            let allowed = clocks.allowed(side).map(|time| time.saturating_add(self.conditions.margin));
            let go = clocks.go(side, engine.dialect);
            let answer = engine.think(&opening.command(&moves), &go, allowed).map_err(|fault| (side, fault))?;
            clocks.spend(side, answer.time);
            effort[side.index()].add_move(&answer);
            moves.push(self.make(&answer.mv).map_err(|fault| (side, fault))?);
        }
    }

    /// Makes a move on the board and returns its canonical text.
    fn make(&mut self, text: &str) -> Result<String, Fault> {
        let session = &mut self.host.session;
        let mv = session.canonical_move(text).map_err(|error| match error {
            MoveError::Syntax(error) => Fault::new(FaultKind::Garbage, format!("{}, {error}", quoted(text))),
            MoveError::Illegal(error) => Fault::new(FaultKind::Illegal, format!("{}, {error}", quoted(text))),
        })?;
        let made = session.play(&[Word::alone(&mv)]);
        made.map(|()| mv).map_err(|error| Fault::new(FaultKind::Illegal, error))
    }
}
