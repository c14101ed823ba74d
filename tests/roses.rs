//! Tests of Guerre des Deux Roses. They compare the program with a second, slow implementation of
//! the rules. They also test rules that fixtures cannot express.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use pentarch_core::{GameHistory, MoveError, Notation, Point, RuleViolation, Rules, Side};
use pentarch_roses::Roses;
use pentarch_slow_rules::roses as slow;

use crate::client::Client;
use crate::common::*;
use crate::projection::{self, GoGraphics, coordinates, labels, letters, points};

/// Returns both rule sets. Each has a flag that states whether support must be contiguous.
fn both_rules() -> [(bool, Arc<Roses>); 2] {
    [false, true]
        .map(|contiguous| (contiguous, rules(&[&format!("Roses_ContiguousSupport={contiguous}")])))
}

/// Compares moves, the positions after them, and outcomes with the slow rules.
fn compare(history: &GameHistory<Roses>, contiguous: bool) {
    let rules = history.rules();
    let text = rules.position_text(history.position());
    let slow = slow::Position::parse(&text, contiguous);
    assert_eq!(slow.text(), text);
    assert_eq!(
        status_protocol_words::<Roses>(rules.outcome(history.position())),
        slow.outcome(),
        "{text}"
    );
    let mut moves = Vec::new();
    rules.legal_moves(history.position(), &mut moves);
    let fast: BTreeMap<String, String> = moves
        .iter()
        .map(|&mv| (rules.move_text(mv), rules.position_text(&rules.play(history.position(), mv))))
        .collect();
    assert_eq!(fast.len(), moves.len(), "{text}: two moves with one string");
    let slow_moves = slow.moves();
    let slow: BTreeMap<String, String> =
        slow_moves.iter().map(|(mv, next)| (mv.clone(), next.text())).collect();
    assert_eq!(slow.len(), slow_moves.len(), "{text}: two moves with one string");
    assert_eq!(fast, slow, "{text}");
}

/// Plays random games under both rule sets. `check` receives each position, and the flag whether
/// support must be contiguous.
fn random_games(seed: u64, games: usize, mut check: impl FnMut(&GameHistory<Roses>, bool)) {
    for (contiguous, rules) in both_rules() {
        let mut rng = fastrand::Rng::with_seed(seed);
        for _ in 0..games {
            random_game(new_history(&rules), &mut rng, 150, |history| check(history, contiguous));
        }
    }
}

#[test]
fn random_games_match_the_slow_rules() {
    random_games(4, 8, compare);
}

/// A drawn position that is not in any book.
const DRAWN: &str = "position startpos moves d3 b4 c3 b3 e4 c5 c2 d5";
/// A position that is not in any book. Only b4 wins.
const WON: &str = "position startpos moves d3 c5 c3 d5 b3 e5";

/// If a search has enough time, it waits for the tables and reports only their values.
#[test]
fn a_search_with_time_reports_only_exact_values() {
    for go in ["go movetime 100000", "go wtime 10000000 btime 10000000", "go infinite"] {
        let mut client = Client::program(&["--game", "roses"]);
        client.send(DRAWN);
        client.send(go);
        let first = client.receive_until("info depth").pop().unwrap();
        assert!(first.contains(" score cp 0 ") && !first.contains(" tbhits 0 "), "{go}: {first}");
        client.send("stop");
        client.receive_until("bestmove");
    }
}

/// Even a search without any time uses tables that are ready.
#[test]
fn a_search_without_time_uses_the_tables() {
    let mut client = Client::program(&["--game", "roses", "--set", "OwnBook=false"]);
    client.send(WON);
    client.send("go depth 1");
    let best = client.receive_until("bestmove").pop().unwrap();
    assert!(best.starts_with("bestmove b4"), "{best}");
    for go in ["go movetime 0", "go wtime 0 btime 0", "go wtime -5 btime -5"] {
        client.send("ucinewgame");
        client.send(WON);
        client.send(go);
        let lines = client.receive_until("bestmove");
        assert!(lines.iter().any(|line| line.contains(" score mate 2 ")), "{go}: {lines:#?}");
        assert!(
            lines.last().is_some_and(|best| best.starts_with("bestmove b4")),
            "{go}: {lines:#?}"
        );
    }
}

/// To run this test: `cargo test --release --test all roses::many_random_games -- --ignored`
#[test]
#[ignore = "several minutes"]
fn many_random_games_match_the_slow_rules() {
    random_games(fresh_seed(), 5_000, compare);
}

/// Returns a position that may be impossible in a game. Each side has up to four soldiers anywhere.
/// Either side may be to move.
fn random_position(rng: &mut fastrand::Rng) -> String {
    let mut cells: Vec<&str> =
        slow::all_cells().filter(|cell| !["b5", "e3"].contains(cell)).collect();
    rng.shuffle(&mut cells);
    let white = rng.usize(0..=4);
    let black = rng.usize(0..=4);
    let soldiers =
        cells.iter().zip(std::iter::repeat_n('S', white).chain(std::iter::repeat_n('s', black)));
    let mut pieces: BTreeMap<&str, char> = soldiers.map(|(&cell, letter)| (cell, letter)).collect();
    pieces.extend([("b5", 'c'), ("e3", 'C')]);
    // If alternate drops allow it, the missing soldiers are in reserve. Otherwise they are
    // captured.
    let white_reserve = 4 - white;
    let black_reserve = 4 - black;
    let is_drop_phase = white_reserve == black_reserve || white_reserve + 1 == black_reserve;
    slow::Position {
        contiguous_support: false,
        pieces: pieces
            .into_iter()
            .map(|(cell, letter)| (slow::all_cells().find(|&name| name == cell).unwrap(), letter))
            .collect(),
        white_to_move: if is_drop_phase { white_reserve == black_reserve } else { rng.bool() },
        white_reserve: if is_drop_phase { white_reserve } else { 0 },
        black_reserve: if is_drop_phase { black_reserve } else { 0 },
        full_move: 1,
    }
    .text()
}

/// Checks random positions under both rule sets.
fn random_positions(seed: u64, positions: usize, mut check: impl FnMut(&GameHistory<Roses>, bool)) {
    let mut rng = fastrand::Rng::with_seed(seed);
    for _ in 0..positions {
        let text = random_position(&mut rng);
        for (contiguous, rules) in both_rules() {
            let position =
                rules.parse_position(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
            check(&GameHistory::new(rules, position), contiguous);
        }
    }
}

#[test]
fn random_positions_match_the_slow_rules() {
    random_positions(6, 1000, compare);
}

/// To run this test: `cargo test --release --test all roses::many_random_positions -- --ignored`
#[test]
#[ignore = "several minutes"]
fn many_random_positions_match_the_slow_rules() {
    random_positions(fresh_seed(), 100_000, compare);
}

/// Tests every string of one or two cells. Also tests every string of two cells of the mover's
/// soldiers and two other cells. Each string is a generated move or is rejected with a reason.
/// Every generated move is found.
#[test]
fn find_move_accepts_exactly_the_generated_moves() {
    random_positions(8, 40, |history, _| {
        let position = game_position(history);
        let names: Vec<&str> = slow::all_cells().chain(["a4", "d2", "g7"]).collect();
        let own = if history.side_to_move() == Side::First { 'S' } else { 's' };
        let soldiers: Vec<&str> =
            slow::all_cells().filter(|cell| position.pieces.get(cell) == Some(&own)).collect();
        let ordered_pairs = |cells: &[&str]| -> Vec<String> {
            cells
                .iter()
                .flat_map(|from| cells.iter().map(move |to| format!("{from}{to}")))
                .collect()
        };
        let steps = ordered_pairs(&names);
        let from = ordered_pairs(&soldiers);
        let translations =
            from.iter().flat_map(|from| steps.iter().map(move |to| format!("{from}{to}")));
        let singles = names.iter().map(ToString::to_string);
        let generated: HashSet<String> = legal_move_strings(history).into_iter().collect();
        let mut found = HashSet::new();
        for text in singles.chain(steps.iter().cloned()).chain(translations) {
            match history.resolve_move(&text) {
                Ok(mv) => {
                    let canonical = history.rules().move_text(mv);
                    let swapped = (text.len() == 8).then(|| {
                        format!("{}{}{}{}", &text[2..4], &text[..2], &text[6..], &text[4..6])
                    });
                    assert!(
                        canonical == text || Some(canonical.clone()) == swapped,
                        "{text} is read as {canonical}"
                    );
                    found.insert(canonical);
                }
                Err(MoveError::Illegal(RuleViolation { reason, .. })) => {
                    assert!(!reason.is_empty())
                }
                Err(error) => panic!("{text}: {error}"),
            }
        }
        assert_eq!(found, generated, "{}", position.text());
    });
}

fn game_position(history: &GameHistory<Roses>) -> slow::Position {
    slow::Position::parse(&history.rules().position_text(history.position()), false)
}

/// Compares the counts of the perft files up to `max_nodes` with the slow rules. The slow rules
/// store every position of the path. The ignored test compares larger counts.
fn compare_perft(max_nodes: u64) {
    let contiguous = rules(&["Roses_ContiguousSupport=true"]);
    for case in cases::<Roses>(".perft") {
        let (depth, nodes) = case.text.split_once(' ').unwrap();
        let (depth, nodes): (_, u64) = (depth.parse().unwrap(), nodes.parse().unwrap());
        if nodes <= max_nodes {
            let slow = slow::Position::parse(&case.fen, case.rules == contiguous);
            assert_eq!(slow.perft(depth, &mut Vec::new()), nodes, "{}", case.place);
        }
    }
}

#[test]
fn perft_counts_match_the_slow_rules() {
    compare_perft(5_000);
}

/// To run this test: `cargo test --release --test all roses::deeper_perft -- --ignored`
#[test]
#[ignore = "several minutes"]
fn deeper_perft_counts_match_the_slow_rules() {
    compare_perft(4_000_000);
}

/// Checks the boards after the worked examples of the rules. Also checks cases that lists of legal
/// moves do not show.
#[test]
fn moves_lead_to_these_positions() {
    let examples = [
        // These are the source's examples of moves. Two soldiers move to the left, to the right,
        // southwest and southeast. Then two and three soldiers move to the left.
        ("c/1ss1/5/2SSS/4/C b 0/0 7", "c5a3", "c/ss2/5/2SSS/4/C w 0/0 8"),
        ("c/1ss1/5/2SSS/4/C b 0/0 7", "b4d6", "c/2ss/5/2SSS/4/C w 0/0 8"),
        ("c/1ss1/5/2SSS/4/C b 0/0 7", "b4c5b3c4", "c/4/1ss2/2SSS/4/C w 0/0 8"),
        ("c/1ss1/5/2SSS/4/C b 0/0 7", "b4c5c4d5", "c/4/2ss1/2SSS/4/C w 0/0 8"),
        ("c/1ss1/5/2SSS/4/C w 0/0 7", "e5c3", "c/1ss1/5/1SS1S/4/C b 0/0 7"),
        ("c/1ss1/5/2SSS/4/C w 0/0 7", "f6c3", "c/1ss1/5/1SSS1/4/C b 0/0 7"),
        // These are the examples of attacks: the capture on f6, the push from c3 to b2, the castle,
        // and the push from d4 to d5.
        ("c/1SS1/s4/1sSSs/1s2/C w 0/0 12", "d4f6", "c/1SS1/s4/1s1SS/1s2/C b 0/0 12"),
        ("c/1SS1/s4/1sSSs/1s2/C w 0/0 12", "e5c3", "c/1SS1/s4/sSS1s/1s2/C b 0/0 12"),
        ("c/1SS1/s4/1sSSs/1s2/C b 0/0 12", "c3e3", "c/1SS1/s4/2SSs/1s2/s w 0/0 13"),
        ("c/1SS1/s4/1sSSs/1s2/C b 0/0 12", "d3d4", "c/1SS1/s2S1/1ssSs/4/C w 0/0 13"),
        // In an attack by phalanx only two soldiers move, even if a third is behind them.
        ("c/4/SSSs1/5/sss1/C w 0/0 9", "b3d5", "c/4/S1SSs/5/sss1/C b 0/0 9"),
        // Here four soldiers move along their line. In the second example, only the two soldiers
        // nearest to the empty cell move.
        ("c/4/SSSS1/5/ssss/C w 0/0 9", "a2e6", "c/4/1SSSS/5/ssss/C b 0/0 9"),
        ("c/4/SSSS1/5/ssss/C w 0/0 9", "c4e6", "c/4/SS1SS/5/ssss/C b 0/0 9"),
        // Support: only the attacking soldier moves. At the edge it captures.
        ("c/S3/sS3/5/4/C w 0/0 20", "b3a2", "c/S3/S4/5/4/C b 0/0 20"),
        ("c/2S1/1Ss2/5/4/C w 0/0 20", "b3c4", "c/2S1/2Ss1/5/4/C b 0/0 20"),
        // Here a phalanx and support attack the same soldier.
        ("c/2S1/1SSs1/5/4/C w 0/0 20", "b3d5", "c/2S1/2SSs/5/4/C b 0/0 20"),
        ("c/2S1/1SSs1/5/4/C w 0/0 20", "c4d5", "c/2S1/1S1Ss/5/4/C b 0/0 20"),
        // A drop takes a soldier from the reserve. The full-move number stops at its maximum.
        ("c/1s2/5/5/1S2/C w 3/3 2", "e4", "c/1s2/5/5/1SS1/C b 2/3 2"),
        ("c/1s2/5/5/1SS1/C b 2/3 999999", "c5", "c/1ss1/5/5/1SS1/C w 2/2 999999"),
    ];
    let rules = rules::<Roses>(&[]);
    for (before, mv, after) in examples {
        let mut history = GameHistory::new(rules.clone(), rules.parse_position(before).unwrap());
        history.push(
            history.resolve_move(mv).unwrap_or_else(|error| panic!("{before} {mv}: {error}")),
        );
        assert_eq!(rules.position_text(history.position()), after, "{before} {mv}");
    }
}

/// A changed position string is rejected or printed back unchanged.
#[test]
fn changed_position_strings_are_rejected_or_canonical() {
    let rules = rules::<Roses>(&[]);
    let mut rng = fastrand::Rng::with_seed(9);
    for _ in 0..20_000 {
        let letters: Vec<char> = "CcSs012345/ wb69\u{e9}\0".chars().collect();
        let mut text: Vec<char> = random_position(&mut rng).chars().collect();
        for _ in 0..rng.usize(1..4) {
            let at = rng.usize(..text.len());
            let new = letters[rng.usize(..letters.len())];
            match rng.u8(..4) {
                0 => text[at] = new,
                1 => text.insert(at, new),
                2 => drop(text.remove(at)),
                _ => text.swap(at, 0),
            }
        }
        let text = String::from_iter(text);
        if let Ok(position) = rules.parse_position(&text) {
            assert_eq!(rules.position_text(&position), text);
            rules.board_diagram(&position, Side::First);
        }
    }
}

/// The diagram names each cell, both castles and both reserves. Its lines have no trailing spaces.
#[test]
fn diagram_shows_the_board_and_the_reserves() {
    let rules = rules::<Roses>(&[]);
    let position = rules.parse_position("c/4/5/5/4/C w 4/4 1").unwrap();
    let start = rules.board_diagram(&position, Side::First).to_string();
    assert!(slow::all_cells().all(|cell| start.matches(&format!("/{cell} ")).count() == 1));
    assert_eq!(
        (start.matches("[C]").count(), start.matches("[c]").count(), start.matches("red").count()),
        (1, 1, 2)
    );
    assert!(start.contains("white reserve: S S S S") && start.contains("black reserve: s s s s"));
    random_positions(10, 100, |history, _| {
        let drawn = history.rules().board_diagram(history.position(), Side::First).to_string();
        assert!(drawn.lines().all(|line| !line.is_empty() && line.trim_end() == line), "{drawn}");
    });
}

/// Repetition is a draw by default. An option of this game switches that off. If it is off, the
/// common option `RepetitionDraw` switches it on again. If it is on, the common option has no
/// effect: the rules are equal.
#[test]
fn repetition_is_a_draw_by_either_option() {
    let without = rules::<Roses>(&["Roses_Repetition=false"]);
    assert_ne!(without, rules::<Roses>(&[]));
    assert_eq!(
        rules::<Roses>(&["Roses_Repetition=false", "RepetitionDraw=true"]),
        rules::<Roses>(&[])
    );
    assert_eq!(rules::<Roses>(&["RepetitionDraw=true"]), rules::<Roses>(&[]));
    assert_ne!(rules::<Roses>(&["Roses_ContiguousSupport=true"]), rules::<Roses>(&[]));
}

/// The contents of a Go front end's board, derived from the strings.
struct RosesNotation;

/// The cells as in the rules. The top row comes first.
const CELLS: [&[&str]; 6] = [
    &["b5"],
    &["a3", "b4", "c5", "d6"],
    &["a2", "b3", "c4", "d5", "e6"],
    &["b2", "c3", "d4", "e5", "f6"],
    &["c2", "d3", "e4", "f5"],
    &["e3"],
];

/// Returns the point of a cell on the board of a Go front end.
fn board_point(cell: Point) -> Point {
    let row = CELLS.iter().position(|row| row.contains(&cell.to_string().as_str())).unwrap();
    Point::new(cell.rank - 1, 5 - row as u8)
}

/// Returns the letters of the pieces in a board field.
fn piece_letters(board: &str) -> Vec<(Point, char)> {
    letters(board, |row, column| board_point(points(CELLS[row][column])[0]))
}

impl projection::BoardNotation<Roses> for RosesNotation {
    const IS_HEXAGONAL: bool = true;
    const HAS_CAPTURES: bool = true;

    fn has_point(_: &str, point: Point) -> bool {
        CELLS.concat().into_iter().any(|cell| board_point(points(cell)[0]) == point)
    }

    fn pieces(board: &str) -> BTreeMap<Point, Side> {
        let mut pieces = BTreeMap::new();
        for (point, letter) in piece_letters(board) {
            let side = if letter.is_ascii_uppercase() { Side::First } else { Side::Second };
            pieces.insert(point, side);
        }
        pieces
    }

    fn clicks(text: &str) -> Vec<Point> {
        points(text).into_iter().map(board_point).collect()
    }

    /// Checks three things. Castles have labels with their letter and the number of soldiers in
    /// reserve. The red cells have a colour. The text also reports the reserves.
    fn check_graphics(drawn: &GoGraphics, fields: &[&str], _: u8, place: &str) {
        assert_eq!(
            drawn.coloured(),
            coordinates(points("c4d4").into_iter().map(board_point)),
            "{place}"
        );
        let (white, black) = fields[2].split_once('/').unwrap();
        let castle = |letter: char| {
            let count = if letter == 'C' { white } else { black };
            "Cc".contains(letter).then(|| format!("C+{count}").replace("+0", ""))
        };
        assert_eq!(drawn.labels, labels(&piece_letters(fields[0]), castle), "{place}");
        for (count, side) in [(white, "(black stones)"), (black, "(white stones)")] {
            let is_reported = drawn.text.contains(&format!("{side} has {count} in reserve"));
            assert_eq!(is_reported, count != "0", "{place}: {}", drawn.text);
        }
    }
}

#[test]
fn the_board_of_a_go_front_end_matches_the_strings() {
    projection::check_board::<Roses, RosesNotation>();
}

/// On a hexagonal board, as GoGui draws it, the neighbours of a cell are its six neighbours in the
/// rules. Each direction of the rules is always the same direction on this board. The test above
/// checks that the program puts every cell on the same point as [`board_point`].
#[test]
fn hexagonal_neighbours_are_the_neighbours_of_the_game() {
    let cells: Vec<Point> = CELLS.concat().into_iter().map(|cell| points(cell)[0]).collect();
    let offset =
        |from: Point, to: Point| (to.file as i8 - from.file as i8, to.rank as i8 - from.rank as i8);
    let mut neighbour_pairs = 0;
    for &from in &cells {
        for &to in &cells {
            let on_hex = offset(board_point(from), board_point(to));
            // These are the letter and the number in the rules. The directions are left and right,
            // up left and down right, up right and down left.
            let expected = match offset(from, to) {
                (-1, -1) => Some((-1, 0)),
                (1, 1) => Some((1, 0)),
                (-1, 0) => Some((0, 1)),
                (1, 0) => Some((0, -1)),
                (0, 1) => Some((1, 1)),
                (0, -1) => Some((-1, -1)),
                _ => None,
            };
            let neighbours = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1)];
            assert_eq!(expected, neighbours.contains(&on_hex).then_some(on_hex), "{from} {to}");
            neighbour_pairs += usize::from(expected.is_some());
        }
    }
    assert_eq!(neighbour_pairs, 2 * 43);
}
