//! One search for all games: iterative deepening over a principal variation search, on one or
//! several threads.
//!
//! | module | contents |
//! |---|---|
//! | [`searcher`] | the simple interface: a searcher that keeps its tables |
//! | [`compiled_search`] | the search as machine code of the crate that has the rules |
//! | [`iterative_deepening`] | the loop over depths, aspiration windows |
//! | [`strength_levels`] | levels of strength for people: play below the full strength |
//! | `level_attention` | the moves that a player of a level notices or prefers |
//! | [`search_worker`] | one searching thread: its state, and the step of principal variation search |
//! | `node` | principal variation search and quiescence search below the root |
//! | `move_loop` | the loop over the moves of a node: order, late move pruning and reductions |
//! | `evaluation_cache` | the cache of static evaluations |
//! | [`pruning`] | margins and limits of pruning and reductions |
//! | [`move_ordering`] | killer moves, history heuristic, countermoves |
//! | [`transposition`] | the transposition table |
//! | [`score`] | the scale of scores |
//! | [`time_management`] | the time for a move |
//! | `win_confirmation` | confirming proven scores against repetitions that the search cannot see |
//! | `proven_line` | completing the lines of proven scores |
//! | [`control`] | stopping, pondering, holding a result back |
//! | [`clock`] | the clock of a search |
//! | [`sliced_search`] | a search in many steps, on a host with one thread |
//! | [`root_move`] | the moves of the root, with their scores and lines |
//! | `root_probe` | tablebase probing at the root |
//! | [`known_value`] | values that are known before a search: the one place for all their sources |
//! | `known_winner` | root positions of which tables know only the winner |
//! | [`opening_book`] | moves from an opening book |
//! | [`mate`] | `go mate`: wins within a number of moves |
//! | [`prover`] | proof-number search: proofs that a side can force a win, or cannot |

pub mod clock;
pub mod compiled_search;
pub mod control;
mod evaluation_cache;
pub mod iterative_deepening;
pub mod known_value;
pub mod known_winner;
mod level_attention;
pub mod mate;
mod move_loop;
pub mod move_ordering;
mod node;
pub mod opening_book;
mod proven_line;
pub mod prover;
pub mod pruning;
pub mod root_move;
mod root_probe;
pub mod score;
pub mod search_worker;
pub mod searcher;
pub mod sliced_search;
pub mod strength_levels;
pub mod time_management;
pub mod transposition;
mod win_confirmation;

use std::sync::Arc;
use std::time::Duration;

use pentarch_core::{GameHistory, GameTables, SearchParameters, Searchable, Warning};

pub use compiled_search::CompiledSearch;
pub use searcher::Searcher;

use control::SearchControl;
use strength_levels::StrengthLevel;
use time_management::MoveTimeControl;
use transposition::TranspositionTable;

/// The task of a search and its limits. The time limits are in the [`SearchControl`]. By default
/// there are no limits: one thread searches all legal moves at full strength for the best one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits<M> {
    /// The maximum depth in plies.
    pub depth: Option<u32>,
    /// The maximum number of nodes.
    pub nodes: Option<u64>,
    /// If given, the search looks for a win of the side to move within this number of its own
    /// moves. The search ends when it has found or refuted the win, and prunes nothing.
    pub mate: Option<u32>,
    /// The legal moves to choose from, each once. An empty list stands for all legal moves.
    pub moves: Vec<M>,
    /// The number of best moves to search and report, as in UCI's `MultiPV`.
    pub multi_pv: usize,
    /// Whether to probe tablebases, if the game has tablebases.
    pub use_tablebases: bool,
    /// Whether to prefer book moves to other moves that are known to be as good. If this is
    /// `false`, the values of the books are still used as [known values](known_value), as long as
    /// tablebases are used.
    pub use_books: bool,
    /// The number of searching threads.
    pub threads: usize,
    /// The playing strength. Below [`StrengthLevel::Champion`] one thread searches, without
    /// tablebases and opening books.
    pub level: StrengthLevel,
    /// The seed of random choices below the full strength; `None` for a new seed.
    pub seed: Option<u64>,
    /// The parameters of pruning and reductions; `None` stands for [those of the
    /// game](pentarch_core::Evaluate::SEARCH_PARAMETERS).
    pub parameters: Option<Box<SearchParameters>>,
}

impl<M> Default for Limits<M> {
    fn default() -> Limits<M> {
        Limits {
            depth: None,
            nodes: None,
            mate: None,
            moves: Vec::new(),
            multi_pv: 1,
            use_tablebases: true,
            use_books: true,
            threads: 1,
            level: StrengthLevel::Champion,
            seed: None,
            parameters: None,
        }
    }
}

impl<M> Limits<M> {
    /// Creates the limits of a search of `nodes` nodes without tablebases and books. The result of
    /// such a search depends only on the game.
    pub fn nodes_without_tablebases(nodes: u64) -> Limits<M> {
        Limits { nodes: Some(nodes), use_tablebases: false, ..Limits::default() }
    }

    /// Returns whether a limit other than time ends the search: its depth, its nodes, or the moves
    /// to a win.
    pub fn is_bounded(&self) -> bool {
        self.depth.is_some() || self.nodes.is_some() || self.mate.is_some()
    }

    /// Resolves limits of 0. Some hosts write every field and so send limits of 0. A 0 is ignored
    /// if another limit is above 0 or if the search is infinite. Otherwise a depth of 0 becomes 1.
    /// Any other limit of 0 becomes a time of 0.
    pub fn resolve_zero_limits(
        &mut self,
        time: &mut MoveTimeControl,
        players: usize,
        is_infinite: bool,
    ) {
        let has_zero = self.depth == Some(0)
            || self.nodes == Some(0)
            || self.mate == Some(0)
            || time.moves_to_go == Some(0);
        let had_depth = self.depth.is_some();
        self.depth = self.depth.filter(|&depth| depth > 0);
        self.nodes = self.nodes.filter(|&nodes| nodes > 0);
        self.mate = self.mate.filter(|&moves| moves > 0);
        time.moves_to_go = time.moves_to_go.filter(|&moves| moves > 0);
        time.ignores_zero = self.is_bounded() || is_infinite;
        if time.ignores_zero {
            time.movetime = time.movetime.filter(|&time| time > 0);
        } else if has_zero && !time.has_time_above_zero(players) {
            if had_depth {
                self.depth = Some(1);
            } else {
                time.movetime = Some(0);
            }
        }
    }

    /// Returns these limits, completed for a search of the current position of a game. An empty
    /// list of moves is filled with all legal moves. Below the full strength, tablebases are
    /// switched off. Tablebases would make a weak player perfect in every position that they
    /// contain. (A weak player never uses books.)
    fn resolved_for_game<G: Searchable<Move = M>>(&self, history: &GameHistory<G>) -> Limits<M>
    where
        M: Copy,
    {
        let mut limits = self.clone();
        if limits.moves.is_empty() {
            history.legal_moves(&mut limits.moves);
        }
        limits.use_tablebases &= limits.level == StrengthLevel::Champion;
        limits
    }

    /// Returns the same limits with other moves to choose from.
    pub fn with_moves<N>(&self, moves: Vec<N>) -> Limits<N> {
        let &Limits {
            depth,
            nodes,
            mate,
            multi_pv,
            use_tablebases,
            use_books,
            threads,
            level,
            seed,
            ..
        } = self;
        let parameters = self.parameters.clone();
        Limits {
            depth,
            nodes,
            mate,
            moves,
            multi_pv,
            use_tablebases,
            use_books,
            threads,
            level,
            seed,
            parameters,
        }
    }
}

/// A report on one of the best moves at the end of an iteration, as in UCI's `info`.
#[derive(Debug)]
pub struct SearchReport<'a, M> {
    /// The depth in plies. The depth is 0 if the score is a static evaluation, because the search
    /// ended before it had searched a move.
    pub depth: i32,
    /// The deepest ply reached (selective depth).
    pub seldepth: usize,
    /// The rank of the move, from 1 for the best one.
    pub rank: usize,
    /// The score of the move for the side to move, on the scale of [`score`].
    pub score: i32,
    /// Whether the value is proven in a way that the score does not show: a draw, or a win or a
    /// loss that tables prove without the distance to mate.
    pub is_known: bool,
    /// The [`KnownWinner::rank`](known_winner::KnownWinner::rank) if the score is from tables
    /// without the distance to mate.
    pub table_rank: Option<u32>,
    /// The search's own score of the move, if `score` is the known value of the position and the
    /// move is not known to reach this value.
    pub move_score: Option<i32>,
    /// Whether the score of the move is exact. The score is exact if tables contain the position
    /// after each move, or if the move is known to draw.
    pub is_exact: bool,
    /// The principal variation; its first move is the reported move.
    pub pv: &'a [M],
    /// The number of nodes searched so far.
    pub nodes: u64,
    /// The number of positions found in tablebases so far.
    pub table_hits: u64,
    /// The share of the transposition table that is filled, in thousandths.
    pub per_mille_full: usize,
    /// The time since the search began.
    pub time: Duration,
}

impl<'a, M> SearchReport<'a, M> {
    /// A report before the search.
    pub const EMPTY_SEARCH_REPORT: SearchReport<'a, M> = SearchReport {
        depth: 0,
        seldepth: 0,
        rank: 1,
        score: 0,
        is_known: false,
        table_rank: None,
        move_score: None,
        is_exact: false,
        pv: &[],
        nodes: 0,
        table_hits: 0,
        per_mille_full: 0,
        time: Duration::ZERO,
    };

    /// Returns the same report with another score and with a principal variation of another type.
    pub fn with_score_and_pv<'b, N>(&self, score: i32, pv: &'b [N]) -> SearchReport<'b, N> {
        let &SearchReport { depth, seldepth, rank, is_known, table_rank, .. } = self;
        let &SearchReport { move_score, is_exact, nodes, table_hits, .. } = self;
        let &SearchReport { per_mille_full, time, .. } = self;
        SearchReport {
            depth,
            seldepth,
            rank,
            score,
            is_known,
            table_rank,
            move_score,
            is_exact,
            pv,
            nodes,
            table_hits,
            per_mille_full,
            time,
        }
    }
}

/// An event of a search.
#[derive(Debug)]
pub enum SearchEvent<'a, M> {
    /// A report on one of the best moves at the end of an iteration.
    Report(SearchReport<'a, M>),
    /// The result of a search with helper threads, reported while these threads are still ending.
    /// The search returns the same result after they have ended, which takes long if there are many
    /// helper threads.
    Result(&'a SearchResult<M>),
}

/// The inputs that all parts of a search share.
pub struct SearchContext<'a, G: Searchable> {
    /// The game whose current position is searched.
    pub history: &'a GameHistory<G>,
    /// The game's tables of solved positions.
    pub tables: &'a Arc<G::Tables>,
    /// The limits. The list of moves in the limits is complete: an empty list means that there is
    /// no move to choose from.
    pub limits: &'a Limits<G::Move>,
    /// The transposition table of the search.
    pub table: &'a TranspositionTable,
    /// The control that ends the search.
    pub control: &'a SearchControl,
}

impl<G: Searchable> SearchContext<'_, G> {
    /// Returns whether the search waits for the tables, so that its result does not depend on the
    /// speed of the machine.
    fn waits_for_tables(&self) -> bool {
        self.limits.is_bounded() && !self.control.is_player_clock_running()
    }

    /// Creates a report on the best move with this principal variation. The caller must set the
    /// score and the numbers of nodes and table hits.
    fn report_for_line<'m>(&self, pv: &'m [G::Move]) -> SearchReport<'m, G::Move> {
        SearchReport {
            depth: pv.len() as i32,
            seldepth: pv.len(),
            pv,
            per_mille_full: self.table.per_mille_full(),
            time: self.control.elapsed(),
            ..SearchReport::EMPTY_SEARCH_REPORT
        }
    }
}

/// The result of a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchResult<M> {
    /// The best move of the search.
    pub best: M,
    /// The expected reply to the best move, if the search has one.
    pub ponder: Option<M>,
    /// The score of the best move, for the side to move; `None` if the search ended before the move
    /// had a score.
    pub score: Option<i32>,
    /// The number of nodes searched.
    pub nodes: u64,
    /// The number of positions found in tablebases.
    pub table_hits: u64,
    /// Faults of the search and of tables. These faults do not affect the move.
    pub faults: Vec<Warning>,
}

impl<M> SearchResult<M> {
    /// Creates the result with this principal variation and no tablebase hits; `None` if the
    /// variation is empty.
    pub fn from_pv(pv: &[M], score: Option<i32>, nodes: u64) -> Option<SearchResult<M>>
    where
        M: Clone,
    {
        Some(SearchResult {
            best: pv.first()?.clone(),
            ponder: pv.get(1).cloned(),
            score,
            nodes,
            table_hits: 0,
            faults: Vec::new(),
        })
    }

    /// Returns the same result with its moves converted to another type.
    pub fn map<N>(self, mut form: impl FnMut(M) -> N) -> SearchResult<N> {
        let SearchResult { best, ponder, score, nodes, table_hits, faults } = self;
        SearchResult {
            best: form(best),
            ponder: ponder.map(form),
            score,
            nodes,
            table_hits,
            faults,
        }
    }
}

/// Searches the current position of a game and returns its best move; `None` if the game is over. A
/// [`Searcher`] needs fewer arguments.
///
/// Calls `report` for each of the best moves at the end of each iteration.
///
/// A search always has the same result and number of nodes if it has one thread, an empty
/// transposition table, a limit of depth or nodes, and no time limit. It waits for the game's
/// tablebases at the first position that they may contain.
///
/// A search with a time limit, or without any limit, probes the tablebases as soon as they are
/// complete. If the tablebases solve the game, the search waits for them for at most half of its
/// time.
///
/// `tables` must come from `create_uncomputed_tables` of the same rules. The caller must clear the
/// transposition table if the rules differ from those of the last search.
///
/// # Panics
/// If a searching thread panics. The panic is raised after the reporting thread has ended its
/// search.
pub fn search<G: CompiledSearch>(
    history: &GameHistory<G>,
    tables: &Arc<G::Tables>,
    limits: &Limits<G::Move>,
    table: &TranspositionTable,
    control: &SearchControl,
    report: &mut dyn FnMut(SearchReport<G::Move>),
) -> Option<SearchResult<G::Move>> {
    search_with_events(history, tables, limits, table, control, &mut |event| {
        if let SearchEvent::Report(info) = event {
            report(info);
        }
    })
}

/// Searches like [`search`], but also reports the result as an event before the helper threads end.
///
/// # Panics
/// If a searching thread panics. If a helper thread panics, this function panics only after it has
/// reported the result.
pub fn search_with_events<G: CompiledSearch>(
    history: &GameHistory<G>,
    tables: &Arc<G::Tables>,
    limits: &Limits<G::Move>,
    table: &TranspositionTable,
    control: &SearchControl,
    on_event: &mut dyn FnMut(SearchEvent<G::Move>),
) -> Option<SearchResult<G::Move>> {
    (G::search_functions().search_with_events)(history, tables, limits, table, control, on_event)
}

/// The generic body of [`search_with_events`], which is compiled once for each game.
fn generic_search<G: Searchable>(
    history: &GameHistory<G>,
    tables: &Arc<G::Tables>,
    limits: &Limits<G::Move>,
    table: &TranspositionTable,
    control: &SearchControl,
    on_event: &mut dyn FnMut(SearchEvent<G::Move>),
) -> Option<SearchResult<G::Move>> {
    let history = &history.history_seen_by_mover();
    let limits = &limits.resolved_for_game(history);
    let context = &SearchContext { history, tables, limits, table, control };
    table.begin_search(history.can_end_by_repetition());
    if limits.use_tablebases
        && (!context.waits_for_tables() || tables.may_contain_position(history.position()))
    {
        tables.begin_computing_tables();
        if context.waits_for_tables() {
            tables.wait_until_computed(&|| control.is_over());
        }
    }
    result_without_iterative_deepening(context, on_event).or_else(|| {
        if limits.use_tablebases && G::Tables::TABLES_SOLVE_GAME {
            tables.wait_until_computed(&|| control.is_half_time_over());
        }
        iterative_deepening::search_with_all_threads(context, on_event)
    })
}

/// Returns the result if iterative deepening is not needed: for a search for a win within a number
/// of moves, or for a player below the full strength. Otherwise returns `None`.
fn result_without_iterative_deepening<G: Searchable>(
    context: &SearchContext<G>,
    on_event: &mut dyn FnMut(SearchEvent<G::Move>),
) -> Option<SearchResult<G::Move>> {
    let mate = if cfg!(feature = "prover") { mate::search_mate(context, on_event) } else { None };
    mate.or_else(|| {
        strength_levels::choose_level_move(context, &mut |info| on_event(SearchEvent::Report(info)))
    })
}
