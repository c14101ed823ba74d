//! Texts of positions and moves, and the board drawn for people.
//!
//! | module | what it holds |
//! |---|---|
//! | [`text`](mod@text) | error types of texts, and shared pieces of their grammars |
//! | [`board_field`] | the board field of a position text |
//! | [`points`] | points of a board and their names |
//! | [`record`] | records of games as texts: tags, moves, comments, result |

pub mod board_field;
pub mod points;
pub mod record;
pub mod text;

use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::tag;
use nom::combinator::value;

use crate::view::diagram::Diagram;
use crate::view::lesson::LessonStep;
use crate::{Outcome, Players, PositionError, Rules, Side, SyntaxError, Violation};
use text::{ParseResult, expect};

/// Texts of positions and moves, and the board drawn for people.
///
/// A move is read in two steps. The first checks its syntax and knows no position; the second checks its legality in a
/// position, and its error names the rule that forbids the move.
///
/// Positions in which the game is over have texts and diagrams like all others; only
/// [`find_move`](Notation::find_move) is not asked about them.
pub trait Notation: Players {
    /// What the text of a move says, before a position gives it a meaning.
    type ParsedMove;

    /// The source of the text that teaches the rules, by default none. The module [`rules_text`](crate::view::rules_text)
    /// describes its form.
    const RULES_TEXT: &'static str = "";

    /// The id of the sentence of [`RULES_TEXT`](Notation::RULES_TEXT) that forbids moves after the end of the game, by
    /// default none.
    const GAME_OVER: &'static [&'static str] = &[];

    /// The tasks of a guided first game by the usual rules, by default none.
    const LESSON: &'static [LessonStep] = &[];

    /// What each side tries to do, by these rules, as a clause for people: `reach the opposite edge`. By default it is
    /// the [summary](crate::Rules::SUMMARY).
    fn aim(&self) -> &'static str {
        Self::SUMMARY
    }

    /// What a turn is, and how the game ends, by these rules, in a few sentences each for people who have never played:
    /// with the aim they are at most nine lines of 80 columns. By default nothing is said.
    fn short_rules(&self) -> Option<[&'static str; 2]> {
        None
    }

    /// Reads a position text. The last field of every position text is the full-move number, and the side to move is
    /// written as the initial of its name. The notation of [`published_position`](PublishedNotation::published_position) is read,
    /// too.
    ///
    /// # Errors
    /// If the text does not have the form of a position text, if it is not the canonical text of its position, or if
    /// the rules have no such position.
    fn parse_position(&self, text: &str) -> Result<Self::Position, PositionError>;

    /// The canonical text of a position: what [`parse_position`](Notation::parse_position) reads back.
    fn position_text(&self, position: &Self::Position) -> String;

    /// Reads a move text, knowing no position. The case of letters does not matter.
    ///
    /// # Errors
    /// If the text does not have the form of a move of this game.
    fn parse_move(&self, text: &str) -> Result<Self::ParsedMove, SyntaxError>;

    /// The legal move that a move text names in a position in which the game is not over.
    ///
    /// # Errors
    /// If the move is illegal; the error names the rule that forbids it.
    fn find_move(
        &self,
        position: &Self::Position,
        text: &Self::ParsedMove,
    ) -> Result<Self::Move, Violation>;

    /// The canonical text of a move, of letters and digits only.
    fn move_text(&self, mv: Self::Move) -> String;

    /// Why a game is over that has ended in this position with this outcome, as a clause for people: `red's knight has
    /// no step`. By default it is the [reason](Outcome::reason). Only outcomes of
    /// [`outcome`](crate::Rules::outcome) and [`repetition_outcome`](crate::Rules::repetition_outcome) are asked about.
    fn explain_outcome(&self, position: &Self::Position, outcome: Outcome) -> String {
        let _ = position;
        outcome.reason().into()
    }

    /// The kind of a legal move, in the plural, for lists of moves: `steps`, `walls`. By default all are `moves`.
    fn move_kind(&self, position: &Self::Position, mv: Self::Move) -> &'static str {
        let _ = (position, mv);
        "moves"
    }

    /// The board for people as this side sees it, its own men below. It includes what stands beside the board (men in
    /// hand) and what binds the side to move, as [notes](crate::view::diagram::CellKind::Note), but not whose turn it
    /// is.
    fn diagram(&self, position: &Self::Position, viewer: Side) -> Diagram;
}

/// A notation of moves that other programs use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MoveStyle {
    /// The word for it.
    pub word: &'static str,
    /// What it is like, as a clause for people with an example.
    pub about: &'static str,
}

/// How the source of the rules writes positions and moves, where it has a notation of its own, and how other programs
/// write moves. A game without such notations keeps the defaults.
pub trait PublishedNotation: Notation {
    /// The notations of moves that other programs use, by default none.
    const MOVE_STYLES: &'static [MoveStyle] = &[];

    /// The text of a move, for [`parse_move`](Notation::parse_move), of which this is the text in one of the
    /// [`MOVE_STYLES`](PublishedNotation::MOVE_STYLES).
    ///
    /// # Errors
    /// If the text has not the form of a move in that notation.
    fn parse_styled_move(&self, style: &MoveStyle, text: &str) -> Result<String, SyntaxError> {
        let _ = style;
        Ok(text.into())
    }

    /// A canonical move text in one of the [`MOVE_STYLES`](PublishedNotation::MOVE_STYLES).
    fn styled_move(&self, style: &MoveStyle, text: &str) -> String {
        let _ = style;
        text.into()
    }

    /// The position as the source writes it. By default it has no notation for that.
    fn published_position(&self, position: &Self::Position) -> Option<String> {
        let _ = position;
        None
    }

    /// The marks at the end of a move text, such as `!`, by which a person comments on the move. They mean nothing to
    /// the rules; records keep them. By default there are none.
    fn move_marks<'t>(&self, text: &'t str) -> &'t str {
        &text[text.len()..]
    }

    /// The text of a move as the source writes it, by default the canonical one. `after` is the outcome of the game
    /// after the move, repetition included, if the game is over then.
    fn annotated_move(
        &self,
        position: &Self::Position,
        mv: Self::Move,
        after: Option<Outcome>,
    ) -> String {
        let _ = (position, after);
        self.move_text(mv)
    }
}

/// Reads the side to move of a position text, which is written as the initial of its name.
pub fn side_initial<G: Rules>(input: &str) -> ParseResult<'_, Side> {
    let [first, second] = Side::BOTH.map(|side| (initial::<G>(side), side));
    let letter = |(letter, side)| value(side, expect(letter, tag(letter)));
    alt((letter(first), letter(second))).parse(input)
}

/// The initial of a side's name, which stands for it in position texts.
pub fn initial<G: Rules>(side: Side) -> &'static str {
    G::SIDES[side.index()].get(..1).unwrap_or_default()
}
