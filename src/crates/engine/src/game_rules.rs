//! Values and prose that depend on the rules of a game alone.

use std::collections::BTreeMap;

use serde::Serialize;

use pentarch_core::rules::options::REPETITION_DRAW;
use pentarch_core::view::lesson::LessonStep;
use pentarch_core::view::rules_page;
use pentarch_core::view::rules_text::RulesText;
use pentarch_core::{LoadableFile, Options};
use pentarch_games::{Game, GameId, Visitor};

use super::error::{EngineError, Fault};

/// A guided first game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Lesson {
    /// The options of the rules, with the values by which the tasks are done.
    pub options: BTreeMap<&'static str, String>,
    /// The tasks, in their order. The last one wins the game.
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
    /// The moves that do the task, in canonical notation.
    pub moves: &'static [&'static str],
    /// A hint for people.
    pub hint: &'static str,
    /// The lesson that was learned, for people.
    pub done: &'static str,
}

/// Returns the text that teaches the rules of a game.
///
/// # Errors
/// If the game has none.
pub fn rules_text(game: GameId) -> Result<RulesText<'static>, EngineError> {
    struct Read;
    impl Visitor for Read {
        type Output = Result<RulesText<'static>, EngineError>;

        fn visit<G: Game>(self) -> Self::Output {
            Ok(rules_page::parse_rules_text::<G>()?)
        }
    }
    game.visit(Read)
}

/// Returns the text that teaches the rules of a game, or one topic of it, printed.
///
/// # Errors
/// If the game has no such text or topic.
pub fn printed_rules(game: GameId, topic: Option<&str>) -> Result<String, EngineError> {
    struct Print<'a>(Option<&'a str>);
    impl Visitor for Print<'_> {
        type Output = Result<String, EngineError>;

        fn visit<G: Game>(self) -> Self::Output {
            Ok(rules_page::print_rules::<G>(self.0)?)
        }
    }
    game.visit(Print(topic))
}

/// Returns the rules that these options choose in at most ten lines; none if the game does not have them so.
pub fn rules_in_short(options: &Options) -> Option<String> {
    struct Summarise<'a>(&'a Options);
    impl Visitor for Summarise<'_> {
        type Output = Option<String>;

        fn visit<G: Game>(self) -> Self::Output {
            rules_page::summary(&G::from_options(self.0))
        }
    }
    GameId::chosen(options).visit(Summarise(options))
}

/// Returns the guided first game of a game.
///
/// # Errors
/// If it has none.
pub fn lesson(game: GameId) -> Result<Lesson, EngineError> {
    struct Teach;
    impl Visitor for Teach {
        type Output = Result<Lesson, EngineError>;

        fn visit<G: Game>(self) -> Self::Output {
            if G::LESSON.is_empty() {
                return Err(Fault::NoLesson { game: G::NAME }.into());
            }
            let rules = G::OPTIONS.iter().chain([&REPETITION_DRAW.spec]);
            let task = |&LessonStep { text, fen, moves, hint, done }: &LessonStep| LessonTask {
                text,
                fen,
                moves,
                hint,
                done,
            };
            Ok(Lesson {
                options: rules.map(|spec| (spec.name, spec.default_value().to_string())).collect(),
                tasks: G::LESSON.iter().map(task).collect(),
            })
        }
    }
    game.visit(Teach)
}

/// Returns the files that searches by these rules take and that the program lacks.
pub fn lacking_files(options: &Options) -> Vec<&'static dyn LoadableFile> {
    struct List<'a>(&'a Options);
    impl Visitor for List<'_> {
        type Output = Vec<&'static dyn LoadableFile>;

        fn visit<G: Game>(self) -> Self::Output {
            let mut files = G::from_options(self.0).files();
            files.retain(|file| !file.is_loaded());
            files
        }
    }
    GameId::chosen(options).visit(List(options))
}
