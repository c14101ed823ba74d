//! Asks the questions before a game at the terminal. Questions that the command line has already
//! answered are skipped.

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::io::host::SystemHost;
use crate::io::output::{Output, print_to_stderr};
use crate::io::record_file::{GameFileText, read_record_file_text};
use pentarch_core::notation::parsing::wrap_text_to_width;
use pentarch_core::{OptionKind, OptionSpec, Options};
use pentarch_engine::engine_options::{ELO_OPTION, LEVEL_OPTION};
use pentarch_engine::engine_state::{Engine, non_default_rules};
use pentarch_engine::error::EngineError;
use pentarch_engine::games::{GAME_OPTION, all_game_words, all_games};
use pentarch_engine::games::{GameDefinition, RulesId};
use pentarch_engine::session::Session;
use pentarch_engine::starts::Starts;
use pentarch_games::NEWCOMER_GAME_WORD;
use pentarch_system::WithErrorLocation;

use super::auto_level::{AUTO_LEVEL_WORD, AutoLevel, AutoLevels};
use super::clock::{ClockError, ClockSetting, Clocks};
use super::commands::match_typed_word;
use super::error::{PlayError, UnusableGameFileError};
use super::game_start::{GameStart, handicap_sentence};
use super::lesson::run_lesson;
use super::local_game::{
    LocalGame, PlayerKind, RANDOM_SIDE_WORD, parse_players, word_for_all_players,
};
use super::pace::Pace;
use super::resume::{StoredGameOfferReply, stored_auto_levels};
use super::stored_games::{GameStore, StoredGame, StoredSettings};
use super::terminal::{ReadLineResult, Terminal, TerminalError};
use super::text_formatting::error_as_sentence;

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

    /// The minimum time per move of the engine at a terminal.
    pub pace: Pace,

    /// Whether the engine plays at the level that adapts to the results.
    pub auto_level: bool,

    /// The way in which games begin.
    pub start: GameStart,

    /// Whether to print long output without a pager.
    pub no_pager: bool,

    /// Whether to begin with the lesson of the game.
    pub learn: bool,

    /// The stored game to continue, by its number in the list; `Some(None)` means the newest.
    pub resume: Option<Option<usize>>,

    /// Whether to list the stored games.
    pub list: bool,

    /// Whether to read and write no stored games.
    pub no_state: bool,
}

/// The index of the default level in the question about the level.
const DEFAULT_LEVEL_INDEX: usize = 2;

/// A possible answer to a question.
pub(super) struct PossibleAnswer {
    /// The word that chooses this answer.
    pub(super) word: &'static str,
    /// The description of the answer; may be empty.
    pub(super) description: String,
}

impl GameSetup {
    /// Asks for the settings that are not on the command line, and starts the game. Returns `None`
    /// if the player quits, or if only the list of stored games was requested.
    ///
    /// # Errors
    /// If one of these happens:
    /// - No game is chosen and there is no terminal.
    /// - The game does not have the requested side.
    /// - There is no stored game to resume.
    /// - The input cannot be read.
    pub fn start_game(
        &self,
        mut options: Options,
        store: &mut GameStore,
        terminal: &mut Terminal,
        out: &Output,
    ) -> Result<Option<LocalGame>, PlayError> {
        let (stored, faults) = store.list();
        for fault in faults {
            print_to_stderr(&format!("a stored game cannot be read: {fault}"));
        }
        if self.list {
            self.list_stored_games(&stored, &options, store, out)?;
            return Ok(None);
        }
        if let Some(number) = self.resume {
            return self.resume_game(number, &stored, options, store).map(Some);
        }
        if self.load.is_none() && !self.learn && self.has_no_settings(&options) {
            match self.offer_stored_game(&stored, &options, store, terminal, out)? {
                StoredGameOfferReply::Accepted(game) => return Ok(Some(*game)),
                StoredGameOfferReply::Quit => return Ok(None),
                StoredGameOfferReply::None => {}
            }
        }
        if self.load.is_none()
            && !ask_game_if_not_chosen(&mut options, stored.first(), terminal, out)?
        {
            return Ok(None);
        }
        if !self.run_lesson_if_wanted(&options, &stored, store, terminal, out)? {
            return Ok(None);
        }
        self.start_unstored_game(options, &stored, terminal, out)
    }

    /// Starts a game that is not stored yet. `stored` has the games with the settings to offer.
    fn start_unstored_game(
        &self,
        mut options: Options,
        stored: &[StoredGame],
        terminal: &mut Terminal,
        out: &Output,
    ) -> Result<Option<LocalGame>, PlayError> {
        let is_interactive = terminal.is_interactive();
        let ruleset = RulesId::from_options(&options).game_definition().ruleset_option;
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
        let last = last_settings(&engine.options, stored);
        let Some(players) = self.choose_players(session, last, terminal, out)? else {
            return Ok(None);
        };
        let mut auto_levels =
            AutoLevels { is_on: self.auto_level, by_game: stored_auto_levels(stored) };
        let has_engine = players.contains(&PlayerKind::Engine);
        if is_interactive && !self.auto_level && !is_strength_set(&engine.options) && has_engine {
            let game = engine.session.game_constants().game;
            let Some(level) = ask_level(last, auto_levels.of_game(game), terminal, out)? else {
                return Ok(None);
            };
            auto_levels.is_on = level == AUTO_LEVEL_WORD;
            if !auto_levels.is_on {
                engine.set_option(LEVEL_OPTION.name, level).map_err(PlayError::Option)?;
            }
        }
        let mut start = self.start;
        if is_interactive && self.ask_rules && self.load.is_none() && start == GameStart::Usual {
            let Some(chosen) = ask_game_start(&engine.options, &players, terminal, out)? else {
                return Ok(None);
            };
            start = chosen;
        }
        let mut game = LocalGame::new(engine, players, Duration::from_secs(self.seconds));
        game.clocks = clocks;
        game.auto_levels = auto_levels;
        game.start = start;
        if start != GameStart::Usual {
            let sentence = game.begin_game()?;
            sentence.into_iter().for_each(|text| out.write_lines(&terminal.screen().wrap(&text)));
        }
        Ok(Some(game))
    }

    /// Returns whether the command line sets nothing but the game.
    fn has_no_settings(&self, options: &Options) -> bool {
        self.side.is_none()
            && self.clock.is_empty()
            && !self.ask_rules
            && !self.auto_level
            && self.start == GameStart::Usual
            && !is_strength_set(options)
            && non_default_rules(options).is_empty()
    }

    /// Runs the lesson if the command line requests it, or if this is the player's first game of
    /// its kind and the player accepts the offer. Returns `false` if no game follows.
    fn run_lesson_if_wanted(
        &self,
        options: &Options,
        stored: &[StoredGame],
        store: &GameStore,
        terminal: &mut Terminal,
        out: &Output,
    ) -> Result<bool, PlayError> {
        if self.learn {
            return run_lesson(options, terminal, out);
        }
        let word = all_game_words()[options.combo_value(&GAME_OPTION)];
        let is_first = stored.iter().all(|game| game.game != word);
        if !store.is_enabled() || !is_first || self.load.is_some() || !self.has_no_settings(options)
        {
            return Ok(true);
        }
        let question =
            format!("This is your first game of {}. Begin with a lesson?", game_name(word));
        let choices = [
            PossibleAnswer {
                word: "yes",
                description: "learn the moves in a few small tasks".into(),
            },
            PossibleAnswer { word: "no", description: "play at once".into() },
        ];
        match ask_choice(["Lesson", &question], &choices, 0, terminal, out)? {
            None => Ok(false),
            Some("yes") => run_lesson(options, terminal, out),
            Some(_) => Ok(true),
        }
    }

    /// Creates the clocks, if there are any.
    ///
    /// # Errors
    /// If the rules have no loss on time, or if the number of settings does not fit the players.
    fn create_clocks(&self, session: &dyn Session) -> Result<Option<Clocks>, ClockError> {
        if self.clock.is_empty() {
            return Ok(None);
        }
        let can_lose_on_time = !session.game_status().may.flag.is_empty();
        if !can_lose_on_time && session.game_state().outcome.is_none() {
            return Err(ClockError::NoTimeLimit);
        }
        Clocks::new(&self.clock, session.game_constants().players.len()).map(Some)
    }

    /// Returns who plays. The command line or a question at a terminal decides. Without both, a
    /// person is the first player. The question offers the side of the last game. Returns `None` if
    /// the player quits.
    ///
    /// # Errors
    /// If the game does not have the side, or the input cannot be read.
    fn choose_players(
        &self,
        session: &dyn Session,
        last: Option<&StoredSettings>,
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
        choices.push(PossibleAnswer {
            word: RANDOM_SIDE_WORD,
            description: "chance decides your side".into(),
        });
        let default = index_of_word(&choices, last.map(|last| last.side.as_str())).unwrap_or(0);
        let question = ["Side", "Which side do you play?"];
        let side = ask_choice(question, &choices, default, terminal, out)?;
        Ok(side.map(|side| parse_players("side", side, session)).transpose()?)
    }
}

/// Asks for the engine's level. The question offers the level of the last game. Returns `None` if
/// the player quits.
fn ask_level(
    last: Option<&StoredSettings>,
    auto: AutoLevel,
    terminal: &mut Terminal,
    out: &Output,
) -> Result<Option<&'static str>, TerminalError> {
    let mut choices = option_value_choices(&LEVEL_OPTION);
    let description = format!("adapts to your results, so that you win half; now {auto}");
    choices.push(PossibleAnswer { word: AUTO_LEVEL_WORD, description });
    let auto_word = last.and_then(|last| last.auto).map(|_| AUTO_LEVEL_WORD);
    let level = auto_word.or(last.and_then(|last| last.level.as_deref()));
    let default = index_of_word(&choices, level).unwrap_or(DEFAULT_LEVEL_INDEX);
    ask_choice(["Level", "How strong is the engine?"], &choices, default, terminal, out)
}

/// The words for handicaps in the question about the start. No game has more handicaps.
const HANDICAP_WORDS: [&str; 3] = ["handicap1", "handicap2", "handicap3"];

/// Asks for the way in which the game begins. Returns `None` if the player quits.
fn ask_game_start(
    options: &Options,
    players: &[PlayerKind],
    terminal: &mut Terminal,
    out: &Output,
) -> Result<Option<GameStart>, TerminalError> {
    let Starts { balanced, handicaps } = Starts::new(options, None);
    let mut choices =
        vec![PossibleAnswer { word: "usual", description: "the start position".into() }];
    let mut starts = vec![GameStart::Usual];
    if balanced.is_some() {
        let description = "a random opening from which either side can win".into();
        choices.push(PossibleAnswer { word: "balanced", description });
        starts.push(GameStart::Balanced);
    }
    if players.len() == 2 {
        let description = "the second player may swap sides after the first move".into();
        choices.push(PossibleAnswer { word: "swap", description });
        starts.push(GameStart::Swap);
    }
    if matches!(
        players,
        [PlayerKind::Person, PlayerKind::Engine] | [PlayerKind::Engine, PlayerKind::Person]
    ) {
        for (number, (word, handicap)) in (1..).zip(HANDICAP_WORDS.into_iter().zip(&handicaps)) {
            choices.push(PossibleAnswer { word, description: handicap_sentence(handicap) });
            starts.push(GameStart::Handicap(number));
        }
    }
    let answer = ask_choice(["Start", "How does the game begin?"], &choices, 0, terminal, out)?;
    Ok(index_of_word(&choices, answer).map(|index| starts[index]))
}

/// Loads the game of a file. If the file names no game, the options choose the game.
fn load_game(engine: &mut Engine, file: &Path) -> Result<(), UnusableGameFileError> {
    let is_named = engine.options.is_set(&GAME_OPTION);
    let named = all_game_words()[engine.options.combo_value(&GAME_OPTION)];
    let GameFileText { text, number, notes } = read_record_file_text(file)?;
    engine.load_record(&text, number)?;
    let found = all_game_words()[engine.options.combo_value(&GAME_OPTION)];
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

/// If the options name no game, asks for the game and sets it. The question offers the kind of the
/// `last` game. Returns `false` if the player quits.
///
/// # Errors
/// If there is no terminal on which to ask, or the input cannot be read.
pub fn ask_game_if_not_chosen(
    options: &mut Options,
    last: Option<&StoredGame>,
    terminal: &mut Terminal,
    out: &Output,
) -> Result<bool, PlayError> {
    if options.is_set(&GAME_OPTION) || all_games().len() == 1 {
        return Ok(true);
    }
    if !terminal.is_interactive() {
        return Err(PlayError::NoGame);
    }
    let mut choices = Vec::new();
    for GameDefinition { word, name, summary, .. } in all_games() {
        choices.push(PossibleAnswer { word, description: format!("{name}: {summary}") });
    }
    // The others keep their order.
    choices.sort_by_key(|choice| choice.word != NEWCOMER_GAME_WORD);
    let default = index_of_word(&choices, last.map(|last| last.game)).unwrap_or(0);
    let Some(game) = ask_choice(["Game", "Which game?"], &choices, default, terminal, out)? else {
        return Ok(false);
    };
    set_option(options, &GAME_OPTION, game).map_err(PlayError::Option)?;
    Ok(true)
}

/// Returns whether the options set how well the engine plays.
pub(super) fn is_strength_set(options: &Options) -> bool {
    [LEVEL_OPTION.spec, ELO_OPTION.spec].iter().any(|spec| options.is_set(spec))
}

/// Returns the settings of the last game of the kind that the options choose, or else of the last
/// game.
fn last_settings<'a>(options: &Options, stored: &'a [StoredGame]) -> Option<&'a StoredSettings> {
    let word = all_game_words()[options.combo_value(&GAME_OPTION)];
    let same = stored.iter().find(|game| game.game == word);
    same.or(stored.first()).map(|game| &game.settings)
}

/// Returns the name of the game with this word.
pub(super) fn game_name(word: &str) -> &str {
    all_games().iter().find(|entry| entry.word == word).map_or(word, |entry| entry.name)
}

/// Returns the index of the choice with this word.
fn index_of_word(choices: &[PossibleAnswer], word: Option<&str>) -> Option<usize> {
    choices.iter().position(|choice| Some(choice.word) == word)
}

fn set_option(options: &mut Options, spec: &OptionSpec, value: &str) -> Result<(), EngineError> {
    Ok(options.set(spec, value)?)
}

/// Returns the values of a combo option as the choices of a question.
fn option_value_choices(spec: &OptionSpec) -> Vec<PossibleAnswer> {
    let OptionKind::Combo { values, .. } = spec.kind else { return Vec::new() };
    values.iter().map(|word| PossibleAnswer { word, description: String::new() }).collect()
}

/// Asks a question until the answer is [one of the words](match_typed_word) of the choices. An
/// empty line means the default. Returns `None` if the player quits. `topic` is the prompt.
pub(super) fn ask_choice(
    [topic, question]: [&str; 2],
    choices: &[PossibleAnswer],
    default: usize,
    terminal: &mut Terminal,
    out: &Output,
) -> Result<Option<&'static str>, TerminalError> {
    let words: Vec<&'static str> = choices.iter().map(|choice| choice.word).collect();
    let width = words.iter().map(|word| word.len()).max().unwrap_or(0);
    let text_width = terminal.screen().wrap_width();
    let mut list = terminal.screen().wrap(question);
    for (number, PossibleAnswer { word, description }) in (1..).zip(choices) {
        let line = format!("{number:2}. {word:width$}  {description}");
        let indent = " ".repeat(line.len() - description.len());
        list += &format!("\n{}", wrap_text_to_width(line.trim_end(), &indent, text_width));
    }
    out.write_lines(&list);
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
