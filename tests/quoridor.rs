//! Quoridor against a second, slow implementation of its rules, and what fixtures cannot say.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use pentarch_core::{Evaluate, GameHistory, Notation, Outcome, Point, Rules, Side, Turn};
use pentarch_quoridor::Quoridor;
use pentarch_search::control::Control;
use pentarch_search::transposition::TranspositionTable;
use pentarch_search::{Limits, score, search};
use pentarch_slow_rules::quoridor::Slow;

use crate::common::*;
use crate::projection::{self, GoGraphics, points};

/// The rules that these settings choose, in both implementations, at their start positions.
fn both(size: i32, walls: [u32; 2], repetition_draw: bool) -> (GameHistory<Quoridor>, Slow) {
    let size_setting = format!("Quoridor_BoardSize={size}");
    let walls_setting = format!("Quoridor_Walls={}", walls[0]);
    let second = if walls[0] == walls[1] { "same".into() } else { walls[1].to_string() };
    let second_setting = format!("Quoridor_Walls2={second}");
    let draw_setting = format!("RepetitionDraw={repetition_draw}");
    let rules = rules::<Quoridor>(&[&size_setting, &walls_setting, &second_setting, &draw_setting]);
    (new_history(&rules), Slow::start(size, walls, repetition_draw))
}

/// What both implementations say of a position must be the same; returns the legal moves.
fn compare(history: &GameHistory<Quoridor>, slow: &Slow) -> Vec<String> {
    let (outcome, legal) = slow.judge();
    let (rules, position) = (history.rules(), history.position());
    assert_eq!(rules.position_text(position), slow.text());
    assert_eq!(outcome_text::<Quoridor>(history.outcome()), outcome, "{}", slow.text());
    assert_eq!(move_texts(history), legal, "{}", slow.text());
    // Where a wall is left in hand the net judges, which does not show its distances.
    if history.outcome().is_none() && position.walls_left == [0; 2] {
        let mut parts = Vec::new();
        rules.features(position, &rules.eval_cache(position), |part| parts.push(part));
        let steps = [0, 1].map(|side| slow.steps_to_goal(side).unwrap());
        assert_eq!(
            (Quoridor::FEATURE_WEIGHTS[1].0, parts[1]),
            ("steps to the goal", steps),
            "{}",
            slow.text()
        );
    }
    legal
}

/// Plays random games under every board size, several numbers of walls, with and without the draw by repetition, and
/// compares at every ply. A die decides first whether to walk or to build, so that the games are of all kinds.
fn compare_random_games(games: usize, seed: u64) {
    let mut rng = fastrand::Rng::with_seed(seed);
    for size in 3..=11 {
        for walls in [[0; 2], [1; 2], [3; 2], [10; 2], [20; 2], [10, 5], [0, 7]] {
            for game in 0..games {
                let (mut history, mut slow) = both(size, walls, game % 2 == 0);
                let building = rng.usize(..10);
                for _ in 0..200 {
                    let legal = compare(&history, &slow);
                    let (steps, builds): (Vec<String>, Vec<String>) =
                        legal.into_iter().partition(|text| !text.ends_with(['h', 'v']));
                    let chosen = if rng.usize(..10) < building && !builds.is_empty() {
                        builds
                    } else {
                        steps
                    };
                    if chosen.is_empty() {
                        break;
                    }
                    let text = &chosen[rng.usize(..chosen.len())];
                    history.push(history.find_move(text).unwrap());
                    slow.play(text);
                }
            }
        }
    }
}

#[test]
fn both_implementations_agree_in_random_games() {
    compare_random_games(1, 1);
}

/// `cargo test --release --test all quoridor:: -- --ignored`
#[test]
#[ignore = "plays thousands of games with the slow implementation: minutes"]
fn both_implementations_agree_in_many_random_games() {
    compare_random_games(200, fresh_seed());
}

/// Every position of the smallest board, whatever the walls and the walls left.
#[test]
fn both_implementations_agree_on_every_position_of_the_smallest_board() {
    let each = 2;
    let (history, _) = both(3, [each; 2], false);
    let rules = history.rules();
    let squares: Vec<String> =
        (1..=3).flat_map(|file| (1..=3).map(move |rank| Slow::name((file, rank)))).collect();
    let mut undecided = 0;
    // Each of the four posts: no wall, a horizontal one or a vertical one.
    for pattern in 0..81 {
        let mut walls = String::new();
        let mut placed = 0;
        for (at, post) in ["a1", "a2", "b1", "b2"].into_iter().enumerate() {
            let kind = pattern / 3_u32.pow(at as u32) % 3;
            if kind > 0 {
                walls += &format!("{post}{}", ["", "h", "v"][kind as usize]);
                placed += 1;
            }
        }
        let list = if placed == 0 { "-" } else { &walls };
        for white in &squares {
            for black in &squares {
                for side in ["w", "b"] {
                    for white_left in 0..=each {
                        let Some(black_left) = (2 * each).checked_sub(placed + white_left) else {
                            continue;
                        };
                        let text =
                            format!("{white}{black} {list} {side} {white_left}/{black_left} 1");
                        let slow = Slow::read(3, false, &text);
                        let sound = white != black
                            && slow.pawns[slow.side].1 != slow.goal(slow.side)
                            && (0..2).all(|side| slow.steps_to_goal(side).is_some())
                            && black_left <= each
                            && slow.walls.iter().all(|&wall| {
                                let others = slow
                                    .walls
                                    .iter()
                                    .copied()
                                    .filter(|&other| other != wall)
                                    .collect();
                                Slow { walls: others, ..slow.clone() }.may_place(wall)
                            });
                        let read = rules.parse_position(&text);
                        assert_eq!(read.is_ok(), sound, "{text}: {read:?}");
                        if let Ok(position) = read {
                            let history = GameHistory::new(rules.clone(), position);
                            compare(&history, &slow);
                            // "With two pawns it cannot happen in a valid position": no legal move.
                            undecided += u32::from(history.outcome().is_none());
                            assert!(
                                history.outcome().is_some() || !slow.pawn_moves().is_empty(),
                                "{text}"
                            );
                        }
                    }
                }
            }
        }
    }
    assert!(undecided > 1000, "{undecided}");
}

/// The positions of `heavy.perft`: middle games full of walls, taken from games by the default rules. A die decides
/// whether to build, anywhere, or to walk, along a shortest way. A game with an odd seed stops at 12 walls, one with an
/// even seed at 14; it counts if it is undecided there and three walls are left to each side. The ten that come first.
#[test]
fn the_heavy_positions_are_those_of_the_first_seeded_games() {
    let heavy = |seed| {
        let mut rng = fastrand::Rng::with_seed(seed);
        let (_, mut slow) = both(9, [10; 2], false);
        while slow.walls.len() < if seed % 2 == 1 { 12 } else { 14 } {
            let moves = slow.judge().1;
            let (steps, builds): (Vec<String>, Vec<String>) =
                moves.into_iter().partition(|text| !text.ends_with(['h', 'v']));
            let way = |text: &String| {
                let mut after = slow.clone();
                after.play(text);
                after.steps_to_goal(slow.side)
            };
            let shortest = steps.iter().map(way).min();
            let walks = steps.into_iter().filter(|text| shortest == Some(way(text))).collect();
            let chosen = if rng.bool() && !builds.is_empty() { builds } else { walks };
            slow.play(chosen.get(rng.usize(..chosen.len().max(1)))?);
        }
        (slow.judge().0 == "ongoing" && slow.left.iter().all(|&left| left >= 3))
            .then(|| slow.text())
    };
    let taken: Vec<String> = (1..).filter_map(heavy).take(10).collect();
    let mut listed: Vec<String> = Vec::new();
    for case in cases::<Quoridor>("heavy.perft") {
        if listed.last() != Some(&case.fen) {
            listed.push(case.fen);
        }
    }
    assert_eq!(listed, taken);
}

/// The counts of the perft files are those of the slow implementation too.
fn compare_perft_files(most: u64) {
    for case in cases::<Quoridor>(".perft") {
        let (depth, nodes) = case.text.split_once(' ').unwrap();
        let nodes: u64 = nodes.parse().unwrap();
        let pawns = case.rules.position_text(&case.rules.start());
        let size = Slow::names(pawns.split(' ').next().unwrap(), false)[1].1;
        if nodes <= most {
            let repetition_draw =
                case.rules.repetition_outcome(case.history().position()).is_some();
            let slow = Slow::read(size, repetition_draw, &case.fen);
            assert_eq!(slow.perft(depth.parse().unwrap()), nodes, "{}", case.place);
        }
    }
}

#[test]
fn small_perft_counts_agree() {
    compare_perft_files(1500);
}

/// `cargo test --release --test all quoridor:: -- --ignored`
#[test]
#[ignore = "counts up to a million leaves with the slow implementation: minutes"]
fn large_perft_counts_agree() {
    compare_perft_files(1_000_000);
}

/// Every text that has the form of a move, on the board and next to it, is found exactly if it is generated; and every
/// other one gets a reason in one line.
#[test]
fn moves_are_found_exactly_if_they_are_generated() {
    let mut rng = fastrand::Rng::with_seed(3);
    for rules in rule_sets::<Quoridor>(4) {
        let mut ply = 0;
        random_game(new_history(&rules), &mut rng, 60, |history| {
            ply += 1;
            if history.outcome().is_some() || ply % 7 != 1 {
                return;
            }
            let legal = move_texts(history);
            for file in 'a'..='m' {
                for rank in 1..=13 {
                    for ending in ["", "h", "v"] {
                        let text = format!("{file}{rank}{ending}");
                        match history.find_move(&text) {
                            Ok(mv) => {
                                assert_eq!(rules.move_text(mv), text);
                                assert!(legal.contains(&text), "{text} is not generated");
                            }
                            Err(error) => {
                                let place = rules.position_text(history.position());
                                assert!(
                                    !legal.contains(&text),
                                    "{place}: {text} is generated, but: {error}"
                                );
                                let error = error.to_string();
                                assert!(
                                    error.len() > 10
                                        && !error.contains('\n')
                                        && !error.ends_with(' '),
                                    "{error}"
                                );
                            }
                        }
                    }
                }
            }
        });
    }
}

/// Random texts near position texts: what is accepted prints back byte for byte, and nothing panics.
#[test]
fn position_texts_are_canonical() {
    let (mut rng, mut slips) = (fastrand::Rng::with_seed(4), fastrand::Rng::with_seed(5));
    let letters: Vec<char> = "abcdefghijkvhw0123456789/- \u{e9}".chars().collect();
    for rules in rule_sets::<Quoridor>(4) {
        random_game(new_history(&rules), &mut rng, 40, |history| {
            let text = rules.position_text(history.position());
            for _ in 0..50 {
                let mut characters: Vec<char> = text.chars().collect();
                for _ in 0..=slips.usize(..2) {
                    let at = slips.usize(..characters.len());
                    let letter = letters[slips.usize(..letters.len())];
                    match slips.usize(..3) {
                        0 => characters[at] = letter,
                        1 => characters.insert(at, letter),
                        _ => drop(characters.remove(at)),
                    }
                }
                let text: String = characters.into_iter().collect();
                if let Ok(position) = rules.parse_position(&text) {
                    assert_eq!(rules.position_text(&position), text);
                }
            }
        });
    }
}

/// "The engine reports no draw by itself": without the common option a position may come for ever.
#[test]
fn without_the_option_no_repetition_ends_the_game() {
    let (mut history, _) = both(9, [10; 2], false);
    for _ in 0..5 {
        for text in ["e2", "e8", "e1", "e9"] {
            history.push(history.find_move(text).unwrap());
            assert_eq!(history.outcome(), None);
        }
    }
    assert_eq!(history.earlier_occurrences().count(), 5);
}

/// The third occurrence counts pawns, walls, walls left and the side; the first one is that of the start.
#[test]
fn with_the_option_the_third_occurrence_is_a_draw() {
    let (mut history, _) = both(9, [10; 2], true);
    for text in ["e2", "e8", "e1", "e9", "e2", "e8", "e1"] {
        history.push(history.find_move(text).unwrap());
        assert_eq!(history.outcome(), None);
    }
    history.push(history.find_move("e9").unwrap());
    assert_eq!(history.outcome(), Some(Outcome::Draw("repetition")));
    let mut moves = Vec::new();
    history.legal_moves(&mut moves);
    assert!(moves.is_empty());
    assert_eq!(
        history.find_move("e2").unwrap_err().to_string(),
        "the game is over: it is a draw (repetition)"
    );
}

/// The best move of a search of one ply and its score, after these moves.
fn searched(rules: &Arc<Quoridor>, position: &str, moves: &str) -> (String, Option<i32>) {
    let mut history = GameHistory::new(rules.clone(), rules.parse_position(position).unwrap());
    for text in moves.split_whitespace() {
        history.push(history.find_move(text).unwrap());
    }
    let (limits, tables) =
        (Limits { depth: Some(1), ..Limits::default() }, no_tables(rules.as_ref()));
    let answer = search(
        &history,
        &tables,
        &limits,
        &TranspositionTable::default(),
        &Control::default(),
        &mut |_| {},
    )
    .unwrap();
    (rules.move_text(answer.best), answer.score)
}

/// White has four steps to go, Black too. The last wall costs Black the race; what stood twice before it does not come
/// again. Of the race itself, a position that stands for the third time is a draw, though its race is won.
#[test]
fn races_are_won_unless_a_position_on_the_way_stands_for_the_third_time() {
    let rules = rules::<Quoridor>(&["Quoridor_Walls=1", "RepetitionDraw=true"]);
    let [last_wall, race] = ["a5i5 e1h w 1/0 9", "a5i5 e1he8h w 0/0 9"];
    let there_and_back = "a4 i6 a5 i5";
    let by_wall = searched(&rules, last_wall, "");
    assert_eq!(by_wall.1, Some(score::win_at(9)));
    assert_eq!(searched(&rules, last_wall, there_and_back), by_wall);
    let by_step = ("a6".into(), Some(score::win_at(7)));
    assert_eq!(searched(&rules, race, ""), by_step);
    assert_eq!(searched(&rules, race, there_and_back), by_step);
    // Now a6 is a draw: with Black to move it stands for the third time. All else loses.
    assert_eq!(searched(&rules, race, "a6 i6 a7 i5 a6 i6 a5 i5"), ("a6".into(), Some(0)));
}

/// Steps can be taken back, walls cannot; a null move hides what came before it, and leaves it where it is.
#[test]
fn only_walls_leave_earlier_positions_for_good() {
    let (mut history, _) = both(9, [10; 2], true);
    let pass = |history: &mut GameHistory<Quoridor>| {
        let after = history.rules().null_move(history.position()).unwrap();
        history.push_null_move(after);
    };
    for text in ["e2", "e8"] {
        history.push(history.find_move(text).unwrap());
    }
    assert!(history.is_irreversible_since(0) && !history.is_irreversible_since(1));
    pass(&mut history);
    assert!(!history.is_irreversible_since(1) && !history.is_irreversible_since(2));
    history.push(history.find_move("e7").unwrap());
    pass(&mut history);
    assert!(!history.is_irreversible_since(1));
    history.push(history.find_move("a1h").unwrap());
    assert!(history.is_irreversible_since(6) && !history.is_irreversible_since(7));
    pass(&mut history);
    assert!(
        history.is_irreversible_since(6) && !history.is_irreversible_since(7),
        "nothing before the wall comes again"
    );
    while history.len() > 2 {
        history.pop();
    }
    assert!(!history.is_irreversible_since(1));
}

/// The first moves to try are steps along a shortest way, then walls across the opponent's way.
#[test]
fn steps_forward_and_walls_in_the_way_are_the_most_promising() {
    let rules = rules::<Quoridor>(&[]);
    let position = rules.parse_position("c3g7 - w 10/10 1").unwrap();
    let history = GameHistory::new(rules.clone(), position);
    let cache = rules.eval_cache(&position);
    let move_ordering_scores = rules.move_ordering_scores(&position, &cache);
    let ordering_score = |text: &str| move_ordering_scores(history.find_move(text).unwrap());
    let best_first = ["c4", "g6h", "a1v", "c8h"].map(ordering_score);
    assert!(best_first.is_sorted_by(|better, worse| better > worse), "{best_first:?}");
    assert!(
        ordering_score("c4") > ordering_score("c2") && ordering_score("c2") == ordering_score("b3")
    );
}

/// Lines of the drawn board.
#[test]
fn the_diagram_shows_pawns_walls_and_what_is_left() {
    let rules = rules::<Quoridor>(&["Quoridor_BoardSize=5", "Quoridor_Walls=3"]);
    let position = rules.parse_position("c2d4 a3hc3v b 2/2 2").unwrap();
    let drawn = "   +---+---+---+---+---+
 5 |                   |   black, walls left: 2
   +   +   +   +   +   +
 4 |           | B     |
   +-------+   |   +   +
 3 |           |       |
   +   +   +   +   +   +
 2 |         W         |
   +   +   +   +   +   +
 1 |                   |   white, walls left: 2
   +---+---+---+---+---+
     a   b   c   d   e
W, B: the pawns";
    assert_eq!(rules.diagram(&position, Side::First).to_string(), drawn);
    assert_eq!(position.side_to_move(), Side::Second);
}

/// What the texts say of the board of a Go front end. It has a point for each square and each gap between squares.
struct QuoridorNotation;

/// The point of a square.
fn on_board(square: Point) -> Point {
    Point::new(2 * square.file, 2 * square.rank)
}

/// The walls in a position text: each a letter, digits, and the letter that ends it.
fn walls(field: &str) -> Vec<&str> {
    let is_last = |&(at, letter): &(usize, char)| {
        letter.is_ascii_lowercase() && at > 0 && field.as_bytes()[at - 1].is_ascii_digit()
    };
    let mut walls = Vec::new();
    let mut from = 0;
    for (at, _) in field.char_indices().filter(is_last) {
        walls.push(&field[from..=at]);
        from = at + 1;
    }
    walls
}

/// The points on which a wall stands, the one that is clicked first.
fn wall(text: &str) -> [(u8, u8); 3] {
    let (square, direction) = text.split_at(text.len() - 1);
    let Point { file, rank } = on_board(points(square)[0]);
    match direction {
        "h" => [(file, rank + 1), (file + 1, rank + 1), (file + 2, rank + 1)],
        "v" => [(file + 1, rank), (file + 1, rank + 1), (file + 1, rank + 2)],
        other => panic!("{other} is no direction"),
    }
}

impl projection::BoardNotation<Quoridor> for QuoridorNotation {
    const HAS_CAPTURES: bool = false;

    fn pieces(board: &str) -> BTreeMap<Point, Side> {
        points(board).into_iter().map(on_board).zip(Side::BOTH).collect()
    }

    fn clicks(text: &str) -> Vec<Point> {
        if text.ends_with(['h', 'v']) {
            let (file, rank) = wall(text)[0];
            return vec![Point::new(file, rank)];
        }
        points(text).into_iter().map(on_board).collect()
    }

    /// Each wall is three points of one colour, which nothing else has; each side's goal rank has a colour of its own.
    /// Each pawn has the number of walls that its side has left.
    fn check_graphics(drawn: &GoGraphics, fields: &[&str], size: u8, place: &str) {
        let walls = walls(fields[1]);
        let standing: BTreeSet<(u8, u8)> = walls.iter().flat_map(|&text| wall(text)).collect();
        assert_eq!(standing.len(), 3 * walls.len(), "{place}");
        let squares = |rank: u8| -> BTreeSet<(u8, u8)> {
            (0..size).step_by(2).map(|file| (file, rank)).collect()
        };
        let inner = (2..size - 1).step_by(2).flat_map(squares).collect();
        let mut painted = 0;
        for kind in [standing, squares(size - 1), squares(0), inner] {
            if let Some(point) = kind.iter().next() {
                assert_eq!(drawn.coloured_in(&drawn.colours[point]), kind, "{place}");
            }
            painted += kind.len();
        }
        assert_eq!(drawn.colours.len(), painted, "{place}");
        let (white, black) = fields[3].split_once('/').unwrap();
        let pawns = points(fields[0]).into_iter().map(on_board);
        let numbers = pawns
            .zip([white, black])
            .map(|(pawn, count)| ((pawn.file, pawn.rank), count.to_string()));
        assert_eq!(drawn.labels, numbers.collect(), "{place}");
        for (count, side) in [(white, "(black stones)"), (black, "(white stones)")] {
            assert!(
                drawn.text.contains(&format!("{side} has {count} walls left")),
                "{place}: {}",
                drawn.text
            );
        }
    }
}

#[test]
fn the_board_of_a_go_front_end_is_as_the_texts_say() {
    projection::check_board::<Quoridor, QuoridorNotation>();
}
