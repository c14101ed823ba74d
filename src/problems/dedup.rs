//! Detects duplicate problems: positions that are equal by symmetries of the game, or nearly equal.

use std::collections::HashSet;

use pentarch_core::HasTurn;
use pentarch_games::Game;

/// The maximum difference between duplicates: the number of features that only one of the two
/// problems has. A piece on another square makes a difference of 2.
const MAX_UNSHARED_FEATURES_OF_DUPLICATES: usize = 2;

/// The problems of a list so far, without duplicates.
#[derive(Default)]
pub struct DistinctProblems {
    /// The sorted features of each problem.
    known: Vec<Vec<String>>,
}

impl DistinctProblems {
    /// Adds a problem with this position and key, unless the problem is a duplicate of an earlier
    /// one. Returns whether the problem was added.
    pub fn add_if_distinct<G: Game>(
        &mut self,
        rules: &G,
        position: &G::Position,
        key: G::Move,
    ) -> bool {
        let images = symmetric_problems(rules, position, key);
        let features: Vec<Vec<String>> = images
            .iter()
            .map(|(position, key)| sorted_problem_features(rules, position, *key))
            .collect();
        let is_duplicate = |known: &Vec<String>| {
            features.iter().any(|image| {
                count_unshared_features(image, known) <= MAX_UNSHARED_FEATURES_OF_DUPLICATES
            })
        };
        if self.known.iter().any(is_duplicate) {
            return false;
        }
        self.known.extend(features.into_iter().next());
        true
    }
}

/// Returns the images of a position and a move under all symmetries of the board. The original
/// comes first.
fn symmetric_problems<G: Game>(
    rules: &G,
    position: &G::Position,
    mv: G::Move,
) -> Vec<(G::Position, G::Move)> {
    let symmetries = rules.symmetries();
    let mut images = vec![(position.with_full_move_number(1), mv)];
    let mut seen = HashSet::from([rules.search_key(position)]);
    let mut next = 0;
    while next < images.len() {
        for symmetry in &symmetries {
            let (position, mv) = images[next];
            let image = (symmetry.position)(rules, &position);
            if seen.insert(rules.search_key(&image)) {
                images.push((image, (symmetry.mv)(rules, mv)));
            }
        }
        next += 1;
    }
    images
}

/// Returns the features of a problem in order: its pieces, its side to move and its key.
fn sorted_problem_features<G: Game>(
    rules: &G,
    position: &G::Position,
    key: G::Move,
) -> Vec<String> {
    let scene = rules.position_scene(position);
    let mut features: Vec<String> = scene
        .pieces
        .iter()
        .map(|piece| format!("{} {:?} {}", piece.kind, piece.player, piece.site))
        .collect();
    // The side to move and the key each become several features. If either differs, the difference
    // exceeds the maximum between duplicates.
    let side = position.side_to_move();
    let key = rules.move_text(key);
    for number in 0..=MAX_UNSHARED_FEATURES_OF_DUPLICATES {
        features.push(format!("{number} {side:?}"));
        features.push(format!("{number} {key}"));
    }
    features.sort_unstable();
    features
}

/// Returns the number of features that are in only one of two sorted lists.
fn count_unshared_features(one: &[String], other: &[String]) -> usize {
    let mut index = 0;
    let mut different = 0;
    for feature in one {
        while other.get(index).is_some_and(|known| known < feature) {
            index += 1;
            different += 1;
        }
        match other.get(index) == Some(feature) {
            true => index += 1,
            false => different += 1,
        }
    }
    different + other.len() - index
}
