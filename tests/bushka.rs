//! Compares Bushka with a second, slow implementation of its rules. Also tests rules that fixtures
//! cannot express.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use pentarch_bushka::Bushka;
use pentarch_core::{GameHistory, Notation, Point, Rules, Side};
use pentarch_slow_rules::bushka as slow;

use crate::common::*;
use crate::projection::{
    self, GoGraphics, coordinates, labels, letters_by_rank, points, square_points,
};

/// Returns the rules on each board.
fn boards() -> [Arc<Bushka>; 2] {
    [rules::<Bushka>(&[]), rules(&["Bushka_Board=11x9"])]
}

/// Compares a position with the slow rules: its moves, the positions after them, and its outcome.
fn assert_agrees(history: &GameHistory<Bushka>, earlier: &[slow::Board]) {
    let rules = history.rules();
    let text = rules.position_text(history.position());
    let board = slow::Board::read(&text);
    assert_eq!(board.text(), text);
    let mut outcome = board.outcome();
    let occurrences = earlier
        .iter()
        .filter(|other| (&other.pieces, other.side) == (&board.pieces, board.side))
        .count();
    if outcome == "ongoing" && occurrences >= 2 {
        outcome = "draw repetition".into();
    }
    assert_eq!(status_protocol_words::<Bushka>(history.outcome()), outcome, "{text}");
    let turns = if outcome == "ongoing" { board.legal_moves() } else { Vec::new() };
    let mut expected: Vec<_> =
        turns.iter().map(|turn| (turn.text.clone(), board.play(turn).text())).collect();
    let mut moves = Vec::new();
    history.legal_moves(&mut moves);
    let mut found: Vec<_> = Vec::new();
    for mv in moves {
        let after = rules.play(history.position(), mv);
        found.push((rules.move_text(mv), rules.position_text(&after)));
    }
    expected.sort();
    found.sort();
    assert_eq!(found, expected, "{text}");
}

fn check_random_games(games: usize, seed: u64) {
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut seen = BTreeMap::<String, usize>::new();
    for rules in boards() {
        for _ in 0..games {
            let mut earlier = Vec::new();
            random_game(new_history(&rules), &mut rng, 600, |history| {
                assert_agrees(history, &earlier);
                earlier.push(slow::Board::read(&rules.position_text(history.position())));
                *seen.entry(status_protocol_words::<Bushka>(history.outcome())).or_default() += 1;
            });
        }
    }
    println!("{seen:?}");
}

/// Returns a position string with pieces on random dark squares. It has more kings than positions
/// in games.
fn random_position_string(rules: &Bushka, rng: &mut fastrand::Rng) -> String {
    let mut board = slow::Board::read(&rules.position_text(&rules.start_position()));
    let most = board.pieces.len() / 2;
    board.pieces.clear();
    for side in ['w', 'b'] {
        let kings = rng.usize(..4);
        for _ in 0..=rng.usize(..most) {
            let square = (rng.i32(1..=board.files), rng.i32(1..=board.ranks));
            let king = rng.usize(..=most) < kings || square.1 == board.last_rank(side);
            if board.is_square(square) {
                board.pieces.entry(square).or_insert(if king {
                    side.to_ascii_uppercase()
                } else {
                    side
                });
            }
        }
    }
    if board.pieces.is_empty() {
        board.pieces.insert((1, 1), 'W');
    }
    board.side = if rng.bool() { 'w' } else { 'b' };
    board.number = rng.u32(1..1000);
    board.text()
}

fn check_random_positions(
    positions: usize,
    seed: u64,
    mut check: impl FnMut(&GameHistory<Bushka>),
) {
    let mut rng = fastrand::Rng::with_seed(seed);
    for rules in boards() {
        for _ in 0..positions {
            let text = random_position_string(&rules, &mut rng);
            let position =
                rules.parse_position(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
            check(&GameHistory::new(rules.clone(), position));
        }
    }
}

#[test]
fn random_games_agree_with_the_slow_rules() {
    check_random_games(40, 1);
}

/// To run this test: `cargo test --release --test all bushka:: -- --ignored`
#[test]
#[ignore = "thousands of games and hundreds of thousands of positions: minutes"]
fn many_random_games_and_positions_agree_with_the_slow_rules() {
    let seed = fresh_seed();
    check_random_games(10_000, seed);
    check_random_positions(200_000, seed + 1, |history| assert_agrees(history, &[]));
}

#[test]
fn random_positions_agree_with_the_slow_rules() {
    check_random_positions(3_000, 4, |history| assert_agrees(history, &[]));
}

fn slow_perft(board: &slow::Board, depth: u32) -> u64 {
    let turns = board.legal_moves();
    match depth {
        1 => turns.len() as u64,
        _ => turns.iter().map(|turn| slow_perft(&board.play(turn), depth - 1)).sum(),
    }
}

/// The slow rules ignore repetitions here, because the paths are too short for a third occurrence
/// of a position.
#[test]
fn perft_files_agree_with_the_slow_rules() {
    for case in cases::<Bushka>(".perft") {
        let (depth, nodes) = case.text.split_once(' ').unwrap();
        let depth: u32 = depth.parse().unwrap();
        let nodes: u64 = nodes.parse().unwrap();
        if nodes < 20_000 {
            assert_eq!(slow_perft(&slow::Board::read(&case.fen), depth), nodes, "{}", case.place);
        }
    }
}

/// A capture never ends on the last rank, so no capture promotes a soldier.
#[test]
fn no_capture_ends_on_the_last_rank() {
    check_random_positions(20_000, 5, |history| {
        let position = *history.position();
        let own = position.side.index();
        let count = |sets: [u64; 2]| sets[1 - own].count_ones();
        let mut moves = Vec::new();
        history.legal_moves(&mut moves);
        for mv in moves {
            let after = history.rules().play(&position, mv);
            let captures = count(after.soldiers) + count(after.kings)
                < count(position.soldiers) + count(position.kings);
            assert!(!captures || after.kings[own].count_ones() == position.kings[own].count_ones());
        }
    });
}

/// Tests every string of two squares, and longer strings similar to the legal moves. A string is
/// legal if and only if its move is generated, or if it lists all squares of a phalanx whose move
/// is generated. If the string is illegal, the reason is precedence if and only if the move would
/// be possible by itself.
#[test]
fn strings_similar_to_legal_moves_get_the_right_kind_of_reason() {
    check_random_positions(90, 6, |history| {
        let text = history.rules().position_text(history.position());
        let board = slow::Board::read(&text);
        if board.outcome() != "ongoing" {
            return;
        }
        let mut possible = BTreeMap::new();
        for turn in [board.phalanx_captures(), board.piece_captures(), board.quiet_moves()].concat()
        {
            possible.insert(turn.listed_text(), turn.text.clone());
            possible.insert(turn.text.clone(), turn.text);
        }
        let legal: BTreeSet<String> =
            board.legal_moves().into_iter().map(|turn| turn.text).collect();
        let every = board.squares();
        let mut written: BTreeSet<String> = possible.keys().cloned().collect();
        written.extend(
            every.iter().flat_map(|from| every.iter().map(move |to| format!("{from}{to}"))),
        );
        for text in possible.keys().take(40) {
            written.extend(every.iter().map(|to| format!("{text}{to}")));
        }
        for written in written {
            let canonical = possible.get(&written).filter(|canonical| legal.contains(*canonical));
            let found = history.resolve_move(&written).map(|mv| history.rules().move_text(mv));
            assert_eq!(found.as_ref().ok(), canonical, "{text} {written}: {found:?}");
            let Err(reason) = found.map_err(|error| error.to_string()) else { continue };
            let most = reason.split_once(" captured is ").or(reason.split_once(" capture is "));
            let precedence = reason.contains(" comes first: ") || most.is_some();
            // A soldier that is not isolated may step in front of an enemy piece. The reason is
            // then that the soldier is not isolated, even if the step is forward.
            let is_possible = possible.contains_key(&written)
                && !reason.contains(" is not isolated on that line");
            assert_eq!(precedence, is_possible, "{text} {written}: {reason}");
            if let Some((most, this)) =
                most.and_then(|(_, numbers)| numbers.split_once(", this captures "))
            {
                let this = this.split(':').next().unwrap();
                assert!(
                    this.parse::<u32>().unwrap() < most.parse().unwrap(),
                    "{text} {written}: {reason}"
                );
            }
        }
    });
}

/// Reads the board of a Go front end from position and move strings.
struct BushkaNotation;

impl projection::BoardNotation<Bushka> for BushkaNotation {
    const HAS_CAPTURES: bool = true;

    fn has_point(board: &str, point: Point) -> bool {
        usize::from(point.rank) < board.split('/').count()
    }

    fn pieces(board: &str) -> BTreeMap<Point, Side> {
        let side = |letter: char| {
            if letter.eq_ignore_ascii_case(&'w') { Side::First } else { Side::Second }
        };
        letters_by_rank(board).into_iter().map(|(point, letter)| (point, side(letter))).collect()
    }

    fn clicks(text: &str) -> Vec<Point> {
        points(text)
    }

    /// Checks that kings have a letter and dark squares have a colour.
    fn check_graphics(drawn: &GoGraphics, fields: &[&str], size: u8, place: &str) {
        let king = |letter: char| letter.is_ascii_uppercase().then(|| "K".into());
        assert_eq!(drawn.labels, labels(&letters_by_rank(fields[0]), king), "{place}");
        let dark = square_points(size).filter(|point| Self::has_point(fields[0], *point));
        let dark = dark.filter(|point| (point.file + point.rank) % 2 == 0);
        assert_eq!(drawn.coloured(), coordinates(dark), "{place}");
    }
}

#[test]
fn the_board_of_a_go_front_end_agrees_with_the_strings() {
    projection::check_board::<Bushka, BushkaNotation>();
}
