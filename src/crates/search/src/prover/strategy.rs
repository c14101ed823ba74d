//! The strategy behind an answer: from a settled question to the replies that uphold its answer.

use std::collections::{HashMap, HashSet};

use crate::opening_book::Orbit;
use pentarch_core::{Searchable, Symmetry, Turn};

use super::dfpn::DfpnSolver;
use super::proof_numbers::ProofNumbers;
use super::question::{KnownResult, SearchStopped};
use super::verify::Replies;

/// The index that stands for no node.
const NO_NODE: u32 = u32::MAX;

/// A position that can occur while a claim is upheld.
#[derive(Debug)]
struct StrategyNode<P> {
    position: P,
    /// The plies after the root, on the path that was found first.
    ply: u32,
    /// The indices of the nodes from which a move leads here.
    parents: Vec<u32>,
    /// The index of the node to which the reply of the upholding side leads, once the reply is
    /// chosen.
    reply: u32,
    state: NodeState,
}

/// The knowledge about a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum NodeState {
    /// The node is not known to be won. While a win is upheld, this number of its children is not
    /// known to be won.
    Open(u32),
    /// The attacker wins in this number of plies.
    Won(u32),
}

/// The state of a node that retrograde analysis does not find to be won by its children.
const NEVER_WON: NodeState = NodeState::Open(u32::MAX);

/// The graph of the positions that can occur, each of them once.
struct StrategyGraph<'s, 'a, 'e, G: Searchable> {
    solver: &'s mut DfpnSolver<'a, 'e, G>,
    /// The keys of positions that were found to be won by the ends of the game on which they rest.
    well_founded: &'s HashSet<u64>,
    nodes: Vec<StrategyNode<G::Position>>,
    /// The indices of the nodes, by key.
    indices: HashMap<u64, u32>,
    symmetries: Vec<Symmetry<G>>,
    /// The first reply that was found in each [orbit](Orbit), by its key, mapped to its image. It
    /// is used only for games whose results have [conditions](super::ban_conditions).
    orbit_replies: HashMap<u64, G::Move>,
}

/// Returns the attacker's replies that win the position of the question, which must be solved and
/// won. They play the shortest win that the table of the search allows, or some win if results have
/// [conditions](super::ban_conditions).
///
/// The table may have lost some of the wins on which others rest, so that these seem to rest on
/// each other. Then the result is `None`: all wins that rest on no end of the game are removed from
/// the table, and the keys of the others are added to `well_founded`, so that the next call no
/// longer needs the table for them.
///
/// # Errors
/// If the search must end before.
pub fn find_winning_replies<G: Searchable>(
    solver: &mut DfpnSolver<G>,
    well_founded: &mut HashSet<u64>,
) -> Result<Option<Replies<G::Move>>, SearchStopped> {
    let mut graph = StrategyGraph::new(solver, well_founded);
    let mut at = 0;
    while at < graph.nodes.len() {
        graph.expand_won(at)?;
        at += 1;
    }
    graph.find_distances();
    let replies = graph.winning_replies();
    if replies.is_none() {
        let more = graph.forget_unfounded_wins();
        well_founded.extend(more);
    }
    Ok(replies)
}

/// Returns the defender's replies that never let the attacker win; `None` if the attacker wins the
/// position of the question.
///
/// The search may have disproved positions that are won, because a repetition that counted as a
/// disproof occurs on one path to a position and not on another (the graph history interaction
/// problem). So this follows all moves of the attacker until the game is over or an earlier
/// position occurs. If it finds a win, the defender takes another reply on the path to it.
///
/// # Errors
/// If the search must end before.
pub fn find_refuting_replies<G: Searchable>(
    solver: &mut DfpnSolver<G>,
) -> Result<Option<Replies<G::Move>>, SearchStopped> {
    let well_founded = HashSet::new();
    let mut graph = StrategyGraph::new(solver, &well_founded);
    let mut at = 0;
    while at < graph.nodes.len() && graph.nodes[0].state == NodeState::Open(0) {
        graph.expand_refuted(at)?;
        at += 1;
    }
    Ok(if graph.nodes[0].state == NodeState::Open(0) {
        Some(graph.refuting_replies())
    } else {
        None
    })
}

impl<'s, 'a, 'e, G: Searchable> StrategyGraph<'s, 'a, 'e, G> {
    fn new(solver: &'s mut DfpnSolver<'a, 'e, G>, well_founded: &'s HashSet<u64>) -> Self {
        let symmetries = solver.question.history.rules().symmetries();
        let mut graph = StrategyGraph {
            solver,
            well_founded,
            nodes: Vec::new(),
            indices: HashMap::new(),
            symmetries,
            orbit_replies: HashMap::new(),
        };
        let root = *graph.solver.question.history.position();
        graph.node(root, 0);
        graph
    }

    fn rules(&self) -> &'a G {
        self.solver.question.history.rules()
    }

    fn is_attacker_to_move(&self, position: &G::Position) -> bool {
        position.side_to_move() == self.solver.question.attacker
    }

    /// Returns the index of the node of a position. Creates the node if the position is new.
    fn node(&mut self, position: G::Position, ply: u32) -> usize {
        let next = self.nodes.len() as u32;
        let index = *self.indices.entry(self.solver.key(&position, ply)).or_insert(next);
        if index == next {
            self.nodes.push(StrategyNode {
                position,
                ply,
                parents: Vec::new(),
                reply: NO_NODE,
                state: NodeState::Open(0),
            });
        }
        index as usize
    }

    /// Links a position to a node as its parent. Returns the index of the position's node.
    fn link(&mut self, parent: usize, child: G::Position, ply: u32) -> usize {
        let index = self.node(child, ply);
        self.nodes[index].parents.push(parent as u32);
        index
    }

    /// Returns the parents of a node, the last one first.
    fn parents(&self, at: usize) -> Vec<usize> {
        self.nodes[at].parents.iter().rev().map(|&parent| parent as usize).collect()
    }

    /// Returns the result of a node that need not be followed.
    fn known_result(&self, at: usize) -> Option<KnownResult> {
        // The root is always followed, because the question is about it.
        if at == 0 { None } else { self.solver.known_result(&self.nodes[at].position) }
    }

    /// Expands a won node: all moves of the defender, and the moves of the attacker that are known
    /// to win. If the table has lost why the node is won, the node is never found to be won again.
    fn expand_won(&mut self, at: usize) -> Result<(), SearchStopped> {
        let StrategyNode { position, ply, .. } = self.nodes[at];
        if let Some(known) = self.known_result(at) {
            self.nodes[at].state =
                if let KnownResult::Won(plies) = known { NodeState::Won(plies) } else { NEVER_WON };
            return Ok(());
        }
        let is_attacker_to_move = self.is_attacker_to_move(&position);
        let mut open = self.link_won(at, is_attacker_to_move)?;
        if is_attacker_to_move && open == 0 {
            // The table has lost how the position is won.
            self.solver.solve(&position, ply)?;
            open = self.link_won(at, true)?;
        }
        self.nodes[at].state = if open > 0 { NodeState::Open(open) } else { NEVER_WON };
        Ok(())
    }

    /// Links the won children of a node to it. If the defender moves, the children that are not
    /// known to be won are searched. Returns the number of won children; 0 if the defender moves
    /// and one of them is not won.
    fn link_won(&mut self, at: usize, is_attacker_to_move: bool) -> Result<u32, SearchStopped> {
        let StrategyNode { position, ply, .. } = self.nodes[at];
        if is_attacker_to_move && self.rules().bans(&position).is_some() {
            return Ok(self.link_orbit_reply(at));
        }
        let mut won = 0;
        for child in self.solver.children(&position, ply) {
            let is_won = self.is_won(&child, ply + 1);
            if is_won || (!is_attacker_to_move && self.solver.solve(&child, ply + 1)?) {
                self.link(at, child, ply + 1);
                won += 1;
            } else if !is_attacker_to_move {
                return Ok(0);
            }
        }
        Ok(won)
    }

    /// Links a single won child to a node of the attacker, and returns 1; 0 if there is none. If
    /// the first reply in the [orbit](Orbit) of the position also wins here, it is taken, so that
    /// fewer positions occur, and an opening book needs fewer moves.
    fn link_orbit_reply(&mut self, at: usize) -> u32 {
        let StrategyNode { position, ply, .. } = self.nodes[at];
        let rules = self.rules();
        let orbit = Orbit::new(rules, &self.symmetries, &position);
        let moves = self.solver.moves(&position, ply);
        let first = self.orbit_replies.get(&orbit.key).map(|&mv| orbit.move_from_image(rules, mv));
        let first = first.filter(|mv| moves.contains(mv));
        let next = |mv| rules.play(&position, mv);
        let mut candidates = first.into_iter().chain(moves);
        let Some(mv) = candidates.find(|&mv| self.is_won(&next(mv), ply + 1)) else { return 0 };
        self.orbit_replies.entry(orbit.key).or_insert(orbit.move_to_image(rules, mv));
        self.link(at, next(mv), ply + 1);
        1
    }

    /// Finds the distance to mate of all won nodes by retrograde analysis: a node counts as won
    /// only by children that already do.
    fn find_distances(&mut self) {
        let mut by_plies: Vec<Vec<usize>> = Vec::new();
        let put = |by_plies: &mut Vec<Vec<usize>>, at: usize, plies: u32| {
            by_plies.resize_with(by_plies.len().max(plies as usize + 1), Vec::new);
            by_plies[plies as usize].push(at);
        };
        for (at, node) in self.nodes.iter().enumerate() {
            if let NodeState::Won(plies) = node.state {
                put(&mut by_plies, at, plies);
            }
        }
        let mut plies = 0;
        while let Some(level) = by_plies.get_mut(plies as usize).map(std::mem::take) {
            for at in level {
                for parent in self.parents(at) {
                    let is_attacker_to_move =
                        self.is_attacker_to_move(&self.nodes[parent].position);
                    let node = &mut self.nodes[parent];
                    let NodeState::Open(open) = node.state else { continue };
                    if is_attacker_to_move || open == 1 {
                        node.state = NodeState::Won(plies + 1);
                        node.reply = at as u32;
                        put(&mut by_plies, parent, plies + 1);
                    } else {
                        node.state = NodeState::Open(open - 1);
                    }
                }
            }
            plies += 1;
        }
    }

    /// Returns whether a position is known to be won.
    fn is_won(&self, position: &G::Position, ply: u32) -> bool {
        self.well_founded.contains(&self.solver.key(position, ply))
            || self.solver.node_result(position, ply).numbers.proof == 0
    }

    /// Removes the positions from the table that were considered won, but that retrograde analysis
    /// has not reached. Returns the keys of the others.
    fn forget_unfounded_wins(&mut self) -> Vec<u64> {
        let mut well_founded = Vec::new();
        for node in &self.nodes {
            match node.state {
                NodeState::Won(_) => well_founded.push(self.solver.key(&node.position, node.ply)),
                NodeState::Open(_) => self.solver.forget(&node.position, node.ply),
            }
        }
        well_founded
    }

    /// Returns the attacker's replies to all positions that can occur when it plays them; `None` if
    /// the root is not found to be won.
    fn winning_replies(&self) -> Option<Replies<G::Move>> {
        let rules = self.rules();
        // If the plies are limited, a position has a node for each number of remaining plies: the
        // shortest win is played.
        let mut shortest: HashMap<u64, (u32, usize)> = HashMap::new();
        for (at, node) in self
            .nodes
            .iter()
            .enumerate()
            .filter(|(_, node)| self.is_attacker_to_move(&node.position))
        {
            if let NodeState::Won(plies) = node.state {
                let best = shortest.entry(rules.search_key(&node.position)).or_insert((plies, at));
                *best = (*best).min((plies, at));
            }
        }
        let mut replies = Replies::new();
        let mut stack = vec![self.nodes.first()?.position];
        let mut seen = HashSet::new();
        while let Some(position) = stack.pop() {
            let key = rules.search_key(&position);
            if !seen.insert(key)
                || (seen.len() > 1 && self.solver.known_result(&position).is_some())
            {
                continue;
            }
            let mut moves = self.solver.moves(&position, u32::from(seen.len() > 1));
            if self.is_attacker_to_move(&position) {
                let to = &self.nodes[self.nodes[shortest.get(&key)?.1].reply as usize].position;
                let to = rules.search_key(to);
                let reply = *moves
                    .iter()
                    .find(|&&mv| rules.search_key(&rules.play(&position, mv)) == to)?;
                replies.insert(key, reply);
                moves.clear();
                moves.push(reply);
            }
            stack.extend(moves.iter().map(|&mv| rules.play(&position, mv)));
        }
        Some(replies)
    }

    /// Expands a node that is not known to be won: all moves of the attacker, and one reply of the
    /// defender.
    fn expand_refuted(&mut self, at: usize) -> Result<(), SearchStopped> {
        let StrategyNode { position, ply, state, .. } = self.nodes[at];
        if state != NodeState::Open(0) || self.known_result(at).is_some() {
            return Ok(());
        }
        if !self.is_attacker_to_move(&position) {
            return if self.choose_reply(at)? { Ok(()) } else { self.mark_won(at) };
        }
        for child in self.solver.children(&position, ply) {
            if self.solver.node_result(&child, ply + 1).numbers.proof == 0 {
                return self.mark_won(at);
            }
            self.link(at, child, ply + 1);
        }
        Ok(())
    }

    /// Chooses a reply of the defender to a position that is not known to be won, preferably one to
    /// a position that already has a node. Returns whether there is a reply.
    fn choose_reply(&mut self, at: usize) -> Result<bool, SearchStopped> {
        let StrategyNode { position, ply, .. } = self.nodes[at];
        let children = self.solver.children(&position, ply);
        let index =
            |graph: &Self, child| graph.indices.get(&graph.solver.key(child, ply + 1)).copied();
        let is_open_node = |graph: &Self, child| {
            index(graph, child)
                .is_some_and(|index| graph.nodes[index as usize].state == NodeState::Open(0))
        };
        let mut chosen = children.iter().find(|&child| is_open_node(self, child)).copied();
        if chosen.is_none() {
            let mut children = children.iter();
            chosen = children
                .find(|child| self.solver.node_result(child, ply + 1).numbers.disproof == 0)
                .copied();
        }
        for child in children {
            let is_open =
                chosen.is_none() && self.solver.node_result(&child, ply + 1).numbers.proof != 0;
            if is_open && !self.solver.solve(&child, ply + 1)? {
                chosen = Some(child);
            }
        }
        let Some(child) = chosen else { return Ok(false) };
        let reply = self.link(at, child, ply + 1);
        self.nodes[at].reply = reply as u32;
        Ok(true)
    }

    /// Marks a node as won, and all nodes that are won because of it: its parents in which the
    /// attacker moves, and its parents in which the defender has no other reply.
    fn mark_won(&mut self, at: usize) -> Result<(), SearchStopped> {
        let mut won = vec![at];
        while let Some(at) = won.pop() {
            let StrategyNode { position, ply, state, .. } = self.nodes[at];
            if state != NodeState::Open(0) {
                continue;
            }
            self.nodes[at].state = NodeState::Won(0);
            self.solver.store_final(&position, ply, ProofNumbers::PROVED);
            for parent in self.parents(at) {
                let is_attacker_to_move = self.is_attacker_to_move(&self.nodes[parent].position);
                if is_attacker_to_move
                    || (self.nodes[parent].reply == at as u32 && !self.choose_reply(parent)?)
                {
                    won.push(parent);
                }
            }
        }
        Ok(())
    }

    /// Returns the defender's replies to all positions that can occur when it plays them.
    fn refuting_replies(&self) -> Replies<G::Move> {
        let rules = self.rules();
        let mut replies = Replies::new();
        let mut moves = Vec::new();
        for node in self
            .nodes
            .iter()
            .filter(|node| node.state == NodeState::Open(0) && node.reply != NO_NODE)
        {
            let to = rules.search_key(&self.nodes[node.reply as usize].position);
            moves.clear();
            rules.legal_moves(&node.position, &mut moves);
            let reply =
                moves.iter().find(|&&mv| rules.search_key(&rules.play(&node.position, mv)) == to);
            replies.extend(reply.map(|&mv| (rules.search_key(&node.position), mv)));
        }
        replies
    }
}
