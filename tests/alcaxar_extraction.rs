//! What is kept of the files of Alcaxar's solver: held against the files by the moves of the game alone.

use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::sync::Arc;

use pentarch::core::rules::legal_move_list;
use pentarch::core::{GameHistory, MakeTables, Notation, Rules, Side};
use pentarch::files::Directory;
use pentarch::games::alcaxar::Alcaxar;
use pentarch::games::alcaxar::board::Board;
use pentarch::games::alcaxar::extraction::{Book, Extraction};
use pentarch::games::alcaxar::position::Position;
use pentarch::games::alcaxar::solver::verify::undecided_positions;
use pentarch::games::alcaxar::solver::wall_sets::{count, unrank};
use pentarch::games::alcaxar::solver::work::start;
use pentarch::games::alcaxar::tables::AlcaxarTables;
use pentarch::search::opening_book::book_move;
use pentarch::tables::file::{PartWriter, StoredValues};
use pentarch::tables::xor_filter::XorFilter;

use crate::alcaxar_solver::{Solved, begun, solved};
use crate::client::{program, run};
use crate::common::lost_rank;
use crate::common::temporary::Folder;

/// The side that wins for certain, by the ranks of the positions that are lost for the side to move.
fn winner(solved: &Solved, position: &Position) -> Option<Side> {
    let (rules, mover) = (solved.rules.as_ref(), position.side);
    if lost_rank(rules, &solved.tables, position).is_some() {
        return Some(!mover);
    }
    let wins = legal_move_list(rules, position).into_iter().any(|mv| {
        let next = rules.play(position, mv);
        match rules.outcome(&next) {
            Some(outcome) => outcome.winner() == Some(mover),
            None => lost_rank(rules, &solved.tables, &next).is_some(),
        }
    });
    wins.then_some(mover)
}

/// The same for all positions that a symmetry which keeps the sides maps on each other.
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
            let mut moves = pair[1].strip_prefix(&rules.position_text(&start)).unwrap().split_whitespace();
            let mut history = GameHistory::new(solved.rules.clone(), start);
            assert!(matches!(moves.next(), None | Some("moves")), "{}", pair[1]);
            moves.for_each(|mv| history.push(history.find_move(mv).unwrap()));
            let side = winner(solved, history.position());
            let result = side.map_or("# open".into(), |side| format!("# {} wins", Alcaxar::SIDES[side.index()]));
            assert_eq!(pair[0], result, "{}", pair[1]);
            assert!(seen.insert(orbit(rules, history.position())), "{} stands there twice", pair[1]);
            *results.entry(result).or_insert(0) += 1;
        }
        let mut all = BTreeSet::from([orbit(rules, &start)]);
        for mv in legal_move_list(rules, &start) {
            let next = rules.play(&start, mv);
            all.insert(orbit(rules, &next));
            let after = legal_move_list(rules, &next).into_iter().map(|mv| rules.play(&next, mv));
            all.extend(after.filter(|after| rules.outcome(after).is_none()).map(|after| orbit(rules, &after)));
        }
        assert_eq!(seen, all);
        assert!(results.len() > 1, "{results:?}");
    }
}

/// Plays a game in which a side follows a book as far as it goes and the other one moves at random. Gives the game and
/// how many moves of the book were played.
fn play(solved: &Solved, start: Position, side: Side, book: &Book, seed: u64) -> (GameHistory<Alcaxar>, u16) {
    let (mut rng, rules) = (fastrand::Rng::with_seed(seed), &solved.rules);
    let (table, symmetries) = (XorFilter::new(&book.bytes).unwrap(), rules.symmetries());
    let most = book.moves.unwrap_or(u16::MAX);
    assert_eq!(table.label, most);
    let (mut history, mut moves) = (GameHistory::new(rules.clone(), start), 0);
    while history.outcome().is_none() && (history.side_to_move() != side || moves < most) {
        let position = *history.position();
        let mv = if position.side == side {
            moves += 1;
            book_move(rules.as_ref(), &symmetries, &table, &position).unwrap()
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
    assert_eq!(winner(solved, &start), Some(Side::First));
    let extraction = Extraction::new(&solved.rules, &solved.tables, start);
    assert!(extraction.book(Side::Second, 1000).is_none());
    let book = extraction.book(Side::First, 100_000).unwrap();
    assert_eq!(book.moves, None);
    assert!(book.positions > 10_000 && book.bytes.len() < 2 * book.positions, "{} positions", book.positions);
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
        let book = extraction.book(Side::First, most).unwrap();
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
                let least =
                    legal_move_list(solved.rules.as_ref(), history.position()).into_iter().filter_map(rank).min();
                let by_book = book_move(
                    solved.rules.as_ref(),
                    &solved.rules.symmetries(),
                    &XorFilter::new(&book.bytes).unwrap(),
                    history.position(),
                );
                assert!(least.is_some() && rank(by_book.unwrap()) == least);
            }
        }
    }
    assert!(depths.len() >= 4, "{depths:?}");
}

/// From an open position both sides have a book, whose moves leave no win for certain to the other side.
#[test]
fn both_sides_hold_what_is_open() {
    let solved = solved(2);
    let board = Board::default();
    let positions = (0..count(2)).flat_map(|rank| undecided_positions(&board, unrank(2, rank)).step_by(7));
    let open: Vec<Position> =
        positions.filter(|position| winner(solved, position).is_none()).step_by(9).take(8).collect();
    assert_eq!(open.len(), 8);
    let mut followed = 0;
    for (start, side) in open.into_iter().flat_map(|start| Side::BOTH.map(|side| (start, side))) {
        let book = Extraction::new(&solved.rules, &solved.tables, start).book(side, 300).unwrap();
        for seed in 0..10 {
            let (history, moves) = play(solved, start, side, &book, seed);
            followed += u32::from(moves);
            match history.outcome() {
                // The class of a position may have been repeated in so long a game.
                Some(outcome) => assert!(outcome.winner() == Some(side) || history.len() > 4, "{start:?}"),
                None => assert_ne!(winner(solved, history.position()), Some(!side), "{start:?} {side:?}"),
            }
        }
    }
    assert!(followed > 300, "{followed}");
}

#[test]
fn random_positions_hold_against_the_rules() {
    for walls in 1..=2 {
        let solved = solved(walls);
        let lost = Extraction::new(&solved.rules, &solved.tables, start(walls)).verify(5000, 2).unwrap();
        assert!((1000..4000).contains(&lost), "{lost}");
    }
}

/// Files in which all wins of red seem to be safe are in order as files, but not by the rules.
#[test]
fn a_wrong_rank_is_found() {
    let solved = solved(2);
    let folder = solved.files.write("alcaxar-wrong");
    let files = Directory(folder.path());
    let wins = StoredValues::open(&files, "alcaxar-2-red", None).unwrap().unwrap();
    let mut values = vec![0; wins.size() as usize];
    wins.read(0, &mut values).unwrap();
    let mut writer = PartWriter::new(folder.path(), "alcaxar-2-red-safe", wins.size()).unwrap();
    writer.write(&values).unwrap();
    writer.finish().unwrap();
    let files = Some(Arc::new(Directory(folder.path().to_path_buf())) as Arc<_>);
    let tables = begun(AlcaxarTables::of_walls(&solved.rules, 2, files));
    assert_eq!(tables.take_faults(), Vec::<String>::new());
    let position = Extraction::new(&solved.rules, &tables, start(2)).verify(5000, 2).unwrap_err();
    assert_eq!((position.side, lost_rank(solved.rules.as_ref(), &tables, &position)), (Side::Second, Some(0)));
}

/// `cargo test --release --test all alcaxar_extraction -- --ignored`
#[test]
#[ignore = "half an hour: solves five and six walls"]
fn five_and_six_walls_are_extracted() {
    for walls in ["5", "6"] {
        let (tables, folder) = (Folder::new("alcaxar-tables"), Folder::new("alcaxar-answer"));
        let path = format!("TablePath={}", tables.path().display());
        let (out, err, code) =
            run(program(["--game", "alcaxar", "--set", &path, "tables", walls, "--extract", &folder.file("")]), "");
        assert_eq!((err.as_str(), code), ("", Some(0)), "{out}");
        assert!(out.contains(&format!("walls {walls} verified 1000000 lost ")), "{out}");
    }
}

#[test]
fn the_command_extracts_when_the_files_are_made() {
    let (tables, folder) = (Folder::new("alcaxar-tables"), Folder::new("alcaxar-answer"));
    let path = format!("TablePath={}", tables.path().display());
    let answer = folder.file("new/answer");
    let extract = |game: &str, more: &[&str]| {
        run(program([&["--game", game, "--set", &path, "tables", "1", "--extract", &answer], more].concat()), "")
    };
    let (_, err, code) = extract("alcaxar", &["--stages", "green"]);
    assert!(err.contains("the wins of red and green with 1 walls are needed") && code == Some(1), "{err}");
    let (out, err, code) = extract("alcaxar", &[]);
    assert_eq!((err.as_str(), code), ("", Some(0)));
    assert_eq!(fs::read_to_string(folder.file("new/answer/results.txt")).unwrap(), out);
    for line in ["walls 1 certain none won ", "walls 1 verified 4000 lost ", "walls 1 book "] {
        assert!(out.contains(line), "{out}");
    }
    let names = |folder: &str| -> BTreeSet<String> {
        fs::read_dir(folder).unwrap().map(|file| file.unwrap().file_name().to_str().unwrap().into()).collect()
    };
    let names = names(&answer);
    assert!(names.contains("alcaxar-1.openings") && names.iter().any(|name| name.ends_with(".book")), "{names:?}");
    for name in names.iter().filter(|name| *name != "results.txt") {
        let bytes = fs::metadata(folder.file(&format!("new/answer/{name}"))).unwrap().len();
        assert!(out.contains(&format!("{name} {bytes} bytes")), "{out}");
    }
    let (_, err, code) = extract("quoridor", &[]);
    assert!(err.contains("there is nothing to extract from tables of quoridor") && code == Some(2), "{err}");
}
