//! Caches the games of recent requests, so that further requests about the same game are fast.

use std::sync::{Arc, Mutex, PoisonError};

use pentarch_core::{OptionSpec, OptionValue, Options};

use crate::engine_state::{new_session_with_tables, non_default_rules};
use crate::error::EngineError;
use crate::games::GAME_OPTION;
use crate::host::Host;
use crate::input_word::InputWord;
use crate::session::Session;

/// The maximum number of cached rule sets. Each rule set may have separate tablebases.
const MAX_CACHED_RULE_SETS: usize = 32;
/// The maximum number of cached games.
const MAX_CACHED_GAMES: usize = 8;

/// A key for the rules of a game, which contains the game's index and its rule options with
/// non-default values.
type RuleSetKey = (usize, Vec<(&'static OptionSpec, OptionValue)>);

/// For each recent rule set, a game in its first position. The copies of this game share its
/// tablebases.
type StartSessionsByRuleSet = Arc<Mutex<Vec<(RuleSetKey, Box<dyn Session>)>>>;

/// The games of recent requests, and recent rule sets. Several caches can share the rule sets
/// ([`RecentGameCache::empty_cache_sharing_rules`]).
#[derive(Default)]
pub(super) struct RecentGameCache {
    starts: StartSessionsByRuleSet,
    /// The cached games. The most recent game comes last.
    games: Vec<(RuleSetKey, Box<dyn Session>)>,
}

impl RecentGameCache {
    /// Creates an empty cache that shares the rule sets of this cache and their tablebases.
    pub(super) fn empty_cache_sharing_rules(&self) -> RecentGameCache {
        RecentGameCache { starts: self.starts.clone(), games: Vec::new() }
    }

    /// Returns the game with these rules and these moves. The game begins at `fen`, or at the start
    /// position if `fen` is `None`. The function reuses the cached game that has the most initial
    /// moves in common.
    ///
    /// # Errors
    /// If `fen` is not a position of these rules, or if a move is not legal.
    pub(super) fn get_or_replay_game(
        &mut self,
        options: &Options,
        fen: Option<&[InputWord]>,
        moves: &[InputWord],
        host: &dyn Host,
    ) -> Result<&mut dyn Session, EngineError> {
        let key = (options.combo_value(&GAME_OPTION), non_default_rules(options));
        // If less than half of the cached game's moves are also in the request, the cached game
        // stays in the cache, because the next request may be about it.
        let reusable_moves = |(known, game): &(RuleSetKey, Box<dyn Session>)| {
            let shared =
                if *known == key { game.count_common_first_moves(fen, moves) } else { None };
            shared.filter(|shared| 2 * shared >= game.game_state().moves)
        };
        let candidates = self
            .games
            .iter()
            .enumerate()
            .filter_map(|(index, game)| Some((reusable_moves(game)?, index)));
        let (key, mut game) = match candidates.max() {
            Some((_, index)) => self.games.remove(index),
            None => {
                let game = self.new_game(&key, options, host);
                (key, game)
            }
        };
        let result = game.set_position(fen, moves);
        if self.games.len() >= MAX_CACHED_GAMES {
            self.games.remove(0);
        }
        self.games.push((key, game));
        result?;
        let last = self.games.len() - 1;
        Ok(self.games[last].1.as_mut())
    }

    /// Returns a new game under these rules.
    fn new_game(&self, key: &RuleSetKey, options: &Options, host: &dyn Host) -> Box<dyn Session> {
        let mut starts = self.starts.lock().unwrap_or_else(PoisonError::into_inner);
        let start = match starts.iter().position(|(known, _)| known == key) {
            Some(index) => starts.remove(index),
            None => (key.clone(), new_session_with_tables(options, host)),
        };
        if starts.len() >= MAX_CACHED_RULE_SETS {
            starts.remove(0);
        }
        let game = start.1.copy_session();
        starts.push(start);
        game
    }
}
