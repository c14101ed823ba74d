//! Extracts the winners of the openings, and a book for each side that does not lose the start
//! position. The source is the solver's files, which are too large to share as a whole. Also checks
//! the files against the rules.
//!
//! With fewer than eight walls, the extraction begins at the start position with only its first
//! walls, as in the [result lines of the start](super::write_tables::start_result_lines).

use std::collections::{HashMap, HashSet};
use std::fmt::Write;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};

use pentarch_core::rules::key;
use pentarch_core::rules::legal_move_list;
use pentarch_core::{GameHistory, Notation, ProbeResult, ProbeTables, ProbeWorkLimit, Rules, Side};
use pentarch_search::known_winner::is_table_win_certain;
use pentarch_search::opening_book::PositionOrbit;
use pentarch_tables::run_in_parallel;
use pentarch_tables::xor_filter::{self, MAX_FILTER_NUMBER, XorFilter};

use super::error::AlcaxarTablesError;
use super::non_terminal_positions::is_non_terminal;
use super::tables::AlcaxarTablebase;
use super::wall_sets::{count_wall_sets, unrank_wall_set};
use super::write_tables::side_name;
use crate::Alcaxar;
use crate::board::{Board, Square, iter_slots};
use crate::moves::Move;
use crate::position::Position;

/// The maximum length in plies of the openings that
/// [`openings_text`](SolvedGame::openings_text) lists.
const MAX_LISTED_OPENING_PLIES: u32 = 2;

/// The solved game for one number of walls, read from its files.
pub struct SolvedGame<'a> {
    rules: &'a Alcaxar,
    /// The opened files of the wins.
    tables: &'a AlcaxarTablebase,
    start: Position,
}

/// An opening book for one side.
pub struct SolvedGameBook {
    /// The number of its own side's moves that the book covers. Up to this number, the book has an
    /// answer to each move of the other side. `None` if the book covers the whole game.
    pub moves: Option<u16>,
    /// The number of positions in the book.
    pub positions: usize,
    /// The bytes of the book, which is a [filter](xor_filter). The label of the filter is `moves`,
    /// or the greatest possible number if the book covers the whole game.
    pub bytes: Vec<u8>,
}

impl<'a> SolvedGame<'a> {
    /// Creates the solved game. `tables` must be for the number of walls in `start`, and their
    /// files must be open.
    pub fn new(
        rules: &'a Alcaxar,
        tables: &'a AlcaxarTablebase,
        start: Position,
    ) -> SolvedGame<'a> {
        SolvedGame { rules, tables, start }
    }

    /// Returns the rank of a position according to the files, if the position is lost for the side
    /// to move.
    fn win_rank_of_lost_position(&self, position: &Position) -> Option<u32> {
        self.rules
            .probe_tables(self.tables, position, ProbeWorkLimit::FromFiles)
            .and_then(ProbeResult::win_rank_of_lost_position)
    }

    /// Returns whether the side to move has a winning move according to the files. After such a
    /// move, this side has won, or the other side loses.
    fn can_win(&self, position: &Position) -> bool {
        legal_move_list(self.rules, position)
            .into_iter()
            .any(|mv| self.win_rank_after_move(position, mv).is_some())
    }

    /// Returns the rank of the position after a winning move, or 0 if the move ends the game.
    /// Returns `None` if the move does not win.
    fn win_rank_after_move(&self, position: &Position, mv: Move) -> Option<u32> {
        let next = self.rules.play(position, mv);
        match self.rules.outcome(&next) {
            Some(outcome) => (outcome.winner() == Some(position.side)).then_some(0),
            None => self.win_rank_of_lost_position(&next),
        }
    }

    /// Returns the side that certainly wins the game from the current position, if there is one.
    /// Takes into account that earlier positions of the game may occur again. The game must not be
    /// over.
    pub fn certain_winner(&self, history: &GameHistory<Alcaxar>) -> Option<Side> {
        let position = history.position();
        let mover = history.side_to_move();
        if let Some(rank) = self.win_rank_of_lost_position(position) {
            return is_table_win_certain(history, self.tables, !mover, rank).then_some(!mover);
        }
        let mut best: Option<(u32, Move)> = None;
        for mv in history.legal_move_list() {
            if let Some(rank) = self.win_rank_after_move(position, mv)
                && best.is_none_or(|(least, _)| rank < least)
            {
                best = Some((rank, mv));
            }
        }
        let (rank, mv) = best?;
        let mut next = history.clone();
        next.push(mv);
        (next.outcome().is_some() || is_table_win_certain(&next, self.tables, mover, rank))
            .then_some(mover)
    }

    /// Returns a list of all openings of at most two plies, as lines of text. A comment before each
    /// opening names the certain winner, or says that the opening is open. The list contains only
    /// one of several openings that are symmetric to each other.
    pub fn openings_text(&self) -> String {
        let start = self.start;
        let from = if start == Position::start() {
            "startpos".into()
        } else {
            self.rules.position_text(&start)
        };
        let mut text = format!(
            "# The openings of Alcaxar of at most {MAX_LISTED_OPENING_PLIES} plies, and who wins.\n"
        );
        let symmetries = self.rules.symmetries();
        let mut seen = HashSet::new();
        let mut openings =
            vec![(GameHistory::new(Arc::new(self.rules.clone()), start), String::new())];
        for plies in 0..=MAX_LISTED_OPENING_PLIES {
            let mut longer = Vec::new();
            for (history, moves) in openings {
                let orbit = PositionOrbit::new(self.rules, &symmetries, history.position());
                if history.outcome().is_some() || !seen.insert(orbit.key) {
                    continue;
                }
                let result = self
                    .certain_winner(&history)
                    .map_or("open".into(), |side| format!("{} wins", side_name(side)));
                let verb = if moves.is_empty() { "" } else { " moves" };
                let _ = write!(text, "# {result}\n{from}{verb}{moves}\n");
                if plies < MAX_LISTED_OPENING_PLIES {
                    longer.extend(history.legal_move_list().into_iter().map(|mv| {
                        let mut next = history.clone();
                        next.push(mv);
                        (next, format!("{moves} {}", self.rules.move_text(mv)))
                    }));
                }
            }
            openings = longer;
        }
        text
    }

    /// Returns a book of at most `max_positions` positions for a side, or `None` if the other side
    /// wins the start position.
    ///
    /// The book has a move for each position that can occur if the side follows the book. It covers
    /// the whole game, or as many moves of the side as `max_positions` allows. In a position that
    /// the side wins, its move leads to the least [rank](ProbeResult::Lost), so the side wins by
    /// following the book. In other positions, the move leads to a position that the other side
    /// does not win. If possible, this is a position whose repetition would be a win for the side.
    ///
    /// # Errors
    /// If the filter with the moves cannot be built.
    pub fn build_book(
        &self,
        side: Side,
        max_positions: usize,
    ) -> Result<Option<SolvedGameBook>, AlcaxarTablesError> {
        let symmetries = self.rules.symmetries();
        let start = self.start;
        if self.certain_winner(&GameHistory::new(Arc::new(self.rules.clone()), start))
            == Some(!side)
        {
            return Ok(None);
        }
        let mut move_numbers: HashMap<u64, usize> = HashMap::new();
        let mut moves: u16 = 0;
        // The positions in which the side makes its next move.
        let mut here = HashMap::new();
        let reach = |here: &mut HashMap<u64, Position>, position: Position| {
            // The map may get one position more than allowed. This is enough to notice that there
            // are too many.
            if self.rules.outcome(&position).is_none() && here.len() <= max_positions {
                let orbit = PositionOrbit::new(self.rules, &symmetries, &position);
                here.insert(orbit.key, orbit.image);
            }
        };
        let positions_after = |position: &Position| {
            let play = |mv| self.rules.play(position, mv);
            legal_move_list(self.rules, position).into_iter().map(play).collect::<Vec<_>>()
        };
        let first = if start.side == side { vec![start] } else { positions_after(&start) };
        first.into_iter().for_each(|position| reach(&mut here, position));
        while !here.is_empty() && move_numbers.len() + here.len() <= max_positions {
            let mut next = HashMap::new();
            for (&key, position) in &here {
                let legal = legal_move_list(self.rules, position);
                let number = self.best_book_move(position, &legal);
                move_numbers.insert(key, number);
                let after = self.rules.play(position, legal[number]);
                if self.rules.outcome(&after).is_none() {
                    for position in positions_after(&after) {
                        reach(&mut next, position);
                    }
                }
            }
            next.retain(|key, _| !move_numbers.contains_key(key));
            here = next;
            moves += 1;
        }
        let moves = (!here.is_empty()).then_some(moves);
        let positions = move_numbers.len();
        let mut entries: Vec<(u64, u8)> = move_numbers
            .into_iter()
            .flat_map(|(key, number)| book_entries_for_move(key, number))
            .collect();
        entries.sort_unstable();
        let bytes = xor_filter::build_xor_filter(&entries, moves.unwrap_or(u16::MAX));
        let bytes = bytes.ok_or(AlcaxarTablesError::Book { side })?;
        Ok(Some(SolvedGameBook { moves, positions, bytes }))
    }

    /// Returns the move that the [book](SolvedGame::build_book) plays in a position, as an
    /// index of `legal`.
    fn best_book_move(&self, position: &Position, legal: &[Move]) -> usize {
        let numbered = || legal.iter().copied().enumerate();
        let winning = numbered()
            .filter_map(|(number, mv)| Some((self.win_rank_after_move(position, mv)?, number)));
        if let Some((_, number)) = winning.min() {
            return number;
        }
        let does_not_lose = |mv| {
            let next = self.rules.play(position, mv);
            self.rules.outcome(&next).is_none() && !self.can_win(&next)
        };
        let owned = numbered().find(|&(_, mv)| {
            let next = self.rules.play(position, mv);
            self.repetition_winner(&next) == position.side && does_not_lose(mv)
        });
        let chosen = owned.or_else(|| numbered().find(|&(_, mv)| does_not_lose(mv)));
        // If no move was found, the other side can win after each move, at least if no earlier
        // position is repeated.
        chosen.map_or(0, |(number, _)| number)
    }

    fn repetition_winner(&self, position: &Position) -> Side {
        position.third_occurrence_result(&self.rules.board).winner
    }

    /// Checks, on `threads` threads, that the files follow the rules in `positions` random
    /// positions. Returns the number of those positions that are lost for the side to move.
    ///
    /// A lost position must satisfy the conditions under which the winner wins (see the
    /// [solver](super)):
    ///
    /// - After each move of the loser, the winner has won, or has a move to a position whose rank
    ///   is not greater.
    /// - This rank is smaller if the loser wins by the repetition of the position, or by the
    ///   repetition of the position between the two moves.
    /// - If the loser wins by the repetition of the position, there are at most two different ranks
    ///   among the positions that differ from it only in the blocked walls.
    ///
    /// A position that is not lost, but that the other side wins by repetition, must satisfy
    /// another condition: after some move, the side to move has won, or would win by repetition of
    /// the new position, or the other side has no winning answer.
    ///
    /// # Errors
    /// The first wrong position that is found.
    pub fn verify_random_positions(
        &self,
        positions: usize,
        threads: usize,
    ) -> Result<u64, Box<Position>> {
        let walls = self.start.walls.count_ones() as usize;
        let lost = AtomicU64::new(0);
        let wrong = OnceLock::new();
        run_in_parallel(threads, 0..positions, |number, _: &mut Vec<()>| {
            let position = random_undecided_position(&self.rules.board, walls, number as u64);
            let rank = self.win_rank_of_lost_position(&position);
            lost.fetch_add(u64::from(rank.is_some()), Relaxed);
            let is_right = match rank {
                Some(rank) => self.is_lost_with_win_rank(&position, rank),
                None => {
                    self.repetition_winner(&position) == position.side
                        || self.can_avoid_certain_loss(&position)
                }
            };
            wrong.get().is_none() && (is_right || wrong.set(Box::new(position)).is_err())
        });
        wrong.into_inner().map_or(Ok(lost.into_inner()), Err)
    }

    /// Returns whether `rank` is a correct rank for a lost position, according to the ranks of the
    /// positions after two moves.
    fn is_lost_with_win_rank(&self, position: &Position, rank: u32) -> bool {
        let winner = !position.side;
        let is_owned = self.repetition_winner(position) == winner;
        let most = if is_owned { Some(rank) } else { rank.checked_sub(1) };
        let is_answered = |mv: Move| {
            let next = self.rules.play(position, mv);
            if let Some(outcome) = self.rules.outcome(&next) {
                return outcome.winner() == Some(winner);
            }
            // With the winner to move, a position has the rank of its best move. If the other side
            // owns the position, its rank is the next odd number after that.
            let next_is_owned = self.repetition_winner(&next) == winner;
            legal_move_list(self.rules, &next).into_iter().any(|mv| {
                let Some(rank) = self.win_rank_after_move(&next, mv) else { return false };
                let next_rank = if next_is_owned { rank } else { (rank + 1) | 1 };
                most.is_some_and(|most| next_rank <= most)
            })
        };
        legal_move_list(self.rules, position).into_iter().all(is_answered)
            && (is_owned
                || self.rules.max_future_occurrences(self.tables, position, winner, u32::MAX) <= 2)
    }

    /// Returns whether the side to move has a move that avoids a certain loss. After such a move,
    /// this side has won, or owns the position, or the other side has no winning move according to
    /// the files. If this side owns the position, the other side may still win although the files
    /// do not show it.
    fn can_avoid_certain_loss(&self, position: &Position) -> bool {
        legal_move_list(self.rules, position).into_iter().any(|mv| {
            let next = self.rules.play(position, mv);
            match self.rules.outcome(&next) {
                Some(outcome) => outcome.winner() == Some(position.side),
                None => self.repetition_winner(&next) == position.side || !self.can_win(&next),
            }
        })
    }
}

/// Returns the entries of a book filter that store a move under a key. `number` is the index of the
/// move among the legal moves. If the index is greater than the numbers that a [filter](xor_filter)
/// can store, there are two entries: the first has the greatest number, and the second, with
/// another key, has the rest of the index.
pub fn book_entries_for_move(key: u64, number: usize) -> Vec<(u64, u8)> {
    let greatest = usize::from(MAX_FILTER_NUMBER);
    if number < greatest {
        return vec![(key, number as u8)];
    }
    vec![(key, MAX_FILTER_NUMBER), (overflow_book_key(key), (number - greatest) as u8)]
}

/// Returns the key under which the rest of a large index is stored. `key` is the key of the first
/// entry.
fn overflow_book_key(key: u64) -> u64 {
    key::hash_words(&[key, 2])
}

/// Returns the move of a book in a position, or `None` if the book does not contain the position.
pub fn book_move(rules: &Alcaxar, book: &XorFilter, position: &Position) -> Option<Move> {
    let orbit = PositionOrbit::new(rules, &rules.symmetries(), position);
    let number = match book.get(orbit.key)? {
        MAX_FILTER_NUMBER => MAX_FILTER_NUMBER + book.get(overflow_book_key(orbit.key))?,
        number => number,
    };
    let mv = *orbit.canonical_moves(rules).get(usize::from(number))?;
    Some(orbit.map_move_from_image(rules, mv))
}

/// Returns a random undecided position with `walls` walls, from the seed `number`.
fn random_undecided_position(board: &Board, walls: usize, number: u64) -> Position {
    let mut attempt = 0;
    loop {
        let random =
            |part, below: usize| key::hash_words(&[number, attempt, part]) as usize % below;
        let set = unrank_wall_set(walls, random(0, count_wall_sets(walls)));
        let square = |part| Square(random(part, 16) as u8);
        let last_walls: Vec<_> = std::iter::once(None).chain(iter_slots(set).map(Some)).collect();
        let position = Position {
            knights: [square(1), square(2)],
            walls: set,
            side: Side::BOTH_SIDES[random(3, 2)],
            last_wall: last_walls[random(4, last_walls.len())],
            full_move: 1,
        };
        if is_non_terminal(board, &position) {
            return position;
        }
        attempt += 1;
    }
}
