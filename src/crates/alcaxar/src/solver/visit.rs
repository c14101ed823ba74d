//! The work on one set of walls.

use pentarch_core::Side;
use prefetch_index::prefetch_index;

use super::super::board::Slot;
use super::entry_numbering::{MOST_TURNS, Neighbours, Turned, Walls};
use super::knights::{Knights, NEARER};
use super::pair_set::PairSet;
use super::wall_sets::MAX_WALLS;
use super::{Changes, OTHER, OWN, Plan, SQUARES, Solver, Step, due_sets};

/// The turns of the walls of a set, as far as they were asked for.
#[derive(Debug, Default)]
pub(super) struct Turns {
    turned: [[Turned; MOST_TURNS]; MAX_WALLS],
    counts: [usize; MAX_WALLS],
    /// By the place of a wall, one bit each: whether its turns are known, and whether their entries are.
    known: [u8; 2],
    /// For each wall whose turns were followed by the side that needs all of its moves, from which pairs a turn leads
    /// out of the set of states.
    out: [PairSet; MAX_WALLS],
    /// By the place of a wall, one bit each: whether that is known.
    followed: u8,
}

/// The work on one set of walls.
pub(super) struct Visit<'a> {
    pub(super) solver: &'a Solver,
    pub(super) rank: usize,
    pub(super) set: u64,
    /// The number of the first entry.
    pub(super) first: usize,
    pub(super) plan: Plan,
}

/// For each number of a blocked set, a set of pairs.
type ByNumber = [PairSet; MAX_WALLS + 1];

impl Visit<'_> {
    /// Works the entries out for the sides for which something has changed. Returns whether an entry has changed.
    ///
    /// States enter a set, which is that of the won states or, for [`Step::Stay`], that of the states that leave those.
    /// One side needs a move into the set, the other needs that all its moves lead there. So for the former only moves
    /// to entries that have changed can bring something new. For the latter this only tells which states may enter; for
    /// these all moves are followed, until one leads out of the set for each of them. For either side the states that
    /// may enter are among `states`.
    pub(super) fn work_out(
        &self,
        mut due: [Changes; 2],
        mut states: [PairSet; 2],
        closed: &mut [PairSet; 2],
        turns: &mut Turns,
        log: &mut Option<Vec<(usize, PairSet)>>,
    ) -> bool {
        let Visit { solver, rank, set, first, plan } = *self;
        let Solver { numbering, entries, .. } = solver;
        let (one, all) = if plan.step == Step::Stay {
            (Side::Second, Side::First)
        } else {
            (Side::First, Side::Second)
        };
        let flipped = self.flipped();
        let knights = Knights::between(set);
        let numbers = numbering.first_entry(rank + 1) - first;
        let mut sets: [ByNumber; 2] = [[PairSet::EMPTY; MAX_WALLS + 1]; 2];
        for side in Side::BOTH {
            for (number, set) in sets[side.index()][..numbers].iter_mut().enumerate() {
                *set = entries.get(side, first + number) ^ flipped;
            }
        }
        let owned =
            if plan.step.is_by_owner() { knights.owned_by_red(solver.ties) } else { PairSet::ALL };
        let candidates =
            |sets: &[ByNumber; 2], closed: &[PairSet; 2], side: Side, states: PairSet| {
                let is_open = !closed[side.index()];
                let may_enter = match plan.step {
                    Step::AttractOwned => owned,
                    Step::AttractOther => !owned & is_open,
                    Step::AttractTwice => owned | is_open,
                    Step::Attract | Step::Stay => PairSet::ALL,
                };
                let escapes = if side == all {
                    knights.before(all, &!sets[one.index()][0])
                } else {
                    PairSet::EMPTY
                };
                let may_enter = may_enter & knights.undecided & states & !escapes;
                let mut candidates = [PairSet::EMPTY; MAX_WALLS + 1];
                let sets = &sets[side.index()][..numbers];
                candidates
                    .iter_mut()
                    .zip(sets)
                    .for_each(|(candidates, &set)| *candidates = may_enter & !set);
                candidates
            };
        let is_idle = |side: Side| {
            due[side.index()] == 0
                || is_empty(&candidates(&sets, closed, side, states[side.index()]), numbers)
        };
        let [is_one_idle, is_all_idle] = [one, all].map(is_idle);
        if is_one_idle && is_all_idle {
            return false;
        }
        let walls = Walls::new(&numbering.geometry, set);
        let neighbours = Neighbours::new(numbering, set);
        (turns.known, turns.followed) = ([0; 2], 0);
        let mut free = [0_u8; MAX_WALLS + 1];
        for (free, blocked) in free.iter_mut().zip(&walls.blocked[..numbers]) {
            let is_free = |(_, slot): &(usize, &Slot)| slot.bit() & blocked == 0;
            *free = walls
                .slots()
                .iter()
                .enumerate()
                .filter(is_free)
                .fold(0, |free, (place, _)| free | 1 << place);
        }
        let all_walls = ((1_u32 << walls.slots().len()) - 1) as u8;
        let changed = if is_one_idle { 0 } else { due[one.index()] as u8 & all_walls };
        self.prefetch(if is_all_idle { changed } else { all_walls }, &walls, &neighbours, turns);
        let mut entered: [ByNumber; 2] = [[PairSet::EMPTY; MAX_WALLS + 1]; 2];
        let mut enter =
            |side: Side, new: &ByNumber, sets: &mut [ByNumber; 2], closed: &mut [PairSet; 2]| {
                let (sets, entered) = (&mut sets[side.index()], &mut entered[side.index()]);
                // The classes of which states enter, and those of which some had entered before.
                let mut any = [PairSet::EMPTY; 2];
                for number in 0..numbers {
                    any = [any[0] | new[number], any[1] | sets[number]];
                    sets[number] = sets[number] | new[number];
                    entered[number] = entered[number] | new[number];
                }
                closed[side.index()] = closed[side.index()] | any[0] & any[1] & !owned;
            };
        // A whole set if the wall may turn, else none.
        let if_free =
            |free: u8, place: usize| PairSet([u64::from(free >> place & 1).wrapping_neg(); 4]);
        loop {
            let changes = std::mem::take(&mut due[one.index()]);
            let mut new = candidates(&sets, closed, one, std::mem::take(&mut states[one.index()]));
            if changes != 0 && !is_empty(&new, numbers) {
                let by_knight = if changes & OWN != 0 {
                    knights.before(one, &sets[all.index()][0])
                } else {
                    PairSet::EMPTY
                };
                let mut reached = [by_knight; MAX_WALLS + 1];
                for place in places(changes as u8 & all_walls) {
                    self.know_entries(place, &walls, &neighbours, turns);
                    let into = self.leads(one, place, flipped, turns);
                    for (reached, free) in reached[..numbers].iter_mut().zip(free) {
                        *reached = *reached | into & if_free(free, place);
                    }
                }
                new[..numbers]
                    .iter_mut()
                    .zip(reached)
                    .for_each(|(new, reached)| *new = *new & reached);
                enter(one, &new, &mut sets, closed);
                if !new[0].is_empty() && plan.side.is_none() {
                    due[all.index()] |= OWN;
                    states[all.index()] = states[all.index()] | knights.before(all, &new[0]);
                }
            }
            let changes = std::mem::take(&mut due[all.index()]);
            let mut new = candidates(&sets, closed, all, std::mem::take(&mut states[all.index()]));
            if changes != 0 && !is_empty(&new, numbers) {
                let changed = changes as u8 & all_walls;
                for place in places(changed).chain(places(all_walls & !changed)) {
                    if turns.followed >> place & 1 == 0 {
                        self.know_entries(place, &walls, &neighbours, turns);
                        turns.out[place] = self.leads(all, place, !flipped, turns);
                        turns.followed |= 1 << place;
                    }
                    for (new, free) in new[..numbers].iter_mut().zip(free) {
                        *new = *new & !(turns.out[place] & if_free(free, place));
                    }
                    if is_empty(&new, numbers) {
                        break;
                    }
                }
                enter(all, &new, &mut sets, closed);
                if !new[0].is_empty() && plan.side.is_none() {
                    due[one.index()] |= OWN;
                    states[one.index()] = knights.before(one, &new[0]);
                }
            }
            if due == [0, 0] {
                break;
            }
        }
        let mut has_changed = false;
        for side in Side::BOTH {
            for (number, &new) in entered[side.index()][..numbers].iter().enumerate() {
                if !new.is_empty() {
                    has_changed = true;
                    entries.set(side, first + number, sets[side.index()][number] ^ flipped);
                    if let (Side::Second, Some(log)) = (side, &mut *log) {
                        log.push((first + number, new));
                    }
                }
            }
        }
        if has_changed {
            self.prefetch_due(&entered, &walls, &neighbours, turns);
            due_sets::fence_after_changes();
            for side in Side::BOTH {
                self.make_due(&walls, &neighbours, &knights, &entered[side.index()], !side, turns);
            }
        }
        has_changed
    }

    /// What turns the pairs of an entry into those of the set that states enter.
    fn flipped(&self) -> PairSet {
        if self.plan.step == Step::Stay { PairSet::ALL } else { PairSet::EMPTY }
    }

    /// Works out the turns of a wall, if they are not known.
    fn know_turns(&self, place: usize, walls: &Walls, neighbours: &Neighbours, turns: &mut Turns) {
        if turns.known[0] >> place & 1 == 0 {
            turns.known[0] |= 1 << place;
            turns.counts[place] = neighbours.turned(walls.slots()[place], &mut turns.turned[place]);
        }
    }

    /// Works out the turns of a wall with their entries, if they are not known.
    fn know_entries(
        &self,
        place: usize,
        walls: &Walls,
        neighbours: &Neighbours,
        turns: &mut Turns,
    ) {
        self.know_turns(place, walls, neighbours, turns);
        if turns.known[1] >> place & 1 == 0 {
            turns.known[1] |= 1 << place;
            neighbours.find_entries(
                walls.slots()[place],
                &mut turns.turned[place][..turns.counts[place]],
            );
        }
    }

    /// Asks the memory for what turns of the walls at these places lead to: for the numbers of entries, and then for
    /// the entries. Most of it is in no cache. So it is waited for twice, and not at each turn (software prefetching;
    /// Callahan, Kennedy and Porterfield, 1991).
    fn prefetch(&self, turning: u8, walls: &Walls, neighbours: &Neighbours, turns: &mut Turns) {
        for place in places(turning) {
            self.know_turns(place, walls, neighbours, turns);
            for turned in &turns.turned[place][..turns.counts[place]] {
                self.solver.numbering.prefetch(turned.rank);
            }
        }
        for place in places(turning) {
            self.know_entries(place, walls, neighbours, turns);
            for turned in &turns.turned[place][..turns.counts[place]] {
                self.solver.entries.prefetch(turned.entry);
            }
        }
    }

    /// Asks the memory for what is due of sets that will be [made due](Visit::make_due): most visits change nothing.
    fn prefetch_due(
        &self,
        entered: &[ByNumber; 2],
        walls: &Walls,
        neighbours: &Neighbours,
        turns: &mut Turns,
    ) {
        for place in 0..walls.slots().len() {
            let number = usize::from(walls.numbers[place]);
            if (entered[0][number] | entered[1][number]).is_empty() {
                continue;
            }
            self.know_turns(place, walls, neighbours, turns);
            for turned in &turns.turned[place][..turns.counts[place]] {
                prefetch_index(self.solver.due.words(), turned.rank);
            }
        }
    }

    /// The pairs from which a turn of this wall by a side leads to a pair of an entry, all of them flipped by this.
    #[inline]
    fn leads(&self, side: Side, place: usize, flipped: PairSet, turns: &Turns) -> PairSet {
        let mut leads = [PairSet::EMPTY; 2];
        for turned in &turns.turned[place][..turns.counts[place]] {
            let set = self.solver.entries.get(!side, turned.entry) ^ flipped;
            let leads = &mut leads[usize::from(turned.is_mirrored)];
            *leads = *leads | set & turned.clear;
        }
        let [here, there] = leads;
        if there == PairSet::EMPTY { here } else { here | there.mirror() }
    }

    /// Makes the sets of walls due from which a move of `side` leads to an entry of this set that has changed.
    ///
    /// A turn of a wall leaves the knights where they are. So whether red owns the state before it and after it differs
    /// only if both knights are equally near, and the steps that look at the states of one owner need not look there
    /// otherwise.
    fn make_due(
        &self,
        walls: &Walls,
        neighbours: &Neighbours,
        knights: &Knights,
        entered: &ByNumber,
        side: Side,
        turns: &mut Turns,
    ) {
        let on_squares = |states: PairSet| {
            let [red, green] = states.squares().map(u64::from);
            (red | green << 16) << SQUARES
        };
        if !entered[0].is_empty() {
            let is_later = self.plan.side.is_some();
            let now =
                if is_later { OWN | on_squares(knights.before(side, &entered[0])) } else { 0 };
            self.solver.due.add(side.index(), self.rank, now | OWN << OTHER);
        }
        let [nearer, as_near] = *NEARER;
        let is_by_owner = matches!(self.plan.step, Step::AttractOwned | Step::AttractOther);
        for place in 0..walls.slots().len() {
            let entered = entered[usize::from(walls.numbers[place])];
            if entered.is_empty() {
                continue;
            }
            let owned = if is_by_owner { entered & (nearer | as_near) } else { entered };
            let is_other = is_by_owner && !(entered & !nearer).is_empty();
            let squares = [owned, owned.mirror()].map(on_squares);
            // A wall turns back over the way by which it came.
            self.know_turns(place, walls, neighbours, turns);
            for turned in &turns.turned[place][..turns.counts[place]] {
                let changes = Changes::from(turned.places);
                let squares = match (turned.is_symmetric, turned.is_mirrored) {
                    (true, _) => squares[0] | squares[1],
                    (false, is_mirrored) => squares[usize::from(is_mirrored)],
                };
                let now = if owned.is_empty() { 0 } else { changes | squares };
                let other = if is_other { changes << OTHER } else { 0 };
                self.solver.due.add(side.index(), turned.rank, now | other);
            }
        }
    }
}

/// Whether the first sets, so many, have no pair.
fn is_empty(sets: &ByNumber, numbers: usize) -> bool {
    sets[..numbers].iter().fold(PairSet::EMPTY, |all, &set| all | set).is_empty()
}

/// The places of walls for which bits stand.
fn places(mut bits: u8) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let place = bits.trailing_zeros() as usize;
        (bits != 0).then(|| bits &= bits - 1).map(|()| place)
    })
}

#[cfg(test)]
mod tests;
