//! The command that creates the solver's files, and that extracts openings and books from them.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use pentarch_core::tables::directory::TableDirectory;
use pentarch_core::{
    GameTables, Notation, Rules, Side, TableFiles, TableWriteProgress, TableWriteRequest,
    TableWriteRequestError, WriteTables, WriteTablesError,
};
use pentarch_system::file_system::lock_directory;
use pentarch_system::new_file::replace_file;
use pentarch_system::{ErrorLocation, WithErrorLocation};

use super::RetrogradeSolver;
use super::check_tables::{
    check_and_store_ended_stage, check_stored_stage, estimate_check_memory,
    read_stored_certificate, stage_check_error,
};
use super::checker::certificate;
use super::error::{AlcaxarTablesError, ResourceNeeds};
use super::file_names::stage_file_name;
use super::solved_game::{SolvedGame, SolvedGameBook};
use super::stage_runner::{StageRunner, StartPositionResult, start_position};
use super::stages::{Stage, combine_side_counts};
use super::stored_wins::StoredWins;
use super::tables::AlcaxarTablebase;
use super::wall_sets::{MAX_WALLS, count_wall_sets};
use crate::Alcaxar;

/// The number of random positions for which the program compares the files with the rules.
const VERIFIED_POSITION_COUNT: usize = 1_000_000;
/// The maximum number of positions in a book. With about 10 bits for each position, such a book
/// takes 2 MB.
const MAX_BOOK_POSITIONS: usize = 1_600_000;

impl WriteTables for Alcaxar {
    const TABLE_STAGE_NAMES: &'static [&'static str] = &Stage::PARSEABLE_STAGE_NAMES;
    const CAN_EXTRACT_SHAREABLE_TABLE_PARTS: bool = true;

    type TableError = AlcaxarTablesError;

    fn write_table_files(
        &self,
        plan: &TableWriteRequest,
        report: &(dyn Fn(TableWriteProgress) + Sync),
    ) -> Result<(), WriteTablesError<AlcaxarTablesError>> {
        let walls = parse_table_wall_count(plan).map_err(WriteTablesError::Request)?;
        let names = plan.stages.unwrap_or("red,green");
        let stages = Stage::parse_list(names).map_err(|found| {
            WriteTablesError::Request(TableWriteRequestError::Stage {
                game: Alcaxar::GAME_ID,
                names: &Stage::PARSEABLE_STAGE_NAMES,
                found: found.into(),
            })
        })?;
        let command = TableWriteCommand { rules: self, plan, walls, report };
        Ok(command.solve_stages(&stages)?)
    }

    fn extract_shareable_table_parts(
        &self,
        plan: &TableWriteRequest,
        folder: &Path,
        report: &(dyn Fn(TableWriteProgress) + Sync),
    ) -> Result<bool, WriteTablesError<AlcaxarTablesError>> {
        let walls = parse_table_wall_count(plan).map_err(WriteTablesError::Request)?;
        let command = TableWriteCommand { rules: self, plan, walls, report };
        Ok(command.extract_shareable_table_parts(folder)?)
    }
}

/// A run of the command.
struct TableWriteCommand<'a> {
    rules: &'a Alcaxar,
    plan: &'a TableWriteRequest<'a>,
    walls: usize,
    report: &'a (dyn Fn(TableWriteProgress) + Sync),
}

impl TableWriteCommand<'_> {
    /// Solves the stages that have not ended. Also checks the results of all stages that have no
    /// valid certificate.
    fn solve_stages(&self, stages: &[Stage]) -> Result<(), AlcaxarTablesError> {
        let TableWriteCommand { rules, plan, walls, report } = *self;
        let _lock = lock_directory(plan.directory)?;
        let mut runner = StageRunner::new(&rules.board, walls, stages.to_vec())
            .ok_or(AlcaxarTablesError::MemoryOfEntries { walls })?;
        self.check_resources(&runner)?;
        if let Err(error) = runner.resume(plan.directory) {
            report(TableWriteProgress::Unusable(&error));
        }
        self.check_stored_stages(&mut runner)?;
        let mut reported = Vec::new();
        for (at, &stage) in stages.iter().enumerate() {
            if runner.is_result_known(stage) {
                self.report_stage(&runner, stage, &stages[at..], false);
                if let Some(line) = read_stored_certificate(&runner, stage, plan) {
                    self.report_certificate(stage, &line);
                }
                reported.push(stage);
            }
        }
        while let Some(stage) = runner.current_stage() {
            let side = Alcaxar::SIDE_NAMES[stage.winner().index()];
            let step = runner.step_count() + 1;
            let current = format!("{walls} walls, {} wins of {side}, step {step}", stage.name());
            report(TableWriteProgress::Working(&current, runner.completed_share()));
            if runner.run_step(plan.threads) == Some(stage) {
                let line = check_and_store_ended_stage(rules, &mut runner, stage, plan, report)?;
                self.report_stage(&runner, stage, &[], true);
                self.report_certificate(stage, &line);
                reported.push(stage);
            } else {
                runner.save_progress_if_due(plan.directory)?;
            }
        }
        // The start stages need no search if the search for certain wins has already shown the
        // winner of the start position. Their results are reported here.
        for &stage in stages {
            if runner.is_result_known(stage) && !reported.contains(&stage) {
                self.report_stage(&runner, stage, &[], true);
            }
        }
        Ok(())
    }

    /// Checks that enough memory and space on the disk are free, unless all stages have ended.
    fn check_resources(&self, runner: &StageRunner) -> Result<(), AlcaxarTablesError> {
        let TableWriteCommand { plan, walls, report, .. } = *self;
        let numbering = &runner.solver().numbering;
        let file = RetrogradeSolver::entries_size(numbering);
        let memory =
            RetrogradeSolver::memory_size(numbering).max(estimate_check_memory(numbering) as usize);
        // At one time, the disk must have space for all of these files: the files of red's wins,
        // the file of green's safe wins, the saved progress, the new progress that will replace it,
        // and the log of the ranks. With four and five walls, these compressed files together had
        // this size.
        let needs = ResourceNeeds { walls, memory: memory as u64, disk: (file * 3 / 2) as u64 };
        if !runner.is_saved_run_complete(plan.directory) {
            // The disk space is an estimate, which may be a tenth too large.
            let least_disk = (file * 4 / 3) as u64;
            if let Some(free) = plan.free_memory.filter(|&free| free < needs.memory) {
                return Err(AlcaxarTablesError::Memory { needs, free });
            }
            if let Some(free) = plan.free_disk
                && free + existing_table_files_size(plan.directory, walls) < least_disk
            {
                let directory = ErrorLocation::File(plan.directory.into());
                return Err(AlcaxarTablesError::Disk { needs, free, directory });
            }
        }
        if needs.disk > 100_000_000 {
            report(TableWriteProgress::Note(&needs.to_string()));
        }
        Ok(())
    }

    /// Checks the files of ended stages that have no valid certificate. If the user has requested a
    /// check, checks the files of all ended stages.
    fn check_stored_stages(&self, runner: &mut StageRunner) -> Result<(), AlcaxarTablesError> {
        let TableWriteCommand { rules, plan, walls, report } = *self;
        let is_unchecked = |stage: Stage| {
            // The check of the certain wins also reads the file of the safe wins.
            let has_files = runner.has_stage_ended(stage)
                && stage.prerequisite_stage().is_none_or(|base| runner.has_stage_ended(base))
                && stage_file_name(walls, stage).is_some();
            has_files && (plan.check || read_stored_certificate(runner, stage, plan).is_none())
        };
        let mut unchecked: Vec<Stage> =
            Stage::ALL.into_iter().filter(|&stage| is_unchecked(stage)).collect();
        let needed = estimate_check_memory(&runner.solver().numbering);
        if let Some(free) = plan.free_memory.filter(|&free| free < needed && !unchecked.is_empty())
        {
            let error = AlcaxarTablesError::CheckMemory { needed, free };
            if plan.check {
                return Err(error);
            }
            report(TableWriteProgress::Note(&error.to_string()));
            unchecked.clear();
        }
        let failures = runner.check_ended_stage_files(
            plan.directory,
            &unchecked,
            |name| report(TableWriteProgress::Checking(name, None)),
            |numbering, stage| check_stored_stage(rules, numbering, stage, plan, report).map(drop),
        )?;
        for failed in failures {
            certificate::remove_certificate(plan.directory, walls, failed.stage);
            let error = stage_check_error(rules, walls, failed.stage, failed.failure);
            report(TableWriteProgress::Unusable(&error));
        }
        Ok(())
    }

    fn report_certificate(&self, stage: Stage, line: &str) {
        let name = certificate::certificate_name(self.walls, stage);
        (self.report)(TableWriteProgress::Result(&format!("{name} {line}")));
    }

    fn report_result_line(&self, line: &str) {
        (self.report)(TableWriteProgress::Result(line));
    }

    /// Reports the results of an ended stage. `is_new` says whether the stage has ended in this run
    /// of the program. `later` are the stages that will be reported after this stage.
    fn report_stage(&self, runner: &StageRunner, stage: Stage, later: &[Stage], is_new: bool) {
        let numbering = &runner.solver().numbering;
        let walls = numbering.walls;
        if let Some(name) = stage_file_name(walls, stage) {
            let bytes = RetrogradeSolver::entries_size(numbering) / 2;
            (self.report)(if is_new {
                TableWriteProgress::Written(&name, bytes)
            } else {
                TableWriteProgress::Existing(&name, bytes)
            });
        }
        // The report combines the counts of both sides' wins.
        let [of_red, of_green] = match stage {
            Stage::Plain => [Stage::Plain; 2],
            Stage::Safe(_) => Side::BOTH_SIDES.map(Stage::Safe),
            Stage::Certain(_) => Side::BOTH_SIDES.map(Stage::Certain),
            Stage::Repetition(_) => Side::BOTH_SIDES.map(Stage::Repetition),
            Stage::Start(side) => {
                let line = match runner.start_position_winner(side) {
                    Some(winner) => format!("{} wins", side_name(winner)),
                    None => format!("{} unknown", side_name(side)),
                };
                return self.report_result_line(&format!("walls {walls} start {line}"));
            }
        };
        let is_known = |other: Stage| {
            other == stage || runner.has_stage_ended(other) && !later.contains(&other)
        };
        if is_known(of_red) && is_known(of_green) {
            let red = runner.stage_counts(of_red);
            let green = runner.stage_counts(of_green);
            for (at, blocked) in ["none", "all"].into_iter().enumerate() {
                let [won, lost, open] = combine_side_counts(red[at], green[at]);
                let name = stage.name();
                self.report_result_line(&format!(
                    "walls {walls} {name} {blocked} won {won} lost {lost} open {open}"
                ));
            }
        }
        if stage == Stage::Plain {
            let plies = runner.longest_plain_win_plies();
            self.report_result_line(&format!("walls {walls} plain longest {plies} plies"));
        }
        if matches!(stage, Stage::Certain(_)) && walls == MAX_WALLS {
            start_result_lines(self.rules, runner)
                .iter()
                .for_each(|line| self.report_result_line(line));
        }
    }

    /// Writes the openings and the books to a folder. Returns whether the files cover the start
    /// position of the game.
    fn extract_shareable_table_parts(&self, folder: &Path) -> Result<bool, AlcaxarTablesError> {
        let TableWriteCommand { rules, plan, walls, report } = *self;
        let files = TableDirectory(plan.directory.to_path_buf());
        let tables = AlcaxarTablebase::for_wall_count(rules, walls, Some(Arc::new(files.clone())));
        tables.begin_computing_tables();
        tables.wait_until_computed(&|| false);
        let check_faults = || {
            let faults = tables.take_faults();
            if faults.is_empty() { Ok(()) } else { Err(AlcaxarTablesError::Unusable { faults }) }
        };
        check_faults()?;
        if !tables.wins.get().is_some_and(StoredWins::has_both_sides) {
            let [red, green] = Side::BOTH_SIDES
                .map(|side| files.table_file_location(&certain_wins_file_name(walls, side)));
            return Err(AlcaxarTablesError::Needed { red, green });
        }
        let report_task =
            |task: &str| report(TableWriteProgress::Working(&format!("{walls} walls, {task}"), 0.));
        let solved_game = SolvedGame::new(rules, &tables, start_position(walls));
        report_task("random positions");
        // With few walls, there are fewer positions than this maximum.
        let positions = (count_wall_sets(walls) * 100).min(VERIFIED_POSITION_COUNT);
        let verified = solved_game.verify_random_positions(positions, plan.threads);
        // A position that cannot be read would look as if it were not lost, so faults are checked
        // first.
        check_faults()?;
        let lost = verified.map_err(|position| AlcaxarTablesError::Value {
            position: rules.position_text(&position),
        })?;
        self.report_result_line(&format!("walls {walls} verified {positions} lost {lost}"));
        report_task("openings");
        let mut files =
            vec![(format!("alcaxar-{walls}.openings"), solved_game.openings_text().into_bytes())];
        for side in Side::BOTH_SIDES {
            let name = side_name(side);
            report_task(&format!("book of {name}"));
            let Some(book) = solved_game.build_book(side, MAX_BOOK_POSITIONS)? else { continue };
            let SolvedGameBook { moves, positions, bytes } = book;
            let moves = moves.map_or("all".into(), |moves| moves.to_string());
            self.report_result_line(&format!(
                "walls {walls} book {name} moves {moves} positions {positions}"
            ));
            files.push((format!("alcaxar-{walls}-{name}.book"), bytes));
        }
        check_faults()?;
        for (name, bytes) in files {
            let path = folder.join(&name);
            replace_file(&path, &bytes).with_file_path(&path)?;
            self.report_result_line(&format!("{name} {} bytes", bytes.len()));
        }
        Ok(walls == MAX_WALLS)
    }
}

pub(super) fn side_name(side: Side) -> &'static str {
    Alcaxar::SIDE_NAMES[side.index()]
}

fn certain_wins_file_name(walls: usize, side: Side) -> String {
    stage_file_name(walls, Stage::Certain(side)).unwrap_or_default()
}

fn existing_table_files_size(directory: &Path, walls: usize) -> u64 {
    let prefix = format!("alcaxar-{walls}-");
    let mut bytes = 0;
    for file in fs::read_dir(directory).into_iter().flatten().flatten() {
        if file.file_name().to_string_lossy().starts_with(&prefix) {
            bytes += file.metadata().map_or(0, |metadata| metadata.len());
        }
    }
    bytes
}

fn parse_table_wall_count(plan: &TableWriteRequest) -> Result<usize, TableWriteRequestError> {
    let range = 1..=MAX_WALLS;
    let walls = plan.count.parse().ok().filter(|walls| range.contains(walls));
    walls.ok_or_else(|| TableWriteRequestError::Count {
        game: Alcaxar::GAME_ID,
        range,
        unit: "walls",
        found: plan.count.into(),
    })
}

/// Returns a line for the start position and a line for the position after each of its moves. A
/// line names the side that certainly wins, or says that the position is open. If only the wins of
/// one side are known, and this side does not certainly win a position, the line says "wins or
/// open" for the other side. With fewer than eight walls, the start position has the first walls of
/// the game's start position.
pub fn start_result_lines(rules: &Alcaxar, runner: &StageRunner) -> Vec<String> {
    let unknown =
        Side::BOTH_SIDES.into_iter().find(|&side| !runner.has_stage_ended(Stage::Certain(side)));
    let line = |StartPositionResult { mv, winner }| {
        let name = mv.map_or("start".into(), |mv| format!("start {}", rules.move_text(mv)));
        match (winner, unknown) {
            (Some(winner), _) => format!("{name} {} wins", side_name(winner)),
            (None, Some(other)) => format!("{name} {} wins or open", side_name(other)),
            (None, None) => format!("{name} open"),
        }
    };
    runner.start_position_results().into_iter().map(line).collect()
}
