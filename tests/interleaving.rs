//! Random commands of all kinds while searches run. Every answer must arrive, be in order, and be
//! correct.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use fastrand::Rng;
use pentarch::io::host::SystemHost;
use pentarch::protocol::ugi::command::{Command, UgiQuery};
use pentarch::protocol::ugi::parse::parse_input_line;
use pentarch_core::Options;
use pentarch_engine::engine_options;
use pentarch_engine::engine_state::Engine;
use pentarch_engine::games::all_game_words;
use pentarch_engine::input_word::InputWord;

use crate::client::{Client, Dialect, FailureContext};
use crate::common::fuzz::ugi::CommandRunner;
use crate::common::fuzz::{runner, set_option};

/// The expected answer to a line.
#[derive(Debug)]
enum ExpectedAnswer {
    /// The answer is these lines. They arrive at once, except if the command has to wait for
    /// earlier searches.
    Lines { lines: Vec<String>, at_once: bool },
    /// A draw offer is accepted or declined, depending on the last search.
    Draw,
    /// The best move is one of these, and may be followed by a legal reply. The record is that of
    /// the game.
    Best { moves: Vec<String>, record: String },
    /// The total of a count, or the message that the count was stopped.
    Count,
}

impl ExpectedAnswer {
    /// Returns whether a job writes this answer.
    fn is_job_output(&self) -> bool {
        matches!(self, ExpectedAnswer::Best { .. } | ExpectedAnswer::Count)
    }
}

/// A front end that sends lines at any time. It knows the expected answers from an engine without
/// threads. That engine executes the same commands one after the other.
struct TestSession {
    client: Client,
    model: CommandRunner,
    rng: Rng,
    /// The answers of jobs that have not arrived yet. Each has its index among all answers.
    jobs: VecDeque<(usize, ExpectedAnswer)>,
    others: VecDeque<(usize, ExpectedAnswer)>,
    count: usize,
    /// The position strings that have occurred.
    seen: Vec<String>,
    /// Whether a search may run for hours if nothing stops it.
    is_long: bool,
    /// The time in microseconds from each `stop` to the last answer.
    delays: Vec<u128>,
}

impl TestSession {
    fn new(seed: u64) -> TestSession {
        let mut rng = Rng::with_seed(seed);
        let game = *rng.choice(all_game_words()).unwrap();
        // Most sessions compute no tables of solved positions. Otherwise the tables would keep all
        // processors busy.
        let level = if rng.u8(..20) == 0 { "champion" } else { "master" };
        let mut options = Options::default();
        for (spec, value) in [
            (pentarch_engine::games::GAME_OPTION.spec, game),
            (engine_options::LEVEL_OPTION.spec, level),
            (engine_options::HASH_OPTION.spec, "1"),
        ] {
            options.set(&spec, value).unwrap();
        }
        let set = [format!("Game={game}"), format!("Level={level}"), "Hash=1".into()];
        TestSession {
            client: Client::in_process_with(Dialect::Ugi, &set.each_ref().map(String::as_str)),
            model: CommandRunner::new(options),
            rng,
            jobs: VecDeque::new(),
            others: VecDeque::new(),
            count: 0,
            seen: Vec::new(),
            is_long: false,
            delays: Vec::new(),
        }
    }

    /// Sends a line, and records the expected answer.
    fn send(&mut self, line: &str) {
        let answer = match parse_input_line(&Ok(line.into())) {
            Ok(None | Some(Command::Stop | Command::PonderHit | Command::Quit)) => None,
            Ok(Some(command)) => self.answer(command),
            Err(error) => Some(ExpectedAnswer::Lines {
                lines: vec![format!("info string error: {error}")],
                at_once: true,
            }),
        };
        if let Some(answer) = answer {
            let queue = if answer.is_job_output() { &mut self.jobs } else { &mut self.others };
            queue.push_back((self.count, answer));
            self.count += 1;
        }
        self.client.send(line);
    }

    /// Returns the expected answer to a command.
    fn answer(&mut self, command: Command) -> Option<ExpectedAnswer> {
        use Command::{Bench, Diagram, DrawOffer, Eval, Go, Help, IsReady, Legal, Perft};
        let at_once =
            matches!(command, IsReady | Command::Query(_) | Legal(_) | Diagram | Eval | Help(_));
        let mut moves = self.model.legal_moves();
        if let Go(go) = &command
            && !go.limits.moves.is_empty()
        {
            moves.retain(|mv| go.limits.moves.iter().any(|word| word.text == *mv));
        }
        match self.model.start(command.clone()) {
            Err(error) => Some(ExpectedAnswer::Lines {
                lines: vec![format!("info string error: {error}")],
                at_once,
            }),
            Ok((_, true)) if command == IsReady => {
                Some(ExpectedAnswer::Lines { lines: vec!["readyok".into()], at_once })
            }
            Ok((_, true)) if matches!(command, Bench(_) | Perft { .. }) => {
                Some(ExpectedAnswer::Count)
            }
            Ok((_, true)) => Some(ExpectedAnswer::Best {
                moves,
                record: self.model.ask(Command::Record(None)).join("\n"),
            }),
            Ok(_) if command == DrawOffer => Some(ExpectedAnswer::Draw),
            Ok((lines, false)) if lines.is_empty() => None,
            Ok((lines, false)) => Some(ExpectedAnswer::Lines { lines, at_once }),
        }
    }

    /// Checks a line of output against the expected answers.
    fn check_line(&mut self, line: &str) {
        let is_end_of_count = line.starts_with("Nodes: ") || line == "info string stopped";
        let best = line.strip_prefix("bestmove ").filter(|&best| best != "(none)");
        if best.is_some() || is_end_of_count {
            let (place, answer) =
                self.jobs.pop_front().unwrap_or_else(|| panic!("nothing was asked: {line}"));
            assert!(
                self.others.front().is_none_or(|(other, _)| *other > place),
                "too early: {line}"
            );
            match (answer, best) {
                (ExpectedAnswer::Best { moves, record }, Some(best)) => {
                    let words: Vec<&str> = best.split(' ').collect();
                    let best = words[0];
                    assert!(
                        moves.iter().any(|mv| mv == best),
                        "{line}, but the legal moves are {moves:?}"
                    );
                    if let ["ponder", reply] = words[1..] {
                        let mut engine = Engine::new(Options::default(), SystemHost::shared_host());
                        engine.load_record(&record, None).unwrap();
                        assert_eq!(
                            engine.session.play_moves(&[best, reply].map(InputWord::from_text)),
                            Ok(()),
                            "{line} after {record}"
                        );
                    } else {
                        assert_eq!(words.len(), 1, "{line}");
                    }
                }
                (ExpectedAnswer::Count, None) => {}
                (answer, _) => panic!("{line}, but expected {answer:?}"),
            }
        } else if !is_job_output(line) {
            let Some((place, answer)) = self.others.front_mut() else {
                panic!("nothing was asked: {line}")
            };
            let runs = self.jobs.front().is_some_and(|(job, _)| job < place);
            let (is_done, is_early) = match answer {
                ExpectedAnswer::Lines { lines, at_once } => {
                    assert_eq!(line, lines.remove(0));
                    (lines.is_empty(), runs && !*at_once)
                }
                _ => {
                    assert!(
                        ["response accept", "response decline"].contains(&line),
                        "{line} to an offer of a draw"
                    );
                    (true, runs)
                }
            };
            assert!(!is_early, "before the search ended: {line}");
            if is_done {
                self.others.pop_front();
            }
        }
    }

    /// Returns a random command.
    fn command(&mut self) -> String {
        let legal = self.model.legal_moves();
        let fen = self.model.ask(Command::Query(UgiQuery::Fen)).concat().replace("response ", "");
        self.seen.push(fen);
        let rng = &mut self.rng;
        let fen = rng.choice(&self.seen).unwrap().clone();
        let some = rng.choice(&legal).map_or("a1", |mv| mv).to_string();
        match rng.u8(..44) {
            0..9 => self.go(&some),
            9..13 => "stop".into(),
            13 | 14 => "ponderhit".into(),
            15 | 16 => "isready".into(),
            17..20 => set_option(rng),
            20 | 21 => "position startpos".into(),
            22 | 23 => format!("position fen {fen}"),
            24 => format!("position fen {fen} moves {some}"),
            25 => format!("position startpos moves {some} {some} {some}"),
            26..30 => format!("play {some}"),
            30 => format!("undo {}", rng.u8(..3)),
            31 => "uginewgame".into(),
            32 => format!("{}perft {}", rng.choice(["", "go "]).unwrap(), rng.u8(..3)),
            33 => format!(
                "query {}",
                rng.choice([
                    "fen", "moves", "outcome", "board", "scene", "clicks", "rules", "nothing"
                ])
                .unwrap()
            ),
            34 => "d".into(),
            35 => format!("legal {some}"),
            36 => rng.choice(["legal", "eval", "help go", "games", "ugi"]).unwrap().into(),
            37 => "drawoffer".into(),
            38 => "record".into(),
            39 => rng.choice(["load no such file", "load .", "load", "record ."]).unwrap().into(),
            40 => format!(
                "query {} {some}",
                rng.choice(["islegal", "details", "counts", "scene moves"]).unwrap()
            ),
            41 if rng.u8(..8) == 0 => {
                self.is_long = true;
                "bench 1".into()
            }
            _ => rng
                .choice([
                    "postion startpos",
                    "go depth 0",
                    "debug on",
                    "register later",
                    "undo x",
                    "play a0",
                    "\u{1f3b2}",
                    "# nothing",
                ])
                .unwrap()
                .into(),
        }
    }

    /// Returns a random `go` command.
    fn go(&mut self, mv: &str) -> String {
        let rng = &mut self.rng;
        let long = [
            "depth 60",
            "nodes 1000000000",
            "movetime 100000",
            "p1time 9999999 p2time 9999999",
            "mate 9",
        ];
        // If there are tables of solved positions, these commands wait for them.
        let waiting = ["depth 1", "depth 2", "nodes 500", "mate 1", "depth 1 nodes 0 movetime 0"];
        let short = [
            "movetime 3",
            "movetime 0",
            "nodes 0 mate 0",
            "wtime 0 btime 0 winc 0 binc 0 movestogo 0 depth 0 nodes 0 mate 0 movetime 0",
            "p1time 20 p2time 20",
            "wtime 5 btime 5 movestogo 1",
            "winc -1",
        ];
        let (limit, is_long) = match rng.u8(..4) {
            0 => (rng.choice(long).unwrap(), true),
            1 => (rng.choice(waiting).unwrap(), true),
            2 => (rng.choice(["", "infinite"]).unwrap(), false),
            _ => (rng.choice(short).unwrap(), false),
        };
        self.is_long |= is_long;
        let ponder = if rng.u8(..4) == 0 { " ponder" } else { "" };
        let moves = if rng.u8(..6) == 0 { format!(" searchmoves {mv}") } else { String::new() };
        format!("go{ponder} {limit}{moves}")
    }

    /// Sends random commands, then ends the session in a random way. Returns the measured delays.
    fn run(mut self, commands: usize, is_measured: bool) -> Vec<u128> {
        for _ in 0..commands {
            let command = self.command();
            self.send(&command);
            match self.rng.u8(..16) {
                0..3 => thread::sleep(Duration::from_micros(self.rng.u64(..2000))),
                3 if self.is_long => self.stop(is_measured),
                _ if command == "stop" => self.is_long = false,
                _ => {}
            }
        }
        match self.rng.u8(..3) {
            0 => self.send("quit"),
            _ if self.is_long => self.stop(false),
            _ => {}
        }
        self.client.end_input();
        while let Some(line) = self.client.receive() {
            self.check_line(&line);
        }
        assert!(
            self.jobs.is_empty() && self.others.is_empty(),
            "not answered: {:?} {:?}",
            self.jobs,
            self.others
        );
        self.delays
    }

    /// Stops all searches. If `is_measured` is true, measures the time until all searches have
    /// answered.
    fn stop(&mut self, is_measured: bool) {
        self.is_long = false;
        let sent = Instant::now();
        self.send("stop");
        if is_measured && !self.jobs.is_empty() {
            while !self.jobs.is_empty() {
                let line = self.client.receive().expect("an answer");
                self.check_line(&line);
            }
            self.delays.push(sent.elapsed().as_micros());
        }
    }
}

/// Returns whether a line belongs to a running search, count or benchmark.
fn is_job_output(line: &str) -> bool {
    let is_count = line.split_once(": ").is_some_and(|(mv, count)| {
        mv != "Key" && !mv.contains(' ') && count.parse::<u64>().is_ok()
    });
    line.starts_with("info depth ")
        || line.starts_with("info string proven")
        || line.starts_with("NPS: ")
        || line.ends_with(" nps")
        || is_count
}

/// Runs a UGI session of random commands. Returns the delays of answers after `stop`, in
/// microseconds.
fn run_ugi_session(seed: u64, commands: usize, is_measured: bool) -> Vec<u128> {
    let _context = FailureContext(format!("session {seed}"));
    TestSession::new(seed).run(commands, is_measured)
}

#[test]
fn answers_every_command_as_without_searches() {
    runner::run(0, 80, |seed| {
        run_ugi_session(seed, 40, false);
        1
    });
}

/// Runs twenty thousand sessions of up to 100 commands each. TORTURE_SESSIONS sets another number,
/// and TORTURE_SEED the first session. Prints the time from `stop` to the last answer: `cargo test
/// --release --test all interleaving::answers_every_command_in_many -- --ignored --nocapture`
#[test]
#[ignore = "20000 sessions: minutes"]
fn answers_every_command_in_many_sessions() {
    let seed = runner::number_from_env("TORTURE_SEED", 1_000_000);
    let sessions = runner::number_from_env("TORTURE_SESSIONS", 20_000);
    let delays = Arc::new(Mutex::new(Vec::new()));
    let all = delays.clone();
    let begun = Instant::now();
    runner::run(seed, sessions as usize, move |seed| {
        let measured = run_ugi_session(seed, 20 + seed as usize % 80, true);
        all.lock().unwrap().extend(measured);
        1
    });
    let mut delays = delays.lock().unwrap();
    delays.sort_unstable();
    let share = |per_mille: usize| delays[(delays.len() - 1) * per_mille / 1000] as f64 / 1000.0;
    let late = delays.iter().filter(|&&delay| delay > 20_000).count();
    println!("{sessions} sessions from {seed} on in {} s", begun.elapsed().as_secs());
    println!("{} times 'stop': the last answer after {:.3} ms (median),", delays.len(), share(500));
    println!(
        "{:.3} (90 %), {:.3} (99 %), {:.3} (99.9 %), {:.3} at most;",
        share(900),
        share(990),
        share(999),
        share(1000)
    );
    println!("{late} times after more than 20 ms");
}

/// Returns random GTP commands that belong together. An empty list stands for an interruption.
fn random_gtp_lines(rng: &mut Rng) -> Vec<String> {
    let colour: &str = rng.choice(["b", "w"]).unwrap();
    match rng.u8(..24) {
        0..3 => vec!["legal_moves".into(), "reg_genmove".into()],
        3..6 => vec!["legal_moves".into(), "genmove_text".into()],
        6..12 => {
            let questions =
                ["side_to_move", "legal_moves"].map(|word| format!("gogui-rules_{word}"));
            [&questions[..], &[format!("genmove {colour}")]].concat()
        }
        12 => vec!["undo".into()],
        13 => vec!["clear_board".into()],
        14 => vec![format!("set_game {}", rng.choice(all_game_words()).unwrap())],
        15 => {
            vec![format!("time_settings {} {} {}", rng.u32(..2000), rng.u8(..3), rng.u8(..3))]
        }
        16 => vec![format!("time_left {colour} {} {}", rng.u32(..3), rng.u8(..3))],
        17 => {
            vec![format!("play {colour} {}", rng.choice(["A1", "E5", "pass", "Z1"]).unwrap())]
        }
        18 => vec!["final_score".into(), "showboard".into(), "gogui-rules_board_gfx".into()],
        _ => Vec::new(),
    }
}

/// Runs a GTP session of random commands. They interrupt searches at any time. Each command has one
/// answer, and the answers are in order. Each move was legal just before it was made, or it is a
/// pass of the colour that waits.
fn run_gtp_session(seed: u64, commands: usize) {
    let _context = FailureContext(format!("session {seed} in GTP"));
    let mut rng = Rng::with_seed(seed);
    let game = *rng.choice(all_game_words()).unwrap();
    let mut client =
        Client::in_process_with(Dialect::Gtp, &[&format!("Game={game}"), "Level=master", "Hash=1"]);
    let mut sent: Vec<String> = Vec::new();
    for _ in 0..commands {
        let lines = random_gtp_lines(&mut rng);
        if lines.is_empty() {
            client.send("# interrupt");
        }
        for line in lines {
            client.send(&format!("{} {line}", sent.len()));
            sent.push(line);
        }
        if rng.u8(..4) == 0 {
            thread::sleep(Duration::from_micros(rng.u64(..2000)));
        }
    }
    let mut end = "# interrupt".to_string();
    if rng.bool() {
        // The last lines are sent together, because the program may ignore lines after `quit`.
        end += &format!("\n{} quit\nname", sent.len());
        sent.push("quit".into());
    }
    client.send(&end);
    let (lines, _) = client.finish();
    // The other lines belong to the answer before them.
    let answers: Vec<&String> = lines.iter().filter(|line| line.starts_with(['=', '?'])).collect();
    assert_eq!(answers.len(), sent.len(), "{answers:#?}");
    let mut legal: Vec<String> = Vec::new();
    let mut to_move = "";
    for (number, (command, answer)) in sent.iter().zip(answers).enumerate() {
        assert!(!answer.contains("fault of the program"), "{command}: {answer}");
        let rest = answer[1..]
            .strip_prefix(&number.to_string())
            .filter(|rest| rest.is_empty() || rest.starts_with(' '));
        let text = rest.unwrap_or_else(|| panic!("{number} {command}: {answer}")).trim_start();
        if command.ends_with("side_to_move") {
            to_move = &text[..1];
        } else if command.ends_with("legal_moves") {
            legal = text.split_whitespace().map(str::to_ascii_uppercase).collect();
        } else if command.contains("genmove") && answer.starts_with('=') {
            let waits = command.strip_prefix("genmove ").is_some_and(|colour| colour != to_move);
            let is_legal = !waits && legal.contains(&text.to_ascii_uppercase());
            let is_legal = is_legal || (waits || legal.is_empty()) && text == "PASS";
            assert!(is_legal, "{number} {command}: {answer} of {legal:?}");
        }
    }
}

#[test]
fn answers_every_gtp_command_in_order() {
    runner::run(0, 100, |seed| {
        run_gtp_session(seed, 40);
        1
    });
}

/// Runs five thousand sessions. TORTURE_SESSIONS sets another number, and TORTURE_SEED the first
/// session: `cargo test --release --test all interleaving::answers_all_gtp -- --ignored
/// --nocapture`
#[test]
#[ignore = "5000 sessions: minutes"]
fn answers_all_gtp_commands_of_many_sessions() {
    let seed = runner::number_from_env("TORTURE_SEED", 1_000_000);
    let sessions = runner::number_from_env("TORTURE_SESSIONS", 5_000);
    let begun = Instant::now();
    runner::run(seed, sessions as usize, |seed| {
        run_gtp_session(seed, 60);
        1
    });
    println!("{sessions} sessions from {seed} on in {} s", begun.elapsed().as_secs());
}
