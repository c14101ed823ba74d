//! The evaluation of Bushka: a small net that sees which piece stands where.
//!
//! `10x10.net` was found by `pentarch tune --game bushka --data FILE --games 60000 --nodes 700 --random-plies 12 --with
//! OLDER --net 10x10.net`; the older games are 100000 at 500 nodes, by a net that had learnt from 12000. `11x9.net` was
//! found by the same command with `--set Bushka_Board=11x9`, from 120000 games at 500 nodes, half of them by a net that
//! had learnt from the other half.

use crate::core::net::Net;
use crate::core::{Evaluate, NOISY, Side, Tension};

use super::Bushka;
use super::board::squares;
use super::captures;
use super::moves::Move;
use super::position::Position;

/// What the promise of a move counts for each soldier and king that it captures.
const CAPTURE: [i32; 2] = [NOISY, 3 * NOISY];
/// What it counts for each soldier of a phalanx that moves.
const TOGETHER: i32 = 6;

/// Four kinds of pieces on up to 64 squares.
const INPUTS: usize = 4 * 64;

/// What the evaluation knows of a board.
pub type Judge = Net<INPUTS>;

/// For 10x10.
pub static TEN: Judge = Net::from_bytes(include_bytes!("10x10.net"));
/// For 11x9.
pub static ELEVEN: Judge = Net::from_bytes(include_bytes!("11x9.net"));

impl Evaluate for Bushka {
    type Insight = ();

    const BENCH: (u32, &'static [&'static str]) = (
        6,
        &[
            "1b1b1b1b1b/b1b1b1b1b1/1b1b1b1b1b/10/10/10/10/w1w1w1w1w1/1w1w1w1w1w/w1w1w1w1w1 w 1",
            "1b1b1b1b2/2b1b1b1b1/1b3b1b1b/b1b3b3/10/10/1w1w1w1w2/w1w1w1w1w1/1w3w1w1w/2w3w3 w 6",
            "1b1b3b2/b1b1b1b1b1/1b3b1b1b/6b1b1/10/w9/1w3w1w2/w5w1w1/1w3w1w2/w1w3w1w1 w 6",
            "3b6/2b1b3b1/1b1b1b1b2/2b3b1b1/10/2w3b3/1w8/w1w3w1w1/1w1w3w2/w7w1 w 11",
            "10/2b7/1b8/b1b5b1/1b1w1w1b1b/2w1w1w1b1/1w3w1w2/8b1/10/2w7 w 21",
            "10/10/10/4w5/7b2/10/10/4B5/9W/10 w 41",
        ],
    );
    /// The first and the last square of the path.
    const SLOTS: usize = 64 * 64;

    /// Three kings always win against one, and so do a king and two soldiers that become kings: of that the games say
    /// too little, since they end as soon as it is proved.
    const WEIGHTS: &'static [(&'static str, i32)] = &[("the net", 10), ("three or more to one", 5000)];

    /// A soldier or king, own or enemy, on a square.
    const INPUTS: usize = INPUTS;

    /// The board is turned so that the side to move goes up.
    fn inputs(&self, position: &Position) -> impl Iterator<Item = usize> {
        let sides = [position.side, !position.side].map(Side::index);
        let sets = sides.into_iter().flat_map(|side| [position.soldiers[side], position.kings[side]]);
        let turned = move |set: u64| match position.side {
            Side::First => set,
            Side::Second => self.board.turn(set),
        };
        sets.zip(0..).flat_map(move |(set, kind)| squares(turned(set)).map(move |at| 64 * kind + usize::from(at.0)))
    }

    fn study(&self, _: &Position) {}

    #[inline]
    fn parts(&self, position: &Position, (): &(), mut part: impl FnMut([i32; 2])) {
        part(position.side.only(if is_dead(position) { 0 } else { self.net.judge(self.inputs(position)) }));
        let men = Side::BOTH.map(|side| count(position.men(side)));
        part(Side::BOTH.map(|side| {
            let [own, enemy] = [side, !side].map(|side| men[side.index()]);
            i32::from(own > 2 && enemy == 1 && position.kings[side.index()] != 0)
        }));
    }

    /// Captures are compulsory.
    fn tension(&self, position: &Position, (): &()) -> Tension {
        if captures::is_due(&self.board, position) { Tension::Forced } else { Tension::Quiet }
    }

    /// All legal captures take equally many pieces: kings count for more. A promotion comes before other quiet moves,
    /// and a long phalanx before a short one.
    fn promises<'a>(&'a self, position: &'a Position, (): &'a ()) -> impl Fn(Move) -> i32 + 'a {
        move |mv: Move| {
            let captured = captures::captured(position, mv);
            let kings = captured & position.kings[(!position.side).index()];
            let soldier = position.own_soldiers() & mv.from().bit() != 0;
            let promotes = soldier && mv.to().bit() & self.board.last_ranks[position.side.index()] != 0;
            let together = if soldier { i32::from(mv.from().distance(mv.to())) } else { 0 };
            let [soldier, king] = CAPTURE;
            soldier * (captured & !kings).count_ones() as i32
                + king * (kings.count_ones() as i32 + i32::from(promotes))
                + TOGETHER * together
        }
    }

    fn slot(&self, mv: Move) -> usize {
        usize::from(mv.from().0) * 64 + usize::from(mv.to().0)
    }
}

/// Whether neither side can hope to win: each has a king, and at most one more piece.
///
/// Solved backwards, nearly all endings of one king against one or two, and of two against two, are drawn unless the
/// side to move captures at once or cannot help losing a king. One king always loses against three.
fn is_dead(position: &Position) -> bool {
    Side::BOTH.iter().all(|&side| position.kings[side.index()] != 0 && count(position.men(side)) <= 2)
}

fn count(set: u64) -> i32 {
    set.count_ones() as i32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::{Game, Notation, Options};

    #[test]
    fn two_kings_do_not_beat_one_and_three_do() {
        let game = Bushka::from_options(&Options::default());
        let judge = |text: &str| game.evaluate(&game.parse_position(text).unwrap(), &());
        assert_eq!(judge("10/10/10/10/9W/10/10/B1W7/10/10 w 51"), 0);
        assert_eq!(judge("10/10/10/10/9W/10/10/B1w7/10/10 b 51"), 0);
        assert!(judge("10/10/1W8/10/9W/10/10/B1W7/10/10 w 51") > 500);
        assert!(judge("10/10/10/10/9W/10/10/b1W7/10/10 w 51") > 100);
    }
}
