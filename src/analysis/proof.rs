//! The prover with its tables, for the command `prove` and for requests.

use std::cell::Cell;
use std::iter::successors;
use std::sync::Arc;
use std::time::Instant;

use crate::io::proof_file::ProofFile;
use pentarch_core::{GameHistory, MakeTables, Options, Side};
use pentarch_engine::engine_state::non_default_rules;
use pentarch_engine::proof::{ProofFailure, ProofLimits, ProofResult};
use pentarch_games::{Game, GameId, GameVisitor};
use pentarch_search::control::SearchControl;
use pentarch_search::prover::proof_table::ProofTable;
use pentarch_search::prover::question::{ProofBudget, ProofQuestion};
use pentarch_search::prover::{Claim, Proof, Verdict};

/// The default memory of a search in MiB, if that much is free.
const DEFAULT_MEMORY: u32 = 256;

/// A prover that answers questions about positions of a game, one after the other.
pub(crate) struct GameProver<G: Game> {
    /// The game's tablebases.
    pub tables: Arc<G::Tables>,
    /// The size of the tables of the proof-number search in MiB.
    pub memory: u32,
    /// The number of positions that all searches have visited.
    pub nodes: u64,
    /// The transposition tables of the proof-number search, one for each side as the attacker.
    proof_tables: [ProofTable; 2],
}

impl<G: Game> GameProver<G> {
    /// Creates a prover with `memory` MiB for questions about `sides` sides, or with the default or
    /// less; `None` if there is not that much.
    pub(crate) fn new(
        rules: &G,
        tables: Arc<G::Tables>,
        memory: Option<u32>,
        sides: usize,
    ) -> Option<Self> {
        // If only one side is the attacker, the table of the other one is never touched, and the
        // system gives it no memory.
        let allocate = |memory: u32| {
            let table = || ProofTable::new((memory as usize / sides).max(1), rules);
            Some((memory, [table()?, table()?]))
        };
        let (memory, proof_tables) = match memory {
            Some(memory) => allocate(memory),
            None => {
                successors(Some(DEFAULT_MEMORY), |memory| Some(memory / 2).filter(|less| *less > 0))
                    .find_map(allocate)
            }
        }?;
        Some(GameProver { tables, memory, nodes: 0, proof_tables })
    }

    /// Answers one question within `most` nodes; `None` if it stays open. Uses the table entries of
    /// earlier questions about the same attacker. Calls `on_progress` from time to time with the
    /// nodes of all questions.
    pub(crate) fn prove(
        &mut self,
        question: &ProofQuestion<G>,
        most: Option<u64>,
        control: &SearchControl,
        on_progress: &mut dyn FnMut(u64),
    ) -> Option<Proof<G::Move>> {
        let max_nodes = self.nodes.saturating_add(most.unwrap_or(u64::MAX));
        let mut effort = ProofBudget {
            control,
            nodes: self.nodes,
            max_nodes,
            table_hits: Cell::new(0),
            on_progress,
        };
        let verdict = (G::search_functions().prove)(
            question,
            &mut self.proof_tables[question.attacker.index()],
            &mut effort,
        );
        self.nodes = effort.nodes;
        match verdict {
            Verdict::Proved(proof) => Some(proof),
            Verdict::NotWithin | Verdict::Open => None,
        }
    }
}

/// Starts to solve the positions with at most `men` pieces, on which a proof then rests; without a
/// number solves none.
pub(crate) fn begin_proof_tables<G: Game>(rules: &G, men: Option<usize>) -> Arc<G::Tables> {
    let tables = rules.new_tables(None);
    if men.is_some() {
        tables.begin_for_proof(men);
    }
    tables
}

/// Determines who can force a win from a position, given as FEN: the side to move, the other side,
/// or neither.
pub(crate) fn settle_position(
    options: &Options,
    position: &str,
    limits: ProofLimits,
    control: &Arc<SearchControl>,
) -> ProofResult {
    GameId::from_options(options).visit(PositionToSettle { options, position, limits, control })
}

/// The arguments of [`settle_position`].
struct PositionToSettle<'a> {
    options: &'a Options,
    position: &'a str,
    limits: ProofLimits,
    control: &'a SearchControl,
}

impl GameVisitor for PositionToSettle<'_> {
    type Output = ProofResult;

    fn visit<G: Game>(self) -> ProofResult {
        let PositionToSettle { options, position, limits, control } = self;
        if G::PLAYERS.len() != 2 {
            return ProofResult::undetermined(ProofFailure::TooManyPlayers);
        }
        let begun = Instant::now();
        let rules = Arc::new(G::from_options(options));
        let position = match rules.parse_position(position) {
            Ok(position) => position,
            Err(error) => return ProofResult::undetermined(error),
        };
        let tables = begin_proof_tables(rules.as_ref(), limits.tables);
        let Some(mut prover) =
            GameProver::<G>::new(rules.as_ref(), tables, limits.memory, Side::BOTH.len())
        else {
            return ProofResult::undetermined(ProofFailure::NoMemory);
        };
        if limits.tables.is_some() {
            prover.tables.wait(&|| control.is_stopped());
            if prover.tables.has_failed() {
                return ProofResult::undetermined(ProofFailure::NoMemory);
            }
        }
        let history = GameHistory::new(rules, position);
        let mut settled = ProofResult { settled: true, ..ProofResult::default() };
        for attacker in [history.side_to_move(), !history.side_to_move()] {
            let question = ProofQuestion::new(history.clone(), prover.tables.clone(), attacker);
            let Some(proof) = prover.prove(&question, Some(limits.nodes), control, &mut |_| {})
            else {
                let is_stopped = control.is_stopped();
                let why =
                    if is_stopped { ProofFailure::Stopped } else { ProofFailure::LimitReached };
                settled = ProofResult::undetermined(why);
                break;
            };
            if proof.claim == Claim::Win {
                // This proof alone shows that the other side cannot win.
                settled = ProofResult { settled: true, ..ProofResult::default() };
            }
            settled.proofs.push(ProofFile::text(&question, &proof, &non_default_rules(options)));
            settled.replies += proof.size.replies;
            settled.positions += proof.size.positions;
            if proof.claim == Claim::Win {
                settled.winner = Some(G::SIDE_NAMES[attacker.index()]);
                settled.plies = Some(proof.size.plies);
                break;
            }
        }
        let time = u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
        ProofResult { nodes: prover.nodes, time, ..settled }
    }
}
