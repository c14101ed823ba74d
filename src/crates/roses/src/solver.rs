//! The solver of Guerre des Deux Roses. The solver computes the distance to mate of every position.
//!
//! The move phase is solved by retrograde analysis (Thompson, 1986), for all positions at once, ply
//! by ply. Positions are stored as sets, with one bit for each position. There is a row for each
//! set of soldiers of one side. A row has a bit for each set of the other side's soldiers.
//!
//! A line move or a translation leads from a row to another row. If the cells that the move needs
//! are empty, the position keeps its index in the row. So one operation on words handles 64
//! positions. Attacks change both sets of soldiers. There are few attacks, so they are examined one
//! by one.
//!
//! The drop phase is solved by looking one move ahead, from the last drop to the first drop.

use pentarch_core::Side;
use pentarch_tables::Tablebase;
use pentarch_tables::dtm::Dtm;
use pentarch_tables::retrograde::allocate_zeros;
use pentarch_tables::retrograde_control::GroupSolveError;

use super::Roses;
use super::board::{BoardGraph, CELL_COUNT, CellSet, Direction, HexCell, iter_cells};
use super::drop_phase;
use super::moves::{self, Move};
use super::numbering::{CASTLE_CELL_SET, PositionClass, SOLDIER_COUNT_VALUES};
use super::position::Position;
use super::soldier_sets::{SoldierCounts, SoldierSets};

/// Returns the values of all positions with both castles on the board. The longest win takes 71
/// plies, so every distance to mate fits into a byte.
///
/// # Errors
/// If there is not enough memory.
pub(crate) fn solve(rules: &Roses) -> Result<Tablebase, GroupSolveError> {
    let mut move_phase = MovePhaseAnalysis::new(&rules.board)?;
    for plies in 0..Dtm::MAX_DISTANCE_VALUE.0 {
        let has_found = if plies % 2 == 0 {
            move_phase.find_losses(plies)
        } else {
            move_phase.find_wins(plies)
        };
        if !has_found && plies > 1 {
            break;
        }
    }
    let mut tables = Tablebase::default();
    for class in
        PositionClass::classes_of_move_phase().chain(PositionClass::classes_of_drop_phase())
    {
        let MovePhaseAnalysis { values, sets, .. } = &mut move_phase;
        let counts = SoldierCounts { own: class.own, enemy: class.enemy };
        if class.drops {
            let counts_after = SoldierCounts { own: class.enemy, enemy: class.own + 1 };
            let after = &values[counts_after.index()];
            values[counts.index()] =
                drop_phase::drop_phase_values(sets, &rules.board, counts, after).into();
        }
        let values = sets.values_without_overlap(class, &values[counts.index()]);
        tables.put_class_values(class.id(), values);
    }
    Ok(tables)
}

/// The moves of the soldiers on one set of cells. The moves do not depend on the soldiers of the
/// other side, except for the conditions in each move.
#[derive(Default)]
struct SoldierSetMoves {
    /// The line moves and the translations.
    quiet: Vec<SoldierQuietMove>,
    attacks: Vec<SoldierAttack>,
    /// The attacks that lead to this set. In these attacks, `set` is the number of the set before
    /// the attack.
    attacks_to: Vec<SoldierAttack>,
    /// Whether an attack captures the castle.
    takes_castle: bool,
}

/// A line move or a translation.
struct SoldierQuietMove {
    /// The number of the set of own soldiers after the move.
    set: usize,
    /// The indices of the cells that must be empty for this move. If the move needs only one such
    /// cell, both indices are equal.
    to: [usize; 2],
}

#[derive(Clone, Copy)]
struct SoldierAttack {
    /// The number of the set of own soldiers after the attack.
    set: usize,
    /// The cell of the attacked soldier, as a set.
    to: CellSet,
    /// The cell to which the attacked soldier is pushed, as a set. The set is empty if the soldier
    /// is captured.
    behind: CellSet,
}

impl SoldierSetMoves {
    /// Adds the line moves and translations of the soldiers `own`, and notes whether they can
    /// capture the castle.
    fn add_quiet_moves(&mut self, board: &BoardGraph, sets: &SoldierSets, own: CellSet) {
        let alone = move_phase_position(own, 0);
        let mut moves = Vec::new();
        moves::generate_moves(board, &alone, &mut moves);
        for mv in moves {
            let set = sets.number_of_set(alone.play(board, mv).soldiers[0]);
            match mv {
                _ if alone.captured_cell(board, mv) != 0 => self.takes_castle = true,
                Move::Forward { to, .. } => {
                    self.quiet.push(SoldierQuietMove { set, to: [to.index(); 2] });
                }
                Move::Translation { to, .. } => {
                    self.quiet.push(SoldierQuietMove { set, to: to.map(HexCell::index) });
                }
                Move::Drop(_) => {}
            }
        }
    }

    /// Adds the attacks of the soldiers `own` on enemy soldiers.
    fn add_attacks(&mut self, board: &BoardGraph, sets: &SoldierSets, own: CellSet) {
        for from in iter_cells(own) {
            for direction in Direction::ALL {
                // The attacked soldier is in front of one or two soldiers that move forward.
                let mut front = Some(from);
                while let Some(cell) = front.filter(|cell| own & cell.bit() != 0) {
                    front = board.next(cell, direction);
                }
                let Some(to) = front.filter(|cell| CASTLE_CELL_SET & cell.bit() == 0) else {
                    continue;
                };
                let position = move_phase_position(own, to.bit());
                let Some(mv) = moves::line_move_or_attack(board, &position, from, direction) else {
                    continue;
                };
                let [set, behind] = position.play(board, mv).soldiers;
                self.attacks.push(SoldierAttack {
                    set: sets.number_of_set(set),
                    to: to.bit(),
                    behind,
                });
            }
        }
    }
}

/// Returns the position of the move phase with White's soldiers `own` and Black's soldiers `enemy`,
/// and White to move.
fn move_phase_position(own: CellSet, enemy: CellSet) -> Position {
    Position {
        soldiers: [own, enemy],
        castles: CASTLE_CELL_SET,
        reserves: [0; 2],
        side: Side::First,
        full_move: 1,
    }
}

fn moves_of_all_soldier_sets(board: &BoardGraph, sets: &SoldierSets) -> Vec<Vec<SoldierSetMoves>> {
    let mut all: Vec<Vec<SoldierSetMoves>> = Vec::new();
    for sets_of_size in &sets.by_size {
        let mut moves: Vec<SoldierSetMoves> = Vec::new();
        for &own in sets_of_size {
            let mut set_moves = SoldierSetMoves::default();
            set_moves.add_quiet_moves(board, sets, own);
            set_moves.add_attacks(board, sets, own);
            moves.push(set_moves);
        }
        for set in 0..moves.len() {
            for attack in moves[set].attacks.clone() {
                moves[attack.set].attacks_to.push(SoldierAttack { set, ..attack });
            }
        }
        all.push(moves);
    }
    all
}

/// A set of positions of the move phase with the same numbers of soldiers, with one bit for each
/// position. A row has the bits of all positions with the same set of soldiers of one side. A
/// column stands for a set of the other side's soldiers.
struct PositionBitSet {
    /// The number of words of a row.
    width: usize,
    words: Box<[u64]>,
    /// For each row, whether a bit was added since the row was last cleared or, in the set of won
    /// positions, since the last search for losses.
    has_new: Vec<bool>,
}

impl PositionBitSet {
    /// Creates an empty set for each [`SoldierCounts`], in the order of their
    /// [indices](SoldierCounts::index).
    fn for_all_counts(sets: &SoldierSets) -> Result<Vec<PositionBitSet>, GroupSolveError> {
        SoldierCounts::all().map(|counts| PositionBitSet::new(sets, counts)).collect()
    }

    fn new(sets: &SoldierSets, counts: SoldierCounts) -> Result<PositionBitSet, GroupSolveError> {
        let rows = sets.by_size[counts.own].len();
        let width = sets.by_size[counts.enemy].len().div_ceil(64);
        Ok(PositionBitSet {
            width,
            words: allocate_zeros(rows * width)?,
            has_new: vec![false; rows],
        })
    }

    fn row(&self, row: usize) -> &[u64] {
        &self.words[row * self.width..][..self.width]
    }

    fn row_mut(&mut self, row: usize) -> &mut [u64] {
        &mut self.words[row * self.width..][..self.width]
    }

    fn contains(&self, row: usize, column: usize) -> bool {
        self.words[row * self.width + column / 64] >> (column % 64) & 1 != 0
    }

    fn add(&mut self, row: usize, column: usize) {
        self.words[row * self.width + column / 64] |= 1 << (column % 64);
        self.has_new[row] = true;
    }

    fn clear(&mut self) {
        for (row, has_new) in self.words.chunks_mut(self.width).zip(&mut self.has_new) {
            if *has_new {
                row.fill(0);
                *has_new = false;
            }
        }
    }
}

fn columns_of_set_bits(row: &[u64]) -> impl Iterator<Item = usize> {
    row.iter().enumerate().flat_map(|(index, &word)| {
        let rest = std::iter::successors(Some(word), |&word| Some(word & word.wrapping_sub(1)));
        rest.take_while(|&word| word != 0)
            .map(move |word| index * 64 + word.trailing_zeros() as usize)
    })
}

/// The state of the retrograde analysis of the move phase. Each list of values or of position sets
/// has an element for each [`SoldierCounts`], by its index.
struct MovePhaseAnalysis {
    sets: SoldierSets,
    /// The moves of each set of soldiers, by size and number of the set.
    moves: Vec<Vec<SoldierSetMoves>>,
    /// For each number of soldiers and each cell, a row of bits: the sets with this number of
    /// soldiers that leave the cell empty.
    empty: Vec<Vec<Vec<u64>>>,
    /// The values of all positions for the side to move. The values are ordered first by the set of
    /// soldiers of the side to move, and then by the set of soldiers of the other side.
    values: Vec<Box<[u8]>>,
    /// The positions with known values, and also the pairs of sets with a common cell, which form
    /// no position. The row is the set of soldiers of the side to move.
    known: Vec<PositionBitSet>,
    /// The positions in which an attack leads to a position in `lost`. The row is the set of
    /// soldiers of the side to move.
    attacks_win: Vec<PositionBitSet>,
    /// The positions that are known to be won for the side to move. The row is the set of soldiers
    /// of the side that has just moved, as this side sees the board.
    won: Vec<PositionBitSet>,
    /// The positions that the last search for losses found. These positions are lost for the side
    /// to move. The row is the set of soldiers of the side that has just moved, as this side sees
    /// the board.
    lost: Vec<PositionBitSet>,
}

impl MovePhaseAnalysis {
    fn new(board: &BoardGraph) -> Result<MovePhaseAnalysis, GroupSolveError> {
        let sets = SoldierSets::new();
        let moves = moves_of_all_soldier_sets(board, &sets);
        let mut empty = Vec::new();
        for size in 0..SOLDIER_COUNT_VALUES {
            let rows = (0..CELL_COUNT)
                .map(|cell| sets.matching_set_bits(size, |set| set >> cell & 1 == 0));
            empty.push(rows.collect());
        }
        let mut known = PositionBitSet::for_all_counts(&sets)?;
        for counts in SoldierCounts::all() {
            let enemy_sets = &sets.by_size[counts.enemy];
            for (row, &set) in sets.by_size[counts.own].iter().enumerate() {
                let words = known[counts.index()].row_mut(row);
                words.copy_from_slice(
                    &sets.matching_set_bits(counts.enemy, |enemy| set & enemy != 0),
                );
                // The last word of a row has unused bits. They are marked as known, so that no
                // search finds them.
                let rest = enemy_sets.len() % 64;
                if rest != 0
                    && let Some(last) = words.last_mut()
                {
                    *last |= !0 << rest;
                }
            }
        }
        // A value of zero is a draw.
        let values: Result<Vec<Box<[u8]>>, GroupSolveError> =
            SoldierCounts::all().map(|counts| allocate_zeros(sets.pair_count(counts))).collect();
        Ok(MovePhaseAnalysis {
            values: values?,
            known,
            attacks_win: PositionBitSet::for_all_counts(&sets)?,
            won: PositionBitSet::for_all_counts(&sets)?,
            lost: PositionBitSet::for_all_counts(&sets)?,
            sets,
            moves,
            empty,
        })
    }

    /// Finds the positions that the side to move loses in `plies` plies, an even number. In these
    /// positions, all moves lead to positions that are known to be won for the other side. Returns
    /// whether there are such positions.
    fn find_losses(&mut self, plies: u8) -> bool {
        self.lost.iter_mut().for_each(PositionBitSet::clear);
        let mut has_found = false;
        let mut lost = Vec::new();
        for counts in SoldierCounts::all() {
            let SoldierCounts { own, enemy } = counts;
            for row in 0..self.sets.by_size[own].len() {
                let moves = &self.moves[own][row];
                // If a position is lost in `plies` plies, at least one move leads to a position
                // that the last call of `find_wins` found.
                if moves.takes_castle || plies > 0 && !self.leads_to_new_wins(counts, moves) {
                    continue;
                }
                lost.clear();
                lost.extend(self.known[counts.index()].row(row).iter().map(|known| !known));
                self.exclude_quiet_escapes(counts, moves, &mut lost);
                for column in columns_of_set_bits(&lost) {
                    let set = self.sets.by_size[enemy][column];
                    let mut attacks = self.moves[own][row]
                        .attacks
                        .iter()
                        .filter(|attack| set & (attack.to | attack.behind) == attack.to);
                    if attacks.all(|attack| self.attack_loses(own, set, attack)) {
                        has_found = true;
                        self.record_value(counts, PositionBitIndex { row, column }, Dtm(plies + 1));
                    }
                }
            }
        }
        self.won.iter_mut().for_each(|won| won.has_new.fill(false));
        has_found
    }

    /// Removes from a row the positions with a quiet move to a position that is not known to be won
    /// for the other side. `lost` is the row, and `moves` are the moves of its set of soldiers.
    fn exclude_quiet_escapes(
        &self,
        counts: SoldierCounts,
        moves: &SoldierSetMoves,
        lost: &mut [u64],
    ) {
        for SoldierQuietMove { set, to } in &moves.quiet {
            let won = self.won[counts.index()].row(*set);
            let [first, second] = to.map(|cell| &self.empty[counts.enemy][cell]);
            let mut any = 0;
            for (((lost, won), first), second) in lost.iter_mut().zip(won).zip(first).zip(second) {
                *lost &= won | !(first & second);
                any |= *lost;
            }
            if any == 0 {
                break;
            }
        }
    }

    /// Returns whether an attack on a soldier of the set `enemy` leads to a position that is known
    /// to be won for the other side.
    fn attack_loses(&self, own: usize, enemy: CellSet, attack: &SoldierAttack) -> bool {
        let after = enemy ^ attack.to | attack.behind;
        let counts = SoldierCounts { own, enemy: after.count_ones() as usize };
        self.won[counts.index()].contains(attack.set, self.sets.number_of_set(after))
    }

    /// Returns whether one of these moves leads to a row with new wins: positions that were found
    /// to be won after the last search for losses.
    fn leads_to_new_wins(&self, counts: SoldierCounts, moves: &SoldierSetMoves) -> bool {
        let is_new = |counts: SoldierCounts, set: usize| self.won[counts.index()].has_new[set];
        moves.quiet.iter().any(|quiet| is_new(counts, quiet.set))
            || moves.attacks.iter().any(|attack| {
                let captures = attack.behind == 0 && counts.enemy > 0;
                let enemy = counts.enemy - usize::from(captures);
                is_new(SoldierCounts { enemy, ..counts }, attack.set)
            })
    }

    /// Finds the positions that the side to move wins in `plies` plies, an odd number. In these
    /// positions, a move captures the castle, or leads to a position that the last search for
    /// losses found. Returns whether there are such positions.
    fn find_wins(&mut self, plies: u8) -> bool {
        let mut has_found = false;
        let mut won = Vec::new();
        for counts in SoldierCounts::all() {
            for row in 0..self.sets.by_size[counts.own].len() {
                let moves = &self.moves[counts.own][row];
                won.clear();
                won.extend_from_slice(self.attacks_win[counts.index()].row(row));
                if moves.takes_castle {
                    won.fill(!0);
                }
                let all_lost = &self.lost[counts.index()];
                for SoldierQuietMove { set, to } in &moves.quiet {
                    if !all_lost.has_new[*set] {
                        continue;
                    }
                    let lost = all_lost.row(*set);
                    let [first, second] = to.map(|cell| &self.empty[counts.enemy][cell]);
                    for (((won, lost), first), second) in
                        won.iter_mut().zip(lost).zip(first).zip(second)
                    {
                        *won |= lost & first & second;
                    }
                }
                for (won, known) in won.iter_mut().zip(self.known[counts.index()].row(row)) {
                    *won &= !known;
                }
                for column in columns_of_set_bits(&won) {
                    has_found = true;
                    self.record_value(counts, PositionBitIndex { row, column }, Dtm(plies + 1));
                }
            }
        }
        self.attacks_win.iter_mut().for_each(PositionBitSet::clear);
        has_found
    }

    /// Stores the value of a position, and adds the position to `won` or `lost`.
    fn record_value(&mut self, counts: SoldierCounts, index: PositionBitIndex, value: Dtm) {
        let SoldierCounts { own, enemy } = counts;
        let PositionBitIndex { row, column } = index;
        self.known[counts.index()].add(row, column);
        self.values[counts.index()][row * self.sets.by_size[enemy].len() + column] = value.0;
        // The sets `won` and `lost` have the same position as seen from the side that has just
        // moved.
        let before = SoldierCounts { own: enemy, enemy: own };
        let mover = usize::from(self.sets.half_turns[enemy][column]);
        let other = usize::from(self.sets.half_turns[own][row]);
        if value.is_win() {
            return self.won[before.index()].add(mover, other);
        }
        self.lost[before.index()].add(mover, other);
        let set = self.sets.by_size[own][other];
        for attack in &self.moves[enemy][mover].attacks_to {
            let pushed_back = set ^ attack.behind | attack.to;
            let size = pushed_back.count_ones() as usize;
            if set & attack.behind == attack.behind && size < SOLDIER_COUNT_VALUES {
                let before_attack = SoldierCounts { own: enemy, enemy: size };
                self.attacks_win[before_attack.index()]
                    .add(attack.set, self.sets.number_of_set(pushed_back));
            }
        }
    }
}

/// The row and column of a position in [`PositionBitSet`].
#[derive(Clone, Copy)]
struct PositionBitIndex {
    /// The number of the row's set of soldiers.
    row: usize,
    /// The number of the column's set of soldiers.
    column: usize,
}
