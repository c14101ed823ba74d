//! A request as the members of an object in JSON say it.

use std::time::Duration;

use serde_json::Value;

use pentarch_core::Options;
use pentarch_core::notation::text::{did_you_mean, one_of, quoted};
use pentarch_search::levels::Level;
use pentarch_search::time_management::{MOST_CLOCKS, TimeControl};

use super::builtin_problems::{self, BuiltinProblem};
use super::engine_state::own_rules;
use super::input_word::Word;
use super::options as engine_options;
use super::problem::Problem;
use super::proof::{MOST_MEMORY, MOST_MEN};
use super::record::{self, set_rules};
use super::refused::Refused;
use super::request::{
    Effort, End, Format, MORE, MOST_LINES, NEW, OLD, Place, Question, Request, format_of, priority,
};
use super::request_members::{Members, whole};

impl Request {
    /// Reads the members of a request. What it does not say is as the options and the effort given here say; a limit in
    /// the request takes the place of all limits there. Lists of moves are taken out of the members.
    ///
    /// # Errors
    /// If a member is unknown, there twice or has another form, or if a search is asked for that nothing limits.
    pub fn read(
        members: &mut Members,
        options: &Options,
        effort: &Effort,
    ) -> Result<Request, Refused> {
        let format = format_of(members);
        match format {
            Format::One => members.check("a request", &OLD)?,
            Format::Two => members.check("a request", &[&OLD[..], &NEW, &MORE].concat())?,
        }
        let questions =
            if format == Format::One { vec![Question::Analysis] } else { questions(members)? };
        let (place, problem) = place(members, options)?;
        let (effort, is_own) = own_effort(members, effort)?;
        let clock = clock(members, options)?;
        let level = match members.text("level")? {
            None => engine_options::level(options),
            Some(name) => Level::by_name(name).ok_or_else(|| {
                let (names, hint) = (one_of(&Level::NAMES), did_you_mean(name, Level::NAMES));
                Refused::of_form("level", format!("{names} expected, found {}{hint}", quoted(name)))
            })?,
        };
        check_of_proofs(members, &questions)?;
        priority(members)?;
        let request = Request {
            format,
            questions,
            place,
            problem,
            end: end(members)?,
            clicks: members.take_words("clicks", "site")?,
            mv: word(members, "move")?,
            topic: members.text("topic")?.map(String::from),
            flip: flip(members)?,
            // A clock takes the place of the limits of the command line, too.
            effort: if clock.is_none() || is_own {
                effort
            } else {
                Effort { multipv: effort.multipv, ..Effort::NONE }
            },
            searchmoves: members.take_words("searchmoves", "move")?,
            clock,
            level,
            memory: members.number("memory", MOST_MEMORY)?.and_then(|mib| u32::try_from(mib).ok()),
            tables: members.number("tables", MOST_MEN)?.map(|men| men as usize),
            every: members.number("every", MOST)?.map(Duration::from_millis),
        };
        request.check()?;
        Ok(request)
    }
}

/// What the member `ask` asks; an analysis if there is none.
pub(super) fn questions(members: &Members) -> Result<Vec<Question>, Refused> {
    let form = || {
        Refused::of_form(
            "ask",
            format!("one or several of {} expected", Question::ALL.map(Question::word).join(", ")),
        )
    };
    let asked: Vec<&str> = match members.get("ask") {
        None => return Ok(vec![Question::Analysis]),
        Some(Value::String(word)) => vec![word],
        Some(Value::Array(words)) => {
            words.iter().map(Value::as_str).collect::<Option<_>>().ok_or_else(form)?
        }
        Some(_) => return Err(form()),
    };
    if asked.is_empty() {
        return Err(form());
    }
    let mut questions = Vec::new();
    for word in asked {
        let known = Question::ALL.into_iter().find(|known| known.word() == word);
        let question = known.ok_or_else(|| {
            let words = Question::ALL.map(Question::word);
            let hint = did_you_mean(word, words.iter().map(String::as_str));
            Refused::of_form(
                "ask",
                format!(
                    "there is no question {}{hint}; there are {}",
                    quoted(word),
                    words.join(", ")
                ),
            )
        })?;
        if !questions.contains(&question) {
            questions.push(question);
        }
    }
    Ok(questions)
}

/// The position that is asked about, and the problem at whose position the game begins.
fn place(
    members: &mut Members,
    options: &Options,
) -> Result<(Place, Option<BuiltinProblem>), Refused> {
    if let Some(text) = members.text("record")? {
        if let Some(name) = others(members, &["game", "options", "fen", "moves", "problem"]) {
            return Err(Refused::of_form(name, "the record says it"));
        }
        let record = record::chosen(text, None, "a request takes one")
            .map_err(|refused| refused.inside("record"))?;
        return Ok((Place::Record(record), None));
    }
    let mut options = options.clone();
    if let Some(game) = members.text("game")? {
        options
            .set(&pentarch_games::GAME, game)
            .map_err(|error| Refused::from(error).inside("game"))?;
    }
    let moves = members.take_words("moves", "move")?;
    if let Some(kept) = problem(members, &options)? {
        if let Some(name) = others(members, &["options", "fen"]) {
            return Err(Refused::of_form(name, "the problem says it"));
        }
        let Problem { rules: (_, settings), position, .. } = &kept.problem;
        set_rules(&mut options, settings.iter().map(String::as_str))?;
        return Ok((
            Place::Moves { options, fen: Some(Word::all_of(position)), moves },
            Some(kept),
        ));
    }
    if let Some(settings) = members.object("options", "{\"Quoridor_Walls\": 5}")? {
        let mut set: Vec<&str> = Vec::new();
        for (name, value) in settings.iter() {
            if set.iter().any(|known| known.eq_ignore_ascii_case(name)) {
                return Err(Refused::of_form(
                    "options",
                    format!("{} is there twice", quoted(name)),
                ));
            }
            set.push(name);
            let value = match value {
                Value::String(text) => text.clone(),
                Value::Bool(_) | Value::Number(_) => value.to_string(),
                _ => {
                    let expected =
                        format!("{} takes a text, a number or true or false", quoted(name));
                    return Err(Refused::of_form("options", expected));
                }
            };
            let adopted = options.set_rule(own_rules(&options), &format!("{name}={value}"));
            adopted.map_err(|error| Refused::of_form("options", error))?;
        }
    }
    let fen = members.text("fen")?.map(Word::all_of);
    Ok((Place::Moves { options, fen, moves }, None))
}

/// Checks that a request which asks for proofs alone has no member that is about searches only.
fn check_of_proofs(members: &Members, questions: &[Question]) -> Result<(), Refused> {
    const OF_SEARCHES: [&str; 7] =
        ["depth", "movetime", "multipv", "every", "searchmoves", "level", "clock"];
    let is_proof = |question: &&Question| matches!(question, Question::IsProblem | Question::Prove);
    let searched: Vec<&Question> =
        questions.iter().filter(|question| question.is_searched()).collect();
    let Some(first) = searched.first().filter(|_| searched.iter().all(is_proof)) else {
        return Ok(());
    };
    let refused = |name| {
        Refused::of_form(
            name,
            format!("{} does not take it; nodes limits its proofs", first.word()),
        )
    };
    OF_SEARCHES
        .into_iter()
        .find(|name| members.get(name).is_some())
        .map_or(Ok(()), |name| Err(refused(name)))
}

/// The first of these members that is there.
fn others<'a>(members: &Members, names: &[&'a str]) -> Option<&'a str> {
    names.iter().copied().find(|name| members.get(name).is_some())
}

/// The problem whose number a request gives, of the game that these options choose.
fn problem(members: &Members, options: &Options) -> Result<Option<BuiltinProblem>, Refused> {
    if members.get("problem").is_none() {
        return Ok(None);
    }
    let problems = builtin_problems::of_game(options.choice(&pentarch_games::GAME));
    if problems.is_empty() {
        return Err(Refused::of_form("problem", "the program has no problems of this game"));
    }
    let number = members.number("problem", problems.len() as u64)?;
    Ok(number
        .map(|number| number as usize)
        .map(|number| BuiltinProblem { number, problem: &problems[number - 1] }))
}

/// The greatest limit of depth, as in `go`.
const MOST_PLIES: u64 = 1_000_000;
/// The greatest of all other limits, as in `go`. A search to a greater one would not end, so that none is taken for it.
const MOST: u64 = i64::MAX as u64;

/// How far to search, and whether the request says so.
fn own_effort(members: &Members, effort: &Effort) -> Result<(Effort, bool), Refused> {
    let own = Effort {
        depth: members.number("depth", MOST_PLIES)?.and_then(|depth| u32::try_from(depth).ok()),
        nodes: members.number("nodes", MOST)?,
        movetime: members.number("movetime", MOST)?,
        ..*effort
    };
    let limited = if own.is_bounded() { own } else { *effort };
    let multipv = members
        .number("multipv", MOST_LINES as u64)?
        .map_or(effort.multipv, |lines| lines as usize);
    Ok((Effort { multipv, ..limited }, own.is_bounded()))
}

/// The clocks, and the time that a move loses on its way.
fn clock(members: &Members, options: &Options) -> Result<Option<(TimeControl, Duration)>, Refused> {
    const EXAMPLE: &str =
        "{\"times\": [60000, 60000], \"increments\": [1000, 1000], \"overhead\": 10}";
    let Some(clock) = members.object("clock", EXAMPLE)? else { return Ok(None) };
    clock
        .check("clock", &["times", "increments", "overhead"])
        .map_err(|refused| refused.inside("clock"))?;
    let form =
        |name: &str, expected: &str| Refused::of_form("clock", format!("{name}: {expected}"));
    let times = |name: &str| -> Result<[Option<i64>; MOST_CLOCKS], Refused> {
        let bad = || form(name, "a list of milliseconds expected, one for each player");
        let Some(value) = clock.get(name) else { return Ok([None; MOST_CLOCKS]) };
        let list = value
            .as_array()
            .filter(|list| (1..=MOST_CLOCKS).contains(&list.len()))
            .ok_or_else(bad)?;
        let mut times = [None; MOST_CLOCKS];
        for (time, value) in times.iter_mut().zip(list) {
            *time = Some(milliseconds(value).ok_or_else(bad)?);
        }
        Ok(times)
    };
    if clock.get("times").is_none() {
        return Err(form("times", "a list of milliseconds expected, one for each player"));
    }
    let control = TimeControl {
        time: times("times")?,
        increment: times("increments")?,
        ..TimeControl::default()
    };
    let overhead = match clock.get("overhead") {
        None => options.number(&engine_options::MOVE_OVERHEAD),
        Some(value) => {
            let given = milliseconds(value).filter(|time| *time >= 0);
            given.ok_or_else(|| form("overhead", "milliseconds from 0 on expected"))?
        }
    };
    Ok(Some((control, Duration::from_millis(overhead.unsigned_abs()))))
}

/// A whole number of milliseconds; one that is too large for the program is the largest that it has.
fn milliseconds(value: &Value) -> Option<i64> {
    whole(value).map(|number| i64::try_from(number).unwrap_or(i64::MAX))
}

/// How the players have ended the game.
fn end(members: &Members) -> Result<Option<End>, Refused> {
    const EXAMPLE: &str = "{\"resign\": \"white\"}, {\"flag\": \"white\"} or {\"agree\": true}";
    let Some(end) = members.object("end", EXAMPLE)? else { return Ok(None) };
    end.check("end", &["resign", "flag", "agree"]).map_err(|refused| refused.inside("end"))?;
    let in_end = |refused: Refused| Refused::of_form("end", refused);
    let resign = end.text("resign").map_err(in_end)?.map(|side| End::Resign(side.into()));
    let flag = end.text("flag").map_err(in_end)?.map(|side| End::Flag(side.into()));
    let agree = end.get("agree").filter(|agree| **agree != Value::Bool(false));
    let agree = match agree {
        None => None,
        Some(Value::Bool(true)) => Some(End::Agree),
        Some(_) => return Err(Refused::of_form("end", "agree: true expected")),
    };
    let mut ends = resign.into_iter().chain(flag).chain(agree);
    match (ends.next(), ends.next()) {
        (Some(end), None) => Ok(Some(end)),
        _ => Err(Refused::of_form("end", format!("one of {EXAMPLE} expected"))),
    }
}

/// Whether the picture is turned round.
fn flip(members: &Members) -> Result<bool, Refused> {
    match members.get("flip") {
        None => Ok(false),
        Some(Value::Bool(flip)) => Ok(*flip),
        Some(_) => Err(Refused::of_form("flip", "true or false expected")),
    }
}

/// The member with this name as a single word.
fn word(members: &Members, name: &str) -> Result<Option<Word>, Refused> {
    let Some(text) = members.text(name)? else { return Ok(None) };
    match &Word::all_of(text)[..] {
        [word] => Ok(Some(word.clone())),
        _ => Err(Refused::of_form(name, "one word expected")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<Request, String> {
        let mut members = Members::read(line).map_err(String::from)?;
        Request::read(&mut members, &Options::default(), &Effort::NONE).map_err(String::from)
    }

    fn effort(line: &str, given: &Effort) -> Effort {
        Request::read(&mut Members::read(line).unwrap(), &Options::default(), given).unwrap().effort
    }

    #[test]
    fn a_request_is_read() {
        let line = r#"{"id": 7, "game": "Quoridor", "options": {"Quoridor_Walls": 3, "RepetitionDraw": true},
            "fen": "e2e8 -  w 3/3 4", "moves": ["e3", "e7"], "nodes": 50, "multipv": 2}"#;
        let request = read(line).unwrap();
        let Place::Moves { options, fen, .. } = request.place else {
            panic!("no record was given")
        };
        assert_eq!(options.text(&pentarch_games::GAME), "quoridor");
        assert_eq!(request.effort, Effort { nodes: Some(50), multipv: 2, ..Effort::NONE });
        let columns: Vec<usize> = fen.unwrap().iter().map(|word| word.column).collect();
        assert_eq!(columns, [1, 6, 9, 11, 15]);
        let Place::Moves { moves, .. } = read(r#"{"moves": "e3 e7", "depth": 1}"#).unwrap().place
        else {
            panic!()
        };
        assert_eq!(moves.len(), 2);
    }

    #[test]
    fn own_limits_take_the_place_of_all_others() {
        let given = Effort { nodes: Some(9), movetime: Some(8), multipv: 4, ..Effort::NONE };
        assert_eq!(
            effort(r#"{"depth": 3}"#, &given),
            Effort { depth: Some(3), multipv: 4, ..Effort::NONE }
        );
        assert_eq!(effort("{}", &given), given);
        let clock = r#"{"ask": "play", "clock": {"times": [1000, 1000]}}"#;
        assert_eq!(effort(clock, &given), Effort { multipv: 4, ..Effort::NONE });
    }

    #[test]
    fn a_request_of_format_2_is_read() {
        let line = r#"{"ask": ["scene", "play", "scene"], "level": "Novice", "every": 100, "priority": -1.5,
            "clicks": "e2 e3", "clock": {"times": [-5, 99999999999999999999], "increments": [7], "overhead": 0}, "end": {"agree": true}}"#;
        let request = read(line).unwrap();
        assert_eq!(
            (request.format, request.questions.as_slice()),
            (Format::Two, &[Question::Scene, Question::Play][..])
        );
        assert_eq!(
            (request.level, request.every),
            (Level::Novice, Some(Duration::from_millis(100)))
        );
        let (clock, overhead) = request.clock.unwrap();
        assert_eq!(
            (clock.time[0], clock.time[1], clock.increment[0], overhead),
            (Some(-5), Some(i64::MAX), Some(7), Duration::ZERO)
        );
        assert_eq!((request.end, request.clicks.len()), (Some(End::Agree), 2));
        assert_eq!(priority(&Members::read(line).unwrap()), Ok(-1.5));
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (line, error) in [
            ("", "column 1: this is not JSON: EOF while parsing a value"),
            ("{\"é\": x}", "column 7: this is not JSON: expected value"),
            (
                "[1]",
                "column 1: a request is an object: {\"id\": 1, \"game\": \"quoridor\", \"depth\": 6}",
            ),
            ("{\"dept\": 3}", "a request has no member 'dept' (did you mean 'depth'?)"),
            ("{\"depth\": 3, \"depth\": 3}", "a request has the member 'depth' twice"),
            ("{}", "depth, nodes or movetime expected"),
            ("{\"depth\": 0}", "depth: a whole number from 1 to 1000000 expected"),
            ("{\"nodes\": \"many\"}", &format!("nodes: {NUMBER}")),
            ("{\"nodes\": 99999999999999999999}", &format!("nodes: {NUMBER}")),
            (
                "{\"ask\": \"play\", \"movetime\": 9223372036854775808}",
                &format!("movetime: {NUMBER}"),
            ),
            ("{\"ask\": \"moves\", \"every\": 99999999999999999999}", &format!("every: {NUMBER}")),
            ("{\"depth\": 1000001}", "depth: a whole number from 1 to 1000000 expected"),
            (
                "{\"ask\": \"moves\", \"fen\": null, \"fen\": null}",
                "a request has the member 'fen' twice",
            ),
            ("{\"depth\": 1, \"multipv\": 257}", "multipv: a whole number from 1 to 256 expected"),
            ("{\"fen\": 1}", "fen: a text expected"),
            ("{\"moves\": [1]}", "moves: a text for each move expected"),
            ("{\"moves\": [\"column 5\"]}", "moves: a text for each move expected"),
            ("{\"nodes\": 1e3}", &format!("nodes: {NUMBER}")),
            (
                "{\"options\": {\"Quoridor_Walls\": 3}}",
                "options: the game has no rule 'Quoridor_Walls'",
            ),
            (
                "{\"options\": {\"RepetitionDraw\": []}}",
                "options: 'RepetitionDraw' takes a text, a number or true or false",
            ),
            ("{\"depth\": 1, \"level\": \"novice\"}", "a request has no member 'level'"),
            ("{\"ask\": \"analysis\"}", "depth, nodes, movetime or clock expected"),
            (
                "{\"ask\": \"play\", \"level\": \"champion\"}",
                "depth, nodes, movetime or clock expected",
            ),
            ("{\"ask\": \"legal\"}", "move: a text expected: the move that is asked about"),
            ("{\"ask\": \"moves\", \"end\": {}}", &end_expected()),
            (
                "{\"ask\": \"moves\", \"end\": {\"agree\": true, \"flag\": \"white\"}}",
                &end_expected(),
            ),
            (
                "{\"ask\": \"moves\", \"end\": {\"agreed\": 1}}",
                "end has no member 'agreed' (did you mean 'agree'?)",
            ),
            (
                "{\"ask\": \"play\", \"clock\": {}}",
                "clock: times: a list of milliseconds expected, one for each player",
            ),
            ("{\"ask\": \"moves\", \"priority\": \"x\"}", "priority: a number expected"),
            ("{\"ask\": \"moves\", \"record\": \"*\", \"fen\": \"x\"}", "fen: the record says it"),
        ] {
            assert_eq!(read(line).unwrap_err(), error, "{line}");
        }
        assert!(read("{\"game\": \"quordor\"}").unwrap_err().contains("did you mean 'quoridor'"));
        assert!(read("{\"ask\": \"scen\"}").unwrap_err().contains("did you mean 'scene'"));
        assert!(read("{\"ask\": []}").unwrap_err().starts_with("ask: one or several of board, "));
        let level = read("{\"ask\": \"play\", \"level\": \"novic\"}").unwrap_err();
        assert!(level.contains("(did you mean 'novice'?)"), "{level}");
    }

    const NUMBER: &str = "a whole number from 1 to 9223372036854775807 expected";

    fn end_expected() -> String {
        "end: one of {\"resign\": \"white\"}, {\"flag\": \"white\"} or {\"agree\": true} expected"
            .into()
    }
}
