//! The moves of the root.

use std::cmp::Reverse;

use pentarch_core::{MakeTables, ProbeResult, ProbeWorkLimit, Searchable, TableValue};

use super::known_value::{KnownValue, KnownValueLookup};
use super::score::{self, INFINITE_SCORE};
use super::{SearchContext, opening_book};

/// A group of root moves that the search compares with each other. The groups are in the order of
/// their values. In the first and the last kind the known score is part of the group, so the moves
/// of a group have the same known score.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum RootGroup {
    /// Moves with the known value of the position.
    Best(Reverse<i32>),
    /// Moves without a known value, and moves that draw although there may be a win.
    Open,
    /// Moves that lose although the position is not lost.
    Lost(Reverse<i32>),
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
    /// The last proven score that was confirmed.
    pub confirmed: Option<i32>,
    /// The result of the last attempt to complete the principal variation for a report.
    pub line: Option<ProvenLine<M>>,
    /// The score that is known without a search: a bound on the distance of a win or a loss, or 0
    /// for a draw.
    pub known: Option<i32>,
    /// The maximum score of the move: 0 if the position is known to be a draw.
    pub max_score: i32,
    /// The line that ends with the known win or loss, as far as the book and the tables go. It is
    /// computed for the first report.
    pub known_line: Option<Vec<M>>,
    /// The group of the move.
    pub group: RootGroup,
    /// Whether the known score and the line are final, so that the move is not searched.
    pub is_determined: bool,
}

/// The completed principal variation of a proven score. If it could not be completed, this is its
/// beginning.
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
            confirmed: None,
            line: None,
            known: None,
            max_score: INFINITE_SCORE,
            known_line: None,
            group: RootGroup::Open,
            is_determined: false,
        }
    }

    /// Returns the score to report. A proven score is reported as proven only if it is confirmed.
    pub fn reported_score(&self) -> i32 {
        let is_confirmed = self.confirmed == Some(self.score);
        self.with_known_score(score::reportable_score(self.stored_line_score(), is_confirmed))
    }

    /// Returns the known score instead of this score of the search. A score that proves a quicker
    /// end of the game does not change. Without a known score, returns at most the maximum score.
    pub fn with_known_score(&self, score: i32) -> i32 {
        let Some(known) = self.known else { return score.min(self.max_score) };
        let is_better_bound = score::is_proven_score(score)
            && score.abs() < INFINITE_SCORE
            && score.signum() == known.signum()
            && score::plies_to_end(score) <= score::plies_to_end(known);
        if is_better_bound { score } else { known }
    }

    /// Stores the completed line of the move's proven score. The game ends after `plies` plies.
    /// `pv` is shorter than that if the whole line could not be found.
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

/// Sets the known scores of these root moves and sorts the moves by their groups. Tables are probed
/// only for two kinds of roots: those that they know to be a draw, and those whose value is known
/// without them. In all other roots the search finds their values.
///
/// In a search for a win within a number of moves, all moves stay in one group.
pub(super) fn apply_known_values<G: Searchable>(
    context: &SearchContext<G>,
    roots: &mut [RootMove<G::Move>],
) {
    let SearchContext { history, tables, limits, .. } = *context;
    let rules = history.rules();
    let side = history.side_to_move();
    let probed = rules.probe_tables(tables, history.position(), ProbeWorkLimit::Quick);
    if probed != Some(ProbeResult::Value(TableValue::Draw)) {
        if KnownValueLookup::without_tables(history).position_value().is_none() {
            return;
        }
        await_tables_after_moves(context, roots);
    }
    let lookup = KnownValueLookup::with_tables(history, tables, ProbeWorkLimit::Quick);
    let moves: Vec<G::Move> = roots.iter().map(|root| root.mv).collect();
    let values = lookup.values(&moves);
    let Some(position) = values.position.map(|value| value.score(side)) else { return };
    for (root, value) in roots.iter_mut().zip(&values.moves) {
        if position == 0 {
            root.max_score = 0;
        }
        root.known = value.map(|value: KnownValue| value.score(side));
        root.group = match root.known {
            _ if limits.mate.is_some() => RootGroup::Open,
            Some(score) if score.signum() == position.signum() => RootGroup::Best(Reverse(score)),
            Some(score) if score < 0 => RootGroup::Lost(Reverse(score)),
            _ => RootGroup::Open,
        };
    }
    roots.sort_by_key(|root| root.group);
    let Some(RootGroup::Best(Reverse(best))) = roots.first().map(|root| root.group) else { return };
    // The loser chooses among all moves, and the search decides which of them resists best.
    if best < 0 {
        return;
    }
    let book_move = values.book_move.filter(|_| limits.use_books);
    let best_group = roots[0].group;
    let by_book = roots.iter().position(|root| Some(root.mv) == book_move);
    if let Some(index) = by_book.filter(|&index| roots[index].group == best_group) {
        roots[..=index].rotate_right(1);
        determine(context, &mut roots[0]);
    } else if roots.get(1).is_none_or(|next| next.group != best_group) {
        determine(context, &mut roots[0]);
    }
}

/// Waits for the tables if they may contain a position after one of these moves, and if the result
/// of the search must not depend on the time when they are complete.
fn await_tables_after_moves<G: Searchable>(
    context: &SearchContext<G>,
    roots: &[RootMove<G::Move>],
) {
    let SearchContext { history, tables, control, .. } = *context;
    let rules = history.rules();
    let may_contain = |root: &RootMove<G::Move>| {
        tables.may_contain_position(&rules.play(history.position(), root.mv))
    };
    if context.waits_for_tables() && roots.iter().any(may_contain) {
        tables.begin_computing_tables();
        tables.wait_until_computed(&|| control.is_over());
    }
}

/// Sets the final score and the line of a move with a known score.
fn determine<G: Searchable>(context: &SearchContext<G>, root: &mut RootMove<G::Move>) {
    let Some(known) = root.known else { return };
    root.score = known;
    root.confirmed = Some(known);
    root.group = RootGroup::Best(Reverse(INFINITE_SCORE));
    root.is_determined = true;
    opening_book::extend_line(context, &mut root.pv);
}

/// Returns the line to report with the known score of this move. If neither the book nor the tables
/// extend the line, it is the line of the search.
pub(super) fn known_line<'m, G: Searchable>(
    context: &SearchContext<G>,
    root: &'m mut RootMove<G::Move>,
) -> &'m [G::Move] {
    if root.is_determined {
        return &root.pv;
    }
    let line = root.known_line.get_or_insert_with(|| {
        let mut line = vec![root.mv];
        opening_book::extend_line(context, &mut line);
        line
    });
    if line.len() > 1 { line } else { &root.pv }
}
