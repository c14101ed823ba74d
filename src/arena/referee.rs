//! One game of a match: the arena asks the engines for moves and checks them by its own rules.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use crate::io::host::System;
use pentarch_core::notation::record::{Record, SearchEvaluation};
use pentarch_core::{MoveError, PlayerEnd, Side};
use pentarch_engine::engine_state::Engine;
use pentarch_engine::input_word::Word;
use pentarch_search::control::Control;

use super::Conditions;
use super::adjudication::{BY_SCORE, BY_TABLES, Judgement};
use super::error::ArenaError;
use super::fault::{Fault, FaultKind};
use super::limit::Clocks;
use super::opening::Opening;
use super::process::{Answer, EngineProcess, Rule, Spec, StartError};

/// Sums over the searches of one engine.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Effort {
    /// The number of moves that the engine was asked for.
    pub moves: u64,
    /// The sum of the depths that the engine reached, as it says.
    pub depths: u64,
    /// The sum of the nodes that it searched, as it says.
    pub nodes: u64,
    /// The time that it took in microseconds, as the arena measures it.
    pub micros: u64,
}

impl Effort {
    /// Adds the sums of other searches.
    pub fn add(&mut self, other: Effort) {
        self.moves = self.moves.saturating_add(other.moves);
        self.depths = self.depths.saturating_add(other.depths);
        self.nodes = self.nodes.saturating_add(other.nodes);
        self.micros = self.micros.saturating_add(other.micros);
    }
}

/// The result of a game that is over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FinishedGame {
    /// The winner; `None` for a draw.
    pub winner: Option<Side>,
    /// How the game ended: the reason of the outcome by the rules, [`PLY_LIMIT`], [`BY_SCORE`], [`BY_TABLES`], or the
    /// fault of the loser.
    pub end: String,
    /// The kind of the fault; `None` if the game ended otherwise.
    pub fault: Option<FaultKind>,
    /// The length of the game in plies, its opening included.
    pub plies: usize,
    /// The effort of each side, the first side first.
    pub effort: [Effort; 2],
}

/// The end of a game that has reached the greatest length.
pub const PLY_LIMIT: &str = "ply limit";

/// A game that was just played, with its record.
pub struct PlayedGame {
    /// The result of the game.
    pub finished: FinishedGame,
    /// The record of the game. It has the outcome by the rules but not yet the tags of the match.
    pub record: Record,
    /// The full-move number and the side to move at the beginning of the game.
    pub first_turn: (u32, Side),
}

/// An engine of a match, whose process may run or not.
pub struct Player<'a> {
    spec: &'a Spec,
    /// The process; `None` before the first game, and after a fault that leaves its state unknown.
    engine: Option<EngineProcess>,
}

impl<'a> Player<'a> {
    /// An engine whose process is not started yet.
    pub fn new(spec: &'a Spec) -> Player<'a> {
        Player { spec, engine: None }
    }

    /// The process, started if it does not run.
    fn engine(
        &mut self,
        rules: &[Rule],
        patience: Duration,
    ) -> Result<&mut EngineProcess, StartError> {
        let engine = match self.engine.take() {
            Some(engine) => engine,
            None => EngineProcess::start(self.spec, rules, patience)?,
        };
        Ok(self.engine.insert(engine))
    }
}

/// The winner of a game, and how the game ended.
type GameEnd = (Option<Side>, String);

/// Plays the games of a match, one at a time.
pub struct Referee<'a> {
    /// The arena's own board, on which each move is made after it was checked.
    board: Engine,
    /// The options that tell the engines the game and its rules.
    rules: Vec<Rule>,
    conditions: &'a Conditions,
}

impl<'a> Referee<'a> {
    /// A referee for games under these conditions. The tables that end games are made first.
    ///
    /// # Errors
    /// If tables are to end games, and cannot be made.
    pub fn new(conditions: &'a Conditions) -> Result<Referee<'a>, ArenaError> {
        let board = Engine::new(conditions.options.clone(), System::shared());
        if conditions.adjudication.by_tables {
            let faults = board.session.make_tables()(&Control::default());
            if let Some(fault) = faults.into_iter().next() {
                return Err(ArenaError::NoTables { fault });
            }
            if board.session.is_solved() {
                return Err(ArenaError::Solved);
            }
        }
        Ok(Referee { board, rules: conditions.rules(), conditions })
    }

    /// Plays a game between these players, of which the first plays the first side; `None` if `stopped` was set before
    /// the end of the game.
    ///
    /// # Errors
    /// If an engine does not start, or the opening is not legal.
    pub fn play(
        &mut self,
        players: [&mut Player; 2],
        opening: &Opening,
        stopped: &AtomicBool,
    ) -> Result<Option<PlayedGame>, ArenaError> {
        opening.set_up(self.board.session.as_mut()).map_err(Box::new)?;
        let limits = [players[0].spec.limit, players[1].spec.limit];
        let [first, second] = players;
        let patience = self.conditions.patience;
        let mut engines =
            [first.engine(&self.rules, patience)?, second.engine(&self.rules, patience)?];
        let mut effort = [Effort::default(); 2];
        let mut evaluations = Vec::new();
        let clocks = Clocks::new(limits);
        let ended =
            self.play_out(&mut engines, clocks, opening, (&mut effort, &mut evaluations), stopped);
        let (winner, end, fault) = match ended {
            Ok(None) => return Ok(None),
            Ok(Some((winner, end))) => (winner, end, None),
            Err((side, fault)) => {
                // An engine that was late has answered and goes on. The state of another one is unknown, so the next
                // game starts a new process.
                let kind = fault.kind();
                if kind != FaultKind::Time {
                    [first, second][side.index()].engine = None;
                } else {
                    self.board.session.end(PlayerEnd::Time(side)).map_err(Box::new)?;
                }
                (Some(!side), fault.to_string(), Some(kind))
            }
        };
        let plies = self.board.session.standing().moves;
        let finished = FinishedGame { winner, end, fault, plies, effort };
        let (mut record, first_turn) =
            (self.board.record(), self.board.session.course().first_turn);
        for (mv, evaluation) in record.moves.iter_mut().skip(opening.moves.len()).zip(evaluations) {
            mv.evaluation = evaluation;
        }
        Ok(Some(PlayedGame { finished, record, first_turn }))
    }

    /// Plays from the opening to the end, and adds the effort of each side and the evaluation of each move. The error
    /// is a fault, with the side at fault.
    fn play_out(
        &mut self,
        engines: &mut [&mut EngineProcess; 2],
        mut clocks: Clocks,
        opening: &Opening,
        (effort, evaluations): (&mut [Effort; 2], &mut Vec<Option<SearchEvaluation>>),
        stopped: &AtomicBool,
    ) -> Result<Option<GameEnd>, (Side, Fault)> {
        for side in Side::BOTH {
            engines[side.index()].new_game().map_err(|fault| (side, fault))?;
        }
        let (mut moves, mut judgement) = (Vec::new(), Judgement::default());
        let adjudication = self.conditions.adjudication;
        loop {
            if let Some(outcome) = self.board.session.standing().outcome {
                return Ok(Some((outcome.winner(), outcome.reason().into())));
            }
            // An opening that is decided says nothing about the engines unless they play it.
            if adjudication.by_tables
                && !moves.is_empty()
                && let Some(winner) = self.board.session.known_winner()
            {
                return Ok(Some((winner, BY_TABLES.into())));
            }
            if opening.moves.len() + moves.len() >= self.conditions.most_plies {
                return Ok(Some((None, PLY_LIMIT.into())));
            }
            if stopped.load(Relaxed) {
                return Ok(None);
            }
            let side = self.board.session.standing().side;
            let (engine, effort) = (&mut *engines[side.index()], &mut effort[side.index()]);
            let asked = self.ask(engine, &opening.command(&moves), (&mut clocks, side), effort);
            let (mv, answer) = asked.map_err(|fault| (side, fault))?;
            moves.push(mv);
            let depth = u32::try_from(answer.depth).unwrap_or(u32::MAX);
            evaluations.push(answer.score.map(|centipawns| SearchEvaluation { centipawns, depth }));
            if self.board.session.standing().outcome.is_none()
                && let Some(winner) =
                    adjudication.score.and_then(|limit| judgement.add(side, answer.score, limit))
            {
                return Ok(Some((Some(winner), BY_SCORE.into())));
            }
        }
    }

    /// Asks the engine of a side for its move, makes it on the board, and returns its canonical text with the answer.
    /// `position` is the command that sets up the position. After an illegal move the engine is asked again while its
    /// clock runs on, as often as the conditions allow.
    fn ask(
        &mut self,
        engine: &mut EngineProcess,
        position: &str,
        (clocks, side): (&mut Clocks, Side),
        effort: &mut Effort,
    ) -> Result<(String, Answer), Fault> {
        let mut retries = self.conditions.retries;
        loop {
            let allowed =
                clocks.allowed(side).map(|time| time.saturating_add(self.conditions.margin));
            let answer = engine.think(position, &clocks.go(side, engine.dialect), allowed)?;
            clocks.spend(side, answer.time);
            let micros = u64::try_from(answer.time.as_micros()).unwrap_or(u64::MAX);
            effort.add(Effort { moves: 1, depths: answer.depth, nodes: answer.nodes, micros });
            match self.make(&answer.mv) {
                Err(fault) if fault.kind() == FaultKind::Illegal && retries > 0 => retries -= 1,
                made => {
                    clocks.end_move(side);
                    return Ok((made?, answer));
                }
            }
        }
    }

    /// Makes a move on the board and returns its canonical text.
    fn make(&mut self, text: &str) -> Result<String, Fault> {
        let session = &mut self.board.session;
        // To pass or to resign is a move of other games, so that it is no nonsense.
        let is_other_move = ["pass", "resign"].iter().any(|word| word.eq_ignore_ascii_case(text));
        let found = session.find_move(text).map_err(|error| {
            let mv = text.into();
            match error {
                MoveError::Syntax(_) if is_other_move => Fault::OtherGame { mv },
                MoveError::Syntax(error) => Fault::Syntax { mv, error },
                MoveError::Illegal(error) => Fault::Illegal { mv, error },
            }
        })?;
        let made = session.play(&[Word::alone(&found.text)]);
        made.map(|()| found.text).map_err(|error| Fault::Board(Box::new(error)))
    }
}
