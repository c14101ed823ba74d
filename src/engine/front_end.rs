//! The answers to `query board`, `scene`, `clicks` and `details`: a game as data, for front ends that draw it and make
//! moves without knowing its rules. `protocol.md` describes their members.

use std::borrow::Cow;
use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use crate::core::layout::{Arrow, Details, DrawnSite, Geometry, Hand, Mark, Piece, Site, WallTurn, rounded};
use crate::core::options::REPETITION_DRAW;
use crate::core::text::{did_you_mean, quoted, shortened};
use crate::core::{Game, GameHistory, MoveError, Options};
use crate::diagram::board::{self, View};

use super::game_session::{GameSession, bad_move, extend, line_of};
use super::word::Word;

/// A game in play as data for front ends.
pub trait FrontEnd {
    /// What is drawn of the board in every position, and the rules, as these options choose them.
    fn board(&self, options: &Options) -> Value;

    /// What a position shows, after these moves. It is the position in play, or with a `start` that of its text, or
    /// the start position.
    ///
    /// # Errors
    /// If the text is no position of these rules, or a move is not legal.
    fn scene(&self, start: Option<Option<&[Word]>>, moves: &[Word]) -> Result<Value, String>;

    /// The picture of such a position in SVG, in which these legal moves are shown.
    ///
    /// # Errors
    /// If the text is no position of these rules, or a move is not legal.
    fn diagram(
        &self,
        start: Option<Option<&[Word]>>,
        moves: &[Word],
        shown: &[Word],
        view: View,
    ) -> Result<String, String>;

    /// What the sites that were clicked so far mean, and which ones can follow.
    ///
    /// # Errors
    /// If the board has no such site.
    fn clicks(&self, sites: &[Word]) -> Result<Value, String>;

    /// What a legal move does.
    ///
    /// # Errors
    /// If the move is not legal.
    fn details(&self, mv: &Word) -> Result<Value, String>;
}

impl<G: Game> FrontEnd for GameSession<G> {
    fn board(&self, options: &Options) -> Value {
        let Geometry { bounds, sites, shapes, kinds, lines, labels } = self.history.rules().geometry();
        let rules = G::OPTIONS.iter().chain([&REPETITION_DRAW]);
        let rules: Map<String, Value> = rules.map(|spec| (spec.name.into(), options.text(spec).into())).collect();
        let paths = |paths: Vec<(&str, String)>| -> Map<String, Value> {
            paths.into_iter().map(|(name, path)| (name.into(), path.into())).collect()
        };
        let label = |(text, [x, y]): &(String, [f64; 2])| json!({ "text": text, "x": rounded(*x), "y": rounded(*y) });
        json!({
            "game": G::ID,
            "rules": rules,
            "sides": G::PLAYERS,
            "box": bounds.map(rounded),
            "sites": sites.iter().map(site_json).collect::<Vec<_>>(),
            "shapes": paths(shapes),
            "kinds": paths(kinds),
            "lines": lines,
            "labels": labels.iter().map(label).collect::<Vec<_>>(),
            "odds": G::ODDS_SCALE,
        })
    }

    fn scene(&self, start: Option<Option<&[Word]>>, moves: &[Word]) -> Result<Value, String> {
        Ok(scene_json(self.line(start, moves)?.as_ref()))
    }

    fn diagram(
        &self,
        start: Option<Option<&[Word]>>,
        moves: &[Word],
        shown: &[Word],
        view: View,
    ) -> Result<String, String> {
        let history = self.line(start, moves)?;
        let find = |(number, word): (usize, &Word)| {
            history.find_move(&word.text).map_err(|error| bad_move(number, word, error))
        };
        let shown = (1..).zip(shown).map(find).collect::<Result<Vec<_>, _>>()?;
        Ok(board::svg(&history, &shown, view))
    }

    fn clicks(&self, sites: &[Word]) -> Result<Value, String> {
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
                Some([site, ..]) => drop(next.insert(*site)),
                None => {}
            }
        }
        let mut next: Vec<String> = next.iter().map(Site::to_string).collect();
        next.sort_unstable();
        let spelled = rules.spelled(position, &clicked);
        let (text, why) = match (&made, self.history.find_move(&spelled)) {
            (Some(text), _) => (Some(text.clone()), None),
            (None, Ok(_)) => (Some(spelled), None),
            (None, Err(MoveError::Illegal(why))) => (Some(spelled), Some(why.to_string())),
            (None, Err(MoveError::Syntax(_))) => (None, None),
        };
        Ok(json!({ "next": next, "move": made, "text": text, "why": why }))
    }

    fn details(&self, word: &Word) -> Result<Value, String> {
        let (rules, position) = (self.history.rules(), self.history.position());
        let mv = self.history.find_move(&word.text).map_err(|error| match error {
            MoveError::Syntax(error) => error.shifted(word.column.saturating_sub(1)).to_string(),
            MoveError::Illegal(why) => format!("{}{} is illegal: {why}", word.place(), shortened(&word.text)),
        })?;
        let mut clicks = Vec::new();
        rules.clicks(position, mv, &mut clicks);
        let piece = |piece: &Piece| piece_json(piece, rules.owner(position, piece));
        let Details { moved, removed, placed, path, captured, pushed, promoted, turn } = rules.details(position, mv);
        let steps = |steps: &[[Site; 2]]| -> Vec<Value> {
            steps.iter().map(|[from, to]| json!({ "from": from.to_string(), "to": to.to_string() })).collect()
        };
        let direction = |turn: WallTurn| match turn.clockwise {
            Some(true) => "cw",
            Some(false) => "ccw",
            None => "either",
        };
        Ok(json!({
            "move": rules.move_text(mv),
            "clicks": ids(&clicks),
            "moved": steps(&moved),
            "removed": removed.iter().map(piece).collect::<Vec<_>>(),
            "placed": placed.iter().map(piece).collect::<Vec<_>>(),
            "path": ids(&path),
            "captured": ids(&captured),
            "pushed": steps(&pushed),
            "promoted": promoted,
            "pivot": turn.map(|turn| turn.pivot.to_string()),
            "direction": turn.map(direction),
            "degrees": turn.map(|turn| turn.degrees),
        }))
    }
}

impl<G: Game> GameSession<G> {
    /// The game in play, or another one, after these moves.
    fn line(&self, start: Option<Option<&[Word]>>, moves: &[Word]) -> Result<Cow<'_, GameHistory<G>>, String> {
        match start {
            Some(fen) => line_of(self.history.rules(), fen, moves).map(Cow::Owned),
            None if moves.is_empty() => Ok(Cow::Borrowed(&self.history)),
            None => {
                let mut history = self.history.clone();
                extend(&mut history, moves)?;
                Ok(Cow::Owned(history))
            }
        }
    }
}

/// What a position shows, as an object.
fn scene_json<G: Game>(history: &GameHistory<G>) -> Value {
    let (rules, position) = (history.rules(), history.position());
    let outcome = history.outcome();
    let turn = outcome.is_none().then(|| G::PLAYERS[history.player_to_move()]);
    let mark = |Mark { kind, site }: &Mark| json!({ "kind": kind, "site": site.to_string() });
    let arrow =
        |Arrow { kind, from, to }: &Arrow| json!({ "kind": kind, "from": from.to_string(), "to": to.to_string() });
    let hand = |Hand { player, kind, count }: &Hand| json!({ "side": player, "kind": kind, "count": count });
    let piece = |piece: &Piece| piece_json(piece, rules.owner(position, piece));
    let mut captured = rules.lost(position).to_vec();
    captured.resize(G::PLAYERS.len(), 0);
    json!({
        "fen": rules.position_text(position),
        "turn": turn,
        "outcome": history.outcome_text(),
        "sentence": history.status(),
        "pieces": rules.pieces(position).iter().map(piece).collect::<Vec<_>>(),
        "marks": rules.marks(position).iter().map(mark).collect::<Vec<_>>(),
        "arrows": rules.arrows(position).iter().map(arrow).collect::<Vec<_>>(),
        "hands": rules.hands(position).iter().map(hand).collect::<Vec<_>>(),
        "captured": captured,
        "last": history.last().map(|(_, mv)| rules.move_text(mv)),
        "lastsites": ids(&history.last_sites()),
    })
}

fn site_json(drawn: &DrawnSite) -> Value {
    let DrawnSite { site, centre: [x, y], shape, turn, class } = drawn;
    json!({ "id": site.to_string(), "x": rounded(*x), "y": rounded(*y), "shape": shape, "turn": turn, "class": class })
}

/// A piece, with the index of the player to whom it belongs.
fn piece_json(piece: &Piece, owner: Option<usize>) -> Value {
    let Piece { kind, site, .. } = piece;
    json!({ "kind": kind, "side": owner, "site": site.to_string() })
}

fn ids(sites: &[Site]) -> Vec<String> {
    sites.iter().map(Site::to_string).collect()
}

/// The sites of a board with these ids.
fn read_sites(geometry: &Geometry, words: &[Word]) -> Result<Vec<Site>, String> {
    let site = |word: &Word| {
        let site = Site::parse(&word.text).ok();
        let known = site.filter(|site| geometry.sites.iter().any(|drawn| drawn.site == *site));
        known.ok_or_else(|| {
            let all = ids(&geometry.sites.iter().map(|drawn| drawn.site).collect::<Vec<_>>());
            let hint = did_you_mean(&word.text, all.iter().map(String::as_str));
            format!("{}the board has no site {}{hint}", word.place(), quoted(&word.text))
        })
    };
    words.iter().map(site).collect()
}
