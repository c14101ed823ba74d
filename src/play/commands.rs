//! Parses the commands of a game at the terminal. Any other word is a move.

use pentarch_core::notation::parsing::{
    join_with_or, nearest_known_word, quote_for_message, spelling_hint,
};
use thiserror::Error;

/// A command. [`help_of_all_commands`] describes each.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "each is the command of its name; `help` describes them")]
pub enum Command {
    /// Any other word: a move, not yet parsed.
    Move(String),
    Help,
    Board,
    Moves(Option<String>),
    Hint,
    Why,
    Known,
    Eval,
    Count(Option<String>),
    Undo,
    Redo,
    Go,
    Flip,
    StrengthLevel(Option<String>),
    Side(Option<String>),
    Rules(Option<String>),
    Comment(Option<String>),
    Mark(Option<String>),
    Variation(String),
    Tag(String),
    Annotate,
    Record,
    Save(String),
    Load(String),
    New(Option<String>),
    Clock,
    Resign,
    Draw,
    Swap,
    Review,
    Retry(Option<String>),
    Practise,
    Quit,
}

/// The reason why a line is neither a command nor a move.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum PlayInputLineError {
    /// The line has several words, and the first of them is not a command.
    #[error(
        "one move or one command per line: there is no command {}{}. 'help' lists them",
        quote_for_message(.word),
        spelling_hint(*.nearest)
    )]
    UnknownCommand {
        /// The first word of the line.
        word: String,
        /// The command that is most similar to the word.
        nearest: Option<&'static str>,
    },
    /// A command without arguments has an argument.
    #[error("{} takes no argument; found {}", quote_for_message(.command), quote_for_message(.found))]
    UnexpectedArgument {
        /// The command without arguments.
        command: &'static str,
        /// The argument that is not allowed.
        found: String,
    },
    /// The argument of a command is missing.
    #[error("the argument is missing: {command} {argument}")]
    NoArgument {
        /// The command that needs the argument.
        command: &'static str,
        /// The argument, as `help` calls it.
        argument: &'static str,
    },
}

/// The error for a word that matches no word of a list, or several of them.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum WordChoiceError {
    /// The word matches no word of the list.
    #[error(
        "expected a number from 1 to {}, or {}; not {}{}",
        .words.len(),
        join_with_or(.words),
        quote_for_message(.typed),
        spelling_hint(*.nearest)
    )]
    Unknown {
        /// The word as the user typed it.
        typed: String,
        /// The words of the list.
        words: Vec<&'static str>,
        /// The most similar word of the list.
        nearest: Option<&'static str>,
    },
    /// The word is the beginning of several words of the list.
    #[error("{} can be {}: type more of the word", quote_for_message(.typed), join_with_or(.candidates))]
    Ambiguous {
        /// The word as the user typed it.
        typed: String,
        /// The words of the list that begin with the typed word.
        candidates: Vec<&'static str>,
    },
}

/// A word that is a command.
struct TerminalCommand {
    /// The name, and its aliases.
    names: &'static [&'static str],
    /// The argument, as `help` shows it.
    argument: &'static str,
    /// The description of the command for `help`.
    summary: &'static str,
    syntax: CommandSyntax,
}

/// The syntax of a command: whether the command has an argument, and the function that creates the
/// command.
enum CommandSyntax {
    NoArgument(Command),
    Optional(fn(Option<String>) -> Command),
    Required(fn(String) -> Command),
}

const fn new_terminal_command(
    names: &'static [&'static str],
    argument: &'static str,
    summary: &'static str,
    syntax: CommandSyntax,
) -> TerminalCommand {
    TerminalCommand { names, argument, summary, syntax }
}

use CommandSyntax::{NoArgument, Optional, Required};

/// All command words, in the order of `help`.
const TERMINAL_COMMANDS: &[TerminalCommand] = &[
    new_terminal_command(
        &["hint"],
        "",
        "a good move, and the expected line",
        NoArgument(Command::Hint),
    ),
    new_terminal_command(
        &["moves"],
        "[POINT]",
        "the legal moves, or those that name a point",
        Optional(Command::Moves),
    ),
    new_terminal_command(
        &["rules"],
        "[TOPIC]",
        "the rules of the game, or one topic",
        Optional(Command::Rules),
    ),
    new_terminal_command(
        &["why"],
        "",
        "the rule that forbids the last rejected move",
        NoArgument(Command::Why),
    ),
    new_terminal_command(
        &["known"],
        "",
        "who wins for certain, and by which source",
        NoArgument(Command::Known),
    ),
    new_terminal_command(&["eval"], "", "who is better, and why", NoArgument(Command::Eval)),
    new_terminal_command(
        &["count"],
        "[MOVE]",
        "what players count, and what a move changes",
        Optional(Command::Count),
    ),
    new_terminal_command(
        &["undo"],
        "",
        "take back your last move and the reply to it",
        NoArgument(Command::Undo),
    ),
    new_terminal_command(
        &["redo"],
        "",
        "play the moves again that 'undo' took back",
        NoArgument(Command::Redo),
    ),
    new_terminal_command(&["board"], "", "show the board again", NoArgument(Command::Board)),
    new_terminal_command(
        &["flip"],
        "",
        "show the board from the other side",
        NoArgument(Command::Flip),
    ),
    new_terminal_command(
        &["go"],
        "",
        "let the engine move for the side to move",
        NoArgument(Command::Go),
    ),
    new_terminal_command(
        &["level"],
        "[LEVEL]",
        "show or set the engine's level: a name, a number or auto",
        Optional(Command::StrengthLevel),
    ),
    new_terminal_command(
        &["side"],
        "[SIDE]",
        "show or set your side; 'both' ('all' of four) or 'none'",
        Optional(Command::Side),
    ),
    new_terminal_command(
        &["draw"],
        "",
        "offer a draw, if the rules have draws by agreement",
        NoArgument(Command::Draw),
    ),
    new_terminal_command(
        &["swap"],
        "",
        "take over the first side after its first move (--fair swap)",
        NoArgument(Command::Swap),
    ),
    new_terminal_command(&["resign"], "", "resign the game", NoArgument(Command::Resign)),
    new_terminal_command(
        &["clock"],
        "",
        "the time left of each player",
        NoArgument(Command::Clock),
    ),
    new_terminal_command(
        &["review"],
        "",
        "review the game: the accuracy and the turning points",
        NoArgument(Command::Review),
    ),
    new_terminal_command(
        &["retry"],
        "[N]",
        "return to the position before a turning point",
        Optional(Command::Retry),
    ),
    new_terminal_command(
        &["practise"],
        "",
        "find a better move at each turning point",
        NoArgument(Command::Practise),
    ),
    new_terminal_command(
        &["annotate"],
        "",
        "write the review into the record of the game",
        NoArgument(Command::Annotate),
    ),
    new_terminal_command(
        &["comment"],
        "[TEXT]",
        "comment on the last move, or delete the comment",
        Optional(Command::Comment),
    ),
    new_terminal_command(
        &["mark"],
        "[MARK]",
        "mark the last move with !, ?, !!, ??, !? or ?!, or unmark it",
        Optional(Command::Mark),
    ),
    new_terminal_command(
        &["variation"],
        "MOVES",
        "add moves that could have been played instead",
        Required(Command::Variation),
    ),
    new_terminal_command(
        &["tag"],
        "NAME [TEXT]",
        "set a player (P1, P2), the Date or the Event",
        Required(Command::Tag),
    ),
    new_terminal_command(
        &["record"],
        "",
        "the record of the game, with all notes",
        NoArgument(Command::Record),
    ),
    new_terminal_command(&["save"], "FILE", "save the game in a new file", Required(Command::Save)),
    new_terminal_command(&["load"], "FILE", "load the game of a file", Required(Command::Load)),
    new_terminal_command(
        &["new"],
        "[GAME]",
        "start another game, by the same rules or of another kind",
        Optional(Command::New),
    ),
    new_terminal_command(&["help", "?"], "", "this list", NoArgument(Command::Help)),
    new_terminal_command(
        &["quit", "q", "exit"],
        "",
        "leave the program",
        NoArgument(Command::Quit),
    ),
];

/// Returns the names of all commands.
pub fn command_names() -> impl Iterator<Item = &'static str> + Clone {
    TERMINAL_COMMANDS.iter().flat_map(|word| word.names.iter().copied())
}

/// Returns the words that Tab completes: these moves, then the commands.
pub fn tab_completions(moves: &[String]) -> Vec<String> {
    moves
        .iter()
        .cloned()
        .chain(command_names().filter(|name| name.len() > 1).map(String::from))
        .collect()
}

/// Parses a line; returns `None` if it is empty.
///
/// # Errors
/// If a command lacks its argument, a command has an unexpected argument, or the first of several
/// words is not a command.
pub fn parse_command(line: &str) -> Result<Option<Command>, PlayInputLineError> {
    let line = line.trim();
    let (name, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim();
    if name.is_empty() {
        return Ok(None);
    }
    let Some(word) = TERMINAL_COMMANDS
        .iter()
        .find(|word| word.names.iter().any(|known| known.eq_ignore_ascii_case(name)))
    else {
        if rest.is_empty() {
            return Ok(Some(Command::Move(name.into())));
        }
        let nearest = nearest_known_word(name, command_names());
        return Err(PlayInputLineError::UnknownCommand { word: name.into(), nearest });
    };
    let command = word.names[0];
    Ok(Some(match (&word.syntax, rest) {
        (NoArgument(command), "") => command.clone(),
        (NoArgument(_), _) => {
            return Err(PlayInputLineError::UnexpectedArgument { command, found: rest.into() });
        }
        (Optional(create), "") => create(None),
        (Optional(create), _) => create(Some(rest.into())),
        (Required(_), "") => {
            return Err(PlayInputLineError::NoArgument { command, argument: word.argument });
        }
        (Required(create), _) => create(rest.into()),
    }))
}

/// Returns the word of a list that the user means. The user may type the number of the word from 1,
/// the whole word in any case, or a unique prefix.
///
/// # Errors
/// If no word or several words match. The error names the words.
pub fn match_typed_word(
    words: &[&'static str],
    typed: &str,
) -> Result<&'static str, WordChoiceError> {
    if let Ok(number) = typed.parse::<usize>()
        && let Some(word) = words.get(number.wrapping_sub(1))
    {
        return Ok(word);
    }
    let mut candidates = Vec::new();
    for &word in words {
        if word.eq_ignore_ascii_case(typed) {
            return Ok(word);
        }
        if word.get(..typed.len()).is_some_and(|start| start.eq_ignore_ascii_case(typed)) {
            candidates.push(word);
        }
    }
    match candidates[..] {
        [only] => Ok(only),
        [] => Err(WordChoiceError::Unknown {
            typed: typed.into(),
            words: words.into(),
            nearest: nearest_known_word(typed, words.iter().copied()),
        }),
        _ => Err(WordChoiceError::Ambiguous { typed: typed.into(), candidates }),
    }
}

/// Returns the list of commands.
pub fn help_of_all_commands() -> String {
    let mut text =
        "Type a move ('moves' lists them, Tab completes), or one of these:\n".to_string();
    for word in TERMINAL_COMMANDS {
        let form = format!("{} {}", word.names.join(", "), word.argument);
        text += &format!("  {:15} {}\n", form.trim_end(), word.summary);
    }
    text + "Ctrl-C stops the engine's thinking: it moves at once. Ctrl-D quits."
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_are_not_commands_are_moves() {
        assert_eq!(parse_command("  "), Ok(None));
        assert_eq!(parse_command("e2"), Ok(Some(Command::Move("e2".into()))));
        assert_eq!(parse_command(" Undo "), Ok(Some(Command::Undo)));
        assert_eq!(parse_command("q"), Ok(Some(Command::Quit)));
        assert_eq!(parse_command("moves"), Ok(Some(Command::Moves(None))));
        assert_eq!(parse_command("moves  e2"), Ok(Some(Command::Moves(Some("e2".into())))));
        assert_eq!(parse_command("save my game"), Ok(Some(Command::Save("my game".into()))));
        for line in ["undo now", "save", "e2 e4", "hnt me"] {
            assert!(parse_command(line).is_err(), "{line}");
        }
        let unknown =
            PlayInputLineError::UnknownCommand { word: "levle".into(), nearest: Some("level") };
        assert_eq!(parse_command("levle casual"), Err(unknown));
    }

    #[test]
    fn chooses_words_by_number_or_prefix() {
        let words = ["alcaxar", "alquerque", "bushka"];
        let all = [("2", "alquerque"), ("Bushka", "bushka"), ("ALC", "alcaxar"), ("b", "bushka")];
        assert!(all.into_iter().all(|(typed, word)| match_typed_word(&words, typed) == Ok(word)));
        assert_eq!(
            match_typed_word(&words, "al").unwrap_err().to_string(),
            "'al' can be alcaxar or alquerque: type more of the word"
        );
        let error = "expected a number from 1 to 3, or alcaxar, alquerque or bushka; not 'bus hka' (did you mean 'bushka'?)";
        assert_eq!(match_typed_word(&words, "bus hka").unwrap_err().to_string(), error);
        assert!(
            ["0", "4", "-1", "ä"].into_iter().all(|typed| match_typed_word(&words, typed).is_err())
        );
    }

    #[test]
    fn the_help_fits_into_80_columns() {
        assert!(
            help_of_all_commands().lines().all(|line| line.chars().count() < 80),
            "{}",
            help_of_all_commands()
        );
    }
}
