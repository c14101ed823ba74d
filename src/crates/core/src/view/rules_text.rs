//! The rules of a game as a text that teaches the game, and the parser for the source of this text.
//!
//! The source of a game is a file `rules.md` next to its code, compiled into the program as
//! [`Notation::RULES_TEXT`](crate::Notation::RULES_TEXT):
//!
//! ````text
//! # Guerre des Deux Roses
//!
//! ## aim: The aim
//!
//! 1.1 You win at once when you capture the enemy castle.
//! A sentence without an id explains, advises or tells of the game's past.
//!
//! ```picture
//! caption Two soldiers push an enemy soldier.
//! options Roses_ContiguousSupport=true
//! fen c/1ss1/5/2SSS/4/C w 0/0 7
//! moves e5c3
//! illegal d4e5
//! show c3-f6
//! ```
//! ````
//!
//! - Each line is a sentence. A sentence that is a rule begins with its id. A blank line begins a
//!   new paragraph.
//! - A block `picture` is a diagram of the position `fen`. If the block has legal `moves`, the
//!   diagram also shows the position after these moves.
//! - A line `illegal` names a move that is illegal in the first position. The block may have
//!   several such lines.
//! - A line `show` names opposite corners of the part of the board to draw. Without `show`, the
//!   whole board is drawn.
//! - The lines `caption` and `fen` are required.

use std::fmt;

use pentarch_system::error_location::{LocatedError, WithErrorLocation};
use thiserror::Error;

use crate::notation::parsing::{
    nearest_known_word, parse_whole_string, quote_for_message, spelling_hint,
};
use crate::notation::points::parse_point;
use crate::{Point, SyntaxError};

/// The rules text of a game, which teaches the rules to people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RulesText<'a> {
    /// The name of the game.
    pub title: &'a str,
    /// The topics, in reading order.
    pub topics: Vec<RulesTopic<'a>>,
}

/// A chapter of the rules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RulesTopic<'a> {
    /// The word that selects the topic, such as `aim`.
    pub name: &'a str,
    /// The heading of the topic, such as `The aim`.
    pub title: &'a str,
    /// The paragraphs and diagrams of the topic.
    pub blocks: Vec<RulesTextBlock<'a>>,
}

/// A paragraph or a diagram.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RulesTextBlock<'a> {
    /// A paragraph, as a list of sentences.
    Paragraph(Vec<RuleSentence<'a>>),
    /// A diagram of a position.
    Diagram(RulesDiagram<'a>),
}

/// A sentence of the rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RuleSentence<'a> {
    /// The id of the rule, such as `4.2`; `None` if the sentence is not a rule. The tests refer to
    /// rules by these ids.
    pub id: Option<&'a str>,
    /// The sentence without its id.
    pub text: &'a str,
}

/// A diagram of the rules: a position, and moves from this position.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RulesDiagram<'a> {
    /// The caption of the diagram.
    pub caption: &'a str,
    /// The options that differ from their defaults, as pairs of name and value.
    pub options: Vec<(&'a str, &'a str)>,
    /// The FEN of the position.
    pub fen: &'a str,
    /// Legal moves that lead from the position of the diagram to a second position. The moves are
    /// made one after the other.
    pub moves: Vec<&'a str>,
    /// Moves that are illegal in the position.
    pub illegal: Vec<&'a str>,
    /// Two opposite corners of the part of the board that is drawn; `None` for the whole board.
    pub show: Option<[Point; 2]>,
}

/// An error in a line of the source of a rules text.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum RulesTextError {
    /// The first line is not a heading.
    #[error("expected '# ' and the name of the game, found {}", quote_for_message(.found))]
    NoTitle {
        /// The first line.
        found: String,
    },
    /// A line comes before the heading of the first topic, or there is no topic at all.
    #[error("expected the heading of a topic")]
    NoTopic,
    /// The heading of a topic has no name or no title.
    #[error("expected 'TOPIC: Title', found {}", quote_for_message(.found))]
    Heading {
        /// The invalid heading.
        found: String,
    },
    /// Two topics have the same name.
    #[error("a second topic {name}")]
    DuplicateTopic {
        /// The name that two topics have.
        name: String,
    },
    /// A line does not have the form of a sentence.
    #[error("expected a sentence, found {}", quote_for_message(.found))]
    NoSentence {
        /// The line that is not a sentence.
        found: String,
    },
    /// The source ends before the end of a diagram.
    #[error("the diagram is not closed")]
    UnclosedDiagram,
    /// A diagram has no caption or no position.
    #[error("the diagram lacks its caption or its fen")]
    IncompleteDiagram,
    /// A line of a diagram is a single word, without a value.
    #[error("expected a word and its value, found {}", quote_for_message(.found))]
    NoValue {
        /// The line with a single word.
        found: String,
    },
    /// A line of a diagram begins with an unknown word.
    #[error("a diagram has no line {}{}", quote_for_message(.word), spelling_hint(*.nearest))]
    UnknownWord {
        /// The unknown word.
        word: String,
        /// The word that the author probably meant.
        nearest: Option<&'static str>,
    },
    /// An option of a diagram has no value.
    #[error("expected NAME=VALUE, found {found}")]
    NoOption {
        /// The setting without a value.
        found: String,
    },
    /// The line `show` of a diagram does not name two corners.
    #[error("expected two corners, found {}", quote_for_message(.found))]
    NoCorners {
        /// The value of the line.
        found: String,
    },
    /// A corner is not a point.
    #[error("{}: {error}", quote_for_message(.found))]
    Corner {
        /// The word that is not a point.
        found: String,
        /// The error in this word.
        error: SyntaxError,
    },
}

/// The error for an unknown topic name.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error(
    "there is no topic {}{}; the topics are {}",
    quote_for_message(.name),
    spelling_hint(.nearest.as_deref()),
    .topics.join(", ")
)]
pub struct UnknownTopicError {
    /// The name that is not a topic.
    pub name: String,
    /// The name of the topic that the user probably meant; `None` if no name is similar.
    pub nearest: Option<String>,
    /// The names of all topics.
    pub topics: Vec<String>,
}

impl<'a> RulesText<'a> {
    /// Parses the source of a rules text.
    ///
    /// # Errors
    /// - If the source does not have the form that the [module](self) describes.
    /// - If the source has no topic.
    /// - If two topics have the same name.
    ///
    /// The error names the line.
    pub fn parse(source: &'a str) -> Result<RulesText<'a>, LocatedError<RulesTextError>> {
        let mut lines = (1..).zip(source.lines());
        let title = parse_game_title(&mut lines)?;
        let mut topics: Vec<RulesTopic> = Vec::new();
        // Whether the last line was a sentence. If it was, a sentence on the next line continues
        // its paragraph.
        let mut continues = false;
        while let Some((line, text)) = lines.next() {
            if let Some(heading) = text.strip_prefix("## ") {
                let new = parse_topic_heading(heading).with_line_number(line)?;
                if topics.iter().any(|topic| topic.name == new.name) {
                    let name = new.name.into();
                    return Err(RulesTextError::DuplicateTopic { name }).with_line_number(line);
                }
                topics.push(new);
                continues = false;
                continue;
            }
            if text.is_empty() {
                continues = false;
                continue;
            }
            let Some(RulesTopic { blocks, .. }) = topics.last_mut() else {
                return Err(RulesTextError::NoTopic).with_line_number(line);
            };
            match blocks.last_mut() {
                _ if text == "```picture" => {
                    blocks.push(RulesTextBlock::Diagram(parse_rules_diagram(line, &mut lines)?))
                }
                _ if text.starts_with(['#', '`', ' ']) => {
                    let found = text.into();
                    return Err(RulesTextError::NoSentence { found }).with_line_number(line);
                }
                Some(RulesTextBlock::Paragraph(sentences)) if continues => {
                    sentences.push(parse_rule_sentence(text))
                }
                _ => blocks.push(RulesTextBlock::Paragraph(vec![parse_rule_sentence(text)])),
            }
            continues = true;
        }
        if topics.is_empty() {
            return Err(RulesTextError::NoTopic).with_line_number(source.lines().count() + 1);
        }
        Ok(RulesText { title, topics })
    }

    /// Returns the names of the topics.
    pub fn topic_names(&self) -> impl Iterator<Item = &'a str> {
        self.topics.iter().map(|topic| topic.name)
    }

    /// Returns the topic with this name, ignoring case. Without a name, returns the first topic.
    ///
    /// # Errors
    /// If there is no topic with this name. The error lists all topics and suggests the nearest
    /// topic.
    pub fn topic(&self, name: Option<&str>) -> Result<&RulesTopic<'a>, UnknownTopicError> {
        let Some(name) = name else { return Ok(&self.topics[0]) };
        let topic = self.topics.iter().find(|topic| topic.name.eq_ignore_ascii_case(name));
        topic.ok_or_else(|| UnknownTopicError {
            name: name.into(),
            nearest: nearest_known_word(name, self.topic_names()).map(Into::into),
            topics: self.topic_names().map(Into::into).collect(),
        })
    }

    /// Returns the sentences of all topics.
    pub fn sentences(&self) -> impl Iterator<Item = &RuleSentence<'a>> {
        self.topics.iter().flat_map(|topic| &topic.blocks).flat_map(|block| match block {
            RulesTextBlock::Paragraph(sentences) => &sentences[..],
            RulesTextBlock::Diagram(_) => &[],
        })
    }

    /// Returns the diagrams of all topics.
    pub fn diagrams(&self) -> impl Iterator<Item = &RulesDiagram<'a>> {
        self.topics.iter().flat_map(|topic| &topic.blocks).filter_map(|block| match block {
            RulesTextBlock::Paragraph(_) => None,
            RulesTextBlock::Diagram(diagram) => Some(diagram),
        })
    }
}

/// Joins the sentences of a paragraph. The id of a rule follows its sentence in brackets.
pub fn join_sentences(sentences: &[RuleSentence]) -> String {
    sentences.iter().map(RuleSentence::to_string).collect::<Vec<_>>().join(" ")
}

impl fmt::Display for RuleSentence<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.text)?;
        self.id.map_or(Ok(()), |id| write!(f, " [{id}]"))
    }
}

/// Returns whether this word has the form of an id, such as `4.2` or `REQ.10.1.ALT.2`.
pub fn has_rule_id_form(word: &str) -> bool {
    let is_part = |part: &str| {
        !part.is_empty()
            && part.chars().all(|letter| letter.is_ascii_uppercase() || letter.is_ascii_digit())
    };
    word.contains('.')
        && word.split('.').all(is_part)
        && word.ends_with(|last: char| last.is_ascii_digit())
}

/// Parses the first heading, which names the game.
fn parse_game_title<'a>(
    lines: &mut impl Iterator<Item = (usize, &'a str)>,
) -> Result<&'a str, LocatedError<RulesTextError>> {
    let (line, text) = lines.find(|(_, text)| !text.is_empty()).unwrap_or((1, ""));
    let found = || RulesTextError::NoTitle { found: text.into() };
    text.strip_prefix("# ").ok_or_else(found).with_line_number(line)
}

/// Parses the heading of a topic: its name and its title.
fn parse_topic_heading(heading: &str) -> Result<RulesTopic<'_>, RulesTextError> {
    let parts = heading
        .split_once(": ")
        .filter(|(name, title)| is_lower_case_word(name) && !title.is_empty());
    let (name, title) = parts.ok_or_else(|| RulesTextError::Heading { found: heading.into() })?;
    Ok(RulesTopic { name, title, blocks: Vec::new() })
}

fn is_lower_case_word(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|character| character.is_ascii_lowercase())
}

/// Splits a line into the id, if there is one, and the text of its sentence.
fn parse_rule_sentence(line: &str) -> RuleSentence<'_> {
    match line.split_once(' ') {
        Some((id, text)) if has_rule_id_form(id) => RuleSentence { id: Some(id), text },
        _ => RuleSentence { id: None, text: line },
    }
}

/// Parses the lines of a diagram up to the end of its block. `begun` is the number of the line at
/// which the block begins.
fn parse_rules_diagram<'a>(
    begun: usize,
    lines: &mut impl Iterator<Item = (usize, &'a str)>,
) -> Result<RulesDiagram<'a>, LocatedError<RulesTextError>> {
    let mut diagram = RulesDiagram::default();
    loop {
        let (line, text) =
            lines.next().ok_or(RulesTextError::UnclosedDiagram).with_line_number(begun)?;
        if text == "```" {
            break;
        }
        add_rules_diagram_line(&mut diagram, text).with_line_number(line)?;
    }
    if diagram.caption.is_empty() || diagram.fen.is_empty() {
        return Err(RulesTextError::IncompleteDiagram).with_line_number(begun);
    }
    Ok(diagram)
}

/// Parses a line of a diagram and adds its content to the diagram.
fn add_rules_diagram_line<'a>(
    diagram: &mut RulesDiagram<'a>,
    text: &'a str,
) -> Result<(), RulesTextError> {
    let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
    if rest.is_empty() {
        return Err(RulesTextError::NoValue { found: text.into() });
    }
    match word {
        "caption" => diagram.caption = rest,
        "fen" => diagram.fen = rest,
        "moves" => diagram.moves = rest.split(' ').collect(),
        "illegal" => diagram.illegal.push(rest),
        "options" => {
            let pair = |text: &'a str| {
                text.split_once('=').ok_or_else(|| RulesTextError::NoOption { found: text.into() })
            };
            diagram.options = rest.split(' ').map(pair).collect::<Result<_, _>>()?;
        }
        "show" => {
            let (one, other) = rest
                .split_once('-')
                .ok_or_else(|| RulesTextError::NoCorners { found: rest.into() })?;
            diagram.show = Some([parse_diagram_corner(one)?, parse_diagram_corner(other)?]);
        }
        _ => {
            let words = ["caption", "fen", "moves", "illegal", "options", "show"];
            let nearest = nearest_known_word(word, words);
            return Err(RulesTextError::UnknownWord { word: word.into(), nearest });
        }
    }
    Ok(())
}

/// Parses one of the two corners in the line `show` of a diagram.
fn parse_diagram_corner(text: &str) -> Result<Point, RulesTextError> {
    parse_whole_string(parse_point, text)
        .map_err(|error| RulesTextError::Corner { found: text.into(), error })
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = "\
# Nim

## aim: The aim

1.1 The last match wins.
Take it.

A second paragraph.
## moves: The moves
```picture
caption Take one.
options Nim_Heaps=3 Nim_Size=5
fen 3 2 1
moves a1 b2
illegal c9
illegal d1
show b2-a1
```
REQ.2.ALT.1 Take more.
";

    #[test]
    fn topics_paragraphs_and_diagrams_are_parsed() {
        let text = RulesText::parse(SOURCE).unwrap();
        assert_eq!(
            (text.title, text.topic_names().collect::<Vec<_>>()),
            ("Nim", vec!["aim", "moves"])
        );
        assert_eq!((text.topics[0].title, text.topics[0].blocks.len()), ("The aim", 2));
        let ids: Vec<_> = text.sentences().map(|sentence| sentence.id).collect();
        assert_eq!(ids, [Some("1.1"), None, None, Some("REQ.2.ALT.1")]);
        let RulesTextBlock::Paragraph(first) = &text.topics[0].blocks[0] else { panic!() };
        assert_eq!(join_sentences(first), "The last match wins. [1.1] Take it.");
        let Some(diagram) = text.diagrams().next() else { panic!() };
        assert_eq!((diagram.caption, diagram.fen), ("Take one.", "3 2 1"));
        assert_eq!(diagram.options, [("Nim_Heaps", "3"), ("Nim_Size", "5")]);
        assert_eq!(
            (&diagram.moves[..], &diagram.illegal[..]),
            (&["a1", "b2"][..], &["c9", "d1"][..])
        );
        assert_eq!(diagram.show, Some([Point::new(1, 1), Point::new(0, 0)]));
    }

    #[test]
    fn an_unknown_topic_names_the_nearest_and_all_others() {
        let text = RulesText::parse(SOURCE).unwrap();
        assert_eq!(text.topic(Some("AIM")).map(|topic| topic.name), Ok("aim"));
        assert_eq!(text.topic(None).map(|topic| topic.name), Ok("aim"));
        let error = "there is no topic 'move' (did you mean 'moves'?); the topics are aim, moves";
        assert_eq!(text.topic(Some("move")).unwrap_err().to_string(), error);
    }

    #[test]
    fn errors_name_their_lines() {
        let fault = |source: &str| RulesText::parse(source).unwrap_err().to_string();
        assert_eq!(fault(""), "line 1: expected '# ' and the name of the game, found ''");
        assert_eq!(fault("# A\ntext"), "line 2: expected the heading of a topic");
        assert_eq!(fault("# A"), "line 2: expected the heading of a topic");
        assert_eq!(fault("# A\n## aim"), "line 2: expected 'TOPIC: Title', found 'aim'");
        assert_eq!(fault("# A\n## b: B\n## b: C"), "line 3: a second topic b");
        assert_eq!(fault("# A\n## b: B\n### c"), "line 3: expected a sentence, found '### c'");
        let picture = |lines| fault(&format!("# A\n## b: B\n```picture\n{lines}"));
        assert_eq!(picture(""), "line 3: the diagram is not closed");
        assert_eq!(picture("```"), "line 3: the diagram lacks its caption or its fen");
        assert_eq!(picture("fen"), "line 4: expected a word and its value, found 'fen'");
        assert_eq!(
            picture("fen x\nmove y"),
            "line 5: a diagram has no line 'move' (did you mean 'moves'?)"
        );
        assert_eq!(picture("show a1"), "line 4: expected two corners, found 'a1'");
        assert_eq!(picture("options A"), "line 4: expected NAME=VALUE, found A");
    }

    #[test]
    fn ids_are_distinguished_from_words() {
        let ids = ["1.1", "12.30", "REQ.9", "REQ.10.1.ALT.2", "0.1"];
        assert!(ids.into_iter().all(has_rule_id_form));
        assert!(
            !["1.", "1", "e.g.", "Nim", "1..2", ".1", "U.S.A", "REQ"]
                .into_iter()
                .any(has_rule_id_form)
        );
    }
}
