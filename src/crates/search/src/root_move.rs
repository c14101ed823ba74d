//! The moves of the root.

use std::cmp::Reverse;

use pentarch_core::sorting::sort_by_key;
use pentarch_core::{GameTables, ProbeResult, ProbeWorkLimit, Searchable, TableValue};

use super::known_value::{KnownValue, KnownValueLookup};
use super::root_probe::{ProbedMoveValue, TableValueCertainty};
use super::score::{self, INFINITE_SCORE};
use super::{SearchContext, opening_book};

/// A group of root moves that the search compares with each other. The groups are in the order of
/// their values. `Best` and `Worse` contain the known score that all moves of the group have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum RootGroup {
    /// Moves with the known value of the position.
    Best(Reverse<i32>),
    /// Moves without a known value, and moves with a known value that the search compares with
    /// them.
    Open,
    /// Moves that are known to be worse than the value of the position.
    Worse(Reverse<i32>),
}

/// A move of the root, with its score and principal variation.
#[derive(Debug, Clone)]
pub struct RootMove<M> {
    /// The move itself.
    pub mv: M,
    /// The score of the move, for the side to move at the root.
    pub score: i32,
    /// The principal variation; its first move is this move.
    pub pv: Vec<M>,
    /// The number of nodes that the main thread has searched below this move, in all iterations.
    pub nodes: u64,
    /// The last proven score that was confirmed.
    pub confirmed: Option<i32>,
    /// The result of the last attempt to complete the principal variation for a report.
    pub line: Option<ProvenLine<M>>,
    /// The score that is known without a search: 0 for a draw, or the score of a win or a loss. The
    /// distance of the win or loss is an upper bound.
    pub known: Option<i32>,
    /// The value from tables, if some table values are uncertain at this root. A repetition may
    /// change this value, so it affects only the order of moves.
    pub expected: Option<ProbedMoveValue>,
    /// The maximum score of the move: 0 if the position is known to be a draw.
    pub max_score: i32,
    /// The line that ends with the known win or loss, as far as the book and the tables go. The
    /// line is computed for the first report.
    pub known_line: Option<Vec<M>>,
    /// The group of the move.
    pub group: RootGroup,
    /// Whether the known score is the score of the move, so that the move is not searched.
    pub is_determined: bool,
}

/// The completed principal variation of a proven score. If the variation could not be completed,
/// this line is its beginning.
#[derive(Debug, Clone)]
pub struct ProvenLine<M> {
    /// The score of the search.
    pub searched: i32,
    /// The score to report. If the line is complete, the distance to mate in this score is the
    /// length of the line.
    pub shown: i32,
    /// The line from the root.
    pub pv: Vec<M>,
}

impl<M: Copy> RootMove<M> {
    /// Creates the record of a root move that has not been searched yet.
    pub fn new(mv: M) -> RootMove<M> {
        RootMove {
            mv,
            score: -INFINITE_SCORE,
            pv: vec![mv],
            nodes: 0,
            confirmed: None,
            line: None,
            known: None,
            expected: None,
            max_score: INFINITE_SCORE,
            known_line: None,
            group: RootGroup::Open,
            is_determined: false,
        }
    }

    /// Returns the score to report. A proven score is reported as proven only if it is confirmed.
    pub fn reported_score(&self) -> i32 {
        let is_confirmed = self.confirmed == Some(self.score);
        self.prefer_known_score(score::reportable_score(self.stored_line_score(), is_confirmed))
    }

    /// Returns the known score in place of this score of the search, unless that score proves a
    /// quicker end of the game. If the move has no known score, returns the score of the search,
    /// limited to the maximum score.
    pub fn prefer_known_score(&self, score: i32) -> i32 {
        let Some(known) = self.known else { return score.min(self.max_score) };
        let is_better_bound = score::is_proven_score(score)
            && score.abs() < INFINITE_SCORE
            && score.signum() == known.signum()
            && score::plies_to_end(score) <= score::plies_to_end(known);
        if is_better_bound { score } else { known }
    }

    /// Makes the known score the score of the move, so that the move is not searched.
    fn adopt_known_score(&mut self) {
        let Some(known) = self.known else { return };
        self.score = known;
        self.confirmed = Some(known);
        self.is_determined = true;
    }

    /// Returns whether the move is known to have the same result as a position with this score: a
    /// win, a draw or a loss.
    fn has_same_known_result(&self, score: i32) -> bool {
        self.known.is_some_and(|known| known.signum() == score.signum())
    }

    /// Returns whether the score of the move is known and no other move can be better.
    pub fn is_known_best(&self) -> bool {
        self.is_determined && self.group != RootGroup::Open
    }

    /// Stores the completed line of the move's proven score. The game ends after `plies` plies.
    /// `pv` has fewer moves if the whole line could not be found.
    pub fn set_proven_line(&mut self, pv: Vec<M>, plies: usize) {
        let shown = score::win_score_at_ply(plies) * self.score.signum();
        self.line = Some(ProvenLine { searched: self.score, shown, pv: pv.clone() });
        self.pv = pv;
    }

    /// Returns the score that belongs to the stored line. If no line is stored for the current
    /// score, returns the current score.
    pub fn stored_line_score(&self) -> i32 {
        let line = self.line.as_ref().filter(|line| line.searched == self.score);
        line.map_or(self.score, |line| line.shown)
    }
}

/// Sets the known scores of these root moves and sorts the moves by their groups. Returns the known
/// score of the position if no move is known to reach this score; otherwise `None`.
///
/// Known values are looked up only for five kinds of roots:
/// - roots that tables in memory know to be a draw
/// - roots whose value is known without tables
/// - roots with a move whose value was proved in advance
/// - roots that tables do not contain, if the tables may contain a position after one of the
///   moves
/// - roots at which some values of tables are [uncertain](TableValueCertainty)
///
/// In all other roots the search finds the values.
pub(super) fn apply_known_values<G: Searchable>(
    context: &SearchContext<G>,
    roots: &mut [RootMove<G::Move>],
) -> Option<i32> {
    let SearchContext { history, tables, control, .. } = *context;
    let rules = history.rules();
    let position = history.position();
    let may_contain_next =
        roots.iter().any(|root| tables.may_contain_position(&rules.play(position, root.mv)));
    let lookup = KnownValueLookup::without_tables(history);
    let probe = |limit| rules.probe_tables(tables, position, limit);
    let may_be_known = match probe(ProbeWorkLimit::Thorough) {
        None | Some(ProbeResult::Similar(_)) if may_contain_next => true,
        // After some moves a repetition may make the values of tables uncertain.
        Some(ProbeResult::Value(_))
            if TableValueCertainty::for_game(history, tables).has_uncertain_values() =>
        {
            true
        }
        _ => {
            probe(ProbeWorkLimit::Quick) == Some(ProbeResult::Value(TableValue::Draw))
                || lookup.position_value().is_some()
                || roots.iter().any(|root| lookup.is_move_proved(root.mv))
        }
    };
    if !may_be_known {
        return None;
    }
    if may_contain_next && context.waits_for_tables() {
        tables.begin_computing_tables();
        tables.wait_until_computed(&|| control.is_over());
    }
    set_known_scores(context, roots, lookup.with_tables(tables, ProbeWorkLimit::Thorough))
}

/// Sets the known scores of root moves for which [`apply_known_values`] has found none. The scores
/// are from the rules and from tables. A finished iteration finds these values by its search.
pub(super) fn apply_values_by_rules_and_tables<G: Searchable>(
    context: &SearchContext<G>,
    roots: &mut [RootMove<G::Move>],
) {
    let lookup = KnownValueLookup::without_tables_and_book(context.history)
        .with_tables(context.tables, ProbeWorkLimit::Thorough);
    set_known_scores(context, roots, lookup);
}

/// Sets the known scores of these root moves and sorts the moves by their groups. Returns the known
/// score of the position if no move is known to reach this score; otherwise `None`.
fn set_known_scores<G: Searchable>(
    context: &SearchContext<G>,
    roots: &mut [RootMove<G::Move>],
    lookup: KnownValueLookup<G>,
) -> Option<i32> {
    let SearchContext { history, limits, .. } = *context;
    let side = history.side_to_move();
    let moves: Vec<G::Move> = roots.iter().map(|root| root.mv).collect();
    let values = lookup.values(&moves);
    // `KnownWinner` handles a win or a loss without a bound.
    let bounded_score = |value: KnownValue| {
        Some(value.score(side)).filter(|&score| score == 0 || score::is_proven_score(score))
    };
    for (root, value) in roots.iter_mut().zip(&values.moves) {
        root.known = value.and_then(bounded_score);
    }
    let is_position_known =
        lookup.position_value().is_some() || roots.iter().all(|root| root.known.is_some());
    let Some(position) = values.position.and_then(bounded_score).filter(|_| is_position_known)
    else {
        // A move without a known value may be better than all others.
        if limits.mate.is_none() {
            roots.iter_mut().for_each(RootMove::adopt_known_score);
        }
        return None;
    };
    let is_whole = roots.len() == history.legal_move_list().len();
    let is_unreached = is_whole && !roots.iter().any(|root| root.has_same_known_result(position));
    group_by_known_score(context, roots, position, is_unreached);
    if is_unreached {
        return Some(position);
    }
    // The loser chooses among all moves, and the search finds which of them resists best.
    if position >= 0 {
        adopt_known_best_move(roots, values.book_move.filter(|_| limits.use_books));
    }
    None
}

/// Sets the groups of these root moves and sorts the moves by their groups. `position` is the known
/// score of the position. `is_unreached` means that no move is known to reach this score.
///
/// In a search for a win within a number of moves, all moves stay in one group.
fn group_by_known_score<G: Searchable>(
    context: &SearchContext<G>,
    roots: &mut [RootMove<G::Move>],
    position: i32,
    is_unreached: bool,
) {
    let is_mate_search = context.limits.mate.is_some();
    for root in roots.iter_mut() {
        if position == 0 {
            root.max_score = 0;
        }
        root.group = match root.known {
            _ if is_mate_search => RootGroup::Open,
            Some(score) if root.has_same_known_result(position) => RootGroup::Best(Reverse(score)),
            Some(score) if score < 0 || is_unreached => RootGroup::Worse(Reverse(score)),
            _ => RootGroup::Open,
        };
        if root.group == RootGroup::Open && !is_mate_search {
            root.adopt_known_score();
        }
    }
    sort_by_key(roots, |root| root.group);
}

/// If the best of these root moves is the book's move or the only best move, puts this move first
/// and makes its known score its score. Then this move is not searched.
fn adopt_known_best_move<M: Copy + PartialEq>(roots: &mut [RootMove<M>], book_move: Option<M>) {
    let Some(group @ RootGroup::Best(_)) = roots.first().map(|root| root.group) else { return };
    let by_book = roots.iter().position(|root| Some(root.mv) == book_move);
    if let Some(index) = by_book.filter(|&index| roots[index].group == group) {
        roots[..=index].rotate_right(1);
    } else if roots.get(1).is_some_and(|next| next.group == group) {
        return;
    }
    roots[0].adopt_known_score();
    roots[0].group = RootGroup::Best(Reverse(INFINITE_SCORE));
}

/// Returns the line to report with the known score of this move. If neither the book nor the tables
/// extend the line, the result is the line of the search.
pub(super) fn known_line<'m, G: Searchable>(
    context: &SearchContext<G>,
    root: &'m mut RootMove<G::Move>,
) -> &'m [G::Move] {
    let line = root.known_line.get_or_insert_with(|| {
        let mut line = vec![root.mv];
        opening_book::extend_line(context, &mut line);
        line
    });
    if root.is_determined {
        root.pv.clone_from(line);
    }
    if line.len() > 1 { line } else { &root.pv }
}
