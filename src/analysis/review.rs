//! The review of a game: each move with its value before and after, the best move, and what was lost.
//!
//! The value before a move is that of the best move, and the value after it that of the position which it leads to,
//! both by a search of their own and for the side that moves; after the best move it is the same, unless the game is
//! over then. What another move loses is the drop in the chance of winning, where a draw counts half. The chance
//! follows from the score by a logistic curve, whose scale was [fitted](crate::core::Evaluate::ODDS_SCALE) to games of
//! the engine with itself.

use std::fmt::Write;

use serde_json::{Value as Json, json};

use crate::core::{Options, Outcome, Side};
use crate::engine::session::Session;
use crate::engine::state::{Engine, check_two_players, new_session};
use crate::engine::word::Word;
use crate::search::score;

use super::Effort;
use super::pool::{self, Plan, Work};
use crate::engine::lines::Lines;

/// A move that loses so much of the chance of winning is a mistake, marked `?`.
pub const MISTAKE: f64 = 0.1;
/// A move that loses so much is a blunder, marked `??`.
pub const BLUNDER: f64 = 0.2;

/// A game to be reviewed.
pub struct Game {
    session: Box<dyn Session>,
    start: Option<String>,
    moves: Vec<String>,
    /// The full-move number and the side of the first move.
    first_turn: (u32, Side),
    outcome: String,
    winner: Option<Side>,
}

/// What a position is worth for one of the sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Worth {
    /// A score of the search; none if it ended before it had one.
    Score(Option<i32>),
    /// The game is over, and this is how many half points the side has: 0, 1 or 2.
    Over(u8),
}

/// A move of the game, and what it was worth.
#[derive(Debug, Clone, PartialEq)]
pub struct Move {
    /// The number of the move in the game, from 1.
    pub ply: usize,
    /// The full-move number.
    pub number: u32,
    /// The side that moved.
    pub side: Side,
    /// The move.
    pub mv: String,
    /// The best move.
    pub best: String,
    /// What the position was worth before the move.
    pub before: Worth,
    /// What it was worth after the move.
    pub after: Worth,
    /// The chance of winning of the side that moved before and after the move, where a draw counts half.
    pub chances: [f64; 2],
    /// How much of this chance the move has lost, from 0 to 1: nothing if one of the two is not known.
    pub lost: f64,
}

/// What the moves of a side were worth.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Tally {
    /// The number of moves.
    pub moves: usize,
    /// The sum of what they lost.
    pub lost: f64,
    /// The number of mistakes that are no blunders.
    pub mistakes: usize,
    /// The number of blunders.
    pub blunders: usize,
}

/// A game that was reviewed.
#[derive(Debug, Clone, PartialEq)]
pub struct Summary {
    /// The sides in the words of the game.
    pub sides: [&'static str; 2],
    /// The moves of each side.
    pub tallies: [Tally; 2],
    /// The move that lost most, if that was a mistake; the last one of several. Moves of the winner turned nothing.
    pub turning_point: Option<Move>,
    /// The outcome of the game in words.
    pub outcome: String,
    /// Who has won.
    winner: Option<Side>,
}

impl Game {
    /// Reads a game of a file of records, `FILE` or `FILE:NUMBER`.
    ///
    /// # Errors
    /// If the file cannot be read or has no such game.
    pub fn read(name: &str, options: &Options) -> Result<Game, String> {
        let mut engine = Engine::new(options.clone());
        engine.load_file(name)?;
        let Engine { options, session, .. } = engine;
        check_two_players(&options, "a review is of a game")?;
        Ok(Game {
            start: session.start_text(),
            moves: session.moves_made(),
            first_turn: session.first_turn(),
            outcome: session.outcome_text(),
            winner: session.outcome().and_then(Outcome::winner),
            session: new_session(&options),
        })
    }

    /// The number of moves.
    pub fn len(&self) -> usize {
        self.moves.len()
    }

    /// Whether no move was made.
    pub fn is_empty(&self) -> bool {
        self.moves.is_empty()
    }

    /// Reviews the game. `each` is called with every move, in order.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub fn review(
        self,
        effort: Effort,
        plan: Plan,
        mut each: impl FnMut(&Move, [&'static str; 2]) -> bool,
    ) -> Result<Summary, String> {
        let Game { mut session, start, moves, first_turn: (mut number, mut side), outcome, winner } = self;
        let (sides, scale) = (session.sides(), session.odds_scale());
        let mut summary = Summary { sides, tallies: [Tally::default(); 2], turning_point: None, outcome, winner };
        let words = start.map(|text| text.split_whitespace().map(Word::alone).collect::<Vec<_>>());
        session.set_position(words.as_deref(), &[])?;
        let mut played = moves.clone().into_iter();
        let mut is_over = false;
        let next = move || {
            if is_over {
                return None;
            }
            let over = session.outcome().map(|outcome| half_points(outcome, session.side_to_move()));
            let search = session.search(&effort.limits()).ok().flatten().map(|job| (job, effort));
            // The moves of the record are legal: it was loaded.
            is_over = played.next().is_none_or(|mv| session.play(&[Word::alone(&mv)]).is_err());
            Some(Work { about: over, search })
        };
        let mut before: Option<(Worth, String)> = None;
        let mut played = (1..).zip(moves);
        pool::run(plan, next, |over, Lines { lines, .. }| {
            let best = lines.into_iter().next();
            let worth = over.map_or_else(|| Worth::Score(best.as_ref().and_then(|line| line.score)), Worth::Over);
            let here = (worth, best.map(|line| line.mv).unwrap_or_default());
            let Some((before, best)) = before.replace(here) else { return true };
            let Some((ply, mv)) = played.next() else { return false };
            let is_best = mv == best;
            let after = if is_best && over.is_none() { before } else { worth.for_the_other() };
            let chances = [before, after].map(|worth| worth.chance(scale));
            let is_known = !is_best && [before, after].iter().all(|worth| *worth != Worth::Score(None));
            let lost = if is_known { (chances[0] - chances[1]).max(0.) } else { 0. };
            let mv = Move { ply, number, side, mv, best, before, after, chances, lost };
            number = crate::core::text::next_full_move(number, side);
            side = !side;
            summary.add(&mv);
            each(&mv, sides)
        })?;
        Ok(summary)
    }
}

/// The half points of a side by an outcome.
fn half_points(outcome: Outcome, side: Side) -> u8 {
    match outcome.winner() {
        Some(winner) if winner == side => 2,
        Some(_) => 0,
        None => 1,
    }
}

impl Worth {
    fn for_the_other(self) -> Worth {
        match self {
            Worth::Score(score) => Worth::Score(score.map(|score| -score)),
            Worth::Over(half_points) => Worth::Over(2 - half_points),
        }
    }

    /// The chance of winning, where a draw counts half.
    fn chance(self, scale: i32) -> f64 {
        match self {
            Worth::Over(half_points) => f64::from(half_points) / 2.,
            Worth::Score(Some(score)) if score::is_proven(score) => f64::from(u8::from(score > 0)),
            Worth::Score(Some(score)) => 1. / (1. + (-f64::from(score) / f64::from(scale)).exp()),
            Worth::Score(None) => 0.5,
        }
    }

    /// In words for people: `+0.35`, `mate 3`, `won`.
    fn text(self) -> String {
        match self {
            Worth::Over(half_points) => ["lost", "drawn", "won"][usize::from(half_points.min(2))].into(),
            Worth::Score(Some(score)) if score::is_proven(score) => score::text(score),
            Worth::Score(Some(score)) => format!("{:+.2}", f64::from(score) / 100.),
            Worth::Score(None) => "?".into(),
        }
    }

    /// As a member of an object: a score as in the answers to [requests](super::requests), or a word.
    fn json(self) -> Json {
        match self {
            Worth::Over(_) => json!(self.text()),
            Worth::Score(Some(score)) if score::is_proven(score) => json!({ "mate": score::mate_in(score) }),
            Worth::Score(Some(score)) => json!({ "cp": score }),
            Worth::Score(None) => Json::Null,
        }
    }
}

/// The line above the moves for people.
pub const HEADER: &str = "        move               before     after    lost     best move";
/// The line above the moves as comma-separated values.
pub const CSV_HEADER: &str = "ply,number,side,move,before,after,lost,mark,best";

impl Move {
    /// `??` for a blunder, `?` for a mistake, else nothing.
    pub fn mark(&self) -> &'static str {
        match self.lost {
            lost if lost >= BLUNDER => "??",
            lost if lost >= MISTAKE => "?",
            _ => "",
        }
    }

    /// The number and the move, as records have it: `3. e4`, `3... e6`.
    pub fn named(&self) -> String {
        let dots = if self.side == Side::First { "." } else { "..." };
        format!("{}{dots} {}", self.number, self.mv)
    }

    /// The line for people.
    pub fn line(&self) -> String {
        let dots = if self.side == Side::First { ".  " } else { "..." };
        // Another move is worth naming only where it would have been better.
        let (lost, best) = match self.lost {
            lost if lost < 0.01 => (String::new(), ""),
            // Rounded down, as the marks are given.
            lost => (format!("{:.0} %", (100. * lost).floor()), self.best.as_str()),
        };
        let [before, after] = [self.before, self.after].map(Worth::text);
        let (number, mv, mark) = (self.number, &self.mv, self.mark());
        format!("{number:>4}{dots} {mv:<14} {before:>10}{after:>10}{lost:>8} {mark:<3} {best}").trim_end().into()
    }

    /// The values separated by commas.
    pub fn csv(&self, sides: [&str; 2]) -> String {
        let Move { ply, number, mv, best, lost, .. } = self;
        let [before, after] = [self.before, self.after].map(Worth::text);
        format!("{ply},{number},{},{mv},{before},{after},{lost:.3},{},{best}", sides[self.side.index()], self.mark())
    }

    /// The move as an object.
    pub fn json(&self, sides: [&str; 2]) -> Json {
        json!({
            "ply": self.ply,
            "number": self.number,
            "side": sides[self.side.index()],
            "move": self.mv,
            "before": self.before.json(),
            "after": self.after.json(),
            "lost": rounded(self.lost),
            "mark": self.mark(),
            "best": self.best,
        })
    }
}

impl Tally {
    /// How much of the chance of winning the moves have kept on average, from 0 to 1; none without moves.
    pub fn accuracy(&self) -> Option<f64> {
        (self.moves > 0).then(|| 1. - self.lost / self.moves as f64)
    }
}

impl Summary {
    fn add(&mut self, mv: &Move) {
        let tally = &mut self.tallies[mv.side.index()];
        tally.moves += 1;
        tally.lost += mv.lost;
        match mv.mark() {
            "??" => tally.blunders += 1,
            "?" => tally.mistakes += 1,
            _ => {}
        }
        let can_turn = mv.lost >= MISTAKE && self.winner != Some(mv.side);
        if can_turn && self.turning_point.as_ref().is_none_or(|known| known.lost <= mv.lost) {
            self.turning_point = Some(mv.clone());
        }
    }

    /// The lines for people.
    pub fn text(&self) -> String {
        let width = self.sides.iter().map(|side| side.len()).max().unwrap_or(0);
        let mut text = String::new();
        for (side, tally) in self.sides.iter().zip(&self.tallies) {
            let Some(accuracy) = tally.accuracy() else { continue };
            let counted = |count, word: &str| format!("{count} {word}{}", if count == 1 { "" } else { "s" });
            let (mistakes, blunders) = (counted(tally.mistakes, "mistake"), counted(tally.blunders, "blunder"));
            let accuracy = 100. * accuracy;
            writeln!(text, "{side:width$}  accuracy {accuracy:.1} %, {mistakes}, {blunders}").unwrap_or_default();
        }
        if let Some(mv) = &self.turning_point {
            let (named, lost, best) = (mv.named(), (100. * mv.lost).floor(), &mv.best);
            let side = self.sides[mv.side.index()];
            writeln!(text, "turning point: {named} cost {side} {lost:.0} % of the chances; best was {best}")
                .unwrap_or_default();
        }
        write!(text, "outcome: {}", self.outcome).unwrap_or_default();
        text
    }

    /// The summary as an object.
    pub fn json(&self) -> Json {
        let side = |(side, tally): (&&str, &Tally)| {
            json!({
                "side": side,
                "moves": tally.moves,
                "accuracy": tally.accuracy().map(rounded),
                "mistakes": tally.mistakes,
                "blunders": tally.blunders,
            })
        };
        json!({
            "sides": self.sides.iter().zip(&self.tallies).map(side).collect::<Vec<_>>(),
            "turning_point": self.turning_point.as_ref().map(|mv| mv.ply),
            "outcome": self.outcome,
        })
    }
}

/// A share, rounded to thousandths.
fn rounded(share: f64) -> f64 {
    (share * 1000.).round() / 1000.
}
