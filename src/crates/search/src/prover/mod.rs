//! The prover: proves by proof-number search that one side, the attacker, can force a win, or that
//! it cannot.
//!
//! | module | contents |
//! |---|---|
//! | [`proof_numbers`] | proof and disproof numbers |
//! | [`question`] | the question, and the budget for the answer |
//! | [`dfpn`] | depth-first proof-number search |
//! | [`proof_table`] | the table of proof numbers by position |
//! | [`ban_conditions`] | the bans of a position under which a result holds in it |
//! | [`strategy`] | from a settled question to the replies that uphold the answer |
//! | [`verify`](mod@verify) | the independent verification of an answer |
//! | [`book_builder`] | building an opening book from the proof of a win |
//!
//! One side upholds a claim: it has a reply to everything that the other side can do.
//!
//! - The attacker upholds a win: every line of play ends in a win, and none returns to an earlier
//!   position. So the win does not depend on the rules for repetition. Only positions that have
//!   occurred at least twice before the question are treated according to these rules, because
//!   their next occurrence can end the game.
//! - The defender upholds a disproof: no line of play ends in a win, however long it is. An
//!   attacker that could win only by repeating positions does not win in this sense.

pub mod ban_conditions;
pub mod book_builder;
pub mod dfpn;
pub mod proof_numbers;
pub mod proof_table;
pub mod question;
pub mod strategy;
pub mod verify;

use std::collections::HashSet;

use pentarch_core::{Searchable, Side, Turn};

use dfpn::DfpnSolver;
use proof_table::ProofTable;
use question::{ProofBudget, ProofQuestion, SearchStopped};
use verify::{ProofError, ProofSize, Replies, VerifiedClaim, WinDistances};

/// A claim about the attacker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Claim {
    /// The attacker can force a win.
    Win,
    /// The attacker cannot force a win.
    Disproved,
}

impl Claim {
    /// Returns the side that upholds the claim: it must have a reply to everything that the other
    /// side can do.
    pub fn claiming_side<G: Searchable>(self, question: &ProofQuestion<G>) -> Side {
        if self == Claim::Win { question.attacker } else { !question.attacker }
    }
}

/// A [verified](verify::verify_claim) claim.
#[derive(Debug)]
pub struct Proof<M> {
    /// The claim that is proved.
    pub claim: Claim,
    /// The side for which the rules were [relaxed](ProofQuestion::relaxation_for), if the proof was
    /// found under such rules.
    pub relaxed: Option<Side>,
    /// The replies of the side that upholds the claim, to positions under the rules of the proof.
    pub replies: Replies<M>,
    /// The size of the proof, according to its verification.
    pub size: ProofSize,
    /// The distance to mate from each position of a win.
    distances: WinDistances,
}

impl<M: Copy + PartialEq> Proof<M> {
    /// Returns a line of longest resistance to a proved win, up to where tables take over.
    pub fn principal_variation<G: Searchable<Move = M>>(
        &self,
        question: &ProofQuestion<G>,
    ) -> Vec<M> {
        let rules = question.history.rules();
        let mut position = *question.history.position();
        let mut pv = Vec::new();
        let mut moves = Vec::new();
        let distance = |position: &G::Position, mv| {
            self.distances.get(&rules.search_key(&rules.play(position, mv)))
        };
        loop {
            moves.clear();
            if self.distances.get(&rules.search_key(&position)).is_some_and(|&plies| plies > 0) {
                rules.legal_moves(&position, &mut moves);
            }
            let next = match position.side_to_move() == question.attacker {
                true => self
                    .replies
                    .get(&rules.search_key(&position))
                    .copied()
                    .filter(|reply| moves.contains(reply)),
                false => moves.iter().copied().max_by_key(|&mv| distance(&position, mv)),
            };
            let Some(mv) = next else { return pv };
            pv.push(mv);
            position = rules.play(&position, mv);
        }
    }
}

/// The answer to a [`ProofQuestion`].
#[derive(Debug)]
pub enum Verdict<M> {
    /// One of the two claims is proved.
    Proved(Proof<M>),
    /// There is no win within the plies of the question.
    NotWithin,
    /// Neither claim is proved: the search was stopped, its nodes or its table were not enough, or
    /// it found only a win whose lines repeat positions.
    Open,
}

/// Answers a question. The table may already contain results of the same question; its number of
/// plies may have been different.
///
/// If the game has [relaxed rules](ProofQuestion::relaxation_for) for the side that upholds a
/// claim, a proof is first searched for under those, because they distinguish fewer positions.
pub fn prove<G: Searchable>(
    question: &ProofQuestion<G>,
    table: &mut ProofTable,
    budget: &mut ProofBudget,
) -> Verdict<G::Move> {
    for claim in [Claim::Win, Claim::Disproved] {
        if let Some(relaxed) = question.relaxation_for(claim.claiming_side(question)) {
            let verdict = prove_under_own_rules(&relaxed, Some(claim), table, budget);
            if matches!(verdict, Verdict::Proved(_)) || budget.is_over() {
                return verdict;
            }
        }
    }
    prove_under_own_rules(question, None, table, budget)
}

/// Answers a question under its own rules. If `only` is given, no other claim is tried.
fn prove_under_own_rules<G: Searchable>(
    question: &ProofQuestion<G>,
    only: Option<Claim>,
    table: &mut ProofTable,
    budget: &mut ProofBudget,
) -> Verdict<G::Move> {
    let found = find_replies(&mut DfpnSolver::new(question, table, budget), only);
    let ClaimWithReplies { claim, replies } = match found {
        Ok(Some(found)) => found,
        Ok(None) if question.plies.is_some() => return Verdict::NotWithin,
        _ => return Verdict::Open,
    };
    let reply = |position: &G::Position| {
        replies.get(&question.history.rules().search_key(position)).copied()
    };
    match verify::verify_claim(question, claim, &reply, &|| budget.control.is_over()) {
        Ok(VerifiedClaim { size, distances }) => {
            Verdict::Proved(Proof { claim, relaxed: question.relaxed, replies, size, distances })
        }
        Err(flaw) => {
            let is_expected = matches!(flaw, ProofError::Cycle | ProofError::Stopped);
            let level = if is_expected { log::Level::Info } else { log::Level::Error };
            log::log!(level, "a claim was not upheld: {flaw:?}");
            Verdict::Open
        }
    }
}

/// A claim, and the replies that uphold it.
struct ClaimWithReplies<M> {
    claim: Claim,
    replies: Replies<M>,
}

/// Returns the claim that answers the question, with its replies; `None` if there is no win within
/// the plies of the question, or if the claim differs from `only`.
///
/// # Errors
/// If the search must end before, or if its table was too small.
fn find_replies<G: Searchable>(
    solver: &mut DfpnSolver<G>,
    only: Option<Claim>,
) -> Result<Option<ClaimWithReplies<G::Move>>, SearchStopped> {
    let root = *solver.question.history.position();
    let mut well_founded = HashSet::new();
    loop {
        if !solver.solve(&root, 0)? {
            if solver.question.plies.is_some() || only == Some(Claim::Win) {
                return Ok(None);
            }
            if let Some(replies) = strategy::find_refuting_replies(solver)? {
                return Ok(Some(ClaimWithReplies { claim: Claim::Disproved, replies }));
            }
        }
        if only == Some(Claim::Disproved) {
            return Ok(None);
        }
        let before = well_founded.len();
        if let Some(replies) = strategy::find_winning_replies(solver, &mut well_founded)? {
            return Ok(Some(ClaimWithReplies { claim: Claim::Win, replies }));
        }
        // The table has lost a part of the proof, which is searched for again, as long as that
        // makes progress.
        if well_founded.len() == before {
            return Err(SearchStopped);
        }
    }
}
