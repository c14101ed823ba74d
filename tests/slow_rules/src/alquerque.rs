//! The second implementation of Alquerque. It knows the rules as sentences: points are pairs of numbers from 1, the
//! board is a table of letters, a turn is a text with the state that follows.

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

impl Rules {
    /// The usual rules.
    pub const MODERN: Rules = Rules {
        multi_capture: "complete",
        removal: "instant",
        movement: "free",
        base_row: "free",
        retreat: "player",
        missed_capture: "illegal",
        win: "repetition",
    };
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
            if rules.movement == "bell"
                && rules.base_row == "horizontal"
                && on_base
                && direction.1 != 0
            {
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
                    after.huff = could_jump
                        .iter()
                        .map(|&point| if point == from { to } else { point })
                        .collect();
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
            "player" if goes_back && self.last_moved.get(&self.side) == Some(&from) => {
                return false;
            }
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
