//! Reviews a game: computes for each move the value before and after it, the best move, and the
//! loss.
//!
//! A search evaluates each position. The value before a move is that of the best move. The value
//! after the move is that of the next position. Both values are for the side that moves. After the
//! best move the value stays the same. But if the move ends the game, the value after it is that of
//! the end. The loss of any other move is the drop in the chance of winning. A draw counts half. If
//! the value of the position is known, but no move is known to reach it, the moves are compared
//! with the search's own score of the best move.
//!
//! The chance is a logistic function of the score. Its scale was
//! [fitted](pentarch_core::Evaluate::WIN_RATE_SCALE) to games of the engine against itself.
//!
//! The caller searches the [`PositionsToReview`] in any way. It passes the results to the
//! [`ReviewBuilder`] in order.

use std::vec::IntoIter;

use serde::{Serialize, Serializer};

use pentarch_core::notation::text::next_full_move_number;
use pentarch_core::{Outcome, Side};
use pentarch_search::{Limits, score};

use super::best_lines::{BestLines, MoveScore, win_chance};
use super::error::{EngineError, EngineFault};
use super::input_word::InputWord;
use super::race::{MoveRace, RaceReplay};
use super::session::{SearchJob, Session};

/// The loss of winning chance below which a move is about as good as the best move.
pub const MAX_NEGLIGIBLE_CHANCE_LOSS: f64 = 0.05;
/// A move with at least this loss of the chance of winning is a mistake, marked `?`.
const MIN_MISTAKE_CHANCE_LOSS: f64 = 0.1;
/// A move with at least this loss is a blunder, marked `??`.
const MIN_BLUNDER_CHANCE_LOSS: f64 = 0.2;

/// The value of a position for one of the sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SidePositionValue {
    /// A score of the search; `None` if the search ended before it had one.
    Score(Option<i32>),
    /// The game is over. The value is the number of half points of the side: 0, 1 or 2.
    Over(u8),
}

/// A move of a game, with its evaluation for the side that moved.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ReviewedMove {
    /// The number of the move in the game, from 1.
    pub ply: usize,
    /// The number of the full move.
    pub number: u32,
    /// The side that moved.
    #[serde(skip)]
    pub mover: Side,
    /// The word that names the side that moved.
    pub side: &'static str,
    /// The move as a string.
    #[serde(rename = "move")]
    pub mv: String,
    /// The best move; empty if none is known.
    pub best: String,
    /// The line that is expected after the best move. It begins with that move.
    #[serde(skip)]
    pub line: Vec<String>,
    /// The value of the position before the move.
    #[cfg_attr(test, schemars(with = "ReviewedWorth"))]
    pub before: SidePositionValue,
    /// The value of the position after the move.
    #[cfg_attr(test, schemars(with = "ReviewedWorth"))]
    pub after: SidePositionValue,
    /// The chances of winning before and after the move. A draw counts half. `null` without a
    /// score.
    #[serde(serialize_with = "serialize_fractions")]
    #[cfg_attr(test, schemars(with = "[Option<f64>; 2]"))]
    pub chances: [Option<f64>; 2],
    /// The decrease of the chance of winning by the move; 0 if one of the two chances is `null`.
    #[serde(serialize_with = "serialize_rounded_fraction")]
    #[cfg_attr(test, schemars(range(min = 0, max = 1)))]
    pub lost: f64,
    /// `??` for a blunder, `?` for a mistake, otherwise an empty string.
    #[cfg_attr(test, schemars(extend("enum" = crate::requests::schema::REVIEW_MARKS)))]
    pub mark: &'static str,
    /// The race between the sides; `null` if the game is not a race.
    pub race: Option<MoveRace>,
}

/// The accuracy of a side's moves.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "Tally"))]
pub struct SideAccuracy {
    /// The word that names the side.
    pub side: &'static str,
    /// The number of moves of the side.
    pub moves: usize,
    /// The accuracy of a side: 1 minus the average loss of the chance of winning by its moves;
    /// `null` if it has made no moves.
    #[serde(serialize_with = "serialize_optional_fraction")]
    #[cfg_attr(test, schemars(range(min = 0, max = 1)))]
    pub accuracy: Option<f64>,
    /// The number of mistakes, without blunders.
    pub mistakes: usize,
    /// The number of blunders of the side.
    pub blunders: usize,
    /// The sum of the losses.
    #[serde(skip)]
    lost: f64,
}

impl SideAccuracy {
    /// Returns the accuracy and the numbers of mistakes and blunders in words; `None` without
    /// moves.
    pub fn summary_text(&self) -> Option<String> {
        let counted = |count: usize, word: &str| {
            format!("{count} {word}{}", if count == 1 { "" } else { "s" })
        };
        let mistakes = counted(self.mistakes, "mistake");
        let blunders = counted(self.blunders, "blunder");
        Some(format!("accuracy {:.1} %, {mistakes}, {blunders}", 100. * self.accuracy?))
    }
}

/// A reviewed game without its moves.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ReviewSummary {
    /// The accuracy of each side.
    pub sides: [SideAccuracy; 2],
    /// The ply of the mistake with the greatest loss. If several mistakes have this loss, it is the
    /// last of them. `null` if there is no mistake. Mistakes of the winner do not count.
    pub turning_point: Option<usize>,
    /// If a move loses less of the chance of winning than this, it is about as good as the best
    /// one.
    pub as_good: f64,
    /// The outcome of the game in the words of the protocol.
    #[cfg_attr(test, schemars(regex(pattern = crate::requests::schema::OUTCOME_PATTERN)))]
    pub outcome: String,
}

/// A reviewed game. In a progress report it contains only the first moves.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Review {
    /// The moves, first to last.
    pub moves: Vec<ReviewedMove>,
    /// The summary of the whole game.
    #[serde(flatten)]
    pub summary: ReviewSummary,
}

/// Prepares the review of a game. Each position is searched within these limits.
///
/// # Errors
/// If the game is not between two players.
pub fn prepare_review(
    session: &dyn Session,
    limits: Limits<InputWord>,
) -> Result<(PositionsToReview, ReviewBuilder), EngineError> {
    let constants = session.game_constants();
    let game_moves = session.game_moves();
    let players = constants.players.len();
    if players != 2 {
        return Err(EngineFault::NotForTwo { needed_by: "a review is of a game", players }.into());
    }
    let mut replayed = session.copy_session();
    let start = game_moves
        .start
        .map(|text| text.split_whitespace().map(InputWord::from_text).collect::<Vec<_>>());
    replayed.set_position(start.as_deref(), &[])?;
    let race = RaceReplay::new(replayed.as_ref());
    let positions = PositionsToReview {
        session: replayed,
        played: game_moves.moves.clone().into_iter(),
        is_over: false,
        limits,
    };
    let accuracy =
        |side| SideAccuracy { side, moves: 0, accuracy: None, mistakes: 0, blunders: 0, lost: 0. };
    let builder = ReviewBuilder {
        before: None,
        played: game_moves.moves.into_iter(),
        turn: game_moves.first_turn,
        win_rate_scale: constants.win_rate_scale,
        winner: session.game_state().outcome.and_then(Outcome::winner),
        lost_at_turning_point: 0.,
        race,
        review: Review {
            moves: Vec::new(),
            summary: ReviewSummary {
                sides: constants.sides.map(accuracy),
                turning_point: None,
                as_good: MAX_NEGLIGIBLE_CHANCE_LOSS,
                outcome: session.game_status().outcome,
            },
        },
    };
    Ok((positions, builder))
}

/// The positions of a game in order, up to the end of the moves or the first position in which the
/// game is over.
pub struct PositionsToReview {
    session: Box<dyn Session>,
    played: IntoIter<String>,
    is_over: bool,
    limits: Limits<InputWord>,
}

/// A position of a game.
pub enum ReviewPosition {
    /// The game is over. The field is the number of half points of the side to move.
    Over(u8),
    /// The game continues. The field is the search of the position.
    InProgress(Box<dyn SearchJob>),
}

impl Iterator for PositionsToReview {
    type Item = ReviewPosition;

    fn next(&mut self) -> Option<ReviewPosition> {
        if self.is_over {
            return None;
        }
        let game_state = self.session.game_state();
        let position = match game_state.outcome {
            Some(outcome) => ReviewPosition::Over(half_points_of_side(outcome, game_state.side)),
            None => ReviewPosition::InProgress(
                self.session.prepare_search_job(&self.limits).ok().flatten()?,
            ),
        };
        // An error cannot occur here, because the moves of the game are legal.
        self.is_over = self
            .played
            .next()
            .is_none_or(|mv| self.session.play_moves(&[InputWord::from_text(&mv)]).is_err());
        Some(position)
    }
}

/// The result of a position.
struct ReviewPositionResult {
    /// The value for the side to move.
    value: SidePositionValue,
    /// The value of the best move. It differs from `value` if no move is known to reach that value.
    best_value: SidePositionValue,
    /// The best move; empty if none is known.
    best: String,
    /// The line that is expected after the best move. It begins with that move.
    line: Vec<String>,
}

/// A builder that computes the review of a game from the search results of its positions.
pub struct ReviewBuilder {
    /// The result of the previous position.
    before: Option<ReviewPositionResult>,
    played: IntoIter<String>,
    /// The full-move number and the side of the next move.
    turn: (u32, Side),
    win_rate_scale: i32,
    winner: Option<Side>,
    lost_at_turning_point: f64,
    /// The replay that counts steps; `None` if the game is not a race.
    race: Option<RaceReplay>,
    /// The review so far.
    pub review: Review,
}

impl ReviewBuilder {
    /// Adds the next position. If the game is over, `over` contains the half points of the
    /// position's side to move. Otherwise `lines` is the result of a search. Returns the move that
    /// led to the position; `None` for the first position.
    pub fn add_position(&mut self, over: Option<u8>, lines: BestLines) -> Option<&ReviewedMove> {
        let best = lines.lines.into_iter().next();
        let value = match over {
            Some(half_points) => SidePositionValue::Over(half_points),
            None => SidePositionValue::Score(best.as_ref().and_then(|line| line.score.value)),
        };
        let estimate = best.as_ref().and_then(|line| line.estimate);
        let best_value =
            estimate.map_or(value, |estimate| SidePositionValue::Score(Some(estimate)));
        let (best, line) = best.map(|line| (line.mv, line.pv)).unwrap_or_default();
        let result = ReviewPositionResult { value, best_value, best, line };
        // From here on, `best_value`, `best` and `line` are those of the previous position, from
        // which the move was made.
        let ReviewPositionResult { value: before, best_value, best, line } =
            self.before.replace(result)?;
        let mv = self.played.next()?;
        let (number, mover) = self.turn;
        let is_best = mv == best;
        let after = if is_best && over.is_none() { best_value } else { value.for_opponent() };
        let chances = [best_value, after].map(|value| value.win_chance(self.win_rate_scale));
        let lost = match chances {
            [Some(before), Some(after)] if !is_best => (before - after).max(0.),
            _ => 0.,
        };
        let mark = mark_of_chance_loss(lost);
        self.turn = (next_full_move_number(number, mover), !mover);
        let better = (!mark.is_empty()).then_some(best.as_str());
        let race = self.race.as_mut().and_then(|race| race.play(&mv, mover, better));
        let Review { moves, summary } = &mut self.review;
        let ply = moves.len() + 1;
        let accuracy = &mut summary.sides[mover.index()];
        accuracy.moves += 1;
        accuracy.lost += lost;
        accuracy.accuracy = Some(1. - accuracy.lost / accuracy.moves as f64);
        accuracy.mistakes += usize::from(mark == "?");
        accuracy.blunders += usize::from(mark == "??");
        if lost >= MIN_MISTAKE_CHANCE_LOSS
            && self.winner != Some(mover)
            && lost >= self.lost_at_turning_point
        {
            self.lost_at_turning_point = lost;
            summary.turning_point = Some(ply);
        }
        moves.push(ReviewedMove {
            ply,
            number,
            mover,
            side: summary.sides[mover.index()].side,
            mv,
            best,
            line,
            before,
            after,
            chances,
            lost,
            mark,
            race,
        });
        moves.last()
    }
}

/// Returns the mark of a move that lowers its side's chance of winning by `lost`; empty if the move
/// is not a mistake.
fn mark_of_chance_loss(lost: f64) -> &'static str {
    match lost {
        lost if lost >= MIN_BLUNDER_CHANCE_LOSS => "??",
        lost if lost >= MIN_MISTAKE_CHANCE_LOSS => "?",
        _ => "",
    }
}

/// Returns the half points of a side for an outcome: 2 for a win, 1 for a draw, 0 for a loss.
fn half_points_of_side(outcome: Outcome, side: Side) -> u8 {
    match outcome.winner() {
        Some(winner) if winner == side => 2,
        Some(_) => 0,
        None => 1,
    }
}

impl SidePositionValue {
    fn for_opponent(self) -> SidePositionValue {
        match self {
            SidePositionValue::Score(score) => SidePositionValue::Score(score.map(|score| -score)),
            SidePositionValue::Over(half_points) => SidePositionValue::Over(2 - half_points),
        }
    }

    /// Returns the chance of winning with this value, from 0 to 1; `None` if the value is unknown.
    /// A draw counts half. `scale` is the scale of the logistic curve, in centipawns.
    fn win_chance(self, scale: i32) -> Option<f64> {
        match self {
            SidePositionValue::Over(half_points) => Some(f64::from(half_points) / 2.),
            SidePositionValue::Score(score) => score.map(|score| win_chance(score, scale)),
        }
    }

    /// Returns the value in words for people: `+0.35`, `mate 3`, `won`.
    pub fn format_for_people(self) -> String {
        match self {
            SidePositionValue::Over(half_points) => {
                ["lost", "drawn", "won"][usize::from(half_points.min(2))].into()
            }
            SidePositionValue::Score(Some(score)) if score::is_proven_score(score) => {
                score::format_uci_score(score)
            }
            SidePositionValue::Score(Some(score)) => format!("{:+.2}", f64::from(score) / 100.),
            SidePositionValue::Score(None) => "?".into(),
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
    /// The distance to the end of the game, in moves of the side that moved. It is negative if that
    /// side loses.
    mate: i32,
}

impl Serialize for SidePositionValue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let value = match *self {
            SidePositionValue::Over(_) => ReviewedWorth::Over(self.format_for_people()),
            SidePositionValue::Score(score) => match MoveScore::new(score) {
                MoveScore { cp: Some(cp), .. } => ReviewedWorth::Centipawns(CentipawnScore { cp }),
                MoveScore { mate: Some(mate), .. } => ReviewedWorth::Mate(MateScore { mate }),
                _ => ReviewedWorth::Unknown(()),
            },
        };
        value.serialize(serializer)
    }
}

/// Rounds a share to thousandths.
fn round_to_thousandths(share: f64) -> f64 {
    (share * 1000.).round() / 1000.
}

/// Serialises a share, rounded to thousandths.
fn serialize_rounded_fraction<S: Serializer>(
    share: &f64,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(round_to_thousandths(*share))
}

/// Serialises two numbers from 0 to 1, rounded to thousandths; `null` for `None`.
fn serialize_fractions<S: Serializer>(
    shares: &[Option<f64>; 2],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(shares.map(|share| share.map(round_to_thousandths)))
}

/// Serialises a number from 0 to 1, rounded to thousandths; `null` for `None`.
fn serialize_optional_fraction<S: Serializer>(
    share: &Option<f64>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match share {
        Some(share) => serialize_rounded_fraction(share, serializer),
        None => serializer.serialize_none(),
    }
}
