//! The race: the game that is left when neither side has a wall in hand, solved exactly.
//!
//! Only the pawns move then, so a position is the side to move, its pawn's square and that of the other pawn: on the
//! usual board 2 x 81 x 80 of them for the walls that stand. [`Race::solve`] finds them all by retrograde analysis. A
//! level is a number of plies to the end. On odd levels positions are won: one move leads to a position that is lost
//! one ply sooner. On even levels they are lost: every move leads to one that is won, the last of them one ply sooner.
//! What is on no level neither side can force: whoever left off going to and fro would lose. Sets of squares take the
//! places of positions: for each square of the other pawn, all squares of the own pawn are judged at once, by the four
//! shifts of [`Passages::around`], and only the few beside the other pawn need a look at its jumps.
//!
//! [`undisturbed`] knows many a result without that, from a few floods; [`Races`] keeps what was solved last.

use std::sync::{Arc, Mutex, PoisonError};

use crate::core::{Side, TableValue, key};

use super::board::{Board, STRIDE, Square, squares};
use super::moves;
use super::paths::Passages;
use super::position::Position;

/// How many bits a set of squares has: more than any square's number.
const SQUARES: usize = STRIDE as usize * STRIDE as usize;

/// The solved race among one set of walls.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Race {
    /// The passages that these walls leave.
    open: Passages,
    /// The plies to the end, by the side to move, the other pawn's square and the own pawn's; 0 if neither can force
    /// it.
    plies: Vec<u16>,
}

/// The races that were solved last. Clones share them; they add nothing but knowledge, so all of them count as equal.
#[derive(Debug, Clone)]
pub struct Races(Arc<[Mutex<Option<Race>>]>);

/// How many races are kept, each at a place of its own.
const KEPT: usize = 64;

impl Races {
    /// The value of an undecided position without walls in hand: of a race that is known, or that is solved now.
    pub fn value(&self, board: &Board, position: &Position) -> TableValue {
        let open = position.open(board);
        let words = [open.north, open.east].map(|set| (set ^ set >> 64) as u64);
        let slot = &self.0[key::hash(&words) as usize % KEPT];
        let mut kept = slot.lock().unwrap_or_else(PoisonError::into_inner);
        let race = match kept.take() {
            Some(race) if race.open == open => race,
            _ => Race::solve(board, open),
        };
        kept.insert(race).value(position)
    }
}

impl Default for Races {
    fn default() -> Races {
        Races((0..KEPT).map(|_| Mutex::default()).collect())
    }
}

impl PartialEq for Races {
    fn eq(&self, _: &Races) -> bool {
        true
    }
}

impl Eq for Races {}

/// One side's half of the positions: the side to move is the own one. All sets are of squares for the own pawn, by the
/// square of the other one.
struct Half {
    /// Where it can stand in a position that is not judged yet.
    unjudged: [u128; SQUARES],
    /// Where it can go to win.
    winning: [u128; SQUARES],
    /// Where it can go to lose.
    losing: [u128; SQUARES],
    /// For which squares of the other pawn the last level has changed one of these.
    changed: u128,
}

impl Race {
    /// Solves the race through these passages.
    pub fn solve(board: &Board, open: Passages) -> Race {
        let all = board.goals[0] | board.open.north;
        let jumps = jumps(all, open);
        let mut race = Race { open, plies: vec![0; 2 * SQUARES * SQUARES] };
        let mut halves = Side::BOTH.map(|side| Half::new(all, board.goals, side));
        for level in 1.. {
            let changed = [0, 1].map(|side: usize| std::mem::take(&mut halves[side].changed));
            if changed == [0; 2] {
                break;
            }
            let is_win = level % 2 == 1;
            for (side, changed) in Side::BOTH.into_iter().zip(changed) {
                for other in squares(changed) {
                    let at = usize::from(other.0);
                    let half = &mut halves[side.index()];
                    // The squares from which some move leads into a set.
                    let before = |to: u128| {
                        let jumping = jumps[at].iter().filter(|(_, targets)| targets & to != 0);
                        jumping.fold(open.around(to), |set, (from, _)| set | from)
                    };
                    let judged =
                        if is_win { before(half.winning[at]) } else { !before(all & !half.losing[at] & !other.bit()) };
                    let judged = half.unjudged[at] & judged;
                    half.unjudged[at] &= !judged;
                    let next = &mut halves[(!side).index()];
                    for own in squares(judged) {
                        race.plies[index(side, own, other)] = level;
                        let leading_here = if is_win { &mut next.losing } else { &mut next.winning };
                        leading_here[usize::from(own.0)] |= other.bit();
                        next.changed |= own.bit();
                    }
                }
            }
        }
        race
    }

    /// The value of an undecided position without walls in hand, if its walls are those that the race was solved for.
    pub fn value(&self, position: &Position) -> TableValue {
        let [own, other] = [position.side, !position.side].map(|side| position.pawn(side));
        match self.plies.get(index(position.side, own, other)) {
            None | Some(0) => TableValue::Draw,
            Some(&plies) if plies % 2 == 1 => TableValue::Win(plies.into()),
            Some(&plies) => TableValue::Loss(plies.into()),
        }
    }
}

impl Half {
    /// What level 0 says: who goes to a goal has won, and no move is made from there.
    fn new(all: u128, goals: [u128; 2], side: Side) -> Half {
        let [own_goal, other_goal] = [goals[side.index()], goals[(!side).index()]];
        let mut half = Half { unjudged: [0; SQUARES], winning: [0; SQUARES], losing: [0; SQUARES], changed: all };
        for other in squares(all & !other_goal) {
            half.unjudged[usize::from(other.0)] = all & !own_goal & !other.bit();
            half.winning[usize::from(other.0)] = own_goal & !other.bit();
        }
        half
    }
}

/// Where the plies of a position stand.
fn index(side: Side, own: Square, other: Square) -> usize {
    (side.index() * SQUARES + usize::from(other.0)) * SQUARES + usize::from(own.0)
}

/// For each square of the other pawn, the squares from which the own one jumps over it, and where it gets so.
fn jumps(all: u128, open: Passages) -> Vec<[(u128, u128); 4]> {
    let mut jumps = vec![[(0, 0); 4]; SQUARES];
    for other in squares(all) {
        let beside = squares(open.around(other.bit()));
        for (jump, own) in jumps[usize::from(other.0)].iter_mut().zip(beside) {
            *jump = (own.bit(), moves::targets(own, other, open) & !open.around(own.bit()));
        }
    }
    jumps
}

/// The value of a race in which the pawns cannot meet, if that is certain: both run, and who arrives first wins.
///
/// Let both pawns run along a shortest way, the winner `n` steps. Without a jump none is faster, and without a pawn
/// next to it none jumps nor is blocked. So it is enough that
///
/// - whatever the loser does, it cannot come to stand beside the winner's pawn on its way: then the winner needs no more than
///   `n` moves, and
/// - whatever the winner does, it cannot come to stand beside the loser's pawn on *its* way when it is to move: then it needs
///   no fewer, against this defence.
///
/// As long as they have not met, a pawn that has made `k` moves is on one of the squares within `k` steps, and next to
/// it is what lies within `k + 1`. When the side to move at the beginning has made `k` moves and is to move again, the
/// other has made `k` too; so if it wins, its own `k`th square must lie beyond the other's `k + 1` steps and the other
/// way round. When the other side is to move, having made `k`, the first has made `k + 1`; so if the other wins, its
/// `k`th square must lie beyond the first's `k + 2` steps, and the first's `k + 1`st beyond the other's `k + 1`.
/// Between these moments the one to move has come a step less far, so it can neither stand on the next square nor
/// beside this one.
pub fn undisturbed(board: &Board, position: &Position, open: Passages) -> Option<TableValue> {
    let pawns = [position.side, !position.side].map(|side| (position.pawn(side).bit(), board.goals[side.index()]));
    let [(own, own_goal), (other, other_goal)] = pawns;
    let [own_route, other_route] = [open.route(own, own_goal)?, open.route(other, other_goal)?];
    let own_wins = own_route.length <= other_route.length;
    let grown = |reached: u128| reached | open.around(reached);
    let mut own_reach = if own_wins { grown(own) } else { grown(grown(own)) };
    let mut other_reach = grown(other);
    let own_squares = std::iter::once(own).chain(own_route.walk(open)).skip(usize::from(!own_wins));
    let other_squares = std::iter::once(other).chain(other_route.walk(open));
    let steps = own_route.length.min(other_route.length);
    for (own, other) in own_squares.zip(other_squares).take(steps as usize) {
        if own & other_reach | other & own_reach != 0 {
            return None;
        }
        own_reach = grown(own_reach);
        other_reach = grown(other_reach);
    }
    Some(if own_wins { TableValue::Win((2 * steps).saturating_sub(1)) } else { TableValue::Loss(2 * steps) })
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::super::Quoridor;
    use super::super::samples::random_position;
    use super::*;
    use crate::core::{Game, Notation, Options};

    /// The positions that come after a position without walls in hand, by the generator.
    fn after(board: &Board, position: &Position) -> Vec<Position> {
        let mut list = Vec::new();
        if position.outcome(board).is_none() {
            moves::generate(board, position, &mut list);
        }
        list.into_iter().map(|mv| Position { full_move: 1, ..position.play(mv) }).collect()
    }

    /// The values of all positions that can come of one without walls in hand, sweep by sweep from the definition.
    fn plainly_solved(board: &Board, start: Position) -> Vec<(Position, TableValue)> {
        let key = |position: &Position| (position.side as u8, position.pawns[0].0, position.pawns[1].0);
        let mut found = HashMap::from([(key(&start), 0)]);
        let mut positions = vec![start];
        let mut following: Vec<Vec<usize>> = Vec::new();
        while let Some(position) = positions.get(following.len()).copied() {
            let mut places = Vec::new();
            for next in after(board, &position) {
                places.push(*found.entry(key(&next)).or_insert_with(|| {
                    positions.push(next);
                    positions.len() - 1
                }));
            }
            following.push(places);
        }
        let lost = |position: &Position| position.outcome(board).map(|_| TableValue::Loss(0));
        let mut values: Vec<Option<TableValue>> = positions.iter().map(lost).collect();
        loop {
            let judge = |at: usize| {
                let next = || following[at].iter().map(|&place| values[place]);
                let losses =
                    next().filter_map(|value| if let Some(TableValue::Loss(n)) = value { Some(n) } else { None });
                let wins = next().map(|value| if let Some(TableValue::Win(n)) = value { Some(n) } else { None });
                let win = losses.min().map(|plies| TableValue::Win(plies + 1));
                let loss =
                    || wins.collect::<Option<Vec<u32>>>()?.into_iter().max().map(|plies| TableValue::Loss(plies + 1));
                values[at].or(win).or_else(loss)
            };
            let judged: Vec<_> = (0..positions.len()).map(judge).collect();
            if judged == values {
                break;
            }
            values = judged;
        }
        positions.into_iter().zip(values.into_iter().map(|value| value.unwrap_or(TableValue::Draw))).collect()
    }

    /// Compares everything on random boards; returns how many positions were draws, and how many known without solving.
    fn compare(boards: usize) -> [usize; 2] {
        let mut rng = fastrand::Rng::with_seed(13);
        let (mut draws, mut quick) = (0, 0);
        for size in [3, 5, 7, 9, 11] {
            let board = Board::new(size);
            let races = Races::default();
            for _ in 0..boards * 11 / usize::from(size) {
                let start = Position { left: [0; 2], ..random_position(&board, &mut rng) };
                let open = start.open(&board);
                let race = Race::solve(&board, open);
                for (position, value) in plainly_solved(&board, start) {
                    let undisturbed = undisturbed(&board, &position, open);
                    assert!(
                        undisturbed.is_none_or(|quickly| quickly == value),
                        "{position:?} {undisturbed:?} {value:?}"
                    );
                    quick += usize::from(undisturbed.is_some());
                    if position.outcome(&board).is_none() {
                        assert_eq!(race.value(&position), value, "{position:?}");
                        assert_eq!(races.value(&board, &position), value, "{position:?}");
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

    /// The pawns stand diagonally. White loses if it steps to Black's side, and can but go away and come back.
    #[test]
    fn a_race_that_neither_side_can_force_is_a_draw() {
        let game = Quoridor { walls: 4, board: Board::new(5), ..Quoridor::from_options(&Options::default()) };
        let position = game.parse_position("d2e3 a3ha4hb2hc1vc4vd1hd3hd4h w 0/0 1").unwrap();
        let race = Race::solve(&game.board, position.open(&game.board));
        assert_eq!(race.value(&position), TableValue::Draw);
        let next: Vec<_> = after(&game.board, &position).iter().map(|next| race.value(next)).collect();
        assert_eq!(next, [TableValue::Win(9), TableValue::Draw]);
    }

    /// `cargo test --release quoridor::race -- --ignored`
    #[test]
    #[ignore = "solves hundreds of races sweep by sweep: minutes"]
    fn many_races_end_as_plain_retrograde_analysis_says() {
        let [draws, quick] = compare(200);
        assert!(draws > 100 && quick > 1_000_000, "{draws} {quick}");
    }
}
