//! What a search has found of a position.

use crate::search::{Answer, Info, score};

/// The best moves of a position, best first; none if the game is over.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Lines {
    /// The moves.
    pub lines: Vec<Line>,
    /// The number of nodes that were searched.
    pub nodes: u64,
    /// What went wrong, in words. The moves can be used all the same.
    pub faults: Vec<String>,
}

/// A move with its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// The move.
    pub mv: String,
    /// The score for the side to move; none if the search ended before it had one.
    pub score: Option<i32>,
    /// Whether the score is exact: a proven win or loss, or a draw.
    pub is_proven: bool,
    /// The depth in plies at which the move has this score.
    pub depth: i32,
    /// The principal variation, which begins with the move.
    pub pv: Vec<String>,
}

impl Lines {
    /// Takes in a report of the search. An iteration that is not finished may report a new best move and nothing else;
    /// the other moves then keep their order behind it.
    pub fn add(&mut self, info: &Info<String>) {
        let Some(mv) = info.pv.first() else { return };
        let is_proven = score::is_proven(info.score) || info.is_known || info.is_exact;
        let (mv, score, pv) = (mv.clone(), Some(info.score), info.pv.to_vec());
        let line = Line { mv, score, is_proven, depth: info.depth, pv };
        if let Some(at) = self.lines.iter().position(|known| known.mv == line.mv) {
            self.lines.remove(at);
        }
        self.lines.insert((info.rank - 1).min(self.lines.len()), line);
    }

    /// What is known when the search has ended with this answer: so many of the best moves.
    pub fn end(mut self, answer: Answer<String>, most: usize) -> Lines {
        if self.lines.first().is_none_or(|line| line.mv != answer.best) {
            self.lines.retain(|line| line.mv != answer.best);
            let (mv, pv) = (answer.best.clone(), vec![answer.best]);
            let is_proven = answer.score.is_some_and(score::is_proven);
            self.lines.insert(0, Line { mv, score: answer.score, is_proven, depth: 0, pv });
        }
        self.lines.truncate(most);
        Lines { nodes: answer.nodes, faults: answer.faults, ..self }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn add(lines: &mut Lines, depth: i32, rank: usize, mv: &str) {
        let pv = [mv.to_string()];
        let (seldepth, score, is_known, nodes, table_hits) = (1, 10 * depth, false, 1, 0);
        let (is_exact, pv, per_mille_full, time) = (false, &pv[..], 0, Duration::ZERO);
        lines.add(&Info {
            depth,
            seldepth,
            rank,
            score,
            is_known,
            is_exact,
            pv,
            nodes,
            table_hits,
            per_mille_full,
            time,
        });
    }

    fn moves(lines: &Lines) -> Vec<(&str, i32)> {
        lines.lines.iter().map(|line| (line.mv.as_str(), line.depth)).collect()
    }

    #[test]
    fn an_unfinished_iteration_changes_only_the_best_move() {
        let mut lines = Lines::default();
        for (rank, mv) in [(1, "a"), (2, "b"), (3, "c")] {
            add(&mut lines, 1, rank, mv);
        }
        for (rank, mv) in [(1, "b"), (2, "c"), (3, "d")] {
            add(&mut lines, 2, rank, mv);
        }
        assert_eq!(moves(&lines)[..3], [("b", 2), ("c", 2), ("d", 2)]);
        add(&mut lines, 3, 1, "c");
        assert_eq!(moves(&lines)[..3], [("c", 3), ("b", 2), ("d", 2)]);
        let answer = |best: &str| Answer { score: Some(7), nodes: 9, ..Answer::unknown(best.to_string()) };
        let ended = lines.clone().end(answer("c"), 3);
        assert_eq!((moves(&ended), ended.nodes), (vec![("c", 3), ("b", 2), ("d", 2)], 9));
        assert_eq!(moves(&lines.end(answer("d"), 2)), [("d", 0), ("c", 3)]);
        assert_eq!(moves(&Lines::default().end(answer("e"), 2)), [("e", 0)]);
    }
}
