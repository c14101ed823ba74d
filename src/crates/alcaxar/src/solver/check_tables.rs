//! Checks the solver's results: those of a stage that has just ended, and those in existing files.

use pentarch_core::tables::directory::TableDirectory;
use pentarch_core::{Notation, Side, TableWriteProgress, TableWriteRequest};

use super::checker::band_levels::BandLevels;
use super::checker::certificate::{self, CertificateSubject, CheckMethod, StageCheckCertificate};
use super::checker::successor_check::{self, SuccessorWinRule};
use super::checker::win_files::WinFiles;
use super::checker::win_rank_check::WinRankCheck;
use super::checker::{CheckFailure, StateFlaw};
use super::entry_numbering::EntryNumbering;
use super::error::SolverError;
use super::stage_runner::StageRunner;
use super::stages::Stage;
use super::wall_sets::count_wall_sets;
use crate::Alcaxar;
use crate::board::half_turn_point;

pub(super) fn stage_check_error(
    rules: &Alcaxar,
    walls: usize,
    stage: Stage,
    failure: CheckFailure,
) -> SolverError {
    match failure {
        CheckFailure::Damaged(error) | CheckFailure::Impossible(error) => error,
        CheckFailure::WrongState(position, flaw) => {
            let winner = stage.winner();
            let position = if winner == Side::First {
                *position
            } else {
                position.apply_symmetry(true, half_turn_point)
            };
            let position = rules.position_text(&position);
            SolverError::WrongState {
                name: certificate::certificate_name(walls, stage),
                position,
                flaw,
            }
        }
    }
}

/// Checks the results of a stage that has just ended, and stores them. Returns the result of the
/// check as a line of text.
pub(super) fn check_and_store_ended_stage(
    rules: &Alcaxar,
    runner: &mut StageRunner,
    stage: Stage,
    plan: &TableWriteRequest,
    report: &(dyn Fn(TableWriteProgress) + Sync),
) -> Result<String, SolverError> {
    let solver = runner.solver();
    let walls = solver.numbering.walls;
    let name = certificate::certificate_name(walls, stage);
    let error = |failure: CheckFailure| stage_check_error(rules, walls, stage, failure);
    let rule = SuccessorWinRule::for_stage(stage);
    let states = successor_check::check_values_against_successors(
        &rules.board,
        &solver.numbering,
        rule,
        &|side, entry| solver.entry_words(side, entry),
        plan.threads,
        &|share| report(TableWriteProgress::Checking(&name, Some(share))),
    )
    .map_err(|position| error(CheckFailure::WrongState(position, StateFlaw::Successors)))?;
    runner.save_stage_results(plan.directory, stage)?;
    if let Stage::Certain(_) = stage {
        // The check of the ranks needs the memory that the entries occupy.
        let checked = runner.with_entries_released(|numbering| {
            check_stored_stage(rules, numbering, stage, plan, report)
        })?;
        if let Err(CheckFailure::WrongState(..)) = checked {
            runner.reject_stage(plan.directory, stage)?;
        }
        let certificate = checked.map_err(error)?;
        runner.resume(plan.directory)?;
        return Ok(certificate.result_line());
    }
    let certificate = StageCheckCertificate::new(stage, CheckMethod::Successors, states);
    if let Some(subject) = certificate_subject(runner, stage, plan)? {
        certificate.write(plan.directory, walls, &subject)?;
    }
    Ok(certificate.result_line())
}

/// Returns those results of a stage that its certificate covers. Returns `None` if the stage stores
/// only the winner of the start position.
fn certificate_subject(
    runner: &StageRunner,
    stage: Stage,
    plan: &TableWriteRequest,
) -> Result<Option<CertificateSubject>, SolverError> {
    Ok(match stage {
        Stage::Start(_) => None,
        Stage::Plain | Stage::Repetition(_) => {
            Some(CertificateSubject::Counts(runner.stage_counts(stage)))
        }
        Stage::Safe(_) | Stage::Certain(_) => {
            let files = open_win_files(&runner.solver().numbering, stage, plan)?;
            Some(CertificateSubject::Tables(Box::new(files)))
        }
    })
}

fn open_win_files(
    numbering: &EntryNumbering,
    stage: Stage,
    plan: &TableWriteRequest,
) -> Result<WinFiles, SolverError> {
    WinFiles::open(&TableDirectory(plan.directory), numbering.walls, numbering.entries, stage)
}

/// Checks all states in the files of an ended stage, and writes the certificate.
pub(super) fn check_stored_stage(
    rules: &Alcaxar,
    numbering: &EntryNumbering,
    stage: Stage,
    plan: &TableWriteRequest,
    report: &(dyn Fn(TableWriteProgress) + Sync),
) -> Result<StageCheckCertificate, CheckFailure> {
    let files = open_win_files(numbering, stage, plan).map_err(CheckFailure::Damaged)?;
    let check = WinRankCheck {
        board: &rules.board,
        numbering,
        files: &files,
        wins_ties: stage.winner() == Side::Second,
        threads: plan.threads,
        max_states: MAX_WIN_RANKS_IN_MEMORY,
        directory: plan.directory,
    };
    let states =
        check.run(&|share| report(TableWriteProgress::Checking(&files.names[0], Some(share))))?;
    let certificate = StageCheckCertificate::new(stage, CheckMethod::Ranks, states);
    let subject = CertificateSubject::Tables(Box::new(files));
    certificate
        .write(plan.directory, numbering.walls, &subject)
        .map_err(|error| CheckFailure::Impossible(error.into()))?;
    Ok(certificate)
}

/// Returns the result of an earlier check of a stage as a line of text, or `None` if there is no
/// valid certificate.
pub(super) fn read_stored_certificate(
    runner: &StageRunner,
    stage: Stage,
    plan: &TableWriteRequest,
) -> Option<String> {
    let subject = certificate_subject(runner, stage, plan).ok()??;
    certificate::read_certificate(plan.directory, runner.solver().numbering.walls, stage, &subject)
}

/// The maximum number of states whose ranks are in memory at once during a check.
const MAX_WIN_RANKS_IN_MEMORY: u64 = 1 << 28;

/// Estimates the memory in bytes that a check of the files needs. With four walls, an entry had at
/// most 41 certain wins that were not safe; with more walls, it had fewer. About half of the sets
/// of walls have closed classes.
pub(super) fn estimate_check_memory(numbering: &EntryNumbering) -> u64 {
    let states = MAX_WIN_RANKS_IN_MEMORY.min(48 * numbering.entries as u64);
    BandLevels::memory_size(numbering.entries, states)
        + 16 * count_wall_sets(numbering.walls) as u64
}
