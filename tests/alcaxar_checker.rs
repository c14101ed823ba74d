//! The checker of Alcaxar's tables: what the solver has found passes, and no false win does.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use pentarch_alcaxar::board::{Board, half_turn};
use pentarch_alcaxar::moves::{self, Move};
use pentarch_alcaxar::position::Position;
use pentarch_alcaxar::solver::checker::files::WinFiles;
use pentarch_alcaxar::solver::checker::levels::bits_of;
use pentarch_alcaxar::solver::checker::local::{self, Rule};
use pentarch_alcaxar::solver::checker::ranks::RankCheck;
use pentarch_alcaxar::solver::checker::walls::{BoardTables, Pairs, to_words};
use pentarch_alcaxar::solver::checker::{Fault, Flaw};
use pentarch_alcaxar::solver::entry_numbering::EntryNumbering;
use pentarch_alcaxar::solver::ranks::INDEXED;
use pentarch_alcaxar::solver::stages::Stage;
use pentarch_alcaxar::solver::undecided::undecided_positions;
use pentarch_alcaxar::solver::wall_sets::{count, unrank};
use pentarch_alcaxar::solver::work::Work;
use pentarch_core::tables::directory::TableDirectory;
use pentarch_core::{Outcome, Side, TableFiles, TablePlan};
use pentarch_tables::file;

use crate::alcaxar_solver::{plan, solved, write_plan};
use crate::common::fresh_seed;
use crate::common::temporary::Folder;

/// A state with green to move: its entry and its pair of knights.
type State = (usize, u8);

/// The certain wins of a side, which is on the side of red, with the other side to move.
struct Wins {
    board: Board,
    tables: BoardTables,
    numbering: EntryNumbering,
    winner: Side,
    /// By entry: the ranks of the wins, in the order of the pairs; and all pairs that the file of the safe wins has.
    entries: Vec<(Vec<(u8, u16)>, Pairs)>,
}

impl Wins {
    fn read(files: &dyn TableFiles, walls: usize, winner: Side) -> Wins {
        let board = Board::default();
        let numbering = EntryNumbering::new(&board, walls).unwrap();
        let mut entries = Vec::new();
        let stored =
            WinFiles::open(files, walls, numbering.entries, Stage::Certain(winner)).unwrap();
        let read = stored.for_each(|entry| {
            entries.push((
                bits_of(entry.ranked).zip(entry.ranks.iter().copied()).collect(),
                entry.safe,
            ));
            Ok(())
        });
        read.unwrap();
        Wins { tables: BoardTables::new(&board), board, numbering, winner, entries }
    }

    /// Writes the files of the wins.
    fn write(&self, directory: &Path) {
        let (mut wins, mut safe, mut index, mut ranks) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let mut total = 0_u64;
        for block in self.entries.chunks(INDEXED) {
            index.push(total);
            for (ranked, safe_pairs) in block {
                let add = |mut pairs: Pairs, &(pair, _): &(u8, u16)| {
                    pairs[usize::from(pair / 16)] |= 1 << (pair % 16);
                    pairs
                };
                wins.push(to_words(ranked.iter().fold(*safe_pairs, add)));
                safe.push(to_words(*safe_pairs));
                total += ranked.len() as u64;
            }
            for byte in [0, 1] {
                let of_block = block.iter().flat_map(|(ranked, _)| ranked);
                ranks.extend(of_block.map(|&(_, rank)| rank.to_le_bytes()[byte]));
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
        file::save(directory, &name(""), &[&bytes(wins.as_flattened())]).unwrap();
        file::save(directory, &name("-safe"), &[&bytes(safe.as_flattened())]).unwrap();
        file::save(directory, &name("-ranks"), &[&bytes(&index), &ranks]).unwrap();
    }

    /// Checks the wins by files that are written for it.
    fn check(&self, folder: &Folder, most_states: u64) -> Result<u64, Fault> {
        self.write(folder.path());
        self.check_files(folder, most_states, 2, &|_| {})
    }

    /// Checks the files in a folder.
    fn check_files(
        &self,
        folder: &Folder,
        most_states: u64,
        threads: usize,
        tell: &(dyn Fn(f64) + Sync),
    ) -> Result<u64, Fault> {
        let EntryNumbering { walls, entries, .. } = self.numbering;
        let stage = Stage::Certain(self.winner);
        let files =
            WinFiles::open(&TableDirectory(folder.path().to_path_buf()), walls, entries, stage)
                .unwrap();
        let check = RankCheck {
            board: &self.board,
            numbering: &self.numbering,
            files: &files,
            ties: self.winner == Side::Second,
            threads,
            most_states,
            directory: folder.path(),
        };
        check.run(tell)
    }

    fn state(&self, position: &Position) -> State {
        let place = self.numbering.index(position.walls, position.last_wall);
        let [red, green] = position.knights;
        let pair = 16 * red.0 + green.0;
        (place.entry, if place.is_mirrored { self.tables.mirror_pair(pair) } else { pair })
    }

    fn is_won(&self, (entry, pair): State) -> bool {
        let (ranked, safe) = &self.entries[entry];
        safe[usize::from(pair / 16)] >> (pair % 16) & 1 != 0
            || ranked.binary_search_by_key(&pair, |&(other, _)| other).is_ok()
    }

    /// Adds a win.
    fn add(&mut self, (entry, pair): State, rank: u16) {
        let (ranked, safe) = &mut self.entries[entry];
        if rank == 0 {
            safe[usize::from(pair / 16)] |= 1 << (pair % 16);
        } else {
            let at = ranked.partition_point(|&(other, _)| other < pair);
            ranked.insert(at, (pair, rank));
        }
    }

    fn moves(&self, position: &Position) -> Vec<Move> {
        let mut moves = Vec::new();
        moves::generate(&self.board, position, &mut moves);
        moves
    }

    /// Positions of a set of walls with green to move that neither side wins for certain, `losses` being the wins of
    /// green.
    fn open_positions(&self, losses: &Wins, walls: u64) -> Vec<Position> {
        let positions = undecided_positions(&self.board, walls);
        positions
            .filter(|position| position.side == Side::Second && self.is_open(losses, position))
            .collect()
    }

    fn is_open(&self, losses: &Wins, position: &Position) -> bool {
        let is_lost = |mv| {
            let next = position.play(mv);
            // The files of green have it on the side of red.
            next.outcome(&self.board).is_some()
                || losses.is_won(losses.state(&next.map(true, half_turn)))
        };
        !self.is_won(self.state(position)) && !self.moves(position).into_iter().any(is_lost)
    }

    /// The moves of a position with green to move after which no position is won, nor in `states`: for each the positions
    /// after the replies.
    fn unsupported(&self, position: &Position, states: &HashSet<State>) -> Vec<Vec<Position>> {
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

    /// A set of states that are not wins, each of which would be one if the others were: the local rule holds. It grows
    /// from this position, by the replies that need the fewest states; none if it has more states than `most`.
    fn circle(
        &self,
        losses: &Wins,
        from: Position,
        most: usize,
        rng: &mut fastrand::Rng,
    ) -> Option<HashSet<State>> {
        let (mut states, mut open) = (HashSet::from([self.state(&from)]), vec![from]);
        while let Some(position) = open.pop() {
            // An earlier one of these moves may have been given a reply that supports the next.
            while let Some(mut replies) = self.unsupported(&position, &states).pop() {
                replies.retain(|after| self.is_open(losses, after));
                rng.shuffle(&mut replies);
                let after = replies
                    .into_iter()
                    .min_by_key(|after| self.unsupported(after, &states).len())?;
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
enum Lie {
    Bit,
    SmallCircle,
    LargeCircle,
    Rank,
}

/// Makes `lies` false wins of each kind in the wins of both sides in these files. The check must find each.
fn tell_lies(
    files: &dyn TableFiles,
    walls: usize,
    lies: usize,
    seed: u64,
) -> HashMap<(Lie, Flaw), usize> {
    let (mut rng, folder) = (fastrand::Rng::with_seed(seed), Folder::new("alcaxar-lies"));
    let mut found: HashMap<(Lie, Flaw), usize> = HashMap::new();
    for winner in Side::BOTH {
        let [mut wins, losses] = [winner, !winner].map(|side| Wins::read(files, walls, side));
        let states = wins.check(&folder, u64::MAX).unwrap();
        let ranks = wins.entries.iter().flat_map(|(ranked, _)| ranked).map(|&(_, rank)| rank);
        let last = ranks.max().unwrap();
        let any_set = |rng: &mut fastrand::Rng| unrank(walls, rng.usize(..count(walls)));
        for number in 0..2 * lies {
            let lie = [Lie::Bit, Lie::SmallCircle, Lie::Rank, Lie::LargeCircle][number % 4];
            let mut added: Vec<(State, u16)> = Vec::new();
            match lie {
                Lie::Bit => {
                    let state = loop {
                        let of_green = undecided_positions(&wins.board, any_set(&mut rng))
                            .filter(|at| at.side == Side::Second);
                        let lost = of_green
                            .map(|position| wins.state(&position))
                            .filter(|&state| !wins.is_won(state));
                        if let Some(state) = rng.choice(lost.collect::<Vec<_>>()) {
                            break state;
                        }
                    };
                    added.push((state, rng.u16(0..=last + 2)));
                }
                Lie::SmallCircle | Lie::LargeCircle => {
                    let mut any_circle = |most| loop {
                        let open = wins.open_positions(&losses, any_set(&mut rng));
                        let mut circles = open
                            .into_iter()
                            .filter_map(|from| wins.circle(&losses, from, most, &mut rng));
                        if let Some(circle) = circles.next() {
                            break circle;
                        }
                    };
                    // The large set has more than one circle when the circles are small.
                    let mut circle = any_circle(if lie == Lie::SmallCircle { 2 } else { 60 });
                    while lie == Lie::LargeCircle && circle.len() < 100 {
                        circle.extend(any_circle(60));
                    }
                    let (is_equal, rank) = (rng.bool(), rng.u16(0..=last));
                    let rank_of =
                        |state| (state, if is_equal { rank } else { rng.u16(1..=last + 2) });
                    added.extend(circle.into_iter().map(rank_of));
                }
                Lie::Rank => loop {
                    let entry = rng.usize(..wins.entries.len());
                    if let Some((pair, rank)) = rng.choice(wins.entries[entry].0.clone()) {
                        let other = rng.u16(1..=last + 1);
                        added.push(((entry, pair), if other == rank { last + 2 } else { other }));
                        break;
                    }
                },
            }
            let entries: HashSet<usize> = added.iter().map(|&((entry, _), _)| entry).collect();
            let before: Vec<_> =
                entries.into_iter().map(|entry| (entry, wins.entries[entry].clone())).collect();
            for &(state, rank) in &added {
                wins.entries[state.0].0.retain(|&(pair, _)| pair != state.1);
                wins.add(state, rank);
            }
            // Every other time there are some bands of ranks.
            let most_states = if number % 8 < 4 { u64::MAX } else { states / 8 };
            match wins.check(&folder, most_states) {
                Err(Fault::State(_, flaw)) => *found.entry((lie, flaw)).or_default() += 1,
                other => {
                    panic!("{walls} walls, {winner:?}, seed {seed}, {lie:?} {number}: {other:?}")
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
fn an_interrupted_check_goes_on_with_its_band() {
    let (wins, folder) =
        (Wins::read(&*solved(2).files, 2, Side::First), Folder::new("alcaxar-bands"));
    wins.write(folder.path());
    let kept = folder.path().join("alcaxar-2-red-check.table");
    let interrupt = || {
        std::panic::catch_unwind(|| {
            wins.check_files(&folder, 1000, 1, &|share| {
                if share > 0.6 {
                    std::panic::resume_unwind(Box::new("interrupted"));
                }
            })
        })
    };
    assert!(interrupt().is_err() && kept.exists());
    let first = std::sync::Mutex::new(1.);
    let tell = |share: f64| {
        let mut first = first.lock().unwrap();
        *first = share.min(*first);
    };
    let states = wins.check(&Folder::new("alcaxar-bands"), u64::MAX).unwrap();
    assert_eq!(wins.check_files(&folder, 1000, 1, &tell).unwrap(), states);
    assert!(*first.lock().unwrap() > 0.5 && !kept.exists());
    // The progress of other tables is ignored: the wrong rank is one that was checked there.
    assert!(interrupt().is_err() && kept.exists());
    let mut other = Wins::read(&*solved(2).files, 2, Side::First);
    let lower = |(ranked, _): &mut (Vec<(u8, u16)>, Pairs)| {
        let at = ranked.iter().position(|&(_, rank)| rank == 2)?;
        ranked[at].1 = 1;
        Some(())
    };
    assert!(other.entries.iter_mut().find_map(lower).is_some());
    assert!(matches!(other.check(&folder, 1000), Err(Fault::State(..))));
}

#[test]
fn the_local_rule_finds_wins_that_are_false_and_those_that_are_missing() {
    let (board, walls) = (Board::default(), 1);
    for winner in Side::BOTH {
        let mut work = Work::new(&board, walls, vec![Stage::Safe(winner)]).unwrap();
        while work.stage().is_some() {
            work.step(2);
        }
        let solver = work.solver();
        let rng = std::cell::RefCell::new(fastrand::Rng::with_seed(77));
        let any = |list: &[Position]| list[rng.borrow_mut().usize(..list.len())];
        let is_won = |position: &Position| solver.is_won(position);
        let all: Vec<Position> = (0..count(walls))
            .flat_map(|rank| undecided_positions(&board, unrank(walls, rank)))
            .collect();
        // An entry is that of a set and of its mirror image.
        let (won, lost): (Vec<Position>, Vec<Position>) = all
            .into_iter()
            .filter(|position| {
                !solver.numbering.index(position.walls, position.last_wall).is_mirrored
            })
            .partition(is_won);
        let check = |rule, position: Option<&Position>| {
            let read = |side, entry| {
                let mut words = solver.entry(side, entry);
                if let Some(Position { knights: [red, green], walls, last_wall, side: of, .. }) =
                    position
                    && (*of, solver.numbering.index(*walls, *last_wall).entry) == (side, entry)
                {
                    words[usize::from(red.0 / 4)] ^= 1 << (red.0 % 4 * 16 + green.0);
                }
                words
            };
            local::check(&board, &solver.numbering, rule, &read, 2, &|_| {}).is_ok()
        };
        let owned = Rule::of(Stage::Safe(winner));
        for rule in [owned, Rule::Sound] {
            assert!(check(rule, None));
        }
        for _ in 0..50 {
            assert!(!check(owned, Some(&any(&lost))));
            assert!(!check(owned, Some(&any(&won))));
        }
        // More can be forced than the safe wins.
        assert!(!check(Rule::Exact, None));
        let other = Rule::of(Stage::Safe(!winner));
        assert!(!check(other, None));
    }
}

#[test]
fn a_wrong_table_is_made_anew_and_one_that_was_checked_is_not_checked_again() {
    let (folder, files) = (solved(1).files.write("alcaxar-wrong"), &solved(1).files);
    let plan = plan(folder.path(), "1");
    let (done, lines) = write_plan(&plan, None);
    assert_eq!(done, Ok(()));
    assert!(
        lines.iter().any(|line| line.starts_with("alcaxar-1-red checked in full: 3388 wins")),
        "{lines:?}"
    );
    let mut wins = Wins::read(&**files, 1, Side::First);
    let lost = undecided_positions(&wins.board, unrank(1, 0))
        .filter(|position| position.side == Side::Second);
    let lost =
        lost.map(|position| wins.state(&position)).find(|&state| !wins.is_won(state)).unwrap();
    for rank in [0, 2] {
        wins.add(lost, rank);
        wins.write(folder.path());
        let (done, told) = write_plan(&plan, None);
        assert_eq!(done, Ok(()));
        assert!(told[0].starts_with("refused: alcaxar-1-red"), "{told:?}");
        assert!(
            lines.iter().filter(|line| line.starts_with("walls ")).all(|line| told.contains(line)),
            "{told:?}"
        );
        wins = Wins::read(&TableDirectory(folder.path().to_path_buf()), 1, Side::First);
        assert!(!wins.is_won(lost));
    }
    // The file with the result is enough, unless `--check` is given.
    let path = folder.path().join("alcaxar-1-red.check");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replace("3388", "77")).unwrap();
    for (check, count) in [(false, "77"), (true, "3388"), (false, "3388")] {
        let (done, told) = write_plan(&TablePlan { check, ..plan }, None);
        assert_eq!(done, Ok(()));
        assert!(
            told.iter()
                .any(|line| line
                    .starts_with(&format!("alcaxar-1-red checked in full: {count} wins")))
        );
    }
}

#[test]
fn no_false_win_passes() {
    let found = tell_lies(&*solved(2).files, 2, 2, 76);
    assert_eq!(found.values().sum::<usize>(), 8);
}

/// `SEED=… cargo test --test all alcaxar_checker::no_false_win_of -- --ignored --nocapture`
#[test]
#[ignore = "a minute"]
fn no_false_win_of_two_walls_passes() {
    println!("{:?}", tell_lies(&*solved(2).files, 2, 100, fresh_seed()));
}

/// `SEED=… cargo test --test all alcaxar_checker::no_false_win_of -- --ignored --nocapture`
#[test]
#[ignore = "more than ten minutes"]
fn no_false_win_of_three_walls_passes() {
    println!("{:?}", tell_lies(&*solved(3).files, 3, 100, fresh_seed()));
}

/// `SEED=… cargo test --test all alcaxar_checker::no_false_win_of -- --ignored --nocapture`
#[test]
#[ignore = "more than ten minutes"]
fn no_false_win_of_four_walls_passes() {
    let folder = Folder::new("alcaxar-four");
    assert_eq!(write_plan(&plan(folder.path(), "4"), None).0, Ok(()));
    let files = TableDirectory(folder.path().to_path_buf());
    println!("{:?}", tell_lies(&files, 4, 50, fresh_seed()));
}
