//! Compares the prover with plain retrograde analysis. Also tests its verification with flawed
//! claims.

use std::cell::Cell;
use std::sync::Arc;

use pentarch_alcaxar::Alcaxar;
use pentarch_alquerque::position::Position;
use pentarch_alquerque::{Alquerque, rules};
use pentarch_core::rules::legal_move_list;
use pentarch_core::{GameHistory, Notation, Options, Rules, Side};
use pentarch_nim::{Nim, Pile, pile};
use pentarch_search::CompiledSearch;
use pentarch_search::control::SearchControl;
use pentarch_search::prover::proof_table::ProofTable;
use pentarch_search::prover::question::{KnownResult, ProofBudget, ProofQuestion};
use pentarch_search::prover::verify::{ProofError, RepliesByKey};
use pentarch_search::prover::{ProofClaim, ProofVerdict};

use super::retrograde::Retrograde;

const MAX_NODES: u64 = 1_000_000;

fn prove_question<G: CompiledSearch>(
    history: &GameHistory<G>,
    attacker: Side,
    plies: Option<u32>,
) -> (ProofQuestion<G>, ProofVerdict<G::Move>) {
    prove_with_table(small_table(history), history, attacker, plies)
}

fn prove_with_table<G: CompiledSearch>(
    mut table: ProofTable,
    history: &GameHistory<G>,
    attacker: Side,
    plies: Option<u32>,
) -> (ProofQuestion<G>, ProofVerdict<G::Move>) {
    let question = ProofQuestion { plies, ..question(history, attacker) };
    let verdict = answer(&question, &mut table);
    (question, verdict)
}

fn answer<G: CompiledSearch>(
    question: &ProofQuestion<G>,
    table: &mut ProofTable,
) -> ProofVerdict<G::Move> {
    let control = SearchControl::default();
    (G::search_functions().prove)(
        question,
        table,
        &mut ProofBudget {
            control: &control,
            nodes: 0,
            max_nodes: MAX_NODES,
            table_hits: 0.into(),
            on_progress: &mut |_| {},
        },
    )
}

/// Creates the question whether this side wins. The tables are not computed yet.
fn question<G: CompiledSearch>(history: &GameHistory<G>, attacker: Side) -> ProofQuestion<G> {
    ProofQuestion::new(history.clone(), history.rules().create_uncomputed_tables(None), attacker)
}

fn small_table<G: CompiledSearch>(history: &GameHistory<G>) -> ProofTable {
    ProofTable::new(1, history.rules().as_ref()).unwrap()
}

/// Returns the number of plies of a proved win; `None` if the win is disproved.
fn plies<M: std::fmt::Debug>(verdict: &ProofVerdict<M>) -> Option<u32> {
    match verdict {
        ProofVerdict::Proved(proof) => (proof.claim == ProofClaim::Win).then_some(proof.size.plies),
        ProofVerdict::NotWithin => None,
        ProofVerdict::Open => panic!("not settled"),
    }
}

#[test]
fn piles_have_exact_results_and_lengths() {
    for (size, table_up_to) in (1..=21).flat_map(|size| [(size, 0), (size, 7.min(size - 1))]) {
        let history = pile(size, table_up_to);
        let shortest = size.div_ceil(4) * 2 - 1;
        let expected = (size % 4 != 0).then_some(shortest);
        assert_eq!(
            plies(&prove_question(&history, Side::First, None).1).is_some(),
            expected.is_some(),
            "{size}"
        );
        assert_eq!(
            plies(&prove_question(&history, Side::Second, None).1).is_some(),
            expected.is_none(),
            "{size}"
        );
        for limit in 1..=shortest + 2 {
            let found = plies(&prove_question(&history, Side::First, Some(limit)).1);
            assert_eq!(
                found.is_some(),
                expected.is_some_and(|plies| plies <= limit),
                "{size} within {limit}"
            );
            assert!(found.is_none_or(|plies| plies <= limit), "{size} within {limit}");
        }
    }
}

#[test]
fn only_the_allowed_moves_count() {
    let history = pile(6, 0);
    let question = ProofQuestion { moves: vec![1, 3], ..question(&history, Side::First) };
    let verdict = answer(&question, &mut small_table(&history));
    assert_eq!(plies(&verdict), None);
}

fn alquerque(settings: &[(&pentarch_core::OptionSpec, &str)]) -> Arc<Alquerque> {
    let mut options = Options::default();
    settings.iter().for_each(|(spec, value)| options.set(spec, value).unwrap());
    Arc::new(Alquerque::from_options(&options))
}

/// Compares this number of endings for each of some rule sets. Each rule set begins with another
/// ending.
fn compare_with_retrograde_analysis(endings: usize) {
    let rule_sets: [&[_]; 4] = [
        &[(&rules::RETREAT_BAN_OPTION.spec, "free")],
        &[],
        &[(&rules::RULESET_OPTION.spec, "bell")],
        &[(&rules::RULESET_OPTION.spec, "alfonso"), (&rules::MULTI_CAPTURE_OPTION.spec, "stop")],
    ];
    let texts = [
        "4x/5/5/1o3/o4 l - - - 1",
        "x4/5/2o2/5/4o d - - - 1",
        "5/1x3/5/3o1/2x2 l - - - 1",
        "x3x/5/2o2/5/5 l - - - 1",
    ];
    for (at, settings) in rule_sets.into_iter().enumerate() {
        let rules = alquerque(settings);
        let mut verdicts = [0, 0];
        for text in texts.into_iter().cycle().skip(at).take(endings) {
            let root = rules.parse_position(text).unwrap();
            let solved = Retrograde::new(rules.as_ref(), root, &[], usize::MAX).unwrap();
            for attacker in Side::BOTH_SIDES {
                let expected = solved.plies(attacker, &root);
                let history = GameHistory::new(rules.clone(), root);
                let found = plies(&prove_question(&history, attacker, None).1);
                assert_eq!(found.is_some(), expected.is_some(), "{settings:?} {text} {attacker:?}");
                assert!(found >= expected);
                if let Some(shortest) = expected.filter(|&plies| plies < 12) {
                    assert_eq!(
                        plies(&prove_question(&history, attacker, Some(shortest)).1),
                        Some(shortest),
                        "{text}"
                    );
                    assert_eq!(
                        plies(&prove_question(&history, attacker, Some(shortest - 1)).1),
                        None,
                        "{text}"
                    );
                }
                verdicts[usize::from(expected.is_some())] += 1;
            }
        }
        assert!(verdicts.iter().all(|&count| count > 0), "{settings:?}");
    }
}

#[test]
fn endings_agree_with_retrograde_analysis() {
    compare_with_retrograde_analysis(1);
}

/// To run this test: `cargo test --test all search::prover -- --ignored`
#[test]
#[ignore = "four times as many endings"]
fn more_endings_agree_with_retrograde_analysis() {
    compare_with_retrograde_analysis(4);
}

/// Returns a position with these checkers and a random history.
fn random_ending(rules: &Alquerque, rng: &mut fastrand::Rng, checkers: [u32; 2]) -> Position {
    let mut position =
        Position { checkers, side: Side::BOTH_SIDES[rng.usize(..2)], ..rules.start_position() };
    for (mut free, starts) in checkers.into_iter().zip(&rules.step_start_points) {
        for direction in [2, 6, rng.usize(..8)] {
            let banned = free & starts[direction] & rng.u32(..) & rng.u32(..);
            position.banned[direction] |= banned;
            free &= !position.banned[direction];
        }
    }
    position
}

/// One table answers for many histories of the same boards. A result with conditions was found
/// after one history. It must be correct after every other history that satisfies the conditions,
/// with and without a limit of plies. Moves that are not allowed do not count.
#[test]
fn conditional_results_hold_after_every_matching_history() {
    let mut rng = fastrand::Rng::with_seed(6);
    let mut by_past = 0;
    for (base_row, removal) in [("free", "instant"), ("spent", "after"), ("horizontal", "instant")]
    {
        let rules = alquerque(&[
            (&rules::RULESET_OPTION.spec, "bell"),
            (&rules::BASE_ROW_OPTION.spec, base_row),
            (&rules::CAPTURE_REMOVAL_OPTION.spec, removal),
        ]);
        for _ in 0..8 {
            let spots: Vec<u32> = std::iter::repeat_with(|| 1 << rng.u32(..25)).take(3).collect();
            let men = [spots[0] & !spots[2], (spots[1] | spots[2]) & !spots[0]];
            if men.contains(&0) {
                continue;
            }
            let mut tables = [(); 2].map(|()| ProofTable::new(1, rules.as_ref()).unwrap());
            let mut won_before = [None; 2];
            for _ in 0..12 {
                let root = random_ending(&rules, &mut rng, men);
                if rules.outcome(&root).is_some() {
                    continue;
                }
                let history = GameHistory::new(rules.clone(), root);
                let moves = history.legal_move_list();
                let only = moves[rng.usize(..moves.len())];
                let solved = Retrograde::new(rules.as_ref(), root, &[], usize::MAX).unwrap();
                for attacker in Side::BOTH_SIDES {
                    let shortest = solved.plies(attacker, &root);
                    let text = || format!("{base_row} {} {attacker:?}", rules.position_text(&root));
                    for limit in [
                        None,
                        Some(rng.u32(1..4)),
                        shortest.map(|plies| (plies - rng.u32(..2)).max(1)),
                    ] {
                        let question =
                            ProofQuestion { plies: limit, ..question(&history, attacker) };
                        let verdict = answer(&question, &mut tables[attacker.index()]);
                        let expected =
                            shortest.is_some_and(|plies| limit.is_none_or(|limit| plies <= limit));
                        assert_eq!(
                            plies(&verdict).is_some(),
                            expected,
                            "{} within {limit:?}",
                            text()
                        );
                    }
                    let of_one =
                        ProofQuestion { moves: vec![only], ..question(&history, attacker) };
                    let verdict = answer(&of_one, &mut small_table(&history));
                    let expected = solved.plies(attacker, &rules.play(&root, only)).is_some();
                    assert_eq!(plies(&verdict).is_some(), expected, "{} with one move", text());
                    if attacker == Side::First {
                        let before = won_before[root.side.index()].replace(shortest.is_some());
                        by_past += u32::from(before == Some(shortest.is_none()));
                    }
                }
            }
        }
    }
    assert!(by_past > 5, "{by_past}");
}

/// Dark must capture. After the next move of Light, Dark has one step left, but its history may
/// forbid this step.
#[test]
fn a_win_within_a_limit_of_plies_depends_on_the_history() {
    let rules = alquerque(&[(&rules::RULESET_OPTION.spec, "bell")]);
    let mut table = ProofTable::new(1, rules.as_ref()).unwrap();
    for (past, expected) in [("-", None), ("a2b2", Some(2)), ("a1b1", None)] {
        let root = rules.parse_position(&format!("5/o4/o1o1x/x3o/o4 d {past} - - 1")).unwrap();
        let history = GameHistory::new(rules.clone(), root);
        let question = ProofQuestion { plies: Some(2), ..question(&history, Side::First) };
        assert_eq!(plies(&answer(&question, &mut table)), expected, "{past}");
    }
}

#[test]
fn a_table_that_stores_nothing_leads_to_no_false_claim() {
    let rules = alquerque(&[]);
    let history =
        GameHistory::new(rules.clone(), rules.parse_position("x4/2o2/4o/o4/5 l - - - 19").unwrap());
    for attacker in Side::BOTH_SIDES {
        let verdict = prove_with_table(
            ProofTable::new(0, history.rules().as_ref()).unwrap(),
            &history,
            attacker,
            None,
        )
        .1;
        assert!(
            !matches!(verdict, ProofVerdict::Proved(proof) if (proof.claim == ProofClaim::Win) != (attacker == Side::First))
        );
    }
}

/// Some wins that the search has found rest on other wins. The small table has overwritten the
/// other wins, so the search must find them again. In the last case, parts of the proof repeatedly
/// replace each other in the table.
#[test]
fn lost_parts_of_a_proof_are_searched_again() {
    let rules = alquerque(&[(&rules::RETREAT_BAN_OPTION.spec, "free")]);
    for (text, winner) in [
        ("1o3/2x2/2x2/x4/2o2 l - - - 1", Side::Second),
        ("x4/1xo2/1x2o/5/3oo l - - - 1", Side::First),
        ("3x1/x4/1oox1/o3o/4o d - - - 1", Side::First),
    ] {
        let history = GameHistory::new(rules.clone(), rules.parse_position(text).unwrap());
        assert!(
            plies(&prove_with_table(small_table(&history), &history, winner, None).1).is_some(),
            "{text}"
        );
    }
}

#[test]
fn flawed_claims_are_detected() {
    let rules = alquerque(&[(&rules::RETREAT_BAN_OPTION.spec, "free")]);
    let history =
        GameHistory::new(rules.clone(), rules.parse_position("x4/2o2/4o/o4/5 l - - - 19").unwrap());
    let (question, verdict) = prove_question(&history, Side::First, None);
    let ProofVerdict::Proved(proof) = verdict else { panic!("not proved") };
    let with = |claim, replies: &RepliesByKey<_>| {
        let reply = |position: &_| replies.get(&rules.search_key(position)).copied();
        (Alquerque::search_functions().verify)(&question, claim, &reply, &|| false)
            .map(|verified| verified.size)
    };
    assert_eq!(with(ProofClaim::Win, &proof.replies), Ok(proof.size));
    assert_eq!(proof.principal_variation(&question).len() as u32, proof.size.plies);
    // This move is legal elsewhere. Here it is not, because no checker is on its first point.
    let empty = rules.parse_position("x4/5/5/5/o4 l - - - 1").unwrap();
    for &key in proof.replies.keys() {
        let mut fewer = proof.replies.clone();
        fewer.remove(&key);
        assert!(matches!(with(ProofClaim::Win, &fewer), Err(ProofError::NoReply(_))));
        let mut other = proof.replies.clone();
        let sideways = rules
            .parse_move("a1a2")
            .map(|text| rules.resolve_move(&empty, &text).unwrap())
            .unwrap();
        other.insert(key, sideways);
        assert!(matches!(with(ProofClaim::Win, &other), Err(ProofError::IllegalReply(_))));
    }
    // The reply is always the first move in the list. It wins nothing.
    let first = |position: &_| legal_move_list(rules.as_ref(), position).first().copied();
    let aimless =
        (Alquerque::search_functions().verify)(&question, ProofClaim::Win, &first, &|| false);
    assert!(matches!(aimless, Err(ProofError::Cycle | ProofError::BadEnd(_))), "{aimless:?}");
    let refuted = self::question(&history, Side::Second);
    assert!(matches!(
        (Alquerque::search_functions().verify)(&refuted, ProofClaim::Disproved, &first, &|| true),
        Err(ProofError::Stopped)
    ));
}

#[test]
fn positions_with_the_same_key_uphold_no_claim() {
    let won = |same_keys| {
        let rules = Arc::new(Nim { same_keys, ..Nim::default() });
        let question =
            question(&GameHistory::new(rules.clone(), rules.start_position()), Side::First);
        let reply = |pile: &Pile| Some(pile.size % 4);
        (Nim::search_functions().verify)(&question, ProofClaim::Win, &reply, &|| false)
            .map(|verified| verified.size.plies)
    };
    assert_eq!(won(0), Ok(11));
    assert!(matches!(won(8), Err(ProofError::SameKey(_))));
}

#[test]
fn a_position_that_occurred_twice_ends_the_game_at_its_next_occurrence() {
    let rules = Arc::new(Alcaxar::default());
    let mut history = GameHistory::new(rules.clone(), rules.start_position());
    for text in ["Kb6", "Kh4", "Kb8", "Kh2", "Kb6", "Kh4", "Kb8"] {
        let mv = history.resolve_move(text).unwrap();
        history.push(mv);
    }
    let repeated = history.repeated_keys();
    assert_eq!(repeated.len(), 4);
    let home = history.resolve_move("Kh2").unwrap();
    let again = rules.play(history.position(), home);
    // By the rules, Green wins at the third occurrence.
    for (attacker, known) in
        [(Side::First, KnownResult::NotWon), (Side::Second, KnownResult::Won(0))]
    {
        let question = question(&history, attacker);
        assert_eq!(question.known_result(&again, &repeated), Some(known));
        assert_eq!(question.known_result(&again, &[]), None);
    }
    assert_eq!(plies(&prove_question(&history, Side::Second, Some(1)).1), Some(1));
}

/// The position of the claim has occurred twice. So its next occurrence ends the game as well.
#[test]
fn a_return_to_the_position_of_a_claim_ends_the_game() {
    let rules = Arc::new(Alcaxar::default());
    // The walls are far from the knights.
    let start = rules.parse_position("b8h2 a2a4b1b3c2c4d1d3 r - 1").unwrap();
    let mut history = GameHistory::new(rules.clone(), start);
    for text in ["Kb6", "Kh4", "Kb8", "Kh2"] {
        let mv = history.resolve_move(text).unwrap();
        history.push(mv);
    }
    // Red goes back and forth, so Green can repeat the position and wins.
    let reply = |position: &_| {
        let moves = legal_move_list(rules.as_ref(), position);
        let goes = |mv: &_| ["Kb6", "Kb8"].contains(&rules.move_text(*mv).as_str());
        moves.iter().copied().find(goes).or(moves.first().copied())
    };
    let calls = Cell::new(0);
    let verified = (Alcaxar::search_functions().verify)(
        &question(&history, Side::Second),
        ProofClaim::Disproved,
        &reply,
        &|| calls.replace(calls.get() + 1) > 20,
    );
    let Err(ProofError::BadEnd(end)) = verified else { panic!("{verified:?}") };
    assert!(rules.position_text(&end).starts_with("b8h2 a2a4b1b3c2c4d1d3 r - "));
}
