//! Sets the options that the flags of the command line choose.

use crate::cli::CliError;
use crate::io::host::SystemHost;
use pentarch_core::Options;
use pentarch_core::notation::parsing::{did_you_mean_hint, quote_for_message};
use pentarch_engine::engine_options;
use pentarch_engine::games::all_game_words;
use thiserror::Error;

use super::Arguments;

/// The error for a setting that does not have the form `NAME=VALUE`. The field is the setting.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("takes NAME=VALUE, not {}", quote_for_message(.0))]
pub(crate) struct MalformedSetting(String);

/// Returns the options that the arguments set. The directory of tables, if set, must exist.
pub(super) fn options_with_existing_table_directory(
    arguments: &Arguments,
) -> Result<Options, CliError> {
    let options = options_from_arguments(arguments)?;
    engine_options::open_configured_tablebases(&options, &SystemHost)
        .map_err(CliError::invalid_arguments)?;
    Ok(options)
}

/// Returns the options that the arguments set.
pub(super) fn options_from_arguments(arguments: &Arguments) -> Result<Options, CliError> {
    let mut options = options_of_chosen_game(arguments)?;
    set_options(&mut options, &arguments.settings)?;
    Ok(options)
}

/// Sets options by strings `NAME=VALUE`. If the strings set the size of the transposition table,
/// there must be enough memory for the table.
pub(super) fn set_options(options: &mut Options, settings: &[String]) -> Result<(), CliError> {
    for setting in settings {
        let (name, value) = parse_setting(setting)
            .map_err(|error| CliError::InvalidArguments(format!("--set {error}")))?;
        let spec = engine_options::find_option(&name).map_err(CliError::invalid_arguments)?;
        options.set(spec, &value).map_err(CliError::invalid_arguments)?;
    }
    if options.is_set(&engine_options::HASH_OPTION) {
        engine_options::check_hash_memory(options, 0, &SystemHost)
            .map_err(CliError::invalid_arguments)?;
    }
    Ok(())
}

/// Splits `NAME=VALUE` into the name and the value.
///
/// # Errors
/// If the text does not contain `=`.
pub(super) fn parse_setting(text: &str) -> Result<(String, String), MalformedSetting> {
    let (name, value) = text.split_once('=').ok_or_else(|| MalformedSetting(text.into()))?;
    Ok((name.into(), value.into()))
}

/// Returns the default options with the game that the arguments choose.
pub(super) fn options_of_chosen_game(arguments: &Arguments) -> Result<Options, CliError> {
    let options = Options::default();
    match &arguments.game {
        Some(word) => select_game_by_word(options, word),
        None => Ok(options),
    }
}

/// Returns these options with the game that this word selects.
pub(super) fn select_game_by_word(mut options: Options, word: &str) -> Result<Options, CliError> {
    options.set(&pentarch_engine::games::GAME_OPTION, word).map_err(|_| {
        let hint = did_you_mean_hint(word, all_game_words().iter().copied());
        let error = format!(
            "there is no game {}{hint}; 'pentarch games' lists them all",
            quote_for_message(word)
        );
        CliError::InvalidArguments(error)
    })?;
    Ok(options)
}
