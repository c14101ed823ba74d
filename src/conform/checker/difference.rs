//! Replies that differ from the rules.

/// The part of a reply that differs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum DifferenceKind {
    /// The engine rejects a valid position or a legal move.
    Rejected,
    /// The engine accepts an invalid FEN or an illegal move.
    Accepted,
    /// The engine accepts an unknown value of an option.
    OptionValue,
    /// The FEN of a position.
    Fen,
    /// The list of legal moves lacks moves.
    MissingMove,
    /// The list of legal moves contains illegal moves.
    ExtraMove,
    /// The list of legal moves has another order, or contains a move twice.
    MoveOrder,
    /// The reply whether a move is legal.
    IsLegal,
    /// The outcome.
    Outcome,
    /// The side to move.
    Turn,
    /// The number of move sequences.
    Perft,
}

impl DifferenceKind {
    /// Returns a description for people.
    pub fn description(self) -> &'static str {
        match self {
            DifferenceKind::Rejected => "rejects a valid position or a legal move",
            DifferenceKind::Accepted => "accepts an invalid position or an illegal move",
            DifferenceKind::OptionValue => "accepts an unknown value of an option",
            DifferenceKind::Fen => "another position",
            DifferenceKind::MissingMove => "legal moves are missing",
            DifferenceKind::ExtraMove => "illegal moves are listed",
            DifferenceKind::MoveOrder => "the legal moves are not sorted, or listed twice",
            DifferenceKind::IsLegal => "another reply whether a move is legal",
            DifferenceKind::Outcome => "another outcome",
            DifferenceKind::Turn => "another side to move",
            DifferenceKind::Perft => "another number of move sequences",
        }
    }
}

/// A reply that differs from the reply that the rules require.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The part that differs.
    pub kind: DifferenceKind,
    /// The command that sets up the position.
    pub position: String,
    /// The command with the differing reply.
    pub command: String,
    /// The reply that the rules require.
    pub expected: String,
    /// The reply of the engine.
    pub reply: String,
    /// The names of the sentences that decide. The name of the decisive sentence is first.
    pub rules: Vec<String>,
}
