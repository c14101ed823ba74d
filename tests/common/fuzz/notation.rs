//! Checks of positions and moves.

use std::fmt::Display;
use std::sync::Arc;

use pentarch_core::{GameHistory, ProbeWorkLimit, Side};

use pentarch::protocol::gtp::graphics;
use pentarch_engine::go_board::GoBoardScene;
use pentarch_games::Game;

use crate::common::no_tables;

/// Checks that the reason for an error is a single line. Returns the reason.
pub(crate) fn check_reason(what: &str, why: &impl Display) -> String {
    let why = why.to_string();
    assert!(
        !why.trim().is_empty() && !why.contains(char::is_control),
        "{what:?}: the reason is {why:?}"
    );
    why
}

/// Checks that a text is rejected, or is a position that fulfils all requirements of the program.
/// Returns the position.
pub(crate) fn check_position<G: Game>(rules: &Arc<G>, text: &str) -> Option<G::Position> {
    let position = match rules.parse_position(text) {
        Ok(position) => position,
        Err(error) => {
            check_reason(text, &error);
            return None;
        }
    };
    let canonical = rules.position_text(&position);
    if rules.position_in_published_notation(&position).is_some() && text.contains('/') {
        // Published notation may have any case and order. The program's own notation is canonical.
        assert_eq!(
            rules.parse_position(&canonical).as_ref(),
            Ok(&position),
            "{} {text}",
            G::GAME_ID
        );
    } else {
        assert_eq!(canonical, text, "{}: not canonical", G::GAME_ID);
    }
    let mut moves = Vec::new();
    rules.legal_moves(&position, &mut moves);
    assert_eq!(rules.outcome(&position).is_some(), moves.is_empty(), "{} {text}", G::GAME_ID);
    rules.board_diagram(&position, Side::First);
    let points = rules.go_board_shape().map_or(0, |grid| grid.points().count());
    let scene = GoBoardScene::new(rules.as_ref(), &position);
    assert_eq!(
        scene.as_ref().map_or(0, |scene| graphics::go_board_point_contents(scene).len()),
        points,
        "{} {text}",
        G::GAME_ID
    );
    let mut lines = scene.iter().flat_map(graphics::gogui_graphics_lines);
    assert!(lines.all(|line| !line.contains(char::is_control)), "{} {text}", G::GAME_ID);
    rules.position_scene(&position);
    if !moves.is_empty() {
        rules.probe_tables(&no_tables(rules.as_ref()), &position, ProbeWorkLimit::Computed);
        let cache = rules.compute_eval_data(&position);
        let mut parts = 0;
        rules.visit_features(&position, &cache, |_| parts += 1);
        assert!((1..=G::FEATURE_WEIGHTS.len()).contains(&parts), "{} {text}: {parts}", G::GAME_ID);
        rules.evaluate(&position, &cache);
        rules.quiescence_state(&position, &cache);
    }
    // A position after a legal move is valid.
    for &mv in moves.iter().step_by(moves.len() / 4 + 1) {
        let next = rules.play(&position, mv);
        let next_text = rules.position_text(&next);
        let read = rules.parse_position(&next_text);
        assert_eq!(
            read.as_ref(),
            Ok(&next),
            "{} {text} {} {next_text}",
            G::GAME_ID,
            rules.move_text(mv)
        );
    }
    Some(position)
}

/// Checks that a text is rejected, or names a generated move. Each move has a single canonical
/// notation.
pub(crate) fn check_move<G: Game>(history: &GameHistory<G>, text: &str) {
    let rules = history.rules();
    match history.resolve_move(text) {
        Err(error) => drop(check_reason(text, &error)),
        Ok(mv) => {
            let mut moves = Vec::new();
            let mut clicks = Vec::new();
            history.legal_moves(&mut moves);
            assert!(moves.contains(&mv), "{} {text:?}: not generated", G::GAME_ID);
            assert_eq!(
                history.resolve_move(&rules.move_text(mv)),
                Ok(mv),
                "{} {text:?}",
                G::GAME_ID
            );
            rules.append_move_clicks(history.position(), mv, &mut clicks);
            assert_eq!(
                clicks.is_empty(),
                rules.board_geometry().sites.is_empty(),
                "{} {text:?}",
                G::GAME_ID
            );
        }
    }
}
