//! A second implementation of the rules of Alcaxar. It is slow and simple, and contains no code of
//! the engine.

use std::collections::BTreeSet;

/// A point or a direction, as file and rank. The point a1 is (1, 1). Points may be off the board.
pub type GridPoint = (i32, i32);

pub fn plus(a: GridPoint, b: GridPoint) -> GridPoint {
    (a.0 + b.0, a.1 + b.1)
}

pub fn minus(a: GridPoint, b: GridPoint) -> GridPoint {
    (a.0 - b.0, a.1 - b.1)
}

pub fn on_board((file, rank): GridPoint) -> bool {
    (1..=9).contains(&file) && (1..=9).contains(&rank)
}

pub fn is_square((file, rank): GridPoint) -> bool {
    on_board((file, rank)) && file % 2 == 0 && rank % 2 == 0
}

pub fn is_tower((file, rank): GridPoint) -> bool {
    on_board((file, rank)) && file % 2 == 1 && rank % 2 == 1
}

pub fn is_slot(point: GridPoint) -> bool {
    on_board(point) && !is_square(point) && !is_tower(point)
}

pub fn parse_point(text: &str) -> GridPoint {
    let bytes = text.as_bytes();
    (i32::from(bytes[0] - b'a') + 1, i32::from(bytes[1] - b'0'))
}

pub fn point_name((file, rank): GridPoint) -> String {
    format!("{}{rank}", ["a", "b", "c", "d", "e", "f", "g", "h", "i"][file as usize - 1])
}

/// Returns all points of a kind on the board, sorted by file and then by rank.
pub fn all_points(kind: impl Fn(GridPoint) -> bool) -> Vec<GridPoint> {
    (1..=9)
        .flat_map(|file| (1..=9).map(move |rank| (file, rank)))
        .filter(|&point| kind(point))
        .collect()
}

const RIGHT_ANGLES: [GridPoint; 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];

/// A position. Side 0 is Red, and side 1 is Green.
#[derive(Debug, Clone)]
pub struct SlowPosition {
    pub knights: [GridPoint; 2],
    pub walls: Vec<GridPoint>,
    pub side: usize,
    pub last_wall: Option<GridPoint>,
    pub full_move: u32,
}

impl SlowPosition {
    pub fn new(text: &str) -> SlowPosition {
        let fields: Vec<&str> = text.split(' ').collect();
        let points = |field: &str| {
            (0..field.len() / 2).map(|at| parse_point(&field[2 * at..])).collect::<Vec<_>>()
        };
        let knights = points(fields[0]);
        SlowPosition {
            knights: [knights[0], knights[1]],
            walls: points(fields[1]),
            side: usize::from(fields[2] == "g"),
            last_wall: if fields[3] == "-" { None } else { Some(parse_point(fields[3])) },
            full_move: fields[4].parse().unwrap(),
        }
    }

    pub fn sorted_walls(&self) -> Vec<GridPoint> {
        let mut walls = self.walls.clone();
        walls.sort();
        walls
    }

    pub fn text(&self) -> String {
        let walls: String = self.sorted_walls().into_iter().map(point_name).collect();
        let last = match self.last_wall {
            Some(slot) => point_name(slot),
            None => "-".to_string(),
        };
        let side = if self.side == 0 { "r" } else { "g" };
        let [red, green] = self.knights.map(point_name);
        format!("{red}{green} {walls} {side} {last} {}", self.full_move)
    }

    /// Returns the squares that a side's knight can step to.
    pub fn accessible(&self, side: usize) -> Vec<GridPoint> {
        let mut squares = Vec::new();
        for direction in RIGHT_ANGLES {
            let between = plus(self.knights[side], direction);
            let square = plus(between, direction);
            if is_square(square)
                && !self.walls.contains(&between)
                && self.knights[1 - side] != square
            {
                squares.push(square);
            }
        }
        squares
    }

    /// Turns a wall about a tower in one direction. It turns by one right angle after another until
    /// something stops it. Returns the slots that it reaches.
    pub fn slots_reached(
        &self,
        wall: GridPoint,
        tower: GridPoint,
        clockwise: bool,
    ) -> Vec<GridPoint> {
        let mut reached = Vec::new();
        let mut arm = minus(wall, tower);
        for _ in 0..3 {
            let (x, y) = arm;
            let next = if clockwise { (y, -x) } else { (-y, x) };
            let swept = plus(tower, plus(arm, next));
            let slot = plus(tower, next);
            if self.knights.contains(&swept) || self.walls.contains(&slot) {
                break;
            }
            if is_slot(slot) {
                reached.push(slot);
            }
            arm = next;
        }
        reached
    }

    pub fn towers(wall: GridPoint) -> Vec<GridPoint> {
        RIGHT_ANGLES
            .into_iter()
            .map(|direction| plus(wall, direction))
            .filter(|&point| is_tower(point))
            .collect()
    }

    /// Returns the legal moves, ignoring repetition.
    pub fn moves(&self) -> BTreeSet<String> {
        let mut moves = BTreeSet::new();
        for square in self.accessible(self.side) {
            moves.insert(format!("K{}", point_name(square)));
        }
        for &wall in &self.walls {
            let towers = SlowPosition::towers(wall);
            let blocked = match self.last_wall {
                Some(last) => SlowPosition::towers(last).iter().any(|tower| towers.contains(tower)),
                None => false,
            };
            if blocked {
                continue;
            }
            for tower in towers {
                for clockwise in [true, false] {
                    for slot in self.slots_reached(wall, tower, clockwise) {
                        let mut after = self.clone();
                        after.walls.retain(|&other| other != wall);
                        after.walls.push(slot);
                        if !after.accessible(self.side).is_empty() {
                            moves.insert(point_name(wall) + &point_name(slot));
                        }
                    }
                }
            }
        }
        moves
    }

    pub fn play(&mut self, text: &str) {
        if let Some(square) = text.strip_prefix('K') {
            self.knights[self.side] = parse_point(square);
            self.last_wall = None;
        } else {
            let from = parse_point(text);
            let to = parse_point(&text[2..]);
            self.walls.retain(|&wall| wall != from);
            self.walls.push(to);
            self.last_wall = Some(to);
        }
        if self.side == 1 && self.full_move < 999_999 {
            self.full_move += 1;
        }
        self.side = 1 - self.side;
    }

    /// Returns the outcome by fortress or trap. The other side has just moved.
    pub fn immediate_win(&self) -> Option<String> {
        let mover = 1 - self.side;
        let name = ["red", "green"][mover];
        if self.knights[mover] == [parse_point("h2"), parse_point("b8")][mover] {
            return Some(format!("win {name} fortress"));
        }
        if self.accessible(self.side).is_empty() {
            return Some(format!("win {name} trapped"));
        }
        None
    }

    /// Returns the outcome at the third occurrence of the position.
    pub fn stalemate_outcome(&self) -> String {
        let distance = |side: usize| {
            let (files, ranks) =
                minus(self.knights[side], [parse_point("h2"), parse_point("b8")][side]);
            (files.abs() + ranks.abs()) / 2
        };
        let mobility = |side| self.accessible(side).len();
        if distance(0) < distance(1) {
            "win red stalemate"
        } else if distance(1) < distance(0) {
            "win green stalemate"
        } else if mobility(0) > mobility(1) {
            "win red stalemate"
        } else {
            "win green stalemate"
        }
        .to_string()
    }

    /// Returns a part of the expected error for an illegal move string.
    pub fn expected_error(&self, text: &str) -> &'static str {
        if let Some(square) = text.strip_prefix('K') {
            let from = self.knights[self.side];
            let to = parse_point(square);
            let between = ((from.0 + to.0) / 2, (from.1 + to.1) / 2);
            let (files, ranks) = minus(to, from);
            return if !is_square(to) {
                "not a square"
            } else if to == from {
                "the knight stands on"
            } else if files.abs() + ranks.abs() != 2 {
                "a knight steps to a neighbouring square"
            } else if self.walls.contains(&between) {
                "stands between"
            } else {
                "the other knight stands on"
            };
        }
        let from = parse_point(text);
        let to = parse_point(&text[2..]);
        let share = |a, b| {
            SlowPosition::towers(a).iter().any(|tower| SlowPosition::towers(b).contains(tower))
        };
        let turns = || {
            SlowPosition::towers(from).into_iter().flat_map(|tower| [(tower, true), (tower, false)])
        };
        if !is_slot(from) || !is_slot(to) {
            "not a wall slot"
        } else if !self.walls.contains(&from) {
            "no wall stands in"
        } else if from == to {
            "already"
        } else if self.last_wall == Some(from) {
            "has just been moved there"
        } else if self.last_wall.is_some_and(|last| share(last, from)) {
            "stands on its tower"
        } else if !share(from, to) {
            "a wall turns about one of its towers"
        } else if self.walls.contains(&to) {
            "another wall stands in"
        } else if !turns()
            .any(|(tower, clockwise)| self.slots_reached(from, tower, clockwise).contains(&to))
        {
            "counter-clockwise"
        } else {
            "it would trap the mover's own knight"
        }
    }
}

/// A game with the positions that have occurred.
#[derive(Debug, Clone)]
pub struct Referee {
    pub table: SlowPosition,
    /// All positions so far, including the current one. Each consists of the knights, the sorted
    /// walls and the side to move.
    past: Vec<([GridPoint; 2], Vec<GridPoint>, usize)>,
}

impl Referee {
    pub fn new(text: &str) -> Referee {
        let mut referee = Referee { table: SlowPosition::new(text), past: Vec::new() };
        referee.record_position();
        referee
    }

    fn record_position(&mut self) {
        self.past.push((self.table.knights, self.table.sorted_walls(), self.table.side));
    }

    pub fn play(&mut self, text: &str) {
        self.table.play(text);
        self.record_position();
    }

    /// Returns the legal moves. After the end of the game there are none.
    pub fn moves(&self) -> Vec<String> {
        if self.outcome() == "ongoing" {
            self.table.moves().into_iter().collect()
        } else {
            Vec::new()
        }
    }

    pub fn outcome(&self) -> String {
        if let Some(win) = self.table.immediate_win() {
            return win;
        }
        let now = self.past.last().unwrap();
        if self.past.iter().filter(|&entry| entry == now).count() < 3 {
            return "ongoing".to_string();
        }
        self.table.stalemate_outcome()
    }

    /// Returns the move with its mark for people.
    pub fn move_in_published_notation(&self, text: &str) -> String {
        let mut after = self.clone();
        after.play(text);
        let outcome = after.outcome();
        if outcome.ends_with("stalemate") {
            return format!("{text}≡");
        }
        if outcome != "ongoing" {
            return format!("{text}≠");
        }
        // The opponent passes.
        let mut passed = after.table;
        passed.side = self.table.side;
        passed.last_wall = None;
        for reply in passed.moves() {
            let mut won = passed.clone();
            won.play(&reply);
            if won.immediate_win().is_some() {
                return format!("{text}+");
            }
        }
        text.to_string()
    }
}
