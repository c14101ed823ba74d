//! Whatever is sent, the program lives on, answers with one line, and keeps its position.

#[cfg(unix)]
use std::fs;
#[cfg(unix)]
use std::path::Path;
use std::process::Command;
#[cfg(unix)]
use std::time::Duration;
use std::time::Instant;

#[cfg(unix)]
use nix::time::{ClockId, clock_gettime};
use pentarch_alcaxar::Alcaxar;

use crate::client::Client;
use crate::common::fuzz::{self, Corpus, runner};
use crate::common::rules;

/// Lines that set something up which garbage must not change.
const SETUP: &[&str] = &["position startpos", "setoption name MultiPV value 2"];

/// Sends a line that must be refused, and checks that exactly one error line answers it.
fn refuse(client: &mut Client, line: &[u8]) {
    client.send_bytes(&[line, b"\n"].concat());
    let shown = String::from_utf8_lossy(&line[..line.len().min(200)]).into_owned();
    let answer = client.ask("isready");
    assert!(answer.starts_with("info string error: "), "{shown:?}: {answer}");
    assert!(!answer.contains("fault of the program"), "{shown:?}: {answer}");
    assert_eq!(client.receive().as_deref(), Some("readyok"), "{shown:?}: {answer}");
}

/// Checks lots of spoilt input from this number on until they have so many lines. Returns the lots.
fn check_lots(seed: u64, lines: usize) -> u64 {
    let corpus = Corpus::read();
    let lots = runner::run(seed, lines, move |lot| fuzz::check_batch(&corpus, lot));
    if let Some(most) = peak_memory() {
        assert!(most < MOST_MEMORY, "{most} MiB of memory were in use");
    }
    lots
}

/// More memory than this ever needs, in MiB.
const MOST_MEMORY: u64 = 1024;

/// The most memory that was in use at a time, in MiB, where the system tells.
fn peak_memory() -> Option<u64> {
    let facts = std::fs::read_to_string("/proc/self/status").ok()?;
    let kib =
        facts.lines().find_map(|line| line.strip_prefix("VmHWM:"))?.trim().strip_suffix(" kB")?;
    kib.parse::<u64>().ok().map(|kib| kib / 1024)
}

/// The long test beside this one, made short, in a process of its own, whose memory is measured.
#[test]
fn spoilt_input_is_refused_or_good() {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args([
        "--exact",
        "garbage::much_spoilt_input_is_refused_or_good",
        "--ignored",
        "--nocapture",
    ]);
    command.env("FUZZ_SEED", "1").env("FUZZ_LINES", "30000");
    let output = command.output().unwrap();
    let [out, err] =
        [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    assert!(output.status.success() && out.contains("30000 lines in "), "{out}{err}");
}

/// Ten million lines, or FUZZ_LINES from lot FUZZ_SEED on; what is found in a lot is shown again by FUZZ_LINES=1 from
/// that lot on. Overflow counts, too, unless with `--release`:
/// `cargo test --test all garbage::much -- --ignored --nocapture`
#[test]
#[ignore = "ten million lines: minutes"]
fn much_spoilt_input_is_refused_or_good() {
    let (seed, lines) = (
        runner::number_from_env("FUZZ_SEED", 1_000_000),
        runner::number_from_env("FUZZ_LINES", 10_000_000),
    );
    let begun = Instant::now();
    let lots = check_lots(seed, lines as usize);
    let (seconds, memory) = (begun.elapsed().as_secs(), peak_memory().unwrap_or(0));
    println!(
        "{lines} lines in {lots} lots from {seed} on in {seconds} s, {memory} MiB of memory at most"
    );
}

/// More time of the processor than this no input of the corpus takes, in a build with all checks.
#[cfg(unix)]
const MOST_TIME: Duration = Duration::from_secs(5);

/// The bodies of the fuzz targets, on inputs that the fuzzer has found: at least one for each branch that it knows.
#[cfg(unix)]
#[test]
fn what_the_fuzzer_has_found_is_refused_or_good_and_takes_no_time() {
    let now = || Duration::from(clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).unwrap());
    for (name, target) in fuzz::targets::ALL {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz/corpus").join(name);
        let mut inputs = 0;
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let bytes = fs::read(&path).unwrap();
            let begun = now();
            target(&bytes);
            let time = now() - begun;
            assert!(time < MOST_TIME, "{}: {time:?}", path.display());
            inputs += 1;
        }
        assert!(inputs >= 20, "{name}: {inputs} inputs");
    }
}

/// Errors show what a file holds, but on one line, and without what a terminal would act on.
#[test]
fn files_of_other_matches_and_proofs_are_refused_in_plain_words() {
    let (_, options, _) = fuzz::choose_rules(&[0, 0]).unwrap();
    fuzz::files::check_match_file(&options, "[Match \"\u{1b}[2J \r another\"]\n*\n\n");
    let proof = "pentarch proof 2\nClaim: \u{1b}[2J wins\n";
    fuzz::files::check_proof(&rules::<Alcaxar>(&[]), proof, false);
}

#[test]
fn random_bytes_are_refused_one_by_one() {
    let mut rng = fastrand::Rng::with_seed(11);
    let mut client = Client::in_process();
    SETUP.iter().for_each(|line| client.send(line));
    let before = client.ask("query fen");
    for _ in 0..2_000 {
        let mut line: Vec<u8> = (0..rng.usize(1..60)).map(|_| rng.u8(..)).collect();
        line.retain(|byte| !b"\n\r#".contains(byte));
        // No letter in front: no command begins like this.
        line.insert(0, *rng.choice(b"!$%&()*,0123456789:;=@[]^{|}~\0\x7f\xff").unwrap());
        refuse(&mut client, &line);
    }
    assert_eq!(client.ask("query fen"), before);
}

#[test]
fn lines_of_any_length_and_kind_are_refused() {
    let mut client = Client::in_process();
    let mib = 1024 * 1024;
    refuse(&mut client, &vec![b'x'; mib]);
    refuse(&mut client, &vec![b'x'; mib + 1]);
    refuse(&mut client, &vec![b'x'; 5 * mib]);
    refuse(
        &mut client,
        &[&b"position startpos moves "[..], &b"Kb6 Kh4 ".repeat(mib / 8 - 3)].concat(),
    );
    refuse(&mut client, &[&b"position fen "[..], &b"b8h2 ".repeat(mib / 5 - 3)].concat());
    refuse(&mut client, &[&b"position startpos moves "[..], &vec![b'K'; mib - 30]].concat());
    refuse(&mut client, "position startpos moves ä\u{10ffff} ".repeat(30_000).as_bytes());
    refuse(&mut client, &[&b"setoption name "[..], &vec![b'x'; mib - 20]].concat());
    refuse(&mut client, &[&b"go "[..], &b"depth ".repeat(mib / 6 - 3)].concat());
    refuse(&mut client, b"is\0ready");
    refuse(&mut client, b"\0");
    refuse(&mut client, b"\xff\xfe");
    refuse(&mut client, b"\xc2\xa0# \xff");
    refuse(&mut client, "ｉｓｒｅａｄｙ".as_bytes());
    assert_eq!(client.ask("query fen"), "response b8h2 b5c6d7e2e8f3g4h5 r - 1");
}

#[test]
fn a_last_line_without_an_end_counts() {
    let mut client = Client::in_process();
    client.send_bytes(b"isready\r\n\n\r\nquery game");
    assert_eq!(client.finish().0, ["readyok", "response alcaxar"]);
}
