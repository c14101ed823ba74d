//! The question `known`: the certain facts about a position, with their sources.

use std::collections::BTreeMap;

use pentarch_core::KnownValueSource;
use serde::Serialize;

use super::best_lines::{BestLine, BestLines};

/// The facts about a position that are certain.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "Known"))]
pub struct KnownFacts {
    /// The value of the position: `win SIDE` or `draw`; `null` if it is unknown.
    #[cfg_attr(test, schemars(regex(pattern = KNOWN_VALUE_PATTERN)))]
    pub value: Option<String>,
    /// The maximum number of plies to the end of the game; `null` for a draw, and if no bound is
    /// known.
    pub plies: Option<u32>,
    /// The source of the value; `null` if the value is unknown.
    #[cfg_attr(test, schemars(extend("enum" = KNOWN_VALUE_SOURCES_OR_NULL)))]
    pub source: Option<&'static str>,
    /// A sentence that says how values from this source were checked; `null` if the value is
    /// unknown.
    pub checked: Option<&'static str>,
    /// The legal moves with known values.
    pub moves: BTreeMap<String, KnownMove>,
    /// Whether all sources were consulted; `false` if the tables are not complete. This happens if
    /// the wait for the tables was ended, or if the tables could not be computed or loaded. With
    /// complete tables, more facts may be known.
    #[serde(rename = "complete")]
    pub is_complete: bool,
    /// The words and sentences for the values that a search adds.
    #[serde(skip)]
    pub(crate) seen_sides: SidesSeenByMover,
}

/// The form of a value.
#[cfg(test)]
const KNOWN_VALUE_PATTERN: &str = "^(win \\S.*|draw)$";
/// The sources of values.
#[cfg(test)]
const KNOWN_VALUE_SOURCES: [&str; 5] = ["rules", "table", "book", "proof", "search"];

/// The sources of values, and `null`.
#[cfg(test)]
const KNOWN_VALUE_SOURCES_OR_NULL: [Option<&str>; 6] =
    [Some("rules"), Some("table"), Some("book"), Some("proof"), Some("search"), None];

/// The sides as the player to move sees them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SidesSeenByMover {
    /// The words for the sides.
    pub names: [&'static str; 2],
    /// The index of the side to move.
    pub to_move: usize,
    /// Whether the sides alternate. If they do not, a number of moves does not bound the number of
    /// plies.
    pub alternate: bool,
    /// The sentence that says how values proved by a search were checked.
    pub checked_search: &'static str,
}

/// The known value of a move.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct KnownMove {
    /// The value of the position after the move: `win SIDE` or `draw`.
    #[cfg_attr(test, schemars(regex(pattern = KNOWN_VALUE_PATTERN)))]
    pub value: String,
    /// The maximum number of plies to the end of the game, including the move itself; `null` for a
    /// draw, and if no bound is known.
    pub plies: Option<u32>,
    /// The source of the value.
    #[cfg_attr(test, schemars(extend("enum" = KNOWN_VALUE_SOURCES)))]
    pub source: &'static str,
    /// A sentence that says how values from this source were checked.
    pub checked: &'static str,
}

impl KnownFacts {
    /// Adds the proven lines of a search of the position, unless their values are already known.
    /// `has_all_moves` states whether the search chose from all legal moves.
    pub fn add_search(&mut self, lines: &BestLines, has_all_moves: bool) {
        let side = self.seen_sides.to_move;
        for line in &lines.lines {
            if let Some(value) = self.value_of_line(line, side) {
                self.moves.entry(line.mv.clone()).or_insert(value);
            }
        }
        // If one move wins, the position is won, and if the best move loses, the position is lost.
        // If the best move draws, another move may still win.
        let best = lines.lines.first().and_then(|line| {
            let score = line.score.value?;
            let is_settled = score > 0 || score < 0 && has_all_moves;
            if is_settled { self.value_of_line(line, side) } else { None }
        });
        self.add_searched_value(best);
    }

    /// Adds the value that a search of an earlier position of this game has proved, unless the
    /// value is already known. `moves` are the moves since that position. The value is only known
    /// after a single move with a proven line, or after a move that is proven to win and any reply.
    pub fn add_earlier_search(&mut self, lines: &BestLines, moves: &[String]) {
        let [mv, replies @ ..] = moves else { return };
        let SidesSeenByMover { to_move, alternate, .. } = self.seen_sides;
        let Some(line) = lines.lines.iter().find(|line| line.mv == *mv).filter(|_| alternate)
        else {
            return;
        };
        let value = match replies {
            [] => self.value_of_line(line, 1 - to_move),
            [_] if line.score.value > Some(0) => self.value_of_line(line, to_move),
            _ => None,
        };
        let plies_since = moves.len() as u32;
        self.add_searched_value(value.map(|value| KnownMove {
            plies: value.plies.map(|plies| plies.saturating_sub(plies_since)),
            ..value
        }));
    }

    /// Adds the value of the position from a search, unless the value is already known.
    fn add_searched_value(&mut self, value: Option<KnownMove>) {
        if let Some(value) = value.filter(|_| self.value.is_none()) {
            self.value = Some(value.value);
            self.plies = value.plies;
            self.source = Some(value.source);
            self.checked = Some(value.checked);
        }
    }

    /// Returns the value of a search line, if it is proven. `side` is the index of the side to move
    /// in the searched position.
    fn value_of_line(&self, line: &BestLine, side: usize) -> Option<KnownMove> {
        let is_proven = line.is_proven && line.estimate.is_none();
        let score = line.score.value.filter(|_| is_proven)?;
        let SidesSeenByMover { names, alternate, checked_search, .. } = self.seen_sides;
        let value = match score.signum() {
            0 => "draw".into(),
            1 => format!("win {}", names[side]),
            _ => format!("win {}", names[1 - side]),
        };
        let plies = line.score.mate.filter(|_| alternate).map(|moves| {
            let plies = moves.unsigned_abs().saturating_mul(2);
            if moves > 0 { plies - 1 } else { plies }
        });
        let source = KnownValueSource::Search.word();
        Some(KnownMove { value, plies, source, checked: checked_search })
    }

    /// Returns the facts as text for people.
    pub fn text(&self) -> String {
        let in_words = |value: &str, plies: Option<u32>| {
            let result = match value.strip_prefix("win ") {
                Some(side) => format!("{side} wins"),
                None => "neither side can force a win".into(),
            };
            let length = plies.filter(|&plies| plies > 0).map_or_else(String::new, |plies| {
                format!(" in at most {plies} {}", if plies == 1 { "ply" } else { "plies" })
            });
            result + &length
        };
        let mut text = match (&self.value, self.source, self.checked) {
            (Some(value), Some(source), Some(checked)) => {
                format!("Known: {} ({source}). {checked}", in_words(value, self.plies))
            }
            _ => "The value of this position is not known.".into(),
        };
        for (mv, known) in &self.moves {
            let value = in_words(&known.value, known.plies);
            text += &format!("\n{mv}: {value} ({})", known.source);
        }
        if !self.is_complete {
            text += "\nThe tables of solved positions are not complete yet, so more may be known.";
        }
        text
    }
}
