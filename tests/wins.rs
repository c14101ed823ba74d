//! Forced wins of Alcaxar, found by the prover in games of the engine with itself, and their exact length.
//!
//! The positions in `fixtures/alcaxar/wins.txt`, each after the moves that its win takes, come from games numbered from
//! 0: six random moves, with the number of the game as the seed, then moves by searches of 400 nodes to the end. Where
//! a game was won by fortress or trap, the positions of the winner were taken from the last one backwards, as long as
//! the prover found the win; those won in three moves or more are in the list, all of the longer ones and of the others
//! those of the first games.

mod common;

use std::collections::HashMap;
use std::fs;
use std::sync::Arc;

use pentarch::core::{Game, Line, Notation, Options};
use pentarch::games::alcaxar::Alcaxar;
use pentarch::games::alcaxar::position::Position;
use pentarch::search::control::Control;
use pentarch::search::prover::solver::{Effort, Question};
use pentarch::search::prover::table::ProofTable;
use pentarch::search::prover::{Verdict, prove};

fn game() -> Arc<Alcaxar> {
    Arc::new(Alcaxar::from_options(&Options::default()))
}

/// The positions, and in how many moves of the side to move they are won.
fn wins() -> Vec<(u32, Position)> {
    let text = fs::read_to_string(common::folder("alcaxar").join("wins.txt")).unwrap();
    let read = |line: &str| {
        let (moves, position) = line.split_once(' ').unwrap();
        (moves.parse().unwrap(), game().parse_position(position).unwrap())
    };
    text.lines().map(read).collect()
}

/// The plies of the win that the prover finds within so many; none if there is none.
fn proved(game: &Arc<Alcaxar>, position: Position, plies: u32) -> Option<u32> {
    let attacker = game.side_to_move(&position);
    let line = Line::new(game.clone(), position);
    let question = Question { plies: Some(plies), ..Question::new(line, attacker) };
    let control = Control::new(None, false, false);
    let mut effort =
        Effort { control: &control, nodes: 0, most_nodes: u64::MAX, table_hits: 0.into(), watch: &mut |_| {} };
    match prove(&question, &mut ProofTable::new(64, game.as_ref()).unwrap(), &mut effort) {
        Verdict::Proved(proof) => Some(proof.checked.plies),
        Verdict::NotWithin => None,
        Verdict::Open => panic!("not settled: {}", game.position_text(&position)),
    }
}

fn is_won_in_exactly(game: &Arc<Alcaxar>, position: Position, moves: u32) -> bool {
    proved(game, position, 2 * moves - 1) == Some(2 * moves - 1) && proved(game, position, 2 * moves - 3).is_none()
}

/// Whether the side to move wins in so many moves, by trying everything.
fn wins_plainly(game: &Alcaxar, position: &Position, moves: u32, known: &mut HashMap<(u64, u32), bool>) -> bool {
    if moves == 0 || game.outcome(position).is_some() {
        return false;
    }
    let key = (game.search_key(position), moves);
    if let Some(&known) = known.get(&key) {
        return known;
    }
    let after = |position: &Position| {
        let mut moves = Vec::new();
        game.legal_moves(position, &mut moves);
        moves.into_iter().map(|mv| game.play(position, mv)).collect::<Vec<_>>()
    };
    let mover = game.side_to_move(position);
    let wins = after(position).iter().any(|answered| match game.outcome(answered) {
        Some(outcome) => outcome.winner() == Some(mover),
        None => moves > 1 && after(answered).iter().all(|next| wins_plainly(game, next, moves - 1, known)),
    });
    known.insert(key, wins);
    wins
}

#[test]
fn a_hundred_positions_are_won_in_three_to_nine_moves() {
    let wins = wins();
    assert_eq!(wins.len(), 100);
    assert!(wins.iter().all(|(moves, _)| (3..=9).contains(moves)));
    let texts: std::collections::HashSet<String> = wins.iter().map(|(_, win)| game().position_text(win)).collect();
    assert_eq!(texts.len(), 100);
}

#[test]
fn some_wins_are_proved_and_have_their_length() {
    let game = game();
    for &(moves, position) in wins().iter().filter(|&&(moves, _)| moves == 3).step_by(8) {
        assert!(is_won_in_exactly(&game, position, moves), "{}", game.position_text(&position));
    }
}

/// Proves all of them, and tries everything where the wins are short.
///
/// `cargo test --release --test wins -- --ignored --nocapture`
#[test]
#[ignore = "tries everything for up to seven plies"]
fn all_wins_are_proved_and_the_short_ones_plainly_searched() {
    let game = game();
    for (moves, position) in wins() {
        let (text, begun) = (game.position_text(&position), std::time::Instant::now());
        assert!(is_won_in_exactly(&game, position, moves), "{text}");
        println!("{moves} {text}: proved in {} ms", begun.elapsed().as_millis());
        if moves <= 4 {
            let mut known = HashMap::new();
            assert!(wins_plainly(&game, &position, moves, &mut known), "{text}");
            assert!(!wins_plainly(&game, &position, moves - 1, &mut known), "{text}");
        }
    }
}
