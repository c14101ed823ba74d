//! Writes a review into the record of the game: marks, comments, and better moves as variations.

use pentarch_core::notation::parsing::capitalise;
use pentarch_core::notation::record::notes::{MOVE_QUALITY_MARKS, append_to_comment};
use pentarch_core::notation::record::{GameRecord, RecordedMove};

use super::error::EngineError;
use super::input_word::InputWord;
use super::review::{Review, ReviewedMove, SideAccuracy, SidePositionValue};
use super::session::Session;

const MAX_ANNOTATED_VARIATION_MOVES: usize = 6;

/// Writes a review of the session's game into its record. The comment before the first move gets
/// the accuracy of both sides. Each mistake gets its loss as a comment and the best line as a
/// variation. In a race, each move that lengthens a path gets the steps of both sides as a comment.
/// A second call with the same review adds nothing. A comment that would become too long stays
/// unchanged.
///
/// # Errors
/// If the record and the game have different moves.
pub fn annotate_record(
    record: &mut GameRecord,
    review: &Review,
    session: &dyn Session,
) -> Result<(), EngineError> {
    let game_moves = session.game_moves();
    let start = game_moves
        .start
        .map(|text| text.split_whitespace().map(InputWord::from_text).collect::<Vec<_>>());
    let played: Vec<InputWord> =
        game_moves.moves.iter().map(|text| InputWord::from_text(text)).collect();
    let mut game = session.copy_session();
    let summaries: Vec<String> =
        review.summary.sides.iter().filter_map(side_accuracy_summary).collect();
    if !summaries.is_empty() {
        append_comment(&mut record.comment, &summaries.join(" "));
    }
    for mv in &review.moves {
        let Some(recorded) = record.moves.get_mut(mv.ply - 1) else { continue };
        if let Some(race) = mv.race.as_ref().filter(|race| race.has_lengthened_path()) {
            append_comment(&mut recorded.notes_mut().comment, &format!("{}.", race.text));
        }
    }
    for mistake in review.moves.iter().filter(|mv| !mv.mark.is_empty()) {
        let Some(mv) = record.moves.get_mut(mistake.ply - 1) else { continue };
        let has_mark =
            mv.notes().glyphs.iter().any(|&glyph| usize::from(glyph) <= MOVE_QUALITY_MARKS.len());
        let glyph = (1..).zip(MOVE_QUALITY_MARKS).find(|(_, mark)| *mark == mistake.mark);
        if let Some((glyph, _)) = glyph.filter(|_| !has_mark) {
            mv.notes_mut().glyphs.insert(0, glyph);
        }
        let is_turning_point = review.summary.turning_point == Some(mistake.ply);
        append_comment(&mut mv.notes_mut().comment, &mistake_comment(mistake, is_turning_point));
        game.set_position(start.as_deref(), &played[..mistake.ply - 1])?;
        let mut line = Vec::new();
        for text in mistake.line.iter().take(MAX_ANNOTATED_VARIATION_MOVES) {
            // The search returns only legal moves. An illegal move would end the line.
            if game.play_moves(&[InputWord::from_text(text)]).is_err() {
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

/// Appends a text to a comment. Does nothing if the comment already contains the text or would
/// become too long.
fn append_comment(comment: &mut String, text: &str) {
    if !comment.contains(text) {
        let _ = append_to_comment(comment, text);
    }
}

/// Returns the accuracy of a side in words; `None` if the side has made no move.
fn side_accuracy_summary(accuracy: &SideAccuracy) -> Option<String> {
    Some(format!("{}: {}.", capitalise(accuracy.side), accuracy.summary_text()?))
}

/// Returns the comment on a mistake.
fn mistake_comment(mv: &ReviewedMove, is_turning_point: bool) -> String {
    let [before, after] = [mv.before, mv.after].map(SidePositionValue::format_for_people);
    let turned = if is_turning_point { "The game turned here: " } else { "" };
    let ReviewedMove { side, best, lost, .. } = mv;
    let cost = format!("it cost {side} {:.0} % of the chances", (100. * lost).floor());
    let cost = if is_turning_point { cost } else { capitalise(&cost) };
    let line = &mv.refutation[..mv.refutation.len().min(MAX_ANNOTATED_VARIATION_MOVES)];
    let after_line = if line.is_empty() { String::new() } else { format!(" ({})", line.join(" ")) };
    let reason =
        mv.reason.as_ref().map_or_else(String::new, |reason| format!(" It {reason}{after_line}."));
    format!("{turned}{cost}. Best was {best} ({before}; after the move {after}).{reason}")
}
