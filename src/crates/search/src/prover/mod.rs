//! The prover. It uses proof-number search. A proof shows whether one side, the attacker, can force
//! a win.
//!
//! | module | contents |
//! |---|---|
//! | [`proof_numbers`] | proof and disproof numbers |
//! | [`question`] | the question, and the budget for the answer |
//! | [`dfpn`] | depth-first proof-number search |
//! | [`proof_table`] | the table of proof numbers by position |
//! | [`result_transfer_conditions`] | the conditions on a position's bans under which a result holds |
//! | [`strategy`] | from a settled question to the replies that uphold the answer |
//! | [`verify`](mod@verify) | the independent verification of an answer |
//! | [`book_builder`] | building an opening book from the proof of a win |
//!
//! One side upholds a claim: it has a reply to everything that the other side can do.
//!
//! - The attacker upholds a win: every line of play ends in a win, and none returns to an earlier
//!   position. So the win does not depend on the rules for repetition. The only exceptions are
//!   positions that have occurred at least twice before the question. The rules for repetition
//!   apply to these positions, because their next occurrence can end the game.
//! - The defender upholds a disproof: no line of play ends in a win, however long it is. An
//!   attacker that could win only by repeating positions does not win in this sense.

pub mod book_builder;
pub mod dfpn;
pub mod proof_numbers;
pub mod proof_table;
pub mod question;
pub mod result_transfer_conditions;
pub mod strategy;
pub mod verify;

use std::collections::HashSet;

use pentarch_core::{HasTurn, Searchable, Side};

use dfpn::DfpnSolver;
use proof_table::ProofTable;
use question::{ProofBudget, ProofQuestion, SearchStopped};
use verify::{ProofError, ProofSize, RepliesByKey, VerifiedClaim, WinDistancesByKey};

/// A claim about the attacker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProofClaim {
    /// The attacker can force a win.
    Win,
    /// The attacker cannot force a win.
    Disproved,
}

impl ProofClaim {
    /// Returns the side that upholds the claim. This side must have a reply to everything that the
    /// other side can do.
    pub fn claiming_side<G: Searchable>(self, question: &ProofQuestion<G>) -> Side {
        if self == ProofClaim::Win { question.attacker } else { !question.attacker }
    }
}

/// A [verified](verify::verify_claim) claim.
#[derive(Debug)]
pub struct Proof<M> {
    /// The claim that is proved.
    pub claim: ProofClaim,
    /// The side for which the rules were [relaxed](ProofQuestion::relaxed_question_for) in this
    /// proof; `None` if the proof was found under the game's own rules.
    pub relaxed: Option<Side>,
    /// The replies of the side that upholds the claim. If the proof was found under relaxed rules,
    /// the keys are of positions under these rules.
    pub replies: RepliesByKey<M>,
    /// The size of the proof, as counted by its verification.
    pub size: ProofSize,
    /// The distance to mate from each position that occurs in the win; empty for a disproof.
    distances: WinDistancesByKey,
}

impl<M: Copy + PartialEq> Proof<M> {
    /// Returns a line of the proved win in which the loser resists as long as possible. The line
    /// ends in the first position whose value is in tables.
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
pub enum ProofVerdict<M> {
    /// One of the two claims is proved.
    Proved(Proof<M>),
    /// The attacker cannot force a win within the plies of the question. Whether there is a longer
    /// win is unknown.
    NotWithin,
    /// Neither claim is proved. The search was stopped, its nodes or its table were not enough, or
    /// the search found only a win whose lines repeat positions.
    Open,
}

/// Answers a question. The table may already contain results of the same question, even for another
/// number of plies.
///
/// If the game has [relaxed rules](ProofQuestion::relaxed_question_for) for the side that upholds a
/// claim, the function first searches for a proof under the relaxed rules. These rules distinguish
/// fewer positions, so the search is smaller.
pub fn prove<G: Searchable>(
    question: &ProofQuestion<G>,
    table: &mut ProofTable,
    budget: &mut ProofBudget,
) -> ProofVerdict<G::Move> {
    for claim in [ProofClaim::Win, ProofClaim::Disproved] {
        if let Some(relaxed) = question.relaxed_question_for(claim.claiming_side(question)) {
            let verdict = prove_under_question_rules(&relaxed, Some(claim), table, budget);
            if matches!(verdict, ProofVerdict::Proved(_)) || budget.is_over() {
                return verdict;
            }
        }
    }
    prove_under_question_rules(question, None, table, budget)
}

/// Answers a question under the question's own rules. If `only` is given, the function tries to
/// prove only this claim.
fn prove_under_question_rules<G: Searchable>(
    question: &ProofQuestion<G>,
    only: Option<ProofClaim>,
    table: &mut ProofTable,
    budget: &mut ProofBudget,
) -> ProofVerdict<G::Move> {
    let found = find_claim_with_replies(&mut DfpnSolver::new(question, table, budget), only);
    let ClaimWithReplies { claim, replies } = match found {
        Ok(Some(found)) => found,
        Ok(None) if question.plies.is_some() => return ProofVerdict::NotWithin,
        _ => return ProofVerdict::Open,
    };
    let reply = |position: &G::Position| {
        replies.get(&question.history.rules().search_key(position)).copied()
    };
    match verify::verify_claim(question, claim, &reply, &|| budget.control.is_over()) {
        Ok(VerifiedClaim { size, distances }) => ProofVerdict::Proved(Proof {
            claim,
            relaxed: question.relaxed,
            replies,
            size,
            distances,
        }),
        Err(flaw) => {
            let is_expected = matches!(flaw, ProofError::Cycle | ProofError::Stopped);
            let level = if is_expected { log::Level::Info } else { log::Level::Error };
            log::log!(level, "a claim was not upheld: {flaw:?}");
            ProofVerdict::Open
        }
    }
}

struct ClaimWithReplies<M> {
    claim: ProofClaim,
    replies: RepliesByKey<M>,
}

/// Returns the claim that answers the question, with its replies. Returns `None` if there is no win
/// within the plies of the question, or if the claim differs from `only`.
///
/// # Errors
/// If the search must end before the answer is found, or if its table was too small.
fn find_claim_with_replies<G: Searchable>(
    solver: &mut DfpnSolver<G>,
    only: Option<ProofClaim>,
) -> Result<Option<ClaimWithReplies<G::Move>>, SearchStopped> {
    let root = *solver.question.history.position();
    let mut well_founded = HashSet::new();
    loop {
        if !solver.solve(&root, 0)? {
            if solver.question.plies.is_some() || only == Some(ProofClaim::Win) {
                return Ok(None);
            }
            if let Some(replies) = strategy::find_refuting_replies(solver)? {
                return Ok(Some(ClaimWithReplies { claim: ProofClaim::Disproved, replies }));
            }
        }
        if only == Some(ProofClaim::Disproved) {
            return Ok(None);
        }
        let before = well_founded.len();
        if let Some(replies) = strategy::find_winning_replies(solver, &mut well_founded)? {
            return Ok(Some(ClaimWithReplies { claim: ProofClaim::Win, replies }));
        }
        // The table has lost a part of the proof. The next round of the loop searches for this part
        // again, unless the last round has made no progress.
        if well_founded.len() == before {
            return Err(SearchStopped);
        }
    }
}
