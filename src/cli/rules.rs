//! The subcommand `rules`: explains the rules of a game to people.

use clap::Args;

use crate::cli::CliError;
use crate::io::output::Output;
use crate::io::pager;
use crate::play::rules_text_for_people;
use crate::play::terminal::Screen;
use pentarch_core::Options;
use pentarch_engine::games::{RulesId, all_game_words};
use pentarch_engine::rules_info::rules_text;

use super::select_game_by_word;

/// Explains the rules of a game, with diagrams.
///
/// With a topic it prints this part of the rules. Without a topic it prints all rules. On a
/// terminal a summary in ten lines precedes them: the aim, a turn, and the end of the game. Without
/// a game it lists the games and their topics. Diagrams with 'before' and 'after' show the effect
/// of a move.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES_HELP)]
pub(super) struct RulesCommandArguments {
    /// The game, unless --game names it
    #[arg(value_name = "GAME")]
    word: Option<String>,
    /// The topic
    topic: Option<String>,
    /// Print the text without a pager, even on a terminal
    #[arg(long)]
    no_pager: bool,
}

const EXAMPLES_HELP: &str = "\
Examples:
  pentarch rules             the games and their topics
  pentarch rules roses       the rules of Guerre des Deux Roses
  pentarch rules roses plan  a first plan for a beginner
  pentarch rules roses | less

On a terminal a pager shows the text: $PAGER, or less, or otherwise page by page. An empty $PAGER, TERM=dumb and
--no-pager turn it off.

docs/rules has the same texts, a page for each game.";

impl RulesCommandArguments {
    /// Prints a topic of the rules of a game, or without a topic all rules. Without a game, prints
    /// a list of the games and their topics. `chosen` is the game of --game. If `chosen` is set,
    /// the only word is the topic.
    ///
    /// # Errors
    /// Returns an error in these cases:
    /// - There are two words for the game.
    /// - The game has no text of its rules.
    /// - There is no such topic.
    pub(super) fn run(
        &self,
        chosen: Option<&str>,
        options: Options,
        out: &Output,
    ) -> Result<(), CliError> {
        let (word, topic) = match (chosen, self.word.as_deref(), self.topic.as_deref()) {
            (None, word, topic) => (word, topic),
            (Some(_), topic, None) => (chosen, topic),
            (Some(_), _, Some(_)) => {
                return Err(CliError::InvalidArguments(
                    "the game is named twice: by --game, and as a word".into(),
                ));
            }
        };
        match word {
            Some(word) => {
                let options = select_game_by_word(options, word)?;
                let text = rules_text_for_people(&options, Screen::of_standard_output(), topic)
                    .map_err(super::invalid_arguments_error)?;
                pager::show_in_pager(&text, !self.no_pager, out);
            }
            None => print_rules_topics(out),
        }
        Ok(())
    }
}

fn print_rules_topics(out: &Output) {
    let width = all_game_words().iter().map(|word| word.len()).max().unwrap_or(0);
    for (game, word) in all_game_words().iter().enumerate() {
        let topics = match rules_text(RulesId::for_two_players(game)) {
            Ok(text) => text.topic_names().collect::<Vec<_>>().join(" "),
            Err(error) => format!("({error})"),
        };
        out.write_lines(&format!("{word:width$} {topics}"));
    }
}
