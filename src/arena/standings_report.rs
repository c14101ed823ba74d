//! Formats the output of a tournament: its progress, its tables, and the diagram of its ratings.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use pentarch_core::notation::parsing::escape_for_terminal;
use pentarch_diagram::interval_chart::{IntervalChart, IntervalRow};

use super::MatchConfig;
use super::export::ordered_json_object;
use super::fault::FaultKind;
use super::rating::Ratings;
use super::results::{MatchResults, WinDrawLossCounts};
use super::standings::{Standings, TournamentSettings};

const ENGINE_NAME_COLUMN_WIDTH: usize = 16;

/// The maximum number of columns of the cross table, so that the table fits a terminal.
const MAX_CROSS_TABLE_COLUMNS: usize = 10;

/// Returns a line with the ways in which games have ended, the numbers of these games, and the mean
/// length of a game.
pub fn game_endings_line(results: &MatchResults) -> String {
    let mut endings = Vec::new();
    for (ending, count) in results.ending_counts() {
        endings.push(format!("{} {count}", escape_for_terminal(ending)));
    }
    format!(
        "ends of games           {}; {:.1} plies on average",
        endings.join(", "),
        results.mean_plies()
    )
}

/// Returns the leading engines with their ratings, for the progress line.
pub fn leading_engines_text(
    config: &MatchConfig,
    tournament: &TournamentSettings,
    results: &MatchResults,
) -> String {
    const MAX_SHOWN_LEADERS: usize = 3;
    let standings = Standings::new(config, results);
    let ratings = standings.ratings(tournament, false);
    let ranking = standings.engines_by_rating(tournament, &ratings).into_iter();
    let rated =
        ranking.filter(|&engine| standings.has_rating(tournament, engine)).take(MAX_SHOWN_LEADERS);
    let leader = |engine: usize| {
        format!(
            ", {} {:+.1}",
            truncated_engine_name(&config.engines[engine].name),
            ratings.elo[engine]
        )
    };
    rated.map(leader).collect()
}

/// A tournament with its results. The engines are ordered by their ratings.
struct StandingsTable<'a> {
    config: &'a MatchConfig,
    tournament: &'a TournamentSettings,
    standings: Standings,
    ratings: Ratings,
    ranking: Vec<usize>,
}

impl<'a> StandingsTable<'a> {
    fn new(
        config: &'a MatchConfig,
        tournament: &'a TournamentSettings,
        results: &MatchResults,
    ) -> StandingsTable<'a> {
        let standings = Standings::new(config, results);
        let ratings = standings.ratings(tournament, true);
        let ranking = standings.engines_by_rating(tournament, &ratings);
        StandingsTable { config, tournament, standings, ratings, ranking }
    }

    fn has_rating(&self, engine: usize) -> bool {
        self.standings.has_rating(self.tournament, engine)
    }

    /// Returns the likelihood that the engine of this rank is stronger than the next engine; `None`
    /// for the last engine, or if no games connect the two engines.
    fn superiority_likelihood(&self, rank: usize) -> Option<f64> {
        let engine = *self.ranking.get(rank)?;
        let next = *self.ranking.get(rank + 1)?;
        let are_comparable =
            self.has_rating(next) && self.ratings.groups[engine] == self.ratings.groups[next];
        are_comparable.then(|| self.ratings.superiority_likelihood(engine, next))
    }

    fn numbered_engine_name(&self, rank: usize) -> String {
        let name = truncated_engine_name(&self.config.engines[self.ranking[rank]].name);
        format!("{:>2} {name:ENGINE_NAME_COLUMN_WIDTH$}", rank + 1)
    }

    fn rating_table(&self) -> Vec<String> {
        let mut rows = vec![format!(
            "   {:ENGINE_NAME_COLUMN_WIDTH$}{:>8}{:>10}{:>8}{:>9}{:>6}{:>8}{:>8}",
            "engine", "Elo", "95 % from", "to", "LOS", "games", "points", "score"
        )];
        for (rank, &engine) in self.ranking.iter().enumerate() {
            let [low, high] = self.ratings.confidence_interval(engine);
            let elo = [self.ratings.elo[engine], low, high].map(|elo| format!("{elo:+.1}"));
            let elo = match (self.tournament.anchors[engine], self.has_rating(engine)) {
                (Some(_), _) => [&elo[0], "fixed", ""].map(String::from),
                (None, true) => elo,
                (None, false) => ["-", "", ""].map(String::from),
            };
            let likelihood_of_superiority = self
                .superiority_likelihood(rank)
                .map_or_else(String::new, |likelihood_of_superiority| {
                    format!("{:.1} %", 100.0 * likelihood_of_superiority)
                });
            let total = self.standings.results_against_all(engine);
            let score =
                format!("{:.1} %", 100.0 * total.points() / total.game_count().max(1) as f64);
            let [elo, low, high] = elo;
            let row = format!(
                "{}{elo:>8}{low:>10}{high:>8}{likelihood_of_superiority:>9}{:>6}{:>8}{score:>8}",
                self.numbered_engine_name(rank),
                total.game_count(),
                total.points(),
            );
            rows.push(row);
        }
        rows
    }

    /// Returns the cross table: the points of each engine against every other engine.
    fn cross_table(&self) -> Vec<String> {
        let mut tallies: Vec<Vec<WinDrawLossCounts>> = Vec::new();
        for &row in &self.ranking {
            let against = self.ranking.iter().map(|&column| self.standings.tallies[row][column]);
            tallies.push(against.collect());
        }
        let mut played =
            tallies.iter().flatten().map(|tally| tally.game_count()).filter(|&n| n > 0);
        let games_each = played.next().unwrap_or(0);
        let is_even = played.all(|games| games == games_each);
        let points = |tally: &WinDrawLossCounts| match tally.game_count() {
            0 => "-".into(),
            _ => tally.points().to_string(),
        };
        let games = |tally: &WinDrawLossCounts| match tally.game_count() {
            0 => String::new(),
            games => games.to_string(),
        };
        let longest = tallies.iter().flatten().map(|tally| points(tally).len()).max().unwrap_or(0);
        let width = longest.max(5) + 1;
        let cells = |values: Vec<String>| {
            values.iter().map(|value| format!("{value:>width$}")).collect::<String>()
        };
        let mut rows = vec![match is_even {
            true => format!("points against each other engine, of {games_each} games"),
            false => "points against each other engine, and below them the games".into(),
        }];
        for first in (0..self.ranking.len()).step_by(MAX_CROSS_TABLE_COLUMNS) {
            let columns = first..self.ranking.len().min(first + MAX_CROSS_TABLE_COLUMNS);
            let numbers = cells(columns.clone().map(|column| (column + 1).to_string()).collect());
            rows.push(format!("   {:ENGINE_NAME_COLUMN_WIDTH$}{numbers}", "engine"));
            for (rank, row) in tallies.iter().enumerate() {
                let row = &row[columns.clone()];
                let points = cells(row.iter().map(points).collect());
                rows.push(format!("{}{points}", self.numbered_engine_name(rank)));
                if !is_even {
                    let games = cells(row.iter().map(games).collect());
                    rows.push(format!("   {:ENGINE_NAME_COLUMN_WIDTH$}{games}", ""));
                }
            }
        }
        rows
    }

    /// Returns each kind of fault by which an engine has lost games, with the number of these
    /// games.
    fn fault_counts(&self, engine: usize) -> impl Iterator<Item = (&'static str, usize)> {
        let counts = FaultKind::ALL.iter().zip(self.standings.faults[engine]);
        counts.filter(|(_, count)| *count > 0).map(|(kind, count)| (kind.name(), count))
    }

    /// Returns the table of the searches of each engine: depths, nodes, times and faults.
    fn search_stats_table(&self) -> Vec<String> {
        let head = format!(
            "   {:ENGINE_NAME_COLUMN_WIDTH$}{:>8}{:>11}{:>10}{:>12}  lost by faults",
            "engine", "depth", "nodes", "ms", "nodes/s"
        );
        let mut rows = vec![head];
        for (rank, &engine) in self.ranking.iter().enumerate() {
            let stats = self.standings.stats[engine];
            let mean = |sum: u64, count: u64| sum as f64 / count.max(1) as f64;
            let faults: Vec<String> =
                self.fault_counts(engine).map(|(kind, count)| format!("{kind} {count}")).collect();
            rows.push(format!(
                "{}{:>8.1}{:>11.0}{:>10.1}{:>12.0}  {}",
                self.numbered_engine_name(rank),
                mean(stats.depths, stats.moves),
                mean(stats.nodes, stats.moves),
                mean(stats.micros, stats.moves) / 1000.0,
                1e6 * mean(stats.nodes, stats.micros),
                if faults.is_empty() { "none".into() } else { faults.join(", ") },
            ));
        }
        rows
    }

    /// Returns lines about pairings without a finished unit, and about groups of engines that no
    /// games connect. Ratings of different groups are not comparable.
    fn missing_pairing_lines(&self) -> Vec<String> {
        let name = |engine: usize| escape_for_terminal(&self.config.engines[engine].name);
        let mut rows = Vec::new();
        let unplayed: Vec<String> = self
            .standings
            .pairings
            .iter()
            .filter(|pairing| pairing.units.is_empty())
            .map(|pairing| pairing.engines.map(name).join(" - "))
            .collect();
        if !unplayed.is_empty() {
            rows.push(format!("no pair of games is over of {}", unplayed.join(", ")));
        }
        let mut groups: Vec<usize> = self.ratings.groups.clone();
        groups.sort_unstable();
        groups.dedup();
        if groups.len() > 1 {
            let mut names_by_group = Vec::new();
            for group in groups {
                let in_group =
                    self.ranking.iter().filter(|&&engine| self.ratings.groups[engine] == group);
                let names: Vec<String> = in_group.map(|&engine| name(engine)).collect();
                names_by_group.push(names.join(", "));
            }
            rows.push(format!(
                "no games connect these, whose ratings do not compare: {}",
                names_by_group.join("; ")
            ));
        }
        rows
    }
}

/// Returns a name cut to [`ENGINE_NAME_COLUMN_WIDTH`].
fn truncated_engine_name(name: &str) -> String {
    let name = escape_for_terminal(name);
    match name.chars().nth(ENGINE_NAME_COLUMN_WIDTH) {
        None => name,
        Some(_) => name.chars().take(ENGINE_NAME_COLUMN_WIDTH - 1).chain(['…']).collect(),
    }
}

/// Returns the results of a tournament as tables.
pub fn tournament_results_text(
    config: &MatchConfig,
    tournament: &TournamentSettings,
    results: &MatchResults,
) -> String {
    let table = StandingsTable::new(config, tournament, results);
    let done = results.games.len();
    let all = config.games;
    let pairings = config.schedule.pairings.len();
    // A file can have more games than requested.
    let of_each =
        if done > all { String::new() } else { format!(", {} of each pairing", all / pairings) };
    let parts = [
        vec![format!("games: {done} of {all}{of_each}")],
        table.rating_table(),
        table.missing_pairing_lines(),
        vec![String::new()],
        table.cross_table(),
        vec![String::new()],
        table.search_stats_table(),
        vec![game_endings_line(results)],
    ];
    parts.concat().join("\n")
}

/// Returns the results and the strength of a tournament's engines as an object; unknown values are
/// null.
pub fn tournament_summary_json(
    config: &MatchConfig,
    tournament: &TournamentSettings,
    results: &MatchResults,
) -> String {
    let table = StandingsTable::new(config, tournament, results);
    let engine = |(rank, &engine): (usize, &usize)| -> Value {
        let total = table.standings.results_against_all(engine);
        let [low, high] = table.ratings.confidence_interval(engine);
        let if_rated = |value: f64| table.has_rating(engine).then_some(value);
        json!({
            "name": config.engines[engine].name,
            "elo": if_rated(table.ratings.elo[engine]),
            "elo_low": if_rated(low),
            "elo_high": if_rated(high),
            "los": table.superiority_likelihood(rank),
            "anchor": tournament.anchors[engine].is_some(),
            "group": table.ratings.groups[engine],
            "games": total.game_count(),
            "wins": total.wins,
            "draws": total.draws,
            "losses": total.losses,
            "points": total.points(),
            "faults": table.fault_counts(engine).collect::<BTreeMap<_, _>>(),
        })
    };
    let engines: Vec<Value> = table.ranking.iter().enumerate().map(engine).collect();
    let pairing = |&[one, other]: &[usize; 2]| -> Value {
        let WinDrawLossCounts { wins, draws, losses } = table.standings.tallies[one][other];
        let [one, other] = [one, other].map(|engine| &config.engines[engine].name);
        json!({"first": one, "second": other, "wins": wins, "draws": draws, "losses": losses})
    };
    let pairings: Vec<Value> = config.schedule.pairings.iter().map(pairing).collect();
    ordered_json_object(vec![
        ("games", json!(results.games.len())),
        ("engines", json!(engines)),
        ("pairings", json!(pairings)),
    ])
}

/// Draws the ratings with their intervals as SVG.
pub fn ratings_svg(
    config: &MatchConfig,
    tournament: &TournamentSettings,
    results: &MatchResults,
) -> String {
    let table = StandingsTable::new(config, tournament, results);
    let rated = table.ranking.iter().filter(|&&engine| table.has_rating(engine));
    let rows = rated.map(|&engine| IntervalRow {
        name: truncated_engine_name(&config.engines[engine].name),
        value: table.ratings.elo[engine],
        range: table.ratings.confidence_interval(engine),
    });
    let title = format!("Ratings after {} games, with their 95 % intervals", results.games.len());
    IntervalChart { title, axes: ["engine".into(), "Elo".into()], rows: rows.collect() }
        .to_svg_document()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::referee::{FinishedGame, SearchStats};

    /// Returns a round robin of `engines` engines. The engine with the smaller index wins each
    /// game, but the first game of each `draws`-th pair is drawn. A game is over if `is_over`
    /// returns `true` for its number.
    fn played(
        engines: usize,
        rounds: usize,
        draws: usize,
        is_over: impl Fn(usize) -> bool,
    ) -> (MatchConfig, MatchResults) {
        let mut config = MatchConfig::test_round_robin(engines);
        config.games *= rounds;
        let mut results = MatchResults::new(false);
        let stats = SearchStats { moves: 1, depths: 99, nodes: 123_456_789, micros: 12_345_678 };
        for number in (1..=config.games).filter(|&number| is_over(number)) {
            let winner = config.schedule.scheduled_game(number).first_side;
            let winner = Some(winner).filter(|_| number % (2 * draws) != 1);
            let fault = Some(FaultKind::Crash);
            let game =
                FinishedGame { winner, end: "crash: x".into(), fault, plies: 9, stats: [stats; 2] };
            results.games.insert(number, game);
        }
        (config, results)
    }

    fn text((config, results): &(MatchConfig, MatchResults)) -> String {
        tournament_results_text(config, config.tournament.as_ref().unwrap(), results)
    }

    #[test]
    fn tables_of_many_engines_fit_a_terminal() {
        let mut tournament = played(10, 50, 3, |_| true);
        tournament.0.engines[3].name = "a name of many letters".into();
        let text = text(&tournament);
        assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
        assert!(
            text.contains(" 4 a name of many …") && text.contains(", of 100 games\n"),
            "{text}"
        );
        // Each row of the cross table has a cell for each engine.
        let (_, table) = text.split_once("points against each other engine").unwrap();
        let rows: Vec<&str> = table.lines().skip(2).take(10).collect();
        let cells = |row: &str| row.chars().skip(19).collect::<String>().split_whitespace().count();
        assert!(rows.iter().all(|row| cells(row) == 10), "{table}");
        assert!(text.lines().any(|line| line.contains("  crash ")), "{text}");

        let text = self::text(&played(23, 1, 3, |_| true));
        assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
        let (_, table) = text.split_once("points against each other engine").unwrap();
        assert_eq!(
            table.lines().filter(|line| line.starts_with("   engine  ")).count(),
            3 + 1,
            "{table}"
        );
        assert_eq!(
            table.lines().filter(|line| line.starts_with("23 engine ")).count(),
            3 + 1,
            "{table}"
        );
    }

    #[test]
    fn missing_games_are_reported() {
        // Only the pairings 1 - 2 and 3 - 4 have been played, in the first round.
        let some = text(&played(4, 1, 9, |number| [1, 2, 11, 12].contains(&number)));
        let unplayed = "no pair of games is over of engine 0 - engine 2, engine 0 - engine 3, engine 1 - engine 2, \
                        engine 1 - engine 3\n";
        assert!(some.contains(unplayed), "{some}");
        let groups = "no games connect these, whose ratings do not compare: engine 0, engine 1; engine 2, engine 3\n";
        assert!(some.contains(groups), "{some}");
        // Unequal numbers of games appear below the points; an engine without a pair has no rating.
        let uneven = text(&played(3, 2, 9, |number| {
            number <= 2 || (7..=8).contains(&number) || number == 3
        }));
        assert!(uneven.contains("and below them the games\n"), "{uneven}");
        assert!(
            uneven.lines().any(|line| line.starts_with(" 3 engine 2               -  ")),
            "{uneven}"
        );
    }

    #[test]
    fn names_are_safe_for_a_terminal() {
        let mut tournament = played(2, 1, 9, |_| true);
        tournament.0.engines[0].name = "\x1b[31m".into();
        assert!(!text(&tournament).contains('\x1b'));
        let (config, results) = &tournament;
        assert!(
            !ratings_svg(config, config.tournament.as_ref().unwrap(), results).contains('\x1b')
        );
    }
}
