//! The smallest game there is, with every value known: from one pile take one to three; who takes the last wins.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

use crate::core::{
    Evaluate, Field, Game, Grid, Illegal, Notation, OptionSpec, Options, Outcome, Point, PositionError, Probe,
    Projection, Side, Symmetry, SyntaxError, TableValue, Tension,
};
use crate::search::HELPER;
use crate::tables::later::Later;

/// The rules, from which pile on downwards a table tells the value, and what goes wrong.
#[derive(Debug, Clone, Default)]
pub struct Nim {
    pub table_up_to: u32,
    pub fault: Fault,
    /// Whether a helping thread has failed.
    pub failed: Arc<AtomicBool>,
    pub tables: Later<()>,
}

/// Faults are no matter of the rules.
impl PartialEq for Nim {
    fn eq(&self, other: &Nim) -> bool {
        self.table_up_to == other.table_up_to
    }
}

/// Where a thread panics that looks ahead to small piles.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Fault {
    #[default]
    Nowhere,
    /// In the thread that searches, proves or counts.
    Main,
    /// In the threads that help it; it waits for that.
    Helper,
    /// In the thread that makes tables.
    Tables,
}

/// The largest pile that a faulty game fails at.
const FATAL: u32 = 5;

impl Nim {
    /// What happens when a thread looks at the moves of a small pile.
    fn happen(&self) {
        let is_helper = thread::current().name() == Some(HELPER);
        match self.fault {
            Fault::Main if !is_helper => panic!("the test wants it so"),
            Fault::Helper if is_helper => {
                self.failed.store(true, Relaxed);
                panic!("the test wants it so");
            }
            Fault::Helper => {
                while !self.failed.load(Relaxed) {
                    thread::sleep(Duration::from_millis(1));
                }
            }
            _ => {}
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pile {
    pub size: u32,
    pub side: Side,
}

impl Game for Nim {
    type Position = Pile;
    type Move = u32;

    const ID: &'static str = "nim";
    const NAME: &'static str = "Nim";
    const SUMMARY: &'static str = "take the last";
    const SIDES: [&'static str; 2] = ["one", "two"];
    const OPTIONS: &'static [OptionSpec] = &[];

    fn from_options(_: &Options) -> Nim {
        Nim::default()
    }

    fn start(&self) -> Pile {
        Pile { size: 21, side: Side::First }
    }

    fn side_to_move(&self, position: &Pile) -> Side {
        position.side
    }

    fn full_move(&self, _: &Pile) -> u32 {
        1
    }

    fn outcome(&self, position: &Pile) -> Option<Outcome> {
        (position.size == 0).then_some(Outcome::Win(!position.side, "last"))
    }

    fn legal_moves(&self, position: &Pile, moves: &mut Vec<u32>) {
        if position.size <= FATAL {
            self.happen();
        }
        moves.extend(1..=position.size.min(3));
    }

    fn play(&self, position: &Pile, mv: u32) -> Pile {
        Pile { size: position.size - mv, side: !position.side }
    }

    fn repetition_key(&self, position: &Pile) -> u64 {
        self.search_key(position)
    }

    fn search_key(&self, position: &Pile) -> u64 {
        crate::core::key::hash(&[u64::from(position.size), position.side as u64])
    }

    fn repetition_outcome(&self, _: &Pile) -> Option<Outcome> {
        None
    }

    fn is_irreversible(&self, _: &Pile, _: u32) -> bool {
        true
    }

    fn symmetries(&self) -> Vec<Symmetry<Nim>> {
        Vec::new()
    }
}

impl Notation for Nim {
    type MoveText = u32;

    fn parse_position(&self, text: &str) -> Result<Pile, PositionError> {
        Err(PositionError::Invalid(text.into()))
    }

    fn position_text(&self, position: &Pile) -> String {
        position.size.to_string()
    }

    fn parse_move(&self, text: &str) -> Result<u32, SyntaxError> {
        Ok(text.len() as u32)
    }

    fn find_move(&self, _: &Pile, text: &u32) -> Result<u32, Illegal> {
        Ok(*text)
    }

    fn move_text(&self, mv: u32) -> String {
        mv.to_string()
    }

    fn diagram(&self, position: &Pile) -> String {
        "|".repeat(position.size as usize)
    }
}

impl Evaluate for Nim {
    type Insight = ();

    const BENCH: (u32, &'static [&'static str]) = (1, &[]);
    const SLOTS: usize = 4;
    const WEIGHTS: &'static [(&'static str, i32)] = &[];

    fn study(&self, _: &Pile) {}

    fn parts(&self, _: &Pile, (): &(), _: impl FnMut([i32; 2])) {}

    fn tension(&self, _: &Pile, (): &()) -> Tension {
        Tension::Quiet
    }

    fn promises<'a>(&'a self, _: &'a Pile, (): &'a ()) -> impl Fn(u32) -> i32 + 'a {
        |_| 0
    }

    fn slot(&self, mv: u32) -> usize {
        mv as usize
    }
}

impl Probe for Nim {
    /// A pile of a multiple of four is lost in half its size of plies, any other won: the loser takes one each time.
    fn probe(&self, position: &Pile) -> Option<TableValue> {
        (position.size <= self.table_up_to).then(|| match position.size % 4 {
            0 => TableValue::Loss(position.size / 2),
            _ => TableValue::Win(position.size.div_ceil(4) * 2 - 1),
        })
    }

    fn begin_tables(&self) {
        if self.fault == Fault::Tables {
            self.tables.begin(|_| panic!("the test wants it so"));
        }
    }

    fn await_tables(&self, given_up: &dyn Fn() -> bool) {
        self.tables.wait(given_up);
    }

    fn table_faults(&self) -> Vec<String> {
        self.tables.take_faults()
    }
}

/// The pile as a column of empty points; a move is a click on its lowest point.
impl Projection for Nim {
    fn grid(&self) -> Grid {
        Grid { size: 25, hexagonal: false }
    }

    fn field(&self, position: &Pile, point: Point) -> Field {
        if point.file == 0 && u32::from(point.rank) < position.size { Field::Empty } else { Field::Missing }
    }

    fn graphics(&self, _: &Pile) -> Vec<String> {
        Vec::new()
    }

    fn clicks(&self, position: &Pile, mv: u32, points: &mut Vec<Point>) {
        points.push(Point::new(0, (position.size - mv) as u8));
    }

    fn captured(&self, _: &Pile) -> [u32; 2] {
        [0; 2]
    }
}
