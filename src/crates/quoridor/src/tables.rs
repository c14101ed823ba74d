//! The tablebases of Quoridor: pawn races, which a search solves when it comes to them, and files with all positions of
//! the game with so many walls.
//!
//! The files of a game are those of one board and one number of walls on the board and in hand, which no move changes.
//! So games with the same sum share them, whatever each side has. There is a file for each number of walls on the
//! board, as long as a wall is in hand.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};

use pentarch_core::tables::directory::TableDirectory;
use pentarch_core::{
    MakeTables, Probe, ProbeLimit, ProbeResult, Rules, Side, TableFiles, TablePlan, TablePlanError,
    TableReport, TableValue, Warning, WriteTables, WriteTablesError,
};
use pentarch_system::Located;
use pentarch_system::files::lock_directory;
use pentarch_tables::background::{Background, BackgroundJob, JobControl, stepwise_job};
use pentarch_tables::dtm::Dtm;
use pentarch_tables::error::{MakeTablesError, TableFileError};
use pentarch_tables::file::{self, StoredValues};
use pentarch_tables::verify::find_wrong_value;
use pentarch_tables::{Numbering, TableIndex, Tablebase};
use thiserror::Error;

use super::endings::EndingCache;
use super::layers::{NO_POSITION, solve};
use super::numbering::{QuoridorNumbering, count_sets, file_name};
use super::pawn_race::{self, PawnRaceCache};
use super::position::Position;
use super::walls::Walls;
use super::{MOST_WALLS, Quoridor};

/// The most memory in GB for which tables are made, so that they can be made on a usual machine.
const MOST_MEMORY: f64 = 8.;
/// About how long it takes to open a file, in half milliseconds.
const OPENED: usize = 100;
/// Of less than twice as many positions of a file all are checked, which takes some minutes; of more, every third is, or
/// fewer.
const MOST_CHECKED: usize = 100_000_000;

/// The tables for one set of rules.
pub struct QuoridorTables {
    rules: Quoridor,
    races: PawnRaceCache,
    endings: EndingCache,
    /// The table files; none if no files are used.
    files: Option<Arc<dyn TableFiles>>,
    stored: Background<Stored>,
    /// Why a file could not be read.
    unreadable: OnceLock<Warning>,
    /// Whether that has been told.
    is_told: AtomicBool,
}

/// The reason why the value of a position cannot be read from a file.
#[derive(Debug, Error)]
enum StoredValueError {
    /// The values of the file cannot be read.
    #[error("{name} cannot be read: {error}")]
    Read {
        /// The name of the table.
        name: String,
        /// The error.
        error: TableFileError,
    },
    /// The file has no value for the position.
    #[error("{name} is damaged")]
    NoValue {
        /// The name of the table.
        name: String,
    },
}

/// The files that are there for one set of rules, from which values are read one by one.
struct Stored {
    numbering: QuoridorNumbering,
    /// The file of each class, if there is one.
    classes: Vec<Option<StoredValues>>,
}

impl Stored {
    /// Looks which files there are; [`open_next`](Stored::open_next) opens them.
    fn new(rules: &Quoridor, files: &dyn TableFiles) -> Stored {
        let total = rules.walls.map(usize::from).iter().sum();
        // A file that cannot be opened is there, too: what is wrong with it is told later.
        let is_there =
            |class: usize| !matches!(files.open(&file_name(rules, total, class)), Ok(None));
        // Others than this program makes are not looked at, because it would take too long to number their sets.
        let any = (0..total).any(is_there)
            && Size::new(rules.board.size, &count_sets(rules.board.size), total).memory
                <= MOST_MEMORY;
        let is_there = |class: usize| any && class < total && is_there(class);
        Stored { numbering: QuoridorNumbering::new(rules, total, is_there), classes: Vec::new() }
    }

    /// Opens the file of the next class; returns whether there was a class left. A fault of the file is told to the
    /// task.
    fn open_next(&mut self, files: &dyn TableFiles, task: &JobControl<Stored>) -> bool {
        let class = self.classes.len();
        if class >= self.numbering.total {
            return false;
        }
        let opened = self.open(class, files).unwrap_or_else(|fault| {
            task.report_fault(fault);
            None
        });
        self.classes.push(opened);
        true
    }

    /// The file of a class, if there is one, after a look through all of it: what it says counts as proven.
    ///
    /// # Errors
    /// If it cannot be used.
    fn open(
        &self,
        class: usize,
        files: &dyn TableFiles,
    ) -> Result<Option<StoredValues>, Located<TableFileError>> {
        let Stored { numbering, .. } = self;
        let (name, len) = (numbering.file_name(class), numbering.size(class));
        let opened =
            if len > 0 { StoredValues::open(files, &name, Some(len as u64))? } else { None };
        opened.map(|file| file::verify_checksums(files, &name).map(|_| file)).transpose()
    }

    /// The value of an undecided position with walls in hand; none if no file has it.
    ///
    /// # Errors
    /// If the file cannot be read.
    fn value(&self, position: &Position) -> Result<Option<TableValue>, StoredValueError> {
        let class = self.classes.get(position.walls.count() as usize).and_then(Option::as_ref);
        let Some((file, TableIndex { number, class })) = class.zip(self.numbering.index(position))
        else {
            return Ok(None);
        };
        let mut value = [NO_POSITION];
        let name = || self.numbering.file_name(class);
        file.read(number as u64, &mut value)
            .map_err(|error| StoredValueError::Read { name: name(), error })?;
        match value {
            [NO_POSITION] => Err(StoredValueError::NoValue { name: name() }),
            [value] => Ok(Some(Dtm(value).value())),
        }
    }
}

/// What tables take in GB, about.
struct Size {
    memory: f64,
    /// The values in the files.
    values: f64,
}

impl Size {
    /// The size of the tables of a board of this size, with so many [sets of walls](count_sets) and walls in all.
    fn new(size: u8, counts: &[f64], total: usize) -> Size {
        let cells = f64::from(size) * f64::from(size - 1);
        // The images of a set share a block.
        let blocks: Vec<f64> =
            counts.iter().take(total + 1).map(|count| (count / 4.).ceil()).collect();
        let values = |class: usize| {
            let parts = (total + 1).saturating_sub(class) as f64;
            blocks.get(class).map_or(0., |blocks| blocks * parts * 2. * cells * cells / 1e9)
        };
        let sets = blocks.iter().sum::<f64>() * size_of::<Walls>() as f64 / 1e9;
        let most = (0..=total).map(|class| values(class) + values(class + 1)).fold(0., f64::max);
        Size { memory: most + sets, values: (0..total).map(values).sum() }
    }
}

impl QuoridorTables {
    /// The value of an undecided position with walls in hand by the files. What keeps one from being read is kept to be
    /// told.
    fn stored_value(&self, position: &Position) -> Option<TableValue> {
        self.stored.get()?.value(position).unwrap_or_else(|why| {
            let _ = self.unreadable.set(Warning::new(why));
            None
        })
    }

    /// The work of opening the files; none if no files are used.
    fn opening(&self) -> Option<BackgroundJob<Stored>> {
        let (files, rules) = (self.files.clone()?, self.rules.clone());
        let same_files = files.clone();
        let begin = move |_: &_| Ok(Stored::new(&rules, &*same_files));
        let step = move |stored: &mut Stored, task: &_| Ok(stored.open_next(&*files, task));
        Some(stepwise_job(Quoridor::NAME, OPENED, begin, step, |stored| stored))
    }
}

impl Probe for Quoridor {
    type Tables = QuoridorTables;

    /// A win by a move into the goal, or the value of a [pawn race](pawn_race), which is the game once neither side has
    /// a wall in hand. If the pawns cannot meet, a few floods tell it, and else retrograde analysis. Positions with
    /// walls in hand have the values that the files hold; those with few are solved, too, if that may
    /// take its time.
    fn probe(
        &self,
        tables: &QuoridorTables,
        position: &Position,
        probing: ProbeLimit,
    ) -> Option<ProbeResult> {
        let open = position.open(&self.board);
        if position.can_reach_goal(&self.board, position.mover, open) {
            return Some(ProbeResult::Value(TableValue::Win(1)));
        }
        let value = if position.walls_left == [0; 2] {
            let known = || {
                if probing == ProbeLimit::Exhaustive {
                    tables.endings.known(position)
                } else {
                    None
                }
            };
            let raced = || {
                (probing >= ProbeLimit::Thorough).then(|| tables.races.value(&self.board, position))
            };
            pawn_race::value_without_contact(&self.board, position, open)
                .or_else(known)
                .or_else(raced)
        } else if probing >= ProbeLimit::FromFiles {
            let solved = || tables.endings.value(self, position);
            tables
                .stored_value(position)
                .or_else(|| if probing == ProbeLimit::Exhaustive { solved() } else { None })
        } else {
            None
        };
        value.map(ProbeResult::Value)
    }
}

impl MakeTables<Quoridor> for QuoridorTables {
    /// Files hold all positions of a game, and are opened within seconds; without files there is nothing to wait for.
    const SOLVES_GAME: bool = true;

    fn new(rules: &Quoridor, files: Option<Arc<dyn TableFiles>>) -> QuoridorTables {
        QuoridorTables {
            rules: rules.clone(),
            races: PawnRaceCache::default(),
            endings: EndingCache::default(),
            files,
            stored: Background::default(),
            unreadable: OnceLock::new(),
            is_told: AtomicBool::new(false),
        }
    }

    fn begin(&self) {
        if let Some(opening) = self.opening() {
            self.stored.begin(opening);
        }
    }

    fn advance(&self) -> bool {
        self.opening().is_none_or(|opening| self.stored.advance(opening))
    }

    /// A proof rests only on what this program has computed itself, so no files are read.
    fn begin_for_proof(&self, _: Option<usize>) {}

    fn wait(&self, given_up: &dyn Fn() -> bool) {
        self.stored.wait(given_up);
    }

    fn take_faults(&self) -> Vec<Warning> {
        let mut faults = self.stored.take_faults();
        let unreadable = self.unreadable.get().filter(|_| !self.is_told.swap(true, Relaxed));
        faults.extend(unreadable.cloned());
        faults
    }
}

impl WriteTables for Quoridor {
    type TableError = MakeTablesError;

    fn write_files(
        &self,
        plan: &TablePlan,
        tell: &(dyn Fn(TableReport) + Sync),
    ) -> Result<(), WriteTablesError<MakeTablesError>> {
        let total = total_walls(self, plan.count).map_err(WriteTablesError::Plan)?;
        let _lock = lock_directory(plan.directory).map_err(MakeTablesError::File)?;
        let Size { memory, values } =
            Size::new(self.board.size, &count_sets(self.board.size), total);
        if values > 0.1 {
            tell(TableReport::Note(&format!(
                "{total} walls in all take {memory:.1} GB of memory, and at most {values:.1} GB on the disk"
            )));
        }
        let mut making = Making {
            numbering: QuoridorNumbering::new(self, total, |_| true),
            tables: Tablebase::default(),
            done: 0,
            plan,
            tell,
        };
        // So many walls may not fit on the board.
        let classes = (0..total).rev().filter(|&class| making.work(class) > 0).collect::<Vec<_>>();
        classes.into_iter().try_for_each(|class| making.make_file(class))?;
        if total == 0 {
            making.solve(0)?;
        }
        making.start_lines().iter().for_each(|line| tell(TableReport::Result(line)));
        Ok(())
    }
}

/// The number of walls in all that a text asks for: that of each side, or those of both as in `4/3`.
///
/// # Errors
/// If it is no such text, or if the tables would be too large.
fn total_walls(rules: &Quoridor, text: &str) -> Result<usize, TablePlanError> {
    let (first, second) = text.split_once('/').unwrap_or((text, text));
    let number =
        |text: &str| text.parse::<usize>().ok().filter(|&walls| walls <= usize::from(MOST_WALLS));
    let total = number(first).zip(number(second)).map(|(first, second)| first + second);
    let (game, size) = (Quoridor::ID, rules.board.size);
    let total = total.ok_or_else(|| TablePlanError::Count {
        game,
        range: 0..=usize::from(MOST_WALLS),
        unit: "walls of each side, as in 4 or 4/3",
        found: text.into(),
    })?;
    let counts = count_sets(size);
    let memory = |total| Size::new(size, &counts, total).memory;
    if memory(total) > MOST_MEMORY {
        let most = (0..total).rev().find(|&walls| memory(walls) <= MOST_MEMORY).unwrap_or_default();
        let gigabytes = MOST_MEMORY;
        return Err(TablePlanError::TooLarge { game, size, walls: total, gigabytes, most });
    }
    Ok(total)
}

/// The making of the files of one board and number of walls.
struct Making<'a> {
    numbering: QuoridorNumbering,
    /// The values of the class that was made last, and perhaps of the one after it.
    tables: Tablebase,
    /// How many parts of blocks have been solved or read.
    done: usize,
    plan: &'a TablePlan<'a>,
    tell: &'a (dyn Fn(TableReport) + Sync),
}

impl Making<'_> {
    /// How many parts of blocks a class has: its work.
    fn work(&self, class: usize) -> usize {
        self.numbering.sets(class).len() * self.numbering.parts(class)
    }

    /// Makes the file of a class, or reads it if it exists; that of the class after it has been made. A file that
    /// cannot be used is computed again.
    ///
    /// # Errors
    /// If the file cannot be made or written, or is found wrong.
    fn make_file(&mut self, class: usize) -> Result<(), MakeTablesError> {
        let (name, total, tell) =
            (self.numbering.file_name(class), self.numbering.total, self.tell);
        let Making { numbering, tables, plan, .. } = self;
        let loaded =
            file::load_group(&TableDirectory(plan.directory), &name, numbering, &[class], tables);
        let kept = loaded.unwrap_or_else(|fault| {
            tell(TableReport::Unusable(&fault));
            false
        });
        if class + 1 == total && (!kept || plan.check) {
            self.solve(total)?;
        }
        if kept {
            self.done += self.work(class);
        } else {
            self.solve(class)?;
            file::save(self.plan.directory, &name, &[self.tables.values(class)])?;
        }
        if self.plan.check {
            let share = |share| tell(TableReport::Checking(&name, Some(share)));
            // An odd step meets all places of the pawns.
            let step = (self.numbering.size(class) / MOST_CHECKED) | 1;
            if let Some(place) = find_wrong_value(
                &self.numbering,
                &self.tables,
                class,
                step,
                self.plan.threads,
                &share,
            ) {
                return Err(MakeTablesError::ValueOfClass {
                    name: name.into(),
                    number: place.number,
                });
            }
        }
        self.tables.put(class + 1, Box::default());
        let bytes = self.tables.values(class).len();
        tell(if kept {
            TableReport::Existing(&name, bytes)
        } else {
            TableReport::Written(&name, bytes)
        });
        Ok(())
    }

    /// Solves a class; the one after it must be in the tables.
    ///
    /// # Errors
    /// If it cannot be solved.
    fn solve(&mut self, class: usize) -> Result<(), MakeTablesError> {
        let (name, parts) = (self.numbering.file_name(class), self.numbering.parts(class));
        let all: usize = (0..=self.numbering.total).map(|class| self.work(class)).sum();
        let blocks = AtomicUsize::new(0);
        let tell = |more: usize| {
            let share = (self.done + blocks.fetch_add(more, Relaxed) * parts) as f64 / all as f64;
            (self.tell)(TableReport::Working(&name, share));
        };
        let solved =
            solve(&self.numbering, class, self.tables.values(class + 1), self.plan.threads, &tell);
        let values =
            solved.map_err(|why| MakeTablesError::Unsolved { name: (&*name).into(), why })?;
        self.tables.put(class, values);
        self.done += self.work(class);
        Ok(())
    }

    /// For each way to share the walls, a line that says who wins from the start.
    fn start_lines(&self) -> Vec<String> {
        let rules = self.numbering.rules();
        let line = |first: u8| {
            let second = u8::try_from(self.numbering.total).ok()?.checked_sub(first)?;
            let start = Position::start(&rules.board, [first, second]);
            let value = self.tables.get(self.numbering.index(&start)?)?.value();
            let wins = |side: Side| {
                format!("{} wins in {} plies", Quoridor::SIDES[side.index()], value.plies())
            };
            let result = match value {
                TableValue::Win(_) => wins(start.mover),
                TableValue::Draw => "neither side can force a win".into(),
                TableValue::Loss(_) => wins(!start.mover),
            };
            (second <= MOST_WALLS).then(|| format!("start {first}/{second} {result}"))
        };
        (0..=MOST_WALLS).filter_map(line).collect()
    }
}
