//! The lines of UCI for options and for the reports of a search.

use std::time::Duration;

use crate::core::options::EMPTY;
use crate::core::{OptionKind, OptionSpec, Options};
use crate::engine::options::{GAME, text};
use crate::search::{Info, score};

/// The `option` lines of these options. `game` is the name under which they list the option [`GAME`]; their defaults
/// are the values of `initial`.
pub fn options(specs: impl Iterator<Item = OptionSpec>, game: &str, initial: &Options) -> String {
    let name = |spec: &OptionSpec| if *spec == GAME { game.to_string() } else { spec.name.into() };
    specs.map(|spec| option(&name(&spec), spec.kind, &text(initial, &spec))).collect::<Vec<_>>().join("\n")
}

/// The line of an option.
fn option(name: &str, kind: OptionKind, default: &str) -> String {
    match kind {
        OptionKind::Check { .. } => format!("option name {name} type check default {default}"),
        OptionKind::Spin { min, max, .. } => {
            format!("option name {name} type spin default {default} min {min} max {max}")
        }
        OptionKind::Combo { values, .. } => {
            format!("option name {name} type combo default {default} var {}", values.join(" var "))
        }
        OptionKind::Text => {
            format!("option name {name} type string default {}", if default.is_empty() { EMPTY } else { default })
        }
        OptionKind::Button => format!("option name {name} type button"),
    }
}

/// How many of these nodes a second were searched.
pub fn per_second(nodes: u64, time: Duration) -> u128 {
    (u128::from(nodes) * 1_000_000).checked_div(time.as_micros()).unwrap_or(0)
}

/// The `info` line for a report of a search.
pub fn info(info: &Info<String>) -> String {
    let Info { depth, seldepth, rank, score, pv, nodes, table_hits, per_mille_full, time, .. } = info;
    let per_second = per_second(*nodes, *time);
    format!(
        "info depth {depth} seldepth {seldepth} multipv {rank} score {} nodes {nodes} nps {per_second} \
         hashfull {per_mille_full} tbhits {table_hits} time {} pv {}",
        score::text(*score),
        time.as_millis(),
        pv.join(" "),
    )
}
