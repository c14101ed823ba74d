//! Finds the solution of a problem, and proves that exactly one move wins or holds a draw.

use std::cell::Cell;
use std::sync::Arc;

use pentarch_core::{
    GameHistory, GameTables, Outcome, ProbeResult, ProbeWorkLimit, Side, TableValue,
};
use pentarch_games::Game;
use pentarch_search::control::SearchControl;
use pentarch_search::prover::proof_table::ProofTable;
use pentarch_search::prover::question::{ProofBudget, ProofQuestion};
use pentarch_search::prover::verify::RepliesByKey;
use pentarch_search::prover::{ProofClaim, ProofVerdict};
use pentarch_search::score::{is_known_win_score, is_proven_score};
use pentarch_search::{Limits, Searcher};

const PROOF_TABLE_MIB: usize = 2;
/// The number of nodes of the search that decides whether to try a proof.
const QUICK_SEARCH_NODES: u64 = 400;
/// The minimum score of a short search, in centipawns, at which a draw is improbable.
const DECISIVE_SCORE_CENTIPAWNS: i32 = 150;
/// The maximum number of replies that are tried to continue the solution.
const MAX_TRIED_REPLIES: usize = 6;
/// The maximum numbers of nodes of a proof: for a win in two moves, and for a win in more moves.
/// Most positions have no such win, and most wins are found soon.
const WIN_PROOF_NODES: [u64; 2] = [312, 1250];
const TWO_MOVE_WIN_PLIES: u32 = 3;

/// A prover of solutions. The prover waits for the tables that the game builds by itself. Therefore
/// its results depend only on the rules and the nodes.
pub struct ProblemProver<G: Game> {
    rules: G,
    tables: Arc<G::Tables>,
    /// The searcher for short searches.
    searcher: Searcher<G>,
    /// The maximum number of nodes of a proof that no other move wins.
    nodes: u64,
    /// Whether to skip a proof if a short search already finds an advantage with moves other than
    /// the key.
    is_hasty: bool,
    /// The control of all proofs. A stopped proof finds nothing.
    pub(super) control: Arc<SearchControl>,
}

/// The solution of a problem.
pub struct Solution<M> {
    /// The moves of the solution: the key, the reply, and so on up to the solver's last move.
    pub line: Vec<M>,
    /// Replies that refute the other first moves. The key of a reply is the search key of the
    /// position before the reply.
    pub refutations: RepliesByKey<M>,
}

/// The shortest win from a position.
pub struct ShortestWin<M> {
    /// The number of moves of the winner.
    pub length: u32,
    /// The first move of the win.
    pub key: M,
}

impl<M> Solution<M> {
    /// Returns the number of moves of the solver.
    pub fn solver_move_count(&self) -> u32 {
        self.line.len().div_ceil(2) as u32
    }
}

/// The reason why a position is not a problem although the side to move wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SolutionFlaw<M> {
    /// The winning move is the only legal move.
    Forced,
    /// This other move also wins.
    AlsoWins(M),
    /// The prover could not exclude that another move wins.
    Unproved,
    /// A later move of the solver is not the only winning move.
    SeveralLater,
}

/// Returns whether a move immediately wins the game for the side that makes it.
pub(super) fn move_wins_at_once<G: Game>(history: &GameHistory<G>, mv: G::Move) -> bool {
    let outcome = history.rules().outcome(&history.rules().play(history.position(), mv));
    outcome.and_then(Outcome::winner) == Some(history.side_to_move())
}

/// Proves the answer to a question. `nodes` is the total number of nodes used so far, and the
/// function increases it to at most `max_nodes`.
fn prove_question<G: Game>(
    question: &ProofQuestion<G>,
    table: &mut ProofTable,
    (nodes, max_nodes): (&mut u64, u64),
    control: &SearchControl,
) -> ProofVerdict<G::Move> {
    let table_hits = Cell::new(0);
    let mut budget =
        ProofBudget { control, nodes: *nodes, max_nodes, table_hits, on_progress: &mut |_| {} };
    let verdict = (G::search_functions().prove)(question, table, &mut budget);
    *nodes = budget.nodes;
    verdict
}

/// Returns whether the third occurrence of a position is a draw. A side can hold a draw only by
/// such a repetition.
pub(super) fn has_repetition_draws<G: Game>(rules: &G, position: &G::Position) -> bool {
    matches!(rules.repetition_outcome(position), Some(Outcome::Draw(_)))
}

/// Returns the value for `side` of a position in which the game has ended with this outcome.
pub(super) fn table_value_of_outcome(outcome: Outcome, side: Side) -> TableValue {
    match outcome.winner() {
        Some(winner) if winner == side => TableValue::Win(0),
        Some(_) => TableValue::Loss(0),
        None => TableValue::Draw,
    }
}

/// Returns the value of a move for the side that makes the move. `value` is the value of the next
/// position for the side to move there.
pub(super) fn value_for_mover(value: TableValue) -> TableValue {
    match value {
        TableValue::Win(plies) => TableValue::Loss(plies + 1),
        TableValue::Draw => TableValue::Draw,
        TableValue::Loss(plies) => TableValue::Win(plies + 1),
    }
}

/// Returns a game that starts at a position, so that no earlier positions count as repeated.
fn game_from_position<G: Game>(rules: &Arc<G>, position: G::Position) -> GameHistory<G> {
    GameHistory::new(rules.clone(), position)
}

impl<G: Game> ProblemProver<G> {
    /// Creates a prover; `None` if there is not enough memory. A refutation of moves may use
    /// `nodes` nodes. The proof of a win may use fewer nodes. A hasty prover first searches the
    /// moves briefly. If the search finds an advantage for these moves, the prover skips the proof,
    /// because most such proofs would fail.
    pub fn new(rules: &G, nodes: u64, is_hasty: bool) -> Option<ProblemProver<G>> {
        let tables = rules.create_or_share_tables(None);
        tables.begin_computing_tables();
        tables.wait_until_computed(&|| false);
        let searcher = Searcher::with_tables(tables.clone(), 1)?;
        let rules = rules.clone();
        Some(ProblemProver { rules, tables, searcher, nodes, is_hasty, control: Arc::default() })
    }

    /// Proves whether `side` can win in any number of plies. The game must continue with one of
    /// `moves`. If `moves` is empty, any legal move is permitted.
    pub fn prove_win(
        &self,
        history: &GameHistory<G>,
        side: Side,
        moves: Vec<G::Move>,
    ) -> ProofVerdict<G::Move> {
        let table = ProofTable::new(PROOF_TABLE_MIB, history.rules().as_ref());
        let question = ProofQuestion {
            moves,
            ..ProofQuestion::new(history.clone(), self.tables.clone(), side)
        };
        table.map_or(ProofVerdict::Open, |mut table| {
            prove_question(&question, &mut table, (&mut 0, self.nodes), &self.control)
        })
    }

    /// Proves whether the side to move can win within `plies` plies. The table may contain results
    /// of this question for other numbers of plies.
    fn prove_win_within(
        &self,
        table: &mut ProofTable,
        history: &GameHistory<G>,
        plies: u32,
    ) -> ProofVerdict<G::Move> {
        let question =
            ProofQuestion::new(history.clone(), self.tables.clone(), history.side_to_move());
        let question = ProofQuestion { plies: Some(plies), use_tablebases: false, ..question };
        let max_nodes = WIN_PROOF_NODES[usize::from(plies > TWO_MOVE_WIN_PLIES)];
        prove_question(&question, table, (&mut 0, max_nodes), &self.control)
    }

    /// Returns the shortest win of the side to move in at most `most` moves; `None` if there is no
    /// such win, or if the proof took too many nodes.
    pub fn shortest_win(
        &self,
        history: &GameHistory<G>,
        most: u32,
    ) -> Option<ShortestWin<G::Move>> {
        let rules = history.rules();
        if let Some(key) =
            history.legal_move_list().into_iter().find(|&mv| move_wins_at_once(history, mv))
        {
            return Some(ShortestWin { length: 1, key });
        }
        if self.is_known_only_by_exhaustive_tablebase_probe(history) {
            let length = self.exact_win_length(history).filter(|&length| length <= most)?;
            return self.best_move_by_value(history).map(|key| ShortestWin { length, key });
        }
        let mut table = ProofTable::new(PROOF_TABLE_MIB, rules.as_ref())?;
        for length in 2..=most {
            match self.prove_win_within(&mut table, history, 2 * length - 1) {
                ProofVerdict::Proved(proof) if proof.claim == ProofClaim::Win => {
                    let key = proof.replies.get(&rules.search_key(history.position())).copied();
                    return key.map(|key| ShortestWin { length, key });
                }
                ProofVerdict::NotWithin => {}
                _ => return None,
            }
        }
        None
    }

    fn probe_tablebases(
        &self,
        position: &G::Position,
        probing: ProbeWorkLimit,
    ) -> Option<TableValue> {
        let value = self.rules.probe_tables(&self.tables, position, probing);
        value.and_then(ProbeResult::value)
    }

    /// Returns whether the value of the position is known exactly from tables that the proofs do
    /// not use. The proofs use only the tables in memory.
    pub(super) fn is_known_only_by_exhaustive_tablebase_probe(
        &self,
        history: &GameHistory<G>,
    ) -> bool {
        let position = history.position();
        history.outcome().is_none()
            && !self.control.is_stopped()
            && self.probe_tablebases(position, ProbeWorkLimit::Quick).is_none()
            && self.probe_tablebases(position, ProbeWorkLimit::Exhaustive).is_some()
    }

    /// Returns the number of moves that the side to move needs to win. Returns `None` if there is
    /// no win, or if the value is not [known only by an exhaustive
    /// probe](ProblemProver::is_known_only_by_exhaustive_tablebase_probe).
    fn exact_win_length(&self, history: &GameHistory<G>) -> Option<u32> {
        if !self.is_known_only_by_exhaustive_tablebase_probe(history) {
            return None;
        }
        match self.probe_tablebases(history.position(), ProbeWorkLimit::Exhaustive)? {
            TableValue::Win(plies) => Some(plies.div_ceil(2)),
            _ => None,
        }
    }

    /// Returns the values of all moves for the side that makes them. Returns `None` if the value
    /// of the position is not [known only by an exhaustive
    /// probe](ProblemProver::is_known_only_by_exhaustive_tablebase_probe).
    fn exact_move_values(&self, history: &GameHistory<G>) -> Option<Vec<(G::Move, TableValue)>> {
        if !self.is_known_only_by_exhaustive_tablebase_probe(history) {
            return None;
        }
        let value = |mv| {
            let next = self.rules.play(history.position(), mv);
            let value = match self.rules.outcome(&next) {
                Some(outcome) => table_value_of_outcome(outcome, !history.side_to_move()),
                None => self.probe_tablebases(&next, ProbeWorkLimit::Exhaustive)?,
            };
            Some((mv, value_for_mover(value)))
        };
        history.legal_move_list().into_iter().map(value).collect()
    }

    /// Returns the best move of a position whose moves have exact values: the quickest win, a draw,
    /// or the slowest loss.
    fn best_move_by_value(&self, history: &GameHistory<G>) -> Option<G::Move> {
        let rank = |&(_, value): &(G::Move, TableValue)| match value {
            TableValue::Win(plies) => (0, i64::from(plies)),
            TableValue::Draw => (1, 0),
            TableValue::Loss(plies) => (2, -i64::from(plies)),
        };
        self.exact_move_values(history)?.into_iter().min_by_key(rank).map(|(mv, _)| mv)
    }

    /// Returns the solution of a position whose shortest win has `length` moves and begins with
    /// `key`.
    ///
    /// # Errors
    /// If the position is not a problem.
    pub fn build_solution(
        &self,
        history: &GameHistory<G>,
        length: u32,
        key: G::Move,
    ) -> Result<Solution<G::Move>, SolutionFlaw<G::Move>> {
        let others: Vec<G::Move> =
            history.legal_move_list().into_iter().filter(|&mv| mv != key).collect();
        if others.is_empty() {
            return Err(SolutionFlaw::Forced);
        }
        let values = self.exact_move_values(history);
        let refutations = match &values {
            Some(values) => {
                let is_other_win = |&&(mv, value): &&(G::Move, TableValue)| {
                    mv != key && matches!(value, TableValue::Win(_))
                };
                if let Some(&(also, _)) = values.iter().find(is_other_win) {
                    return Err(SolutionFlaw::AlsoWins(also));
                }
                None
            }
            None => Some(self.refute_all_moves(history, &others)?),
        };
        let mut line = vec![key];
        if length > 1 {
            line.extend(
                self.continue_unique_win(history, length, key).ok_or(SolutionFlaw::SeveralLater)?,
            );
        }
        // The refutations from exact tables are looked up last. Most positions turn out not to be
        // problems before this look-up is needed.
        let refutations =
            refutations.unwrap_or_else(|| self.best_replies_by_move(history, &others));
        Ok(Solution { line, refutations })
    }

    /// Returns the best reply to each of these moves whose reply is known from exact values.
    fn best_replies_by_move(
        &self,
        history: &GameHistory<G>,
        moves: &[G::Move],
    ) -> RepliesByKey<G::Move> {
        let rules = history.rules();
        let best = |&mv: &G::Move| {
            let after = game_from_position(rules, rules.play(history.position(), mv));
            Some((rules.search_key(after.position()), self.best_move_by_value(&after)?))
        };
        moves.iter().filter_map(best).collect()
    }

    /// Proves that none of these moves wins, and returns the replies that refute them.
    ///
    /// # Errors
    /// If a move wins, or if the proof fails.
    fn refute_all_moves(
        &self,
        history: &GameHistory<G>,
        moves: &[G::Move],
    ) -> Result<RepliesByKey<G::Move>, SolutionFlaw<G::Move>> {
        if self.is_hasty && !self.are_moves_rejected_by_quick_search(history, moves) {
            return Err(SolutionFlaw::Unproved);
        }
        let rules = history.rules();
        let solver = history.side_to_move();
        let mut refutations = RepliesByKey::default();
        let mut table =
            ProofTable::new(PROOF_TABLE_MIB, rules.as_ref()).ok_or(SolutionFlaw::Unproved)?;
        let mut nodes = 0;
        // Each move has its own question, which starts at the position after the move. The
        // alternative would be one question about the first position, restricted to these moves.
        // But then a line that returns to the first position would be treated as refuted, although
        // the key wins there. All questions share one table. This is correct because the entry of a
        // position does not depend on where the question starts, and each answer is verified.
        for &mv in moves {
            let after = game_from_position(rules, rules.play(history.position(), mv));
            match after.outcome() {
                Some(outcome) if outcome.winner() == Some(solver) => {
                    return Err(SolutionFlaw::AlsoWins(mv));
                }
                Some(_) => continue,
                None => {}
            }
            let question = ProofQuestion::new(after, self.tables.clone(), solver);
            match prove_question(&question, &mut table, (&mut nodes, self.nodes), &self.control) {
                ProofVerdict::Proved(proof) if proof.claim == ProofClaim::Disproved => {
                    refutations.extend(proof.replies)
                }
                ProofVerdict::Proved(_) => return Err(SolutionFlaw::AlsoWins(mv)),
                _ => return Err(SolutionFlaw::Unproved),
            }
        }
        Ok(refutations)
    }

    /// Returns whether a short search sees no advantage for the side to move after any of these
    /// moves.
    fn are_moves_rejected_by_quick_search(
        &self,
        history: &GameHistory<G>,
        moves: &[G::Move],
    ) -> bool {
        self.quick_search(history, moves, false).is_some_and(|(_, score)| score <= 0)
    }

    /// Returns the best of these moves by a short search, and its score.
    fn quick_search(
        &self,
        history: &GameHistory<G>,
        moves: &[G::Move],
        use_tablebases: bool,
    ) -> Option<(G::Move, i32)> {
        self.searcher.clear();
        let limits = Limits {
            moves: moves.to_vec(),
            use_tablebases,
            ..Limits::nodes_without_tablebases(QUICK_SEARCH_NODES)
        };
        let answer = self.searcher.search(history, &limits)?;
        Some((answer.best, answer.score?))
    }

    /// Returns the solution of a drawn position in which only one move holds the draw. Returns
    /// `None` if there is no such solution, or if the proof fails.
    ///
    /// The line continues as long as the opponent has a reply after which again only one move holds
    /// the draw. The line has at most `most` moves of the solver.
    pub fn only_move_draw_solution(
        &self,
        history: &GameHistory<G>,
        most: u32,
    ) -> Option<Solution<G::Move>> {
        let rules = history.rules();
        let (key, refutations) = self.only_drawing_move(history)?;
        let mut line = vec![key];
        let mut seen = vec![rules.search_key(history.position())];
        let mut after_move = game_from_position(rules, rules.play(history.position(), key));
        for _ in 1..most {
            let continuation = |reply: G::Move| {
                let next = game_from_position(rules, rules.play(after_move.position(), reply));
                if next.outcome().is_some() || seen.contains(&rules.search_key(next.position())) {
                    return None;
                }
                let (only, _) = self.only_drawing_move(&next)?;
                Some((reply, next, only))
            };
            let replies = match after_move.outcome() {
                None => after_move.legal_move_list(),
                Some(_) => Vec::new(),
            };
            let Some((reply, next, only)) = replies.into_iter().find_map(continuation) else {
                break;
            };
            seen.push(rules.search_key(next.position()));
            line.extend([reply, only]);
            after_move = game_from_position(rules, rules.play(next.position(), only));
        }
        Some(Solution { line, refutations })
    }

    /// Returns the only move that holds a draw, and the refutations of all other moves. Returns
    /// `None` if several moves or no moves hold the draw, or if the proof fails.
    fn only_drawing_move(
        &self,
        history: &GameHistory<G>,
    ) -> Option<(G::Move, RepliesByKey<G::Move>)> {
        let mover = history.side_to_move();
        let moves = history.legal_move_list();
        if !has_repetition_draws(history.rules().as_ref(), history.position())
            || moves.len() < 2
            || self.control.is_stopped()
        {
            return None;
        }
        let (key, score) = self.quick_search(history, &moves, true)?;
        let is_decided = is_proven_score(score)
            || is_known_win_score(score)
            || (self.is_hasty && score.abs() > DECISIVE_SCORE_CENTIPAWNS);
        let others: Vec<G::Move> = moves.into_iter().filter(|&mv| mv != key).collect();
        if is_decided || self.quick_search(history, &others, true)?.1 > -DECISIVE_SCORE_CENTIPAWNS {
            return None;
        }
        let prove_claim = |side, moves, claim| match self.prove_win(history, side, moves) {
            ProofVerdict::Proved(proof) if proof.claim == claim => Some(proof),
            _ => None,
        };
        let others_lose = prove_claim(!mover, others, ProofClaim::Win)?;
        prove_claim(!mover, vec![key], ProofClaim::Disproved)?;
        prove_claim(mover, Vec::new(), ProofClaim::Disproved)?;
        Some((key, others_lose.replies))
    }

    /// Returns the continuation of the solution after its key. The continuation begins with a reply
    /// that delays the win as long as possible and leaves only one winning move.
    fn continue_unique_win(
        &self,
        history: &GameHistory<G>,
        length: u32,
        key: G::Move,
    ) -> Option<Vec<G::Move>> {
        let rules = history.rules();
        let after_key = game_from_position(rules, rules.play(history.position(), key));
        let mut tried = 0;
        for reply in after_key.legal_move_list() {
            let next = game_from_position(rules, rules.play(after_key.position(), reply));
            if next.outcome().is_some() {
                continue;
            }
            if self.exact_win_length(&next).is_some_and(|left| left < length - 1) {
                continue;
            }
            let ShortestWin { length: left, key } = self.shortest_win(&next, length - 1)?;
            if left < length - 1 {
                continue;
            }
            let line = if left == 1 {
                Some(vec![key])
            } else {
                self.build_solution(&next, left, key).ok().map(|solution| solution.line)
            };
            if let Some(line) = line {
                return Some([vec![reply], line].concat());
            }
            tried += 1;
            if tried == MAX_TRIED_REPLIES {
                return None;
            }
        }
        None
    }
}
