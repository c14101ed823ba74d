//! The formats of games: each element that a text can have is read, reported or rejected, by every
//! reader. `docs/convert.md` has the same list.

use std::{fmt, fs};

use fastrand::Rng;
use pentarch::convert::format::GameFileFormat;
use pentarch::convert::openings::read_openings;
use pentarch::convert::{format_games, read_game_with_number, read_games};
use pentarch::io::host::SystemHost;
use pentarch_core::notation::record::{GameRecord, RecordedMove};
use pentarch_core::{EndByPlayers, Options, Rules, Side};
use pentarch_engine::engine_state::{Engine, new_game_session};
use pentarch_engine::input_word::InputWord;
use pentarch_engine::record::{ReplayedGame, game_record};
use pentarch_engine::requests::fields::InputMessage;
use pentarch_engine::requests::request::SearchLimits;
use pentarch_engine::requests::responder::{PreparedResponse, Responder};
use pentarch_engine::sgf_tree::parse_sgf;
use pentarch_games::{Game, GameOperation};
use pentarch_quoridor::Quoridor;
use serde_json::{Value, json};

use crate::annotations::{self, flatten_variations, option_sets_of, random_record};
use crate::client::{Client, program, run};
use crate::common::for_each_game;
use crate::common::temporary::Folder;

/// The way in which a reader or a writer handles an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Handling {
    /// The game has it afterwards.
    Read,
    /// A warning names it.
    Reported,
    /// An error names it.
    Rejected,
}

use Handling::{Read, Rejected, Reported};

impl fmt::Display for Handling {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Read => "read",
            Reported => "reported",
            Rejected => "rejected",
        })
    }
}

/// An element of a format, and a text that has the element. `shown` is a part of the expected
/// result: of the record in canonical form, of the warning, or of the error.
struct Element {
    name: &'static str,
    handling: Handling,
    text: &'static str,
    shown: &'static str,
}

const fn element(
    name: &'static str,
    handling: Handling,
    text: &'static str,
    shown: &'static str,
) -> Element {
    Element { name, handling, text, shown }
}

const RECORD: &[Element] = &[
    element(
        "the tags `Game`, `Option` and `Fen`",
        Read,
        r#"[Game "quoridor"] [Option "Quoridor_Walls=3"] [Fen "e2e8 - b 3/3 4"] e7 *"#,
        r#"[Fen "e2e8 - b 3/3 4"]"#,
    ),
    element("no tag `Game`", Read, "1. e2 e8 *", r#"[Game "quoridor"]"#),
    element(
        "the tag `Outcome`",
        Read,
        r#"[Game "quoridor"] [Outcome "win white resignation"] e2 1-0"#,
        r#"[Outcome "win white resignation"]"#,
    ),
    element(
        "an `Outcome` or a result other than that of the game",
        Rejected,
        r#"[Game "quoridor"] [Outcome "win white goal"] e2 *"#,
        "the record says 'win white goal'",
    ),
    element(
        "the tags `Result`, `SetUp` and `PlyCount`",
        Read,
        r#"[Result "1-0"] [PlyCount "1"] e2 1-0"#,
        "1. e2 1-0",
    ),
    element(
        "another value of these than the record shows",
        Rejected,
        r#"[Result "1-0"] e2 0-1"#,
        "the tag Result says '1-0'",
    ),
    element(
        "the tag `Result` in a record without a result",
        Reported,
        r#"[Result "1-0"] e2"#,
        "it does not end in 1-0",
    ),
    element(
        "the tag `Result` of a finished game in a record with the result `*`",
        Reported,
        r#"[Result "1-0"] e2 *"#,
        "it does not end in 1-0",
    ),
    element("other tags", Read, r#"[Event " a  b "] [P2 ""] e2 *"#, r#"[Event " a  b "]"#),
    element(
        "a tag or an option twice",
        Rejected,
        "[P1 \"a\"]\n[P1 \"b\"] e2 *",
        "expected each tag only once, found 'P1'",
    ),
    element(
        "the tags of matches and of tuning",
        Reported,
        r#"[Seed "1"] [Number "2"] e2 *"#,
        "not read: the tag Seed, the tag Number",
    ),
    element("move numbers", Read, "1. e2 1\u{2026}e8 2.e3 2. ... e7 *", "1. e2 e8 2. e3 e7 *"),
    element(
        "other numbers than those of the game",
        Reported,
        "1. e2 (1. d1 3... e8) 9... e8 0. e3 99999999999. e7 *",
        "an invalid move number, the first in place of 1 (4 times)",
    ),
    element(
        "three dots after the number of a move of the first player",
        Reported,
        "1... e2 (1. ... d1) 1... e8 2\u{2026} e3 *",
        "an invalid move number, the first in place of 1 (3 times)",
    ),
    element("marks, and glyphs from `$0` to `$255`", Read, "e2! $255 *", "1. e2! $255 *"),
    element("a repeated glyph, which counts once", Read, "e2! $1 $5 $1 *", "1. e2! $5 *"),
    element("other glyphs", Rejected, "e2 $256 *", "expected a glyph from $0 to $255"),
    element("a glyph before the first move", Rejected, "$1 e2 *", "a move before its glyph"),
    element("scores", Read, "e2 {-1.00/3} *", "e2 {-1.00/3} *"),
    element(
        "comments anywhere",
        Read,
        "; a\n[P1 \"x\"] {b}\n# c\ne2 {d} ({e} d1) ; f\n * {g}",
        "{a b c} 1. e2 {d f g} (1. d1 {e}) *",
    ),
    element(
        "the first clock time of a move",
        Read,
        "e2 { a [%clk 0:00:01] b } ({[%clk 0:00:02]} d1) *",
        "e2 {[%clk 0:00:01]} {a b} (1. d1 {[%clk 0:00:02]}) *",
    ),
    element(
        "a clock time before the first move, as a part of the comment",
        Read,
        "{[%clk 0:00:01]} e2 *",
        "{[[%clk 0:00:01]} 1. e2 *",
    ),
    element(
        "further clock times, and other commands in comments",
        Read,
        "e2 {[%eval 0.3] [%clk 0:00:01] [%clk 0:00:02]} *",
        "{[%eval 0.3] [[%clk 0:00:02]}",
    ),
    element(
        "lines that begin with `%`",
        Reported,
        "%x\ne2 *",
        "a line that begins with % (line 1)",
    ),
    element("variations", Read, "e2 (d1 (f1) e8) *", "1. e2 (1. d1 (1. f1) 1... e8) *"),
    element("control characters", Rejected, "e2 {\u{7}} *", "without control characters"),
];

const JSON: &[Element] = &[
    element(
        "the fields of the list above",
        Read,
        r#"{"game": "quoridor", "options": {"Quoridor_Walls": 3}, "fen": "e2e8 - b 3/3 4", "moves": "e7", "tags": [["P1", ""]], "result": "1-0"}"#,
        "[P1 \"\"]\n4... e7 1-0",
    ),
    element("other fields", Rejected, r#"{"moves": [], "x": 1}"#, "a game has no field 'x'"),
    element(
        "a field, a tag or an option twice",
        Rejected,
        r#"{"moves": ["e2"], "moves": ["d1"]}"#,
        "an object has the field 'moves' twice",
    ),
    element(
        "tabs in tags",
        Read,
        r#"{"moves": [], "tags": [["Event", "a\tb"]]}"#,
        "[Event \"a\tb\"]",
    ),
    element(
        "other control characters in tags",
        Rejected,
        r#"{"moves": [], "tags": [["Event", "a\tb\u0007"]]}"#,
        "a tag may not have control characters, but there is one at character 4",
    ),
    element(
        "`moves` and `line` together",
        Rejected,
        r#"{"moves": [], "line": []}"#,
        "expected one of moves and line",
    ),
    element("the field `move` of a move", Read, r#"[{"move": "e2!"}]"#, "1. e2! *"),
    element(
        "other fields of a move in `moves`",
        Reported,
        r#"[{"move": "e2", "time": 3}]"#,
        "the field 'time' of a move (line 1)",
    ),
    element(
        "the notes in `line`",
        Read,
        r#"{"line": ["e2", {"glyphs": [5], "comment": "a", "clock": 1000}]}"#,
        "1. e2!? {[%clk 0:00:01]} {a} *",
    ),
    element(
        "a repeated glyph, which counts once",
        Read,
        r#"{"line": ["e2", {"glyphs": [1, 1, 2]}]}"#,
        "1. e2! $2 *",
    ),
    element(
        "other fields of notes",
        Rejected,
        r#"{"line": ["e2", {"x": 1}]}"#,
        "there is no field 'x'",
    ),
    element(
        "notes twice, or before a move",
        Rejected,
        r#"{"line": ["e2", {"comment": "a"}, {"comment": "b"}]}"#,
        "the move before has notes already",
    ),
    element(
        "glyphs above 255, and clock times of 10000 hours and more",
        Rejected,
        r#"{"line": ["e2", {"clock": 36000000000}]}"#,
        "clock: expected milliseconds, less than 10000 hours",
    ),
];

const MOVES: &[Element] = &[
    element("moves, with marks", Read, "1. e2!, 1. ... e8\n2. e3", "1. e2! e8 2. e3 *"),
    element("move numbers", Read, "1. e2 e8 2.\ne3", "1. e2 e8 2. e3 *"),
    element(
        "other numbers than those of the game",
        Reported,
        "1. e2 e8 65.\ne3",
        "an invalid move number, the first in place of 2",
    ),
    element(
        "three dots after the number of a move of the first player",
        Reported,
        "1. e2 e8 2. ... e3",
        "an invalid move number, the first in place of 2",
    ),
    element("the result", Read, "e2 1-0", "1. e2 1-0"),
    element("lines that begin with `#`", Read, "# a\ne2\n# b\n", "{a} 1. e2 {b} *"),
    element("words after the result", Rejected, "e2 * e8", "expected the end of the game"),
    element("anything else", Rejected, "e2 {a}", "move 2, "),
];

const SOURCE: &[Element] = &[
    element(
        "the start position, and moves with their signs",
        Read,
        "Red Knight: b8 / Green Knight: h2 / Walls: b5, c6, d7, e8, e2, f3, g4, h5\n1. Kb6 Kh4",
        "1. Kb6 Kh4",
    ),
    element("marks, and lines that begin with `#`", Read, "# a\ne8d9!\n# b", "{a} 1. e8d9! {b}"),
    element(
        "a position after moves",
        Rejected,
        "e8d9\nRed Knight: b8 / Green Knight: h2",
        "a position must precede the moves",
    ),
    element(
        "a position whose first line is not that of the red knight",
        Rejected,
        "Green Knight: h2\nRed Knight: b8\nWalls: b5, c6, d7, e8, e2, f3, g4, h5",
        "line 1: expected the line of the red knight first",
    ),
    element("anything else", Rejected, "e8d9 {a}", "move 2, "),
];

const SGF: &[Element] = &[
    element("`B` and `W`", Read, "(;B[io];W[ic])", "1. e2 e8 *"),
    element("two moves in a node", Rejected, "(;B[io]W[ic])", "a node has one move"),
    element("branches", Read, "(;B[io](;W[ic])(;W[ga]))", "1. e2 e8 (1... d9) *"),
    element(
        "a property that is read twice, or with two values",
        Rejected,
        "(;B[io]C[a]C[b])",
        "the property C twice",
    ),
    element("`AB`, `AW`, `AE`", Rejected, "(;B[io];AB[aa])", "stones set up by AB"),
    element("`HA` of 0", Read, "(;HA[0];B[io])", "1. e2 *"),
    element("another handicap", Rejected, "(;HA[2])", "stones set up by HA"),
    element("`PL[B]`", Read, "(;PL[B];B[io])", "1. e2 *"),
    element("`PL[W]`", Rejected, "(;PL[W];B[io])", "Black moves first, but PL is 'W'"),
    element("`SZ` of the board", Read, "(;SZ[17:17];B[io])", "1. e2 *"),
    element("another `SZ`", Rejected, "(;SZ[17:19];B[io])", "17 lines"),
    element(
        "`RU` of this program",
        Read,
        "(;RU[pentarch quoridor Quoridor_Walls=3])",
        "Quoridor_Walls=3",
    ),
    element("another `RU`", Reported, "(;RU[Japanese])", "RU (line 1)"),
    element(
        "`PB`, `PW`, `DT`, `EV`, `PC`, `RO`, `AN`",
        Read,
        "(;PB[ Ada ]PW[]DT[2026-11-25])",
        "[P1 \" Ada \"]\n[P2 \"\"]\n[Date \"2026.11.25\"]",
    ),
    element("`RE`", Read, "(;RE[W+R];B[io])", "[Outcome \"win black resignation\"]"),
    element(
        "a reason in `RE` other than `R` and `T`",
        Reported,
        "(;RE[W+3.5];B[io])",
        "the reason in RE (line 1)",
    ),
    element("an unknown result", Reported, "(;RE[Void];B[io])", "RE (line 1)"),
    element("`C` and `GC`", Read, "(;GC[a]C[b];B[io]C[c])", "{a b} 1. e2 {c} *"),
    element(
        "branches after a branch without a move",
        Read,
        "(;(;)(;C[a])(;B[io](;C[b])(;W[ic];B[im])(;W[ga]))(;B[gq]))",
        "1. e2 {a b} (1. d1) 1... e8 (1... d9) 2. e3 *",
    ),
    element(
        "`C` in a branch without a move",
        Reported,
        "(;B[io](;W[ic])(;C[a]))",
        "C without a move (line 1)",
    ),
    element(
        "`TE`, `BM`, `IT`, `DO` of the table above",
        Read,
        "(;B[io]TE[1]TE[2]DO[])",
        "1. e2! $3 $6 *",
    ),
    element("other values of these", Reported, "(;B[io]TE[3])", "TE (line 1)"),
    element(
        "a value of `IT` or `DO`",
        Reported,
        "(;B[io]IT[x];W[ic]DO[1])",
        "the exact value of IT (line 1), the exact value of DO (line 1)",
    ),
    element("these in a node without a move", Reported, "(;B[io];TE[1])", "TE (line 1)"),
    element("`BL`, `WL` of the player who moves", Read, "(;B[io]BL[1.5])", "{[%clk 0:00:01.500]}"),
    element(
        "other times in `BL` and `WL`",
        Reported,
        "(;B[io]BL[-1]WL[5])",
        "BL (line 1), WL (line 1)",
    ),
    element(
        "decimals of `BL` and `WL` below a millisecond",
        Reported,
        "(;B[io]BL[10.1234];W[ic]WL[1.5000])",
        "not read: the exact value of BL (line 1)",
    ),
    element(
        "`PENTSCORE`, `SBKV` next to it",
        Read,
        "(;B[io]SBKV[60]PENTSCORE[+0.35/12])",
        "e2 {+0.35/12} *",
    ),
    element(
        "`PENTGLYPHS` with numbers up to 255, `SIGNS` with signs",
        Read,
        "(;B[io]PENTGLYPHS[14 1 255]TE[1]SIGNS[!])",
        "1. e2 $14 $1 $255 *",
    ),
    element(
        "a repeated glyph or mark, which counts once",
        Read,
        "(;B[io]PENTGLYPHS[1 1 14]TE[1]TE[1])",
        "1. e2! $14 *",
    ),
    element(
        "other values of these",
        Reported,
        "(;B[io]PENTGLYPHS[256]SIGNS[x])",
        "PENTGLYPHS (line 1), SIGNS (line 1)",
    ),
    element("`SBKV` alone", Reported, "(;B[io]SBKV[60])", "SBKV (line 1)"),
    element(
        "`GM[1]`, `GN` of the game, `KM[0]`, `FF`, `CA`, `AP`, `ST`",
        Read,
        "(;GM[1]GN[quoridor]KM[0]FF[4]CA[UTF-8]AP[x:1]ST[2];B[io])",
        "1. e2 *",
    ),
    element(
        "other `GM`, `GN`, `KM`",
        Reported,
        "(;GM[2]GN[a]KM[6.5])",
        "GM (line 1), GN (line 1), KM (line 1)",
    ),
    element(
        "all other properties",
        Reported,
        "(;N[a]TM[60]OT[x]\n;B[io]LB[aa:1]N[b])",
        "N (2 times, first in line 1), TM (line 1), OT (line 1), LB (line 2)",
    ),
    element(
        "text before the first bracket",
        Reported,
        "x (;B[io])",
        "the text before the first bracket (line 1)",
    ),
];

const OPENINGS: &[Element] = &[
    element("`startpos`, FENs and `moves`", Read, "startpos moves e2 e8", "1. e2 e8 *"),
    element("lines that begin with `#`", Reported, "# a\nstartpos", "a comment (line 1)"),
    element("anything else", Rejected, "e2 e8", "position string: "),
];

const FORMATS: [(&str, &[Element]); 6] = [
    ("record", RECORD),
    ("json", JSON),
    ("moves", MOVES),
    ("source", SOURCE),
    ("sgf", SGF),
    ("openings", OPENINGS),
];

fn quoridor() -> Options {
    let mut options = Options::default();
    options.set(&pentarch_engine::games::GAME_OPTION, "quoridor").unwrap();
    options
}

/// The result of reading a text: its record in canonical form and the warnings, or the error.
type Outcome = Result<(String, String), String>;

fn record_text(game: &ReplayedGame) -> String {
    game.record.text(game.session.game_moves().turns)
}

fn convert(text: &str, format: &str) -> Outcome {
    // Only Alcaxar has a notation of its source.
    let options = if format == "source" { Options::default() } else { quoridor() };
    let format: GameFileFormat = format.parse().unwrap();
    let games = read_games(text, &format, &options).map_err(|error| error.to_string())?;
    assert_eq!(games.len(), 1, "{text}");
    Ok((record_text(&games[0]), games[0].warnings.messages().join("; ")))
}

fn load(text: &str) -> Outcome {
    let mut engine = Engine::new(quoridor(), SystemHost::shared_host());
    engine.load_record(text, None).map_err(|error| error.to_string())?;
    Ok((engine.record_text(), engine.warning.take().unwrap_or_default()))
}

fn request(text: &str) -> Outcome {
    let line = json!({ "record": text, "game": "quoridor", "ask": "record" }).to_string();
    let mut responder = Responder::with_default_options(SystemHost::shared_host());
    let Ok(InputMessage::Request(fields)) = InputMessage::parse(&line) else { panic!("{line}") };
    let PreparedResponse::Response(response) = responder.prepare_response(*fields) else {
        panic!("{line}")
    };
    let response: Value = serde_json::from_str(&response.to_json_line()).unwrap();
    if let Some(message) = response["error"]["message"].as_str() {
        return Err(message.into());
    }
    let warnings = response["warnings"].as_array().into_iter().flatten();
    let warnings: Vec<&str> = warnings.filter_map(Value::as_str).collect();
    Ok((response["record"].as_str().unwrap().into(), warnings.join("; ")))
}

/// Checks the result of reading an element.
fn check(element: &Element, outcome: &Outcome, reader: &str) {
    let Element { name, handling, text, shown } = element;
    let joined = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let (found, fits) = match (handling, outcome) {
        (Read, Ok((record, warnings))) => {
            (record, warnings.is_empty() && joined(record).contains(&joined(shown)))
        }
        (Reported, Ok((_, warnings))) => (warnings, warnings.contains(shown)),
        (Rejected, Err(error)) => (error, error.contains(shown)),
        _ => panic!("{reader}: {name} should be {handling}: {text}: {outcome:?}"),
    };
    assert!(fits, "{reader}: {name}: {text}: {found} {outcome:?}");
}

/// Returns the records of a text in this format, each without line ends, or the error.
fn convert_all(text: &str, format: &str, options: &Options) -> Result<Vec<String>, String> {
    let games = read_games(text, &format.parse().unwrap(), options);
    let games = games.map_err(|error| error.to_string())?;
    Ok(games.iter().map(|game| record_text(game).replace('\n', " ")).collect())
}

#[test]
fn lists_with_an_empty_line_between_them_are_two_games() {
    let two = ["1. d1 e8 *", "1. e2 d9 *"];
    for text in ["1. d1 e8\n\n1. e2 d9", "1. d1 e8\n\n1. e2 d9\n\n"] {
        for format in ["record", "moves"] {
            let games = convert_all(text, format, &quoridor()).unwrap();
            assert!(
                games.len() == 2 && games.iter().zip(two).all(|(game, end)| game.ends_with(end))
            );
        }
        let several = "it holds 2 games: ";
        assert!(load(text).unwrap_err().starts_with(several), "{text}");
        assert!(request(text).unwrap_err().contains(several), "{text}");
        assert_eq!(read_openings(text, &quoridor()).unwrap().openings.len(), 2);
        let mut engine = Engine::new(quoridor(), SystemHost::shared_host());
        engine.load_record(text, Some(2)).unwrap();
        assert!(engine.record_text().ends_with(two[1]));
    }
    let continued = "1. d1\n\n1... e8\n\n2. e1";
    assert!(load(continued).unwrap().0.ends_with("1. d1 e8 2. e1 *"));
}

#[test]
fn only_the_chosen_game_is_replayed() {
    for (format, text) in [
        ("record", "[Game \"quoridor\"] zz *\n[Game \"quoridor\"] e2 *"),
        ("sgf", "(;B[aa])(;B[io])"),
    ] {
        let read = |number| {
            let format = format.parse().unwrap();
            let game = read_game_with_number(text, &format, &quoridor(), number);
            game.map(|game| record_text(&game)).map_err(|error| error.to_string())
        };
        assert!(read(2).unwrap().ends_with("1. e2 *"), "{format}");
        assert!(read(1).is_err(), "{format}");
        for number in [0, 3] {
            let expected = format!("it holds 2 games, and no game {number}");
            assert_eq!(read(number), Err(expected), "{format}");
        }
    }
}

#[test]
fn readers_of_records_also_read_sgf_and_others_name_it() {
    let text = "\u{feff} ( ;B[io];W[ic])";
    assert!(convert(text, "record").unwrap().0.ends_with("1. e2 e8 *"));
    // A variation of a record may begin with a comment.
    for text in ["e2 (; B\nd1) *", "[P1 \"(;B[io])\"] e2 (d1) *", "{(;B[io])} e2 (d1) *"] {
        assert!(convert(text, "record").unwrap().0.contains("1. e2 (1. d1"), "{text}");
    }
    for format in ["record:prefix", "moves", "json", "oblique", "openings", "source"] {
        let error = convert(text, format).unwrap_err();
        assert_eq!(error, "it is SGF: use --from sgf", "{format}");
    }
}

#[test]
fn a_position_of_the_source_and_moves_after_an_empty_line_are_one_game() {
    let position = "Red Knight: b8\nGreen Knight: h2\nWalls: b5, c6, d7, e8, e2, f3, g4, h5";
    let read = |text: &str| convert_all(text, "source", &Options::default());
    let expected = read(&format!("{position}\n1. Kb6 Kh4")).unwrap();
    assert!(expected.len() == 1 && expected[0].ends_with("1. Kb6 Kh4 *"), "{expected:?}");
    let separated = format!("{position}\n\n \n1. Kb6 Kh4");
    assert_eq!(read(&separated), Ok(expected.clone()));
    // A position without moves is a game, and comments are not lost.
    let all = read(&format!("{position}\n\n{position}\n# a: b\n\n1. Kb6\n\ne8d9")).unwrap();
    let ends = ["\"] *", "{a: b} 1. Kb6 *", "1. e8d9 *"];
    assert!(
        all.len() == 3 && all.iter().zip(ends).all(|(game, end)| game.ends_with(end)),
        "{all:?}"
    );
}

#[test]
fn errors_of_openings_name_the_move_of_a_list() {
    for (text, part) in [
        ("1. e2 e9", "move 2, e9, is illegal"),
        (
            "e2 e8\n\ne2 zz",
            "game 2: the text names no game, so it is read as quoridor: move 2, zz: ",
        ),
        ("1. zz", "move 1, zz: "),
        ("1. e2 {a} zz", "move 2, zz: "),
        ("startpos moves e2 zz", "line 1: move 2, zz: "),
        ("startpos\ne2 e8", "line 2: position string: "),
        (
            "zz e8",
            "; as a list of moves: the text names no game, so it is read as quoridor: move 1, zz: ",
        ),
    ] {
        let error = read_openings(text, &quoridor()).err().unwrap().to_string();
        let names_one = error.contains("position string") == text.starts_with("zz")
            || text.starts_with("startpos\n");
        assert!(error.contains(part) && names_one, "{text}: {error}");
    }
}

/// OpenSpiel's action strings, as `action_to_string` returns them: rows are counted from the top,
/// the first player begins in row 9, and the upper left square names a wall. Replays of Kaggle's
/// environments have the same strings in the field `actionString`, here on a board of 5x5.
#[test]
fn move_lists_of_open_spiel_and_kaggle_are_read() {
    let list = "e8 e2 e7 e3 e6 e4 e5 e6 e4h c7v d5 e7";
    let games = convert_all(list, "moves:suffix-top", &quoridor()).unwrap();
    let expected = "1. e2 e8 2. e3 e7 3. e4 e6 4. e5 e4 5. e5h c2v 6. d5 e3 *";
    assert!(games[0].ends_with(expected), "{games:?}");
    let mut small = quoridor();
    small.set(&Quoridor::RULE_OPTIONS[0], "5").unwrap();
    let actions = r#"["c4", "c2", "a1v", "c2h", "b4", "d2"]"#;
    for (format, text) in [
        ("json:suffix-top", actions.to_string()),
        ("moves:suffix-top", actions.replace(['[', ']', '"'], "")),
    ] {
        let games = convert_all(&text, format, &small).unwrap();
        assert!(games[0].ends_with("1. c2 c4 2. a4v c3h 3. b2 d4 *"), "{games:?}");
    }
}

#[test]
fn marks_between_signs_stay_as_typed() {
    let games = convert_all("1. Kb6?!= Kh4=!", "record", &Options::default()).unwrap();
    assert!(games[0].ends_with("1. Kb6?!= Kh4=! *"), "{games:?}");
}

#[test]
fn duplicate_tags_in_json_have_their_line() {
    let text = "[\"e2\"]\n{\"moves\": [], \"tags\": [[\"P1\", \"a\"], [\"p1\", \"b\"]]}";
    let error = convert_all(text, "json", &quoridor()).unwrap_err();
    assert_eq!(error, "line 2: the record has the tag p1 twice");
}

/// SGF with variations has as many moves as a record may have.
#[test]
fn moves_in_sgf_are_limited() {
    let responder = |most| {
        let defaults = quoridor();
        Responder::new(defaults, SearchLimits::UNLIMITED, most, SystemHost::shared_host())
    };
    let line = json!({ "record": "(;B[io](;W[ic])(;W[ga]))", "ask": "record" }).to_string();
    for (most, is_read) in [(3, true), (2, false)] {
        let Ok(InputMessage::Request(fields)) = InputMessage::parse(&line) else { panic!() };
        let PreparedResponse::Response(response) = responder(most).prepare_response(*fields) else {
            panic!()
        };
        let response = response.to_json_line();
        assert_eq!(response.contains("1. e2 e8"), is_read, "{response}");
        assert_eq!(response.contains("at most 2 moves"), !is_read, "{response}");
    }
}

#[test]
fn every_reader_reads_reports_or_rejects_each_element() {
    for (format, elements) in FORMATS {
        for element in elements {
            check(element, &convert(element.text, format), format);
            if ["record", "sgf"].contains(&format) {
                check(element, &load(element.text), "load");
                check(element, &request(element.text), "request");
            }
        }
    }
}

/// An opening has moves only, so that all other elements are reported or rejected.
#[test]
fn openings_have_the_moves_of_games() {
    for element in RECORD.iter().chain(SGF) {
        let read = read_openings(element.text, &quoridor());
        match (element.handling, read) {
            // The error may be that of a list of openings.
            (Rejected, Err(_)) => {}
            (Reported, Ok(read)) => {
                assert!(read.warnings.join("; ").contains(element.shown), "{}", element.name);
            }
            (Read, Ok(read)) => assert_eq!(read.openings.len(), 1, "{}", element.name),
            // Other rules than those of the match.
            (Read, Err(error)) if element.text.contains("Walls=3") => {
                assert!(error.to_string().ends_with("and the match is by 'quoridor'"), "{error}");
            }
            (_, read) => panic!("{}: {:?}", element.name, read.map(|read| read.warnings)),
        }
    }
    let openings = |text: &str| read_openings(text, &quoridor()).unwrap().openings;
    let two = openings("startpos moves e2 e8\nstartpos moves e2");
    assert_eq!(two.len(), 2);
    for text in ["1. e2 e8\n\n1. e2", "[P1 \"x\"] e2 e8 * e2 *", "(;B[io];W[ic])(;B[io])"] {
        assert_eq!(openings(text), two, "{text}");
    }
    let error = read_openings("startpos\nstartpos moves zz", &quoridor()).err().unwrap();
    assert!(error.to_string().starts_with("line 2: move 1, zz: "), "{error}");
}

/// A part of a record, a record that has it, and the way in which each writer handles it.
struct RecordPart {
    name: &'static str,
    text: &'static str,
    /// For `json`, `moves`, `openings` and `sgf`.
    handlings: [Handling; 4],
}

const WRITERS: [&str; 4] = ["json", "moves", "openings", "sgf"];

const PARTS: [RecordPart; 10] = [
    RecordPart { name: "moves", text: "e2 e8 *", handlings: [Read; 4] },
    RecordPart {
        name: "options of the rules",
        text: "[Game \"quoridor\"] [Option \"Quoridor_Walls=3\"] e2 *",
        handlings: [Read, Reported, Reported, Read],
    },
    RecordPart {
        name: "another start position",
        text: "[Fen \"e2e8 - b 10/10 4\"] e7 *",
        handlings: [Read, Rejected, Read, Rejected],
    },
    RecordPart {
        name: "the tags of `sgf` in the table above",
        text: "[P2 \" a]:\\\\ \"] [P1 \"\"] [Date \"2026.??.01\"] e2 *",
        handlings: [Read, Reported, Reported, Read],
    },
    RecordPart {
        name: "other tags",
        text: "[TimeControl \"60\"] e2 *",
        handlings: [Read, Reported, Reported, Reported],
    },
    RecordPart {
        name: "the result, if the moves do not lead to it",
        text: "[Outcome \"win black time\"] e2 0-1",
        handlings: [Read, Reported, Reported, Read],
    },
    RecordPart {
        name: "comments",
        text: "{a} e2 {[[%clk 0:00:01] ]\\:} *",
        handlings: [Read, Reported, Reported, Read],
    },
    RecordPart {
        name: "marks, scores and clock times",
        text: "e2?! {+0.35/12} {[%clk 0:00:01]} *",
        handlings: [Read, Reported, Reported, Read],
    },
    RecordPart {
        name: "other glyphs",
        text: "e2 $14 $2 $1 (d1! $2 $3) *",
        handlings: [Read, Reported, Reported, Read],
    },
    RecordPart {
        name: "variations",
        text: "e2 (d1 e8) *",
        handlings: [Read, Reported, Reported, Read],
    },
];

#[test]
fn every_writer_writes_reports_or_rejects_each_part() {
    for part in &PARTS {
        let games = read_games(part.text, &"record".parse().unwrap(), &quoridor()).unwrap();
        for (format, handling) in WRITERS.into_iter().zip(part.handlings) {
            let written = format_games(&games, &format.parse().unwrap());
            let found = match &written {
                Err(_) => Rejected,
                Ok((_, omissions)) if omissions.omissions_summary().is_some() => Reported,
                Ok((text, _)) => {
                    let (again, warnings) = convert(text, format).unwrap();
                    assert_eq!(
                        (again, warnings),
                        (record_text(&games[0]), String::new()),
                        "{text}"
                    );
                    Read
                }
            };
            assert_eq!(found, handling, "{format}: {}", part.name);
        }
    }
}

/// Each command that reads games accepts SGF in another character set, and warns about the parts of
/// SGF that it does not read.
#[test]
fn commands_read_sgf_and_warn() {
    let folder = Folder::new("sgf");
    let file = folder.file("game.sgf");
    fs::write(&file, b"(;PB[Zo\xeb]N[x];B[io];W[ic])").unwrap();
    let latin1 = "the text is not UTF-8, and is read as Latin-1";
    let not_read = "not read: N (line 1)";
    let record = "[Game \"quoridor\"]\n[Outcome \"ongoing\"]\n[P1 \"Zo\u{eb}\"]\n1. e2 e8 *";
    let command = ["--game", "quoridor", "convert", &file, "--from", "sgf"];
    let (out, err, code) = run(program(command), "");
    assert_eq!((out.trim_end(), code), (record, Some(0)));
    assert!(err.contains(latin1) && err.contains(not_read), "{err}");
    let mut client = Client::in_process();
    client.send("setoption name Game value quoridor");
    for (line, warnings) in
        [(format!("load {file}"), 2), ("load text (;PB[Zo\u{eb}]N[x];B[io];W[ic])".into(), 1)]
    {
        client.send("uginewgame");
        client.send(&line);
        client.send("record");
        client.send("isready");
        let lines = client.receive_until("readyok");
        let (warned, shown) = lines.split_at(warnings);
        assert_eq!(warned[0], format!("info string warning: {not_read}"));
        assert_eq!(shown[..4].join("\n"), record);
    }
    client.send("load text 1. e2 e8 2. e3 e7");
    assert_eq!(client.ask("query fen"), "response e3e7 - w 10/10 3");
    let play = ["play", "quoridor", "--load", &file, "--side", "both"];
    let (out, err, _) = run(program(play), "record\n");
    assert!(out.contains("1. e2 e8 *") && err.contains(not_read), "{out}{err}");
    let bushka = folder.file("bushka");
    fs::write(&bushka, "[Game \"bushka\"] *").unwrap();
    let (_, err, _) = run(program(["play", "quoridor", "--load", &bushka]), "");
    assert!(err.contains("it is a game of bushka, not quoridor"), "{err}");
    let arena =
        ["arena", "--game", "quoridor", "--openings", &file, "--nodes", "1", "--games", "2"];
    let (_, err, code) = run(program(arena.into_iter().chain(["--plies", "3"])), "");
    let lost = "openings do not have these: 1 tag";
    assert!(code == Some(0) && err.contains(lost) && err.contains(not_read), "{err}");
}

/// Changes some tags of a record. In some records, lets a player resign or lose on time.
fn vary_record(record: &mut GameRecord, options: &Options, rng: &mut Rng) {
    let mut session = new_game_session(options);
    let moves: Vec<InputWord> =
        record.moves.iter().map(|mv| InputWord::from_text(&mv.text)).collect();
    session.play_moves(&moves).unwrap();
    let is_for_two = session.game_constants().players.len() == 2;
    let loser = *rng.choice(&Side::BOTH_SIDES).unwrap();
    let end = *rng.choice(&[EndByPlayers::Resignation(loser), EndByPlayers::Time(loser)]).unwrap();
    if is_for_two && rng.bool() && session.end_game_by_players(end).is_ok() {
        let ended = game_record(options, session.as_ref());
        record.tags.retain(|(name, _)| name != "Outcome");
        record.tags.extend(ended.tags.into_iter().filter(|(name, _)| name == "Outcome"));
        record.tags.sort_by_key(|(name, _)| {
            ["Game", "Option", "Outcome"].iter().position(|known| known == name).unwrap_or(9)
        });
        record.result = ended.result;
    }
    let values = ["", " ", " a  b ", "2026.11.??", "2026-11-25", "\\\"", "]:\\\\[", "Zoë"];
    for (name, value) in &mut record.tags {
        let is_name = ["P1", "P2", "Date", "Event"].contains(&name.as_str());
        if is_name && rng.bool() {
            *value = (*rng.choice(&values).unwrap()).into();
        }
    }
    if rng.u8(..3) == 0 {
        record.tags.push(("TimeControl".into(), "60".into()));
    }
}

/// Returns the record with the variations as SGF has them.
fn flat(mut record: GameRecord) -> GameRecord {
    fn flatten(line: &mut [RecordedMove]) {
        for mv in line.iter_mut().filter(|mv| !mv.notes().variations.is_empty()) {
            let notes = mv.notes_mut();
            notes.variations = flatten_variations(std::mem::take(&mut notes.variations));
            notes.variations.iter_mut().for_each(|line| flatten(line));
        }
    }
    flatten(&mut record.moves);
    record
}

/// Writes a game in each format and reads it again. Checks that the game is equal, or that the loss
/// is reported.
fn check_round_trips(text: &str, options: &Options, rng: &mut Rng) {
    let games = read_games(text, &"record".parse().unwrap(), options)
        .unwrap_or_else(|error| panic!("{error}: {text}"));
    let record = &games[0].record;
    assert_eq!((record_text(&games[0]).as_str(), games[0].warnings.messages()), (text, vec![]));
    for format in WRITERS {
        let kind: GameFileFormat = format.parse().unwrap();
        let Ok((written, omissions)) = format_games(&games, &kind) else {
            assert!(format == "sgf", "{format}: {text}");
            continue;
        };
        let again = read_games(&written, &kind, options)
            .unwrap_or_else(|error| panic!("{error}: {written}\n{text}"));
        assert_eq!(again[0].warnings.messages(), [""; 0], "{written}");
        match omissions.omissions_summary() {
            None => assert_eq!(flat(again[0].record.clone()), flat(record.clone()), "{written}"),
            Some(_) => assert_eq!(
                again[0].session.game_moves().moves,
                games[0].session.game_moves().moves,
                "{written}"
            ),
        }
        if format == "sgf" {
            check_unread_properties(&written, &again[0].record, options, rng);
        }
    }
}

/// Adds properties that are not read to a text in SGF. Checks that the game is the same, and that
/// all added properties are reported.
fn check_unread_properties(text: &str, record: &GameRecord, options: &Options, rng: &mut Rng) {
    let nodes = parse_sgf(text).unwrap().nodes;
    let mut changed = text.to_string();
    let mut added = Vec::new();
    for node in nodes.iter().rev() {
        if rng.u8(..8) > 0 {
            continue;
        }
        let property = ["N", "LB", "TR", "OB", "VW", "KO"][rng.usize(..6)];
        changed.insert_str(node.offset + 1, &format!("{property}[\\]x]"));
        added.push(property);
    }
    let games = read_games(&changed, &"sgf".parse().unwrap(), options).unwrap();
    assert_eq!(&games[0].record, record, "{changed}");
    let warnings = games[0].warnings.messages().join("; ");
    for property in added {
        assert!(warnings.contains(&format!("{property} (")), "{property}: {warnings}");
    }
}

/// Passes random games of all rules through every reader and writer.
fn check_random_games(count: usize, seed: u64) {
    #[derive(Clone)]
    struct Check {
        count: usize,
        seed: u64,
    }
    impl GameOperation for Check {
        type Output = ();
        fn run_for_game_type<G: Game>(self) {
            let mut rng = Rng::with_seed(self.seed);
            let sets = option_sets_of::<G>();
            for _ in 0..self.count {
                let options = rng.choice(&sets).unwrap();
                let most = rng.usize(1..40);
                let mut record = random_record(options, &mut rng, most);
                vary_record(&mut record, options, &mut rng);
                let text = annotations::record_text(&record, options);
                check_round_trips(&text, options, &mut rng);
                for outcome in [load(&text), request(&text)] {
                    assert_eq!(outcome, Ok((text.clone(), String::new())));
                }
            }
        }
    }
    for_each_game(Check { count: count / 5, seed });
}

#[test]
fn random_games_are_equal_or_their_loss_is_reported() {
    check_random_games(50, 84);
}

/// To run this test: `cargo test --test all formats::a_thousand -- --ignored`
#[test]
#[ignore = "takes minutes"]
fn a_thousand_random_games_are_equal_or_their_loss_is_reported() {
    check_random_games(1000, 8_400);
}

/// Returns the rows of the table after a heading, as cells.
fn table_after(text: &str, heading: &str) -> Vec<Vec<String>> {
    let at = text.find(heading).unwrap_or_else(|| panic!("docs/convert.md has no {heading}"));
    let lines = text[at..].lines().skip_while(|line| !line.starts_with('|')).skip(2);
    lines
        .take_while(|line| line.starts_with('|'))
        .map(|line| line.trim_matches('|').split(" | ").map(|cell| cell.trim().into()).collect())
        .collect()
}

#[test]
fn documentation_lists_the_same_elements() {
    let text = include_str!("../docs/convert.md");
    for (format, elements) in FORMATS {
        let expected: Vec<Vec<String>> = elements
            .iter()
            .map(|element| vec![element.name.into(), element.handling.to_string()])
            .collect();
        assert_eq!(table_after(text, &format!("### `{format}`")), expected, "{format}");
    }
    let mut expected = Vec::new();
    for part in &PARTS {
        let mut cells = vec![part.name.to_string()];
        cells.extend(part.handlings.map(|handling| match handling {
            Read => "written".into(),
            other => other.to_string(),
        }));
        expected.push(cells);
    }
    assert_eq!(table_after(text, "## Writing"), expected);
}
