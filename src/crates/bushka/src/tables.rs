//! The tablebases of positions with few pieces: solved in memory or read from files, and probed.

use std::sync::Arc;

use pentarch_core::tables::default_verification_sentence;
use pentarch_core::{
    GameTables, KnownValueSource, ProbeResult, ProbeTables, ProbeWorkLimit, TableFiles,
    TableWriteProgress, TableWriteRequest, Warning, WriteTables, WriteTablesError,
};
use pentarch_system::process_wide_cache;
use pentarch_tables::background::{BackgroundJob, BackgroundValue};
use pentarch_tables::endgame_tables::{EndgameNumbering, EndgameTables};
use pentarch_tables::error::MakeTablesError;

use super::Bushka;
use super::numbering::BushkaNumbering;
use super::position::Position;

/// The maximum number of pieces in positions that are solved in memory because no file contains
/// them.
const MAX_PIECES_SOLVED_IN_MEMORY: usize = 3;

type BushkaEndgameTables = EndgameTables<BushkaNumbering>;

/// The tablebases for one board, built in the background.
pub struct BushkaTablebase {
    rules: Bushka,
    /// The table files; `None` if no files are used.
    files: Option<Arc<dyn TableFiles>>,
    values: BackgroundValue<BushkaEndgameTables>,
}

impl BushkaTablebase {
    fn build_job(&self) -> BackgroundJob<BushkaEndgameTables> {
        EndgameTables::prepare_build_job(
            self.rules.clone(),
            MAX_PIECES_SOLVED_IN_MEMORY,
            self.files.clone(),
        )
    }
}

impl GameTables<Bushka> for BushkaTablebase {
    fn new(rules: &Bushka, files: Option<Arc<dyn TableFiles>>) -> BushkaTablebase {
        BushkaTablebase { rules: rules.clone(), files, values: BackgroundValue::default() }
    }

    fn create_shared_tables(rules: &Bushka) -> Arc<BushkaTablebase> {
        let values = process_wide_cache::get_or_insert_cached(
            rules.clone(),
            BackgroundValue::default,
            BackgroundValue::has_computation_failed,
        );
        Arc::new(BushkaTablebase { values, ..BushkaTablebase::new(rules, None) })
    }

    fn begin_computing_tables(&self) {
        self.values.begin_computing_tables(self.build_job());
    }

    /// Returns `true` for every position if there are files, because the contents of a file are
    /// unknown before it is opened.
    fn may_contain_position(&self, position: &Position) -> bool {
        self.files.is_some()
            || position.occupied_squares().count_ones() as usize <= MAX_PIECES_SOLVED_IN_MEMORY
    }

    fn has_computation_failed(&self) -> bool {
        self.values.has_computation_failed()
    }

    fn compute_next_table_part(&self) -> bool {
        self.values.compute_next_table_part(self.build_job())
    }

    /// Begins to build the tables without reading files, because a proof may use only values that
    /// this process has computed.
    fn begin_tablebases_for_proof(&self, max_pieces: Option<usize>) {
        let max_pieces =
            max_pieces.unwrap_or(MAX_PIECES_SOLVED_IN_MEMORY).clamp(2, BushkaNumbering::MAX_PIECES);
        self.values.begin_computing_tables(EndgameTables::prepare_build_job(
            self.rules.clone(),
            max_pieces,
            None,
        ));
    }

    fn wait_until_computed(&self, given_up: &dyn Fn() -> bool) {
        self.values.wait_until_computed(given_up);
    }

    fn take_faults(&self) -> Vec<Warning> {
        self.values.take_faults()
    }
}

impl WriteTables for Bushka {
    type TableError = MakeTablesError;

    fn write_table_files(
        &self,
        plan: &TableWriteRequest,
        report: &(dyn Fn(TableWriteProgress) + Sync),
    ) -> Result<(), WriteTablesError<MakeTablesError>> {
        BushkaEndgameTables::write_files(self, plan, report)
    }
}

impl ProbeTables for Bushka {
    type Tables = BushkaTablebase;

    fn probe_tables(
        &self,
        tables: &BushkaTablebase,
        position: &Position,
        probing: ProbeWorkLimit,
    ) -> Option<ProbeResult> {
        if probing == ProbeWorkLimit::Computed {
            return None;
        }
        tables.values.get()?.value(position).map(ProbeResult::Value)
    }

    fn value_verification_sentence(&self, source: KnownValueSource) -> &'static str {
        match source {
            KnownValueSource::Table => {
                "The tests compare the values of all positions with at most three pieces with the \
                 values after their moves; for other tables the command 'tables N --check' does it."
            }
            _ => default_verification_sentence(source),
        }
    }
}
