//! `go mate`: whether the side to move can force a win within a number of moves, and how.

use std::cmp::Reverse;
use std::sync::Arc;

use crate::core::{GameHistory, Searchable, Side};

use super::control::Control;
use super::prover::proof_table::ProofTable;
use super::prover::question::{Effort, Question};
use super::prover::{Proof, Verdict, prove};
use super::transposition::TranspositionTable;
use super::worker::Stopped;
use super::{Answer, Info, Limits, score};

/// The greatest number of nodes of the prover for each entry of its table, before alpha-beta search takes over.
const NODES_PER_ENTRY: u64 = 8;
/// The least number of nodes for the search for a shorter win.
const MIN_NODES_TO_SHORTEN: u64 = 100_000;
/// The number of nodes with which a move is chosen if there is no win.
const NODES_WITHOUT_WIN: u64 = 200_000;

/// Looks for a win within the number of moves that the limits give, by proof-number search with a table as large as the
/// transposition table.
///
/// When it has found a win it looks for shorter ones, with no more nodes than the first one took; so the number of
/// moves that is reported is the most that the win takes, and not always the least. If there is no win, or if the
/// proof-number search gives up, alpha-beta search gives the answer: in the first case it chooses a move as usual, in
/// the second it goes on looking for the win exhaustively.
pub fn search<G: Searchable>(
    history: &GameHistory<G>,
    tables: &Arc<G::Tables>,
    limits: &Limits<G::Move>,
    table: &TranspositionTable,
    control: &Control,
    report: &mut impl FnMut(Info<G::Move>),
) -> Option<Answer<G::Move>> {
    if !G::SIDES_ALTERNATE {
        return search_by_turns(history, tables, limits, table, control, report);
    }
    let max_nodes = limits.nodes.unwrap_or(u64::MAX);
    let mut mate_search = MateSearch {
        history,
        tables,
        limits,
        control,
        table: ProofTable::new(table.mib(), history.rules().as_ref()).unwrap_or_default(),
        nodes: 0,
        table_hits: 0,
    };
    let (win, is_refuted) = mate_search.run();
    let (nodes, table_hits) = (mate_search.nodes, mate_search.table_hits);
    if let Some(proof) = win {
        let pv = proof.principal_variation(&mate_search.question(None));
        let plies = proof.checked.plies as usize;
        let score = score::win_at(plies.min(score::MAX_PLY));
        let time = control.elapsed();
        let (depth, best) = (plies as i32, *pv.first()?);
        let per_mille_full = table.per_mille_full();
        let (seldepth, rank, is_known, is_exact, pv) = (plies, 1, false, false, &pv[..]);
        report(Info { depth, seldepth, rank, score, is_known, is_exact, pv, nodes, table_hits, per_mille_full, time });
        return Some(Answer { best, ponder: pv.get(1).copied(), score: Some(score), nodes, faults: Vec::new() });
    }
    let left = max_nodes.saturating_sub(nodes);
    let rest = match is_refuted {
        true => Limits { mate: None, nodes: Some(left.min(NODES_WITHOUT_WIN)), ..limits.clone() },
        false => Limits { nodes: limits.nodes.and(Some(left)), ..limits.clone() },
    };
    let answer = super::choose_move(history, tables, &rest, table, control, |info| {
        report(Info { nodes: info.nodes + nodes, table_hits: info.table_hits + table_hits, ..info });
    })?;
    Some(Answer { nodes: answer.nodes + nodes, ..answer })
}

/// The state of a search for a win within a number of moves.
struct MateSearch<'a, G: Searchable> {
    history: &'a GameHistory<G>,
    tables: &'a Arc<G::Tables>,
    limits: &'a Limits<G::Move>,
    control: &'a Control,
    table: ProofTable,
    nodes: u64,
    table_hits: u64,
}

impl<G: Searchable> MateSearch<'_, G> {
    /// The shortest win found, and whether it is proved that there is no win within the number of moves.
    fn run(&mut self) -> (Option<Proof<G::Move>>, bool) {
        let max_plies = self.limits.mate.unwrap_or(0).saturating_mul(2);
        let max_nodes = (self.table.capacity() as u64 * NODES_PER_ENTRY).min(self.limits.nodes.unwrap_or(u64::MAX));
        let mut plies = self.limits.depth.unwrap_or(max_plies).min(max_plies).min(score::MAX_PLY as u32);
        let mut verdict = self.ask(plies, max_nodes);
        let is_refuted = matches!(verdict, Verdict::NotWithin);
        let mut win = None;
        while let Verdict::Proved(proof) = verdict {
            plies = plies.min(proof.checked.plies).saturating_sub(1);
            win = Some(proof);
            let budget = self.nodes.max(MIN_NODES_TO_SHORTEN).min(max_nodes.saturating_sub(self.nodes));
            verdict = if plies == 0 { Verdict::NotWithin } else { self.ask(plies, budget) };
        }
        (win, is_refuted)
    }

    /// Asks the prover for a win within so many plies, and lets it search so many more nodes.
    fn ask(&mut self, plies: u32, more_nodes: u64) -> Verdict<G::Move> {
        let max_nodes = self.nodes.saturating_add(more_nodes);
        let mut effort = Effort {
            control: self.control,
            nodes: self.nodes,
            max_nodes,
            table_hits: self.table_hits.into(),
            watch: &mut |_| {},
        };
        let verdict = prove(&self.question(Some(plies)), &mut self.table, &mut effort);
        (self.nodes, self.table_hits) = (effort.nodes, effort.table_hits.get());
        verdict
    }

    fn question(&self, plies: Option<u32>) -> Question<G> {
        let attacker = self.history.side_to_move();
        let (moves, use_tablebases) = (self.limits.moves.clone(), self.limits.use_tablebases);
        Question { plies, moves, use_tablebases, ..Question::new(self.history.clone(), self.tables.clone(), attacker) }
    }
}

/// The same where a side can move twice in a row, so that moves and not plies count: a depth-first search of the moves
/// of the side and of all replies, with one move of the side more each time. Where more than two players play, a win
/// by force is rare but near the end.
fn search_by_turns<G: Searchable>(
    history: &GameHistory<G>,
    tables: &Arc<G::Tables>,
    limits: &Limits<G::Move>,
    table: &TranspositionTable,
    control: &Control,
    report: &mut impl FnMut(Info<G::Move>),
) -> Option<Answer<G::Move>> {
    let max_nodes = limits.nodes.unwrap_or(u64::MAX);
    let mut by_turns =
        SearchByTurns { history: history.clone(), control, attacker: history.side_to_move(), nodes: 0, max_nodes };
    let mut win = None;
    for moves in 1..=limits.mate.unwrap_or(0) {
        match by_turns.line(&limits.moves, moves) {
            Ok(None) => {}
            Ok(line) => win = line,
            Err(Stopped) => break,
        }
        if win.is_some() {
            break;
        }
    }
    let nodes = by_turns.nodes;
    if let Some(Line { moves: pv, .. }) = win {
        let (plies, time) = (pv.len(), control.elapsed());
        let score = score::win_at(plies.min(score::MAX_PLY));
        let (depth, seldepth, rank, is_known, is_exact, pv) = (plies as i32, plies, 1, false, false, &pv[..]);
        let (table_hits, per_mille_full) = (0, 0);
        report(Info { depth, seldepth, rank, score, is_known, is_exact, pv, nodes, table_hits, per_mille_full, time });
        return Some(Answer { best: pv[0], ponder: pv.get(1).copied(), score: Some(score), nodes, faults: Vec::new() });
    }
    let left = max_nodes.saturating_sub(nodes).min(NODES_WITHOUT_WIN);
    let rest = Limits { mate: None, nodes: Some(left), ..limits.clone() };
    let answer = super::choose_move(history, tables, &rest, table, control, |info| {
        report(Info { nodes: info.nodes + nodes, ..info });
    })?;
    Some(Answer { nodes: answer.nodes + nodes, ..answer })
}

/// A way to win: the moves, and how many of them are those of the side that wins.
struct Line<M> {
    moves: Vec<M>,
    own: u32,
}

/// The state of a search for a win within so many moves of a side.
struct SearchByTurns<'a, G: Searchable> {
    history: GameHistory<G>,
    control: &'a Control,
    attacker: Side,
    nodes: u64,
    max_nodes: u64,
}

impl<G: Searchable> SearchByTurns<'_, G> {
    /// A win of the attacker within so many of its own moves, whatever the others reply, if there is one: the line in
    /// which it needs the most of them. `moves` are those to be tried now.
    ///
    /// # Errors
    /// If the search must end.
    fn line(&mut self, moves: &[G::Move], own: u32) -> Result<Option<Line<G::Move>>, Stopped> {
        let is_own = self.history.side_to_move() == self.attacker;
        let left = own - u32::from(is_own);
        let mut longest: Option<Line<G::Move>> = None;
        for &mv in moves {
            self.history.push(mv);
            let below = self.below(left);
            self.history.pop();
            match below? {
                None if is_own => {}
                None => return Ok(None),
                Some(mut line) => {
                    line.moves.insert(0, mv);
                    line.own += u32::from(is_own);
                    if longest.as_ref().is_none_or(|longest| line.own > longest.own) {
                        longest = Some(line);
                    }
                    if is_own {
                        break;
                    }
                }
            }
        }
        Ok(longest)
    }

    /// The same below a move that was made.
    fn below(&mut self, left: u32) -> Result<Option<Line<G::Move>>, Stopped> {
        self.nodes += 1;
        if self.nodes >= self.max_nodes || self.control.is_over() {
            return Err(Stopped);
        }
        if let Some(outcome) = self.history.outcome() {
            return Ok((outcome.winner() == Some(self.attacker)).then(|| Line { moves: Vec::new(), own: 0 }));
        }
        if left == 0 {
            return Ok(None);
        }
        let (rules, position) = (self.history.rules(), self.history.position());
        let mut moves = Vec::new();
        self.history.legal_moves(&mut moves);
        let cache = rules.eval_cache(position);
        let ordering_score = rules.move_ordering_scores(position, &cache);
        moves.sort_by_key(|&mv| Reverse(ordering_score(mv)));
        drop(ordering_score);
        self.line(&moves, left)
    }
}

/// The score as it is reported: the same, but that a win or a loss by force is as far away as the moves of the side to
/// move say. Where a side can move twice in a row, these are counted in the principal variation, and beyond its end as
/// if nobody were passed over.
pub fn score_in_own_moves<G: Searchable>(history: &GameHistory<G>, score: i32, pv: &[G::Move]) -> i32 {
    if G::SIDES_ALTERNATE || !score::is_proven(score) {
        return score;
    }
    let (mut line, rules) = (history.clone(), history.rules());
    let mover = line.player_to_move();
    let side = rules.side_of_player(mover);
    let is_own = |player: usize| player == mover || side.is_some() && rules.side_of_player(player) == side;
    let plies = score::plies_to_end(score).max(0) as usize;
    let mut moves = 0;
    for &mv in pv.iter().take(plies) {
        moves += i32::from(is_own(line.player_to_move()));
        line.push(mv);
    }
    let beyond = (0..plies.saturating_sub(pv.len())).map(|ply| (line.player_to_move() + ply) % G::PLAYERS.len());
    moves += beyond.filter(|&player| is_own(player)).count() as i32;
    score::mate(if score > 0 { moves } else { -moves })
}
