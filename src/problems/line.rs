//! Whether a position is a problem, and its solution, proved by the prover.

use std::cell::Cell;
use std::sync::Arc;

use pentarch_core::{GameHistory, MakeTables, Outcome, ProbeLimit, ProbeResult, Side, TableValue};
use pentarch_games::Game;
use pentarch_search::control::Control;
use pentarch_search::prover::proof_table::ProofTable;
use pentarch_search::prover::question::{ProofBudget, ProofQuestion};
use pentarch_search::prover::verify::Replies;
use pentarch_search::prover::{Claim, Verdict};
use pentarch_search::score::{is_known_by_tables, is_proven};
use pentarch_search::{Limits, Searcher};

/// The size of the table of a proof, in MiB.
const PROOF_MIB: usize = 2;
/// The nodes of a search that tells whether to try a proof.
const LOOK_NODES: u64 = 400;
/// The score in centipawns from which on a short search lets no draw be hoped for, or more than a draw.
const HOPE: i32 = 150;
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
    rules: G,
    tables: Arc<G::Tables>,
    /// For short searches.
    searcher: Searcher<G>,
    /// The most nodes of a proof that other moves do not win.
    nodes: u64,
    /// Whether to give a proof up where a short search finds an advantage with the other moves.
    is_hasty: bool,
    /// Ends all proofs: those that were stopped find nothing.
    pub(super) control: Arc<Control>,
}

/// A position that is a problem.
pub struct Solved<M> {
    /// The solution: the key, the reply, and so on up to the solver's last move.
    pub line: Vec<M>,
    /// Replies that refute the other first moves, by the search keys of the positions after these.
    pub refutations: Replies<M>,
}

impl<M> Solved<M> {
    /// How many moves the solver makes.
    pub fn length(&self) -> u32 {
        self.line.len().div_ceil(2) as u32
    }
}

/// Why a position is no problem although the side to move wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flaw<M> {
    /// There is no other move.
    Forced,
    /// This other move wins, too.
    AlsoWins(M),
    /// Whether other moves win was not found out.
    Open,
    /// A later move of the solver is not the only one that wins.
    Later,
}

/// The limits of a search with so many nodes.
pub(super) fn nodes<M>(nodes: u64) -> Limits<M> {
    Limits { nodes: Some(nodes), use_tablebases: false, ..Limits::default() }
}

/// Whether a move wins the game at once for the side that makes it.
pub(super) fn wins_at_once<G: Game>(history: &GameHistory<G>, mv: G::Move) -> bool {
    let outcome = history.rules().outcome(&history.rules().play(history.position(), mv));
    outcome.and_then(Outcome::winner) == Some(history.side_to_move())
}

/// The answer to a question within so many nodes in all, of which `nodes` are used up before and afterwards.
fn answer<G: Game>(
    question: &ProofQuestion<G>,
    table: &mut ProofTable,
    (nodes, max_nodes): (&mut u64, u64),
    control: &Control,
) -> Verdict<G::Move> {
    let (table_hits, on_progress) = (Cell::new(0), &mut |_| {});
    let mut effort = ProofBudget { control, nodes: *nodes, max_nodes, table_hits, on_progress };
    let verdict = (G::functions().prove)(question, table, &mut effort);
    *nodes = effort.nodes;
    verdict
}

/// Whether a position that occurs for the third time is a draw: only then can a draw be held.
pub(super) fn knows_draws<G: Game>(rules: &G, position: &G::Position) -> bool {
    matches!(rules.repetition_outcome(position), Some(Outcome::Draw(_)))
}

/// The value of a position in which the game is over, for the side to move.
pub(super) fn ended(outcome: Outcome, side: Side) -> TableValue {
    match outcome.winner() {
        Some(winner) if winner == side => TableValue::Win(0),
        Some(_) => TableValue::Loss(0),
        None => TableValue::Draw,
    }
}

/// The value of a move for the side that makes it, by that of the position after it for the side to move there.
pub(super) fn before(value: TableValue) -> TableValue {
    match value {
        TableValue::Win(plies) => TableValue::Loss(plies + 1),
        TableValue::Draw => TableValue::Draw,
        TableValue::Loss(plies) => TableValue::Win(plies + 1),
    }
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
        let (searcher, control) = (Searcher::with_tables(tables.clone(), 1)?, Arc::default());
        Some(Prover { rules: rules.clone(), tables, searcher, nodes, is_hasty, control })
    }

    /// Whether this side can win in any number of plies if the game goes on with one of these moves, or with any legal
    /// one if there are none.
    pub fn wins(
        &self,
        history: &GameHistory<G>,
        side: Side,
        moves: Vec<G::Move>,
    ) -> Verdict<G::Move> {
        let table = ProofTable::new(PROOF_MIB, history.rules().as_ref());
        let question = ProofQuestion {
            moves,
            ..ProofQuestion::new(history.clone(), self.tables.clone(), side)
        };
        table.map_or(Verdict::Open, |mut table| {
            answer(&question, &mut table, (&mut 0, self.nodes), &self.control)
        })
    }

    /// Whether the side to move can win within so many plies. The table may hold results of the same question, but for
    /// its plies.
    fn wins_within(
        &self,
        table: &mut ProofTable,
        history: &GameHistory<G>,
        plies: u32,
    ) -> Verdict<G::Move> {
        let question =
            ProofQuestion::new(history.clone(), self.tables.clone(), history.side_to_move());
        let question = ProofQuestion { plies: Some(plies), use_tablebases: false, ..question };
        answer(&question, table, (&mut 0, WIN_NODES[usize::from(plies > TWO_MOVES)]), &self.control)
    }

    /// Within how many moves at least the side to move can win, if at most `most`, and the move by which it does. None
    /// if it cannot, or if that took too many nodes.
    pub fn win(&self, history: &GameHistory<G>, most: u32) -> Option<(u32, G::Move)> {
        let rules = history.rules();
        if let Some(key) =
            history.legal_move_list().into_iter().find(|&mv| wins_at_once(history, mv))
        {
            return Some((1, key));
        }
        if self.knows_more(history) {
            let length = self.length_by_values(history).filter(|&length| length <= most)?;
            return self.best_by_values(history).map(|key| (length, key));
        }
        let mut table = ProofTable::new(PROOF_MIB, rules.as_ref())?;
        for length in 2..=most {
            match self.wins_within(&mut table, history, 2 * length - 1) {
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

    fn probe(&self, position: &G::Position, probing: ProbeLimit) -> Option<TableValue> {
        let value = self.rules.probe(&self.tables, position, probing);
        value.and_then(ProbeResult::value)
    }

    /// Whether the value of the position is known exactly, and not by tables in memory: those the proofs use
    /// themselves.
    pub(super) fn knows_more(&self, history: &GameHistory<G>) -> bool {
        let position = history.position();
        history.outcome().is_none()
            && !self.control.is_stopped()
            && self.probe(position, ProbeLimit::Quick).is_none()
            && self.probe(position, ProbeLimit::Exhaustive).is_some()
    }

    /// Within how many moves the side to move wins, if [more](Prover::knows_more) is known and it does.
    fn length_by_values(&self, history: &GameHistory<G>) -> Option<u32> {
        match self
            .probe(history.position(), ProbeLimit::Exhaustive)
            .filter(|_| self.knows_more(history))?
        {
            TableValue::Win(plies) => Some(plies.div_ceil(2)),
            _ => None,
        }
    }

    /// The values of all moves for the side that makes them, if [more](Prover::knows_more) is known.
    fn values(&self, history: &GameHistory<G>) -> Option<Vec<(G::Move, TableValue)>> {
        if !self.knows_more(history) {
            return None;
        }
        let value = |mv| {
            let next = self.rules.play(history.position(), mv);
            let value = match self.rules.outcome(&next) {
                Some(outcome) => ended(outcome, !history.side_to_move()),
                None => self.probe(&next, ProbeLimit::Exhaustive)?,
            };
            Some((mv, before(value)))
        };
        history.legal_move_list().into_iter().map(value).collect()
    }

    /// The best move of a position whose moves have known values: the quickest win, or else what loses last.
    fn best_by_values(&self, history: &GameHistory<G>) -> Option<G::Move> {
        let rank = |&(_, value): &(G::Move, TableValue)| match value {
            TableValue::Win(plies) => (0, i64::from(plies)),
            TableValue::Draw => (1, 0),
            TableValue::Loss(plies) => (2, -i64::from(plies)),
        };
        self.values(history)?.into_iter().min_by_key(rank).map(|(mv, _)| mv)
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
        let others: Vec<G::Move> =
            history.legal_move_list().into_iter().filter(|&mv| mv != key).collect();
        if others.is_empty() {
            return Err(Flaw::Forced);
        }
        let values = self.values(history);
        let proved = match &values {
            Some(values) => {
                let is_other = |&&(mv, value): &&(G::Move, TableValue)| {
                    mv != key && matches!(value, TableValue::Win(_))
                };
                if let Some(&(also, _)) = values.iter().find(is_other) {
                    return Err(Flaw::AlsoWins(also));
                }
                None
            }
            None => Some(self.refuted(history, &others)?),
        };
        let mut line = vec![key];
        if length > 1 {
            line.extend(self.rest(history, length, key).ok_or(Flaw::Later)?);
        }
        // What refutes the other moves is looked up last, since most positions are no problems.
        Ok(Solved {
            line,
            refutations: proved.unwrap_or_else(|| self.best_replies(history, &others)),
        })
    }

    /// The best replies to these moves, as far as they are known by values.
    fn best_replies(&self, history: &GameHistory<G>, moves: &[G::Move]) -> Replies<G::Move> {
        let rules = history.rules();
        let best = |&mv: &G::Move| {
            let after = alone(rules, rules.play(history.position(), mv));
            Some((rules.search_key(after.position()), self.best_by_values(&after)?))
        };
        moves.iter().filter_map(best).collect()
    }

    /// Proves that none of these moves wins, by replies that refute them.
    ///
    /// # Errors
    /// If one wins, or if it was not found out.
    fn refuted(
        &self,
        history: &GameHistory<G>,
        moves: &[G::Move],
    ) -> Result<Replies<G::Move>, Flaw<G::Move>> {
        if self.is_hasty && !self.seem_to_fail(history, moves) {
            return Err(Flaw::Open);
        }
        let (rules, solver, mut refutations) =
            (history.rules(), history.side_to_move(), Replies::default());
        let mut table = ProofTable::new(PROOF_MIB, rules.as_ref()).ok_or(Flaw::Open)?;
        let mut nodes = 0;
        // Each is asked for by itself, from the position after it. With these moves alone in the position, a line that
        // comes back to it would count as refuted, although the key wins there. One table serves them all: what it has
        // of a position does not depend on where the question begins, and each answer is verified.
        for &mv in moves {
            let after = alone(rules, rules.play(history.position(), mv));
            match after.outcome() {
                Some(outcome) if outcome.winner() == Some(solver) => {
                    return Err(Flaw::AlsoWins(mv));
                }
                Some(_) => continue,
                None => {}
            }
            let question = ProofQuestion::new(after, self.tables.clone(), solver);
            match answer(&question, &mut table, (&mut nodes, self.nodes), &self.control) {
                Verdict::Proved(proof) if proof.claim == Claim::Disproved => {
                    refutations.extend(proof.replies)
                }
                Verdict::Proved(_) => return Err(Flaw::AlsoWins(mv)),
                _ => return Err(Flaw::Open),
            }
        }
        Ok(refutations)
    }

    /// Whether a short search finds no advantage with these moves.
    fn seem_to_fail(&self, history: &GameHistory<G>, moves: &[G::Move]) -> bool {
        self.look(history, moves, false).is_some_and(|(_, score)| score <= 0)
    }

    /// The best of these moves by a short search, and its score.
    fn look(
        &self,
        history: &GameHistory<G>,
        moves: &[G::Move],
        use_tablebases: bool,
    ) -> Option<(G::Move, i32)> {
        self.searcher.clear();
        let limits = Limits { moves: moves.to_vec(), use_tablebases, ..nodes(LOOK_NODES) };
        let answer = self.searcher.search(history, &limits)?;
        Some((answer.best, answer.score?))
    }

    /// The solution of the position if it is a draw that only one move holds. The line goes on with replies after which
    /// again only one move does, as long as there is one and up to `most` moves of the solver. None if it is no such
    /// position, or if that was not found out.
    pub fn draw(&self, history: &GameHistory<G>, most: u32) -> Option<Solved<G::Move>> {
        let rules = history.rules();
        let (key, refutations) = self.only_holding(history)?;
        let mut line = vec![key];
        let mut seen = vec![rules.search_key(history.position())];
        let mut answered = alone(rules, rules.play(history.position(), key));
        for _ in 1..most {
            let after = |reply: G::Move| {
                let next = alone(rules, rules.play(answered.position(), reply));
                let is_new =
                    next.outcome().is_none() && !seen.contains(&rules.search_key(next.position()));
                let (only, _) = is_new.then(|| self.only_holding(&next)).flatten()?;
                Some((reply, next, only))
            };
            let replies =
                if answered.outcome().is_none() { answered.legal_move_list() } else { Vec::new() };
            let Some((reply, next, only)) = replies.into_iter().find_map(after) else { break };
            seen.push(rules.search_key(next.position()));
            line.extend([reply, only]);
            answered = alone(rules, rules.play(next.position(), only));
        }
        Some(Solved { line, refutations })
    }

    /// The move of a drawn position after every other one of which the opponent wins, and the proof of that.
    fn only_holding(&self, history: &GameHistory<G>) -> Option<(G::Move, Replies<G::Move>)> {
        let (mover, moves) = (history.side_to_move(), history.legal_move_list());
        if !knows_draws(history.rules().as_ref(), history.position())
            || moves.len() < 2
            || self.control.is_stopped()
        {
            return None;
        }
        let (key, score) = self.look(history, &moves, true)?;
        let is_decided =
            is_proven(score) || is_known_by_tables(score) || (self.is_hasty && score.abs() > HOPE);
        let others: Vec<G::Move> = moves.into_iter().filter(|&mv| mv != key).collect();
        if is_decided || self.look(history, &others, true)?.1 > -HOPE {
            return None;
        }
        let claimed = |side, moves, claim| match self.wins(history, side, moves) {
            Verdict::Proved(proof) if proof.claim == claim => Some(proof),
            _ => None,
        };
        let lost = claimed(!mover, others, Claim::Win)?;
        claimed(!mover, vec![key], Claim::Disproved)?;
        claimed(mover, Vec::new(), Claim::Disproved)?;
        Some((key, lost.replies))
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
            if self.length_by_values(&next).is_some_and(|left| left < length - 1) {
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
