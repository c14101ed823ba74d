//! Roots of which tables tell the winner, but not in how many plies it wins.
//!
//! The tables have a [rank](pentarch_core::ProbeResult::Lost) for each lost position. The winner keeps to moves to
//! positions of the least rank, and search tells which of them is the best: it sees ends of the game that are near.

use pentarch_core::{GameHistory, Outcome, ProbeLimit, Searchable, Side};

use super::root_move::RootMove;
use super::{SearchContext, score};

/// How often a position stands when its repetition ends the game.
const OCCURRENCES_TO_END: usize = 3;

/// The winner of a root by such tables.
#[derive(Debug, Clone, Copy)]
pub struct KnownWinner {
    /// The score of the root for its side to move.
    pub score: i32,
    /// Whether the win is certain after what has occurred before.
    pub is_certain: bool,
    /// The rank of the root, or of the positions that the winner may move to.
    pub rank: u32,
}

impl KnownWinner {
    /// The winner of the current position of a game, if the tables know it. `roots` are moves to choose from; if the
    /// side to move wins, those that lead to the least rank are kept.
    pub(super) fn at_root<G: Searchable>(
        context: &SearchContext<G>,
        roots: &mut Vec<RootMove<G::Move>>,
    ) -> Option<KnownWinner> {
        let SearchContext { history, tables, .. } = *context;
        let (rules, side) = (history.rules(), history.side_to_move());
        if history.outcome().is_some() {
            return None;
        }
        let rank_of =
            |position: &G::Position| rules.probe(tables, position, ProbeLimit::Thorough)?.rank();
        if let Some(rank) = rank_of(history.position()) {
            let is_certain = is_certain(history, tables, !side, rank);
            return Some(KnownWinner { score: -score::known_win_at(0), is_certain, rank });
        }
        let (mut next, mut wins_at_once) = (history.clone(), false);
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
            // The search sees that.
            return None;
        }
        let least = ranks.iter().copied().flatten().min()?;
        let mut ranks = ranks.into_iter();
        roots.retain(|_| ranks.next() == Some(Some(least)));
        next.push(roots.first()?.mv);
        let is_certain = is_certain(&next, tables, side, least);
        Some(KnownWinner { score: score::known_win_at(0), is_certain, rank: least })
    }
}

/// The score to report for a move of the root, whether that is proven by what tables know of the winner of the root,
/// and the rank: it stands for whatever a search says that sees no end of the game.
pub fn reported_score(known: Option<KnownWinner>, score: i32) -> (i32, bool, Option<u32>) {
    match known {
        Some(known) if !score::is_proven(score) => {
            (known.score, known.is_certain, Some(known.rank))
        }
        _ => (score, false, None),
    }
}

/// Whether a side, which has just moved to a position of this rank, wins by moves to positions of the least rank in
/// spite of what has occurred before: no position whose repetition the other side wins can stand for the third time.
pub fn is_certain<G: Searchable>(
    history: &GameHistory<G>,
    tables: &G::Tables,
    winner: Side,
    rank: u32,
) -> bool {
    let rules = history.rules();
    let is_harmless = |(position, occurrences): (&G::Position, usize)| {
        let is_owned = match rules.repetition_outcome(position) {
            Some(Outcome::Win(side, _)) => side == winner,
            Some(Outcome::Draw(_)) => false,
            None => true,
        };
        let more = || rules.max_occurrences(tables, position, winner, rank);
        is_owned || occurrences.saturating_add(more()) < OCCURRENCES_TO_END
    };
    rank == 0 || history.repeatable_positions().into_iter().all(is_harmless)
}
