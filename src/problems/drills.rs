//! Finds drills: won or drawn positions of the solved parts of a game. The side to move must keep
//! the result to the end of the game against perfect replies.
//!
//! The positions come from games of the engine with itself. The values of these positions come from
//! the tables that the engine builds by itself.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::sync::Arc;

use pentarch_core::{
    GameHistory, GameTables, HasTurn, Options, ProbeResult, ProbeWorkLimit, TableValue,
};
use pentarch_engine::builtin_drills::Drill;
use pentarch_engine::game_session::sorted_legal_moves;
use pentarch_games::{Game, GameOperation};
use pentarch_search::Searcher;

use super::compose::generate_selfplay_game;
use super::problem_prover::{has_repetition_draws, table_value_of_outcome, value_for_mover};

/// The minimum number of plies to the end of the game in a drill: from the position if it is won, or
/// from the position with the most slowly losing move if it is drawn.
const MIN_DRILL_PLIES: u32 = 3;
/// The maximum number of plies to the end for each grade. The highest grade has no maximum.
const MAX_WIN_PLIES_OF_GRADES: [u32; 4] = [5, 9, 15, 23];
/// The number of plies to search for a repetition that can end the game.
const REPETITION_SEARCH_PLIES: u32 = 4;
/// The number of games in a row without a new drill after which the list ends.
const MAX_GAMES_WITHOUT_NEW_DRILL: u32 = 30;

/// Access to the drills of a game. Positions and moves are strings in the notation of the game.
pub trait DrillGenerator {
    /// Returns `count` drills, the easiest first; fewer if no more drills are found. The seed
    /// chooses the drills.
    fn generate_drills(&self, seed: u64, count: usize) -> Vec<Drill>;

    /// Returns the value for the side to move after these moves from this position; `None` if the
    /// value is unknown or the game is over. If a draw by repetition is near, the earlier positions
    /// of the game are also considered.
    fn table_value_after_moves(&self, start: &str, moves: &[String]) -> Option<TableValue>;

    /// Returns the best moves after these moves from this position; an empty list if no move has a
    /// known value. The first best move is the hardest for the opponent. This move avoids earlier
    /// positions if another move is as good.
    fn best_table_moves_after(&self, start: &str, moves: &[String]) -> Vec<String>;
}

/// A builder of a game's tables and drills. Its output is `None` if there is not enough memory.
pub struct DrillGeneratorBuilder<'a> {
    /// The options that choose the rules.
    pub options: &'a Options,
}

impl GameOperation for DrillGeneratorBuilder<'_> {
    type Output = Option<Box<dyn DrillGenerator>>;

    fn run_for_game_type<G: Game>(self) -> Self::Output {
        let rules = Arc::new(G::from_options(self.options));
        let tables = rules.create_or_share_tables(None);
        tables.begin_computing_tables();
        tables.wait_until_computed(&|| false);
        // The games are the same with and without tables.
        let searcher = Searcher::with_tables(rules.create_uncomputed_tables(None), 1)?;
        Some(Box::new(GameWithTablebases { rules, tables, searcher }))
    }
}

/// A game with its finished tables.
struct GameWithTablebases<G: Game> {
    rules: Arc<G>,
    tables: Arc<G::Tables>,
    searcher: Searcher<G>,
}

/// A move with its value for the side that makes it.
struct MoveWithTableValue<G: Game> {
    text: String,
    mv: G::Move,
    value: TableValue,
}

impl<G: Game> GameWithTablebases<G> {
    fn table_value_of_position(&self, position: &G::Position) -> Option<TableValue> {
        match self.rules.outcome(position) {
            Some(outcome) => Some(table_value_of_outcome(outcome, position.side_to_move())),
            None => self
                .rules
                .probe_tables(&self.tables, position, ProbeWorkLimit::Thorough)
                .and_then(ProbeResult::value),
        }
    }

    /// Returns the value for the side to move in a game. If the repetition of a position can end
    /// the game with a draw, searches `plies` more plies. After those plies, uses the value of the
    /// position without regard to repetitions.
    fn table_value_of_game(&self, history: &mut GameHistory<G>, plies: u32) -> Option<TableValue> {
        if let Some(outcome) = history.outcome() {
            return Some(table_value_of_outcome(outcome, history.side_to_move()));
        }
        let value = self.table_value_of_position(history.position())?;
        // With each move the winner comes nearer to the end of the game. Therefore only earlier
        // positions nearer to the end can be reached again.
        let is_nearer = |position: &G::Position| {
            self.table_value_of_position(position)
                .is_some_and(|other| other != TableValue::Draw && other.plies() < value.plies())
        };
        if value == TableValue::Draw
            || plies == 0
            || !has_repetition_draws(self.rules.as_ref(), history.position())
            || !history.repeated_positions().any(is_nearer)
        {
            return Some(value);
        }
        // A win remains a win if one move preserves it. A loss remains a loss if every move
        // preserves it.
        let is_win = !is_table_value_loss(&value);
        let mut moves = history.legal_move_list();
        moves.sort_by_cached_key(|&mv| {
            let after = self.table_value_of_position(&self.rules.play(history.position(), mv));
            after.map_or((3, 0), |after| match value_for_mover(after) {
                TableValue::Win(plies) => (0, plies),
                TableValue::Draw => (1, 0),
                TableValue::Loss(plies) => (2, plies),
            })
        });
        let mut keeps_value = |mv| {
            history.push(mv);
            let after = self.table_value_of_game(history, plies - 1);
            history.pop();
            after.is_none_or(|after| {
                is_table_value_loss(&after) == is_win && after != TableValue::Draw
            })
        };
        let is_kept = if is_win {
            moves.into_iter().any(&mut keeps_value)
        } else {
            moves.into_iter().all(&mut keeps_value)
        };
        Some(if is_kept { value } else { TableValue::Draw })
    }

    /// Returns the legal moves whose values are known, in the order of their notation.
    fn moves_with_values(&self, history: &GameHistory<G>) -> Vec<MoveWithTableValue<G>> {
        let mut game = history.clone();
        let mut valued = Vec::new();
        for (text, mv) in sorted_legal_moves(history) {
            game.push(mv);
            let value = self.table_value_of_game(&mut game, REPETITION_SEARCH_PLIES);
            game.pop();
            if let Some(value) = value {
                valued.push(MoveWithTableValue { text, mv, value: value_for_mover(value) });
            }
        }
        valued
    }

    /// Returns the drill of a position, if it is a win or a draw as requested.
    fn drill_from_position(&self, position: &G::Position, is_win: bool) -> Option<Drill> {
        let history = GameHistory::new(self.rules.clone(), position.with_full_move_number(1));
        if history.outcome().is_some() {
            return None;
        }
        let value = self.table_value_of_position(history.position())?;
        let valued = self.moves_with_values(&history);
        let wrong = valued.iter().map(|mv| &mv.value).filter(|value| {
            matches!(value, TableValue::Win(_)) != is_win || is_table_value_loss(value)
        });
        let has_draws = has_repetition_draws(self.rules.as_ref(), position);
        let plies = match value {
            TableValue::Win(plies) if is_win => plies,
            TableValue::Draw if !is_win && has_draws => {
                wrong.clone().map(|value| value.plies()).max()?
            }
            _ => return None,
        };
        // At least one move must give away the win or the draw, and every move must have a known
        // value.
        if plies < MIN_DRILL_PLIES
            || wrong.count() == 0
            || valued.len() < history.legal_move_list().len()
        {
            return None;
        }
        let grade = 1 + MAX_WIN_PLIES_OF_GRADES.iter().filter(|&&most| plies > most).count() as u32;
        Some(Drill { position: self.rules.position_text(history.position()), is_win, grade })
    }

    /// Returns the game after these moves from this position; `None` if the moves are not legal.
    fn replay(&self, start: &str, moves: &[String]) -> Option<GameHistory<G>> {
        let mut game = GameHistory::new(self.rules.clone(), self.rules.parse_position(start).ok()?);
        for text in moves {
            game.push(game.resolve_move(text).ok()?);
        }
        Some(game)
    }
}

impl<G: Game> DrillGenerator for GameWithTablebases<G> {
    fn generate_drills(&self, seed: u64, count: usize) -> Vec<Drill> {
        let mut seeds = fastrand::Rng::with_seed(seed);
        let mut drills = Vec::new();
        let mut known = BTreeSet::new();
        let mut failed = 0;
        while drills.len() < count && failed < MAX_GAMES_WITHOUT_NEW_DRILL {
            let mut rng = seeds.fork();
            let game = generate_selfplay_game(&self.rules, &self.searcher, &mut rng);
            let mut positions: Vec<G::Position> = game.positions_before_moves().copied().collect();
            rng.shuffle(&mut positions);
            // Wins and draws alternate if the game has both.
            let is_win = drills.len() % 2 == 0;
            let mut found = [is_win, !is_win].into_iter().flat_map(|is_win| {
                positions
                    .iter()
                    .filter_map(move |position| self.drill_from_position(position, is_win))
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

    fn table_value_after_moves(&self, start: &str, moves: &[String]) -> Option<TableValue> {
        let mut game = self.replay(start, moves).filter(|game| game.outcome().is_none())?;
        self.table_value_of_game(&mut game, REPETITION_SEARCH_PLIES)
    }

    fn best_table_moves_after(&self, start: &str, moves: &[String]) -> Vec<String> {
        let Some(game) = self.replay(start, moves) else { return Vec::new() };
        let occurrences = |mv| {
            let mut next = game.clone();
            next.push(mv);
            next.plies_since_occurrences().count()
        };
        // Among drawing moves, the hardest for the opponent is the move after which most replies
        // lose.
        let traps = |mv| {
            let next = GameHistory::new(self.rules.clone(), self.rules.play(game.position(), mv));
            self.moves_with_values(&next).iter().filter(|mv| is_table_value_loss(&mv.value)).count()
                as u32
        };
        let mut valued = self.moves_with_values(&game);
        valued.sort_by_cached_key(|&MoveWithTableValue { mv, value, .. }| match value {
            TableValue::Win(plies) => (0, 0, plies, Reverse(0)),
            TableValue::Draw => (1, occurrences(mv), 0, Reverse(traps(mv))),
            TableValue::Loss(plies) => (2, 0, 0, Reverse(plies)),
        });
        let best = valued.first().map(|mv| std::mem::discriminant(&mv.value));
        valued.retain(|mv| Some(std::mem::discriminant(&mv.value)) == best);
        valued.into_iter().map(|mv| mv.text).collect()
    }
}

fn is_table_value_loss(value: &TableValue) -> bool {
    matches!(value, TableValue::Loss(_))
}
