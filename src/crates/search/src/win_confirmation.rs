//! Confirms proven scores before they are reported. Only some games need this confirmation: games
//! in which two positions can be equal for the repetition rule but not for the search.
//!
//! The distance to mate falls along a win, so the win never passes the same position twice. But the
//! win can pass several positions that differ for the search and are equal for the repetition rule,
//! as in Alcaxar with different blocked walls. The third of these positions ends the game, possibly
//! in favour of the loser. An entry of the transposition table contains neither the positions that
//! the win passes nor those that have occurred before. So this module plays the win out: one reply
//! of the winner in each position, and all moves of the loser. The transposition table suggests the
//! replies. The distance to mate falls with each move, and two of these positions are at least
//! [`MIN_PLIES_TO_REPETITION_WITH_OTHER_SEARCH_KEY`](pentarch_core::Rules::MIN_PLIES_TO_REPETITION_WITH_OTHER_SEARCH_KEY)
//! plies apart. So both can occur in one line only if their distances differ by at least this
//! number.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use pentarch_core::{HasTurn, Outcome, ProbeResult, ProbeWorkLimit, Searchable, Side, TableValue};

use super::SearchContext;
use super::control::SearchControl;
use super::root_move::RootMove;
use super::score::{self, INFINITE_SCORE};
use super::transposition::ScoreBound;

/// The number of positions that a report may visit to confirm scores after any search, even if no
/// time is left. If time is left, a report may visit the same number to complete principal
/// variations.
const MIN_CONFIRMATION_NODES: u64 = 4096;
/// The number of positions that a report may visit to complete principal variations if no time is
/// left.
const MIN_LINE_COMPLETION_NODES: u64 = 256;
/// The number of searched nodes that allow a report to visit one more position to confirm scores,
/// as long as time is left.
const SEARCH_NODES_PER_CONFIRMATION_NODE: u64 = 4;
/// The number of searched nodes that allow a report to visit one more position to complete
/// principal variations, as long as time is left.
const SEARCH_NODES_PER_LINE_COMPLETION_NODE: u64 = 32;
/// The maximum number of positions that a report may visit. The maps of [`WinConfirmation`] then
/// take at most 35 MB, according to the sizes of their entries.
const MAX_CONFIRMATION_NODES: u64 = 1 << 18;
const CLOCK_CHECK_INTERVAL_NODES: u64 = 128;
const OCCURRENCES_TO_END_GAME: usize = 3;

/// A limit on the positions that are visited to prepare one report. A report has two such budgets:
/// one to confirm the scores of all its lines, and one to complete these lines.
#[derive(Debug)]
pub(crate) struct ReportPreparationBudget {
    nodes: u64,
    max_nodes: u64,
    /// The maximum number of positions to visit if no time is left.
    max_nodes_without_time: u64,
    /// The value that `nodes` may reach until the current line of the report is complete. This
    /// value includes the positions visited for earlier lines.
    max_line_nodes: u64,
    /// The number of moves that tablebases or the transposition table added to lines.
    known_moves: u64,
}

impl ReportPreparationBudget {
    /// Creates the budget for confirming scores. `nodes` is the number of nodes of the search.
    pub(crate) fn for_confirming_scores(nodes: u64) -> ReportPreparationBudget {
        let max_nodes = (MIN_CONFIRMATION_NODES + nodes / SEARCH_NODES_PER_CONFIRMATION_NODE)
            .min(MAX_CONFIRMATION_NODES);
        ReportPreparationBudget::new(max_nodes, MIN_CONFIRMATION_NODES)
    }

    /// Creates the budget for completing lines. `nodes` is the number of nodes of the search.
    pub(crate) fn for_completing_lines(nodes: u64) -> ReportPreparationBudget {
        let max_nodes = (MIN_CONFIRMATION_NODES + nodes / SEARCH_NODES_PER_LINE_COMPLETION_NODE)
            .min(MAX_CONFIRMATION_NODES);
        ReportPreparationBudget::new(max_nodes, MIN_LINE_COMPLETION_NODES)
    }

    fn new(max_nodes: u64, max_nodes_without_time: u64) -> ReportPreparationBudget {
        ReportPreparationBudget {
            nodes: 0,
            max_nodes,
            max_nodes_without_time,
            max_line_nodes: max_nodes,
            known_moves: 0,
        }
    }

    /// Begins the next line of the report. This line and the later ones, `lines_left` in total,
    /// share the remaining positions equally.
    pub(crate) fn begin_line(&mut self, lines_left: usize) {
        let left = self.max_nodes.saturating_sub(self.nodes);
        self.max_line_nodes = self.nodes + left / lines_left as u64;
    }

    /// Counts a move by which tables or the transposition table extend a line. Returns whether the
    /// budget allows this move.
    pub(crate) fn count_added_move(&mut self, control: &SearchControl) -> bool {
        self.known_moves += 1;
        self.known_moves <= MIN_LINE_COMPLETION_NODES
            || !control.is_over() && !control.is_slice_over()
    }

    /// Counts a position that is about to be visited. Returns whether the budget allows this
    /// position.
    pub(crate) fn count_node(&mut self, control: &SearchControl) -> bool {
        self.nodes += 1;
        if self.nodes > self.max_nodes_without_time
            && self.nodes.is_multiple_of(CLOCK_CHECK_INTERVAL_NODES)
            && (control.is_over() || control.is_slice_over())
        {
            self.max_nodes = self.max_nodes_without_time;
        }
        self.nodes <= self.max_nodes.min(self.max_line_nodes)
    }
}

/// Returns whether the proven score of the root move at `index` is confirmed, that is, correct even
/// if positions of the game so far occur again. If the first root move has the score of a loss, the
/// function examines all root moves, because such a score claims that all of them lose. If the
/// budget is too small to decide, the score is not confirmed.
pub(crate) fn is_proven_score_confirmed<G: Searchable>(
    context: &SearchContext<G>,
    repeated: &[u64],
    budget: &mut ReportPreparationBudget,
    roots: &[RootMove<G::Move>],
    index: usize,
) -> bool {
    let Some(apart) = G::MIN_PLIES_TO_REPETITION_WITH_OTHER_SEARCH_KEY else { return true };
    let Some(root) = roots.get(index) else { return true };
    if root.score == -INFINITE_SCORE || !score::is_proven_score(root.score) {
        return true;
    }
    let history = context.history;
    let side = history.side_to_move();
    let winner = if root.score > 0 { side } else { !side };
    let max_plies = (score::plies_to_end(root.score) as u32).saturating_sub(1);
    let mut confirmation = WinConfirmation::new(context, winner, repeated, budget);
    let claims = if index == 0 && winner != side { roots } else { std::slice::from_ref(root) };
    claims.iter().all(|root| {
        let next = history.rules().play(history.position(), root.mv);
        confirmation.find_win_distance(&next, max_plies).is_some()
            && confirmation.ends_before_repetitions(&next, apart)
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

/// A search that plays out a win, and the won positions that it has found below the root.
pub(super) struct WinConfirmation<'a, G: Searchable> {
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
    /// The concatenated move lists of the positions from the root to the current position.
    moves: Vec<G::Move>,
    budget: &'a mut ReportPreparationBudget,
}

impl<'a, G: Searchable> WinConfirmation<'a, G> {
    /// Creates the search that plays out wins of this side. No position is known to be a win yet.
    pub(super) fn new(
        context: &'a SearchContext<'a, G>,
        winner: Side,
        repeated: &'a [u64],
        budget: &'a mut ReportPreparationBudget,
    ) -> WinConfirmation<'a, G> {
        let history = context.history;
        let earlier = history.repeatable_positions().into_iter().map(|earlier| earlier.position);
        let keys = earlier.chain([history.position()]).map(|at| history.rules().repetition_key(at));
        WinConfirmation {
            context,
            winner,
            repeated,
            occurred: keys.collect(),
            wins: HashMap::new(),
            failures: HashMap::new(),
            moves: Vec::new(),
            budget,
        }
    }

    /// Returns the outcome if the game is over in this position. A repetition counts only if it
    /// ends the game on every path to the position.
    fn outcome(&self, position: &G::Position) -> Option<Outcome> {
        let rules = self.context.history.rules();
        rules.outcome(position).or_else(|| {
            let is_third = !self.repeated.is_empty()
                && self.repeated.binary_search(&rules.repetition_key(position)).is_ok();
            is_third.then(|| rules.repetition_outcome(position)).flatten()
        })
    }

    /// Returns the number of plies within which the winner wins from this position. Returns `None`
    /// if no win within `max_plies` is found. Repetitions count only as far as
    /// [`outcome`](WinConfirmation::outcome) includes them.
    pub(super) fn find_win_distance(
        &mut self,
        position: &G::Position,
        max_plies: u32,
    ) -> Option<u32> {
        if let Some(outcome) = self.outcome(position) {
            return (outcome.winner() == Some(self.winner)).then_some(0);
        }
        let rules = self.context.history.rules();
        let key = rules.search_key(position);
        if let Some(win) = self.wins.get(&key).filter(|win| win.plies <= max_plies) {
            return Some(win.plies);
        }
        let has_failed = self.failures.get(&key).is_some_and(|&plies| plies >= max_plies);
        if max_plies == 0 || has_failed || !self.budget.count_node(self.context.control) {
            return None;
        }
        let first = self.moves.len();
        rules.legal_moves(position, &mut self.moves);
        let win = if position.side_to_move() == self.winner {
            self.find_winning_reply(position, first, max_plies)
        } else {
            self.find_longest_resistance(position, first, max_plies)
        };
        self.moves.truncate(first);
        let Some(win) = win else {
            let failure = self.failures.entry(key).or_default();
            *failure = max_plies.max(*failure);
            return None;
        };
        // During the search for a win, a line can reach this position a second time and find
        // another win. The quicker of the two wins is stored, so that the distance falls with each
        // move of the win.
        let quickest = self.wins.entry(key).or_insert(win);
        if win.plies < quickest.plies {
            *quickest = win;
        }
        Some(quickest.plies)
    }

    /// Returns a reply by which the winner wins within `max_plies` plies, with the distance of this
    /// win. The position's legal moves begin at index `first` of `self.moves`.
    ///
    /// First tries moves that win at once, then moves that win according to the transposition
    /// table. The table may have lost the entry of a winning move. Such a move usually wins soon,
    /// so the remaining moves are tried with short limits first.
    fn find_winning_reply(
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
            entry.bound != ScoreBound::Upper
                && entry.score > 0
                && score::is_proven_score(entry.score)
        });
        let hash_move = winning.and_then(|entry| entry.best);
        for at in range.clone() {
            let next = rules.play(position, self.moves[at]);
            let is_known = hash_move == Some((at - first) as u32)
                || known_win_distance(self.context, self.winner, &next, ProbeWorkLimit::Quick)
                    .is_some_and(|plies| plies < max_plies);
            if is_known && let Some(plies) = self.find_win_distance(&next, max_plies - 1) {
                return Some(ConfirmedWin { plies: plies + 1, reply: Some(self.moves[at]) });
            }
        }
        for limit in ((max_plies - 1) % 2..max_plies).step_by(2) {
            for at in range.clone() {
                let next = rules.play(position, self.moves[at]);
                if let Some(plies) = self.find_win_distance(&next, limit) {
                    return Some(ConfirmedWin { plies: plies + 1, reply: Some(self.moves[at]) });
                }
            }
        }
        None
    }

    /// Returns the win if all moves of the loser lose within `max_plies` plies. The distance of the
    /// win is that of the longest resistance. The position's legal moves begin at index `first` of
    /// `self.moves`.
    fn find_longest_resistance(
        &mut self,
        position: &G::Position,
        first: usize,
        max_plies: u32,
    ) -> Option<ConfirmedWin<G::Move>> {
        let mut longest = 0;
        for at in first..self.moves.len() {
            let next = self.context.history.rules().play(position, self.moves[at]);
            longest = longest.max(self.find_win_distance(&next, max_plies - 1)?);
        }
        Some(ConfirmedWin { plies: longest + 1, reply: None })
    }

    /// Returns whether each line of this win ends before a repetition can end the game in another
    /// way. `apart` is the minimum number of plies between two positions that are equal for the
    /// repetition rule.
    pub(super) fn ends_before_repetitions(&self, position: &G::Position, apart: u32) -> bool {
        let rules = self.context.history.rules();
        let mut distances: HashMap<u64, Vec<u32>> = HashMap::new();
        let mut seen = HashSet::new();
        let mut open = vec![*position];
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
            occurrences < OCCURRENCES_TO_END_GAME
        })
    }

    /// Returns the longest line of play from this position in which the winner plays the found
    /// replies. The position must have a [distance](WinConfirmation::find_win_distance). The line
    /// can be shorter than this distance if a quicker win was found later.
    pub(super) fn longest_line(&self, position: &G::Position) -> Vec<G::Move> {
        let rules = self.context.history.rules();
        let mut lengths = HashMap::new();
        let mut line = Vec::new();
        let mut position = *position;
        while self.longest_line_plies(&position, &mut lengths) > 0 {
            let Some(win) = self.wins.get(&rules.search_key(&position)) else { break };
            let mut moves = Vec::new();
            match win.reply {
                Some(reply) => moves.push(reply),
                None => rules.legal_moves(&position, &mut moves),
            }
            let length = |&mv: &G::Move| {
                Reverse(self.longest_line_plies(&rules.play(&position, mv), &mut lengths))
            };
            // Among equal moves, the first is chosen.
            let Some(mv) = moves.into_iter().min_by_key(length) else { break };
            line.push(mv);
            position = rules.play(&position, mv);
        }
        line
    }

    /// Returns the number of plies of the [longest line](WinConfirmation::longest_line) from a
    /// position. `lengths` caches these numbers by search key.
    fn longest_line_plies(&self, position: &G::Position, lengths: &mut HashMap<u64, u32>) -> u32 {
        let rules = self.context.history.rules();
        let key = rules.search_key(position);
        if let Some(&length) = lengths.get(&key) {
            return length;
        }
        if self.outcome(position).is_some() {
            return 0;
        }
        let Some(win) = self.wins.get(&key) else { return 0 };
        let mut moves = Vec::new();
        match win.reply {
            Some(reply) => moves.push(reply),
            None => rules.legal_moves(position, &mut moves),
        }
        let mut longest = 0;
        for mv in moves {
            longest = longest.max(self.longest_line_plies(&rules.play(position, mv), lengths));
        }
        lengths.insert(key, longest + 1);
        longest + 1
    }
}

/// Returns the number of plies within which `winner` wins from a position in which the game is not
/// over. The number is from the transposition table or from tables of solved positions; `None` if
/// neither knows a win.
pub(super) fn known_win_distance<G: Searchable>(
    context: &SearchContext<G>,
    winner: Side,
    position: &G::Position,
    limit: ProbeWorkLimit,
) -> Option<u32> {
    let rules = context.history.rules();
    let is_to_move = position.side_to_move() == winner;
    let limit = if context.limits.use_tablebases { limit } else { ProbeWorkLimit::Computed };
    match rules.probe_tables(context.tables, position, limit).and_then(ProbeResult::value) {
        Some(TableValue::Win(plies)) if is_to_move => return Some(plies),
        Some(TableValue::Loss(plies)) if !is_to_move => return Some(plies),
        _ => {}
    }
    let entry = context.table.get(rules.search_key(position))?;
    let other_bound = if is_to_move { ScoreBound::Upper } else { ScoreBound::Lower };
    let is_known = entry.bound != other_bound
        && (entry.score > 0) == is_to_move
        && score::is_proven_score(entry.score);
    is_known.then(|| score::plies_to_end(entry.score) as u32)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use pentarch_core::{GameHistory, ProbeTables};
    use pentarch_nim::{Nim, Pile};

    use super::*;
    use crate::transposition::TranspositionTable;
    use crate::{Limits, SearchEvent, generic_search};

    /// Returns a game of Nim with a special rule. Piles of 13, 9 and 5 count as the same position
    /// for the repetition rule if the second side must take from them. The third such pile wins for
    /// the first side.
    fn game(size: u32, moves: &[u32]) -> GameHistory<Nim> {
        let rules = Nim { first_wins_repetitions: true, ..Nim::default() };
        let mut history = GameHistory::new(Arc::new(rules), Pile { size, side: Side::First });
        moves.iter().for_each(|&mv| history.push(mv));
        history
    }

    /// Returns the scores that a search reports, followed by the score of its result.
    fn scores(history: &GameHistory<Nim>, table: &TranspositionTable) -> Vec<i32> {
        let limits = Limits { depth: Some(16), ..Limits::default() };
        let tables = history.rules().create_uncomputed_tables(None);
        let (mut scores, control) = (Vec::new(), SearchControl::default());
        let mut report = |event: SearchEvent<u32>| {
            if let SearchEvent::Report(info) = event {
                scores.push(info.score);
            }
        };
        let answer = generic_search(history, &tables, &limits, table, &control, &mut report);
        scores.extend(answer.unwrap().score);
        scores
    }

    /// A pile of 12 is lost within six plies. If there was a pile of 13 before, the side to move
    /// wins by taking three from 12 and from 8. The side to move wins a pile of 16 by taking three
    /// in each turn.
    #[test]
    fn a_win_that_passes_a_position_too_often_is_not_reported_as_proven() {
        for history in [game(16, &[3, 1]), game(16, &[])] {
            let table = TranspositionTable::new(1).unwrap();
            let without_past = scores(&game(12, &[]), &table);
            assert_eq!(without_past.last(), Some(&-score::win_score_at_ply(6)));
            let scores = scores(&history, &table);
            let is_proven_loss = |&score: &i32| score < 0 && score::is_proven_score(score);
            assert!(!scores.iter().any(is_proven_loss), "{scores:?}");
        }
    }

    /// Each of the moves from a pile of 4 loses to one reply.
    #[test]
    fn the_lines_of_a_report_share_its_budget() {
        let history = &game(4, &[]);
        let limits = &Limits::default();
        let tables = &history.rules().create_uncomputed_tables(None);
        let table = &TranspositionTable::default();
        let control = &SearchControl::default();
        let context = &SearchContext { history, tables, limits, table, control };
        let losing = |mv| RootMove { score: -score::win_score_at_ply(2), ..RootMove::new(mv) };
        let roots = [1, 2, 3].map(losing);
        let mut budget = ReportPreparationBudget::new(2, 2);
        let mut confirm =
            |index| is_proven_score_confirmed(context, &[], &mut budget, &roots, index);
        assert_eq!([confirm(1), confirm(2), confirm(1)], [true, true, false]);
    }
}
