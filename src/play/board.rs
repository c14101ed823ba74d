//! Draws the board with a marked last move, as large as the screen allows.

use std::collections::BTreeSet;

use pentarch_core::Side;
use pentarch_core::notation::parsing::wrap_text_to_width;
use pentarch_core::view::diagram::{Diagram, DiagramCell, DiagramCellKind};
use pentarch_engine::session::Session;

use super::terminal::Screen;

/// Number of lines around a board: an empty line, the engine's move, the last move, and the prompt.
const LINES_AROUND_BOARD: usize = 4;

/// Number of columns from the board to the labels at its right.
const RIGHT_LABEL_GAP: usize = 2;

/// The ways to draw a board, from the largest to the smallest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd)]
enum BoardDrawingSize {
    /// All lines, and empty lines around the board.
    Full,
    /// Walls between ranks are underlines.
    Underlined,
    /// Without lines that show only outlines.
    WithoutOutlines,
    /// Only the lines with squares. The name of an empty cell replaces the line with names.
    SquaresOnly,
}

/// The colours of a board on a terminal.
struct BoardColours<'a> {
    /// The players, in the order of their turns.
    players: &'a [&'static str],
    /// The sites that are marked as targets.
    targets: &'a BTreeSet<String>,
}

/// Returns the board with the side `viewer` at the bottom. The last move is marked, and named below
/// the board.
///
/// On a terminal, the board becomes smaller if it and the `lines_below` would not fit, colours show
/// the sides and mark the `targets`, and labels are on both sides.
pub fn render_board(
    session: &dyn Session,
    viewer: Side,
    screen: Screen,
    lines_below: usize,
    targets: &BTreeSet<String>,
) -> String {
    let (mut diagram, mut before) = session.current_and_previous_diagrams(viewer);
    let mut size = BoardDrawingSize::Full;
    if screen.is_terminal {
        size = choose_drawing_size(&diagram, screen, lines_below);
        diagram = lay_out_diagram(diagram, size, screen, lines_below);
        before = before.map(|before| lay_out_diagram(before, size, screen, lines_below));
    }
    let players = session.game_constants().players;
    let colours = screen.has_colour.then_some(BoardColours { players, targets });
    let board = format_diagram(&diagram, before.as_ref(), colours.as_ref());
    let last = session.game_moves().moves.last().cloned();
    match (size, last) {
        (BoardDrawingSize::Full, Some(last)) => format!("\n{board}\nLast move: {last}\n"),
        (BoardDrawingSize::Full, None) => format!("\n{board}\n"),
        (_, Some(last)) => format!("{board}\nLast move: {last}. "),
        (_, None) => format!("{board}\n"),
    }
}

/// Returns the largest size in which the board fits on the screen; the smallest if none fits.
fn choose_drawing_size(diagram: &Diagram, screen: Screen, lines_below: usize) -> BoardDrawingSize {
    let sizes =
        [BoardDrawingSize::Full, BoardDrawingSize::Underlined, BoardDrawingSize::WithoutOutlines];
    for size in sizes {
        let around = if size == BoardDrawingSize::Full { LINES_AROUND_BOARD } else { 1 };
        let lines = lay_out_diagram(diagram.clone(), size, screen, usize::MAX).rows.len();
        if lines + around + lines_below <= screen.rows {
            return size;
        }
    }
    BoardDrawingSize::SquaresOnly
}

/// Draws a diagram in this size, with dots on empty squares. Labels and notes are placed as the
/// width allows. Labels above the board are added if the height allows.
fn lay_out_diagram(
    mut diagram: Diagram,
    size: BoardDrawingSize,
    screen: Screen,
    lines_below: usize,
) -> Diagram {
    mark_empty_squares(&mut diagram);
    if size >= BoardDrawingSize::Underlined {
        diagram = draw_walls_as_underlines(diagram);
    }
    if size >= BoardDrawingSize::WithoutOutlines {
        diagram.rows.retain(|row| !row_has_only_lines(row) && !row_has_only_walls(row));
    }
    if size == BoardDrawingSize::SquaresOnly {
        diagram = keep_lines_with_squares(diagram);
    }
    arrange_labels_and_notes(&mut diagram, screen.columns);
    let files = diagram.rows.iter().find(|row| row_has_cell_kind(row, is_file_label)).cloned();
    let lines = diagram.rows.len().saturating_add(lines_below).saturating_add(LINES_AROUND_BOARD);
    if let Some(files) = files
        && size == BoardDrawingSize::Full
        && lines < screen.rows
    {
        diagram.rows.insert(0, files);
    }
    diagram
}

fn row_has_cell_kind(row: &[DiagramCell], is_kind: fn(DiagramCellKind) -> bool) -> bool {
    row.iter().any(|cell| is_kind(cell.kind))
}

fn is_file_label(kind: DiagramCellKind) -> bool {
    matches!(kind, DiagramCellKind::File(_))
}

fn is_rank_label(kind: DiagramCellKind) -> bool {
    matches!(kind, DiagramCellKind::Rank(_))
}

fn is_square_cell(kind: DiagramCellKind) -> bool {
    matches!(kind, DiagramCellKind::Piece | DiagramCellKind::Empty)
}

fn is_name_cell(kind: DiagramCellKind) -> bool {
    kind == DiagramCellKind::Name
}

fn row_has_only_lines(row: &[DiagramCell]) -> bool {
    row.iter().all(|cell| matches!(cell.kind, DiagramCellKind::Space | DiagramCellKind::Line))
}

/// Puts a dot on each empty square, so that nobody has to count columns. Other boards already show
/// their empty squares: by a sign, or by a name.
fn mark_empty_squares(diagram: &mut Diagram) {
    let is_shown = |cell: &DiagramCell| match cell.kind {
        DiagramCellKind::Name => true,
        DiagramCellKind::Empty => cell.character != ' ',
        _ => false,
    };
    if diagram.rows.iter().flatten().any(is_shown) {
        return;
    }
    for cell in diagram.rows.iter_mut().flatten() {
        if cell.kind == DiagramCellKind::Empty {
            cell.character = '.';
        }
    }
}

/// Keeps only the lines with squares and the labels of the files. If the board shows the names of
/// its squares, each empty square shows its name instead of a space.
fn keep_lines_with_squares(mut diagram: Diagram) -> Diagram {
    let has_names = diagram.rows.iter().any(|row| row_has_cell_kind(row, is_name_cell));
    diagram.rows.retain(|row| {
        row_has_cell_kind(row, is_square_cell) || row_has_cell_kind(row, is_file_label)
    });
    if !has_names {
        return diagram;
    }
    for row in &mut diagram.rows {
        for column in 1..row.len() {
            let DiagramCell {
                character: ' ', kind: DiagramCellKind::Empty, site: Some(site), ..
            } = row[column]
            else {
                continue;
            };
            let name = site.to_string();
            let cells = row[column - 1..].iter_mut();
            for (cell, character) in cells.zip(name.chars()) {
                *cell = DiagramCell { character, ..*cell };
            }
        }
    }
    diagram
}

/// Repeats the labels of the ranks at the right of the board. If the screen is too narrow for the
/// notes next to the board, they move below it. If it is too narrow for the labels, they are left
/// out.
fn arrange_labels_and_notes(diagram: &mut Diagram, columns: usize) {
    let mut board = Vec::new();
    let mut notes = Vec::new();
    for row in &diagram.rows {
        let end = row.iter().position(|cell| cell.kind == DiagramCellKind::Note);
        let (cells, note) = row.split_at(end.unwrap_or(row.len()));
        let note: String = note.iter().map(|cell| cell.character).collect();
        let mut cells = cells.to_vec();
        while cells.last().is_some_and(|cell| *cell == DiagramCell::SPACE_CELL) {
            cells.pop();
        }
        board.push(cells);
        notes.push(note);
    }
    let width = board.iter().map(Vec::len).max().unwrap_or(0);
    let note_width = |(row, note): (&Vec<DiagramCell>, &String)| {
        if row.is_empty() || note.is_empty() { 0 } else { note.chars().count() }
    };
    let notes_beside = board.iter().zip(&notes).map(note_width).max().unwrap_or(0);
    let label = board.iter().map(|row| rank_label(row).len()).max().unwrap_or(0);
    let label_width = if label > 0 { RIGHT_LABEL_GAP + label } else { 0 };
    let has_notes_beside = width + notes_beside <= columns;
    let room = if has_notes_beside { width + notes_beside } else { width };
    let has_labels = label > 0 && room + label_width <= columns;
    let mut rows = Vec::new();
    let mut below = Vec::new();
    for (mut row, note) in board.into_iter().zip(notes) {
        if row.is_empty() {
            below.push(note);
            continue;
        }
        let label = rank_label(&row);
        if has_labels && !label.is_empty() {
            row.resize(width + RIGHT_LABEL_GAP, DiagramCell::SPACE_CELL);
            row.extend(label);
        }
        if has_notes_beside && !note.is_empty() {
            row.resize(row.len().max(width), DiagramCell::SPACE_CELL);
            row.extend(DiagramCellKind::Note.cells_for_characters(&note));
        } else if !note.is_empty() {
            below.push(note.trim_start().to_string());
        }
        rows.push(row);
    }
    diagram.rows = rows;
    for note in below {
        wrap_text_to_width(&note, "", columns).lines().for_each(|line| diagram.push_note(line));
    }
}

/// Returns the cells of the label at the left of a row.
fn rank_label(row: &[DiagramCell]) -> Vec<DiagramCell> {
    row.iter().filter(|cell| is_rank_label(cell.kind)).copied().collect()
}

/// Returns whether a row shows only walls and posts.
fn row_has_only_walls(row: &[DiagramCell]) -> bool {
    row.iter().any(|cell| cell.kind == DiagramCellKind::Post)
        && row.iter().all(|cell| {
            matches!(
                cell.kind,
                DiagramCellKind::Space
                    | DiagramCellKind::Post
                    | DiagramCellKind::Horizontal
                    | DiagramCellKind::Vertical
            )
        })
}

/// Removes the lines between ranks. Such lines have only walls and posts. Their walls become
/// underlines in the line above. The first line stays. Walls between files appear in the lines of
/// the ranks. The dots of empty squares stay.
fn draw_walls_as_underlines(diagram: Diagram) -> Diagram {
    let mut rows: Vec<Vec<DiagramCell>> = Vec::new();
    for row in diagram.rows {
        let has_only_walls = row_has_only_walls(&row);
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
            let is_dot = cell.kind == DiagramCellKind::Empty && cell.character != ' ';
            if cell.is_background() && !is_dot && is_below_wall {
                *cell = DiagramCell::new('_', DiagramCellKind::Horizontal);
            }
        }
    }
    Diagram { rows }
}

/// Returns the text of a diagram, and marks the cells that differ from an earlier diagram. With
/// colours, changed cells are in reverse video. Without colours, added pieces and walls are in
/// parentheses. Labels and notes are never marked.
fn format_diagram(
    diagram: &Diagram,
    before: Option<&Diagram>,
    colours: Option<&BoardColours>,
) -> String {
    let mut lines = Vec::new();
    for (number, row) in diagram.rows.iter().enumerate() {
        let old = before.map(|before| before.rows.get(number).map_or(&[][..], Vec::as_slice));
        let line = match colours {
            Some(colours) => format_coloured_row(row, old, colours),
            None => parenthesise_cells(row, |column| {
                let new = &row[column];
                let Some(old) = old.map(|old| old.get(column)) else { return false };
                let is_line_under_piece = new.kind == DiagramCellKind::Horizontal
                    && old.is_some_and(|old| old.kind == DiagramCellKind::Piece);
                is_cell_changed(new, old) && !new.is_background() && !is_line_under_piece
            }),
        };
        lines.push(line.trim_end().to_string());
    }
    lines.join("\n")
}

/// Returns whether a cell differs from the same cell in an earlier diagram.
fn is_cell_changed(new: &DiagramCell, old: Option<&DiagramCell>) -> bool {
    let old = old.unwrap_or(&DiagramCell::SPACE_CELL);
    let is_label = is_file_label(new.kind) || is_rank_label(new.kind);
    new.kind != DiagramCellKind::Note
        && !is_label
        && (new.character, new.kind, new.player) != (old.character, old.kind, old.player)
}

/// Returns the text of a row in 16 colours. `old` is the row in an earlier diagram.
fn format_coloured_row(
    row: &[DiagramCell],
    old: Option<&[DiagramCell]>,
    colours: &BoardColours,
) -> String {
    let mut line = String::new();
    for (column, cell) in row.iter().enumerate() {
        let is_target = cell.site.is_some_and(|site| colours.targets.contains(&site.to_string()));
        let mut codes = Vec::new();
        match (cell.player, cell.kind) {
            (Some(player), _) => codes.push(player_colour(player, colours.players)),
            (None, DiagramCellKind::Empty) if cell.character != ' ' && !is_target => {
                codes.push(FAINT)
            }
            (None, DiagramCellKind::Horizontal | DiagramCellKind::Vertical)
                if cell.site.is_some() =>
            {
                codes.push(WALL_COLOUR);
            }
            _ => {}
        }
        if is_target {
            codes.push(TARGET_COLOURS);
        }
        if old.is_some_and(|old| is_cell_changed(cell, old.get(column))) {
            codes.push(REVERSE_VIDEO);
        }
        if codes.is_empty() {
            line.push(cell.character);
        } else {
            line += &format!("\x1b[{}m{}\x1b[0m", codes.join(";"), cell.character);
        }
    }
    line
}

/// The codes of the styles: ECMA-48, "Select Graphic Rendition".
const FAINT: &str = "2";
const REVERSE_VIDEO: &str = "7";
/// Yellow.
const WALL_COLOUR: &str = "33";
/// Black on green.
const TARGET_COLOURS: &str = "30;42";
/// Cyan, magenta, green and yellow: they are legible on dark and on light screens.
const PLAYER_COLOURS: [&str; 4] = ["36", "35", "32", "33"];

/// Returns the colour of a player. Players who are called after a colour of the terminal have it.
fn player_colour(player: usize, names: &[&str]) -> &'static str {
    match names.get(player) {
        Some(&"red") => "31",
        Some(&"green") => "32",
        _ => PLAYER_COLOURS[player % PLAYER_COLOURS.len()],
    }
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
    use pentarch_engine::games::{GAME_OPTION, all_games};
    use pentarch_engine::input_word::InputWord;
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

    fn quoridor_options(board_size: &str) -> Options {
        let mut options = Options::default();
        options.set(&GAME_OPTION, "quoridor").unwrap();
        options.set_rule(Quoridor::RULE_OPTIONS, "Quoridor_BoardSize", board_size).unwrap();
        options
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

    /// Every board fits small screens, with its turn and its prompt.
    #[test]
    fn boards_fit_small_screens() {
        for entry in all_games() {
            let mut options = Options::default();
            options.set(&GAME_OPTION, entry.word).unwrap();
            let mut session = new_game_session(&options);
            let first = session.legal_move_strings()[0].clone();
            session.play_moves(&[InputWord::from_text(&first)]).unwrap();
            for (columns, rows) in [(80, 24), (60, 20), (40, 15)] {
                let screen = Screen { is_terminal: true, columns, rows, has_colour: false };
                let board =
                    render_board(session.as_ref(), Side::First, screen, 1, &BTreeSet::new());
                let case = format!("{} on {columns}x{rows}:\n{board}", entry.word);
                assert!(board.lines().count() < rows, "{case}");
                assert!(board.lines().all(|line| line.chars().count() <= columns), "{case}");
                assert!(board.contains("Last move: "), "{case}");
            }
            // Only boards with names show them in the smallest size.
            let tiny = Screen { is_terminal: true, columns: 40, rows: 8, has_colour: false };
            let board = render_board(session.as_ref(), Side::First, tiny, 6, &BTreeSet::new());
            assert_eq!(board.contains("a2"), entry.word == "roses", "{board}");
        }
    }

    /// An empty first rank stays on a small screen, with its dots, its label and its note.
    #[test]
    fn small_boards_have_all_ranks() {
        let mut session = new_game_session(&quoridor_options("9"));
        session.play_moves(&[InputWord::from_text("e2")]).unwrap();
        for rows in 12..=24 {
            let screen = Screen { is_terminal: true, columns: 40, rows, has_colour: false };
            let board = render_board(session.as_ref(), Side::First, screen, 1, &BTreeSet::new());
            let rank = board.lines().find(|line| line.starts_with(" 1 |"));
            let dots = rank.map(|rank| rank.matches('.').count());
            assert_eq!(dots, Some(9), "{rows} rows:\n{board}");
            assert!(board.contains("white, walls left: 10"), "{rows} rows:\n{board}");
        }
    }

    /// On a terminal, squares have dots, and the labels are on all sides of the board.
    #[test]
    fn boards_on_terminals_have_dots_colours_and_labels() {
        let session = new_game_session(&quoridor_options("3"));
        let mut screen = Screen { is_terminal: true, columns: 80, rows: 24, has_colour: false };
        let draw = |screen, targets: &[&str]| {
            let targets = targets.iter().map(ToString::to_string).collect();
            render_board(session.as_ref(), Side::First, screen, 1, &targets)
        };
        let expected = [
            "",
            "     a   b   c",
            "   +---+---+---+",
            " 3 | .   B   . |  3   black, walls left: 10",
            "   +   +   +   +",
            " 2 | .   .   . |  2",
            "   +   +   +   +",
            " 1 | .   W   . |  1   white, walls left: 10",
            "   +---+---+---+",
            "     a   b   c",
            "W, B: the pawns",
        ];
        assert_eq!(draw(screen, &[]).trim_end(), expected.join("\n"));
        screen.has_colour = true;
        let coloured = draw(screen, &["b2"]);
        for part in
            ["\x1b[36mW\x1b[0m", "\x1b[35mB\x1b[0m", "\x1b[2m.\x1b[0m", "\x1b[30;42m.\x1b[0m"]
        {
            assert!(coloured.contains(part), "{part:?}: {coloured:?}");
        }
        let pipe = Screen { is_terminal: false, columns: 80, rows: usize::MAX, has_colour: false };
        assert!(draw(pipe, &[]).contains("\n 2 |           |\n"));
    }

    #[test]
    fn marks_walls_in_compact_boards() {
        let [before, vertical, horizontal] = walls().map(draw_walls_as_underlines);
        let expected = [
            " 3 |           |   black, walls left: 10",
            " 2 |  (|)    B |",
            " 1 |_W(|)______|   white, walls left: 9",
        ];
        assert_lines(&format_diagram(&vertical, Some(&before), None), &expected);
        let expected = [
            " 3 |   (_______)   black, walls left: 10",
            " 2 |         B |",
            " 1 |_W_________|   white, walls left: 9",
        ];
        assert_lines(&format_diagram(&horizontal, Some(&before), None), &expected);
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
        assert_lines(&format_diagram(&vertical, Some(&before), None), &expected);
        let expected = [
            " 3 |           |   black, walls left: 10",
            "   +   (-------)",
            " 2 |         B |",
            "   +   +   +   +",
            " 1 | W         |   white, walls left: 9",
            "   +---+---+---+",
        ];
        assert_lines(&format_diagram(&horizontal, Some(&before), None), &expected);
    }

    #[test]
    fn marks_the_points_of_a_move() {
        let before = diagram("alquerque", "5/5/5/1x3/o3o l - - - 1");
        let after = diagram("alquerque", "5/5/2o2/5/4o d - - - 1");
        let plain = format_diagram(&after, Some(&before), None);
        assert_eq!(plain, after.to_string().replace("3  .---.---o---", "3  .---.--(o)--"));
        let colours = BoardColours { players: &["light", "dark"], targets: &BTreeSet::new() };
        let coloured = format_diagram(&after, Some(&before), Some(&colours));
        for marked in ["\x1b[36;7mo\x1b[0m", "---\x1b[2;7m.\x1b[0m", "1  \x1b[2;7m.\x1b[0m"] {
            assert_eq!(coloured.matches(marked).count(), 1, "{marked}: {coloured:?}");
        }
        assert_eq!(coloured.matches(";7m").count(), 3, "{coloured:?}");
    }

    #[test]
    fn underlines_replace_only_lines_of_walls() {
        let start = "d8h4 a2b7b9d9e2f3g4h5 r b7 2";
        let diagram = diagram("alcaxar", start);
        assert_eq!(draw_walls_as_underlines(diagram.clone()), diagram);
    }
}
