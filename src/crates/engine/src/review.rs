//! The review of a game: each move with its value before and after, the best move, and what was lost.
//!
//! The value before a move is that of the best move, and the value after it that of the position which it leads to,
//! both by a search of their own and for the side that moves; after the best move it is the same, unless the game is
//! over then. What another move loses is the drop in the chance of winning, where a draw counts half. The chance
//! follows from the score by a logistic curve, whose scale was [fitted](pentarch_core::Evaluate::WIN_RATE_SCALE) to games
//! of the engine with itself.
//!
//! Whoever reviews a game searches its [`Positions`], in any way, and gives what was found to the [`Judge`] in order.

use std::vec::IntoIter;

use serde::{Serialize, Serializer};

use pentarch_core::notation::text::next_full_move;
use pentarch_core::{Outcome, Side};
use pentarch_search::{Limits, score};

use super::best_lines::{Lines, Score, chance};
use super::error::{EngineError, Fault};
use super::input_word::Word;
use super::session::{SearchJob, Session};

/// A move that loses less of the chance of winning is about as good as the best one.
pub const AS_GOOD: f64 = 0.05;
/// A move that loses so much of the chance of winning is a mistake, marked `?`.
pub const MISTAKE: f64 = 0.1;
/// A move that loses so much is a blunder, marked `??`.
pub const BLUNDER: f64 = 0.2;

/// What a position is worth for one of the sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Worth {
    /// A score of the search; none if it ended before it had one.
    Score(Option<i32>),
    /// The game is over, and this is how many half points the side has: 0, 1 or 2.
    Over(u8),
}

/// A move of a game, with its evaluation for the side that moved.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "ReviewedMove"))]
pub struct Move {
    /// The number of the move in the game, from 1.
    pub ply: usize,
    /// The number of the full move.
    pub number: u32,
    /// The side that moved.
    #[serde(skip)]
    pub mover: Side,
    /// The word of the side that moved.
    pub side: &'static str,
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// The best move; empty if none is known.
    pub best: String,
    /// The line that is expected after the best move, which it begins with.
    #[serde(skip)]
    pub line: Vec<String>,
    /// The value of the position before the move.
    #[cfg_attr(test, schemars(with = "ReviewedWorth"))]
    pub before: Worth,
    /// Its value after the move.
    #[cfg_attr(test, schemars(with = "ReviewedWorth"))]
    pub after: Worth,
    /// The chances of winning before and after the move, where a draw counts half; `null` without a score.
    #[serde(serialize_with = "both_in_thousandths")]
    #[cfg_attr(test, schemars(with = "[Option<f64>; 2]"))]
    pub chances: [Option<f64>; 2],
    /// The loss of this chance by the move; 0 if one of the two is `null`.
    #[serde(serialize_with = "thousandths")]
    #[cfg_attr(test, schemars(range(min = 0, max = 1)))]
    pub lost: f64,
    /// `??` for a blunder, `?` for a mistake, else an empty string.
    #[cfg_attr(test, schemars(extend("enum" = crate::requests::schema::REVIEW_MARKS)))]
    pub mark: &'static str,
}

/// The accuracy of a side's moves.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Tally {
    /// The word of the side.
    pub side: &'static str,
    /// The number of moves.
    pub moves: usize,
    /// The share of the chance of winning that the moves kept on average; `null` without moves.
    #[serde(serialize_with = "thousandths_if_any")]
    #[cfg_attr(test, schemars(range(min = 0, max = 1)))]
    pub accuracy: Option<f64>,
    /// The number of mistakes that are no blunders.
    pub mistakes: usize,
    /// The number of blunders.
    pub blunders: usize,
    /// The sum of what they lost.
    #[serde(skip)]
    lost: f64,
}

impl Tally {
    /// The accuracy and the errors in words; `None` without moves.
    pub fn text(&self) -> Option<String> {
        let counted = |count: usize, word: &str| {
            format!("{count} {word}{}", if count == 1 { "" } else { "s" })
        };
        let (mistakes, blunders) =
            (counted(self.mistakes, "mistake"), counted(self.blunders, "blunder"));
        Some(format!("accuracy {:.1} %, {mistakes}, {blunders}", 100. * self.accuracy?))
    }
}

/// A reviewed game without its moves.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Summary {
    /// The accuracy of each side.
    pub sides: [Tally; 2],
    /// The ply of the mistake that lost most, the last one of several; `null` if there is none. Mistakes of the winner
    /// do not count.
    pub turning_point: Option<usize>,
    /// The loss of chance below which a move is about as good as the best one.
    pub as_good: f64,
    /// The outcome of the game in the words of the protocol.
    #[cfg_attr(test, schemars(regex(pattern = crate::requests::schema::OUTCOME)))]
    pub outcome: String,
}

/// A reviewed game, or its first moves in a report.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Review {
    /// The moves, first to last.
    pub moves: Vec<Move>,
    /// The summary.
    #[serde(flatten)]
    pub summary: Summary,
}

/// Prepares the review of a game, each position of which is searched within these limits.
///
/// # Errors
/// If the game is not between two players.
pub fn begin(
    session: &dyn Session,
    limits: Limits<Word>,
) -> Result<(Positions, Judge), EngineError> {
    let (facts, standing, course) = (session.facts(), session.standing(), session.course());
    let players = facts.players.len();
    if players != 2 {
        return Err(Fault::NotForTwo { needed_by: "a review is of a game", players }.into());
    }
    let mut replayed = session.copy();
    let start =
        course.start.map(|text| text.split_whitespace().map(Word::alone).collect::<Vec<_>>());
    replayed.set_position(start.as_deref(), &[])?;
    let positions = Positions {
        session: replayed,
        played: course.moves.clone().into_iter(),
        is_over: false,
        limits,
    };
    let tally = |side| Tally { side, moves: 0, accuracy: None, mistakes: 0, blunders: 0, lost: 0. };
    let judge = Judge {
        before: None,
        played: course.moves.into_iter(),
        turn: course.first_turn,
        scale: facts.odds_scale,
        winner: standing.outcome.and_then(Outcome::winner),
        lost_at_turning_point: 0.,
        review: Review {
            moves: Vec::new(),
            summary: Summary {
                sides: facts.sides.map(tally),
                turning_point: None,
                as_good: AS_GOOD,
                outcome: session.status().outcome,
            },
        },
    };
    Ok((positions, judge))
}

/// The positions of a game, from the first to the last, or to the first at which the game is over.
pub struct Positions {
    session: Box<dyn Session>,
    played: IntoIter<String>,
    is_over: bool,
    limits: Limits<Word>,
}

/// A position of a game: how many half points the side to move has if the game is over there, else the search.
pub enum Position {
    /// The game is over.
    Over(u8),
    /// The game goes on.
    Open(Box<dyn SearchJob>),
}

impl Iterator for Positions {
    type Item = Position;

    fn next(&mut self) -> Option<Position> {
        if self.is_over {
            return None;
        }
        let standing = self.session.standing();
        let position = match standing.outcome {
            Some(outcome) => Position::Over(half_points(outcome, standing.side)),
            None => Position::Open(self.session.search(&self.limits).ok().flatten()?),
        };
        // The moves of the game are legal.
        self.is_over =
            self.played.next().is_none_or(|mv| self.session.play(&[Word::alone(&mv)]).is_err());
        Some(position)
    }
}

/// Tells what the moves of a game were worth.
pub struct Judge {
    /// What the position before was worth for its side to move, and the best move there with what is expected after it.
    before: Option<(Worth, String, Vec<String>)>,
    played: IntoIter<String>,
    /// The full-move number and the side of the next move.
    turn: (u32, Side),
    scale: i32,
    winner: Option<Side>,
    lost_at_turning_point: f64,
    /// What is known so far.
    pub review: Review,
}

impl Judge {
    /// Takes in the next position: the half points of its side to move if the game is over there, else what a search
    /// has found. Gives the move that led there; none for the first position.
    pub fn take(&mut self, over: Option<u8>, lines: Lines) -> Option<&Move> {
        let best = lines.lines.into_iter().next();
        let worth = over.map_or_else(
            || Worth::Score(best.as_ref().and_then(|line| line.score.value)),
            Worth::Over,
        );
        let (best, line) = best.map(|line| (line.mv, line.pv)).unwrap_or_default();
        let (before, best, line) = self.before.replace((worth, best, line))?;
        let mv = self.played.next()?;
        let (number, mover) = self.turn;
        let is_best = mv == best;
        let after = if is_best && over.is_none() { before } else { worth.for_the_other() };
        let chances = [before, after].map(|worth| worth.chance(self.scale));
        let lost = match chances {
            [Some(before), Some(after)] if !is_best => (before - after).max(0.),
            _ => 0.,
        };
        let mark = match lost {
            lost if lost >= BLUNDER => "??",
            lost if lost >= MISTAKE => "?",
            _ => "",
        };
        self.turn = (next_full_move(number, mover), !mover);
        let Review { moves, summary } = &mut self.review;
        let (ply, tally) = (moves.len() + 1, &mut summary.sides[mover.index()]);
        tally.moves += 1;
        tally.lost += lost;
        tally.accuracy = Some(1. - tally.lost / tally.moves as f64);
        tally.mistakes += usize::from(mark == "?");
        tally.blunders += usize::from(mark == "??");
        if lost >= MISTAKE && self.winner != Some(mover) && lost >= self.lost_at_turning_point {
            self.lost_at_turning_point = lost;
            summary.turning_point = Some(ply);
        }
        let side = summary.sides[mover.index()].side;
        moves.push(Move {
            ply,
            number,
            mover,
            side,
            mv,
            best,
            line,
            before,
            after,
            chances,
            lost,
            mark,
        });
        moves.last()
    }
}

/// The half points of a side by an outcome.
fn half_points(outcome: Outcome, side: Side) -> u8 {
    match outcome.winner() {
        Some(winner) if winner == side => 2,
        Some(_) => 0,
        None => 1,
    }
}

impl Worth {
    fn for_the_other(self) -> Worth {
        match self {
            Worth::Score(score) => Worth::Score(score.map(|score| -score)),
            Worth::Over(half_points) => Worth::Over(2 - half_points),
        }
    }

    /// The chance of winning, where a draw counts half; none without a score.
    fn chance(self, scale: i32) -> Option<f64> {
        match self {
            Worth::Over(half_points) => Some(f64::from(half_points) / 2.),
            Worth::Score(score) => score.map(|score| chance(score, scale)),
        }
    }

    /// In words for people: `+0.35`, `mate 3`, `won`.
    pub fn text(self) -> String {
        match self {
            Worth::Over(half_points) => {
                ["lost", "drawn", "won"][usize::from(half_points.min(2))].into()
            }
            Worth::Score(Some(score)) if score::is_proven(score) => score::to_uci(score),
            Worth::Score(Some(score)) => format!("{:+.2}", f64::from(score) / 100.),
            Worth::Score(None) => "?".into(),
        }
    }
}

/// The value of a position.
#[derive(Serialize)]
#[serde(untagged)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) enum ReviewedWorth {
    /// A score.
    Centipawns(CentipawnScore),
    /// A proven win or loss.
    Mate(MateScore),
    /// The end of the game: `won`, `drawn` or `lost`.
    Over(String),
    /// No value: the search ended before it had a score.
    Unknown(()),
}

/// A score.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct CentipawnScore {
    /// The score in centipawns.
    cp: i32,
}

/// A proven win or loss.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct MateScore {
    /// The moves of the side that moved to the end of the game, negative if it loses.
    mate: i32,
}

impl Serialize for Worth {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let worth = match *self {
            Worth::Over(_) => ReviewedWorth::Over(self.text()),
            Worth::Score(score) => match Score::of(score) {
                Score { cp: Some(cp), .. } => ReviewedWorth::Centipawns(CentipawnScore { cp }),
                Score { mate: Some(mate), .. } => ReviewedWorth::Mate(MateScore { mate }),
                _ => ReviewedWorth::Unknown(()),
            },
        };
        worth.serialize(serializer)
    }
}

/// A share, rounded to thousandths.
fn in_thousandths(share: f64) -> f64 {
    (share * 1000.).round() / 1000.
}

/// A share, rounded to thousandths.
fn thousandths<S: Serializer>(share: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(in_thousandths(*share))
}

/// Two shares, rounded to thousandths; null where there is none.
fn both_in_thousandths<S: Serializer>(
    shares: &[Option<f64>; 2],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(shares.map(|share| share.map(in_thousandths)))
}

/// A share if there is one, rounded to thousandths.
fn thousandths_if_any<S: Serializer>(
    share: &Option<f64>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match share {
        Some(share) => thousandths(share, serializer),
        None => serializer.serialize_none(),
    }
}
