//! What a tournament prints: its progress and its tables, and the picture of its ratings.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use pentarch_core::notation::text::escape_for_terminal;
use pentarch_diagram::intervals::{Interval, Intervals};

use super::Conditions;
use super::fault::FaultKind;
use super::rating::Ratings;
use super::results::{MatchResults, Tally};
use super::rows::object;
use super::standings::{Standings, Tournament};

/// How wide the names of engines are in tables.
const NAME: usize = 16;

/// How many engines stand beside each other in the table of everyone against everyone, so that it fits a terminal.
const BESIDE: usize = 10;

/// How games ended, and how long they were.
pub fn ends_line(results: &MatchResults) -> String {
    let ends: Vec<String> = results
        .ends()
        .iter()
        .map(|(end, count)| format!("{} {count}", escape_for_terminal(end)))
        .collect();
    format!(
        "ends of games           {}; {:.1} plies on average",
        ends.join(", "),
        results.mean_plies()
    )
}

/// The engines that lead, with their ratings, for the progress.
pub fn leaders(conditions: &Conditions, tournament: &Tournament, results: &MatchResults) -> String {
    const MOST: usize = 3;
    let standings = Standings::of(conditions, results);
    let ratings = standings.ratings(tournament, false);
    let order = standings.order(tournament, &ratings).into_iter();
    let rated = order.filter(|&engine| standings.is_rated(tournament, engine)).take(MOST);
    let leader = |engine: usize| {
        format!(", {} {:+.1}", cut(&conditions.engines[engine].name), ratings.elo[engine])
    };
    rated.map(leader).collect()
}

/// A tournament with its results, the engines in the order of their ratings.
struct Table<'a> {
    conditions: &'a Conditions,
    tournament: &'a Tournament,
    standings: Standings,
    ratings: Ratings,
    order: Vec<usize>,
}

impl<'a> Table<'a> {
    fn new(
        conditions: &'a Conditions,
        tournament: &'a Tournament,
        results: &MatchResults,
    ) -> Table<'a> {
        let standings = Standings::of(conditions, results);
        let ratings = standings.ratings(tournament, true);
        let order = standings.order(tournament, &ratings);
        Table { conditions, tournament, standings, ratings, order }
    }

    fn is_rated(&self, engine: usize) -> bool {
        self.standings.is_rated(self.tournament, engine)
    }

    /// The likelihood that an engine is stronger than the one below it; none if no games connect them, or if there is
    /// none below.
    fn superiority(&self, rank: usize) -> Option<f64> {
        let (&engine, &next) = (self.order.get(rank)?, self.order.get(rank + 1)?);
        let compare =
            self.is_rated(next) && self.ratings.groups[engine] == self.ratings.groups[next];
        compare.then(|| self.ratings.superiority(engine, next))
    }

    /// The number and the name of an engine, at the beginning of a row.
    fn label(&self, rank: usize) -> String {
        format!("{:>2} {:NAME$}", rank + 1, cut(&self.conditions.engines[self.order[rank]].name))
    }

    /// The ratings.
    fn ranking(&self) -> Vec<String> {
        let mut rows = vec![format!(
            "   {:NAME$}{:>8}{:>10}{:>8}{:>9}{:>6}{:>8}{:>8}",
            "engine", "Elo", "95 % from", "to", "LOS", "games", "points", "score"
        )];
        for (rank, &engine) in self.order.iter().enumerate() {
            let [low, high] = self.ratings.interval(engine);
            let elo = [self.ratings.elo[engine], low, high].map(|elo| format!("{elo:+.1}"));
            let elo = match (self.tournament.anchors[engine], self.is_rated(engine)) {
                (Some(_), _) => [&elo[0], "fixed", ""].map(String::from),
                (None, true) => elo,
                (None, false) => ["-", "", ""].map(String::from),
            };
            let los = self
                .superiority(rank)
                .map_or_else(String::new, |los| format!("{:.1} %", 100.0 * los));
            let total = self.standings.total(engine);
            let score = format!("{:.1} %", 100.0 * total.points() / total.games().max(1) as f64);
            let [elo, low, high] = elo;
            let row = format!(
                "{}{elo:>8}{low:>10}{high:>8}{los:>9}{:>6}{:>8}{score:>8}",
                self.label(rank),
                total.games(),
                total.points(),
            );
            rows.push(row);
        }
        rows
    }

    /// Everyone against everyone.
    fn cross_table(&self) -> Vec<String> {
        let tallies: Vec<Vec<Tally>> = self
            .order
            .iter()
            .map(|&row| {
                self.order.iter().map(|&column| self.standings.tallies[row][column]).collect()
            })
            .collect();
        let played: Vec<usize> = tallies
            .iter()
            .flatten()
            .map(|tally| tally.games())
            .filter(|&games| games > 0)
            .collect();
        let is_even = played.windows(2).all(|pair| pair[0] == pair[1]);
        let points =
            |tally: &Tally| if tally.games() > 0 { tally.points().to_string() } else { "-".into() };
        let games = |tally: &Tally| {
            if tally.games() > 0 { tally.games().to_string() } else { String::new() }
        };
        let longest = tallies.iter().flatten().map(|tally| points(tally).len()).max().unwrap_or(0);
        let width = longest.max(5) + 1;
        let cells = |texts: Vec<String>| {
            texts.iter().map(|text| format!("{text:>width$}")).collect::<String>()
        };
        let mut rows = vec![match is_even {
            true => format!(
                "points against each other engine, of {} games",
                played.first().unwrap_or(&0)
            ),
            false => "points against each other engine, and below them the games".into(),
        }];
        for first in (0..self.order.len()).step_by(BESIDE) {
            let columns = first..self.order.len().min(first + BESIDE);
            let numbers = cells(columns.clone().map(|column| (column + 1).to_string()).collect());
            rows.push(format!("   {:NAME$}{numbers}", "engine"));
            for (rank, row) in tallies.iter().enumerate() {
                let row = &row[columns.clone()];
                rows.push(format!(
                    "{}{}",
                    self.label(rank),
                    cells(row.iter().map(points).collect())
                ));
                if !is_even {
                    rows.push(format!("   {:NAME$}{}", "", cells(row.iter().map(games).collect())));
                }
            }
        }
        rows
    }

    /// How many games an engine lost by each kind of fault, if there were any.
    fn faults(&self, engine: usize) -> impl Iterator<Item = (&'static str, usize)> {
        let counts = FaultKind::ALL.iter().zip(self.standings.faults[engine]);
        counts.filter(|(_, count)| *count > 0).map(|(kind, count)| (kind.name(), count))
    }

    /// What the engines did.
    fn efforts(&self) -> Vec<String> {
        let head = format!(
            "   {:NAME$}{:>8}{:>11}{:>10}{:>12}  lost by faults",
            "engine", "depth", "nodes", "ms", "nodes/s"
        );
        let mut rows = vec![head];
        for (rank, &engine) in self.order.iter().enumerate() {
            let effort = self.standings.efforts[engine];
            let mean = |sum: u64, count: u64| sum as f64 / count.max(1) as f64;
            let faults: Vec<String> =
                self.faults(engine).map(|(kind, count)| format!("{kind} {count}")).collect();
            rows.push(format!(
                "{}{:>8.1}{:>11.0}{:>10.1}{:>12.0}  {}",
                self.label(rank),
                mean(effort.depths, effort.moves),
                mean(effort.nodes, effort.moves),
                mean(effort.micros, effort.moves) / 1000.0,
                1e6 * mean(effort.nodes, effort.micros),
                if faults.is_empty() { "none".into() } else { faults.join(", ") },
            ));
        }
        rows
    }

    /// What keeps ratings from being compared: pairings that were not played, and engines that no games connect.
    fn gaps(&self) -> Vec<String> {
        let name = |engine: usize| escape_for_terminal(&self.conditions.engines[engine].name);
        let mut rows = Vec::new();
        let unplayed =
            self.standings.encounters.iter().filter(|encounter| encounter.units.is_empty());
        let unplayed: Vec<String> =
            unplayed.map(|encounter| encounter.engines.map(name).join(" - ")).collect();
        if !unplayed.is_empty() {
            rows.push(format!("no pair of games is over of {}", unplayed.join(", ")));
        }
        let mut groups: Vec<usize> = self.ratings.groups.clone();
        groups.sort_unstable();
        groups.dedup();
        if groups.len() > 1 {
            let members = groups.iter().map(|group| {
                let members =
                    self.order.iter().filter(|&&engine| self.ratings.groups[engine] == *group);
                members.map(|&engine| name(engine)).collect::<Vec<_>>().join(", ")
            });
            let members: Vec<String> = members.collect();
            rows.push(format!(
                "no games connect these, whose ratings do not compare: {}",
                members.join("; ")
            ));
        }
        rows
    }
}

/// A name cut to the width that names have in tables.
fn cut(name: &str) -> String {
    let name = escape_for_terminal(name);
    match name.chars().nth(NAME) {
        None => name,
        Some(_) => name.chars().take(NAME - 1).chain(['…']).collect(),
    }
}

/// The results of a tournament as tables.
pub fn results_text(
    conditions: &Conditions,
    tournament: &Tournament,
    results: &MatchResults,
) -> String {
    let table = Table::new(conditions, tournament, results);
    let (done, all, pairings) =
        (results.games.len(), conditions.games, conditions.schedule.pairings.len());
    // A file can have more games than are asked for.
    let of_each =
        if done > all { String::new() } else { format!(", {} of each pairing", all / pairings) };
    let parts = [
        vec![format!("games: {done} of {all}{of_each}")],
        table.ranking(),
        table.gaps(),
        vec![String::new()],
        table.cross_table(),
        vec![String::new()],
        table.efforts(),
        vec![ends_line(results)],
    ];
    parts.concat().join("\n")
}

/// What a tournament tells of the strength of its engines, as an object; what is not known is null.
pub fn summary(conditions: &Conditions, tournament: &Tournament, results: &MatchResults) -> String {
    let table = Table::new(conditions, tournament, results);
    let engine = |(rank, &engine): (usize, &usize)| -> Value {
        let (total, [low, high]) = (table.standings.total(engine), table.ratings.interval(engine));
        let of_rated = |value: f64| table.is_rated(engine).then_some(value);
        json!({
            "name": conditions.engines[engine].name,
            "elo": of_rated(table.ratings.elo[engine]),
            "elo_low": of_rated(low),
            "elo_high": of_rated(high),
            "los": table.superiority(rank),
            "anchor": tournament.anchors[engine].is_some(),
            "group": table.ratings.groups[engine],
            "games": total.games(),
            "wins": total.wins,
            "draws": total.draws,
            "losses": total.losses,
            "points": total.points(),
            "faults": table.faults(engine).collect::<BTreeMap<_, _>>(),
        })
    };
    let engines: Vec<Value> = table.order.iter().enumerate().map(engine).collect();
    let pairing = |&[one, other]: &[usize; 2]| -> Value {
        let Tally { wins, draws, losses } = table.standings.tallies[one][other];
        let [one, other] = [one, other].map(|engine| &conditions.engines[engine].name);
        json!({"first": one, "second": other, "wins": wins, "draws": draws, "losses": losses})
    };
    let pairings: Vec<Value> = conditions.schedule.pairings.iter().map(pairing).collect();
    object(vec![
        ("games", json!(results.games.len())),
        ("engines", json!(engines)),
        ("pairings", json!(pairings)),
    ])
}

/// The ratings with their intervals, as a picture in SVG.
pub fn svg(conditions: &Conditions, tournament: &Tournament, results: &MatchResults) -> String {
    let table = Table::new(conditions, tournament, results);
    let rated = table.order.iter().filter(|&&engine| table.is_rated(engine));
    let row = |&engine: &usize| Interval {
        name: cut(&conditions.engines[engine].name),
        value: table.ratings.elo[engine],
        range: table.ratings.interval(engine),
    };
    let title = format!("Ratings after {} games, with their 95 % intervals", results.games.len());
    Intervals { title, axes: ["engine".into(), "Elo".into()], rows: rated.map(row).collect() }.svg()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::referee::{Effort, FinishedGame};

    /// A round robin of so many engines, in which the one with the smaller index wins, but for the first game of each
    /// `draws`-th pair. Only games with these numbers are over.
    fn played(
        engines: usize,
        rounds: usize,
        draws: usize,
        is_over: impl Fn(usize) -> bool,
    ) -> (Conditions, MatchResults) {
        let mut conditions = Conditions::for_tests(engines);
        conditions.games *= rounds;
        let mut results = MatchResults::new(false);
        let effort = Effort { moves: 1, depths: 99, nodes: 123_456_789, micros: 12_345_678 };
        for number in (1..=conditions.games).filter(|&number| is_over(number)) {
            let winner = conditions.schedule.place(number).first;
            let winner = Some(winner).filter(|_| number % (2 * draws) != 1);
            let (end, fault) = ("crash: x".into(), Some(FaultKind::Crash));
            let game = FinishedGame { winner, end, fault, plies: 9, effort: [effort; 2] };
            results.games.insert(number, game);
        }
        (conditions, results)
    }

    fn text((conditions, results): &(Conditions, MatchResults)) -> String {
        results_text(conditions, conditions.tournament.as_ref().unwrap(), results)
    }

    #[test]
    fn the_tables_of_many_engines_fit_a_terminal() {
        let mut tournament = played(10, 50, 3, |_| true);
        tournament.0.engines[3].name = "a name of many letters".into();
        let text = text(&tournament);
        assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
        assert!(
            text.contains(" 4 a name of many …") && text.contains(", of 100 games\n"),
            "{text}"
        );
        // Each row of everyone against everyone has a cell for each.
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
    fn what_was_not_played_is_said() {
        // The pairings 1 - 2 and 3 - 4 of the first round.
        let some = text(&played(4, 1, 9, |number| [1, 2, 11, 12].contains(&number)));
        let unplayed = "no pair of games is over of engine 0 - engine 2, engine 0 - engine 3, engine 1 - engine 2, \
                        engine 1 - engine 3\n";
        assert!(some.contains(unplayed), "{some}");
        let groups = "no games connect these, whose ratings do not compare: engine 0, engine 1; engine 2, engine 3\n";
        assert!(some.contains(groups), "{some}");
        // Games that are not equally many stand below the points; an engine without a pair has no rating.
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
    fn names_are_fit_for_a_terminal() {
        let mut tournament = played(2, 1, 9, |_| true);
        tournament.0.engines[0].name = "\x1b[31m".into();
        assert!(!text(&tournament).contains('\x1b'));
        let (conditions, results) = &tournament;
        assert!(
            !svg(conditions, conditions.tournament.as_ref().unwrap(), results).contains('\x1b')
        );
    }
}
