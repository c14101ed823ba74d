//! Whether two positions are alike: by symmetries of the game, or because hardly anything stands elsewhere.

use std::collections::HashSet;

use pentarch_core::Turn;
use pentarch_games::Game;

/// How many things at most are different in near twins: a man that stands elsewhere counts twice.
const NEAR: usize = 2;

/// The problems of a list so far.
#[derive(Default)]
pub struct Twins {
    /// The sorted contents of the position of each problem; the side to move and the key first.
    known: Vec<Vec<String>>,
}

impl Twins {
    /// Adds a problem with this position and key unless it is a twin of an earlier one. Returns whether it was added.
    pub fn add<G: Game>(&mut self, rules: &G, position: &G::Position, key: G::Move) -> bool {
        let images = images(rules, position, key);
        let all: Vec<Vec<String>> =
            images.iter().map(|(position, key)| things(rules, position, *key)).collect();
        if self.known.iter().any(|known| all.iter().any(|image| differences(image, known) <= NEAR))
        {
            return false;
        }
        self.known.extend(all.into_iter().next());
        true
    }
}

/// The images of a position and a move by all symmetries, the pair itself first.
fn images<G: Game>(rules: &G, position: &G::Position, mv: G::Move) -> Vec<(G::Position, G::Move)> {
    let symmetries = rules.symmetries();
    let mut images = vec![(position.with_full_move(1), mv)];
    let mut seen = HashSet::from([rules.search_key(position)]);
    let mut at = 0;
    while at < images.len() {
        for symmetry in &symmetries {
            let (position, mv) = images[at];
            let image = (symmetry.position)(rules, &position);
            if seen.insert(rules.search_key(&image)) {
                images.push((image, (symmetry.mv)(rules, mv)));
            }
        }
        at += 1;
    }
    images
}

/// What there is to be seen of a position, and of its key.
fn things<G: Game>(rules: &G, position: &G::Position, key: G::Move) -> Vec<String> {
    let scene = rules.scene(position);
    let mut things: Vec<String> = scene
        .pieces
        .iter()
        .map(|piece| format!("{} {:?} {}", piece.kind, piece.player, piece.site))
        .collect();
    // With another side to move or another key it is another problem.
    things.extend((0..=NEAR).map(|number| format!("{number} {:?}", position.side_to_move())));
    things.extend((0..=NEAR).map(|number| format!("{number} {}", rules.move_text(key))));
    things.sort_unstable();
    things
}

/// How many things are in one of two sorted lists only.
fn differences(one: &[String], other: &[String]) -> usize {
    let (mut at, mut different) = (0, 0);
    for thing in one {
        while other.get(at).is_some_and(|known| known < thing) {
            at += 1;
            different += 1;
        }
        match other.get(at) == Some(thing) {
            true => at += 1,
            false => different += 1,
        }
    }
    different + other.len() - at
}
