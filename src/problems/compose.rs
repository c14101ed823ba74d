//! Composing: positions near the end of games of the engine with itself are tried, and what is a problem is graded.
//!
//! In most positions of a won game many moves win. So the positions are tried, too, to which a random move of the
//! winner leads: where that is a mistake, the loser has a chance, and all but one of its moves lose in the end.
//!
//! Each game of the engine with itself has a number and a random generator of its own, so that a list depends on the
//! rules and the settings alone, whatever the machine: all limits are numbers of nodes. Where the value of a position
//! is known exactly, so are those of the positions around it, and thousands of them are tried instead. At most one
//! problem is taken from each game, the longest, because those before it are parts of it. Of games of records, which
//! can be tried instead, the first problem is taken.

use std::collections::HashSet;
use std::ops::RangeInclusive;
use std::sync::Arc;

use crate::io::output::Output;
use crate::io::progress::Progress;
use crate::tune::openings::likely_move;
use pentarch_core::notation::record::Record;
use pentarch_core::notation::text::quoted;
use pentarch_core::{GameHistory, Options, Outcome, Turn};
use pentarch_engine::error::EngineError;
use pentarch_engine::game_session::build_history;
use pentarch_engine::input_word::Word;
use pentarch_games::{Game, GameVisitor};
use pentarch_search::Searcher;
use pentarch_search::levels::Level;
use thiserror::Error;

use super::judge::Judge;
use super::line::{Solved, knows_draws, nodes, wins_at_once};
use super::twins::Twins;
use pentarch_engine::problem::ProblemTheme;

/// What list of problems to make.
#[derive(Debug, Clone)]
pub struct Settings {
    /// How many problems; none for all that the records give.
    pub count: Option<u32>,
    /// Chooses the games.
    pub seed: u64,
    /// The lengths.
    pub lengths: RangeInclusive<u32>,
    /// The least number of legal moves in the position.
    pub moves: usize,
    /// The theme that each problem has; none for any.
    pub theme: Option<ProblemTheme>,
    /// The most nodes of a proof.
    pub nodes: u64,
    /// After how many games in a row without a new problem the list ends.
    pub games: u32,
    /// The games whose positions are tried; none for games of the engine with itself.
    pub from: Option<Vec<Record>>,
    /// Problems of which the list is to have no twins.
    pub beside: Vec<Record>,
}

/// How many of the first moves of a game are drawn by the static evaluation.
const OPENING_PLIES: usize = 4;
/// One later move in this many is.
const VARIED_INTERVAL: u32 = 5;
/// The nodes of the search for each other move.
const GAME_NODES: u64 = 60;
/// The greatest length of a game in plies.
const GAME_PLIES: usize = 240;
/// How many of the last positions of a game are tried at least.
const LAST_PLIES: usize = 8;
/// How many more are than the longest problem has plies.
const MORE_PLIES: usize = 3;
/// How many are if a draw is to be held.
const LAST_DRAWN_PLIES: usize = 30;
/// How many random moves of the winner are tried in each of them.
const MISTAKES: usize = 8;
/// How many random walks look for sharp positions.
const SHARP_WALKS: usize = 600;
/// How many moves each of them has at most.
const SHARP_WALK: usize = 4;
/// How many positions around those with known values are tried.
const AROUND: usize = 4000;
/// How many moves lead to each of them at most.
const WALK: usize = 10;
/// How many problems among them are compared.
const COMPARED: usize = 16;
/// Where several are, one that this player misses is taken, of this level.
const PLAYER: Level = Level::Average;
/// Of how many problems at most one is of length 1, if others are asked for.
const SHORT_INTERVAL: u32 = 8;

/// An error of a list of problems.
#[derive(Debug, Error)]
pub enum ComposeError {
    /// There is not enough memory to search positions.
    #[error("there is not enough memory for a search")]
    NoMemory,
    /// The game has no problems in which a draw is to be held.
    #[error("in {game} by these rules no repeated position is a draw that could be held")]
    NoDraws {
        /// The word for the game.
        game: &'static str,
    },
    /// The game has no quiet moves.
    #[error("in {game} it is not known what a move threatens")]
    NoThreats {
        /// The word for the game.
        game: &'static str,
    },
    /// A game of the records cannot be used.
    #[error("the game from {}: {fault}", quoted(.start))]
    Record {
        /// The start position of the game, or `startpos`.
        start: String,
        /// The fault.
        fault: ProblemRecordFault,
    },
    /// Too many games in a row had no new problem.
    #[error("{found} of {wanted} problems were found: {games} games in a row had no new one")]
    NothingNew {
        /// The number of problems found.
        found: u32,
        /// The number that was requested.
        wanted: u32,
        /// The number of these games.
        games: u32,
    },
    /// The records have no more games.
    #[error("{found} of {wanted} problems were found: the file has no more games")]
    NoMoreGames {
        /// The number of problems found.
        found: u32,
        /// The number that was requested.
        wanted: u32,
    },
}

impl ComposeError {
    /// Whether the arguments of the command are at fault.
    pub fn is_usage(&self) -> bool {
        matches!(self, ComposeError::NoDraws { .. } | ComposeError::NoThreats { .. })
    }
}

/// A fault of the record of a game or of a problem.
#[derive(Debug, Error)]
pub enum ProblemRecordFault {
    /// A problem has no solution.
    #[error("a problem has a move")]
    NoMove,
    /// The record is one of another game.
    #[error("it is one of {}, and the problems are of {wanted}", quoted(.found))]
    OtherGame {
        /// The game of the record.
        found: String,
        /// The word for the game of the list.
        wanted: &'static str,
    },
    /// The position or a move is illegal.
    #[error(transparent)]
    Illegal(#[from] EngineError),
}

impl ProblemRecordFault {
    /// Returns the error of this record.
    fn of(self, record: &Record) -> ComposeError {
        let start = record.values("Fen").next().unwrap_or("startpos").into();
        ComposeError::Record { start, fault: self }
    }
}

/// Makes a list of problems, and writes each as soon as it is found.
pub struct MakeProblems<'a> {
    /// The settings.
    pub settings: &'a Settings,
    /// The options that choose the rules.
    pub options: &'a Options,
    /// Where the problems are written.
    pub out: &'a Output,
}

impl GameVisitor for MakeProblems<'_> {
    type Output = Result<(), ComposeError>;

    fn visit<G: Game>(self) -> Result<(), ComposeError> {
        let MakeProblems { settings, options, out } = self;
        let judge = Judge::<G>::new(options, settings.nodes, true).ok_or(ComposeError::NoMemory)?;
        let start = judge.rules.start();
        match settings.theme {
            Some(ProblemTheme::Draw) if !knows_draws(judge.rules.as_ref(), &start) => {
                return Err(ComposeError::NoDraws { game: G::ID });
            }
            Some(ProblemTheme::Quiet) if judge.rules.null_move(&start).is_none() => {
                return Err(ComposeError::NoThreats { game: G::ID });
            }
            _ => {}
        }
        let mut composer = Composer { settings, judge, twins: Twins::default(), short: 0 };
        for record in &settings.beside {
            let known = composer.replayed(record)?;
            let key = known.moves().next().ok_or_else(|| ProblemRecordFault::NoMove.of(record))?;
            composer.twins.add(composer.judge.rules.as_ref(), known.start(), key);
        }
        let Settings { count, games, .. } = settings;
        let (mut kept, mut failed, mut progress) = (0, 0, Progress::begin("problems".into()));
        let mut seeds = fastrand::Rng::with_seed(settings.seed);
        let wanted = count.unwrap_or_default();
        for number in 0.. {
            if Some(kept) == *count || out.is_closed() {
                return Ok(());
            }
            let places = match settings.from.as_ref().map(|records| records.get(number)) {
                None if failed == *games => {
                    return Err(ComposeError::NothingNew { found: kept, wanted, games: *games });
                }
                None => composer.candidates(&mut seeds.fork()),
                Some(Some(record)) => Candidates {
                    places: composer.positions(composer.replayed(record)?),
                    are_around: false,
                },
                Some(None) if count.is_none() => return Ok(()),
                Some(None) => return Err(ComposeError::NoMoreGames { found: kept, wanted }),
            };
            match composer.problem(places, kept) {
                Some(text) => {
                    progress.clear();
                    out.lines(&format!("{text}\n"));
                    (kept, failed) = (kept + 1, 0);
                }
                None => failed += 1,
            }
            let of = count.map_or_else(String::new, |count| format!(" of {count}"));
            progress.show(&format!("{kept}{of}, {} games", number + 1));
        }
        Ok(())
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

/// The positions of a game that are tried, each as the start of a game.
struct Candidates<G: Game> {
    places: Vec<GameHistory<G>>,
    /// Whether they are [around](Composer::around) positions of the game.
    are_around: bool,
}

impl<G: Game> Composer<'_, G> {
    /// The game of a record, by the rules of the list.
    fn replayed(&self, record: &Record) -> Result<GameHistory<G>, ComposeError> {
        if let Some(other) = record.values("Game").next().filter(|&game| game != G::ID) {
            let fault = ProblemRecordFault::OtherGame { found: other.into(), wanted: G::ID };
            return Err(fault.of(record));
        }
        let words =
            |text: &str| text.split_whitespace().map(Word::without_column).collect::<Vec<_>>();
        let moves: Vec<Word> =
            record.moves.iter().map(|mv| Word::without_column(mv.bare())).collect();
        build_history(&self.judge.rules, record.values("Fen").next().map(words).as_deref(), &moves)
            .map_err(|error| ProblemRecordFault::from(error).of(record))
    }

    /// The positions of a game, each as the start of a game.
    fn positions(&self, game: GameHistory<G>) -> Vec<GameHistory<G>> {
        game.positions_before().copied().map(|place| self.alone(place)).collect()
    }

    fn alone(&self, place: G::Position) -> GameHistory<G> {
        GameHistory::new(self.judge.rules.clone(), place.with_full_move(1))
    }

    /// The text of a problem of one of these positions of a game, if there is one. The list has so many already.
    fn problem(
        &mut self,
        Candidates { places, are_around }: Candidates<G>,
        kept: u32,
    ) -> Option<String> {
        let (lengths, judge) = (&self.settings.lengths, &self.judge);
        let is_draw = self.settings.theme == Some(ProblemTheme::Draw);
        let may_be_short = is_draw
            || *lengths.end() == 1
            || self.settings.from.is_some()
            || self.short * SHORT_INTERVAL <= kept;
        let mut found: Vec<(GameHistory<G>, Solved<G::Move>)> = Vec::new();
        for place in places {
            let longest = found.iter().map(|(_, solved)| solved.length()).max().unwrap_or(0);
            let is_enough = match are_around {
                true => found.len() == COMPARED,
                false => longest == *lengths.end() || longest > 0 && self.settings.from.is_some(),
            };
            if is_enough {
                break;
            }
            if place.legal_move_list().len() < self.settings.moves {
                continue;
            }
            let least = if are_around { 1 } else { longest + 1 };
            let fits = |length| {
                lengths.contains(&length) && length >= least && (length > 1 || may_be_short)
            };
            let solved = if is_draw {
                judge.prover.draw(&place, *lengths.end()).filter(|solved| fits(solved.length()))
            } else {
                let win =
                    judge.prover.win(&place, *lengths.end()).filter(|&(length, _)| fits(length));
                win.and_then(|(length, key)| judge.prover.solution(&place, length, key).ok())
            };
            let is_wanted = |solved: &Solved<G::Move>| {
                self.settings.theme.is_none_or(|theme| judge.may_have(theme, &place, solved))
            };
            found.extend(solved.filter(is_wanted).map(|solved| (place, solved)));
        }
        let is_missed = |(place, solved): &(GameHistory<G>, Solved<G::Move>)| {
            are_around && judge.error(place, &solved.line, PLAYER, 0).is_some()
        };
        let at = found.iter().position(is_missed).or_else(|| {
            // Of several of the same length the last one.
            (0..found.len()).max_by_key(|&at| found[at].1.length())
        })?;
        let (place, solved) = found.swap_remove(at);
        let problem = self.judge.described(&place, &solved, is_draw);
        if self.settings.theme.is_some_and(|theme| !problem.themes.contains(&theme))
            || !self.twins.add(self.judge.rules.as_ref(), place.position(), solved.line[0])
        {
            return None;
        }
        self.short += u32::from(solved.line.len() == 1);
        Some(problem.text((1, place.side_to_move())))
    }

    /// The positions of a game that are tried, each as the start of a game.
    fn candidates(&self, rng: &mut fastrand::Rng) -> Candidates<G> {
        let mut history = game(&self.judge.rules, &self.judge.searcher, rng);
        let around = if self.settings.theme == Some(ProblemTheme::Draw) {
            Vec::new()
        } else {
            self.around(history.clone(), rng)
        };
        if !around.is_empty() {
            return Candidates { places: around, are_around: true };
        }
        let winner = history.outcome().and_then(Outcome::winner);
        let mut places = Vec::new();
        let longest = 2 * *self.settings.lengths.end() as usize - 1;
        let plies = match self.settings.theme {
            Some(ProblemTheme::Draw) => LAST_DRAWN_PLIES,
            _ => LAST_PLIES.max(longest + MORE_PLIES),
        };
        for _ in 0..plies {
            if history.pop().is_none() {
                break;
            }
            places.push(*history.position());
            if winner == Some(history.side_to_move()) {
                let mut moves = history.legal_move_list();
                rng.shuffle(&mut moves);
                let after = moves
                    .into_iter()
                    .take(MISTAKES)
                    .map(|mv| self.judge.rules.play(history.position(), mv));
                places.extend(after.filter(|after| self.judge.rules.outcome(after).is_none()));
            }
        }
        if self.settings.theme != Some(ProblemTheme::Draw) {
            places.extend(self.sharp(&places, rng));
        }
        Candidates {
            places: places.into_iter().map(|place| self.alone(place)).collect(),
            are_around: false,
        }
    }

    /// Different positions to which random moves lead from these, and in which the opponent threatens to win at once
    /// while the side to move cannot, but can parry the threat and threaten to win itself: most moves lose there, and a
    /// winning one is often the only one. None in games without a null move.
    fn sharp(&self, from: &[G::Position], rng: &mut fastrand::Rng) -> Vec<G::Position> {
        let rules = self.judge.rules.as_ref();
        if from.is_empty() || rules.null_move(&rules.start()).is_none() {
            return Vec::new();
        }
        let wins_now = |place: G::Position| {
            let place = self.alone(place);
            place.legal_move_list().into_iter().any(|mv| wins_at_once(&place, mv))
        };
        let threatens = |place: &G::Position| rules.null_move(place).is_some_and(wins_now);
        let parries = |place: &G::Position, mv| {
            let after = rules.play(place, mv);
            rules.outcome(&after).is_none() && threatens(&after) && !wins_now(after)
        };
        let (mut sharp, mut seen) = (Vec::new(), HashSet::new());
        for _ in 0..SHARP_WALKS {
            let place = self.walk(from, 1..=SHARP_WALK, |_, _| true, rng);
            if seen.insert(rules.search_key(&place))
                && threatens(&place)
                && !wins_now(place)
                && self.alone(place).legal_move_list().into_iter().any(|mv| parries(&place, mv))
            {
                sharp.push(place);
            }
        }
        sharp
    }

    /// The end of a random walk from one of these positions: so many legal moves that do not end the game, and that
    /// `may_play` admits; fewer if there are none.
    fn walk(
        &self,
        from: &[G::Position],
        lengths: RangeInclusive<usize>,
        may_play: impl Fn(&G::Position, G::Move) -> bool,
        rng: &mut fastrand::Rng,
    ) -> G::Position {
        let (rules, mut moves) = (self.judge.rules.as_ref(), Vec::new());
        let mut place = from[rng.usize(..from.len())];
        for _ in 0..rng.usize(lengths) {
            moves.clear();
            rules.legal_moves(&place, &mut moves);
            moves.retain(|&mv| {
                may_play(&place, mv) && rules.outcome(&rules.play(&place, mv)).is_none()
            });
            let Some(&mv) = rng.choice(&moves) else { break };
            place = rules.play(&place, mv);
        }
        place
    }

    /// Different positions to which random moves lead from those of a game whose values are known exactly, without a
    /// move that cannot be taken back: what is known of the one is known of the others.
    fn around(&self, mut history: GameHistory<G>, rng: &mut fastrand::Rng) -> Vec<GameHistory<G>> {
        let (rules, mut known) = (self.judge.rules.clone(), Vec::new());
        while history.pop().is_some() {
            let place = self.alone(*history.position());
            if place.legal_move_list().len() >= self.settings.moves
                && self.judge.prover.knows_more(&place)
            {
                known.push(*place.position());
            }
        }
        let (mut around, mut seen) = (Vec::new(), HashSet::new());
        for _ in 0..if known.is_empty() { 0 } else { AROUND } {
            let place =
                self.walk(&known, 0..=WALK, |place, mv| !rules.is_irreversible(place, mv), rng);
            if seen.insert(rules.search_key(&place)) {
                around.push(self.alone(place));
            }
        }
        around
    }
}

/// A game of the engine with itself.
pub(super) fn game<G: Game>(
    rules: &Arc<G>,
    searcher: &Searcher<G>,
    rng: &mut fastrand::Rng,
) -> GameHistory<G> {
    searcher.clear();
    let mut history = GameHistory::new(rules.clone(), rules.start());
    while history.len() < GAME_PLIES && history.outcome().is_none() {
        let is_drawn = history.len() < OPENING_PLIES || rng.u32(..VARIED_INTERVAL) == 0;
        let answer = if is_drawn { None } else { searcher.search(&history, &nodes(GAME_NODES)) };
        let mv = answer.map_or_else(|| likely_move(&history, rng), |answer| answer.best);
        history.push(mv);
    }
    history
}
