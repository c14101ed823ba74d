//! Turns a position into a problem with a grade, themes and a tempting wrong move.

use std::ops::RangeInclusive;
use std::sync::Arc;

use crate::games::RunOperation;
use pentarch_core::{GameHistory, HasTurn, Options};
use pentarch_engine::engine_state::non_default_rules;
use pentarch_engine::games::RulesId;
use pentarch_games::{Game, GameOperation};
use pentarch_search::control::SearchControl;
use pentarch_search::prover::verify::RepliesByKey;
use pentarch_search::strength_levels::StrengthLevel;
use pentarch_search::{Limits, Searcher};

use super::MAX_PROBLEM_MOVES;
use super::problem_prover::{
    ProblemProver, ShortestWin, Solution, SolutionFlaw, move_wins_at_once,
};
use pentarch_engine::problem::{MAX_PROBLEM_GRADE, NotAProblemReason, Problem, ProblemTheme};

/// The levels of the players who try each problem.
pub const GRADING_LEVELS: [StrengthLevel; 3] =
    [StrengthLevel::Novice, StrengthLevel::Average, StrengthLevel::Expert];
/// The weakest level whose attempts affect the grade. A novice's attempts do not, because a novice
/// misses even obvious moves.
const WEAKEST_GRADING_LEVEL: StrengthLevel = StrengthLevel::Average;
const TRIES_PER_GRADING_LEVEL: u64 = 8;
const MAX_NODES_PER_TRY: u64 = 10_000;
/// The number of points per grade. Each failed attempt that affects the grade is one point.
const DIFFICULTY_POINTS_PER_GRADE: usize = 3;
/// The points for each of these difficulties:
///
/// - the solver's second move
/// - the solver's third move
/// - a key that gives something up or brings something onto the board, because people consider such
///   moves last
const DIFFICULT_MOVE_POINTS: usize = 2;
const HASH_TABLE_MIB: usize = 1;

/// A grader of the positions of a game. All limits are numbers of nodes, so that a position has the
/// same grade on any machine.
pub struct ProblemGrader<G: Game> {
    pub(super) rules: Arc<G>,
    /// The searcher for games of the engine with itself and for players who try a problem.
    pub(super) searcher: Searcher<G>,
    pub(super) prover: ProblemProver<G>,
    /// The options of the rules that are not at their defaults.
    options: Vec<String>,
}

/// A wrong move in a solution.
pub struct WrongMove<M> {
    /// The index of the missed move among the moves of the solver.
    pub index: usize,
    /// The move that the player chose instead.
    pub mv: M,
}

/// Returns the problem of a position, given as FEN, under the rules in `options`. Each proof may
/// take `nodes` nodes. The proofs end when the control is stopped.
///
/// # Errors
/// If the position is not a problem.
pub fn problem_of_position(
    options: &Options,
    position: &str,
    nodes: u64,
    control: &Arc<SearchControl>,
) -> Result<Problem, NotAProblemReason> {
    RulesId::from_options(options).run_operation(PositionToGrade {
        options,
        position,
        nodes,
        control,
    })
}

/// The arguments of [`problem_of_position`].
pub(crate) struct PositionToGrade<'a> {
    options: &'a Options,
    position: &'a str,
    nodes: u64,
    control: &'a Arc<SearchControl>,
}

impl GameOperation for PositionToGrade<'_> {
    type Output = Result<Problem, NotAProblemReason>;

    fn run_for_game_type<G: Game>(self) -> Result<Problem, NotAProblemReason> {
        if G::PLAYER_NAMES.len() != 2 {
            return Err(NotAProblemReason::TooManyPlayers);
        }
        let mut grader = ProblemGrader::<G>::new(self.options, self.nodes, false)
            .ok_or(NotAProblemReason::NoMemory)?;
        grader.prover.control = self.control.clone();
        let position = grader.rules.parse_position(self.position)?;
        let history = GameHistory::new(grader.rules.clone(), position);
        let problem = grader.problem_from_history(&history, &(1..=MAX_PROBLEM_MOVES));
        // The failure of a stopped proof says nothing about the position.
        if self.control.is_stopped() { Err(NotAProblemReason::Stopped) } else { problem }
    }
}

impl<G: Game> ProblemGrader<G> {
    /// Creates a grader for the rules in `options`; `None` if there is not enough memory. `nodes`
    /// and `is_hasty` are arguments of the [prover](ProblemProver::new).
    pub fn new(options: &Options, nodes: u64, is_hasty: bool) -> Option<ProblemGrader<G>> {
        let rules = Arc::new(G::from_options(options));
        let searcher = Searcher::with_tables(rules.create_uncomputed_tables(None), HASH_TABLE_MIB)?;
        let prover = ProblemProver::new(rules.as_ref(), nodes, is_hasty)?;
        let options = non_default_rules(options)
            .into_iter()
            .map(|(spec, value)| format!("{}={value}", spec.name))
            .collect();
        Some(ProblemGrader { rules, searcher, prover, options })
    }

    /// Returns the current position of a game as a problem with a length in `lengths`. The earlier
    /// moves of the game are ignored.
    ///
    /// # Errors
    /// If the position is not a problem.
    pub fn problem_from_history(
        &self,
        history: &GameHistory<G>,
        lengths: &RangeInclusive<u32>,
    ) -> Result<Problem, NotAProblemReason> {
        let start =
            GameHistory::new(self.rules.clone(), history.position().with_full_move_number(1));
        let solver = G::SIDE_NAMES[start.side_to_move().index()];
        let text = |mv| self.rules.move_text(mv);
        if start.outcome().is_some() || history.outcome().is_some() {
            return Err(NotAProblemReason::Over);
        }
        let least = *lengths.start();
        let most = *lengths.end();
        let Some(ShortestWin { length, key }) = self.prover.shortest_win(&start, most) else {
            let draw = self.prover.only_move_draw_solution(&start, most);
            let draw = draw.filter(|solution| solution.solver_move_count() >= least);
            let draw = draw.ok_or(NotAProblemReason::NoKey { solver, most })?;
            return Ok(self.graded_problem(&start, &draw, true));
        };
        if length < least {
            return Err(NotAProblemReason::TooShort { solver, length, least });
        }
        let immediate_wins: Vec<G::Move> = start
            .legal_move_list()
            .into_iter()
            .filter(|&mv| move_wins_at_once(&start, mv))
            .collect();
        let solution = match immediate_wins[..] {
            [_, other, ..] => Err(SolutionFlaw::AlsoWins(other)),
            _ => self.prover.build_solution(&start, length, key),
        };
        let key = text(key);
        Err(match solution {
            Ok(solution) => return Ok(self.graded_problem(&start, &solution, false)),
            Err(SolutionFlaw::Forced) => NotAProblemReason::Forced { key },
            Err(SolutionFlaw::AlsoWins(other)) => {
                NotAProblemReason::AlsoWins { key, other: text(other) }
            }
            Err(SolutionFlaw::Unproved) => NotAProblemReason::Unproven { key },
            Err(SolutionFlaw::SeveralLater) => NotAProblemReason::SeveralLater { key },
        })
    }

    /// Returns the problem with its grade, its themes and a tempting wrong move.
    pub(super) fn graded_problem(
        &self,
        start: &GameHistory<G>,
        solution: &Solution<G::Move>,
        is_draw: bool,
    ) -> Problem {
        let rules = self.rules.as_ref();
        let tries = GRADING_LEVELS
            .into_iter()
            .flat_map(|level| (0..TRIES_PER_GRADING_LEVEL).map(move |seed| (level, seed)));
        let count = GRADING_LEVELS.len() * TRIES_PER_GRADING_LEVEL as usize;
        let mut points = 0;
        let mut wrong_keys = Vec::new();
        for (level, seed) in tries {
            let Some(wrong) = self.find_wrong_move(start, &solution.line, level, seed) else {
                continue;
            };
            points += usize::from(level >= WEAKEST_GRADING_LEVEL);
            wrong_keys.extend((wrong.index == 0).then_some(wrong.mv));
        }
        // The tempting key is the wrong key that most players choose. In a tie, the first such key
        // is taken.
        let tempting = wrong_keys
            .iter()
            .rev()
            .max_by_key(|wrong| wrong_keys.iter().filter(|other| other == wrong).count());
        let mut themes = self.themes(start, solution);
        themes.extend((2 * wrong_keys.len() > count).then_some(ProblemTheme::Surprise));
        themes.extend(is_draw.then_some(ProblemTheme::Draw));
        let is_unexpected =
            themes.contains(&ProblemTheme::Sacrifice) || themes.contains(&ProblemTheme::Placement);
        let later_moves = solution.solver_move_count().min(3) as usize - 1;
        points += DIFFICULT_MOVE_POINTS * (later_moves + usize::from(is_unexpected));
        Problem {
            rules: (G::GAME_ID.into(), self.options.clone()),
            position: rules.position_text(start.position()),
            solution: solution.line.iter().map(|&mv| rules.move_text(mv)).collect(),
            temptation: tempting.and_then(|&wrong| {
                let reply = refuting_reply(rules, start.position(), wrong, &solution.refutations)?;
                Some([wrong, reply].map(|mv| rules.move_text(mv)))
            }),
            grade: (1 + (points / DIFFICULTY_POINTS_PER_GRADE) as u32).min(MAX_PROBLEM_GRADE),
            themes,
        }
    }

    /// Lets a player of this level try a problem with this solution. Returns the player's first
    /// wrong move; `None` if the player finds all moves. At the last move, any winning move is
    /// right.
    pub fn find_wrong_move(
        &self,
        start: &GameHistory<G>,
        line: &[G::Move],
        level: StrengthLevel,
        seed: u64,
    ) -> Option<WrongMove<G::Move>> {
        let mut game = start.clone();
        for (index, moves) in line.chunks(2).enumerate() {
            if self.prover.control.is_stopped() {
                return None;
            }
            self.searcher.clear();
            let limits = Limits {
                level,
                seed: Some(seed),
                ..Limits::nodes_without_tablebases(MAX_NODES_PER_TRY)
            };
            let best = self.searcher.search(&game, &limits)?.best;
            if best != moves[0] && !move_wins_at_once(&game, best) {
                return Some(WrongMove { index, mv: best });
            }
            moves.iter().for_each(|&mv| game.push(mv));
        }
        None
    }

    /// Returns whether the solution permits this theme.
    pub(super) fn can_solution_have_theme(
        &self,
        theme: ProblemTheme,
        start: &GameHistory<G>,
        solution: &Solution<G::Move>,
    ) -> bool {
        matches!(theme, ProblemTheme::Surprise | ProblemTheme::Draw)
            || self.themes(start, solution).contains(&theme)
    }

    fn themes(&self, start: &GameHistory<G>, solution: &Solution<G::Move>) -> Vec<ProblemTheme> {
        let rules = self.rules.as_ref();
        let key = solution.line[0];
        let details = rules.move_effect(start.position(), key);
        let after = rules.play(start.position(), key);
        let lost = solution
            .line
            .get(1)
            .map_or(0, |&reply| rules.move_effect(&after, reply).captured.len());
        let threatens = || match rules.position_after_null_move(&after) {
            Some(after_pass) => {
                let after_pass = GameHistory::new(self.rules.clone(), after_pass);
                self.prover.shortest_win(&after_pass, 1).is_some()
            }
            None => true,
        };
        let has = |theme: &ProblemTheme| match theme {
            ProblemTheme::Capture => !details.captured.is_empty(),
            // When a piece is promoted, the details also list a placed piece. But a promotion
            // brings nothing onto the board.
            ProblemTheme::Placement => !details.placed.is_empty() && details.promoted != Some(true),
            ProblemTheme::Quiet => {
                solution.line.len() > 1 && details.captured.is_empty() && !threatens()
            }
            ProblemTheme::Sacrifice => lost > details.captured.len(),
            ProblemTheme::Surprise | ProblemTheme::Draw => false,
        };
        ProblemTheme::ALL.into_iter().filter(has).collect()
    }
}

/// Returns the reply that refutes a wrong move, if this reply is among `replies`.
fn refuting_reply<G: Game>(
    rules: &G,
    position: &G::Position,
    wrong: G::Move,
    replies: &RepliesByKey<G::Move>,
) -> Option<G::Move> {
    let after = rules.play(position, wrong);
    let reply = replies.get(&rules.search_key(&after)).copied()?;
    let mut moves = Vec::new();
    rules.legal_moves(&after, &mut moves);
    moves.contains(&reply).then_some(reply)
}
