//! Generates the scripts with which shells complete the command line.

use clap::CommandFactory;
use clap::builder::PossibleValuesParser;
use clap_complete::Shell;

use crate::protocol::ugi::command_table;
use pentarch_core::{OptionKind, OptionSpec};
use pentarch_engine::engine_options;
use pentarch_engine::games::{RulesId, all_game_words};
use pentarch_engine::rules_info::rules_text;

use super::Arguments;

/// Returns the command line for completions. This command line lists the games, the options and the
/// commands. The command line that parses arguments does not list these words, because its parsers
/// report more specific errors. Commands are subcommands here. If commands were arguments, the
/// script for zsh would find the names of subcommands one word too late.
fn command_line_for_completion() -> clap::Command {
    let games = || PossibleValuesParser::new(all_game_words().iter().copied());
    let with_games =
        |command: clap::Command| command.mut_arg("word", |word| word.value_parser(games()));
    let known = Arguments::command()
        .mut_arg("game", |game| game.value_parser(games()))
        .mut_arg("settings", |all| {
            all.value_parser(PossibleValuesParser::new(option_completions()))
        })
        .mut_subcommand("play", |play| {
            with_games(play).mut_arg("side", |side| side.value_parser(COMMON_PERSON_SIDE_WORDS))
        })
        .mut_subcommand("problems", with_games)
        .mut_subcommand("rules", |rules| {
            with_games(rules)
                .mut_arg("topic", |topic| topic.value_parser(rules_topics_of_all_games()))
        });
    let subcommands: Vec<&str> = known.get_subcommands().map(clap::Command::get_name).collect();
    let mut commands = Vec::new();
    for help in command_table::UGI_COMMANDS {
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
const COMMON_PERSON_SIDE_WORDS: [&str; 6] = ["team1", "team2", "both", "all", "none", "random"];

/// Returns the topics of the rules of a game.
fn rules_topics_of_game(game: RulesId) -> Vec<&'static str> {
    rules_text(game).map(|text| text.topic_names().collect()).unwrap_or_default()
}

/// Returns the topics of all games, each once.
fn rules_topics_of_all_games() -> Vec<&'static str> {
    let mut topics: Vec<&str> = (0..all_game_words().len())
        .map(RulesId::for_two_players)
        .flat_map(rules_topics_of_game)
        .collect();
    topics.sort_unstable();
    topics.dedup();
    topics
}

/// Returns the values of an option, if they are words.
fn option_values(spec: &OptionSpec) -> String {
    match spec.kind {
        OptionKind::Check { .. } => "true false".into(),
        OptionKind::Combo { values, .. } => values.join(" "),
        _ => String::new(),
    }
}

/// Returns the code with which bash completes the values of options, and the topics of a game. Bash
/// splits words at `=`, so the value of an option is a separate word. The script that clap
/// generates treats these words as subcommands, and offers games as topics.
fn bash_code_for_values_and_topics() -> String {
    let mut values = String::new();
    for spec in engine_options::all_options().filter(|spec| !spec.name.contains(' ')) {
        let words = option_values(spec);
        values += &format!(
            "            {}) COMPREPLY=($(compgen -W \"{words}\" -- \"$value\")) ;;\n",
            spec.name
        );
    }
    let mut games = String::new();
    for (game, word) in all_game_words().iter().enumerate() {
        let topics = rules_topics_of_game(RulesId::for_two_players(game)).join(" ");
        games +=
            &format!("            {word}) COMPREPLY=($(compgen -W \"{topics}\" -- \"$2\")) ;;\n");
    }
    format!(
        r#"    local at=$COMP_CWORD value=
    if [[ ${{COMP_WORDS[at]}} != "=" ]]; then
        value=${{COMP_WORDS[at]}}
        at=$((at > 0 ? at - 1 : 0))
    fi
    if [[ $at -ge 3 && ${{COMP_WORDS[at]}} == "=" && ${{COMP_WORDS[at - 2]}} =~ ^(-s|--set)$ ]]; then
        case ${{COMP_WORDS[at - 1]}} in
{values}        esac
        return 0
    fi
    if [[ ${{COMP_WORDS[1]}} == rules && $COMP_CWORD -eq 3 && $2 != -* ]]; then
        case ${{COMP_WORDS[2]}} in
{games}        esac
        return 0
    fi
"#
    )
}

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
    clap_complete::generate(shell, &mut command_line_for_completion(), "pentarch", &mut script);
    let script = String::from_utf8_lossy(&script);
    // The value follows directly after `NAME=`, without a blank.
    let settings = option_completions().join(" ");
    match shell {
        Shell::Bash => {
            let offered = format!("COMPREPLY=($(compgen -W \"{settings}\"");
            // Older versions of bash do not have `compopt`.
            let begin = "    COMPREPLY=()\n";
            script
                .replace(&offered, &format!("compopt -o nospace 2>/dev/null\n                    {offered}"))
                .replacen(begin, &(begin.to_string() + &bash_code_for_values_and_topics()), 1)
        }
        Shell::Zsh => script.replace(&format!(":({settings})"), &format!(r#":compadd -S "" - {settings}"#)),
        Shell::Fish => {
            // While a person types, the last option still lacks its value. The script that clap
            // generates treats this as an error and offers nothing.
            let parsed = "argparse -s (__fish_pentarch_global_optspecs) -- $cmd";
            let again = format!("{parsed} 2>/dev/null\n    or {parsed} value");
            // The script that clap generates does not offer the games as words.
            let words = all_game_words().join(" ");
            let mut games = String::new();
            for name in ["play", "problems", "rules"] {
                games += &format!("complete -c pentarch -n \"__fish_pentarch_using_subcommand {name}; and not __fish_seen_subcommand_from {words}\" -f -a \"{words}\"\n");
            }
            for (game, word) in all_game_words().iter().enumerate() {
                let topics = rules_topics_of_game(RulesId::for_two_players(game)).join(" ");
                games += &format!("complete -c pentarch -n \"__fish_pentarch_using_subcommand rules; and __fish_seen_subcommand_from {word}\" -f -a \"{topics}\"\n");
            }
            script.replace(parsed, &again) + &games
        }
        _ => script.into_owned(),
    }
    .into_bytes()
}
