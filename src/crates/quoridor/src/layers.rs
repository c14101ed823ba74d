//! Retrograde analysis of classes of positions: the walls on the board grow in number, so the class with the most walls
//! on the board is solved first, and each class by the one after it.
//!
//! A block is solved part by part. What a wall is worth in each position is looked up in the class after it, for all
//! walls that fit: the quickest win, or the slowest loss, or that a wall holds. The rest are
//! [passes over pawn moves](super::pawn_passes). A value is a byte as [`Dtm`] has it. A place without a position has
//! [`NO_POSITION`], so that a wall that leaves a pawn without a path is seen not to be allowed.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use pentarch_core::Side;
use pentarch_core::notation::points::Mirror;
use pentarch_tables::budget::SolveError;
use pentarch_tables::dtm::Dtm;
use pentarch_tables::retrograde::zeroed;
use pentarch_tables::{Numbering, in_parallel};

use super::numbering::QuoridorNumbering;
use super::pawn_passes::{PawnMoves, WallMoves};
use super::placement::fitting;
use super::walls::Walls;

/// What stands in the tables for a place without a position: no position has this value, because in a lost position a
/// move is left.
pub const NO_POSITION: u8 = Dtm::LOST.0;
/// No wall wins, in the place of the plies of the quickest win.
const NO_WIN: u8 = u8::MAX;
/// A wall does not lose, in the place of the plies of the slowest loss.
const HOLDS: u8 = u8::MAX;
/// The blocks that a thread takes at once.
const CHUNK: usize = 64;

/// What a thread keeps between blocks.
struct Scratch {
    /// The blocks to which walls lead, in the class after that of the block.
    next: Vec<(usize, Mirror)>,
    /// For each position of one side to move in a part, the quickest win by a wall, in plies.
    wins: Vec<u8>,
    /// The slowest loss by a wall, if all walls lose, in plies; 0 if no wall is allowed.
    losses: Vec<u8>,
    walls: WallMoves,
}

/// Solves a class on so many threads. `next` are the values of the class after it; they are not looked at for the class
/// without walls in hand. `solved` is called from time to time with the number of blocks that are solved next.
///
/// # Errors
/// If there is not enough memory, or if a distance to mate does not fit into a byte.
pub fn solve(
    numbering: &QuoridorNumbering,
    class: usize,
    next: &[u8],
    threads: usize,
    solved: &(dyn Fn(usize) + Sync),
) -> Result<Box<[u8]>, SolveError> {
    let sets = numbering.sets(class);
    let mut values = zeroed(numbering.size(class))?;
    let too_long = AtomicBool::new(false);
    let chunks: Vec<_> =
        values.chunks_mut(CHUNK * numbering.block(class)).map(Mutex::new).collect();
    in_parallel(threads, 0..chunks.len(), |chunk, kept: &mut Vec<Scratch>| {
        if kept.is_empty() {
            let zeros = || vec![0; numbering.half_part()];
            kept.push(Scratch {
                next: Vec::new(),
                wins: zeros(),
                losses: zeros(),
                walls: WallMoves::default(),
            });
        }
        // No other thread takes this chunk.
        let mut chunk_values = chunks[chunk].lock().unwrap_or_else(PoisonError::into_inner);
        let sets = &sets[chunk * CHUNK..];
        let blocks = chunk_values.chunks_mut(numbering.block(class));
        solved(blocks.len());
        for (&walls, values) in sets.iter().zip(blocks) {
            if !solve_block(numbering, walls, next, &mut kept[0], values) {
                too_long.store(true, Relaxed);
            }
        }
        !too_long.load(Relaxed)
    });
    drop(chunks);
    if too_long.into_inner() { Err(SolveError::TooLong) } else { Ok(values) }
}

/// Solves a block; returns whether all distances fit into a byte.
fn solve_block(
    numbering: &QuoridorNumbering,
    walls: Walls,
    next: &[u8],
    scratch: &mut Scratch,
    values: &mut [u8],
) -> bool {
    let class = walls.count() as usize;
    let board = &numbering.rules().board;
    let moves = PawnMoves::new(board, board.open.without(walls));
    let (half, cells) = (numbering.half_part(), numbering.squares[0].len());
    scratch.next.clear();
    if class < numbering.total {
        scratch.next.extend(
            fitting(board, walls).iter().filter_map(|wall| numbering.find(walls | wall.into())),
        );
    }
    let mut fits = true;
    for (first_left, part) in values.chunks_mut(2 * half).enumerate() {
        let left = [first_left, numbering.total - class - first_left];
        scratch.walls.clear();
        for side in Side::BOTH {
            let (own_squares, other_squares) =
                (&numbering.squares[side.index()], &numbering.squares[(!side).index()]);
            let is_position = |own: usize, other: usize| {
                moves.is_position((side, own_squares[own], other_squares[other]))
            };
            let places = (0..cells).flat_map(|own| (0..cells).map(move |other| (own, other)));
            for ((own, other), value) in places.clone().zip(&mut part[side.index() * half..]) {
                *value = if is_position(own, other) { Dtm::DRAW.0 } else { NO_POSITION };
            }
            if left[side.index()] == 0 {
                continue;
            }
            look_ahead(numbering, class, side, left, next, scratch);
            for (own, other) in places {
                let at = other * cells + own;
                let pawns = (side, own_squares[own], other_squares[other]);
                match (scratch.wins[at], scratch.losses[at]) {
                    (NO_WIN, 0) => {}
                    (NO_WIN, HOLDS) => scratch.walls.hold(pawns),
                    (NO_WIN, plies) | (plies, _) => scratch.walls.decide(pawns, plies),
                }
            }
        }
        moves.solve(&mut scratch.walls, |(side, own, other), plies| {
            let [own, other] =
                [(side, own), (!side, other)].map(|(side, pawn)| numbering.number(side, pawn));
            fits &= plies < u16::from(u8::MAX) - 1;
            part[side.index() * half + own * cells + other] = (plies + 1).min(u8::MAX.into()) as u8;
        });
    }
    fits
}

/// Finds what walls are worth for this side in all positions of a part: the square of the other pawn comes first in the
/// order of the places, because it is the other side's turn after the wall.
fn look_ahead(
    numbering: &QuoridorNumbering,
    class: usize,
    side: Side,
    left: [usize; 2],
    next: &[u8],
    scratch: &mut Scratch,
) {
    let Scratch { next: blocks, wins, losses, .. } = scratch;
    let (half, cells) = (numbering.half_part(), numbering.squares[0].len());
    let mut left_then = left;
    left_then[side.index()] -= 1;
    wins.fill(NO_WIN);
    losses.fill(0);
    for &(block, mirror) in blocks.iter() {
        let (part, mover) = if mirror.ranks { (left_then[1], side) } else { (left_then[0], !side) };
        let at = block * numbering.block(class + 1) + (2 * part + mover.index()) * half;
        let after = &next[at..][..half];
        for (other, (wins, losses)) in
            wins.chunks_mut(cells).zip(losses.chunks_mut(cells)).enumerate()
        {
            let row = if mirror.files { usize::from(numbering.mirrored[other]) } else { other };
            let row = &after[row * cells..][..cells];
            let best = wins.iter_mut().zip(losses);
            if mirror.files {
                best.zip(&numbering.mirrored)
                    .for_each(|(best, &own)| take_in(best, row[usize::from(own)]));
            } else {
                best.zip(row).for_each(|(best, &value)| take_in(best, value));
            }
        }
    }
}

/// Takes in the value of a position after a wall, for the other side: a loss in `value - 1` plies is a win in `value`.
fn take_in((win, loss): (&mut u8, &mut u8), value: u8) {
    let is_position = value != NO_POSITION;
    let is_loss = value % 2 == 1;
    *win = (*win).min(if is_loss && is_position { value } else { NO_WIN });
    let lost_in = if is_loss || value == Dtm::DRAW.0 { HOLDS } else { value };
    *loss = (*loss).max(if is_position { lost_in } else { 0 });
}
