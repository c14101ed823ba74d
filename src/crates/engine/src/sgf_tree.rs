//! Parses SGF (Smart Game Format 4, A. Hollosi, 1999) into trees of nodes with properties. The
//! parser stores open brackets on a stack, so it does not recurse even if the brackets of a text
//! are deeply nested.

use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::{is_not, take};
use nom::character::complete::{char, multispace0, satisfy};
use nom::combinator::{cut, recognize};
use nom::multi::{fold_many0, many0, many1, many1_count};
use nom::sequence::{delimited, preceded, terminated};

use pentarch_core::SyntaxError;
use pentarch_core::notation::parsing::{ParseResult, label_expected_input, parse_whole_string};

/// A node with its properties and the nodes that can come after it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SgfNode {
    /// The properties in the order of the text. Each has a name and values without escapes.
    pub properties: Vec<(String, Vec<String>)>,
    /// The indices of the nodes that can come after this node. The main node comes first.
    pub children: Vec<usize>,
    /// The byte offset of the node in the text.
    pub offset: usize,
}

impl SgfNode {
    /// Returns the first value of the property with this name.
    pub fn property_value(&self, name: &str) -> Option<&str> {
        let found = self.properties.iter().find(|(known, _)| known == name);
        found.and_then(|(_, values)| values.first()).map(String::as_str)
    }

    /// Returns whether the node has a move.
    pub fn has_move(&self) -> bool {
        ["B", "W"].iter().any(|name| self.property_value(name).is_some())
    }
}

/// The games of a text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SgfCollection {
    /// All nodes.
    pub nodes: Vec<SgfNode>,
    /// The index of the first node of each game.
    pub roots: Vec<usize>,
}

/// A token of the text.
enum SgfBracketOrNode {
    Open,
    Close,
    Node(Vec<(String, Vec<String>)>),
}

/// Parses a text. As SGF requires, everything before the first bracket is skipped.
///
/// # Errors
/// If the text is not SGF.
pub fn parse_sgf(text: &str) -> Result<SgfCollection, SyntaxError> {
    let begin = text.find('(').unwrap_or(0);
    let before = text[..begin].chars().count();
    parse_whole_string(|input| parse_sgf_game_trees(input, begin), &text[begin..])
        .map_err(|error| error.shifted_right(before))
}

/// Parses all games of a text. `begin` is the byte offset of `input` in the whole text.
fn parse_sgf_game_trees(input: &str, begin: usize) -> ParseResult<'_, SgfCollection> {
    let mut tree = SgfCollection::default();
    // For each open bracket, the node before the bracket.
    let mut open: Vec<Option<usize>> = Vec::new();
    let mut last: Option<usize> = None;
    // Whether the last token was an opening bracket. A node must come after it.
    let mut is_just_opened = false;
    let (mut rest, _) = multispace0(input)?;
    while !rest.is_empty() || !open.is_empty() {
        let offset = begin + input.len() - rest.len();
        let expected = match (open.is_empty(), is_just_opened) {
            (true, _) => "( at the beginning of a game",
            (false, true) => "; at the beginning of a node",
            (false, false) => "a node, ( or )",
        };
        let (after, token) = label_expected_input(expected, parse_bracket_or_node).parse(rest)?;
        let is_expected = match token {
            SgfBracketOrNode::Open => !is_just_opened,
            SgfBracketOrNode::Close => !is_just_opened && !open.is_empty(),
            SgfBracketOrNode::Node(_) => !open.is_empty(),
        };
        if !is_expected {
            return cut(label_expected_input(expected, nom::combinator::fail())).parse(rest);
        }
        is_just_opened = matches!(token, SgfBracketOrNode::Open);
        match token {
            SgfBracketOrNode::Open => open.push(last),
            SgfBracketOrNode::Close => last = open.pop().flatten(),
            SgfBracketOrNode::Node(properties) => {
                let index = tree.nodes.len();
                tree.nodes.push(SgfNode { properties, children: Vec::new(), offset });
                match last.replace(index) {
                    Some(parent) => tree.nodes[parent].children.push(index),
                    None => tree.roots.push(index),
                }
            }
        }
        (rest, _) = multispace0(after)?;
    }
    Ok((rest, tree))
}

fn parse_bracket_or_node(input: &str) -> ParseResult<'_, SgfBracketOrNode> {
    let open = char('(').map(|_| SgfBracketOrNode::Open);
    let close = char(')').map(|_| SgfBracketOrNode::Close);
    let node =
        preceded((char(';'), multispace0), many0(terminated(parse_sgf_property, multispace0)))
            .map(SgfBracketOrNode::Node);
    alt((open, close, node)).parse(input)
}

/// Parses a property: a name in capital letters, and values in brackets. Names in old files also
/// contain small letters, which are ignored.
fn parse_sgf_property(input: &str) -> ParseResult<'_, (String, Vec<String>)> {
    let letters = recognize(many1_count(satisfy(|letter| letter.is_ascii_alphabetic())));
    let value = delimited(
        char('['),
        parse_sgf_property_value,
        label_expected_input("] at the end of a value", char(']')),
    );
    let values = cut(many1(terminated(label_expected_input("[ and a value", value), multispace0)));
    (letters, preceded(multispace0, values))
        .map(|(letters, values)| {
            let name: String = letters.chars().filter(char::is_ascii_uppercase).collect();
            // A name that consists only of small letters is unknown, and is reported unchanged.
            (if name.is_empty() { letters.into() } else { name }, values)
        })
        .parse(input)
}

/// Parses a value up to its closing bracket. A backslash quotes the next character. A backslash
/// before a line end removes the line end.
fn parse_sgf_property_value(input: &str) -> ParseResult<'_, String> {
    let plain = is_not("]\\").map(String::from);
    let escaped = preceded(char('\\'), take(1usize));
    let escaped =
        escaped.map(|letter: &str| if letter == "\n" { String::new() } else { letter.into() });
    fold_many0(alt((plain, escaped)), String::new, |text, part| text + &part).parse(input)
}

/// Escapes a text so that it can be a property value of SGF.
pub fn escape_property_value(text: &str) -> String {
    text.replace('\\', "\\\\").replace(']', "\\]").replace(':', "\\:")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_a_tree() {
        let text = "x(;FF[4]C[a \\] b\\\\]SiZe[9]\n;B[aa](;W[bb] ;B[])(;W[cc]))(;A[1][2])";
        let SgfCollection { nodes, roots } = parse_sgf(text).unwrap();
        assert_eq!(roots, [0, 5]);
        assert_eq!(
            (nodes[0].property_value("C"), nodes[0].property_value("SZ")),
            (Some("a ] b\\"), Some("9"))
        );
        let children: Vec<&[usize]> = nodes.iter().map(|node| node.children.as_slice()).collect();
        assert_eq!(children, [&[1][..], &[2, 4], &[3], &[], &[], &[]]);
        assert_eq!(
            nodes[5].properties,
            [("A".to_string(), vec!["1".to_string(), "2".to_string()])]
        );
        assert_eq!(parse_sgf(""), Ok(SgfCollection::default()));
    }

    #[test]
    fn rejects_other_texts_with_the_place() {
        let error = |text: &str| parse_sgf(text).unwrap_err().to_string();
        assert_eq!(
            error("(B[aa])"),
            "column 2: expected ; at the beginning of a node, found 'B[aa])'"
        );
        assert_eq!(error("(;B)"), "column 4: expected [ and a value, found ')'");
        assert_eq!(error("(;B[a"), "column 6: expected ] at the end of a value, found the end");
        assert_eq!(error("(;B[aa]"), "column 8: expected a node, ( or ), found the end");
        assert_eq!(
            error("(;B[aa]))"),
            "column 9: expected ( at the beginning of a game, found ')'"
        );
        assert!(error(&"(".repeat(1_000_000)).starts_with("column 2: expected ; at"));
        let nested = "(;B[aa]".repeat(100_000);
        assert!(error(&nested).starts_with("column 700001: "));
        assert_eq!(parse_sgf(&(nested + &")".repeat(100_000))).unwrap().nodes.len(), 100_000);
    }

    #[test]
    fn long_values_are_parsed_in_one_pass() {
        for text in ["x\\]".repeat(1 << 18), "x".repeat(1 << 20)] {
            assert_eq!(parse_sgf(&format!("(;C[{text}])")).unwrap().nodes.len(), 1);
        }
    }
}
