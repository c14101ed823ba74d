//! The commands: what each does with the game in play, the options and the table, and what it answers.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use crate::core::files::{check_plain, new_file};
use crate::core::text::{did_you_mean, quoted, shortened};
use crate::core::{Complete, MoveError, Options, Outcome, Side};
use crate::games::{GameId, Visitor};
use crate::search::control::Control;

use super::command::{Command, Go, Query};
use super::host::{Host, PreparedSearch};
use super::jobs::{self, Job};
use super::out::Out;
#[cfg(test)]
use super::session::Session;
use super::{help, settings};

/// What carries commands out.
pub struct Ugi {
    out: Out,
    host: Host,
    /// The options before the first command.
    initial: Options,
}

/// A job to be run, and its control.
pub type Started = (Job, Control);

impl Ugi {
    /// A game in its start position, under the options set before the first command.
    pub fn new(out: Out, options: Options) -> Ugi {
        Ugi { out, initial: options.clone(), host: Host::new(options) }
    }

    /// The same with another game in play, of whatever kind.
    #[cfg(test)]
    pub fn playing(out: Out, session: Box<dyn Session>) -> Ugi {
        let mut ugi = Ugi::new(out, Options::default());
        ugi.host.session = session;
        ugi
    }

    /// Takes note of the score that a search ended with.
    pub fn remember(&mut self, score: Option<i32>) {
        self.host.judgement = score.or(self.host.judgement);
    }

    /// Answers a command. What takes its time is not done yet but returned, to be run elsewhere.
    ///
    /// # Errors
    /// What is wrong with it; nothing has changed then.
    pub fn carry_out(&mut self, command: Command) -> Result<Option<Started>, String> {
        match command {
            Command::Ugi => self.introduce(settings::GAME.name, "ugiok"),
            Command::Uci => self.introduce(settings::UCI_VARIANT, "uciok"),
            Command::IsReady => {
                self.host.table();
                self.warn();
                self.out.lines("readyok");
            }
            Command::NewGame => self.host.forget(),
            Command::SetOption { name, value } => {
                let at_column = |error| format!("column {}: {error}", name.column);
                self.host.set_option(&name.text, &value).map_err(at_column)?;
            }
            Command::Position { fen, moves } => self.host.session.set_position(fen.as_deref(), &moves)?,
            Command::Go(go) => return self.go(&go),
            Command::Perft { depth, divide } => {
                let job = jobs::count(self.host.session.count(depth), depth, divide);
                return Ok(Some((job, Control::new(None, false, false))));
            }
            Command::Bench(depth) => return Ok(Some((jobs::bench(depth), Control::new(None, false, false)))),
            Command::Query(query) => self.answer(&query),
            Command::Legal(None) => {
                let moves = self.host.session.legal_moves();
                self.out.lines(&format!("legal {}: {}", moves.len(), moves.join(" ")));
            }
            Command::Legal(Some(word)) => match self.host.session.canonical_move(&word.text) {
                Ok(text) => self.out.lines(&format!("legal {text}")),
                Err(MoveError::Illegal(why)) => self.out.lines(&format!("illegal {}: {why}", shortened(&word.text))),
                Err(MoveError::Syntax(error)) => return Err(error.shifted(word.column - 1).to_string()),
            },
            Command::Play(moves) => self.host.session.play(&moves)?,
            Command::Undo(count) => self.host.session.undo(count)?,
            Command::Diagram => self.out.lines(&self.host.session.picture()),
            Command::DrawOffer => {
                let accepts =
                    self.host.session.outcome().is_none() && self.host.judgement.is_some_and(|score| score <= 0);
                self.out.lines(if accepts { "response accept" } else { "response decline" });
            }
            Command::Eval => self.out.lines(&self.host.session.evaluation()),
            Command::Record(None) => self.out.lines(&self.record()),
            Command::Record(Some(file)) => {
                let written = new_file(Path::new(&file), (self.record() + "\n").as_bytes());
                written.map_err(|error| format!("{}: {error}", quoted(&file)))?;
            }
            Command::Load(file) => {
                let named = |error: String| format!("{}: {error}", quoted(&file));
                let (name, number) = numbered(&file);
                self.host.load(&read_record(name).map_err(named)?, number).map_err(named)?;
            }
            Command::Games => self.out.lines(&games()),
            Command::Help(None) => self.out.lines(&help::overview()),
            Command::Help(Some(word)) => {
                let unknown = || {
                    let hint = did_you_mean(&word.text, help::COMMANDS.iter().flat_map(help::Help::names));
                    format!(
                        "column {}: there is no command {}{hint}; 'help' lists them all",
                        word.column,
                        quoted(&word.text)
                    )
                };
                self.out.lines(&help::about(&word.text).ok_or_else(unknown)?);
            }
            // The loop deals with these as they come in.
            Command::Stop | Command::PonderHit | Command::Quit => {}
        }
        Ok(None)
    }

    /// The text of the game in play as a record.
    fn record(&self) -> String {
        self.host.record().text(self.host.session.first_turn())
    }

    /// Says what went wrong without anybody having asked for it.
    fn warn(&mut self) {
        if let Some(warning) = self.host.warning.take() {
            self.out.error(&warning);
        }
    }

    fn introduce(&self, game: &str, end: &str) {
        self.out.lines(&format!(
            "id name pentarch {}\nid author {}\n{}\n{end}",
            env!("CARGO_PKG_VERSION"),
            env!("CARGO_PKG_AUTHORS"),
            settings::list(game, &self.initial)
        ));
    }

    /// A search of the current position.
    fn go(&mut self, go: &Go) -> Result<Option<Started>, String> {
        let Some(PreparedSearch { job, table, control }) = self.host.prepare(go)? else {
            self.out.lines("bestmove (none)");
            return Ok(None);
        };
        self.warn();
        Ok(Some((jobs::search(job, table, self.host.options.is_on(&settings::PONDER)), control)))
    }

    fn answer(&self, query: &Query) {
        let truth = |holds: bool| if holds { "true".to_string() } else { "false".into() };
        let session = &self.host.session;
        let response = match query {
            Query::GameOver => truth(session.outcome().is_some()),
            Query::P1Turn => truth(session.side_to_move() == Side::First),
            Query::P2Turn => truth(session.side_to_move() == Side::Second),
            Query::Result => match session.outcome() {
                None => "none".into(),
                Some(Outcome::Draw(_)) => "draw".into(),
                Some(Outcome::Win(Side::First, _)) => "p1win".into(),
                Some(Outcome::Win(Side::Second, _)) => "p2win".into(),
            },
            Query::Outcome => session.outcome_text(),
            Query::Game => session.game().into(),
            Query::Fen => session.position_text(),
            Query::Moves => {
                let moves = session.legal_moves();
                if moves.is_empty() { "none".into() } else { moves.join(" ") }
            }
            Query::IsLegal(word) => truth(session.canonical_move(&word.text).is_ok()),
        };
        self.out.lines(&format!("response {response}"));
    }
}

/// Parts `FILE:NUMBER`, unless a file is named like this.
fn numbered(name: &str) -> (&str, Option<usize>) {
    let parts = name.rsplit_once(':').filter(|_| !Path::new(name).exists());
    let number = |(file, number): (_, &str)| Some((file, Some(number.parse().ok()?)));
    parts.and_then(number).unwrap_or((name, None))
}

/// The most bytes of a file that holds records.
const LONGEST_RECORD: u64 = 16 * 1024 * 1024;

/// Reads a file that holds records; only a plain one, since others may never end.
fn read_record(name: &str) -> Result<String, String> {
    check_plain(Path::new(name)).map_err(|error| error.to_string())?;
    let mut text = String::new();
    let file = File::open(name).map_err(|error| error.to_string())?;
    let read = file.take(LONGEST_RECORD + 1).read_to_string(&mut text).map_err(|error| error.to_string())?;
    if read as u64 > LONGEST_RECORD {
        return Err(format!("it has more than {LONGEST_RECORD} bytes"));
    }
    Ok(text)
}

/// The list of games for people.
fn games() -> String {
    struct Row;
    impl Visitor for Row {
        type Output = String;
        fn visit<G: Complete>(self) -> String {
            let sides = G::SIDES.join(", ");
            format!("{:10} {:24} {sides:14} {}", G::ID, G::NAME, G::SUMMARY)
        }
    }
    GameId::ALL.iter().map(|id| id.visit(Row)).collect::<Vec<_>>().join("\n")
}
