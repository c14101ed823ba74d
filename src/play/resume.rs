//! Lists, resumes and offers stored games.

use std::collections::BTreeMap;
use std::io::{self, ErrorKind};
use std::time::Duration;

use crate::io::host::SystemHost;
use crate::io::output::{Output, print_to_stderr};
use pentarch_core::Options;
use pentarch_core::notation::parsing::escape_for_terminal;
use pentarch_engine::engine_options::LEVEL_OPTION;
use pentarch_engine::engine_state::{Engine, rule_options};
use pentarch_engine::games::{GAME_OPTION, all_game_words, all_games};
use pentarch_system::WithErrorLocation;

use super::auto_level::{AUTO_LEVEL_WORD, AutoLevel, AutoLevels};
use super::clock::Clocks;
use super::error::{PlayError, UnusableGameFileError};
use super::game_start::GameStart;
use super::local_game::{LocalGame, parse_players};
use super::setup::{GameSetup, PossibleAnswer, ask_choice, game_name, is_strength_set};
use super::stored_games::{GameStore, StoredGame, StoredSettings};
use super::terminal::{Screen, Terminal};

/// The player's response to the offer of a stored game.
pub(super) enum StoredGameOfferReply {
    /// There is no game to offer, or the player prefers another one.
    None,
    /// The player continues this game.
    Accepted(Box<LocalGame>),
    /// The player quits.
    Quit,
}

impl GameSetup {
    /// Prints the stored games, the newest first. If the options name a game, prints only games of
    /// this kind.
    ///
    /// # Errors
    /// If no state is used.
    pub(super) fn list_stored_games(
        &self,
        stored: &[StoredGame],
        options: &Options,
        store: &GameStore,
        out: &Output,
    ) -> Result<(), PlayError> {
        if !store.is_enabled() {
            return Err(PlayError::NoState);
        }
        if !stored.iter().any(|game| is_of_chosen_game(game, options)) {
            out.write_unchanged("There are no stored games yet.\n");
        }
        for (number, game) in (1..).zip(stored).filter(|(_, game)| is_of_chosen_game(game, options))
        {
            let line = stored_game_line(number, game);
            out.write_unchanged(&format!("{}\n", Screen::of_standard_output().wrap(&line)));
        }
        Ok(())
    }

    /// Continues the stored game with this number, or the newest unfinished one. If the options
    /// name a game, only games of this kind count.
    ///
    /// # Errors
    /// If there is no such game, if another session has it, or if the options set rules.
    pub(super) fn resume_game(
        &self,
        number: Option<usize>,
        stored: &[StoredGame],
        options: Options,
        store: &mut GameStore,
    ) -> Result<LocalGame, PlayError> {
        if !store.is_enabled() {
            return Err(PlayError::NoState);
        }
        if let Some(rule) = explicit_rule_name(&options) {
            return Err(PlayError::ResumeRules { rule });
        }
        if let Some(number) = number {
            let game = number.checked_sub(1).and_then(|index| stored.get(index));
            let game = game.ok_or(PlayError::NoStoredGame { number })?;
            if !is_of_chosen_game(game, &options) {
                let named = all_game_words()[options.combo_value(&GAME_OPTION)];
                let error = UnusableGameFileError::OtherGame { found: game.game, named };
                return Err(error).with_file_path(game.path()).map_err(PlayError::Load);
            }
            return self.continue_stored_game(game, stored, options, store);
        }
        let mut last_error = PlayError::NothingToResume;
        for game in
            stored.iter().filter(|game| game.is_unfinished() && is_of_chosen_game(game, &options))
        {
            match self.continue_stored_game(game, stored, options.clone(), store) {
                Ok(game) => return Ok(game),
                Err(error) => last_error = error,
            }
        }
        Err(last_error)
    }

    /// Continues a stored game, with its level unless the command line sets another.
    ///
    /// # Errors
    /// If another session has the game, or if the file is damaged.
    fn continue_stored_game(
        &self,
        game: &StoredGame,
        stored: &[StoredGame],
        options: Options,
        store: &mut GameStore,
    ) -> Result<LocalGame, PlayError> {
        let path = game.path();
        let game = store.lock_game(game).with_file_path(path)?;
        let mut engine = Engine::new(options, SystemHost::shared_host());
        engine
            .load_record(&game.record, None)
            .map_err(UnusableGameFileError::from)
            .with_file_path(path)?;
        if let Some(level) = &game.settings.level
            && !is_strength_set(&engine.options)
        {
            engine
                .set_option(LEVEL_OPTION.name, level)
                .map_err(UnusableGameFileError::from)
                .with_file_path(path)?;
        }
        let StoredSettings { auto, has_swapped, .. } = game.settings;
        let damaged = |error| io::Error::new(ErrorKind::InvalidData, error);
        let players = parse_players("side", &game.settings.side, engine.session.as_ref())
            .map_err(|error| damaged(error.to_string()))
            .with_file_path(path)?;
        let mut moves: Vec<usize> =
            engine.session.game_moves().turns.iter().map(|&(player, _)| player).collect();
        if has_swapped.is_some() && players.len() != 2
            || has_swapped == Some(true) && moves.is_empty()
        {
            let error = damaged("its players cannot have swapped sides".into());
            return Err(error).with_file_path(path).map_err(Into::into);
        }
        if has_swapped == Some(true) {
            // The player who made the first move has the other side now.
            moves[0] = 1 - moves[0];
        }
        let clocks = match &game.settings.clocks {
            None => None,
            Some(clocks) => Some(
                Clocks::from_stored_text(clocks, players.len(), &moves)
                    .ok_or_else(|| damaged("it has other clocks than the game".into()))
                    .with_file_path(path)?,
            ),
        };
        let is_auto = self.auto_level || (auto.is_some() && !is_strength_set(&engine.options));
        let mut game = LocalGame::new(engine, players, Duration::from_secs(self.seconds));
        game.clocks = clocks;
        if let Some(has_swapped) = has_swapped {
            game.start = GameStart::Swap;
            game.has_swapped = has_swapped;
        }
        game.auto_levels = AutoLevels { is_on: is_auto, by_game: stored_auto_levels(stored) };
        Ok(game)
    }

    /// Offers to continue the newest unfinished game that no other session has. If the options name
    /// a game, only games of this kind count.
    pub(super) fn offer_stored_game(
        &self,
        stored: &[StoredGame],
        options: &Options,
        store: &mut GameStore,
        terminal: &mut Terminal,
        out: &Output,
    ) -> Result<StoredGameOfferReply, PlayError> {
        let Some(game) = newest_resumable_game(stored, options, store) else {
            return Ok(StoredGameOfferReply::None);
        };
        let question = format!(
            "Continue your game of {} after {} ({})?",
            game_name(game.game),
            number_with_unit(game.move_count as u64, "move"),
            age_text(game.age())
        );
        let choices = [
            PossibleAnswer { word: "yes", description: "continue it".into() },
            PossibleAnswer {
                word: "no",
                description: "begin another; 'pentarch play --resume' still continues it".into(),
            },
        ];
        match ask_choice(["Continue", &question], &choices, 0, terminal, out)? {
            None => Ok(StoredGameOfferReply::Quit),
            Some("yes") => match self.continue_stored_game(game, stored, options.clone(), store) {
                Ok(game) => Ok(StoredGameOfferReply::Accepted(Box::new(game))),
                // A damaged game must not prevent another one.
                Err(error) => {
                    store.unlock_current_game();
                    print_to_stderr(&error.to_string());
                    Ok(StoredGameOfferReply::None)
                }
            },
            Some(_) => Ok(StoredGameOfferReply::None),
        }
    }
}

/// Returns the newest unfinished game that no other session has. If the options name a game, only
/// games of this kind count.
fn newest_resumable_game<'a>(
    stored: &'a [StoredGame],
    options: &Options,
    store: &mut GameStore,
) -> Option<&'a StoredGame> {
    for game in
        stored.iter().filter(|game| game.is_unfinished() && is_of_chosen_game(game, options))
    {
        let is_free = store.lock_game(game).is_ok();
        store.unlock_current_game();
        if is_free {
            return Some(game);
        }
    }
    None
}

/// Returns the level `auto` of each game: that of its newest stored game at this level.
pub(super) fn stored_auto_levels(stored: &[StoredGame]) -> BTreeMap<&'static str, AutoLevel> {
    let mut levels = BTreeMap::new();
    for game in stored {
        if let Some(level) = game.settings.auto {
            levels.entry(game.game).or_insert(level);
        }
    }
    levels
}

/// Returns the name of a rule option of any game that the options set.
fn explicit_rule_name(options: &Options) -> Option<&'static str> {
    let mut rules = all_games().iter().flat_map(|game| game.options).chain(rule_options(options));
    rules.find(|rule| options.is_set(rule)).map(|rule| rule.name)
}

/// Returns the line of the list for a stored game. Its file may come from anywhere.
fn stored_game_line(number: usize, game: &StoredGame) -> String {
    let StoredSettings { side, level, auto, .. } = &game.settings;
    let level = auto.map(|_| AUTO_LEVEL_WORD).or(level.as_deref());
    let level = level.map_or_else(String::new, |level| format!(", {level}"));
    let result = if game.is_unfinished() { "unfinished" } else { &game.result };
    escape_for_terminal(&format!(
        "{number:2}  {:9}  {:>9}  {result:10}  {side}{level}, {}",
        game.game,
        number_with_unit(game.move_count as u64, "move"),
        age_text(game.age())
    ))
}

/// Returns whether a game is of the kind that the options name, if they name one.
fn is_of_chosen_game(game: &StoredGame, options: &Options) -> bool {
    let named = all_game_words()[options.combo_value(&GAME_OPTION)];
    !options.is_set(&GAME_OPTION) || game.game == named
}

/// Returns how long ago something was, in words.
fn age_text(age: Duration) -> String {
    let minutes = age.as_secs() / 60;
    let (number, unit) = match minutes {
        0 => return "just now".into(),
        1..60 => (minutes, "minute"),
        60..1440 => (minutes / 60, "hour"),
        _ => (minutes / 1440, "day"),
    };
    format!("{} ago", number_with_unit(number, unit))
}

/// Returns a number with its unit in the singular or the plural.
fn number_with_unit(number: u64, unit: &str) -> String {
    format!("{number} {unit}{}", if number == 1 { "" } else { "s" })
}
