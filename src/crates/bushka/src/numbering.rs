//! Numbers the positions of Bushka with few pieces, for tablebases.
//!
//! A class consists of all positions in which the side to move and the other side have given
//! numbers of soldiers and kings. A group consists of the classes with the same two armies: either
//! army can have the move.
//!
//! The half turn swaps the sides. So each army is seen from its own side, as if it were White's,
//! and has the same number whether it is White's or Black's. An army has two sets of squares, its
//! soldiers and its kings. The number of a set is its [rank among the
//! combinations](pentarch_tables::combinations) of the squares. The number of a position combines
//! the numbers of the four sets. Combinations in which two pieces would be on one square have
//! numbers without a position.

use pentarch_core::Side;
use pentarch_core::notation::points::bit_indices;
use pentarch_tables::combinations::{binomial_table, next_combination};
use pentarch_tables::endgame_tables::EndgameNumbering;
use pentarch_tables::{PositionNumbering, RetrogradeNumbering, TableIndex};

use super::Bushka;
use super::board::{Board, DiagonalDirection, iter_squares};
use super::captures;
use super::moves::Move;
use super::position::Position;

/// The maximum number of pieces in a numbered position, both sides together.
const MAX_NUMBERED_PIECES: usize = 4;
/// The maximum number of pieces of one side in a numbered position.
const MAX_ARMY_PIECES: usize = MAX_NUMBERED_PIECES - 1;
const SQUARE_COUNT: usize = 50;
/// The binomial coefficients, by `n` and `k`.
const BINOMIALS: [[u32; MAX_ARMY_PIECES + 1]; SQUARE_COUNT + 1] = binomial_table();

/// The numbers of soldiers and kings of one side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Army {
    soldiers: usize,
    kings: usize,
}

impl Army {
    /// The number of armies with at most [`MAX_ARMY_PIECES`] soldiers and as many kings.
    const ID_COUNT: usize = (MAX_ARMY_PIECES + 1) * (MAX_ARMY_PIECES + 1);

    /// Returns all armies with this number of pieces.
    fn all_with_piece_count(pieces: usize) -> impl Iterator<Item = Army> {
        (0..=pieces).map(move |soldiers| Army { soldiers, kings: pieces - soldiers })
    }

    fn piece_count(self) -> usize {
        self.soldiers + self.kings
    }

    /// Returns a number that identifies the army.
    fn id(self) -> usize {
        self.soldiers * (MAX_ARMY_PIECES + 1) + self.kings
    }

    fn from_id(id: usize) -> Army {
        Army { soldiers: id / (MAX_ARMY_PIECES + 1), kings: id % (MAX_ARMY_PIECES + 1) }
    }

    /// Returns the letters of the pieces: `s` for each soldier and `k` for each king.
    fn letters(self) -> String {
        "s".repeat(self.soldiers) + &"k".repeat(self.kings)
    }
}

/// Returns the armies of the side to move and of the other side in a class.
fn armies_of_class(class: usize) -> [Army; 2] {
    [class / Army::ID_COUNT, class % Army::ID_COUNT].map(Army::from_id)
}

fn class_of_armies([own, enemy]: [Army; 2]) -> usize {
    own.id() * Army::ID_COUNT + enemy.id()
}

/// Returns the armies of all groups with this number of pieces. The groups with fewer soldiers come
/// first, because a soldier may become a king.
fn groups_with_piece_count(pieces: usize) -> Vec<[Army; 2]> {
    let mut groups: Vec<[Army; 2]> = (1..=pieces / 2)
        .flat_map(|fewer| {
            Army::all_with_piece_count(fewer).flat_map(move |first| {
                Army::all_with_piece_count(pieces - fewer).map(move |second| [first, second])
            })
        })
        .filter(|[first, second]| {
            first.piece_count() < second.piece_count() || first.soldiers <= second.soldiers
        })
        .collect();
    groups.sort_by_key(|[first, second]| first.soldiers + second.soldiers);
    groups
}

fn table_file_name(rules: &Bushka, [first, second]: [Army; 2]) -> String {
    let Board { files, ranks, .. } = rules.board;
    format!("bushka-{files}x{ranks}-{}-{}", first.letters(), second.letters())
}

/// The numbering of the positions with few pieces.
pub struct BushkaNumbering {
    rules: Bushka,
    max_pieces: usize,
    /// For each number of a square in the layout of the [`Board`], the number of dark squares
    /// before this square.
    squares_before: [u8; 64],
    /// The sets of squares by size and rank.
    sets: [Vec<u64>; MAX_ARMY_PIECES + 1],
    /// The number of squares on which a soldier can be: all but the last rank, which come last.
    soldier_square_count: usize,
}

impl BushkaNumbering {
    /// Returns the rank of a set of at most [`MAX_ARMY_PIECES`] squares among the sets of this
    /// size.
    fn set_rank(&self, set: u64) -> usize {
        let squares = iter_squares(set).zip(1..);
        let terms = squares.map(|(square, size)| {
            BINOMIALS[usize::from(self.squares_before[usize::from(square.0)])][size]
        });
        terms.sum::<u32>() as usize
    }

    /// Returns the numbers of possible sets of soldiers and of kings of an army.
    fn set_counts(&self, army: Army) -> [usize; 2] {
        let count = |squares: usize, size: usize| BINOMIALS[squares][size] as usize;
        [count(self.soldier_square_count, army.soldiers), count(SQUARE_COUNT, army.kings)]
    }

    /// Returns the index of the position with these pieces of the side to move and of the other
    /// side. Each pair has the soldiers and the kings of a side, seen from this side.
    fn index_of_pieces(&self, pieces: [[u64; 2]; 2]) -> TableIndex {
        let armies = pieces.map(|sets| {
            let [soldiers, kings] = sets.map(|set| set.count_ones() as usize);
            Army { soldiers, kings }
        });
        let sets = pieces.as_flattened().iter();
        let counts = armies.map(|army| self.set_counts(army));
        let number = sets
            .zip(counts.as_flattened())
            .fold(0, |number, (&set, count)| number * count + self.set_rank(set));
        TableIndex { class: class_of_armies(armies), number }
    }

    /// Returns the soldiers and the kings of a side, seen from this side.
    fn pieces_seen_from_side(&self, position: &Position, side: Side) -> [u64; 2] {
        let sets = [position.soldiers[side.index()], position.kings[side.index()]];
        match side {
            Side::First => sets,
            Side::Second => sets.map(|set| self.rules.board.half_turn_square_set(set)),
        }
    }

    /// Calls `visit` with each set of soldiers from which a quiet move without a promotion leads to
    /// the set `soldiers`. The moved soldiers are those of `side`, and `empty` are the empty
    /// squares after the move.
    fn visit_soldiers_before_move(
        soldiers: u64,
        empty: u64,
        side: Side,
        mut visit: impl FnMut(u64),
    ) {
        for direction in DiagonalDirection::forward_directions(side) {
            let back = direction.opposite();
            for front in iter_squares(soldiers) {
                // The whole run behind the front soldier has moved with it.
                let mut square = back.shift(front.bit());
                while square & soldiers != 0 {
                    square = back.shift(square);
                }
                if square & empty != 0 {
                    visit(soldiers ^ front.bit() ^ square);
                }
            }
        }
    }

    /// Calls `visit` with each set of kings from which a quiet move leads to the set `kings`.
    /// `empty` are the empty squares after the move.
    fn visit_kings_before_move(kings: u64, empty: u64, mut visit: impl FnMut(u64)) {
        for king in iter_squares(kings) {
            for direction in DiagonalDirection::ALL {
                let mut square = direction.shift(king.bit());
                while square & empty != 0 {
                    visit(kings ^ king.bit() ^ square);
                    square = direction.shift(square);
                }
            }
        }
    }
}

impl PositionNumbering for BushkaNumbering {
    type Rules = Bushka;

    fn rules(&self) -> &Bushka {
        &self.rules
    }

    fn class_size(&self, class: usize) -> usize {
        armies_of_class(class).map(|army| self.set_counts(army)).as_flattened().iter().product()
    }

    fn index_of_position(&self, position: &Position) -> Option<TableIndex> {
        let armies = Side::BOTH_SIDES.map(|side| position.pieces(side));
        let pieces = armies.iter().map(|army| army.count_ones() as usize).sum::<usize>();
        if pieces > self.max_pieces || armies.contains(&0) {
            return None;
        }
        let sides = [position.side, !position.side];
        Some(self.index_of_pieces(sides.map(|side| self.pieces_seen_from_side(position, side))))
    }

    fn position_at_index(&self, TableIndex { class, number }: TableIndex) -> Option<Position> {
        let armies = armies_of_class(class);
        let sizes = armies.map(|Army { soldiers, kings }| [soldiers, kings]);
        let counts = armies.map(|army| self.set_counts(army));
        let mut rest = number;
        let mut sets = [[0; 2]; 2];
        let parts = sizes.as_flattened().iter().zip(counts.as_flattened());
        // The last set has the least significant part of the number.
        for (set, (&size, &count)) in sets.as_flattened_mut().iter_mut().zip(parts).rev() {
            *set = self.sets[size][rest % count];
            rest /= count;
        }
        let [[soldiers, kings], enemy] = sets;
        let [enemy_soldiers, enemy_kings] =
            enemy.map(|set| self.rules.board.half_turn_square_set(set));
        let occupied = soldiers | kings | enemy_soldiers | enemy_kings;
        let pieces = armies.map(Army::piece_count).iter().sum::<usize>();
        (occupied.count_ones() as usize == pieces).then_some(Position {
            soldiers: [soldiers, enemy_soldiers],
            kings: [kings, enemy_kings],
            side: Side::First,
            full_move: 1,
        })
    }
}

impl EndgameNumbering for BushkaNumbering {
    const PIECES_NOUN: &'static str = "pieces";
    const MAX_PIECES: usize = MAX_NUMBERED_PIECES;

    fn new(rules: &Bushka, max_pieces: usize) -> BushkaNumbering {
        let Board { squares, last_ranks, .. } = rules.board;
        let board_squares: Vec<u64> = iter_squares(squares).map(|square| square.bit()).collect();
        let sets_of_size = |size: usize| {
            let ranked = std::iter::successors(Some((1_u64 << size) - 1), |&set| {
                Some(next_combination(set))
            });
            ranked
                .take(BINOMIALS[SQUARE_COUNT][size] as usize)
                .map(|set| {
                    bit_indices(set)
                        .fold(0, |squares, index| squares | board_squares[usize::from(index)])
                })
                .collect()
        };
        BushkaNumbering {
            rules: rules.clone(),
            max_pieces,
            squares_before: std::array::from_fn(|square| {
                (squares & ((1 << square) - 1)).count_ones() as u8
            }),
            sets: std::array::from_fn(sets_of_size),
            soldier_square_count: SQUARE_COUNT - last_ranks[0].count_ones() as usize,
        }
    }

    fn file_names(rules: &Bushka, pieces: usize) -> Vec<String> {
        groups_with_piece_count(pieces)
            .into_iter()
            .map(|armies| table_file_name(rules, armies))
            .collect()
    }

    fn group_file_name(&self, group: &[usize]) -> String {
        table_file_name(&self.rules, armies_of_class(group[0]))
    }

    fn piece_count(&self, group: &[usize]) -> usize {
        armies_of_class(group[0]).map(Army::piece_count).iter().sum()
    }
}

impl RetrogradeNumbering for BushkaNumbering {
    fn class_groups(&self) -> Vec<Vec<usize>> {
        let groups = (2..=self.max_pieces).flat_map(groups_with_piece_count);
        groups
            .map(|[first, second]| {
                let mut classes = vec![class_of_armies([first, second])];
                if first != second {
                    classes.push(class_of_armies([second, first]));
                }
                classes
            })
            .collect()
    }

    /// Returns 1, because only the half turn shares an index, and it swaps the sides.
    fn orbit_size(&self, _: &Position) -> u16 {
        1
    }

    fn move_leaves_group(&self, position: &Position, mv: Move) -> bool {
        position.is_promotion(&self.rules.board, mv) || captures::captured_pieces(position, mv) != 0
    }

    fn visit_predecessors(&self, position: &Position, mut visit: impl FnMut(TableIndex)) {
        let board = &self.rules.board;
        let side = !position.side;
        let own = side.index();
        let empty = position.empty_squares(board);
        let mut visit_if_quiet = |soldiers: u64, kings: u64| {
            let mut before = Position { side, ..*position };
            before.soldiers[own] = soldiers;
            before.kings[own] = kings;
            if !captures::must_capture(board, &before) {
                visit(self.index_of_pieces(
                    [side, !side].map(|side| self.pieces_seen_from_side(&before, side)),
                ));
            }
        };
        let (soldiers, kings) = (position.soldiers[own], position.kings[own]);
        Self::visit_soldiers_before_move(soldiers, empty, side, |soldiers| {
            visit_if_quiet(soldiers, kings);
        });
        Self::visit_kings_before_move(kings, empty, |kings| visit_if_quiet(soldiers, kings));
    }
}
