//! Composing: positions near the end of games of the engine with itself are tried, and what is a problem is graded.
//!
//! In most positions of a won game many moves win. So the positions are tried, too, to which a random move of the
//! winner leads: where that is a mistake, the loser has a chance, and all but one of its moves lose in the end.
//!
//! Each game of the engine with itself has a number and a random generator of its own, so that a list depends on the
//! rules and the settings alone, whatever the machine: all limits are numbers of nodes. At most one problem is taken
//! from each game, the longest, because those before it are parts of it.

use std::ops::RangeInclusive;
use std::sync::Arc;

use crate::core::{Failure, GameHistory, Options, Outcome, Turn};
use crate::engine::engine_state::changed_rules;
use crate::games::{Game, Visitor};
use crate::io::output::Output;
use crate::io::progress::Progress;
use crate::search::prover::Proof;
use crate::search::{Limits, Searcher};
use crate::tune::openings::likely_move;

use super::line::{Prover, Solved};
use super::twins::Twins;
use super::{MOST_GRADE, Problem, Theme};

/// What list of problems to make.
#[derive(Debug, Clone)]
pub struct Settings {
    /// How many problems.
    pub count: u32,
    /// Chooses the games.
    pub seed: u64,
    /// The lengths.
    pub lengths: RangeInclusive<u32>,
    /// The theme that each problem has; none for any.
    pub theme: Option<Theme>,
    /// The most nodes of a proof.
    pub nodes: u64,
    /// After how many games in a row without a new problem the list ends.
    pub games: u32,
}

/// How many of the first moves of a game are drawn by the static evaluation.
const OPENING_PLIES: usize = 4;
/// One later move in this many is.
const VARIED_INTERVAL: u32 = 5;
/// The nodes of the search for each other move.
const GAME_NODES: u64 = 60;
/// The greatest length of a game in plies.
const GAME_PLIES: usize = 240;
/// How many of the last positions of a game are tried.
const LAST_PLIES: usize = 8;
/// How many random moves of the winner are tried in each of them.
const MISTAKES: usize = 8;
/// The players who try each problem, by their `Skill Level`: a novice, an average one and an expert.
const PLAYERS: [u32; 3] = [2, 8, 14];
/// How often each tries.
const TRIES: u64 = 4;
/// The most nodes of a try.
const LEVEL_NODES: u64 = 10_000;
/// How many misses of these players, or what else makes a problem as hard, make a grade.
const MISSES: usize = 3;
/// Of how many problems at most one is of length 1, if others are asked for.
const SHORT_INTERVAL: u32 = 8;
/// The size of the transposition table in MiB.
const HASH_MIB: usize = 1;

/// Makes a list of problems, and writes each as soon as it is found.
pub struct MakeProblems<'a> {
    /// The settings.
    pub settings: &'a Settings,
    /// The options that choose the rules.
    pub options: &'a Options,
    /// Where the problems are written.
    pub out: &'a Output,
}

impl Visitor for MakeProblems<'_> {
    /// The error says that the list is shorter than it should be, or that there is no memory.
    type Output = Result<(), Failure>;

    fn visit<G: Game>(self) -> Result<(), Failure> {
        let MakeProblems { settings, options, out } = self;
        let rules = Arc::new(G::from_options(options));
        let tables = rules.new_tables(None);
        let searcher = Searcher::with(tables, HASH_MIB);
        let (searcher, prover) = searcher
            .zip(Prover::new(rules.as_ref(), settings.nodes))
            .ok_or_else(|| Failure::Failed("there is not enough memory for a search".into()))?;
        let options =
            changed_rules(options).into_iter().map(|(spec, value)| format!("{}={value}", spec.name)).collect();
        let mut composer = Composer { settings, rules, searcher, prover, options, twins: Twins::default(), short: 0 };
        let (mut kept, mut failed, mut progress) = (0, 0, Progress::begin("problems".into()));
        let mut seeds = fastrand::Rng::with_seed(settings.seed);
        for number in 1.. {
            if kept == settings.count || out.is_closed() {
                return Ok(());
            }
            if failed == settings.games {
                break;
            }
            match composer.problem(&mut seeds.fork(), kept) {
                Some(text) => {
                    progress.clear();
                    out.lines(&format!("{text}\n"));
                    (kept, failed) = (kept + 1, 0);
                }
                None => failed += 1,
            }
            progress.show(&format!("{kept} of {}, {number} games", settings.count));
        }
        let Settings { count, games, .. } = settings;
        Err(Failure::Failed(format!("{kept} of {count} problems were found: {games} games in a row had no new one")))
    }
}

/// What is needed to compose.
struct Composer<'a, G: Game> {
    settings: &'a Settings,
    rules: Arc<G>,
    searcher: Searcher<G>,
    prover: Prover<G>,
    /// The options of the rules that are not at their defaults.
    options: Vec<String>,
    twins: Twins,
    /// How many problems of length 1 the list has.
    short: u32,
}

/// The limits of a search with so many nodes.
pub(super) fn nodes<M>(nodes: u64) -> Limits<M> {
    Limits { nodes: Some(nodes), use_tablebases: false, ..Limits::default() }
}

impl<G: Game> Composer<'_, G> {
    /// The text of a problem from the next game, if it has one. The list has so many already.
    fn problem(&mut self, rng: &mut fastrand::Rng, kept: u32) -> Option<String> {
        let lengths = &self.settings.lengths;
        let is_long = |length| lengths.contains(&length);
        let may_be_short = *lengths.end() == 1 || self.short * SHORT_INTERVAL <= kept;
        let mut found: Option<(GameHistory<G>, Solved<G::Move>)> = None;
        for place in self.candidates(rng) {
            let known = found.as_ref().map_or(0, |(_, solved)| solved.line.len().div_ceil(2) as u32);
            if known == *lengths.end() {
                break;
            }
            let Some((length, key)) = self.prover.win(&place, *lengths.end()) else { continue };
            if is_long(length) && length > known && (length > 1 || may_be_short) {
                found = self.prover.solution(&place, length, key).map(|solved| (place, solved)).or(found);
            }
        }
        let (place, solved) = found?;
        let problem = self.described(&place, &solved);
        if self.settings.theme.is_some_and(|theme| !problem.themes.contains(&theme))
            || !self.twins.add(self.rules.as_ref(), place.position(), solved.line[0])
        {
            return None;
        }
        self.short += u32::from(solved.line.len() == 1);
        Some(problem.text((1, place.side_to_move())))
    }

    /// The positions of a game that are tried, each as the start of a game.
    fn candidates(&self, rng: &mut fastrand::Rng) -> Vec<GameHistory<G>> {
        let mut history = self.game(rng);
        let winner = history.outcome().and_then(Outcome::winner);
        let mut places = Vec::new();
        for _ in 0..LAST_PLIES {
            if history.pop().is_none() {
                break;
            }
            places.push(*history.position());
            if winner == Some(history.side_to_move()) {
                let mut moves = history.legal_move_list();
                rng.shuffle(&mut moves);
                let after = moves.into_iter().take(MISTAKES).map(|mv| self.rules.play(history.position(), mv));
                places.extend(after.filter(|after| self.rules.outcome(after).is_none()));
            }
        }
        places.into_iter().map(|place| GameHistory::new(self.rules.clone(), place.with_full_move(1))).collect()
    }

    /// A game of the engine with itself.
    fn game(&self, rng: &mut fastrand::Rng) -> GameHistory<G> {
        self.searcher.clear();
        let mut history = GameHistory::new(self.rules.clone(), self.rules.start());
        while history.len() < GAME_PLIES && history.outcome().is_none() {
            let is_drawn = history.len() < OPENING_PLIES || rng.u32(..VARIED_INTERVAL) == 0;
            let answer = if is_drawn { None } else { self.searcher.search(&history, &nodes(GAME_NODES)) };
            let mv = answer.map_or_else(|| likely_move(&history, rng), |answer| answer.best);
            history.push(mv);
        }
        history
    }

    /// The problem with its grade, its themes and a wrong move that tempts.
    fn described(&self, place: &GameHistory<G>, solved: &Solved<G::Move>) -> Problem {
        let (rules, key) = (self.rules.as_ref(), solved.line[0]);
        let tries = PLAYERS.into_iter().flat_map(|skill| (0..TRIES).map(move |seed| (skill, seed)));
        let missed: Vec<G::Move> = tries.filter_map(|(skill, seed)| self.missed(place, key, skill, seed)).collect();
        // The wrong move that most of them choose, the first of several.
        let chosen = |wrong: &G::Move| missed.iter().filter(|other| *other == wrong).count();
        let tempting = missed.iter().rev().max_by_key(|wrong| chosen(wrong));
        let themes = self.themes(place, solved, 2 * missed.len() > PLAYERS.len() * TRIES as usize);
        let length = solved.line.len().div_ceil(2);
        let has = |theme| usize::from(themes.contains(&theme));
        let points = 2 * (length - 1) + missed.len() + has(Theme::Sacrifice) + has(Theme::Quiet);
        Problem {
            rules: (G::ID.into(), self.options.clone()),
            position: rules.position_text(place.position()),
            solution: solved.line.iter().map(|&mv| rules.move_text(mv)).collect(),
            temptation: tempting.and_then(|&wrong| {
                let reply = refutation(rules, place.position(), wrong, &solved.refutations)?;
                Some([wrong, reply].map(|mv| rules.move_text(mv)))
            }),
            grade: (1 + (points / MISSES) as u32).min(MOST_GRADE),
            themes,
        }
    }

    /// The move that a player of some skill chooses instead of the key; none if it finds the key.
    fn missed(&self, place: &GameHistory<G>, key: G::Move, skill: u32, seed: u64) -> Option<G::Move> {
        self.searcher.clear();
        let limits = Limits { skill, seed: Some(seed), ..nodes(LEVEL_NODES) };
        self.searcher.search(place, &limits).map(|answer| answer.best).filter(|&best| best != key)
    }

    fn themes(&self, place: &GameHistory<G>, solved: &Solved<G::Move>, is_surprise: bool) -> Vec<Theme> {
        let (rules, key) = (self.rules.as_ref(), solved.line[0]);
        let details = rules.details(place.position(), key);
        let after = rules.play(place.position(), key);
        let lost = solved.line.get(1).map_or(0, |&reply| rules.details(&after, reply).captured.len());
        let threatens = || match rules.null_move(&after) {
            Some(again) => {
                let again = GameHistory::new(self.rules.clone(), again);
                self.prover.win(&again, 1).is_some()
            }
            None => true,
        };
        let has = |theme: &Theme| match theme {
            Theme::Capture => !details.captured.is_empty(),
            Theme::Placement => !details.placed.is_empty(),
            Theme::Quiet => solved.line.len() > 1 && details.captured.is_empty() && !threatens(),
            Theme::Sacrifice => lost > details.captured.len(),
            Theme::Surprise => is_surprise,
        };
        Theme::ALL.into_iter().filter(has).collect()
    }
}

/// The reply by which a proof refutes a wrong move.
fn refutation<G: Game>(rules: &G, position: &G::Position, wrong: G::Move, proof: &Proof<G::Move>) -> Option<G::Move> {
    let after = rules.play(position, wrong);
    let reply = proof.replies.get(&rules.search_key(&after)).copied()?;
    let mut moves = Vec::new();
    rules.legal_moves(&after, &mut moves);
    moves.contains(&reply).then_some(reply)
}
