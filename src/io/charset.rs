//! Decodes files of games from their character sets.
//!
//! Records are UTF-8. Files in SGF come from programs of the last thirty years. Each game of such a
//! file may name another character set in the property `CA`.

use std::collections::BTreeSet;

use encoding_rs::{BIG5, EUC_KR, Encoding, GB18030, GBK, SHIFT_JIS, UTF_8, WINDOWS_1252};
use thiserror::Error;

use pentarch_core::notation::parsing::quote_for_message;
use pentarch_engine::sgf_reader::is_sgf;

/// A decoded text of games.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecodedText {
    /// The text.
    pub text: String,
    /// The guesses about the character set that were necessary; empty if the bytes show how they
    /// are encoded.
    pub notes: BTreeSet<GuessedCharsetWarning>,
}

/// A guess about the character set of a text, as a warning.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Error)]
pub enum GuessedCharsetWarning {
    /// The text is not UTF-8, although it names UTF-8 or no character set.
    #[error("the text is not UTF-8, and is read as Latin-1")]
    Latin1,
    /// The text names an unknown character set.
    #[error("the character set {} is unknown; the text is read as {used}", quote_for_message(.name))]
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
    #[error("it is not UTF-8 after {}", quote_for_message(.after))]
    NotUtf8 {
        /// The beginning of the text, up to the invalid byte.
        after: String,
    },
    /// A game is not in the character set that it names.
    #[error("game {game} is not in the character set {charset}, which its property CA names")]
    Invalid {
        /// The number of the game, from 1.
        game: usize,
        /// The name of the character set.
        charset: &'static str,
    },
}

/// Decodes the contents of a file of games. A game in SGF is in the character set that it names. A
/// game that names no character set is in UTF-8. If such a game is not valid UTF-8, it is in
/// Latin-1, with the additional letters of the Windows character set 1252. Every other text is
/// UTF-8. A text with a byte order mark is also UTF-8, whatever its properties state.
///
/// # Errors
/// If a text or a game is not in its character set.
pub fn decode_game_file(bytes: Vec<u8>) -> Result<DecodedText, CharsetError> {
    let mut notes = BTreeSet::new();
    let is_sgf = is_sgf(&bytes);
    if bytes.starts_with(BYTE_ORDER_MARK) || !is_sgf {
        let text = match String::from_utf8(bytes) {
            Ok(text) => text,
            Err(error) if is_sgf => {
                notes.insert(GuessedCharsetWarning::Latin1);
                decode_as_latin1(error.as_bytes())
            }
            Err(error) => {
                let valid = error.utf8_error().valid_up_to();
                let begin = &error.as_bytes()[..valid.min(40)];
                return Err(CharsetError::NotUtf8 { after: String::from_utf8_lossy(begin).into() });
            }
        };
        return Ok(DecodedText { text, notes });
    }
    let mut text = String::new();
    let mut rest = bytes.as_slice();
    for game in 1.. {
        if rest.is_empty() {
            break;
        }
        let stated = charset_named_in_sgf(rest);
        // The name itself was read as ASCII.
        let charset = stated
            .as_deref()
            .and_then(|name| Encoding::for_label(name.trim().as_bytes()))
            .filter(|charset| charset.is_ascii_compatible());
        let (bytes, after) = rest.split_at(sgf_game_byte_count(rest, charset));
        rest = after;
        if let Some(charset) = charset.filter(|charset| *charset != UTF_8) {
            let decoded = charset.decode_without_bom_handling_and_without_replacement(bytes);
            let error = CharsetError::Invalid { game, charset: charset.name() };
            text += &decoded.ok_or(error)?;
            continue;
        }
        let decoded = str::from_utf8(bytes);
        match decoded {
            Ok(decoded) => text += decoded,
            Err(_) => text += &decode_as_latin1(bytes),
        }
        let used = if decoded.is_ok() { "UTF-8" } else { "Latin-1" };
        match stated.filter(|_| charset.is_none()) {
            Some(name) => notes.extend([GuessedCharsetWarning::Unknown { name, used }]),
            None => notes.extend(decoded.is_err().then_some(GuessedCharsetWarning::Latin1)),
        }
    }
    Ok(DecodedText { text, notes })
}

/// Decodes bytes in Latin-1, with the additional letters of the Windows character set 1252.
fn decode_as_latin1(bytes: &[u8]) -> String {
    let (text, _) = WINDOWS_1252.decode_without_bom_handling(bytes);
    // Bytes without a letter in this character set stand for control characters, which no comment
    // may have.
    text.replace(|letter: char| ('\u{80}'..'\u{a0}').contains(&letter), "\u{fffd}")
}

/// The byte order mark of UTF-8.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Returns the value of the property `CA` in the first node of a text in SGF.
fn charset_named_in_sgf(bytes: &[u8]) -> Option<String> {
    let begin = bytes.iter().position(|&letter| letter == b'(')?;
    let mut rest = bytes[begin + 1..].trim_ascii_start().strip_prefix(b";")?;
    let mut name = Vec::new();
    while let Some((&letter, after)) = rest.split_first() {
        rest = after;
        match letter {
            b'[' => {
                let end = sgf_value_byte_count(rest);
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

/// Returns the number of bytes up to the end of the first game, including the text before the game.
/// The game ends with the bracket that closes its first bracket.
fn sgf_game_byte_count(bytes: &[u8], charset: Option<&'static Encoding>) -> usize {
    let mut depth = 0_usize;
    let mut is_in_value = false;
    let mut letters = (1..).zip(bytes);
    while let Some((length, &letter)) = letters.next() {
        match letter {
            // The next byte belongs to the same letter, even if it looks like a bracket.
            _ if is_lead_byte(letter, charset) => {
                letters.next();
            }
            b'\\' if is_in_value => {
                // The escaped letter may have two bytes.
                let escaped = letters.next();
                if escaped.is_some_and(|(_, &letter)| is_lead_byte(letter, charset)) {
                    letters.next();
                }
            }
            b']' => is_in_value = false,
            _ if is_in_value => {}
            b'[' => is_in_value = true,
            b'(' => depth += 1,
            b')' if depth <= 1 => return length,
            b')' => depth -= 1,
            _ => {}
        }
    }
    bytes.len()
}

/// Returns whether a byte is the first of a letter whose next byte can be in ASCII.
fn is_lead_byte(byte: u8, charset: Option<&'static Encoding>) -> bool {
    let Some(charset) = charset else { return false };
    if charset == SHIFT_JIS {
        return matches!(byte, 0x81..=0x9f | 0xe0..=0xfc);
    }
    [GBK, GB18030, BIG5, EUC_KR].contains(&charset) && matches!(byte, 0x81..=0xfe)
}

/// Returns the number of bytes before the bracket that ends a value.
fn sgf_value_byte_count(bytes: &[u8]) -> usize {
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
        let DecodedText { text, notes } =
            decode_game_file(bytes.to_vec()).map_err(|error| error.to_string())?;
        let notes: Vec<String> = notes.iter().map(GuessedCharsetWarning::to_string).collect();
        Ok((text, notes.join("; ")))
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
    fn each_game_is_in_its_character_set() {
        // The second byte of each letter equals a backslash or a bracket.
        let bytes = b"(;CA[Shift_JIS]C[\x95\\\x83]\\\x83\\];B[aa](;W[bb]))\n\
                      (;CA[UTF-8]C[\xc3\xab])(;C[\xeb\\])])\n(;CA[x]C[\xc3\xab])\n";
        let text = "(;CA[Shift_JIS]C[表ゾ\\ソ];B[aa](;W[bb]))\n(;CA[UTF-8]C[ë])(;C[ë\\])])\n(;CA[x]C[ë])\n";
        let notes = "the text is not UTF-8, and is read as Latin-1; \
                     the character set 'x' is unknown; the text is read as UTF-8";
        assert_eq!(decoded(bytes), Ok((text.into(), notes.into())));
        assert_eq!(
            decoded(b"(;C[a])(;CA[GBK]C[\xff])"),
            Err("game 2 is not in the character set GBK, which its property CA names".into())
        );
        let many = decoded(&b"(;CA[Big5]C[\xa4]\xa4])(".repeat(1 << 14)).unwrap();
        assert_eq!(many.1, "");
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
            Err("game 1 is not in the character set Shift_JIS, which its property CA names".into())
        );
        assert_eq!(decoded(b"Zo\xeb (;C[a])"), Ok(("Zoë (;C[a])".into(), latin1.into())));
        assert_eq!(
            decoded(b"x (;CA[latin1]C[\xeb])"),
            Ok(("x (;CA[latin1]C[ë])".into(), "".into()))
        );
        assert_eq!(decoded(b"e2 \xeb"), Err("it is not UTF-8 after 'e2 '".into()));
        for bytes in [b"(;CA[".as_slice(), b"(;CA", b"(;C[\\", b"(", b"", b"(;A[x"] {
            assert!(decoded(bytes).is_ok());
        }
    }
}
