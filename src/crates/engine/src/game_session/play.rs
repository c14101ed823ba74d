//! Implements [`GameControl`] and [`GameInfo`]: changes and describes the current game.

use std::sync::Arc;

use pentarch_core::evaluation::HumanWinChanceCurve;
use pentarch_core::{EndByPlayers, HasTurn, Options, Outcome, Side, TableFiles};
use pentarch_games::Game;
use pentarch_search::time_management::PlayerOnClock;

use crate::error::{EngineError, EngineFault};
use crate::input_word::InputWord;
use crate::session::{
    AllowedEndings, GameConstants, GameControl, GameInfo, GameMoves, GameState, GameStatus, Session,
};

use super::{GameSession, build_game_history, join_input_words, push_moves_to_history};

impl<G: Game> GameControl for GameSession<G> {
    fn configure_rules(&mut self, options: &Options) -> bool {
        let rules = G::from_options(options);
        let is_other_game = rules != **self.history.rules();
        if is_other_game {
            *self = GameSession::new(Arc::new(rules), self.files.take());
        }
        is_other_game
    }

    fn set_table_files(&mut self, files: Option<Arc<dyn TableFiles>>) {
        self.tables = self.history.rules().create_or_share_tables(files.clone());
        self.files = files;
    }

    fn set_position(
        &mut self,
        fen: Option<&[InputWord]>,
        moves: &[InputWord],
    ) -> Result<(), EngineError> {
        self.generated.clear();
        let reused_moves =
            match self.count_common_first_moves(fen, moves).filter(|&shared| shared > 0) {
                None => {
                    self.history = build_game_history(self.history.rules(), fen, moves)?;
                    0
                }
                Some(shared) => {
                    let end = self.history.end_by_players();
                    self.history.undo_end_by_players();
                    let mut taken_back = Vec::new();
                    while self.history.len() > shared {
                        taken_back.extend(self.history.pop());
                    }
                    if let Err(error) = push_moves_to_history(&mut self.history, moves, shared) {
                        taken_back.into_iter().rev().for_each(|mv| self.history.push(mv));
                        // This cannot fail, because the same end was accepted before.
                        end.map(|end| self.history.end_game_by_players(end));
                        return Err(error);
                    }
                    shared
                }
            };
        self.start = fen.map(join_input_words);
        self.store_moves_as_typed(&moves[reused_moves..]);
        Ok(())
    }

    fn copy_session(&self) -> Box<dyn Session> {
        Box::new(GameSession {
            history: self.history.clone(),
            start: self.start.clone(),
            tables: self.tables.clone(),
            files: self.files.clone(),
            typed: self.typed.clone(),
            generated: Vec::new(),
        })
    }

    fn play_moves(&mut self, moves: &[InputWord]) -> Result<(), EngineError> {
        self.generated.clear();
        push_moves_to_history(&mut self.history, moves, 0)?;
        self.store_moves_as_typed(moves);
        Ok(())
    }

    fn end_game_by_players(&mut self, end: EndByPlayers) -> Result<(), EngineError> {
        self.generated.clear();
        Ok(self.history.end_game_by_players(end)?)
    }

    fn undo_moves(&mut self, count: u32) -> Result<(), EngineError> {
        self.generated.clear();
        let ends = u32::from(self.history.end_by_players().is_some());
        let moves = self.history.len();
        if moves < count.saturating_sub(ends) as usize {
            return Err(EngineFault::TooFewMoves { count, made: moves, has_end: ends > 0 }.into());
        }
        self.history.undo_end_by_players();
        for _ in ends..count {
            self.history.pop();
        }
        self.store_moves_as_typed(&[]);
        Ok(())
    }
}

impl<G: Game> GameInfo for GameSession<G> {
    fn game_constants(&self) -> GameConstants {
        GameConstants {
            game: G::GAME_ID,
            sides: G::SIDE_NAMES,
            players: G::PLAYER_NAMES,
            win_rate_scale: G::WIN_RATE_SCALE,
            rule_cases: G::RULE_CASES,
            turn_rule: G::TURN_RULE_ID,
            fen_rule: G::FEN_FORMAT_RULE_ID,
            race_count: G::RACE_COUNT_LABEL,
        }
    }

    fn human_win_chance_curve(&self) -> HumanWinChanceCurve {
        self.history.rules().human_win_chance_curve()
    }

    fn game_state(&self) -> GameState {
        let history = &self.history;
        let rules = history.rules();
        let player = history.player_to_move();
        let outcome = history.outcome();
        let winner = outcome.and_then(Outcome::winner);
        let seen = rules.position_seen_by_mover(history.position());
        GameState {
            moves: history.len(),
            full_move: history.position().full_move_number(),
            player,
            side: history.side_to_move(),
            mover_index: rules.side_of_player(player).map_or(player, Side::index),
            outcome,
            winner_index: winner
                .map(|winner| rules.side_number_and_name(history.position(), winner).0),
            end: history.end_by_players(),
            allows_draw_agreement: rules.allows_draw_agreement(),
            side_names: history.side_names(),
            seen_names: Side::BOTH_SIDES.map(|side| rules.side_number_and_name(&seen, side).1),
            seen_side: seen.side_to_move(),
        }
    }

    fn player_on_clock(&self) -> PlayerOnClock {
        let moves_made = self.history.position().full_move_number().saturating_sub(1);
        PlayerOnClock {
            index: self.history.player_to_move(),
            player_count: G::PLAYER_NAMES.len(),
            expected_moves: self.history.rules().expected_moves_left(moves_made),
        }
    }

    fn game_status(&self) -> GameStatus {
        let history = &self.history;
        let rules = history.rules();
        let player = history.player_to_move();
        let outcome = history.outcome();
        let is_ongoing = outcome.is_none();
        // If each player plays against all others, no player can end the game for all of them.
        let can_end = is_ongoing && rules.side_of_player(player).is_some();
        let sides = || if can_end { G::SIDE_NAMES.to_vec() } else { Vec::new() };
        let winner = outcome.and_then(Outcome::winner);
        GameStatus {
            turn: is_ongoing.then(|| G::PLAYER_NAMES[player]),
            player,
            players: G::PLAYER_NAMES,
            outcome: history.status_protocol_words(),
            sentence: history.status_sentence(),
            why: history.explain_outcome(),
            teams: player_teams(&**rules),
            winner: winner.map(|winner| rules.side_number_and_name(history.position(), winner).1),
            may: AllowedEndings {
                resign: sides(),
                agree: is_ongoing && rules.allows_draw_agreement(),
                flag: sides(),
            },
        }
    }

    fn game_moves(&self) -> GameMoves {
        let history = &self.history;
        let rules = history.rules();
        let moves: Vec<String> = history.moves().map(|mv| rules.move_text(mv)).collect();
        let signs = moves.iter().enumerate().map(|(at, canonical)| {
            rules.trailing_move_suffix(self.typed.get(at).unwrap_or(canonical)).to_string()
        });
        let turns = history
            .positions_before_moves()
            .map(|position| (rules.player_to_move(position), position.full_move_number()));
        let start = history.start_position();
        GameMoves {
            start: (*start != rules.start_position()).then(|| rules.position_text(start)),
            first_turn: (start.full_move_number(), start.side_to_move()),
            signs: signs.collect(),
            turns: turns.collect(),
            moves,
        }
    }

    fn count_common_first_moves(
        &self,
        fen: Option<&[InputWord]>,
        moves: &[InputWord],
    ) -> Option<usize> {
        if self.start != fen.map(join_input_words) {
            return None;
        }
        let made = self.history.moves().zip(moves).enumerate();
        let common = made.take_while(|(at, (mv, word))| match self.typed.get(*at) {
            Some(typed) => *typed == word.text,
            None => self.history.rules().move_text(*mv) == word.text,
        });
        Some(common.count())
    }
}

impl<G: Game> GameSession<G> {
    /// Stores the typed notation of `moves`, which are the last moves made. For earlier moves that
    /// were not typed, stores the canonical notation.
    fn store_moves_as_typed(&mut self, moves: &[InputWord]) {
        let earlier = self.history.len() - moves.len();
        self.typed.truncate(earlier);
        if moves.is_empty() {
            return;
        }
        let rules = self.history.rules();
        let stored = self.typed.len();
        // This loop takes time proportional to the length of the game, so it runs only if
        // necessary.
        if stored < earlier {
            let others = self.history.moves().take(earlier).skip(stored);
            self.typed.extend(others.map(|mv| rules.move_text(mv)));
        }
        self.typed.extend(moves.iter().map(|word| word.text.clone()));
    }
}

/// Returns the players of each team. The list is empty if each player plays alone.
fn player_teams<G: Game>(rules: &G) -> Vec<Vec<&'static str>> {
    let mut teams = vec![Vec::new(); 2];
    for (index, player) in G::PLAYER_NAMES.iter().enumerate() {
        if let Some(side) = rules.side_of_player(index) {
            teams[side.index()].push(*player);
        }
    }
    if teams.iter().all(|team| team.len() > 1) { teams } else { Vec::new() }
}
