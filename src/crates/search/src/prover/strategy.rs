//! Finds the strategy behind the answer to a question: the replies by which one side upholds the
//! answer.

use std::collections::{HashMap, HashSet};

use crate::opening_book::PositionOrbit;
use pentarch_core::{HasTurn, Searchable, Symmetry};

use super::dfpn::DfpnSolver;
use super::proof_numbers::ProofNumbers;
use super::question::{KnownResult, SearchStopped};
use super::verify::RepliesByKey;

/// The index that stands for no node.
const NO_NODE_INDEX: u32 = u32::MAX;

/// A node of the graph: a position that can occur if the upholding side plays its replies.
#[derive(Debug)]
struct StrategyNode<P> {
    position: P,
    /// The number of plies from the root to this position, on the first path found.
    ply: u32,
    /// The indices of the nodes one move before this node.
    parents: Vec<u32>,
    /// The index of the node after the upholding side's reply, once this reply is chosen.
    reply: u32,
    state: StrategyNodeState,
}

/// The knowledge about a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum StrategyNodeState {
    /// The node is not known to be won. If the claim is a win, the field is the number of the
    /// node's children that are not yet known to be won; otherwise it is 0.
    Open(u32),
    /// The attacker wins from this node within this number of plies.
    Won(u32),
}

/// The state of a node whose expected win was not found. The number of children is so large that
/// retrograde analysis never makes the node won.
const NOT_WON_STATE: StrategyNodeState = StrategyNodeState::Open(u32::MAX);

/// The graph of the positions that can occur if the upholding side plays its replies. Each position
/// is a single node.
struct StrategyGraph<'s, 'a, 'e, G: Searchable> {
    solver: &'s mut DfpnSolver<'a, 'e, G>,
    /// The keys of positions that an earlier graph has found to be won. In that graph, the wins of
    /// these positions led to ends of the game.
    well_founded: &'s HashSet<u64>,
    nodes: Vec<StrategyNode<G::Position>>,
    /// The indices of the nodes, by key.
    indices: HashMap<u64, u32>,
    symmetries: Vec<Symmetry<G>>,
    /// For each [orbit](PositionOrbit), by its key: the first reply that was found in one of its
    /// positions, mapped to the orbit's canonical image. The map is used only for games whose
    /// results have [conditions](super::result_transfer_conditions).
    orbit_replies: HashMap<u64, G::Move>,
}

/// Returns the attacker's replies that win the position of the question. The search must already
/// have proved the win. The replies lead to the shortest win that the results in the table allow.
/// If results have [conditions](super::result_transfer_conditions), the win need not be the
/// shortest.
///
/// The table may have lost some wins on which other wins rest. Then the other wins seem to depend
/// on each other in a cycle, and the result is `None`. In this case all wins that lead to no end of
/// the game are removed from the table. The keys of all other wins are added to `well_founded`, so
/// that the next call needs no table entries for them.
///
/// # Errors
/// If the search must end before the replies are found.
pub fn find_winning_replies<G: Searchable>(
    solver: &mut DfpnSolver<G>,
    well_founded: &mut HashSet<u64>,
) -> Result<Option<RepliesByKey<G::Move>>, SearchStopped> {
    let mut graph = StrategyGraph::new(solver, well_founded);
    let mut at = 0;
    while at < graph.nodes.len() {
        graph.expand_won_node(at)?;
        at += 1;
    }
    graph.find_win_distances();
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
/// The search may have disproved positions that are in fact won. The search counts a repetition as
/// a disproof, but the repetition may occur on one path to a position and not on another (the graph
/// history interaction problem). So this function follows all moves of the attacker until the game
/// is over or an earlier position occurs. If the function finds a win, the defender takes another
/// reply on the path to this win.
///
/// # Errors
/// If the search must end before the replies are found.
pub fn find_refuting_replies<G: Searchable>(
    solver: &mut DfpnSolver<G>,
) -> Result<Option<RepliesByKey<G::Move>>, SearchStopped> {
    let well_founded = HashSet::new();
    let mut graph = StrategyGraph::new(solver, &well_founded);
    let mut at = 0;
    while at < graph.nodes.len() && graph.nodes[0].state == StrategyNodeState::Open(0) {
        graph.expand_refuted_node(at)?;
        at += 1;
    }
    Ok(if graph.nodes[0].state == StrategyNodeState::Open(0) {
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
        graph.find_or_add_node(root, 0);
        graph
    }

    fn rules(&self) -> &'a G {
        self.solver.question.history.rules()
    }

    fn is_attacker_to_move(&self, position: &G::Position) -> bool {
        position.side_to_move() == self.solver.question.attacker
    }

    /// Returns the index of a position's node. Creates the node if the position is new.
    fn find_or_add_node(&mut self, position: G::Position, ply: u32) -> usize {
        let next = self.nodes.len() as u32;
        let index = *self.indices.entry(self.solver.key(&position, ply)).or_insert(next);
        if index == next {
            self.nodes.push(StrategyNode {
                position,
                ply,
                parents: Vec::new(),
                reply: NO_NODE_INDEX,
                state: StrategyNodeState::Open(0),
            });
        }
        index as usize
    }

    /// Makes the node `parent` a parent of the node of the position `child`. Returns the index of
    /// the child's node.
    fn link_to_parent(&mut self, parent: usize, child: G::Position, ply: u32) -> usize {
        let index = self.find_or_add_node(child, ply);
        self.nodes[index].parents.push(parent as u32);
        index
    }

    /// Returns the parents of a node, the most recently added parent first.
    fn parents(&self, at: usize) -> Vec<usize> {
        self.nodes[at].parents.iter().rev().map(|&parent| parent as usize).collect()
    }

    /// Returns the result of a node if it is known without a search. The moves of such a node need
    /// not be followed.
    fn known_result(&self, at: usize) -> Option<KnownResult> {
        // The root never has a known result here: the question is about the root, so its moves must
        // be followed.
        if at == 0 { None } else { self.solver.known_result(&self.nodes[at].position) }
    }

    /// Adds the children of a node that is known to be won. If the defender moves, these are the
    /// positions after all of its moves. If the attacker moves, these are the positions after the
    /// moves that are known to win. Results that the table has lost are computed again. If these
    /// results do not show a win, the node gets the state [`NOT_WON_STATE`].
    fn expand_won_node(&mut self, at: usize) -> Result<(), SearchStopped> {
        let StrategyNode { position, ply, .. } = self.nodes[at];
        if let Some(known) = self.known_result(at) {
            self.nodes[at].state = if let KnownResult::Won(plies) = known {
                StrategyNodeState::Won(plies)
            } else {
                NOT_WON_STATE
            };
            return Ok(());
        }
        let is_attacker_to_move = self.is_attacker_to_move(&position);
        let mut open = self.link_won_children(at, is_attacker_to_move)?;
        if is_attacker_to_move && open == 0 {
            // The table has lost the result of the winning move. So the position is searched again.
            self.solver.solve(&position, ply)?;
            open = self.link_won_children(at, true)?;
        }
        self.nodes[at].state = if open > 0 { StrategyNodeState::Open(open) } else { NOT_WON_STATE };
        Ok(())
    }

    /// Makes `at` a parent of its won children. If the defender moves, children that are not known
    /// to be won are searched first. Returns the number of won children, or 0 if the defender moves
    /// and one child is not won.
    fn link_won_children(
        &mut self,
        at: usize,
        is_attacker_to_move: bool,
    ) -> Result<u32, SearchStopped> {
        let StrategyNode { position, ply, .. } = self.nodes[at];
        if is_attacker_to_move && self.rules().position_bans(&position).is_some() {
            return Ok(self.link_orbit_reply(at));
        }
        let mut won = 0;
        for child in self.solver.children(&position, ply) {
            let is_won = self.is_won(&child, ply + 1);
            if is_won || (!is_attacker_to_move && self.solver.solve(&child, ply + 1)?) {
                self.link_to_parent(at, child, ply + 1);
                won += 1;
            } else if !is_attacker_to_move {
                return Ok(0);
            }
        }
        Ok(won)
    }

    /// Makes a node of the attacker a parent of one won child, and returns 1. Returns 0 if there is
    /// no won child. If the first reply in the [orbit](PositionOrbit) of the position also wins
    /// here, this reply is chosen. So fewer positions occur, and an opening book needs fewer moves.
    fn link_orbit_reply(&mut self, at: usize) -> u32 {
        let StrategyNode { position, ply, .. } = self.nodes[at];
        let rules = self.rules();
        let orbit = PositionOrbit::new(rules, &self.symmetries, &position);
        let moves = self.solver.moves(&position, ply);
        let first =
            self.orbit_replies.get(&orbit.key).map(|&mv| orbit.map_move_from_image(rules, mv));
        let first = first.filter(|mv| moves.contains(mv));
        let next = |mv| rules.play(&position, mv);
        let mut candidates = first.into_iter().chain(moves);
        let Some(mv) = candidates.find(|&mv| self.is_won(&next(mv), ply + 1)) else { return 0 };
        self.orbit_replies.entry(orbit.key).or_insert(orbit.map_move_to_image(rules, mv));
        self.link_to_parent(at, next(mv), ply + 1);
        1
    }

    /// Computes the distance to mate of all won nodes by retrograde analysis. The analysis starts
    /// from the nodes whose result is known without a search. A node becomes won only through nodes
    /// that are already known to be won.
    fn find_win_distances(&mut self) {
        let mut by_plies: Vec<Vec<usize>> = Vec::new();
        let put = |by_plies: &mut Vec<Vec<usize>>, at: usize, plies: u32| {
            by_plies.resize_with(by_plies.len().max(plies as usize + 1), Vec::new);
            by_plies[plies as usize].push(at);
        };
        for (at, node) in self.nodes.iter().enumerate() {
            if let StrategyNodeState::Won(plies) = node.state {
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
                    let StrategyNodeState::Open(open) = node.state else { continue };
                    if is_attacker_to_move || open == 1 {
                        node.state = StrategyNodeState::Won(plies + 1);
                        node.reply = at as u32;
                        put(&mut by_plies, parent, plies + 1);
                    } else {
                        node.state = StrategyNodeState::Open(open - 1);
                    }
                }
            }
            plies += 1;
        }
    }

    /// Returns whether the search has already found this position to be won.
    fn is_won(&self, position: &G::Position, ply: u32) -> bool {
        self.well_founded.contains(&self.solver.key(position, ply))
            || self.solver.node_result(position, ply).numbers.proof == 0
    }

    /// Removes from the table the positions that were considered won but not reached by retrograde
    /// analysis. Returns the keys of the reached positions.
    fn forget_unfounded_wins(&mut self) -> Vec<u64> {
        let mut well_founded = Vec::new();
        for node in &self.nodes {
            match node.state {
                StrategyNodeState::Won(_) => {
                    well_founded.push(self.solver.key(&node.position, node.ply))
                }
                StrategyNodeState::Open(_) => self.solver.forget_position(&node.position, node.ply),
            }
        }
        well_founded
    }

    /// Returns the attacker's replies to all positions that can occur when the attacker plays them.
    /// Returns `None` if the root is not found to be won.
    fn winning_replies(&self) -> Option<RepliesByKey<G::Move>> {
        let rules = self.rules();
        let root = self.nodes.first()?.position;
        let root_key = rules.search_key(&root);
        let after_root: Vec<u64> =
            self.solver.children(&root, 0).iter().map(|next| rules.search_key(next)).collect();
        // When the position of the root occurs again, all moves are allowed in it, and tables may
        // contain it.
        let has_usable_reply = |node: &StrategyNode<G::Position>| {
            self.nodes.get(node.reply as usize).is_some_and(|next| {
                rules.search_key(&node.position) != root_key
                    || after_root.contains(&rules.search_key(&next.position))
            })
        };
        // If the number of plies is limited, a position can have several nodes, one for each number
        // of remaining plies. The reply of the node with the shortest win is chosen.
        let mut shortest: HashMap<u64, (u32, usize)> = HashMap::new();
        for (at, node) in
            self.nodes.iter().enumerate().filter(|(_, node)| {
                self.is_attacker_to_move(&node.position) && has_usable_reply(node)
            })
        {
            if let StrategyNodeState::Won(plies) = node.state {
                let best = shortest.entry(rules.search_key(&node.position)).or_insert((plies, at));
                *best = (*best).min((plies, at));
            }
        }
        // Replies are stored only for positions to which the earlier replies can lead.
        let mut replies = RepliesByKey::new();
        let mut stack = vec![root];
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

    /// Adds the children of a node that is not known to be won. If the attacker moves, these are
    /// the positions after all of its moves. If the defender moves, this is the position after one
    /// reply. If the node turns out to be won, marks the node as won.
    fn expand_refuted_node(&mut self, at: usize) -> Result<(), SearchStopped> {
        let StrategyNode { position, ply, state, .. } = self.nodes[at];
        if state != StrategyNodeState::Open(0) || self.known_result(at).is_some() {
            return Ok(());
        }
        if !self.is_attacker_to_move(&position) {
            return if self.choose_refuting_reply(at)? { Ok(()) } else { self.mark_won(at) };
        }
        for child in self.solver.children(&position, ply) {
            if self.solver.node_result(&child, ply + 1).numbers.proof == 0 {
                return self.mark_won(at);
            }
            self.link_to_parent(at, child, ply + 1);
        }
        Ok(())
    }

    /// Chooses a reply of the defender in a position that is not known to be won. Prefers a reply
    /// to a position that already has a node. Returns whether there is a reply.
    fn choose_refuting_reply(&mut self, at: usize) -> Result<bool, SearchStopped> {
        let StrategyNode { position, ply, .. } = self.nodes[at];
        let children = self.solver.children(&position, ply);
        let index =
            |graph: &Self, child| graph.indices.get(&graph.solver.key(child, ply + 1)).copied();
        let is_open_node = |graph: &Self, child| {
            index(graph, child).is_some_and(|index| {
                graph.nodes[index as usize].state == StrategyNodeState::Open(0)
            })
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
        let reply = self.link_to_parent(at, child, ply + 1);
        self.nodes[at].reply = reply as u32;
        Ok(true)
    }

    /// Marks a node as won, and then all nodes that are won because of it. A parent is won in two
    /// cases: the attacker is to move, or the defender is to move and all other replies are already
    /// known to lose.
    fn mark_won(&mut self, at: usize) -> Result<(), SearchStopped> {
        let mut won = vec![at];
        while let Some(at) = won.pop() {
            let StrategyNode { position, ply, state, .. } = self.nodes[at];
            if state != StrategyNodeState::Open(0) {
                continue;
            }
            self.nodes[at].state = StrategyNodeState::Won(0);
            self.solver.store_final_numbers(&position, ply, ProofNumbers::PROVED_PROOF_NUMBERS);
            for parent in self.parents(at) {
                let is_attacker_to_move = self.is_attacker_to_move(&self.nodes[parent].position);
                if is_attacker_to_move
                    || (self.nodes[parent].reply == at as u32
                        && !self.choose_refuting_reply(parent)?)
                {
                    won.push(parent);
                }
            }
        }
        Ok(())
    }

    /// Returns the defender's replies to all positions that can occur when the defender plays them.
    fn refuting_replies(&self) -> RepliesByKey<G::Move> {
        let rules = self.rules();
        let mut replies = RepliesByKey::new();
        let mut moves = Vec::new();
        for node in self
            .nodes
            .iter()
            .filter(|node| node.state == StrategyNodeState::Open(0) && node.reply != NO_NODE_INDEX)
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
