//! A game at the terminal, between people and the engine.
//!
//! | module | contents |
//! |---|---|
//! | [`auto_level`] | the level that adapts to the results of the player |
//! | [`board`] | the board with the last move marked |
//! | [`clock`] | the clocks of the players |
//! | `command_execution` | the execution of the commands |
//! | [`commands`] | the commands, and their parsing |
//! | [`position_counts`] | a table of the numbers by which players assess a position |
//! | [`drills`] | won and drawn positions to play to the end |
//! | [`error`] | the errors of a session, and of a line of input |
//! | [`exercise`] | the loop that problems, turning points and drills share |
//! | [`game_start`] | the ways to begin a game: fairly, or with a handicap |
//! | [`promised_win`] | the win that a hint has promised |
//! | [`lesson`] | the lesson of a game |
//! | [`local_game`] | the current game, who plays which side, undo and redo |
//! | [`pace`] | the time that the engine takes for its moves |
//! | [`replaceable_files`] | the files that a session may replace |
//! | [`practice`] | the turning points of a game as an exercise |
//! | [`problems`] | problems to solve |
//! | [`resume`] | the stored games: their list, and the offer to continue one |
//! | [`review`] | the turning points of a game, and another try from there |
//! | [`setup`] | the questions before the game: game, rules, side and level |
//! | [`stored_games`] | each game as a file, so that it survives the end of the program |
//! | [`tally`] | the results of the games of a session |
//! | [`terminal`] | input with editing, history and completion; Ctrl-C |
//! | [`text_formatting`] | the moves in groups, evaluations in words |
//!
//! Like any front end, this module accesses a game only through the
//! [`Engine`](pentarch_engine::engine_state::Engine).

pub mod auto_level;
pub mod board;
pub mod clock;
mod command_execution;
pub mod commands;
pub mod drills;
pub mod error;
pub mod exercise;
pub mod game_start;
pub mod lesson;
pub mod local_game;
pub mod pace;
pub mod position_counts;
pub mod practice;
pub mod problems;
pub mod promised_win;
pub mod replaceable_files;
pub mod resume;
pub mod review;
pub mod setup;
pub mod stored_games;
pub mod tally;
pub mod terminal;
pub mod text_formatting;

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Instant;

use crate::io::output::{Output, print_to_stderr};
use crate::io::pager;
use crate::io::record_file::read_record_file_text;
use pentarch_core::Options;
use pentarch_core::notation::parsing::capitalise;
use pentarch_core::notation::record::GameRecord;
use pentarch_engine::error::EngineError;
use pentarch_engine::games::RulesId;
use pentarch_engine::rules_info::{printed_rules_text, rules_summary};

use command_execution::LastRejectedMove;
use commands::Command;
use error::PlayError;
use local_game::{LocalGame, PlayerKind, SearchSummary};
use pace::Pace;
use promised_win::PromisedWin;
use replaceable_files::ReplaceableFiles;
use review::ReviewedGame;
use setup::GameSetup;
use stored_games::{GameStore, is_user_state_enabled};
use terminal::{ReadLineResult, Screen, Terminal, TerminalError};

/// The loop of a game at the terminal.
struct TerminalGame<'a> {
    game: LocalGame,
    terminal: &'a mut Terminal,
    out: &'a Output,
    /// Whether the engine waits although it is to move, because Ctrl-C has stopped a search.
    is_paused: bool,
    /// The minimum time per move of the engine at a terminal.
    pace: Pace,
    /// Whether long output may go through a pager.
    has_pager: bool,
    rejected_move: Option<LastRejectedMove>,
    /// The last review of the current game.
    reviewed: Option<ReviewedGame>,
    /// The win that the last hints have promised.
    promised_win: Option<PromisedWin>,
    /// The stored games, and the file of the current one.
    store: GameStore,
    /// Whether the program has said that the game is not stored.
    has_reported_store_fault: bool,
    /// The files that this session has saved or loaded. On a terminal, `save` may replace them.
    replaceable_files: ReplaceableFiles,
}

/// Returns all rules of a game or one topic, for people, in the width of the screen. On a terminal,
/// a summary precedes the rules.
///
/// # Errors
/// If there is no such topic.
pub fn rules_text_for_people(
    options: &Options,
    screen: Screen,
    topic: Option<&str>,
) -> Result<String, EngineError> {
    let width = screen.wrap_width();
    let text = printed_rules_text(RulesId::from_options(options), topic, width)?;
    let short = rules_summary(options, width).filter(|_| topic.is_none() && screen.is_terminal);
    Ok(short.map_or(text.clone(), |short| format!("{short}\n\n{text}")))
}

/// Plays games until the player quits or the input ends.
///
/// # Errors
/// If the settings do not fit the game, or the input cannot be read.
pub fn play_games_at_terminal(
    setup: &GameSetup,
    options: Options,
    out: &Output,
) -> Result<(), PlayError> {
    let mut terminal = Terminal::new()?;
    let mut store = GameStore::open(is_user_state_enabled(setup.no_state));
    let Some(game) = setup.start_game(options, &mut store, &mut terminal, out)? else {
        return Ok(());
    };
    let mut replaceable_files = ReplaceableFiles::default();
    if let Some(file) = setup.load.as_deref().filter(|file| is_single_record(file)) {
        replaceable_files.add(file);
    }
    let mut terminal_game = TerminalGame {
        game,
        terminal: &mut terminal,
        out,
        is_paused: false,
        pace: setup.pace,
        has_pager: !setup.no_pager,
        rejected_move: None,
        reviewed: None,
        promised_win: None,
        store,
        has_reported_store_fault: false,
        replaceable_files,
    };
    if terminal_game.game.auto_levels.is_on {
        let sentence = terminal_game.game.level_sentence();
        terminal_game.print_wrapped(&sentence);
    }
    terminal_game.print_wrapped("Type a move, or 'help' for a list of commands.");
    terminal_game.show_board();
    terminal_game.run()?;
    terminal_game.store_game_at_session_end();
    Ok(())
}

impl TerminalGame<'_> {
    fn run(&mut self) -> Result<(), TerminalError> {
        loop {
            if self.out.is_closed() {
                return Ok(());
            }
            self.run_clock_and_report_timeout();
            if let Some(sentences) = self.game.count_ended_game() {
                self.print_wrapped(&sentences);
            }
            self.store_game();
            if self.game.is_engine_to_move() && !self.is_paused {
                self.play_engine_move();
                continue;
            }
            let words = commands::tab_completions(&self.game.session().legal_move_strings());
            let is_over = self.game.session().game_state().outcome.is_some();
            let time = self.game.time_left().map_or_else(String::new, |time| format!(" {time}"));
            let prompt = if is_over {
                "> ".into()
            } else {
                format!("{}{time}> ", self.game.player_to_move())
            };
            let flow = match self.terminal.read_line(&prompt, words)? {
                ReadLineResult::Line(line) => self.handle_input_line(&line),
                ReadLineResult::Interrupted => {
                    self.print("'quit' or Ctrl-D leaves the game.");
                    ControlFlow::Continue(())
                }
                ReadLineResult::End => ControlFlow::Break(()),
            };
            if flow.is_break() {
                return Ok(());
            }
        }
    }

    /// Runs the clock of the player to move, unless the engine is paused. If no time is left, the
    /// game is lost: shows this, and returns `true`.
    fn run_clock_and_report_timeout(&mut self) -> bool {
        let is_paused = self.is_paused && self.game.is_engine_to_move();
        let Some(player) = self.game.run_clock_and_check_time(is_paused) else { return false };
        self.print_wrapped(&format!("{} has no time left.", capitalise(player)));
        self.show_board();
        true
    }

    fn print(&self, text: &str) {
        self.out.write_unchanged(&format!("{text}\n"));
    }

    /// Prints text that may not fit on the screen. On a terminal, uses a pager.
    fn print_in_pager(&self, text: &str) {
        match self.terminal.is_interactive() {
            true => pager::show_in_pager(text, self.has_pager, self.out),
            false => self.print(text),
        }
    }

    /// Prints sentences, wrapped to the width of a terminal.
    fn print_wrapped(&self, text: &str) {
        self.print(&self.terminal.screen().wrap(text));
    }

    /// Shows the board, and the player to move or the result. At the end of the game also shows the
    /// next commands.
    fn show_board(&mut self) {
        self.show_board_with_title(None);
    }

    /// Shows the board below a sentence. The sentence is left out if the screen has no space for
    /// it.
    fn show_board_with_title(&mut self, title: Option<&str>) {
        // Each move that the screen shows is stored.
        self.store_game();
        let screen = self.terminal.screen();
        let mut text = self.board_text(screen, &BTreeSet::new(), false);
        if screen.is_terminal {
            let with_help = self.board_text(screen, &BTreeSet::new(), true);
            // The prompt takes a line.
            if with_help.lines().count() < screen.rows {
                text = with_help;
            }
        }
        // The title and the prompt take a line each.
        let has_space = text.lines().count().saturating_add(2) <= screen.rows;
        if let Some(title) = title
            && has_space
        {
            self.print(title);
        }
        self.print(&text);
        if self.game.can_swap_sides() && !self.game.is_engine_to_move() {
            let other = self.game.session().game_constants().players[0];
            self.print_wrapped(&format!("You may take over {other} instead: 'swap' does this."));
        }
    }

    /// Returns the board with the text below it. `targets` are the sites to mark. On a terminal,
    /// `has_help` adds the next commands.
    fn board_text(&self, screen: Screen, targets: &BTreeSet<String>, has_help: bool) -> String {
        let session = self.game.session();
        let is_over = session.game_state().outcome.is_some();
        let help = if has_help && !is_over { " 'help' lists the commands." } else { "" };
        let turn = format!("{}.{help}", session.game_status().sentence);
        let can_be_reviewed =
            session.game_constants().players.len() == 2 && !session.game_moves().moves.is_empty();
        let mut rest = String::new();
        for line in self.game.last_move_annotations() {
            rest += &format!("\n{line}");
        }
        rest += match is_over {
            false => "",
            true if screen.is_terminal && !has_help => "",
            true if can_be_reviewed && screen.is_terminal => {
                "\n'review' shows the turning points, 'practise' lets you try them again.\n\
                 'new' begins another game, 'undo' goes back, 'save FILE' saves the game."
            }
            true => "\n'new' begins another game, 'undo' goes back, 'save FILE' saves the game.",
        };
        let lines_below = screen.wrap(&format!("{turn}{rest}")).lines().count();
        let board = board::render_board(session, self.game.viewer, screen, lines_below, targets);
        let (board, last) = board.rsplit_once('\n').unwrap_or(("", &board));
        format!("{board}\n{}", screen.wrap(&format!("{last}{turn}{rest}")))
    }

    /// Stores the game if it has changed. Tries again after a failure, but reports only the first
    /// one. Returns whether the game is stored.
    fn store_game(&mut self) -> bool {
        if !self.store.is_enabled() {
            return false;
        }
        let settings = self.game.stored_settings();
        let has_moves = !self.game.session().game_moves().moves.is_empty();
        if !has_moves && !self.store.has_file() {
            self.store.begin_game(&settings, &self.game.engine.record_text());
            return false;
        }
        match self.store.store(&settings, &self.game.engine.record_text()) {
            Ok(is_stored) => {
                self.has_reported_store_fault = false;
                is_stored
            }
            Err(error) => {
                if !std::mem::replace(&mut self.has_reported_store_fault, true) {
                    print_to_stderr(&format!("the game is not stored: {error}"));
                }
                false
            }
        }
    }

    /// Stores the game when the session ends, with the time that the player to move has spent.
    /// Reports a failure again. Says how to continue an unfinished game.
    fn store_game_at_session_end(&mut self) {
        if let Some(clocks) = &mut self.game.clocks {
            clocks.run_only_clock_of_player(None);
        }
        self.has_reported_store_fault = false;
        if self.store_game() && self.game.session().game_state().outcome.is_none() {
            self.print_wrapped("The game is stored: 'pentarch play --resume' continues it.");
        }
    }

    /// Begins another game in the store, whose file the current state does not need yet.
    fn begin_game_in_store(&mut self) {
        let settings = self.game.stored_settings();
        self.store.begin_game(&settings, &self.game.engine.record_text());
    }

    /// Searches and plays the engine's move.
    fn play_engine_move(&mut self) {
        let player = self.game.player_to_move();
        let is_watched = self.terminal.is_interactive();
        let can_swap = self.game.can_swap_sides()
            && self.game.is_engine_to_move()
            && self.game.players.contains(&PlayerKind::Person);
        let due = match is_watched {
            true => Instant::now() + self.pace.move_time(self.game.session().legal_moves().len()),
            false => Instant::now(),
        };
        let SearchSummary { best, score, mut is_stopped, faults, .. } = match self
            .game
            .search_engine_move(self.terminal)
        {
            Ok(result) => result,
            Err(error) => return self.print_wrapped(&text_formatting::error_as_sentence(&error)),
        };
        faults.iter().for_each(|fault| self.out.report_error(fault));
        if self.run_clock_and_report_timeout() {
            return;
        }
        if let Some(clocks) = &mut self.game.clocks {
            // No clock runs while the pace delays the move.
            clocks.run_only_clock_of_player(None);
        }
        if is_watched && !is_stopped {
            is_stopped = self.terminal.wait_until(due);
        }
        if can_swap && score.is_some_and(|score| score < 0) {
            self.game.swap_sides();
            let players = self.game.session().game_constants().players;
            let text = format!("The engine takes over {}: {player} is yours now.", players[0]);
            return self.show_board_with_title(Some(&text));
        }
        if let Err(error) = self.game.play_typed_move(&best) {
            return self.print_wrapped(&text_formatting::error_as_sentence(&error));
        }
        self.show_board_with_title(Some(&format!("{} plays {best}.", capitalise(player))));
        // If the engine plays all sides, only Ctrl-C leads to the prompt.
        self.is_paused =
            is_stopped && self.game.players.iter().all(|&player| player == PlayerKind::Engine);
        if self.is_paused {
            self.print("The engines are paused: 'go' continues.");
        }
    }

    /// Executes a line of input: a command or a move. Returns `Break` at `quit`.
    fn handle_input_line(&mut self, line: &str) -> ControlFlow<()> {
        let result = match commands::parse_command(line) {
            Ok(None) => Ok(()),
            Ok(Some(Command::Quit)) => return ControlFlow::Break(()),
            // If the time has run out in the meantime, the game has ended and the line is dropped.
            Ok(Some(_)) if self.run_clock_and_report_timeout() => Ok(()),
            Ok(Some(command)) => self.execute_command(command),
            Err(error) => Err(error.into()),
        };
        if let Err(error) = result {
            self.print_wrapped(&text_formatting::error_as_sentence(&error));
        }
        ControlFlow::Continue(())
    }
}

/// Returns whether a file has one game and nothing else, so that a newer record of the game may
/// replace it.
fn is_single_record(file: &Path) -> bool {
    read_record_file_text(file).is_ok_and(|game| {
        game.number.is_none()
            && GameRecord::parse(&game.text)
                .is_ok_and(|record| record.tag_values("Game").next().is_some())
    })
}
