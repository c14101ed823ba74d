//! The independent check of a claim: it knows the rules and a list of replies, and nothing of how they were found.

use std::collections::HashMap;

use thiserror::Error;

use crate::core::Complete;

use super::Claim;
use super::solver::{Known, Question};

/// The replies of the side that upholds a claim, by the search key of the position: the attacker's for a win, the
/// defender's for a refutation.
pub type Replies<M> = HashMap<u64, M>;

/// The most plies to the end of a win from each of its positions, by search key.
pub type Lengths = HashMap<u64, u32>;

/// What is wrong with a claim.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Flaw {
    /// There is nothing to be claimed any more.
    #[error("the game is over in the position {0}")]
    Over(String),
    /// A position that can come about has no reply.
    #[error("no reply is given to the position {0}")]
    NoReply(String),
    /// A reply is no legal move.
    #[error("the reply to the position {0} is not legal")]
    IllegalReply(String),
    /// A line ends otherwise than claimed.
    #[error("the position {0} is not as claimed")]
    BadEnd(String),
    /// A claimed win could go round in circles.
    #[error("the replies can lead back to a position")]
    Cycle,
    /// The check was told to end.
    #[error("stopped")]
    Stopped,
}

/// What a check went through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Checked {
    /// Different positions.
    pub positions: usize,
    /// Those to which a reply is given.
    pub replies: usize,
    /// The most plies that a win takes; 0 for a refutation, which has no end.
    pub plies: u32,
}

/// A position seen.
struct Seen<P> {
    position: P,
    /// Where its children begin in the list of all children.
    children: usize,
    /// The plies to the end if it is one.
    end: Option<u32>,
}

/// Plays all that the other side can do against the replies.
///
/// A win is upheld if all lines end in wins and none meets a position twice, as the rule of repetition compares them:
/// then it holds whatever that rule says. A refutation is upheld if no line ends in a win, however long it goes on.
///
/// Different positions are told apart by their 64-bit keys.
///
/// # Errors
/// What is wrong.
pub fn check<G: Complete>(
    question: &Question<G>,
    claim: Claim,
    reply: impl Fn(&G::Position) -> Option<G::Move>,
    stopped: &impl Fn() -> bool,
) -> Result<(Checked, Lengths), Flaw> {
    let game = question.line.game();
    let twice = question.line.repeated_keys();
    let root = *question.line.position();
    let text = |position: &G::Position| game.position_text(position);
    if question.line.outcome().is_some() {
        return Err(Flaw::Over(text(&root)));
    }
    let mut seen = vec![Seen { position: root, children: 0, end: None }];
    let mut places = HashMap::from([(game.search_key(&root), 0)]);
    let mut children: Vec<u32> = Vec::new();
    let (mut moves, mut replies, mut at) = (Vec::new(), 0, 0);
    while let Some(&Seen { position, .. }) = seen.get(at) {
        if at % 1024 == 0 && stopped() {
            return Err(Flaw::Stopped);
        }
        seen[at].children = children.len();
        let known = if at == 0 { None } else { question.known(&position, &twice) };
        match known {
            Some(Known::Won(plies)) if claim == Claim::Win => seen[at].end = Some(plies),
            Some(Known::NotWon) if claim == Claim::Refuted => {}
            Some(_) => return Err(Flaw::BadEnd(text(&position))),
            None => {
                moves.clear();
                let attacks = game.side_to_move(&position) == question.attacker;
                match at {
                    0 if !question.moves.is_empty() => moves.extend(&question.moves),
                    _ => game.legal_moves(&position, &mut moves),
                }
                if attacks == (claim == Claim::Win) {
                    let reply = reply(&position).ok_or_else(|| Flaw::NoReply(text(&position)))?;
                    if !moves.contains(&reply) {
                        return Err(Flaw::IllegalReply(text(&position)));
                    }
                    replies += 1;
                    moves.clear();
                    moves.push(reply);
                }
                for &mv in &moves {
                    let child = game.play(&position, mv);
                    let place = *places.entry(game.search_key(&child)).or_insert_with(|| {
                        seen.push(Seen { position: child, children: 0, end: None });
                        seen.len() as u32 - 1
                    });
                    children.push(place);
                }
            }
        }
        at += 1;
    }
    let lengths = if claim == Claim::Win { measure(question, &seen, &children)? } else { Lengths::new() };
    let plies = lengths.get(&game.search_key(&root)).copied().unwrap_or(0);
    Ok((Checked { positions: seen.len(), replies, plies }, lengths))
}

/// The longest lines to an end.
///
/// # Errors
/// If a line could come back to a position, as the rule of repetition compares them.
fn measure<G: Complete>(question: &Question<G>, seen: &[Seen<G::Position>], children: &[u32]) -> Result<Lengths, Flaw> {
    let mut numbers = HashMap::new();
    let classes: Vec<u32> = seen
        .iter()
        .map(|seen| {
            let next = numbers.len() as u32;
            *numbers.entry(question.line.game().repetition_key(&seen.position)).or_insert(next)
        })
        .collect();
    let mut members = vec![Vec::new(); numbers.len()];
    let mut ways_in = vec![0; numbers.len()];
    let below = |at: usize| {
        let end = seen.get(at + 1).map_or(children.len(), |next| next.children);
        children[seen[at].children..end].iter().map(|&child| child as usize)
    };
    let class = |at: usize| classes[at] as usize;
    for at in 0..seen.len() {
        members[class(at)].push(at);
        below(at).for_each(|child| ways_in[class(child)] += 1);
    }
    // What nothing leads to any more comes next: a circle never gets its turn.
    let mut order: Vec<usize> = (0..members.len()).filter(|&class| ways_in[class] == 0).collect();
    let mut next = 0;
    while let Some(&first) = order.get(next) {
        for child in members[first].iter().flat_map(|&at| below(at)) {
            ways_in[class(child)] -= 1;
            if ways_in[class(child)] == 0 {
                order.push(class(child));
            }
        }
        next += 1;
    }
    if order.len() < members.len() {
        return Err(Flaw::Cycle);
    }
    let mut plies = vec![0; seen.len()];
    for at in order.iter().rev().flat_map(|&class| &members[class]).copied() {
        plies[at] = seen[at].end.or(below(at).map(|child| 1 + plies[child]).max()).unwrap_or(0);
    }
    let key = |seen: &Seen<G::Position>| question.line.game().search_key(&seen.position);
    Ok(seen.iter().map(key).zip(plies).collect())
}
