//! The checksum of a record that a program has written. The checksum is stored in a tag of the
//! record, and shows whether the record was changed later.
//!
//! The checksum is the [CRC-32] of the record's text as this crate writes it, without this tag. So
//! additional white space in a file does not change the checksum.
//!
//! [CRC-32]: https://www.rfc-editor.org/rfc/rfc1952#section-8

use thiserror::Error;

use crate::Side;
use crate::notation::parsing::quote_for_message;

use super::{GameRecord, two_player_turns_from};

const CHECKSUM_TAG: &str = "Checksum";

/// The reason why the checksum of a record cannot be confirmed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ChecksumError {
    /// There is no checksum.
    #[error("it has no tag {CHECKSUM_TAG}: another program or an older version wrote it")]
    Missing,
    /// The checksum does not match the record.
    #[error(
        "its tag {CHECKSUM_TAG} is {}, not {expected}: it is damaged or was changed; without the tag it is still accepted",
        quote_for_message(.stated)
    )]
    Other {
        /// The value of the tag.
        stated: String,
        /// The checksum of the record.
        expected: String,
    },
}

impl GameRecord {
    /// Returns the record with an additional last tag that contains the checksum of the record.
    pub fn with_checksum(mut self) -> GameRecord {
        self.tags.retain(|(name, _)| !is_checksum_tag(name));
        let checksum = self.compute_checksum();
        self.tags.push((CHECKSUM_TAG.into(), checksum));
        self
    }

    /// Verifies the checksum of the record.
    ///
    /// # Errors
    /// If the checksum is missing or does not match.
    pub fn verify_checksum(&self) -> Result<(), ChecksumError> {
        let stated = self.tag_values(CHECKSUM_TAG).next().ok_or(ChecksumError::Missing)?;
        let expected = self.compute_checksum();
        if stated == expected {
            return Ok(());
        }
        Err(ChecksumError::Other { stated: stated.into(), expected })
    }

    /// Verifies the checksum of the record if the record has one, and removes the checksum. Call
    /// this method before you change the record, because the changed record has another checksum.
    ///
    /// # Errors
    /// If the checksum does not match.
    pub fn verify_and_remove_checksum(&mut self) -> Result<(), ChecksumError> {
        if let Err(error @ ChecksumError::Other { .. }) = self.verify_checksum() {
            return Err(error);
        }
        self.tags.retain(|(name, _)| !is_checksum_tag(name));
        Ok(())
    }

    fn compute_checksum(&self) -> String {
        let mut record = self.clone();
        record.tags.retain(|(name, _)| !is_checksum_tag(name));
        // The record does not state its first turn, so the checksum always assumes the first turn
        // of a game.
        let text = record.text(two_player_turns_from((1, Side::First)));
        format!("crc32:{:08x}", crc32fast::hash(text.as_bytes()))
    }
}

fn is_checksum_tag(name: &str) -> bool {
    name.eq_ignore_ascii_case(CHECKSUM_TAG)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_changed_record_has_another_checksum() {
        let text =
            "[Game \"quoridor\"]\n[Number \"3\"]\n1. e2 {+0.35/12} e8 {a comment} (1... d9) 1-0";
        let written = GameRecord::parse(text)
            .unwrap()
            .with_checksum()
            .text(two_player_turns_from((7, Side::First)));
        let tag = "[Checksum \"crc32:c535226d\"]";
        assert!(written.contains(tag), "{written}");
        let check = |text: &str| GameRecord::parse(text).unwrap().verify_checksum();
        assert_eq!(check(&written), Ok(()));
        assert_eq!(check(&written.replace('\n', "\r\n  ")), Ok(()));
        assert_eq!(
            check(
                &GameRecord::parse(&written)
                    .unwrap()
                    .with_checksum()
                    .text(two_player_turns_from((1, Side::First)))
            ),
            Ok(())
        );
        for (one, other) in [
            ("e8", "e7"),
            ("35", "36"),
            ("1-0", "0-1"),
            ("\"3\"", "\"4\""),
            ("a c", "A c"),
            ("d9", "d8"),
            ("crc32:", "crc32:0"),
        ] {
            let changed = written.replace(one, other);
            let error = check(&changed);
            assert!(matches!(error, Err(ChecksumError::Other { .. })), "{changed}");
        }
        let mut without = GameRecord::parse(&written.replace(tag, "")).unwrap();
        assert_eq!(without.verify_checksum(), Err(ChecksumError::Missing));
        let mut with = GameRecord::parse(&written).unwrap();
        assert_eq!(
            [with.verify_and_remove_checksum(), without.verify_and_remove_checksum()],
            [Ok(()), Ok(())]
        );
        assert_eq!(with, without);
    }
}
