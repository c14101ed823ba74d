//! The prover: whether one side can force a win, for any game, and how.
//!
//! | room | what it holds |
//! |---|---|
//! | [`book`] | from a proof to a book for the winner |
//! | [`file`] | proofs as files |
//! | [`numbers`] | proof numbers |
//! | [`table`] | what is known of positions |
//! | [`terms`] | on what terms of the past they are known |
//! | [`solver`] | the depth-first proof-number search |
//! | [`strategy`] | from its table to the replies that uphold the answer |
//! | [`check`] | the independent check of an answer |
//!
//! A win is claimed if the attacker has a reply to whatever the defender does, such that every line ends in a win and
//! none comes back to a position met before. That holds whatever the rules say of repetitions, and whatever was played
//! before, as far as nothing stands for the second time already; what does is counted. A refutation is claimed if the
//! defender has replies by which no line ends in a win, on a closed set of positions. Whoever wins by repetition under
//! the rules of a game does not win in this sense.

pub mod book;
pub mod check;
pub mod file;
pub mod numbers;
pub mod solver;
pub mod strategy;
pub mod table;
pub mod terms;

use crate::core::{Complete, Side};

use check::{Checked, Flaw, Lengths, Replies};
use solver::{Effort, Question, Solver, Stopped};
use table::ProofTable;

/// What is said of the attacker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Claim {
    /// It can force a win.
    Win,
    /// It cannot.
    Refuted,
}

impl Claim {
    /// The side that must have a reply to whatever the other one does.
    pub fn upholder<G: Complete>(self, question: &Question<G>) -> Side {
        if self == Claim::Win { question.attacker } else { !question.attacker }
    }
}

/// A claim that has passed its [check](check::check).
#[derive(Debug)]
pub struct Proof<M> {
    /// What is proved.
    pub claim: Claim,
    /// How: by the positions of rules that are [easier](Question::easier_against) against who upholds it, perhaps.
    pub replies: Replies<M>,
    /// What the check went through.
    pub checked: Checked,
    /// How long a win takes from each of its positions.
    lengths: Lengths,
}

impl<M: Copy + PartialEq> Proof<M> {
    /// A line of the longest resistance to a proved win, as far as no table takes over.
    pub fn main_line<G: Complete<Move = M>>(&self, question: &Question<G>) -> Vec<M> {
        let game = question.line.game();
        let (mut position, mut line, mut moves) = (*question.line.position(), Vec::new(), Vec::new());
        let length = |position: &G::Position, mv| self.lengths.get(&game.search_key(&game.play(position, mv)));
        loop {
            moves.clear();
            if self.lengths.get(&game.search_key(&position)).is_some_and(|&plies| plies > 0) {
                game.legal_moves(&position, &mut moves);
            }
            let next = match game.side_to_move(&position) == question.attacker {
                true => self.replies.get(&game.search_key(&position)).copied().filter(|reply| moves.contains(reply)),
                false => moves.iter().copied().max_by_key(|&mv| length(&position, mv)),
            };
            let Some(mv) = next else { return line };
            line.push(mv);
            position = game.play(&position, mv);
        }
    }
}

/// The answer to a [`Question`].
#[derive(Debug)]
pub enum Verdict<M> {
    /// It is proved.
    Proved(Proof<M>),
    /// There is no win in so few plies. All lines of that length were looked at.
    NotWithin,
    /// It is not known: the search was stopped, its nodes or its table did not suffice, or only a win was found whose
    /// lines repeat positions.
    Open,
}

/// Answers a question. The table may know something already, if it is about the same question or about the same one
/// with other plies.
///
/// Where rules are known that are easier against one side, what that side can uphold under them is looked for first:
/// fewer positions are to be told apart. The replies are those to positions under these rules then.
pub fn prove<G: Complete>(question: &Question<G>, table: &mut ProofTable, effort: &mut Effort) -> Verdict<G::Move> {
    for claim in [Claim::Win, Claim::Refuted] {
        if let Some(easier) = question.easier_against(claim.upholder(question)) {
            let verdict = settle(&easier, Some(claim), table, effort);
            if matches!(verdict, Verdict::Proved(_)) || effort.is_over() {
                return verdict;
            }
        }
    }
    settle(question, None, table, effort)
}

/// Answers a question under its own rules; only with this claim, if there is one.
fn settle<G: Complete>(
    question: &Question<G>,
    only: Option<Claim>,
    table: &mut ProofTable,
    effort: &mut Effort,
) -> Verdict<G::Move> {
    let found = find(&mut Solver::new(question, table, effort), only);
    let (claim, replies) = match found {
        Ok(Some(found)) => found,
        Ok(None) if question.plies.is_some() => return Verdict::NotWithin,
        _ => return Verdict::Open,
    };
    let reply = |position: &G::Position| replies.get(&question.line.game().search_key(position)).copied();
    match check::check(question, claim, reply, &|| effort.control.is_over()) {
        Ok((checked, lengths)) => Verdict::Proved(Proof { claim, replies, checked, lengths }),
        Err(flaw @ (Flaw::Cycle | Flaw::Stopped)) => {
            log::info!("a claim was not upheld: {flaw}");
            Verdict::Open
        }
        Err(flaw) => {
            log::error!("a claim was not upheld: {flaw}");
            Verdict::Open
        }
    }
}

/// A claim, and the replies to uphold it.
type Found<M> = (Claim, Replies<M>);

/// What there is to claim; nothing if there is no win in so few plies, or not what may only be claimed.
fn find<G: Complete>(solver: &mut Solver<G>, only: Option<Claim>) -> Result<Option<Found<G::Move>>, Stopped> {
    let root = *solver.question().line.position();
    if !solver.settle(&root, 0)? {
        if solver.question().plies.is_some() || only == Some(Claim::Win) {
            return Ok(None);
        }
        if let Some(replies) = strategy::refuting(solver)? {
            return Ok(Some((Claim::Refuted, replies)));
        }
    }
    if only == Some(Claim::Refuted) {
        return Ok(None);
    }
    let replies = strategy::winning(solver)?.ok_or(Stopped)?;
    Ok(Some((Claim::Win, replies)))
}

#[cfg(test)]
mod tests;
