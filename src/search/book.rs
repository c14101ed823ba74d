//! Moves from a book: how to win from the start of a game.
//!
//! A book has a number for each position with a choice that can come about when one side plays by it, to where tables
//! of solved positions take over: the place of its move among the legal ones. Positions that a symmetry of the rules
//! maps on each other share it, and what the rules remember of the past does not count, unless no move does for all
//! pasts: then a number says so, and each past has one of its own. Other positions may seem to have a number, so that
//! only a game that has followed the book is in it.

use crate::core::{Complete, Game, Line, Symmetry, key};
use crate::tables::book::{Book, GREATEST};

use super::control::Control;
use super::{Answer, Info, Limits, score};

/// The number of positions whose move depends on the past.
pub const BY_PAST: u8 = GREATEST;

/// What a symmetry does to a move.
type MoveMap<G> = fn(&G, <G as Game>::Move) -> <G as Game>::Move;

/// What positions share their number with a position, by the symmetries that leave the sides as they are.
pub struct Orbit<G: Complete> {
    /// The image of the position with the least key without its past, and of these the one with the least key by past.
    pub image: G::Position,
    /// The key without its past.
    pub key: u64,
    /// The key of the image and the past moves of the side to move.
    pub key_by_past: u64,
    /// The symmetries that lead to the image one after the other; each is its own inverse.
    way: Vec<MoveMap<G>>,
}

impl<G: Complete> Orbit<G> {
    /// The one to which a position belongs.
    pub fn new(game: &G, symmetries: &[Symmetry<G>], position: &G::Position) -> Self {
        let orbit = |image, way| Orbit {
            image,
            key: game.search_key(&game.without_past(&image)),
            key_by_past: Self::key_by_past(game, &image),
            way,
        };
        let keys = |orbit: &Self| (orbit.key, orbit.key_by_past);
        let mut images = vec![orbit(*position, Vec::new())];
        let mut at = 0;
        while at < images.len() {
            for symmetry in symmetries.iter().filter(|symmetry| !symmetry.swaps_sides) {
                let mut way = images[at].way.clone();
                way.push(symmetry.mv);
                let next = orbit((symmetry.position)(game, &images[at].image), way);
                if images.iter().all(|image| keys(image) != keys(&next)) {
                    images.push(next);
                }
            }
            at += 1;
        }
        let least = (0..images.len()).min_by_key(|&at| keys(&images[at])).unwrap_or(0);
        images.swap_remove(least)
    }

    /// The key of a position that a symmetry does not change any more and the past moves of the side to move, or of
    /// both sides where [either](crate::core::Probe::forbidden) may matter.
    pub fn key_by_past(game: &G, image: &G::Position) -> u64 {
        let past = match game.forbidden(image) {
            Some(_) => *image,
            None => game.without_past_of(image, !game.side_to_move(image)),
        };
        key::hash(&[game.search_key(&past)])
    }

    /// The moves of the image without its past, to which the numbers refer.
    pub fn moves(&self, game: &G) -> Vec<G::Move> {
        let mut moves = Vec::new();
        game.legal_moves(&game.without_past(&self.image), &mut moves);
        moves
    }

    /// The move of the image that a move of the position is.
    pub fn mapped(&self, game: &G, mv: G::Move) -> G::Move {
        self.way.iter().fold(mv, |mv, map| map(game, mv))
    }

    /// The move of the position that a move of the image is.
    pub fn back(&self, game: &G, mv: G::Move) -> G::Move {
        self.way.iter().rev().fold(mv, |mv, map| map(game, mv))
    }
}

/// The move of the book in a position that is in it.
pub fn reply<G: Complete>(
    game: &G,
    symmetries: &[Symmetry<G>],
    book: &Book,
    position: &G::Position,
) -> Option<G::Move> {
    let mut legal = Vec::new();
    game.legal_moves(position, &mut legal);
    if let [only] = legal[..] {
        return Some(only);
    }
    let orbit = Orbit::new(game, symmetries, position);
    let number = match book.get(orbit.key)? {
        BY_PAST => book.get(orbit.key_by_past)?,
        number => number,
    };
    let mv = *orbit.moves(game).get(usize::from(number))?;
    Some(orbit.back(game, mv)).filter(|mv| legal.contains(mv))
}

/// The move of the book if the game began at the start and the side to move has followed the book.
fn find<G: Complete>(line: &Line<G>, book: &Book) -> Option<G::Move> {
    let game = line.game().as_ref();
    let symmetries = game.symmetries();
    let (mut position, own) = (game.start(), game.side_to_move(line.position()));
    if own != game.side_to_move(&position) || game.search_key(line.start()) != game.search_key(&position) {
        return None;
    }
    for mv in line.moves() {
        if game.side_to_move(&position) == own && reply(game, &symmetries, book, &position) != Some(mv) {
            return None;
        }
        position = game.play(&position, mv);
    }
    reply(game, &symmetries, book, &position)
}

/// The answer from the game's book, if a clock runs and one best move is wanted, however far away the win is.
pub fn answer<G: Complete>(
    line: &Line<G>,
    limits: &Limits<G::Move>,
    control: &Control,
    report: &mut impl FnMut(Info<G::Move>),
) -> Option<Answer<G::Move>> {
    if !limits.solved || limits.multi_pv > 1 || limits.mate.is_some() || !control.is_timed() {
        return None;
    }
    let book = Book::new(line.game().book(line.position())?)?;
    let best = find(line, &book).filter(|mv| limits.moves.contains(mv))?;
    // Whoever follows the book has won after so many moves at the latest.
    let left = usize::from(book.label).saturating_sub(line.len()).clamp(1, score::MAX_PLY);
    let score = score::win_at(left);
    let (pv, time) = (&[best], control.elapsed());
    let (depth, seldepth, rank, nodes, table_hits, per_mille_full) = (1, 1, 1, 0, 1, 0);
    report(Info { depth, seldepth, rank, score, pv, nodes, table_hits, per_mille_full, time });
    Some(Answer { best, ponder: None, score: Some(score), nodes, faults: Vec::new() })
}
