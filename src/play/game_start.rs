//! The ways to begin a game: from the start position, fairly, or with a handicap.

use pentarch_core::notation::parsing::capitalise;
use pentarch_engine::engine_options::EngineOptions;
use pentarch_engine::error::EngineError;
use pentarch_engine::games::RulesId;
use pentarch_engine::starts::{BalancedOpening, HandicapFields, Starts};
use thiserror::Error;

use super::local_game::{LocalGame, PlayerKind, viewer_of_players};

/// The way in which games begin.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum GameStart {
    /// From the start position.
    #[default]
    Usual,
    /// After a random opening from which either side can win.
    Balanced,
    /// After the first move, the second player may take over the first side. This is the pie rule.
    Swap,
    /// The engine has less than the person, by the handicap with this number from 1.
    Handicap(usize),
}

/// The reason why a game cannot begin in this way.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum GameStartError {
    /// The program has no openings of the game.
    #[error("there are no balanced openings under these rules")]
    NoOpenings,
    /// The game has more than two players.
    #[error("only two players can swap sides")]
    NotForTwo,
    /// Not just one of two players is a person.
    #[error("a handicap is for a person against the engine")]
    NotAgainstEngine,
    /// The game has no handicaps.
    #[error("there are no handicaps under these rules")]
    NoHandicaps,
    /// There is no handicap with this number.
    #[error("there is no handicap {number}, only {list}")]
    NoSuchHandicap {
        /// The invalid number.
        number: usize,
        /// The handicaps with their numbers.
        list: String,
    },
    /// The engine rejects the start.
    #[error(transparent)]
    Engine(#[from] EngineError),
}

/// Returns a sentence about what the player and the engine have.
pub fn handicap_sentence(HandicapFields { less, more, kind, .. }: &HandicapFields) -> String {
    format!("you have {more} {kind}, the engine {less}")
}

impl LocalGame {
    /// Begins the game in its [way](GameStart). Returns a sentence about it, except about the usual
    /// start.
    ///
    /// # Errors
    /// If the rules or the players do not allow this start.
    pub fn begin_game(&mut self) -> Result<Option<String>, GameStartError> {
        let sentence = self.set_up_start()?;
        self.has_swapped = false;
        self.is_counted = false;
        Ok(sentence)
    }

    /// Sets up the position in which the game begins. Returns a sentence about the start, except
    /// about the usual one.
    fn set_up_start(&mut self) -> Result<Option<String>, GameStartError> {
        if self.start == GameStart::Usual {
            self.set_up_game(None, &[])?;
            return Ok(None);
        }
        let seed = EngineOptions::new(&self.engine.options).seed;
        let Starts { balanced, handicaps } = Starts::new(&self.engine.options, seed);
        let sentence = match self.start {
            GameStart::Usual => return Ok(None),
            GameStart::Balanced => {
                let BalancedOpening { moves, fen } = balanced.ok_or(GameStartError::NoOpenings)?;
                self.set_up_game(Some(&fen), &[])?;
                format!("A balanced opening: {}.", moves.join(" "))
            }
            GameStart::Swap => {
                if self.players.len() > 2 {
                    return Err(GameStartError::NotForTwo);
                }
                self.set_up_game(None, &[])?;
                "After the first move, the second player may swap sides.".into()
            }
            GameStart::Handicap(number) => {
                let index = number.checked_sub(1);
                let Some(handicap) = index.and_then(|index| handicaps.get(index)) else {
                    return Err(no_such_handicap(number, &handicaps));
                };
                let engine = match self.players[..] {
                    [PlayerKind::Engine, PlayerKind::Person] => 0,
                    [PlayerKind::Person, PlayerKind::Engine] => 1,
                    _ => return Err(GameStartError::NotAgainstEngine),
                };
                let start = &handicap.starts[engine];
                let options = RulesId::from_options(&self.engine.options).game_definition().options;
                for (name, value) in &start.options {
                    let spec = options.iter().find(|spec| spec.name == *name);
                    let before = spec.map(|spec| self.engine.options.value(spec).to_string());
                    self.engine.set_option(name, value)?;
                    let set = self.options_before_handicap.iter().any(|(other, _)| other == name);
                    self.options_before_handicap
                        .extend(before.filter(|_| !set).map(|value| (*name, value)));
                }
                self.set_up_game(start.fen.as_deref(), &[])?;
                format!("{}.", capitalise(&handicap_sentence(handicap)))
            }
        };
        Ok(Some(sentence))
    }

    /// Returns whether the player to move may swap sides instead.
    pub fn can_swap_sides(&self) -> bool {
        let game_state = self.session().game_state();
        self.start == GameStart::Swap
            && !self.has_swapped
            && game_state.moves == 1
            && game_state.outcome.is_none()
    }

    /// Swaps the sides of the two players. `undo` reverts it.
    pub fn swap_sides(&mut self) {
        self.undone.clear();
        self.exchange_sides();
    }

    /// Swaps the sides, or reverts the swap.
    pub(super) fn exchange_sides(&mut self) {
        self.has_swapped = !self.has_swapped;
        self.players.reverse();
        self.viewer = viewer_of_players(&self.players);
        if let Some(clocks) = &mut self.clocks {
            clocks.swap_players();
        }
        if !self.players.contains(&PlayerKind::Engine) {
            self.tally.swap_sides();
        }
    }
}

/// Returns the error for a number that is not the number of a handicap.
fn no_such_handicap(number: usize, handicaps: &[HandicapFields]) -> GameStartError {
    let list: Vec<String> = (1..)
        .zip(handicaps)
        .map(|(number, handicap)| format!("{number} ({})", handicap_sentence(handicap)))
        .collect();
    match list.is_empty() {
        true => GameStartError::NoHandicaps,
        false => GameStartError::NoSuchHandicap { number, list: list.join(", ") },
    }
}
