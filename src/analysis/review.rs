//! Reviews a game on several threads, and formats the review for the output.

use std::fmt::Write;
use std::path::Path;
use std::sync::mpsc::sync_channel;
use std::sync::{Arc, Condvar, Mutex, PoisonError};

use crate::io::host::SystemHost;
use crate::io::output::print_to_stderr;
use crate::io::record_file::{GameFileText, ReadRecordFileError, read_record_file_text};
use pentarch_core::notation::record::GameRecord;
use pentarch_core::{Options, Side};
use pentarch_engine::best_lines::{BestLines, MoveScore};
use pentarch_engine::engine_state::Engine;
use pentarch_engine::error::EngineError;
use pentarch_engine::host::{Host, HostFault};
use pentarch_engine::race_review::MoveRace;
use pentarch_engine::requests::request::SearchLimits;
use pentarch_engine::review::searches::{GameReview, ReviewSearch};
use pentarch_engine::review::verdict::MoveQualityClass;
use pentarch_engine::review::{
    Review, ReviewSummary, ReviewedMove, SidePositionValue, prepare_review,
};
use pentarch_engine::session::{SearchJob, Session};
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
    review: GameReview,
    engine: Engine,
}

/// A review whose searches run on several threads.
struct SharedReview {
    review: GameReview,
    /// The number of searches that run.
    running: usize,
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
        let review = prepare_review(engine.session.as_ref(), limits.limits_without_time())?;
        Ok(GameToReview { review, engine })
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
        let shared = Mutex::new(SharedReview { review: self.review, running: 0 });
        let shared = Arc::new((shared, Condvar::new()));
        let (sender, ready) = sync_channel(batch.concurrency);
        for number in 0..batch.concurrency {
            let shared = shared.clone();
            let sender = sender.clone();
            batch.start_worker_thread(number, move |table| {
                while let Some(search) = wait_for_next_search(&shared) {
                    let budget = limits.time_budget();
                    let budget = budget.map(|budget| search.id.effort.scale_budget(budget));
                    let control =
                        SearchControl::new(&SystemHost.host_clock(), budget, false, false);
                    let lines = run_review_search(search.job, &control, table);
                    let mut state = shared.0.lock().unwrap_or_else(PoisonError::into_inner);
                    state.review.add_result(search.id, lines);
                    state.running -= 1;
                    drop(state);
                    shared.1.notify_all();
                    if sender.send(()).is_err() {
                        break;
                    }
                }
            })?;
        }
        drop(sender);
        let mut written = 0;
        let reviewed = || shared.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut write_moves = || {
            let moves = reviewed().review.moves()[written..].to_vec();
            written += moves.len();
            moves.iter().all(&mut each)
        };
        // The last moves can get their verdicts after the last search.
        if ready.into_iter().all(|()| write_moves()) {
            write_moves();
        }
        let review = reviewed().review.review().clone();
        Ok(review)
    }
}

/// Returns the next search. Waits if this search depends on one that is still running. Returns
/// `None` if there are no more searches.
fn wait_for_next_search(shared: &(Mutex<SharedReview>, Condvar)) -> Option<ReviewSearch> {
    let (review, changed) = shared;
    let mut state = review.lock().unwrap_or_else(PoisonError::into_inner);
    loop {
        if let Some(search) = state.review.next_search() {
            state.running += 1;
            return Some(search);
        }
        if state.running == 0 {
            return None;
        }
        state = changed.wait(state).unwrap_or_else(PoisonError::into_inner);
    }
}

/// Runs a search of a review.
pub(crate) fn run_review_search(
    job: Box<dyn SearchJob>,
    control: &SearchControl,
    table: &TranspositionTable,
) -> BestLines {
    table.clear();
    let mut lines = BestLines::default();
    let answer = job.search_to_end(table, control, &mut |info| lines.add_report(info));
    lines.finish_with_search_result(answer, usize::MAX)
}

/// Returns the heading of the table of moves. A race has two more columns.
pub(crate) fn move_table_heading(is_race: bool) -> &'static str {
    match is_race {
        true => "        move               before     after    lost     steps  then  best move",
        false => "        move               before     after    lost     best move",
    }
}

/// The maximum width of a line of moves, in characters.
const MAX_LINE_WIDTH: usize = 76;

/// The heading of the table of moves as comma-separated values.
pub(crate) const MOVE_CSV_HEADING: &str = "ply,number,side,move,before,after,lost,mark,best,\
    before_cp,before_mate,before_result,before_chance,\
    after_cp,after_mate,after_result,after_chance,race_before,race_after,\
    class,before_human_chance,after_human_chance,stake";

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
    let mark = match mv.class {
        MoveQualityClass::Inaccuracy => "?!",
        MoveQualityClass::OnlyMove => "!",
        _ => mv.mark,
    };
    let ReviewedMove { number, mv, .. } = mv;
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
    let [before_human, after_human] = mv.human_chances.each_ref().map(chance);
    let class = mv.class.word();
    let [before_numbers, after_numbers] = [mv.before, mv.after].map(position_value_columns);
    let [race_before, race_after] = mv.race.as_ref().map(MoveRace::table_cells).unwrap_or_default();
    format!(
        "{ply},{number},{side},{text},{before},{after},{lost:.3},{mark},{best},\
         {before_numbers},{before_chance},{after_numbers},{after_chance},{race_before},{race_after},\
         {class},{before_human},{after_human},{:.3}",
        mv.stake
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

/// Returns the summary of a review for people. Omits the accuracy of the sides `unjudged`.
pub(crate) fn review_summary_text(Review { moves, summary }: &Review, unjudged: &[Side]) -> String {
    let ReviewSummary { sides, turning_point, moments, phase, outcome, .. } = summary;
    let width = sides.iter().map(|tally| tally.side.len()).max().unwrap_or(0);
    let mut text = String::new();
    for (side, tally) in Side::BOTH_SIDES.into_iter().zip(sides) {
        let line = tally.summary_text().filter(|_| !unjudged.contains(&side));
        if let Some(line) = line {
            writeln!(text, "{:width$}  {line}", tally.side).unwrap_or_default();
        }
    }
    if let Some(mv) = turning_point.and_then(|ply| moves.get(ply - 1)) {
        writeln!(text, "turning point: {} {}", mv.numbered_move(), mv.cost_text())
            .unwrap_or_default();
        if let Some(race) = &mv.race {
            writeln!(text, "  {}: {}", race.label, race.sentence()).unwrap_or_default();
        }
    }
    if let Some(phase) = phase {
        let when = match *phase {
            "opening" => "the first third",
            "middle" => "the second third",
            _ => "the last third",
        };
        writeln!(text, "the game was lost in {when} of the moves").unwrap_or_default();
    }
    let moments: Vec<String> = moments
        .iter()
        .filter_map(|&ply| moves.get(ply - 1))
        .map(|mv| format!("{}{}", mv.numbered_move(), mv.mark))
        .collect();
    if !moments.is_empty() {
        writeln!(text, "moves that mattered most: {}", moments.join(", ")).unwrap_or_default();
    }
    write!(text, "outcome: {outcome}").unwrap_or_default();
    text
}

/// Returns the reason of a mistake, the better line and the refutation, as indented lines for
/// people.
pub(crate) fn mistake_details_text(mv: &ReviewedMove) -> String {
    let mut text = String::new();
    if let Some(reason) = &mv.reason {
        write!(text, "\n      it {reason}").unwrap_or_default();
    }
    let after = format!("after {}", mv.mv);
    for (label, line) in [("better", &mv.line), (after.as_str(), &mv.refutation)] {
        let mut shown = format!("      {label}:");
        for mv in line {
            if shown.chars().count() + mv.chars().count() >= MAX_LINE_WIDTH {
                break;
            }
            write!(shown, " {mv}").unwrap_or_default();
        }
        if !line.is_empty() {
            write!(text, "\n{shown}").unwrap_or_default();
        }
    }
    text
}

/// Returns all mistakes of a review with the better lines and the refutations.
pub(crate) fn mistakes_text(review: &Review) -> String {
    let mistakes = review.moves.iter().filter(|mv| !mv.mark.is_empty());
    let texts = mistakes.map(|mv| {
        let ReviewedMove { mark, .. } = mv;
        let text = format!("{}{mark} {}", mv.numbered_move(), mv.cost_text());
        format!("{text}{}\n", mistake_details_text(mv))
    });
    texts.collect()
}
