//! `go mate`: the search for a forced win of the side to move within a number of moves.

use std::cell::Cell;
use std::slice;

use pentarch_core::{GameHistory, Searchable, Side};

use super::control::SearchControl;
use super::known_value::{KnownValue, KnownValueLookup};
use super::prover::proof_table::ProofTable;
use super::prover::question::{ProofBudget, ProofQuestion};
use super::prover::{ProofVerdict, prove};
use super::root_move::RootMove;
use super::search_worker::SearchStopped;
use super::win_confirmation::ReportPreparationBudget;
use super::{
    Limits, SearchContext, SearchEvent, SearchReport, SearchResult, iterative_deepening,
    move_ordering, proven_line, score, strength_levels,
};

/// The maximum number of nodes that the prover may search for each entry of its table. If this is
/// not enough, alpha-beta search takes over.
const PROVER_NODES_PER_TABLE_ENTRY: u64 = 8;
/// The minimum number of nodes that the prover may search to look for a shorter win.
const MIN_NODES_TO_SHORTEN_WIN: u64 = 100_000;
/// The number of nodes that alpha-beta search may search to choose a move if there is no win.
const FALLBACK_MOVE_NODES: u64 = 200_000;

/// Searches for a win within the number of moves in the limits. The function uses proof-number
/// search, with a table as large as the transposition table. Returns `None` if the limits contain
/// no number of moves, or no moves to choose from.
///
/// After it has found a win, the function searches for shorter wins. Each further search may take
/// as many nodes as all searches before it, or [`MIN_NODES_TO_SHORTEN_WIN`] if this number is
/// greater. So the reported number of moves is an upper bound, not always the minimum. If there is
/// no win, alpha-beta search chooses a move as usual. If the proof-number search gives up,
/// alpha-beta search continues the search for the win exhaustively.
pub(super) fn search_mate<G: Searchable>(
    context: &SearchContext<G>,
    on_event: &mut dyn FnMut(SearchEvent<G::Move>),
) -> Option<SearchResult<G::Move>> {
    let limits = context.limits;
    let moves = limits.mate.filter(|_| !limits.moves.is_empty())?;
    let found = if is_mate_answer_known(context, moves) {
        MateSearchOutcome { win: None, may_have_win: false, nodes: 0, table_hits: 0 }
    } else if G::SIDES_ALTERNATE {
        search_mate_by_proof(context, moves)
    } else {
        ConsecutiveTurnMateSearch::run(context, moves)
    };
    let MateSearchOutcome { win, may_have_win, nodes, table_hits } = found;
    if let Some(win) = win {
        let root = complete_mate_line(context, win, nodes);
        let score = root.stored_line_score();
        let plies = score::plies_to_end(score) as usize;
        let pv = root.pv;
        on_event(SearchEvent::Report(SearchReport {
            depth: plies as i32,
            seldepth: plies,
            score,
            nodes,
            table_hits,
            ..context.report_for_line(&pv)
        }));
        return Some(SearchResult {
            table_hits,
            ..SearchResult::from_pv(&pv, Some(score), nodes)?
        });
    }
    let left = limits.nodes.map(|most| most.saturating_sub(nodes));
    let rest = match may_have_win {
        true => Limits { nodes: left, ..limits.clone() },
        false => Limits {
            mate: None,
            nodes: Some(left.unwrap_or(u64::MAX).min(FALLBACK_MOVE_NODES)),
            ..limits.clone()
        },
    };
    let rest = &SearchContext { limits: &rest, ..*context };
    let total = |result: SearchResult<G::Move>| SearchResult {
        nodes: result.nodes + nodes,
        table_hits: result.table_hits + table_hits,
        ..result
    };
    let mut on_event = |event: SearchEvent<G::Move>| match event {
        SearchEvent::Report(info) => on_event(SearchEvent::Report(SearchReport {
            nodes: info.nodes + nodes,
            table_hits: info.table_hits + table_hits,
            ..info
        })),
        SearchEvent::Result(result) => on_event(SearchEvent::Result(&total(result.clone()))),
    };
    strength_levels::choose_level_move(rest, &mut |info| on_event(SearchEvent::Report(info)))
        .or_else(|| iterative_deepening::search_with_all_threads(rest, &mut on_event))
        .map(total)
}

/// Returns whether known values already show that a move wins within `moves` moves, or that no move
/// does. In this case alpha-beta search, which uses these values, chooses the move.
fn is_mate_answer_known<G: Searchable>(context: &SearchContext<G>, moves: u32) -> bool {
    let SearchContext { history, limits, .. } = *context;
    if !limits.use_tablebases || !G::SIDES_ALTERNATE {
        return false;
    }
    let side = history.side_to_move();
    let known = KnownValueLookup::without_tables(history).values(&limits.moves);
    let wins_in_time = |value: KnownValue| {
        value.winner == Some(side)
            && value.plies.is_some_and(|plies| plies < moves.saturating_mul(2))
    };
    let is_no_win =
        |value: &Option<KnownValue>| value.is_some_and(|value| value.winner != Some(side));
    is_no_win(&known.position)
        || known.moves.iter().all(is_no_win)
        || known.moves.into_iter().flatten().any(wins_in_time)
}

/// Completes the principal variation of a win. The prover's variation ends where tables contain the
/// rest, or where the rules decide the game without a search. `nodes` is the number of nodes of the
/// search for the win.
fn complete_mate_line<G: Searchable>(
    context: &SearchContext<G>,
    ForcedWin { plies, pv }: ForcedWin<G::Move>,
    nodes: u64,
) -> RootMove<G::Move> {
    let score = score::win_score_at_ply(plies.min(score::MAX_SEARCH_PLIES));
    let mut root = RootMove { score, ..RootMove::new(pv[0]) };
    root.pv = pv;
    if G::SIDES_ALTERNATE {
        let repeated = match context.history.can_end_by_repetition() {
            true => context.history.repeated_keys(),
            false => Vec::new(),
        };
        let budget = &mut ReportPreparationBudget::for_completing_lines(nodes);
        proven_line::complete_proven_line(
            context,
            &repeated,
            budget,
            slice::from_mut(&mut root),
            0,
        );
    }
    root
}

/// A win within a number of moves.
struct ForcedWin<M> {
    /// The maximum number of plies that the win takes.
    plies: usize,
    /// The principal variation of the win.
    pv: Vec<M>,
}

struct MateSearchOutcome<M> {
    win: Option<ForcedWin<M>>,
    /// Whether a win is still possible although none was found, because the search was not
    /// complete.
    may_have_win: bool,
    nodes: u64,
    table_hits: u64,
}

/// Asks the prover whether there is a win within `moves` moves. If there is such a win, asks for
/// shorter wins.
fn search_mate_by_proof<G: Searchable>(
    context: &SearchContext<G>,
    moves: u32,
) -> MateSearchOutcome<G::Move> {
    let SearchContext { history, tables, limits, table, control } = *context;
    let mut table = ProofTable::new(table.size_mib(), history.rules().as_ref()).unwrap_or_default();
    let max_nodes = (table.capacity() as u64 * PROVER_NODES_PER_TABLE_ENTRY)
        .min(limits.nodes.unwrap_or(u64::MAX));
    let question = |plies| {
        let question = ProofQuestion::new(history.clone(), tables.clone(), history.side_to_move());
        ProofQuestion {
            plies,
            moves: limits.moves.clone(),
            use_tablebases: limits.use_tablebases,
            ..question
        }
    };
    let mut budget = ProofBudget {
        control,
        nodes: 0,
        max_nodes,
        table_hits: Cell::new(0),
        on_progress: &mut |_| {},
    };
    let max_plies = moves.saturating_mul(2);
    let mut plies =
        limits.depth.unwrap_or(max_plies).min(max_plies).min(score::MAX_SEARCH_PLIES as u32);
    let mut verdict = prove(&question(Some(plies)), &mut table, &mut budget);
    let may_have_win = !matches!(verdict, ProofVerdict::NotWithin);
    let mut win = None;
    while let ProofVerdict::Proved(proof) = verdict {
        // A leaf of the proof can be a position whose bound in the tables is longer than the win
        // that the search has found.
        let most = plies.min(proof.size.plies);
        win = Some((most, proof));
        plies = most.saturating_sub(1);
        let left = max_nodes.saturating_sub(budget.nodes);
        let nodes_to_shorten = budget.nodes.max(MIN_NODES_TO_SHORTEN_WIN).min(left);
        budget.max_nodes = budget.nodes.saturating_add(nodes_to_shorten);
        verdict = match plies {
            0 => ProofVerdict::NotWithin,
            _ => prove(&question(Some(plies)), &mut table, &mut budget),
        };
    }
    let win = win.map(|(most, proof)| ForcedWin {
        plies: most as usize,
        pv: proof.principal_variation(&question(None)),
    });
    MateSearchOutcome {
        win,
        may_have_win,
        nodes: budget.nodes,
        table_hits: budget.table_hits.get(),
    }
}

/// A winning line: its moves, and the number of moves that the winner makes.
struct WinningLine<M> {
    moves: Vec<M>,
    own_moves: u32,
}

/// The search for a win within a number of moves, for games in which a side can move twice in a
/// row. In such a game the limit counts the moves of one side, not plies. The search is
/// depth-first: it tries the moves of this side and all replies. The search first looks for a win
/// in one move, then in two, and so on. With more than two players, forced wins are rare except
/// near the end.
struct ConsecutiveTurnMateSearch<'a, G: Searchable> {
    history: GameHistory<G>,
    control: &'a SearchControl,
    attacker: Side,
    nodes: u64,
    max_nodes: u64,
}

impl<G: Searchable> ConsecutiveTurnMateSearch<'_, G> {
    /// Searches for a win within `moves` moves.
    fn run(context: &SearchContext<G>, moves: u32) -> MateSearchOutcome<G::Move> {
        let SearchContext { history, limits, control, .. } = *context;
        let mut search = ConsecutiveTurnMateSearch {
            history: history.clone(),
            control,
            attacker: history.side_to_move(),
            nodes: 0,
            max_nodes: limits.nodes.unwrap_or(u64::MAX),
        };
        let line =
            (1..=moves).map_while(|own| search.find_win(&limits.moves, own).ok()).flatten().next();
        let win = line.map(|line| ForcedWin { plies: line.moves.len(), pv: line.moves });
        MateSearchOutcome { win, may_have_win: false, nodes: search.nodes, table_hits: 0 }
    }

    /// Tries `moves` in the current position. Returns a line by which the attacker wins with at
    /// most `own` further moves of its own, whatever the opponent replies. In this line, the
    /// opponent makes the replies that cost the attacker the most moves. Returns `None` if there is
    /// no such win.
    ///
    /// # Errors
    /// If the search must end.
    fn find_win(
        &mut self,
        moves: &[G::Move],
        own: u32,
    ) -> Result<Option<WinningLine<G::Move>>, SearchStopped> {
        let is_own = self.history.side_to_move() == self.attacker;
        let left = own - u32::from(is_own);
        let mut longest: Option<WinningLine<G::Move>> = None;
        for &mv in moves {
            self.history.push(mv);
            let found = self.search_after_move(left);
            self.history.pop();
            match found? {
                None if is_own => {}
                None => return Ok(None),
                Some(mut line) => {
                    line.moves.insert(0, mv);
                    line.own_moves += u32::from(is_own);
                    if longest.as_ref().is_none_or(|longest| line.own_moves > longest.own_moves) {
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

    /// Continues [`find_win`](ConsecutiveTurnMateSearch::find_win) after a move was made. `left` is
    /// the number of further moves that the attacker may make.
    fn search_after_move(
        &mut self,
        left: u32,
    ) -> Result<Option<WinningLine<G::Move>>, SearchStopped> {
        self.nodes += 1;
        if self.nodes >= self.max_nodes || self.control.is_over() {
            return Err(SearchStopped);
        }
        if let Some(outcome) = self.history.outcome() {
            return Ok((outcome.winner() == Some(self.attacker))
                .then(|| WinningLine { moves: Vec::new(), own_moves: 0 }));
        }
        if left == 0 {
            return Ok(None);
        }
        let mut moves = self.history.legal_move_list();
        move_ordering::sort_moves_by_ordering_scores(
            self.history.rules().as_ref(),
            self.history.position(),
            &mut moves,
        );
        self.find_win(&moves, left)
    }
}

/// Returns the score to report. The distance of a forced win or loss is counted in moves of the
/// side to move. Other scores do not change. If a side can move twice in a row, its moves in the
/// principal variation are counted. Beyond the end of the variation, the count assumes that no turn
/// is skipped.
pub fn mate_score_in_own_moves<G: Searchable>(
    history: &GameHistory<G>,
    score: i32,
    pv: &[G::Move],
) -> i32 {
    if G::SIDES_ALTERNATE || !score::is_proven_score(score) {
        return score;
    }
    let mut line = history.clone();
    let rules = history.rules();
    let mover = line.player_to_move();
    let side = rules.side_of_player(mover);
    let is_own =
        |player: usize| player == mover || side.is_some() && rules.side_of_player(player) == side;
    let plies = score::plies_to_end(score).max(0) as usize;
    let mut moves = 0;
    for &mv in pv.iter().take(plies) {
        moves += i32::from(is_own(line.player_to_move()));
        line.push(mv);
    }
    let beyond = (0..plies.saturating_sub(pv.len()))
        .map(|ply| (line.player_to_move() + ply) % G::PLAYER_NAMES.len());
    moves += beyond.filter(|&player| is_own(player)).count() as i32;
    score::mate_score(if score > 0 { moves } else { -moves })
}
