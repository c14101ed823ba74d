//! Matches between players of different strength, from openings that a deep search calls even.

use std::collections::{BTreeSet, HashSet};
use std::fmt;
use std::sync::Arc;

use pentarch_core::rules::options::REPETITION_DRAW;
use pentarch_core::{GameHistory, Options, Outcome, Side};
use pentarch_games::Game;
use pentarch_search::control::Control;
use pentarch_search::levels::Level;
use pentarch_search::transposition::TranspositionTable;
use pentarch_search::{Limits, search};

/// A player of a match.
#[derive(Debug, Clone, Copy)]
pub enum Player {
    /// The engine at a level, which itself limits how far it looks.
    Level(Level),
    /// The engine at full strength, with so many nodes for a move.
    Nodes(u64),
    /// Takes a win in one, avoids a loss in one, and otherwise plays at random for a purpose chosen at random.
    Careful,
}

/// What the first player of a match has scored.
#[derive(Debug, Clone, Copy, Default)]
pub struct Score {
    pub wins: u32,
    pub draws: u32,
    pub losses: u32,
    pub plies: usize,
}

impl Score {
    pub fn games(&self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// The points in per cent of the games.
    pub fn per_cent(&self) -> f64 {
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

/// Games with this many plies are drawn.
const MOST_PLIES: usize = 400;
/// The number of random plies of an opening.
const OPENING_PLIES: usize = 4;
/// The nodes of the search that calls an opening even.
const OPENING_NODES: u64 = 100_000;
/// The greatest score of an even opening, in centipawns.
const EVEN: i32 = 60;

/// The ground on which matches of one game are played.
pub struct Ground<G: Game> {
    rules: Arc<G>,
    tables: Arc<G::Tables>,
    table: TranspositionTable,
    openings: Vec<GameHistory<G>>,
}

impl<G: Game> Ground<G> {
    /// The default rules, in which repetition draws at least, and so many different openings: random plies after which
    /// a search calls the position even. The same for the same seed.
    pub fn new(openings: usize, seed: u64) -> Ground<G> {
        let mut options = Options::default();
        options.set(&REPETITION_DRAW, "true").unwrap();
        let rules = Arc::new(G::from_options(&options));
        let tables = rules.new_tables(None);
        let mut ground = Ground {
            rules,
            tables,
            table: TranspositionTable::new(16).unwrap(),
            openings: Vec::new(),
        };
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut seen = HashSet::new();
        for _ in 0..openings * 50 {
            if ground.openings.len() == openings {
                break;
            }
            let mut history = GameHistory::new(ground.rules.clone(), ground.rules.start());
            for _ in 0..OPENING_PLIES {
                let moves = legal_moves(&history);
                if let Some(&mv) = rng.choice(&moves) {
                    history.push(mv);
                }
            }
            if history.outcome().is_none()
                && seen.insert(ground.rules.search_key(history.position()))
            {
                let limits = Limits {
                    nodes: Some(OPENING_NODES),
                    use_tablebases: false,
                    ..Limits::default()
                };
                ground.table.clear();
                let answer = search(
                    &history,
                    &ground.tables,
                    &limits,
                    &ground.table,
                    &Control::default(),
                    &mut |_| {},
                );
                if answer.and_then(|answer| answer.score).is_some_and(|score| score.abs() <= EVEN) {
                    ground.openings.push(history);
                }
            }
        }
        ground
    }

    /// The number of openings, which can be less than was asked for if there are no more.
    pub fn openings(&self) -> usize {
        self.openings.len()
    }

    /// Plays a match with so many games. Each opening is played twice, the players swapping sides.
    pub fn play(&self, players: [Player; 2], games: usize, seed: u64) -> Score {
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut score = Score::default();
        for game in 0..games {
            let swapped = game % 2 == 1;
            let mut history = self.openings[game / 2 % self.openings.len()].clone();
            let begins = history.side_to_move();
            while history.outcome().is_none() && history.len() < MOST_PLIES {
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

    /// The move of a player.
    pub fn choose(
        &self,
        player: Player,
        history: &GameHistory<G>,
        rng: &mut fastrand::Rng,
    ) -> G::Move {
        let limits = match player {
            Player::Careful => return careful_move(history, rng),
            Player::Level(level) => Limits { level, seed: Some(rng.u64(..)), ..Limits::default() },
            Player::Nodes(nodes) => Limits { nodes: Some(nodes), ..Limits::default() },
        };
        self.table.clear();
        search(history, &self.tables, &limits, &self.table, &Control::default(), &mut |_| {})
            .unwrap()
            .best
    }
}

fn legal_moves<G: Game>(history: &GameHistory<G>) -> Vec<G::Move> {
    let mut moves = Vec::new();
    history.legal_moves(&mut moves);
    moves
}

/// Whether this side has won.
fn is_won<G: Game>(history: &GameHistory<G>, side: Side) -> bool {
    history.outcome().is_some_and(|outcome: Outcome| outcome.winner() == Some(side))
}

/// The moves that win at once.
pub fn winning_moves<G: Game>(history: &mut GameHistory<G>) -> Vec<G::Move> {
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

/// A random move that wins at once; else one that neither loses at once nor lets the opponent win at once, with a
/// random purpose if there is one; else any.
pub fn careful_move<G: Game>(history: &GameHistory<G>, rng: &mut fastrand::Rng) -> G::Move {
    let mut history = history.clone();
    if let Some(&mv) = rng.choice(&winning_moves(&mut history)) {
        return mv;
    }
    let mut moves = legal_moves(&history);
    rng.shuffle(&mut moves);
    let (rules, position) = (history.rules().clone(), *history.position());
    let cache = rules.eval_cache(&position);
    let purpose = rules.purposes(&position, &cache);
    let purposes: BTreeSet<u8> = moves.iter().filter_map(|&mv| purpose(mv)).collect();
    if purposes.len() > 1 || moves.iter().any(|&mv| purpose(mv).is_none()) {
        let chosen = rng.choice(purposes);
        moves.sort_by_key(|&mv| purpose(mv) != chosen);
    }
    let side = history.side_to_move();
    let safe = moves.iter().copied().find(|&mv| {
        history.push(mv);
        let safe = !is_won(&history, !side) && winning_moves(&mut history).is_empty();
        history.pop();
        safe
    });
    safe.unwrap_or(moves[0])
}
