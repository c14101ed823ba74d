//! Looking one move ahead: the value of a position by the values of the positions that its moves lead to.

use pentarch_core::{Outcome, Rules};

use super::dtm::Dtm;
use super::{Move, Numbering, Position, Retromoves, Tablebase};

/// What is known of a position before its group is solved.
#[derive(Debug)]
pub struct Lookahead {
    /// The quickest win by a move that leaves the group, or else the slowest loss; none if there is neither.
    pub best: Option<Dtm>,
    /// Whether all moves that leave the group lose.
    pub can_lose: bool,
    /// The number of moves that stay in the group.
    pub inside: u16,
}

/// Evaluates the moves of a position that leave its group by the tables, and counts the others. `moves` is a scratch
/// buffer.
pub fn look_ahead<N: Retromoves>(
    numbering: &N,
    tables: &Tablebase,
    position: &Position<N>,
    moves: &mut Vec<Move<N>>,
) -> Lookahead {
    let rules = numbering.rules();
    moves.clear();
    rules.legal_moves(position, moves);
    if moves.is_empty() {
        let is_lost = final_value(numbering, position) == Dtm::LOST;
        return Lookahead { best: is_lost.then_some(Dtm::LOST), can_lose: is_lost, inside: 0 };
    }
    let mut found = Lookahead { best: None, can_lose: true, inside: 0 };
    for mv in moves.drain(..) {
        if found.best == Dtm::LOST.before() {
            break;
        }
        if !numbering.leaves_group(position, mv) {
            found.inside += 1;
            continue;
        }
        let next = child_value(numbering, tables, &rules.play(position, mv));
        debug_assert!(next.is_some(), "the tables lack what comes after {position:?}");
        let value = next.and_then(Dtm::before).unwrap_or(Dtm::DRAW);
        found.can_lose &= value.is_loss();
        if value != Dtm::DRAW {
            found.best = Some(found.best.map_or(value, |best| best.better(value)));
        }
    }
    found
}

/// The value that the tables should hold for a position, by the values of the positions that its moves lead to; none if
/// the tables do not hold all of these. `moves` is a scratch buffer.
pub fn expected<N: Numbering>(
    numbering: &N,
    tables: &Tablebase,
    position: &Position<N>,
    moves: &mut Vec<Move<N>>,
) -> Option<Dtm> {
    let rules = numbering.rules();
    moves.clear();
    rules.legal_moves(position, moves);
    if moves.is_empty() {
        return Some(final_value(numbering, position));
    }
    let values = moves
        .drain(..)
        .map(|mv| child_value(numbering, tables, &rules.play(position, mv))?.before());
    values.reduce(|best, value| Some(best?.better(value?)))?
}

/// The value of a position after a move; none if its class is not solved.
fn child_value<N: Numbering>(
    numbering: &N,
    tables: &Tablebase,
    position: &Position<N>,
) -> Option<Dtm> {
    match numbering.index(position) {
        Some(place) => tables.get(place),
        None => Some(final_value(numbering, position)),
    }
}

/// The value of a position in which the game is over.
fn final_value<N: Numbering>(numbering: &N, position: &Position<N>) -> Dtm {
    match numbering.rules().outcome(position) {
        Some(Outcome::Win(..)) => Dtm::LOST,
        _ => Dtm::DRAW,
    }
}
