//! Formats text for the player: the moves in groups, and evaluations in words.

use std::fmt::Display;

use pentarch_core::notation::parsing::{capitalise, quote_for_message};
use pentarch_core::{NET_FEATURE_NAME, RuleViolation, Side};
use pentarch_engine::session::{GameState, Session, StaticEvaluation};
use pentarch_search::score::{is_known_win_score, is_proven_score, mate_distance_in_moves};
use thiserror::Error;

use super::local_game::SearchSummary;

/// The indent of all lines of a paragraph after the first.
pub const PARAGRAPH_INDENT: &str = "  ";

/// The reason why there is no list of moves to show.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ListMovesError {
    /// The game is over.
    #[error("the game is over: there are no moves")]
    GameOver,
    /// No legal move names the point.
    #[error("no legal move names {}", quote_for_message(.point))]
    NotNamed {
        /// The point that the user has named.
        point: String,
    },
}

/// Returns the legal moves by kind, the smallest group first. With a point, returns only the moves
/// that name the point.
///
/// # Errors
/// If the game is over, or no legal move names the point.
pub fn list_moves_by_kind(
    session: &dyn Session,
    point: Option<&str>,
) -> Result<String, ListMovesError> {
    let mut groups = session.legal_moves_by_kind();
    if groups.is_empty() {
        return Err(ListMovesError::GameOver);
    }
    if let Some(point) = point {
        let name = point.to_lowercase();
        for (_, moves) in &mut groups {
            moves.retain(|mv| move_names_point(&mv.to_lowercase(), &name));
        }
        groups.retain(|(_, moves)| !moves.is_empty());
        if groups.is_empty() {
            return Err(ListMovesError::NotNamed { point: point.into() });
        }
    }
    groups.sort_by_key(|(_, moves)| moves.len());
    let mut lines = Vec::with_capacity(groups.len());
    for (kind, moves) in groups {
        lines.push(format!("{} ({}): {}", capitalise(kind), moves.len(), moves.join(" ")));
    }
    Ok(lines.join("\n"))
}

/// Returns whether a move string names this point: `e3` is in `e3h` and `d2e3`, but not in `e31`.
fn move_names_point(text: &str, point: &str) -> bool {
    text.match_indices(point)
        .any(|(at, _)| !text[at + point.len()..].starts_with(|next: char| next.is_ascii_digit()))
}

/// Returns an error or a clause as a sentence.
pub fn error_as_sentence(error: &impl Display) -> String {
    let sentence = capitalise(&error.to_string());
    let end = if sentence.ends_with(['.', '?', '!']) { "" } else { "." };
    sentence + end
}

/// Returns the sentence for an illegal move, with the reason. A script also gets the ids of the
/// rules.
pub fn illegal_move_text(typed: &str, violation: &RuleViolation, is_person: bool) -> String {
    let reason = if is_person { violation.reason.clone() } else { violation.to_string() };
    format!("{} is illegal: {reason}.", quote_for_message(typed))
}

/// Returns the static evaluation in words, with the features that decide it.
pub fn static_evaluation_text(session: &dyn Session) -> String {
    let GameState { seen_names: sides, seen_side: to_move, .. } = session.game_state();
    let Some(StaticEvaluation { score, mut features }) = session.static_evaluation() else {
        return format!("{}.", session.game_status().sentence);
    };
    let for_first = score * to_move.sign();
    // The score of a net has no explanation in words.
    features.retain(|(name, amounts)| *name != NET_FEATURE_NAME && amounts[0] != amounts[1]);
    features.sort_by_key(|(_, [first, second])| -(first - second).abs());
    let mut reasons = Vec::new();
    for (name, [first, second]) in features.iter().take(3) {
        let better = sides[usize::from(second > first)];
        reasons.push(format!(
            "{name} ({better}, {})",
            format_centipawns_as_pawns((first - second).abs())
        ));
    }
    let reasons = if reasons.is_empty() {
        String::new()
    } else {
        format!(" Main reasons: {}.", reasons.join(", "))
    };
    format!("In this position {}.{reasons}", advantage_text(for_first, sides))
}

/// Returns words that say which side is better. `score` is for the first side.
fn advantage_text(score: i32, sides: [&str; 2]) -> String {
    let (better, worse) = if score >= 0 { (sides[0], sides[1]) } else { (sides[1], sides[0]) };
    let amount = format_centipawns_as_pawns(score.abs());
    match score.abs() {
        0..=24 => format!("{better} and {worse} are about even"),
        25..=99 => format!("{better} is a little better ({amount})"),
        100..=299 => format!("{better} is better ({amount})"),
        _ => format!("{better} is much better ({amount})"),
    }
}

/// Returns a score in pawns, with two decimals.
fn format_centipawns_as_pawns(centipawns: i32) -> String {
    format!("{}.{:02}", centipawns / 100, centipawns % 100)
}

/// Returns the expected result after the best move, in words. `score` is for the side to move.
/// `rank` is the rank of the position in tables without distances, if they know the winner.
fn describe_move_evaluation(
    score: i32,
    rank: Option<u32>,
    to_move: Side,
    sides: [&str; 2],
) -> String {
    let winner = sides[if score > 0 { to_move } else { !to_move }.index()];
    if is_proven_score(score) {
        let moves = mate_distance_in_moves(score).abs();
        let plural = if moves == 1 { "" } else { "s" };
        return format!(" Then {winner} wins in at most {moves} move{plural}.");
    }
    match is_known_win_score(score) {
        true => {
            let rank = rank.map_or_else(String::new, |rank| format!(" with rank {rank}"));
            format!(" Then {winner} wins, as the tables say{rank}.")
        }
        false => format!(" Then {}.", advantage_text(score * to_move.sign(), sides)),
    }
}

/// Returns the known value of a position that no move is known to reach, in words. `score` is the
/// value for the side to move, which does not lose.
fn describe_unreached_value(score: i32, to_move: &str) -> String {
    let value = match score {
        0 => "The game is drawn with best play".into(),
        _ => format!("{to_move} can win in at most {} moves", mate_distance_in_moves(score)),
    };
    format!(" {value}, but it is not known by which move.")
}

/// Returns the result of a search as advice for the player to move.
pub fn hint_text(result: &SearchSummary, session: &dyn Session) -> String {
    let GameState { seen_names: sides, seen_side: to_move, .. } = session.game_state();
    let line = match result.line.get(1..6.min(result.line.len())) {
        Some(rest) if !rest.is_empty() => format!(" The game may continue: {}.", rest.join(" ")),
        _ => String::new(),
    };
    let mut outlook = match result.move_score.or(result.score) {
        Some(0) if result.is_exact => " Then the game is drawn with best play.".into(),
        Some(score) => describe_move_evaluation(score, result.rank, to_move, sides),
        None => String::new(),
    };
    if let (Some(_), Some(score)) = (result.move_score, result.score) {
        outlook += &describe_unreached_value(score, sides[to_move.index()]);
    }
    format!("A good move is {}.{outlook}{line}", result.best)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_the_winner_that_tables_know() {
        let text = |score, side| describe_move_evaluation(score, None, side, ["Red", "Green"]);
        assert_eq!(text(19_000, Side::First), " Then Red wins, as the tables say.");
        assert_eq!(text(-19_000, Side::First), " Then Green wins, as the tables say.");
        let ranked = describe_move_evaluation(19_000, Some(12), Side::First, ["Red", "Green"]);
        assert_eq!(ranked, " Then Red wins, as the tables say with rank 12.");
        assert_eq!(text(30_999, Side::Second), " Then Green wins in at most 1 move.");
        assert_eq!(text(40, Side::Second), " Then Green is a little better (0.40).");
    }

    #[test]
    fn finds_points_in_moves() {
        assert!(
            ["e3", "e3h", "d2e3", "Ke3", "e3e10"].iter().all(|text| move_names_point(text, "e3"))
        );
        assert!(["e31", "e2", "h3"].iter().all(|text| !move_names_point(text, "e3")));
        assert!(move_names_point("e10d9", "e10") && !move_names_point("e10d9", "e1"));
    }
}
