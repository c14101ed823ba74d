//! Game records. A saved game can be loaded again, and an invalid file changes nothing.

use std::cell::Cell;
use std::fs;

use pentarch::io::host::SystemHost;
use pentarch_core::Options;
use pentarch_engine::engine_state::Engine;

use crate::client::{Client, program, run};
use crate::common::temporary::Folder;

/// Returns the record of the current game.
fn record(client: &mut Client) -> Vec<String> {
    client.send("record");
    client.send("isready");
    client.receive_until("readyok")
}

#[test]
fn loads_random_games_with_their_rules() {
    let rules = [
        ("alcaxar", ""),
        ("alquerque", "setoption name Alquerque_Ruleset value alfonso"),
        ("alquerque", "setoption name Alquerque_Removal value after"),
        ("roses", "setoption name Roses_ContiguousSupport value true"),
        ("quoridor", "setoption name Quoridor_BoardSize value 5"),
        ("quoridor", "setoption name RepetitionDraw value true"),
        ("bushka", "setoption name Bushka_Board value 11x9"),
    ];
    let mut rng = fastrand::Rng::with_seed(1);
    for (game, rule) in rules {
        let mut client = Client::in_process();
        client.send(&format!("setoption name Game value {game}"));
        client.send(rule);
        for _ in 0..rng.usize(30..120) {
            let moves = client.ask("query moves");
            let moves: Vec<&str> = moves.split(' ').skip(1).filter(|&mv| mv != "none").collect();
            let Some(mv) = rng.choice(&moves) else { break };
            client.send(&format!("play {mv}"));
        }
        let fen = client.ask("query fen");
        let outcome = client.ask("query outcome");
        let kept = record(&mut client);
        let folder = Folder::new("record");
        let file = folder.file("game");
        client.send(&format!("record {file}"));
        client.send("setoption name RepetitionDraw value false");
        client.send("setoption name Game value alcaxar");
        client.send(&format!("load {file}"));
        assert_eq!(
            (client.ask("query fen"), client.ask("query outcome")),
            (fen, outcome),
            "{game} {rule}"
        );
        assert_eq!(record(&mut client), kept, "{game} {rule}");
        client.send("undo");
        let refused = client.ask(&format!("record {file}"));
        assert!(
            refused.starts_with("info string error: "),
            "an existing file is not touched: {refused}"
        );
        assert_eq!(client.finish().0, [""; 0]);
    }
}

/// Invalid records. Each has a part of the expected error.
const INVALID_RECORDS: [(&str, &str); 24] = [
    ("", "it holds no game"),
    ("; nothing", "it holds no game"),
    ("e2 e8", "the text names no game, so it is read as alcaxar: move 1, e2: column "),
    ("(;B[io])", "the text names no game, so it is read as alcaxar: line 1, column 2: "),
    (
        "[Game \"quoridor\"] [Result \"1-0\"] 1. e2 0-1",
        "the tag Result says '1-0', but the record ends in 0-1",
    ),
    (
        "[Game \"quoridor\"] [SetUp \"1\"] 1. e2 *",
        "the tag SetUp says '1', but there is no tag Fen",
    ),
    (
        "[Game \"quoridor\"] [PlyCount \"3\"] 1. e2 *",
        "the tag PlyCount says '3', but the record has 1 moves",
    ),
    (
        "[Game \"quoridor\"] [P1 \"a\"] [p1 \"b\"] 1. e2 *",
        "expected each tag only once, found 'p1'",
    ),
    ("[Game \"quoridor\"] 1. e2 $256 *", "line 1, column 25: expected a glyph from $0 to $255"),
    ("[Game \"chess\"]", "Game takes alcaxar, alquerque"),
    ("[Game \"quoridor\"] [Option \"Quoridor_Wals=3\"]", "the game has no rule 'Quoridor_Wals'"),
    (
        "[Game \"quoridor\"] [Option \"Quoridor_Walls=30\"]",
        "Quoridor_Walls takes a whole number from 0 to 20",
    ),
    (
        "[Game \"quoridor\"] [Option \"Quoridor_Walls\"]",
        "expected NAME=VALUE, found 'Quoridor_Walls'",
    ),
    (
        "[Game \"quoridor\"] [Fen \"e1e9 - w 10/10\"]",
        "position string: column 15: expected the full-move number",
    ),
    ("[Game \"quoridor\"] [Fen \"e1e1 - w 10/10 1\"]", "invalid position: "),
    ("[Game \"quoridor\"] 1. e2 e7", "move 2, e7, is illegal: "),
    ("[Game \"quoridor\"] 1. e2 e8 2. zz", "move 3, zz: column 2: expected "),
    (
        "[Game \"quoridor\"] [Outcome \"win white goal\"] 1. e2 *",
        "the record says 'win white goal', but the game is",
    ),
    (
        "[Game \"alcaxar\"] 1. Kb6 Kh4 2. Kb8 Kh2 3. Kb6 Kh4 4. Kb8 Kh2 1-0",
        "the record ends in 1-0, but the game is: win green stalemate",
    ),
    (
        "[Game \"quoridor\"] [game \"bushka\"] 1. e2 *",
        "line 1, column 20: expected each tag only once, found 'game'",
    ),
    (
        "[Game \"quoridor\"] [Outcome \"ongoing\"] [Outcome \"win white resignation\"] e2 *",
        "expected each tag only once, found 'Outcome'",
    ),
    (
        "[Game \"quoridor\"] [Option \"Quoridor_Walls=3\"] [Option \"quoridor_walls=4\"]",
        "expected each option only once, found 'quoridor_walls=4",
    ),
    ("[Game \"quoridor\" 1. e2", "line 1, column 18: expected ], found '1.'"),
    (
        "[Game \"quoridor\"] [Checksum \"crc32:00000000\"] 1. e2 e8 *",
        "its tag Checksum is 'crc32:00000000', not crc32:",
    ),
];

#[test]
fn invalid_file_is_reported_and_changes_nothing() {
    let mut client = Client::in_process();
    client.send("play e8d9");
    let before = client.ask("query fen");
    let folder = Folder::new("bad-record");
    let file = folder.file("game");
    for (text, why) in INVALID_RECORDS {
        fs::write(&file, text).unwrap();
        let answer = client.ask(&format!("load {file}"));
        assert!(
            answer.starts_with("info string error: ") && answer.contains(why),
            "{text}: {answer}"
        );
        assert_eq!(client.ask("query fen"), before, "{text}");
    }
    fs::write(&file, "[Game \"quoridor\"]\n\n1. e2 {").unwrap();
    assert!(client.ask(&format!("load {file}")).contains("line 3, column 7: expected "));
    fs::write(&file, " ".repeat(16 * 1024 * 1024 + 1)).unwrap();
    assert!(client.ask(&format!("load {file}")).contains("it has more than 16777216 bytes"));
    assert!(
        client
            .ask(&format!("load {}", folder.path().display()))
            .ends_with("it is not a regular file")
    );
    fs::write(&file, b"\xff\xfe").unwrap();
    assert!(client.ask(&format!("load {file}")).starts_with("info string error: "));
    fs::remove_file(&file).unwrap();
    assert!(client.ask(&format!("load {file}")).starts_with("info string error: "));
    assert_eq!(client.ask("query fen"), before);
}

#[cfg(unix)]
#[test]
fn writes_a_record_to_a_device() {
    let mut client = Client::in_process();
    client.send("record /dev/null");
    assert_eq!(client.ask("isready"), "readyok");
    let (out, err, code) = run(program(["play", "quoridor"]), "save /dev/null\n");
    assert!(code == Some(0) && out.contains("saved in '/dev/null'"), "{out}{err}");
}

#[test]
fn loads_a_record_without_result_with_a_warning() {
    let mut client = Client::in_process();
    let game = "[Game \"quoridor\"] [Outcome \"win white resignation\"] 1. e2 e8 2. e3";
    let warning = "info string warning: the record may be truncated: its tag Outcome says 'win white resignation', but \
                   it does not end in 1-0";
    assert_eq!(client.ask(&format!("load text {game}")), warning);
    assert_eq!(client.ask("query outcome"), "response win white resignation");
    // This record lacks nothing.
    for game in [
        &format!("{game} 1-0"),
        "[Game \"quoridor\"] 1. e2 e8",
        "[Game \"quoridor\"] [Outcome \"ongoing\"] 1. e2",
    ] {
        client.send(&format!("load text {game}"));
        assert_eq!(client.ask("isready"), "readyok", "{game}");
    }
    let (out, err, code) = run(program(["convert", "--to", "moves"]), game);
    assert_eq!((out.as_str(), code), ("e2 e8 e3\n", Some(0)), "{err}");
    assert!(err.starts_with("pentarch: the record may be truncated: "), "{err}");
}

#[test]
fn reads_a_handwritten_record() {
    let folder = Folder::new("record-by-hand");
    let file = folder.file("game");
    let text = "; the start\n[Game \"Alcaxar\"]\n\n1. e8d9 c6b7+ {a check} 2. Kd8! $1 d9e8+ 3. b5a6 e2e4+ 4. d7c6 Kf2 1-0\n";
    fs::write(&file, text).unwrap();
    let mut client = Client::in_process();
    client.send(&format!("load {file}"));
    assert!(client.ask("query fen").ends_with(" 5"), "the game is loaded");
    assert_eq!(client.ask("query outcome"), "response ongoing");
}

#[test]
fn rejects_an_unknown_game_number() {
    let folder = Folder::new("record-numbers");
    let file = folder.file("games");
    let mut client = Client::in_process();
    for (text, held) in [("", "no game"), ("*\n", "game 1 only"), ("*\n*\n", "games 1 to 2")] {
        fs::write(&file, text).unwrap();
        assert!(client.ask(&format!("load {file}:3")).ends_with(&format!(": it holds {held}")));
    }
}

/// Commands with many moves cannot be interrupted.
#[test]
fn rejects_games_that_are_too_long() {
    let folder = Folder::new("record-long");
    let moves = "e2 e8 e1 e9 ".repeat(25_000);
    let file = folder.file("game");
    let mut client = Client::in_process();
    client.send("setoption name Game value quoridor");
    client.send(&format!("position startpos moves {moves}"));
    assert_eq!(client.ask("query fen"), "response e1e9 - w 10/10 50001");
    let too_long = "a game has at most 100000 moves";
    assert!(client.ask("play e2").ends_with(too_long));
    assert!(client.ask(&format!("position startpos moves {moves} e2")).ends_with(too_long));
    fs::write(&file, format!("[Game \"quoridor\"]\n{moves} e2 *\n")).unwrap();
    assert!(client.ask(&format!("load {file}")).ends_with(too_long));
    assert_eq!(client.ask("query fen"), "response e1e9 - w 10/10 50001");
}

#[test]
fn load_can_be_stopped_between_moves() {
    let record = format!("[Game \"quoridor\"]\n{}*", "e2 e8 e1 e9 ".repeat(1_000));
    let mut engine = Engine::new(Options::default(), SystemHost::shared_host());
    let calls = Cell::new(0);
    let before = engine.session.position_fen();
    let result =
        engine.load_record_unless_stopped(&record, None, &|| calls.replace(calls.get() + 1) == 2);
    let error = result.unwrap_err().to_string();
    assert!(error.starts_with("loading was stopped"), "{error}");
    assert_eq!((engine.session.position_fen(), calls.get()), (before, 3));
    engine.load_record(&record, None).unwrap();
    assert_eq!(engine.session.game_state().moves, 4_000);
}

/// An ending by agreement is loaded with any reason. A result without a reason is also loaded.
#[test]
fn loads_endings_by_the_players() {
    let folder = Folder::new("record-ends");
    let file = folder.file("game");
    let text_of = |client: &mut Client| record(client).join("\n").replace("\nreadyok", "");
    let written = |text: &str| {
        fs::write(&file, text).unwrap();
        let mut client = Client::in_process();
        client.send(&format!("load {file}"));
        let outcome = client.ask("query outcome");
        (outcome, text_of(&mut client), client)
    };
    for outcome in
        ["win white resignation", "win black resignation", "win white time", "win black time"]
    {
        let result = if outcome.contains("white") { "1-0" } else { "0-1" };
        let text = format!("[Game \"quoridor\"]\n[Outcome \"{outcome}\"]\n1. e2 {result}");
        let (found, again, mut client) = written(&text);
        assert_eq!((found, again), (format!("response {outcome}"), text));
        client.send("undo");
        assert_eq!(client.ask("query outcome"), "response ongoing");
    }
    let agreed = "[Game \"alquerque\"]\n[Option \"Alquerque_Win=block\"]\n[Outcome \"draw agreement\"]\n1/2-1/2";
    assert_eq!(written(agreed).1, agreed);

    // A result without a reason is stored until another move is made.
    let drawn = "[Game \"quoridor\"]\n[Outcome \"ongoing\"]\n1. e2 e8 1/2-1/2";
    let (found, again, mut client) = written(drawn);
    assert_eq!((found.as_str(), again.as_str()), ("response ongoing", drawn));
    client.send("play e3");
    assert!(text_of(&mut client).ends_with("1. e2 e8 2. e3 *"));
    client.send("undo");
    assert!(text_of(&mut client).ends_with("1. e2 e8 1/2-1/2"));

    for (text, why) in [
        (
            "[Game \"quoridor\"] [Outcome \"draw agreement\"] 1. e2 1/2-1/2",
            "these rules have no draw by agreement",
        ),
        (
            "[Game \"quoridor\"] [Outcome \"win white resignation\"] 1. e2 0-1",
            "the record ends in 0-1, but the game is",
        ),
    ] {
        fs::write(&file, text).unwrap();
        let error = Client::in_process().ask(&format!("load {file}"));
        assert!(error.contains(why), "{error}");
    }
}
