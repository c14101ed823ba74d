//! The extraction from the files of Alcaxar's solver. The tests compare its results with the files,
//! using only the moves of the game.

use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::sync::Arc;

use pentarch_alcaxar::Alcaxar;
use pentarch_alcaxar::board::Board;
use pentarch_alcaxar::position::Position;
use pentarch_alcaxar::solver::non_terminal_positions::non_terminal_positions;
use pentarch_alcaxar::solver::solved_game::{
    SolvedGame, SolvedGameBook, book_entries_for_move, book_move,
};
use pentarch_alcaxar::solver::stage_runner::start_position;
use pentarch_alcaxar::solver::tables::AlcaxarTablebase;
use pentarch_alcaxar::solver::wall_sets::{count_wall_sets, unrank_wall_set};
use pentarch_core::rules::legal_move_list;
use pentarch_core::tables::directory::TableDirectory;
use pentarch_core::{
    GameHistory, GameTables, Notation, Outcome, Rules, Side, TableWriteRequest, WriteTables,
};
use pentarch_search::opening_book::PositionOrbit;
use pentarch_tables::table_file::{StoredTableValues, TableFileWriter};
use pentarch_tables::xor_filter::{self, XorFilter};

use crate::alcaxar_solver::{Solved, opened, solved};
use crate::client::{program, run};
use crate::common::temporary::Folder;
use crate::common::{lost_rank, new_history, random_game, rules};

/// The certain winner of a game that begins with a position.
struct CertainWinner {
    side: Option<Side>,
    /// Whether the past of the game can prevent the win. It can if the winner may have to pass a
    /// position whose repetition the other side wins.
    depends_on_past: bool,
}

/// Returns the certain winner. It is determined by the ranks of positions that are lost for the
/// side to move.
fn certain_winner(solved: &Solved, position: &Position) -> CertainWinner {
    let rules = solved.rules.as_ref();
    let mover = position.side;
    let rank = lost_rank(rules, &solved.tables, position);
    if rank.is_some() {
        return CertainWinner { side: Some(!mover), depends_on_past: false };
    }
    let rank = |mv| {
        let next = rules.play(position, mv);
        match rules.outcome(&next) {
            Some(outcome) => (outcome.winner() == Some(mover)).then_some(0),
            None => lost_rank(rules, &solved.tables, &next),
        }
    };
    let least = legal_move_list(rules, position).into_iter().filter_map(rank).min();
    let is_ranked = least.is_some_and(|least| least > 0);
    CertainWinner {
        side: least.map(|_| mover),
        depends_on_past: is_ranked && repetition_winner(rules, position) != mover,
    }
}

/// Returns the side that wins by the repetition of a position.
fn repetition_winner(rules: &Alcaxar, position: &Position) -> Side {
    rules.repetition_outcome(position).unwrap().winner().unwrap()
}

/// Returns a key of a position. Symmetries that keep the sides do not change the key.
fn orbit_key(rules: &Alcaxar, position: &Position) -> u64 {
    let images = rules.symmetries().into_iter().filter(|symmetry| !symmetry.swaps_sides);
    let images = images.map(|symmetry| (symmetry.position)(rules, position)).chain([*position]);
    images.map(|image| rules.search_key(&image)).min().unwrap()
}

#[test]
fn openings_have_all_lines_of_two_plies_with_their_winners() {
    for walls in 1..=2 {
        let solved = solved(walls);
        let rules = solved.rules.as_ref();
        let start = start_position(walls);
        let text = SolvedGame::new(rules, &solved.tables, start).openings_text();
        let lines: Vec<&str> = text.lines().skip(1).collect();
        let mut seen = BTreeSet::new();
        let mut results = HashMap::new();
        for pair in lines.chunks(2) {
            let mut moves =
                pair[1].strip_prefix(&rules.position_text(&start)).unwrap().split_whitespace();
            let mut history = GameHistory::new(solved.rules.clone(), start);
            assert!(matches!(moves.next(), None | Some("moves")), "{}", pair[1]);
            moves.for_each(|mv| history.push(history.resolve_move(mv).unwrap()));
            let CertainWinner { side, depends_on_past } =
                certain_winner(solved, history.position());
            let result = side.map_or("# open".into(), |side| {
                format!("# {} wins", Alcaxar::SIDE_NAMES[side.index()])
            });
            let earlier = history.repeatable_positions();
            let is_harmless = |position: &Position| {
                side.is_none_or(|side| repetition_winner(rules, position) == side)
            };
            let may_be_open =
                depends_on_past || !earlier.iter().all(|earlier| is_harmless(earlier.position));
            assert!(
                pair[0] == result || may_be_open && pair[0] == "# open",
                "{} {result}",
                pair[1]
            );
            assert!(
                seen.insert(orbit_key(rules, history.position())),
                "{} is listed twice",
                pair[1]
            );
            *results.entry(result).or_insert(0) += 1;
        }
        let mut all = BTreeSet::from([orbit_key(rules, &start)]);
        for mv in legal_move_list(rules, &start) {
            let next = rules.play(&start, mv);
            all.insert(orbit_key(rules, &next));
            let after = legal_move_list(rules, &next).into_iter().map(|mv| rules.play(&next, mv));
            all.extend(
                after
                    .filter(|after| rules.outcome(after).is_none())
                    .map(|after| orbit_key(rules, &after)),
            );
        }
        assert_eq!(seen, all);
        assert!(results.len() > 1, "{results:?}");
    }
}

/// Plays a game in which one side follows a book to its end and the other side moves at random.
/// Returns the game and the number of moves from the book.
fn play_by_book(
    solved: &Solved,
    start: Position,
    side: Side,
    book: &SolvedGameBook,
    seed: u64,
) -> (GameHistory<Alcaxar>, u16) {
    let rules = &solved.rules;
    let mut rng = fastrand::Rng::with_seed(seed);
    let table = XorFilter::new(&book.bytes).unwrap();
    let most = book.moves.unwrap_or(u16::MAX);
    assert_eq!(table.label, most);
    let mut history = GameHistory::new(rules.clone(), start);
    let mut moves = 0;
    while history.outcome().is_none() && (history.side_to_move() != side || moves < most) {
        let position = *history.position();
        let mv = if position.side == side {
            moves += 1;
            book_move(rules, &table, &position).unwrap()
        } else {
            rng.choice(legal_move_list(rules.as_ref(), &position)).unwrap()
        };
        history.push(mv);
    }
    (history, moves)
}

/// A large book has a reply to each move up to the end of the game.
#[test]
fn a_winner_wins_by_its_book() {
    let solved = solved(2);
    let start = start_position(2);
    assert_eq!(certain_winner(solved, &start).side, Some(Side::First));
    let game = SolvedGame::new(&solved.rules, &solved.tables, start);
    assert!(game.build_book(Side::Second, 1000).unwrap().is_none());
    let book = game.build_book(Side::First, 100_000).unwrap().unwrap();
    assert_eq!(book.moves, None);
    assert!(
        book.positions > 10_000 && book.bytes.len() < 2 * book.positions,
        "{} positions",
        book.positions
    );
    for seed in 0..100 {
        let (history, _) = play_by_book(solved, start, Side::First, &book, seed);
        assert_eq!(history.outcome().unwrap().winner(), Some(Side::First));
    }
}

/// A book with few positions has only the first moves. They lead to positions with the least rank.
#[test]
fn a_small_book_has_the_first_moves() {
    let solved = solved(2);
    let start = start_position(2);
    let game = SolvedGame::new(&solved.rules, &solved.tables, start);
    let mut depths = BTreeSet::new();
    for most in [0, 1, 20, 500, 5000] {
        let book = game.build_book(Side::First, most).unwrap().unwrap();
        let depth = book.moves.unwrap();
        assert!(book.positions <= most && (depth > 0) == (most > 0), "{most}");
        depths.insert(depth);
        for seed in 0..20 {
            let (mut history, moves) = play_by_book(solved, start, Side::First, &book, seed);
            assert!(moves == depth || history.outcome().is_some());
            if history.pop().is_some() && history.side_to_move() == Side::First {
                let rank = |mv| {
                    let next = solved.rules.play(history.position(), mv);
                    match solved.rules.outcome(&next) {
                        Some(outcome) => (outcome.winner() == Some(Side::First)).then_some(0),
                        None => lost_rank(solved.rules.as_ref(), &solved.tables, &next),
                    }
                };
                let least = legal_move_list(solved.rules.as_ref(), history.position())
                    .into_iter()
                    .filter_map(rank)
                    .min();
                let table = XorFilter::new(&book.bytes).unwrap();
                let by_book = book_move(&solved.rules, &table, history.position());
                assert!(least.is_some() && rank(by_book.unwrap()) == least);
            }
        }
    }
    assert!(depths.len() >= 4, "{depths:?}");
}

/// With eight walls, a position may have more than 32 moves, but a number in a book is at most 31.
/// A second entry has the rest.
#[test]
fn a_book_can_store_every_legal_move() {
    let rules = rules::<Alcaxar>(&[]);
    let mut rng = fastrand::Rng::with_seed(3);
    let mut most = 0;
    for _ in 0..20 {
        random_game(new_history(&rules), &mut rng, 40, |history| {
            let orbit = PositionOrbit::new(rules.as_ref(), &rules.symmetries(), history.position());
            let moves = orbit.canonical_moves(&rules);
            for (number, &image) in moves.iter().enumerate().rev().take(2) {
                let book =
                    xor_filter::build_xor_filter(&book_entries_for_move(orbit.key, number), 0)
                        .unwrap();
                let found = book_move(&rules, &XorFilter::new(&book).unwrap(), history.position());
                assert_eq!(found, Some(orbit.map_move_from_image(&rules, image)));
            }
            most = most.max(moves.len());
        });
    }
    assert!(most > 32, "{most}");
}

/// From an open position both sides have a book. After the moves of a book, the other side has no
/// certain win.
#[test]
fn books_of_both_sides_keep_open_positions_open() {
    let solved = solved(2);
    let board = Board::default();
    let positions = (0..count_wall_sets(2))
        .flat_map(|rank| non_terminal_positions(&board, unrank_wall_set(2, rank)).step_by(7));
    let open: Vec<Position> = positions
        .filter(|position| certain_winner(solved, position).side.is_none())
        .step_by(9)
        .take(8)
        .collect();
    assert_eq!(open.len(), 8);
    let mut followed = 0;
    for (start, side) in
        open.into_iter().flat_map(|start| Side::BOTH_SIDES.map(|side| (start, side)))
    {
        let book = SolvedGame::new(&solved.rules, &solved.tables, start)
            .build_book(side, 300)
            .unwrap()
            .unwrap();
        for seed in 0..10 {
            let (history, moves) = play_by_book(solved, start, side, &book, seed);
            followed += u32::from(moves);
            match history.outcome() {
                Some(Outcome::Win(winner, reason)) => {
                    assert!(winner == side || reason == "stalemate", "{start:?}")
                }
                Some(Outcome::Draw(_)) => panic!("a draw"),
                None => assert_ne!(
                    certain_winner(solved, history.position()).side,
                    Some(!side),
                    "{start:?} {side:?}"
                ),
            }
        }
    }
    assert!(followed > 300, "{followed}");
}

#[test]
fn random_positions_pass_the_verification() {
    for walls in 1..=2 {
        let solved = solved(walls);
        let lost = SolvedGame::new(&solved.rules, &solved.tables, start_position(walls))
            .verify_random_positions(5000, 2)
            .unwrap();
        assert!((1000..4000).contains(&lost), "{lost}");
    }
}

/// Some files are valid but break the rules. In one all wins of red are stored as safe, and in
/// another red has no win.
#[test]
fn verification_finds_wrong_files() {
    let solved = solved(2);
    for (file, is_claimed) in [("alcaxar-2-red-safe", true), ("alcaxar-2-red", false)] {
        let folder = solved.files.write("alcaxar-wrong");
        let wins = StoredTableValues::open(&TableDirectory(folder.path()), "alcaxar-2-red", None)
            .unwrap()
            .unwrap();
        let mut values = vec![0; wins.byte_count() as usize];
        if is_claimed {
            wins.read(0, &mut values).unwrap();
        }
        let mut writer = TableFileWriter::new(folder.path(), file, wins.byte_count()).unwrap();
        writer.write(&values).unwrap();
        writer.finish().unwrap();
        let files = Some(Arc::new(TableDirectory(folder.path().to_path_buf())) as Arc<_>);
        let tables = opened(AlcaxarTablebase::for_wall_count(&solved.rules, 2, files));
        assert_eq!(tables.take_faults(), []);
        let position = SolvedGame::new(&solved.rules, &tables, start_position(2))
            .verify_random_positions(5000, 2)
            .unwrap_err();
        let rank = lost_rank(solved.rules.as_ref(), &tables, &position);
        assert_eq!((position.side, rank), (Side::Second, is_claimed.then_some(0)), "{file}");
    }
}

/// To run this test: `cargo test --release --test all alcaxar_extraction -- --ignored`
#[test]
#[ignore = "half an hour and more: solves five and six walls"]
fn five_and_six_walls_are_extracted() {
    for walls in ["5", "6"] {
        let tables = Folder::new("alcaxar-tables");
        let folder = Folder::new("alcaxar-answer");
        let path = format!("TablePath={}", tables.path().display());
        let (out, err, code) = run(
            program([
                "--game",
                "alcaxar",
                "--set",
                &path,
                "tables",
                walls,
                "--extract",
                &folder.file(""),
            ]),
            "",
        );
        assert_eq!(code, Some(0), "{out}{err}");
        assert!(out.contains(&format!("walls {walls} verified 1000000 lost ")), "{out}");
        let list = fs::read_to_string(folder.file(&format!("alcaxar-{walls}.openings"))).unwrap();
        let start = list.lines().nth(1).unwrap();
        for (side, other) in [("red", "green"), ("green", "red")] {
            let book = fs::metadata(folder.file(&format!("alcaxar-{walls}-{side}.book")));
            assert_eq!(book.is_err(), start == format!("# {other} wins"), "{start} {out}");
            assert!(book.is_ok_and(|book| book.len() < 2_100_000) || start != "# open", "{out}");
        }
    }
}

/// Without the wins of one side, it is unknown which positions are open. The error names a damaged
/// file.
#[test]
fn extraction_reports_missing_and_damaged_files() {
    let solved = solved(2);
    let folder = solved.files.write("alcaxar-wrong");
    let answer = Folder::new("alcaxar-answer");
    let plan = TableWriteRequest {
        directory: folder.path(),
        count: "2",
        check: false,
        threads: 2,
        stages: None,
        free_memory: None,
        free_disk: None,
    };
    let extract = || solved.rules.extract_shareable_table_parts(&plan, answer.path(), &|_| {});
    assert!(!extract().unwrap());
    let files = || fs::read_dir(answer.path()).unwrap().count();
    assert_eq!(files(), 2);
    let path = folder.path().join("alcaxar-2-red.table");
    let whole = fs::read(&path).unwrap();
    let mut damaged = whole.clone();
    let middle = damaged.len() / 2;
    damaged[middle] ^= 1;
    fs::write(&path, damaged).unwrap();
    let error = extract().unwrap_err().to_string();
    assert!(error.contains("cannot be read: it is damaged"), "{error}");
    fs::remove_file(&path).unwrap();
    let error = extract().unwrap_err().to_string();
    assert!(error.contains("alcaxar-2-red.table and ") && error.contains(" are needed"), "{error}");
}

#[test]
fn the_command_extracts_after_making_the_files() {
    let tables = Folder::new("alcaxar-tables");
    let folder = Folder::new("alcaxar-answer");
    let path = format!("TablePath={}", tables.path().display());
    let answer = folder.file("new/answer");
    let extract = |game: &str, more: &[&str]| {
        run(
            program(
                [&["--game", game, "--set", &path, "tables", "1", "--extract", &answer], more]
                    .concat(),
            ),
            "",
        )
    };
    let (_, err, code) = extract("alcaxar", &["--stages", "green"]);
    assert!(err.contains("cannot be used with") && code == Some(2), "{err}");
    let (out, err, code) = extract("alcaxar", &[]);
    assert_eq!((err.as_str(), code), ("", Some(0)));
    assert_eq!(fs::read_to_string(folder.file("new/answer/alcaxar-1-results.txt")).unwrap(), out);
    for line in ["walls 1 certain none won ", "walls 1 verified 4000 lost ", "walls 1 book "] {
        assert!(out.contains(line), "{out}");
    }
    let names = |folder: &str| -> BTreeSet<String> {
        fs::read_dir(folder)
            .unwrap()
            .map(|file| file.unwrap().file_name().to_str().unwrap().into())
            .collect()
    };
    let names = names(&answer);
    assert!(
        names.contains("alcaxar-1.openings") && names.iter().any(|name| name.ends_with(".book")),
        "{names:?}"
    );
    for name in names.iter().filter(|name| !name.ends_with("results.txt")) {
        let bytes = fs::metadata(folder.file(&format!("new/answer/{name}"))).unwrap().len();
        assert!(out.contains(&format!("{name} {bytes} bytes")), "{out}");
    }
    let (_, err, code) = extract("quoridor", &[]);
    assert!(
        err.contains("there is nothing to extract from tables of quoridor") && code == Some(2),
        "{err}"
    );
}
