//! A pass through one set of walls.

use pentarch_core::Side;
use prefetch_index::prefetch_index;

use super::entry_numbering::{
    MAX_TURNS_PER_WALL, WallSet, WallSetAfterTurn, WallSetAfterTurnFinder,
};
use super::knight_pairs::{KnightPairSets, PAIR_SETS_BY_NEARER_KNIGHT, PairSetsByNearerKnight};
use super::pair_set::PairSet;
use super::wall_sets::MAX_WALLS;
use super::{
    ATTRACT_UNOWNED_DUE_SHIFT, DueMoveBits, FixpointStepKind, KNIGHT_SQUARE_DUE_SHIFT,
    RetrogradeSolver, SolverPassOptions, UNBLOCKED_ENTRY_DUE_BIT, due_sets,
};

/// A cache of the turns of each wall in the current set of walls. The walls are numbered from 0 in
/// ascending order. Each field of type `u8` is a set of walls, with one bit for each wall.
#[derive(Debug, Default)]
pub(super) struct WallTurnCache {
    /// For each wall, the sets of walls after its turns. Only the first elements are used; their
    /// number is in `counts`.
    neighbours: [[WallSetAfterTurn; MAX_TURNS_PER_WALL]; MAX_WALLS],
    counts: [usize; MAX_WALLS],
    /// The walls whose turns are known.
    known_turns: u8,
    /// The walls for which the entries after the turns are also known.
    known_entries: u8,
    /// For each wall, the pairs of knights from which a turn of this wall leads out of the set of
    /// states.
    escapes: [PairSet; MAX_WALLS],
    /// The walls whose escapes are known.
    known_escapes: u8,
}

/// A pass through one set of walls.
pub(super) struct WallSetPass<'a> {
    pub(super) solver: &'a RetrogradeSolver,
    /// The rank of the set.
    pub(super) rank: usize,
    pub(super) set: u64,
    pub(super) first_entry: usize,
    pub(super) options: SolverPassOptions,
}

/// A set of pairs of knights for each blocked set, by the number of the blocked set.
type PairsByBlockedSet = [PairSet; MAX_WALLS + 1];
const NO_PAIRS_BY_BLOCKED_SET: PairsByBlockedSet = [PairSet::EMPTY; MAX_WALLS + 1];

impl WallSetPass<'_> {
    /// Updates the entries of each side for which something is due. Returns whether an entry has
    /// changed. Closes classes in `closed`. Appends the states with green to move that enter to
    /// `log`.
    ///
    /// States enter a set of states: the won states or, for [`FixpointStepKind::Stay`], the states
    /// that leave the won states. For one side, a state enters if at least one move leads into the
    /// set. For the other side, a state enters only if all moves lead into the set.
    ///
    /// For the first of these sides, only moves to changed entries can add states. For the other
    /// side, a change only shows which states may enter. The method then follows all moves of these
    /// states, until each state has a move out of the set. For both sides, the states that may
    /// enter are in `states`.
    pub(super) fn propagate(
        &self,
        due: [DueMoveBits; 2],
        states: [PairSet; 2],
        closed: &mut [PairSet; 2],
        turns: &mut WallTurnCache,
        log: &mut Option<Vec<(usize, PairSet)>>,
    ) -> bool {
        let mut update = WallSetUpdate::new(self, due, states, closed);
        let [is_any_idle, is_all_idle] =
            [update.any_side, update.all_side].map(|side| update.is_idle(side));
        if is_any_idle && is_all_idle {
            return false;
        }
        let mut moves = WallMoves::new(self, update.blocked_set_count, turns);
        let due_walls = update.due[update.any_side.index()] as u8 & moves.all_walls;
        let changed = if is_any_idle { 0 } else { due_walls };
        moves.prefetch_entries(if is_all_idle { changed } else { moves.all_walls });
        let mut entered = [NO_PAIRS_BY_BLOCKED_SET; 2];
        loop {
            update.add_states_with_any_move_into_set(&mut moves, &mut entered);
            update.add_states_with_all_moves_into_set(&mut moves, &mut entered);
            if update.due == [0, 0] {
                break;
            }
        }
        let has_changed = update.store_entries(&entered, log);
        if has_changed {
            moves.prefetch_due_words(&entered);
            due_sets::fence_after_entry_changes();
            for side in Side::BOTH_SIDES {
                moves.make_due(&update.knights, &entered[side.index()], !side);
            }
        }
        has_changed
    }

    /// Returns the pairs to invert in order to turn an entry into the set of states. These are all
    /// pairs if the set contains the states that are not won, otherwise none.
    fn pairs_to_invert(&self) -> PairSet {
        if self.options.step == FixpointStepKind::Stay { PairSet::ALL } else { PairSet::EMPTY }
    }
}

/// The entries of a set of walls while a pass updates them.
struct WallSetUpdate<'a> {
    pass: &'a WallSetPass<'a>,
    /// The side whose states enter if at least one move leads into the set of states.
    any_side: Side,
    /// The side whose states enter only if all moves lead into the set of states.
    all_side: Side,
    /// The [`pairs_to_invert`](WallSetPass::pairs_to_invert).
    flip: PairSet,
    knights: KnightPairSets,
    /// The pairs that red owns, or all pairs if the step does not depend on the owner.
    owned: PairSet,
    blocked_set_count: usize,
    /// The set of states, by side to move: for each blocked set, the pairs of knights in the set.
    sets: [PairsByBlockedSet; 2],
    closed: &'a mut [PairSet; 2],
    due: [DueMoveBits; 2],
    /// The states that may enter, by the side to move.
    states: [PairSet; 2],
}

impl<'a> WallSetUpdate<'a> {
    /// Reads the entries.
    #[inline]
    fn new(
        pass: &'a WallSetPass<'a>,
        due: [DueMoveBits; 2],
        states: [PairSet; 2],
        closed: &'a mut [PairSet; 2],
    ) -> WallSetUpdate<'a> {
        let WallSetPass { solver, rank, set, first_entry, options } = *pass;
        let any_side =
            if options.step == FixpointStepKind::Stay { Side::Second } else { Side::First };
        let flip = pass.pairs_to_invert();
        let knights = KnightPairSets::for_walls(set);
        let mut update = WallSetUpdate {
            pass,
            any_side,
            all_side: !any_side,
            flip,
            knights,
            owned: if options.step.depends_on_repetition_winner() {
                knights.pairs_with_repetition_won_by_red(solver.wins_ties)
            } else {
                PairSet::ALL
            },
            blocked_set_count: solver.numbering.first_entry(rank + 1) - first_entry,
            sets: [NO_PAIRS_BY_BLOCKED_SET; 2],
            closed,
            due,
            states,
        };
        for side in Side::BOTH_SIDES {
            let sets = &mut update.sets[side.index()][..update.blocked_set_count];
            for (number, set) in sets.iter_mut().enumerate() {
                *set = solver.entries.get(side, first_entry + number) ^ flip;
            }
        }
        update
    }

    /// Returns whether this pass has nothing to do for a side to move: either nothing is due for
    /// the side, or none of its states may enter.
    #[inline]
    fn is_idle(&self, side: Side) -> bool {
        self.due[side.index()] == 0
            || are_sets_empty(
                &self.candidate_states(side, self.states[side.index()]),
                self.blocked_set_count,
            )
    }

    /// Returns, for each blocked set, the pairs of `states` that may enter with `side` to move. The
    /// method considers only the knights. For `all_side`, it excludes the states from which a
    /// knight step leads out of the set.
    #[inline]
    fn candidate_states(&self, side: Side, states: PairSet) -> PairsByBlockedSet {
        let is_open = !self.closed[side.index()];
        let may_enter = match self.pass.options.step {
            FixpointStepKind::AttractOwned => self.owned,
            FixpointStepKind::AttractUnowned => !self.owned & is_open,
            FixpointStepKind::AttractCapped => self.owned | is_open,
            FixpointStepKind::Attract | FixpointStepKind::Stay => PairSet::ALL,
        };
        let escapes = if side == self.all_side {
            self.knights.pairs_before_step(side, &!self.sets[self.any_side.index()][0])
        } else {
            PairSet::EMPTY
        };
        let may_enter = may_enter & self.knights.undecided & states & !escapes;
        let mut candidate_states = NO_PAIRS_BY_BLOCKED_SET;
        let sets = &self.sets[side.index()][..self.blocked_set_count];
        for (candidate_states, &set) in candidate_states.iter_mut().zip(sets) {
            *candidate_states = may_enter & !set;
        }
        candidate_states
    }

    /// Adds the states with `any_side` to move that have at least one move into the set.
    #[inline]
    fn add_states_with_any_move_into_set(
        &mut self,
        moves: &mut WallMoves,
        entered: &mut [PairsByBlockedSet; 2],
    ) {
        let [any, all] = [self.any_side, self.all_side];
        let due = std::mem::take(&mut self.due[any.index()]);
        let states = std::mem::take(&mut self.states[any.index()]);
        let mut new = self.candidate_states(any, states);
        if due == 0 || are_sets_empty(&new, self.blocked_set_count) {
            return;
        }
        let by_knight = if due & UNBLOCKED_ENTRY_DUE_BIT != 0 {
            self.knights.pairs_before_step(any, &self.sets[all.index()][0])
        } else {
            PairSet::EMPTY
        };
        let mut reached = [by_knight; MAX_WALLS + 1];
        for wall in bit_indices(due as u8 & moves.all_walls) {
            moves.find_entries(wall);
            let into = moves.pairs_leading_to(any, wall, self.flip);
            for (reached, movable) in
                reached[..self.blocked_set_count].iter_mut().zip(moves.movable)
            {
                *reached = *reached | into & all_pairs_if_bit_set(movable, wall);
            }
        }
        for (new, reached) in new[..self.blocked_set_count].iter_mut().zip(reached) {
            *new = *new & reached;
        }
        self.add_states(any, &new, entered);
        if !new[0].is_empty() && self.pass.options.only_side.is_none() {
            self.due[all.index()] |= UNBLOCKED_ENTRY_DUE_BIT;
            let before = self.knights.pairs_before_step(all, &new[0]);
            self.states[all.index()] = self.states[all.index()] | before;
        }
    }

    /// Adds the states with `all_side` to move whose moves all lead into the set.
    #[inline]
    fn add_states_with_all_moves_into_set(
        &mut self,
        moves: &mut WallMoves,
        entered: &mut [PairsByBlockedSet; 2],
    ) {
        let [any, all] = [self.any_side, self.all_side];
        let due = std::mem::take(&mut self.due[all.index()]);
        let states = std::mem::take(&mut self.states[all.index()]);
        let mut new = self.candidate_states(all, states);
        if due == 0 || are_sets_empty(&new, self.blocked_set_count) {
            return;
        }
        let changed = due as u8 & moves.all_walls;
        for wall in bit_indices(changed).chain(bit_indices(moves.all_walls & !changed)) {
            if moves.turns.known_escapes >> wall & 1 == 0 {
                moves.find_entries(wall);
                moves.turns.escapes[wall] = moves.pairs_leading_to(all, wall, !self.flip);
                moves.turns.known_escapes |= 1 << wall;
            }
            let escapes = moves.turns.escapes[wall];
            for (new, movable) in new[..self.blocked_set_count].iter_mut().zip(moves.movable) {
                *new = *new & !(escapes & all_pairs_if_bit_set(movable, wall));
            }
            if are_sets_empty(&new, self.blocked_set_count) {
                break;
            }
        }
        self.add_states(all, &new, entered);
        if !new[0].is_empty() && self.pass.options.only_side.is_none() {
            self.due[any.index()] |= UNBLOCKED_ENTRY_DUE_BIT;
            self.states[any.index()] = self.knights.pairs_before_step(any, &new[0]);
        }
    }

    /// Adds new states to the set. If the set already contained other states of the same class, and
    /// red does not own the class, closes the class.
    #[inline]
    fn add_states(
        &mut self,
        side: Side,
        new: &PairsByBlockedSet,
        entered: &mut [PairsByBlockedSet; 2],
    ) {
        let sets = &mut self.sets[side.index()];
        let entered = &mut entered[side.index()];
        let mut new_classes = PairSet::EMPTY;
        let mut old_classes = PairSet::EMPTY;
        for number in 0..self.blocked_set_count {
            new_classes = new_classes | new[number];
            old_classes = old_classes | sets[number];
            sets[number] = sets[number] | new[number];
            entered[number] = entered[number] | new[number];
        }
        let closed = &mut self.closed[side.index()];
        *closed = *closed | new_classes & old_classes & !self.owned;
    }

    /// Writes the changed entries. Also appends the new states with green to move to `log`. Returns
    /// whether an entry has changed.
    #[inline]
    fn store_entries(
        &self,
        entered: &[PairsByBlockedSet; 2],
        log: &mut Option<Vec<(usize, PairSet)>>,
    ) -> bool {
        let WallSetPass { solver, first_entry, .. } = *self.pass;
        let mut has_changed = false;
        for side in Side::BOTH_SIDES {
            for (number, &new) in entered[side.index()][..self.blocked_set_count].iter().enumerate()
            {
                if new.is_empty() {
                    continue;
                }
                has_changed = true;
                let set = self.sets[side.index()][number] ^ self.flip;
                solver.entries.set(side, first_entry + number, set);
                if side == Side::Second
                    && let Some(log) = log
                {
                    log.push((first_entry + number, new));
                }
            }
        }
        has_changed
    }
}

/// The turns of the walls of the current set, computed as the pass needs them.
struct WallMoves<'a> {
    pass: &'a WallSetPass<'a>,
    walls: WallSet,
    finder: WallSetAfterTurnFinder<'a>,
    /// The set of all walls, with one bit for each wall.
    all_walls: u8,
    /// For each blocked set, by number, the walls that are not blocked, with one bit for each wall.
    movable: [u8; MAX_WALLS + 1],
    turns: &'a mut WallTurnCache,
}

impl<'a> WallMoves<'a> {
    #[inline]
    fn new(
        pass: &'a WallSetPass<'a>,
        blocked_set_count: usize,
        turns: &'a mut WallTurnCache,
    ) -> WallMoves<'a> {
        let numbering = &pass.solver.numbering;
        let walls = WallSet::new(&numbering.masks, pass.set);
        turns.known_turns = 0;
        turns.known_entries = 0;
        turns.known_escapes = 0;
        let mut movable = [0_u8; MAX_WALLS + 1];
        for (movable, blocked) in movable.iter_mut().zip(&walls.blocked[..blocked_set_count]) {
            for (wall, slot) in walls.wall_slots().iter().enumerate() {
                *movable |= u8::from(slot.bit() & blocked == 0) << wall;
            }
        }
        let all_walls = ((1_u32 << walls.wall_slots().len()) - 1) as u8;
        let finder = WallSetAfterTurnFinder::new(numbering, pass.set);
        WallMoves { pass, walls, finder, all_walls, movable, turns }
    }

    /// Computes the sets of walls to which turns of a wall lead. Does nothing if they are already
    /// in the cache.
    fn find_turns(&mut self, wall: usize) {
        let turns = &mut *self.turns;
        if turns.known_turns >> wall & 1 == 0 {
            turns.known_turns |= 1 << wall;
            turns.counts[wall] = self
                .finder
                .write_sets_after_turns(self.walls.wall_slots()[wall], &mut turns.neighbours[wall]);
        }
    }

    /// Computes the sets of walls to which turns of a wall lead, and the entries of these sets.
    /// Does nothing if they are already in the cache.
    fn find_entries(&mut self, wall: usize) {
        self.find_turns(wall);
        let turns = &mut *self.turns;
        if turns.known_entries >> wall & 1 == 0 {
            turns.known_entries |= 1 << wall;
            let neighbours = &mut turns.neighbours[wall][..turns.counts[wall]];
            self.finder.write_entries_after_turns(self.walls.wall_slots()[wall], neighbours);
        }
    }

    /// Returns the sets of walls to which turns of a wall lead. They must be in the cache.
    fn wall_sets_after_turns(&self, wall: usize) -> &[WallSetAfterTurn] {
        &self.turns.neighbours[wall][..self.turns.counts[wall]]
    }

    /// Prefetches the memory to which turns of the walls in `turning` lead: first the numbers of
    /// the entries, and then the entries. Most of this memory is not cached. So the pass waits for
    /// memory only twice, and not at each turn (software prefetching; Callahan, Kennedy and
    /// Porterfield, 1991).
    fn prefetch_entries(&mut self, turning: u8) {
        let solver = self.pass.solver;
        for wall in bit_indices(turning) {
            self.find_turns(wall);
            for neighbour in self.wall_sets_after_turns(wall) {
                solver.numbering.prefetch(neighbour.rank);
            }
        }
        for wall in bit_indices(turning) {
            self.find_entries(wall);
            for neighbour in self.wall_sets_after_turns(wall) {
                solver.entries.prefetch(neighbour.entry);
            }
        }
    }

    /// Prefetches the due words of the sets that will be [made due](WallMoves::make_due). This is
    /// not done earlier, because most passes change nothing.
    fn prefetch_due_words(&mut self, entered: &[PairsByBlockedSet; 2]) {
        for wall in 0..self.walls.wall_slots().len() {
            let number = usize::from(self.walls.blocked_numbers[wall]);
            if (entered[0][number] | entered[1][number]).is_empty() {
                continue;
            }
            self.find_turns(wall);
            for neighbour in self.wall_sets_after_turns(wall) {
                prefetch_index(self.pass.solver.due.words(), neighbour.rank);
            }
        }
    }

    /// Returns the pairs of knights with which `side` can turn this wall so that the entry of the
    /// next state contains the pair. `flip` inverts the entries for this test: a pair in `flip`
    /// counts as contained exactly if the entry does not contain it.
    #[inline]
    fn pairs_leading_to(&self, side: Side, wall: usize, flip: PairSet) -> PairSet {
        let mut pairs = [PairSet::EMPTY; 2];
        for neighbour in self.wall_sets_after_turns(wall) {
            let set = self.pass.solver.entries.get(!side, neighbour.entry) ^ flip;
            let pairs = &mut pairs[usize::from(neighbour.is_mirrored)];
            *pairs = *pairs | set & neighbour.clear;
        }
        let [plain, mirrored] = pairs;
        if mirrored == PairSet::EMPTY { plain } else { plain | mirrored.mirror() }
    }

    /// Makes other sets of walls due: those from which a move of `side` leads to a changed entry of
    /// this set.
    ///
    /// A turn of a wall moves no knight. So the states before and after the turn can have different
    /// owners only if both knights are equally near. In all other cases, both states have the same
    /// owner. So a step for the states of one owner can skip these sets if the changed states have
    /// the other owner.
    fn make_due(&mut self, knights: &KnightPairSets, entered: &PairsByBlockedSet, side: Side) {
        let WallSetPass { solver, rank, options, .. } = *self.pass;
        if !entered[0].is_empty() {
            let now = if options.only_side.is_some() {
                UNBLOCKED_ENTRY_DUE_BIT
                    | knight_square_due_bits(knights.pairs_before_step(side, &entered[0]))
            } else {
                // This pass has already processed these moves.
                0
            };
            solver.due.make_due(
                side.index(),
                rank,
                now | UNBLOCKED_ENTRY_DUE_BIT << ATTRACT_UNOWNED_DUE_SHIFT,
            );
        }
        let PairSetsByNearerKnight { red_nearer, equal } = *PAIR_SETS_BY_NEARER_KNIGHT;
        let is_by_owner = matches!(
            options.step,
            FixpointStepKind::AttractOwned | FixpointStepKind::AttractUnowned
        );
        for wall in 0..self.walls.wall_slots().len() {
            let entered = entered[usize::from(self.walls.blocked_numbers[wall])];
            if entered.is_empty() {
                continue;
            }
            let owned = if is_by_owner { entered & (red_nearer | equal) } else { entered };
            let has_unowned = is_by_owner && !(entered & !red_nearer).is_empty();
            let squares = [owned, owned.mirror()].map(knight_square_due_bits);
            // The wall can be turned back exactly if the path of the turn is clear. So the sets
            // that turns can reach from here are also the sets from which turns lead here.
            self.find_turns(wall);
            for neighbour in self.wall_sets_after_turns(wall) {
                let walls = DueMoveBits::from(neighbour.wall_bits);
                let squares = match (neighbour.is_symmetric, neighbour.is_mirrored) {
                    (true, _) => squares[0] | squares[1],
                    (false, is_mirrored) => squares[usize::from(is_mirrored)],
                };
                let now = if owned.is_empty() { 0 } else { walls | squares };
                let unowned = if has_unowned { walls << ATTRACT_UNOWNED_DUE_SHIFT } else { 0 };
                solver.due.make_due(side.index(), neighbour.rank, now | unowned);
            }
        }
    }
}

/// Returns the squares of the red and of the green knight in these pairs, as the bits of a due word
/// (see [`KNIGHT_SQUARE_DUE_SHIFT`]).
fn knight_square_due_bits(pairs: PairSet) -> DueMoveBits {
    let [red, green] = pairs.knight_squares().map(u64::from);
    (red | green << 16) << KNIGHT_SQUARE_DUE_SHIFT
}

/// Returns all pairs if the set `walls` contains the wall with this index, and no pair otherwise.
#[inline]
fn all_pairs_if_bit_set(walls: u8, wall: usize) -> PairSet {
    PairSet([u64::from(walls >> wall & 1).wrapping_neg(); 4])
}

/// Returns whether the first `blocked_set_count` sets of pairs are empty.
#[inline]
fn are_sets_empty(sets: &PairsByBlockedSet, blocked_set_count: usize) -> bool {
    sets[..blocked_set_count].iter().fold(PairSet::EMPTY, |all, &set| all | set).is_empty()
}

/// Iterates over the indices of the set bits of `bits`, in ascending order.
fn bit_indices(mut bits: u8) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let index = bits.trailing_zeros() as usize;
        (bits != 0).then(|| bits &= bits - 1).map(|()| index)
    })
}

#[cfg(test)]
mod tests;
