//! One-move lookahead: the value of a position, computed from the values of the positions after its
//! moves.

use pentarch_core::{Outcome, Rules};

use super::dtm::Dtm;
use super::{Move, Position, PositionNumbering, RetrogradeNumbering, Tablebase};

/// The facts about a position that follow from its moves out of its unsolved group.
#[derive(Debug)]
pub struct OutOfGroupMoveSummary {
    /// The value of the best move that leaves the group: the quickest win, or else the slowest
    /// loss. `None` if no move that leaves the group wins or loses.
    pub best: Option<Dtm>,
    /// Whether all moves that leave the group lose, so that the position may be lost.
    pub can_lose: bool,
    /// The number of moves that stay in the group.
    pub moves_inside: u16,
}

/// Looks up the values of a position's moves out of its group, and counts the moves inside the
/// group. `moves` is a scratch buffer.
pub fn summarise_out_of_group_moves<N: RetrogradeNumbering>(
    numbering: &N,
    tables: &Tablebase,
    position: &Position<N>,
    moves: &mut Vec<Move<N>>,
) -> OutOfGroupMoveSummary {
    let rules = numbering.rules();
    moves.clear();
    rules.legal_moves(position, moves);
    if moves.is_empty() {
        let is_lost = game_over_value(numbering, position) == Dtm::LOST_VALUE;
        return OutOfGroupMoveSummary {
            best: is_lost.then_some(Dtm::LOST_VALUE),
            can_lose: is_lost,
            moves_inside: 0,
        };
    }
    let mut lookahead = OutOfGroupMoveSummary { best: None, can_lose: true, moves_inside: 0 };
    for mv in moves.drain(..) {
        if lookahead.best == Dtm::LOST_VALUE.one_ply_earlier() {
            break;
        }
        if !numbering.move_leaves_group(position, mv) {
            lookahead.moves_inside += 1;
            continue;
        }
        let next = table_value_after_move(numbering, tables, &rules.play(position, mv));
        debug_assert!(next.is_some(), "the tables lack what comes after {position:?}");
        let value = next.and_then(Dtm::one_ply_earlier).unwrap_or(Dtm::DRAW_VALUE);
        lookahead.can_lose &= value.is_loss();
        if value != Dtm::DRAW_VALUE {
            lookahead.best = Some(lookahead.best.map_or(value, |best| best.better_value(value)));
        }
    }
    lookahead
}

/// Returns the value that the tables should have for a position, computed from the values of the
/// positions after its moves. Returns `None` if the tables lack the value of one of those
/// positions. `moves` is a scratch buffer.
pub fn expected_table_value<N: PositionNumbering>(
    numbering: &N,
    tables: &Tablebase,
    position: &Position<N>,
    moves: &mut Vec<Move<N>>,
) -> Option<Dtm> {
    let rules = numbering.rules();
    moves.clear();
    rules.legal_moves(position, moves);
    if moves.is_empty() {
        return Some(game_over_value(numbering, position));
    }
    let values = moves.drain(..).map(|mv| {
        table_value_after_move(numbering, tables, &rules.play(position, mv))?.one_ply_earlier()
    });
    values.reduce(|best, value| Some(best?.better_value(value?)))?
}

/// Returns the value of a position after a move, or `None` if the class of this position is not
/// solved.
fn table_value_after_move<N: PositionNumbering>(
    numbering: &N,
    tables: &Tablebase,
    position: &Position<N>,
) -> Option<Dtm> {
    match numbering.index_of_position(position) {
        Some(index) => tables.get(index),
        None => Some(game_over_value(numbering, position)),
    }
}

fn game_over_value<N: PositionNumbering>(numbering: &N, position: &Position<N>) -> Dtm {
    match numbering.rules().outcome(position) {
        Some(Outcome::Win(..)) => Dtm::LOST_VALUE,
        _ => Dtm::DRAW_VALUE,
    }
}
