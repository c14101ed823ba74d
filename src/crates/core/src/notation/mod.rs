//! Position and move strings, and the board drawn for people.
//!
//! | module | contents |
//! |---|---|
//! | [`parsing`](mod@parsing) | parse errors, parsers that all notations share, and text for people |
//! | [`piece_placement`] | the board field of a position string |
//! | [`points`] | points of a board, and the names of points |
//! | [`move_path`] | paths in move strings, including draughts notation |
//! | [`record`] | game records as text: tags, moves, comments, result |

pub mod move_path;
pub mod parsing;
pub mod piece_placement;
pub mod points;
pub mod record;

use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::tag;
use nom::combinator::value;

use crate::view::diagram::Diagram;
use crate::view::lesson::LessonStep;
use crate::{HasPlayers, Outcome, PositionError, RuleViolation, Rules, Side, SyntaxError};
use parsing::{ParseResult, label_expected_input};

/// Position and move strings, and the board drawn for people.
///
/// A move is read in two steps. The first step checks the syntax and needs no position. The second
/// step checks whether the move is legal in a position; the error of an illegal move names the rule
/// that forbids it.
///
/// All methods except [`resolve_move`](Notation::resolve_move) also accept positions in which the
/// game is over.
pub trait Notation: HasPlayers {
    /// The result of parsing a move string without a position.
    type ParsedMove;

    /// The source of the text that teaches the rules. Empty by default. The module
    /// [`rules_text`](crate::view::rules_text) describes its format.
    const RULES_TEXT: &'static str = "";

    /// The ids of the sentences in [`RULES_TEXT`](Notation::RULES_TEXT) that forbid moves after the
    /// end of the game. Empty by default.
    const NO_MOVE_AFTER_END_RULE_IDS: &'static [&'static str] = &[];

    /// Positions and moves that illustrate the sentences of [`RULES_TEXT`](Notation::RULES_TEXT).
    /// Empty by default. The module `conform` of the program describes the format.
    const RULE_CASES: &'static str = "";

    /// The id of the sentence in [`RULES_TEXT`](Notation::RULES_TEXT) about the order of the turns;
    /// `None` if there is no such sentence.
    const TURN_RULE_ID: Option<&'static str> = None;

    /// The id of the sentence in [`RULES_TEXT`](Notation::RULES_TEXT) about the form of a position
    /// string; `None` if there is no such sentence.
    const FEN_FORMAT_RULE_ID: Option<&'static str> = None;

    /// The steps of a guided first game under the default rules. Empty by default.
    const LESSON_STEPS: &'static [LessonStep] = &[];

    /// Returns the aim of each side under these rules, as a clause for people:
    /// `reach the opposite edge`. The default is the [summary](crate::Rules::GAME_SUMMARY).
    fn game_aim(&self) -> &'static str {
        Self::GAME_SUMMARY
    }

    /// Returns two descriptions for new players, one of a turn and one of the end of the game. Each
    /// description has a few sentences. Together with the aim, the descriptions fill at most nine
    /// lines of 80 columns. By default there are no descriptions.
    fn short_rules(&self) -> Option<[&'static str; 2]> {
        None
    }

    /// Reads a position string. The last field of the string is the full-move number. The side to
    /// move is written as the initial of its name. The method also accepts the notation of
    /// [`position_in_published_notation`](PublishedNotation::position_in_published_notation).
    ///
    /// # Errors
    /// - If the string does not have the form of a position string.
    /// - If the string is not the canonical string of its position.
    /// - If the rules exclude the position.
    fn parse_position(&self, text: &str) -> Result<Self::Position, PositionError>;

    /// Returns the canonical string of a position, which
    /// [`parse_position`](Notation::parse_position) reads.
    fn position_text(&self, position: &Self::Position) -> String;

    /// Parses a move string without knowing the position. The case of letters does not matter.
    ///
    /// # Errors
    /// If the string does not have the form of a move of this game.
    fn parse_move(&self, text: &str) -> Result<Self::ParsedMove, SyntaxError>;

    /// Returns the legal move that a parsed move string denotes in a position. The game must not be
    /// over.
    ///
    /// # Errors
    /// If the move is illegal; the error names the rule that forbids it.
    fn resolve_move(
        &self,
        position: &Self::Position,
        parsed: &Self::ParsedMove,
    ) -> Result<Self::Move, RuleViolation>;

    /// Returns the canonical string of a move, which contains only letters and digits.
    fn move_text(&self, mv: Self::Move) -> String;

    /// Returns the reason why the game has ended in this position with this outcome, as a clause
    /// for people, such as `red's knight has no step`. The default is the [reason](Outcome::reason)
    /// in the outcome. The outcome must be a result of [`outcome`](crate::Rules::outcome) or
    /// [`repetition_outcome`](crate::Rules::repetition_outcome).
    fn explain_outcome(&self, position: &Self::Position, outcome: Outcome) -> String {
        let _ = position;
        outcome.reason().into()
    }

    /// Returns a plural noun for the kind of a legal move, for lists of moves, such as `steps` or
    /// `walls`. The default is `moves`.
    fn move_kind_plural(&self, position: &Self::Position, mv: Self::Move) -> &'static str {
        let _ = (position, mv);
        "moves"
    }

    /// Returns the id of the sentence in [`RULES_TEXT`](Notation::RULES_TEXT) that permits this
    /// legal move, and describes its effect. Returns `None`, the default, if there is no such
    /// sentence.
    fn rule_id_of_move(&self, position: &Self::Position, mv: Self::Move) -> Option<&'static str> {
        let _ = (position, mv);
        None
    }

    /// Returns the id of the sentence in [`RULES_TEXT`](Notation::RULES_TEXT) that ends games for
    /// this [reason](Outcome::reason). Returns `None`, the default, if there is no such sentence.
    fn rule_id_of_outcome(&self, reason: &str) -> Option<&'static str> {
        let _ = reason;
        None
    }

    /// Draws the board for people, as this side sees it. The side's own pieces are at the bottom.
    /// The diagram has [notes](crate::view::diagram::DiagramCellKind::Note) about the pieces in
    /// hand and the restrictions of the side to move. The diagram does not show whose turn it is.
    fn board_diagram(&self, position: &Self::Position, viewer: Side) -> Diagram;
}

/// A notation of moves that another program uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MoveNotationStyle {
    /// The word that selects this notation.
    pub word: &'static str,
    /// A description of the notation for people, as a clause with an example.
    pub about: &'static str,
    /// The rules for games that do not name their rules. The entries are tried in this order, and
    /// each has the form `NAME=VALUE`. If the list is empty, these games are read under the rules
    /// that the user has chosen.
    pub rules: &'static [&'static str],
    /// Words that may follow a move.
    pub remarks: &'static [MoveSuffixWord],
}

/// A word that another program may write after a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MoveSuffixWord {
    /// The word, in lower case.
    pub word: &'static str,
    /// The numeric annotation glyph that the word stands for; `None` if the word only describes the
    /// effect of the move.
    pub glyph: Option<u8>,
}

/// The additional notations of a game: the notation in its published rules, and the move notations
/// of other programs. A game without additional notations uses the defaults.
pub trait PublishedNotation: Notation {
    /// The move notations that other programs use. Empty by default.
    const MOVE_NOTATION_STYLES: &'static [MoveNotationStyle] = &[];

    /// Converts a move from one of the
    /// [`MOVE_NOTATION_STYLES`](PublishedNotation::MOVE_NOTATION_STYLES) to the game's own
    /// notation, which [`parse_move`](Notation::parse_move) reads.
    ///
    /// # Errors
    /// If the string does not have the form of a move in that notation.
    fn convert_styled_move(
        &self,
        style: &MoveNotationStyle,
        text: &str,
    ) -> Result<String, SyntaxError> {
        let _ = style;
        Ok(text.into())
    }

    /// Returns the string of a legal move in one of the
    /// [`MOVE_NOTATION_STYLES`](PublishedNotation::MOVE_NOTATION_STYLES).
    fn format_styled_move(
        &self,
        style: &MoveNotationStyle,
        position: &Self::Position,
        mv: Self::Move,
    ) -> String {
        let _ = (style, position);
        self.move_text(mv)
    }

    /// Returns the position in the notation of the published rules. Returns `None` by default.
    fn position_in_published_notation(&self, position: &Self::Position) -> Option<String> {
        let _ = position;
        None
    }

    /// Returns the [signs](record::notes::MOVE_SUFFIX_CHARACTERS) at the end of a move string. A
    /// sign, such as `!`, is a person's comment on the move. The rules ignore signs, but records
    /// store them. By default the result is empty.
    fn trailing_move_suffix<'t>(&self, text: &'t str) -> &'t str {
        &text[text.len()..]
    }

    /// Returns the string of a move in the notation of the published rules. The default is the
    /// canonical string. `after` is the outcome if the move ends the game, even by repetition;
    /// otherwise `after` is `None`.
    fn move_in_published_notation(
        &self,
        position: &Self::Position,
        mv: Self::Move,
        after: Option<Outcome>,
    ) -> String {
        let _ = (position, after);
        self.move_text(mv)
    }
}

/// Parses the side to move in a position string, which is the initial of the side's name.
pub fn parse_side_initial<G: Rules>(input: &str) -> ParseResult<'_, Side> {
    let [first, second] = Side::BOTH_SIDES.map(|side| (side_initial::<G>(side), side));
    let letter = |(letter, side)| value(side, label_expected_input(letter, tag(letter)));
    alt((letter(first), letter(second))).parse(input)
}

/// Returns the initial of a side's name, which stands for the side in position strings.
pub fn side_initial<G: Rules>(side: Side) -> &'static str {
    G::SIDE_NAMES[side.index()].get(..1).unwrap_or_default()
}
