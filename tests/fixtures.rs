//! The fixture files of every game: perft counts, positions, moves, games and diagrams. [`cases`]
//! describes how they are read. [`KINDS`] lists the files of a game and the meaning of their lines.

use pentarch_core::rules::perft::perft;
use pentarch_core::{MoveError, PositionError, RuleViolation};
use pentarch_games::{Game, GameOperation};

use crate::common::*;
use crate::projection::graphics_of;

/// A kind of fixture file.
struct Kind {
    /// The end of the file names.
    ending: &'static str,
    /// The name of the first file.
    first: &'static str,
    /// The meaning of each line.
    lines: &'static str,
}

/// The kinds of files that every game has. Games with a Go board also have [`GRAPHICS`].
const KINDS: &[Kind] = &[
    Kind {
        ending: ".perft",
        first: "start.perft",
        lines: "'DEPTH NODES', the leaves below the position at this depth",
    },
    Kind {
        ending: "positions.ok",
        first: "positions.ok",
        lines: "a position string, which reads and prints back the same, or 'TEXT => CANONICAL'",
    },
    Kind {
        ending: "positions.bad",
        first: "positions.bad",
        lines: "'TEXT => PART OF THE ERROR' for a bad position string",
    },
    Kind {
        ending: "moves.ok",
        first: "moves.ok",
        lines: "'TEXT => CANONICAL' for a legal move, or 'legal N: M M M' with all of them, in sorted order",
    },
    Kind {
        ending: "moves.bad",
        first: "moves.bad",
        lines: "'TEXT => PART OF THE REASON' for a move that is not legal; if the text is not of the form, the \
                reason begins with 'column'",
    },
    Kind {
        ending: ".game",
        first: "games/ends.game",
        lines: "'M M M ... => OUTCOME', a whole game and its end in the words of 'query outcome'",
    },
];

/// The board that a Go front end draws.
const GRAPHICS: Kind = Kind {
    ending: ".graphics",
    first: "board.graphics",
    lines: "a line of GoGui's graphics language that is among those for the position",
};

/// Checks that each game has a file of each kind.
#[derive(Clone)]
struct AllKinds;

impl GameOperation for AllKinds {
    type Output = ();

    fn run_for_game_type<G: Game>(self) {
        let graphics = rules::<G>(&[]).go_board_shape().map(|_| &GRAPHICS);
        let missing =
            KINDS.iter().chain(graphics).filter(|kind| cases::<G>(kind.ending).is_empty());
        let missing: Vec<String> = missing
            .map(|kind| {
                format!(
                    "  add fixtures/{}/{}, each line {}",
                    rules_file_word::<G>(),
                    kind.first,
                    kind.lines
                )
            })
            .collect();
        assert!(
            missing.is_empty(),
            "{} lacks fixture files:\n{}\n'set NAME=VALUE' chooses the rules and 'fen TEXT' the position for the lines \
             below it; lines that begin with '# ' are comments",
            G::GAME_NAME,
            missing.join("\n")
        );
    }
}

#[test]
fn every_game_has_fixture_files_of_each_kind() {
    for_each_rules(AllKinds);
}

/// The maximum count in the tests that are not ignored.
const MAX_QUICK_NODES: u64 = 1_000_000;

/// Checks `*.perft`: lines `DEPTH NODES`.
#[derive(Clone)]
struct Perft {
    most: u64,
}

impl GameOperation for Perft {
    type Output = ();

    fn run_for_game_type<G: Game>(self) {
        for case in cases::<G>(".perft") {
            let (depth, nodes) =
                case.text.split_once(' ').unwrap_or_else(|| panic!("{}", case.place));
            let depth = depth.parse().unwrap();
            let nodes = nodes.parse().unwrap();
            if nodes <= self.most {
                assert_eq!(
                    perft(&mut case.history(), depth, &|| false),
                    Some(nodes),
                    "{}",
                    case.place
                );
            }
        }
    }
}

#[test]
fn perft_counts() {
    for_each_rules(Perft { most: MAX_QUICK_NODES });
}

/// To run this test: `cargo test --release --test all fixtures:: -- --ignored`
#[test]
#[ignore = "counts every perft file to the end: minutes"]
fn all_perft_counts() {
    for_each_rules(Perft { most: u64::MAX });
}

/// Checks that the comment above the case names the rule that the case violates. If the comment
/// names a sentence `ID` or `ID/3`, the rule is `ID`.
fn check_rule<G: Game>(case: &Case<G>, violation: &RuleViolation) {
    let Case { place, ids, .. } = case;
    let rule =
        violation.decisive_rule_id().unwrap_or_else(|| panic!("{place}: no rule: {violation}"));
    let is_named = ids.iter().any(|name| name.split('/').next() == Some(rule));
    assert!(ids.is_empty() || is_named, "{place}: the comment names {ids:?}, not {rule}");
}

/// Checks `positions.ok`. A line is a position string that is read and printed unchanged, or `TEXT
/// => CANONICAL`. Checks `positions.bad`. A line is `TEXT => PART OF THE ERROR`.
#[derive(Clone)]
struct Positions;

impl GameOperation for Positions {
    type Output = ();

    fn run_for_game_type<G: Game>(self) {
        for case in cases::<G>("positions.ok") {
            let (text, canonical) =
                case.text.split_once(" => ").unwrap_or((&case.text, &case.text));
            let position = case
                .rules
                .parse_position(text)
                .unwrap_or_else(|error| panic!("{}: {error}", case.place));
            assert_eq!(case.rules.position_text(&position), canonical, "{}", case.place);
        }
        for case in cases::<G>("positions.bad") {
            let (text, why) = case.arrow_halves();
            let error = case.rules.parse_position(text).expect_err(&case.place);
            assert!(error.to_string().contains(why), "{}: the error is: {error}", case.place);
            if let PositionError::Invalid(violation) = &error {
                check_rule(&case, violation);
            }
        }
    }
}

#[test]
fn accepts_and_rejects_positions() {
    for_each_rules(Positions);
}

/// Checks `moves.ok`. A line is `TEXT => CANONICAL`, or `legal N: M M M` with all legal moves in
/// the position of the last `fen`. Checks `moves.bad`. A line is `TEXT => PART OF THE REASON`. The
/// reason for a syntax error begins with `column`.
#[derive(Clone)]
struct Moves;

impl GameOperation for Moves {
    type Output = ();

    fn run_for_game_type<G: Game>(self) {
        for case in cases::<G>("moves.ok") {
            let history = case.history();
            if case.text.starts_with("legal ") {
                let texts = legal_move_strings(&history);
                let legal = format!("legal {}: {}", texts.len(), texts.join(" "));
                assert_eq!(legal.trim_end(), case.text, "{}", case.place);
                continue;
            }
            let (text, canonical) = case.arrow_halves();
            let mv = history
                .resolve_move(text)
                .unwrap_or_else(|error| panic!("{}: {error}", case.place));
            assert_eq!(case.rules.move_text(mv), canonical, "{}", case.place);
            assert!(
                legal_move_strings(&history).contains(&canonical.to_string()),
                "{}: not generated",
                case.place
            );
        }
        for case in cases::<G>("moves.bad") {
            let (text, why) = case.arrow_halves();
            let error = case
                .history()
                .resolve_move(text)
                .err()
                .unwrap_or_else(|| panic!("{}: it is legal", case.place));
            assert!(error.to_string().contains(why), "{}: the error is: {error}", case.place);
            assert_eq!(
                matches!(error, MoveError::Syntax(_)),
                why.starts_with("column"),
                "{}: {error}",
                case.place
            );
            if let MoveError::Illegal(violation) = &error {
                check_rule(&case, violation);
            }
        }
    }
}

#[test]
fn accepts_and_rejects_moves() {
    for_each_rules(Moves);
}

/// Checks that the reason for an illegal move contains no ids of requirements. They are separate
/// data.
#[derive(Clone)]
struct RuleIds;

impl GameOperation for RuleIds {
    type Output = ();

    fn run_for_game_type<G: Game>(self) {
        for case in cases::<G>("moves.bad") {
            let (text, _) = case.arrow_halves();
            if let Err(MoveError::Illegal(RuleViolation { reason, .. })) =
                case.history().resolve_move(text)
            {
                assert!(!reason.contains("REQ."), "{}: {reason}", case.place);
            }
        }
    }
}

#[test]
fn reasons_contain_no_requirement_ids() {
    for_each_rules(RuleIds);
}

/// Checks `games/*.game`. A line is `M M M ... => OUTCOME`. Each line is a whole game from the
/// position of the last `fen`. The outcome is in the words of `query outcome`. If one move of a
/// game has marks, all moves are compared with the annotated form. So no mark may be missing.
#[derive(Clone)]
struct Games;

impl GameOperation for Games {
    type Output = ();

    fn run_for_game_type<G: Game>(self) {
        for case in cases::<G>(".game") {
            let (moves, end) = case.arrow_halves();
            let mut history = case.history();
            let mut canonical = Vec::new();
            let mut annotated = Vec::new();
            for text in moves.split_whitespace() {
                let before = *history.position();
                let mv = history
                    .resolve_move(text)
                    .unwrap_or_else(|error| panic!("{}: {text}: {error}", case.place));
                history.push(mv);
                canonical.push(case.rules.move_text(mv));
                annotated.push(case.rules.move_in_published_notation(
                    &before,
                    mv,
                    history.outcome(),
                ));
            }
            if canonical.join(" ") != moves {
                assert_eq!(annotated.join(" "), moves, "{}", case.place);
            }
            assert_eq!(history.status_protocol_words(), end, "{}", case.place);
        }
    }
}

#[test]
fn games_have_their_outcomes() {
    for_each_rules(Games);
}

/// Checks `*.graphics`. Each line must be in the graphics of the position of the last `fen`.
#[derive(Clone)]
struct Graphics;

impl GameOperation for Graphics {
    type Output = ();

    fn run_for_game_type<G: Game>(self) {
        for case in cases::<G>(".graphics") {
            let graphics = graphics_of(case.rules.as_ref(), case.history().position());
            assert!(graphics.contains(&case.text), "{}: {}\n{graphics:#?}", case.place, case.text);
        }
    }
}

#[test]
fn graphics_have_their_lines() {
    for_each_rules(Graphics);
}
