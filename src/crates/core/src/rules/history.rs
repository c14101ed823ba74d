//! The history of a game: its positions, the moves between them, and the effects of repetition.

use std::sync::Arc;

use super::key::hash_words;
use crate::notation::parsing::capitalise;
use crate::sorting::sort_indices;
use crate::view::layout::{BoardLayout, Scene, Site, find_off_board_error};
use crate::{
    EndByPlayers, EndByPlayersError, HasPlayers, HasTurn, MoveError, Notation, Outcome,
    RuleViolation, Side,
};

/// A start position and the moves made from it, with every position on the way.
///
/// This type determines which moves are legal. The rules alone cannot do so, because a repetition
/// can end the game, and then no move is legal.
#[derive(Debug, Clone)]
pub struct GameHistory<G: HasPlayers> {
    rules: Arc<G>,
    current: G::Position,
    /// The data to undo the moves made so far, the last move last.
    undo_stack: Vec<MoveUndo<G>>,
    /// The repetition keys of all positions, the current one last.
    keys: Vec<u64>,
    /// The slots of a hash table that finds the earlier occurrences of a key. Each slot contains
    /// the number of its last key, counted from 1, or 0 if the slot has no key. The lowest bits of
    /// a key are the index of its slot. The number of slots is a power of two.
    last_in_slot: Vec<u32>,
    /// The chains of the hash table: for each of the `keys`, the number of the preceding key in the
    /// same slot, or 0 if there is none. With these links, the time to find the earlier occurrences
    /// of a position does not depend on the length of the game.
    previous_in_slot: Vec<u32>,
    /// The number of plies since the last irreversible move. Only positions after this move can be
    /// equal to the current position or to a later one.
    reversible_plies: usize,
    /// The end of the game by a decision of the players, if the players have ended the game.
    end_by_players: Option<EndByPlayers>,
}

/// A move or a null move, with the data to undo it.
#[derive(Debug, Clone, Copy)]
struct MoveUndo<G: HasPlayers> {
    /// The position before the move.
    position: G::Position,
    /// The move; `None` for a null move.
    mv: Option<G::Move>,
    /// The reversible plies before the move.
    reversible_plies: usize,
}

/// A position of a game that can occur again.
#[derive(Debug, Clone, Copy)]
pub struct RepeatablePosition<'a, P> {
    /// The position that can occur again.
    pub position: &'a P,
    /// The number of occurrences of the position before the current position.
    pub occurrences: usize,
}

impl<G: HasPlayers> GameHistory<G> {
    /// Creates a game that begins at this position, with an empty history.
    pub fn new(rules: Arc<G>, start: G::Position) -> GameHistory<G> {
        let keys = vec![rules.repetition_key(&start)];
        let mut history = GameHistory {
            rules,
            current: start,
            undo_stack: Vec::new(),
            keys,
            last_in_slot: Vec::new(),
            previous_in_slot: Vec::new(),
            reversible_plies: 0,
            end_by_players: None,
        };
        history.rebuild_key_links();
        history
    }

    /// Links all keys from scratch. The new table is large enough until the number of keys has
    /// doubled.
    fn rebuild_key_links(&mut self) {
        self.last_in_slot = vec![0; (self.keys.len() * 16).next_power_of_two().max(1024)];
        self.previous_in_slot.clear();
        for at in 0..self.keys.len() {
            self.add_key_to_slot(self.keys[at]);
        }
    }

    /// Adds `key` to its slot and links the key to the preceding key of this slot. The key must be
    /// the first of the `keys` that is not linked yet.
    fn add_key_to_slot(&mut self, key: u64) {
        let slot = self.key_slot_index(key);
        self.previous_in_slot.push(self.last_in_slot[slot]);
        self.last_in_slot[slot] = self.previous_in_slot.len() as u32;
    }

    /// Returns the index of the slot of a key in `last_in_slot`.
    fn key_slot_index(&self, key: u64) -> usize {
        key as usize & (self.last_in_slot.len() - 1)
    }

    /// Returns the rules of the game.
    pub fn rules(&self) -> &Arc<G> {
        &self.rules
    }

    /// Returns the current position.
    pub fn position(&self) -> &G::Position {
        &self.current
    }

    /// Returns the index of the player whose turn it is.
    pub fn player_to_move(&self) -> usize {
        self.rules.player_to_move(&self.current)
    }

    /// Returns the same game, but with the current position [as
    /// seen](HasPlayers::position_seen_by_mover) by a search for the player to move.
    pub fn history_seen_by_mover(&self) -> GameHistory<G> {
        GameHistory { current: self.rules.position_seen_by_mover(&self.current), ..self.clone() }
    }

    /// Returns the side whose turn it is.
    pub fn side_to_move(&self) -> Side {
        self.current.side_to_move()
    }

    /// Returns the position at which the game began.
    pub fn start_position(&self) -> &G::Position {
        self.undo_stack.first().map_or(&self.current, |undo| &undo.position)
    }

    /// Returns the number of moves made, including null moves.
    pub fn len(&self) -> usize {
        self.undo_stack.len()
    }

    /// Returns a hash of all positions of the game, in order.
    pub fn hash(&self) -> u64 {
        hash_words(&self.keys)
    }

    /// Returns whether no move has been made yet.
    pub fn is_empty(&self) -> bool {
        self.undo_stack.is_empty()
    }

    /// Returns the moves made, first to last, without null moves.
    pub fn moves(&self) -> impl Iterator<Item = G::Move> + '_ {
        self.undo_stack.iter().filter_map(|undo| undo.mv)
    }

    /// Returns the position before each of the moves, first to last, without null moves.
    pub fn positions_before_moves(&self) -> impl Iterator<Item = &G::Position> + '_ {
        self.undo_stack.iter().filter(|undo| undo.mv.is_some()).map(|undo| &undo.position)
    }

    /// Returns the last move and the position before it; `None` if no move was made, or if the last
    /// move is a null move.
    pub fn last_position_and_move(&self) -> Option<(&G::Position, G::Move)> {
        let last = self.undo_stack.last()?;
        Some((&last.position, last.mv?))
    }

    /// Makes a legal move.
    pub fn push(&mut self, mv: G::Move) {
        let reversible_plies = if self.rules.is_irreversible_move(&self.current, mv) {
            0
        } else {
            self.reversible_plies + 1
        };
        self.advance(Some(mv), self.rules.play(&self.current, mv), reversible_plies);
    }

    /// Makes a null move. No rules allow null moves, so only a search makes them. `after` is the
    /// current position with the other side to move. A position after the null move never counts as
    /// a repetition of a position before it.
    pub fn push_null_move(&mut self, after: G::Position) {
        self.advance(None, after, 0);
    }

    fn advance(&mut self, mv: Option<G::Move>, after: G::Position, reversible_plies: usize) {
        self.undo_stack.push(MoveUndo {
            position: self.current,
            mv,
            reversible_plies: self.reversible_plies,
        });
        self.reversible_plies = reversible_plies;
        self.current = after;
        let key = self.rules.repetition_key(&self.current);
        self.keys.push(key);
        if self.keys.len() * 8 > self.last_in_slot.len() {
            self.rebuild_key_links();
        } else {
            self.add_key_to_slot(key);
        }
    }

    /// Undoes the last move or null move. Returns the move, or `None` if it was a null move. Also
    /// returns `None` if there is no move to undo.
    pub fn pop(&mut self) -> Option<G::Move> {
        let MoveUndo { position, mv, reversible_plies } = self.undo_stack.pop()?;
        if let Some((key, previous)) = self.keys.pop().zip(self.previous_in_slot.pop()) {
            let slot = self.key_slot_index(key);
            self.last_in_slot[slot] = previous;
        }
        self.current = position;
        self.reversible_plies = reversible_plies;
        mv
    }

    /// Ends the game by a decision of its players. No move can be made until
    /// [`undo_end_by_players`](GameHistory::undo_end_by_players) is called.
    ///
    /// # Errors
    /// If the game is already over, or if the rules do not allow this end. In both cases the game
    /// is unchanged.
    pub fn end_game_by_players(&mut self, end: EndByPlayers) -> Result<(), EndByPlayersError> {
        if let Some(outcome) = self.outcome() {
            return Err(EndByPlayersError::GameOver { outcome: self.outcome_sentence(outcome) });
        }
        if end == EndByPlayers::Agreement {
            if !self.rules.allows_draw_agreement() {
                return Err(EndByPlayersError::NoAgreement);
            }
        } else if self.rules.side_of_player(0).is_none() {
            return Err(EndByPlayersError::NoSides);
        }
        self.end_by_players = Some(end);
        Ok(())
    }

    /// Returns the way in which the players ended the game; `None` if the players have not ended
    /// the game.
    pub fn end_by_players(&self) -> Option<EndByPlayers> {
        self.end_by_players
    }

    /// Undoes the players' [end](GameHistory::end_game_by_players) of the game, if there is one.
    pub fn undo_end_by_players(&mut self) {
        self.end_by_players = None;
    }

    /// Returns the number of plies since each earlier occurrence of the current position. The most
    /// recent occurrence is first.
    pub fn plies_since_occurrences(&self) -> impl Iterator<Item = usize> + '_ {
        let last = self.keys.len() - 1;
        let key = self.keys[last];
        let first_reversible = last - self.reversible_plies;
        let step = if G::SIDES_ALTERNATE { 2 } else { 1 };
        let previous_of = |number: u32| {
            let at = usize::try_from(number.checked_sub(1)?).ok()?;
            self.previous_in_slot.get(at).copied()
        };
        // The earlier numbers in the slot of this key, the latest first. Other keys can have the
        // same slot.
        let numbers =
            std::iter::successors(self.previous_in_slot.last().copied(), move |&number| {
                previous_of(number)
            });
        let distances = numbers
            .take_while(move |&number| number as usize > first_reversible)
            .map(move |number| last + 1 - number as usize);
        distances.filter(move |&ago| self.keys[last - ago] == key && ago.is_multiple_of(step))
    }

    /// Returns the outcome of the game, or `None` if the game has not ended. The game can end by a
    /// decision of the players, by the current position, or by the third occurrence of this
    /// position.
    pub fn outcome(&self) -> Option<Outcome> {
        if let Some(end) = self.end_by_players {
            return Some(end.outcome());
        }
        self.rules.outcome(&self.current).or_else(|| {
            let third = self.plies_since_occurrences().nth(1).is_some();
            third.then(|| self.rules.repetition_outcome(&self.current)).flatten()
        })
    }

    /// Returns the repetition key of the current position.
    pub fn repetition_key(&self) -> u64 {
        self.keys[self.keys.len() - 1]
    }

    /// Returns the repetition keys of the positions that have already occurred at least twice in
    /// this game and can occur again. The keys are in ascending order. The next occurrence of such
    /// a position can end the game.
    pub fn repeated_keys(&self) -> Vec<u64> {
        let last = self.keys.len() - 1;
        let mut reversible = self.keys[last - self.reversible_plies..].to_vec();
        reversible.sort_unstable();
        reversible.chunk_by(u64::eq).filter(|equal| equal.len() > 1).map(|equal| equal[0]).collect()
    }

    /// Returns whether the next occurrence of some position can end the game by repetition. Such a
    /// position has already occurred at least twice, and can occur again.
    pub fn can_end_by_repetition(&self) -> bool {
        self.rules.repetition_outcome(&self.current).is_some() && !self.repeated_keys().is_empty()
    }

    /// Returns the positions whose keys are [`repeated_keys`](GameHistory::repeated_keys). A
    /// position that has occurred several times is returned several times.
    pub fn repeated_positions(&self) -> impl Iterator<Item = &G::Position> {
        let repeated = self.repeated_keys();
        let position =
            |at: usize| self.undo_stack.get(at).map_or(&self.current, |undo| &undo.position);
        let reversible = self.keys.len() - 1 - self.reversible_plies..self.keys.len();
        reversible.filter(move |&at| repeated.contains(&self.keys[at])).map(position)
    }

    /// Returns the earlier positions that can occur again, one position for each repetition key.
    pub fn repeatable_positions(&self) -> Vec<RepeatablePosition<'_, G::Position>> {
        let last = self.keys.len() - 1;
        let first = last - self.reversible_plies;
        let keys = &self.keys[first..last];
        let indices = sort_indices(keys.len(), &|one, other| keys[one].cmp(&keys[other]));
        let equal = indices.chunk_by(|&one, &other| keys[one] == keys[other]);
        let position = |indices: &[usize]| RepeatablePosition {
            position: &self.undo_stack[first + indices[0]].position,
            occurrences: indices.len(),
        };
        equal.map(position).collect()
    }

    /// Returns whether none of the first `moves` positions of the game can occur again. Null moves
    /// do not count as irreversible moves here.
    pub fn are_first_positions_unrepeatable(&self, moves: usize) -> bool {
        let mut first = self.len() - self.reversible_plies;
        while let Some(MoveUndo { mv: None, reversible_plies, .. }) =
            first.checked_sub(1).and_then(|at| self.undo_stack.get(at))
        {
            first -= 1 + reversible_plies;
        }
        first >= moves
    }

    /// Appends the legal moves to `moves`. There are no legal moves if and only if the game has
    /// ended.
    pub fn legal_moves(&self, moves: &mut Vec<G::Move>) {
        if self.outcome().is_none() {
            self.rules.legal_moves(&self.current, moves);
        }
    }

    /// Returns the legal moves as a new list.
    pub fn legal_move_list(&self) -> Vec<G::Move> {
        let mut moves = Vec::new();
        self.legal_moves(&mut moves);
        moves
    }

    /// Returns the names of the sides in the current position.
    pub fn side_names(&self) -> [&'static str; 2] {
        Side::BOTH_SIDES.map(|side| self.rules.side_number_and_name(&self.current, side).1)
    }

    /// Returns an outcome in the game's own words, for error messages, such as `red has won
    /// (fortress)`.
    pub fn outcome_sentence(&self, outcome: Outcome) -> String {
        outcome.sentence(self.side_names())
    }

    /// Returns an outcome in the protocol's words, such as `win red fortress` or `draw repetition`.
    pub fn outcome_protocol_words(&self, outcome: Outcome) -> String {
        outcome.to_protocol_words(self.side_names())
    }
}

impl<G: BoardLayout> GameHistory<G> {
    /// Returns the legal move that this string denotes in the current position.
    ///
    /// # Errors
    /// If the string is not a move string, or if the move is illegal here.
    pub fn resolve_move(&self, text: &str) -> Result<G::Move, MoveError> {
        let parsed = self.rules.parse_move(text);
        let parsed = parsed
            .map_err(|error| find_off_board_error(self.rules.as_ref(), text).unwrap_or(error))?;
        if let Some(outcome) = self.outcome() {
            let reason = format!("the game is over: {}", self.outcome_sentence(outcome));
            return Err(RuleViolation { rules: G::NO_MOVE_AFTER_END_RULE_IDS, reason }.into());
        }
        Ok(self.rules.resolve_move(&self.current, &parsed)?)
    }

    /// Returns the parts of the board that depend on the current position. A piece that was placed
    /// in this game belongs to the player who placed it, even if the position does not store this
    /// player.
    pub fn scene(&self) -> Scene {
        let mut scene = self.rules.position_scene(&self.current);
        for MoveUndo { position, mv, .. } in &self.undo_stack {
            let Some(placed) = mv.and_then(|mv| self.rules.ownerless_placement_site(mv)) else {
                continue;
            };
            let piece = scene.pieces.iter_mut().find(|piece| piece.site == placed);
            if let Some(piece) = piece {
                piece.player = Some(self.rules.player_to_move(position));
            }
        }
        scene
    }

    /// Returns the sites that the last move involves, sorted by their ids. These are the sites of
    /// its clicks, the old and new sites of moved pieces, and the sites of placed pieces.
    pub fn sites_of_last_move(&self) -> Vec<Site> {
        let Some((before, mv)) = self.last_position_and_move() else { return Vec::new() };
        let mut sites = Vec::new();
        self.rules.append_move_clicks(before, mv, &mut sites);
        let details = self.rules.move_effect(before, mv);
        sites.extend(details.moved.into_iter().flatten());
        sites.extend(details.placed.iter().map(|piece| piece.site));
        sites.sort_by_key(Site::to_string);
        sites.dedup();
        sites
    }
}

impl<G: Notation> GameHistory<G> {
    /// Returns the canonical strings of the legal moves, in alphabetical order.
    pub fn legal_move_strings(&self) -> Vec<String> {
        let moves = self.legal_move_list().into_iter();
        let mut texts: Vec<String> = moves.map(|mv| self.rules.move_text(mv)).collect();
        texts.sort_unstable();
        texts
    }

    /// Returns the outcome of the game in the protocol's words, such as `ongoing`, `win red
    /// fortress` or `draw repetition`.
    pub fn status_protocol_words(&self) -> String {
        self.outcome()
            .map_or_else(|| "ongoing".into(), |outcome| self.outcome_protocol_words(outcome))
    }

    /// Returns whose turn it is, or how the game has ended. The result is a sentence for people,
    /// without the full stop, such as `Red is to move` or `Green has won: red's knight has no
    /// step`.
    pub fn status_sentence(&self) -> String {
        let Some(outcome) = self.outcome() else {
            return format!("{} is to move", capitalise(G::PLAYER_NAMES[self.player_to_move()]));
        };
        let why = self.outcome_explanation(outcome);
        match outcome {
            Outcome::Win(winner, _) => {
                format!(
                    "{} has won: {why}",
                    capitalise(self.rules.side_number_and_name(&self.current, winner).1)
                )
            }
            Outcome::Draw(_) => format!("The game is drawn: {why}"),
        }
    }

    /// Returns the reason why the game is over, as a clause for people, such as `red's knight has
    /// no step`. Returns `None` if the game is not over.
    pub fn explain_outcome(&self) -> Option<String> {
        Some(self.outcome_explanation(self.outcome()?))
    }

    fn outcome_explanation(&self, outcome: Outcome) -> String {
        let loser = |winner: Side| G::SIDE_NAMES[(!winner).index()];
        match (self.end_by_players, outcome) {
            (Some(EndByPlayers::Resignation(_)), Outcome::Win(winner, _)) => {
                format!("{} has resigned", loser(winner))
            }
            (Some(EndByPlayers::Time(_)), Outcome::Win(winner, _)) => {
                format!("{}'s time has run out", loser(winner))
            }
            (Some(_), _) => "the players have agreed on it".into(),
            (None, Outcome::Draw("repetition")) => {
                "the position has occurred for the third time".into()
            }
            (None, _) => self.rules.explain_outcome(&self.current, outcome),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rules;
    use crate::rules::key::hash_words;

    /// A test game in which each move is the number of the next place. A move to a place with an
    /// odd number is irreversible.
    #[derive(Debug, Clone, Default, PartialEq)]
    struct Walk;

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    struct Place {
        number: u32,
        side: Side,
        full_move: u32,
    }

    crate::turn_from_fields!(Place);

    impl Rules for Walk {
        type Position = Place;
        type Move = u32;

        const GAME_ID: &'static str = "walk";
        const GAME_NAME: &'static str = "Walk";
        const GAME_SUMMARY: &'static str = "walk";
        const SIDE_NAMES: [&'static str; 2] = ["one", "two"];

        fn start_position(&self) -> Place {
            Place { number: 0, side: Side::First, full_move: 1 }
        }

        fn outcome(&self, _: &Place) -> Option<Outcome> {
            None
        }

        fn legal_moves(&self, _: &Place, moves: &mut Vec<u32>) {
            moves.push(0);
        }

        fn play(&self, place: &Place, number: u32) -> Place {
            Place { number, side: !place.side, ..*place }
        }

        fn search_key(&self, place: &Place) -> u64 {
            hash_words(&[u64::from(place.number), place.side.index() as u64])
        }

        fn is_irreversible_move(&self, _: &Place, number: u32) -> bool {
            number % 2 == 1
        }
    }

    impl HasPlayers for Walk {}

    #[test]
    fn earlier_occurrences_are_found_among_the_reversible_plies() {
        let mut history = GameHistory::new(Arc::new(Walk), Walk.start_position());
        let mut state = 1_u64;
        for ply in 0..20_000 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let random = (state >> 33) as u32;
            if random.is_multiple_of(3) {
                history.pop();
            } else {
                history.push(if ply % 700 == 0 { 1 } else { random % 60 * 2 });
            }
            let last = history.keys.len() - 1;
            let expected = (2..=history.reversible_plies)
                .step_by(2)
                .filter(|&ago| history.keys[last - ago] == history.keys[last]);
            assert!(history.plies_since_occurrences().eq(expected), "ply {ply}");
        }
    }
}
