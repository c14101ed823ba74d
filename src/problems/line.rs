//! Whether a position is a problem, and its solution, proved by the prover.

use std::cell::Cell;
use std::sync::Arc;

use crate::core::{GameHistory, MakeTables};
use crate::games::Game;
use crate::search::control::Control;
use crate::search::prover::proof_table::ProofTable;
use crate::search::prover::question::{Effort, Question};
use crate::search::prover::{Claim, Proof, Verdict};

/// The size of the table of a proof, in MiB.
const PROOF_MIB: usize = 4;
/// How many replies are tried for one behind which the solution goes on.
const REPLIES: usize = 6;
/// How many times fewer nodes the proof of a win within some moves may take than that other moves do not win.
const FEWER: u64 = 8;

/// Proofs about positions of a game. Of its tables it takes those that the game makes by itself, and waits for them, so
/// that what is proved depends on the rules and the nodes alone.
pub struct Prover<G: Game> {
    tables: Arc<G::Tables>,
    /// The most nodes of a proof that other moves do not win.
    nodes: u64,
}

/// A position that is a problem.
pub struct Solved<M> {
    /// The solution: the key, the reply, and so on up to the move that ends the game.
    pub line: Vec<M>,
    /// That no other first move wins; with replies that refute them.
    pub refutations: Proof<M>,
}

/// The current position as the start of a game: the positions before do not count as repeated.
fn alone<G: Game>(rules: &Arc<G>, position: G::Position) -> GameHistory<G> {
    GameHistory::new(rules.clone(), position)
}

impl<G: Game> Prover<G> {
    /// A prover that takes at most so many nodes to prove that moves do not win, and fewer to prove a win.
    pub fn new(rules: &G, nodes: u64) -> Prover<G> {
        let tables = rules.shared_tables(None);
        tables.begin();
        tables.wait(&|| false);
        Prover { tables, nodes }
    }

    /// Whether the side to move can win within so many plies, or in any number, with one of these moves; all legal ones
    /// if there are none.
    pub fn wins(&self, history: &GameHistory<G>, plies: Option<u32>, moves: Vec<G::Move>) -> Verdict<G::Move> {
        let rules = history.rules();
        let Some(mut table) = ProofTable::new(PROOF_MIB, rules.as_ref()) else { return Verdict::Open };
        let question = Question::new(history.clone(), self.tables.clone(), history.side_to_move());
        let question = Question { plies, moves, use_tablebases: plies.is_none(), ..question };
        let (control, table_hits) = (Control::default(), Cell::new(0));
        let max_nodes = if plies.is_some() { self.nodes / FEWER } else { self.nodes };
        let watch = &mut |_| {};
        let mut effort = Effort { control: &control, nodes: 0, max_nodes, table_hits, watch };
        (G::functions().prove)(&question, &mut table, &mut effort)
    }

    /// Within how many moves at least the side to move can win, if at most `most`, and the move by which it does. None
    /// if it cannot, or if that took too many nodes.
    pub fn win(&self, history: &GameHistory<G>, most: u32) -> Option<(u32, G::Move)> {
        let rules = history.rules();
        for length in 1..=most {
            match self.wins(history, Some(2 * length - 1), Vec::new()) {
                Verdict::Proved(proof) if proof.claim == Claim::Win => {
                    let key = proof.replies.get(&rules.search_key(history.position())).copied();
                    return key.map(|key| (length, key));
                }
                Verdict::NotWithin => {}
                _ => return None,
            }
        }
        None
    }

    /// The solution of the position, if it is a problem whose solver wins in exactly `length` moves with this key.
    pub fn solution(&self, history: &GameHistory<G>, length: u32, key: G::Move) -> Option<Solved<G::Move>> {
        let others: Vec<G::Move> = history.legal_move_list().into_iter().filter(|&mv| mv != key).collect();
        if others.is_empty() {
            return None;
        }
        let refutations = match self.wins(history, None, others) {
            Verdict::Proved(proof) if proof.claim == Claim::Disproved => proof,
            _ => return None,
        };
        let mut line = vec![key];
        if length > 1 {
            line.extend(self.rest(history, length, key)?);
        }
        Some(Solved { line, refutations })
    }

    /// How the solution goes on after its key: a reply after which the win takes as long as it can and is a solution
    /// again.
    fn rest(&self, history: &GameHistory<G>, length: u32, key: G::Move) -> Option<Vec<G::Move>> {
        let rules = history.rules();
        let answered = alone(rules, rules.play(history.position(), key));
        let mut tried = 0;
        for reply in answered.legal_move_list() {
            let next = alone(rules, rules.play(answered.position(), reply));
            if next.outcome().is_some() {
                continue;
            }
            let Some((left, key)) = self.win(&next, length - 1) else { return None };
            if left < length - 1 {
                continue;
            }
            let line = if left == 1 { Some(vec![key]) } else { self.solution(&next, left, key).map(|solved| solved.line) };
            if let Some(line) = line {
                return Some([vec![reply], line].concat());
            }
            tried += 1;
            if tried == REPLIES {
                return None;
            }
        }
        None
    }
}
