//! Commands of all kinds in random order, while searches run: one `bestmove` for each `go`, always a legal one.

#[path = "common/client.rs"]
mod client;

use client::Client;
use pentarch::games::GameId;

/// Sends random commands and counts what must be answered.
fn torture(seed: u64, commands: usize) {
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut client = Client::in_process();
    client.send(&format!("setoption name Game value {}", rng.choice(GameId::WORDS).unwrap()));
    // No command changes the position, so these are the legal moves throughout.
    let moves = client.ask("query moves");
    let legal: Vec<&str> = moves.split(' ').skip(1).collect();
    let [mut searches, mut counts, mut readies] = [0; 3];
    for _ in 0..commands {
        let limits = [
            "depth 2",
            "depth 30",
            "nodes 500",
            "movetime 3",
            "p1time 20 p2time 20",
            "",
            "infinite",
            "ponder movetime 2",
        ];
        match rng.u8(0..16) {
            0..6 => {
                client.send(&format!("go {}", rng.choice(limits).unwrap()));
                searches += 1;
                // What would run for long is stopped now, or by a later command.
                if rng.bool() {
                    client.send("stop");
                }
            }
            6 | 7 => client.send("stop"),
            8 => client.send("ponderhit"),
            9 => {
                client.send("isready");
                readies += 1;
            }
            10 => client.send("setoption name MultiPV value 2"),
            11 => client.send("position startpos"),
            12 => client.send("uginewgame"),
            13 => {
                client.send("perft 2");
                counts += 1;
            }
            14 => client.send("setoption name Threads value 2"),
            _ => client.send("setoption name Hash value 1"),
        }
    }
    client.send("stop");
    let (lines, _) = client.finish();
    let count = |start: &str| lines.iter().filter(|line| line.starts_with(start)).count();
    let stopped = count("info string stopped");
    assert_eq!(
        (count("bestmove "), count("Nodes: ") + stopped, count("readyok")),
        (searches, counts, readies),
        "{seed}"
    );
    assert_eq!(count("info string error"), 0, "{seed}");
    for answer in lines.iter().filter_map(|line| line.strip_prefix("bestmove ")) {
        assert!(legal.contains(&answer), "{seed}: {answer}");
    }
}

#[test]
fn every_go_is_answered_once() {
    (0..150).for_each(|seed| torture(seed, 30));
}

/// `cargo test --release --test interleaving -- --ignored`
#[test]
#[ignore = "20000 sessions: minutes"]
fn every_go_is_answered_once_in_many_sessions() {
    (0..20_000).for_each(|seed| torture(seed, 40));
}
