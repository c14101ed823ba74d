//! Properties that every game must have. The tests check them with random moves under every kind of
//! rule set.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use pentarch_core::rules::options::REPETITION_DRAW_OPTION;
use pentarch_core::{GameHistory, HasTurn, Side};
use pentarch_games::{Game, GameOperation};

use crate::common::*;

for_all_games!(game_is_decided_exactly_when_there_are_no_moves, G, SAMPLE, |history| {
    let mut moves = Vec::new();
    history.legal_moves(&mut moves);
    let text = history.rules().position_text(history.position());
    assert_eq!(history.outcome().is_some(), moves.is_empty(), "{} {text}", G::GAME_ID);
    let mut of_position = Vec::new();
    history.rules().legal_moves(history.position(), &mut of_position);
    assert_eq!(
        history.rules().outcome(history.position()).is_some(),
        of_position.is_empty(),
        "{} {text}",
        G::GAME_ID
    );
});

for_all_games!(position_texts_read_back_the_same, G, SAMPLE, |history| {
    let rules = history.rules();
    let text = rules.position_text(history.position());
    let read = rules
        .parse_position(&text)
        .unwrap_or_else(|error| panic!("{} {text}: {error}", G::GAME_ID));
    assert_eq!(&read, history.position(), "{} {text}", G::GAME_ID);
    assert_eq!(rules.position_text(&read), text, "{}", G::GAME_ID);
});

for_all_games!(move_texts_name_each_move_once_in_any_case, G, SAMPLE, |history| {
    let mut moves = Vec::new();
    history.legal_moves(&mut moves);
    let mut texts = HashSet::new();
    for &mv in &moves {
        let text = history.rules().move_text(mv);
        assert!(
            text.chars().all(|character| character.is_ascii_alphanumeric()),
            "{} {text}",
            G::GAME_ID
        );
        for written in [text.clone(), text.to_uppercase(), text.to_lowercase()] {
            assert_eq!(history.resolve_move(&written), Ok(mv), "{} {written}", G::GAME_ID);
        }
        assert!(texts.insert(text), "{} two moves of one text", G::GAME_ID);
    }
});

for_all_games!(keys_cover_everything_except_the_full_move_number, G, SAMPLE, |history| {
    let rules = history.rules();
    let position = *history.position();
    let text = rules.position_text(&position);
    let (rest, _) = text.rsplit_once(' ').unwrap();
    let other = rules.parse_position(&format!("{rest} 999999")).unwrap();
    assert_eq!(rules.search_key(&other), rules.search_key(&position), "{} {text}", G::GAME_ID);
    assert_eq!(
        rules.repetition_key(&other),
        rules.repetition_key(&position),
        "{} {text}",
        G::GAME_ID
    );
    // The moves have the same order.
    let mut here = Vec::new();
    let mut there = Vec::new();
    rules.legal_moves(&position, &mut here);
    rules.legal_moves(&other, &mut there);
    assert_eq!(here, there, "{} {text}", G::GAME_ID);
    // If two positions differ in one field of their position strings, they have different keys. The
    // only exception is a field that currently has no effect. Here the field is replaced by that of
    // an earlier position.
    let mut earlier = history.clone();
    while history.len() - earlier.len() < 4 && earlier.pop().is_some() {
        let old = rules.position_text(earlier.position());
        for at in 0..text.split(' ').count() - 1 {
            let mut mixed: Vec<&str> = text.split(' ').collect();
            mixed[at] = old.split(' ').nth(at).unwrap();
            let mixed = mixed.join(" ");
            let Ok(other) = rules.parse_position(&mixed) else { continue };
            if rules.search_key(&other) == rules.search_key(&position) {
                let mut there = Vec::new();
                rules.legal_moves(&other, &mut there);
                assert_eq!(here, there, "{} {text} and {mixed}", G::GAME_ID);
                assert_eq!(other.side_to_move(), position.side_to_move(), "{} {text}", G::GAME_ID);
            }
        }
    }
});

for_all_games!(undo_restores_everything, G, SAMPLE, |history| {
    let state = |history: &GameHistory<G>| {
        (
            *history.position(),
            history.outcome(),
            history.len(),
            history.plies_since_occurrences().count(),
        )
    };
    let before = state(history);
    let mut moves = Vec::new();
    history.legal_moves(&mut moves);
    for mv in moves.into_iter().take(20) {
        history.push(mv);
        assert_eq!(history.pop(), Some(mv));
        assert_eq!(state(history), before);
    }
});

for_all_games!(sides_alternate_and_full_moves_count_the_second_sides_turns, G, SAMPLE, |history| {
    let rules = history.rules();
    let side = history.side_to_move();
    let player = history.player_to_move();
    let before = history.position().full_move_number();
    let mut moves = Vec::new();
    history.legal_moves(&mut moves);
    for mv in moves.into_iter().take(5) {
        let after = rules.play(history.position(), mv);
        let next = rules.player_to_move(&after);
        assert!(!G::SIDES_ALTERNATE || after.side_to_move() == !side);
        assert!(G::PLAYER_NAMES.len() > 2 || next != player);
        assert_eq!(after.full_move_number(), before + u32::from(next <= player));
    }
});

for_all_games!(symmetries_keep_moves_outcomes_and_evaluation, G, SAMPLE, |history| {
    let rules = history.rules().clone();
    let position = *history.position();
    let mut moves = Vec::new();
    rules.legal_moves(&position, &mut moves);
    for symmetry in rules.symmetries() {
        let image = (symmetry.position)(&rules, &position);
        let text = format!("{} {} {}", G::GAME_ID, symmetry.name, rules.position_text(&position));
        assert_eq!((symmetry.position)(&rules, &image), position, "{text}: not its own inverse");
        let side = position.side_to_move();
        assert_eq!(image.side_to_move(), if symmetry.swaps_sides { !side } else { side }, "{text}");
        for &mv in moves.iter().take(20) {
            let played = rules.play(&image, (symmetry.mv)(&rules, mv));
            let mapped = (symmetry.position)(&rules, &rules.play(&position, mv));
            assert_eq!(
                rules.search_key(&played),
                rules.search_key(&mapped),
                "{text}: {}",
                rules.move_text(mv)
            );
        }
        let mut mapped: Vec<String> =
            moves.iter().map(|&mv| rules.move_text((symmetry.mv)(&rules, mv))).collect();
        let mut generated = Vec::new();
        rules.legal_moves(&image, &mut generated);
        let mut generated: Vec<String> =
            generated.into_iter().map(|mv| rules.move_text(mv)).collect();
        mapped.sort();
        generated.sort();
        assert_eq!(mapped, generated, "{text}");
        let winner = |outcome: Option<pentarch_core::Outcome>, swapped: bool| {
            outcome.map(|outcome| {
                (outcome.winner().map(|side| if swapped { !side } else { side }), outcome.reason())
            })
        };
        assert_eq!(
            winner(rules.outcome(&image), false),
            winner(rules.outcome(&position), symmetry.swaps_sides),
            "{text}"
        );
        // The nets of Bushka may evaluate mirror images differently.
        if !moves.is_empty() && (G::GAME_ID != "bushka" || symmetry.name == "half turn") {
            assert_eq!(evaluation(&rules, &image), evaluation(&rules, &position), "{text}");
        }
    }
});

for_all_games!(move_numbers_for_the_search_are_below_their_bound, G, SAMPLE, |history| {
    let mut moves = Vec::new();
    history.legal_moves(&mut moves);
    assert!(
        moves.into_iter().all(|mv| history.rules().history_table_index(mv) < G::HISTORY_TABLE_SIZE)
    );
});

for_all_games!(
    positions_before_an_irreversible_move_never_recur,
    G,
    Sample { rule_sets: 4, games: 24, plies: 300 },
    |history| {
        // This replays the whole game with all its keys. The stored line forgets keys at
        // irreversible moves. It must still count the same number of occurrences.
        let rules = history.rules().clone();
        let key = rules.repetition_key(history.position());
        let mut replay = history.clone();
        let mut earlier = 0;
        while replay.pop().is_some() {
            earlier += usize::from(rules.repetition_key(replay.position()) == key);
        }
        assert_eq!(history.plies_since_occurrences().count(), earlier, "{}", G::GAME_ID);
        assert!(!history.repeated_keys().is_empty() || earlier == 0, "{}", G::GAME_ID);
    }
);

for_all_games!(diagrams_have_no_empty_lines_and_no_trailing_spaces, G, SAMPLE, |history| {
    let diagram = history.rules().board_diagram(history.position(), Side::First).to_string();
    assert!(
        diagram.split('\n').all(|line| !line.is_empty() && line.trim_end() == line),
        "{}:\n{diagram}",
        G::GAME_ID
    );
});

for_all_games!(net_inputs_are_unique_and_below_their_number, G, SAMPLE, |history| {
    let rules = history.rules();
    let position = history.position();
    if let Some(shape) = G::NET_SHAPE.filter(|_| history.outcome().is_none()) {
        let mut inputs = Vec::new();
        rules.visit_net_inputs(position, &rules.compute_eval_data(position), |input| {
            inputs.push(input)
        });
        let given = inputs.len();
        inputs.sort_unstable();
        inputs.dedup();
        assert!(given > 0 && inputs.len() == given, "{}", rules.position_text(position));
        assert!(
            inputs.iter().all(|&input| input < shape.inputs)
                && rules.net_output_bucket(position) < shape.buckets
        );
    }
});

/// Returns the static evaluation. Checks that the evaluation has at most as many parts as there are
/// weights.
fn evaluation<G: Game>(rules: &Arc<G>, position: &G::Position) -> i32 {
    let cache = rules.compute_eval_data(position);
    let mut features = 0;
    rules.visit_features(position, &cache, |_| features += 1);
    assert!((1..=G::FEATURE_WEIGHTS.len()).contains(&features), "{}", G::GAME_ID);
    rules.evaluate(position, &cache)
}

for_all_games!(position_texts_end_in_the_full_move_number, G, SAMPLE, |history| {
    let text = history.rules().position_text(history.position());
    let last = text.rsplit(' ').next().unwrap();
    assert_eq!(last, history.position().full_move_number().to_string(), "{} {text}", G::GAME_ID);
    let word = match G::PLAYER_NAMES.len() {
        2 => G::SIDE_NAMES[history.side_to_move().index()][..1].to_string(),
        _ => (history.player_to_move() + 1).to_string(),
    };
    assert!(
        text.split(' ').any(|field| field == word),
        "{} {text}: no field {word} for the player to move",
        G::GAME_ID
    );
});

#[test]
fn a_sharp_game_has_a_first_move_that_loses_at_once() {
    #[derive(Clone)]
    struct Check;
    impl GameOperation for Check {
        type Output = ();
        fn run_for_game_type<G: Game>(self) {
            let rules = rules::<G>(&[]);
            let mut moves = Vec::new();
            rules.legal_moves(&rules.start_position(), &mut moves);
            // On a large board, a few moves stand for all.
            let is_sharp = moves.iter().step_by(1 + moves.len() / 40).any(|&mv| {
                let position = rules.play(&rules.start_position(), mv);
                let mut replies = Vec::new();
                rules.legal_moves(&position, &mut replies);
                replies.iter().any(|&reply| {
                    let outcome = rules.outcome(&rules.play(&position, reply));
                    outcome.is_some_and(|end| end.winner() == Some(position.side_to_move()))
                })
            });
            assert_eq!(is_sharp, G::FIRST_MOVE_CAN_LOSE, "{}", G::GAME_ID);
        }
    }
    for_each_game(Check);
}

#[test]
fn initials_of_the_sides_differ() {
    #[derive(Clone)]
    struct Check;
    impl GameOperation for Check {
        type Output = ();
        fn run_for_game_type<G: Game>(self) {
            let [first, second] = G::SIDE_NAMES.map(|side| side.chars().next().expect("a name"));
            assert_ne!(
                first,
                second,
                "{}: position strings write the side to move as the initial of its name",
                G::GAME_ID
            );
            for side in G::SIDE_NAMES {
                assert!(
                    side.chars().all(|letter| letter.is_ascii_lowercase()),
                    "{}: '{side}'",
                    G::GAME_ID
                );
            }
        }
    }
    for_each_game(Check);
}

/// With `RepetitionDraw` on, every game ends: a position that occurs for the third time has an
/// outcome. Both sides return to earlier positions if possible, so that positions repeat soon. The
/// test passes for a game without repetitions.
#[test]
fn repetition_draw_decides_the_third_occurrence() {
    #[derive(Clone)]
    struct Check;
    impl GameOperation for Check {
        type Output = ();
        fn run_for_game_type<G: Game>(self) {
            let mut rng = fastrand::Rng::with_seed(3);
            for mut options in option_sets::<G>(12) {
                options.set(&REPETITION_DRAW_OPTION, "true").unwrap();
                let rules = Arc::new(G::from_options(&options));
                // The openings have different lengths, because positions also repeat late in a
                // game.
                for opening in [0, 10, 60] {
                    play_with_repetitions(new_history(&rules), opening, &mut rng);
                }
            }
        }
    }
    for_each_rules(Check);
}

/// Plays `opening` random moves. Then it plays mostly moves that lead to an earlier position.
/// Checks the number of occurrences of each position. Also checks the distance between positions
/// with the same repetition key and different search keys. It must be large enough.
fn play_with_repetitions<G: Game>(
    mut history: GameHistory<G>,
    opening: usize,
    rng: &mut fastrand::Rng,
) {
    let rules = history.rules().clone();
    let mut stood: HashMap<u64, usize> = HashMap::new();
    let mut last: HashMap<u64, (u64, usize)> = HashMap::new();
    for ply in 0..opening + 400 {
        let repetition_key = rules.repetition_key(history.position());
        let times = stood.entry(repetition_key).or_default();
        *times += 1;
        let search_key = rules.search_key(&rules.position_seen_by_mover(history.position()));
        if let Some((before, at)) = last.insert(repetition_key, (search_key, ply)) {
            let apart = (ply - at) as u32;
            let is_late = G::MIN_PLIES_TO_REPETITION_WITH_OTHER_SEARCH_KEY
                .is_some_and(|least| apart >= least);
            assert!(before == search_key || is_late, "{} {apart}", G::GAME_ID);
        }
        let text = rules.position_text(history.position());
        assert!(
            *times < 3 || history.outcome().is_some(),
            "{} {text}: goes on at its occurrence {times}",
            G::GAME_ID
        );
        let mut moves = Vec::new();
        history.legal_moves(&mut moves);
        let mut back = moves.clone();
        back.retain(|&mv| {
            stood.contains_key(&rules.repetition_key(&rules.play(history.position(), mv)))
        });
        let goes_back = ply >= opening && rng.u8(..4) > 0 && !back.is_empty();
        let Some(&mv) = rng.choice(if goes_back { &back } else { &moves }) else { return };
        history.push(mv);
    }
}

#[test]
fn benchmark_positions_are_undecided() {
    #[derive(Clone)]
    struct Check;
    impl GameOperation for Check {
        type Output = ();
        fn run_for_game_type<G: Game>(self) {
            let rules = rules::<G>(&[]);
            assert!(
                !G::BENCH_POSITIONS.1.is_empty(),
                "{} has no positions for `bench`: give it Evaluate::BENCH_POSITIONS",
                G::GAME_ID
            );
            for text in G::BENCH_POSITIONS.1 {
                let position = rules
                    .parse_position(text)
                    .unwrap_or_else(|error| panic!("{} {text}: {error}", G::GAME_ID));
                assert_eq!(rules.outcome(&position), None, "{} {text}", G::GAME_ID);
            }
        }
    }
    for_each_game(Check);
}
