//! Pawn races: the game in which neither side has a wall in hand, solved exactly.
//!
//! Only the pawns still move. With a given set of walls, a position consists of the side to move,
//! the square of this side's pawn and the square of the other pawn. On the default board, there are
//! 2 x 81 x 80 positions. [`SolvedPawnRace::solve`] computes the distances to mate of all these
//! positions by retrograde analysis.
//!
//! For many positions, [`race_value_without_contact`] computes the value without retrograde
//! analysis, with a few floods. [`PawnRaceCache`] stores the races that were solved last.

use std::sync::{Mutex, PoisonError};

use pentarch_core::TableValue;
use pentarch_core::rules::key;

use super::board::Board;
use super::pawn_retrograde::{BITS_PER_SQUARE_SET, PawnRetrograde, PawnsAndTurn, WallMoveValues};
use super::position::Position;
use super::square_sets::PassageSet;

/// A solved pawn race: the values of all positions with one set of walls and no wall in hand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SolvedPawnRace {
    /// The passages that the walls leave open.
    open: PassageSet,
    /// The distance to mate in plies of each position, at the index [`race_position_index`]; 0 if
    /// neither side can force a win.
    plies: Vec<u16>,
}

/// A cache of the races that were solved last. All threads of a search share the cache. The walls
/// of a race determine the only slot in which the race can be stored.
#[derive(Debug)]
pub(crate) struct PawnRaceCache(Box<[Mutex<Option<SolvedPawnRace>>]>);

const PAWN_RACE_CACHE_SLOTS: usize = 64;

impl PawnRaceCache {
    /// Returns the value of an undecided position without walls in hand. Solves the race if the
    /// race is not in the cache.
    pub(crate) fn value(&self, board: &Board, position: &Position) -> TableValue {
        let open = position.open_passages(board);
        let words = [open.north, open.east].map(|set| (set ^ set >> 64) as u64);
        let slot = &self.0[key::hash_words(&words) as usize % PAWN_RACE_CACHE_SLOTS];
        let mut cached = slot.lock().unwrap_or_else(PoisonError::into_inner);
        let race = match cached.take() {
            Some(race) if race.open == open => race,
            _ => SolvedPawnRace::solve(board, open),
        };
        cached.insert(race).value(position)
    }
}

impl Default for PawnRaceCache {
    fn default() -> PawnRaceCache {
        PawnRaceCache((0..PAWN_RACE_CACHE_SLOTS).map(|_| Mutex::default()).collect())
    }
}

impl SolvedPawnRace {
    /// Solves the race through these passages.
    pub(crate) fn solve(board: &Board, open: PassageSet) -> SolvedPawnRace {
        let mut race =
            SolvedPawnRace { open, plies: vec![0; 2 * BITS_PER_SQUARE_SET * BITS_PER_SQUARE_SET] };
        let pawn_retrograde = PawnRetrograde::new(board, open);
        pawn_retrograde.solve(&mut WallMoveValues::default(), |pawns, plies| {
            race.plies[race_position_index(pawns)] = plies;
        });
        race
    }

    /// Returns the value of an undecided position without walls in hand. The race must have been
    /// solved for the walls of this position.
    pub(crate) fn value(&self, position: &Position) -> TableValue {
        let side = position.mover;
        let pawns = PawnsAndTurn { side, own: position.pawn(side), other: position.pawn(!side) };
        match self.plies.get(race_position_index(pawns)) {
            None | Some(0) => TableValue::Draw,
            Some(&plies) if plies % 2 == 1 => TableValue::Win(plies.into()),
            Some(&plies) => TableValue::Loss(plies.into()),
        }
    }
}

/// Returns the index of a position in [`SolvedPawnRace::plies`].
fn race_position_index(PawnsAndTurn { side, own, other }: PawnsAndTurn) -> usize {
    (side.index() * BITS_PER_SQUARE_SET + usize::from(other.0)) * BITS_PER_SQUARE_SET
        + usize::from(own.0)
}

/// Returns the value of a position without walls in hand, if the pawns cannot come into contact.
/// Then both pawns run to their goals, and the pawn that arrives first wins. Returns `None` if
/// contact cannot be excluded.
///
/// Let each pawn run along a shortest path, and let the winner's path have `n` steps. A pawn can be
/// faster only by a jump. A pawn that is not next to the other pawn can neither jump nor be
/// blocked. So two conditions are sufficient:
///
/// - No moves of the loser can bring its pawn next to the winner's pawn on the winner's path. Then
///   the winner needs at most `n` moves.
/// - When the winner is to move, no moves of the winner can have brought its pawn next to the
///   loser's pawn on the loser's path. Then the winner needs at least `n` moves against this
///   defence.
///
/// Until there is contact, a pawn that has made `k` moves is within `k` steps of its first square.
/// The squares next to the pawn are within `k + 1` steps of its first square. Call the side to move
/// at the beginning the first side.
///
/// - If the first side wins: when the first side is to move again after `k` moves, the other side
///   has also made `k` moves. Each pawn reaches some square after `k` steps of its path. This
///   square must be more than `k + 1` steps from the other pawn's first square.
/// - If the other side wins: when the other side is to move after `k` moves, the first side has
///   made `k + 1` moves. The other pawn reaches some square after `k` steps. This square must be
///   more than `k + 2` steps from the first pawn's first square. The first pawn reaches some square
///   after `k + 1` steps. This square must be more than `k + 1` steps from the other pawn's first
///   square.
///
/// At the moments in between, the pawn of the side to move has made one step less. So this pawn is
/// not on the next square of the other pawn's path, and not next to the other pawn's current
/// square.
pub(crate) fn race_value_without_contact(
    board: &Board,
    position: &Position,
    open: PassageSet,
) -> Option<TableValue> {
    let pawns = [position.mover, !position.mover]
        .map(|side| (position.pawn(side).bit(), board.goals[side.index()]));
    let [(own, own_goal), (other, other_goal)] = pawns;
    let [own_paths, other_paths] =
        [open.shortest_paths(own, own_goal)?, open.shortest_paths(other, other_goal)?];
    let own_wins = own_paths.length <= other_paths.length;
    let grow = |reached: u128| reached | open.neighbours(reached);
    let mut own_reach = if own_wins { grow(own) } else { grow(grow(own)) };
    let mut other_reach = grow(other);
    let own_squares = std::iter::once(own)
        .chain(own_paths.chosen_path_squares(open))
        .skip(usize::from(!own_wins));
    let other_squares = std::iter::once(other).chain(other_paths.chosen_path_squares(open));
    let steps = own_paths.length.min(other_paths.length);
    for (own, other) in own_squares.zip(other_squares).take(steps as usize) {
        if own & other_reach | other & own_reach != 0 {
            return None;
        }
        own_reach = grow(own_reach);
        other_reach = grow(other_reach);
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

    /// Returns the positions after the legal pawn moves in a position without walls in hand.
    fn successors(board: &Board, position: &Position) -> Vec<Position> {
        let mut list = Vec::new();
        if position.outcome(board).is_none() {
            moves::generate_moves(
                position,
                moves::pawn_targets(position, position.open_passages(board)),
                || Walls::EMPTY,
                &mut list,
            );
        }
        list.into_iter().map(|mv| Position { full_move: 1, ..position.play(mv) }).collect()
    }

    /// Returns the values of all positions that can follow a position without walls in hand. Each
    /// sweep computes the values of all positions from the values of the positions after their
    /// moves, until no value changes.
    fn solve_by_sweeps(board: &Board, start: Position) -> Vec<(Position, TableValue)> {
        let key =
            |position: &Position| (position.mover as u8, position.pawns[0].0, position.pawns[1].0);
        let mut indices_by_key = HashMap::from([(key(&start), 0)]);
        let mut positions = vec![start];
        let mut following: Vec<Vec<usize>> = Vec::new();
        while let Some(position) = positions.get(following.len()).copied() {
            let mut indices = Vec::new();
            for next in successors(board, &position) {
                indices.push(*indices_by_key.entry(key(&next)).or_insert_with(|| {
                    positions.push(next);
                    positions.len() - 1
                }));
            }
            following.push(indices);
        }
        let mut values: Vec<Option<TableValue>> = Vec::new();
        for position in &positions {
            values.push(position.outcome(board).map(|_| TableValue::Loss(0)));
        }
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

    /// The number of compared draws, and the number of positions whose value was found without pawn
    /// contact.
    #[derive(Debug)]
    struct Counts {
        draws: usize,
        without_contact: usize,
    }

    /// Compares the values of races with those that the sweeps find, on random boards. `boards`
    /// determines the number of boards of each size.
    fn compare(boards: usize) -> Counts {
        let mut rng = fastrand::Rng::with_seed(13);
        let mut draws = 0;
        let mut without_contact = 0;
        for size in 3..=11 {
            let board = Board::new(size);
            let cache = PawnRaceCache::default();
            for _ in 0..boards * 11 / usize::from(size) {
                let start = Position { walls_left: [0; 2], ..random_position(&board, &mut rng) };
                let open = start.open_passages(&board);
                let race = SolvedPawnRace::solve(&board, open);
                for (position, value) in solve_by_sweeps(&board, start) {
                    let quick_value = race_value_without_contact(&board, &position, open);
                    assert!(
                        quick_value.is_none_or(|quick| quick == value),
                        "{position:?} {quick_value:?} {value:?}"
                    );
                    without_contact += usize::from(quick_value.is_some());
                    if position.outcome(&board).is_none() {
                        assert_eq!(race.value(&position), value, "{position:?}");
                        assert_eq!(cache.value(&board, &position), value, "{position:?}");
                        draws += usize::from(value == TableValue::Draw);
                    }
                }
            }
        }
        Counts { draws, without_contact }
    }

    #[test]
    fn agrees_with_plain_retrograde_analysis() {
        let counts = compare(3);
        assert!(counts.without_contact > 1000, "{counts:?}");
    }

    /// The pawns are diagonal neighbours. White can step next to Black's pawn, to d3 or to e2. The
    /// step to d3 loses.
    #[test]
    fn a_race_that_neither_side_can_force_is_a_draw() {
        let rules = Quoridor { walls: [4; 2], board: Board::new(5), ..Quoridor::default() };
        let position = rules.parse_position("d2e3 a3ha4hb2hc1vc4vd1hd3hd4h w 0/0 1").unwrap();
        let race = SolvedPawnRace::solve(&rules.board, position.open_passages(&rules.board));
        assert_eq!(race.value(&position), TableValue::Draw);
        let next: Vec<_> =
            successors(&rules.board, &position).iter().map(|next| race.value(next)).collect();
        assert_eq!(next, [TableValue::Win(9), TableValue::Draw]);
    }

    /// Run this test with `cargo test --release -p pentarch-quoridor pawn_race:: -- --ignored`.
    #[test]
    #[ignore = "solves hundreds of races sweep by sweep: minutes"]
    fn agrees_with_plain_retrograde_analysis_of_many_races() {
        let counts = compare(200);
        assert!(counts.draws > 100 && counts.without_contact > 1_000_000, "{counts:?}");
    }
}
