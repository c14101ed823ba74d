//! Confirms proven scores before they are reported. Only some games need this: those in which two
//! positions can be equal for the repetition rule but not for the search.
//!
//! The distance to mate falls along a win, so the win never passes the same position twice. But the
//! win can pass several positions that differ for the search and are equal for the repetition rule,
//! as in Alcaxar with different blocked walls. The third of these positions ends the game, and the
//! loser may win by it. An entry of the transposition table contains neither the positions that the
//! win passes nor those that have occurred before. So this module plays the win out: one reply of
//! the winner in each position, and all moves of the loser. The transposition table suggests the
//! replies. The distance to mate falls with each move. So two of these positions never occur in one
//! line if their distances differ by less than
//! [`MIN_PLIES_TO_SAME_REPETITION_KEY`](pentarch_core::Rules::MIN_PLIES_TO_SAME_REPETITION_KEY).

use std::collections::{HashMap, HashSet};

use pentarch_core::{Outcome, Searchable, Side, Turn};

use super::SearchContext;
use super::root_move::RootMove;
use super::score::{self, INFINITE_SCORE};
use super::transposition::{Bound, TranspositionTable};

/// The number of positions that are visited even if no time is left.
const MIN_NODES: u64 = 4096;
/// The number of nodes of the search that allow one more position here. If the search must end, no
/// more positions are allowed.
const SEARCH_NODES_PER_NODE: u64 = 4;
/// The maximum number of positions. The maps of these positions take at most 35 MB, according to
/// the sizes of their entries.
const MAX_NODES: u64 = 1 << 18;
/// The number of positions between two checks of the clock.
const CHECK_EVERY: u64 = 512;
/// The number of occurrences of a position that ends the game.
const OCCURRENCES_TO_END: usize = 3;

/// Returns whether the proven score of the root move at this index holds in spite of all earlier
/// positions of the game. If the first move loses, all moves must lose, so all of them are
/// confirmed. The work is limited in proportion to the nodes of the search. If the limit is not
/// enough, the score is not confirmed.
pub(crate) fn is_confirmed<G: Searchable>(
    context: &SearchContext<G>,
    repeated: &[u64],
    nodes: u64,
    roots: &[RootMove<G::Move>],
    index: usize,
) -> bool {
    let Some(apart) = G::MIN_PLIES_TO_SAME_REPETITION_KEY else { return true };
    let Some(root) = roots.get(index) else { return true };
    if root.score == -INFINITE_SCORE || !score::is_proven(root.score) {
        return true;
    }
    let history = context.history;
    let side = history.side_to_move();
    let winner = if root.score > 0 { side } else { !side };
    let max_plies = (score::plies_to_end(root.score) as u32).saturating_sub(1);
    let earlier = history.repeatable_positions().into_iter().map(|earlier| earlier.position);
    let keys = earlier.chain([history.position()]).map(|at| history.rules().repetition_key(at));
    let mut confirmation = WinConfirmation {
        context,
        winner,
        repeated,
        occurred: keys.collect(),
        wins: HashMap::new(),
        failures: HashMap::new(),
        moves: Vec::new(),
        nodes: 0,
        max_nodes: (MIN_NODES + nodes / SEARCH_NODES_PER_NODE).min(MAX_NODES),
    };
    let claims = if index == 0 && winner != side { roots } else { std::slice::from_ref(root) };
    claims.iter().all(|root| {
        let next = history.rules().play(history.position(), root.mv);
        confirmation.distance(&next, max_plies).is_some()
            && confirmation.ends_before_repetitions(next, apart)
    })
}

/// A position that the winner wins.
#[derive(Debug, Clone, Copy)]
struct ConfirmedWin<M> {
    /// The distance to mate if the winner plays `reply` and the loser resists the longest.
    plies: u32,
    /// The reply; `None` if the loser is to move.
    reply: Option<M>,
}

/// The positions below the root that are known to be wins.
struct WinConfirmation<'a, G: Searchable> {
    context: &'a SearchContext<'a, G>,
    winner: Side,
    /// The repetition keys of the positions whose next occurrence ends the game, in ascending
    /// order.
    repeated: &'a [u64],
    /// The repetition keys of the positions that have occurred before and can occur again.
    occurred: HashSet<u64>,
    /// The wins by search key.
    wins: HashMap<u64, ConfirmedWin<G::Move>>,
    /// The number of plies within which no win was found, by search key.
    failures: HashMap<u64, u32>,
    /// The move lists of the positions from the root to the current one, one after the other.
    moves: Vec<G::Move>,
    nodes: u64,
    max_nodes: u64,
}

impl<G: Searchable> WinConfirmation<'_, G> {
    /// Returns the outcome of the game in this position, if the game ends here on every path.
    fn outcome(&self, position: &G::Position) -> Option<Outcome> {
        let rules = self.context.history.rules();
        rules.outcome(position).or_else(|| {
            let is_third = !self.repeated.is_empty()
                && self.repeated.binary_search(&rules.repetition_key(position)).is_ok();
            is_third.then(|| rules.repetition_outcome(position)).flatten()
        })
    }

    /// Returns the number of plies in which this position is won, if a win within `max_plies` is
    /// found. Repetitions count only as far as [`outcome`](WinConfirmation::outcome) includes them.
    fn distance(&mut self, position: &G::Position, max_plies: u32) -> Option<u32> {
        if let Some(outcome) = self.outcome(position) {
            return (outcome.winner() == Some(self.winner)).then_some(0);
        }
        let rules = self.context.history.rules();
        let key = rules.search_key(position);
        if let Some(win) = self.wins.get(&key).filter(|win| win.plies <= max_plies) {
            return Some(win.plies);
        }
        let has_failed = self.failures.get(&key).is_some_and(|&plies| plies >= max_plies);
        if max_plies == 0 || has_failed || !self.count_node() {
            return None;
        }
        let first = self.moves.len();
        rules.legal_moves(position, &mut self.moves);
        let win = if position.side_to_move() == self.winner {
            self.reply(position, first, max_plies)
        } else {
            self.resistance(position, first, max_plies)
        };
        self.moves.truncate(first);
        match win {
            Some(win) => {
                self.wins.insert(key, win);
            }
            None => {
                let failure = self.failures.entry(key).or_default();
                *failure = max_plies.max(*failure);
            }
        }
        win.map(|win| win.plies)
    }

    /// Counts a position. Returns whether it may be visited.
    fn count_node(&mut self) -> bool {
        self.nodes += 1;
        let control = self.context.control;
        if self.nodes > MIN_NODES
            && self.nodes.is_multiple_of(CHECK_EVERY)
            && (control.is_over() || control.is_slice_over())
        {
            self.max_nodes = MIN_NODES;
        }
        self.nodes <= self.max_nodes
    }

    /// Returns a reply of the winner that wins within this many plies. `first` is the index of the
    /// position's first move in the list of moves.
    ///
    /// First tries moves that win at once, then moves that win according to the transposition
    /// table. The table may have lost the entry of a winning move. Such a move usually wins soon,
    /// so the remaining moves are tried with short limits first.
    fn reply(
        &mut self,
        position: &G::Position,
        first: usize,
        max_plies: u32,
    ) -> Option<ConfirmedWin<G::Move>> {
        let rules = self.context.history.rules();
        let range = first..self.moves.len();
        for at in range.clone() {
            let outcome = self.outcome(&rules.play(position, self.moves[at]));
            if outcome.and_then(Outcome::winner) == Some(self.winner) {
                return Some(ConfirmedWin { plies: 1, reply: Some(self.moves[at]) });
            }
        }
        let table = self.context.table;
        let entry = table.get(rules.search_key(position));
        let winning = entry.filter(|entry| {
            entry.bound != Bound::Upper && entry.score > 0 && score::is_proven(entry.score)
        });
        let table_move = winning.and_then(|entry| entry.best);
        for at in range.clone() {
            let next = rules.play(position, self.moves[at]);
            let is_known = table_move == Some((at - first) as u32)
                || is_lost_within(table, rules.search_key(&next), max_plies - 1);
            if is_known && let Some(plies) = self.distance(&next, max_plies - 1) {
                return Some(ConfirmedWin { plies: plies + 1, reply: Some(self.moves[at]) });
            }
        }
        for limit in ((max_plies - 1) % 2..max_plies).step_by(2) {
            for at in range.clone() {
                let next = rules.play(position, self.moves[at]);
                if let Some(plies) = self.distance(&next, limit) {
                    return Some(ConfirmedWin { plies: plies + 1, reply: Some(self.moves[at]) });
                }
            }
        }
        None
    }

    /// Returns the longest resistance of the loser if all of its moves lose within this many plies.
    /// `first` is the index of the position's first move in the list of moves.
    fn resistance(
        &mut self,
        position: &G::Position,
        first: usize,
        max_plies: u32,
    ) -> Option<ConfirmedWin<G::Move>> {
        let mut longest = 0;
        for at in first..self.moves.len() {
            let next = self.context.history.rules().play(position, self.moves[at]);
            longest = longest.max(self.distance(&next, max_plies - 1)?);
        }
        Some(ConfirmedWin { plies: longest + 1, reply: None })
    }

    /// Returns whether each line of this win ends before a repetition can end the game in another
    /// way. `apart` is the minimum number of plies between two positions that are equal for the
    /// repetition rule.
    fn ends_before_repetitions(&self, position: G::Position, apart: u32) -> bool {
        let rules = self.context.history.rules();
        let mut distances: HashMap<u64, Vec<u32>> = HashMap::new();
        let mut seen = HashSet::new();
        let mut open = vec![position];
        let mut moves = Vec::new();
        while let Some(position) = open.pop() {
            let key = rules.search_key(&position);
            let Some(win) = self.wins.get(&key).filter(|_| seen.insert(key)) else { continue };
            let outcome = rules.repetition_outcome(&position);
            if outcome.is_some_and(|outcome| outcome.winner() != Some(self.winner)) {
                distances.entry(rules.repetition_key(&position)).or_default().push(win.plies);
            }
            moves.clear();
            match win.reply {
                Some(reply) => moves.push(reply),
                None => rules.legal_moves(&position, &mut moves),
            }
            open.extend(moves.iter().map(|&mv| rules.play(&position, mv)));
        }
        distances.into_iter().all(|(key, mut distances)| {
            distances.sort_unstable();
            let mut occurrences = usize::from(self.occurred.contains(&key));
            let mut next = 0;
            for distance in distances {
                if distance >= next {
                    occurrences += 1;
                    next = distance + apart;
                }
            }
            occurrences < OCCURRENCES_TO_END
        })
    }
}

/// Returns whether the position with this key is lost within this many plies, according to the
/// table.
fn is_lost_within(table: &TranspositionTable, key: u64, max_plies: u32) -> bool {
    table.get(key).is_some_and(|entry| {
        entry.bound != Bound::Lower
            && entry.score < 0
            && score::is_proven(entry.score)
            && score::plies_to_end(entry.score) as u32 <= max_plies
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use pentarch_core::{GameHistory, Probe};
    use pentarch_nim::{Nim, Pile};

    use super::*;
    use crate::control::SearchControl;
    use crate::{Limits, SearchReport, generic_search};

    /// Returns a game in which piles of 13, 9 and 5 count as one repeated position if the second
    /// side must take from them. The third of them wins for the first side.
    fn game(size: u32, moves: &[u32]) -> GameHistory<Nim> {
        let rules = Nim { first_wins_repetitions: true, ..Nim::default() };
        let mut history = GameHistory::new(Arc::new(rules), Pile { size, side: Side::First });
        moves.iter().for_each(|&mv| history.push(mv));
        history
    }

    /// Returns the scores that a search reports, followed by the score of its result.
    fn scores(history: &GameHistory<Nim>, table: &TranspositionTable) -> Vec<i32> {
        let limits = Limits { depth: Some(16), ..Limits::default() };
        let tables = history.rules().new_tables(None);
        let (mut scores, control) = (Vec::new(), SearchControl::default());
        let mut report = |info: SearchReport<u32>| scores.push(info.score);
        let answer = generic_search(history, &tables, &limits, table, &control, &mut report);
        scores.extend(answer.unwrap().score);
        scores
    }

    /// A pile of 12 is lost within six plies. If there was a pile of 13 before, the side to move
    /// wins by taking three from 12 and from 8. It wins a pile of 16 by taking three in each turn.
    #[test]
    fn a_win_that_passes_a_position_too_often_is_not_reported_as_proven() {
        for history in [game(16, &[3, 1]), game(16, &[])] {
            let table = TranspositionTable::new(1).unwrap();
            let without_past = scores(&game(12, &[]), &table);
            assert_eq!(without_past.last(), Some(&-score::win_at(6)));
            let scores = scores(&history, &table);
            let is_proven_loss = |&score: &i32| score < 0 && score::is_proven(score);
            assert!(!scores.iter().any(is_proven_loss), "{scores:?}");
        }
    }
}
