//! Moves from an opening book. With these moves, the side that moves first wins from the start
//! position.
//!
//! A book covers all positions that can occur while this side plays by it, until tables of solved
//! positions take over. It is a table built like an [xor filter](pentarch_tables::xor_filter). It
//! has a number for each position with a choice, that is, with more than one legal move for this
//! side. The number is the index of the book's move in the list of legal moves. The label of the
//! table is the maximum number of plies that the win takes from the start.
//!
//! Two positions share a number if a symmetry of the rules maps one onto the other, or if they
//! differ only in their history. If no move is right for all of these histories, the shared number
//! is [`MOVE_DEPENDS_ON_HISTORY`], and each history has a separate number.
//!
//! The table may return a number even for a position that the book does not cover. So the book is
//! used only in a game that has followed it from the start.

use pentarch_core::rules::key;
use pentarch_core::rules::legal_move_list;
use pentarch_core::{GameHistory, HasTurn, Rules, Searchable, Symmetry};
use pentarch_tables::xor_filter::{MAX_FILTER_NUMBER, XorFilter};

use super::{SearchContext, SearchReport, SearchResult, score};

/// The number that the book stores for a position in which no single move is right for all
/// histories. In this case the book has a separate number for each history.
pub const MOVE_DEPENDS_ON_HISTORY: u8 = MAX_FILTER_NUMBER;

/// The function of a symmetry that maps a move to its image.
type SymmetryMoveFn<G> = fn(&G, <G as Rules>::Move) -> <G as Rules>::Move;

/// The orbit of a position: all positions to which symmetries map it without swapping the sides.
/// One of these positions, the canonical image, represents all of them.
pub struct PositionOrbit<G: Searchable> {
    /// The canonical image of the position: the position of the orbit with the least `key`. If
    /// several positions have this key, it is the one with the least `key_with_past`.
    pub image: G::Position,
    /// The search key of `image` without its history.
    pub key: u64,
    /// The [key](PositionOrbit::key_with_past) of `image` with its history.
    pub key_with_past: u64,
    /// The maps of the symmetries that lead from the position to the image, in the order in which
    /// they are applied. Each map is its own inverse.
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

    /// Returns a key that depends on an image and on the part of its history that counts for the
    /// book. This part is the past moves of the side to move. If the game returns
    /// [bans](pentarch_core::HistoryBans::position_bans), it also includes the past moves of the
    /// other side.
    pub fn key_with_past(rules: &G, image: &G::Position) -> u64 {
        let past = match rules.position_bans(image) {
            Some(_) => *image,
            None => rules.position_without_past_of(image, !image.side_to_move()),
        };
        key::hash_words(&[rules.search_key(&past)])
    }

    /// Returns the legal moves of the canonical image without its history. The numbers in the book
    /// are indices of this list.
    pub fn moves(&self, rules: &G) -> Vec<G::Move> {
        legal_move_list(rules, &rules.position_without_past(&self.image))
    }

    /// Maps a move of the position to the canonical image.
    pub fn move_to_image(&self, rules: &G, mv: G::Move) -> G::Move {
        self.maps.iter().fold(mv, |mv, map| map(rules, mv))
    }

    /// Maps a move of the canonical image back to the position.
    pub fn move_from_image(&self, rules: &G, mv: G::Move) -> G::Move {
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
        MOVE_DEPENDS_ON_HISTORY => book.get(orbit.key_with_past)?,
        number => number,
    };
    let mv = *orbit.moves(rules).get(usize::from(number))?;
    Some(orbit.move_from_image(rules, mv)).filter(|mv| legal.contains(mv))
}

/// Returns the move of the book in the current position. Returns `None` if the game did not begin
/// at the start position, or if the side to move has not followed the book.
fn book_move_in_game<G: Searchable>(history: &GameHistory<G>, book: &XorFilter) -> Option<G::Move> {
    let rules = history.rules().as_ref();
    let symmetries = rules.symmetries();
    let mut position = rules.start_position();
    let own = history.side_to_move();
    if own != position.side_to_move()
        || rules.search_key(history.start_position()) != rules.search_key(&position)
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

/// Returns the move of the game's book as the result of a search. The book is used only under three
/// conditions: a single best move is requested, a player's clock runs, and the search is not for a
/// win within a number of moves.
pub(super) fn book_search_result<G: Searchable>(
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
    let most_plies =
        usize::from(book.label).saturating_sub(history.len()).clamp(1, score::MAX_SEARCH_PLIES);
    let score = score::win_score_at_ply(most_plies);
    report(SearchReport { score, table_hits: 1, ..context.report_for_line(pv) });
    SearchResult::from_pv(pv, Some(score), 0)
}
