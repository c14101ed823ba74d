//! A value in a byte.

use crate::core::TableValue;

/// The value of a position for its side to move: 0 for a draw, else one more than the plies to the end of the game.
///
/// Whoever moves last wins, so that an odd number of plies is a win and an even one a loss.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Code(pub u8);

impl Code {
    /// Neither side can force a win.
    pub const DRAW: Code = Code(0);
    /// The game is lost at this position already.
    pub const LOST: Code = Code(1);
    /// The longest end that has a code.
    pub const LONGEST: Code = Code(u8::MAX);

    /// Whether the side to move wins.
    pub fn is_win(self) -> bool {
        !matches!(self, Code::DRAW) && !self.is_loss()
    }

    /// Whether the side to move loses.
    pub fn is_loss(self) -> bool {
        self.0 % 2 == 1
    }

    /// The value of a position with a move to a position of this value, for its own side to move, if that move is the
    /// best; none if no code says it.
    pub fn before(self) -> Option<Code> {
        if self == Code::DRAW { Some(self) } else { self.0.checked_add(1).map(Code) }
    }

    /// The one of two values that the side to move likes better: the quicker win, the slower loss.
    pub fn better(self, other: Code) -> Code {
        let liking = |code: Code| match i16::from(code.0) {
            0 => 0,
            loss if loss % 2 == 1 => loss - 1000,
            win => 1000 - win,
        };
        if liking(other) > liking(self) { other } else { self }
    }

    /// What it says.
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
    fn codes_tell_values() {
        assert_eq!(Code::DRAW.value(), TableValue::Draw);
        assert_eq!(Code::LOST.value(), TableValue::Loss(0));
        assert_eq!(Code(2).value(), TableValue::Win(1));
        assert_eq!(Code::LONGEST.value(), TableValue::Loss(254));
        for code in (0..=u8::MAX).map(Code) {
            assert_eq!(code.is_win(), matches!(code.value(), TableValue::Win(_)));
            assert_eq!(code.is_loss(), matches!(code.value(), TableValue::Loss(_)));
        }
        let falling = [2, 4, 254, 0, 255, 3, 1].map(Code);
        for (at, &better) in falling.iter().enumerate() {
            assert!(
                falling[at..].iter().all(|&worse| better.better(worse) == better && worse.better(better) == better)
            );
        }
        assert_eq!(Code::LOST.before(), Some(Code(2)));
        assert_eq!((Code::DRAW.before(), Code::LONGEST.before()), (Some(Code::DRAW), None));
    }
}
