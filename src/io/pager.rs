//! Shows long output on a terminal: through the pager of the system, or in pages of the terminal's
//! height.

use std::io::{self, IsTerminal, Write};
use std::process::{Command, Stdio};

use rustyline::Editor;
use rustyline::history::DefaultHistory;

use super::output::Output;
use super::standard_streams::read_standard_input_line;

/// Shows a text without a final line end. The text is written unchanged in four cases:
///
/// - there is no terminal
/// - the terminal is of the kind `dumb`
/// - the variable `PAGER` is set but empty
/// - `is_wanted` is false
///
/// Otherwise the command in `PAGER` shows the text, or `less` if `PAGER` is not set. If this
/// command does not exist, the program itself shows the text in pages.
pub fn show_in_pager(text: &str, is_wanted: bool, out: &Output) {
    let is_dumb = std::env::var_os("TERM").is_some_and(|kind| kind == "dumb");
    let page = out.to_terminal_charset(text);
    match std::env::var("PAGER").ok().as_deref() {
        _ if !is_stdio_terminal() || is_dumb || !is_wanted => out.write_unchanged(&page),
        Some("") => out.write_unchanged(&page),
        Some(command) if pipe_to_command(Command::new("sh").args(["-c", command]), &page) => {}
        None if pipe_to_command(Command::new("less").arg("-FRX"), &page) => {}
        _ => show_page_by_page(&page, out),
    }
}

/// Returns whether standard input and output are terminals.
pub fn is_stdio_terminal() -> bool {
    io::stdin().is_terminal() && io::stdout().is_terminal()
}

/// Runs a command with the text as its input. Returns `false` if there is no such command.
fn pipe_to_command(command: &mut Command, text: &str) -> bool {
    let Ok(mut pager) = command.stdin(Stdio::piped()).spawn() else { return false };
    if let Some(mut input) = pager.stdin.take() {
        // If the user leaves a pager early, the pager closes its input.
        let _ = input.write_all(text.as_bytes());
    }
    // A shell exits with the code 127 if it does not find the command.
    pager.wait().is_ok_and(|status| status.code() != Some(127))
}

/// Shows the text in pages. A page has one line less than the terminal, because of the prompt.
fn show_page_by_page(text: &str, out: &Output) {
    let height = terminal_height().unwrap_or(24).saturating_sub(1).max(1);
    let lines: Vec<&str> = text.lines().collect();
    let mut pages = lines.chunks(height).peekable();
    while let Some(page) = pages.next() {
        out.write_unchanged(&format!("{}\n", page.join("\n")));
        if pages.peek().is_some() {
            out.write_unchanged("-- Enter: more, q: enough -- ");
            let mut typed = Vec::new();
            let is_read = read_standard_input_line(&mut typed).is_ok() && !typed.is_empty();
            if !is_read || typed.trim_ascii().eq_ignore_ascii_case(b"q") {
                return;
            }
        }
    }
}

/// Returns the height of the terminal in lines; `None` if the terminal does not report it.
fn terminal_height() -> Option<usize> {
    let (_, terminal_height) = Editor::<(), DefaultHistory>::new().ok()?.dimensions()?;
    Some(usize::from(terminal_height)).filter(|&terminal_height| terminal_height > 0)
}
