//! Checks that the fields of a request agree with each other and with the options of the program.

use std::time::Duration;

use pentarch_core::Options;
use pentarch_core::notation::parsing::quote_for_message;
use pentarch_search::strength_levels::StrengthLevel;
use pentarch_search::time_management::MoveTimeControl;
use thiserror::Error;

use super::field_types::Words;
use super::fields::{ClockFields, EndFields, RequestFields, RequestQuestion};
use super::request::{Request, RequestClock, RequestPosition, RequestedGameEnd, SearchLimits};
use crate::builtin_problems::BuiltinProblem;
use crate::engine_options::EngineOptions;
use crate::engine_state::game_specific_options;
use crate::error::{EngineError, ErrorKind};
use crate::games::{GAME_OPTION, RulesId};
use crate::input_word::InputWord;
use crate::problem::Problem;
use crate::record::{RecordSelection, set_rules_from_settings};
use crate::sgf_reader::SgfReadLimits;

/// A fault in a request in which each field has a valid form.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum FieldCheckError {
    /// A question needs a field that is missing.
    #[error("expected {expected}, as {needed_by}")]
    MissingField {
        /// The expected value of the field.
        expected: &'static str,
        /// The phrase for the question at the end of the message.
        needed_by: &'static str,
    },
    /// No field limits a search.
    #[error("expected depth, nodes, movetime or clock")]
    NoLimit,
    /// The request has a field for other searches, but all its searches are proofs.
    #[error("{question} does not accept it; nodes limits its proofs")]
    NotForProofs {
        /// The question that the proofs answer.
        question: &'static str,
    },
    /// A field repeats a value that another field already specifies.
    #[error("the {by} already specifies it")]
    RedundantField {
        /// The name of the other field.
        by: &'static str,
    },
    /// The game has no built-in problems.
    #[error("the program has no problems for this game")]
    NoProblems,
    /// The game has no problem with this number.
    #[error("expected a whole number from 1 to {most}")]
    ProblemNumber {
        /// The number of problems of the game.
        most: usize,
    },
    /// An option occurs twice, possibly with different capitalisation.
    #[error("{} is set twice", quote_for_message(.name))]
    DuplicateOption {
        /// The name of the option.
        name: String,
    },
    /// The field for the end of the game is invalid.
    #[error("expected one of resign, flag and agree")]
    End,
    /// The length of a list of clocks differs from the number of players.
    #[error("{list}: expected one for each of the {players} players")]
    ClockLength {
        /// The list: `times` or `increments`.
        list: &'static str,
        /// The number of players of the game.
        players: usize,
    },
    /// The host cannot answer the question.
    #[error(transparent)]
    Unavailable(#[from] UnavailableFeature),
}

/// A question or a field that the host does not support.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum UnavailableFeature {
    /// The question `isproblem` without a prover.
    #[error("isproblem needs a prover, and there is none")]
    Prover,
    /// The question `prove` outside the command `analyse`.
    #[error("only the command analyse answers prove")]
    Proofs,
    /// The field `ugi` without a console.
    #[error("only a socket of the page's server has a console")]
    Console,
}

impl FieldCheckError {
    /// Returns the kind of the fault.
    pub(crate) fn kind(&self) -> ErrorKind {
        match self {
            FieldCheckError::MissingField { .. }
            | FieldCheckError::NoLimit
            | FieldCheckError::NotForProofs { .. }
            | FieldCheckError::RedundantField { .. }
            | FieldCheckError::DuplicateOption { .. } => ErrorKind::Field,
            FieldCheckError::ProblemNumber { .. }
            | FieldCheckError::End
            | FieldCheckError::ClockLength { .. } => ErrorKind::Value,
            FieldCheckError::NoProblems | FieldCheckError::Unavailable(_) => ErrorKind::Unavailable,
        }
    }

    /// Returns the error, located in this field of a request. The message begins with the name of
    /// the field.
    pub fn in_named_field(self, field: &str) -> EngineError {
        EngineError::new(self).in_named_field(field)
    }
}

impl Request {
    /// Checks the fields of a request. `options` and `limits` are the defaults for everything that
    /// the request does not set. A single limit in the request replaces all of `limits`. A game in
    /// SGF may have at most `most_moves` moves.
    ///
    /// # Errors
    /// If two fields contradict each other, or if a field that a question needs is missing. If a
    /// name or a number is unknown. If nothing limits a search.
    pub fn from_fields(
        fields: RequestFields,
        options: &Options,
        limits: &SearchLimits,
        most_moves: usize,
    ) -> Result<Request, EngineError> {
        check_proof_fields(&fields)?;
        let questions = fields.questions().to_vec();
        let depth = fields.depth.and_then(|depth| u32::try_from(depth.0).ok());
        let mut own_limits = SearchLimits {
            depth,
            nodes: fields.nodes.map(|nodes| nodes.0),
            movetime: fields.movetime.map(|time| time.0),
            multipv: fields.multipv.map_or(limits.multipv, |lines| lines.0 as usize),
        };
        let mut clock = fields.clock.map(|clock| request_clock(clock, options));
        own_limits.resolve_zero_limits(clock.as_mut().map(|clock| &mut clock.control));
        // A clock in the request also replaces the limits of the command line.
        let is_limited = own_limits.is_bounded() || clock.is_some();
        let search_limits = match is_limited {
            true => own_limits,
            false => SearchLimits { multipv: own_limits.multipv, ..*limits },
        };
        let words = |words: Option<Words>| words.unwrap_or_default().to_input_words();
        let position = RequestPositionFields {
            record: fields.record,
            game: fields.game,
            options: fields.options.map(|options| options.0),
            fen: fields.fen,
            moves: fields.moves,
            problem: fields.problem.map(|number| number.0),
        };
        let CheckedPosition { position, problem } = position.check(options, most_moves)?;
        let end = fields.end.map(requested_game_end).transpose()?;
        let level = match fields.level {
            Some(level) => level.0,
            None => EngineOptions::new(options).level,
        };
        let seed = match fields.seed {
            Some(seed) => Some(seed.0).filter(|&seed| seed > 0),
            None => EngineOptions::new(options).seed,
        };
        let memory = fields.memory.and_then(|mib| u32::try_from(mib.0).ok());
        let request = Request {
            questions,
            position,
            problem,
            end,
            clicks: words(fields.clicks),
            mv: fields.mv.map(|mv| mv.0),
            topic: fields.topic,
            flip: fields.flip.unwrap_or_default(),
            search_limits,
            searchmoves: words(fields.searchmoves),
            clock,
            level,
            seed,
            memory,
            tables: fields.tables.map(|pieces| pieces.0 as usize),
            every: fields.every.map(|every| Duration::from_millis(every.0)),
        };
        request.check_required_fields()?;
        Ok(request)
    }

    fn check_required_fields(&self) -> Result<(), EngineError> {
        use RequestQuestion::*;
        let asks = |question| self.questions.contains(&question);
        if self.problem.is_none() && asks(Problem) {
            let error = FieldCheckError::MissingField {
                expected: "the number of a built-in problem",
                needed_by: "'problem' needs it",
            };
            return Err(error.in_named_field("problem"));
        }
        if self.search_limits.nodes.is_none() && asks(Prove) {
            let error = FieldCheckError::MissingField {
                expected: "the maximum number of nodes for each side",
                needed_by: "'prove' needs it",
            };
            return Err(error.in_named_field("nodes"));
        }
        let is_limited = self.search_limits.is_bounded() || self.clock.is_some();
        // Proofs and levels below the full strength have their own limits, so they need no limit in
        // the request.
        let needs_limit = |question: &RequestQuestion| {
            question.needs_search()
                && !matches!(question, IsProblem | Prove)
                && (!matches!(question, Play | Swap) || self.level == StrengthLevel::Champion)
        };
        if !is_limited && self.questions.iter().any(needs_limit) {
            return Err(EngineError::new(FieldCheckError::NoLimit));
        }
        Ok(())
    }
}

/// Checks the fields of a request for proofs. A request whose searches are all proofs must not have
/// fields for other searches.
fn check_proof_fields(fields: &RequestFields) -> Result<(), EngineError> {
    let proof_name = |question: &RequestQuestion| match question {
        RequestQuestion::IsProblem => Some("isproblem"),
        RequestQuestion::Prove => Some("prove"),
        _ => None,
    };
    let mut searched = fields.questions().iter().filter(|question| question.needs_search());
    let Some(first) = searched.clone().next().and_then(proof_name) else { return Ok(()) };
    let unused = [
        ("depth", fields.depth.is_some()),
        ("movetime", fields.movetime.is_some()),
        ("multipv", fields.multipv.is_some()),
        ("every", fields.every.is_some()),
        ("searchmoves", fields.searchmoves.is_some()),
        ("level", fields.level.is_some()),
        ("seed", fields.seed.is_some()),
        ("clock", fields.clock.is_some()),
    ];
    match first_present_field(&unused) {
        Some(name) if searched.all(|question| proof_name(question).is_some()) => {
            Err(FieldCheckError::NotForProofs { question: first }.in_named_field(name))
        }
        _ => Ok(()),
    }
}

/// The fields that choose a position.
struct RequestPositionFields {
    record: Option<String>,
    game: Option<String>,
    options: Option<Vec<(String, String)>>,
    fen: Option<String>,
    moves: Option<Words>,
    problem: Option<u64>,
}

/// A checked position of a request.
struct CheckedPosition {
    position: RequestPosition,
    /// The built-in problem with which the game begins.
    problem: Option<BuiltinProblem>,
}

impl RequestPositionFields {
    /// Checks these fields. Returns the position of the request, and the built-in problem with
    /// which the game begins, if any.
    fn check(self, options: &Options, most_moves: usize) -> Result<CheckedPosition, EngineError> {
        if let Some(text) = &self.record {
            let others = [
                ("fen", self.fen.is_some()),
                ("moves", self.moves.is_some()),
                ("problem", self.problem.is_some()),
            ];
            check_absent_fields(&others, "record")?;
            let mut options = self.options_with_requested_game(options)?;
            set_rule_options(&mut options, self.options.as_deref().unwrap_or_default())?;
            let source = RecordSelection {
                text,
                number: None,
                advice: "a request takes one",
                limits: SgfReadLimits { most_moves, ..SgfReadLimits::DEFAULT },
            };
            let record =
                source.read_selected_record(&options).map_err(|error| error.in_field("record"))?;
            let position = RequestPosition::Record { record, options };
            return Ok(CheckedPosition { position, problem: None });
        }
        let mut options = self.options_with_requested_game(options)?;
        let moves = self.moves.as_ref().map_or_else(Vec::new, Words::to_input_words);
        if let Some(number) = self.problem {
            let problem = builtin_problem(number, &options)?;
            let others = [("options", self.options.is_some()), ("fen", self.fen.is_some())];
            check_absent_fields(&others, "problem")?;
            let Problem { rules: (_, settings), position, .. } = problem.problem;
            set_rules_from_settings(&mut options, settings.iter().map(String::as_str))?;
            let fen = Some(InputWord::split_into_words(position));
            let position = RequestPosition::Moves { options, fen, moves };
            return Ok(CheckedPosition { position, problem: Some(problem) });
        }
        set_rule_options(&mut options, self.options.as_deref().unwrap_or_default())?;
        let fen = self.fen.as_deref().map(InputWord::split_into_words);
        let position = RequestPosition::Moves { options, fen, moves };
        Ok(CheckedPosition { position, problem: None })
    }

    fn options_with_requested_game(&self, options: &Options) -> Result<Options, EngineError> {
        let mut options = options.clone();
        if let Some(game) = &self.game {
            options
                .set(&GAME_OPTION, game)
                .map_err(|error| EngineError::from(error).in_field("game"))?;
        }
        Ok(options)
    }
}

/// Checks that the request has none of these fields, whose values the field `by` already specifies.
fn check_absent_fields(fields: &[(&str, bool)], by: &'static str) -> Result<(), EngineError> {
    match first_present_field(fields) {
        Some(name) => Err(FieldCheckError::RedundantField { by }.in_named_field(name)),
        None => Ok(()),
    }
}

fn first_present_field<'a>(fields: &[(&'a str, bool)]) -> Option<&'a str> {
    fields.iter().find(|(_, is_present)| *is_present).map(|(name, _)| *name)
}

fn builtin_problem(number: u64, options: &Options) -> Result<BuiltinProblem, EngineError> {
    let problems = RulesId::from_options(options).game_definition().problems();
    if problems.is_empty() {
        return Err(FieldCheckError::NoProblems.in_named_field("problem"));
    }
    let number = usize::try_from(number).unwrap_or(usize::MAX);
    let problem = problems.get(number - 1).ok_or_else(|| {
        FieldCheckError::ProblemNumber { most: problems.len() }.in_named_field("problem")
    })?;
    Ok(BuiltinProblem { number, problem })
}

/// Sets options of the game's rules, each at most once.
fn set_rule_options(options: &mut Options, values: &[(String, String)]) -> Result<(), EngineError> {
    for (index, (name, value)) in values.iter().enumerate() {
        if values[..index].iter().any(|(other, _)| other.eq_ignore_ascii_case(name)) {
            let error = FieldCheckError::DuplicateOption { name: name.clone() };
            return Err(error.in_named_field("options"));
        }
        options
            .set_rule(game_specific_options(options), name, value)
            .map_err(|error| EngineError::from(error).in_named_field("options"))?;
    }
    Ok(())
}

/// Returns the players' clocks and the overhead per move.
fn request_clock(fields: ClockFields, options: &Options) -> RequestClock {
    let control = MoveTimeControl {
        time: fields.times.0,
        increment: fields.increments.unwrap_or_default().0,
        ..MoveTimeControl::default()
    };
    let overhead = match fields.overhead {
        Some(time) => Duration::from_millis(time.0),
        None => EngineOptions::new(options).move_overhead,
    };
    RequestClock { control, overhead }
}

/// Returns how the players ended the game.
fn requested_game_end(fields: EndFields) -> Result<RequestedGameEnd, EngineError> {
    match fields {
        EndFields { resign: Some(side), flag: None, agree: None | Some(false) } => {
            Ok(RequestedGameEnd::Resign(side))
        }
        EndFields { resign: None, flag: Some(side), agree: None | Some(false) } => {
            Ok(RequestedGameEnd::Flag(side))
        }
        EndFields { resign: None, flag: None, agree: Some(true) } => Ok(RequestedGameEnd::Agree),
        _ => Err(FieldCheckError::End.in_named_field("end")),
    }
}

#[cfg(test)]
mod tests {
    use pentarch_search::time_management::PlayerOnClock;

    use super::*;
    use crate::requests::fields::InputMessage;
    use crate::session::MAX_GAME_PLIES;

    fn check(line: &str, limits: &SearchLimits) -> Result<Request, EngineError> {
        match InputMessage::parse(line).map_err(|invalid| invalid.error)? {
            InputMessage::Request(fields) => {
                Request::from_fields(*fields, &Options::default(), limits, MAX_GAME_PLIES)
            }
            message => panic!("{message:?}"),
        }
    }

    fn checked(line: &str) -> Request {
        check(line, &SearchLimits::UNLIMITED).unwrap()
    }

    fn rejected(line: &str) -> String {
        check(line, &SearchLimits::UNLIMITED).unwrap_err().to_string()
    }

    #[test]
    fn reads_the_position_and_the_limits() {
        let request = checked(
            r#"{"id": 7, "game": "Quoridor", "options": {"Quoridor_Walls": 3, "RepetitionDraw": true},
            "fen": "e2e8 -  w 3/3 4", "moves": ["e3", "e7"], "nodes": 50, "multipv": 2}"#,
        );
        let RequestPosition::Moves { options, fen, .. } = request.position else {
            panic!("no record was given")
        };
        assert_eq!(options.value(&GAME_OPTION).to_string(), "quoridor");
        assert_eq!(
            request.search_limits,
            SearchLimits { nodes: Some(50), multipv: 2, ..SearchLimits::UNLIMITED }
        );
        let columns: Vec<usize> = fen.unwrap().iter().map(|word| word.column).collect();
        assert_eq!(columns, [1, 6, 9, 11, 15]);
        let request = checked(r#"{"moves": "e3 e7", "depth": 1}"#);
        let RequestPosition::Moves { moves, .. } = request.position else { panic!() };
        assert_eq!(moves.len(), 2);
        assert_eq!(request.questions, [RequestQuestion::Analysis]);
    }

    #[test]
    fn a_limit_in_the_request_replaces_all_others() {
        let given = SearchLimits {
            nodes: Some(9),
            movetime: Some(8),
            multipv: 4,
            ..SearchLimits::UNLIMITED
        };
        let limits = |line| check(line, &given).unwrap().search_limits;
        assert_eq!(
            limits(r#"{"depth": 3}"#),
            SearchLimits { depth: Some(3), multipv: 4, ..SearchLimits::UNLIMITED }
        );
        assert_eq!(limits("{}"), given);
        let clock = r#"{"ask": "play", "clock": {"times": [1000, 1000]}}"#;
        assert_eq!(limits(clock), SearchLimits { multipv: 4, ..SearchLimits::UNLIMITED });
    }

    #[test]
    fn ignores_zeros_next_to_other_limits_and_ends_the_search_otherwise() {
        let player = PlayerOnClock { index: 0, player_count: 2, expected_moves: 25 };
        let budget = |line| {
            let request =
                check(line, &SearchLimits { nodes: Some(9), ..SearchLimits::UNLIMITED }).unwrap();
            let SearchLimits { depth, nodes, .. } = request.search_limits;
            let time = request.analysis_time_budget(player).map(|budget| budget.hard.as_millis());
            assert_eq!(
                time,
                request.move_time_budget(player).map(|budget| budget.hard.as_millis())
            );
            (depth, nodes, time)
        };
        for (line, expected) in [
            (r#"{"depth": 0}"#, (Some(1), None, None)),
            (r#"{"nodes": 0}"#, (None, None, Some(0))),
            (r#"{"movetime": 0}"#, (None, None, Some(0))),
            (r#"{"depth": 0, "nodes": 7}"#, (None, Some(7), None)),
            (r#"{"depth": 3, "nodes": 0, "movetime": 0}"#, (Some(3), None, None)),
            (r#"{"depth": 2, "clock": {"times": [0, 5000]}}"#, (Some(2), None, None)),
            (r#"{"depth": 0, "clock": {"times": [0, 0]}}"#, (Some(1), None, Some(0))),
        ] {
            assert_eq!(budget(line), expected, "{line}");
        }
    }

    #[test]
    fn reads_the_arguments_of_questions() {
        let request = checked(
            r#"{"ask": ["scene", "play", "scene"], "level": "Novice", "every": 100, "priority": -1.5,
            "clicks": "e2 e3", "clock": {"times": [-5, 99999999999999999999], "increments": [7], "overhead": 0}, "end": {"agree": true}}"#,
        );
        assert_eq!(request.questions, [RequestQuestion::Scene, RequestQuestion::Play]);
        assert_eq!(
            (request.level, request.every),
            (StrengthLevel::Novice, Some(Duration::from_millis(100)))
        );
        let RequestClock { control: clock, overhead } = request.clock.unwrap();
        assert_eq!(
            (clock.time[0], clock.time[1], clock.increment[0], overhead),
            (Some(-5), Some(i64::MAX), Some(7), Duration::ZERO)
        );
        assert_eq!((request.end, request.clicks.len()), (Some(RequestedGameEnd::Agree), 2));
    }

    #[test]
    fn errors_name_the_field_the_column_and_the_expected_form() {
        let number = |most: u64| format!("expected a whole number from 1 to {most}");
        let limit = format!("expected a whole number from 0 to {}", i64::MAX);
        for (line, error) in [
            ("", "column 1: this is not JSON: expected a value"),
            ("{\"é\": x}", "column 7: this is not JSON: expected a value"),
            (
                "[1]",
                "column 1: expected an object such as {\"id\": 1, \"game\": \"quoridor\", \"depth\": 6}",
            ),
            ("{\"dept\": 3}", "column 2: a request has no field 'dept' (did you mean 'depth'?)"),
            ("{\"depth\": 3, \"depth\": 3}", "column 14: a request has the field 'depth' twice"),
            ("{}", "expected depth, nodes, movetime or clock"),
            ("{\"depth\": -1}", "column 11: depth: expected a whole number from 0 to 1000000"),
            ("{\"nodes\": \"many\"}", &format!("nodes: {limit}")),
            ("{\"nodes\": 99999999999999999999}", &format!("column 11: nodes: {limit}")),
            (
                "{\"ask\": \"play\", \"movetime\": 9223372036854775808}",
                &format!("column 29: movetime: {limit}"),
            ),
            ("{\"nodes\": 1e3}", &format!("column 11: nodes: {limit}")),
            (
                "{\"ask\": \"moves\", \"fen\": null, \"fen\": null}",
                "column 31: a request has the field 'fen' twice",
            ),
            ("{\"depth\": 1, \"multipv\": 257}", &format!("column 25: multipv: {}", number(256))),
            ("{\"fen\": 1}", "column 9: fen: expected a string"),
            ("{\"moves\": [1]}", "column 12: moves: item 1: expected a string of one word"),
            ("{\"moves\": [\"column 5\"]}", "moves: item 1: expected one word"),
            (
                "{\"moves\": 5}",
                "column 11: moves: expected a list of strings, or one string with spaces",
            ),
            (
                "{\"options\": {\"Quoridor_Walls\": 3}}",
                "options: the game has no rule 'Quoridor_Walls'",
            ),
            (
                "{\"options\": {\"RepetitionDraw\": []}}",
                "column 32: options: RepetitionDraw: expected a string, a whole number, true or false",
            ),
            (
                "{\"options\": {\"RepetitionDraw\": 1, \"RepetitionDraw\": 1}}",
                "column 35: options has the field 'RepetitionDraw' twice",
            ),
            ("{\"ask\": \"analysis\"}", "expected depth, nodes, movetime or clock"),
            (
                "{\"ask\": \"play\", \"level\": \"champion\"}",
                "expected depth, nodes, movetime or clock",
            ),
            ("{\"ask\": [\"moves\", 1]}", "column 19: ask: item 2: expected a question"),
            ("{\"ask\": []}", "column 9: ask: expected one question at least"),
            ("{\"ask\": \"moves\", \"end\": {}}", "end: expected one of resign, flag and agree"),
            (
                "{\"ask\": \"moves\", \"end\": {\"agree\": true, \"flag\": \"white\"}}",
                "end: expected one of resign, flag and agree",
            ),
            (
                "{\"ask\": \"moves\", \"end\": {\"agreed\": 1}}",
                "column 26: end has no field 'agreed' (did you mean 'agree'?)",
            ),
            (
                "{\"ask\": \"moves\", \"end\": {\"agree\": 1}}",
                "column 35: end: agree: expected a boolean",
            ),
            ("{\"ask\": \"play\", \"clock\": {}}", "column 26: clock needs the field 'times'"),
            (
                "{\"ask\": \"play\", \"clock\": {\"times\": [1, \"x\"]}}",
                "clock: times: item 2: expected a whole number of milliseconds",
            ),
            ("{\"ask\": \"moves\", \"priority\": \"x\"}", "priority: expected a number"),
            (
                "{\"ask\": \"moves\", \"record\": \"*\", \"fen\": \"x\"}",
                "fen: the record already specifies it",
            ),
            ("{\"stop\": 1, \"ask\": \"moves\"}", "column 13: stop has no field 'ask'"),
            ("{\"ugi\": \"a\\nb\"}", "ugi: expected one line"),
        ] {
            assert_eq!(rejected(line), error, "{line}");
        }
        assert!(rejected("{\"game\": \"quordor\"}").contains("did you mean 'quoridor'"));
        assert!(rejected("{\"ask\": \"scen\"}").contains("did you mean 'scene'"));
        let level = rejected("{\"ask\": \"play\", \"level\": \"novic\"}");
        assert!(level.contains("(did you mean 'novice'?)"), "{level}");
    }
}
