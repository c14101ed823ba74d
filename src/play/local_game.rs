//! Runs the current game at a terminal: who plays which side, the engine's searches, undo and redo.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use crate::io::progress::ProgressLine;
use pentarch_core::notation::parsing::{
    capitalise, escape_for_terminal, join_with_or, nearest_known_word, quote_for_message,
    spelling_hint,
};
use pentarch_core::notation::record::RecordedMove;
use pentarch_core::{EndByPlayers, EndByPlayersError, MoveError, Side, Warning};
use pentarch_engine::engine_options::{EngineOptions, LEVEL_OPTION, LIMIT_STRENGTH_OPTION};
use pentarch_engine::engine_state::{Engine, GoCommandParameters};
use pentarch_engine::error::EngineError;
use pentarch_engine::games::{GAME_OPTION, all_game_words};
use pentarch_engine::input_word::InputWord;
use pentarch_engine::record::RecordAnnotation;
use pentarch_engine::session::{GameConstants, Session};
use pentarch_search::SearchReport;
use pentarch_search::strength_levels::StrengthLevel;
use pentarch_search::time_management::MoveTimeControl;
use thiserror::Error;

use super::auto_level::{AUTO_LEVEL_WORD, AutoLevels};
use super::clock::Clocks;
use super::commands::{WordChoiceError, match_typed_word};
use super::game_start::{GameStart, GameStartError};
use super::stored_games::StoredSettings;
use super::tally::Tally;
use super::terminal::Terminal;

/// Interval between updates of a search's progress.
const PROGRESS_REFRESH_INTERVAL: Duration = Duration::from_millis(200);

/// Whether a person or the engine makes the moves of a player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlayerKind {
    /// A person at this terminal.
    Person,
    /// The engine makes the moves.
    Engine,
}

/// The reason why a command in the game fails.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum LocalGameError {
    /// The game is over. Therefore there is no move to search for.
    #[error("the game is over: 'new' begins another one")]
    GameOver,
    /// The search has panicked.
    #[error("the search failed inside; this is a fault of the program")]
    SearchPanicked,
    /// No person has made a move, so that there is nothing to undo.
    #[error("you have made no move yet")]
    NothingToUndo,
    /// No move was undone since the last move.
    #[error("there is nothing to redo")]
    NothingToRedo,
    /// The game is played without clocks.
    #[error("this game has no clocks: 'play --clock 5+3' starts one with clocks")]
    NoClocks,
    /// The player to move may not swap sides.
    #[error("sides can be swapped only after the first move of a game with --fair swap")]
    NoSwap,
    /// The game cannot begin in this way.
    #[error(transparent)]
    Start(#[from] GameStartError),
    /// There is no such level or game.
    #[error(transparent)]
    WordChoice(#[from] WordChoiceError),
    /// The game has no such players.
    #[error(transparent)]
    Players(#[from] PlayerChoiceError),
    /// The engine rejects the command.
    #[error(transparent)]
    Engine(#[from] EngineError),
}

/// The error for a word that does not name sides that people can play.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error(
    "{setting} takes {}{}, not {}{}",
    join_with_or(.choices),
    if *.is_list { " (several players with commas between them)" } else { "" },
    quote_for_message(.word),
    if *.is_choice { " together with others".into() } else { spelling_hint(*.nearest) }
)]
pub struct PlayerChoiceError {
    /// The command or flag that takes the word: `side` or `--side`.
    pub setting: &'static str,
    /// The words that are possible.
    pub choices: Vec<&'static str>,
    /// Whether a list of players is possible. Lists are for games with more than two players.
    pub is_list: bool,
    /// The invalid word.
    pub word: String,
    /// Whether the word would be valid alone, but not in a list.
    pub is_choice: bool,
    /// The possible word that is most similar.
    pub nearest: Option<&'static str>,
}

/// The result of a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchSummary {
    /// The best move of the search.
    pub best: String,
    /// The principal variation, which begins with the best move.
    pub line: Vec<String>,
    /// The score for the side to move: in centipawns or proven; `None` if nothing was searched.
    pub score: Option<i32>,
    /// The rank of the position in tables without distances, if they know the winner. The rank of a
    /// win never increases on the way to the win.
    pub rank: Option<u32>,
    /// The search's own score of the best move, if `score` is the known value of the position and
    /// the move is not known to reach it.
    pub move_score: Option<i32>,
    /// Whether the score is exact. A score of 0 is then a certain draw.
    pub is_exact: bool,
    /// Whether Ctrl-C has ended the search.
    pub is_stopped: bool,
    /// Faults of the engine during the search.
    pub faults: Vec<Warning>,
}

/// The effect of one `undo`, for `redo`.
#[derive(Clone)]
pub(super) enum RedoStep {
    /// Moves that were taken back.
    Moves {
        /// The moves.
        moves: Vec<String>,
        /// The players whose increments were taken back.
        increments: Vec<usize>,
        /// Whether the players had swapped sides before the last of these moves.
        swaps_sides: bool,
    },
    /// An end of the game by its players, which was cancelled.
    End(EndByPlayers),
}

/// A game between people and the engine at one terminal.
pub struct LocalGame {
    pub(super) engine: Engine,
    /// For each player, in the order of their turns, whether a person or the engine plays.
    pub players: Vec<PlayerKind>,
    /// The steps that were taken back. `redo` repeats the last one.
    pub(super) undone: Vec<RedoStep>,
    /// The side whose pieces the board shows at the bottom.
    pub viewer: Side,
    /// The engine's time per move at full strength, and for a hint.
    time: Duration,
    /// The clocks of the players, if there are any.
    pub clocks: Option<Clocks>,
    /// The level that adapts to the results.
    pub auto_levels: AutoLevels,
    /// The way in which games begin.
    pub start: GameStart,
    /// Whether the players have swapped sides.
    pub(super) has_swapped: bool,
    /// The options that a handicap has changed, with their values before it.
    pub(super) options_before_handicap: Vec<(&'static str, String)>,
    /// Whether the result of the game is in the tally, or does not belong there.
    pub(super) is_counted: bool,
    /// The results of the games of the session.
    pub(super) tally: Tally,
}

impl LocalGame {
    /// Creates a game with the engine's current position. The board shows the pieces of the first
    /// person's side at the bottom.
    pub fn new(engine: Engine, players: Vec<PlayerKind>, time: Duration) -> LocalGame {
        // The result of a game that was loaded after its end does not count.
        let is_counted = engine.session.game_state().outcome.is_some();
        LocalGame {
            engine,
            viewer: viewer_of_players(&players),
            players,
            undone: Vec::new(),
            time,
            clocks: None,
            auto_levels: AutoLevels::default(),
            start: GameStart::default(),
            has_swapped: false,
            options_before_handicap: Vec::new(),
            is_counted,
            tally: Tally::default(),
        }
    }

    /// Returns the session of the current game.
    pub fn session(&self) -> &dyn Session {
        self.engine.session.as_ref()
    }

    /// Returns the name of the player to move.
    pub fn player_to_move(&self) -> &'static str {
        self.session().game_constants().players[self.session().game_state().player]
    }

    /// Returns whether the game is not over and it is the engine's turn.
    pub fn is_engine_to_move(&self) -> bool {
        let game_state = self.session().game_state();
        game_state.outcome.is_none() && self.players[game_state.player] == PlayerKind::Engine
    }

    /// Plays a move. The record also stores the signs typed after the move (`+`, `#`), its mark
    /// (such as `!`) and the time left.
    ///
    /// # Errors
    /// If the string is not a move, or the move is illegal. The game is then unchanged.
    pub fn play_typed_move(&mut self, text: &str) -> Result<(), MoveError> {
        let typed = RecordedMove::from(text.to_string());
        let move_string = typed.text_with_suffix_signs();
        self.session().resolve_move(&move_string)?;
        let player = self.session().game_state().player;
        // The move is legal. Therefore the following calls succeed.
        let played = self.engine.session.play_moves(&[InputWord::from_text(&move_string)]);
        debug_assert_eq!(played, Ok(()));
        self.undone.clear();
        if let Some(&glyph) = typed.notes().glyphs.first() {
            let added = self.engine.add_annotation(RecordAnnotation::Mark(Some(glyph)));
            debug_assert_eq!(added, Ok(()));
        }
        if let Some(clocks) = &mut self.clocks {
            clocks.stop_clock_and_add_increment(player);
            let added = self
                .engine
                .add_annotation(RecordAnnotation::Clock(clocks.remaining_milliseconds(player)));
            debug_assert_eq!(added, Ok(()));
        }
        Ok(())
    }

    /// Searches for the engine's move, at its level.
    ///
    /// # Errors
    /// If the game is over.
    pub fn search_engine_move(
        &mut self,
        terminal: &Terminal,
    ) -> Result<SearchSummary, LocalGameError> {
        if self.auto_levels.is_on {
            let GameConstants { game, players, .. } = self.session().game_constants();
            let round = self.session().game_state().moves / players.len();
            let level = self.auto_levels.of_game(game).level_in_round(round);
            self.engine.set_option(LEVEL_OPTION.name, level.name())?;
            // Otherwise an Elo number from the command line would take precedence over the level.
            self.engine.set_option(LIMIT_STRENGTH_OPTION.name, "false")?;
        }
        let time = self.clocks.as_ref().map(Clocks::time_control_for_search);
        self.search_and_show_progress(
            format!("{} is thinking (Ctrl-C: move now)", capitalise(self.player_to_move())),
            time,
            terminal,
        )
    }

    /// Runs the clock of the player to move. Stops all clocks if the game is over or `is_paused`.
    /// If the player to move has no time left, ends the game and returns the player's name.
    pub fn run_clock_and_check_time(&mut self, is_paused: bool) -> Option<&'static str> {
        let game_state = self.session().game_state();
        let clocks = self.clocks.as_mut()?;
        let is_running = game_state.outcome.is_none() && !is_paused;
        clocks.run_only_clock_of_player(is_running.then_some(game_state.player));
        let player = self.engine.session.game_constants().players[clocks.player_out_of_time()?];
        let side = self.session().parse_side(player).ok()?;
        self.engine.session.end_game_by_players(EndByPlayers::Time(side)).ok()?;
        Some(player)
    }

    /// Returns the remaining time of the player to move, as a clock shows it; `None` without a
    /// clock.
    pub fn time_left(&self) -> Option<String> {
        Some(self.clocks.as_ref()?.remaining_time_text(self.session().game_state().player))
    }

    /// Sets up the game with this start position and these moves. `None` is the start position of
    /// the rules.
    ///
    /// # Errors
    /// If the position or a move is invalid. The game is then unchanged.
    pub fn set_up_game(
        &mut self,
        start: Option<&str>,
        moves: &[String],
    ) -> Result<(), EngineError> {
        let start =
            start.map(|fen| fen.split_whitespace().map(InputWord::from_text).collect::<Vec<_>>());
        let moves: Vec<InputWord> = moves.iter().map(|mv| InputWord::from_text(mv)).collect();
        self.engine.set_position(start.as_deref(), &moves)?;
        self.reset_undo_and_clocks();
        // The second player may choose again after another first move.
        self.has_swapped &= !moves.is_empty();
        Ok(())
    }

    fn reset_undo_and_clocks(&mut self) {
        self.undone.clear();
        self.clocks.iter_mut().for_each(Clocks::reset_to_initial_times);
    }

    /// Searches for the best move at full strength.
    ///
    /// # Errors
    /// If the game is over.
    pub fn search_hint(&mut self, terminal: &Terminal) -> Result<SearchSummary, LocalGameError> {
        let options = self.engine.options.clone();
        self.engine.set_option(LIMIT_STRENGTH_OPTION.name, "false")?;
        self.engine.set_option(LEVEL_OPTION.name, StrengthLevel::Champion.name())?;
        let title = "Looking for a good move (Ctrl-C: enough)".into();
        let result = self.search_and_show_progress(title, None, terminal);
        self.engine.options = options;
        result
    }

    /// Runs a search, and shows its progress under this title. Without a time control the search
    /// has the engine's time per move.
    fn search_and_show_progress(
        &mut self,
        title: String,
        time: Option<MoveTimeControl>,
        terminal: &Terminal,
    ) -> Result<SearchSummary, LocalGameError> {
        let movetime = Some(i64::try_from(self.time.as_millis()).unwrap_or(i64::MAX));
        let time = time.unwrap_or(MoveTimeControl { movetime, ..MoveTimeControl::default() });
        let go = GoCommandParameters { time, ..GoCommandParameters::default() };
        let search = self.engine.prepare_search(&go)?.ok_or(LocalGameError::GameOver)?;
        let mut progress = ProgressLine::begin(title);
        terminal.stop_on_interrupt(&search.control);
        let mut depth = 0;
        let mut line = Vec::new();
        let mut rank = None;
        let mut move_score = None;
        let mut is_exact = false;
        let answer = thread::scope(|scope| {
            let (sender, infos) = channel();
            // The search runs on another thread, so that the progress is updated during long
            // iterations.
            let report = move |info: &SearchReport<String>| {
                let line = info.pv.to_vec();
                let values = (info.table_rank, info.move_score, info.is_exact);
                drop(sender.send((info.depth, line, values)))
            };
            let searching = scope.spawn(move || search.run(&mut { report }));
            loop {
                match infos.recv_timeout(PROGRESS_REFRESH_INTERVAL) {
                    Ok(info) => (depth, line, (rank, move_score, is_exact)) = info,
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => break searching.join(),
                }
                progress.show(&format!("depth {depth}"));
            }
        });
        drop(progress);
        let answer = answer.map_err(|_| LocalGameError::SearchPanicked)?;
        if line.first() != Some(&answer.best) {
            line = std::iter::once(answer.best.clone()).chain(answer.ponder).collect();
            rank = None;
            move_score = None;
            is_exact = false;
        }
        self.engine.last_score = answer.score;
        Ok(SearchSummary {
            best: answer.best,
            line,
            score: answer.score,
            rank,
            move_score,
            is_exact,
            is_stopped: terminal.take_interrupt(),
            faults: answer.faults,
        })
    }

    /// Takes back the last move of a person and all later moves. If no person plays, takes back the
    /// last move. If the players have ended the game, cancels only that end. If they have swapped
    /// sides and no person has moved since, reverts the swap. If the engine has swapped, also takes
    /// back the person's first move.
    ///
    /// # Errors
    /// If there is nothing to take back.
    pub fn undo(&mut self) -> Result<(), LocalGameError> {
        let game_moves = self.session().game_moves();
        let moves = game_moves.moves_with_typed_signs();
        let turns = game_moves.turns;
        if let Some(end) = self.session().game_state().end {
            self.engine.session.undo_moves(1)?;
            self.undone.push(RedoStep::End(end));
            if let EndByPlayers::Time(_) = end
                && let Some(clocks) = &mut self.clocks
            {
                clocks.reset_to_initial_times();
            }
            return Ok(());
        }
        let has_person = self.players.contains(&PlayerKind::Person);
        // The move before a swap was the other player's.
        let first_ply = usize::from(self.has_swapped);
        let last_of_person = (first_ply..moves.len())
            .rev()
            .find(|&ply| !has_person || self.players[turns[ply].0] == PlayerKind::Person);
        let (first, swaps_sides) = match last_of_person {
            Some(ply) => (ply, false),
            // A person who has swapped gets the choice again.
            None if self.has_swapped => (usize::from(self.players[0] == PlayerKind::Person), true),
            None => return Err(LocalGameError::NothingToUndo),
        };
        let count = moves.len() - first;
        self.engine.session.undo_moves(count as u32)?;
        let clocks = self.clocks.as_mut();
        let increments = clocks.map_or_else(Vec::new, |clocks| clocks.undo_moves(count));
        if swaps_sides {
            self.exchange_sides();
        }
        let moves = moves[first..].to_vec();
        self.undone.push(RedoStep::Moves { moves, increments, swaps_sides });
        Ok(())
    }

    /// Reverts the last [`undo`](LocalGame::undo).
    ///
    /// # Errors
    /// If nothing was undone since the last move, or the game is over. The game is then unchanged.
    pub fn redo(&mut self) -> Result<(), LocalGameError> {
        let step = self.undone.last().ok_or(LocalGameError::NothingToRedo)?.clone();
        match step {
            RedoStep::Moves { moves, increments, swaps_sides } => {
                let words: Vec<InputWord> =
                    moves.iter().map(|mv| InputWord::from_text(mv)).collect();
                self.engine.session.play_moves(&words)?;
                if swaps_sides {
                    self.exchange_sides();
                }
                if let Some(clocks) = &mut self.clocks {
                    clocks.run_only_clock_of_player(None);
                    for player in increments {
                        clocks.stop_clock_and_add_increment(player);
                    }
                }
            }
            RedoStep::End(end) => self.engine.session.end_game_by_players(end)?,
        }
        self.undone.pop();
        Ok(())
    }

    /// Sets the engine's level by its [word](match_typed_word). Returns a sentence about the level.
    /// Without a word, the sentence also lists the other levels.
    ///
    /// # Errors
    /// If there is no such level.
    pub fn set_level(&mut self, typed: Option<&str>) -> Result<String, LocalGameError> {
        if let Some(typed) = typed {
            let names = StrengthLevel::STRENGTH_LEVEL_NAMES;
            let words: Vec<_> = names.into_iter().chain([AUTO_LEVEL_WORD]).collect();
            let word = match_typed_word(&words, typed)?;
            let is_auto = word == AUTO_LEVEL_WORD;
            if !is_auto {
                self.engine.set_option(LEVEL_OPTION.name, word)?;
            }
            // Otherwise an Elo number from the command line would take precedence over the level.
            self.engine.set_option(LIMIT_STRENGTH_OPTION.name, "false")?;
            self.auto_levels.is_on = is_auto;
        }
        let sentence = self.level_sentence();
        if typed.is_some() {
            return Ok(sentence);
        }
        let levels: Vec<String> = (1..)
            .zip(StrengthLevel::STRENGTH_LEVEL_NAMES)
            .map(|(number, name)| format!("{number} {name}"))
            .collect();
        Ok(format!(
            "{sentence} Weakest first: {}; 11 {AUTO_LEVEL_WORD} adapts to your results.",
            levels.join(", ")
        ))
    }

    /// Returns a sentence about the engine's level.
    pub fn level_sentence(&self) -> String {
        if self.auto_levels.is_on {
            let level = self.auto_levels.of_game(self.session().game_constants().game);
            return format!("Level: auto, now {level}.");
        }
        let level = EngineOptions::new(&self.engine.options).level.name();
        format!("The engine plays at the level '{level}'.")
    }

    /// Sets who plays, by a word for [`parse_players`]. Returns a sentence about who plays.
    ///
    /// # Errors
    /// If the word is invalid.
    pub fn set_players(&mut self, word: Option<&str>) -> Result<String, PlayerChoiceError> {
        if let Some(word) = word {
            self.players = parse_players("side", word, self.session())?;
        }
        let mut parts = Vec::new();
        for (name, player) in self.session().game_constants().players.iter().zip(&self.players) {
            let who = match player {
                PlayerKind::Person => "you",
                PlayerKind::Engine => "the engine",
            };
            parts.push(format!("{name}: {who}"));
        }
        Ok(format!("{}.", parts.join(", ")))
    }

    /// Starts another game. Without a word it has the same rules, and begins in the same way. With
    /// the [word](match_typed_word) of a game it is of this kind, and begins as usual. Returns a
    /// sentence about the [start](LocalGame::begin_game).
    ///
    /// # Errors
    /// If there is no such game.
    pub fn start_new_game(
        &mut self,
        typed: Option<&str>,
    ) -> Result<Option<String>, LocalGameError> {
        if let Some(typed) = typed {
            let word = match_typed_word(all_game_words(), typed)?;
            for (name, value) in std::mem::take(&mut self.options_before_handicap) {
                self.engine.set_option(name, &value)?;
            }
            self.engine.set_option(GAME_OPTION.name, word)?;
            self.fit_players_to_game();
            self.start = GameStart::Usual;
            self.tally = Tally::default();
        }
        self.engine.clear_for_new_game();
        let sentence = self.begin_game()?;
        if self.session().game_status().may.flag.is_empty() {
            // The rules have no loss on time.
            self.clocks = None;
        }
        Ok(sentence)
    }

    /// Fits the players and the clocks to a game with another number of players: the engine plays
    /// the additional players, and the clocks are dropped.
    fn fit_players_to_game(&mut self) {
        let players = self.session().game_constants().players.len();
        if players != self.players.len() {
            self.clocks = None;
        }
        self.players.resize(players, PlayerKind::Engine);
    }

    /// Returns the settings of this session, with which the game can be continued.
    pub fn stored_settings(&self) -> StoredSettings {
        let mut people = Vec::new();
        for (name, player) in self.session().game_constants().players.iter().zip(&self.players) {
            if *player == PlayerKind::Person {
                people.push(*name);
            }
        }
        let options = &self.engine.options;
        let has_level = options.is_set(&LEVEL_OPTION) && !self.auto_levels.is_on;
        let level = has_level.then(|| options.value(&LEVEL_OPTION).to_string());
        let auto = self.auto_levels.of_game(self.session().game_constants().game);
        StoredSettings {
            auto: self.auto_levels.is_on.then_some(auto),
            side: if people.is_empty() { "none".into() } else { people.join(",") },
            level,
            clocks: self.clocks.as_ref().map(Clocks::stored_text),
            has_swapped: (self.start == GameStart::Swap).then_some(self.has_swapped),
        }
    }

    /// Returns the time left of each player in words.
    ///
    /// # Errors
    /// If the game has no clocks.
    pub fn clocks_text(&self) -> Result<String, LocalGameError> {
        let clocks = self.clocks.as_ref().ok_or(LocalGameError::NoClocks)?;
        let mut parts = Vec::new();
        for (player, name) in self.session().game_constants().players.iter().enumerate() {
            parts.push(format!("{name} {}", clocks.remaining_time_text(player)));
        }
        Ok(format!("The time left: {}.", parts.join(", ")))
    }

    /// Resigns for the side of the people. If people play both sides or no side, the side to move
    /// resigns.
    ///
    /// # Errors
    /// If the game is over, or the rules have no resignation.
    pub fn resign(&mut self) -> Result<(), EngineError> {
        let session = self.session();
        let mut sides = Vec::new();
        for (name, player) in session.game_constants().players.iter().zip(&self.players) {
            if *player == PlayerKind::Person {
                sides.extend(session.parse_side(name));
            }
        }
        let side = match sides[..] {
            [first, ..] if sides.iter().all(|&side| side == first) => first,
            _ => session.game_state().side,
        };
        self.engine.session.end_game_by_players(EndByPlayers::Resignation(side))
    }

    /// Offers the engine a draw. Between two people, a draw is agreed immediately. Returns a
    /// sentence about the reply.
    ///
    /// # Errors
    /// If the game is over, or the rules have no draw by agreement.
    pub fn offer_draw(&mut self, terminal: &Terminal) -> Result<String, LocalGameError> {
        if !self.session().game_state().allows_draw_agreement {
            return Err(EngineError::from(EndByPlayersError::NoAgreement).into());
        }
        if self.players.contains(&PlayerKind::Engine) {
            let score = self.search_hint(terminal)?.score.unwrap_or_default();
            let engine_score = if self.is_engine_to_move() { score } else { -score };
            if engine_score > 0 {
                return Ok("The engine declines: it hopes for more.".into());
            }
        }
        self.engine.session.end_game_by_players(EndByPlayers::Agreement)?;
        Ok("The draw is agreed.".into())
    }

    /// Returns the notes of the record on the last move, or on the start if there is no move yet.
    /// The notes are the comment and the variations, as lines for people.
    pub fn last_move_annotations(&self) -> Vec<String> {
        /// Maximum length of a line, in characters.
        const MAX_SHOWN_NOTE_CHARS: usize = 400;
        let record = self.engine.annotated_record();
        let (comment, variations) = match record.moves.last() {
            Some(mv) => (&mv.notes().comment, mv.notes().variations.as_slice()),
            None => (&record.comment, [].as_slice()),
        };
        let mut lines = Vec::new();
        if !comment.is_empty() {
            lines.push(format!("Comment: {comment}"));
        }
        for variation in variations {
            let moves: Vec<&str> = variation.iter().map(|mv| mv.text.as_str()).collect();
            lines.push(format!("Instead: {}", moves.join(" ")));
        }
        for line in &mut lines {
            if let Some((end, _)) = line.char_indices().nth(MAX_SHOWN_NOTE_CHARS) {
                line.truncate(end);
                *line += "... ('record' shows all of it)";
            }
            *line = escape_for_terminal(line);
        }
        lines
    }

    /// Loads the game of a record, with its rules. `number` chooses one of several.
    ///
    /// # Errors
    /// If the record is invalid. The game is then unchanged.
    pub fn load_record(&mut self, text: &str, number: Option<usize>) -> Result<(), EngineError> {
        self.engine.load_record(text, number)?;
        self.fit_players_to_game();
        self.reset_undo_and_clocks();
        self.start = GameStart::Usual;
        self.has_swapped = false;
        self.is_counted = self.session().game_state().outcome.is_some();
        Ok(())
    }
}

/// Returns the side whose pieces the board shows at the bottom: the side of the first person.
pub(super) fn viewer_of_players(players: &[PlayerKind]) -> Side {
    let person = players.iter().position(|&player| player == PlayerKind::Person).unwrap_or(0);
    if 2 * person < players.len() { Side::First } else { Side::Second }
}

/// Returns the word that makes people play all players of a game: `both` or `all`.
pub fn word_for_all_players(players: &[&str]) -> &'static str {
    if players.len() == 2 { "both" } else { "all" }
}

/// The word that makes a person play a player who is chosen at random.
pub const RANDOM_SIDE_WORD: &str = "random";

/// Parses which players people play. `words` is a list of players or teams with commas, the [word
/// for all](word_for_all_players), `none`, or [`RANDOM_SIDE_WORD`]. `setting` names the command or
/// flag in errors.
///
/// # Errors
/// If a word has no meaning here, or if a list has a word that is possible only alone.
pub fn parse_players(
    setting: &'static str,
    words: &str,
    session: &dyn Session,
) -> Result<Vec<PlayerKind>, PlayerChoiceError> {
    let GameConstants { players: names, sides, .. } = session.game_constants();
    let teams = session.game_status().teams;
    let team_names = if teams.is_empty() { &[] } else { &sides[..] };
    let choices =
        [names, &[word_for_all_players(names), "none", RANDOM_SIDE_WORD], team_names].concat();
    let all = names.len();
    let none = all + 1;
    let random = all + 2;
    let mut players = vec![PlayerKind::Engine; names.len()];
    for word in words.split(',').map(str::trim) {
        match choices.iter().position(|name| name.eq_ignore_ascii_case(word)) {
            Some(player) if player < all => players[player] = PlayerKind::Person,
            Some(choice) if choice == all && !words.contains(',') => {
                players.fill(PlayerKind::Person)
            }
            Some(choice) if choice == none && !words.contains(',') => {
                players.fill(PlayerKind::Engine)
            }
            Some(choice) if choice == random && !words.contains(',') => {
                players[fastrand::usize(..names.len())] = PlayerKind::Person;
            }
            Some(choice) if choice > random => {
                let team = &teams[choice - random - 1];
                for (player, name) in players.iter_mut().zip(names) {
                    if team.contains(name) {
                        *player = PlayerKind::Person;
                    }
                }
            }
            found => {
                return Err(PlayerChoiceError {
                    setting,
                    is_list: names.len() > 2,
                    word: word.into(),
                    is_choice: found.is_some(),
                    nearest: nearest_known_word(word, choices.iter().copied()),
                    choices,
                });
            }
        }
    }
    Ok(players)
}
