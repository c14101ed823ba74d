//! Draws the board with a marked last move.

use pentarch_core::Side;
use pentarch_core::view::diagram::{Diagram, DiagramCell, DiagramCellKind};
use pentarch_engine::session::Session;

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

#[cfg(test)]
mod tests {
    use pentarch_core::{Options, Rules};
    use pentarch_engine::engine_state::new_game_session;
    use pentarch_engine::input_word::InputWord;
    use pentarch_games::GAME_OPTION;
    use pentarch_quoridor::Quoridor;

    use super::*;

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
}
