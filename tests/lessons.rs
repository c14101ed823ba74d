//! The guided first game of every game: its positions, and that the moves that each task accepts are those that do what
//! its text says.

use std::collections::BTreeSet;
use std::sync::Arc;

use pentarch_core::GameHistory;
use pentarch_core::view::layout::MoveEffect;
use pentarch_core::view::rules_text::is_id;
use pentarch_games::{Game, GameVisitor};

use crate::common::*;

/// A legal move in the position of a task, and what comes of it.
struct Made {
    text: String,
    does: MoveEffect,
    outcome: String,
    /// The legal answers with what they do, and the outcomes after them.
    replies: Vec<(String, MoveEffect, String)>,
}

impl Made {
    fn captures(&self) -> usize {
        self.does.captured.len()
    }

    fn moves(&self) -> usize {
        self.does.moved.len()
    }

    fn is_reply_winning(&self) -> bool {
        self.replies.iter().any(|(_, _, outcome)| outcome.starts_with("win"))
    }

    /// By how many files and ranks the only piece goes that moves.
    fn way(&self) -> Option<(u8, u8)> {
        let [ways] = &self.does.moved[..] else { return None };
        let [from, to] = ways.map(|site| site.to_string().into_bytes());
        Some((from[0].abs_diff(to[0]), from[1].abs_diff(to[1])))
    }
}

type Claim = fn(&Made) -> bool;

/// What the text of each task asks for.
const CLAIMS: [(&str, &[Claim]); 5] = [
    (
        "alcaxar",
        &[
            |made| made.text.starts_with('K'),
            |made| made.text.starts_with("e4"),
            |made| {
                made.text.starts_with("e4")
                    && made.does.turn.is_some_and(|turn| turn.degrees == 180)
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
            |made| made.captures() == 1 && made.way() == Some((0, 2)),
            |made| made.captures() == 1 && made.way() == Some((2, 2)),
            |made| made.captures() == 2,
            |made| made.replies.iter().all(|(_, does, _)| does.captured.is_empty()),
            |made| made.outcome == "win light blocked",
            |made| made.outcome == "win light captured",
        ],
    ),
    (
        "roses",
        &[
            |made| made.does.placed.len() == 1,
            |made| made.moves() == 1 && made.does.pushed.is_empty(),
            |made| made.moves() == 3,
            |made| made.moves() == 2 && made.text.len() == 8,
            |made| made.does.pushed.len() == 1 && made.moves() == 3,
            |made| made.captures() == 1 && made.moves() == 2,
            |made| made.does.pushed.len() == 1 && made.moves() == 2,
            |made| made.outcome == "win white castle",
        ],
    ),
    (
        "quoridor",
        &[
            |made| made.text == "e2",
            // To the right there are two steps to the end of the wall, and to the left there is one.
            |made| made.text == "d4",
            |made| made.way() == Some((0, 2)),
            |made| made.way() == Some((1, 1)),
            |made| {
                made.does.placed.len() == 1 && made.replies.iter().all(|(text, _, _)| text != "e7")
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
            |made| made.does.promoted == Some(true),
            |made| made.captures() == 1 && made.way() == Some((4, 4)),
            |made| made.outcome == "win white captured",
        ],
    ),
];

/// Every legal move of a position.
fn all_made<G: Game>(history: &GameHistory<G>) -> Vec<Made> {
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
            (rules.move_text(answer), rules.details(after.position(), answer), last.outcome_text())
        });
        let does = rules.details(history.position(), mv);
        Made {
            text: rules.move_text(mv),
            does,
            outcome: after.outcome_text(),
            replies: replies.collect(),
        }
    });
    made.collect()
}

#[test]
fn each_task_accepts_the_moves_that_do_what_it_says_and_the_last_one_wins() {
    #[derive(Clone)]
    struct Check;
    impl GameVisitor for Check {
        type Output = ();
        fn visit<G: Game>(self) {
            assert!((5..=8).contains(&G::LESSON.len()), "{}", G::ID);
            let (_, claims) = CLAIMS.into_iter().find(|(game, _)| *game == G::ID).unwrap();
            assert_eq!(claims.len(), G::LESSON.len(), "{}", G::ID);
            let rules = Arc::new(G::from_options(&default_options::<G>()));
            for (task, claim) in G::LESSON.iter().zip(claims) {
                let position = rules.parse_position(task.fen).unwrap();
                assert_eq!(rules.position_text(&position), task.fen);
                let history = GameHistory::new(rules.clone(), position);
                assert_eq!(history.outcome(), None, "{}", task.fen);
                let all = all_made(&history);
                let doing: BTreeSet<&str> =
                    all.iter().filter(|made| claim(made)).map(|made| made.text.as_str()).collect();
                assert_eq!(doing, task.moves.iter().copied().collect(), "{}: {}", G::ID, task.text);
                assert!(!doing.is_empty() && task.moves.len() == doing.len(), "{}", task.text);
                for text in [task.text, task.hint, task.done] {
                    assert!(!text.split([' ', ':']).any(is_id) && text.ends_with('.'), "{text}");
                }
            }
            let last = G::LESSON.last().unwrap();
            let mut history =
                GameHistory::new(rules.clone(), rules.parse_position(last.fen).unwrap());
            history.push(history.find_move(last.moves[0]).unwrap());
            assert!(history.outcome_text().starts_with("win "), "{}", G::ID);
        }
    }
    for_each_game(Check);
}
