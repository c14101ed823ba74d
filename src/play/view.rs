//! Formats text for the player: the board with a marked last move, the moves in groups, and
//! evaluations in words.

use std::fmt::Display;

use pentarch_core::notation::text::{capitalise, quote_word, wrap_text};
use pentarch_core::view::diagram::{Diagram, DiagramCell, DiagramCellKind};
use pentarch_core::{NET_FEATURE_NAME, RuleViolation, Side};
use pentarch_engine::session::{GameState, Session, StaticEvaluation};
use pentarch_search::score::{is_known_win_score, is_proven_score, mate_distance_in_moves};
use thiserror::Error;

use super::local_game::SearchSummary;

/// The indent of all lines of a paragraph after the first.
pub const PARAGRAPH_INDENT: &str = "  ";

/// Number of lines around a board: an empty line, the engine's move, the last move, the turn, and
/// the prompt.
const LINES_AROUND_BOARD: usize = 5;

/// Returns the board with the side `viewer` at the bottom. The last move is marked, and named below
/// the board.
///
/// `rows` is the height of the terminal. If the board would not fit, it becomes compact: walls
/// between the ranks are underlines, and there are no empty lines.
pub fn render_board(
    session: &dyn Session,
    viewer: Side,
    has_colour: bool,
    rows: Option<usize>,
) -> String {
    let (mut diagram, mut before) = session.current_and_previous_diagrams(viewer);
    let is_compact = rows.is_some_and(|rows| diagram.rows.len() + LINES_AROUND_BOARD > rows);
    if is_compact {
        diagram = draw_walls_as_underlines(diagram);
        before = before.map(draw_walls_as_underlines);
    }
    let board = match before {
        Some(before) => mark_changed_cells(&diagram, &before, has_colour),
        None => diagram.to_string(),
    };
    if is_compact {
        return match session.game_moves().moves.last() {
            Some(last) => format!("{board}\nLast move: {last}. "),
            None => format!("{board}\n"),
        };
    }
    match session.game_moves().moves.last() {
        Some(last) => format!("\n{board}\nLast move: {last}\n"),
        None => format!("\n{board}\n"),
    }
}

/// Removes the lines between ranks. Such lines have only walls and posts. Their walls become
/// underlines in the line above. The first line stays. Walls between files appear in the lines of
/// the ranks.
fn draw_walls_as_underlines(diagram: Diagram) -> Diagram {
    let mut rows: Vec<Vec<DiagramCell>> = Vec::new();
    for row in diagram.rows {
        let has_only_walls = row.iter().any(|cell| cell.kind == DiagramCellKind::Post)
            && row.iter().all(|cell| {
                matches!(
                    cell.kind,
                    DiagramCellKind::Space
                        | DiagramCellKind::Post
                        | DiagramCellKind::Horizontal
                        | DiagramCellKind::Vertical
                )
            });
        let Some(above) = rows.last_mut().filter(|_| has_only_walls) else {
            rows.push(row);
            continue;
        };
        let is_wall = |column: usize| {
            row.get(column).is_some_and(|cell| cell.kind == DiagramCellKind::Horizontal)
        };
        for (column, cell) in above.iter_mut().enumerate() {
            let is_below_wall =
                is_wall(column) || (column > 0 && is_wall(column - 1) && is_wall(column + 1));
            if cell.is_background() && is_below_wall {
                *cell = DiagramCell::new('_', DiagramCellKind::Horizontal);
            }
        }
    }
    Diagram { rows }
}

/// Returns the text of a diagram, and marks the cells that differ from an earlier diagram. With
/// colours, changed cells are in reverse video. Without colours, added pieces and walls are in
/// parentheses. Labels and notes are never marked.
fn mark_changed_cells(diagram: &Diagram, before: &Diagram, has_colour: bool) -> String {
    let is_changed = |new: &DiagramCell, old: Option<&DiagramCell>| {
        let old = old.unwrap_or(&DiagramCell::SPACE_CELL);
        new.kind != DiagramCellKind::Note
            && (new.character, new.kind, new.player) != (old.character, old.kind, old.player)
    };
    let mut lines = Vec::new();
    for (number, row) in diagram.rows.iter().enumerate() {
        let old = before.rows.get(number).map_or(&[][..], Vec::as_slice);
        let mut line = String::new();
        if has_colour {
            for (column, cell) in row.iter().enumerate() {
                if is_changed(cell, old.get(column)) {
                    line += &format!("\x1b[7m{}\x1b[0m", cell.character);
                } else {
                    line.push(cell.character);
                }
            }
        } else {
            line = parenthesise_cells(row, |column| {
                let new = &row[column];
                let old = old.get(column);
                let is_line_under_piece = new.kind == DiagramCellKind::Horizontal
                    && old.is_some_and(|old| old.kind == DiagramCellKind::Piece);
                is_changed(new, old) && !new.is_background() && !is_line_under_piece
            });
        }
        lines.push(line.trim_end().to_string());
    }
    lines.join("\n")
}

/// Returns the text of a row with parentheses around the cells in the selected columns. If only one
/// cell lies between two selected cells, they share a pair of parentheses.
fn parenthesise_cells(row: &[DiagramCell], is_selected: impl Fn(usize) -> bool) -> String {
    let is_selected = |column: usize| column < row.len() && is_selected(column);
    let mut text = String::new();
    // The last parenthesis may come after the end of the row.
    for (column, cell) in row.iter().chain([&DiagramCell::SPACE_CELL]).enumerate() {
        let is_after = column > 0 && is_selected(column - 1);
        text.push(match (is_after, is_selected(column), is_selected(column + 1)) {
            (false, false, true) => '(',
            (true, false, false) => ')',
            _ => cell.character,
        });
    }
    text
}

/// The reason why there is no list of moves to show.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum MoveListError {
    /// The game is over.
    #[error("the game is over: there are no moves")]
    GameOver,
    /// No legal move names the point.
    #[error("no legal move names {}", quote_word(.point))]
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
) -> Result<String, MoveListError> {
    let mut groups = session.legal_moves_by_kind();
    if groups.is_empty() {
        return Err(MoveListError::GameOver);
    }
    if let Some(point) = point {
        let name = point.to_lowercase();
        for (_, moves) in &mut groups {
            moves.retain(|mv| move_names_point(&mv.to_lowercase(), &name));
        }
        groups.retain(|(_, moves)| !moves.is_empty());
        if groups.is_empty() {
            return Err(MoveListError::NotNamed { point: point.into() });
        }
    }
    groups.sort_by_key(|(_, moves)| moves.len());
    let mut lines = Vec::with_capacity(groups.len());
    for (kind, moves) in groups {
        let line = format!("{} ({}): {}", capitalise(kind), moves.len(), moves.join(" "));
        lines.push(wrap_text(&line, PARAGRAPH_INDENT));
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
    format!("{} is illegal: {reason}.", quote_word(typed))
}

/// Returns the static evaluation in words, with the features that decide it.
pub fn static_evaluation_text(session: &dyn Session) -> String {
    let GameState { seen_names: sides, seen_side: to_move, .. } = session.game_state();
    let Some(StaticEvaluation { score, mut features }) = session.static_evaluation() else {
        return format!("{}.", session.game_state_in_words().sentence);
    };
    let for_first = score * to_move.sign();
    // The score of a net has no explanation in words.
    features.retain(|(name, amounts)| *name != NET_FEATURE_NAME && amounts[0] != amounts[1]);
    features.sort_by_key(|(_, [first, second])| -(first - second).abs());
    let mut reasons = Vec::new();
    for (name, [first, second]) in features.iter().take(3) {
        let better = sides[usize::from(second > first)];
        reasons.push(format!("{name} ({better}, {})", format_pawns((first - second).abs())));
    }
    let reasons = if reasons.is_empty() {
        String::new()
    } else {
        format!(" Main reasons: {}.", reasons.join(", "))
    };
    wrap_text(
        &format!("In this position {}.{reasons}", advantage_text(for_first, sides)),
        PARAGRAPH_INDENT,
    )
}

/// Returns words that say which side is better. `score` is for the first side.
fn advantage_text(score: i32, sides: [&str; 2]) -> String {
    let (better, worse) = if score >= 0 { (sides[0], sides[1]) } else { (sides[1], sides[0]) };
    let amount = format_pawns(score.abs());
    match score.abs() {
        0..=24 => format!("{better} and {worse} are about even"),
        25..=99 => format!("{better} is a little better ({amount})"),
        100..=299 => format!("{better} is better ({amount})"),
        _ => format!("{better} is much better ({amount})"),
    }
}

/// Returns a score in pawns, with two decimals.
fn format_pawns(centipawns: i32) -> String {
    format!("{}.{:02}", centipawns / 100, centipawns % 100)
}

/// Returns the expected result after the best move, in words. `score` is for the side to move.
/// `rank` is the rank of the position in tables without distances, if they know the winner.
fn describe_expected_result(
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
        0 => "Neither side can force a win".into(),
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
        Some(0) if result.is_exact => " Then neither side can force a win.".into(),
        Some(score) => describe_expected_result(score, result.rank, to_move, sides),
        None => String::new(),
    };
    if let (Some(_), Some(score)) = (result.move_score, result.score) {
        outlook += &describe_unreached_value(score, sides[to_move.index()]);
    }
    wrap_text(&format!("A good move is {}.{outlook}{line}", result.best), PARAGRAPH_INDENT)
}

#[cfg(test)]
mod tests {
    use pentarch_core::{Options, Rules};
    use pentarch_engine::engine_state::new_game_session;
    use pentarch_engine::games::GAME_OPTION;
    use pentarch_engine::input_word::InputWord;
    use pentarch_quoridor::Quoridor;

    use super::*;

    #[test]
    fn names_the_winner_that_tables_know() {
        let text = |score, side| describe_expected_result(score, None, side, ["Red", "Green"]);
        assert_eq!(text(19_000, Side::First), " Then Red wins, as the tables say.");
        assert_eq!(text(-19_000, Side::First), " Then Green wins, as the tables say.");
        let ranked = describe_expected_result(19_000, Some(12), Side::First, ["Red", "Green"]);
        assert_eq!(ranked, " Then Red wins, as the tables say with rank 12.");
        assert_eq!(text(30_999, Side::Second), " Then Green wins in at most 1 move.");
        assert_eq!(text(40, Side::Second), " Then Green is a little better (0.40).");
    }

    /// Returns the diagram of a position. The game has its default rules, but Quoridor has its
    /// smallest board.
    fn diagram(game: &str, fen: &str) -> Diagram {
        let mut options = Options::default();
        options.set(&GAME_OPTION, game).unwrap();
        options.set_rule(Quoridor::RULE_OPTIONS, "Quoridor_BoardSize", "3").unwrap();
        let mut session = new_game_session(&options);
        session.set_position(Some(&InputWord::split_into_words(fen)), &[]).unwrap();
        session.current_and_previous_diagrams(Side::First).0
    }

    /// Returns three diagrams of Quoridor: before a wall, after a wall, and after a wall in the
    /// other direction.
    fn walls() -> [Diagram; 3] {
        ["a1c2 - w 10/10 1", "a1c2 a1v b 9/10 1", "a1c2 b2h b 9/10 1"]
            .map(|fen| diagram("quoridor", fen))
    }

    /// Checks the lines of a text from the second to the last but two.
    #[track_caller]
    fn assert_lines(text: &str, expected: &[&str]) {
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[1..lines.len() - 2], *expected);
    }

    #[test]
    fn marks_walls_in_compact_boards() {
        let [before, vertical, horizontal] = walls().map(draw_walls_as_underlines);
        let expected = [
            " 3 |           |   black, walls left: 10",
            " 2 |  (|)    B |",
            " 1 |_W(|)______|   white, walls left: 9",
        ];
        assert_lines(&mark_changed_cells(&vertical, &before, false), &expected);
        let expected = [
            " 3 |   (_______)   black, walls left: 10",
            " 2 |         B |",
            " 1 |_W_________|   white, walls left: 9",
        ];
        assert_lines(&mark_changed_cells(&horizontal, &before, false), &expected);
    }

    #[test]
    fn marks_walls() {
        let [before, vertical, horizontal] = walls();
        let expected = [
            " 3 |           |   black, walls left: 10",
            "   +   +   +   +",
            " 2 |  (|)    B |",
            "   +  (|)  +   +",
            " 1 | W(|)      |   white, walls left: 9",
            "   +---+---+---+",
        ];
        assert_lines(&mark_changed_cells(&vertical, &before, false), &expected);
        let expected = [
            " 3 |           |   black, walls left: 10",
            "   +   (-------)",
            " 2 |         B |",
            "   +   +   +   +",
            " 1 | W         |   white, walls left: 9",
            "   +---+---+---+",
        ];
        assert_lines(&mark_changed_cells(&horizontal, &before, false), &expected);
    }

    #[test]
    fn marks_the_points_of_a_move() {
        let before = diagram("alquerque", "5/5/5/1x3/o3o l - - - 1");
        let after = diagram("alquerque", "5/5/2o2/5/4o d - - - 1");
        let plain = mark_changed_cells(&after, &before, false);
        assert_eq!(plain, after.to_string().replace("3  .---.---o---", "3  .---.--(o)--"));
        let reversed = after
            .to_string()
            .replace("3  .---.---o", "3  .---.---\x1b[7mo\x1b[0m")
            .replace("2  .---.", "2  .---\x1b[7m.\x1b[0m")
            .replace("1  .", "1  \x1b[7m.\x1b[0m");
        assert_eq!(mark_changed_cells(&after, &before, true), reversed);
        assert_eq!(mark_changed_cells(&after, &after, true), after.to_string());
    }

    #[test]
    fn underlines_replace_only_lines_of_walls() {
        let start = "d8h4 a2b7b9d9e2f3g4h5 r b7 2";
        let diagram = diagram("alcaxar", start);
        assert_eq!(draw_walls_as_underlines(diagram.clone()), diagram);
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
