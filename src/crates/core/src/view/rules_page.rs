//! The rules text of a game as people see it: paragraphs wrapped, and pictures drawn.
//!
//! A picture shows the game's [diagram](crate::Notation::diagram), or a part of it, without its notes.

use pentarch_system::context::Located;
use thiserror::Error;

use crate::notation::text::{PAGE_WIDTH, capitalised, wrap};
use crate::rules::options::RuleSettingError;
use crate::view::diagram::CropError;
use crate::view::layout::Layout;
use crate::view::rules_text::{
    Block, RulesDiagram, RulesText, RulesTextError, Topic, UnknownTopic, join_sentences,
};
use crate::{GameHistory, MoveError, Options, PositionError, Side};

/// The columns between two drawings that stand side by side.
const GAP: usize = 4;

/// The text of the rules of a game that cannot be shown.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum RulesPageError {
    /// The game has no such text.
    #[error("{game} has no text of its rules")]
    NoText {
        /// The name of the game.
        game: &'static str,
    },
    /// The text does not have its form.
    #[error("the text of the rules of {game}: {error}")]
    Text {
        /// The name of the game.
        game: &'static str,
        /// The error at its line.
        error: Located<RulesTextError>,
    },
    /// The text has no such topic.
    #[error(transparent)]
    Topic(#[from] UnknownTopic),
    /// A position cannot be drawn.
    #[error(transparent)]
    RulesDiagram(#[from] RulesDiagramError),
}

/// A picture that shows no position of its game.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum RulesDiagramError {
    /// An option cannot be set.
    #[error(transparent)]
    Option(#[from] RuleSettingError),
    /// The position is invalid.
    #[error("{fen}: {error}")]
    Position {
        /// The FEN of the position.
        fen: String,
        /// The error in it.
        error: PositionError,
    },
    /// A move is not legal.
    #[error("{fen}: {mv}: {error}")]
    Move {
        /// The FEN of the position at the beginning.
        fen: String,
        /// The move.
        mv: String,
        /// The error of the move.
        error: MoveError,
    },
    /// The board does not have the part that is to be shown.
    #[error(transparent)]
    Part(#[from] CropError),
}

/// The rules text of a game, read.
///
/// # Errors
/// If the game has none, or if it does not have the form of a rules text.
pub fn parse_rules_text<G: Layout>() -> Result<RulesText<'static>, RulesPageError> {
    let game = G::NAME;
    if G::RULES_TEXT.is_empty() {
        return Err(RulesPageError::NoText { game });
    }
    RulesText::parse(G::RULES_TEXT).map_err(|error| RulesPageError::Text { game, error })
}

/// Prints the topic of a game's rules with this name; without a name, all topics and then a list of their names. The
/// last line has no line end.
///
/// # Errors
/// If the game has no rules text or no such topic, or if the text has a fault.
pub fn print_rules<G: Layout>(topic: Option<&str>) -> Result<String, RulesPageError> {
    let text = parse_rules_text::<G>()?;
    let mut parts = Vec::new();
    let topics: Vec<&Topic> = match topic {
        Some(_) => vec![text.topic(topic)?],
        None => {
            parts.push(underlined(text.title, '='));
            text.topics.iter().collect()
        }
    };
    for Topic { title, blocks, .. } in topics {
        parts.push(underlined(title, '-'));
        for block in blocks {
            parts.push(match block {
                Block::Paragraph(sentences) => wrap(&join_sentences(sentences), ""),
                Block::RulesDiagram(picture) => draw_diagram::<G>(picture)?,
            });
        }
    }
    if topic.is_none() {
        let names = text.names().collect::<Vec<_>>().join(", ");
        parts.push(wrap(&format!("Each of these topics can be asked for alone: {names}."), ""));
    }
    Ok(parts.join("\n\n"))
}

/// The game in at most ten lines by these rules: the aim, a turn, how it ends; none if the game does not say.
pub fn summary<G: Layout>(rules: &G) -> Option<String> {
    let [turn, end] = rules.short_rules()?;
    let rows = [
        ("Aim", format!("{}.", capitalised(rules.aim()))),
        ("A turn", turn.into()),
        ("The end", end.into()),
    ];
    Some(rows.map(|(word, text)| wrap(&format!("{word}: {text}"), "  ")).join("\n"))
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
pub fn diagram_history<G: Layout>(
    picture: &RulesDiagram,
) -> Result<GameHistory<G>, RulesDiagramError> {
    let mut options = Options::default();
    for (name, value) in &picture.options {
        options.set_rule(G::OPTIONS, name, value)?;
    }
    let rules = G::from_options(&options);
    let fen = || picture.fen.to_string();
    let position = rules
        .parse_position(picture.fen)
        .map_err(|error| RulesDiagramError::Position { fen: fen(), error })?;
    let mut history = GameHistory::new(rules.into(), position);
    for &text in &picture.moves {
        let illegal = |error| RulesDiagramError::Move { fen: fen(), mv: text.into(), error };
        let mv = history.find_move(text).map_err(illegal)?;
        history.push(mv);
    }
    Ok(history)
}

/// A picture with its caption. If it has moves, the position after them stands beside the one before them, or below if
/// the page is too narrow.
///
/// # Errors
/// If the picture is not of this game, or cannot be cut as it asks for.
pub fn draw_diagram<G: Layout>(picture: &RulesDiagram) -> Result<String, RulesDiagramError> {
    let history = diagram_history::<G>(picture)?;
    let draw = |position: &G::Position| -> Result<Vec<String>, CropError> {
        let diagram = history.rules().diagram(position, Side::First);
        let shown = match picture.show {
            Some(corners) => diagram.part(corners)?,
            None => diagram.without_notes(),
        };
        Ok(shown.lines())
    };
    let before = draw(history.start())?;
    let drawing = if history.is_empty() {
        before
    } else {
        let (before, after) =
            (titled("before", before), titled("after", draw(history.position())?));
        side_by_side(&before, &after)
            .unwrap_or_else(|| [before, vec![String::new()], after].concat())
    };
    let mut lines: Vec<&str> = drawing.iter().map(String::as_str).collect();
    let caption = wrap(picture.caption, "");
    lines.extend(["", &caption]);
    Ok(lines.join("\n"))
}

/// A drawing with a word above it.
fn titled(title: &str, drawing: Vec<String>) -> Vec<String> {
    [vec![title.into()], drawing].concat()
}

/// Two drawings of the same height in one; `None` if they are too wide for that.
fn side_by_side(left: &[String], right: &[String]) -> Option<Vec<String>> {
    let width = |lines: &[String]| lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
    let column = width(left) + GAP;
    let both =
        |(left, right): (&String, &String)| format!("{left:column$}{right}").trim_end().to_string();
    (column + width(right) <= PAGE_WIDTH).then(|| left.iter().zip(right).map(both).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

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
