//! The positions of Alquerque as numbers, for tablebases of positions with few checkers, under
//! rules whose positions have no history.
//!
//! Every position is seen with Light to move. If Dark is to move, the mirror that swaps near and
//! far ranks exchanges the sides. A class is defined by the numbers of checkers of the side to move
//! and of the other side.
//!
//! Within a class the numbering is a perfect hash by [ranking
//! combinations](pentarch_tables::combinations), reduced by the symmetries of the board. It first
//! ranks the set of points with the other side's checkers, up to symmetry, and then, among the
//! remaining points, the set of points with the checkers of the side to move. So positions that
//! differ only in the checkers of the side to move, like the predecessors of a position, have
//! numbers close to each other. Positions that symmetries map onto each other share an index. The
//! index is said to belong to one of them, which [`PointSetOrbits::position_at`] returns.

use pentarch_core::Side;
use pentarch_core::notation::points::bit_indices;
use pentarch_tables::combinations::{Combinations, FreePoints, binomial};
use pentarch_tables::{Numbering, Retromoves, TableIndex};

use super::board::{
    ALL, BoardPoint, Direction, POINT_COUNT, SIZE, SymmetryFn, half_turn, iter_points,
    map_direction, map_point, map_set, mirror_antidiagonal, mirror_diagonal, mirror_files,
    mirror_ranks,
};
use super::moves::Move;
use super::position::Position;
use super::rules::{Alquerque, BaseRow, Movement, MultiCapture, Removal};

/// The number of different counts of checkers that a side can have in a class, from 0 to 12.
pub const COUNTS_PER_SIDE: usize = 13;
/// The maximum number of checkers of both sides together in positions that have numbers.
pub const MAX_CHECKERS: usize = COUNTS_PER_SIDE - 1;
/// The symmetries of the board under free movement. Only the first two are symmetries under Bell's
/// movement.
const SYMMETRIES: [SymmetryFn; 8] = [
    |point| point,
    mirror_files,
    mirror_ranks,
    half_turn,
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

/// The orbits of sets of points under the symmetries of the rules. An orbit consists of all images
/// of a set under the symmetries.
pub struct PointSetOrbits {
    /// The maximum number of checkers of the positions, both sides together.
    pub max_checkers: usize,
    /// For each symmetry and file, the images of the sets of points on that file.
    images: Vec<[[u32; 1 << SIZE]; SIZE as usize]>,
    /// For each symmetry, the images of all pairs of a point and a direction, in the order of the
    /// numbers of steps.
    steps: Vec<Vec<StepNumber>>,
    /// The sets by size and rank.
    sets: Combinations,
    /// The orbits by the size of their sets.
    sizes: Vec<OrbitsOfSize>,
}

/// The orbits of the sets of one size.
struct OrbitsOfSize {
    /// For each set, by its rank, its orbit.
    members: Box<[OrbitMember]>,
    /// The representative of each orbit.
    representatives: Vec<Representative>,
}

/// A set and its orbit.
#[derive(Clone, Copy, Default)]
struct OrbitMember {
    /// The number of the orbit.
    orbit: u32,
    /// The symmetries that map the set to the representative of the orbit, as bits.
    symmetries: u8,
}

/// The representative of an orbit: the set with the lowest rank.
struct Representative {
    set: u32,
    /// The points that the set leaves free.
    free: FreePoints,
}

/// A position, seen with Light to move, that has an index.
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
    /// The symmetries that map the position to the one to which the index belongs.
    pub symmetries: SymmetrySet,
}

impl PointSetOrbits {
    /// Creates the orbits for positions with at most `max_checkers` checkers, both sides together,
    /// under these rules. `max_checkers` is at most [`MAX_CHECKERS`].
    pub fn new(rules: &Alquerque, max_checkers: usize) -> PointSetOrbits {
        let count = if rules.movement == Movement::Free { SYMMETRIES.len() } else { 2 };
        let symmetries = &SYMMETRIES[..count];
        let largest = max_checkers.saturating_sub(1).min(MAX_CHECKERS);
        let mut orbits = PointSetOrbits {
            max_checkers,
            images: symmetries.iter().map(|&symmetry| file_images(symmetry)).collect(),
            steps: symmetries.iter().map(|&symmetry| step_images(symmetry)).collect(),
            sets: Combinations::new(POINT_COUNT, largest),
            sizes: Vec::new(),
        };
        orbits.sizes = (0..=largest).map(|size| orbits.orbits_of_size(size)).collect();
        orbits
    }

    /// Returns the orbits of the sets of one size.
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
                let image = self.image(symmetry, set);
                let inverses =
                    (0..self.images.len()).filter(|&inverse| self.image(inverse, image) == set);
                members[ALL_POINTS.rank(image)] = OrbitMember {
                    orbit: representatives.len() as u32,
                    symmetries: inverses.fold(0, |bits, inverse| bits | 1 << inverse),
                };
            }
            representatives.push(Representative { set, free: FreePoints::new(set | !ALL) });
        }
        OrbitsOfSize { members, representatives }
    }

    /// Returns the image of a set under one of the symmetries.
    fn image(&self, symmetry: usize, set: u32) -> u32 {
        let files = self.images[symmetry].iter().enumerate();
        files.fold(0, |image, (file, images)| {
            image | images[(set >> (file * usize::from(SIZE))) as usize & 0x1f]
        })
    }

    /// Returns the numbering of the positions in which the checkers of the other side are on these
    /// points. There is none if there are too many checkers.
    pub fn numbering_for_enemy(&self, enemy: u32) -> Option<EnemyNumbering<'_>> {
        let size = self.sizes.get(enemy.count_ones() as usize)?;
        let OrbitMember { orbit, symmetries } = *size.members.get(ALL_POINTS.rank(enemy))?;
        let orbit = orbit as usize;
        Some(EnemyNumbering {
            orbits: self,
            orbit,
            symmetries,
            free: &size.representatives.get(orbit)?.free,
            enemy_count: enemy.count_ones() as usize,
        })
    }

    /// Returns the number of indices of a class. Not every index belongs to a position.
    pub fn size(&self, class: usize) -> usize {
        let own = class / COUNTS_PER_SIDE;
        let enemy = class % COUNTS_PER_SIDE;
        self.sizes[enemy].representatives.len() * binomial(POINT_COUNT - enemy, own)
    }

    /// Returns the position to which this index belongs, if there is one.
    pub fn position_at(&self, index: TableIndex) -> Option<DecodedPosition> {
        let own_count = index.class / COUNTS_PER_SIDE;
        let enemy_count = index.class % COUNTS_PER_SIDE;
        let row_length = binomial(POINT_COUNT - enemy_count, own_count);
        let enemy = self.sizes[enemy_count].representatives[index.number / row_length].set;
        let own = self.sets.get(own_count, index.number % row_length, enemy);
        let numbering = self.numbering_for_enemy(enemy)?;
        if numbering.symmetries == 1 {
            return Some(DecodedPosition { own, enemy, symmetries: SymmetrySet(1) });
        }
        let PositionIndex { index: canonical, symmetries } = numbering.index(own);
        (canonical == index).then_some(DecodedPosition { own, enemy, symmetries })
    }

    /// Returns the number of different positions that share the index of a position which these
    /// symmetries map onto itself.
    pub fn image_count(&self, symmetries: SymmetrySet) -> u16 {
        self.images.len() as u16 / symmetries.count()
    }
}

/// Returns, for each file, the images of the sets of points on that file.
fn file_images(symmetry: SymmetryFn) -> [[u32; 1 << SIZE]; SIZE as usize] {
    std::array::from_fn(|file| {
        std::array::from_fn(|set| map_set((set as u32) << (file * usize::from(SIZE)), symmetry))
    })
}

/// Returns the images of all pairs of a point and a direction, in the order of the numbers of
/// steps.
fn step_images(symmetry: SymmetryFn) -> Vec<StepNumber> {
    let mut images = Vec::new();
    for from in iter_points(ALL) {
        for direction in Direction::ALL {
            let image = map_point(from, symmetry);
            images.push(StepNumber::new(image, map_direction(direction, symmetry)));
        }
    }
    images
}

/// All points, none of them occupied.
static ALL_POINTS: FreePoints = FreePoints::new(0);

/// The numbering of the positions in which the checkers of the other side are on the same points,
/// up to symmetry.
pub struct EnemyNumbering<'a> {
    orbits: &'a PointSetOrbits,
    /// The orbit of the set of these points.
    orbit: usize,
    /// The symmetries that map the set to the representative of its orbit, as bits.
    symmetries: u8,
    /// The points that the representative leaves free.
    free: &'a FreePoints,
    /// The number of checkers of the other side.
    enemy_count: usize,
}

impl EnemyNumbering<'_> {
    /// Returns the index of the position in which the checkers of the side to move are on these
    /// points.
    pub fn index(&self, own: u32) -> PositionIndex {
        let own_count = own.count_ones() as usize;
        let mut least = usize::MAX;
        let mut symmetries = 0;
        for symmetry in bit_indices(self.symmetries.into()) {
            let number = self.free.rank(self.orbits.image(symmetry.into(), own));
            if number < least {
                least = number;
                symmetries = 0;
            }
            symmetries |= u8::from(number == least) << symmetry;
        }
        let row_length = binomial(POINT_COUNT - self.enemy_count, own_count);
        PositionIndex {
            index: TableIndex {
                class: class_of_counts(own_count, self.enemy_count),
                number: self.orbit * row_length + least,
            },
            symmetries: SymmetrySet(symmetries),
        }
    }
}

/// Returns the class of the positions in which the side to move and the other side have these
/// numbers of checkers.
pub fn class_of_counts(own: usize, enemy: usize) -> usize {
    own * COUNTS_PER_SIDE + enemy
}

/// A set of at least one symmetry of the rules, as bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SymmetrySet(u8);

impl SymmetrySet {
    /// Returns the number of symmetries in the set.
    pub fn count(self) -> u16 {
        self.0.count_ones() as u16
    }

    /// Returns the image of a step under the first symmetry of the set.
    pub fn first_image(self, orbits: &PointSetOrbits, step: StepNumber) -> StepNumber {
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

impl AlquerqueNumbering {
    /// Creates the numbering of the positions with at most `max_checkers` checkers, both sides
    /// together, under rules without history.
    pub fn new(rules: &Alquerque, max_checkers: usize) -> AlquerqueNumbering {
        AlquerqueNumbering {
            rules: rules.clone(),
            orbits: PointSetOrbits::new(rules, max_checkers),
        }
    }

    /// Returns the number of checkers in the positions of a group, both sides together.
    pub fn checkers(&self, group: &[usize]) -> usize {
        group.first().map_or(0, |class| class / COUNTS_PER_SIDE + class % COUNTS_PER_SIDE)
    }

    /// Returns the name of the table file of a group.
    pub fn name(&self, group: &[usize]) -> String {
        let class = group.first().copied().unwrap_or_default();
        let counts =
            CheckerCounts { fewer: class / COUNTS_PER_SIDE, more: class % COUNTS_PER_SIDE };
        file_name(&self.rules, counts)
    }
}

/// Returns the checkers of the side to move and of the other side, as Light and Dark have them if
/// it is Light's turn.
fn as_light(position: &Position) -> [u32; 2] {
    let [light, dark] = position.checkers;
    match position.side {
        Side::First => [light, dark],
        Side::Second => [dark, light].map(|checkers| map_set(checkers, mirror_ranks)),
    }
}

/// Creates the position with these light and dark checkers, this side to move, and no history.
pub fn position_without_history(checkers: [u32; 2], side: Side) -> Position {
    Position { checkers, banned: [0; 8], spent: 0, huff: 0, full_move: 1, side }
}

/// The numbers of checkers of the two sides, in ascending order.
#[derive(Debug, Clone, Copy)]
pub struct CheckerCounts {
    /// The smaller number, or the number of each side if both have the same.
    pub fewer: usize,
    /// The larger number.
    pub more: usize,
}

impl CheckerCounts {
    /// Returns the numbers that the sides can have if together they have from `least` to `most`.
    /// They ascend by their sum.
    pub fn between(least: usize, most: usize) -> impl Iterator<Item = CheckerCounts> {
        (least..=most).flat_map(|sum| {
            (1..=sum / 2).map(move |fewer| CheckerCounts { fewer, more: sum - fewer })
        })
    }
}

/// Returns the name of the table file of the positions in which the sides have these numbers of
/// checkers, under these rules without history. Rules that differ only in repetition share their
/// files.
pub fn file_name(rules: &Alquerque, counts: CheckerCounts) -> String {
    let multi_capture = match rules.multi_capture {
        MultiCapture::Off => "off",
        MultiCapture::Stop => "stop",
        MultiCapture::Complete => "complete",
        MultiCapture::Maximum => "maximum",
    };
    let removal = match rules.removal {
        Removal::Instant => "instant",
        Removal::After => "after",
    };
    let movement = match rules.movement {
        Movement::Free => "free",
        Movement::Bell(BaseRow::Horizontal) => "bell-horizontal",
        Movement::Bell(_) => "bell",
    };
    let win = if rules.blocked_loses { "block" } else { "capture" };
    let CheckerCounts { fewer, more } = counts;
    format!("alquerque-{multi_capture}-{removal}-{movement}-{win}-{fewer}-{more}")
}

impl Numbering for AlquerqueNumbering {
    type Rules = Alquerque;

    fn rules(&self) -> &Alquerque {
        &self.rules
    }

    fn size(&self, class: usize) -> usize {
        self.orbits.size(class)
    }

    fn index(&self, position: &Position) -> Option<TableIndex> {
        let checkers = position.occupied().count_ones() as usize;
        if checkers > self.orbits.max_checkers || position.checkers.contains(&0) {
            return None;
        }
        let [own, enemy] = as_light(position);
        Some(self.orbits.numbering_for_enemy(enemy)?.index(own).index)
    }

    fn position(&self, index: TableIndex) -> Option<Position> {
        let DecodedPosition { own, enemy, .. } = self.orbits.position_at(index)?;
        Some(position_without_history([own, enemy], Side::First))
    }
}

impl Retromoves for AlquerqueNumbering {
    fn class_groups(&self) -> Vec<Vec<usize>> {
        let groups = CheckerCounts::between(2, self.orbits.max_checkers).map(|counts| {
            let CheckerCounts { fewer, more } = counts;
            if fewer == more {
                vec![class_of_counts(fewer, more)]
            } else {
                vec![class_of_counts(fewer, more), class_of_counts(more, fewer)]
            }
        });
        groups.collect()
    }

    fn orbit_size(&self, position: &Position) -> u16 {
        let [own, enemy] = as_light(position);
        let Some(numbering) = self.orbits.numbering_for_enemy(enemy) else { return 1 };
        self.orbits.image_count(numbering.index(own).symmetries)
    }

    fn leaves_group(&self, _: &Position, mv: Move) -> bool {
        !mv.is_step()
    }

    fn predecessors(&self, position: &Position, mut visit: impl FnMut(TableIndex)) {
        // The position as seen by the side that has just moved, with that side to move again.
        let [enemy, own] = as_light(position).map(|checkers| map_set(checkers, mirror_ranks));
        let after = Position { checkers: [own, enemy], side: Side::First, ..*position };
        let Some(numbering) = self.orbits.numbering_for_enemy(enemy) else { return };
        let free = ALL & !after.occupied();
        for direction in Direction::ALL {
            let starts = self.rules.step_starts[0][direction.index()];
            for from in iter_points(direction.shift_back(own) & free & starts) {
                let own_before = own ^ from.bit() ^ direction.shift(from.bit());
                let before = Position { checkers: [own_before, enemy], ..after };
                if self.rules.jumpers(&before) == 0 {
                    visit(numbering.index(own_before).index);
                }
            }
        }
    }
}
