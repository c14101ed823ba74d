//! The scripts by which shells complete the command line.

use clap::CommandFactory;
use clap::builder::PossibleValuesParser;
use clap_complete::Shell;

use crate::protocol::ugi::help;
use pentarch_engine::options as engine_options;
use pentarch_games::GameId;

use super::Arguments;

/// The command line for completions. Unlike the one that reads arguments, whose errors say more, it knows the games,
/// the options and the commands. These are subcommands here: beside an argument that stands for a command, the script
/// for zsh finds the names of subcommands one word too late.
fn completed() -> clap::Command {
    let games = || PossibleValuesParser::new(GameId::WORDS.iter().copied());
    let with_games =
        |command: clap::Command| command.mut_arg("word", |word| word.value_parser(games()));
    let known = Arguments::command()
        .mut_arg("game", |game| game.value_parser(games()))
        .mut_arg("settings", |all| all.value_parser(PossibleValuesParser::new(settings())))
        .mut_subcommand("play", |play| {
            with_games(play).mut_arg("side", |side| side.value_parser(SIDES))
        })
        .mut_subcommand("problems", with_games)
        .mut_subcommand("rules", with_games);
    let is_command =
        |name: &&str| known.get_subcommands().all(|subcommand| subcommand.get_name() != *name);
    let command = |(name, summary): (&'static str, &'static str)| {
        clap::Command::new(name).about(summary).arg(clap::Arg::new("words").num_args(0..))
    };
    let commands =
        help::COMMANDS.iter().flat_map(|help| help.names().map(|name| (name, help.summary)));
    clap::Command::new("pentarch")
        .version(env!("CARGO_PKG_VERSION"))
        .disable_help_subcommand(true)
        .args(known.get_arguments().filter(|argument| argument.get_id() != "command"))
        .subcommands(known.get_subcommands())
        .subcommands(commands.filter(|(name, _)| is_command(name)).map(command))
}

/// The words for sides that do not depend on the game.
const SIDES: [&str; 5] = ["team1", "team2", "both", "all", "none"];

/// The names of the options, as a setting begins. The scripts part values by blanks, so names with a blank are left
/// out.
fn settings() -> Vec<&'static str> {
    let names = engine_options::all().map(|spec| spec.name).filter(|name| !name.contains(' '));
    names.map(|name| &*format!("{name}=").leak()).collect()
}

/// The script that completes the command line in this shell.
pub fn script(shell: Shell) -> Vec<u8> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut completed(), "pentarch", &mut script);
    let script = String::from_utf8_lossy(&script);
    // After a setting that is begun no blank follows, but its value.
    let settings = settings().join(" ");
    match shell {
        Shell::Bash => {
            let offered = format!("COMPREPLY=($(compgen -W \"{settings}\"");
            // Older versions of bash do not know this.
            script.replace(&offered, &format!("compopt -o nospace 2>/dev/null\n                    {offered}"))
        }
        Shell::Zsh => script.replace(&format!(":({settings})"), &format!(r#":compadd -S "" - {settings}"#)),
        Shell::Fish => {
            // In the script an option without its value, which is just being typed, counts as a fault, and nothing is
            // offered.
            let parsed = "argparse -s (__fish_pentarch_global_optspecs) -- $cmd";
            let again = format!("{parsed} 2>/dev/null\n    or {parsed} value");
            // The games are not offered as the words that they are here.
            let words = GameId::WORDS.join(" ");
            let games = ["play", "problems", "rules"].map(|name| {
                format!("complete -c pentarch -n \"__fish_pentarch_using_subcommand {name}\" -f -a \"{words}\"\n")
            });
            script.replace(parsed, &again) + &games.concat()
        }
        _ => script.into_owned(),
    }
    .into_bytes()
}
