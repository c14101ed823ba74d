//! `go mate`: whether the side to move can force a win within a number of moves, and how.

use std::sync::Arc;

use crate::core::{GameHistory, Searchable};

use super::control::Control;
use super::prover::proof_table::ProofTable;
use super::prover::question::{Effort, Question};
use super::prover::{Proof, Verdict, prove};
use super::transposition::TranspositionTable;
use super::{Answer, Info, Limits, score};

/// The greatest number of nodes of the prover for each entry of its table, before alpha-beta search takes over.
const NODES_PER_ENTRY: u64 = 8;
/// The least number of nodes for the search for a shorter win.
const MIN_NODES_TO_SHORTEN: u64 = 100_000;
/// The number of nodes with which a move is chosen if there is no win.
const NODES_WITHOUT_WIN: u64 = 200_000;

/// Looks for a win within the number of moves that the limits give, by proof-number search with a table as large as the
/// transposition table.
///
/// When it has found a win it looks for shorter ones, with no more nodes than the first one took; so the number of
/// moves that is reported is the most that the win takes, and not always the least. If there is no win, or if the
/// proof-number search gives up, alpha-beta search gives the answer: in the first case it chooses a move as usual, in
/// the second it goes on looking for the win exhaustively.
pub fn search<G: Searchable>(
    history: &GameHistory<G>,
    tables: &Arc<G::Tables>,
    limits: &Limits<G::Move>,
    table: &TranspositionTable,
    control: &Control,
    report: &mut impl FnMut(Info<G::Move>),
) -> Option<Answer<G::Move>> {
    let max_nodes = limits.nodes.unwrap_or(u64::MAX);
    let mut mate_search = MateSearch {
        history,
        tables,
        limits,
        control,
        table: ProofTable::new(table.mib(), history.rules().as_ref()).unwrap_or_default(),
        nodes: 0,
        table_hits: 0,
    };
    let (win, is_refuted) = mate_search.run();
    let (nodes, table_hits) = (mate_search.nodes, mate_search.table_hits);
    if let Some(proof) = win {
        let pv = proof.principal_variation(&mate_search.question(None));
        let plies = proof.checked.plies as usize;
        let score = score::win_at(plies.min(score::MAX_PLY));
        let time = control.elapsed();
        let (depth, best) = (plies as i32, *pv.first()?);
        let per_mille_full = table.per_mille_full();
        let (seldepth, rank, is_known, pv) = (plies, 1, false, &pv[..]);
        report(Info { depth, seldepth, rank, score, is_known, pv, nodes, table_hits, per_mille_full, time });
        return Some(Answer { best, ponder: pv.get(1).copied(), score: Some(score), nodes, faults: Vec::new() });
    }
    let left = max_nodes.saturating_sub(nodes);
    let rest = match is_refuted {
        true => Limits { mate: None, nodes: Some(left.min(NODES_WITHOUT_WIN)), ..limits.clone() },
        false => Limits { nodes: limits.nodes.and(Some(left)), ..limits.clone() },
    };
    let answer = super::choose_move(history, tables, &rest, table, control, |info| {
        report(Info { nodes: info.nodes + nodes, table_hits: info.table_hits + table_hits, ..info });
    })?;
    Some(Answer { nodes: answer.nodes + nodes, ..answer })
}

/// The state of a search for a win within a number of moves.
struct MateSearch<'a, G: Searchable> {
    history: &'a GameHistory<G>,
    tables: &'a Arc<G::Tables>,
    limits: &'a Limits<G::Move>,
    control: &'a Control,
    table: ProofTable,
    nodes: u64,
    table_hits: u64,
}

impl<G: Searchable> MateSearch<'_, G> {
    /// The shortest win found, and whether it is proved that there is no win within the number of moves.
    fn run(&mut self) -> (Option<Proof<G::Move>>, bool) {
        let max_plies = self.limits.mate.unwrap_or(0).saturating_mul(2);
        let max_nodes = (self.table.len() as u64 * NODES_PER_ENTRY).min(self.limits.nodes.unwrap_or(u64::MAX));
        let mut plies = self.limits.depth.unwrap_or(max_plies).min(max_plies).min(score::MAX_PLY as u32);
        let mut verdict = self.ask(plies, max_nodes);
        let is_refuted = matches!(verdict, Verdict::NotWithin);
        let mut win = None;
        while let Verdict::Proved(proof) = verdict {
            plies = plies.min(proof.checked.plies).saturating_sub(1);
            win = Some(proof);
            let budget = self.nodes.max(MIN_NODES_TO_SHORTEN).min(max_nodes.saturating_sub(self.nodes));
            verdict = if plies == 0 { Verdict::NotWithin } else { self.ask(plies, budget) };
        }
        (win, is_refuted)
    }

    /// Asks the prover for a win within so many plies, and lets it search so many more nodes.
    fn ask(&mut self, plies: u32, more_nodes: u64) -> Verdict<G::Move> {
        let max_nodes = self.nodes.saturating_add(more_nodes);
        let mut effort = Effort {
            control: self.control,
            nodes: self.nodes,
            max_nodes,
            table_hits: self.table_hits.into(),
            watch: &mut |_| {},
        };
        let verdict = prove(&self.question(Some(plies)), &mut self.table, &mut effort);
        (self.nodes, self.table_hits) = (effort.nodes, effort.table_hits.get());
        verdict
    }

    fn question(&self, plies: Option<u32>) -> Question<G> {
        let attacker = self.history.side_to_move();
        let (moves, use_tablebases) = (self.limits.moves.clone(), self.limits.use_tablebases);
        Question { plies, moves, use_tablebases, ..Question::new(self.history.clone(), self.tables.clone(), attacker) }
    }
}
