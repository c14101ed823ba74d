//! The openings of the games, and the subcommand `openings` that finds them.

use std::collections::HashSet;
use std::fs;

use pentarch::arena::opening::{OpeningSource, builtin_openings};
use pentarch::convert::opening_list::parse_openings;
use pentarch_core::{GameHistory, Options};
use pentarch_engine::games::GAME_OPTION;
use pentarch_games::{Game, GameOperation};

use crate::client::{program, run};
use crate::common::temporary::Folder;
use crate::common::{for_each_game, option_sets, rules};

/// Runs the subcommand with these arguments, separated by blanks. Returns its output, error output
/// and exit code.
fn openings(arguments: &str) -> (String, String, Option<i32>) {
    run(program(std::iter::once("openings").chain(arguments.split(' '))), "")
}

/// The options of a list that is computed quickly. Its rules have no built-in list.
const SMALL_LIST_OPTIONS: &str = "--game quoridor --set Quoridor_BoardSize=6 --set Quoridor_Walls=5 --plies 4 --nodes 300 --seed 6";

/// Returns the command in the first line of a list. The names of the program and of the subcommand
/// are removed.
fn command(list: &str) -> &str {
    list.lines()
        .next()
        .and_then(|line| line.strip_prefix("# pentarch openings "))
        .expect("the first line is a command")
}

/// Returns the lists of a game. Each list has the options of some rules that use it.
fn lists<G: Game>() -> Vec<(Options, &'static str)> {
    let mut lists: Vec<(Options, &str)> = Vec::new();
    for mut options in option_sets::<G>(0) {
        options.set(&GAME_OPTION, G::GAME_ID).unwrap();
        if let Some(list) = G::from_options(&options)
            .match_openings()
            .filter(|new| lists.iter().all(|(_, list)| list != new))
        {
            lists.push((options, list));
        }
    }
    lists
}

/// Defines a test that checks all lists of all games.
macro_rules! for_all_lists {
    ($(#[$meta:meta])* $test:ident, |$options:ident, $list:ident, $game:ident| $check:block) => {
        $(#[$meta])*
        #[test]
        fn $test() {
            #[derive(Clone)]
            struct Check;
            impl GameOperation for Check {
                type Output = ();
                fn run_for_game_type<$game: Game>(self) {
                    let lists = lists::<$game>();
                    assert!(!lists.is_empty(), "{} has no openings: give it MatchOpenings::match_openings",
                        $game::GAME_ID);
                    for ($options, $list) in lists $check
                }
            }
            for_each_game(Check);
        }
    };
}

for_all_lists!(builtin_openings_are_legal_undecided_and_different, |options, list, G| {
    let OpeningSource::List { openings, .. } = builtin_openings(&options).unwrap() else {
        panic!("{}: the start position", G::GAME_ID)
    };
    assert!(openings.len() >= 20, "{}: {} openings", G::GAME_ID, openings.len());
    assert_eq!(openings, parse_openings(list, &options).unwrap());
    let rules = std::sync::Arc::new(G::from_options(&options));
    let mut seen = HashSet::new();
    for opening in &openings {
        let mut history = GameHistory::new(rules.clone(), rules.start_position());
        for text in &opening.moves {
            let mv = history.resolve_move(text).unwrap();
            history.push(mv);
        }
        let text = rules.position_text(history.position());
        assert!(opening.fen.is_none() && history.outcome().is_none(), "{}: {text}", G::GAME_ID);
        assert!(
            !seen.contains(&rules.search_key(history.position())),
            "{}: {text} comes up twice",
            G::GAME_ID
        );
        // This collects all images of the position by applying one symmetry after another.
        let mut images = vec![*history.position()];
        while let Some(image) = images.pop() {
            if seen.insert(rules.search_key(&image)) {
                images.extend(
                    rules.symmetries().iter().map(|symmetry| (symmetry.position)(&rules, &image)),
                );
            }
        }
    }
});

for_all_lists!(each_list_names_the_command_for_its_rules, |_options, list, G| {
    let words: Vec<&str> = command(list).split(' ').collect();
    assert_eq!(words[..2], ["--game", G::GAME_ID]);
    let settings: Vec<&str> =
        words.windows(2).filter(|pair| pair[0] == "--set").map(|pair| pair[1]).collect();
    assert!(
        rules::<G>(&settings).match_openings() == Some(list),
        "{}: {words:?} makes other rules",
        G::GAME_ID
    );
});

for_all_lists!(
    /// The command of each list finds its first openings again. This is true until the search or
    /// the evaluation of a game changes. The openings remain valid after such a change.
    ///
    /// `cargo test --release --test all openings:: -- --ignored`
    #[ignore = "holds for the search and the evaluation that the lists were made with"]
    the_lists_are_made_by_their_commands,
    |_options, list, _G| {
        let (before, _) = command(list).split_once(" --count ").unwrap();
        let (_, after) = command(list).split_once(" --plies ").unwrap();
        let (out, err, code) = openings(&format!("{before} --plies {after} --count 3"));
        assert_eq!((err.as_str(), code), ("", Some(0)));
        let first = |text: &str| text.lines().skip(2).take(3).map(String::from).collect::<Vec<_>>();
        assert_eq!(first(&out), first(list), "{before}");
    }
);

#[test]
fn list_is_the_same_for_any_concurrency_and_readable_by_the_arena() {
    let folder = Folder::new("openings");
    let file = folder.file("list");
    let (list, err, code) = openings(&format!("{SMALL_LIST_OPTIONS} --count 2 --concurrency 3"));
    assert_eq!((err.as_str(), code), ("", Some(0)));
    assert!(command(&list).starts_with(
        "--game quoridor --set Quoridor_BoardSize=6 --set Quoridor_Walls=5 --count 2 "
    ));
    assert_eq!(openings(&format!("{} --concurrency 1", command(&list))).0, list);
    // A shorter list is the beginning of a longer list.
    let (fewer, ..) = openings(&format!("{SMALL_LIST_OPTIONS} --count 1"));
    assert_eq!(
        fewer.lines().skip(1).collect::<Vec<_>>(),
        list.lines().skip(1).take(2).collect::<Vec<_>>()
    );
    let (other, ..) = openings(&format!("{SMALL_LIST_OPTIONS}8 --count 1"));
    assert_ne!(fewer.lines().last(), other.lines().last());

    // A byte order mark is not part of the first line.
    fs::write(&file, format!("\u{feff}{}", list.split_once('\n').unwrap().1)).unwrap();
    let rules =
        ["--game", "quoridor", "--set", "Quoridor_BoardSize=6", "--set", "Quoridor_Walls=5"];
    let flags = ["--nodes", "20", "--games", "4", "--openings", &file];
    let (out, err, code) = run(program([&["arena"], &rules[..], &flags].concat()), "");
    assert_eq!((err.as_str(), code), ("", Some(0)), "{out}");
    assert!(out.lines().next().unwrap().contains(", 2 openings of "), "{out}");
}

#[test]
fn writes_and_reports_too_few_openings() {
    let (list, err, code) =
        openings("--game quoridor --set Quoridor_BoardSize=3 --plies 1 --nodes 100 --count 50");
    let found = list.lines().filter(|line| line.starts_with("startpos moves ")).count();
    assert!(found < 50 && list.lines().count() == found + 2, "{list}");
    let message = format!(
        "pentarch: {found} of 50 openings were found: none of 1000 random openings in a row "
    );
    assert!(err.starts_with(&message) && code == Some(1), "{err}");
}

#[test]
fn closed_output_ends_quietly() {
    let mut child = program(format!("openings {SMALL_LIST_OPTIONS} --count 1000000").split(' '))
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(
        (output.status.code(), String::from_utf8(output.stderr).unwrap()),
        (Some(0), String::new())
    );
}

#[test]
fn rejects_invalid_arguments() {
    for (arguments, why) in [
        ("--count 0", "expected a whole number from 1 to 1000000"),
        ("--plies 101", "expected a whole number from 1 to 100"),
        ("--nodes 0", "a whole number from 1 to "),
        ("--game chess", "there is no game 'chess'"),
        ("--set Hash", "--set takes NAME=VALUE"),
    ] {
        let (out, err, code) = openings(arguments);
        assert!(err.contains(why) && out.is_empty() && code == Some(2), "{arguments}: {out}{err}");
    }
}
