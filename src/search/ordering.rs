//! Which move to try first: what the game promises, and what the search has learnt.

use crate::core::{Complete, NOISY, Side};

/// Moves picked one by one as the best of the rest, before the rest is sorted at once.
const PICKED_SINGLY: usize = 8;
/// The rating of the move that the transposition table remembers.
const TABLE_MOVE: i32 = i32::MAX;
/// The rating of noisy moves, to which what they promise is added.
const NOISY_MOVE: i32 = 4 << 26;
/// The ratings of the two killers of a ply, and of the move that answered the last one well elsewhere.
const KNOWN_GOOD: [i32; 3] = [3 << 26, 2 << 26, 1 << 26];
/// What a promise of 1 counts against the history of a move.
const PROMISE: i32 = 64;
/// The history of a move stays within plus and minus this.
const MOST_HISTORY: i32 = 1 << 14;

/// A move in the order of trying.
#[derive(Debug, Clone, Copy)]
pub struct Rated {
    /// How early it comes.
    rating: i32,
    /// Its place in the generated list.
    pub place: u32,
    /// Whether it is noisy.
    pub is_noisy: bool,
}

/// Where in the tree a node is.
#[derive(Debug, Clone, Copy)]
pub struct Place {
    /// Whose turn it is.
    pub side: Side,
    /// How far from the root.
    pub ply: usize,
    /// The slot of the move that led there; none if the turn was passed, or at the root.
    pub before: Option<usize>,
}

/// What one thread has learnt about moves.
#[derive(Debug)]
pub struct Experience<G: Complete> {
    /// For each ply, the last two moves that ended a node there.
    killers: Vec<[Option<G::Move>; 2]>,
    /// For each side and slot, how often a move ended a node rather than failed to.
    history: [Vec<i32>; 2],
    /// For each side and slot of the move before, the move that ended a node.
    replies: [Vec<Option<G::Move>>; 2],
}

impl<G: Complete> Experience<G> {
    /// Nothing learnt yet, for lines of this many plies.
    pub fn new(plies: usize) -> Experience<G> {
        Experience {
            killers: vec![[None; 2]; plies],
            history: [vec![0; G::SLOTS], vec![0; G::SLOTS]],
            replies: [vec![None; G::SLOTS], vec![None; G::SLOTS]],
        }
    }

    /// How often a move of this slot ended a node of this side rather than failed to, within ±1000.
    pub fn worth(&self, side: Side, slot: usize) -> i32 {
        self.history[side.index()][slot] * 1000 / MOST_HISTORY
    }

    /// Rates the moves of a node and appends them to `order` as they come in the list.
    pub fn rate(
        &self,
        game: &G,
        place: Place,
        (position, insight): (&G::Position, &G::Insight),
        table_move: Option<u32>,
        moves: &[G::Move],
        order: &mut Vec<Rated>,
    ) {
        let side = place.side.index();
        let (history, killers) = (&self.history[side], self.killers[place.ply]);
        let reply = place.before.and_then(|slot| self.replies[side][slot]);
        let promise = game.promises(position, insight);
        order.extend((0..).zip(moves).map(|(place, &mv)| {
            let promised = promise(mv);
            let is_noisy = promised >= NOISY;
            let class = match Some(mv) {
                _ if table_move == Some(place) => TABLE_MOVE,
                _ if is_noisy => NOISY_MOVE,
                known if killers[0] == known => KNOWN_GOOD[0],
                known if killers[1] == known => KNOWN_GOOD[1],
                known if reply == known => KNOWN_GOOD[2],
                _ => 0,
            };
            let rating = class.saturating_add(promised * PROMISE + history[game.slot(mv)]);
            Rated { rating, place, is_noisy }
        }));
    }

    /// Remembers the move that ended a node of this depth, and those tried before it that did not.
    pub fn learn(&mut self, game: &G, place: Place, depth: i32, good: G::Move, failed: impl Iterator<Item = G::Move>) {
        let Place { side, ply, before } = place;
        let killers = &mut self.killers[ply];
        if killers[0] != Some(good) {
            *killers = [Some(good), killers[0]];
        }
        if let Some(slot) = before {
            self.replies[side.index()][slot] = Some(good);
        }
        let history = &mut self.history[side.index()];
        let bonus = (16 * depth.max(1).pow(2)).min(MOST_HISTORY / 8);
        let mut add = |mv, bonus: i32| {
            let worth = &mut history[game.slot(mv)];
            *worth += bonus - *worth * bonus.abs() / MOST_HISTORY;
        };
        add(good, bonus);
        failed.for_each(|mv| add(mv, -bonus));
    }
}

/// Puts the most promising of the moves of a list not yet tried in the place `at`.
pub fn pick(order: &mut [Rated], at: usize) {
    let rank = |rated: &Rated| (std::cmp::Reverse(rated.rating), rated.place);
    match at {
        0..PICKED_SINGLY => {
            let best = (at..order.len()).min_by_key(|&other| rank(&order[other])).unwrap_or(at);
            order.swap(at, best);
        }
        PICKED_SINGLY => order[at..].sort_unstable_by_key(rank),
        _ => {}
    }
}
