//! What every game must keep, under every kind of rule set, whatever is played.

mod common;

use std::collections::HashSet;
use std::sync::Arc;

use common::*;
use pentarch::core::{Complete, Line, Side};
use pentarch::games::Visitor;

for_all_games!(a_game_is_decided_exactly_when_there_are_no_moves, SAMPLE, |line: &mut Line<G>| {
    let mut moves = Vec::new();
    line.legal_moves(&mut moves);
    let text = line.game().position_text(line.position());
    assert_eq!(line.outcome().is_some(), moves.is_empty(), "{} {text}", G::ID);
    let mut of_position = Vec::new();
    line.game().legal_moves(line.position(), &mut of_position);
    assert_eq!(line.game().outcome(line.position()).is_some(), of_position.is_empty(), "{} {text}", G::ID);
});

for_all_games!(position_texts_read_back_the_same, SAMPLE, |line: &mut Line<G>| {
    let game = line.game();
    let text = game.position_text(line.position());
    let read = game.parse_position(&text).unwrap_or_else(|error| panic!("{} {text}: {error}", G::ID));
    assert_eq!(&read, line.position(), "{} {text}", G::ID);
    assert_eq!(game.position_text(&read), text, "{}", G::ID);
});

for_all_games!(move_texts_name_each_move_once_in_any_case, SAMPLE, |line: &mut Line<G>| {
    let mut moves = Vec::new();
    line.legal_moves(&mut moves);
    let mut texts = HashSet::new();
    for &mv in &moves {
        let text = line.game().move_text(mv);
        assert!(text.chars().all(|character| character.is_ascii_alphanumeric()), "{} {text}", G::ID);
        for written in [text.clone(), text.to_uppercase(), text.to_lowercase()] {
            assert_eq!(line.find_move(&written), Ok(mv), "{} {written}", G::ID);
        }
        assert!(texts.insert(text), "{} two moves of one text", G::ID);
    }
});

for_all_games!(keys_cover_all_but_the_full_move_number, SAMPLE, |line: &mut Line<G>| {
    let game = line.game();
    let position = *line.position();
    let text = game.position_text(&position);
    let (rest, _) = text.rsplit_once(' ').unwrap();
    let other = game.parse_position(&format!("{rest} 999999")).unwrap();
    assert_eq!(game.search_key(&other), game.search_key(&position), "{} {text}", G::ID);
    assert_eq!(game.repetition_key(&other), game.repetition_key(&position), "{} {text}", G::ID);
    // Moves come in the same order.
    let (mut here, mut there) = (Vec::new(), Vec::new());
    game.legal_moves(&position, &mut here);
    game.legal_moves(&other, &mut there);
    assert_eq!(here, there, "{} {text}", G::ID);
    // Positions that differ in one field of their texts, here one taken over from an earlier position, have different
    // keys, unless the field does not matter now.
    let mut earlier = line.clone();
    while line.len() - earlier.len() < 4 && earlier.pop().is_some() {
        let old = game.position_text(earlier.position());
        for at in 0..text.split(' ').count() - 1 {
            let mut mixed: Vec<&str> = text.split(' ').collect();
            mixed[at] = old.split(' ').nth(at).unwrap();
            let mixed = mixed.join(" ");
            let Ok(other) = game.parse_position(&mixed) else { continue };
            if game.search_key(&other) == game.search_key(&position) {
                let mut there = Vec::new();
                game.legal_moves(&other, &mut there);
                assert_eq!(here, there, "{} {text} and {mixed}", G::ID);
                assert_eq!(game.side_to_move(&other), game.side_to_move(&position), "{} {text}", G::ID);
            }
        }
    }
});

for_all_games!(undo_restores_everything, SAMPLE, |line: &mut Line<G>| {
    let state = |line: &Line<G>| (*line.position(), line.outcome(), line.len(), line.earlier_occurrences().count());
    let before = state(line);
    let mut moves = Vec::new();
    line.legal_moves(&mut moves);
    for mv in moves.into_iter().take(20) {
        line.push(mv);
        assert_eq!(line.pop(), Some(mv));
        assert_eq!(state(line), before);
    }
});

for_all_games!(sides_alternate_and_full_moves_count_the_second_sides_turns, SAMPLE, |line: &mut Line<G>| {
    let game = line.game();
    let number = |text: String| text.rsplit(' ').next().and_then(|number| number.parse::<u32>().ok()).unwrap();
    let side = game.side_to_move(line.position());
    let before = number(game.position_text(line.position()));
    let mut moves = Vec::new();
    line.legal_moves(&mut moves);
    for mv in moves.into_iter().take(5) {
        let after = game.play(line.position(), mv);
        assert_eq!(game.side_to_move(&after), !side);
        assert_eq!(number(game.position_text(&after)), before + u32::from(side == Side::Second));
    }
});

for_all_games!(symmetries_keep_moves_outcomes_and_evaluation, SAMPLE, |line: &mut Line<G>| {
    let game = line.game().clone();
    let position = *line.position();
    let mut moves = Vec::new();
    game.legal_moves(&position, &mut moves);
    for symmetry in game.symmetries() {
        let image = (symmetry.position)(&game, &position);
        let text = format!("{} {} {}", G::ID, symmetry.name, game.position_text(&position));
        assert_eq!((symmetry.position)(&game, &image), position, "{text}: not its own inverse");
        let side = game.side_to_move(&position);
        assert_eq!(game.side_to_move(&image), if symmetry.swaps_sides { !side } else { side }, "{text}");
        for &mv in moves.iter().take(20) {
            let played = game.play(&image, (symmetry.mv)(&game, mv));
            let mapped = (symmetry.position)(&game, &game.play(&position, mv));
            assert_eq!(game.search_key(&played), game.search_key(&mapped), "{text}: {}", game.move_text(mv));
        }
        let mut mapped: Vec<String> = moves.iter().map(|&mv| game.move_text((symmetry.mv)(&game, mv))).collect();
        let mut generated = Vec::new();
        game.legal_moves(&image, &mut generated);
        let mut generated: Vec<String> = generated.into_iter().map(|mv| game.move_text(mv)).collect();
        mapped.sort();
        generated.sort();
        assert_eq!(mapped, generated, "{text}");
        let winner = |outcome: Option<pentarch::core::Outcome>, swapped: bool| {
            outcome.map(|outcome| (outcome.winner().map(|side| if swapped { !side } else { side }), outcome.reason()))
        };
        assert_eq!(
            winner(game.outcome(&image), false),
            winner(game.outcome(&position), symmetry.swaps_sides),
            "{text}"
        );
        // A net need not judge mirror images alike.
        if !moves.is_empty() && (G::INPUTS == 0 || symmetry.name == "half turn") {
            assert_eq!(evaluation(&game, &image), evaluation(&game, &position), "{text}");
        }
    }
});

for_all_games!(move_numbers_for_the_search_are_below_their_bound, SAMPLE, |line: &mut Line<G>| {
    let mut moves = Vec::new();
    line.legal_moves(&mut moves);
    assert!(moves.into_iter().all(|mv| line.game().slot(mv) < G::SLOTS));
});

for_all_games!(
    nothing_that_came_before_an_irreversible_move_comes_again,
    Sample { rule_sets: 4, games: 24, plies: 300 },
    |line: &mut Line<G>| {
        // Replays the whole game with all its keys: the line, which forgets at irreversible moves, must count the same.
        let game = line.game().clone();
        let key = game.repetition_key(line.position());
        let mut replay = line.clone();
        let mut earlier = 0;
        while replay.pop().is_some() {
            earlier += usize::from(game.repetition_key(replay.position()) == key);
        }
        assert_eq!(line.earlier_occurrences().count(), earlier, "{}", G::ID);
        assert!(line.has_repeated() || earlier == 0, "{}", G::ID);
    }
);

for_all_games!(diagrams_have_no_empty_lines_and_no_trailing_spaces, SAMPLE, |line: &mut Line<G>| {
    let diagram = line.game().diagram(line.position());
    assert!(diagram.split('\n').all(|line| !line.is_empty() && line.trim_end() == line), "{}:\n{diagram}", G::ID);
});

/// The static evaluation, with as many parts as there are weights.
fn evaluation<G: Complete>(game: &Arc<G>, position: &G::Position) -> i32 {
    let insight = game.study(position);
    let mut parts = 0;
    game.parts(position, &insight, |_| parts += 1);
    assert_eq!(parts, G::WEIGHTS.len(), "{}", G::ID);
    game.evaluate(position, &insight)
}

#[test]
fn benchmark_positions_are_undecided() {
    #[derive(Clone)]
    struct Check;
    impl Visitor for Check {
        type Output = ();
        fn visit<G: Complete>(self) {
            let rules = rules::<G>(&[]);
            assert!(!G::BENCH.1.is_empty());
            for text in G::BENCH.1 {
                let position = rules.parse_position(text).unwrap_or_else(|error| panic!("{} {text}: {error}", G::ID));
                assert_eq!(rules.outcome(&position), None, "{} {text}", G::ID);
            }
        }
    }
    for_each_game(Check);
}
