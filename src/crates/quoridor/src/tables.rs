//! The tablebases of Quoridor. There are two kinds: pawn races, which are solved when a search
//! reaches them, and files.
//!
//! No move changes the total number of walls on the board and in hand. So all games on boards of
//! one size with the same total use the same files, for any division of the walls between the
//! sides. The positions with one number of walls on the board are a *class* (see
//! the module `numbering`). Each class has a file, except the class with all walls on the
//! board: its positions are pawn races.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};

use pentarch_core::tables::default_verification_sentence;
use pentarch_core::tables::directory::TableDirectory;
use pentarch_core::{
    GameTables, KnownValueSource, ProbeResult, ProbeTables, ProbeWorkLimit, Rules, Side,
    TableFiles, TableValue, TableWriteProgress, TableWriteRequest, TableWriteRequestError, Warning,
    WriteTables, WriteTablesError,
};
use pentarch_system::LocatedError;
use pentarch_system::file_system::lock_directory;
use pentarch_tables::background::{
    BackgroundJob, BackgroundValue, TableJobControl, stepwise_table_job,
};
use pentarch_tables::dtm::Dtm;
use pentarch_tables::error::{MakeTablesError, TableFileError};
use pentarch_tables::table_file::{self, StoredTableValues};
use pentarch_tables::verify::find_wrong_table_value;
use pentarch_tables::{PositionNumbering, TableIndex, Tablebase};
use thiserror::Error;

use super::class_solver::{self, NO_POSITION_VALUE};
use super::ending_cache::EndingCache;
use super::numbering::{QuoridorNumbering, count_wall_sets, table_file_name};
use super::pawn_race::{self, PawnRaceCache};
use super::position::Position;
use super::walls::Walls;
use super::{MAX_WALLS_WITH_TWO_PLAYERS, Quoridor};

/// The maximum memory for building tables, in GB, so that an ordinary machine can build them.
const MAX_BUILD_MEMORY_GB: f64 = 8.;
/// The approximate time to open a file, in units of 0.5 ms.
const FILE_OPEN_PROGRESS_UNITS: usize = 100;
/// The approximate number of positions that `--check` verifies in each file. This takes some
/// minutes. If a file has fewer than twice this number of positions, all positions are verified.
/// Otherwise only every third position is verified, or every fifth, seventh and so on.
const CHECKED_POSITIONS_PER_FILE: usize = 100_000_000;

/// The tables for one set of rules.
pub struct QuoridorTablebase {
    rules: Quoridor,
    races: PawnRaceCache,
    endings: EndingCache,
    /// The source of the table files, or `None` if no files are used.
    files: Option<Arc<dyn TableFiles>>,
    /// The table files, which a background job opens.
    stored: BackgroundValue<OpenTableFiles>,
    /// The first error that occurred when a value was read from a file.
    read_error: OnceLock<Warning>,
    /// Whether `read_error` has been reported.
    is_read_error_reported: AtomicBool,
}

/// A reason why the value of a position cannot be read from a file.
#[derive(Debug, Error)]
enum StoredValueError {
    /// The part of the file with the value cannot be read.
    #[error("{name} cannot be read: {error}")]
    Read {
        /// The name of the table.
        name: String,
        error: TableFileError,
    },
    /// The file contains [`NO_POSITION_VALUE`] for a position, so it is damaged.
    #[error("{name} is damaged")]
    NoValue {
        /// The name of the table.
        name: String,
    },
}

/// The opened table files for one set of rules. A probe reads a single value from a file.
struct OpenTableFiles {
    numbering: QuoridorNumbering,
    /// For each class opened so far, its file, or `None` if the class has no usable file.
    classes: Vec<Option<StoredTableValues>>,
}

impl OpenTableFiles {
    /// Determines which files exist. [`open_next_class_file`](OpenTableFiles::open_next_class_file)
    /// opens these files.
    fn new(rules: &Quoridor, files: &dyn TableFiles) -> OpenTableFiles {
        let total = rules.walls.map(usize::from).iter().sum();
        // A file that cannot be opened is treated as existing here. `open_next_class_file` reports
        // the error.
        let exists = |class: usize| {
            !matches!(files.open_table_file(&table_file_name(rules, total, class)), Ok(None))
        };
        // If the tables are larger than this program would build, their files are ignored, because
        // numbering their sets of walls would take too long.
        let is_used = (0..total).any(exists)
            && ApproximateTableSizes::new(
                rules.board.size,
                &count_wall_sets(rules.board.size),
                total,
            )
            .memory
                <= MAX_BUILD_MEMORY_GB;
        let numbering =
            QuoridorNumbering::new(rules, total, |class| is_used && class < total && exists(class));
        OpenTableFiles { numbering, classes: Vec::new() }
    }

    /// Opens the file of the next class. Returns `false` if no class was left. If the file has a
    /// fault, reports the fault to `task`.
    fn open_next_class_file(
        &mut self,
        files: &dyn TableFiles,
        task: &TableJobControl<OpenTableFiles>,
    ) -> bool {
        let class = self.classes.len();
        if class >= self.numbering.total {
            return false;
        }
        let opened = self.open_and_verify_class_file(class, files).unwrap_or_else(|fault| {
            task.report_fault(fault);
            None
        });
        self.classes.push(opened);
        true
    }

    /// Opens the file of a class, or returns `None` if there is no file. Verifies the checksums of
    /// the whole file, because a search treats the values as proven.
    ///
    /// # Errors
    /// If the file cannot be used.
    fn open_and_verify_class_file(
        &self,
        class: usize,
        files: &dyn TableFiles,
    ) -> Result<Option<StoredTableValues>, LocatedError<TableFileError>> {
        let size = self.numbering.class_size(class);
        if size == 0 {
            return Ok(None);
        }
        let name = self.numbering.file_name(class);
        let Some(file) = StoredTableValues::open(files, &name, Some(size as u64))? else {
            return Ok(None);
        };
        table_file::verify_file_checksums(files, &name)?;
        Ok(Some(file))
    }

    /// Reads the value of an undecided position with walls in hand. Returns `None` if no opened
    /// file contains the position.
    ///
    /// # Errors
    /// If the file cannot be read.
    fn value(&self, position: &Position) -> Result<Option<TableValue>, StoredValueError> {
        let class = self.classes.get(position.walls.count() as usize).and_then(Option::as_ref);
        let Some((file, TableIndex { number, class })) =
            class.zip(self.numbering.index_of_position(position))
        else {
            return Ok(None);
        };
        let mut value = [NO_POSITION_VALUE];
        let name = || self.numbering.file_name(class);
        file.read(number as u64, &mut value)
            .map_err(|error| StoredValueError::Read { name: name(), error })?;
        match value {
            [NO_POSITION_VALUE] => Err(StoredValueError::NoValue { name: name() }),
            [value] => Ok(Some(Dtm(value).value())),
        }
    }
}

/// The approximate sizes of the tables for one total number of walls, in GB.
struct ApproximateTableSizes {
    memory: f64,
    /// The size of all files together, before compression.
    values: f64,
}

impl ApproximateTableSizes {
    /// Estimates the sizes for boards of this size. `counts` are the [numbers of sets of
    /// walls](count_wall_sets). `total` is the number of walls on the board and in hand.
    fn new(size: u8, counts: &[f64], total: usize) -> ApproximateTableSizes {
        let pawn_squares = f64::from(size) * f64::from(size - 1);
        // Up to four images of a set of walls share a block.
        let blocks: Vec<f64> =
            counts.iter().take(total + 1).map(|count| (count / 4.).ceil()).collect();
        let values = |class: usize| {
            let parts_per_block = (total + 1).saturating_sub(class) as f64;
            let block_size = parts_per_block * 2. * pawn_squares * pawn_squares;
            blocks.get(class).map_or(0., |blocks| blocks * block_size / 1e9)
        };
        let sets = blocks.iter().sum::<f64>() * size_of::<Walls>() as f64 / 1e9;
        let largest_pair =
            (0..=total).map(|class| values(class) + values(class + 1)).fold(0., f64::max);
        ApproximateTableSizes { memory: largest_pair + sets, values: (0..total).map(values).sum() }
    }
}

impl QuoridorTablebase {
    /// Returns the value of an undecided position with walls in hand, from the files. If a file
    /// cannot be read, stores the error in `read_error` and returns `None`.
    fn stored_value(&self, position: &Position) -> Option<TableValue> {
        self.stored.get()?.value(position).unwrap_or_else(|error| {
            let _ = self.read_error.set(Warning::new(error));
            None
        })
    }

    /// Returns the job that opens the files, or `None` if no files are used.
    fn file_opening_job(&self) -> Option<BackgroundJob<OpenTableFiles>> {
        let files = self.files.clone()?;
        let same_files = files.clone();
        let rules = self.rules.clone();
        Some(stepwise_table_job(
            Quoridor::GAME_NAME,
            FILE_OPEN_PROGRESS_UNITS,
            move |_: &_| Ok(OpenTableFiles::new(&rules, &*same_files)),
            move |stored: &mut OpenTableFiles, task: &_| {
                Ok(stored.open_next_class_file(&*files, task))
            },
            |stored| stored,
        ))
    }
}

impl ProbeTables for Quoridor {
    type Tables = QuoridorTablebase;

    /// Returns the value of the position as follows, or `None` if no case applies:
    ///
    /// - If a move leads into the goal: a win.
    /// - If neither side has a wall in hand: the value of the pawn race. If the pawns cannot meet,
    ///   a few floods find the value. Otherwise retrograde analysis finds this value, if `probing`
    ///   permits the analysis.
    /// - If there are walls in hand: the value in the files. If the files have no value, positions
    ///   with few walls in hand are solved, if `probing` permits the computation.
    fn probe_tables(
        &self,
        tables: &QuoridorTablebase,
        position: &Position,
        probing: ProbeWorkLimit,
    ) -> Option<ProbeResult> {
        let open = position.open_passages(&self.board);
        if position.can_move_into_goal(&self.board, position.mover, open) {
            return Some(ProbeResult::Value(TableValue::Win(1)));
        }
        let value = if position.walls_left == [0; 2] {
            let cached_value = || {
                if probing == ProbeWorkLimit::Exhaustive {
                    tables.endings.cached_value(position)
                } else {
                    None
                }
            };
            let race_value = || {
                (probing >= ProbeWorkLimit::Thorough)
                    .then(|| tables.races.value(&self.board, position))
            };
            pawn_race::race_value_without_contact(&self.board, position, open)
                .or_else(cached_value)
                .or_else(race_value)
        } else if probing == ProbeWorkLimit::Exhaustive {
            tables.stored_value(position).or_else(|| tables.endings.value(self, position))
        } else if probing >= ProbeWorkLimit::FromFiles {
            tables.stored_value(position)
        } else {
            None
        };
        value.map(ProbeResult::Value)
    }

    fn proved_value(&self, position: &Position) -> Option<TableValue> {
        self.solved_start_value(position)
    }

    fn value_verification_sentence(&self, source: KnownValueSource) -> &'static str {
        match source {
            KnownValueSource::Rules => {
                "The rules decide the value, or a count of the steps in a pawn race; the tests \
                 compare a sample of pawn races with retrograde analysis."
            }
            KnownValueSource::Table => {
                "The tests compare tables of small boards, in full, and a sample of pawn races \
                 with slower solvers; the command 'tables N --check' checks the files."
            }
            KnownValueSource::Proof => {
                "The value is from tables of the whole game. The command 'tables N --check' \
                 compared all values with those after their moves for 1 to 5 walls on 3x3 and 4x4, \
                 1 to 3 on 5x5, 1 and 2 on 6x6, and 1 on 7x7. It did not check other games."
            }
            _ => default_verification_sentence(source),
        }
    }
}

impl GameTables<Quoridor> for QuoridorTablebase {
    /// The files contain all positions of a game and are opened within seconds. Therefore a search
    /// waits until they are open. Without files, a search does not wait.
    const TABLES_SOLVE_GAME: bool = true;

    fn new(rules: &Quoridor, files: Option<Arc<dyn TableFiles>>) -> QuoridorTablebase {
        QuoridorTablebase {
            rules: rules.clone(),
            races: PawnRaceCache::default(),
            endings: EndingCache::default(),
            files,
            stored: BackgroundValue::default(),
            read_error: OnceLock::new(),
            is_read_error_reported: AtomicBool::new(false),
        }
    }

    fn begin_computing_tables(&self) {
        if let Some(work) = self.file_opening_job() {
            self.stored.begin_computing_tables(work);
        }
    }

    fn compute_next_table_part(&self) -> bool {
        self.file_opening_job().is_none_or(|work| self.stored.compute_next_table_part(work))
    }

    /// Without files, returns `true` only for a pawn race.
    fn may_contain_position(&self, position: &Position) -> bool {
        self.files.is_some() || position.walls_left == [0; 2]
    }

    /// Reads no files, because a proof uses only values that this program has computed itself.
    fn begin_tablebases_for_proof(&self, _: Option<usize>) {}

    fn wait_until_computed(&self, given_up: &dyn Fn() -> bool) {
        self.stored.wait_until_computed(given_up);
    }

    fn take_faults(&self) -> Vec<Warning> {
        let mut faults = self.stored.take_faults();
        let new_error =
            self.read_error.get().filter(|_| !self.is_read_error_reported.swap(true, Relaxed));
        faults.extend(new_error.cloned());
        faults
    }
}

impl WriteTables for Quoridor {
    type TableError = MakeTablesError;

    fn write_table_files(
        &self,
        plan: &TableWriteRequest,
        report: &(dyn Fn(TableWriteProgress) + Sync),
    ) -> Result<(), WriteTablesError<MakeTablesError>> {
        let total = parse_total_walls(self, plan.count).map_err(WriteTablesError::Request)?;
        let _lock = lock_directory(plan.directory).map_err(MakeTablesError::File)?;
        let ApproximateTableSizes { memory, values } =
            ApproximateTableSizes::new(self.board.size, &count_wall_sets(self.board.size), total);
        if values > 0.1 {
            report(TableWriteProgress::Note(&format!(
                "{total} walls in all take {memory:.1} GB of memory, and at most {values:.1} GB \
                 on the disk"
            )));
        }
        let mut builder = QuoridorTableBuilder {
            numbering: QuoridorNumbering::new(self, total, |_| true),
            tables: Tablebase::default(),
            done: 0,
            plan,
            report,
        };
        // For some classes, the board may be too small for their number of walls. Such classes have
        // no positions and no file.
        for class in (0..total).rev() {
            if builder.progress_units(class) > 0 {
                builder.build_file(class)?;
            }
        }
        if total == 0 {
            builder.solve_class(0)?;
        }
        builder
            .start_result_lines()
            .iter()
            .for_each(|line| report(TableWriteProgress::Result(line)));
        Ok(())
    }
}

/// Parses the numbers of walls of both sides, and returns their sum. The string has one number for
/// both sides, as in `4`, or two numbers, as in `4/3`.
///
/// # Errors
/// If the string has another form, or if the tables would be too large.
fn parse_total_walls(rules: &Quoridor, text: &str) -> Result<usize, TableWriteRequestError> {
    let (first, second) = text.split_once('/').unwrap_or((text, text));
    let parse_number = |text: &str| {
        text.parse::<usize>().ok().filter(|&walls| walls <= usize::from(MAX_WALLS_WITH_TWO_PLAYERS))
    };
    let game = Quoridor::GAME_ID;
    let size = rules.board.size;
    let Some((first, second)) = parse_number(first).zip(parse_number(second)) else {
        return Err(TableWriteRequestError::Count {
            game,
            range: 0..=usize::from(MAX_WALLS_WITH_TWO_PLAYERS),
            unit: "walls of each side, as in 4 or 4/3",
            found: text.into(),
        });
    };
    let total = first + second;
    let counts = count_wall_sets(size);
    let memory = |total| ApproximateTableSizes::new(size, &counts, total).memory;
    if memory(total) > MAX_BUILD_MEMORY_GB {
        let max = (0..total)
            .rev()
            .find(|&walls| memory(walls) <= MAX_BUILD_MEMORY_GB)
            .unwrap_or_default();
        let gigabytes = MAX_BUILD_MEMORY_GB;
        return Err(TableWriteRequestError::TooLarge {
            game,
            size,
            walls: total,
            gigabytes,
            most: max,
        });
    }
    Ok(total)
}

/// A builder of the table files for one board size and one total number of walls.
struct QuoridorTableBuilder<'a> {
    numbering: QuoridorNumbering,
    /// The values of the class that was built last. While a class is solved or checked, also the
    /// values of the class with one more wall on the board.
    tables: Tablebase,
    /// The number of parts that have been solved or read so far. [`numbering`](super::numbering)
    /// explains parts.
    done: usize,
    plan: &'a TableWriteRequest<'a>,
    report: &'a (dyn Fn(TableWriteProgress) + Sync),
}

impl QuoridorTableBuilder<'_> {
    /// Returns the number of parts in all blocks of a class. Progress is counted in parts.
    fn progress_units(&self, class: usize) -> usize {
        self.numbering.wall_sets(class).len() * self.numbering.parts_per_block(class)
    }

    /// Reads the file of a class. If there is no file, or if it cannot be used, solves the class
    /// and writes the file. The class with one more wall on the board must already have been built.
    ///
    /// # Errors
    /// If the file cannot be built or written, or if a check finds a wrong value.
    fn build_file(&mut self, class: usize) -> Result<(), MakeTablesError> {
        let name = self.numbering.file_name(class);
        let total = self.numbering.total;
        let report = self.report;
        let QuoridorTableBuilder { numbering, tables, plan, .. } = self;
        let loaded = table_file::load_group_file(
            &TableDirectory(plan.directory),
            &name,
            numbering,
            &[class],
            tables,
        );
        let is_loaded = loaded.unwrap_or_else(|fault| {
            report(TableWriteProgress::Unusable(&fault));
            false
        });
        // The class with all walls on the board has no file. It is solved when the class below it
        // needs its values.
        if class + 1 == total && (!is_loaded || plan.check) {
            self.solve_class(total)?;
        }
        if is_loaded {
            self.done += self.progress_units(class);
        } else {
            self.solve_class(class)?;
            table_file::save_table_file(
                self.plan.directory,
                &name,
                &[self.tables.class_values(class)],
            )?;
        }
        if self.plan.check {
            // An even step might skip all positions with the pawn on some squares.
            let step = (self.numbering.class_size(class) / CHECKED_POSITIONS_PER_FILE) | 1;
            let fault = find_wrong_table_value(
                &self.numbering,
                &self.tables,
                class,
                step,
                self.plan.threads,
                &|share| report(TableWriteProgress::Checking(&name, Some(share))),
            );
            if let Some(TableIndex { number, .. }) = fault {
                return Err(MakeTablesError::ValueOfClass { name: name.into(), number });
            }
        }
        // Frees the values of the class above, because the class below needs only the values of
        // this class.
        self.tables.put_class_values(class + 1, Box::default());
        let bytes = self.tables.class_values(class).len();
        report(if is_loaded {
            TableWriteProgress::Existing(&name, bytes)
        } else {
            TableWriteProgress::Written(&name, bytes)
        });
        Ok(())
    }

    /// Solves a class. If walls are in hand, `tables` must contain the values of the class with one
    /// more wall on the board.
    ///
    /// # Errors
    /// If the class cannot be solved.
    fn solve_class(&mut self, class: usize) -> Result<(), MakeTablesError> {
        let name = self.numbering.file_name(class);
        let parts_per_block = self.numbering.parts_per_block(class);
        let all: usize = (0..=self.numbering.total).map(|class| self.progress_units(class)).sum();
        let blocks = AtomicUsize::new(0);
        let report_blocks = |more: usize| {
            let done = self.done + blocks.fetch_add(more, Relaxed) * parts_per_block;
            let share = done as f64 / all as f64;
            (self.report)(TableWriteProgress::Working(&name, share));
        };
        let solved = class_solver::solve_class(
            &self.numbering,
            class,
            self.tables.class_values(class + 1),
            self.plan.threads,
            &report_blocks,
        );
        let values = solved
            .map_err(|error| MakeTablesError::Unsolved { name: (&*name).into(), why: error })?;
        self.tables.put_class_values(class, values);
        self.done += self.progress_units(class);
        Ok(())
    }

    /// Returns a line of text for each division of the walls between the sides. The line contains
    /// the winner from the start position and the number of plies to the win.
    fn start_result_lines(&self) -> Vec<String> {
        let rules = self.numbering.rules();
        let line = |first: u8| {
            let second = u8::try_from(self.numbering.total).ok()?.checked_sub(first)?;
            let start = Position::start(&rules.board, [first, second]);
            let value = self.tables.get(self.numbering.index_of_position(&start)?)?.value();
            let wins = |side: Side| {
                format!("{} wins in {} plies", Quoridor::SIDE_NAMES[side.index()], value.plies())
            };
            let result = match value {
                TableValue::Win(_) => wins(start.mover),
                TableValue::Draw => "neither side can force a win".into(),
                TableValue::Loss(_) => wins(!start.mover),
            };
            (second <= MAX_WALLS_WITH_TWO_PLAYERS)
                .then(|| format!("start {first}/{second} {result}"))
        };
        (0..=MAX_WALLS_WITH_TWO_PLAYERS).filter_map(line).collect()
    }
}
