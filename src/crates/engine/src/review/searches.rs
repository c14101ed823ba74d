//! The searches of a review, as a state machine.
//!
//! Each position is searched once, and then a few of its other moves with a tenth of the effort.
//! The other moves show what was at stake. If the verdict on a move is uncertain, the positions
//! before and after the move are searched again, with twice the effort. This is repeated until two
//! verdicts in a row agree. Later searches replace the value of a position for both of its moves.
//!
//! The searches may run in parallel. The verdicts are reached in the order of the moves, so the
//! result does not depend on the order in which searches end.

use std::collections::VecDeque;
use std::time::Duration;

use pentarch_core::evaluation::HumanWinChanceCurve;
use pentarch_search::Limits;
use pentarch_search::time_management::TimeBudget;

use super::verdict::{
    human_win_chance, is_borderline_chance_loss, mark_of_chance_loss, milder_chance_loss,
};
use super::{ReviewBuilder, ReviewedMove, SidePositionValue, half_points_of_side};
use crate::best_lines::BestLines;
use crate::input_word::InputWord;
use crate::session::{SearchJob, Session};

/// The maximum number of other moves that show what was at stake.
const MAX_COMPARED_OTHER_MOVES: usize = 8;
/// The repeated searches of a verdict have at most this multiple of the effort of the first search.
const MAX_REPEATED_EFFORT_FACTOR: u64 = 4;
/// All repeated searches of a game together have at most this share of the effort of the first
/// searches, in per cent.
const MAX_REPEATED_EFFORT_PERCENT: u64 = 40;
/// Even in a short game, repeated searches may have this multiple of the effort of one search.
const MIN_REPEATED_EFFORT_BUDGET: u64 = 12;

/// The effort of a search, relative to the limits of the review.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RelativeSearchEffort {
    /// A tenth of the limits.
    Tenth,
    /// A multiple of the limits, a power of two.
    Times(u64),
}

impl RelativeSearchEffort {
    /// Scales a number of nodes, or a time.
    fn scale_amount(self, amount: u64) -> u64 {
        match self {
            RelativeSearchEffort::Tenth => amount.div_ceil(10),
            RelativeSearchEffort::Times(times) => amount.saturating_mul(times),
        }
    }

    /// Scales the limits of a search. Twice the effort is one more ply.
    fn scale_limits(self, limits: &Limits<InputWord>) -> Limits<InputWord> {
        let depth = limits.depth.map(|depth| match self {
            RelativeSearchEffort::Tenth => depth.saturating_sub(2).max(1),
            RelativeSearchEffort::Times(times) => depth.saturating_add(times.ilog2()),
        });
        Limits {
            depth,
            nodes: limits.nodes.map(|nodes| self.scale_amount(nodes)),
            ..limits.clone()
        }
    }

    /// Scales the time budget of a search.
    pub fn scale_budget(self, budget: TimeBudget) -> TimeBudget {
        let scale = |time: Duration| match self {
            RelativeSearchEffort::Tenth => time / 10,
            RelativeSearchEffort::Times(times) => time.saturating_mul(times as u32),
        };
        TimeBudget { soft: scale(budget.soft), hard: scale(budget.hard) }
    }
}

/// The position and the purpose of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReviewSearchId {
    /// The number of moves before the position.
    position: usize,
    /// Whether the search compares the best move with other moves.
    compares_moves: bool,
    /// The effort of the search.
    pub effort: RelativeSearchEffort,
}

/// A search of a review.
pub struct ReviewSearch {
    /// The position and the purpose of the search.
    pub id: ReviewSearchId,
    /// The search.
    pub job: Box<dyn SearchJob>,
}

/// The result of a position.
#[derive(Debug, Clone)]
pub(super) struct PositionResult {
    /// The value for the side to move.
    pub value: SidePositionValue,
    /// The value of the best move. It differs from `value` if no move is known to reach that value.
    pub best_value: SidePositionValue,
    /// The best move; empty if none is known.
    pub best: String,
    /// The line that is expected after the best move. It begins with that move.
    pub line: Vec<String>,
}

impl PositionResult {
    fn from_best_lines(lines: BestLines) -> PositionResult {
        let best = lines.lines.into_iter().next();
        let value = SidePositionValue::Score(best.as_ref().and_then(|line| line.score.value));
        let estimate = best.as_ref().and_then(|line| line.estimate);
        let best_value =
            estimate.map_or(value, |estimate| SidePositionValue::Score(Some(estimate)));
        let (best, line) = best.map(|line| (line.mv, line.pv)).unwrap_or_default();
        PositionResult { value, best_value, best, line }
    }
}

/// The stake in a position.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Stake {
    /// The mean loss of winning chance by other moves than the best one; `None` if the search
    /// compared no other move.
    pub mean_loss: Option<f64>,
    /// The smallest loss by another move. Known only if all other moves were compared.
    pub least_loss: Option<f64>,
}

/// A position of the game.
#[derive(Default)]
struct ReviewedPosition {
    result: Option<PositionResult>,
    stake: Option<Stake>,
}

/// The repeated searches for the verdict on a move.
struct RepeatedVerdictSearches {
    effort: u64,
    /// The mark with the previous effort.
    mark: &'static str,
    /// The number of searches that have not ended.
    pending: usize,
}

/// The review of a game in progress.
pub struct GameReview {
    /// The session that sets up the positions.
    session: Box<dyn Session>,
    start: Option<Vec<InputWord>>,
    played: Vec<InputWord>,
    limits: Limits<InputWord>,
    curve: HumanWinChanceCurve,
    positions: Vec<ReviewedPosition>,
    /// The number of positions whose first search was started.
    started: usize,
    /// Searches that can start.
    waiting: VecDeque<ReviewSearchId>,
    /// The number of moves with a final verdict.
    decided: usize,
    /// The greatest loss that the verdict on each decided move may have.
    max_losses: Vec<f64>,
    repeated: Option<RepeatedVerdictSearches>,
    /// The effort that is left for repeated searches, as a number of first searches.
    effort_left: u64,
    builder: ReviewBuilder,
}

impl GameReview {
    pub(super) fn new(
        session: Box<dyn Session>,
        start: Option<Vec<InputWord>>,
        played: Vec<InputWord>,
        limits: Limits<InputWord>,
        builder: ReviewBuilder,
    ) -> GameReview {
        let positions = played.len() + 1;
        let effort = positions as u64 * MAX_REPEATED_EFFORT_PERCENT / 100;
        GameReview {
            curve: session.human_win_chance_curve(),
            session,
            start,
            played,
            limits,
            positions: std::iter::repeat_with(ReviewedPosition::default).take(positions).collect(),
            started: 0,
            waiting: VecDeque::new(),
            decided: 0,
            max_losses: Vec::new(),
            repeated: None,
            effort_left: effort.max(MIN_REPEATED_EFFORT_BUDGET),
            builder,
        }
    }

    /// Returns whether all moves have their verdicts.
    pub fn is_complete(&self) -> bool {
        self.decided == self.played.len() && self.positions[self.decided].result.is_some()
    }

    /// Returns the next search; `None` if all searches have started, or if the next one depends on
    /// the result of another.
    pub fn next_search(&mut self) -> Option<ReviewSearch> {
        loop {
            let id = match self.waiting.pop_front() {
                Some(id) => id,
                None if self.started < self.positions.len() => {
                    let position = self.started;
                    self.started += 1;
                    ReviewSearchId {
                        position,
                        compares_moves: false,
                        effort: RelativeSearchEffort::Times(1),
                    }
                }
                None => return None,
            };
            // An error cannot occur here, because the moves of the game are legal.
            self.session.set_position(self.start.as_deref(), &self.played[..id.position]).ok()?;
            let game_state = self.session.game_state();
            if let Some(outcome) = game_state.outcome {
                // The game ends here. Moves after this position are not reviewed.
                let value = SidePositionValue::Over(half_points_of_side(outcome, game_state.side));
                let over = PositionResult {
                    value,
                    best_value: value,
                    best: String::new(),
                    line: Vec::new(),
                };
                let position = &mut self.positions[id.position];
                position.result = Some(over);
                position.stake = Some(Stake::default());
                self.played.truncate(id.position);
                self.positions.truncate(id.position + 1);
                self.decide_moves();
                continue;
            }
            let mut limits = id.effort.scale_limits(&self.limits);
            if id.compares_moves {
                limits.moves = self.moves_to_compare(id.position)?;
                limits.multi_pv = limits.moves.len();
            }
            let job = self.session.prepare_search_job(&limits).ok().flatten()?;
            return Some(ReviewSearch { id, job });
        }
    }

    /// Returns the best move of a position and some others, evenly spread over the legal moves.
    fn moves_to_compare(&self, position: usize) -> Option<Vec<InputWord>> {
        let best = &self.positions[position].result.as_ref()?.best;
        let mut others = self.session.legal_move_strings();
        others.retain(|mv| mv != best);
        let count = others.len().min(MAX_COMPARED_OTHER_MOVES);
        let mut moves = vec![InputWord::from_text(best)];
        let chosen = (0..count).map(|number| &others[number * others.len() / count]);
        moves.extend(chosen.map(|mv| InputWord::from_text(mv)));
        Some(moves)
    }

    /// Adds the result of a search.
    pub fn add_result(&mut self, id: ReviewSearchId, lines: BestLines) {
        let legal_moves = || {
            let mut session = self.session.copy_session();
            let moves = session.set_position(self.start.as_deref(), &self.played[..id.position]);
            moves.map_or(0, |()| session.generate_legal_moves())
        };
        if id.compares_moves {
            let stake = stake_of_lines(&lines, legal_moves(), self.curve);
            self.positions[id.position].stake = Some(stake);
        } else {
            let has_choice = legal_moves() > 1 && !lines.lines.is_empty();
            let position = &mut self.positions[id.position];
            let is_first =
                position.result.replace(PositionResult::from_best_lines(lines)).is_none();
            if is_first && has_choice && id.position < self.played.len() {
                let effort = RelativeSearchEffort::Tenth;
                self.waiting.push_back(ReviewSearchId { compares_moves: true, effort, ..id });
            } else if is_first {
                position.stake = Some(Stake::default());
            }
            if let Some(repeated) = &mut self.repeated
                && id.effort != RelativeSearchEffort::Times(1)
            {
                repeated.pending -= 1;
            }
        }
        self.decide_moves();
    }

    /// Reaches verdicts on the next moves until one needs a search that has not ended.
    fn decide_moves(&mut self) {
        while self.decided < self.played.len() {
            let at = self.decided;
            // The comparison of moves begins with the best move of the first search. So it must end
            // before the position is searched again.
            if self.repeated.as_ref().is_some_and(|repeated| repeated.pending > 0)
                || self.positions[at].stake.is_none()
                || self.positions[at + 1].result.is_none()
                || self.positions[at + 1].stake.is_none()
            {
                break;
            }
            let lost = self.loss(at);
            let mark = mark_of_chance_loss(lost);
            let (effort, held) = match self.repeated.take() {
                None => (1, !is_borderline_chance_loss(lost)),
                Some(repeated) => (repeated.effort, repeated.mark == mark),
            };
            let next = 2 * effort;
            let cost = 2 * next;
            let max_loss = if held {
                1.
            } else if next <= MAX_REPEATED_EFFORT_FACTOR && cost <= self.effort_left {
                self.effort_left -= cost;
                self.repeat_searches(at, next, mark);
                if self.repeated.as_ref().is_some_and(|repeated| repeated.pending > 0) {
                    break;
                }
                continue;
            } else {
                milder_chance_loss(lost)
            };
            self.max_losses.push(max_loss);
            self.decided += 1;
        }
        // A later verdict can change the value of the position after the last decided move.
        let is_last = self.decided == self.played.len();
        let is_known = is_last && self.positions[self.decided].result.is_some();
        let final_moves = if is_known { self.decided } else { self.decided.saturating_sub(1) };
        while self.builder.review.moves.len() < final_moves {
            self.add_move();
        }
        if is_known {
            self.builder.finish();
        }
    }

    /// Requests searches of the positions before and after a move with this effort.
    fn repeat_searches(&mut self, mv: usize, effort: u64, mark: &'static str) {
        let mut pending = 0;
        for position in [mv, mv + 1] {
            let result = self.positions[position].result.as_ref();
            if result.is_some_and(|result| !matches!(result.value, SidePositionValue::Over(_))) {
                let effort = RelativeSearchEffort::Times(effort);
                self.waiting.push_front(ReviewSearchId { position, compares_moves: false, effort });
                pending += 1;
            }
        }
        self.repeated = Some(RepeatedVerdictSearches { effort, mark, pending });
    }

    /// Returns the loss of winning chance by a move.
    fn loss(&self, mv: usize) -> f64 {
        let [Some(before), Some(after)] =
            [mv, mv + 1].map(|position| self.positions[position].result.as_ref())
        else {
            return 0.;
        };
        if before.best == self.played[mv].text {
            return 0.;
        }
        let before = before.best_value.human_win_chance(self.curve);
        let after = after.best_value.for_opponent().human_win_chance(self.curve);
        before.zip(after).map_or(0., |(before, after)| (before - after).max(0.))
    }

    /// Adds the next move to the review.
    fn add_move(&mut self) {
        let at = self.builder.review.moves.len();
        let lost = self.loss(at).min(self.max_losses[at]);
        let [before, after] = [at, at + 1].map(|position| self.positions[position].result.clone());
        if let Some((before, after)) = before.zip(after) {
            let stake = self.positions[at].stake.unwrap_or_default();
            let chances = [before.best_value, after.best_value.for_opponent()]
                .map(|value| value.human_win_chance(self.curve));
            self.builder.add_move(before, after, stake, lost, chances);
        }
    }

    /// Returns the moves that have been reviewed.
    pub fn moves(&self) -> &[ReviewedMove] {
        &self.builder.review.moves
    }

    /// Returns the review so far.
    pub fn review(&self) -> &super::Review {
        &self.builder.review
    }

    /// Returns the review.
    pub fn into_review(self) -> super::Review {
        self.builder.review
    }
}

/// Returns what was at stake in a position with this number of legal moves.
fn stake_of_lines(lines: &BestLines, legal_moves: usize, curve: HumanWinChanceCurve) -> Stake {
    let chances: Vec<f64> = lines
        .lines
        .iter()
        .filter_map(|line| line.estimate.or(line.score.value))
        .map(|value| human_win_chance(value, curve))
        .collect();
    let best = chances.iter().copied().fold(0., f64::max);
    let Some(others) = chances.len().checked_sub(1).filter(|&others| others > 0) else {
        return Stake::default();
    };
    let lost = chances.iter().map(|chance| best - chance).sum::<f64>();
    let mut sorted = chances;
    sorted.sort_by(f64::total_cmp);
    let second = sorted[others - 1];
    let least_loss = (others + 1 == legal_moves).then_some(best - second);
    Stake { mean_loss: Some(lost / others as f64), least_loss }
}
