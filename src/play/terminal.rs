//! Reads the input of the player. A terminal has editing, completion with Tab, and a history with
//! the arrow keys. A pipe or a file is read line by line, without a prompt.
//!
//! Lines that are typed or pasted before a prompt are executed one after another, as in a pipe. On
//! Unix the editor keeps its buffer from one line to the next (the feature `buffer-redux` of
//! `rustyline`). On Windows the editor reads single key events, so the console keeps the rest.
//! Terminals do not bracket a paste, because a bracketed paste of two lines would be one line.

use std::cell::RefCell;
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::DefaultHistory;
use rustyline::validate::Validator;
use rustyline::{Config, Context, Editor, Helper};
use thiserror::Error;

use crate::io::pager;
use crate::io::standard_streams::read_standard_input_line;
use pentarch_core::notation::parsing::{PAGE_WIDTH_COLUMNS, wrap_text_to_width};
use pentarch_engine::stopper::Stopper;
use pentarch_search::control::SearchControl;

use super::text_formatting::PARAGRAPH_INDENT;

/// Interval at which a wait checks for Ctrl-C.
const INTERRUPT_POLL_INTERVAL: Duration = Duration::from_millis(20);

/// An error of the terminal, or of the input that replaces a terminal.
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

/// The result of reading a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReadLineResult {
    /// A line that the user has entered.
    Line(String),
    /// Ctrl-C, which discards the line.
    Interrupted,
    /// The end of the input, or Ctrl-D.
    End,
}

/// The size and the abilities of the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Screen {
    /// Whether the standard input and the standard output are terminals.
    pub is_terminal: bool,
    /// The number of columns of the standard output; 80 if it is not a terminal.
    pub columns: usize,
    /// The number of rows; the maximum without a terminal.
    pub rows: usize,
    /// Whether to use colours.
    pub has_colour: bool,
}

/// The minimum width of a text. It is wider than any word of a move or a rule.
const MIN_TEXT_WIDTH: usize = 20;

impl Screen {
    /// Returns the screen of this process.
    pub fn of_standard_output() -> Screen {
        let mut editor = Editor::<(), DefaultHistory>::new().ok();
        let size = editor.as_mut().and_then(|editor| editor.dimensions());
        Screen::new(pager::is_stdio_terminal(), size)
    }

    fn new(is_terminal: bool, size: Option<(u16, u16)>) -> Screen {
        let (columns, rows) =
            size.map_or((80, usize::MAX), |(columns, rows)| (columns.into(), rows.into()));
        Screen { is_terminal, columns, rows, has_colour: is_terminal && is_colour_wanted() }
    }

    /// Returns the width of a text: that of a page, or less on a narrow terminal.
    pub fn wrap_width(&self) -> usize {
        self.columns.saturating_sub(2).clamp(MIN_TEXT_WIDTH, PAGE_WIDTH_COLUMNS)
    }

    /// Wraps each line of a text.
    pub fn wrap(&self, text: &str) -> String {
        let width = self.wrap_width();
        let lines: Vec<String> = text
            .split('\n')
            .map(|line| wrap_text_to_width(line, PARAGRAPH_INDENT, width))
            .collect();
        lines.join("\n")
    }
}

/// The input of the player: a terminal, or standard input without one.
pub struct Terminal {
    /// The line editor; `None` if the standard input or the standard output is not a terminal. It
    /// is in a cell, because even its report of the size of the screen needs a mutable editor.
    editor: Option<RefCell<Box<Editor<WordCompleter, DefaultHistory>>>>,
    /// The signal of Ctrl-C, and the search that it stops.
    interrupts: Stopper,
    /// The prompt that waits for a line, if any.
    prompt: Arc<Mutex<Option<String>>>,
}

impl Terminal {
    /// Opens the input of this process. On a terminal, Ctrl-C no longer ends the process.
    ///
    /// # Errors
    /// If the system cannot edit lines or handle Ctrl-C.
    pub fn new() -> Result<Terminal, TerminalError> {
        let interrupts = Stopper::default();
        let prompt = Arc::<Mutex<Option<String>>>::default();
        let is_terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
        if !is_terminal {
            return Ok(Terminal { editor: None, interrupts, prompt });
        }
        let config = Config::builder().bracketed_paste(false).build();
        let mut editor = Editor::with_config(config).map_err(TerminalError::Editor)?;
        editor.set_helper(Some(WordCompleter::default()));
        let stopper = interrupts.clone();
        let waiting = Arc::clone(&prompt);
        ctrlc::set_handler(move || {
            stopper.stop();
            // On a dumb terminal, the editor does not notice Ctrl-C.
            if let Some(prompt) = &*waiting.lock().unwrap_or_else(PoisonError::into_inner) {
                let _ = write!(io::stderr(), "\n'quit' or Ctrl-D leaves.\n{prompt}");
            }
        })?;
        Ok(Terminal { editor: Some(RefCell::new(Box::new(editor))), interrupts, prompt })
    }

    /// Returns whether a person reads and types: whether the standard input and the standard output
    /// are terminals.
    pub fn is_interactive(&self) -> bool {
        self.editor.is_some()
    }

    /// Returns the size and the abilities of the screen, which can change at any time.
    pub fn screen(&self) -> Screen {
        let size = self.editor.as_ref().and_then(|editor| editor.borrow_mut().dimensions());
        Screen::new(self.is_interactive(), size)
    }

    /// Waits until this time, or until Ctrl-C. Returns whether Ctrl-C was pressed.
    pub fn wait_until(&self, time: Instant) -> bool {
        while !self.interrupts.is_stopped() {
            let left = time.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return false;
            }
            thread::sleep(left.min(INTERRUPT_POLL_INTERVAL));
        }
        self.take_interrupt()
    }

    /// Reads a line. Tab completes `words`. If a byte is not UTF-8, the line is the replacement
    /// character, which is rejected like other invalid moves.
    ///
    /// # Errors
    /// If the input cannot be read.
    pub fn read_line(
        &mut self,
        prompt: &str,
        words: Vec<String>,
    ) -> Result<ReadLineResult, TerminalError> {
        let Some(editor) = &mut self.editor else { return read_line_without_terminal() };
        let editor = editor.get_mut();
        editor.set_helper(Some(WordCompleter(words)));
        let waiting = |prompt| {
            *self.prompt.lock().unwrap_or_else(PoisonError::into_inner) = prompt;
        };
        waiting(Some(prompt.into()));
        let result = editor.readline(prompt);
        waiting(None);
        self.interrupts.allow_later_searches();
        match result {
            Ok(line) => {
                // If this fails, the line is missing from the history, but nothing else.
                let _ = editor.add_history_entry(&line);
                Ok(ReadLineResult::Line(line))
            }
            Err(ReadlineError::Interrupted) => Ok(ReadLineResult::Interrupted),
            Err(ReadlineError::Eof) => Ok(ReadLineResult::End),
            // The editor drops the rest of what it has read together with the invalid byte.
            Err(ReadlineError::Io(error)) if error.kind() == ErrorKind::InvalidData => {
                Ok(ReadLineResult::Line(char::REPLACEMENT_CHARACTER.into()))
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Makes Ctrl-C stop this search. This also works if Ctrl-C was pressed after the last line and
    /// before this call.
    pub fn stop_on_interrupt(&self, control: &Arc<SearchControl>) {
        self.interrupts.connect_search_control(control);
    }

    /// Returns whether Ctrl-C was pressed since the last line, or since the last call of
    /// [`take_interrupt`](Terminal::take_interrupt).
    pub fn is_interrupted(&self) -> bool {
        self.interrupts.is_stopped()
    }

    /// Returns whether Ctrl-C was pressed since the last line, or since the last call. Forgets that
    /// it was pressed.
    pub fn take_interrupt(&self) -> bool {
        self.interrupts.allow_later_searches()
    }
}

/// Returns whether a terminal should have colours. The variable `NO_COLOR` (no-color.org) and the
/// terminal kind `dumb` turn them off.
fn is_colour_wanted() -> bool {
    std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
        && std::env::var_os("TERM").is_none_or(|kind| kind != "dumb")
}

/// Reads a line without a terminal. Bytes that are not UTF-8 become the replacement character, so
/// that the line is rejected like other invalid moves.
fn read_line_without_terminal() -> Result<ReadLineResult, TerminalError> {
    let mut bytes = Vec::new();
    match read_standard_input_line(&mut bytes) {
        Ok(()) if bytes.is_empty() => Ok(ReadLineResult::End),
        Ok(()) => Ok(ReadLineResult::Line(String::from_utf8_lossy(&bytes).into_owned())),
        Err(error) => Err(ReadlineError::from(error).into()),
    }
}

/// A completer of moves and commands.
#[derive(Default)]
struct WordCompleter(Vec<String>);

impl Completer for WordCompleter {
    type Candidate = String;

    fn complete(
        &self,
        line: &str,
        at: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<String>)> {
        let typed = line.get(..at).unwrap_or(line);
        // Only the first word is completed, because the words of the list are never arguments.
        if typed.contains(char::is_whitespace) {
            return Ok((at, Vec::new()));
        }
        let mut candidates = Vec::new();
        for word in &self.0 {
            if word.get(..at).is_some_and(|start| start.eq_ignore_ascii_case(typed)) {
                candidates.push(word.clone());
            }
        }
        Ok((0, candidates))
    }
}

impl Hinter for WordCompleter {
    type Hint = String;
}

impl Highlighter for WordCompleter {}

impl Validator for WordCompleter {}

impl Helper for WordCompleter {}
