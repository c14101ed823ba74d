//! Completes the principal variations of proven scores, so that a report shows the whole win.
//!
//! The search ends a principal variation in a position whose exact value is known: from tables of
//! solved positions, or because the rules decide the position without a search. Some of these
//! tables store only bounds of the distance to mate, so the game can end sooner than the score
//! says. Before the report, this module finds the rest of the line: by the tables, by the
//! transposition table, or by playing out all moves of the loser ([`WinConfirmation`]). If this
//! line ends the game sooner, and the loser is known not to be able to resist longer, the report
//! shows the shorter length.

use pentarch_core::{GameHistory, HasTurn, ProbeWorkLimit, Searchable, Side};

use super::SearchContext;
use super::root_move::RootMove;
use super::score::{self, INFINITE_SCORE};
use super::win_confirmation::{ReportPreparationBudget, WinConfirmation, known_win_distance};

/// Completes the principal variation of the root move at `index`, if the move's score is proven. If
/// the budget is too small, the variation is completed as far as possible. If the first root move
/// has the score of a loss, all root moves lose, and a move that resists longer becomes the first.
pub(crate) fn complete_proven_line<G: Searchable>(
    context: &SearchContext<G>,
    repeated: &[u64],
    budget: &mut ReportPreparationBudget,
    roots: &mut [RootMove<G::Move>],
    index: usize,
) {
    let root = &mut roots[index];
    let searched = root.score;
    if !score::is_proven_score(searched) || searched.abs() == INFINITE_SCORE {
        return;
    }
    let side = context.history.side_to_move();
    let winner = if searched > 0 { side } else { !side };
    let plies = score::plies_to_end(searched) as usize;
    if reuse_proven_pv(context.history, root, winner, plies) {
        return;
    }
    let mut lines = ProvenLineSearch { context, winner, plies, repeated, budget };
    let extended = lines.extend_by_tables(&root.pv);
    if is_winning_line(context.history, &extended, winner, plies) {
        root.set_proven_line(extended, plies);
        return;
    }
    // Some tables store only bounds of the distance to mate. Then the extended line can be shorter
    // than the score says. Its length is reported if no move of the loser resists longer.
    //
    // The best line shows the best play of both sides. Any other line shows the play after a given
    // first move, which the loser has not chosen.
    let first_choice = usize::from(index > 0);
    let ends_sooner = is_winning_line(context.history, &extended, winner, extended.len())
        && lines.is_longest_resistance(&extended, first_choice);
    let shown = if ends_sooner { extended.len() } else { plies };
    let Some(mut longest) = lines.play_out_win(&root.pv) else {
        root.set_proven_line(extended, shown);
        return;
    };
    let mut longest_index = index;
    // In a lost position, all root moves lose. If the first one loses sooner than its score says,
    // another may resist longer.
    if index == 0 && winner != side && longest.len() < plies {
        for at in 1..roots.len() {
            let Some(line) = lines.play_out_win(&[roots[at].mv]) else {
                roots[0].set_proven_line(extended, shown);
                return;
            };
            if line.len() > longest.len() {
                longest = line;
                longest_index = at;
            }
        }
    }
    let confirmed = roots[index].confirmed;
    let root = &mut roots[longest_index];
    root.score = searched;
    root.confirmed = confirmed;
    let plies = longest.len();
    root.set_proven_line(longest, plies);
    roots[index..=longest_index].rotate_right(1);
}

/// Returns whether the principal variation ends with the win, or an earlier report has already
/// completed it as far as possible. In the second case, restores the stored variation.
fn reuse_proven_pv<G: Searchable>(
    history: &GameHistory<G>,
    root: &mut RootMove<G::Move>,
    winner: Side,
    plies: usize,
) -> bool {
    let stored = root.line.as_ref().filter(|line| line.searched == root.score);
    if stored.is_none_or(|line| line.shown == root.score)
        && is_winning_line(history, &root.pv, winner, plies)
    {
        return true;
    }
    let Some(line) = stored else { return false };
    root.pv = line.pv.clone();
    true
}

/// Returns whether these moves win for this side in exactly this number of plies.
fn is_winning_line<G: Searchable>(
    history: &GameHistory<G>,
    moves: &[G::Move],
    winner: Side,
    plies: usize,
) -> bool {
    let mut line = history.clone();
    for &mv in moves {
        if line.outcome().is_some() {
            return false;
        }
        line.push(mv);
    }
    moves.len() == plies && line.outcome().is_some_and(|outcome| outcome.winner() == Some(winner))
}

/// The search for the rest of a principal variation.
struct ProvenLineSearch<'a, G: Searchable> {
    context: &'a SearchContext<'a, G>,
    winner: Side,
    /// The number of plies within which the winner wins from the root.
    plies: usize,
    repeated: &'a [u64],
    budget: &'a mut ReportPreparationBudget,
}

impl<G: Searchable> ProvenLineSearch<'_, G> {
    /// Returns the line `pv`, extended by the best moves according to tables and the transposition
    /// table. The extension ends in the first position that neither the tables nor the
    /// transposition table know.
    fn extend_by_tables(&mut self, pv: &[G::Move]) -> Vec<G::Move> {
        let SearchContext { history, tables, limits, control, .. } = *self.context;
        let mut history = history.clone();
        pv.iter().for_each(|&mv| history.push(mv));
        let mut line = pv.to_vec();
        let mut plies = self.plies.saturating_sub(line.len()) as u32;
        while history.outcome().is_none() && plies > 0 && self.budget.count_added_move(control) {
            let rules = history.rules();
            let position = history.position();
            // A table that contains a position also contains the positions after its moves.
            let is_solved = limits.use_tablebases
                && rules.probe_tables(tables, position, ProbeWorkLimit::Thorough).is_some();
            let limit = if is_solved { ProbeWorkLimit::Thorough } else { ProbeWorkLimit::Quick };
            let is_own = position.side_to_move() == self.winner;
            let mut best: Option<(u32, G::Move)> = None;
            for mv in history.legal_move_list() {
                let next = rules.play(position, mv);
                let distance = self.known_distance(&next, limit);
                let Some(distance) = distance.filter(|&distance| distance < plies) else {
                    continue;
                };
                // The winner prefers the quickest win, and the loser the slowest loss.
                let is_better = match best {
                    None => true,
                    Some((best, _)) if is_own => distance < best,
                    Some((best, _)) => distance > best,
                };
                if is_better {
                    best = Some((distance, mv));
                }
            }
            let Some((distance, mv)) = best else { break };
            history.push(mv);
            line.push(mv);
            plies = distance;
        }
        line
    }

    /// Returns whether the winner is known to win within the length of this winning line, whatever
    /// the loser plays from ply `first_choice` on. The moves before that ply are fixed.
    fn is_longest_resistance(&mut self, line: &[G::Move], first_choice: usize) -> bool {
        let SearchContext { history, control, .. } = *self.context;
        let rules = history.rules();
        let mut position = *history.position();
        for (ply, &mv) in line.iter().enumerate() {
            if position.side_to_move() != self.winner && ply >= first_choice {
                if !self.budget.count_added_move(control) {
                    return false;
                }
                let mut moves = Vec::new();
                rules.legal_moves(&position, &mut moves);
                let left = (line.len() - ply - 1) as u32;
                let loses_in_time = |&mv: &G::Move| {
                    let next = rules.play(&position, mv);
                    self.known_distance(&next, ProbeWorkLimit::Thorough)
                        .is_some_and(|distance| distance <= left)
                };
                if !moves.iter().all(loses_in_time) {
                    return false;
                }
            }
            position = rules.play(&position, mv);
        }
        true
    }

    /// Returns the number of plies within which the winner is known to win from this position.
    fn known_distance(&self, position: &G::Position, limit: ProbeWorkLimit) -> Option<u32> {
        match self.context.history.rules().outcome(position) {
            Some(outcome) => (outcome.winner() == Some(self.winner)).then_some(0),
            None => known_win_distance(self.context, self.winner, position, limit),
        }
    }

    /// Plays out the win from the last position of a line. If this attempt fails, plays out the win
    /// from an earlier position. Returns a line that begins like `pv`, ends with the win, and is no
    /// longer than the win takes. The length is certain in two cases: the line has the length that
    /// the search has proven, or all moves of the loser after the first move were played out.
    fn play_out_win(&mut self, pv: &[G::Move]) -> Option<Vec<G::Move>> {
        let SearchContext { history, .. } = *self.context;
        let rules = history.rules();
        let mut positions = vec![*history.position()];
        for &mv in pv {
            positions.push(rules.play(positions.last()?, mv));
        }
        let mut confirmation =
            WinConfirmation::new(self.context, self.winner, self.repeated, self.budget);
        for at in (1..positions.len()).rev() {
            let left = self.plies.checked_sub(at)?;
            confirmation.find_win_distance(&positions[at], left as u32)?;
            let mut line = pv[..at].to_vec();
            line.extend(confirmation.longest_line(&positions[at]));
            let is_proof = line.len() == self.plies
                || at == 1
                    && G::MIN_PLIES_TO_REPETITION_WITH_OTHER_SEARCH_KEY.is_none_or(|apart| {
                        confirmation.ends_before_repetitions(&positions[at], apart)
                    });
            if is_proof && is_winning_line(history, &line, self.winner, line.len()) {
                return Some(line);
            }
        }
        None
    }
}
