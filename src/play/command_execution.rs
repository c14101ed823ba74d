//! Executes the commands of a game at the terminal.

use std::io::ErrorKind;
use std::path::Path;

use crate::io::output::print_to_stderr;
use crate::io::pager;
use crate::io::record_file::read_record_file_text;
use crate::io::whole_files::write_output_file;
use pentarch_core::notation::parsing::SyntaxError;
use pentarch_core::notation::parsing::{
    did_you_mean_hint, escape_for_terminal, quote_for_message, wrap_text_to_width,
};
use pentarch_core::notation::record::MOVE_QUALITY_MARKS;
use pentarch_core::view::rules_text::RulesTextBlock;
use pentarch_core::{MoveError, RuleViolation};
use pentarch_engine::games::RulesId;
use pentarch_engine::input_word::InputWord;
use pentarch_engine::record::RecordAnnotation;
use pentarch_engine::rules_info::rules_text;
use pentarch_system::WithErrorLocation;

use super::commands::{self, Command};
use super::error::{CommandError, UnusableGameFileError};
use super::exercise::TerminalIo;
use super::local_game::LocalGameError;
use super::promised_win::PromisedWin;
use super::replaceable_files::replace_and_keep_permissions;
use super::review::ReviewedGame;
use super::setup::print_engine_warning;
use super::{
    TerminalGame, is_single_record, position_counts, practice, review, rules_text_for_people,
    text_formatting,
};

/// The last rejected move, which `why` explains.
pub(super) struct LastRejectedMove {
    text: String,
    violation: RuleViolation,
}

impl TerminalGame<'_> {
    /// Executes a command other than `quit`.
    ///
    /// # Errors
    /// If the command is rejected. The game is then unchanged.
    pub(super) fn execute_command(&mut self, command: Command) -> Result<(), CommandError> {
        if let Command::Review | Command::Practise = &command
            && let Some(clocks) = &mut self.game.clocks
        {
            // No clock runs during a review.
            clocks.run_only_clock_of_player(None);
        }
        match command {
            Command::Move(text) => self.play_move(&text),
            Command::Help => {
                self.print_in_pager(
                    &self.terminal.screen().wrap(&commands::help_of_all_commands()),
                );
            }
            Command::Board => self.show_board(),
            Command::Moves(point) => self.show_legal_moves(point.as_deref())?,
            Command::Hint => {
                let mut result = self.game.search_hint(self.terminal)?;
                let session = self.game.session();
                if let Some(promised) = &self.promised_win {
                    promised.add_to_hint(&mut result, session);
                }
                self.promised_win =
                    PromisedWin::from_hint(&result, session).or(self.promised_win.take());
                self.print_wrapped(&text_formatting::hint_text(&result, session));
            }
            Command::Known => {
                let is_interrupted = || self.terminal.is_interrupted();
                let text = self.game.engine.known_values(&is_interrupted).text();
                self.terminal.take_interrupt();
                self.print_in_pager(&self.terminal.screen().wrap(text.trim_end()));
            }
            Command::Why => self.print_wrapped(&self.explain_rejected_move()?),
            Command::Count(mv) => {
                self.print_wrapped(&position_counts::counts_text(
                    self.game.session(),
                    mv.as_deref(),
                )?);
            }
            Command::Eval => {
                self.print_wrapped(&text_formatting::static_evaluation_text(self.game.session()));
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
                let unjudged = review::full_strength_engine_sides(&self.game);
                let report = reviewed.review_report_text(&unjudged);
                let report = self.terminal.screen().wrap(&report);
                self.print_in_pager(&report);
                self.reviewed = Some(reviewed);
            }
            Command::Practise => self.practise_turning_points()?,
            Command::Retry(number) => {
                let reviewed = self.reviewed.as_ref().ok_or(CommandError::NotReviewed)?;
                let point = reviewed.find_turning_point(number.as_deref(), &self.game.players)?;
                self.game.set_up_game(reviewed.start.as_deref(), reviewed.moves_before(point))?;
                self.begin_game_in_store();
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
                let width = self.terminal.screen().wrap_width();
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
                self.promised_win = None;
                game.notes.iter().for_each(|note| print_to_stderr(&note.to_string()));
                print_engine_warning(&mut self.game.engine);
                if is_single_record(path) {
                    self.replaceable_files.add(path);
                }
                self.reviewed = None;
                self.begin_game_in_store();
                self.show_board();
            }
            Command::Clock => self.print_wrapped(&self.game.clocks_text()?),
            Command::New(word) => {
                let sentence = self.game.start_new_game(word.as_deref())?;
                self.begin_game_in_store();
                self.is_paused = false;
                self.reviewed = None;
                self.promised_win = None;
                sentence.into_iter().for_each(|sentence| self.print_wrapped(&sentence));
                self.show_board();
            }
            Command::Swap => {
                if !self.game.can_swap_sides() {
                    return Err(LocalGameError::NoSwap.into());
                }
                self.game.swap_sides();
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
    fn show_legal_moves(&self, point: Option<&str>) -> Result<(), CommandError> {
        let moves = text_formatting::list_moves_by_kind(self.game.session(), point)?;
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
        let result = practice::run_turning_point_exercise(&reviewed, &mut self.game, &mut io);
        self.reviewed = Some(reviewed);
        Ok(result?)
    }

    /// Returns the reason why the last rejected move is illegal, with the sentences of the rule.
    fn explain_rejected_move(&self) -> Result<String, CommandError> {
        let LastRejectedMove { text, violation } =
            self.rejected_move.as_ref().ok_or(CommandError::NothingRejected)?;
        let reason = text_formatting::illegal_move_text(text, violation, true);
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
        let written = match is_person && self.replaceable_files.may_replace(path) {
            true => replace_and_keep_permissions(path, record.as_bytes()),
            false => write_output_file(path, record.as_bytes()),
        };
        match written {
            Err(error) if is_person && error.kind() == ErrorKind::AlreadyExists => {
                return Err(CommandError::FileExists { file: file.into() });
            }
            written => written.with_file_path(path)?,
        }
        self.replaceable_files.add(path);
        self.print_wrapped(&format!(
            "The game is saved in {}; 'load' with this name continues it.",
            quote_for_message(file)
        ));
        Ok(())
    }

    fn play_move(&mut self, text: &str) {
        match self.game.play_typed_move(text) {
            Ok(()) => {
                self.is_paused = false;
                self.show_board();
            }
            Err(MoveError::Illegal(violation)) => {
                let is_person = self.terminal.is_interactive();
                self.print_wrapped(&text_formatting::illegal_move_text(
                    text, &violation, is_person,
                ));
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
            return format!(
                "There is no command {}{hint}. 'help' lists them.",
                quote_for_message(word)
            );
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
            quote_for_message(word)
        )
    }

    /// Prints the record's notes on the last move.
    fn print_annotations(&self) {
        for line in self.game.last_move_annotations() {
            self.print_wrapped(&line);
        }
    }
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
