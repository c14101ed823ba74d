//! Faults of engines: each loses the game by the rules of the match, whatever the position is.

use std::process::ExitStatus;
use std::time::Duration;

use thiserror::Error;

use pentarch_core::notation::text::quoted;
use pentarch_core::{SyntaxError, Violation};
use pentarch_engine::error::EngineError;

/// The kinds of faults.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FaultKind {
    /// A move that the rules of the game forbid.
    Illegal,
    /// More time taken for a move than the limit and the margin allow.
    Time,
    /// The end of the process, or of its output, during the game.
    Crash,
    /// No answer.
    Hang,
    /// An answer that does not have the form of one.
    Garbage,
}

impl FaultKind {
    /// Every kind, in the order of a report.
    pub const ALL: [FaultKind; 5] = [
        FaultKind::Illegal,
        FaultKind::Time,
        FaultKind::Crash,
        FaultKind::Hang,
        FaultKind::Garbage,
    ];

    /// The name of the kind in reports and records.
    pub fn name(self) -> &'static str {
        match self {
            FaultKind::Illegal => "illegal move",
            FaultKind::Time => "time",
            FaultKind::Crash => "crash",
            FaultKind::Hang => "hang",
            FaultKind::Garbage => "garbage",
        }
    }

    /// Returns the kind with this name.
    pub fn named(name: &str) -> Option<FaultKind> {
        FaultKind::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// A fault of an engine. Its text begins with the name of its kind: `hang: no answer in 60 s`.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Fault {
    /// The rules of the game forbid the move.
    #[error("illegal move: {}, {error}", quoted(mv))]
    Illegal {
        /// The move as the engine has written it.
        mv: String,
        /// The rules that forbid it.
        error: Violation,
    },
    /// The move passes or resigns, and the game has no such move.
    #[error("illegal move: {}, which is no move of this game", quoted(mv))]
    OtherGame {
        /// The move as the engine has written it.
        mv: String,
    },
    /// The board of the arena does not make a move that it has read as legal.
    #[error("illegal move: {0}")]
    Board(Box<EngineError>),
    /// The engine has answered after its time was up.
    #[error(
        "time: {:.1} ms taken, {} ms allowed with the margin",
        taken.as_secs_f64() * 1000.0,
        allowed.as_millis()
    )]
    Time {
        /// The time from `go` to the answer.
        taken: Duration,
        /// The time that the limit and the margin allow.
        allowed: Duration,
    },
    /// The process has ended.
    #[error("crash: the process has ended ({0})")]
    Ended(ExitStatus),
    /// The output of the process has ended, and the process has not.
    #[error("crash: the process has closed its output")]
    ClosedOutput,
    /// None of the expected words has come.
    #[error("hang: no '{}' in {} s", words.join("' or '"), time.as_secs_f64())]
    NoWord {
        /// The words.
        words: &'static [&'static str],
        /// The time that the engine had.
        time: Duration,
    },
    /// No move has come.
    #[error("hang: no answer in {} s", time.as_secs_f64())]
    NoMove {
        /// The time that the engine had.
        time: Duration,
    },
    /// A line that means nothing has come in the place of a move.
    #[error("garbage: {} and no answer in {} s", quoted(line), time.as_secs_f64())]
    UnknownLine {
        /// The last such line.
        line: String,
        /// The time that the engine had.
        time: Duration,
    },
    /// The answer has no move.
    #[error("garbage: 'bestmove' without a move")]
    EmptyAnswer,
    /// The text in the place of a move does not have the form of one.
    #[error("garbage: {}, {error}", quoted(mv))]
    Syntax {
        /// The text as the engine has written it.
        mv: String,
        /// The error in it.
        error: SyntaxError,
    },
}

impl Fault {
    /// The kind of the fault.
    pub fn kind(&self) -> FaultKind {
        match self {
            Fault::Illegal { .. } | Fault::OtherGame { .. } | Fault::Board(_) => FaultKind::Illegal,
            Fault::Time { .. } => FaultKind::Time,
            Fault::Ended(_) | Fault::ClosedOutput => FaultKind::Crash,
            Fault::NoWord { .. } | Fault::NoMove { .. } => FaultKind::Hang,
            Fault::UnknownLine { .. } | Fault::EmptyAnswer | Fault::Syntax { .. } => {
                FaultKind::Garbage
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use pentarch_core::notation::text::FoundToken;

    use super::*;

    #[test]
    fn texts_begin_with_the_name_of_the_kind() {
        let (mv, time) = ("x".to_string(), Duration::from_millis(1500));
        let violation = Violation { rules: &["REQ.1"], reason: "no".into() };
        let syntax = SyntaxError {
            column: 1,
            expected: "a move".into(),
            found: FoundToken::Word("x".into()),
        };
        let faults = [
            (Fault::Illegal { mv: mv.clone(), error: violation }, "illegal move: 'x', REQ.1: no"),
            (
                Fault::OtherGame { mv: mv.clone() },
                "illegal move: 'x', which is no move of this game",
            ),
            (
                Fault::Board(Box::new(EngineError::new(pentarch_engine::error::Fault::NotUtf8))),
                "illegal move: the line is not UTF-8 text",
            ),
            (
                Fault::Time { taken: time, allowed: Duration::from_millis(1050) },
                "time: 1500.0 ms taken, 1050 ms allowed with the margin",
            ),
            (Fault::Ended(ExitStatus::default()), "crash: the process has ended (exit status: 0)"),
            (Fault::ClosedOutput, "crash: the process has closed its output"),
            (Fault::NoWord { words: &["a", "b"], time }, "hang: no 'a' or 'b' in 1.5 s"),
            (Fault::NoMove { time }, "hang: no answer in 1.5 s"),
            (Fault::UnknownLine { line: "y".into(), time }, "garbage: 'y' and no answer in 1.5 s"),
            (Fault::EmptyAnswer, "garbage: 'bestmove' without a move"),
            (
                Fault::Syntax { mv, error: syntax },
                "garbage: 'x', column 1: expected a move, found 'x'",
            ),
        ];
        for (fault, text) in faults {
            assert_eq!(fault.to_string(), text);
            let name = fault.kind().name();
            assert!(text.starts_with(&format!("{name}: ")), "{text}");
            assert_eq!(FaultKind::named(name), Some(fault.kind()));
        }
        assert_eq!(FaultKind::named("goal"), None);
    }
}
