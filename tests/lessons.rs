//! The guided first game of every game. The tests check its positions. Each task must accept
//! exactly the moves that do what its text says.

use std::collections::BTreeSet;
use std::sync::Arc;

use pentarch_core::GameHistory;
use pentarch_core::view::layout::MoveEffect;
use pentarch_core::view::rules_text::has_rule_id_form;
use pentarch_games::{Game, GameOperation};

use crate::common::*;

/// A legal move in the position of a task, with its effects.
struct MoveEffects {
    text: String,
    details: MoveEffect,
    outcome: String,
    /// The legal replies. Each has its details and the outcome after it.
    replies: Vec<(String, MoveEffect, String)>,
}

impl MoveEffects {
    fn captures(&self) -> usize {
        self.details.captured.len()
    }

    fn moves(&self) -> usize {
        self.details.moved.len()
    }

    fn is_reply_winning(&self) -> bool {
        self.replies.iter().any(|(_, _, outcome)| outcome.starts_with("win"))
    }

    /// Returns how many files and ranks the piece moves; `None` if not exactly one piece moves.
    fn distances(&self) -> Option<(u8, u8)> {
        let [ways] = &self.details.moved[..] else { return None };
        let [from, to] = ways.map(|site| site.to_string().into_bytes());
        Some((from[0].abs_diff(to[0]), from[1].abs_diff(to[1])))
    }
}

type Claim = fn(&MoveEffects) -> bool;

/// The requirements that the text of each task states.
const CLAIMS: [(&str, &[Claim]); 5] = [
    (
        "alcaxar",
        &[
            |made| made.text.starts_with('K'),
            |made| made.text.starts_with("e4"),
            |made| {
                made.text.starts_with("e4")
                    && made.details.turn.is_some_and(|turn| turn.degrees == 180)
            },
            |made| !made.text.starts_with('K'),
            |made| !made.is_reply_winning(),
            |made| made.outcome == "win red trapped",
            |made| made.outcome == "win red fortress",
        ],
    ),
    (
        "alquerque",
        &[
            |made| made.text.ends_with("c3"),
            |made| made.captures() == 1 && made.distances() == Some((0, 2)),
            |made| made.captures() == 1 && made.distances() == Some((2, 2)),
            |made| made.captures() == 2,
            |made| made.replies.iter().all(|(_, details, _)| details.captured.is_empty()),
            |made| made.outcome == "win light blocked",
            |made| made.outcome == "win light captured",
        ],
    ),
    (
        "roses",
        &[
            |made| made.details.placed.len() == 1,
            |made| made.moves() == 1 && made.details.pushed.is_empty(),
            |made| made.moves() == 3,
            |made| made.moves() == 2 && made.text.len() == 8,
            |made| made.details.pushed.len() == 1 && made.moves() == 3,
            |made| made.captures() == 1 && made.moves() == 2,
            |made| made.details.pushed.len() == 1 && made.moves() == 2,
            |made| made.outcome == "win white castle",
        ],
    ),
    (
        "quoridor",
        &[
            |made| made.text == "e2",
            // The way around the wall is one step to the left, or two steps to the right.
            |made| made.text == "d4",
            |made| made.distances() == Some((0, 2)),
            |made| made.distances() == Some((1, 1)),
            |made| {
                made.details.placed.len() == 1
                    && made.replies.iter().all(|(text, _, _)| text != "e7")
            },
            |made| !made.is_reply_winning(),
            |made| made.outcome == "win white goal",
        ],
    ),
    (
        "bushka",
        &[
            |made| made.moves() == 1,
            |made| made.moves() == 3,
            |made| made.captures() == 1,
            |made| made.captures() == 2 && made.moves() == 1,
            |made| made.captures() == 3 && made.moves() == 2,
            |made| made.details.promoted == Some(true),
            |made| made.captures() == 1 && made.distances() == Some((4, 4)),
            |made| made.outcome == "win white captured",
        ],
    ),
];

/// Returns all legal moves of a position with their effects.
fn all_move_effects<G: Game>(history: &GameHistory<G>) -> Vec<MoveEffects> {
    let rules = history.rules();
    let mut moves = Vec::new();
    history.legal_moves(&mut moves);
    let made = moves.into_iter().map(|mv| {
        let mut after = history.clone();
        after.push(mv);
        let mut answers = Vec::new();
        after.legal_moves(&mut answers);
        let replies = answers.into_iter().map(|answer| {
            let mut last = after.clone();
            last.push(answer);
            (
                rules.move_text(answer),
                rules.move_effect(after.position(), answer),
                last.status_protocol_words(),
            )
        });
        let details = rules.move_effect(history.position(), mv);
        MoveEffects {
            text: rules.move_text(mv),
            details,
            outcome: after.status_protocol_words(),
            replies: replies.collect(),
        }
    });
    made.collect()
}

#[test]
fn each_task_accepts_the_described_moves_and_the_last_one_wins() {
    #[derive(Clone)]
    struct Check;
    impl GameOperation for Check {
        type Output = ();
        fn run_for_game_type<G: Game>(self) {
            assert!(
                (5..=8).contains(&G::LESSON_STEPS.len()),
                "{}: give it 5 to 8 tasks in Notation::LESSON_STEPS",
                G::GAME_ID
            );
            let claims = CLAIMS.into_iter().find(|(game, _)| *game == G::GAME_ID);
            let (_, claims) =
                claims.unwrap_or_else(|| panic!("CLAIMS in tests/lessons.rs lacks {}", G::GAME_ID));
            assert_eq!(claims.len(), G::LESSON_STEPS.len(), "{}", G::GAME_ID);
            let rules = Arc::new(G::from_options(&default_options::<G>()));
            for (task, claim) in G::LESSON_STEPS.iter().zip(claims) {
                let position = rules.parse_position(task.fen).unwrap();
                assert_eq!(rules.position_text(&position), task.fen);
                let history = GameHistory::new(rules.clone(), position);
                assert_eq!(history.outcome(), None, "{}", task.fen);
                let all = all_move_effects(&history);
                let doing: BTreeSet<&str> =
                    all.iter().filter(|made| claim(made)).map(|made| made.text.as_str()).collect();
                assert_eq!(
                    doing,
                    task.moves.iter().copied().collect(),
                    "{}: {}",
                    G::GAME_ID,
                    task.text
                );
                assert!(!doing.is_empty() && task.moves.len() == doing.len(), "{}", task.text);
                for text in [task.text, task.hint, task.done] {
                    assert!(
                        !text.split([' ', ':']).any(has_rule_id_form) && text.ends_with('.'),
                        "{text}"
                    );
                }
            }
            let last = G::LESSON_STEPS.last().unwrap();
            let mut history =
                GameHistory::new(rules.clone(), rules.parse_position(last.fen).unwrap());
            history.push(history.resolve_move(last.moves[0]).unwrap());
            assert!(history.status_protocol_words().starts_with("win "), "{}", G::GAME_ID);
        }
    }
    for_each_game(Check);
}
