//! Bare lists of moves, and games as the source of the rules writes them: a position, then moves with their signs.

use thiserror::Error;

use pentarch_core::Options;
use pentarch_core::notation::record::{Record, RecordedMove, escaped};
use pentarch_core::notation::text::quoted;
use pentarch_engine::engine_state::new_session;
use pentarch_engine::error::EngineError;
use pentarch_engine::input_word::Word;
use pentarch_engine::record::{Replayed, is_told};
use pentarch_system::{ErrorContext, Located, Location};

use super::LeftOut;
use super::error::{ConvertError, GameError, NoSourceNotation};

/// The results that a game can have.
pub(super) const RESULTS: [&str; 4] = ["1-0", "0-1", "1/2-1/2", "*"];

/// A fault of a list of moves.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ListError {
    /// A word follows the result.
    #[error("the end of the game expected, found {}", quoted(.found))]
    AfterResult {
        /// The word.
        found: String,
    },
    /// A position follows moves of its game.
    #[error("a position stands before the moves of its game")]
    PositionAfterMoves,
}

/// Reads lists of moves. A game ends at an empty line. Moves have spaces, commas or ends of lines between them; numbers
/// such as `12.` may stand before them, and a result behind them. Lines that begin with `#` are passed over.
///
/// # Errors
/// If moves follow a result.
pub fn read(text: &str) -> Result<Vec<Record>, Located<ListError>> {
    let mut games: Vec<Record> = Vec::new();
    let mut is_open = false;
    for (number, line) in (1..).zip(text.trim_start_matches('\u{feff}').lines()) {
        if line.trim_start().starts_with('#') {
            continue;
        }
        if line.trim().is_empty() {
            is_open = false;
            continue;
        }
        if !std::mem::replace(&mut is_open, true) {
            games.push(Record::new(Vec::new()));
        }
        let Some(record) = games.last_mut() else { continue };
        add_moves(record, number, line)?;
    }
    Ok(games)
}

/// Adds the moves of the line with this number to a record.
fn add_moves(record: &mut Record, line: usize, text: &str) -> Result<(), Located<ListError>> {
    for word in Word::all_of(&text.replace([',', ';'], " ")) {
        let text = word.text.trim_start_matches(|letter: char| letter.is_ascii_digit());
        // A number with dots may stand alone or before its move.
        let mv = if text.starts_with('.') { text.trim_start_matches('.') } else { &word.text };
        match mv {
            "" => {}
            _ if record.result != "*" => {
                let place = Location::Column { line, column: word.column };
                return Err(ListError::AfterResult { found: mv.into() }).at_location(place);
            }
            _ if RESULTS.contains(&mv) => record.result = mv.into(),
            _ => record.moves.push(RecordedMove::from(mv.to_string())),
        }
    }
    Ok(())
}

/// The moves of a record on a line.
///
/// # Errors
/// If the game did not begin at the start position of its rules.
pub fn moves(record: &Record, left_out: &mut LeftOut) -> Result<String, GameError> {
    if let Some(fen) = record.values("Fen").next() {
        return Err(GameError::ListStart { position: fen.into() });
    }
    leave_out(record, left_out);
    Ok(record.moves.iter().map(|mv| mv.text.as_str()).collect::<Vec<_>>().join(" "))
}

/// Counts what lists of moves do not hold.
fn leave_out(record: &Record, left_out: &mut LeftOut) {
    let notes = || record.moves.iter().map(RecordedMove::notes);
    let count =
        |holds: &dyn Fn(&RecordedMove) -> bool| record.moves.iter().filter(|mv| holds(mv)).count();
    left_out.add(
        "comment",
        usize::from(!record.comment.is_empty()) + count(&|mv| !mv.notes().comment.is_empty()),
    );
    left_out.add("variation", notes().map(|notes| notes.variations.len()).sum());
    left_out.add("mark", notes().map(|notes| notes.glyphs.len()).sum());
    left_out.add("clock time", count(&|mv| mv.notes().clock.is_some()));
    left_out.add("score", count(&|mv| mv.evaluation.is_some()));
    left_out.add("tag", record.tags.iter().filter(|(name, _)| !is_told(name)).count());
}

/// Reads games in the notation of the source of the rules: a line with a position if the game did not begin at the
/// start position, then moves, as in [`read`].
///
/// # Errors
/// If the rules have no such notation, or the text has another form.
pub fn read_source(text: &str, options: &Options) -> Result<Vec<Record>, ConvertError> {
    let session = new_session(options);
    if session.position().source.is_none() {
        return Err(NoSourceNotation { game: session.facts().game }.into());
    }
    let is_position = |line: &str| line.contains(':');
    let positions: Vec<&str> = text.lines().filter(|line| is_position(line)).collect();
    let mut positions = positions.into_iter();
    // A position takes the place of a move that no game has, so that the lines keep their numbers.
    const PLACE: &str = ":";
    let lines: Vec<&str> =
        text.lines().map(|line| if is_position(line) { PLACE } else { line }).collect();
    let mut games = read(&lines.join("\n"))?;
    for (number, game) in (1..).zip(&mut games) {
        if game.moves.first().is_some_and(|mv| mv.text == PLACE) {
            game.moves.remove(0);
            let fen = positions.next().unwrap_or_default().trim();
            game.tags.push(("Fen".into(), escaped(fen)));
        }
        if game.moves.iter().any(|mv| mv.text == PLACE) {
            return Ok(Err(ListError::PositionAfterMoves).in_game(number)?);
        }
    }
    Ok(games)
}

/// A game in the notation of the source of its rules.
///
/// # Errors
/// If the rules have no such notation, or it cannot hold the position that the game begins at.
pub fn source(game: &Replayed, left_out: &mut LeftOut) -> Result<String, GameError> {
    let Replayed { options, session, record, .. } = game;
    let mut replayed = new_session(options);
    let start: Option<Vec<Word>> = session.course().start.map(|text| Word::all_of(&text));
    replayed.set_position(start.as_deref(), &[])?;
    let source = replayed.position().source;
    let source = source.ok_or(NoSourceNotation { game: session.facts().game })?;
    let mut lines = Vec::new();
    if start.is_some() {
        let position = replayed.position_text();
        let mut again = new_session(options);
        let read = again.set_position(Some(&Word::all_of(&source)), &[]);
        if read.is_err() || again.position_text() != position {
            return Err(GameError::SourceStart { position });
        }
        lines.push(source);
    }
    let mut moves = Vec::new();
    for (mv, (player, number)) in record.moves.iter().zip(session.course().turns) {
        if player == 0 || moves.is_empty() {
            moves.push(format!("{number}{}", if player == 0 { "." } else { "..." }));
        }
        let word = Word::alone(&mv.text);
        let found = replayed.find_move(&mv.text);
        let found = found.map_err(|error| EngineError::of_only_move(&word, error))?;
        let annotated = replayed.legal_moves().into_iter().zip(replayed.annotated_moves());
        let annotated = annotated.filter(|(legal, _)| *legal == found);
        moves.extend(annotated.map(|(_, text)| text));
        replayed.play(&[word])?;
    }
    leave_out(record, left_out);
    lines.push(moves.join(" "));
    Ok(lines.join("\n"))
}
