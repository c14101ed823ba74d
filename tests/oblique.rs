//! The notation of MindSports for games of Bushka, read and written by `convert`.

use fastrand::Rng;
use pentarch::convert::format::GameFileFormat;
use pentarch::convert::{format_games, read_games};
use pentarch::io::host::SystemHost;
use pentarch_bushka::Bushka;
use pentarch_core::notation::record::{GameRecord, RecordedMove};
use pentarch_core::{Options, Rules};
use pentarch_engine::engine_state::new_game_session;
use pentarch_engine::input_word::InputWord;
use pentarch_engine::record::{ReplayedGame, game_record};

use crate::client::{program, run};

/// The moves of two games between A. Treep and C. Freeling, as published in the Bushka Tutor of
/// MindSports.
const PUBLISHED: [&str; 2] = [
    "1. f25 eg8 2. f46 f0x7 3. ih7 cxg7 4. g3x6 bc4? 5. gf6 cxe6 6. if5 f9x6 7. ixg6 f86 8. g57 \
     e76 9. g68! exg6 10. g45x ad5 11. ed3 d54x 12. d23x f75 13. f34x f65x 14. ji6 cd4 15. ih6 bd5 \
     16. hg6 d76 17. g59 ef9x 18. hg5x bc6 19. hg4? ce6! *",
    "1. e14 ef7 2. f45 f0x6 3. jxg6 bd5 4. h67 fg7x 5. ih7x c74 6. ed4x bc4x 7. h78 dxg8 8. g3x7 \
     c63 9. fxd3 d6x4 10. ih6? e97? 11. gf7x de7x 12. h67? c53 13. ed3x de4 14. hxf4 d5e3x 15. i56 \
     f97 16. hg7x ef7x 17. gf6 fg7 18. g4x6 f87x 19. gf6 cd4 20. hf5 de4 21. ge5 e32 22. fe6! e87x \
     23. e5x f76x 24. e56 f65 25. e67 e21 26. fe2 f54 27. e78 f43 28. e89 f32 29. ih6 b65 30. hg6 \
     f26 31. g67 ac5 32. g78 bd5 33. e98 f67 34. e87 f75 35. e74 d54 36. g89 cd5 37. e48 de5 38. \
     e86x fe5 39. ef6 e53x 40. gf9 e35 41. f90 *",
];

fn format(word: &str) -> GameFileFormat {
    word.parse().unwrap()
}

fn read(text: &str, options: &Options) -> Result<Vec<ReplayedGame>, String> {
    read_games(text, &format("oblique"), options).map_err(|error| error.to_string())
}

/// Reads the only game of a text in this notation by the default options.
fn read_one(text: &str) -> Result<ReplayedGame, String> {
    read(text, &Options::default()).map(|mut games| games.remove(0))
}

fn write(games: &[ReplayedGame]) -> String {
    format_games(games, &format("oblique")).unwrap().0
}

/// Returns the moves of a written game, without tags and line ends.
fn written_moves(game: ReplayedGame) -> String {
    let text = write(&[game]);
    let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with('[')).collect();
    lines.join(" ").trim().into()
}

#[test]
fn published_games_are_read_and_written_on_the_older_board() {
    for game in PUBLISHED {
        let replayed = read_one(game).unwrap();
        assert_eq!(replayed.warnings.assumed_rules, Some("Bushka_Board=11x9"));
        assert_eq!(written_moves(replayed), game);
    }
}

#[test]
fn boards_are_tried_unless_a_tag_or_an_option_names_one() {
    // The position is one of 10x10.
    let newer = "[Fen \"10/10/10/10/10/10/10/8b1/10/w9 w 1\"] 1. e12 *";
    assert_eq!(read_one(newer).unwrap().warnings.assumed_rules, Some("Bushka_Board=10x10"));
    let mut chosen = Options::default();
    chosen.set(&Bushka::RULE_OPTIONS[0], "10x10").unwrap();
    let games = read("1. f25 *", &chosen).unwrap();
    assert_eq!(games[0].warnings.assumed_rules, None);
    assert_eq!(
        games[0].record.text([(0, 1)]),
        "[Game \"bushka\"]\n[Outcome \"ongoing\"]\n1. c1f4 *"
    );
    // `j6` is a square of 11x9 only.
    let named = read_one("[Game \"bushka\"] 1. f25 eg8 *").unwrap();
    assert_eq!(named.warnings.assumed_rules, Some("Bushka_Board=11x9"));
    for text in ["[Game \"bushka\"] 1. f25 *", "[Option \"Bushka_Board=11x9\"] 1. f25 *"] {
        assert_eq!(read_one(text).unwrap().warnings.assumed_rules, None, "{text}");
    }
    let error = read_one("1. f25 f76 *").err().unwrap();
    assert!(
        error.starts_with("with Bushka_Board=11x9: move 2")
            && error.contains("; with Bushka_Board=10x10: "),
        "{error}"
    );
}

#[test]
fn bare_lists_need_no_game_and_many_games_have_one_note() {
    let list = read_games("1. f25 eg8", &format("moves:oblique"), &Options::default()).unwrap();
    assert_eq!(list[0].record.moves, read_one("1. f25 eg8").unwrap().record.moves);
    let wall = read_games("e2 e8 he3", &format("moves:prefix"), &Options::default()).unwrap();
    assert_eq!(wall[0].record.tag_values("Game").collect::<Vec<_>>(), ["quoridor"]);
    let text = "1. f25 *\n".repeat(3) + "[Fen \"10/10/10/10/10/10/10/8b1/10/w9 w 1\"] 1. e12 *\n";
    let (_, notes, code) = run(program(["convert", "--from", "oblique"]), &text);
    let expected = "pentarch: game 4: no tag names the rules: read with Bushka_Board=10x10\n\
                    pentarch: 3 games, the first is game 1: no tag names the rules: read with Bushka_Board=11x9\n";
    assert_eq!((notes.as_str(), code), (expected, Some(0)));
}

#[test]
fn all_forms_of_a_move_are_read() {
    for (text, written) in [
        ("1. F2-F5 E8-g8 2. f4-6 f0xf7 *", "1. f25 eg8 2. f46 f0x7 *"),
        (
            "1. f25 = {even} (1. e14!? king {k}) eg8= *",
            "1. f25 $10 {even} (1. e14!? {k}) 1... eg8 $10 *",
        ),
        // On c3 the soldier captures twice; on d4 it returns, capturing e5 and b2.
        ("[Fen \"11/11/11/1b9/4b6/11/2w8/11/11 w 1\"] 1. e3-e4-d4x *", "1. e3d4x 1-0"),
        ("[Fen \"11/11/11/11/4b6/11/2w8/1b9/11 w 1\"] 1. e3-e4-e3 *", "1. e3x 1-0"),
        ("[Fen \"11/11/11/11/4b6/11/2w8/1b9/11 w 1\"] 1. e3X *", "1. e3x 1-0"),
        // Two captures begin and end on the same squares.
        ("[Fen \"11/11/11/5b5/6b4/3w7/6b4/5b5/11 w 1\"] 1. e4xe5xf5 *", "1. e4-e5-f5x *"),
    ] {
        let game = read_one(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(written_moves(game), written, "{text}");
    }
    for (text, part) in [
        ("1. k25 *", "move 1, 'k25': column 1: expected a letter from a to j"),
        ("1. f6 *", "move 1, 'f6': column 3: expected a digit, a letter from a to j or x"),
        ("1. a12 *", "move 1, 'a12': column 1: expected squares of the board"),
        (
            "[Fen \"11/11/11/5b5/6b4/3w7/6b4/5b5/11 w 1\"] 1. e4f5x *",
            "several captures begin and end there: d4e3f4 or d4e5f4",
        ),
    ] {
        let error = read_one(text).err().unwrap_or_else(|| panic!("{text} was read"));
        assert!(error.contains(part), "{text}: {error}");
    }
}

/// Returns a random game. A move may have another move as its variation.
fn random_game(options: &Options, rng: &mut Rng) -> ReplayedGame {
    let mut session = new_game_session(options);
    let mut line = Vec::new();
    while line.len() < 300 {
        let legal = session.legal_move_strings();
        let Some(text) = rng.choice(&legal) else { break };
        let mut mv = RecordedMove::new(text.clone(), None);
        if rng.u8(..20) == 0 {
            mv.notes_mut().variations = vec![vec![rng.choice(&legal).unwrap().clone().into()]];
        }
        session.play_moves(&[InputWord::from_text(text)]).unwrap();
        line.push(mv);
    }
    let record = GameRecord { moves: line, ..game_record(options, session.as_ref()) };
    ReplayedGame::replay(record, options, SystemHost::shared_host().as_ref()).unwrap()
}

/// Checks that random games on both boards return from this notation.
fn check_random_games(count: usize) {
    let mut rng = Rng::with_seed(84);
    for number in 0..count {
        let mut options = Options::default();
        options.set(&pentarch_engine::games::GAME_OPTION, Bushka::GAME_ID).unwrap();
        options.set(&Bushka::RULE_OPTIONS[0], ["10x10", "11x9"][number % 2]).unwrap();
        let game = random_game(&options, &mut rng);
        let record = game.record.clone();
        let written = write(&[game]);
        let again = read_one(&written).unwrap_or_else(|error| panic!("{error}: {written}"));
        assert_eq!(again.record, record, "{written}");
    }
}

#[test]
fn a_few_random_games_return() {
    check_random_games(6);
}

/// To run this test: `cargo test --test all oblique:: -- --ignored`
#[test]
#[ignore = "1,000 games: seconds"]
fn many_random_games_return() {
    check_random_games(1000);
}
