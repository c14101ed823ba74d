//! The options that the flags set.

use crate::cli::Failure;
use crate::io::host::SystemHost;
use pentarch_core::Options;
use pentarch_core::notation::text::{did_you_mean, quoted};
use pentarch_engine::options as engine_options;
use pentarch_games::GameId;

use super::Arguments;

/// The options that the arguments set. The directory of tables that they name, if any, must exist.
pub(super) fn playing_options(arguments: &Arguments) -> Result<Options, Failure> {
    let options = options(arguments)?;
    engine_options::table_files(&options, &SystemHost).map_err(Failure::bad_arguments)?;
    Ok(options)
}

/// The options that the arguments set.
pub(super) fn options(arguments: &Arguments) -> Result<Options, Failure> {
    let mut options = game(arguments)?;
    set_all(&mut options, &arguments.settings)?;
    Ok(options)
}

/// Sets options by texts `NAME=VALUE`. There must be memory for a transposition table of the size that they set.
pub(super) fn set_all(options: &mut Options, settings: &[String]) -> Result<(), Failure> {
    for text in settings {
        let (name, value) =
            setting(text).map_err(|error| Failure::BadArguments(format!("--set {error}")))?;
        let spec = engine_options::find(&name).map_err(Failure::bad_arguments)?;
        options.set(spec, &value).map_err(Failure::bad_arguments)?;
    }
    if options.is_set(&engine_options::HASH) {
        engine_options::check_memory(options, 0, &SystemHost).map_err(Failure::bad_arguments)?;
    }
    Ok(())
}

/// Splits `NAME=VALUE`.
pub(super) fn setting(text: &str) -> Result<(String, String), String> {
    let parts =
        text.split_once('=').ok_or_else(|| format!("takes NAME=VALUE, not {}", quoted(text)))?;
    Ok((parts.0.into(), parts.1.into()))
}

/// The default options with the game that the arguments choose.
pub(super) fn game(arguments: &Arguments) -> Result<Options, Failure> {
    let options = Options::default();
    match &arguments.game {
        Some(word) => with_game(options, word),
        None => Ok(options),
    }
}

/// These options with the game that this word selects.
pub(super) fn with_game(mut options: Options, word: &str) -> Result<Options, Failure> {
    options.set(&pentarch_games::GAME, word).map_err(|_| {
        let hint = did_you_mean(word, GameId::WORDS.iter().copied());
        let fault =
            format!("there is no game {}{hint}; 'pentarch games' lists them all", quoted(word));
        Failure::BadArguments(fault)
    })?;
    Ok(options)
}
