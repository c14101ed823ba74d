//! Tables of solved positions by retrograde analysis, for any game that can number its positions.
//!
//! | room | what it holds |
//! |---|---|
//! | [`later`] | made on a thread of its own |
//! | [`sets`] | sets of points as numbers |
//! | [`ahead`] | looking one move ahead |
//! | [`book`] | small numbers by keys, without the keys |
//! | [`check`] | holding tables against the rules |
//! | [`code`] | a value in a byte |
//! | [`due`] | passes over many positions, on several threads |
//! | [`file`](mod@file) | tables in files |
//! | [`solve`] | the analysis: from the ends of the game backwards |

pub mod ahead;
pub mod book;
pub mod check;
pub mod code;
pub mod due;
pub mod file;
pub mod later;
pub mod sets;
pub mod solve;

use crate::core::Game;

use code::Code;
use later::Making;
use solve::Effort;

/// Where the value of a position is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// The class of the position: what stands on the board, for the side to move and for the other one.
    pub class: usize,
    /// Its number in that class.
    pub number: usize,
}

/// The numbering of a game's positions.
///
/// Positions that a symmetry of the rules maps on each other share a place, exchanged sides included: a place knows
/// only the side to move and the other one. Places belong to classes, classes to groups. A move leads to a position of
/// its own group or of an earlier one, or ends the game; each turn passes the move to the other side, and whoever moves
/// last never loses by it.
pub trait Numbering: Sync {
    /// The game.
    type Game: Game;

    /// Its rules.
    fn game(&self) -> &Self::Game;

    /// The classes in groups, in the order in which they can be solved.
    fn groups(&self) -> Vec<Vec<usize>>;

    /// How many numbers the class has. Not each of them need be that of a position.
    fn size(&self, class: usize) -> usize;

    /// The place of a position; none if the numbering leaves it out, as it may if the game is over.
    fn place(&self, position: &Position<Self>) -> Option<Place>;

    /// The position at a place, or one of the symmetric ones; none if no position has this place.
    fn position(&self, place: Place) -> Option<Position<Self>>;

    /// How many different positions share the place of this one.
    fn images(&self, position: &Position<Self>) -> u16;

    /// Whether a move leads out of the group of its position, or ends the game.
    fn leaves_group(&self, position: &Position<Self>, mv: Move<Self>) -> bool;

    /// Visits the place of each position of the same group from which one move leads to this one, once for each such
    /// position. `moves` is room to work in, empty before and after.
    fn predecessors(&self, position: &Position<Self>, moves: &mut Vec<Move<Self>>, visit: impl FnMut(Place));
}

/// A position of the game that is numbered.
pub type Position<N> = <<N as Numbering>::Game as Game>::Position;
/// A move of the game that is numbered.
pub type Move<N> = <<N as Numbering>::Game as Game>::Move;

/// How many threads make tables: as many as the machine has, up to four.
pub fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, |threads| threads.get().min(4))
}

/// The values of the positions of some classes.
#[derive(Debug, Default)]
pub struct Tables {
    /// The codes by class and number.
    classes: Vec<Option<Box<[u8]>>>,
}

impl Tables {
    /// The value at a place; none if its class is not solved.
    pub fn get(&self, place: Place) -> Option<Code> {
        let codes = self.classes.get(place.class)?.as_ref()?;
        codes.get(place.number).map(|&code| Code(code))
    }

    /// The bytes that these classes take.
    pub fn bytes(&self, classes: &[usize]) -> usize {
        classes.iter().map(|&class| self.codes(class).len()).sum()
    }

    /// Solves a group for somebody who asks for it [later](later); whether it could be done.
    pub fn solve<N: Numbering, T: Send + Sync>(&mut self, numbering: &N, group: &[usize], making: &Making<T>) -> bool {
        let effort = Effort { threads: threads(), go_on: &|_| !making.is_unwanted() };
        let solved = solve::solve(numbering, group, self, &effort);
        if let Err(error) = &solved {
            making.complain(format!("there are no tables for {}: {error}", N::Game::NAME));
        }
        solved.is_ok()
    }

    /// The values of a class; none if it is not solved.
    fn codes(&self, class: usize) -> &[u8] {
        self.classes.get(class).and_then(|codes| codes.as_deref()).unwrap_or_default()
    }

    fn put(&mut self, class: usize, codes: Box<[u8]>) {
        if self.classes.len() <= class {
            self.classes.resize_with(class + 1, || None);
        }
        self.classes[class] = Some(codes);
    }
}
