//! Plain retrograde analysis: the exact values of all positions that can follow a root.

use std::collections::{BTreeSet, HashMap};

use pentarch_core::{HasTurn, Outcome, Rules, Side};

/// The positions that can follow a root. The root comes first. Each position has the distance to
/// mate for each side that can force a win. Of the root's history, only the positions that have
/// occurred twice count.
pub(super) struct Retrograde<'a, G: Rules> {
    rules: &'a G,
    /// The index of a position by two values: its search key, and whether its next occurrence ends
    /// the game. Positions with the same search key can differ in the second value.
    indices: HashMap<(u64, bool), usize>,
    repeated: Vec<u64>,
    /// The plies to a win, by the winner and by the index of the position.
    plies: [Vec<Option<u32>>; 2],
}

impl<'a, G: Rules> Retrograde<'a, G> {
    /// Analyses the positions that can follow `root`; returns `None` if there are more than `most`.
    /// If a position has one of the repetition keys in `repeated`, the game ends there.
    pub(super) fn new(
        rules: &'a G,
        root: G::Position,
        repeated: &[u64],
        most: usize,
    ) -> Option<Retrograde<'a, G>> {
        let is_repeated =
            |position: &G::Position| repeated.contains(&rules.repetition_key(position));
        let mut positions = vec![root];
        let mut children: Vec<Vec<usize>> = Vec::new();
        // The root itself has not ended the game. But its next occurrence may end it.
        let mut indices = HashMap::new();
        if !is_repeated(&root) {
            indices.insert((rules.search_key(&root), false), 0);
        }
        let outcome = |index: usize, position: &G::Position| -> Option<Outcome> {
            let by_repetition =
                || if index > 0 { rules.repetition_outcome(position) } else { None };
            rules.outcome(position).or_else(|| by_repetition().filter(|_| is_repeated(position)))
        };
        let mut moves = Vec::new();
        while let Some(&position) = positions.get(children.len()) {
            moves.clear();
            if outcome(children.len(), &position).is_none() {
                rules.legal_moves(&position, &mut moves);
            }
            let mut below = Vec::new();
            for &mv in &moves {
                let child = rules.play(&position, mv);
                let index = *indices
                    .entry((rules.search_key(&child), is_repeated(&child)))
                    .or_insert_with(|| {
                        positions.push(child);
                        positions.len() - 1
                    });
                below.push(index);
            }
            children.push(below);
            if positions.len() > most {
                return None;
            }
        }
        let mut parents = vec![Vec::new(); positions.len()];
        for (index, below) in children.iter().enumerate() {
            below.iter().for_each(|&child| parents[child].push(index));
        }
        let plies = Side::BOTH_SIDES.map(|attacker| {
            let has_won = |(index, position)| {
                let winner = outcome(index, position).and_then(|outcome| outcome.winner());
                (winner == Some(attacker)).then_some(0)
            };
            let mut won: Vec<Option<u32>> = positions.iter().enumerate().map(has_won).collect();
            let mut new: Vec<usize> =
                (0..won.len()).filter(|&index| won[index].is_some()).collect();
            for plies in 1.. {
                let above: BTreeSet<usize> =
                    new.iter().flat_map(|&index| &parents[index]).copied().collect();
                let is_won = |index: &usize| {
                    let mut below = children[*index].iter().map(|&child| won[child].is_some());
                    let attacks = positions[*index].side_to_move() == attacker;
                    won[*index].is_none()
                        && if attacks { below.any(|won| won) } else { below.all(|won| won) }
                };
                new = above.into_iter().filter(is_won).collect();
                if new.is_empty() {
                    break;
                }
                new.iter().for_each(|&index| won[index] = Some(plies));
            }
            won
        });
        Some(Retrograde { rules, indices, repeated: repeated.to_vec(), plies })
    }

    fn key(&self, position: &G::Position) -> (u64, bool) {
        (
            self.rules.search_key(position),
            self.repeated.contains(&self.rules.repetition_key(position)),
        )
    }

    /// Returns whether the position can follow the root.
    pub(super) fn has(&self, position: &G::Position) -> bool {
        self.indices.contains_key(&self.key(position))
    }

    /// Returns the number of plies in which this side forces a win from the root.
    pub(super) fn plies_from_root(&self, winner: Side) -> Option<u32> {
        self.plies[winner.index()][0]
    }

    /// Returns the number of plies in which this side forces a win from a position; `None` if it
    /// cannot. The position must be one that can follow the root.
    pub(super) fn plies(&self, winner: Side, position: &G::Position) -> Option<u32> {
        self.plies[winner.index()][self.indices[&self.key(position)]]
    }
}
