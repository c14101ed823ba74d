//! Retrograde analysis of classes of positions. [`numbering`](super::numbering) explains classes,
//! blocks and parts. The number of walls on the board only grows during a game. So the class with
//! the most walls on the board is solved first. Each other class is solved with the values of the
//! class after it.
//!
//! A block is solved part by part. First, for each position, the solver looks up the values of the
//! positions after each wall that fits. These values are in the next class. The lookup has one of
//! three results: the quickest win if some wall wins, the slowest loss if all walls lose, or the
//! fact that the best wall neither wins nor loses. Then the solver makes [retrograde passes with
//! pawn moves](super::pawn_retrograde).
//!
//! A value is a byte as in [`Dtm`]. An index without a position has the value
//! [`NO_POSITION_VALUE`]. If a wall leads to this value, the wall is illegal, because it leaves a
//! pawn without a path.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use pentarch_core::Side;
use pentarch_tables::dtm::Dtm;
use pentarch_tables::retrograde::allocate_zeros;
use pentarch_tables::retrograde_control::GroupSolveError;
use pentarch_tables::{PositionNumbering, run_in_parallel};

use super::numbering::{QuoridorNumbering, WallSetBlockLocation};
use super::pawn_retrograde::{PawnRetrograde, PawnsAndTurn, WallMoveValues};
use super::wall_placement::walls_fitting_on_board;
use super::walls::Walls;

/// The table value of an index that stands for no position. For a position, this value would mean
/// that the game is already over and lost. Such positions have no index.
pub(crate) const NO_POSITION_VALUE: u8 = Dtm::LOST_VALUE.0;
/// The element of [`BlockSolverScratch::wins`] for a position in which no wall wins.
const NO_WIN_PLIES: u8 = u8::MAX;
/// The element of [`BlockSolverScratch::losses`] for a position in which some wall does not lose.
const NOT_LOSING_VALUE: u8 = u8::MAX;
/// The number of consecutive blocks that a thread solves before it takes the next ones.
const BLOCKS_PER_THREAD_CHUNK: usize = 64;

/// Memory that a thread reuses from block to block.
struct BlockSolverScratch {
    /// The blocks of the next class to which fitting walls lead from the current block.
    next_blocks: Vec<WallSetBlockLocation>,
    /// For each position of the current part with one side to move, the number of plies of the
    /// quickest win that begins with a wall.
    wins: Vec<u8>,
    /// For each such position, the number of plies of the slowest loss if all walls lose; 0 if no
    /// wall is legal.
    losses: Vec<u8>,
    walls: WallMoveValues,
}

/// Solves a class on `threads` threads. `next` are the values of the class with one more wall on
/// the board. These values are not used if no wall is in hand. Calls `report_blocks` from time to
/// time with the number of blocks that a thread begins to solve.
///
/// # Errors
/// If there is not enough memory, or if a distance to mate does not fit into a byte.
pub(crate) fn solve_class(
    numbering: &QuoridorNumbering,
    class: usize,
    next: &[u8],
    threads: usize,
    report_blocks: &(dyn Fn(usize) + Sync),
) -> Result<Box<[u8]>, GroupSolveError> {
    let sets = numbering.wall_sets(class);
    let mut values = allocate_zeros(numbering.class_size(class))?;
    let too_long = AtomicBool::new(false);
    let chunks: Vec<_> = values
        .chunks_mut(BLOCKS_PER_THREAD_CHUNK * numbering.block_size(class))
        .map(Mutex::new)
        .collect();
    run_in_parallel(threads, 0..chunks.len(), |chunk, scratch: &mut Vec<BlockSolverScratch>| {
        if scratch.is_empty() {
            let zeros = || vec![0; numbering.half_part_size()];
            scratch.push(BlockSolverScratch {
                next_blocks: Vec::new(),
                wins: zeros(),
                losses: zeros(),
                walls: WallMoveValues::default(),
            });
        }
        // No other thread uses this chunk.
        let mut chunk_values = chunks[chunk].lock().unwrap_or_else(PoisonError::into_inner);
        let sets = &sets[chunk * BLOCKS_PER_THREAD_CHUNK..];
        let blocks = chunk_values.chunks_mut(numbering.block_size(class));
        report_blocks(blocks.len());
        for (&walls, values) in sets.iter().zip(blocks) {
            if !solve_block(numbering, walls, next, &mut scratch[0], values) {
                too_long.store(true, Relaxed);
            }
        }
        !too_long.load(Relaxed)
    });
    drop(chunks);
    if too_long.into_inner() { Err(GroupSolveError::TooLong) } else { Ok(values) }
}

/// Solves a block, and writes the values to `values`. Returns whether all distances to mate fit
/// into a byte.
fn solve_block(
    numbering: &QuoridorNumbering,
    walls: Walls,
    next: &[u8],
    scratch: &mut BlockSolverScratch,
    values: &mut [u8],
) -> bool {
    let class = walls.count() as usize;
    let board = &numbering.rules().board;
    let pawn_retrograde = PawnRetrograde::new(board, board.passages.without_walls(walls));
    let half = numbering.half_part_size();
    let square_count = numbering.squares[0].len();
    scratch.next_blocks.clear();
    if class < numbering.total {
        let fitting = walls_fitting_on_board(board, walls).iter();
        scratch
            .next_blocks
            .extend(fitting.filter_map(|wall| numbering.find_wall_set_block(walls | wall.into())));
    }
    let mut fits = true;
    for (first_left, part) in values.chunks_mut(2 * half).enumerate() {
        let left = [first_left, numbering.total - class - first_left];
        scratch.walls.clear();
        for side in Side::BOTH_SIDES {
            for (pawns, value) in
                pawns_and_turn_by_index(numbering, side).zip(&mut part[side.index() * half..])
            {
                let is_valid_position = pawn_retrograde.is_valid_position(pawns);
                *value = if is_valid_position { Dtm::DRAW_VALUE.0 } else { NO_POSITION_VALUE };
            }
            if left[side.index()] > 0 {
                find_best_wall_values(numbering, class, side, left, next, scratch);
                record_wall_values_for_retrograde(numbering, side, scratch);
            }
        }
        pawn_retrograde.solve(&mut scratch.walls, |PawnsAndTurn { side, own, other }, plies| {
            let own = numbering.pawn_square_number(side, own);
            let other = numbering.pawn_square_number(!side, other);
            fits &= plies < u16::from(u8::MAX) - 1;
            part[side.index() * half + own * square_count + other] =
                (plies + 1).min(u8::MAX.into()) as u8;
        });
    }
    fits
}

/// Returns the squares of the pawns for all indices of a part with this side to move, in ascending
/// order of the indices.
fn pawns_and_turn_by_index(
    numbering: &QuoridorNumbering,
    side: Side,
) -> impl Iterator<Item = PawnsAndTurn> {
    let other_squares = &numbering.squares[(!side).index()];
    numbering.squares[side.index()].iter().flat_map(move |&own| {
        other_squares.iter().map(move |&other| PawnsAndTurn { side, own, other })
    })
}

/// Finds, for each position of a part with this side to move, the best values to which a wall
/// leads. Writes these values to `wins` and `losses` of the scratch memory. The values are ordered
/// first by the square of the other side's pawn, like `next`: after a wall, the other side is to
/// move.
fn find_best_wall_values(
    numbering: &QuoridorNumbering,
    class: usize,
    side: Side,
    left: [usize; 2],
    next: &[u8],
    scratch: &mut BlockSolverScratch,
) {
    let BlockSolverScratch { next_blocks, wins, losses, .. } = scratch;
    let half = numbering.half_part_size();
    let square_count = numbering.squares[0].len();
    let mut left_after = left;
    left_after[side.index()] -= 1;
    wins.fill(NO_WIN_PLIES);
    losses.fill(0);
    for &WallSetBlockLocation { block, mirror } in next_blocks.iter() {
        // The positions after the wall are one half of a part. A mirror of the ranks swaps the
        // sides.
        let (part, mover) =
            if mirror.ranks { (left_after[1], side) } else { (left_after[0], !side) };
        let at = block * numbering.block_size(class + 1) + (2 * part + mover.index()) * half;
        let after = &next[at..][..half];
        for (other, (wins, losses)) in
            wins.chunks_mut(square_count).zip(losses.chunks_mut(square_count)).enumerate()
        {
            let row =
                if mirror.files { usize::from(numbering.mirrored_numbers[other]) } else { other };
            let row = &after[row * square_count..][..square_count];
            let best = wins.iter_mut().zip(losses);
            if mirror.files {
                best.zip(&numbering.mirrored_numbers)
                    .for_each(|(best, &own)| update_best_win_and_loss(best, row[usize::from(own)]));
            } else {
                best.zip(row).for_each(|(best, &value)| update_best_win_and_loss(best, value));
            }
        }
    }
}

/// Copies the values that [`find_best_wall_values`] found for this side to `scratch.walls`, for the
/// retrograde passes.
fn record_wall_values_for_retrograde(
    numbering: &QuoridorNumbering,
    side: Side,
    scratch: &mut BlockSolverScratch,
) {
    let own_squares = &numbering.squares[side.index()];
    let other_squares = &numbering.squares[(!side).index()];
    for (own_number, &own) in own_squares.iter().enumerate() {
        for (other_number, &other) in other_squares.iter().enumerate() {
            let pawns = PawnsAndTurn { side, own, other };
            let at = other_number * own_squares.len() + own_number;
            match (scratch.wins[at], scratch.losses[at]) {
                (NO_WIN_PLIES, 0) => {}
                (NO_WIN_PLIES, NOT_LOSING_VALUE) => scratch.walls.record_not_losing(pawns),
                (NO_WIN_PLIES, plies) | (plies, _) => {
                    scratch.walls.record_decided_by_walls(pawns, plies)
                }
            }
        }
    }
}

/// Updates the quickest win and the slowest loss of a position with the result of one more wall.
/// `value` is the value after this wall, as a byte, for the other side, who is then to move. If the
/// other side loses in `value - 1` plies, the wall wins in `value` plies.
fn update_best_win_and_loss((win, loss): (&mut u8, &mut u8), value: u8) {
    let is_valid_position = value != NO_POSITION_VALUE;
    let is_loss = value % 2 == 1;
    *win = (*win).min(if is_loss && is_valid_position { value } else { NO_WIN_PLIES });
    let lost_in = if is_loss || value == Dtm::DRAW_VALUE.0 { NOT_LOSING_VALUE } else { value };
    *loss = (*loss).max(if is_valid_position { lost_in } else { 0 });
}
