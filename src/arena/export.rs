//! Formats the games and results of a match for programs: as comma-separated values, or as objects
//! in JSON.

use serde_json::{Value, json};

use pentarch_core::notation::record::winner_to_record_result;

use super::MatchConfig;
use super::referee::{FinishedGame, SearchStats};
use super::results::MatchResults;

/// The format of a match's output.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum OutputFormat {
    /// Text tables that people read.
    #[default]
    Text,
    /// A row of comma-separated values for each game, when the game ends.
    Csv,
    /// An object in JSON for each game as it ends, and an object for the match.
    Json,
}

/// The columns of each side's search statistics, in the order of the fields of [`SearchStats`].
const SEARCH_STATS_COLUMNS: [[&str; 4]; 2] =
    [["p1_moves", "p1_plies", "p1_nodes", "p1_us"], ["p2_moves", "p2_plies", "p2_nodes", "p2_us"]];

/// Returns the names and values of the columns of a game. The column `points` is for the first
/// engine of the pairing.
fn game_row_names_and_values(
    config: &MatchConfig,
    number: usize,
    game: &FinishedGame,
) -> Vec<(&'static str, Value)> {
    let slot = config.schedule.scheduled_game(number);
    let [p1, p2] = slot.players.map(|engine| &config.engines[engine].name);
    let points = game.winner.map_or(0.5, |winner| if winner == slot.first_side { 1. } else { 0. });
    let mut columns = vec![
        ("game", json!(number)),
        ("opening", json!(slot.opening + 1)),
        ("p1", json!(p1)),
        ("p2", json!(p2)),
        ("result", json!(winner_to_record_result(game.winner))),
        ("points", json!(points)),
        ("end", json!(game.end)),
        ("plies", json!(game.plies)),
    ];
    for (names, stats) in SEARCH_STATS_COLUMNS.into_iter().zip(game.stats) {
        let SearchStats { moves, depths, nodes, micros } = stats;
        columns.extend(names.into_iter().zip([moves, depths, nodes, micros].map(Value::from)));
    }
    columns
}

/// Returns the heading above the rows of games; `None` in formats without a heading.
pub fn format_header_row(format: OutputFormat, config: &MatchConfig) -> Option<String> {
    if format != OutputFormat::Csv {
        return None;
    }
    let none = FinishedGame {
        winner: None,
        end: String::new(),
        fault: None,
        plies: 0,
        stats: Default::default(),
    };
    let columns = game_row_names_and_values(config, 1, &none);
    Some(columns.into_iter().map(|(name, _)| name).collect::<Vec<_>>().join(","))
}

/// Returns the row of a game.
pub fn format_game_row(
    format: OutputFormat,
    config: &MatchConfig,
    number: usize,
    game: &FinishedGame,
) -> String {
    let columns = game_row_names_and_values(config, number, game);
    match format {
        OutputFormat::Json => ordered_json_object(columns),
        _ => columns
            .into_iter()
            .map(|(_, value)| format_csv_cell(&value))
            .collect::<Vec<_>>()
            .join(","),
    }
}

/// Returns the result and the strength of a match's first engine as an object; unknown values are
/// null.
pub fn match_summary_json(config: &MatchConfig, results: &MatchResults) -> String {
    let tally = results.win_draw_loss(0, None);
    let sample = results.finished_unit_scores();
    let elo = sample.as_ref().map(|sample| sample.elo_interval());
    let in_order = results.scores_before_first_unfinished_unit();
    let likelihood_of_superiority = sample.map(|sample| sample.likelihood_of_superiority());
    let log_likelihood_ratio = config.sprt.map(|sprt| sprt.log_likelihood_ratio(in_order));
    let decision = config.sprt.and_then(|sprt| sprt.is_h1_accepted(in_order));
    let accepted = decision.map(usize::from);
    ordered_json_object(vec![
        ("games", json!(tally.game_count())),
        ("wins", json!(tally.wins)),
        ("draws", json!(tally.draws)),
        ("losses", json!(tally.losses)),
        ("points", json!(tally.points())),
        ("elo", json!(elo.map(|[elo, ..]| elo))),
        ("elo_low", json!(elo.map(|[_, low, _]| low))),
        ("elo_high", json!(elo.map(|[.., high]| high))),
        ("los", json!(likelihood_of_superiority)),
        ("llr", json!(log_likelihood_ratio)),
        ("accepted", json!(accepted)),
    ])
}

/// Returns an object in JSON whose fields keep their order.
pub fn ordered_json_object(fields: Vec<(&str, Value)>) -> String {
    let fields: Vec<String> =
        fields.into_iter().map(|(name, value)| format!("\"{name}\":{value}")).collect();
    format!("{{{}}}", fields.join(","))
}

/// Returns a value as a cell of comma-separated values. Quotes the value if necessary (RFC 4180).
fn format_csv_cell(value: &Value) -> String {
    match value {
        Value::String(text) if text.contains([',', '"', '\n', '\r']) => {
            format!("\"{}\"", text.replace('"', "\"\""))
        }
        Value::String(text) => text.clone(),
        value => value.to_string(),
    }
}
