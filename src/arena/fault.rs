//! Faults of engines: each loses the game by the rules of the match, whatever the position is.

use thiserror::Error;

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
}

/// A fault of an engine. Its text is the name of its kind and the detail: `hang: no answer in 60 s`.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{}: {detail}", kind.name())]
pub struct Fault {
    /// The kind of the fault.
    pub kind: FaultKind,
    /// What happened, in words for people.
    pub detail: String,
}

impl Fault {
    /// A fault of this kind.
    pub fn new(kind: FaultKind, detail: impl Into<String>) -> Fault {
        Fault { kind, detail: detail.into() }
    }

    /// The kind of the fault with this text; `None` if it is not the text of a fault.
    pub fn kind_of(text: &str) -> Option<FaultKind> {
        let kind = text.split_once(": ")?.0;
        FaultKind::ALL.into_iter().find(|known| known.name() == kind)
    }
}
