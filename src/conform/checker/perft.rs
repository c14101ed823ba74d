//! Compares perft counts, and locates the difference behind a wrong count.

use super::RuleSetChecker;
use super::queries::{AskError, position_command};
use super::reply_difference::{ReplyDifference, ReplyDifferenceKind};
use crate::conform::case::{ConformanceCase, PositionReply};

impl RuleSetChecker {
    pub(super) fn check_perft(
        &mut self,
        case: &ConformanceCase,
        depth: u32,
        nodes: u64,
    ) -> Result<Vec<ReplyDifference>, AskError> {
        let reply = self.ask_perft(case, "", depth)?;
        let Some(reply) = reply.filter(|reply| *reply != nodes.to_string()) else {
            return Ok(Vec::new());
        };
        let mut differences = self.locate_perft_difference(case, depth)?;
        let located = differences.first().map_or(Vec::new(), |first| first.rules.clone());
        differences.push(ReplyDifference {
            kind: ReplyDifferenceKind::Perft,
            position: position_command(&case.fen, ""),
            command: format!("perft {depth}"),
            expected: nodes.to_string(),
            reply,
            rules: located,
        });
        Ok(differences)
    }

    /// Returns the engine's perft after these moves, or `None` if the engine lacks the command.
    fn ask_perft(
        &mut self,
        case: &ConformanceCase,
        moves: &str,
        depth: u32,
    ) -> Result<Option<String>, AskError> {
        // An engine may respond to `isready` while it counts, but not to a command that must wait
        // for the count.
        let query = format!("perft {depth}\nposition startpos");
        Ok(self.ask(case, moves, &[query])?.into_iter().next().flatten())
    }

    /// Follows a wrong perft to a position in which another reply differs, and returns the
    /// differences in this position. Each step plays the first move below which the numbers differ.
    fn locate_perft_difference(
        &mut self,
        case: &ConformanceCase,
        depth: u32,
    ) -> Result<Vec<ReplyDifference>, AskError> {
        let mut moves = String::new();
        for remaining_depth in (0..depth).rev() {
            let _ = self.reference.set_up(Some(&case.fen), &moves);
            let expected = self.reference.position_reply();
            let differences = self.check_position(case, &expected)?;
            if remaining_depth == 0 || !differences.is_empty() {
                return Ok(differences);
            }
            match self.find_line_with_other_perft(case, &expected, remaining_depth)? {
                Some(line) => moves = line,
                None => break,
            }
        }
        Ok(Vec::new())
    }

    /// Returns the moves of a position and the first legal move after which the engine's perft
    /// differs; `None` if there is no such move.
    fn find_line_with_other_perft(
        &mut self,
        case: &ConformanceCase,
        position: &PositionReply,
        depth: u32,
    ) -> Result<Option<String>, AskError> {
        for mv in position.legal.split_whitespace() {
            let line = format!("{} {mv}", position.moves).trim_start().to_string();
            let _ = self.reference.set_up(Some(&case.fen), &line);
            let nodes = self.reference.perft(depth).to_string();
            if self.ask_perft(case, &line, depth)?.is_some_and(|reply| reply != nodes) {
                return Ok(Some(line));
            }
        }
        Ok(None)
    }
}
