//! Decodes files of games from their character sets.
//!
//! Records are UTF-8. Files in SGF come from programs of the last thirty years. They may name
//! another character set in the property `CA`.

use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};
use thiserror::Error;

use pentarch_core::notation::text::quote_word;

/// A decoded text of games.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecodedText {
    /// The text.
    pub text: String,
    /// The guess about the character set that was necessary; `None` if the bytes say how they are
    /// encoded.
    pub note: Option<CharsetNote>,
}

/// A guess about the character set of a text, as a warning.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum CharsetNote {
    /// The text is not UTF-8, although it names UTF-8 or no character set.
    #[error("the text is not UTF-8, and is read as Latin-1")]
    Latin1,
    /// The text names an unknown character set.
    #[error("the character set {} is unknown; the text is read as {used}", quote_word(.name))]
    Unknown {
        /// The name.
        name: String,
        /// The name of the character set that is used instead.
        used: &'static str,
    },
}

/// The error for a text that cannot be decoded.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum CharsetError {
    /// A text other than SGF is not UTF-8.
    #[error("it is not UTF-8 after {}", quote_word(.after))]
    NotUtf8 {
        /// The beginning of the text, up to the invalid byte.
        after: String,
    },
    /// A text is not in the character set that it names.
    #[error("it is not in the character set {charset}, which its property CA names")]
    Invalid {
        /// The name of the character set.
        charset: &'static str,
    },
}

/// Decodes the contents of a file of games. A text in SGF is in the character set that it names. If
/// it names none, it is UTF-8. If it is not valid UTF-8, it is Latin-1, with the additional letters
/// of the Windows character set 1252. Every other text is UTF-8.
///
/// # Errors
/// If the text is not in its character set.
pub fn decode_games(bytes: Vec<u8>) -> Result<DecodedText, CharsetError> {
    // If there is a byte order mark, the text is UTF-8, and the property `CA` does not matter.
    let stated = stated_charset(&bytes).filter(|_| !bytes.starts_with(b"\xef\xbb\xbf"));
    let charset = stated.as_deref().and_then(|name| Encoding::for_label(name.trim().as_bytes()));
    // The name of the character set was read as ASCII. So the name is right only if the character
    // set contains ASCII.
    let charset = charset.filter(|charset| charset.is_ascii_compatible());
    if let Some(charset) = charset.filter(|charset| *charset != UTF_8) {
        let text = charset.decode_without_bom_handling_and_without_replacement(&bytes);
        let text = text.ok_or(CharsetError::Invalid { charset: charset.name() })?;
        return Ok(DecodedText { text: text.into_owned(), note: None });
    }
    let is_known = charset.is_some();
    let unknown =
        |used| stated.filter(|_| !is_known).map(|name| CharsetNote::Unknown { name, used });
    match String::from_utf8(bytes) {
        Ok(text) => Ok(DecodedText { text, note: unknown("UTF-8") }),
        Err(error) if is_sgf(error.as_bytes()) => {
            let (text, _) = WINDOWS_1252.decode_without_bom_handling(error.as_bytes());
            // Bytes without a meaning in this character set become control characters. A comment
            // must not have control characters, so they are replaced.
            let text =
                text.replace(|letter: char| ('\u{80}'..'\u{a0}').contains(&letter), "\u{fffd}");
            let note = unknown("Latin-1").unwrap_or(CharsetNote::Latin1);
            Ok(DecodedText { text, note: Some(note) })
        }
        Err(error) => {
            let valid = error.utf8_error().valid_up_to();
            let begin = &error.as_bytes()[..valid.min(40)];
            Err(CharsetError::NotUtf8 { after: String::from_utf8_lossy(begin).into() })
        }
    }
}

/// Returns the bytes after a byte order mark and white space.
fn trimmed(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start()
}

/// Returns whether a text begins like SGF.
fn is_sgf(bytes: &[u8]) -> bool {
    let inside = trimmed(bytes).strip_prefix(b"(");
    inside.is_some_and(|inside| inside.trim_ascii_start().starts_with(b";"))
}

/// Returns the value of the property `CA` in the first node of a text in SGF.
fn stated_charset(bytes: &[u8]) -> Option<String> {
    if !is_sgf(bytes) {
        return None;
    }
    let (_, mut rest) = trimmed(bytes).split_at_checked(1)?;
    rest = rest.trim_ascii_start().get(1..)?;
    let mut name = Vec::new();
    while let Some((&letter, after)) = rest.split_first() {
        rest = after;
        match letter {
            b'[' => {
                let end = value_length(rest);
                if name == b"CA" {
                    return Some(String::from_utf8_lossy(&rest[..end]).into());
                }
                rest = rest.get(end + 1..)?;
                // Another value of the same property may follow.
                if !rest.trim_ascii_start().starts_with(b"[") {
                    name.clear();
                }
            }
            b';' | b'(' | b')' => return None,
            b'A'..=b'Z' => name.push(letter),
            _ => {}
        }
    }
    None
}

/// Returns the number of bytes before the bracket that ends a property value of SGF.
fn value_length(bytes: &[u8]) -> usize {
    let mut is_escaped = false;
    for (at, &letter) in bytes.iter().enumerate() {
        match letter {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = true,
            b']' => return at,
            _ => {}
        }
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(bytes: &[u8]) -> Result<(String, String), String> {
        let DecodedText { text, note } =
            decode_games(bytes.to_vec()).map_err(|error| error.to_string())?;
        Ok((text, note.map_or(String::new(), |note| note.to_string())))
    }

    #[test]
    fn sgf_is_in_the_character_set_that_it_names() {
        let cases: [(&[u8], &str); 8] = [
            ("\u{feff}(;CA[latin1]PB[Zoë])".as_bytes(), "\u{feff}(;CA[latin1]PB[Zoë])"),
            ("(;PB[Zoë])".as_bytes(), "(;PB[Zoë])"),
            ("\u{feff} ( ;CA[utf-8]PB[Zoë])".as_bytes(), "\u{feff} ( ;CA[utf-8]PB[Zoë])"),
            (b"(;PB[\\]CA\\[x]CA[ISO-8859-1]PW[Zo\xeb])", "(;PB[\\]CA\\[x]CA[ISO-8859-1]PW[Zoë])"),
            (b"(;CA[latin1]PB[\xc3\xab])", "(;CA[latin1]PB[Ã«])"),
            (b"(;CA[Shift_JIS]PB[\x96{\x88\xf6])", "(;CA[Shift_JIS]PB[本因])"),
            (b"(;CA[GB2312]PB[\xb9\xc5])", "(;CA[GB2312]PB[古])"),
            (b"(;CA[windows-1251]PB[\xcf])", "(;CA[windows-1251]PB[П])"),
        ];
        for (bytes, text) in cases {
            assert_eq!(decoded(bytes), Ok((text.into(), String::new())), "{text}");
        }
    }

    #[test]
    fn guesses_are_noted_and_other_texts_are_rejected() {
        let latin1 = "the text is not UTF-8, and is read as Latin-1";
        assert_eq!(decoded(b"(;PB[Zo\xeb])"), Ok(("(;PB[Zoë])".into(), latin1.into())));
        assert_eq!(decoded(b"(;C[\x81])"), Ok(("(;C[\u{fffd}])".into(), latin1.into())));
        assert_eq!(decoded(b"(;CA[UTF-8]\xeb)"), Ok(("(;CA[UTF-8]ë)".into(), latin1.into())));
        assert_eq!(decoded(b"(;B[aa];CA[x]\xeb)"), Ok(("(;B[aa];CA[x]ë)".into(), latin1.into())));
        let unknown = "the character set 'x' is unknown; the text is read as UTF-8";
        assert_eq!(decoded(b"(;CA[x])"), Ok(("(;CA[x])".into(), unknown.into())));
        let unknown = "the character set 'UTF-16' is unknown; the text is read as Latin-1";
        assert_eq!(decoded(b"(;CA[UTF-16]\xeb)"), Ok(("(;CA[UTF-16]ë)".into(), unknown.into())));
        assert_eq!(
            decoded(b"(;CA[Shift_JIS]C[\xff])"),
            Err("it is not in the character set Shift_JIS, which its property CA names".into())
        );
        assert_eq!(decoded(b"e2 \xeb"), Err("it is not UTF-8 after 'e2 '".into()));
        for bytes in [b"(;CA[".as_slice(), b"(;CA", b"(;C[\\", b"(", b"", b"(;A[x"] {
            assert!(decoded(bytes).is_ok());
        }
    }
}
