//! The time for parsing a text must not grow faster than the length of the text. The tests pass
//! many repetitions of a short string to each parser of foreign input.
//!
//! The tests measure only the processor time of this thread, and only how it grows. So the result
//! is the same on any machine, even on a busy one.

use std::time::Duration;

use nix::time::{ClockId, clock_gettime};
use pentarch::io::host::SystemHost;
use pentarch::io::input::read_next_line;
use pentarch::io::proof_file::ProofFile;
use pentarch::protocol::gtp::text;
use pentarch::protocol::ugi::parse;
use pentarch_core::Options;
use pentarch_core::notation::record::GameRecord;
use pentarch_engine::engine_state::Engine;
use pentarch_engine::sgf_tree;

/// The characters of the repeated strings.
const ALPHABET: &str = "1a*.$\"[](){};:#-\\\n é!";

/// The name and the function of a parser.
type Parser = (&'static str, fn(&str));

const PARSERS: [Parser; 9] = [
    ("a record", |text| drop(GameRecord::parse(text))),
    ("records", |text| drop(GameRecord::parse_all(text))),
    ("tags", |text| drop(GameRecord::parse(&format!("[Game \"{text}")))),
    ("load", |text| {
        drop(Engine::new(Options::default(), SystemHost::shared_host()).load_record(text, None))
    }),
    ("SGF", |text| drop(sgf_tree::parse_sgf(&format!("(;C[{text}")))),
    ("a proof", |text| {
        let lines = format!("pentarch proof 3\n{text}");
        drop(ProofFile::parse(&ProofFile::with_checksum(lines)))
    }),
    ("commands", |text| {
        for start in [
            "",
            "position startpos moves ",
            "position fen ",
            "setoption name ",
            "go ",
            "load text ",
            "query clicks ",
        ] {
            drop(parse::parse_ugi_command(&format!("{start}{text}")));
        }
    }),
    ("GTP", |text| {
        let _ = text::is_interrupt_or_quit_line(text);
    }),
    ("lines", |text| {
        let mut bytes = text.as_bytes();
        while read_next_line(&mut bytes).unwrap().is_some() {}
    }),
];

/// Returns the processor time of a parser for a text.
fn parsing_time(read: fn(&str), text: &str) -> Duration {
    let now = || Duration::from(clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).unwrap());
    let begun = now();
    read(text);
    now() - begun
}

/// Returns whether a text of four times the length takes more than ten times as long, in repeated
/// measurements. The expected factor is four. The factor is sixteen if the parser reads the rest of
/// the text at each position.
fn grows_too_fast(read: fn(&str), token: &str) -> bool {
    let text = |bytes: usize| token.repeat(bytes / token.len());
    let short = text(1 << 11);
    let long = text(1 << 13);
    // A time of less than 4 ms is accepted without repeated measurements. Even with quadratic
    // growth, the longest line would then take only about a minute.
    if parsing_time(read, &long) < Duration::from_millis(4) {
        return false;
    }
    (0..5).all(|_| parsing_time(read, &long) > 10 * parsing_time(read, &short))
}

#[test]
fn parsing_time_is_linear_for_repeated_texts() {
    check_every(8);
}

/// To run this test: `cargo test --test all parsing_time:: -- --ignored`
#[test]
#[ignore = "all pairs of letters: ten seconds"]
fn parsing_time_is_linear_for_all_pairs() {
    check_every(1);
}

/// Checks every `nth` pair of characters, and some meaningful strings. The pairs include each
/// single character.
fn check_every(nth: usize) {
    let letters: Vec<String> = ALPHABET.chars().map(String::from).collect();
    let pairs = letters
        .iter()
        .flat_map(|first| letters.iter().map(move |second| format!("{first}{second}")));
    let pairs = pairs
        .enumerate()
        .filter(|(at, _)| at % nth == 0 || at % (letters.len() + 1) == 0)
        .map(|(_, pair)| pair);
    let more = [
        "{+0.1/1}",
        "1-0 ",
        "1-0\n",
        "[A \"",
        "[A \"b\"]",
        "e2 {",
        "e2{}",
        "e2(e3)",
        "e2{}}x}",
        "x\\]",
        "1.e2;\n",
        "value ",
        "moves e2 ",
    ];
    let tokens: Vec<String> = pairs.chain(more.map(String::from)).collect();
    for (what, read) in PARSERS {
        for token in &tokens {
            assert!(!grows_too_fast(read, token), "{what}: {token:?}");
        }
    }
}
