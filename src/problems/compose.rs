//! Composing: positions near the end of games of the engine with itself are tried, and what is a problem is graded.
//!
//! In most positions of a won game many moves win. So the positions are tried, too, to which a random move of the
//! winner leads: where that is a mistake, the loser has a chance, and all but one of its moves lose in the end.
//!
//! Each game of the engine with itself has a number and a random generator of its own, so that a list depends on the
//! rules and the settings alone, whatever the machine: all limits are numbers of nodes. At most one problem is taken
//! from each game, the longest, because those before it are parts of it.

use std::ops::RangeInclusive;

use crate::core::{Failure, GameHistory, Options, Outcome, Turn};
use crate::games::{Game, Visitor};
use crate::io::output::Output;
use crate::io::progress::Progress;
use crate::tune::openings::likely_move;

use super::Theme;
use super::judge::{Judge, nodes};
use super::line::Solved;
use super::twins::Twins;

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
/// Of how many problems at most one is of length 1, if others are asked for.
const SHORT_INTERVAL: u32 = 8;

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
        let judge = Judge::<G>::new(options, settings.nodes, true)
            .ok_or_else(|| Failure::Failed("there is not enough memory for a search".into()))?;
        let mut composer = Composer { settings, judge, twins: Twins::default(), short: 0 };
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
    judge: Judge<G>,
    twins: Twins,
    /// How many problems of length 1 the list has.
    short: u32,
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
            let Some((length, key)) = self.judge.prover.win(&place, *lengths.end()) else { continue };
            if is_long(length) && length > known && (length > 1 || may_be_short) {
                found = self.judge.prover.solution(&place, length, key).ok().map(|solved| (place, solved)).or(found);
            }
        }
        let (place, solved) = found?;
        let problem = self.judge.described(&place, &solved);
        if self.settings.theme.is_some_and(|theme| !problem.themes.contains(&theme))
            || !self.twins.add(self.judge.rules.as_ref(), place.position(), solved.line[0])
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
                let after = moves.into_iter().take(MISTAKES).map(|mv| self.judge.rules.play(history.position(), mv));
                places.extend(after.filter(|after| self.judge.rules.outcome(after).is_none()));
            }
        }
        let alone = |place: G::Position| GameHistory::new(self.judge.rules.clone(), place.with_full_move(1));
        places.into_iter().map(alone).collect()
    }

    /// A game of the engine with itself.
    fn game(&self, rng: &mut fastrand::Rng) -> GameHistory<G> {
        self.judge.searcher.clear();
        let mut history = GameHistory::new(self.judge.rules.clone(), self.judge.rules.start());
        while history.len() < GAME_PLIES && history.outcome().is_none() {
            let is_drawn = history.len() < OPENING_PLIES || rng.u32(..VARIED_INTERVAL) == 0;
            let answer = if is_drawn { None } else { self.judge.searcher.search(&history, &nodes(GAME_NODES)) };
            let mv = answer.map_or_else(|| likely_move(&history, rng), |answer| answer.best);
            history.push(mv);
        }
        history
    }
}
