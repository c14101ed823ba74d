//! The second implementation of Guerre des Deux Roses. The board is a map from cell names to
//! letters. It tries every action on every cell.

use std::collections::BTreeMap;
use std::sync::LazyLock;

/// The cells. The top row comes first.
const ROWS: [&str; 6] =
    ["b5", "a3 b4 c5 d6", "a2 b3 c4 d5 e6", "b2 c3 d4 e5 f6", "c2 d3 e4 f5", "e3"];
const RED: [&str; 2] = ["c4", "d4"];

/// The numbers that a step adds to letter and number. The directions are left, right, up left, down
/// right, up right and down left.
const DIRECTIONS: [(i32, i32); 6] = [(-1, -1), (1, 1), (-1, 0), (1, 0), (0, 1), (0, -1)];

/// Returns the cell that is `steps` steps away, if the board has it.
pub fn cell_at(cell: &str, (letters, numbers): (i32, i32), steps: i32) -> Option<&'static str> {
    let coordinates = |name: &str| (name.as_bytes()[0] as i32, name.as_bytes()[1] as i32);
    let (letter, number) = coordinates(cell);
    let target = (letter + letters * steps, number + numbers * steps);
    all_cells().find(|name| coordinates(name) == target)
}

pub fn all_cells() -> impl Iterator<Item = &'static str> {
    static CELLS: LazyLock<Vec<&str>> =
        LazyLock::new(|| ROWS.iter().flat_map(|row| row.split(' ')).collect());
    CELLS.iter().copied()
}

fn are_adjacent(one: &str, other: &str) -> bool {
    DIRECTIONS.iter().any(|&direction| cell_at(one, direction, 1) == Some(other))
}

/// A position. `C` and `S` are White's castle and soldiers. `c` and `s` are Black's.
#[derive(Debug, Clone, PartialEq)]
pub struct Position {
    pub contiguous_support: bool,
    pub pieces: BTreeMap<&'static str, char>,
    pub white_to_move: bool,
    pub white_reserve: usize,
    pub black_reserve: usize,
    pub full_move: u32,
}

impl Position {
    pub fn parse(text: &str, contiguous_support: bool) -> Position {
        let fields: Vec<&str> = text.split(' ').collect();
        let mut pieces = BTreeMap::new();
        for (row, letters) in ROWS.iter().zip(fields[0].split('/')) {
            let mut cells = row.split(' ');
            for letter in letters.chars() {
                match letter.to_digit(10) {
                    Some(empty) => (0..empty).for_each(|_| assert!(cells.next().is_some())),
                    None => assert!(pieces.insert(cells.next().unwrap(), letter).is_none()),
                }
            }
            assert_eq!(cells.next(), None);
        }
        let (white, black) = fields[2].split_once('/').unwrap();
        Position {
            contiguous_support,
            pieces,
            white_to_move: fields[1] == "w",
            white_reserve: white.parse().unwrap(),
            black_reserve: black.parse().unwrap(),
            full_move: fields[3].parse().unwrap(),
        }
    }

    pub fn text(&self) -> String {
        let mut rows = Vec::new();
        for row in ROWS {
            let letters: String =
                row.split(' ').map(|cell| *self.pieces.get(cell).unwrap_or(&'.')).collect();
            let letters = letters.replace(".....", "5").replace("....", "4").replace("...", "3");
            rows.push(letters.replace("..", "2").replace('.', "1"));
        }
        let side = if self.white_to_move { "w" } else { "b" };
        format!(
            "{} {side} {}/{} {}",
            rows.join("/"),
            self.white_reserve,
            self.black_reserve,
            self.full_move
        )
    }

    fn piece_on(&self, cell: &str) -> Option<char> {
        self.pieces.get(cell).copied()
    }

    fn own_soldier(&self) -> char {
        if self.white_to_move { 'S' } else { 's' }
    }

    fn is_own_soldier(&self, cell: &str) -> bool {
        self.piece_on(cell) == Some(self.own_soldier())
    }

    fn is_own(&self, cell: &str) -> bool {
        self.piece_on(cell).is_some_and(|piece| piece.is_uppercase() == self.white_to_move)
    }

    fn is_enemy(&self, cell: &str) -> bool {
        self.piece_on(cell).is_some_and(|piece| piece.is_uppercase() != self.white_to_move)
    }

    fn is_enemy_soldier(&self, cell: &str) -> bool {
        self.is_enemy(cell) && matches!(self.piece_on(cell), Some('S' | 's'))
    }

    fn has_castle(&self, castle: char) -> bool {
        self.pieces.values().any(|&piece| piece == castle)
    }

    /// Returns the outcome, such as `win white castle`, if the position alone decides it.
    pub fn outcome(&self) -> String {
        if !self.has_castle('c') {
            "win white castle".into()
        } else if !self.has_castle('C') {
            "win black castle".into()
        } else if self.moves().is_empty() {
            if self.white_to_move { "win black no move".into() } else { "win white no move".into() }
        } else {
            "ongoing".into()
        }
    }

    /// Returns all legal actions. Each is a string with the position after the action. A decided
    /// position has none.
    pub fn moves(&self) -> Vec<(String, Position)> {
        if self.has_castle('c') && self.has_castle('C') { self.actions() } else { Vec::new() }
    }

    fn actions(&self) -> Vec<(String, Position)> {
        let reserve = if self.white_to_move { self.white_reserve } else { self.black_reserve };
        if reserve > 0 {
            return self.drops();
        }
        [self.line_moves(), self.translations(), self.phalanxes(), self.supports()].concat()
    }

    /// Returns the position after several pieces move at the same time from some cells to others. A
    /// piece without a target cell leaves the board.
    fn after(&self, shifts: &[(&str, Option<&'static str>)]) -> Position {
        let mut next = self.clone();
        for (from, _) in shifts {
            next.pieces.remove(*from).unwrap();
        }
        for (from, to) in shifts {
            if let Some(to) = to {
                assert!(next.pieces.insert(to, self.pieces[*from]).is_none());
            }
        }
        next.end_turn()
    }

    fn end_turn(mut self) -> Position {
        if !self.white_to_move {
            self.full_move = (self.full_move + 1).min(999_999);
        }
        self.white_to_move = !self.white_to_move;
        self
    }

    /// Returns the drops: "an empty cell that is not red and is adjacent to one of his own pieces
    /// (castle or soldier)"
    fn drops(&self) -> Vec<(String, Position)> {
        let mut found = Vec::new();
        for cell in all_cells() {
            let is_beside_own =
                all_cells().any(|other| are_adjacent(cell, other) && self.is_own(other));
            if self.piece_on(cell).is_none() && !RED.contains(&cell) && is_beside_own {
                let mut next = self.clone();
                next.pieces.insert(cell, self.own_soldier());
                if self.white_to_move {
                    next.white_reserve -= 1;
                } else {
                    next.black_reserve -= 1;
                }
                found.push((cell.to_string(), next.end_turn()));
            }
        }
        found
    }

    /// Returns the line moves: "n >= 1 own soldiers on consecutive cells of a line all go one cell
    /// along that line; the cell in front must be empty."
    fn line_moves(&self) -> Vec<(String, Position)> {
        let mut found = Vec::new();
        for rear in all_cells() {
            for direction in DIRECTIONS {
                for soldiers in 1..=4 {
                    let cells = (0..=soldiers).map(|steps| cell_at(rear, direction, steps));
                    let Some(cells) = cells.collect::<Option<Vec<&str>>>() else { continue };
                    let (front, line) = cells.split_last().unwrap();
                    if line.iter().all(|cell| self.is_own_soldier(cell))
                        && self.piece_on(front).is_none()
                    {
                        let shifts: Vec<(&str, Option<&str>)> =
                            cells.windows(2).map(|pair| (pair[0], Some(pair[1]))).collect();
                        found.push((format!("{rear}{front}"), self.after(&shifts)));
                    }
                }
            }
        }
        found
    }

    /// Returns the translations: "two adjacent own soldiers go one cell each in the same direction,
    /// which is not along their own line; both cells they go to must exist and be empty."
    fn translations(&self) -> Vec<(String, Position)> {
        let mut found = Vec::new();
        for first in all_cells() {
            for second in all_cells() {
                let are_own = self.is_own_soldier(first) && self.is_own_soldier(second);
                if !are_own || !are_adjacent(first, second) || first > second {
                    continue;
                }
                for direction in DIRECTIONS {
                    let back = (-direction.0, -direction.1);
                    if [direction, back]
                        .iter()
                        .any(|&along| cell_at(first, along, 1) == Some(second))
                    {
                        continue;
                    }
                    let Some(first_to) = cell_at(first, direction, 1) else { continue };
                    let Some(second_to) = cell_at(second, direction, 1) else { continue };
                    if self.piece_on(first_to).is_none() && self.piece_on(second_to).is_none() {
                        let next =
                            self.after(&[(first, Some(first_to)), (second, Some(second_to))]);
                        found.push((format!("{first}{second}{first_to}{second_to}"), next));
                    }
                }
            }
        }
        found
    }

    /// Returns the attacks by phalanx: "two own soldiers on consecutive cells, the next cell of
    /// that line holds an enemy piece. If the cell behind that piece exists it must be empty, and
    /// an enemy soldier is pushed there; if it does not exist the piece is captured. Both soldiers
    /// go forward one cell."
    fn phalanxes(&self) -> Vec<(String, Position)> {
        let mut found = Vec::new();
        for rear in all_cells() {
            for direction in DIRECTIONS {
                let Some(front) = cell_at(rear, direction, 1) else { continue };
                let Some(enemy) = cell_at(rear, direction, 2) else { continue };
                if !self.is_own_soldier(rear)
                    || !self.is_own_soldier(front)
                    || !self.is_enemy(enemy)
                {
                    continue;
                }
                let behind = cell_at(enemy, direction, 1);
                if behind.is_none_or(|behind| self.piece_on(behind).is_none()) {
                    let next =
                        self.after(&[(enemy, behind), (front, Some(enemy)), (rear, Some(front))]);
                    found.push((format!("{rear}{enemy}"), next));
                }
            }
        }
        found
    }

    /// Returns the attacks by support: "an enemy soldier is adjacent to at least two own soldiers.
    /// Either of them may go onto its cell, pushing it on in the same direction, with the same
    /// condition on the cell behind and the same capture at the edge." With contiguous support "the
    /// soldier that moves must be adjacent to another soldier that is adjacent to the enemy".
    fn supports(&self) -> Vec<(String, Position)> {
        let mut found = Vec::new();
        for enemy in all_cells().filter(|cell| self.is_enemy_soldier(cell)) {
            let beside: Vec<&str> = all_cells()
                .filter(|cell| are_adjacent(cell, enemy) && self.is_own_soldier(cell))
                .collect();
            for &mover in &beside {
                let is_supported = beside.iter().any(|&other| {
                    other != mover && (!self.contiguous_support || are_adjacent(other, mover))
                });
                let direction = DIRECTIONS
                    .into_iter()
                    .find(|&direction| cell_at(mover, direction, 1) == Some(enemy))
                    .unwrap();
                let behind = cell_at(enemy, direction, 1);
                if is_supported && behind.is_none_or(|behind| self.piece_on(behind).is_none()) {
                    let next = self.after(&[(enemy, behind), (mover, Some(enemy))]);
                    found.push((format!("{mover}{enemy}"), next));
                }
            }
        }
        found
    }

    /// Returns the perft count. The third occurrence of a position is a draw. `path` contains the
    /// strings of all positions before this one, without their full-move numbers.
    pub fn perft(&self, depth: u32, path: &mut Vec<String>) -> u64 {
        if depth == 0 {
            return 1;
        }
        let text = self.text();
        let key = text.rsplit_once(' ').unwrap().0.to_string();
        if path.iter().filter(|earlier| **earlier == key).count() >= 2 {
            return 0;
        }
        path.push(key);
        let leaves = self.moves().iter().map(|(_, next)| next.perft(depth - 1, path)).sum();
        path.pop();
        leaves
    }
}
