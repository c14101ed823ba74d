//! Tablebase probing at the root. If all moves of a root lead to solved positions, the root need
//! not be searched.

use std::cmp::Reverse;

use pentarch_core::sorting::sort_by_key;
use pentarch_core::{GameHistory, ProbeResult, ProbeWorkLimit, Searchable, TableValue};

use super::root_move::RootMove;
use super::score::outcome_score;
use super::score::{self, MAX_SEARCH_PLIES};

/// The exact score of a move for the side that makes it, and a static evaluation to choose between
/// draws.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ProbedMoveValue {
    /// The exact score of the move.
    score: i32,
    /// The static evaluation after a move that draws; 0 if the move wins or loses.
    evaluation: i32,
}

/// The limit up to which tablebase values hold in a search, in spite of the positions that occurred
/// before the search. A tablebase does not consider repetition.
///
/// When the winner plays by a tablebase, the distance to mate falls with every move, whatever the
/// loser does. Therefore no position occurs twice on the way. So only certain positions can save
/// the loser by repetition: those that occurred at least twice before the search, can occur again,
/// and have a smaller distance to mate than the current position.
#[derive(Debug, Clone, Copy)]
pub struct TableValueCertainty {
    /// The number of moves of the game before the search.
    moves: usize,
    /// The maximum distance to mate that is certain. The limit applies while positions from before
    /// the search can occur again.
    plies: u32,
}

impl TableValueCertainty {
    /// Determines the limit up to which tablebase values are certain in a search of a game's
    /// current position.
    pub fn for_game<G: Searchable>(
        history: &GameHistory<G>,
        tables: &G::Tables,
    ) -> TableValueCertainty {
        let rules = history.rules();
        let plies = |position| match rules
            .probe_tables(tables, position, ProbeWorkLimit::Thorough)
            .and_then(ProbeResult::value)
        {
            Some(TableValue::Draw) => u32::MAX,
            Some(value) => value.plies(),
            None => 0,
        };
        let plies = match rules.repetition_outcome(history.position()) {
            Some(_) => history.repeated_positions().map(plies).min().unwrap_or(u32::MAX),
            None => u32::MAX,
        };
        TableValueCertainty { moves: history.len(), plies }
    }

    /// Returns whether a tablebase `value` of the current position of `history` is certain in spite
    /// of the positions before the search.
    pub fn is_value_certain<G: Searchable>(
        self,
        history: &GameHistory<G>,
        value: TableValue,
    ) -> bool {
        value.plies() <= self.plies || history.are_first_positions_unrepeatable(self.moves)
    }

    /// Returns whether some values are not certain.
    pub fn has_uncertain_values(self) -> bool {
        self.plies < u32::MAX
    }
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct RootProbeOptions {
    /// The maximum work to probe each position.
    pub limit: ProbeWorkLimit,
    /// The number of moves that get a principal variation.
    pub lines: usize,
}

/// Sets the exact scores of these moves of the current position and sorts them, best first. The
/// first `options.lines` moves get a principal variation. Returns `false` and leaves the moves
/// unchanged in two cases: tablebases do not know all positions after the moves, or `is_over`
/// returns `true` before all moves have scores. If `is_over` returns `true` later, the principal
/// variations are cut short, because a tablebase may take time to respond.
///
/// The best of several winning moves is the quickest. The best of several losing moves is the
/// slowest. A move that completes a repetition has the score that the rules assign to it, whatever
/// the tablebases contain.
pub(crate) fn score_root_moves_by_tables<G: Searchable>(
    history: &mut GameHistory<G>,
    tables: &G::Tables,
    roots: &mut [RootMove<G::Move>],
    certainty: TableValueCertainty,
    options: RootProbeOptions,
    is_over: impl Fn() -> bool,
) -> bool {
    let known = |root: &RootMove<G::Move>| {
        let value = probe_move_value(history, tables, root.mv, certainty, options.limit)
            .filter(|_| !is_over())?;
        Some((Reverse(value), RootMove { score: value.score, ..RootMove::new(root.mv) }))
    };
    let Some(mut ranked) = roots.iter().map(known).collect::<Option<Vec<_>>>() else {
        return false;
    };
    sort_by_key(&mut ranked, |&(value, _)| value);
    for (root, (_, ranked)) in roots.iter_mut().zip(ranked) {
        *root = ranked;
    }
    for root in roots.iter_mut().take(options.lines) {
        root.pv = tablebase_principal_variation(
            history, tables, root.mv, root.score, certainty, &is_over,
        );
    }
    true
}

/// Sets the expected values of these moves of the current position, and sorts the moves of each
/// group by these values, best first. Does nothing if all values of tablebases are certain, or if
/// tablebases do not know all positions after the moves.
pub(crate) fn sort_root_moves_by_uncertain_values<G: Searchable>(
    history: &GameHistory<G>,
    tables: &G::Tables,
    roots: &mut [RootMove<G::Move>],
    certainty: TableValueCertainty,
) {
    if !G::SIDES_ALTERNATE || !certainty.has_uncertain_values() {
        return;
    }
    let mut next = history.clone();
    let no_limit = TableValueCertainty { plies: u32::MAX, ..certainty };
    let value = |root: &RootMove<G::Move>| {
        probe_move_value(&mut next, tables, root.mv, no_limit, ProbeWorkLimit::Thorough)
    };
    let Some(values) = roots.iter().map(value).collect::<Option<Vec<_>>>() else { return };
    for (root, value) in roots.iter_mut().zip(values) {
        root.expected = Some(value);
    }
    sort_by_key(roots, |root| (root.group, Reverse(root.expected)));
}

/// Returns the best play that begins with this move. If the move wins or loses, the line goes to
/// the end of the game; otherwise it contains the move and its reply. The line is shorter if the
/// search must end.
fn tablebase_principal_variation<G: Searchable>(
    history: &mut GameHistory<G>,
    tables: &G::Tables,
    mv: G::Move,
    score: i32,
    certainty: TableValueCertainty,
    is_over: impl Fn() -> bool,
) -> Vec<G::Move> {
    let longest = if score::is_proven_score(score) { MAX_SEARCH_PLIES } else { 2 };
    let mut pv = Vec::new();
    let mut next = Some(mv);
    while let Some(mv) = next.filter(|_| pv.len() < longest) {
        history.push(mv);
        pv.push(mv);
        let known = history.legal_move_list().into_iter().take_while(|_| !is_over());
        let known = known.filter_map(|mv| {
            Some((probe_move_value(history, tables, mv, certainty, ProbeWorkLimit::Thorough)?, mv))
        });
        // If several moves are equal, the first is chosen, as in the ranking.
        next = known
            .reduce(|best, other| if other.0 > best.0 { other } else { best })
            .map(|(_, mv)| mv);
        if is_over() {
            // Better moves may not have been tried.
            break;
        }
    }
    for _ in &pv {
        history.pop();
    }
    pv
}

/// Returns the value of a move, or `None` if no tablebase knows it for certain.
fn probe_move_value<G: Searchable>(
    history: &mut GameHistory<G>,
    tables: &G::Tables,
    mv: G::Move,
    certainty: TableValueCertainty,
    limit: ProbeWorkLimit,
) -> Option<ProbedMoveValue> {
    let rules = history.rules().clone();
    let side = history.side_to_move();
    history.push(mv);
    let position = *history.position();
    let value = match history.outcome() {
        Some(outcome) => Some(ProbedMoveValue {
            score: outcome_score(outcome, side, score::win_score_at_ply(1)),
            evaluation: 0,
        }),
        None => {
            let value = rules.probe_tables(tables, &position, limit).and_then(ProbeResult::value);
            let value = value.filter(|&value| certainty.is_value_certain(history, value));
            value.map(|value| match value {
                TableValue::Win(plies) => ProbedMoveValue {
                    score: -score::win_score_at_ply(1 + plies as usize),
                    evaluation: 0,
                },
                TableValue::Loss(plies) => ProbedMoveValue {
                    score: score::win_score_at_ply(1 + plies as usize),
                    evaluation: 0,
                },
                TableValue::Draw => ProbedMoveValue {
                    score: 0,
                    evaluation: -rules.evaluate(&position, &rules.compute_eval_data(&position)),
                },
            })
        }
    };
    history.pop();
    value
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use pentarch_core::ProbeTables;
    use pentarch_nim::pile;

    /// A tablebase may take time to respond. In one position of Quoridor, every move leads to a win
    /// in one further move. In an earlier version, probing did not check whether the search must
    /// end. There, the search of that position took hundreds of milliseconds to compute principal
    /// variations that nobody had requested.
    #[test]
    fn probing_the_root_ends_when_the_search_must() {
        let mut history = pile(10, 9);
        let tables = history.rules().create_uncomputed_tables(None);
        let certainty = TableValueCertainty::for_game(&history, &tables);
        let begun: Vec<_> = [1, 2, 3].map(RootMove::new).into();
        let mut rank = |lines, looks: usize| {
            let (asked, mut roots) = (Cell::new(0), begun.clone());
            let is_over = || asked.replace(asked.get() + 1) >= looks;
            let is_ranked = score_root_moves_by_tables(
                &mut history,
                &tables,
                &mut roots,
                certainty,
                RootProbeOptions { limit: ProbeWorkLimit::Thorough, lines },
                is_over,
            );
            (
                is_ranked,
                asked.get(),
                roots.iter().map(|root| (root.mv, root.pv.clone())).collect::<Vec<_>>(),
            )
        };
        let (is_ranked, all, ranked) = rank(3, usize::MAX);
        assert!(is_ranked);
        for looks in 0..all {
            let (is_ranked, asked, cut) = rank(3, looks);
            assert_eq!(is_ranked, looks >= begun.len(), "{looks}");
            assert!(asked <= looks + 2 * begun.len(), "{looks}: {asked}");
            for ((mv, pv), (best, whole)) in cut.iter().zip(&ranked).filter(|_| is_ranked) {
                assert!(mv == best && whole.starts_with(pv), "{looks}: {pv:?} {whole:?}");
            }
        }
        // Only the requested lines are computed.
        let (_, asked, one) = rank(1, usize::MAX);
        assert!(asked < all);
        assert_eq!(
            one.iter().map(|(_, pv)| pv.len()).collect::<Vec<_>>(),
            [ranked[0].1.len(), 1, 1]
        );
    }
}
