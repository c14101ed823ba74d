//! The rules text of a game as people see it: paragraphs wrapped, and pictures drawn.
//!
//! A picture is cut from the game's [diagram](crate::Notation::diagram) by the labels around it: the files stand in a
//! line below the board (`a b c ...`), and the rank stands at the left of each of its lines. What stands beside and
//! below the board is left out. A diagram without labels is drawn whole.

use crate::notation::text::{WIDTH, capitalised, wrapped};
use crate::view::layout::Layout;
use crate::view::rules_text::{Block, Picture, RulesText, Topic, joined};
use crate::{GameHistory, Options, Point};

/// The columns between two drawings that stand side by side.
const GAP: usize = 4;

/// The rules text of a game, read.
///
/// # Errors
/// If the game has none, or if it does not have the form of a rules text.
pub fn rules_text<G: Layout>() -> Result<RulesText<'static>, String> {
    if G::RULES_TEXT.is_empty() {
        return Err(format!("{} has no text of its rules", G::NAME));
    }
    RulesText::parse(G::RULES_TEXT)
        .map_err(|error| format!("the text of the rules of {}: {error}", G::NAME))
}

/// Prints the topic of a game's rules with this name; without a name, all topics and then a list of their names. The
/// last line has no line end.
///
/// # Errors
/// If the game has no rules text or no such topic, or if the text has a fault.
pub fn page<G: Layout>(topic: Option<&str>) -> Result<String, String> {
    let text = rules_text::<G>()?;
    let mut parts = Vec::new();
    let topics: Vec<&Topic> = match topic {
        Some(name) => vec![text.topic(name)?],
        None => {
            parts.push(underlined(text.title, '='));
            text.topics.iter().collect()
        }
    };
    for Topic { title, blocks, .. } in topics {
        parts.push(underlined(title, '-'));
        for block in blocks {
            parts.push(match block {
                Block::Paragraph(sentences) => wrapped(&joined(sentences), ""),
                Block::Picture(picture) => drawn::<G>(picture)?,
            });
        }
    }
    if topic.is_none() {
        let names = text.names().collect::<Vec<_>>().join(", ");
        parts.push(wrapped(&format!("Each of these topics can be asked for alone: {names}."), ""));
    }
    Ok(parts.join("\n\n"))
}

/// The game in at most ten lines by these rules: the aim, a turn, how it ends; none if the game does not say.
pub fn summary<G: Layout>(rules: &G) -> Option<String> {
    let [turn, end] = rules.in_short()?;
    let rows = [
        ("Aim", format!("{}.", capitalised(rules.aim()))),
        ("A turn", turn.into()),
        ("The end", end.into()),
    ];
    Some(rows.map(|(word, text)| wrapped(&format!("{word}: {text}"), "  ")).join("\n"))
}

/// A heading with a line below it.
fn underlined(heading: &str, line: char) -> String {
    let width = heading.chars().count();
    format!("{heading}\n{}", String::from(line).repeat(width))
}

/// The game that a picture shows: its position, and its moves made.
///
/// # Errors
/// If the game has no such option or the option does not take the value, the position text is refused, or a move is not
/// legal.
pub fn history_of<G: Layout>(picture: &Picture) -> Result<GameHistory<G>, String> {
    let mut options = Options::default();
    for (name, value) in &picture.options {
        let set = options.set_rule(G::OPTIONS, &format!("{name}={value}"));
        set.map_err(|error| error.to_string())?;
    }
    let rules = G::from_options(&options);
    let position =
        rules.parse_position(picture.fen).map_err(|error| format!("{}: {error}", picture.fen))?;
    let mut history = GameHistory::new(rules.into(), position);
    for text in &picture.moves {
        let mv =
            history.find_move(text).map_err(|error| format!("{}: {text}: {error}", picture.fen))?;
        history.push(mv);
    }
    Ok(history)
}

/// A picture with its caption. If it has moves, the position after them stands beside the one before them, or below if
/// the page is too narrow.
///
/// # Errors
/// If the picture is not of this game, or cannot be cut as it asks for.
pub fn drawn<G: Layout>(picture: &Picture) -> Result<String, String> {
    let history = history_of::<G>(picture)?;
    let draw = |position: &G::Position| cut(&history.rules().board_diagram(position), picture.show);
    let before = draw(history.start())?;
    let drawing = if history.is_empty() {
        before
    } else {
        let (before, after) =
            (titled("before", before), titled("after", draw(history.position())?));
        side_by_side(&before, &after)
            .unwrap_or_else(|| [before, vec![String::new()], after].concat())
    };
    let mut lines: Vec<&str> = drawing.iter().map(|line| line.trim_end()).collect();
    let caption = wrapped(picture.caption, "");
    lines.extend(["", &caption]);
    Ok(lines.join("\n"))
}

/// A drawing with a word above it.
fn titled(title: &str, drawing: Vec<String>) -> Vec<String> {
    [vec![title.into()], drawing].concat()
}

/// Two drawings of the same height in one; `None` if they are too wide for that.
fn side_by_side(left: &[String], right: &[String]) -> Option<Vec<String>> {
    let width = |lines: &[String]| {
        lines.iter().map(|line| line.trim_end().chars().count()).max().unwrap_or(0)
    };
    let column = width(left) + GAP;
    let both = |(left, right): (&String, &String)| format!("{:column$}{right}", left.trim_end());
    (column + width(right) <= WIDTH).then(|| left.iter().zip(right).map(both).collect())
}

/// The part of a diagram between two corners, or the whole board without corners.
///
/// # Errors
/// If the board has no labels to be cut by, or no such corner.
fn cut(diagram: &str, show: Option<[Point; 2]>) -> Result<Vec<String>, String> {
    let lines: Vec<Vec<char>> = diagram.lines().map(|line| line.chars().collect()).collect();
    let Some((bottom, files)) = file_labels(&lines) else {
        return match show {
            Some(_) => Err("the diagram has no labels of files, so that it cannot be cut".into()),
            None => Ok(lines.iter().map(String::from_iter).collect()),
        };
    };
    let (ranks, labels_end) = rank_labels(&lines[..bottom], files[0]);
    let last = |labels: &[usize]| labels.len().saturating_sub(1) as u8;
    let corners = show.unwrap_or([Point::new(0, 0), Point::new(last(&files), last(&ranks))]);
    // Half of the way to the next point belongs to a point: there stands the wall or the line between the two.
    let half =
        |labels: &[usize]| labels.windows(2).next().map_or(1, |pair| pair[0].abs_diff(pair[1])) / 2;
    let span = |labels: &[usize], ends: [u8; 2]| {
        let [a, b] = ends.map(|end| labels.get(usize::from(end)).copied());
        Some((a?.min(b?).saturating_sub(half(labels)), a?.max(b?) + half(labels)))
    };
    let (Some((left, right)), Some((top, low))) = (
        span(&files, corners.map(|corner| corner.file)),
        span(&ranks, corners.map(|corner| corner.rank)),
    ) else {
        return Err(format!("the diagram does not have both {} and {}", corners[0], corners[1]));
    };
    let rows = top..=low.min(bottom.saturating_sub(1));
    // A space follows the labels of ranks, whatever part of the board stands behind it.
    let labels = files[0].saturating_sub(half(&files)).max(labels_end + 1);
    let columns = left.max(labels)..right + 1;
    let part = |line: &Vec<char>| -> String {
        let part = line.iter().take(columns.end).skip(columns.start);
        let label = line.iter().chain(std::iter::repeat(&' ')).take(labels);
        label.chain(part).collect()
    };
    Ok(lines.get(rows).unwrap_or_default().iter().chain([&lines[bottom]]).map(part).collect())
}

/// The line that names the files, and the column of each; `None` if the diagram has no such line.
fn file_labels(lines: &[Vec<char>]) -> Option<(usize, Vec<usize>)> {
    let columns = |line: &Vec<char>| -> Option<Vec<usize>> {
        let labels = line.iter().enumerate().filter(|(_, character)| **character != ' ');
        let columns = labels
            .zip('a'..='z')
            .map(|((column, found), label)| (*found == label).then_some(column));
        columns.collect::<Option<Vec<_>>>().filter(|columns| columns.len() > 1)
    };
    lines.iter().enumerate().rev().find_map(|(number, line)| Some((number, columns(line)?)))
}

/// The line of each rank, the first rank first, and the column after the widest label. The labels stand before the
/// column `board`.
fn rank_labels(lines: &[Vec<char>], board: usize) -> (Vec<usize>, usize) {
    let mut ranks: Vec<(u8, usize)> = Vec::new();
    let mut end = 0;
    for (number, line) in lines.iter().enumerate() {
        let begin = line.iter().take_while(|character| **character == ' ').count();
        let digits: String = line
            .iter()
            .take(board)
            .skip(begin)
            .take_while(|digit| digit.is_ascii_digit())
            .collect();
        if let Ok(rank) = digits.parse() {
            ranks.push((rank, number));
            end = end.max(begin + digits.len());
        }
    }
    ranks.sort_unstable();
    (ranks.into_iter().map(|(_, line)| line).collect(), end)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A board with walls between its squares.
    const WALLS: &str = "\
   +---+---+---+
 3 |   | B     |   black, walls left: 1
   +   +---+   +
 2 |           |
   +   +   +   +
 1 |     W     |   white, walls left: 1
   +---+---+---+
     a   b   c
W, B: the pawns; white to move";

    #[test]
    fn what_stands_around_the_board_is_left_out() {
        let whole = cut(WALLS, None).unwrap();
        assert_eq!(whole.len(), 8);
        assert_eq!((whole[1].as_str(), whole[7].as_str()), (" 3 |   | B     |", "     a   b   c"));
        assert_eq!(cut("[c]\n c", None), Ok(vec!["[c]".to_string(), " c".into()]));
    }

    #[test]
    fn a_part_has_its_own_labels_and_the_walls_around_it() {
        let expected = ["   +---+   +", " 2         |", "   +   +   +", "     b   c"];
        assert_eq!(cut(WALLS, Some([Point::new(2, 1), Point::new(1, 1)])).unwrap(), expected);
        assert!(cut(WALLS, Some([Point::new(0, 0), Point::new(3, 0)])).is_err());
        assert!(cut("[c]\n c", Some([Point::new(0, 0), Point::new(3, 0)])).is_err());
    }

    #[test]
    fn dense_boards_are_cut_between_their_points() {
        let board = " 2  w . b .\n 1  . w . b\n    a b c d\nwhite to move";
        let expected = [" 1  w . ", "    b c "];
        assert_eq!(cut(board, Some([Point::new(1, 0), Point::new(2, 0)])).unwrap(), expected);
    }

    #[test]
    fn drawings_stand_side_by_side_if_they_fit() {
        let lines = |width: usize| vec!["x".repeat(width), "y".into()];
        assert_eq!(
            side_by_side(&lines(3), &lines(2)),
            Some(vec!["xxx    xx".into(), "y      y".into()])
        );
        assert!(
            side_by_side(&lines(37), &lines(37)).is_some()
                && side_by_side(&lines(38), &lines(37)).is_none()
        );
    }
}
