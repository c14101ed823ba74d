//! From a settled question to the replies that uphold the answer.

use std::collections::HashMap;

use crate::core::{Complete, Symmetry};
use crate::search::book::Orbit;

use super::check::Replies;
use super::numbers::Numbers;
use super::solver::{Known, Solver, Stopped};

/// No place in a list.
const NONE: u32 = u32::MAX;

/// A position that can come about while a claim is upheld.
#[derive(Debug)]
struct Node<P> {
    position: P,
    /// Plies after the root, on the way that was found first.
    ply: u32,
    /// The first of the ways here, in the list of all links.
    ways_in: u32,
    /// The position that the upholding move leads to, once it is chosen.
    reply: u32,
    state: State,
}

/// What is known of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// So many of its children are not known to be won.
    Open(u32),
    /// The attacker wins in so many plies.
    Won(u32),
}

/// The positions reached, each once, with the ways back.
struct Graph<'s, 'a, 'e, G: Complete> {
    solver: &'s mut Solver<'a, 'e, G>,
    nodes: Vec<Node<G::Position>>,
    places: HashMap<u64, u32>,
    /// Pairs of a position and the next link of the same list.
    links: Vec<(u32, u32)>,
    symmetries: Vec<Symmetry<G>>,
    /// Where pasts matter only on terms: the replies that were found first, by the keys of [orbits](Orbit).
    usual: HashMap<u64, G::Move>,
}

/// The attacker's replies that win the position asked about, which is known to be won: those of the shortest win that
/// the table of the search allows, or of some win where pasts matter only on [terms](super::terms). None if the table
/// was too small to find them again.
///
/// # Errors
/// If the search must end before.
pub fn winning<G: Complete>(solver: &mut Solver<G>) -> Result<Option<Replies<G::Move>>, Stopped> {
    let mut graph = Graph::new(solver);
    let mut at = 0;
    while at < graph.nodes.len() {
        if !graph.expand_won(at)? {
            return Ok(None);
        }
        at += 1;
    }
    graph.measure();
    Ok(graph.winning_replies())
}

/// The defender's replies that never let the attacker win, if it does not win the position asked about; none if it
/// does.
///
/// The search may have taken positions for refuted that are not, where a repetition refuted them on one way and not on
/// another. So all that the attacker can do is followed here, to the end or back to a position met before; where a win
/// turns up, the defender takes another reply further up.
///
/// # Errors
/// If the search must end before.
pub fn refuting<G: Complete>(solver: &mut Solver<G>) -> Result<Option<Replies<G::Move>>, Stopped> {
    let mut graph = Graph::new(solver);
    let mut at = 0;
    while at < graph.nodes.len() && graph.nodes[0].state == State::Open(0) {
        graph.expand_refuted(at)?;
        at += 1;
    }
    Ok(if graph.nodes[0].state == State::Open(0) { Some(graph.refuting_replies()) } else { None })
}

impl<'s, 'a, 'e, G: Complete> Graph<'s, 'a, 'e, G> {
    fn new(solver: &'s mut Solver<'a, 'e, G>) -> Self {
        let symmetries = solver.question().line.game().symmetries();
        let (nodes, places, links, usual) = Default::default();
        let mut graph = Graph { solver, nodes, places, links, symmetries, usual };
        let root = *graph.solver.question().line.position();
        graph.place(root, 0);
        graph
    }

    fn game(&self) -> &'a G {
        self.solver.question().line.game()
    }

    fn attacks(&self, position: &G::Position) -> bool {
        self.game().side_to_move(position) == self.solver.question().attacker
    }

    /// Where a position is kept, from now on if it is new.
    fn place(&mut self, position: G::Position, ply: u32) -> usize {
        let next = self.nodes.len() as u32;
        let place = *self.places.entry(self.solver.key(&position, ply)).or_insert(next);
        if place == next {
            self.nodes.push(Node { position, ply, ways_in: NONE, reply: NONE, state: State::Open(0) });
        }
        place as usize
    }

    /// Notes that one position leads to another; returns where that is kept.
    fn link(&mut self, from: usize, to: G::Position, ply: u32) -> usize {
        let place = self.place(to, ply);
        let next = std::mem::replace(&mut self.nodes[place].ways_in, self.links.len() as u32);
        self.links.push((from as u32, next));
        place
    }

    /// The positions that lead to this one.
    fn parents(&self, at: usize) -> Vec<usize> {
        let link = |at: u32| self.links.get(at as usize).copied();
        let ways = std::iter::successors(link(self.nodes[at].ways_in), |&(_, next)| link(next));
        ways.map(|(from, _)| from as usize).collect()
    }

    fn known(&self, at: usize) -> Option<Known> {
        // The root is what the question is about, whatever it is known to be.
        if at == 0 { None } else { self.solver.known(&self.nodes[at].position) }
    }

    /// Follows a won position: all moves of the defender, and those of the attacker that are known to win.
    fn expand_won(&mut self, at: usize) -> Result<bool, Stopped> {
        let Node { position, ply, .. } = self.nodes[at];
        match self.known(at) {
            Some(Known::Won(plies)) => self.nodes[at].state = State::Won(plies),
            Some(Known::NotWon) => return Ok(false),
            None => {
                let attacks = self.attacks(&position);
                let mut open = self.link_won(at, attacks)?;
                if attacks && open == 0 {
                    // The table has forgotten how it is won.
                    self.solver.settle(&position, ply)?;
                    open = self.link_won(at, true)?;
                }
                self.nodes[at].state = State::Open(open);
                return Ok(open > 0);
            }
        }
        Ok(true)
    }

    /// Links a position with those of its children that are won, looking for a win in all of them if the defender
    /// moves. Returns how many there are; 0 if one of the defender's is not.
    fn link_won(&mut self, at: usize, attacks: bool) -> Result<u32, Stopped> {
        let Node { position, ply, .. } = self.nodes[at];
        if attacks && self.game().forbidden(&position).is_some() {
            return Ok(self.link_usual(at));
        }
        let mut won = 0;
        for child in self.solver.children(&position, ply) {
            let is_won = self.solver.judge(&child, ply + 1).numbers.win == 0;
            if is_won || (!attacks && self.solver.settle(&child, ply + 1)?) {
                self.link(at, child, ply + 1);
                won += 1;
            } else if !attacks {
                return Ok(0);
            }
        }
        Ok(won)
    }

    /// Links a position of the attacker with a single one that is won, by the reply to the first of its
    /// [orbit](Orbit) if that wins: so fewer positions come about, and a book needs fewer moves. Returns how many there
    /// are.
    fn link_usual(&mut self, at: usize) -> u32 {
        let Node { position, ply, .. } = self.nodes[at];
        let game = self.game();
        let orbit = Orbit::new(game, &self.symmetries, &position);
        let moves = self.solver.moves(&position, ply);
        let usual = self.usual.get(&orbit.key).map(|&mv| orbit.back(game, mv)).filter(|usual| moves.contains(usual));
        let next = |mv| game.play(&position, mv);
        let wins = |&mv: &G::Move| self.solver.judge(&next(mv), ply + 1).numbers.win == 0;
        let Some(mv) = usual.into_iter().chain(moves).find(wins) else { return 0 };
        self.usual.entry(orbit.key).or_insert(orbit.mapped(game, mv));
        self.link(at, next(mv), ply + 1);
        1
    }

    /// Finds the plies to the end of all won positions, from the ends backwards: a position counts as won only through
    /// others that do already.
    fn measure(&mut self) {
        let mut by_plies: Vec<Vec<usize>> = Vec::new();
        let put = |by_plies: &mut Vec<Vec<usize>>, at: usize, plies: u32| {
            by_plies.resize_with(by_plies.len().max(plies as usize + 1), Vec::new);
            by_plies[plies as usize].push(at);
        };
        for (at, node) in self.nodes.iter().enumerate() {
            if let State::Won(plies) = node.state {
                put(&mut by_plies, at, plies);
            }
        }
        let mut plies = 0;
        while let Some(level) = by_plies.get_mut(plies as usize).map(std::mem::take) {
            for at in level {
                for parent in self.parents(at) {
                    let attacks = self.attacks(&self.nodes[parent].position);
                    let node = &mut self.nodes[parent];
                    let State::Open(open) = node.state else { continue };
                    if attacks || open == 1 {
                        node.state = State::Won(plies + 1);
                        node.reply = at as u32;
                        put(&mut by_plies, parent, plies + 1);
                    } else {
                        node.state = State::Open(open - 1);
                    }
                }
            }
            plies += 1;
        }
    }

    /// The replies to what can come about when the attacker plays them.
    fn winning_replies(&self) -> Option<Replies<G::Move>> {
        let game = self.game();
        // Where the plies are limited a position has a node for each number of them: the shortest win is played.
        let mut shortest: HashMap<u64, (u32, usize)> = HashMap::new();
        for (at, node) in self.nodes.iter().enumerate().filter(|(_, node)| self.attacks(&node.position)) {
            if let State::Won(plies) = node.state {
                let best = shortest.entry(game.search_key(&node.position)).or_insert((plies, at));
                *best = (*best).min((plies, at));
            }
        }
        let mut replies = Replies::new();
        let mut stack = vec![self.nodes.first()?.position];
        let mut seen = HashMap::new();
        while let Some(position) = stack.pop() {
            let key = game.search_key(&position);
            if seen.insert(key, ()).is_some() || (seen.len() > 1 && self.solver.known(&position).is_some()) {
                continue;
            }
            let mut moves = self.solver.moves(&position, u32::from(seen.len() > 1));
            if self.attacks(&position) {
                let to = &self.nodes[self.nodes[shortest.get(&key)?.1].reply as usize].position;
                let to = game.search_key(to);
                let reply = *moves.iter().find(|&&mv| game.search_key(&game.play(&position, mv)) == to)?;
                replies.insert(key, reply);
                moves.clear();
                moves.push(reply);
            }
            stack.extend(moves.iter().map(|&mv| game.play(&position, mv)));
        }
        Some(replies)
    }

    /// Follows a position that is not won as far as is known: all moves of the attacker, one of the defender.
    fn expand_refuted(&mut self, at: usize) -> Result<(), Stopped> {
        let Node { position, ply, state, .. } = self.nodes[at];
        if state != State::Open(0) || self.known(at).is_some() {
            return Ok(());
        }
        if !self.attacks(&position) {
            return if self.choose(at)? { Ok(()) } else { self.give_up(at) };
        }
        for child in self.solver.children(&position, ply) {
            if self.solver.judge(&child, ply + 1).numbers.win == 0 {
                return self.give_up(at);
            }
            self.link(at, child, ply + 1);
        }
        Ok(())
    }

    /// Chooses a move of the defender that is not lost as far as is known: one to a position that is followed already
    /// if there is one.
    fn choose(&mut self, at: usize) -> Result<bool, Stopped> {
        let Node { position, ply, .. } = self.nodes[at];
        let children = self.solver.children(&position, ply);
        let place = |graph: &Self, child| graph.places.get(&graph.solver.key(child, ply + 1)).copied();
        let followed = |graph: &Self, child| {
            place(graph, child).is_some_and(|place| graph.nodes[place as usize].state == State::Open(0))
        };
        let mut chosen = children.iter().find(|&child| followed(self, child)).copied();
        chosen = chosen
            .or_else(|| children.iter().find(|child| self.solver.judge(child, ply + 1).numbers.refuted == 0).copied());
        for child in children {
            let is_open = chosen.is_none() && self.solver.judge(&child, ply + 1).numbers.win != 0;
            if is_open && !self.solver.settle(&child, ply + 1)? {
                chosen = Some(child);
            }
        }
        let Some(child) = chosen else { return Ok(false) };
        let place = self.link(at, child, ply + 1);
        self.nodes[at].reply = place as u32;
        Ok(true)
    }

    /// Takes a position for won, and all that rested on its not being so.
    fn give_up(&mut self, at: usize) -> Result<(), Stopped> {
        let mut lost = vec![at];
        while let Some(at) = lost.pop() {
            let Node { position, ply, state, .. } = self.nodes[at];
            if state != State::Open(0) {
                continue;
            }
            self.nodes[at].state = State::Won(0);
            self.solver.note(&position, ply, Numbers::WON);
            for parent in self.parents(at) {
                let attacks = self.attacks(&self.nodes[parent].position);
                if attacks || (self.nodes[parent].reply == at as u32 && !self.choose(parent)?) {
                    lost.push(parent);
                }
            }
        }
        Ok(())
    }

    /// The replies to what can come about when the defender plays them.
    fn refuting_replies(&self) -> Replies<G::Move> {
        let game = self.game();
        let (mut replies, mut moves) = (Replies::new(), Vec::new());
        for node in self.nodes.iter().filter(|node| node.state == State::Open(0) && node.reply != NONE) {
            let to = game.search_key(&self.nodes[node.reply as usize].position);
            moves.clear();
            game.legal_moves(&node.position, &mut moves);
            let reply = moves.iter().find(|&&mv| game.search_key(&game.play(&node.position, mv)) == to);
            replies.extend(reply.map(|&mv| (game.search_key(&node.position), mv)));
        }
        replies
    }
}
