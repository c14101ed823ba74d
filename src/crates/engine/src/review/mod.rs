//! Reviews a game: computes for each move the value before and after it, the best move, the loss
//! and the reason.
//!
//! | module | contents |
//! |---|---|
//! | [`searches`] | the searches of a review, as a state machine |
//! | [`verdict`] | the chances of people, and the classes of moves |
//! | `accuracy` | the accuracy of a side |
//! | `explanation` | what a mistake lost, in the words of the game |
//!
//! Each position has one value. The move to the position and the move from the position are judged
//! by the same value. The loss of a move is the drop in the [chance of a
//! person](verdict::human_win_chance) to win. The best move loses nothing. If the value of a
//! position is known, but no move is known to reach it, the search's own score of the best move
//! counts.

mod accuracy;
mod explanation;
pub mod searches;
pub mod verdict;

use serde::{Serialize, Serializer};

use pentarch_core::notation::parsing::next_full_move_number;
use pentarch_core::{Outcome, Side};
use pentarch_search::{Limits, score};

use self::accuracy::AccuracySum;
use self::explanation::{Explainer, MistakeToExplain};
use self::searches::{GameReview, PositionResult, Stake};
use self::verdict::{MoveQualityClass, mark_of_chance_loss, move_class_of_chance_loss};
use super::best_lines::{MoveScore, win_chance};
use super::error::{EngineError, EngineFault};
use super::input_word::InputWord;
use super::race_review::{MoveRace, RaceReplay};
use super::session::Session;

pub use self::verdict::MAX_NEGLIGIBLE_CHANCE_LOSS;

/// The maximum number of [moments](ReviewSummary::moments).
const MAX_MOMENTS: usize = 3;
/// The phases of a game: its first, second and last third.
const PHASES: [&str; 3] = ["opening", "middle", "end"];

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
    /// If the move is an inaccuracy or worse, the line that is expected after the best move. It
    /// begins with that move.
    pub line: Vec<String>,
    /// If the move is an inaccuracy or worse, the line that is expected after it. It ends where the
    /// loss is visible.
    pub refutation: Vec<String>,
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
    /// The chances of people to win before and after the move, by a flatter curve than `chances`. A
    /// draw counts half. `null` without a score.
    #[serde(serialize_with = "serialize_fractions")]
    #[cfg_attr(test, schemars(with = "[Option<f64>; 2]"))]
    pub human_chances: [Option<f64>; 2],
    /// The stake: the chance of people that a few other moves lose on average; 0 if the search
    /// could not compare moves.
    #[serde(serialize_with = "serialize_rounded_fraction")]
    #[cfg_attr(test, schemars(range(min = 0, max = 1)))]
    pub stake: f64,
    /// The decrease of the chance of people by the move; 0 if one of the two chances is `null`.
    #[serde(serialize_with = "serialize_rounded_fraction")]
    #[cfg_attr(test, schemars(range(min = 0, max = 1)))]
    pub lost: f64,
    /// `??` for a blunder, `?` for a mistake, otherwise an empty string.
    #[cfg_attr(test, schemars(extend("enum" = crate::requests::schema::REVIEW_MARKS)))]
    pub mark: &'static str,
    /// The class of the move in words.
    #[serde(serialize_with = "serialize_move_class")]
    #[cfg_attr(test, schemars(with = "String", extend("enum" = MoveQualityClass::MOVE_CLASS_WORDS)))]
    pub class: MoveQualityClass,
    /// The loss of a move that is an inaccuracy or worse, in the words of the game: `loses a
    /// checker`. `null` if the engine has no words for it.
    pub reason: Option<String>,
    /// The race between the sides; `null` if the game is not a race.
    pub race: Option<MoveRace>,
}

impl ReviewedMove {
    /// Returns the number and the move as in records: `3. e4`, `3... e6`.
    pub fn numbered_move(&self) -> String {
        let dots = if self.mover == Side::First { "." } else { "..." };
        format!("{}{dots} {}", self.number, self.mv)
    }

    /// Returns the cost of the move in words: `cost white 50 % of the chances; best was e4d4`. The
    /// percentage is rounded down, so that a loss just below the limit of a mark is not shown as
    /// the limit.
    pub fn cost_text(&self) -> String {
        let ReviewedMove { side, best, lost, .. } = self;
        format!("cost {side} {:.0} % of the chances; best was {best}", (100. * lost).floor())
    }
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
    /// The accuracy of a side: the sum of its stakes divided by the sum of its stakes and losses;
    /// `null` if it has made no moves, or if no stake is known.
    #[serde(serialize_with = "serialize_optional_fraction")]
    #[cfg_attr(test, schemars(range(min = 0, max = 1)))]
    pub accuracy: Option<f64>,
    /// The number of inaccuracies of the side.
    pub inaccuracies: usize,
    /// The number of mistakes, without blunders.
    pub mistakes: usize,
    /// The number of blunders of the side.
    pub blunders: usize,
    /// The moves of the side, as far as the accuracy depends on them.
    #[serde(skip)]
    sum: AccuracySum,
}

impl SideAccuracy {
    fn add_move(&mut self, lost: f64, stake: Stake, class: MoveQualityClass) {
        let mark = mark_of_chance_loss(lost);
        self.moves += 1;
        self.sum.add_move(lost, stake.mean_loss);
        self.accuracy = self.sum.accuracy();
        self.inaccuracies += usize::from(class == MoveQualityClass::Inaccuracy);
        self.mistakes += usize::from(mark == "?");
        self.blunders += usize::from(mark == "??");
    }

    /// Returns the accuracy and the numbers of mistakes and blunders in words; `None` without
    /// moves.
    pub fn summary_text(&self) -> Option<String> {
        let counted = |count: usize, word: &str| {
            format!("{count} {word}{}", if count == 1 { "" } else { "s" })
        };
        let mistakes = counted(self.mistakes, "mistake");
        let blunders = counted(self.blunders, "blunder");
        Some(format!("accuracy {:.0} %, {mistakes}, {blunders}", 100. * self.accuracy?))
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
    /// The plies of the three moves that lost most, in the order of the game. They are
    /// inaccuracies or worse.
    pub moments: Vec<usize>,
    /// The phase in which the loser lost most: the first, the second or the last third of the game.
    /// `null` if no side has lost, or if its moves lost nothing.
    #[cfg_attr(test, schemars(extend("enum" = crate::requests::schema::LOST_PHASES)))]
    pub phase: Option<&'static str>,
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
) -> Result<GameReview, EngineError> {
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
    let accuracy = |side| SideAccuracy {
        side,
        moves: 0,
        accuracy: None,
        inaccuracies: 0,
        mistakes: 0,
        blunders: 0,
        sum: AccuracySum::default(),
    };
    let played: Vec<InputWord> =
        game_moves.moves.iter().map(|mv| InputWord::from_text(mv)).collect();
    let builder = ReviewBuilder {
        played: game_moves.moves,
        turn: game_moves.first_turn,
        win_rate_scale: constants.win_rate_scale,
        winner: session.game_state().outcome.and_then(Outcome::winner),
        race: RaceReplay::new(replayed.as_ref()),
        explainer: Explainer::new(replayed.as_ref()),
        review: Review {
            moves: Vec::new(),
            summary: ReviewSummary {
                sides: constants.sides.map(accuracy),
                turning_point: None,
                moments: Vec::new(),
                phase: None,
                as_good: MAX_NEGLIGIBLE_CHANCE_LOSS,
                outcome: session.game_status().outcome,
            },
        },
    };
    Ok(GameReview::new(replayed, start, played, limits, builder))
}

/// A builder that computes the review of a game from the results of its positions.
struct ReviewBuilder {
    played: Vec<String>,
    /// The full-move number and the side of the next move.
    turn: (u32, Side),
    win_rate_scale: i32,
    winner: Option<Side>,
    /// The replay that counts steps; `None` if the game is not a race.
    race: Option<RaceReplay>,
    explainer: Explainer,
    /// The review so far.
    review: Review,
}

impl ReviewBuilder {
    /// Adds the next move with the results of the positions before and after it, what was at stake
    /// and what the move has lost.
    fn add_move(
        &mut self,
        position_before: PositionResult,
        position_after: PositionResult,
        stake: Stake,
        lost: f64,
        human_chances: [Option<f64>; 2],
    ) {
        let PositionResult { value: before, best_value, best, line } = position_before;
        let (number, mover) = self.turn;
        self.turn = (next_full_move_number(number, mover), !mover);
        let Review { moves, summary } = &mut self.review;
        let Some(mv) = self.played.get(moves.len()).cloned() else { return };
        let after = position_after.value.for_opponent();
        let value_after = position_after.best_value.for_opponent();
        let chances = [best_value, value_after].map(|value| value.win_chance(self.win_rate_scale));
        let mark = mark_of_chance_loss(lost);
        let class = class_of_move(lost, mv == best, before, after, stake);
        let better = (!mark.is_empty()).then_some(best.as_str());
        let race = self.race.as_mut().and_then(|race| race.play(&mv, mover, better));
        let is_worse = class >= MoveQualityClass::Inaccuracy;
        let explained = self.explainer.play(
            &mv,
            is_worse.then_some(MistakeToExplain {
                mover,
                best_line: &line,
                replies: &position_after.line,
                before,
                after,
                race: race.as_ref(),
            }),
        );
        let line = if is_worse { line } else { Vec::new() };
        summary.sides[mover.index()].add_move(lost, stake, class);
        let ply = moves.len() + 1;
        moves.push(ReviewedMove {
            ply,
            number,
            mover,
            side: summary.sides[mover.index()].side,
            mv,
            best,
            line,
            refutation: explained.refutation,
            before,
            after,
            chances,
            human_chances,
            stake: stake.mean_loss.unwrap_or(0.),
            lost,
            mark,
            class,
            reason: explained.reason,
            race,
        });
        summary.turning_point = turning_point(moves, self.winner);
    }

    /// Completes the summary after the last move.
    fn finish(&mut self) {
        let Review { moves, summary } = &mut self.review;
        let mut moments: Vec<&ReviewedMove> =
            moves.iter().filter(|mv| mv.class >= MoveQualityClass::Inaccuracy).collect();
        moments.sort_by(|a, b| b.lost.total_cmp(&a.lost));
        summary.moments = moments.iter().take(MAX_MOMENTS).map(|mv| mv.ply).collect();
        summary.moments.sort_unstable();
        let Some(winner) = self.winner else { return };
        let mut lost = [0.; PHASES.len()];
        for mv in moves.iter().filter(|mv| mv.mover != winner) {
            lost[(mv.ply - 1) * PHASES.len() / moves.len()] += mv.lost;
        }
        let worst = (0..PHASES.len()).max_by(|&a, &b| lost[a].total_cmp(&lost[b]));
        summary.phase =
            worst.filter(|&phase| is_mistake_chance_loss(lost[phase])).map(|phase| PHASES[phase]);
    }
}

/// Returns the ply of the mistake that lost most, the last one of equal ones. Mistakes of the
/// winner do not count.
fn turning_point(moves: &[ReviewedMove], winner: Option<Side>) -> Option<usize> {
    let mistakes = moves.iter().filter(|mv| !mv.mark.is_empty() && winner != Some(mv.mover));
    mistakes.max_by(|a, b| a.lost.total_cmp(&b.lost)).map(|mv| mv.ply)
}

/// Returns the class of a move with the values before and after it.
fn class_of_move(
    lost: f64,
    is_best: bool,
    before: SidePositionValue,
    after: SidePositionValue,
    stake: Stake,
) -> MoveQualityClass {
    // A player who sees that a move wins at once need not compare others.
    let is_end = matches!(after, SidePositionValue::Over(_));
    match move_class_of_chance_loss(lost) {
        MoveQualityClass::Good if is_best => {
            match stake.least_loss.is_some_and(is_mistake_chance_loss) && !is_end {
                true => MoveQualityClass::OnlyMove,
                false => MoveQualityClass::Best,
            }
        }
        MoveQualityClass::Mistake | MoveQualityClass::Blunder
            if before.is_proven_win() && !after.is_proven_win() =>
        {
            MoveQualityClass::MissedWin
        }
        class => class,
    }
}

/// Returns whether a loss of winning chance is that of a mistake.
fn is_mistake_chance_loss(lost: f64) -> bool {
    !mark_of_chance_loss(lost).is_empty()
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

/// Serialises the class of a move as a word.
fn serialize_move_class<S: Serializer>(
    class: &MoveQualityClass,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(class.word())
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
