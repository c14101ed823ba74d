//! A request to analyse a position, as a line of JSON gives it.

use serde_json::{Map, Value};

use crate::core::Options;
use crate::core::text::{did_you_mean, quoted};
use crate::engine::options as engine_options;
use crate::engine::state::own_rules;
use crate::engine::word::Word;

use super::{Effort, MOST_LINES};

/// The members that a request may have.
const MEMBERS: [&str; 9] = ["id", "game", "options", "fen", "moves", "depth", "nodes", "movetime", "multipv"];

/// What is asked.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// The options that choose the game and its rules.
    pub options: Options,
    /// The words of the position text; none for the start position.
    pub fen: Option<Vec<Word>>,
    /// The moves made from there.
    pub moves: Vec<Word>,
    /// How far to search.
    pub effort: Effort,
}

/// The object of a line of input.
///
/// # Errors
/// If the line is no JSON or no object.
pub fn object(line: &str) -> Result<Map<String, Value>, String> {
    match serde_json::from_str(line) {
        Ok(Value::Object(members)) => Ok(members),
        Ok(_) => Err("column 1: a request is an object: {\"id\": 1, \"game\": \"quoridor\", \"depth\": 6}".into()),
        Err(error) => {
            // The library counts bytes; behind the end of the line it counts 0 of the next one.
            let column = if error.line() > 1 { line.len() + 1 } else { error.column() };
            let before = line.as_bytes().get(..column.saturating_sub(1)).unwrap_or(line.as_bytes());
            let text = error.to_string();
            let what = text.split_once(" at line ").map_or(text.as_str(), |(what, _)| what);
            Err(format!("column {}: this is not JSON: {what}", String::from_utf8_lossy(before).chars().count() + 1))
        }
    }
}

impl Request {
    /// Reads the members of a request. What it does not say is as the options and the effort given here say; a limit in
    /// the request takes the place of all limits there.
    ///
    /// # Errors
    /// If a member is unknown or has another form, or nothing limits the search.
    pub fn read(members: &Map<String, Value>, options: &Options, effort: &Effort) -> Result<Request, String> {
        if let Some(name) = members.keys().find(|name| !MEMBERS.contains(&name.as_str())) {
            return Err(format!("a request has no member {}{}", quoted(name), did_you_mean(name, MEMBERS)));
        }
        let mut options = options.clone();
        if let Some(game) = text(members, "game")? {
            options.set(&engine_options::GAME, game).map_err(|error| error.to_string())?;
        }
        match members.get("options") {
            None | Some(Value::Null) => {}
            Some(Value::Object(settings)) => {
                for (name, value) in settings {
                    let value = match value {
                        Value::String(text) => text.clone(),
                        Value::Bool(_) | Value::Number(_) => value.to_string(),
                        _ => return Err(format!("options: {} takes a text, a number or true or false", quoted(name))),
                    };
                    let set = options.set_rule(own_rules(&options), &format!("{name}={value}"));
                    set.map_err(|error| format!("options: {error}"))?;
                }
            }
            Some(_) => return Err("options: an object expected, such as {\"Quoridor_Walls\": 5}".into()),
        }
        let fen = text(members, "fen")?.map(words);
        let moves = match members.get("moves") {
            None | Some(Value::Null) => Vec::new(),
            Some(Value::String(text)) => words(text),
            Some(Value::Array(moves)) => {
                let word = |mv: &Value| mv.as_str().filter(|text| !text.contains(char::is_whitespace)).map(Word::alone);
                moves.iter().map(word).collect::<Option<Vec<_>>>().ok_or("moves: a text for each move expected")?
            }
            Some(_) => return Err("moves: a list of texts expected, or one text with spaces".into()),
        };
        let [depth, nodes, movetime] = ["depth", "nodes", "movetime"].map(|name| number(members, name, u64::MAX));
        let own = Effort {
            depth: depth?.map(|depth| u32::try_from(depth).unwrap_or(u32::MAX)),
            nodes: nodes?,
            movetime: movetime?,
            ..*effort
        };
        let limited = if own.is_bounded() { own } else { *effort };
        let multipv = number(members, "multipv", MOST_LINES as u64)?.map_or(effort.multipv, |lines| lines as usize);
        let effort = Effort { multipv, ..limited };
        if !effort.is_bounded() {
            return Err("depth, nodes or movetime expected".into());
        }
        Ok(Request { options, fen, moves, effort })
    }
}

/// The member with this name as a text.
fn text<'a>(members: &'a Map<String, Value>, name: &str) -> Result<Option<&'a str>, String> {
    match members.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(_) => Err(format!("{name}: a text expected")),
    }
}

/// The member with this name as a whole number from 1 to `most`.
fn number(members: &Map<String, Value>, name: &str, most: u64) -> Result<Option<u64>, String> {
    let Some(value) = members.get(name).filter(|value| !value.is_null()) else { return Ok(None) };
    // A limit that is too large for the program is none.
    let whole = |digits: String| match digits.bytes().all(|byte| byte.is_ascii_digit()) {
        true => Some(digits.parse().unwrap_or(u64::MAX)),
        false => None,
    };
    let given = value.as_number().and_then(|number| whole(number.to_string()));
    let known = given.filter(|number| (1..=most).contains(number));
    let range = if most == u64::MAX { "from 1 on".into() } else { format!("from 1 to {most}") };
    known.map(Some).ok_or_else(|| format!("{name}: a whole number {range} expected"))
}

/// The words of a text, with their columns in it.
fn words(text: &str) -> Vec<Word> {
    let mut words = Vec::new();
    let mut column = 1;
    for part in text.split(char::is_whitespace) {
        if !part.is_empty() {
            words.push(Word { text: part.into(), column });
        }
        column += part.chars().count() + 1;
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    const EFFORT: Effort = Effort { depth: None, nodes: None, movetime: None, multipv: 1 };

    fn read(line: &str) -> Result<Request, String> {
        object(line).and_then(|members| Request::read(&members, &Options::default(), &EFFORT))
    }

    #[test]
    fn a_request_is_read() {
        let line = r#"{"id": 7, "game": "Quoridor", "options": {"Quoridor_Walls": 3, "RepetitionDraw": true},
            "fen": "e2e8 -  w 3/3 4", "moves": ["e3", "e7"], "nodes": 50, "multipv": 2}"#;
        let request = read(line).unwrap();
        assert_eq!(request.options.text(&engine_options::GAME), "quoridor");
        assert_eq!(request.effort, Effort { nodes: Some(50), multipv: 2, ..EFFORT });
        let columns: Vec<usize> = request.fen.unwrap().iter().map(|word| word.column).collect();
        assert_eq!(columns, [1, 6, 9, 11, 15]);
        assert_eq!(read(r#"{"moves": "e3 e7", "depth": 1}"#).unwrap().moves.len(), 2);
    }

    #[test]
    fn own_limits_take_the_place_of_all_others() {
        let members = object(r#"{"depth": 3}"#).unwrap();
        let given = Effort { nodes: Some(9), movetime: Some(8), multipv: 4, ..EFFORT };
        let read = |members| Request::read(members, &Options::default(), &given).unwrap().effort;
        assert_eq!(read(&members), Effort { depth: Some(3), multipv: 4, ..EFFORT });
        assert_eq!(read(&Map::new()), given);
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (line, error) in [
            ("", "column 1: this is not JSON: EOF while parsing a value"),
            ("{\"é\": x}", "column 7: this is not JSON: expected value"),
            ("[1]", "column 1: a request is an object: {\"id\": 1, \"game\": \"quoridor\", \"depth\": 6}"),
            ("{\"dept\": 3}", "a request has no member 'dept' (did you mean 'depth'?)"),
            ("{}", "depth, nodes or movetime expected"),
            ("{\"depth\": 0}", "depth: a whole number from 1 on expected"),
            ("{\"nodes\": \"many\"}", "nodes: a whole number from 1 on expected"),
            ("{\"depth\": 1, \"multipv\": 257}", "multipv: a whole number from 1 to 256 expected"),
            ("{\"fen\": 1}", "fen: a text expected"),
            ("{\"moves\": [1]}", "moves: a text for each move expected"),
            ("{\"moves\": [\"column 5\"]}", "moves: a text for each move expected"),
            ("{\"nodes\": 1e3}", "nodes: a whole number from 1 on expected"),
            ("{\"options\": {\"Quoridor_Walls\": 3}}", "options: the game has no rule 'Quoridor_Walls'"),
            (
                "{\"options\": {\"RepetitionDraw\": []}}",
                "options: 'RepetitionDraw' takes a text, a number or true or false",
            ),
        ] {
            assert_eq!(read(line).unwrap_err(), error, "{line}");
        }
        assert!(read("{\"game\": \"quordor\"}").unwrap_err().contains("did you mean 'quoridor'"));
    }
}
