//! The players of a game: by default two, one for each side.

use crate::{ComboOption, Rules, Side, Turn};

/// Who plays, and for which side. A game for two players, each of whom is a side, keeps the defaults.
///
/// A search knows two sides only. Where more than two players play, several of them share a side: partners, or from the
/// view of one player who plays against all others, these others.
pub trait Players: Rules {
    /// The words for the players, in the order of their turns.
    const PLAYERS: &'static [&'static str] = &Self::SIDES;
    /// The option that sets the number of players; none if all rules of the game are for two.
    const PLAYERS_OPTION: Option<&'static ComboOption<usize>> = None;
    /// Whether after every move the other side is to move. With more than two players a side can move twice in a row,
    /// and a search must look whose turn it is.
    const SIDES_ALTERNATE: bool = Self::PLAYERS.len() == 2;

    /// The player whose turn it is, as an index of the [players](Players::PLAYERS).
    fn player_to_move(&self, position: &Self::Position) -> usize {
        position.side_to_move().index()
    }

    /// The side of a player for whom the whole side can end the game by resigning. None where each of more than two
    /// players plays against all others: then no player's end is that of the game.
    fn side_of_player(&self, player: usize) -> Option<Side> {
        Some(if player == 0 { Side::First } else { Side::Second })
    }

    /// A side of a position by its number among those who can win, from 0, and by its word. In a position in which the
    /// game is over, the side that has won is named by the player who has, if that is one alone.
    fn side_name(&self, position: &Self::Position, side: Side) -> (usize, &'static str) {
        let _ = position;
        (side.index(), Self::SIDES[side.index()])
    }

    /// The position as a search for its player to move sees it: where each of more than two players plays against all
    /// others, the first side is this player, and the second side all others together.
    fn seen_by_mover(&self, position: &Self::Position) -> Self::Position {
        *position
    }

    /// Whether the rules let the players agree on a draw. By default they do not.
    fn allows_draw_agreement(&self) -> bool {
        false
    }
}
