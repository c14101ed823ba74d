//! Levels of strength for people: how the engine plays below its full strength.
//!
//! A weak player does not play at random. It is weak in the ways in which people are weak:
//!
//! - It *overlooks* moves. Each level has a probability of missing a legal move. The probability
//!   also depends on the [features](pentarch_core::NoticeableMoveFeatures) of the move. A move that
//!   wins at once has a separate, lower probability.
//! - It is *careless* at times. Then it continues with the purpose of its last move, and evaluates
//!   its moves by the board after them, without any reply.
//! - It *looks ahead* few plies. It searches all moves one ply deep. If it searches deeper, it
//!   chooses only from the best few (candidate moves; de Groot, *Thought and Choice in Chess*,
//!   1965).
//! - It *misjudges*: an error is added to the score of each move, and the move that then seems best
//!   is played.
//! - It *aims* at something that the game defines, such as racing or blocking in Quoridor. It
//!   rarely considers a move without [purpose](pentarch_core::Evaluate::move_purposes). It compares
//!   the best move for each purpose, so the number of moves for a purpose does not matter.
//! - It has a *plan*: it prefers moves that go forward or continue its last moves, and does not
//!   undo a move without a reason.
//!
//! The player plays a win that it sees, so that games end. But the two lowest levels do not win
//! with one of the first three moves of a game, so that a newcomer survives the opening. Nothing in
//! this module depends on the game: the player knows only what the evaluation and the search know.
//! It does not use exact values (tablebases, opening books, pawn races without a search). So it
//! plays even solved games as people play them. The limits are plies and nodes, not time. So a
//! level is the same on every machine.
//!
//! The search itself is sound. Each reported score and principal variation is right for the move
//! with which the variation begins, and a proven score is a proof. But a reported loss does not
//! imply that all moves lose. The player may have overlooked a move or not compared it. The move
//! that is played need not be the best either.

use std::cmp::Reverse;
use std::sync::atomic::Ordering::Relaxed;

use pentarch_core::sorting::sort_by_key;
use pentarch_core::{GameHistory, Searchable};

use super::iterative_deepening::AspirationSearch;
use super::level_attention::RememberedMoves;
use super::move_ordering;
use super::root_move::RootMove;
use super::score::{self, INFINITE_SCORE, MAX_SEARCH_PLIES};
use super::search_worker::{ExactValueSource, SearchWorker, SharedSearchState};
use super::transposition::TranspositionTable;
use super::{Limits, SearchContext, SearchReport, SearchResult};

/// A level of strength. The variants are in the order of their strength.
///
/// The settings of the levels were found by experiment. With few exceptions, each level scores 60
/// to 85 per cent against the level below it. `docs/levels.md` has the matches.
#[expect(missing_docs, reason = "the names of the levels say all that there is to say")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum StrengthLevel {
    Beginner,
    Novice,
    Learner,
    Casual,
    Average,
    Good,
    Strong,
    Expert,
    Master,
    /// The full strength of the engine.
    #[default]
    Champion,
}

impl StrengthLevel {
    /// All levels, the weakest first.
    pub const ALL: [StrengthLevel; 10] = [
        StrengthLevel::Beginner,
        StrengthLevel::Novice,
        StrengthLevel::Learner,
        StrengthLevel::Casual,
        StrengthLevel::Average,
        StrengthLevel::Good,
        StrengthLevel::Strong,
        StrengthLevel::Expert,
        StrengthLevel::Master,
        StrengthLevel::Champion,
    ];
    /// The names of all levels, the weakest first.
    pub const STRENGTH_LEVEL_NAMES: [&str; StrengthLevel::ALL.len()] = [
        "beginner", "novice", "learner", "casual", "average", "good", "strong", "expert", "master",
        "champion",
    ];

    /// Returns the name of the level, one of [`StrengthLevel::STRENGTH_LEVEL_NAMES`].
    pub const fn name(self) -> &'static str {
        StrengthLevel::STRENGTH_LEVEL_NAMES[self as usize]
    }

    /// Returns the level with this name, ignoring case.
    pub fn by_name(name: &str) -> Option<StrengthLevel> {
        StrengthLevel::ALL.into_iter().find(|level| level.name().eq_ignore_ascii_case(name))
    }

    /// Returns the level whose Elo rating is nearest to this number.
    pub fn nearest_to_elo(elo: u32) -> StrengthLevel {
        StrengthLevel::ALL
            .into_iter()
            .min_by_key(|level| level.elo().abs_diff(elo))
            .unwrap_or_default()
    }

    /// Returns the Elo rating of the level. The scale applies only to these levels. The ratings are
    /// the maximum likelihood estimate from matches between neighbouring levels in all five games.
    pub const fn elo(self) -> u32 {
        match self {
            StrengthLevel::Beginner => 500,
            StrengthLevel::Novice => 670,
            StrengthLevel::Learner => 820,
            StrengthLevel::Casual => 980,
            StrengthLevel::Average => 1230,
            StrengthLevel::Good => 1350,
            StrengthLevel::Strong => 1540,
            StrengthLevel::Expert => 1770,
            StrengthLevel::Master => 1900,
            StrengthLevel::Champion => 2120,
        }
    }

    /// Returns the weaknesses of the level; `None` at full strength.
    fn weakness(self) -> Option<LevelWeakness> {
        let [wins, overlooks, careless, error, depth, candidates, nodes, purposeless] = match self {
            // The columns: overlooked wins, overlooks, careless, error, depth, candidates, nodes,
            // purposeless. From `Strong` on, most searches reach the limit of nodes before the
            // limit of plies. So these levels look furthest where there are few moves.
            StrengthLevel::Beginner => [370, 415, 535, 330, 10, 1, 2_000, 280],
            StrengthLevel::Novice => [190, 240, 325, 145, 10, 1, 2_000, 135],
            StrengthLevel::Learner => [95, 168, 205, 103, 17, 12, 2_000, 62],
            StrengthLevel::Casual => [60, 112, 136, 77, 20, 8, 2_000, 27],
            StrengthLevel::Average => [20, 61, 72, 48, 30, 8, 2_500, 10],
            StrengthLevel::Good => [0, 47, 53, 39, 37, 6, 3_000, 0],
            StrengthLevel::Strong => [0, 31, 33, 28, 76, 4, 3_600, 450],
            StrengthLevel::Expert => [0, 10, 10, 12, 145, 3, 6_000, 750],
            StrengthLevel::Master => [0, 4, 4, 6, 190, 2, 7_600, 1_000],
            StrengthLevel::Champion => return None,
        };
        Some(LevelWeakness {
            overlooks_wins: wins,
            overlooks,
            careless,
            error,
            depth,
            candidates: candidates as usize,
            nodes: nodes.into(),
            purposeless,
            spares_newcomers: self <= StrengthLevel::Novice,
        })
    }
}

/// The number of plies of an opening. In the opening, all levels make only moves with a purpose,
/// and the lowest levels do not win.
const OPENING_PLIES: usize = 6;
/// The number of units of appeal that are worth a factor e in the odds of winning.
const APPEALS_PER_SCALE: i32 = 25;
/// The maximum probability that a player overlooks a move, in thousandths.
const MAX_OVERLOOK_PROBABILITY: u32 = 900;

/// The weaknesses of a level.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct LevelWeakness {
    /// The probability that the player overlooks a move that wins at once, in thousandths.
    overlooks_wins: u32,
    /// The average probability that the player overlooks another legal move, in thousandths.
    overlooks: u32,
    /// The probability of being careless, in thousandths.
    careless: u32,
    /// The standard deviation, in centipawns, of the random error added to each move's score.
    error: u32,
    /// The maximum look-ahead of the player, in tenths of a ply. For example, 26 means three plies
    /// in six of ten turns, and two plies in the others.
    depth: u32,
    /// The number of best moves to choose from if the player looks ahead more than one ply.
    candidates: usize,
    /// The maximum number of nodes.
    nodes: u64,
    /// The probability, in thousandths, of considering a move without a
    /// [purpose](pentarch_core::Evaluate::move_purposes).
    purposeless: u32,
    /// Whether the player does not win in the first moves of a game.
    spares_newcomers: bool,
}

/// Chooses a move like a player of the level in the limits. Returns `None` at full strength, or if
/// there are no moves to choose from.
///
/// One thread searches, with a separate small transposition table. So neither the settings of the
/// program nor its earlier searches make a level stronger. With the same [seed](Limits::seed), the
/// function chooses the same move, on every machine.
pub(super) fn choose_level_move<G: Searchable>(
    context: &SearchContext<G>,
    report: &mut dyn FnMut(SearchReport<G::Move>),
) -> Option<SearchResult<G::Move>> {
    let weakness = context.limits.level.weakness()?;
    let mut rng = context.limits.seed.map_or_else(fastrand::Rng::new, fastrand::Rng::with_seed);
    let mut limits = Limits { mate: None, parameters: None, ..context.limits.clone() };
    limits.nodes = Some(limits.nodes.unwrap_or(u64::MAX).min(weakness.nodes));
    let table = TranspositionTable::new(1).unwrap_or_default();
    let context = &SearchContext { limits: &limits, table: &table, ..*context };
    let shared = SharedSearchState::new(context, ExactValueSource::Unused);
    let recent = RememberedMoves::new(context.history);
    let is_careless = rng.u32(..1000) < weakness.careless;
    let plan = recent.last_move_purpose().filter(|_| is_careless);
    let mut roots = moves_noticed_by_level(context, weakness, &recent, plan, &mut rng);
    let deepest = if is_careless { 0 } else { (weakness.depth + rng.u32(..10)) / 10 };
    let mut worker = SearchWorker::new(context, &shared, None);
    let compared = score_and_sort_moves(&mut worker, &mut roots, weakness, deepest, report);
    let appeals = move_appeals(context.history, &recent, &roots[..compared]);
    let mv = choose_noticed_move(&roots[..compared], &appeals, weakness, &mut rng)?.mv;
    let index = roots.iter().position(|root| root.mv == mv)?;
    let is_confirmed = worker.confirm_score(&mut roots[..compared], index);
    let chosen = &roots[index];
    let score = (chosen.score > -INFINITE_SCORE)
        .then(|| score::reportable_score(chosen.stored_line_score(), is_confirmed));
    SearchResult::from_pv(&chosen.pv, score, shared.nodes.load(Relaxed))
}

/// Returns the moves that the player does not overlook, in the search's order. With a plan, these
/// are the moves for this purpose. The list is empty only if there is no move to choose from.
fn moves_noticed_by_level<G: Searchable>(
    context: &SearchContext<G>,
    weakness: LevelWeakness,
    recent: &RememberedMoves,
    plan: Option<u8>,
    rng: &mut fastrand::Rng,
) -> Vec<RootMove<G::Move>> {
    let SearchContext { history, limits, .. } = *context;
    let rules = history.rules();
    let position = history.position();
    let eval_data = rules.compute_eval_data(position);
    let purpose = rules.move_purposes(position, &eval_data);
    let features = rules.noticeable_move_features(position, &eval_data);
    let wins = |mv| {
        let outcome = rules.outcome(&rules.play(position, mv));
        outcome.is_some_and(|outcome| outcome.winner() == Some(history.side_to_move()))
    };
    let is_opening =
        history.len() < OPENING_PLIES && *history.start_position() == rules.start_position();
    let purposeless = if is_opening { 0 } else { weakness.purposeless };
    let mut allowed = limits.moves.clone();
    if weakness.spares_newcomers && is_opening && !limits.moves.iter().all(|&mv| wins(mv)) {
        allowed.retain(|&mv| !wins(mv));
    }
    let plan = plan.filter(|_| allowed.iter().any(|&mv| purpose(mv) == plan));
    let mut is_noticed = |mv| {
        if wins(mv) {
            return rng.u32(..1000) >= weakness.overlooks_wins;
        }
        let seen = features(mv);
        let percent = seen.map_or(100, |seen| recent.overlook_percent(seen));
        let is_overlooked =
            rng.u32(..1000) < (weakness.overlooks * percent / 100).min(MAX_OVERLOOK_PROBABILITY);
        let has_purpose = if plan.is_some() {
            purpose(mv) == plan
        } else {
            // A person who makes a pointless move rarely makes it far from the game.
            let is_far = seen.is_some_and(|seen| recent.is_far_from_last_moves(seen));
            let draws = 1 + u32::from(is_far);
            purpose(mv).is_some() || (0..draws).all(|_| rng.u32(..1000) < purposeless)
        };
        !is_overlooked && has_purpose
    };
    let mut seen = allowed.clone();
    seen.retain(|&mv| is_noticed(mv));
    if seen.is_empty() {
        let with_purpose: Vec<G::Move> =
            allowed.iter().copied().filter(|&mv| purpose(mv).is_some()).collect();
        let choices = if with_purpose.is_empty() { &allowed } else { &with_purpose };
        // A random `usize` would depend on the width of the machine's addresses.
        seen.extend(choices.get(rng.u32(..choices.len().max(1) as u32) as usize));
    }
    move_ordering::sort_moves_by_ordering_scores(rules.as_ref(), position, &mut seen);
    seen.into_iter().map(RootMove::new).collect()
}

/// The appeal of a move to a player, in addition to its score.
#[derive(Debug, Clone, Copy)]
struct MoveAppeal {
    purpose: Option<u8>,
    /// The number of centipawns that the player adds to the score.
    bonus: i32,
}

/// Returns the appeals of these moves.
///
/// The unit of the bonus is about one per cent of the games. People compare chances, not
/// centipawns: if a game is nearly decided, a small difference between scores means nothing. So the
/// bonus grows with the score, and a player who is winning goes straight to its goal.
fn move_appeals<G: Searchable>(
    history: &GameHistory<G>,
    recent: &RememberedMoves,
    roots: &[RootMove<G::Move>],
) -> Vec<MoveAppeal> {
    let rules = history.rules();
    let eval_data = rules.compute_eval_data(history.position());
    let move_purposes = rules.move_purposes(history.position(), &eval_data);
    let features = rules.noticeable_move_features(history.position(), &eval_data);
    let appeal = |root: &RootMove<G::Move>| {
        let purpose = move_purposes(root.mv);
        let scale = G::WIN_RATE_SCALE.max(1);
        // The score in quarters of the scale, and the growth in sixteenths.
        let score = (root.score.abs() * 4 / scale).min(16);
        let growth = 16 + score * score;
        let units = recent.appeal(features(root.mv), purpose);
        MoveAppeal { purpose, bonus: units * growth * scale / (16 * APPEALS_PER_SCALE) }
    };
    roots.iter().map(appeal).collect()
}

/// Sets the static scores of the moves. If `deepest` is above 0, replaces them by the scores of a
/// search to depth 1. Moves that a stopped search has not reached keep their static scores.
fn score_moves_at_first_depth<G: Searchable>(
    worker: &mut SearchWorker<G>,
    roots: &mut [RootMove<G::Move>],
    deepest: u32,
) {
    for root in &mut *roots {
        let Ok(score) = worker.static_score_after_move(root.mv) else { break };
        root.score = score;
    }
    if deepest == 0 || roots.is_empty() {
        return;
    }
    worker.evaluate_root();
    for root in roots {
        // Each move is searched alone, so that it has a score and not only a bound.
        let mut search = AspirationSearch::new(root.score, 1);
        if search.search(worker, std::slice::from_mut(root)).is_err() {
            break;
        }
    }
}

/// Searches the moves to the player's depth, sets their scores and sorts the list. Returns the
/// number of moves at the start of the list whose scores have the same depth. The player chooses
/// only from these.
fn score_and_sort_moves<G: Searchable>(
    worker: &mut SearchWorker<G>,
    roots: &mut Vec<RootMove<G::Move>>,
    weakness: LevelWeakness,
    deepest: u32,
    report: &mut dyn FnMut(SearchReport<G::Move>),
) -> usize {
    let SearchContext { limits, control, .. } = *worker.context;
    score_moves_at_first_depth(worker, roots, deepest);
    worker.add_to_shared_node_count();
    sort_by_key(roots, |root| Reverse(root.score));
    // If the search was stopped early, some moves were not evaluated and have no score to report.
    let scored = roots.iter().take_while(|root| root.score > -INFINITE_SCORE).count();
    worker.report_best_moves(1, &mut roots[..scored], scored.min(limits.multi_pv), report);
    let deepest = deepest.min(limits.depth.unwrap_or(u32::MAX)).min(MAX_SEARCH_PLIES as u32) as i32;
    let mut compared = roots.len();
    for depth in 2..=deepest {
        if control.is_past_soft_limit(100) {
            break;
        }
        let candidates = weakness.candidates.max(limits.multi_pv).min(roots.len());
        let before = roots.clone();
        let is_found = |rank: &usize| {
            let rest = &mut roots[*rank..];
            AspirationSearch::new(rest[0].score, depth).search(worker, rest).is_ok()
        };
        let finished = (0..candidates).take_while(is_found).count();
        if finished < candidates.min(2) {
            // The moves have scores of different depths, which cannot be compared. A single move
            // with a new score would leave no choice. So the scores of the previous depth are
            // restored.
            *roots = before;
            break;
        }
        compared = finished;
        sort_by_key(&mut roots[..compared], |root| Reverse(root.score));
        worker.report_best_moves(
            depth,
            &mut roots[..compared],
            compared.min(limits.multi_pv),
            report,
        );
        if finished < candidates {
            break;
        }
    }
    compared
}

/// Chooses the move that seems best to the player. `appeals` are the appeals of the moves. The
/// player always recognises a proven win. If the search was stopped before any move had a score,
/// chooses the first move.
fn choose_noticed_move<'a, M: Copy>(
    roots: &'a [RootMove<M>],
    appeals: &[MoveAppeal],
    weakness: LevelWeakness,
    rng: &mut fastrand::Rng,
) -> Option<&'a RootMove<M>> {
    let best = roots.iter().max_by_key(|root| root.score)?;
    if best.score > 0 && score::is_proven_score(best.score) {
        return Some(best);
    }
    let mut apparent_score =
        |root: &RootMove<M>, bonus| root.score + bonus + random_score_error(weakness, rng);
    let scored = roots.iter().zip(appeals).filter(|(root, _)| root.score > -INFINITE_SCORE);
    // The best move for each purpose.
    let mut best: Vec<(MoveAppeal, i32, &RootMove<M>)> = Vec::new();
    for (root, &appeal) in scored {
        let score = apparent_score(root, appeal.bonus);
        match best.iter_mut().find(|(other, ..)| other.purpose == appeal.purpose) {
            Some(known) if score >= known.1 => *known = (appeal, score, root),
            Some(_) => {}
            None => best.push((appeal, score, root)),
        }
    }
    match best[..] {
        [] => roots.first(),
        [(.., only)] => Some(only),
        // Each of these moves gets a new error. The best of many moves has the greatest of many
        // errors, which would favour a purpose with many moves.
        _ => best
            .into_iter()
            .map(|(appeal, _, root)| (apparent_score(root, appeal.bonus), root))
            .max_by_key(|&(score, _)| score)
            .map(|(_, root)| root),
    }
}

/// Returns a random error in centipawns. It is about normally distributed, and at most four times
/// its standard deviation.
fn random_score_error(weakness: LevelWeakness, rng: &mut fastrand::Rng) -> i32 {
    // The sum of four numbers between 0 and 1 has the mean 2 and the variance 1/3.
    let sum: f64 = (0..4).map(|_| rng.f64()).sum();
    ((sum - 2.0) * 3f64.sqrt() * f64::from(weakness.error)) as i32
}
