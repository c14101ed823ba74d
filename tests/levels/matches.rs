//! Matches between players of different strength. A deep search has evaluated their openings as
//! even.

use std::collections::{BTreeSet, HashSet};
use std::fmt;
use std::sync::Arc;

use pentarch_core::rules::options::REPETITION_DRAW_OPTION;
use pentarch_core::{GameHistory, Options, Outcome, Side};
use pentarch_games::Game;
use pentarch_search::control::SearchControl;
use pentarch_search::strength_levels::StrengthLevel;
use pentarch_search::transposition::TranspositionTable;
use pentarch_search::{Limits, search};

/// A player of a match.
#[derive(Debug, Clone, Copy)]
pub(super) enum Player {
    /// The engine at a level. The level itself limits the search.
    StrengthLevel(StrengthLevel),
    /// The engine at full strength, with this number of nodes per move.
    Nodes(u64),
    /// A player that takes a win in one and avoids a loss in one. Otherwise it plays a random move
    /// for a random purpose, and in every fourth turn a random move without a purpose.
    Careful,
    /// A player whose moves are uniformly random. Anybody can rebuild it, so it is the fixed point
    /// of the ladder.
    Random,
}

/// The result of a match for its first player.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Score {
    pub wins: u32,
    pub draws: u32,
    pub losses: u32,
    pub plies: usize,
}

impl Score {
    pub(super) fn games(&self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// Returns the score in per cent of the games.
    pub(super) fn per_cent(&self) -> f64 {
        (100.0 * f64::from(self.wins) + 50.0 * f64::from(self.draws)) / f64::from(self.games())
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Score { wins, draws, losses, plies } = self;
        let mean = *plies as f64 / f64::from(self.games());
        write!(
            f,
            "{:5.1} %  +{wins} ={draws} -{losses}, {mean:.0} plies on average",
            self.per_cent()
        )
    }
}

/// The number of plies after which a game is drawn.
const MAX_PLIES: usize = 400;
/// The number of random plies of an opening.
const OPENING_PLIES: usize = 4;
/// The number of nodes of the search that evaluates an opening.
const OPENING_NODES: u64 = 100_000;
/// The maximum score of an even opening, in centipawns.
const MAX_EVEN_SCORE: i32 = 60;

/// The rules, tables and openings for the matches of one game.
pub(super) struct MatchSetup<G: Game> {
    rules: Arc<G>,
    tables: Arc<G::Tables>,
    table: TranspositionTable,
    openings: Vec<GameHistory<G>>,
}

impl<G: Game> MatchSetup<G> {
    /// Returns the default rules, with draws by repetition, and `openings` different openings. An
    /// opening consists of random plies. A search evaluates the position after them as even. The
    /// same seed always gives the same openings.
    pub(super) fn new(openings: usize, seed: u64) -> MatchSetup<G> {
        let mut options = Options::default();
        options.set(&REPETITION_DRAW_OPTION, "true").unwrap();
        let rules = Arc::new(G::from_options(&options));
        let tables = rules.create_uncomputed_tables(None);
        let mut setup = MatchSetup {
            rules,
            tables,
            table: TranspositionTable::new(16).unwrap(),
            openings: Vec::new(),
        };
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut seen = HashSet::new();
        for _ in 0..openings * 50 {
            if setup.openings.len() == openings {
                break;
            }
            let mut history = GameHistory::new(setup.rules.clone(), setup.rules.start_position());
            for _ in 0..OPENING_PLIES {
                let moves = legal_moves(&history);
                if let Some(&mv) = rng.choice(&moves) {
                    history.push(mv);
                }
            }
            if history.outcome().is_none()
                && seen.insert(setup.rules.search_key(history.position()))
            {
                let limits = Limits {
                    nodes: Some(OPENING_NODES),
                    use_tablebases: false,
                    ..Limits::default()
                };
                setup.table.clear();
                let answer = search(
                    &history,
                    &setup.tables,
                    &limits,
                    &setup.table,
                    &SearchControl::default(),
                    &mut |_| {},
                );
                if answer
                    .and_then(|answer| answer.score)
                    .is_some_and(|score| score.abs() <= MAX_EVEN_SCORE)
                {
                    setup.openings.push(history);
                }
            }
        }
        setup
    }

    /// Returns the number of openings. The number can be less than requested if there are no more
    /// openings.
    pub(super) fn openings(&self) -> usize {
        self.openings.len()
    }

    /// Plays a match of `games` games. Each opening is played twice. The second time the players
    /// swap sides.
    pub(super) fn play(&self, players: [Player; 2], games: usize, seed: u64) -> Score {
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut score = Score::default();
        for game in 0..games {
            let swapped = game % 2 == 1;
            let mut history = self.openings[game / 2 % self.openings.len()].clone();
            let begins = history.side_to_move();
            while history.outcome().is_none() && history.len() < MAX_PLIES {
                let at = usize::from((history.side_to_move() != begins) != swapped);
                let mv = self.choose(players[at], &history, &mut rng);
                history.push(mv);
            }
            let first = if swapped { !begins } else { begins };
            match history.outcome().map(|outcome| (outcome.winner(), outcome)) {
                Some((Some(winner), _)) if winner == first => score.wins += 1,
                Some((Some(_), _)) => score.losses += 1,
                _ => score.draws += 1,
            }
            score.plies += history.len();
        }
        score
    }

    /// Returns the move of a player.
    pub(super) fn choose(
        &self,
        player: Player,
        history: &GameHistory<G>,
        rng: &mut fastrand::Rng,
    ) -> G::Move {
        let limits = match player {
            Player::Careful => return careful_move(history, rng),
            Player::Random => {
                return rng.choice(legal_moves(history)).expect("the game is not over");
            }
            Player::StrengthLevel(level) => {
                Limits { level, seed: Some(rng.u64(..)), ..Limits::default() }
            }
            Player::Nodes(nodes) => Limits { nodes: Some(nodes), ..Limits::default() },
        };
        self.table.clear();
        search(history, &self.tables, &limits, &self.table, &SearchControl::default(), &mut |_| {})
            .unwrap()
            .best
    }
}

fn legal_moves<G: Game>(history: &GameHistory<G>) -> Vec<G::Move> {
    let mut moves = Vec::new();
    history.legal_moves(&mut moves);
    moves
}

/// Returns whether this side has won.
fn is_won<G: Game>(history: &GameHistory<G>, side: Side) -> bool {
    history.outcome().is_some_and(|outcome: Outcome| outcome.winner() == Some(side))
}

/// Returns the moves that win at once.
pub(super) fn winning_moves<G: Game>(history: &mut GameHistory<G>) -> Vec<G::Move> {
    let side = history.side_to_move();
    let mut moves = legal_moves(history);
    moves.retain(|&mv| {
        history.push(mv);
        let wins = is_won(history, side);
        history.pop();
        wins
    });
    moves
}

/// Returns a random move that wins at once. If there is none, returns a move that neither loses at
/// once nor lets the opponent win at once. If possible, the move has a random purpose, and in
/// every fourth turn no purpose. If there is no such move either, returns any move.
pub(super) fn careful_move<G: Game>(history: &GameHistory<G>, rng: &mut fastrand::Rng) -> G::Move {
    let mut history = history.clone();
    if let Some(&mv) = rng.choice(&winning_moves(&mut history)) {
        return mv;
    }
    let mut moves = legal_moves(&history);
    rng.shuffle(&mut moves);
    let rules = history.rules().clone();
    let position = *history.position();
    let cache = rules.compute_eval_data(&position);
    let purpose = rules.move_purposes(&position, &cache);
    let move_purposes: BTreeSet<u8> = moves.iter().filter_map(|&mv| purpose(mv)).collect();
    let is_pointless = rng.u32(..4) == 0;
    let chosen = rng.choice(move_purposes).filter(|_| !is_pointless);
    moves.sort_by_key(|&mv| purpose(mv) != chosen);
    let side = history.side_to_move();
    let safe = moves.iter().copied().find(|&mv| {
        history.push(mv);
        let safe = !is_won(&history, !side) && winning_moves(&mut history).is_empty();
        history.pop();
        safe
    });
    safe.unwrap_or(moves[0])
}
