//! What an engine can do wrong, so that it loses a game against the rules of the match and not of the board.

use std::fmt;

/// What kind of fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FaultKind {
    /// A move that the rules forbid.
    Illegal,
    /// More time than the limit and the margin.
    Time,
    /// The process has ended, or closed its output.
    Crash,
    /// No answer at all.
    Hang,
    /// An answer that is not of the form of one.
    Garbage,
}

impl FaultKind {
    /// Every kind, in the order of a report.
    pub const ALL: [FaultKind; 5] =
        [FaultKind::Illegal, FaultKind::Time, FaultKind::Crash, FaultKind::Hang, FaultKind::Garbage];

    /// Its name, as reports and records have it.
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

/// A fault, in words for people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Its kind.
    pub kind: FaultKind,
    /// What happened.
    pub detail: String,
}

impl Fault {
    /// A fault of this kind.
    pub fn new(kind: FaultKind, detail: impl Into<String>) -> Fault {
        Fault { kind, detail: detail.into() }
    }

    /// The kind of the fault that a text tells of; none if it tells of something else.
    pub fn kind_of(text: &str) -> Option<FaultKind> {
        let kind = text.split_once(": ")?.0;
        FaultKind::ALL.into_iter().find(|known| known.name() == kind)
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}: {}", self.kind.name(), self.detail)
    }
}
