//! Tables of solved positions: numbering, analysis, and what it says of whole games.

mod common;

use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex};

use common::rules;
use pentarch::core::options::TABLE_PATH;
use pentarch::core::{Complete, Game, Line, Notation, Options, Outcome, Probe, Side, TableNews, TablePlan, TableValue};
use pentarch::games::alquerque::Alquerque;
use pentarch::games::alquerque::board::{ALL, Direction, spots};
use pentarch::games::alquerque::moves::Move;
use pentarch::games::alquerque::position::Position;
use pentarch::games::alquerque::tables::{Checkers, Orbits};
use pentarch::games::roses::{Roses, tables::Soldiers};
use pentarch::search::control::Control;
use pentarch::search::table::Table;
use pentarch::search::{FULL_SKILL, Limits, score, search};
use pentarch::tables::check::first_fault;
use pentarch::tables::solve::{Effort, solve};
use pentarch::tables::{Numbering, Place, Tables};

const EFFORT: Effort = Effort { threads: 2, go_on: &|_| true };

/// Both rule sets of Roses.
fn roses() -> [Arc<Roses>; 2] {
    ["false", "true"].map(|contiguous| rules::<Roses>(&[&format!("Roses_ContiguousSupport={contiguous}")]))
}

/// Solves the groups and holds each position, or one of so many, against the positions that its moves lead to.
fn solve_and_check<N: Numbering>(numbering: &N, groups: &[Vec<usize>], step: usize) -> Tables {
    let mut tables = Tables::default();
    for group in groups {
        solve(numbering, group, &mut tables, &EFFORT).unwrap();
        for &class in group {
            assert_eq!(first_fault(numbering, &tables, class, step, 2), None);
        }
    }
    tables
}

/// The greatest number of plies to a win or a loss in these groups.
fn longest<N: Numbering>(numbering: &N, tables: &Tables, groups: &[Vec<usize>]) -> u32 {
    let numbers = |&class: &usize| (0..numbering.size(class)).map(move |number| Place { class, number });
    let plies = groups.iter().flatten().flat_map(numbers).filter_map(|place| match tables.get(place)?.value() {
        TableValue::Win(plies) | TableValue::Loss(plies) => Some(plies),
        TableValue::Draw => None,
    });
    plies.max().unwrap()
}

/// The groups of the move phase, and those of the drop phase.
fn phases(numbering: &Soldiers) -> [Vec<Vec<usize>>; 2] {
    let drops = |group: &Vec<usize>| numbering.position(Place { class: group[0], number: 0 }).unwrap().is_drop_phase();
    let (drop, play) = numbering.groups().into_iter().partition(drops);
    [play, drop]
}

#[test]
fn roses_with_few_soldiers_is_solved() {
    for rules in roses() {
        let numbering = Soldiers::new(&rules);
        let [play, _] = phases(&numbering);
        let small: Vec<_> = play.into_iter().filter(|group| numbering.size(group[0]) < 100_000).collect();
        solve_and_check(&numbering, &small, 7);
    }
}

/// Every position of Roses agrees with what its moves lead to. Takes a minute:
/// `cargo test --release --test tables -- --ignored roses`.
#[test]
#[ignore = "takes a minute"]
fn roses_is_a_draw() {
    for (rules, plies) in roses().iter().zip([[71, 71], [52, 53]]) {
        let numbering = Soldiers::new(rules);
        let tables = solve_and_check(&numbering, &numbering.groups(), 1);
        let start = numbering.place(&rules.start()).unwrap();
        assert_eq!(tables.get(start).unwrap().value(), TableValue::Draw);
        assert_eq!(phases(&numbering).map(|groups| longest(&numbering, &tables, &groups)), plies);
    }
}

#[test]
fn an_analysis_can_be_interrupted() {
    let rules = &roses()[0];
    let numbering = Soldiers::new(rules);
    let mut tables = Tables::default();
    let stopped = Effort { threads: 2, go_on: &|_| false };
    let error = solve(&numbering, &numbering.groups()[0], &mut tables, &stopped).unwrap_err();
    assert_eq!((error.to_string(), tables.bytes(&numbering.groups()[0])), ("interrupted".to_string(), 0));
}

/// Every place gives a position whose place it is, and a position shares its place with its half turn.
#[test]
fn roses_places_are_those_of_their_positions() {
    let rules = &roses()[0];
    let numbering = Soldiers::new(rules);
    let half_turn = &rules.symmetries()[0];
    for class in numbering.groups().into_iter().flatten() {
        for number in (0..numbering.size(class)).step_by(97) {
            let place = Place { class, number };
            let position = numbering.position(place).unwrap();
            let turned = (half_turn.position)(rules, &position);
            assert_eq!([numbering.place(&position), numbering.place(&turned)], [Some(place); 2]);
        }
    }
    let decided = rules.parse_position("c/4/5/5/4/1 w 0/0 9").unwrap();
    assert_eq!(numbering.place(&decided), None);
}

/// What the engine plays in a position, and its score.
fn answer<G: Complete>(line: &Line<G>, solved: bool, mate: Option<u32>) -> (G::Move, Option<i32>) {
    let mut moves = Vec::new();
    line.legal_moves(&mut moves);
    let depth = mate.is_none().then_some(1);
    let limits = Limits { depth, nodes: None, mate, moves, multi_pv: 1, solved, threads: 1, skill: FULL_SKILL };
    let control = Control::new(None, false, false);
    let answer = search(line, &limits, &Table::new(1).unwrap(), &control, |_| {}).unwrap();
    (answer.best, answer.score)
}

/// Games between two that know the tables last as long as the tables say, from a thousand won positions of every
/// material (or all, where there are fewer), and plain search finds the same distances up to nine plies. Takes minutes:
/// `cargo test --release --test tables -- --ignored play_to_the_end`.
#[test]
#[ignore = "takes minutes"]
fn roses_wins_play_to_the_end_as_announced() {
    roses().iter().for_each(play_to_the_end);
}

fn play_to_the_end(rules: &Arc<Roses>) {
    rules.begin_tables();
    rules.await_tables(&|| false);
    let numbering = Soldiers::new(rules);
    let mut rng = fastrand::Rng::with_seed(7);
    for class in numbering.groups().into_iter().flatten() {
        let position = |number| numbering.position(Place { class, number }).unwrap();
        let won = |number: &usize| matches!(rules.probe(&position(*number)), Some(TableValue::Win(_)));
        let mut wins: Vec<usize> = (0..numbering.size(class)).filter(won).collect();
        rng.shuffle(&mut wins);
        for (game, &number) in wins.iter().take(1000).enumerate() {
            let mut line = Line::new(rules.clone(), position(number));
            let Some(TableValue::Win(plies)) = rules.probe(line.position()) else { unreachable!() };
            if plies <= 9 && game < 20 {
                let by_search = answer(&line, false, Some(plies.div_ceil(2))).1;
                assert_eq!(by_search, Some(score::win_at(plies as usize)), "{}", rules.position_text(line.position()));
            }
            let winner = rules.side_to_move(line.position());
            for left in (1..=plies as usize).rev() {
                let (best, score) = answer(&line, true, None);
                let expected = score::win_at(left) * if rules.side_to_move(line.position()) == winner { 1 } else { -1 };
                assert_eq!(score, Some(expected), "{}", rules.position_text(line.position()));
                line.push(best);
            }
            assert_eq!(line.outcome().and_then(Outcome::winner), Some(winner));
        }
    }
}

/// The rule sets of Alquerque that know no history.
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
        let orbits = Orbits::new(&rules, 4);
        let numbering = Checkers::new(&rules, &orbits, 4);
        solve_and_check(&numbering, &numbering.groups(), 1);
    }
}

/// Every position with at most six checkers agrees with what its moves lead to. Takes a minute:
/// `cargo test --release --test tables -- --ignored alquerque`.
#[test]
#[ignore = "takes a minute"]
fn alquerque_with_six_checkers_is_solved() {
    for rules in alquerque() {
        let orbits = Orbits::new(&rules, 6);
        let numbering = Checkers::new(&rules, &orbits, 6);
        solve_and_check(&numbering, &numbering.groups(), 1);
    }
}

/// The value and the hint that a game has for a position after it has made its tables, and what it says of files.
fn known(rules: &Arc<Alquerque>, text: &str) -> (Option<TableValue>, Option<TableValue>, Vec<String>) {
    rules.begin_tables();
    rules.await_tables(&|| false);
    let position = rules.parse_position(text).unwrap();
    (rules.probe(&position), rules.hint(&position), rules.table_faults())
}

/// Values under rules without history are hints under the others; where at most one step is forbidden to a side, those
/// of positions with at most five checkers are exact.
#[test]
fn alquerque_begins_its_tables() {
    let [free, checker, huff] =
        [&["Alquerque_Retreat=free"][..], &["Alquerque_Retreat=checker"], &["Alquerque_MissedCapture=huff"]];
    let text = "x4/5/5/5/o3o l - - - 1";
    let (value, hint, _) = known(&rules::<Alquerque>(free), text);
    assert_eq!((value, hint), (Some(TableValue::Win(25)), None));
    for history in [checker, huff] {
        assert_eq!(known(&rules::<Alquerque>(history), text), (None, value, vec![]));
    }
    assert_eq!(known(&rules::<Alquerque>(huff), "x4/5/5/5/o3o l - - a5 1"), (None, None, vec![]));
    let checker = rules::<Alquerque>(checker);
    let line = Line::new(checker.clone(), checker.parse_position(text).unwrap());
    assert_eq!(answer(&line, true, None).1, Some(9760));
    assert!(answer(&line, true, Some(2)).1.is_some_and(|score| score < score::win_at(3)));

    let modern = rules::<Alquerque>(&[]);
    let (value, _, _) = known(&modern, text);
    assert!(matches!(value, Some(TableValue::Win(25..40))), "{value:?}");
    assert_eq!(known(&modern, "x3x/1x3/5/5/oo2o l - - - 1").0, None);
    let line = Line::new(modern.clone(), modern.parse_position(text).unwrap());
    assert!(score::is_proven(answer(&line, true, None).1.unwrap()));
}

/// Files have what was solved in memory and more; those of no use are told once, and made anew.
#[test]
fn alquerque_keeps_tables_in_files() {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("tables");
    let _ = fs::remove_dir_all(&directory);
    fs::create_dir(&directory).unwrap();
    let with_files = |settings: &[&str]| {
        let mut options = Options::default();
        options.set(&TABLE_PATH, &directory.display().to_string()).unwrap();
        for setting in settings {
            let (name, value) = setting.split_once('=').unwrap();
            options.set(Alquerque::OPTIONS.iter().find(|spec| spec.name == name).unwrap(), value).unwrap();
        }
        Arc::new(Alquerque::from_options(&options))
    };
    let news = Mutex::new(Vec::new());
    let make = |men: u32, check| {
        let tell = |told: TableNews| match told {
            TableNews::Made(name, _) => news.lock().unwrap().push(format!("made {}", &name[name.len() - 3..])),
            TableNews::Kept(name, _) => news.lock().unwrap().push(format!("kept {}", &name[name.len() - 3..])),
            TableNews::Refused(_) => news.lock().unwrap().push("refused".into()),
            _ => {}
        };
        let plan = TablePlan { directory: &directory, men: &men.to_string(), check };
        let made = with_files(&[]).make_tables(&plan, &tell);
        (made, std::mem::take(&mut *news.lock().unwrap()))
    };
    assert!(make(1, false).0.is_err() && make(13, false).0.is_err());
    assert_eq!(make(3, false), (Ok(()), vec!["made 1-1".into(), "made 1-2".into()]));
    assert_eq!(make(4, true).1, ["kept 1-1", "kept 1-2", "made 1-3", "made 2-2"]);

    let text = "x4/1x3/5/5/o3o l - - - 1";
    let free = ["Alquerque_Retreat=free"];
    let in_memory = known(&rules::<Alquerque>(&free), text);
    assert!(in_memory.0.is_some());
    assert_eq!(known(&with_files(&free), text), in_memory);

    let file = directory.join("alquerque-complete-instant-free-block-2-2.table");
    let whole = fs::read(&file).unwrap();
    fs::write(&file, &whole[..whole.len() - 1]).unwrap();
    let rules = with_files(&free);
    let (value, _, faults) = known(&rules, text);
    assert_eq!(value, in_memory.0);
    assert!(faults[0].contains("2-2.table: ") && faults[0].contains("truncated") && faults.len() == 1, "{faults:?}");
    assert_eq!(rules.table_faults(), [""; 0]);
    assert_eq!(make(4, false).1, ["kept 1-1", "kept 1-2", "kept 1-3", "refused", "made 2-2"]);
    assert_eq!(fs::read(&file).unwrap(), whole);
}

/// What the moves of an undecided position lead to, if that is known of all of them.
fn expected(rules: &Alquerque, position: &Position, moves: &mut Vec<Move>) -> Option<TableValue> {
    moves.clear();
    rules.legal_moves(position, moves);
    let value = |mv| {
        let next = rules.play(position, mv);
        Some(match rules.outcome(&next).map_or_else(|| rules.probe(&next), |_| Some(TableValue::Loss(0)))? {
            TableValue::Win(plies) => TableValue::Loss(plies + 1),
            TableValue::Loss(plies) => TableValue::Win(plies + 1),
            TableValue::Draw => TableValue::Draw,
        })
    };
    let values = moves.drain(..).map(value).collect::<Option<Vec<_>>>()?;
    values.into_iter().max_by_key(|&value| liking(value))
}

/// How the side to move likes a value.
fn liking(value: TableValue) -> i64 {
    match value {
        TableValue::Win(plies) => 1000 - i64::from(plies),
        TableValue::Draw => 0,
        TableValue::Loss(plies) => i64::from(plies) - 1000,
    }
}

/// Each position with so many checkers, or one of so many, agrees with what its moves lead to, whichever step is
/// forbidden to the one side, and this side does no better than if none were; images have the same values.
fn hold_bound_tables(most: usize, step: usize) {
    let modern = rules::<Alquerque>(&[]);
    let free = rules::<Alquerque>(&["Alquerque_Retreat=free"]);
    for rules in [&modern, &free] {
        rules.begin_proof_tables(Some(most));
        rules.await_tables(&|| false);
    }
    let [light, dark] = Side::BOTH.map(|side| modern.easier_against(side).unwrap());
    let orbits = Orbits::new(&free, most);
    let numbering = Checkers::new(&free, &orbits, most);
    let (symmetries, mut moves, mut rng) = (light.symmetries(), Vec::new(), fastrand::Rng::with_seed(25));
    let mut differing = 0;
    for place in numbering
        .groups()
        .into_iter()
        .flatten()
        .flat_map(|class| (0..numbering.size(class)).step_by(step).map(move |number| Place { class, number }))
    {
        let Some(to_move) = numbering.position(place) else { continue };
        let passed = Position { side: Side::Second, ..to_move };
        for position in [to_move, passed].into_iter().filter(|position| light.outcome(position).is_none()) {
            let step = |direction: Direction| {
                let room = ALL & !position.occupied();
                spots(position.men[0] & direction.lines() & direction.behind(room)).map(move |from| (from, direction))
            };
            for forbidden in Direction::ALL.into_iter().flat_map(step).map(Some).chain([None]) {
                let mut position = position;
                forbidden.inspect(|(from, direction)| position.banned[direction.index()] = from.bit());
                let value = light.probe(&position);
                let text = || light.position_text(&position);
                match light.outcome(&position) {
                    Some(_) => assert_eq!(value, Some(TableValue::Loss(0)), "{}", text()),
                    None => assert_eq!(value, expected(&light, &position, &mut moves), "{}", text()),
                }
                let without = free.probe(&free.without_past(&position));
                let likings = [value, without].map(|value| liking(value.unwrap()));
                let is_light = position.side == Side::First;
                assert!(if is_light { likings[0] <= likings[1] } else { likings[0] >= likings[1] }, "{}", text());
                differing += usize::from(likings[0] != likings[1]);
                let symmetry = &symmetries[rng.usize(..symmetries.len())];
                let image = (symmetry.position)(&light, &position);
                assert_eq!(if symmetry.swaps_sides { &dark } else { &light }.probe(&image), value, "{}", text());
            }
        }
    }
    assert!(differing > 1000);
}

#[test]
fn alquerque_with_a_side_that_is_bound_is_solved() {
    hold_bound_tables(4, 29);
}

/// The same for up to six checkers. Takes minutes: `cargo test --release --test tables -- --ignored is_bound`.
#[test]
#[ignore = "takes minutes"]
fn alquerque_with_a_side_that_is_bound_and_six_checkers_is_solved() {
    hold_bound_tables(6, 1);
}

/// There are tables for proofs where one step may be forbidden; where many may be there are none.
#[test]
fn alquerque_begins_tables_for_proofs() {
    let value = |settings: &[&str]| {
        let rules = rules::<Alquerque>(settings);
        rules.begin_proof_tables(Some(4));
        rules.await_tables(&|| false);
        rules.probe(&rules.parse_position("x4/5/2o1o/o4/5 l - - - 1").unwrap())
    };
    assert!(
        [&["Alquerque_Retreat=free"][..], &[]].map(value).iter().all(|value| matches!(value, Some(TableValue::Win(_))))
    );
    assert_eq!(value(&["Alquerque_Ruleset=bell"]), None);
    // Where it is no loss to have no move, a forbidden step may save the game.
    let easier = |settings: &[&str]| rules::<Alquerque>(settings).easier_against(Side::First).is_some();
    assert_eq!([&[][..], &["Alquerque_Win=capture"], &["Alquerque_Win=block"]].map(easier), [true, false, true]);
}
