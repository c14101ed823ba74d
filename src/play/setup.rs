//! The questions before a game at the terminal. What the command line has said already is not asked.

use std::path::Path;
use std::time::Duration;

use crate::io::host::System;
use crate::io::output::{Output, tell};
use crate::io::record_file::read_game;
use pentarch_core::notation::text::wrap;
use pentarch_core::{OptionKind, OptionSpec, Options};
use pentarch_engine::engine_state::Engine;
use pentarch_engine::error::EngineError;
use pentarch_engine::options::{ELO, LEVEL};
use pentarch_games::GAME;
use pentarch_games::{GameEntry, GameId};
use pentarch_system::ErrorContext;

use super::clock::{ClockError, Clocks, Times};
use super::commands::chosen;
use super::error::{GameFileError, PlayError};
use super::table::{Player, Table, everybody, players_of};
use super::terminal::{Terminal, TerminalError, Typed};
use super::view::{INDENT, sentence};

/// What the command line says about a game at the terminal; `None` for what is to be asked.
#[derive(Debug, Clone)]
pub struct Setup {
    /// The side that you play, in the game's word for it, or several with commas between them; 'team1' or 'team2' where
    /// there are teams, 'both' for two people, 'all' for four, 'none' to watch
    pub side: Option<String>,

    /// Take up the game of this record; of a file with several games FILE:NUMBER
    pub load: Option<String>,

    /// Play with clocks: minutes, and seconds that each move adds; one for all players, or one for each with commas
    pub clock: Vec<Times>,

    /// Ask for the rules, too, where a game has several sets of them
    pub ask_rules: bool,

    /// How many seconds the engine thinks about a move at its highest level, if there is no clock
    pub seconds: u64,

    /// How many seconds a move of two engines takes at least, where a person watches at a terminal
    pub pace: Duration,

    /// Show long texts without a pager
    pub no_pager: bool,
}

/// The level that is offered to a person, by its place among the levels.
const OFFERED_LEVEL: usize = 2;

impl Setup {
    /// Asks what is not known yet. None if the player leaves.
    ///
    /// # Errors
    /// If there is nobody to ask for the game, if the side is none of this game's, or if the input cannot be read.
    pub fn ask(
        &self,
        mut options: Options,
        terminal: &mut Terminal,
        out: &Output,
    ) -> Result<Option<Table>, PlayError> {
        let asks = terminal.is_interactive();
        if self.load.is_none() && !ensure_game(&mut options, terminal, out)? {
            return Ok(None);
        }
        let ruleset = GameId::RULESET_OPTIONS[options.choice(&GAME)];
        if let Some(spec) = ruleset.filter(|_| asks && self.ask_rules && self.load.is_none()) {
            let question = ["Rules", "By which rules? ('rules' in the game says more)"];
            let Some(value) = choose(question, &values(spec), 0, terminal, out)? else {
                return Ok(None);
            };
            set(&mut options, spec, value).map_err(PlayError::Option)?;
        }
        let mut engine = Engine::new(options, System::shared());
        if let Some(file) = &self.load {
            load(&mut engine, file).in_file(Path::new(file))?;
        }
        let session = engine.session.as_ref();
        let (names, may) = (session.facts().players, session.status().may);
        let clocks = match &self.clock[..] {
            [] => None,
            _ if may.flag.is_empty() && session.standing().outcome.is_none() => {
                return Err(ClockError::NoTimeLimit.into());
            }
            times => Some(Clocks::new(times, names.len())?),
        };
        let players = match &self.side {
            Some(side) => players_of("--side", side, session)?,
            None if asks => {
                let row = |(at, name)| {
                    (
                        name,
                        format!("you are {name}{}", if at == 0 { ", who moves first" } else { "" }),
                    )
                };
                let mut rows: Vec<(&'static str, String)> =
                    names.iter().copied().enumerate().map(row).collect();
                rows.push((
                    everybody(names),
                    format!("{} people play", ["two", "four"][usize::from(names.len() > 2)]),
                ));
                rows.push(("none", "watch the engine play".into()));
                let question = ["Side", "Which side do you play?"];
                let Some(side) = choose(question, &rows, 0, terminal, out)? else {
                    return Ok(None);
                };
                players_of("side", side, session)?
            }
            None => players_of("side", names[0], session)?,
        };
        let has_level = [LEVEL.spec, ELO.spec].iter().any(|spec| engine.options.is_set(spec));
        if asks && !has_level && players.contains(&Player::Engine) {
            let question = ["Level", "How strong is the engine?"];
            let Some(level) = choose(question, &values(&LEVEL), OFFERED_LEVEL, terminal, out)?
            else {
                return Ok(None);
            };
            engine.set_option(LEVEL.name, level).map_err(PlayError::Option)?;
        }
        let mut table = Table::new(engine, players, Duration::from_secs(self.seconds));
        table.clocks = clocks;
        Ok(Some(table))
    }
}

/// Takes the game of a file.
fn load(engine: &mut Engine, file: &str) -> Result<(), GameFileError> {
    let (text, number) = read_game(file)?;
    engine.load(&text, number)?;
    warn(engine);
    Ok(())
}

/// Tells the engine's warning, if it has one.
pub fn warn(engine: &mut Engine) {
    if let Some(warning) = engine.warning.take() {
        tell(&warning);
    }
}

/// Asks for the game unless the options name one, and sets it. Returns `false` if the player leaves.
///
/// # Errors
/// If there is nobody to ask, or the input cannot be read.
pub fn ensure_game(
    options: &mut Options,
    terminal: &mut Terminal,
    out: &Output,
) -> Result<bool, PlayError> {
    if options.is_set(&GAME) {
        return Ok(true);
    }
    if !terminal.is_interactive() {
        return Err(PlayError::NoGame);
    }
    let row = |entry: &GameEntry| (entry.word, format!("{}: {}", entry.name, entry.summary));
    let rows: Vec<(&'static str, String)> = GameId::ENTRIES.iter().map(row).collect();
    let Some(game) = choose(["Game", "Which game?"], &rows, 0, terminal, out)? else {
        return Ok(false);
    };
    set(options, &GAME, game).map_err(PlayError::Option)?;
    Ok(true)
}

fn set(options: &mut Options, spec: &OptionSpec, value: &str) -> Result<(), EngineError> {
    Ok(options.set(spec, value)?)
}

/// The values of an option to choose from, as rows.
fn values(spec: &OptionSpec) -> Vec<(&'static str, String)> {
    let OptionKind::Combo { values, .. } = spec.kind else { return Vec::new() };
    values.iter().map(|value| (*value, String::new())).collect()
}

/// Asks until the [word](chosen) of one of the rows is chosen; an empty line chooses the row that is offered. None if
/// the player leaves. The first word stands before what is typed.
fn choose(
    [word, question]: [&str; 2],
    rows: &[(&'static str, String)],
    offered: usize,
    terminal: &mut Terminal,
    out: &Output,
) -> Result<Option<&'static str>, TerminalError> {
    let width = rows.iter().map(|(word, _)| word.len()).max().unwrap_or(0);
    let list: Vec<String> = (1..)
        .zip(rows)
        .map(|(number, (word, text))| {
            wrap(format!("{number:2}. {word:width$}  {text}").trim_end(), INDENT)
        })
        .collect();
    out.lines(&format!("{question}\n{}", list.join("\n")));
    let words: Vec<&'static str> = rows.iter().map(|(word, _)| *word).collect();
    let offered = words[offered.min(words.len() - 1)];
    loop {
        let completions = words.iter().map(ToString::to_string).collect();
        let typed = terminal.read(&format!("{word} [{offered}]> "), completions)?;
        let Typed::Line(line) = typed else { return Ok(None) };
        match line.trim().to_ascii_lowercase().as_str() {
            "" => return Ok(Some(offered)),
            "q" | "quit" => return Ok(None),
            typed => match chosen(&words, typed) {
                Ok(word) => return Ok(Some(word)),
                Err(error) => out.lines(&wrap(&sentence(&error), INDENT)),
            },
        }
    }
}
