//! Writes records in SGF. The moves become clicks on the board of a Go front end.

use std::fmt::Write;

use pentarch_core::notation::record::notes::{MOVE_QUALITY_MARKS, unescape_tag_value};
use pentarch_core::notation::record::{GameRecord, RecordedMove, winner_from_record_result};
use pentarch_core::{EndByPlayers, Point, Side};
use pentarch_engine::best_lines::win_chance;
use pentarch_engine::engine_state::{new_game_session, non_default_rules};
use pentarch_engine::error::EngineError;
use pentarch_engine::input_word::InputWord;
use pentarch_engine::record::{ReplayedGame, is_derived_tag};
use pentarch_engine::session::Session;
use pentarch_engine::sgf_properties::{
    GLYPHS_PROPERTY, SGF_CLOCK_PROPERTIES, SGF_MOVE_PROPERTIES, SGF_MOVE_QUALITY_PROPERTIES,
    SGF_MOVE_SIGNS_PROPERTY, SGF_ROOT_PROPERTY_TAGS, SGF_SCORE_PROPERTY, SGF_WIN_CHANCE_PROPERTY,
    swap_date_separators,
};
use pentarch_engine::sgf_tree::escape_property_value;

use super::OmissionCounts;
use super::error::GameConversionError;

/// Returns a game in SGF.
///
/// # Errors
/// If the game has no board for Go front ends, or does not begin in the start position of its
/// rules.
pub fn game_to_sgf(
    game: &ReplayedGame,
    omissions: &mut OmissionCounts,
) -> Result<String, GameConversionError> {
    let ReplayedGame { options, session, record, .. } = game;
    let constants = session.game_constants();
    let scene = session.go_board_scene();
    let scene = scene.ok_or(GameConversionError::NoBoard { game: constants.game })?;
    if let Some(fen) = record.tag_values("Fen").next() {
        return Err(GameConversionError::SgfStart { position: fen.into() });
    }
    let mut rules = format!("pentarch {}", constants.game);
    for (spec, value) in non_default_rules(options) {
        write!(rules, " {}={value}", spec.name).unwrap_or_default();
    }
    let size = scene.grid.size;
    let mut text =
        format!("(;FF[4]CA[UTF-8]GM[1]AP[pentarch:{}]SZ[{size}]", env!("CARGO_PKG_VERSION"));
    write!(
        text,
        "GN[{}]RU[{}]RE[{}]",
        escape_property_value(constants.game),
        escape_property_value(&rules),
        sgf_result_value(session.as_ref(), record)
    )
    .unwrap_or_default();
    for (name, value) in record.tags.iter().filter(|(name, _)| !is_derived_tag(name)) {
        match SGF_ROOT_PROPERTY_TAGS.iter().find(|(_, tag)| tag.eq_ignore_ascii_case(name)) {
            Some((property, tag)) => {
                let value = unescape_tag_value(value);
                let value = if *tag == "Date" { swap_date_separators(&value) } else { value };
                write!(text, "{property}[{}]", escape_property_value(&value)).unwrap_or_default();
            }
            None => omissions.add_omissions("tag", 1),
        }
    }
    if !record.comment.is_empty() {
        write!(text, "C[{}]", escape_property_value(&record.comment)).unwrap_or_default();
    }
    let mut start = new_game_session(options);
    let mut writer = SgfWriter { text, size };
    writer.write_move_line(start.as_mut(), &record.moves, false)?;
    Ok(writer.text + ")")
}

fn sgf_result_value(session: &dyn Session, record: &GameRecord) -> &'static str {
    let game_state = session.game_state();
    let side_word = |winner, words: [&'static str; 2]| {
        if winner == Side::First { words[0] } else { words[1] }
    };
    match game_state.end {
        Some(EndByPlayers::Resignation(loser)) => side_word(!loser, ["B+R", "W+R"]),
        Some(EndByPlayers::Time(loser)) => side_word(!loser, ["B+T", "W+T"]),
        _ => match winner_from_record_result(&record.result) {
            Some(Some(winner)) => side_word(winner, ["B+", "W+"]),
            Some(None) => "0",
            None => "?",
        },
    }
}

struct SgfWriter {
    text: String,
    size: u8,
}

impl SgfWriter {
    /// Writes a line that begins in the current position of the session. Afterwards the session is
    /// in the position after the line. A move with variations is in brackets, together with the
    /// moves after it. Each variation follows in separate brackets. The first move of a variation
    /// may itself have variations. These inner variations follow that variation, because a bracket
    /// begins with a node.
    fn write_move_line(
        &mut self,
        session: &mut dyn Session,
        line: &[RecordedMove],
        is_variation: bool,
    ) -> Result<(), EngineError> {
        let has_brackets = |index: usize, mv: &RecordedMove| {
            !(mv.notes().variations.is_empty() || is_variation && index == 0)
        };
        for (index, mv) in line.iter().enumerate() {
            if has_brackets(index, mv) {
                self.text.push('(');
            }
            self.write_move(session, mv);
            session.play_moves(&[InputWord::from_text(&mv.text)])?;
        }
        for (index, mv) in line.iter().enumerate().rev() {
            session.undo_moves(1)?;
            if has_brackets(index, mv) {
                self.text.push(')');
                self.write_variations(session, mv)?;
            }
        }
        session.play_moves(
            &line.iter().map(|mv| InputWord::from_text(&mv.text)).collect::<Vec<_>>(),
        )?;
        Ok(())
    }

    /// Writes the variations of a move. Also writes the variations of their first moves.
    fn write_variations(
        &mut self,
        session: &mut dyn Session,
        mv: &RecordedMove,
    ) -> Result<(), EngineError> {
        for variation in &mv.notes().variations {
            self.text.push('(');
            self.write_move_line(session, variation, true)?;
            session.undo_moves(variation.len() as u32)?;
            self.text.push(')');
            if let Some(first) = variation.first() {
                self.write_variations(session, first)?;
            }
        }
        Ok(())
    }

    /// Writes a move. Each click is a node. If a pass must end the move, the pass is also a node.
    /// The last node contains the notes.
    fn write_move(&mut self, session: &dyn Session, mv: &RecordedMove) {
        let side = session.game_state().side;
        let colour = SGF_MOVE_PROPERTIES[side.index()];
        let points = session.go_board_points_of_moves(std::slice::from_ref(&mv.text));
        for point in &points {
            write!(self.text, ";{colour}[{}]", point_to_letters(*point, self.size))
                .unwrap_or_default();
        }
        if session.moves_matching_clicks(&points).moves.len() > 1 {
            write!(self.text, ";{colour}[]").unwrap_or_default();
        }
        let notes = mv.notes();
        // An SGF node has at most one of the properties for marks.
        let mark = notes
            .glyphs
            .iter()
            .find_map(|&glyph| SGF_MOVE_QUALITY_PROPERTIES.get(usize::from(glyph).wrapping_sub(1)));
        if notes.glyphs.len() > usize::from(mark.is_some()) {
            let numbers: Vec<String> = notes.glyphs.iter().map(u8::to_string).collect();
            write!(self.text, "{GLYPHS_PROPERTY}[{}]", numbers.join(" ")).unwrap_or_default();
        }
        if let Some((name, value)) = mark {
            write!(self.text, "{name}[{value}]").unwrap_or_default();
        }
        debug_assert_eq!(SGF_MOVE_QUALITY_PROPERTIES.len(), MOVE_QUALITY_MARKS.len());
        if !notes.signs.is_empty() {
            write!(self.text, "{SGF_MOVE_SIGNS_PROPERTY}[{}]", escape_property_value(&notes.signs))
                .unwrap_or_default();
        }
        if let Some(time) = notes.clock {
            let name = SGF_CLOCK_PROPERTIES[side.index()];
            write!(self.text, "{name}[{}.{:03}]", time / 1000, time % 1000).unwrap_or_default();
        }
        if !notes.comment.is_empty() {
            write!(self.text, "C[{}]", escape_property_value(&notes.comment)).unwrap_or_default();
        }
        if let Some(evaluation) = mv.evaluation {
            let chance = win_chance(evaluation.centipawns, session.game_constants().win_rate_scale);
            let black = if side == Side::First { chance } else { 1. - chance };
            let text = evaluation.to_string();
            let text = text.trim_matches(['{', '}']);
            write!(
                self.text,
                "{SGF_WIN_CHANCE_PROPERTY}[{:.2}]{SGF_SCORE_PROPERTY}[{text}]",
                100. * black
            )
            .unwrap_or_default();
        }
    }
}

/// Returns a point as two letters. The first letter counts from the left, and the second from the
/// top.
fn point_to_letters(point: Point, size: u8) -> String {
    let letter =
        |index: u8| char::from(if index < 26 { b'a' + index } else { b'A' + (index - 26) });
    [letter(point.file), letter(size.saturating_sub(1 + point.rank))].iter().collect()
}
