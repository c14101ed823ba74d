//! Nim with one pile: a small game in which the value of every position is known. A move takes one
//! to three objects. The side that takes the last object wins.

use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::task::Poll;
use std::thread;
use std::time::Duration;

use pentarch_core::view::diagram::Diagram;
use pentarch_core::{
    BoardLayout, ComboOption, Evaluate, Exercises, GameHistory, GameTables, GoBoardProjection,
    HasPlayers, HasTurn, HistoryBans, MatchOpenings, NetInputs, Notation, OpeningBook, OptionSpec,
    Options, Outcome, PositionError, ProbeResult, ProbeTables, ProbeWorkLimit, PublishedNotation,
    RuleViolation, Rules, SearchDataFiles, Side, Symmetry, SyntaxError, TableFiles, TableValue,
    Warning, WriteTables,
};
use pentarch_search::iterative_deepening::HELPER_THREAD_NAME;
use pentarch_tables::background::{BackgroundJob, BackgroundValue};

/// The rules, with a table and with faults for tests.
#[derive(Debug, Clone, Default)]
pub struct Nim {
    /// The largest pile whose value the tables know.
    pub table_up_to: u32,
    /// The fault that is simulated.
    pub fault: Fault,
    /// If this is not 0, piles have the same search key if their sizes differ by a multiple of it.
    pub same_keys: u32,
    /// Whether the third occurrence of some positions wins for the first side. In these positions
    /// the other side has to take from a pile of 5, 9, 13, and so on.
    pub first_wins_repetitions: bool,
    /// The contradiction in the rules.
    pub contradiction: Contradiction,
    /// Whether a helper thread has failed, or waits.
    pub failed: Arc<AtomicBool>,
    /// Whether the helper threads need not wait any longer.
    pub released: Arc<AtomicBool>,
}

/// A mistake in the rules, so that two methods disagree.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Contradiction {
    /// None.
    #[default]
    Nowhere,
    /// An empty pile has a legal move.
    MoveAfterEnd,
    /// The history indices are too great.
    HistoryIndex,
    /// A symmetry adds an object to each move.
    Symmetry,
}

/// The option that chooses the contradiction.
pub const CONTRADICTION_OPTION: ComboOption<Contradiction> = OptionSpec::define_combo(
    "Nim_Contradiction",
    "The methods that disagree",
    &["none", "end", "index", "symmetry"],
    &[
        Contradiction::Nowhere,
        Contradiction::MoveAfterEnd,
        Contradiction::HistoryIndex,
        Contradiction::Symmetry,
    ],
    0,
);

/// Faults are not part of the rules.
impl PartialEq for Nim {
    fn eq(&self, other: &Nim) -> bool {
        self.table_up_to == other.table_up_to
    }
}

/// The thread that panics, waits, or never ends. Search threads fail when they generate the moves
/// of a small pile.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Fault {
    /// None.
    #[default]
    Nowhere,
    /// The thread that searches, proves or counts.
    Main,
    /// The helper threads. The main thread waits until a helper thread has panicked.
    Helper,
    /// The helper threads wait until they are released. The main thread waits until a helper thread
    /// waits.
    WaitingHelper,
    /// The thread that computes tables.
    Tables,
    /// The thread that computes tables. It never ends.
    EndlessTables,
}

/// The largest pile for which a faulty game fails to generate moves.
const MAX_FAULTY_PILE: u32 = 5;

impl Nim {
    /// Panics, or waits for a panic. The fault determines which.
    fn fail(&self) {
        let is_helper = thread::current().name() == Some(HELPER_THREAD_NAME);
        let wait_for = |flag: &AtomicBool| {
            while !flag.load(Relaxed) {
                thread::sleep(Duration::from_millis(1));
            }
        };
        match self.fault {
            Fault::Main if !is_helper => panic!("the test wants it so"),
            Fault::Helper if is_helper => {
                self.failed.store(true, Relaxed);
                panic!("the test wants it so");
            }
            Fault::WaitingHelper if is_helper => {
                self.failed.store(true, Relaxed);
                wait_for(&self.released);
            }
            Fault::Helper | Fault::WaitingHelper => wait_for(&self.failed),
            _ => {}
        }
    }
}

/// A position. It is the rest of the pile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pile {
    /// The number of objects in the pile.
    pub size: u32,
    /// The side to move.
    pub side: Side,
}

/// Returns a game that begins with a pile of this size. Its tables know the values up to
/// `table_up_to`.
pub fn pile(size: u32, table_up_to: u32) -> GameHistory<Nim> {
    GameHistory::new(
        Arc::new(Nim { table_up_to, ..Nim::default() }),
        Pile { size, side: Side::First },
    )
}

impl HasTurn for Pile {
    fn side_to_move(&self) -> Side {
        self.side
    }

    fn full_move_number(&self) -> u32 {
        1
    }

    fn with_full_move_number(self, _: u32) -> Pile {
        self
    }
}

impl Rules for Nim {
    type Position = Pile;
    type Move = u32;

    const GAME_ID: &'static str = "nim";
    const GAME_NAME: &'static str = "Nim";
    const GAME_SUMMARY: &'static str = "take the last";
    const SIDE_NAMES: [&'static str; 2] = ["one", "two"];

    fn from_options(options: &Options) -> Nim {
        Nim { contradiction: options.combo_value(&CONTRADICTION_OPTION), ..Nim::default() }
    }

    fn start_position(&self) -> Pile {
        Pile { size: 21, side: Side::First }
    }

    fn outcome(&self, position: &Pile) -> Option<Outcome> {
        (position.size == 0).then_some(Outcome::Win(!position.side, "last"))
    }

    fn legal_moves(&self, position: &Pile, moves: &mut Vec<u32>) {
        if position.size <= MAX_FAULTY_PILE {
            self.fail();
        }
        moves.extend(1..=position.size.min(3));
        if self.contradiction == Contradiction::MoveAfterEnd && moves.is_empty() {
            moves.push(1);
        }
    }

    fn play(&self, position: &Pile, mv: u32) -> Pile {
        Pile { size: position.size - mv, side: !position.side }
    }

    fn search_key(&self, position: &Pile) -> u64 {
        let size = position.size.checked_rem(self.same_keys).unwrap_or(position.size);
        pentarch_core::rules::key::hash_words(&[u64::from(size), position.side as u64])
    }

    fn repetition_key(&self, position: &Pile) -> u64 {
        match *position {
            Pile { size: 5.., side: Side::Second }
                if self.first_wins_repetitions && position.size % 4 == 1 =>
            {
                0
            }
            _ => self.search_key(position),
        }
    }

    const MIN_PLIES_TO_REPETITION_WITH_OTHER_SEARCH_KEY: Option<u32> = Some(2);

    fn repetition_outcome(&self, _: &Pile) -> Option<Outcome> {
        self.first_wins_repetitions.then_some(Outcome::Win(Side::First, "again"))
    }

    fn is_irreversible_move(&self, _: &Pile, _: u32) -> bool {
        !self.first_wins_repetitions
    }

    fn symmetries(&self) -> Vec<Symmetry<Nim>> {
        let faulty = Symmetry {
            name: "one more",
            swaps_sides: false,
            position: |_, &position| position,
            mv: |_, mv| mv + 1,
        };
        Vec::from_iter((self.contradiction == Contradiction::Symmetry).then_some(faulty))
    }
}

impl Evaluate for Nim {
    type PositionEvalData = ();

    const FEATURE_WEIGHTS: &'static [(&'static str, i32)] = &[];
    const HISTORY_TABLE_SIZE: usize = 4;
    /// Nim parses no positions.
    const BENCH_POSITIONS: (u32, &'static [&'static str]) = (6, &["21"]);

    fn visit_features(&self, _: &Pile, (): &(), _: impl FnMut([i32; 2])) {}

    fn history_table_index(&self, mv: u32) -> usize {
        mv as usize + if self.contradiction == Contradiction::HistoryIndex { 1 } else { 0 }
    }
}

/// Tables that need no computation. They are computed only to simulate a fault.
#[derive(Default)]
pub struct NimTables {
    fault: Fault,
    made: BackgroundValue<()>,
}

impl NimTables {
    fn work(&self) -> Option<BackgroundJob<()>> {
        match self.fault {
            Fault::Tables => Some(Box::new(|_| panic!("the test wants it so"))),
            Fault::EndlessTables => Some(Box::new(|_| {
                thread::sleep(Duration::from_millis(1));
                Poll::Pending
            })),
            _ => None,
        }
    }
}

impl GameTables<Nim> for NimTables {
    fn new(rules: &Nim, _: Option<Arc<dyn TableFiles>>) -> NimTables {
        NimTables { fault: rules.fault, made: BackgroundValue::default() }
    }

    fn begin_computing_tables(&self) {
        if let Some(work) = self.work() {
            self.made.begin_computing_tables(work);
        }
    }

    fn compute_next_table_part(&self) -> bool {
        self.work().is_none_or(|work| self.made.compute_next_table_part(work))
    }

    fn wait_until_computed(&self, given_up: &dyn Fn() -> bool) {
        self.made.wait_until_computed(given_up);
    }

    fn take_faults(&self) -> Vec<Warning> {
        self.made.take_faults()
    }
}

impl ProbeTables for Nim {
    type Tables = NimTables;

    /// A pile is lost if its size is a multiple of four. The loss takes half as many plies as the
    /// pile has objects. Any other pile is won. The loser always takes one.
    fn probe_tables(
        &self,
        _: &NimTables,
        position: &Pile,
        probing: ProbeWorkLimit,
    ) -> Option<ProbeResult> {
        (probing != ProbeWorkLimit::Computed && position.size <= self.table_up_to).then(|| {
            ProbeResult::Value(match position.size % 4 {
                0 => TableValue::Loss(position.size / 2),
                _ => TableValue::Win(position.size.div_ceil(4) * 2 - 1),
            })
        })
    }
}

impl HasPlayers for Nim {}
impl HistoryBans for Nim {}
impl OpeningBook for Nim {}
impl SearchDataFiles for Nim {}
impl MatchOpenings for Nim {}
impl Exercises for Nim {}
impl NetInputs for Nim {}
impl PublishedNotation for Nim {}
impl WriteTables for Nim {
    type TableError = Infallible;
}

/// A move is a string. The length of the string is the number of objects that it takes.
impl Notation for Nim {
    type ParsedMove = u32;

    fn parse_position(&self, text: &str) -> Result<Pile, PositionError> {
        Err(PositionError::Invalid(RuleViolation { rules: &[], reason: text.into() }))
    }

    fn position_text(&self, position: &Pile) -> String {
        position.size.to_string()
    }

    fn parse_move(&self, text: &str) -> Result<u32, SyntaxError> {
        Ok(text.len() as u32)
    }

    fn resolve_move(&self, _: &Pile, text: &u32) -> Result<u32, RuleViolation> {
        Ok(*text)
    }

    fn move_text(&self, mv: u32) -> String {
        mv.to_string()
    }

    fn board_diagram(&self, position: &Pile, _: Side) -> Diagram {
        let mut diagram = Diagram::default();
        diagram.push_note(&"|".repeat(position.size as usize));
        diagram
    }
}

impl BoardLayout for Nim {}
impl GoBoardProjection for Nim {}

pentarch_search::compile_search!(Nim);
