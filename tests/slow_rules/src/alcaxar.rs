//! The rules of Alcaxar once more: slow, plain, and sharing nothing with the engine.

use std::collections::BTreeSet;

/// A point or a direction: file and rank, a1 being (1, 1). Points off the board are points like any other.
pub type Place = (i32, i32);

pub fn plus(a: Place, b: Place) -> Place {
    (a.0 + b.0, a.1 + b.1)
}

pub fn minus(a: Place, b: Place) -> Place {
    (a.0 - b.0, a.1 - b.1)
}

pub fn on_board((file, rank): Place) -> bool {
    (1..=9).contains(&file) && (1..=9).contains(&rank)
}

pub fn is_square((file, rank): Place) -> bool {
    on_board((file, rank)) && file % 2 == 0 && rank % 2 == 0
}

pub fn is_tower((file, rank): Place) -> bool {
    on_board((file, rank)) && file % 2 == 1 && rank % 2 == 1
}

pub fn is_slot(place: Place) -> bool {
    on_board(place) && !is_square(place) && !is_tower(place)
}

pub fn read(text: &str) -> Place {
    let bytes = text.as_bytes();
    (i32::from(bytes[0] - b'a') + 1, i32::from(bytes[1] - b'0'))
}

pub fn written((file, rank): Place) -> String {
    format!("{}{rank}", ["a", "b", "c", "d", "e", "f", "g", "h", "i"][file as usize - 1])
}

/// Every place of the board that is of this kind, by file, then by rank.
pub fn all(kind: impl Fn(Place) -> bool) -> Vec<Place> {
    (1..=9)
        .flat_map(|file| (1..=9).map(move |rank| (file, rank)))
        .filter(|&place| kind(place))
        .collect()
}

const RIGHT_ANGLES: [Place; 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];

/// A position. Side 0 is Red, side 1 Green.
#[derive(Debug, Clone)]
pub struct Table {
    pub knights: [Place; 2],
    pub walls: Vec<Place>,
    pub side: usize,
    pub last_wall: Option<Place>,
    pub full_move: u32,
}

impl Table {
    pub fn new(text: &str) -> Table {
        let fields: Vec<&str> = text.split(' ').collect();
        let places =
            |field: &str| (0..field.len() / 2).map(|at| read(&field[2 * at..])).collect::<Vec<_>>();
        let knights = places(fields[0]);
        Table {
            knights: [knights[0], knights[1]],
            walls: places(fields[1]),
            side: usize::from(fields[2] == "g"),
            last_wall: if fields[3] == "-" { None } else { Some(read(fields[3])) },
            full_move: fields[4].parse().unwrap(),
        }
    }

    pub fn walls_in_order(&self) -> Vec<Place> {
        let mut walls = self.walls.clone();
        walls.sort();
        walls
    }

    pub fn text(&self) -> String {
        let walls: String = self.walls_in_order().into_iter().map(written).collect();
        let last = match self.last_wall {
            Some(slot) => written(slot),
            None => "-".to_string(),
        };
        let side = if self.side == 0 { "r" } else { "g" };
        let [red, green] = self.knights.map(written);
        format!("{red}{green} {walls} {side} {last} {}", self.full_move)
    }

    /// The squares that this side's knight could step to.
    pub fn accessible(&self, side: usize) -> Vec<Place> {
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

    /// Turns a wall about a tower by one right angle after another, one way round, until something stands in the way.
    pub fn turned(&self, wall: Place, tower: Place, clockwise: bool) -> Vec<Place> {
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

    pub fn towers(wall: Place) -> Vec<Place> {
        RIGHT_ANGLES
            .into_iter()
            .map(|direction| plus(wall, direction))
            .filter(|&place| is_tower(place))
            .collect()
    }

    /// The legal moves, the repetition left aside.
    pub fn moves(&self) -> BTreeSet<String> {
        let mut moves = BTreeSet::new();
        for square in self.accessible(self.side) {
            moves.insert(format!("K{}", written(square)));
        }
        for &wall in &self.walls {
            let towers = Table::towers(wall);
            let blocked = match self.last_wall {
                Some(last) => Table::towers(last).iter().any(|tower| towers.contains(tower)),
                None => false,
            };
            if blocked {
                continue;
            }
            for tower in towers {
                for clockwise in [true, false] {
                    for slot in self.turned(wall, tower, clockwise) {
                        let mut after = self.clone();
                        after.walls.retain(|&other| other != wall);
                        after.walls.push(slot);
                        if !after.accessible(self.side).is_empty() {
                            moves.insert(written(wall) + &written(slot));
                        }
                    }
                }
            }
        }
        moves
    }

    pub fn play(&mut self, text: &str) {
        if let Some(square) = text.strip_prefix('K') {
            self.knights[self.side] = read(square);
            self.last_wall = None;
        } else {
            let (from, to) = (read(text), read(&text[2..]));
            self.walls.retain(|&wall| wall != from);
            self.walls.push(to);
            self.last_wall = Some(to);
        }
        if self.side == 1 && self.full_move < 999_999 {
            self.full_move += 1;
        }
        self.side = 1 - self.side;
    }

    /// Fortress and trap, judged after a move of the other side.
    pub fn won_at_once(&self) -> Option<String> {
        let mover = 1 - self.side;
        let name = ["red", "green"][mover];
        if self.knights[mover] == [read("h2"), read("b8")][mover] {
            return Some(format!("win {name} fortress"));
        }
        if self.accessible(self.side).is_empty() {
            return Some(format!("win {name} trapped"));
        }
        None
    }

    /// A part of the sentence that refuses this text, which is not legal.
    pub fn objection(&self, text: &str) -> &'static str {
        if let Some(square) = text.strip_prefix('K') {
            let (from, to) = (self.knights[self.side], read(square));
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
        let (from, to) = (read(text), read(&text[2..]));
        let share = |a, b| Table::towers(a).iter().any(|tower| Table::towers(b).contains(tower));
        let ways =
            || Table::towers(from).into_iter().flat_map(|tower| [(tower, true), (tower, false)]);
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
        } else if !ways()
            .any(|(tower, clockwise)| self.turned(from, tower, clockwise).contains(&to))
        {
            "counter-clockwise"
        } else {
            "it would trap the mover's own knight"
        }
    }
}

/// A game as a referee with paper and pencil keeps it.
#[derive(Debug, Clone)]
pub struct Referee {
    pub table: Table,
    /// Every position so far, the current one included: knights, walls in order, side to move.
    book: Vec<([Place; 2], Vec<Place>, usize)>,
}

impl Referee {
    pub fn new(text: &str) -> Referee {
        let mut referee = Referee { table: Table::new(text), book: Vec::new() };
        referee.write_down();
        referee
    }

    pub fn write_down(&mut self) {
        self.book.push((self.table.knights, self.table.walls_in_order(), self.table.side));
    }

    pub fn play(&mut self, text: &str) {
        self.table.play(text);
        self.write_down();
    }

    /// The legal moves: none at the end of the game.
    pub fn moves(&self) -> Vec<String> {
        if self.outcome() == "ongoing" {
            self.table.moves().into_iter().collect()
        } else {
            Vec::new()
        }
    }

    pub fn outcome(&self) -> String {
        if let Some(win) = self.table.won_at_once() {
            return win;
        }
        let now = self.book.last().unwrap();
        if self.book.iter().filter(|&entry| entry == now).count() < 3 {
            return "ongoing".to_string();
        }
        let distance = |side: usize| {
            let (files, ranks) = minus(self.table.knights[side], [read("h2"), read("b8")][side]);
            (files.abs() + ranks.abs()) / 2
        };
        let room = |side| self.table.accessible(side).len();
        if distance(0) < distance(1) {
            "win red stalemate"
        } else if distance(1) < distance(0) {
            "win green stalemate"
        } else if room(0) > room(1) {
            "win red stalemate"
        } else {
            "win green stalemate"
        }
        .to_string()
    }

    /// The move with its mark for people.
    pub fn annotated(&self, text: &str) -> String {
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
            if won.won_at_once().is_some() {
                return format!("{text}+");
            }
        }
        text.to_string()
    }
}
