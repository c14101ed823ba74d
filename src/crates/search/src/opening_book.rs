//! Moves from an opening book. With these moves, the side that moves first wins from the start
//! position.
//!
//! A book covers all positions that can occur while this side makes the book's moves, until tables
//! of solved positions take over. The book is a table built like an [xor
//! filter](pentarch_tables::xor_filter). The table has a number for each position in which this
//! side has more than one legal move. The number is the index of the book's move in the list of
//! legal moves. The label of the table is the maximum number of plies that the win takes from the
//! start.
//!
//! Two positions share a number if a symmetry of the rules maps one onto the other, or if they
//! differ only in their history. If no move is right for all of these histories, the shared number
//! is [`HISTORY_DEPENDENT_MOVE_NUMBER`], and each history has a separate number.
//!
//! The table may return a number even for a position that the book does not cover. So the book is
//! used only in a game that has followed the book from the start.

use pentarch_core::rules::key;
use pentarch_core::rules::legal_move_list;
use pentarch_core::{
    GameHistory, GameTables, HasTurn, KnownValueSource, ProbeResult, ProbeWorkLimit, Rules,
    Searchable, Symmetry, TableValue,
};
use pentarch_tables::xor_filter::{MAX_FILTER_NUMBER, XorFilter};

use super::known_value::KnownValue;
use super::{SearchContext, score};

/// The number for a position in which no single move is right for all histories. The book then has
/// a separate number for each history.
pub const HISTORY_DEPENDENT_MOVE_NUMBER: u8 = MAX_FILTER_NUMBER;

/// The function of a symmetry that maps a move to its image.
type SymmetryMoveFn<G> = fn(&G, <G as Rules>::Move) -> <G as Rules>::Move;

/// The orbit of a position: all positions to which symmetries map it without swapping the sides.
/// One of these positions, the canonical image, represents all of them.
pub struct PositionOrbit<G: Searchable> {
    /// The canonical image: the position of the orbit with the least `key`. If several positions
    /// have this key, the image is the one with the least `key_with_past`.
    pub image: G::Position,
    /// The search key of `image` without its history.
    pub key: u64,
    /// The [key](PositionOrbit::key_with_past) of `image` with its history.
    pub key_with_past: u64,
    /// The symmetry maps that lead from the position to `image`, in the order of application. Each
    /// map is its own inverse.
    maps: Vec<SymmetryMoveFn<G>>,
}

impl<G: Searchable> PositionOrbit<G> {
    /// Computes the orbit of a position.
    pub fn new(rules: &G, symmetries: &[Symmetry<G>], position: &G::Position) -> Self {
        let orbit = |image, maps| PositionOrbit {
            image,
            key: rules.search_key(&rules.position_without_past(&image)),
            key_with_past: Self::key_with_past(rules, &image),
            maps,
        };
        let keys = |orbit: &Self| (orbit.key, orbit.key_with_past);
        let mut images = vec![orbit(*position, Vec::new())];
        let mut at = 0;
        while at < images.len() {
            for symmetry in symmetries.iter().filter(|symmetry| !symmetry.swaps_sides) {
                let mut maps = images[at].maps.clone();
                maps.push(symmetry.mv);
                let next = orbit((symmetry.position)(rules, &images[at].image), maps);
                if images.iter().all(|image| keys(image) != keys(&next)) {
                    images.push(next);
                }
            }
            at += 1;
        }
        let least = (0..images.len()).min_by_key(|&at| keys(&images[at])).unwrap_or(0);
        images.swap_remove(least)
    }

    /// Returns a key for an image and the part of its history that matters for the book. This part
    /// is the past moves of the side to move and, if the game returns
    /// [bans](pentarch_core::HistoryBans::position_bans), also those of the other side.
    pub fn key_with_past(rules: &G, image: &G::Position) -> u64 {
        let past = match rules.position_bans(image) {
            Some(_) => *image,
            None => rules.position_without_past_moves_of(image, !image.side_to_move()),
        };
        key::hash_words(&[rules.search_key(&past)])
    }

    /// Returns the legal moves of the canonical image without its history. The numbers in the book
    /// are indices of this list.
    pub fn canonical_moves(&self, rules: &G) -> Vec<G::Move> {
        legal_move_list(rules, &rules.position_without_past(&self.image))
    }

    /// Maps a move of the position to the canonical image.
    pub fn map_move_to_image(&self, rules: &G, mv: G::Move) -> G::Move {
        self.maps.iter().fold(mv, |mv, map| map(rules, mv))
    }

    /// Maps a move of the canonical image back to the position.
    pub fn map_move_from_image(&self, rules: &G, mv: G::Move) -> G::Move {
        self.maps.iter().rev().fold(mv, |mv, map| map(rules, mv))
    }
}

/// Returns the book's move in a position. The book must cover the position.
pub fn book_move<G: Searchable>(
    rules: &G,
    symmetries: &[Symmetry<G>],
    book: &XorFilter,
    position: &G::Position,
) -> Option<G::Move> {
    let legal = legal_move_list(rules, position);
    if let [only] = legal[..] {
        return Some(only);
    }
    let orbit = PositionOrbit::new(rules, symmetries, position);
    let number = match book.get(orbit.key)? {
        HISTORY_DEPENDENT_MOVE_NUMBER => book.get(orbit.key_with_past)?,
        number => number,
    };
    let mv = *orbit.canonical_moves(rules).get(usize::from(number))?;
    Some(orbit.map_move_from_image(rules, mv)).filter(|mv| legal.contains(mv))
}

/// A position that a game has reached by following its book from the start.
#[derive(Debug, Clone, Copy)]
pub(super) struct BookPosition<M> {
    /// The value of the position.
    pub value: KnownValue,
    /// The move of the book; `None` if the other side is to move, or if the book has ended.
    pub reply: Option<M>,
}

/// Locates the current position of a game in the game's book. Returns `None` if the game did not
/// begin at the start position, or if the winner has not followed the book. The loser may make any
/// moves.
pub(super) fn locate_in_book<G: Searchable>(
    history: &GameHistory<G>,
) -> Option<BookPosition<G::Move>> {
    let rules = history.rules().as_ref();
    let start = history.start_position();
    let winner = start.side_to_move();
    let book = XorFilter::new(rules.opening_book(start)?)?;
    // The label is the maximum number of plies of the win. So a longer game has left the book.
    if history.len() > usize::from(book.label)
        || rules.search_key(start) != rules.search_key(&rules.start_position())
    {
        return None;
    }
    let symmetries = rules.symmetries();
    let reply_at = |position: &G::Position| {
        rules.opening_book(position)?;
        book_move(rules, &symmetries, &book, position)
    };
    let played: Vec<_> = history.positions_before_moves().zip(history.moves()).collect();
    // After the winner has left the book, its last move is rarely a book move. So most games off
    // the book are recognised by one lookup.
    for (position, mv) in played.into_iter().rev() {
        if position.side_to_move() == winner && reply_at(position) != Some(mv) {
            return None;
        }
    }
    let position = history.position();
    // Where the book ends, tables contain the moves, but the value is still that of the book.
    let is_in_book = position.side_to_move() == winner && rules.opening_book(position).is_some();
    let reply = if is_in_book { Some(reply_at(position)?) } else { None };
    let plies = u32::from(book.label).saturating_sub(history.len() as u32).max(1);
    let value =
        KnownValue { winner: Some(winner), plies: Some(plies), source: KnownValueSource::Book };
    Some(BookPosition { value, reply })
}

/// Extends a line from the current position of a search to the end of the game, if the book or the
/// tables show the winner. While the position is in the book, the winner makes the book's moves,
/// and the loser makes the moves with the best static evaluation. After that, both sides make the
/// moves of the tables. The line is shorter if the tables are not complete or the search must end.
pub(super) fn extend_line<G: Searchable>(context: &SearchContext<G>, line: &mut Vec<G::Move>) {
    let SearchContext { tables, control, .. } = *context;
    let mut history = context.history.clone();
    line.iter().for_each(|&mv| history.push(mv));
    let rules = history.rules().clone();
    let rules = rules.as_ref();
    let winner = locate_in_book(&history).and_then(|book| book.value.winner);
    let filter = rules.opening_book(history.start_position()).and_then(XorFilter::new);
    let symmetries = rules.symmetries();
    while history.outcome().is_none() && line.len() < score::MAX_SEARCH_PLIES && !control.is_over()
    {
        let position = *history.position();
        let book =
            filter.as_ref().filter(|_| winner.is_some() && rules.opening_book(&position).is_some());
        let may_be_in_tables = book.is_none() && tables.may_contain_position(&position);
        if may_be_in_tables && context.waits_for_tables() {
            tables.begin_computing_tables();
            tables.wait_until_computed(&|| control.is_over());
        }
        let mv = match book {
            None => tablebase_move(rules, tables, &position),
            Some(book) if Some(position.side_to_move()) == winner => {
                book_move(rules, &symmetries, book, &position)
            }
            Some(_) => history.legal_move_list().into_iter().min_by_key(|&mv| {
                let next = rules.play(&position, mv);
                match rules.outcome(&next) {
                    Some(_) => i32::MAX,
                    None => rules.evaluate(&next, &rules.compute_eval_data(&next)),
                }
            }),
        };
        let Some(mv) = mv else { break };
        history.push(mv);
        line.push(mv);
    }
}

/// Returns the tables' quickest winning or slowest losing move; `None` in a draw, and in a position
/// that the tables do not know.
fn tablebase_move<G: Searchable>(
    rules: &G,
    tables: &G::Tables,
    position: &G::Position,
) -> Option<G::Move> {
    let value_of = |position: &G::Position| {
        rules.probe_tables(tables, position, ProbeWorkLimit::Thorough).and_then(ProbeResult::value)
    };
    let is_won = match value_of(position)? {
        TableValue::Win(_) => true,
        TableValue::Loss(_) => false,
        TableValue::Draw => return None,
    };
    let mut best: Option<(u32, G::Move)> = None;
    for mv in legal_move_list(rules, position) {
        let next = rules.play(position, mv);
        let plies = match rules.outcome(&next) {
            Some(outcome) if is_won == (outcome.winner() == Some(position.side_to_move())) => 0,
            Some(_) => continue,
            None => match value_of(&next) {
                Some(TableValue::Loss(plies)) if is_won => plies,
                Some(TableValue::Win(plies)) if !is_won => plies,
                _ => continue,
            },
        };
        if best.is_none_or(|(least, _)| if is_won { plies < least } else { plies > least }) {
            best = Some((plies, mv));
        }
    }
    best.map(|(_, mv)| mv)
}
