//! Forced wins of Alcaxar, and their exact length. The prover found them in games of the engine
//! against itself.
//!
//! Each position in `fixtures/alcaxar/wins.txt` follows the number of moves of its win. The
//! positions come from games that are numbered from 0. A game has six random moves, with its number
//! as the seed. Then it is played to the end by searches of 400 nodes. If a game was won by
//! fortress or trap, the winner's positions were taken from the last one backwards, as long as the
//! prover found the win. The list contains wins in three moves or more. It has all of the longer
//! wins. Of the wins in three moves it has those of the first games.

use std::collections::HashMap;
use std::fs;
use std::sync::Arc;

use pentarch_alcaxar::Alcaxar;
use pentarch_alcaxar::position::Position;
use pentarch_core::{GameHistory, HasTurn, Notation, Rules};
use pentarch_search::CompiledSearch;
use pentarch_search::control::SearchControl;
use pentarch_search::prover::ProofVerdict;
use pentarch_search::prover::proof_table::ProofTable;
use pentarch_search::prover::question::{ProofBudget, ProofQuestion};

use crate::common::{folder, no_tables};

fn rules() -> Arc<Alcaxar> {
    Arc::new(Alcaxar::default())
}

/// Returns the positions. Each has the number of moves in which the side to move wins.
fn wins() -> Vec<(u32, Position)> {
    let text = fs::read_to_string(folder("alcaxar").join("wins.txt")).unwrap();
    let read = |line: &str| {
        let (moves, position) = line.split_once(' ').unwrap();
        (moves.parse().unwrap(), rules().parse_position(position).unwrap())
    };
    text.lines().map(read).collect()
}

/// Returns the plies of the win that the prover finds within `plies` plies; `None` if there is
/// none.
fn plies_of_proved_win(rules: &Arc<Alcaxar>, position: Position, plies: u32) -> Option<u32> {
    let attacker = position.side_to_move();
    let history = GameHistory::new(rules.clone(), position);
    let question = ProofQuestion {
        plies: Some(plies),
        ..ProofQuestion::new(history, no_tables(rules.as_ref()), attacker)
    };
    let control = SearchControl::default();
    let mut effort = ProofBudget {
        control: &control,
        nodes: 0,
        max_nodes: u64::MAX,
        table_hits: 0.into(),
        on_progress: &mut |_| {},
    };
    match (Alcaxar::search_functions().prove)(
        &question,
        &mut ProofTable::new(64, rules.as_ref()).unwrap(),
        &mut effort,
    ) {
        ProofVerdict::Proved(proof) => Some(proof.size.plies),
        ProofVerdict::NotWithin => None,
        ProofVerdict::Open => panic!("not settled: {}", rules.position_text(&position)),
    }
}

fn is_won_in_exactly(rules: &Arc<Alcaxar>, position: Position, moves: u32) -> bool {
    plies_of_proved_win(rules, position, 2 * moves - 1) == Some(2 * moves - 1)
        && plies_of_proved_win(rules, position, 2 * moves - 3).is_none()
}

/// Returns whether the side to move wins in this many moves. It tries all moves.
fn wins_by_brute_force(
    rules: &Alcaxar,
    position: &Position,
    moves: u32,
    known: &mut HashMap<(u64, u32), bool>,
) -> bool {
    if moves == 0 || rules.outcome(position).is_some() {
        return false;
    }
    let key = (rules.search_key(position), moves);
    if let Some(&known) = known.get(&key) {
        return known;
    }
    let after = |position: &Position| {
        let mut moves = Vec::new();
        rules.legal_moves(position, &mut moves);
        moves.into_iter().map(|mv| rules.play(position, mv)).collect::<Vec<_>>()
    };
    let mover = position.side_to_move();
    let wins = after(position).iter().any(|answered| match rules.outcome(answered) {
        Some(outcome) => outcome.winner() == Some(mover),
        None => {
            moves > 1
                && after(answered)
                    .iter()
                    .all(|next| wins_by_brute_force(rules, next, moves - 1, known))
        }
    });
    known.insert(key, wins);
    wins
}

#[test]
fn a_hundred_positions_are_won_in_three_to_nine_moves() {
    let wins = wins();
    assert_eq!(wins.len(), 100);
    assert!(wins.iter().all(|(moves, _)| (3..=9).contains(moves)));
    let texts: std::collections::HashSet<String> =
        wins.iter().map(|(_, win)| rules().position_text(win)).collect();
    assert_eq!(texts.len(), 100);
}

#[test]
fn some_wins_are_proved_with_exact_length() {
    let rules = rules();
    for &(moves, position) in wins().iter().filter(|&&(moves, _)| moves == 3).step_by(8) {
        assert!(is_won_in_exactly(&rules, position, moves), "{}", rules.position_text(&position));
    }
}

/// Proves all of the wins. Short wins are also checked by trying all moves.
///
/// `cargo test --release --test all wins:: -- --ignored --nocapture`
#[test]
#[ignore = "tries everything for up to seven plies"]
fn all_wins_are_proved_and_short_ones_confirmed_by_brute_force() {
    let rules = rules();
    for (moves, position) in wins() {
        let (text, begun) = (rules.position_text(&position), std::time::Instant::now());
        assert!(is_won_in_exactly(&rules, position, moves), "{text}");
        println!("{moves} {text}: proved in {} ms", begun.elapsed().as_millis());
        if moves <= 4 {
            let mut known = HashMap::new();
            assert!(wins_by_brute_force(&rules, &position, moves, &mut known), "{text}");
            assert!(!wins_by_brute_force(&rules, &position, moves - 1, &mut known), "{text}");
        }
    }
}
