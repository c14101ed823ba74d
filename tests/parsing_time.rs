//! No text takes time that grows faster than its length: short texts, repeated without end, in everything that reads
//! texts of others.
//!
//! What is measured is the processor's time of this thread, and only how it grows, so that the result is the same on
//! any machine, however busy it is.

use std::time::Duration;

use nix::time::{ClockId, clock_gettime};
use pentarch::convert::sgf_tree;
use pentarch::io::host::SystemHost;
use pentarch::io::input::next_line;
use pentarch::io::proof_file::ProofFile;
use pentarch::protocol::gtp::text;
use pentarch::protocol::ugi::parse;
use pentarch_core::Options;
use pentarch_core::notation::record::Record;
use pentarch_engine::engine_state::Engine;

/// What texts of all kinds are made of.
const ALPHABET: &str = "1a*.$\"[](){};:#-\\\n é!";

/// Something that reads a text.
type Reader = (&'static str, fn(&str));

const READERS: [Reader; 9] = [
    ("a record", |text| drop(Record::parse(text))),
    ("records", |text| drop(Record::parse_all(text))),
    ("tags", |text| drop(Record::parse(&format!("[Game \"{text}")))),
    ("load", |text| drop(Engine::new(Options::default(), SystemHost::shared()).load(text, None))),
    ("SGF", |text| drop(sgf_tree::parse(&format!("(;C[{text}")))),
    ("a proof", |text| drop(ProofFile::parse(&format!("pentarch proof 2\n{text}")))),
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
            drop(parse::parse(&format!("{start}{text}")));
        }
    }),
    ("GTP", |text| {
        let _ = text::ends_searches(text);
    }),
    ("lines", |text| {
        let mut bytes = text.as_bytes();
        while next_line(&mut bytes).unwrap().is_some() {}
    }),
];

/// How long this takes.
fn time(read: fn(&str), text: &str) -> Duration {
    let now = || Duration::from(clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).unwrap());
    let begun = now();
    read(text);
    now() - begun
}

/// Whether a text that is four times as long takes more than ten times as long, again and again. Four times is what it
/// should take, and sixteen times what it takes if at each place the rest is read.
fn grows_too_fast(read: fn(&str), token: &str) -> bool {
    let text = |bytes: usize| token.repeat(bytes / token.len());
    let (short, long) = (text(1 << 11), text(1 << 13));
    // What takes so little is not looked at closer: it would take a minute for the longest line.
    if time(read, &long) < Duration::from_millis(4) {
        return false;
    }
    (0..5).all(|_| time(read, &long) > 10 * time(read, &short))
}

#[test]
fn no_repeated_text_takes_more_than_its_length() {
    check_every(8);
}

/// `cargo test --test all parsing_time:: -- --ignored`
#[test]
#[ignore = "all pairs of letters: ten seconds"]
fn no_text_of_two_letters_takes_more_than_its_length() {
    check_every(1);
}

/// Checks every so-manyth pair of letters, each letter alone among them, and some texts that mean something.
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
    for (what, read) in READERS {
        for token in &tokens {
            assert!(!grows_too_fast(read, token), "{what}: {token:?}");
        }
    }
}
