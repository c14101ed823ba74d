//! The file of the engines of a tournament: a line for each, with its name and flags in the words of the command line.

use std::collections::HashSet;

use crate::arena::limit::Limit;
use pentarch_core::Options;
use pentarch_core::notation::text::{did_you_mean, quoted, shortened};
use pentarch_engine::options as engine_options;
use pentarch_search::levels::Level;

use super::super::level;
use super::values::{Words, clock, depth, elo, move_time, nodes, words};
use super::{Setting, is_game, rule, setting};

/// The most engines of a tournament.
const MOST: usize = 100;

/// The flags of a line.
const FLAGS: [&str; 8] =
    ["--command", "--set", "--level", "--movetime", "--time", "--nodes", "--depth", "--rating"];

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
pub fn read(text: &str, options: &Options) -> Result<Vec<Line>, String> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let (mut engines, mut names) = (Vec::new(), HashSet::new());
    for (number, text) in (1..).zip(text.lines().map(str::trim)) {
        if text.is_empty() || text.starts_with('#') {
            continue;
        }
        let line =
            read_line(text, options).and_then(|line| match names.insert(line.name.clone()) {
                true => Ok(line),
                false => Err(format!("there are two engines {}", quoted(&line.name))),
            });
        engines.push(line.map_err(|error| format!("line {number}: {error}"))?);
    }
    match engines.len() {
        2..=MOST => Ok(engines),
        count => Err(format!(
            "it has {count} engine{}: from 2 to {MOST} play",
            if count == 1 { "" } else { "s" }
        )),
    }
}

fn read_line(text: &str, options: &Options) -> Result<Line, String> {
    let mut words = words(text)?.into_iter();
    let mut line = Line { name: words.next().unwrap_or_default(), ..Line::default() };
    if line.name.is_empty() || line.name.starts_with("--") || line.name.contains(char::is_control) {
        return Err(format!(
            "a line begins with the name of an engine, not with {}",
            quoted(&line.name)
        ));
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
            let hint = did_you_mean(&flag, FLAGS);
            return Err(format!(
                "an engine has no flag {}{hint}; it has {}",
                quoted(&flag),
                FLAGS.join(", ")
            ));
        }
        if flag != "--set" && !seen.insert(flag.clone()) {
            return Err(format!("{flag} is given twice"));
        }
        let value =
            joined.or_else(|| words.next()).ok_or_else(|| format!("{flag} needs a value"))?;
        let shown = if value.is_empty() { "''".into() } else { shortened(&value) };
        add(&mut line, &flag, &value).map_err(|error| format!("{flag} {shown}: {error}"))?;
    }
    check_settings(&line, options)?;
    Ok(line)
}

/// Adds the value of a flag to a line.
fn add(line: &mut Line, flag: &str, value: &str) -> Result<(), String> {
    let limit = match flag {
        "--movetime" => Some(move_time(value)?),
        "--time" => Some(clock(value)?),
        "--nodes" => Some(nodes(value)?),
        "--depth" => Some(depth(value)?),
        _ => None,
    };
    match flag {
        "--command" => {
            line.command = words(value)?;
            if line.command.first().is_none_or(String::is_empty) {
                return Err("a program expected, perhaps with arguments".into());
            }
        }
        "--set" => line.settings.push(setting(value)?),
        "--level" => {
            let name = level::name(value);
            if !Level::NAMES.contains(&name) {
                let hint = did_you_mean(name, Level::NAMES);
                return Err(format!("there is no such level{hint}: {}", Level::NAMES.join(", ")));
            }
            line.settings.push((engine_options::LEVEL.name.into(), name.into()));
        }
        "--rating" => line.rating = Some(elo(value)?),
        _ if line.limit.is_some() => return Err("there is another limit already".into()),
        _ => line.limit = limit,
    }
    Ok(())
}

/// Checks that settings are no rules of the game, and that this program, if it is the engine, takes them. What other
/// programs take they say themselves when they are started.
fn check_settings(line: &Line, options: &Options) -> Result<(), String> {
    for (name, value) in &line.settings {
        if is_game(name) || rule(options, name).is_some() {
            return Err(format!(
                "{name} is a matter of all engines: --game or --set of the command line sets it"
            ));
        }
        if line.command.is_empty() {
            let spec = engine_options::find(name)?;
            options.clone().set(spec, value).map_err(|error| error.to_string())?;
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
            let error = read(&format!("# engines\na\n{line}\n"), &Options::default()).unwrap_err();
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
        let of = |text: &str| read(text, &Options::default()).unwrap_err();
        assert_eq!(of("# none\n"), "it has 0 engines: from 2 to 100 play");
        assert_eq!(of("a"), "it has 1 engine: from 2 to 100 play");
        let many: String = (0..101).map(|number| format!("e{number}\n")).collect();
        assert_eq!(of(&many), "it has 101 engines: from 2 to 100 play");
        // Another program may have other options.
        assert!(read("a\nb --command ./old --set Own=1", &Options::default()).is_ok());
    }
}
