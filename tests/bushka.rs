//! Bushka held against a second, slow implementation of its rules, and the rules that fixtures cannot express.

mod common;
#[path = "bushka/slow.rs"]
mod slow;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use common::*;
use pentarch::core::{Game, Line, Notation};
use pentarch::games::bushka::Bushka;

/// Rules on each board.
fn boards() -> [Arc<Bushka>; 2] {
    [rules::<Bushka>(&[]), rules(&["Bushka_Board=11x9"])]
}

/// Holds the moves, the positions after them and the outcome of a position against the slow rules.
fn assert_same(line: &Line<Bushka>, history: &[slow::Board]) {
    let game = line.game();
    let text = game.position_text(line.position());
    let board = slow::Board::read(&text);
    assert_eq!(board.text(), text);
    let mut outcome = board.outcome();
    let same = |other: &&slow::Board| (&other.pieces, other.side) == (&board.pieces, board.side);
    if outcome == "ongoing" && history.iter().filter(same).count() >= 2 {
        outcome = "draw repetition".into();
    }
    assert_eq!(outcome_text::<Bushka>(line.outcome()), outcome, "{text}");
    let turns = if outcome == "ongoing" { board.legal_moves() } else { Vec::new() };
    let mut expected: Vec<_> = turns.iter().map(|turn| (turn.text.clone(), board.play(turn).text())).collect();
    let mut moves = Vec::new();
    line.legal_moves(&mut moves);
    let after = |mv| game.position_text(&game.play(line.position(), mv));
    let mut found: Vec<_> = moves.into_iter().map(|mv| (game.move_text(mv), after(mv))).collect();
    expected.sort();
    found.sort();
    assert_eq!(found, expected, "{text}");
}

fn random_games_agree(games: usize, seed: u64) {
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut seen = BTreeMap::<String, usize>::new();
    for rules in boards() {
        for _ in 0..games {
            let mut history = Vec::new();
            random_game(new_line(&rules), &mut rng, 600, |line| {
                assert_same(line, &history);
                history.push(slow::Board::read(&rules.position_text(line.position())));
                *seen.entry(outcome_text::<Bushka>(line.outcome())).or_default() += 1;
            });
        }
    }
    println!("{seen:?}");
}

/// A position text with pieces strewn over the dark squares, kings more often than in play.
fn random_position(game: &Bushka, rng: &mut fastrand::Rng) -> String {
    let mut board = slow::Board::read(&game.position_text(&game.start()));
    let most = board.pieces.len() / 2;
    board.pieces.clear();
    for side in ['w', 'b'] {
        let kings = rng.usize(..4);
        for _ in 0..=rng.usize(..most) {
            let square = (rng.i32(1..=board.files), rng.i32(1..=board.ranks));
            let king = rng.usize(..=most) < kings || square.1 == board.last_rank(side);
            if board.is_square(square) {
                board.pieces.entry(square).or_insert(if king { side.to_ascii_uppercase() } else { side });
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

fn random_positions(positions: usize, seed: u64, mut check: impl FnMut(&Line<Bushka>)) {
    let mut rng = fastrand::Rng::with_seed(seed);
    for rules in boards() {
        for _ in 0..positions {
            let text = random_position(&rules, &mut rng);
            let position = rules.parse_position(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
            check(&Line::new(rules.clone(), position));
        }
    }
}

#[test]
fn random_games_agree_with_the_slow_rules() {
    random_games_agree(40, 1);
}

/// `cargo test --release --test bushka -- --ignored`
#[test]
#[ignore = "thousands of games and hundreds of thousands of positions: minutes"]
fn many_random_games_and_positions_agree_with_the_slow_rules() {
    random_games_agree(10_000, 2);
    random_positions(200_000, 3, |line| assert_same(line, &[]));
}

#[test]
fn random_positions_agree_with_the_slow_rules() {
    random_positions(5_000, 4, |line| assert_same(line, &[]));
}

fn slow_perft(board: &slow::Board, depth: u32) -> u64 {
    let turns = board.legal_moves();
    match depth {
        1 => turns.len() as u64,
        _ => turns.iter().map(|turn| slow_perft(&board.play(turn), depth - 1)).sum(),
    }
}

/// The paths are too short for a third occurrence.
#[test]
fn perft_files_agree_with_the_slow_rules() {
    for case in cases::<Bushka>(".perft") {
        let (depth, nodes) = case.text.split_once(' ').unwrap();
        let (depth, nodes): (u32, u64) = (depth.parse().unwrap(), nodes.parse().unwrap());
        if nodes < 20_000 {
            assert_eq!(slow_perft(&slow::Board::read(&case.fen), depth), nodes, "{}", case.place);
        }
    }
}

/// A capture never ends on the last rank, so no capture promotes.
#[test]
fn no_capture_ends_a_soldier_on_its_last_rank() {
    random_positions(20_000, 5, |line| {
        let position = *line.position();
        let own = position.side.index();
        let count = |sets: [u64; 2]| sets[1 - own].count_ones();
        let mut moves = Vec::new();
        line.legal_moves(&mut moves);
        for mv in moves {
            let after = line.game().play(&position, mv);
            let captures =
                count(after.soldiers) + count(after.kings) < count(position.soldiers) + count(position.kings);
            assert!(!captures || after.kings[own].count_ones() == position.kings[own].count_ones());
        }
    });
}

/// Every text of two squares, and longer ones near the legal moves: legal exactly if it is generated, or lists the
/// squares of such a phalanx; otherwise told that something else comes first exactly if it would be a move by itself.
#[test]
fn texts_near_the_legal_ones_are_legal_or_get_the_right_kind_of_reason() {
    random_positions(150, 6, |line| {
        let text = line.game().position_text(line.position());
        let board = slow::Board::read(&text);
        if board.outcome() != "ongoing" {
            return;
        }
        let mut possible = BTreeMap::new();
        for turn in [board.phalanx_captures(), board.piece_captures(), board.quiet_moves()].concat() {
            possible.insert(turn.listed(), turn.text.clone());
            possible.insert(turn.text.clone(), turn.text);
        }
        let legal: BTreeSet<String> = board.legal_moves().into_iter().map(|turn| turn.text).collect();
        let every = board.squares();
        let mut written: BTreeSet<String> = possible.keys().cloned().collect();
        written.extend(every.iter().flat_map(|from| every.iter().map(move |to| format!("{from}{to}"))));
        for text in possible.keys().take(40) {
            written.extend(every.iter().map(|to| format!("{text}{to}")));
        }
        for written in written {
            let canonical = possible.get(&written).filter(|canonical| legal.contains(*canonical));
            let found = line.find_move(&written).map(|mv| line.game().move_text(mv));
            assert_eq!(found.as_ref().ok(), canonical, "{text} {written}: {found:?}");
            let Err(reason) = found.map_err(|error| error.to_string()) else { continue };
            let most = reason.split_once(" captured is ").or(reason.split_once(" capture is "));
            let precedence = reason.contains(" comes first: ") || most.is_some();
            // A step before an enemy piece by a soldier that is not isolated is told so, forward ones too.
            let is_possible = possible.contains_key(&written) && !reason.contains(" is not isolated on that line");
            assert_eq!(precedence, is_possible, "{text} {written}: {reason}");
            if let Some((most, this)) = most.and_then(|(_, numbers)| numbers.split_once(", this captures ")) {
                let this = this.split(':').next().unwrap();
                assert!(this.parse::<u32>().unwrap() < most.parse().unwrap(), "{text} {written}: {reason}");
            }
        }
    });
}
