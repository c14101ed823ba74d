//! Random clicks on the board of a Go front end. The tests compare the result with the legal moves
//! and their clicks.

use std::collections::BTreeSet;
use std::sync::Arc;

use pentarch::protocol::gtp::partial_move::{BoardClick, PartialMove};
use pentarch_core::view::go_board_projection::append_go_click_points;
use pentarch_core::{GameHistory, GoBoardShape, HasTurn, Options, Point};
use pentarch_engine::game_session::new_session_with_rules;
use pentarch_engine::go_board::GoBoardScene;
use pentarch_engine::input_word::InputWord;
use pentarch_engine::session::Session;
use pentarch_games::{Game, GameOperation};

use crate::common::{for_each_game, fresh_seed, new_history, option_sets};

/// The expected state of the session: the game, and the points of a half-made move.
#[derive(Clone)]
struct ExpectedSession<G: Game> {
    history: GameHistory<G>,
    grid: GoBoardShape,
    partial_move: Vec<Point>,
}

impl<G: Game> ExpectedSession<G> {
    /// Returns all legal moves with their points. Different moves have different points.
    fn moves(&self) -> Vec<(G::Move, Vec<Point>)> {
        let mut moves = Vec::new();
        self.history.legal_moves(&mut moves);
        let with_points = |mv| {
            let mut points = Vec::new();
            append_go_click_points(
                self.history.rules().as_ref(),
                self.history.position(),
                mv,
                &mut points,
            );
            assert!(!points.is_empty());
            (mv, points)
        };
        moves.into_iter().map(with_points).collect()
    }

    /// Returns the expected state after this input, or `None` if no legal move continues in this
    /// way.
    fn after(
        &self,
        moves: &[(G::Move, Vec<Point>)],
        click: BoardClick,
    ) -> Option<ExpectedSession<G>> {
        if click == BoardClick::Pass && self.history.outcome().is_some() {
            return Some(self.clone());
        }
        let mut partial_move = self.partial_move.clone();
        if let BoardClick::At(point) = click {
            partial_move.push(point);
            let longer: Vec<_> =
                moves.iter().filter(|(_, points)| points.starts_with(&partial_move)).collect();
            match longer[..] {
                [] => return None,
                [(mv, points)] if *points == partial_move => return Some(self.moved(*mv)),
                _ => return Some(ExpectedSession { partial_move, ..self.clone() }),
            }
        }
        moves.iter().find(|(_, points)| *points == partial_move).map(|(mv, _)| self.moved(*mv))
    }

    fn moved(&self, mv: G::Move) -> ExpectedSession<G> {
        let mut history = self.history.clone();
        history.push(mv);
        ExpectedSession { history, partial_move: Vec::new(), ..*self }
    }

    /// Returns the inputs that continue the half-made move, in sorted order.
    fn legal(&self, moves: &[(G::Move, Vec<Point>)]) -> Vec<BoardClick> {
        let mut legal = Vec::new();
        if self.history.outcome().is_none() {
            let rests: Vec<&[Point]> = moves
                .iter()
                .filter_map(|(_, points)| points.strip_prefix(&self.partial_move[..]))
                .collect();
            let next: BTreeSet<Point> =
                rests.iter().filter_map(|rest| rest.first().copied()).collect();
            legal.extend(self.grid.points().filter(|at| next.contains(at)).map(BoardClick::At));
            legal.extend(rests.iter().any(|rest| rest.is_empty()).then_some(BoardClick::Pass));
        }
        legal
    }

    /// Checks everything that the session and its clicks show.
    fn check(
        &self,
        session: &dyn Session,
        clicks: &PartialMove,
        moves: &[(G::Move, Vec<Point>)],
        place: &str,
    ) {
        let rules = self.history.rules();
        let position = self.history.position();
        assert_eq!(session.position_fen(), rules.position_text(position), "{place}");
        assert_eq!(session.game_state().side, position.side_to_move(), "{place}");
        assert_eq!(session.game_state().outcome, self.history.outcome(), "{place}");
        let scene = GoBoardScene::new(rules.as_ref(), position);
        assert_eq!(session.go_board_scene(), scene, "{place}");
        let drawn = rules.position_scene(position);
        let [first, second] = [0, 1].map(|player| drawn.lost_count(player));
        assert_eq!(scene.map(|scene| scene.captured), Some([second, first]), "{place}");
        assert_eq!(clicks.legal_clicks(session), self.legal(moves), "{place}");
        assert_eq!(clicks.clicked_points(), self.partial_move, "{place}");
        let mut completions = clicks.legal_completions(session);
        completions.sort();
        let mut expected: Vec<String> = moves
            .iter()
            .filter(|(_, points)| points.starts_with(&self.partial_move))
            .map(|(mv, _)| rules.move_text(*mv))
            .collect();
        expected.sort();
        assert_eq!(completions, expected, "{place}");
    }
}

/// Checks that no two moves have the same points, and that all points of the moves are on the
/// board.
fn check_points<M>(
    GoBoardShape { size, .. }: GoBoardShape,
    moves: &[(M, Vec<Point>)],
    place: &str,
) {
    let mut all: Vec<&Vec<Point>> = moves.iter().map(|(_, points)| points).collect();
    all.sort();
    assert!(all.windows(2).all(|pair| pair[0] != pair[1]), "{place}");
    assert!(
        all.into_iter().flatten().all(|point| point.file < size && point.rank < size),
        "{place}"
    );
}

/// Plays a sequence of inputs from a random position. The inputs include half-made moves, right and
/// wrong points, passes, whole moves and undo.
fn play_click_sequence<G: Game>(options: &Options, grid: GoBoardShape, seed: u64) {
    let mut rng = fastrand::Rng::with_seed(seed);
    let rules = Arc::new(G::from_options(options));
    let mut session = new_session_with_rules(G::from_options(options), None);
    let session = session.as_mut();
    let mut clicks = PartialMove::default();
    let mut now = ExpectedSession { history: new_history(&rules), grid, partial_move: Vec::new() };
    // Moves that were played as a whole are taken back as a whole.
    let mut before = Vec::new();
    for _ in 0..*rng.choice(&[0, 3, 10, 40, 80]).unwrap() {
        let Some(mv) = rng.choice(now.history.legal_move_list()) else { break };
        clicks
            .replace_with_complete_move(session, &InputWord::from_text(&rules.move_text(mv)))
            .unwrap();
        before.push(now.clone());
        now = now.moved(mv);
    }
    let all_inputs =
        grid.points().map(BoardClick::At).chain([BoardClick::Pass]).collect::<Vec<_>>();
    for step in 0..25 {
        let place = &format!(
            "{} seed {seed} step {step}: {} {:?}",
            G::GAME_ID,
            rules.position_text(now.history.position()),
            now.partial_move
        );
        let moves = now.moves();
        check_points(grid, &moves, place);
        now.check(session, &clicks, &moves, place);
        let legal = now.legal(&moves);
        let click = match rng.u8(0..20) {
            0 | 1 => {
                let taken_back = clicks.take_back_last_input(session);
                assert_eq!(taken_back.is_ok(), !before.is_empty(), "{place}");
                now = before.pop().unwrap_or(now);
                continue;
            }
            2 if !moves.is_empty() => {
                let mv = rng.choice(&moves).unwrap().0;
                let made = clicks.replace_with_complete_move(
                    session,
                    &InputWord::from_text(&rules.move_text(mv)),
                );
                made.unwrap_or_else(|why| panic!("{place}: {why}"));
                before.push(now.clone());
                now = now.moved(mv);
                continue;
            }
            3 => BoardClick::Pass,
            4 | 5 => BoardClick::At(Point::new(rng.u8(..26), rng.u8(..99))),
            6 | 7 => *rng.choice(&all_inputs).unwrap(),
            _ => rng.choice(&legal).copied().unwrap_or(BoardClick::Pass),
        };
        let after = now.after(&moves, click);
        assert_eq!(
            clicks.apply_click(session, click).is_ok(),
            after.is_some(),
            "{place} {click:?}"
        );
        if let Some(after) = after {
            before.push(std::mem::replace(&mut now, after));
        }
    }
    let place = &format!("{} seed {seed} at the end", G::GAME_ID);
    let moves = now.moves();
    now.check(session, &clicks, &moves, place);
    if seed.is_multiple_of(4) {
        for click in all_inputs {
            let accepted = clicks.apply_click(session, click).is_ok();
            assert_eq!(accepted, now.after(&moves, click).is_some(), "{place} {click:?}");
            if accepted {
                clicks.take_back_last_input(session).unwrap();
            }
        }
    }
    check_take_back(session, &mut clicks, before, place);
}

/// Takes all inputs back, and checks that the session returns to these earlier states.
fn check_take_back<G: Game>(
    session: &mut dyn Session,
    clicks: &mut PartialMove,
    mut before: Vec<ExpectedSession<G>>,
    place: &str,
) {
    while let Some(earlier) = before.pop() {
        clicks.take_back_last_input(session).unwrap_or_else(|why| panic!("{place}: {why}"));
        let text = earlier.history.rules().position_text(earlier.history.position());
        assert_eq!(session.position_fen(), text, "{place}");
        assert_eq!(clicks.clicked_points(), earlier.partial_move, "{place}");
    }
    assert!(clicks.take_back_last_input(session).is_err(), "{place}");
}

#[derive(Clone)]
struct ClickSequences {
    /// The seed of the first sequence.
    first: u64,
    count: u64,
}

impl GameOperation for ClickSequences {
    type Output = ();

    fn run_for_game_type<G: Game>(self) {
        let sets = option_sets::<G>(8);
        for (seed, options) in (self.first..self.first + self.count).zip(sets.iter().cycle()) {
            let mut options = options.clone();
            options.set(&pentarch_engine::games::GAME_OPTION, G::GAME_ID).unwrap();
            // A game without such a board has no clicks.
            let Some(grid) = G::from_options(&options).go_board_shape() else { return };
            play_click_sequence::<G>(&options, grid, seed);
        }
    }
}

#[test]
fn accepts_clicks_that_begin_a_legal_move() {
    for_each_game(ClickSequences { first: 0, count: 36 });
}

/// To run this test: `cargo test --release --test all clicks:: -- --ignored`
#[test]
#[ignore = "10000 sequences of clicks a game: minutes"]
fn accepts_clicks_that_begin_a_legal_move_in_many_games() {
    for_each_game(ClickSequences { first: fresh_seed(), count: 10_000 });
}
