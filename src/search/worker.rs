//! One searching thread: principal variation search over a line of play.
//!
//! Alpha-beta in its fail-soft form; every move after the first is tried with an empty window and searched again if it
//! turns out better. It leaves no legal move out and cuts no depth short, so a proven score is a proof (up to hash
//! collisions). Without a table the score at a depth is that of plain negamax; with one, what was found deeper counts.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use crate::core::{Complete, Line, Outcome, Side, TableValue, Tension};

use super::Info;
use super::control::Control;
use super::score::{self, INFINITE, MAX_PLY};
use super::table::{Bound, Entry, Table};

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
    /// Positions found in the tables of solved ones.
    pub table_hits: AtomicU64,
    /// Whether the main thread is through.
    pub ended: AtomicBool,
}

/// Work between two looks at the clock: a node counts as one, and one more for every so many moves it has.
const CHECK_EVERY: u64 = 128;
/// How many moves count as a node's worth of work.
const MOVES_PER_WORK: usize = 32;
/// How many plies a search goes on below its depth while the position is not quiet.
const MOST_EXTENSION: i32 = 8;
/// Moves picked one by one as the best of the rest, before the rest is sorted at once.
const PICKED_SINGLY: usize = 8;

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
    /// The deepest ply reached.
    seldepth: usize,
    work: u64,
    uncounted: u64,
    /// The move lists of the nodes from the root to the current one, one after the other.
    moves: Vec<G::Move>,
    /// The same moves as (promise, place in the node's list), in the order of trying.
    order: Vec<(i32, u32)>,
    killers: Vec<[Option<G::Move>; 2]>,
    history: [Vec<i32>; 2],
    pvs: Vec<Vec<G::Move>>,
}

impl<'a, G: Complete> Worker<'a, G> {
    /// A thread that has learnt nothing yet, for a line of this game.
    pub fn new(game: &'a G, shared: &'a Shared<'a>, line: Line<G>) -> Worker<'a, G> {
        Worker {
            game,
            shared,
            line,
            seldepth: 0,
            work: 0,
            uncounted: 0,
            moves: Vec::new(),
            order: Vec::new(),
            killers: vec![[None; 2]; MAX_PLY + 1],
            history: [vec![0; G::SLOTS], vec![0; G::SLOTS]],
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

    /// Searches these moves of the root to a depth and puts the best one first, with its score and line; the others
    /// keep their order.
    ///
    /// # Errors
    /// If the search must end. If the list's first move is then no longer the best one known, it has been replaced.
    pub fn search_root(&mut self, moves: &mut [RootMove<G::Move>], depth: i32) -> Result<(), Stopped> {
        let mut best = -INFINITE;
        for at in 0..moves.len() {
            let mv = moves[at].mv;
            let score = self.try_move(mv, depth, 0, best, INFINITE, at == 0)?;
            if score > best {
                best = score;
                let entry = &mut moves[at];
                entry.score = score;
                entry.pv.clear();
                entry.pv.push(mv);
                entry.pv.extend_from_slice(&self.pvs[1]);
                moves[..=at].rotate_right(1);
            }
        }
        Ok(())
    }

    /// The score of a move by search, for the side that makes it: exact between `alpha` and `beta`, else a bound.
    fn try_move(
        &mut self,
        mv: G::Move,
        depth: i32,
        ply: usize,
        alpha: i32,
        beta: i32,
        first: bool,
    ) -> Result<i32, Stopped> {
        self.line.push(mv);
        let mut result = Ok(alpha + 1);
        if !first {
            result = self.search(depth - 1, ply + 1, -alpha - 1, -alpha).map(|score| -score);
        }
        if first || matches!(result, Ok(score) if score > alpha && score < beta) {
            result = self.search(depth - 1, ply + 1, -beta, -alpha).map(|score| -score);
        }
        self.line.pop();
        result
    }

    /// The score of the current position for its side to move.
    fn search(&mut self, depth: i32, ply: usize, mut alpha: i32, mut beta: i32) -> Result<i32, Stopped> {
        self.pvs[ply].clear();
        self.seldepth = self.seldepth.max(ply);
        self.check(1)?;
        self.uncounted += 1;
        if let Some(score) = self.known(ply) {
            return Ok(score);
        }
        // A shorter win than one already found, or a quicker loss than being lost at once, is not to be had.
        alpha = alpha.max(-score::win_at(ply));
        beta = beta.min(score::win_at(ply + 1));
        if alpha >= beta {
            return Ok(alpha);
        }
        let game = self.game;
        let position = *self.line.position();
        if ply >= MAX_PLY || depth <= 0 {
            let insight = game.study(&position);
            if depth <= -MOST_EXTENSION || game.tension(&position, &insight) == Tension::Quiet {
                return Ok(game.evaluate(&position, &insight));
            }
        }
        let key = game.search_key(&position);
        let known = self.shared.table.get(key);
        if let Some(entry) = known.filter(|entry| entry.depth >= depth && beta - alpha == 1) {
            let score = score::from_table(entry.score, ply);
            match entry.bound {
                Bound::Exact => return Ok(score),
                Bound::Lower if score >= beta => return Ok(score),
                Bound::Upper if score <= alpha => return Ok(score),
                _ => {}
            }
        }
        let list = self.moves.len();
        let result = self.search_moves(depth, ply, alpha, beta, known.and_then(|entry| entry.best));
        self.moves.truncate(list);
        self.order.truncate(list);
        let (best, best_move) = result?;
        let bound = match best {
            _ if best >= beta => Bound::Lower,
            _ if best > alpha => Bound::Exact,
            _ => Bound::Upper,
        };
        let entry = Entry { score: score::to_table(best, ply), depth, bound, best: best_move };
        self.shared.table.put(key, entry);
        Ok(best)
    }

    /// Tries the legal moves one after the other: the best score, and the place of its move if it is above `alpha`.
    fn search_moves(
        &mut self,
        depth: i32,
        ply: usize,
        mut alpha: i32,
        beta: i32,
        table_move: Option<u32>,
    ) -> Result<(i32, Option<u32>), Stopped> {
        let list = self.moves.len();
        self.line.legal_moves(&mut self.moves);
        self.check((self.moves.len() - list) as u64 / MOVES_PER_WORK as u64)?;
        self.rate_moves(list, ply, table_move);
        let mut best = -INFINITE;
        let mut best_move = None;
        for tried in list..self.moves.len() {
            self.pick(list, tried);
            let place = self.order[tried].1;
            let mv = self.moves[list + place as usize];
            let score = self.try_move(mv, depth, ply, alpha, beta, tried == list)?;
            if score <= best {
                continue;
            }
            best = score;
            if score > alpha {
                alpha = score;
                best_move = Some(place);
                let (above, below) = self.pvs.split_at_mut(ply + 1);
                above[ply].clear();
                above[ply].push(mv);
                above[ply].extend_from_slice(&below[0]);
            }
            if score >= beta {
                self.learn(mv, depth, ply);
                break;
            }
        }
        Ok((best, best_move))
    }

    /// Rates the moves of the list that begins at `list`, the table's move and this ply's killers first.
    fn rate_moves(&mut self, list: usize, ply: usize, table_move: Option<u32>) {
        let game = self.game;
        let position = self.line.position();
        let history = &self.history[game.side_to_move(position).index()];
        let killers = self.killers[ply];
        let insight = game.study(position);
        let promise = game.promises(position, &insight);
        for (place, &mv) in (0..).zip(&self.moves[list..]) {
            let rating = match Some(mv) {
                _ if table_move == Some(place) => i32::MAX,
                killer if killers[0] == killer => 1 << 28,
                killer if killers[1] == killer => 1 << 27,
                _ => (promise(mv) << 12).saturating_add(history[game.slot(mv)]),
            };
            self.order.push((rating, place));
        }
    }

    /// Puts the most promising of the moves not yet tried in the place `at`.
    fn pick(&mut self, list: usize, at: usize) {
        let rank = |&(rating, place): &(i32, u32)| (std::cmp::Reverse(rating), place);
        match at - list {
            0..PICKED_SINGLY => {
                let best = (at..self.order.len()).min_by_key(|&other| rank(&self.order[other])).unwrap_or(at);
                self.order.swap(at, best);
            }
            PICKED_SINGLY => self.order[at..].sort_unstable_by_key(rank),
            _ => {}
        }
    }

    /// Remembers a move that was good enough to end a node.
    fn learn(&mut self, mv: G::Move, depth: i32, ply: usize) {
        let killers = &mut self.killers[ply];
        if killers[0] != Some(mv) {
            *killers = [Some(mv), killers[0]];
        }
        let game = self.game;
        let worth = &mut self.history[game.side_to_move(self.line.position()).index()][game.slot(mv)];
        *worth = (*worth + depth.max(1).pow(2)).min(1 << 20);
    }

    /// The score of a position that need not be searched: the game is over, it repeats, or a table holds it.
    fn known(&self, ply: usize) -> Option<i32> {
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
        let value = game.probe(position)?;
        self.shared.table_hits.fetch_add(1, Relaxed);
        Some(match value {
            TableValue::Win(plies) => score::win_at(ply + plies as usize),
            TableValue::Draw => 0,
            TableValue::Loss(plies) => -score::win_at(ply + plies as usize),
        })
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

fn outcome_score(outcome: Outcome, side: Side, win: i32) -> i32 {
    match outcome.winner() {
        Some(winner) if winner == side => win,
        Some(_) => -win,
        None => 0,
    }
}
