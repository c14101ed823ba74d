//! Depth-first proof-number search (df-pn, Nagai 2002): it always looks next where least is left to be shown.

use std::cell::Cell;
use std::sync::Arc;

use crate::core::{Complete, Line, Side, TableValue, key};
use crate::search::control::Control;

use super::numbers::{Aims, NEVER, Numbers};
use super::table::ProofTable;
use super::terms::Terms;

/// The search was told to end, or had used up its nodes.
#[derive(Debug)]
pub struct Stopped;

/// The longest line that is looked at, in plies; a longer one does not count as a win.
const MAX_PLY: usize = 600;
/// Nodes between two looks at the clock.
const CHECK_EVERY: u64 = 128;
/// Nodes between two reports.
const WATCH_EVERY: u64 = 1 << 14;
/// Centipawns that make a new position one harder to win.
const EVALUATION_STEP: i32 = 100;
/// The most that the evaluation makes a new position harder.
const MOST_BY_EVALUATION: i32 = 20;

/// What is asked about a position.
#[derive(Debug, Clone)]
pub struct Question<G: Complete> {
    /// The game up to the position.
    pub line: Line<G>,
    /// The side that is to win.
    pub attacker: Side,
    /// The plies within which it is to win; none if any number will do.
    pub plies: Option<u32>,
    /// The moves that the position allows; all legal ones if there are none here.
    pub moves: Vec<G::Move>,
    /// Whether to ask tables of solved positions, if the game has them.
    pub solved: bool,
    /// The side against which the rules are [easier](crate::core::Probe::easier_against), if they are.
    pub easier: Option<Side>,
}

/// What an answer may cost, and has cost.
pub struct Effort<'a> {
    /// Tells when to end.
    pub control: &'a Control,
    /// Positions expanded so far.
    pub nodes: u64,
    /// The count of nodes at which to end.
    pub most_nodes: u64,
    /// Positions found in tables of solved ones so far.
    pub table_hits: Cell<u64>,
    /// Told the nodes from time to time.
    pub watch: &'a mut dyn FnMut(u64),
}

impl Effort<'_> {
    /// Whether nothing is left.
    pub fn is_over(&self) -> bool {
        self.nodes >= self.most_nodes || self.control.is_over()
    }

    /// Counts a node.
    fn spend(&mut self) -> Result<(), Stopped> {
        let is_over = self.nodes.is_multiple_of(CHECK_EVERY) && self.control.is_over();
        if is_over || self.nodes >= self.most_nodes || self.control.is_stopped() {
            return Err(Stopped);
        }
        self.nodes += 1;
        if self.nodes.is_multiple_of(WATCH_EVERY) {
            (self.watch)(self.nodes);
        }
        Ok(())
    }
}

/// How a position stands that need not be searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Known {
    /// The attacker wins, or has won, in so many plies.
    Won(u32),
    /// The attacker does not win.
    NotWon,
}

impl<G: Complete> Question<G> {
    /// Whether this side can force a win in any number of plies, with any of the legal moves.
    pub fn new(line: Line<G>, attacker: Side) -> Self {
        Question { line, attacker, plies: None, moves: Vec::new(), solved: true, easier: None }
    }

    /// The same question under rules that forbid the other side less: a claim that `side` upholds there holds here too.
    /// None if there are no such rules, and where the answer depends on what the game does not tell under them: what
    /// has occurred twice, and how long a win takes exactly.
    pub fn easier_against(&self, side: Side) -> Option<Self> {
        if self.plies.is_some() || self.line.has_repeated() {
            return None;
        }
        let game = Arc::new(self.line.game().easier_against(side)?);
        Some(Question { line: Line::new(game, *self.line.position()), easier: Some(side), ..self.clone() })
    }

    /// How a position below the root stands, if the game has ended there or a table knows it. The third occurrence of a
    /// position ends the game on whatever way it is reached if both earlier ones are played already: these are in
    /// `twice`.
    pub fn known(&self, position: &G::Position, twice: &[u64]) -> Option<Known> {
        self.decided(position, twice).or_else(|| self.tabled(position, twice))
    }

    /// How the game has ended in a position, if it has.
    fn decided(&self, position: &G::Position, twice: &[u64]) -> Option<Known> {
        let game = self.line.game();
        let outcome = game.outcome(position).or_else(|| {
            let third = !twice.is_empty() && twice.contains(&game.repetition_key(position));
            third.then(|| game.repetition_outcome(position)).flatten()
        })?;
        Some(if outcome.winner() == Some(self.attacker) { Known::Won(0) } else { Known::NotWon })
    }

    /// What a table knows of an undecided position.
    fn tabled(&self, position: &G::Position, twice: &[u64]) -> Option<Known> {
        // A table does not know what has occurred twice already.
        if !twice.is_empty() {
            return None;
        }
        let game = self.line.game();
        let value = if self.solved { game.probe(position) } else { game.compute(position) };
        let attacks = game.side_to_move(position) == self.attacker;
        Some(match value? {
            TableValue::Win(plies) if attacks => Known::Won(plies),
            TableValue::Loss(plies) if !attacks => Known::Won(plies),
            _ => Known::NotWon,
        })
    }
}

/// What is known of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Finding {
    /// How much is left to be shown.
    pub numbers: Numbers,
    /// The terms on which it is settled, if it is and there are terms.
    terms: Terms,
}

impl Finding {
    /// Nothing but these numbers.
    fn open(numbers: Numbers) -> Finding {
        Finding { numbers, terms: Terms::default() }
    }
}

/// The state of a search.
pub struct Solver<'a, 'e, G: Complete> {
    question: &'a Question<G>,
    table: &'a mut ProofTable,
    /// What the search costs.
    pub effort: &'a mut Effort<'e>,
    /// What has occurred twice already when the question is asked, by its repetition key.
    twice: Vec<u64>,
    /// Whether tables tell exactly how long a win takes.
    exact: bool,
    /// The way from where the search began to where it is.
    line: Line<G>,
    /// The children of the nodes on that way, one after the other.
    children: Vec<Child<G>>,
    moves: Vec<G::Move>,
}

/// A position one move further on.
#[derive(Debug, Clone, Copy)]
struct Child<G: Complete> {
    mv: G::Move,
    found: Finding,
}

impl<'a, 'e, G: Complete> Solver<'a, 'e, G> {
    /// A search with what the table knows already: it must be of the same question.
    pub fn new(question: &'a Question<G>, table: &'a mut ProofTable, effort: &'a mut Effort<'e>) -> Self {
        Solver {
            question,
            table,
            effort,
            twice: question.line.repeated_keys(),
            exact: question.line.game().easier_against(question.attacker).is_none(),
            line: Line::new(question.line.game().clone(), *question.line.position()),
            children: Vec::new(),
            moves: Vec::new(),
        }
    }

    /// Settles whether the attacker wins from a position that comes about this many plies after the root. A win is
    /// certain; a refutation holds only if repetitions would be refutations on whatever way they come about.
    ///
    /// # Errors
    /// If the search must end before.
    pub fn settle(&mut self, position: &G::Position, ply: u32) -> Result<bool, Stopped> {
        self.line = Line::new(self.question.line.game().clone(), *position);
        self.children.clear();
        let open = Numbers { win: NEVER, refuted: NEVER };
        Ok(self.search(ply, open)?.numbers.win == 0)
    }

    /// What is asked.
    pub fn question(&self) -> &'a Question<G> {
        self.question
    }

    /// How a position below the root stands that need not be searched.
    pub fn known(&self, position: &G::Position) -> Option<Known> {
        self.question.known(position, &self.twice)
    }

    /// The positions one move after this one.
    pub fn children(&self, position: &G::Position, ply: u32) -> Vec<G::Position> {
        let game = self.question.line.game();
        self.moves(position, ply).into_iter().map(|mv| game.play(position, mv)).collect()
    }

    /// The moves of a position: of the root, those that the question allows.
    pub fn moves(&self, position: &G::Position, ply: u32) -> Vec<G::Move> {
        let mut moves = Vec::new();
        self.list_moves(position, ply, &mut moves);
        moves
    }

    /// What is known of a position so many plies after the root, as it is or as it looks at first.
    pub fn judge(&self, position: &G::Position, ply: u32) -> Finding {
        self.look_up(position, ply).unwrap_or_else(|| self.first_look(position, ply))
    }

    /// What is known of a position so many plies after the root, without looking further.
    fn look_up(&self, position: &G::Position, ply: u32) -> Option<Finding> {
        let on_terms = self.past(position).and_then(|past| {
            let (numbers, terms) = self.table.settled(self.key_without_past(position, ply), past)?;
            Some(Finding { numbers, terms })
        });
        on_terms.or_else(|| self.table.get(self.key(position, ply)).map(Finding::open))
    }

    /// What is forbidden to the attacker and to the other side, if that matters only on [terms](Terms).
    fn past(&self, position: &G::Position) -> Option<[u64; 2]> {
        let [first, second] = self.question.line.game().forbidden(position)?;
        Some(if self.question.attacker == Side::First { [first, second] } else { [second, first] })
    }

    /// Takes note of what was found out about a position elsewhere.
    pub fn note(&mut self, position: &G::Position, ply: u32, numbers: Numbers) {
        self.keep(position, ply, self.just_so(position, numbers), u64::MAX);
    }

    /// Takes note of what was found out about a position with so many nodes.
    fn keep(&mut self, position: &G::Position, ply: u32, found: Finding, nodes: u64) {
        if found.numbers.is_settled() && self.past(position).is_some() {
            let key = self.key_without_past(position, ply);
            self.table.settle(key, found.numbers, found.terms, nodes);
        } else {
            self.table.put(self.key(position, ply), found.numbers, nodes);
        }
    }

    /// These numbers for a position with no other past than its own.
    fn just_so(&self, position: &G::Position, numbers: Numbers) -> Finding {
        let terms = self.past(position).map(|past| Terms::exactly(numbers.winner_first(past)));
        Finding { numbers, terms: terms.unwrap_or_default() }
    }

    /// The key of a position: where the plies are limited, those left are part of it, and where the rules are easier,
    /// the side against which they are.
    pub fn key(&self, position: &G::Position, ply: u32) -> u64 {
        self.key_for_question(self.question.line.game().search_key(position), ply)
    }

    /// The key of a position without its past.
    fn key_without_past(&self, position: &G::Position, ply: u32) -> u64 {
        let game = self.question.line.game();
        self.key_for_question(game.search_key(&game.without_past(position)), ply)
    }

    fn key_for_question(&self, key: u64, ply: u32) -> u64 {
        let Question { plies, easier, .. } = self.question;
        match (plies, easier) {
            (Some(plies), _) => key::hash(&[key, u64::from(plies.saturating_sub(ply))]),
            (None, Some(side)) => key ^ key::hash(&[*side as u64]),
            (None, None) => key,
        }
    }

    /// Searches the current position until it is settled or one of its numbers has reached the limit.
    fn search(&mut self, ply: u32, limit: Numbers) -> Result<Finding, Stopped> {
        let position = *self.line.position();
        // Whoever repeats does not get on: a win never rests on it. Where the plies are limited nothing else is needed.
        let repeats = self.question.plies.is_none() && self.line.earlier_occurrences().next().is_some();
        if repeats || self.line.len() >= MAX_PLY {
            return Ok(self.just_so(&position, Numbers::REFUTED));
        }
        let before = self.effort.nodes;
        self.effort.spend()?;
        let list = self.children.len();
        self.generate(&position, ply);
        let result = self.search_children(ply, list, limit);
        let found = result.map(|numbers| Finding { numbers, terms: self.terms(&position, numbers, list) });
        self.children.truncate(list);
        let found = found?;
        self.keep(&position, ply, found, self.effort.nodes - before);
        Ok(found)
    }

    /// The terms on which a position is settled, if it is, from those of its children.
    fn terms(&self, position: &G::Position, numbers: Numbers, list: usize) -> Terms {
        let game = self.question.line.game();
        if !numbers.is_settled() || game.forbidden(position).is_none() {
            return Terms::default();
        }
        let attacks = game.side_to_move(position) == self.question.attacker;
        let children = &self.children[list..];
        let before = |child: &Child<G>| child.found.terms.before(game.set_by(child.mv));
        if numbers.aims(attacks).own == 0 {
            // One child is enough.
            let reached = children.iter().filter(|child| child.found.numbers.aims(attacks).own == 0);
            let terms = reached.map(|child| before(child).and_free(game.forbids(child.mv)));
            terms.min_by_key(|terms| terms.count()).unwrap_or_default()
        } else {
            children.iter().map(before).fold(Terms::forbidden(game.forbidden_now(position)), Terms::and)
        }
    }

    /// Searches the most promising child, again and again.
    fn search_children(&mut self, ply: u32, list: usize, limit: Numbers) -> Result<Numbers, Stopped> {
        let game = self.question.line.game();
        let attacks = game.side_to_move(self.line.position()) == self.question.attacker;
        let limit = limit.aims(attacks);
        loop {
            let children = &self.children[list..];
            let aims = Aims::of_children(children.iter().map(|child| child.found.numbers.aims(attacks)));
            if aims.own == 0 || aims.other == 0 || aims.own >= limit.own || aims.other >= limit.other {
                return Ok(aims.numbers(attacks));
            }
            let rank = |child: &Child<G>| child.found.numbers.aims(attacks).own;
            let Some(best) = (0..children.len()).min_by_key(|&at| rank(&children[at])) else {
                return Ok(Numbers::REFUTED);
            };
            let others = children.iter().enumerate().filter(|&(at, _)| at != best);
            let second = others.map(|(_, child)| rank(child)).min().unwrap_or(NEVER);
            let open = children.iter().filter(|child| child.found.numbers.aims(attacks).other != 0).count() as u32;
            // The child may become a quarter worse than the next best one before that one is looked at: less to and
            // fro.
            let own = limit.own.min(second.saturating_add(second / 4).saturating_add(1));
            let other = if limit.other == NEVER { NEVER } else { limit.other.saturating_sub(open - 1) };
            let mv = children[best].mv;
            self.line.push(mv);
            let found = self.search(ply + 1, Aims { own, other }.numbers(attacks));
            self.line.pop();
            self.children[list + best].found = found?;
        }
    }

    /// Appends the children of a position, with what is known of them.
    fn generate(&mut self, position: &G::Position, ply: u32) {
        let mut moves = std::mem::take(&mut self.moves);
        moves.clear();
        self.list_moves(position, ply, &mut moves);
        for &mv in &moves {
            let found = self.judge(&self.question.line.game().play(position, mv), ply + 1);
            self.children.push(Child { mv, found });
        }
        self.moves = moves;
    }

    /// Appends the moves of a position.
    fn list_moves(&self, position: &G::Position, ply: u32, moves: &mut Vec<G::Move>) {
        if ply == 0 && !self.question.moves.is_empty() {
            moves.extend(&self.question.moves);
        } else {
            self.question.line.game().legal_moves(position, moves);
        }
    }

    /// What is known of a position that is seen for the first time.
    fn first_look(&self, position: &G::Position, ply: u32) -> Finding {
        let game = self.question.line.game();
        let attacks = game.side_to_move(position) == self.question.attacker;
        let left = self.question.plies.map(|plies| plies.saturating_sub(ply));
        if let Some(known) = self.question.decided(position, &self.twice) {
            let numbers = if known == Known::NotWon { Numbers::REFUTED } else { Numbers::WON };
            // Who is to move and has lost may have lost by what is forbidden now, and by nothing else.
            return match numbers.aims(attacks).own {
                0 => self.just_so(position, numbers),
                _ => Finding { numbers, terms: Terms::forbidden(game.forbidden_now(position)) },
            };
        }
        let tabled = self.question.tabled(position, &self.twice);
        self.effort.table_hits.update(|hits| hits + u64::from(tabled.is_some()));
        let settled = match tabled {
            Some(Known::Won(plies)) if left.is_none_or(|left| plies <= left) => Some(Numbers::WON),
            Some(Known::Won(_)) if self.exact => Some(Numbers::REFUTED),
            Some(Known::NotWon) => Some(Numbers::REFUTED),
            _ if left == Some(0) => Some(Numbers::REFUTED),
            _ => None,
        };
        if let Some(numbers) = settled {
            return self.just_so(position, numbers);
        }
        let evaluation = game.evaluate(position, &game.study(position)) * if attacks { 1 } else { -1 };
        let harder = |by: i32| 1 + (by / EVALUATION_STEP).clamp(0, MOST_BY_EVALUATION) as u32;
        Finding::open(Numbers { win: harder(-evaluation), refuted: harder(evaluation) })
    }
}
