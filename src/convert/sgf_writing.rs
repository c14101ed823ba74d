//! Records in SGF, with their clicks on the board of a Go front end.

use std::fmt::Write;

use pentarch_core::notation::record::notes::{MARKS, unescaped};
use pentarch_core::notation::record::{Record, RecordedMove, winner_from_result};
use pentarch_core::{PlayerEnd, Point, Side};
use pentarch_engine::engine_state::{changed_rules, new_session};
use pentarch_engine::error::EngineError;
use pentarch_engine::input_word::Word;
use pentarch_engine::record::{Replayed, is_told};
use pentarch_engine::session::Session;

use super::LeftOut;
use super::error::GameError;
use super::sgf::{COLOURS, PROPERTIES, TAGS};
use super::sgf_tree::escaped;

/// A game in SGF.
///
/// # Errors
/// If the game has no board for Go front ends, or does not begin at the start position of its rules.
pub fn text(game: &Replayed, left_out: &mut LeftOut) -> Result<String, GameError> {
    let Replayed { options, session, record, .. } = game;
    let facts = session.facts();
    let scene = session.go_scene();
    let scene = scene.ok_or(GameError::NoBoard { game: facts.game })?;
    if let Some(fen) = record.values("Fen").next() {
        return Err(GameError::SgfStart { position: fen.into() });
    }
    let mut rules = format!("pentarch {}", facts.game);
    for (spec, value) in changed_rules(options) {
        write!(rules, " {}={value}", spec.name).unwrap_or_default();
    }
    let size = scene.grid.size;
    let mut text =
        format!("(;FF[4]CA[UTF-8]GM[1]AP[pentarch:{}]SZ[{size}]", env!("CARGO_PKG_VERSION"));
    write!(
        text,
        "GN[{}]RU[{}]RE[{}]",
        escaped(facts.game),
        escaped(&rules),
        result(session.as_ref(), record)
    )
    .unwrap_or_default();
    for (name, value) in record.tags.iter().filter(|(name, _)| !is_told(name)) {
        match TAGS.iter().find(|(_, tag)| tag.eq_ignore_ascii_case(name)) {
            Some((property, tag)) => {
                let value = unescaped(value);
                let value = if *tag == "Date" { value.replace('.', "-") } else { value };
                write!(text, "{property}[{}]", escaped(&value)).unwrap_or_default();
            }
            None => left_out.add("tag", 1),
        }
    }
    if !record.comment.is_empty() {
        write!(text, "C[{}]", escaped(&record.comment)).unwrap_or_default();
    }
    let mut start = new_session(options);
    let mut writer = Writer { text, size, left_out };
    writer.line(start.as_mut(), &record.moves, false)?;
    Ok(writer.text + ")")
}

/// The result in SGF.
fn result(session: &dyn Session, record: &Record) -> &'static str {
    let standing = session.standing();
    let of = |winner, suffixes: [&'static str; 2]| {
        if winner == Side::First { suffixes[0] } else { suffixes[1] }
    };
    match standing.end {
        Some(PlayerEnd::Resignation(loser)) => of(!loser, ["B+R", "W+R"]),
        Some(PlayerEnd::Time(loser)) => of(!loser, ["B+T", "W+T"]),
        _ => match winner_from_result(&record.result) {
            Some(Some(winner)) => of(winner, ["B+", "W+"]),
            Some(None) => "0",
            None => "?",
        },
    }
}

struct Writer<'a> {
    text: String,
    size: u8,
    left_out: &'a mut LeftOut,
}

impl Writer<'_> {
    /// Writes a line that begins in the current position of the session, which is at its end then. Where a move has
    /// variations, it and what follows it stand in brackets, and behind them each variation in brackets of its own.
    /// Those for the first move of a variation stand beside it, since a bracket begins with a node.
    fn line(
        &mut self,
        session: &mut dyn Session,
        line: &[RecordedMove],
        is_variation: bool,
    ) -> Result<(), EngineError> {
        let is_parted = |(at, mv): (usize, &RecordedMove)| {
            !(mv.notes().variations.is_empty() || is_variation && at == 0)
        };
        for (at, mv) in line.iter().enumerate() {
            if is_parted((at, mv)) {
                self.text.push('(');
            }
            self.mv(session, mv);
            session.play(&[Word::alone(&mv.text)])?;
        }
        for (at, mv) in line.iter().enumerate().rev() {
            session.undo(1)?;
            if is_parted((at, mv)) {
                self.text.push(')');
                self.beside(session, mv)?;
            }
        }
        session.play(&line.iter().map(|mv| Word::alone(&mv.text)).collect::<Vec<_>>())?;
        Ok(())
    }

    /// Writes the variations for a move, and for the first moves of these.
    fn beside(&mut self, session: &mut dyn Session, mv: &RecordedMove) -> Result<(), EngineError> {
        for variation in &mv.notes().variations {
            self.text.push('(');
            self.line(session, variation, true)?;
            session.undo(variation.len() as u32)?;
            self.text.push(')');
            variation.first().map_or(Ok(()), |first| self.beside(session, first))?;
        }
        Ok(())
    }

    /// Writes a move: a node for each click, and one for a pass if that must end it. What is said of it stands in the
    /// last one.
    fn mv(&mut self, session: &dyn Session, mv: &RecordedMove) {
        let side = session.standing().side;
        let colour = COLOURS[side.index()];
        let points = session.points_of(std::slice::from_ref(&mv.text));
        for point in &points {
            write!(self.text, ";{colour}[{}]", coordinates(*point, self.size)).unwrap_or_default();
        }
        if session.moves_through(&points).moves.len() > 1 {
            write!(self.text, ";{colour}[]").unwrap_or_default();
        }
        let notes = mv.notes();
        for &glyph in &notes.glyphs {
            match PROPERTIES.get(usize::from(glyph).wrapping_sub(1)) {
                Some((name, value)) => write!(self.text, "{name}[{value}]").unwrap_or_default(),
                None => self.left_out.add("mark", 1),
            }
        }
        debug_assert_eq!(PROPERTIES.len(), MARKS.len());
        if let Some(time) = notes.clock {
            let name = ["BL", "WL"][side.index()];
            write!(self.text, "{name}[{}.{:03}]", time / 1000, time % 1000).unwrap_or_default();
        }
        if !notes.comment.is_empty() {
            write!(self.text, "C[{}]", escaped(&notes.comment)).unwrap_or_default();
        }
        self.left_out.add("score", usize::from(mv.evaluation.is_some()));
    }
}

/// A point as two letters, of which the first counts from the left and the second from the top.
fn coordinates(point: Point, size: u8) -> String {
    let letter = |at: u8| char::from(if at < 26 { b'a' + at } else { b'A' + (at - 26) });
    [letter(point.file), letter(size.saturating_sub(1 + point.rank))].iter().collect()
}
