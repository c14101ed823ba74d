//! Tests of Alquerque. They compare the program with a second, slow implementation of the rules.
//! They also test rules that fixtures cannot express.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use pentarch::protocol::gtp::text::vertex_name;
use pentarch_alquerque::Alquerque;
use pentarch_alquerque::rules::MultiCaptureRule;
use pentarch_core::{GameHistory, HasPlayers, Notation, Outcome, Point, Rules, Side};
use pentarch_slow_rules::alquerque as slow;

use crate::common::*;
use crate::projection::{
    self, GoGraphics, all_clicks, click_prefixes, coordinates, letters_by_rank, points,
    square_points,
};

/// A rule set, for the slow implementation and for the program.
#[derive(Clone)]
struct RuleSet {
    slow: slow::RuleOptions,
    fast: Arc<Alquerque>,
}

impl RuleSet {
    fn new(slow: slow::RuleOptions) -> RuleSet {
        let settings = [
            ("MultiCapture", slow.multi_capture),
            ("Removal", slow.removal),
            ("Movement", slow.movement),
            ("BaseRow", slow.base_row),
            ("Retreat", slow.retreat),
            ("MissedCapture", slow.missed_capture),
            ("Win", slow.win),
        ];
        let settings = settings.map(|(name, value)| format!("Alquerque_{name}={value}"));
        RuleSet { slow, fast: rules(&settings.each_ref().map(String::as_str)) }
    }
}

/// Returns all rule sets that have different effects. With one jump per turn `Removal` has no
/// effect. With free movement `BaseRow` has no effect.
fn all_rule_sets() -> Vec<RuleSet> {
    let mut sets = Vec::new();
    for (multi_capture, removal) in [
        ("off", "instant"),
        ("stop", "instant"),
        ("stop", "after"),
        ("complete", "instant"),
        ("complete", "after"),
        ("maximum", "instant"),
        ("maximum", "after"),
    ] {
        for (movement, base_row) in
            [("free", "free"), ("bell", "free"), ("bell", "spent"), ("bell", "horizontal")]
        {
            for retreat in ["free", "checker", "player"] {
                for missed_capture in ["illegal", "huff"] {
                    for win in ["capture", "block", "repetition"] {
                        let slow = slow::RuleOptions {
                            multi_capture,
                            removal,
                            movement,
                            base_row,
                            retreat,
                            missed_capture,
                            win,
                        };
                        sets.push(RuleSet::new(slow));
                    }
                }
            }
        }
    }
    sets
}

/// Returns the three presets, as in the table of the rules.
fn presets() -> [(&'static str, RuleSet); 3] {
    let modern = slow::RuleOptions::MODERN;
    let alfonso =
        slow::RuleOptions { retreat: "free", missed_capture: "huff", win: "capture", ..modern };
    let bell = slow::RuleOptions { movement: "bell", retreat: "checker", win: "block", ..modern };
    [("modern", modern), ("alfonso", alfonso), ("bell", bell)]
        .map(|(name, slow)| (name, RuleSet::new(slow)))
}

/// Returns the strings of the legal moves of a position.
fn legal_move_strings(fast: &Alquerque, text: &str) -> Vec<String> {
    let position = fast.parse_position(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    let mut moves = Vec::new();
    fast.legal_moves(&position, &mut moves);
    moves.into_iter().map(|mv| fast.move_text(mv)).collect()
}

/// The maximum number of legal moves for the slow implementation. With more moves it would take
/// seconds.
const MAX_MOVES: usize = 3000;

/// Compares the legal moves of a position, their parsed strings, and the positions after at most
/// `most` of the moves. Returns the turns of the slow implementation, sorted by their strings. If
/// there are too many turns, returns nothing.
fn compare_position(
    set: &RuleSet,
    state: &slow::State,
    most: usize,
    rng: &mut fastrand::Rng,
) -> Option<Vec<(String, slow::State)>> {
    let text = state.text(&set.slow);
    let context = || format!("{text} under {:?}", set.fast);
    let position =
        set.fast.parse_position(&text).unwrap_or_else(|error| panic!("{}: {error}", context()));
    assert_eq!(set.fast.position_text(&position), text, "{}", context());
    let mut moves = Vec::new();
    set.fast.legal_moves(&position, &mut moves);
    if moves.len() > MAX_MOVES {
        return None;
    }
    let mut fast: Vec<(String, _)> =
        moves.into_iter().map(|mv| (set.fast.move_text(mv), mv)).collect();
    fast.sort_by(|a, b| a.0.cmp(&b.0));
    let mut turns = state.turns(&set.slow);
    turns.sort_by(|a, b| a.0.cmp(&b.0));
    assert!(
        fast.iter().map(|turn| &turn.0).eq(turns.iter().map(|turn| &turn.0)),
        "{}: {fast:?}",
        context()
    );
    for (text, mv) in &fast {
        let read = set.fast.parse_move(text).map(|text| set.fast.resolve_move(&position, &text));
        assert_eq!(read, Ok(Ok(*mv)), "{}: {text}", context());
    }
    for _ in 0..most.min(fast.len()) {
        let index = rng.usize(..fast.len());
        let after = set.fast.play(&position, fast[index].1);
        let text = turns[index].1.text(&set.slow);
        assert_eq!(set.fast.position_text(&after), text, "{}: {}", context(), fast[index].0);
        assert_eq!(set.fast.parse_position(&text), Ok(after), "{}: {}", context(), fast[index].0);
    }
    Some(turns)
}

/// Plays a random game with both implementations and compares them at every ply.
fn compare_game(set: &RuleSet, plies: usize, successors: usize, rng: &mut fastrand::Rng) {
    let mut history = new_history(&set.fast);
    let mut state = slow::State::start();
    let mut seen = Vec::new();
    for _ in 0..plies {
        let text = state.text(&set.slow);
        assert_eq!(set.fast.position_text(history.position()), text, "{:?}", set.fast);
        seen.push(text.rsplit_once(' ').unwrap().0.to_string());
        let turns = compare_position(set, &state, successors, rng);
        let has_turns = turns.as_ref().is_none_or(|turns| !turns.is_empty());
        let outcome = state.outcome(&set.slow, has_turns, &seen);
        assert_eq!(
            status_protocol_words::<Alquerque>(history.outcome()),
            outcome,
            "{text} under {:?}",
            set.fast
        );
        let Some(turns) = turns.filter(|_| outcome == "ongoing") else { return };
        let (text, after) = turns[rng.usize(..turns.len())].clone();
        history.push(history.resolve_move(&text).unwrap());
        state = after;
    }
}

#[test]
fn slow_and_fast_agree_in_random_games() {
    let mut rng = fastrand::Rng::with_seed(12);
    for set in all_rule_sets() {
        compare_game(&set, 60, 4, &mut rng);
    }
    for (_, set) in presets() {
        (0..10).for_each(|_| compare_game(&set, 150, 4, &mut rng));
    }
}

/// To run this test: `cargo test --release --test all alquerque:: -- --ignored`
#[test]
#[ignore = "plays 80,400 games twice: minutes"]
fn slow_and_fast_agree_in_many_random_games() {
    let mut rng = fastrand::Rng::with_seed(fresh_seed());
    for set in all_rule_sets() {
        (0..100).for_each(|_| compare_game(&set, 150, 2, &mut rng));
    }
    for (_, set) in presets() {
        (0..10_000).for_each(|_| compare_game(&set, 150, 2, &mut rng));
    }
}

/// Returns a position that may be impossible in a game. It has any checkers. Its other fields have
/// any contents that these rules allow.
fn random_position(set: &slow::RuleOptions, rng: &mut fastrand::Rng) -> slow::State {
    let mut state = slow::State::start();
    state.board.clear();
    state.side = if rng.bool() { 'o' } else { 'x' };
    state.full_move = rng.u32(1..=1_000_000).min(999_999);
    let mut points = slow::all_points();
    rng.shuffle(&mut points);
    for (side, count) in [('o', rng.usize(0..=12)), ('x', rng.usize(1..=12))] {
        state.board.extend(points.drain(..count).map(|point| (point, side)));
    }
    for side in ['o', 'x'] {
        for checker in state.checkers(side) {
            let neighbours: Vec<_> = slow::all_points()
                .into_iter()
                .filter(|&point| slow::are_joined(checker, point))
                .collect();
            if rng.u8(..3) == 0 {
                state.stepped_from.insert(checker, neighbours[rng.usize(..neighbours.len())]);
                state.last_moved.insert(side, checker);
            }
            if rng.u8(..4) == 0 || checker.1 == if side == 'o' { 5 } else { 1 } {
                state.reached_base.insert(checker);
            }
            if side != state.side && set.missed_capture == "huff" && rng.u8(..4) == 0 {
                state.huff.insert(checker);
            }
        }
    }
    state
}

fn compare_random_positions(positions: usize, seed: u64) {
    let mut rng = fastrand::Rng::with_seed(seed);
    for set in all_rule_sets() {
        for _ in 0..positions {
            let state = random_position(&set.slow, &mut rng);
            let text = state.text(&set.slow);
            let turns = compare_position(&set, &state, 2, &mut rng);
            let position = set.fast.parse_position(&text).unwrap();
            let has_turns = turns.is_none_or(|turns| !turns.is_empty());
            let outcome = state.outcome(&set.slow, has_turns, std::slice::from_ref(&text));
            assert_eq!(
                status_protocol_words::<Alquerque>(set.fast.outcome(&position)),
                outcome,
                "{text} under {:?}",
                set.fast
            );
        }
    }
}

#[test]
fn slow_and_fast_agree_in_random_positions() {
    compare_random_positions(15, 3);
}

/// To run this test: `cargo test --release --test all alquerque:: -- --ignored`
#[test]
#[ignore = "compares 500,000 positions: minutes"]
fn slow_and_fast_agree_in_many_random_positions() {
    compare_random_positions(1000, fresh_seed());
}

/// Returns strings that have the form of a move and differ slightly from a legal move.
fn mutate_move_string(text: &str, rng: &mut fastrand::Rng) -> Vec<String> {
    let point =
        |rng: &mut fastrand::Rng| slow::point_name((rng.i32(0..=6).clamp(1, 5), rng.i32(1..=5)));
    let (huff, path) = if text.starts_with('h') { text.split_at(3) } else { ("", text) };
    let mut texts = vec![path.to_string(), format!("h{}{path}", point(rng))];
    texts.push(huff.to_string() + &path[..path.len().saturating_sub(2)]);
    texts.extend((0..10).map(|_| huff.to_string() + path + &point(rng)));
    for at in (0..path.len()).step_by(2) {
        texts.extend(
            (0..6).map(|_| format!("{huff}{}{}{}", &path[..at], point(rng), &path[at + 2..])),
        );
        texts.push(format!("{huff}{}{}", &path[..at], &path[at + 2..]));
    }
    texts
}

#[test]
fn find_move_accepts_exactly_the_generated_moves() {
    let mut rng = fastrand::Rng::with_seed(5);
    let everywhere: Vec<String> = slow::all_points()
        .into_iter()
        .flat_map(|from| {
            slow::all_points()
                .into_iter()
                .map(move |to| slow::point_name(from) + &slow::point_name(to))
        })
        .collect();
    for set in all_rule_sets() {
        for round in 0..3 {
            let state = random_position(&set.slow, &mut rng);
            let text = state.text(&set.slow);
            let position = set.fast.parse_position(&text).unwrap();
            let legal: BTreeSet<String> =
                legal_move_strings(&set.fast, &text).into_iter().collect();
            if legal.is_empty() || legal.len() > MAX_MOVES {
                continue;
            }
            let near = legal
                .iter()
                .take(20)
                .flat_map(|text| mutate_move_string(text, &mut rng))
                .collect::<Vec<_>>();
            for text in near.iter().chain(everywhere.iter().filter(|_| round == 0)) {
                let Ok(read) = set.fast.parse_move(text) else { continue };
                let found = set.fast.resolve_move(&position, &read);
                assert_eq!(
                    found.is_ok(),
                    legal.contains(text),
                    "{text}: {found:?} under {:?}",
                    set.fast
                );
                if let Err(reason) = found {
                    assert!(reason.to_string().starts_with("REQ."), "{reason}");
                }
            }
        }
    }
}

#[test]
fn accepted_position_strings_print_back_unchanged() {
    let mut rng = fastrand::Rng::with_seed(6);
    let letters: Vec<char> = "ox12345/ld-abcdeh0 9é".chars().collect();
    let mut accepted = 0;
    for set in all_rule_sets() {
        for _ in 0..40 {
            let mut text: Vec<char> =
                random_position(&set.slow, &mut rng).text(&set.slow).chars().collect();
            for _ in 0..rng.usize(1..=3) {
                let at = rng.usize(..text.len());
                let letter = letters[rng.usize(..letters.len())];
                match rng.u8(..3) {
                    0 => text[at] = letter,
                    1 => text.insert(at, letter),
                    _ => drop(text.remove(at)),
                }
            }
            let text: String = text.into_iter().collect();
            if let Ok(position) = set.fast.parse_position(&text) {
                assert_eq!(set.fast.position_text(&position), text);
                accepted += 1;
            }
        }
    }
    assert!(accepted > 300, "{accepted}");
}

#[test]
fn all_504_rule_sets_differ() {
    let sets = all_rule_sets();
    assert_eq!(sets.len(), 504);
    for (at, set) in sets.iter().enumerate() {
        assert!(sets[..at].iter().all(|other| other.fast != set.fast), "{:?}", set.slow);
    }
}

#[test]
fn presets_choose_all_alternatives() {
    for (name, set) in presets() {
        assert_eq!(rules::<Alquerque>(&[&format!("Alquerque_Ruleset={name}")]), set.fast, "{name}");
    }
    assert_eq!(rules::<Alquerque>(&[]), presets()[0].1.fast);
}

#[test]
fn explicit_values_override_presets_in_any_order() {
    let first = rules::<Alquerque>(&["Alquerque_Retreat=checker", "Alquerque_Ruleset=alfonso"]);
    let last = rules::<Alquerque>(&["Alquerque_Ruleset=alfonso", "Alquerque_Retreat=checker"]);
    let alfonso = rules::<Alquerque>(&["Alquerque_Ruleset=alfonso"]);
    assert_eq!(first, last);
    assert_ne!(first, alfonso);
    let reset =
        ["Alquerque_Retreat=checker", "Alquerque_Ruleset=alfonso", "Alquerque_Retreat=ruleset"];
    assert_eq!(rules::<Alquerque>(&reset), alfonso);
}

#[test]
fn options_without_effect_give_equal_rules() {
    let equal = |a: &[&str], b: &[&str]| assert_eq!(rules::<Alquerque>(a), rules::<Alquerque>(b));
    // `BaseRow` has an effect only in Bell's movement.
    equal(&["Alquerque_BaseRow=spent"], &["Alquerque_BaseRow=horizontal"]);
    assert_ne!(
        rules::<Alquerque>(&["Alquerque_Movement=bell", "Alquerque_BaseRow=spent"]),
        rules::<Alquerque>(&["Alquerque_Movement=bell", "Alquerque_BaseRow=horizontal"])
    );
    // With one jump per turn, captured checkers always leave when the turn ends.
    equal(
        &["Alquerque_MultiCapture=off", "Alquerque_Removal=after"],
        &["Alquerque_MultiCapture=off"],
    );
    // `Win repetition` already has draws by repetition.
    equal(&["RepetitionDraw=true"], &[]);
    for win in ["Alquerque_Win=capture", "Alquerque_Win=block"] {
        assert_ne!(rules::<Alquerque>(&[win, "RepetitionDraw=true"]), rules::<Alquerque>(&[win]));
    }
    // The only other difference is that `Win repetition` has no draw by agreement.
    let [block, repetition] =
        [&["Alquerque_Win=block", "RepetitionDraw=true"][..], &["Alquerque_Win=repetition"]];
    let block = rules::<Alquerque>(block);
    assert_eq!(
        (block.allows_draw_agreement(), rules::<Alquerque>(repetition).allows_draw_agreement()),
        (true, false)
    );
    assert_eq!(
        Alquerque { agreed_draws: false, ..(*block).clone() },
        *rules::<Alquerque>(repetition)
    );
    // An explicit value that equals the value of the preset changes nothing.
    equal(&["Alquerque_Removal=instant", "Alquerque_Win=repetition"], &[]);
}

#[test]
fn handles_positions_with_very_many_moves() {
    let set = |settings: &[&str]| rules::<Alquerque>(settings);
    for (rules, text, moves) in [
        (set(&["Alquerque_Removal=after"]), "5/1xxx1/1xox1/xxxxx/1x1x1 l - - - 1", 10_520),
        (
            set(&[
                "Alquerque_Removal=after",
                "Alquerque_MultiCapture=stop",
                "Alquerque_MissedCapture=huff",
            ]),
            "3o1/xxxxx/1xox1/xxxxx/3o1 l - - a2a4b2b3b4c2c4d2d3d4e2e4 1",
            93_644,
        ),
    ] {
        let history = GameHistory::new(rules.clone(), rules.parse_position(text).unwrap());
        let mut found = Vec::new();
        history.legal_moves(&mut found);
        assert_eq!(found.len(), moves);
        let texts: BTreeSet<String> = found.iter().map(|&mv| rules.move_text(mv)).collect();
        assert_eq!(texts.len(), moves, "each string once");
        for mv in found {
            assert_eq!(history.resolve_move(&rules.move_text(mv)), Ok(mv));
        }
    }
}

#[test]
fn diagram_shows_the_lines_and_the_status() {
    let rules = rules::<Alquerque>(&[
        "Alquerque_Ruleset=bell",
        "Alquerque_BaseRow=spent",
        "Alquerque_MissedCapture=huff",
        "Alquerque_Retreat=checker",
    ]);
    let position = rules.parse_position("4x/5/1xo2/1o3/4o l b2a2c3c2 b3c3 b3 7").unwrap();
    let drawn = "\
5  .---.---.---.---x
   | \\ | / | \\ | / |
4  .---.---.---.---.
   | / | \\ | / | \\ |
3  .---x---o---.---.
   | \\ | / | \\ | / |
2  .---o---.---.---.
   | / | \\ | / | \\ |
1  .---.---.---.---o
   a   b   c   d   e
o: light's checkers, x: dark's
no step back: b2 to a2, c3 to c2
spent, jumps only: b3, c3
light must huff one dark checker first: b3";
    assert_eq!(rules.board_diagram(&position, Side::First).to_string(), drawn);
    let start = rules.board_diagram(&rules.start_position(), Side::First).to_string();
    assert!(start.ends_with("   a   b   c   d   e\no: light's checkers, x: dark's"), "{start}");
}

#[test]
fn repetition_compares_position_and_status() {
    // REQ.27.ALT.3: returns the number of plies until the third occurrence when two checkers move
    // around squares.
    let plies = |settings: &[&str]| {
        let rules = rules::<Alquerque>(settings);
        let mut history =
            GameHistory::new(rules.clone(), rules.parse_position("x4/5/5/5/4o l - - - 1").unwrap());
        let cycle =
            ["e1e2", "a5a4", "e2d2", "a4b4", "d2d1", "b4b5", "d1e1", "b5a5"].into_iter().cycle();
        for text in cycle.take(100) {
            if let Some(outcome) = history.outcome() {
                assert_eq!(outcome, Outcome::Draw("repetition"));
                break;
            }
            history.push(history.resolve_move(text).unwrap());
        }
        history.len()
    };
    assert_eq!(plies(&["Alquerque_Retreat=free"]), 16, "the first position recurs");
    assert_eq!(
        plies(&["Alquerque_Retreat=player"]),
        18,
        "a position recurs only with two steps before it"
    );
    assert_eq!(plies(&["Alquerque_Retreat=checker"]), 18);
    assert_eq!(plies(&["Alquerque_Retreat=free", "Alquerque_Win=block"]), 100);
    assert_eq!(
        plies(&["Alquerque_Retreat=free", "Alquerque_Win=capture", "RepetitionDraw=true"]),
        16
    );
}

#[test]
fn forbidden_steps_change_the_search_key_only_if_they_have_an_effect() {
    let mut rng = fastrand::Rng::with_seed(25);
    for set in all_rule_sets() {
        let rules = &set.fast;
        random_game(new_history(rules), &mut rng, 60, |history| {
            let position = *history.position();
            for entry in 0..8 {
                let mut freer = position;
                freer.banned[entry] = 0;
                if rules.search_key(&freer) == rules.search_key(&position) {
                    let text = rules.position_text(&position);
                    let [mut moves, mut others] = [Vec::new(), Vec::new()];
                    rules.legal_moves(&position, &mut moves);
                    rules.legal_moves(&freer, &mut others);
                    assert_eq!(moves, others, "{text}");
                    // The positions after each move are also equal, so the game continues in the
                    // same way.
                    let after = |position, mv| rules.search_key(&rules.play(position, mv));
                    assert!(
                        moves.iter().all(|&mv| after(&position, mv) == after(&freer, mv)),
                        "{text}"
                    );
                }
            }
        });
    }
    let keys = |settings: &[&str], board: &str, retreat: &str| {
        let rules = rules::<Alquerque>(settings);
        let keys = ["-", retreat]
            .map(|status| rules.parse_position(&format!("{board} {status} - - 1")).unwrap());
        let is_one = |key: &dyn Fn(&_) -> u64| key(&keys[0]) == key(&keys[1]);
        [
            is_one(&|position| rules.search_key(position)),
            is_one(&|position| rules.repetition_key(position)),
        ]
    };
    assert_eq!(keys(&[], "x4/5/2o2/5/5 l", "c3c2"), [false, false]);
    assert_eq!(keys(&[], "x4/1x3/2o2/5/5 d", "c3c2"), [false, false]);
    assert_eq!(keys(&[], "5/2x2/2o2/5/x4 l", "c3c2"), [true, false], "there is a capture");
    assert_eq!(keys(&[], "x4/5/2o2/2o2/5 l", "c3c2"), [true, false], "the point is not free");
    assert_eq!(keys(&["Alquerque_Ruleset=bell"], "x4/5/2o2/2o2/5 l", "c3b3"), [false, false]);
    assert_eq!(
        keys(&["Alquerque_Ruleset=bell"], "x4/5/2o2/5/5 l", "c3c2"),
        [true, false],
        "it never steps back"
    );
}

/// In Bell's movement, a checker that must not step back moves in only one direction along each
/// rank. So every game ends, and a player who cannot move has lost.
#[test]
fn the_preset_bell_has_no_draws() {
    let rules = rules::<Alquerque>(&["Alquerque_Ruleset=bell"]);
    let mut rng = fastrand::Rng::with_seed(22);
    for _ in 0..300 {
        let mut last = None;
        random_game(new_history(&rules), &mut rng, 4000, |history| last = history.outcome());
        assert!(matches!(last, Some(Outcome::Win(..))), "{last:?}");
    }
}

#[test]
fn captured_checkers_do_not_return() {
    // REQ.13. The checkers of a side leave the board only in the turns of the other side.
    let mut rng = fastrand::Rng::with_seed(13);
    for set in all_rule_sets() {
        let mut before = [12, 12];
        random_game(new_history(&set.fast), &mut rng, 80, |history| {
            let text = set.fast.position_text(history.position());
            let board = text.split(' ').next().unwrap();
            let now = ['o', 'x'].map(|letter| board.matches(letter).count());
            let mover = 1 - history.side_to_move().index();
            assert!(now[mover] == before[mover] && now[1 - mover] <= before[1 - mover], "{text}");
            before = now;
        });
    }
}

/// The contents of a Go front end's board, derived from the strings.
struct AlquerqueNotation;

impl projection::BoardNotation<Alquerque> for AlquerqueNotation {
    const HAS_CAPTURES: bool = true;
    const CLICKS_MAY_BEGIN_OTHERS: bool = true;

    fn pieces(board: &str) -> BTreeMap<Point, Side> {
        let side = |letter| if letter == 'o' { Side::First } else { Side::Second };
        letters_by_rank(board).into_iter().map(|(point, letter)| (point, side(letter))).collect()
    }

    fn clicks(text: &str) -> Vec<Point> {
        points(text.trim_start_matches('h'))
    }

    /// Checks the graphics:
    ///
    /// - Spent checkers are triangles.
    /// - Checkers to huff have marks.
    /// - Checkers that must not step back have labels with the forbidden point.
    /// - Points with diagonals have a colour.
    fn check_graphics(drawn: &GoGraphics, fields: &[&str], size: u8, place: &str) {
        let set =
            |field: &str| if field == "-" { BTreeSet::new() } else { coordinates(points(field)) };
        assert_eq!(drawn.shaped("TRIANGLE"), set(fields[3]), "{place}");
        assert_eq!(drawn.shaped("MARK"), set(fields[4]), "{place}");
        assert_eq!(
            drawn.text.contains("no step back"),
            fields[2] != "-",
            "{place}: {}",
            drawn.text
        );
        let steps = points(fields[2].trim_matches('-'));
        let label =
            |step: &[Point]| ((step[0].file, step[0].rank), format!("!{}", vertex_name(step[1])));
        let bans = steps.chunks(2).map(label).collect();
        assert_eq!(drawn.labels, bans, "{place}");
        let diagonals = square_points(size).filter(|point| (point.file + point.rank) % 2 == 0);
        assert_eq!(drawn.coloured(), coordinates(diagonals), "{place}");
    }
}

#[test]
fn the_board_of_a_go_front_end_matches_the_strings() {
    projection::check_board::<Alquerque, AlquerqueNotation>();
}

#[test]
fn only_clicks_of_captures_that_may_stop_begin_others() {
    let mut found = 0;
    SAMPLE.run(|history: &mut GameHistory<Alquerque>| {
        let all = all_clicks(history);
        let prefixes = click_prefixes(&all);
        let may_stop = history.rules().multi_capture == MultiCaptureRule::Stop;
        let text = history.rules().position_text(history.position());
        assert!(may_stop || prefixes.is_empty(), "{:?} {text}: {prefixes:?}", history.rules());
        assert!(
            prefixes.iter().all(|(shorter, longer)| longer.starts_with(shorter)),
            "{text}: {prefixes:?}"
        );
        found += prefixes.len();
    });
    assert!(found > 0);
}

/// Returns all requirements of the source, with their alternatives.
fn requirements() -> Vec<String> {
    let mut all: Vec<String> =
        (0..=9).chain(11..=22).map(|number| format!("REQ.{number}")).collect();
    for (number, alternatives) in
        [("10", 2), ("10.1", 3), ("23", 3), ("24", 2), ("25", 3), ("26", 2), ("27", 3)]
    {
        all.extend((1..=alternatives).map(|alternative| format!("REQ.{number}.ALT.{alternative}")));
    }
    all
}

/// The table in `tests/requirements/alquerque.md` has a row for each requirement. The row names
/// fixture files of this game that mention the requirement, and tests of this file.
#[test]
fn every_requirement_is_covered() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |path: &Path| {
        std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    };
    let table = read(&root.join("tests/requirements/alquerque.md"));
    let tests = read(&root.join("tests/alquerque.rs"));
    let requirements = requirements();
    assert_eq!(requirements.len(), 40);
    for requirement in &requirements {
        let row = table.lines().find(|line| line.starts_with(&format!("| {requirement} |")));
        let row = row.unwrap_or_else(|| {
            panic!("tests/requirements/alquerque.md has no row for {requirement}")
        });
        let cell = row.trim_end_matches('|').rsplit('|').next().unwrap_or_default();
        let names: Vec<&str> = cell.split('`').skip(1).step_by(2).collect();
        assert!(!names.is_empty(), "nothing covers {requirement}");
        for name in names {
            if name.contains('.') {
                let folder =
                    folder("alquerque").join(if name.ends_with(".game") { "games" } else { "" });
                let text = read(&folder.join(name));
                let comments = text.lines().filter(|line| line.starts_with("# "));
                let mut words =
                    comments.flat_map(|line| line.split([' ', ',', ':', '/', '(', ')']));
                assert!(
                    words.any(|word| word == requirement),
                    "{name} does not speak of {requirement}"
                );
            } else {
                assert!(
                    tests.contains(&format!("fn {name}()")),
                    "{requirement}: there is no test {name}"
                );
            }
        }
    }
}
