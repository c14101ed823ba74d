//! Plays a shard of a match: a range of pairs of games, or of single games if the sides are fixed.
//! A pair is never split.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};

use crate::io::progress::ProgressLine;
use crate::io::record_file::format_record_entry;
use crate::shard::ShardOptions;
use pentarch_core::rules::key::hash_words;

use super::error::ArenaError;
use super::match_file::match_game_record;
use super::opening::{NumberedOpenings, OpeningSource};
use super::process::{EngineProcess, EngineSpec};
use super::results::scoring_unit_index;
use super::{MatchConfig, play_games};

/// Plays the pairs of a shard, and writes the shard. The sequential test applies only after
/// merging.
///
/// # Errors
/// If an engine does not start, or the shard cannot be written.
pub fn play_match_shard(config: &MatchConfig, shard: ShardOptions) -> Result<(), ArenaError> {
    let fixed_sides = config.schedule.fixed_sides;
    let count = scoring_unit_index(config.games, fixed_sides) + 1;
    shard.check_file_and_watch_input()?;
    let mut settings = settings_that_affect_match(config);
    // An engine without a command is this program. The header of the shard already has its version.
    for (engine, spec) in config.engines.iter().enumerate() {
        if spec.command.is_empty() {
            continue;
        }
        let name = format!("id of {}", config.engine_role_text(engine));
        // If the shard exists, no engine is started. Merging compares the engines that played the
        // shards.
        let id = if shard.file_exists() {
            shard.read_existing_header()?.setting_value(&name).to_string()
        } else {
            EngineProcess::start(spec, &config.rule_options(), config.patience)?.id.clone()
        };
        settings.push((name, id));
    }
    let settings = settings.iter().map(|(name, value)| (name.as_str(), value.clone())).collect();
    let Some(shard) = shard.create_writer("arena", count as u64, settings)? else { return Ok(()) };
    let unit_of = |number| scoring_unit_index(number, fixed_sides) as u64;
    let numbers: Vec<usize> = (1..=config.games)
        .filter(|&number| shard.number_range().contains(&unit_of(number)))
        .collect();
    let all = numbers.len();
    let stopped = AtomicBool::new(false);
    let openings = NumberedOpenings::new(&config.openings, &config.options);
    let ended = Mutex::new((BTreeMap::new(), ProgressLine::begin("arena".into())));
    play_games(config, numbers, openings, &stopped, &|number, opening, game| {
        let (records, progress) = &mut *ended.lock().unwrap_or_else(PoisonError::into_inner);
        let record = match_game_record(config, number, opening, &game);
        records.insert(number, format_record_entry(&record, game.first_turn));
        progress.show(&format!("{} of {all} games", records.len()));
        Ok(())
    })?;
    let (records, mut progress) = ended.into_inner().unwrap_or_else(PoisonError::into_inner);
    progress.clear();
    let mut contents: BTreeMap<u64, String> = BTreeMap::new();
    for (number, record) in records {
        *contents.entry(unit_of(number)).or_default() += &record;
    }
    Ok(shard.write(&contents)?)
}

/// Returns the settings that influence the games or the merging.
fn settings_that_affect_match(config: &MatchConfig) -> Vec<(String, String)> {
    let mut settings = vec![
        ("match", config.settings_line()),
        ("games", config.games.to_string()),
        ("sides", if config.schedule.fixed_sides { "fixed" } else { "swapped" }.into()),
        ("margin", config.margin.as_millis().to_string()),
        ("patience", config.patience.as_millis().to_string()),
    ];
    if let OpeningSource::List { openings, .. } = &config.openings {
        let bytes = openings.iter().flat_map(|opening| {
            opening.position_command(&[]).into_bytes().into_iter().chain([b'\n'])
        });
        settings.push((
            "openings",
            format!("{:016x}", hash_words(&bytes.map(u64::from).collect::<Vec<_>>())),
        ));
    }
    settings.extend(config.sprt.map(|sprt| {
        let numbers = [sprt.elo0, sprt.elo1].map(|number| number.to_string());
        ("sprt", numbers.join(" "))
    }));
    let settings = settings.into_iter().map(|(name, value)| (name.to_string(), value));
    let engines = config.engines.iter().enumerate();
    settings
        .chain(engines.map(|(engine, spec): (usize, &EngineSpec)| {
            (config.engine_role_text(engine), format!("{}: {spec}", spec.name))
        }))
        .collect()
}
