//! Proves who can force a win, for the command `prove` and for requests.

use std::cell::Cell;
use std::iter::successors;
use std::sync::Arc;
use std::time::Instant;

use crate::games::RunOperation;
use crate::io::proof_file::ProofFile;
use pentarch_core::{GameHistory, GameTables, Options, Side};
use pentarch_engine::engine_state::non_default_rules;
use pentarch_engine::games::RulesId;
use pentarch_engine::proof::{ProofFailure, ProofLimits, ProofResult};
use pentarch_games::{Game, GameOperation};
use pentarch_search::control::SearchControl;
use pentarch_search::prover::proof_table::ProofTable;
use pentarch_search::prover::question::{ProofBudget, ProofQuestion};
use pentarch_search::prover::{Proof, ProofClaim, ProofVerdict};

/// The default memory of a search in MiB, if this amount is free.
const DEFAULT_PROOF_MIB: u32 = 256;

/// A prover that answers questions about positions of a game, one after the other.
pub(crate) struct PositionProver<G: Game> {
    /// The game's tablebases.
    pub tables: Arc<G::Tables>,
    /// The size of the tables of the proof-number search in MiB.
    pub memory: u32,
    /// The number of positions that all searches have visited.
    pub nodes: u64,
    /// The transposition tables of the proof-number search, one for each side as the attacker.
    proof_tables: [ProofTable; 2],
}

impl<G: Game> PositionProver<G> {
    /// Creates a prover with `memory` MiB. `sides` is the number of sides (1 or 2) that questions
    /// name as the attacker. Without `memory`, the prover uses the default, or less if the default
    /// is not free. Returns `None` if there is not enough memory.
    pub(crate) fn new(
        rules: &G,
        tables: Arc<G::Tables>,
        memory: Option<u32>,
        sides: usize,
    ) -> Option<Self> {
        // If only one side is the attacker, the table of the other side is never touched, so the
        // system provides no memory for it.
        let allocate = |memory: u32| {
            let table = || ProofTable::new((memory as usize / sides).max(1), rules);
            Some((memory, [table()?, table()?]))
        };
        let (memory, proof_tables) = match memory {
            Some(memory) => allocate(memory),
            None => successors(Some(DEFAULT_PROOF_MIB), |memory| {
                Some(memory / 2).filter(|less| *less > 0)
            })
            .find_map(allocate),
        }?;
        Some(PositionProver { tables, memory, nodes: 0, proof_tables })
    }

    /// Answers one question with at most `max_nodes` further nodes. Returns `None` if the question
    /// stays open. Uses the table entries of earlier questions about the same attacker. Calls
    /// `on_progress` from time to time with the total number of nodes of all questions.
    pub(crate) fn answer_proof_question(
        &mut self,
        question: &ProofQuestion<G>,
        max_nodes: Option<u64>,
        control: &SearchControl,
        on_progress: &mut dyn FnMut(u64),
    ) -> Option<Proof<G::Move>> {
        let mut budget = ProofBudget {
            control,
            nodes: self.nodes,
            max_nodes: self.nodes.saturating_add(max_nodes.unwrap_or(u64::MAX)),
            table_hits: Cell::new(0),
            on_progress,
        };
        let verdict = (G::search_functions().prove)(
            question,
            &mut self.proof_tables[question.attacker.index()],
            &mut budget,
        );
        self.nodes = budget.nodes;
        match verdict {
            ProofVerdict::Proved(proof) => Some(proof),
            ProofVerdict::NotWithin | ProofVerdict::Open => None,
        }
    }
}

/// Returns new tablebases for a proof, and starts to solve the positions with at most `men` pieces
/// for these tablebases. If `men` is `None`, solves no positions.
pub(crate) fn start_tablebases_for_proof<G: Game>(rules: &G, men: Option<usize>) -> Arc<G::Tables> {
    let tables = rules.create_uncomputed_tables(None);
    if men.is_some() {
        tables.begin_tablebases_for_proof(men);
    }
    tables
}

/// Determines who can force a win from a position, given as FEN. The result is the side to move,
/// the other side, or no side.
pub(crate) fn prove_position_value(
    options: &Options,
    position: &str,
    limits: ProofLimits,
    control: &Arc<SearchControl>,
) -> ProofResult {
    RulesId::from_options(options).run_operation(PositionToProve {
        options,
        position,
        limits,
        control,
    })
}

/// The arguments of [`prove_position_value`].
pub(crate) struct PositionToProve<'a> {
    options: &'a Options,
    position: &'a str,
    limits: ProofLimits,
    control: &'a SearchControl,
}

impl GameOperation for PositionToProve<'_> {
    type Output = ProofResult;

    fn run_for_game_type<G: Game>(self) -> ProofResult {
        let PositionToProve { options, position, limits, control } = self;
        if G::PLAYER_NAMES.len() != 2 {
            return ProofResult::undetermined(ProofFailure::TooManyPlayers);
        }
        let begun = Instant::now();
        let rules = Arc::new(G::from_options(options));
        let position = match rules.parse_position(position) {
            Ok(position) => position,
            Err(error) => return ProofResult::undetermined(error),
        };
        let tables = start_tablebases_for_proof(rules.as_ref(), limits.tables);
        let Some(mut prover) =
            PositionProver::<G>::new(rules.as_ref(), tables, limits.memory, Side::BOTH_SIDES.len())
        else {
            return ProofResult::undetermined(ProofFailure::NoMemory);
        };
        if limits.tables.is_some() {
            prover.tables.wait_until_computed(&|| control.is_stopped());
            if prover.tables.has_computation_failed() {
                return ProofResult::undetermined(ProofFailure::NoMemory);
            }
        }
        let history = GameHistory::new(rules, position);
        let mut settled = ProofResult { settled: true, ..ProofResult::default() };
        for attacker in [history.side_to_move(), !history.side_to_move()] {
            let question = ProofQuestion::new(history.clone(), prover.tables.clone(), attacker);
            let Some(proof) =
                prover.answer_proof_question(&question, Some(limits.nodes), control, &mut |_| {})
            else {
                let is_stopped = control.is_stopped();
                let why =
                    if is_stopped { ProofFailure::Stopped } else { ProofFailure::LimitReached };
                settled = ProofResult::undetermined(why);
                break;
            };
            if proof.claim == ProofClaim::Win {
                // The win of one side already shows that the other side cannot win.
                settled = ProofResult { settled: true, ..ProofResult::default() };
            }
            settled.proofs.push(ProofFile::format_proof(
                &question,
                &proof,
                &non_default_rules(options),
            ));
            settled.replies += proof.size.replies;
            settled.positions += proof.size.positions;
            if proof.claim == ProofClaim::Win {
                settled.winner = Some(G::SIDE_NAMES[attacker.index()]);
                settled.plies = Some(proof.size.plies);
                break;
            }
        }
        let time = u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
        ProofResult { nodes: prover.nodes, time, ..settled }
    }
}
