//! Collects the best moves of a position from the reports of a search.

use serde::Serialize;

use pentarch_search::{SearchReport, SearchResult, score};

/// The best moves of a position.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct BestLines {
    /// The best moves, best first. The list is empty if the game is over.
    pub lines: Vec<BestLine>,
    /// The number of searched nodes.
    pub nodes: u64,
    /// Faults that did not prevent the search, as messages for people, such as `a table file is
    /// damaged`.
    #[serde(rename = "warnings")]
    pub faults: Vec<String>,
}

/// A move with its score for the side to move.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "Line"))]
pub struct BestLine {
    /// The move as a string.
    #[serde(rename = "move")]
    pub mv: String,
    /// The score for the side to move.
    #[serde(flatten)]
    pub score: MoveScore,
    /// Whether the score is exact: a proven win or loss, or a draw.
    #[serde(rename = "proven")]
    pub is_proven: bool,
    /// The search's own score of the move, in centipawns. Present only if the other fields contain
    /// the known value of the position, and it is not known whether the move reaches this value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub estimate: Option<i32>,
    /// The [rank](pentarch_core::ProbeResult::Lost) of the position in tablebases without
    /// distances, if these tablebases determine the score. The rank never increases on the way to
    /// the win. Missing if the search has seen the end of the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rank: Option<u32>,
    /// The depth in plies at which the move has this score.
    pub depth: i32,
    /// The principal variation, which begins with the move.
    pub pv: Vec<String>,
    /// The chance of winning of the side to move, from 0 to 1. A draw counts half. `null` if the
    /// move has no score.
    #[cfg_attr(test, schemars(range(min = 0, max = 1)))]
    pub chance: Option<f64>,
}

/// A score, either in centipawns or as the number of moves to a win or a loss. Both fields are
/// `null` if the search ended before it had a score.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct MoveScore {
    /// The score in the units of the search.
    #[serde(skip)]
    pub value: Option<i32>,
    /// The score in centipawns; `null` for a proven win or loss, or without a score.
    pub cp: Option<i32>,
    /// The distance to the end of the game, in moves of the side to move. The distance is negative
    /// if that side loses. `null` if neither a win nor a loss is proven.
    pub mate: Option<i32>,
}

impl MoveScore {
    /// Converts a score of the search.
    pub fn new(value: Option<i32>) -> MoveScore {
        let proven = value.filter(|&value| score::is_proven_score(value));
        let cp = if proven.is_some() { None } else { value };
        MoveScore { value, cp, mate: proven.map(score::mate_distance_in_moves) }
    }
}

/// Returns the chance of winning with this score. A draw counts half. `scale` is the scale of the
/// logistic curve, in centipawns.
pub fn win_chance(value: i32, scale: i32) -> f64 {
    match score::is_proven_score(value) {
        true => f64::from(u8::from(value > 0)),
        false => 1. / (1. + (-f64::from(value) / f64::from(scale)).exp()),
    }
}

/// Returns whether the score of a report is exact: a proven win or loss, or a draw.
pub(crate) fn is_proven_report(info: &SearchReport<String>) -> bool {
    score::is_proven_score(info.score) || info.is_known || info.is_exact
}

impl BestLines {
    /// Adds a report of the search. An unfinished iteration may report only a new best move. In
    /// this case, the other moves follow it in their previous order.
    pub fn add_report(&mut self, info: &SearchReport<String>) {
        let Some(mv) = info.pv.first() else { return };
        let line = BestLine {
            mv: mv.clone(),
            score: MoveScore::new(Some(info.score)),
            is_proven: is_proven_report(info),
            estimate: info.move_score,
            rank: info.table_rank,
            depth: info.depth,
            pv: info.pv.to_vec(),
            chance: None,
        };
        self.nodes = info.nodes;
        if let Some(index) = self.lines.iter().position(|other| other.mv == line.mv) {
            self.lines.remove(index);
        }
        self.lines.insert((info.rank - 1).min(self.lines.len()), line);
    }

    /// Returns at most `most` of the best moves, after the search has ended with the result
    /// `answer`.
    pub fn finish_with_search_result(
        mut self,
        answer: SearchResult<String>,
        most: usize,
    ) -> BestLines {
        if self.lines.first().is_none_or(|line| line.mv != answer.best) {
            self.lines.retain(|line| line.mv != answer.best);
            let line = BestLine {
                mv: answer.best.clone(),
                score: MoveScore::new(answer.score),
                is_proven: answer.score.is_some_and(score::is_proven_score),
                estimate: None,
                rank: None,
                depth: 0,
                pv: vec![answer.best],
                chance: None,
            };
            self.lines.insert(0, line);
        }
        self.lines.truncate(most);
        BestLines {
            nodes: answer.nodes,
            faults: answer.faults.iter().map(ToString::to_string).collect(),
            ..self
        }
    }

    /// Sets the chance of winning of each move, and returns the list. `scale` is the scale of the
    /// logistic curve in this game, in centipawns.
    #[must_use]
    pub(crate) fn with_win_chances(mut self, scale: i32) -> BestLines {
        for line in &mut self.lines {
            line.chance = line.score.value.map(|value| win_chance(value, scale));
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn add(lines: &mut BestLines, depth: i32, rank: usize, mv: &str) {
        let pv = [mv.to_string()];
        lines.add_report(&SearchReport {
            depth,
            seldepth: 1,
            rank,
            score: 10 * depth,
            pv: &pv,
            nodes: 1,
            ..SearchReport::EMPTY_SEARCH_REPORT
        });
    }

    #[test]
    fn reports_a_rank_if_the_tables_know_the_winner() {
        let pv = ["a".to_string()];
        let info = SearchReport {
            score: 19_000,
            is_known: true,
            table_rank: Some(3),
            pv: &pv,
            ..SearchReport::EMPTY_SEARCH_REPORT
        };
        let line = |info: &SearchReport<String>| {
            let mut lines = BestLines::default();
            lines.add_report(info);
            serde_json::to_value(&lines.lines[0]).unwrap()
        };
        let known = line(&info);
        assert_eq!((&known["proven"], &known["rank"]), (&true.into(), &3.into()));
        assert_eq!(
            line(&SearchReport { table_rank: None, is_known: false, ..info }).get("rank"),
            None
        );
    }

    fn moves(lines: &BestLines) -> Vec<(&str, i32)> {
        lines.lines.iter().map(|line| (line.mv.as_str(), line.depth)).collect()
    }

    #[test]
    fn an_unfinished_iteration_changes_only_the_best_move() {
        let mut lines = BestLines::default();
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
        let ended = lines.clone().finish_with_search_result(answer("c"), 3);
        assert_eq!((moves(&ended), ended.nodes), (vec![("c", 3), ("b", 2), ("d", 2)], 9));
        assert_eq!(moves(&lines.finish_with_search_result(answer("d"), 2)), [("d", 0), ("c", 3)]);
        assert_eq!(
            moves(&BestLines::default().finish_with_search_result(answer("e"), 2)),
            [("e", 0)]
        );
    }
}
