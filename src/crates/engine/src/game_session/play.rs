//! A game in play: what changes it, and how it stands.

use std::sync::Arc;

use pentarch_core::{Options, Outcome, PlayerEnd, Side, TableFiles, Turn};
use pentarch_games::Game;

use crate::error::{EngineError, Fault};
use crate::input_word::Word;
use crate::session::{Course, Facts, GameInfo, May, Play, Session, Standing, Status};

use super::{GameSession, extend, joined, line_of};

impl<G: Game> Play for GameSession<G> {
    fn configure(&mut self, options: &Options) -> bool {
        let rules = G::from_options(options);
        let is_other_game = rules != **self.history.rules();
        if is_other_game {
            *self = GameSession::new(Arc::new(rules), self.files.take());
        }
        is_other_game
    }

    fn set_table_files(&mut self, files: Option<Arc<dyn TableFiles>>) {
        self.tables = self.history.rules().shared_tables(files.clone());
        self.files = files;
    }

    fn set_position(&mut self, fen: Option<&[Word]>, moves: &[Word]) -> Result<(), EngineError> {
        let kept = match self.shared_moves(fen, moves).filter(|&shared| shared > 0) {
            None => {
                self.history = line_of(self.history.rules(), fen, moves)?;
                0
            }
            Some(shared) => {
                let end = self.history.player_end();
                self.history.resume();
                let mut taken_back = Vec::new();
                while self.history.len() > shared {
                    taken_back.extend(self.history.pop());
                }
                if let Err(error) = extend(&mut self.history, moves, shared) {
                    taken_back.into_iter().rev().for_each(|mv| self.history.push(mv));
                    // It ended the same game before.
                    end.map(|end| self.history.end(end));
                    return Err(error);
                }
                shared
            }
        };
        self.start = fen.map(joined);
        self.keep_typed(&moves[kept..]);
        Ok(())
    }

    fn copy(&self) -> Box<dyn Session> {
        let GameSession { history, start, tables, files, typed } = self;
        let (history, start, tables) = (history.clone(), start.clone(), tables.clone());
        Box::new(GameSession { history, start, tables, files: files.clone(), typed: typed.clone() })
    }

    fn play(&mut self, moves: &[Word]) -> Result<(), EngineError> {
        extend(&mut self.history, moves, 0)?;
        self.keep_typed(moves);
        Ok(())
    }

    fn end(&mut self, end: PlayerEnd) -> Result<(), EngineError> {
        Ok(self.history.end(end)?)
    }

    fn undo(&mut self, count: u32) -> Result<(), EngineError> {
        let ends = u32::from(self.history.player_end().is_some());
        let moves = self.history.len();
        if moves < count.saturating_sub(ends) as usize {
            return Err(Fault::TakeBack { count, made: moves, has_end: ends > 0 }.into());
        }
        self.history.resume();
        for _ in ends..count {
            self.history.pop();
        }
        self.keep_typed(&[]);
        Ok(())
    }
}

impl<G: Game> GameInfo for GameSession<G> {
    fn facts(&self) -> Facts {
        Facts { game: G::ID, sides: G::SIDES, players: G::PLAYERS, odds_scale: G::WIN_RATE_SCALE }
    }

    fn standing(&self) -> Standing {
        let (history, rules) = (&self.history, self.history.rules());
        let (player, outcome) = (history.player_to_move(), history.outcome());
        let winner = outcome.and_then(Outcome::winner);
        let seen = rules.seen_by_mover(history.position());
        Standing {
            moves: history.len(),
            player,
            side: history.side_to_move(),
            turn_number: rules.side_of_player(player).map_or(player, Side::index),
            outcome,
            winner_number: winner.map(|winner| rules.side_name(history.position(), winner).0),
            end: history.player_end(),
            allows_draw_agreement: rules.allows_draw_agreement(),
            side_names: history.side_names(),
            seen_names: Side::BOTH.map(|side| rules.side_name(&seen, side).1),
            seen_side: seen.side_to_move(),
        }
    }

    fn status(&self) -> Status {
        let (history, rules) = (&self.history, self.history.rules());
        let (player, outcome) = (history.player_to_move(), history.outcome());
        let goes_on = outcome.is_none();
        // Where each player plays against all others, no player can end the game for them.
        let can_end = goes_on && rules.side_of_player(player).is_some();
        let sides = || if can_end { G::SIDES.to_vec() } else { Vec::new() };
        let winner = outcome.and_then(Outcome::winner);
        Status {
            turn: goes_on.then(|| G::PLAYERS[player]),
            player,
            players: G::PLAYERS,
            outcome: history.outcome_text(),
            sentence: history.status(),
            why: history.explain_outcome(),
            teams: teams(&**rules),
            winner: winner.map(|winner| rules.side_name(history.position(), winner).1),
            may: May {
                resign: sides(),
                agree: goes_on && rules.allows_draw_agreement(),
                flag: sides(),
            },
        }
    }

    fn course(&self) -> Course {
        let (history, rules) = (&self.history, self.history.rules());
        let moves: Vec<String> = history.moves().map(|mv| rules.move_text(mv)).collect();
        let start = history.start();
        let turn = |position: &G::Position| (rules.player_to_move(position), position.full_move());
        Course {
            start: (*start != rules.start()).then(|| rules.position_text(start)),
            first_turn: (start.full_move(), start.side_to_move()),
            marked: moves
                .iter()
                .zip(&self.typed)
                .map(|(mv, typed)| mv.clone() + rules.move_marks(typed))
                .collect(),
            turns: history.positions_before().map(turn).collect(),
            moves,
        }
    }

    fn shared_moves(&self, fen: Option<&[Word]>, moves: &[Word]) -> Option<usize> {
        if self.start != fen.map(joined) {
            return None;
        }
        Some(self.typed.iter().zip(moves).take_while(|(typed, word)| **typed == word.text).count())
    }
}

impl<G: Game> GameSession<G> {
    /// Keeps the texts that these moves were typed with, which were just made. All others that were made have their
    /// canonical texts.
    fn keep_typed(&mut self, moves: &[Word]) {
        self.typed.truncate(self.history.len() - moves.len());
        let (rules, known) = (self.history.rules(), self.typed.len());
        // Looking for others takes as long as the game is.
        if known < self.history.len() - moves.len() {
            let others = self.history.moves().take(self.history.len() - moves.len()).skip(known);
            self.typed.extend(others.map(|mv| rules.move_text(mv)));
        }
        self.typed.extend(moves.iter().map(|word| word.text.clone()));
    }
}

/// The players of each team; none where each player plays for himself.
fn teams<G: Game>(rules: &G) -> Vec<Vec<&'static str>> {
    let of = |side| {
        let is_on = |&player: &usize| rules.side_of_player(player) == Some(side);
        (0..G::PLAYERS.len()).filter(is_on).map(|player| G::PLAYERS[player]).collect()
    };
    let teams: Vec<Vec<_>> = Side::BOTH.into_iter().map(of).collect();
    if teams.iter().all(|team| team.len() > 1) { teams } else { Vec::new() }
}
