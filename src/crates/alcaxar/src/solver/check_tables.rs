//! The checks of the solver's results: after each stage, and of files that are there.

use pentarch_core::tables::directory::TableDirectory;
use pentarch_core::{Notation, Side, TablePlan, TableReport};

use super::checker::certificate::{self, Certificate, Code, Subject};
use super::checker::files::WinFiles;
use super::checker::levels::BandLevels;
use super::checker::local::{self, Rule};
use super::checker::ranks::RankCheck;
use super::checker::{Fault, Flaw};
use super::entry_numbering::EntryNumbering;
use super::error::SolverError;
use super::stages::Stage;
use super::wall_sets::count;
use super::work::Work;
use crate::Alcaxar;
use crate::board::half_turn;

/// Returns the error for a fault in the results of a stage.
pub(super) fn error_of(rules: &Alcaxar, walls: usize, stage: Stage, fault: Fault) -> SolverError {
    match fault {
        Fault::Damaged(error) | Fault::Unable(error) => error,
        Fault::State(position, flaw) => {
            let winner = stage.winner();
            let position =
                if winner == Side::First { *position } else { position.map(true, half_turn) };
            let position = rules.position_text(&position);
            SolverError::Flaw { name: certificate::name(walls, stage), position, flaw }
        }
    }
}

/// Checks and stores the results of a stage that has ended. Returns the result of the check.
pub(super) fn check_new(
    rules: &Alcaxar,
    work: &mut Work,
    stage: Stage,
    plan: &TablePlan,
    tell: &(dyn Fn(TableReport) + Sync),
) -> Result<String, SolverError> {
    let walls = work.solver().numbering.walls;
    let name = certificate::name(walls, stage);
    let error = |fault: Fault| error_of(rules, walls, stage, fault);
    let (solver, rule) = (work.solver(), Rule::of(stage));
    let read = |side, entry| solver.entry(side, entry);
    let share = |share| tell(TableReport::Checking(&name, Some(share)));
    let states = local::check(&rules.board, &solver.numbering, rule, &read, plan.threads, &share)
        .map_err(|position| error(Fault::State(position, Flaw::Local)))?;
    work.keep_stage(plan.directory, stage)?;
    if let Stage::Certain(_) = stage {
        // The check of the ranks takes the memory of the entries.
        let checked =
            work.without_entries(|numbering| check_file(rules, numbering, stage, plan, tell))?;
        if let Err(Fault::State(..)) = checked {
            work.refuse(plan.directory, stage)?;
        }
        let certificate = checked.map_err(error)?;
        work.resume(plan.directory)?;
        return Ok(certificate.text());
    }
    let certificate = Certificate::new(stage, Code::Local, states);
    if let Some(subject) = subject(work, stage, plan)? {
        certificate.write(plan.directory, walls, &subject)?;
    }
    Ok(certificate.text())
}

/// The data that a check of a stage is valid for; none if the stage stores only the winner of the start.
fn subject(work: &Work, stage: Stage, plan: &TablePlan) -> Result<Option<Subject>, SolverError> {
    Ok(match stage {
        Stage::Start(_) => None,
        Stage::Plain | Stage::Repetition(_) => Some(Subject::Counts(work.counts(stage))),
        Stage::Safe(_) | Stage::Certain(_) => {
            Some(Subject::Tables(Box::new(win_files(&work.solver().numbering, stage, plan)?)))
        }
    })
}

/// Opens the files of a stage.
fn win_files(
    numbering: &EntryNumbering,
    stage: Stage,
    plan: &TablePlan,
) -> Result<WinFiles, SolverError> {
    WinFiles::open(&TableDirectory(plan.directory), numbering.walls, numbering.entries, stage)
}

/// Checks all states in the files of a stage that has ended, and writes the certificate.
pub(super) fn check_file(
    rules: &Alcaxar,
    numbering: &EntryNumbering,
    stage: Stage,
    plan: &TablePlan,
    tell: &(dyn Fn(TableReport) + Sync),
) -> Result<Certificate, Fault> {
    let files = win_files(numbering, stage, plan).map_err(Fault::Damaged)?;
    let check = RankCheck {
        board: &rules.board,
        numbering,
        files: &files,
        ties: stage.winner() == Side::Second,
        threads: plan.threads,
        most_states: MOST_STATES,
        directory: plan.directory,
    };
    let states = check.run(&|share| tell(TableReport::Checking(&files.names[0], Some(share))))?;
    let certificate = Certificate::new(stage, Code::Ranks, states);
    let subject = Subject::Tables(Box::new(files));
    certificate
        .write(plan.directory, numbering.walls, &subject)
        .map_err(|error| Fault::Unable(error.into()))?;
    Ok(certificate)
}

/// The result of the check of a stage, if it was checked.
pub(super) fn certificate_text(work: &Work, stage: Stage, plan: &TablePlan) -> Option<String> {
    certificate::read(
        plan.directory,
        work.solver().numbering.walls,
        stage,
        &subject(work, stage, plan).ok()??,
    )
}

/// The number of states whose ranks are in memory at once during a check.
const MOST_STATES: u64 = 1 << 28;

/// The memory of the check of the files in bytes, an estimate: at most 41 wins of an entry were certain and not safe,
/// with four walls, and fewer with more. Each second set of walls has closed classes.
pub(super) fn check_memory(numbering: &EntryNumbering) -> u64 {
    let states = MOST_STATES.min(48 * numbering.entries as u64);
    BandLevels::memory(numbering.entries, states) + 16 * count(numbering.walls) as u64
}
