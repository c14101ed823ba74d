//! From the proof of a win to a book for the winner.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::core::{Complete, Line};
use crate::search::book::{BY_PAST, Orbit, reply};
use crate::tables::book::{self, Book};

use super::Claim;
use super::check::check;
use super::solver::{Known, Question};

/// The bytes of a book by which the attacker wins, with the replies `listed`, to where the tables of `small` take over:
/// the same rules, with smaller tables than those that the proof rests on. The label is the number of plies that a win
/// takes at most from the start.
///
/// The book has been checked by playing all that the defender can do.
///
/// # Errors
/// What stands against such a book.
pub fn bytes<G: Complete>(
    question: &Question<G>,
    listed: impl Fn(&G, &G::Position) -> Option<G::Move>,
    small: G,
) -> Result<Vec<u8>, String> {
    let small = Question::new(Line::new(Arc::new(small), *question.line.position()), question.attacker);
    let easier = |question: &Question<G>| question.easier_against(question.attacker);
    // The rules by which it was proved are not written down.
    if let (Some(large), Some(small)) = (easier(question), easier(&small)) {
        let found = under(&question.line, &large, &listed, &small);
        if found.is_ok() {
            return found;
        }
        log::info!("not under easier rules: {found:?}");
    }
    under(&question.line, question, &listed, &small)
}

/// The same under the rules of these questions, for a game as it was played so far.
fn under<G: Complete>(
    played: &Line<G>,
    large: &Question<G>,
    listed: &impl Fn(&G, &G::Position) -> Option<G::Move>,
    small: &Question<G>,
) -> Result<Vec<u8>, String> {
    let game = small.line.game().as_ref();
    let proved = |position: &G::Position| listed(game, position).or_else(|| narrowest(large, position));
    let (_, lengths) = check(small, Claim::Win, proved, &|| false).map_err(|flaw| flaw.to_string())?;

    // Symmetric positions and those that differ in their past only share a move, if all of them allow it: the one of
    // the shortest win. Those that the attacker has passed already have their move.
    let symmetries = game.symmetries();
    let mut shared: HashMap<u64, Shared<G>> = HashMap::new();
    let mut share = |position: &G::Position, plies: u32, mv: G::Move| {
        let orbit = Orbit::new(game, &symmetries, position);
        let choice = (plies, orbit.mapped(game, mv), orbit.image);
        shared.entry(orbit.key).or_insert(Shared { orbit, choices: Vec::new() }).choices.push(choice);
    };
    let mut before = *played.start();
    for mv in played.moves() {
        if game.side_to_move(&before) == large.attacker {
            share(&before, 0, mv);
        }
        before = game.play(&before, mv);
    }
    let (mut stack, mut seen, mut moves) = (vec![*small.line.position()], HashSet::new(), Vec::new());
    while let Some(position) = stack.pop() {
        let key = game.search_key(&position);
        if small.known(&position, &[]).is_some() || !seen.insert(key) {
            continue;
        }
        moves.clear();
        game.legal_moves(&position, &mut moves);
        if game.side_to_move(&position) == large.attacker {
            let mv = proved(&position).ok_or("a reply is missing")?;
            share(&position, lengths.get(&key).copied().unwrap_or(0), mv);
            moves = vec![mv];
        }
        stack.extend(moves.iter().map(|&mv| game.play(&position, mv)));
    }
    let numbers: Result<Vec<_>, String> = shared.values().map(|shared| shared.numbers(game)).collect();
    let mut numbers = numbers?.concat();
    numbers.sort_unstable();
    log::info!("a book of {} positions, {} numbers", shared.len(), numbers.len());

    let build = |plies: u32| book::bytes(&numbers, plies as u16).ok_or("the book cannot be packed");
    let bytes = build(0)?;
    let book = Book::new(&bytes).ok_or("the book is empty")?;
    let by_book = |position: &G::Position| reply(game, &symmetries, &book, position);
    let (checked, _) = check(small, Claim::Win, by_book, &|| false).map_err(|flaw| flaw.to_string())?;
    Ok(build(checked.plies + played.len() as u32)?)
}

/// Of the moves that come nearer to a win by the tables, the one that leaves the fewest replies, and of these the
/// quickest.
fn narrowest<G: Complete>(question: &Question<G>, position: &G::Position) -> Option<G::Move> {
    let game = question.line.game();
    let known = |position: &G::Position| match question.known(position, &[]) {
        Some(Known::Won(plies)) => Some(plies),
        _ => None,
    };
    let most = known(position)?;
    let (mut moves, mut replies) = (Vec::new(), Vec::new());
    game.legal_moves(position, &mut moves);
    let nearer = moves.into_iter().filter_map(|mv| {
        let next = game.play(position, mv);
        let plies = known(&next).filter(|&plies| plies < most)?;
        replies.clear();
        game.legal_moves(&next, &mut replies);
        Some(((replies.len(), plies), mv))
    });
    nearer.min_by_key(|&(cost, _)| cost).map(|(_, mv)| mv)
}

/// Positions that share a move.
struct Shared<G: Complete> {
    orbit: Orbit<G>,
    /// With the plies to the end, the move, and the position with its past.
    choices: Vec<(u32, G::Move, G::Position)>,
}

impl<G: Complete> Shared<G> {
    /// The numbers that say what to play, by key: the place of the shared move among all moves; none if there is only
    /// one move. Where some past forbids the move of the shortest win, each past has its own: that of the shortest win
    /// that it allows. A longer one than that of its own could lead back to a position met before. Where a move that is
    /// allowed need not win after another past, none is taken for it.
    fn numbers(&self, game: &G) -> Result<Vec<(u64, u8)>, String> {
        let all = self.orbit.moves(game);
        let legal = |position: &G::Position| {
            let mut moves = Vec::new();
            game.legal_moves(position, &mut moves);
            moves
        };
        let mut choices: Vec<_> = self.choices.iter().filter(|choice| legal(&choice.2).len() > 1).collect();
        choices.sort_by_key(|choice| choice.0);
        let suits = |choice: &(u32, G::Move, G::Position), image: &G::Position, own: Option<G::Move>| {
            if game.forbidden(image).is_some() { own == Some(choice.1) } else { legal(image).contains(&choice.1) }
        };
        let number = |mv| {
            let number = all.iter().position(|&other| other == mv).and_then(|at| u8::try_from(at).ok());
            let text = || format!("no number for the position {}", game.position_text(&self.orbit.image));
            number.filter(|&number| number < BY_PAST).ok_or_else(text)
        };
        let Some(shortest) = choices.first() else { return Ok(Vec::new()) };
        if choices.iter().all(|choice| suits(shortest, &choice.2, Some(choice.1))) {
            return Ok(vec![(self.orbit.key, number(shortest.1)?)]);
        }
        let mut numbers = vec![(self.orbit.key, BY_PAST)];
        let images = choices.iter().map(|choice| (choice.2, Some(choice.1)));
        for (image, own) in images.chain([(game.without_past(&self.orbit.image), None)]) {
            let key = Orbit::key_by_past(game, &image);
            let quickest = choices.iter().find(|choice| suits(choice, &image, own));
            if let Some((_, mv, _)) = quickest.filter(|_| numbers.iter().all(|&(other, _)| other != key)) {
                numbers.push((key, number(*mv)?));
            }
        }
        Ok(numbers)
    }
}
