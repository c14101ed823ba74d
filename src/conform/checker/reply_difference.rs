//! Replies that differ from the rules.

/// The part of a reply that differs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ReplyDifferenceKind {
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
    /// The reply that states whether a move is legal.
    IsLegal,
    /// The outcome.
    Outcome,
    /// The side to move.
    Turn,
    /// The number of move sequences.
    Perft,
}

impl ReplyDifferenceKind {
    /// Returns a description for people.
    pub fn description(self) -> &'static str {
        match self {
            ReplyDifferenceKind::Rejected => "rejects a valid position or a legal move",
            ReplyDifferenceKind::Accepted => "accepts an invalid position or an illegal move",
            ReplyDifferenceKind::OptionValue => "accepts an unknown value of an option",
            ReplyDifferenceKind::Fen => "another position",
            ReplyDifferenceKind::MissingMove => "legal moves are missing",
            ReplyDifferenceKind::ExtraMove => "illegal moves are listed",
            ReplyDifferenceKind::MoveOrder => "the legal moves are not sorted, or listed twice",
            ReplyDifferenceKind::IsLegal => "another reply whether a move is legal",
            ReplyDifferenceKind::Outcome => "another outcome",
            ReplyDifferenceKind::Turn => "another side to move",
            ReplyDifferenceKind::Perft => "another number of move sequences",
        }
    }
}

/// A reply that differs from the reply that the rules require.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReplyDifference {
    /// The part that differs.
    pub kind: ReplyDifferenceKind,
    /// The command that sets up the position.
    pub position: String,
    /// The command with the differing reply.
    pub command: String,
    /// The reply that the rules require.
    pub expected: String,
    /// The reply of the engine.
    pub reply: String,
    /// The names of the sentences that the difference concerns, beginning with the decisive
    /// sentence.
    pub rules: Vec<String>,
}
