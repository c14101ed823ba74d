//! Sends the cases to an engine, and finds the replies that differ from the rules.
//!
//! Each command is followed by `isready`. The lines before `readyok` are the response to the
//! command, even if the engine ignores an unknown command. The engine is started once for each rule
//! set, and only its options choose the rules.
//!
//! | module | contents |
//! |---|---|
//! | [`reply_difference`] | replies that differ from the rules |
//! | [`queries`] | sends commands to the engine, and reads its responses |
//! | `perft` | compares perft counts, and locates the difference behind a wrong count |

mod perft;
pub mod queries;
pub mod reply_difference;

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use pentarch_core::Options;
use pentarch_engine::engine_state::{non_default_rules, rule_options};
use pentarch_engine::games::GAME_OPTION;

use super::case::{CaseQuestion, ConformanceCase, PositionReply};
use super::reference::{ReferenceGame, rule_id_of_invalid_fen};
use crate::arena::fault::MatchEngineFault;
use crate::arena::process::{
    EngineProcess, EngineSetupError, EngineSpec, EngineStartError, RuleOption,
};
use queries::{
    AskError, OPTIONAL_ERROR_LINES, OptionalCommands, find_answer_in_response,
    find_error_in_response, position_command,
};
use reply_difference::{ReplyDifference, ReplyDifferenceKind};

/// The engine to check.
#[derive(Debug, Clone)]
pub struct EngineUnderTest {
    /// The program of the engine, and the limits of its replies.
    pub spec: EngineSpec,
    /// The time that the engine has for a response.
    pub patience: Duration,
    /// Whether the engine must have an option that chooses the game.
    pub plays_several_games: bool,
}

/// A checker of an engine under the rules of one rule set.
pub struct RuleSetChecker {
    engine: EngineProcess,
    reference: ReferenceGame,
    start_fen: String,
    /// The command that sets up the position before a rejected command.
    earlier_position: String,
    /// The FEN of this position.
    earlier_fen: String,
    /// The names of the options that differ from their defaults.
    option_names: Vec<&'static str>,
    is_start_checked: bool,
    /// The optional commands of the engine.
    pub optional: OptionalCommands,
    /// For each command that the engine seems to lack, the first difference. This difference is
    /// reported if the engine replies to the command later.
    doubtful: BTreeMap<&'static str, ReplyDifference>,
}

/// The reason why cases of a rule set were not checked.
pub enum StartFailure {
    /// The engine does not have the game or an option, or rejects the value of an option.
    UnknownRules(EngineStartError),
    /// The engine does not start.
    Start(EngineStartError),
}

impl RuleSetChecker {
    /// Starts the engine under these rules.
    ///
    /// # Errors
    /// If the engine does not start, or does not have the options of these rules.
    pub fn start(
        engine: &EngineUnderTest,
        options: &Options,
    ) -> Result<RuleSetChecker, StartFailure> {
        let rules = rule_options_to_set(options, engine.plays_several_games);
        let process = EngineProcess::start(&engine.spec, &rules, engine.patience);
        let mut reference = ReferenceGame::new(options);
        let start_fen = reference.fen();
        let mut earlier_position = "position startpos".to_string();
        if let Some(first) = reference.legal_moves().first() {
            reference.play(&first.text);
            earlier_position += &format!(" moves {}", first.text);
        }
        Ok(RuleSetChecker {
            engine: process.map_err(|error| match error.error {
                EngineSetupError::MissingOption { .. } | EngineSetupError::OptionValue { .. } => {
                    StartFailure::UnknownRules(error)
                }
                _ => StartFailure::Start(error),
            })?,
            start_fen,
            earlier_position,
            earlier_fen: reference.fen(),
            reference,
            option_names: non_default_rules(options)
                .into_iter()
                .map(|(spec, _)| spec.name)
                .collect(),
            is_start_checked: false,
            optional: OptionalCommands::default(),
            doubtful: BTreeMap::new(),
        })
    }

    /// Sends a case to the engine under the rules of this checker. Returns the replies that differ.
    ///
    /// # Errors
    /// If the engine ends or does not respond in time.
    pub fn check_case(
        &mut self,
        case: &ConformanceCase,
    ) -> Result<Vec<ReplyDifference>, MatchEngineFault> {
        let mut differences = Vec::new();
        if !self.is_start_checked {
            self.is_start_checked = true;
            differences = self.check_start()?;
        }
        let result = match &case.question {
            CaseQuestion::Position(reply) => self.check_position(case, reply),
            CaseQuestion::Move { mv, legal, after } => {
                self.check_move(case, mv, *legal, after.as_deref())
            }
            CaseQuestion::Invalid => self.check_invalid_fen(case),
            CaseQuestion::Perft { depth, nodes } => self.check_perft(case, *depth, *nodes),
        };
        match result {
            Ok(found) => differences.extend(found),
            Err(AskError::Rejected(difference)) => differences.push(*difference),
            Err(AskError::Fault(fault)) => return Err(fault),
        }
        Ok(differences)
    }

    /// Checks the start position, and that the engine rejects unknown values of its options.
    fn check_start(&mut self) -> Result<Vec<ReplyDifference>, MatchEngineFault> {
        let position = "position startpos".to_string();
        let command = "query fen".to_string();
        let responses =
            self.engine.send_and_collect_responses(&[position.clone(), command.clone()])?;
        let reply = find_answer_in_response(&responses[1]).unwrap_or("(nothing)");
        let mut differences = Vec::new();
        if reply != self.start_fen {
            let rule = self.reference.constants().fen_rule;
            differences.push(ReplyDifference {
                kind: ReplyDifferenceKind::Fen,
                position: position.clone(),
                command,
                expected: self.start_fen.clone(),
                reply: reply.into(),
                rules: Vec::from_iter(rule.map(str::to_string)),
            });
        }
        for name in self.option_names.clone() {
            let command = format!("setoption name {name} value ?");
            let responses =
                self.engine.send_and_collect_responses(std::slice::from_ref(&command))?;
            let difference =
                find_error_in_response(&responses[0]).is_none().then(|| ReplyDifference {
                    kind: ReplyDifferenceKind::OptionValue,
                    position: position.clone(),
                    command,
                    expected: "an error".into(),
                    reply: "(nothing)".into(),
                    rules: Vec::new(),
                });
            differences.extend(self.handle_optional_command_response(
                OPTIONAL_ERROR_LINES,
                difference,
                None,
            ));
        }
        Ok(differences)
    }

    /// Returns the names of the sentences that a difference concerns: `rule`, and the sentences
    /// that the case shows.
    fn decisive_rules(&self, case: &ConformanceCase, rule: Option<&str>) -> Vec<String> {
        let mut rules: Vec<String> = rule.map(str::to_string).into_iter().collect();
        rules.extend(case.rules.iter().filter(|name| Some(name.as_str()) != rule).cloned());
        rules
    }

    fn check_position(
        &mut self,
        case: &ConformanceCase,
        expected: &PositionReply,
    ) -> Result<Vec<ReplyDifference>, AskError> {
        let position = position_command(&case.fen, &expected.moves);
        if let Some(end) = &expected.end {
            return self.check_end_command(case, expected, &position, end);
        }
        let mut queries = ["query fen", "query moves", "query outcome", "query p1turn"]
            .map(str::to_string)
            .to_vec();
        let confirmed = select_moves_to_query(expected);
        queries.extend(confirmed.iter().map(|mv| format!("query islegal {mv}")));
        let replies = self.ask(case, &expected.moves, &queries)?;
        let mut differences = Vec::new();
        let fen = expected.after.as_ref().unwrap_or(&case.fen);
        let legal = match expected.legal.as_str() {
            "" => "none",
            moves => moves,
        };
        let turn = expected.p1turn.to_string();
        // An error here means that the file of cases does not fit this program.
        let _ = self.reference.set_up(Some(&case.fen), &expected.moves);
        let mut answers = vec![fen.as_str(), legal, &expected.outcome, &turn];
        answers.resize(queries.len(), "true");
        for ((command, expected), reply) in queries.iter().zip(answers).zip(replies) {
            let Some(reply) = reply.filter(|reply| reply != expected) else { continue };
            let difference = |kind, rules| ReplyDifference {
                kind,
                position: position.clone(),
                command: command.clone(),
                expected: expected.to_string(),
                reply: reply.clone(),
                rules,
            };
            if command == "query moves" {
                for (kind, rule) in self.compare_moves(expected, &reply) {
                    differences.push(difference(kind, self.decisive_rules(case, rule)));
                }
                continue;
            }
            let (kind, rule) = match command.as_str() {
                "query fen" => (ReplyDifferenceKind::Fen, self.rule_id_of_fen()),
                "query outcome" => {
                    (ReplyDifferenceKind::Outcome, self.rule_id_of_outcomes(expected, &reply))
                }
                "query p1turn" => (ReplyDifferenceKind::Turn, self.reference.constants().turn_rule),
                _ => {
                    let mv = command.rsplit(' ').next().unwrap_or_default();
                    (ReplyDifferenceKind::IsLegal, self.reference.rule_id_of_move(mv))
                }
            };
            differences.push(difference(kind, self.decisive_rules(case, rule)));
        }
        for (mv, fen) in &expected.next {
            differences.extend(self.check_fen_after_move(case, mv, fen)?);
        }
        Ok(differences)
    }

    /// Compares the outcome after the players have ended the game. If this command never ends a
    /// game, the engine lacks the command.
    fn check_end_command(
        &mut self,
        case: &ConformanceCase,
        expected: &PositionReply,
        position: &str,
        end: &str,
    ) -> Result<Vec<ReplyDifference>, AskError> {
        let query = "query outcome".to_string();
        if self.is_command_missing(&query) {
            return Ok(Vec::new());
        }
        let commands = [end.to_string(), query.clone()];
        let mut responses = self.collect_responses_in_position(case, &expected.moves, &commands)?;
        let lines = responses.pop().unwrap_or_default();
        let Some(reply) = self.read_reply(&query, lines) else { return Ok(Vec::new()) };
        let rule = self.reference.rule_id_of_outcome(&expected.outcome);
        let goes_on = reply == "ongoing";
        let difference = (reply != expected.outcome).then(|| ReplyDifference {
            kind: ReplyDifferenceKind::Outcome,
            position: position.into(),
            command: format!("{end}, query outcome"),
            expected: expected.outcome.clone(),
            reply,
            rules: self.decisive_rules(case, rule),
        });
        let optional = RuleSetChecker::optional_command(end);
        let Some(command) = optional.filter(|_| expected.outcome != "ongoing") else {
            return Ok(Vec::from_iter(difference));
        };
        if goes_on {
            let error = responses
                .first()
                .and_then(|lines| find_error_in_response(lines))
                .map(str::to_string);
            return Ok(Vec::from_iter(
                self.handle_optional_command_response(command, difference, error),
            ));
        }
        Ok(self
            .handle_optional_command_response(command, None, None)
            .into_iter()
            .chain(difference)
            .collect())
    }

    /// Returns the sentence that determines the FEN of the reference's current position: the
    /// sentence of the last move.
    fn rule_id_of_fen(&mut self) -> Option<&'static str> {
        let Some(last) = self.reference.moves().pop() else {
            return self.reference.constants().fen_rule;
        };
        self.reference.take_back();
        let rule = self.reference.rule_id_of_move(&last);
        self.reference.play(&last);
        rule
    }

    /// Returns the sentence of `expected` or `reply`, whichever outcome is not `ongoing`.
    fn rule_id_of_outcomes(&self, expected: &str, reply: &str) -> Option<&'static str> {
        self.reference
            .rule_id_of_outcome(expected)
            .or_else(|| self.reference.rule_id_of_outcome(reply))
    }

    /// Compares two lists of legal moves of the reference's current position. Returns each kind of
    /// difference, with the sentence of the rules that decides whether its first move is legal.
    fn compare_moves(
        &self,
        expected: &str,
        reply: &str,
    ) -> Vec<(ReplyDifferenceKind, Option<&'static str>)> {
        let list = |text: &'_ str| -> BTreeSet<String> {
            text.split_whitespace().filter(|word| *word != "none").map(str::to_string).collect()
        };
        let expected = list(expected);
        let found = list(reply);
        let mut kinds = Vec::new();
        if let Some(mv) = expected.difference(&found).next() {
            kinds.push((ReplyDifferenceKind::MissingMove, self.reference.rule_id_of_move(mv)));
        }
        if let Some(mv) = found.difference(&expected).next() {
            kinds.push((ReplyDifferenceKind::ExtraMove, self.reference.rule_id_of_move(mv)));
        }
        if kinds.is_empty() {
            kinds.push((ReplyDifferenceKind::MoveOrder, None));
        }
        kinds
    }

    /// Compares the FEN after a legal move.
    fn check_fen_after_move(
        &mut self,
        case: &ConformanceCase,
        mv: &str,
        fen: &str,
    ) -> Result<Option<ReplyDifference>, AskError> {
        let position = position_command(&case.fen, mv);
        let _ = self.reference.set_up(Some(&case.fen), "");
        let rules = self.decisive_rules(case, self.reference.rule_id_of_move(mv));
        let replies = match self.ask(case, mv, &["query fen".into()]) {
            Ok(replies) => replies,
            Err(AskError::Rejected(difference)) => return Ok(Some(*difference)),
            Err(error) => return Err(error),
        };
        let reply = replies.into_iter().next().flatten().unwrap_or_default();
        Ok((reply != fen).then(|| ReplyDifference {
            kind: ReplyDifferenceKind::Fen,
            position,
            command: "query fen".into(),
            expected: fen.into(),
            reply,
            rules,
        }))
    }

    fn check_move(
        &mut self,
        case: &ConformanceCase,
        mv: &str,
        legal: bool,
        after: Option<&str>,
    ) -> Result<Vec<ReplyDifference>, AskError> {
        let position = position_command(&case.fen, "");
        let command = format!("query islegal {mv}");
        let replies = self.ask(case, "", std::slice::from_ref(&command))?;
        let mut differences = Vec::new();
        let expected = legal.to_string();
        if let Some(reply) = replies.into_iter().next().flatten()
            && reply != expected
        {
            let _ = self.reference.set_up(Some(&case.fen), "");
            differences.push(ReplyDifference {
                kind: ReplyDifferenceKind::IsLegal,
                position,
                command,
                expected,
                reply,
                rules: self.decisive_rules(case, self.reference.rule_id_of_move(mv)),
            });
        }
        if let Some(fen) = after {
            differences.extend(self.check_fen_after_move(case, mv, fen)?);
        }
        if !legal {
            let _ = self.reference.set_up(Some(&case.fen), "");
            let rules = self.decisive_rules(case, self.reference.rule_id_of_move(mv));
            differences
                .extend(self.check_position_rejected(&position_command(&case.fen, mv), rules)?);
        }
        Ok(differences)
    }

    /// Checks that the engine rejects an invalid FEN.
    fn check_invalid_fen(
        &mut self,
        case: &ConformanceCase,
    ) -> Result<Vec<ReplyDifference>, AskError> {
        let rule = self.reference.set_up(Some(&case.fen), "").err();
        let rule = rule.as_ref().and_then(rule_id_of_invalid_fen);
        let rules = self.decisive_rules(case, rule.or(self.reference.constants().fen_rule));
        self.check_position_rejected(&position_command(&case.fen, ""), rules)
    }

    /// Checks that the engine rejects a position with an error, and that the engine's position
    /// stays the same.
    fn check_position_rejected(
        &mut self,
        command: &str,
        rules: Vec<String>,
    ) -> Result<Vec<ReplyDifference>, AskError> {
        let commands = [self.earlier_position.clone(), command.into(), "query fen".into()];
        let responses = self.engine.send_and_collect_responses(&commands)?;
        let reply = find_answer_in_response(&responses[2]).unwrap_or("(nothing)");
        let has_error = find_error_in_response(&responses[1]).is_some();
        let is_same = reply == self.earlier_fen;
        let mut difference = ReplyDifference {
            kind: ReplyDifferenceKind::Accepted,
            position: self.earlier_position.clone(),
            command: command.into(),
            expected: "an error".into(),
            reply: reply.into(),
            rules,
        };
        if has_error && !is_same {
            difference.kind = ReplyDifferenceKind::Fen;
            difference.command += ", query fen";
            difference.expected = self.earlier_fen.clone();
        }
        let mut differences = Vec::new();
        if has_error {
            differences.extend(self.handle_optional_command_response(
                OPTIONAL_ERROR_LINES,
                None,
                None,
            ));
        }
        if !is_same {
            differences.push(difference);
        } else if !has_error {
            difference.reply = "(nothing)".into();
            differences.extend(self.handle_optional_command_response(
                OPTIONAL_ERROR_LINES,
                Some(difference),
                None,
            ));
        }
        Ok(differences)
    }

    /// Returns the text of a sentence of the rules.
    pub fn rule_sentence(&self, name: &str) -> Option<String> {
        self.reference.rule_sentence(name)
    }
}

/// Returns the first, the middle and the last of the legal moves, and the moves whose effect is in
/// the case.
fn select_moves_to_query(reply: &PositionReply) -> BTreeSet<&str> {
    let legal: Vec<&str> = reply.legal.split_whitespace().collect();
    let indices = [0, legal.len() / 2, legal.len().saturating_sub(1)];
    let chosen = indices.into_iter().filter_map(|index| legal.get(index).copied());
    chosen.chain(reply.next.keys().map(String::as_str)).collect()
}

/// Returns the options that set the game and its rules in an engine. The engine must have the
/// options that differ from their defaults.
fn rule_options_to_set(options: &Options, is_game_required: bool) -> Vec<RuleOption> {
    let game = RuleOption {
        name: GAME_OPTION.name,
        value: options.value(&GAME_OPTION).to_string(),
        is_required: is_game_required,
    };
    let rules = rule_options(options).map(|spec| {
        let value = options.value(spec);
        let is_required = value != spec.default_value();
        RuleOption { name: spec.name, value: value.to_string(), is_required }
    });
    std::iter::once(game).chain(rules).collect()
}
