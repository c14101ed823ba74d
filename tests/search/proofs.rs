//! Compares scores that the search reports as proven with exact values. The searches use all
//! pruning and reductions. They vary in many ways:
//!
//! - one thread or four threads
//! - a table that persists through games and from one game to the next
//! - games in which positions have occurred twice
//! - levels below the full strength
//!
//! If the game has tablebases, only every second game uses them. Otherwise they would decide most
//! of these searches. No rules here end a game after a number of moves.
//!
//! In Alcaxar, two positions that differ only in the blocked walls count as repetitions of each
//! other. Most exact values here consider only repetitions of positions from before the search.
//! Other repetitions are found by playing all moves. That takes too long for more than a few plies.

use std::sync::Arc;
use std::time::Instant;

use fastrand::Rng;
use pentarch_alcaxar::Alcaxar;
use pentarch_alcaxar::board::{Board, Square, WallSlot};
use pentarch_alcaxar::position::Position;
use pentarch_alcaxar::solver::non_terminal_positions::non_terminal_positions;
use pentarch_alcaxar::solver::stage_runner::StageRunner;
use pentarch_alcaxar::solver::stages::Stage;
use pentarch_alcaxar::solver::wall_sets::{count_wall_sets, unrank_wall_set};
use pentarch_alquerque::Alquerque;
use pentarch_bushka::Bushka;
use pentarch_core::notation::points::Point;
use pentarch_core::{GameHistory, HasTurn, ProbeResult, ProbeWorkLimit, Rules, Side, TableValue};
use pentarch_games::Game;
use pentarch_quoridor::Quoridor;
use pentarch_roses::Roses;
use pentarch_search::control::SearchControl;
use pentarch_search::strength_levels::StrengthLevel;
use pentarch_search::{Limits, SearchReport, Searcher, score};

use super::retrograde::Retrograde;
use crate::common::fuzz::runner::number_from_env;
use crate::common::{built_tables, fresh_seed, proof_tables, rules};

/// The number of plies after which another game begins.
const MAX_PLIES: usize = 60;

/// The number of positions that were searched, and of proven scores.
#[derive(Debug, Clone, Copy, Default)]
struct Counts {
    positions: usize,
    /// The number of proven scores that were compared with an exact value.
    compared: usize,
    /// The number of these scores for which a position had occurred twice before. Its next
    /// occurrence may end the game.
    after_repetitions: usize,
    /// The number of proven scores of positions whose exact value is unknown.
    unknown: usize,
}

/// Exact values of positions.
trait ExactValues<G: Game> {
    /// Returns whether this side can force a win from the current position in at most this many
    /// plies; `None` if that is unknown. If a move is given, it comes first. The game must not be
    /// over.
    fn wins_within(
        &mut self,
        root: &GameHistory<G>,
        mv: Option<G::Move>,
        winner: Side,
        plies: u32,
    ) -> Option<bool>;
}

/// The tables that the game computes itself. If a position has occurred twice, retrograde analysis
/// is used instead.
struct TableValues<'a, G: Game> {
    tables: Arc<G::Tables>,
    retrograde: RetrogradeValues<'a, G>,
}

impl<G: Game> ExactValues<G> for TableValues<'_, G> {
    fn wins_within(
        &mut self,
        root: &GameHistory<G>,
        mv: Option<G::Move>,
        winner: Side,
        plies: u32,
    ) -> Option<bool> {
        if root.can_end_by_repetition() {
            return self.retrograde.wins_within(root, mv, winner, plies);
        }
        let rules = root.rules();
        let position = mv.map_or(*root.position(), |mv| rules.play(root.position(), mv));
        let is_to_move = position.side_to_move() == winner;
        Some(match rules.probe_tables(&self.tables, &position, ProbeWorkLimit::Thorough)? {
            ProbeResult::Value(TableValue::Win(distance)) => is_to_move && distance <= plies,
            ProbeResult::Value(TableValue::Loss(distance)) => !is_to_move && distance <= plies,
            ProbeResult::Value(TableValue::Draw) => false,
            _ => return None,
        })
    }
}

/// Retrograde analysis of all positions that can follow. It is used only if there are at most
/// `most` of them.
struct RetrogradeValues<'a, G: Game> {
    rules: &'a G,
    most: usize,
    /// The limit in place of `most` for a game with repetitions. In such a game each position needs
    /// a separate analysis.
    max_after_repetitions: usize,
    /// The last analysis. It is used again for the other positions that it contains.
    last: Option<(Vec<u64>, u64, Option<Retrograde<'a, G>>)>,
}

impl<'a, G: Game> RetrogradeValues<'a, G> {
    fn new(rules: &'a G, most: usize, max_after_repetitions: usize) -> RetrogradeValues<'a, G> {
        RetrogradeValues { rules, most, max_after_repetitions, last: None }
    }

    fn analysis(&mut self, root: &GameHistory<G>) -> Option<&Retrograde<'a, G>> {
        let repeated = if root.can_end_by_repetition() { root.repeated_keys() } else { Vec::new() };
        let (position, key) = (*root.position(), self.rules.search_key(root.position()));
        let serves = |(known, from, analysis): &(Vec<u64>, u64, Option<Retrograde<'a, G>>)| {
            let follows = analysis
                .as_ref()
                .is_some_and(|analysis| repeated.is_empty() && analysis.has(&position));
            *known == repeated && (*from == key || follows)
        };
        if !self.last.as_ref().is_some_and(serves) {
            let most = if repeated.is_empty() { self.most } else { self.max_after_repetitions };
            let analysis = Retrograde::new(self.rules, position, &repeated, most);
            self.last = Some((repeated, key, analysis));
        }
        self.last.as_ref()?.2.as_ref()
    }
}

impl<G: Game> ExactValues<G> for RetrogradeValues<'_, G> {
    fn wins_within(
        &mut self,
        root: &GameHistory<G>,
        mv: Option<G::Move>,
        winner: Side,
        plies: u32,
    ) -> Option<bool> {
        let analysis = self.analysis(root)?;
        let shortest = match mv {
            Some(mv) => analysis.plies(winner, &root.rules().play(root.position(), mv)),
            None if root.can_end_by_repetition() => analysis.plies_from_root(winner),
            None => analysis.plies(winner, root.position()),
        };
        Some(shortest.is_some_and(|shortest| shortest <= plies))
    }
}

/// The number of plies within which wins are found by playing all moves.
const BRUTE_FORCE_PLIES: u32 = 4;

/// Returns whether this side can force a win from the current position in at most this many plies.
fn can_force_win<G: Game>(history: &mut GameHistory<G>, winner: Side, plies: u32) -> bool {
    if let Some(outcome) = history.outcome() {
        return outcome.winner() == Some(winner);
    }
    if plies == 0 {
        return false;
    }
    let is_attacker = history.side_to_move() == winner;
    for mv in history.legal_move_list() {
        history.push(mv);
        let wins = can_force_win(history, winner, plies - 1);
        history.pop();
        if wins == is_attacker {
            return is_attacker;
        }
    }
    !is_attacker
}

/// The solver of Alcaxar for a number of walls. It knows who wins, but not in how many plies. So
/// lengths are not checked. After a repetition, short wins are found by playing all moves.
struct AlcaxarSolverValues(StageRunner);

impl ExactValues<Alcaxar> for AlcaxarSolverValues {
    fn wins_within(
        &mut self,
        root: &GameHistory<Alcaxar>,
        mv: Option<<Alcaxar as Rules>::Move>,
        winner: Side,
        plies: u32,
    ) -> Option<bool> {
        if root.can_end_by_repetition() {
            let mut history = root.clone();
            mv.into_iter().for_each(|mv| history.push(mv));
            return (plies <= BRUTE_FORCE_PLIES)
                .then(|| can_force_win(&mut history, winner, plies));
        }
        let position = mv.map_or(*root.position(), |mv| root.rules().play(root.position(), mv));
        Some(self.0.solver().is_won_by(winner, &position))
    }
}

/// Checks the proven scores that a search of the current position reports.
fn check<G: Game>(
    searcher: &Searcher<G>,
    history: &GameHistory<G>,
    limits: &Limits<G::Move>,
    exact: &mut dyn ExactValues<G>,
    counts: &mut Counts,
) -> G::Move {
    let mover = history.side_to_move();
    let mut report = |info: SearchReport<G::Move>| {
        if !score::is_proven_score(info.score) {
            return;
        }
        let plies = score::plies_to_end(info.score) as u32;
        let winner = if info.score > 0 { mover } else { !mover };
        let mut next = history.clone();
        next.push(info.pv[0]);
        let mut is_right = match next.outcome() {
            Some(outcome) => Some(outcome.winner() == Some(winner)),
            None => exact.wins_within(history, Some(info.pv[0]), winner, plies - 1),
        };
        // The best move loses only if all moves lose. The exception is a player that overlooks
        // moves.
        if info.rank == 1
            && limits.level == StrengthLevel::Champion
            && winner != mover
            && is_right == Some(true)
        {
            is_right = exact.wins_within(history, None, winner, plies);
        }
        counts.unknown += usize::from(is_right.is_none());
        if let Some(is_right) = is_right {
            let text = |position| history.rules().position_text(position);
            let moves: Vec<String> =
                history.moves().map(|mv| history.rules().move_text(mv)).collect();
            let score = score::format_uci_score(info.score);
            assert!(
                is_right,
                "{score}: {} {moves:?} {} {limits:?}",
                text(history.start_position()),
                text(history.position())
            );
            counts.compared += 1;
            counts.after_repetitions += usize::from(history.can_end_by_repetition());
        }
    };
    counts.positions += 1;
    searcher
        .search_with_control(history, limits, &SearchControl::default(), &mut report)
        .unwrap()
        .best
}

/// Plays games from these start positions with one searcher, and checks each proven score. It stops
/// after this many searched positions. If there are tables, every second game uses them.
fn check_games<G: Game>(
    rules: &Arc<G>,
    tables: Option<Arc<G::Tables>>,
    mut start: impl FnMut(&mut Rng) -> G::Position,
    exact: &mut dyn ExactValues<G>,
    positions: usize,
    rng: &mut Rng,
) -> Counts {
    let has_tables = tables.is_some();
    let tables = tables.unwrap_or_else(|| rules.create_uncomputed_tables(None));
    let searcher = Searcher::with_tables(tables, 1).unwrap();
    let mut counts = Counts::default();
    while counts.positions < positions {
        // The results of several threads differ from run to run. With a separate generator, only
        // this game depends on them.
        let rng = &mut rng.fork();
        let mut history = GameHistory::new(rules.clone(), start(rng));
        let threads = if rng.u8(..4) == 0 { 4 } else { 1 };
        let use_tablebases = has_tables && rng.bool();
        // In some games the players move back and forth.
        let repeats = rng.u8(..3) > 0;
        for _ in 0..MAX_PLIES {
            let moves = history.legal_move_list();
            if moves.is_empty() || counts.positions >= positions {
                break;
            }
            let nodes = Some(1 << rng.u32(5..12));
            let multi_pv = rng.usize(1..=2);
            let level = match rng.usize(..8 * StrengthLevel::ALL.len()) {
                index if index < StrengthLevel::ALL.len() => StrengthLevel::ALL[index],
                _ => StrengthLevel::Champion,
            };
            let seed = Some(rng.u64(..));
            let limits = Limits {
                nodes,
                threads,
                multi_pv,
                use_tablebases,
                level,
                seed,
                ..Limits::default()
            };
            let best = check(&searcher, &history, &limits, exact, &mut counts);
            if history.can_end_by_repetition() {
                let without_past = GameHistory::new(rules.clone(), *history.position());
                check(&searcher, &without_past, &limits, exact, &mut counts);
            }
            let is_back = |&mv: &G::Move| {
                history.push(mv);
                let is_back = history.outcome().is_none()
                    && history.plies_since_occurrences().next().is_some();
                history.pop();
                is_back
            };
            let back: Vec<G::Move> = moves.iter().copied().filter(is_back).collect();
            let mv = match rng.u8(..4) {
                0 | 1 if repeats && !back.is_empty() => back[rng.usize(..back.len())],
                0 | 2 => best,
                _ => moves[rng.usize(..moves.len())],
            };
            history.push(mv);
        }
    }
    counts
}

/// Returns a position after some random moves from the start.
fn after_random_moves<G: Game>(rules: &Arc<G>, most: usize, rng: &mut Rng) -> G::Position {
    loop {
        let mut history = GameHistory::new(rules.clone(), rules.start_position());
        for _ in 0..rng.usize(..=most) {
            let Some(mv) = rng.choice(history.legal_move_list()) else { break };
            history.push(mv);
        }
        if history.outcome().is_none() {
            return *history.position();
        }
    }
}

/// Returns a position with at most these pieces. They are on random points of a board of `files` by
/// `ranks`. After the board, the position string continues with one of `ends`.
fn random_position<G: Game>(
    rules: &G,
    files: usize,
    ranks: usize,
    pieces: &[u8],
    ends: &[&str],
    rng: &mut Rng,
) -> G::Position {
    loop {
        let mut squares = vec![b' '; files * ranks];
        for &piece in pieces {
            squares[rng.usize(..files * ranks)] = piece;
        }
        let mut rows = Vec::new();
        for row in squares.chunks(files) {
            let mut text = String::new();
            for search_and_report in row.chunk_by(|one, other| one == other) {
                match search_and_report[0] {
                    b' ' => text += &search_and_report.len().to_string(),
                    piece => text.extend(search_and_report.iter().map(|_| char::from(piece))),
                }
            }
            rows.push(text);
        }
        let text = format!("{} {}", rows.join("/"), ends[rng.usize(..ends.len())]);
        if let Ok(position) = rules.parse_position(&text)
            && rules.outcome(&position).is_none()
        {
            return position;
        }
    }
}

fn check_roses(repetition: &str, most: usize, positions: usize, rng: &mut Rng) -> Counts {
    let rules = rules::<Roses>(&[repetition]);
    let tables = built_tables(rules.as_ref());
    let mut exact = TableValues {
        tables: tables.clone(),
        retrograde: RetrogradeValues::new(rules.as_ref(), 0, most),
    };
    let start = |rng: &mut Rng| after_random_moves(&rules, 60, rng);
    check_games(&rules, Some(tables), start, &mut exact, positions, rng)
}

fn check_quoridor(settings: &[&str], most: usize, positions: usize, rng: &mut Rng) -> Counts {
    let rules = rules::<Quoridor>(settings);
    let mut exact = RetrogradeValues::new(rules.as_ref(), 5 * most, most);
    let start = |rng: &mut Rng| after_random_moves(&rules, 12, rng);
    let tables = built_tables(rules.as_ref());
    check_games(&rules, Some(tables), start, &mut exact, positions, rng)
}

fn check_alquerque(
    settings: &[&str],
    pieces: &[&[u8]],
    uses_tables: bool,
    most: usize,
    positions: usize,
    rng: &mut Rng,
) -> Counts {
    let rules = rules::<Alquerque>(settings);
    let mut exact = RetrogradeValues::new(rules.as_ref(), 5 * most, most);
    let start = |rng: &mut Rng| {
        let pieces = pieces[rng.usize(..pieces.len())];
        random_position(rules.as_ref(), 5, 5, pieces, &["l - - - 1", "d - - - 1"], rng)
    };
    let tables = uses_tables.then(|| built_tables(rules.as_ref()));
    check_games(&rules, tables, start, &mut exact, positions, rng)
}

/// Checks positions with up to seven checkers. The rules have no history.
fn check_alquerque_by_tables(
    settings: &[&str],
    most: usize,
    positions: usize,
    rng: &mut Rng,
) -> Counts {
    let rules = rules::<Alquerque>(settings);
    let tables = proof_tables(rules.as_ref(), Some(7));
    let retrograde = RetrogradeValues::new(rules.as_ref(), 0, most);
    let mut exact = TableValues { tables: tables.clone(), retrograde };
    let start = |rng: &mut Rng| {
        let pieces: Vec<u8> =
            (0..rng.usize(4..=7)).map(|at| if at % 2 == 0 { b'o' } else { b'x' }).collect();
        random_position(rules.as_ref(), 5, 5, &pieces, &["l - - - 1", "d - - - 1"], rng)
    };
    check_games(&rules, Some(tables), start, &mut exact, positions, rng)
}

fn check_alcaxar(walls: usize, most: usize, positions: usize, rng: &mut Rng) -> Counts {
    let rules = rules::<Alcaxar>(&[]);
    let mut by_retrograde = RetrogradeValues::new(rules.as_ref(), usize::MAX, most);
    let mut by_solver;
    let exact: &mut dyn ExactValues<Alcaxar> = if walls <= 2 {
        &mut by_retrograde
    } else {
        let mut runner = StageRunner::new(&Board::default(), walls, vec![Stage::Plain]).unwrap();
        while runner.current_stage().is_some() {
            runner.run_step(2);
        }
        by_solver = AlcaxarSolverValues(runner);
        &mut by_solver
    };
    let start = |rng: &mut Rng| {
        let set = unrank_wall_set(walls, rng.usize(..count_wall_sets(walls)));
        rng.choice(non_terminal_positions(&Board::default(), set).collect::<Vec<_>>()).unwrap()
    };
    check_games(&rules, None, start, exact, positions, rng)
}

fn check_bushka(
    board: &str,
    pieces: &[&[u8]],
    most: usize,
    positions: usize,
    rng: &mut Rng,
) -> Counts {
    let rules = rules::<Bushka>(&[board]);
    let (files, ranks) = if board.ends_with("11x9") { (11, 9) } else { (10, 10) };
    let mut exact = RetrogradeValues::new(rules.as_ref(), 5 * most, most);
    let start = |rng: &mut Rng| {
        let pieces = pieces[rng.usize(..pieces.len())];
        random_position(rules.as_ref(), files, ranks, pieces, &["w 1", "b 1"], rng)
    };
    check_games(&rules, None, start, &mut exact, positions, rng)
}

/// The maximum number of positions of an analysis after a game with repetitions. Alcaxar with one
/// wall has 33,712 positions.
const MAX_POSITIONS: usize = 40_000;

/// A few positions of games with few pieces. The analysis of Alcaxar takes too long here. The tests
/// below contain positions of Alcaxar.
#[test]
fn proven_scores_are_true() {
    let rng = &mut Rng::with_seed(75);
    let counts = [
        check_quoridor(
            &["Quoridor_BoardSize=3", "Quoridor_Walls=1", "RepetitionDraw=true"],
            1_000,
            200,
            rng,
        ),
        check_alquerque(
            &["Alquerque_Ruleset=bell", "RepetitionDraw=true"],
            &[b"xo"],
            false,
            2_000,
            200,
            rng,
        ),
        check_bushka("Bushka_Board=11x9", &[b"wb", b"Wb"], 2_000, 50, rng),
        check_roses("RepetitionDraw=true", 0, 50, rng),
    ];
    for (index, counts) in counts.iter().enumerate() {
        assert!(counts.compared > 0, "{index}: {counts:?}");
    }
    assert!(counts[0].after_repetitions > 0, "{counts:?}");
}

/// Checks 100,000 positions of all games with a fresh seed. POSITIONS sets another number, GAME a
/// single game, and SEED the seed: `cargo test --release --test all search::proofs -- --ignored
/// --nocapture`
#[test]
#[ignore = "100,000 positions: minutes"]
fn many_proven_scores_are_true() {
    let rng = &mut Rng::with_seed(fresh_seed());
    type Case<'a> = (&'a str, Box<dyn Fn(usize, &mut Rng) -> Counts + 'a>);
    let mut cases: Vec<Case> = Vec::new();
    for repetition in ["RepetitionDraw=false", "RepetitionDraw=true"] {
        cases.push((
            "roses",
            Box::new(move |positions, rng| check_roses(repetition, MAX_POSITIONS, positions, rng)),
        ));
        for (size, walls, second) in [(3, 2, 2), (4, 1, 1), (5, 1, 0)] {
            cases.push((
                "quoridor",
                Box::new(move |positions, rng| {
                    let settings = [
                        format!("Quoridor_BoardSize={size}"),
                        format!("Quoridor_Walls={walls}"),
                        format!("Quoridor_Walls2={second}"),
                    ];
                    let settings = settings.each_ref().map(String::as_str);
                    check_quoridor(
                        &[&settings[..], &[repetition]].concat(),
                        MAX_POSITIONS,
                        positions,
                        rng,
                    )
                }),
            ));
        }
        for settings in [
            &["Alquerque_Retreat=free"][..],
            &[],
            &["Alquerque_Ruleset=bell"],
            &["Alquerque_Ruleset=alfonso", "Alquerque_MultiCapture=stop"],
        ] {
            let pieces: &[&[u8]] = &[b"xo", b"xoo", b"xxo"];
            cases.push((
                "alquerque",
                Box::new(move |positions, rng| {
                    check_alquerque(
                        &[settings, &[repetition]].concat(),
                        pieces,
                        true,
                        MAX_POSITIONS,
                        positions,
                        rng,
                    )
                }),
            ));
        }
        cases.push((
            "alquerque, tables",
            Box::new(move |positions, rng| {
                check_alquerque_by_tables(
                    &["Alquerque_Retreat=free", repetition],
                    MAX_POSITIONS,
                    positions,
                    rng,
                )
            }),
        ));
    }
    for walls in 1..=4 {
        cases.push((
            "alcaxar",
            Box::new(move |positions, rng| check_alcaxar(walls, MAX_POSITIONS, positions, rng)),
        ));
    }
    for board in ["Bushka_Board=10x10", "Bushka_Board=11x9"] {
        let pieces: &[&[u8]] = &[b"wb", b"wwb", b"Wb", b"WB", b"Wbb", b"wwbb"];
        cases.push((
            "bushka",
            Box::new(move |positions, rng| {
                check_bushka(board, pieces, MAX_POSITIONS, positions, rng)
            }),
        ));
    }
    let game = std::env::var("GAME").unwrap_or_default();
    cases.retain(|(name, _)| name.starts_with(&game));
    let positions = number_from_env("POSITIONS", 100_000) as usize;
    let mut after_repetitions = 0;
    for (name, check) in &cases {
        let begun = Instant::now();
        let counts = check(positions.div_ceil(cases.len()), rng);
        println!("{name}: {counts:?} {:.1} s", begun.elapsed().as_secs_f64());
        assert!(counts.compared > 0, "{name}: {counts:?}");
        after_repetitions += counts.after_repetitions;
    }
    assert!(!game.is_empty() || after_repetitions > positions / 100, "{after_repetitions}");
}

/// A position in which Green wins by a third occurrence. If the game has no history, the search
/// proves no win in this position.
#[test]
fn a_win_by_repetition_does_not_carry_over_to_another_game() {
    let rules = rules::<Alcaxar>(&[]);
    let (red, green, wall) = (Square(0), Square(10), 1 << 7);
    let start = Position { knights: [red, green], walls: wall, ..rules.start_position() };
    let mut history = GameHistory::new(rules.clone(), start);
    // The start position occurs twice.
    for text in ["b7c6", "Kd6", "c6b7", "Kf6", "Kb4", "Kf8", "b7a6", "Kh8", "Kb2"] {
        let mv = history.resolve_move(text).unwrap();
        history.push(mv);
    }
    let without_past = GameHistory::new(rules.clone(), *history.position());
    let limits = Limits { depth: Some(4), use_tablebases: false, ..Limits::default() };
    let searcher = Searcher::new(rules);
    let score = |history| searcher.search(history, &limits).unwrap().score;
    let expected = score(&without_past);
    assert_eq!(expected.map(score::is_proven_score), Some(false));
    assert_eq!(score(&history), Some(score::win_score_at_ply(5)));
    assert_eq!(score(&without_past), expected);
}

/// Each number of nodes stops the search at another point. Some searches even stop before the move
/// that loses more slowly is searched.
#[test]
fn a_stopped_search_reports_no_avoidable_loss() {
    let rules = rules::<Alcaxar>(&[]);
    let [red, green] =
        [(5, 5), (7, 5)].map(|(file, rank)| Square::from_point(Point::new(file, rank)).unwrap());
    let wall = WallSlot::from_point(Point::new(8, 5)).unwrap();
    let (walls, side) = (wall.bit(), Side::Second);
    let root = Position {
        knights: [red, green],
        walls,
        side,
        last_wall: Some(wall),
        ..rules.start_position()
    };
    let exact = Retrograde::new(rules.as_ref(), root, &[], usize::MAX).unwrap();
    assert_eq!(exact.plies_from_root(Side::First), Some(10));
    let history = GameHistory::new(rules.clone(), root);
    let searcher = Searcher::new(rules);
    for nodes in (2_000..3_000).step_by(10) {
        searcher.clear();
        let limits = Limits { nodes: Some(nodes), use_tablebases: false, ..Limits::default() };
        let score = searcher.search(&history, &limits).unwrap().score.unwrap();
        assert!(
            !score::is_proven_score(score) || score == -score::win_score_at_ply(10),
            "{nodes} nodes: {}",
            score::format_uci_score(score)
        );
    }
}
