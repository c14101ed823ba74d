//! What problems, turning points and drills at the terminal have in common: a board with a task, moves that are tried,
//! and words.

use std::ops::ControlFlow;

use crate::io::output::Output;
use crate::io::pager;
use pentarch_core::notation::text::{did_you_mean, quoted, wrap};
use pentarch_core::{MoveError, Options, Side};
use pentarch_engine::session::Session;

use super::terminal::{Terminal, TerminalError, Typed};
use super::{rules_for_people, view};

/// How many moves the second hint names.
const HINTED: usize = 3;

/// What can be typed besides moves, and what it does.
pub type Words = &'static [(&'static str, &'static str)];

/// Where a person types and reads.
pub struct Desk<'a> {
    /// Where lines are typed.
    pub terminal: &'a mut Terminal,
    /// Where everything is shown.
    pub out: &'a Output,
}

impl Desk<'_> {
    /// Shows sentences, on as many lines as they take.
    pub fn tell(&self, text: &str) {
        self.out.raw(&format!("{}\n", wrap(text, view::INDENT)));
    }

    /// Shows the board as this side sees it, and sentences below.
    pub fn show_board(&mut self, session: &dyn Session, viewer: Side, below: &str) {
        let rows = self.terminal.rows();
        let board = view::board(session, viewer, self.terminal.has_colour(), rows);
        self.out.raw(&format!("{board}\n{}\n", wrap(below, view::INDENT)));
    }
}

/// Tasks at the board, one after the other.
pub trait Exercise {
    /// What can be typed. [`run`] carries out what all exercises have: `next`, `again`, [`TASK`](Exercise::TASK) with a
    /// number, `board`, `moves`, `rules`, `help` and `quit`.
    const WORDS: Words;

    /// The board.
    fn session(&self) -> &dyn Session;

    /// The options, which have the rules.
    fn options(&self) -> &Options;

    /// The side that sees its own men below.
    fn viewer(&self) -> Side;

    /// What one of the tasks is called, a word by which one is chosen with its number.
    const TASK: &'static str;

    /// How many tasks there are.
    fn count(&self) -> usize;

    /// Which task is being done, from 0.
    fn at(&self) -> usize;

    /// Whether the task with this number, from 0, is done.
    fn is_done(&self, at: usize) -> bool;

    /// Takes up the task with this number, from 0, and shows it.
    fn take_up(&mut self, at: usize, desk: &mut Desk);

    /// Takes up the next task that is not done; if all are, the next one. Breaks if the exercise is over.
    fn next(&mut self, desk: &mut Desk) -> ControlFlow<()> {
        let (count, at) = (self.count(), self.at());
        let following = |step: usize| (at + step) % count;
        let next = (1..=count)
            .map(following)
            .find(|&at| !self.is_done(at))
            .unwrap_or_else(|| following(1));
        self.take_up(next, desk);
        ControlFlow::Continue(())
    }

    /// Carries out a word that only this exercise has; returns whether it is one.
    fn word(&mut self, word: &str, desk: &mut Desk) -> bool;

    /// Why no move can be made now.
    fn is_over(&self) -> Option<&'static str>;

    /// Takes a legal move that was typed.
    fn try_move(&mut self, mv: &str, desk: &mut Desk) -> ControlFlow<()>;
}

/// Carries out what is typed until the exercise or the input ends, or the person leaves.
///
/// # Errors
/// If the input cannot be read.
pub fn run<E: Exercise>(exercise: &mut E, desk: &mut Desk) -> Result<(), TerminalError> {
    while !desk.out.is_closed() {
        let session = exercise.session();
        let standing = session.standing();
        let side = session.facts().players[standing.player];
        let prompt = if standing.outcome.is_none() { format!("{side}> ") } else { "> ".into() };
        let words =
            E::WORDS.iter().map(|(word, _)| word.split(' ').next().unwrap_or(word).to_string());
        let words = session.move_texts().into_iter().chain(words).collect();
        let flow = match desk.terminal.read(&prompt, words)? {
            Typed::Line(line) => answer(exercise, line.trim(), desk),
            Typed::Interrupted => ControlFlow::Continue(()),
            Typed::End => ControlFlow::Break(()),
        };
        if flow.is_break() {
            break;
        }
    }
    Ok(())
}

/// Carries out a line that was typed.
fn answer<E: Exercise>(exercise: &mut E, line: &str, desk: &mut Desk) -> ControlFlow<()> {
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    match (word.to_ascii_lowercase().as_str(), rest.trim()) {
        ("", _) => {}
        ("quit" | "q" | "exit", "") => return ControlFlow::Break(()),
        ("help" | "?", "") => {
            let rows: Vec<String> =
                E::WORDS.iter().map(|(word, text)| format!("  {word:10} {text}")).collect();
            desk.out.raw(&format!("Type a move, or one of these:\n{}\n", rows.join("\n")));
        }
        ("board", "") => {
            let below = format!("{}.", exercise.session().status().sentence);
            desk.show_board(exercise.session(), exercise.viewer(), &below);
        }
        ("moves", "") => match view::moves(exercise.session(), None) {
            Ok(moves) => desk.out.raw(&format!("{moves}\n")),
            Err(error) => desk.tell(&view::sentence(&error)),
        },
        ("rules", topic) => match rules_for_people(
            exercise.options(),
            Some(topic).filter(|topic| !topic.is_empty()),
        ) {
            Ok(text) => pager::show(&text, true, desk.out),
            Err(error) => desk.tell(&view::sentence(&error)),
        },
        ("next", "") => return exercise.next(desk),
        ("again", "") => exercise.take_up(exercise.at(), desk),
        (word, number) if word == E::TASK => match numbered(number, exercise.count()) {
            Some(at) => exercise.take_up(at, desk),
            None => {
                let count = exercise.count();
                let typed = quoted(number);
                desk.tell(&format!("A number from 1 to {count} expected, not {typed}."));
            }
        },
        (word, rest) => {
            if rest.is_empty() && exercise.word(word, desk) {
                return ControlFlow::Continue(());
            }
            if !rest.is_empty() {
                desk.tell(&format!(
                    "One move or one word a line, not {}. 'help' lists the words.",
                    quoted(line)
                ));
            } else if let Some(why) = exercise.is_over() {
                desk.tell(why);
            } else {
                match exercise.session().find_move(line) {
                    Ok(mv) => return exercise.try_move(&mv.text, desk),
                    Err(error) => desk.tell(&not_made::<E>(line, &error, desk)),
                }
            }
        }
    }
    ControlFlow::Continue(())
}

/// The sentence that what was typed is not a legal move.
fn not_made<E: Exercise>(typed: &str, error: &MoveError, desk: &Desk) -> String {
    match error {
        MoveError::Illegal(why) => view::illegal(typed, why, desk.terminal.is_interactive()),
        MoveError::Syntax(error) => {
            let hint = did_you_mean(typed, E::WORDS.iter().map(|(word, _)| *word));
            let hint = if hint.is_empty() { format!(": {error}") } else { hint };
            format!("{} is no move and no word{hint}. 'help' lists the words.", quoted(typed))
        }
    }
}

/// A number from 1 to `count`, less one; `None` if it is something else.
fn numbered(typed: &str, count: usize) -> Option<usize> {
    let number = typed.parse::<usize>().ok().filter(|number| (1..=count).contains(number))?;
    Some(number - 1)
}

/// Of what kind the wanted move is.
pub fn kind_of(session: &dyn Session, wanted: &str) -> String {
    format!("Look among the {}.", group_of(session, wanted).0.to_lowercase())
}

/// The legal moves of the wanted move's kind, and what the kind is called.
fn group_of(session: &dyn Session, wanted: &str) -> (&'static str, Vec<String>) {
    let groups = session.move_groups();
    groups.into_iter().find(|(_, moves)| moves.iter().any(|mv| mv == wanted)).unwrap_or_default()
}

/// The wanted move with its neighbours in the list of moves of its kind, if there are enough, or of all. The number of
/// the task decides at which place it stands, so that the place tells nothing.
pub fn one_of_these(session: &dyn Session, wanted: &str, task: usize) -> String {
    let (_, alike) = group_of(session, wanted);
    let moves = if alike.len() < HINTED { session.move_texts() } else { alike };
    let at = moves.iter().position(|mv| mv == wanted).unwrap_or(0);
    let first = (at.saturating_sub(task % HINTED)).min(moves.len().saturating_sub(HINTED));
    let named: Vec<&str> = moves.iter().skip(first).take(HINTED).map(String::as_str).collect();
    format!("It is one of these: {}.", named.join(", "))
}
