//! Compares Quoridor with a second, slow implementation of its rules. Also tests rules that
//! fixtures cannot express.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use pentarch_core::{Evaluate, GameHistory, HasTurn, Notation, Outcome, Point, Rules, Side};
use pentarch_quoridor::Quoridor;
use pentarch_search::control::SearchControl;
use pentarch_search::transposition::TranspositionTable;
use pentarch_search::{Limits, score, search};
use pentarch_slow_rules::quoridor::{SlowPosition, SlowStatus};

use crate::common::*;
use crate::projection::{self, GoGraphics, points};

/// Returns the rules that these settings select, in both implementations, and their start
/// positions.
fn both_implementations(
    size: i32,
    walls: [u32; 2],
    repetition_draw: bool,
) -> (GameHistory<Quoridor>, SlowPosition) {
    let size_setting = format!("Quoridor_BoardSize={size}");
    let walls_setting = format!("Quoridor_Walls={}", walls[0]);
    let second = if walls[0] == walls[1] { "same".into() } else { walls[1].to_string() };
    let second_setting = format!("Quoridor_Walls2={second}");
    let draw_setting = format!("RepetitionDraw={repetition_draw}");
    let rules = rules::<Quoridor>(&[&size_setting, &walls_setting, &second_setting, &draw_setting]);
    (new_history(&rules), SlowPosition::start(size, walls, repetition_draw))
}

/// Compares both implementations of a position. Returns the legal moves.
fn compare(history: &GameHistory<Quoridor>, slow: &SlowPosition) -> Vec<String> {
    let SlowStatus { outcome, legal_moves } = slow.status();
    let rules = history.rules();
    let position = history.position();
    assert_eq!(rules.position_text(position), slow.text());
    assert_eq!(status_protocol_words::<Quoridor>(history.outcome()), outcome, "{}", slow.text());
    assert_eq!(legal_move_strings(history), legal_moves, "{}", slow.text());
    // If a side has a wall left in hand, the features are those of the net. They contain no
    // distances.
    if history.outcome().is_none() && position.walls_left == [0; 2] {
        let mut parts = Vec::new();
        rules.visit_features(position, &rules.compute_eval_data(position), |part| parts.push(part));
        let steps = [0, 1].map(|side| slow.distance_to_goal(side).unwrap());
        assert_eq!(
            (Quoridor::FEATURE_WEIGHTS[1].0, parts[1]),
            ("steps to the goal", steps),
            "{}",
            slow.text()
        );
    }
    legal_moves
}

/// Plays random games and compares both implementations at every ply. The games have boards of
/// every size and several numbers of walls, with and without the draw by repetition. The share of
/// walls among the moves differs from game to game. So there are games of all kinds.
fn compare_random_games(games: usize, seed: u64) {
    let mut rng = fastrand::Rng::with_seed(seed);
    for size in 3..=11 {
        for walls in [[0; 2], [1; 2], [3; 2], [10; 2], [20; 2], [10, 5], [0, 7]] {
            for game in 0..games {
                let (mut history, mut slow) = both_implementations(size, walls, game % 2 == 0);
                let wall_share = rng.usize(..10);
                for _ in 0..200 {
                    let legal = compare(&history, &slow);
                    let (steps, walls): (Vec<String>, Vec<String>) =
                        legal.into_iter().partition(|text| !text.ends_with(['h', 'v']));
                    let chosen = if rng.usize(..10) < wall_share && !walls.is_empty() {
                        walls
                    } else {
                        steps
                    };
                    if chosen.is_empty() {
                        break;
                    }
                    let text = &chosen[rng.usize(..chosen.len())];
                    history.push(history.resolve_move(text).unwrap());
                    slow.play(text);
                }
            }
        }
    }
}

#[test]
fn agrees_with_the_slow_rules_in_random_games() {
    compare_random_games(1, 1);
}

/// To run this test: `cargo test --release --test all quoridor:: -- --ignored`
#[test]
#[ignore = "plays thousands of games with the slow implementation: minutes"]
fn agrees_with_the_slow_rules_in_many_random_games() {
    compare_random_games(200, fresh_seed());
}

/// Returns whether a position can occur in a game, judging only by its pawns and walls.
fn is_possible(slow: &SlowPosition) -> bool {
    slow.pawns[slow.side].1 != slow.goal(slow.side)
        && (0..2).all(|side| slow.distance_to_goal(side).is_some())
        && slow.walls.iter().all(|&wall| {
            let others = slow.walls.iter().copied().filter(|&other| other != wall).collect();
            SlowPosition { walls: others, ..slow.clone() }.can_place(wall)
        })
}

/// Tests every position of the smallest board, with all placements and numbers of walls.
#[test]
fn agrees_with_the_slow_rules_on_every_position_of_the_smallest_board() {
    let walls_each = 2;
    let (history, _) = both_implementations(3, [walls_each; 2], false);
    let rules = history.rules();
    let squares: Vec<String> = (1..=3)
        .flat_map(|file| (1..=3).map(move |rank| SlowPosition::square_name((file, rank))))
        .collect();
    let mut undecided = 0;
    // Each of the four posts has no wall, a horizontal one or a vertical one.
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
                    for white_left in 0..=walls_each {
                        let Some(black_left) = (2 * walls_each).checked_sub(placed + white_left)
                        else {
                            continue;
                        };
                        let text =
                            format!("{white}{black} {list} {side} {white_left}/{black_left} 1");
                        let slow = SlowPosition::read(3, false, &text);
                        let is_valid =
                            white != black && black_left <= walls_each && is_possible(&slow);
                        let read = rules.parse_position(&text);
                        assert_eq!(read.is_ok(), is_valid, "{text}: {read:?}");
                        if let Ok(position) = read {
                            let history = GameHistory::new(rules.clone(), position);
                            compare(&history, &slow);
                            // "With two pawns it cannot happen in a valid position": this is about
                            // a player without a legal move.
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

/// The positions of `heavy.perft` are middle games with many walls. They come from games by the
/// default rules. In these games a player chooses at random: it places any wall, or it steps along
/// a shortest path. A game with an odd seed stops at 12 walls, and a game with an even seed at 14
/// walls. A game counts if it is undecided at that point and each side has at least three walls
/// left. The file contains the first ten of these games.
#[test]
fn heavy_perft_positions_are_those_of_the_first_seeded_games() {
    let play_game = |seed| {
        let mut rng = fastrand::Rng::with_seed(seed);
        let (_, mut slow) = both_implementations(9, [10; 2], false);
        while slow.walls.len() < if seed % 2 == 1 { 12 } else { 14 } {
            let moves = slow.status().legal_moves;
            let (steps, walls): (Vec<String>, Vec<String>) =
                moves.into_iter().partition(|text| !text.ends_with(['h', 'v']));
            let distance_after = |text: &String| {
                let mut after = slow.clone();
                after.play(text);
                after.distance_to_goal(slow.side)
            };
            let shortest = steps.iter().map(distance_after).min();
            let walks =
                steps.into_iter().filter(|text| shortest == Some(distance_after(text))).collect();
            let chosen = if rng.bool() && !walls.is_empty() { walls } else { walks };
            slow.play(chosen.get(rng.usize(..chosen.len().max(1)))?);
        }
        (slow.status().outcome == "ongoing" && slow.walls_left.iter().all(|&left| left >= 3))
            .then(|| slow.text())
    };
    let expected: Vec<String> = (1..).filter_map(play_game).take(10).collect();
    let mut listed: Vec<String> = Vec::new();
    for case in cases::<Quoridor>("heavy.perft") {
        if listed.last() != Some(&case.fen) {
            listed.push(case.fen);
        }
    }
    assert_eq!(listed, expected);
}

/// Compares the counts of the perft files with those of the slow implementation.
fn check_perft_files(most: u64) {
    for case in cases::<Quoridor>(".perft") {
        let (depth, nodes) = case.text.split_once(' ').unwrap();
        let nodes: u64 = nodes.parse().unwrap();
        let pawns = case.rules.position_text(&case.rules.start_position());
        let size = SlowPosition::parse_names(pawns.split(' ').next().unwrap(), false)[1].1;
        if nodes <= most {
            let repetition_draw =
                case.rules.repetition_outcome(case.history().position()).is_some();
            let slow = SlowPosition::read(size, repetition_draw, &case.fen);
            assert_eq!(slow.perft(depth.parse().unwrap()), nodes, "{}", case.place);
        }
    }
}

#[test]
fn small_perft_counts_agree() {
    check_perft_files(1500);
}

/// To run this test: `cargo test --release --test all quoridor:: -- --ignored`
#[test]
#[ignore = "counts up to a million leaves with the slow implementation: minutes"]
fn large_perft_counts_agree() {
    check_perft_files(1_000_000);
}

/// Tests every string that has the form of a move. Its squares are on the board or next to the
/// board. The string is accepted if and only if the move is generated. Every other string gets a
/// reason of a single line.
#[test]
fn accepts_exactly_the_generated_moves() {
    let mut rng = fastrand::Rng::with_seed(3);
    for rules in rule_sets::<Quoridor>(4) {
        let mut ply = 0;
        random_game(new_history(&rules), &mut rng, 60, |history| {
            ply += 1;
            if history.outcome().is_some() || ply % 7 != 1 {
                return;
            }
            let legal = legal_move_strings(history);
            for file in 'a'..='m' {
                for rank in 1..=13 {
                    for ending in ["", "h", "v"] {
                        let text = format!("{file}{rank}{ending}");
                        match history.resolve_move(&text) {
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

/// Tests random strings that are similar to position strings. Accepted strings are printed back
/// byte by byte, and no string causes a panic.
#[test]
fn accepted_position_strings_are_canonical() {
    let mut rng = fastrand::Rng::with_seed(4);
    let mut edits = fastrand::Rng::with_seed(5);
    let letters: Vec<char> = "abcdefghijkvhw0123456789/- \u{e9}".chars().collect();
    for rules in rule_sets::<Quoridor>(4) {
        random_game(new_history(&rules), &mut rng, 40, |history| {
            let text = rules.position_text(history.position());
            for _ in 0..50 {
                let mut characters: Vec<char> = text.chars().collect();
                for _ in 0..=edits.usize(..2) {
                    let at = edits.usize(..characters.len());
                    let letter = letters[edits.usize(..letters.len())];
                    match edits.usize(..3) {
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

/// "The engine reports no draw by itself": a position may repeat endlessly if the common option is
/// off.
#[test]
fn repetition_is_no_draw_without_the_option() {
    let (mut history, _) = both_implementations(9, [10; 2], false);
    for _ in 0..5 {
        for text in ["e2", "e8", "e1", "e9"] {
            history.push(history.resolve_move(text).unwrap());
            assert_eq!(history.outcome(), None);
        }
    }
    assert_eq!(history.plies_since_occurrences().count(), 5);
}

/// The third occurrence compares pawns, walls, the numbers of walls left, and the side to move. The
/// first occurrence is the start position.
#[test]
fn the_third_occurrence_is_a_draw_with_the_option() {
    let (mut history, _) = both_implementations(9, [10; 2], true);
    for text in ["e2", "e8", "e1", "e9", "e2", "e8", "e1"] {
        history.push(history.resolve_move(text).unwrap());
        assert_eq!(history.outcome(), None);
    }
    history.push(history.resolve_move("e9").unwrap());
    assert_eq!(history.outcome(), Some(Outcome::Draw("repetition")));
    let mut moves = Vec::new();
    history.legal_moves(&mut moves);
    assert!(moves.is_empty());
    assert_eq!(
        history.resolve_move("e2").unwrap_err().to_string(),
        "the game is over: it is a draw (repetition)"
    );
}

/// Makes these moves and searches one ply. Returns the best move and its score.
fn search_after(rules: &Arc<Quoridor>, position: &str, moves: &str) -> (String, Option<i32>) {
    let mut history = GameHistory::new(rules.clone(), rules.parse_position(position).unwrap());
    for text in moves.split_whitespace() {
        history.push(history.resolve_move(text).unwrap());
    }
    let limits = Limits { depth: Some(1), ..Limits::default() };
    let tables = no_tables(rules.as_ref());
    let answer = search(
        &history,
        &tables,
        &limits,
        &TranspositionTable::default(),
        &SearchControl::default(),
        &mut |_| {},
    )
    .unwrap();
    (rules.move_text(answer.best), answer.score)
}

/// White and Black both have four steps left. If Black places the last wall, it loses the race.
/// After that, the positions that occurred twice cannot repeat. In the race itself, the third
/// occurrence of a position is a draw, although the race is won in this position.
#[test]
fn races_are_won_unless_they_repeat_a_position_twice() {
    let rules = rules::<Quoridor>(&["Quoridor_Walls=1", "RepetitionDraw=true"]);
    let [last_wall, race] = ["a5i5 e1h w 1/0 9", "a5i5 e1he8h w 0/0 9"];
    let repeating_moves = "a4 i6 a5 i5";
    let by_wall = search_after(&rules, last_wall, "");
    assert_eq!(by_wall.1, Some(score::win_score_at_ply(9)));
    assert_eq!(search_after(&rules, last_wall, repeating_moves), by_wall);
    let by_step = ("a6".into(), Some(score::win_score_at_ply(7)));
    assert_eq!(search_after(&rules, race, ""), by_step);
    assert_eq!(search_after(&rules, race, repeating_moves), by_step);
    // Now a6 is a draw, because it leads to the third occurrence with Black to move. All other
    // moves lose.
    assert_eq!(search_after(&rules, race, "a6 i6 a7 i5 a6 i6 a5 i5"), ("a6".into(), Some(0)));
}

/// Steps are reversible, and walls are not. A null move hides the positions before it. It does not
/// change whether moves are irreversible.
#[test]
fn only_walls_are_irreversible() {
    let (mut history, _) = both_implementations(9, [10; 2], true);
    let pass = |history: &mut GameHistory<Quoridor>| {
        let after = history.rules().position_after_null_move(history.position()).unwrap();
        history.push_null_move(after);
    };
    for text in ["e2", "e8"] {
        history.push(history.resolve_move(text).unwrap());
    }
    assert!(
        history.are_first_positions_unrepeatable(0) && !history.are_first_positions_unrepeatable(1)
    );
    pass(&mut history);
    assert!(
        !history.are_first_positions_unrepeatable(1)
            && !history.are_first_positions_unrepeatable(2)
    );
    history.push(history.resolve_move("e7").unwrap());
    pass(&mut history);
    assert!(!history.are_first_positions_unrepeatable(1));
    history.push(history.resolve_move("a1h").unwrap());
    assert!(
        history.are_first_positions_unrepeatable(6) && !history.are_first_positions_unrepeatable(7)
    );
    pass(&mut history);
    assert!(
        history.are_first_positions_unrepeatable(6) && !history.are_first_positions_unrepeatable(7),
        "nothing before the wall comes again"
    );
    while history.len() > 2 {
        history.pop();
    }
    assert!(!history.are_first_positions_unrepeatable(1));
}

/// Move ordering prefers steps along a shortest path. After them it prefers walls across the
/// opponent's path.
#[test]
fn ordering_prefers_forward_steps_and_blocking_walls() {
    let rules = rules::<Quoridor>(&[]);
    let position = rules.parse_position("c3g7 - w 10/10 1").unwrap();
    let history = GameHistory::new(rules.clone(), position);
    let cache = rules.compute_eval_data(&position);
    let move_ordering_scores = rules.move_ordering_scores(&position, &cache);
    let ordering_score = |text: &str| move_ordering_scores(history.resolve_move(text).unwrap());
    let best_first = ["c4", "g6h", "a1v", "c8h"].map(ordering_score);
    assert!(best_first.is_sorted_by(|better, worse| better > worse), "{best_first:?}");
    assert!(
        ordering_score("c4") > ordering_score("c2") && ordering_score("c2") == ordering_score("b3")
    );
}

/// Compares the lines of the diagram.
#[test]
fn the_diagram_shows_pawns_walls_and_walls_left() {
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
    assert_eq!(rules.board_diagram(&position, Side::First).to_string(), drawn);
    assert_eq!(position.side_to_move(), Side::Second);
}

/// Reads the board of a Go front end from position and move strings. The board has a point for each
/// square and a point for each gap between squares.
struct QuoridorNotation;

/// Returns the point of a square.
fn go_point(square: Point) -> Point {
    Point::new(2 * square.file, 2 * square.rank)
}

/// Returns the walls in a position string. Each consists of a letter, digits, and a final letter.
fn split_walls(field: &str) -> Vec<&str> {
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

/// Returns the points that a wall covers. The first is the point that is clicked.
fn wall_points(text: &str) -> [(u8, u8); 3] {
    let (square, direction) = text.split_at(text.len() - 1);
    let Point { file, rank } = go_point(points(square)[0]);
    match direction {
        "h" => [(file, rank + 1), (file + 1, rank + 1), (file + 2, rank + 1)],
        "v" => [(file + 1, rank), (file + 1, rank + 1), (file + 1, rank + 2)],
        other => panic!("{other} is no direction"),
    }
}

impl projection::BoardNotation<Quoridor> for QuoridorNotation {
    const HAS_CAPTURES: bool = false;

    fn pieces(board: &str) -> BTreeMap<Point, Side> {
        points(board).into_iter().map(go_point).zip(Side::BOTH_SIDES).collect()
    }

    fn clicks(text: &str) -> Vec<Point> {
        if text.ends_with(['h', 'v']) {
            let (file, rank) = wall_points(text)[0];
            return vec![Point::new(file, rank)];
        }
        points(text).into_iter().map(go_point).collect()
    }

    /// Each wall is three points of one colour. Nothing else has this colour. Each goal rank has a
    /// separate colour. Each pawn has a label with the number of walls that its side has left.
    fn check_graphics(drawn: &GoGraphics, fields: &[&str], size: u8, place: &str) {
        let walls = split_walls(fields[1]);
        let standing: BTreeSet<(u8, u8)> =
            walls.iter().flat_map(|&text| wall_points(text)).collect();
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
        let pawns = points(fields[0]).into_iter().map(go_point);
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
fn the_board_of_a_go_front_end_agrees_with_the_strings() {
    projection::check_board::<Quoridor, QuoridorNotation>();
}
