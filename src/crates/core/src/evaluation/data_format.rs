//! The formats of nets, opening books and packed losses. Packed losses store a solved game in
//! compressed form, as the lost positions with their distances to mate.
//!
//! The first line of a file states its format and version. The next four bytes are the CRC-32 of
//! the contents, with the low byte first. The contents follow.

use thiserror::Error;

/// The format of the nets.
pub const NET_FILE_FORMAT: DataFileFormat = DataFileFormat { first_line: b"pentarch net 1\n" };
/// The format of the opening books.
pub const BOOK_FILE_FORMAT: DataFileFormat = DataFileFormat { first_line: b"pentarch book 1\n" };
/// The format of the packed losses of a solved game. The module `lost_positions` of the tables
/// crate describes the contents.
pub const LOSSES_FILE_FORMAT: DataFileFormat =
    DataFileFormat { first_line: b"pentarch losses 1\n" };

const CHECKSUM_LEN: usize = 4;

/// A format of files.
#[derive(Debug, Clone, Copy)]
pub struct DataFileFormat {
    first_line: &'static [u8],
}

/// The reason why a file is rejected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum DataFileFormatError {
    /// The file has another format, or another version of the format.
    #[error("its first line is not {:?}", first_line.trim_ascii_end().escape_ascii().to_string())]
    Version {
        /// The expected first line.
        first_line: &'static [u8],
    },
    /// The contents have another checksum.
    #[error("it is damaged: it has another checksum")]
    Checksum,
}

impl DataFileFormat {
    /// Returns the file with these contents.
    pub fn file_with_contents(self, contents: &[u8]) -> Vec<u8> {
        let checksum = crc32fast::hash(contents).to_le_bytes();
        [self.first_line, &checksum, contents].concat()
    }

    /// Returns the contents of a file without verifying their checksum; `None` if the file has
    /// another format.
    pub const fn unverified_contents(self, file: &[u8]) -> Option<&[u8]> {
        let Some((start, contents)) = file.split_at_checked(self.first_line.len() + CHECKSUM_LEN)
        else {
            return None;
        };
        let mut at = 0;
        while at < self.first_line.len() {
            if start[at] != self.first_line[at] {
                return None;
            }
            at += 1;
        }
        Some(contents)
    }

    /// Returns the contents of a file, after verifying their checksum.
    ///
    /// # Errors
    /// If the file has another format, or if the contents do not match the checksum.
    pub fn verified_contents(self, file: &[u8]) -> Result<&[u8], DataFileFormatError> {
        let DataFileFormat { first_line } = self;
        let contents =
            self.unverified_contents(file).ok_or(DataFileFormatError::Version { first_line })?;
        let checksum = crc32fast::hash(contents).to_le_bytes();
        if file[first_line.len()..].starts_with(&checksum) {
            Ok(contents)
        } else {
            Err(DataFileFormatError::Checksum)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn damaged_files_are_rejected() {
        let contents: Vec<u8> = (0..=255).collect();
        let file = NET_FILE_FORMAT.file_with_contents(&contents);
        assert_eq!(NET_FILE_FORMAT.verified_contents(&file), Ok(&contents[..]));
        assert_eq!(NET_FILE_FORMAT.unverified_contents(&file), Some(&contents[..]));
        for at in 0..file.len() {
            let mut changed = file.clone();
            changed[at] ^= 1 << (at % 8);
            let mut longer = file.clone();
            longer.insert(at, 7);
            let mut rotated = file.clone();
            rotated[at..].rotate_left(1);
            for damaged in [changed, longer, rotated, file[..at].to_vec()] {
                // A rotation of the last byte alone does not change the file.
                assert!(damaged == file || NET_FILE_FORMAT.verified_contents(&damaged).is_err());
            }
        }
        // The format of the previous version.
        let error = NET_FILE_FORMAT.verified_contents(&contents).unwrap_err();
        assert_eq!(error.to_string(), "its first line is not \"pentarch net 1\"");
        assert!(BOOK_FILE_FORMAT.verified_contents(&file).is_err());
    }
}
