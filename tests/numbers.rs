//! Numbers at their limits and beyond them, in every option and argument. Errors must name the
//! valid range.

use pentarch_core::OptionKind;
use pentarch_engine::engine_options;

use crate::client::{Client, Dialect, program, run};
use crate::common::temporary::Folder;

/// Strings that are not whole numbers of 64 bits.
const NON_NUMBERS: [&str; 8] = [
    "",
    "x",
    "1e9",
    "1.5",
    "0x10",
    "18446744073709551616",
    "--1",
    "99999999999999999999999999999999999999999",
];

#[test]
fn every_option_reports_its_range() {
    let mut client = Client::in_process();
    for spec in engine_options::all_options() {
        let OptionKind::Spin { min, max, .. } = spec.kind else { continue };
        let texts = NON_NUMBERS.iter().map(ToString::to_string);
        let past = [i128::from(min) - 1, i128::from(max) + 1, u64::MAX.into(), i64::MIN.into()];
        for value in texts.chain(past.map(|number| number.to_string())) {
            let answer = client.ask(&format!("setoption name {} value {value}", spec.name));
            let expected = format!("takes a whole number from {min} to {max}, not ");
            assert!(
                answer.starts_with("info string error: ") && answer.contains(&expected),
                "{value}: {answer}"
            );
        }
        for value in [format!("+{max}"), min.to_string()] {
            client.send(&format!("setoption name {} value {value}", spec.name));
            // The only possible error is that there is not enough memory.
            let answer = client.ask("isready");
            if answer != "readyok" {
                assert!(
                    answer.contains(" a Hash of ")
                        && client.receive().as_deref() == Some("readyok"),
                    "{answer}"
                );
            }
        }
    }
    assert_eq!(client.finish().0, [""; 0]);
}

#[test]
fn every_argument_reports_its_range() {
    let mut client = Client::in_process();
    let time = "milliseconds from -9223372036854775808 to 9223372036854775807";
    let count = "a whole number from 0 to 1000000";
    for (command, range, past) in [
        ("go depth", count, ["-1", "1000001"]),
        ("go mate", count, ["-1", "1000001"]),
        (
            "go nodes",
            "a number of nodes from 0 to 9223372036854775807",
            ["-1", "9223372036854775808"],
        ),
        ("go movestogo", count, ["-1", "1000001"]),
        ("go movetime", time, ["9223372036854775808", "-9223372036854775809"]),
        ("go p1time", time, ["9223372036854775808", "-9223372036854775809"]),
        ("go p2time", time, ["9223372036854775808", "-9223372036854775809"]),
        ("go wtime", time, ["9223372036854775808", "-9223372036854775809"]),
        ("go btime", time, ["9223372036854775808", "-9223372036854775809"]),
        ("go p1inc", time, ["9223372036854775808", "-9223372036854775809"]),
        ("go binc", time, ["9223372036854775808", "-9223372036854775809"]),
        ("perft", "a depth from 0 to 100", ["-1", "101"]),
        ("go perft", "a depth from 0 to 100", ["-1", "101"]),
        ("bench", "a depth from 1 to 100", ["0", "101"]),
        ("undo", "a number of moves from 1 to 1000000", ["0", "1000001"]),
    ] {
        // An empty string is not a number. The commands that need a number must reject it.
        let texts =
            NON_NUMBERS.iter().filter(|text| !text.is_empty() || command.starts_with("go "));
        for value in texts.chain(&past) {
            let answer = client.ask(&format!("{command} {value}"));
            assert!(
                answer.starts_with("info string error: column "),
                "{command} {value}: {answer}"
            );
            assert!(
                answer.contains(&format!("expected {range}, found ")),
                "{command} {value}: {answer}"
            );
        }
    }
    let [least, zero] = ["go depth 1", "go depth 0"].map(|go| {
        client.send(go);
        client.receive_until("bestmove ").pop()
    });
    assert_eq!(zero, least);
    client.send("go depth 1000000 nodes 1 mate 1000000 movestogo 1000000");
    client.receive_until("bestmove ");
    client.send("go perft 0");
    assert_eq!(client.receive().as_deref(), Some("Nodes: 1"));
    assert!(client.ask("undo 1000000").ends_with("cannot take back 1000000: moves made so far: 0"));
    assert_eq!(client.finish().0, [""; 0]);
}

#[test]
fn every_gtp_argument_reports_its_range() {
    let mut client = Client::in_process_with(Dialect::Gtp, &[]);
    let seconds = "seconds from 0 to 1000000000";
    let stones = "stones from 0 to 4294967295";
    for (command, range) in [
        ("boardsize 10", "has size 9, not '10'"),
        ("boardsize -9", "has size 9, not '-9'"),
        ("boardsize 18446744073709551616", "has size 9, not"),
        ("komi nan", "komi takes a number, not 'nan'"),
        ("komi 1e999", "komi takes a number, not '1e999'"),
        ("time_settings -1 0 0", seconds),
        ("time_settings 1000000001 0 0", seconds),
        ("time_settings 0 inf 0", seconds),
        ("time_settings 0 0 -1", stones),
        ("time_settings 0 0 4294967296", stones),
        ("time_left b 1e300 0", seconds),
        ("time_left b 0 1.5", stones),
    ] {
        let answer = client.ask(command);
        assert!(answer.starts_with("? ") && answer.contains(range), "{command}: {answer}");
    }
    for command in [
        "komi -6.5",
        "time_settings 1e9 1e9 4294967295",
        "time_left w 1e9 4294967295",
        "time_left b 0 1",
    ] {
        assert_eq!(client.ask(command), "=", "{command}");
    }
    assert_eq!(client.finish().0, [""; 0]);
}

/// Returns the error message of the program with these arguments. The arguments are separated by
/// blanks. It must exit with code 2.
fn rejection(arguments: &str) -> String {
    let (out, err, code) = run(program(arguments.split(' ')), "");
    assert_eq!((out.as_str(), code), ("", Some(2)), "{arguments}: {err}");
    err
}

#[test]
fn every_flag_reports_its_range() {
    let most = i64::MAX;
    for (arguments, range) in [
        ("arena --nodes", [1, most as u64]),
        ("arena --first-depth", [1, 1_000_000]),
        ("arena --movetime", [0, 1_000_000_000]),
        ("arena --time", [0, 1_000_000_000]),
        ("arena --depth 1 --games", [1, 1_000_000]),
        ("arena --depth 1 --plies", [1, 100_000]),
        ("arena --depth 1 --random-plies", [0, 100_000]),
        ("arena --depth 1 --concurrency", [1, 256]),
        ("arena --depth 1 --margin", [0, 1_000_000_000]),
        ("arena --depth 1 --patience", [0, 1_000_000_000]),
        ("arena --depth 1 --random-plies 2 --seed", [0, u64::MAX]),
        ("prove --memory", [1, 65_536]),
        ("prove --nodes", [1, most as u64]),
        ("prove --tables", [2, 32]),
        ("tune --data nowhere --games", [0, 1_000_000]),
        ("tune --data nowhere --nodes", [1, most as u64]),
        ("tune --data nowhere --random-plies", [1, 1000]),
        ("tune --data nowhere --plies", [1, 10_000]),
        ("tune --data nowhere --seed", [0, u64::MAX]),
        ("tune --data nowhere --concurrency", [1, 1024]),
        ("tune --data nowhere --prior", [1, u32::MAX.into()]),
        ("tune --data nowhere --net nowhere.net --epochs", [1, 10_000]),
        ("tune --spsa nowhere --iterations", [1, 1_000_000]),
    ] {
        let [least, most] = range.map(i128::from);
        let past = [least - 1, most + 1, -5].map(|number| number.to_string());
        for value in NON_NUMBERS.iter().copied().chain(past.iter().map(String::as_str)) {
            let err = rejection(&format!("{arguments}={value}"));
            assert!(
                err.contains(&format!("expected a whole number from {least} to {most}")),
                "{value}: {err}"
            );
        }
    }
    assert!(rejection("perft 101").contains("a depth from 0 to 100"));
    assert!(rejection("bench 0").contains("a depth from 1 to 100"));
    for value in ["x", "nan", "inf", "1e999", "10001"] {
        let err = rejection(&format!("arena --depth 1 --sprt 0 {value}"));
        assert!(err.contains("expected a number from -10000 to 10000"), "{err}");
    }
}

#[test]
fn rejects_impossible_tables_before_computing_any() {
    let folder = Folder::new("no-tables");
    let path = folder.path().join("none");
    let place = format!("--set TablePath={}", path.display());
    for men in ["0", "1", "13", "-1", "x", "2x", "2.5", "18446744073709551616"] {
        let err = rejection(&format!("--game alquerque {place} tables {men}"));
        assert_eq!(
            err,
            format!("pentarch: tables of alquerque are for 2 to 12 checkers, not '{men}'\n")
        );
    }
    let file = "Cargo.toml";
    for work in ["tables 3", "prove", "tune --data nowhere", "games"] {
        let err = rejection(&format!("--game alquerque --set TablePath={file} {work}"));
        assert_eq!(
            err,
            format!("pentarch: TablePath takes a directory, but '{file}' is not one\n")
        );
    }
    for walls in ["x", "-1", "21", "3/21", "3/", "1/2/3", "2.5", "18446744073709551616"] {
        let err = rejection(&format!("--game quoridor {place} tables {walls}"));
        let expected = "tables of quoridor are for 0 to 20 walls of each side, as in 4 or 4/3";
        assert_eq!(err, format!("pentarch: {expected}, not '{walls}'\n"));
    }
    for (size, walls, expected) in [
        (
            9,
            "10",
            "20 walls in all would take more than 8 GB of memory: 3 walls in all fit, as in 2/1",
        ),
        (
            9,
            "2",
            "4 walls in all would take more than 8 GB of memory: 3 walls in all fit, as in 2/1",
        ),
        (
            6,
            "4/3",
            "7 walls in all would take more than 8 GB of memory: 6 walls in all fit, as in 3/3",
        ),
        (
            11,
            "20",
            "40 walls in all would take more than 8 GB of memory: 3 walls in all fit, as in 2/1",
        ),
    ] {
        let err = rejection(&format!(
            "--game quoridor --set Quoridor_BoardSize={size} {place} tables {walls}"
        ));
        assert_eq!(
            err,
            format!("pentarch: tables of quoridor on {size}x{size} squares with {expected}\n")
        );
    }
    for pieces in ["1", "5"] {
        assert_eq!(
            rejection(&format!("--game bushka {place} tables {pieces}")),
            format!("pentarch: tables of bushka are for 2 to 4 pieces, not '{pieces}'\n")
        );
    }
    assert!(!path.exists());
}
