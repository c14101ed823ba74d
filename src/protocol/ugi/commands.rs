//! Executes the commands of UGI and UCI: changes the engine, and writes the responses.

use std::path::Path;

use crate::io::host::SystemHost;
use crate::io::output::Output;
use crate::io::record_file::{GameFileText, read_record_file_text};
use crate::io::whole_files::write_output_file;
use pentarch_core::notation::parsing::truncate_word;
use pentarch_core::notation::record::find_line_comment_column;
use pentarch_core::{EndByPlayers, MoveError, Options, Outcome, Side};
use pentarch_diagram::board::ImageOptions;
use pentarch_diagram::stylesheet::ColourScheme;
use pentarch_engine::engine_options::{self as engine_options, EngineOptions};
use pentarch_engine::engine_state::{Engine, GoCommandParameters};
use pentarch_engine::error::EngineError;
use pentarch_engine::games::{RulesId, all_games};
use pentarch_engine::input_word::InputWord;
use pentarch_engine::job::JobKind;
use pentarch_engine::rules_info::rules_text;
use pentarch_engine::rules_page::RulesPage;
use pentarch_engine::session::{GameState, Session};
use pentarch_engine::sgf_reader::is_sgf;
use pentarch_engine::stopper::Stopper;
use pentarch_engine::to_json;
use pentarch_search::strength_levels::StrengthLevel;

use crate::protocol::uci_lines;

use super::command::{Command, QueryPosition, UgiQuery};
use super::command_table;
use super::error::{CommandError, CommandFault};
use super::job_event_writer::{JobEventWriter, RunnableJob};
use super::session_permissions::SessionPermissions;

/// Executes commands, one at a time.
pub struct Ugi {
    out: Output,
    engine: Engine,
    access: SessionPermissions,
    /// Whether the front end has announced a new game. In this case, if the engine plays at full
    /// strength, the next `isready` waits for the tablebases of the game.
    has_new_game: bool,
    /// The options before the first command. `ugi` lists these options as defaults.
    initial: Options,
}

impl Ugi {
    /// Creates a session with these options. `access` limits what its commands may use. The current
    /// game is in its start position.
    pub fn new(out: Output, options: Options, access: SessionPermissions) -> Ugi {
        Ugi {
            out,
            initial: options.clone(),
            engine: Engine::new(options, SystemHost::shared_host()),
            access,
            has_new_game: false,
        }
    }

    /// Creates a session with this current game, for tests.
    #[cfg(test)]
    pub fn from_session(out: Output, session: Box<dyn Session>) -> Ugi {
        let mut ugi = Ugi::new(out, Options::default(), SessionPermissions::Full);
        ugi.engine.session = session;
        ugi
    }

    /// Stores the score of the last search. `None` is the result of a job that is not a search, and
    /// changes nothing.
    pub fn set_last_score(&mut self, score: Option<i32>) {
        self.engine.last_score = score.or(self.engine.last_score);
    }

    /// Executes a command and writes its response. If the command takes long, returns the command
    /// as a job. The job writes the response when it runs. The stopper can end a `load` and a
    /// `query known`.
    ///
    /// # Errors
    /// If the command is rejected. In that case the state is unchanged.
    pub fn execute(
        &mut self,
        command: Command,
        stopper: &Stopper,
    ) -> Result<Option<RunnableJob>, CommandError> {
        self.access.check_command(&command, || self.engine.session.game_state().moves)?;
        match command {
            Command::Ugi => {
                self.write_identification(pentarch_engine::games::GAME_OPTION.name, "ugiok")
            }
            Command::Uci => {
                self.write_identification(engine_options::UCI_VARIANT_OPTION_NAME, "uciok")
            }
            Command::IsReady => return Ok(self.prepare_for_isready()),
            Command::NewGame => {
                self.engine.clear_for_new_game();
                self.has_new_game = true;
            }
            Command::SetOption { name, value } => self.set_option(&name, &value)?,
            Command::Position { fen, moves } => self.engine.set_position(fen.as_deref(), &moves)?,
            Command::Go(go) => return self.prepare_go_job(&go),
            Command::Perft { depth, divide } => {
                return Ok(Some(self.prepare_perft_job(depth, divide)));
            }
            Command::Bench(depth) => {
                let bench = JobKind::Bench { depth, clock: SystemHost::shared_host().host_clock() };
                return Ok(Some(self.job_with_writer(bench)));
            }
            Command::Query(query) => self.answer_query(&query, stopper)?,
            Command::Legal(None) => {
                let moves = self.engine.session.legal_move_strings();
                self.out.write_lines(&format!("legal {}: {}", moves.len(), moves.join(" ")));
            }
            Command::Legal(Some(word)) => self.write_move_legality(&word)?,
            Command::Play(moves) => self.engine.session.play_moves(&moves)?,
            Command::Undo(count) => self.engine.session.undo_moves(count)?,
            Command::Resign(side) => self.end_game_by_players(EndByPlayers::Resignation, side)?,
            Command::Flag(side) => self.end_game_by_players(EndByPlayers::Time, side)?,
            Command::Agree => self.engine.session.end_game_by_players(EndByPlayers::Agreement)?,
            Command::Diagram => self.out.write_lines(&self.engine.session.position_report_text()),
            Command::DrawOffer => self.answer_draw_offer(),
            Command::Eval => self.out.write_lines(&self.engine.session.evaluation_table_text()),
            Command::Record(None) => self.out.write_lines(&self.engine.record_text()),
            Command::Record(Some(file)) => self.write_record(file)?,
            Command::Load(file) => self.load_record_file(file, stopper)?,
            Command::LoadText(record) => self.load_one_line_record(&record, stopper)?,
            Command::Games => self.out.write_lines(&format_games_table()),
            Command::Help(None) => self.out.write_lines(&command_table::help_overview()),
            Command::Help(Some(word)) => {
                let text = command_table::command_help(&word.text).ok_or_else(|| {
                    CommandError::unknown_command(&word.text).at_column(word.column)
                })?;
                self.out.write_lines(&text);
            }
            Command::Ignored => {}
            // The event loop handles these commands when it reads them.
            Command::Stop | Command::PonderHit | Command::Quit => {}
        }
        Ok(None)
    }

    /// Allocates the transposition table, and responds to `isready`. As in UCI, `isready` after the
    /// command for a new game waits for the preparations of the engine. The returned job makes
    /// these preparations.
    fn prepare_for_isready(&mut self) -> Option<RunnableJob> {
        self.engine.transposition_table();
        self.write_warning();
        if self.has_new_game
            && EngineOptions::new(&self.engine.options).level == StrengthLevel::Champion
        {
            self.has_new_game = false;
            let tables = JobKind::Tables(self.engine.session.prepare_tablebase_build_job());
            return Some(self.job_with_writer(tables));
        }
        self.out.write_lines("readyok");
        None
    }

    fn set_option(&mut self, name: &InputWord, value: &str) -> Result<(), CommandError> {
        self.check_option_setting(&name.text, value)
            .map_err(|error| error.at_column(name.column))?;
        Ok(self.engine.set_option(&name.text, value).map_err(|error| error.at_word(name))?)
    }

    /// Returns the search as a job. If the game is over, writes the response instead and returns no
    /// job.
    fn prepare_go_job(
        &mut self,
        go: &GoCommandParameters,
    ) -> Result<Option<RunnableJob>, CommandError> {
        let Some(search) = self.engine.prepare_search(go)? else {
            if let Some(score) = score_of_decided_position(&self.engine.session.game_state()) {
                self.out.write_lines(&format!("info depth 0 score {score}"));
            }
            self.out.write_lines("bestmove (none)");
            return Ok(None);
        };
        self.write_warning();
        let mut job = self.job_with_writer(JobKind::Search(search));
        job.writer.ponder = EngineOptions::new(&self.engine.options).ponder;
        Ok(Some(job))
    }

    fn prepare_perft_job(&self, depth: u32, divide: bool) -> RunnableJob {
        let mut job =
            self.job_with_writer(JobKind::Perft(self.engine.session.prepare_perft_job(depth)));
        job.writer = job.writer.with_progress(format!("perft {depth}"));
        job.writer.divide = divide;
        job
    }

    /// Writes whether a move is legal. If the move is illegal, also writes the rule that forbids
    /// the move.
    fn write_move_legality(&self, word: &InputWord) -> Result<(), EngineError> {
        match self.engine.session.resolve_move(&word.text) {
            Ok(found) => self.out.write_lines(&format!("legal {}", found.text)),
            Err(MoveError::Illegal(why)) => {
                self.out.write_lines(&format!("illegal {}: {why}", truncate_word(&word.text)));
            }
            Err(MoveError::Syntax(error)) => {
                return Err(EngineError::syntax_error_in_word(word, error));
            }
        }
        Ok(())
    }

    fn answer_draw_offer(&self) {
        let game_state = self.engine.session.game_state();
        let may_agree = game_state.allows_draw_agreement && game_state.outcome.is_none();
        let accepts = may_agree && self.engine.last_score.is_some_and(|score| score <= 0);
        self.out.write_lines(if accepts { "response accept" } else { "response decline" });
    }

    fn write_record(&self, file: String) -> Result<(), CommandFault> {
        let text = self.engine.record_text() + "\n";
        write_output_file(Path::new(&file), text.as_bytes())
            .map_err(|error| CommandFault::Write { file, error })
    }

    /// Loads a record that is written in one line. A comment up to the end of the line would
    /// contain the rest of the record, so such a comment is rejected.
    fn load_one_line_record(
        &mut self,
        record: &str,
        stopper: &Stopper,
    ) -> Result<(), CommandError> {
        if let Some(column) = find_line_comment_column(record).filter(|_| !is_sgf(record)) {
            return Err(CommandError::from(CommandFault::LineComment).at_column(column));
        }
        Ok(self.load_record(record, None, stopper)?)
    }

    fn load_record_file(&mut self, file: String, stopper: &Stopper) -> Result<(), CommandFault> {
        let game = read_record_file_text(Path::new(&file));
        let GameFileText { text, number, notes } =
            game.map_err(|error| CommandFault::Read { file: file.clone(), error })?;
        self.load_record(&text, number, stopper)
            .map_err(|error| CommandFault::Load { file, error })?;
        for note in notes {
            self.out.write_lines(&format!("info string warning: {note}"));
        }
        Ok(())
    }

    /// Loads a record, and writes its warning if there is one.
    fn load_record(
        &mut self,
        text: &str,
        number: Option<usize>,
        stopper: &Stopper,
    ) -> Result<(), EngineError> {
        self.engine.load_record_unless_stopped(text, number, &|| stopper.is_stopped())?;
        if let Some(warning) = self.engine.warning.take() {
            self.out.write_lines(&format!("info string warning: {warning}"));
        }
        Ok(())
    }

    /// Returns a job, together with a writer that prints its events to the output of the session.
    fn job_with_writer(&self, kind: JobKind) -> RunnableJob {
        RunnableJob { job: kind.into(), writer: JobEventWriter::new(self.out.clone()) }
    }

    /// Ends the game for the side with this name, or for the side to move if there is no name.
    fn end_game_by_players(
        &mut self,
        end: fn(Side) -> EndByPlayers,
        name: Option<InputWord>,
    ) -> Result<(), EngineError> {
        let side = match name {
            None => self.engine.session.game_state().side,
            Some(word) => {
                let named = self.engine.session.parse_side(&word.text);
                named.map_err(|error| error.at_word(&word))?
            }
        };
        self.engine.session.end_game_by_players(end(side))
    }

    fn write_warning(&mut self) {
        if let Some(warning) = self.engine.warning.take() {
            self.out.report_error(&warning);
        }
    }

    fn check_option_setting(&self, name: &str, value: &str) -> Result<(), CommandError> {
        let spec = engine_options::find_option(name)?;
        let permitted = self.access.permitted_option_range(spec, &self.initial)?;
        Ok(permitted.parse_value(value).map(drop)?)
    }

    fn write_identification(&self, game: &str, end: &str) {
        let specs = engine_options::all_options()
            .filter_map(|spec| self.access.permitted_option_range(spec, &self.initial).ok());
        self.out.write_lines(&format!(
            "id name pentarch {}\nid author {}\n{}\n{end}",
            env!("CARGO_PKG_VERSION"),
            env!("CARGO_PKG_AUTHORS"),
            uci_lines::option_lines(specs, game, &self.initial)
        ));
    }

    /// Returns the game that a query is about: a copy of the current game with the query's moves,
    /// or a new game if the query names a first position.
    fn game_copy_at_position(
        &self,
        QueryPosition { start, moves }: &QueryPosition,
    ) -> Result<Box<dyn Session>, EngineError> {
        let mut game = self.engine.session.copy_session();
        match start {
            Some(fen) => game.set_position(fen.as_deref(), moves)?,
            None => game.play_moves(moves)?,
        }
        Ok(game)
    }

    /// Answers a query. The stopper can end the wait for tablebases.
    ///
    /// # Errors
    /// If the query names a topic, site, position or move that does not exist.
    fn answer_query(&self, query: &UgiQuery, stopper: &Stopper) -> Result<(), EngineError> {
        let session = &self.engine.session;
        let game_state = session.game_state();
        let response = match query {
            UgiQuery::GameOver => game_state.outcome.is_some().to_string(),
            UgiQuery::P1Turn => (game_state.mover_index == 0).to_string(),
            UgiQuery::P2Turn => (game_state.mover_index == 1).to_string(),
            UgiQuery::Turn => session.game_status().turn.unwrap_or("none").into(),
            UgiQuery::Protocol => format!("pentarch {UGI_PROTOCOL_NUMBER}"),
            UgiQuery::Result => match game_state.outcome {
                None => "none".into(),
                Some(Outcome::Draw(_)) => "draw".into(),
                Some(Outcome::Win(..)) => {
                    format!("p{}win", game_state.winner_index.unwrap_or(0) + 1)
                }
            },
            UgiQuery::Outcome => session.game_status().outcome,
            UgiQuery::Game => session.game_constants().game.into(),
            UgiQuery::Fen => session.position_fen(),
            UgiQuery::Moves => {
                let moves = session.legal_move_strings();
                if moves.is_empty() { "none".into() } else { moves.join(" ") }
            }
            UgiQuery::IsLegal(word) => session.resolve_move(&word.text).is_ok().to_string(),
            UgiQuery::Rules(topic) => {
                let text = rules_text(RulesId::from_options(&self.engine.options))?;
                let page = RulesPage::new(&text, topic.as_ref().map(|word| word.text.as_str()));
                to_json(&page.map_err(EngineError::from).map_err(|error| match topic {
                    Some(word) => error.at_word(word),
                    None => error,
                })?)
            }
            UgiQuery::Known => to_json(&self.engine.known_values(&|| stopper.is_stopped())),
            UgiQuery::Board => to_json(&session.board_data(&self.engine.options)),
            UgiQuery::Scene(position) => {
                to_json(&self.game_copy_at_position(position)?.position_scene())
            }
            UgiQuery::Diagram { flipped, position } => {
                let view = ImageOptions { flipped: *flipped, colours: ColourScheme::Auto };
                to_json(&self.game_copy_at_position(position)?.svg_image(&[], view)?)
            }
            UgiQuery::Clicks(sites) => to_json(&session.interpret_clicks(sites)?),
            UgiQuery::Details(mv) => to_json(&session.move_effect(mv)?),
            UgiQuery::Counts(mv) => to_json(&session.position_counts(mv.as_ref())?),
        };
        self.out.write_lines(&format!("response {response}"));
        Ok(())
    }
}

/// The number of the protocol, from 1. Changes that can break a front end increase it.
const UGI_PROTOCOL_NUMBER: u32 = 1;

/// Returns the score of a decided position for the side to move. A front end then shows this score
/// instead of an older score. Returns `None` if the side to move has won, because UCI has no score
/// for that.
fn score_of_decided_position(game_state: &GameState) -> Option<&'static str> {
    match game_state.outcome? {
        Outcome::Draw(_) => Some("cp 0"),
        Outcome::Win(..) => {
            (game_state.winner_index != Some(game_state.mover_index)).then_some("mate 0")
        }
    }
}

/// Returns the table of games for people.
fn format_games_table() -> String {
    let rows: Vec<[String; 4]> = all_games()
        .iter()
        .map(|entry| {
            [entry.word.into(), entry.name.into(), entry.sides.join(", "), entry.summary.into()]
        })
        .collect();
    // Columns are separated by at least two spaces, because names contain single spaces.
    let width = |column: usize, least: usize| {
        rows.iter().map(|row| row[column].len() + 1).fold(least, usize::max)
    };
    let word_width = width(0, 10);
    let name_width = width(1, 24);
    let sides_width = width(2, 14);
    let lines = rows.iter().map(|[word, name, sides, summary]| {
        format!("{word:word_width$} {name:name_width$} {sides:sides_width$} {summary}")
    });
    lines.collect::<Vec<_>>().join("\n")
}
