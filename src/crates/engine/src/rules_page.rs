//! Converts a topic of a game's rules to data: paragraphs, and diagrams with positions and moves.

use std::collections::BTreeMap;

use serde::Serialize;

use pentarch_core::view::rules_text::{
    RuleSentence, RulesDiagram, RulesText, RulesTextBlock, RulesTopic, UnknownTopicError,
    join_sentences,
};

/// A topic of a game's rules.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct RulesPage {
    /// The names of all topics, in reading order.
    pub topics: Vec<String>,
    /// The titles of all topics, in the order of `topics`.
    pub titles: Vec<String>,
    /// The name of this topic.
    pub topic: String,
    /// The title of this topic.
    pub title: String,
    /// The paragraphs and diagrams of this topic.
    pub blocks: Vec<RulesBlock>,
}

/// A paragraph or a diagram.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum RulesBlock {
    /// A paragraph of the rules.
    Paragraph(RulesParagraph),
    /// A diagram of a position.
    Diagram(RulesDiagramData),
}

/// A paragraph of the rules.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct RulesParagraph {
    /// The paragraph as `pentarch rules` prints it, with the ids of rules in brackets.
    pub text: String,
    /// The paragraph as a list of sentences.
    pub sentences: Vec<RulesSentence>,
}

/// A sentence of the rules.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct RulesSentence {
    /// The id of the rule, which is also the id in errors; `null` if the sentence is not a rule.
    pub rule: Option<String>,
    /// The sentence itself.
    pub text: String,
}

/// A position, and moves that are shown one after the other.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "RulesPicture"))]
pub struct RulesDiagramData {
    /// The caption of the diagram.
    pub caption: String,
    /// The FEN of the position.
    pub fen: String,
    /// Legal moves to show. The list is often empty.
    pub moves: Vec<String>,
    /// The options of the rules that differ from their defaults; missing if there are none.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub options: BTreeMap<String, String>,
    /// Moves that are illegal in the position; missing if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub illegal: Vec<String>,
    /// Opposite corners of the part of the board to show; missing if the whole board should be
    /// shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub show: Option<[String; 2]>,
}

impl RulesPage {
    /// Returns the topic with this name, or the first topic if `topic` is `None`.
    ///
    /// # Errors
    /// If there is no such topic.
    pub fn new(text: &RulesText, topic: Option<&str>) -> Result<RulesPage, UnknownTopicError> {
        let RulesTopic { name, title, blocks } = text.topic(topic)?;
        Ok(RulesPage {
            topics: text.topic_names().map(String::from).collect(),
            titles: text.topics.iter().map(|topic| topic.title.into()).collect(),
            topic: (*name).into(),
            title: (*title).into(),
            blocks: blocks.iter().map(to_rules_block).collect(),
        })
    }
}

/// Converts a paragraph or a diagram to data.
fn to_rules_block(block: &RulesTextBlock) -> RulesBlock {
    let strings = |texts: &[&str]| texts.iter().map(|&text| text.into()).collect();
    match block {
        RulesTextBlock::Paragraph(sentences) => RulesBlock::Paragraph(RulesParagraph {
            text: join_sentences(sentences),
            sentences: sentences.iter().map(to_rules_sentence).collect(),
        }),
        RulesTextBlock::Diagram(RulesDiagram { caption, options, fen, moves, illegal, show }) => {
            RulesBlock::Diagram(RulesDiagramData {
                caption: (*caption).into(),
                fen: (*fen).into(),
                moves: strings(moves),
                options: options.iter().map(|&(name, value)| (name.into(), value.into())).collect(),
                illegal: strings(illegal),
                show: show.map(|corners| corners.map(|corner| corner.to_string())),
            })
        }
    }
}

/// Returns a sentence as data.
fn to_rules_sentence(sentence: &RuleSentence) -> RulesSentence {
    RulesSentence { rule: sentence.id.map(Into::into), text: sentence.text.into() }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const SOURCE: &str = "\
# Nim

## aim: The \"aim\"

1.1 The last match wins.
Take it.
## moves: The moves
```picture
caption Take one.
options Nim_Heaps=3
fen 3 2 1
moves a1 b2
illegal c9
show b2-a1
```
";

    #[test]
    fn converts_topics_to_paragraphs_and_diagrams() {
        let text = RulesText::parse(SOURCE).unwrap();
        let first = r#"{"blocks":[{"sentences":[{"rule":"1.1","text":"The last match wins."},{"rule":null,"text":"Take it."}],"text":"The last match wins. [1.1] Take it."}],"title":"The \"aim\"","#
            .to_string()
            + r#""titles":["The \"aim\"","The moves"],"topic":"aim","topics":["aim","moves"]}"#;
        let page = |topic| serde_json::to_value(RulesPage::new(&text, topic).unwrap()).unwrap();
        assert_eq!(page(None).to_string(), first);
        let second = page(Some("MOVES"));
        let picture = json!({
            "caption": "Take one.", "fen": "3 2 1", "moves": ["a1", "b2"], "options": {"Nim_Heaps": "3"},
            "illegal": ["c9"], "show": ["b2", "a1"],
        });
        assert_eq!((&second["topic"], &second["blocks"]), (&json!("moves"), &json!([picture])));
        assert!(RulesPage::new(&text, Some("none")).is_err());
    }
}
