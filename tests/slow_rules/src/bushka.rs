//! The rules of Bushka, written out literally. The board is a map from files and ranks to letters,
//! and the rules are loops over it.

use std::collections::{BTreeMap, BTreeSet};

/// File and rank from 1.
pub type Square = (i32, i32);

const DIAGONALS: [(i32, i32); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];

#[derive(Debug, Clone, PartialEq)]
pub struct Board {
    pub files: i32,
    pub ranks: i32,
    /// The pieces `w`, `b`, `W` and `B` by their squares. Empty squares have no entry.
    pub pieces: BTreeMap<Square, char>,
    /// `w` or `b`.
    pub side: char,
    pub number: u32,
}

/// A turn with its effects.
#[derive(Debug, Clone, PartialEq)]
pub struct Turn {
    pub text: String,
    /// The pieces that move. Each has its end square. They are in an order in which they can be
    /// moved one by one.
    pub piece_steps: Vec<(Square, Square)>,
    pub captured: BTreeSet<Square>,
    pub by_phalanx: bool,
}

fn step_from((file, rank): Square, (files, ranks): (i32, i32), steps: i32) -> Square {
    (file + steps * files, rank + steps * ranks)
}

pub fn square_name((file, rank): Square) -> String {
    format!("{}{rank}", (b'a' + file as u8 - 1) as char)
}

impl Turn {
    /// Returns the squares of all pieces that move, from the rearmost one on. The end square of the
    /// foremost piece follows.
    pub fn listed_text(&self) -> String {
        let soldiers = self.piece_steps.iter().rev().map(|&(from, _)| square_name(from));
        if self.by_phalanx {
            soldiers.chain([square_name(self.piece_steps[0].1)]).collect()
        } else {
            self.text.clone()
        }
    }
}

impl Board {
    pub fn read(text: &str) -> Board {
        let fields: Vec<&str> = text.split(' ').collect();
        let rows: Vec<&str> = fields[0].split('/').collect();
        let ranks = rows.len() as i32;
        let mut board = Board {
            files: if ranks == 10 { 10 } else { 11 },
            ranks,
            pieces: BTreeMap::new(),
            side: fields[1].chars().next().unwrap(),
            number: fields[2].parse().unwrap(),
        };
        for (row, rank) in rows.iter().zip((1..=ranks).rev()) {
            let mut file = 1;
            let mut digits = String::new();
            for letter in row.chars().chain(['.']) {
                if letter.is_ascii_digit() {
                    digits.push(letter);
                    continue;
                }
                file += digits.parse().unwrap_or(0);
                digits.clear();
                if letter != '.' {
                    board.pieces.insert((file, rank), letter);
                    file += 1;
                }
            }
        }
        board
    }

    pub fn text(&self) -> String {
        let mut rows = Vec::new();
        for rank in (1..=self.ranks).rev() {
            let row: String = (1..=self.files)
                .map(|file| *self.pieces.get(&(file, rank)).unwrap_or(&'.'))
                .collect();
            let mut text = String::new();
            let mut rest = row.as_str();
            while let Some(letter) = rest.chars().next() {
                let gap = rest.len() - rest.trim_start_matches('.').len();
                if gap > 0 {
                    text += &gap.to_string();
                    rest = &rest[gap..];
                } else {
                    text.push(letter);
                    rest = &rest[1..];
                }
            }
            rows.push(text);
        }
        format!("{} {} {}", rows.join("/"), self.side, self.number)
    }

    pub fn is_square(&self, (file, rank): Square) -> bool {
        (1..=self.files).contains(&file)
            && (1..=self.ranks).contains(&rank)
            && (file + rank) % 2 == 0
    }

    /// Returns the names of all dark squares.
    pub fn squares(&self) -> Vec<String> {
        let points =
            (1..=self.files).flat_map(|file| (1..=self.ranks).map(move |rank| (file, rank)));
        points.filter(|&point| self.is_square(point)).map(square_name).collect()
    }

    fn is_empty(&self, square: Square) -> bool {
        self.is_square(square) && !self.pieces.contains_key(&square)
    }

    fn is_own_soldier(&self, square: Square) -> bool {
        self.pieces.get(&square) == Some(&self.side)
    }

    fn is_own_king(&self, square: Square) -> bool {
        self.pieces.get(&square) == Some(&self.side.to_ascii_uppercase())
    }

    fn enemy_side(&self) -> char {
        if self.side == 'w' { 'b' } else { 'w' }
    }

    fn is_enemy(&self, square: Square) -> bool {
        self.pieces
            .get(&square)
            .is_some_and(|piece| piece.to_ascii_lowercase() == self.enemy_side())
    }

    fn is_enemy_soldier(&self, square: Square) -> bool {
        self.pieces.get(&square) == Some(&self.enemy_side())
    }

    fn is_forward(&self, (_, ranks): (i32, i32)) -> bool {
        (ranks == 1) == (self.side == 'w')
    }

    pub fn last_rank(&self, side: char) -> i32 {
        if side == 'w' { self.ranks } else { 1 }
    }

    /// Returns every step that a phalanx or a part of a phalanx could make. Each step has its
    /// direction.
    fn phalanx_steps(&self) -> Vec<(Turn, (i32, i32))> {
        let mut steps = Vec::new();
        for &rear in self.pieces.keys() {
            for direction in DIAGONALS {
                let mut length = 0;
                while self.is_own_soldier(step_from(rear, direction, length)) {
                    length += 1;
                    let to = step_from(rear, direction, length);
                    if length >= 2 && self.is_empty(to) {
                        let piece_steps = (0..length)
                            .rev()
                            .map(|n| {
                                (step_from(rear, direction, n), step_from(rear, direction, n + 1))
                            })
                            .collect();
                        let text = square_name(rear) + &square_name(to);
                        steps.push((
                            Turn { text, piece_steps, captured: BTreeSet::new(), by_phalanx: true },
                            direction,
                        ));
                    }
                }
            }
        }
        steps
    }

    pub fn phalanx_captures(&self) -> Vec<Turn> {
        let mut turns = Vec::new();
        for (mut turn, direction) in self.phalanx_steps() {
            let foremost = turn.piece_steps[0].1;
            let first = step_from(foremost, direction, 1);
            if !self.is_enemy(first) {
                continue;
            }
            turn.captured.insert(first);
            if self.is_enemy_soldier(first) {
                let run = (1..)
                    .map(|n| step_from(first, direction, n))
                    .take_while(|&square| self.is_enemy_soldier(square));
                turn.captured.extend(run);
            }
            turns.push(turn);
        }
        turns
    }

    pub fn piece_captures(&self) -> Vec<Turn> {
        let mut turns = Vec::new();
        for &from in self.pieces.keys() {
            if self.is_own_soldier(from) || self.is_own_king(from) {
                self.continue_capture(&[from], &BTreeSet::new(), &mut turns);
            }
        }
        turns
    }

    /// Appends all captures that start with this path and these captured pieces. They include
    /// captures that could continue.
    fn continue_capture(
        &self,
        path: &[Square],
        captured: &BTreeSet<Square>,
        turns: &mut Vec<Turn>,
    ) {
        let from = path[0];
        let at = path[path.len() - 1];
        for direction in DIAGONALS {
            let beside = |steps| self.is_own_soldier(step_from(from, direction, steps));
            if self.is_own_soldier(from) && path.len() == 1 && (beside(1) || beside(-1)) {
                continue;
            }
            let mut free = 0;
            loop {
                let next = step_from(at, direction, free + 1);
                if !self.is_empty(next) && next != from {
                    break;
                }
                free += 1;
            }
            let reaches = if self.is_own_king(from) { free >= 1 } else { free == 1 };
            let victim = step_from(at, direction, free + 1);
            // The capturing piece is not an enemy, so it cannot capture itself. Its first square
            // counts as empty.
            if reaches && self.is_enemy(victim) && !captured.contains(&victim) {
                let mut captured = captured.clone();
                captured.insert(victim);
                let path = [path, &[step_from(at, direction, free)]].concat();
                let text = path.iter().map(|&square| square_name(square)).collect();
                let piece_steps = vec![(from, path[path.len() - 1])];
                turns.push(Turn {
                    text,
                    piece_steps,
                    captured: captured.clone(),
                    by_phalanx: false,
                });
                self.continue_capture(&path, &captured, turns);
            }
        }
    }

    pub fn quiet_moves(&self) -> Vec<Turn> {
        let mut turns = Vec::new();
        let mut add = |from, to| {
            let text = square_name(from) + &square_name(to);
            turns.push(Turn {
                text,
                piece_steps: vec![(from, to)],
                captured: BTreeSet::new(),
                by_phalanx: false,
            });
        };
        for &from in self.pieces.keys() {
            for direction in DIAGONALS {
                if self.is_own_soldier(from)
                    && self.is_forward(direction)
                    && self.is_empty(step_from(from, direction, 1))
                {
                    add(from, step_from(from, direction, 1));
                }
                if self.is_own_king(from) {
                    let mut to = step_from(from, direction, 1);
                    while self.is_empty(to) {
                        add(from, to);
                        to = step_from(to, direction, 1);
                    }
                }
            }
        }
        let phalanxes =
            self.phalanx_steps().into_iter().filter(|(_, direction)| self.is_forward(*direction));
        turns.extend(phalanxes.map(|(turn, _)| turn));
        turns
    }

    /// Returns the legal moves if neither side has lost all its pieces.
    fn moves(&self) -> Vec<Turn> {
        for mut captures in [self.phalanx_captures(), self.piece_captures()] {
            if let Some(most) = captures.iter().map(|turn| turn.captured.len()).max() {
                captures.retain(|turn| turn.captured.len() == most);
                return captures;
            }
        }
        self.quiet_moves()
    }

    pub fn legal_moves(&self) -> Vec<Turn> {
        if self.outcome() == "ongoing" { self.moves() } else { Vec::new() }
    }

    pub fn play(&self, turn: &Turn) -> Board {
        let mut next = self.clone();
        for &(from, to) in &turn.piece_steps {
            let piece = next.pieces.remove(&from).unwrap();
            let promotes = turn.captured.is_empty() && to.1 == self.last_rank(self.side);
            next.pieces.insert(to, if promotes { piece.to_ascii_uppercase() } else { piece });
        }
        next.pieces.retain(|square, _| !turn.captured.contains(square));
        next.side = self.enemy_side();
        next.number += u32::from(self.side == 'b');
        next
    }

    /// Returns the outcome in the words of `query outcome`, without repetition.
    pub fn outcome(&self) -> String {
        let has_pieces =
            |side| self.pieces.values().any(|piece| piece.to_ascii_lowercase() == side);
        let wins =
            |side, reason| format!("win {} {reason}", if side == 'w' { "white" } else { "black" });
        if !has_pieces(self.side) {
            wins(self.enemy_side(), "captured")
        } else if !has_pieces(self.enemy_side()) {
            wins(self.side, "captured")
        } else if self.moves().is_empty() {
            wins(self.enemy_side(), "no move")
        } else {
            "ongoing".into()
        }
    }
}
