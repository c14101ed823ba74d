//! The file of the engines of a tournament: a line for each, with its name and flags in the words of the command line.

use std::collections::HashSet;

use thiserror::Error;

use crate::arena::limit::Limit;
use pentarch_core::Options;
use pentarch_core::notation::text::{did_you_mean, quoted, shortened};
use pentarch_core::rules::options::InvalidValue;
use pentarch_engine::error::EngineError;
use pentarch_engine::options as engine_options;
use pentarch_search::levels::Level;
use pentarch_system::{ErrorContext, Located};

use super::super::level;
use super::values::{OpenQuote, Words, clock, depth, elo, move_time, nodes, words};
use super::{Setting, is_game, rule, setting};

/// The most engines of a tournament.
const MOST: usize = 100;

/// The flags of a line.
const FLAGS: [&str; 8] =
    ["--command", "--set", "--level", "--movetime", "--time", "--nodes", "--depth", "--rating"];

/// An error of the file of the engines.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum EnginesFileError {
    /// A line does not specify an engine.
    #[error(transparent)]
    Line(#[from] Located<LineError>),
    /// The number of engines is not one of a tournament.
    #[error("it has {count} engine{}: from 2 to {MOST} play", if *count == 1 { "" } else { "s" })]
    Count {
        /// The number of engines.
        count: usize,
    },
}

/// An error of the line of an engine.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum LineError {
    /// A quote is not closed.
    #[error(transparent)]
    Quote(#[from] OpenQuote),
    /// The line does not begin with a name.
    #[error("a line begins with the name of an engine, not with {}", quoted(found))]
    Name {
        /// The first word.
        found: String,
    },
    /// A line above has the same name.
    #[error("there are two engines {}", quoted(name))]
    DuplicateName {
        /// The name.
        name: String,
    },
    /// An engine has no such flag.
    #[error(
        "an engine has no flag {}{}; it has {}",
        quoted(flag),
        did_you_mean(flag, FLAGS),
        FLAGS.join(", ")
    )]
    UnknownFlag {
        /// The flag.
        flag: String,
    },
    /// A flag occurs twice.
    #[error("{flag} is given twice")]
    DuplicateFlag {
        /// The flag.
        flag: String,
    },
    /// A flag has no value.
    #[error("{flag} needs a value")]
    NoValue {
        /// The flag.
        flag: String,
    },
    /// A flag has another value than it takes.
    #[error("{flag} {}: {error}", if value.is_empty() { "''".into() } else { shortened(value) })]
    Value {
        /// The flag.
        flag: String,
        /// The value.
        value: String,
        /// The error of the value.
        error: ValueError,
    },
    /// A setting is a rule of the game.
    #[error("{name} is a matter of all engines: --game or --set of the command line sets it")]
    Rule {
        /// The name of the rule.
        name: String,
    },
    /// This program has no option of the name.
    #[error(transparent)]
    UnknownOption(#[from] Box<EngineError>),
    /// An option of this program does not take the value.
    #[error(transparent)]
    OptionValue(#[from] InvalidValue),
}

/// An error of the value of a flag.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ValueError {
    /// The value does not have the form that the parser of the flag expects.
    #[error("{0}")]
    Form(String),
    /// A quote of the command is not closed.
    #[error(transparent)]
    Quote(#[from] OpenQuote),
    /// The command has no program.
    #[error("a program expected, perhaps with arguments")]
    NoProgram,
    /// No level has the name.
    #[error("there is no such level{}: {}", did_you_mean(name, Level::NAMES), Level::NAMES.join(", "))]
    UnknownLevel {
        /// The name.
        name: String,
    },
    /// The engine has a limit already.
    #[error("there is another limit already")]
    SecondLimit,
}

/// An engine as its line specifies it.
#[derive(Debug, Default, PartialEq)]
pub struct Line {
    /// Its name.
    pub name: String,
    /// The program and its arguments; empty for this program.
    pub command: Words,
    /// The options that are set.
    pub settings: Vec<Setting>,
    /// What limits its moves, if it has a limit of its own.
    pub limit: Option<Limit>,
    /// Its rating, if that is fixed.
    pub rating: Option<f64>,
}

/// Reads the engines of a tournament by these rules of a game. Empty lines and lines that begin with `#` are skipped.
///
/// # Errors
/// If a line is wrong, which the error names, or if there are fewer than two engines, or too many.
pub fn read(text: &str, options: &Options) -> Result<Vec<Line>, EnginesFileError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let (mut engines, mut names) = (Vec::new(), HashSet::new());
    for (number, text) in (1..).zip(text.lines().map(str::trim)) {
        if text.is_empty() || text.starts_with('#') {
            continue;
        }
        let line =
            read_line(text, options).and_then(|line| match names.insert(line.name.clone()) {
                true => Ok(line),
                false => Err(LineError::DuplicateName { name: line.name }),
            });
        engines.push(line.at_line(number)?);
    }
    match engines.len() {
        2..=MOST => Ok(engines),
        count => Err(EnginesFileError::Count { count }),
    }
}

fn read_line(text: &str, options: &Options) -> Result<Line, LineError> {
    let mut words = words(text)?.into_iter();
    let mut line = Line { name: words.next().unwrap_or_default(), ..Line::default() };
    if line.name.is_empty() || line.name.starts_with("--") || line.name.contains(char::is_control) {
        return Err(LineError::Name { found: line.name });
    }
    let mut seen = HashSet::new();
    while let Some(word) = words.next() {
        let (flag, joined) = match word.split_once('=') {
            Some((flag, value)) if flag.starts_with("--") => {
                (flag.to_string(), Some(value.to_string()))
            }
            _ => (word, None),
        };
        if !FLAGS.contains(&flag.as_str()) {
            return Err(LineError::UnknownFlag { flag });
        }
        if flag != "--set" && !seen.insert(flag.clone()) {
            return Err(LineError::DuplicateFlag { flag });
        }
        let Some(value) = joined.or_else(|| words.next()) else {
            return Err(LineError::NoValue { flag });
        };
        if let Err(error) = add(&mut line, &flag, &value) {
            return Err(LineError::Value { flag, value, error });
        }
    }
    check_settings(&line, options)?;
    Ok(line)
}

/// Adds the value of a flag to a line.
fn add(line: &mut Line, flag: &str, value: &str) -> Result<(), ValueError> {
    let limit = match flag {
        "--movetime" => move_time(value).map(Some),
        "--time" => clock(value).map(Some),
        "--nodes" => nodes(value).map(Some),
        "--depth" => depth(value).map(Some),
        _ => Ok(None),
    };
    let limit = limit.map_err(ValueError::Form)?;
    match flag {
        "--command" => {
            line.command = words(value)?;
            if line.command.first().is_none_or(String::is_empty) {
                return Err(ValueError::NoProgram);
            }
        }
        "--set" => line.settings.push(setting(value).map_err(ValueError::Form)?),
        "--level" => {
            let name = level::name(value);
            if !Level::NAMES.contains(&name) {
                return Err(ValueError::UnknownLevel { name: name.into() });
            }
            line.settings.push((engine_options::LEVEL.name.into(), name.into()));
        }
        "--rating" => line.rating = Some(elo(value).map_err(ValueError::Form)?),
        _ if line.limit.is_some() => return Err(ValueError::SecondLimit),
        _ => line.limit = limit,
    }
    Ok(())
}

/// Checks that settings are no rules of the game, and that this program, if it is the engine, takes them. What other
/// programs take they say themselves when they are started.
fn check_settings(line: &Line, options: &Options) -> Result<(), LineError> {
    for (name, value) in &line.settings {
        if is_game(name) || rule(options, name).is_some() {
            return Err(LineError::Rule { name: name.clone() });
        }
        if line.command.is_empty() {
            let spec = engine_options::find(name).map_err(Box::new)?;
            options.clone().set(spec, value)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_a_name_and_flags() {
        let text = "# engines\n\n 'the old' --command \"./old --quick 'a b'\" --nodes 7 --rating 1500\n\
            weak --level 1 --set Hash=2 --set=Threads=1 --time=10+5\nplain\n";
        let engines = read(text, &Options::default()).unwrap();
        let settings = |pairs: &[(&str, &str)]| {
            pairs.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect()
        };
        let expected = [
            Line {
                name: "the old".into(),
                command: vec!["./old".into(), "--quick".into(), "a b".into()],
                limit: Some(Limit::Nodes(7)),
                rating: Some(1500.0),
                ..Line::default()
            },
            Line {
                name: "weak".into(),
                settings: settings(&[("Level", "beginner"), ("Hash", "2"), ("Threads", "1")]),
                limit: clock("10+5").ok(),
                ..Line::default()
            },
            Line { name: "plain".into(), ..Line::default() },
        ];
        assert_eq!(engines, expected);
    }

    #[test]
    fn what_is_wrong_with_a_line_is_said() {
        let refused = |line: &str, why: &str| {
            let read = read(&format!("# engines\na\n{line}\n"), &Options::default());
            let error = read.unwrap_err().to_string();
            assert!(error.starts_with("line 3: ") && error.contains(why), "{line}: {error}");
        };
        refused(
            "b --nods 5",
            "an engine has no flag '--nods' (did you mean '--nodes'?); it has --command, --set, ",
        );
        refused("b stray", "an engine has no flag 'stray'");
        refused("--nodes 5", "a line begins with the name of an engine, not with '--nodes'");
        refused("'' --nodes 5", "a line begins with the name of an engine, not with ''");
        refused("a --nodes 5", "there are two engines 'a'");
        refused("b --nodes", "--nodes needs a value");
        refused("b --command ''", "--command '': a program expected");
        refused("b --command \"''\"", ": a program expected, perhaps with arguments");
        refused("b --nodes 0", "--nodes 0: a whole number from 1 to ");
        refused("b --nodes 5 --depth 3", "--depth 3: there is another limit already");
        refused("b --rating 5 --rating 6", "--rating is given twice");
        refused("b --rating x", "--rating x: a number from -10000 to 10000 expected");
        refused("b --level begginer", "there is no such level (did you mean 'beginner'?)");
        refused("b --set Hsh=3", "there is no option 'Hsh' (did you mean 'Hash'?)");
        refused("b --set Hash=x", "Hash takes a whole number");
        refused("b --set Hash", "--set Hash: takes NAME=VALUE, not 'Hash'");
        refused("b --set RepetitionDraw=true", "RepetitionDraw is a matter of all engines");
        refused("b 'c", "a ' is not closed");
        let of = |text: &str| read(text, &Options::default()).unwrap_err().to_string();
        assert_eq!(of("# none\n"), "it has 0 engines: from 2 to 100 play");
        assert_eq!(of("a"), "it has 1 engine: from 2 to 100 play");
        let many: String = (0..101).map(|number| format!("e{number}\n")).collect();
        assert_eq!(of(&many), "it has 101 engines: from 2 to 100 play");
        // Another program may have other options.
        assert!(read("a\nb --command ./old --set Own=1", &Options::default()).is_ok());
    }
}
