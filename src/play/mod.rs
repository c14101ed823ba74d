//! A game at the terminal, between people and the engine.
//!
//! | module | contents |
//! |---|---|
//! | [`board`] | the board with the last move marked |
//! | [`clock`] | the clocks of the players |
//! | [`commands`] | the commands |
//! | [`counts`] | the numbers that players of a game count, as a table |
//! | [`drills`] | won and drawn positions to play to the end |
//! | [`error`] | the errors of a session, and of a line of input |
//! | [`exercise`] | the loop that problems, turning points and drills share |
//! | [`lesson`] | the lesson of a game |
//! | [`local_game`] | the current game, who plays which side, undo and redo |
//! | [`own_files`] | the files that a session may replace |
//! | [`practice`] | the turning points of a game as an exercise |
//! | [`problems`] | problems to solve |
//! | [`resume`] | the stored games: their list, and the offer to continue one |
//! | [`review`] | the turning points of a game, and another try from there |
//! | [`setup`] | the questions before the game: game, rules, side and level |
//! | [`stored_games`] | each game as a file, so that it survives the end of the program |
//! | [`terminal`] | input with editing, history and completion; Ctrl-C |
//! | [`view`] | the moves in groups, evaluations in words |
//!
//! Like any front end, this module accesses a game only through the
//! [`Engine`](pentarch_engine::engine_state::Engine).

pub mod board;
pub mod clock;
pub mod commands;
pub mod counts;
pub mod drills;
pub mod error;
pub mod exercise;
pub mod lesson;
pub mod local_game;
pub mod own_files;
pub mod practice;
pub mod problems;
pub mod resume;
pub mod review;
pub mod setup;
pub mod stored_games;
pub mod terminal;
pub mod view;

use std::collections::BTreeSet;
use std::io::ErrorKind;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::io::output::{Output, print_to_stderr};
use crate::io::pager;
use crate::io::record_file::read_record_file_text;
use crate::io::whole_files::write_output_file;
use pentarch_core::notation::record::{GameRecord, MOVE_QUALITY_MARKS};
use pentarch_core::notation::text::SyntaxError;
use pentarch_core::notation::text::{
    capitalise, did_you_mean_hint, escape_for_terminal, quote_word, wrap_text_to_width,
};
use pentarch_core::view::rules_text::RulesTextBlock;
use pentarch_core::{MoveError, Options, RuleViolation};
use pentarch_engine::error::EngineError;
use pentarch_engine::game_rules::{printed_rules_text, rules_summary, rules_text};
use pentarch_engine::games::RulesId;
use pentarch_engine::input_word::InputWord;
use pentarch_engine::record::RecordAnnotation;
use pentarch_system::WithErrorLocation;

use commands::Command;
use error::{CommandError, PlayError, UnusableGameFileError};
use exercise::TerminalIo;
use local_game::{LocalGame, LocalGameError, PlayerKind, SearchSummary};
use own_files::{OwnFiles, replace_and_keep_permissions};
use review::ReviewedGame;
use setup::{GameSetup, print_engine_warning};
use stored_games::{GameStore, is_state_used};
use terminal::{ReadLineResult, Screen, Terminal, TerminalError};

/// The loop of a game at the terminal.
struct TerminalGame<'a> {
    game: LocalGame,
    terminal: &'a mut Terminal,
    out: &'a Output,
    /// Whether the engine waits although it is to move, because Ctrl-C has stopped a search.
    is_paused: bool,
    /// The minimum time per move when a person watches two engines.
    pace: Duration,
    /// Whether long output may go through a pager.
    has_pager: bool,
    rejected_move: Option<LastRejectedMove>,
    /// The last review of the current game.
    reviewed: Option<ReviewedGame>,
    /// The stored games, and the file of the current one.
    store: GameStore,
    /// Whether the program has said that the game is not stored.
    has_reported_store_fault: bool,
    /// The files that this session has saved or loaded. On a terminal, `save` may replace them.
    own_files: OwnFiles,
}

/// The last rejected move, which `why` explains.
struct LastRejectedMove {
    text: String,
    violation: RuleViolation,
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
    let width = screen.text_width();
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
    let mut store = GameStore::open(is_state_used(setup.no_state));
    let Some(game) = setup.start_game(options, &mut store, &mut terminal, out)? else {
        return Ok(());
    };
    let mut own_files = OwnFiles::default();
    if let Some(file) = setup.load.as_deref().filter(|file| is_single_record(file)) {
        own_files.add(file);
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
        store,
        has_reported_store_fault: false,
        own_files,
    };
    terminal_game.print_wrapped("Type a move, or 'help' for a list of commands.");
    terminal_game.show_board();
    terminal_game.run()?;
    terminal_game.store_game_at_end();
    Ok(())
}

impl TerminalGame<'_> {
    fn run(&mut self) -> Result<(), TerminalError> {
        loop {
            if self.out.is_closed() {
                return Ok(());
            }
            self.has_player_lost_on_time();
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

    /// Runs the clock of the player to move, unless the engine is paused. Returns whether this
    /// player has lost on time.
    fn has_player_lost_on_time(&mut self) -> bool {
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
    }

    /// Returns the board with the text below it. `targets` are the sites to mark. On a terminal,
    /// `has_help` adds the next commands.
    fn board_text(&self, screen: Screen, targets: &BTreeSet<String>, has_help: bool) -> String {
        let session = self.game.session();
        let is_over = session.game_state().outcome.is_some();
        let help = if has_help && !is_over { " 'help' lists the commands." } else { "" };
        let turn = format!("{}.{help}", session.game_state_in_words().sentence);
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
        if !self.store.is_used() {
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
    fn store_game_at_end(&mut self) {
        if let Some(clocks) = &mut self.game.clocks {
            clocks.run_only_clock_of_player(None);
        }
        self.has_reported_store_fault = false;
        if self.store_game() && self.game.session().game_state().outcome.is_none() {
            self.print_wrapped("The game is stored: 'pentarch play --resume' continues it.");
        }
    }

    /// Begins another game in the store, whose file the current state does not need yet.
    fn begin_stored_game(&mut self) {
        let settings = self.game.stored_settings();
        self.store.begin_game(&settings, &self.game.engine.record_text());
    }

    /// Prints the record's notes on the last move.
    fn print_annotations(&self) {
        for line in self.game.last_move_annotations() {
            self.print_wrapped(&line);
        }
    }

    /// Searches and plays the engine's move.
    fn play_engine_move(&mut self) {
        let player = self.game.player_to_move();
        let is_watched = self.terminal.is_interactive()
            && self.game.players.iter().all(|&at| at == PlayerKind::Engine);
        let due = Instant::now() + self.pace;
        let SearchSummary { best, mut is_stopped, faults, .. } =
            match self.game.search_engine_move(self.terminal) {
                Ok(result) => result,
                Err(error) => return self.print_wrapped(&view::error_as_sentence(&error)),
            };
        faults.iter().for_each(|fault| self.out.report_error(fault));
        if self.has_player_lost_on_time() {
            return;
        }
        if let Some(clocks) = &mut self.game.clocks {
            // No clock runs while the pace delays the move.
            clocks.run_only_clock_of_player(None);
        }
        if is_watched && !is_stopped {
            is_stopped = self.terminal.wait_until(due);
        }
        if let Err(error) = self.game.play_typed_move(&best) {
            return self.print_wrapped(&view::error_as_sentence(&error));
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
            Ok(Some(_)) if self.has_player_lost_on_time() => Ok(()),
            Ok(Some(command)) => self.execute_command(command),
            Err(error) => Err(error.into()),
        };
        if let Err(error) = result {
            self.print_wrapped(&view::error_as_sentence(&error));
        }
        ControlFlow::Continue(())
    }

    fn play_move(&mut self, text: &str) {
        match self.game.play_typed_move(text) {
            Ok(()) => {
                self.is_paused = false;
                self.show_board();
            }
            Err(MoveError::Illegal(violation)) => {
                let is_person = self.terminal.is_interactive();
                self.print_wrapped(&view::illegal_move_text(text, &violation, is_person));
                self.rejected_move = Some(LastRejectedMove { text: text.into(), violation });
            }
            Err(MoveError::Syntax(error)) => {
                self.print_wrapped(&self.unknown_word_text(text, &error));
            }
        }
    }

    /// Returns the sentences for a word that is neither a move nor a command.
    fn unknown_word_text(&self, word: &str, error: &SyntaxError) -> String {
        let hint = did_you_mean_hint(word, commands::command_names());
        if !hint.is_empty() {
            return format!("There is no command {}{hint}. 'help' lists them.", quote_word(word));
        }
        if !self.terminal.is_interactive() {
            return format!(
                "Not a move: {error}. 'moves' lists the moves, 'help' lists the commands."
            );
        }
        let example = match self.game.session().legal_move_strings().first() {
            Some(mv) => format!(": a move looks like {mv}"),
            None => String::new(),
        };
        format!(
            "{} is neither a move nor a command{example}. 'moves' lists the moves, 'help' lists \
             the commands.",
            quote_word(word)
        )
    }

    /// Executes a command other than `quit`.
    ///
    /// # Errors
    /// If the command is rejected. The game is then unchanged.
    fn execute_command(&mut self, command: Command) -> Result<(), CommandError> {
        if let Command::Review | Command::Practise = &command
            && let Some(clocks) = &mut self.game.clocks
        {
            // No clock runs during a review.
            clocks.run_only_clock_of_player(None);
        }
        match command {
            Command::Move(text) => self.play_move(&text),
            Command::Help => {
                self.print_in_pager(&self.terminal.screen().wrap(&commands::command_help()));
            }
            Command::Board => self.show_board(),
            Command::Moves(point) => self.show_moves(point.as_deref())?,
            Command::Hint => {
                let result = self.game.search_hint(self.terminal)?;
                self.print_wrapped(&view::hint_text(&result, self.game.session()));
            }
            Command::Known => {
                let is_interrupted = || self.terminal.is_interrupted();
                let text = self.game.engine.known_values(&is_interrupted).text();
                self.terminal.was_interrupted();
                self.print_in_pager(&self.terminal.screen().wrap(text.trim_end()));
            }
            Command::Why => self.print_wrapped(&self.explain_rejected_move()?),
            Command::Count(mv) => {
                self.print_wrapped(&counts::counts_text(self.game.session(), mv.as_deref())?);
            }
            Command::Eval => {
                self.print_wrapped(&view::static_evaluation_text(self.game.session()));
            }
            Command::Undo => self.game.undo().map(|()| self.show_board())?,
            Command::Redo => self.game.redo().map(|()| self.show_board())?,
            Command::Go => {
                if self.game.session().game_state().outcome.is_some() {
                    return Err(LocalGameError::GameOver.into());
                }
                self.is_paused = false;
                if !self.game.is_engine_to_move() {
                    self.play_engine_move();
                }
            }
            Command::Flip => {
                self.game.viewer = !self.game.viewer;
                self.show_board();
            }
            Command::StrengthLevel(level) => {
                let sentence = self.game.set_level(level.as_deref())?;
                self.print_wrapped(&sentence);
            }
            Command::Side(side) => {
                let sentence =
                    self.game.set_players(side.as_deref()).map_err(LocalGameError::from)?;
                self.is_paused = false;
                self.print_wrapped(&sentence);
            }
            Command::Rules(topic) => {
                let text = rules_text_for_people(
                    &self.game.engine.options,
                    self.terminal.screen(),
                    topic.as_deref(),
                )?;
                pager::show_in_pager(&text, self.has_pager, self.out);
            }
            Command::Review => {
                let reviewed = ReviewedGame::review(&mut self.game, self.terminal)?;
                let report = self.terminal.screen().wrap(&reviewed.review_report_text());
                self.print_in_pager(&report);
                self.reviewed = Some(reviewed);
            }
            Command::Practise => self.practise_turning_points()?,
            Command::Retry(number) => {
                let reviewed = self.reviewed.as_ref().ok_or(CommandError::NotReviewed)?;
                let point = reviewed.find_turning_point(number.as_deref(), &self.game.players)?;
                self.game.set_up_game(reviewed.start.as_deref(), reviewed.moves_before(point))?;
                self.begin_stored_game();
                self.is_paused = false;
                self.show_board();
            }
            Command::Annotate => {
                let game_moves = self.game.session().game_moves();
                let reviewed = self
                    .reviewed
                    .as_ref()
                    .filter(|reviewed| reviewed.is_review_of_game(&game_moves));
                self.game
                    .engine
                    .annotate_with_review(&reviewed.ok_or(CommandError::NotReviewed)?.review)?;
                self.print(
                    "The record has the review now: 'record' shows it, 'save FILE' saves it.",
                );
            }
            Command::Comment(text) => {
                self.game
                    .engine
                    .add_annotation(RecordAnnotation::Comment(text.unwrap_or_default()))?;
                self.print_annotations();
            }
            Command::Mark(mark) => {
                let glyph = mark.map(parse_move_mark).transpose()?;
                self.game.engine.add_annotation(RecordAnnotation::Mark(glyph))?;
            }
            Command::Variation(moves) => {
                let moves = moves.split_whitespace().map(InputWord::from_text).collect();
                self.game.engine.add_annotation(RecordAnnotation::Variation(moves))?;
                self.print_annotations();
            }
            Command::Tag(text) => {
                let (name, value) = text.split_once(char::is_whitespace).unwrap_or((&text, ""));
                self.game
                    .engine
                    .add_annotation(RecordAnnotation::Tag(name.into(), value.trim().into()))?;
            }
            Command::Record => {
                let record = escape_for_terminal(&self.game.engine.record_text());
                let width = self.terminal.screen().text_width();
                let lines: Vec<String> =
                    record.lines().map(|line| wrap_text_to_width(line, "", width)).collect();
                self.print_in_pager(&lines.join("\n"));
            }
            Command::Save(file) => self.save_record(&file)?,
            Command::Load(file) => {
                let path = Path::new(&file);
                let game = read_record_file_text(path)
                    .map_err(UnusableGameFileError::from)
                    .with_file_path(path)?;
                let loaded = self.game.load_record(&game.text, game.number);
                loaded.map_err(UnusableGameFileError::from).with_file_path(path)?;
                game.notes.iter().for_each(|note| print_to_stderr(&note.to_string()));
                print_engine_warning(&mut self.game.engine);
                if is_single_record(path) {
                    self.own_files.add(path);
                }
                self.reviewed = None;
                self.begin_stored_game();
                self.show_board();
            }
            Command::Clock => self.print_wrapped(&self.game.clocks_text()?),
            Command::New(word) => {
                self.game.start_new_game(word.as_deref())?;
                self.begin_stored_game();
                self.is_paused = false;
                self.reviewed = None;
                self.show_board();
            }
            Command::Resign => self.game.resign().map(|()| self.show_board())?,
            Command::Draw => {
                let reply = self.game.offer_draw(self.terminal)?;
                self.print_wrapped(&reply);
                if self.game.session().game_state().outcome.is_some() {
                    self.show_board();
                }
            }
            Command::Quit => {}
        }
        Ok(())
    }

    /// Shows the legal moves, or those that name a point. On a terminal with colours, the board
    /// marks the sites that can follow the point in a move.
    ///
    /// # Errors
    /// If there is no such move.
    fn show_moves(&self, point: Option<&str>) -> Result<(), CommandError> {
        let moves = view::list_moves_by_kind(self.game.session(), point)?;
        let screen = self.terminal.screen();
        if let Some(point) = point
            && screen.has_colour
            && let Ok(clicks) = self.game.session().interpret_clicks(&[InputWord::from_text(point)])
            && !clicks.next.is_empty()
        {
            self.print(&self.board_text(screen, &clicks.next.into_iter().collect(), false));
        }
        self.print_in_pager(&screen.wrap(&moves));
        Ok(())
    }

    /// Runs the turning points of the game as an exercise. Reviews the game first if the last
    /// review is of another game.
    fn practise_turning_points(&mut self) -> Result<(), CommandError> {
        let game_moves = self.game.session().game_moves();
        let last_review = self.reviewed.take();
        let reviewed = match last_review.filter(|reviewed| reviewed.is_review_of_game(&game_moves))
        {
            Some(reviewed) => reviewed,
            None => ReviewedGame::review(&mut self.game, self.terminal)?,
        };
        let mut io = TerminalIo { terminal: &mut *self.terminal, out: self.out };
        let result = practice::run_practice(&reviewed, &mut self.game, &mut io);
        self.reviewed = Some(reviewed);
        Ok(result?)
    }

    /// Returns the reason why the last rejected move is illegal, with the sentences of the rule.
    fn explain_rejected_move(&self) -> Result<String, CommandError> {
        let LastRejectedMove { text, violation } =
            self.rejected_move.as_ref().ok_or(CommandError::NothingRejected)?;
        let reason = view::illegal_move_text(text, violation, true);
        let Some(rule) = violation.decisive_rule_id() else { return Ok(reason) };
        let rules = rules_text(RulesId::from_options(&self.game.engine.options))?;
        let mut sentences = String::new();
        for topic in &rules.topics {
            for block in &topic.blocks {
                let RulesTextBlock::Paragraph(paragraph) = block else { continue };
                for sentence in paragraph.iter().filter(|sentence| sentence.id == Some(rule)) {
                    sentences += &format!(" {} ('rules {}')", sentence.text, topic.name);
                }
            }
        }
        Ok(format!("{reason} The rule is {rule}:{sentences}"))
    }

    /// Saves the game in a new file. On a terminal, a file of this session is replaced, unless
    /// somebody has changed the file since.
    fn save_record(&mut self, file: &str) -> Result<(), CommandError> {
        let record = self.game.engine.record_text() + "\n";
        let path = Path::new(file);
        let is_person = self.terminal.is_interactive();
        let written = match is_person && self.own_files.may_replace(path) {
            true => replace_and_keep_permissions(path, record.as_bytes()),
            false => write_output_file(path, record.as_bytes()),
        };
        match written {
            Err(error) if is_person && error.kind() == ErrorKind::AlreadyExists => {
                return Err(CommandError::FileExists { file: file.into() });
            }
            written => written.with_file_path(path)?,
        }
        self.own_files.add(path);
        self.print_wrapped(&format!(
            "The game is saved in {}; 'load' with this name continues it.",
            quote_word(file)
        ));
        Ok(())
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

/// Parses a mark of a move, such as `!?`. Returns its glyph number.
fn parse_move_mark(mark: String) -> Result<u8, CommandError> {
    for (glyph, known) in (1..).zip(MOVE_QUALITY_MARKS) {
        if known == mark {
            return Ok(glyph);
        }
    }
    Err(CommandError::UnknownMark { typed: mark })
}
