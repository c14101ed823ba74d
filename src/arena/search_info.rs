//! Collects the information in the `info` lines that an engine writes during a search.

use std::time::Duration;

use pentarch_search::score;

use super::fault::MatchEngineFault;

/// The information that the lines of an engine report during a search.
#[derive(Debug, Default)]
pub struct EngineSearchInfo {
    /// The depth in the last `info` line with a depth; 0 without such a line.
    pub depth: u64,
    /// The nodes in the last `info` line with nodes; 0 without such a line.
    pub nodes: u64,
    /// The score of the best move in the last `info` line with a score, in centipawns for the side
    /// to move.
    pub score: Option<i32>,
    /// The last line that is neither `info` nor `bestmove`.
    unexpected: Option<String>,
}

impl EngineSearchInfo {
    /// Adds the information in a line of the engine.
    pub fn add_line(&mut self, line: &str) {
        let mut words = line.split_whitespace();
        match words.next() {
            None => {}
            Some("info") => {
                let mut is_best = true;
                while let Some(word) = words.next() {
                    match word {
                        "multipv" => is_best = words.next() == Some("1"),
                        "score" if is_best => {
                            self.score = parse_info_score(&mut words).or(self.score)
                        }
                        "depth" => self.depth = parse_next_number(&mut words).unwrap_or(self.depth),
                        "nodes" => self.nodes = parse_next_number(&mut words).unwrap_or(self.nodes),
                        // The rest of the line is a message or moves.
                        "string" | "pv" => break,
                        _ => {}
                    }
                }
            }
            Some(_) => self.unexpected = Some(line.into()),
        }
    }

    /// Returns the fault of an engine that has not replied in this time.
    pub fn fault_of_late_engine(&self, time: Duration) -> MatchEngineFault {
        match self.unexpected.clone() {
            None => MatchEngineFault::NoMove { time },
            Some(line) => MatchEngineFault::UnknownLine { line, time },
        }
    }
}

/// Parses the next word; `None` if it is not a number.
fn parse_next_number<'a>(words: &mut impl Iterator<Item = &'a str>) -> Option<u64> {
    words.next()?.parse().ok()
}

/// Parses the score of an `info` line, `cp N` or `mate N`, as centipawns; `None` for other words.
fn parse_info_score<'a>(words: &mut impl Iterator<Item = &'a str>) -> Option<i32> {
    match (words.next()?, words.next()?.parse().ok()?) {
        ("cp", centipawns) => Some(centipawns),
        ("mate", moves) => Some(score::mate_score(moves)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_score_of_the_best_move_counts() {
        let mut info = EngineSearchInfo::default();
        for line in [
            "info depth 3 multipv 2 score cp 9",
            "info depth 4 nodes 7 multipv 1 score cp -5 pv score cp 1",
            "x",
        ] {
            info.add_line(line);
        }
        assert_eq!((info.depth, info.nodes, info.score), (4, 7, Some(-5)));
        info.add_line("info score mate 2 string score cp 3");
        assert_eq!(info.score, Some(score::mate_score(2)));
        info.add_line("info score lowerbound 3");
        assert_eq!(info.score, Some(score::mate_score(2)));
    }
}
