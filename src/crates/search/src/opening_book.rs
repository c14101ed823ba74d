//! Moves from an opening book, by which the side that moves first wins from the start position.
//!
//! A book covers all positions that can occur while this side plays by it, up to where tables of
//! solved positions take over. It is a table built like an [xor
//! filter](pentarch_tables::xor_filter). For each position in which this side has more than one
//! legal move, it contains the index of the move to play in the list of legal moves. Its label is
//! the most plies that the win takes from the start.
//!
//! Positions that a symmetry of the rules maps onto each other share a number, and so do positions
//! that differ only in their history. If no move is right for all of these histories, the number is
//! [`DEPENDS_ON_HISTORY`], and each history has its own number.
//!
//! A position that the book does not cover may seem to have a number. So the book is used only in a
//! game that has followed it from the start.

use pentarch_core::rules::key;
use pentarch_core::rules::legal_move_list;
use pentarch_core::{GameHistory, Rules, Searchable, Symmetry, Turn};
use pentarch_tables::xor_filter::{MAX_NUMBER, XorFilter};

use super::{SearchContext, SearchReport, SearchResult, score};

/// The number that says that the move depends on the history.
pub const DEPENDS_ON_HISTORY: u8 = MAX_NUMBER;

/// The map of a symmetry on moves.
type MoveMap<G> = fn(&G, <G as Rules>::Move) -> <G as Rules>::Move;

/// The orbit of a position: the positions to which symmetries map it without swapping the sides.
/// One of them, the canonical image, represents all.
pub struct Orbit<G: Searchable> {
    /// The canonical image: the position of the orbit with the least `key`, and of several the one
    /// with the least `key_with_past`.
    pub image: G::Position,
    /// The search key of the image without its history.
    pub key: u64,
    /// The [key of the image with its history](Orbit::key_with_past).
    pub key_with_past: u64,
    /// The maps of the symmetries that lead from the position to the image, one after the other.
    /// Each is its own inverse.
    maps: Vec<MoveMap<G>>,
}

impl<G: Searchable> Orbit<G> {
    /// Computes the orbit of a position.
    pub fn new(rules: &G, symmetries: &[Symmetry<G>], position: &G::Position) -> Self {
        let orbit = |image, maps| Orbit {
            image,
            key: rules.search_key(&rules.without_past(&image)),
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

    /// Returns the key of a canonical image with its history: with the past moves of the side to
    /// move, and of both sides if the game returns [bans](pentarch_core::HistoryBans::bans).
    pub fn key_with_past(rules: &G, image: &G::Position) -> u64 {
        let past = match rules.bans(image) {
            Some(_) => *image,
            None => rules.without_past_of(image, !image.side_to_move()),
        };
        key::hash_words(&[rules.search_key(&past)])
    }

    /// Returns the legal moves of the image without its history. The book's numbers are indices of
    /// this list.
    pub fn moves(&self, rules: &G) -> Vec<G::Move> {
        legal_move_list(rules, &rules.without_past(&self.image))
    }

    /// Returns the move of the image that corresponds to a move of the position.
    pub fn move_to_image(&self, rules: &G, mv: G::Move) -> G::Move {
        self.maps.iter().fold(mv, |mv, map| map(rules, mv))
    }

    /// Returns the move of the position that corresponds to a move of the image.
    pub fn move_from_image(&self, rules: &G, mv: G::Move) -> G::Move {
        self.maps.iter().rev().fold(mv, |mv, map| map(rules, mv))
    }
}

/// Returns the move of the book in a position that it covers.
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
    let orbit = Orbit::new(rules, symmetries, position);
    let number = match book.get(orbit.key)? {
        DEPENDS_ON_HISTORY => book.get(orbit.key_with_past)?,
        number => number,
    };
    let mv = *orbit.moves(rules).get(usize::from(number))?;
    Some(orbit.move_from_image(rules, mv)).filter(|mv| legal.contains(mv))
}

/// Returns the move of the book in the current position, if the game began at the start position
/// and the side to move has followed the book.
fn book_move_in_game<G: Searchable>(history: &GameHistory<G>, book: &XorFilter) -> Option<G::Move> {
    let rules = history.rules().as_ref();
    let symmetries = rules.symmetries();
    let mut position = rules.start();
    let own = history.side_to_move();
    if own != position.side_to_move()
        || rules.search_key(history.start()) != rules.search_key(&position)
    {
        return None;
    }
    for mv in history.moves() {
        if position.side_to_move() == own
            && book_move(rules, &symmetries, book, &position) != Some(mv)
        {
            return None;
        }
        position = rules.play(&position, mv);
    }
    book_move(rules, &symmetries, book, &position)
}

/// Returns the result of the game's book. It is used only if the time is limited, and only if a
/// single best move is requested, without a limit on the moves to the win.
pub(super) fn book_result<G: Searchable>(
    context: &SearchContext<G>,
    report: &mut dyn FnMut(SearchReport<G::Move>),
) -> Option<SearchResult<G::Move>> {
    let SearchContext { history, limits, control, .. } = *context;
    if !limits.use_tablebases
        || !limits.use_books
        || limits.multi_pv > 1
        || limits.mate.is_some()
        || !control.runs_on_clock()
    {
        return None;
    }
    let book = XorFilter::new(history.rules().opening_book(history.position())?)?;
    let pv = &[book_move_in_game(history, &book).filter(|mv| limits.moves.contains(mv))?];
    let most_plies = usize::from(book.label).saturating_sub(history.len()).clamp(1, score::MAX_PLY);
    let score = score::win_at(most_plies);
    report(SearchReport { score, table_hits: 1, ..context.report_for_line(pv) });
    SearchResult::from_pv(pv, Some(score), 0)
}
