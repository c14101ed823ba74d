//! Whether a position is a problem, and its solution, proved by the prover.

use std::cell::Cell;
use std::sync::Arc;

use crate::core::{GameHistory, MakeTables, Outcome};
use crate::games::Game;
use crate::search::control::Control;
use crate::search::prover::proof_table::ProofTable;
use crate::search::prover::question::{Effort, Question};
use crate::search::prover::{Claim, Proof, Verdict};
use crate::search::{Limits, Searcher};

/// The size of the table of a proof, in MiB.
const PROOF_MIB: usize = 2;
/// The nodes of a search that tells whether to try a proof.
const LOOK_NODES: u64 = 400;
/// How many replies are tried for one behind which the solution goes on.
const REPLIES: usize = 6;
/// The most nodes of the proof of a win in two moves, and in more. Most positions have no such win, and most wins are
/// found soon.
const WIN_NODES: [u64; 2] = [312, 1250];
/// The plies of a win in two moves.
const TWO_MOVES: u32 = 3;

/// Proofs about positions of a game. Of its tables it takes those that the game makes by itself, and waits for them, so
/// that what is proved depends on the rules and the nodes alone.
pub struct Prover<G: Game> {
    tables: Arc<G::Tables>,
    /// For short searches.
    searcher: Searcher<G>,
    /// The most nodes of a proof that other moves do not win.
    nodes: u64,
    /// Whether to give a proof up where a short search finds an advantage with the other moves.
    is_hasty: bool,
}

/// A position that is a problem.
pub struct Solved<M> {
    /// The solution: the key, the reply, and so on up to the move that ends the game.
    pub line: Vec<M>,
    /// That no other first move wins; with replies that refute them.
    pub refutations: Proof<M>,
}

/// Why a position is no problem although the side to move wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flaw<M> {
    /// There is no other move.
    Forced,
    /// This other move wins, too; none if it is one of them, and it is not known which.
    AlsoWins(Option<M>),
    /// Whether other moves win was not found out.
    Open,
    /// A later move of the solver is not the only one that wins.
    Later,
}

/// The current position as the start of a game: the positions before do not count as repeated.
fn alone<G: Game>(rules: &Arc<G>, position: G::Position) -> GameHistory<G> {
    GameHistory::new(rules.clone(), position)
}

impl<G: Game> Prover<G> {
    /// A prover that takes at most so many nodes to prove that moves do not win, and fewer to prove a win; none if
    /// there is not enough memory. A hasty one does not try to prove that moves do not win if a short search finds an
    /// advantage with them: that would most often only take time.
    pub fn new(rules: &G, nodes: u64, is_hasty: bool) -> Option<Prover<G>> {
        let tables = rules.shared_tables(None);
        tables.begin();
        tables.wait(&|| false);
        Some(Prover { searcher: Searcher::with(tables.clone(), 1)?, tables, nodes, is_hasty })
    }

    /// Whether the side to move can win within so many plies, or in any number, with one of these moves; all legal ones
    /// if there are none.
    pub fn wins(&self, history: &GameHistory<G>, plies: Option<u32>, moves: Vec<G::Move>) -> Verdict<G::Move> {
        let table = ProofTable::new(PROOF_MIB, history.rules().as_ref());
        table.map_or(Verdict::Open, |mut table| self.wins_with(&mut table, history, plies, moves))
    }

    /// The same with a table that may hold results of the same question, but for its plies.
    fn wins_with(
        &self,
        table: &mut ProofTable,
        history: &GameHistory<G>,
        plies: Option<u32>,
        moves: Vec<G::Move>,
    ) -> Verdict<G::Move> {
        let question = Question::new(history.clone(), self.tables.clone(), history.side_to_move());
        let question = Question { plies, moves, use_tablebases: plies.is_none(), ..question };
        let (control, table_hits) = (Control::default(), Cell::new(0));
        let max_nodes = plies.map_or(self.nodes, |plies| WIN_NODES[usize::from(plies > TWO_MOVES)]);
        let watch = &mut |_| {};
        let mut effort = Effort { control: &control, nodes: 0, max_nodes, table_hits, watch };
        (G::functions().prove)(&question, table, &mut effort)
    }

    /// Within how many moves at least the side to move can win, if at most `most`, and the move by which it does. None
    /// if it cannot, or if that took too many nodes.
    pub fn win(&self, history: &GameHistory<G>, most: u32) -> Option<(u32, G::Move)> {
        let (rules, mover) = (history.rules(), history.side_to_move());
        let wins_at_once = |&mv: &G::Move| {
            let outcome = rules.outcome(&rules.play(history.position(), mv));
            outcome.and_then(Outcome::winner) == Some(mover)
        };
        if let Some(key) = history.legal_move_list().into_iter().find(wins_at_once) {
            return Some((1, key));
        }
        let mut table = ProofTable::new(PROOF_MIB, rules.as_ref())?;
        for length in 2..=most {
            match self.wins_with(&mut table, history, Some(2 * length - 1), Vec::new()) {
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

    /// The solution of the position, whose solver wins in exactly `length` moves with this key.
    ///
    /// # Errors
    /// If it is no problem.
    pub fn solution(
        &self,
        history: &GameHistory<G>,
        length: u32,
        key: G::Move,
    ) -> Result<Solved<G::Move>, Flaw<G::Move>> {
        let others: Vec<G::Move> = history.legal_move_list().into_iter().filter(|&mv| mv != key).collect();
        if others.is_empty() {
            return Err(Flaw::Forced);
        }
        if self.is_hasty && !self.seem_to_fail(history, &others) {
            return Err(Flaw::Open);
        }
        let refutations = match self.wins(history, None, others.clone()) {
            Verdict::Proved(proof) if proof.claim == Claim::Disproved => proof,
            Verdict::Proved(proof) => {
                let also = proof.replies.get(&history.rules().search_key(history.position())).copied();
                return Err(Flaw::AlsoWins(also.filter(|also| others.contains(also))));
            }
            _ => return Err(Flaw::Open),
        };
        let mut line = vec![key];
        if length > 1 {
            line.extend(self.rest(history, length, key).ok_or(Flaw::Later)?);
        }
        Ok(Solved { line, refutations })
    }

    /// Whether a short search finds no advantage with these moves.
    fn seem_to_fail(&self, history: &GameHistory<G>, moves: &[G::Move]) -> bool {
        self.searcher.clear();
        let limits = Limits { moves: moves.to_vec(), ..super::judge::nodes(LOOK_NODES) };
        self.searcher.search(history, &limits).and_then(|answer| answer.score).is_some_and(|score| score <= 0)
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
            let (left, key) = self.win(&next, length - 1)?;
            if left < length - 1 {
                continue;
            }
            let line = if left == 1 {
                Some(vec![key])
            } else {
                self.solution(&next, left, key).ok().map(|solved| solved.line)
            };
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
