//! The commands `lz-analyze`, `kata-analyze`, `lz-genmove_analyze` and `kata-genmove_analyze`, by which front ends for
//! Go show the results of a search while it runs: in the forms of Leela Zero and KataGo, as far as these apply to other
//! games.
//!
//! The response begins at once and grows by a line of reports at each interval. An analysis ends with the next line of
//! input, but not before there is a result. The last result is reported at the end.

use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread::{Builder, scope};
use std::time::{Duration, Instant};

use pentarch_core::notation::text::nearest;
use pentarch_engine::best_lines::chance;
use pentarch_engine::engine_state::Go;
use pentarch_engine::input_word::Word;
use pentarch_engine::options as engine_options;
use pentarch_search::SearchReport;

use super::Gtp;
use super::error::{Argument, GtpError};
use super::text::{side_of, vertex};

/// How the reports are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Those of Leela Zero: chances of winning in hundredths of a per cent.
    LeelaZero,
    /// Those of KataGo: chances of winning from 0 to 1, and the score of the search in place of a lead in points.
    KataGo,
}

/// The number of moves that an analysis reports by default.
const MOST_MOVES: i64 = 10;
/// Arguments of the two programs that mean nothing here, and are accepted with their values.
const IGNORED: [&str; 8] = [
    "minmoves",
    "ownership",
    "movesOwnership",
    "ownershipStdev",
    "movesOwnershipStdev",
    "pvVisits",
    "pvEdgeVisits",
    "rootInfo",
];
/// Arguments of KataGo that restrict what it searches: a colour, vertices and a number of moves follow.
const RESTRICTIONS: [&str; 2] = ["allow", "avoid"];
/// Those that mean something.
const KNOWN: [&str; 2] = ["interval", "maxmoves"];

/// What the arguments ask for.
#[derive(Debug, PartialEq, Eq)]
struct Wanted {
    /// The side that is to move.
    colour: Option<Word>,
    /// The time between two lines of reports; none for a line whenever the search has got on.
    interval: Option<Duration>,
    /// The greatest number of moves in a line, if it is given.
    moves: Option<i64>,
}

/// A move as it is reported.
struct Report {
    vertices: Vec<String>,
    nodes: u64,
    score: i32,
}

/// What the search has found so far.
#[derive(Default)]
struct Known {
    /// The reports by rank.
    reports: BTreeMap<usize, Report>,
    /// Whether they hold something that has not been told.
    untold: bool,
    /// Whether the search has ended and its answer may be given.
    is_over: bool,
}

/// Reads the arguments: a colour, and an interval in hundredths of a second, by itself or after its name; and others
/// with their names.
fn wanted(words: &[Word]) -> Result<Wanted, GtpError> {
    let mut wanted = Wanted { colour: None, interval: None, moves: None };
    let mut words = words.iter();
    let number = |text: &str, most: i64| {
        let number = text.parse().ok().filter(|number| (0..=most).contains(number));
        number.ok_or_else(|| Argument::Number { most }.not(text))
    };
    let hundredths = |text: &str| {
        let time = Duration::from_millis(10 * number(text, 1_000_000)?.unsigned_abs());
        Ok::<_, GtpError>(Some(time).filter(|time| !time.is_zero()))
    };
    while let Some(given) = words.next() {
        let word = given.text.as_str();
        let is = |name: &str| name.eq_ignore_ascii_case(word);
        if side_of(word).is_ok() {
            wanted.colour = Some(given.clone());
        } else if word.starts_with(|first: char| first.is_ascii_digit()) {
            wanted.interval = hundredths(word)?;
        } else if KNOWN.into_iter().chain(IGNORED).any(is) {
            let value = words
                .next()
                .ok_or_else(|| GtpError::MissingValue { name: word.into() })?
                .text
                .as_str();
            if is("interval") {
                wanted.interval = hundredths(value)?;
            } else if is("maxmoves") {
                wanted.moves = Some(number(value, 256)?.max(1));
            }
        } else if RESTRICTIONS.into_iter().any(is) {
            let missing = (0..3).any(|_| words.next().is_none());
            if missing {
                return Err(GtpError::Restriction { name: word.into() });
            }
        } else {
            let nearest = nearest(word, KNOWN);
            return Err(GtpError::AnalysisArgument { found: word.into(), nearest });
        }
    }
    Ok(wanted)
}

impl Gtp {
    /// Executes `lz-analyze` or `kata-analyze`: a search that ends with the next line of input.
    ///
    /// # Errors
    /// If an argument is invalid, it is not the turn of the colour, or the game is over; nothing is written then.
    pub(super) fn analyze(&mut self, words: &[Word], form: Form) -> Result<String, GtpError> {
        self.scene()?;
        let wanted = wanted(words)?;
        self.check_turn(wanted.colour.as_ref())?;
        if self.engine.session.standing().outcome.is_some() {
            let outcome = self.engine.session.outcome_sentence();
            return Err(GtpError::Over { outcome });
        }
        let mut go = Go { infinite: true, ..Go::default() };
        go.limits.moves = self.completions();
        let moves = wanted.moves.unwrap_or(MOST_MOVES);
        self.reported_search(&go, moves, wanted.interval, form)?;
        Ok(String::new())
    }

    /// Executes `lz-genmove_analyze` or `kata-genmove_analyze`: a search as for `genmove`, whose vertex is the last line.
    ///
    /// # Errors
    /// If an argument is invalid, or it is not the turn of the colour; nothing is written then.
    pub(super) fn genmove_analyze(
        &mut self,
        words: &[Word],
        form: Form,
    ) -> Result<String, GtpError> {
        let wanted = wanted(words)?;
        // Each further move takes time from the search of the best one.
        let moves = wanted.moves.unwrap_or(1);
        let vertex = self.generate(wanted.colour.as_ref(), |gtp| {
            let before = gtp.search_time;
            let best = gtp.reported_search(&gtp.go(), moves, wanted.interval, form)?;
            gtp.spend(gtp.search_time - before);
            Ok(best)
        })?;
        if !self.has_begun {
            self.begin_answer();
        }
        self.out.raw(&format!("play {vertex}\n"));
        Ok(String::new())
    }

    /// Searches, writes reports on at most `moves` moves while it does, and returns the best move. Without an `interval`
    /// it writes each new result.
    ///
    /// # Errors
    /// If the search cannot begin; nothing is written then.
    fn reported_search(
        &mut self,
        go: &Go,
        moves: i64,
        interval: Option<Duration>,
        form: Form,
    ) -> Result<String, GtpError> {
        let legal = match go.limits.moves.len() {
            0 => self.engine.session.legal_moves().len(),
            completions => completions,
        };
        let lines = legal.min(moves as usize);
        let before = self.engine.options.number(&engine_options::MULTI_PV);
        self.engine.set_option(engine_options::MULTI_PV.name, &moves.to_string())?;
        let search = self.prepare(go);
        self.engine.set_option(engine_options::MULTI_PV.name, &before.to_string())?;
        let search = search?;
        let control = search.control.clone();
        self.begin_answer();
        let begun = Instant::now();
        let out = &self.out;
        let let_input_end = || {
            if go.infinite {
                self.scheduler.change(|state| state.let_input_end(self.line_number));
            }
        };
        let scale = self.engine.session.facts().odds_scale;
        let (session, made) = (self.engine.session.as_ref(), self.half_made.points().len());
        let (known, ended) = (Mutex::new(Known::default()), Condvar::new());
        let lock = || known.lock().unwrap_or_else(PoisonError::into_inner);
        let tell = |known: &mut Known| {
            out.raw(&format!("{}\n", line(&known.reports, form, scale)));
            known.untold = false;
        };
        let tell_of_a_running_search = |known: &mut Known| {
            if known.reports.len() >= lines {
                tell(known);
            }
        };
        let (answer, fault) = scope(|scope| {
            let report_regularly = |interval: Duration| {
                let mut known = lock();
                while !known.is_over {
                    let waited = ended.wait_timeout_while(known, interval, |known| !known.is_over);
                    known = waited.unwrap_or_else(PoisonError::into_inner).0;
                    if !known.is_over {
                        tell_of_a_running_search(&mut known);
                    }
                }
            };
            let thread = Builder::new().name("reports".into());
            let fault = interval.and_then(|interval| {
                thread.spawn_scoped(scope, move || report_regularly(interval)).err()
            });
            let answer = search.run(&mut |step: &SearchReport<String>| {
                let vertices =
                    session.points_of(step.pv).into_iter().skip(made).map(vertex).collect();
                let mut known = lock();
                known
                    .reports
                    .insert(step.rank, Report { vertices, nodes: step.nodes, score: step.score });
                known.untold = true;
                if interval.is_none() && step.rank == lines {
                    tell_of_a_running_search(&mut known);
                }
                // From now on there is something to report, so that the next line of input ends the search, also one
                // that has come already. What has not been told then is told at the end.
                if known.reports.len() == lines {
                    let_input_end();
                }
            });
            let_input_end();
            control.wait_until_released();
            lock().is_over = true;
            ended.notify_all();
            (answer, fault)
        });
        let mut known = lock();
        if known.untold {
            tell(&mut known);
        }
        drop(known);
        fault
            .iter()
            .for_each(|error| self.out.error(format!("there is no thread to report on: {error}")));
        self.search_time += begun.elapsed();
        answer.faults.iter().for_each(|fault| self.out.error(fault));
        Ok(answer.best)
    }
}

/// The reports in one line, the best move first. Of moves that begin with the same vertex only the best is reported.
fn line(reports: &BTreeMap<usize, Report>, form: Form, scale: i32) -> String {
    let mut told: Vec<&str> = Vec::new();
    let mut line = Vec::new();
    for Report { vertices, nodes, score } in reports.values() {
        let Some(first) = vertices.first().filter(|first| !told.contains(&first.as_str())) else {
            continue;
        };
        let (order, pv) = (told.len(), vertices.join(" "));
        told.push(first);
        let chance = chance(*score, scale);
        line.push(match form {
            Form::LeelaZero => {
                let share = (chance * 10_000.0).round();
                format!("info move {first} visits {nodes} winrate {share} prior 0 lcb {share} order {order} pv {pv}")
            }
            Form::KataGo => format!(
                "info move {first} visits {nodes} utility {:.4} winrate {chance:.4} scoreLead {:.2} prior 0 lcb {chance:.4} \
                 order {order} pv {pv}",
                2.0 * chance - 1.0,
                f64::from(*score) / 100.0
            ),
        });
    }
    line.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_come_in_the_forms_of_both_programs() {
        let asked = |colour: Option<&str>, hundredths: u64, moves| {
            let interval =
                Some(Duration::from_millis(10 * hundredths)).filter(|time| !time.is_zero());
            Ok((colour.map(String::from), interval, moves))
        };
        let read = |text: &str| {
            let words: Vec<Word> = text.split_whitespace().map(Word::alone).collect();
            wanted(&words).map(|Wanted { colour, interval, moves }| {
                (colour.map(|word| word.text), interval, moves)
            })
        };
        assert_eq!(read(""), asked(None, 0, None));
        assert_eq!(read("B 50"), asked(Some("B"), 50, None));
        assert_eq!(
            read("white interval 20 maxmoves 3 ownership true"),
            asked(Some("white"), 20, Some(3))
        );
        assert_eq!(read("7 minmoves 2"), asked(None, 7, None));
        assert_eq!(
            read("b 10 avoid b D4,E5 1 allow w E5 2 maxmoves 3"),
            asked(Some("b"), 10, Some(3))
        );
        assert_eq!(read("10 avoid w D4 1"), asked(None, 10, None));
        for (text, why) in [
            ("x", "a colour, an interval or maxmoves expected, found 'x'"),
            (
                "maxmove 3",
                "a colour, an interval or maxmoves expected, found 'maxmove' (did you mean 'maxmoves'?)",
            ),
            ("interval", "a value of interval expected, found the end"),
            ("avoid b D4", "a colour, vertices and a number of moves expected after avoid"),
            ("interval x", "a number from 0 to 1000000 expected, found 'x'"),
            ("9999999", "a number from 0 to 1000000 expected, found '9999999'"),
            ("maxmoves 257", "a number from 0 to 256 expected, found '257'"),
        ] {
            assert_eq!(read(text).unwrap_err().to_string(), why, "{text}");
        }
    }
}
