//! What a match prints: its progress and its results.

use std::time::Instant;

use crate::io::output::Output;
use crate::io::progress::Progress;
use pentarch_core::Side;
use pentarch_core::notation::text::escape_for_terminal;
use pentarch_diagram::graph::{Amount, Graph};
use pentarch_games::GAME;
use pentarch_games::GameId;

use super::Conditions;
use super::fault::FaultKind;
use super::results::{MatchResults, Pairs};
use super::rows::{self, Form};
use super::sprt::Sprt;
use super::standings_report::{self, ends_line};
use super::statistics::Sample;

/// Prints the progress of a match, on a terminal as a line that is overwritten and elsewhere as a line for each tenth
/// of the games, and then its results.
pub struct Report {
    /// Where it is printed.
    pub out: Output,
    progress: Progress,
    begun: Instant,
    /// How many games were over before this run.
    before: usize,
}

impl Report {
    /// A report on a match that begins now.
    pub fn new(out: Output) -> Report {
        Report { out, progress: Progress::begin("arena".into()), begun: Instant::now(), before: 0 }
    }

    /// Prints the conditions of the match.
    pub fn begin(&mut self, conditions: &Conditions, results: &MatchResults) {
        self.before = results.games.len();
        if conditions.form != Form::Text {
            rows::header(conditions.form, conditions)
                .iter()
                .for_each(|header| self.out.lines(header));
            results.games.keys().for_each(|&number| self.row(conditions, results, number));
            return;
        }
        self.out.lines(&escape_for_terminal(&conditions.heading()));
        for (engine, spec) in conditions.engines.iter().enumerate() {
            let anchor =
                conditions.tournament.as_ref().and_then(|tournament| tournament.anchors[engine]);
            let rating = anchor.map_or_else(String::new, |elo| format!(", rating {elo}"));
            self.out.lines(&escape_for_terminal(&format!("{}: {spec}{rating}", spec.name)));
        }
        if let Some(path) = conditions.record.as_ref().filter(|_| self.before > 0) {
            self.out.lines(&format!("{} games are in {} already", self.before, path.display()));
        }
    }

    /// Prints the row of a game.
    fn row(&self, conditions: &Conditions, results: &MatchResults, number: usize) {
        let game = results.games.get(&number);
        game.iter()
            .for_each(|game| self.out.lines(&rows::row(conditions.form, conditions, number, game)));
    }

    /// Shows the progress. It is to be called after each game, with its number.
    pub fn progress(&mut self, conditions: &Conditions, results: &MatchResults, number: usize) {
        if conditions.form != Form::Text {
            self.progress.clear();
            self.row(conditions, results, number);
        }
        let (done, all) = (results.games.len(), conditions.games);
        let is_tenth = done < all && done.is_multiple_of(all.div_ceil(10));
        let is_shown = self.progress.is_on_terminal || conditions.form == Form::Text && is_tenth;
        if !is_shown {
            return;
        }
        let line = match &conditions.tournament {
            None => score_line(conditions, results),
            Some(tournament) => {
                format!(
                    "{done} of {all} games{}",
                    standings_report::leaders(conditions, tournament, results)
                )
            }
        };
        if self.progress.is_on_terminal {
            let each =
                self.begun.elapsed().as_secs_f64() / done.saturating_sub(self.before).max(1) as f64;
            let seconds = (each * all.saturating_sub(done) as f64).ceil() as u64;
            self.progress.show(&format!("{line}, {}:{:02} left", seconds / 60, seconds % 60));
        } else {
            self.out.lines(&line);
        }
    }

    /// Prints the results, if there are any.
    pub fn end(&mut self, conditions: &Conditions, results: &MatchResults) {
        self.progress.clear();
        match conditions.form {
            Form::Text if results.games.is_empty() => {}
            Form::Text => match &conditions.tournament {
                None => self.out.lines(&results_text(conditions, results)),
                // Between its tables there are empty lines.
                Some(tournament) => {
                    self.out.raw(
                        &(standings_report::results_text(conditions, tournament, results) + "\n"),
                    );
                }
            },
            Form::Csv => {}
            Form::Json => self.out.lines(&match &conditions.tournament {
                None => rows::summary(conditions, results),
                Some(tournament) => standings_report::summary(conditions, tournament, results),
            }),
        }
    }
}

/// How a match of two engines stands, in one line.
fn score_line(conditions: &Conditions, results: &MatchResults) -> String {
    let [first, second] = [0, 1].map(|engine| results.tally(engine, None).points());
    let [left, right] = [0, 1].map(|engine| &conditions.engines[engine].name);
    let (done, all) = (results.games.len(), conditions.games);
    let mut line = format!("{done} of {all} games, {left} {first} - {second} {right}");
    if let Some(sample) = results.sample() {
        line += &format!(", Elo {}", elo_text(&sample));
    }
    if let Some(sprt) = &conditions.sprt {
        line += &format!(", LLR {:.2}", sprt.llr(results.sample_in_order()));
    }
    line
}

/// The picture of a match: the score after each pair of games, or the ratings of a tournament.
pub fn svg(conditions: &Conditions, results: &MatchResults) -> String {
    match &conditions.tournament {
        None => graph(conditions, results).svg(),
        Some(tournament) => standings_report::svg(conditions, tournament, results),
    }
}

/// The score of the first engine after each pair of games, or each game if sides are fixed, with its 95 % interval.
fn graph(conditions: &Conditions, results: &MatchResults) -> Graph {
    let amount = |sample: Sample| {
        let [value, low, high] = sample.score();
        Amount { value, shaded: [low, high] }
    };
    let unit = if conditions.schedule.fixed_sides { "game" } else { "pair of games" };
    let name = escape_for_terminal(&conditions.engines[0].name);
    let elo =
        results.sample().map_or_else(String::new, |sample| format!("; Elo {}", elo_text(&sample)));
    Graph {
        title: format!("The score of {name} after each {unit}, with its 95 % interval{elo}"),
        axes: [unit.into(), format!("score of {name}")],
        first: 1,
        amounts: results.samples().into_iter().map(amount).collect(),
        marked: Vec::new(),
    }
}

/// The results of a match as a table.
fn results_text(conditions: &Conditions, results: &MatchResults) -> String {
    let names = [0, 1].map(|engine| conditions.engines[engine].name.clone());
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(10);
    let row = |label: &str, [first, second]: [String; 2]| {
        format!("{label:24}{first:>width$}  {second:>width$}")
    };
    let mut rows =
        vec![row(&format!("games: {} of {}", results.games.len(), conditions.games), names)];
    let mut add =
        |label: &str, value: &dyn Fn(usize) -> String| rows.push(row(label, [value(0), value(1)]));
    let percent = |engine| {
        let tally = results.tally(engine, None);
        format!("{:.1} %", 100.0 * tally.points() / tally.games().max(1) as f64)
    };
    let tally = |engine, side| {
        let tally = results.tally(engine, side);
        format!("{}-{}-{}", tally.wins, tally.draws, tally.losses)
    };
    add("points", &|engine| results.tally(engine, None).points().to_string());
    add("score", &percent);
    add("wins-draws-losses", &|engine| tally(engine, None));
    let sides = GameId::ENTRIES[conditions.options.choice(&GAME)].sides;
    for (side, name) in Side::BOTH.into_iter().zip(sides) {
        add(&format!("  as {name}"), &|engine| tally(engine, Some(side)));
    }
    for kind in FaultKind::ALL {
        add(&format!("lost by {}", kind.name()), &|engine| {
            results.faults(engine, kind).to_string()
        });
    }
    let mean = |sum: u64, count: u64| sum as f64 / count.max(1) as f64;
    let effort = |engine| results.effort(engine);
    add("mean depth", &|engine| {
        format!("{:.1}", mean(effort(engine).depths, effort(engine).moves))
    });
    add("mean nodes", &|engine| format!("{:.0}", mean(effort(engine).nodes, effort(engine).moves)));
    add("mean time in ms", &|engine| {
        format!("{:.1}", mean(effort(engine).micros, effort(engine).moves) / 1000.0)
    });
    add("nodes per second", &|engine| {
        format!("{:.0}", 1e6 * mean(effort(engine).nodes, effort(engine).micros))
    });
    rows.push(ends_line(results));
    rows.extend(results.pairs().map(|pairs| pairs_text(&pairs)));
    rows.extend(results.sample().map(|sample| {
        let los = 100.0 * sample.los();
        let [_, low, high] = sample.elo();
        format!(
            "Elo                     {} (95 %: {low:+.1} to {high:+.1}), LOS {los:.1} %",
            elo_text(&sample)
        )
    }));
    rows.extend(conditions.sprt.map(|sprt| sprt_text(&sprt, results.sample_in_order())));
    rows.join("\n")
}

/// The Elo difference and half the length of its 95 % interval: `+12.3 ± 4.5`.
fn elo_text(sample: &Sample) -> String {
    let [elo, low, high] = sample.elo();
    format!("{elo:+.1} ± {:.1}", (high - low) / 2.0)
}

fn pairs_text(pairs: &Pairs) -> String {
    let Pairs { pentanomial: [lost, half_lost, even, half_won, won], split } = pairs;
    let not_split = lost + half_lost + even + half_won + won - split;
    format!(
        "pairs                   2-0: {won}, 1.5-0.5: {half_won}, 1-1: {even}, 0.5-1.5: {half_lost}, 0-2: {lost}\n\
         not split one win each  {not_split}, of them won {}",
        won + half_won
    )
}

fn sprt_text(sprt: &Sprt, sample: Option<Sample>) -> String {
    let [lower, upper] = Sprt::bounds();
    let verdict = match sprt.decision(sample) {
        None => "undecided".into(),
        Some(true) => format!("H1 taken, Elo {}", sprt.elo1),
        Some(false) => format!("H0 taken, Elo {}", sprt.elo0),
    };
    let test = format!("SPRT {} to {}", sprt.elo0, sprt.elo1);
    format!("{test:23} LLR {:.2} ({lower:.2} to {upper:.2}), {verdict}", sprt.llr(sample))
}
