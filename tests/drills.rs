//! Drills. A person plays won and drawn positions to the end at the terminal. The opponent's
//! replies are perfect.

use std::collections::BTreeSet;
use std::sync::Arc;

use pentarch::problems::drills::{DrillGenerator, DrillGeneratorBuilder};
use pentarch_alquerque::Alquerque;
use pentarch_bushka::Bushka;
use pentarch_core::{Exercises, GameHistory, Notation, Options, TableValue};
use pentarch_engine::builtin_drills::Drill;
use pentarch_engine::engine_state::new_game_session;
use pentarch_engine::games::{GAME_OPTION, all_games};
use pentarch_engine::input_word::InputWord;
use pentarch_games::BuiltinRules;
use pentarch_quoridor::Quoridor;
use pentarch_roses::Roses;

use crate::client::{program, run};
use crate::common::rules;

/// Returns the options of a game, and its solved positions.
fn solved(game: &str) -> (Options, Box<dyn DrillGenerator>) {
    let mut options = Options::default();
    options.set(&GAME_OPTION, game).unwrap();
    let index = options.combo_value(&GAME_OPTION);
    let solved = BuiltinRules::TWO_PLAYER_GAMES[index]
        .run_operation(DrillGeneratorBuilder { options: &options })
        .unwrap();
    (options, solved)
}

/// Types these lines at the drills of a game. Returns the output.
fn type_at_drills(game: &str, typed: &str) -> String {
    let (out, err, code) = run(program(["play", game, "--drills"]), typed);
    assert_eq!((err.as_str(), code), ("", Some(0)), "{out}");
    out.replace("\n  ", " ")
}

#[test]
fn best_moves_win_a_drill_and_a_blunder_does_not() {
    let (options, solved) = solved("quoridor");
    let drills = builtin_drills_of("quoridor");
    let Drill { position, .. } = &drills[0];
    assert!(matches!(solved.table_value_after_moves(position, &[]), Some(TableValue::Win(3..))));
    // Both sides play the best moves to the end. The program plays the moves of the opponent.
    let mut session = new_game_session(&options);
    session.set_position(Some(&InputWord::split_into_words(position)), &[]).unwrap();
    let wrong = session
        .legal_move_strings()
        .into_iter()
        .find(|mv| !solved.best_table_moves_after(position, &[]).contains(mv))
        .unwrap();
    let mut own = String::new();
    while session.game_state().outcome.is_none() {
        let best = solved.best_table_moves_after(position, &session.game_moves().moves)[0].clone();
        if session.game_state().moves.is_multiple_of(2) {
            own += &format!("{best}\n");
        }
        session.play_moves(&[InputWord::from_text(&best)]).unwrap();
    }
    let out = type_at_drills("quoridor", &format!("drill 1\nhint\nhint\n{own}{own}next\n"));
    for told in [
        " move",
        "It is one of these: ",
        "You have held the win to the end.",
        "This drill is over: ",
        "You have done 1.",
    ] {
        assert!(out.contains(told), "{told}: {out}");
    }
    assert!(out.contains("Drill 2 of 20"), "{out}");
    let out = type_at_drills(
        "quoridor",
        &format!("drill 1\nundo\n{wrong}\n{own}undo\n{own}drill 1\ndrill 21\nzz9\n"),
    );
    for told in [
        "You have made no move yet.",
        &format!("{wrong} gives the win away: now "),
        "'undo' takes the last move back, 'again' restarts the drill.",
        "You have taken back one move",
        "You have done 0.",
        "Expected a number from 1 to 20, not '21'.",
        "'zz9' is neither a move nor a command",
    ] {
        assert!(out.contains(told), "{told}: {out}");
    }
    assert!(!out.contains("to the end"), "{out}");
}

/// Returns the built-in drills of a game.
fn builtin_drills_of(game: &str) -> Vec<Drill> {
    all_games().iter().find(|entry| entry.word == game).unwrap().drills().to_vec()
}

/// Checks every built-in drill. It is won or drawn as stated, and some move gives this value away.
/// The list has the form that the composer writes.
#[test]
fn builtin_drills_have_the_stated_values() {
    for (game, wins) in
        [("roses", 9), ("alquerque", 14), ("quoridor", 20), ("alcaxar", 0), ("bushka", 8)]
    {
        let drills = builtin_drills_of(game);
        assert_eq!(
            (drills.len() > 10, drills.iter().filter(|drill| drill.is_win).count()),
            (wins > 0, wins),
            "{game}"
        );
        let lines: BTreeSet<String> = drills.iter().map(Drill::to_file_line).collect();
        let text = match game {
            "roses" => Roses::DRILL_POSITIONS,
            "alquerque" => Alquerque::DRILL_POSITIONS,
            "quoridor" => Quoridor::DRILL_POSITIONS,
            "bushka" => Bushka::DRILL_POSITIONS,
            _ => "",
        };
        assert_eq!(
            (lines.len(), lines),
            (drills.len(), text.lines().map(String::from).collect()),
            "{game}"
        );
        assert!(drills.is_sorted_by_key(|drill| drill.grade), "{game}");
        if drills.is_empty() {
            continue;
        }
        let (options, solved) = solved(game);
        for Drill { position, is_win, .. } in drills {
            let value = solved.table_value_after_moves(&position, &[]);
            assert!(
                matches!(value, Some(TableValue::Win(_))) == is_win && value.is_some(),
                "{position}: {value:?}"
            );
            let mut session = new_game_session(&options);
            session.set_position(Some(&InputWord::split_into_words(&position)), &[]).unwrap();
            assert!(
                solved.best_table_moves_after(&position, &[]).len() < session.legal_moves().len(),
                "{position}"
            );
        }
    }
}

#[test]
fn same_seed_finds_the_same_drills() {
    let (_, solved) = solved("quoridor");
    let drills = solved.generate_drills(1, 2);
    assert_eq!((drills.len(), &drills), (2, &solved.generate_drills(1, 2)));
    assert_ne!(drills, solved.generate_drills(2, 2));
    assert!(
        drills.is_sorted_by_key(|drill| drill.grade) && drills.iter().all(|drill| drill.is_win)
    );
}

/// The composer with the seed 1 finds exactly the built-in drills. The test prints the expected
/// content of the files.
///
/// `cargo test --release --test all drills:: -- --ignored --nocapture`
#[test]
#[ignore = "composes twenty drills of each game"]
fn builtin_drills_come_from_the_first_seed() {
    let mut wrong = Vec::new();
    for game in ["roses", "alquerque", "quoridor", "bushka"] {
        let composed = solved(game).1.generate_drills(1, 20);
        if composed != builtin_drills_of(game) {
            let lines: Vec<String> = composed.iter().map(Drill::to_file_line).collect();
            println!("{game}:\n{}", lines.join("\n"));
            wrong.push(game);
        }
    }
    assert!(wrong.is_empty(), "{wrong:?}");
}

/// In a game with draws, every second drill is a draw in which some move loses. Best play holds the
/// draw to the end.
#[test]
fn best_moves_hold_a_draw() {
    let (options, solved) = solved("roses");
    let drills = builtin_drills_of("roses");
    let rules = rules::<Roses>(&[]);
    let draws: Vec<&Drill> = drills.iter().filter(|drill| !drill.is_win).step_by(2).collect();
    assert!(draws.len() > 2, "{drills:?}");
    for Drill { position, .. } in draws {
        assert_eq!(solved.table_value_after_moves(position, &[]), Some(TableValue::Draw));
        let mut game = GameHistory::new(rules.clone(), rules.parse_position(position).unwrap());
        let mut session = new_game_session(&options);
        session.set_position(Some(&InputWord::split_into_words(position)), &[]).unwrap();
        assert!(solved.best_table_moves_after(position, &[]).len() < session.legal_moves().len());
        while session.game_state().outcome.is_none() {
            let best = solved.best_table_moves_after(position, &session.game_moves().moves);
            let after = |mv: &String| {
                let mut next = game.clone();
                next.push(next.resolve_move(mv).unwrap());
                next
            };
            let is_new = |mv: &String| after(mv).plies_since_occurrences().next().is_none();
            assert!(
                is_new(&best[0]) || !best.iter().any(is_new),
                "{position}: {best:?} after {}",
                game.len()
            );
            game = after(&best[0]);
            session.play_moves(&[InputWord::from_text(&best[0])]).unwrap();
            assert!(session.game_state().moves < 500, "{position}");
        }
        assert!(
            session.game_status().outcome.starts_with("draw "),
            "{position}: {}",
            session.game_status().outcome
        );
    }
}

/// Returns a won position of the built-in drills of Roses, and a cycle of four moves that leads
/// back to it. Both moves of the side to move are winning moves.
fn find_cycle(solved: &dyn DrillGenerator, rules: &Arc<Roses>) -> Option<(String, [String; 4])> {
    let is_cycle = |start: &GameHistory<Roses>, [first, reply, back, last]: [_; 4]| {
        let mut game = start.clone();
        [first, reply, back].into_iter().for_each(|mv| game.push(mv));
        game.legal_move_list().contains(&last) && {
            game.push(last);
            game.plies_since_occurrences().any(|plies| plies == 4)
        }
    };
    let drills = builtin_drills_of("roses");
    drills.iter().filter(|drill| drill.is_win).find_map(|Drill { position, .. }| {
        let start = GameHistory::new(rules.clone(), rules.parse_position(position).unwrap());
        let moves = |game: &GameHistory<Roses>| game.legal_move_list();
        for first in moves(&start) {
            let mut game = start.clone();
            game.push(first);
            for reply in moves(&game) {
                game.push(reply);
                for back in moves(&game) {
                    game.push(back);
                    let last = moves(&game)
                        .into_iter()
                        .find(|&last| is_cycle(&start, [first, reply, back, last]));
                    let is_won = |line: &[_]| {
                        let line: Vec<String> =
                            line.iter().map(|&mv| rules.move_text(mv)).collect();
                        matches!(
                            solved.table_value_after_moves(position, &line),
                            Some(TableValue::Loss(_))
                        )
                    };
                    if let Some(last) =
                        last.filter(|_| is_won(&[first]) && is_won(&[first, reply, back]))
                    {
                        return Some((
                            position.clone(),
                            [first, reply, back, last].map(|mv| rules.move_text(mv)),
                        ));
                    }
                    game.pop();
                }
                game.pop();
            }
        }
        None
    })
}

/// The side to move wins, but a cycle of four plies can lead back to the position. The third
/// occurrence is a draw. The draw counts as soon as the opponent can reach it.
#[test]
fn move_into_a_drawing_repetition_gives_a_win_away() {
    let (_, solved) = solved("roses");
    let rules = rules::<Roses>(&[]);
    let (position, cycle) =
        find_cycle(solved.as_ref(), &rules).expect("some move can be taken back by another one");
    // The position has occurred twice. The last move of the cycle would repeat it.
    let moves = [&cycle[..], &cycle[..2]].concat();
    assert!(
        matches!(solved.table_value_after_moves(&position, &moves), Some(TableValue::Win(_))),
        "{position} {moves:?}"
    );
    assert!(
        !solved.best_table_moves_after(&position, &moves).contains(&cycle[2]),
        "{position} {moves:?}"
    );
    let moves = [&cycle[..], &cycle[..3]].concat();
    assert_eq!(
        solved.table_value_after_moves(&position, &moves),
        Some(TableValue::Draw),
        "{position} {moves:?}"
    );
    assert_eq!(
        solved.best_table_moves_after(&position, &moves),
        [cycle[3].clone()],
        "{position} {moves:?}"
    );
    // At the first occurrence nothing has been lost.
    assert!(
        matches!(solved.table_value_after_moves(&position, &cycle[..3]), Some(TableValue::Loss(_))),
        "{position}"
    );
}

#[test]
fn drills_need_a_solved_game_and_no_other_mode() {
    let check_rejected = |arguments: &[&str], why: &str| {
        let (out, err, code) = run(program([&["play"], arguments].concat()), "");
        assert!(
            out.is_empty() && err.contains(why) && code == Some(2),
            "{arguments:?}: {out}{err}"
        );
    };
    check_rejected(
        &["alcaxar", "--drills"],
        "the engine solves no part of alcaxar by itself; there are drills of roses",
    );
    check_rejected(
        &["quoridor", "--drills", "--set", "Quoridor_BoardSize=3"],
        "no part of quoridor by itself under these rules",
    );
    check_rejected(&["roses", "--drills", "--problems"], "cannot be used with");
    check_rejected(&["roses", "--drills", "--side", "both"], "cannot be used with");
    check_rejected(&["roses", "--seed", "2"], "--drills");
    let (out, ..) =
        run(program(["play", "quoridor", "--drills", "--set", "Quoridor_Walls=5"]), "quit\n");
    assert!(out.contains("Drill 1 of "), "other rules have drills of their own: {out}");
    check_rejected(&["quoridor", "--set", "Quoridor_Players=4", "--drills"], "two");
}
