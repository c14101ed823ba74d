//! A shard of a match: some of its pairs of games, or of its games where the sides are fixed. A pair is never split.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};

use crate::io::progress::Progress;
use crate::io::record_file::entry;
use crate::shards::ShardPlan;
use pentarch_core::rules::key::hash;

use super::error::ArenaError;
use super::match_file::record_of;
use super::opening::{Openings, Source};
use super::process::{EngineProcess, Spec};
use super::results::unit_of;
use super::{Conditions, play_games};

/// Plays the pairs of a shard, and writes it. A sequential test is a matter of those who merge the shards.
///
/// # Errors
/// If an engine does not start, or the shard cannot be written.
pub fn run(conditions: &Conditions, shard: ShardPlan) -> Result<(), ArenaError> {
    let fixed_sides = conditions.schedule.fixed_sides;
    let count = unit_of(conditions.games, fixed_sides) + 1;
    shard.watch()?;
    let mut settings = settings(conditions);
    // Of this program the version is known.
    for (engine, spec) in conditions.engines.iter().enumerate() {
        if spec.command.is_empty() {
            continue;
        }
        let name = format!("id of {}", conditions.role(engine));
        // For a shard that is there no engine is started: by which ones it was played is seen when it is merged.
        let id = match shard.is_there() {
            true => shard.there()?.setting(&name).to_string(),
            false => {
                let started = EngineProcess::start(spec, &conditions.rules(), conditions.patience);
                started?.id.clone()
            }
        };
        settings.push((name, id));
    }
    let settings = settings.iter().map(|(name, value)| (name.as_str(), value.clone())).collect();
    let Some(shard) = shard.begin("arena", count as u64, settings)? else { return Ok(()) };
    let unit_of = |number| unit_of(number, fixed_sides) as u64;
    let numbers: Vec<usize> =
        (1..=conditions.games).filter(|&number| shard.range().contains(&unit_of(number))).collect();
    let (all, stopped) = (numbers.len(), AtomicBool::new(false));
    let openings = Openings::new(&conditions.openings, &conditions.options);
    let ended = Mutex::new((BTreeMap::new(), Progress::begin("arena".into())));
    play_games(conditions, numbers, openings, &stopped, &|number, opening, game| {
        let (texts, progress) = &mut *ended.lock().unwrap_or_else(PoisonError::into_inner);
        texts
            .insert(number, entry(&record_of(conditions, number, opening, &game), game.first_turn));
        progress.show(&format!("{} of {all} games", texts.len()));
        Ok(())
    })?;
    let (games, mut progress) = ended.into_inner().unwrap_or_else(PoisonError::into_inner);
    progress.clear();
    let mut texts: BTreeMap<u64, String> = BTreeMap::new();
    for (number, text) in games {
        *texts.entry(unit_of(number)).or_default() += &text;
    }
    Ok(shard.write(&texts)?)
}

/// What the games depend on, and what merging them takes.
fn settings(conditions: &Conditions) -> Vec<(String, String)> {
    let mut settings = vec![
        ("match", conditions.heading()),
        ("games", conditions.games.to_string()),
        ("sides", if conditions.schedule.fixed_sides { "fixed" } else { "swapped" }.into()),
        ("margin", conditions.margin.as_millis().to_string()),
        ("patience", conditions.patience.as_millis().to_string()),
    ];
    if let Source::List { openings, .. } = &conditions.openings {
        let bytes = openings
            .iter()
            .flat_map(|opening| opening.command(&[]).into_bytes().into_iter().chain([b'\n']));
        settings.push((
            "openings",
            format!("{:016x}", hash(&bytes.map(u64::from).collect::<Vec<_>>())),
        ));
    }
    settings.extend(conditions.sprt.map(|sprt| {
        let numbers = [sprt.elo0, sprt.elo1].map(|number| number.to_string());
        ("sprt", numbers.join(" "))
    }));
    let engine = |(engine, spec): (usize, &Spec)| {
        (conditions.role(engine), format!("{}: {spec}", spec.name))
    };
    let engines = conditions.engines.iter().enumerate().map(engine);
    settings.into_iter().map(|(name, value)| (name.to_string(), value)).chain(engines).collect()
}
