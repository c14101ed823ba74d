//! Provides values and prose that depend only on the rules of a game.

use std::collections::BTreeMap;

use serde::Serialize;

use pentarch_core::rules::options::REPETITION_DRAW_OPTION;
use pentarch_core::view::lesson::LessonStep;
use pentarch_core::view::rules_text::RulesText;
use pentarch_core::{LoadableFile, Options};
use pentarch_games::Game;

use super::error::{EngineError, EngineFault};
use super::games::RulesId;

/// A guided first game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Lesson {
    /// The rules of the tasks, as names of options with their values.
    pub options: BTreeMap<&'static str, String>,
    /// The tasks in order. The last task wins the game.
    pub tasks: Vec<LessonTask>,
}

/// A task of a guided first game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct LessonTask {
    /// The task, in one or two sentences for people.
    pub text: &'static str,
    /// The FEN of the position.
    pub fen: &'static str,
    /// The moves that solve the task, in canonical notation.
    pub moves: &'static [&'static str],
    /// A hint for people on how to solve the task.
    pub hint: &'static str,
    /// The message that people see after they have solved the task. The message explains the lesson
    /// of the task.
    pub done: &'static str,
}

/// Returns the text that explains the rules of a game.
///
/// # Errors
/// If the game has no such text.
pub fn rules_text(rules: RulesId) -> Result<RulesText<'static>, EngineError> {
    rules.operations().rules_text()
}

/// Returns the text that explains the rules of a game, as `pentarch rules` prints it, in lines of
/// at most `width` columns. If `topic` is given, returns only this topic.
///
/// # Errors
/// If the game has no such text or topic.
#[cfg(feature = "console")]
pub fn printed_rules_text(
    rules: RulesId,
    topic: Option<&str>,
    width: usize,
) -> Result<String, EngineError> {
    rules.operations().printed_rules_text(topic, width)
}

/// Returns a summary of the rules that these options select, in lines of at most `width` columns;
/// `None` if the game has no summary.
#[cfg(feature = "console")]
pub fn rules_summary(options: &Options, width: usize) -> Option<String> {
    RulesId::from_options(options).operations().rules_summary(options, width)
}

/// Returns the lesson of this game: its guided first game.
///
/// # Errors
/// If the game has no lesson.
pub fn lesson_of_rules(rules: RulesId) -> Result<Lesson, EngineError> {
    rules.operations().lesson()
}

/// Returns the files that searches under these rules use and that are not loaded yet.
pub(crate) fn missing_search_files(options: &Options) -> Vec<&'static dyn LoadableFile> {
    RulesId::from_options(options).operations().missing_search_files(options)
}

/// Returns the lesson of the game `G`, like [`lesson_of_rules`].
pub(crate) fn lesson_of_game<G: Game>() -> Result<Lesson, EngineError> {
    if G::LESSON_STEPS.is_empty() {
        return Err(EngineFault::NoLesson { game: G::GAME_NAME }.into());
    }
    let rules = G::RULE_OPTIONS.iter().chain([&REPETITION_DRAW_OPTION.spec]);
    let task = |&LessonStep { text, fen, moves, hint, done }: &LessonStep| LessonTask {
        text,
        fen,
        moves,
        hint,
        done,
    };
    Ok(Lesson {
        options: rules.map(|spec| (spec.name, spec.default_value().to_string())).collect(),
        tasks: G::LESSON_STEPS.iter().map(task).collect(),
    })
}
