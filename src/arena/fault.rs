//! Faults of engines. By the rules of the match, an engine with a fault loses the game, regardless
//! of the position.

use std::process::ExitStatus;
use std::time::Duration;

use thiserror::Error;

use pentarch_core::notation::parsing::quote_for_message;
use pentarch_core::{RuleViolation, SyntaxError};
use pentarch_engine::error::EngineError;

/// The kind of a fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FaultKind {
    /// A move that the rules of the game forbid.
    Illegal,
    /// More time for a move than the limit and the margin allow.
    Time,
    /// The end of the process, or of its output, during a game.
    Crash,
    /// No response.
    Hang,
    /// A response with invalid syntax.
    Garbage,
}

impl FaultKind {
    /// Every kind, in the order of reports.
    pub const ALL: [FaultKind; 5] = [
        FaultKind::Illegal,
        FaultKind::Time,
        FaultKind::Crash,
        FaultKind::Hang,
        FaultKind::Garbage,
    ];

    /// Returns the name of this kind of fault in reports and records.
    pub fn name(self) -> &'static str {
        match self {
            FaultKind::Illegal => "illegal move",
            FaultKind::Time => "time",
            FaultKind::Crash => "crash",
            FaultKind::Hang => "hang",
            FaultKind::Garbage => "garbage",
        }
    }

    /// Returns the kind with this name, or `None`.
    pub fn from_name(name: &str) -> Option<FaultKind> {
        FaultKind::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// A fault of an engine. Its message begins with the name of its kind: `hang: no answer in 60 s`.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum MatchEngineFault {
    /// The rules of the game forbid the move.
    #[error("illegal move: {}, {error}", quote_for_message(mv))]
    Illegal {
        /// The move as the engine wrote it.
        mv: String,
        /// The rules that the move violates, and the reason.
        error: RuleViolation,
    },
    /// The move is a pass or a resignation, and this game has no such move.
    #[error("illegal move: {}, which is not a move of this game", quote_for_message(mv))]
    OtherGame {
        /// The move as the engine wrote it.
        mv: String,
    },
    /// The board of the arena has parsed the move as legal, but rejects it.
    #[error("illegal move: {0}")]
    Board(Box<EngineError>),
    /// The engine has replied after its time was up.
    #[error(
        "time: {:.1} ms taken, {} ms allowed with the margin",
        taken.as_secs_f64() * 1000.0,
        allowed.as_millis()
    )]
    Time {
        /// The time from `go` to the reply.
        taken: Duration,
        /// The time that the engine had for its move: its limit and the margin.
        allowed: Duration,
    },
    /// The process has ended.
    #[error("crash: the process has ended ({0})")]
    Ended(ExitStatus),
    /// The process has closed its output, but has not ended.
    #[error("crash: the process has closed its output")]
    ClosedOutput,
    /// The engine has sent none of the expected words.
    #[error("hang: no '{}' in {} s", words.join("' or '"), time.as_secs_f64())]
    NoWord {
        /// The possible words of the expected response.
        words: &'static [&'static str],
        /// The time that the engine had.
        time: Duration,
    },
    /// The engine has sent no move.
    #[error("hang: no answer in {} s", time.as_secs_f64())]
    NoMove {
        /// The time that the engine had.
        time: Duration,
    },
    /// The engine has sent an unknown line instead of a move.
    #[error("garbage: {} and no answer in {} s", quote_for_message(line), time.as_secs_f64())]
    UnknownLine {
        /// The last of the engine's unexpected lines.
        line: String,
        /// The time that the engine had.
        time: Duration,
    },
    /// The reply has no move.
    #[error("garbage: 'bestmove' without a move")]
    EmptyReply,
    /// The move has invalid syntax.
    #[error("garbage: {}, {error}", quote_for_message(mv))]
    Syntax {
        /// The move as the engine wrote it.
        mv: String,
        /// The error in the notation of the move.
        error: SyntaxError,
    },
}

impl MatchEngineFault {
    /// Returns the kind of the fault.
    pub fn kind(&self) -> FaultKind {
        match self {
            MatchEngineFault::Illegal { .. }
            | MatchEngineFault::OtherGame { .. }
            | MatchEngineFault::Board(_) => FaultKind::Illegal,
            MatchEngineFault::Time { .. } => FaultKind::Time,
            MatchEngineFault::Ended(_) | MatchEngineFault::ClosedOutput => FaultKind::Crash,
            MatchEngineFault::NoWord { .. } | MatchEngineFault::NoMove { .. } => FaultKind::Hang,
            MatchEngineFault::UnknownLine { .. }
            | MatchEngineFault::EmptyReply
            | MatchEngineFault::Syntax { .. } => FaultKind::Garbage,
        }
    }
}

#[cfg(test)]
mod tests {
    use pentarch_core::notation::parsing::FoundToken;

    use super::*;

    #[test]
    fn messages_begin_with_the_name_of_the_kind() {
        let mv = "x".to_string();
        let time = Duration::from_millis(1500);
        let violation = RuleViolation { rules: &["REQ.1"], reason: "no".into() };
        let syntax = SyntaxError {
            column: 1,
            expected: "a move".into(),
            found: FoundToken::Word("x".into()),
        };
        let faults = [
            (
                MatchEngineFault::Illegal { mv: mv.clone(), error: violation },
                "illegal move: 'x', REQ.1: no",
            ),
            (
                MatchEngineFault::OtherGame { mv: mv.clone() },
                "illegal move: 'x', which is not a move of this game",
            ),
            (
                MatchEngineFault::Board(Box::new(EngineError::new(
                    pentarch_engine::error::EngineFault::NotUtf8,
                ))),
                "illegal move: the line is not UTF-8 text",
            ),
            (
                MatchEngineFault::Time { taken: time, allowed: Duration::from_millis(1050) },
                "time: 1500.0 ms taken, 1050 ms allowed with the margin",
            ),
            (
                MatchEngineFault::Ended(ExitStatus::default()),
                "crash: the process has ended (exit status: 0)",
            ),
            (MatchEngineFault::ClosedOutput, "crash: the process has closed its output"),
            (MatchEngineFault::NoWord { words: &["a", "b"], time }, "hang: no 'a' or 'b' in 1.5 s"),
            (MatchEngineFault::NoMove { time }, "hang: no answer in 1.5 s"),
            (
                MatchEngineFault::UnknownLine { line: "y".into(), time },
                "garbage: 'y' and no answer in 1.5 s",
            ),
            (MatchEngineFault::EmptyReply, "garbage: 'bestmove' without a move"),
            (
                MatchEngineFault::Syntax { mv, error: syntax },
                "garbage: 'x', column 1: expected a move, found 'x'",
            ),
        ];
        for (fault, text) in faults {
            assert_eq!(fault.to_string(), text);
            let name = fault.kind().name();
            assert!(text.starts_with(&format!("{name}: ")), "{text}");
            assert_eq!(FaultKind::from_name(name), Some(fault.kind()));
        }
        assert_eq!(FaultKind::from_name("goal"), None);
    }
}
