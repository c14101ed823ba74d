//! Formats options and search reports as lines of UCI.

use std::time::Duration;

use pentarch_core::rules::options::EMPTY_STRING_PLACEHOLDER;
use pentarch_core::{OptionSpec, Options};
use pentarch_engine::engine_options::{OptionDefault, OptionEntry};
use pentarch_engine::games::GAME_OPTION;
use pentarch_search::{SearchReport, score};

/// Returns the `option` lines of these options. The line of [`GAME_OPTION`] has the name `game`.
/// Each line states the value in `initial` as the default.
pub fn option_lines(
    specs: impl Iterator<Item = OptionSpec>,
    game: &str,
    initial: &Options,
) -> String {
    let name = |spec: &OptionSpec| {
        if *spec == GAME_OPTION.spec { game.to_string() } else { spec.name.into() }
    };
    specs
        .map(|spec| option_line(&name(&spec), OptionEntry::new(&spec, initial)))
        .collect::<Vec<_>>()
        .join("\n")
}

fn option_line(
    name: &str,
    OptionEntry { kind, default, min, max, values, .. }: OptionEntry,
) -> String {
    let mut line = format!("option name {name} type {kind}");
    line += &match &default {
        OptionDefault::Button(()) => String::new(),
        OptionDefault::Check(value) => format!(" default {value}"),
        OptionDefault::Spin(value) => format!(" default {value}"),
        OptionDefault::Text(text) => {
            format!(" default {}", if text.is_empty() { EMPTY_STRING_PLACEHOLDER } else { text })
        }
    };
    if let Some(min) = min {
        line += &format!(" min {min}");
    }
    if let Some(max) = max {
        line += &format!(" max {max}");
    }
    for value in values.into_iter().flatten() {
        line += &format!(" var {value}");
    }
    line
}

/// Returns the number of nodes per second.
pub fn nodes_per_second(nodes: u64, time: Duration) -> u128 {
    (u128::from(nodes) * 1_000_000).checked_div(time.as_micros()).unwrap_or(0)
}

/// Returns the `info` line for a report of a search.
pub fn info_line(info: &SearchReport<String>) -> String {
    let SearchReport {
        depth,
        seldepth,
        rank,
        score,
        pv,
        nodes,
        table_hits,
        per_mille_full,
        time,
        ..
    } = info;
    let score = score::format_uci_score(*score);
    let per_second = nodes_per_second(*nodes, *time);
    format!(
        "info depth {depth} seldepth {seldepth} multipv {rank} score {score} nodes {nodes} nps {per_second} \
         hashfull {per_mille_full} tbhits {table_hits} time {} pv {}",
        time.as_millis(),
        pv.join(" "),
    )
}
