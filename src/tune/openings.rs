//! Openings for games of the engine with itself and for matches: random moves that a player might make, up to a
//! position in which both sides have their chances.
//!
//! Uniformly random moves are mostly blunders, in Quoridor nearly always useless walls, so that games after them are
//! decided, or about positions that no player meets. Here a move is drawn with a probability that falls with what the
//! static evaluation says it loses (a softmax), and an opening is drawn anew if a search finds it one-sided.
//!
//! Even where a search sees no advantage, one side may be sure to win between equal players. Both games of a pair are
//! then won by the same side, and a match learns nothing from them. So the openings of a [list](MakeList) for matches
//! are also played out a few times, and each side must score.

use std::collections::{BTreeMap, HashSet};
use std::iter;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use thiserror::Error;

use crate::io::output::Output;
use crate::io::progress::Progress;
use crate::io::workers::{WorkerError, on_threads};
use pentarch_core::{GameHistory, Options, Side};
use pentarch_games::{Game, Visitor};
use pentarch_search::opening_book::Orbit;
use pentarch_search::{Limits, SearchResult, Searcher};

use super::{NoSearchMemory, drawing_rules, found, nodes_alone, play_on, searcher};

/// By how many centipawns a move must be worse than another to be e = 2.718 times less likely: the temperature of the
/// softmax.
const TEMPERATURE: f64 = 50.0;

/// How many openings are drawn for one that is balanced; the last one is taken if none is.
const TRIES: u32 = 50;

/// How openings are drawn and checked.
#[derive(Debug, Clone, Copy)]
pub struct Balance {
    /// The greatest absolute score of a balanced opening, in centipawns.
    pub most: i32,
    /// The number of nodes of the search that gives this score.
    pub nodes: u64,
}

/// A game with so many random moves from the start that a search scores as balanced.
pub fn balanced<G: Game>(
    rules: &Arc<G>,
    searcher: &Searcher<G>,
    plies: u32,
    balance: Balance,
    rng: &mut fastrand::Rng,
) -> GameHistory<G> {
    let mut history = GameHistory::new(rules.clone(), rules.start());
    for _ in 0..TRIES {
        draw(&mut history, plies, rng);
        let is_balanced =
            || is_even(searcher.search(&history, &nodes_alone(balance.nodes)), balance.most);
        if plies == 0 || history.outcome().is_none() && is_balanced() {
            break;
        }
    }
    history
}

/// Replaces the moves of a game by so many random ones, fewer if they end the game.
fn draw<G: Game>(history: &mut GameHistory<G>, plies: u32, rng: &mut fastrand::Rng) {
    while history.pop().is_some() {}
    while history.len() < plies as usize && history.outcome().is_none() {
        let mv = likely_move(history, rng);
        history.push(mv);
    }
}

/// Whether a search has a score, and by it neither side is ahead by more than `most` centipawns.
fn is_even<M>(answer: Option<SearchResult<M>>, most: i32) -> bool {
    answer.and_then(|answer| answer.score).is_some_and(|score| score.abs() <= most)
}

/// A random legal move of a game that is not over: the better the static evaluation after it, the likelier.
///
/// # Panics
/// If the game is over.
pub fn likely_move<G: Game>(history: &GameHistory<G>, rng: &mut fastrand::Rng) -> G::Move {
    let rules = history.rules();
    let mut moves = Vec::new();
    history.legal_moves(&mut moves);
    let value = |&mv: &G::Move| {
        let after = rules.play(history.position(), mv);
        // A move that ends the game is as unlikely as the worst.
        if rules.outcome(&after).is_some() {
            -9999
        } else {
            -rules.evaluate(&after, &rules.eval_cache(&after))
        }
    };
    let values: Vec<i32> = moves.iter().map(value).collect();
    let best = values.iter().copied().max().unwrap_or(0);
    let weights = values.iter().map(|&value| (f64::from(value - best) / TEMPERATURE).exp());
    let mut drawn = rng.f64() * weights.clone().sum::<f64>();
    for (&mv, weight) in moves.iter().zip(weights) {
        drawn -= weight;
        if drawn < 0.0 {
            return mv;
        }
    }
    moves[0]
}

/// What list of openings to make. The number of nodes is that of the search which must find neither side ahead.
#[derive(Debug, Clone, Copy)]
pub struct ListSettings {
    /// How many openings
    pub count: u32,
    /// How many moves each has
    pub plies: u32,
    /// Positions searched to see whether a side is ahead
    pub nodes: u64,
    /// Choose the random moves by this number
    pub seed: u64,
    /// How many openings to check at once; the list is the same
    pub concurrency: u16,
}

/// The greatest absolute score of an opening in a list, in centipawns.
const MOST_SCORE: i32 = 30;
/// How many times fewer nodes the search has that comes first, so that most of what is one-sided costs little.
const FIRST_LOOK: u64 = 10;
/// How many games are played from an opening, and how many half points each side must score in them.
const GAMES: u32 = 8;
/// See [`GAMES`].
const LEAST_HALF_POINTS: u32 = 4;
/// The number of nodes for each move of these games.
const GAME_NODES: u64 = 2000;
/// The greatest length of such a game in plies, the opening left out. A game that reaches it is a draw.
const GAME_PLIES: usize = 200;
/// In so many plies after the opening single moves are random, so that the games differ.
const VARIED_PLIES: usize = 16;
/// One move in this many is random there.
const VARIED_INTERVAL: u32 = 8;
/// How many openings are drawn for one that has not come up before, and how many different ones in a row may fail the
/// check, before the list ends.
const DRAWS: u32 = 1000;
/// The size of the transposition table of each thread, in MiB.
const HASH_MIB: usize = 4;

/// An error of making a list of openings.
#[derive(Debug, Error)]
pub enum OpeningsError {
    /// The list is shorter than it should be.
    #[error("{found} of {count} openings were found: {shortage}")]
    TooFew {
        /// The number of openings in the list.
        found: u32,
        /// The number that it should have.
        count: u32,
        /// The reason.
        shortage: Shortage,
    },
    /// There is no memory for a search.
    #[error(transparent)]
    Memory(#[from] NoSearchMemory),
    /// A thread does not start, or panics.
    #[error(transparent)]
    Worker(#[from] WorkerError),
}

/// The reason why there are no more openings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum Shortage {
    /// Too many different openings in a row have failed the check.
    #[error("{DRAWS} different ones in a row are one-sided")]
    OneSided,
    /// Too many that were drawn in a row have come up before, or end the game.
    #[error("{DRAWS} times in a row none came up that is new and undecided")]
    NoneNew,
}

/// Makes a list of different openings for matches, and writes each as soon as it is found, in the form that
/// [`arena::opening`](crate::arena::opening) reads. On a terminal it shows its progress.
///
/// An opening is kept if a search with all that the engine knows finds neither side ahead, and if each side scores in
/// quick games, which are played without tables of solved positions. Of openings that lead to the same position, or to
/// positions that a symmetry maps on each other, only the first to come up is checked.
///
/// Openings are drawn one after the other, and the check of each has a random generator of its own, so that the list
/// depends on the rules and the settings alone. A shorter list is the beginning of a longer one.
#[derive(Clone, Copy)]
pub struct MakeList<'a> {
    /// The settings.
    pub settings: &'a ListSettings,
    /// The options that choose the rules. Repetitions draw, whatever the options say, as they do in matches.
    pub options: &'a Options,
    /// Where the openings are written.
    pub out: &'a Output,
}

impl Visitor for MakeList<'_> {
    /// The error says that the list is shorter than it should be and why, or what else failed.
    type Output = Result<(), OpeningsError>;

    fn visit<G: Game>(self) -> Result<(), OpeningsError> {
        let MakeList { settings, options, out } = self;
        let (_, rules) = drawing_rules::<G>(options);
        let tables = rules.shared_tables(None);
        let list = Mutex::new(List::new(&rules, settings, out));
        let lock =
            || -> MutexGuard<List<G>> { list.lock().unwrap_or_else(PoisonError::into_inner) };
        let check = |searcher: &mut Searcher<G>,
                     (number, opening, mut rng): (_, GameHistory<G>, _)| {
            searcher.clear();
            let is_kept = looks_even(searcher, &opening, settings.nodes)
                && both_sides_score(searcher, &opening, &mut rng);
            lock().add(number, is_kept.then_some(opening));
            Ok(())
        };
        let begin = || Ok::<_, OpeningsError>(searcher(&tables, HASH_MIB)?);
        on_threads(settings.concurrency.into(), begin, || lock().next(), check)?;
        lock().check_length()
    }
}

/// Whether a short and a long search find neither side ahead.
fn looks_even<G: Game>(searcher: &Searcher<G>, opening: &GameHistory<G>, nodes: u64) -> bool {
    let limits = |nodes| Limits { nodes: Some(nodes), ..Limits::default() };
    let mut nodes = [nodes.div_ceil(FIRST_LOOK), nodes].into_iter();
    nodes.all(|nodes| is_even(searcher.search(opening, &limits(nodes)), MOST_SCORE))
}

/// Whether each side scores in quick games. They end as soon as that is settled.
fn both_sides_score<G: Game>(
    searcher: &Searcher<G>,
    opening: &GameHistory<G>,
    rng: &mut fastrand::Rng,
) -> bool {
    let mut half_points = [0; 2];
    for left in (0..GAMES).rev() {
        match winner(searcher, opening.clone(), rng) {
            Some(side) => half_points[side.index()] += 2,
            None => half_points = half_points.map(|points| points + 1),
        }
        let least = half_points[0].min(half_points[1]);
        if least >= LEAST_HALF_POINTS || least + 2 * left < LEAST_HALF_POINTS {
            return least >= LEAST_HALF_POINTS;
        }
    }
    false
}

/// The winner of a quick game; none if it is drawn. It ends when its result is proven.
fn winner<G: Game>(
    searcher: &Searcher<G>,
    mut history: GameHistory<G>,
    rng: &mut fastrand::Rng,
) -> Option<Side> {
    let begin = history.len();
    play_on(&mut history, begin + GAME_PLIES, |history| {
        if history.len() < begin + VARIED_PLIES && rng.u32(..VARIED_INTERVAL) == 0 {
            return ControlFlow::Continue(likely_move(history, rng));
        }
        let answer = searcher.search(history, &nodes_alone(GAME_NODES));
        answer.map_or(ControlFlow::Break(None), |answer| found(history, &answer))
    })
}

/// An opening as a line of a list.
fn line<G: Game>(opening: &GameHistory<G>) -> String {
    let moves: Vec<String> = opening.moves().map(|mv| opening.rules().move_text(mv)).collect();
    format!("startpos moves {}\n", moves.join(" "))
}

/// The state of a list between the checks.
struct List<'a, G: Game> {
    settings: &'a ListSettings,
    out: &'a Output,
    progress: Progress,
    rng: fastrand::Rng,
    /// The opening that was drawn last.
    history: GameHistory<G>,
    /// The keys of the positions that came up.
    seen: HashSet<u64>,
    /// How many different openings came up.
    drawn: usize,
    /// The openings that were checked before one that came up earlier, by their numbers; none for those that failed.
    waiting: BTreeMap<usize, Option<GameHistory<G>>>,
    /// How many checked openings are in order: the number of the next one.
    checked: usize,
    /// How many are kept.
    kept: u32,
    /// How many have failed since the last one that was kept.
    failed: u32,
    /// Whether no new opening comes up any more.
    is_drawn_out: bool,
}

impl<'a, G: Game> List<'a, G> {
    fn new(rules: &Arc<G>, settings: &'a ListSettings, out: &'a Output) -> List<'a, G> {
        List {
            settings,
            out,
            progress: Progress::begin("openings".into()),
            rng: fastrand::Rng::with_seed(settings.seed),
            history: GameHistory::new(rules.clone(), rules.start()),
            seen: HashSet::new(),
            drawn: 0,
            waiting: BTreeMap::new(),
            checked: 0,
            kept: 0,
            failed: 0,
            is_drawn_out: false,
        }
    }

    /// The next opening to be checked, one that has not come up before, with its number and a random generator for its
    /// check; none if no more are needed or there are no more.
    fn next(&mut self) -> Option<(usize, GameHistory<G>, fastrand::Rng)> {
        if self.is_drawn_out || self.is_over() {
            return None;
        }
        let mut is_new = || {
            draw(&mut self.history, self.settings.plies, &mut self.rng);
            let key = key(self.history.rules().as_ref(), self.history.position());
            self.history.outcome().is_none() && self.seen.insert(key)
        };
        if !(0..DRAWS).any(|_| is_new()) {
            self.is_drawn_out = true;
            return None;
        }
        self.drawn += 1;
        Some((self.drawn - 1, self.history.clone(), self.rng.fork()))
    }

    /// Adds the opening with this number, none if it has failed the check, when all before it were checked.
    fn add(&mut self, number: usize, opening: Option<GameHistory<G>>) {
        self.waiting.insert(number, opening);
        while let Some(opening) = self.waiting.remove(&self.checked).filter(|_| !self.is_over()) {
            self.checked += 1;
            self.failed += 1;
            if let Some(opening) = opening {
                self.write(&opening);
            }
        }
        self.progress
            .show(&format!("{} of {}, {} looked at", self.kept, self.settings.count, self.checked));
    }

    /// Writes an opening that is kept.
    fn write(&mut self, opening: &GameHistory<G>) {
        self.progress.clear();
        self.out.lines(&line(opening));
        self.kept += 1;
        self.failed = 0;
    }

    /// Whether the openings that were checked so far end the list.
    fn is_over(&self) -> bool {
        self.kept == self.settings.count || self.failed == DRAWS || self.out.is_closed()
    }

    /// Checks that the list is not too short, if its reader is there.
    ///
    /// # Errors
    /// If it is.
    fn check_length(&self) -> Result<(), OpeningsError> {
        let (found, count) = (self.kept, self.settings.count);
        if found >= count || self.out.is_closed() {
            return Ok(());
        }
        let shortage = if self.failed == DRAWS { Shortage::OneSided } else { Shortage::NoneNew };
        Err(OpeningsError::TooFew { found, count, shortage })
    }
}

/// The key of a position, the same for all images of it by symmetries, also those that swap the sides.
fn key<G: Game>(rules: &G, position: &G::Position) -> u64 {
    let symmetries = rules.symmetries();
    let swapped = symmetries.iter().filter(|symmetry| symmetry.swaps_sides);
    let images =
        iter::once(*position).chain(swapped.map(|symmetry| (symmetry.position)(rules, position)));
    images.map(|image| Orbit::new(rules, &symmetries, &image).key).fold(u64::MAX, u64::min)
}
