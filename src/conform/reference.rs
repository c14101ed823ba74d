//! The replies that the rules require, and the sentences of the rules that require them.

use std::collections::BTreeMap;

use thiserror::Error;

use pentarch_core::view::rules_text::RulesText;
use pentarch_core::{EndByPlayers, MoveError, Options};
use pentarch_engine::engine_state::new_game_session;
use pentarch_engine::error::{EngineError, EngineFault};
use pentarch_engine::games::RulesId;
use pentarch_engine::input_word::InputWord;
use pentarch_engine::rules_info::rules_text;
use pentarch_engine::session::{GameConstants, LegalMove, Session};
use pentarch_search::control::SearchControl;

use super::case::PositionReply;

/// A game under the rules of one rule set, which replies to all questions.
pub struct ReferenceGame {
    pub(super) session: Box<dyn Session>,
    pub(super) text: Option<RulesText<'static>>,
}

/// An error if players cannot end the game.
#[derive(Debug, Error)]
pub enum GameEndCommandError {
    /// The command is not one with which players end a game.
    #[error("expected 'resign', 'flag' or 'agree'")]
    UnknownCommand,
    /// The game has no such side, or the rules do not allow this end.
    #[error(transparent)]
    Engine(#[from] Box<EngineError>),
}

impl ReferenceGame {
    /// Creates a game in the start position of these rules.
    pub fn new(options: &Options) -> ReferenceGame {
        ReferenceGame {
            session: new_game_session(options),
            text: rules_text(RulesId::from_options(options)).ok(),
        }
    }

    /// Returns the constants of the game.
    pub fn constants(&self) -> GameConstants {
        self.session.game_constants()
    }

    /// Sets up the position `fen`, or the start position if `fen` is `None`, and makes moves.
    ///
    /// # Errors
    /// If the FEN is invalid, or if a move is not legal.
    pub fn set_up(&mut self, fen: Option<&str>, moves: &str) -> Result<(), EngineError> {
        let fen = fen.map(InputWord::split_into_words);
        self.session.set_position(fen.as_deref(), &InputWord::split_into_words(moves))
    }

    /// Makes a legal move. Returns `false` if the move is not legal.
    pub fn play(&mut self, mv: &str) -> bool {
        self.session.play_moves(&[InputWord::from_text(mv)]).is_ok()
    }

    /// Takes back the last move.
    pub fn take_back(&mut self) {
        // Without a move there is nothing to take back.
        let _ = self.session.undo_moves(1);
    }

    /// Ends the game by a command of the players, such as `resign white`.
    ///
    /// # Errors
    /// If the command is unknown, or if the rules do not allow this end.
    pub fn end_by_players(&mut self, command: &str) -> Result<(), GameEndCommandError> {
        let (word, side) = command.split_once(' ').unwrap_or((command, ""));
        let side = || self.session.parse_side(side).map_err(Box::new);
        let end = match word {
            "resign" => EndByPlayers::Resignation(side()?),
            "flag" => EndByPlayers::Time(side()?),
            "agree" => EndByPlayers::Agreement,
            _ => return Err(GameEndCommandError::UnknownCommand),
        };
        Ok(self.session.end_game_by_players(end).map_err(Box::new)?)
    }

    /// Returns the commands with which the players can end the game now.
    pub fn end_commands(&self) -> Vec<String> {
        let may = self.session.game_status().may;
        let resign = may.resign.iter().map(|side| format!("resign {side}"));
        let flag = may.flag.iter().map(|side| format!("flag {side}"));
        resign.chain(flag).chain(may.agree.then(|| "agree".to_string())).collect()
    }

    /// Returns the FEN of the position.
    pub fn fen(&self) -> String {
        self.session.position_notation().fen
    }

    /// Returns the moves of the game so far.
    pub fn moves(&self) -> Vec<String> {
        self.session.game_moves().moves
    }

    /// Returns the legal moves.
    pub fn legal_moves(&self) -> Vec<LegalMove> {
        self.session.legal_moves()
    }

    /// Returns the legal move with this notation.
    ///
    /// # Errors
    /// If the string is not a move, or if the move is not legal.
    pub fn resolve_move(&self, text: &str) -> Result<LegalMove, MoveError> {
        self.session.resolve_move(text)
    }

    /// Returns the outcome in the words of the protocol.
    pub fn outcome(&self) -> String {
        self.session.game_status().outcome
    }

    /// Returns the index of the player whose turn it is.
    pub fn player(&self) -> usize {
        self.session.game_state().player
    }

    /// Returns the static evaluation in centipawns for the side to move; `None` if the game is
    /// over.
    pub fn evaluation(&self) -> Option<i32> {
        self.session.static_evaluation().map(|evaluation| evaluation.score)
    }

    /// Returns the facts about the current position. Their field `next` is empty.
    pub fn position_reply(&self) -> PositionReply {
        let moves = self.moves();
        let legal: Vec<String> = self.legal_moves().into_iter().map(|mv| mv.text).collect();
        PositionReply {
            after: (!moves.is_empty()).then(|| self.fen()),
            moves: moves.join(" "),
            end: None,
            legal: legal.join(" "),
            outcome: self.outcome(),
            p1turn: self.session.game_state().mover_index == 0,
            next: BTreeMap::new(),
        }
    }

    /// Returns the number of sequences of `depth` moves. Repetitions of positions before the
    /// current one are ignored.
    pub fn perft(&self, depth: u32) -> u64 {
        let count = self.session.prepare_perft_job(depth);
        // Nothing stops the count, so there always is a result.
        count(&SearchControl::default(), &mut |_, _| {}).unwrap_or(0)
    }

    /// Returns the id of the sentence that permits or forbids a move in the current position.
    /// Returns `None` if the string is not a move.
    pub fn rule_id_of_move(&self, text: &str) -> Option<&'static str> {
        match self.resolve_move(text) {
            Ok(mv) => mv.rule,
            Err(MoveError::Illegal(violation)) => violation.decisive_rule_id(),
            Err(MoveError::Syntax(_)) => None,
        }
    }

    /// Returns the id of the sentence that ends games with this outcome (in the words of the
    /// protocol).
    pub fn rule_id_of_outcome(&self, outcome: &str) -> Option<&'static str> {
        let reason = match outcome.split_once(' ')? {
            ("win", rest) => rest.split_once(' ')?.1,
            (_, reason) => reason,
        };
        self.session.rule_id_of_outcome(reason)
    }

    /// Returns the text of a sentence of the rules. `name` is the id of the sentence, or `ID/3` for
    /// the third sentence with the same id. If several sentences have this id, returns all these
    /// sentences.
    pub fn rule_sentence(&self, name: &str) -> Option<String> {
        let (id, number) = match name.split_once('/') {
            Some((id, number)) => (id, number.parse::<usize>().ok()),
            None => (name, None),
        };
        let sentences = self.text.as_ref()?.sentences().filter(|sentence| sentence.id == Some(id));
        let texts: Vec<&str> = match number {
            Some(number) => {
                sentences.skip(number.checked_sub(1)?).take(1).map(|s| s.text).collect()
            }
            None => sentences.map(|sentence| sentence.text).collect(),
        };
        (!texts.is_empty()).then(|| texts.join(" "))
    }
}

/// Returns the id of the sentence that a string violates as a FEN; `None` if the string does not
/// have the form of a FEN.
pub fn rule_id_of_invalid_fen(error: &EngineError) -> Option<&'static str> {
    match &*error.fault {
        EngineFault::Position(violation) => violation.decisive_rule_id(),
        _ => None,
    }
}
