//! Mutations. They change words, characters or bytes of valid input.

use fastrand::Rng;

/// Numbers that often cause errors in programs.
const NUMBERS: &[&str] = &[
    "0",
    "-0",
    "1",
    "+1",
    "-1",
    "2",
    "007",
    "255",
    "256",
    "65536",
    "999999",
    "1000000",
    "1000001",
    "2147483647",
    "2147483648",
    "-2147483649",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "9223372036854775808",
    "-9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "99999999999999999999999",
    "0.001",
    "1e9",
    "nan",
    "inf",
];

/// Characters of the notations, and characters that often cause errors in parsers. The latter
/// include:
///
/// - characters of several bytes
/// - characters whose lower case is `k` (the Kelvin sign) or has two characters
/// - white space other than a blank
/// - control characters
const CHARACTERS: &str = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 -+/.,:;*=#$[]{}()<>\"'\\|_~\
    \t\r\0\u{1b}\u{7f}\u{a0}\u{85}\u{2028}\u{feff}\u{212a}\u{130}é≠\u{1f3b2}";

/// Returns a mutated line. Most often words change, less often characters, and rarely bytes.
/// `words` are words of valid lines. `others` are valid lines. The result has no line feed. It may
/// be invalid UTF-8.
pub(crate) fn mutated_line(
    rng: &mut Rng,
    line: &str,
    others: &[String],
    words: &[String],
) -> Vec<u8> {
    let mut text = line.to_string();
    for _ in 0..rng.usize(1..4) {
        text = match rng.u8(..8) {
            0..4 => change_word(rng, &text, others, words),
            _ => change_character(rng, &text),
        };
    }
    let mut bytes = text.into_bytes();
    if rng.u8(..8) == 0 {
        mutate_bytes(rng, &mut bytes);
    }
    bytes.retain(|&byte| byte != b'\n');
    bytes
}

/// Returns a text of several lines in which some lines are changed, removed, duplicated or swapped.
pub(crate) fn mutated_text(rng: &mut Rng, text: &str, words: &[String]) -> String {
    let mut lines: Vec<String> = text.split('\n').map(String::from).collect();
    for _ in 0..rng.usize(1..3) {
        let at = rng.usize(..lines.len());
        let other = rng.usize(..lines.len());
        match rng.u8(..10) {
            0 if lines.len() > 1 => drop(lines.remove(at)),
            1 => lines.insert(at, lines[other].clone()),
            2 => lines.swap(at, other),
            3 => lines.truncate(at + 1),
            4..7 => lines[at] = change_word(rng, &lines[at], &lines, words),
            _ => lines[at] = change_character(rng, &lines[at]),
        }
    }
    lines.join("\n")
}

/// Changes, inserts or removes a few bytes.
pub(crate) fn mutate_bytes(rng: &mut Rng, bytes: &mut Vec<u8>) {
    for _ in 0..rng.usize(1..4) {
        let at = rng.usize(..=bytes.len());
        match rng.u8(..6) {
            0 => bytes.truncate(at),
            1 => bytes.insert(at, rng.u8(..)),
            2 if at < bytes.len() => bytes[at] = rng.u8(..),
            3 if at < bytes.len() => bytes[at] ^= 1 << rng.u8(..8),
            4 if at < bytes.len() => drop(bytes.remove(at)),
            _ => bytes.rotate_left(at),
        }
    }
}

fn change_word(rng: &mut Rng, line: &str, others: &[String], words: &[String]) -> String {
    let mut parts: Vec<&str> = line.split(' ').collect();
    let at = rng.usize(..parts.len());
    let from = rng.usize(..parts.len());
    let foreign = if rng.u8(..3) == 0 {
        *rng.choice(NUMBERS).unwrap()
    } else {
        rng.choice(words).map_or("", |word| word)
    };
    match rng.u8(..9) {
        0 if parts.len() > 1 => drop(parts.remove(at)),
        1 => parts.insert(at, parts[from]),
        2 => parts.swap(at, from),
        3 => parts.insert(at, foreign),
        4 => parts.truncate(at + 1),
        5 => {
            let other = rng.choice(others).map_or("", |line| line);
            let tail: Vec<&str> = other.split(' ').collect();
            parts.truncate(at);
            parts.extend(&tail[rng.usize(..tail.len())..]);
        }
        6 if rng.u8(..20) == 0 => {
            let many = vec![parts[from]; rng.usize(..2000)];
            parts.splice(at..at, many);
        }
        _ => parts[at] = foreign,
    }
    parts.join(if rng.u8(..20) == 0 { " \t " } else { " " })
}

/// Returns a text in which one character is inserted, removed or replaced, swapped with another
/// one, or changed in case.
pub(crate) fn change_character(rng: &mut Rng, text: &str) -> String {
    let mut characters: Vec<char> = text.chars().collect();
    if characters.is_empty() {
        return String::new();
    }
    let at = rng.usize(..characters.len());
    // If the new character comes from the same text, the text often stays nearly valid.
    let own = characters[rng.usize(..characters.len())];
    let strange = CHARACTERS.chars().nth(rng.usize(..CHARACTERS.chars().count()));
    let other = if rng.bool() { own } else { strange.unwrap_or(own) };
    match rng.u8(..6) {
        0 => characters.insert(at, other),
        1 => drop(characters.remove(at)),
        2 => characters.swap(at, rng.usize(..text.chars().count())),
        3 if characters[at].is_ascii_alphabetic() => {
            characters[at] = ((characters[at] as u8) ^ 0x20).into()
        }
        4 => characters.truncate(at + 1),
        _ => characters[at] = other,
    }
    characters.into_iter().collect()
}
