//! How late answers are on a machine that is busy with something else.

use std::hint::spin_loop;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use pentarch::games::GameId;

use crate::client::Client;

/// Moves that are timed, of each game and with each limit.
const MOVES: usize = 60;
/// Milliseconds on the clocks at the beginning, and those that each move adds.
const CLOCK: (i64, i64) = (1000, 10);

/// Sends a `go` and waits for its move, which must be legal. The move, and how long it took.
fn answer(client: &mut Client, go: &str) -> (String, Duration) {
    let begun = Instant::now();
    client.send(go);
    let answer = client.receive_until("bestmove ").pop().unwrap();
    let time = begun.elapsed();
    let mv = answer["bestmove ".len()..].to_string();
    assert_eq!(client.ask(&format!("query islegal {mv}")), "response true", "{go}: {mv}");
    (mv, time)
}

/// Plays games of the engine with itself, `each` telling what to send and what is to be said of the time of a move.
fn play(game: &str, mut each: impl FnMut(&mut Client, usize) -> (String, f64)) -> Vec<f64> {
    let mut client = Client::program(&["--game", game, "--set", "RepetitionDraw=true"]);
    let mut times = Vec::new();
    while times.len() < MOVES {
        if client.ask("query gameover") == "response true" {
            client.send("position startpos");
        }
        let (mv, time) = each(&mut client, times.len());
        times.push(time);
        client.send(&format!("play {mv}"));
    }
    client.send("quit");
    times
}

fn show(what: &str, mut times: Vec<f64>) {
    times.sort_by(f64::total_cmp);
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
    println!(
        "{what}: {} moves; median {:.1}, 90 % {:.1}, 99 % {:.1}, worst {:.1} ms",
        times.len(),
        at(0.5),
        at(0.9),
        at(0.99),
        at(1.0)
    );
}

/// Prints how late the answers are with as many busy threads beside as the machine can run at once:
///
/// `cargo test --release --test all load:: -- --ignored --nocapture`
#[test]
#[ignore = "a measurement that keeps all cores busy"]
fn answers_on_a_busy_machine() {
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while !done.load(Relaxed) {
                    spin_loop();
                }
            });
        }
        let over = |limit: i64, time: Duration| time.as_secs_f64() * 1000.0 - limit as f64;
        for (what, go, limit) in [
            ("movetime 10, over it", "go movetime 10", 10),
            ("5 ms left, all", "go p1time 5 p2time 5", 0),
            ("5 ms left and no overhead, all", "go p1time 5 p2time 5", 0),
        ] {
            let times = GameId::WORDS.iter().flat_map(|game| {
                play(game, |client, number| {
                    if number == 0 && what.contains("no overhead") {
                        client.send("setoption name Move Overhead value 0");
                    }
                    let (mv, time) = answer(client, go);
                    (mv, over(limit, time))
                })
            });
            show(what, times.collect());
        }
        let left = GameId::WORDS.iter().flat_map(|game| {
            let mut clocks = [CLOCK.0 as f64; 2];
            play(game, |client, _| {
                let side = usize::from(client.ask("query p1turn") == "response false");
                let [first, second] = clocks.map(|clock| clock as i64);
                let go = format!("go p1time {first} p2time {second} p1inc {} p2inc {}", CLOCK.1, CLOCK.1);
                let (mv, time) = answer(client, &go);
                let left = clocks[side] - time.as_secs_f64() * 1000.0;
                clocks[side] = left.max(0.0) + CLOCK.1 as f64;
                (mv, -left)
            })
        });
        let left: Vec<f64> = left.collect();
        println!("1000+10: {} of {} moves lost on time", left.iter().filter(|&&late| late > 0.0).count(), left.len());
        show("1000+10, clock below zero", left);
        done.store(true, Relaxed);
    });
}
