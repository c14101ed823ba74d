//! The checker of Alcaxar's tables. It accepts the results of the solver, and finds every false
//! win. The documentation of [`solver`](pentarch_alcaxar::solver) explains the terms: states,
//! entries, pairs of knights, safe wins, certain wins and ranks. By the *local rule*, a state is
//! won if the winner can force the next state into the won states.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use pentarch_alcaxar::board::{Board, half_turn_point};
use pentarch_alcaxar::moves::{self, Move};
use pentarch_alcaxar::position::Position;
use pentarch_alcaxar::solver::checker::band_levels::knight_pair_numbers;
use pentarch_alcaxar::solver::checker::knight_pair_moves::{
    BoardTables, KnightPairsByRedSquare, knight_pairs_to_words,
};
use pentarch_alcaxar::solver::checker::successor_check::{self, SuccessorWinRule};
use pentarch_alcaxar::solver::checker::win_files::WinFiles;
use pentarch_alcaxar::solver::checker::win_rank_check::WinRankCheck;
use pentarch_alcaxar::solver::checker::{CheckFailure, StateFlaw};
use pentarch_alcaxar::solver::entry_numbering::EntryNumbering;
use pentarch_alcaxar::solver::non_terminal_positions::non_terminal_positions;
use pentarch_alcaxar::solver::stage_runner::StageRunner;
use pentarch_alcaxar::solver::stages::Stage;
use pentarch_alcaxar::solver::wall_sets::{count_wall_sets, unrank_wall_set};
use pentarch_alcaxar::solver::win_rank_log::ENTRIES_PER_RANK_INDEX_NUMBER;
use pentarch_core::tables::directory::TableDirectory;
use pentarch_core::{Outcome, Side, TableFiles, TableWriteRequest};
use pentarch_tables::table_file;

use crate::alcaxar_solver::{plan, solved, write_plan};
use crate::common::fresh_seed;
use crate::common::temporary::Folder;

/// A state with green to move: its entry and its pair of knights.
type State = (usize, u8);

/// The wins of an entry.
#[derive(Debug, Clone)]
struct EntryWins {
    /// The pairs of the wins that are not safe, in ascending order. Each pair has its rank.
    ranked: Vec<(u8, u16)>,
    /// All pairs that the file of the safe wins has for the entry.
    safe: KnightPairsByRedSquare,
}

/// The certain wins of a side when the other side is to move. The table shows the winner as the
/// side of red.
struct WinTable {
    board: Board,
    tables: BoardTables,
    numbering: EntryNumbering,
    winner: Side,
    entries: Vec<EntryWins>,
}

impl WinTable {
    fn read(files: &dyn TableFiles, walls: usize, winner: Side) -> WinTable {
        let board = Board::default();
        let numbering = EntryNumbering::new(&board, walls).unwrap();
        let mut entries = Vec::new();
        let stored =
            WinFiles::open(files, walls, numbering.entries, Stage::Certain(winner)).unwrap();
        let read = stored.for_each_entry(|entry| {
            let ranked =
                knight_pair_numbers(entry.ranked).zip(entry.ranks.iter().copied()).collect();
            entries.push(EntryWins { ranked, safe: entry.safe });
            Ok(())
        });
        read.unwrap();
        WinTable { tables: BoardTables::new(&board), board, numbering, winner, entries }
    }

    /// Writes the files of the wins.
    fn write(&self, directory: &Path) {
        let mut wins = Vec::new();
        let mut safe = Vec::new();
        let mut index = Vec::new();
        let mut ranks = Vec::new();
        let mut total = 0_u64;
        for block in self.entries.chunks(ENTRIES_PER_RANK_INDEX_NUMBER) {
            index.push(total);
            for entry in block {
                let mut pairs = entry.safe;
                for &(pair, _) in &entry.ranked {
                    pairs[usize::from(pair / 16)] |= 1 << (pair % 16);
                }
                wins.push(knight_pairs_to_words(pairs));
                safe.push(knight_pairs_to_words(entry.safe));
                total += entry.ranked.len() as u64;
            }
            for byte in [0, 1] {
                let ranked = block.iter().flat_map(|entry| &entry.ranked);
                ranks.extend(ranked.map(|&(_, rank)| rank.to_le_bytes()[byte]));
            }
        }
        index.push(total);
        let name = |what| {
            format!(
                "alcaxar-{}-{}{what}",
                self.numbering.walls,
                ["red", "green"][self.winner.index()]
            )
        };
        let bytes =
            |words: &[u64]| words.iter().flat_map(|word| word.to_ne_bytes()).collect::<Vec<u8>>();
        table_file::save_table_file(directory, &name(""), &[&bytes(wins.as_flattened())]).unwrap();
        table_file::save_table_file(directory, &name("-safe"), &[&bytes(safe.as_flattened())])
            .unwrap();
        table_file::save_table_file(directory, &name("-ranks"), &[&bytes(&index), &ranks]).unwrap();
    }

    /// Writes the wins to a folder, and checks the files.
    fn check(&self, folder: &Folder, max_states: u64) -> Result<u64, CheckFailure> {
        self.write(folder.path());
        self.check_files(folder, max_states, 2, &|_| {})
    }

    /// Checks the files in a folder.
    fn check_files(
        &self,
        folder: &Folder,
        max_states: u64,
        threads: usize,
        report: &(dyn Fn(f64) + Sync),
    ) -> Result<u64, CheckFailure> {
        let EntryNumbering { walls, entries, .. } = self.numbering;
        let stage = Stage::Certain(self.winner);
        let files =
            WinFiles::open(&TableDirectory(folder.path().to_path_buf()), walls, entries, stage)
                .unwrap();
        let check = WinRankCheck {
            board: &self.board,
            numbering: &self.numbering,
            files: &files,
            wins_ties: self.winner == Side::Second,
            threads,
            max_states,
            directory: folder.path(),
        };
        check.run(report)
    }

    fn state(&self, position: &Position) -> State {
        let index = self.numbering.entry_index(position.walls, position.last_wall);
        let [red, green] = position.knights;
        let pair = 16 * red.0 + green.0;
        (index.entry, if index.is_mirrored { self.tables.mirror_pair(pair) } else { pair })
    }

    fn is_won(&self, (entry, pair): State) -> bool {
        let EntryWins { ranked, safe } = &self.entries[entry];
        safe[usize::from(pair / 16)] >> (pair % 16) & 1 != 0
            || ranked.binary_search_by_key(&pair, |&(other, _)| other).is_ok()
    }

    /// Adds a win.
    fn add(&mut self, (entry, pair): State, rank: u16) {
        let EntryWins { ranked, safe } = &mut self.entries[entry];
        if rank == 0 {
            safe[usize::from(pair / 16)] |= 1 << (pair % 16);
        } else {
            let at = ranked.partition_point(|&(other, _)| other < pair);
            ranked.insert(at, (pair, rank));
        }
    }

    /// Returns a random set of walls.
    fn random_set(&self, rng: &mut fastrand::Rng) -> u64 {
        let walls = self.numbering.walls;
        unrank_wall_set(walls, rng.usize(..count_wall_sets(walls)))
    }

    fn moves(&self, position: &Position) -> Vec<Move> {
        let mut moves = Vec::new();
        moves::generate_moves(&self.board, position, &mut moves);
        moves
    }

    /// Returns the positions of a set of walls in which green is to move and neither side certainly
    /// wins. `losses` are the wins of green.
    fn open_positions(&self, losses: &WinTable, walls: u64) -> Vec<Position> {
        let positions = non_terminal_positions(&self.board, walls);
        positions
            .filter(|position| position.side == Side::Second && self.is_open(losses, position))
            .collect()
    }

    fn is_open(&self, losses: &WinTable, position: &Position) -> bool {
        let is_lost = |mv| {
            let next = position.play(mv);
            // In the files of green's wins, green is shown as the side of red.
            next.outcome(&self.board).is_some()
                || losses.is_won(losses.state(&next.apply_symmetry(true, half_turn_point)))
        };
        !self.is_won(self.state(position)) && !self.moves(position).into_iter().any(is_lost)
    }

    /// Returns the positions after the replies to each move of a position. Green is to move in the
    /// position. If a reply to a move leads to a win or to one of `states`, the move is skipped.
    fn unsupported_moves(
        &self,
        position: &Position,
        states: &HashSet<State>,
    ) -> Vec<Vec<Position>> {
        let is_supported = |after: &Position| {
            let is_win = matches!(after.outcome(&self.board), Some(Outcome::Win(Side::First, _)));
            let state = self.state(after);
            is_win || self.is_won(state) || states.contains(&state)
        };
        let replies = |mv| {
            let next = position.play(mv);
            self.moves(&next).into_iter().map(|reply| next.play(reply)).collect::<Vec<_>>()
        };
        let replies = self.moves(position).into_iter().map(replies);
        replies.filter(|replies| !replies.iter().any(is_supported)).collect()
    }

    /// Returns a set of states that are not wins, although the local rule accepts the set. The rule
    /// accepts it because each state would be a win if the other states of the set were wins. The
    /// set begins with the position `from`. The function adds the replies that need the fewest
    /// further states. Returns `None` if the set has more than `most` states.
    fn circle(
        &self,
        losses: &WinTable,
        from: Position,
        most: usize,
        rng: &mut fastrand::Rng,
    ) -> Option<HashSet<State>> {
        let mut states = HashSet::from([self.state(&from)]);
        let mut open = vec![from];
        while let Some(position) = open.pop() {
            // A reply to an earlier move may support the next move.
            while let Some(mut replies) = self.unsupported_moves(&position, &states).pop() {
                replies.retain(|after| self.is_open(losses, after));
                rng.shuffle(&mut replies);
                let after = replies
                    .into_iter()
                    .min_by_key(|after| self.unsupported_moves(after, &states).len())?;
                states.insert(self.state(&after));
                open.push(after);
                if states.len() > most {
                    return None;
                }
            }
        }
        Some(states)
    }
}

/// The kinds of false wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum FalseWin {
    Bit,
    SmallCircle,
    LargeCircle,
    Rank,
}

/// Returns states with false ranks, which the caller adds to the first of these tables. The second
/// table contains the wins of the other side. `last` is the greatest rank of a win.
fn random_false_wins(
    kind: FalseWin,
    [wins, losses]: [&WinTable; 2],
    last: u16,
    rng: &mut fastrand::Rng,
) -> Vec<(State, u16)> {
    match kind {
        FalseWin::Bit => {
            let state = loop {
                let mut lost: Vec<State> = Vec::new();
                for position in non_terminal_positions(&wins.board, wins.random_set(rng)) {
                    let state = wins.state(&position);
                    if position.side == Side::Second && !wins.is_won(state) {
                        lost.push(state);
                    }
                }
                if let Some(state) = rng.choice(lost) {
                    break state;
                }
            };
            vec![(state, rng.u16(0..=last + 2))]
        }
        FalseWin::SmallCircle | FalseWin::LargeCircle => {
            let mut any_circle = |most| loop {
                let open = wins.open_positions(losses, wins.random_set(rng));
                let mut circles =
                    open.into_iter().filter_map(|from| wins.circle(losses, from, most, rng));
                if let Some(circle) = circles.next() {
                    break circle;
                }
            };
            // If the circles are small, the large set consists of more than one circle.
            let mut circle = any_circle(if kind == FalseWin::SmallCircle { 2 } else { 60 });
            while kind == FalseWin::LargeCircle && circle.len() < 100 {
                circle.extend(any_circle(60));
            }
            let is_equal = rng.bool();
            let rank = rng.u16(0..=last);
            let mut added = Vec::new();
            for state in circle {
                added.push((state, if is_equal { rank } else { rng.u16(1..=last + 2) }));
            }
            added
        }
        FalseWin::Rank => loop {
            let entry = rng.usize(..wins.entries.len());
            if let Some((pair, rank)) = rng.choice(wins.entries[entry].ranked.clone()) {
                let other = rng.u16(1..=last + 1);
                break vec![((entry, pair), if other == rank { last + 2 } else { other })];
            }
        },
    }
}

/// Adds false wins to the wins of both sides in these files, one after the other. There are
/// `count_per_kind` of each kind. The check must find each of them. Returns how often the check
/// found each kind, and by which flaw.
fn check_false_wins(
    files: &dyn TableFiles,
    walls: usize,
    count_per_kind: usize,
    seed: u64,
) -> HashMap<(FalseWin, StateFlaw), usize> {
    let mut rng = fastrand::Rng::with_seed(seed);
    let folder = Folder::new("alcaxar-lies");
    let mut found: HashMap<(FalseWin, StateFlaw), usize> = HashMap::new();
    for winner in Side::BOTH_SIDES {
        let [mut wins, losses] = [winner, !winner].map(|side| WinTable::read(files, walls, side));
        let states = wins.check(&folder, u64::MAX).unwrap();
        let ranks = wins.entries.iter().flat_map(|entry| &entry.ranked).map(|&(_, rank)| rank);
        let last = ranks.max().unwrap();
        for number in 0..2 * count_per_kind {
            let kind =
                [FalseWin::Bit, FalseWin::SmallCircle, FalseWin::Rank, FalseWin::LargeCircle]
                    [number % 4];
            let added = random_false_wins(kind, [&wins, &losses], last, &mut rng);
            let entries: HashSet<usize> = added.iter().map(|&((entry, _), _)| entry).collect();
            let before: Vec<_> =
                entries.into_iter().map(|entry| (entry, wins.entries[entry].clone())).collect();
            for &(state, rank) in &added {
                wins.entries[state.0].ranked.retain(|&(pair, _)| pair != state.1);
                wins.add(state, rank);
            }
            // Half of the checks have several bands of ranks.
            let max_states = if number % 8 < 4 { u64::MAX } else { states / 8 };
            match wins.check(&folder, max_states) {
                Err(CheckFailure::WrongState(_, flaw)) => {
                    *found.entry((kind, flaw)).or_default() += 1
                }
                other => {
                    panic!("{walls} walls, {winner:?}, seed {seed}, {kind:?} {number}: {other:?}")
                }
            }
            for (entry, contents) in before {
                wins.entries[entry] = contents;
            }
        }
    }
    found
}

#[test]
fn an_interrupted_check_resumes_with_its_band() {
    let wins = WinTable::read(&*solved(2).files, 2, Side::First);
    let folder = Folder::new("alcaxar-bands");
    wins.write(folder.path());
    let progress = folder.path().join("alcaxar-2-red-check.table");
    let interrupt = || {
        std::panic::catch_unwind(|| {
            wins.check_files(&folder, 1000, 1, &|share| {
                if share > 0.6 {
                    std::panic::resume_unwind(Box::new("interrupted"));
                }
            })
        })
    };
    assert!(interrupt().is_err() && progress.exists());
    let first = std::sync::Mutex::new(1.);
    let report = |share: f64| {
        let mut first = first.lock().unwrap();
        *first = share.min(*first);
    };
    let states = wins.check(&Folder::new("alcaxar-bands"), u64::MAX).unwrap();
    assert_eq!(wins.check_files(&folder, 1000, 1, &report).unwrap(), states);
    assert!(*first.lock().unwrap() > 0.5 && !progress.exists());
    // The check ignores the progress that was stored for other tables. The wrong rank is in a part
    // that the check of the other tables has already passed.
    assert!(interrupt().is_err() && progress.exists());
    let mut other = WinTable::read(&*solved(2).files, 2, Side::First);
    let lower_rank = |entry: &mut EntryWins| {
        let at = entry.ranked.iter().position(|&(_, rank)| rank == 2)?;
        entry.ranked[at].1 = 1;
        Some(())
    };
    assert!(other.entries.iter_mut().find_map(lower_rank).is_some());
    assert!(matches!(other.check(&folder, 1000), Err(CheckFailure::WrongState(..))));
}

#[test]
fn the_local_rule_finds_false_and_missing_wins() {
    let board = Board::default();
    let walls = 1;
    for winner in Side::BOTH_SIDES {
        let mut runner = StageRunner::new(&board, walls, vec![Stage::Safe(winner)]).unwrap();
        while runner.current_stage().is_some() {
            runner.run_step(2);
        }
        let solver = runner.solver();
        let rng = std::cell::RefCell::new(fastrand::Rng::with_seed(77));
        let any = |list: &[Position]| list[rng.borrow_mut().usize(..list.len())];
        let is_won_by_red = |position: &Position| solver.is_won_by_red(position);
        let all: Vec<Position> = (0..count_wall_sets(walls))
            .flat_map(|rank| non_terminal_positions(&board, unrank_wall_set(walls, rank)))
            .collect();
        // A set and its mirror image share an entry.
        let (won, lost): (Vec<Position>, Vec<Position>) = all
            .into_iter()
            .filter(|position| {
                !solver.numbering.entry_index(position.walls, position.last_wall).is_mirrored
            })
            .partition(is_won_by_red);
        let check = |rule, position: Option<&Position>| {
            let read = |side, entry| {
                let mut words = solver.entry_words(side, entry);
                if let Some(Position { knights: [red, green], walls, last_wall, side: of, .. }) =
                    position
                    && (*of, solver.numbering.entry_index(*walls, *last_wall).entry)
                        == (side, entry)
                {
                    words[usize::from(red.0 / 4)] ^= 1 << (red.0 % 4 * 16 + green.0);
                }
                words
            };
            successor_check::check_values_against_successors(
                &board,
                &solver.numbering,
                rule,
                &read,
                2,
                &|_| {},
            )
            .is_ok()
        };
        let owned = SuccessorWinRule::for_stage(Stage::Safe(winner));
        for rule in [owned, SuccessorWinRule::Sound] {
            assert!(check(rule, None));
        }
        for _ in 0..50 {
            assert!(!check(owned, Some(&any(&lost))));
            assert!(!check(owned, Some(&any(&won))));
        }
        // This rule rejects the safe wins, because a win can also be forced from other states.
        assert!(!check(SuccessorWinRule::Exact, None));
        let other = SuccessorWinRule::for_stage(Stage::Safe(!winner));
        assert!(!check(other, None));
    }
}

#[test]
fn recomputes_wrong_tables_and_skips_certified_tables() {
    let files = &solved(1).files;
    let folder = files.write("alcaxar-wrong");
    let plan = plan(folder.path(), "1");
    let (done, lines) = write_plan(&plan, None);
    assert_eq!(done, Ok(()));
    assert!(
        lines.iter().any(|line| line.starts_with("alcaxar-1-red checked in full: 3388 wins")),
        "{lines:?}"
    );
    let mut wins = WinTable::read(&**files, 1, Side::First);
    let lost = non_terminal_positions(&wins.board, unrank_wall_set(1, 0))
        .filter(|position| position.side == Side::Second);
    let lost =
        lost.map(|position| wins.state(&position)).find(|&state| !wins.is_won(state)).unwrap();
    for rank in [0, 2] {
        wins.add(lost, rank);
        wins.write(folder.path());
        let (done, reported) = write_plan(&plan, None);
        assert_eq!(done, Ok(()));
        assert!(reported[0].starts_with("refused: alcaxar-1-red"), "{reported:?}");
        assert!(
            lines
                .iter()
                .filter(|line| line.starts_with("walls "))
                .all(|line| reported.contains(line)),
            "{reported:?}"
        );
        wins = WinTable::read(&TableDirectory(folder.path().to_path_buf()), 1, Side::First);
        assert!(!wins.is_won(lost));
    }
    // Without `--check`, the certificate is enough.
    let path = folder.path().join("alcaxar-1-red.check");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replace("3388", "77")).unwrap();
    for (check, count) in [(false, "77"), (true, "3388"), (false, "3388")] {
        let (done, reported) = write_plan(&TableWriteRequest { check, ..plan }, None);
        assert_eq!(done, Ok(()));
        assert!(
            reported
                .iter()
                .any(|line| line
                    .starts_with(&format!("alcaxar-1-red checked in full: {count} wins")))
        );
    }
}

#[test]
fn no_false_win_passes() {
    let found = check_false_wins(&*solved(2).files, 2, 2, 76);
    assert_eq!(found.values().sum::<usize>(), 8);
}

/// To run this test:
/// `SEED=… cargo test --test all alcaxar_checker::no_false_win_of -- --ignored --nocapture`
#[test]
#[ignore = "a minute"]
fn no_false_win_of_two_walls_passes() {
    println!("{:?}", check_false_wins(&*solved(2).files, 2, 100, fresh_seed()));
}

/// To run this test:
/// `SEED=… cargo test --test all alcaxar_checker::no_false_win_of -- --ignored --nocapture`
#[test]
#[ignore = "more than ten minutes"]
fn no_false_win_of_three_walls_passes() {
    println!("{:?}", check_false_wins(&*solved(3).files, 3, 100, fresh_seed()));
}

/// To run this test:
/// `SEED=… cargo test --test all alcaxar_checker::no_false_win_of -- --ignored --nocapture`
#[test]
#[ignore = "more than ten minutes"]
fn no_false_win_of_four_walls_passes() {
    let folder = Folder::new("alcaxar-four");
    assert_eq!(write_plan(&plan(folder.path(), "4"), None).0, Ok(()));
    let files = TableDirectory(folder.path().to_path_buf());
    println!("{:?}", check_false_wins(&files, 4, 50, fresh_seed()));
}
