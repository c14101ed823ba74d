//! The solver of Alcaxar against a second one, which looks at one state after the other by the game's own moves.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock};
use std::{fs, io};

use pentarch::tune::exact::{self, ExactGameError};
use pentarch::tune::game_settings::GameSettings;
use pentarch_alcaxar::Alcaxar;
use pentarch_alcaxar::board::Board;
use pentarch_alcaxar::moves::Move;
use pentarch_alcaxar::position::Position;
use pentarch_alcaxar::solver::checker::local::{self, Rule};
use pentarch_alcaxar::solver::extraction::Extraction;
use pentarch_alcaxar::solver::make_tables::start_lines;
use pentarch_alcaxar::solver::stages::{Stage, won_lost_open};
use pentarch_alcaxar::solver::tables::AlcaxarTables;
use pentarch_alcaxar::solver::undecided::undecided_positions;
use pentarch_alcaxar::solver::wall_sets::{count, unrank};
use pentarch_alcaxar::solver::work::{Work, start};
use pentarch_core::tables::directory::TableDirectory;
use pentarch_core::{
    GameHistory, MakeTables, Notation, Outcome, Rules, Side, TableFile, TableFiles, TablePlan,
    TableReport, WriteTables,
};
use pentarch_search::control::Control;
use pentarch_search::transposition::TranspositionTable;
use pentarch_search::{Limits, SearchReport};
use pentarch_slow_solver::States;
use pentarch_system::Location;

use crate::common::temporary::Folder;
use crate::common::{fresh_seed, lost_rank, rules};

/// The work up to the end of each stage; calls `visit` there.
fn solve(walls: usize, threads: usize, mut visit: impl FnMut(&Work, Stage)) -> Work {
    let mut work = Work::new(&Board::default(), walls, Stage::ALL.to_vec()).unwrap();
    while work.stage().is_some() {
        if let Some(ended) = work.step(threads) {
            visit(&work, ended);
        }
    }
    work
}

/// Holds what a stage has found against the local rule. Returns the number of states.
fn check_locally(work: &Work, stage: Stage) -> Result<u64, Box<Position>> {
    let solver = work.solver();
    let read = |side, entry| solver.entry(side, entry);
    local::check(&Board::default(), &solver.numbering, Rule::of(stage), &read, 2, &|_| {})
}

/// With up to so many walls, one or two.
fn hold_against_a_second_solver(most_walls: usize) {
    for walls in 1..=most_walls {
        let Solved { rules, tables, .. } = solved(walls);
        let states = States::new(rules, walls);
        let mut totals: HashMap<&str, [[u64; 3]; 2]> = HashMap::new();
        let work = solve(walls, 2, |work, stage| {
            assert_eq!(check_locally(work, stage), Ok([16_856, 483_198][walls - 1]));
            let winners =
                if stage == Stage::Plain { &Side::BOTH[..] } else { &[stage.winner()][..] };
            for &winner in winners {
                let times = states.solve(winner, stage);
                for (at, position) in states.positions.iter().enumerate() {
                    let won = work.solver().is_won_by(winner, position);
                    assert_eq!(won, times[at] > 0, "{walls} walls, {stage:?}, {position:?}");
                    if stage == Stage::Certain(position.side) {
                        let history = GameHistory::new(rules.clone(), *position);
                        let found = Extraction::new(rules, tables, *position).winner(&history);
                        assert_eq!(found == Some(winner), won, "{walls} walls, {position:?}");
                    }
                    if stage == Stage::Certain(!position.side) {
                        let rank = lost_rank(rules.as_ref(), tables, position);
                        assert_eq!(
                            rank,
                            times[at].checked_sub(1),
                            "{walls} walls, {winner:?}, {position:?}"
                        );
                    }
                    let [none, all] = totals.entry(stage.name()).or_default();
                    // Won and lost for the side to move; the undecided states are counted for one winner only.
                    let result = if position.side == winner { 0 } else { 1 };
                    for total in
                        [Some(all), states.none_blocked[at].then_some(none)].into_iter().flatten()
                    {
                        total[result] += u64::from(won);
                        total[2] += u64::from(winner == Side::First);
                    }
                }
            }
        });
        for (name, totals) in totals {
            let stages: Vec<Stage> =
                Stage::ALL.into_iter().filter(|stage| stage.name() == name).collect();
            let counts = [stages[0], stages[stages.len() - 1]].map(|stage| work.counts(stage));
            for (all, [won, lost, undecided]) in totals.into_iter().enumerate() {
                let expected = [won, lost, undecided - won - lost];
                assert_eq!(
                    won_lost_open(counts[0][all], counts[1][all]),
                    expected,
                    "{walls} walls, {name}"
                );
            }
        }
    }
}

#[test]
fn every_state_with_a_wall_is_that_of_a_second_solver() {
    hold_against_a_second_solver(1);
}

/// `cargo test --test all alcaxar_solver::every -- --ignored`
#[test]
#[ignore = "20 seconds"]
fn every_state_with_two_walls_is_that_of_a_second_solver() {
    hold_against_a_second_solver(2);
}

#[test]
fn three_walls_are_counted() {
    let Solved { lines, .. } = solved(3);
    for line in [
        "plain none won 2506568 lost 1512544 open 123096",
        "plain all won 9121896 lost 5735948 open 429556",
        "repetition none won 2529804 lost 1544302 open 68102",
        "safe none won 1715736 lost 905398 open 1521074",
        "certain none won 2526782 lost 1540936 open 74490",
        "plain longest 135 plies",
    ] {
        assert!(lines.contains(&format!("walls 3 {line}")), "{line}: {lines:#?}");
    }
}

/// Files of tables in memory: the name of each, and its bytes.
pub struct Files(Vec<(String, Vec<u8>)>);

impl Files {
    /// The files in a folder, in the order of their names.
    fn read(folder: &Folder) -> Files {
        let paths = fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().path());
        let name = |path: &std::path::Path| path.file_name().unwrap().to_str().unwrap().to_string();
        let mut files: Vec<_> = paths.map(|path| (name(&path), fs::read(path).unwrap())).collect();
        files.sort();
        Files(files)
    }

    /// A folder with these files.
    pub fn write(&self, owner: &str) -> Folder {
        let folder = Folder::new(owner);
        self.0.iter().for_each(|(name, bytes)| fs::write(folder.path().join(name), bytes).unwrap());
        folder
    }
}

impl TableFiles for Files {
    fn open(&self, name: &str) -> io::Result<Option<Box<dyn TableFile>>> {
        let file = self.0.iter().find(|(file, _)| file.strip_suffix(".table") == Some(name));
        Ok(file.map(|(_, bytes)| Box::new(bytes.clone()) as Box<dyn TableFile>))
    }

    fn location(&self, name: &str) -> Location {
        Location::File(Path::new(name).into())
    }
}

/// All states with so many walls, solved once for all tests.
pub struct Solved {
    pub rules: Arc<Alcaxar>,
    /// What was told.
    lines: Vec<String>,
    pub files: Arc<Files>,
    pub tables: Arc<AlcaxarTables>,
}

pub fn solved(walls: usize) -> &'static Solved {
    static SOLVED: [OnceLock<Solved>; 3] = [const { OnceLock::new() }; 3];
    SOLVED[walls - 1].get_or_init(|| {
        let (rules, folder) = (rules::<Alcaxar>(&[]), Folder::new("alcaxar-solved"));
        let (done, lines) = write_files(folder.path(), &walls.to_string(), None);
        assert_eq!(done, Ok(()));
        let files = Arc::new(Files::read(&folder));
        let tables = begun(AlcaxarTables::of_walls(&rules, walls, Some(files.clone())));
        assert_eq!(tables.take_faults(), []);
        Solved { rules, lines, files, tables }
    })
}

/// The states with two walls, of every tenth set of walls, and the loser to move, and their winners, for certain, with
/// their ranks.
fn won_states() -> &'static [(Side, Position, u32)] {
    static STATES: OnceLock<Vec<(Side, Position, u32)>> = OnceLock::new();
    STATES.get_or_init(|| {
        let (Solved { rules, tables, .. }, board) = (solved(2), Board::default());
        let sets = (0..count(2)).step_by(10).map(|rank| unrank(2, rank));
        let positions = sets.flat_map(|set| undecided_positions(&board, set));
        let rank = |position: &Position| lost_rank(rules.as_ref(), tables, position);
        positions
            .filter_map(|position| Some((!position.side, position, rank(&position)?)))
            .collect()
    })
}

/// The tables that read the files in a folder.
fn tables_of(rules: &Alcaxar, walls: usize, folder: &Folder) -> Arc<AlcaxarTables> {
    begun(AlcaxarTables::of_walls(
        rules,
        walls,
        Some(Arc::new(TableDirectory(folder.path().to_path_buf()))),
    ))
}

/// The same tables, their files being open.
pub fn begun(tables: AlcaxarTables) -> Arc<AlcaxarTables> {
    tables.begin();
    tables.wait(&|| false);
    Arc::new(tables)
}

/// The moves after which the winner still wins, with the rank of each.
fn winning_moves(history: &GameHistory<Alcaxar>, tables: &AlcaxarTables) -> Vec<(u32, Move)> {
    let (mut next, mut moves) = (history.clone(), Vec::new());
    history.legal_moves(&mut moves);
    let rank = |mv: Move| {
        next.push(mv);
        let rank = match next.outcome() {
            Some(outcome) => (outcome.winner() == Some(history.side_to_move())).then_some(0),
            None => lost_rank(history.rules().as_ref(), tables, next.position()),
        };
        next.pop();
        Some((rank?, mv))
    };
    moves.into_iter().filter_map(rank).collect()
}

/// How the loser of a won position plays.
#[derive(Debug, Clone, Copy)]
enum Loser {
    /// At random.
    Random,
    /// By a search of so many positions without tables.
    Engine(u64),
    /// So that the winner has the greatest rank afterwards.
    Stubborn,
    /// The same, but first of all to positions whose repetition it wins, the more often they have stood the better.
    Repeating,
}

/// Searches a position and gives the best move, and whether its win is said to be proven.
fn searched(
    history: &GameHistory<Alcaxar>,
    tables: &Arc<AlcaxarTables>,
    nodes: u64,
) -> (Move, bool) {
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let (table, mut is_proven) = (TranspositionTable::new(1).unwrap(), false);
    let mut report = |info: SearchReport<Move>| {
        is_proven = info.is_known && info.score == 19_000 || info.score > 30_000
    };
    let answer =
        pentarch_search::search(history, tables, &limits, &table, &Control::default(), &mut report)
            .unwrap();
    (answer.best, is_proven)
}

/// The move of the loser.
fn loser_move(
    history: &GameHistory<Alcaxar>,
    tables: &AlcaxarTables,
    loser: Loser,
    rng: &mut fastrand::Rng,
) -> Move {
    let mut moves = Vec::new();
    history.legal_moves(&mut moves);
    rng.shuffle(&mut moves);
    let rules = history.rules();
    let mut next = history.clone();
    let mut value = |&mv: &Move| {
        next.push(mv);
        let is_owned = matches!(rules.repetition_outcome(next.position()),
            Some(Outcome::Win(side, _)) if side == history.side_to_move());
        let repeated = match loser {
            Loser::Repeating if is_owned => 1 + next.earlier_occurrences().count(),
            _ => 0,
        };
        let least = winning_moves(&next, tables).into_iter().map(|(rank, _)| rank).min();
        let value = match next.outcome() {
            Some(outcome) if outcome.winner() == Some(history.side_to_move()) => (usize::MAX, None),
            Some(_) => (0, None),
            None => (1 + repeated, least),
        };
        next.pop();
        value
    };
    match loser {
        Loser::Random => moves[0],
        Loser::Engine(nodes) => {
            searched(history, &Arc::new(AlcaxarTables::of_walls(rules, 8, None)), nodes).0
        }
        Loser::Stubborn | Loser::Repeating => moves.into_iter().max_by_key(&mut value).unwrap(),
    }
}

const LOSERS: [Loser; 4] = [Loser::Random, Loser::Engine(200), Loser::Stubborn, Loser::Repeating];

/// One of the states from which a side wins for certain, half of the time one with a great rank.
fn won_state(states: &[(Side, Position, u32)], rng: &mut fastrand::Rng) -> (Side, Position) {
    let tries: Vec<_> =
        (0..if rng.bool() { 1 } else { 200 }).map(|_| states[rng.usize(..states.len())]).collect();
    let (winner, position, _) = tries.into_iter().max_by_key(|(_, _, rank)| *rank).unwrap();
    (winner, position)
}

/// The winner moves at random to a position of the least rank, so it wins whichever of these moves the search likes.
fn win_what_is_certain(games: usize, seed: u64) {
    let (Solved { rules, tables, .. }, states) = (solved(2), won_states());
    let (mut rng, mut repetitions) = (fastrand::Rng::with_seed(seed), 0);
    for game in 0..games {
        let (winner, position) = won_state(states, &mut rng);
        let mut history = GameHistory::new(rules.clone(), position);
        while history.outcome().is_none() {
            let mv = if history.side_to_move() == winner {
                let mut moves = winning_moves(&history, tables);
                rng.shuffle(&mut moves);
                moves.into_iter().min_by_key(|&(rank, _)| rank).unwrap().1
            } else {
                loser_move(&history, tables, LOSERS[game % 4], &mut rng)
            };
            history.push(mv);
        }
        let outcome = history.outcome().unwrap();
        assert_eq!(outcome.winner(), Some(winner), "{position:?} {:?}", LOSERS[game % 4]);
        repetitions += usize::from(matches!(outcome, Outcome::Win(_, "stalemate")));
    }
    // Few games end by a repetition, perhaps none of few.
    assert!(games < 200 || repetitions > games / 200, "{repetitions}");
}

#[test]
fn a_certain_win_is_won_against_any_opponent() {
    win_what_is_certain(12, 27);
}

/// `cargo test --test all alcaxar_solver::a_certain -- --ignored`
#[test]
#[ignore = "a minute"]
fn a_certain_win_is_won_against_any_opponent_in_more_games() {
    win_what_is_certain(2000, fresh_seed());
}

/// A position of a game that begins with it is proven, with its rank, which no winning move makes greater; the moves
/// that are shown are those of the least rank.
#[test]
fn the_engine_tells_the_rank_and_the_moves_that_win() {
    let (Solved { rules, tables, .. }, states) = (solved(2), won_states());
    let (mut rng, mut told) = (fastrand::Rng::with_seed(35), 0);
    for _ in 0..40 {
        let (winner, lost) = won_state(states, &mut rng);
        let mut history = GameHistory::new(rules.clone(), lost);
        // The loser to move, then the winner.
        for plies in 0..2 {
            if history.outcome().is_some() {
                break;
            }
            let won = winning_moves(&history, tables);
            let known = if plies == 0 { lost_rank(rules.as_ref(), tables, &lost) } else { None };
            let least = known.or_else(|| won.iter().map(|&(rank, _)| rank).min()).unwrap();
            let limits = Limits { nodes: Some(200), multi_pv: 60, ..Limits::default() };
            let (table, mut shown) = (TranspositionTable::new(1).unwrap(), Vec::new());
            let mut report = |info: SearchReport<Move>| {
                if info.score.abs() == 19_000 {
                    assert_eq!((info.is_known, info.table_rank), (true, Some(least)), "{lost:?}");
                    assert_eq!(info.score > 0, history.side_to_move() == winner);
                    shown.push(info.pv[0]);
                }
            };
            pentarch_search::search(
                &history,
                tables,
                &limits,
                &table,
                &Control::default(),
                &mut report,
            )
            .unwrap();
            let is_least = |mv: &Move| won.contains(&(least, *mv));
            assert!(plies == 0 || shown.iter().all(is_least), "{lost:?}");
            told += shown.len();
            history.push(loser_move(&history, tables, Loser::Random, &mut rng));
        }
    }
    assert!(told > 200, "{told}");
}

#[test]
fn the_engine_wins_what_it_says_is_proven() {
    let (Solved { rules, tables, .. }, states) = (solved(2), won_states());
    let (mut rng, mut with_past) = (fastrand::Rng::with_seed(31), 0);
    for game in 0..40 {
        let (mut winner, position) = won_state(states, &mut rng);
        let mut history = GameHistory::new(rules.clone(), position);
        // Every second game begins with play back and forth, after which someone may have a proven win.
        let past = if game % 2 == 0 { rng.usize(..40) } else { 0 };
        while history.len() < past && history.outcome().is_none() {
            history.push(loser_move(&history, tables, Loser::Repeating, &mut rng));
        }
        if history.outcome().is_some() {
            continue;
        }
        if past > 0 {
            winner = history.side_to_move();
            if !searched(&history, tables, 50).1 {
                continue;
            }
            with_past += 1;
        }
        while history.outcome().is_none() {
            let mv = if history.side_to_move() == winner {
                let (mv, is_proven) = searched(&history, tables, 50);
                assert!(is_proven, "{position:?} after {} plies", history.len());
                mv
            } else {
                loser_move(&history, tables, LOSERS[game / 2 % 4], &mut rng)
            };
            history.push(mv);
        }
        let outcome = history.outcome().unwrap();
        assert_eq!(outcome.winner(), Some(winner), "{position:?} {:?}", LOSERS[game / 2 % 4]);
    }
    assert!(with_past > 2, "{with_past}");
}

/// Solves with the files in this directory. Gives what is told, or the error.
fn write_files(
    directory: &std::path::Path,
    walls: &str,
    stop_after: Option<usize>,
) -> (Result<(), String>, Vec<String>) {
    let stages = Some("plain,red,green,repetition");
    write_plan(&TablePlan { stages, ..plan(directory, walls) }, stop_after)
}

/// All certain wins, on two threads.
pub fn plan<'a>(directory: &'a std::path::Path, men: &'a str) -> TablePlan<'a> {
    TablePlan {
        directory,
        count: men,
        check: false,
        threads: 2,
        stages: None,
        free_memory: None,
        free_disk: None,
    }
}

/// The same for what this plan asks for.
pub fn write_plan(
    plan: &TablePlan,
    stop_after: Option<usize>,
) -> (Result<(), String>, Vec<String>) {
    let told = Mutex::new(Vec::new());
    let steps = Mutex::new(0);
    let tell = |report: TableReport| match report {
        TableReport::Result(line) => told.lock().unwrap().push(line.to_string()),
        TableReport::Unusable(fault) => told.lock().unwrap().push(format!("refused: {fault}")),
        TableReport::Working(..) => {
            *steps.lock().unwrap() += 1;
            if Some(*steps.lock().unwrap()) == stop_after {
                std::panic::resume_unwind(Box::new("interrupted"));
            }
        }
        _ => {}
    };
    let write = || {
        let written = rules::<Alcaxar>(&[]).write_files(plan, &tell);
        written.map_err(|error| error.to_string())
    };
    let written = std::panic::catch_unwind(std::panic::AssertUnwindSafe(write));
    let lines =
        std::mem::take(&mut *told.lock().unwrap_or_else(std::sync::PoisonError::into_inner));
    (written.unwrap_or_else(|_| Err("interrupted".into())), lines)
}

#[test]
fn interrupted_work_ends_with_the_same_files() {
    let (whole, parts) = (Folder::new("alcaxar-whole"), Folder::new("alcaxar-parts"));
    let (done, lines) = write_files(whole.path(), "2", None);
    assert_eq!(done, Ok(()));
    assert_eq!(lines[0], "walls 2 plain none won 200278 lost 115338 open 12372");
    let (mut rng, mut interruptions) = (fastrand::Rng::with_seed(29), 0);
    while write_files(parts.path(), "2", Some(rng.usize(1..150))).0 != Ok(()) {
        interruptions += 1;
    }
    assert!(interruptions >= 3, "{interruptions}");
    let files = |folder: &Folder| Files::read(folder).0;
    assert!(files(&whole) == files(&parts));
    assert_eq!(files(&whole).len(), 14);
    // What has ended is only reported again; what a damaged or missing file held is made anew.
    assert_eq!(write_files(whole.path(), "2", Some(1)), (Ok(()), lines.clone()));
    let damage = |folder: &Folder, name: &str| {
        let path = folder.path().join(name);
        fs::write(&path, &fs::read(&path).unwrap()[1..]).unwrap();
    };
    damage(&whole, "alcaxar-2-progress.table");
    let (done, told) = write_files(whole.path(), "2", None);
    assert_eq!(done, Ok(()));
    assert!(told[0].contains("alcaxar-2-progress.table: "), "{told:?}");
    assert_eq!(told[1..], lines);
    for damaged in ["red", "red-safe", "red-ranks", "entries"] {
        let folder = Folder::new("alcaxar-damaged");
        let name = format!("alcaxar-2-{damaged}.table");
        let mut told = Vec::new();
        for steps in 1.. {
            told = write_files(folder.path(), "2", Some(steps)).1;
            if folder.path().join(&name).exists() {
                break;
            }
        }
        damage(&folder, &name);
        let (done, more) = write_files(folder.path(), "2", None);
        assert_eq!(done, Ok(()));
        assert!(more[0].contains(&name), "{told:?} {more:?}");
        assert_eq!(more[more.len() - 4..], lines[lines.len() - 4..]);
        assert!(files(&whole) == files(&folder));
    }
}

#[test]
fn tables_of_alcaxar_are_for_one_to_eight_walls() {
    let folder = Folder::new("alcaxar-walls");
    for walls in ["0", "9", "-1", "x", ""] {
        let (done, _) = write_files(folder.path(), walls, None);
        let error = done.unwrap_err().to_string();
        assert!(error.contains("tables of alcaxar are for 1 to 8 walls, not"), "{error}");
    }
}

/// What there is not enough memory or room for does not begin; what is done already needs none.
#[test]
fn what_is_free_is_looked_at_before_the_work_begins() {
    let folder = Folder::new("alcaxar-free");
    let with = |[free_memory, free_disk]: [Option<u64>; 2]| {
        write_plan(
            &TablePlan { threads: 1, free_memory, free_disk, ..plan(folder.path(), "2") },
            None,
        )
    };
    let error = |free| with(free).0.unwrap_err().to_string();
    assert!(error([Some(1000), None]).ends_with("on the disk; only 1 MB are free in memory"));
    let place = format!("only 1 MB are free in {}", folder.path().display());
    assert!(error([None, Some(1000)]).ends_with(&place));
    assert_eq!(with([Some(1 << 30); 2]).0, Ok(()));
    assert_eq!(with([Some(0); 2]).0, Ok(()));
}

#[test]
fn stages_are_solved_when_they_are_asked_for() {
    let folder = Folder::new("alcaxar-stages");
    let plan = TablePlan { threads: 1, ..plan(folder.path(), "2") };
    let names = |lines: &[String]| -> Vec<String> {
        let results = lines.iter().filter(|line| line.starts_with("walls "));
        results.map(|line| line.split(' ').nth(2).unwrap().to_string()).collect()
    };
    // Nothing is told of the wins of one side alone but its files, and how they were checked.
    let (done, lines) = write_plan(&TablePlan { stages: Some("green"), ..plan }, None);
    assert_eq!((done, names(&lines)), (Ok(()), Vec::new()));
    let checked = ["alcaxar-2-green-safe checked in full: ", "alcaxar-2-green checked in full: "];
    assert!(
        lines.len() == 2 && checked.iter().zip(&lines).all(|(start, line)| line.starts_with(start)),
        "{lines:?}"
    );
    let (done, lines) = write_plan(&plan, None);
    assert_eq!(
        (done, names(&lines)),
        (Ok(()), ["safe", "safe", "certain", "certain"].map(String::from).to_vec())
    );
    let made = Files::read(&folder).0;
    let wins = |files: &[(String, Vec<u8>)]| -> Vec<(String, Vec<u8>)> {
        let is_table = |name: &str| name.ends_with(".table") && !name.contains("progress");
        files.iter().filter(|(name, _)| is_table(name)).cloned().collect()
    };
    assert!(wins(&made) == wins(&solved(2).files.0));
    // Later ones rest on the files.
    let (done, mut lines) =
        write_plan(&TablePlan { stages: Some("repetition, plain"), ..plan }, None);
    assert_eq!(done, Ok(()));
    let mut all = solved(2).lines.clone();
    [&mut lines, &mut all].into_iter().for_each(|lines| lines.sort());
    assert_eq!(lines, all);
    let (done, _) = write_plan(&TablePlan { stages: Some("red,blue"), ..plan }, None);
    let error = done.unwrap_err().to_string();
    assert_eq!(
        error,
        "the stages of alcaxar are red, green, plain, repetition, red-start, green-start, not 'blue'"
    );
}

/// The work on whether a side wins the start, to its end.
fn solve_start(walls: usize, side: Side) -> Work {
    let mut work =
        Work::new(&Board::default(), walls, vec![Stage::Safe(side), Stage::Start(side)]).unwrap();
    while work.stage().is_some() {
        work.step(2);
    }
    work
}

/// The wins that are found in any order are wins, and nearly all of them are found if the start is not among them.
#[test]
fn wins_that_tell_who_wins_the_start_are_forced_and_not_the_other_sides() {
    let board = Board::default();
    for walls in 1..=3 {
        let Solved { rules, tables, .. } = solved(walls);
        for winner in Side::BOTH {
            let work = solve_start(walls, winner);
            // All three walls take seconds.
            assert!(walls == 3 || check_locally(&work, Stage::Start(winner)).is_ok());
            let (mut certain, mut found) = (0, 0);
            for set in (0..count(walls)).step_by([1, 4, 80][walls - 1]) {
                for position in undecided_positions(&board, unrank(walls, set)) {
                    let is_won = work.solver().is_won_by(winner, &position);
                    let is_lost = lost_rank(rules.as_ref(), tables, &position).is_some();
                    if position.side == winner {
                        assert!(!(is_won && is_lost), "{position:?}");
                    } else {
                        certain += u64::from(is_lost);
                        found += u64::from(is_won);
                    }
                }
            }
            let is_start_won = work.start_winner(winner) == Some(winner);
            assert!(
                is_start_won || found * 100 > certain * 99,
                "{walls} walls: {found} of {certain}"
            );
            let history = GameHistory::new(rules.clone(), start(walls));
            let known = Extraction::new(rules, tables, start(walls)).winner(&history);
            assert_eq!(known == Some(winner), is_start_won, "{walls} walls, {winner:?}");
        }
    }
}

#[test]
fn who_wins_the_start_is_told_without_the_other_stages() {
    const RED_WINS: &str = "walls 3 start red wins";
    const GREEN_UNKNOWN: &str = "walls 3 start green unknown";
    let folder = Folder::new("alcaxar-start-only");
    let write = |stages, stop_after| {
        let plan = TablePlan { stages: Some(stages), ..plan(folder.path(), "3") };
        let (done, lines) = write_plan(&plan, stop_after);
        let starts: Vec<String> =
            lines.into_iter().filter(|line| line.starts_with("walls 3 start ")).collect();
        (done, starts)
    };
    // Green is not found to win it, which takes the whole stage; it goes on after an interruption.
    for stop_after in [8, 20] {
        assert!(write("green-start", Some(stop_after)).0.is_err());
    }
    assert_eq!(write("green-start", None), (Ok(()), vec![GREEN_UNKNOWN.to_string()]));
    for _ in 0..2 {
        let (done, starts) = write("green-start, red-start", None);
        assert_eq!(done, Ok(()));
        assert_eq!(starts, [GREEN_UNKNOWN, RED_WINS]);
    }
    // Nothing more is to be done, and one stage tells what another one has found.
    for (stages, told) in
        [("green-start", vec![RED_WINS]), ("red-start,green-start", vec![RED_WINS, GREEN_UNKNOWN])]
    {
        let (done, starts) = write(stages, Some(1));
        assert_eq!(done, Ok(()));
        assert_eq!(starts, told);
    }
    // The certain wins tell it, too, and only once.
    let other = Folder::new("alcaxar-start-by-all");
    let plan = TablePlan { stages: Some("red,green-start"), ..plan(other.path(), "2") };
    for _ in 0..2 {
        let (done, mut lines) = write_plan(&plan, None);
        lines.retain(|line| line.starts_with("walls "));
        assert_eq!((done, lines), (Ok(()), vec!["walls 2 start red wins".to_string()]));
    }
    // A missing file of the safe wins is made anew.
    let safe = folder.path().join("alcaxar-3-green-safe.table");
    fs::remove_file(&safe).unwrap();
    assert_eq!(write("green", None).0, Ok(()));
    assert!(safe.exists());
    // The wins that the engine plays by go on from the files of the safe ones.
    for stages in ["green", "red"] {
        assert_eq!(write(stages, None).0, Ok(()));
    }
    let wins = |files: &[(String, Vec<u8>)]| -> Vec<(String, Vec<u8>)> {
        let is_table = |name: &str| name.ends_with(".table") && !name.contains("progress");
        files.iter().filter(|(name, _)| is_table(name)).cloned().collect()
    };
    assert!(wins(&Files::read(&folder).0) == wins(&solved(3).files.0));
}

/// In a file, the places of a byte of each kind: in each word of the first lines, in the blocks and in the index.
fn kinds_of_bytes(file: &[u8]) -> Vec<usize> {
    let head = file.iter().enumerate().filter(|(_, byte)| **byte == b'\n').nth(2).unwrap().0;
    let in_head = (0..=head).filter(|&at| at == head || b" \n".contains(&file[at + 1]));
    let index = file.len() - 8;
    in_head.chain([head + 1, (head + index) / 2, index - 1]).chain(index..file.len()).collect()
}

#[test]
fn no_altered_byte_is_believed() {
    let (Solved { rules, files, tables, .. }, board) = (solved(1), Board::default());
    let sets = (0..count(1)).map(|rank| unrank(1, rank));
    let positions: Vec<Position> =
        sets.flat_map(|set| undecided_positions(&board, set)).step_by(5).collect();
    let ranks = |tables: &AlcaxarTables| -> Vec<Option<u32>> {
        positions.iter().map(|position| lost_rank(rules.as_ref(), tables, position)).collect()
    };
    let known = ranks(tables);
    for name in ["red", "red-safe", "red-ranks"].map(|name| format!("alcaxar-1-{name}.table")) {
        let at = files.0.iter().position(|(file, _)| *file == name).unwrap();
        let places = kinds_of_bytes(&files.0[at].1);
        for (number, &place) in places.iter().enumerate() {
            let mut altered = Files(files.0.clone());
            altered.0[at].1[place] ^= 1;
            let tables =
                begun(AlcaxarTables::of_walls(rules, 1, Some(Arc::new(Files(altered.0.clone())))));
            let found = ranks(&tables);
            assert!(
                found.iter().zip(&known).all(|(found, known)| found.is_none() || found == known),
                "{name} {place}"
            );
            // Only the checksum of the whole file is nothing that the engine looks at.
            let is_told = !tables.take_faults().is_empty();
            assert!(is_told || found == known, "{name} {place}");
            // Each is found out by a look through the files, and is made anew.
            if number % 18 == 0 || place + 9 > altered.0[at].1.len() {
                let folder = altered.write("alcaxar-altered");
                let (directory, stages) = (folder.path(), None);
                let plan = TablePlan {
                    directory,
                    count: "1",
                    check: true,
                    threads: 1,
                    stages,
                    free_memory: None,
                    free_disk: None,
                };
                let (done, lines) = write_plan(&plan, None);
                assert_eq!(done, Ok(()));
                assert!(
                    lines[0].starts_with("refused: ") && lines[0].contains(&name),
                    "{place}: {lines:?}"
                );
                let made = Files::read(&folder);
                let is_same = |made: &(String, Vec<u8>)| {
                    made.0.contains("progress") || files.0.contains(made)
                };
                assert!(made.0.iter().filter(|(name, _)| name.ends_with(".table")).all(is_same));
            }
        }
    }
}

#[test]
fn what_is_wrong_with_a_file_is_told_and_what_it_holds_is_unknown() {
    let (Solved { rules, files, .. }, states) = (solved(2), won_states());
    let folder = files.write("alcaxar-faults");
    let won_by =
        |side| states.iter().find(|(winner, _, rank)| *winner == side && *rank > 1).unwrap().1;
    let (by_red, by_green) = (won_by(Side::First), won_by(Side::Second));
    let path = |name: &str| folder.path().join(format!("alcaxar-2-{name}.table"));
    let one_wall = solved(1).files.write("alcaxar-one-wall");
    for name in ["red", "red-safe", "red-ranks"] {
        let whole = fs::read(path(name)).unwrap();
        let other = fs::read(one_wall.path().join(format!("alcaxar-1-{name}.table"))).unwrap();
        for (bytes, why) in [
            (Some(&whole[..whole.len() - 1]), "truncated"),
            (Some(&whole[..40]), ""),
            (Some(&[]), "no table"),
            (Some(&other), "contains another table than its name says"),
            (None, if name == "red" { "" } else { "is missing" }),
        ] {
            match bytes {
                Some(bytes) => fs::write(path(name), bytes).unwrap(),
                None => fs::remove_file(path(name)).unwrap(),
            }
            let tables = tables_of(rules, 2, &folder);
            let faults: Vec<String> =
                tables.take_faults().iter().map(ToString::to_string).collect();
            assert_eq!(
                faults.len(),
                usize::from(bytes.is_some() || name != "red"),
                "{name} {faults:?}"
            );
            assert!(
                faults.iter().all(|fault| fault.contains(why) && fault.contains(name)),
                "{name} {faults:?}"
            );
            assert_eq!(lost_rank(rules.as_ref(), &tables, &by_red), None);
            assert!(lost_rank(rules.as_ref(), &tables, &by_green).is_some());
        }
        fs::write(path(name), whole).unwrap();
    }
    // The file shrinks after it was opened, or its values are damaged: that is told once.
    for name in ["red", "red-safe", "red-ranks"] {
        let whole = fs::read(path(name)).unwrap();
        let tables = tables_of(rules, 2, &folder);
        fs::OpenOptions::new().write(true).open(path(name)).unwrap().set_len(50).unwrap();
        assert_eq!(lost_rank(rules.as_ref(), &tables, &by_red), None, "{name}");
        searched(&GameHistory::new(rules.clone(), by_red), &tables, 100);
        assert_eq!((tables.take_faults().len(), tables.take_faults().len()), (1, 0));
        fs::write(path(name), whole).unwrap();
    }
    let whole = fs::read(path("red-ranks")).unwrap();
    let mut damaged = whole.clone();
    damaged[60..].fill(0xff);
    fs::write(path("red-ranks"), damaged).unwrap();
    let tables = tables_of(rules, 2, &folder);
    assert_eq!(lost_rank(rules.as_ref(), &tables, &by_red), None);
    assert_eq!(tables.take_faults().len(), 1);
    // No files, or those of other walls.
    fs::write(path("red-ranks"), whole).unwrap();
    for (walls, folder) in [(8, &folder), (1, &folder), (2, &Folder::new("alcaxar-empty"))] {
        let tables = tables_of(rules, walls, folder);
        assert_eq!(
            (lost_rank(rules.as_ref(), &tables, &by_red), tables.take_faults()),
            (None, Vec::new())
        );
    }
    assert_eq!(lost_rank(rules.as_ref(), &tables_of(rules, 1, &one_wall), &by_red), None);
}

#[test]
fn games_of_exact_values_go_through_positions_that_their_winner_wins() {
    let Solved { rules, tables, .. } = solved(3);
    let settings = GameSettings { nodes: 1, random_plies: 10, plies: 300, seed: 7, concurrency: 1 };
    let (mut rng, mut known) = (fastrand::Rng::with_seed(33), 0);
    for number in 0..16 {
        let walls = unrank(3, rng.usize(..count(3)));
        let positions: Vec<Position> = undecided_positions(&Board::default(), walls).collect();
        let Some(&position) = rng.choice(&positions) else { continue };
        let mut history = GameHistory::new(rules.clone(), position);
        let game = exact::play(history.clone(), tables, &settings, number).unwrap();
        assert_eq!(exact::play(history.clone(), tables, &settings, number).unwrap(), game);
        for (mv, evaluation) in game.moves {
            if let Some(evaluation) = evaluation {
                let wins = game.winner == Some(history.side_to_move());
                assert_eq!(evaluation.centipawns, if wins { 9999 } else { -9999 });
                assert_eq!(lost_rank(rules.as_ref(), tables, history.position()).is_some(), !wins);
                assert!(!wins || !winning_moves(&history, tables).is_empty());
                known += 1;
            }
            history.push(mv);
        }
    }
    assert!(known > 120, "{known}");
    let nowhere = AlcaxarTables::of_walls(rules, 3, None);
    let start = GameHistory::new(rules.clone(), rules.start());
    let settings = GameSettings { plies: 20, ..settings };
    assert_eq!(
        exact::play(start, &nowhere, &settings, 1),
        Err(ExactGameError::NoKnownPosition { number: 1, moves: 20 })
    );
}

#[test]
fn the_values_of_the_start_and_its_moves_are_told() {
    for walls in 1..=3 {
        let Solved { rules, files, tables, .. } = solved(walls);
        let mut work = Work::new(&Board::default(), walls, Stage::ALL.to_vec()).unwrap();
        work.resume(files.write("alcaxar-start").path()).unwrap();
        let lines = start_lines(rules, &work);
        let (mut start, mut moves) = (rules.start(), Vec::new());
        while start.walls.count_ones() as usize > walls {
            start.walls &= !(1 << start.walls.ilog2());
        }
        rules.legal_moves(&start, &mut moves);
        assert_eq!(lines.len(), 1 + moves.len());
        let mut red_wins = false;
        for (line, mv) in lines[1..].iter().zip(moves) {
            let is_won = lost_rank(rules.as_ref(), tables, &rules.play(&start, mv)).is_some();
            red_wins |= is_won;
            assert!(line.starts_with(&format!("start {} ", rules.move_text(mv))), "{line}");
            assert_eq!(line.ends_with(" red wins"), is_won, "{line}");
        }
        assert_eq!(lines[0] == "start red wins", red_wins, "{lines:?}");
    }
}
