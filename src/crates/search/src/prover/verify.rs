//! The independent verification of a claim. The verification uses only the rules and a list of
//! replies, and no result of the search that found the replies.

use std::collections::HashMap;

use thiserror::Error;

use pentarch_core::{HasTurn, Rules, Searchable};

use super::ProofClaim;
use super::question::{KnownResult, ProofQuestion};

/// The replies of the side that upholds a claim. Each key is the search key of the position before
/// the reply. For a win the replies are the attacker's, for a disproof the defender's.
pub type RepliesByKey<M> = HashMap<u64, M>;

/// The distances to mate in plies, if the loser resists as long as possible. Each key is the search
/// key of a position in the win.
pub type WinDistancesByKey = HashMap<u64, u32>;

/// The reason why a claim is not upheld. `P` is the game's position type, or the string of a
/// position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum ProofError<P> {
    /// The game is over in the position of the claim.
    #[error("the game is over in the position {0}")]
    Over(P),
    /// There is no reply to this position, although the position can occur.
    #[error("there is no reply to the position {0}")]
    NoReply(P),
    /// The reply to this position is not a legal move.
    #[error("the reply to the position {0} is not legal")]
    IllegalReply(P),
    /// The game ends or reaches a known result in this position, but not as claimed.
    #[error("the position {0} is not as claimed")]
    BadEnd(P),
    /// The replies of a claimed win can lead back to an earlier position.
    #[error("the replies can lead back to an earlier position")]
    Cycle,
    /// This position has the key of another position, so that the two cannot be distinguished.
    #[error("another position has the key of the position {0}")]
    SameKey(P),
    /// The verification was stopped.
    #[error("stopped")]
    Stopped,
}

impl<P> ProofError<P> {
    /// Returns the same error with the position converted, for example to its string.
    pub fn map<Q>(self, convert: impl FnOnce(P) -> Q) -> ProofError<Q> {
        match self {
            ProofError::Over(position) => ProofError::Over(convert(position)),
            ProofError::NoReply(position) => ProofError::NoReply(convert(position)),
            ProofError::IllegalReply(position) => ProofError::IllegalReply(convert(position)),
            ProofError::BadEnd(position) => ProofError::BadEnd(convert(position)),
            ProofError::Cycle => ProofError::Cycle,
            ProofError::SameKey(position) => ProofError::SameKey(convert(position)),
            ProofError::Stopped => ProofError::Stopped,
        }
    }
}

/// The size of a verified claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProofSize {
    /// The number of different positions.
    pub positions: usize,
    /// The number of positions that needed a reply.
    pub replies: usize,
    /// The maximum number of plies that the win takes; 0 for a disproof.
    pub plies: u32,
}

/// A position that can occur.
struct ReachedProofNode<P> {
    position: P,
    /// The index of the node's first child in the list of all children. The node's children end
    /// where the next node's children begin.
    children: usize,
    /// The distance to mate in plies if the line of play ends at this node in a win; `None` if the
    /// line does not end here.
    end: Option<u32>,
}

/// A function that returns the reply to a position, if there is one.
pub type StrategyFn<'a, G> = &'a dyn Fn(&<G as Rules>::Position) -> Option<<G as Rules>::Move>;

/// A claim that was verified.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VerifiedClaim {
    /// The size of the claim.
    pub size: ProofSize,
    /// The distances to mate from the positions of the claim; empty for a disproof.
    pub distances: WinDistancesByKey,
}

/// The result of a verification.
pub type VerifyResult<P> = Result<VerifiedClaim, ProofError<P>>;

/// Verifies a claim by playing all moves of the other side against the replies.
///
/// A win is upheld if all lines of play end in wins, and if no line contains a position twice in
/// the sense of the repetition rule. Then the win does not depend on that rule. A disproof is
/// upheld if no line of play ends in a win, however long it is.
///
/// Positions are distinguished by their 64-bit keys. If two positions have the same key, the claim
/// is not upheld.
///
/// # Errors
/// The first error that is found.
pub fn verify_claim<G: Searchable>(
    question: &ProofQuestion<G>,
    claim: ProofClaim,
    reply: StrategyFn<G>,
    stopped: &dyn Fn() -> bool,
) -> VerifyResult<G::Position> {
    let rules = question.history.rules();
    let repeated = question.history.repeated_keys();
    let root = *question.history.position();
    if question.history.outcome().is_some() {
        return Err(ProofError::Over(root));
    }
    let mut nodes = vec![ReachedProofNode { position: root, children: 0, end: None }];
    // If the next occurrence of the root ends the game, this occurrence is a separate node.
    let next_root_ends_game = question.game_over_result(&root, &repeated).is_some();
    let root_index = (!next_root_ends_game).then(|| (rules.search_key(&root), 0));
    let mut indices: HashMap<u64, usize> = root_index.into_iter().collect();
    let mut children: Vec<u32> = Vec::new();
    let mut moves = Vec::new();
    let mut replies = 0;
    let mut at = 0;
    while let Some(&ReachedProofNode { position, .. }) = nodes.get(at) {
        if at % 1024 == 0 && stopped() {
            return Err(ProofError::Stopped);
        }
        nodes[at].children = children.len();
        let known = if at == 0 { None } else { question.known_result(&position, &repeated) };
        match known {
            Some(KnownResult::Won(plies)) if claim == ProofClaim::Win => {
                nodes[at].end = Some(plies)
            }
            Some(KnownResult::NotWon) if claim == ProofClaim::Disproved => {}
            Some(_) => return Err(ProofError::BadEnd(position)),
            None => {
                list_claim_moves(question, at == 0, &position, &mut moves);
                if position.side_to_move() == claim.claiming_side(question) {
                    keep_only_reply::<G>(&position, reply, &mut moves)?;
                    replies += 1;
                }
                for &mv in &moves {
                    let child = rules.play(&position, mv);
                    let index = *indices.entry(rules.search_key(&child)).or_insert_with(|| {
                        nodes.push(ReachedProofNode { position: child, children: 0, end: None });
                        nodes.len() - 1
                    });
                    check_no_key_collision(rules.as_ref(), &nodes[index].position, child)?;
                    children.push(index as u32);
                }
            }
        }
        at += 1;
    }
    let distances = match claim {
        ProofClaim::Win => compute_win_distances(question, &nodes, &children)?,
        ProofClaim::Disproved => WinDistancesByKey::new(),
    };
    let plies = distances.get(&rules.search_key(&root)).copied().unwrap_or(0);
    Ok(VerifiedClaim { size: ProofSize { positions: nodes.len(), replies, plies }, distances })
}

/// Lists the moves of a position that the claim is about: all legal moves, or at the root the moves
/// of the question.
fn list_claim_moves<G: Searchable>(
    question: &ProofQuestion<G>,
    is_root: bool,
    position: &G::Position,
    moves: &mut Vec<G::Move>,
) {
    moves.clear();
    if is_root && !question.moves.is_empty() {
        moves.extend(&question.moves);
    } else {
        question.history.rules().legal_moves(position, moves);
    }
}

/// Checks that a position equals the earlier position with the same key.
///
/// # Errors
/// If the positions differ.
fn check_no_key_collision<G: Searchable>(
    rules: &G,
    known: &G::Position,
    position: G::Position,
) -> Result<(), ProofError<G::Position>> {
    let is_same = rules.search_key_position(known) == rules.search_key_position(&position);
    if is_same { Ok(()) } else { Err(ProofError::SameKey(position)) }
}

/// Removes all moves from the list except the reply to the position.
///
/// # Errors
/// If there is no reply, or if the reply is not one of the moves.
fn keep_only_reply<G: Searchable>(
    position: &G::Position,
    reply: StrategyFn<G>,
    moves: &mut Vec<G::Move>,
) -> Result<(), ProofError<G::Position>> {
    let reply = reply(position).ok_or(ProofError::NoReply(*position))?;
    if !moves.contains(&reply) {
        return Err(ProofError::IllegalReply(*position));
    }
    moves.clear();
    moves.push(reply);
    Ok(())
}

/// Returns the length of the longest line of play from each position to its end.
///
/// Positions that are equal for the repetition rule form one class. The classes are sorted
/// topologically (Kahn, 1962): moves lead only to later classes. Then the lengths are computed
/// backwards from the ends.
///
/// # Errors
/// If a line of play can lead back to a class, because then the classes cannot be sorted.
fn compute_win_distances<G: Searchable>(
    question: &ProofQuestion<G>,
    nodes: &[ReachedProofNode<G::Position>],
    children: &[u32],
) -> Result<WinDistancesByKey, ProofError<G::Position>> {
    let mut numbers = HashMap::new();
    let number = |node: &ReachedProofNode<G::Position>| {
        let next = numbers.len() as u32;
        *numbers.entry(question.history.rules().repetition_key(&node.position)).or_insert(next)
    };
    let classes: Vec<u32> = nodes.iter().map(number).collect();
    let mut class_members = vec![Vec::new(); numbers.len()];
    let mut in_degrees = vec![0; numbers.len()];
    let children_of = |at: usize| {
        let end = nodes.get(at + 1).map_or(children.len(), |next| next.children);
        children[nodes[at].children..end].iter().map(|&child| child as usize)
    };
    let class = |at: usize| classes[at] as usize;
    for at in 0..nodes.len() {
        class_members[class(at)].push(at);
        children_of(at).for_each(|child| in_degrees[class(child)] += 1);
    }
    let mut order: Vec<usize> =
        (0..class_members.len()).filter(|&class| in_degrees[class] == 0).collect();
    let mut next = 0;
    while let Some(&first) = order.get(next) {
        for child in class_members[first].iter().flat_map(|&at| children_of(at)) {
            in_degrees[class(child)] -= 1;
            if in_degrees[class(child)] == 0 {
                order.push(class(child));
            }
        }
        next += 1;
    }
    // If the graph has a cycle, the in-degrees of the classes in the cycle never become 0, so
    // `order` does not contain them.
    if order.len() < class_members.len() {
        return Err(ProofError::Cycle);
    }
    let mut plies = vec![0; nodes.len()];
    for at in order.iter().rev().flat_map(|&class| &class_members[class]).copied() {
        plies[at] =
            nodes[at].end.or(children_of(at).map(|child| 1 + plies[child]).max()).unwrap_or(0);
    }
    let rules = question.history.rules();
    Ok(nodes.iter().map(|node| rules.search_key(&node.position)).zip(plies).collect())
}
