//! The players of a game: by default two, one for each side.

use crate::{ComboOption, Rules, Side, Turn};

/// The players, and their sides. A game for two players, each of whom is a side, keeps the
/// defaults.
///
/// A search has only two sides. With more than two players, several of them share a side: partners,
/// or all opponents of one player who plays alone.
pub trait Players: Rules {
    /// The names of the players, in the order of their turns.
    const PLAYERS: &'static [&'static str] = &Self::SIDE_NAMES;
    /// The option that sets the number of players; `None` if all rules of the game are for two.
    const PLAYERS_OPTION: Option<&'static ComboOption<usize>> = None;
    /// Whether the other side is to move after every move. With more than two players a side can
    /// move twice in a row, and a search must check whose turn it is.
    const SIDES_ALTERNATE: bool = Self::PLAYERS.len() == 2;

    /// Returns the player whose turn it is, as an index of the [players](Players::PLAYERS).
    fn player_to_move(&self, position: &Self::Position) -> usize {
        position.side_to_move().index()
    }

    /// Returns the side that ends the game if this player resigns. Returns `None` where each of
    /// more than two players plays against all others: then no single player can end the game.
    fn side_of_player(&self, player: usize) -> Option<Side> {
        Some(if player == 0 { Side::First } else { Side::Second })
    }

    /// Returns a side of a position as its number among those who can win, from 0, and its name.
    /// After the end of a game, a side that has won by a single player has that player's name.
    fn side_name(&self, position: &Self::Position, side: Side) -> (usize, &'static str) {
        let _ = position;
        (side.index(), Self::SIDE_NAMES[side.index()])
    }

    /// Returns the position as a search for its player to move sees it: where each of more than two
    /// players plays against all others, the first side is this player, and the second side is all
    /// others together.
    fn seen_by_mover(&self, position: &Self::Position) -> Self::Position {
        *position
    }

    /// Returns whether the rules allow a draw by agreement; by default they do not.
    fn allows_draw_agreement(&self) -> bool {
        false
    }
}
