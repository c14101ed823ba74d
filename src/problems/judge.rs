//! Whether a position is a problem, and what is to be said of it: its grade, its themes, a wrong move that tempts.

use std::ops::RangeInclusive;
use std::sync::Arc;

use pentarch_core::{GameHistory, Options, Turn};
use pentarch_engine::engine_state::changed_rules;
use pentarch_games::{Game, GameId, Visitor};
use pentarch_search::control::Control;
use pentarch_search::levels::Level;
use pentarch_search::prover::verify::Replies;
use pentarch_search::{Limits, Searcher};

use super::MOST_MOVES;
use super::line::{Flaw, Prover, Solved, nodes, wins_at_once};
use pentarch_engine::problem::{MOST_GRADE, NotAProblem, Problem, Theme};

/// The players who try each problem.
pub const PLAYERS: [Level; 3] = [Level::Novice, Level::Average, Level::Expert];
/// The weakest level whose tries count for the grade. A novice misses what is plain to see, too.
const WEAKEST_COUNTED: Level = Level::Average;
/// How often each tries.
const TRIES: u64 = 8;
/// The most nodes of a try.
const LEVEL_NODES: u64 = 10_000;
/// How many points make a grade. Each try that counts and fails is one.
const GRADE_POINTS: usize = 3;
/// The points of each move of the solver but the first one, up to the third, and those of a key that gives something up
/// or brings something onto the board: people look at such moves last.
const MORE_POINTS: usize = 2;
/// The size of the transposition table in MiB.
const HASH_MIB: usize = 1;

/// Judges positions of a game. All limits are numbers of nodes, so that a position is judged alike on any machine.
pub struct Judge<G: Game> {
    pub(super) rules: Arc<G>,
    /// For games of the engine with itself and for players who try a problem.
    pub(super) searcher: Searcher<G>,
    pub(super) prover: Prover<G>,
    /// The options of the rules that are not at their defaults.
    options: Vec<String>,
}

/// The position of a text as a problem under the rules that these options choose. Each proof may take so many nodes.
/// The control ends all of it.
///
/// # Errors
/// If it is no problem.
pub fn problem_of(
    options: &Options,
    position: &str,
    nodes: u64,
    control: &Arc<Control>,
) -> Result<Problem, NotAProblem> {
    GameId::chosen(options).visit(ProblemOf { options, position, nodes, control })
}

/// The position of a text as a problem.
struct ProblemOf<'a> {
    options: &'a Options,
    position: &'a str,
    nodes: u64,
    control: &'a Arc<Control>,
}

impl Visitor for ProblemOf<'_> {
    type Output = Result<Problem, NotAProblem>;

    fn visit<G: Game>(self) -> Result<Problem, NotAProblem> {
        if G::PLAYERS.len() != 2 {
            return Err(NotAProblem::TooManyPlayers);
        }
        let mut judge =
            Judge::<G>::new(self.options, self.nodes, false).ok_or(NotAProblem::NoMemory)?;
        judge.prover.control = self.control.clone();
        let position = judge.rules.parse_position(self.position)?;
        let problem =
            judge.problem(&GameHistory::new(judge.rules.clone(), position), &(1..=MOST_MOVES));
        // What a proof that was stopped has not found says nothing.
        if self.control.is_stopped() { Err(NotAProblem::Stopped) } else { problem }
    }
}

impl<G: Game> Judge<G> {
    /// A judge by the rules that these options choose; none if there is not enough memory. The other arguments are
    /// those of the [prover](Prover::new).
    pub fn new(options: &Options, nodes: u64, is_hasty: bool) -> Option<Judge<G>> {
        let rules = Arc::new(G::from_options(options));
        let searcher = Searcher::with_tables(rules.new_tables(None), HASH_MIB)?;
        let prover = Prover::new(rules.as_ref(), nodes, is_hasty)?;
        let options = changed_rules(options)
            .into_iter()
            .map(|(spec, value)| format!("{}={value}", spec.name))
            .collect();
        Some(Judge { rules, searcher, prover, options })
    }

    /// The current position of a game as a problem of one of these lengths. It begins a game of its own: what came
    /// before it does not count.
    ///
    /// # Errors
    /// If it is no problem.
    pub fn problem(
        &self,
        history: &GameHistory<G>,
        lengths: &RangeInclusive<u32>,
    ) -> Result<Problem, NotAProblem> {
        let place = GameHistory::new(self.rules.clone(), history.position().with_full_move(1));
        let solver = G::SIDES[place.side_to_move().index()];
        let text = |mv| self.rules.move_text(mv);
        if place.outcome().is_some() || history.outcome().is_some() {
            return Err(NotAProblem::Over);
        }
        let (least, most) = (*lengths.start(), *lengths.end());
        let Some((length, key)) = self.prover.win(&place, most) else {
            let draw = self.prover.draw(&place, most).filter(|solved| solved.length() >= least);
            let draw = draw.ok_or(NotAProblem::NoKey { solver, most })?;
            return Ok(self.described(&place, &draw, true));
        };
        if length < least {
            return Err(NotAProblem::TooShort { solver, length, least });
        }
        let at_once: Vec<G::Move> =
            place.legal_move_list().into_iter().filter(|&mv| wins_at_once(&place, mv)).collect();
        let solved = match at_once[..] {
            [_, other, ..] => Err(Flaw::AlsoWins(other)),
            _ => self.prover.solution(&place, length, key),
        };
        let key = text(key);
        Err(match solved {
            Ok(solved) => return Ok(self.described(&place, &solved, false)),
            Err(Flaw::Forced) => NotAProblem::Forced { key },
            Err(Flaw::AlsoWins(other)) => NotAProblem::AlsoWins { key, other: text(other) },
            Err(Flaw::Open) => NotAProblem::Unproven { key },
            Err(Flaw::Later) => NotAProblem::SeveralLater { key },
        })
    }

    /// The problem with its grade, its themes and a wrong move that tempts.
    pub(super) fn described(
        &self,
        place: &GameHistory<G>,
        solved: &Solved<G::Move>,
        is_draw: bool,
    ) -> Problem {
        let rules = self.rules.as_ref();
        let tries = PLAYERS.into_iter().flat_map(|level| (0..TRIES).map(move |seed| (level, seed)));
        let count = PLAYERS.len() * TRIES as usize;
        let (mut points, mut missed) = (0, Vec::new());
        for (level, seed) in tries {
            let Some((at, wrong)) = self.error(place, &solved.line, level, seed) else { continue };
            points += usize::from(level >= WEAKEST_COUNTED);
            missed.extend((at == 0).then_some(wrong));
        }
        // The wrong move that most of them choose, the first of several.
        let chosen = |wrong: &G::Move| missed.iter().filter(|other| *other == wrong).count();
        let tempting = missed.iter().rev().max_by_key(|wrong| chosen(wrong));
        let mut themes = self.themes(place, solved);
        themes.extend((2 * missed.len() > count).then_some(Theme::Surprise));
        themes.extend(is_draw.then_some(Theme::Draw));
        let is_unexpected =
            themes.contains(&Theme::Sacrifice) || themes.contains(&Theme::Placement);
        points += MORE_POINTS * (solved.length().min(3) as usize - 1 + usize::from(is_unexpected));
        Problem {
            rules: (G::ID.into(), self.options.clone()),
            position: rules.position_text(place.position()),
            solution: solved.line.iter().map(|&mv| rules.move_text(mv)).collect(),
            temptation: tempting.and_then(|&wrong| {
                let reply = refutation(rules, place.position(), wrong, &solved.refutations)?;
                Some([wrong, reply].map(|mv| rules.move_text(mv)))
            }),
            grade: (1 + (points / GRADE_POINTS) as u32).min(MOST_GRADE),
            themes,
        }
    }

    /// Where a player of this level errs in solving a problem with this solution: which move of the solver it misses,
    /// from 0, and what it plays instead. None if it finds all of them; of several last moves that win each is right.
    pub fn error(
        &self,
        place: &GameHistory<G>,
        line: &[G::Move],
        level: Level,
        seed: u64,
    ) -> Option<(usize, G::Move)> {
        let mut now = place.clone();
        for (at, moves) in line.chunks(2).enumerate() {
            if self.prover.control.is_stopped() {
                return None;
            }
            self.searcher.clear();
            let limits = Limits { level, seed: Some(seed), ..nodes(LEVEL_NODES) };
            let best = self.searcher.search(&now, &limits)?.best;
            if best != moves[0] && !wins_at_once(&now, best) {
                return Some((at, best));
            }
            moves.iter().for_each(|&mv| now.push(mv));
        }
        None
    }

    /// Whether the problem has this theme, as far as the solution tells.
    pub(super) fn may_have(
        &self,
        theme: Theme,
        place: &GameHistory<G>,
        solved: &Solved<G::Move>,
    ) -> bool {
        matches!(theme, Theme::Surprise | Theme::Draw)
            || self.themes(place, solved).contains(&theme)
    }

    /// The themes that the solution tells.
    fn themes(&self, place: &GameHistory<G>, solved: &Solved<G::Move>) -> Vec<Theme> {
        let (rules, key) = (self.rules.as_ref(), solved.line[0]);
        let details = rules.details(place.position(), key);
        let after = rules.play(place.position(), key);
        let lost =
            solved.line.get(1).map_or(0, |&reply| rules.details(&after, reply).captured.len());
        let threatens = || match rules.null_move(&after) {
            Some(again) => {
                let again = GameHistory::new(self.rules.clone(), again);
                self.prover.win(&again, 1).is_some()
            }
            None => true,
        };
        let has = |theme: &Theme| match theme {
            Theme::Capture => !details.captured.is_empty(),
            // A piece that becomes another kind is placed, too, and brings nothing onto the board.
            Theme::Placement => !details.placed.is_empty() && details.promoted != Some(true),
            Theme::Quiet => solved.line.len() > 1 && details.captured.is_empty() && !threatens(),
            Theme::Sacrifice => lost > details.captured.len(),
            Theme::Surprise | Theme::Draw => false,
        };
        Theme::ALL.into_iter().filter(has).collect()
    }
}

/// The one of these replies that refutes a wrong move.
fn refutation<G: Game>(
    rules: &G,
    position: &G::Position,
    wrong: G::Move,
    replies: &Replies<G::Move>,
) -> Option<G::Move> {
    let after = rules.play(position, wrong);
    let reply = replies.get(&rules.search_key(&after)).copied()?;
    let mut moves = Vec::new();
    rules.legal_moves(&after, &mut moves);
    moves.contains(&reply).then_some(reply)
}
