//! The commands `lz-analyze` and `kata-analyze`, by which front ends for Go show what the engine thinks while it thinks:
//! as Leela Zero and KataGo answer them, as far as that says something about other games.
//!
//! The answer begins at once and grows by a line of reports whenever the interval has passed. It ends when the next line
//! of input comes, whatever that is, but not before its first report.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use crate::core::text::{did_you_mean, quoted};
use crate::protocol::engine_options;
use crate::protocol::request::{Go, Word};
use crate::search::{Info, score};

use super::text::{click_text, side_of};
use super::{Gtp, locked};

/// How the reports are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Those of Leela Zero: chances of winning in hundredths of a per cent.
    LeelaZero,
    /// Those of KataGo: chances of winning from 0 to 1, and the score of the search in place of a lead in points.
    KataGo,
}

/// The moves that are reported if nothing else is said.
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
/// Those that mean something.
const KNOWN: [&str; 2] = ["interval", "maxmoves"];

/// What the arguments ask for.
#[derive(Debug, PartialEq, Eq)]
struct Wanted {
    /// The least time between two lines of reports.
    interval: Duration,
    /// The greatest number of moves in a line.
    moves: i64,
}

/// A move as it is reported.
struct Report {
    vertices: Vec<String>,
    nodes: u64,
    score: i32,
}

/// Reads the arguments: a colour, and an interval in hundredths of a second, by itself or after its name; and others
/// with their names.
fn wanted(words: &[Word]) -> Result<Wanted, String> {
    let mut wanted = Wanted { interval: Duration::ZERO, moves: MOST_MOVES };
    let mut words = words.iter().map(|word| word.text.as_str());
    let number = |text: &str, most: i64| {
        let number = text.parse().ok().filter(|number| (0..=most).contains(number));
        number.ok_or_else(|| format!("a number from 0 to {most} expected, found {}", quoted(text)))
    };
    let hundredths = |text: &str| Ok::<_, String>(Duration::from_millis(10 * number(text, 1_000_000)?.unsigned_abs()));
    while let Some(word) = words.next() {
        let is = |name: &str| name.eq_ignore_ascii_case(word);
        if side_of(word).is_ok() {
        } else if word.starts_with(|first: char| first.is_ascii_digit()) {
            wanted.interval = hundredths(word)?;
        } else if KNOWN.into_iter().chain(IGNORED).any(is) {
            let value = words.next().ok_or_else(|| format!("a value of {word} expected, found the end"))?;
            if is("interval") {
                wanted.interval = hundredths(value)?;
            } else if is("maxmoves") {
                wanted.moves = number(value, 256)?.max(1);
            }
        } else {
            let hint = did_you_mean(word, KNOWN);
            return Err(format!("a colour, an interval or maxmoves expected, found {}{hint}", quoted(word)));
        }
    }
    Ok(wanted)
}

impl Gtp {
    /// Carries out `lz-analyze` or `kata-analyze`.
    ///
    /// # Errors
    /// If the arguments are bad, it is not the turn of the colour, or the game is over; nothing is written then.
    pub(super) fn analyze(&mut self, words: &[Word], form: Form) -> Result<String, String> {
        self.grid()?;
        let Wanted { interval, moves } = wanted(words)?;
        self.check_turn(words.iter().find(|word| side_of(&word.text).is_ok()))?;
        if self.engine.session.outcome().is_some() {
            return Err(format!("the game is over: {}", self.engine.session.outcome_sentence()));
        }
        let mut go = Go { infinite: true, ..Go::default() };
        let completions = self.completions();
        go.limits.moves = completions.iter().map(|text| Word::alone(text)).collect();
        let legal = if completions.is_empty() { self.engine.session.legal_moves().len() } else { completions.len() };
        let lines = legal.min(moves as usize);
        let before = engine_options::text(&self.engine.options, &engine_options::MULTI_PV);
        self.engine.set_option(engine_options::MULTI_PV.name, &moves.to_string())?;
        let search = self.engine.search(&go);
        self.engine.set_option(engine_options::MULTI_PV.name, &before)?;
        let search = search?.ok_or("there is no legal move")?;
        let control = search.control.clone();
        self.begin_answer();
        let (begun, mut last) = (Instant::now(), None);
        let (out, shared, number) = (self.out.clone(), self.shared.clone(), self.line_number);
        let scale = self.engine.session.odds_scale();
        let (session, mut reports, mut untold) = (self.engine.session.as_mut(), BTreeMap::new(), false);
        let tell = |reports: &BTreeMap<usize, Report>| out.raw(&format!("{}\n", line(reports, form, scale)));
        locked(&shared).register(number, control.clone());
        let answer = search.run_steps(&mut |step: &Info<String>| {
            let vertices = session.on_go_board().vertices(step.pv).into_iter().map(click_text).collect();
            reports.insert(step.rank, Report { vertices, nodes: step.nodes, score: step.score });
            untold = true;
            if step.rank < lines || last.is_some_and(|last: Instant| last.elapsed() < interval) {
                return;
            }
            tell(&reports);
            (last, untold) = (Some(Instant::now()), false);
            // From now on the next line of input ends the search, also one that has come already.
            locked(&shared).let_any_line_stop(number);
        });
        locked(&shared).let_any_line_stop(number);
        control.wait_until_released();
        if untold {
            tell(&reports);
        }
        locked(&self.shared).running = None;
        self.search_time += begun.elapsed();
        answer.faults.iter().for_each(|fault| self.out.error(fault));
        Ok(String::new())
    }
}

/// The reports in one line, the best move first. Of moves that begin with the same vertex only the best is reported.
fn line(reports: &BTreeMap<usize, Report>, form: Form, scale: i32) -> String {
    let mut told: Vec<&str> = Vec::new();
    let mut line = Vec::new();
    for Report { vertices, nodes, score } in reports.values() {
        let Some(first) = vertices.first().filter(|first| !told.contains(&first.as_str())) else { continue };
        let (order, pv) = (told.len(), vertices.join(" "));
        told.push(first);
        let chance = match score::is_proven(*score) {
            true => f64::from(u8::from(*score > 0)),
            false => 1.0 / (1.0 + (-f64::from(*score) / f64::from(scale)).exp()),
        };
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
        let read = |text: &str| wanted(&text.split_whitespace().map(Word::alone).collect::<Vec<_>>());
        let asked = |hundredths: u64, moves| Ok(Wanted { interval: Duration::from_millis(10 * hundredths), moves });
        assert_eq!(read(""), asked(0, MOST_MOVES));
        assert_eq!(read("B 50"), asked(50, MOST_MOVES));
        assert_eq!(read("white interval 20 maxmoves 3 ownership true"), asked(20, 3));
        assert_eq!(read("7 minmoves 2"), asked(7, MOST_MOVES));
        for (text, why) in [
            ("x", "a colour, an interval or maxmoves expected, found 'x'"),
            ("maxmove 3", "a colour, an interval or maxmoves expected, found 'maxmove' (did you mean 'maxmoves'?)"),
            ("interval", "a value of interval expected, found the end"),
            ("interval x", "a number from 0 to 1000000 expected, found 'x'"),
            ("9999999", "a number from 0 to 1000000 expected, found '9999999'"),
            ("maxmoves 257", "a number from 0 to 256 expected, found '257'"),
        ] {
            assert_eq!(read(text), Err(why.into()), "{text}");
        }
    }
}
