//! Annotations that people add to games. They survive each format of the engine and of other
//! programs. Hostile input changes nothing.

use std::fs;

use fastrand::Rng;
use pentarch::convert::format::GameFileFormat;
use pentarch::convert::{format_games, read_games};
use pentarch::io::host::SystemHost;
use pentarch_core::notation::record::notes::SearchEvaluation;
use pentarch_core::notation::record::{
    GameRecord, RecordedMove, escape_tag_value, two_player_turns_from,
};
use pentarch_core::{Options, Side};
use pentarch_engine::engine_state::{Engine, new_game_session};
use pentarch_engine::input_word::InputWord;
use pentarch_engine::record::{RecordAnnotation, ReplayedGame, game_record};
use pentarch_engine::record_json::{main_line_entries, parse_record_main_line_json};
use pentarch_engine::session::Session;
use pentarch_games::{Game, GameOperation};
use serde_json::{Value, json};

use crate::client::{Client, program, run};
use crate::common::temporary::Folder;
use crate::common::{for_each_game, option_sets};

/// Comments that a reader could mistake for something else.
const COMMENTS: [&str; 12] = [
    "good",
    "<script>alert(1)</script> &amp; <b>",
    "} {",
    "}}",
    "a ; b $1 (c) 1-0 * [Game \"x\"]",
    "+0.35/12",
    "[%clk 0:00:01]",
    "\\ ] : \" '",
    "Привет ≠ 🙂 é",
    "readyok",
    "\u{202e}desrever",
    "-- 1. e2 e8 # no",
];

/// Returns a line of random moves from the current position, with every kind of annotation. The
/// game does not change.
fn random_line(
    session: &mut dyn Session,
    rng: &mut Rng,
    most: usize,
    depth: usize,
) -> Vec<RecordedMove> {
    let mut line = Vec::new();
    while line.len() < most {
        let legal = session.legal_move_strings();
        let Some(text) = rng.choice(&legal) else { break };
        let mut mv = RecordedMove::new(text.clone(), None);
        if rng.u8(..4) == 0 {
            mv.evaluation =
                Some(SearchEvaluation { centipawns: rng.i32(-3000..3000), depth: rng.u32(..40) });
        }
        let notes = mv.notes_mut();
        for _ in 0..rng.usize(..3).saturating_sub(1) {
            notes.add_glyph(rng.u8(..20));
        }
        if rng.u8(..3) == 0 && session.resolve_move(&format!("{text}+")).is_ok() {
            notes.signs = rng.choice(["+", "≠", "≡", "#=", "?+", "!!!"]).unwrap().into();
        }
        if rng.u8(..3) == 0 {
            notes.clock = Some(rng.u64(..20_000_000));
        }
        if rng.u8(..3) == 0 {
            notes.comment = rng.choice(COMMENTS).unwrap().into();
        }
        if depth < 3 && rng.u8(..6) == 0 {
            for _ in 0..rng.usize(1..3) {
                let most = rng.usize(1..6);
                notes.variations.push(random_line(session, rng, most, depth + 1));
            }
        }
        session.play_moves(&[InputWord::from_text(text)]).unwrap();
        line.push(mv);
    }
    session.undo_moves(line.len() as u32).unwrap();
    line
}

/// Returns options that choose the rules of a game. Each option occurs with each of its values.
pub(crate) fn option_sets_of<G: Game>() -> Vec<Options> {
    let mut sets = option_sets::<G>(0);
    sets.iter_mut()
        .for_each(|options| options.set(&pentarch_engine::games::GAME_OPTION, G::GAME_ID).unwrap());
    sets
}

/// Returns a random game by these rules with every kind of annotation.
pub(crate) fn random_record(options: &Options, rng: &mut Rng, most: usize) -> GameRecord {
    let mut session = new_game_session(options);
    let moves = random_line(session.as_mut(), rng, most, 0);
    session
        .play_moves(&moves.iter().map(|mv| InputWord::from_text(&mv.text)).collect::<Vec<_>>())
        .unwrap();
    let mut record = game_record(options, session.as_ref());
    for (name, value) in [
        ("P1", "Ada \"the\" \\ King"),
        ("P2", "<i>Bo</i>"),
        ("Date", "2026.11.25"),
        ("Event", "]:x"),
    ] {
        record.tags.push((name.into(), escape_tag_value(value)));
    }
    record.comment = rng.choice(COMMENTS).unwrap().into();
    record.moves = moves;
    record
}

pub(crate) fn record_text(record: &GameRecord, options: &Options) -> String {
    let mut session = new_game_session(options);
    session
        .play_moves(
            &record.moves.iter().map(|mv| InputWord::from_text(&mv.text)).collect::<Vec<_>>(),
        )
        .unwrap();
    record.text(session.game_moves().turns)
}

/// The engine, a UGI session and JSON requests return all annotations.
#[test]
fn engine_ugi_and_json_return_all_annotations() {
    #[derive(Clone)]
    struct Check;
    impl GameOperation for Check {
        type Output = ();
        fn run_for_game_type<G: Game>(self) {
            let mut rng = Rng::with_seed(5);
            for options in option_sets_of::<G>().into_iter().take(6) {
                let record = random_record(&options, &mut rng, 40);
                let text = record_text(&record, &options);
                assert_eq!(GameRecord::parse(&text), Ok(record.clone()), "{text}");
                let mut engine = Engine::new(Options::default(), SystemHost::shared_host());
                engine.load_record(&text, None).unwrap_or_else(|error| panic!("{error}: {text}"));
                assert_eq!(engine.annotated_record(), record, "{text}");
                assert_eq!(engine.record_text(), text);

                let mut client = Client::in_process();
                client.send(&format!("load text {}", text.replace('\n', " ")));
                client.send("record");
                client.send("isready");
                let mut shown = client.receive_until("readyok");
                shown.pop();
                assert_eq!(shown.join("\n"), text);

                let asked = json!({ "ask": ["record", "course"], "record": text }).to_string();
                let (answer, err, _) = run(program(["analyse"]), asked);
                let answer: Value =
                    serde_json::from_str(&answer).unwrap_or_else(|_| panic!("{answer}{err}"));
                assert_eq!(answer["record"], json!(text), "{answer}");
                assert_eq!(answer["course"]["line"], json!(main_line_entries(&record)));
                assert_eq!(answer["course"]["tags"][0], json!(["P1", "Ada \"the\" \\ King"]));
                let (comment, moves) =
                    parse_record_main_line_json(&answer["course"]["line"]).unwrap();
                assert_eq!((comment, moves), (record.comment, record.moves));
            }
        }
    }
    for_each_game(Check);
}

/// The fuzz target `records` found this error: such a move was stored as a variation of itself.
#[test]
fn uppercase_moves_keep_their_annotations() {
    #[derive(Clone)]
    struct Check;
    impl GameOperation for Check {
        type Output = ();
        fn run_for_game_type<G: Game>(self) {
            let options = &option_sets_of::<G>()[0];
            let mut record = random_record(options, &mut Rng::with_seed(6), 20);
            record.moves.iter_mut().for_each(|mv| mv.notes_mut().variations.clear());
            let text = record_text(&record, options);
            record.moves.iter_mut().for_each(|mv| mv.text.make_ascii_uppercase());
            let mut engine = Engine::new(Options::default(), SystemHost::shared_host());
            engine
                .load_record(&record.text(two_player_turns_from((1, Side::First))), None)
                .unwrap();
            assert_eq!(engine.record_text(), text);
        }
    }
    for_each_game(Check);
}

/// Annotations stay with their moves when moves are taken back and made again.
#[test]
fn annotations_return_with_their_moves() {
    let mut engine = Engine::new(Options::default(), SystemHost::shared_host());
    let text = "[Game \"quoridor\"]\n[Outcome \"ongoing\"]\n[P1 \"Ada\"]\n{x} 1. e2! {good} 1... e8 (1... e3h {wall}) 2. e3 *";
    engine.load_record(text, None).unwrap();
    assert_eq!(engine.record_text(), text);
    let words = |text: &str| text.split(' ').map(InputWord::from_text).collect::<Vec<_>>();
    engine.session.undo_moves(2).unwrap();
    assert!(engine.record_text().ends_with("{x} 1. e2! {good} *"));
    engine.session.play_moves(&words("e3h")).unwrap();
    assert!(
        engine.record_text().ends_with("{x} 1. e2! {good} 1... e3h {wall} (1... e8 2. e3) *"),
        "{}",
        engine.record_text()
    );
    engine.session.undo_moves(1).unwrap();
    engine.session.play_moves(&words("e8 e3")).unwrap();
    assert_eq!(engine.record_text(), text);
    // Front ends take moves back in this way.
    engine.set_position(None, &words("e2 e8 e3 e7")).unwrap();
    assert!(
        engine.record_text().ends_with("2. e3 e7 *") && engine.record_text().contains("{good}")
    );
    engine.set_position(None, &words("e2")).unwrap();
    engine.set_position(None, &words("e2 e8")).unwrap();
    assert!(engine.record_text().contains("{good}"));
    engine.set_position(None, &words("d1")).unwrap();
    assert_eq!(engine.record_text(), "[Game \"quoridor\"]\n[Outcome \"ongoing\"]\n1. d1 *");
}

/// If a move is taken back and made again, it still has its annotations. This also holds if other
/// annotations were added in between.
#[test]
fn adding_keeps_annotations_of_undone_moves() {
    let mut engine = Engine::new(Options::default(), SystemHost::shared_host());
    let text = "[Game \"quoridor\"]\n[Outcome \"ongoing\"]\n1. e2 {one} 1... e8 {two} (1... d9) 2. e3 {three} *";
    engine.load_record(text, None).unwrap();
    engine.session.undo_moves(2).unwrap();
    engine.add_annotation(RecordAnnotation::Comment("first".into())).unwrap();
    assert!(engine.record_text().ends_with("\n1. e2 {first} *"), "{}", engine.record_text());
    engine.session.play_moves(&["e8", "e3"].map(InputWord::from_text)).unwrap();
    assert_eq!(engine.record_text(), text.replace("one", "first"));
}

/// If variations exceed the nesting limit, the deepest ones are dropped. So the record can be read
/// again.
#[test]
fn writes_no_record_deeper_than_the_limit() {
    let mut engine = Engine::new(Options::default(), SystemHost::shared_host());
    let text = format!("[Game \"quoridor\"] e2 {}e8{} *", "e8 (".repeat(100), ")".repeat(100));
    engine.load_record(&text, None).unwrap();
    engine.session.undo_moves(2).unwrap();
    engine.session.play_moves(&[InputWord::from_text("d1")]).unwrap();
    engine.add_annotation(RecordAnnotation::Mark(Some(1))).unwrap();
    let written = engine.record_text();
    assert!(written.ends_with("1. d1! *"), "{written}");
    engine.load_record(&written, None).unwrap();
}

/// A new game has no annotations of the previous game, even if both games have the same first
/// position.
#[test]
fn new_game_has_no_annotations_of_the_previous_one() {
    let input = "load text [Game \"quoridor\"] [P1 \"Ada\"] 1. e2 {good} e8 *\nuginewgame\nposition startpos\n\
                 play d1\nrecord\n";
    let (out, _, code) = run(program([""; 0]), input);
    assert_eq!(
        (out.as_str(), code),
        ("[Game \"quoridor\"]\n[Outcome \"ongoing\"]\n1. d1 *\n", Some(0))
    );
}

/// In a game of four players, the move numbers of later moves in a variation are unknown when the
/// record is written.
#[test]
fn four_player_variations_have_the_number_of_their_first_move() {
    let head = "[Game \"quoridor\"]\n[Option \"Quoridor_Players=4\"]\n";
    let text = format!("{head}e2 b5 e8 h5 e3 (f2 c5 e7 g5 f3 d5) *");
    let mut engine = Engine::new(Options::default(), SystemHost::shared_host());
    engine.load_record(&text, None).unwrap();
    assert!(
        engine.record_text().ends_with("1. e2 b5 e8 h5 2. e3 (2. f2 c5 e7 g5 f3 d5) *"),
        "{}",
        engine.record_text()
    );
}

#[test]
fn validates_annotations() {
    let mut engine = Engine::new(Options::default(), SystemHost::shared_host());
    engine.set_option("Game", "quoridor").unwrap();
    let mut add = |addition| engine.add_annotation(addition).map_err(|error| error.to_string());
    assert_eq!(add(RecordAnnotation::Mark(Some(1))).unwrap_err(), "no move was made yet");
    add(RecordAnnotation::Comment("before".into())).unwrap();
    add(RecordAnnotation::Tag("P1".into(), "Ada \"King\"".into())).unwrap();
    assert!(
        add(RecordAnnotation::Tag("Outcome".into(), "x".into()))
            .unwrap_err()
            .starts_with("the game itself determines")
    );
    assert!(
        add(RecordAnnotation::Tag("P 1".into(), "x".into()))
            .unwrap_err()
            .starts_with("the name of a tag")
    );
    assert!(
        add(RecordAnnotation::Comment("\u{1b}[31m".into()))
            .unwrap_err()
            .starts_with("a comment must not have control")
    );
    engine.session.play_moves(&["e2", "e8"].map(InputWord::from_text)).unwrap();
    let mut add = |addition| engine.add_annotation(addition).map_err(|error| error.to_string());
    add(RecordAnnotation::Mark(Some(5))).unwrap();
    let variation = |moves: &str| {
        RecordAnnotation::Variation(moves.split(' ').map(InputWord::from_text).collect())
    };
    add(variation("e3h e3")).unwrap();
    add(variation("e3h")).unwrap();
    assert!(add(variation("e3h e9")).unwrap_err().starts_with("move 3, e9, is illegal: "));
    let head = "[Game \"quoridor\"]\n[Outcome \"ongoing\"]\n[P1 \"Ada \\\"King\\\"\"]\n";
    assert_eq!(engine.record_text(), format!("{head}{{before}} 1. e2 e8!? (1... e3h 2. e3) *"));
}

/// Markup, control characters, megabytes of text and deep nesting each cause one error. It names
/// the location, and nothing changes.
#[test]
fn hostile_records_change_nothing() {
    let head = "[Game \"quoridor\"]\n";
    let nested = |depth: usize| format!("{head}{}e2{} *", "e2 (".repeat(depth), ")".repeat(depth));
    let cases = [
        (
            format!("{head}e2 {{a\u{1b}]0;x\u{7}}} *"),
            "line 2, column 6: expected text without control characters",
        ),
        (
            format!("{head}[P1 \"\u{9b}2J\"] e2 *"),
            "line 2, column 6: expected text without control characters",
        ),
        (format!("{head}[P1 \"x\\\nbestmove e2\"] e2 *"), "line 2, column 7: expected "),
        (format!("{head}[P1 \"x\rbestmove e2\"] e2 *"), "line 2, column 7: expected "),
        (format!("{head}[\u{1b}[2Jx \"y\"] e2 *"), "line 2, column 2: expected the name of a tag"),
        (
            format!("{head}e2 {{{}}} *", "x".repeat(1 << 22)),
            "line 2, column 4: expected comments of at most 10000",
        ),
        (format!("{head}e2 {} *", "{xy}".repeat(1 << 18)), "expected comments of at most 10000"),
        (nested(10_000), "line 2, column 404: expected at most 100 nested variations"),
        (nested(1_000_000), "line 2, column 404: expected at most 100 nested variations"),
        (
            format!("{head}{}", "e2 (".repeat(100)),
            "expected ) at the end of the variation, found the end",
        ),
        (
            format!("{head}e2 {}*", "(e3) ".repeat(200_000)),
            "a record has at most 100000 moves with its variations",
        ),
        (format!("{head}e2 e8 (e3h e9) *"), "variation for move 2, e8: move 3, e9, is illegal: "),
        (format!("{head}e2 (e3 (zz)) *"), "variation for move 1, e2: move 1, e3, is illegal: "),
        (
            format!("{head}e2 (e1h (zz)) *"),
            "variation for move 1, e2: variation for move 1, e1h: move 1, zz: column ",
        ),
        (
            format!("{head}<script>alert(1)</script> *"),
            "move 1, <script>alert: column 1: expected ",
        ),
        (format!("{head}e2 {{never closed"), "line 2, column 4: expected a comment that ends in }"),
    ];
    let folder = Folder::new("hostile-records");
    let file = folder.file("game");
    let mut client = Client::in_process();
    client.send("play e8d9");
    let before = client.ask("query fen");
    for (text, why) in cases {
        fs::write(&file, &text).unwrap();
        let answer = client.ask(&format!("load {file}"));
        let shown: String = text.chars().take(60).collect();
        assert!(
            answer.starts_with("info string error: ") && answer.contains(why),
            "{shown}: {answer}"
        );
        assert!(answer.len() < 600 && !answer.contains(char::is_control), "{shown}: {answer}");
        assert_eq!(client.ask("query fen"), before, "{shown}");
    }
    assert!(client.ask("record").starts_with("[Game \"alcaxar\"]"));
}

fn format(word: &str) -> GameFileFormat {
    word.parse().unwrap()
}

/// Reads games in one format, writes them in another, and reads them again.
fn convert_and_read_again(text: &str, to: &str, options: &Options) -> (String, Vec<ReplayedGame>) {
    let games = read_games(text, &format("record"), options)
        .unwrap_or_else(|error| panic!("{error}: {text}"));
    let (written, _) =
        format_games(&games, &format(to)).unwrap_or_else(|error| panic!("{to}: {error}: {text}"));
    let again = read_games(&written, &format(to), options)
        .unwrap_or_else(|error| panic!("{to}: {error}: {written}"));
    (written, again)
}

/// The first move of a variation may have variations. This function moves them up to the level of
/// that variation.
pub(crate) fn flatten_variations(variations: Vec<Vec<RecordedMove>>) -> Vec<Vec<RecordedMove>> {
    let mut flat = Vec::new();
    for mut variation in variations {
        let others = std::mem::take(&mut variation[0].notes_mut().variations);
        flat.push(variation);
        flat.extend(flatten_variations(others));
    }
    flat
}

/// Returns the record of a replayed game as text.
fn replayed_text(game: &ReplayedGame) -> String {
    game.record.text(game.session.game_moves().turns)
}

/// Removes the annotations that the formats of Go front ends cannot store.
fn remove_non_go_annotations(line: &mut [RecordedMove]) {
    for mv in line {
        let notes = mv.notes_mut();
        notes.glyphs.retain(|glyph| (1..=6).contains(glyph));
        notes.variations = flatten_variations(std::mem::take(&mut notes.variations));
        notes.variations.iter_mut().for_each(|variation| remove_non_go_annotations(variation));
    }
}

#[test]
fn every_format_returns_the_games() {
    #[derive(Clone)]
    struct Check;
    impl GameOperation for Check {
        type Output = ();
        fn run_for_game_type<G: Game>(self) {
            let mut rng = Rng::with_seed(9);
            for options in option_sets_of::<G>().into_iter().take(8) {
                let record = random_record(&options, &mut rng, 60);
                let text = record_text(&record, &options);
                let two = format!("{text}\n\n{text}\n");
                let (written, again) = convert_and_read_again(&two, "record", &Options::default());
                assert_eq!((written, again.len()), (two.clone(), 2));
                let (_, again) = convert_and_read_again(&two, "json", &Options::default());
                assert!(
                    again.len() == 2 && again.iter().all(|game| game.record == record),
                    "{text}"
                );
                let bare_moves =
                    |moves: &[RecordedMove]| moves.iter().map(|mv| mv.text.clone()).collect();
                let moves: Vec<String> = bare_moves(&record.moves);
                let styles =
                    G::MOVE_NOTATION_STYLES.iter().map(|style| format!("moves:{}", style.word));
                for to in styles.chain(["moves".into()]) {
                    let (_, again) = convert_and_read_again(&text, &to, &options);
                    assert_eq!(
                        bare_moves(&again[0].record.moves) as Vec<String>,
                        moves,
                        "{to}: {text}"
                    );
                }
                for style in G::MOVE_NOTATION_STYLES {
                    let (_, again) =
                        convert_and_read_again(&text, &format!("json:{}", style.word), &options);
                    assert_eq!(again[0].record, record);
                }
                let session = new_game_session(&options);
                if session.position_notation().published.is_some() {
                    let (written, again) = convert_and_read_again(&text, "source", &options);
                    assert_eq!(
                        bare_moves(&again[0].record.moves) as Vec<String>,
                        moves,
                        "{written}"
                    );
                }
                if session.go_board_scene().is_some() {
                    let (written, again) =
                        convert_and_read_again(&text, "sgf", &Options::default());
                    let mut expected = record.clone();
                    remove_non_go_annotations(&mut expected.moves);
                    let mut found = again[0].record.clone();
                    remove_non_go_annotations(&mut found.moves);
                    assert_eq!(found, expected, "{written}");
                }
            }
        }
    }
    for_each_game(Check);
}

/// Endings by agreement and unusual start positions are converted or rejected.
#[test]
fn reports_what_a_format_cannot_store() {
    let options = Options::default();
    for outcome in ["win white resignation", "win black time"] {
        let result = if outcome.contains("white") { "1-0" } else { "0-1" };
        let text = format!("[Game \"quoridor\"]\n[Outcome \"{outcome}\"]\n1. e2 {result}");
        let (written, again) = convert_and_read_again(&text, "sgf", &options);
        assert_eq!(replayed_text(&again[0]), text, "{written}");
        assert_eq!(replayed_text(&convert_and_read_again(&text, "json", &options).1[0]), text);
    }
    let fen = "[Game \"quoridor\"]\n[Option \"Quoridor_Walls=3\"]\n[Fen \"e2e8 - b 3/3 4\"]\n\
               [Outcome \"ongoing\"]\n4... e7 *";
    let games = read_games(fen, &format("record"), &options).unwrap();
    let rejection = |to: &str| format_games(&games, &format(to)).unwrap_err().to_string();
    assert_eq!(
        rejection("moves"),
        "a bare list of moves cannot hold the start position 'e2e8 - b 3/3 4'"
    );
    assert_eq!(
        rejection("sgf"),
        "stones on a Go board do not define the start position 'e2e8 - b 3/3 4'"
    );
    assert_eq!(rejection("source"), "the rules of quoridor have no notation of their own");
    assert_eq!(replayed_text(&convert_and_read_again(fen, "json", &options).1[0]), fen);
    let source = "Red Knight: b8 / Green Knight: h2 / Walls: b5, c6, d7, e8, e2, f3, g4, h5\n1. Kb6 Kh4 2. e8d9+";
    let games = read_games(source, &format("source"), &options);
    assert_eq!(
        format_games(&games.unwrap(), &format("source")).unwrap().0.lines().next_back().unwrap(),
        "1. Kb6 Kh4+ 2. e8d9+"
    );
    let moved =
        "[Game \"alcaxar\"]\n[Fen \"f2h4 b5c6d7e2e8f3g4h5 r - 9\"]\n[Outcome \"ongoing\"]\n*";
    let moved = read_games(moved, &format("record"), &options).unwrap();
    assert!(
        format_games(&moved, &format("source"))
            .unwrap_err()
            .to_string()
            .starts_with("the notation of the source cannot hold the start position ")
    );
    for name in ["x\\nbestmove e8\\n", "a b", "", "Game", "x\\\"]\\n[Game \\\"roses"] {
        let line = format!(r#"{{"game": "quoridor", "moves": ["e2"], "tags": [["{name}", "v"]]}}"#);
        let error = read_games(&line, &format("json"), &options).err().unwrap().to_string();
        assert!(error.contains("tags: ") && !error.contains('\n'), "{line}: {error}");
    }
    let said = "[Game \"quoridor\"] {x} 1. e2! {y} (1. d1) *";
    let games = read_games(said, &format("record"), &options).unwrap();
    let (_, left_out) = format_games(&games, &format("moves")).unwrap();
    assert_eq!(left_out.omissions_summary().unwrap(), "2 comments, 1 mark, 1 variation");
}

/// Data has canonical moves, and the signs after them in a separate field.
#[test]
fn signs_after_moves_are_notes() {
    let options = Options::default();
    let text = "[Game \"alcaxar\"]\n[Outcome \"ongoing\"]\n1. Kb6≠ (1. e8d9+) 1... Kh4# 2. Kb8≡! *";
    let (json, again) = convert_and_read_again(text, "json", &options);
    let line = r##"["Kb6",{"signs":"≠"},["e8d9",{"signs":"+"}],"Kh4",{"signs":"#"},"Kb8",{"glyphs":[1],"signs":"≡"}]"##;
    assert!(json.contains(&format!("\"line\":{line}")), "{json}");
    assert_eq!(replayed_text(&again[0]), text);
    let (sgf, again) = convert_and_read_again(text, "sgf", &options);
    assert_eq!(replayed_text(&again[0]), text, "{sgf}");
    let written = |to: &str| {
        let games = read_games(text, &format("record"), &options).unwrap();
        let (text, left_out) = format_games(&games, &format(to)).unwrap();
        (text, left_out.omissions_summary().unwrap_or_default())
    };
    let moves = ("Kb6 Kh4 Kb8\n".to_string(), "1 mark, 3 signs, 1 variation".to_string());
    assert_eq!(written("moves"), moves);
    // The notation of the source has the signs that the moves deserve.
    let source = ("1. Kb6 Kh4+ 2. Kb8+!\n".to_string(), "3 signs, 1 variation".to_string());
    assert_eq!(written("source"), source);

    let mut engine = Engine::new(Options::default(), SystemHost::shared_host());
    let typed = ["Kb6≠", "Kh4", "Kb8≡!"].map(InputWord::from_text);
    engine.set_position(None, &typed).unwrap();
    assert_eq!(engine.session.game_moves().moves, ["Kb6", "Kh4", "Kb8"]);
    assert_eq!(
        serde_json::to_value(main_line_entries(&engine.annotated_record())).unwrap(),
        serde_json::json!(["Kb6", {"signs": "≠"}, "Kh4", "Kb8", {"glyphs": [1], "signs": "≡"}])
    );
    for line in
        [r#"["Kb6", {"signs": "x"}]"#, r#"["Kb6", {"signs": ""}]"#, r#"["Kb6+", {"signs": "≠"}]"#]
    {
        let line = format!(r#"{{"game": "alcaxar", "line": {line}}}"#);
        let error = read_games(&line, &format("json"), &options).err().unwrap().to_string();
        assert!(error.contains("entry 2: signs: "), "{error}");
    }
    let other = "[Game \"quoridor\"] 1. e2+ *";
    assert!(read_games(other, &format("record"), &options).is_err());
    // A bracket is not a sign.
    let coordinates = "[Game \"quoridor\"] 1. e2 ((5,2)!) *";
    let games = read_games(coordinates, &format("record"), &options).unwrap();
    assert!(replayed_text(&games[0]).ends_with("1. e2 (1. e2!) *"));
}

/// The source prints a position in three lines.
#[test]
fn reads_and_writes_the_notation_of_the_source() {
    let options = Options::default();
    let start = "Red Knight: b8\nGreen Knight: h2\nWalls: b5, c6, d7, e8, e2, f3, g4, h5";
    let other =
        "red knight: b6\r\nGreen Knight: h2\r\nWalls: b5 c6 d7 e8 e2 f3 g4 h5\r\nGreen to move";
    let text = format!("{start}\n1. Kb6! Kh4+?\n\n{other}\n1... Kh4!?\n\n1. e8d9\n");
    let games = read_games(&text, &format("source"), &options).unwrap();
    let (written, left_out) = format_games(&games, &format("source")).unwrap();
    assert_eq!(
        written,
        "1. Kb6! Kh4+?\n\n\
         Red Knight: b6 / Green Knight: h2 / Walls: b5, c6, d7, e2, e8, f3, g4, h5 / Green to move\n\
         1... Kh4+!?\n\n\
         1. e8d9\n"
    );
    assert_eq!(left_out.omissions_summary(), None);
    let rejection = |text: &str| match read_games(text, &format("source"), &options) {
        Ok(_) => panic!("{text} was read"),
        Err(error) => error.to_string(),
    };
    let late = format!("1. Kb6\n{start}\nKh4");
    assert_eq!(rejection(&late), "line 2: a position must precede the moves of its game");
    let green_first =
        "Kb6\n\nGreen Knight: h2\nRed Knight: b8\nWalls: b5, c6, d7, e8, e2, f3, g4, h5";
    let expected = "line 3: expected the line of the red knight first, found 'Green Knight: h2'";
    assert_eq!(rejection(green_first), expected);
    let error = rejection(&format!("{}\n1. Kb6", start.replace("h2", "h3")));
    assert!(error.contains("h3"), "{error}");
}

/// Games in the form that other programs write.
#[test]
fn reads_games_of_other_programs() {
    let mut options = Options::default();
    options.set(&pentarch_engine::games::GAME_OPTION, "quoridor").unwrap();
    let moves = |text: &str, from: &str| {
        let games = read_games(text, &format(from), &options)
            .unwrap_or_else(|error| panic!("{text}: {error}"));
        let lines: Vec<String> =
            games.iter().map(|game| game.session.game_moves().moves.join(" ")).collect();
        lines.join("; ")
    };
    assert_eq!(moves("e2 e8 he3 vd3", "moves:prefix"), "e2 e8 e3h d3v");
    assert_eq!(moves("1. E2, E8\n2. HE3 hh8\n\n# b\ne2 1-0", "moves:prefix"), "e2 e8 e3h h8h; e2");
    assert_eq!(moves("e8 e2 he6 vd1", "moves:prefix-top"), "e2 e8 e3h d8v");
    assert_eq!(moves("e8 e2 e6h", "moves:suffix-top"), "e2 e8 e3h");
    assert_eq!(moves("[\"e2\", \"e8\"]\n\n{\"moves\": \"e2 e8 e3\"}", "json"), "e2 e8; e2 e8 e3");
    assert_eq!(moves("[{\"move\": \"e2\"}, {\"move\": \"he3\"}]", "json:prefix"), "e2 e3h");
    assert_eq!(moves("(;GM[1]SZ[17]HA[0];B[io](;W[ic])(;W[ga]))", "sgf"), "e2 e8");
    let rejection = |text: &str, from: &str| match read_games(text, &format(from), &options) {
        Ok(_) => panic!("{text} was read"),
        Err(error) => error.to_string(),
    };
    assert_eq!(
        rejection("e2 e8 e3h", "moves:prefix"),
        "move 3, 'e3h': column 3: expected the end of the text, found 'h'"
    );
    let sgf =
        |nodes: &str| rejection(&format!("(;GM[1]SZ[17]RU[pentarch quoridor]\n{nodes})"), "sgf");
    assert_eq!(sgf(";B[io];W[]"), "line 2, column 7: no legal move continues there");
    assert_eq!(sgf(";B[io]W[ic]"), "line 2, column 1: a node has one move, not B and W");
    assert_eq!(sgf(";B[io][ic]"), "line 2, column 1: B takes one value, not 2");
    assert_eq!(sgf(";B[io]B[ic]"), "line 2, column 1: the node has the property B twice");
    assert_eq!(
        sgf(";B[io](;W[ic]C[a]\n C[b])"),
        "line 2, column 8: the node has the property C twice"
    );
    assert!(rejection("(;GM[1]RU[a]RU[b])", "sgf").ends_with("the node has the property RU twice"));
    assert!(rejection("(;GM[1]HA[2])", "sgf").contains("stones set up by HA"));
    assert_eq!(sgf(";W[io]"), "line 2, column 1: B is to move, not W");
    assert_eq!(
        sgf(";B[zz]"),
        "line 2, column 1: expected two letters for a point of the board, found 'zz'"
    );
    assert_eq!(
        sgf(";B[io]C[\u{1b}]"),
        "line 2, column 1: a comment must not have control characters, but there is one at character 1"
    );
    assert!(
        rejection("(;GM[1]SZ[9];B[aa])", "sgf")
            .ends_with("the board has 17 lines by these rules, not '9'")
    );
    assert!(
        rejection("(;GM[1]AB[aa])", "sgf")
            .contains("stones set up by AB do not define a start position")
    );
    assert!(rejection("e2\n\ne8 e9", "moves").starts_with(
        "game 2: the text names no game, so it is read as quoridor: move 1, e8, is illegal: e8"
    ));
}
