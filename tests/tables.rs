//! Tables of solved positions. The tests check the numbering, retrograde analysis, and agreement
//! with whole games.

use std::path::Path;
use std::sync::{Arc, Mutex};
use std::{env, fs};

use pentarch_core::{
    GameHistory, GameTables, HistoryBans, Notation, Outcome, ProbeResult, ProbeTables,
    ProbeWorkLimit, Rules, Side, TableValue, TableWriteProgress, TableWriteRequest, WriteTables,
};

use pentarch_alquerque::Alquerque;
use pentarch_alquerque::board::{ALL_POINTS, Direction, iter_points_of_set};
use pentarch_alquerque::moves::Move;
use pentarch_alquerque::numbering::AlquerqueNumbering;
use pentarch_alquerque::position::Position;
use pentarch_alquerque::tables::AlquerqueTablebase;
use pentarch_bushka::Bushka;
use pentarch_bushka::numbering::BushkaNumbering;
use pentarch_core::evaluation::data_format::LOSSES_FILE_FORMAT;
use pentarch_core::evaluation::search_file::SearchFileContents;
use pentarch_core::tables::directory::TableDirectory;
use pentarch_games::Game;
use pentarch_roses::Roses;
use pentarch_roses::numbering::{PositionClass, RosesNumbering};
use pentarch_roses::tables::stored_classes;
use pentarch_search::control::SearchControl;
use pentarch_search::transposition::TranspositionTable;
use pentarch_search::{Limits, score, search};
use pentarch_slow_rules::bushka as slow;
use pentarch_tables::dtm::Dtm;
use pentarch_tables::endgame_tables::EndgameNumbering;
use pentarch_tables::lost_positions::{pack_losses, unpack_losses};
use pentarch_tables::retrograde::solve_group;
use pentarch_tables::retrograde_control::RetrogradeControl;
use pentarch_tables::table_file::load_group_file;
use pentarch_tables::verify::find_wrong_table_value;
use pentarch_tables::{PositionNumbering, RetrogradeNumbering, TableIndex, Tablebase};

use crate::client::{program, run};
use crate::common::temporary::Folder;
use crate::common::{built_tables, fresh_seed, no_tables, proof_tables, rules, table_value};

const BUDGET: RetrogradeControl = RetrogradeControl { threads: 2, should_continue: &|_| true };

/// Returns both rule sets of Roses.
fn roses() -> [Arc<Roses>; 2] {
    ["false", "true"]
        .map(|contiguous| rules::<Roses>(&[&format!("Roses_ContiguousSupport={contiguous}")]))
}

/// Solves the groups. Compares every `step`-th position with the positions after its moves.
fn solve_and_check<N: RetrogradeNumbering>(
    numbering: &N,
    groups: &[Vec<usize>],
    step: usize,
) -> Tablebase {
    let mut tables = Tablebase::default();
    for group in groups {
        solve_group(numbering, group, &mut tables, &BUDGET).unwrap();
        for &class in group {
            assert_eq!(find_wrong_table_value(numbering, &tables, class, step, 2, &|_| {}), None);
        }
    }
    tables
}

/// Returns the classes of the move phase, and those of the drop phase.
fn phases() -> [Vec<usize>; 2] {
    let ids =
        |classes: &mut dyn Iterator<Item = PositionClass>| classes.map(PositionClass::id).collect();
    [
        ids(&mut PositionClass::classes_of_move_phase()),
        ids(&mut PositionClass::classes_of_drop_phase()),
    ]
}

/// Solves Roses, writes the values to a file, and returns the values in the file. Compares every
/// `step`-th position with the positions after its moves.
fn roses_tables(rules: &Roses, step: usize) -> Tablebase {
    let folder = Folder::new("tables-roses");
    let plan = TableWriteRequest {
        directory: folder.path(),
        count: "8",
        check: false,
        threads: 1,
        stages: None,
        free_memory: None,
        free_disk: None,
    };
    let name = Mutex::default();
    let record_name = |report: TableWriteProgress| {
        if let TableWriteProgress::Written(written, _) = report {
            *name.lock().unwrap() = written.to_string();
        }
    };
    rules.write_table_files(&plan, &record_name).unwrap();
    let name = name.into_inner().unwrap();
    let numbering = RosesNumbering::new(rules);
    let classes = phases().concat();
    let mut tables = Tablebase::default();
    let files = TableDirectory(folder.path());
    assert!(load_group_file(&files, &name, &numbering, &classes, &mut tables).unwrap(), "{name}");
    for class in classes {
        assert_eq!(find_wrong_table_value(&numbering, &tables, class, step, 2, &|_| {}), None);
    }
    tables
}

/// The values of the solver agree with the rules, and the program contains the losses that the
/// solver finds. `GENERATE=1 cargo test --test all tables::solves_roses` writes the losses.
#[test]
fn solves_roses() {
    for (rules, name) in roses().iter().zip(["roses.losses", "contiguous.losses"]) {
        let solved = roses_tables(rules, 101);
        let losses =
            LOSSES_FILE_FORMAT.file_with_contents(&pack_losses(&solved, &stored_classes()));
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/crates/roses").join(name);
        if env::var_os("GENERATE").is_some() {
            fs::write(&path, losses).unwrap();
        } else {
            assert!(fs::read(&path).unwrap() == losses, "{name} is old: see this test");
            check_values_by_losses(rules, &solved, 100);
        }
    }
}

/// Damaged losses cause no panic, and truncated losses are rejected. A program without the embedded
/// files also verifies their checksum.
#[test]
fn rejects_damaged_losses() {
    let rules = &roses()[0];
    let file = include_bytes!("../src/crates/roses/roses.losses");
    let packed = LOSSES_FILE_FORMAT.verified_contents(file).unwrap();
    let unpack = |packed: &[u8]| {
        unpack_losses(packed, &RosesNumbering::new(rules), &stored_classes()).is_some()
    };
    assert!(unpack(packed) && <[u8]>::parse_file_bytes(file.to_vec()).is_some());
    assert!(<[u8]>::parse_file_bytes(file[1..].to_vec()).is_none());
    for len in [0, 3, 4, 5, packed.len() / 2, packed.len() - 1] {
        assert!(!unpack(&packed[..len]), "{len}");
    }
    for at in (0..4).chain((0..packed.len()).step_by(100_000)) {
        let mut damaged = packed.to_vec();
        damaged[at] ^= 0x10;
        unpack(&damaged);
    }
}

/// Compares the values that the program computes from the losses with the values of the solver. The
/// positions are a sample of each class: at most `count`.
fn check_values_by_losses(rules: &Arc<Roses>, solved: &Tablebase, count: usize) {
    let tables = built_tables(rules.as_ref());
    let numbering = RosesNumbering::new(rules);
    for class in phases().concat() {
        let size = numbering.class_size(class);
        for number in (0..size).step_by(size.div_ceil(count)) {
            let index = TableIndex { class, number };
            let position = numbering.position_at_index(index).unwrap();
            assert_eq!(
                table_value(rules.as_ref(), &tables, &position),
                solved.get(index).map(Dtm::value),
                "{position:?}"
            );
        }
    }
}

/// The value of every position of Roses agrees with the values after its moves, and with the value
/// that the program computes from the losses. Takes a minute: `cargo test --release --test all
/// tables::roses_is_a_draw -- --ignored`
#[test]
#[ignore = "takes a minute"]
fn roses_is_a_draw() {
    for (rules, plies) in roses().iter().zip([[71, 71], [52, 53]]) {
        let numbering = RosesNumbering::new(rules);
        let tables = roses_tables(rules, 1);
        check_values_by_losses(rules, &tables, usize::MAX);
        let start = numbering.index_of_position(&rules.start_position()).unwrap();
        assert_eq!(tables.get(start).unwrap().value(), TableValue::Draw);
        let numbers = |&class: &usize| {
            (0..numbering.class_size(class)).map(move |number| TableIndex { class, number })
        };
        let longest = phases().map(|classes| {
            let plies = classes.iter().flat_map(numbers).filter_map(|place| {
                match tables.get(place)?.value() {
                    TableValue::Win(plies) | TableValue::Loss(plies) => Some(plies),
                    TableValue::Draw => None,
                }
            });
            plies.max().unwrap()
        });
        assert_eq!(longest, plies);
    }
}

#[test]
fn analysis_can_be_interrupted() {
    let rules = &alquerque()[0];
    let numbering = AlquerqueNumbering::new(rules, 3);
    let mut tables = Tablebase::default();
    let stopped = RetrogradeControl { threads: 2, should_continue: &|_| false };
    let error =
        solve_group(&numbering, &numbering.class_groups()[0], &mut tables, &stopped).unwrap_err();
    assert_eq!(error.to_string(), "interrupted");
    assert!(numbering.class_groups()[0].iter().all(|&class| tables.class_values(class).is_empty()));
}

/// Every index denotes a position with this index. A position and its half turn have the same
/// index.
#[test]
fn roses_indices_match_their_positions() {
    let rules = &roses()[0];
    let numbering = RosesNumbering::new(rules);
    let half_turn = &rules.symmetries()[0];
    for class in phases().concat() {
        for number in (0..numbering.class_size(class)).step_by(97) {
            let place = TableIndex { class, number };
            let position = numbering.position_at_index(place).unwrap();
            let turned = (half_turn.position)(rules, &position);
            assert_eq!(
                [numbering.index_of_position(&position), numbering.index_of_position(&turned)],
                [Some(place); 2]
            );
        }
    }
    let decided = rules.parse_position("c/4/5/5/4/1 w 0/0 9").unwrap();
    assert_eq!(numbering.index_of_position(&decided), None);
}

/// Returns the move and the score of the engine in a position, with or without tables.
fn answer<G: Game>(
    history: &GameHistory<G>,
    tables: Option<&Arc<G::Tables>>,
    mate: Option<u32>,
) -> (G::Move, Option<i32>) {
    let depth = mate.is_none().then_some(1);
    let limits = Limits { depth, mate, use_tablebases: tables.is_some(), ..Limits::default() };
    let control = SearchControl::default();
    let none = no_tables(history.rules().as_ref());
    let answer = search(
        history,
        tables.unwrap_or(&none),
        &limits,
        &TranspositionTable::new(1).unwrap(),
        &control,
        &mut |_| {},
    )
    .unwrap();
    (answer.best, answer.score)
}

/// A game between two players with tables lasts as long as the tables state. The games start from a
/// thousand won positions of every material. If there are fewer positions, all of them are used. Up
/// to nine plies, a plain search finds the same distances. Takes minutes: `cargo test --release
/// --test all tables::roses_wins -- --ignored`
#[test]
#[ignore = "takes minutes"]
fn roses_wins_last_as_long_as_announced() {
    let seed = fresh_seed();
    roses().iter().for_each(|rules| play_to_the_end(rules, seed));
}

fn play_to_the_end(rules: &Arc<Roses>, seed: u64) {
    let tables = built_tables(rules.as_ref());
    let numbering = RosesNumbering::new(rules);
    let mut rng = fastrand::Rng::with_seed(seed);
    for class in phases().concat() {
        let position = |number| numbering.position_at_index(TableIndex { class, number }).unwrap();
        let won = |number: &usize| {
            matches!(
                table_value(rules.as_ref(), &tables, &position(*number)),
                Some(TableValue::Win(_))
            )
        };
        let mut wins: Vec<usize> = (0..numbering.class_size(class)).filter(won).collect();
        rng.shuffle(&mut wins);
        for (game, &number) in wins.iter().take(1000).enumerate() {
            let mut history = GameHistory::new(rules.clone(), position(number));
            let Some(TableValue::Win(plies)) =
                table_value(rules.as_ref(), &tables, history.position())
            else {
                unreachable!()
            };
            if plies <= 9 && game < 20 {
                let by_search = answer(&history, None, Some(plies.div_ceil(2))).1;
                assert_eq!(
                    by_search,
                    Some(score::win_score_at_ply(plies as usize)),
                    "{}",
                    rules.position_text(history.position())
                );
            }
            let winner = history.side_to_move();
            for left in (1..=plies as usize).rev() {
                let (best, score) = answer(&history, Some(&tables), None);
                let expected = score::win_score_at_ply(left)
                    * if history.side_to_move() == winner { 1 } else { -1 };
                assert_eq!(score, Some(expected), "{}", rules.position_text(history.position()));
                history.push(best);
            }
            assert_eq!(history.outcome().and_then(Outcome::winner), Some(winner));
        }
    }
}

#[test]
fn roses_is_played_perfectly_without_time() {
    roses().iter().for_each(|rules| check_moves_without_time(rules, 1));
}

/// In both games a position has occurred twice, so the next repetition can end the game. The tables
/// do not consider this, but their values still decide the first choice. The winning moves are the
/// only quickest ones.
#[test]
fn roses_is_won_without_time_after_repetitions() {
    let games = [
        ("c/4/4S/1sSSs/s1S1/C b 0/0 1 moves c2d3 d4d5 d3c2 d5d4 c2d3 d4d5 d3c2", "e5c5"),
        ("c/1S2/sSs2/S2s1/1sS1/C b 0/0 1 moves e5d5 b4c5 d5e5 c5b4 e5d5 b4c5", "c4d5c3d4"),
    ];
    let command =
        |(game, _): &(&str, &str)| format!("position fen {game}\ngo movetime 0\ngo nodes 1\n");
    let lines: String = games.iter().map(command).collect();
    let (out, ..) = run(program(["--game", "roses"]), lines);
    let moves: Vec<&str> =
        out.lines().filter_map(|line| line.strip_prefix("bestmove ")?.split(' ').next()).collect();
    assert_eq!(moves, [games[0].1, games[0].1, games[1].1, games[1].1], "{out}");
    assert!(!out.contains("mate"), "{out}");
}

/// Starts a thousand processes: `cargo test --test all tables::roses_is_always -- --ignored`
#[test]
#[ignore = "takes minutes"]
fn roses_is_always_played_perfectly_without_time() {
    roses().iter().for_each(|rules| check_moves_without_time(rules, 125));
}

/// Starts a process for each of `count` won and `count` drawn positions, with limits of 0 and 1 ms.
/// Its move must keep the result, and a win must come nearer. One position in four is of the drop
/// phase.
fn check_moves_without_time(rules: &Arc<Roses>, count: usize) {
    let tables = built_tables(rules.as_ref());
    let numbering = RosesNumbering::new(rules);
    let option = format!("Roses_ContiguousSupport={}", *rules == roses()[1]);
    let mut rng = fastrand::Rng::with_seed(fresh_seed());
    let mut remaining = [count; 2];
    while remaining != [0; 2] {
        let classes = &phases()[usize::from(rng.u8(..4) == 0)];
        let class = classes[rng.usize(..classes.len())];
        let number = rng.usize(..numbering.class_size(class));
        let position = numbering.position_at_index(TableIndex { class, number }).unwrap();
        // In the drop phase, the reserves decide the side to move.
        let is_turned = rules.parse_position(&rules.position_text(&position)).is_err()
            || !position.is_drop_phase() && rng.bool();
        let position = if is_turned { position.half_turn() } else { position };
        let value = table_value(rules.as_ref(), &tables, &position).unwrap();
        let left = &mut remaining[usize::from(value == TableValue::Draw)];
        if matches!(value, TableValue::Loss(_)) || *left == 0 {
            continue;
        }
        *left -= 1;
        let fen = rules.position_text(&position);
        for movetime in [0, 1] {
            let lines = format!("position fen {fen}\ngo movetime {movetime}\n");
            let (out, ..) = run(program(["--game", "roses", "--set", &option]), lines);
            let best = out.lines().last().and_then(|line| line.strip_prefix("bestmove ")).unwrap();
            let best = best.split(' ').next().unwrap();
            let history = GameHistory::new(rules.clone(), position);
            let next = rules.play(&position, history.resolve_move(best).unwrap());
            let after = match rules.outcome(&next) {
                Some(_) => TableValue::Loss(0),
                None => table_value(rules.as_ref(), &tables, &next).unwrap(),
            };
            let expected = match value {
                TableValue::Win(plies) => TableValue::Loss(plies - 1),
                _ => TableValue::Draw,
            };
            assert_eq!(after, expected, "{fen}: {best} in {movetime} ms: {out}");
        }
    }
}

/// Returns the rule sets of Alquerque in which the history has no effect.
fn alquerque() -> Vec<Arc<Alquerque>> {
    let free = ["Alquerque_Retreat=free"];
    let more: [&[&str]; 7] = [
        &[],
        &["Alquerque_MultiCapture=stop"],
        &["Alquerque_MultiCapture=maximum", "Alquerque_Removal=after"],
        &["Alquerque_MultiCapture=off", "Alquerque_Win=capture"],
        &["Alquerque_Movement=bell"],
        &["Alquerque_Movement=bell", "Alquerque_BaseRow=horizontal"],
        &["Alquerque_Ruleset=bell", "Alquerque_Removal=after", "Alquerque_Win=capture"],
    ];
    more.iter().map(|settings| rules::<Alquerque>(&[&free, *settings].concat())).collect()
}

#[test]
fn alquerque_with_few_checkers_is_solved() {
    for rules in alquerque() {
        assert!(rules.has_no_history());
        let numbering = AlquerqueNumbering::new(&rules, 4);
        solve_and_check(&numbering, &numbering.class_groups(), 1);
    }
}

/// The value of every position with at most six checkers agrees with the values after its moves.
/// Takes a minute: `cargo test --release --test all tables::alquerque -- --ignored`
#[test]
#[ignore = "takes a minute"]
fn alquerque_with_six_checkers_is_solved() {
    for rules in alquerque() {
        let numbering = AlquerqueNumbering::new(&rules, 6);
        solve_and_check(&numbering, &numbering.class_groups(), 1);
    }
}

/// Returns the rules of Bushka on each board.
fn bushka() -> [Arc<Bushka>; 2] {
    [rules::<Bushka>(&[]), rules(&["Bushka_Board=11x9"])]
}

/// Checks every `step`-th value of the positions with at most three pieces. It agrees with the
/// values after the moves of the slow rules. A position and its image under each symmetry have the
/// same value.
fn check_bushka_values(step: usize) {
    for rules in bushka() {
        let tables = built_tables(rules.as_ref());
        let numbering = BushkaNumbering::new(&rules, 3);
        let symmetries = rules.symmetries();
        let mut found = [0; 3];
        for index in numbering.class_groups().into_iter().flatten().flat_map(|class| {
            let numbers = (0..numbering.class_size(class)).step_by(step);
            numbers.map(move |number| TableIndex { class, number })
        }) {
            let Some(position) = numbering.position_at_index(index) else { continue };
            assert_eq!(numbering.index_of_position(&position), Some(index));
            let text = rules.position_text(&position);
            let value = |text: &str| {
                let board = slow::Board::read(text);
                match board.outcome().as_str() {
                    "ongoing" => {
                        let position = rules.parse_position(text).unwrap();
                        table_value(rules.as_ref(), &tables, &position).unwrap()
                    }
                    _ => TableValue::Loss(0),
                }
            };
            let board = slow::Board::read(&text);
            let turns = board.legal_moves();
            let after = turns.iter().map(|turn| value(&board.play(turn).text()));
            let expected = after
                .map(|value| match value {
                    TableValue::Win(plies) => TableValue::Loss(plies + 1),
                    TableValue::Draw => TableValue::Draw,
                    TableValue::Loss(plies) => TableValue::Win(plies + 1),
                })
                .max_by_key(|&value| preference(value));
            let expected = expected.unwrap_or(TableValue::Loss(0));
            assert_eq!(value(&text), expected, "{text}");
            for symmetry in &symmetries {
                let image = (symmetry.position)(&rules, &position);
                assert_eq!(value(&rules.position_text(&image)), expected, "{text}");
            }
            found[match expected {
                TableValue::Win(_) => 0,
                TableValue::Draw => 1,
                TableValue::Loss(_) => 2,
            }] += 1;
        }
        assert!(found.iter().all(|&count| count > 50), "{found:?}");
    }
}

#[test]
fn bushka_with_few_pieces_is_solved() {
    check_bushka_values(1009);
}

/// Takes some minutes: `cargo test --release --test all tables::bushka -- --ignored`
#[test]
#[ignore = "takes minutes"]
fn bushka_with_three_pieces_is_solved() {
    check_bushka_values(1);
}

/// Returns the value and the estimate of a position in these tables. The tables are computed first.
fn known(
    rules: &Alquerque,
    tables: &AlquerqueTablebase,
    text: &str,
) -> (Option<TableValue>, Option<TableValue>) {
    tables.begin_computing_tables();
    tables.wait_until_computed(&|| false);
    let position = rules.parse_position(text).unwrap();
    let probed = rules.probe_tables(tables, &position, ProbeWorkLimit::Quick);
    (
        probed.and_then(ProbeResult::value),
        probed.and_then(
            |probed| if let ProbeResult::Similar(value) = probed { Some(value) } else { None },
        ),
    )
}

/// Values under rules without history are estimates under other rules. If at most one step is
/// forbidden to a side, the values of positions with at most five checkers are exact.
#[test]
fn alquerque_starts_its_tables() {
    let [free, checker, huff] = [
        &["Alquerque_Retreat=free"][..],
        &["Alquerque_Retreat=checker"],
        &["Alquerque_MissedCapture=huff"],
    ];
    let text = "x4/5/5/5/o3o l - - - 1";
    let [free, checker, huff, modern] = [free, checker, huff, &[]].map(rules::<Alquerque>);
    let of_free = known(&free, &built_tables(free.as_ref()), text);
    assert_eq!(of_free, (Some(TableValue::Win(25)), None));
    let value = of_free.0;
    let tables = no_tables(checker.as_ref());
    assert_eq!(known(&checker, &tables, text), (None, value));
    assert_eq!(tables.take_faults(), []);
    let tables = built_tables(huff.as_ref());
    assert_eq!(known(&huff, &tables, text), (None, value));
    assert_eq!(known(&huff, &tables, "x4/5/5/5/o3o l - - a5 1"), (None, None));
    assert_eq!(tables.take_faults(), []);
    let history = GameHistory::new(checker.clone(), checker.parse_position(text).unwrap());
    // A search of this number of plies or moves waits for the tables.
    let tables = no_tables(checker.as_ref());
    assert_eq!(answer(&history, Some(&tables), None).1, Some(9760));
    assert!(
        answer(&history, Some(&tables), Some(2))
            .1
            .is_some_and(|score| score < score::win_score_at_ply(3))
    );

    let tables = built_tables(modern.as_ref());
    let (value, _) = known(&modern, &tables, text);
    assert!(matches!(value, Some(TableValue::Win(25..40))), "{value:?}");
    assert_eq!(known(&modern, &tables, "x3x/1x3/5/5/oo2o l - - - 1").0, None);
    let history = GameHistory::new(modern.clone(), modern.parse_position(text).unwrap());
    assert!(score::is_proven_score(answer(&history, Some(&tables), None).1.unwrap()));
}

/// Files contain the values that are solved in memory, and further values. Unusable files are
/// reported once and computed again.
#[test]
fn alquerque_stores_tables_in_files() {
    let folder = Folder::new("tables");
    let directory = folder.path();
    let news = Mutex::new(Vec::new());
    let compute_tables = |men: u32, check| {
        let record_report = |told: TableWriteProgress| match told {
            TableWriteProgress::Written(name, _) => {
                news.lock().unwrap().push(format!("made {}", &name[name.len() - 3..]))
            }
            TableWriteProgress::Existing(name, _) => {
                news.lock().unwrap().push(format!("kept {}", &name[name.len() - 3..]))
            }
            TableWriteProgress::Unusable(_) => news.lock().unwrap().push("refused".into()),
            _ => {}
        };
        let plan = TableWriteRequest {
            directory,
            count: &men.to_string(),
            check,
            threads: 2,
            stages: None,
            free_memory: None,
            free_disk: None,
        };
        let made = rules::<Alquerque>(&[]).write_table_files(&plan, &record_report);
        (made, std::mem::take(&mut *news.lock().unwrap()))
    };
    assert!(compute_tables(1, false).0.is_err() && compute_tables(13, false).0.is_err());
    let (made, news) = compute_tables(3, false);
    assert!(made.is_ok() && news == ["made 1-1", "made 1-2"], "{made:?} {news:?}");
    assert_eq!(compute_tables(4, true).1, ["kept 1-1", "kept 1-2", "made 1-3", "made 2-2"]);

    let text = "x4/1x3/5/5/o3o l - - - 1";
    let free = rules::<Alquerque>(&["Alquerque_Retreat=free"]);
    let in_memory = known(&free, &built_tables(free.as_ref()), text);
    assert!(in_memory.0.is_some());
    let tables =
        AlquerqueTablebase::new(&free, Some(Arc::new(TableDirectory(directory.to_path_buf()))));
    assert_eq!((known(&free, &tables, text), tables.take_faults()), (in_memory, vec![]));

    let file = directory.join("alquerque-complete-instant-free-block-2-2.table");
    let whole = fs::read(&file).unwrap();
    fs::write(&file, &whole[..whole.len() - 1]).unwrap();
    let tables =
        AlquerqueTablebase::new(&free, Some(Arc::new(TableDirectory(directory.to_path_buf()))));
    let (value, _) = known(&free, &tables, text);
    assert_eq!(value, in_memory.0);
    let faults = tables.take_faults();
    assert!(
        matches!(&faults.iter().map(ToString::to_string).collect::<Vec<_>>()[..],
            [fault] if fault.contains("2-2.table: ") && fault.contains("truncated")),
        "{faults:?}"
    );
    assert_eq!(tables.take_faults(), []);
    assert_eq!(
        compute_tables(4, false).1,
        ["kept 1-1", "kept 1-2", "kept 1-3", "refused", "made 2-2"]
    );
    assert_eq!(fs::read(&file).unwrap(), whole);
}

/// Returns the value that follows from the values after the moves of an undecided position; `None`
/// if one of them is unknown.
fn expected(
    rules: &Alquerque,
    tables: &AlquerqueTablebase,
    position: &Position,
    moves: &mut Vec<Move>,
) -> Option<TableValue> {
    moves.clear();
    rules.legal_moves(position, moves);
    let value = |mv| {
        let next = rules.play(position, mv);
        Some(
            match rules
                .outcome(&next)
                .map_or_else(|| table_value(rules, tables, &next), |_| Some(TableValue::Loss(0)))?
            {
                TableValue::Win(plies) => TableValue::Loss(plies + 1),
                TableValue::Loss(plies) => TableValue::Win(plies + 1),
                TableValue::Draw => TableValue::Draw,
            },
        )
    };
    let values = moves.drain(..).map(value).collect::<Option<Vec<_>>>()?;
    values.into_iter().max_by_key(|&value| preference(value))
}

/// Returns a number for a value. The side to move prefers values with a higher number.
fn preference(value: TableValue) -> i64 {
    match value {
        TableValue::Win(plies) => 1000 - i64::from(plies),
        TableValue::Draw => 0,
        TableValue::Loss(plies) => i64::from(plies) - 1000,
    }
}

/// Checks every `step`-th position with at most `most` checkers. In each position, each step of
/// Light is forbidden in turn, under rules that bind only Light. The value agrees with the values
/// after the moves. The side with the forbidden step does no better than without it. Images of a
/// position have the same values.
fn check_bound_tables(most: usize, step: usize) {
    let modern = rules::<Alquerque>(&[]);
    let free = rules::<Alquerque>(&["Alquerque_Retreat=free"]);
    // The relaxed rules of either side share the tables of the full rules.
    let [tables, free_tables] =
        [&modern, &free].map(|rules| proof_tables(rules.as_ref(), Some(most)));
    let [light, dark] = Side::BOTH_SIDES.map(|side| modern.rules_relaxed_for_proof(side).unwrap());
    let numbering = AlquerqueNumbering::new(&free, most);
    let symmetries = light.symmetries();
    let mut moves = Vec::new();
    let mut rng = fastrand::Rng::with_seed(25);
    let mut differing = 0;
    for place in numbering.class_groups().into_iter().flatten().flat_map(|class| {
        (0..numbering.class_size(class))
            .step_by(step)
            .map(move |number| TableIndex { class, number })
    }) {
        let Some(to_move) = numbering.position_at_index(place) else { continue };
        let passed = Position { side: Side::Second, ..to_move };
        for position in
            [to_move, passed].into_iter().filter(|position| light.outcome(position).is_none())
        {
            let step = |direction: Direction| {
                let room = ALL_POINTS & !position.occupied_points();
                iter_points_of_set(
                    position.checkers[0]
                        & direction.line_start_points()
                        & direction.shift_set_back(room),
                )
                .map(move |from| (from, direction))
            };
            for forbidden in Direction::ALL.into_iter().flat_map(step).map(Some).chain([None]) {
                let mut position = position;
                forbidden
                    .inspect(|(from, direction)| position.banned[direction.index()] = from.bit());
                let value = table_value(&light, &tables, &position);
                let text = || light.position_text(&position);
                match light.outcome(&position) {
                    Some(_) => assert_eq!(value, Some(TableValue::Loss(0)), "{}", text()),
                    None => assert_eq!(
                        value,
                        expected(&light, &tables, &position, &mut moves),
                        "{}",
                        text()
                    ),
                }
                let without = table_value(
                    free.as_ref(),
                    &free_tables,
                    &free.position_without_past(&position),
                );
                let [bound, unbound] = [value, without].map(|value| preference(value.unwrap()));
                let is_light = position.side == Side::First;
                let is_no_better = if is_light { bound <= unbound } else { bound >= unbound };
                assert!(is_no_better, "{}", text());
                differing += usize::from(bound != unbound);
                let symmetry = &symmetries[rng.usize(..symmetries.len())];
                let image = (symmetry.position)(&light, &position);
                assert_eq!(
                    table_value(if symmetry.swaps_sides { &dark } else { &light }, &tables, &image),
                    value,
                    "{}",
                    text()
                );
            }
        }
    }
    assert!(differing > 1000);
}

#[test]
fn alquerque_with_a_side_that_is_bound_is_solved() {
    check_bound_tables(4, 29);
}

/// Runs the check of the test above for up to six checkers. Takes minutes: `cargo test --release
/// --test all tables::alquerque_with_a_side -- --ignored`
#[test]
#[ignore = "takes minutes"]
fn alquerque_with_a_side_that_is_bound_and_six_checkers_is_solved() {
    check_bound_tables(6, 1);
}

/// If one step may be forbidden, there are tables for proofs. If several steps may be forbidden,
/// there are none.
#[test]
fn alquerque_starts_tables_for_proofs() {
    let value = |settings: &[&str]| {
        let rules = rules::<Alquerque>(settings);
        let tables = proof_tables(rules.as_ref(), Some(4));
        table_value(
            rules.as_ref(),
            &tables,
            &rules.parse_position("x4/5/2o1o/o4/5 l - - - 1").unwrap(),
        )
    };
    assert!(
        [&["Alquerque_Retreat=free"][..], &[]]
            .map(value)
            .iter()
            .all(|value| matches!(value, Some(TableValue::Win(_))))
    );
    assert_eq!(value(&["Alquerque_Ruleset=bell"]), None);
    // If a side without a move does not lose, a forbidden step may save it.
    for (settings, is_relaxed) in
        [(&[][..], true), (&["Alquerque_Win=capture"], false), (&["Alquerque_Win=block"], true)]
    {
        let relaxed = rules::<Alquerque>(settings).rules_relaxed_for_proof(Side::First);
        assert_eq!(relaxed.is_some(), is_relaxed, "{settings:?}");
    }
}

/// A search waits for tables only if it meets a position that they may contain.
#[test]
fn computes_tables_when_a_search_meets_their_positions() {
    let rules = rules::<Alquerque>(&["Alquerque_Retreat=free"]);
    let tables = no_tables(rules.as_ref());
    let few = Position { checkers: [1, 1 << 24], ..rules.start_position() };
    let search_from = |position| {
        let history = GameHistory::new(rules.clone(), position);
        let limits = Limits { nodes: Some(200), ..Limits::default() };
        let answer = |tables| {
            let table = TranspositionTable::new(1).unwrap();
            search(&history, tables, &limits, &table, &SearchControl::default(), &mut |_| {})
                .map(|answer| (answer.best, answer.score))
        };
        (answer(&tables), answer(&built_tables(rules.as_ref())))
    };
    // At the start, the line of the book would need the tables at its end.
    let many = rules.parse_position("xxxx1/xxxx1/x1o1x/oooo1/ooooo l - - - 4").unwrap();
    let (lazy, eager) = search_from(many);
    assert_eq!(lazy, eager);
    assert_eq!(table_value(rules.as_ref(), &tables, &few), None);
    // This position has seven checkers. The first move captures one or more of them.
    let seven = rules.parse_position("x4/1x3/2x2/1xoo1/4o l - - - 30").unwrap();
    let (lazy, eager) = search_from(seven);
    assert_eq!(lazy, eager);
    assert!(table_value(rules.as_ref(), &tables, &few).is_some());
}

/// All engines of a process share tables in memory.
#[test]
fn shares_tables_in_memory() {
    // Some rule sets of Alquerque differ only in the effect of history. They share the values
    // without history.
    let _kept = built_tables(rules::<Alquerque>(&["Alquerque_Retreat=free"]).as_ref());
    let probe = |settings: &[&str], tables: fn(&Alquerque) -> Arc<AlquerqueTablebase>| {
        let rules = rules::<Alquerque>(settings);
        let few = Position { checkers: [1, 1 << 24], ..rules.start_position() };
        rules.probe_tables(&tables(&rules), &few, ProbeWorkLimit::Quick)
    };
    let shared = |rules: &Alquerque| rules.create_or_share_tables(None);
    for history in
        ["Alquerque_Retreat=checker", "Alquerque_MissedCapture=huff", "Alquerque_Win=block"]
    {
        assert!(
            matches!(
                probe(&[history], shared),
                Some(ProbeResult::Similar(_) | ProbeResult::Value(_))
            ),
            "{history}"
        );
        assert_eq!(probe(&[history], no_tables), None, "{history}");
    }
}
