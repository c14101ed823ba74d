//! Prints the progress and the results of a match.

use std::time::Instant;

use crate::io::output::Output;
use crate::io::progress::ProgressLine;
use pentarch_core::Side;
use pentarch_core::notation::parsing::escape_for_terminal;
use pentarch_diagram::line_chart::{ChartPoint, LineChart};
use pentarch_engine::games::{GAME_OPTION, all_games};

use super::MatchConfig;
use super::export::{self, OutputFormat};
use super::fault::FaultKind;
use super::results::{GamePairCounts, MatchResults};
use super::sprt::{MIN_SPRT_UNITS, Sprt};
use super::standings_report::{self, game_endings_line};
use super::statistics::UnitScoreSample;

/// A printer of the progress and the results of a match. On a terminal, the progress is a single
/// line that is overwritten. Elsewhere, there is a line for each tenth of the games.
pub struct MatchReporter {
    /// The output to which the printer writes.
    pub out: Output,
    progress: ProgressLine,
    begun: Instant,
    /// The number of games that were over before this run.
    before: usize,
}

impl MatchReporter {
    /// Creates a reporter for a match that begins now.
    pub fn new(out: Output) -> MatchReporter {
        MatchReporter {
            out,
            progress: ProgressLine::begin("arena".into()),
            begun: Instant::now(),
            before: 0,
        }
    }

    /// Prints the beginning of the output. The format for people begins with the settings of the
    /// match. The other formats begin with the header and the rows of the games already in the
    /// file.
    pub fn report_start(&mut self, config: &MatchConfig, results: &MatchResults) {
        self.before = results.games.len();
        if config.format != OutputFormat::Text {
            if let Some(header) = export::format_header_row(config.format, config) {
                self.out.write_lines(&header);
            }
            results.games.keys().for_each(|&number| self.print_game_row(config, results, number));
            return;
        }
        self.out.write_lines(&escape_for_terminal(&config.settings_line()));
        for (engine, spec) in config.engines.iter().enumerate() {
            let anchor =
                config.tournament.as_ref().and_then(|tournament| tournament.anchors[engine]);
            let rating = anchor.map_or_else(String::new, |elo| format!(", rating {elo}"));
            self.out.write_lines(&escape_for_terminal(&format!("{}: {spec}{rating}", spec.name)));
        }
        if let Some(path) = config.games_file.as_ref().filter(|_| self.before > 0) {
            self.out.write_lines(&format!(
                "{} games are in {} already",
                self.before,
                path.display()
            ));
        }
    }

    fn print_game_row(&self, config: &MatchConfig, results: &MatchResults, number: usize) {
        if let Some(game) = results.games.get(&number) {
            self.out.write_lines(&export::format_game_row(config.format, config, number, game));
        }
    }

    /// Shows the progress after the game with this number.
    pub fn show_progress(&mut self, config: &MatchConfig, results: &MatchResults, number: usize) {
        if config.format != OutputFormat::Text {
            self.progress.clear();
            self.print_game_row(config, results, number);
        }
        let done = results.games.len();
        let all = config.games;
        let is_tenth = done < all && done.is_multiple_of(all.div_ceil(10));
        let is_shown =
            self.progress.is_on_terminal || config.format == OutputFormat::Text && is_tenth;
        if !is_shown {
            return;
        }
        let line = match &config.tournament {
            None => match_score_line(config, results),
            Some(tournament) => {
                format!(
                    "{done} of {all} games{}",
                    standings_report::leading_engines_text(config, tournament, results)
                )
            }
        };
        if self.progress.is_on_terminal {
            let each =
                self.begun.elapsed().as_secs_f64() / done.saturating_sub(self.before).max(1) as f64;
            let seconds = (each * all.saturating_sub(done) as f64).ceil() as u64;
            self.progress.show(&format!("{line}, {}:{:02} left", seconds / 60, seconds % 60));
        } else {
            self.out.write_lines(&line);
        }
    }

    /// Prints the results, if there are any.
    pub fn report_results(&mut self, config: &MatchConfig, results: &MatchResults) {
        self.progress.clear();
        match config.format {
            OutputFormat::Text if results.games.is_empty() => {}
            OutputFormat::Text => match &config.tournament {
                None => self.out.write_lines(&match_results_text(config, results)),
                // The text has empty lines between the tables of the tournament, and `write_lines`
                // would omit them.
                Some(tournament) => {
                    self.out.write_unchanged(
                        &(standings_report::tournament_results_text(config, tournament, results)
                            + "\n"),
                    );
                }
            },
            OutputFormat::Csv => {}
            OutputFormat::Json => self.out.write_lines(&match &config.tournament {
                None => export::match_summary_json(config, results),
                Some(tournament) => {
                    standings_report::tournament_summary_json(config, tournament, results)
                }
            }),
        }
    }
}

/// Returns the score of a match of two engines so far, in one line.
fn match_score_line(config: &MatchConfig, results: &MatchResults) -> String {
    let [first, second] = [0, 1].map(|engine| results.win_draw_loss(engine, None).points());
    let [left, right] = [0, 1].map(|engine| &config.engines[engine].name);
    let done = results.games.len();
    let all = config.games;
    let mut line = format!("{done} of {all} games, {left} {first} - {second} {right}");
    if let Some(sample) = results.finished_unit_scores() {
        line += &format!(", Elo {}", elo_difference_text(&sample));
    }
    if let Some(sprt) = &config.sprt {
        let sample = results.scores_before_first_unfinished_unit();
        line += &format!(", LLR {:.2}", sprt.log_likelihood_ratio(sample));
        if sprt.is_bound_crossed_too_early(sample) {
            let units = if config.schedule.fixed_sides { "games" } else { "pairs" };
            line += &format!(" (decides from {MIN_SPRT_UNITS} {units} on)");
        }
    }
    line
}

/// Draws the graph of a match: the score after each pair of games, or the ratings of a tournament.
pub fn match_chart_svg(config: &MatchConfig, results: &MatchResults) -> String {
    match &config.tournament {
        None => match_score_chart(config, results).to_svg_document(),
        Some(tournament) => standings_report::ratings_svg(config, tournament, results),
    }
}

/// Returns the graph of the first engine's score with its 95 % interval. The graph has a point
/// after each pair of games, or after each game if sides are fixed.
fn match_score_chart(config: &MatchConfig, results: &MatchResults) -> LineChart {
    let amount = |sample: UnitScoreSample| {
        let [value, low, high] = sample.mean_score_interval();
        ChartPoint { value, shaded: [low, high] }
    };
    let unit = if config.schedule.fixed_sides { "game" } else { "pair of games" };
    let name = escape_for_terminal(&config.engines[0].name);
    let elo = results
        .finished_unit_scores()
        .map_or_else(String::new, |sample| format!("; Elo {}", elo_difference_text(&sample)));
    LineChart {
        title: format!("The score of {name} after each {unit}, with its 95 % interval{elo}"),
        axes: [unit.into(), format!("score of {name}")],
        first: 1,
        points: results.cumulative_score_samples().into_iter().map(amount).collect(),
        marked: Vec::new(),
    }
}

fn match_results_text(config: &MatchConfig, results: &MatchResults) -> String {
    let names = [0, 1].map(|engine| config.engines[engine].name.clone());
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(10);
    let row = |label: &str, [first, second]: [String; 2]| {
        format!("{label:24}{first:>width$}  {second:>width$}")
    };
    let mut rows = vec![row(&format!("games: {} of {}", results.games.len(), config.games), names)];
    let mut add =
        |label: &str, value: &dyn Fn(usize) -> String| rows.push(row(label, [value(0), value(1)]));
    let percent = |engine| {
        let tally = results.win_draw_loss(engine, None);
        format!("{:.1} %", 100.0 * tally.points() / tally.game_count().max(1) as f64)
    };
    let tally = |engine, side| {
        let tally = results.win_draw_loss(engine, side);
        format!("{}-{}-{}", tally.wins, tally.draws, tally.losses)
    };
    add("points", &|engine| results.win_draw_loss(engine, None).points().to_string());
    add("score", &percent);
    add("wins-draws-losses", &|engine| tally(engine, None));
    let sides = all_games()[config.options.combo_value(&GAME_OPTION)].sides;
    for (side, name) in Side::BOTH_SIDES.into_iter().zip(sides) {
        add(&format!("  as {name}"), &|engine| tally(engine, Some(side)));
    }
    for kind in FaultKind::ALL {
        add(&format!("lost by {}", kind.name()), &|engine| {
            results.fault_count(engine, kind).to_string()
        });
    }
    let mean = |sum: u64, count: u64| sum as f64 / count.max(1) as f64;
    let stats = [0, 1].map(|engine| results.search_stats(engine));
    add("mean depth", &|engine| format!("{:.1}", mean(stats[engine].depths, stats[engine].moves)));
    add("mean nodes", &|engine| format!("{:.0}", mean(stats[engine].nodes, stats[engine].moves)));
    add("mean time in ms", &|engine| {
        format!("{:.1}", mean(stats[engine].micros, stats[engine].moves) / 1000.0)
    });
    add("nodes per second", &|engine| {
        format!("{:.0}", 1e6 * mean(stats[engine].nodes, stats[engine].micros))
    });
    rows.push(game_endings_line(results));
    rows.extend(results.pair_counts().map(|pairs| pair_counts_text(&pairs)));
    rows.extend(results.finished_unit_scores().map(|sample| {
        let likelihood_of_superiority = 100.0 * sample.likelihood_of_superiority();
        let [_, low, high] = sample.elo_interval();
        format!(
            "Elo                     {} (95 %: {low:+.1} to {high:+.1}), LOS {likelihood_of_superiority:.1} %",
            elo_difference_text(&sample)
        )
    }));
    rows.extend(
        config.sprt.map(|sprt| sprt_text(&sprt, results.scores_before_first_unfinished_unit())),
    );
    rows.join("\n")
}

/// Returns the Elo difference and half the length of its 95 % interval: `+12.3 ± 4.5`.
fn elo_difference_text(sample: &UnitScoreSample) -> String {
    let [elo, low, high] = sample.elo_interval();
    format!("{elo:+.1} ± {:.1}", (high - low) / 2.0)
}

fn pair_counts_text(pairs: &GamePairCounts) -> String {
    let GamePairCounts { pentanomial: [lost, half_lost, even, half_won, won], split } = pairs;
    let not_split = lost + half_lost + even + half_won + won - split;
    format!(
        "pairs                   2-0: {won}, 1.5-0.5: {half_won}, 1-1: {even}, 0.5-1.5: {half_lost}, 0-2: {lost}\n\
         not split one win each  {not_split}, of them won {}",
        won + half_won
    )
}

fn sprt_text(sprt: &Sprt, sample: Option<UnitScoreSample>) -> String {
    let [lower, upper] = Sprt::log_likelihood_ratio_bounds();
    let verdict = match sprt.is_h1_accepted(sample) {
        None => "undecided".into(),
        Some(true) => format!("H1 taken, Elo {}", sprt.elo1),
        Some(false) => format!("H0 taken, Elo {}", sprt.elo0),
    };
    let test = format!("SPRT {} to {}", sprt.elo0, sprt.elo1);
    format!(
        "{test:23} LLR {:.2} ({lower:.2} to {upper:.2}), {verdict}",
        sprt.log_likelihood_ratio(sample)
    )
}
