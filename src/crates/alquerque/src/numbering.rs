//! Numbers the positions of Alquerque, for tablebases of positions with few checkers. The numbering
//! is for rules without history, in which earlier moves do not restrict later moves.
//!
//! Every position is converted to a position with Light to move. If Dark is to move, the mirror
//! that swaps near and far ranks exchanges the sides. A class consists of all positions in which
//! the side to move and the other side have given numbers of checkers. A group consists of the
//! classes that share a file.
//!
//! Within a class the numbering is a perfect hash by [ranking
//! combinations](pentarch_tables::combinations), reduced by the symmetries of the board. The hash
//! first ranks the set of the other side's checkers, up to symmetry. Then the hash ranks the set of
//! the checkers of the side to move, among the remaining points. Therefore positions that differ
//! only in the checkers of the side to move, such as the predecessors of a position, have numbers
//! close to each other.
//!
//! Positions that symmetries map onto each other share an index. The index *belongs* to one of
//! these positions, and [`PointSetOrbits::decode_position`] returns this position.

use pentarch_core::Side;
use pentarch_core::notation::points::bit_indices;
use pentarch_tables::combinations::{Combinations, FreePoints, binomial};
use pentarch_tables::endgame_tables::EndgameNumbering;
use pentarch_tables::{PositionNumbering, RetrogradeNumbering, TableIndex};

use super::board::{
    ALL_POINTS, BOARD_SIZE, BoardPoint, Direction, POINT_COUNT, SymmetryFn, half_turn_point,
    iter_points_of_set, map_direction, map_point, map_point_set, mirror_antidiagonal,
    mirror_diagonal, mirror_files, mirror_ranks,
};
use super::moves::Move;
use super::position::Position;
use super::rules::{Alquerque, BaseRowRule, CaptureRemovalRule, MovementRule, MultiCaptureRule};

/// The number of possible checker counts of a side: 0 to 12.
pub const CHECKER_COUNT_VALUES_PER_SIDE: usize = 13;
/// The maximum number of checkers in a numbered position, both sides together.
pub const MAX_CHECKERS_IN_NUMBERED_POSITION: usize = CHECKER_COUNT_VALUES_PER_SIDE - 1;
/// The symmetries of the board under free movement. Only the first two are symmetries under Bell's
/// movement.
const BOARD_SYMMETRIES: [SymmetryFn; 8] = [
    |point| point,
    mirror_files,
    mirror_ranks,
    half_turn_point,
    mirror_diagonal,
    mirror_antidiagonal,
    |point| mirror_files(mirror_diagonal(point)),
    |point| mirror_ranks(mirror_diagonal(point)),
];

/// The number of a step, computed from its first point and its direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct StepNumber(pub u8);

impl StepNumber {
    /// Returns the number of the step from this point in this direction.
    pub fn new(from: BoardPoint, direction: Direction) -> StepNumber {
        StepNumber((from.index() * Direction::ALL.len() + direction.index()) as u8)
    }
}

/// The orbits of sets of points under the symmetries of the rules. The orbit of a set is the
/// collection of all its images under the symmetries.
pub struct PointSetOrbits {
    /// The maximum number of checkers in a position, both sides together.
    pub max_checkers: usize,
    /// For each symmetry and file, the images of the sets of points on that file.
    images: Vec<[[u32; 1 << BOARD_SIZE]; BOARD_SIZE as usize]>,
    /// For each symmetry, the images of all steps, in the order of their numbers. A step is a point
    /// and a direction.
    steps: Vec<Vec<StepNumber>>,
    /// The sets by size and rank.
    sets: Combinations,
    /// The orbits by the size of their sets.
    sizes: Vec<OrbitsOfSize>,
}

struct OrbitsOfSize {
    /// For each set of this size, its orbit, in the order of the ranks of the sets.
    members: Box<[OrbitMember]>,
    representatives: Vec<OrbitRepresentative>,
}

/// A set and its orbit.
#[derive(Clone, Copy, Default)]
struct OrbitMember {
    orbit: u32,
    /// The symmetries that map the set to the representative of its orbit, one bit for each.
    symmetries: u8,
}

/// The representative of an orbit: the set with the lowest rank.
struct OrbitRepresentative {
    set: u32,
    /// The points that the set leaves free.
    free: FreePoints,
}

/// A position that belongs to an index, seen with Light to move.
pub struct DecodedPosition {
    /// The checkers of the side to move.
    pub own: u32,
    /// The checkers of the other side.
    pub enemy: u32,
    /// The symmetries that map the position onto itself.
    pub symmetries: SymmetrySet,
}

/// The index of a position.
pub struct PositionIndex {
    /// The index.
    pub index: TableIndex,
    /// The symmetries that map the position to its canonical image, which has an index.
    pub symmetries: SymmetrySet,
}

impl PointSetOrbits {
    /// Creates the orbits for positions with at most `max_checkers` checkers, both sides together,
    /// under these rules. `max_checkers` is at most [`MAX_CHECKERS_IN_NUMBERED_POSITION`].
    pub fn new(rules: &Alquerque, max_checkers: usize) -> PointSetOrbits {
        let count = if rules.movement == MovementRule::Free { BOARD_SYMMETRIES.len() } else { 2 };
        let symmetries = &BOARD_SYMMETRIES[..count];
        let largest = max_checkers.saturating_sub(1).min(MAX_CHECKERS_IN_NUMBERED_POSITION);
        let mut orbits = PointSetOrbits {
            max_checkers,
            images: symmetries
                .iter()
                .map(|&symmetry| images_of_file_point_sets(symmetry))
                .collect(),
            steps: symmetries.iter().map(|&symmetry| images_of_all_steps(symmetry)).collect(),
            sets: Combinations::new(POINT_COUNT, largest),
            sizes: Vec::new(),
        };
        orbits.sizes = (0..=largest).map(|size| orbits.orbits_of_size(size)).collect();
        orbits
    }

    fn orbits_of_size(&self, size: usize) -> OrbitsOfSize {
        let mut members =
            vec![OrbitMember::default(); binomial(POINT_COUNT, size)].into_boxed_slice();
        let mut representatives = Vec::new();
        for number in 0..members.len() {
            if members[number].symmetries != 0 {
                continue;
            }
            let set = self.sets.get(size, number, 0);
            for symmetry in 0..self.images.len() {
                let image = self.set_image(symmetry, set);
                let inverses =
                    (0..self.images.len()).filter(|&inverse| self.set_image(inverse, image) == set);
                members[EMPTY_BOARD_FREE_POINTS.number_of_set(image)] = OrbitMember {
                    orbit: representatives.len() as u32,
                    symmetries: inverses.fold(0, |bits, inverse| bits | 1 << inverse),
                };
            }
            representatives
                .push(OrbitRepresentative { set, free: FreePoints::new(set | !ALL_POINTS) });
        }
        OrbitsOfSize { members, representatives }
    }

    /// Returns the image of a set under one of the symmetries.
    fn set_image(&self, symmetry: usize, set: u32) -> u32 {
        let files = self.images[symmetry].iter().enumerate();
        files.fold(0, |image, (file, images)| {
            image | images[(set >> (file * usize::from(BOARD_SIZE))) as usize & 0x1f]
        })
    }

    /// Returns the numbering of the positions with these checkers of the other side. Returns `None`
    /// if there are too many checkers.
    pub fn numbering_for_fixed_enemy(&self, enemy: u32) -> Option<FixedEnemyNumbering<'_>> {
        let size = self.sizes.get(enemy.count_ones() as usize)?;
        let OrbitMember { orbit, symmetries } =
            *size.members.get(EMPTY_BOARD_FREE_POINTS.number_of_set(enemy))?;
        let orbit = orbit as usize;
        Some(FixedEnemyNumbering {
            orbits: self,
            orbit,
            symmetries,
            free: &size.representatives.get(orbit)?.free,
            enemy_count: enemy.count_ones() as usize,
        })
    }

    /// Returns the number of indices of a class. Not every index belongs to a position.
    pub fn class_size(&self, class: usize) -> usize {
        let own = class / CHECKER_COUNT_VALUES_PER_SIDE;
        let enemy = class % CHECKER_COUNT_VALUES_PER_SIDE;
        self.sizes[enemy].representatives.len() * binomial(POINT_COUNT - enemy, own)
    }

    /// Returns the position to which this index belongs, if there is one.
    pub fn decode_position(&self, index: TableIndex) -> Option<DecodedPosition> {
        let own_count = index.class / CHECKER_COUNT_VALUES_PER_SIDE;
        let enemy_count = index.class % CHECKER_COUNT_VALUES_PER_SIDE;
        let row_length = binomial(POINT_COUNT - enemy_count, own_count);
        let enemy = self.sizes[enemy_count].representatives[index.number / row_length].set;
        let own = self.sets.get(own_count, index.number % row_length, enemy);
        let numbering = self.numbering_for_fixed_enemy(enemy)?;
        if numbering.symmetries == 1 {
            return Some(DecodedPosition { own, enemy, symmetries: SymmetrySet(1) });
        }
        let PositionIndex { index: canonical, symmetries } = numbering.index(own);
        (canonical == index).then_some(DecodedPosition { own, enemy, symmetries })
    }

    /// Returns the number of different positions that share an index. `symmetries` are the
    /// symmetries that map the position of the index onto itself.
    pub fn count_positions_sharing_index(&self, symmetries: SymmetrySet) -> u16 {
        self.images.len() as u16 / symmetries.count()
    }
}

/// Returns, for each file and each set of points on this file, the image of the set under a
/// symmetry.
fn images_of_file_point_sets(
    symmetry: SymmetryFn,
) -> [[u32; 1 << BOARD_SIZE]; BOARD_SIZE as usize] {
    std::array::from_fn(|file| {
        std::array::from_fn(|set| {
            map_point_set((set as u32) << (file * usize::from(BOARD_SIZE)), symmetry)
        })
    })
}

/// Returns the images of all steps under this symmetry, in the order of their numbers.
fn images_of_all_steps(symmetry: SymmetryFn) -> Vec<StepNumber> {
    let mut images = Vec::new();
    for from in iter_points_of_set(ALL_POINTS) {
        for direction in Direction::ALL {
            let image = map_point(from, symmetry);
            images.push(StepNumber::new(image, map_direction(direction, symmetry)));
        }
    }
    images
}

/// All points, none of them occupied.
static EMPTY_BOARD_FREE_POINTS: FreePoints = FreePoints::new(0);

/// The numbering of the positions in which the other side's checkers are a given set. The symmetric
/// images of the set have the same numbering.
pub struct FixedEnemyNumbering<'a> {
    orbits: &'a PointSetOrbits,
    /// The orbit to which the set of these checkers belongs.
    orbit: usize,
    /// The symmetries that map the set to the representative of its orbit, one bit for each.
    symmetries: u8,
    /// The points that the representative leaves free.
    free: &'a FreePoints,
    enemy_count: usize,
}

impl FixedEnemyNumbering<'_> {
    /// Returns the index of the position with these checkers of the side to move.
    pub fn index(&self, own: u32) -> PositionIndex {
        let own_count = own.count_ones() as usize;
        let mut least = usize::MAX;
        let mut symmetries = 0;
        for symmetry in bit_indices(self.symmetries.into()) {
            let number = self.free.number_of_set(self.orbits.set_image(symmetry.into(), own));
            if number < least {
                least = number;
                symmetries = 0;
            }
            symmetries |= u8::from(number == least) << symmetry;
        }
        let row_length = binomial(POINT_COUNT - self.enemy_count, own_count);
        PositionIndex {
            index: TableIndex {
                class: class_of_checker_counts(own_count, self.enemy_count),
                number: self.orbit * row_length + least,
            },
            symmetries: SymmetrySet(symmetries),
        }
    }
}

/// Returns the class with `own` checkers of the side to move and `enemy` checkers of the other
/// side.
pub fn class_of_checker_counts(own: usize, enemy: usize) -> usize {
    own * CHECKER_COUNT_VALUES_PER_SIDE + enemy
}

/// A set of at least one symmetry, with one bit for each symmetry of the rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SymmetrySet(u8);

impl SymmetrySet {
    /// Returns the number of symmetries in the set.
    pub fn count(self) -> u16 {
        self.0.count_ones() as u16
    }

    /// Returns the image of a step under the first symmetry in the set.
    pub fn step_image_by_first_symmetry(
        self,
        orbits: &PointSetOrbits,
        step: StepNumber,
    ) -> StepNumber {
        orbits.steps[self.0.trailing_zeros() as usize & 7][usize::from(step.0)]
    }

    /// Returns the images of a step under all symmetries of the set. An image can occur several
    /// times.
    pub fn images_of_step(
        self,
        orbits: &PointSetOrbits,
        step: StepNumber,
    ) -> impl Iterator<Item = StepNumber> {
        let steps = orbits
            .steps
            .iter()
            .enumerate()
            .filter(move |&(symmetry, _)| self.0 >> symmetry & 1 != 0);
        steps.map(move |(_, steps)| steps[usize::from(step.0)])
    }
}

/// The numbering of the positions with few checkers.
pub struct AlquerqueNumbering {
    rules: Alquerque,
    orbits: PointSetOrbits,
}

/// Returns the checkers of the side to move and those of the other side. If Dark is to move, the
/// board is mirrored, so that the side to move takes Light's role.
fn checkers_as_light(position: &Position) -> [u32; 2] {
    let [light, dark] = position.checkers;
    match position.side {
        Side::First => [light, dark],
        Side::Second => [dark, light].map(|checkers| map_point_set(checkers, mirror_ranks)),
    }
}

/// Creates the position with these light and dark checkers, this side to move, and no history.
pub fn position_without_history(checkers: [u32; 2], side: Side) -> Position {
    Position { checkers, banned: [0; 8], spent: 0, huff: 0, full_move: 1, side }
}

/// The numbers of checkers of the two sides, the smaller number first.
#[derive(Debug, Clone, Copy)]
pub struct CheckerCounts {
    /// The smaller number. If the numbers are equal, both fields have this number.
    pub fewer: usize,
    /// The larger of the two numbers.
    pub more: usize,
}

impl CheckerCounts {
    /// Returns the numbers of all positions of a group.
    fn of_group(group: &[usize]) -> CheckerCounts {
        let class = group.first().copied().unwrap_or_default();
        CheckerCounts {
            fewer: class / CHECKER_COUNT_VALUES_PER_SIDE,
            more: class % CHECKER_COUNT_VALUES_PER_SIDE,
        }
    }

    /// Returns all pairs of numbers whose sum is from `least` to `most`, in ascending order of the
    /// sum.
    pub fn with_sum_between(least: usize, most: usize) -> impl Iterator<Item = CheckerCounts> {
        (least..=most).flat_map(|sum| {
            (1..=sum / 2).map(move |fewer| CheckerCounts { fewer, more: sum - fewer })
        })
    }
}

/// Returns the name of the table file for these numbers of checkers. `rules` are rules without
/// history. Rules that differ only in repetition share their files.
fn table_file_name(rules: &Alquerque, counts: CheckerCounts) -> String {
    let multi_capture = match rules.multi_capture {
        MultiCaptureRule::Off => "off",
        MultiCaptureRule::Stop => "stop",
        MultiCaptureRule::Complete => "complete",
        MultiCaptureRule::Maximum => "maximum",
    };
    let removal = match rules.removal {
        CaptureRemovalRule::Instant => "instant",
        CaptureRemovalRule::After => "after",
    };
    let movement = match rules.movement {
        MovementRule::Free => "free",
        MovementRule::Bell(BaseRowRule::Horizontal) => "bell-horizontal",
        MovementRule::Bell(_) => "bell",
    };
    let win = if rules.blocked_loses { "block" } else { "capture" };
    let CheckerCounts { fewer, more } = counts;
    format!("alquerque-{multi_capture}-{removal}-{movement}-{win}-{fewer}-{more}")
}

impl PositionNumbering for AlquerqueNumbering {
    type Rules = Alquerque;

    fn rules(&self) -> &Alquerque {
        &self.rules
    }

    fn class_size(&self, class: usize) -> usize {
        self.orbits.class_size(class)
    }

    fn index_of_position(&self, position: &Position) -> Option<TableIndex> {
        let checkers = position.occupied_points().count_ones() as usize;
        if checkers > self.orbits.max_checkers || position.checkers.contains(&0) {
            return None;
        }
        let [own, enemy] = checkers_as_light(position);
        Some(self.orbits.numbering_for_fixed_enemy(enemy)?.index(own).index)
    }

    fn position_at_index(&self, index: TableIndex) -> Option<Position> {
        let DecodedPosition { own, enemy, .. } = self.orbits.decode_position(index)?;
        Some(position_without_history([own, enemy], Side::First))
    }
}

impl EndgameNumbering for AlquerqueNumbering {
    const PIECES_NOUN: &'static str = "checkers";
    const MAX_PIECES: usize = MAX_CHECKERS_IN_NUMBERED_POSITION;

    /// Creates the numbering. `rules` must be rules without history.
    fn new(rules: &Alquerque, max_checkers: usize) -> AlquerqueNumbering {
        AlquerqueNumbering {
            rules: rules.clone(),
            orbits: PointSetOrbits::new(rules, max_checkers),
        }
    }

    fn file_names(rules: &Alquerque, checkers: usize) -> Vec<String> {
        CheckerCounts::with_sum_between(checkers, checkers)
            .map(|counts| table_file_name(rules, counts))
            .collect()
    }

    fn group_file_name(&self, group: &[usize]) -> String {
        table_file_name(&self.rules, CheckerCounts::of_group(group))
    }

    fn piece_count(&self, group: &[usize]) -> usize {
        let CheckerCounts { fewer, more } = CheckerCounts::of_group(group);
        fewer + more
    }
}

impl RetrogradeNumbering for AlquerqueNumbering {
    fn class_groups(&self) -> Vec<Vec<usize>> {
        let groups = CheckerCounts::with_sum_between(2, self.orbits.max_checkers).map(|counts| {
            let CheckerCounts { fewer, more } = counts;
            if fewer == more {
                vec![class_of_checker_counts(fewer, more)]
            } else {
                vec![class_of_checker_counts(fewer, more), class_of_checker_counts(more, fewer)]
            }
        });
        groups.collect()
    }

    fn orbit_size(&self, position: &Position) -> u16 {
        let [own, enemy] = checkers_as_light(position);
        let Some(numbering) = self.orbits.numbering_for_fixed_enemy(enemy) else { return 1 };
        self.orbits.count_positions_sharing_index(numbering.index(own).symmetries)
    }

    fn move_leaves_group(&self, _: &Position, mv: Move) -> bool {
        !mv.is_step()
    }

    fn visit_predecessors(&self, position: &Position, mut visit: impl FnMut(TableIndex)) {
        // The board is mirrored as if the side that has just moved were to move again.
        let [enemy, own] =
            checkers_as_light(position).map(|checkers| map_point_set(checkers, mirror_ranks));
        let after = Position { checkers: [own, enemy], side: Side::First, ..*position };
        let Some(numbering) = self.orbits.numbering_for_fixed_enemy(enemy) else { return };
        let free = ALL_POINTS & !after.occupied_points();
        for direction in Direction::ALL {
            let starts = self.rules.step_start_points[0][direction.index()];
            for from in iter_points_of_set(direction.shift_set_back(own) & free & starts) {
                let own_before = own ^ from.bit() ^ direction.shift_set(from.bit());
                let before = Position { checkers: [own_before, enemy], ..after };
                if self.rules.jumping_checkers(&before) == 0 {
                    visit(numbering.index(own_before).index);
                }
            }
        }
    }
}
