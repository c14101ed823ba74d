//! The fixture files of every game: perft counts, positions, moves and games. `tests/common` says how they are read.

mod common;

use common::*;
use pentarch::core::perft::perft;
use pentarch::core::{Complete, MoveError};
use pentarch::games::Visitor;

/// `*.perft`: lines `DEPTH NODES`. Counts above this are left to the ignored test.
const QUICK: u64 = 3_000_000;

#[derive(Clone)]
struct Perft {
    most: u64,
}

impl Visitor for Perft {
    type Output = ();

    fn visit<G: Complete>(self) {
        let cases = cases::<G>(".perft");
        assert!(!cases.is_empty(), "{} has no perft file", G::ID);
        for case in cases {
            let (depth, nodes) = case.text.split_once(' ').unwrap_or_else(|| panic!("{}", case.place));
            let (depth, nodes) = (depth.parse().unwrap(), nodes.parse().unwrap());
            if nodes <= self.most {
                assert_eq!(perft(&mut case.line(), depth, &|| false), Some(nodes), "{}", case.place);
            }
        }
    }
}

#[test]
fn perft_counts() {
    for_each_game(Perft { most: QUICK });
}

/// `cargo test --release --test fixtures -- --ignored`
#[test]
#[ignore = "counts every perft file to the end: minutes"]
fn perft_counts_to_the_end() {
    for_each_game(Perft { most: u64::MAX });
}

/// `positions.ok`: a position text a line, which reads and prints back the same.
/// `positions.bad`: `TEXT => PART OF THE ERROR`.
#[derive(Clone)]
struct Positions;

impl Visitor for Positions {
    type Output = ();

    fn visit<G: Complete>(self) {
        let ok = cases::<G>("positions.ok");
        assert!(!ok.is_empty(), "{} has no positions", G::ID);
        for case in ok {
            let position =
                case.rules.parse_position(&case.text).unwrap_or_else(|error| panic!("{}: {error}", case.place));
            assert_eq!(case.rules.position_text(&position), case.text, "{}", case.place);
        }
        let bad = cases::<G>("positions.bad");
        assert!(!bad.is_empty(), "{} has no bad positions", G::ID);
        for case in bad {
            let (text, why) = case.halves();
            let error = case.rules.parse_position(text).expect_err(&case.place).to_string();
            assert!(error.contains(why), "{}: the error is: {error}", case.place);
        }
    }
}

#[test]
fn positions_good_and_bad() {
    for_each_game(Positions);
}

/// `moves.ok`: lines `TEXT => CANONICAL`, or `legal N: M M M` with all legal moves, in the position of the last `fen`.
/// `moves.bad`: lines `TEXT => PART OF THE REASON`, the reason of a text that is not of the form beginning with
/// `column`.
#[derive(Clone)]
struct Moves;

impl Visitor for Moves {
    type Output = ();

    fn visit<G: Complete>(self) {
        let ok = cases::<G>("moves.ok");
        assert!(!ok.is_empty(), "{} has no moves", G::ID);
        for case in ok {
            let line = case.line();
            if case.text.starts_with("legal ") {
                let texts = move_texts(&line);
                let legal = format!("legal {}: {}", texts.len(), texts.join(" "));
                assert_eq!(legal.trim_end(), case.text, "{}", case.place);
                continue;
            }
            let (text, canonical) = case.halves();
            let mv = line.find_move(text).unwrap_or_else(|error| panic!("{}: {error}", case.place));
            assert_eq!(case.rules.move_text(mv), canonical, "{}", case.place);
            assert!(move_texts(&line).contains(&canonical.to_string()), "{}: not generated", case.place);
        }
        let bad = cases::<G>("moves.bad");
        assert!(!bad.is_empty(), "{} has no bad moves", G::ID);
        for case in bad {
            let (text, why) = case.halves();
            let error = case.line().find_move(text).err().unwrap_or_else(|| panic!("{}: it is legal", case.place));
            assert!(error.to_string().contains(why), "{}: the error is: {error}", case.place);
            assert_eq!(matches!(error, MoveError::Syntax(_)), why.starts_with("column"), "{}: {error}", case.place);
        }
    }
}

#[test]
fn moves_good_and_bad() {
    for_each_game(Moves);
}

/// `games/*.game`: lines `M M M ... => OUTCOME`, each a whole game from the position of the last `fen`; the outcome in
/// the words of `query outcome`. If one move of a game is written with marks, all are held against the annotated form:
/// none may lack its mark.
#[derive(Clone)]
struct Games;

impl Visitor for Games {
    type Output = ();

    fn visit<G: Complete>(self) {
        let cases = cases::<G>(".game");
        assert!(!cases.is_empty(), "{} has no games", G::ID);
        for case in cases {
            let (moves, end) = case.halves();
            let mut line = case.line();
            let (mut canonical, mut annotated) = (Vec::new(), Vec::new());
            for text in moves.split_whitespace() {
                let before = *line.position();
                let mv = line.find_move(text).unwrap_or_else(|error| panic!("{}: {text}: {error}", case.place));
                line.push(mv);
                canonical.push(case.rules.move_text(mv));
                annotated.push(case.rules.annotated_move(&before, mv, line.outcome()));
            }
            if canonical.join(" ") != moves {
                assert_eq!(annotated.join(" "), moves, "{}", case.place);
            }
            assert_eq!(outcome_text::<G>(line.outcome()), end, "{}", case.place);
        }
    }
}

#[test]
fn games_to_their_outcomes() {
    for_each_game(Games);
}
