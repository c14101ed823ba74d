//! A game in play on the board of a Go front end.

use pentarch_core::view::layout::Site;
use pentarch_core::view::projection::{click_point, click_points};
use pentarch_core::{MoveError, Point, Violation};
use pentarch_games::Game;

use crate::go_board::{GoBoard, GoScene, MovesThrough, PointMove};

use super::GameSession;

impl<G: Game> GoBoard for GameSession<G> {
    fn go_scene(&self) -> Option<GoScene> {
        GoScene::of(self.history.rules().as_ref(), self.history.position())
    }

    fn moves_through(&self, begun: &[Point]) -> MovesThrough {
        let rules = self.history.rules();
        let mut moves = Vec::new();
        self.history.legal_moves(&mut moves);
        let mut through = MovesThrough::default();
        for mv in moves {
            let mut points = Vec::new();
            click_points(rules.as_ref(), self.history.position(), mv, &mut points);
            if points.starts_with(begun) {
                through.moves.push(PointMove { text: rules.move_text(mv), points });
            }
        }
        if through.moves.is_empty() {
            through.violation = self.violation(begun);
        }
        through
    }
}

impl<G: Game> GameSession<G> {
    /// Returns the rule that forbids the move that these points spell; none if they spell no whole move, or a legal one.
    fn violation(&self, points: &[Point]) -> Option<Violation> {
        let rules = self.history.rules().as_ref();
        let sites = rules.geometry().sites;
        let site = |&at: &Point| {
            sites.iter().map(|drawn| drawn.site).find(|&site| click_point(rules, site) == at)
        };
        let clicked: Vec<Site> = points.iter().map(site).collect::<Option<_>>()?;
        match self
            .history
            .find_move(&rules.move_string_of_clicks(self.history.position(), &clicked))
        {
            Err(MoveError::Illegal(violation)) => Some(violation),
            _ => None,
        }
    }
}
