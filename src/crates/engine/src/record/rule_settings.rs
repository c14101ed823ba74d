//! The rules that a record names.

use pentarch_core::Options;
use pentarch_core::notation::record::GameRecord;

use crate::engine_state::{game_specific_options, non_default_rules, rule_options};
use crate::error::EngineError;

use super::checks::check_record_tags;
use super::error::RecordError;

/// Returns the options for a record. These are the options in the record, the defaults for all
/// other rules of its game, and `options` for everything else.
///
/// # Errors
/// If the record names an unknown game or option, or contains a tag or an option twice.
pub fn options_from_record(record: &GameRecord, options: &Options) -> Result<Options, EngineError> {
    check_record_tags(record)?;
    let mut options = options.clone();
    let game = record.tag_values("Game").next().ok_or(RecordError::NoGameTag)?;
    options.set(&crate::games::GAME_OPTION, game)?;
    set_rules_from_settings(&mut options, record.tag_values("Option"))?;
    Ok(options)
}

/// Adds the game and the rules of these options to a record that names no game. Returns the game in
/// that case.
pub fn add_missing_game_and_rules(record: &mut GameRecord, options: &Options) -> Option<String> {
    if record.tag_values("Game").next().is_some() {
        return None;
    }
    let game = options.value(&crate::games::GAME_OPTION).to_string();
    let mut tags = vec![("Game".to_string(), game.clone())];
    for (spec, value) in non_default_rules(options) {
        let is_same = |setting: &str| {
            setting.split('=').next().is_some_and(|name| name.eq_ignore_ascii_case(spec.name))
        };
        if !record.tag_values("Option").any(is_same) {
            tags.push(("Option".into(), format!("{}={value}", spec.name)));
        }
    }
    record.tags.splice(0..0, tags);
    Some(game)
}

/// Sets the rules of a game from strings of the form `GAME_NAME=VALUE`, and all other rules of the
/// game to their defaults.
///
/// # Errors
/// If the game has no such rule, or if the rule does not accept the value.
pub fn set_rules_from_settings<'a>(
    options: &mut Options,
    settings: impl IntoIterator<Item = &'a str>,
) -> Result<(), EngineError> {
    for spec in rule_options(options) {
        options.reset_option(spec);
    }
    for setting in settings {
        options.set_rule_text(game_specific_options(options), setting)?;
    }
    Ok(())
}
