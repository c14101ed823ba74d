//! The rules text of a game as people read it: wrapped paragraphs and drawn diagrams.
//!
//! A diagram shows the game's [board diagram](crate::Notation::board_diagram) or a part of it,
//! without the notes.

use pentarch_system::error_location::LocatedError;
use thiserror::Error;

use crate::notation::parsing::{capitalise, wrap_text_to_width};
use crate::rules::options::RuleSettingError;
use crate::view::diagram::DiagramCropError;
use crate::view::layout::BoardLayout;
use crate::view::rules_text::{
    RulesDiagram, RulesText, RulesTextBlock, RulesTextError, RulesTopic, UnknownTopicError,
    join_sentences,
};
use crate::{GameHistory, MoveError, Options, PositionError, Side};

/// The number of columns between two drawings that are side by side.
const DIAGRAM_GAP_COLUMNS: usize = 4;

/// The reason why the rules text of a game cannot be shown.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum RulesPageError {
    /// The game has no rules text.
    #[error("{game} has no rules text")]
    NoText {
        /// The name of the game.
        game: &'static str,
    },
    /// The text has an invalid line.
    #[error("the rules text of {game}: {error}")]
    Text {
        /// The name of the game.
        game: &'static str,
        /// The error with its line.
        error: LocatedError<RulesTextError>,
    },
    /// The text has no such topic.
    #[error(transparent)]
    Topic(#[from] UnknownTopicError),
    /// A diagram cannot be drawn.
    #[error(transparent)]
    Diagram(#[from] RulesDiagramError),
}

/// The reason why a diagram cannot be drawn.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum RulesDiagramError {
    /// An option cannot be set.
    #[error(transparent)]
    Option(#[from] RuleSettingError),
    /// The position is invalid.
    #[error("{fen}: {error}")]
    Position {
        /// The FEN.
        fen: String,
        /// The error of the FEN.
        error: PositionError,
    },
    /// A move is not legal.
    #[error("{fen}: {mv}: {error}")]
    Move {
        /// The FEN of the first position.
        fen: String,
        /// The illegal move.
        mv: String,
        /// The error of the move.
        error: MoveError,
    },
    /// The board does not contain the part to be shown.
    #[error(transparent)]
    Part(#[from] DiagramCropError),
}

/// Parses the rules text of a game.
///
/// # Errors
/// If the game has no rules text, or if the text has an invalid line.
pub fn parse_rules_text<G: BoardLayout>() -> Result<RulesText<'static>, RulesPageError> {
    let game = G::GAME_NAME;
    if G::RULES_TEXT.is_empty() {
        return Err(RulesPageError::NoText { game });
    }
    RulesText::parse(G::RULES_TEXT).map_err(|error| RulesPageError::Text { game, error })
}

/// Prints a topic of a game's rules in lines of at most `width` columns. Without a name, prints all
/// topics and then a list of their names. The last line has no line end.
///
/// # Errors
/// If the game has no rules text or no such topic, or if the text is invalid.
pub fn format_rules<G: BoardLayout>(
    topic: Option<&str>,
    width: usize,
) -> Result<String, RulesPageError> {
    let text = parse_rules_text::<G>()?;
    let mut parts = Vec::new();
    let topics: Vec<&RulesTopic> = match topic {
        Some(_) => vec![text.topic(topic)?],
        None => {
            parts.push(underlined_heading(text.title, '='));
            text.topics.iter().collect()
        }
    };
    for RulesTopic { title, blocks, .. } in topics {
        parts.push(underlined_heading(title, '-'));
        for block in blocks {
            parts.push(match block {
                RulesTextBlock::Paragraph(sentences) => {
                    wrap_text_to_width(&join_sentences(sentences), "", width)
                }
                RulesTextBlock::Diagram(diagram) => draw_rules_diagram::<G>(diagram, width)?,
            });
        }
    }
    if topic.is_none() {
        let names = text.topic_names().collect::<Vec<_>>().join(", ");
        let last = format!("Each of these topics can be shown alone: {names}.");
        parts.push(wrap_text_to_width(&last, "", width));
    }
    Ok(parts.join("\n\n"))
}

/// Returns a summary of the game under these rules: the aim, a player's turn, and the end of the
/// game. The lines have at most `width` columns. At the width of a page, the summary has at most
/// ten lines. Returns `None` if the game has no short rules.
pub fn rules_summary<G: BoardLayout>(rules: &G, width: usize) -> Option<String> {
    let [turn, end] = rules.short_rules()?;
    let rows = [
        ("Aim", format!("{}.", capitalise(rules.game_aim()))),
        ("A turn", turn.into()),
        ("The end", end.into()),
    ];
    let lines =
        rows.map(|(word, text)| wrap_text_to_width(&format!("{word}: {text}"), "  ", width));
    Some(lines.join("\n"))
}

fn underlined_heading(heading: &str, line: char) -> String {
    let width = heading.chars().count();
    format!("{heading}\n{}", String::from(line).repeat(width))
}

/// Returns the game that a diagram shows. The game begins in the diagram's position and has the
/// diagram's moves.
///
/// # Errors
/// If the game has no such option, the option does not accept the value, the position string is
/// invalid, or a move is illegal.
pub fn diagram_game_history<G: BoardLayout>(
    diagram: &RulesDiagram,
) -> Result<GameHistory<G>, RulesDiagramError> {
    let mut options = Options::default();
    for (name, value) in &diagram.options {
        options.set_rule(G::RULE_OPTIONS, name, value)?;
    }
    let rules = G::from_options(&options);
    let fen = || diagram.fen.to_string();
    let position = rules
        .parse_position(diagram.fen)
        .map_err(|error| RulesDiagramError::Position { fen: fen(), error })?;
    let mut history = GameHistory::new(rules.into(), position);
    for &text in &diagram.moves {
        match history.resolve_move(text) {
            Ok(mv) => history.push(mv),
            Err(error) => {
                return Err(RulesDiagramError::Move { fen: fen(), mv: text.into(), error });
            }
        }
    }
    Ok(history)
}

/// Draws a diagram with its caption. If the diagram has moves, the position after the moves is
/// drawn next to the first position. If the page is too narrow for both drawings, the position
/// after the moves is drawn below.
///
/// # Errors
/// If the diagram does not fit this game, or cannot be cropped.
pub fn draw_rules_diagram<G: BoardLayout>(
    diagram: &RulesDiagram,
    width: usize,
) -> Result<String, RulesDiagramError> {
    let history = diagram_game_history::<G>(diagram)?;
    let draw = |position: &G::Position| -> Result<Vec<String>, DiagramCropError> {
        let board = history.rules().board_diagram(position, Side::First);
        let shown = match diagram.show {
            Some(corners) => board.crop(corners)?,
            None => board.without_notes(),
        };
        Ok(shown.lines())
    };
    let before = draw(history.start_position())?;
    let drawing = if history.is_empty() {
        before
    } else {
        let before = add_diagram_title("before", before);
        let after = add_diagram_title("after", draw(history.position())?);
        place_drawings_side_by_side(&before, &after, width)
            .unwrap_or_else(|| [before, vec![String::new()], after].concat())
    };
    let mut lines: Vec<&str> = drawing.iter().map(String::as_str).collect();
    let caption = wrap_text_to_width(diagram.caption, "", width);
    lines.extend(["", &caption]);
    Ok(lines.join("\n"))
}

fn add_diagram_title(title: &str, drawing: Vec<String>) -> Vec<String> {
    [vec![title.into()], drawing].concat()
}

/// Places two drawings of the same height side by side. Returns `None` if the drawings need more
/// than `page_width` columns.
fn place_drawings_side_by_side(
    left: &[String],
    right: &[String],
    page_width: usize,
) -> Option<Vec<String>> {
    let width = |lines: &[String]| lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
    let column = width(left) + DIAGRAM_GAP_COLUMNS;
    if column + width(right) > page_width {
        return None;
    }
    let mut lines = Vec::new();
    for (left, right) in left.iter().zip(right) {
        lines.push(format!("{left:column$}{right}").trim_end().to_string());
    }
    Some(lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drawings_are_side_by_side_if_they_fit() {
        let lines = |width: usize| vec!["x".repeat(width), "y".into()];
        assert_eq!(
            place_drawings_side_by_side(&lines(3), &lines(2), 78),
            Some(vec!["xxx    xx".into(), "y      y".into()])
        );
        assert!(
            place_drawings_side_by_side(&lines(37), &lines(37), 78).is_some()
                && place_drawings_side_by_side(&lines(38), &lines(37), 78).is_none()
        );
    }
}
