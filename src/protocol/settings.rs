//! The options that every game has, and the list of all options as front ends see it.

use std::hint::black_box;
use std::io::ErrorKind;
use std::path::Path;

use crate::core::options::{EMPTY, REPETITION_DRAW, TABLE_PATH};
use crate::core::text::{did_you_mean, quoted};
use crate::core::{OptionKind, OptionSpec, Options};
use crate::games::GameId;
use crate::search::FULL_SKILL;
use crate::search::table::Table;

/// The game in play.
pub const GAME: OptionSpec = OptionSpec::combo("Game", GameId::WORDS);
/// Its name for UCI front ends.
pub const UCI_VARIANT: &str = "UCI_Variant";
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
    &[GAME, HASH, CLEAR_HASH, THREADS, MULTI_PV, PONDER, MOVE_OVERHEAD, REPETITION_DRAW, SKILL_LEVEL, TABLE_PATH];

/// All options: the one that chooses the game, the common ones, and those of each game.
pub fn all() -> impl Iterator<Item = &'static OptionSpec> {
    COMMON.iter().chain(GameId::OPTIONS.iter().copied().flatten())
}

/// The option under this name, whatever its case.
///
/// # Errors
/// If there is none; the error names the nearest.
pub fn find(name: &str) -> Result<&'static OptionSpec, String> {
    if name.eq_ignore_ascii_case(UCI_VARIANT) {
        return Ok(&COMMON[0]);
    }
    let found = all().find(|spec| spec.name.eq_ignore_ascii_case(name));
    let hint = || did_you_mean(name, all().map(|spec| spec.name).chain([UCI_VARIANT]));
    found.ok_or_else(|| format!("there is no option {}{}; 'ugi' lists them all", quoted(name), hint()))
}

/// The `option` lines, the game under the name `game`. Their defaults are the values in `initial`.
pub fn list(game: &str, initial: &Options) -> String {
    let name = |spec: &'static OptionSpec| if *spec == GAME { game } else { spec.name };
    all().map(|spec| line(name(spec), spec.kind, &initial.text(spec))).collect::<Vec<_>>().join("\n")
}

/// Checks that a transposition table of the size set would find memory: by asking for it, and, since some systems promise
/// more than they have, by what the system says is free, where it says so. `held` MiB would be given back for it.
///
/// # Errors
/// If it would not.
pub fn check_memory(options: &Options, held: usize) -> Result<(), String> {
    let asked = options.number(&HASH);
    match free_memory().map(|free| free + held as i64) {
        Some(free) if free < asked => {
            Err(format!("a Hash of {asked} MiB does not fit into the {free} MiB of free memory; nothing is changed"))
        }
        // The compiler must not leave out what is given back at once.
        _ if black_box(Table::new(asked as usize)).is_none() => {
            Err(format!("the system does not give the memory for a Hash of {asked} MiB; nothing is changed"))
        }
        _ => Ok(()),
    }
}

/// Checks that the directory of tables is one whose files can be read.
///
/// # Errors
/// If it is not.
pub fn check_table_path(options: &Options) -> Result<(), String> {
    let path = options.text(&TABLE_PATH);
    if path.is_empty() {
        return Ok(());
    }
    // What is asked for is in it, if it is one.
    let why = match std::fs::metadata(Path::new(&path).join(".")) {
        Ok(_) => return Ok(()),
        Err(error) if error.kind() == ErrorKind::PermissionDenied => format!("cannot be used: {error}"),
        Err(_) => "is none".into(),
    };
    Err(format!("{} takes a directory, and {} {why}", TABLE_PATH.name, quoted(&path)))
}

/// How much memory a program could get now, in MiB, where the system tells.
fn free_memory() -> Option<i64> {
    let facts = std::fs::read_to_string("/proc/meminfo").ok()?;
    let kib = facts.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?.trim().strip_suffix(" kB")?;
    kib.parse::<i64>().ok().map(|kib| kib / 1024)
}

fn line(name: &str, kind: OptionKind, default: &str) -> String {
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
