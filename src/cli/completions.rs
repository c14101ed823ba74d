//! Generates the scripts with which shells complete the command line.

use clap::CommandFactory;
use clap::builder::PossibleValuesParser;
use clap_complete::Shell;

use crate::protocol::ugi::help;
use pentarch_engine::games::game_words;
use pentarch_engine::options as engine_options;

use super::Arguments;

/// Returns the command line for completions. It knows the games, the options and the commands. The
/// command line that parses arguments does not, because its parsers report more specific errors.
/// Commands are subcommands here. If commands were arguments, the script for zsh would find the
/// names of subcommands one word too late.
fn completion_command() -> clap::Command {
    let games = || PossibleValuesParser::new(game_words().iter().copied());
    let with_games =
        |command: clap::Command| command.mut_arg("word", |word| word.value_parser(games()));
    let known = Arguments::command()
        .mut_arg("game", |game| game.value_parser(games()))
        .mut_arg("settings", |all| {
            all.value_parser(PossibleValuesParser::new(option_completions()))
        })
        .mut_subcommand("play", |play| {
            with_games(play).mut_arg("side", |side| side.value_parser(COMMON_SIDE_WORDS))
        })
        .mut_subcommand("problems", with_games)
        .mut_subcommand("rules", with_games);
    let subcommands: Vec<&str> = known.get_subcommands().map(clap::Command::get_name).collect();
    let mut commands = Vec::new();
    for help in help::UGI_COMMANDS {
        for name in help.command_names().filter(|name| !subcommands.contains(name)) {
            let words = clap::Arg::new("words").num_args(0..);
            commands.push(clap::Command::new(name).about(help.summary).arg(words));
        }
    }
    clap::Command::new("pentarch")
        .version(env!("CARGO_PKG_VERSION"))
        .disable_help_subcommand(true)
        .args(known.get_arguments().filter(|argument| argument.get_id() != "command"))
        .subcommands(known.get_subcommands())
        .subcommands(commands)
}

/// The words for the sides of people that are valid in several games.
const COMMON_SIDE_WORDS: [&str; 5] = ["team1", "team2", "both", "all", "none"];

/// Returns the names of the options, each with `=`. Names with a blank are omitted, because the
/// scripts separate values by blanks.
fn option_completions() -> Vec<&'static str> {
    let names =
        engine_options::all_options().map(|spec| spec.name).filter(|name| !name.contains(' '));
    names.map(|name| &*format!("{name}=").leak()).collect()
}

/// Returns the script that completes the command line in this shell.
pub(super) fn completion_script(shell: Shell) -> Vec<u8> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut completion_command(), "pentarch", &mut script);
    let script = String::from_utf8_lossy(&script);
    // The value follows directly after `NAME=`, without a blank.
    let settings = option_completions().join(" ");
    match shell {
        Shell::Bash => {
            let offered = format!("COMPREPLY=($(compgen -W \"{settings}\"");
            // Older versions of bash do not know `compopt`.
            script.replace(&offered, &format!("compopt -o nospace 2>/dev/null\n                    {offered}"))
        }
        Shell::Zsh => script.replace(&format!(":({settings})"), &format!(r#":compadd -S "" - {settings}"#)),
        Shell::Fish => {
            // While a person types, the last option still lacks its value. The script that clap
            // generates treats this as an error and offers nothing.
            let parsed = "argparse -s (__fish_pentarch_global_optspecs) -- $cmd";
            let again = format!("{parsed} 2>/dev/null\n    or {parsed} value");
            // The script that clap generates does not offer the games as words.
            let words = game_words().join(" ");
            let games = ["play", "problems", "rules"].map(|name| {
                format!("complete -c pentarch -n \"__fish_pentarch_using_subcommand {name}\" -f -a \"{words}\"\n")
            });
            script.replace(parsed, &again) + &games.concat()
        }
        _ => script.into_owned(),
    }
    .into_bytes()
}
