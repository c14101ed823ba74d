//! Drills: positions of the solved parts of a game, won or drawn for the side to move, which is to keep that to the end
//! of the game against perfect replies.
//!
//! The positions are from games of the engine with itself, and their values from the tables that it makes by itself.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::sync::Arc;

use crate::core::{GameHistory, MakeTables, Options, Outcome, Probed, Probing, Side, TableValue, Turn};
use crate::engine::game_session::sorted_moves;
use crate::games::{Game, Visitor};
use crate::search::Searcher;

use super::compose::game;

/// The least plies to the end of a game that is to be won.
const LEAST_PLIES: u32 = 3;
/// The most plies to the end for each grade but the highest.
const GRADES: [u32; 4] = [5, 9, 15, 23];
/// How many games are played for each drill at most.
const GAMES: u32 = 30;

/// A position whose value is to be kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Drill {
    /// The text of the position.
    pub position: String,
    /// Whether it is won; else it is drawn.
    pub is_win: bool,
    /// From 1, easy, to 5: by the plies to the end of the game if both sides play as well as they can. Where a draw is
    /// to be held, it is the game after the wrong move that loses most slowly.
    pub grade: u32,
}

/// The drills of a game, by the texts of positions and moves.
pub trait Drills {
    /// So many drills, the easiest first, or as many as are found. The seed chooses them.
    fn list(&self, seed: u64, count: usize) -> Vec<Drill>;

    /// The value of this position for the side to move; none if it is not known, or if the game is over.
    fn value(&self, position: &str) -> Option<TableValue>;

    /// The best moves of this position, first the one that makes it hardest for the opponent; none if the value of no
    /// move is known.
    fn best_moves(&self, position: &str) -> Vec<String>;
}

/// Makes the tables of a game and gives its drills; none if there is not enough memory.
pub struct MakeDrills<'a> {
    /// The options that choose the rules.
    pub options: &'a Options,
}

impl Visitor for MakeDrills<'_> {
    type Output = Option<Box<dyn Drills>>;

    fn visit<G: Game>(self) -> Self::Output {
        let rules = Arc::new(G::from_options(self.options));
        let tables = rules.shared_tables(None);
        tables.begin();
        tables.wait(&|| false);
        // The games are the same whether there are tables or not.
        let searcher = Searcher::with(rules.new_tables(None), 1)?;
        Some(Box::new(Solved { rules, tables, searcher }))
    }
}

/// A game whose tables are made.
struct Solved<G: Game> {
    rules: Arc<G>,
    tables: Arc<G::Tables>,
    searcher: Searcher<G>,
}

impl<G: Game> Solved<G> {
    /// The value of a position for the side to move.
    fn value_of(&self, position: &G::Position) -> Option<TableValue> {
        let outcome = self.rules.outcome(position);
        outcome.map_or_else(
            || self.rules.probe(&self.tables, position, Probing::Thorough).and_then(Probed::value),
            |outcome| Some(ended(outcome, position.side_to_move())),
        )
    }

    /// The moves of a position whose value is known for the side that makes them, in the order of their texts.
    fn valued(&self, history: &GameHistory<G>) -> Vec<(String, G::Move, TableValue)> {
        let value = |mv| self.value_of(&self.rules.play(history.position(), mv)).map(before);
        sorted_moves(history).into_iter().filter_map(|(text, mv)| Some((text, mv, value(mv)?))).collect()
    }

    /// The drill of a position, if it is one of this kind.
    fn drill(&self, position: &G::Position, is_win: bool) -> Option<Drill> {
        let history = GameHistory::new(self.rules.clone(), position.with_full_move(1));
        let value = self.value_of(history.position()).filter(|_| history.outcome().is_none())?;
        let valued = self.valued(&history);
        let is_kept = |value: &TableValue| matches!(value, TableValue::Win(_)) == is_win;
        let wrong = valued.iter().map(|(.., value)| value).filter(|value| !is_kept(value) || is_loss(value));
        let knows_draws = matches!(self.rules.repetition_outcome(position), Some(Outcome::Draw(_)));
        let plies = match value {
            TableValue::Win(plies) if is_win && plies >= LEAST_PLIES => plies,
            TableValue::Draw if !is_win && knows_draws => wrong.clone().map(|value| value.plies()).max()?,
            _ => return None,
        };
        // Some move gives the value away, and that of none is unknown.
        if wrong.count() == 0 || valued.len() < history.legal_move_list().len() {
            return None;
        }
        let grade = 1 + GRADES.iter().filter(|&&most| plies > most).count() as u32;
        Some(Drill { position: self.rules.position_text(history.position()), is_win, grade })
    }

    fn place(&self, position: &str) -> Option<GameHistory<G>> {
        let position = self.rules.parse_position(position).ok()?;
        Some(GameHistory::new(self.rules.clone(), position))
    }
}

impl<G: Game> Drills for Solved<G> {
    fn list(&self, seed: u64, count: usize) -> Vec<Drill> {
        let mut seeds = fastrand::Rng::with_seed(seed);
        let (mut drills, mut known, mut failed) = (Vec::new(), BTreeSet::new(), 0);
        while drills.len() < count && failed < GAMES {
            let mut rng = seeds.fork();
            let game = game(&self.rules, &self.searcher, &mut rng);
            let mut positions: Vec<G::Position> = game.positions_before().copied().collect();
            rng.shuffle(&mut positions);
            // A draw after a win and a win after a draw, where the game has both.
            let is_win = drills.len() % 2 == 0;
            let mut found = [is_win, !is_win]
                .into_iter()
                .flat_map(|is_win| positions.iter().filter_map(move |position| self.drill(position, is_win)));
            match found.find(|drill: &Drill| !known.contains(&drill.position)) {
                Some(drill) => {
                    known.insert(drill.position.clone());
                    drills.push(drill);
                    failed = 0;
                }
                None => failed += 1,
            }
        }
        drills.sort_by_key(|drill| (drill.grade, drill.is_win));
        drills
    }

    fn value(&self, position: &str) -> Option<TableValue> {
        let place = self.place(position).filter(|place| place.outcome().is_none())?;
        self.value_of(place.position())
    }

    fn best_moves(&self, position: &str) -> Vec<String> {
        let Some(place) = self.place(position) else { return Vec::new() };
        // Of drawing moves the one is the hardest after which most moves lose.
        let traps = |mv| {
            let next = GameHistory::new(self.rules.clone(), self.rules.play(place.position(), mv));
            self.valued(&next).iter().filter(|(.., value)| is_loss(value)).count() as u32
        };
        let mut valued = self.valued(&place);
        let rank = |(_, mv, value): &(String, G::Move, TableValue)| match *value {
            TableValue::Win(plies) => (0, plies, Reverse(0)),
            TableValue::Draw => (1, 0, Reverse(traps(*mv))),
            TableValue::Loss(plies) => (2, 0, Reverse(plies)),
        };
        valued.sort_by_cached_key(rank);
        let best = valued.first().map(|(.., value)| std::mem::discriminant(value));
        let is_best = |value: &TableValue| Some(std::mem::discriminant(value)) == best;
        valued.into_iter().filter(|(.., value)| is_best(value)).map(|(text, ..)| text).collect()
    }
}

fn is_loss(value: &TableValue) -> bool {
    matches!(value, TableValue::Loss(_))
}

/// The value of a position in which the game is over, for the side to move.
fn ended(outcome: Outcome, side: Side) -> TableValue {
    match outcome.winner() {
        Some(winner) if winner == side => TableValue::Win(0),
        Some(_) => TableValue::Loss(0),
        None => TableValue::Draw,
    }
}

/// The value of a move for the side that makes it, by that of the position after it for the side to move there.
fn before(value: TableValue) -> TableValue {
    match value {
        TableValue::Win(plies) => TableValue::Loss(plies + 1),
        TableValue::Draw => TableValue::Draw,
        TableValue::Loss(plies) => TableValue::Win(plies + 1),
    }
}
