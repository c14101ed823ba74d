//! One searching thread: principal variation search over a line of play.
//!
//! Alpha-beta in its fail-soft form; every move after the first is tried with an empty window and searched again if it
//! turns out better. Late moves are first searched less deep, near the leaves perhaps not at all, nor is a node far
//! above its bound, but only ends of games make a score proven, and none rests on a move left out: a proven score is a
//! proof (up to hash collisions), its distance what the winner needs at most. An exhaustive search leaves nothing out:
//! without a table its score at a depth is that of plain negamax; with one, what was found deeper counts.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use crate::core::{Complete, Line, Outcome, Side, TableValue, Tension};

use super::control::Control;
use super::ordering::{self, Experience, Place, Rated};
use super::score::{self, INFINITE, MAX_PLY};
use super::solved::{self, Sure};
use super::table::{Bound, Entry, Table};
use super::{Info, pruning};

/// The search was told to end.
#[derive(Debug)]
pub struct Stopped;

/// What all threads of a search share.
#[derive(Debug)]
pub struct Shared<'a> {
    /// The transposition table.
    pub table: &'a Table,
    /// Tells when to end.
    pub control: &'a Control,
    /// Nodes counted by all threads so far, but for the last few of each.
    pub nodes: AtomicU64,
    /// The most nodes to search.
    pub most_nodes: u64,
    /// Whether to ask tables of solved positions.
    pub solved: bool,
    /// Which of their values are sure: the loser may complete a repetition on the way to some wins.
    pub sure: Sure,
    /// Positions found in them.
    pub table_hits: AtomicU64,
    /// Whether the main thread is through.
    pub ended: AtomicBool,
}

/// Work between two looks at the clock: a node counts as one, and one more for every so many moves it has.
const CHECK_EVERY: u64 = 128;
/// How many moves count as a node's worth of work.
const MOVES_PER_WORK: usize = 32;
/// How many plies a search goes on below its depth while the position is not quiet.
const MOST_QUIESCENCE: i32 = 8;

/// A move of the root, with what the search found out about it.
#[derive(Debug, Clone)]
pub struct RootMove<M> {
    /// The move.
    pub mv: M,
    /// Its score, for the side to move at the root.
    pub score: i32,
    /// The line that follows, the move itself first.
    pub pv: Vec<M>,
}

/// The state of one thread.
#[derive(Debug)]
pub struct Worker<'a, G: Complete> {
    game: &'a G,
    shared: &'a Shared<'a>,
    line: Line<G>,
    /// Whether to leave nothing out and cut nothing short, so that what is refuted to a depth is refuted.
    exhaustive: bool,
    /// The deepest ply reached.
    seldepth: usize,
    work: u64,
    uncounted: u64,
    /// The move lists of the nodes from the root to the current one, one after the other.
    moves: Vec<G::Move>,
    /// The same moves in the order of trying.
    order: Vec<Rated>,
    experience: Experience<G>,
    /// What is kept of the nodes from the root to the current one.
    plies: Vec<Ply>,
    pvs: Vec<Vec<G::Move>>,
}

/// What is kept of a node while those below it are searched.
#[derive(Debug, Clone, Copy, Default)]
struct Ply {
    /// The slot of the move that led here; none if the turn was passed, or at the root.
    slot: Option<usize>,
    /// The static evaluation; none if the position was forced.
    evaluation: Option<i32>,
}

/// What a node is searched for: to a depth in plies, at a ply, with scores between two bounds.
#[derive(Debug, Clone, Copy)]
struct Window {
    depth: i32,
    ply: usize,
    alpha: i32,
    beta: i32,
}

impl Window {
    /// Whether only the question is asked on which side of `alpha` the score is.
    fn is_empty(&self) -> bool {
        self.beta - self.alpha == 1
    }

    /// The window of a node this much further down, for its side.
    fn below(&self, reduction: i32) -> Window {
        Window { depth: self.depth - 1 - reduction, ply: self.ply + 1, alpha: -self.beta, beta: -self.alpha }
    }

    /// The empty window above `alpha`.
    fn emptied(&self) -> Window {
        Window { beta: self.alpha + 1, ..*self }
    }
}

impl<'a, G: Complete> Worker<'a, G> {
    /// A thread that has learnt nothing yet, for a line of this game.
    pub fn new(game: &'a G, shared: &'a Shared<'a>, line: Line<G>, exhaustive: bool) -> Worker<'a, G> {
        Worker {
            game,
            shared,
            line,
            exhaustive,
            seldepth: 0,
            work: 0,
            uncounted: 0,
            moves: Vec::new(),
            order: Vec::new(),
            experience: Experience::new(MAX_PLY + 1),
            plies: vec![Ply::default(); MAX_PLY + 2],
            pvs: vec![Vec::new(); MAX_PLY + 2],
        }
    }

    /// What tells this thread when to end.
    pub fn control(&self) -> &Control {
        self.shared.control
    }

    /// What is to be said of a root move that was searched to this depth.
    pub fn info<'m>(&self, depth: i32, rank: usize, root: &'m RootMove<G::Move>) -> Info<'m, G::Move> {
        Info {
            depth,
            seldepth: self.seldepth,
            rank,
            score: root.score,
            pv: &root.pv,
            nodes: self.shared.nodes.load(Relaxed),
            table_hits: self.shared.table_hits.load(Relaxed),
            per_mille_full: self.shared.table.per_mille_full(),
            time: self.shared.control.elapsed(),
        }
    }

    /// Gives these moves of the root their exact scores, best first, if tables of solved positions know them all; the
    /// answer tells.
    pub fn look_up_root(&mut self, moves: &mut [RootMove<G::Move>]) -> bool {
        let found = self.shared.solved && solved::rank(&mut self.line, moves, self.shared.sure);
        if found {
            self.seldepth = moves.iter().map(|root| root.pv.len()).max().unwrap_or(0);
            self.uncounted += (moves.len() as u64).min(self.shared.most_nodes);
            self.shared.table_hits.fetch_add(moves.len() as u64, Relaxed);
            self.count_nodes();
        }
        found
    }

    /// Searches these moves of the root to a depth and returns the best score, exact if it is between `alpha` and
    /// `beta`. A move better than `alpha` is put first, with its score and line; the others keep their order.
    ///
    /// # Errors
    /// If the search must end. If the list's first move is then no longer the best one known, it has been replaced.
    pub fn search_root(
        &mut self,
        moves: &mut [RootMove<G::Move>],
        depth: i32,
        alpha: i32,
        beta: i32,
    ) -> Result<i32, Stopped> {
        let mut window = Window { depth, ply: 0, alpha, beta };
        let mut best = -INFINITE;
        for at in 0..moves.len() {
            let mv = moves[at].mv;
            let reduction = if self.exhaustive || at < 4 { 0 } else { pruning::reduction(depth, at) - 1 };
            let score = self.try_move(mv, window, reduction.max(0), at == 0)?;
            best = best.max(score);
            if score > window.alpha {
                window.alpha = score;
                let entry = &mut moves[at];
                entry.score = score;
                entry.pv.clear();
                entry.pv.push(mv);
                entry.pv.extend_from_slice(&self.pvs[1]);
                moves[..=at].rotate_right(1);
            }
            if score >= beta {
                break;
            }
        }
        Ok(best)
    }

    /// The score of a move by search, for the side that makes it: exact inside the window, else a bound. A move that is
    /// not the first is first asked with an empty window, and less deep if it is to be reduced, whether it is any
    /// better.
    fn try_move(&mut self, mv: G::Move, window: Window, reduction: i32, first: bool) -> Result<i32, Stopped> {
        let Window { ply, alpha, beta, .. } = window;
        self.plies[ply + 1].slot = Some(self.game.slot(mv));
        self.line.push(mv);
        let mut result = Ok(alpha + 1);
        if reduction > 0 {
            result = self.search(window.emptied().below(reduction)).map(|score| -score);
        }
        if !first && matches!(result, Ok(score) if score > alpha) {
            result = self.search(window.emptied().below(0)).map(|score| -score);
        }
        if first || matches!(result, Ok(score) if score > alpha && score < beta) {
            result = self.search(window.below(0)).map(|score| -score);
        }
        self.line.pop();
        result
    }

    /// The score of the current position for its side to move.
    fn search(&mut self, mut window: Window) -> Result<i32, Stopped> {
        let Window { depth, ply, .. } = window;
        self.pvs[ply].clear();
        self.seldepth = self.seldepth.max(ply);
        self.check(1)?;
        self.uncounted += 1;
        if let Some(score) = self.known(window) {
            return Ok(score);
        }
        // A shorter win than one already found, or a quicker loss than being lost at once, is not to be had.
        window.alpha = window.alpha.max(-score::win_at(ply));
        window.beta = window.beta.min(score::win_at(ply + 1));
        if window.alpha >= window.beta {
            return Ok(window.alpha);
        }
        let game = self.game;
        let position = *self.line.position();
        let study = || {
            let insight = game.study(&position);
            (game.tension(&position, &insight), insight)
        };
        let hinted = self.hinted(&position);
        if let Some(score) = hinted.filter(|_| depth <= 0) {
            return Ok(score);
        }
        let studied = (depth <= 0 || ply >= MAX_PLY).then(study);
        if let Some((tension, insight)) = &studied
            && (ply >= MAX_PLY || *tension == Tension::Quiet || depth <= -MOST_QUIESCENCE)
        {
            return Ok(game.evaluate(&position, insight));
        }
        // What follows the last ply is soon searched again, and not worth a place in the table.
        let key = (depth > 0).then(|| game.search_key(&position));
        let known = key.and_then(|key| self.shared.table.get(key));
        if let Some(entry) = known.filter(|entry| entry.depth >= depth && window.is_empty()) {
            let score = score::from_table(entry.score, ply);
            if entry.bound.says(score, window.beta) {
                return Ok(score);
            }
        }
        let (tension, insight) = studied.unwrap_or_else(study);
        let node = Node { position, insight, tension, known };
        let evaluate = || hinted.unwrap_or_else(|| game.evaluate(&position, &node.insight));
        self.plies[ply].evaluation = (tension != Tension::Forced).then(evaluate);
        if let Some(score) = self.cut_short(&node, window)? {
            return Ok(score);
        }
        let list = self.moves.len();
        let result = self.search_moves(&node, window);
        self.moves.truncate(list);
        self.order.truncate(list);
        let (best, best_move) = result?;
        if let Some(key) = key {
            let bound = match best {
                _ if best >= window.beta => Bound::Lower,
                _ if best > window.alpha => Bound::Exact,
                _ => Bound::Upper,
            };
            let entry = Entry { score: score::to_table(best, ply), depth: window.depth, bound, best: best_move };
            self.shared.table.put(key, entry);
        }
        Ok(best)
    }

    /// A score at least `beta` for a node that is so good that it need not be searched in full.
    fn cut_short(&mut self, node: &Node<G>, window: Window) -> Result<Option<i32>, Stopped> {
        let Window { depth, ply, alpha, beta } = window;
        let Some(evaluation) = self.plies[ply].evaluation else { return Ok(None) };
        if depth <= 0 {
            // Standing pat: there is some quiet move, it is assumed, that keeps what the evaluation says.
            return Ok((evaluation >= beta).then_some(evaluation));
        }
        let is_sound = self.exhaustive || !window.is_empty() || score::is_proven(alpha) || score::is_proven(beta);
        if is_sound || node.tension != Tension::Quiet || evaluation < beta {
            return Ok(None);
        }
        if let Some(margin) = pruning::margin_above(depth)
            && evaluation - margin >= beta
        {
            return Ok(Some(evaluation));
        }
        let passed_before = ply > 0 && self.plies[ply].slot.is_none();
        if depth < pruning::LEAST_PASS_DEPTH || passed_before {
            return Ok(None);
        }
        let Some(after) = self.game.pass(&node.position) else { return Ok(None) };
        self.plies[ply + 1].slot = None;
        self.line.pass(after);
        let result = self.search(window.below(pruning::pass_reduction(depth)));
        self.line.pop();
        let score = -result?;
        // A win after a passed turn is no proof of one.
        Ok((score >= beta).then_some(if score::is_proven(score) { beta } else { score }))
    }

    /// Tries the moves one after the other: the best score, and the place of its move if it is above `alpha`.
    fn search_moves(&mut self, node: &Node<G>, mut window: Window) -> Result<(i32, Option<u32>), Stopped> {
        let Window { depth, ply, beta, .. } = window;
        let list = self.moves.len();
        self.line.legal_moves(&mut self.moves);
        self.check((self.moves.len() - list) as u64 / MOVES_PER_WORK as u64)?;
        let side = self.game.side_to_move(&node.position);
        let spot = Place { side, ply, before: self.plies[ply].slot };
        let table_move = node.known.and_then(|entry| entry.best);
        let moves = &self.moves[list..];
        self.experience.rate(self.game, spot, (&node.position, &node.insight), table_move, moves, &mut self.order);
        // An only reply costs the side to move no choice, and the search little.
        if moves.len() == 1 && depth > 0 && !self.exhaustive && ply < pruning::DEEPEST_EXTENDED_PLY {
            window.depth += 1;
        }
        let only_noisy = depth <= 0 && node.tension == Tension::Noisy;
        let mut best = -INFINITE;
        if only_noisy && let Some(evaluation) = self.plies[ply].evaluation {
            best = evaluation;
            window.alpha = window.alpha.max(best);
        }
        let most_tried = self.most_tried(node, window);
        let mut best_move = None;
        for tried in list..self.moves.len() {
            ordering::pick(&mut self.order[list..], tried - list);
            let Rated { place, is_noisy, .. } = self.order[tried];
            if only_noisy && !is_noisy {
                continue;
            }
            if !is_noisy && tried - list >= most_tried {
                // What is left out keeps the score from being a proof that all moves lose.
                best = best.max(window.alpha);
                continue;
            }
            let mv = self.moves[list + place as usize];
            let reduction = self.reduction(node, window, mv, is_noisy, tried - list);
            let score = self.try_move(mv, window, reduction, tried == list)?;
            if score <= best {
                continue;
            }
            best = score;
            if score > window.alpha {
                window.alpha = score;
                best_move = Some(place);
                let (above, below) = self.pvs.split_at_mut(ply + 1);
                above[ply].clear();
                above[ply].push(mv);
                above[ply].extend_from_slice(&below[0]);
            }
            if score >= beta {
                let (moves, failed) = (&self.moves[list..], &self.order[list..tried]);
                let failed = failed.iter().map(|rated| moves[rated.place as usize]);
                self.experience.learn(self.game, spot, depth, mv, failed);
                break;
            }
        }
        Ok((best, best_move))
    }

    /// After how many moves those left that are not noisy are left out: where having to move is no burden, so that what
    /// looks useless is.
    fn most_tried(&self, node: &Node<G>, window: Window) -> usize {
        let Window { depth, ply, alpha, .. } = window;
        let is_sound = self.exhaustive || !window.is_empty() || score::is_proven(alpha);
        if is_sound || node.tension != Tension::Quiet {
            return usize::MAX;
        }
        let lead = self.plies[ply].evaluation.map_or(0, |evaluation| evaluation - alpha);
        match pruning::most_tried(depth, lead) {
            most if most < usize::MAX && self.game.pass(&node.position).is_some() => most,
            _ => usize::MAX,
        }
    }

    /// How many plies less deep than others a move is searched that comes late in the order.
    fn reduction(&self, node: &Node<G>, window: Window, mv: G::Move, is_noisy: bool, number: usize) -> i32 {
        let Window { depth, ply, .. } = window;
        if self.exhaustive || is_noisy || depth < pruning::LEAST_REDUCED_DEPTH || number < 2 {
            return 0;
        }
        if node.tension == Tension::Forced {
            return 0;
        }
        let side = self.game.side_to_move(&node.position);
        let improves = ply >= 2 && self.plies[ply].evaluation > self.plies[ply - 2].evaluation;
        let less =
            i32::from(!window.is_empty()) + i32::from(improves) + self.experience.worth(side, self.game.slot(mv)) / 500;
        (pruning::reduction(depth, number) - less).clamp(0, depth - 1)
    }

    /// The score of a position that need not be searched: the game is over, it repeats, or its value is known.
    fn known(&self, window: Window) -> Option<i32> {
        let Window { depth, ply, .. } = window;
        let game = self.game;
        let position = self.line.position();
        let side = game.side_to_move(position);
        if let Some(outcome) = game.outcome(position) {
            return Some(outcome_score(outcome, side, score::win_at(ply)));
        }
        let mut earlier = self.line.earlier_occurrences();
        if let Some(ago) = earlier.next() {
            let first = earlier.next();
            // Within the search: what was possible once is possible twice.
            let repeats_here = ago <= ply;
            // Both earlier occurrences up to the root: then the third decides on whatever way it is reached.
            let is_certain = ago >= ply;
            match game.repetition_outcome(position) {
                None if repeats_here => return Some(0),
                Some(Outcome::Draw(_)) if repeats_here || first.is_some() => return Some(0),
                Some(outcome @ Outcome::Win(..)) if first.is_some() => {
                    return Some(outcome_score(outcome, side, score::repetition_win_at(ply, is_certain)));
                }
                _ => {}
            }
        }
        let Shared { solved, sure, .. } = *self.shared;
        let value = match solved {
            true if depth >= pruning::LEAST_SOLVED_DEPTH => game.solve(position),
            true => game.probe(position),
            false => game.compute(position),
        };
        let value = value.filter(|&value| sure.holds(&self.line, value))?;
        self.shared.table_hits.fetch_add(1, Relaxed);
        Some(match value {
            TableValue::Win(plies) => score::win_at(ply + plies as usize),
            TableValue::Draw => 0,
            TableValue::Loss(plies) => -score::win_at(ply + plies as usize),
        })
    }

    /// The score of a position by tables of similar rules, or by those that are not sure here, as far as this search
    /// believes them.
    fn hinted(&self, position: &G::Position) -> Option<i32> {
        if !self.shared.solved || self.exhaustive {
            return None;
        }
        let hint = if self.shared.sure.is_limited() {
            self.game.hint(position).or_else(|| self.game.probe(position))
        } else {
            self.game.hint(position)
        };
        let score = score::hinted(hint?)?;
        self.shared.table_hits.fetch_add(1, Relaxed);
        Some(score)
    }

    /// Looks whether the search must end; at the clock only after a good deal of work.
    fn check(&mut self, work: u64) -> Result<(), Stopped> {
        self.work += work;
        let Shared { control, nodes, most_nodes, ended, .. } = self.shared;
        if self.work >= CHECK_EVERY {
            self.count_nodes();
            self.work = 0;
            if control.is_over() {
                return Err(Stopped);
            }
        }
        if control.is_stopped() || ended.load(Relaxed) || nodes.load(Relaxed) + self.uncounted >= *most_nodes {
            return Err(Stopped);
        }
        Ok(())
    }

    /// Adds what this thread has counted to the common count.
    pub fn count_nodes(&mut self) {
        self.shared.nodes.fetch_add(std::mem::take(&mut self.uncounted), Relaxed);
    }
}

/// A node with what is known of it before its moves are tried.
struct Node<G: Complete> {
    position: G::Position,
    insight: G::Insight,
    tension: Tension,
    known: Option<Entry>,
}

/// What an outcome is worth to a side, if `win` is what a win is worth.
pub fn outcome_score(outcome: Outcome, side: Side, win: i32) -> i32 {
    match outcome.winner() {
        Some(winner) if winner == side => win,
        Some(_) => -win,
        None => 0,
    }
}
