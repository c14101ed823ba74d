//! Writes a review into the record of the game: marks, comments, and better moves as variations.

use pentarch_core::notation::record::notes::{MARKS, add_comment};
use pentarch_core::notation::record::{Record, RecordedMove};
use pentarch_core::notation::text::capitalised;

use super::error::EngineError;
use super::input_word::Word;
use super::review::{PositionValue, Review, ReviewedMove, Tally};
use super::session::Session;

/// The maximum number of moves of a variation.
const LONGEST: usize = 6;

/// Writes a review of the session's game into its record. The accuracy of both sides goes before
/// the first move. Each mistake gets its loss as a comment, and the best line as a variation.
/// Repeating the call adds nothing. A comment that would become too long is unchanged.
///
/// # Errors
/// If the moves of the record are not those of the game.
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
            // The search returns legal moves. An illegal one would end the line.
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

/// Appends a text to a comment, unless the comment already has it or would become too long.
fn say(comment: &mut String, said: &str) {
    if !comment.contains(said) {
        let _ = add_comment(comment, said);
    }
}

/// Returns the accuracy of a side in words; `None` if it has made no move.
fn told_of(tally: &Tally) -> Option<String> {
    Some(format!("{}: {}.", capitalised(tally.side), tally.text()?))
}

/// Returns the comment on a mistake.
fn told(mv: &ReviewedMove, turns: bool) -> String {
    let [before, after] = [mv.before, mv.after].map(PositionValue::text);
    let turned = if turns { "The game turned here: " } else { "" };
    let ReviewedMove { side, best, lost, .. } = mv;
    let cost = format!("it cost {side} {:.0} % of the chances", (100. * lost).floor());
    let cost = if turns { cost } else { capitalised(&cost) };
    format!("{turned}{cost}. Best was {best} ({before}; after the move {after}).")
}
