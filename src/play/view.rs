//! What is shown to a player: the board with the last move marked, the moves in groups, and judgements in words.

use std::fmt::Display;

use pentarch_core::notation::text::{capitalised, quoted, wrap};
use pentarch_core::view::diagram::{Cell, CellKind, Diagram};
use pentarch_core::{NET_FEATURE, Side, Violation};
use pentarch_engine::session::{Session, Standing, StaticEvaluation};
use pentarch_search::score::{is_known_by_tables, is_proven, mate_in};
use thiserror::Error;

use super::table::Thought;

/// What the lines of a paragraph begin with, except the first.
pub const INDENT: &str = "  ";

/// How many lines a board has around it: an empty one, the engine's move, the last move, whose turn it is, the prompt.
const LINES_AROUND: usize = 5;

/// The board as this side sees it, and the last move, which is marked.
///
/// On a terminal with so many `rows` on which that would not fit together with what stands below it, the lines of walls
/// between the ranks are drawn as underlines, and nothing is between the board and the lines around it.
pub fn board(session: &dyn Session, viewer: Side, has_colour: bool, rows: Option<usize>) -> String {
    let (mut diagram, mut before) = session.diagrams(viewer);
    let is_low = rows.is_some_and(|rows| diagram.rows.len() + LINES_AROUND > rows);
    if is_low {
        (diagram, before) = (underlined(diagram), before.map(underlined));
    }
    let board = match before {
        Some(before) => marked(&diagram, &before, has_colour),
        None => diagram.to_string(),
    };
    if is_low {
        return match session.course().moves.last() {
            Some(last) => format!("{board}\nLast move: {last}. "),
            None => format!("{board}\n"),
        };
    }
    match session.course().moves.last() {
        Some(last) => format!("\n{board}\nLast move: {last}\n"),
        None => format!("\n{board}\n"),
    }
}

/// A diagram without the lines that hold nothing but walls and the posts between them, except the first line: each is
/// drawn as underlines in the line above it. Walls between the files are seen in the lines of the ranks.
fn underlined(diagram: Diagram) -> Diagram {
    let mut rows: Vec<Vec<Cell>> = Vec::new();
    for row in diagram.rows {
        let is_of_walls = row.iter().any(|cell| cell.kind == CellKind::Post)
            && row.iter().all(|cell| {
                matches!(
                    cell.kind,
                    CellKind::Space | CellKind::Post | CellKind::Horizontal | CellKind::Vertical
                )
            });
        let Some(above) = rows.last_mut().filter(|_| is_of_walls) else {
            rows.push(row);
            continue;
        };
        let is_wall = |at: usize| row.get(at).is_some_and(|cell| cell.kind == CellKind::Horizontal);
        for (at, place) in above.iter_mut().enumerate().filter(|(_, place)| place.is_free()) {
            if is_wall(at) || (at > 0 && is_wall(at - 1) && is_wall(at + 1)) {
                *place = Cell::new('_', CellKind::Horizontal);
            }
        }
    }
    Diagram { rows }
}

/// A diagram in which the cells that differ from an earlier one are marked: shown in reverse where the output has
/// colours, as terminals can; elsewhere the men and walls that have come to a place stand in parentheses. Labels and
/// notes are not marked.
fn marked(diagram: &Diagram, before: &Diagram, has_colour: bool) -> String {
    let is_changed = |new: &Cell, old: Option<&Cell>| {
        let old = old.unwrap_or(&Cell::SPACE);
        new.kind != CellKind::Note
            && (new.character, new.kind, new.player) != (old.character, old.kind, old.player)
    };
    let mut lines = Vec::new();
    for (number, row) in diagram.rows.iter().enumerate() {
        let old = before.rows.get(number).map_or(&[][..], Vec::as_slice);
        let mut line = String::new();
        if has_colour {
            for (at, cell) in row.iter().enumerate() {
                if is_changed(cell, old.get(at)) {
                    line += &format!("\x1b[7m{}\x1b[0m", cell.character);
                } else {
                    line.push(cell.character);
                }
            }
        } else {
            line = in_parentheses(row, |at| {
                let (new, old) = (&row[at], old.get(at));
                let is_line_under_piece = new.kind == CellKind::Horizontal
                    && old.is_some_and(|old| old.kind == CellKind::Piece);
                is_changed(new, old) && !new.is_free() && !is_line_under_piece
            });
        }
        lines.push(line.trim_end().to_string());
    }
    lines.join("\n")
}

/// A line with parentheses around the cells at the places that are chosen. Cells with only one other between them share
/// a pair.
fn in_parentheses(row: &[Cell], is_chosen: impl Fn(usize) -> bool) -> String {
    let is_chosen = |at: usize| at < row.len() && is_chosen(at);
    let mut text = String::new();
    // A parenthesis can stand behind the end of the line.
    for (at, cell) in row.iter().chain([&Cell::SPACE]).enumerate() {
        let is_after = at > 0 && is_chosen(at - 1);
        text.push(match (is_after, is_chosen(at), is_chosen(at + 1)) {
            (false, false, true) => '(',
            (true, false, false) => ')',
            _ => cell.character,
        });
    }
    text
}

/// The error that there are no moves to be shown.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum MovesError {
    /// The game is over.
    #[error("the game is over: there are no moves")]
    GameOver,
    /// No legal move names the point.
    #[error("no legal move names {}", quoted(.point))]
    NotNamed {
        /// The point.
        point: String,
    },
}

/// The legal moves by kinds, the fewest first, or those of them that name a point.
///
/// # Errors
/// If the game is over, or no legal move names the point.
pub fn moves(session: &dyn Session, point: Option<&str>) -> Result<String, MovesError> {
    let mut groups = session.move_groups();
    if groups.is_empty() {
        return Err(MovesError::GameOver);
    }
    if let Some(point) = point {
        let name = point.to_lowercase();
        groups
            .iter_mut()
            .for_each(|(_, moves)| moves.retain(|mv| names_point(&mv.to_lowercase(), &name)));
        groups.retain(|(_, moves)| !moves.is_empty());
        if groups.is_empty() {
            return Err(MovesError::NotNamed { point: point.into() });
        }
    }
    groups.sort_by_key(|(_, moves)| moves.len());
    let text = |(kind, moves): (&str, Vec<String>)| {
        wrap(&format!("{} ({}): {}", capitalised(kind), moves.len(), moves.join(" ")), INDENT)
    };
    Ok(groups.into_iter().map(text).collect::<Vec<_>>().join("\n"))
}

/// Whether the text of a move has this point among its points: `e3` is in `e3h` and `d2e3`, but not in `e31`.
fn names_point(text: &str, point: &str) -> bool {
    text.match_indices(point)
        .any(|(at, _)| !text[at + point.len()..].starts_with(|next: char| next.is_ascii_digit()))
}

/// An error, or a clause, as a sentence.
pub fn sentence(error: &impl Display) -> String {
    let sentence = capitalised(&error.to_string());
    let end = if sentence.ends_with(['.', '?', '!']) { "" } else { "." };
    sentence + end
}

/// The sentence that a rule forbids the move that was typed. A person gets the reason, a script also the ids of rules.
pub fn illegal(typed: &str, violation: &Violation, is_person: bool) -> String {
    let reason = if is_person { violation.reason.clone() } else { violation.to_string() };
    format!("{} is illegal: {reason}.", quoted(typed))
}

/// Who is better by the static evaluation, and by which features, in words.
pub fn judgement(session: &dyn Session) -> String {
    let Standing { seen_names: sides, seen_side: to_move, .. } = session.standing();
    let Some(StaticEvaluation { score, mut features }) = session.evaluation() else {
        return format!("{}.", session.status().sentence);
    };
    let for_first = score * to_move.sign();
    // What a net judges by cannot be told in words.
    features.retain(|(name, amounts)| *name != NET_FEATURE && amounts[0] != amounts[1]);
    features.sort_by_key(|(_, [first, second])| -(first - second).abs());
    let reason = |(name, [first, second]): &(&str, [i32; 2])| {
        let better = sides[usize::from(second > first)];
        format!("{name} ({better}, {})", pawns((first - second).abs()))
    };
    let reasons: Vec<String> = features.iter().take(3).map(reason).collect();
    let reasons = if reasons.is_empty() {
        String::new()
    } else {
        format!(" What counts most: {}.", reasons.join(", "))
    };
    wrap(&format!("As the board stands, {}.{reasons}", balance(for_first, sides)), INDENT)
}

/// Who is better by a score for the first side, in words.
fn balance(score: i32, sides: [&str; 2]) -> String {
    let (better, worse) = if score >= 0 { (sides[0], sides[1]) } else { (sides[1], sides[0]) };
    let amount = pawns(score.abs());
    match score.abs() {
        0..=24 => format!("{better} and {worse} are about even"),
        25..=99 => format!("{better} is a little better ({amount})"),
        100..=299 => format!("{better} is better ({amount})"),
        _ => format!("{better} is much better ({amount})"),
    }
}

/// Centipawns in units, with two decimals.
fn pawns(centipawns: i32) -> String {
    format!("{}.{:02}", centipawns / 100, centipawns % 100)
}

/// What a score of the side to move, and the rank by which tables know it, mean after the best move, in words.
fn outlook(score: i32, rank: Option<u32>, to_move: Side, sides: [&str; 2]) -> String {
    let winner = sides[if score > 0 { to_move } else { !to_move }.index()];
    if is_proven(score) {
        let moves = mate_in(score).abs();
        let plural = if moves == 1 { "" } else { "s" };
        return format!(" Then {winner} wins in at most {moves} move{plural}.");
    }
    match is_known_by_tables(score) {
        true => {
            let rank = rank.map_or_else(String::new, |rank| format!(" with rank {rank}"));
            format!(" Then {winner} wins, as the tables say{rank}.")
        }
        false => format!(" Then {}.", balance(score * to_move.sign(), sides)),
    }
}

/// The advice of a search for the player to move, in words.
pub fn advice(thought: &Thought, session: &dyn Session) -> String {
    let Standing { seen_names: sides, seen_side: to_move, .. } = session.standing();
    let line = match thought.line.get(1..6.min(thought.line.len())) {
        Some(rest) if !rest.is_empty() => format!(" The game might go on: {}.", rest.join(" ")),
        _ => String::new(),
    };
    let judgement =
        thought.score.map(|score| outlook(score, thought.rank, to_move, sides)).unwrap_or_default();
    wrap(&format!("A good move is {}.{judgement}{line}", thought.best), INDENT)
}

#[cfg(test)]
mod tests {
    use pentarch_core::{Options, Rules};
    use pentarch_engine::engine_state::new_session;
    use pentarch_engine::input_word::Word;
    use pentarch_games::GAME;
    use pentarch_quoridor::Quoridor;

    use super::*;

    #[test]
    fn a_win_that_tables_know_is_told_as_one() {
        let told = |score, side| outlook(score, None, side, ["Red", "Green"]);
        assert_eq!(told(19_000, Side::First), " Then Red wins, as the tables say.");
        assert_eq!(told(-19_000, Side::First), " Then Green wins, as the tables say.");
        let ranked = outlook(19_000, Some(12), Side::First, ["Red", "Green"]);
        assert_eq!(ranked, " Then Red wins, as the tables say with rank 12.");
        assert_eq!(told(30_999, Side::Second), " Then Green wins in at most 1 move.");
        assert_eq!(told(40, Side::Second), " Then Green is a little better (0.40).");
    }

    /// The diagram of a position of a game by its usual rules, or of Quoridor on the smallest board.
    fn diagram(game: &str, fen: &str) -> Diagram {
        let mut options = Options::default();
        options.set(&GAME, game).unwrap();
        options.set_rule(Quoridor::OPTIONS, "Quoridor_BoardSize", "3").unwrap();
        let mut session = new_session(&options);
        session.set_position(Some(&Word::all_of(fen)), &[]).unwrap();
        session.diagrams(Side::First).0
    }

    /// The diagrams of Quoridor before a wall is placed, after it, and after a wall in the other direction.
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
    fn a_wall_is_marked_where_lines_are_underlines() {
        let [before, vertical, horizontal] = walls().map(underlined);
        let expected = [
            " 3 |           |   black, walls left: 10",
            " 2 |  (|)    B |",
            " 1 |_W(|)______|   white, walls left: 9",
        ];
        assert_lines(&marked(&vertical, &before, false), &expected);
        let expected = [
            " 3 |   (_______)   black, walls left: 10",
            " 2 |         B |",
            " 1 |_W_________|   white, walls left: 9",
        ];
        assert_lines(&marked(&horizontal, &before, false), &expected);
    }

    #[test]
    fn a_wall_is_marked_as_a_man_is() {
        let [before, vertical, horizontal] = walls();
        let expected = [
            " 3 |           |   black, walls left: 10",
            "   +   +   +   +",
            " 2 |  (|)    B |",
            "   +  (|)  +   +",
            " 1 | W(|)      |   white, walls left: 9",
            "   +---+---+---+",
        ];
        assert_lines(&marked(&vertical, &before, false), &expected);
        let expected = [
            " 3 |           |   black, walls left: 10",
            "   +   (-------)",
            " 2 |         B |",
            "   +   +   +   +",
            " 1 | W         |   white, walls left: 9",
            "   +---+---+---+",
        ];
        assert_lines(&marked(&horizontal, &before, false), &expected);
    }

    #[test]
    fn a_move_is_marked_where_a_man_has_come_or_gone() {
        let before = diagram("alquerque", "5/5/5/1x3/o3o l - - - 1");
        let after = diagram("alquerque", "5/5/2o2/5/4o d - - - 1");
        let plain = marked(&after, &before, false);
        assert_eq!(plain, after.to_string().replace("3  .---.---o---", "3  .---.--(o)--"));
        let reversed = after
            .to_string()
            .replace("3  .---.---o", "3  .---.---\x1b[7mo\x1b[0m")
            .replace("2  .---.", "2  .---\x1b[7m.\x1b[0m")
            .replace("1  .", "1  \x1b[7m.\x1b[0m");
        assert_eq!(marked(&after, &before, true), reversed);
        assert_eq!(marked(&after, &after, true), after.to_string());
    }

    #[test]
    fn only_lines_of_walls_become_underlines() {
        let start = "d8h4 a2b7b9d9e2f3g4h5 r b7 2";
        let diagram = diagram("alcaxar", start);
        assert_eq!(underlined(diagram.clone()), diagram);
    }

    #[test]
    fn points_are_found_in_moves() {
        assert!(["e3", "e3h", "d2e3", "Ke3", "e3e10"].iter().all(|text| names_point(text, "e3")));
        assert!(["e31", "e2", "h3"].iter().all(|text| !names_point(text, "e3")));
        assert!(names_point("e10d9", "e10") && !names_point("e10d9", "e1"));
    }
}
