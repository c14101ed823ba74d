//! The answer to `query rules`: a topic of a game's rules as JSON.

use serde_json::{Map, Value, json};

use crate::core::rules_text::{Block, Picture, RulesText, Topic, joined};

/// The topic with this name, or the first one without a name, as an object:
///
/// - `topics` and `titles`: the names and the titles of all topics, in the same order,
/// - `topic` and `title`: the name and the title of this one,
/// - `blocks`: its paragraphs (`text`) and pictures (`caption`, `fen`, and `moves`, which are legal and are to be shown
///   one after the other). Where its source has them, a picture also has `options` (names and values), `illegal` (moves
///   that are illegal in the position) and `show` (opposite corners of the part of the board that matters).
///
/// # Errors
/// If there is no such topic.
pub fn rules_json(text: &RulesText, topic: Option<&str>) -> Result<Value, String> {
    let chosen = match topic {
        Some(name) => text.topic(name)?,
        None => text.topics.first().ok_or("the rules have no topics")?,
    };
    let Topic { name, title, blocks } = chosen;
    Ok(json!({
        "topics": text.names().collect::<Vec<_>>(),
        "titles": text.topics.iter().map(|topic| topic.title).collect::<Vec<_>>(),
        "topic": name,
        "title": title,
        "blocks": blocks.iter().map(block_json).collect::<Vec<_>>(),
    }))
}

/// A paragraph or a picture as an object.
fn block_json(block: &Block) -> Value {
    let picture = match block {
        Block::Paragraph(sentences) => return json!({ "text": joined(sentences) }),
        Block::Picture(picture) => picture,
    };
    let Picture { caption, options, fen, moves, illegal, show } = picture;
    let mut members = Map::new();
    members.insert("caption".into(), json!(caption));
    members.insert("fen".into(), json!(fen));
    members.insert("moves".into(), json!(moves));
    if !options.is_empty() {
        let options: Map<String, Value> =
            options.iter().map(|(name, value)| (name.to_string(), json!(value))).collect();
        members.insert("options".into(), options.into());
    }
    if !illegal.is_empty() {
        members.insert("illegal".into(), json!(illegal));
    }
    if let Some(corners) = show {
        members.insert("show".into(), json!(corners.map(|corner| corner.to_string())));
    }
    members.into()
}

#[cfg(test)]
mod tests {
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
    fn topics_are_objects_with_paragraphs_and_pictures() {
        let text = RulesText::parse(SOURCE).unwrap();
        let first = r#"{"blocks":[{"text":"The last match wins. Take it."}],"title":"The \"aim\"","#.to_string()
            + r#""titles":["The \"aim\"","The moves"],"topic":"aim","topics":["aim","moves"]}"#;
        assert_eq!(rules_json(&text, None).unwrap().to_string(), first);
        let second = rules_json(&text, Some("MOVES")).unwrap();
        let picture = json!({
            "caption": "Take one.", "fen": "3 2 1", "moves": ["a1", "b2"], "options": {"Nim_Heaps": "3"},
            "illegal": ["c9"], "show": ["b2", "a1"],
        });
        assert_eq!((&second["topic"], &second["blocks"]), (&json!("moves"), &json!([picture])));
        assert!(rules_json(&text, Some("none")).is_err());
    }
}
