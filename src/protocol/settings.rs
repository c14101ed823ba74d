//! The options that every game has, and the list of all options as front ends see it.

use crate::core::options::REPETITION_DRAW;
use crate::core::{OptionKind, OptionSpec, Options};
use crate::games::GameId;
use crate::search::FULL_SKILL;

/// The game in play.
pub const GAME: OptionSpec = OptionSpec::combo("Game", GameId::WORDS);
/// The same under the name that UCI front ends know.
pub const UCI_VARIANT: OptionSpec = OptionSpec::combo("UCI_Variant", GameId::WORDS);
/// The size of the transposition table in MiB.
pub const HASH: OptionSpec = OptionSpec::spin("Hash", 16, 1, 65_536);
/// Forgets what the transposition table holds.
pub const CLEAR_HASH: OptionSpec = OptionSpec::button("Clear Hash");
/// Searching threads.
pub const THREADS: OptionSpec = OptionSpec::spin("Threads", 1, 1, 256);
/// Best moves that a search ranks.
pub const MULTI_PV: OptionSpec = OptionSpec::spin("MultiPV", 1, 1, 256);
/// Whether answers name the move to ponder on.
pub const PONDER: OptionSpec = OptionSpec::check("Ponder", false);
/// Milliseconds lost on the way between front end and engine.
pub const MOVE_OVERHEAD: OptionSpec = OptionSpec::spin("Move Overhead", 10, 0, 5_000);
/// How well the engine plays.
pub const SKILL_LEVEL: OptionSpec = OptionSpec::spin("Skill Level", FULL_SKILL as i64, 0, FULL_SKILL as i64);

const COMMON: &[OptionSpec] =
    &[HASH, CLEAR_HASH, THREADS, MULTI_PV, PONDER, MOVE_OVERHEAD, REPETITION_DRAW, SKILL_LEVEL];

/// All options: those that choose the game, the common ones, and those of each game.
pub fn all() -> impl Iterator<Item = &'static OptionSpec> {
    [&GAME, &UCI_VARIANT].into_iter().chain(listed_with_each())
}

/// The option under this name, whatever its case.
pub fn find(name: &str) -> Option<&'static OptionSpec> {
    all().find(|spec| spec.name.eq_ignore_ascii_case(name))
}

fn listed_with_each() -> impl Iterator<Item = &'static OptionSpec> {
    COMMON.iter().chain(GameId::OPTIONS.iter().copied().flatten())
}

/// The `option` lines, with `game` as the option that chooses the game. Their defaults are the values in `initial`.
pub fn list(game: &'static OptionSpec, initial: &Options) -> String {
    let lines = [game].into_iter().chain(listed_with_each()).map(|spec| line(spec, &initial.text(spec)));
    lines.collect::<Vec<_>>().join("\n")
}

/// How much memory a program could get now, in MiB, where the system tells.
pub fn free_memory() -> Option<i64> {
    let facts = std::fs::read_to_string("/proc/meminfo").ok()?;
    let kib = facts.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?.trim().strip_suffix(" kB")?;
    kib.parse::<i64>().ok().map(|kib| kib / 1024)
}

fn line(spec: &OptionSpec, default: &str) -> String {
    let name = spec.name;
    match spec.kind {
        OptionKind::Check { .. } => format!("option name {name} type check default {default}"),
        OptionKind::Spin { min, max, .. } => {
            format!("option name {name} type spin default {default} min {min} max {max}")
        }
        OptionKind::Combo { values, .. } => {
            format!("option name {name} type combo default {default} var {}", values.join(" var "))
        }
        OptionKind::Button => format!("option name {name} type button"),
    }
}
