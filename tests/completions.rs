//! The completion scripts. The tests run them in the real shells.

use std::fs;
use std::process::Command;

use crate::client::{PENTARCH, piped, program, run};
use crate::common::temporary::Folder;

/// Incomplete command lines, and the completion of the last word of each.
const CASES: [(&str, &str); 10] = [
    ("pentarch are", "arena"),
    ("pentarch perf", "perft"),
    ("pentarch --game bus", "bushka"),
    ("pentarch arena --game bus", "bushka"),
    ("pentarch arena --spr", "--sprt"),
    ("pentarch tune --game quoridor --epo", "--epochs"),
    ("pentarch --set RepetitionD", "RepetitionDraw="),
    ("pentarch rules ro", "roses"),
    ("pentarch rules roses pla", "plan"),
    ("pentarch play --side bo", "both"),
];

/// Fish prints a tab and a description after each completion.
const FISH_SCRIPT: &str = "source $argv[1]; complete -C $argv[2] | string split -f 1 \\t";

/// Bash calls the function of the script with the words of the line. Bash writes a blank after a
/// word, except when the function prevents it.
const BASH_SCRIPT: &str = r#"source "$1"; COMP_WORDS=($2); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); COMP_LINE=$2
COMP_POINT=${#2}; BLANK=' '; compopt() { [[ $* == '-o nospace' ]] && BLANK=; }
_pentarch pentarch "${COMP_WORDS[-1]}" "${COMP_WORDS[-2]}"; printf %s "${COMPREPLY[*]}$BLANK""#;

/// In zsh, only the line editor completes words. So zsh runs at a pseudo-terminal, and shows its
/// line after the completion.
const ZSH_SCRIPT: &str = r#"zmodload zsh/zpty
shown() {
  local part text; while zpty -r z part; do text+=$part; [[ $text == *$~1* ]] && break; done; print -r -- $text
}
zpty z "TERM=dumb zsh -f -i"
zpty -w z "PS1=; autoload -U compinit; compinit -u -D; source $1"
zpty -w z "show() { print -r -- \"<\$BUFFER>\" }; zle -N show; bindkey '^Xs' show; print be''gun"
shown begun >/dev/null
zpty -w -n z "$2"$'\t\x18s'
shown '<*>'
zpty -d z"#;

/// Returns the completion by a shell; `None` if the shell is not installed.
fn complete(shell: &str, code: &str, script: &str, line: &str) -> Option<String> {
    Command::new(shell).arg("--version").output().ok()?;
    let arguments: &[&str] = match shell {
        "fish" => &["--no-config", "-c", code, script, line],
        "bash" => &["--norc", "-c", code, "bash", script, line],
        _ => &["-f", "-c", code, "zsh", script, line],
    };
    Some(run(piped(Command::new(shell), arguments.iter().copied()), "").0)
}

fn check(shell: &str, code: &str) {
    let folder = Folder::new(&format!("completions-{shell}"));
    let script = folder.file("script");
    let (text, err, exit) = run(program(["--completions", shell]), "");
    assert_eq!((err.as_str(), exit), ("", Some(0)), "{PENTARCH}");
    fs::write(&script, text).unwrap();
    for (line, expected) in CASES {
        let Some(out) = complete(shell, code, &script, line) else {
            return eprintln!("skipped: there is no {shell} on this machine");
        };
        let found = match shell {
            "zsh" => {
                let shown = out.rsplit_once('<').and_then(|(_, shown)| shown.split_once('>'));
                let begun = line.rsplit_once(' ').map_or(0, |(begun, _)| begun.len() + 1);
                shown.and_then(|(whole, _)| whole.get(begun..)).unwrap_or_default()
            }
            // The shell itself writes a blank after each word that has none.
            "fish" => &out.replace("=\n", "=").replace('\n', " "),
            _ => &out,
        };
        // Each shell decides whether it shows that a flag has a value.
        let found =
            if expected.starts_with("--") { found.trim_end_matches([' ', '=']) } else { found };
        // A whole word ends in a blank. If its value follows, there is no blank.
        let blank = if expected.starts_with("--") || expected.ends_with('=') { "" } else { " " };
        assert_eq!(found, format!("{expected}{blank}"), "{shell}: {line}: {out}");
    }
}

#[test]
fn fish_completes() {
    check("fish", FISH_SCRIPT);
}

#[test]
fn bash_completes() {
    check("bash", BASH_SCRIPT);
}

/// Bash splits words at `=`, so the value of an option is a separate word. Only its values are
/// offered, and no subcommands.
#[test]
fn bash_completes_values_of_options() {
    let folder = Folder::new("completions-values");
    let script = folder.file("script");
    fs::write(&script, run(program(["--completions", "bash"]), "").0).unwrap();
    for (line, expected) in [
        ("pentarch --set Quoridor_Teams = t", "true "),
        ("pentarch -s Quoridor_Teams =", "true false "),
        ("pentarch --set Quoridor_Walls =", " "),
    ] {
        let Some(out) = complete("bash", BASH_SCRIPT, &script, line) else { return };
        assert_eq!(out, expected, "{line}");
    }
}

#[test]
fn zsh_completes() {
    check("zsh", ZSH_SCRIPT);
}
