//! The history of a game: its positions, the moves between them, and what their repetition decides.

use std::sync::Arc;

use crate::notation::text::capitalised;
use crate::view::layout::{Layout, Site, off_board};
use crate::{
    MoveError, Notation, Outcome, PlayerEnd, PlayerEndError, Players, Side, Turn, Violation,
};

/// A start position and the moves made from it, with every position on the way.
///
/// Legality is decided here and not by the rules alone: a game that repetition has ended has no legal moves.
#[derive(Debug, Clone)]
pub struct GameHistory<G: Players> {
    rules: Arc<G>,
    current: G::Position,
    /// What taking back each of the moves restores, the last move last.
    undo_stack: Vec<Undo<G>>,
    /// The repetition keys of all positions, the current one last.
    keys: Vec<u64>,
    /// For each value of the lowest bits of a key, how many of the keys have these bits. It is a power of two long.
    /// Most positions are counted alone, so that no earlier occurrence of theirs need be looked for.
    key_counts: Vec<u32>,
    /// How many plies back the game can be traced without an irreversible move: only the positions on these plies can
    /// be equal to the current one or to a later one.
    reversible_plies: usize,
    /// How the players have ended the game, if they have.
    player_end: Option<PlayerEnd>,
}

/// A move made, or a null move, and what taking it back restores.
#[derive(Debug, Clone, Copy)]
struct Undo<G: Players> {
    /// The position before the move.
    position: G::Position,
    /// The move; none for a null move.
    mv: Option<G::Move>,
    /// The reversible plies before the move.
    reversible_plies: usize,
}

impl<G: Players> GameHistory<G> {
    /// A game that begins at this position, with an empty history.
    pub fn new(rules: Arc<G>, start: G::Position) -> GameHistory<G> {
        let keys = vec![rules.repetition_key(&start)];
        let (undo_stack, key_counts) = (Vec::new(), Vec::new());
        let mut history = GameHistory {
            rules,
            current: start,
            undo_stack,
            keys,
            key_counts,
            reversible_plies: 0,
            player_end: None,
        };
        history.count_keys();
        history
    }

    /// Counts all keys anew, in a table that is large enough for twice as many.
    fn count_keys(&mut self) {
        self.key_counts = vec![0; (self.keys.len() * 16).next_power_of_two().max(1024)];
        for at in 0..self.keys.len() {
            let slot = self.count_slot(self.keys[at]);
            self.key_counts[slot] += 1;
        }
    }

    /// Where the keys with the lowest bits of this one are counted.
    fn count_slot(&self, key: u64) -> usize {
        key as usize & (self.key_counts.len() - 1)
    }

    /// The rules of the game.
    pub fn rules(&self) -> &Arc<G> {
        &self.rules
    }

    /// The current position.
    pub fn position(&self) -> &G::Position {
        &self.current
    }

    /// The player whose turn it is, as an index.
    pub fn player_to_move(&self) -> usize {
        self.rules.player_to_move(&self.current)
    }

    /// The same game with the current position as a search for its player to move [sees](Players::seen_by_mover) it.
    pub fn seen_by_mover(&self) -> GameHistory<G> {
        GameHistory { current: self.rules.seen_by_mover(&self.current), ..self.clone() }
    }

    /// The side whose turn it is.
    pub fn side_to_move(&self) -> Side {
        self.current.side_to_move()
    }

    /// The position that the game began at.
    pub fn start(&self) -> &G::Position {
        self.undo_stack.first().map_or(&self.current, |undo| &undo.position)
    }

    /// The number of moves made, null moves included.
    pub fn len(&self) -> usize {
        self.undo_stack.len()
    }

    /// Whether no move was made yet.
    pub fn is_empty(&self) -> bool {
        self.undo_stack.is_empty()
    }

    /// The moves made, first to last, without null moves.
    pub fn moves(&self) -> impl Iterator<Item = G::Move> + '_ {
        self.undo_stack.iter().filter_map(|undo| undo.mv)
    }

    /// The position before each of the moves made, first to last, without null moves.
    pub fn positions_before(&self) -> impl Iterator<Item = &G::Position> + '_ {
        self.undo_stack.iter().filter(|undo| undo.mv.is_some()).map(|undo| &undo.position)
    }

    /// The last move and the position before it; none if no move was made or the last one is a null move.
    pub fn last(&self) -> Option<(&G::Position, G::Move)> {
        let last = self.undo_stack.last()?;
        Some((&last.position, last.mv?))
    }

    /// Makes a legal move.
    pub fn push(&mut self, mv: G::Move) {
        let reversible_plies = if self.rules.is_irreversible(&self.current, mv) {
            0
        } else {
            self.reversible_plies + 1
        };
        self.advance(Some(mv), self.rules.play(&self.current, mv), reversible_plies);
    }

    /// Makes a null move, which no rules allow, for a search: `after` is the current position with the other side to
    /// move. No position before a null move counts as an earlier occurrence of one after it.
    pub fn push_null_move(&mut self, after: G::Position) {
        self.advance(None, after, 0);
    }

    fn advance(&mut self, mv: Option<G::Move>, after: G::Position, reversible_plies: usize) {
        self.undo_stack.push(Undo {
            position: self.current,
            mv,
            reversible_plies: self.reversible_plies,
        });
        self.reversible_plies = reversible_plies;
        self.current = after;
        let key = self.rules.repetition_key(&self.current);
        self.keys.push(key);
        if self.keys.len() * 8 > self.key_counts.len() {
            self.count_keys();
        } else {
            let slot = self.count_slot(key);
            self.key_counts[slot] += 1;
        }
    }

    /// Takes back the last move or null move. Returns the move; none for a null move, and if no move was made.
    pub fn pop(&mut self) -> Option<G::Move> {
        let Undo { position, mv, reversible_plies } = self.undo_stack.pop()?;
        if let Some(key) = self.keys.pop() {
            let slot = self.count_slot(key);
            self.key_counts[slot] -= 1;
        }
        self.current = position;
        self.reversible_plies = reversible_plies;
        mv
    }

    /// Ends the game as the players want it. No move is made after that, until [`resume`](GameHistory::resume).
    ///
    /// # Errors
    /// If the game is over already, or the rules let nobody agree on a draw; the game is unchanged then.
    pub fn end(&mut self, end: PlayerEnd) -> Result<(), PlayerEndError> {
        if let Some(outcome) = self.outcome() {
            return Err(PlayerEndError::GameOver { outcome: self.outcome_sentence(outcome) });
        }
        if end == PlayerEnd::Agreement {
            if !self.rules.allows_draw_agreement() {
                return Err(PlayerEndError::NoAgreement);
            }
        } else if self.rules.side_of_player(0).is_none() {
            return Err(PlayerEndError::NoSides);
        }
        self.player_end = Some(end);
        Ok(())
    }

    /// How the players have ended the game; `None` if they have not.
    pub fn player_end(&self) -> Option<PlayerEnd> {
        self.player_end
    }

    /// Takes back the [end](GameHistory::end) that the players have made, if they have.
    pub fn resume(&mut self) {
        self.player_end = None;
    }

    /// How many plies ago the current position occurred before, once for each occurrence, most recent first.
    pub fn earlier_occurrences(&self) -> impl Iterator<Item = usize> + '_ {
        let last = self.keys.len() - 1;
        let key = self.keys[last];
        let plies =
            if self.key_counts[self.count_slot(key)] > 1 { self.reversible_plies } else { 0 };
        let step = if G::SIDES_ALTERNATE { 2 } else { 1 };
        (step..=plies).step_by(step).filter(move |&ago| self.keys[last - ago] == key)
    }

    /// How the game has ended, if it has: by the players, by the position, or by its third occurrence.
    pub fn outcome(&self) -> Option<Outcome> {
        if let Some(end) = self.player_end {
            return Some(end.outcome());
        }
        self.rules.outcome(&self.current).or_else(|| {
            let third = self.earlier_occurrences().nth(1).is_some();
            third.then(|| self.rules.repetition_outcome(&self.current)).flatten()
        })
    }

    /// The repetition key of the current position.
    pub fn repetition_key(&self) -> u64 {
        self.keys[self.keys.len() - 1]
    }

    /// The repetition keys of the positions that have occurred at least twice in this game and can occur again: their
    /// next occurrence can end the game. They are in ascending order.
    pub fn repeated_keys(&self) -> Vec<u64> {
        let last = self.keys.len() - 1;
        let mut reversible = self.keys[last - self.reversible_plies..].to_vec();
        reversible.sort_unstable();
        reversible.chunk_by(u64::eq).filter(|equal| equal.len() > 1).map(|equal| equal[0]).collect()
    }

    /// Whether a position has occurred at least twice, can occur again, and ends the game then.
    pub fn has_repetitions(&self) -> bool {
        self.rules.repetition_outcome(&self.current).is_some() && !self.repeated_keys().is_empty()
    }

    /// The positions with the [`repeated_keys`](GameHistory::repeated_keys), once for each occurrence.
    pub fn repeated(&self) -> impl Iterator<Item = &G::Position> {
        let repeated = self.repeated_keys();
        let position =
            |at: usize| self.undo_stack.get(at).map_or(&self.current, |undo| &undo.position);
        let reversible = self.keys.len() - 1 - self.reversible_plies..self.keys.len();
        reversible.filter(move |&at| repeated.contains(&self.keys[at])).map(position)
    }

    /// The positions before the current one that can occur again, one for each repetition key, with how often they have
    /// occurred.
    pub fn repeatable_positions(&self) -> Vec<(&G::Position, usize)> {
        let last = self.keys.len() - 1;
        let mut places: Vec<usize> = (last - self.reversible_plies..last).collect();
        places.sort_unstable_by_key(|&at| self.keys[at]);
        let equal = places.chunk_by(|&one, &other| self.keys[one] == self.keys[other]);
        equal.map(|places| (&self.undo_stack[places[0]].position, places.len())).collect()
    }

    /// Whether no position that occurred before the first `moves` moves had been made can occur again. Null moves do
    /// not count as irreversible here.
    pub fn is_irreversible_since(&self, moves: usize) -> bool {
        let mut first = self.len() - self.reversible_plies;
        while let Some(Undo { mv: None, reversible_plies, .. }) =
            first.checked_sub(1).and_then(|at| self.undo_stack.get(at))
        {
            first -= 1 + reversible_plies;
        }
        first >= moves
    }

    /// Appends the legal moves to `moves`: none exactly if the game has ended.
    pub fn legal_moves(&self, moves: &mut Vec<G::Move>) {
        if self.outcome().is_none() {
            self.rules.legal_moves(&self.current, moves);
        }
    }

    /// The legal moves, as a list of their own.
    pub fn legal_move_list(&self) -> Vec<G::Move> {
        let mut moves = Vec::new();
        self.legal_moves(&mut moves);
        moves
    }

    /// Returns the names of the sides in the current position.
    pub fn side_names(&self) -> [&'static str; 2] {
        Side::BOTH.map(|side| self.rules.side_name(&self.current, side).1)
    }

    /// An outcome in the game's own words, for error messages: `red has won (fortress)`.
    pub fn outcome_sentence(&self, outcome: Outcome) -> String {
        outcome.sentence(self.side_names())
    }

    /// An outcome in the words of the protocol: `win red fortress`, `draw repetition`.
    pub fn outcome_words(&self, outcome: Outcome) -> String {
        outcome.words(self.side_names())
    }
}

impl<G: Layout> GameHistory<G> {
    /// The legal move that this text names in the current position.
    ///
    /// # Errors
    /// If the text does not have the form of a move, or if the move that it names is illegal here.
    pub fn find_move(&self, text: &str) -> Result<G::Move, MoveError> {
        let parsed = self.rules.parse_move(text);
        let parsed =
            parsed.map_err(|error| off_board(self.rules.as_ref(), text).unwrap_or(error))?;
        if let Some(outcome) = self.outcome() {
            let reason = format!("the game is over: {}", self.outcome_sentence(outcome));
            return Err(Violation { rules: G::GAME_OVER, reason }.into());
        }
        Ok(self.rules.find_move(&self.current, &parsed)?)
    }

    /// The sites that the last move concerns, sorted by their ids: those of its clicks, and those where something came
    /// or went without being captured.
    pub fn last_sites(&self) -> Vec<Site> {
        let Some((before, mv)) = self.last() else { return Vec::new() };
        let mut sites = Vec::new();
        self.rules.clicks(before, mv, &mut sites);
        let details = self.rules.details(before, mv);
        sites.extend(details.moved.into_iter().flatten());
        sites.extend(details.placed.iter().map(|piece| piece.site));
        sites.sort_by_key(Site::to_string);
        sites.dedup();
        sites
    }
}

impl<G: Notation> GameHistory<G> {
    /// The canonical texts of the legal moves, in alphabetical order.
    pub fn move_texts(&self) -> Vec<String> {
        let moves = self.legal_move_list().into_iter();
        let mut texts: Vec<String> = moves.map(|mv| self.rules.move_text(mv)).collect();
        texts.sort_unstable();
        texts
    }

    /// The outcome of the game in the words of the protocol: `ongoing`, `win red fortress`, `draw repetition`.
    pub fn outcome_text(&self) -> String {
        self.outcome().map_or_else(|| "ongoing".into(), |outcome| self.outcome_words(outcome))
    }

    /// Whose turn it is, or how the game has ended, as a sentence for people without its full stop: `Red is to move`,
    /// `Green has won: red's knight has no step`.
    pub fn status(&self) -> String {
        let (Some(outcome), Some(why)) = (self.outcome(), self.explain_outcome()) else {
            return format!("{} is to move", capitalised(G::PLAYERS[self.player_to_move()]));
        };
        match outcome {
            Outcome::Win(winner, _) => {
                format!(
                    "{} has won: {why}",
                    capitalised(self.rules.side_name(&self.current, winner).1)
                )
            }
            Outcome::Draw(_) => format!("The game is drawn: {why}"),
        }
    }

    /// Why the game is over, as a clause for people: `red's knight has no step`. None while it goes on.
    pub fn explain_outcome(&self) -> Option<String> {
        let outcome = self.outcome()?;
        let loser = |winner: Side| G::SIDES[(!winner).index()];
        Some(match (self.player_end, outcome) {
            (Some(PlayerEnd::Resignation(_)), Outcome::Win(winner, _)) => {
                format!("{} has resigned", loser(winner))
            }
            (Some(PlayerEnd::Time(_)), Outcome::Win(winner, _)) => {
                format!("{}'s time has run out", loser(winner))
            }
            (Some(_), _) => "the players have agreed on it".into(),
            (None, Outcome::Draw("repetition")) => {
                "the position has occurred for the third time".into()
            }
            (None, _) => self.rules.explain_outcome(&self.current, outcome),
        })
    }
}
