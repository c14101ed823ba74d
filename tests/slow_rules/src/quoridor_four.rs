//! Quoridor for four.

use super::quoridor::{SlowPosition as TwoPlayers, SlowStatus};

/// A square: file and rank from 1.
pub type Square = (i32, i32);

/// The rules for four players, written out literally. They use plain data and loops, but no tables.
#[derive(Clone)]
pub struct SlowPosition {
    pub size: i32,
    pub teams: bool,
    pub pawns: [Square; 4],
    pub walls: Vec<(i32, i32, char)>,
    pub walls_left: [u32; 4],
    pub player: usize,
    pub full_move: u32,
}

pub const STEPS: [Square; 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];

impl SlowPosition {
    pub fn start(size: i32, walls: u32, teams: bool) -> SlowPosition {
        let low = (size + 1) / 2;
        let high = size / 2 + 1;
        let pawns = [(low, 1), (1, high), (high, size), (size, low)];
        SlowPosition {
            size,
            teams,
            pawns,
            walls: Vec::new(),
            walls_left: [walls; 4],
            player: 0,
            full_move: 1,
        }
    }

    /// Parses a position string.
    pub fn read(size: i32, teams: bool, text: &str) -> SlowPosition {
        let fields: Vec<&str> = text.split(' ').collect();
        let pawns = TwoPlayers::parse_names(fields[0], false);
        let left: Vec<u32> = fields[3].split('/').map(|left| left.parse().unwrap()).collect();
        SlowPosition {
            size,
            teams,
            pawns: std::array::from_fn(|player| (pawns[player].0, pawns[player].1)),
            walls: TwoPlayers::parse_names(fields[1].trim_matches('-'), true),
            walls_left: std::array::from_fn(|player| left[player]),
            player: fields[2].parse::<usize>().unwrap() - 1,
            full_move: fields[4].parse().unwrap(),
        }
    }

    pub fn square_name(place: Square) -> String {
        format!("{}{}", char::from(b'a' + place.0 as u8 - 1), place.1)
    }

    pub fn text(&self) -> String {
        let mut walls = self.walls.clone();
        walls.sort_unstable();
        let list: String = walls
            .iter()
            .map(|&(f, r, d)| format!("{}{d}", SlowPosition::square_name((f, r))))
            .collect();
        let list = if list.is_empty() { "-".into() } else { list };
        let pawns: String =
            self.pawns.iter().map(|&pawn| SlowPosition::square_name(pawn)).collect();
        let walls_left = self.walls_left.map(|walls_left| walls_left.to_string()).join("/");
        format!("{pawns} {list} {} {walls_left} {}", self.player + 1, self.full_move)
    }

    pub fn is_on_goal(&self, player: usize, at: Square) -> bool {
        [at.1 == self.size, at.0 == self.size, at.1 == 1, at.0 == 1][player]
    }

    pub fn is_open(&self, a: Square, b: Square) -> bool {
        let on_board =
            |at: Square| (1..=self.size).contains(&at.0) && (1..=self.size).contains(&at.1);
        let low = (a.0.min(b.0), a.1.min(b.1));
        let walled = |&(f, r, d): &(i32, i32, char)| match d {
            'h' => a.0 == b.0 && r == low.1 && (f == low.0 || f + 1 == low.0),
            _ => a.1 == b.1 && f == low.0 && (r == low.1 || r + 1 == low.1),
        };
        on_board(a) && on_board(b) && !self.walls.iter().any(walled)
    }

    pub fn has_path(&self, player: usize) -> bool {
        self.distance_to_goal(player).is_some()
    }

    /// Returns the number of steps from a player's pawn to the goal; `None` if there is no path.
    /// Walls block the path, and pawns do not.
    pub fn distance_to_goal(&self, player: usize) -> Option<u32> {
        let mut seen = vec![self.pawns[player]];
        let mut distances = vec![0];
        let mut next = 0;
        while next < seen.len() {
            let at = seen[next];
            if self.is_on_goal(player, at) {
                return Some(distances[next]);
            }
            for (files, ranks) in STEPS {
                let to = (at.0 + files, at.1 + ranks);
                if self.is_open(at, to) && !seen.contains(&to) {
                    seen.push(to);
                    distances.push(distances[next] + 1);
                }
            }
            next += 1;
        }
        None
    }

    pub fn pawn_moves(&self, player: usize) -> Vec<Square> {
        let own = self.pawns[player];
        let mut moves = Vec::new();
        for (files, ranks) in STEPS {
            let to = (own.0 + files, own.1 + ranks);
            if !self.is_open(own, to) {
                continue;
            }
            if !self.pawns.contains(&to) {
                moves.push(to);
                continue;
            }
            let behind = (to.0 + files, to.1 + ranks);
            if self.is_open(to, behind) {
                moves.extend(Some(behind).filter(|behind| !self.pawns.contains(behind)));
                continue;
            }
            for (files, ranks) in [(ranks, files), (-ranks, -files)] {
                let beside = (to.0 + files, to.1 + ranks);
                if self.is_open(to, beside) && !self.pawns.contains(&beside) {
                    moves.push(beside);
                }
            }
        }
        moves.sort_unstable();
        moves.dedup();
        moves
    }

    pub fn can_place(&self, (file, rank, direction): (i32, i32, char)) -> bool {
        let clashes = |&(f, r, d): &(i32, i32, char)| {
            let beside = if direction == 'h' { (1, 0) } else { (0, 1) };
            (f, r) == (file, rank)
                || d == direction && ((f - file).abs(), (r - rank).abs()) == beside
        };
        let mut with = self.clone();
        with.walls.push((file, rank, direction));
        !self.walls.iter().any(clashes) && (0..4).all(|player| with.has_path(player))
    }

    pub fn player_moves(&self, player: usize) -> Vec<String> {
        let mut texts: Vec<String> =
            self.pawn_moves(player).into_iter().map(SlowPosition::square_name).collect();
        for file in (1..self.size).filter(|_| self.walls_left[player] > 0) {
            for rank in 1..self.size {
                for direction in ['h', 'v']
                    .into_iter()
                    .filter(|&direction| self.can_place((file, rank, direction)))
                {
                    texts.push(format!("{}{direction}", SlowPosition::square_name((file, rank))));
                }
            }
        }
        texts.sort();
        texts
    }

    /// Returns the outcome and the legal moves.
    pub fn status(&self) -> SlowStatus {
        if let Some(player) = (0..4).find(|&player| self.is_on_goal(player, self.pawns[player])) {
            let winner = if self.teams {
                format!("team{}", player % 2 + 1)
            } else {
                format!("player{}", player + 1)
            };
            return SlowStatus::decided(format!("win {winner} goal"));
        }
        let legal_moves = self.player_moves(self.player);
        let outcome = if legal_moves.is_empty() { "draw no move" } else { "ongoing" };
        SlowStatus { outcome: outcome.into(), legal_moves }
    }

    pub fn play(&mut self, text: &str) {
        let square = text.trim_end_matches(['h', 'v']);
        let place = (square.as_bytes()[0] as i32 - 'a' as i32 + 1, square[1..].parse().unwrap());
        if square == text {
            self.pawns[self.player] = place;
        } else {
            self.walls.push((place.0, place.1, text.chars().last().unwrap()));
            self.walls_left[self.player] -= 1;
        }
        let mover = self.player;
        let is_over = self.is_on_goal(mover, self.pawns[mover]);
        let mut in_turn = (1..=4).map(|step| (mover + step) % 4);
        let next = in_turn.find(|&player| is_over || !self.player_moves(player).is_empty());
        self.player = next.unwrap_or((mover + 1) % 4);
        self.full_move += u32::from(self.player <= mover);
    }

    pub fn perft(&self, depth: u32) -> u64 {
        let moves = self.status().legal_moves;
        if depth == 1 {
            return moves.len() as u64;
        }
        let below = |text: &String| {
            let mut after = self.clone();
            after.play(text);
            after.perft(depth - 1)
        };
        moves.iter().map(below).sum()
    }
}
