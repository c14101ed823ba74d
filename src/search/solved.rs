//! A root whose moves all lead to solved positions: nothing is left to be searched.

use std::cmp::Reverse;

use crate::core::{Complete, Line, TableValue};

use super::score::{self, MAX_PLY};
use super::worker::{RootMove, outcome_score};

/// What a move is worth to the side that makes it: the exact score, and how it looks, to choose among equals.
type Worth = (i32, i32);

/// Which values of tables are sure in a search, whatever stood on the board before.
///
/// The plies to the win become fewer with every move, whatever the loser does, and no position is met twice on the way.
/// So a draw by repetition can only come of a position that stands for the second time before the search, can come
/// again, and is nearer to the win.
#[derive(Debug, Clone, Copy)]
pub struct Sure {
    /// How many moves were made before the search.
    moves: usize,
    /// In how many plies at most a win is sure as long as all that stood twice can come again.
    plies: u32,
}

impl Sure {
    /// Those in a search of the current position.
    pub fn after<G: Complete>(line: &Line<G>) -> Sure {
        let game = line.game();
        let plies = |position| match game.solve(position) {
            Some(TableValue::Draw) => u32::MAX,
            Some(value) => value.plies(),
            None => 0,
        };
        let plies = match game.repetition_outcome(line.position()) {
            Some(_) => line.repeated().map(plies).min().unwrap_or(u32::MAX),
            None => u32::MAX,
        };
        Sure { moves: line.len(), plies }
    }

    /// Whether the value of the position that the search has come to is sure.
    pub fn holds<G: Complete>(self, line: &Line<G>, value: TableValue) -> bool {
        value.plies() <= self.plies || line.has_left(self.moves)
    }

    /// Whether some values may not be.
    pub fn is_limited(self) -> bool {
        self.plies < u32::MAX
    }
}

/// Gives each of these moves of the current position its exact score and the line that follows, best first; only if
/// tables know them all, which the answer tells.
///
/// Of winning moves the quickest is the best, of losing ones the slowest. A move that completes a repetition is worth
/// what the rules say, whatever the tables do.
pub fn rank<G: Complete>(line: &mut Line<G>, roots: &mut [RootMove<G::Move>], sure: Sure) -> bool {
    let worths: Option<Vec<Worth>> = roots.iter().map(|root| worth(line, root.mv, sure)).collect();
    let Some(worths) = worths else { return false };
    for (root, &(score, _)) in roots.iter_mut().zip(&worths) {
        root.score = score;
        root.pv = follow(line, root.mv, score, sure);
    }
    let mut order: Vec<(Reverse<Worth>, RootMove<G::Move>)> =
        worths.into_iter().map(Reverse).zip(roots.iter().cloned()).collect();
    order.sort_by_key(|&(worth, _)| worth);
    for (root, (_, ranked)) in roots.iter_mut().zip(order) {
        *root = ranked;
    }
    true
}

/// The best play that begins with this move: to the end if there is one, else the move and its reply.
fn follow<G: Complete>(line: &mut Line<G>, mv: G::Move, score: i32, sure: Sure) -> Vec<G::Move> {
    let most = if score::is_proven(score) { MAX_PLY } else { 2 };
    let mut pv = Vec::new();
    let mut next = Some(mv);
    while let Some(mv) = next.filter(|_| pv.len() < most) {
        line.push(mv);
        pv.push(mv);
        let mut moves = Vec::new();
        line.legal_moves(&mut moves);
        let known = moves.into_iter().filter_map(|mv| Some((worth(line, mv, sure)?, mv)));
        // The first of equals, as in the ranking.
        next = known.reduce(|best, other| if other.0 > best.0 { other } else { best }).map(|(_, mv)| mv);
    }
    for _ in &pv {
        line.pop();
    }
    pv
}

/// What a move is worth, if that is sure.
fn worth<G: Complete>(line: &mut Line<G>, mv: G::Move, sure: Sure) -> Option<Worth> {
    let game = line.game().clone();
    let side = game.side_to_move(line.position());
    line.push(mv);
    let position = *line.position();
    let worth = match line.outcome() {
        Some(outcome) => Some((outcome_score(outcome, side, score::win_at(1)), 0)),
        None => game.solve(&position).filter(|&value| sure.holds(line, value)).map(|value| match value {
            TableValue::Win(plies) => (-score::win_at(1 + plies as usize), 0),
            TableValue::Loss(plies) => (score::win_at(1 + plies as usize), 0),
            TableValue::Draw => (0, -game.evaluate(&position, &game.study(&position))),
        }),
    };
    line.pop();
    worth
}
