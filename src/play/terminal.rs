//! Lines that a player types. On a terminal they can be edited, Tab completes words, and the arrow keys bring back
//! earlier lines; elsewhere they are read as they come, and nothing is shown before them.

use std::io::{self, IsTerminal};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::DefaultHistory;
use rustyline::validate::Validator;
use rustyline::{Context, Editor, Helper};
use thiserror::Error;

use crate::io::standard::read_line;
use pentarch_engine::stopper::Stopper;
use pentarch_search::control::Control;

/// How often a wait looks whether Ctrl-C was pressed.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// An error of the terminal, or of the input that replaces it.
#[derive(Debug, Error)]
pub enum TerminalError {
    /// Lines cannot be edited.
    #[error(transparent)]
    Editor(ReadlineError),
    /// Ctrl-C cannot be handled.
    #[error(transparent)]
    Interrupts(#[from] ctrlc::Error),
    /// The input cannot be read.
    #[error("the input cannot be read: {0}")]
    Input(#[from] ReadlineError),
}

/// What was typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Typed {
    /// A line.
    Line(String),
    /// Ctrl-C: the line is given up.
    Interrupted,
    /// The end of the input, or Ctrl-D.
    End,
}

/// Where a player types.
pub struct Terminal {
    /// The line editor; `None` if standard input or output is no terminal.
    editor: Option<Box<Editor<Words, DefaultHistory>>>,
    /// What Ctrl-C does.
    interrupts: Stopper,
}

impl Terminal {
    /// The terminal of this process. From now on Ctrl-C does not end the process, if a person sits there.
    ///
    /// # Errors
    /// If the system does not give what editing lines takes.
    pub fn new() -> Result<Terminal, TerminalError> {
        let on_terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
        let interrupts = Stopper::default();
        let editor = if on_terminal {
            let mut editor = Editor::new().map_err(TerminalError::Editor)?;
            editor.set_helper(Some(Words::default()));
            let stopper = interrupts.clone();
            let stop = move || {
                stopper.stop();
            };
            ctrlc::set_handler(stop)?;
            Some(Box::new(editor))
        } else {
            None
        };
        Ok(Terminal { editor, interrupts })
    }

    /// Whether a person sits there.
    pub fn is_interactive(&self) -> bool {
        self.editor.is_some()
    }

    /// How many lines the terminal shows; none if there is no terminal, or if it does not say.
    pub fn rows(&mut self) -> Option<usize> {
        let (_, rows) = self.editor.as_mut()?.dimensions()?;
        Some(usize::from(rows)).filter(|&rows| rows > 0)
    }

    /// Waits until this time, or until Ctrl-C. Returns whether that was pressed.
    pub fn wait_until(&self, time: Instant) -> bool {
        while !self.interrupts.is_stopped() {
            let left = time.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return false;
            }
            thread::sleep(left.min(POLL_INTERVAL));
        }
        self.was_interrupted()
    }

    /// Whether colours may be used: on a terminal, unless the variable `NO_COLOR` is set (no-color.org) or the terminal
    /// is of the kind `dumb`.
    pub fn has_colour(&self) -> bool {
        let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        self.is_interactive()
            && !is_set("NO_COLOR")
            && std::env::var_os("TERM").is_none_or(|kind| kind != "dumb")
    }

    /// Reads a line. `words` are what Tab completes.
    ///
    /// # Errors
    /// If the input cannot be read.
    pub fn read(&mut self, prompt: &str, words: Vec<String>) -> Result<Typed, TerminalError> {
        let Some(editor) = &mut self.editor else { return read_plain() };
        editor.set_helper(Some(Words(words)));
        let typed = editor.readline(prompt);
        self.interrupts.reset();
        match typed {
            Ok(line) => {
                // A line that cannot be remembered is missing in the history only.
                let _ = editor.add_history_entry(&line);
                Ok(Typed::Line(line))
            }
            Err(ReadlineError::Interrupted) => Ok(Typed::Interrupted),
            Err(ReadlineError::Eof) => Ok(Typed::End),
            Err(error) => Err(error.into()),
        }
    }

    /// Has Ctrl-C stop this search, also if it was pressed since the last line was read.
    pub fn stop_on_interrupt(&self, control: &Arc<Control>) {
        self.interrupts.attach(control);
    }

    /// Whether Ctrl-C was pressed since the last line was read, or since this was asked last.
    pub fn was_interrupted(&self) -> bool {
        self.interrupts.reset()
    }
}

/// Reads a line where there is no terminal. Bytes that are not UTF-8 become the replacement character, so that the line
/// is refused as any other that is no move.
fn read_plain() -> Result<Typed, TerminalError> {
    let mut bytes = Vec::new();
    match read_line(&mut bytes) {
        Ok(()) if bytes.is_empty() => Ok(Typed::End),
        Ok(()) => Ok(Typed::Line(String::from_utf8_lossy(&bytes).into_owned())),
        Err(error) => Err(ReadlineError::from(error).into()),
    }
}

/// The words that can be typed.
#[derive(Default)]
struct Words(Vec<String>);

impl Completer for Words {
    type Candidate = String;

    fn complete(
        &self,
        line: &str,
        at: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<String>)> {
        let typed = line.get(..at).unwrap_or(line);
        // Only the first word is completed: no command takes a word of the list behind it.
        if typed.contains(char::is_whitespace) {
            return Ok((at, Vec::new()));
        }
        let begins =
            |word: &&String| word.get(..at).is_some_and(|start| start.eq_ignore_ascii_case(typed));
        Ok((0, self.0.iter().filter(begins).cloned().collect()))
    }
}

impl Hinter for Words {
    type Hint = String;
}

impl Highlighter for Words {}

impl Validator for Words {}

impl Helper for Words {}
