//! Solves all positions of Quoridor with a given total number of walls. It computes all values in
//! repeated sweeps, with the [slow rules](super::quoridor).

use std::collections::{HashMap, HashSet};

use super::quoridor::{SlowPosition, Wall};

/// The number of plies to the end of the game with best play; `None` if neither side can force a
/// win. The number is odd if the side to move wins, and even if it loses.
pub type Value = Option<u32>;

/// Returns all positions in which the game is not over and `total` walls are on the board or in
/// hand. Some of them may be impossible in a game.
pub fn all_positions(size: i32, total: usize) -> Vec<SlowPosition> {
    let mut positions = Vec::new();
    for walls in wall_sets(size, total) {
        let more = total - walls.len();
        for walls_left in (0..=more).map(|first| [first as u32, (more - first) as u32]) {
            for side in [0, 1] {
                for pawns in pawn_pairs(size) {
                    let mut position = SlowPosition::start(size, walls_left, false);
                    (position.pawns, position.walls, position.side) = (pawns, walls.clone(), side);
                    let has_paths = position.distance_to_goal(0).is_some()
                        && position.distance_to_goal(1).is_some();
                    if has_paths && position.status().outcome == "ongoing" {
                        positions.push(position);
                    }
                }
            }
        }
    }
    positions
}

/// Returns a position of a board of this size, and all positions that moves can reach from it.
/// Positions in which the game is over are not included.
pub fn reachable(size: i32, text: &str) -> Vec<SlowPosition> {
    let mut positions = vec![SlowPosition::read(size, false, text)];
    let mut found = HashSet::from([positions[0].text_without_number()]);
    let mut next = 0;
    while next < positions.len() {
        for mv in positions[next].status().legal_moves {
            let mut after = positions[next].clone();
            after.play(&mv);
            after.history.clear();
            after.history.push(after.text_without_number());
            if after.status().outcome == "ongoing" && found.insert(after.text_without_number()) {
                positions.push(after);
            }
        }
        next += 1;
    }
    positions
}

/// Returns the values of positions. The keys are their position strings without the full-move
/// number. Every move from one of the positions must lead to another of them or end the game.
pub fn solve(positions: &[SlowPosition]) -> HashMap<String, Value> {
    let texts: Vec<String> = positions.iter().map(SlowPosition::text_without_number).collect();
    let numbers: HashMap<&str, usize> =
        texts.iter().enumerate().map(|(number, text)| (text.as_str(), number)).collect();
    // For each move, the index of the position after the move; `None` if the move ends the game.
    let moves: Vec<Vec<Option<usize>>> = positions
        .iter()
        .map(|position| {
            let play = |text: &String| {
                let mut next = position.clone();
                next.play(text);
                if next.status().outcome == "ongoing" {
                    Some(numbers[next.text_without_number().as_str()])
                } else {
                    None
                }
            };
            position.status().legal_moves.iter().map(play).collect()
        })
        .collect();
    let mut values: Vec<Value> = vec![None; positions.len()];
    for plies in 1.. {
        // The value after a move is for the other side.
        let after = |next: Option<usize>| next.map_or(Some(0), |next| values[next]);
        let is_solved = |moves: &Vec<Option<usize>>| {
            let mut values = moves.iter().map(|&next| after(next));
            if plies % 2 == 1 {
                values.any(|value| value.is_some_and(|plies| plies % 2 == 0))
            } else {
                values.all(|value| value.is_some_and(|plies| plies % 2 == 1))
            }
        };
        let found: Vec<usize> = (0..values.len())
            .filter(|&number| values[number].is_none() && is_solved(&moves[number]))
            .collect();
        if found.is_empty() {
            break;
        }
        found.iter().for_each(|&number| values[number] = Some(plies));
    }
    texts.iter().cloned().zip(values).collect()
}

/// Returns all sets of at most `max` walls in which no two walls share an edge or cross.
fn wall_sets(size: i32, max: usize) -> Vec<Vec<Wall>> {
    let mut sets = vec![Vec::new()];
    for file in 1..size {
        for rank in 1..size {
            for direction in ['h', 'v'] {
                let wall = (file, rank, direction);
                for number in 0..sets.len() {
                    let set: &Vec<Wall> = &sets[number];
                    if set.len() < max && set.iter().all(|&other| fit(wall, other)) {
                        sets.push([&set[..], &[wall]].concat());
                    }
                }
            }
        }
    }
    sets
}

/// Returns whether two walls fit together: they neither share an edge nor cross.
fn fit((file, rank, direction): Wall, (other_file, other_rank, other_direction): Wall) -> bool {
    let files = (file - other_file).abs();
    let ranks = (rank - other_rank).abs();
    match (direction == other_direction, direction) {
        (false, _) => files + ranks > 0,
        (true, 'h') => ranks > 0 || files > 1,
        (true, _) => files > 0 || ranks > 1,
    }
}

/// Returns all pairs of pawn squares in which neither pawn is on its goal.
fn pawn_pairs(size: i32) -> Vec<[(i32, i32); 2]> {
    let squares = || (1..=size).flat_map(|file| (1..=size).map(move |rank| (file, rank)));
    let pairs = squares().flat_map(|white| squares().map(move |black| [white, black]));
    pairs.filter(|&[white, black]| white != black && white.1 != size && black.1 != 1).collect()
}
