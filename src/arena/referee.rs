//! Plays one game: requests moves from the engines, and checks them by the arena's own rules.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use crate::io::host::SystemHost;
use pentarch_core::notation::record::{GameRecord, SearchEvaluation};
use pentarch_core::{EndByPlayers, MoveError, Side};
use pentarch_engine::engine_state::Engine;
use pentarch_engine::input_word::InputWord;
use pentarch_search::control::SearchControl;

use super::MatchConfig;
use super::adjudication::{
    SCORE_ADJUDICATION_ENDING, ScoreAgreementTracker, TABLE_ADJUDICATION_ENDING,
};
use super::error::ArenaError;
use super::fault::{FaultKind, MatchEngineFault};
use super::move_limit::MatchClocks;
use super::process::{EngineGoReply, EngineProcess, EngineSpec, EngineStartError, RuleOption};
use crate::convert::opening_list::Opening;

/// Sums over the searches of one engine in a match.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SearchStats {
    /// The number of moves that were requested from the engine.
    pub moves: u64,
    /// The sum of the search depths, in plies, that the engine reported with its moves.
    pub depths: u64,
    /// The sum of the nodes that the engine reported.
    pub nodes: u64,
    /// The time for the engine's moves in microseconds, as the arena measures it.
    pub micros: u64,
}

impl SearchStats {
    /// Adds the sums of other searches.
    pub fn add_stats(&mut self, other: SearchStats) {
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
    /// The words that describe the end of the game. The words are one of:
    ///
    /// - the reason of the outcome by the rules
    /// - [`PLY_LIMIT_ENDING`]
    /// - [`SCORE_ADJUDICATION_ENDING`]
    /// - [`TABLE_ADJUDICATION_ENDING`]
    /// - the fault of the loser
    pub end: String,
    /// The kind of the fault; `None` if the game ended without one.
    pub fault: Option<FaultKind>,
    /// The length of the game in plies, including the opening.
    pub plies: usize,
    /// The search statistics of each side, the first side first.
    pub stats: [SearchStats; 2],
}

/// The ending of a game that has reached the maximum length.
pub const PLY_LIMIT_ENDING: &str = "ply limit";

/// A finished game with its record.
pub struct FinishedGameWithRecord {
    /// The result of the game.
    pub finished: FinishedGame,
    /// The record of the game. The record has the outcome by the rules, but not the tags of the
    /// match.
    pub record: GameRecord,
    /// The full-move number and the side to move at the beginning of the game.
    pub first_turn: (u32, Side),
}

/// An engine of a match, with its process if the process is running.
pub struct MatchEngine<'a> {
    spec: &'a EngineSpec,
    /// The process; `None` before the first game, and after a fault that leaves its state unknown.
    engine: Option<EngineProcess>,
}

impl<'a> MatchEngine<'a> {
    /// Creates an engine without starting its process.
    pub fn new(spec: &'a EngineSpec) -> MatchEngine<'a> {
        MatchEngine { spec, engine: None }
    }

    /// Returns the running process of the engine. Starts the process if necessary.
    fn get_or_start_process(
        &mut self,
        rules: &[RuleOption],
        patience: Duration,
    ) -> Result<&mut EngineProcess, EngineStartError> {
        let engine = match self.engine.take() {
            Some(engine) => engine,
            None => EngineProcess::start(self.spec, rules, patience)?,
        };
        Ok(self.engine.insert(engine))
    }
}

/// The end of a game without a fault.
struct FaultlessGameEnd {
    /// The winner; `None` for a draw.
    winner: Option<Side>,
    /// How the game ended, see [`FinishedGame::end`].
    reason: String,
}

/// A fault of an engine, with the side that the engine plays.
struct EngineFaultOfSide {
    side: Side,
    fault: MatchEngineFault,
}

/// The data that a game collects while it is played.
#[derive(Default)]
struct GameSearchLog {
    stats: [SearchStats; 2],
    evaluations: Vec<Option<SearchEvaluation>>,
}

/// A referee that plays the games of a match, one at a time.
pub struct Referee<'a> {
    /// The arena's own board. Each move is checked before it is played on this board.
    board: Engine,
    /// The options that set the game and its rules in the engines.
    rules: Vec<RuleOption>,
    config: &'a MatchConfig,
}

impl<'a> Referee<'a> {
    /// Creates a referee for the games of a match. Builds the tables for adjudication first.
    ///
    /// # Errors
    /// If tables should end games, but cannot be built.
    pub fn new(config: &'a MatchConfig) -> Result<Referee<'a>, ArenaError> {
        let board = Engine::new(config.options.clone(), SystemHost::shared_host());
        if config.adjudication.by_tables {
            let faults = board.session.prepare_tablebase_build_job()(&SearchControl::default());
            if let Some(fault) = faults.into_iter().next() {
                return Err(ArenaError::NoTables { fault });
            }
            if board.session.is_game_solved() {
                return Err(ArenaError::Solved);
            }
        }
        Ok(Referee { board, rules: config.rule_options(), config })
    }

    /// Plays a game between these players. The first player plays the first side. Returns `None` if
    /// `stopped` was set before the end of the game.
    ///
    /// # Errors
    /// If an engine does not start, or the opening is not legal.
    pub fn play_game(
        &mut self,
        players: [&mut MatchEngine; 2],
        opening: &Opening,
        stopped: &AtomicBool,
    ) -> Result<Option<FinishedGameWithRecord>, ArenaError> {
        opening.set_up_session(self.board.session.as_mut()).map_err(Box::new)?;
        let limits = [players[0].spec.limit, players[1].spec.limit];
        let [first, second] = players;
        let patience = self.config.patience;
        let mut engines = [
            first.get_or_start_process(&self.rules, patience)?,
            second.get_or_start_process(&self.rules, patience)?,
        ];
        let mut data = GameSearchLog::default();
        let clocks = MatchClocks::new(limits);
        let (winner, end, fault) =
            match self.play_moves_to_end(&mut engines, clocks, opening, &mut data, stopped) {
                Ok(None) => return Ok(None),
                Ok(Some(FaultlessGameEnd { winner, reason })) => (winner, reason, None),
                Err(EngineFaultOfSide { side, fault }) => {
                    // After a late reply the engine is usable, and its process continues. After any
                    // other fault the state of the engine is unknown, so that the next game starts
                    // a new process.
                    let kind = fault.kind();
                    if kind != FaultKind::Time {
                        [first, second][side.index()].engine = None;
                    } else {
                        self.board
                            .session
                            .end_game_by_players(EndByPlayers::Time(side))
                            .map_err(Box::new)?;
                    }
                    (Some(!side), fault.to_string(), Some(kind))
                }
            };
        let plies = self.board.session.game_state().moves;
        let finished = FinishedGame { winner, end, fault, plies, stats: data.stats };
        let mut record = self.board.annotated_record();
        let first_turn = self.board.session.game_moves().first_turn;
        let played = record.moves.iter_mut().skip(opening.moves.len());
        for (mv, evaluation) in played.zip(data.evaluations) {
            mv.evaluation = evaluation;
        }
        Ok(Some(FinishedGameWithRecord { finished, record, first_turn }))
    }

    /// Plays from the opening to the end of the game, and collects its moves and its statistics in
    /// `data`. Returns `None` if `stopped` was set.
    ///
    /// # Errors
    /// The fault that ends the game, with its side.
    fn play_moves_to_end(
        &mut self,
        engines: &mut [&mut EngineProcess; 2],
        mut clocks: MatchClocks,
        opening: &Opening,
        data: &mut GameSearchLog,
        stopped: &AtomicBool,
    ) -> Result<Option<FaultlessGameEnd>, EngineFaultOfSide> {
        for side in Side::BOTH_SIDES {
            engines[side.index()].new_game().map_err(|fault| EngineFaultOfSide { side, fault })?;
        }
        let mut moves = Vec::new();
        let mut agreement = ScoreAgreementTracker::default();
        let adjudication = self.config.adjudication;
        loop {
            if let Some(outcome) = self.board.session.game_state().outcome {
                let winner = outcome.winner();
                return Ok(Some(FaultlessGameEnd { winner, reason: outcome.reason().into() }));
            }
            // If the opening is already decided, the game is adjudicated only after the first move
            // of an engine.
            if adjudication.by_tables
                && !moves.is_empty()
                && let Some(winner) = self.board.session.known_winner()
            {
                return Ok(Some(FaultlessGameEnd {
                    winner,
                    reason: TABLE_ADJUDICATION_ENDING.into(),
                }));
            }
            if opening.moves.len() + moves.len() >= self.config.max_plies {
                return Ok(Some(FaultlessGameEnd {
                    winner: None,
                    reason: PLY_LIMIT_ENDING.into(),
                }));
            }
            if stopped.load(Relaxed) {
                return Ok(None);
            }
            let side = self.board.session.game_state().side;
            let position = opening.position_command(&moves);
            let engine = &mut *engines[side.index()];
            let stats = &mut data.stats[side.index()];
            let (mv, reply) = self
                .request_and_play_move(engine, &position, (&mut clocks, side), stats)
                .map_err(|fault| EngineFaultOfSide { side, fault })?;
            moves.push(mv);
            let depth = u32::try_from(reply.depth).unwrap_or(u32::MAX);
            data.evaluations
                .push(reply.score.map(|centipawns| SearchEvaluation { centipawns, depth }));
            if self.board.session.game_state().outcome.is_none()
                && let Some(threshold) = adjudication.score
                && let Some(winner) = agreement.add_engine_score(side, reply.score, threshold)
            {
                let reason = SCORE_ADJUDICATION_ENDING.into();
                return Ok(Some(FaultlessGameEnd { winner: Some(winner), reason }));
            }
        }
    }

    /// Requests a move of a side from its engine, and plays it on the board. `position` is the
    /// command that sets up the position. Returns the move in canonical notation, and the reply.
    /// After an illegal move the engine may try again, up to the number of retries. The clock of
    /// the engine keeps running.
    fn request_and_play_move(
        &mut self,
        engine: &mut EngineProcess,
        position: &str,
        (clocks, side): (&mut MatchClocks, Side),
        stats: &mut SearchStats,
    ) -> Result<(String, EngineGoReply), MatchEngineFault> {
        let mut retries = self.config.retries;
        loop {
            let allowed =
                clocks.time_limit_of_move(side).map(|time| time.saturating_add(self.config.margin));
            let go = clocks.go_command(side, engine.protocol);
            let reply = engine.search_position(position, &go, allowed)?;
            clocks.subtract_used_time(side, reply.time);
            let micros = u64::try_from(reply.time.as_micros()).unwrap_or(u64::MAX);
            stats.add_stats(SearchStats {
                moves: 1,
                depths: reply.depth,
                nodes: reply.nodes,
                micros,
            });
            match self.play_move(&reply.mv) {
                Err(fault) if fault.kind() == FaultKind::Illegal && retries > 0 => retries -= 1,
                played => {
                    clocks.update_clock_after_move(side);
                    return Ok((played?, reply));
                }
            }
        }
    }

    /// Plays a move on the board, and returns it in canonical notation.
    fn play_move(&mut self, notation: &str) -> Result<String, MatchEngineFault> {
        let session = &mut self.board.session;
        // Other games have the moves `pass` and `resign`. Therefore these words are reported as
        // illegal moves instead of garbage.
        let is_other_move =
            ["pass", "resign"].iter().any(|word| word.eq_ignore_ascii_case(notation));
        let mv = session.resolve_move(notation).map_err(|error| {
            let mv = notation.into();
            match error {
                MoveError::Syntax(_) if is_other_move => MatchEngineFault::OtherGame { mv },
                MoveError::Syntax(error) => MatchEngineFault::Syntax { mv, error },
                MoveError::Illegal(error) => MatchEngineFault::Illegal { mv, error },
            }
        })?;
        match session.play_moves(&[InputWord::from_text(&mv.text)]) {
            Ok(()) => Ok(mv.text),
            Err(error) => Err(MatchEngineFault::Board(Box::new(error))),
        }
    }
}
