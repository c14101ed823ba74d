//! The games of a match as rows for programs, as comma-separated values or as objects in JSON, with a column for each
//! number.

use serde_json::{Value, json};

use pentarch_core::notation::record::result_for_winner;

use super::Conditions;
use super::referee::FinishedGame;
use super::results::MatchResults;

/// In which form a match is printed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Form {
    /// As tables for people.
    #[default]
    Text,
    /// A row for each game as it ends, of comma-separated values.
    Csv,
    /// An object in JSON for each game as it ends, and one for the match.
    Json,
}

/// The columns of the effort of a side, in the order of the numbers of an effort.
const EFFORT: [[&str; 4]; 2] =
    [["p1_moves", "p1_plies", "p1_nodes", "p1_us"], ["p2_moves", "p2_plies", "p2_nodes", "p2_us"]];

/// What there is to tell of a game, by columns. `points` are those of the first engine of the pairing.
fn columns(
    conditions: &Conditions,
    number: usize,
    game: &FinishedGame,
) -> Vec<(&'static str, Value)> {
    let place = conditions.schedule.place(number);
    let [p1, p2] = place.players.map(|engine| &conditions.engines[engine].name);
    let points = game.winner.map_or(0.5, |winner| if winner == place.first { 1. } else { 0. });
    let mut columns = vec![
        ("game", json!(number)),
        ("opening", json!(place.opening + 1)),
        ("p1", json!(p1)),
        ("p2", json!(p2)),
        ("result", json!(result_for_winner(game.winner))),
        ("points", json!(points)),
        ("end", json!(game.end)),
        ("plies", json!(game.plies)),
    ];
    for (names, effort) in EFFORT.into_iter().zip(game.effort) {
        let numbers = [effort.moves, effort.depths, effort.nodes, effort.micros];
        columns.extend(names.into_iter().zip(numbers.map(Value::from)));
    }
    columns
}

/// The line above the rows; none where there are objects.
pub fn header(form: Form, conditions: &Conditions) -> Option<String> {
    let none = FinishedGame {
        winner: None,
        end: String::new(),
        fault: None,
        plies: 0,
        effort: Default::default(),
    };
    let names: Vec<&str> =
        columns(conditions, 1, &none).into_iter().map(|(name, _)| name).collect();
    (form == Form::Csv).then(|| names.join(","))
}

/// The row of a game.
pub fn row(form: Form, conditions: &Conditions, number: usize, game: &FinishedGame) -> String {
    let columns = columns(conditions, number, game);
    match form {
        Form::Json => object(columns),
        _ => columns.into_iter().map(|(_, value)| cell(&value)).collect::<Vec<_>>().join(","),
    }
}

/// What a match tells of the strength of its first engine, as an object; what is not known is null.
pub fn summary(conditions: &Conditions, results: &MatchResults) -> String {
    let (tally, sample) = (results.tally(0, None), results.sample());
    let elo = sample.as_ref().map(|sample| sample.elo());
    let sprt = conditions.sprt;
    object(vec![
        ("games", json!(tally.games())),
        ("wins", json!(tally.wins)),
        ("draws", json!(tally.draws)),
        ("losses", json!(tally.losses)),
        ("points", json!(tally.points())),
        ("elo", json!(elo.map(|[elo, ..]| elo))),
        ("elo_low", json!(elo.map(|[_, low, _]| low))),
        ("elo_high", json!(elo.map(|[.., high]| high))),
        ("los", json!(sample.map(|sample| sample.los()))),
        ("llr", json!(sprt.map(|sprt| sprt.llr(results.sample_in_order())))),
        (
            "accepted",
            json!(sprt.and_then(|sprt| sprt.decision(results.sample_in_order())).map(usize::from)),
        ),
    ])
}

/// An object whose members keep their order.
pub fn object(members: Vec<(&str, Value)>) -> String {
    let members: Vec<String> =
        members.into_iter().map(|(name, value)| format!("\"{name}\":{value}")).collect();
    format!("{{{}}}", members.join(","))
}

/// A value between commas (RFC 4180).
fn cell(value: &Value) -> String {
    match value {
        Value::String(text) if text.contains([',', '"', '\n', '\r']) => {
            format!("\"{}\"", text.replace('"', "\"\""))
        }
        Value::String(text) => text.clone(),
        value => value.to_string(),
    }
}
