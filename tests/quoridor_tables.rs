//! Quoridor solved on small boards. The tests check the table files, and their values of positions
//! and games.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::sync::Arc;

use pentarch_core::tables::directory::TableDirectory;
use pentarch_core::{
    GameHistory, GameTables, Notation, Outcome, ProbeResult, ProbeTables, ProbeWorkLimit, Rules,
    Side, TableValue,
};
use pentarch_quoridor::Quoridor;
use pentarch_quoridor::position::Position;
use pentarch_quoridor::tables::QuoridorTablebase;
use pentarch_search::control::SearchControl;
use pentarch_search::transposition::TranspositionTable;
use pentarch_search::{Limits, search};
use pentarch_slow_rules::quoridor::SlowPosition;
use pentarch_slow_rules::quoridor_solver;
use pentarch_tables::dtm::Dtm;
use pentarch_tables::table_file::{self, StoredTableValues};

use crate::client::{program, run};
use crate::common::temporary::Folder;
use crate::common::{fresh_seed, no_tables, rules};

/// Returns the arguments that build the tables of one board in a folder.
fn table_arguments(folder: &Path, size: i32, walls: &str) -> Vec<String> {
    let settings =
        [format!("Quoridor_BoardSize={size}"), format!("TablePath={}", folder.display())];
    let settings = settings.into_iter().flat_map(|setting| ["--set".into(), setting]);
    let game = ["--game", "quoridor"].map(String::from).into_iter();
    game.chain(settings).chain(["tables", "--threads", "1", walls].map(String::from)).collect()
}

/// Builds tables and returns the lines of the output.
fn build_tables(folder: &Path, size: i32, walls: &str) -> Vec<String> {
    let (out, err, code) = run(program(table_arguments(folder, size, walls)), "");
    // The error output reports only the size of large tables.
    assert!(
        err.lines().all(|line| line.contains(" GB on the disk")) && code == Some(0),
        "{code:?} {err}"
    );
    out.lines().map(String::from).collect()
}

/// Returns the rules with these numbers of walls of the two sides, and the tables in this folder.
/// All tables are open.
fn open_tables(
    folder: &Path,
    size: i32,
    walls: [usize; 2],
) -> (Arc<Quoridor>, Arc<QuoridorTablebase>) {
    let settings = [
        format!("Quoridor_BoardSize={size}"),
        format!("Quoridor_Walls={}", walls[0]),
        format!("Quoridor_Walls2={}", walls[1]),
    ];
    let rules = rules::<Quoridor>(&settings.each_ref().map(String::as_str));
    let tables =
        rules.create_uncomputed_tables(Some(Arc::new(TableDirectory(folder.to_path_buf()))));
    tables.begin_computing_tables();
    tables.wait_until_computed(&|| false);
    (rules, tables)
}

fn value(rules: &Quoridor, tables: &QuoridorTablebase, position: &Position) -> Option<TableValue> {
    rules.probe_tables(tables, position, ProbeWorkLimit::Thorough).and_then(ProbeResult::value)
}

/// Builds the tables of a board with `total` walls. Compares their values of these positions with
/// the values of a slow solver. Returns the number of positions in which neither side can force a
/// win.
fn compare_with_slow_solver(size: i32, total: usize, positions: &[SlowPosition]) -> usize {
    let folder = Folder::new("quoridor-values");
    let lines = build_tables(folder.path(), size, &format!("{}/{}", total - total / 2, total / 2));
    // If one side has more walls in a position than at the start, the position belongs to a game
    // with a handicap.
    let games: Vec<_> =
        (0..=total).map(|first| open_tables(folder.path(), size, [first, total - first])).collect();
    let mut compared = 0;
    let mut draws = 0;
    let slow = quoridor_solver::solve(positions);
    for (text, plies) in &slow {
        let expected = match *plies {
            None => TableValue::Draw,
            Some(plies) if plies % 2 == 1 => TableValue::Win(plies),
            Some(plies) => TableValue::Loss(plies),
        };
        draws += usize::from(expected == TableValue::Draw);
        // Only some of the games with `total` walls can lead to the position.
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
        let result = match value(rules, tables, &rules.start_position()).unwrap() {
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
fn compare_all_positions(size: i32, total: usize) {
    // With few walls, one side can always force a win.
    assert_eq!(
        compare_with_slow_solver(size, total, &quoridor_solver::all_positions(size, total)),
        0
    );
}

#[test]
fn values_on_small_boards_agree_with_a_slow_solver() {
    for (size, total) in [(3, 0), (3, 1), (3, 2), (3, 3), (3, 4), (4, 0), (4, 1)] {
        compare_all_positions(size, total);
    }
}

#[test]
fn draws_agree_with_a_slow_solver() {
    for text in ["b3a4 a2vb1vc2v b 1/1 1", "a1b3 a2vb1hb3vc2v w 0/1 1"] {
        assert!(compare_with_slow_solver(4, 5, &quoridor_solver::reachable(4, text)) > 0);
    }
}

/// Takes some minutes: `cargo test --test all quoridor_tables::more -- --ignored`.
#[test]
#[ignore = "takes minutes"]
fn more_values_agree_with_a_slow_solver() {
    [(3, 8), (4, 2), (4, 4), (5, 2)]
        .into_iter()
        .for_each(|(size, total)| compare_all_positions(size, total));
    for text in ["a1c3 a2hb1hc2v w 1/0 1", "c1d3 a2hb1h w 2/0 1"] {
        assert!(compare_with_slow_solver(5, 4, &quoridor_solver::reachable(5, text)) > 0);
    }
}

/// Returns the files of a folder by name.
fn read_folder(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder).unwrap().map(Result::unwrap);
    entries
        .map(|entry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap()))
        .collect()
}

/// The program is killed several times. Each next run continues its work.
#[test]
fn five_interruptions_leave_the_same_files() {
    let [whole, parts] = [(); 2].map(|()| Folder::new("quoridor-interrupted"));
    let expected = build_tables(whole.path(), 4, "3");
    for interruption in 0..5 {
        let mut child = program(table_arguments(parts.path(), 4, "3")).spawn().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
        let made = lines
            .take_while(|line| !line.contains(" made "))
            .filter(|line| line.contains(" kept "));
        assert_eq!(made.count(), interruption);
        child.kill().unwrap();
        child.wait().unwrap();
        // This leaves a partial file, as if the program had been killed while it wrote the file.
        fs::write(parts.path().join("quoridor-4x4-6-0.table.pentarch.part"), "pentarch table")
            .unwrap();
        let made =
            read_folder(parts.path()).into_keys().filter(|name| name.ends_with(".table")).count();
        if made > interruption + 1 {
            // If the program was faster than this test, it builds the last files again.
            for class in 0..5 - interruption {
                let _ = fs::remove_file(parts.path().join(format!("quoridor-4x4-6-{class}.table")));
            }
        }
    }
    let lines = build_tables(parts.path(), 4, "3");
    let starts = |lines: &[String]| {
        lines.iter().filter(|line| line.starts_with("start ")).cloned().collect::<Vec<_>>()
    };
    assert_eq!(starts(&lines), starts(&expected));
    assert_eq!(read_folder(parts.path()), read_folder(whole.path()));
    assert_eq!(read_folder(parts.path()).len(), 6);
}

/// If a byte of a file is altered, the engine notices it and ignores the file. The command `tables`
/// also notices it, and builds the file again.
#[test]
fn altered_bytes_are_detected() {
    let folder = Folder::new("quoridor-altered");
    build_tables(folder.path(), 3, "2");
    let path = folder.path().join("quoridor-3x3-4-2.table");
    let whole = fs::read(&path).unwrap();
    let position = |rules: &Quoridor| rules.parse_position("b1b3 a1ha2v w 1/1 2").unwrap();
    let (rules, tables) = open_tables(folder.path(), 3, [2; 2]);
    let known = value(&rules, &tables, &position(&rules));
    assert!(known.is_some() && tables.take_faults().is_empty());
    let mut rng = fastrand::Rng::with_seed(53);
    for round in 0..40 {
        let mut altered = whole.clone();
        let at = rng.usize(..whole.len());
        altered[at] ^= rng.u8(1..);
        fs::write(&path, altered).unwrap();
        let (rules, tables) = open_tables(folder.path(), 3, [2; 2]);
        assert_eq!(value(&rules, &tables, &position(&rules)), None, "byte {at}");
        let faults = tables.take_faults();
        assert!(
            faults.len() == 1 && faults[0].to_string().contains("quoridor-3x3-4-2.table: "),
            "{faults:?}"
        );
        if round % 10 == 0 {
            let (out, err, code) = run(program(table_arguments(folder.path(), 3, "2")), "");
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

/// `--check` compares the values with the values after each move of the game. It also checks
/// existing files.
#[test]
fn check_accepts_correct_values() {
    let folder = Folder::new("quoridor-checked");
    let check = |size, walls| {
        let mut arguments = table_arguments(folder.path(), size, walls);
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

/// `--check` finds a wrong value even if the checksum is correct. It finds one in each file and at
/// any index.
#[test]
fn check_finds_wrong_values() {
    let folder = Folder::new("quoridor-wrong");
    build_tables(folder.path(), 3, "2");
    let mut arguments = table_arguments(folder.path(), 3, "2");
    arguments.push("--check".into());
    let mut rng = fastrand::Rng::with_seed(54);
    for class in 0..4 {
        let name = format!("quoridor-3x3-4-{class}");
        let stored =
            StoredTableValues::open(&TableDirectory(folder.path().to_path_buf()), &name, None)
                .unwrap()
                .unwrap();
        let mut values = vec![0; stored.byte_count() as usize];
        stored.read(0, &mut values).unwrap();
        drop(stored);
        for _ in 0..5 {
            // One byte value means that there is no position at this index.
            let indices =
                || values.iter().enumerate().filter(|(_, value)| **value != Dtm::LOST_VALUE.0);
            let at = indices().nth(rng.usize(..indices().count())).unwrap().0;
            let mut wrong = values.clone();
            // The wrong value has another number of plies, or another winner.
            wrong[at] = wrong[at].wrapping_add(rng.u8(1..4)).max(2);
            table_file::save_table_file(folder.path(), &name, &[&wrong]).unwrap();
            let (_, err, code) = run(program(arguments.clone()), "");
            assert_eq!(code, Some(1), "{name} {at}: {err}");
            assert!(err.contains(" is wrong: the value at index "), "{name} {at}: {err}");
        }
        table_file::save_table_file(folder.path(), &name, &[&values]).unwrap();
    }
    let (out, err, code) = run(program(arguments), "");
    assert_eq!((err.as_str(), out.matches(" kept ").count(), code), ("", 4, Some(0)), "{out}");
}

/// Returns the best move in a position, and its score. They come from the tables, or from a search
/// to `depth` without tables.
fn search_best(
    history: &GameHistory<Quoridor>,
    tables: Option<&Arc<QuoridorTablebase>>,
    depth: u32,
) -> (String, Option<i32>) {
    let limits =
        Limits { depth: Some(depth), use_tablebases: tables.is_some(), ..Limits::default() };
    let none = no_tables(history.rules().as_ref());
    let table = TranspositionTable::new(1).unwrap();
    let answer = search(
        history,
        tables.unwrap_or(&none),
        &limits,
        &table,
        &SearchControl::default(),
        &mut |_| {},
    )
    .unwrap();
    (history.rules().move_text(answer.best), answer.score)
}

/// Plays a game until it is over. A game that starts from a drawn position also ends after 40
/// plies, or as soon as the position is no longer drawn. `player` plays by the tables, and must not
/// lose any value.
fn play_out(
    history: &mut GameHistory<Quoridor>,
    tables: &Arc<QuoridorTablebase>,
    player: Side,
    depth: u32,
) {
    let rules = history.rules().clone();
    let start = value(&rules, tables, history.position()).unwrap();
    let mut left = start.plies();
    for _ in 0..if start == TableValue::Draw { 40 } else { start.plies() } {
        let by_tables = history.side_to_move() == player;
        let (mv, score) = search_best(history, by_tables.then_some(tables), depth);
        if by_tables {
            assert_eq!(
                score == Some(0),
                start == TableValue::Draw,
                "{}",
                rules.position_text(history.position())
            );
        }
        let mv = rules.resolve_move(history.position(), &rules.parse_move(&mv).unwrap()).unwrap();
        history.push(mv);
        if history.outcome().is_some() {
            break;
        }
        let now = value(&rules, tables, history.position()).unwrap();
        let expected = match (history.side_to_move() == player, start) {
            (_, TableValue::Draw) => {
                matches!(now, TableValue::Draw) || !by_tables && matches!(now, TableValue::Win(_))
            }
            (true, _) => matches!(now, TableValue::Win(plies) if plies < left),
            (false, _) => matches!(now, TableValue::Loss(plies) if plies < left),
        };
        assert!(expected, "{start:?}, then {now:?}: {}", rules.position_text(history.position()));
        if start == TableValue::Draw && now != TableValue::Draw {
            break;
        }
        left = now.plies();
    }
}

/// Plays games from random positions between a player with the tables and a search. The player with
/// the tables has each side in some of the games. The player with the tables must not lose any
/// value.
fn play_against_a_search(size: i32, walls: usize, positions: usize, depth: u32, seed: u64) {
    let folder = Folder::new("quoridor-play");
    build_tables(folder.path(), size, &walls.to_string());
    let (rules, tables) = open_tables(folder.path(), size, [walls; 2]);
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut kinds = [0; 3];
    let mut played = 0;
    while played < positions {
        let mut history = GameHistory::new(rules.clone(), rules.start_position());
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
        // The better side plays by the tables. If neither side is better, it is the side to move.
        let player = match start {
            TableValue::Loss(_) => !history.side_to_move(),
            _ => history.side_to_move(),
        };
        play_out(&mut history, &tables, player, depth);
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
