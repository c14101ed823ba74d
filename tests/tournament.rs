//! Tournaments of more than two engines, and adjudicated games.

use std::fs;

use pentarch_core::notation::record::GameRecord;
use serde_json::Value;

use crate::arena::{games, records, row, run_arena, run_match, tag, with_checksums};
use crate::common::temporary::Folder;
use crate::shards::untimed;

/// Writes a file with these engines. Each engine is on a separate line. Returns the path of the
/// file.
fn engines(folder: &Folder, lines: &str) -> String {
    let file = folder.file("engines.txt");
    fs::write(&file, lines).unwrap();
    file
}

/// Three engines. They differ in their number of nodes.
const THREE_ENGINES: &str = "# by nodes\nlow --nodes 5\nmiddle --nodes 20\n\nhigh --nodes 80\n";

/// The options of a short tournament.
const QUICK_OPTIONS: &str = "--game bushka --random-plies 3 --plies 60";

#[test]
fn round_robin_resumes_after_a_cut_at_any_game() {
    let folder = Folder::new("tournament-resume");
    let list = engines(&folder, THREE_ENGINES);
    let whole = folder.file("whole");
    let file = folder.file("cut");
    let play = |games: u32, record: &str| {
        run_match(
            &format!("{QUICK_OPTIONS} --games {games}"),
            &["--engines", &list, "--record", record],
        )
    };
    let tables = |report: &str| {
        let begin = report.find("games: ").unwrap();
        let end = report.find("   engine             depth").unwrap();
        report[begin..end].to_string()
    };
    let report = play(2, &whole);
    let text = fs::read_to_string(&whole).unwrap();
    assert_eq!(text.matches("[Game \"").count(), 6);
    for (number, (at, _)) in text.match_indices("[Game \"").enumerate() {
        // Some cuts are within the record of a game.
        let cut = if number % 2 == 0 { at } else { at + 60 };
        fs::write(&file, &text[..cut]).unwrap();
        let again = play(2, &file);
        assert_eq!(
            untimed(&fs::read_to_string(&file).unwrap()),
            untimed(&text),
            "cut at game {number}"
        );
        assert_eq!(tables(&again), tables(&report));
    }
    // The tournament is already finished. So nothing is played, and the tables are the same. With
    // more games, the tournament is continued by a round.
    let again = play(2, &whole);
    assert!(again.contains("6 games are in ") && tables(&again) == tables(&report), "{again}");
    assert_eq!(fs::read_to_string(&whole).unwrap(), text);
    play(4, &whole);
    assert!(fs::read_to_string(&whole).unwrap().starts_with(&text));
    let players: Vec<String> = records(&whole)
        .iter()
        .map(|record| [tag(record, "P1"), tag(record, "P2")].join(" "))
        .collect();
    let round = ["low middle", "middle low", "low high", "high low", "middle high", "high middle"];
    assert_eq!(players, [round, round].concat());
    let openings: Vec<Vec<String>> =
        games(&whole).iter().map(|moves| moves[..3].to_vec()).collect();
    assert!(
        openings[..6].iter().all(|opening| *opening == openings[0]) && openings[0] != openings[6]
    );
    // With other engines, or with the same engines in another order, it is another tournament.
    for lines in [
        "low --nodes 5\nmiddle --nodes 20\nhigh --nodes 81",
        "high --nodes 80\nlow --nodes 5\nmiddle --nodes 20",
    ] {
        engines(&folder, lines);
        let (_, err, code) = run_arena(
            &format!("{QUICK_OPTIONS} --games 4"),
            &["--engines", &list, "--record", &whole],
        );
        assert!(err.contains("it holds games of another match") && code == Some(1), "{err}");
    }
}

/// A file of games remains unchanged if its games have other players or a number outside the match.
/// The conditions of the match do not matter.
#[test]
fn rejects_games_of_other_players() {
    let folder = Folder::new("tournament-others");
    let list = engines(&folder, "\u{feff}low --nodes 5\nhigh --nodes 20\n");
    let file = folder.file("games");
    let flags = format!("{QUICK_OPTIONS} --games 2 --engines {list} --record {file}");
    run_match(&flags, &[]);
    let text = fs::read_to_string(&file).unwrap();
    for (from, to, why) in [
        ("[P1 \"low\"]", "[P1 \"new\"]", "game 1 is one of other engines than in this match"),
        ("[Number \"1\"]", "[Number \"1000000000000000001\"]", "a match has 1000000 games at most"),
    ] {
        let changed = text.replacen(from, to, 1);
        assert_ne!(changed, text);
        let changed = with_checksums(&changed);
        fs::write(&file, &changed).unwrap();
        let (_, err, code) = run_arena(&flags, &[]);
        assert!(err.contains(why) && code == Some(1), "{err}");
        assert_eq!(fs::read_to_string(&file).unwrap(), changed);
    }
}

#[test]
fn reports_a_gauntlet_in_every_form() {
    let folder = Folder::new("tournament-gauntlet");
    let list = engines(&folder, "low --nodes 5 --rating 100\nmiddle --nodes 20\nhigh --nodes 80\n");
    let [record, plot] = ["games", "plot.svg"].map(|name| folder.file(name));
    let play = |more: &[&str]| {
        let arguments = format!("{QUICK_OPTIONS} --games 2 --engines {list} --gauntlet middle");
        run_match(&arguments, &[&["--record", &record], more].concat())
    };
    let text = play(&["--plot", &plot]);
    let heading = text.lines().next().unwrap();
    assert!(
        heading.ends_with(", 3 random plies by seed 1, at most 60 plies, gauntlet of middle"),
        "{heading}"
    );
    assert!(text.contains("\nlow: this program, nodes 5, rating 100\n"), "{text}");
    assert!(text.contains("\ngames: 4 of 4, 2 of each pairing\n"), "{text}");
    assert!(
        text.lines().any(|line| line.contains(" low ") && line.contains(" +100.0     fixed ")),
        "{text}"
    );
    assert!(text.contains("\npoints against each other engine, of 2 games\n"), "{text}");
    let svg = fs::read_to_string(&plot).unwrap();
    assert!(svg.contains("Ratings after 4 games, with their 95 % intervals"), "{svg}");
    assert_eq!((svg.matches("<circle").count(), svg.contains("Elo")), (3, true), "{svg}");
    let csv = play(&["--csv"]);
    let players: Vec<Vec<&str>> =
        csv.lines().skip(1).map(|line| line.split(',').skip(1).take(3).collect()).collect();
    let expected = [
        ["1", "middle", "low"],
        ["1", "low", "middle"],
        ["1", "middle", "high"],
        ["1", "high", "middle"],
    ];
    assert_eq!(players, expected);
    let json = play(&["--json"]);
    let rows: Vec<Value> = json.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let games = &rows[..4];
    let result = &rows[4];
    let points: f64 = games.iter().map(|row| row["points"].as_f64().unwrap()).sum();
    let engine_result = |name: &str| {
        result["engines"].as_array().unwrap().iter().find(|engine| engine["name"] == name).unwrap()
    };
    assert_eq!(
        (engine_result("middle")["points"].as_f64(), engine_result("middle")["games"].as_u64()),
        (Some(points), Some(4))
    );
    assert_eq!(
        (engine_result("low")["elo"].as_f64(), &engine_result("low")["anchor"]),
        (Some(100.0), &true.into())
    );
    assert!(
        engine_result("high")["elo_low"].as_f64() <= engine_result("high")["elo"].as_f64(),
        "{result}"
    );
    assert_eq!((result["pairings"].as_array().unwrap().len(), &result["games"]), (2, &4.into()));
}

#[test]
fn reports_invalid_tournaments() {
    let folder = Folder::new("tournament-wrong");
    let list = engines(&folder, THREE_ENGINES);
    let check_rejected = |arguments: &str, code: i32, why: &str| {
        let (out, err, found) = run_arena(arguments, &["--engines", &list]);
        assert!(err.contains(why) && found == Some(code), "{arguments}: {out}{err}");
    };
    check_rejected(
        "--gauntlet hihg",
        2,
        "--gauntlet: there is no engine 'hihg' (did you mean 'high'?)",
    );
    check_rejected("--games 3", 2, "--games of a tournament is an even number");
    check_rejected(
        "--games 1000000",
        2,
        "3 pairings have 3000000 games together; the maximum is 1000000",
    );
    check_rejected("--first ./old", 2, "cannot be used with");
    check_rejected("--second-nodes 5", 2, "cannot be used with");
    check_rejected("--sprt 0 5", 2, "cannot be used with");
    engines(&folder, "a\nb --nodes 5 --dpeth 3");
    check_rejected(
        "--nodes 5",
        2,
        "engines.txt, line 2: an engine has no flag '--dpeth' (did you mean '--depth'?)",
    );
    engines(&folder, "a\nb --nodes 5");
    check_rejected("--games 2", 2, "engines.txt: the moves of 'a' have no limit");
    check_rejected("--nodes 5 --record x --plot x", 2, "--record and --plot name the same file");
    let (_, err, code) = run_arena("--nodes 5 --gauntlet a", &[]);
    assert!(err.contains("--engines <FILE>") && code == Some(2), "{err}");
    let (_, err, code) = run_arena("--nodes 5 --game roses --adjudicate-tables --games 2", &[]);
    assert!(
        err.contains("tables know the result of every position of this game") && code == Some(1),
        "{err}"
    );
}

/// A match of two engines is reported and recorded in the form for matches.
#[test]
fn match_of_two_is_not_a_tournament() {
    let folder = Folder::new("tournament-two");
    let record = folder.file("games");
    let flags = "--game bushka --first-nodes 5 --second-nodes 9 --random-plies 3 --plies 20 --games 3 --first-name a";
    let out = run_match(flags, &["--record", &record]);
    let conditions = "bushka RepetitionDraw=true, 3 random plies by seed 1, at most 20 plies";
    assert!(
        out.starts_with(&format!(
            "{conditions}\na: this program, nodes 5\nsecond: this program, nodes 9\n1 of 3"
        )),
        "{out}"
    );
    let told = format!("{conditions}; first: this program, nodes 5; second: this program, nodes 9");
    assert!(records(&record).iter().all(|game| tag(game, "Match") == told), "{told}");
    assert_eq!(
        records(&record).iter().map(|game| tag(game, "P1")).collect::<Vec<_>>(),
        ["a", "second", "a"]
    );
}

/// Returns the scores that the engines reported with their moves. They are from the point of view
/// of the first side.
fn scores(record: &GameRecord) -> Vec<Option<i32>> {
    let opening: usize = tag(record, "Opening").parse().unwrap();
    let scores =
        record.moves.iter().map(|mv| mv.evaluation.map(|evaluation| evaluation.centipawns));
    // In the start position of the game White moves first.
    let signs = [1, -1].into_iter().cycle();
    scores.zip(signs).skip(opening).map(|(score, sign)| Some(sign * score?)).collect()
}

#[test]
fn adjudicates_games_by_score() {
    let folder = Folder::new("adjudicated-score");
    let file = folder.file("games");
    let least = 300;
    let plies = 4;
    let flags = format!("--game bushka --nodes 60 --games 6 --adjudicate-score {least} {plies}");
    let out = run_match(&flags, &["--record", &file]);
    assert!(
        out.lines().next().unwrap().ends_with(", adjudicated by score from 300 cp on for 4 plies"),
        "{out}"
    );
    let records = records(&file);
    let mut count = 0;
    for record in &records {
        // This is the side that both engines prefer after each ply. After the first ply there is
        // only one score.
        let scores = scores(record);
        let ahead = scores.windows(2).map(|pair| match (pair[0], pair[1]) {
            (Some(one), Some(other)) if one.min(other) >= least => 1,
            (Some(one), Some(other)) if one.max(other) <= -least => -1,
            _ => 0,
        });
        let ahead: Vec<i32> = ahead.collect();
        let first = ahead
            .windows(plies)
            .position(|row| row[0] != 0 && row.iter().all(|side| *side == row[0]));
        if tag(record, "End") == "adjudicated by score" {
            assert_eq!(first, Some(ahead.len() - plies), "{scores:?}");
            assert_eq!(record.result, if ahead[ahead.len() - 1] > 0 { "1-0" } else { "0-1" });
            assert_eq!(tag(record, "Outcome"), "ongoing");
            count += 1;
        } else {
            assert!(first.is_none_or(|at| at == ahead.len() - plies), "{scores:?}");
        }
    }
    assert!(count > 0, "{out}");
    assert_eq!(
        row(&out, "ends of games").iter().filter(|word| **word == "adjudicated").count(),
        1,
        "{out}"
    );
    // One of the conditions is whether games are adjudicated.
    let flags = flags.replace("300 4", "300 5");
    let (_, err, code) = run_arena(&flags, &["--record", &file]);
    assert!(err.contains("it holds games of another match") && code == Some(1), "{err}");
}

/// Without walls, Quoridor is a race. Its winner is computed without a search. Both engines also
/// know the winner. So games that are played to the end have the same winners.
#[test]
fn adjudicates_games_by_tables() {
    let folder = Folder::new("adjudicated-tables");
    let [whole, cut] =
        [("whole", &[][..]), ("cut", &["--adjudicate-tables"])].map(|(name, more)| {
            let file = folder.file(name);
            let flags =
                "--game quoridor --set Quoridor_Walls=0 --nodes 200 --random-plies 5 --games 8";
            run_match(flags, &[&["--record", file.as_str()], more].concat());
            records(&file)
        });
    let results = |records: &[GameRecord]| {
        records.iter().map(|record| record.result.clone()).collect::<Vec<_>>()
    };
    assert_eq!(results(&whole), results(&cut));
    assert!(["1-0", "0-1"].iter().all(|result| results(&cut).iter().any(|found| found == result)));
    for (whole, cut) in whole.iter().zip(&cut) {
        assert_eq!((tag(cut, "End"), cut.moves.len()), ("adjudicated by tables", 6));
        assert!(whole.moves.len() > 6 && tag(whole, "End") == "goal", "{}", tag(whole, "End"));
    }
}

/// The tournament in docs/matches.md prints the documented form. Levels play differently in each
/// run. So the test plays a small version, and its numbers differ.
#[test]
fn documented_tournament_has_the_documented_form() {
    let folder = Folder::new("tournament-example");
    let pages = crate::pages::pages();
    let page = pages.iter().find(|page| page.name == "docs/matches.md").unwrap();
    let blocks = page.blocks();
    let at = blocks.iter().position(|block| block.mark == "text engines.txt").unwrap();
    let list = engines(&folder, &blocks[at].text);
    let command = &blocks[at + 1].text;
    let expected = &blocks[at + 2].text;
    let words: Vec<&str> =
        command.split_whitespace().filter(|word| *word != "\\").skip(2).collect();
    let little = words.join(" ").replace("--games 20", "--games 2").replace("engines.txt", &list);
    let little = ["gauntlet.games", "ratings.svg"]
        .iter()
        .fold(little, |text, name| text.replace(name, &folder.file(name)));
    let out =
        run_match(&little, &["--plies", "12"]).replace("at most 12 plies", "at most 400 plies");
    assert_eq!(
        out.lines().take(7).collect::<Vec<_>>(),
        expected.lines().take(7).collect::<Vec<_>>()
    );
    let shape = |text: &str| {
        let known = |line: &&str| {
            line.is_empty() || line.contains("engine ") || line.starts_with("points against")
        };
        let lines: Vec<String> = text
            .lines()
            .filter(known)
            .map(|line| line.replace("of 20 games", "of 2 games"))
            .collect();
        (lines, text.lines().count())
    };
    assert_eq!(shape(&out), shape(expected));
    assert!(
        fs::read_to_string(folder.file("ratings.svg")).unwrap().contains("Ratings after 10 games")
    );
}
