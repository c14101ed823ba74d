//! The prover with its tables, for the command `prove` and for requests.

use std::cell::Cell;
use std::iter::successors;
use std::sync::Arc;
use std::time::Instant;

use crate::io::proof_file::ProofFile;
use pentarch_core::{GameHistory, MakeTables, Options, Side};
use pentarch_engine::engine_state::changed_rules;
use pentarch_engine::proof::{ProofLimits, Settled, Unsettled};
use pentarch_games::{Game, GameId, Visitor};
use pentarch_search::control::Control;
use pentarch_search::prover::proof_table::ProofTable;
use pentarch_search::prover::question::{ProofBudget, ProofQuestion};
use pentarch_search::prover::{Claim, Proof, Verdict};

/// The memory for what the search finds out, in MiB, if nothing else is said and there is as much.
const DEFAULT_MEMORY: u32 = 256;

/// Answers questions about positions of a game, one after the other.
pub struct Prover<G: Game> {
    /// The game's tablebases.
    pub tables: Arc<G::Tables>,
    /// The size of the tables of the proof-number search in MiB.
    pub memory: u32,
    /// How many positions all searches have visited.
    pub nodes: u64,
    /// The transposition tables of the proof-number search, one for each side as the attacker.
    proof_tables: [ProofTable; 2],
}

impl<G: Game> Prover<G> {
    /// A prover with so much memory in MiB for both sides, or only for one side that is asked about; without a number
    /// with as much as there usually is. None if there is not so much.
    pub fn new(
        rules: &G,
        tables: Arc<G::Tables>,
        memory: Option<u32>,
        sides: usize,
    ) -> Option<Self> {
        // If only one side is asked about, the table of the other one is never touched, and the system gives it no
        // memory.
        let with = |memory: u32| {
            let table = || ProofTable::new((memory as usize / sides).max(1), rules);
            Some((memory, [table()?, table()?]))
        };
        let (memory, proof_tables) = match memory {
            Some(asked) => with(asked),
            None => {
                successors(Some(DEFAULT_MEMORY), |memory| Some(memory / 2).filter(|less| *less > 0))
                    .find_map(with)
            }
        }?;
        Some(Prover { tables, memory, nodes: 0, proof_tables })
    }

    /// Answers one question; none if it stays open, after so many nodes at most. Entries that earlier questions about
    /// the same attacker have left in the table are used. `on_progress` is called from time to time with the nodes of all
    /// questions.
    pub fn ask(
        &mut self,
        question: &ProofQuestion<G>,
        most: Option<u64>,
        control: &Control,
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
        let verdict = (G::functions().prove)(
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

/// Begins to solve the positions with at most this many men, on which a proof then rests; without a number the game
/// needs none.
pub fn begin_tables<G: Game>(rules: &G, men: Option<usize>) -> Arc<G::Tables> {
    let tables = rules.new_tables(None);
    if men.is_some() {
        tables.begin_for_proof(men);
    }
    tables
}

/// Finds out who can force a win from the position of a text: the side to move, the other one, or neither.
pub fn settle(
    options: &Options,
    position: &str,
    limits: ProofLimits,
    control: &Arc<Control>,
) -> Settled {
    GameId::chosen(options).visit(Settling { options, position, limits, control })
}

struct Settling<'a> {
    options: &'a Options,
    position: &'a str,
    limits: ProofLimits,
    control: &'a Control,
}

impl Visitor for Settling<'_> {
    type Output = Settled;

    fn visit<G: Game>(self) -> Settled {
        let Settling { options, position, limits, control } = self;
        if G::PLAYERS.len() != 2 {
            return Settled::open(Unsettled::TooManyPlayers);
        }
        let begun = Instant::now();
        let rules = Arc::new(G::from_options(options));
        let position = match rules.parse_position(position) {
            Ok(position) => position,
            Err(error) => return Settled::open(error),
        };
        let tables = begin_tables(rules.as_ref(), limits.tables);
        let Some(mut prover) =
            Prover::<G>::new(rules.as_ref(), tables, limits.memory, Side::BOTH.len())
        else {
            return Settled::open(Unsettled::NoMemory);
        };
        if limits.tables.is_some() {
            prover.tables.wait(&|| control.is_stopped());
            if prover.tables.has_failed() {
                return Settled::open(Unsettled::NoMemory);
            }
        }
        let history = GameHistory::new(rules, position);
        let mut found = Settled { settled: true, ..Settled::default() };
        for attacker in [history.side_to_move(), !history.side_to_move()] {
            let question = ProofQuestion::new(history.clone(), prover.tables.clone(), attacker);
            let Some(proof) = prover.ask(&question, Some(limits.nodes), control, &mut |_| {})
            else {
                let is_stopped = control.is_stopped();
                let why = if is_stopped { Unsettled::Stopped } else { Unsettled::Open };
                found = Settled::open(why);
                break;
            };
            if proof.claim == Claim::Win {
                // That the other side cannot win follows.
                found = Settled { settled: true, ..Settled::default() };
            }
            found.proofs.push(ProofFile::text(&question, &proof, &changed_rules(options)));
            found.replies += proof.size.replies;
            found.positions += proof.size.positions;
            if proof.claim == Claim::Win {
                found.winner = Some(G::SIDES[attacker.index()]);
                found.plies = Some(proof.size.plies);
                break;
            }
        }
        let time = u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
        Settled { nodes: prover.nodes, time, ..found }
    }
}
