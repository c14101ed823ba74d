//! Openings for games of the engine with itself and for matches: random moves that a player might make, up to a
//! position in which both sides have their chances.
//!
//! Uniformly random moves are mostly blunders, in Quoridor nearly always useless walls, so that games after them are
//! decided, or about positions that no player meets. Here a move is drawn with a probability that falls with what the
//! static evaluation says it loses (a softmax), and an opening is drawn anew if a search finds it one-sided.

use std::sync::Arc;

use crate::core::{Game, GameHistory};
use crate::search::control::Control;
use crate::search::transposition::TranspositionTable;
use crate::search::{self, Limits};

/// By how many centipawns a move must be worse than another to be e = 2.718 times less likely: the temperature of the
/// softmax.
const TEMPERATURE: f64 = 50.0;

/// How many openings are drawn for one that is balanced; the last one is taken if none is.
const TRIES: u32 = 50;

/// How openings are drawn and checked.
#[derive(Debug, Clone, Copy)]
pub struct Balance {
    /// The greatest absolute score of a balanced opening, in centipawns.
    pub most: i32,
    /// The number of nodes of the search that gives this score.
    pub nodes: u64,
}

/// A game with so many random moves from the start that a search scores as balanced.
pub fn balanced<G: Game>(
    rules: &Arc<G>,
    tables: &Arc<G::Tables>,
    plies: u32,
    balance: Balance,
    rng: &mut fastrand::Rng,
    table: &TranspositionTable,
) -> GameHistory<G> {
    let mut history = GameHistory::new(rules.clone(), rules.start());
    for _ in 0..TRIES {
        while history.pop().is_some() {}
        while history.len() < plies as usize && history.outcome().is_none() {
            let mv = likely_move(&history, rng);
            history.push(mv);
        }
        if history.outcome().is_none() && is_balanced(&history, tables, balance, table) {
            break;
        }
    }
    history
}

/// Whether the search finds that neither side is far ahead.
fn is_balanced<G: Game>(
    history: &GameHistory<G>,
    tables: &Arc<G::Tables>,
    balance: Balance,
    table: &TranspositionTable,
) -> bool {
    let limits = Limits { nodes: Some(balance.nodes), use_tablebases: false, ..Limits::default() };
    table.begin_search();
    let answer = search::search(history, tables, &limits, table, &Control::default(), |_| {});
    answer.and_then(|answer| answer.score).is_some_and(|score| score.abs() <= balance.most)
}

/// A random legal move of a game that is not over: the better the static evaluation after it, the likelier.
///
/// # Panics
/// If the game is over.
pub fn likely_move<G: Game>(history: &GameHistory<G>, rng: &mut fastrand::Rng) -> G::Move {
    let rules = history.rules();
    let mut moves = Vec::new();
    history.legal_moves(&mut moves);
    let value = |&mv: &G::Move| {
        let after = rules.play(history.position(), mv);
        // A move that ends the game is as unlikely as the worst.
        if rules.outcome(&after).is_some() { -9999 } else { -rules.evaluate(&after, &rules.eval_cache(&after)) }
    };
    let values: Vec<i32> = moves.iter().map(value).collect();
    let best = values.iter().copied().max().unwrap_or(0);
    let weights = values.iter().map(|&value| (f64::from(value - best) / TEMPERATURE).exp());
    let mut drawn = rng.f64() * weights.clone().sum::<f64>();
    for (&mv, weight) in moves.iter().zip(weights) {
        drawn -= weight;
        if drawn < 0.0 {
            return mv;
        }
    }
    moves[0]
}
