//! `go mate`: whether the side to move wins in so many moves, and how.

use crate::core::{Complete, Line};

use super::control::Control;
use super::prover::solver::{Effort, Question};
use super::prover::table::ProofTable;
use super::prover::{Proof, Verdict, prove};
use super::table::Table;
use super::{Answer, Info, Limits, score};

/// How many times the prover may fill its table before the search that needs none takes over.
const FILLINGS: u64 = 8;
/// Nodes to look for a still shorter win with, if finding the first one took fewer.
const LEAST_TO_SHORTEN: u64 = 100_000;
/// Nodes to choose a move with if there is no win.
const WITHOUT_A_WIN: u64 = 200_000;

/// Looks for a win in the moves that the limits name, by proof-number search with a table as large as the other one. If
/// it finds one, it tries to shorten it, at no more than the cost of finding it: a win that is reported is a win in at
/// most so many moves. If there is none, or the prover has come to its limits, the usual search gives the answer, and
/// in the second case looks on for a win by trying everything.
pub fn search<G: Complete>(
    line: &Line<G>,
    limits: &Limits<G::Move>,
    table: &Table,
    control: &Control,
    report: &mut impl FnMut(Info<G::Move>),
) -> Option<Answer<G::Move>> {
    let most_nodes = limits.nodes.unwrap_or(u64::MAX);
    let mut hunt = Hunt {
        line,
        limits,
        control,
        table: ProofTable::new(table.mib(), line.game().as_ref()).unwrap_or_default(),
        nodes: 0,
        table_hits: 0,
    };
    let (win, is_refuted) = hunt.run();
    let (nodes, table_hits) = (hunt.nodes, hunt.table_hits);
    if let Some(proof) = win {
        let pv = proof.main_line(&hunt.question(None));
        let plies = proof.checked.plies as usize;
        let score = score::win_at(plies.min(score::MAX_PLY));
        let time = control.elapsed();
        let (depth, best) = (plies as i32, *pv.first()?);
        let per_mille_full = table.per_mille_full();
        report(Info { depth, seldepth: plies, rank: 1, score, pv: &pv, nodes, table_hits, per_mille_full, time });
        return Some(Answer { best, ponder: pv.get(1).copied(), score: Some(score), nodes, faults: Vec::new() });
    }
    let left = most_nodes.saturating_sub(nodes);
    let rest = match is_refuted {
        true => Limits { mate: None, nodes: Some(left.min(WITHOUT_A_WIN)), ..limits.clone() },
        false => Limits { nodes: limits.nodes.and(Some(left)), ..limits.clone() },
    };
    let answer = super::deepening(line, &rest, table, control, |info| {
        report(Info { nodes: info.nodes + nodes, table_hits: info.table_hits + table_hits, ..info });
    })?;
    Some(Answer { nodes: answer.nodes + nodes, ..answer })
}

/// The prover at work.
struct Hunt<'a, G: Complete> {
    line: &'a Line<G>,
    limits: &'a Limits<G::Move>,
    control: &'a Control,
    table: ProofTable,
    nodes: u64,
    table_hits: u64,
}

impl<G: Complete> Hunt<'_, G> {
    /// The shortest win found, and whether it is certain that there is none.
    fn run(&mut self) -> (Option<Proof<G::Move>>, bool) {
        let moves = self.limits.mate.unwrap_or(0).saturating_mul(2);
        let most_nodes = (self.table.len() as u64 * FILLINGS).min(self.limits.nodes.unwrap_or(u64::MAX));
        let mut plies = self.limits.depth.unwrap_or(moves).min(moves).min(score::MAX_PLY as u32);
        let mut verdict = self.ask(plies, most_nodes);
        let is_refuted = matches!(verdict, Verdict::NotWithin);
        let mut win = None;
        while let Verdict::Proved(proof) = verdict {
            plies = plies.min(proof.checked.plies).saturating_sub(1);
            win = Some(proof);
            let budget = self.nodes.max(LEAST_TO_SHORTEN).min(most_nodes.saturating_sub(self.nodes));
            verdict = if plies == 0 { Verdict::NotWithin } else { self.ask(plies, budget) };
        }
        (win, is_refuted)
    }

    fn ask(&mut self, plies: u32, more_nodes: u64) -> Verdict<G::Move> {
        let most_nodes = self.nodes.saturating_add(more_nodes);
        let mut effort = Effort {
            control: self.control,
            nodes: self.nodes,
            most_nodes,
            table_hits: self.table_hits.into(),
            watch: &mut |_| {},
        };
        let verdict = prove(&self.question(Some(plies)), &mut self.table, &mut effort);
        (self.nodes, self.table_hits) = (effort.nodes, effort.table_hits.get());
        verdict
    }

    fn question(&self, plies: Option<u32>) -> Question<G> {
        let attacker = self.line.game().side_to_move(self.line.position());
        let (moves, solved) = (self.limits.moves.clone(), self.limits.solved);
        Question { plies, moves, solved, ..Question::new(self.line.clone(), attacker) }
    }
}
