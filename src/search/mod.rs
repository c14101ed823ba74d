//! One search for all games: iterative deepening over a principal variation search, on one or several threads.
//!
//! | room | what it holds |
//! |---|---|
//! | [`book`] | moves from a book |
//! | [`clock`] | how long to think |
//! | [`control`] | stopping, pondering, holding an answer back |
//! | [`mate`] | wins in so many moves |
//! | [`ordering`] | which move to try first |
//! | [`prover`] | proofs of forced wins, and of there being none |
//! | [`pruning`] | what is searched less deep, and when not at all |
//! | [`score`] | the scale of scores |
//! | `solved` | a root that tables of solved positions know |
//! | [`table`] | the transposition table |
//! | [`worker`] | one searching thread |

pub mod book;
pub mod clock;
pub mod control;
pub mod mate;
pub mod ordering;
pub mod prover;
pub mod pruning;
pub mod score;
mod solved;
pub mod table;
pub mod worker;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

use crate::core::room::Helpers;
use crate::core::{Complete, Line};

use control::Control;
use score::{INFINITE, MAX_PLY};
use solved::Sure;
use table::Table;
use worker::{RootMove, Shared, Stopped, Worker};

/// The strongest value of `Skill Level`: play as well as can be.
pub const FULL_SKILL: u32 = 20;

/// What to search, besides the limits of time, which the [`Control`] keeps.
#[derive(Debug, Clone)]
pub struct Limits<M> {
    /// Plies at the most.
    pub depth: Option<u32>,
    /// Nodes at the most.
    pub nodes: Option<u64>,
    /// Look for a win in this many moves of the side to move, and end when it is found or refuted. Nothing is left out
    /// then.
    pub mate: Option<u32>,
    /// The moves to choose from: legal ones, each once.
    pub moves: Vec<M>,
    /// How many best moves to rank.
    pub multi_pv: usize,
    /// Whether to ask tables of solved positions, if the game has them.
    pub solved: bool,
    /// Searching threads.
    pub threads: usize,
    /// 0 to [`FULL_SKILL`].
    pub skill: u32,
}

/// A finished step of the search: one of the best moves at one depth.
#[derive(Debug)]
pub struct Info<'a, M> {
    /// Its plies.
    pub depth: i32,
    /// The deepest ply looked at.
    pub seldepth: usize,
    /// The rank of the move, from 1.
    pub rank: usize,
    /// Its score for the side to move.
    pub score: i32,
    /// The line expected, the move first.
    pub pv: &'a [M],
    /// Positions searched so far.
    pub nodes: u64,
    /// Those found in tables of solved positions.
    pub table_hits: u64,
    /// How full the transposition table is, in thousandths.
    pub per_mille_full: usize,
    /// The time since the search began.
    pub time: Duration,
}

/// The answer of a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer<M> {
    /// The move.
    pub best: M,
    /// The reply expected.
    pub ponder: Option<M>,
    /// The score of the best move found, for the side to move; none if the search ended before it knew one.
    pub score: Option<i32>,
    /// Positions searched.
    pub nodes: u64,
    /// What went wrong on the way, in words. The answer is none the less right.
    pub faults: Vec<String>,
}

/// Searches the current position of a line and gives the best of the moves in the limits, or none if these are none.
///
/// With one thread, an empty table and no limit of time, the answer and the nodes are always the same: such a search
/// waits for the game's tables of solved positions. One with a limit of time, or none at all, asks them as soon as they
/// are there.
///
/// # Panics
/// If a searching thread does, but not before the one that reports is through.
pub fn search<G: Complete>(
    line: &Line<G>,
    limits: &Limits<G::Move>,
    table: &Table,
    control: &Control,
    mut report: impl FnMut(Info<G::Move>),
) -> Option<Answer<G::Move>> {
    if limits.solved {
        let game = line.game();
        game.begin_tables();
        let is_limited = limits.depth.is_some() || limits.nodes.is_some() || limits.mate.is_some();
        if is_limited && !control.is_timed() {
            game.await_tables(&|| control.is_over());
        }
    }
    if let Some(answer) = book::answer(line, limits, control, &mut report) {
        return Some(answer);
    }
    if limits.mate.is_some() && !limits.moves.is_empty() {
        return mate::search(line, limits, table, control, &mut report);
    }
    deepening(line, limits, table, control, report)
}

/// Searches deeper and deeper with all threads.
fn deepening<G: Complete>(
    line: &Line<G>,
    limits: &Limits<G::Move>,
    table: &Table,
    control: &Control,
    mut report: impl FnMut(Info<G::Move>),
) -> Option<Answer<G::Move>> {
    let game = line.game().as_ref();
    let shared = Shared {
        table,
        control,
        nodes: AtomicU64::new(0),
        most_nodes: limits.nodes.unwrap_or(u64::MAX),
        solved: limits.solved,
        sure: Sure::after(line),
        table_hits: AtomicU64::new(0),
        ended: AtomicBool::new(false),
    };
    let mut roots: Vec<_> = limits.moves.iter().map(|&mv| RootMove { mv, score: -INFINITE, pv: vec![mv] }).collect();
    // Whatever happens, the first of them is the answer: begin with a sensible order.
    let insight = game.study(line.position());
    let promise = game.promises(line.position(), &insight);
    roots.sort_by_key(|root| std::cmp::Reverse(promise(root.mv)));
    if roots.is_empty() {
        return None;
    }
    let exhaustive = limits.mate.is_some();
    let mut faults = Vec::new();
    let best = thread::scope(|scope| {
        let _end = EndHelpers(&shared);
        let mut worker = Worker::new(game, &shared, line.clone(), exhaustive);
        let mut helpers = Helpers::default();
        for number in 1..limits.threads {
            let (shared, mut roots) = (&shared, roots.clone());
            let prepare = move || Worker::new(game, shared, line.clone(), exhaustive);
            let help = move |mut worker| deepen(&mut worker, &mut roots, limits, 1 + number as i32 % 2, |_| {});
            if let Err(error) = helpers.start(scope, HELPER, prepare, help) {
                faults.push(format!("{number} of {} threads search, and no more: {error}", limits.threads));
                break;
            }
        }
        deepen(&mut worker, &mut roots, limits, 1, &mut report);
        choose(&roots, limits)
    });
    let score = (best.score > -INFINITE).then_some(best.score);
    let ponder = best.pv.get(1).copied();
    Some(Answer { best: best.mv, ponder, score, nodes: shared.nodes.load(Relaxed), faults })
}

/// The name of the threads beside the one that reports.
const HELPER: &str = "helper";

/// Ends the helping threads when the main one is through, by whatever way.
struct EndHelpers<'a>(&'a Shared<'a>);

impl Drop for EndHelpers<'_> {
    fn drop(&mut self) {
        self.0.ended.store(true, Relaxed);
    }
}

/// How many plies deep a weak player looks: 1, 2, 4, 7, 10 at the levels 0, 5, 10, 15, 19.
fn weak_depth(skill: u32) -> u32 {
    1 + skill * (FULL_SKILL + skill) / 80
}

/// How many best moves are ranked for a weak player to choose from.
const WEAK_CHOICE: usize = 8;
/// How much worse than the best a move may be, in centipawns for each level below the full one, to be chosen.
const WEAK_SPREAD: i32 = 12;

/// From this depth on the score is expected near that of the depth before.
const LEAST_WINDOW_DEPTH: i32 = 4;
/// How near, in centipawns.
const WINDOW: i32 = 25;
/// A window that would be wider than this is left open.
const WIDEST: i32 = 700;

/// Searches deeper and deeper until a limit is reached. The first of the roots is the best move then. Half of the
/// helping threads begin a ply deeper, so that the threads do not all do the same at the same time.
fn deepen<G: Complete>(
    worker: &mut Worker<G>,
    roots: &mut [RootMove<G::Move>],
    limits: &Limits<G::Move>,
    first_depth: i32,
    mut report: impl FnMut(Info<G::Move>),
) {
    let weak = limits.skill < FULL_SKILL;
    let ranked = if weak { limits.multi_pv.max(WEAK_CHOICE) } else { limits.multi_pv }.min(roots.len());
    let most =
        [limits.depth, limits.mate.map(|moves| moves.saturating_mul(2)), weak.then_some(weak_depth(limits.skill))];
    let most = most.into_iter().flatten().min().map_or(MAX_PLY, |most| (most as usize).min(MAX_PLY));
    let mut doubt = Doubt::default();
    for depth in first_depth..=most as i32 {
        let reported = roots[0].mv;
        if worker.look_up_root(roots) {
            for (at, root) in roots.iter().take(limits.multi_pv).enumerate() {
                report(worker.info(depth, at + 1, root));
            }
            return;
        }
        let finished = (0..ranked).all(|rank| search_rank(worker, &mut roots[rank..], depth).is_ok());
        worker.count_nodes();
        if finished {
            roots[..ranked].sort_by_key(|root| std::cmp::Reverse(root.score));
        }
        let lines = match finished {
            true => limits.multi_pv.min(ranked),
            false => usize::from(roots[0].mv != reported),
        };
        for (at, root) in roots[..lines].iter().enumerate() {
            report(worker.info(depth, at + 1, root));
        }
        doubt.consider(depth, roots[0].mv != reported, roots[0].score);
        if !finished || is_enough(worker, &roots[..ranked], depth, limits) || worker.control().is_late(doubt.per_cent) {
            return;
        }
    }
}

/// How much there is to think about: the best move changes, or turns out worse than it looked.
#[derive(Debug, Default)]
struct Doubt {
    /// How many hundredths of the usual time the move is worth: 100 to 300.
    per_cent: u64,
    score: i32,
}

impl Doubt {
    /// Takes note of a finished iteration.
    fn consider(&mut self, depth: i32, changed: bool, score: i32) {
        let lost = if depth > 1 { (self.score - score).clamp(0, 100) as u64 } else { 0 };
        let kept = self.per_cent.saturating_sub(100) * 2 / 3;
        self.per_cent = (100 + kept + if changed { 60 } else { 0 } + lost).min(300);
        self.score = score;
    }
}

/// Searches for the best of these moves in a window round its last score, and in wider ones until it lies inside.
fn search_rank<G: Complete>(
    worker: &mut Worker<G>,
    roots: &mut [RootMove<G::Move>],
    depth: i32,
) -> Result<(), Stopped> {
    let last = roots[0].score;
    let has_window = depth >= LEAST_WINDOW_DEPTH && last > -INFINITE && !score::is_proven(last);
    let (mut alpha, mut beta) = if has_window { (last - WINDOW, last + WINDOW) } else { (-INFINITE, INFINITE) };
    let mut wider = WINDOW;
    loop {
        let score = worker.search_root(roots, depth, alpha, beta)?;
        wider *= 3;
        if score <= alpha && alpha > -INFINITE {
            alpha = if wider > WIDEST { -INFINITE } else { score - wider };
        } else if score >= beta && beta < INFINITE {
            beta = if wider > WIDEST { INFINITE } else { score + wider };
        } else {
            return Ok(());
        }
    }
}

/// Whether nothing is gained by searching deeper than this.
fn is_enough<G: Complete>(
    worker: &Worker<G>,
    ranked: &[RootMove<G::Move>],
    depth: i32,
    limits: &Limits<G::Move>,
) -> bool {
    let certain = |root: &RootMove<_>| score::is_proven(root.score) && score::plies_to_end(root.score) <= depth;
    let mate_found = limits.mate.is_some_and(|moves| {
        let best = ranked[0].score;
        best > 0 && score::is_proven(best) && score::plies_to_end(best) <= moves.saturating_mul(2) as i32
    });
    let only_move = limits.moves.len() == 1 && worker.control().is_timed();
    mate_found || only_move || ranked.iter().all(certain)
}

/// The move to play: the best one, or for a weak player one that is not much worse, by chance.
fn choose<'a, M>(roots: &'a [RootMove<M>], limits: &Limits<M>) -> &'a RootMove<M> {
    let best = &roots[0];
    // What is certain is played as it is: nobody dithers in a won game.
    if limits.skill >= FULL_SKILL || score::is_proven(best.score) {
        return best;
    }
    let spread = WEAK_SPREAD * (FULL_SKILL - limits.skill) as i32;
    let mut rng = fastrand::Rng::new();
    let choice = roots[..roots.len().min(WEAK_CHOICE)].iter().filter(|root| root.score >= best.score - spread);
    choice.max_by_key(|root| root.score + rng.i32(0..=spread)).unwrap_or(best)
}

#[cfg(test)]
pub(crate) mod tests;
