//! Pawn races: the game that is left when neither side has a wall in hand, solved exactly.
//!
//! Only the pawns move then. For the walls that stand, a position is the side to move, the square of its pawn and that
//! of the other pawn: 2 x 81 x 80 positions on the usual board. [`SolvedRace::solve`] finds the distance to mate of them all
//! by retrograde analysis.
//!
//! [`value_without_contact`] finds the value of many positions without that, from a few floods, and [`PawnRaceCache`]
//! keeps the races that were solved last.

use std::sync::{Mutex, PoisonError};

use pentarch_core::TableValue;
use pentarch_core::rules::key;

use super::board::Board;
use super::pawn_retrograde::{PawnRetrograde, PawnState, SQUARE_BITS, WallMoveValues};
use super::position::Position;
use super::square_sets::Passages;

/// The solved race for one set of walls.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SolvedRace {
    /// The passages that the walls leave open.
    open: Passages,
    /// The distance to mate in plies, by the [`index`] of the position; 0 if neither side can force a win.
    plies: Vec<u16>,
}

/// A cache of the races that were solved last, shared by all threads of a search. Each race has one slot in which it
/// can be kept.
#[derive(Debug)]
pub struct PawnRaceCache(Box<[Mutex<Option<SolvedRace>>]>);

/// The number of slots of the cache.
const SLOTS: usize = 64;

impl PawnRaceCache {
    /// The value of an undecided position without walls in hand. The race is solved now if it is not in the cache.
    pub fn value(&self, board: &Board, position: &Position) -> TableValue {
        let open = position.open_passages(board);
        let words = [open.north, open.east].map(|set| (set ^ set >> 64) as u64);
        let slot = &self.0[key::hash(&words) as usize % SLOTS];
        let mut kept = slot.lock().unwrap_or_else(PoisonError::into_inner);
        let race = match kept.take() {
            Some(race) if race.open == open => race,
            _ => SolvedRace::solve(board, open),
        };
        kept.insert(race).value(position)
    }
}

impl Default for PawnRaceCache {
    fn default() -> PawnRaceCache {
        PawnRaceCache((0..SLOTS).map(|_| Mutex::default()).collect())
    }
}

impl SolvedRace {
    /// Solves the race through these passages.
    pub fn solve(board: &Board, open: Passages) -> SolvedRace {
        let mut race = SolvedRace { open, plies: vec![0; 2 * SQUARE_BITS * SQUARE_BITS] };
        let moves = PawnRetrograde::new(board, open);
        moves.solve(&mut WallMoveValues::default(), |pawns, plies| race.plies[index(pawns)] = plies);
        race
    }

    /// The value of an undecided position without walls in hand. Its walls are those for which the race was solved.
    pub fn value(&self, position: &Position) -> TableValue {
        let [own, other] = [position.mover, !position.mover].map(|side| position.pawn(side));
        match self.plies.get(index((position.mover, own, other))) {
            None | Some(0) => TableValue::Draw,
            Some(&plies) if plies % 2 == 1 => TableValue::Win(plies.into()),
            Some(&plies) => TableValue::Loss(plies.into()),
        }
    }
}

/// The index of a position in [`SolvedRace::plies`].
fn index((side, own, other): PawnState) -> usize {
    (side.index() * SQUARE_BITS + usize::from(other.0)) * SQUARE_BITS + usize::from(own.0)
}

/// The value of a position without walls in hand in which the pawns cannot come into contact: both run, and the one
/// that arrives first wins. None if contact cannot be ruled out.
///
/// Let both pawns run along a shortest path, that of the winner `n` steps long. A pawn can be faster only by a jump,
/// and without a pawn beside it, it neither jumps nor is blocked. So it is enough that
///
/// - whatever the loser does, it cannot come to stand beside the winner's pawn on its path: then the winner needs no
///   more than `n` moves, and
/// - whatever the winner does, it cannot come to stand beside the loser's pawn on *its* path when it is to move: then
///   it needs no fewer, against this defence.
///
/// Until there is contact, a pawn that has made `k` moves stands on a square within `k` steps, and the squares beside
/// it lie within `k + 1` steps. Call the side to move at the beginning the first side.
///
/// - If the first side wins: when it is to move again after `k` moves, the other side has made `k` moves as well. So
///   the square that each pawn reaches after `k` steps of its path must lie beyond `k + 1` steps of the other pawn.
/// - If the other side wins: when it is to move after `k` moves, the first side has made `k + 1`. So the square that
///   the other pawn reaches after `k` steps must lie beyond `k + 2` steps of the first pawn, and the square that the
///   first pawn reaches after `k + 1` steps must lie beyond `k + 1` steps of the other pawn.
///
/// Between these moments the pawn that is to move has made one step less, so it can neither stand on the next square of
/// the other pawn's path nor beside its present square.
pub fn value_without_contact(
    board: &Board,
    position: &Position,
    open: Passages,
) -> Option<TableValue> {
    let pawns = [position.mover, !position.mover]
        .map(|side| (position.pawn(side).bit(), board.goals[side.index()]));
    let [(own, own_goal), (other, other_goal)] = pawns;
    let [own_paths, other_paths] =
        [open.shortest_paths(own, own_goal)?, open.shortest_paths(other, other_goal)?];
    let own_wins = own_paths.length <= other_paths.length;
    let grown = |reached: u128| reached | open.neighbours(reached);
    let mut own_reach = if own_wins { grown(own) } else { grown(grown(own)) };
    let mut other_reach = grown(other);
    let own_squares =
        std::iter::once(own).chain(own_paths.squares_after(open)).skip(usize::from(!own_wins));
    let other_squares = std::iter::once(other).chain(other_paths.squares_after(open));
    let steps = own_paths.length.min(other_paths.length);
    for (own, other) in own_squares.zip(other_squares).take(steps as usize) {
        if own & other_reach | other & own_reach != 0 {
            return None;
        }
        own_reach = grown(own_reach);
        other_reach = grown(other_reach);
    }
    Some(if own_wins {
        TableValue::Win((2 * steps).saturating_sub(1))
    } else {
        TableValue::Loss(2 * steps)
    })
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::super::test_positions::random_position;
    use super::super::walls::Walls;
    use super::super::{Quoridor, moves};
    use super::*;
    use pentarch_core::Notation;

    /// The positions after each legal move of a position without walls in hand, by the move generator.
    fn successors(board: &Board, position: &Position) -> Vec<Position> {
        let mut list = Vec::new();
        if position.outcome(board).is_none() {
            moves::generate_moves(
                position,
                moves::pawn_targets(position, position.open_passages(board)),
                || Walls::NONE,
                &mut list,
            );
        }
        list.into_iter().map(|mv| Position { full_move: 1, ..position.play(mv) }).collect()
    }

    /// The values of all positions that can be reached from one without walls in hand, by sweeps over all of them that
    /// apply the definition of wins and losses until nothing changes.
    fn solved_by_sweeps(board: &Board, start: Position) -> Vec<(Position, TableValue)> {
        let key =
            |position: &Position| (position.mover as u8, position.pawns[0].0, position.pawns[1].0);
        let mut found = HashMap::from([(key(&start), 0)]);
        let mut positions = vec![start];
        let mut following: Vec<Vec<usize>> = Vec::new();
        while let Some(position) = positions.get(following.len()).copied() {
            let mut indices = Vec::new();
            for next in successors(board, &position) {
                indices.push(*found.entry(key(&next)).or_insert_with(|| {
                    positions.push(next);
                    positions.len() - 1
                }));
            }
            following.push(indices);
        }
        let lost = |position: &Position| position.outcome(board).map(|_| TableValue::Loss(0));
        let mut values: Vec<Option<TableValue>> = positions.iter().map(lost).collect();
        loop {
            let evaluate = |at: usize| {
                let next = || following[at].iter().map(|&index| values[index]);
                let losses = next().filter_map(|value| {
                    if let Some(TableValue::Loss(n)) = value { Some(n) } else { None }
                });
                let wins = next()
                    .map(|value| if let Some(TableValue::Win(n)) = value { Some(n) } else { None });
                let win = losses.min().map(|plies| TableValue::Win(plies + 1));
                let loss = || {
                    wins.collect::<Option<Vec<u32>>>()?
                        .into_iter()
                        .max()
                        .map(|plies| TableValue::Loss(plies + 1))
                };
                values[at].or(win).or_else(loss)
            };
            let swept: Vec<_> = (0..positions.len()).map(evaluate).collect();
            if swept == values {
                break;
            }
            values = swept;
        }
        positions
            .into_iter()
            .zip(values.into_iter().map(|value| value.unwrap_or(TableValue::Draw)))
            .collect()
    }

    /// Compares all values on random boards. Returns how many positions were draws, and for how many floods were
    /// enough.
    fn compare(boards: usize) -> [usize; 2] {
        let mut rng = fastrand::Rng::with_seed(13);
        let (mut draws, mut quick) = (0, 0);
        for size in 3..=11 {
            let board = Board::new(size);
            let cache = PawnRaceCache::default();
            for _ in 0..boards * 11 / usize::from(size) {
                let start = Position { walls_left: [0; 2], ..random_position(&board, &mut rng) };
                let open = start.open_passages(&board);
                let race = SolvedRace::solve(&board, open);
                for (position, value) in solved_by_sweeps(&board, start) {
                    let by_floods = value_without_contact(&board, &position, open);
                    assert!(
                        by_floods.is_none_or(|found| found == value),
                        "{position:?} {by_floods:?} {value:?}"
                    );
                    quick += usize::from(by_floods.is_some());
                    if position.outcome(&board).is_none() {
                        assert_eq!(race.value(&position), value, "{position:?}");
                        assert_eq!(cache.value(&board, &position), value, "{position:?}");
                        draws += usize::from(value == TableValue::Draw);
                    }
                }
            }
        }
        [draws, quick]
    }

    #[test]
    fn races_end_as_plain_retrograde_analysis_says() {
        let [_, quick] = compare(3);
        assert!(quick > 1000, "{quick}");
    }

    /// The pawns stand diagonally, and White can step beside Black's pawn on d3, which loses, or on e2.
    #[test]
    fn a_race_that_neither_side_can_force_is_a_draw() {
        let rules = Quoridor { walls: [4; 2], board: Board::new(5), ..Quoridor::default() };
        let position = rules.parse_position("d2e3 a3ha4hb2hc1vc4vd1hd3hd4h w 0/0 1").unwrap();
        let race = SolvedRace::solve(&rules.board, position.open_passages(&rules.board));
        assert_eq!(race.value(&position), TableValue::Draw);
        let next: Vec<_> =
            successors(&rules.board, &position).iter().map(|next| race.value(next)).collect();
        assert_eq!(next, [TableValue::Win(9), TableValue::Draw]);
    }

    /// `cargo test --release -p pentarch-quoridor pawn_race:: -- --ignored`
    #[test]
    #[ignore = "solves hundreds of races sweep by sweep: minutes"]
    fn many_races_end_as_plain_retrograde_analysis_says() {
        let [draws, quick] = compare(200);
        assert!(draws > 100 && quick > 1_000_000, "{draws} {quick}");
    }
}
