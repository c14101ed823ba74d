//! Bare lists of moves, and games in the notation of the rules' source (the publication of the
//! rules). A game in that notation is a position, followed by moves with their signs.

use thiserror::Error;

use pentarch_core::Options;
use pentarch_core::notation::parsing::quote_for_message;
use pentarch_core::notation::record::notes::{append_to_comment, is_ellipsis};
use pentarch_core::notation::record::{
    CommentError, GameRecord, MOVE_QUALITY_MARKS, RecordedMove, escape_tag_value, normalise_comment,
};
use pentarch_engine::engine_state::new_game_session;
use pentarch_engine::error::EngineError;
use pentarch_engine::input_word::InputWord;
use pentarch_engine::record::{ReplayedGame, is_derived_tag};
use pentarch_system::{ErrorLocation, LocatedError, WithErrorLocation};

use super::OmissionCounts;
use super::error::{ConvertError, GameConversionError, NoPublishedNotationError};

pub(super) const GAME_RESULT_STRINGS: [&str; 4] = ["1-0", "0-1", "1/2-1/2", "*"];

/// An error in a list of moves.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum MoveListFileError {
    /// A word follows the result.
    #[error("expected the end of the game, found {}", quote_for_message(.found))]
    AfterResult {
        /// The word after the result.
        found: String,
    },
    /// A comment is not acceptable.
    #[error(transparent)]
    Comment(#[from] CommentError),
    /// A position in several lines does not begin with the red knight.
    #[error("expected the line of the red knight first, found {}", quote_for_message(.found))]
    PositionStart {
        /// The first line of the position.
        found: String,
    },
    /// A position follows moves of its game.
    #[error("a position must precede the moves of its game")]
    PositionAfterMoves,
}

/// Parses lists of moves. A game ends at an empty line. Spaces, commas or line ends separate moves.
/// Numbers such as `12.` may precede the moves, and a result may follow them. A line that begins
/// with `#` is a comment on the move before the line, or on the game if no move comes before it.
///
/// # Errors
/// If moves follow a result.
pub fn parse_move_lists(text: &str) -> Result<Vec<GameRecord>, LocatedError<MoveListFileError>> {
    let mut games: Vec<GameRecord> = Vec::new();
    let mut is_open = false;
    let mut state = MoveListParseState::default();
    let mut comment_before_game = String::new();
    for (number, line) in (1..).zip(text.trim_start_matches('\u{feff}').lines()) {
        if let Some(comment) = line.trim_start().strip_prefix('#') {
            let last = games.last_mut().filter(|_| is_open);
            let known = match last.and_then(|game| game.moves.last_mut()) {
                Some(mv) => &mut mv.notes_mut().comment,
                None => &mut comment_before_game,
            };
            append_move_list_comment(known, comment).with_line_number(number)?;
            continue;
        }
        if line.trim().is_empty() {
            is_open = false;
            continue;
        }
        if !std::mem::replace(&mut is_open, true) {
            state = MoveListParseState::default();
            let comment = std::mem::take(&mut comment_before_game);
            games.push(GameRecord { comment, ..GameRecord::new(Vec::new()) });
        }
        let Some(record) = games.last_mut() else { continue };
        add_moves_of_text_line(record, number, line, &mut state)?;
    }
    if let Some(last) = games.last_mut() {
        let known = match last.moves.last_mut() {
            Some(mv) => &mut mv.notes_mut().comment,
            None => &mut last.comment,
        };
        append_move_list_comment(known, &comment_before_game)
            .with_line_number(text.lines().count())?;
    }
    Ok(games)
}

/// The state of a game's list of moves between two words.
#[derive(Default)]
struct MoveListParseState {
    /// Whether the game has a result, which may be `*`.
    has_result: bool,
    /// The number before the next move.
    number: Option<u32>,
    /// Whether an ellipsis precedes the next move, as in `12... a5`.
    has_ellipsis: bool,
}

/// Appends a comment in a list of moves to the comment `known`.
fn append_move_list_comment(known: &mut String, text: &str) -> Result<(), MoveListFileError> {
    let comment = normalise_comment(text)?;
    if !comment.is_empty() {
        append_to_comment(known, &comment)?;
    }
    Ok(())
}

fn add_moves_of_text_line(
    record: &mut GameRecord,
    line: usize,
    text: &str,
    state: &mut MoveListParseState,
) -> Result<(), LocatedError<MoveListFileError>> {
    for word in InputWord::split_into_words(&text.replace([',', ';'], " ")) {
        let text = word.text.trim_start_matches(|letter: char| letter.is_ascii_digit());
        // A number with dots may be a separate word or the beginning of a move.
        const MOVE_NUMBER_DOT_CHARS: [char; 2] = ['.', '\u{2026}'];
        let mut mv = word.text.as_str();
        if text.starts_with(MOVE_NUMBER_DOT_CHARS) {
            mv = text.trim_start_matches(MOVE_NUMBER_DOT_CHARS);
            let digits = &word.text[..word.text.len() - text.len()];
            if !digits.is_empty() {
                state.number = digits.parse().ok().or(Some(u32::MAX));
                state.has_ellipsis = false;
            }
            state.has_ellipsis |= is_ellipsis(&text[..text.len() - mv.len()]);
        }
        match mv {
            "" => {}
            _ if state.has_result => {
                let place = ErrorLocation::Column { line, column: word.column };
                return Err(MoveListFileError::AfterResult { found: mv.into() })
                    .with_error_location(place);
            }
            _ if GAME_RESULT_STRINGS.contains(&mv) => {
                record.result = mv.into();
                state.has_result = true;
            }
            _ => {
                let mut mv = RecordedMove::from(mv.to_string());
                mv.set_stated_number(state.number.take(), state.has_ellipsis);
                record.moves.push(mv);
            }
        }
    }
    Ok(())
}

/// Returns the moves of a record in one line.
///
/// # Errors
/// If the game does not begin in the start position of its rules.
pub fn format_move_list(
    record: &GameRecord,
    omissions: &mut OmissionCounts,
) -> Result<String, GameConversionError> {
    if let Some(fen) = record.tag_values("Fen").next() {
        return Err(GameConversionError::ListStart { position: fen.into() });
    }
    count_move_list_omissions(record, omissions);
    Ok(record.moves.iter().map(|mv| mv.text.as_str()).collect::<Vec<_>>().join(" "))
}

/// Counts the information that lists of moves cannot contain.
pub(super) fn count_move_list_omissions(record: &GameRecord, omissions: &mut OmissionCounts) {
    let notes = || record.moves.iter().map(RecordedMove::notes);
    let count =
        |has: &dyn Fn(&RecordedMove) -> bool| record.moves.iter().filter(|mv| has(mv)).count();
    omissions.add_omissions(
        "comment",
        usize::from(!record.comment.is_empty()) + count(&|mv| !mv.notes().comment.is_empty()),
    );
    omissions.add_omissions("variation", notes().map(|notes| notes.variations.len()).sum());
    omissions.add_omissions("mark", notes().map(|notes| notes.glyphs.len()).sum());
    omissions.add_omissions("sign", notes().filter(|notes| !notes.signs.is_empty()).count());
    omissions.add_omissions("clock time", count(&|mv| mv.notes().clock.is_some()));
    omissions.add_omissions("score", count(&|mv| mv.evaluation.is_some()));
    omissions
        .add_omissions("tag", record.tags.iter().filter(|(name, _)| !is_derived_tag(name)).count());
}

/// Parses games in the notation of the rules' source. A game begins with its first position. The
/// position may be missing if the game begins in the start position of the rules. The moves follow,
/// as in [`parse_move_lists`]. Empty lines may precede the first move.
///
/// # Errors
/// If the rules have no such notation, or if the text has invalid syntax.
pub fn parse_published_notation(
    text: &str,
    options: &Options,
) -> Result<Vec<GameRecord>, ConvertError> {
    let session = new_game_session(options);
    if session.position_notation().published.is_none() {
        return Err(NoPublishedNotationError { game: session.game_constants().game }.into());
    }
    let PositionAndMoveLines { lines, positions } = split_positions_from_moves(text)?;
    let mut positions = positions.into_iter();
    let mut games = parse_move_lists(&lines.join("\n"))?;
    for (number, game) in (1..).zip(&mut games) {
        if game.moves.first().is_some_and(|mv| mv.text == POSITION_PLACEHOLDER) {
            let placeholder = game.moves.remove(0);
            let comment = &placeholder.notes().comment;
            append_move_list_comment(&mut game.comment, comment).with_game_number(number)?;
            let position = positions.next().unwrap_or_default();
            game.tags.push(("Fen".into(), escape_tag_value(&position.text)));
        }
        if game.moves.iter().any(|mv| mv.text == POSITION_PLACEHOLDER) {
            let line = positions.next().unwrap_or_default().line;
            return Ok(Err(MoveListFileError::PositionAfterMoves).with_line_number(line)?);
        }
    }
    Ok(games)
}

/// Removes the notes that the caller writes with the move: the signs in `text` (the move in the
/// notation of the source), and the mark. Returns the mark; empty if the move has no mark.
fn remove_notes_written_in_move(mv: &mut RecordedMove, text: &str) -> &'static str {
    let signs = mv.notes().signs.replace('#', "≠").replace('=', "≡");
    if !signs.is_empty() && text.ends_with(&signs) {
        mv.notes_mut().signs.clear();
    }
    let marks = (1..).zip(MOVE_QUALITY_MARKS);
    let found = marks.into_iter().find(|(glyph, _)| mv.notes().glyphs.contains(glyph));
    let Some((glyph, mark)) = found else { return "" };
    mv.notes_mut().glyphs.retain(|&other| other != glyph);
    mark
}

/// A placeholder for a position in a list of moves. The placeholder is not a move of any game.
const POSITION_PLACEHOLDER: &str = ":";

/// An empty comment, which does not end the game as an empty line does.
const EMPTY_COMMENT: &str = "#";

/// A text in the notation of the rules' source. Its positions are separate from its other lines.
struct PositionAndMoveLines<'a> {
    /// The lines of the text, with unchanged line numbers. A [`POSITION_PLACEHOLDER`] replaces each
    /// position.
    lines: Vec<&'a str>,
    positions: Vec<PublishedPosition>,
}

/// A position in the notation of the rules' source.
#[derive(Default)]
struct PublishedPosition {
    /// The number of its first line, from 1.
    line: usize,
    /// The position, in one line.
    text: String,
}

/// Separates the positions of a text from its moves. A position is written in one line. The
/// position may also be written as in the source, in several lines: the red knight, the green
/// knight, the walls, and the side to move. Empty lines may separate a position from its moves.
///
/// # Errors
/// If another line of a position precedes the line of the red knight.
fn split_positions_from_moves(
    text: &str,
) -> Result<PositionAndMoveLines<'_>, LocatedError<MoveListFileError>> {
    let begins_with = |line: &str, word: &str| {
        line.trim().get(..word.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(word))
    };
    let mut split = PositionAndMoveLines { lines: Vec::new(), positions: Vec::new() };
    let mut is_in_position = false;
    // The indices of the empty lines between a position and its moves.
    let mut empty_lines: Option<Vec<usize>> = None;
    for (number, line) in (1..).zip(text.trim_start_matches('\u{feff}').lines()) {
        if line.trim_start().starts_with('#') {
            split.lines.push(line);
            continue;
        }
        // Each line of a position has a colon, except the side to move. A position begins with the
        // red knight.
        let continues = is_in_position && !begins_with(line, "red");
        is_in_position = line.contains(':') || continues && begins_with(line, "green to move");
        match split.positions.last_mut().filter(|_| continues) {
            _ if !is_in_position => {
                if line.trim().is_empty() {
                    empty_lines.iter_mut().for_each(|indices| indices.push(split.lines.len()));
                } else {
                    let indices = empty_lines.take().unwrap_or_default();
                    indices.into_iter().for_each(|index| split.lines[index] = EMPTY_COMMENT);
                }
                split.lines.push(line);
            }
            Some(position) => {
                position.text += " / ";
                position.text += line.trim();
                split.lines.push(EMPTY_COMMENT);
            }
            None if ["green", "walls"].iter().any(|word| begins_with(line, word)) => {
                let found = line.trim().into();
                return Err(MoveListFileError::PositionStart { found }).with_line_number(number);
            }
            None => {
                empty_lines = Some(Vec::new());
                split.positions.push(PublishedPosition { line: number, text: line.trim().into() });
                split.lines.push(POSITION_PLACEHOLDER);
            }
        }
    }
    Ok(split)
}

/// Returns a game in the notation of the source of its rules, with the marks of the moves.
///
/// # Errors
/// If the rules have no such notation, or if the notation cannot express the start position.
pub fn format_game_in_published_notation(
    game: &ReplayedGame,
    omissions: &mut OmissionCounts,
) -> Result<String, GameConversionError> {
    let ReplayedGame { options, session, record, .. } = game;
    let mut replayed = new_game_session(options);
    let start: Option<Vec<InputWord>> =
        session.game_moves().start.map(|text| InputWord::split_into_words(&text));
    replayed.set_position(start.as_deref(), &[])?;
    let source = replayed.position_notation().published;
    let source = source.ok_or(NoPublishedNotationError { game: session.game_constants().game })?;
    let mut lines = Vec::new();
    if start.is_some() {
        let position = replayed.position_fen();
        let mut parsed_back = new_game_session(options);
        let parsed = parsed_back.set_position(Some(&InputWord::split_into_words(&source)), &[]);
        if parsed.is_err() || parsed_back.position_fen() != position {
            return Err(GameConversionError::SourceStart { position });
        }
        lines.push(source);
    }
    let mut moves = Vec::new();
    let mut unwritten = record.clone();
    let unwritten_moves = unwritten.moves.iter_mut();
    for (mv, (player, number)) in unwritten_moves.zip(session.game_moves().turns) {
        if player == 0 || moves.is_empty() {
            moves.push(format!("{number}{}", if player == 0 { "." } else { "..." }));
        }
        let word = InputWord::from_text(&mv.text);
        let found = replayed.resolve_move(&mv.text);
        let found = found.map_err(|error| EngineError::invalid_single_move(&word, error))?;
        let annotated =
            replayed.legal_moves().into_iter().zip(replayed.moves_in_published_notation());
        let annotated = annotated.filter(|(legal, _)| *legal == found);
        for (_, text) in annotated {
            let mark = remove_notes_written_in_move(mv, &text);
            moves.push(text + mark);
        }
        replayed.play_moves(&[word])?;
    }
    count_move_list_omissions(&unwritten, omissions);
    lines.push(moves.join(" "));
    Ok(lines.join("\n"))
}
