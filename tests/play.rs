//! Games at the terminal. Transcripts are played through pipes. A pseudo-terminal tests the
//! behaviour that only a terminal shows.

use std::fs;
use std::path::Path;

use crate::client::{matches_pattern, program, run, settings_of};
use crate::common::temporary::Folder;
use crate::pages::pages;

/// Plays a transcript of `pentarch play`. Its line `$ ...` has the arguments. Lines that begin with
/// `> ` are typed. Lines that begin with `< ` are the complete output. In such a line, `...`
/// matches any text. If the line is only `...`, it matches any lines up to the next expected line.
fn play_transcript(text: &str, place: &str) {
    let typed: String =
        text.lines().filter_map(|line| Some(format!("{}\n", line.strip_prefix("> ")?))).collect();
    // The folder contains no solved problems yet.
    let folder = Folder::new("play");
    let mut command = program(settings_of(text));
    command
        .env("XDG_STATE_HOME", folder.path())
        .env("LOCALAPPDATA", folder.path())
        .env("HOME", folder.path());
    let (out, err, code) = run(command, typed);
    assert_eq!((err.as_str(), code), ("", Some(0)), "{place}");
    let mut shown = out.lines();
    let mut skips = false;
    for expected in text.lines().filter_map(|line| line.strip_prefix('<')) {
        let expected = expected.strip_prefix(' ').unwrap_or(expected);
        if expected == "..." {
            skips = true;
            continue;
        }
        let found =
            if skips { shown.find(|line| matches_pattern(expected, line)) } else { shown.next() };
        assert!(
            found.is_some_and(|line| matches_pattern(expected, line)),
            "{place}: expected {expected:?}, found {found:?} in\n{out}"
        );
        skips = false;
    }
    assert!(skips || shown.next().is_none(), "{place}: more was shown than expected:\n{out}");
    assert!(
        out.lines().all(|line| line.chars().count() <= 80),
        "{place}: a line is wider than 80 columns:\n{out}"
    );
    assert!(out.is_ascii(), "{place}: a terminal without Unicode cannot show this:\n{out}");
}

/// For each game there is a transcript of a whole game. There are also other transcripts.
#[test]
fn terminal_transcripts_match() {
    let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let mut played = 0;
    for entry in fs::read_dir(games).unwrap() {
        let folder = entry.unwrap().path();
        let files = fs::read_dir(&folder).unwrap().map(|file| file.unwrap().path());
        let transcripts: Vec<_> =
            files.filter(|path| path.extension().is_some_and(|ending| ending == "play")).collect();
        assert!(
            !transcripts.is_empty() || folder.ends_with("protocol"),
            "{} has no whole.play",
            folder.display()
        );
        for path in &transcripts {
            play_transcript(&fs::read_to_string(path).unwrap(), &path.display().to_string());
        }
        played += transcripts.len();
    }
    assert!(played >= 5);
}

/// The games on the documentation pages match the output.
#[test]
fn documented_examples_match_the_output() {
    let mut played = 0;
    for page in pages() {
        for block in page.blocks().into_iter().filter(|block| block.mark == "play") {
            play_transcript(&block.text, &format!("{}, example at line {}", page.name, block.line));
            played += 1;
        }
    }
    assert!(played > 0);
}

#[test]
fn rejects_unknown_arguments() {
    let check_rejected = |arguments: &[&str], why: &str| {
        let (out, err, code) = run(program([&["play"], arguments].concat()), "");
        assert!(
            out.is_empty() && err.contains(why) && code == Some(2),
            "{arguments:?}: {out}{err}"
        );
    };
    check_rejected(&[], "which game? 'pentarch play GAME', one of alcaxar, alquerque");
    check_rejected(&["quorridor"], "there is no game 'quorridor' (did you mean 'quoridor'?)");
    check_rejected(&["Kb6"], "'play' takes a game, and you type moves once it has begun");
    check_rejected(
        &["quoridor", "--game", "bushka"],
        "the game is named twice: by --game, and as a word",
    );
    check_rejected(
        &["quoridor", "--set", "Game=bushka"],
        "the game is named twice: as a word, and by --set",
    );
    check_rejected(
        &["--game", "quoridor", "--set", "uci_variant=bushka"],
        "the game is named twice: by --game, and by --set",
    );
    check_rejected(
        &["quoridor", "--side", "red"],
        "--side takes white, black, both, none or random, not 'red'",
    );
    check_rejected(
        &["quoridor", "--side", "team1"],
        "--side takes white, black, both, none or random, not 'team1'",
    );
    check_rejected(&["quoridor", "--set", "Quoridor_Wals=3"], "(did you mean 'Quoridor_Walls'?)");
    check_rejected(&["quoridor", "--level", "bad"], "bad");
    check_rejected(&["quoridor", "--seconds", "0"], "expected a whole number from 1 to 86400");
}

/// In a pipe, an empty line follows the board, and no line of the help is wrapped.
#[test]
fn exercises_keep_their_form_in_pipes() {
    let play = |kind: &str| {
        let command = ["play", "roses", "--no-state", kind];
        run(program(command), "help\nquit\n").0
    };
    let problems = play("--problems");
    assert!(problems.contains("\n\nBlack is to move and wins in one move.\n"), "{problems}");
    let drills = play("--drills");
    let hint =
        "  hint       the number of moves that hold the win or draw; again for one of them\n";
    assert!(drills.contains(hint) && drills.contains("\n\nBlack is to move and "), "{drills}");
}

#[test]
fn saves_and_resumes_games() {
    let folder = Folder::new("play-save");
    let file = folder.file("my game");
    // Long sentences are wrapped.
    let play = |typed: &str| {
        run(program(["play", "quoridor", "--side", "both"]), typed).0.replace("\n  ", " ")
    };
    let saved = play(&format!("e2\ne8\nsave {file}\nsave {file}\nresign\n"));
    assert!(saved.contains("'load' with this name continues it."), "{saved}");
    assert!(saved.contains("there already"), "a file that exists is not touched: {saved}");
    let loaded = play(&format!("load {file}\nboard\nload {file}.not\n"));
    assert!(loaded.contains("Last move: e8\nWhite is to move."), "{loaded}");
    assert!(loaded.contains("No such file"), "{loaded}");
}

/// If four people play in two teams, a team is chosen for its two players.
#[test]
fn person_plays_for_a_team() {
    let four = ["play", "quoridor", "--set", "Quoridor_Players=4", "--set", "Quoridor_Teams=true"];
    let (out, err, code) = run(
        program(four.into_iter().chain(["--side", "team1", "--level", "1"])),
        "side\nside team2\nside x\n",
    );
    assert_eq!((err.as_str(), code), ("", Some(0)));
    let out = out.replace("\n  ", " ");
    assert!(
        out.contains("player1: you, player2: the engine, player3: you, player4: the engine."),
        "{out}"
    );
    assert!(
        out.contains("player1: the engine, player2: you, player3: the engine, player4: you."),
        "{out}"
    );
    assert!(out.contains("all, none, random, team1 or team2"), "{out}");
}

/// The clock of the player to move runs. A person or an engine that has no time left loses the
/// game.
#[test]
fn clock_decides_the_game() {
    let play = |side: &str| {
        let clock = ["play", "roses", "--side", side, "--level", "1", "--clock", "0.000000001,5+3"];
        run(program(clock), "d3\nundo\nquit\n")
    };
    for side in ["both", "none"] {
        let (out, err, code) = play(side);
        assert_eq!((err.as_str(), code), ("", Some(0)), "{out}");
        assert!(out.contains("White has no time left.\n"), "{out}");
        assert!(out.contains("Black has won: white's time has run out.\n"), "{out}");
    }
    let check_rejected = |arguments: &[&str], why: &str| {
        let (_, err, code) = run(program([&["play", "quoridor"], arguments].concat()), "");
        assert!(err.contains(why) && code == Some(2), "{arguments:?}: {err}");
    };
    check_rejected(
        &["--clock", "0+3"],
        "expected minutes up to 1440 and seconds up to 3600, such as 5+3",
    );
    check_rejected(
        &["--clock", "1,2,3"],
        "--clock: expected one time, or one for each of 2 players, not 3",
    );
    check_rejected(
        &["--clock", "5", "--set", "Quoridor_Players=4"],
        "--clock: these rules have no loss on time",
    );
}

/// The player tries the turning point again until the player finds a good move. The messages are
/// the same as for problems.
#[test]
fn practises_turning_points() {
    let game = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/roses/castle.record");
    let typed = "practise\nhint\nhint\nzz9\na1a2\nsolution\ne4d4\nagain\ne4d4\nnext\npractise\nquit\nundo\n";
    let arguments = ["play", "--load", game, "--side", "white"];
    let (out, err, code) = run(program(arguments), typed);
    assert_eq!((err.as_str(), code), ("", Some(0)));
    let out = out.replace("\n  ", " ");
    for told in [
        "Turning point 1 of 1: 8. c2b2?? cost white 44 % of the chances. White is to move: what is better?",
        "Look among the ",
        "It is one of these: ",
        "The best move was e4d4. The game may continue: ",
        "'zz9' is neither a move nor a command",
        "'a1a2' is illegal: ",
        "The best move was shown: 'next' continues.",
        "You have found 0 of 1. The game is unchanged.",
        "Last move: ",
    ] {
        assert!(out.contains(told), "{told}: {out}");
    }
    assert_eq!(out.matches("Turning point 1 of 1").count(), 3, "{out}");
    assert_eq!(out.matches("The best move was shown").count(), 2, "{out}");
    let (out, ..) = run(program(["play", "roses", "--side", "both"]), "practise\n");
    assert!(out.contains("There is no move to review."), "{out}");
}

/// A saved game is resumed from the command line and reviewed. Then it is tried again from its
/// turning point.
#[test]
fn reviews_a_game_and_tries_it_again() {
    let game = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/roses/castle.record");
    let typed = "retry\nreview\nretry 2\nretry 1\nredo\nreview\nnew\nretry\nreview\n";
    let arguments = ["play", "--load", game, "--side", "both"];
    let (out, err, code) = run(program(arguments), typed);
    assert_eq!((err.as_str(), code), ("", Some(0)));
    let out = out.replace("\n  ", " ");
    assert_eq!(
        out.matches("Review the game first, with 'review'.").count(),
        2,
        "at first, and in a new game: {out}"
    );
    assert!(
        out.contains("turning point: 8. c2b2 cost white 44 % of the chances; best was e4d4\n"),
        "{out}"
    );
    assert!(out.contains("\n 1  8. c2b2?? cost white 44 % of the chances; best was e4d4"), "{out}");
    assert!(out.contains("'retry' takes the number of a turning point, from 1 to 1.\n"), "{out}");
    assert!(out.contains("Last move: d5d3\nWhite is to move.\n"), "{out}");
    assert!(out.contains("There is nothing to redo.\n"), "{out}");
    assert!(
        out.contains("white  accuracy 100 %") && out.contains("There is no move to review."),
        "{out}"
    );
    let (_, err, code) = run(program(["play", "--load", "no such file"]), "");
    assert!(err.starts_with("pentarch: 'no such file': ") && code == Some(1), "{err}");
}

/// A level has a name and a number. A move that was taken back can be made again. A resignation
/// that was taken back can also be repeated.
#[test]
fn chooses_levels_and_replays_endings() {
    let play = |typed: &str| {
        run(program(["play", "quoridor", "--side", "white"]), typed).0.replace("\n  ", " ")
    };
    let levels = play("level 3\nlevel mas\nlevel\nlevel be st\n");
    assert!(
        levels.contains("at the level 'learner'.\n") && levels.contains("at the level 'master'.\n"),
        "{levels}"
    );
    assert!(levels.contains("Weakest first: 1 beginner, 2 novice, "), "{levels}");
    assert!(levels.contains("Expected a number from 1 to 11, or beginner, novice, "), "{levels}");
    let ends = play("resign\nundo\nredo\nundo\n");
    assert_eq!(ends.matches("Black has won: white has resigned.").count(), 2, "{ends}");
    assert_eq!(ends.matches("White is to move.").count(), 3, "{ends}");
}

/// The engine plays against itself to the end without any input.
#[test]
fn plays_the_engine_against_itself() {
    let arguments = ["play", "roses", "--side", "none", "--level", "beginner", "--pace", "3600"];
    // In a pipe, the engine takes no time for its pace.
    let (out, ..) = run(program(arguments), "");
    let last = out.lines().rev().nth(1).unwrap_or_default();
    assert!(last.contains(" has won: ") || last.contains("drawn: "), "{out}");
}

/// The level `auto` follows the results, each of which counts once. A game that is loaded after its
/// end does not count, nor does a game without moves.
#[test]
fn automatic_level_follows_the_results() {
    let folder = Folder::new("auto-level");
    let moves = "1. e2 e8 2. e3 e7 3. e4 e6 4. d4 d6 5. d5 c6 6. d6 c5 7. d7 c4 8. d8 c3";
    let unfinished = folder.file("unfinished");
    fs::write(&unfinished, format!("[Game \"quoridor\"]\n{moves} *\n")).unwrap();
    let play = |typed: &str| {
        let arguments = ["play", "--side", "white", "--level", "auto", "--load", &unfinished];
        run(program(arguments), typed).0.replace("\n  ", " ")
    };
    let load = format!("load {unfinished}\n");
    let won = play(&format!("d9\nundo\nd9\n{load}d9\nload {unfinished}\nresign\nlevel\n"));
    let said: Vec<&str> = won.lines().filter(|line| line.contains("next game")).collect();
    assert_eq!(
        said,
        [
            "You won: the next game is a little harder. Level: auto, now between beginner and novice.",
            "You won: the next game is a little harder. Level: auto, now novice. You 2, the engine 0.",
            "You lost: the next game is a little easier. Level: auto, now between beginner and \
             novice. You 2, the engine 1.",
        ],
        "{won}"
    );
    assert!(won.contains("Level: auto, now between beginner and novice. Weakest first: "), "{won}");
    let unplayed = play("new\nresign\n");
    assert!(
        unplayed.contains("white has resigned") && !unplayed.contains("next game"),
        "{unplayed}"
    );
    let chosen = play("level casual\nresign\n");
    assert!(
        chosen.contains("at the level 'casual'.\n") && !chosen.contains("next game"),
        "{chosen}"
    );
}

/// A balanced opening is one of the game's list. A seed repeats it.
#[test]
fn balanced_opening_is_in_the_list() {
    let play = |arguments: &[&str]| {
        let base = ["play", "roses", "--side", "both", "--fair", "balanced"];
        run(program([&base, arguments].concat()), "record\n").0.replace("\n  ", " ")
    };
    let list = include_str!("../src/crates/roses/openings/roses.txt");
    let said = play(&[]);
    let moves = said.split_once("A balanced opening: ").unwrap().1.split_once('.').unwrap().0;
    assert!(list.lines().any(|line| line == format!("startpos moves {moves}")), "{said}");
    assert!(said.contains("[Fen \""), "{said}");
    assert_eq!(play(&["--set", "Seed=7"]), play(&["--set", "Seed=7"]));
}

/// A start that the rules or the players do not allow is an error, which lists the handicaps.
#[test]
fn rejects_impossible_starts() {
    let check = |arguments: &[&str], why: &str| {
        let (out, err, code) = run(program([&["play"], arguments].concat()), "");
        assert!(out.is_empty() && code == Some(2) && err.contains(why), "{out}{err}");
    };
    check(&["quoridor", "--handicap", "9"], "3 (you have 10 walls, the engine 4)");
    check(&["roses", "--handicap", "1"], "there are no handicaps under these rules");
    check(&["bushka", "--handicap", "1", "--side", "both"], "a person against the engine");
    let small = ["quoridor", "--set", "Quoridor_BoardSize=5", "--fair", "balanced"];
    check(&small, "there are no balanced openings under these rules");
    let four = ["quoridor", "--set", "Quoridor_Players=4", "--fair", "swap"];
    check(&four, "only two players can swap sides");
    check(&["roses", "--pace", "slow"], "expected natural, instant, or a number of seconds");
}

/// A swap of sides is taken back before the move that it follows, and belongs to its game.
#[test]
fn undo_takes_back_a_swap() {
    let folder = Folder::new("play-swap");
    let [empty, short] = ["empty", "short"].map(|name| folder.file(name));
    std::fs::write(&empty, "[Game \"quoridor\"]\n*").unwrap();
    std::fs::write(&short, "[Game \"quoridor\"]\n1. e2 *").unwrap();
    let arguments = ["play", "quoridor", "--fair", "swap", "--side", "both", "--clock", "30+3600"];
    let play = |typed: &str| run(program(arguments), typed).0;
    let offers = |typed: &str| play(typed).matches("You may take over white").count();
    assert_eq!(offers("e2\nswap\n"), 1);
    assert_eq!(offers("e2\nswap\nundo\n"), 2, "the second player gets the choice again");
    assert_eq!(offers("e2\nswap\nundo\nredo\n"), 2);
    assert_eq!(offers("e2\nswap\nundo\nundo\nd1\n"), 3, "another first move");
    // The increment of the first move follows its player, who has about 90 minutes.
    let clocks = play("e2\nswap\nclock\nundo\nclock\n");
    let times: Vec<&str> =
        clocks.lines().filter(|line| line.starts_with("The time left")).collect();
    let has_90 = |side: &str, line: &str| {
        [89, 90].iter().any(|minutes| line.contains(&format!("{side} {minutes}:")))
    };
    assert!(has_90("black", times[0]) && has_90("white", times[1]), "{clocks}");
    let other = play(&format!("e2\nswap\nload {empty}\nundo\n"));
    assert!(other.contains("You have made no move yet."), "{other}");
    let other = play(&format!("e2\nswap\nload {short}\nundo\nundo\n"));
    assert!(other.contains("You have made no move yet."), "{other}");
}

#[test]
fn record_has_the_signs_of_typed_moves() {
    let input = "Kb6≠\nKh4#!\nrecord\n";
    let (out, ..) = run(program(["play", "alcaxar", "--side", "both"]), input);
    assert!(out.ends_with("1. Kb6≠ Kh4#! *\n"), "{out}");
}

#[test]
fn shows_known_values() {
    let (out, ..) = run(program(["play", "alcaxar", "--side", "both"]), "known\nKb6\nknown\n");
    assert!(out.contains("The value of this position is not known."), "{out}");
    assert!(out.contains("Known: green wins in at most 1 ply (rules)."), "{out}");
}

#[cfg(unix)]
mod on_a_terminal {
    use std::fs::File;
    use std::io::{Read, Write};
    use std::process::{Child, Command, Stdio};
    use std::sync::mpsc::{Receiver, channel};
    use std::thread;
    use std::time::{Duration, Instant};

    use nix::pty::{Winsize, openpty};
    use nix::sys::signal::{Signal, kill};
    use nix::unistd::Pid;

    use crate::client::PENTARCH;
    use pentarch_engine::games::all_game_words;

    use crate::common::temporary::Folder;

    /// The program at a pseudo-terminal, by default of 80 columns.
    struct Screen {
        keyboard: File,
        /// The program's side of the terminal. While it is open, no output is lost when the program
        /// ends.
        terminal: File,
        shown: Receiver<String>,
        child: Child,
        /// The complete output so far.
        text: String,
    }

    /// Shown by `finish` after the output of the program.
    const END: char = '\x1c';

    /// A time limit that is never reached, even on a busy machine.
    const PATIENCE: Duration = Duration::from_secs(300);

    impl Screen {
        fn start(arguments: &[&str], variables: &[(&str, &str)]) -> Screen {
            let size = Winsize { ws_row: 24, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0 };
            Screen::start_with_size(size, arguments, variables)
        }

        fn start_with_size(
            size: Winsize,
            arguments: &[&str],
            variables: &[(&str, &str)],
        ) -> Screen {
            let pty = openpty(Some(&size), None).unwrap();
            let stream = || Stdio::from(pty.slave.try_clone().unwrap());
            let mut command = Command::new(PENTARCH);
            command.args(arguments);
            // The tests do not wait for the pace of the engine.
            let other_paces = ["--problems", "--drills", "--pace"];
            if arguments.first() == Some(&"play")
                && !arguments.iter().any(|word| other_paces.contains(word))
            {
                command.args(["--pace", "instant"]);
            }
            command.stdin(stream()).stdout(stream()).stderr(stream());
            command.env("TERM", "xterm").env_remove("NO_COLOR").env_remove("RUST_LOG");
            command.env("PENTARCH_STATE", "off").env("PAGER", "");
            let child = command.envs(variables.iter().copied()).spawn().unwrap();
            drop(command);
            let (keyboard, terminal) = (File::from(pty.master), File::from(pty.slave));
            let mut screen = keyboard.try_clone().unwrap();
            let (sender, shown) = channel();
            thread::spawn(move || {
                let mut bytes = Vec::new();
                let mut buffer = [0; 4096];
                while let Ok(count @ 1..) = screen.read(&mut buffer) {
                    bytes.extend(&buffer[..count]);
                    // The rest of the last character may not have arrived.
                    let complete = match str::from_utf8(&bytes) {
                        Err(error) if error.error_len().is_none() => error.valid_up_to(),
                        _ => bytes.len(),
                    };
                    let complete: Vec<u8> = bytes.drain(..complete).collect();
                    if sender.send(String::from_utf8_lossy(&complete).into_owned()).is_err() {
                        return;
                    }
                }
            });
            Screen { keyboard, terminal, shown, child, text: String::new() }
        }

        fn press(&mut self, keys: &str) {
            self.keyboard.write_all(keys.as_bytes()).unwrap();
        }

        /// Waits until `what` is shown. Output for which earlier calls have waited does not count.
        /// Returns the number of line ends before it.
        fn expect(&mut self, what: &str) -> usize {
            let until = Instant::now() + PATIENCE;
            while !self.text.contains(what) {
                match self.shown.recv_timeout(Duration::from_millis(100)) {
                    Ok(text) => self.text += &text,
                    Err(_) => {
                        let ended = self.child.try_wait().unwrap().is_some();
                        let waiting = !ended && Instant::now() < until;
                        assert!(waiting, "{what:?} was not shown after:\n{}", self.text);
                    }
                }
            }
            let at = self.text.find(what).unwrap() + what.len();
            let passed: String = self.text.drain(..at).collect();
            passed.matches('\n').count()
        }

        /// Waits for the end of the program. Returns its exit code and the rest of its output.
        fn finish(mut self) -> (Option<i32>, String) {
            let code = self.child.wait().unwrap().code();
            write!(self.terminal, "{END}").unwrap();
            while !self.text.ends_with(END) {
                self.text += &self.shown.recv_timeout(PATIENCE).unwrap();
            }
            self.text.pop();
            (code, std::mem::take(&mut self.text))
        }
    }

    impl Drop for Screen {
        fn drop(&mut self) {
            // If the test has not failed, the program has already ended.
            let _ = self.child.kill();
        }
    }

    /// The keys of a move are its notation and Enter.
    #[test]
    fn asks_a_beginner_for_all_settings() {
        let mut screen = Screen::start(&["play"], &[]);
        screen.expect("Which game?");
        screen.expect("> ");
        screen.press("nonsense\r");
        screen.expect("Expected a number from 1 to 5");
        screen.press("al\r");
        screen.expect("'al' can be alcaxar or alquerque");
        screen.press("quor\r");
        screen.expect("Which side do you play?");
        screen.press("\r");
        screen.expect("How strong is the engine?");
        screen.press("1\r");
        screen.expect("White is to move.");
        screen.expect("white> ");
        screen.press("e2\r");
        screen.expect("\x1b[36;7mW\x1b[0m");
        screen.expect("Black plays ");
        screen.expect("white> ");
        // Tab completes a word.
        screen.press("und\t\r");
        screen.expect("White is to move.");
        screen.expect("white> ");
        // Ctrl-C cancels a line. Ctrl-D leaves the program.
        screen.press("resi\x03");
        screen.expect("white> ");
        screen.press("\x04");
        assert_eq!(screen.finish().0, Some(0));
    }

    /// Lines that are typed or pasted at once are executed one after another: the answers to the
    /// first questions, moves, and moves while the engine thinks. A byte that is not UTF-8 is an
    /// invalid move.
    #[test]
    fn executes_lines_that_are_typed_ahead() {
        let mut screen = Screen::start(&["play"], &[]);
        screen.expect("Which game?");
        screen.press("quor\rboth\re2\re8\re3\r");
        screen.expect("Last move: e3");
        screen.press("e7\rside white\r");
        screen.expect("Last move: e7");
        screen.keyboard.write_all(b"\xe9\r").unwrap();
        screen.expect("is neither a move nor a command");
        // The engine may reply with any move, so only these lines are always valid.
        screen.press("level 1\re4\rundo\r");
        screen.expect("Black plays ");
        screen.expect("Last move: e7");
        screen.press("quit\r");
        assert_eq!(screen.finish().0, Some(0));
    }

    /// A file that this session has saved is replaced. Another file is not touched.
    #[test]
    fn saves_a_game_again() {
        let folder = Folder::new("play-save-again");
        let mine = folder.file("mine");
        let other = folder.file("other");
        std::fs::write(&other, "something else").unwrap();
        let mut screen = Screen::start(&["play", "quoridor", "--side", "both"], &[]);
        screen.press(&format!("save {mine}\re2\rsave {mine}\rsave {other}\r"));
        screen.expect("There is already a file ");
        screen.press("quit\r");
        assert_eq!(screen.finish().0, Some(0));
        assert!(std::fs::read_to_string(&mine).unwrap().contains("1. e2"));
        assert_eq!(std::fs::read_to_string(&other).unwrap(), "something else");
    }

    /// A game survives the end of the program, even by SIGKILL. Two sessions never have the same
    /// game. A damaged file does not prevent a game.
    #[test]
    fn continues_the_game_after_a_kill() {
        let folder = Folder::new("play-store");
        let variables = [
            ("PENTARCH_STATE", "on"),
            ("XDG_STATE_HOME", folder.path().to_str().unwrap()),
            ("LOCALAPPDATA", folder.path().to_str().unwrap()),
            ("HOME", folder.path().to_str().unwrap()),
            ("NO_COLOR", "1"),
        ];
        let mut screen = Screen::start(&["play", "quoridor", "--side", "both"], &variables);
        screen.press("e2\re8\r");
        screen.expect("Last move: e8");
        screen.child.kill().unwrap();
        assert_eq!(screen.finish().0, None);
        let mut screen = Screen::start(&["play"], &variables);
        screen.expect("Continue your game of Quoridor after 2 moves");
        screen.press("\r");
        screen.expect("Last move: e8");
        screen.press("e3\r");
        screen.expect("Last move: e3");
        // Another session cannot take this game. Its own game is the first of its kind.
        let (code, text) = Screen::start(&["play", "--resume"], &variables).finish();
        assert!(code != Some(0) && text.contains("another run of the"), "{text}");
        let mut other = Screen::start(&["play"], &variables);
        other.expect("1. quoridor");
        other.press("roses\r");
        other.expect("This is your first game of Guerre des Deux Roses");
        other.press("no\rboth\rd3\r");
        other.expect("Last move: d3");
        other.expect("black> ");
        other.press("\x03");
        other.expect("'quit' or Ctrl-D leaves the game.");
        other.expect("black> ");
        other.press("\x04");
        let (code, text) = other.finish();
        assert_eq!(code, Some(0));
        assert!(text.contains("'pentarch play --resume' continues it"), "{text}");
        screen.press("quit\r");
        assert_eq!(screen.finish().0, Some(0));
        let games = std::fs::read_dir(folder.path().join("pentarch").join("games")).or_else(|_| {
            std::fs::read_dir(
                folder.path().join("Library/Application Support").join("pentarch/games"),
            )
        });
        let file = games.unwrap().next().unwrap().unwrap().path();
        std::fs::write(file.with_file_name("9.record"), "damaged").unwrap();
        let (code, text) = Screen::start(&["play", "--list"], &variables).finish();
        assert!(code == Some(0) && text.contains("it is not a stored game"), "{text}");
        assert!(text.contains(" 1  roses         1 move  unfinished  white,black"), "{text}");
        assert!(text.contains(" 2  quoridor     3 moves  unfinished  white,black"), "{text}");
        // The list shows no control characters of a stored file.
        let changed = "% side=\x1b[31m level=x\n[Game \"bushka\"]\n*\n";
        std::fs::write(file.with_file_name("8.record"), changed).unwrap();
        let run = |arguments: &[&str]| {
            let (_, text) = Screen::start(&[&["play"], arguments].concat(), &variables).finish();
            text.replace("\r\n", " ")
        };
        let text = run(&["--list", "bushka"]);
        assert!(text.contains("\\u{1b}[31m, x,") && !text.contains("\x1b[31m"), "{text}");
        assert!(!text.contains("roses"), "{text}");
        let text = run(&["--resume", "1"]);
        assert!(text.contains("8.record': Level takes"), "{text}");
        let text = run(&["quoridor", "--resume", "1"]);
        assert!(text.contains("it is a game of bushka, not quoridor"), "{text}");
        let text = run(&["--resume", "--set", "Quoridor_Walls=3"]);
        assert!(text.contains("a stored game has its own rules"), "{text}");
        let mut screen = Screen::start(&["play", "quoridor"], &variables);
        screen.expect("Continue your game of Quoridor after 3 moves");
        screen.press("quit\r");
        assert_eq!(screen.finish().0, Some(0));
        let mut screen = Screen::start(&["play", "quoridor", "--resume"], &variables);
        screen.expect("Last move: e3");
        screen.press("quit\r");
        assert_eq!(screen.finish().0, Some(0));
        let mut screen = Screen::start(&["play", "--no-state"], &variables);
        screen.expect("> ");
        screen.press("quit\r");
        let (_, text) = screen.finish();
        assert!(!text.contains("Continue"), "{text}");
    }

    /// The newest stored game at the level `auto` has the level of the next game of its kind.
    #[test]
    fn remembers_the_automatic_level() {
        let folder = Folder::new("play-auto");
        let path = folder.path().to_str().unwrap();
        let variables = [
            ("PENTARCH_STATE", "on"),
            ("XDG_STATE_HOME", path),
            ("LOCALAPPDATA", path),
            ("HOME", path),
            ("NO_COLOR", "1"),
        ];
        // The first game creates the folder.
        let roses = ["play", "roses", "--side", "white", "--level", "auto"];
        let mut screen = Screen::start(&roses, &variables);
        screen.expect("Level: auto, now beginner.");
        screen.expect("white> ");
        screen.press("d3\rresign\rquit\r");
        assert_eq!(screen.finish().0, Some(0));
        let games = folder.path().join("pentarch").join("games");
        let mac = folder.path().join("Library/Application Support").join("pentarch/games");
        let games = if games.exists() { games } else { mac };
        let file = std::fs::read_dir(games).unwrap().next().unwrap().unwrap().path();
        let text = std::fs::read_to_string(&file).unwrap();
        assert!(text.starts_with("% side=white auto=0\n"), "{text}");
        std::fs::write(&file, text.replacen("auto=0", "auto=5", 1)).unwrap();
        let mut screen = Screen::start(&roses, &variables);
        screen.expect("Level: auto, now between learner and casual.");
        screen.press("quit\r");
        assert_eq!(screen.finish().0, Some(0));
        // Another kind of game has its own level.
        let other = ["play", "bushka", "--side", "white", "--level", "auto"];
        let mut screen = Screen::start(&other, &variables);
        screen.expect("Level: auto, now beginner.");
        screen.press("quit\r");
        assert_eq!(screen.finish().0, Some(0));
    }

    /// A lesson has tasks, hints and responses. On a small screen the board loses its notes, and no
    /// line is wider than the screen. `new GAME` and `clock` work without colours and on a dumb
    /// terminal. There the editor does not notice Ctrl-C, but the program says how to leave.
    #[test]
    fn lesson_and_boards_fit_small_terminals() {
        let small = Winsize { ws_row: 15, ws_col: 40, ws_xpixel: 0, ws_ypixel: 0 };
        let variables = [("TERM", "dumb")];
        let mut screen =
            Screen::start_with_size(small, &["play", "quoridor", "--learn"], &variables);
        screen.expect("Task 1 of 7.");
        screen.expect("white> ");
        kill(Pid::from_raw(screen.child.id() as i32), Signal::SIGINT).unwrap();
        screen.expect("'quit' or Ctrl-D leaves.");
        screen.press("hint\rd1\r");
        screen.expect("Choose the square");
        screen.expect("does not solve");
        screen.press("e2\r\rquit\r");
        screen.expect("Right.");
        screen.expect("Task 2 of 7.");
        screen.expect("Which side do you play?");
        screen.press("quit\r");
        assert_eq!(screen.finish().0, Some(0));
        let clock = ["play", "quoridor", "--side", "both", "--clock", "5+3"];
        let mut screen = Screen::start_with_size(small, &clock, &variables);
        screen.press("clock\rnew ros\rmoves d3\rquit\r");
        screen.expect("white 5:00, black 5:00.");
        screen.expect("| a2  | b3  | c4  | d5  | e6  |");
        let (code, text) = screen.finish();
        assert!(code == Some(0) && text.contains("white reserve: S S S S\r\n"), "{text}");
        let wide = text.lines().find(|line| line.trim_end().chars().count() > 40);
        assert_eq!(wide, None, "{text}");
    }

    #[test]
    fn ctrl_c_ends_the_search_and_not_the_program() {
        let mut screen = Screen::start(
            &["play", "alcaxar", "--side", "green", "--level", "champion", "--seconds", "80000"],
            &[("NO_COLOR", "1")],
        );
        screen.expect("Red is to move.");
        // When the search shows its progress, it has started.
        screen.expect("Red is thinking (Ctrl-C: move now)");
        kill(Pid::from_raw(screen.child.id() as i32), Signal::SIGINT).unwrap();
        screen.expect("Red plays ");
        screen.expect("green> ");
        assert!(!screen.text.contains("\x1b[7m"), "no colour was asked for: {}", screen.text);
        screen.press("quit\r");
        assert_eq!(screen.finish().0, Some(0));
    }

    /// The first move may take long.
    #[test]
    fn review_shows_progress_before_its_first_move() {
        let folder = Folder::new("review-progress");
        let file = folder.file("game");
        std::fs::write(&file, "[Game \"quoridor\"]\n1. e2 e8 *\n").unwrap();
        let mut screen = Screen::start(&["analyse", &file, "--depth", "1"], &[]);
        screen.expect("analyse: 0 of 2 moves");
        assert_eq!(screen.finish().0, Some(0));
    }

    /// Help is wrapped at the width of the terminal.
    #[test]
    fn help_fits_the_terminal_width() {
        let names = [
            "", "analyse", "arena", "diagram", "openings", "play", "prove", "rules", "tables",
            "tune",
        ];
        for name in names {
            let arguments: Vec<&str> =
                [name, "--help"].into_iter().filter(|word| !word.is_empty()).collect();
            let (code, text) = Screen::start(&arguments, &[("NO_COLOR", "1")]).finish();
            assert!(code == Some(0) && text.contains("Examples:"), "{text}");
            let wide = text.lines().find(|line| line.trim_end().chars().count() > 80);
            assert_eq!(wide, None, "{name}");
        }
    }

    /// A proof may take several hours. The person who starts it sees at once for which game it is.
    #[test]
    fn terminal_shows_the_default_game() {
        let mut screen = Screen::start(&["prove", "--nodes", "1"], &[]);
        screen.expect("the game is Alcaxar by default; --game chooses another");
        screen.finish();
    }

    /// The pace allows a person to follow a game of two engines. Ctrl-C ends the pause between two
    /// moves.
    #[test]
    fn engine_games_have_a_pace() {
        let arguments =
            ["play", "roses", "--side", "none", "--level", "beginner", "--pace", "3600"];
        let mut screen = Screen::start(&arguments, &[]);
        screen.expect("White is to move.");
        kill(Pid::from_raw(screen.child.id() as i32), Signal::SIGINT).unwrap();
        screen.expect("White plays ");
        screen.expect("The engines are paused: 'go' continues.");
        screen.press("quit\r");
        assert_eq!(screen.finish().0, Some(0));
    }

    /// A terminal of 24 lines shows the board of 11 by 11 squares, from its first line to the
    /// prompt.
    #[test]
    fn large_board_fits_a_small_terminal() {
        let mut screen = Screen::start(
            &["play", "quoridor", "--side", "both", "--set", "Quoridor_BoardSize=11"],
            &[("NO_COLOR", "1")],
        );
        screen.expect("11 | .   .   .   .   .   B   .   .   .   .   . |  11");
        screen.expect(".___W___.");
        let lines = screen.text.matches('\n').count();
        screen.expect("White is to move. 'help' lists the commands.");
        screen.expect("white> ");
        assert!(lines < 10, "{lines}");
        screen.press("column\r");
        screen.expect("'column' is neither a move nor a command: a move looks like ");
        screen.press("quit\r");
        assert_eq!(screen.finish().0, Some(0));
    }

    /// The board of every game and the hint at `help` stay visible on 24 lines, even below the move
    /// of an engine.
    #[test]
    fn every_board_fits_a_small_terminal() {
        let others = [
            &["quoridor", "--set", "Quoridor_Players=4", "--set", "Quoridor_BoardSize=11"][..],
            &["bushka", "--set", "Bushka_Board=11x9"],
            &["alquerque", "--set", "Alquerque_Ruleset=bell"],
        ];
        let all = all_game_words().iter().map(std::slice::from_ref).chain(others);
        for game in all {
            let flags = ["--side", "none", "--level", "beginner", "--pace", "3600"];
            let mut screen =
                Screen::start(&[&["play"], game, &flags].concat(), &[("NO_COLOR", "1")]);
            let help = " is to move. 'help' lists the commands.";
            screen.expect(help);
            kill(Pid::from_raw(screen.child.id() as i32), Signal::SIGINT).unwrap();
            // The number includes the end of the line before the board. It does not include the
            // prompt, which is below.
            let lines = screen.expect(help);
            assert!(lines < 24, "{game:?}: {lines}");
            screen.expect("The engines are paused: 'go' continues.");
            screen.press("quit\r");
            assert_eq!(screen.finish().0, Some(0));
        }
    }

    /// On a terminal, a summary of the rules in ten lines comes first. The clock is shown before
    /// the input.
    #[test]
    fn terminal_shows_short_rules_and_the_clock() {
        for word in all_game_words() {
            let (code, text) = Screen::start(&["rules", word, "--no-pager"], &[]).finish();
            let short: Vec<&str> =
                text.lines().take_while(|line| !line.trim().is_empty()).collect();
            assert!(code == Some(0) && (3..=10).contains(&short.len()), "{text}");
            assert!(short.iter().all(|line| line.chars().count() < 80), "{text}");
            for (word, count) in [("Aim: ", 1), ("A turn: ", 1), ("The end: ", 1)] {
                assert_eq!(
                    short.iter().filter(|line| line.starts_with(word)).count(),
                    count,
                    "{text}"
                );
            }
        }
        let mut screen =
            Screen::start(&["play", "alquerque", "--side", "both", "--clock", "90"], &[]);
        // The program asks no question about the rules.
        for part in ["light ", ":", "> "] {
            screen.expect(part);
        }
        screen.press("quit\r");
        assert_eq!(screen.finish().0, Some(0));
        let mut screen =
            Screen::start(&["play", "alquerque", "--side", "both", "--ask-rules"], &[]);
        screen.expect("By which rules?");
        screen.press("quit\r");
        assert_eq!(screen.finish().0, Some(0));
    }

    /// A reason is shown without the ids of requirements. A request shows them.
    #[test]
    fn explains_an_illegal_move_in_words() {
        let arguments =
            ["play", "alquerque", "--side", "both", "--set", "Alquerque_Ruleset=modern"];
        let mut screen = Screen::start(&arguments, &[("NO_COLOR", "1")]);
        screen.expect("light> ");
        screen.press("a1a5\r");
        screen.expect("'a1a5' is illegal: ");
        let check_rejected = screen.text.clone();
        screen.expect("light> ");
        assert!(!check_rejected.contains("REQ."), "{check_rejected}");
        screen.press("why\r");
        screen.expect("The rule is REQ.");
        screen.press("quit\r");
        assert_eq!(screen.finish().0, Some(0));
    }

    /// If there is no pager, rules are shown page by page. If no pager is wanted, they are shown at
    /// once.
    #[test]
    fn rules_are_paged() {
        let mut screen = Screen::start(&["rules", "quoridor"], &[("PAGER", "no-such-command")]);
        screen.expect("-- Enter: more, q: enough -- ");
        screen.press("q\r");
        assert_eq!(screen.finish().0, Some(0));
        let mut screen = Screen::start(&["rules", "quoridor"], &[("PAGER", "sed 's/^/shown: /'")]);
        screen.expect("shown: ");
        assert_eq!(screen.finish().0, Some(0));
        let plain = [
            (&["rules", "quoridor", "--no-pager"][..], "cat", "xterm"),
            (&["rules", "quoridor"], "", "xterm"),
        ];
        for (arguments, pager, kind) in
            plain.into_iter().chain([(&["rules", "quoridor"][..], "false", "dumb")])
        {
            let screen = Screen::start(arguments, &[("PAGER", pager), ("TERM", kind)]);
            let (code, text) = screen.finish();
            assert!(
                code == Some(0) && text.lines().count() > 100 && !text.contains("-- Enter"),
                "{text}"
            );
        }
    }

    /// Some front ends use a terminal. So `pentarch` without arguments starts a session, and one
    /// line says how to play.
    #[test]
    fn bare_program_says_how_to_play() {
        let mut screen = Screen::start(&[], &[]);
        screen.expect("'pentarch play' plays with you");
        screen.press("query game\n");
        screen.expect("response alcaxar");
        screen.press("quit\n");
        assert_eq!(screen.finish().0, Some(0));
    }
}
