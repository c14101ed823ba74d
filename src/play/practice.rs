//! The turning points of a game that was reviewed, asked again until the best move is found, or one about as good.

use std::ops::ControlFlow;
use std::sync::Arc;

use crate::analysis::review::{PositionResult, numbered_move, search_position};
use crate::io::host::System;
use pentarch_core::notation::text::capitalised;
use pentarch_core::{Options, Side};
use pentarch_engine::host::Host;
use pentarch_engine::input_word::Word;
use pentarch_engine::review::{AS_GOOD, Move, begin};
use pentarch_engine::session::Session;
use pentarch_search::Limits;
use pentarch_search::control::Control;
use pentarch_search::transposition::TranspositionTable;

use super::exercise::{self, Desk, Exercise, Words};
use super::review::{NODES, ReviewError, Reviewed};
use super::table::Table;
use super::view;

/// The turning points of a game.
struct Practice {
    options: Options,
    /// The position before the turning point in play.
    session: Box<dyn Session>,
    /// For each turning point, the text of the position before it, and the move.
    points: Vec<(String, Move)>,
    /// Which were found.
    found: Vec<bool>,
    /// Of which the best move was shown, so that it cannot be found any more.
    shown: Vec<bool>,
    at: usize,
    /// How many hints were given.
    hints: usize,
    memory: Arc<TranspositionTable>,
}

/// Asks the turning points of the people at the table, or where they have none, all.
///
/// # Errors
/// If there are none, or the input cannot be read.
pub fn run(reviewed: &Reviewed, table: &mut Table, desk: &mut Desk) -> Result<(), ReviewError> {
    let mut session = table.session().copy();
    let mut points = Vec::new();
    let start = reviewed.start.as_deref().map(Word::all_of);
    for (mv, before) in reviewed.points(&table.players) {
        let before: Vec<Word> = before.iter().map(|mv| Word::alone(mv)).collect();
        session.set_position(start.as_deref(), &before)?;
        points.push((session.position_text(), mv.clone()));
    }
    if points.is_empty() {
        return Err(ReviewError::NoTurningPoints);
    }
    let none = vec![false; points.len()];
    let (found, shown, memory) = (none.clone(), none, table.engine.table());
    let options = table.engine.options.clone();
    let mut practice = Practice { options, session, points, found, shown, at: 0, hints: 0, memory };
    practice.take_up(0, desk);
    let done = exercise::run(&mut practice, desk);
    practice.memory.clear();
    let found = practice.found.iter().filter(|found| **found).count();
    desk.tell(&format!(
        "You have found {found} of {}. The game is as it was before.",
        practice.points.len()
    ));
    Ok(done?)
}

impl Exercise for Practice {
    const WORDS: Words = &[
        ("hint", "something about the best move; again for more"),
        ("solution", "the best move, and how the game might go on"),
        ("next", "the next turning point"),
        ("point N", "the turning point with this number"),
        ("board", "the board once more"),
        ("moves", "the legal moves"),
        ("rules", "the rules of the game; 'rules TOPIC' shows a part of them"),
        ("help", "this list"),
        ("quit", "back to the game"),
    ];

    fn options(&self) -> &Options {
        &self.options
    }

    fn session(&self) -> &dyn Session {
        self.session.as_ref()
    }

    /// The side that moved there.
    fn viewer(&self) -> Side {
        self.points[self.at].1.mover
    }

    const TASK: &'static str = "point";

    fn count(&self) -> usize {
        self.points.len()
    }

    fn at(&self) -> usize {
        self.at
    }

    fn is_done(&self, at: usize) -> bool {
        self.found[at]
    }

    fn take_up(&mut self, at: usize, desk: &mut Desk) {
        (self.at, self.hints) = (at, 0);
        let (position, mv) = &self.points[at];
        // It was the text of this position.
        let _ = self.session.set_position(Some(&Word::all_of(position)), &[]);
        let lost = (100. * mv.lost).floor();
        let told = format!(
            "Turning point {} of {}: {}{} cost {} {lost:.0} % of the chances. {} is to move: what is better?",
            at + 1,
            self.points.len(),
            numbered_move(mv),
            mv.mark,
            mv.side,
            capitalised(mv.side)
        );
        desk.show_board(self.session.as_ref(), self.viewer(), &told);
    }

    /// Goes on to the next turning point, if there is one.
    fn next(&mut self, desk: &mut Desk) -> ControlFlow<()> {
        if self.at + 1 == self.points.len() {
            return ControlFlow::Break(());
        }
        self.take_up(self.at + 1, desk);
        ControlFlow::Continue(())
    }

    fn word(&mut self, word: &str, desk: &mut Desk) -> bool {
        let best = &self.points[self.at].1.best;
        match word {
            "hint" => {
                self.hints += 1;
                desk.tell(&match self.hints {
                    1 => exercise::kind_of(self.session(), best),
                    _ => exercise::one_of_these(self.session(), best, self.at),
                });
            }
            "solution" => {
                let line = &self.points[self.at].1.line;
                let rest = line.get(1..5.min(line.len())).unwrap_or_default().join(" ");
                let rest = if rest.is_empty() {
                    String::new()
                } else {
                    format!(" The game might go on: {rest}.")
                };
                desk.tell(&format!("The best move was {best}.{rest} 'next' goes on."));
                self.shown[self.at] = true;
            }
            _ => return false,
        }
        true
    }

    fn is_over(&self) -> Option<&'static str> {
        self.shown[self.at].then_some("The best move was shown: 'next' goes on.")
    }

    fn try_move(&mut self, mv: &str, desk: &mut Desk) -> ControlFlow<()> {
        let best = self.points[self.at].1.best.clone();
        let (lost, reply) = match mv == best {
            true => (0., None),
            false => match self.judged(mv, desk) {
                Ok(judged) => judged,
                Err(error) => {
                    desk.tell(&view::sentence(&error));
                    return ControlFlow::Continue(());
                }
            },
        };
        if lost >= AS_GOOD {
            let why = reply.map_or_else(String::new, |reply| format!(", because of {reply}"));
            let percent = (100. * lost).floor();
            desk.tell(&format!(
                "{mv} costs {percent:.0} % of the chances{why}. Another move is better: try again."
            ));
            return ControlFlow::Continue(());
        }
        self.found[self.at] = true;
        desk.tell(&match mv == best {
            true => format!("Right: {mv} is the best move."),
            false => format!("Right: {mv} is about as good as {best}."),
        });
        self.next(desk)
    }
}

impl Practice {
    /// How much of the chance of winning a move loses, and the best reply to it, if it leaves one.
    fn judged(&self, mv: &str, desk: &Desk) -> Result<(f64, Option<String>), ReviewError> {
        let mut tried = self.session.copy();
        tried.play(&[Word::alone(mv)])?;
        let (positions, mut judge) =
            begin(tried.as_ref(), Limits { nodes: Some(NODES), ..Limits::default() })?;
        let mut reply = None;
        for position in positions {
            let control = Control::new(&System.clock(), None, false, false).into();
            desk.terminal.stop_on_interrupt(&control);
            let PositionResult { half_points, lines } =
                search_position(position, &control, 1, &self.memory);
            reply =
                lines.lines.first().map(|line| line.mv.clone()).filter(|_| half_points.is_none());
            judge.take(half_points, lines);
        }
        if desk.terminal.was_interrupted() {
            return Err(ReviewError::NotJudged);
        }
        Ok((judge.review.moves.first().map_or(0., |mv| mv.lost), reply))
    }
}
