//! What is solved one after the other, its counts, and going on after an interruption.

use std::path::{Path, PathBuf};
use std::sync::PoisonError;
use std::sync::atomic::Ordering::Relaxed;

use bytemuck::{cast_slice, cast_slice_mut};

use pentarch_core::Side;
use pentarch_core::files::{Directory, table_path};
use pentarch_tables::file::{self, StoredValues};

use super::super::board::{self, Board, slots};
use super::super::moves::{self, Move};
use super::super::position::Position;
use super::compressed_sets::ChunkSets;
use super::entries::Entries;
use super::pair_set::PairSet;
use super::ranks::{self, RankLog};
use super::wall_sets::count;
use super::{CHUNK, Knights, Solver, Step};

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
    /// All stages, in an order in which each follows the one that it goes on from.
    pub const ALL: [Stage; 7] = [
        Stage::Plain,
        Stage::Safe(Side::First),
        Stage::Certain(Side::First),
        Stage::Repetition(Side::First),
        Stage::Safe(Side::Second),
        Stage::Certain(Side::Second),
        Stage::Repetition(Side::Second),
    ];

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

    /// The step by which its states enter: the same one again and again, until nothing is new.
    fn attracting(self) -> Step {
        if matches!(self, Stage::Certain(_)) { Step::AttractOwned } else { Step::Attract }
    }

    /// The names by which [`named`](Stage::named) asks for stages.
    pub const NAMES: [&str; 4] = ["red", "green", "plain", "repetition"];

    /// The stages that these names ask for, parted by commas, in their order: `red` and `green` for the certain wins of
    /// a side, `plain` for the plain ones, `repetition` for those by repetition of the sides that are named, or of
    /// both.
    ///
    /// # Errors
    /// The name that is none of these.
    pub fn named(names: &str) -> Result<Vec<Stage>, &str> {
        let names: Vec<&str> = names.split(',').map(str::trim).collect();
        if let Some(wrong) = names.iter().find(|name| !Stage::NAMES.contains(name)) {
            return Err(wrong);
        }
        let by_repetition = names.contains(&"repetition");
        let of_side = |side| {
            let by_repetition = by_repetition.then_some(Stage::Repetition(side));
            [Stage::Safe(side), Stage::Certain(side)].into_iter().chain(by_repetition).collect()
        };
        let has_side = names.contains(&"red") || names.contains(&"green");
        let mut stages: Vec<Stage> = Vec::new();
        for name in names {
            let more = match name {
                "plain" => vec![Stage::Plain],
                "red" => of_side(Side::First),
                "green" => of_side(Side::Second),
                _ if has_side => Vec::new(),
                _ => [of_side(Side::First), of_side(Side::Second)].concat(),
            };
            stages.extend(more.into_iter().filter(|stage| !stages.contains(stage)).collect::<Vec<_>>());
        }
        Ok(stages)
    }

    /// The number of the stage among all.
    fn index(self) -> usize {
        Stage::ALL.iter().position(|&other| other == self).unwrap_or_default()
    }

    /// How often a set of walls is worked out, each time for one side: as measured with four walls.
    fn expected_evaluations(self) -> usize {
        match self {
            Stage::Plain => 35,
            Stage::Safe(_) => 22,
            Stage::Certain(_) => 90,
            Stage::Repetition(_) => 57,
        }
    }
}

/// The numbers of undecided states, of those with red to move that red wins, and of those with green to move that red
/// wins, where red is the side whose wins are looked for.
pub type Counts = [u64; 3];

/// How far the work is.
#[derive(Debug, Clone, Default)]
struct Progress {
    /// The number of the stage that is worked on; that of all stages if all that are wanted have ended.
    stage: usize,
    /// By the number of a stage, one bit each: whether it has ended.
    ended: u64,
    /// What the next step of the stage does, and for which side; none if the stage has not begun.
    next: Option<(Step, Side)>,
    /// How many steps one after the other have changed nothing.
    idle: u64,
    /// How many steps the stage has made.
    steps: u64,
    /// The number of the last step of the stage that changed something.
    last_change: u64,
    /// How many states were won when states last began to stay.
    won_before: u64,
    /// How many sets of walls have been worked out in this stage.
    evaluations: u64,
    /// The round of the wins that are certain: in how many steps states of the other side could have entered.
    round: u64,
    /// The round of the wins that are certain in which states entered by staying; 0 if none have.
    stay_round: u64,
    /// The length of the log of the ranks.
    log_len: u64,
    /// The longest plain win in plies.
    longest: u64,
    /// For each side, one bit for the start position and one for the position after each of its moves: whether the side
    /// wins for certain.
    start: [u64; 2],
    /// For each stage that has ended, its counts without a blocked wall, then its counts with all blocked sets.
    counts: [[Counts; 2]; Stage::ALL.len()],
}

/// The progress as files have it.
type Words = [u64; 64];
/// The version of what the words mean, and of the files of the stages. It is the last word.
const VERSION: u64 = 4;

impl Progress {
    /// Goes to the beginning of the stage with this number.
    fn begin_stage(&mut self, stage: usize) {
        let Progress { ended, longest, start, counts, .. } = *self;
        *self = Progress { stage, ended, longest, start, counts, ..Progress::default() };
    }

    /// Begins the next round of the wins that are certain.
    fn begin_round(&mut self) {
        self.round += 1;
        // In the rounds with odd numbers states with red to move enter, in the others those with green to move.
        self.next = Some((Step::AttractOther, Side::BOTH[1 - self.round as usize % 2]));
    }

    /// The plain numbers in it, each with the index of its word.
    fn numbers(&mut self) -> impl Iterator<Item = (usize, &mut u64)> {
        let Progress { idle, steps, last_change, won_before, evaluations, longest, .. } = self;
        let Progress { round, start: [red, green], stay_round, log_len, ended, counts, .. } = self;
        let numbers = [idle, steps, last_change, won_before, evaluations, longest, round, red, green];
        (3..)
            .zip(numbers.into_iter().chain([stay_round, log_len, ended]))
            .chain((16..).zip(counts.as_flattened_mut().as_flattened_mut()))
    }

    /// The words for the files. Those that have no meaning are 0.
    fn to_words(&self) -> Words {
        let mut words = [0; 64];
        let step = self.next.map_or(0, |(step, _)| match step {
            Step::Stay => 1,
            Step::Attract | Step::AttractOwned => 2,
            Step::AttractOther => 3,
        });
        let side = self.next.map_or(0, |(_, side)| side.index() as u64);
        words[..3].copy_from_slice(&[self.stage as u64, step, side]);
        self.clone().numbers().for_each(|(at, number)| words[at] = *number);
        words[63] = VERSION;
        words
    }

    /// The progress that these words tell; none if they are of another version.
    fn from_words(words: &Words) -> Option<Progress> {
        let [stage, step, side, ..] = *words;
        let step = match step {
            0 => None,
            1 => Some(Step::Stay),
            3 => Some(Step::AttractOther),
            _ => Stage::ALL.get(stage as usize).map(|stage| stage.attracting()),
        };
        let next = step.map(|step| (step, Side::BOTH[side as usize & 1]));
        let mut progress = Progress { stage: stage as usize, next, ..Progress::default() };
        progress.numbers().for_each(|(at, number)| *number = words[at]);
        (words[63] == VERSION).then_some(progress)
    }
}

/// The work on the positions with one number of walls.
#[derive(Debug)]
pub struct Work {
    solver: Solver,
    progress: Progress,
    /// The stages to be solved, in their order.
    wanted: Vec<Stage>,
    /// The evaluations of this stage when its progress was last kept.
    kept: usize,
}

impl Work {
    /// The work on these stages from its beginning; none if there is not enough memory. A stage that goes on from
    /// another one must follow it.
    pub fn new(board: &Board, walls: usize, wanted: Vec<Stage>) -> Option<Work> {
        let mut work = Work { solver: Solver::new(board, walls)?, progress: Progress::default(), wanted, kept: 0 };
        work.begin_next();
        Some(work)
    }

    /// Begins the first stage that has not ended, unless it is being worked on.
    fn begin_next(&mut self) {
        let next = self.stage().map_or(Stage::ALL.len(), Stage::index);
        if next != self.progress.stage {
            self.progress.begin_stage(next);
        }
    }

    /// Lets a stage begin anew, although it had ended.
    fn redo(&mut self, stage: Stage) {
        self.progress.ended &= !(1 << stage.index());
    }

    /// The entries as far as they are worked out.
    pub fn solver(&self) -> &Solver {
        &self.solver
    }

    /// The stage that is being worked on; none if all have ended.
    pub fn stage(&self) -> Option<Stage> {
        self.wanted.iter().copied().find(|&stage| !self.has_ended(stage))
    }

    /// Whether a stage has ended.
    pub fn has_ended(&self, stage: Stage) -> bool {
        self.progress.ended >> stage.index() & 1 != 0
    }

    /// The counts of a stage that has ended, without a blocked wall and with all blocked sets.
    pub fn counts(&self, stage: Stage) -> [Counts; 2] {
        self.progress.counts[stage.index()]
    }

    /// The longest plain win, in plies.
    pub fn longest(&self) -> u64 {
        self.progress.longest
    }

    /// For the start position and the positions after each of its moves, the side that wins for certain, if any. With
    /// fewer than eight walls it is the position with the first ones of the start position.
    pub fn start(&self) -> Vec<(Option<Move>, Option<Side>)> {
        let wins = |side: Side, at: usize| self.progress.start[side.index()] >> at & 1 != 0;
        let positions = start_and_replies(self.solver.numbering.walls).into_iter().enumerate();
        positions.map(|(at, (mv, _))| (mv, Side::BOTH.into_iter().find(|&side| wins(side, at)))).collect()
    }

    /// Makes one step, on so many threads. Returns the stage that has ended with it, if any.
    pub fn step(&mut self, threads: usize) -> Option<Stage> {
        let stage = self.stage()?;
        let Work { solver, progress, .. } = self;
        let red = Side::First;
        let Some((step, side)) = progress.next else {
            solver.ties = stage.winner() == Side::Second;
            solver.evaluations.store(0, Relaxed);
            let is_safe = matches!(stage, Stage::Safe(_));
            if is_safe || stage == Stage::Plain {
                solver.clear();
            }
            if is_safe {
                solver.add_owned();
            }
            progress.next = Some((if is_safe { Step::Stay } else { stage.attracting() }, red));
            solver.make_all_due();
            return None;
        };
        if let Some(log) = &mut solver.log {
            (log.rank, log.stayed) = (progress.round, progress.stay_round);
        }
        // How long the plain wins are is known by the steps of one side after the other.
        let is_ply = step == Step::AttractOther || stage == Stage::Plain;
        let has_changed = if is_ply {
            solver.step(side, step, threads) > 0
        } else {
            solver.sweep(step, progress.steps % 2 != 0, threads);
            solver.is_due()
        };
        progress.steps += 1;
        if has_changed {
            progress.last_change = progress.steps;
        }
        progress.evaluations = solver.evaluations.load(Relaxed) as u64;
        progress.idle = if has_changed { 0 } else { progress.idle + 1 };
        let is_idle = if is_ply { progress.idle == 2 } else { !has_changed };
        progress.next = Some((step, if is_ply { !side } else { side }));
        if is_idle {
            progress.idle = 0;
            progress.next = Some((step, red));
        }
        match step {
            Step::AttractOther if has_changed => progress.next = Some((stage.attracting(), !side)),
            Step::AttractOther if !is_idle => progress.begin_round(),
            Step::AttractOwned if is_idle => progress.begin_round(),
            Step::Stay if is_idle && !matches!(stage, Stage::Safe(_)) => {
                progress.stay_round = progress.round;
                progress.next = Some((stage.attracting(), red));
                solver.make_all_due();
            }
            _ if is_idle => return self.end_or_stay(stage),
            _ => {}
        }
        None
    }

    /// Ends a stage in which nothing new is attracted, and returns it, or begins to stay again.
    fn end_or_stay(&mut self, stage: Stage) -> Option<Stage> {
        let Work { solver, progress, .. } = self;
        let counts = solver.counts();
        let won = counts[1][1] + counts[1][2];
        let may_stay = match stage {
            Stage::Plain | Stage::Safe(_) => false,
            // What enters by staying has one rank, so this is done only once.
            Stage::Certain(_) => progress.stay_round == 0,
            Stage::Repetition(_) => true,
        };
        if may_stay && won != progress.won_before {
            progress.won_before = won;
            progress.next = Some((Step::Stay, Side::First));
            solver.add_owned();
            solver.make_all_due();
            return None;
        }
        progress.counts[progress.stage] = counts;
        if stage == Stage::Plain {
            progress.longest = progress.last_change;
        }
        if let Stage::Certain(winner) = stage {
            let positions = start_and_replies(solver.numbering.walls).into_iter();
            let won = positions.map(|(_, position)| solver.is_won_by(winner, &position));
            progress.start[winner.index()] = won.enumerate().fold(0, |set, (at, won)| set | u64::from(won) << at);
        }
        progress.ended |= 1 << stage.index();
        self.kept = 0;
        // The wins that are certain are found from those that are safe, which the entries hold only after their stage.
        if let Some(Stage::Certain(winner)) = self.stage()
            && stage != Stage::Safe(winner)
        {
            self.redo(Stage::Safe(winner));
        }
        self.begin_next();
        Some(stage)
    }

    /// Which share of the expected work is done. The estimate rests on what fewer walls took.
    pub fn share(&self) -> f64 {
        let expected = |stages: &[Stage]| stages.iter().map(|stage| stage.expected_evaluations()).sum::<usize>() as f64;
        let ended: Vec<Stage> = self.wanted.iter().copied().filter(|&stage| self.has_ended(stage)).collect();
        let here = self.stage().map_or(0., |stage| {
            let done = self.progress.evaluations as f64 / count(self.solver.numbering.walls) as f64;
            done.min(0.95 * expected(&[stage]))
        });
        (expected(&ended) + here) / expected(&self.wanted)
    }

    /// How many steps the stage has made.
    pub fn steps(&self) -> u64 {
        self.progress.steps
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
        Stage::Safe(winner) => Some(name(walls, ["red-safe", "green-safe"][winner.index()])),
        Stage::Certain(winner) => Some(name(walls, ["red", "green"][winner.index()])),
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

/// The error that there is no file of this name.
pub fn missing(directory: &Path, name: &str) -> String {
    format!("{} is missing", table_path(directory, name).display())
}

/// Keeping the progress in files. While a stage is worked on, the file `entries` holds the progress, the sets that are
/// due, all entries and the closed classes; when it has ended, the file `progress` holds the progress alone.
impl Work {
    /// Goes on with the work that files in a directory hold. Without files it begins anew.
    ///
    /// # Errors
    /// If a file cannot be used; the error names the file. What it held begins anew.
    pub fn resume(&mut self, directory: &Path) -> Result<(), String> {
        let (walls, files) = (self.solver.numbering.walls, Directory(directory));
        let (mut words, name) = (self.progress.to_words(), name(walls, "progress"));
        file::load(&files, &name, size_of::<Words>() as u64, |read| read(cast_slice_mut(&mut words)))?;
        self.progress = Progress::from_words(&words).ok_or_else(|| {
            format!("{}: another version of the program made it", table_path(directory, &name).display())
        })?;
        self.begin_next();
        for (stage, name) in self.ended_files() {
            let opened = StoredValues::open(&files, &name, None);
            opened.and_then(|file| file.ok_or_else(|| missing(directory, &name))).inspect_err(|_| {
                self.redo(stage);
                self.redo_safe();
            })?;
        }
        let resumed = match self.stage() {
            // The wins that are certain must be found anew if they cannot be read.
            Some(Stage::Repetition(winner)) => self.load_certain(directory, winner).map(|()| true).inspect_err(|_| {
                self.redo(Stage::Certain(winner));
            }),
            Some(_) => self.load_entries(directory),
            None => Ok(true),
        };
        if resumed != Ok(true) {
            self.redo_safe();
        }
        resumed?;
        self.open_log(directory).inspect_err(|_| self.redo_safe())
    }

    /// The names of the files of the stages that have ended.
    fn ended_files(&self) -> Vec<(Stage, String)> {
        let walls = self.solver.numbering.walls;
        let ended = Stage::ALL.into_iter().filter(|&stage| self.has_ended(stage));
        let names = ended.flat_map(|stage| {
            let ranks = matches!(stage, Stage::Certain(_)).then(|| ranks_name(walls, stage.winner()));
            file_name(walls, stage).into_iter().chain(ranks).map(move |name| (stage, name))
        });
        names.collect()
    }

    /// Looks through the files of the stages that have ended, block by block; calls `begin` with the name of each. What
    /// a damaged file held begins anew. Returns what is wrong.
    ///
    /// # Errors
    /// If the log of the ranks cannot be written; the error names it.
    pub fn look_through(&mut self, directory: &Path, begin: impl Fn(&str)) -> Result<Vec<String>, String> {
        let mut faults = Vec::new();
        for (stage, name) in self.ended_files() {
            begin(&name);
            if let Err(fault) = file::look_through(&Directory(directory), &name) {
                faults.push(fault);
                self.redo(stage);
            }
        }
        if !faults.is_empty() {
            self.redo_safe();
            self.open_log(directory)?;
        }
        Ok(faults)
    }

    /// Begins with the wins that are safe if those that are certain, which are found from them, come next, and the
    /// entries are not those of any work.
    fn redo_safe(&mut self) {
        if let Some(Stage::Certain(winner)) = self.stage() {
            self.redo(Stage::Safe(winner));
        }
        self.progress.begin_stage(self.stage().map_or(Stage::ALL.len(), Stage::index));
    }

    /// Opens the log of the ranks if the wins that are certain are worked on.
    fn open_log(&mut self, directory: &Path) -> Result<(), String> {
        let path = log_path(directory, self.solver.numbering.walls);
        let open = || RankLog::open(&path, self.progress.log_len);
        self.solver.log = matches!(self.stage(), Some(Stage::Certain(_))).then(open).transpose()?;
        Ok(())
    }

    /// Goes on with the entries of a stage that was worked on, if there are any. Returns whether there are.
    fn load_entries(&mut self, directory: &Path) -> Result<bool, String> {
        let walls = self.solver.numbering.walls;
        let mut words = [0; 64];
        let mut due = [(); 2].map(|()| vec![0_u64; count(walls)]);
        let len = self.kept_len();
        let Solver { entries, closed, .. } = &mut self.solver;
        file::load(&Directory(directory), &name(walls, "entries"), len, |read| {
            read(cast_slice_mut(&mut words))?;
            due.iter_mut().try_for_each(|due| read(cast_slice_mut(due)))?;
            for side in Side::BOTH {
                read_side(entries, side, read)?;
            }
            closed.iter_mut().flatten().try_for_each(|closed| {
                let mut sets = Box::new([[0; 4]; CHUNK]);
                read(cast_slice_mut(&mut sets[..]))?;
                closed.get_mut().unwrap_or_else(PoisonError::into_inner).set(&sets);
                Ok(())
            })
        })?;
        let stage = self.stage().map(Stage::index);
        let kept = Progress::from_words(&words).filter(|kept| Some(kept.stage) == stage);
        let Some(kept) = kept else { return Ok(false) };
        self.progress = kept;
        for (words, due) in self.solver.due.iter_mut().zip(due) {
            words.iter_mut().zip(due).for_each(|(word, due)| *word.get_mut() = due);
        }
        self.solver.find_due_chunks();
        self.kept = self.progress.evaluations as usize;
        self.solver.evaluations.store(self.kept, Relaxed);
        self.solver.ties = self.stage().is_some_and(|stage| stage.winner() == Side::Second);
        Ok(true)
    }

    /// Goes on with the wins of a side that are certain, which have been found.
    fn load_certain(&mut self, directory: &Path, winner: Side) -> Result<(), String> {
        let Some(name) = file_name(self.solver.numbering.walls, Stage::Certain(winner)) else { return Ok(()) };
        self.solver.clear();
        let Solver { entries, .. } = &self.solver;
        let len = self.solver.side_size() as u64;
        file::load(&Directory(directory), &name, len, |read| read_side(entries, Side::Second, read)).map(drop)
    }

    /// Keeps the progress if enough has been done since it was kept. The wins that are safe and those by repetition are
    /// found soon, so their progress is not kept.
    ///
    /// # Errors
    /// If a file cannot be written; the error names the file.
    pub fn keep(&mut self, directory: &Path) -> Result<(), String> {
        let walls = self.solver.numbering.walls;
        let evaluations = self.progress.evaluations as usize;
        let is_short = matches!(self.stage(), Some(Stage::Safe(_) | Stage::Repetition(_)));
        if is_short || evaluations - self.kept < KEEP_AFTER * count(walls) {
            return Ok(());
        }
        self.kept = evaluations;
        self.progress.log_len = self.sync_log(directory)?;
        let due = self.solver.due.each_ref().map(|due| due.iter().map(|word| word.load(Relaxed)).collect::<Vec<_>>());
        let Solver { entries, closed, .. } = &self.solver;
        let mut writer = file::PartWriter::new(directory, &name(walls, "entries"), self.kept_len())?;
        writer.write(cast_slice(&self.progress.to_words()))?;
        due.iter().try_for_each(|due| writer.write(cast_slice(due)))?;
        for side in Side::BOTH {
            write_side(entries, side, &mut writer)?;
        }
        closed.iter().flatten().try_for_each(|closed| {
            let closed = closed.lock().unwrap_or_else(PoisonError::into_inner);
            writer.write(cast_slice(&closed.get()[..]))
        })?;
        writer.finish()
    }

    /// The number of bytes of values of the file `entries`.
    fn kept_len(&self) -> u64 {
        let Solver { closed, due, .. } = &self.solver;
        let entries = 2 * self.solver.side_size();
        let due: usize = due.iter().map(|due| size_of_val(&**due)).sum();
        let closed = closed.iter().flatten().count() * size_of::<ChunkSets>();
        (size_of::<Words>() + due + entries + closed) as u64
    }

    /// Has the log of the ranks outlive a power failure. Returns its length.
    fn sync_log(&self, directory: &Path) -> Result<u64, String> {
        let named = |error| format!("{}: {error}", log_path(directory, self.solver.numbering.walls).display());
        self.solver.log.as_ref().map_or(Ok(0), |log| log.sync().map_err(named))
    }

    /// Keeps what a stage that has just ended has found.
    ///
    /// # Errors
    /// If a file cannot be written; the error names the file.
    pub fn keep_stage(&mut self, directory: &Path, stage: Stage) -> Result<(), String> {
        let walls = self.solver.numbering.walls;
        if let Stage::Certain(winner) = stage {
            self.sync_log(directory)?;
            self.solver.forget_closed();
            if let Some(safe) = file_name(walls, Stage::Safe(winner)) {
                ranks::write(&self.solver, directory, &ranks_name(walls, winner), &safe)?;
            }
        }
        if let Some(name) = file_name(walls, stage) {
            // A move of the winner leads to the wins with the other side to move, so these are enough.
            let mut writer = file::PartWriter::new(directory, &name, self.solver.side_size() as u64)?;
            write_side(&self.solver.entries, Side::Second, &mut writer)?;
            writer.finish()?;
        }
        file::save(directory, &name(walls, "progress"), &[cast_slice(&self.progress.to_words())])?;
        file::remove(directory, &name(walls, "entries"))?;
        // Removing fails if there is none.
        let _ = std::fs::remove_file(log_path(directory, walls));
        if let Some(Stage::Repetition(winner)) = self.stage().filter(|_| !matches!(stage, Stage::Certain(_))) {
            self.load_certain(directory, winner)?;
        }
        self.open_log(directory)
    }
}

impl Solver {
    /// The counts without a blocked wall and with all blocked sets, with no symmetry removed.
    pub fn counts(&self) -> [Counts; 2] {
        let (mut counts, Solver { numbering, entries, .. }) = ([[0; 3]; 2], self);
        for (rank, set) in numbering.canonical_sets() {
            let images = if numbering.geometry.mirror(set) == set { 1 } else { 2 };
            let undecided = Knights::between(set).undecided;
            for (number, entry) in numbering.entries_of(rank).enumerate() {
                let won = Side::BOTH.map(|side| (entries.get(side, entry) & undecided).len());
                let added = [undecided.len(), won[0], won[1]].map(|number| images * number);
                for counts in &mut counts[usize::from(number > 0)..] {
                    counts.iter_mut().zip(added).for_each(|(count, added)| *count += added);
                }
            }
        }
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

/// How many entries are read or written at once.
const PART: usize = 1 << 16;

/// Writes all entries of a side.
fn write_side(entries: &Entries, side: Side, writer: &mut file::PartWriter) -> Result<(), String> {
    let parts = (0..entries.len).step_by(PART).map(|at| at..entries.len.min(at + PART));
    parts.map(|part| entries.of_side(side, part)).try_for_each(|part| writer.write(cast_slice(&part)))
}

/// Reads all entries of a side.
fn read_side(entries: &Entries, side: Side, read: &mut file::ReadPart) -> std::io::Result<()> {
    for at in (0..entries.len).step_by(PART) {
        let mut part = vec![PairSet::EMPTY.0; PART.min(entries.len - at)];
        read(cast_slice_mut(&mut part))?;
        (at..).zip(part).for_each(|(entry, set)| entries.set(side, entry, PairSet(set)));
    }
    Ok(())
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_is_the_same_from_its_words() {
        for (stage, step) in [(0, 0), (0, 2), (1, 1), (2, 2), (2, 3), (7, 0)] {
            let side = u64::from(step == 3);
            let mut words: Words = std::array::from_fn(|at| 100 + at as u64);
            [15..16, 58..63].into_iter().for_each(|unused| words[unused].fill(0));
            (words[0], words[1], words[2], words[63]) = (stage, step, side, VERSION);
            assert_eq!(Progress::from_words(&words).unwrap().to_words(), words);
        }
        assert!(Progress::from_words(&[0; 64]).is_none());
    }
}
