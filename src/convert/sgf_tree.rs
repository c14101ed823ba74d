//! Texts in SGF (Smart Game Format 4, A. Hollosi, 1999) as trees of nodes with properties. No text makes the program
//! recurse: what has begun lies on a stack.

use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::{is_not, take};
use nom::character::complete::{char, multispace0, satisfy};
use nom::combinator::{cut, recognize};
use nom::multi::{fold_many0, many0, many1, many1_count};
use nom::sequence::{delimited, preceded, terminated};

use pentarch_core::SyntaxError;
use pentarch_core::notation::text::{ParseResult, expect, finish};

/// A node: its properties, and the nodes that can follow it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Node {
    /// The names of the properties and their values, without escapes, in the order of the text.
    pub properties: Vec<(String, Vec<String>)>,
    /// The indices of the nodes that can follow it, the main one first.
    pub children: Vec<usize>,
    /// How many bytes of the text stand before it.
    pub offset: usize,
}

impl Node {
    /// The first value of the property with this name.
    pub fn value(&self, name: &str) -> Option<&str> {
        let found = self.properties.iter().find(|(known, _)| known == name);
        found.and_then(|(_, values)| values.first()).map(String::as_str)
    }
}

/// The games of a text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Collection {
    /// All nodes.
    pub nodes: Vec<Node>,
    /// The indices of the first node of each game.
    pub roots: Vec<usize>,
}

/// A piece of the text.
enum Piece {
    Open,
    Close,
    Node(Vec<(String, Vec<String>)>),
}

/// Parses a text. What stands before the first bracket is passed over, as SGF wants it.
///
/// # Errors
/// If it has another form.
pub fn parse(text: &str) -> Result<Collection, SyntaxError> {
    let begin = text.find('(').unwrap_or(0);
    let before = text[..begin].chars().count();
    let read = |input| collection(input, begin);
    finish(read, &text[begin..]).map_err(|error| error.shifted(before))
}

/// Parses all games of a text that stands behind so many bytes.
fn collection(input: &str, begin: usize) -> ParseResult<'_, Collection> {
    let mut found = Collection::default();
    // The node before each bracket that is open, and the last node.
    let (mut open, mut last): (Vec<Option<usize>>, Option<usize>) = (Vec::new(), None);
    // Whether a bracket has just been opened, behind which there is a node.
    let mut is_fresh = false;
    let (mut rest, _) = multispace0(input)?;
    while !rest.is_empty() || !open.is_empty() {
        let offset = begin + input.len() - rest.len();
        let expected = match (open.is_empty(), is_fresh) {
            (true, _) => "( at the beginning of a game",
            (false, true) => "; at the beginning of a node",
            (false, false) => "a node, ( or )",
        };
        let (after, piece) = expect(expected, piece).parse(rest)?;
        let is_right = match piece {
            Piece::Open => !is_fresh,
            Piece::Close => !is_fresh && !open.is_empty(),
            Piece::Node(_) => !open.is_empty(),
        };
        if !is_right {
            return cut(expect(expected, nom::combinator::fail())).parse(rest);
        }
        is_fresh = matches!(piece, Piece::Open);
        match piece {
            Piece::Open => open.push(last),
            Piece::Close => last = open.pop().flatten(),
            Piece::Node(properties) => {
                let index = found.nodes.len();
                found.nodes.push(Node { properties, children: Vec::new(), offset });
                match last.replace(index) {
                    Some(parent) => found.nodes[parent].children.push(index),
                    None => found.roots.push(index),
                }
            }
        }
        (rest, _) = multispace0(after)?;
    }
    Ok((rest, found))
}

fn piece(input: &str) -> ParseResult<'_, Piece> {
    let open = char('(').map(|_| Piece::Open);
    let close = char(')').map(|_| Piece::Close);
    let node = preceded((char(';'), multispace0), many0(terminated(property, multispace0)))
        .map(Piece::Node);
    alt((open, close, node)).parse(input)
}

/// A name in capitals, among which old files have small letters that count for nothing; and values in brackets.
fn property(input: &str) -> ParseResult<'_, (String, Vec<String>)> {
    let letters = recognize(many1_count(satisfy(|letter| letter.is_ascii_alphabetic())));
    let value = delimited(char('['), value_text, expect("] at the end of a value", char(']')));
    let values = cut(many1(terminated(expect("[ and a value", value), multispace0)));
    let capitals = |name: &str| name.chars().filter(char::is_ascii_uppercase).collect();
    (letters, preceded(multispace0, values))
        .map(|(name, values)| (capitals(name), values))
        .parse(input)
}

/// The text of a value up to its bracket. A backslash takes the meaning from what follows it; a line end behind it
/// goes.
fn value_text(input: &str) -> ParseResult<'_, String> {
    let plain = is_not("]\\").map(String::from);
    let escaped = preceded(char('\\'), take(1usize));
    let escaped =
        escaped.map(|letter: &str| if letter == "\n" { String::new() } else { letter.into() });
    fold_many0(alt((plain, escaped)), String::new, |text, part| text + &part).parse(input)
}

/// A text as a value.
pub fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace(']', "\\]").replace(':', "\\:")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_a_tree() {
        let text = "x(;FF[4]C[a \\] b\\\\]SiZe[9]\n;B[aa](;W[bb] ;B[])(;W[cc]))(;A[1][2])";
        let Collection { nodes, roots } = parse(text).unwrap();
        assert_eq!(roots, [0, 5]);
        assert_eq!((nodes[0].value("C"), nodes[0].value("SZ")), (Some("a ] b\\"), Some("9")));
        let children: Vec<&[usize]> = nodes.iter().map(|node| node.children.as_slice()).collect();
        assert_eq!(children, [&[1][..], &[2, 4], &[3], &[], &[], &[]]);
        assert_eq!(
            nodes[5].properties,
            [("A".to_string(), vec!["1".to_string(), "2".to_string()])]
        );
        assert_eq!(parse(""), Ok(Collection::default()));
    }

    #[test]
    fn other_texts_are_refused_with_a_place() {
        let error = |text: &str| parse(text).unwrap_err().to_string();
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
        assert_eq!(parse(&(nested + &")".repeat(100_000))).unwrap().nodes.len(), 100_000);
    }

    #[test]
    fn a_long_value_is_read_in_one_pass() {
        for text in ["x\\]".repeat(1 << 18), "x".repeat(1 << 20)] {
            assert_eq!(parse(&format!("(;C[{text}])")).unwrap().nodes.len(), 1);
        }
    }
}
