//! The Go Text Protocol, as far as transcripts cannot test it. The tests check exact bytes, and two
//! programs that play the same game.

use crate::client::{Client, Dialect, program, run};
use crate::common::games_with_go_board;

/// Returns the output of the program for this input.
fn answers(input: &[u8]) -> String {
    let (out, err, code) = run(program(["--gtp"]), input);
    assert_eq!((err.as_str(), code), ("", Some(0)), "{out}");
    out
}

#[test]
fn answers_have_a_space_and_end_in_two_newlines() {
    let expect = |input: &[u8], expected: &str| assert_eq!(answers(input), expected);
    expect(b"protocol_version\n", "= 2\n\n");
    expect(
        b"clear_board\n1 clear_board\n007 nothing\n",
        "= \n\n=1 \n\n?007 unknown command 'nothing'\n\n",
    );
    expect(b"gogui-rules_board_size\r\nquit\r\nname\r\n", "= 9\n\n= \n\n");
    // The last line may have no line feed at its end. Control characters are dropped, and a tab
    // counts as a space. Comments and empty lines have no effect.
    expect(
        b"\n \n\t\n#\n# name\nna\x07me\x01#x\n\x0b8\tprotocol_\x7fversion\x00\t\r\nname",
        "= pentarch Alcaxar\n\n=8 2\n\n= pentarch Alcaxar\n\n",
    );
    expect(
        b"set_game alquerque\ngogui-rules_board\n",
        "= \n\n= O O O O O\nO O O O O\nO O . X X\nX X X X X\nX X X X X\n\n",
    );
    expect(b"", "");
}

/// In a session, each rejected command gets an answer. On the command line, the exit code reports
/// the rejection.
#[test]
fn command_line_command_has_an_exit_code() {
    let one = |words: &[&str]| run(program([&["--gtp"], words].concat()), "");
    assert_eq!(one(&["protocol_version"]), ("= 2\n\n".into(), String::new(), Some(0)));
    assert_eq!(
        one(&["nothing", "7"]),
        ("? unknown command 'nothing'\n\n".into(), String::new(), Some(2))
    );
}

#[test]
fn invalid_utf8_and_long_lines_get_one_answer() {
    let long = [b"name ".repeat(300_000), b"\nname\n".to_vec()].concat();
    for (input, count) in
        [(&b"name \xff\nname\n"[..], 2), (&long[..], 2), (b"\xf0\x9f\x8e\xb2\nname\n", 2)]
    {
        let text = answers(input);
        assert_eq!(text.matches("\n\n").count(), count, "{text}");
        assert!(text.starts_with("? ") && text.ends_with("\n\n= pentarch Alcaxar\n\n"), "{text}");
    }
}

#[test]
fn answers_contain_no_empty_line() {
    for game in games_with_go_board() {
        let mut input = format!("set_game {game}\n");
        let commands = "showboard list_commands list_games gogui-rules_board gogui-rules_board_gfx gogui-analyze_commands";
        commands.split(' ').for_each(|command| input += &format!("{command}\n"));
        let text = answers(input.as_bytes());
        assert_eq!(text.matches("\n\n").count(), 7, "{text}");
        assert!(
            text.split_terminator("\n\n")
                .all(|answer| answer.starts_with("= ") && !answer.ends_with('\n')),
            "{text}"
        );
    }
}

/// Returns all lines of the answer to a command.
fn answer(client: &mut Client, command: &str) -> String {
    client.send(command);
    // All lines of an answer come before the next answer begins.
    client.send("9 known_command");
    let mut lines = client.receive_until("?9 ");
    lines.pop();
    lines.join("\n")
}

/// Checks that two programs answer the questions of GoGui in the same way.
fn check_agreement(player: &mut Client, ruler: &mut Client, place: &str) {
    for question in ["board", "board_gfx", "legal_moves", "side_to_move", "captured_count"] {
        let question = format!("gogui-rules_{question}");
        assert_eq!(answer(player, &question), answer(ruler, &question), "{place}");
    }
    // While the game is in progress, the player may report that its time has run out. The ruler
    // knows nothing of clocks.
    let result = answer(ruler, "gogui-rules_final_result");
    if result != "= the game goes on" {
        assert_eq!(answer(player, "gogui-rules_final_result"), result, "{place}");
    }
}

/// Black is a person who clicks at random. White is the engine, which clicks one point at a time.
/// As in GoGui, the player and the ruler get every click. Sometimes the game is sent to the ruler
/// again from the beginning.
#[test]
fn player_and_ruler_stay_in_step() {
    for game in games_with_go_board() {
        let mut rng = fastrand::Rng::with_seed(11);
        let [mut player, mut ruler] =
            [(); 2].map(|()| Client::program_with(Dialect::Gtp, &[&format!("Game={game}")]));
        assert_eq!(answer(&mut player, "time_settings 0 0.01 1"), "=");
        let mut clicks: Vec<String> = Vec::new();
        for round in 0..60 {
            let legal = answer(&mut ruler, "gogui-rules_legal_moves");
            let legal: Vec<&str> = legal.split(' ').skip(1).collect();
            let Some(choice) = rng.choice(&legal) else { break };
            let side = answer(&mut ruler, "gogui-rules_side_to_move");
            let click = if side == "= black" {
                let click = format!("play b {choice}");
                assert_eq!(answer(&mut player, &click), "=", "{game}: {click}");
                click
            } else {
                let vertex = answer(&mut player, "genmove w");
                let vertex =
                    vertex.strip_prefix("= ").unwrap_or_else(|| panic!("{game}: {vertex}"));
                assert!(
                    legal.iter().any(|legal| legal.eq_ignore_ascii_case(vertex)),
                    "{game}: {vertex}"
                );
                format!("play w {vertex}")
            };
            assert_eq!(answer(&mut ruler, &click), "=", "{game}: {click}");
            clicks.push(click);
            if round % 7 == 3 {
                for client in [&mut player, &mut ruler] {
                    assert_eq!(answer(client, "undo"), "=");
                }
                clicks.pop();
            }
            if round % 5 == 0 {
                assert_eq!(answer(&mut ruler, "clear_board"), "=");
                clicks.iter().for_each(|click| {
                    assert_eq!(answer(&mut ruler, click), "=", "{game}: {click}")
                });
            }
            check_agreement(&mut player, &mut ruler, &format!("{game} after {clicks:?}"));
        }
        assert!(clicks.len() > 10, "{game}: {clicks:?}");
    }
}

/// Some tools, such as gogui-twogtp, request moves from two programs in turn, regardless of the
/// side to move. They stop when both programs have passed in turn. During a move of several clicks
/// the other side passes between the clicks.
#[test]
fn plays_whole_games_with_alternating_colours() {
    for game in games_with_go_board() {
        let settings = [&format!("Game={game}"), "Level=beginner", "RepetitionDraw=true"];
        let mut programs = [(); 2].map(|()| Client::program_with(Dialect::Gtp, &settings));
        let start = answer(&mut programs[0], "position_text");
        for program in &mut programs {
            assert_eq!(answer(program, "time_settings 0 0.01 1"), "=");
        }
        let mut count = 0;
        let mut passes = 0;
        while passes < 2 && count < 400 {
            let (at, colour) = [(0, "b"), (1, "w")][count % 2];
            let vertex = answer(&mut programs[at], &format!("genmove {colour}"));
            let vertex = vertex.strip_prefix("= ").unwrap_or_else(|| panic!("{game}: {vertex}"));
            assert_eq!(
                answer(&mut programs[1 - at], &format!("play {colour} {vertex}")),
                "=",
                "{game}: {vertex}"
            );
            passes = if vertex == "PASS" { passes + 1 } else { 0 };
            count += 1;
            for question in ["position_text", "gogui-rules_board_gfx", "gogui-rules_legal_moves"] {
                let [one, other] = [0, 1].map(|at| answer(&mut programs[at], question));
                assert_eq!(one, other, "{game}");
            }
        }
        assert!(count == 400 || answer(&mut programs[0], "final_score").starts_with('='), "{game}");
        for program in &mut programs {
            for _ in 0..count {
                assert_eq!(answer(program, "undo"), "=", "{game}");
            }
            assert_eq!(answer(program, "undo"), "? cannot undo: there is nothing to take back");
            assert_eq!(answer(program, "position_text"), start);
        }
    }
}

#[test]
fn other_white_space_is_not_a_command() {
    let mut client = Client::in_process_with(Dialect::Gtp, &[]);
    for (line, answer) in [
        ("\u{a0}", "? unknown command '\\u{a0}'"),
        ("\u{2028} name", "? unknown command '\\u{2028}'"),
    ] {
        assert_eq!(client.ask(line), answer);
    }
    // A byte order mark is ignored, and the empty line after it is also ignored.
    client.send("\u{feff}");
    assert_eq!(client.ask("name"), "= pentarch Alcaxar");
}

#[test]
fn comments_have_no_answer() {
    let mut client = Client::program(&["--gtp"]);
    client.send_bytes(b"1 name\n# Z\xfcrich\n2 name # \xfc\n3 name \xff\n");
    client
        .send_bytes(&[b"# ".as_slice(), &vec![b'x'; 1024 * 1024 + 2], b"\n4 \n5 name\n"].concat());
    let (lines, _) = client.finish();
    let answers: Vec<&str> =
        lines.iter().map(String::as_str).filter(|line| !line.is_empty()).collect();
    assert_eq!(
        answers,
        [
            "=1 pentarch Alcaxar",
            "=2 pentarch Alcaxar",
            "?3 syntax error: column 8: the line is not UTF-8 text",
            "?4 syntax error: expected a command, found the end",
            "=5 pentarch Alcaxar"
        ]
    );
}
