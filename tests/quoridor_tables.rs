//! Quoridor on small boards, solved: the files, and what they say of positions and games.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::sync::Arc;

use pentarch_core::tables::directory::TableDirectory;
use pentarch_core::{
    GameHistory, MakeTables, Notation, Outcome, Probe, ProbeLimit, ProbeResult, Rules, TableValue,
};
use pentarch_quoridor::Quoridor;
use pentarch_quoridor::position::Position;
use pentarch_quoridor::tables::QuoridorTables;
use pentarch_search::control::Control;
use pentarch_search::transposition::TranspositionTable;
use pentarch_search::{Limits, search};
use pentarch_slow_rules::quoridor::Slow;
use pentarch_slow_rules::quoridor_solver;
use pentarch_tables::dtm::Dtm;
use pentarch_tables::file::{self, StoredValues};

use crate::client::{program, run};
use crate::common::temporary::Folder;
use crate::common::{fresh_seed, no_tables, rules};

/// The arguments that make the tables of one board in a folder.
fn tables(folder: &Path, size: i32, walls: &str) -> Vec<String> {
    let settings =
        [format!("Quoridor_BoardSize={size}"), format!("TablePath={}", folder.display())];
    let settings = settings.into_iter().flat_map(|setting| ["--set".into(), setting]);
    let game = ["--game", "quoridor"].map(String::from).into_iter();
    game.chain(settings).chain(["tables", "--threads", "1", walls].map(String::from)).collect()
}

/// Makes tables, and gives the lines of the output.
fn make(folder: &Path, size: i32, walls: &str) -> Vec<String> {
    let (out, err, code) = run(program(tables(folder, size, walls)), "");
    // Only what large tables take is told there.
    assert!(
        err.lines().all(|line| line.contains(" GB on the disk")) && code == Some(0),
        "{code:?} {err}"
    );
    out.lines().map(String::from).collect()
}

/// The rules with so many walls of each side, and the tables in this folder, all of them opened.
fn opened(folder: &Path, size: i32, walls: [usize; 2]) -> (Arc<Quoridor>, Arc<QuoridorTables>) {
    let settings = [
        format!("Quoridor_BoardSize={size}"),
        format!("Quoridor_Walls={}", walls[0]),
        format!("Quoridor_Walls2={}", walls[1]),
    ];
    let rules = rules::<Quoridor>(&settings.each_ref().map(String::as_str));
    let tables = rules.new_tables(Some(Arc::new(TableDirectory(folder.to_path_buf()))));
    tables.begin();
    tables.wait(&|| false);
    (rules, tables)
}

fn value(rules: &Quoridor, tables: &QuoridorTables, position: &Position) -> Option<TableValue> {
    rules.probe(tables, position, ProbeLimit::Thorough).and_then(ProbeResult::value)
}

/// Makes the tables of a board with so many walls in all, and compares their values of these positions with those of a
/// slow solver. Returns in how many of them neither side can force a win.
fn compare(size: i32, total: usize, positions: &[Slow]) -> usize {
    let folder = Folder::new("quoridor-values");
    let lines = make(folder.path(), size, &format!("{}/{}", total - total / 2, total / 2));
    // Positions in which one side has more walls than at the start are those of a game with a handicap.
    let games: Vec<_> =
        (0..=total).map(|first| opened(folder.path(), size, [first, total - first])).collect();
    let (mut compared, mut draws) = (0, 0);
    let slow = quoridor_solver::solve(positions);
    for (text, plies) in &slow {
        let expected = match *plies {
            None => TableValue::Draw,
            Some(plies) if plies % 2 == 1 => TableValue::Win(plies),
            Some(plies) => TableValue::Loss(plies),
        };
        draws += usize::from(expected == TableValue::Draw);
        // Of the games with so many walls those that can lead to the position.
        let (first, second) = text.rsplit(' ').next().unwrap().split_once('/').unwrap();
        let [first, second]: [usize; 2] = [first, second].map(|left| left.parse().unwrap());
        for (rules, tables) in &games[first..=total - second] {
            let position = rules.parse_position(&format!("{text} 1")).unwrap();
            assert_eq!(value(rules, tables, &position), Some(expected), "{size}x{size}: {text}");
            compared += 1;
        }
    }
    assert!(compared >= slow.len() && slow.len() > 50, "{compared}");
    for (first, (rules, tables)) in games.iter().enumerate() {
        let result = match value(rules, tables, &rules.start()).unwrap() {
            TableValue::Win(plies) => format!("white wins in {plies} plies"),
            TableValue::Loss(plies) => format!("black wins in {plies} plies"),
            TableValue::Draw => "neither side can force a win".into(),
        };
        let line = format!("start {first}/{} {result}", total - first);
        assert!(lines.contains(&line), "{line}: {lines:?}");
    }
    draws
}

/// Compares the values of all positions.
fn compare_all(size: i32, total: usize) {
    // With fewer walls somebody can always force a win.
    assert_eq!(compare(size, total, &quoridor_solver::all_positions(size, total)), 0);
}

#[test]
fn all_values_on_small_boards_are_those_of_a_slow_solver() {
    for (size, total) in [(3, 0), (3, 1), (3, 2), (3, 3), (3, 4), (4, 0), (4, 1)] {
        compare_all(size, total);
    }
}

#[test]
fn draws_are_those_of_a_slow_solver() {
    for text in ["b3a4 a2vb1vc2v b 1/1 1", "a1b3 a2vb1hb3vc2v w 0/1 1"] {
        assert!(compare(4, 5, &quoridor_solver::reachable(4, text)) > 0);
    }
}

/// Takes some minutes: `cargo test --test all quoridor_tables::more -- --ignored`.
#[test]
#[ignore = "takes minutes"]
fn more_values_are_those_of_a_slow_solver() {
    [(3, 8), (4, 2), (4, 4), (5, 2)].into_iter().for_each(|(size, total)| compare_all(size, total));
    for text in ["a1c3 a2hb1hc2v w 1/0 1", "c1d3 a2hb1h w 2/0 1"] {
        assert!(compare(5, 4, &quoridor_solver::reachable(5, text)) > 0);
    }
}

/// The files of a folder by their names.
fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder).unwrap().map(Result::unwrap);
    entries
        .map(|entry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap()))
        .collect()
}

/// Whenever the program is killed, the next run goes on.
#[test]
fn five_interruptions_leave_the_same_files() {
    let [whole, parts] = [(); 2].map(|()| Folder::new("quoridor-interrupted"));
    let expected = make(whole.path(), 4, "3");
    for interruption in 0..5 {
        let mut child = program(tables(parts.path(), 4, "3")).spawn().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
        let made = lines
            .take_while(|line| !line.contains(" made "))
            .filter(|line| line.contains(" kept "));
        assert_eq!(made.count(), interruption);
        child.kill().unwrap();
        child.wait().unwrap();
        // As if it had been killed while it wrote.
        fs::write(parts.path().join("quoridor-4x4-6-0.table.part"), "pentarch table").unwrap();
        let made =
            contents(parts.path()).into_keys().filter(|name| name.ends_with(".table")).count();
        if made > interruption + 1 {
            // It was quicker than this test: the last files are made once more.
            for class in 0..5 - interruption {
                let _ = fs::remove_file(parts.path().join(format!("quoridor-4x4-6-{class}.table")));
            }
        }
    }
    let lines = make(parts.path(), 4, "3");
    let starts = |lines: &[String]| {
        lines.iter().filter(|line| line.starts_with("start ")).cloned().collect::<Vec<_>>()
    };
    assert_eq!(starts(&lines), starts(&expected));
    assert_eq!(contents(parts.path()), contents(whole.path()));
    assert_eq!(contents(parts.path()).len(), 6);
}

/// A byte that is altered is noticed by the engine, which does without the file, and by `tables`, which makes it anew.
#[test]
fn altered_bytes_are_noticed() {
    let folder = Folder::new("quoridor-altered");
    make(folder.path(), 3, "2");
    let path = folder.path().join("quoridor-3x3-4-2.table");
    let whole = fs::read(&path).unwrap();
    let position = |rules: &Quoridor| rules.parse_position("b1b3 a1ha2v w 1/1 2").unwrap();
    let (rules, tables) = opened(folder.path(), 3, [2; 2]);
    let known = value(&rules, &tables, &position(&rules));
    assert!(known.is_some() && tables.take_faults().is_empty());
    let mut rng = fastrand::Rng::with_seed(53);
    for round in 0..40 {
        let mut altered = whole.clone();
        let at = rng.usize(..whole.len());
        altered[at] ^= rng.u8(1..);
        fs::write(&path, altered).unwrap();
        let (rules, tables) = opened(folder.path(), 3, [2; 2]);
        assert_eq!(value(&rules, &tables, &position(&rules)), None, "byte {at}");
        let faults = tables.take_faults();
        assert!(
            faults.len() == 1 && faults[0].to_string().contains("quoridor-3x3-4-2.table: "),
            "{faults:?}"
        );
        if round % 10 == 0 {
            let (out, err, code) = run(program(self::tables(folder.path(), 3, "2")), "");
            assert!(
                err.contains("-2.table: ")
                    && err.ends_with("; it is discarded, and recomputed where needed\n")
                    && code == Some(0),
                "{err}"
            );
            assert!(
                out.contains("quoridor-3x3-4-2 ") && out.matches(" kept ").count() == 3,
                "{out}"
            );
            assert_eq!(fs::read(&path).unwrap(), whole);
        }
    }
}

/// `--check` holds the values against the moves of the game, also those of files that were there.
#[test]
fn values_are_held_against_the_moves() {
    let folder = Folder::new("quoridor-checked");
    let check = |size, walls| {
        let mut arguments = tables(folder.path(), size, walls);
        arguments.push("--check".into());
        let (out, err, code) = run(program(arguments), "");
        assert_eq!((err.as_str(), code), ("", Some(0)));
        out
    };
    for (size, walls) in [(3, "3/2"), (3, "20"), (4, "2/1"), (5, "1")] {
        let made = check(size, walls);
        assert!(made.contains(" made ") && !made.contains(" kept "), "{made}");
        let kept = check(size, walls);
        assert!(kept.contains(" kept ") && !kept.contains(" made "), "{kept}");
    }
}

/// A value that is wrong under a checksum that is right is found by `--check`, in each file and wherever it stands.
#[test]
fn wrong_values_are_found() {
    let folder = Folder::new("quoridor-wrong");
    make(folder.path(), 3, "2");
    let mut arguments = tables(folder.path(), 3, "2");
    arguments.push("--check".into());
    let mut rng = fastrand::Rng::with_seed(54);
    for class in 0..4 {
        let name = format!("quoridor-3x3-4-{class}");
        let stored = StoredValues::open(&TableDirectory(folder.path().to_path_buf()), &name, None)
            .unwrap()
            .unwrap();
        let mut values = vec![0; stored.size() as usize];
        stored.read(0, &mut values).unwrap();
        drop(stored);
        for _ in 0..5 {
            // One byte stands for no position.
            let places = || values.iter().enumerate().filter(|(_, value)| **value != Dtm::LOST.0);
            let at = places().nth(rng.usize(..places().count())).unwrap().0;
            let mut wrong = values.clone();
            // Another number of plies, or another winner.
            wrong[at] = wrong[at].wrapping_add(rng.u8(1..4)).max(2);
            file::save(folder.path(), &name, &[&wrong]).unwrap();
            let (_, err, code) = run(program(arguments.clone()), "");
            assert_eq!(code, Some(1), "{name} {at}: {err}");
            assert!(err.contains(" is wrong: the value at index "), "{name} {at}: {err}");
        }
        file::save(folder.path(), &name, &[&values]).unwrap();
    }
    let (out, err, code) = run(program(arguments), "");
    assert_eq!((err.as_str(), out.matches(" kept ").count(), code), ("", 4, Some(0)), "{out}");
}

/// The move that is chosen in a position: with the tables, or by a search of so many plies without them.
fn best(
    history: &GameHistory<Quoridor>,
    tables: Option<&Arc<QuoridorTables>>,
    depth: u32,
) -> (String, Option<i32>) {
    let limits =
        Limits { depth: Some(depth), use_tablebases: tables.is_some(), ..Limits::default() };
    let none = no_tables(history.rules().as_ref());
    let table = TranspositionTable::new(1).unwrap();
    let answer =
        search(history, tables.unwrap_or(&none), &limits, &table, &Control::default(), &mut |_| {})
            .unwrap();
    (history.rules().move_text(answer.best), answer.score)
}

/// Whoever plays by the tables against a search loses no value, from random positions, with each side.
fn play_against_a_search(size: i32, walls: usize, positions: usize, depth: u32, seed: u64) {
    let folder = Folder::new("quoridor-play");
    make(folder.path(), size, &walls.to_string());
    let (rules, tables) = opened(folder.path(), size, [walls; 2]);
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut kinds = [0; 3];
    let mut played = 0;
    while played < positions {
        let mut history = GameHistory::new(rules.clone(), rules.start());
        for _ in 0..rng.usize(..4 * walls + 6) {
            let moves = history.legal_move_list();
            if !moves.is_empty() {
                history.push(moves[rng.usize(..moves.len())]);
            }
        }
        if history.outcome().is_some() {
            continue;
        }
        played += 1;
        let start = value(&rules, &tables, history.position()).unwrap();
        kinds[match start {
            TableValue::Win(_) => 0,
            TableValue::Draw => 1,
            TableValue::Loss(_) => 2,
        }] += 1;
        // The side that is better, or either where neither is, plays by the tables.
        let player = match start {
            TableValue::Loss(_) => !history.side_to_move(),
            _ => history.side_to_move(),
        };
        let mut left = start.plies();
        for _ in 0..if start == TableValue::Draw { 40 } else { start.plies() } {
            let by_tables = history.side_to_move() == player;
            let (mv, score) = best(&history, by_tables.then_some(&tables), depth);
            if by_tables {
                assert_eq!(
                    score == Some(0),
                    start == TableValue::Draw,
                    "{}",
                    rules.position_text(history.position())
                );
            }
            let mv = rules.find_move(history.position(), &rules.parse_move(&mv).unwrap()).unwrap();
            history.push(mv);
            if history.outcome().is_some() {
                break;
            }
            let now = value(&rules, &tables, history.position()).unwrap();
            let expected = match (history.side_to_move() == player, start) {
                (_, TableValue::Draw) => {
                    matches!(now, TableValue::Draw)
                        || !by_tables && matches!(now, TableValue::Win(_))
                }
                (true, _) => matches!(now, TableValue::Win(plies) if plies < left),
                (false, _) => matches!(now, TableValue::Loss(plies) if plies < left),
            };
            assert!(
                expected,
                "{start:?}, then {now:?}: {}",
                rules.position_text(history.position())
            );
            if start == TableValue::Draw && now != TableValue::Draw {
                break;
            }
            left = now.plies();
        }
        if start != TableValue::Draw {
            assert_eq!(history.outcome().and_then(Outcome::winner), Some(player));
        }
    }
    assert!(kinds[0] > positions / 10 && kinds[2] > positions / 10, "{kinds:?}");
}

#[test]
fn play_by_the_tables_loses_no_value() {
    play_against_a_search(3, 2, 30, 3, 7);
    play_against_a_search(4, 1, 30, 3, 7);
}

/// Takes some minutes: `cargo test --test all quoridor_tables::two_hundred -- --ignored`.
#[test]
#[ignore = "takes minutes"]
fn two_hundred_games_by_the_tables_lose_no_value() {
    let seed = fresh_seed();
    [
        (3, 2),
        (3, 4),
        (4, 1),
        (4, 2),
        (4, 3),
        (4, 10),
        (5, 1),
        (5, 2),
        (5, 3),
        (5, 4),
        (6, 1),
        (6, 2),
    ]
    .into_iter()
    .for_each(|(size, walls)| play_against_a_search(size, walls, 200, 5, seed));
}
