//! The table of the commands: their names, usage, parsers and descriptions. The parser, `help` and
//! the hints in errors use this table.

use pentarch_core::OptionSpec;
use pentarch_core::notation::parsing::wrap_text;
use pentarch_engine::engine_options::all_options;

use super::command::Command;
use super::command_arguments::{
    ArgumentParser, parse_bench_arguments, parse_debug_arguments, parse_load_arguments,
    parse_no_arguments, parse_optional_word, parse_perft_arguments, parse_play_arguments,
    parse_position_arguments, parse_query_arguments, parse_record_arguments,
    parse_register_arguments, parse_set_option_arguments, parse_undo_arguments,
};
use super::go_arguments;

/// The indent of the lines that describe an option, except the first.
const OPTION_HELP_INDENT: &str = "    ";

/// The description and the parser of a command.
#[derive(Debug)]
pub struct CommandSpec {
    /// The forms of the command, with one form per line. The first word of each form is a name of
    /// the command.
    usage: &'static str,
    /// The parser of the arguments.
    pub(super) parse: ArgumentParser,
    /// A summary in one line.
    pub summary: &'static str,
    /// Further lines of the description.
    pub details: &'static [&'static str],
}

impl CommandSpec {
    const fn new(
        usage: &'static str,
        parse: ArgumentParser,
        summary: &'static str,
        details: &'static [&'static str],
    ) -> CommandSpec {
        CommandSpec { usage, parse, summary, details }
    }

    /// Returns the names of the command. The main name comes first.
    pub fn command_names(&self) -> impl Iterator<Item = &'static str> {
        self.usage.split('\n').map(|form| form.split(' ').next().unwrap_or(form))
    }
}

/// Returns the main form of a command.
pub fn command_usage(command: &CommandSpec) -> &'static str {
    command.usage.split('\n').next().unwrap_or(command.usage)
}

/// All commands, in the order of `help`.
pub const UGI_COMMANDS: &[CommandSpec] = &[
    CommandSpec::new(
        "help [COMMAND]",
        |line, rest| parse_optional_word(Command::Help, line, rest),
        "list the commands, or say more about one",
        &[],
    ),
    CommandSpec::new(
        "games",
        |_, rest| parse_no_arguments(Command::Games, rest),
        "list the games",
        &[],
    ),
    CommandSpec::new(
        "d",
        |_, rest| parse_no_arguments(Command::Diagram, rest),
        "draw the board, with the position string, key, legal moves and outcome",
        &[],
    ),
    CommandSpec::new(
        "play MOVE...",
        parse_play_arguments,
        "make one or more moves",
        &["All or none are made. 'undo' takes them back."],
    ),
    CommandSpec::new(
        "undo [N]",
        parse_undo_arguments,
        "take the last move back, or the last N",
        &[],
    ),
    CommandSpec::new(
        "resign [SIDE]",
        |line, rest| parse_optional_word(Command::Resign, line, rest),
        "resign for a side, or for the side to move",
        &["'undo' takes it back, as it takes back 'agree' and 'flag'."],
    ),
    CommandSpec::new(
        "agree",
        |_, rest| parse_no_arguments(Command::Agree, rest),
        "end the game as a draw by agreement, if the rules have one",
        &[],
    ),
    CommandSpec::new(
        "flag [SIDE]",
        |line, rest| parse_optional_word(Command::Flag, line, rest),
        "end the game because the time of a side, or of the side to move, has run out",
        &[],
    ),
    CommandSpec::new(
        "legal [MOVE]",
        |line, rest| parse_optional_word(Command::Legal, line, rest),
        "list the legal moves, or check a move and name the rule that forbids it",
        &[
            "Responds with 'legal N: ...', 'legal MOVE' in canonical notation, or 'illegal MOVE: reason'.",
        ],
    ),
    CommandSpec::new(
        "go [depth N] [nodes N] [mate N] [movetime MS] [p1time MS] [p2time MS] [p1inc MS] [p2inc MS] [movestogo N] \
         [infinite] [ponder] [perft N] [searchmoves MOVE...]",
        go_arguments::parse_go_arguments,
        "search the position and return the best move",
        &[
            "Without limits, or with 'infinite', it searches until 'stop'.",
            "depth N         at most N plies",
            "nodes N         at most N positions",
            "mate N          search for a win in N moves of the side to move",
            "movetime MS     this many milliseconds",
            "p1time, p2time  the remaining time of the first and second side; also wtime, btime, p3time, p4time",
            "p1inc, p2inc    the time that each move adds; also winc, binc, p3inc, p4inc",
            "movestogo N     moves until more time comes",
            "ponder          think on the opponent's time, until 'ponderhit' or 'stop'",
            "searchmoves     only these moves",
            "perft N         alone: count the leaves N plies deep, for each move",
        ],
    ),
    CommandSpec::new(
        "stop",
        |_, rest| parse_no_arguments(Command::Stop, rest),
        "end the search; it returns its best move",
        &[],
    ),
    CommandSpec::new(
        "eval",
        |_, rest| parse_no_arguments(Command::Eval, rest),
        "show the static evaluation and its parts",
        &[],
    ),
    CommandSpec::new(
        "drawoffer",
        |_, rest| parse_no_arguments(Command::DrawOffer, rest),
        "ask whether the engine accepts a draw",
        &[
            "It accepts if the rules have a draw by agreement and the last search scored its side as not better.",
        ],
    ),
    CommandSpec::new(
        "record [FILE]",
        parse_record_arguments,
        "show the game as a record, or write it to a new file",
        &[
            "The rules, the start, the moves and the outcome, in a format like PGN. An existing file is not changed.",
        ],
    ),
    CommandSpec::new(
        "load FILE[:NUMBER]|text RECORD",
        parse_load_arguments,
        "load the game of a record, with its rules",
        &[
            "NUMBER chooses a game if the file has several. If the record is invalid, the current game stays.",
        ],
    ),
    CommandSpec::new(
        "position startpos|fen FEN [moves MOVE...]",
        parse_position_arguments,
        "set up a position and make moves from it",
        &["If the command is invalid, the old position stays."],
    ),
    CommandSpec::new(
        "setoption name NAME [value VALUE]",
        parse_set_option_arguments,
        "set an option; 'help setoption' describes them",
        &[
            "Choosing a game, or changing a rule of the current game, sets its start position.",
            "The options are:",
        ],
    ),
    CommandSpec::new(
        "query gameover|p1turn|p2turn|turn|result|outcome|game|fen|moves|protocol|islegal MOVE|rules [TOPIC]|\
         known|board|scene [startpos|fen FEN] [moves MOVE...]|diagram [flip] [startpos|fen FEN] [moves MOVE...]|\
         clicks [SITE...]|details MOVE|counts [MOVE]",
        parse_query_arguments,
        "ask for one fact about the game",
        &[
            "Responds with 'response ...'. The response to 'known' (who wins for certain), 'rules' (a topic of the",
            "rules), 'board', 'scene', 'clicks', 'details', 'counts' (the numbers that players of the game count)",
            "and 'diagram' (a string with an SVG image) is JSON.",
        ],
    ),
    CommandSpec::new(
        "perft N",
        parse_perft_arguments,
        "count the leaves of the tree of legal moves N plies deep",
        &["The history starts here: only positions in the tree can repeat."],
    ),
    CommandSpec::new(
        "bench [DEPTH]",
        parse_bench_arguments,
        "search fixed positions of all games and report nodes and speed",
        &[],
    ),
    CommandSpec::new(
        "uginewgame\nucinewgame",
        |_, rest| parse_no_arguments(Command::NewGame, rest),
        "clear the results of earlier games; the position stays",
        &["The next 'isready' waits until the game's tables of solved positions are built."],
    ),
    CommandSpec::new(
        "ponderhit",
        |_, rest| parse_no_arguments(Command::PonderHit, rest),
        "the expected move was played: the clock runs now",
        &[],
    ),
    CommandSpec::new(
        "isready",
        |_, rest| parse_no_arguments(Command::IsReady, rest),
        "respond with 'readyok'",
        &[
            "After 'uginewgame' or 'ucinewgame' the response comes when the tables of the game are built.",
        ],
    ),
    CommandSpec::new(
        "ugi",
        |_, rest| parse_no_arguments(Command::Ugi, rest),
        "name the engine and its options, in the Universal Game Interface",
        &[],
    ),
    CommandSpec::new(
        "uci",
        |_, rest| parse_no_arguments(Command::Uci, rest),
        "the same, in the Universal Chess Interface",
        &[],
    ),
    CommandSpec::new(
        "debug on|off",
        parse_debug_arguments,
        "accepted as in UCI, without effect",
        &[],
    ),
    CommandSpec::new(
        "register ...",
        parse_register_arguments,
        "accepted as in UCI, without effect",
        &[],
    ),
    CommandSpec::new(
        "quit",
        |_, rest| parse_no_arguments(Command::Quit, rest),
        "end the program",
        &[],
    ),
];

/// Returns the response to `help`.
pub(super) fn help_overview() -> String {
    let names =
        UGI_COMMANDS.iter().map(|command| command.command_names().collect::<Vec<_>>().join(", "));
    let rows =
        names.zip(UGI_COMMANDS).map(|(names, command)| format!("{names:24}{}", command.summary));
    rows.collect::<Vec<_>>().join("\n")
}

/// Returns the response to `help COMMAND`; `None` if there is no such command.
pub fn command_help(name: &str) -> Option<String> {
    let command = UGI_COMMANDS
        .iter()
        .find(|command| command.command_names().any(|known| known.eq_ignore_ascii_case(name)))?;
    let mut lines: Vec<String> =
        command.usage.split('\n').map(|form| format!("usage: {form}")).collect();
    lines.push(command.summary.into());
    lines.extend(command.details.iter().map(ToString::to_string));
    if command.usage.starts_with("setoption") {
        lines.extend(all_options().map(option_help));
    }
    Some(lines.join("\n"))
}

/// Returns the description of an option: a line with its name and values, then its meaning.
fn option_help(spec: &OptionSpec) -> String {
    let default = match spec.default_value().to_string() {
        value if value.is_empty() => value,
        value => format!("; default {value}"),
    };
    let heading = wrap_text(&format!("{}: {}{default}", spec.name, spec.kind), OPTION_HELP_INDENT);
    let meaning = wrap_text(&format!("{OPTION_HELP_INDENT}{}", spec.help), OPTION_HELP_INDENT);
    format!("{heading}\n{meaning}")
}
