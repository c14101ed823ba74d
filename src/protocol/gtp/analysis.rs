//! Executes the commands `lz-analyze`, `kata-analyze`, `lz-genmove_analyze` and
//! `kata-genmove_analyze`. Go front ends use these commands to show the results of a search while
//! it runs. The formats are those of Leela Zero and KataGo, except for parts that have no meaning
//! in other games.
//!
//! The response starts at once. At each interval a line of reports is added to the response. The
//! next line of input ends an analysis, but only after the first result. At the end the last result
//! is reported.

use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, scope};
use std::time::{Duration, Instant};

use pentarch_core::notation::parsing::nearest_known_word;
use pentarch_engine::best_lines::win_chance;
use pentarch_engine::engine_options;
use pentarch_engine::engine_state::{GoCommandParameters, PreparedSearch};
use pentarch_engine::input_word::InputWord;
use pentarch_search::SearchReport;

use crate::io::output::Output;

use super::Gtp;
use super::error::{GtpArgument, GtpError};
use super::text::{parse_colour, vertex_name};

/// The format of the reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AnalysisReportFormat {
    /// The format of Leela Zero: chances of winning in hundredths of a per cent.
    LeelaZero,
    /// The format of KataGo: chances of winning from 0 to 1. The score of the search replaces
    /// KataGo's lead in points.
    KataGo,
}

const DEFAULT_REPORTED_MOVES: i64 = 10;
/// Arguments of Leela Zero and KataGo that have no meaning here. The parser accepts and ignores
/// these arguments with their values.
const IGNORED_ANALYSIS_ARGUMENTS: [&str; 8] = [
    "minmoves",
    "ownership",
    "movesOwnership",
    "ownershipStdev",
    "movesOwnershipStdev",
    "pvVisits",
    "pvEdgeVisits",
    "rootInfo",
];
/// Arguments of KataGo that restrict its search. A colour, vertices and a number of moves follow
/// these arguments.
const MOVE_RESTRICTING_ANALYSIS_ARGUMENTS: [&str; 2] = ["allow", "avoid"];
/// Arguments that have a meaning here.
const SUPPORTED_ANALYSIS_ARGUMENTS: [&str; 2] = ["interval", "maxmoves"];

/// The arguments of an analysis.
#[derive(Debug, PartialEq, Eq)]
struct AnalysisArguments {
    /// The side to move.
    colour: Option<InputWord>,
    /// The time between two lines of reports. If the interval is `None`, each new result is
    /// reported.
    interval: Option<Duration>,
    /// The maximum number of moves in a line of reports, if it is specified.
    moves: Option<i64>,
}

/// Parses a number from 0 to `most`.
fn parse_number_up_to(text: &str, most: i64) -> Result<i64, GtpError> {
    let number = text.parse().ok().filter(|number| (0..=most).contains(number));
    number.ok_or_else(|| GtpArgument::Number { most }.invalid_argument_error(text))
}

/// Parses an interval in hundredths of a second; `None` for 0.
fn parse_report_interval(text: &str) -> Result<Option<Duration>, GtpError> {
    let time = Duration::from_millis(10 * parse_number_up_to(text, 1_000_000)?.unsigned_abs());
    Ok(Some(time).filter(|time| !time.is_zero()))
}

/// Parses the arguments: a colour, an interval in hundredths of a second, and named arguments. The
/// interval may also follow its name.
fn parse_analysis_arguments(words: &[InputWord]) -> Result<AnalysisArguments, GtpError> {
    let mut arguments = AnalysisArguments { colour: None, interval: None, moves: None };
    let mut words = words.iter();
    while let Some(argument) = words.next() {
        let word = argument.text.as_str();
        let is = |name: &str| name.eq_ignore_ascii_case(word);
        if parse_colour(word).is_ok() {
            arguments.colour = Some(argument.clone());
        } else if word.starts_with(|first: char| first.is_ascii_digit()) {
            arguments.interval = parse_report_interval(word)?;
        } else if SUPPORTED_ANALYSIS_ARGUMENTS.into_iter().chain(IGNORED_ANALYSIS_ARGUMENTS).any(is)
        {
            let Some(value) = words.next() else {
                return Err(GtpError::MissingValue { name: word.into() });
            };
            if is("interval") {
                arguments.interval = parse_report_interval(&value.text)?;
            } else if is("maxmoves") {
                arguments.moves = Some(parse_number_up_to(&value.text, 256)?.max(1));
            }
        } else if MOVE_RESTRICTING_ANALYSIS_ARGUMENTS.into_iter().any(is) {
            let is_incomplete = (0..3).any(|_| words.next().is_none());
            if is_incomplete {
                return Err(GtpError::Restriction { name: word.into() });
            }
        } else {
            let nearest = nearest_known_word(word, SUPPORTED_ANALYSIS_ARGUMENTS);
            return Err(GtpError::AnalysisArgument { found: word.into(), nearest });
        }
    }
    Ok(arguments)
}

/// A move of a report.
struct AnalysedMoveReport {
    vertices: Vec<String>,
    nodes: u64,
    score: i32,
}

/// The results of the search so far.
#[derive(Default)]
struct SearchReports {
    by_rank: BTreeMap<usize, AnalysedMoveReport>,
    /// Whether some results have not been written yet.
    has_unwritten: bool,
    /// Whether the search has ended and its best move may be written.
    is_over: bool,
}

/// A writer of the results of a search. Two threads use the writer: the thread of the search, and
/// the thread that waits for the intervals.
struct AnalysisReportWriter<'a> {
    out: &'a Output,
    format: AnalysisReportFormat,
    win_rate_scale: i32,
    /// The number of moves in a complete line of reports.
    moves: usize,
    reports: Mutex<SearchReports>,
    /// Notified when the search has ended.
    end: Condvar,
}

impl AnalysisReportWriter<'_> {
    fn lock(&self) -> MutexGuard<'_, SearchReports> {
        self.reports.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds the report on the move with this rank. Returns whether each move of the line has a
    /// report. If so, and if `is_written_at_once` is set, writes the line.
    fn add_report(
        &self,
        rank: usize,
        report: AnalysedMoveReport,
        is_written_at_once: bool,
    ) -> bool {
        let mut reports = self.lock();
        reports.by_rank.insert(rank, report);
        reports.has_unwritten = true;
        if is_written_at_once && rank == self.moves {
            self.write_if_complete(&mut reports);
        }
        reports.by_rank.len() == self.moves
    }

    fn write_reports(&self, reports: &mut SearchReports) {
        let line = analysis_report_line(&reports.by_rank, self.format, self.win_rate_scale);
        self.out.write_unchanged(&format!("{line}\n"));
        reports.has_unwritten = false;
    }

    fn write_if_complete(&self, reports: &mut SearchReports) {
        if reports.by_rank.len() >= self.moves {
            self.write_reports(reports);
        }
    }

    /// Writes the results at each interval until the search has ended.
    fn write_at_intervals(&self, interval: Duration) {
        let mut reports = self.lock();
        while !reports.is_over {
            let waited = self.end.wait_timeout_while(reports, interval, |reports| !reports.is_over);
            reports = waited.unwrap_or_else(PoisonError::into_inner).0;
            if !reports.is_over {
                self.write_if_complete(&mut reports);
            }
        }
    }

    fn write_unwritten_reports(&self) {
        let mut reports = self.lock();
        if reports.has_unwritten {
            self.write_reports(&mut reports);
        }
    }

    fn stop_interval_thread(&self) {
        self.lock().is_over = true;
        self.end.notify_all();
    }
}

impl Gtp {
    /// Executes `lz-analyze` or `kata-analyze`. The search ends with the next line of input.
    ///
    /// # Errors
    /// If an argument is invalid, if it is not the turn of this colour, or if the game is over. In
    /// these cases nothing is written.
    pub(super) fn analyze(
        &mut self,
        words: &[InputWord],
        format: AnalysisReportFormat,
    ) -> Result<String, GtpError> {
        self.go_board_scene()?;
        let arguments = parse_analysis_arguments(words)?;
        self.check_turn(arguments.colour.as_ref())?;
        if self.engine.session.game_state().outcome.is_some() {
            let outcome = self.engine.session.outcome_sentence();
            return Err(GtpError::Over { outcome });
        }
        let mut go = GoCommandParameters { infinite: true, ..GoCommandParameters::default() };
        go.limits.moves = self.legal_completions();
        let moves = arguments.moves.unwrap_or(DEFAULT_REPORTED_MOVES);
        self.search_with_reports(&go, moves, arguments.interval, format)?;
        Ok(String::new())
    }

    /// Executes `lz-genmove_analyze` or `kata-genmove_analyze`. The search is that of `genmove`,
    /// and the last line of the response is its vertex.
    ///
    /// # Errors
    /// If an argument is invalid, or if it is not the turn of this colour. In these cases nothing
    /// is written.
    pub(super) fn genmove_analyze(
        &mut self,
        words: &[InputWord],
        format: AnalysisReportFormat,
    ) -> Result<String, GtpError> {
        let arguments = parse_analysis_arguments(words)?;
        // Each further move takes time from the search of the best one.
        let moves = arguments.moves.unwrap_or(1);
        let vertex = self.play_next_click(arguments.colour.as_ref(), |gtp| {
            let before = gtp.search_time;
            let go = gtp.go_command_parameters();
            let best = gtp.search_with_reports(&go, moves, arguments.interval, format)?;
            gtp.subtract_time(gtp.search_time - before);
            Ok(best)
        })?;
        if !self.has_begun_response {
            self.begin_response();
        }
        self.out.write_unchanged(&format!("play {vertex}\n"));
        Ok(String::new())
    }

    /// Searches, and writes reports during the search. A report has at most `moves` moves. Returns
    /// the best move. Without an `interval`, each new result is written.
    ///
    /// # Errors
    /// If the search cannot start. In that case nothing is written.
    fn search_with_reports(
        &mut self,
        go: &GoCommandParameters,
        moves: i64,
        interval: Option<Duration>,
        format: AnalysisReportFormat,
    ) -> Result<String, GtpError> {
        let completions = go.limits.moves.len();
        let legal_moves =
            if completions > 0 { completions } else { self.engine.session.legal_moves().len() };
        let search = self.prepare_multi_pv_search(go, moves)?;
        let control = search.control.clone();
        self.begin_response();
        let start = Instant::now();
        let session = self.engine.session.as_ref();
        let clicked = self.partial_move.clicked_points().len();
        let writer = AnalysisReportWriter {
            out: &self.out,
            format,
            win_rate_scale: session.game_constants().win_rate_scale,
            moves: legal_moves.min(moves as usize),
            reports: Mutex::default(),
            end: Condvar::new(),
        };
        let let_input_stop_command = || {
            if go.infinite {
                self.scheduler.change_scheduler_and_notify(|state| {
                    state.let_input_stop_command(self.line_number)
                });
            }
        };
        let (answer, thread_error) = scope(|scope| {
            let writer = &writer;
            let thread_error = interval.and_then(|interval| {
                let thread = Builder::new().name("reports".into());
                thread.spawn_scoped(scope, move || writer.write_at_intervals(interval)).err()
            });
            let answer = search.run(&mut |info: &SearchReport<String>| {
                let points = session.go_board_points_of_moves(info.pv).into_iter().skip(clicked);
                let vertices = points.map(vertex_name).collect();
                let report = AnalysedMoveReport { vertices, nodes: info.nodes, score: info.score };
                // Now there is a result to report. So the next line of input ends the search, even
                // if that line has already arrived.
                if writer.add_report(info.rank, report, interval.is_none()) {
                    let_input_stop_command();
                }
            });
            let_input_stop_command();
            control.wait_until_released();
            writer.stop_interval_thread();
            (answer, thread_error)
        });
        writer.write_unwritten_reports();
        if let Some(error) = thread_error {
            self.out.report_error(format!("there is no thread to report on: {error}"));
        }
        self.search_time += start.elapsed();
        answer.faults.iter().for_each(|fault| self.out.report_error(fault));
        Ok(answer.best)
    }

    fn prepare_multi_pv_search(
        &mut self,
        go: &GoCommandParameters,
        moves: i64,
    ) -> Result<PreparedSearch, GtpError> {
        let before = self.engine.options.spin_value(&engine_options::MULTI_PV_OPTION);
        self.engine.set_option(engine_options::MULTI_PV_OPTION.name, &moves.to_string())?;
        let search = self.prepare_search(go);
        self.engine.set_option(engine_options::MULTI_PV_OPTION.name, &before.to_string())?;
        search
    }
}

/// Returns the reports as a line. The best move comes first. If several moves begin with the same
/// vertex, only the best of them is included.
fn analysis_report_line(
    reports: &BTreeMap<usize, AnalysedMoveReport>,
    format: AnalysisReportFormat,
    scale: i32,
) -> String {
    let mut reported: Vec<&str> = Vec::new();
    let mut infos = Vec::new();
    for AnalysedMoveReport { vertices, nodes, score } in reports.values() {
        let Some(first) = vertices.first() else { continue };
        if reported.contains(&first.as_str()) {
            continue;
        }
        let order = reported.len();
        let pv = vertices.join(" ");
        reported.push(first);
        let chance = win_chance(*score, scale);
        infos.push(match format {
            AnalysisReportFormat::LeelaZero => {
                let share = (chance * 10_000.0).round();
                format!("info move {first} visits {nodes} winrate {share} prior 0 lcb {share} order {order} pv {pv}")
            }
            AnalysisReportFormat::KataGo => format!(
                "info move {first} visits {nodes} utility {:.4} winrate {chance:.4} scoreLead {:.2} prior 0 lcb {chance:.4} \
                 order {order} pv {pv}",
                2.0 * chance - 1.0,
                f64::from(*score) / 100.0
            ),
        });
    }
    infos.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accepts_the_arguments_of_both_programs() {
        let expected = |colour: Option<&str>, hundredths: u64, moves| {
            let interval =
                Some(Duration::from_millis(10 * hundredths)).filter(|time| !time.is_zero());
            Ok((colour.map(String::from), interval, moves))
        };
        let parse = |text: &str| {
            let words: Vec<InputWord> = text.split_whitespace().map(InputWord::from_text).collect();
            parse_analysis_arguments(&words).map(|AnalysisArguments { colour, interval, moves }| {
                (colour.map(|word| word.text), interval, moves)
            })
        };
        assert_eq!(parse(""), expected(None, 0, None));
        assert_eq!(parse("B 50"), expected(Some("B"), 50, None));
        assert_eq!(
            parse("white interval 20 maxmoves 3 ownership true"),
            expected(Some("white"), 20, Some(3))
        );
        assert_eq!(parse("7 minmoves 2"), expected(None, 7, None));
        assert_eq!(
            parse("b 10 avoid b D4,E5 1 allow w E5 2 maxmoves 3"),
            expected(Some("b"), 10, Some(3))
        );
        assert_eq!(parse("10 avoid w D4 1"), expected(None, 10, None));
        for (text, message) in [
            ("x", "expected a colour, an interval or maxmoves, found 'x'"),
            (
                "maxmove 3",
                "expected a colour, an interval or maxmoves, found 'maxmove' (did you mean 'maxmoves'?)",
            ),
            ("interval", "expected a value of interval, found the end"),
            ("avoid b D4", "a colour, vertices and a number of moves expected after avoid"),
            ("interval x", "expected a number from 0 to 1000000, found 'x'"),
            ("9999999", "expected a number from 0 to 1000000, found '9999999'"),
            ("maxmoves 257", "expected a number from 0 to 256, found '257'"),
        ] {
            assert_eq!(parse(text).unwrap_err().to_string(), message, "{text}");
        }
    }
}
