//! A game in play as data for front ends that draw it.

use std::collections::BTreeSet;

use pentarch_core::notation::text::nearest;
use pentarch_core::rules::options::REPETITION_DRAW;
use pentarch_core::view::layout;
use pentarch_core::view::layout::{DrawnSite, Geometry, WallTurn, rounded};
use pentarch_core::view::projection::click_point;
use pentarch_core::{MoveError, Options, Violation};
use pentarch_diagram::board::{self, View};
use pentarch_games::Game;

use crate::error::{EngineError, Fault};
use crate::input_word::Word;
use crate::scene::{
    Arrow, Board, Clicks, Details, Drawing, Hand, Label, Mark, Piece, Scene, Site, Way,
};

use super::GameSession;

impl<G: Game> Drawing for GameSession<G> {
    fn board(&self, options: &Options) -> Board {
        let Geometry { bounds, sites, shapes, kinds, lines, labels } =
            self.history.rules().geometry();
        let rules = G::OPTIONS.iter().chain([&REPETITION_DRAW.spec]);
        let site = |DrawnSite { site, centre: [x, y], shape, turn, class }| Site {
            id: site.to_string(),
            x: rounded(x),
            y: rounded(y),
            shape,
            turn,
            class,
        };
        let label =
            |(text, [x, y]): (String, [f64; 2])| Label { text, x: rounded(x), y: rounded(y) };
        Board {
            game: G::ID,
            rules: rules.map(|spec| (spec.name, options.value(spec).to_string())).collect(),
            sides: G::PLAYERS,
            aim: self.history.rules().aim(),
            bounds: bounds.map(rounded),
            sites: sites.into_iter().map(site).collect(),
            shapes: shapes.into_iter().collect(),
            kinds: kinds.into_iter().collect(),
            lines,
            labels: labels.into_iter().map(label).collect(),
            odds: G::WIN_RATE_SCALE,
        }
    }

    fn scene(&self) -> Scene {
        let history = &self.history;
        let (rules, position) = (history.rules(), history.position());
        let turn = history.outcome().is_none().then(|| G::PLAYERS[history.player_to_move()]);
        let drawn = rules.scene(position);
        let mark = |layout::Mark { kind, site }| Mark { kind, site: site.to_string() };
        let arrow = |layout::Arrow { kind, from, to }| {
            let (from, to) = (from.to_string(), to.to_string());
            Arrow { kind, from, to }
        };
        let hand =
            |layout::PiecesInHand { player, kind, count }| Hand { side: player, kind, count };
        let mut captured = drawn.lost.to_vec();
        captured.resize(G::PLAYERS.len(), 0);
        Scene {
            fen: rules.position_text(position),
            turn,
            outcome: history.outcome_text(),
            sentence: history.status(),
            pieces: drawn.pieces.into_iter().map(piece).collect(),
            marks: drawn.marks.into_iter().map(mark).collect(),
            arrows: drawn.arrows.into_iter().map(arrow).collect(),
            hands: drawn.hands.into_iter().map(hand).collect(),
            captured,
            last: history.last().map(|(_, mv)| rules.move_text(mv)),
            lastsites: ids(&history.last_sites()),
        }
    }

    fn diagram(&self, shown: &[Word], view: View) -> Result<String, EngineError> {
        let find = |(number, word): (usize, &Word)| {
            self.history
                .find_move(&word.text)
                .map_err(|error| EngineError::of_move(number, word, error))
        };
        let shown = (1..).zip(shown).map(find).collect::<Result<Vec<_>, _>>()?;
        Ok(board::svg(&self.history, &shown, view))
    }

    fn clicks(&self, sites: &[Word]) -> Result<Clicks, EngineError> {
        let (rules, position) = (self.history.rules(), self.history.position());
        let clicked = read_sites(&rules.geometry(), sites)?;
        let mut moves = Vec::new();
        self.history.legal_moves(&mut moves);
        let (mut next, mut made, mut clicks) = (BTreeSet::new(), None, Vec::new());
        for mv in moves {
            clicks.clear();
            rules.clicks(position, mv, &mut clicks);
            match clicks.strip_prefix(clicked.as_slice()) {
                // A game without sites has no clicks.
                _ if clicks.is_empty() => {}
                Some([]) => made = Some(rules.move_text(mv)),
                Some([site, ..]) => drop(next.insert(site.to_string())),
                None => {}
            }
        }
        let next = next.into_iter().collect();
        let spelled = rules.move_string_of_clicks(position, &clicked);
        let (text, illegal) = match (&made, self.history.find_move(&spelled)) {
            (Some(text), _) => (Some(text.clone()), None),
            (None, Ok(_)) => (Some(spelled), None),
            (None, Err(MoveError::Illegal(illegal))) => (Some(spelled), Some(illegal)),
            (None, Err(MoveError::Syntax(_))) => (None, None),
        };
        let why = illegal.as_ref().map(Violation::to_string);
        let rule = illegal.as_ref().and_then(Violation::rule);
        let reason = illegal.map(|illegal| illegal.reason);
        Ok(Clicks { next, mv: made, text, why, reason, rule })
    }

    fn details(&self, word: &Word) -> Result<Details, EngineError> {
        let (rules, position) = (self.history.rules(), self.history.position());
        let mv = self
            .history
            .find_move(&word.text)
            .map_err(|error| EngineError::of_only_move(word, error))?;
        let mut clicks = Vec::new();
        rules.clicks(position, mv, &mut clicks);
        let points = clicks.iter().map(|&site| click_point(rules.as_ref(), site)).collect();
        let details = rules.details(position, mv);
        let ways = |ways: &[[layout::Site; 2]]| -> Vec<Way> {
            let way = |[from, to]: &[layout::Site; 2]| (from.to_string(), to.to_string());
            ways.iter().map(way).map(|(from, to)| Way { from, to }).collect()
        };
        let direction = |turn: WallTurn| match turn.clockwise {
            Some(true) => "cw",
            Some(false) => "ccw",
            None => "either",
        };
        Ok(Details {
            mv: rules.move_text(mv),
            clicks: ids(&clicks),
            moved: ways(&details.moved),
            removed: details.removed.into_iter().map(piece).collect(),
            placed: details.placed.into_iter().map(piece).collect(),
            path: ids(&details.path),
            captured: ids(&details.captured),
            pushed: ways(&details.pushed),
            promoted: details.promoted,
            pivot: details.turn.map(|turn| turn.pivot.to_string()),
            direction: details.turn.map(direction),
            degrees: details.turn.map(|turn| turn.degrees),
            points,
        })
    }
}

/// Returns the ids of sites.
fn ids(sites: &[layout::Site]) -> Vec<String> {
    sites.iter().map(layout::Site::to_string).collect()
}

/// Returns a piece as data.
fn piece(layout::Piece { kind, player, site }: layout::Piece) -> Piece {
    Piece { kind, side: player, site: site.to_string() }
}

/// The sites of a board with these ids.
fn read_sites(geometry: &Geometry, words: &[Word]) -> Result<Vec<layout::Site>, EngineError> {
    let site = |word: &Word| {
        let site = layout::Site::parse(&word.text).ok();
        let known = site.filter(|site| geometry.sites.iter().any(|drawn| drawn.site == *site));
        known.ok_or_else(|| {
            let all: Vec<String> =
                geometry.sites.iter().map(|drawn| drawn.site.to_string()).collect();
            let nearest = nearest(&word.text, all.iter().map(String::as_str)).map(String::from);
            EngineError::new(Fault::UnknownSite { site: word.text.clone(), nearest }).at(word)
        })
    };
    words.iter().map(site).collect()
}
