//! Composes problems. The composer plays games of the engine with itself, tries positions near
//! their end, and grades the problems among these positions.
//!
//! In most positions of a won game many moves win. Therefore the positions after a random move of
//! the winner are also tried. If the random move is a mistake, the loser has a chance. Often all
//! moves of the loser except one then lose.
//!
//! Each game of the engine with itself has a number and a separate random generator, and all limits
//! are numbers of nodes. Therefore a list depends only on the rules and the settings, on any
//! machine.
//!
//! If the value of a position is known exactly, the values of the related positions are also known.
//! In that case the composer tries thousands of related positions instead of the game's positions.
//! A game contributes at most one problem. This problem is the longest one, because the shorter
//! problems of the game are parts of it. The composer can also try games from records. A recorded
//! game contributes its first problem.

use std::collections::HashSet;
use std::ops::RangeInclusive;
use std::sync::Arc;

use crate::io::output::Output;
use crate::io::progress::ProgressLine;
use crate::tune::openings::random_likely_move;
use pentarch_core::notation::parsing::quote_for_message;
use pentarch_core::notation::record::GameRecord;
use pentarch_core::{GameHistory, HasTurn, Options, Outcome};
use pentarch_engine::error::EngineError;
use pentarch_engine::game_session::build_game_history;
use pentarch_engine::input_word::InputWord;
use pentarch_games::{Game, GameOperation};
use pentarch_search::strength_levels::StrengthLevel;
use pentarch_search::{Limits, Searcher};
use thiserror::Error;

use super::dedup::DistinctProblems;
use super::grader::ProblemGrader;
use super::problem_prover::{ShortestWin, Solution, has_repetition_draws, move_wins_at_once};
use pentarch_engine::problem::ProblemTheme;

/// The settings of a list of problems.
#[derive(Debug, Clone)]
pub struct ProblemListSettings {
    /// The number of problems; `None` for all problems of the records.
    pub count: Option<u32>,
    /// The seed of the games.
    pub seed: u64,
    /// The permitted lengths of a problem, in moves of the solver.
    pub lengths: RangeInclusive<u32>,
    /// The minimum number of legal moves in the position of a problem.
    pub moves: usize,
    /// The theme that each problem must have; `None` for any.
    pub theme: Option<ProblemTheme>,
    /// The maximum nodes of a proof.
    pub nodes: u64,
    /// The number of games in a row without a new problem after which the list ends.
    pub games: u32,
    /// The recorded games in whose positions the composer looks for problems; `None` for games of
    /// the engine with itself.
    pub from: Option<Vec<GameRecord>>,
    /// Problems whose duplicates are excluded from the list.
    pub known: Vec<GameRecord>,
}

/// The number of random moves at the beginning of a game. Moves that the static evaluation prefers
/// are more probable.
const RANDOM_OPENING_PLIES: usize = 4;
/// The mean number of plies from one random move to the next after the random opening. Moves that
/// the static evaluation prefers are more probable.
const MEAN_RANDOM_MOVE_INTERVAL_PLIES: u32 = 5;
/// The number of nodes of the search for each move that is not random.
const GAME_MOVE_SEARCH_NODES: u64 = 60;
const MAX_SELFPLAY_GAME_PLIES: usize = 240;
/// The minimum number of a game's last positions in which the composer looks for a problem.
const MIN_LAST_POSITIONS_TRIED_PER_GAME: usize = 8;
/// The number of a game's last positions to try in addition to the length in plies of the longest
/// permitted problem.
const EXTRA_LAST_POSITIONS_TRIED: usize = 3;
/// The number of a game's last positions to try for problems in which the solver must hold a draw.
const LAST_POSITIONS_TRIED_FOR_DRAWS: usize = 30;
/// The number of random moves of the winner to try in each of a game's last positions.
const RANDOM_MOVES_TRIED_PER_POSITION: usize = 8;
/// The number of random walks from a game that search for sharp positions.
const SHARP_POSITION_WALK_COUNT: usize = 600;
/// The maximum number of moves of a random walk that searches for sharp positions.
const MAX_SHARP_POSITION_WALK_MOVES: usize = 4;
/// The number of random walks from a game that search for related positions.
const RELATED_POSITION_WALK_COUNT: usize = 4000;
/// The maximum number of moves of a random walk that searches for related positions.
const MAX_RELATED_POSITION_WALK_MOVES: usize = 10;
/// The maximum number of problems that are found among related positions and compared. The composer
/// then keeps one of them.
const MAX_RELATED_PROBLEM_CANDIDATES: usize = 16;
/// The level of the test player. Among related problems, the composer prefers one that this player
/// fails to solve.
const COMPARISON_PLAYER_LEVEL: StrengthLevel = StrengthLevel::Average;
/// The minimum number of problems in the list per problem of length 1, if other lengths are also
/// permitted.
const MIN_ONE_MOVE_PROBLEM_INTERVAL: u32 = 8;

/// An error while a list of problems is composed.
#[derive(Debug, Error)]
pub enum ComposeError {
    /// There is not enough memory to search positions.
    #[error("there is not enough memory for a search")]
    NoMemory,
    /// The game has no repetition draws, and therefore no problems in which a draw must be held.
    #[error("in {game} by these rules no repeated position is a draw that could be held")]
    NoDraws {
        /// The word for the game.
        game: &'static str,
    },
    /// The game has no null moves. So the composer cannot determine whether a key is quiet.
    #[error("in {game} it is not known what a move threatens")]
    NoThreats {
        /// The word for the game.
        game: &'static str,
    },
    /// A game of the records is not usable.
    #[error("the game from {}: {error}", quote_for_message(.start))]
    Record {
        /// The start position of the game, or `startpos`.
        start: String,
        /// The reason why the game is not usable.
        error: ProblemRecordError,
    },
    /// Too many games in a row had no new problem.
    #[error("{found} of {wanted} problems were found: {games} games in a row had no new one")]
    NothingNew {
        /// The number of problems found.
        found: u32,
        /// The number that was requested.
        wanted: u32,
        /// The number of games in a row without a new problem.
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
    /// Returns whether the error is a fault of the command line's arguments.
    pub fn is_usage_error(&self) -> bool {
        matches!(self, ComposeError::NoDraws { .. } | ComposeError::NoThreats { .. })
    }
}

/// An error in a record that the composer reads.
#[derive(Debug, Error)]
pub enum ProblemRecordError {
    /// A problem has no solution.
    #[error("the problem has no move")]
    NoMove,
    /// The record belongs to another game.
    #[error("it is a game of {}, and the problems are of {wanted}", quote_for_message(.found))]
    OtherGame {
        /// The game of the record.
        found: String,
        /// The word that names the game of the list.
        wanted: &'static str,
    },
    /// The position or a move is illegal.
    #[error(transparent)]
    Illegal(#[from] EngineError),
}

impl ProblemRecordError {
    /// Adds the start position of the record.
    fn with_record_start_position(self, record: &GameRecord) -> ComposeError {
        let start = record.tag_values("Fen").next().unwrap_or("startpos").into();
        ComposeError::Record { start, error: self }
    }
}

/// A builder of a list of problems, which writes each problem as soon as it is found.
pub struct ProblemListBuilder<'a> {
    /// The settings of the list.
    pub settings: &'a ProblemListSettings,
    /// The options that choose the rules.
    pub options: &'a Options,
    /// The output for the problems.
    pub out: &'a Output,
}

impl GameOperation for ProblemListBuilder<'_> {
    type Output = Result<(), ComposeError>;

    fn run_for_game_type<G: Game>(self) -> Result<(), ComposeError> {
        let ProblemListBuilder { settings, options, out } = self;
        let mut composer = ProblemComposer::<G>::new(settings, options)?;
        let ProblemListSettings { count, games, .. } = settings;
        let mut found = 0;
        let mut failed = 0;
        let mut progress = ProgressLine::begin("problems".into());
        let mut seeds = fastrand::Rng::with_seed(settings.seed);
        let wanted = count.unwrap_or_default();
        for number in 0.. {
            if Some(found) == *count || out.is_closed() {
                return Ok(());
            }
            let candidates = match settings.from.as_ref().map(|records| records.get(number)) {
                None if failed == *games => {
                    return Err(ComposeError::NothingNew { found, wanted, games: *games });
                }
                None => composer.play_candidate_game(&mut seeds.fork()),
                Some(Some(record)) => CandidatePositions {
                    positions: composer.game_positions(composer.replay_record(record)?),
                    are_related: false,
                },
                Some(None) if count.is_none() => return Ok(()),
                Some(None) => return Err(ComposeError::NoMoreGames { found, wanted }),
            };
            match composer.find_problem(candidates, found) {
                Some(text) => {
                    progress.clear();
                    out.write_lines(&format!("{text}\n"));
                    found += 1;
                    failed = 0;
                }
                None => failed += 1,
            }
            let of_count = count.map_or_else(String::new, |count| format!(" of {count}"));
            progress.show(&format!("{found}{of_count}, {} games", number + 1));
        }
        Ok(())
    }
}

/// A composer of the problems of one list.
struct ProblemComposer<'a, G: Game> {
    settings: &'a ProblemListSettings,
    grader: ProblemGrader<G>,
    distinct: DistinctProblems,
    /// The number of problems of length 1 in the list.
    short_problems: u32,
}

/// The positions of a game in which the composer looks for problems. Each position is a new game
/// that starts there.
struct CandidatePositions<G: Game> {
    positions: Vec<GameHistory<G>>,
    /// Whether the positions are only [related](ProblemComposer::positions_by_random_walks) to
    /// positions of the game.
    are_related: bool,
}

/// A candidate that is a problem.
struct FoundProblem<G: Game> {
    start: GameHistory<G>,
    solution: Solution<G::Move>,
}

impl<'a, G: Game> ProblemComposer<'a, G> {
    /// Creates a composer that excludes duplicates of the problems in `settings.known`.
    ///
    /// # Errors
    /// If there is not enough memory, the game cannot have the theme, or a known problem is
    /// invalid.
    fn new(
        settings: &'a ProblemListSettings,
        options: &Options,
    ) -> Result<ProblemComposer<'a, G>, ComposeError> {
        let grader =
            ProblemGrader::<G>::new(options, settings.nodes, true).ok_or(ComposeError::NoMemory)?;
        let start = grader.rules.start_position();
        match settings.theme {
            Some(ProblemTheme::Draw) if !has_repetition_draws(grader.rules.as_ref(), &start) => {
                return Err(ComposeError::NoDraws { game: G::GAME_ID });
            }
            Some(ProblemTheme::Quiet)
                if grader.rules.position_after_null_move(&start).is_none() =>
            {
                return Err(ComposeError::NoThreats { game: G::GAME_ID });
            }
            _ => {}
        }
        let distinct = DistinctProblems::default();
        let mut composer = ProblemComposer { settings, grader, distinct, short_problems: 0 };
        for record in &settings.known {
            let known = composer.replay_record(record)?;
            let Some(key) = known.moves().next() else {
                return Err(ProblemRecordError::NoMove.with_record_start_position(record));
            };
            composer.distinct.add_if_distinct(
                composer.grader.rules.as_ref(),
                known.start_position(),
                key,
            );
        }
        Ok(composer)
    }

    /// Replays the game of a record, by the rules of the list.
    fn replay_record(&self, record: &GameRecord) -> Result<GameHistory<G>, ComposeError> {
        if let Some(other) = record.tag_values("Game").next().filter(|&game| game != G::GAME_ID) {
            let error = ProblemRecordError::OtherGame { found: other.into(), wanted: G::GAME_ID };
            return Err(error.with_record_start_position(record));
        }
        let fen = record.tag_values("Fen").next();
        let fen: Option<Vec<InputWord>> =
            fen.map(|fen| fen.split_whitespace().map(InputWord::from_text).collect());
        let moves: Vec<InputWord> = record
            .moves
            .iter()
            .map(|mv| InputWord::from_text(&mv.text_with_suffix_signs()))
            .collect();
        build_game_history(&self.grader.rules, fen.as_deref(), &moves)
            .map_err(|error| ProblemRecordError::from(error).with_record_start_position(record))
    }

    /// Returns each position of a game as a new game that starts there.
    fn game_positions(&self, game: GameHistory<G>) -> Vec<GameHistory<G>> {
        game.positions_before_moves()
            .copied()
            .map(|position| self.game_from_position(position))
            .collect()
    }

    fn game_from_position(&self, position: G::Position) -> GameHistory<G> {
        GameHistory::new(self.grader.rules.clone(), position.with_full_move_number(1))
    }

    /// Returns the record of a problem among these positions of a game, if there is one.
    /// `list_length` is the number of problems so far.
    fn find_problem(
        &mut self,
        CandidatePositions { positions, are_related }: CandidatePositions<G>,
        list_length: u32,
    ) -> Option<String> {
        let longest_permitted = *self.settings.lengths.end();
        let may_be_short = self.are_draw_problems_wanted()
            || longest_permitted == 1
            || self.settings.from.is_some()
            || self.short_problems * MIN_ONE_MOVE_PROBLEM_INTERVAL <= list_length;
        let mut found: Vec<FoundProblem<G>> = Vec::new();
        for start in positions {
            let longest =
                found.iter().map(|problem| problem.solution.solver_move_count()).max().unwrap_or(0);
            let is_enough = match are_related {
                true => found.len() == MAX_RELATED_PROBLEM_CANDIDATES,
                false => {
                    longest == longest_permitted || longest > 0 && self.settings.from.is_some()
                }
            };
            if is_enough {
                break;
            }
            if start.legal_move_list().len() < self.settings.moves {
                continue;
            }
            let least = if are_related { 1 } else { longest + 1 };
            let solution = self.solution_if_length_fits(&start, |length| {
                self.settings.lengths.contains(&length)
                    && length >= least
                    && (length > 1 || may_be_short)
            });
            if let Some(solution) = solution
                && self.settings.theme.is_none_or(|theme| {
                    self.grader.can_solution_have_theme(theme, &start, &solution)
                })
            {
                found.push(FoundProblem { start, solution });
            }
        }
        let missed = found
            .iter()
            .position(|problem| are_related && self.is_missed_by_comparison_player(problem));
        let index = missed.or_else(|| {
            // `max_by_key` returns the last one of several problems of the same length.
            (0..found.len()).max_by_key(|&index| found[index].solution.solver_move_count())
        })?;
        let FoundProblem { start, solution } = found.swap_remove(index);
        let problem =
            self.grader.graded_problem(&start, &solution, self.are_draw_problems_wanted());
        let rules = self.grader.rules.as_ref();
        if self.settings.theme.is_some_and(|theme| !problem.themes.contains(&theme))
            || !self.distinct.add_if_distinct(rules, start.position(), solution.line[0])
        {
            return None;
        }
        self.short_problems += u32::from(solution.line.len() == 1);
        Some(problem.to_record_text((1, start.side_to_move())))
    }

    /// Returns whether the comparison player misses the solution of a problem.
    fn is_missed_by_comparison_player(
        &self,
        FoundProblem { start, solution }: &FoundProblem<G>,
    ) -> bool {
        let level = COMPARISON_PLAYER_LEVEL;
        self.grader.find_wrong_move(start, &solution.line, level, 0).is_some()
    }

    /// Returns whether the list consists of problems in which the solver must hold a draw.
    fn are_draw_problems_wanted(&self) -> bool {
        self.settings.theme == Some(ProblemTheme::Draw)
    }

    /// Returns the solution of a position, if it is a problem whose length satisfies `fits`.
    fn solution_if_length_fits(
        &self,
        start: &GameHistory<G>,
        fits: impl Fn(u32) -> bool,
    ) -> Option<Solution<G::Move>> {
        let prover = &self.grader.prover;
        let most = *self.settings.lengths.end();
        if self.are_draw_problems_wanted() {
            return prover
                .only_move_draw_solution(start, most)
                .filter(|draw| fits(draw.solver_move_count()));
        }
        let ShortestWin { length, key } = prover.shortest_win(start, most)?;
        if !fits(length) {
            return None;
        }
        prover.build_solution(start, length, key).ok()
    }

    /// Plays a new game, and returns the positions in which to look for problems.
    fn play_candidate_game(&self, rng: &mut fastrand::Rng) -> CandidatePositions<G> {
        let mut history = generate_selfplay_game(&self.grader.rules, &self.grader.searcher, rng);
        if !self.are_draw_problems_wanted() {
            let related = self.positions_by_random_walks(history.clone(), rng);
            if !related.is_empty() {
                return CandidatePositions { positions: related, are_related: true };
            }
        }
        let winner = history.outcome().and_then(Outcome::winner);
        let mut positions = Vec::new();
        let longest = 2 * *self.settings.lengths.end() as usize - 1;
        let plies = match self.settings.theme {
            Some(ProblemTheme::Draw) => LAST_POSITIONS_TRIED_FOR_DRAWS,
            _ => MIN_LAST_POSITIONS_TRIED_PER_GAME.max(longest + EXTRA_LAST_POSITIONS_TRIED),
        };
        for _ in 0..plies {
            if history.pop().is_none() {
                break;
            }
            positions.push(*history.position());
            if winner == Some(history.side_to_move()) {
                let mut moves = history.legal_move_list();
                rng.shuffle(&mut moves);
                for mv in moves.into_iter().take(RANDOM_MOVES_TRIED_PER_POSITION) {
                    let after = self.grader.rules.play(history.position(), mv);
                    if self.grader.rules.outcome(&after).is_none() {
                        positions.push(after);
                    }
                }
            }
        }
        if !self.are_draw_problems_wanted() {
            positions.extend(self.sharp_positions(&positions, rng));
        }
        CandidatePositions {
            positions: positions
                .into_iter()
                .map(|position| self.game_from_position(position))
                .collect(),
            are_related: false,
        }
    }

    /// Returns distinct sharp positions that random moves reach from these positions. A position is
    /// sharp if all these conditions hold:
    ///
    /// - The opponent threatens an immediate win.
    /// - The side to move cannot win immediately.
    /// - The side to move can parry the threat and threaten to win itself.
    ///
    /// Most moves lose in a sharp position, so that often only one move wins. Returns no positions
    /// in games without a null move.
    fn sharp_positions(&self, from: &[G::Position], rng: &mut fastrand::Rng) -> Vec<G::Position> {
        let rules = self.grader.rules.as_ref();
        if from.is_empty() || rules.position_after_null_move(&rules.start_position()).is_none() {
            return Vec::new();
        }
        let can_win_now = |position: G::Position| {
            let game = self.game_from_position(position);
            game.legal_move_list().into_iter().any(|mv| move_wins_at_once(&game, mv))
        };
        let is_threatened = |position: &G::Position| {
            rules.position_after_null_move(position).is_some_and(can_win_now)
        };
        let parries = |position: &G::Position, mv| {
            let after = rules.play(position, mv);
            rules.outcome(&after).is_none() && is_threatened(&after) && !can_win_now(after)
        };
        let mut sharp = Vec::new();
        let mut seen = HashSet::new();
        for _ in 0..SHARP_POSITION_WALK_COUNT {
            let position =
                self.end_of_random_walk(from, 1..=MAX_SHARP_POSITION_WALK_MOVES, |_, _| true, rng);
            if seen.insert(rules.search_key(&position))
                && is_threatened(&position)
                && !can_win_now(position)
                && self
                    .game_from_position(position)
                    .legal_move_list()
                    .into_iter()
                    .any(|mv| parries(&position, mv))
            {
                sharp.push(position);
            }
        }
        sharp
    }

    /// Returns the end of a random walk from one of these positions. The length of the walk is
    /// random in `lengths`. The walk uses only moves that `may_play` permits, and avoids moves that
    /// end the game. The walk ends early if there is no such move.
    fn end_of_random_walk(
        &self,
        from: &[G::Position],
        lengths: RangeInclusive<usize>,
        may_play: impl Fn(&G::Position, G::Move) -> bool,
        rng: &mut fastrand::Rng,
    ) -> G::Position {
        let rules = self.grader.rules.as_ref();
        let mut moves = Vec::new();
        let mut position = from[rng.usize(..from.len())];
        for _ in 0..rng.usize(lengths) {
            moves.clear();
            rules.legal_moves(&position, &mut moves);
            moves.retain(|&mv| {
                may_play(&position, mv) && rules.outcome(&rules.play(&position, mv)).is_none()
            });
            let Some(&mv) = rng.choice(&moves) else { break };
            position = rules.play(&position, mv);
        }
        position
    }

    /// Returns distinct positions that random reversible moves reach from positions of a game. The
    /// walks start at positions with exactly known values, so the values of the reached positions
    /// are also known.
    fn positions_by_random_walks(
        &self,
        mut history: GameHistory<G>,
        rng: &mut fastrand::Rng,
    ) -> Vec<GameHistory<G>> {
        let rules = self.grader.rules.clone();
        let mut known = Vec::new();
        while history.pop().is_some() {
            let game = self.game_from_position(*history.position());
            if game.legal_move_list().len() >= self.settings.moves
                && self.grader.prover.is_known_only_by_exhaustive_tablebase_probe(&game)
            {
                known.push(*game.position());
            }
        }
        if known.is_empty() {
            return Vec::new();
        }
        let mut related = Vec::new();
        let mut seen = HashSet::new();
        for _ in 0..RELATED_POSITION_WALK_COUNT {
            let position = self.end_of_random_walk(
                &known,
                0..=MAX_RELATED_POSITION_WALK_MOVES,
                |position, mv| !rules.is_irreversible_move(position, mv),
                rng,
            );
            if seen.insert(rules.search_key(&position)) {
                related.push(self.game_from_position(position));
            }
        }
        related
    }
}

pub(super) fn generate_selfplay_game<G: Game>(
    rules: &Arc<G>,
    searcher: &Searcher<G>,
    rng: &mut fastrand::Rng,
) -> GameHistory<G> {
    searcher.clear();
    let mut history = GameHistory::new(rules.clone(), rules.start_position());
    while history.len() < MAX_SELFPLAY_GAME_PLIES && history.outcome().is_none() {
        let is_random =
            history.len() < RANDOM_OPENING_PLIES || rng.u32(..MEAN_RANDOM_MOVE_INTERVAL_PLIES) == 0;
        let answer = if is_random {
            None
        } else {
            searcher.search(&history, &Limits::nodes_without_tablebases(GAME_MOVE_SEARCH_NODES))
        };
        let mv = answer.map_or_else(|| random_likely_move(&history, rng), |answer| answer.best);
        history.push(mv);
    }
    history
}
