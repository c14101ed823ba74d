//! The analysis: from the ends of the game backwards, one more ply with each pass.
//!
//! First each position of a group looks at its moves out of the group: what they lead to is known. Its moves inside are
//! only counted. Then the passes: what is lost in `n` plies makes wins in `n + 1` of all its predecessors, and what is
//! won in `n` takes one from the count of each; a position without moves left to hope for is lost. What no pass reaches
//! is a draw. A move to one of several symmetric positions counts by how many there are of them, so that the counts
//! hold for places as well.
//!
//! Where something may forbid a move that the place of a position does not tell, one move more is needed for a win, and
//! one left to hope for is not enough.

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU16, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::thread;

use thiserror::Error;

use crate::core::room;

use super::ahead::ahead;
use super::code::Code;
use super::{Move, Numbering, Place, Tables};

/// Why a group is not solved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum Unsolved {
    /// Somebody wanted it so.
    #[error("interrupted")]
    Interrupted,
    /// There is not enough memory.
    #[error("not enough memory")]
    Memory,
    /// An end of the game is further away than a table can say.
    #[error("an end of the game is more than 254 plies away")]
    TooLong,
}

/// With what the analysis works.
pub struct Effort<'a> {
    /// Threads.
    pub threads: usize,
    /// Is told from time to time how many plies back from the ends of the game the analysis looks, and answers whether
    /// to go on.
    pub go_on: &'a (dyn Fn(u32) -> bool + Sync),
}

/// Solves a group and adds its classes to the tables, which hold all earlier groups.
///
/// # Errors
/// If it was stopped, or cannot be done. The tables are unchanged then.
pub fn solve<N: Numbering>(
    numbering: &N,
    group: &[usize],
    tables: &mut Tables,
    effort: &Effort,
) -> Result<(), Unsolved> {
    let work = Work::new(numbering, group, tables)?;
    work.in_parallel(effort, 0, |_| true, |chunk, moves| work.look_ahead(chunk, moves))?;
    for code in 1..=u8::MAX {
        if work.found[usize::from(code)].load(Relaxed) {
            let code = Code(code);
            let act = |chunk: Chunk, moves: &mut _| work.look_back(chunk, code, moves);
            work.in_parallel(effort, code.0.into(), |chunk| chunk.take(code), act)?;
        }
    }
    if work.too_long.load(Relaxed) {
        return Err(Unsolved::TooLong);
    }
    for (class, codes) in work.finish() {
        tables.put(class, codes);
    }
    Ok(())
}

/// Takes some from a count. Whether nothing is left, and something was.
fn ends(count: &AtomicU16, taken: u16) -> bool {
    let less = |count: u16| Some(count.saturating_sub(taken));
    count.fetch_update(Relaxed, Relaxed, less).is_ok_and(|before| before > 0 && before <= taken)
}

/// Positions that one thread takes at once.
const CHUNK: usize = 4096;
/// The count of a position that can never be lost: more than any moves take away.
const NEVER: u16 = u16::MAX;

/// A group while it is solved.
struct Work<'a, N> {
    numbering: &'a N,
    tables: &'a Tables,
    classes: Vec<Class>,
    /// For each code, whether a position has it.
    found: [AtomicBool; 256],
    too_long: AtomicBool,
}

/// A class while it is solved.
struct Class {
    id: usize,
    /// The value of each position as far as it is known. A loss is one only when nothing is left open.
    codes: Box<[AtomicU8]>,
    /// For each position, its moves inside the group that are not refuted, less those to spare, times its images.
    open: Box<[AtomicU16]>,
    /// For each position, how many winning moves inside the group it still needs for a win, times its images; empty if
    /// any will do.
    needed: Box<[AtomicU16]>,
    /// For each chunk a set of codes: those given to its positions, and not worked off yet.
    given: Box<[[AtomicU64; 4]]>,
}

/// Some positions of a class that follow each other.
#[derive(Clone, Copy)]
struct Chunk<'a> {
    class: &'a Class,
    number: usize,
}

impl Chunk<'_> {
    /// Whether positions of it have been given this code since this was last asked.
    fn take(self, code: Code) -> bool {
        let (word, bit) = (usize::from(code.0 / 64), 1 << (code.0 % 64));
        self.class.given[self.number][word].fetch_and(!bit, Relaxed) & bit != 0
    }

    fn numbers(self) -> std::ops::Range<usize> {
        let start = self.number * CHUNK;
        start..(start + CHUNK).min(self.class.codes.len())
    }
}

impl<'a, N: Numbering> Work<'a, N> {
    fn new(numbering: &'a N, group: &[usize], tables: &'a Tables) -> Result<Self, Unsolved> {
        let class = |&id: &usize| {
            let size = numbering.size(id);
            Ok(Class {
                id,
                codes: room::zeroed(size).ok_or(Unsolved::Memory)?,
                open: room::zeroed(size).ok_or(Unsolved::Memory)?,
                needed: match numbering.spare(id) {
                    0 => Default::default(),
                    _ => room::zeroed(size).ok_or(Unsolved::Memory)?,
                },
                given: (0..size.div_ceil(CHUNK)).map(|_| Default::default()).collect(),
            })
        };
        let classes = group.iter().map(class).collect::<Result<_, _>>()?;
        let found = std::array::from_fn(|_| AtomicBool::new(false));
        Ok(Work { numbering, tables, classes, found, too_long: AtomicBool::new(false) })
    }

    /// Does something with all chunks that are `wanted`, on all threads, as one pass so many `plies` back.
    fn in_parallel(
        &self,
        effort: &Effort,
        plies: u32,
        wanted: impl Fn(Chunk) -> bool + Sync,
        act: impl Fn(Chunk, &mut Vec<Move<N>>) + Sync,
    ) -> Result<(), Unsolved> {
        let next = AtomicUsize::new(0);
        let run = || {
            let mut moves = Vec::new();
            while let Some(chunk) = self.chunk(next.fetch_add(1, Relaxed)) {
                if wanted(chunk) {
                    act(chunk, &mut moves);
                    if !(effort.go_on)(plies) {
                        return;
                    }
                }
            }
        };
        let all = self.classes.iter().map(|class| class.given.len()).sum::<usize>();
        let threads = effort.threads.min(all).max(1);
        let threads = if room::is_plenty_for(threads - 1) { threads } else { 1 };
        thread::scope(|scope| {
            for _ in 1..threads {
                // Fewer threads do the same work.
                if thread::Builder::new().spawn_scoped(scope, run).is_err() {
                    break;
                }
            }
            run();
        });
        if (effort.go_on)(plies) { Ok(()) } else { Err(Unsolved::Interrupted) }
    }

    fn chunk(&self, mut number: usize) -> Option<Chunk<'_>> {
        for class in &self.classes {
            if number < class.given.len() {
                return Some(Chunk { class, number });
            }
            number -= class.given.len();
        }
        None
    }

    /// Finds out what the moves out of the group decide, and counts the others.
    fn look_ahead(&self, chunk: Chunk, moves: &mut Vec<Move<N>>) {
        for number in chunk.numbers() {
            let Some(position) = self.numbering.position(Place { class: chunk.class.id, number }) else { continue };
            let ahead = ahead(self.numbering, self.tables, &position, moves);
            let (images, spare) = (self.numbering.images(&position), self.numbering.spare(chunk.class.id));
            let open = if ahead.can_lose { ahead.inside.saturating_sub(spare) * images } else { NEVER };
            chunk.class.open[number].store(open, Relaxed);
            if let Some(needed) = chunk.class.needed.get(number) {
                needed.store((1 + spare) * images, Relaxed);
            }
            let is_bound = open == 0 && ahead.inside > 0;
            if let Some(code) = ahead.code.or(is_bound.then_some(Code::LOST)) {
                self.give(chunk.class, number, code);
            }
        }
    }

    /// Tells the predecessors of all positions that have this code, which are certain to have it.
    fn look_back(&self, chunk: Chunk, code: Code, moves: &mut Vec<Move<N>>) {
        let Chunk { class, .. } = chunk;
        for number in chunk.numbers() {
            let known = class.codes[number].load(Relaxed);
            if known != code.0 || code.is_loss() && class.open[number].load(Relaxed) != 0 {
                continue;
            }
            let Some(position) = self.numbering.position(Place { class: class.id, number }) else { continue };
            let Some(before) = code.before() else {
                self.too_long.store(true, Relaxed);
                return;
            };
            let images = self.numbering.images(&position);
            self.numbering.predecessors(&position, moves, |place| {
                let Some(class) = self.classes.iter().find(|class| class.id == place.class) else { return };
                let known = Code(class.codes[place.number].load(Relaxed));
                if code.is_loss() {
                    let is_enough = class.needed.get(place.number).is_none_or(|needed| ends(needed, images));
                    if is_enough && (!known.is_win() || known.0 > before.0) {
                        self.give(class, place.number, before);
                    }
                } else if !known.is_win() && ends(&class.open[place.number], images) {
                    self.give(class, place.number, Code(known.0.max(before.0)));
                }
            });
        }
    }

    fn give(&self, class: &Class, number: usize, code: Code) {
        class.codes[number].store(code.0, Relaxed);
        let (word, bit) = (usize::from(code.0 / 64), 1 << (code.0 % 64));
        let given = &class.given[number / CHUNK][word];
        if given.load(Relaxed) & bit == 0 {
            given.fetch_or(bit, Relaxed);
            self.found[usize::from(code.0)].store(true, Relaxed);
        }
    }

    /// The codes of each class. Losses that are still open are draws.
    fn finish(self) -> Vec<(usize, Box<[u8]>)> {
        let finish = |class: Class| {
            let certain = |(code, open): (AtomicU8, &AtomicU16)| {
                let code = Code(code.into_inner());
                if code.is_loss() && open.load(Relaxed) != 0 { Code::DRAW.0 } else { code.0 }
            };
            (class.id, class.codes.into_iter().zip(&class.open).map(certain).collect())
        };
        self.classes.into_iter().map(finish).collect()
    }
}
