//! The analysis: from the ends of the game backwards, one more ply with each pass.
//!
//! First each position of a group looks at its moves out of the group: what they lead to is known. Its moves inside are
//! only counted. Then the passes: what is lost in `n` plies makes wins in `n + 1` of all its predecessors, and what is
//! won in `n` takes one from the count of each; a position without moves left to hope for is lost. What no pass reaches
//! is a draw. A move to one of several symmetric positions counts by how many there are of them, so that the counts
//! hold for places as well.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU16, Ordering::Relaxed};

use thiserror::Error;

use crate::core::room;

use super::ahead::ahead;
use super::code::Code;
use super::due::{Due, in_parallel};
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
    let chunks = work.classes.iter().map(|class| class.due.chunks()).sum();
    in_parallel(effort, 0, chunks, |chunk, moves| {
        work.chunk(chunk).is_some_and(|(class, chunk)| work.look_ahead(class, class.due.all(chunk), moves))
    })?;
    for code in (1..=u8::MAX).map(Code) {
        if work.classes.iter().any(|class| class.due.has(code)) {
            in_parallel(effort, code.0.into(), chunks, |chunk, moves| {
                let due = work.chunk(chunk).and_then(|(class, chunk)| Some((class, class.due.take(chunk, code)?)));
                due.is_some_and(|(class, numbers)| work.look_back(class, numbers, code, moves))
            })?;
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

/// The count of a position that can never be lost: more than any moves take away.
const NEVER: u16 = u16::MAX;

/// A group while it is solved.
struct Work<'a, N> {
    numbering: &'a N,
    tables: &'a Tables,
    classes: Vec<Class>,
    too_long: AtomicBool,
}

/// A class while it is solved.
struct Class {
    id: usize,
    /// The value of each position as far as it is known. A loss is one only when nothing is left open.
    codes: Box<[AtomicU8]>,
    /// For each position, its moves inside the group that are not refuted, times its images.
    open: Box<[AtomicU16]>,
    /// The positions that have been given a code, and not worked off yet.
    due: Due,
}

impl<'a, N: Numbering> Work<'a, N> {
    fn new(numbering: &'a N, group: &[usize], tables: &'a Tables) -> Result<Self, Unsolved> {
        let class = |&id: &usize| {
            let size = numbering.size(id);
            Ok(Class {
                id,
                codes: room::zeroed(size).ok_or(Unsolved::Memory)?,
                open: room::zeroed(size).ok_or(Unsolved::Memory)?,
                due: Due::new(size),
            })
        };
        let classes = group.iter().map(class).collect::<Result<_, _>>()?;
        Ok(Work { numbering, tables, classes, too_long: AtomicBool::new(false) })
    }

    /// The class of a chunk, and its number there.
    fn chunk(&self, mut number: usize) -> Option<(&Class, usize)> {
        for class in &self.classes {
            if number < class.due.chunks() {
                return Some((class, number));
            }
            number -= class.due.chunks();
        }
        None
    }

    /// Finds out what the moves out of the group decide, and counts the others.
    fn look_ahead(&self, class: &Class, numbers: Range<usize>, moves: &mut Vec<Move<N>>) -> bool {
        for number in numbers {
            let Some(position) = self.numbering.position(Place { class: class.id, number }) else { continue };
            let ahead = ahead(self.numbering, self.tables, &position, moves);
            let open = if ahead.can_lose { ahead.inside * self.numbering.images(&position) } else { NEVER };
            class.open[number].store(open, Relaxed);
            if let Some(code) = ahead.code {
                class.give(number, code);
            }
        }
        true
    }

    /// Tells the predecessors of all positions that have this code, which are certain to have it.
    fn look_back(&self, class: &Class, numbers: Range<usize>, code: Code, moves: &mut Vec<Move<N>>) -> bool {
        for number in numbers {
            let known = class.codes[number].load(Relaxed);
            if known != code.0 || code.is_loss() && class.open[number].load(Relaxed) != 0 {
                continue;
            }
            let Some(position) = self.numbering.position(Place { class: class.id, number }) else { continue };
            let Some(before) = code.before() else {
                self.too_long.store(true, Relaxed);
                break;
            };
            let images = if code.is_win() { self.numbering.images(&position) } else { 0 };
            self.numbering.predecessors(&position, moves, |place| {
                let Some(class) = self.classes.iter().find(|class| class.id == place.class) else { return };
                let known = Code(class.codes[place.number].load(Relaxed));
                if code.is_loss() {
                    if !known.is_win() || known.0 > before.0 {
                        class.give(place.number, before);
                    }
                } else if !known.is_win() && class.open[place.number].fetch_sub(images, Relaxed) == images {
                    class.give(place.number, Code(known.0.max(before.0)));
                }
            });
        }
        true
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

impl Class {
    fn give(&self, number: usize, code: Code) {
        self.codes[number].store(code.0, Relaxed);
        self.due.give(number, code);
    }
}
