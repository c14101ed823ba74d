//! What a search has found of a position.

use serde::Serialize;

use pentarch_search::{SearchReport, SearchResult, score};

/// The best moves of a position.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Lines {
    /// The best moves, best first; none if the game is over.
    pub lines: Vec<Line>,
    /// The number of nodes that were searched.
    pub nodes: u64,
    /// Faults that did not prevent the search, such as a damaged table file, for people.
    #[serde(rename = "warnings")]
    pub faults: Vec<String>,
}

/// A move with its score for the side to move.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Line {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// The score for the side to move.
    #[serde(flatten)]
    pub score: Score,
    /// Whether the score is exact: a proven win or loss, or a draw.
    #[serde(rename = "proven")]
    pub is_proven: bool,
    /// The [rank](pentarch_core::ProbeResult::Lost) of a win in tables without distances: it decreases along the win. Only
    /// if the search has not seen the end of the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rank: Option<u32>,
    /// The depth in plies at which the move has this score.
    pub depth: i32,
    /// The principal variation, which begins with the move.
    pub pv: Vec<String>,
    /// The chance of winning of the side to move, where a draw counts half; `null` without a score.
    #[cfg_attr(test, schemars(range(min = 0, max = 1)))]
    pub chance: Option<f64>,
}

/// A score as centipawns, or as the moves to a win or a loss: one of the two, or neither if the search ended before it
/// had a score.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Score {
    /// The score on the scale of the search.
    #[serde(skip)]
    pub value: Option<i32>,
    /// The score in centipawns; `null` if a win or a loss is proven, or without a score.
    pub cp: Option<i32>,
    /// The moves of the side to move to the end of the game, negative if it loses; `null` if neither is proven.
    pub mate: Option<i32>,
}

impl Score {
    /// A score of the search.
    pub fn of(value: Option<i32>) -> Score {
        let proven = value.filter(|&value| score::is_proven(value));
        let cp = if proven.is_some() { None } else { value };
        Score { value, cp, mate: proven.map(score::mate_in) }
    }
}

/// The chance of winning by a score, where a draw counts half. `scale` is that of the logistic curve, in centipawns.
pub fn chance(value: i32, scale: i32) -> f64 {
    match score::is_proven(value) {
        true => f64::from(u8::from(value > 0)),
        false => 1. / (1. + (-f64::from(value) / f64::from(scale)).exp()),
    }
}

impl Lines {
    /// Takes in a report of the search. An iteration that is not finished may report a new best move and nothing else;
    /// the other moves then keep their order behind it.
    pub fn add(&mut self, info: &SearchReport<String>) {
        let Some(mv) = info.pv.first() else { return };
        let is_proven = score::is_proven(info.score) || info.is_known || info.is_exact;
        let (mv, score, pv) = (mv.clone(), Score::of(Some(info.score)), info.pv.to_vec());
        let line = Line {
            mv,
            score,
            is_proven,
            rank: info.table_rank,
            depth: info.depth,
            pv,
            chance: None,
        };
        self.nodes = info.nodes;
        if let Some(at) = self.lines.iter().position(|known| known.mv == line.mv) {
            self.lines.remove(at);
        }
        self.lines.insert((info.rank - 1).min(self.lines.len()), line);
    }

    /// What is known when the search has ended with this answer: so many of the best moves.
    pub fn end(mut self, answer: SearchResult<String>, most: usize) -> Lines {
        if self.lines.first().is_none_or(|line| line.mv != answer.best) {
            self.lines.retain(|line| line.mv != answer.best);
            let (mv, pv) = (answer.best.clone(), vec![answer.best]);
            let is_proven = answer.score.is_some_and(score::is_proven);
            let score = Score::of(answer.score);
            self.lines
                .insert(0, Line { mv, score, is_proven, rank: None, depth: 0, pv, chance: None });
        }
        self.lines.truncate(most);
        Lines {
            nodes: answer.nodes,
            faults: answer.faults.iter().map(ToString::to_string).collect(),
            ..self
        }
    }

    /// The same with the chance of winning of each move, by the scale of the game.
    #[must_use]
    pub fn with_chances(mut self, scale: i32) -> Lines {
        for line in &mut self.lines {
            line.chance = line.score.value.map(|value| chance(value, scale));
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn add(lines: &mut Lines, depth: i32, rank: usize, mv: &str) {
        let pv = [mv.to_string()];
        lines.add(&SearchReport {
            depth,
            seldepth: 1,
            rank,
            score: 10 * depth,
            is_known: false,
            table_rank: None,
            is_exact: false,
            pv: &pv,
            nodes: 1,
            table_hits: 0,
            per_mille_full: 0,
            time: Duration::ZERO,
        });
    }

    #[test]
    fn a_rank_is_told_where_tables_know_the_winner() {
        let pv = ["a".to_string()];
        let info = SearchReport {
            score: 19_000,
            is_known: true,
            table_rank: Some(3),
            pv: &pv,
            ..SearchReport::EMPTY
        };
        let line = |info: &SearchReport<String>| {
            let mut lines = Lines::default();
            lines.add(info);
            serde_json::to_value(&lines.lines[0]).unwrap()
        };
        let known = line(&info);
        assert_eq!((&known["proven"], &known["rank"]), (&true.into(), &3.into()));
        assert_eq!(
            line(&SearchReport { table_rank: None, is_known: false, ..info }).get("rank"),
            None
        );
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
        let answer = |best: &str| SearchResult::from_pv(&[best.to_string()], Some(7), 9).unwrap();
        let ended = lines.clone().end(answer("c"), 3);
        assert_eq!((moves(&ended), ended.nodes), (vec![("c", 3), ("b", 2), ("d", 2)], 9));
        assert_eq!(moves(&lines.end(answer("d"), 2)), [("d", 0), ("c", 3)]);
        assert_eq!(moves(&Lines::default().end(answer("e"), 2)), [("e", 0)]);
    }
}
