//! A game in play on the board of a Go front end.

use pentarch_core::view::layout::Site;
use pentarch_core::view::projection::{click_point, click_points};
use pentarch_core::{MoveError, Point, Violation};
use pentarch_games::Game;

use crate::go_board::{GoBoard, GoScene};

use super::GameSession;

impl<G: Game> GoBoard for GameSession<G> {
    fn go_scene(&self) -> Option<GoScene> {
        GoScene::of(self.history.rules().as_ref(), self.history.position())
    }

    fn moves_through(&self, begun: &[Point]) -> Vec<(String, Vec<Point>)> {
        let (rules, mut moves) = (self.history.rules(), Vec::new());
        self.history.legal_moves(&mut moves);
        let mut through = Vec::new();
        for mv in moves {
            let mut points = Vec::new();
            click_points(rules.as_ref(), self.history.position(), mv, &mut points);
            if points.starts_with(begun) {
                through.push((rules.move_text(mv), points));
            }
        }
        through
    }

    fn why_illegal(&self, points: &[Point]) -> Option<Violation> {
        let rules = self.history.rules().as_ref();
        let sites = rules.geometry().sites;
        let site = |&at: &Point| {
            sites.iter().map(|drawn| drawn.site).find(|&site| click_point(rules, site) == at)
        };
        let clicked: Vec<Site> = points.iter().map(site).collect::<Option<_>>()?;
        match self.history.find_move(&rules.spelled(self.history.position(), &clicked)) {
            Err(MoveError::Illegal(violation)) => Some(violation),
            _ => None,
        }
    }

    fn points_of(&self, line: &[String]) -> Vec<Point> {
        let mut history = self.history.clone();
        let mut points = Vec::new();
        for text in line {
            let Ok(mv) = history.find_move(text) else { break };
            click_points(history.rules().as_ref(), history.position(), mv, &mut points);
            history.push(mv);
        }
        points
    }
}
