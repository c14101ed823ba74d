//! Solves Guerre des Deux Roses: the distance to mate of every position.
//!
//! The move phase is solved by retrograde analysis (Thompson, 1986), all positions at once and one ply after the other.
//! Positions are kept as sets, with one bit each. For each set of soldiers of one side there is a row, with a bit for
//! each set of the other side's soldiers. A move that takes no cell from the other side leads from each position of one
//! row to the position in the same place of another row, as long as the cells that it needs are empty. So one operation
//! on words treats 64 positions. Attacks change both sets and are looked at one by one, but they are few.
//!
//! The drop phase is solved by looking one move ahead, from its last drop to its first.

use pentarch_core::Side;
use pentarch_tables::Tablebase;
use pentarch_tables::budget::SolveError;
use pentarch_tables::dtm::Dtm;
use pentarch_tables::retrograde::zeroed;

use super::Roses;
use super::board::{Board, CELL_COUNT, Cells, Direction, cells};
use super::drop_phase;
use super::moves::{self, Move};
use super::numbering::{CASTLES, COUNTS, Class};
use super::position::Position;
use super::sets::Sets;

/// The solving of all positions in which both castles stand, in steps. No win takes more plies than a byte holds: the
/// longest takes 71.
pub struct Solver {
    board: Board,
    analysis: Analysis,
    /// The distance of the next ply of the move phase; none when that phase is solved.
    plies: Option<u8>,
    /// The classes that are solved, but not in the tables yet.
    classes: Box<dyn Iterator<Item = Class> + Send>,
    tables: Tablebase,
}

impl Solver {
    /// Prepares the work, which takes about as long as some steps.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub fn new(rules: &Roses) -> Result<Solver, SolveError> {
        Ok(Solver {
            board: rules.board.clone(),
            analysis: Analysis::new(&rules.board)?,
            plies: Some(0),
            classes: Box::new(Class::of_move_phase().chain(Class::of_drop_phase())),
            tables: Tablebase::default(),
        })
    }

    /// Does the next step: one ply of the move phase, or the table of one class. Returns whether there was anything
    /// left to do.
    pub fn step(&mut self) -> bool {
        let Solver { analysis, .. } = self;
        if let Some(plies) = self.plies {
            let found = if plies % 2 == 0 {
                analysis.find_losses(plies)
            } else {
                analysis.find_wins(plies)
            };
            self.plies =
                Some(plies + 1).filter(|&next| (found || plies <= 1) && next < Dtm::LONGEST.0);
            return true;
        }
        let Some(class) = self.classes.next() else { return false };
        let counts = [class.own, class.enemy];
        if class.drops {
            let after = &analysis.values[place([class.enemy, class.own + 1])];
            analysis.values[place(counts)] =
                drop_phase::values_before(&analysis.sets, &self.board, counts, after).into();
        }
        self.tables
            .put(class.id(), analysis.sets.without_overlap(class, &analysis.values[place(counts)]));
        true
    }

    /// The tables, when nothing is left to do.
    pub fn into_tables(self) -> Tablebase {
        self.tables
    }
}

/// All numbers of soldiers that the two sides can have.
fn pairs() -> impl Iterator<Item = [usize; 2]> {
    Class::of_move_phase().map(|class| [class.own, class.enemy])
}

/// The place of a pair of numbers of soldiers.
fn place([own, enemy]: [usize; 2]) -> usize {
    own * COUNTS + enemy
}

/// The moves of the soldiers on a set of cells, whatever the other side's soldiers are.
#[derive(Default)]
struct Moves {
    /// The moves that take no cell from the other side.
    quiet: Vec<Quiet>,
    /// The attacks on soldiers.
    attacks: Vec<Attack>,
    /// The attacks that lead to this set; `set` is then the set before.
    attacked: Vec<Attack>,
    /// Whether an attack captures the castle.
    takes_castle: bool,
}

/// A line move or a translation.
struct Quiet {
    /// The number of the set to which it leads.
    set: usize,
    /// The numbers of the cells that must be empty; twice the same if it is only one.
    to: [usize; 2],
}

/// An attack on a soldier.
#[derive(Clone, Copy)]
struct Attack {
    /// The number of the set to which it leads.
    set: usize,
    /// The cell of the soldier that is attacked.
    to: Cells,
    /// The cell to which it is pushed; none if it is captured.
    behind: Cells,
}

/// The moves of all sets of each size.
fn all_moves(board: &Board, sets: &Sets) -> Vec<Vec<Moves>> {
    let mut all: Vec<Vec<Moves>> = Vec::new();
    let mut list = Vec::new();
    for of_size in &sets.of_size {
        let mut moves: Vec<Moves> = of_size.iter().map(|_| Moves::default()).collect();
        for (at, &own) in of_size.iter().enumerate() {
            let with = |enemy| Position {
                soldiers: [own, enemy],
                castles: CASTLES,
                reserves: [0; 2],
                side: Side::First,
                full_move: 1,
            };
            let alone = with(0);
            moves::generate(board, &alone, &mut list);
            for mv in list.drain(..) {
                let set = sets.number(alone.play(board, mv).soldiers[0]);
                match mv {
                    _ if alone.captures(board, mv) != 0 => moves[at].takes_castle = true,
                    Move::Forward { to, .. } => {
                        moves[at].quiet.push(Quiet { set, to: [to.index(); 2] })
                    }
                    Move::Translation { to, .. } => {
                        moves[at].quiet.push(Quiet { set, to: to.map(|to| to.index()) })
                    }
                    Move::Drop(_) => {}
                }
            }
            for from in cells(own) {
                for direction in Direction::ALL {
                    // Behind at most two soldiers that go forward stands the one that they attack.
                    let next = |cell| board.next(cell, direction);
                    let first_other = std::iter::successors(Some(from), |&cell| next(cell))
                        .find(|cell| own & cell.bit() == 0)
                        .filter(|cell| CASTLES & cell.bit() == 0);
                    let Some(to) = first_other else { continue };
                    let attacking = with(to.bit());
                    let Some(mv) = moves::forward(board, &attacking, from, direction) else {
                        continue;
                    };
                    let [set, behind] = attacking.play(board, mv).soldiers;
                    let attack = Attack { set: sets.number(set), to: to.bit(), behind };
                    moves[at].attacks.push(attack);
                    moves[attack.set].attacked.push(Attack { set: at, ..attack });
                }
            }
        }
        all.push(moves);
    }
    all
}

/// A set of positions of the move phase with the same numbers of soldiers: a row of bits for each set of the one
/// side's soldiers.
struct Bits {
    /// The number of words of a row.
    width: usize,
    words: Box<[u64]>,
    /// Whether any bit of a row was added since the row was cleared, or for the positions that are won, since the last
    /// search for losses.
    any: Vec<bool>,
}

impl Bits {
    fn new(sets: &Sets, [rows, columns]: [usize; 2]) -> Result<Bits, SolveError> {
        let (rows, width) = (sets.of_size[rows].len(), sets.of_size[columns].len().div_ceil(64));
        Ok(Bits { width, words: zeroed(rows * width)?, any: vec![false; rows] })
    }

    fn row(&self, row: usize) -> &[u64] {
        &self.words[row * self.width..][..self.width]
    }

    fn row_mut(&mut self, row: usize) -> &mut [u64] {
        &mut self.words[row * self.width..][..self.width]
    }

    fn holds(&self, row: usize, column: usize) -> bool {
        self.words[row * self.width + column / 64] >> (column % 64) & 1 != 0
    }

    fn add(&mut self, row: usize, column: usize) {
        self.words[row * self.width + column / 64] |= 1 << (column % 64);
        self.any[row] = true;
    }

    fn clear(&mut self) {
        let rows = self.words.chunks_mut(self.width).zip(&mut self.any);
        rows.filter(|(_, any)| **any).for_each(|(row, any)| {
            row.fill(0);
            *any = false;
        });
    }
}

/// The numbers of the bits of a row.
fn ones(row: &[u64]) -> impl Iterator<Item = usize> {
    row.iter().enumerate().flat_map(|(at, &word)| {
        let rest = std::iter::successors(Some(word), |&word| Some(word & word.wrapping_sub(1)));
        rest.take_while(|&word| word != 0).map(move |word| at * 64 + word.trailing_zeros() as usize)
    })
}

/// The move phase while it is solved. Everything is kept by the numbers of soldiers.
struct Analysis {
    sets: Sets,
    moves: Vec<Vec<Moves>>,
    /// For each number of soldiers and each cell, the sets of so many soldiers that leave the cell empty.
    empty: Vec<Vec<Vec<u64>>>,
    /// The values, for the side to move: its soldiers choose the row.
    values: Vec<Box<[u8]>>,
    /// The positions whose values are known, and pairs of sets that are no positions: the side to move chooses the row.
    known: Vec<Bits>,
    /// The positions from which an attack leads to one of `lost`, the same way.
    attacks_win: Vec<Bits>,
    /// The positions that the side to move has won. The side that has just moved chooses the row, and the board is seen
    /// from its side.
    won: Vec<Bits>,
    /// The positions that the side to move was found to have lost by the last call, the same way.
    lost: Vec<Bits>,
}

impl Analysis {
    fn new(board: &Board) -> Result<Analysis, SolveError> {
        let sets = Sets::new();
        let moves = all_moves(board, &sets);
        let empty = (0..COUNTS)
            .map(|size| {
                (0..CELL_COUNT).map(|cell| sets.row(size, |set| set >> cell & 1 == 0)).collect()
            })
            .collect();
        let none = || {
            pairs()
                .map(|counts| Bits::new(&sets, counts))
                .collect::<Result<Vec<Bits>, SolveError>>()
        };
        let [mut known, attacks_win, won, lost] = [none()?, none()?, none()?, none()?];
        for counts in pairs() {
            let [own, enemy] = counts;
            for (row, &set) in sets.of_size[own].iter().enumerate() {
                // Behind the last set of a row there are bits of no position.
                let words = known[place(counts)].row_mut(row);
                words.copy_from_slice(&sets.row(enemy, |enemy| set & enemy != 0));
                if let (Some(last), rest @ 1..) = (words.last_mut(), sets.of_size[enemy].len() % 64)
                {
                    *last |= !0 << rest;
                }
            }
        }
        // A zero is a draw.
        let values =
            pairs().map(|counts| zeroed(sets.size(counts))).collect::<Result<_, SolveError>>()?;
        Ok(Analysis { sets, moves, empty, values, known, attacks_win, won, lost })
    }

    /// Finds the positions that the side to move has lost in this even number of plies: all its moves lead to positions
    /// that are known to be won. Returns whether there are any.
    fn find_losses(&mut self, plies: u8) -> bool {
        self.lost.iter_mut().for_each(Bits::clear);
        let (mut found, mut lost) = (false, Vec::new());
        for counts in pairs() {
            let [own, enemy] = counts;
            for row in 0..self.sets.of_size[own].len() {
                let moves = &self.moves[own][row];
                // A position that is lost in so many plies has a move to one that was found to be won by the last call.
                if moves.takes_castle || plies > 0 && !self.leads_to_new_wins(counts, moves) {
                    continue;
                }
                lost.clear();
                lost.extend(self.known[place(counts)].row(row).iter().map(|known| !known));
                for Quiet { set, to } in &moves.quiet {
                    let won = self.won[place(counts)].row(*set);
                    let [first, second] = to.map(|cell| &self.empty[enemy][cell]);
                    let mut any = 0;
                    for (((lost, won), first), second) in
                        lost.iter_mut().zip(won).zip(first).zip(second)
                    {
                        *lost &= won | !(first & second);
                        any |= *lost;
                    }
                    if any == 0 {
                        break;
                    }
                }
                for column in ones(&lost) {
                    let set = self.sets.of_size[enemy][column];
                    let is_won = |attack: &Attack| {
                        let after = set ^ attack.to | attack.behind;
                        let counts = [own, after.count_ones() as usize];
                        self.won[place(counts)].holds(attack.set, self.sets.number(after))
                    };
                    let mut attacks = self.moves[own][row]
                        .attacks
                        .iter()
                        .filter(|attack| set & (attack.to | attack.behind) == attack.to);
                    if attacks.all(is_won) {
                        found = true;
                        self.know(counts, [row, column], Dtm(plies + 1));
                    }
                }
            }
        }
        self.won.iter_mut().for_each(|won| won.any.fill(false));
        found
    }

    /// Whether one of these moves of a set of soldiers leads to a row with positions that were found to be won after
    /// the last search for losses.
    fn leads_to_new_wins(&self, counts @ [own, enemy]: [usize; 2], moves: &Moves) -> bool {
        let is_new = |counts, set: usize| self.won[place(counts)].any[set];
        moves.quiet.iter().any(|quiet| is_new(counts, quiet.set))
            || moves.attacks.iter().any(|attack| {
                let captures = attack.behind == 0;
                is_new([own, enemy - usize::from(captures && enemy > 0)], attack.set)
            })
    }

    /// Finds the positions that the side to move has won in this odd number of plies: a move captures the castle or
    /// leads to a position that was found to be lost by the last call. Returns whether there are any.
    fn find_wins(&mut self, plies: u8) -> bool {
        let (mut found, mut won) = (false, Vec::new());
        for counts in pairs() {
            let [own, enemy] = counts;
            for row in 0..self.sets.of_size[own].len() {
                let moves = &self.moves[own][row];
                won.clear();
                won.extend_from_slice(self.attacks_win[place(counts)].row(row));
                if moves.takes_castle {
                    won.fill(!0);
                }
                for Quiet { set, to } in
                    moves.quiet.iter().filter(|quiet| self.lost[place(counts)].any[quiet.set])
                {
                    let lost = self.lost[place(counts)].row(*set);
                    let [first, second] = to.map(|cell| &self.empty[enemy][cell]);
                    for (((won, lost), first), second) in
                        won.iter_mut().zip(lost).zip(first).zip(second)
                    {
                        *won |= lost & first & second;
                    }
                }
                won.iter_mut()
                    .zip(self.known[place(counts)].row(row))
                    .for_each(|(won, known)| *won &= !known);
                for column in ones(&won) {
                    found = true;
                    self.know(counts, [row, column], Dtm(plies + 1));
                }
            }
        }
        self.attacks_win.iter_mut().for_each(Bits::clear);
        found
    }

    /// Keeps the value of a position.
    fn know(&mut self, counts: [usize; 2], [row, column]: [usize; 2], value: Dtm) {
        let [own, enemy] = counts;
        self.known[place(counts)].add(row, column);
        self.values[place(counts)][row * self.sets.of_size[enemy].len() + column] = value.0;
        // The same position seen from the side that has just moved.
        let (before, mover, other) =
            ([enemy, own], self.sets.turned[enemy][column], self.sets.turned[own][row]);
        let [mover, other] = [mover, other].map(usize::from);
        if value.is_win() {
            return self.won[place(before)].add(mover, other);
        }
        self.lost[place(before)].add(mover, other);
        let set = self.sets.of_size[own][other];
        for attack in &self.moves[enemy][mover].attacked {
            let pushed_back = set ^ attack.behind | attack.to;
            let size = pushed_back.count_ones() as usize;
            if set & attack.behind == attack.behind && size < COUNTS {
                self.attacks_win[place([enemy, size])]
                    .add(attack.set, self.sets.number(pushed_back));
            }
        }
    }
}
