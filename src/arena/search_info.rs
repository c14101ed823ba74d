//! What an engine writes while it searches, in `info` lines.

use std::time::Duration;

use pentarch_search::score;

use super::fault::Fault;

/// What an engine has written during a search.
#[derive(Debug, Default)]
pub struct SearchInfo {
    /// The depth in the last `info` line with one; 0 if there was none.
    pub depth: u64,
    /// The nodes in the last `info` line with them; 0 if there was none.
    pub nodes: u64,
    /// The score of the best move in the last `info` line with one, in centipawns for the side to move.
    pub score: Option<i32>,
    /// The last line that is neither `info` nor `bestmove`.
    unexpected: Option<String>,
}

impl SearchInfo {
    /// Adds a line of the engine.
    pub fn add(&mut self, line: &str) {
        let mut words = line.split_whitespace();
        match words.next() {
            None => {}
            Some("info") => {
                let mut is_best = true;
                while let Some(word) = words.next() {
                    match word {
                        "multipv" => is_best = words.next() == Some("1"),
                        "score" if is_best => self.score = read_score(&mut words).or(self.score),
                        "depth" => {
                            self.depth = words
                                .next()
                                .and_then(|text| text.parse().ok())
                                .unwrap_or(self.depth)
                        }
                        "nodes" => {
                            self.nodes = words
                                .next()
                                .and_then(|text| text.parse().ok())
                                .unwrap_or(self.nodes)
                        }
                        // The rest of the line is free text or moves.
                        "string" | "pv" => break,
                        _ => {}
                    }
                }
            }
            Some(_) => self.unexpected = Some(line.into()),
        }
    }

    /// The fault of an engine that has not answered in this time.
    pub fn no_answer(&self, time: Duration) -> Fault {
        match self.unexpected.clone() {
            None => Fault::NoMove { time },
            Some(line) => Fault::UnknownLine { line, time },
        }
    }
}

/// The score of an `info` line in centipawns, as `cp N` or `mate N`; `None` for anything else.
fn read_score<'a>(words: &mut impl Iterator<Item = &'a str>) -> Option<i32> {
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
        let mut search = SearchInfo::default();
        for line in [
            "info depth 3 multipv 2 score cp 9",
            "info depth 4 nodes 7 multipv 1 score cp -5 pv score cp 1",
            "x",
        ] {
            search.add(line);
        }
        assert_eq!((search.depth, search.nodes, search.score), (4, 7, Some(-5)));
        search.add("info score mate 2 string score cp 3");
        assert_eq!(search.score, Some(score::mate_score(2)));
        search.add("info score lowerbound 3");
        assert_eq!(search.score, Some(score::mate_score(2)));
    }
}
