//! Implements [`BoardView`]: describes the current game as data for front ends that draw it.

use std::collections::BTreeSet;

use pentarch_core::notation::parsing::nearest_known_word;
use pentarch_core::rules::options::REPETITION_DRAW_OPTION;
use pentarch_core::view::go_board_projection::go_click_point_of_site;
use pentarch_core::view::layout;
use pentarch_core::view::layout::{BoardGeometry, DrawnSite, WallRotation, round_drawing_length};
use pentarch_core::view::position_counts::LabelledCount;
use pentarch_core::{MoveError, Options, RuleViolation};
use pentarch_diagram::board::{self, ImageOptions};
use pentarch_games::Game;

use crate::error::{EngineError, EngineFault};
use crate::input_word::InputWord;
use crate::scene::{
    Arrow, Board, BoardView, ClickInterpretation, CountAfter, Label, LabelledCountFields, Mark,
    MoveDetails, Piece, PieceCount, PieceMove, Scene, Site,
};

use super::GameSession;

impl<G: Game> BoardView for GameSession<G> {
    fn board_data(&self, options: &Options) -> Board {
        let BoardGeometry { bounds, sites, shapes, kinds, emblems, lines, labels } =
            self.history.rules().board_geometry();
        let rules = G::RULE_OPTIONS.iter().chain([&REPETITION_DRAW_OPTION.spec]);
        let labels = labels.into_iter().map(|(text, [x, y])| Label {
            text,
            x: round_drawing_length(x),
            y: round_drawing_length(y),
        });
        Board {
            game: G::GAME_ID,
            rules: rules.map(|spec| (spec.name, options.value(spec).to_string())).collect(),
            sides: G::PLAYER_NAMES,
            aim: self.history.rules().game_aim(),
            bounds: bounds.map(round_drawing_length),
            sites: sites.into_iter().map(to_scene_site).collect(),
            shapes: shapes.into_iter().collect(),
            kinds: kinds.into_iter().collect(),
            emblems: emblems.into_iter().collect(),
            lines,
            labels: labels.collect(),
            odds: G::WIN_RATE_SCALE,
        }
    }

    fn position_scene(&self) -> Scene {
        let history = &self.history;
        let rules = history.rules();
        let turn = history.outcome().is_none().then(|| G::PLAYER_NAMES[history.player_to_move()]);
        let drawn = history.scene();
        let captured = (0..G::PLAYER_NAMES.len()).map(|player| drawn.lost_count(player)).collect();
        let marks = drawn
            .marks
            .into_iter()
            .map(|mark| Mark { kind: mark.kind, site: mark.site.to_string() });
        let arrows = drawn.arrows.into_iter().map(|arrow| Arrow {
            kind: arrow.kind,
            from: arrow.from.to_string(),
            to: arrow.to.to_string(),
        });
        let pieces = drawn.pieces.into_iter().map(to_scene_piece).collect();
        let hands = drawn.hands.into_iter().map(to_scene_piece_count).collect();
        let lost = drawn.lost.into_iter().map(to_scene_piece_count).collect();
        Scene {
            fen: rules.position_text(history.position()),
            turn,
            outcome: history.status_protocol_words(),
            sentence: history.status_sentence(),
            pieces,
            marks: marks.collect(),
            arrows: arrows.collect(),
            hands,
            captured,
            lost,
            last: history.last_position_and_move().map(|(_, mv)| rules.move_text(mv)),
            lastsites: site_ids(&history.sites_of_last_move()),
        }
    }

    fn svg_image(&self, shown: &[InputWord], view: ImageOptions) -> Result<String, EngineError> {
        let mut moves = Vec::with_capacity(shown.len());
        for (number, word) in (1..).zip(shown) {
            let found = self.history.resolve_move(&word.text);
            moves.push(found.map_err(|error| EngineError::invalid_move(number, word, error))?);
        }
        Ok(board::draw_svg(&self.history, &moves, view))
    }

    fn interpret_clicks(&self, sites: &[InputWord]) -> Result<ClickInterpretation, EngineError> {
        let rules = self.history.rules();
        let position = self.history.position();
        let clicked = parse_site_ids(&rules.board_geometry(), sites)?;
        let mut moves = Vec::new();
        self.history.legal_moves(&mut moves);
        let mut next = BTreeSet::new();
        let mut completed = None;
        let mut clicks = Vec::new();
        for mv in moves {
            clicks.clear();
            rules.append_move_clicks(position, mv, &mut clicks);
            match clicks.strip_prefix(clicked.as_slice()) {
                // A game without sites has no clicks.
                _ if clicks.is_empty() => {}
                Some([]) => completed = Some(rules.move_text(mv)),
                Some([site, ..]) => drop(next.insert(site.to_string())),
                None => {}
            }
        }
        let next = next.into_iter().collect();
        let spelled = rules.move_string_from_clicks(position, &clicked);
        let (text, illegal) = match (&completed, self.history.resolve_move(&spelled)) {
            (Some(text), _) => (Some(text.clone()), None),
            (None, Ok(_)) => (Some(spelled), None),
            (None, Err(MoveError::Illegal(illegal))) => (Some(spelled), Some(illegal)),
            (None, Err(MoveError::Syntax(_))) => (None, None),
        };
        let why = illegal.as_ref().map(RuleViolation::to_string);
        let rule = illegal.as_ref().and_then(RuleViolation::decisive_rule_id);
        let reason = illegal.map(|illegal| illegal.reason);
        Ok(ClickInterpretation { next, mv: completed, text, why, reason, rule })
    }

    fn move_effect(&self, word: &InputWord) -> Result<MoveDetails, EngineError> {
        let rules = self.history.rules();
        let position = self.history.position();
        let mv = self
            .history
            .resolve_move(&word.text)
            .map_err(|error| EngineError::invalid_single_move(word, error))?;
        let mut clicks = Vec::new();
        rules.append_move_clicks(position, mv, &mut clicks);
        let points =
            clicks.iter().map(|&site| go_click_point_of_site(rules.as_ref(), site)).collect();
        let details = rules.move_effect(position, mv);
        let direction = |turn: WallRotation| match turn.clockwise {
            Some(true) => "cw",
            Some(false) => "ccw",
            None => "either",
        };
        let pivot = details.turn.map(|turn| turn.pivot.to_string());
        let direction = details.turn.map(direction);
        let degrees = details.turn.map(|turn| turn.degrees);
        Ok(MoveDetails {
            mv: rules.move_text(mv),
            clicks: site_ids(&clicks),
            moved: to_scene_piece_moves(&details.moved),
            removed: details.removed.into_iter().map(to_scene_piece).collect(),
            placed: details.placed.into_iter().map(to_scene_piece).collect(),
            path: site_ids(&details.path),
            captured: site_ids(&details.captured),
            pushed: to_scene_piece_moves(&details.pushed),
            promoted: details.promoted,
            pivot,
            direction,
            degrees,
            points,
        })
    }

    fn position_counts(
        &self,
        word: Option<&InputWord>,
    ) -> Result<Vec<LabelledCountFields>, EngineError> {
        let rules = self.history.rules();
        let position = self.history.position();
        let mut counts: Vec<LabelledCountFields> = rules
            .labelled_position_counts(position)
            .into_iter()
            .map(to_labelled_count_fields)
            .collect();
        let Some(word) = word else { return Ok(counts) };
        let mv = self
            .history
            .resolve_move(&word.text)
            .map_err(|error| EngineError::invalid_single_move(word, error))?;
        let counts_after = rules.labelled_position_counts(&rules.play(position, mv));
        for (count, after) in counts.iter_mut().zip(counts_after) {
            // For a number of the player to move, the numbers before and after the move are those
            // of different players.
            let both = after.value.zip(count.value).filter(|_| count.side.is_some());
            let added = both.map(|(new, old)| new as i32 - old as i32);
            let sites = site_ids(&after.sites);
            count.after = Some(CountAfter { value: after.value, added, sites });
        }
        Ok(counts)
    }
}

/// Returns the ids of sites.
fn site_ids(sites: &[layout::Site]) -> Vec<String> {
    sites.iter().map(layout::Site::to_string).collect()
}

/// Returns a count as data.
fn to_labelled_count_fields(count: LabelledCount) -> LabelledCountFields {
    LabelledCountFields {
        label: count.label,
        side: count.player,
        value: count.value,
        sites: site_ids(&count.sites),
        path: count.is_path,
        after: None,
    }
}

/// Returns a site as data.
fn to_scene_site(DrawnSite { site, centre: [x, y], shape, turn, class }: DrawnSite) -> Site {
    Site {
        id: site.to_string(),
        x: round_drawing_length(x),
        y: round_drawing_length(y),
        shape,
        turn,
        class,
    }
}

/// Returns the moves of pieces as data.
fn to_scene_piece_moves(moves: &[[layout::Site; 2]]) -> Vec<PieceMove> {
    moves
        .iter()
        .map(|[from, to]| PieceMove { from: from.to_string(), to: to.to_string() })
        .collect()
}

/// Returns a piece as data.
fn to_scene_piece(layout::Piece { kind, player, site }: layout::Piece) -> Piece {
    Piece { kind, side: player, site: site.to_string() }
}

/// Returns a number of pieces as data.
fn to_scene_piece_count(
    layout::PieceCount { player, kind, count }: layout::PieceCount,
) -> PieceCount {
    PieceCount { side: player, kind, count }
}

fn parse_site_ids(
    geometry: &BoardGeometry,
    words: &[InputWord],
) -> Result<Vec<layout::Site>, EngineError> {
    let mut sites = Vec::with_capacity(words.len());
    for word in words {
        let site = layout::Site::parse(&word.text).ok();
        let known = site.filter(|site| geometry.sites.iter().any(|drawn| drawn.site == *site));
        let Some(site) = known else {
            let all: Vec<String> =
                geometry.sites.iter().map(|drawn| drawn.site.to_string()).collect();
            let nearest =
                nearest_known_word(&word.text, all.iter().map(String::as_str)).map(String::from);
            let fault = EngineFault::UnknownSite { site: word.text.clone(), nearest };
            return Err(EngineError::new(fault).at_word(word));
        };
        sites.push(site);
    }
    Ok(sites)
}
