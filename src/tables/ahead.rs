//! Looking one move ahead.

use crate::core::{Game, Outcome};

use super::code::Code;
use super::{Move, Numbering, Position, Tables};

/// What the moves of a position decide that leave its group, and those that do not.
#[derive(Debug)]
pub struct Ahead {
    /// The quickest win by such a move, or else the slowest loss; none if neither is known.
    pub code: Option<Code>,
    /// Whether no such move saves the game.
    pub can_lose: bool,
    /// How many moves stay in the group.
    pub inside: u16,
}

/// Looks at the moves of a position that leave its group, and counts the others. `moves` is room to work in.
pub fn ahead<N: Numbering>(numbering: &N, tables: &Tables, position: &Position<N>, moves: &mut Vec<Move<N>>) -> Ahead {
    let game = numbering.game();
    moves.clear();
    game.legal_moves(position, moves);
    if moves.is_empty() {
        let lost = matches!(game.outcome(position), Some(Outcome::Win(..)));
        return Ahead { code: lost.then_some(Code::LOST), can_lose: lost, inside: 0 };
    }
    let mut ahead = Ahead { code: None, can_lose: true, inside: 0 };
    for mv in moves.drain(..) {
        if ahead.code == Code::LOST.before() {
            break;
        }
        if !numbering.leaves_group(position, mv) {
            ahead.inside += 1;
            continue;
        }
        let next = after(numbering, tables, &game.play(position, mv));
        debug_assert!(next.is_some(), "the tables lack what comes after {position:?}");
        match next.and_then(Code::before) {
            Some(code) if code.is_win() => {
                ahead.can_lose = false;
                let quickest = ahead.code.filter(|best| best.is_win()).map_or(code, |best| Code(best.0.min(code.0)));
                ahead.code = Some(quickest);
            }
            Some(code) if code.is_loss() => {
                if !ahead.code.is_some_and(|best| best.is_win() || best.0 > code.0) {
                    ahead.code = Some(code);
                }
            }
            _ => ahead.can_lose = false,
        }
    }
    ahead
}

/// The value of a position by looking one move ahead: what the tables should hold; none if they know too little.
pub fn expected<N: Numbering>(
    numbering: &N,
    tables: &Tables,
    position: &Position<N>,
    moves: &mut Vec<Move<N>>,
) -> Option<Code> {
    let game = numbering.game();
    moves.clear();
    game.legal_moves(position, moves);
    if moves.is_empty() {
        return Some(ended(numbering, position));
    }
    let values = moves.drain(..).map(|mv| after(numbering, tables, &game.play(position, mv))?.before());
    values.reduce(|best, code| Some(best?.better(code?)))?
}

/// The value of a position that a move has led to.
fn after<N: Numbering>(numbering: &N, tables: &Tables, position: &Position<N>) -> Option<Code> {
    match numbering.place(position) {
        Some(place) => tables.get(place),
        None => Some(ended(numbering, position)),
    }
}

/// The value of a position in which the game is over.
fn ended<N: Numbering>(numbering: &N, position: &Position<N>) -> Code {
    match numbering.game().outcome(position) {
        Some(Outcome::Win(..)) => Code::LOST,
        _ => Code::DRAW,
    }
}
