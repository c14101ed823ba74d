//! The words that can be typed in a game at the terminal. Whatever is none of them is a move.

use pentarch_core::notation::text::{hint, nearest, or_list, quoted};
use thiserror::Error;

/// A command. [`help`] says what each does.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "each is the command of its name; `help` says what they do")]
pub enum Command {
    /// What is no word: a move, not checked in any way.
    Move(String),
    Help,
    Board,
    Moves(Option<String>),
    Hint,
    Why,
    Eval,
    Undo,
    Redo,
    Go,
    Flip,
    Level(Option<String>),
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
    New,
    Resign,
    Draw,
    Review,
    Retry(Option<String>),
    Practise,
    Quit,
}

/// An error of a line that is not a command and not a move.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum LineError {
    /// The first of several words is not a command.
    #[error(
        "one move or one command a line: there is no command {}{}. 'help' lists them",
        quoted(.word),
        hint(*.nearest)
    )]
    UnknownCommand {
        /// The first word.
        word: String,
        /// The command that was probably meant.
        nearest: Option<&'static str>,
    },
    /// Something follows a command that takes nothing.
    #[error("{} stands alone; found {} behind it", quoted(.command), quoted(.found))]
    NotAlone {
        /// The command.
        command: &'static str,
        /// The text behind it.
        found: String,
    },
    /// Nothing follows a command that takes something.
    #[error("it takes more than the word: {command} {argument}")]
    NoArgument {
        /// The command.
        command: &'static str,
        /// The argument, as `help` calls it.
        argument: &'static str,
    },
}

/// An error of a word that chooses none of a list, or more than one.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ChoiceError {
    /// The word chooses none.
    #[error(
        "a number from 1 to {}, or {}; not {}{}",
        .words.len(),
        or_list(.words),
        quoted(.typed),
        hint(*.nearest)
    )]
    Unknown {
        /// The word.
        typed: String,
        /// The words of the list.
        words: Vec<&'static str>,
        /// The word of the list that was probably meant.
        nearest: Option<&'static str>,
    },
    /// The word is the beginning of several.
    #[error("{} can be {}: type more of the word", quoted(.typed), or_list(.candidates))]
    Ambiguous {
        /// The word.
        typed: String,
        /// The words of the list that begin with it.
        candidates: Vec<&'static str>,
    },
}

/// A command word: its names, its argument, what it does, and how its argument makes the command.
struct Word {
    names: &'static [&'static str],
    argument: &'static str,
    summary: &'static str,
    make: Make,
}

/// How a command is made of the text behind its word.
enum Make {
    /// There is no such text.
    Alone(Command),
    /// The text may be there.
    Optional(fn(Option<String>) -> Command),
    /// The text must be there.
    Required(fn(String) -> Command),
}

const fn word(
    names: &'static [&'static str],
    argument: &'static str,
    summary: &'static str,
    make: Make,
) -> Word {
    Word { names, argument, summary, make }
}

use Make::{Alone, Optional, Required};

/// All command words, in the order in which `help` lists them.
const WORDS: &[Word] = &[
    word(&["hint"], "", "a good move, and how the game would go on", Alone(Command::Hint)),
    word(
        &["moves"],
        "[POINT]",
        "the legal moves, or those that have to do with a point",
        Optional(Command::Moves),
    ),
    word(
        &["rules"],
        "[TOPIC]",
        "the rules of the game, or one topic of them",
        Optional(Command::Rules),
    ),
    word(&["why"], "", "which rule forbids the move that was refused last", Alone(Command::Why)),
    word(&["eval"], "", "who is better, and by what", Alone(Command::Eval)),
    word(&["undo"], "", "take your last move back, and the answer to it", Alone(Command::Undo)),
    word(&["redo"], "", "make again what 'undo' took back", Alone(Command::Redo)),
    word(&["board"], "", "show the board again", Alone(Command::Board)),
    word(&["flip"], "", "show the board from the other side", Alone(Command::Flip)),
    word(&["go"], "", "let the engine move for the side to move", Alone(Command::Go)),
    word(
        &["level"],
        "[LEVEL]",
        "how strong the engine is, or change it: a name or a number",
        Optional(Command::Level),
    ),
    word(
        &["side"],
        "[SIDE]",
        "which side you play, or 'both' ('all' of four), or 'none'",
        Optional(Command::Side),
    ),
    word(
        &["draw"],
        "",
        "offer a draw, where the rules know one by agreement",
        Alone(Command::Draw),
    ),
    word(&["resign"], "", "give the game up", Alone(Command::Resign)),
    word(
        &["review"],
        "",
        "go over the game: what each side lost, and where it turned",
        Alone(Command::Review),
    ),
    word(
        &["retry"],
        "[N]",
        "go back to before a turning point of the review",
        Optional(Command::Retry),
    ),
    word(&["practise"], "", "find a better move at each turning point", Alone(Command::Practise)),
    word(
        &["annotate"],
        "",
        "write what the review found into the record of the game",
        Alone(Command::Annotate),
    ),
    word(
        &["comment"],
        "[TEXT]",
        "say something of the last move, or take that back",
        Optional(Command::Comment),
    ),
    word(
        &["mark"],
        "[MARK]",
        "mark the last move with !, ?, !!, ??, !? or ?!, or with none",
        Optional(Command::Mark),
    ),
    word(
        &["variation"],
        "MOVES",
        "note what could have been played instead",
        Required(Command::Variation),
    ),
    word(
        &["tag"],
        "NAME [TEXT]",
        "name a player (P1, P2), the Date or the Event",
        Required(Command::Tag),
    ),
    word(&["record"], "", "the game with all that was said of it", Alone(Command::Record)),
    word(&["save"], "FILE", "keep the game in a new file", Required(Command::Save)),
    word(&["load"], "FILE", "take up the game of a file", Required(Command::Load)),
    word(&["new"], "", "begin another game by the same rules", Alone(Command::New)),
    word(&["help", "?"], "", "this list", Alone(Command::Help)),
    word(&["quit", "q", "exit"], "", "leave", Alone(Command::Quit)),
];

/// The names of all commands.
pub fn names() -> impl Iterator<Item = &'static str> + Clone {
    WORDS.iter().flat_map(|word| word.names.iter().copied())
}

/// What can be typed where these moves are legal: the moves, then the commands.
pub fn completions(moves: &[String]) -> Vec<String> {
    moves.iter().cloned().chain(names().filter(|name| name.len() > 1).map(String::from)).collect()
}

/// Reads a line; none if it is empty.
///
/// # Errors
/// If the line begins with a command, and what is behind it does not fit; or if it is more than one word, and the first
/// one is no command.
pub fn parse(line: &str) -> Result<Option<Command>, LineError> {
    let line = line.trim();
    let (name, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim();
    if name.is_empty() {
        return Ok(None);
    }
    let Some(word) =
        WORDS.iter().find(|word| word.names.iter().any(|known| known.eq_ignore_ascii_case(name)))
    else {
        return match rest.is_empty() {
            true => Ok(Some(Command::Move(name.into()))),
            false => {
                let nearest = nearest(name, names());
                Err(LineError::UnknownCommand { word: name.into(), nearest })
            }
        };
    };
    Ok(Some(match (&word.make, rest) {
        (Alone(command), "") => command.clone(),
        (Alone(_), _) => {
            return Err(LineError::NotAlone { command: word.names[0], found: rest.into() });
        }
        (Optional(make), "") => make(None),
        (Optional(make), _) => make(Some(rest.into())),
        (Required(_), "") => {
            let (command, argument) = (word.names[0], word.argument);
            return Err(LineError::NoArgument { command, argument });
        }
        (Required(make), _) => make(rest.into()),
    }))
}

/// The word of a list that is meant: by its number from 1, as a whole in any case, or by a beginning that no other word
/// has.
///
/// # Errors
/// If it is none of them, or if it can be several; the error names them.
pub fn chosen(words: &[&'static str], typed: &str) -> Result<&'static str, ChoiceError> {
    let by_number =
        typed.parse::<usize>().ok().and_then(|number| words.get(number.wrapping_sub(1)));
    let exact = || words.iter().find(|word| word.eq_ignore_ascii_case(typed));
    if let Some(word) = by_number.or_else(exact) {
        return Ok(word);
    }
    let begins = |word: &&str| {
        word.get(..typed.len()).is_some_and(|start| start.eq_ignore_ascii_case(typed))
    };
    let candidates: Vec<&'static str> = words.iter().copied().filter(begins).collect();
    match candidates[..] {
        [only] => Ok(only),
        [] => Err(ChoiceError::Unknown {
            typed: typed.into(),
            words: words.into(),
            nearest: nearest(typed, words.iter().copied()),
        }),
        _ => Err(ChoiceError::Ambiguous { typed: typed.into(), candidates }),
    }
}

/// The list of what can be typed.
pub fn help() -> String {
    let row = |word: &Word| {
        let form = format!("{} {}", word.names.join(", "), word.argument);
        format!("  {:15} {}", form.trim_end(), word.summary)
    };
    let rows: Vec<String> = WORDS.iter().map(row).collect();
    format!(
        "Type a move as its text ('moves' lists them; Tab completes), or one of these:\n{}\n\
         Ctrl-C stops the engine's thinking: it moves at once. Ctrl-D leaves.",
        rows.join("\n")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_commands_and_everything_else_is_a_move() {
        assert_eq!(parse("  "), Ok(None));
        assert_eq!(parse("e2"), Ok(Some(Command::Move("e2".into()))));
        assert_eq!(parse(" Undo "), Ok(Some(Command::Undo)));
        assert_eq!(parse("q"), Ok(Some(Command::Quit)));
        assert_eq!(parse("moves"), Ok(Some(Command::Moves(None))));
        assert_eq!(parse("moves  e2"), Ok(Some(Command::Moves(Some("e2".into())))));
        assert_eq!(parse("save my game"), Ok(Some(Command::Save("my game".into()))));
        for line in ["undo now", "save", "e2 e4", "hnt me"] {
            assert!(parse(line).is_err(), "{line}");
        }
        let unknown = LineError::UnknownCommand { word: "levle".into(), nearest: Some("level") };
        assert_eq!(parse("levle casual"), Err(unknown));
    }

    #[test]
    fn a_word_is_chosen_by_its_number_or_its_beginning() {
        let words = ["alcaxar", "alquerque", "bushka"];
        let all = [("2", "alquerque"), ("Bushka", "bushka"), ("ALC", "alcaxar"), ("b", "bushka")];
        assert!(all.into_iter().all(|(typed, word)| chosen(&words, typed) == Ok(word)));
        assert_eq!(
            chosen(&words, "al").unwrap_err().to_string(),
            "'al' can be alcaxar or alquerque: type more of the word"
        );
        let error = "a number from 1 to 3, or alcaxar, alquerque or bushka; not 'bus hka' (did you mean 'bushka'?)";
        assert_eq!(chosen(&words, "bus hka").unwrap_err().to_string(), error);
        assert!(["0", "4", "-1", "ä"].into_iter().all(|typed| chosen(&words, typed).is_err()));
    }

    #[test]
    fn the_help_fits_a_terminal_of_80_columns() {
        assert!(help().lines().all(|line| line.chars().count() < 80), "{}", help());
    }
}
