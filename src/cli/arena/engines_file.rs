//! Parses the file of the engines of a tournament. Each line has the name of an engine, and flags
//! as on the command line.

use std::collections::HashSet;

use thiserror::Error;

use crate::arena::move_limit::MoveLimit;
use pentarch_core::Options;
use pentarch_core::notation::parsing::{did_you_mean_hint, quote_for_message, truncate_word};
use pentarch_core::rules::options::InvalidOptionValue;
use pentarch_engine::engine_options;
use pentarch_engine::error::EngineError;
use pentarch_search::strength_levels::StrengthLevel;
use pentarch_system::{LocatedError, WithErrorLocation};

use super::super::arguments::{EngineCommandWords, UnclosedQuote, split_command_words};
use super::super::level;
use super::super::settings::MalformedSetting;
use super::flag_value_parsers::{
    parse_clock_limit, parse_depth_limit, parse_elo, parse_move_time_limit, parse_node_limit,
};
use super::{OptionNameAndValue, find_rule_option, is_game_option, parse_setting};

const MAX_ENGINES: usize = 100;

/// The flags of an engine.
const ENGINE_FLAGS: [&str; 8] =
    ["--command", "--set", "--level", "--movetime", "--time", "--nodes", "--depth", "--rating"];

/// An error in the file of the engines.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub(crate) enum EnginesFileError {
    /// A line does not specify an engine.
    #[error(transparent)]
    Line(#[from] LocatedError<EngineSettingsLineError>),
    /// The number of engines is too small or too large.
    #[error("it has {count} engine{}: from 2 to {MAX_ENGINES} play", if *count == 1 { "" } else { "s" })]
    Count {
        /// The number of engines in the file.
        count: usize,
    },
}

/// An error in the line of an engine.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub(crate) enum EngineSettingsLineError {
    /// A quote is not closed.
    #[error(transparent)]
    Quote(#[from] UnclosedQuote),
    /// The line does not begin with a name.
    #[error("a line begins with the name of an engine, not with {}", quote_for_message(found))]
    Name {
        /// The first word of the line.
        found: String,
    },
    /// An earlier line has the same name.
    #[error("there are two engines {}", quote_for_message(name))]
    DuplicateName {
        /// The name that two lines have.
        name: String,
    },
    /// Engines have no such flag.
    #[error(
        "an engine has no flag {}{}; it has {}",
        quote_for_message(flag),
        did_you_mean_hint(flag, ENGINE_FLAGS),
        ENGINE_FLAGS.join(", ")
    )]
    UnknownFlag {
        /// The unknown flag.
        flag: String,
    },
    /// A flag is given twice.
    #[error("{flag} is given twice")]
    DuplicateFlag {
        /// The flag that is given twice.
        flag: String,
    },
    /// A flag has no value.
    #[error("{flag} needs a value")]
    NoValue {
        /// The flag without a value.
        flag: String,
    },
    /// A flag has an invalid value.
    #[error("{flag} {}: {error}", if value.is_empty() { "''".into() } else { truncate_word(value) })]
    Value {
        /// The flag with the invalid value.
        flag: String,
        /// The invalid value.
        value: String,
        /// The error of the value.
        error: FlagValueError,
    },
    /// A setting of one engine names a rule of the game. All engines must have the same rules.
    #[error("{name} applies to all engines: --game or --set of the command line sets it")]
    Rule {
        /// The name of the rule.
        name: String,
    },
    /// This program has no option with the name in the line.
    #[error(transparent)]
    UnknownOption(#[from] Box<EngineError>),
    /// An option of this program rejects the value.
    #[error(transparent)]
    OptionValue(#[from] InvalidOptionValue),
}

/// An error in the value of a flag.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub(crate) enum FlagValueError {
    /// The value has invalid syntax.
    #[error("{0}")]
    Syntax(String),
    /// A value of `--set` does not have the form `NAME=VALUE`.
    #[error(transparent)]
    Setting(#[from] MalformedSetting),
    /// A quote in the command of an engine is not closed.
    #[error(transparent)]
    Quote(#[from] UnclosedQuote),
    /// The command has no program.
    #[error("expected a program, perhaps with arguments")]
    NoProgram,
    /// There is no level with this name.
    #[error("there is no such level{}: {}", did_you_mean_hint(name, StrengthLevel::STRENGTH_LEVEL_NAMES), StrengthLevel::STRENGTH_LEVEL_NAMES.join(", "))]
    UnknownLevel {
        /// The name that is not a level.
        name: String,
    },
    /// The engine already has a limit.
    #[error("there is another limit already")]
    SecondLimit,
}

/// An engine as specified by its line.
#[derive(Debug, Default, PartialEq)]
pub(super) struct EngineSettingsLine {
    /// The name of the engine.
    pub name: String,
    /// The program of the engine and its arguments; empty if the engine is this program.
    pub command: EngineCommandWords,
    /// The options to set in the engine.
    pub settings: Vec<OptionNameAndValue>,
    /// The limit of the engine's moves, if the line has a limit.
    pub limit: Option<MoveLimit>,
    /// The fixed rating of the engine, if the line has a rating.
    pub rating: Option<f64>,
}

/// Parses the engines of a tournament under the rules in `options`. Empty lines and lines that
/// begin with `#` are skipped.
///
/// # Errors
/// If a line is invalid, or if there are fewer than two engines or too many. The error for a line
/// contains the line number.
pub(super) fn parse_engines(
    text: &str,
    options: &Options,
) -> Result<Vec<EngineSettingsLine>, EnginesFileError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut engines = Vec::new();
    let mut names = HashSet::new();
    for (number, text) in (1..).zip(text.lines().map(str::trim)) {
        if text.is_empty() || text.starts_with('#') {
            continue;
        }
        let line = parse_engine_settings_line(text, options).and_then(|line| {
            match names.insert(line.name.clone()) {
                true => Ok(line),
                false => Err(EngineSettingsLineError::DuplicateName { name: line.name }),
            }
        });
        engines.push(line.with_line_number(number)?);
    }
    match engines.len() {
        2..=MAX_ENGINES => Ok(engines),
        count => Err(EnginesFileError::Count { count }),
    }
}

fn parse_engine_settings_line(
    text: &str,
    options: &Options,
) -> Result<EngineSettingsLine, EngineSettingsLineError> {
    let mut words = split_command_words(text)?.into_iter();
    let mut line = EngineSettingsLine {
        name: words.next().unwrap_or_default(),
        ..EngineSettingsLine::default()
    };
    if line.name.is_empty() || line.name.starts_with("--") || line.name.contains(char::is_control) {
        return Err(EngineSettingsLineError::Name { found: line.name });
    }
    let mut seen = HashSet::new();
    while let Some(word) = words.next() {
        let (flag, joined) = match word.split_once('=') {
            Some((flag, value)) if flag.starts_with("--") => {
                (flag.to_string(), Some(value.to_string()))
            }
            _ => (word, None),
        };
        if !ENGINE_FLAGS.contains(&flag.as_str()) {
            return Err(EngineSettingsLineError::UnknownFlag { flag });
        }
        if flag != "--set" && !seen.insert(flag.clone()) {
            return Err(EngineSettingsLineError::DuplicateFlag { flag });
        }
        let Some(value) = joined.or_else(|| words.next()) else {
            return Err(EngineSettingsLineError::NoValue { flag });
        };
        if let Err(error) = set_engine_flag(&mut line, &flag, &value) {
            return Err(EngineSettingsLineError::Value { flag, value, error });
        }
    }
    check_engine_settings(&line, options)?;
    Ok(line)
}

fn set_engine_flag(
    line: &mut EngineSettingsLine,
    flag: &str,
    value: &str,
) -> Result<(), FlagValueError> {
    let limit = match flag {
        "--movetime" => Some(parse_move_time_limit(value)),
        "--time" => Some(parse_clock_limit(value)),
        "--nodes" => Some(parse_node_limit(value)),
        "--depth" => Some(parse_depth_limit(value)),
        _ => None,
    };
    let limit = limit.transpose().map_err(FlagValueError::Syntax)?;
    match flag {
        "--command" => {
            line.command = split_command_words(value)?;
            if line.command.first().is_none_or(String::is_empty) {
                return Err(FlagValueError::NoProgram);
            }
        }
        "--set" => line.settings.push(parse_setting(value)?),
        "--level" => {
            let name = level::level_name(value);
            if !StrengthLevel::STRENGTH_LEVEL_NAMES.contains(&name) {
                return Err(FlagValueError::UnknownLevel { name: name.into() });
            }
            line.settings.push((engine_options::LEVEL_OPTION.name.into(), name.into()));
        }
        "--rating" => line.rating = Some(parse_elo(value).map_err(FlagValueError::Syntax)?),
        _ if line.limit.is_some() => return Err(FlagValueError::SecondLimit),
        _ => line.limit = limit,
    }
    Ok(())
}

/// Checks that no setting is a rule of the game. If the engine is this program, also checks that
/// this program accepts the settings. Other programs report invalid settings when they are started.
fn check_engine_settings(
    line: &EngineSettingsLine,
    options: &Options,
) -> Result<(), EngineSettingsLineError> {
    for (name, value) in &line.settings {
        if is_game_option(name) || find_rule_option(options, name).is_some() {
            return Err(EngineSettingsLineError::Rule { name: name.clone() });
        }
        if line.command.is_empty() {
            let spec = engine_options::find_option(name).map_err(Box::new)?;
            options.clone().set(spec, value)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_have_a_name_and_flags() {
        let text = "# engines\n\n 'the old' --command \"./old --quick 'a b'\" --nodes 7 --rating 1500\n\
            weak --level 1 --set Hash=2 --set=Threads=1 --time=10+5\nplain\n";
        let engines = parse_engines(text, &Options::default()).unwrap();
        let settings = |pairs: &[(&str, &str)]| {
            pairs.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect()
        };
        let expected = [
            EngineSettingsLine {
                name: "the old".into(),
                command: vec!["./old".into(), "--quick".into(), "a b".into()],
                limit: Some(MoveLimit::Nodes(7)),
                rating: Some(1500.0),
                ..EngineSettingsLine::default()
            },
            EngineSettingsLine {
                name: "weak".into(),
                settings: settings(&[("Level", "beginner"), ("Hash", "2"), ("Threads", "1")]),
                limit: parse_clock_limit("10+5").ok(),
                ..EngineSettingsLine::default()
            },
            EngineSettingsLine { name: "plain".into(), ..EngineSettingsLine::default() },
        ];
        assert_eq!(engines, expected);
    }

    #[test]
    fn reports_errors_in_lines() {
        let rejected = |line: &str, why: &str| {
            let engines = parse_engines(&format!("# engines\na\n{line}\n"), &Options::default());
            let error = engines.unwrap_err().to_string();
            assert!(error.starts_with("line 3: ") && error.contains(why), "{line}: {error}");
        };
        rejected(
            "b --nods 5",
            "an engine has no flag '--nods' (did you mean '--nodes'?); it has --command, --set, ",
        );
        rejected("b stray", "an engine has no flag 'stray'");
        rejected("--nodes 5", "a line begins with the name of an engine, not with '--nodes'");
        rejected("'' --nodes 5", "a line begins with the name of an engine, not with ''");
        rejected("a --nodes 5", "there are two engines 'a'");
        rejected("b --nodes", "--nodes needs a value");
        rejected("b --command ''", "--command '': expected a program");
        rejected("b --command \"''\"", ": expected a program, perhaps with arguments");
        rejected("b --nodes 0", "--nodes 0: expected a whole number from 1 to ");
        rejected("b --nodes 5 --depth 3", "--depth 3: there is another limit already");
        rejected("b --rating 5 --rating 6", "--rating is given twice");
        rejected("b --rating x", "--rating x: expected a number from -10000 to 10000");
        rejected("b --level begginer", "there is no such level (did you mean 'beginner'?)");
        rejected("b --set Hsh=3", "there is no option 'Hsh' (did you mean 'Hash'?)");
        rejected("b --set Hash=x", "Hash takes a whole number");
        rejected("b --set Hash", "--set Hash: takes NAME=VALUE, not 'Hash'");
        rejected("b --set RepetitionDraw=true", "RepetitionDraw applies to all engines");
        rejected("b 'c", "a ' is not closed");
        let error = |text: &str| parse_engines(text, &Options::default()).unwrap_err().to_string();
        assert_eq!(error("# none\n"), "it has 0 engines: from 2 to 100 play");
        assert_eq!(error("a"), "it has 1 engine: from 2 to 100 play");
        let many: String = (0..101).map(|number| format!("e{number}\n")).collect();
        assert_eq!(error(&many), "it has 101 engines: from 2 to 100 play");
        // Another program may have other options.
        assert!(parse_engines("a\nb --command ./old --set Own=1", &Options::default()).is_ok());
    }
}
