//! The files of Alcaxar's solver.

use std::path::Path;

use crate::core::text::quoted;
use crate::core::{Failure, MakeTables, Notation, Rules, Side, TablePlan, TableReport};
use crate::tables::file;

use super::Alcaxar;
use super::solver::Solver;
use super::solver::stages::{Stage, Work, file_name, won_lost_open};
use super::solver::verify::verify;
use super::solver::wall_sets::MAX_WALLS;

/// The tables of Alcaxar: files for those who study the game. The engine does not use them.
pub struct AlcaxarTables;

impl MakeTables<Alcaxar> for AlcaxarTables {
    fn new(_: &Alcaxar, _: Option<&Path>) -> AlcaxarTables {
        AlcaxarTables
    }

    fn write_files(rules: &Alcaxar, plan: &TablePlan, tell: &(dyn Fn(TableReport) + Sync)) -> Result<(), Failure> {
        let walls = plan.men.parse().ok().filter(|walls| (1..=MAX_WALLS).contains(walls));
        let walls = walls.ok_or_else(|| {
            let (id, found) = (Alcaxar::ID, quoted(plan.men));
            Failure::BadArguments(format!("tables of {id} are for 1 to {MAX_WALLS} walls, not {found}"))
        })?;
        let _lock = file::lock_directory(plan.directory).map_err(Failure::Failed)?;
        let mut work = Work::new(&rules.board, walls)
            .ok_or_else(|| Failure::Failed(format!("there is not enough memory for {walls} walls")))?;
        let (memory, file) = Solver::sizes(&work.solver().places);
        // A file of red's wins, one that keeps the progress, and the next one or that of green's wins.
        let [memory, disk] = [memory, 3 * file].map(|bytes| bytes as f64 / 1e9);
        if disk > 0.1 {
            tell(TableReport::Note(&format!(
                "{walls} walls take {memory:.1} GB of memory and {disk:.1} GB on the disk"
            )));
        }
        if let Err(fault) = work.resume(plan.directory) {
            tell(TableReport::Refused(&fault));
        }
        let ended = Stage::ALL.into_iter().take_while(|&stage| Some(stage) != work.stage()).collect::<Vec<_>>();
        ended.into_iter().for_each(|stage| report(rules, &work, stage, false, tell));
        while let Some(stage) = work.stage() {
            let side = Alcaxar::SIDES[stage.winner().index()];
            let working = format!("{walls} walls, {} wins of {side}, step {}", stage.name(), work.steps() + 1);
            tell(TableReport::Working(&working, work.share()));
            if work.step(plan.threads) == Some(stage) {
                if plan.check {
                    tell(TableReport::Checking(&format!("{walls} walls, {} wins of {side}", stage.name())));
                    check(rules, &work, stage, plan.threads, tell)?;
                }
                work.keep_stage(plan.directory, stage).map_err(Failure::Failed)?;
                report(rules, &work, stage, true, tell);
            } else {
                work.keep(plan.directory).map_err(Failure::Failed)?;
            }
        }
        Ok(())
    }
}

/// Holds the states of a stage that has ended against the rules.
///
/// # Errors
/// If one is wrong.
fn check(
    rules: &Alcaxar,
    work: &Work,
    stage: Stage,
    threads: usize,
    tell: &(dyn Fn(TableReport) + Sync),
) -> Result<(), Failure> {
    let wrong = |position: Box<_>| {
        Failure::Failed(format!("{} wins: {} is wrong", stage.name(), rules.position_text(&position)))
    };
    let verified = verify(work.solver(), &rules.board, stage, threads).map_err(wrong)?;
    tell(TableReport::Result(&format!("{} states of the {} wins verified", verified, stage.name())));
    Ok(())
}

/// Reports the results of a stage that has ended, in this run of the program or in an earlier one.
fn report(rules: &Alcaxar, work: &Work, stage: Stage, is_new: bool, tell: &(dyn Fn(TableReport) + Sync)) {
    let places = &work.solver().places;
    let line = |line: String| tell(TableReport::Result(&line));
    if let Stage::Certain(winner) = stage {
        let (name, bytes) = (file_name(places.walls, winner), Solver::sizes(places).1);
        tell(if is_new { TableReport::Made(&name, bytes) } else { TableReport::Kept(&name, bytes) });
    }
    // The counts are those of the wins of both sides.
    let of_red = match stage {
        Stage::Plain => Stage::Plain,
        Stage::Certain(Side::Second) => Stage::Certain(Side::First),
        Stage::Repetition(Side::Second) => Stage::Repetition(Side::First),
        Stage::Certain(Side::First) | Stage::Repetition(Side::First) => return,
    };
    let (red, green) = (work.counts(of_red), work.counts(stage));
    for (at, blocked) in ["none", "all"].into_iter().enumerate() {
        let [won, lost, open] = won_lost_open(red[at], green[at]);
        line(format!("walls {} {} {blocked} won {won} lost {lost} open {open}", places.walls, stage.name()));
    }
    if stage == Stage::Plain {
        line(format!("walls {} plain longest {} plies", places.walls, work.longest()));
    }
    if matches!(stage, Stage::Certain(_)) && places.walls == MAX_WALLS {
        for (mv, winner) in work.start() {
            let what = mv.map_or("start".into(), |mv| format!("start {}", rules.move_text(mv)));
            line(winner.map_or(format!("{what} open"), |side| format!("{what} {} wins", Alcaxar::SIDES[side.index()])));
        }
    }
}
