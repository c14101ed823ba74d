//! The tablebases of positions with few checkers: solved in memory or read from files, and probed.
//!
//! The values are for positions without history. Under rules without history, the values are exact.
//! Under other rules they are estimates. If REQ.25.ALT.3 forbids steps, the tables of
//! `one_sided_ban_tables` have exact values.

use std::sync::Arc;

use pentarch_core::tables::default_verification_sentence;
use pentarch_core::{
    GameTables, KnownValueSource, ProbeResult, ProbeTables, ProbeWorkLimit, Side, TableFiles,
    TableValue, TableWriteProgress, TableWriteRequest, Warning, WriteTables, WriteTablesError,
};
use pentarch_system::process_wide_cache;
use pentarch_tables::background::{BackgroundJob, BackgroundValue};
use pentarch_tables::endgame_tables::EndgameTables;
use pentarch_tables::error::MakeTablesError;

use super::Alquerque;
use super::numbering::{AlquerqueNumbering, MAX_CHECKERS_IN_NUMBERED_POSITION};
use super::one_sided_ban_tables::OneSidedBanTables;
use super::position::Position;

/// The maximum number of checkers in positions that are solved in memory because no file contains
/// them.
const MAX_CHECKERS_SOLVED_IN_MEMORY: usize = 6;
/// The maximum number of checkers in positions that are solved in memory under rules that may
/// forbid a step to one side.
const MAX_CHECKERS_SOLVED_WITH_BANS: usize = 5;

/// The values of positions under rules without history, in which earlier moves do not restrict
/// later moves.
type HistoryFreeTables = EndgameTables<AlquerqueNumbering>;

/// The tablebases for one set of rules, built in the background.
pub struct AlquerqueTablebase {
    rules: Alquerque,
    /// The table files; `None` if no files are used.
    files: Option<Arc<dyn TableFiles>>,
    /// The values of positions under the same rules, but without history.
    history_free: BackgroundValue<HistoryFreeTables>,
    /// The values of positions in which a step may be forbidden to only one of the two sides.
    one_sided_ban: BackgroundValue<OneSidedBanTables>,
}

impl AlquerqueTablebase {
    /// Returns the job that builds the tables of positions in which a step may be forbidden to one
    /// side. The positions have at most `max_checkers` checkers. Returns `None` if the rules forbid
    /// no such steps, or if earlier moves also have other effects.
    fn one_sided_ban_tables_job(
        &self,
        max_checkers: usize,
    ) -> Option<BackgroundJob<OneSidedBanTables>> {
        self.rules.has_player_retreat_ban_only().then(|| {
            OneSidedBanTables::prepare_build_job(
                self.rules.without_history_except_first_side_bans(),
                max_checkers,
            )
        })
    }

    fn history_free_tables_job(&self) -> BackgroundJob<HistoryFreeTables> {
        HistoryFreeTables::prepare_build_job(
            self.rules.without_history(),
            MAX_CHECKERS_SOLVED_IN_MEMORY,
            self.files.clone(),
        )
    }

    fn begin_one_sided_ban_tables(&self, max_checkers: usize) {
        if let Some(job) = self.one_sided_ban_tables_job(max_checkers) {
            self.one_sided_ban.begin_computing_tables(job);
        }
    }
}

impl GameTables<Alquerque> for AlquerqueTablebase {
    /// Creates the tables. A search with tables also uses the opening book.
    fn new(rules: &Alquerque, files: Option<Arc<dyn TableFiles>>) -> AlquerqueTablebase {
        AlquerqueTablebase {
            rules: rules.clone(),
            files,
            history_free: BackgroundValue::default(),
            one_sided_ban: BackgroundValue::default(),
        }
    }

    /// Returns tables that share history-free values among all rules that differ only in the
    /// effects of history.
    fn create_shared_tables(rules: &Alquerque) -> Arc<AlquerqueTablebase> {
        let history_free = process_wide_cache::get_or_insert_cached(
            rules.without_history(),
            BackgroundValue::default,
            BackgroundValue::has_computation_failed,
        );
        let one_sided_ban = match rules.has_player_retreat_ban_only() {
            true => process_wide_cache::get_or_insert_cached(
                rules.without_history_except_first_side_bans(),
                BackgroundValue::default,
                BackgroundValue::has_computation_failed,
            ),
            false => BackgroundValue::default(),
        };
        Arc::new(AlquerqueTablebase {
            history_free,
            one_sided_ban,
            ..AlquerqueTablebase::new(rules, None)
        })
    }

    fn begin_computing_tables(&self) {
        self.history_free.begin_computing_tables(self.history_free_tables_job());
        self.begin_one_sided_ban_tables(MAX_CHECKERS_SOLVED_WITH_BANS);
    }

    /// Returns `true` for every position if there are files, because the contents of a file are
    /// unknown before it is opened.
    fn may_contain_position(&self, position: &Position) -> bool {
        self.files.is_some()
            || position.occupied_points().count_ones() as usize <= MAX_CHECKERS_SOLVED_IN_MEMORY
    }

    fn has_computation_failed(&self) -> bool {
        self.history_free.has_computation_failed() || self.one_sided_ban.has_computation_failed()
    }

    fn compute_next_table_part(&self) -> bool {
        self.history_free.compute_next_table_part(self.history_free_tables_job())
            && self
                .one_sided_ban_tables_job(MAX_CHECKERS_SOLVED_WITH_BANS)
                .is_none_or(|job| self.one_sided_ban.compute_next_table_part(job))
    }

    /// Begins to build the tables without reading files, because a proof may use only values that
    /// this process has computed.
    fn begin_tablebases_for_proof(&self, max_checkers: Option<usize>) {
        let max_checkers = max_checkers
            .unwrap_or(self.rules.max_checkers_of_exact_tables())
            .clamp(2, MAX_CHECKERS_IN_NUMBERED_POSITION);
        if self.rules.has_no_history() {
            self.history_free.begin_computing_tables(HistoryFreeTables::prepare_build_job(
                self.rules.without_history(),
                max_checkers,
                None,
            ));
        }
        self.begin_one_sided_ban_tables(max_checkers);
    }

    fn wait_until_computed(&self, given_up: &dyn Fn() -> bool) {
        self.history_free.wait_until_computed(given_up);
        self.one_sided_ban.wait_until_computed(given_up);
    }

    fn take_faults(&self) -> Vec<Warning> {
        [self.history_free.take_faults(), self.one_sided_ban.take_faults()].concat()
    }
}

impl WriteTables for Alquerque {
    type TableError = MakeTablesError;

    fn write_table_files(
        &self,
        plan: &TableWriteRequest,
        report: &(dyn Fn(TableWriteProgress) + Sync),
    ) -> Result<(), WriteTablesError<MakeTablesError>> {
        HistoryFreeTables::write_files(&self.without_history(), plan, report)
    }
}

impl Alquerque {
    /// Returns the maximum number of checkers in positions for which the tables in memory have
    /// exact values.
    pub fn max_checkers_of_exact_tables(&self) -> usize {
        if self.has_player_retreat_ban_only() {
            MAX_CHECKERS_SOLVED_WITH_BANS
        } else {
            MAX_CHECKERS_SOLVED_IN_MEMORY
        }
    }

    /// Returns the exact value of a position from the tables that take forbidden steps into
    /// account, or `None` if the tables do not determine this value.
    ///
    /// If a step may be forbidden to both sides, the tables that bind only one side give bounds. If
    /// only one side is bound, this side reaches at most its value in the game. So each side's
    /// value in such tables is a lower bound for this side. The value is known if the bounds of
    /// both sides are equal.
    fn value_with_step_bans(
        &self,
        tables: &AlquerqueTablebase,
        position: &Position,
    ) -> Option<TableValue> {
        let one_sided_ban = tables.one_sided_ban.get()?;
        let value = |side: Side| one_sided_ban.value(position, side);
        match self.retreat_binds {
            [true, true] => match (value(position.side)?, value(!position.side)?) {
                (win @ TableValue::Win(_), _) => Some(win),
                (_, loss @ TableValue::Loss(_)) => Some(loss),
                (TableValue::Draw, TableValue::Draw) => Some(TableValue::Draw),
                _ => None,
            },
            [true, false] => value(Side::First),
            [false, _] => value(Side::Second),
        }
    }
}

impl ProbeTables for Alquerque {
    type Tables = AlquerqueTablebase;

    /// Returns the exact value if the tables take the history of the position into account.
    /// Otherwise returns the value under the same rules without history, as
    /// [`Similar`](ProbeResult::Similar). Returns `None` instead if a huff is due, because rules
    /// without history have no huffs.
    fn probe_tables(
        &self,
        tables: &AlquerqueTablebase,
        position: &Position,
        probing: ProbeWorkLimit,
    ) -> Option<ProbeResult> {
        if probing == ProbeWorkLimit::Computed {
            return None;
        }
        let without_history = || tables.history_free.get()?.value(position);
        if self.has_no_history() {
            return without_history().map(ProbeResult::Value);
        }
        let value = self.value_with_step_bans(tables, position).map(ProbeResult::Value);
        value.or_else(|| without_history().filter(|_| position.huff == 0).map(ProbeResult::Similar))
    }

    fn proved_value(&self, position: &Position) -> Option<TableValue> {
        self.value_proved_in_advance(position)
    }

    fn value_verification_sentence(&self, source: KnownValueSource) -> &'static str {
        match source {
            KnownValueSource::Table if self.has_no_history() => {
                "The tests compare the values of all positions with at most six checkers with the \
                 values after their moves; for other tables the command 'tables N --check' does it."
            }
            KnownValueSource::Table => {
                "The tests compare values of positions with at most six checkers with the values \
                 after their moves, with one forbidden step in each position."
            }
            KnownValueSource::Book => {
                "When 'pentarch prove' made the book, it played all moves of Dark against the book, \
                 and the tests can repeat this in full."
            }
            KnownValueSource::Proof => {
                "'pentarch prove' found the proof, and then its verification played all moves of \
                 the other side against the replies, in full, but without the values in tables."
            }
            _ => default_verification_sentence(source),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::RETREAT_BAN_OPTION;
    use pentarch_core::{Options, Rules};
    use pentarch_tables::endgame_tables::EndgameNumbering;
    use pentarch_tables::{PositionNumbering, RetrogradeNumbering, TableIndex};

    #[test]
    fn tables_built_in_steps_equal_those_built_on_a_thread() {
        let mut options = Options::default();
        options.set(&RETREAT_BAN_OPTION, "player").unwrap();
        let rules = Alquerque::from_options(&options);
        let free = rules.without_history();
        let [threaded, stepwise_table_job] =
            [(); 2].map(|()| AlquerqueTablebase::new(&rules, None));
        threaded.begin_computing_tables();
        let steps =
            1 + (0..10_000).take_while(|_| !stepwise_table_job.compute_next_table_part()).count();
        assert!(steps > 10, "{steps}");
        threaded.wait_until_computed(&|| false);
        let numbering = AlquerqueNumbering::new(&free, MAX_CHECKERS_SOLVED_IN_MEMORY);
        let mut known = [0; 2];
        for class in numbering.class_groups().concat() {
            for number in 0..numbering.class_size(class) {
                let Some(position) = numbering.position_at_index(TableIndex { class, number })
                else {
                    continue;
                };
                for (index, rules) in [&free, &rules].into_iter().enumerate() {
                    let expected = rules.probe_tables(&threaded, &position, ProbeWorkLimit::Quick);
                    assert_eq!(
                        expected,
                        rules.probe_tables(&stepwise_table_job, &position, ProbeWorkLimit::Quick),
                        "{position:?}"
                    );
                    known[index] += usize::from(expected.is_some());
                }
            }
        }
        assert!(known.iter().all(|&known| known > 1000), "{known:?}");
    }
}
