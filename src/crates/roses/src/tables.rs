//! The tables of Guerre des Deux Roses, which solve the game.
//!
//! The program contains the positions that the side to move
//! [loses](pentarch_tables::lost_positions), with their distances. The value of each other position
//! follows from its moves. The losses before the last drop are not stored either, because a
//! lookahead of two plies finds them. This saves a sixth of the space.
//!
//! This command solves the game and writes the files `roses.losses` and `contiguous.losses` of this
//! crate. Without `GENERATE` the command compares the files with the solver:
//!
//! ```text
//! GENERATE=1 cargo test --test all tables::solves_roses
//! ```

use std::sync::{Arc, OnceLock};

use pentarch_core::evaluation::data_format::LOSSES_FILE_FORMAT;
use pentarch_core::tables::default_verification_sentence;
use pentarch_core::{
    GameTables, HasTurn, KnownValueSource, LoadableFile, ProbeResult, ProbeTables, ProbeWorkLimit,
    Rules, SearchDataFile, SearchDataFiles, TableFiles, TableValue, TableWriteProgress,
    TableWriteRequest, TableWriteRequestError, WriteTables, WriteTablesError, search_file,
};
use pentarch_system::file_system::lock_directory;
use pentarch_tables::dtm::Dtm;
use pentarch_tables::error::MakeTablesError;
use pentarch_tables::lost_positions::unpack_losses;
use pentarch_tables::{Tablebase, table_file};

use super::moves::visit_moves;
use super::numbering::{PositionClass, RosesNumbering, table_index_of};
use super::position::Position;
use super::{Roses, solver};

/// The losses without contiguous support.
static ROSES_LOSSES: StoredLosses = StoredLosses::new(search_file!("roses.losses"));
/// The losses with contiguous support.
static CONTIGUOUS_SUPPORT_LOSSES: StoredLosses =
    StoredLosses::new(search_file!("contiguous.losses"));

/// The losses under one set of rules.
struct StoredLosses {
    file: SearchDataFile<[u8]>,
    /// The unpacked losses, which all threads share. The inner `None` means that the file could not
    /// be unpacked.
    unpacked: OnceLock<Option<Tablebase>>,
}

impl StoredLosses {
    const fn new(file: SearchDataFile<[u8]>) -> StoredLosses {
        StoredLosses { file, unpacked: OnceLock::new() }
    }

    /// Returns the losses. The first call unpacks the losses, which takes some milliseconds.
    /// Returns `None` if the file is not loaded, or if there is not enough memory.
    fn unpacked(&self, rules: &Roses) -> Option<&Tablebase> {
        let contents = LOSSES_FILE_FORMAT.unverified_contents(self.file.contents()?)?;
        self.unpacked
            .get_or_init(|| unpack_losses(contents, &RosesNumbering::new(rules), &stored_classes()))
            .as_ref()
    }
}

impl Roses {
    fn losses(&self) -> &'static StoredLosses {
        if self.requires_contiguous_support() { &CONTIGUOUS_SUPPORT_LOSSES } else { &ROSES_LOSSES }
    }

    /// Returns the value of a position with both castles. `losses` are the losses of the classes
    /// that are [stored](stored_classes).
    fn value_by_losses(&self, losses: &Tablebase, position: &Position) -> Dtm {
        let stored = stored_loss(losses, position);
        if let Some(loss) = stored.filter(|value| value.is_loss()) {
            return loss;
        }
        let mut best: Option<Dtm> = None;
        visit_moves(&self.board, position, |mv| {
            let next = position.play(&self.board, mv);
            // If the position is not lost, the best move leads to a lost position or to a draw. So
            // a win of the opponent need not be distinguished from a draw.
            let after = match stored_loss(losses, &next) {
                Some(loss) if loss.is_loss() || stored.is_some() => loss,
                _ => self.value_by_losses(losses, &next),
            };
            let value = after.one_ply_earlier().unwrap_or(Dtm::DRAW_VALUE);
            best = Some(best.map_or(value, |best| best.better_value(value)));
        });
        best.unwrap_or(Dtm::LOST_VALUE)
    }
}

/// Returns the value of a lost position, or [`Dtm::DRAW_VALUE`] if the position is not lost.
/// Returns `None` if the losses of its class are not stored.
fn stored_loss(losses: &Tablebase, position: &Position) -> Option<Dtm> {
    table_index_of(position).map_or(Some(Dtm::LOST_VALUE), |index| losses.get(index))
}

impl SearchDataFiles for Roses {
    fn search_data_files(&self) -> Vec<&'static dyn LoadableFile> {
        vec![&self.losses().file]
    }
}

/// The tables of all positions under one set of rules.
pub struct RosesTablebase {
    rules: Roses,
    /// The losses, once a caller has begun to use the tables.
    losses: OnceLock<&'static Tablebase>,
}

const TOTAL_SOLDIER_COUNT: usize = 8;

/// Returns the numbers of all classes of positions, in the order in which the file stores them.
fn all_position_classes() -> Vec<usize> {
    PositionClass::all_class_ids().collect()
}

/// Returns the numbers of the classes whose losses are part of the program, in the order of their
/// file.
pub fn stored_classes() -> Vec<usize> {
    let last_drop = PositionClass { own: 3, enemy: 4, drops: true }.id();
    PositionClass::all_class_ids().filter(|&class| class != last_drop).collect()
}

fn table_file_name(rules: &Roses) -> &'static str {
    if rules.requires_contiguous_support() { "roses-contiguous" } else { "roses" }
}

impl GameTables<Roses> for RosesTablebase {
    const TABLES_SOLVE_GAME: bool = true;

    /// Creates tables that unpack the losses when they are first needed. These tables use no files.
    fn new(rules: &Roses, _: Option<Arc<dyn TableFiles>>) -> RosesTablebase {
        RosesTablebase { rules: rules.clone(), losses: OnceLock::new() }
    }

    fn begin_computing_tables(&self) {
        if let Some(losses) = self.rules.losses().unpacked(&self.rules) {
            self.losses.get_or_init(|| losses);
        }
    }

    fn have_solved_game(&self) -> bool {
        self.losses.get().is_some()
    }

    fn has_computation_failed(&self) -> bool {
        self.rules.losses().unpacked(&self.rules).is_none()
    }

    fn compute_next_table_part(&self) -> bool {
        self.begin_computing_tables();
        true
    }
}

impl WriteTables for Roses {
    type TableError = MakeTablesError;

    fn write_table_files(
        &self,
        plan: &TableWriteRequest,
        report: &(dyn Fn(TableWriteProgress) + Sync),
    ) -> Result<(), WriteTablesError<MakeTablesError>> {
        if plan.count != TOTAL_SOLDIER_COUNT.to_string() {
            return Err(WriteTablesError::Request(TableWriteRequestError::Count {
                game: Roses::GAME_ID,
                range: TOTAL_SOLDIER_COUNT..=TOTAL_SOLDIER_COUNT,
                unit: "soldiers",
                found: plan.count.into(),
            }));
        }
        let _lock = lock_directory(plan.directory).map_err(MakeTablesError::File)?;
        let solve = |tables: &mut Tablebase| {
            *tables = solver::solve(self)?;
            Ok(())
        };
        let numbering = RosesNumbering::new(self);
        let mut tables = Tablebase::default();
        let name = table_file_name(self);
        Ok(table_file::load_or_solve_group(
            name,
            &numbering,
            &all_position_classes(),
            &mut tables,
            plan,
            report,
            solve,
        )?)
    }
}

impl ProbeTables for Roses {
    type Tables = RosesTablebase;

    fn probe_tables(
        &self,
        tables: &RosesTablebase,
        position: &Position,
        probing: ProbeWorkLimit,
    ) -> Option<ProbeResult> {
        if probing == ProbeWorkLimit::Computed {
            return None;
        }
        let losses = tables.losses.get()?;
        position
            .has_both_castles()
            .then(|| ProbeResult::Value(self.value_by_losses(losses, position).value()))
    }

    /// Returns a draw for the start position, with and without contiguous support.
    fn proved_value(&self, position: &Position) -> Option<TableValue> {
        (position.with_full_move_number(1) == self.start_position()).then_some(TableValue::Draw)
    }

    fn value_verification_sentence(&self, source: KnownValueSource) -> &'static str {
        match source {
            KnownValueSource::Table | KnownValueSource::Proof => {
                "The test 'tables::roses_is_a_draw' compared the value of each position with the \
                 value of a solver, in full, and all positions passed."
            }
            _ => default_verification_sentence(source),
        }
    }
}
