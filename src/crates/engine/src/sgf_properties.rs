//! The SGF properties of games: their names, and the conversion of their values.

use pentarch_core::Side;
use pentarch_core::notation::record::RecordedMove;
use pentarch_core::notation::record::notes::{MAX_CLOCK_MILLIS, MOVE_SUFFIX_CHARACTERS};

/// The SGF properties of the root node, each with the record tag that has the same meaning.
pub const SGF_ROOT_PROPERTY_TAGS: [(&str, &str); 7] = [
    ("PB", "P1"),
    ("PW", "P2"),
    ("DT", "Date"),
    ("EV", "Event"),
    ("PC", "Site"),
    ("RO", "Round"),
    ("AN", "Annotator"),
];

/// For each of the [`MOVE_QUALITY_MARKS`](pentarch_core::notation::record::MOVE_QUALITY_MARKS), the
/// SGF property and its value.
pub const SGF_MOVE_QUALITY_PROPERTIES: [(&str, &str); 6] =
    [("TE", "1"), ("BM", "1"), ("TE", "2"), ("BM", "2"), ("IT", ""), ("DO", "")];

/// The names of the SGF properties that contain a move of the first side and of the second side.
pub const SGF_MOVE_PROPERTIES: [&str; 2] = ["B", "W"];

/// The names of the SGF properties that contain the remaining time of the first side and of the
/// second side.
pub const SGF_CLOCK_PROPERTIES: [&str; 2] = ["BL", "WL"];

/// The private property for the score and the depth of a search, as in records, such as `+0.35/12`.
pub const SGF_SCORE_PROPERTY: &str = "PENTSCORE";

/// The private property for all glyphs of a move, as numbers with spaces between them. SGF allows
/// only one property for a mark in a node, and has no property for the other glyphs.
pub const GLYPHS_PROPERTY: &str = "PENTGLYPHS";

/// The private property for the signs after a move, such as `+` and `#`. SGF has no property for
/// these signs.
pub const SGF_MOVE_SIGNS_PROPERTY: &str = "SIGNS";

/// The SGF property in which the program Sabaki stores Black's chance of winning in per cent.
pub const SGF_WIN_CHANCE_PROPERTY: &str = "SBKV";

/// Properties that set up stones.
pub(crate) const SGF_SETUP_PROPERTIES: [&str; 3] = ["AB", "AW", "AE"];

/// SGF properties of the root node that describe the file, not the game.
pub(crate) const SGF_FILE_PROPERTIES: [&str; 4] = ["FF", "CA", "AP", "ST"];

/// Properties that must have a single value in a node. This also applies to the properties of moves
/// and clocks, of the file and of [`SGF_ROOT_PROPERTY_TAGS`], which are not listed here.
pub(crate) const SGF_SINGLE_VALUE_PROPERTIES: [&str; 15] = [
    "C",
    "GC",
    "GM",
    "GN",
    "HA",
    "KM",
    "PL",
    "RE",
    "RU",
    "SZ",
    "IT",
    "DO",
    SGF_SCORE_PROPERTY,
    SGF_MOVE_SIGNS_PROPERTY,
    GLYPHS_PROPERTY,
];

/// Returns whether the property is a note on a move, other than a comment.
pub(crate) fn is_note_property(name: &str) -> bool {
    SGF_MOVE_QUALITY_PROPERTIES.iter().any(|(mark, _)| *mark == name)
        || SGF_CLOCK_PROPERTIES.contains(&name)
        || [SGF_SCORE_PROPERTY, SGF_MOVE_SIGNS_PROPERTY, GLYPHS_PROPERTY].contains(&name)
}

/// Returns whether the property is permitted in the root node. Notes are permitted in every node,
/// and are not included.
pub(crate) fn is_sgf_root_property(name: &str) -> bool {
    SGF_FILE_PROPERTIES.contains(&name)
        || ["GC", "GM", "GN", "HA", "KM", "PL", "RE", "RU", "SZ"].contains(&name)
        || SGF_ROOT_PROPERTY_TAGS.iter().any(|(property, _)| *property == name)
}

/// Adds a note to a move of this side. Returns whether the move can store the whole note.
pub(crate) fn add_sgf_note_to_move(
    name: &str,
    values: &[String],
    side: Side,
    mv: &mut RecordedMove,
) -> bool {
    let value = values.first().map_or("", |value| value.trim());
    if SGF_CLOCK_PROPERTIES.contains(&name) {
        let seconds = value.parse::<f64>().ok().filter(|seconds| *seconds >= 0.);
        let time = seconds.map(|seconds| (seconds * 1000.).round() as u64);
        let time = time.filter(|&time| time <= MAX_CLOCK_MILLIS);
        if name != SGF_CLOCK_PROPERTIES[side.index()]
            || time.is_none()
            || mv.notes().clock.is_some()
        {
            return false;
        }
        mv.notes_mut().clock = time;
        return true;
    }
    if name == SGF_SCORE_PROPERTY {
        let is_first = mv.evaluation.is_none();
        mv.evaluation = mv.evaluation.or_else(|| value.parse().ok());
        return is_first && mv.evaluation.is_some();
    }
    if name == SGF_MOVE_SIGNS_PROPERTY {
        let is_signs = !value.is_empty()
            && value.chars().all(|letter| MOVE_SUFFIX_CHARACTERS.contains(letter));
        if is_signs {
            mv.add_suffix_signs(value);
        }
        return is_signs;
    }
    if name == GLYPHS_PROPERTY {
        let glyphs: Result<Vec<u8>, _> = value.split_whitespace().map(str::parse).collect();
        let glyphs = glyphs.unwrap_or_default();
        glyphs.iter().for_each(|&glyph| mv.notes_mut().add_glyph(glyph));
        return !glyphs.is_empty();
    }
    let mut is_read = true;
    for value in values {
        let value = if matches!(name, "IT" | "DO") { "" } else { value.trim() };
        let glyph = (1..).zip(SGF_MOVE_QUALITY_PROPERTIES).find(|(_, mark)| *mark == (name, value));
        match glyph {
            Some((glyph, _)) => mv.notes_mut().add_glyph(glyph),
            None => is_read = false,
        }
    }
    is_read
}

/// Returns whether a part of a note's value is lost: the value of a mark without values, or the
/// decimals of a time below a millisecond.
pub(crate) fn is_sgf_value_inexact(name: &str, values: &[String]) -> bool {
    let value = values.first().map_or("", |value| value.trim());
    if SGF_CLOCK_PROPERTIES.contains(&name) {
        let decimals = value.split_once('.').map_or("", |(_, decimals)| decimals);
        return decimals.chars().skip(3).any(|digit| digit != '0');
    }
    matches!(name, "IT" | "DO") && !value.is_empty()
}

/// Converts a full date between the forms in SGF, `2026-11-25`, and in records, `2026.11.25`.
/// Returns any other text unchanged.
pub fn swap_date_separators(date: &str) -> String {
    let swap = |separator: char, other: &str| {
        let parts: Vec<&str> = date.split(separator).collect();
        let is_number = |part: &&str| {
            !part.is_empty() && part.chars().all(|letter| letter.is_ascii_digit() || letter == '?')
        };
        (parts.len() == 3 && parts.iter().all(is_number)).then(|| parts.join(other))
    };
    swap('-', ".").or_else(|| swap('.', "-")).unwrap_or_else(|| date.into())
}
