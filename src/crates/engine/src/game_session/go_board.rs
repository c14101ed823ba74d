//! Implements [`GoBoard`]: shows the current game on the board of a Go front end.

use pentarch_core::view::go_board_projection::{append_go_click_points, go_click_point_of_site};
use pentarch_core::view::layout::Site;
use pentarch_core::{MoveError, Point, RuleViolation};
use pentarch_games::Game;

use crate::go_board::{GoBoard, GoBoardMove, GoBoardScene, MovesMatchingClicks};

use super::GameSession;

impl<G: Game> GoBoard for GameSession<G> {
    fn go_board_scene(&self) -> Option<GoBoardScene> {
        GoBoardScene::new(self.history.rules().as_ref(), self.history.position())
    }

    fn moves_matching_clicks(&self, clicked: &[Point]) -> MovesMatchingClicks {
        let rules = self.history.rules();
        let mut moves = Vec::new();
        self.history.legal_moves(&mut moves);
        let mut matching = MovesMatchingClicks::default();
        for mv in moves {
            let mut points = Vec::new();
            append_go_click_points(rules.as_ref(), self.history.position(), mv, &mut points);
            if points.starts_with(clicked) {
                matching.moves.push(GoBoardMove { text: rules.move_text(mv), points });
            }
        }
        if matching.moves.is_empty() {
            matching.violation = self.rule_violation_of_points(clicked);
        }
        matching
    }
}

impl<G: Game> GameSession<G> {
    /// Returns the rule that forbids the move formed by these points. Returns `None` if the points
    /// form a legal move or no complete move.
    fn rule_violation_of_points(&self, points: &[Point]) -> Option<RuleViolation> {
        let rules = self.history.rules().as_ref();
        let sites = rules.board_geometry().sites;
        let site_at = |&point: &Point| {
            sites
                .iter()
                .map(|drawn| drawn.site)
                .find(|&site| go_click_point_of_site(rules, site) == point)
        };
        let clicked: Vec<Site> = points.iter().map(site_at).collect::<Option<_>>()?;
        match self
            .history
            .resolve_move(&rules.move_string_from_clicks(self.history.position(), &clicked))
        {
            Err(MoveError::Illegal(violation)) => Some(violation),
            _ => None,
        }
    }
}
