//! The commands of UGI and UCI: what each does with the engine, and what it answers.

use std::path::Path;

use crate::io::files::write_new;
use crate::io::host::System;
use crate::io::output::Output;
use crate::io::record_file::read_game;
use pentarch_core::notation::record::find_line_comment;
use pentarch_core::notation::text::shortened;
use pentarch_core::{MoveError, Options, Outcome, PlayerEnd, Side};
use pentarch_diagram::board::View;
use pentarch_diagram::style::Theme;
use pentarch_engine::engine_state::Engine;
use pentarch_engine::error::EngineError;
use pentarch_engine::game_rules::rules_text;
use pentarch_engine::input_word::Word;
use pentarch_engine::job::JobKind;
use pentarch_engine::json;
use pentarch_engine::options::{self as engine_options, EngineOptions};
use pentarch_engine::rules_page::RulesPage;
use pentarch_engine::session::{Session, Standing};
use pentarch_engine::stopper::Stopper;
use pentarch_games::GameId;
use pentarch_search::levels::Level;

use crate::protocol::uci_lines;

use super::command::{Command, Place, Query};
use super::error::{CommandError, Fault};
use super::help;
use super::job_writer::{JobWriter, RunnableJob};
use super::page_limits::Access;

/// Carries commands out, one at a time.
pub struct Ugi {
    out: Output,
    engine: Engine,
    access: Access,
    /// Whether the next `isready` at full strength waits for the tables of the game, because a new game was announced.
    begins_game: bool,
    /// The options before the first command: the defaults that `ugi` lists.
    initial: Options,
}

impl Ugi {
    /// An engine with these options, of which commands may use so much; the game in play is in its start position.
    pub fn new(out: Output, options: Options, access: Access) -> Ugi {
        Ugi {
            out,
            initial: options.clone(),
            engine: Engine::new(options, System::shared()),
            access,
            begins_game: false,
        }
    }

    /// An engine with this session as the game in play, for tests.
    #[cfg(test)]
    pub fn with_session(out: Output, session: Box<dyn Session>) -> Ugi {
        let mut ugi = Ugi::new(out, Options::default(), Access::Full);
        ugi.engine.session = session;
        ugi
    }

    /// Sets the score that the last search ended with; `None`, of a job that is no search, changes nothing.
    pub fn set_last_score(&mut self, score: Option<i32>) {
        self.engine.last_score = score.or(self.engine.last_score);
    }

    /// Executes a command and writes its response. Returns a command that takes long as a job, which writes the response
    /// when it runs. The stopper ends a `load`.
    ///
    /// # Errors
    /// If the command is rejected; the state is unchanged then.
    pub fn execute(
        &mut self,
        command: Command,
        stopper: &Stopper,
    ) -> Result<Option<RunnableJob>, CommandError> {
        let is_stopped = || stopper.is_stopped();
        self.access.check(&command, || self.engine.session.standing().moves)?;
        match command {
            Command::Ugi => self.identify(pentarch_games::GAME.name, "ugiok"),
            Command::Uci => self.identify(engine_options::UCI_VARIANT, "uciok"),
            Command::IsReady => {
                self.engine.table();
                self.warn();
                // As in UCI, `isready` after the command for a new game waits for what the engine prepares for it.
                if self.begins_game
                    && EngineOptions::of(&self.engine.options).level == Level::Champion
                {
                    self.begins_game = false;
                    let tables = JobKind::Tables(self.engine.session.make_tables());
                    return Ok(Some(self.job(tables)));
                }
                self.out.lines("readyok");
            }
            Command::NewGame => {
                self.engine.begin_game();
                self.begins_game = true;
            }
            Command::SetOption { name, value } => {
                let column = name.column;
                self.check_setting(&name.text, &value).map_err(|error| error.at_column(column))?;
                self.engine.set_option(&name.text, &value).map_err(|error| error.at(&name))?;
            }
            Command::Position { fen, moves } => self.engine.set_position(fen.as_deref(), &moves)?,
            Command::Go(go) => match self.engine.search(&go)? {
                Some(search) => {
                    self.warn();
                    let mut job = self.job(JobKind::Search(search));
                    job.writer.ponder = EngineOptions::of(&self.engine.options).ponder;
                    return Ok(Some(job));
                }
                None => {
                    if let Some(score) = final_score(&self.engine.session.standing()) {
                        self.out.lines(&format!("info depth 0 score {score}"));
                    }
                    self.out.lines("bestmove (none)");
                }
            },
            Command::Perft { depth, divide } => {
                let perft = JobKind::Perft(self.engine.session.perft(depth));
                let mut job = self.job(perft);
                job.writer = job.writer.with_progress(format!("perft {depth}"));
                job.writer.divide = divide;
                return Ok(Some(job));
            }
            Command::Bench(depth) => {
                let bench = JobKind::Bench { depth, clock: System::shared().clock() };
                return Ok(Some(self.job(bench)));
            }
            Command::Query(query) => self.answer(&query)?,
            Command::Legal(None) => {
                let moves = self.engine.session.move_texts();
                self.out.lines(&format!("legal {}: {}", moves.len(), moves.join(" ")));
            }
            Command::Legal(Some(word)) => match self.engine.session.find_move(&word.text) {
                Ok(found) => self.out.lines(&format!("legal {}", found.text)),
                Err(MoveError::Illegal(why)) => {
                    self.out.lines(&format!("illegal {}: {why}", shortened(&word.text)))
                }
                Err(MoveError::Syntax(error)) => {
                    return Err(EngineError::in_word(&word, error).into());
                }
            },
            Command::Play(moves) => self.engine.session.play(&moves)?,
            Command::Undo(count) => self.engine.session.undo(count)?,
            Command::Resign(side) => self.end(PlayerEnd::Resignation, side)?,
            Command::Flag(side) => self.end(PlayerEnd::Time, side)?,
            Command::Agree => self.engine.session.end(PlayerEnd::Agreement)?,
            Command::Diagram => self.out.lines(&self.engine.session.board_text()),
            Command::DrawOffer => {
                let standing = self.engine.session.standing();
                let may_agree = standing.allows_draw_agreement && standing.outcome.is_none();
                let accepts = may_agree && self.engine.last_score.is_some_and(|score| score <= 0);
                self.out.lines(if accepts { "response accept" } else { "response decline" });
            }
            Command::Eval => self.out.lines(&self.engine.session.evaluation_text()),
            Command::Record(None) => self.out.lines(&self.engine.record_text()),
            Command::Record(Some(file)) => {
                let written =
                    write_new(Path::new(&file), (self.engine.record_text() + "\n").as_bytes());
                written.map_err(|error| Fault::Write { file, error })?;
            }
            Command::Load(file) => {
                let read = read_game(&file);
                let (text, number) =
                    read.map_err(|error| Fault::Read { file: file.clone(), error })?;
                let loaded = self.engine.load_unless(&text, number, &is_stopped);
                loaded.map_err(|error| Fault::Load { file, error })?;
                self.warn_of_record();
            }
            Command::LoadText(record) => {
                if let Some(column) = find_line_comment(&record) {
                    return Err(CommandError::from(Fault::LineComment).at_column(column));
                }
                self.engine.load_unless(&record, None, &is_stopped)?;
                self.warn_of_record();
            }
            Command::Games => self.out.lines(&games()),
            Command::Help(None) => self.out.lines(&help::overview()),
            Command::Help(Some(word)) => {
                let unknown = || CommandError::unknown_command(&word.text).at_column(word.column);
                self.out.lines(&help::about(&word.text).ok_or_else(unknown)?);
            }
            Command::Ignored => {}
            // The event loop handles these when they are read.
            Command::Stop | Command::PonderHit | Command::Quit => {}
        }
        Ok(None)
    }

    /// Returns a job that writes its events.
    fn job(&self, kind: JobKind) -> RunnableJob {
        RunnableJob { job: kind.into(), writer: JobWriter::new(self.out.clone()) }
    }

    /// Ends the game for the side with this name, or without one for the side to move.
    fn end(&mut self, end: fn(Side) -> PlayerEnd, name: Option<Word>) -> Result<(), EngineError> {
        let side = match name {
            None => self.engine.session.standing().side,
            Some(word) => {
                let named = self.engine.session.side_named(&word.text);
                named.map_err(|error| error.at(&word))?
            }
        };
        self.engine.session.end(end(side))
    }

    /// Writes the engine's warning of the record that it has loaded, if it has one. Nothing was rejected.
    fn warn_of_record(&mut self) {
        if let Some(warning) = self.engine.warning.take() {
            self.out.lines(&format!("info string warning: {warning}"));
        }
    }

    /// Writes the engine's warning, if it has one.
    fn warn(&mut self) {
        if let Some(warning) = self.engine.warning.take() {
            self.out.error(&warning);
        }
    }

    /// Checks that the session may set this option to this value.
    fn check_setting(&self, name: &str, value: &str) -> Result<(), CommandError> {
        let own = self.access.option(engine_options::find(name)?, &self.initial)?;
        Ok(own.parse(value).map(drop)?)
    }

    fn identify(&self, game: &str, end: &str) {
        let own =
            engine_options::all().filter_map(|spec| self.access.option(spec, &self.initial).ok());
        self.out.lines(&format!(
            "id name pentarch {}\nid author {}\n{}\n{end}",
            env!("CARGO_PKG_VERSION"),
            env!("CARGO_PKG_AUTHORS"),
            uci_lines::options(own, game, &self.initial)
        ));
    }

    /// A copy of the game in play, or another game, at this place.
    fn game_at(&self, Place { start, moves }: &Place) -> Result<Box<dyn Session>, EngineError> {
        let mut game = self.engine.session.copy();
        match start {
            Some(fen) => game.set_position(fen.as_deref(), moves)?,
            None => game.play(moves)?,
        }
        Ok(game)
    }

    /// Answers a query.
    ///
    /// # Errors
    /// If the question names a topic, site, position or move that there is not.
    fn answer(&self, query: &Query) -> Result<(), EngineError> {
        let bool_text = |holds: bool| if holds { "true".to_string() } else { "false".into() };
        let session = &self.engine.session;
        let standing = session.standing();
        let response = match query {
            Query::GameOver => bool_text(standing.outcome.is_some()),
            Query::P1Turn => bool_text(standing.turn_number == 0),
            Query::P2Turn => bool_text(standing.turn_number == 1),
            Query::Turn => session.status().turn.unwrap_or("none").into(),
            Query::Protocol => format!("pentarch {PROTOCOL}"),
            Query::Result => match standing.outcome {
                None => "none".into(),
                Some(Outcome::Draw(_)) => "draw".into(),
                Some(Outcome::Win(..)) => {
                    format!("p{}win", standing.winner_number.unwrap_or(0) + 1)
                }
            },
            Query::Outcome => session.status().outcome,
            Query::Game => session.facts().game.into(),
            Query::Fen => session.position_text(),
            Query::Moves => {
                let moves = session.move_texts();
                if moves.is_empty() { "none".into() } else { moves.join(" ") }
            }
            Query::IsLegal(word) => bool_text(session.find_move(&word.text).is_ok()),
            Query::Rules(topic) => {
                let text = rules_text(GameId::chosen(&self.engine.options))?;
                let page = RulesPage::of(&text, topic.as_ref().map(|word| word.text.as_str()));
                json(&page.map_err(EngineError::from).map_err(|error| match topic {
                    Some(word) => error.at(word),
                    None => error,
                })?)
            }
            Query::Board => json(&session.board(&self.engine.options)),
            Query::Scene(place) => json(&self.game_at(place)?.scene()),
            Query::Diagram { flipped, place } => {
                let view = View { flipped: *flipped, theme: Theme::Auto };
                json(&self.game_at(place)?.diagram(&[], view)?)
            }
            Query::Clicks(sites) => json(&session.clicks(sites)?),
            Query::Details(mv) => json(&session.details(mv)?),
        };
        self.out.lines(&format!("response {response}"));
        Ok(())
    }
}

/// The number of changes of the protocol that can break a front end, from 1.
const PROTOCOL: u32 = 1;

/// Returns the score of a decided position for the side to move, so that a host does not show an older one; `None` if
/// that side has won, for which there is no score in UCI.
fn final_score(standing: &Standing) -> Option<&'static str> {
    match standing.outcome? {
        Outcome::Draw(_) => Some("cp 0"),
        Outcome::Win(..) => {
            (standing.winner_number != Some(standing.turn_number)).then_some("mate 0")
        }
    }
}

/// The table of games for people.
fn games() -> String {
    let rows: Vec<[String; 4]> = GameId::ENTRIES
        .iter()
        .map(|entry| {
            [entry.word.into(), entry.name.into(), entry.sides.join(", "), entry.summary.into()]
        })
        .collect();
    // Two spaces at least part the columns, because names have single ones.
    let width = |column: usize, least: usize| {
        rows.iter().map(|row| row[column].len() + 1).fold(least, usize::max)
    };
    let (ids, names, sides) = (width(0, 10), width(1, 24), width(2, 14));
    let line = |[id, name, both, summary]: &[String; 4]| {
        format!("{id:ids$} {name:names$} {both:sides$} {summary}")
    };
    rows.iter().map(line).collect::<Vec<_>>().join("\n")
}
