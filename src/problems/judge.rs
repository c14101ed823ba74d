//! Whether a position is a problem, and what is to be said of it: its grade, its themes, a wrong move that tempts.

use std::ops::RangeInclusive;
use std::sync::Arc;

use crate::core::{GameHistory, Options, Outcome, Turn};
use crate::engine::engine_state::changed_rules;
use crate::games::Game;
use crate::search::prover::Proof;
use crate::search::{Limits, Searcher};

use super::line::{Flaw, Prover, Solved};
use super::{MOST_GRADE, Problem, Theme};

/// The players who try each problem, by their `Skill Level`: a novice, an average one and an expert.
const PLAYERS: [u32; 3] = [2, 8, 14];
/// How often each tries.
const TRIES: u64 = 4;
/// The most nodes of a try.
const LEVEL_NODES: u64 = 10_000;
/// How many misses of these players, or what else makes a problem as hard, make a grade.
const MISSES: usize = 3;
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

/// The limits of a search with so many nodes.
pub(super) fn nodes<M>(nodes: u64) -> Limits<M> {
    Limits { nodes: Some(nodes), use_tablebases: false, ..Limits::default() }
}

impl<G: Game> Judge<G> {
    /// A judge by the rules that these options choose; none if there is not enough memory. The other arguments are
    /// those of the [prover](Prover::new).
    pub fn new(options: &Options, nodes: u64, is_hasty: bool) -> Option<Judge<G>> {
        let rules = Arc::new(G::from_options(options));
        let searcher = Searcher::with(rules.new_tables(None), HASH_MIB)?;
        let prover = Prover::new(rules.as_ref(), nodes, is_hasty)?;
        let options =
            changed_rules(options).into_iter().map(|(spec, value)| format!("{}={value}", spec.name)).collect();
        Some(Judge { rules, searcher, prover, options })
    }

    /// The current position of a game as a problem of one of these lengths. It begins a game of its own: what came
    /// before it does not count.
    ///
    /// # Errors
    /// If it is no problem; the error says why, as half a sentence.
    pub fn problem(&self, history: &GameHistory<G>, lengths: &RangeInclusive<u32>) -> Result<Problem, String> {
        let place = GameHistory::new(self.rules.clone(), history.position().with_full_move(1));
        let solver = G::SIDES[place.side_to_move().index()];
        let text = |mv| self.rules.move_text(mv);
        if place.outcome().is_some() || history.outcome().is_some() {
            return Err("the game is over there".into());
        }
        let Some((length, key)) = self.prover.win(&place, *lengths.end()) else {
            return Err(format!("no win of {solver} within {} was found", moves(*lengths.end())));
        };
        if length < *lengths.start() {
            return Err(format!("{solver} wins in {}, and not in {} or more", moves(length), lengths.start()));
        }
        let wins_at_once = |&mv: &G::Move| {
            let outcome = self.rules.outcome(&self.rules.play(place.position(), mv));
            outcome.and_then(Outcome::winner) == Some(place.side_to_move())
        };
        let at_once: Vec<G::Move> = place.legal_move_list().into_iter().filter(wins_at_once).collect();
        let solved = match at_once[..] {
            [_, other, ..] => Err(Flaw::AlsoWins(Some(other))),
            _ => self.prover.solution(&place, length, key),
        };
        let why = match solved {
            Ok(solved) => return Ok(self.described(&place, &solved)),
            Err(Flaw::Forced) => format!("{} is the only legal move", text(key)),
            Err(Flaw::AlsoWins(Some(other))) => format!("{} and {} both win", text(key), text(other)),
            Err(Flaw::AlsoWins(None)) => format!("{} is not the only move that wins", text(key)),
            Err(Flaw::Open) => format!("{} wins, but no proof was found that no other move does", text(key)),
            Err(Flaw::Later) => format!("after {} no line was found in which only one move wins each time", text(key)),
        };
        Err(why)
    }

    /// The problem with its grade, its themes and a wrong move that tempts.
    pub(super) fn described(&self, place: &GameHistory<G>, solved: &Solved<G::Move>) -> Problem {
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

/// So many moves, in words.
pub fn moves(count: u32) -> String {
    format!("{count} move{}", if count == 1 { "" } else { "s" })
}

/// The reply by which a proof refutes a wrong move.
fn refutation<G: Game>(rules: &G, position: &G::Position, wrong: G::Move, proof: &Proof<G::Move>) -> Option<G::Move> {
    let after = rules.play(position, wrong);
    let reply = proof.replies.get(&rules.search_key(&after)).copied()?;
    let mut moves = Vec::new();
    rules.legal_moves(&after, &mut moves);
    moves.contains(&reply).then_some(reply)
}
