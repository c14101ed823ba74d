//! Asks the questions before a game at the terminal. Questions that the command line has already
//! answered are skipped.

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::io::host::SystemHost;
use crate::io::output::{Output, print_to_stderr};
use crate::io::record_file::{GameFile, read_record_file_text};
use pentarch_core::{OptionKind, OptionSpec, Options};
use pentarch_engine::engine_state::Engine;
use pentarch_engine::error::EngineError;
use pentarch_engine::options::{ELO_OPTION, LEVEL_OPTION};
use pentarch_engine::session::Session;
use pentarch_games::GAME_OPTION;
use pentarch_games::{GameEntry, GameId};
use pentarch_system::WithErrorLocation;

use super::clock::{ClockError, ClockSetting, Clocks};
use super::commands::match_typed_word;
use super::error::{PlayError, UnusableGameFileError};
use super::local_game::{LocalGame, PlayerKind, parse_players, word_for_all_players};
use super::terminal::{ReadLineResult, Terminal, TerminalError};
use super::view::error_as_sentence;

/// The settings that the command line specifies for a game at the terminal.
/// [`start_game`](GameSetup::start_game) asks for missing settings.
#[derive(Debug, Clone)]
pub struct GameSetup {
    /// The side or sides of the people, as [`parse_players`] reads them.
    pub side: Option<String>,

    /// The file of a game to continue: `FILE`, or `FILE:NUMBER` in a file with several games.
    pub load: Option<PathBuf>,

    /// The clocks. There may be no setting, one setting for all players, or one setting for each
    /// player.
    pub clock: Vec<ClockSetting>,

    /// Whether to ask for the rules of a game with several rule sets.
    pub ask_rules: bool,

    /// The engine's time per move in seconds. It applies to the highest level in games without a
    /// clock.
    pub seconds: u64,

    /// The minimum time per move when a person watches two engines at a terminal.
    pub pace: Duration,

    /// Whether to print long output without a pager.
    pub no_pager: bool,
}

/// The index of the default level in the question about the level.
const DEFAULT_LEVEL_INDEX: usize = 2;

/// A possible answer to a question.
struct PossibleAnswer {
    /// The word that chooses this answer.
    word: &'static str,
    /// The description of the answer; may be empty.
    description: String,
}

impl GameSetup {
    /// Asks for the settings that are not on the command line, and starts the game. Returns `None`
    /// if the player quits.
    ///
    /// # Errors
    /// If one of these happens:
    /// - No game is chosen and there is no terminal.
    /// - The game does not have the requested side.
    /// - The input cannot be read.
    pub fn start_game(
        &self,
        mut options: Options,
        terminal: &mut Terminal,
        out: &Output,
    ) -> Result<Option<LocalGame>, PlayError> {
        let is_interactive = terminal.is_interactive();
        if self.load.is_none() && !ask_game_if_not_chosen(&mut options, terminal, out)? {
            return Ok(None);
        }
        let ruleset = GameId::RULESET_OPTIONS_BY_GAME[options.choice(&GAME_OPTION)];
        if let Some(spec) = ruleset
            && is_interactive
            && self.ask_rules
            && self.load.is_none()
        {
            let question = ["Rules", "By which rules? ('rules' in the game says more)"];
            let Some(value) = ask_choice(question, &option_value_choices(spec), 0, terminal, out)?
            else {
                return Ok(None);
            };
            set_option(&mut options, spec, value).map_err(PlayError::Option)?;
        }
        let mut engine = Engine::new(options, SystemHost::shared_host());
        if let Some(file) = &self.load {
            load_game(&mut engine, file).with_file_path(file)?;
        }
        let session = engine.session.as_ref();
        let clocks = self.create_clocks(session)?;
        let Some(players) = self.choose_players(session, terminal, out)? else {
            return Ok(None);
        };
        let has_level =
            [LEVEL_OPTION.spec, ELO_OPTION.spec].iter().any(|spec| engine.options.is_set(spec));
        if is_interactive && !has_level && players.contains(&PlayerKind::Engine) {
            let question = ["Level", "How strong is the engine?"];
            let Some(level) = ask_choice(
                question,
                &option_value_choices(&LEVEL_OPTION),
                DEFAULT_LEVEL_INDEX,
                terminal,
                out,
            )?
            else {
                return Ok(None);
            };
            engine.set_option(LEVEL_OPTION.name, level).map_err(PlayError::Option)?;
        }
        let mut game = LocalGame::new(engine, players, Duration::from_secs(self.seconds));
        game.clocks = clocks;
        Ok(Some(game))
    }

    /// Creates the clocks, if there are any.
    ///
    /// # Errors
    /// If the rules have no loss on time, or if the number of settings does not fit the players.
    fn create_clocks(&self, session: &dyn Session) -> Result<Option<Clocks>, ClockError> {
        if self.clock.is_empty() {
            return Ok(None);
        }
        let can_lose_on_time = !session.game_state_in_words().may.flag.is_empty();
        if !can_lose_on_time && session.game_state().outcome.is_none() {
            return Err(ClockError::NoTimeLimit);
        }
        Clocks::new(&self.clock, session.game_constants().players.len()).map(Some)
    }

    /// Returns who plays. The command line or a question at a terminal decides. Without both, a
    /// person is the first player. Returns `None` if the player quits.
    ///
    /// # Errors
    /// If the game does not have the side, or the input cannot be read.
    fn choose_players(
        &self,
        session: &dyn Session,
        terminal: &mut Terminal,
        out: &Output,
    ) -> Result<Option<Vec<PlayerKind>>, PlayError> {
        let names = session.game_constants().players;
        if let Some(side) = &self.side {
            return Ok(Some(parse_players("--side", side, session)?));
        }
        if !terminal.is_interactive() {
            return Ok(Some(parse_players("side", names[0], session)?));
        }
        let mut choices = Vec::new();
        for (player, name) in names.iter().enumerate() {
            let note = if player == 0 { ", who moves first" } else { "" };
            choices
                .push(PossibleAnswer { word: name, description: format!("you are {name}{note}") });
        }
        let count = if names.len() > 2 { "four" } else { "two" };
        choices.push(PossibleAnswer {
            word: word_for_all_players(names),
            description: format!("{count} people play"),
        });
        choices.push(PossibleAnswer { word: "none", description: "watch the engine play".into() });
        let side = ask_choice(["Side", "Which side do you play?"], &choices, 0, terminal, out)?;
        Ok(side.map(|side| parse_players("side", side, session)).transpose()?)
    }
}

/// Loads the game of a file. If the file names no game, the options choose the game.
fn load_game(engine: &mut Engine, file: &Path) -> Result<(), UnusableGameFileError> {
    let is_named = engine.options.is_set(&GAME_OPTION);
    let named = GameId::GAME_OPTION_WORDS[engine.options.choice(&GAME_OPTION)];
    let GameFile { text, number, notes } = read_record_file_text(file)?;
    engine.load_record(&text, number)?;
    let found = GameId::GAME_OPTION_WORDS[engine.options.choice(&GAME_OPTION)];
    if is_named && found != named {
        return Err(UnusableGameFileError::OtherGame { found, named });
    }
    notes.iter().for_each(|note| print_to_stderr(&note.to_string()));
    print_engine_warning(engine);
    Ok(())
}

/// Prints the engine's warning, if there is one.
pub fn print_engine_warning(engine: &mut Engine) {
    if let Some(warning) = engine.warning.take() {
        print_to_stderr(&warning);
    }
}

/// If the options name no game, asks for the game and sets it. Returns `false` if the player quits.
///
/// # Errors
/// If there is no terminal on which to ask, or the input cannot be read.
pub fn ask_game_if_not_chosen(
    options: &mut Options,
    terminal: &mut Terminal,
    out: &Output,
) -> Result<bool, PlayError> {
    if options.is_set(&GAME_OPTION) {
        return Ok(true);
    }
    if !terminal.is_interactive() {
        return Err(PlayError::NoGame);
    }
    let mut choices = Vec::new();
    for GameEntry { word, name, summary, .. } in GameId::GAME_ENTRIES {
        choices.push(PossibleAnswer { word, description: format!("{name}: {summary}") });
    }
    let Some(game) = ask_choice(["Game", "Which game?"], &choices, 0, terminal, out)? else {
        return Ok(false);
    };
    set_option(options, &GAME_OPTION, game).map_err(PlayError::Option)?;
    Ok(true)
}

fn set_option(options: &mut Options, spec: &OptionSpec, value: &str) -> Result<(), EngineError> {
    Ok(options.set(spec, value)?)
}

/// Returns the values of a combo option as the choices of a question.
fn option_value_choices(spec: &OptionSpec) -> Vec<PossibleAnswer> {
    let OptionKind::Combo { values, .. } = spec.kind else { return Vec::new() };
    values.iter().map(|word| PossibleAnswer { word, description: String::new() }).collect()
}

/// Asks a question until the answer is [one of the words](match_typed_word) of the choices. An empty
/// line means the default. Returns `None` if the player quits. `topic` is the prompt.
fn ask_choice(
    [topic, question]: [&str; 2],
    choices: &[PossibleAnswer],
    default: usize,
    terminal: &mut Terminal,
    out: &Output,
) -> Result<Option<&'static str>, TerminalError> {
    let words: Vec<&'static str> = choices.iter().map(|choice| choice.word).collect();
    let width = words.iter().map(|word| word.len()).max().unwrap_or(0);
    let mut list = String::new();
    for (number, PossibleAnswer { word, description }) in (1..).zip(choices) {
        let line = format!("{number:2}. {word:width$}  {description}");
        list += &format!("\n{}", line.trim_end());
    }
    out.write_lines(&terminal.screen().wrap(&format!("{question}{list}")));
    let default = words[default.min(words.len() - 1)];
    loop {
        let completions = words.iter().map(ToString::to_string).collect();
        let input = terminal.read_line(&format!("{topic} [{default}]> "), completions)?;
        let ReadLineResult::Line(line) = input else { return Ok(None) };
        match line.trim().to_ascii_lowercase().as_str() {
            "" => return Ok(Some(default)),
            "q" | "quit" => return Ok(None),
            typed => match match_typed_word(&words, typed) {
                Ok(word) => return Ok(Some(word)),
                Err(error) => out.write_lines(&terminal.screen().wrap(&error_as_sentence(&error))),
            },
        }
    }
}
