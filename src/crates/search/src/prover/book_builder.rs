//! Builds an opening book for the winner from the proof of a win.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use thiserror::Error;

use crate::opening_book::{HISTORY_DEPENDENT_MOVE_NUMBER, PositionOrbit, book_move};
use pentarch_core::rules::legal_move_list;
use pentarch_core::{GameHistory, HasTurn, Rules, Searchable, Symmetry};
use pentarch_tables::xor_filter::{self, XorFilter};

use super::ProofClaim;
use super::question::{KnownResult, ProofQuestion};
use super::verify::{ProofError, verify_claim};

/// The reason why no book could be built from a proof. `P` is the game's position type, or the
/// string of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum BookBuildError<P> {
    /// The verification found a position in which the proof, or the book built from it, does not
    /// win.
    #[error(transparent)]
    Proof(#[from] ProofError<P>),
    /// The list of legal moves in this position is so long that the book cannot store the index of
    /// the winning move.
    #[error("the book has no number for the position {0}")]
    NoNumber(P),
    /// The xor filter that stores the book cannot be built.
    #[error("the book cannot be packed")]
    Unpackable,
}

impl<P> BookBuildError<P> {
    /// Returns the same error with the position converted, for example to its string.
    pub fn map<Q>(self, convert: impl FnOnce(P) -> Q) -> BookBuildError<Q> {
        match self {
            BookBuildError::Proof(flaw) => BookBuildError::Proof(flaw.map(convert)),
            BookBuildError::NoNumber(position) => BookBuildError::NoNumber(convert(position)),
            BookBuildError::Unpackable => BookBuildError::Unpackable,
        }
    }
}

/// A function that looks up the reply of the proof to a position. Its arguments are the rules and
/// the position.
pub type ProofStrategyFn<'a, G> =
    &'a dyn Fn(&G, &<G as Rules>::Position) -> Option<<G as Rules>::Move>;

/// Builds the bytes of an [opening book](crate::opening_book) by which the attacker wins.
///
/// The proof consists of the replies that `reply` returns, and of the tables of the `question`.
/// These tables may contain more positions than the `small_tables` with which the book will be
/// used. The book contains the moves up to the positions of the `small_tables`. If the proof has no
/// reply to a position, the tables of the question determine the move. At the end, the function
/// verifies the book: it plays all moves of the defender against the book.
///
/// # Errors
/// If the verification of the proof or of the book fails, or if the book cannot be stored.
pub fn build_book<G: Searchable>(
    question: &ProofQuestion<G>,
    reply: ProofStrategyFn<G>,
    small_tables: Arc<G::Tables>,
) -> Result<Vec<u8>, BookBuildError<G::Position>> {
    let rules = question.history.rules().clone();
    let small = ProofQuestion::new(
        GameHistory::new(rules, *question.history.position()),
        small_tables,
        question.attacker,
    );
    let relaxed = |question: &ProofQuestion<G>| question.relaxed_question_for(question.attacker);
    // A proof does not state whether it was found under relaxed rules. So the book is built under
    // the relaxed rules first.
    if let Some(large) = relaxed(question)
        && let Some(small) = relaxed(&small)
    {
        let found = build_book_until_small_tables(&question.history, &large, reply, &small);
        if found.is_ok() {
            return found;
        }
        log::info!("not under relaxed rules: {:?}", found.err());
    }
    build_book_until_small_tables(&question.history, question, reply, &small)
}

/// Builds the book under the rules of the two questions. `large` is the question of the proof, with
/// the tables on which the proof rests. `small` is the same question with the tables used after the
/// book. `played` is the game up to the position of the question. The book also contains the
/// attacker's moves in this game.
fn build_book_until_small_tables<G: Searchable>(
    played: &GameHistory<G>,
    large: &ProofQuestion<G>,
    reply: ProofStrategyFn<G>,
    small: &ProofQuestion<G>,
) -> Result<Vec<u8>, BookBuildError<G::Position>> {
    let rules = small.history.rules().as_ref();
    let proved = |position: &G::Position| {
        reply(rules, position).or_else(|| best_move_by_tables(large, position))
    };
    let distances = verify_claim(small, ProofClaim::Win, &proved, &|| false)?.distances;

    let symmetries = rules.symmetries();
    let mut shared: HashMap<u64, BookPositionGroup<G>> = HashMap::new();
    let mut share = |position: &G::Position, plies: u32, mv: G::Move| {
        let orbit = PositionOrbit::new(rules, &symmetries, position);
        let proof_move =
            ProofMove { plies, mv: orbit.map_move_to_image(rules, mv), image: orbit.image };
        shared
            .entry(orbit.key)
            .or_insert(BookPositionGroup { orbit, moves: Vec::new() })
            .moves
            .push(proof_move);
    };
    // The moves of the game so far get the distance 0, so that they come before the moves of the
    // proof.
    let mut before = *played.start_position();
    for mv in played.moves() {
        if before.side_to_move() == large.attacker {
            share(&before, 0, mv);
        }
        before = rules.play(&before, mv);
    }
    let mut stack = vec![*small.history.position()];
    let mut seen = HashSet::new();
    while let Some(position) = stack.pop() {
        let key = rules.search_key(&position);
        if small.known_result(&position, &[]).is_some() || !seen.insert(key) {
            continue;
        }
        let mut moves = legal_move_list(rules, &position);
        if position.side_to_move() == large.attacker {
            let mv = proved(&position).ok_or(ProofError::NoReply(position))?;
            share(&position, distances.get(&key).copied().unwrap_or(0), mv);
            moves = vec![mv];
        }
        stack.extend(moves.iter().map(|&mv| rules.play(&position, mv)));
    }
    let numbers: Result<Vec<_>, BookBuildError<_>> =
        shared.values().map(|shared| shared.book_move_numbers(rules)).collect();
    let mut numbers = numbers?.concat();
    numbers.sort_unstable();
    log::info!("a book of {} positions, {} numbers", shared.len(), numbers.len());

    let plies = verify_book_win(&numbers, &symmetries, small)? + played.len() as u32;
    build_book_filter(&numbers, plies)
}

/// Packs the numbers of the positions into the bytes of a book. With this book, a win takes at most
/// `plies` plies.
fn build_book_filter<P>(numbers: &[(u64, u8)], plies: u32) -> Result<Vec<u8>, BookBuildError<P>> {
    xor_filter::build_xor_filter(numbers, plies as u16).ok_or(BookBuildError::Unpackable)
}

/// Verifies that the attacker of the question wins by a book. `numbers` are the book's positions
/// (by key) and the indices of their moves. Returns the maximum number of plies that the win takes.
fn verify_book_win<G: Searchable>(
    numbers: &[(u64, u8)],
    symmetries: &[Symmetry<G>],
    question: &ProofQuestion<G>,
) -> Result<u32, BookBuildError<G::Position>> {
    let rules = question.history.rules().as_ref();
    let bytes = build_book_filter(numbers, 0)?;
    let book = XorFilter::new(&bytes).ok_or(BookBuildError::Unpackable)?;
    let verified = verify_claim(
        question,
        ProofClaim::Win,
        &|position| book_move(rules, symmetries, &book, position),
        &|| false,
    )?;
    Ok(verified.size.plies)
}

/// Returns the attacker's best move according to the tables. Among the moves that bring the win
/// nearer, the best move leaves the defender the fewest replies. Among moves that leave equally
/// few, the quickest win is best.
fn best_move_by_tables<G: Searchable>(
    question: &ProofQuestion<G>,
    position: &G::Position,
) -> Option<G::Move> {
    let rules = question.history.rules();
    let known = |position: &G::Position| match question.known_result(position, &[]) {
        Some(KnownResult::Won(plies)) => Some(plies),
        _ => None,
    };
    let most = known(position)?;
    let nearer = legal_move_list(rules.as_ref(), position).into_iter().filter_map(|mv| {
        let next = rules.play(position, mv);
        let plies = known(&next).filter(|&plies| plies < most)?;
        Some(((legal_move_list(rules.as_ref(), &next).len(), plies), mv))
    });
    nearer.min_by_key(|&(cost, _)| cost).map(|(_, mv)| mv)
}

/// A group of positions that are symmetric or differ only in their history, with the winning move
/// in each position. The book stores a single move for the group if this move is right in all of
/// its positions.
struct BookPositionGroup<G: Searchable> {
    orbit: PositionOrbit<G>,
    moves: Vec<ProofMove<G>>,
}

/// A position of a [`BookPositionGroup`], and the winning move of the proof.
struct ProofMove<G: Searchable> {
    /// The distance to mate in plies.
    plies: u32,
    /// The winning move of the proof, mapped by the symmetry from the position to `image`.
    mv: G::Move,
    /// The [canonical image](PositionOrbit::image) of the position, with its history.
    image: G::Position,
}

impl<G: Searchable> BookPositionGroup<G> {
    /// Returns pairs of a position key and the move number that the book stores for this key. The
    /// list is empty if no position of the group has more than one legal move.
    ///
    /// If possible, all positions share the move of the shortest win. If some history forbids this
    /// move, the book has a separate number for each history: the number of the move with the
    /// shortest win after this history. This win is never longer than the win by the history's own
    /// move in the proof. If the win were longer, it could lead back to an earlier position.
    ///
    /// If `position_bans` returns bans, a move that wins after one history may be legal but not
    /// win after another. So each history of such a game keeps its own move from the proof.
    fn book_move_numbers(&self, rules: &G) -> Result<Vec<(u64, u8)>, BookBuildError<G::Position>> {
        let all = self.orbit.canonical_moves(rules);
        let legal = |position: &G::Position| legal_move_list(rules, position);
        let mut moves: Vec<_> =
            self.moves.iter().filter(|choice| legal(&choice.image).len() > 1).collect();
        moves.sort_by_key(|choice| choice.plies);
        let is_right = |choice: &ProofMove<G>, image: &G::Position, own: Option<G::Move>| {
            if rules.position_bans(image).is_some() {
                own == Some(choice.mv)
            } else {
                legal(image).contains(&choice.mv)
            }
        };
        let number = |mv| {
            let number =
                all.iter().position(|&other| other == mv).and_then(|at| u8::try_from(at).ok());
            number
                .filter(|&number| number < HISTORY_DEPENDENT_MOVE_NUMBER)
                .ok_or(BookBuildError::NoNumber(self.orbit.image))
        };
        let Some(shortest) = moves.first() else { return Ok(Vec::new()) };
        if moves.iter().all(|choice| is_right(shortest, &choice.image, Some(choice.mv))) {
            return Ok(vec![(self.orbit.key, number(shortest.mv)?)]);
        }
        let mut numbers = vec![(self.orbit.key, HISTORY_DEPENDENT_MOVE_NUMBER)];
        let images = moves.iter().map(|choice| (choice.image, Some(choice.mv)));
        for (image, own) in images.chain([(rules.position_without_past(&self.orbit.image), None)]) {
            let key = PositionOrbit::key_with_past(rules, &image);
            let quickest = moves.iter().find(|choice| is_right(choice, &image, own));
            if let Some(choice) =
                quickest.filter(|_| numbers.iter().all(|&(other, _)| other != key))
            {
                numbers.push((key, number(choice.mv)?));
            }
        }
        Ok(numbers)
    }
}
