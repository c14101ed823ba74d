//! Compares the solver of Alcaxar with a second solver. That solver processes one state after the
//! other by the game's own moves. The documentation of [`solver`](pentarch_alcaxar::solver)
//! explains the terms: stages, states, certain wins and ranks.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock};
use std::{fs, io};

use pentarch::tune::exact_position_games::{self, ExactPositionGameError};
use pentarch::tune::selfplay_settings::SelfPlaySettings;
use pentarch_alcaxar::Alcaxar;
use pentarch_alcaxar::board::Board;
use pentarch_alcaxar::moves::Move;
use pentarch_alcaxar::position::Position;
use pentarch_alcaxar::solver::checker::successor_check::{self, SuccessorWinRule};
use pentarch_alcaxar::solver::non_terminal_positions::non_terminal_positions;
use pentarch_alcaxar::solver::solved_game::SolvedGame;
use pentarch_alcaxar::solver::stage_runner::{StageRunner, start_position};
use pentarch_alcaxar::solver::stages::{Stage, combine_side_counts};
use pentarch_alcaxar::solver::tables::AlcaxarTablebase;
use pentarch_alcaxar::solver::wall_sets::{count_wall_sets, unrank_wall_set};
use pentarch_alcaxar::solver::write_tables::start_result_lines;
use pentarch_core::tables::directory::TableDirectory;
use pentarch_core::{
    GameHistory, GameTables, Notation, Outcome, Rules, Side, TableFile, TableFiles,
    TableWriteProgress, TableWriteRequest, WriteTables,
};
use pentarch_search::control::SearchControl;
use pentarch_search::transposition::TranspositionTable;
use pentarch_search::{Limits, SearchReport};
use pentarch_slow_solver::States;
use pentarch_system::ErrorLocation;

use crate::common::temporary::Folder;
use crate::common::{fresh_seed, lost_rank, rules};

/// Solves all stages. Calls `visit` at the end of each stage.
fn solve(walls: usize, threads: usize, mut visit: impl FnMut(&StageRunner, Stage)) -> StageRunner {
    let mut runner = StageRunner::new(&Board::default(), walls, Stage::ALL.to_vec()).unwrap();
    while runner.current_stage().is_some() {
        if let Some(ended) = runner.run_step(threads) {
            visit(&runner, ended);
        }
    }
    runner
}

/// Checks the results of a stage by the local rule: a state is won if the winner can force the next
/// state into the won states. Returns the number of states.
fn check_locally(runner: &StageRunner, stage: Stage) -> Result<u64, Box<Position>> {
    let solver = runner.solver();
    successor_check::check_values_against_successors(
        &Board::default(),
        &solver.numbering,
        SuccessorWinRule::for_stage(stage),
        &|side, entry| solver.entry_words(side, entry),
        2,
        &|_| {},
    )
}

/// Compares all states with up to `most_walls` walls, which is one or two.
fn compare_with_second_solver(most_walls: usize) {
    for walls in 1..=most_walls {
        let Solved { rules, tables, .. } = solved(walls);
        let states = States::new(rules, walls);
        let mut totals: HashMap<&str, [[u64; 3]; 2]> = HashMap::new();
        let runner = solve(walls, 2, |runner, stage| {
            assert_eq!(check_locally(runner, stage), Ok([16_856, 483_198][walls - 1]));
            let winners =
                if stage == Stage::Plain { &Side::BOTH_SIDES[..] } else { &[stage.winner()][..] };
            for &winner in winners {
                let times = states.solve(winner, stage);
                for (at, position) in states.positions.iter().enumerate() {
                    let won = runner.solver().is_won_by(winner, position);
                    assert_eq!(won, times[at] > 0, "{walls} walls, {stage:?}, {position:?}");
                    if stage == Stage::Certain(position.side) {
                        let history = GameHistory::new(rules.clone(), *position);
                        let found =
                            SolvedGame::new(rules, tables, *position).certain_winner(&history);
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
                    // The first two numbers count the states that are won and lost for the side to
                    // move. The undecided states are counted for one winner only.
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
            let counts =
                [stages[0], stages[stages.len() - 1]].map(|stage| runner.stage_counts(stage));
            for (all, [won, lost, undecided]) in totals.into_iter().enumerate() {
                let expected = [won, lost, undecided - won - lost];
                assert_eq!(
                    combine_side_counts(counts[0][all], counts[1][all]),
                    expected,
                    "{walls} walls, {name}"
                );
            }
        }
    }
}

#[test]
fn every_state_with_a_wall_matches_the_second_solver() {
    compare_with_second_solver(1);
}

/// To run this test: `cargo test --test all alcaxar_solver::every -- --ignored`
#[test]
#[ignore = "20 seconds"]
fn every_state_with_two_walls_matches_the_second_solver() {
    compare_with_second_solver(2);
}

#[test]
fn counts_the_states_with_three_walls() {
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

/// Table files in memory. Each has a name and bytes.
pub(crate) struct MemoryFiles(Vec<(String, Vec<u8>)>);

impl MemoryFiles {
    /// Reads the files of a folder, in the order of their names.
    fn read(folder: &Folder) -> MemoryFiles {
        let paths = fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().path());
        let mut files = Vec::new();
        for path in paths {
            let name = path.file_name().unwrap().to_str().unwrap().to_string();
            files.push((name, fs::read(path).unwrap()));
        }
        files.sort();
        MemoryFiles(files)
    }

    /// Returns the tables of the wins.
    fn win_tables(&self) -> Vec<(String, Vec<u8>)> {
        let mut tables = self.0.clone();
        tables.retain(|(name, _)| name.ends_with(".table") && !name.contains("progress"));
        tables
    }

    /// Writes the files to a new folder.
    pub(crate) fn write(&self, owner: &str) -> Folder {
        let folder = Folder::new(owner);
        self.0.iter().for_each(|(name, bytes)| fs::write(folder.path().join(name), bytes).unwrap());
        folder
    }
}

impl TableFiles for MemoryFiles {
    fn open_table_file(&self, name: &str) -> io::Result<Option<Box<dyn TableFile>>> {
        let file = self.0.iter().find(|(file, _)| file.strip_suffix(".table") == Some(name));
        Ok(file.map(|(_, bytes)| Box::new(bytes.clone()) as Box<dyn TableFile>))
    }

    fn table_file_location(&self, name: &str) -> ErrorLocation {
        ErrorLocation::File(Path::new(name).into())
    }
}

/// The solver's results for all states of one number of walls.
pub(crate) struct Solved {
    pub rules: Arc<Alcaxar>,
    /// The reported lines.
    lines: Vec<String>,
    pub files: Arc<MemoryFiles>,
    pub tables: Arc<AlcaxarTablebase>,
}

/// Returns the results for `walls` walls. They are solved once for all tests.
pub(crate) fn solved(walls: usize) -> &'static Solved {
    static SOLVED: [OnceLock<Solved>; 3] = [const { OnceLock::new() }; 3];
    SOLVED[walls - 1].get_or_init(|| {
        let rules = rules::<Alcaxar>(&[]);
        let folder = Folder::new("alcaxar-solved");
        let (done, lines) = write_table_files(folder.path(), &walls.to_string(), None);
        assert_eq!(done, Ok(()));
        let files = Arc::new(MemoryFiles::read(&folder));
        let tables = opened(AlcaxarTablebase::for_wall_count(&rules, walls, Some(files.clone())));
        assert_eq!(tables.take_faults(), []);
        Solved { rules, lines, files, tables }
    })
}

/// A certain win in a position with the loser to move.
#[derive(Clone, Copy)]
struct CertainWin {
    winner: Side,
    position: Position,
    rank: u32,
}

/// Returns certain wins with two walls and the loser to move. They come from every tenth set of
/// walls.
fn certain_wins() -> &'static [CertainWin] {
    static STATES: OnceLock<Vec<CertainWin>> = OnceLock::new();
    STATES.get_or_init(|| {
        let Solved { rules, tables, .. } = solved(2);
        let board = Board::default();
        let sets = (0..count_wall_sets(2)).step_by(10).map(|rank| unrank_wall_set(2, rank));
        let positions = sets.flat_map(|set| non_terminal_positions(&board, set));
        let win = |position: Position| {
            let rank = lost_rank(rules.as_ref(), tables, &position)?;
            Some(CertainWin { winner: !position.side, position, rank })
        };
        positions.filter_map(win).collect()
    })
}

/// Opens the tables with the files in a folder.
fn open_tables(rules: &Alcaxar, walls: usize, folder: &Folder) -> Arc<AlcaxarTablebase> {
    opened(AlcaxarTablebase::for_wall_count(
        rules,
        walls,
        Some(Arc::new(TableDirectory(folder.path().to_path_buf()))),
    ))
}

/// Opens the files of the tables.
pub(crate) fn opened(tables: AlcaxarTablebase) -> Arc<AlcaxarTablebase> {
    tables.begin_computing_tables();
    tables.wait_until_computed(&|| false);
    Arc::new(tables)
}

/// Returns the moves after which the winner still wins. Each move has the rank of the position
/// after it.
fn winning_moves(history: &GameHistory<Alcaxar>, tables: &AlcaxarTablebase) -> Vec<(u32, Move)> {
    let mut next = history.clone();
    let mut moves = Vec::new();
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

/// The strategy of the loser of a won position.
#[derive(Debug, Clone, Copy)]
enum Loser {
    /// Moves at random.
    Random,
    /// Searches this number of positions without tables.
    Engine(u64),
    /// Moves to a position with the greatest rank for the winner.
    Stubborn,
    /// Prefers positions whose repetition the loser wins, first those that have occurred most
    /// often. Then prefers the greatest rank.
    Repeating,
}

/// Searches a position. Returns the best move, and whether the engine reports its win as proven.
fn search_move(
    history: &GameHistory<Alcaxar>,
    tables: &Arc<AlcaxarTablebase>,
    nodes: u64,
) -> (Move, bool) {
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let table = TranspositionTable::new(1).unwrap();
    let mut is_proven = false;
    let answer = pentarch_search::search(
        history,
        tables,
        &limits,
        &table,
        &SearchControl::default(),
        &mut |info: SearchReport<Move>| {
            is_proven = info.is_known && info.score == 19_000 || info.score > 30_000;
        },
    )
    .unwrap();
    (answer.best, is_proven)
}

/// Returns the move of the loser.
fn loser_move(
    history: &GameHistory<Alcaxar>,
    tables: &AlcaxarTablebase,
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
            Loser::Repeating if is_owned => 1 + next.plies_since_occurrences().count(),
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
            search_move(history, &Arc::new(AlcaxarTablebase::for_wall_count(rules, 8, None)), nodes)
                .0
        }
        Loser::Stubborn | Loser::Repeating => moves.into_iter().max_by_key(&mut value).unwrap(),
    }
}

const LOSERS: [Loser; 4] = [Loser::Random, Loser::Engine(200), Loser::Stubborn, Loser::Repeating];

/// Returns a random certain win. In half of the cases it has a large rank.
fn random_win(wins: &[CertainWin], rng: &mut fastrand::Rng) -> CertainWin {
    let tries = if rng.bool() { 1 } else { 200 };
    let tries: Vec<_> = (0..tries).map(|_| wins[rng.usize(..wins.len())]).collect();
    tries.into_iter().max_by_key(|win| win.rank).unwrap()
}

/// Plays games in which the winner moves at random to positions of the least rank. So the winner
/// wins by each of these moves, whichever of them the search chooses.
fn win_certain_positions(games: usize, seed: u64) {
    let Solved { rules, tables, .. } = solved(2);
    let wins = certain_wins();
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut repetitions = 0;
    for game in 0..games {
        let CertainWin { winner, position, .. } = random_win(wins, &mut rng);
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
    // Few games end by a repetition. A small number of games may contain none.
    assert!(games < 200 || repetitions > games / 200, "{repetitions}");
}

#[test]
fn a_certain_win_is_won_against_any_opponent() {
    win_certain_positions(12, 27);
}

/// To run this test: `cargo test --test all alcaxar_solver::a_certain -- --ignored`
#[test]
#[ignore = "a minute"]
fn a_certain_win_is_won_against_any_opponent_in_more_games() {
    win_certain_positions(2000, fresh_seed());
}

/// The first position of a game is proven, with its rank. No winning move increases the rank. The
/// engine shows the moves to positions of the least rank.
#[test]
fn the_engine_reports_the_rank_and_the_winning_moves() {
    let Solved { rules, tables, .. } = solved(2);
    let wins = certain_wins();
    let mut rng = fastrand::Rng::with_seed(35);
    let mut shown_moves = 0;
    for _ in 0..40 {
        let CertainWin { winner, position: lost, .. } = random_win(wins, &mut rng);
        let mut history = GameHistory::new(rules.clone(), lost);
        // First the loser is to move, then the winner.
        for plies in 0..2 {
            if history.outcome().is_some() {
                break;
            }
            let won = winning_moves(&history, tables);
            let known = if plies == 0 { lost_rank(rules.as_ref(), tables, &lost) } else { None };
            let least = known.or_else(|| won.iter().map(|&(rank, _)| rank).min()).unwrap();
            let limits = Limits { nodes: Some(200), multi_pv: 60, ..Limits::default() };
            let table = TranspositionTable::new(1).unwrap();
            let mut shown = Vec::new();
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
                &SearchControl::default(),
                &mut report,
            )
            .unwrap();
            assert!(plies == 0 || shown.iter().all(|&mv| won.contains(&(least, mv))), "{lost:?}");
            shown_moves += shown.len();
            history.push(loser_move(&history, tables, Loser::Random, &mut rng));
        }
    }
    assert!(shown_moves > 200, "{shown_moves}");
}

#[test]
fn the_engine_wins_positions_that_it_reports_as_proven() {
    let Solved { rules, tables, .. } = solved(2);
    let wins = certain_wins();
    let mut rng = fastrand::Rng::with_seed(31);
    let mut with_past = 0;
    for game in 0..40 {
        let CertainWin { mut winner, position, .. } = random_win(wins, &mut rng);
        let mut history = GameHistory::new(rules.clone(), position);
        // Half of the games begin with moves back and forth. After these moves a side may have a
        // proven win.
        let past = if game % 2 == 0 { rng.usize(..40) } else { 0 };
        while history.len() < past && history.outcome().is_none() {
            history.push(loser_move(&history, tables, Loser::Repeating, &mut rng));
        }
        if history.outcome().is_some() {
            continue;
        }
        if past > 0 {
            winner = history.side_to_move();
            if !search_move(&history, tables, 50).1 {
                continue;
            }
            with_past += 1;
        }
        while history.outcome().is_none() {
            let mv = if history.side_to_move() == winner {
                let (mv, is_proven) = search_move(&history, tables, 50);
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

/// Solves all stages with the files in a directory. Returns the result and the reported lines.
fn write_table_files(
    directory: &std::path::Path,
    walls: &str,
    stop_after: Option<usize>,
) -> (Result<(), String>, Vec<String>) {
    let stages = Some("plain,red,green,repetition");
    write_plan(&TableWriteRequest { stages, ..plan(directory, walls) }, stop_after)
}

/// Returns a plan for all certain wins. The plan uses two threads.
pub(crate) fn plan<'a>(directory: &'a std::path::Path, men: &'a str) -> TableWriteRequest<'a> {
    TableWriteRequest {
        directory,
        count: men,
        check: false,
        threads: 2,
        stages: None,
        free_memory: None,
        free_disk: None,
    }
}

/// Runs a plan for at most `stop_after` steps. Returns the result and the reported lines.
pub(crate) fn write_plan(
    plan: &TableWriteRequest,
    stop_after: Option<usize>,
) -> (Result<(), String>, Vec<String>) {
    let lines = Mutex::new(Vec::new());
    let steps = Mutex::new(0);
    let report = |report: TableWriteProgress| match report {
        TableWriteProgress::Result(line) => lines.lock().unwrap().push(line.to_string()),
        TableWriteProgress::Unusable(error) => {
            lines.lock().unwrap().push(format!("refused: {error}"))
        }
        TableWriteProgress::Working(..) => {
            *steps.lock().unwrap() += 1;
            if Some(*steps.lock().unwrap()) == stop_after {
                std::panic::resume_unwind(Box::new("interrupted"));
            }
        }
        _ => {}
    };
    let write = || {
        let written = rules::<Alcaxar>(&[]).write_table_files(plan, &report);
        written.map_err(|error| error.to_string())
    };
    let written = std::panic::catch_unwind(std::panic::AssertUnwindSafe(write));
    let lines =
        std::mem::take(&mut *lines.lock().unwrap_or_else(std::sync::PoisonError::into_inner));
    (written.unwrap_or_else(|_| Err("interrupted".into())), lines)
}

#[test]
fn interrupted_runs_end_with_the_same_files() {
    let whole = Folder::new("alcaxar-whole");
    let parts = Folder::new("alcaxar-parts");
    let (done, lines) = write_table_files(whole.path(), "2", None);
    assert_eq!(done, Ok(()));
    assert_eq!(lines[0], "walls 2 plain none won 200278 lost 115338 open 12372");
    let mut rng = fastrand::Rng::with_seed(29);
    let mut interruptions = 0;
    while write_table_files(parts.path(), "2", Some(rng.usize(1..150))).0 != Ok(()) {
        interruptions += 1;
    }
    assert!(interruptions >= 3, "{interruptions}");
    let files = |folder: &Folder| MemoryFiles::read(folder).0;
    assert!(files(&whole) == files(&parts));
    assert_eq!(files(&whole).len(), 14);
    // Stages that have ended are only reported again. The contents of a damaged or missing file are
    // recomputed.
    assert_eq!(write_table_files(whole.path(), "2", Some(1)), (Ok(()), lines.clone()));
    let damage = |folder: &Folder, name: &str| {
        let path = folder.path().join(name);
        fs::write(&path, &fs::read(&path).unwrap()[1..]).unwrap();
    };
    damage(&whole, "alcaxar-2-progress.table");
    let (done, reported) = write_table_files(whole.path(), "2", None);
    assert_eq!(done, Ok(()));
    assert!(reported[0].contains("alcaxar-2-progress.table: "), "{reported:?}");
    assert_eq!(reported[1..], lines);
    for damaged in ["red", "red-safe", "red-ranks", "entries"] {
        let folder = Folder::new("alcaxar-damaged");
        let name = format!("alcaxar-2-{damaged}.table");
        let mut reported = Vec::new();
        for steps in 1.. {
            reported = write_table_files(folder.path(), "2", Some(steps)).1;
            if folder.path().join(&name).exists() {
                break;
            }
        }
        damage(&folder, &name);
        let (done, more) = write_table_files(folder.path(), "2", None);
        assert_eq!(done, Ok(()));
        assert!(more[0].contains(&name), "{reported:?} {more:?}");
        assert_eq!(more[more.len() - 4..], lines[lines.len() - 4..]);
        assert!(files(&whole) == files(&folder));
    }
}

#[test]
fn tables_are_for_one_to_eight_walls() {
    let folder = Folder::new("alcaxar-walls");
    for walls in ["0", "9", "-1", "x", ""] {
        let (done, _) = write_table_files(folder.path(), walls, None);
        let error = done.unwrap_err().to_string();
        assert!(error.contains("tables of alcaxar are for 1 to 8 walls, not"), "{error}");
    }
}

/// Without enough memory or disk space, the solver does not begin. Finished stages need neither
/// memory nor disk space.
#[test]
fn checks_free_memory_and_disk_before_it_begins() {
    let folder = Folder::new("alcaxar-free");
    let with = |[free_memory, free_disk]: [Option<u64>; 2]| {
        write_plan(
            &TableWriteRequest { threads: 1, free_memory, free_disk, ..plan(folder.path(), "2") },
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
fn solves_the_requested_stages() {
    let folder = Folder::new("alcaxar-stages");
    let plan = TableWriteRequest { threads: 1, ..plan(folder.path(), "2") };
    let names = |lines: &[String]| -> Vec<String> {
        let results = lines.iter().filter(|line| line.starts_with("walls "));
        results.map(|line| line.split(' ').nth(2).unwrap().to_string()).collect()
    };
    // If only the wins of one side are requested, the output reports only their files and checks.
    let (done, lines) = write_plan(&TableWriteRequest { stages: Some("green"), ..plan }, None);
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
    assert!(MemoryFiles::read(&folder).win_tables() == solved(2).files.win_tables());
    // Later stages build on the files.
    let (done, mut lines) =
        write_plan(&TableWriteRequest { stages: Some("repetition, plain"), ..plan }, None);
    assert_eq!(done, Ok(()));
    let mut all = solved(2).lines.clone();
    [&mut lines, &mut all].into_iter().for_each(|lines| lines.sort());
    assert_eq!(lines, all);
    let (done, _) = write_plan(&TableWriteRequest { stages: Some("red,blue"), ..plan }, None);
    let error = done.unwrap_err().to_string();
    assert_eq!(
        error,
        "the stages of alcaxar are red, green, plain, repetition, red-start, green-start, not 'blue'"
    );
}

/// Solves whether a side wins the start.
fn solve_start(walls: usize, side: Side) -> StageRunner {
    let stages = vec![Stage::Safe(side), Stage::Start(side)];
    let mut runner = StageRunner::new(&Board::default(), walls, stages).unwrap();
    while runner.current_stage().is_some() {
        runner.run_step(2);
    }
    runner
}

/// In this stage, wins are found in any order. All of them are certain wins. If the start is not
/// among them, the stage finds nearly all certain wins.
#[test]
fn wins_of_the_start_stage_are_certain_wins() {
    let board = Board::default();
    for walls in 1..=3 {
        let Solved { rules, tables, .. } = solved(walls);
        for winner in Side::BOTH_SIDES {
            let runner = solve_start(walls, winner);
            // With three walls the check takes seconds.
            assert!(walls == 3 || check_locally(&runner, Stage::Start(winner)).is_ok());
            let mut certain = 0;
            let mut found = 0;
            for set in (0..count_wall_sets(walls)).step_by([1, 4, 80][walls - 1]) {
                for position in non_terminal_positions(&board, unrank_wall_set(walls, set)) {
                    let is_won = runner.solver().is_won_by(winner, &position);
                    let is_lost = lost_rank(rules.as_ref(), tables, &position).is_some();
                    if position.side == winner {
                        assert!(!(is_won && is_lost), "{position:?}");
                    } else {
                        certain += u64::from(is_lost);
                        found += u64::from(is_won);
                    }
                }
            }
            let is_start_won = runner.start_position_winner(winner) == Some(winner);
            assert!(
                is_start_won || found * 100 > certain * 99,
                "{walls} walls: {found} of {certain}"
            );
            let history = GameHistory::new(rules.clone(), start_position(walls));
            let known =
                SolvedGame::new(rules, tables, start_position(walls)).certain_winner(&history);
            assert_eq!(known == Some(winner), is_start_won, "{walls} walls, {winner:?}");
        }
    }
}

/// Checks the reports of the stages that only solve the start, and their files.
fn check_start_stages(walls: usize) {
    let red_wins = &*format!("walls {walls} start red wins");
    let green_unknown = &*format!("walls {walls} start green unknown");
    let count = &*walls.to_string();
    let folder = Folder::new("alcaxar-start-only");
    let write = |stages, stop_after| {
        let plan = TableWriteRequest { stages: Some(stages), ..plan(folder.path(), count) };
        let (done, lines) = write_plan(&plan, stop_after);
        let starts: Vec<String> =
            lines.into_iter().filter(|line| line.contains(" start ")).collect();
        (done, starts)
    };
    // The whole stage does not prove a win of green. It can be interrupted and resumed.
    for stop_after in [3, 6] {
        assert!(write("green-start", Some(stop_after)).0.is_err());
    }
    assert_eq!(write("green-start", None), (Ok(()), vec![green_unknown.to_string()]));
    for _ in 0..2 {
        let (done, starts) = write("green-start, red-start", None);
        assert_eq!(done, Ok(()));
        assert_eq!(starts, [green_unknown, red_wins]);
    }
    // No step is left. One stage reports the result of another.
    for (stages, expected) in
        [("green-start", vec![red_wins]), ("red-start,green-start", vec![red_wins, green_unknown])]
    {
        let (done, starts) = write(stages, Some(1));
        assert_eq!(done, Ok(()));
        assert_eq!(starts, expected);
    }
    // The certain wins also show who wins the start. The winner is reported only once.
    let other = Folder::new("alcaxar-start-by-all");
    let plan = TableWriteRequest { stages: Some("red,green-start"), ..plan(other.path(), "2") };
    for _ in 0..2 {
        let (done, mut lines) = write_plan(&plan, None);
        lines.retain(|line| line.starts_with("walls "));
        assert_eq!((done, lines), (Ok(()), vec!["walls 2 start red wins".to_string()]));
    }
    // A missing file of the safe wins is recomputed.
    let safe = folder.path().join(format!("alcaxar-{walls}-green-safe.table"));
    fs::remove_file(&safe).unwrap();
    assert_eq!(write("green", None).0, Ok(()));
    assert!(safe.exists());
    // The stages of the certain wins build on the files of the safe wins.
    for stages in ["green", "red"] {
        assert_eq!(write(stages, None).0, Ok(()));
    }
    assert!(MemoryFiles::read(&folder).win_tables() == solved(walls).files.win_tables());
}

#[test]
fn reports_the_winner_of_the_start_without_the_other_stages() {
    check_start_stages(2);
}

/// To run this test: `cargo test --test all alcaxar_solver::reports_the_winner -- --ignored`
#[test]
#[ignore = "seconds"]
fn reports_the_winner_of_the_start_with_three_walls() {
    check_start_stages(3);
}

/// Returns the index of a byte of each kind in a file. There is one for each word of the first
/// lines, one in the blocks and one in the index.
fn sample_byte_of_each_kind(file: &[u8]) -> Vec<usize> {
    let head = file.iter().enumerate().filter(|(_, byte)| **byte == b'\n').nth(2).unwrap().0;
    let in_head = (0..=head).filter(|&at| at == head || b" \n".contains(&file[at + 1]));
    let index = file.len() - 8;
    in_head.chain([head + 1, (head + index) / 2, index - 1]).chain(index..file.len()).collect()
}

#[test]
fn rejects_each_altered_byte() {
    let Solved { rules, files, tables, .. } = solved(1);
    let board = Board::default();
    let sets = (0..count_wall_sets(1)).map(|rank| unrank_wall_set(1, rank));
    let positions: Vec<Position> =
        sets.flat_map(|set| non_terminal_positions(&board, set)).step_by(5).collect();
    let ranks = |tables: &AlcaxarTablebase| -> Vec<Option<u32>> {
        positions.iter().map(|position| lost_rank(rules.as_ref(), tables, position)).collect()
    };
    let known = ranks(tables);
    for name in ["red", "red-safe", "red-ranks"].map(|name| format!("alcaxar-1-{name}.table")) {
        let at = files.0.iter().position(|(file, _)| *file == name).unwrap();
        let offsets = sample_byte_of_each_kind(&files.0[at].1);
        for (number, &offset) in offsets.iter().enumerate() {
            let mut altered = MemoryFiles(files.0.clone());
            altered.0[at].1[offset] ^= 1;
            let altered_files = Arc::new(MemoryFiles(altered.0.clone()));
            let tables = opened(AlcaxarTablebase::for_wall_count(rules, 1, Some(altered_files)));
            let found = ranks(&tables);
            assert!(
                found.iter().zip(&known).all(|(found, known)| found.is_none() || found == known),
                "{name} {offset}"
            );
            // The engine reads everything except the checksum of the whole file.
            let is_reported = !tables.take_faults().is_empty();
            assert!(is_reported || found == known, "{name} {offset}");
            // A check of the files finds each altered byte. The file is recomputed.
            if number % 18 == 0 || offset + 9 > altered.0[at].1.len() {
                let folder = altered.write("alcaxar-altered");
                let plan =
                    TableWriteRequest { check: true, threads: 1, ..plan(folder.path(), "1") };
                let (done, lines) = write_plan(&plan, None);
                assert_eq!(done, Ok(()));
                assert!(
                    lines[0].starts_with("refused: ") && lines[0].contains(&name),
                    "{offset}: {lines:?}"
                );
                let written = MemoryFiles::read(&folder);
                let is_same = |file: &(String, Vec<u8>)| {
                    file.0.contains("progress") || files.0.contains(file)
                };
                assert!(written.0.iter().filter(|(name, _)| name.ends_with(".table")).all(is_same));
            }
        }
    }
}

#[test]
fn reports_invalid_files_and_treats_their_values_as_unknown() {
    let Solved { rules, files, .. } = solved(2);
    let wins = certain_wins();
    let folder = files.write("alcaxar-faults");
    let won_by =
        |side| wins.iter().find(|win| win.winner == side && win.rank > 1).unwrap().position;
    let by_red = won_by(Side::First);
    let by_green = won_by(Side::Second);
    let path = |name: &str| folder.path().join(format!("alcaxar-2-{name}.table"));
    let one_wall = solved(1).files.write("alcaxar-one-wall");
    for name in ["red", "red-safe", "red-ranks"] {
        let whole = fs::read(path(name)).unwrap();
        let other = fs::read(one_wall.path().join(format!("alcaxar-1-{name}.table"))).unwrap();
        for (bytes, why) in [
            (Some(&whole[..whole.len() - 1]), "truncated"),
            (Some(&whole[..40]), ""),
            (Some(&[]), "not a table"),
            (Some(&other), "contains another table than its name says"),
            (None, if name == "red" { "" } else { "is missing" }),
        ] {
            match bytes {
                Some(bytes) => fs::write(path(name), bytes).unwrap(),
                None => fs::remove_file(path(name)).unwrap(),
            }
            let tables = open_tables(rules, 2, &folder);
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
}

#[test]
fn reports_read_errors_once_and_ignores_other_files() {
    let Solved { rules, files, .. } = solved(2);
    let folder = files.write("alcaxar-faults");
    let mut wins = certain_wins().iter();
    let by_red = wins.find(|win| win.winner == Side::First && win.rank > 1).unwrap().position;
    let path = |name: &str| folder.path().join(format!("alcaxar-2-{name}.table"));
    let one_wall = solved(1).files.write("alcaxar-one-wall");
    // If a file shrinks after it was opened, or if its values are damaged, the fault is reported
    // once.
    for name in ["red", "red-safe", "red-ranks"] {
        let whole = fs::read(path(name)).unwrap();
        let tables = open_tables(rules, 2, &folder);
        fs::OpenOptions::new().write(true).open(path(name)).unwrap().set_len(50).unwrap();
        assert_eq!(lost_rank(rules.as_ref(), &tables, &by_red), None, "{name}");
        search_move(&GameHistory::new(rules.clone(), by_red), &tables, 100);
        assert_eq!((tables.take_faults().len(), tables.take_faults().len()), (1, 0));
        fs::write(path(name), whole).unwrap();
    }
    let whole = fs::read(path("red-ranks")).unwrap();
    let mut damaged = whole.clone();
    damaged[60..].fill(0xff);
    fs::write(path("red-ranks"), damaged).unwrap();
    let tables = open_tables(rules, 2, &folder);
    assert_eq!(lost_rank(rules.as_ref(), &tables, &by_red), None);
    assert_eq!(tables.take_faults().len(), 1);
    // The folder has no files, or the files for another number of walls.
    fs::write(path("red-ranks"), whole).unwrap();
    for (walls, folder) in [(8, &folder), (1, &folder), (2, &Folder::new("alcaxar-empty"))] {
        let tables = open_tables(rules, walls, folder);
        assert_eq!(
            (lost_rank(rules.as_ref(), &tables, &by_red), tables.take_faults()),
            (None, Vec::new())
        );
    }
    assert_eq!(lost_rank(rules.as_ref(), &open_tables(rules, 1, &one_wall), &by_red), None);
}

#[test]
fn exact_games_have_positions_that_their_winner_wins() {
    let Solved { rules, tables, .. } = solved(3);
    let settings =
        SelfPlaySettings { nodes: 1, random_plies: 10, plies: 300, seed: 7, concurrency: 1 };
    let mut rng = fastrand::Rng::with_seed(33);
    let mut known = 0;
    for number in 0..16 {
        let walls = unrank_wall_set(3, rng.usize(..count_wall_sets(3)));
        let positions: Vec<Position> = non_terminal_positions(&Board::default(), walls).collect();
        let Some(&position) = rng.choice(&positions) else { continue };
        let mut history = GameHistory::new(rules.clone(), position);
        let game = exact_position_games::play_game_through_exact_positions(
            history.clone(),
            tables,
            &settings,
            number,
        )
        .unwrap();
        assert_eq!(
            exact_position_games::play_game_through_exact_positions(
                history.clone(),
                tables,
                &settings,
                number
            )
            .unwrap(),
            game
        );
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
    let no_tables = AlcaxarTablebase::for_wall_count(rules, 3, None);
    let start = GameHistory::new(rules.clone(), rules.start_position());
    let settings = SelfPlaySettings { plies: 20, ..settings };
    assert_eq!(
        exact_position_games::play_game_through_exact_positions(start, &no_tables, &settings, 1),
        Err(ExactPositionGameError::NoKnownPosition { number: 1, moves: 20 })
    );
}

#[test]
fn reports_the_values_of_the_start_and_its_moves() {
    for walls in 1..=3 {
        let Solved { rules, files, tables, .. } = solved(walls);
        let mut runner = StageRunner::new(&Board::default(), walls, Stage::ALL.to_vec()).unwrap();
        runner.resume(files.write("alcaxar-start").path()).unwrap();
        let lines = start_result_lines(rules, &runner);
        let mut start = rules.start_position();
        let mut moves = Vec::new();
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
