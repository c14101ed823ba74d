//! The ways to begin a game other than the start position: balanced openings, and starts with a
//! handicap.

use std::collections::BTreeMap;

use serde::Serialize;

use pentarch_core::{Handicap, HandicapStart, Options};

use crate::engine_state::new_game_session;
use crate::games::RulesId;
use crate::input_word::InputWord;

/// The ways to begin a game under given rules.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Starts {
    /// A random opening from which either side can win; `null` if these rules have no openings.
    pub balanced: Option<BalancedOpening>,
    /// The handicaps, the smallest first; empty if the game has none.
    pub handicaps: Vec<HandicapFields>,
}

/// An opening from which either side can win.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct BalancedOpening {
    /// The moves from the start position.
    pub moves: Vec<String>,
    /// The FEN of the position after the moves.
    pub fen: String,
}

/// A start for players of different strength: one side has fewer walls or pieces than the other.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct HandicapFields {
    /// The number of walls or pieces of the side with the handicap.
    pub less: usize,
    /// The number of walls or pieces of the other side.
    pub more: usize,
    /// The name of the walls or pieces for people, in the plural.
    pub kind: &'static str,
    /// For each side in the order of the turns, the start in which this side has fewer walls or
    /// pieces.
    pub starts: [HandicapStartFields; 2],
}

/// The start of a game with a handicap.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct HandicapStartFields {
    /// The rule options to change, as names with their values.
    pub options: BTreeMap<&'static str, String>,
    /// The FEN of the first position; `null` for the start position of the rules.
    pub fen: Option<String>,
}

impl From<Handicap> for HandicapFields {
    fn from(Handicap { less, more, kind, starts }: Handicap) -> HandicapFields {
        let starts = starts.map(|HandicapStart { options, fen }| HandicapStartFields {
            options: options.into_iter().collect(),
            fen,
        });
        HandicapFields { less, more, kind, starts }
    }
}

impl Starts {
    /// Returns the starts under the rules of these options. The same seed always selects the same
    /// opening; `None` stands for a new seed.
    pub fn new(options: &Options, seed: Option<u64>) -> Starts {
        let rules = RulesId::from_options(options).operations();
        let openings = rules.match_openings(options).unwrap_or_default();
        let mut random = seed.map_or_else(fastrand::Rng::new, fastrand::Rng::with_seed);
        let lines: Vec<&str> =
            openings.lines().filter_map(|line| line.strip_prefix("startpos moves ")).collect();
        // A random `usize` would depend on the width of the machine's addresses.
        let index = random.u32(..lines.len().max(1) as u32) as usize;
        let balanced = lines.get(index).and_then(|line| {
            let moves = InputWord::split_into_words(line);
            let mut session = new_game_session(options);
            session.set_position(None, &moves).ok()?;
            Some(BalancedOpening { moves: session.game_moves().moves, fen: session.position_fen() })
        });
        let handicaps = rules.handicaps(options).into_iter().map(HandicapFields::from).collect();
        Starts { balanced, handicaps }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{GAME_OPTION, all_game_words};

    #[test]
    fn starts_of_all_games_can_be_played_with_equal_legal_moves() {
        for word in all_game_words() {
            let mut options = Options::default();
            options.set(&GAME_OPTION, word).unwrap();
            let Starts { balanced, handicaps } = Starts::new(&options, Some(3));
            assert_eq!(Starts::new(&options, Some(3)).balanced, balanced);
            let BalancedOpening { moves, fen } = balanced.unwrap();
            let list = RulesId::from_options(&options).operations().match_openings(&options);
            let line = format!("startpos moves {}", moves.join(" "));
            assert!(list.unwrap().lines().any(|listed| listed == line), "{line}");
            let mut session = new_game_session(&options);
            let moves: Vec<InputWord> = moves.iter().map(|mv| InputWord::from_text(mv)).collect();
            session.set_position(None, &moves).unwrap();
            let legal = session.legal_move_strings();
            session.set_position(Some(&InputWord::split_into_words(&fen)), &[]).unwrap();
            assert_eq!(session.legal_move_strings(), legal, "{word} {fen}");
            for HandicapFields { less, starts, .. } in handicaps {
                for start in starts {
                    let mut options = options.clone();
                    let game = RulesId::from_options(&options).game_definition();
                    for (name, value) in start.options {
                        let spec = game.options.iter().find(|spec| spec.name == name).unwrap();
                        options.set(spec, &value).unwrap();
                    }
                    let fen = start.fen.map(|fen| InputWord::split_into_words(&fen));
                    let mut session = new_game_session(&options);
                    session.set_position(fen.as_deref(), &[]).unwrap();
                    let text = session.position_fen();
                    assert!(session.game_state().outcome.is_none(), "{word} {less} {text}");
                }
            }
        }
    }
}
