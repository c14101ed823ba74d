//! The command that makes the files of the solver, and extracts parts of them.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use pentarch_core::tables::directory::TableDirectory;
use pentarch_core::{
    MakeTables, Notation, Rules, Side, TableFiles, TablePlan, TablePlanError, TableReport,
    WriteTables, WriteTablesError,
};
use pentarch_system::files::lock_directory;
use pentarch_system::new_file::replace_file;
use pentarch_system::{ErrorContext, Location};

use super::Solver;
use super::check_tables::{certificate_text, check_file, check_memory, check_new, error_of};
use super::checker::certificate;
use super::error::{AlcaxarTablesError, Needs};
use super::extraction::{Book, Extraction};
use super::file_names::file_name;
use super::stages::{Stage, won_lost_open};
use super::stored::StoredWins;
use super::tables::AlcaxarTables;
use super::wall_sets::{MAX_WALLS, count};
use super::work::{Work, start};
use crate::Alcaxar;
use crate::moves::Move;

impl WriteTables for Alcaxar {
    const STAGES: &'static [&'static str] = &Stage::NAMES;
    const HAS_EXTRACT: bool = true;

    type TableError = AlcaxarTablesError;

    fn write_files(
        &self,
        plan: &TablePlan,
        tell: &(dyn Fn(TableReport) + Sync),
    ) -> Result<(), WriteTablesError<AlcaxarTablesError>> {
        let walls = number_of_walls(plan).map_err(WriteTablesError::Plan)?;
        let stages = plan.stages.unwrap_or("red,green");
        let wanted = Stage::named(stages).map_err(|found| {
            WriteTablesError::Plan(TablePlanError::Stage {
                game: Alcaxar::ID,
                names: &Stage::NAMES,
                found: found.into(),
            })
        })?;
        Ok(self.make_stages(plan, walls, &wanted, tell)?)
    }

    fn extract(
        &self,
        plan: &TablePlan,
        folder: &Path,
        tell: &(dyn Fn(TableReport) + Sync),
    ) -> Result<bool, WriteTablesError<AlcaxarTablesError>> {
        let walls = number_of_walls(plan).map_err(WriteTablesError::Plan)?;
        Ok(self.extract_walls(plan, walls, folder, tell)?)
    }
}

impl Alcaxar {
    /// Solves these stages of the positions with this number of walls.
    fn make_stages(
        &self,
        plan: &TablePlan,
        walls: usize,
        wanted: &[Stage],
        tell: &(dyn Fn(TableReport) + Sync),
    ) -> Result<(), AlcaxarTablesError> {
        let _lock = lock_directory(plan.directory)?;
        let mut work = Work::new(&self.board, walls, wanted.to_vec())
            .ok_or(AlcaxarTablesError::Entries { walls })?;
        let (memory, file) = Solver::sizes(&work.solver().numbering);
        let memory = memory.max(check_memory(&work.solver().numbering) as usize);
        // The files of red's wins and the one of green's safe wins, the one that keeps the progress and the next one,
        // and the log of the ranks: with four and five walls they took so much, compressed.
        let needs = Needs { walls, memory: memory as u64, disk: (file * 3 / 2) as u64 };
        if !work.is_done(plan.directory) {
            // The room on the disk is an estimate, and may be a tenth too large.
            let on_disk = (file * 4 / 3) as u64;
            if let Some(free) = plan.free_memory.filter(|&free| free < needs.memory) {
                return Err(AlcaxarTablesError::Memory { needs, free });
            }
            if let Some(free) =
                plan.free_disk.filter(|free| free + bytes_there(plan.directory, walls) < on_disk)
            {
                let directory = Location::File(plan.directory.into());
                return Err(AlcaxarTablesError::Disk { needs, free, directory });
            }
        }
        if needs.disk > 100_000_000 {
            tell(TableReport::Note(&needs.to_string()));
        }
        if let Err(fault) = work.resume(plan.directory) {
            tell(TableReport::Unusable(&fault));
        }
        let unchecked = |stage: &Stage| {
            // The safe wins are checked with the certain ones.
            let are_there =
                work.has_ended(*stage) && stage.base().is_none_or(|base| work.has_ended(base));
            let is_wanted = || plan.check || certificate_text(&work, *stage, plan).is_none();
            are_there && file_name(walls, *stage).is_some() && is_wanted()
        };
        let mut unchecked: Vec<Stage> = Stage::ALL.into_iter().filter(unchecked).collect();
        let needed = check_memory(&work.solver().numbering);
        if let Some(free) = plan.free_memory.filter(|&free| free < needed && !unchecked.is_empty())
        {
            let error = AlcaxarTablesError::CheckMemory { needed, free };
            if plan.check {
                return Err(error);
            }
            tell(TableReport::Note(&error.to_string()));
            unchecked.clear();
        }
        let check = |numbering: &_, stage| check_file(self, numbering, stage, plan, tell).map(drop);
        let begin = |name: &str| tell(TableReport::Checking(name, None));
        for (stage, fault) in work.look_through(plan.directory, &unchecked, begin, check)? {
            certificate::remove(plan.directory, walls, stage);
            tell(TableReport::Unusable(&error_of(self, walls, stage, fault)));
        }
        let mut told = Vec::new();
        for (at, &stage) in wanted.iter().enumerate().filter(|(_, stage)| work.is_known(**stage)) {
            report(self, &work, stage, &wanted[at..], false, tell);
            if let Some(text) = certificate_text(&work, stage, plan) {
                tell(TableReport::Result(&format!("{} {text}", certificate::name(walls, stage))));
            }
            told.push(stage);
        }
        while let Some(stage) = work.stage() {
            let side = Alcaxar::SIDES[stage.winner().index()];
            let working = format!(
                "{walls} walls, {} wins of {side}, step {}",
                stage.name(),
                work.steps() + 1
            );
            tell(TableReport::Working(&working, work.share()));
            if work.step(plan.threads) == Some(stage) {
                let certificate = check_new(self, &mut work, stage, plan, tell)?;
                report(self, &work, stage, &[], true, tell);
                tell(TableReport::Result(&format!(
                    "{} {certificate}",
                    certificate::name(walls, stage)
                )));
                told.push(stage);
            } else {
                work.keep(plan.directory)?;
            }
        }
        // The certain wins may have told who wins the start.
        for &stage in wanted.iter().filter(|stage| work.is_known(**stage) && !told.contains(stage))
        {
            report(self, &work, stage, &[], true, tell);
        }
        Ok(())
    }

    /// Writes the parts of the files with this number of walls that people need.
    fn extract_walls(
        &self,
        plan: &TablePlan,
        walls: usize,
        folder: &Path,
        tell: &(dyn Fn(TableReport) + Sync),
    ) -> Result<bool, AlcaxarTablesError> {
        let files = TableDirectory(plan.directory.to_path_buf());
        let tables = AlcaxarTables::of_walls(self, walls, Some(Arc::new(files.clone())));
        tables.begin();
        tables.wait(&|| false);
        let check_faults = || {
            let faults = tables.take_faults();
            if faults.is_empty() { Ok(()) } else { Err(AlcaxarTablesError::Unusable { faults }) }
        };
        check_faults()?;
        if !tables.wins.get().is_some_and(StoredWins::are_of_both_sides) {
            let [red, green] = Side::BOTH.map(|side| files.location(&certain_name(walls, side)));
            return Err(AlcaxarTablesError::Needed { red, green });
        }
        let line = |line: String| tell(TableReport::Result(&line));
        let working =
            |what: &str| tell(TableReport::Working(&format!("{walls} walls, {what}"), 0.));
        let extraction = Extraction::new(self, &tables, start(walls));
        working("random positions");
        // Of few walls there are not so many positions.
        let positions = (count(walls) * 100).min(VERIFIED);
        let verified = extraction.verify(positions, plan.threads);
        // What cannot be read seems not to be lost.
        check_faults()?;
        let lost = verified.map_err(|position| AlcaxarTablesError::Value {
            position: self.position_text(&position),
        })?;
        line(format!("walls {walls} verified {positions} lost {lost}"));
        working("openings");
        let mut files =
            vec![(format!("alcaxar-{walls}.openings"), extraction.openings().into_bytes())];
        for side in Side::BOTH {
            let name = Alcaxar::SIDES[side.index()];
            working(&format!("book of {name}"));
            let Some(Book { moves, positions, bytes }) = extraction.book(side, MOST_IN_BOOK)?
            else {
                continue;
            };
            let moves = moves.map_or("all".into(), |moves| moves.to_string());
            line(format!("walls {walls} book {name} moves {moves} positions {positions}"));
            files.push((format!("alcaxar-{walls}-{name}.book"), bytes));
        }
        check_faults()?;
        for (name, bytes) in files {
            let path = folder.join(&name);
            replace_file(&path, &bytes).in_file(&path)?;
            line(format!("{name} {} bytes", bytes.len()));
        }
        Ok(walls == MAX_WALLS)
    }
}

/// The name of the file of a side's certain wins.
fn certain_name(walls: usize, side: Side) -> String {
    file_name(walls, Stage::Certain(side)).unwrap_or_default()
}

/// How many bytes the files of the positions with so many walls take already.
fn bytes_there(directory: &Path, walls: usize) -> u64 {
    let files = fs::read_dir(directory).into_iter().flatten().flatten();
    let ours = files.filter(|file| {
        file.file_name().to_string_lossy().starts_with(&format!("alcaxar-{walls}-"))
    });
    ours.filter_map(|file| file.metadata().ok()).map(|metadata| metadata.len()).sum()
}

/// How many random positions are held against the rules.
const VERIFIED: usize = 1_000_000;
/// How many positions a book has at most: with some 10 bits for each it has 2 MB.
const MOST_IN_BOOK: usize = 1_600_000;

/// The number of walls that a plan names.
fn number_of_walls(plan: &TablePlan) -> Result<usize, TablePlanError> {
    let range = 1..=MAX_WALLS;
    let walls = plan.count.parse().ok().filter(|walls| range.contains(walls));
    walls.ok_or_else(|| TablePlanError::Count {
        game: Alcaxar::ID,
        range,
        unit: "walls",
        found: plan.count.into(),
    })
}

/// Reports the results of a stage that has ended, in this run of the program or in an earlier one, when those of the
/// stages `later` have not been reported yet.
fn report(
    rules: &Alcaxar,
    work: &Work,
    stage: Stage,
    later: &[Stage],
    is_new: bool,
    tell: &(dyn Fn(TableReport) + Sync),
) {
    let numbering = &work.solver().numbering;
    let line = |line: String| tell(TableReport::Result(&line));
    if let Some(name) = file_name(numbering.walls, stage) {
        let bytes = Solver::sizes(numbering).1 / 2;
        tell(if is_new {
            TableReport::Written(&name, bytes)
        } else {
            TableReport::Existing(&name, bytes)
        });
    }
    // The counts are those of the wins of both sides.
    let [of_red, of_green] = match stage {
        Stage::Plain => [Stage::Plain; 2],
        Stage::Safe(_) => Side::BOTH.map(Stage::Safe),
        Stage::Certain(_) => Side::BOTH.map(Stage::Certain),
        Stage::Repetition(_) => Side::BOTH.map(Stage::Repetition),
        Stage::Start(side) => {
            let (side, what) =
                work.start_winner(side).map_or((side, "unknown"), |winner| (winner, "wins"));
            return line(format!(
                "walls {} start {} {what}",
                numbering.walls,
                Alcaxar::SIDES[side.index()]
            ));
        }
    };
    let is_known =
        |other: Stage| other == stage || work.has_ended(other) && !later.contains(&other);
    if is_known(of_red) && is_known(of_green) {
        let (red, green) = (work.counts(of_red), work.counts(of_green));
        for (at, blocked) in ["none", "all"].into_iter().enumerate() {
            let [won, lost, open] = won_lost_open(red[at], green[at]);
            line(format!(
                "walls {} {} {blocked} won {won} lost {lost} open {open}",
                numbering.walls,
                stage.name()
            ));
        }
    }
    if stage == Stage::Plain {
        line(format!("walls {} plain longest {} plies", numbering.walls, work.longest()));
    }
    if matches!(stage, Stage::Certain(_)) && numbering.walls == MAX_WALLS {
        start_lines(rules, work).into_iter().for_each(line);
    }
}

/// For the start position and the position after each of its moves, a line that says who wins for certain, if anyone;
/// or that the other side wins or nobody does, if only the wins of one side are known. With fewer than eight walls it
/// is the position with the first ones of the start position.
pub fn start_lines(rules: &Alcaxar, work: &Work) -> Vec<String> {
    let names = |side: Side| Alcaxar::SIDES[side.index()];
    let unknown = Side::BOTH.into_iter().find(|&side| !work.has_ended(Stage::Certain(side)));
    let line = |(mv, winner): (Option<Move>, Option<Side>)| {
        let what = mv.map_or("start".into(), |mv| format!("start {}", rules.move_text(mv)));
        match (winner, unknown) {
            (Some(winner), _) => format!("{what} {} wins", names(winner)),
            (None, Some(other)) => format!("{what} {} wins or open", names(other)),
            (None, None) => format!("{what} open"),
        }
    };
    work.start().into_iter().map(line).collect()
}
