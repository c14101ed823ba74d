//! The files of Alcaxar's solver.

use std::path::Path;

use crate::core::text::quoted;
use crate::core::{Failure, MakeTables, Notation, Rules, Side, TablePlan, TableReport};

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
        let too_little = || Failure::Failed("there is not enough memory".into());
        let mut work = Work::new(&rules.board, walls).ok_or_else(too_little)?;
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
            work = Work::new(&rules.board, walls).ok_or_else(too_little)?;
        }
        let ended = Stage::ALL.into_iter().take_while(|&stage| Some(stage) != work.stage()).collect::<Vec<_>>();
        ended.into_iter().for_each(|stage| report(rules, &work, stage, tell));
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
                report(rules, &work, stage, tell);
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

/// Reports the results of a stage that has ended.
fn report(rules: &Alcaxar, work: &Work, stage: Stage, tell: &(dyn Fn(TableReport) + Sync)) {
    let walls = work.solver().places.walls;
    let line = |line: String| tell(TableReport::Result(&line));
    let first_side = match stage {
        Stage::Plain => Stage::Plain,
        // The counts need both sides.
        Stage::Repetition(Side::First) | Stage::Certain(Side::First) => return,
        Stage::Repetition(_) => Stage::Repetition(Side::First),
        Stage::Certain(_) => Stage::Certain(Side::First),
    };
    let (red, green) = (work.counts(first_side), work.counts(stage));
    for (at, blocked) in ["none", "all"].into_iter().enumerate() {
        let [won, lost, open] = won_lost_open(red[at], green[at]);
        line(format!("walls {walls} {} {blocked} won {won} lost {lost} open {open}", stage.name()));
    }
    if stage == Stage::Plain {
        line(format!("walls {walls} plain longest {} plies", work.longest()));
    }
    if stage == Stage::Certain(Side::Second) {
        if walls == MAX_WALLS {
            for (mv, winner) in work.start() {
                let what = mv.map_or("start".into(), |mv| format!("start {}", rules.move_text(mv)));
                let value = winner.map_or("open".into(), |side| format!("{} wins", Alcaxar::SIDES[side.index()]));
                line(format!("{what} {value}"));
            }
        }
        for winner in Side::BOTH {
            let name = file_name(walls, winner);
            tell(TableReport::Made(&name, Solver::sizes(&work.solver().places).1));
        }
    }
}
