//! Problems. The prover and the slow rules of each game check the built-in problems. The subcommand
//! `problems` composes them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::sync::Arc;

use pentarch::io::host::SystemHost;
use pentarch::io::output::{ErrorTarget, Output};
use pentarch::problems::compose::{ProblemListBuilder, ProblemListSettings};
use pentarch::problems::dedup::DistinctProblems;
use pentarch::problems::grader::{GRADING_LEVELS, ProblemGrader};
use pentarch::problems::problem_prover::{ProblemProver, ShortestWin};
use pentarch_alcaxar::Alcaxar;
use pentarch_core::notation::record::GameRecord;
use pentarch_core::{Evaluate, GameHistory, HasTurn, Notation, Options, Outcome, Rules};
use pentarch_engine::games::{all_game_words, all_games};
use pentarch_engine::problem::{Problem, ProblemTheme};
use pentarch_engine::record::ReplayedGame;
use pentarch_games::{Game, GameOperation};
use pentarch_roses::Roses;
use pentarch_slow_rules::{alcaxar, bushka, quoridor, roses};

use crate::client::{program, run};
use crate::common::temporary::Folder;
use crate::common::{default_options, for_each_game, rules};
use crate::proof_files::{ProofPosition, SlowAlquerque};

/// A position under slow rules.
trait SlowPosition: Sized {
    /// Returns the state of the game in the words of `query outcome`.
    fn outcome(&self) -> String;

    /// Returns the legal moves with the positions after them. The list is empty if the game is
    /// over.
    fn replies(&self) -> Vec<(String, Self)>;
}

impl SlowPosition for alcaxar::Referee {
    fn outcome(&self) -> String {
        self.outcome()
    }

    fn replies(&self) -> Vec<(String, Self)> {
        let after = |text: String| {
            let mut next = self.clone();
            next.play(&text);
            (text, next)
        };
        self.moves().into_iter().map(after).collect()
    }
}

impl SlowPosition for SlowAlquerque {
    fn outcome(&self) -> String {
        self.words()
    }

    fn replies(&self) -> Vec<(String, Self)> {
        self.moves_with_results()
    }
}

impl SlowPosition for bushka::Board {
    fn outcome(&self) -> String {
        self.outcome()
    }

    fn replies(&self) -> Vec<(String, Self)> {
        self.legal_moves().iter().map(|turn| (turn.text.clone(), self.play(turn))).collect()
    }
}

impl SlowPosition for quoridor::SlowPosition {
    fn outcome(&self) -> String {
        self.status().outcome
    }

    fn replies(&self) -> Vec<(String, Self)> {
        let after = |text: String| {
            let mut next = self.clone();
            next.play(&text);
            (text, next)
        };
        self.status().legal_moves.into_iter().map(after).collect()
    }
}

impl SlowPosition for roses::Position {
    fn outcome(&self) -> String {
        self.outcome()
    }

    fn replies(&self) -> Vec<(String, Self)> {
        self.moves()
    }
}

/// Returns whether a side wins within `moves` moves from a position in which its opponent is to
/// move. Tries all moves, but first the reply `refutation`. If the side does not win, stores the
/// opponent's reply in `refutation`.
fn wins<S: SlowPosition>(position: &S, side: &str, moves: usize, refutation: &mut String) -> bool {
    let outcome = position.outcome();
    if outcome != "ongoing" || moves == 0 {
        return outcome.starts_with(&format!("win {side} "));
    }
    let mut replies = position.replies();
    replies.sort_by_key(|(text, _)| text != refutation);
    replies.into_iter().all(|(text, replied)| {
        let outcome = replied.outcome();
        let is_won = match outcome.as_str() {
            "ongoing" => replied
                .replies()
                .iter()
                .any(|(_, next)| wins(next, side, moves - 1, &mut String::new())),
            outcome => outcome.starts_with(&format!("win {side} ")),
        };
        if !is_won {
            *refutation = text;
        }
        is_won
    })
}

/// Checks a problem by slow rules. The key must be the only move that wins within the length, no
/// move may win faster, and the solution must be a win.
fn check_slowly<S: SlowPosition>(position: S, side: &str, problem: &Problem) {
    let length = problem.solver_move_count();
    let key = problem.solution[0].as_str();
    let mut refutation = String::new();
    for (text, next) in position.replies() {
        let is_win = wins(&next, side, length - 1, &mut refutation);
        assert_eq!(is_win, text == key, "{text} in {}", problem.position);
        let is_shorter = is_win && length > 1 && wins(&next, side, length - 2, &mut String::new());
        assert!(!is_shorter, "{} is shorter", problem.position);
    }
    let mut now = position;
    for text in &problem.solution {
        let next = now.replies().into_iter().find(|(known, _)| known == text);
        now = next.unwrap_or_else(|| panic!("{text} is illegal after {}", problem.position)).1;
    }
    assert!(now.outcome().starts_with(&format!("win {side} ")), "{}", problem.position);
}

/// Checks a draw by slow rules. The solution must be playable, and the opponent must not win within
/// two moves after the key. The prover checks that the opponent wins after all other moves, because
/// that can take long.
fn check_draw_slowly<S: SlowPosition>(position: S, opponent: &str, problem: &Problem) {
    let mut now = position;
    for (at, text) in problem.solution.iter().enumerate() {
        let next = now.replies().into_iter().find(|(known, _)| known == text);
        now = next.unwrap_or_else(|| panic!("{text} is illegal after {}", problem.position)).1;
        let mut replies = now.replies().into_iter();
        let is_lost =
            at == 0 && replies.any(|(_, replied)| wins(&replied, opponent, 1, &mut String::new()));
        assert!(!is_lost, "{text} loses in {}", problem.position);
    }
}

/// Returns the board size of a problem of Quoridor.
fn board_size(problem: &Problem) -> i32 {
    let size = problem.rules.1.iter().find_map(|option| option.strip_prefix("Quoridor_BoardSize="));
    size.map_or(9, |size| size.parse().unwrap())
}

/// Checks a problem of any game by slow rules. `sides` are the solver and the opponent.
fn check_problem_slowly(game: &str, sides: [&str; 2], problem: &Problem) {
    fn check<S: SlowPosition>(position: S, [solver, opponent]: [&str; 2], problem: &Problem) {
        match problem.is_draw() {
            true => check_draw_slowly(position, opponent, problem),
            false => check_slowly(position, solver, problem),
        }
    }
    let text = problem.position.as_str();
    match game {
        "alcaxar" => check(alcaxar::Referee::new(text), sides, problem),
        "alquerque" => check(SlowAlquerque::read(text, &BTreeMap::new()), sides, problem),
        "bushka" => check(bushka::Board::read(text), sides, problem),
        "quoridor" => {
            check(quoridor::SlowPosition::read(board_size(problem), true, text), sides, problem)
        }
        "roses" => check(roses::Position::parse(text, false), sides, problem),
        game => panic!("{game} has no slow rules here"),
    }
}

/// Returns the problems of a game. Each has its rules and its position.
fn problems<G: Game>() -> Vec<(Problem, Arc<G>, G::Position)> {
    let game = all_game_words().iter().position(|&word| word == G::GAME_ID).unwrap();
    all_games()[game]
        .problems()
        .iter()
        .cloned()
        .map(|problem| {
            let (id, options) = &problem.rules;
            let options: Vec<&str> = options.iter().map(String::as_str).collect();
            // The problems of Quoridor have different boards. Otherwise the rules are the default
            // ones.
            assert!(id == G::GAME_ID && (options.is_empty() || id == "quoridor"), "{options:?}");
            let rules = rules::<G>(&options);
            let position = rules.parse_position(&problem.position).unwrap();
            (problem, rules, position)
        })
        .collect()
}

/// Returns the words for the side to move in a position and for the other side.
fn sides<G: Game>(position: &G::Position) -> [&'static str; 2] {
    let side = position.side_to_move();
    [side, !side].map(|side| G::SIDE_NAMES[side.index()])
}

/// Every record of the lists is a game that can be replayed. No problem occurs twice.
#[test]
fn builtin_problems_are_records_of_different_positions() {
    #[derive(Clone)]
    struct Check;
    impl GameOperation for Check {
        type Output = ();
        fn run_for_game_type<G: Game>(self) {
            let mut distinct = DistinctProblems::default();
            for (problem, rules, position) in problems::<G>() {
                let text =
                    problem.to_record_text((position.full_move_number(), position.side_to_move()));
                let record = GameRecord::parse(&text).unwrap();
                assert_eq!(Problem::from_record(&record), Ok(problem.clone()));
                let replayed =
                    ReplayedGame::replay(record, &Options::default(), &SystemHost).unwrap();
                let winner =
                    replayed.session.game_state().outcome.and_then(|outcome| outcome.winner());
                assert_eq!(
                    winner,
                    (!problem.is_draw()).then_some(position.side_to_move()),
                    "{text}"
                );
                let key = GameHistory::new(rules.clone(), position)
                    .resolve_move(&problem.solution[0])
                    .unwrap();
                assert!(distinct.add_if_distinct(rules.as_ref(), &position, key), "a twin: {text}");
            }
        }
    }
    for_each_game(Check);
}

/// The number of problems of each game in which the solver must hold a draw, and the number in
/// which it must win.
#[test]
fn builtin_problems_have_the_documented_kinds() {
    let counts = all_game_words().iter().enumerate().map(|(game, &word)| {
        let (draws, wins): (Vec<_>, Vec<_>) =
            all_games()[game].problems().iter().cloned().partition(Problem::is_draw);
        (word, draws.len(), wins.len())
    });
    let known = [
        ("alcaxar", 0, 200),
        ("alquerque", 105, 95),
        ("bushka", 0, 200),
        ("quoridor", 0, 200),
        ("roses", 38, 200),
    ];
    let counts = counts.filter(|&(_, draws, wins)| draws + wins > 0);
    assert_eq!(counts.collect::<BTreeSet<_>>(), BTreeSet::from(known), "this list");
    let record = "[Game \"roses\"]\n[Fen \"x\"]\n[Grade \"1\"]\n[Theme \"drew\"]\n1. a1b2! *";
    let check_rejected = Problem::from_record(&GameRecord::parse(record).unwrap()).unwrap_err();
    assert!(
        check_rejected.to_string().contains("'drew' (did you mean 'draw'?)"),
        "{check_rejected}"
    );
}

/// Checks problems of length up to `longest` by the slow rules. It checks every problem, or one
/// problem in each interval.
fn check_short_problems_slowly(interval: usize, longest: usize) {
    #[derive(Clone)]
    struct Check(usize, usize);
    impl GameOperation for Check {
        type Output = ();
        fn run_for_game_type<G: Game>(self) {
            let short = problems::<G>()
                .into_iter()
                .filter(|(problem, ..)| problem.solver_move_count() <= self.1);
            for (problem, _, position) in short.step_by(self.0) {
                check_problem_slowly(G::GAME_ID, sides::<G>(&position), &problem);
            }
        }
    }
    for_each_game(Check(interval, longest));
}

#[test]
fn some_short_problems_hold_under_slow_rules() {
    check_short_problems_slowly(16, 2);
}

/// To run this test: `cargo test --release --test all problems:: -- --ignored`
#[test]
#[ignore = "tries everything for three and five plies"]
fn all_short_and_some_longer_problems_hold_under_slow_rules() {
    check_short_problems_slowly(1, 2);
    check_short_problems_slowly(10, 3);
}

/// Checks problems by the prover. The solver must win in the stated number of moves. At each of its
/// moves except the last, no other move may win.
fn check_by_proof(longest: usize, nodes: u64) {
    #[derive(Clone)]
    struct Check(usize, u64);
    impl GameOperation for Check {
        type Output = ();
        fn run_for_game_type<G: Game>(self) {
            for (problem, rules, position) in problems::<G>() {
                if problem.solver_move_count() > self.0 {
                    continue;
                }
                let prover = ProblemProver::new(rules.as_ref(), self.1, true).unwrap();
                let place = GameHistory::new(rules.clone(), position);
                let length = problem.solver_move_count() as u32;
                let solved = match problem.is_draw() {
                    true => prover.only_move_draw_solution(&place, length),
                    false => {
                        let ShortestWin { length: found, key } =
                            prover.shortest_win(&place, length).expect("it is a win");
                        assert_eq!(
                            (found, rules.move_text(key)),
                            (length, problem.solution[0].clone())
                        );
                        prover.build_solution(&place, length, key).ok()
                    }
                };
                let solved = solved.unwrap_or_else(|| panic!("{}", problem.position));
                let line: Vec<String> = solved.line.iter().map(|&mv| rules.move_text(mv)).collect();
                assert_eq!(line, problem.solution, "{}", problem.position);
            }
        }
    }
    for_each_game(Check(longest, nodes));
}

/// To run this test: `cargo test --release --test all problems:: -- --ignored`
#[test]
#[ignore = "proves every problem once more"]
fn all_problems_are_proven() {
    check_by_proof(usize::MAX, 100_000);
}

/// Counts how often a novice, an average player and an expert solve the problems of each grade.
/// Each of them makes a hundred attempts. The random numbers differ from those of the grading. The
/// higher the grade, the fewer attempts succeed.
///
/// `cargo test --release --test all problems:: -- --ignored --nocapture`
#[test]
#[ignore = "three players try every problem ten times"]
fn fewer_attempts_succeed_at_higher_grades() {
    #[derive(Clone)]
    struct Check;
    impl GameOperation for Check {
        type Output = ();
        fn run_for_game_type<G: Game>(self) {
            let grader = ProblemGrader::<G>::new(&default_options::<G>(), 1, true).unwrap();
            // The attempts and successes, by grade and by player.
            let mut rates = [[[0u32; 2]; 3]; 5];
            for (problem, rules, position) in problems::<G>() {
                let place = GameHistory::new(rules.clone(), position);
                let mut played = place.clone();
                let line: Vec<G::Move> = problem
                    .solution
                    .iter()
                    .map(|text| {
                        let mv = played.resolve_move(text).unwrap();
                        played.push(mv);
                        mv
                    })
                    .collect();
                for (player, level) in GRADING_LEVELS.into_iter().enumerate() {
                    for seed in 100..110 {
                        let is_solved =
                            grader.find_wrong_move(&place, &line, level, seed).is_none();
                        let rate = &mut rates[problem.grade as usize - 1][player];
                        *rate = [rate[0] + 1, rate[1] + u32::from(is_solved)];
                    }
                }
            }
            let percent = |[tries, solved]: [u32; 2]| (tries > 0).then(|| solved * 100 / tries);
            let all = rates
                .map(|players| percent([0, 1].map(|at| players.iter().map(|rate| rate[at]).sum())));
            let counts = rates.map(|players| players[0][0] / 10);
            println!("{}: {counts:?} problems, solved by all {all:?}", G::GAME_ID);
            println!("  by novice, average and expert {:?}", rates.map(|grade| grade.map(percent)));
            let known: Vec<u32> = all.into_iter().flatten().collect();
            // If a grade has few problems, its result may be chance.
            assert!(
                known.is_sorted_by(|easier, harder| easier + 5 > *harder),
                "{}: {all:?}",
                G::GAME_ID
            );
            assert!(known.first() > known.last() || known.len() == 1, "{}: {all:?}", G::GAME_ID);
        }
    }
    for_each_game(Check);
}

/// Runs the subcommand with these arguments, separated by blanks. Returns its output, error output
/// and exit code.
fn compose(arguments: &str) -> (String, String, Option<i32>) {
    run(program(std::iter::once("problems").chain(arguments.split(' '))), "")
}

/// A small board, so that composing takes little time.
const SMALL_BOARD: &str = "quoridor --set Quoridor_BoardSize=5 --set Quoridor_Walls=3";

#[test]
fn same_seed_composes_the_same_problems() {
    let (three, err, code) = compose(&format!("{SMALL_BOARD} --length 2..4 --count 3 --seed 5"));
    assert_eq!((err.as_str(), code), ("", Some(0)));
    assert_eq!(GameRecord::parse_all(&three).unwrap().len(), 3);
    let (five, ..) = compose(&format!("--game {SMALL_BOARD} --length 2..4 --count 5 --seed 5"));
    assert!(
        five.starts_with(&three) && five.len() > three.len(),
        "a shorter list is the beginning of a longer one"
    );
    assert!(
        !compose(&format!("{SMALL_BOARD} --length 2..4 --count 1 --seed 6"))
            .0
            .starts_with(&three[..120])
    );
    let themed =
        compose(&format!("{SMALL_BOARD} --count 2 --length 3 --theme placement --moves 7")).0;
    let records = [&five[..], &themed].map(|text| GameRecord::parse_all(text).unwrap());
    assert_eq!(records.each_ref().map(Vec::len), [5, 2]);
    for record in records.iter().flatten() {
        let problem = Problem::from_record(record).unwrap();
        let side = if record.result == "1-0" { "white" } else { "black" };
        check_slowly(
            quoridor::SlowPosition::read(board_size(&problem), true, &problem.position),
            side,
            &problem,
        );
    }
    let settings = ["Quoridor_BoardSize=5", "Quoridor_Walls=3"];
    let rules = rules::<pentarch_quoridor::Quoridor>(&settings);
    for record in &records[1] {
        let problem = Problem::from_record(record).unwrap();
        assert_eq!(
            (problem.solver_move_count(), &problem.rules.1[..]),
            (3, &settings.map(String::from)[..])
        );
        assert!(problem.themes.contains(&ProblemTheme::Placement));
        let place =
            GameHistory::new(rules.clone(), rules.parse_position(&problem.position).unwrap());
        assert!(place.legal_move_list().len() >= 7, "{}", problem.position);
    }
}

/// The composer finds the problems of the games in one file again. It omits problems that are in
/// another file.
#[test]
fn finds_problems_in_a_file_and_skips_known_ones() {
    let folder = Folder::new("composed");
    let file = folder.path().join("known.txt");
    let (known, ..) = compose(&format!("{SMALL_BOARD} --length 2..4 --count 3 --seed 5"));
    fs::write(&file, format!("{known}% end\n")).unwrap();
    let file = file.to_str().unwrap();
    let (again, err, code) = compose(&format!("{SMALL_BOARD} --length 2..4 --from {file}"));
    assert_eq!((again.as_str(), code), (known.as_str(), Some(0)));
    let warning = "known.txt: not read: a line that begins with % (line ";
    assert!(err.contains(warning) && err.lines().count() == 1, "{err}");
    let (none, ..) = compose(&format!("{SMALL_BOARD} --length 2..4 --from {file} --beside {file}"));
    assert_eq!(none, "");
    let (fewer, err, code) =
        compose(&format!("{SMALL_BOARD} --length 2..4 --from {file} --count 4"));
    assert!(
        fewer == known && err.contains("3 of 4 problems were found") && code == Some(1),
        "{err}"
    );
    let (_, err, code) = compose(&format!("bushka --from {file}"));
    assert!(
        err.contains("it is a game of 'quoridor', and the problems are of bushka")
            && code == Some(1),
        "{err}"
    );
    let (_, err, code) = compose(&format!("roses --from {file}x"));
    assert!(err.contains("known.txtx") && code == Some(1), "{err}");
}

/// If the opponent threatens to win at once, the composer searches for a win in several moves.
#[test]
fn alcaxar_problem_parries_a_threat() {
    let (out, err, code) = compose("alcaxar --count 1 --length 2..3 --seed 13");
    assert_eq!((err.as_str(), code), ("", Some(0)));
    let problem = Problem::from_record(&GameRecord::parse(&out).unwrap()).unwrap();
    let rules = rules::<Alcaxar>(&[]);
    let position = rules.parse_position(&problem.position).unwrap();
    let passed =
        GameHistory::new(rules.clone(), rules.position_after_null_move(&position).unwrap());
    let has_threat = passed.legal_move_list().into_iter().any(|mv| {
        let outcome = rules.outcome(&rules.play(passed.position(), mv));
        outcome.and_then(Outcome::winner) == Some(passed.side_to_move())
    });
    assert!(has_threat, "{out}");
    check_problem_slowly("alcaxar", sides::<Alcaxar>(&position), &problem);
}

/// Composes problems in this process. Its tests share the tables of the game.
#[test]
fn composes_draws() {
    let folder = Folder::new("draws");
    let file = folder.path().join("draws.txt");
    let options = default_options::<Roses>();
    let theme = Some(ProblemTheme::Draw);
    let from = None;
    let known = Vec::new();
    let settings = &ProblemListSettings {
        count: Some(2),
        seed: 1,
        lengths: 1..=3,
        moves: 2,
        theme,
        nodes: 20_000,
        games: 50,
        from,
        known,
    };
    let out = &Output::new(fs::File::create(&file).unwrap(), ErrorTarget::Stderr);
    ProblemListBuilder { settings, options: &options, out }.run_for_game_type::<Roses>().unwrap();
    let rules = rules::<Roses>(&[]);
    let grader = ProblemGrader::<Roses>::new(&options, 20_000, false).unwrap();
    let records = GameRecord::parse_all(&fs::read_to_string(file).unwrap()).unwrap();
    assert_eq!(records.len(), 2);
    for record in records {
        let problem = Problem::from_record(&record).unwrap();
        assert!(problem.is_draw() && record.result == "1/2-1/2", "{}", problem.position);
        let place =
            GameHistory::new(rules.clone(), rules.parse_position(&problem.position).unwrap());
        check_problem_slowly("roses", sides::<Roses>(place.position()), &problem);
        assert_eq!(grader.problem_from_history(&place, &(1..=3)), Ok(problem));
    }
}

#[test]
fn rejects_what_cannot_be_composed() {
    let check_rejected = |arguments: &str, why: &str| {
        let (out, err, code) = compose(arguments);
        assert!(out.is_empty() && err.contains(why) && code == Some(2), "{arguments}: {out}{err}");
    };
    check_rejected("--count 1", "which game? 'pentarch problems GAME', one of alcaxar, alquerque");
    check_rejected("rosse", "there is no game 'rosse' (did you mean 'roses'?)");
    check_rejected("roses --game bushka", "the game is named twice: by --game, and as a word");
    check_rejected("roses --length 6", "expected a number from 1 to 5");
    check_rejected("roses --length 3..2", "expected a number from 1 to 5");
    check_rejected("roses --theme capure", "capture");
    check_rejected("quoridor --set Quoridor_Players=4", "two");
    check_rejected("quoridor --theme draw", "no repeated position is a draw");
    check_rejected("alcaxar --theme draw", "no repeated position is a draw");
    check_rejected("bushka --theme quiet", "in bushka it is not known what a move threatens");
    let (out, err, code) = compose("bushka --theme surprise --length 1 --games 1 --seed 1");
    assert!(
        out.is_empty() && err.contains("0 of 10 problems were found") && code == Some(1),
        "{out}{err}"
    );
}

#[test]
fn converts_a_position_to_a_problem_or_explains_the_failure() {
    let (out, err, code) = compose("roses --position c/1s1s/1SSs1/S1s2/1S2/C b 0/0 1");
    assert_eq!((err.as_str(), code), ("", Some(0)));
    let game = all_game_words().iter().position(|&word| word == "roses").unwrap();
    let known = all_games()[game]
        .problems()
        .iter()
        .find(|problem| problem.position == "c/1s1s/1SSs1/S1s2/1S2/C b 0/0 1");
    // The tempting move depends on the levels, which have changed since the problem was composed.
    let composed = Problem::from_record(&GameRecord::parse(&out).unwrap()).unwrap();
    let without_temptation = |problem: &Problem| Problem { temptation: None, ..problem.clone() };
    assert_eq!(without_temptation(&composed), without_temptation(known.unwrap()));
    assert!(composed.temptation.is_some());
    for (arguments, why) in [
        (
            "quoridor --length 1 --position startpos",
            "neither a win of white within 1 move was found nor one move that holds a draw",
        ),
        (
            "quoridor --length 3 --position e8d5 - w 10/10 20",
            "white wins in 1 move, and not in 3 or more",
        ),
        ("quoridor --position fen e8a9 - w 10/10 1 moves e9", "the game is over there"),
        // Black also wins if it leaves the path and returns to it.
        (
            "quoridor --position h7i3 a4ha6ha7hb7vb8hc1vc4hc7he4he7hf6vf8hg1hg3vg4hg6hg8vh7h b 2/0 1",
            "i2 and h3 both win",
        ),
        (
            "quoridor --position c8i7 a2ha3ha6ha7hb3vb4hb8hc4vc5hc8vd4hd6vd7hd8hf2vf4hf6h w 0/3 1",
            "b8 wins, but no proof was found that no other move does",
        ),
    ] {
        let (out, err, code) = compose(arguments);
        assert!(
            out.is_empty()
                && err.contains("it is not a problem: ")
                && err.contains(why)
                && code == Some(1),
            "{err}"
        );
    }
    let (_, err, code) = compose("roses --position c/1s1s b");
    assert!(err.contains("expected") && code == Some(2), "{err}");
}

/// Types these lines at the problem prompt. The state of the program is in this folder. Returns the
/// output and the error output.
fn solve(folder: &Folder, game: &str, typed: &str) -> (String, String) {
    let mut command = program(["play", "--problems", game]);
    command
        .env("XDG_STATE_HOME", folder.path())
        .env("LOCALAPPDATA", folder.path())
        .env("HOME", folder.path());
    let (out, err, code) = run(command, typed);
    assert_eq!(code, Some(0), "{out}{err}");
    (out.replace("\n  ", " "), err)
}

#[test]
fn solves_problems_at_the_terminal_and_stores_them() {
    let folder = Folder::new("problems");
    let game = all_game_words().iter().position(|&word| word == "roses").unwrap();
    let problems = all_games()[game].problems();
    // The first problem of two moves is solved. A wrong move comes before.
    let at = problems.iter().position(|problem| problem.solver_move_count() == 2).unwrap();
    let number = at + 1;
    let Problem { solution, position, .. } = &problems[at];
    let rules = rules::<Roses>(&[]);
    let texts = GameHistory::new(rules.clone(), rules.parse_position(position).unwrap())
        .legal_move_strings();
    let wrong = texts.iter().find(|text| **text != solution[0]).unwrap();
    let typed = format!(
        "problem {number}\n{wrong}\nhint\nhint\n{}\nzz9\n{}\nmoves\n{}\nagain\nsolution\nproblem 0\nagain\nnxt\n",
        solution[0], solution[2], solution[2]
    );
    let (out, err) = solve(&folder, "roses", &typed);
    assert_eq!(err, "");
    for told in [
        &format!("Problem 1 of {}, grade 1. You have solved 0.", problems.len()),
        " is to move and wins in 2 moves.",
        &format!("{wrong} does not win"),
        "It is taken back: another move wins.",
        "Look among the ",
        "It is one of these: ",
        &format!("Right: {}. The reply is {}. What now?", solution[0], solution[1]),
        "'zz9' is neither a move nor a command",
        "Solved. ",
        "This problem is over: 'next' shows another one",
        ", solved. You have solved 1.",
        &format!("The solution: {}.", solution.join(" ")),
        "Expected a number from 1 to ",
        "did you mean 'next'?",
    ] {
        assert!(out.contains(told), "{told}: {out}");
    }
    let (out, _) = solve(&folder, "roses", &format!("problem {number}\n"));
    assert!(out.contains("You have solved 1.") && out.contains(", solved."), "{out}");
    // If the file contains something other than solved problems, it remains unchanged. The program
    // continues without it.
    let file = ["pentarch", ".local/state/pentarch", "Library/Application Support/pentarch"]
        .map(|name| folder.path().join(name).join("problems"))
        .into_iter()
        .find(|file| file.exists())
        .unwrap();
    assert_eq!(fs::read_to_string(&file).unwrap(), format!("roses {position}\n"));
    fs::write(&file, "\u{1b}[2J hostile\n").unwrap();
    let (out, err) = solve(&folder, "roses", &format!("{}\n", problems[0].solution[0]));
    assert!(out.contains("Solved. ") && out.contains("You have solved 0."), "{out}");
    assert!(
        err.contains("solved problems are not saved: ")
            && err.contains("line 1: ")
            && !err.contains('\u{1b}'),
        "{err}"
    );
    assert_eq!(fs::read_to_string(&file).unwrap(), "\u{1b}[2J hostile\n");
}

/// Problems of Quoridor on smaller boards have the rules of these boards, both at the terminal and
/// in the record.
#[test]
fn problem_on_another_board_has_its_own_rules() {
    let folder = Folder::new("boards");
    let game = all_game_words().iter().position(|&word| word == "quoridor").unwrap();
    let problems = all_games()[game].problems();
    for size in [5, 7, 9] {
        let at = problems
            .iter()
            .position(|problem| board_size(problem) == size && problem.solver_move_count() > 1)
            .unwrap_or_else(|| panic!("no problem on {size}x{size}"));
        let own: Vec<&str> = problems[at].solution.iter().step_by(2).map(String::as_str).collect();
        let (out, err) =
            solve(&folder, "quoridor", &format!("problem {}\n{}\n", at + 1, own.join("\n")));
        assert!(err.is_empty() && out.contains("Solved. "), "{size}: {out}{err}");
    }
}

#[test]
fn problems_are_separate_from_a_game() {
    for arguments in [&["--side", "both"][..], &["--load", "x"], &["--clock", "5+0"]] {
        let (out, err, code) =
            run(program([&["play", "roses", "--problems"], arguments].concat()), "");
        assert!(out.is_empty() && err.contains("cannot be used with") && code == Some(2), "{err}");
    }
    for (game, rule) in
        [("quoridor", "Quoridor_BoardSize=5"), ("alquerque", "Alquerque_Ruleset=bell")]
    {
        let (out, err, code) = run(program(["play", game, "--problems", "--set", rule]), "");
        assert!(
            out.is_empty()
                && err.contains("default rules")
                && err.contains(rule)
                && code == Some(2),
            "{err}"
        );
    }
    let (_, err, code) = run(program(["play", "--problems"]), "");
    assert!(err.contains("which game?") && code == Some(2), "{err}");
}
