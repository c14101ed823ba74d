//! What a review has found, written into the record of the game: marks, comments, and what would
//! have been better as variations.

use pentarch_core::notation::record::notes::{MARKS, add_comment};
use pentarch_core::notation::record::{Record, RecordedMove};
use pentarch_core::notation::text::capitalised;

use super::error::EngineError;
use super::input_word::Word;
use super::review::{PositionValue, Review, ReviewedMove, Tally};
use super::session::Session;

/// The most moves of a variation.
const LONGEST: usize = 6;

/// Writes what a review of a game has found into its record, each thing once however often that is
/// done: how the sides have played in front of the moves, and of each mistake what it has lost,
/// with the best line as a variation. The session has the game. A comment that would become too
/// long is left as it is.
///
/// # Errors
/// If the moves of the record are none of the game.
pub fn annotate_record(
    record: &mut Record,
    review: &Review,
    session: &dyn Session,
) -> Result<(), EngineError> {
    let game_line = session.game_line();
    let start = game_line
        .start
        .map(|text| text.split_whitespace().map(Word::without_column).collect::<Vec<_>>());
    let played: Vec<Word> = game_line.moves.iter().map(|text| Word::without_column(text)).collect();
    let mut game = session.copy();
    let tallies: Vec<String> = review.summary.sides.iter().filter_map(told_of).collect();
    if !tallies.is_empty() {
        say(&mut record.comment, &tallies.join(" "));
    }
    for found in review.moves.iter().filter(|found| !found.mark.is_empty()) {
        let Some(mv) = record.moves.get_mut(found.ply - 1) else { continue };
        let has_mark = mv.notes().glyphs.iter().any(|&glyph| usize::from(glyph) <= MARKS.len());
        let glyph = (1..).zip(MARKS).find(|(_, mark)| *mark == found.mark);
        if let Some((glyph, _)) = glyph.filter(|_| !has_mark) {
            mv.notes_mut().glyphs.insert(0, glyph);
        }
        let turns = review.summary.turning_point == Some(found.ply);
        say(&mut mv.notes_mut().comment, &told(found, turns));
        game.set_position(start.as_deref(), &played[..found.ply - 1])?;
        let mut line = Vec::new();
        for text in found.line.iter().take(LONGEST) {
            // The search gives legal moves; whatever is none ends the line.
            if game.play(&[Word::without_column(text)]).is_err() {
                break;
            }
            line.push(RecordedMove::from(text.clone()));
        }
        if !line.is_empty() {
            mv.notes_mut().add_variation(line);
        }
    }
    Ok(())
}

/// Adds to a comment, unless that says it already, or would become too long.
fn say(comment: &mut String, said: &str) {
    if !comment.contains(said) {
        let _ = add_comment(comment, said);
    }
}

/// How a side has played; none if it has made no move.
fn told_of(tally: &Tally) -> Option<String> {
    Some(format!("{}: {}.", capitalised(tally.side), tally.text()?))
}

/// What is said of a mistake.
fn told(mv: &ReviewedMove, turns: bool) -> String {
    let [before, after] = [mv.before, mv.after].map(PositionValue::text);
    let turned = if turns { "The game turned here: " } else { "" };
    let ReviewedMove { side, best, lost, .. } = mv;
    let cost = format!("it cost {side} {:.0} % of the chances", (100. * lost).floor());
    let cost = if turns { cost } else { capitalised(&cost) };
    format!("{turned}{cost}. Best was {best} ({before}; after the move {after}).")
}
