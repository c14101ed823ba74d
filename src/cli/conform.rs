//! The subcommand `conform`: checks whether an engine plays by the rules.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{ArgGroup, Args};

use crate::arena::move_limit::MoveLimit;
use crate::arena::process::EngineSpec;
use crate::arena::process_group;
use crate::cli::CliError;
use crate::conform::case::ConformanceCase;
use crate::conform::checked_rule_sets::{RuleSet, describe_rule_set, rule_sets_of_game};
use crate::conform::checker::EngineUnderTest;
use crate::conform::consistency::{RulesMethodCheck, check_consistency};
use crate::conform::generator::{CaseCounts, generate_cases, generate_conformance_cases};
use crate::conform::report::ConformanceChecker;
use crate::games::RunOperation;
use crate::io::interrupt::set_interrupt_handler;
use crate::io::output::{Output, print_to_stderr};
use crate::io::progress::ProgressLine;
use crate::io::whole_files::{check_output_path, read_regular_file, write_output_file};
use pentarch_core::Options;
use pentarch_core::rules::options::REPETITION_DRAW_OPTION;
use pentarch_engine::engine_state::new_game_session;
use pentarch_engine::games::{GAME_OPTION, RulesId, all_game_words};
use pentarch_system::WithErrorLocation;

use super::arguments::{
    EngineCommandWords, number_parser, parse_milliseconds, split_command_words,
};
use super::{exit_process, kill_engines_and_exit};

/// Checks whether an engine plays by the rules of a game.
///
/// The engine speaks UGI. It gets positions and moves, and its replies are compared with the rules.
/// For each kind of difference and each rule, the first difference is shown: the position, both
/// replies, and the sentence of the rules. Without --game all games are checked, and the option
/// Game of the engine chooses the game. The exit code is 0 only if all replies agree.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES_HELP)]
#[command(group = ArgGroup::new("action").args(["engine", "write"]).required(true))]
pub(super) struct ConformArguments {
    /// The engine: a program with its arguments
    #[arg(long, value_name = "COMMAND", value_parser = parse_engine_command)]
    engine: Option<EngineCommandWords>,
    /// Check the cases of this file, instead of generating them
    #[arg(long, value_name = "FILE", conflicts_with = "write")]
    cases: Option<PathBuf>,
    /// Write the cases to this new file, and check no engine
    #[arg(long, value_name = "FILE")]
    write: Option<PathBuf>,
    /// Seed of the generated cases
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number_parser::<u64>(0, u64::MAX))]
    seed: u64,
    /// Time that the engine has for a response
    #[arg(long, value_name = "MS", default_value = "60000", value_parser = parse_milliseconds)]
    patience: Duration,
}

const EXAMPLES_HELP: &str = "\
Examples:
  pentarch conform --engine 'python3 engine.py'
  pentarch conform --engine ./engine --game roses
  pentarch conform --write cases.jsonl
  pentarch conform --engine ./engine --cases cases.jsonl

docs/conformance.md describes the cases and the commands.";

impl ConformArguments {
    /// Checks an engine, or writes the cases. `chosen` is the word of the game, if there is one.
    ///
    /// # Errors
    /// If a file cannot be read or written, or if replies of the engine differ.
    pub(super) fn run(
        &self,
        chosen: Option<&str>,
        options: &Options,
        out: &Output,
    ) -> Result<(), CliError> {
        let game = chosen.is_some().then(|| options.combo_value(&GAME_OPTION));
        let is_wanted =
            |options: &Options| game.is_none_or(|game| options.combo_value(&GAME_OPTION) == game);
        let games: Vec<Vec<RuleSet>> = RulesId::all()
            .map(rule_sets_of_game)
            .filter(|sets| sets.iter().all(|set| is_wanted(&set.options)))
            .collect();
        if let Some(path) = &self.write {
            set_interrupt_handler(exit_process).map_err(CliError::command_failed)?;
            return self.write_cases(path, &games);
        }
        process_group::start_guard_process();
        set_interrupt_handler(kill_engines_and_exit).map_err(CliError::command_failed)?;
        let engine = EngineUnderTest {
            spec: EngineSpec {
                name: "engine".into(),
                // Without `--write` clap requires an engine.
                command: self.engine.clone().unwrap_or_default(),
                settings: Vec::new(),
                limit: MoveLimit::Nodes(1),
            },
            patience: self.patience,
            plays_several_games: game.is_none(),
        };
        let mut report = ConformanceChecker::new(engine, out.clone());
        let mut check = |cases: &[ConformanceCase]| -> Result<(), CliError> {
            for cases in cases.chunk_by(has_same_rules) {
                let Some(case) = cases.first() else { continue };
                let options = case.rule_set_options().map_err(CliError::command_failed)?;
                report.check_rule_set(&options, cases).map_err(CliError::command_failed)?;
            }
            Ok(())
        };
        match &self.cases {
            Some(path) => {
                let mut cases = self.read_cases(path)?;
                cases.retain(|case| game.is_none_or(|game| case.game == all_game_words()[game]));
                check(&cases)?;
            }
            None => self.for_each_rule_set(&games, &mut check)?,
        }
        report.finish().map_err(CliError::command_failed)
    }

    fn read_cases(&self, path: &Path) -> Result<Vec<ConformanceCase>, CliError> {
        let text =
            read_regular_file(path).with_file_path(path).map_err(CliError::command_failed)?;
        ConformanceCase::parse_lines(&text).with_file_path(path).map_err(CliError::command_failed)
    }

    /// Generates the cases of games, and passes on the cases of each rule set.
    fn for_each_rule_set(
        &self,
        games: &[Vec<RuleSet>],
        call: &mut dyn FnMut(&[ConformanceCase]) -> Result<(), CliError>,
    ) -> Result<(), CliError> {
        for sets in games {
            let Some(default) = sets.first() else { continue };
            call(&generate_conformance_cases(&default.options).map_err(CliError::command_failed)?)?;
            for set in sets {
                if set.is_major {
                    let mut options = set.options.clone();
                    // The option accepts this value, so the call cannot fail.
                    let _ = options.set(&REPETITION_DRAW_OPTION, "true");
                    RulesId::from_options(&options)
                        .run_operation(RulesMethodCheck(&set.options))
                        .map_err(CliError::command_failed)?;
                    let new_session = || new_game_session(&options);
                    check_consistency(describe_rule_set(&set.options), &new_session)
                        .map_err(CliError::command_failed)?;
                }
                call(&generate_cases(set, CaseCounts::of_rule_set(set), self.seed))?;
            }
        }
        Ok(())
    }

    fn write_cases(&self, path: &Path, games: &[Vec<RuleSet>]) -> Result<(), CliError> {
        check_output_path(path).map_err(CliError::invalid_arguments)?;
        let mut progress = ProgressLine::begin("cases".into());
        let mut lines = String::new();
        let mut count = 0;
        self.for_each_rule_set(games, &mut |cases| {
            for case in cases {
                lines += &case.to_line();
                lines.push('\n');
            }
            count += cases.len();
            progress.show(&count.to_string());
            Ok(())
        })?;
        progress.clear();
        write_output_file(path, lines.as_bytes())
            .with_file_path(path)
            .map(|()| print_to_stderr(&format!("{count} cases are written")))
            .map_err(CliError::command_failed)
    }
}

/// Parses the command of an engine, which must name a program.
fn parse_engine_command(text: &str) -> Result<EngineCommandWords, String> {
    let words = split_command_words(text).map_err(|error| error.to_string())?;
    match words.first() {
        Some(program) if !program.is_empty() => Ok(words),
        _ => Err("expected a program".into()),
    }
}

fn has_same_rules(one: &ConformanceCase, other: &ConformanceCase) -> bool {
    one.game == other.game && one.options == other.options
}
