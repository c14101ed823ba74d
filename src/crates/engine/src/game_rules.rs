//! Provides values and prose that depend only on the rules of a game.

use std::collections::BTreeMap;

use serde::Serialize;

use pentarch_core::rules::options::REPETITION_DRAW_OPTION;
use pentarch_core::view::lesson::LessonStep;
use pentarch_core::view::rules_page;
use pentarch_core::view::rules_text::RulesText;
use pentarch_core::{LoadableFile, Options};
use pentarch_games::{Game, GameId, GameOperation};

use super::error::{EngineError, EngineFault};

/// A guided first game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Lesson {
    /// The rules under which the tasks are played: names of options and their values.
    pub options: BTreeMap<&'static str, String>,
    /// The tasks in order. The last one wins the game.
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
    /// A hint how to solve the task, for people.
    pub hint: &'static str,
    /// The message that people see after they have solved the task. It says what the task teaches.
    pub done: &'static str,
}

/// Returns the text that explains the rules of a game.
///
/// # Errors
/// If the game has no such text.
pub fn rules_text(game: GameId) -> Result<RulesText<'static>, EngineError> {
    struct RulesTextOperation;
    impl GameOperation for RulesTextOperation {
        type Output = Result<RulesText<'static>, EngineError>;

        fn run_for_game<G: Game>(self) -> Self::Output {
            Ok(rules_page::parse_rules_text::<G>()?)
        }
    }
    game.run(RulesTextOperation)
}

/// Returns the text that explains the rules of a game, as `pentarch rules` prints it. With a topic,
/// returns only this topic.
///
/// # Errors
/// If the game has no such text or topic.
pub fn printed_rules_text(game: GameId, topic: Option<&str>) -> Result<String, EngineError> {
    struct PrintedRulesOperation<'a>(Option<&'a str>);
    impl GameOperation for PrintedRulesOperation<'_> {
        type Output = Result<String, EngineError>;

        fn run_for_game<G: Game>(self) -> Self::Output {
            Ok(rules_page::format_rules::<G>(self.0)?)
        }
    }
    game.run(PrintedRulesOperation(topic))
}

/// Returns a summary of the rules that these options choose, in at most ten lines; `None` if the
/// game has no summary.
pub fn rules_summary(options: &Options) -> Option<String> {
    struct RulesSummaryOperation<'a>(&'a Options);
    impl GameOperation for RulesSummaryOperation<'_> {
        type Output = Option<String>;

        fn run_for_game<G: Game>(self) -> Self::Output {
            rules_page::rules_summary(&G::from_options(self.0))
        }
    }
    GameId::from_options(options).run(RulesSummaryOperation(options))
}

/// Returns the lesson of this game: its guided first game.
///
/// # Errors
/// If the game has no lesson.
pub fn load_lesson(game: GameId) -> Result<Lesson, EngineError> {
    struct LessonOperation;
    impl GameOperation for LessonOperation {
        type Output = Result<Lesson, EngineError>;

        fn run_for_game<G: Game>(self) -> Self::Output {
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
    }
    game.run(LessonOperation)
}

/// Returns the files for searches by these rules that are not loaded yet.
pub(crate) fn missing_search_files(options: &Options) -> Vec<&'static dyn LoadableFile> {
    struct MissingSearchFilesOperation<'a>(&'a Options);
    impl GameOperation for MissingSearchFilesOperation<'_> {
        type Output = Vec<&'static dyn LoadableFile>;

        fn run_for_game<G: Game>(self) -> Self::Output {
            let mut files = G::from_options(self.0).search_data_files();
            files.retain(|file| !file.is_file_loaded());
            files
        }
    }
    GameId::from_options(options).run(MissingSearchFilesOperation(options))
}
