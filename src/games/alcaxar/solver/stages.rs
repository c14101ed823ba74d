//! What is solved one after the other, its counts, and going on after an interruption.

use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering::Relaxed;

use crate::core::Side;
use crate::files::{Directory, table_path};
use crate::tables::file;

use super::super::board::{self, Board, slots};
use super::super::moves::{self, Move};
use super::super::position::Position;
use super::closed::ClosedPairs;
use super::pair_set::PairSet;
use super::ranks::{self, RankLog};
use super::wall_sets::count;
use super::{Knights, Solver, Step};

/// What is solved: which wins count, and for whom.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// The wins without repetition. Those of green are the images of those of red.
    Plain,
    /// The wins that are safe, for one side.
    Safe(Side),
    /// The wins that are certain, for one side. This goes on from those that are safe.
    Certain(Side),
    /// The wins with those by repetition, for one side. This goes on from those that are certain.
    Repetition(Side),
}

impl Stage {
    /// All stages, in their order.
    pub const ALL: [Stage; 7] = {
        let [red, green] = [Side::First, Side::Second];
        [
            Stage::Plain,
            Stage::Safe(red),
            Stage::Certain(red),
            Stage::Repetition(red),
            Stage::Safe(green),
            Stage::Certain(green),
            Stage::Repetition(green),
        ]
    };

    /// What the results call it.
    pub fn name(self) -> &'static str {
        match self {
            Stage::Plain => "plain",
            Stage::Safe(_) => "safe",
            Stage::Certain(_) => "certain",
            Stage::Repetition(_) => "repetition",
        }
    }

    /// The side whose wins are looked for.
    pub fn winner(self) -> Side {
        match self {
            Stage::Plain => Side::First,
            Stage::Safe(winner) | Stage::Certain(winner) | Stage::Repetition(winner) => winner,
        }
    }

    /// How often a set of walls is worked out, each time for one side: as measured with five walls.
    fn expected_evaluations(self) -> usize {
        match self {
            Stage::Plain => 100,
            Stage::Safe(_) => 10,
            Stage::Certain(_) => 150,
            Stage::Repetition(_) => 15,
        }
    }
}

/// The numbers of undecided states, of those with red to move that red wins, and of those with green to move that red
/// wins, where red is the side whose wins are looked for.
pub type Counts = [u64; 3];

/// How far the work is. All of it is in words, as they are kept in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Progress([u64; 64]);

impl Progress {
    /// Nothing has been done.
    const BEGIN: Progress = {
        let mut words = [0; 64];
        words[word::VERSION] = VERSION;
        Progress(words)
    };

    /// Clears what is said of the stage that is worked on.
    fn begin_stage(&mut self) {
        self.0[word::PHASE..=word::EVALUATIONS].fill(0);
        [word::ROUND, word::STAY_ROUND, word::LOG_LEN].into_iter().for_each(|at| self.0[at] = 0);
    }
}

/// The version of what the words mean, and of the files of the stages.
const VERSION: u64 = 3;

/// The words of [`Progress`].
mod word {
    /// The number of the stage.
    pub const STAGE: usize = 0;
    /// What the stage does: one of the numbers in [`phase`](super::phase).
    pub const PHASE: usize = 1;
    /// The side whose step is next.
    pub const SIDE: usize = 2;
    /// How many steps one after the other have changed nothing.
    pub const IDLE: usize = 3;
    /// How many steps the stage has made.
    pub const STEPS: usize = 4;
    /// The number of the last step of the stage that changed something.
    pub const LAST_CHANGE: usize = 5;
    /// How many states were won at the end of the round before.
    pub const WON_BEFORE: usize = 6;
    /// How many sets of walls have been worked out in this stage.
    pub const EVALUATIONS: usize = 7;
    /// The longest plain win in plies.
    pub const LONGEST: usize = 8;
    /// The round of the wins that are certain: in how many steps states of the other side could have entered.
    pub const ROUND: usize = 9;
    /// For each side, one bit for the start position and one for the position after each of its moves: whether the side
    /// wins for certain.
    pub const START: usize = 10;
    /// The round of the wins that are certain in which states entered by staying.
    pub const STAY_ROUND: usize = 12;
    /// The length of the log of the ranks.
    pub const LOG_LEN: usize = 13;
    /// For each stage, its counts without a blocked wall, then its counts with all blocked sets.
    pub const COUNTS: usize = 16;
    /// The version of what the words mean.
    pub const VERSION: usize = 63;
}

/// What a stage does.
mod phase {
    /// Nothing has been done.
    pub const BEGIN: u64 = 0;
    /// Steps of staying.
    pub const STAY: u64 = 1;
    /// Steps of attracting.
    pub const ATTRACT: u64 = 2;
    /// One step of attracting states that the other side owns.
    pub const ATTRACT_OTHER: u64 = 3;
}

/// The work on the positions with one number of walls.
#[derive(Debug)]
pub struct Work {
    solver: Solver,
    progress: Progress,
    /// The evaluations of this stage when its progress was last kept.
    kept: usize,
}

impl Work {
    /// The work from its beginning; none if there is not enough memory.
    pub fn new(board: &Board, walls: usize) -> Option<Work> {
        Some(Work { solver: Solver::new(board, walls)?, progress: Progress::BEGIN, kept: 0 })
    }

    /// The entries as far as they are worked out.
    pub fn solver(&self) -> &Solver {
        &self.solver
    }

    /// The stage that is being worked on; none if all have ended.
    pub fn stage(&self) -> Option<Stage> {
        Stage::ALL.get(self.progress.0[word::STAGE] as usize).copied()
    }

    /// The counts of a stage that has ended, without a blocked wall and with all blocked sets.
    pub fn counts(&self, stage: Stage) -> [Counts; 2] {
        let at = Stage::ALL.iter().position(|&other| other == stage).unwrap_or_default();
        [0, 1].map(|all| std::array::from_fn(|number| self.progress.0[word::COUNTS + at * 6 + all * 3 + number]))
    }

    /// The longest plain win, in plies.
    pub fn longest(&self) -> u64 {
        self.progress.0[word::LONGEST]
    }

    /// For the start position and the positions after each of its moves, the side that wins for certain, if any. With
    /// fewer than eight walls it is the position with the first ones of the start position.
    pub fn start(&self) -> Vec<(Option<Move>, Option<Side>)> {
        let winner =
            |at: usize| Side::BOTH.into_iter().find(|side| self.progress.0[word::START + side.index()] >> at & 1 != 0);
        start_and_replies(self.solver.places.walls)
            .into_iter()
            .enumerate()
            .map(|(at, (mv, _))| (mv, winner(at)))
            .collect()
    }

    /// Makes one step, on so many threads. Returns the stage that has ended with it, if any.
    pub fn step(&mut self, threads: usize) -> Option<Stage> {
        let stage = self.stage()?;
        let Work { solver, progress: Progress(words), .. } = self;
        let step = match words[word::PHASE] {
            phase::BEGIN => {
                solver.ties = stage.winner() == Side::Second;
                solver.evaluations.store(0, Relaxed);
                let is_safe = matches!(stage, Stage::Safe(_));
                words[word::PHASE] = if is_safe { phase::STAY } else { phase::ATTRACT };
                if is_safe || stage == Stage::Plain {
                    solver.clear();
                }
                if is_safe {
                    solver.add_owned();
                }
                solver.make_all_due();
                return None;
            }
            phase::STAY => Step::Stay,
            phase::ATTRACT_OTHER => Step::AttractOther,
            _ if matches!(stage, Stage::Certain(_)) => Step::AttractOwned,
            _ => Step::Attract,
        };
        let side = Side::BOTH[words[word::SIDE] as usize & 1];
        if let Some(log) = &mut solver.log {
            log.rank = words[word::ROUND];
        }
        let has_changed = solver.step(side, step, threads) > 0;
        words[word::SIDE] = (!side).index() as u64;
        words[word::STEPS] += 1;
        if has_changed {
            words[word::LAST_CHANGE] = words[word::STEPS];
        }
        words[word::EVALUATIONS] = solver.evaluations.load(Relaxed) as u64;
        words[word::IDLE] = if has_changed { 0 } else { words[word::IDLE] + 1 };
        let begin_round = |words: &mut [u64; 64]| {
            words[word::ROUND] += 1;
            // In the rounds with odd numbers states with red to move enter, in the others those with green to move.
            let side = Side::BOTH[1 - words[word::ROUND] as usize % 2];
            words[word::PHASE] = phase::ATTRACT_OTHER;
            words[word::SIDE] = side.index() as u64;
            solver.make_all_due_for(side);
        };
        if words[word::IDLE] < 2 {
            match step {
                Step::AttractOther if has_changed => words[word::PHASE] = phase::ATTRACT,
                Step::AttractOther => begin_round(words),
                _ => {}
            }
            return None;
        }
        // Neither side's step changes anything.
        words[word::IDLE] = 0;
        words[word::SIDE] = 0;
        if step == Step::AttractOwned {
            begin_round(words);
            return None;
        }
        if step == Step::Stay && !matches!(stage, Stage::Safe(_)) {
            words[word::STAY_ROUND] = words[word::ROUND];
            if let Some(log) = &mut solver.log {
                log.stayed = words[word::ROUND];
            }
            words[word::PHASE] = phase::ATTRACT;
            solver.make_all_due();
            return None;
        }
        let counts = solver.counts();
        let won = counts[1][1] + counts[1][2];
        let may_stay = match stage {
            Stage::Plain | Stage::Safe(_) => false,
            // What enters by staying has one rank, so this is done only once.
            Stage::Certain(_) => words[word::STAY_ROUND] == 0,
            Stage::Repetition(_) => true,
        };
        if may_stay && won != words[word::WON_BEFORE] {
            words[word::WON_BEFORE] = won;
            words[word::PHASE] = phase::STAY;
            solver.add_owned();
            solver.make_all_due();
            return None;
        }
        self.end_stage(stage, counts);
        Some(stage)
    }

    /// Keeps the results of a stage, and begins the next one.
    fn end_stage(&mut self, stage: Stage, counts: [Counts; 2]) {
        let Work { solver, progress: Progress(words), .. } = self;
        let at = words[word::STAGE] as usize;
        words[word::COUNTS + at * 6..][..6].copy_from_slice(&counts.concat());
        if stage == Stage::Plain {
            words[word::LONGEST] = words[word::LAST_CHANGE];
        }
        if let Stage::Certain(winner) = stage {
            let positions = start_and_replies(solver.places.walls).into_iter();
            let won = positions.map(|(_, position)| solver.is_won_by(winner, &position));
            words[word::START + winner.index()] = won.enumerate().fold(0, |set, (at, won)| set | u64::from(won) << at);
        }
        words[word::STAGE] += 1;
        self.progress.begin_stage();
        self.kept = 0;
    }

    /// Which share of the expected work is done. The estimate rests on what fewer walls took.
    pub fn share(&self) -> f64 {
        let all: usize = Stage::ALL.iter().map(|stage| stage.expected_evaluations()).sum();
        let ended = &Stage::ALL[..(self.progress.0[word::STAGE] as usize).min(Stage::ALL.len())];
        let ended: usize = ended.iter().map(|stage| stage.expected_evaluations()).sum();
        let here = self.stage().map_or(0., |stage| {
            let done = self.progress.0[word::EVALUATIONS] as f64 / count(self.solver.places.walls) as f64;
            done.min(0.95 * stage.expected_evaluations() as f64)
        });
        (ended as f64 + here) / all as f64
    }

    /// How many steps the stage has made.
    pub fn steps(&self) -> u64 {
        self.progress.0[word::STEPS]
    }
}

/// How many times each set of walls is worked out between two times at which the progress is kept. Writing takes about
/// as long as working all sets out once.
const KEEP_AFTER: usize = 20;

/// The names of the files of the positions with so many walls.
fn name(walls: usize, what: &str) -> String {
    format!("alcaxar-{walls}-{what}")
}

/// The name of the file in which the results of a stage are kept; none if only its counts are.
pub fn file_name(walls: usize, stage: Stage) -> Option<String> {
    match stage {
        Stage::Safe(Side::First) => Some(name(walls, "red-safe")),
        Stage::Safe(Side::Second) => Some(name(walls, "green-safe")),
        Stage::Certain(Side::First) => Some(name(walls, "red")),
        Stage::Certain(Side::Second) => Some(name(walls, "green")),
        Stage::Plain | Stage::Repetition(_) => None,
    }
}

/// The name of the file of the ranks of a side's certain wins.
pub fn ranks_name(walls: usize, winner: Side) -> String {
    name(walls, if winner == Side::First { "red-ranks" } else { "green-ranks" })
}

/// The path of the log of the ranks.
fn log_path(directory: &Path, walls: usize) -> PathBuf {
    directory.join(name(walls, "ranks.log"))
}

/// Checks that there is a file of this name, as far as that is possible without reading all of it.
///
/// # Errors
/// If there is none, or it cannot be used; the error names the file.
fn check_file(directory: &Path, name: &str) -> Result<(), String> {
    match file::exists(name, &Directory(directory))? {
        true => Ok(()),
        false => Err(format!("{} is missing", table_path(directory, name).display())),
    }
}

/// Keeping the progress in files. While a stage is worked on, the file `entries` holds the progress, the sets that are
/// due, all entries and the closed classes; when it has ended, the file `progress` holds the progress alone.
impl Work {
    /// Goes on with the work that files in a directory hold. Without files it begins anew.
    ///
    /// # Errors
    /// If a file cannot be used; the error names the file. What it held begins anew.
    pub fn resume(&mut self, directory: &Path) -> Result<(), String> {
        let walls = self.solver.places.walls;
        let mut ended = Progress::BEGIN;
        file::load_parts(
            &Directory(directory),
            &name(walls, "progress"),
            &mut [bytemuck::cast_slice_mut(&mut ended.0)],
        )?;
        if ended.0[word::VERSION] != VERSION {
            let path = table_path(directory, &name(walls, "progress"));
            return Err(format!("{}: another version of the program made it", path.display()));
        }
        self.progress = ended;
        let ended = Stage::ALL.into_iter().take_while(|&stage| Some(stage) != self.stage());
        for (at, stage) in ended.enumerate() {
            let ranks = matches!(stage, Stage::Certain(_)).then(|| ranks_name(walls, stage.winner()));
            let names = file_name(walls, stage).into_iter().chain(ranks);
            if let Err(fault) = names.into_iter().try_for_each(|name| check_file(directory, &name)) {
                // The wins that are certain are found from those that are safe.
                self.go_back(at - usize::from(matches!(stage, Stage::Certain(_))));
                return Err(fault);
            }
        }
        self.load_stage(directory)?;
        self.open_log(directory).inspect_err(|_| self.go_back(self.progress.0[word::STAGE] as usize - 1))
    }

    /// Goes back to the beginning of the stage with this number.
    fn go_back(&mut self, stage: usize) {
        self.progress.0[word::STAGE] = stage as u64;
        self.progress.begin_stage();
    }

    /// Opens the log of the ranks if the wins that are certain are worked on.
    fn open_log(&mut self, directory: &Path) -> Result<(), String> {
        let Progress(words) = &self.progress;
        self.solver.log = match self.stage() {
            Some(Stage::Certain(_)) => {
                let path = log_path(directory, self.solver.places.walls);
                Some(RankLog::open(&path, words[word::LOG_LEN], words[word::STAY_ROUND])?)
            }
            _ => None,
        };
        Ok(())
    }

    /// Loads what the stage that was worked on goes on with.
    fn load_stage(&mut self, directory: &Path) -> Result<(), String> {
        let at = self.progress.0[word::STAGE] as usize;
        match self.stage() {
            // The wins that are certain must be found anew if they cannot be read.
            Some(Stage::Repetition(winner)) => {
                self.load_certain(directory, winner).inspect_err(|_| self.go_back(at - 2))
            }
            Some(Stage::Certain(_)) => {
                let is_kept = self.load_entries(directory);
                if is_kept != Ok(true) {
                    self.go_back(at - 1);
                }
                is_kept.map(drop)
            }
            _ => self.load_entries(directory).map(drop),
        }
    }

    /// Goes on with the entries of a stage that was worked on, if there are any. Returns whether there are.
    fn load_entries(&mut self, directory: &Path) -> Result<bool, String> {
        let walls = self.solver.places.walls;
        let mut kept = Progress::BEGIN;
        let mut due = [(); 2].map(|()| vec![0_u64; count(walls).div_ceil(64)]);
        let len = self.kept_len();
        let Solver { entries, closed, .. } = &mut self.solver;
        let is_loaded = file::load_with(&Directory(directory), &name(walls, "entries"), len, |read| {
            read(bytemuck::cast_slice_mut(&mut kept.0))?;
            due.iter_mut().try_for_each(|due| read(bytemuck::cast_slice_mut(due)))?;
            entries.iter_mut().try_for_each(|entries| read(bytemuck::cast_slice_mut(entries)))?;
            closed.iter_mut().flatten().try_for_each(|closed| {
                let mut pairs = closed.pairs();
                read(bytemuck::cast_slice_mut(&mut pairs[..]))?;
                closed.set(&pairs);
                Ok(())
            })
        })?;
        let is_kept = is_loaded && kept.0[word::STAGE] == self.progress.0[word::STAGE];
        if is_kept {
            self.progress = kept;
            for (words, due) in self.solver.due.iter_mut().zip(due) {
                words.iter_mut().zip(due).for_each(|(word, due)| *word.get_mut() = due);
            }
            self.kept = kept.0[word::EVALUATIONS] as usize;
            self.solver.evaluations.store(self.kept, Relaxed);
            self.solver.ties = self.stage().is_some_and(|stage| stage.winner() == Side::Second);
        }
        Ok(is_kept)
    }

    /// Goes on with the wins of a side that are certain, which have been found.
    fn load_certain(&mut self, directory: &Path, winner: Side) -> Result<(), String> {
        let Some(name) = file_name(self.solver.places.walls, Stage::Certain(winner)) else { return Ok(()) };
        self.solver.clear();
        file::load_parts(&Directory(directory), &name, &mut [bytemuck::cast_slice_mut(&mut self.solver.entries[1])])
            .map(drop)
    }

    /// Keeps the progress if enough has been done since it was kept. The wins that are safe and those by repetition are
    /// found soon, so their progress is not kept.
    ///
    /// # Errors
    /// If a file cannot be written; the error names the file.
    pub fn keep(&mut self, directory: &Path) -> Result<(), String> {
        let walls = self.solver.places.walls;
        let evaluations = self.progress.0[word::EVALUATIONS] as usize;
        let is_short = matches!(self.stage(), Some(Stage::Safe(_) | Stage::Repetition(_)));
        if is_short || evaluations - self.kept < KEEP_AFTER * count(walls) {
            return Ok(());
        }
        self.kept = evaluations;
        self.progress.0[word::LOG_LEN] = self.sync_log(directory)?;
        let due = self.solver.due.each_ref().map(|due| due.iter().map(|word| word.load(Relaxed)).collect::<Vec<_>>());
        let Solver { entries, closed, .. } = &self.solver;
        let mut writer = file::PartWriter::new(directory, &name(walls, "entries"), self.kept_len())?;
        writer.write(bytemuck::cast_slice(&self.progress.0))?;
        due.iter().try_for_each(|due| writer.write(bytemuck::cast_slice(due)))?;
        entries.iter().try_for_each(|entries| writer.write(bytemuck::cast_slice(entries)))?;
        closed.iter().flatten().try_for_each(|closed| writer.write(bytemuck::cast_slice(&closed.pairs()[..])))?;
        writer.finish()
    }

    /// The number of bytes of values of the file `entries`.
    fn kept_len(&self) -> u64 {
        let Solver { entries, closed, due, .. } = &self.solver;
        let entries: usize = entries.iter().map(|entries| size_of_val(&**entries)).sum();
        let due: usize = due.iter().map(|due| size_of_val(&**due)).sum();
        let closed = closed.iter().flatten().count() * size_of::<ClosedPairs>();
        (size_of_val(&self.progress.0) + due + entries + closed) as u64
    }

    /// Has the log of the ranks outlive a power failure. Returns its length.
    fn sync_log(&self, directory: &Path) -> Result<u64, String> {
        let named = |error| format!("{}: {error}", log_path(directory, self.solver.places.walls).display());
        self.solver.log.as_ref().map_or(Ok(0), |log| log.sync().map_err(named))
    }

    /// Keeps what a stage that has just ended has found.
    ///
    /// # Errors
    /// If a file cannot be written; the error names the file.
    pub fn keep_stage(&mut self, directory: &Path, stage: Stage) -> Result<(), String> {
        let walls = self.solver.places.walls;
        if let Stage::Certain(winner) = stage {
            self.sync_log(directory)?;
            self.solver.forget_closed();
            if let Some(safe) = file_name(walls, Stage::Safe(winner)) {
                ranks::write(&self.solver, directory, &ranks_name(walls, winner), &safe)?;
            }
        }
        if let Some(name) = file_name(walls, stage) {
            let entries = self.solver.entries.each_ref().map(|entries| bytemuck::cast_slice(entries));
            // A move of the winner leads to the wins with the other side to move, so these are enough.
            file::save_parts(directory, &name, &entries[1..])?;
        }
        file::save_parts(directory, &name(walls, "progress"), &[bytemuck::cast_slice(&self.progress.0)])?;
        file::remove(directory, &name(walls, "entries"))?;
        // Removing fails if there is none.
        let _ = std::fs::remove_file(log_path(directory, walls));
        self.open_log(directory)
    }
}

impl Solver {
    /// The counts without a blocked wall and with all blocked sets, with no symmetry removed.
    pub fn counts(&self) -> [Counts; 2] {
        let (mut counts, Solver { places, entries, .. }) = ([[0; 3]; 2], self);
        Solver::canonical_sets(places, |rank, set| {
            let images = if places.geometry.mirror(set) == set { 1 } else { 2 };
            let undecided = Knights::between(set).undecided;
            for (number, entry) in places.entries_of(rank).enumerate() {
                let won = entries.each_ref().map(|entries| (PairSet(entries[entry]) & undecided).len());
                let added = [undecided.len(), won[0], won[1]].map(|number| images * number);
                for counts in &mut counts[usize::from(number > 0)..] {
                    counts.iter_mut().zip(added).for_each(|(count, added)| *count += added);
                }
            }
        });
        counts
    }

    /// Whether a side, whose wins the entries hold, can force a win from this undecided position.
    pub fn is_won_by(&self, winner: Side, position: &Position) -> bool {
        match winner {
            Side::First => self.is_won(position),
            Side::Second => self.is_won(&position.map(true, board::half_turn)),
        }
    }
}

/// The start position with only the first walls, so many, and the positions after each of its moves.
fn start_and_replies(walls: usize) -> Vec<(Option<Move>, Position)> {
    let (whole, mut moves) = (Position::start(), Vec::new());
    let start = Position { walls: slots(whole.walls).take(walls).fold(0, |set, slot| set | slot.bit()), ..whole };
    moves::generate(&Board::default(), &start, &mut moves);
    let replies = moves.into_iter().map(|mv| (Some(mv), start.play(mv)));
    std::iter::once((None, start)).chain(replies).collect()
}

/// The numbers of states that the side to move wins, that it loses, and that are open, by the counts of both sides.
pub fn won_lost_open(red: Counts, green: Counts) -> [u64; 3] {
    let [undecided, red_moves, green_moves] = [0, 1, 2].map(|at| red[at] + green[at]);
    [red_moves, green_moves, undecided - red_moves - green_moves]
}
