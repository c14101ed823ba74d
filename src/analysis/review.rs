//! The review of a game on several threads, and its printed forms.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::mpsc::sync_channel;
use std::sync::{Arc, Mutex, PoisonError};

use crate::io::host::SystemHost;
use crate::io::output::print_message;
use crate::io::record_file::{ReadGameError, read_game};
use pentarch_core::notation::record::Record;
use pentarch_core::{Options, Side};
use pentarch_engine::best_lines::{BestLines, MoveScore};
use pentarch_engine::engine_state::Engine;
use pentarch_engine::error::EngineError;
use pentarch_engine::host::{Host, HostFault};
use pentarch_engine::requests::request::SearchLimits;
use pentarch_engine::review::{
    PositionValue, Review, ReviewBuilder, ReviewPosition, ReviewPositions, ReviewSummary,
    ReviewedMove, start_review,
};
use pentarch_engine::session::Session;
use pentarch_search::control::Control;
use pentarch_search::transposition::TranspositionTable;
use thiserror::Error;

use super::Plan;

/// An error of a game that is to be reviewed.
#[derive(Debug, Error)]
pub enum OpenGameError {
    /// The file cannot be read.
    #[error(transparent)]
    Read(#[from] ReadGameError),
    /// The file has no such game, or the game cannot be reviewed.
    #[error(transparent)]
    Game(#[from] EngineError),
}

/// A game to be reviewed.
pub struct Game {
    positions: ReviewPositions,
    judge: ReviewBuilder,
    engine: Engine,
}

impl Game {
    /// Reads a game of a file of records, `FILE` or `FILE:NUMBER`. Each position is to be searched with this effort.
    ///
    /// # Errors
    /// If the file cannot be read or has no such game.
    pub fn read(
        name: &str,
        options: &Options,
        effort: SearchLimits,
    ) -> Result<Game, OpenGameError> {
        let mut engine = Engine::new(options.clone(), SystemHost::shared());
        let (text, number) = read_game(name)?;
        engine.load(&text, number)?;
        if let Some(warning) = engine.warning.take() {
            print_message(&warning);
        }
        let (positions, judge) = start_review(engine.session.as_ref(), effort.limits())?;
        Ok(Game { positions, judge, engine })
    }

    /// The number of moves.
    pub fn len(&self) -> usize {
        self.engine.session.game_state().moves
    }

    /// The record of the game, and the game.
    pub fn record(&self) -> (Record, Box<dyn Session>) {
        (self.engine.record(), self.engine.session.copy())
    }

    /// Reviews the game. `each` is called with every move, in order; the work ends before its time if it gives `false`.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub fn review(
        self,
        effort: SearchLimits,
        plan: Plan,
        mut each: impl FnMut(&ReviewedMove) -> bool,
    ) -> Result<Review, HostFault> {
        let Game { positions, mut judge, .. } = self;
        let positions = Arc::new(Mutex::new(positions.enumerate()));
        let (sender, results) = sync_channel(plan.concurrency);
        for number in 0..plan.concurrency {
            let (positions, sender) = (positions.clone(), sender.clone());
            plan.start(number, move |table| {
                let next = || positions.lock().unwrap_or_else(PoisonError::into_inner).next();
                while let Some((number, position)) = next() {
                    let control = Control::new(&SystemHost.clock(), effort.budget(), false, false);
                    if sender
                        .send((number, search(position, &control, effort.multipv, table)))
                        .is_err()
                    {
                        break;
                    }
                }
            })?;
        }
        drop(sender);
        let mut waiting = BTreeMap::new();
        let mut expected = 0;
        for (number, result) in results {
            waiting.insert(number, result);
            while let Some((over, lines)) = waiting.remove(&expected) {
                expected += 1;
                if !judge.add_position(over, lines).is_none_or(&mut each) {
                    return Ok(judge.review);
                }
            }
        }
        Ok(judge.review)
    }
}

/// Searches a position for so many of the best moves. Gives the half points of the side to move where the game is over,
/// and what was found.
pub fn search(
    position: ReviewPosition,
    control: &Control,
    most: usize,
    table: &TranspositionTable,
) -> (Option<u8>, BestLines) {
    match position {
        ReviewPosition::Over(half_points) => (Some(half_points), BestLines::default()),
        ReviewPosition::InProgress(job) => {
            table.clear();
            let mut lines = BestLines::default();
            let answer = job.run(table, control, &mut |info| lines.add(info));
            (None, lines.end(answer, most))
        }
    }
}

/// The line above the moves for people.
pub const HEADER: &str = "        move               before     after    lost     best move";
/// The line above the moves as comma-separated values.
pub const CSV_HEADER: &str = "ply,number,side,move,before,after,lost,mark,best,before_cp,before_mate,before_result,\
                              before_chance,after_cp,after_mate,after_result,after_chance";

/// The number and the move, as records have it: `3. e4`, `3... e6`.
pub fn named(mv: &ReviewedMove) -> String {
    let dots = if mv.mover == Side::First { "." } else { "..." };
    format!("{}{dots} {}", mv.number, mv.mv)
}

/// The line of a move for people.
pub fn line(mv: &ReviewedMove) -> String {
    let dots = if mv.mover == Side::First { ".  " } else { "..." };
    // Another move is worth naming only where it would have been better.
    let (lost, best) = match mv.lost {
        lost if lost < 0.01 => (String::new(), ""),
        // Rounded down, as the marks are given.
        lost => (format!("{:.0} %", (100. * lost).floor()), mv.best.as_str()),
    };
    let [before, after] = [mv.before, mv.after].map(PositionValue::text);
    let ReviewedMove { number, mv, mark, .. } = mv;
    format!("{number:>4}{dots} {mv:<14} {before:>10}{after:>10}{lost:>8} {mark:<3} {best}")
        .trim_end()
        .into()
}

/// The values of a move separated by commas: first as people read them, then as numbers.
pub fn csv(mv: &ReviewedMove) -> String {
    let [before, after] = [mv.before, mv.after].map(PositionValue::text);
    let ReviewedMove { ply, number, side, mv: text, best, lost, mark, chances, .. } = mv;
    let chance =
        |chance: &Option<f64>| chance.map_or_else(String::new, |chance| format!("{chance:.3}"));
    let [before_chance, after_chance] = chances.each_ref().map(chance);
    let [before_numbers, after_numbers] = [mv.before, mv.after].map(numbers);
    format!(
        "{ply},{number},{side},{text},{before},{after},{lost:.3},{mark},{best},\
         {before_numbers},{before_chance},{after_numbers},{after_chance}"
    )
}

/// What a position is worth in three columns, at most one of which is filled: centipawns, moves to the end of the game,
/// and the result of a game that is over, from 0 to 1.
fn numbers(worth: PositionValue) -> String {
    match worth {
        PositionValue::Over(half_points) => format!(",,{}", f64::from(half_points) / 2.),
        PositionValue::Score(value) => {
            let MoveScore { cp, mate, .. } = MoveScore::new(value);
            let cell =
                |number: Option<i32>| number.map_or_else(String::new, |number| number.to_string());
            format!("{},{},", cell(cp), cell(mate))
        }
    }
}

/// The lines of a review for people.
pub fn summary(Review { moves, summary }: &Review) -> String {
    let ReviewSummary { sides, turning_point, outcome, .. } = summary;
    let width = sides.iter().map(|tally| tally.side.len()).max().unwrap_or(0);
    let mut text = String::new();
    for (tally, told) in sides.iter().filter_map(|tally| Some((tally, tally.text()?))) {
        writeln!(text, "{:width$}  {told}", tally.side).unwrap_or_default();
    }
    if let Some(mv) = turning_point.and_then(|ply| moves.get(ply - 1)) {
        let (named, lost, best, side) = (named(mv), (100. * mv.lost).floor(), &mv.best, mv.side);
        writeln!(
            text,
            "turning point: {named} cost {side} {lost:.0} % of the chances; best was {best}"
        )
        .unwrap_or_default();
    }
    write!(text, "outcome: {outcome}").unwrap_or_default();
    text
}
