//! Sends commands to the engine, and reads its responses.

use std::collections::{BTreeMap, BTreeSet};

use super::RuleSetChecker;
use super::reply_difference::{ReplyDifference, ReplyDifferenceKind};
use crate::arena::fault::MatchEngineFault;
use crate::arena::process::ERROR_LINE_PREFIX;
use crate::conform::case::ConformanceCase;

/// The commands that an engine may lack.
const OPTIONAL_COMMANDS: [&str; 7] =
    ["query islegal", "query outcome", "query p1turn", "perft", "resign", "flag", "agree"];

/// The optional lines that an engine writes, as the report names them.
pub(super) const OPTIONAL_ERROR_LINES: &str = "info string error";

/// The optional commands that an engine has answered, and those that it lacks.
#[derive(Debug, Clone, Default)]
pub struct OptionalCommands {
    answered: BTreeSet<&'static str>,
    /// The commands that the engine lacks, each with the error in the first response to it.
    pub missing: BTreeMap<&'static str, Option<String>>,
}

/// The reason why a question has no replies.
pub(super) enum AskError {
    /// The engine ends or does not respond in time.
    Fault(MatchEngineFault),
    /// The engine rejects the position.
    Rejected(Box<ReplyDifference>),
}

impl From<MatchEngineFault> for AskError {
    fn from(fault: MatchEngineFault) -> AskError {
        AskError::Fault(fault)
    }
}

impl RuleSetChecker {
    /// Handles the response to an optional command. `difference` is `None` if the engine has
    /// replied to the command as expected. Returns the difference to report, if there is one. As
    /// long as the engine has never replied to the command, the engine seems to lack the command.
    /// In that case the first difference is withheld until the engine replies.
    pub(super) fn handle_optional_command_response(
        &mut self,
        command: &'static str,
        difference: Option<ReplyDifference>,
        error: Option<String>,
    ) -> Option<ReplyDifference> {
        let Some(difference) = difference else {
            self.optional.answered.insert(command);
            let earlier = self.doubtful.remove(command)?;
            self.optional.missing.remove(command);
            return Some(earlier);
        };
        if self.optional.answered.contains(command) {
            return Some(difference);
        }
        self.optional.missing.entry(command).or_insert(error);
        self.doubtful.entry(command).or_insert(difference);
        None
    }

    /// Sets up the position of a case after these moves, and sends the queries. Returns the replies
    /// to the queries: `None` if the engine lacks a query.
    pub(super) fn ask(
        &mut self,
        case: &ConformanceCase,
        moves: &str,
        queries: &[String],
    ) -> Result<Vec<Option<String>>, AskError> {
        let sent: Vec<String> =
            queries.iter().filter(|query| !self.is_command_missing(query)).cloned().collect();
        let mut responses = self.collect_responses_in_position(case, moves, &sent)?.into_iter();
        let mut replies = Vec::new();
        for query in queries {
            replies.push(match sent.contains(query) {
                true => self.read_reply(query, responses.next().unwrap_or_default()),
                false => None,
            });
        }
        Ok(replies)
    }

    /// Sets up the position of a case after these moves, sends commands, and returns the responses
    /// to the commands.
    pub(super) fn collect_responses_in_position(
        &mut self,
        case: &ConformanceCase,
        moves: &str,
        commands: &[String],
    ) -> Result<Vec<Vec<String>>, AskError> {
        let position = position_command(&case.fen, moves);
        let lines = [std::slice::from_ref(&position), commands].concat();
        let mut responses = self.engine.send_and_collect_responses(&lines)?;
        let Some(error) = find_error_in_response(&responses[0]) else {
            responses.remove(0);
            return Ok(responses);
        };
        let error = error.to_string();
        let rules = self.rules_of_rejected_position(case, moves)?;
        Err(AskError::Rejected(Box::new(ReplyDifference {
            kind: ReplyDifferenceKind::Rejected,
            position: position.clone(),
            command: position,
            expected: "no error".into(),
            reply: error,
            rules,
        })))
    }

    /// Returns the optional command with which this line begins.
    pub(super) fn optional_command(command: &str) -> Option<&'static str> {
        OPTIONAL_COMMANDS.into_iter().find(|optional| command.starts_with(optional))
    }

    pub(super) fn is_command_missing(&self, command: &str) -> bool {
        RuleSetChecker::optional_command(command)
            .is_some_and(|optional| self.optional.missing.contains_key(optional))
    }

    /// Returns the reply in the response to a command. Returns `None` if the engine seems to lack
    /// the command: the command is optional, and the engine has never answered it.
    pub(super) fn read_reply(&mut self, command: &str, lines: Vec<String>) -> Option<String> {
        let optional = RuleSetChecker::optional_command(command);
        match (find_answer_in_response(&lines), optional) {
            (Some(reply), _) => {
                self.optional.answered.extend(optional);
                Some(reply.trim().to_string())
            }
            (None, Some(optional)) if !self.optional.answered.contains(optional) => {
                self.optional
                    .missing
                    .insert(optional, find_error_in_response(&lines).map(str::to_string));
                None
            }
            (None, _) => Some(lines.first().map_or_else(|| "(nothing)".into(), Clone::clone)),
        }
    }

    /// Returns the sentences about a position that the engine rejects: those of the first move that
    /// the engine rejects.
    pub(super) fn rules_of_rejected_position(
        &mut self,
        case: &ConformanceCase,
        moves: &str,
    ) -> Result<Vec<String>, AskError> {
        let mut before = String::new();
        let mut rule = self.reference.constants().fen_rule;
        for mv in moves.split_whitespace() {
            let line = format!("{before} {mv}").trim_start().to_string();
            let commands = [position_command(&case.fen, &line)];
            let responses = self.engine.send_and_collect_responses(&commands)?;
            if responses.iter().flatten().any(|line| line.starts_with(ERROR_LINE_PREFIX)) {
                let _ = self.reference.set_up(Some(&case.fen), &before);
                rule = self.reference.rule_id_of_move(mv);
                break;
            }
            before = line;
        }
        Ok(self.decisive_rules(case, rule))
    }
}

/// Returns the message of the first error in a response.
pub(super) fn find_error_in_response(response: &[String]) -> Option<&str> {
    response.iter().find_map(|line| line.strip_prefix(ERROR_LINE_PREFIX))
}

/// Returns the reply in a response.
pub(super) fn find_answer_in_response(response: &[String]) -> Option<&str> {
    response
        .iter()
        .find_map(|line| line.strip_prefix("response ").or_else(|| line.strip_prefix("Nodes: ")))
}

/// Returns the command that sets up a position.
pub(super) fn position_command(fen: &str, moves: &str) -> String {
    match moves {
        "" => format!("position fen {fen}"),
        _ => format!("position fen {fen} moves {moves}"),
    }
}
