//! Quoridor for two.

/// A square: file and rank from 1.
pub type Square = (i32, i32);

/// A wall. It consists of the lower left of the four squares that it touches, and `h` or `v`.
pub type Wall = (i32, i32, char);

/// The rules of Quoridor, written out literally. They use plain data and loops, but no tables.
#[derive(Clone)]
pub struct SlowPosition {
    pub size: i32,
    pub repetition_draw: bool,
    pub pawns: [Square; 2],
    pub walls: Vec<Wall>,
    pub walls_left: [u32; 2],
    /// The side to move: 0 for White, and 1 for Black.
    pub side: usize,
    pub full_move: u32,
    /// The positions of the game without their full-move numbers. The current position comes last.
    pub history: Vec<String>,
}

/// The status of a game.
pub struct SlowStatus {
    /// The outcome in the words of `query outcome`.
    pub outcome: String,
    /// The legal moves in sorted order. The list is empty if the game is over.
    pub legal_moves: Vec<String>,
}

impl SlowStatus {
    /// Returns the status of a game that is over.
    pub fn decided(outcome: String) -> SlowStatus {
        SlowStatus { outcome, legal_moves: Vec::new() }
    }
}

impl SlowPosition {
    /// Parses a position string. The history contains only that position.
    pub fn read(size: i32, repetition_draw: bool, text: &str) -> SlowPosition {
        let fields: Vec<&str> = text.split(' ').collect();
        let pawns = SlowPosition::parse_names(fields[0], false);
        let walls = SlowPosition::parse_names(fields[1].trim_matches('-'), true);
        let (white_left, black_left) = fields[3].split_once('/').unwrap();
        let mut slow = SlowPosition {
            size,
            repetition_draw,
            pawns: [(pawns[0].0, pawns[0].1), (pawns[1].0, pawns[1].1)],
            walls,
            walls_left: [white_left.parse().unwrap(), black_left.parse().unwrap()],
            side: usize::from(fields[2] == "b"),
            full_move: fields[4].parse().unwrap(),
            history: Vec::new(),
        };
        slow.history.push(slow.text_without_number());
        slow
    }

    /// Parses names that follow each other without a space. A name consists of a letter and a
    /// number. The name of a wall has a second letter.
    pub fn parse_names(list: &str, of_walls: bool) -> Vec<Wall> {
        let mut parse_names = Vec::new();
        let mut characters = list.chars().peekable();
        while let Some(letter) = characters.next() {
            let mut rank = String::new();
            while characters.peek().is_some_and(char::is_ascii_digit) {
                rank.push(characters.next().unwrap());
            }
            let direction = if of_walls { characters.next().unwrap() } else { ' ' };
            parse_names.push((letter as i32 - 'a' as i32 + 1, rank.parse().unwrap(), direction));
        }
        parse_names
    }

    /// Returns the start position. The pawns are on the middle file. If there is none, each pawn is
    /// just left of the middle as its player sees the board.
    pub fn start(size: i32, [first, second]: [u32; 2], repetition_draw: bool) -> SlowPosition {
        let white = (size + 1) / 2;
        let [white, black] = [(white, 1), (size + 1 - white, size)].map(SlowPosition::square_name);
        SlowPosition::read(size, repetition_draw, &format!("{white}{black} - w {first}/{second} 1"))
    }

    pub fn square_name(place: Square) -> String {
        format!("{}{}", char::from(b'a' + place.0 as u8 - 1), place.1)
    }

    pub fn text_without_number(&self) -> String {
        let mut walls = self.walls.clone();
        walls.sort();
        let mut list = String::new();
        for (file, rank, direction) in walls {
            list += &SlowPosition::square_name((file, rank));
            list.push(direction);
        }
        if list.is_empty() {
            list = "-".into();
        }
        let [white, black] = self.pawns.map(SlowPosition::square_name);
        let side = ["w", "b"][self.side];
        format!("{white}{black} {list} {side} {}/{}", self.walls_left[0], self.walls_left[1])
    }

    pub fn text(&self) -> String {
        format!("{} {}", self.text_without_number(), self.full_move)
    }

    pub fn is_on_board(&self, place: Square) -> bool {
        place.0 >= 1 && place.0 <= self.size && place.1 >= 1 && place.1 <= self.size
    }

    pub fn goal(&self, side: usize) -> i32 {
        if side == 0 { self.size } else { 1 }
    }

    /// Returns whether a wall is between two neighbouring squares.
    pub fn has_wall_between(&self, a: Square, b: Square) -> bool {
        for &(file, rank, direction) in &self.walls {
            // `e3h` is above e3 and f3. `e3v` is to the right of e3 and e4.
            let edges: [(Square, Square); 2] = if direction == 'h' {
                [((file, rank), (file, rank + 1)), ((file + 1, rank), (file + 1, rank + 1))]
            } else {
                [((file, rank), (file + 1, rank)), ((file, rank + 1), (file + 1, rank + 1))]
            };
            for (one, other) in edges {
                if (one, other) == (a, b) || (one, other) == (b, a) {
                    return true;
                }
            }
        }
        false
    }

    /// Returns the number of steps from this side's pawn to its goal rank; `None` if there is no
    /// path. Walls block the path, and pawns do not.
    pub fn distance_to_goal(&self, side: usize) -> Option<i32> {
        let mut seen = vec![self.pawns[side]];
        let mut steps = vec![0];
        let mut next = 0;
        while next < seen.len() {
            let at = seen[next];
            if at.1 == self.goal(side) {
                return Some(steps[next]);
            }
            for to in [(at.0, at.1 + 1), (at.0 + 1, at.1), (at.0, at.1 - 1), (at.0 - 1, at.1)] {
                if self.is_on_board(to) && !self.has_wall_between(at, to) && !seen.contains(&to) {
                    seen.push(to);
                    steps.push(steps[next] + 1);
                }
            }
            next += 1;
        }
        None
    }

    pub fn pawn_moves(&self) -> Vec<Square> {
        let own = self.pawns[self.side];
        let other = self.pawns[1 - self.side];
        let mut moves = Vec::new();
        for (files, ranks) in [(0, 1), (1, 0), (0, -1), (-1, 0)] {
            let to = (own.0 + files, own.1 + ranks);
            if !self.is_on_board(to) || self.has_wall_between(own, to) {
                continue;
            }
            if to != other {
                moves.push(to);
                continue;
            }
            let behind = (other.0 + files, other.1 + ranks);
            if self.is_on_board(behind) && !self.has_wall_between(other, behind) {
                moves.push(behind);
                continue;
            }
            for (files, ranks) in [(ranks, files), (-ranks, -files)] {
                let beside = (other.0 + files, other.1 + ranks);
                if self.is_on_board(beside) && !self.has_wall_between(other, beside) {
                    moves.push(beside);
                }
            }
        }
        moves
    }

    pub fn can_place(&self, wall: Wall) -> bool {
        let (file, rank, direction) = wall;
        for &(f, r, d) in &self.walls {
            let same_slot = (f, r) == (file, rank);
            let neighbour_slot = match direction {
                'h' => r == rank && (f - file).abs() == 1,
                _ => f == file && (r - rank).abs() == 1,
            };
            if same_slot || (d == direction && neighbour_slot) {
                return false;
            }
        }
        let mut with = self.clone();
        with.walls.push(wall);
        with.distance_to_goal(0).is_some() && with.distance_to_goal(1).is_some()
    }

    /// Returns all legal moves in sorted order, as if the game were not over.
    pub fn moves(&self) -> Vec<String> {
        let mut texts: Vec<String> =
            self.pawn_moves().into_iter().map(SlowPosition::square_name).collect();
        if self.walls_left[self.side] > 0 {
            for file in 1..self.size {
                for rank in 1..self.size {
                    for direction in ['h', 'v'] {
                        if self.can_place((file, rank, direction)) {
                            texts.push(format!(
                                "{}{direction}",
                                SlowPosition::square_name((file, rank))
                            ));
                        }
                    }
                }
            }
        }
        texts.sort();
        texts
    }

    /// Returns the outcome and the legal moves.
    pub fn status(&self) -> SlowStatus {
        let sides = ["white", "black"];
        for side in [0, 1] {
            if self.pawns[side].1 == self.goal(side) {
                return SlowStatus::decided(format!("win {} goal", sides[side]));
            }
        }
        let moves = self.moves();
        if moves.is_empty() {
            return SlowStatus::decided(format!("win {} no move", sides[1 - self.side]));
        }
        let now = self.history.last().unwrap();
        if self.repetition_draw && self.history.iter().filter(|&then| then == now).count() >= 3 {
            return SlowStatus::decided("draw repetition".into());
        }
        SlowStatus { outcome: "ongoing".into(), legal_moves: moves }
    }

    pub fn play(&mut self, text: &str) {
        if text.ends_with(['h', 'v']) {
            self.walls.push(SlowPosition::parse_names(text, true)[0]);
            self.walls_left[self.side] -= 1;
        } else {
            let (file, rank, _) = SlowPosition::parse_names(text, false)[0];
            self.pawns[self.side] = (file, rank);
        }
        if self.side == 1 && self.full_move < 999_999 {
            self.full_move += 1;
        }
        self.side = 1 - self.side;
        self.history.push(self.text_without_number());
    }

    pub fn perft(&self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let mut leaves = 0;
        for text in self.status().legal_moves {
            let mut after = self.clone();
            after.play(&text);
            leaves += after.perft(depth - 1);
        }
        leaves
    }
}
