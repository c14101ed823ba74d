//! The tags that a user sets, and the tags that are derived from the game.

use pentarch_core::notation::record::notes::is_forbidden_character;
use pentarch_core::notation::record::{
    CommentError, GameRecord, MAX_COMMENT_LENGTH, escape_tag_value, normalise_comment,
};

use super::error::RecordError;

/// Checks the name of a tag that a user adds to a record.
///
/// # Errors
/// If the name is invalid, or if the value of the tag [is derived](is_derived_tag).
pub fn check_tag_name(name: &str) -> Result<(), RecordError> {
    let has_valid_letters =
        name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
    if name.is_empty() || name.len() > 100 || !has_valid_letters {
        return Err(RecordError::TagName { name: name.into() });
    }
    if is_derived_tag(name) {
        return Err(RecordError::OwnTag { name: name.into() });
    }
    Ok(())
}

/// Checks the unescaped value of a tag.
///
/// # Errors
/// If the value has control characters or is too long.
pub(crate) fn check_tag_value(value: &str) -> Result<(), RecordError> {
    if let Some(index) = value.chars().position(is_forbidden_character) {
        return Err(RecordError::ControlCharacter { at: index + 1 });
    }
    if value.chars().count() > MAX_COMMENT_LENGTH {
        return Err(CommentError::TooLong.into());
    }
    Ok(())
}

/// Sets or removes a tag of a record.
pub(super) fn set_record_tag(
    record: &mut GameRecord,
    name: &str,
    value: &str,
) -> Result<(), RecordError> {
    check_tag_name(name)?;
    check_tag_value(value)?;
    let value = normalise_comment(value)?;
    record.tags.retain(|(known, _)| !known.eq_ignore_ascii_case(name));
    if !value.is_empty() {
        record.tags.push((name.into(), escape_tag_value(&value)));
    }
    Ok(())
}

/// Returns whether the value of a tag follows from the moves, the rules or the file of a match.
/// Such a tag is not stored, because a further move could make its value wrong.
pub fn is_derived_tag(tag: &str) -> bool {
    const DERIVED_RECORD_TAGS: [&str; 8] =
        ["Game", "Option", "Fen", "Outcome", "Result", "SetUp", "PlyCount", "Checksum"];
    DERIVED_RECORD_TAGS.iter().any(|derived| derived.eq_ignore_ascii_case(tag)) || is_match_tag(tag)
}

/// Returns whether the tag identifies a game within the file of a match or of a tuning run.
pub(super) fn is_match_tag(tag: &str) -> bool {
    MATCH_FILE_TAGS.iter().any(|known| known.eq_ignore_ascii_case(tag))
}

/// The tags that identify a game within the file of a match or of a tuning run.
const MATCH_FILE_TAGS: [&str; 8] =
    ["Match", "Number", "Opening", "End", "Fault", "Effort1", "Effort2", "Seed"];
