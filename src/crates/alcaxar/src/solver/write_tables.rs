//! The command that makes the files of the solver, and extracts parts of them.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use pentarch_core::tables::directory::TableDirectory;
use pentarch_core::{
    MakeTables, Notation, Rules, Side, TableFiles, TableReport, TableWritePlan,
    TableWritePlanError, WriteTables, WriteTablesError,
};
use pentarch_system::files::lock_directory;
use pentarch_system::new_file::replace_file;
use pentarch_system::{ErrorContext, Location};

use super::Solver;
use super::check_tables::{
    check_memory, check_new_stage, check_stored_stage, failure_error, stored_certificate,
};
use super::checker::certificate;
use super::error::{AlcaxarTablesError, ResourceNeeds};
use super::extraction::{Book, Extraction};
use super::file_names::file_name;
use super::stage_runner::{StageRunner, StartResult, start_position};
use super::stages::{Stage, count_results};
use super::stored_wins::StoredWins;
use super::tables::AlcaxarTables;
use super::wall_sets::{MAX_WALLS, count_wall_sets};
use crate::Alcaxar;

/// The number of random positions that are checked against the rules.
const VERIFIED_POSITIONS: usize = 1_000_000;
/// The maximum number of positions of a book. With some 10 bits for each it has 2 MB.
const MAX_BOOK_POSITIONS: usize = 1_600_000;

impl WriteTables for Alcaxar {
    const STAGES: &'static [&'static str] = &Stage::NAMES;
    const CAN_EXTRACT: bool = true;

    type TableError = AlcaxarTablesError;

    fn write_files(
        &self,
        plan: &TableWritePlan,
        report: &(dyn Fn(TableReport) + Sync),
    ) -> Result<(), WriteTablesError<AlcaxarTablesError>> {
        let walls = number_of_walls(plan).map_err(WriteTablesError::Plan)?;
        let names = plan.stages.unwrap_or("red,green");
        let stages = Stage::parse_list(names).map_err(|found| {
            WriteTablesError::Plan(TableWritePlanError::Stage {
                game: Alcaxar::ID,
                names: &Stage::NAMES,
                found: found.into(),
            })
        })?;
        let command = TableCommand { rules: self, plan, walls, report };
        Ok(command.solve_stages(&stages)?)
    }

    fn extract(
        &self,
        plan: &TableWritePlan,
        folder: &Path,
        report: &(dyn Fn(TableReport) + Sync),
    ) -> Result<bool, WriteTablesError<AlcaxarTablesError>> {
        let walls = number_of_walls(plan).map_err(WriteTablesError::Plan)?;
        let command = TableCommand { rules: self, plan, walls, report };
        Ok(command.extract(folder)?)
    }
}

/// A run of the command.
struct TableCommand<'a> {
    rules: &'a Alcaxar,
    plan: &'a TableWritePlan<'a>,
    walls: usize,
    report: &'a (dyn Fn(TableReport) + Sync),
}

impl TableCommand<'_> {
    /// Solves the stages that have not ended, and checks the results of all stages.
    fn solve_stages(&self, stages: &[Stage]) -> Result<(), AlcaxarTablesError> {
        let TableCommand { rules, plan, walls, report } = *self;
        let _lock = lock_directory(plan.directory)?;
        let mut runner = StageRunner::new(&rules.board, walls, stages.to_vec())
            .ok_or(AlcaxarTablesError::Entries { walls })?;
        self.check_resources(&runner)?;
        if let Err(error) = runner.resume(plan.directory) {
            report(TableReport::Unusable(&error));
        }
        self.check_stored_stages(&mut runner)?;
        let mut reported = Vec::new();
        for (at, &stage) in stages.iter().enumerate() {
            if runner.is_result_known(stage) {
                self.report_stage(&runner, stage, &stages[at..], false);
                if let Some(line) = stored_certificate(&runner, stage, plan) {
                    self.report_certificate(stage, &line);
                }
                reported.push(stage);
            }
        }
        while let Some(stage) = runner.stage() {
            let side = Alcaxar::SIDE_NAMES[stage.winner().index()];
            let step = runner.steps() + 1;
            let current = format!("{walls} walls, {} wins of {side}, step {step}", stage.name());
            report(TableReport::Working(&current, runner.completed_share()));
            if runner.step(plan.threads) == Some(stage) {
                let line = check_new_stage(rules, &mut runner, stage, plan, report)?;
                self.report_stage(&runner, stage, &[], true);
                self.report_certificate(stage, &line);
                reported.push(stage);
            } else {
                runner.save_if_due(plan.directory)?;
            }
        }
        // The certain wins may have shown who wins the start.
        for &stage in stages {
            if runner.is_result_known(stage) && !reported.contains(&stage) {
                self.report_stage(&runner, stage, &[], true);
            }
        }
        Ok(())
    }

    /// Checks that enough memory and space on the disk are free, unless all stages have ended.
    fn check_resources(&self, runner: &StageRunner) -> Result<(), AlcaxarTablesError> {
        let TableCommand { plan, walls, report, .. } = *self;
        let numbering = &runner.solver().numbering;
        let file = Solver::entries_size(numbering);
        let memory = Solver::memory_size(numbering).max(check_memory(numbering) as usize);
        // The disk has the files of red's wins, that of green's safe wins, that of the saved
        // progress and the next one, and the log of the ranks. With four and five walls, they had
        // this size, compressed.
        let needs = ResourceNeeds { walls, memory: memory as u64, disk: (file * 3 / 2) as u64 };
        if !runner.is_done(plan.directory) {
            // The space on the disk is an estimate, and may be a tenth too large.
            let least_disk = (file * 4 / 3) as u64;
            if let Some(free) = plan.free_memory.filter(|&free| free < needs.memory) {
                return Err(AlcaxarTablesError::Memory { needs, free });
            }
            if let Some(free) = plan.free_disk
                && free + existing_bytes(plan.directory, walls) < least_disk
            {
                let directory = Location::File(plan.directory.into());
                return Err(AlcaxarTablesError::Disk { needs, free, directory });
            }
        }
        if needs.disk > 100_000_000 {
            report(TableReport::Note(&needs.to_string()));
        }
        Ok(())
    }

    /// Checks the stored files of the stages that have ended but have no valid certificate, or of
    /// all ended stages if the plan requests it.
    fn check_stored_stages(&self, runner: &mut StageRunner) -> Result<(), AlcaxarTablesError> {
        let TableCommand { rules, plan, walls, report } = *self;
        let is_unchecked = |stage: Stage| {
            // The safe wins are checked with the certain wins.
            let has_files = runner.has_ended(stage)
                && stage.base().is_none_or(|base| runner.has_ended(base))
                && file_name(walls, stage).is_some();
            has_files && (plan.check || stored_certificate(runner, stage, plan).is_none())
        };
        let mut unchecked: Vec<Stage> =
            Stage::ALL.into_iter().filter(|&stage| is_unchecked(stage)).collect();
        let needed = check_memory(&runner.solver().numbering);
        if let Some(free) = plan.free_memory.filter(|&free| free < needed && !unchecked.is_empty())
        {
            let error = AlcaxarTablesError::CheckMemory { needed, free };
            if plan.check {
                return Err(error);
            }
            report(TableReport::Note(&error.to_string()));
            unchecked.clear();
        }
        let failures = runner.check_files(
            plan.directory,
            &unchecked,
            |name| report(TableReport::Checking(name, None)),
            |numbering, stage| check_stored_stage(rules, numbering, stage, plan, report).map(drop),
        )?;
        for failed in failures {
            certificate::remove_certificate(plan.directory, walls, failed.stage);
            let error = failure_error(rules, walls, failed.stage, failed.failure);
            report(TableReport::Unusable(&error));
        }
        Ok(())
    }

    fn report_certificate(&self, stage: Stage, line: &str) {
        let name = certificate::certificate_name(self.walls, stage);
        (self.report)(TableReport::Result(&format!("{name} {line}")));
    }

    fn report_line(&self, line: &str) {
        (self.report)(TableReport::Result(line));
    }

    /// Reports the results of a stage that has ended, in this run of the program if `is_new`, else
    /// in an earlier one. The results of the stages `later` have not been reported yet.
    fn report_stage(&self, runner: &StageRunner, stage: Stage, later: &[Stage], is_new: bool) {
        let numbering = &runner.solver().numbering;
        let walls = numbering.walls;
        if let Some(name) = file_name(walls, stage) {
            let bytes = Solver::entries_size(numbering) / 2;
            (self.report)(if is_new {
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
                let line = match runner.start_winner(side) {
                    Some(winner) => format!("{} wins", side_name(winner)),
                    None => format!("{} unknown", side_name(side)),
                };
                return self.report_line(&format!("walls {walls} start {line}"));
            }
        };
        let is_known =
            |other: Stage| other == stage || runner.has_ended(other) && !later.contains(&other);
        if is_known(of_red) && is_known(of_green) {
            let red = runner.counts(of_red);
            let green = runner.counts(of_green);
            for (at, blocked) in ["none", "all"].into_iter().enumerate() {
                let [won, lost, open] = count_results(red[at], green[at]);
                let name = stage.name();
                self.report_line(&format!(
                    "walls {walls} {name} {blocked} won {won} lost {lost} open {open}"
                ));
            }
        }
        if stage == Stage::Plain {
            let plies = runner.longest_plain_win();
            self.report_line(&format!("walls {walls} plain longest {plies} plies"));
        }
        if matches!(stage, Stage::Certain(_)) && walls == MAX_WALLS {
            start_result_lines(self.rules, runner).iter().for_each(|line| self.report_line(line));
        }
    }

    /// Writes the parts of the files that people need to a folder. Returns whether the files cover
    /// the start position of the game.
    fn extract(&self, folder: &Path) -> Result<bool, AlcaxarTablesError> {
        let TableCommand { rules, plan, walls, report } = *self;
        let files = TableDirectory(plan.directory.to_path_buf());
        let tables = AlcaxarTables::for_walls(rules, walls, Some(Arc::new(files.clone())));
        tables.begin_computing();
        tables.wait(&|| false);
        let check_faults = || {
            let faults = tables.take_faults();
            if faults.is_empty() { Ok(()) } else { Err(AlcaxarTablesError::Unusable { faults }) }
        };
        check_faults()?;
        if !tables.wins.get().is_some_and(StoredWins::has_both_sides) {
            let [red, green] =
                Side::BOTH.map(|side| files.location(&certain_file_name(walls, side)));
            return Err(AlcaxarTablesError::Needed { red, green });
        }
        let report_task =
            |task: &str| report(TableReport::Working(&format!("{walls} walls, {task}"), 0.));
        let extraction = Extraction::new(rules, &tables, start_position(walls));
        report_task("random positions");
        // With few walls there are fewer positions.
        let positions = (count_wall_sets(walls) * 100).min(VERIFIED_POSITIONS);
        let verified = extraction.verify(positions, plan.threads);
        // A position that cannot be read seems not to be lost.
        check_faults()?;
        let lost = verified.map_err(|position| AlcaxarTablesError::Value {
            position: rules.position_text(&position),
        })?;
        self.report_line(&format!("walls {walls} verified {positions} lost {lost}"));
        report_task("openings");
        let mut files =
            vec![(format!("alcaxar-{walls}.openings"), extraction.openings().into_bytes())];
        for side in Side::BOTH {
            let name = side_name(side);
            report_task(&format!("book of {name}"));
            let Some(book) = extraction.book(side, MAX_BOOK_POSITIONS)? else { continue };
            let Book { moves, positions, bytes } = book;
            let moves = moves.map_or("all".into(), |moves| moves.to_string());
            self.report_line(&format!(
                "walls {walls} book {name} moves {moves} positions {positions}"
            ));
            files.push((format!("alcaxar-{walls}-{name}.book"), bytes));
        }
        check_faults()?;
        for (name, bytes) in files {
            let path = folder.join(&name);
            replace_file(&path, &bytes).in_file(&path)?;
            self.report_line(&format!("{name} {} bytes", bytes.len()));
        }
        Ok(walls == MAX_WALLS)
    }
}

/// Returns the name of a side in the results.
pub(super) fn side_name(side: Side) -> &'static str {
    Alcaxar::SIDE_NAMES[side.index()]
}

fn certain_file_name(walls: usize, side: Side) -> String {
    file_name(walls, Stage::Certain(side)).unwrap_or_default()
}

/// Returns the size of the existing files of the positions with `walls` walls in bytes.
fn existing_bytes(directory: &Path, walls: usize) -> u64 {
    let prefix = format!("alcaxar-{walls}-");
    let mut bytes = 0;
    for file in fs::read_dir(directory).into_iter().flatten().flatten() {
        if file.file_name().to_string_lossy().starts_with(&prefix) {
            bytes += file.metadata().map_or(0, |metadata| metadata.len());
        }
    }
    bytes
}

fn number_of_walls(plan: &TableWritePlan) -> Result<usize, TableWritePlanError> {
    let range = 1..=MAX_WALLS;
    let walls = plan.count.parse().ok().filter(|walls| range.contains(walls));
    walls.ok_or_else(|| TableWritePlanError::Count {
        game: Alcaxar::ID,
        range,
        unit: "walls",
        found: plan.count.into(),
    })
}

/// Returns a line for the start position and for the position after each of its moves: who
/// certainly wins, if anyone. If only the wins of one side are known, the line of a position that
/// this side does not certainly win names the other side as "wins or open". With fewer than eight
/// walls, the start position has the first walls of the game's start position.
pub fn start_result_lines(rules: &Alcaxar, runner: &StageRunner) -> Vec<String> {
    let unknown = Side::BOTH.into_iter().find(|&side| !runner.has_ended(Stage::Certain(side)));
    let line = |StartResult { mv, winner }| {
        let name = mv.map_or("start".into(), |mv| format!("start {}", rules.move_text(mv)));
        match (winner, unknown) {
            (Some(winner), _) => format!("{name} {} wins", side_name(winner)),
            (None, Some(other)) => format!("{name} {} wins or open", side_name(other)),
            (None, None) => format!("{name} open"),
        }
    };
    runner.start_results().into_iter().map(line).collect()
}
