//! Distance to mate: the exact value of a position in one byte. Tables and their files store this
//! byte.

use pentarch_core::TableValue;

/// The value of a position for its side to move. The byte is 0 for a draw. For a win or a loss, the
/// byte is one more than the number of plies to the end of the game.
///
/// The side that makes the last move wins. So the side to move wins if the number of plies is odd,
/// and loses if this number is even.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dtm(pub u8);

impl Dtm {
    /// A draw: neither side can force a win.
    pub const DRAW_VALUE: Dtm = Dtm(0);
    /// The game is over, and the side to move has lost.
    pub const LOST_VALUE: Dtm = Dtm(1);
    /// The greatest distance that a byte can store: a loss in 254 plies.
    pub const MAX_DISTANCE_VALUE: Dtm = Dtm(u8::MAX);

    /// Returns whether the side to move wins.
    pub fn is_win(self) -> bool {
        !matches!(self, Dtm::DRAW_VALUE) && !self.is_loss()
    }

    /// Returns whether the side to move loses.
    pub fn is_loss(self) -> bool {
        self.0 % 2 == 1
    }

    /// Returns the value of a position, computed from the value of the position after its best
    /// move. `self` is the value after the move. Returns `None` if the distance does not fit into a
    /// byte.
    #[inline]
    pub fn one_ply_earlier(self) -> Option<Dtm> {
        if self == Dtm::DRAW_VALUE { Some(self) } else { self.0.checked_add(1).map(Dtm) }
    }

    /// Returns the value that is better for the side to move. A quick win is better than a slow
    /// win, and a slow loss is better than a quick loss.
    #[inline]
    pub fn better_value(self, other: Dtm) -> Dtm {
        let score = |dtm: Dtm| match i16::from(dtm.0) {
            0 => 0,
            loss if loss % 2 == 1 => loss - 1000,
            win => 1000 - win,
        };
        if score(other) > score(self) { other } else { self }
    }

    /// Converts the value to the type that a probe of the tables returns.
    #[inline]
    pub fn value(self) -> TableValue {
        match u32::from(self.0) {
            0 => TableValue::Draw,
            odd if odd % 2 == 1 => TableValue::Loss(odd - 1),
            even => TableValue::Win(even - 1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_hold_values() {
        assert_eq!(Dtm::DRAW_VALUE.value(), TableValue::Draw);
        assert_eq!(Dtm::LOST_VALUE.value(), TableValue::Loss(0));
        assert_eq!(Dtm(2).value(), TableValue::Win(1));
        assert_eq!(Dtm::MAX_DISTANCE_VALUE.value(), TableValue::Loss(254));
        for dtm in (0..=u8::MAX).map(Dtm) {
            assert_eq!(dtm.is_win(), matches!(dtm.value(), TableValue::Win(_)));
            assert_eq!(dtm.is_loss(), matches!(dtm.value(), TableValue::Loss(_)));
        }
        let falling = [2, 4, 254, 0, 255, 3, 1].map(Dtm);
        for (at, &better) in falling.iter().enumerate() {
            assert!(falling[at..].iter().all(|&worse| better.better_value(worse) == better
                && worse.better_value(better) == better));
        }
        assert_eq!(Dtm::LOST_VALUE.one_ply_earlier(), Some(Dtm(2)));
        assert_eq!(
            (Dtm::DRAW_VALUE.one_ply_earlier(), Dtm::MAX_DISTANCE_VALUE.one_ply_earlier()),
            (Some(Dtm::DRAW_VALUE), None)
        );
    }
}
