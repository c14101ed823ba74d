//! Reviews a game on several threads, and formats the review for the output.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;
use std::sync::mpsc::sync_channel;
use std::sync::{Arc, Mutex, PoisonError};

use crate::io::host::SystemHost;
use crate::io::output::print_to_stderr;
use crate::io::record_file::{GameFileText, ReadRecordFileError, read_record_file_text};
use pentarch_core::notation::record::GameRecord;
use pentarch_core::{Options, Side};
use pentarch_engine::best_lines::{BestLines, MoveScore};
use pentarch_engine::engine_state::Engine;
use pentarch_engine::error::EngineError;
use pentarch_engine::host::{Host, HostFault};
use pentarch_engine::race::MoveRace;
use pentarch_engine::requests::request::SearchLimits;
use pentarch_engine::review::{
    PositionsToReview, Review, ReviewBuilder, ReviewPosition, ReviewSummary, ReviewedMove,
    SidePositionValue, prepare_review,
};
use pentarch_engine::session::Session;
use pentarch_search::control::SearchControl;
use pentarch_search::transposition::TranspositionTable;
use thiserror::Error;

use super::BatchThreadOptions;

/// An error while a game is opened for review.
#[derive(Debug, Error)]
pub(crate) enum OpenReviewGameError {
    /// The file cannot be read.
    #[error(transparent)]
    Read(#[from] ReadRecordFileError),
    /// The file has no such game, or the game cannot be reviewed.
    #[error(transparent)]
    Game(#[from] EngineError),
}

/// A game to be reviewed.
pub(crate) struct GameToReview {
    positions: PositionsToReview,
    builder: ReviewBuilder,
    engine: Engine,
}

/// The result of searching one position of a reviewed game.
pub(crate) struct PositionSearchResult {
    /// The half points of the side to move at the end of the game; `None` if the game is not over.
    pub half_points: Option<u8>,
    /// The best lines of the search; empty if the game is over.
    pub lines: BestLines,
}

impl GameToReview {
    /// Reads a game from a file of records, `FILE` or `FILE:NUMBER`. `limits` applies to the search
    /// of each position.
    ///
    /// # Errors
    /// If the file cannot be read or has no such game.
    pub(crate) fn read(
        name: &Path,
        options: &Options,
        limits: SearchLimits,
    ) -> Result<GameToReview, OpenReviewGameError> {
        let mut engine = Engine::new(options.clone(), SystemHost::shared_host());
        let GameFileText { text, number, notes } = read_record_file_text(name)?;
        engine.load_record(&text, number)?;
        notes.iter().for_each(|note| print_to_stderr(&note.to_string()));
        if let Some(warning) = engine.warning.take() {
            print_to_stderr(&warning);
        }
        let (positions, builder) =
            prepare_review(engine.session.as_ref(), limits.limits_without_time())?;
        Ok(GameToReview { positions, builder, engine })
    }

    /// Returns the number of moves.
    pub(crate) fn len(&self) -> usize {
        self.engine.session.game_state().moves
    }

    /// Returns whether the game is a race between two players.
    pub(crate) fn is_race(&self) -> bool {
        self.engine.session.game_constants().race_count.is_some()
    }

    /// Returns the record of the game, and its session.
    pub(crate) fn record_and_session(&self) -> (GameRecord, Box<dyn Session>) {
        (self.engine.annotated_record(), self.engine.session.copy_session())
    }

    /// Reviews the game. Calls `each` with every move, in order. Ends early if `each` returns
    /// `false`.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub(crate) fn review_moves(
        self,
        limits: SearchLimits,
        batch: BatchThreadOptions,
        mut each: impl FnMut(&ReviewedMove) -> bool,
    ) -> Result<Review, HostFault> {
        let GameToReview { positions, mut builder, .. } = self;
        let positions = Arc::new(Mutex::new(positions.enumerate()));
        let (sender, results) = sync_channel(batch.concurrency);
        for number in 0..batch.concurrency {
            let positions = positions.clone();
            let sender = sender.clone();
            batch.start_worker_thread(number, move |table| {
                let next = || positions.lock().unwrap_or_else(PoisonError::into_inner).next();
                while let Some((number, position)) = next() {
                    let control = SearchControl::new(
                        &SystemHost.host_clock(),
                        limits.time_budget(),
                        false,
                        false,
                    );
                    let result = search_position(position, &control, limits.multipv, table);
                    if sender.send((number, result)).is_err() {
                        break;
                    }
                }
            })?;
        }
        drop(sender);
        let mut early_results = BTreeMap::new();
        let mut expected = 0;
        for (number, result) in results {
            early_results.insert(number, result);
            while let Some(PositionSearchResult { half_points, lines }) =
                early_results.remove(&expected)
            {
                expected += 1;
                if !builder.add_position(half_points, lines).is_none_or(&mut each) {
                    return Ok(builder.review);
                }
            }
        }
        Ok(builder.review)
    }
}

/// Searches a position for the best moves, at most `max_lines`.
pub(crate) fn search_position(
    position: ReviewPosition,
    control: &SearchControl,
    max_lines: usize,
    table: &TranspositionTable,
) -> PositionSearchResult {
    match position {
        ReviewPosition::Over(half_points) => {
            PositionSearchResult { half_points: Some(half_points), lines: BestLines::default() }
        }
        ReviewPosition::InProgress(job) => {
            table.clear();
            let mut lines = BestLines::default();
            let answer = job.search_to_end(table, control, &mut |info| lines.add_report(info));
            PositionSearchResult {
                half_points: None,
                lines: lines.finish_with_result(answer, max_lines),
            }
        }
    }
}

/// Returns the heading of the table of moves. A race has two more columns.
pub(crate) fn move_table_heading(is_race: bool) -> &'static str {
    match is_race {
        true => "        move               before     after    lost     steps  then  best move",
        false => "        move               before     after    lost     best move",
    }
}

/// The heading of the table of moves as comma-separated values.
pub(crate) const MOVE_CSV_HEADING: &str = "ply,number,side,move,before,after,lost,mark,best,before_cp,before_mate,before_result,\
                               before_chance,after_cp,after_mate,after_result,after_chance,race_before,race_after";

/// Returns the number and the move as in records: `3. e4`, `3... e6`.
pub(crate) fn format_numbered_move(mv: &ReviewedMove) -> String {
    let dots = if mv.mover == Side::First { "." } else { "..." };
    format!("{}{dots} {}", mv.number, mv.mv)
}

/// Returns the row of a move in the table of moves.
pub(crate) fn move_table_row(mv: &ReviewedMove) -> String {
    let dots = if mv.mover == Side::First { ".  " } else { "..." };
    // Another move is named only if it would have been better.
    let (lost, best) = match mv.lost {
        lost if lost < 0.01 => (String::new(), ""),
        // The loss is rounded down. So a loss just below the limit of a mark is not shown as the
        // limit.
        lost => (format!("{:.0} %", (100. * lost).floor()), mv.best.as_str()),
    };
    let [before, after] = [mv.before, mv.after].map(SidePositionValue::format_for_people);
    let race = mv.race.as_ref().map_or_else(String::new, |race| {
        let [before, after] = race.table_cells();
        format!("{before:>6}{after:>6} ")
    });
    let ReviewedMove { number, mv, mark, .. } = mv;
    format!("{number:>4}{dots} {mv:<14} {before:>10}{after:>10}{lost:>8} {mark:<3}{race} {best}")
        .trim_end()
        .into()
}

/// Returns a move as comma-separated values: first the values for people, then the numbers.
pub(crate) fn move_csv_row(mv: &ReviewedMove) -> String {
    let [before, after] = [mv.before, mv.after].map(SidePositionValue::format_for_people);
    let ReviewedMove { ply, number, side, mv: text, best, lost, mark, chances, .. } = mv;
    let chance =
        |chance: &Option<f64>| chance.map_or_else(String::new, |chance| format!("{chance:.3}"));
    let [before_chance, after_chance] = chances.each_ref().map(chance);
    let [before_numbers, after_numbers] = [mv.before, mv.after].map(position_value_columns);
    let [race_before, race_after] = mv.race.as_ref().map(MoveRace::table_cells).unwrap_or_default();
    format!(
        "{ply},{number},{side},{text},{before},{after},{lost:.3},{mark},{best},\
         {before_numbers},{before_chance},{after_numbers},{after_chance},{race_before},{race_after}"
    )
}

/// Returns the worth of a position in three columns. At most one column is filled:
///
/// - centipawns
/// - moves to the end of the game
/// - the result, from 0 to 1, if the game is over
fn position_value_columns(worth: SidePositionValue) -> String {
    match worth {
        SidePositionValue::Over(half_points) => format!(",,{}", f64::from(half_points) / 2.),
        SidePositionValue::Score(value) => {
            let MoveScore { cp, mate, .. } = MoveScore::new(value);
            let cell =
                |number: Option<i32>| number.map_or_else(String::new, |number| number.to_string());
            format!("{},{},", cell(cp), cell(mate))
        }
    }
}

/// Returns the summary of a review for people.
pub(crate) fn review_summary_text(Review { moves, summary }: &Review) -> String {
    let ReviewSummary { sides, turning_point, outcome, .. } = summary;
    let width = sides.iter().map(|tally| tally.side.len()).max().unwrap_or(0);
    let mut text = String::new();
    for (tally, line) in sides.iter().filter_map(|tally| Some((tally, tally.summary_text()?))) {
        writeln!(text, "{:width$}  {line}", tally.side).unwrap_or_default();
    }
    if let Some(mv) = turning_point.and_then(|ply| moves.get(ply - 1)) {
        let ReviewedMove { side, best, .. } = mv;
        let lost = (100. * mv.lost).floor();
        writeln!(
            text,
            "turning point: {} cost {side} {lost:.0} % of the chances; best was {best}",
            format_numbered_move(mv)
        )
        .unwrap_or_default();
        if let Some(race) = &mv.race {
            writeln!(text, "  {}: {}", race.label, race.sentence()).unwrap_or_default();
        }
    }
    write!(text, "outcome: {outcome}").unwrap_or_default();
    text
}
