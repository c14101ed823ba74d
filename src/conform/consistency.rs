//! Checks that the traits of a game agree with each other: rules that contradict themselves have no
//! correct cases. The positions are those of the generated cases.

use std::collections::{BTreeMap, BTreeSet};

use pentarch_core::Options;
use pentarch_core::rules::options::REPETITION_DRAW_OPTION;
use pentarch_engine::error::EngineError;
use pentarch_engine::input_word::InputWord;
use thiserror::Error;

use super::reference::ReferenceGame;

/// A contradiction between methods of a game.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "the messages describe the variants")]
pub enum RulesContradiction {
    #[error("`parse_position` rejects a string of `position_text`: {0}")]
    RejectedFen(Box<EngineError>),
    #[error("`parse_position` reads a string of `position_text` as another position: {0}")]
    OtherFen(String),
    #[error("`search_key` changes when `parse_position` reads the string of `position_text`")]
    OtherKey,
    #[error("`search_key` must ignore the full-move number")]
    NumberInKey,
    #[error("`search_key` must differ from that of {0}")]
    SameKey(String),
    #[error("`outcome` has no end of the game, but `legal_moves` has no move")]
    NoMove,
    #[error("`outcome` ends none of the random games")]
    NoEnd,
    #[error("`repetition_outcome` must end the game if RepetitionDraw is on: moves {0}")]
    NoDraw(String),
    #[error("`move_text` has the same string for two moves: {0}")]
    SameMove(String),
    #[error("`parse_move` and `find_move` must find the move {0} of `legal_moves`")]
    LostMove(String),
    #[error("`find_move` accepts the move {0}, which `legal_moves` lacks")]
    UnlistedMove(String),
    #[error("`play` must pass the turn to the next player: move {0}")]
    Turn(String),
    #[error("`play` must count the turns in the full-move number: move {0}")]
    FullMove(String),
    #[error("`append_move_clicks` must name different sites of the board for each move: move {0}")]
    Clicks(String),
    #[error("`evaluate` must return a number from -9999 to 9999, not {0}")]
    Score(i32),
}

/// A check of positions under the rules of one rule set.
pub(super) struct ConsistencyCheck {
    /// A game that reads the FENs of positions.
    reader: ReferenceGame,
    /// A game that is drawn by repetition.
    with_draws: ReferenceGame,
    /// The ids of the sites of the board.
    sites: BTreeSet<String>,
    /// A position with its pieces and moves, by its key.
    positions: BTreeMap<u64, CheckedPosition>,
}

/// The parts of a position that its key must cover.
#[derive(Clone)]
struct CheckedPosition {
    fen: String,
    player: usize,
    legal: Vec<String>,
    /// The pieces on the board and in the hands.
    pieces: String,
}

impl ConsistencyCheck {
    pub(super) fn new(options: &Options) -> ConsistencyCheck {
        let mut with_draws = options.clone();
        // The option accepts this value, so this cannot fail.
        let _ = with_draws.set(&REPETITION_DRAW_OPTION, "true");
        let reader = ReferenceGame::new(options);
        let sites = reader.session().board_data(options).sites.into_iter();
        ConsistencyCheck {
            sites: sites.map(|site| site.id).collect(),
            reader,
            with_draws: ReferenceGame::new(&with_draws),
            positions: BTreeMap::new(),
        }
    }

    /// Checks the current position of a game that goes on.
    pub(super) fn check_position(
        &mut self,
        game: &mut ReferenceGame,
    ) -> Result<(), RulesContradiction> {
        if let Some(score) = game.evaluation().filter(|score| score.abs() > 9999) {
            return Err(RulesContradiction::Score(score));
        }
        let legal: Vec<String> = game.legal_moves().into_iter().map(|mv| mv.text).collect();
        let Some(first) = legal.first() else { return Err(RulesContradiction::NoMove) };
        check_turn(game, first)?;
        if let Some(same) = legal.windows(2).find(|moves| moves[0] == moves[1]) {
            return Err(RulesContradiction::SameMove(same[0].clone()));
        }
        for mv in &legal {
            check_notation(game, mv)?;
        }
        self.check_clicks(game, &legal)?;
        self.check_fen(game)?;
        self.check_key(game, legal)
    }

    fn check_clicks(
        &self,
        game: &ReferenceGame,
        legal: &[String],
    ) -> Result<(), RulesContradiction> {
        let mut all_clicks = BTreeSet::new();
        for mv in legal.iter().filter(|_| !self.sites.is_empty()) {
            let effect = game.session().move_effect(&InputWord::from_text(mv));
            let clicks = effect.map_or_else(|_| Vec::new(), |details| details.clicks);
            let are_sites = !clicks.is_empty() && clicks.iter().all(|id| self.sites.contains(id));
            if !are_sites || !all_clicks.insert(clicks) {
                return Err(RulesContradiction::Clicks(mv.clone()));
            }
        }
        Ok(())
    }

    fn check_fen(&mut self, game: &ReferenceGame) -> Result<(), RulesContradiction> {
        let fen = game.fen();
        let mut read = |fen: &str| {
            let result = self.reader.set_up(Some(fen), "");
            result.map_err(|error| RulesContradiction::RejectedFen(Box::new(error)))?;
            let found = self.reader.fen();
            if found != fen {
                return Err(RulesContradiction::OtherFen(found));
            }
            Ok(self.reader.search_key())
        };
        if read(&fen)? != game.search_key() {
            return Err(RulesContradiction::OtherKey);
        }
        let rest = fen.rsplit_once(' ').map_or("", |(rest, _)| rest);
        if read(&format!("{rest} 999999"))? != game.search_key() {
            return Err(RulesContradiction::NumberInKey);
        }
        Ok(())
    }

    fn check_key(
        &mut self,
        game: &ReferenceGame,
        legal: Vec<String>,
    ) -> Result<(), RulesContradiction> {
        let scene = game.session().position_scene();
        let new = CheckedPosition {
            fen: scene.fen,
            player: game.player(),
            legal,
            pieces: format!("{:?} {:?}", scene.pieces, scene.hands),
        };
        let old = self.positions.entry(game.search_key()).or_insert_with(|| new.clone());
        if (old.player, &old.legal, &old.pieces) != (new.player, &new.legal, &new.pieces) {
            return Err(RulesContradiction::SameKey(old.fen.clone()));
        }
        Ok(())
    }

    /// Checks a game in which a position has occurred three times.
    pub(super) fn check_repetition(
        &mut self,
        game: &ReferenceGame,
    ) -> Result<(), RulesContradiction> {
        let moves = game.moves().join(" ");
        // If the game ends before the last move, this move is illegal.
        if self.with_draws.set_up(None, &moves).is_ok() && self.with_draws.outcome() == "ongoing" {
            return Err(RulesContradiction::NoDraw(moves));
        }
        Ok(())
    }
}

/// Checks that a move that `find_move` accepts is one of the legal moves.
pub(super) fn check_legality(game: &ReferenceGame, mv: String) -> Result<(), RulesContradiction> {
    match game.legal_moves().iter().any(|legal| legal.text == mv) {
        true => Ok(()),
        false => Err(RulesContradiction::UnlistedMove(mv)),
    }
}

/// Checks the turn and the full-move number after a legal move.
fn check_turn(game: &mut ReferenceGame, mv: &str) -> Result<(), RulesContradiction> {
    let before = game.session().game_state();
    game.play(mv);
    let after = game.session().game_state();
    game.take_back();
    if after.player == before.player && game.constants().players.len() == 2 {
        return Err(RulesContradiction::Turn(mv.into()));
    }
    if after.full_move != before.full_move + u32::from(after.player <= before.player) {
        return Err(RulesContradiction::FullMove(mv.into()));
    }
    Ok(())
}

/// Checks the notation of a legal move.
fn check_notation(game: &ReferenceGame, mv: &str) -> Result<(), RulesContradiction> {
    for written in [mv.to_string(), mv.to_uppercase(), mv.to_lowercase()] {
        if game.find_move(&written).map_or(true, |found| found.text != mv) {
            return Err(RulesContradiction::LostMove(written));
        }
    }
    Ok(())
}
