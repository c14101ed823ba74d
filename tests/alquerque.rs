//! Alquerque against a second, slow implementation of its rules, and the rules that fixtures cannot express.

mod common;

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use common::*;
use pentarch::core::{Game, Line, Notation, Outcome};
use pentarch::games::alquerque::Alquerque;

/// The second implementation. It knows the rules as sentences: points are pairs of numbers from 1, the board is a table
/// of letters, a turn is a text with the state that follows.
mod slow {
    use std::collections::{BTreeMap, BTreeSet};

    /// File and rank, both from 1.
    pub type Point = (i32, i32);

    /// The values of the seven options.
    #[derive(Debug, Clone, Copy)]
    pub struct Rules {
        pub multi_capture: &'static str,
        pub removal: &'static str,
        pub movement: &'static str,
        pub base_row: &'static str,
        pub retreat: &'static str,
        pub missed_capture: &'static str,
        pub win: &'static str,
    }

    #[derive(Clone)]
    pub struct State {
        /// The letter on each point that is not free.
        pub board: BTreeMap<Point, char>,
        pub side: char,
        /// Where the latest move of a checker began, for each checker on the board whose latest move was a step.
        pub stepped_from: BTreeMap<Point, Point>,
        /// Where the checker that a side moved in its last turn stands, while it is on the board.
        pub last_moved: BTreeMap<char, Point>,
        /// The checkers that have ended a move on the opponent's base rank.
        pub reached_base: BTreeSet<Point>,
        /// The checkers of which the side to move must huff one.
        pub huff: BTreeSet<Point>,
        pub full_move: u32,
    }

    pub fn name((file, rank): Point) -> String {
        format!("{}{rank}", (b'a' + file as u8 - 1) as char)
    }

    pub fn all_points() -> Vec<Point> {
        (1..=5).flat_map(|file| (1..=5).map(move |rank| (file, rank))).collect()
    }

    pub fn other(side: char) -> char {
        if side == 'o' { 'x' } else { 'o' }
    }

    fn opponents_base_rank(side: char) -> i32 {
        if side == 'o' { 5 } else { 1 }
    }

    fn on_board((file, rank): Point) -> bool {
        (1..=5).contains(&file) && (1..=5).contains(&rank)
    }

    /// Whether a line of the board joins two points.
    pub fn joined(a: Point, b: Point) -> bool {
        let (files, ranks) = ((a.0 - b.0).abs(), (a.1 - b.1).abs());
        let straight = files + ranks == 1;
        let diagonal = files == 1 && ranks == 1 && (a.0 + a.1) % 2 == 0;
        on_board(a) && on_board(b) && (straight || diagonal)
    }

    /// A capture on its way.
    #[derive(Clone)]
    struct Path {
        points: Vec<Point>,
        captured: BTreeSet<Point>,
        last: Option<(i32, i32)>,
    }

    impl State {
        pub fn start() -> State {
            let mut board = BTreeMap::new();
            for (rank, men) in [(5, "xxxxx"), (4, "xxxxx"), (3, "xx.oo"), (2, "ooooo"), (1, "ooooo")] {
                for (file, man) in (1..).zip(men.chars()).filter(|&(_, man)| man != '.') {
                    board.insert((file, rank), man);
                }
            }
            State {
                board,
                side: 'o',
                stepped_from: BTreeMap::new(),
                last_moved: BTreeMap::new(),
                reached_base: BTreeSet::new(),
                huff: BTreeSet::new(),
                full_move: 1,
            }
        }

        pub fn men(&self, side: char) -> Vec<Point> {
            all_points().into_iter().filter(|point| self.board.get(point) == Some(&side)).collect()
        }

        /// Takes a checker off the board, and out of all books.
        fn remove(&mut self, point: Point) {
            self.board.remove(&point);
            self.stepped_from.remove(&point);
            self.last_moved.retain(|_, moved| *moved != point);
            self.reached_base.remove(&point);
        }

        pub fn text(&self, rules: &Rules) -> String {
            let mut ranks = Vec::new();
            for rank in [5, 4, 3, 2, 1] {
                let row: String = (1..=5).map(|file| *self.board.get(&(file, rank)).unwrap_or(&'.')).collect();
                let row = row.replace(".....", "5").replace("....", "4").replace("...", "3").replace("..", "2");
                ranks.push(row.replace('.', "1"));
            }
            let side = if self.side == 'o' { 'l' } else { 'd' };
            let mut retreat = String::new();
            for (&checker, &from) in &self.stepped_from {
                let listed = match rules.retreat {
                    "free" => false,
                    "checker" => true,
                    _ => self.last_moved.values().any(|&moved| moved == checker),
                };
                if listed {
                    retreat += &(name(checker) + &name(from));
                }
            }
            let mut spent = String::new();
            for &point in &self.reached_base {
                let on_base = point.1 == opponents_base_rank(self.board[&point]);
                if rules.movement == "bell" && rules.base_row == "spent" && !on_base {
                    spent += &name(point);
                }
            }
            let huff: String = self.huff.iter().map(|&point| name(point)).collect();
            let dash = |list: String| if list.is_empty() { "-".to_string() } else { list };
            let (retreat, spent, huff) = (dash(retreat), dash(spent), dash(huff));
            format!("{} {side} {retreat} {spent} {huff} {}", ranks.join("/"), self.full_move)
        }

        /// The other side's turn.
        fn pass_on(&mut self) {
            if self.side == 'x' {
                self.full_move = (self.full_move + 1).min(999_999);
            }
            self.side = other(self.side);
        }

        /// All legal turns.
        pub fn turns(&self, rules: &Rules) -> Vec<(String, State)> {
            let mut turns = Vec::new();
            if self.men('o').is_empty() || self.men('x').is_empty() {
                return turns;
            }
            if self.huff.is_empty() {
                self.moves(rules, "", &mut turns);
            }
            for &point in &self.huff {
                let mut after = self.clone();
                after.remove(point);
                after.huff.clear();
                let prefix = format!("h{}", name(point));
                if after.men(other(self.side)).is_empty() {
                    // This side moves no checker in this turn.
                    after.last_moved.remove(&self.side);
                    after.pass_on();
                    turns.push((prefix, after));
                } else {
                    after.moves(rules, &prefix, &mut turns);
                }
            }
            turns
        }

        /// The jumps of the checker at the end of a path, with what each captures.
        fn jumps(&self, rules: &Rules, path: &Path) -> Vec<(Point, Point)> {
            let (start, at) = (path.points[0], path.points[path.points.len() - 1]);
            let mut found = Vec::new();
            for direction in all_points().into_iter().map(|(file, rank)| (file - 3, rank - 3)) {
                if direction.0.abs() > 1 || direction.1.abs() > 1 || direction == (0, 0) {
                    continue;
                }
                let over = (at.0 + direction.0, at.1 + direction.1);
                let land = (over.0 + direction.0, over.1 + direction.1);
                if !joined(at, over) || !joined(over, land) {
                    continue;
                }
                // REQ.15
                if path.last == Some((-direction.0, -direction.1)) {
                    continue;
                }
                // An enemy checker to jump over, and a free point behind it; the moving checker has left its start.
                if self.board.get(&over) != Some(&other(self.side)) {
                    continue;
                }
                if rules.removal == "instant" && path.captured.contains(&over) {
                    continue;
                }
                let left = rules.removal == "instant" && path.captured.contains(&land);
                if self.board.contains_key(&land) && land != start && !left {
                    continue;
                }
                // Jumped again only onto a point not yet visited.
                if path.captured.contains(&over) && path.points.contains(&land) {
                    continue;
                }
                let on_base = start.1 == opponents_base_rank(self.side);
                if rules.movement == "bell" && rules.base_row == "horizontal" && on_base && direction.1 != 0 {
                    continue;
                }
                found.push((over, land));
            }
            found
        }

        /// All captures that a path can become and may end as, what other checkers can do aside.
        fn ends(&self, rules: &Rules, path: &Path, ends: &mut Vec<Path>) {
            let jumps = self.jumps(rules, path);
            let jumped = path.points.len() - 1;
            let may_end = match rules.multi_capture {
                "off" => jumped == 1,
                "stop" => jumped >= 1,
                _ => jumped >= 1 && jumps.is_empty(),
            };
            if may_end {
                ends.push(path.clone());
            }
            if rules.multi_capture == "off" && jumped == 1 {
                return;
            }
            for (over, land) in jumps {
                let at = path.points[jumped];
                let mut next = path.clone();
                next.points.push(land);
                next.captured.insert(over);
                next.last = Some((over.0 - at.0, over.1 - at.1));
                self.ends(rules, &next, ends);
            }
        }

        /// The steps and captures of a turn, after the huff if one was due.
        fn moves(&self, rules: &Rules, prefix: &str, turns: &mut Vec<(String, State)>) {
            let mut captures = Vec::new();
            let mut could_jump = BTreeSet::new();
            for from in self.men(self.side) {
                let path = Path { points: vec![from], captured: BTreeSet::new(), last: None };
                if !self.jumps(rules, &path).is_empty() {
                    could_jump.insert(from);
                }
                self.ends(rules, &path, &mut captures);
            }
            if rules.multi_capture == "maximum" {
                let most = captures.iter().map(|path| path.captured.len()).max();
                captures.retain(|path| Some(path.captured.len()) == most);
            }
            for path in captures {
                let text: String = path.points.iter().map(|&point| name(point)).collect();
                let mut after = self.clone();
                path.captured.iter().for_each(|&point| after.remove(point));
                after.relocate(path.points[0], path.points[path.points.len() - 1], false);
                after.pass_on();
                turns.push((format!("{prefix}{text}"), after));
            }
            if could_jump.is_empty() || rules.missed_capture == "huff" {
                for from in self.men(self.side) {
                    for to in all_points() {
                        if !self.may_step(rules, from, to) {
                            continue;
                        }
                        let mut after = self.clone();
                        after.relocate(from, to, true);
                        after.huff = could_jump.iter().map(|&point| if point == from { to } else { point }).collect();
                        after.pass_on();
                        turns.push((format!("{prefix}{}{}", name(from), name(to)), after));
                    }
                }
            }
        }

        /// Moves a checker of the side to move, and keeps the books.
        fn relocate(&mut self, from: Point, to: Point, step: bool) {
            let reached = self.reached_base.contains(&from) || to.1 == opponents_base_rank(self.side);
            self.remove(from);
            self.board.insert(to, self.side);
            if step {
                self.stepped_from.insert(to, from);
            }
            if reached {
                self.reached_base.insert(to);
            }
            self.last_moved.insert(self.side, to);
        }

        fn may_step(&self, rules: &Rules, from: Point, to: Point) -> bool {
            if !joined(from, to) || self.board.contains_key(&to) {
                return false;
            }
            let goes_back = self.stepped_from.get(&from) == Some(&to);
            match rules.retreat {
                "checker" if goes_back => return false,
                "player" if goes_back && self.last_moved.get(&self.side) == Some(&from) => return false,
                _ => {}
            }
            if rules.movement == "bell" {
                let backwards = if self.side == 'o' { to.1 < from.1 } else { to.1 > from.1 };
                let stuck = from.1 == opponents_base_rank(self.side);
                let spent = rules.base_row == "spent" && self.reached_base.contains(&from);
                if backwards || stuck || spent {
                    return false;
                }
            }
            true
        }

        /// The outcome in the words of `query outcome`. The history is that of all positions of the game without their
        /// full-move numbers, this one included.
        pub fn outcome(&self, rules: &Rules, has_turns: bool, history: &[String]) -> String {
            let word = |side| if side == 'o' { "light" } else { "dark" };
            for side in ['o', 'x'] {
                if self.men(side).is_empty() {
                    return format!("win {} captured", word(other(side)));
                }
            }
            if !has_turns && rules.win == "capture" {
                return "draw no move".into();
            }
            if !has_turns {
                return format!("win {} blocked", word(other(self.side)));
            }
            let now = &history[history.len() - 1];
            if rules.win == "repetition" && history.iter().filter(|&text| text == now).count() >= 3 {
                return "draw repetition".into();
            }
            "ongoing".into()
        }
    }
}

/// A rule set: for the slow implementation and for the program.
#[derive(Clone)]
struct RuleSet {
    slow: slow::Rules,
    fast: Arc<Alquerque>,
}

impl RuleSet {
    fn new(slow: slow::Rules) -> RuleSet {
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

/// All rule sets that differ in effect: one jump a turn leaves no choice of removal, and free movement none of the base
/// row.
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
        for (movement, base_row) in [("free", "free"), ("bell", "free"), ("bell", "spent"), ("bell", "horizontal")] {
            for retreat in ["free", "checker", "player"] {
                for missed_capture in ["illegal", "huff"] {
                    for win in ["capture", "block", "repetition"] {
                        let slow =
                            slow::Rules { multi_capture, removal, movement, base_row, retreat, missed_capture, win };
                        sets.push(RuleSet::new(slow));
                    }
                }
            }
        }
    }
    sets
}

/// The three presets, as the table of the rules has them.
fn presets() -> [(&'static str, RuleSet); 3] {
    let modern = slow::Rules {
        multi_capture: "complete",
        removal: "instant",
        movement: "free",
        base_row: "free",
        retreat: "player",
        missed_capture: "illegal",
        win: "repetition",
    };
    let alfonso = slow::Rules { retreat: "free", missed_capture: "huff", win: "capture", ..modern };
    let bell = slow::Rules { movement: "bell", retreat: "checker", win: "block", ..modern };
    [("modern", modern), ("alfonso", alfonso), ("bell", bell)].map(|(name, slow)| (name, RuleSet::new(slow)))
}

fn texts_of(fast: &Alquerque, text: &str) -> Vec<String> {
    let position = fast.parse_position(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    let mut moves = Vec::new();
    fast.legal_moves(&position, &mut moves);
    moves.into_iter().map(|mv| fast.move_text(mv)).collect()
}

/// Above this many legal moves the slow implementation is not asked: it would take seconds.
const MOST_MOVES: usize = 3000;

/// Compares the legal moves of a position, what each reads back as, and at most `most` of the positions that they lead
/// to. Returns the turns of the slow implementation, sorted by text, unless there are too many.
fn compare(
    set: &RuleSet,
    state: &slow::State,
    most: usize,
    rng: &mut fastrand::Rng,
) -> Option<Vec<(String, slow::State)>> {
    let text = state.text(&set.slow);
    let place = || format!("{text} under {:?}", set.fast);
    let position = set.fast.parse_position(&text).unwrap_or_else(|error| panic!("{}: {error}", place()));
    assert_eq!(set.fast.position_text(&position), text, "{}", place());
    let mut moves = Vec::new();
    set.fast.legal_moves(&position, &mut moves);
    if moves.len() > MOST_MOVES {
        return None;
    }
    let mut fast: Vec<(String, _)> = moves.into_iter().map(|mv| (set.fast.move_text(mv), mv)).collect();
    fast.sort_by(|a, b| a.0.cmp(&b.0));
    let mut turns = state.turns(&set.slow);
    turns.sort_by(|a, b| a.0.cmp(&b.0));
    assert!(fast.iter().map(|turn| &turn.0).eq(turns.iter().map(|turn| &turn.0)), "{}: {fast:?}", place());
    for (text, mv) in &fast {
        let read = set.fast.parse_move(text).map(|text| set.fast.find_move(&position, &text));
        assert_eq!(read, Ok(Ok(*mv)), "{}: {text}", place());
    }
    for _ in 0..most.min(fast.len()) {
        let at = rng.usize(..fast.len());
        let after = set.fast.play(&position, fast[at].1);
        let text = turns[at].1.text(&set.slow);
        assert_eq!(set.fast.position_text(&after), text, "{}: {}", place(), fast[at].0);
        assert_eq!(set.fast.parse_position(&text), Ok(after), "{}: {}", place(), fast[at].0);
    }
    Some(turns)
}

/// Plays a random game with both implementations and compares them at every ply.
fn compare_game(set: &RuleSet, plies: usize, successors: usize, rng: &mut fastrand::Rng) {
    let mut line = new_line(&set.fast);
    let mut state = slow::State::start();
    let mut history = Vec::new();
    for _ in 0..plies {
        let text = state.text(&set.slow);
        assert_eq!(set.fast.position_text(line.position()), text, "{:?}", set.fast);
        history.push(text.rsplit_once(' ').unwrap().0.to_string());
        let turns = compare(set, &state, successors, rng);
        let has_turns = turns.as_ref().is_none_or(|turns| !turns.is_empty());
        let outcome = state.outcome(&set.slow, has_turns, &history);
        assert_eq!(outcome_text::<Alquerque>(line.outcome()), outcome, "{text} under {:?}", set.fast);
        let Some(turns) = turns.filter(|_| outcome == "ongoing") else { return };
        let (text, after) = turns[rng.usize(..turns.len())].clone();
        line.push(line.find_move(&text).unwrap());
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
        (0..20).for_each(|_| compare_game(&set, 150, 4, &mut rng));
    }
}

/// `cargo test --release --test alquerque -- --ignored`
#[test]
#[ignore = "plays 80,400 games twice: minutes"]
fn slow_and_fast_agree_in_many_random_games() {
    let mut rng = fastrand::Rng::with_seed(1283);
    for set in all_rule_sets() {
        (0..100).for_each(|_| compare_game(&set, 150, 2, &mut rng));
    }
    for (_, set) in presets() {
        (0..10_000).for_each(|_| compare_game(&set, 150, 2, &mut rng));
    }
}

/// A position such as no game may reach: any checkers, and anything in the other fields that these rules let stand
/// there.
fn random_set_up(set: &slow::Rules, rng: &mut fastrand::Rng) -> slow::State {
    let mut state = slow::State::start();
    state.board.clear();
    state.side = if rng.bool() { 'o' } else { 'x' };
    state.full_move = rng.u32(1..=1_000_000).min(999_999);
    let mut points = slow::all_points();
    rng.shuffle(&mut points);
    for (side, men) in [('o', rng.usize(0..=12)), ('x', rng.usize(1..=12))] {
        state.board.extend(points.drain(..men).map(|point| (point, side)));
    }
    for side in ['o', 'x'] {
        for checker in state.men(side) {
            let neighbours: Vec<_> =
                slow::all_points().into_iter().filter(|&point| slow::joined(checker, point)).collect();
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

fn compare_set_ups(positions: usize, seed: u64) {
    let mut rng = fastrand::Rng::with_seed(seed);
    for set in all_rule_sets() {
        for _ in 0..positions {
            let state = random_set_up(&set.slow, &mut rng);
            let text = state.text(&set.slow);
            let turns = compare(&set, &state, 2, &mut rng);
            let position = set.fast.parse_position(&text).unwrap();
            let has_turns = turns.is_none_or(|turns| !turns.is_empty());
            let outcome = state.outcome(&set.slow, has_turns, std::slice::from_ref(&text));
            assert_eq!(outcome_text::<Alquerque>(set.fast.outcome(&position)), outcome, "{text} under {:?}", set.fast);
        }
    }
}

#[test]
fn slow_and_fast_agree_in_positions_set_up_at_random() {
    compare_set_ups(15, 3);
}

/// `cargo test --release --test alquerque -- --ignored`
#[test]
#[ignore = "compares 500,000 positions: minutes"]
fn slow_and_fast_agree_in_many_positions_set_up_at_random() {
    compare_set_ups(1000, 4);
}

/// Texts of the form of a move that differ a little from a legal one.
fn neighbours_of(text: &str, rng: &mut fastrand::Rng) -> Vec<String> {
    let point = |rng: &mut fastrand::Rng| slow::name((rng.i32(0..=6).clamp(1, 5), rng.i32(1..=5)));
    let (huff, path) = if text.starts_with('h') { text.split_at(3) } else { ("", text) };
    let mut texts = vec![path.to_string(), format!("h{}{path}", point(rng))];
    texts.push(huff.to_string() + &path[..path.len().saturating_sub(2)]);
    texts.extend((0..10).map(|_| huff.to_string() + path + &point(rng)));
    for at in (0..path.len()).step_by(2) {
        texts.extend((0..6).map(|_| format!("{huff}{}{}{}", &path[..at], point(rng), &path[at + 2..])));
        texts.push(format!("{huff}{}{}", &path[..at], &path[at + 2..]));
    }
    texts
}

#[test]
fn what_is_found_is_generated_and_the_other_way_round() {
    let mut rng = fastrand::Rng::with_seed(5);
    let everywhere: Vec<String> = slow::all_points()
        .into_iter()
        .flat_map(|from| slow::all_points().into_iter().map(move |to| slow::name(from) + &slow::name(to)))
        .collect();
    for set in all_rule_sets() {
        for round in 0..3 {
            let state = random_set_up(&set.slow, &mut rng);
            let text = state.text(&set.slow);
            let position = set.fast.parse_position(&text).unwrap();
            let legal: BTreeSet<String> = texts_of(&set.fast, &text).into_iter().collect();
            if legal.is_empty() || legal.len() > MOST_MOVES {
                continue;
            }
            let near = legal.iter().take(20).flat_map(|text| neighbours_of(text, &mut rng)).collect::<Vec<_>>();
            for text in near.iter().chain(everywhere.iter().filter(|_| round == 0)) {
                let Ok(read) = set.fast.parse_move(text) else { continue };
                let found = set.fast.find_move(&position, &read);
                assert_eq!(found.is_ok(), legal.contains(text), "{text}: {found:?} under {:?}", set.fast);
                if let Err(reason) = found {
                    assert!(reason.to_string().starts_with("REQ."), "{reason}");
                }
            }
        }
    }
}

#[test]
fn there_are_504_rule_sets_and_no_two_are_equal() {
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
fn an_explicit_value_wins_in_whatever_order() {
    let first = rules::<Alquerque>(&["Alquerque_Retreat=checker", "Alquerque_Ruleset=alfonso"]);
    let last = rules::<Alquerque>(&["Alquerque_Ruleset=alfonso", "Alquerque_Retreat=checker"]);
    let alfonso = rules::<Alquerque>(&["Alquerque_Ruleset=alfonso"]);
    assert_eq!(first, last);
    assert_ne!(first, alfonso);
    let taken_back = ["Alquerque_Retreat=checker", "Alquerque_Ruleset=alfonso", "Alquerque_Retreat=ruleset"];
    assert_eq!(rules::<Alquerque>(&taken_back), alfonso);
}

#[test]
fn options_without_effect_leave_equal_rules() {
    let equal = |a: &[&str], b: &[&str]| assert_eq!(rules::<Alquerque>(a), rules::<Alquerque>(b));
    // The base row matters in Bell's movement only.
    equal(&["Alquerque_BaseRow=spent"], &["Alquerque_BaseRow=horizontal"]);
    assert_ne!(
        rules::<Alquerque>(&["Alquerque_Movement=bell", "Alquerque_BaseRow=spent"]),
        rules::<Alquerque>(&["Alquerque_Movement=bell", "Alquerque_BaseRow=horizontal"])
    );
    // With one jump a turn, checkers leave when it ends.
    equal(&["Alquerque_MultiCapture=off", "Alquerque_Removal=after"], &["Alquerque_MultiCapture=off"]);
    // `Win repetition` draws by repetition already.
    equal(&["RepetitionDraw=true"], &[]);
    for win in ["Alquerque_Win=capture", "Alquerque_Win=block"] {
        assert_ne!(rules::<Alquerque>(&[win, "RepetitionDraw=true"]), rules::<Alquerque>(&[win]));
    }
    equal(&["Alquerque_Win=block", "RepetitionDraw=true"], &["Alquerque_Win=repetition"]);
    // Setting what the preset says anyway changes nothing.
    equal(&["Alquerque_Removal=instant", "Alquerque_Win=repetition"], &[]);
}

#[test]
fn monstrous_positions_stay_usable() {
    let set = |settings: &[&str]| rules::<Alquerque>(settings);
    for (rules, text, moves) in [
        (set(&["Alquerque_Removal=after"]), "5/1xxx1/1xox1/xxxxx/1x1x1 l - - - 1", 10_520),
        (
            set(&["Alquerque_Removal=after", "Alquerque_MultiCapture=stop", "Alquerque_MissedCapture=huff"]),
            "3o1/xxxxx/1xox1/xxxxx/3o1 l - - a2a4b2b3b4c2c4d2d3d4e2e4 1",
            93_644,
        ),
    ] {
        let line = Line::new(rules.clone(), rules.parse_position(text).unwrap());
        let mut found = Vec::new();
        line.legal_moves(&mut found);
        assert_eq!(found.len(), moves);
        let texts: BTreeSet<String> = found.iter().map(|&mv| rules.move_text(mv)).collect();
        assert_eq!(texts.len(), moves, "each text once");
        for mv in found {
            assert_eq!(line.find_move(&rules.move_text(mv)), Ok(mv));
        }
    }
}

#[test]
fn the_board_is_drawn_as_it_lies_on_a_table() {
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
light (o) to move
no step back: b2 to a2, c3 to c2
spent, jumps only: b3, c3
light must huff one dark checker first: b3";
    assert_eq!(rules.diagram(&position), drawn);
    let start = rules.diagram(&rules.start());
    assert!(start.ends_with("   a   b   c   d   e\nlight (o) to move"), "{start}");
}

#[test]
fn repetition_compares_position_and_status() {
    // REQ.27.ALT.3: how many plies two checkers that go round in squares play until the third occurrence.
    let plies = |settings: &[&str]| {
        let rules = rules::<Alquerque>(settings);
        let mut line = Line::new(rules.clone(), rules.parse_position("x4/5/5/5/4o l - - - 1").unwrap());
        let rounds = ["e1e2", "a5a4", "e2d2", "a4b4", "d2d1", "b4b5", "d1e1", "b5a5"].into_iter().cycle();
        for text in rounds.take(100) {
            if let Some(outcome) = line.outcome() {
                assert_eq!(outcome, Outcome::Draw("repetition"));
                break;
            }
            line.push(line.find_move(text).unwrap());
        }
        line.len()
    };
    assert_eq!(plies(&["Alquerque_Retreat=free"]), 16, "the first position comes again");
    assert_eq!(plies(&["Alquerque_Retreat=player"]), 18, "only with two steps behind it does a position come again");
    assert_eq!(plies(&["Alquerque_Retreat=checker"]), 18);
    assert_eq!(plies(&["Alquerque_Retreat=free", "Alquerque_Win=block"]), 100);
    assert_eq!(plies(&["Alquerque_Retreat=free", "Alquerque_Win=capture", "RepetitionDraw=true"]), 16);
}

#[test]
fn captured_checkers_do_not_return() {
    // REQ.13, and each side's checkers leave in the other side's turns only.
    let mut rng = fastrand::Rng::with_seed(13);
    for set in all_rule_sets() {
        let mut before = [12, 12];
        random_game(new_line(&set.fast), &mut rng, 80, |line| {
            let text = set.fast.position_text(line.position());
            let board = text.split(' ').next().unwrap();
            let now = ['o', 'x'].map(|man| board.matches(man).count());
            let mover = 1 - set.fast.side_to_move(line.position()).index();
            assert!(now[mover] == before[mover] && now[1 - mover] <= before[1 - mover], "{text}");
            before = now;
        });
    }
}

/// Every requirement of the source, each with its alternatives.
fn requirements() -> Vec<String> {
    let mut all: Vec<String> = (0..=9).chain(11..=22).map(|number| format!("REQ.{number}")).collect();
    for (number, alternatives) in [("10", 2), ("10.1", 3), ("23", 3), ("24", 2), ("25", 3), ("26", 2), ("27", 3)] {
        all.extend((1..=alternatives).map(|alternative| format!("REQ.{number}.ALT.{alternative}")));
    }
    all
}

/// The table of requirements in `protocol.md` has a row for each, which names what covers it: fixture files of this
/// game that speak of the requirement, and tests of this file.
#[test]
fn every_requirement_is_covered() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read =
        |path: &Path| std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let protocol = read(&root.join("protocol.md"));
    let tests = read(&root.join("tests/alquerque.rs"));
    let requirements = requirements();
    assert_eq!(requirements.len(), 40);
    for requirement in &requirements {
        let row = protocol.lines().find(|line| line.starts_with(&format!("| {requirement} |")));
        let row = row.unwrap_or_else(|| panic!("protocol.md has no row for {requirement}"));
        let cell = row.trim_end_matches('|').rsplit('|').next().unwrap_or_default();
        let names: Vec<&str> = cell.split('`').skip(1).step_by(2).collect();
        assert!(!names.is_empty(), "nothing covers {requirement}");
        for name in names {
            if name.contains('.') {
                let folder = folder("alquerque").join(if name.ends_with(".game") { "games" } else { "" });
                let text = read(&folder.join(name));
                let comments = text.lines().filter(|line| line.starts_with("# "));
                let mut words = comments.flat_map(|line| line.split([' ', ',', ':', '(', ')']));
                assert!(words.any(|word| word == requirement), "{name} does not speak of {requirement}");
            } else {
                assert!(tests.contains(&format!("fn {name}()")), "{requirement}: there is no test {name}");
            }
        }
    }
}
