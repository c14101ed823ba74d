//! The players of a game and the sides for which they play. By default there are two players, one
//! for each side.

use crate::{ComboOption, HasTurn, Rules, Side};

/// The players and their sides. A game for two players, one on each side, uses the defaults.
///
/// A search has only two sides. With more than two players, several players share a side. The
/// players on a side are partners, or they are all the opponents of a single player.
pub trait HasPlayers: Rules {
    /// The names of the players, in the order of their turns.
    const PLAYER_NAMES: &'static [&'static str] = &Self::SIDE_NAMES;
    /// The option that sets the number of players; `None` if all rules of the game are for two
    /// players.
    const PLAYER_COUNT_OPTION: Option<&'static ComboOption<usize>> = None;
    /// Whether the other side is to move after every move. With more than two players, a side can
    /// move twice in a row, so a search must check whose turn it is.
    const SIDES_ALTERNATE: bool = Self::PLAYER_NAMES.len() == 2;

    /// Returns the player whose turn it is, as an index of the [players](HasPlayers::PLAYER_NAMES).
    fn player_to_move(&self, position: &Self::Position) -> usize {
        position.side_to_move().index()
    }

    /// Returns the side of a player. This side loses if the player resigns. Returns `None` if there
    /// are more than two players and each plays against all others, because then no single player
    /// can end the game.
    fn side_of_player(&self, player: usize) -> Option<Side> {
        Some(if player == 0 { Side::First } else { Side::Second })
    }

    /// Returns the number and the name of a side in a position. The number is the index of the
    /// player or team that this side represents. If a single player has won the game, the result is
    /// the number and the name of that player.
    fn side_number_and_name(&self, position: &Self::Position, side: Side) -> (usize, &'static str) {
        let _ = position;
        (side.index(), Self::SIDE_NAMES[side.index()])
    }

    /// Returns the position as a search for the player to move sees it. If there are more than two
    /// players, and each plays against all others, this player becomes the first side. All other
    /// players together become the second side.
    fn position_seen_by_mover(&self, position: &Self::Position) -> Self::Position {
        *position
    }

    /// Returns whether the rules allow a draw by agreement; by default they do not.
    fn allows_draw_agreement(&self) -> bool {
        false
    }
}
