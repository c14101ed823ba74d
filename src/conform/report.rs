//! Checks all cases, and writes the differences for people.
//!
//! Each kind of difference under each sentence of the rules is written once, with its first case.
//! Further differences are only counted.

use std::collections::{BTreeMap, BTreeSet};

use thiserror::Error;

use pentarch_core::Options;
use pentarch_core::notation::parsing::escape_for_terminal;
use pentarch_engine::games::GAME_OPTION;

use super::case::ConformanceCase;
use super::checked_rule_sets::describe_rule_set;
use super::checker::queries::OptionalCommands;
use super::checker::reply_difference::{ReplyDifference, ReplyDifferenceKind};
use super::checker::{EngineUnderTest, RuleSetChecker, StartFailure};
use crate::arena::fault::MatchEngineFault;
use crate::arena::process::EngineStartError;
use crate::io::output::Output;
use crate::io::progress::ProgressLine;

/// The maximum number of characters of a reply in the report.
const MAX_REPLY_CHARACTERS: usize = 400;

/// The reason why the check failed.
#[derive(Debug, Error)]
pub enum ConformError {
    /// The engine does not start.
    #[error(transparent)]
    Start(EngineStartError),
    /// The engine ends, or does not respond.
    #[error("{rules}: {case}: {fault}")]
    Fault {
        /// The game and its options.
        rules: String,
        /// The case, as a line of JSON.
        case: String,
        /// The fault of the engine.
        fault: Box<MatchEngineFault>,
    },
    /// Replies differ.
    #[error("{differing} of {checked} cases differ")]
    Differences {
        /// The number of cases with a difference.
        differing: usize,
        /// The number of cases that were checked.
        checked: usize,
    },
    /// The engine has none of the games and rule sets.
    #[error("no case was checked")]
    NothingChecked,
}

/// Checks an engine, and counts its differences.
pub struct ConformanceChecker {
    engine: EngineUnderTest,
    out: Output,
    progress: ProgressLine,
    checked: usize,
    differing: usize,
    /// The number of differences of each kind under each sentence.
    counts: BTreeMap<DifferenceGroup, usize>,
    optional: OptionalCommands,
    /// The number of cases that the engine cannot play, by the game and the reason.
    unchecked: BTreeMap<String, usize>,
}

/// The differences that are reported together.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct DifferenceGroup {
    game: String,
    kind: ReplyDifferenceKind,
    rule: Option<String>,
}

impl ConformanceChecker {
    /// Creates a report without cases.
    pub fn new(engine: EngineUnderTest, out: Output) -> ConformanceChecker {
        ConformanceChecker {
            engine,
            out,
            progress: ProgressLine::begin("cases".into()),
            checked: 0,
            differing: 0,
            counts: BTreeMap::new(),
            optional: OptionalCommands::default(),
            unchecked: BTreeMap::new(),
        }
    }

    /// Checks cases of one rule set.
    ///
    /// # Errors
    /// If the engine does not start, ends or does not respond.
    pub fn check_rule_set(
        &mut self,
        options: &Options,
        cases: &[ConformanceCase],
    ) -> Result<(), ConformError> {
        let mut checker = match RuleSetChecker::start(&self.engine, options) {
            Ok(checker) => checker,
            Err(StartFailure::UnknownRules(error)) => {
                let error = escape_for_terminal(&error.error.to_string());
                let reason = format!("{}: {error}", options.value(&GAME_OPTION));
                *self.unchecked.entry(reason).or_default() += cases.len();
                return Ok(());
            }
            Err(StartFailure::Start(error)) => return Err(ConformError::Start(error)),
        };
        checker.optional = std::mem::take(&mut self.optional);
        for case in cases {
            self.progress.show(&format!("{}, {}", self.checked, describe_rule_set(options)));
            let differences = checker.check_case(case).map_err(|fault| ConformError::Fault {
                rules: describe_rule_set(options),
                case: case.to_line(),
                fault: Box::new(fault),
            })?;
            self.checked += 1;
            self.differing += usize::from(!differences.is_empty());
            for difference in differences {
                self.add_difference(options, &checker, difference);
            }
        }
        self.optional = checker.optional;
        Ok(())
    }

    /// Counts a difference, and writes the first one of its group.
    fn add_difference(
        &mut self,
        options: &Options,
        checker: &RuleSetChecker,
        difference: ReplyDifference,
    ) {
        let group = DifferenceGroup {
            game: options.value(&GAME_OPTION).to_string(),
            kind: difference.kind,
            rule: difference.rules.first().cloned(),
        };
        let count = self.counts.entry(group).or_default();
        *count += 1;
        if *count > 1 {
            return;
        }
        self.progress.clear();
        let ReplyDifference { kind, position, command, expected, reply, rules } = difference;
        let mut text = format!("{}: {}\n", describe_rule_set(options), kind.description());
        let mut add_row = |name: &str, value: &str| {
            let shown: String = value.chars().take(MAX_REPLY_CHARACTERS).collect();
            let dots = if shown.len() < value.len() { " ..." } else { "" };
            text += &format!("  {name:9} {}{dots}\n", escape_for_terminal(&shown));
        };
        add_row("position:", &position);
        if command != position {
            add_row("command:", &command);
        }
        if matches!(kind, ReplyDifferenceKind::MissingMove | ReplyDifferenceKind::ExtraMove) {
            add_row("missing:", &words_only_in(&expected, &reply));
            add_row("illegal:", &words_only_in(&reply, &expected));
        }
        add_row("expected:", &expected);
        add_row("reply:", &reply);
        for name in rules {
            let sentence = checker.rule_sentence(&name).unwrap_or_default();
            add_row("rule:", &format!("{name} {sentence}"));
        }
        self.out.write_lines(text.trim_end());
    }

    /// Writes the numbers of all differences, and what the engine lacks.
    ///
    /// # Errors
    /// If a case differs, or if no case was checked.
    pub fn finish(mut self) -> Result<(), ConformError> {
        self.progress.clear();
        for (DifferenceGroup { game, kind, rule }, count) in &self.counts {
            let rule = rule.as_ref().map_or(String::new(), |rule| format!(", rule {rule}"));
            self.out.write_lines(&format!("{game}: {}{rule}: {count}", kind.description()));
        }
        for (reason, count) in &self.unchecked {
            self.out.write_lines(&format!("{reason}; cases not checked: {count}"));
        }
        for (command, error) in &self.optional.missing {
            let error = error.as_ref().map_or_else(String::new, |error| {
                format!(" (error: {})", escape_for_terminal(error))
            });
            self.out.write_lines(&format!("the engine has no '{command}'{error}: not checked"));
        }
        match (self.checked, self.differing) {
            (0, _) => Err(ConformError::NothingChecked),
            (checked, 0) => {
                self.out.write_lines(&format!("all {checked} cases agree"));
                Ok(())
            }
            (checked, differing) => Err(ConformError::Differences { differing, checked }),
        }
    }
}

/// Returns the words of a list that are not in another list.
fn words_only_in(list: &str, other: &str) -> String {
    let other: BTreeSet<&str> = other.split_whitespace().collect();
    let words: Vec<&str> =
        list.split_whitespace().filter(|word| *word != "none" && !other.contains(word)).collect();
    words.join(" ")
}
