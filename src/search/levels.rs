//! Levels of strength for people: how the engine plays below its full strength.
//!
//! A weak player is weak by what people are weak by, not by playing at random:
//!
//! - It *overlooks* moves. Each legal move escapes it by a chance of its level, whether it wins or not, so that it can
//!   miss a win in one.
//! - It is *careless* at times: then it judges its moves by what the board looks like after them, and sees no reply.
//! - It *looks ahead* few plies. It looks at all moves one ply deep, and deeper only at the best few of them (candidate
//!   moves; de Groot, *Thought and Choice in Chess*, 1965).
//! - It *misjudges*: an error is added to the score of each move, and the move that then seems best is played.
//!
//! A win that it sees it plays, so that games come to an end. Nothing here knows a game: the judgement is that of the
//! evaluation and the search. Exact values of positions (tablebases, opening books, pawn races without a search) are
//! not used, so that solved games, too, are played as people play them. The limits are plies and nodes but no time, so
//! that a level is the same on every machine.
//!
//! The search itself is sound: scores and principal variations that it reports are true, only not of all moves and not
//! always those of the move that is played.

use std::cmp::Reverse;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use crate::core::{GameHistory, Searchable};

use super::control::Control;
use super::iterative_deepening::aspiration_search;
use super::root_probe::Certainty;
use super::score::{self, INFINITE, MAX_PLY};
use super::transposition::TranspositionTable;
use super::worker::{ExactValues, RootMove, Shared, Stopped, Worker};
use super::{Answer, FULL_SKILL, Info, Limits};

/// A level of strength.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Level {
    /// The name of the level for people.
    pub name: &'static str,
    /// The least `Skill Level` of the level; it reaches up to that of the next level.
    pub skill: u32,
    /// The strength of the level on a scale of our own: the mean of the five games, measured by matches between
    /// neighbouring levels.
    pub elo: u32,
    /// What makes the level weak; none at full strength.
    weakness: Option<Weakness>,
}

/// What makes a level weak.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Weakness {
    /// The chance to overlook a move, in per cent.
    overlooks: u32,
    /// The chance to be careless, in per cent.
    careless: u32,
    /// The standard deviation of the error in the score of a move, in centipawns.
    error: u32,
    /// The greatest depth in plies.
    depth: u32,
    /// The number of moves that are looked at deeper than one ply.
    candidates: usize,
    /// The greatest number of nodes.
    nodes: u64,
}

/// The levels, the weakest one first. The last one is the full strength.
pub const LEVELS: [Level; 10] = [
    level("beginner", 0, 0, [35, 50, 250, 1, 0, 5_000]),
    level("novice", 2, 2, [25, 30, 150, 1, 0, 5_000]),
    level("learner", 4, 4, [15, 20, 100, 2, 8, 5_000]),
    level("casual", 6, 6, [10, 10, 70, 2, 8, 5_000]),
    level("average", 8, 8, [5, 5, 50, 3, 8, 5_000]),
    level("good", 10, 10, [2, 2, 35, 4, 6, 5_000]),
    level("strong", 12, 12, [1, 1, 20, 5, 6, 5_000]),
    level("expert", 14, 14, [0, 0, 10, 6, 4, 10_000]),
    level("master", 16, 16, [0, 0, 5, 20, 4, 20_000]),
    Level { name: "champion", skill: FULL_SKILL, elo: 20, weakness: None },
];

/// A level below the full strength.
const fn level(name: &'static str, skill: u32, elo: u32, weakness: [u32; 6]) -> Level {
    let [overlooks, careless, error, depth, candidates, nodes] = weakness;
    let (candidates, nodes) = (candidates as usize, nodes as u64);
    Level { name, skill, elo, weakness: Some(Weakness { overlooks, careless, error, depth, candidates, nodes }) }
}

/// The names of the levels, the weakest one first.
pub const NAMES: [&str; LEVELS.len()] = {
    let mut names = [""; LEVELS.len()];
    let mut at = 0;
    while at < LEVELS.len() {
        names[at] = LEVELS[at].name;
        at += 1;
    }
    names
};

/// The level that a `Skill Level` stands for.
pub fn of_skill(skill: u32) -> &'static Level {
    LEVELS.iter().rev().find(|level| level.skill <= skill).unwrap_or(&LEVELS[0])
}

/// The level whose strength is nearest to this number.
pub fn of_elo(elo: u32) -> &'static Level {
    LEVELS.iter().min_by_key(|level| level.elo.abs_diff(elo)).unwrap_or(&LEVELS[0])
}

/// Chooses a move as a player of the level that the limits name; none if `limits` holds no moves, or if the level is
/// the full strength.
///
/// One thread searches, with a small transposition table of its own: neither how the program is set up nor what it has
/// searched before makes a level stronger. With the same [seed](Limits::seed) it chooses the same move.
pub(super) fn search<G: Searchable>(
    history: &GameHistory<G>,
    tables: &G::Tables,
    limits: &Limits<G::Move>,
    control: &Control,
    mut report: impl FnMut(Info<G::Move>),
) -> Option<Answer<G::Move>> {
    let weakness = calibrated(limits.skill).or(of_skill(limits.skill).weakness)?; // CALIBRATION
    let mut rng = limits.seed.map_or_else(fastrand::Rng::new, fastrand::Rng::with_seed);
    let table = TranspositionTable::new(1).unwrap_or_default();
    let shared = Shared {
        table: &table,
        control,
        nodes: AtomicU64::new(0),
        max_nodes: limits.nodes.unwrap_or(u64::MAX).min(weakness.nodes),
        exact_values: ExactValues::Unused,
        certainty: Certainty::after(history, tables),
        table_hits: AtomicU64::new(0),
        ended: AtomicBool::new(false),
    };
    let mut worker = Worker::new(history.rules().as_ref(), tables, &shared, history.clone(), false);
    let mut roots = seen_moves(history, &limits.moves, weakness, &mut rng);
    let is_careless = rng.u32(..100) < weakness.careless;
    let compared = judge(&mut worker, &mut roots, limits, weakness, is_careless, &mut report);
    let chosen = choose(&roots, compared, weakness, &mut rng)?;
    let score = (chosen.score > -INFINITE).then_some(chosen.score);
    let ponder = chosen.pv.get(1).copied();
    Some(Answer { best: chosen.mv, ponder, score, nodes: shared.nodes.load(Relaxed), faults: Vec::new() })
}

/// The moves that the player does not overlook, in a sensible order: one at least, unless there are none.
fn seen_moves<G: Searchable>(
    history: &GameHistory<G>,
    moves: &[G::Move],
    weakness: Weakness,
    rng: &mut fastrand::Rng,
) -> Vec<RootMove<G::Move>> {
    let mut seen: Vec<G::Move> = moves.iter().copied().filter(|_| rng.u32(..100) >= weakness.overlooks).collect();
    if seen.is_empty() {
        seen.extend(rng.choice(moves));
    }
    let rules = history.rules();
    let cache = rules.eval_cache(history.position());
    let ordering_score = rules.move_ordering_scores(history.position(), &cache);
    seen.sort_by_cached_key(|&mv| Reverse(ordering_score(mv)));
    seen.into_iter().map(|mv| RootMove { mv, score: -INFINITE, pv: vec![mv] }).collect()
}

/// Gives the moves their scores, as deep as the player looks ahead, and sorts them. Returns how many of them, from the
/// first, have scores of their own; the others are not better than the worst of these.
fn judge<G: Searchable>(
    worker: &mut Worker<G>,
    roots: &mut [RootMove<G::Move>],
    limits: &Limits<G::Move>,
    weakness: Weakness,
    is_careless: bool,
    report: &mut impl FnMut(Info<G::Move>),
) -> usize {
    let mut tell = |worker: &Worker<G>, depth, roots: &[RootMove<G::Move>]| {
        for (at, root) in roots.iter().take(limits.multi_pv).enumerate() {
            report(worker.info(depth, at + 1, root));
        }
    };
    for root in &mut *roots {
        match worker.glance(root.mv) {
            Ok(score) => root.score = score,
            Err(Stopped) => break,
        }
    }
    if !is_careless {
        for root in &mut *roots {
            // Each alone, so that each has a score and not only a bound.
            if aspiration_search(worker, std::slice::from_mut(root), 1).is_err() {
                break;
            }
        }
    }
    worker.count_nodes();
    roots.sort_by_key(|root| Reverse(root.score));
    tell(worker, 1, roots);
    let deepest = weakness.depth.min(limits.depth.unwrap_or(u32::MAX)).min(MAX_PLY as u32) as i32;
    let mut compared = roots.len();
    for depth in 2..=if is_careless { 1 } else { deepest } {
        if worker.control().is_late(100) {
            break;
        }
        compared = weakness.candidates.max(limits.multi_pv).min(roots.len());
        let finished = (0..compared).all(|rank| aspiration_search(worker, &mut roots[rank..], depth).is_ok());
        worker.count_nodes();
        if !finished {
            break;
        }
        roots[..compared].sort_by_key(|root| Reverse(root.score));
        tell(worker, depth, &roots[..compared]);
    }
    compared
}

/// The move that seems best to the player. A win that is proven is seen as one.
fn choose<'a, M>(
    roots: &'a [RootMove<M>],
    compared: usize,
    weakness: Weakness,
    rng: &mut fastrand::Rng,
) -> Option<&'a RootMove<M>> {
    let best = roots.iter().max_by_key(|root| root.score)?;
    if best.score > 0 && score::is_proven(best.score) {
        return Some(best);
    }
    let worst = roots[..compared].iter().map(|root| root.score).min()?;
    let bounded =
        |(at, root): (usize, &'a RootMove<M>)| (if at < compared { root.score } else { root.score.min(worst) }, root);
    let seeming = roots.iter().enumerate().map(bounded).map(|(score, root)| (score + error(weakness, rng), root));
    seeming.max_by_key(|&(score, _)| score).map(|(_, root)| root)
}

/// A random error in centipawns, about normally distributed and never more than four times its standard deviation.
fn error(weakness: Weakness, rng: &mut fastrand::Rng) -> i32 {
    // The sum of four numbers between 0 and 1 has the mean 2 and the variance 1/3.
    let sum: f64 = (0..4).map(|_| rng.f64()).sum();
    ((sum - 2.0) * 3f64.sqrt() * f64::from(weakness.error)) as i32
}

// CALIBRATION begin
fn calibrated(skill: u32) -> Option<Weakness> {
    static TABLE: std::sync::OnceLock<Vec<(u32, Weakness)>> = std::sync::OnceLock::new();
    let table = TABLE.get_or_init(|| {
        let text = std::env::var("PENTARCH_LEVELS").unwrap_or_default();
        let parse = |line: &str| {
            let n: Vec<u32> = line.split(',').map(|n| n.trim().parse().unwrap()).collect();
            let level = level("", n[0], 0, [n[1], n[2], n[3], n[4], n[5], n[6]]);
            (n[0], level.weakness.unwrap())
        };
        text.split(';').filter(|line| !line.trim().is_empty()).map(parse).collect()
    });
    table.iter().find(|(at, _)| *at == of_skill(skill).skill).map(|(_, weakness)| *weakness)
}
// CALIBRATION end
