//! What people need of the files of the solver, which are too large to hand on: who wins the openings, a book for each
//! side that does not lose, and whether the files hold against the rules.
//!
//! With fewer than eight walls all of it is about the start position with only the first walls, as what
//! [is told of the start](super::tables::start_lines).

use std::collections::{HashMap, HashSet};
use std::fmt::Write;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use pentarch_core::rules::legal_move_list;
use pentarch_core::{Notation, Probe, Probed, Probing, Rules, Side, key};
use pentarch_search::opening_book::{BY_PAST, Orbit};
use pentarch_tables::{in_parallel, xor_filter};

use super::Alcaxar;
use super::board::{Board, Square, slots};
use super::moves::Move;
use super::position::Position;
use super::solver::verify::is_undecided;
use super::solver::wall_sets::{count, unrank};
use super::tables::AlcaxarTables;

/// How many plies the openings have at most.
const OPENING_PLIES: u32 = 2;

/// What is taken from the files with one number of walls.
pub struct Extraction<'a> {
    rules: &'a Alcaxar,
    /// The open files.
    tables: &'a AlcaxarTables,
    /// The position that the openings and the books begin with.
    start: Position,
}

/// An opening book.
pub struct Book {
    /// For how many moves of its side it holds the answer to all that the other side can do; none if it does so for the
    /// whole game.
    pub moves: Option<u16>,
    /// How many positions it holds.
    pub positions: usize,
    /// The bytes of its [table](xor_filter); the label is the number of moves, or the greatest number for the whole
    /// game.
    pub bytes: Vec<u8>,
}

impl<'a> Extraction<'a> {
    /// What is taken from these files, which must be open and have as many walls as the start.
    pub fn new(rules: &'a Alcaxar, tables: &'a AlcaxarTables, start: Position) -> Extraction<'a> {
        Extraction { rules, tables, start }
    }

    /// The rank of a position that is lost for the side to move.
    fn rank(&self, position: &Position) -> Option<u32> {
        self.rules.probe(self.tables, position, Probing::FromFiles).and_then(Probed::rank)
    }

    /// The least rank that the side to move can reach by a win of its own; 0 if a move ends the game.
    fn least_rank(&self, position: &Position) -> Option<u32> {
        let after = |&mv: &Move| self.rank_after(position, mv);
        legal_move_list(self.rules, position).iter().filter_map(after).min()
    }

    /// The rank of the position after a move if the side that moves wins there; 0 if it has won.
    fn rank_after(&self, position: &Position, mv: Move) -> Option<u32> {
        let next = self.rules.play(position, mv);
        match self.rules.outcome(&next) {
            Some(outcome) => (outcome.winner() == Some(position.side)).then_some(0),
            None => self.rank(&next),
        }
    }

    /// The side that wins for certain if a game begins with this position, in which it is not over.
    pub fn winner(&self, position: &Position) -> Option<Side> {
        match self.rank(position) {
            Some(_) => Some(!position.side),
            None => self.least_rank(position).map(|_| position.side),
        }
    }

    /// A list of openings: those of at most two plies, each after a line that says who wins for certain if anyone.
    /// Openings that a symmetry maps on each other stand there once.
    pub fn openings(&self) -> String {
        let start = self.start;
        let from = if start == Position::start() { "startpos".into() } else { self.rules.position_text(&start) };
        let mut text = format!("# The openings of Alcaxar of at most {OPENING_PLIES} plies, and who wins.\n");
        let (symmetries, mut seen) = (self.rules.symmetries(), HashSet::new());
        let mut openings = vec![(start, String::new())];
        for plies in 0..=OPENING_PLIES {
            let mut longer = Vec::new();
            for (position, moves) in openings {
                if self.rules.outcome(&position).is_some()
                    || !seen.insert(Orbit::new(self.rules, &symmetries, &position).key)
                {
                    continue;
                }
                let result = self.winner(&position).map_or("open".into(), |side| format!("{} wins", name(side)));
                let verb = if moves.is_empty() { "" } else { " moves" };
                let _ = write!(text, "# {result}\n{from}{verb}{moves}\n");
                if plies < OPENING_PLIES {
                    let next = |mv| (self.rules.play(&position, mv), format!("{moves} {}", self.rules.move_text(mv)));
                    longer.extend(legal_move_list(self.rules, &position).into_iter().map(next));
                }
            }
            openings = longer;
        }
        text
    }

    /// A book with at most so many positions for a side: its moves from the start against all that the other side can
    /// do, as many moves as fit, or for the whole game. A move of a side that wins leads to the least
    /// [rank](Probed::Lost), so that the side wins if it goes on like that. Another one leads to a position that the
    /// other side does not win for certain, and to one whose repetition the side wins if it can. None if the other
    /// side wins the start, or if the table of the book cannot be made.
    pub fn book(&self, side: Side, most: usize) -> Option<Book> {
        let (symmetries, start) = (self.rules.symmetries(), self.start);
        if self.winner(&start) == Some(!side) {
            return None;
        }
        let (mut numbers, mut moves): (HashMap<u64, u8>, u16) = (HashMap::new(), 0);
        let mut here = HashMap::new();
        let reach = |here: &mut HashMap<u64, Position>, position: Position| {
            // One more than there may be tells that there are too many.
            if self.rules.outcome(&position).is_none() && here.len() <= most {
                let orbit = Orbit::new(self.rules, &symmetries, &position);
                here.insert(orbit.key, orbit.image);
            }
        };
        let after_all = |position: &Position| {
            let play = |mv| self.rules.play(position, mv);
            legal_move_list(self.rules, position).into_iter().map(play).collect::<Vec<_>>()
        };
        let first = if start.side == side { vec![start] } else { after_all(&start) };
        first.into_iter().for_each(|position| reach(&mut here, position));
        while !here.is_empty() && numbers.len() + here.len() <= most {
            let mut next = HashMap::new();
            for (&key, position) in &here {
                let mv = self.book_move(position)?;
                let number = legal_move_list(self.rules, position).iter().position(|&other| other == mv)?;
                numbers.insert(key, u8::try_from(number).ok().filter(|&number| number < BY_PAST)?);
                let after = self.rules.play(position, mv);
                if self.rules.outcome(&after).is_none() {
                    after_all(&after).into_iter().for_each(|position| reach(&mut next, position));
                }
            }
            next.retain(|key, _| !numbers.contains_key(key));
            here = next;
            moves += 1;
        }
        let moves = (!here.is_empty()).then_some(moves);
        let mut sorted: Vec<(u64, u8)> = numbers.into_iter().collect();
        sorted.sort_unstable();
        let bytes = xor_filter::build(&sorted, moves.unwrap_or(u16::MAX))?;
        Some(Book { moves, positions: sorted.len(), bytes })
    }

    /// The move of a [book](Extraction::book); none if the side to move has lost.
    fn book_move(&self, position: &Position) -> Option<Move> {
        let legal = legal_move_list(self.rules, position);
        let winning = legal.iter().filter_map(|&mv| Some((self.rank_after(position, mv)?, mv)));
        if let Some((_, mv)) = winning.min_by_key(|&(rank, _)| rank) {
            return Some(mv);
        }
        let holds = |mv: &Move| {
            let next = self.rules.play(position, *mv);
            self.rules.outcome(&next).is_none() && self.winner(&next) != Some(next.side)
        };
        let owns = |mv: &Move| self.owner(&self.rules.play(position, *mv)) == position.side;
        let held: Vec<Move> = legal.into_iter().filter(holds).collect();
        held.iter().copied().find(owns).or_else(|| held.first().copied())
    }

    /// The side that wins by the repetition of a position.
    fn owner(&self, position: &Position) -> Side {
        position.stalemate_winner(&self.rules.board).0
    }

    /// Holds so many random positions against the rules, on so many threads. Gives how many of them are lost for the
    /// side to move.
    ///
    /// What is held against them is what makes the winner win (see the [solver](super::solver)): whatever the loser
    /// does, the winner has won, or has a move to a position whose rank is not greater; and it is smaller if the other
    /// side wins by the repetition of the position, or of the one between the two moves.
    ///
    /// # Errors
    /// The first position found whose rank is wrong.
    pub fn verify(&self, positions: usize, threads: usize) -> Result<u64, Box<Position>> {
        let (walls, lost, wrong) = (self.start.walls.count_ones() as usize, AtomicU64::new(0), OnceLock::new());
        in_parallel(threads, 0..positions, |number, _: &mut Vec<()>| {
            let position = random_position(&self.rules.board, walls, number as u64);
            let Some(rank) = self.rank(&position) else { return true };
            lost.fetch_add(1, Relaxed);
            self.holds(&position, rank) || wrong.set(Box::new(position)).is_err()
        });
        wrong.into_inner().map_or(Ok(lost.into_inner()), Err)
    }

    /// Whether the loser, which is to move in a position with this rank, has no move that the winner cannot answer as
    /// the rank says.
    fn holds(&self, position: &Position, rank: u32) -> bool {
        let winner = !position.side;
        let most = if self.owner(position) == winner { Some(rank) } else { rank.checked_sub(1) };
        let is_answered = |mv: Move| {
            let next = self.rules.play(position, mv);
            match self.rules.outcome(&next) {
                Some(outcome) => outcome.winner() == Some(winner),
                None => {
                    // A position with the winner to move that the other side owns has the next odd rank.
                    let is_owned = self.owner(&next) == winner;
                    let reached = |rank: u32| if is_owned { rank } else { (rank + 1) | 1 };
                    let is_low = |rank: u32| most.is_some_and(|most| reached(rank) <= most);
                    legal_move_list(self.rules, &next)
                        .into_iter()
                        .any(|mv| self.rank_after(&next, mv).is_some_and(is_low))
                }
            }
        };
        legal_move_list(self.rules, position).into_iter().all(is_answered)
    }
}

/// What the results call a side.
fn name(side: Side) -> &'static str {
    Alcaxar::SIDES[side.index()]
}

/// The random position with this number among those with so many walls in which the game is not over.
fn random_position(board: &Board, walls: usize, number: u64) -> Position {
    let mut tries = (0..).map(|attempt| {
        let random = |part, below: usize| key::hash(&[number, attempt, part]) as usize % below;
        let set = unrank(walls, random(0, count(walls)));
        let square = |part| Square(random(part, 16) as u8);
        let last_walls: Vec<_> = std::iter::once(None).chain(slots(set).map(Some)).collect();
        Position {
            knights: [square(1), square(2)],
            walls: set,
            side: Side::BOTH[random(3, 2)],
            last_wall: last_walls[random(4, last_walls.len())],
            full_move: 1,
        }
    });
    tries.find(|position| is_undecided(board, position)).unwrap_or_else(Position::start)
}
