//! The book of Alquerque: how Light wins from the start.

mod common;

use std::sync::Arc;
use std::time::Duration;

use common::rules;
use pentarch::core::{Game, Line, Notation, Probe, Side, TableValue};
use pentarch::games::alquerque::Alquerque;
use pentarch::games::alquerque::moves::Move;
use pentarch::search::book::{Orbit, reply};
use pentarch::search::clock::Budget;
use pentarch::search::control::Control;
use pentarch::search::prover::Claim;
use pentarch::search::prover::check::check;
use pentarch::search::prover::solver::Question;
use pentarch::search::table::Table;
use pentarch::search::{Answer, FULL_SKILL, Limits, score, search};
use pentarch::tables::book::Book;

/// The rule sets that have a book.
fn games() -> Vec<Arc<Alquerque>> {
    let sets = [&["Alquerque_Retreat=free"][..], &[], &["Alquerque_Win=block"], &["Alquerque_Ruleset=bell"]];
    sets.map(rules::<Alquerque>).to_vec()
}

fn with_tables(game: &Alquerque) {
    game.begin_tables();
    game.await_tables(&|| false);
}

fn bytes(game: &Alquerque) -> &'static [u8] {
    game.book(&game.start()).unwrap()
}

/// Whatever Dark does at random, Light wins, or comes to where the tables take over and to a position that is won by
/// them, and never to one without a move.
#[test]
fn light_wins_by_the_book_against_random_play() {
    let mut rng = fastrand::Rng::with_seed(12);
    for game in games() {
        with_tables(&game);
        let (book, symmetries) = (Book::new(bytes(&game)).unwrap(), game.symmetries());
        for _ in 0..200 {
            let (mut position, mut plies) = (game.start(), 0);
            let won = loop {
                if let Some(outcome) = game.outcome(&position) {
                    break outcome.winner() == Some(Side::First);
                }
                if game.book(&position).is_none() {
                    let known = game.probe(&position).unwrap();
                    let is_win = matches!(known, TableValue::Win(_));
                    break is_win == (position.side == Side::First) && known != TableValue::Draw;
                }
                let mut moves = Vec::new();
                game.legal_moves(&position, &mut moves);
                let mv = match position.side {
                    Side::First => reply(game.as_ref(), &symmetries, &book, &position).unwrap(),
                    Side::Second => moves[rng.usize(..moves.len())],
                };
                position = game.play(&position, mv);
                plies += 1;
            };
            assert!(won && plies < book.label, "{position:?}");
        }
    }
}

/// The answer to a search of 30 ms, perhaps for a win in so many moves.
fn answer(line: &Line<Alquerque>, solved: bool, mate: Option<u32>) -> Answer<Move> {
    let mut moves = Vec::new();
    line.legal_moves(&mut moves);
    let limits = Limits { depth: None, nodes: None, mate, moves, multi_pv: 1, solved, threads: 1, skill: FULL_SKILL };
    let budget = Budget { soft: Duration::from_millis(30), hard: Duration::from_millis(30) };
    let control = Control::new(Some(budget), false, false);
    search(line, &limits, &Table::new(1).unwrap(), &control, |_| {}).unwrap()
}

/// A clock makes the search ask the book, as long as the game has followed it from the start; but not if only a short
/// win is asked for.
#[test]
fn timed_searches_play_by_the_book() {
    for game in games() {
        let mut line = Line::new(game.clone(), game.start());
        let first = line.find_move("c2c3").unwrap();
        let by_book = answer(&line, true, None);
        assert_eq!((by_book.best, by_book.nodes), (first, 0));
        assert!(score::is_proven(by_book.score.unwrap()));
        assert!(answer(&line, false, None).nodes > 0);
        assert!(answer(&line, true, Some(3)).score.is_none_or(|score| !score::is_proven(score)));
        let other = line.find_move("b2c3").unwrap();
        line.push(other);
        let reply = answer(&line, true, None).best;
        line.push(reply);
        assert!(answer(&line, true, None).nodes > 0);
    }
}

/// The book does not know the positions that the tables do, though it may seem to: here it would lose.
#[test]
fn the_book_ends_where_the_tables_take_over() {
    let game = games().swap_remove(0);
    with_tables(&game);
    let played = "c2c3 c4c2 c1c3 a3c1 c3a3 c1c2 d2b2 d4d2 e1c3 b4d2 d1d3 a4b4 d3c3 b4d2 e3c1 a5b4 e2e3 e4e2 b2c3 b4d2 \
                  c1e3e1 b5a5 a3a4 a5a3 a2a4 c5b4 a4c4 d5c5";
    let mut line = Line::new(game.clone(), game.start());
    for text in played.split_whitespace() {
        let mv = line.find_move(text).unwrap();
        line.push(mv);
    }
    let best = answer(&line, true, None).best;
    assert!(matches!(game.probe(&game.play(line.position(), best)), Some(TableValue::Loss(_))));
}

/// Pasts that a symmetry of the position maps on each other share a number, and others do not.
#[test]
fn symmetric_pasts_of_a_symmetric_position_are_one() {
    let game = rules::<Alquerque>(&[]);
    let symmetries = game.symmetries();
    let orbit = |past: &str| {
        let position = game.parse_position(&format!("4x/1o1x1/2o2/o2o1/1o3 l {past} - - 17")).unwrap();
        Orbit::new(game.as_ref(), &symmetries, &position)
    };
    let [one, other, third, none] = ["d2c1", "b4a3", "d2d1", "-"].map(orbit);
    assert_eq!((one.key, one.key_by_past, one.image), (other.key, other.key_by_past, other.image));
    assert!([third.key, none.key] == [one.key; 2] && third.key_by_past != one.key_by_past);
    assert!(none.key_by_past != one.key_by_past);
}

/// Other rules have no book.
#[test]
fn the_book_is_for_its_rules_only() {
    for (settings, has_one) in [
        (&["Alquerque_Win=block"][..], true),
        (&["Alquerque_Win=capture"], false),
        (&["Alquerque_Retreat=checker"], false),
        (&["Alquerque_Ruleset=bell"], true),
        (&["Alquerque_Ruleset=bell", "Alquerque_Win=repetition"], true),
        (&["Alquerque_Ruleset=bell", "Alquerque_Retreat=player"], false),
        (&["Alquerque_Ruleset=bell", "Alquerque_BaseRow=spent"], false),
        (&["Alquerque_Ruleset=alfonso"], false),
    ] {
        let game = rules::<Alquerque>(settings);
        assert_eq!(game.book(&game.start()).is_some(), has_one, "{settings:?}");
    }
}

/// Plays all that Dark can do against the book, by the full rules. Takes minutes and some gigabytes:
/// `cargo test --release --test book -- --ignored`.
#[test]
#[ignore = "takes minutes and gigabytes"]
fn light_wins_by_the_book_against_everything() {
    for game in games() {
        game.begin_proof_tables(None);
        game.await_tables(&|| false);
        let (book, symmetries) = (Book::new(bytes(&game)).unwrap(), game.symmetries());
        let question = Question::new(Line::new(game.clone(), game.start()), Side::First);
        let by_book = |position: &_| reply(game.as_ref(), &symmetries, &book, position);
        let (checked, _) = check(&question, Claim::Win, by_book, &|| false).unwrap();
        assert!(checked.plies <= u32::from(book.label), "{} plies", checked.plies);
    }
}
