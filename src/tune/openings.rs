//! Generates openings for matches and for games of the engine with itself. An opening is a series
//! of random moves that a player might make. Both sides have chances in its last position.
//!
//! Uniformly random moves are mostly blunders; in Quoridor they are nearly always useless walls.
//! Games after such moves are decided already, or reach positions that do not occur between real
//! players. Therefore moves are drawn by a softmax: the more a move loses by the static evaluation,
//! the less likely the move is. If a search finds the opening one-sided, another opening is drawn.
//!
//! Even if a search sees no advantage, one side may be sure to win between equal players. The same
//! side then wins both games of a pair, and these games show nothing about the strength of the
//! engines. Therefore the openings of a [list](OpeningListBuilder) for matches are also played out
//! a few times, and each side must score.

use std::collections::{BTreeMap, HashSet};
use std::iter;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use thiserror::Error;

use crate::io::output::Output;
use crate::io::progress::ProgressLine;
use crate::io::workers::{WorkerError, run_tasks_on_threads};
use pentarch_core::{GameHistory, Options, Side};
use pentarch_games::{Game, GameOperation};
use pentarch_search::opening_book::PositionOrbit;
use pentarch_search::{Limits, SearchResult, Searcher};

use super::{
    SearchMemoryError, best_move_or_proven_winner, create_searcher,
    options_and_rules_with_repetition_draw, play_until_proven,
};

/// The temperature of the softmax: a move that is worse by this many centipawns is e = 2.718 times
/// less likely.
const SOFTMAX_TEMPERATURE: f64 = 50.0;

/// The number of attempts at a balanced opening. If no attempt is balanced, the last opening is
/// used.
const MAX_BALANCED_OPENING_ATTEMPTS: u32 = 50;

/// The criterion of a balanced opening.
#[derive(Debug, Clone, Copy)]
pub struct OpeningBalanceCriterion {
    /// The maximum absolute score of a balanced opening, in centipawns.
    pub max_score: i32,
    /// The number of nodes of the search that scores an opening.
    pub nodes: u64,
}

/// Returns a game of `plies` random moves from the start. The last position is balanced according
/// to a search, if one of the attempts finds a balanced position.
pub fn random_balanced_opening<G: Game>(
    rules: &Arc<G>,
    searcher: &Searcher<G>,
    plies: u32,
    criterion: OpeningBalanceCriterion,
    rng: &mut fastrand::Rng,
) -> GameHistory<G> {
    let mut history = GameHistory::new(rules.clone(), rules.start_position());
    for _ in 0..MAX_BALANCED_OPENING_ATTEMPTS {
        replace_by_random_moves(&mut history, plies, rng);
        if plies == 0 {
            break;
        }
        if history.outcome().is_none()
            && is_score_balanced(
                searcher.search(&history, &Limits::nodes_without_tablebases(criterion.nodes)),
                criterion.max_score,
            )
        {
            break;
        }
    }
    history
}

/// Replaces the moves of a game by `plies` random moves, or by fewer if the game ends earlier.
fn replace_by_random_moves<G: Game>(
    history: &mut GameHistory<G>,
    plies: u32,
    rng: &mut fastrand::Rng,
) {
    while history.pop().is_some() {}
    while history.len() < plies as usize && history.outcome().is_none() {
        let mv = random_likely_move(history, rng);
        history.push(mv);
    }
}

/// Returns whether a search has a score, and neither side is ahead by more than `max_score`
/// centipawns.
fn is_score_balanced<M>(answer: Option<SearchResult<M>>, max_score: i32) -> bool {
    answer.and_then(|answer| answer.score).is_some_and(|score| score.abs() <= max_score)
}

/// Returns a random legal move of a game that is not over. The better the static evaluation after a
/// move, the likelier the move.
///
/// # Panics
/// If the game is over.
pub fn random_likely_move<G: Game>(history: &GameHistory<G>, rng: &mut fastrand::Rng) -> G::Move {
    let rules = history.rules();
    let mut moves = Vec::new();
    history.legal_moves(&mut moves);
    let score_after = |&mv: &G::Move| {
        let after = rules.play(history.position(), mv);
        // A move that ends the game is as unlikely as the worst move.
        if rules.outcome(&after).is_some() {
            -9999
        } else {
            -rules.evaluate(&after, &rules.compute_eval_data(&after))
        }
    };
    let values: Vec<i32> = moves.iter().map(score_after).collect();
    let best = values.iter().copied().max().unwrap_or(0);
    let weights = values.iter().map(|&value| (f64::from(value - best) / SOFTMAX_TEMPERATURE).exp());
    let mut drawn = rng.f64() * weights.clone().sum::<f64>();
    for (&mv, weight) in moves.iter().zip(weights) {
        drawn -= weight;
        if drawn < 0.0 {
            return mv;
        }
    }
    moves[0]
}

/// The settings of a list of openings.
#[derive(Debug, Clone, Copy)]
pub struct OpeningListSettings {
    /// The number of openings to find.
    pub count: u32,
    /// The number of moves of each opening.
    pub plies: u32,
    /// The node limit of the search that checks whether neither side is ahead.
    pub nodes: u64,
    /// The seed of the random moves.
    pub seed: u64,
    /// The number of openings that are checked at once. This number does not change the list.
    pub concurrency: u16,
}

const MAX_LISTED_OPENING_SCORE_CENTIPAWNS: i32 = 30;
/// The first, short search has the node limit divided by this number. This search rejects most
/// one-sided openings at little cost.
const SHORT_SEARCH_NODES_DIVISOR: u64 = 10;
const MAX_QUICK_GAMES: u32 = 8;
/// The half points that each side must score in the quick games.
const MIN_QUICK_GAME_HALF_POINTS: u32 = 4;
const QUICK_GAME_NODES: u64 = 2000;
/// The maximum length of a quick game in plies, without the opening. A game of this length is a
/// draw.
const MAX_QUICK_GAME_PLIES: usize = 200;
/// The number of plies after the opening in which some moves are random, so that the quick games
/// differ.
const RANDOM_PHASE_PLIES: usize = 16;
/// The mean interval in plies between the random moves after the opening.
const MEAN_RANDOM_MOVE_INTERVAL_PLIES: u32 = 8;
/// The maximum number of failures in a row, after which the list ends. Two kinds of failures have
/// separate counts: repeated random openings, and new openings that fail the check.
const MAX_CONSECUTIVE_OPENING_FAILURES: u32 = 1000;
/// The size of the transposition table of each thread, in MiB.
const HASH_TABLE_MIB: usize = 4;

/// An error while a list of openings is built.
#[derive(Debug, Error)]
pub enum OpeningListBuilderError {
    /// The list is shorter than it should be.
    #[error("{found} of {count} openings were found: {reason}")]
    TooFew {
        /// The number of openings in the list.
        found: u32,
        /// The number of openings that the list should have.
        count: u32,
        /// The reason why the list is too short.
        reason: IncompleteOpeningsReason,
    },
    /// There is no memory for a search.
    #[error(transparent)]
    Memory(#[from] SearchMemoryError),
    /// A thread does not start, or panics.
    #[error(transparent)]
    Worker(#[from] WorkerError),
}

/// The reason why there are no more openings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum IncompleteOpeningsReason {
    /// Too many different openings in a row have failed the check.
    #[error("{MAX_CONSECUTIVE_OPENING_FAILURES} different ones in a row were one-sided")]
    OneSided,
    /// Too many random openings in a row have repeated earlier openings or ended the game.
    #[error(
        "none of {MAX_CONSECUTIVE_OPENING_FAILURES} random openings in a row was new and undecided"
    )]
    NoneNew,
}

/// A builder of a list of different openings for matches. The builder writes each opening as soon
/// as it is found, and shows its progress on a terminal. [`arena::opening`](crate::arena::opening)
/// parses the format of the list.
///
/// An opening passes the check if two conditions hold. First, a search with all the engine's
/// knowledge must find the position balanced. Second, each side must score in quick games without
/// tables of solved positions. Of openings that lead to the same position or to symmetric
/// positions, only the first is checked.
///
/// Openings are drawn one after the other, and each check has its own random generator. Therefore
/// the list depends only on the rules and the settings. A shorter list is the beginning of a longer
/// one.
#[derive(Clone, Copy)]
pub struct OpeningListBuilder<'a> {
    /// The settings of the list.
    pub settings: &'a OpeningListSettings,
    /// The options that choose the rules. Repetitions are draws, regardless of the options, as in
    /// matches.
    pub options: &'a Options,
    /// The output for the openings.
    pub out: &'a Output,
}

impl GameOperation for OpeningListBuilder<'_> {
    /// Success, or the reason why the list is too short or cannot be built.
    type Output = Result<(), OpeningListBuilderError>;

    fn run_for_game_type<G: Game>(self) -> Result<(), OpeningListBuilderError> {
        let OpeningListBuilder { settings, options, out } = self;
        let (_, rules) = options_and_rules_with_repetition_draw::<G>(options);
        let tables = rules.create_or_share_tables(None);
        let list = Mutex::new(OpeningList::new(&rules, settings, out));
        let lock = || -> MutexGuard<OpeningList<G>> {
            list.lock().unwrap_or_else(PoisonError::into_inner)
        };
        let check =
            |searcher: &mut Searcher<G>,
             OpeningCandidate { number, opening, mut rng }: OpeningCandidate<G>| {
                searcher.clear();
                let passes = is_balanced_by_searches(searcher, &opening, settings.nodes)
                    && is_balanced_in_quick_games(searcher, &opening, &mut rng);
                lock().add_check_result(number, passes.then_some(opening));
                Ok(())
            };
        run_tasks_on_threads(
            settings.concurrency.into(),
            || Ok::<_, OpeningListBuilderError>(create_searcher(&tables, HASH_TABLE_MIB)?),
            || lock().next(),
            check,
        )?;
        lock().check_list_is_complete()
    }
}

/// Returns whether a short and a long search find neither side ahead.
fn is_balanced_by_searches<G: Game>(
    searcher: &Searcher<G>,
    opening: &GameHistory<G>,
    nodes: u64,
) -> bool {
    [nodes.div_ceil(SHORT_SEARCH_NODES_DIVISOR), nodes].into_iter().all(|nodes| {
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        is_score_balanced(searcher.search(opening, &limits), MAX_LISTED_OPENING_SCORE_CENTIPAWNS)
    })
}

/// Returns whether each side scores in quick games. Stops as soon as the answer is certain.
fn is_balanced_in_quick_games<G: Game>(
    searcher: &Searcher<G>,
    opening: &GameHistory<G>,
    rng: &mut fastrand::Rng,
) -> bool {
    let mut half_points = [0; 2];
    for left in (0..MAX_QUICK_GAMES).rev() {
        match play_quick_game(searcher, opening.clone(), rng) {
            Some(side) => half_points[side.index()] += 2,
            None => half_points = half_points.map(|points| points + 1),
        }
        let least = half_points[0].min(half_points[1]);
        if least >= MIN_QUICK_GAME_HALF_POINTS || least + 2 * left < MIN_QUICK_GAME_HALF_POINTS {
            return least >= MIN_QUICK_GAME_HALF_POINTS;
        }
    }
    false
}

/// Plays a quick game until its result is proven. Returns the winner; `None` for a draw.
fn play_quick_game<G: Game>(
    searcher: &Searcher<G>,
    mut history: GameHistory<G>,
    rng: &mut fastrand::Rng,
) -> Option<Side> {
    let begin = history.len();
    play_until_proven(&mut history, begin + MAX_QUICK_GAME_PLIES, |history| {
        if history.len() < begin + RANDOM_PHASE_PLIES
            && rng.u32(..MEAN_RANDOM_MOVE_INTERVAL_PLIES) == 0
        {
            return ControlFlow::Continue(random_likely_move(history, rng));
        }
        let answer = searcher.search(history, &Limits::nodes_without_tablebases(QUICK_GAME_NODES));
        answer
            .map_or(ControlFlow::Break(None), |answer| best_move_or_proven_winner(history, &answer))
    })
}

fn format_opening_line<G: Game>(opening: &GameHistory<G>) -> String {
    let moves: Vec<String> = opening.moves().map(|mv| opening.rules().move_text(mv)).collect();
    format!("startpos moves {}\n", moves.join(" "))
}

/// An opening to be checked.
struct OpeningCandidate<G: Game> {
    /// The number of the opening in the order of drawing.
    number: usize,
    opening: GameHistory<G>,
    /// The random generator for the check of the opening.
    rng: fastrand::Rng,
}

/// A list of openings while it is built.
struct OpeningList<'a, G: Game> {
    settings: &'a OpeningListSettings,
    out: &'a Output,
    progress: ProgressLine,
    rng: fastrand::Rng,
    /// The opening that was drawn last.
    history: GameHistory<G>,
    /// The keys of the positions to which the openings so far have led.
    seen: HashSet<u64>,
    /// The number of different openings drawn.
    drawn: usize,
    /// The results of checks that ended before an earlier opening's check, by the number of the
    /// opening. `None` stands for an opening that failed.
    checked_early: BTreeMap<usize, Option<GameHistory<G>>>,
    /// The number of the first opening whose check has not ended, from 0.
    checked: usize,
    /// The number of openings in the list.
    accepted: u32,
    /// The number of openings that have failed since the last accepted opening.
    failed: u32,
    /// Whether no more new openings can be found.
    is_exhausted: bool,
}

impl<'a, G: Game> OpeningList<'a, G> {
    fn new(
        rules: &Arc<G>,
        settings: &'a OpeningListSettings,
        out: &'a Output,
    ) -> OpeningList<'a, G> {
        OpeningList {
            settings,
            out,
            progress: ProgressLine::begin("openings".into()),
            rng: fastrand::Rng::with_seed(settings.seed),
            history: GameHistory::new(rules.clone(), rules.start_position()),
            seen: HashSet::new(),
            drawn: 0,
            checked_early: BTreeMap::new(),
            checked: 0,
            accepted: 0,
            failed: 0,
            is_exhausted: false,
        }
    }

    /// Draws the next new opening to check; `None` if no more openings are needed or found.
    fn next(&mut self) -> Option<OpeningCandidate<G>> {
        if self.is_exhausted || self.is_list_finished() {
            return None;
        }
        for _ in 0..MAX_CONSECUTIVE_OPENING_FAILURES {
            replace_by_random_moves(&mut self.history, self.settings.plies, &mut self.rng);
            let key =
                symmetry_invariant_key(self.history.rules().as_ref(), self.history.position());
            if self.history.outcome().is_none() && self.seen.insert(key) {
                self.drawn += 1;
                let opening = self.history.clone();
                return Some(OpeningCandidate {
                    number: self.drawn - 1,
                    opening,
                    rng: self.rng.fork(),
                });
            }
        }
        self.is_exhausted = true;
        None
    }

    /// Adds the result of checking the opening with this number: the opening, or `None` if it has
    /// failed. The result takes effect once all earlier openings are checked.
    fn add_check_result(&mut self, number: usize, opening: Option<GameHistory<G>>) {
        self.checked_early.insert(number, opening);
        while let Some(opening) =
            self.checked_early.remove(&self.checked).filter(|_| !self.is_list_finished())
        {
            self.checked += 1;
            self.failed += 1;
            if let Some(opening) = opening {
                self.write_opening(&opening);
            }
        }
        let count = self.settings.count;
        self.progress.show(&format!("{} of {count}, {} checked", self.accepted, self.checked));
    }

    /// Writes an accepted opening.
    fn write_opening(&mut self, opening: &GameHistory<G>) {
        self.progress.clear();
        self.out.write_lines(&format_opening_line(opening));
        self.accepted += 1;
        self.failed = 0;
    }

    /// Returns whether the openings checked so far end the list.
    fn is_list_finished(&self) -> bool {
        self.accepted == self.settings.count
            || self.failed == MAX_CONSECUTIVE_OPENING_FAILURES
            || self.out.is_closed()
    }

    /// Checks the length of the list, unless its output is closed.
    ///
    /// # Errors
    /// If the list is too short.
    fn check_list_is_complete(&self) -> Result<(), OpeningListBuilderError> {
        let found = self.accepted;
        let count = self.settings.count;
        if found >= count || self.out.is_closed() {
            return Ok(());
        }
        let reason = match self.failed {
            MAX_CONSECUTIVE_OPENING_FAILURES => IncompleteOpeningsReason::OneSided,
            _ => IncompleteOpeningsReason::NoneNew,
        };
        Err(OpeningListBuilderError::TooFew { found, count, reason })
    }
}

/// Returns the key of a position. All its images under symmetries of the board have the same key,
/// even if the symmetry swaps the sides.
fn symmetry_invariant_key<G: Game>(rules: &G, position: &G::Position) -> u64 {
    let symmetries = rules.symmetries();
    let swapped = symmetries.iter().filter(|symmetry| symmetry.swaps_sides);
    let images =
        iter::once(*position).chain(swapped.map(|symmetry| (symmetry.position)(rules, position)));
    images.map(|image| PositionOrbit::new(rules, &symmetries, &image).key).fold(u64::MAX, u64::min)
}
