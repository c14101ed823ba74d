//! Compares Alcaxar with a second implementation of its rules. Also checks sentences of the rules
//! that fixtures cannot express.

use std::collections::{BTreeMap, BTreeSet};

use pentarch_alcaxar::Alcaxar;
use pentarch_core::rules::perft::perft;
use pentarch_core::{GameHistory, MoveError, Notation, Point, PublishedNotation, Side};
use pentarch_slow_rules::alcaxar::*;

use crate::common::*;
use crate::projection::{self, GoGraphics, coordinates, points};

/// Returns all move strings with points of the board. A move string has `K` and any point, or any
/// two points.
fn all_move_strings() -> Vec<String> {
    let points: Vec<String> = all_points(on_board).into_iter().map(point_name).collect();
    let knight = points.iter().map(|to| format!("K{to}"));
    let wall = points.iter().flat_map(|from| points.iter().map(move |to| format!("{from}{to}")));
    knight.chain(wall).collect()
}

/// Compares a position of a game with the position of the referee. Returns the legal moves and the
/// outcome.
fn compare(history: &mut GameHistory<Alcaxar>, referee: &Referee) -> (Vec<String>, String) {
    let text = referee.table.text();
    assert_eq!(history.rules().position_text(history.position()), text);
    let outcome = referee.outcome();
    assert_eq!(status_protocol_words::<Alcaxar>(history.outcome()), outcome, "{text}");
    let legal = referee.moves();
    assert_eq!(legal_move_strings(history), legal, "{text}");
    for move_string in &legal {
        let rules = history.rules().clone();
        let before = *history.position();
        let mv = history.resolve_move(move_string).unwrap();
        history.push(mv);
        assert_eq!(
            rules.move_in_published_notation(&before, mv, history.outcome()),
            referee.move_in_published_notation(move_string),
            "{text}"
        );
        history.pop();
    }
    (legal, outcome)
}

/// Plays random games and compares the positions at every ply. Counts the outcomes.
fn compare_games(games: usize, seed: u64) -> BTreeMap<String, usize> {
    let rules = rules::<Alcaxar>(&[]);
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut ends = BTreeMap::new();
    for number in 0..games {
        let mut history = new_history(&rules);
        let mut referee = Referee::new(&rules.position_text(history.position()));
        // In one third of the games all moves are equally likely. In the other games knight moves
        // are more likely. So knights reach the fortresses or return to earlier squares.
        let knight_tenths = [0, 3, 9][number % 3];
        loop {
            let (legal, outcome) = compare(&mut history, &referee);
            if legal.is_empty() || history.len() == 400 {
                *ends.entry(outcome).or_default() += 1;
                break;
            }
            let steps = referee.table.accessible(referee.table.side).len();
            // Knight moves come first in the order of move strings.
            let choice = if rng.usize(..10) < knight_tenths {
                rng.usize(..steps)
            } else {
                rng.usize(..legal.len())
            };
            history.push(history.resolve_move(&legal[choice]).unwrap());
            referee.play(&legal[choice]);
        }
    }
    ends
}

#[test]
fn random_games_match_the_referee() {
    let ends = compare_games(15, 1);
    for end in [
        "red fortress",
        "green fortress",
        "red trapped",
        "green trapped",
        "red stalemate",
        "green stalemate",
    ] {
        assert!(
            ends.contains_key(&format!("win {end}")),
            "no game ends like this: {end}: {ends:?}"
        );
    }
}

/// To run this test: `cargo test --release --test all alcaxar:: -- --ignored`
#[test]
#[ignore = "plays thousands of games: 5 minutes"]
fn many_random_games_match_the_referee() {
    compare_games(6000, fresh_seed());
}

/// Returns a random position string. The kinds of the points are always right: walls are in slots,
/// and knights are on squares. Everything else may be wrong.
fn random_position_string(rng: &mut fastrand::Rng) -> String {
    let mut draw = |mut points: Vec<GridPoint>, number: usize| {
        rng.shuffle(&mut points);
        points.truncate(number);
        points
    };
    let mut walls = draw(all_points(is_slot), 8);
    walls.sort();
    let knights = [draw(all_points(is_square), 1)[0], draw(all_points(is_square), 1)[0]];
    let last = match draw(vec![(0, 0), (0, 1), (0, 2)], 1)[0] {
        (_, 0) => "-".to_string(),
        (_, 1) => point_name(walls[0]),
        _ => point_name(draw(all_points(is_slot), 1)[0]),
    };
    let side = ["r", "g"][rng.usize(..2)];
    let [knights, walls] = [&knights[..], &walls]
        .map(|points| points.iter().copied().map(point_name).collect::<String>());
    format!("{knights} {walls} {side} {last} {}", rng.u32(1..50))
}

/// Compares random positions. Checks the reasons for which the rules call a position string
/// invalid. Errors in the form of the string are not checked.
fn compare_random_positions(number: usize, seed: u64) {
    let rules = rules::<Alcaxar>(&[]);
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut invalid = 0;
    for _ in 0..number {
        let text = random_position_string(&mut rng);
        let referee = Referee::new(&text);
        let table = &referee.table;
        let why = if table.knights[0] == table.knights[1] {
            "both knights stand on"
        } else if table.last_wall.is_some_and(|last| !table.walls.contains(&last)) {
            "is not one of the walls"
        } else if table.accessible(1 - table.side).is_empty() {
            "has no accessible square"
        } else if table.knights[table.side] == [parse_point("h2"), parse_point("b8")][table.side] {
            "stands on the enemy fortress"
        } else {
            let position =
                rules.parse_position(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
            compare(&mut GameHistory::new(rules.clone(), position), &referee);
            continue;
        };
        invalid += 1;
        let error = rules.parse_position(&text).expect_err(&text).to_string();
        assert!(error.contains(why), "{text}: {error}");
    }
    assert!(invalid > number / 10 && invalid < number / 10 * 9, "{invalid} of {number}");
}

#[test]
fn random_positions_match_the_referee() {
    compare_random_positions(1000, 3);
}

/// To run this test: `cargo test --release --test all alcaxar:: -- --ignored`
#[test]
#[ignore = "compares half a million positions: 2 minutes"]
fn many_random_positions_match_the_referee() {
    compare_random_positions(500_000, fresh_seed());
}

#[test]
fn illegal_moves_have_the_reasons_of_the_referee() {
    let rules = rules::<Alcaxar>(&[]);
    let texts = all_move_strings();
    let mut rng = fastrand::Rng::with_seed(5);
    let mut positions = 0;
    while positions < 150 {
        let Ok(position) = rules.parse_position(&random_position_string(&mut rng)) else {
            continue;
        };
        let history = GameHistory::new(rules.clone(), position);
        if history.outcome().is_some() {
            continue;
        }
        positions += 1;
        let table = SlowPosition::new(&rules.position_text(&position));
        let legal = table.moves();
        for text in &texts {
            match history.resolve_move(text) {
                Ok(mv) => {
                    assert!(legal.contains(text), "{text} in {}", table.text());
                    assert_eq!(&rules.move_text(mv), text);
                }
                Err(error) => {
                    assert!(!legal.contains(text), "{text} in {}: {error}", table.text());
                    let why = table.expected_error(text);
                    assert!(
                        error.to_string().contains(why),
                        "{text} in {}: {error}, not {why}",
                        table.text()
                    );
                }
            }
        }
    }
}

/// Returns the number of leaves as in perft. The referee counts them.
fn count_leaves(referee: &Referee, depth: u32) -> u64 {
    let moves = referee.moves();
    if depth == 1 {
        return moves.len() as u64;
    }
    let play = |text: &String| {
        let mut after = referee.clone();
        after.play(text);
        count_leaves(&after, depth - 1)
    };
    moves.iter().map(play).sum()
}

#[test]
fn perft_files_agree_with_the_referee() {
    let mut compared = 0;
    for case in cases::<Alcaxar>(".perft") {
        let (depth, nodes) = case.text.split_once(' ').unwrap();
        let depth: u32 = depth.parse().unwrap();
        let nodes: u64 = nodes.parse().unwrap();
        if nodes < 100_000 {
            assert_eq!(count_leaves(&Referee::new(&case.fen), depth), nodes, "{}", case.place);
            compared += 1;
        }
    }
    assert!(compared > 10);
}

/// Returns the slots that a wall can turn into, in the order of move strings.
fn reachable_slots(fen: &str, wall: &str) -> Vec<String> {
    let rules = rules::<Alcaxar>(&[]);
    let history = GameHistory::new(rules.clone(), rules.parse_position(fen).unwrap());
    legal_move_strings(&history)
        .iter()
        .filter_map(|text| text.strip_prefix(wall))
        .map(str::to_string)
        .collect()
}

// The wall in e4 joins the towers e3 and e5. About e5 it can turn in two directions. Clockwise it
// reaches d5, e6 and f5, and sweeps d4, d6 and f6. Counter-clockwise it reaches f5, e6 and d5, and
// sweeps f4, f6 and d6. The walls on the rim are not in its path.

#[test]
fn a_wall_turns_about_either_tower_by_90_180_or_270_degrees() {
    assert_eq!(
        reachable_slots("b8h2 a2a4a6a8e4i2i4i6 r - 1", "e4"),
        ["d3", "d5", "e2", "e6", "f3", "f5"]
    );
}

#[test]
fn a_turn_by_a_right_angle_sweeps_the_square_between_the_two_slots() {
    // The knight on d4 stops the quarter turns to d5 and d3. It does not stop the turns to these
    // slots in the other direction.
    assert_eq!(
        reachable_slots("d4h2 a2a4a6a8e4i2i4i6 r - 1", "e4"),
        ["d3", "d5", "e2", "e6", "f3", "f5"]
    );
    // A second knight on d6 stops the turn about e5 by 270 degrees to d5. The wall can still reach
    // e6.
    assert_eq!(
        reachable_slots("d4d6 a2a4a6a8e4i2i4i6 r - 1", "e4"),
        ["d3", "e2", "e6", "f3", "f5"]
    );
    // A second knight on f6 also stops the half turn to e6. Clockwise the wall stops at once, and
    // counter-clockwise it stops after f5.
    assert_eq!(reachable_slots("d4f6 a2a4a6a8e4i2i4i6 r - 1", "e4"), ["d3", "e2", "f3", "f5"]);
    // Both squares next to the wall are occupied, so the wall cannot turn at all.
    assert_eq!(reachable_slots("d4f4 a2a4a6a8e4i2i4i6 r - 1", "e4"), [""; 0]);
}

#[test]
fn the_knights_of_both_sides_stop_a_wall() {
    assert_eq!(reachable_slots("f6d4 a2a4a6a8e4i2i4i6 r - 1", "e4"), ["d3", "e2", "f3", "f5"]);
    assert_eq!(reachable_slots("f6d4 a2a4a6a8e4i2i4i6 g - 1", "e4"), ["d3", "e2", "f3", "f5"]);
}

#[test]
fn a_wall_passes_no_other_wall_and_ends_on_none() {
    // The wall cannot pass f5, so it reaches e6 and d5 only clockwise.
    assert_eq!(
        reachable_slots("b8h2 a2a4a6a8e4f5i2i4 r - 1", "e4"),
        ["d3", "d5", "e2", "e6", "f3"]
    );
    // Walls in d5 and f5 together stop the half turn to e6 in both directions.
    assert_eq!(reachable_slots("b8h2 a2a4a6d5e4f5i2i4 r - 1", "e4"), ["d3", "e2", "f3"]);
    // A wall in e6 stops both directions. A turn by 270 degrees would have to pass it.
    assert_eq!(reachable_slots("d4h2 a2a4a6a8e4e6i2i4 r - 1", "e4"), ["d3", "e2", "f3", "f5"]);
}

#[test]
fn a_part_of_the_path_may_be_off_the_board() {
    // About a1, the wall a2 can turn to b1: over b2, or by 270 degrees off the board. About a3, it
    // can turn to a4: over b2 and b4, or off the board. About a3, it can also turn to b3: over b2,
    // or off the board and then over b4.
    assert_eq!(reachable_slots("h8h2 a2c4c6e4e8g4g6i6 r - 1", "a2"), ["a4", "b1", "b3"]);
    assert_eq!(reachable_slots("b2h2 a2c4c6e4e8g4g6i6 r - 1", "a2"), ["a4", "b1", "b3"]);
    assert_eq!(reachable_slots("b2b4 a2c4c6e4e8g4g6i6 r - 1", "a2"), ["a4", "b1"]);
    // The wall in a4 stops the path off the board to b3, and the knight on b2 stops the other path.
    assert_eq!(reachable_slots("b2h2 a2a4c6e4e8g4g6i6 r - 1", "a2"), ["b1"]);
}

#[test]
fn a_wall_ends_in_one_of_the_forty_slots() {
    // The wall in a8 turns about a9. The slots to the left of a9 and above it are off the board.
    // The wall reaches b9 over b8, or by 270 degrees past these slots.
    assert_eq!(reachable_slots("b8h2 a8c4c6e4e6g4g6i6 r - 1", "a8"), ["a6", "b7", "b9"]);
    // In the same way, i8 about i9 reaches h9.
    assert_eq!(reachable_slots("b8h2 a8c4c6e4e6g4g6i8 r - 1", "i8"), ["h7", "h9", "i6"]);
}

#[test]
fn turns_in_both_directions_are_one_move() {
    let rules = rules::<Alcaxar>(&[]);
    let mut history = GameHistory::new(
        rules.clone(),
        rules.parse_position("b8h2 a2a4a6a8e4i2i4i6 r - 1").unwrap(),
    );
    let texts = legal_move_strings(&history);
    let different: BTreeSet<&String> = texts.iter().collect();
    assert_eq!(different.len(), texts.len());
    assert_eq!(perft(&mut history, 1, &|| false), Some(texts.len() as u64));
}

#[test]
fn any_marks_may_follow_a_move() {
    let history = new_history(&rules::<Alcaxar>(&[]));
    for text in legal_move_strings(&history) {
        let mv = history.resolve_move(&text);
        for marks in ["+", "#", "≠", "=", "≡", "!", "?", "!?", "+!", "?+", "≡≡≡", "!?=#≠+≡!?"]
        {
            assert_eq!(history.resolve_move(&(text.clone() + marks)), mv);
        }
        for other in ["x", "+x", " +", "++-", "∓", "+ "] {
            assert!(
                matches!(history.resolve_move(&(text.clone() + other)), Err(MoveError::Syntax(_))),
                "{text}{other}"
            );
        }
    }
}

#[test]
fn the_reason_for_a_blocked_wall_is_one_sentence() {
    let mut history = new_history(&rules::<Alcaxar>(&[]));
    for text in ["e8d9", "c6b7"] {
        history.push(history.resolve_move(text).unwrap());
    }
    let reason = history.resolve_move("d7c8").unwrap_err().to_string();
    assert_eq!(reason, "the wall just moved to b7 stands on its tower c7");
}

#[test]
fn repetition_draw_changes_nothing_here() {
    assert_eq!(rules::<Alcaxar>(&["RepetitionDraw=true"]), rules::<Alcaxar>(&[]));
}

#[test]
fn the_diagram_shows_the_position() {
    let rules = rules::<Alcaxar>(&[]);
    let position = rules.parse_position("d8h4 a2b7b9d9e2f3g4h5 r b7 2").unwrap();
    let board = "\
9  +-----+-----+     +     +
8    [ ]    R     .     .
7  +-----+     +     +     +
6     .     .     .     .
5  +     +     +     +-----+
4     .     .     .  |  G
3  +     +     +-----+     +
2  |  .     .  |  .    [ ]
1  +     +     +     +     +
   a  b  c  d  e  f  g  h  i
R, G: the knights; [ ]: the fortresses, b8 red's, h2 green's
the wall just moved to b7 blocks every wall on a7 or c7";
    assert_eq!(rules.board_diagram(&position, Side::First).to_string(), board);
}

/// Reads the board of a Go front end from position strings.
struct AlcaxarNotation;

impl projection::BoardNotation<Alcaxar> for AlcaxarNotation {
    const HAS_CAPTURES: bool = false;

    fn pieces(board: &str) -> BTreeMap<Point, Side> {
        points(board).into_iter().zip(Side::BOTH_SIDES).collect()
    }

    fn clicks(text: &str) -> Vec<Point> {
        points(text.trim_start_matches('K'))
    }

    /// A wall and its towers have the colour of free walls or the colour of blocked walls. Squares,
    /// other towers and the two fortresses have separate colours. Slots have none.
    fn check_graphics(drawn: &GoGraphics, fields: &[&str], _: u8, place: &str) {
        const ALONG: [(i8, i8); 2] = [(0, 1), (1, 0)];
        let towers = |slot: Point| {
            let (files, ranks) = ALONG[usize::from(slot.file % 2)];
            [slot.offset_by(-files, -ranks).unwrap(), slot.offset_by(files, ranks).unwrap()]
        };
        let walls = points(fields[1]);
        let blocking =
            if fields[3] == "-" { Vec::new() } else { towers(points(fields[3])[0]).to_vec() };
        let (blocked, free): (Vec<Point>, Vec<Point>) = walls
            .iter()
            .copied()
            .partition(|&slot| towers(slot).iter().any(|tower| blocking.contains(tower)));
        let covered = |walls: &[Point]| {
            coordinates(walls.iter().flat_map(|&slot| [vec![slot], towers(slot).to_vec()].concat()))
        };
        let colours = |set: BTreeSet<(u8, u8)>| -> BTreeSet<&String> {
            set.iter()
                .map(|point| {
                    drawn.colours.get(point).unwrap_or_else(|| panic!("{place}: {point:?}"))
                })
                .collect()
        };
        let free_points = covered(&free);
        let all = covered(&walls);
        let blocked_points: BTreeSet<_> = all.difference(&free_points).copied().collect();
        assert!(coordinates(blocked.iter().copied()).is_subset(&blocked_points), "{place}");
        assert!(coordinates(blocking).is_subset(&blocked_points), "{place}");
        let parity = |files: u8, ranks: u8| -> BTreeSet<(u8, u8)> {
            let points = (0..9).flat_map(|file| (0..9).map(move |rank| (file, rank)));
            points.filter(|(file, rank)| (file % 2, rank % 2) == (files, ranks)).collect()
        };
        let fortresses = coordinates(points("b8h2"));
        let kinds = [
            free_points.clone(),
            blocked_points,
            &parity(0, 0) - &all,
            &parity(1, 1) - &fortresses,
            coordinates(points("b8")),
            coordinates(points("h2")),
        ];
        for (kind, points) in kinds.iter().enumerate() {
            let own = colours(points.clone());
            assert_eq!(own.len(), usize::from(!points.is_empty()), "{place}: kind {kind}");
            for colour in own {
                assert_eq!(&drawn.coloured_in(colour), points, "{place}: kind {kind}");
            }
        }
        for slot in &(&parity(0, 1) | &parity(1, 0)) - &all {
            assert_eq!(drawn.colours.get(&slot), None, "{place}");
        }
        assert_eq!(drawn.text.contains("blocked"), fields[3] != "-", "{place}: {}", drawn.text);
    }
}

#[test]
fn the_board_of_a_go_front_end_matches_the_position() {
    projection::check_board::<Alcaxar, AlcaxarNotation>();
}
