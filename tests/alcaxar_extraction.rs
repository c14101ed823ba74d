//! What is kept of the files of Alcaxar's solver: held against the files by the moves of the game alone.

use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::sync::Arc;

use pentarch_alcaxar::Alcaxar;
use pentarch_alcaxar::board::Board;
use pentarch_alcaxar::position::Position;
use pentarch_alcaxar::solver::extraction::{Book, Extraction, book_move, entries};
use pentarch_alcaxar::solver::tables::AlcaxarTables;
use pentarch_alcaxar::solver::undecided::undecided_positions;
use pentarch_alcaxar::solver::wall_sets::{count, unrank};
use pentarch_alcaxar::solver::work::start;
use pentarch_core::rules::legal_move_list;
use pentarch_core::tables::directory::TableDirectory;
use pentarch_core::{
    GameHistory, MakeTables, Notation, Outcome, Rules, Side, TablePlan, WriteTables,
};
use pentarch_search::opening_book::Orbit;
use pentarch_tables::file::{PartWriter, StoredValues};
use pentarch_tables::xor_filter::{self, XorFilter};

use crate::alcaxar_solver::{Solved, begun, solved};
use crate::client::{program, run};
use crate::common::temporary::Folder;
use crate::common::{lost_rank, new_history, random_game, rules};

/// The side that wins for certain if a game begins with this position, by the ranks of the positions that are lost for
/// the side to move; and whether a position whose repetition the other side wins may stand in the way.
fn winner(solved: &Solved, position: &Position) -> (Option<Side>, bool) {
    let (rules, mover) = (solved.rules.as_ref(), position.side);
    let rank = lost_rank(rules, &solved.tables, position);
    if rank.is_some() {
        return (Some(!mover), false);
    }
    let rank = |mv| {
        let next = rules.play(position, mv);
        match rules.outcome(&next) {
            Some(outcome) => (outcome.winner() == Some(mover)).then_some(0),
            None => lost_rank(rules, &solved.tables, &next),
        }
    };
    let least = legal_move_list(rules, position).into_iter().filter_map(rank).min();
    (least.map(|_| mover), least.is_some_and(|least| least > 0) && owner(rules, position) != mover)
}

/// The side that wins by the repetition of a position.
fn owner(rules: &Alcaxar, position: &Position) -> Side {
    rules.repetition_outcome(position).unwrap().winner().unwrap()
}

/// The image that stands for all positions that a symmetry which keeps the sides maps on each other.
fn orbit(rules: &Alcaxar, position: &Position) -> u64 {
    let images = rules.symmetries().into_iter().filter(|symmetry| !symmetry.swaps_sides);
    let images = images.map(|symmetry| (symmetry.position)(rules, position)).chain([*position]);
    images.map(|image| rules.search_key(&image)).min().unwrap()
}

#[test]
fn the_openings_are_those_of_two_plies_with_who_wins() {
    for walls in 1..=2 {
        let solved = solved(walls);
        let (rules, start) = (solved.rules.as_ref(), start(walls));
        let text = Extraction::new(rules, &solved.tables, start).openings();
        let lines: Vec<&str> = text.lines().skip(1).collect();
        let (mut seen, mut results) = (BTreeSet::new(), HashMap::new());
        for pair in lines.chunks(2) {
            let mut moves =
                pair[1].strip_prefix(&rules.position_text(&start)).unwrap().split_whitespace();
            let mut history = GameHistory::new(solved.rules.clone(), start);
            assert!(matches!(moves.next(), None | Some("moves")), "{}", pair[1]);
            moves.for_each(|mv| history.push(history.find_move(mv).unwrap()));
            let (side, is_in_doubt) = winner(solved, history.position());
            let result = side
                .map_or("# open".into(), |side| format!("# {} wins", Alcaxar::SIDES[side.index()]));
            let earlier = history.repeatable_positions();
            let is_harmless =
                |position: &Position| side.is_none_or(|side| owner(rules, position) == side);
            let is_in_doubt =
                is_in_doubt || !earlier.iter().all(|earlier| is_harmless(earlier.position));
            assert!(
                pair[0] == result || is_in_doubt && pair[0] == "# open",
                "{} {result}",
                pair[1]
            );
            assert!(
                seen.insert(orbit(rules, history.position())),
                "{} stands there twice",
                pair[1]
            );
            *results.entry(result).or_insert(0) += 1;
        }
        let mut all = BTreeSet::from([orbit(rules, &start)]);
        for mv in legal_move_list(rules, &start) {
            let next = rules.play(&start, mv);
            all.insert(orbit(rules, &next));
            let after = legal_move_list(rules, &next).into_iter().map(|mv| rules.play(&next, mv));
            all.extend(
                after
                    .filter(|after| rules.outcome(after).is_none())
                    .map(|after| orbit(rules, &after)),
            );
        }
        assert_eq!(seen, all);
        assert!(results.len() > 1, "{results:?}");
    }
}

/// Plays a game in which a side follows a book as far as it goes and the other one moves at random. Gives the game and
/// how many moves of the book were played.
fn play(
    solved: &Solved,
    start: Position,
    side: Side,
    book: &Book,
    seed: u64,
) -> (GameHistory<Alcaxar>, u16) {
    let (mut rng, rules) = (fastrand::Rng::with_seed(seed), &solved.rules);
    let table = XorFilter::new(&book.bytes).unwrap();
    let most = book.moves.unwrap_or(u16::MAX);
    assert_eq!(table.label, most);
    let (mut history, mut moves) = (GameHistory::new(rules.clone(), start), 0);
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

/// A book may have so many positions that it answers everything up to the end of the game.
#[test]
fn a_winner_wins_by_its_book() {
    let (solved, start) = (solved(2), start(2));
    assert_eq!(winner(solved, &start).0, Some(Side::First));
    let extraction = Extraction::new(&solved.rules, &solved.tables, start);
    assert!(extraction.book(Side::Second, 1000).unwrap().is_none());
    let book = extraction.book(Side::First, 100_000).unwrap().unwrap();
    assert_eq!(book.moves, None);
    assert!(
        book.positions > 10_000 && book.bytes.len() < 2 * book.positions,
        "{} positions",
        book.positions
    );
    for seed in 0..100 {
        let (history, _) = play(solved, start, Side::First, &book, seed);
        assert_eq!(history.outcome().unwrap().winner(), Some(Side::First));
    }
}

/// A book of few positions goes only so deep, to positions with the least rank.
#[test]
fn a_small_book_is_of_the_first_moves() {
    let (solved, start) = (solved(2), start(2));
    let extraction = Extraction::new(&solved.rules, &solved.tables, start);
    let mut depths = BTreeSet::new();
    for most in [0, 1, 20, 500, 5000] {
        let book = extraction.book(Side::First, most).unwrap().unwrap();
        let deep = book.moves.unwrap();
        assert!(book.positions <= most && (deep > 0) == (most > 0), "{most}");
        depths.insert(deep);
        for seed in 0..20 {
            let (mut history, moves) = play(solved, start, Side::First, &book, seed);
            assert!(moves == deep || history.outcome().is_some());
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

/// With eight walls there may be more moves than a number of the table says.
#[test]
fn every_move_can_be_that_of_a_book() {
    let (rules, mut rng, mut most) = (rules::<Alcaxar>(&[]), fastrand::Rng::with_seed(3), 0);
    for _ in 0..20 {
        random_game(new_history(&rules), &mut rng, 40, |history| {
            let orbit = Orbit::new(rules.as_ref(), &rules.symmetries(), history.position());
            let moves = orbit.moves(&rules);
            for (number, &image) in moves.iter().enumerate().rev().take(2) {
                let book = xor_filter::build(&entries(orbit.key, number), 0).unwrap();
                let found = book_move(&rules, &XorFilter::new(&book).unwrap(), history.position());
                assert_eq!(found, Some(orbit.preimage_of(&rules, image)));
            }
            most = most.max(moves.len());
        });
    }
    assert!(most > 32, "{most}");
}

/// From an open position both sides have a book, whose moves leave no win for certain to the other side.
#[test]
fn both_sides_hold_what_is_open() {
    let solved = solved(2);
    let board = Board::default();
    let positions =
        (0..count(2)).flat_map(|rank| undecided_positions(&board, unrank(2, rank)).step_by(7));
    let open: Vec<Position> = positions
        .filter(|position| winner(solved, position).0.is_none())
        .step_by(9)
        .take(8)
        .collect();
    assert_eq!(open.len(), 8);
    let mut followed = 0;
    for (start, side) in open.into_iter().flat_map(|start| Side::BOTH.map(|side| (start, side))) {
        let book =
            Extraction::new(&solved.rules, &solved.tables, start).book(side, 300).unwrap().unwrap();
        for seed in 0..10 {
            let (history, moves) = play(solved, start, side, &book, seed);
            followed += u32::from(moves);
            match history.outcome() {
                Some(Outcome::Win(winner, reason)) => {
                    assert!(winner == side || reason == "stalemate", "{start:?}")
                }
                Some(Outcome::Draw(_)) => panic!("a draw"),
                None => assert_ne!(
                    winner(solved, history.position()).0,
                    Some(!side),
                    "{start:?} {side:?}"
                ),
            }
        }
    }
    assert!(followed > 300, "{followed}");
}

#[test]
fn random_positions_hold_against_the_rules() {
    for walls in 1..=2 {
        let solved = solved(walls);
        let lost =
            Extraction::new(&solved.rules, &solved.tables, start(walls)).verify(5000, 2).unwrap();
        assert!((1000..4000).contains(&lost), "{lost}");
    }
}

/// Files in which all wins of red seem to be safe, or in which there is none, are in order as files, but not by the
/// rules.
#[test]
fn wrong_files_are_found() {
    let solved = solved(2);
    for (file, is_claimed) in [("alcaxar-2-red-safe", true), ("alcaxar-2-red", false)] {
        let folder = solved.files.write("alcaxar-wrong");
        let wins = StoredValues::open(&TableDirectory(folder.path()), "alcaxar-2-red", None)
            .unwrap()
            .unwrap();
        let mut values = vec![0; wins.size() as usize];
        if is_claimed {
            wins.read(0, &mut values).unwrap();
        }
        let mut writer = PartWriter::new(folder.path(), file, wins.size()).unwrap();
        writer.write(&values).unwrap();
        writer.finish().unwrap();
        let files = Some(Arc::new(TableDirectory(folder.path().to_path_buf())) as Arc<_>);
        let tables = begun(AlcaxarTables::of_walls(&solved.rules, 2, files));
        assert_eq!(tables.take_faults(), []);
        let position =
            Extraction::new(&solved.rules, &tables, start(2)).verify(5000, 2).unwrap_err();
        let rank = lost_rank(solved.rules.as_ref(), &tables, &position);
        assert_eq!((position.side, rank), (Side::Second, is_claimed.then_some(0)), "{file}");
    }
}

/// `cargo test --release --test all alcaxar_extraction -- --ignored`
#[test]
#[ignore = "half an hour and more: solves five and six walls"]
fn five_and_six_walls_are_extracted() {
    for walls in ["5", "6"] {
        let (tables, folder) = (Folder::new("alcaxar-tables"), Folder::new("alcaxar-answer"));
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

/// Without one side's wins it is not known what is open; a file that is damaged is named, not believed.
#[test]
fn files_that_miss_or_are_damaged_are_told() {
    let solved = solved(2);
    let (folder, answer) = (solved.files.write("alcaxar-wrong"), Folder::new("alcaxar-answer"));
    let plan = TablePlan {
        directory: folder.path(),
        count: "2",
        check: false,
        threads: 2,
        stages: None,
        free_memory: None,
        free_disk: None,
    };
    let extract = || solved.rules.extract(&plan, answer.path(), &|_| {});
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
fn the_command_extracts_when_the_files_are_made() {
    let (tables, folder) = (Folder::new("alcaxar-tables"), Folder::new("alcaxar-answer"));
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
