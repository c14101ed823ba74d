//! Drills: positions of the solved parts of a game, won or drawn for the side to move, which is to keep that to the end
//! of the game against perfect replies.
//!
//! The positions are from games of the engine with itself, and their values from the tables that it makes by itself.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::sync::Arc;

use pentarch_core::{GameHistory, MakeTables, Options, ProbeLimit, ProbeResult, TableValue, Turn};
use pentarch_engine::builtin_drills::Drill;
use pentarch_engine::game_session::sorted_moves;
use pentarch_games::{Game, Visitor};
use pentarch_search::Searcher;

use super::compose::game;
use super::line::{before, ended, knows_draws};

/// The least plies to the end of a game that is to be won.
const LEAST_PLIES: u32 = 3;
/// The most plies to the end for each grade but the highest.
const GRADES: [u32; 4] = [5, 9, 15, 23];
/// How many plies of a game are looked at where a repetition can end it.
const LOOKED_AHEAD: u32 = 4;
/// How many games are played for each drill at most.
const GAMES: u32 = 30;

/// The drills of a game, by the texts of positions and moves.
pub trait Drills {
    /// So many drills, the easiest first, or as many as are found. The seed chooses them.
    fn list(&self, seed: u64, count: usize) -> Vec<Drill>;

    /// The value for the side to move after these moves from this position; none if it is not known, or if the game is
    /// over. Where a repetition that is a draw is near, the value is that of the game and not of the position alone.
    fn value(&self, start: &str, moves: &[String]) -> Option<TableValue>;

    /// The best moves there, first the one that makes it hardest for the opponent, and leads to no position that has
    /// occurred if there is another one as good; none if the value of no move is known.
    fn best_moves(&self, start: &str, moves: &[String]) -> Vec<String>;
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
        let searcher = Searcher::with_tables(rules.new_tables(None), 1)?;
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
            || {
                self.rules
                    .probe(&self.tables, position, ProbeLimit::Thorough)
                    .and_then(ProbeResult::value)
            },
            |outcome| Some(ended(outcome, position.side_to_move())),
        )
    }

    /// The value for the side to move in a game, of which so many more plies are looked at if an occurrence of a
    /// position can end it with a draw. Beyond them a win counts as one.
    fn value_in(&self, history: &mut GameHistory<G>, plies: u32) -> Option<TableValue> {
        if let Some(outcome) = history.outcome() {
            return Some(ended(outcome, history.side_to_move()));
        }
        let value = self.value_of(history.position())?;
        // Whoever wins comes nearer to the end with each move, and so to no position that is as far from it or farther.
        let is_nearer = |position: &G::Position| {
            self.value_of(position)
                .is_some_and(|other| other != TableValue::Draw && other.plies() < value.plies())
        };
        if value == TableValue::Draw
            || plies == 0
            || !knows_draws(self.rules.as_ref(), history.position())
            || !history.repeated_positions().any(is_nearer)
        {
            return Some(value);
        }
        // A win needs one move after which it goes on; a loss has none that ends in a draw.
        let is_win = !is_loss(&value);
        let wanted = |reply: TableValue| is_loss(&reply) == is_win && reply != TableValue::Draw;
        let mut moves = history.legal_move_list();
        moves.sort_by_cached_key(|&mv| {
            let after = self.value_of(&self.rules.play(history.position(), mv));
            after.map_or((3, 0), |after| match before(after) {
                TableValue::Win(plies) => (0, plies),
                TableValue::Draw => (1, 0),
                TableValue::Loss(plies) => (2, plies),
            })
        });
        let mut goes_on = |mv| {
            history.push(mv);
            let after = self.value_in(history, plies - 1);
            history.pop();
            after.is_none_or(wanted)
        };
        let holds = if is_win {
            moves.into_iter().any(&mut goes_on)
        } else {
            moves.into_iter().all(&mut goes_on)
        };
        Some(if holds { value } else { TableValue::Draw })
    }

    /// The moves of a game whose value is known for the side that makes them, in the order of their texts.
    fn valued(&self, history: &GameHistory<G>) -> Vec<(String, G::Move, TableValue)> {
        let mut played = history.clone();
        let mut value = |mv| {
            played.push(mv);
            let value = self.value_in(&mut played, LOOKED_AHEAD).map(before);
            played.pop();
            value
        };
        sorted_moves(history)
            .into_iter()
            .filter_map(|(text, mv)| Some((text, mv, value(mv)?)))
            .collect()
    }

    /// The drill of a position, if it is one of this kind.
    fn drill(&self, position: &G::Position, is_win: bool) -> Option<Drill> {
        let history = GameHistory::new(self.rules.clone(), position.with_full_move(1));
        let value = self.value_of(history.position()).filter(|_| history.outcome().is_none())?;
        let valued = self.valued(&history);
        let is_kept = |value: &TableValue| matches!(value, TableValue::Win(_)) == is_win;
        let wrong = valued
            .iter()
            .map(|(.., value)| value)
            .filter(|value| !is_kept(value) || is_loss(value));
        let knows_draws = knows_draws(self.rules.as_ref(), position);
        let plies = match value {
            TableValue::Win(plies) if is_win && plies >= LEAST_PLIES => plies,
            TableValue::Draw if !is_win && knows_draws => {
                wrong.clone().map(|value| value.plies()).max()?
            }
            _ => return None,
        };
        // Some move gives the value away, and that of none is unknown.
        if wrong.count() == 0 || valued.len() < history.legal_move_list().len() {
            return None;
        }
        let grade = 1 + GRADES.iter().filter(|&&most| plies > most).count() as u32;
        Some(Drill { position: self.rules.position_text(history.position()), is_win, grade })
    }

    fn game(&self, start: &str, moves: &[String]) -> Option<GameHistory<G>> {
        let mut game = GameHistory::new(self.rules.clone(), self.rules.parse_position(start).ok()?);
        for text in moves {
            game.push(game.find_move(text).ok()?);
        }
        Some(game)
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
            let mut found = [is_win, !is_win].into_iter().flat_map(|is_win| {
                positions.iter().filter_map(move |position| self.drill(position, is_win))
            });
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

    fn value(&self, start: &str, moves: &[String]) -> Option<TableValue> {
        let mut game = self.game(start, moves).filter(|game| game.outcome().is_none())?;
        self.value_in(&mut game, LOOKED_AHEAD)
    }

    fn best_moves(&self, start: &str, moves: &[String]) -> Vec<String> {
        let Some(place) = self.game(start, moves) else { return Vec::new() };
        let occurrences = |mv| {
            let mut next = place.clone();
            next.push(mv);
            next.earlier_occurrences().count()
        };
        // Of drawing moves the one is the hardest after which most moves lose.
        let traps = |mv| {
            let next = GameHistory::new(self.rules.clone(), self.rules.play(place.position(), mv));
            self.valued(&next).iter().filter(|(.., value)| is_loss(value)).count() as u32
        };
        let mut valued = self.valued(&place);
        let rank = |(_, mv, value): &(String, G::Move, TableValue)| match *value {
            TableValue::Win(plies) => (0, 0, plies, Reverse(0)),
            TableValue::Draw => (1, occurrences(*mv), 0, Reverse(traps(*mv))),
            TableValue::Loss(plies) => (2, 0, 0, Reverse(plies)),
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
