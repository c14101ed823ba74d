//! The lines of UCI for options and for the reports of a search.

use std::time::Duration;

use pentarch_core::rules::options::EMPTY_VALUE;
use pentarch_core::{OptionSpec, Options};
use pentarch_engine::options::{OptionDefault, OptionEntry};
use pentarch_games::GAME;
use pentarch_search::{SearchReport, score};

/// The `option` lines of these options. `game` is the name under which they list the option [`GAME`]; their defaults
/// are the values of `initial`.
pub fn options(specs: impl Iterator<Item = OptionSpec>, game: &str, initial: &Options) -> String {
    let name =
        |spec: &OptionSpec| if *spec == GAME.spec { game.to_string() } else { spec.name.into() };
    specs
        .map(|spec| option(&name(&spec), OptionEntry::of(&spec, initial)))
        .collect::<Vec<_>>()
        .join("\n")
}

/// The line of an option that is listed under this name.
fn option(name: &str, OptionEntry { kind, default, min, max, values, .. }: OptionEntry) -> String {
    let mut line = format!("option name {name} type {kind}");
    line += &match &default {
        OptionDefault::Button(()) => String::new(),
        OptionDefault::Check(value) => format!(" default {value}"),
        OptionDefault::Spin(value) => format!(" default {value}"),
        OptionDefault::Text(text) => {
            format!(" default {}", if text.is_empty() { EMPTY_VALUE } else { text })
        }
    };
    if let (Some(min), Some(max)) = (min, max) {
        line += &format!(" min {min} max {max}");
    }
    values.into_iter().flatten().fold(line, |line, value| line + " var " + value)
}

/// How many of these nodes a second were searched.
pub fn per_second(nodes: u64, time: Duration) -> u128 {
    (u128::from(nodes) * 1_000_000).checked_div(time.as_micros()).unwrap_or(0)
}

/// The `info` line for a report of a search; without a score if no iteration is complete.
pub fn info(info: &SearchReport<String>) -> String {
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
    let score =
        if *depth > 0 { format!("score {} ", score::to_uci(*score)) } else { String::new() };
    let per_second = per_second(*nodes, *time);
    format!(
        "info depth {depth} seldepth {seldepth} multipv {rank} {score}nodes {nodes} nps {per_second} \
         hashfull {per_mille_full} tbhits {table_hits} time {} pv {}",
        time.as_millis(),
        pv.join(" "),
    )
}
