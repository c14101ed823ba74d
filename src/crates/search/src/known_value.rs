//! The values that are known before a search: from the rules, tables of solved positions, opening
//! books, and proofs. All searches and the query `known` take these values from this module.
//!
//! The values hold in the current game: they consider repetitions of its earlier positions. Numbers
//! of plies are upper bounds: the winner needs at most this number.

use pentarch_core::{
    GameHistory, GameTables, HasTurn, KnownValueSource, ProbeResult, ProbeWorkLimit, Searchable,
    Side, TableValue,
};

use super::known_winner::is_table_win_certain;
use super::opening_book::{BookPosition, locate_in_book};
use super::root_probe::TableValueCertainty;
use super::score::{self, MAX_SEARCH_PLIES};

/// The known value of a position or of a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KnownValue {
    /// The side that wins; `None` for a draw.
    pub winner: Option<Side>,
    /// The maximum number of plies to the end of the game; `None` for a draw, or if no bound is
    /// known.
    pub plies: Option<u32>,
    /// The source of the value.
    pub source: KnownValueSource,
}

impl KnownValue {
    /// Converts a table value for `side`, the side to move.
    fn from_table_value(value: TableValue, side: Side, source: KnownValueSource) -> KnownValue {
        let (winner, plies) = match value {
            TableValue::Win(plies) => (Some(side), Some(plies)),
            TableValue::Draw => (None, None),
            TableValue::Loss(plies) => (Some(!side), Some(plies)),
        };
        KnownValue { winner, plies, source }
    }

    /// Returns the value of the move that leads to a position with this value.
    fn one_ply_earlier(self) -> KnownValue {
        KnownValue { plies: self.plies.map(|plies| plies + 1), ..self }
    }

    /// Returns the score of the value for a side.
    pub fn score(self, side: Side) -> i32 {
        let Some(winner) = self.winner else { return 0 };
        let win = match self.plies {
            Some(plies) => score::win_score_at_ply((plies as usize).min(MAX_SEARCH_PLIES)),
            None => score::known_win_score_at_ply(0),
        };
        if winner == side { win } else { -win }
    }

    /// Returns whether the value is a win of this side.
    fn is_win_of(self, side: Side) -> bool {
        self.winner == Some(side)
    }
}

/// Returns the value with the better bound. If the two values have different winners, returns the
/// first one.
fn better_bounded_value(
    first: Option<KnownValue>,
    second: Option<KnownValue>,
) -> Option<KnownValue> {
    match (first, second) {
        (Some(first), Some(second)) => {
            let bound = |value: KnownValue| value.plies.unwrap_or(u32::MAX);
            let is_better = second.winner == first.winner && bound(second) < bound(first);
            Some(if is_better { second } else { first })
        }
        (first, second) => first.or(second),
    }
}

/// The known values of the current position of a game and of its moves.
#[derive(Debug, Clone)]
pub struct KnownValues<M> {
    /// The value of the position.
    pub position: Option<KnownValue>,
    /// The value of each of the moves. The plies of a value include the move itself.
    pub moves: Vec<Option<KnownValue>>,
    /// The move of the opening book in this position.
    pub book_move: Option<M>,
}

/// The sources of the known values of a game's current position and of its moves.
pub struct KnownValueLookup<'a, G: Searchable> {
    history: &'a GameHistory<G>,
    /// The tables; `None` if they are not probed.
    tables: Option<&'a G::Tables>,
    limit: ProbeWorkLimit,
    certainty: Option<TableValueCertainty>,
    book: Option<BookPosition<G::Move>>,
}

impl<'a, G: Searchable> KnownValueLookup<'a, G> {
    /// Creates a lookup that probes no tables.
    pub fn without_tables(history: &'a GameHistory<G>) -> Self {
        KnownValueLookup {
            book: locate_in_book(history),
            ..KnownValueLookup::without_tables_and_book(history)
        }
    }

    /// Creates a lookup that probes no tables and ignores the book.
    pub(super) fn without_tables_and_book(history: &'a GameHistory<G>) -> Self {
        let limit = ProbeWorkLimit::Computed;
        KnownValueLookup { history, tables: None, limit, certainty: None, book: None }
    }

    /// Returns a lookup that also probes these tables, within a limit.
    #[must_use]
    pub fn with_tables(self, tables: &'a G::Tables, limit: ProbeWorkLimit) -> Self {
        let certainty = Some(TableValueCertainty::for_game(self.history, tables));
        KnownValueLookup { tables: Some(tables), limit, certainty, ..self }
    }

    /// Returns the known value of the position, without its moves.
    pub fn position_value(&self) -> Option<KnownValue> {
        better_bounded_value(self.value_at(self.history), self.book.map(|book| book.value))
    }

    /// Returns whether the value after a move was proved in advance, if the game so far is ignored.
    pub(super) fn is_move_proved(&self, mv: G::Move) -> bool {
        let rules = self.history.rules();
        rules.proved_value(&rules.play(self.history.position(), mv)).is_some()
    }

    /// Returns the known values. `moves` are legal moves of the current position.
    pub fn values(&self, moves: &[G::Move]) -> KnownValues<G::Move> {
        let side = self.history.side_to_move();
        let mut position = self.position_value();
        let mut values = self.move_values(moves);
        let known: Vec<KnownValue> = values.iter().copied().flatten().collect();
        // A move that saves the side to move, for example by repetition, refutes a known loss.
        position = position.filter(|value| {
            !value.is_win_of(!side) || known.iter().all(|known| known.is_win_of(!side))
        });
        let wins = known.iter().filter(|value| value.is_win_of(side));
        let quickest = wins.min_by_key(|value| value.plies.unwrap_or(u32::MAX)).copied();
        position = better_bounded_value(position, quickest);
        if position.is_none()
            && !known.is_empty()
            && known.len() == self.history.legal_move_list().len()
        {
            position = known.into_iter().max_by_key(|value| value.score(side));
        }
        // All moves lose in a lost position.
        if let Some(loss) = position.filter(|value| value.is_win_of(!side)) {
            values.iter_mut().for_each(|value| *value = better_bounded_value(*value, Some(loss)));
        }
        let book_move = self.book.and_then(|book| book.reply);
        KnownValues { position, moves: values, book_move }
    }

    /// Returns the known values of these moves, from the positions after them and from the book.
    fn move_values(&self, moves: &[G::Move]) -> Vec<Option<KnownValue>> {
        let rules = self.history.rules();
        let book_value = self.book.map(|book| book.value);
        let book_move = self.book.and_then(|book| book.reply);
        let mut next = self.history.clone();
        let mut values = Vec::with_capacity(moves.len());
        for &mv in moves {
            let position = rules.play(self.history.position(), mv);
            let value = if self.is_known_to_no_source(&position) {
                None
            } else {
                next.push(mv);
                let value = self.value_at(&next).map(KnownValue::one_ply_earlier);
                next.pop();
                value
            };
            let by_book = book_value.filter(|_| book_move == Some(mv));
            values.push(better_bounded_value(value, by_book));
        }
        values
    }

    /// Returns whether a quick test shows that no source except the book knows the position. In
    /// most games this is true of most positions, so the test saves time.
    fn is_known_to_no_source(&self, position: &G::Position) -> bool {
        let rules = self.history.rules();
        let is_known_to_tables = |tables: &G::Tables| {
            tables.may_contain_position(position)
                || rules.probe_tables(tables, position, ProbeWorkLimit::Computed).is_some()
        };
        rules.outcome(position).is_none()
            && rules.repetition_outcome(position).is_none()
            && rules.proved_value(position).is_none()
            && !self.tables.is_some_and(is_known_to_tables)
    }

    /// Returns the value of the current position of `history` from all sources except the book.
    fn value_at(&self, history: &GameHistory<G>) -> Option<KnownValue> {
        if let Some(outcome) = history.outcome() {
            let winner = outcome.winner();
            let source = KnownValueSource::Rules;
            return Some(KnownValue { winner, plies: winner.map(|_| 0), source });
        }
        let rules = history.rules();
        let position = history.position();
        // A proof does not consider the game before its position. If the next occurrence of an
        // earlier position can end the game, the value may be wrong.
        let proved = match history.can_end_by_repetition() {
            true => None,
            false => rules.proved_value(position),
        };
        let proved = proved.map(|value| {
            KnownValue::from_table_value(value, position.side_to_move(), KnownValueSource::Proof)
        });
        better_bounded_value(self.value_in_tables(history), proved)
    }

    /// Returns the value of the current position of `history` from tables or computations.
    fn value_in_tables(&self, history: &GameHistory<G>) -> Option<KnownValue> {
        let tables = self.tables?;
        let rules = history.rules();
        let position = history.position();
        let side = position.side_to_move();
        let probed = rules.probe_tables(tables, position, self.limit)?;
        let computed = rules.probe_tables(tables, position, ProbeWorkLimit::Computed);
        let (found, source) = match computed.and_then(ProbeResult::value) {
            Some(value) => (ProbeResult::Value(value), KnownValueSource::Rules),
            None => (probed, KnownValueSource::Table),
        };
        match found {
            ProbeResult::Value(value) => {
                let is_certain =
                    self.certainty.is_some_and(|limit| limit.is_value_certain(history, value));
                is_certain.then(|| KnownValue::from_table_value(value, side, source))
            }
            ProbeResult::Lost(rank) => is_table_win_certain(history, tables, !side, rank)
                .then_some(KnownValue { winner: Some(!side), plies: None, source }),
            ProbeResult::Similar(_) => None,
        }
    }
}
