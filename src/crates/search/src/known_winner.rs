//! Root positions whose winner is known from tables that do not store the distance to mate.
//!
//! The tables have a [rank](pentarch_core::ProbeResult::Lost) for each lost position. The winner
//! moves only to positions of minimal rank. If several moves lead to such positions, the search
//! chooses among these moves, because the search sees ends of the game that are near.

use pentarch_core::rules::history::RepeatablePosition;
use pentarch_core::{GameHistory, Outcome, ProbeWorkLimit, Searchable, Side};

use super::root_move::RootMove;
use super::search_worker::SharedSearchState;
use super::{SearchContext, score};

const OCCURRENCES_TO_END_GAME: usize = 3;

/// The winner of a root position, as known from tables that do not store the distance to mate.
#[derive(Debug, Clone, Copy)]
pub struct KnownWinner {
    /// The score of the root for its side to move.
    pub score: i32,
    /// Whether the winner wins even if positions of the game so far occur again.
    pub is_certain: bool,
    /// The rank of the root position if the side to move loses. If the side to move wins, the rank
    /// of the positions after its best moves.
    pub rank: u32,
}

impl KnownWinner {
    /// Returns the winner of the current position of a game, if the tables show it. `roots` are the
    /// moves to choose from. If the side to move wins, only the moves to positions of minimal rank
    /// remain in the list.
    pub(super) fn at_root<G: Searchable>(
        context: &SearchContext<G>,
        roots: &mut Vec<RootMove<G::Move>>,
    ) -> Option<KnownWinner> {
        let SearchContext { history, tables, .. } = *context;
        let rules = history.rules();
        let side = history.side_to_move();
        if history.outcome().is_some() {
            return None;
        }
        let rank_of = |position: &G::Position| {
            rules
                .probe_tables(tables, position, ProbeWorkLimit::Thorough)?
                .win_rank_of_lost_position()
        };
        if let Some(rank) = rank_of(history.position()) {
            let is_certain = is_table_win_certain(history, tables, !side, rank);
            return Some(KnownWinner {
                score: -score::known_win_score_at_ply(0),
                is_certain,
                rank,
            });
        }
        let mut next = history.clone();
        let mut wins_at_once = false;
        let rank = |root: &RootMove<G::Move>| {
            next.push(root.mv);
            let outcome = next.outcome();
            wins_at_once |= outcome.is_some_and(|outcome| outcome.winner() == Some(side));
            let rank = if outcome.is_none() { rank_of(next.position()) } else { None };
            next.pop();
            rank
        };
        let ranks: Vec<Option<u32>> = roots.iter().map(rank).collect();
        if wins_at_once {
            // The search finds this win itself.
            return None;
        }
        let least = ranks.iter().copied().flatten().min()?;
        let mut ranks = ranks.into_iter();
        roots.retain(|_| ranks.next() == Some(Some(least)));
        next.push(roots.first()?.mv);
        let is_certain = is_table_win_certain(&next, tables, side, least);
        Some(KnownWinner { score: score::known_win_score_at_ply(0), is_certain, rank: least })
    }
}

/// The score to report for a move of the root, and how it is known.
#[derive(Debug, Clone, Copy)]
pub struct ReportedScore {
    /// The score to report.
    pub score: i32,
    /// Whether the score is a win or a loss that is proven by tables without the distance to mate.
    pub is_known: bool,
    /// The [`KnownWinner::rank`] if the score is from tables without the distance to mate.
    pub table_rank: Option<u32>,
    /// The score of the move itself, if `score` is the score of the position and the move is not
    /// known to reach this score.
    pub move_score: Option<i32>,
}

/// Returns the score to report for a move of the root. `score` is the score of the move, and
/// `is_best` states whether it is the best move. A known value of the position has precedence over
/// the score of the best move, and a known winner over the score of any move. Only a score that
/// proves an end of the game has precedence over a known value and a known winner.
pub fn reported_score<M>(
    shared: &SharedSearchState,
    root: &RootMove<M>,
    score: i32,
    is_best: bool,
) -> ReportedScore {
    let of_move = ReportedScore { score, is_known: false, table_rank: None, move_score: None };
    if let Some(known) = shared.known_winner.filter(|_| !score::is_proven_score(score)) {
        return ReportedScore {
            score: known.score,
            is_known: known.is_certain,
            table_rank: Some(known.rank),
            ..of_move
        };
    }
    let is_proven_win = score > 0 && score::is_proven_score(score);
    match shared.unreached_score.filter(|_| is_best && root.known.is_none() && !is_proven_win) {
        Some(known) => {
            ReportedScore { score: known, is_known: known == 0, move_score: Some(score), ..of_move }
        }
        None => of_move,
    }
}

/// Returns whether `winner` wins for certain by always moving to positions of minimal rank,
/// although positions of the game so far may occur again. `winner` has just moved to a position
/// with the rank `rank`. A repetition is harmful if it ends the game without a win of `winner`. The
/// win is certain if no position whose repetition is harmful can occur for the third time.
pub fn is_table_win_certain<G: Searchable>(
    history: &GameHistory<G>,
    tables: &G::Tables,
    winner: Side,
    rank: u32,
) -> bool {
    let rules = history.rules();
    let is_harmless = |RepeatablePosition { position, occurrences }: RepeatablePosition<_>| {
        let can_be_harmful = match rules.repetition_outcome(position) {
            Some(Outcome::Win(side, _)) => side != winner,
            Some(Outcome::Draw(_)) => true,
            None => false,
        };
        if !can_be_harmful {
            return true;
        }
        let more = rules.max_future_occurrences(tables, position, winner, rank);
        occurrences.saturating_add(more) < OCCURRENCES_TO_END_GAME
    };
    rank == 0 || history.repeatable_positions().into_iter().all(is_harmless)
}
