//! The second implementation of Alquerque. It follows the sentences of the rules. Points are pairs
//! of numbers from 1. The board is a map from points to letters. A turn is a string with the state
//! after the turn.

use std::collections::{BTreeMap, BTreeSet};

/// File and rank, both from 1.
pub type Point = (i32, i32);

/// The values of the seven options.
#[derive(Debug, Clone, Copy)]
pub struct RuleOptions {
    pub multi_capture: &'static str,
    pub removal: &'static str,
    pub movement: &'static str,
    pub base_row: &'static str,
    pub retreat: &'static str,
    pub missed_capture: &'static str,
    pub win: &'static str,
}

impl RuleOptions {
    /// The default rules.
    pub const MODERN: RuleOptions = RuleOptions {
        multi_capture: "complete",
        removal: "instant",
        movement: "free",
        base_row: "free",
        retreat: "player",
        missed_capture: "illegal",
        win: "repetition",
    };
}

/// A position. It contains more of its past than a position string.
#[derive(Clone)]
pub struct State {
    /// The letter on each point that is occupied.
    pub board: BTreeMap<Point, char>,
    pub side: char,
    /// The point from which a checker stepped, for each checker on the board whose latest move was
    /// a step.
    pub stepped_from: BTreeMap<Point, Point>,
    /// The checker that a side moved in its last turn, for each side. The checker is still on the
    /// board.
    pub last_moved: BTreeMap<char, Point>,
    /// The checkers that have ended a move on the opponent's base row.
    pub reached_base: BTreeSet<Point>,
    /// The side to move must huff one of these checkers.
    pub huff: BTreeSet<Point>,
    pub full_move: u32,
}

pub fn point_name((file, rank): Point) -> String {
    format!("{}{rank}", (b'a' + file as u8 - 1) as char)
}

pub fn all_points() -> Vec<Point> {
    (1..=5).flat_map(|file| (1..=5).map(move |rank| (file, rank))).collect()
}

pub fn other_side(side: char) -> char {
    if side == 'o' { 'x' } else { 'o' }
}

fn opponents_base_rank(side: char) -> i32 {
    if side == 'o' { 5 } else { 1 }
}

fn is_on_board((file, rank): Point) -> bool {
    (1..=5).contains(&file) && (1..=5).contains(&rank)
}

/// Returns whether a line of the board joins two points.
pub fn are_joined(a: Point, b: Point) -> bool {
    let files = (a.0 - b.0).abs();
    let ranks = (a.1 - b.1).abs();
    let is_straight = files + ranks == 1;
    let is_diagonal = files == 1 && ranks == 1 && (a.0 + a.1) % 2 == 0;
    is_on_board(a) && is_on_board(b) && (is_straight || is_diagonal)
}

/// A capture after some of its jumps.
#[derive(Clone)]
struct CapturePath {
    points: Vec<Point>,
    captured: BTreeSet<Point>,
    /// The direction of the last jump.
    last_direction: Option<(i32, i32)>,
}

/// A jump.
struct Jump {
    /// The point of the checker that the jump captures.
    over: Point,
    /// The point on which the jump ends.
    landing: Point,
}

impl State {
    pub fn start() -> State {
        let mut board = BTreeMap::new();
        for (rank, checkers) in
            [(5, "xxxxx"), (4, "xxxxx"), (3, "xx.oo"), (2, "ooooo"), (1, "ooooo")]
        {
            for (file, letter) in (1..).zip(checkers.chars()) {
                if letter != '.' {
                    board.insert((file, rank), letter);
                }
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

    /// Parses a position string. The checkers with a forbidden step back are those that their sides
    /// moved last, and the spent checkers have ended a move on the base row.
    pub fn read(text: &str) -> State {
        let fields: Vec<&str> = text.split(' ').collect();
        let mut state = State { board: BTreeMap::new(), ..State::start() };
        for (row, rank) in fields[0].split('/').zip([5, 4, 3, 2, 1]) {
            let mut file = 1;
            for letter in row.chars() {
                match letter.to_digit(10) {
                    Some(free) => file += free as i32,
                    None => {
                        state.board.insert((file, rank), letter);
                        file += 1;
                    }
                }
            }
        }
        let points = |field: &str| -> Vec<Point> {
            let names = field.trim_matches('-').as_bytes().chunks(2);
            names.map(|name| ((name[0] - b'a') as i32 + 1, (name[1] - b'0') as i32)).collect()
        };
        state.side = if fields[1] == "l" { 'o' } else { 'x' };
        for entry in points(fields[2]).chunks(2) {
            state.stepped_from.insert(entry[0], entry[1]);
            state.last_moved.insert(state.board[&entry[0]], entry[0]);
        }
        let on_base = |(point, side): (&Point, &char)| {
            (point.1 == opponents_base_rank(*side)).then_some(*point)
        };
        state.reached_base = state.board.iter().filter_map(on_base).collect();
        state.reached_base.extend(points(fields[3]));
        state.huff = points(fields[4]).into_iter().collect();
        state.full_move = fields[5].parse().unwrap();
        state
    }

    pub fn checkers(&self, side: char) -> Vec<Point> {
        all_points().into_iter().filter(|point| self.board.get(point) == Some(&side)).collect()
    }

    /// Removes a checker from the board and from all lists.
    fn remove(&mut self, point: Point) {
        self.board.remove(&point);
        self.stepped_from.remove(&point);
        self.last_moved.retain(|_, moved| *moved != point);
        self.reached_base.remove(&point);
    }

    pub fn text(&self, rules: &RuleOptions) -> String {
        let mut ranks = Vec::new();
        for rank in [5, 4, 3, 2, 1] {
            let row: String =
                (1..=5).map(|file| *self.board.get(&(file, rank)).unwrap_or(&'.')).collect();
            let row = row
                .replace(".....", "5")
                .replace("....", "4")
                .replace("...", "3")
                .replace("..", "2");
            ranks.push(row.replace('.', "1"));
        }
        let side = if self.side == 'o' { 'l' } else { 'd' };
        let mut retreat = String::new();
        for (&checker, &from) in &self.stepped_from {
            let is_listed = match rules.retreat {
                "free" => false,
                "checker" => true,
                _ => self.last_moved.values().any(|&moved| moved == checker),
            };
            if is_listed {
                retreat += &(point_name(checker) + &point_name(from));
            }
        }
        let mut spent = String::new();
        for &point in &self.reached_base {
            let is_on_base = point.1 == opponents_base_rank(self.board[&point]);
            if rules.movement == "bell" && rules.base_row == "spent" && !is_on_base {
                spent += &point_name(point);
            }
        }
        let huff: String = self.huff.iter().map(|&point| point_name(point)).collect();
        let dash = |list: String| if list.is_empty() { "-".to_string() } else { list };
        format!(
            "{} {side} {} {} {} {}",
            ranks.join("/"),
            dash(retreat),
            dash(spent),
            dash(huff),
            self.full_move
        )
    }

    /// Ends the turn.
    fn end_turn(&mut self) {
        if self.side == 'x' {
            self.full_move = (self.full_move + 1).min(999_999);
        }
        self.side = other_side(self.side);
    }

    /// Returns all legal turns: their strings, and the states after them.
    pub fn turns(&self, rules: &RuleOptions) -> Vec<(String, State)> {
        let mut turns = Vec::new();
        if self.checkers('o').is_empty() || self.checkers('x').is_empty() {
            return turns;
        }
        if self.huff.is_empty() {
            self.add_moves(rules, "", &mut turns);
        }
        for &point in &self.huff {
            let mut after = self.clone();
            after.remove(point);
            after.huff.clear();
            let prefix = format!("h{}", point_name(point));
            if after.checkers(other_side(self.side)).is_empty() {
                // The side moves no checker in this turn.
                after.last_moved.remove(&self.side);
                after.end_turn();
                turns.push((prefix, after));
            } else {
                after.add_moves(rules, &prefix, &mut turns);
            }
        }
        turns
    }

    /// Returns the jumps of the checker at the end of a path.
    fn jumps(&self, rules: &RuleOptions, path: &CapturePath) -> Vec<Jump> {
        let start = path.points[0];
        let at = path.points[path.points.len() - 1];
        let mut found = Vec::new();
        for direction in all_points().into_iter().map(|(file, rank)| (file - 3, rank - 3)) {
            if direction.0.abs() > 1 || direction.1.abs() > 1 || direction == (0, 0) {
                continue;
            }
            let over = (at.0 + direction.0, at.1 + direction.1);
            let landing = (over.0 + direction.0, over.1 + direction.1);
            if !are_joined(at, over) || !are_joined(over, landing) {
                continue;
            }
            // REQ.15
            if path.last_direction == Some((-direction.0, -direction.1)) {
                continue;
            }
            // A jump needs an enemy checker and a free point behind it. The moving checker has left
            // its start point.
            if self.board.get(&over) != Some(&other_side(self.side)) {
                continue;
            }
            if rules.removal == "instant" && path.captured.contains(&over) {
                continue;
            }
            let has_left = rules.removal == "instant" && path.captured.contains(&landing);
            if self.board.contains_key(&landing) && landing != start && !has_left {
                continue;
            }
            // A second jump over the same checker must land on a point that was not visited yet.
            if path.captured.contains(&over) && path.points.contains(&landing) {
                continue;
            }
            let is_on_base = start.1 == opponents_base_rank(self.side);
            if rules.movement == "bell"
                && rules.base_row == "horizontal"
                && is_on_base
                && direction.1 != 0
            {
                continue;
            }
            found.push(Jump { over, landing });
        }
        found
    }

    /// Appends all captures that begin with this path and may end. Captures by other checkers are
    /// not considered.
    fn add_captures(
        &self,
        rules: &RuleOptions,
        path: &CapturePath,
        captures: &mut Vec<CapturePath>,
    ) {
        let jumps = self.jumps(rules, path);
        let jumped = path.points.len() - 1;
        let may_end = match rules.multi_capture {
            "off" => jumped == 1,
            "stop" => jumped >= 1,
            _ => jumped >= 1 && jumps.is_empty(),
        };
        if may_end {
            captures.push(path.clone());
        }
        if rules.multi_capture == "off" && jumped == 1 {
            return;
        }
        for Jump { over, landing } in jumps {
            let at = path.points[jumped];
            let mut next = path.clone();
            next.points.push(landing);
            next.captured.insert(over);
            next.last_direction = Some((over.0 - at.0, over.1 - at.1));
            self.add_captures(rules, &next, captures);
        }
    }

    /// Appends the steps and captures of a turn. If a huff was due, it comes before them. `prefix`
    /// is the string of the huff.
    fn add_moves(&self, rules: &RuleOptions, prefix: &str, turns: &mut Vec<(String, State)>) {
        let mut captures = Vec::new();
        let mut could_jump = BTreeSet::new();
        for from in self.checkers(self.side) {
            let path =
                CapturePath { points: vec![from], captured: BTreeSet::new(), last_direction: None };
            if !self.jumps(rules, &path).is_empty() {
                could_jump.insert(from);
            }
            self.add_captures(rules, &path, &mut captures);
        }
        if rules.multi_capture == "maximum" {
            let most = captures.iter().map(|path| path.captured.len()).max();
            captures.retain(|path| Some(path.captured.len()) == most);
        }
        for path in captures {
            let text: String = path.points.iter().map(|&point| point_name(point)).collect();
            let mut after = self.clone();
            path.captured.iter().for_each(|&point| after.remove(point));
            after.relocate(path.points[0], path.points[path.points.len() - 1], false);
            after.end_turn();
            turns.push((format!("{prefix}{text}"), after));
        }
        if could_jump.is_empty() || rules.missed_capture == "huff" {
            for from in self.checkers(self.side) {
                for to in all_points() {
                    if !self.can_step(rules, from, to) {
                        continue;
                    }
                    let mut after = self.clone();
                    after.relocate(from, to, true);
                    after.huff = could_jump
                        .iter()
                        .map(|&point| if point == from { to } else { point })
                        .collect();
                    after.end_turn();
                    turns.push((format!("{prefix}{}{}", point_name(from), point_name(to)), after));
                }
            }
        }
    }

    /// Moves a checker of the side to move, and updates all lists.
    fn relocate(&mut self, from: Point, to: Point, is_step: bool) {
        let has_reached_base =
            self.reached_base.contains(&from) || to.1 == opponents_base_rank(self.side);
        self.remove(from);
        self.board.insert(to, self.side);
        if is_step {
            self.stepped_from.insert(to, from);
        }
        if has_reached_base {
            self.reached_base.insert(to);
        }
        self.last_moved.insert(self.side, to);
    }

    fn can_step(&self, rules: &RuleOptions, from: Point, to: Point) -> bool {
        if !are_joined(from, to) || self.board.contains_key(&to) {
            return false;
        }
        let goes_back = self.stepped_from.get(&from) == Some(&to);
        match rules.retreat {
            "checker" if goes_back => return false,
            "player" if goes_back && self.last_moved.get(&self.side) == Some(&from) => {
                return false;
            }
            _ => {}
        }
        if rules.movement == "bell" {
            let is_backwards = if self.side == 'o' { to.1 < from.1 } else { to.1 > from.1 };
            let is_on_base = from.1 == opponents_base_rank(self.side);
            let is_spent = rules.base_row == "spent" && self.reached_base.contains(&from);
            if is_backwards || is_on_base || is_spent {
                return false;
            }
        }
        true
    }

    /// Returns the outcome in the words of `query outcome`. `history` contains the strings of all
    /// positions of the game without their full-move numbers. It includes this position.
    pub fn outcome(&self, rules: &RuleOptions, has_turns: bool, history: &[String]) -> String {
        let word = |side| if side == 'o' { "light" } else { "dark" };
        for side in ['o', 'x'] {
            if self.checkers(side).is_empty() {
                return format!("win {} captured", word(other_side(side)));
            }
        }
        if !has_turns && rules.win == "capture" {
            return "draw no move".into();
        }
        if !has_turns {
            return format!("win {} blocked", word(other_side(self.side)));
        }
        let now = &history[history.len() - 1];
        if rules.win == "repetition" && history.iter().filter(|&text| text == now).count() >= 3 {
            return "draw repetition".into();
        }
        "ongoing".into()
    }
}
