//! The positions of Alquerque as numbers, for tablebases of those with few checkers, under rules whose positions have
//! no history.
//!
//! Every position is seen with Light to move; if Dark is to move, the mirror that swaps near and far ranks makes it so.
//! A class says how many checkers the side to move and the other side have.
//!
//! Within a class the numbering is a perfect hash by [ranking combinations](pentarch_tables::combinations), reduced by
//! the symmetries of the board: first the set of points on which the other side's checkers stand, up to symmetry, then,
//! among the points that are left, the set on which those of the side to move stand. So positions that differ only in
//! the checkers of the side to move, as the predecessors of a position do, have numbers close to each other. Positions
//! that symmetries map onto each other share an index, and one of them is said to have it: [`Orbits::men`] gives that
//! one.

use pentarch_core::Side;
use pentarch_core::notation::points::bits;
use pentarch_tables::combinations::{Combinations, FreePoints, choose};
use pentarch_tables::{Numbering, Retromoves, TableIndex};

use super::board::{
    ALL, Direction, Image, SIZE, Spot, half_turn, map_direction, map_set, map_spot,
    mirror_antidiagonal, mirror_diagonal, mirror_files, mirror_ranks, spots,
};
use super::moves::Move;
use super::position::Position;
use super::rules::{Alquerque, BaseRow, Movement, MultiCapture, Removal};

/// The number of points.
const POINTS: usize = SIZE as usize * SIZE as usize;
/// The number of different counts of checkers that a side can have in a class, from 0 to 12.
pub const COUNTS: usize = 13;
/// The greatest number of checkers, both sides together, of positions that have numbers.
pub const MAX_CHECKERS: usize = COUNTS - 1;
/// The symmetries of the board under free movement. Only the first two are symmetries under Bell's movement.
const SYMMETRIES: [Image; 8] = [
    |point| point,
    mirror_files,
    mirror_ranks,
    half_turn,
    mirror_diagonal,
    mirror_antidiagonal,
    |point| mirror_files(mirror_diagonal(point)),
    |point| mirror_ranks(mirror_diagonal(point)),
];

/// A step as a number, made of the point on which it begins and its direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Step(pub u8);

impl Step {
    /// The step from this point in this direction.
    pub fn new(from: Spot, direction: Direction) -> Step {
        Step((from.index() * Direction::ALL.len() + direction.index()) as u8)
    }
}

/// Sets of points up to the symmetries of the rules. An orbit is the set of all images of a set under the symmetries.
pub struct Orbits {
    /// The greatest number of checkers of the positions, both sides together.
    pub max_checkers: usize,
    /// For each symmetry and file, the images of the sets of points on that file.
    images: Vec<[[u32; 1 << SIZE]; SIZE as usize]>,
    /// For each symmetry, the images of all pairs of a point and a direction, in the order of the numbers of steps.
    steps: Vec<Vec<Step>>,
    /// The sets by size and rank.
    sets: Combinations,
    /// The orbits by the size of their sets.
    sizes: Vec<SizeOrbits>,
}

/// The orbits of the sets of one size.
struct SizeOrbits {
    /// For each set, by its rank: the number of its orbit, and as bits the symmetries that map it to the representative
    /// of the orbit.
    orbits: Box<[(u32, u8)]>,
    /// For each orbit: its representative, which is the set with the least rank, and the points that it leaves free.
    representatives: Vec<(u32, FreePoints)>,
}

impl Orbits {
    /// The orbits for positions with at most `max_checkers` checkers, both sides together, under these rules. That
    /// number is at most [`MAX_CHECKERS`].
    pub fn new(rules: &Alquerque, max_checkers: usize) -> Orbits {
        let count = if rules.movement == Movement::Free { SYMMETRIES.len() } else { 2 };
        let file = |image, file: usize| {
            std::array::from_fn(|set| map_set((set as u32) << (file * POINTS / 5), image))
        };
        let images = SYMMETRIES[..count]
            .iter()
            .map(|&image| std::array::from_fn(|at| file(image, at)))
            .collect();
        let all_steps =
            || spots(ALL).flat_map(|from| Direction::ALL.map(|direction| (from, direction)));
        let steps = |image| {
            let image = |(from, direction)| {
                Step::new(map_spot(from, image), map_direction(direction, image))
            };
            all_steps().map(image).collect()
        };
        let steps = SYMMETRIES[..count].iter().map(|&image| steps(image)).collect();
        let largest = max_checkers.saturating_sub(1).min(MAX_CHECKERS);
        let mut orbits = Orbits {
            max_checkers,
            images,
            steps,
            sets: Combinations::new(POINTS, largest),
            sizes: Vec::new(),
        };
        orbits.sizes = (0..=largest).map(|size| orbits.of_size(size)).collect();
        orbits
    }

    /// Finds the orbits of the sets of one size. The representative of each is the first of its sets in the order of
    /// ranks.
    fn of_size(&self, size: usize) -> SizeOrbits {
        let mut orbits = vec![(0, 0); choose(POINTS, size)].into_boxed_slice();
        let mut representatives = Vec::new();
        for number in 0..orbits.len() {
            if orbits[number].1 != 0 {
                continue;
            }
            let set = self.sets.get(size, number, 0);
            for symmetry in 0..self.images.len() {
                let image = self.image(symmetry, set);
                let entry = &mut orbits[ALL_POINTS.rank(image)];
                let inverses =
                    (0..self.images.len()).filter(|&inverse| self.image(inverse, image) == set);
                *entry = (
                    representatives.len() as u32,
                    inverses.fold(0, |bits, inverse| bits | 1 << inverse),
                );
            }
            representatives.push((set, FreePoints::new(set | !ALL)));
        }
        SizeOrbits { orbits, representatives }
    }

    /// The image of a set under one of the symmetries.
    fn image(&self, symmetry: usize, set: u32) -> u32 {
        let files = self.images[symmetry].iter().enumerate();
        files.fold(0, |image, (file, images)| {
            image | images[(set >> (file * POINTS / 5)) as usize & 0x1f]
        })
    }

    /// The indices of the positions in which the checkers of the other side stand on these points, up to symmetry; none
    /// if there are too many checkers.
    pub fn row(&self, enemy: u32) -> Option<Row<'_>> {
        let size = self.sizes.get(enemy.count_ones() as usize)?;
        let (orbit, symmetries) = *size.orbits.get(ALL_POINTS.rank(enemy))?;
        let (_, free) = size.representatives.get(orbit as usize)?;
        Some(Row {
            orbits: self,
            orbit: orbit as usize,
            symmetries,
            free,
            enemy_count: enemy.count_ones() as usize,
        })
    }

    /// The number of numbers in a class. Not every one of them belongs to a position.
    pub fn size(&self, class: usize) -> usize {
        let (own, enemy) = (class / COUNTS, class % COUNTS);
        self.sizes[enemy].representatives.len() * choose(POINTS - enemy, own)
    }

    /// The checkers of the side to move and of the other side in the position that has this index, and the symmetries
    /// that map it onto itself; none if no position has this index.
    pub fn men(&self, index: TableIndex) -> Option<([u32; 2], Symmetries)> {
        let (count, enemies) = (index.class / COUNTS, index.class % COUNTS);
        let row_length = choose(POINTS - enemies, count);
        let (enemy, _) = self.sizes[enemies].representatives[index.number / row_length];
        let own = self.sets.get(count, index.number % row_length, enemy);
        let row = self.row(enemy)?;
        if row.symmetries == 1 {
            return Some(([own, enemy], Symmetries(1)));
        }
        let (canonical, symmetries) = row.index(own);
        (canonical == index).then_some(([own, enemy], symmetries))
    }

    /// The number of different positions that share the index of a position which these symmetries map onto itself.
    pub fn images(&self, symmetries: Symmetries) -> u16 {
        self.images.len() as u16 / symmetries.count()
    }
}

/// All points, none of them occupied.
static ALL_POINTS: FreePoints = FreePoints::new(0);

/// The indices of all positions in which the checkers of the other side stand on the same points, up to symmetry.
pub struct Row<'a> {
    orbits: &'a Orbits,
    /// The orbit of the set of these points.
    orbit: usize,
    /// The symmetries that map the set to the representative of its orbit, as bits.
    symmetries: u8,
    /// The points that the representative leaves free.
    free: &'a FreePoints,
    /// The number of checkers of the other side.
    enemy_count: usize,
}

impl Row<'_> {
    /// The index of the position in which the checkers of the side to move stand on these points, and the symmetries
    /// that map it to the position that has the index.
    pub fn index(&self, own: u32) -> (TableIndex, Symmetries) {
        let count = own.count_ones() as usize;
        let (mut least, mut symmetries) = (usize::MAX, 0);
        for symmetry in bits(self.symmetries.into()) {
            let number = self.free.rank(self.orbits.image(symmetry.into(), own));
            if number < least {
                (least, symmetries) = (number, 0);
            }
            symmetries |= u8::from(number == least) << symmetry;
        }
        let number = self.orbit * choose(POINTS - self.enemy_count, count) + least;
        (TableIndex { class: class(count, self.enemy_count), number }, Symmetries(symmetries))
    }
}

/// The class of the positions in which the side to move and the other side have these numbers of checkers.
pub fn class(own: usize, enemy: usize) -> usize {
    own * COUNTS + enemy
}

/// A set of at least one symmetry of the rules, as bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Symmetries(u8);

impl Symmetries {
    /// The number of symmetries in the set.
    pub fn count(self) -> u16 {
        self.0.count_ones() as u16
    }

    /// The image of a step under the first symmetry of the set.
    pub fn image(self, orbits: &Orbits, step: Step) -> Step {
        orbits.steps[self.0.trailing_zeros() as usize & 7][usize::from(step.0)]
    }

    /// The images of a step under all symmetries of the set. The same image can occur several times.
    pub fn images(self, orbits: &Orbits, step: Step) -> impl Iterator<Item = Step> {
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
    orbits: Orbits,
}

impl AlquerqueNumbering {
    /// The numbering of the positions with at most `max_checkers` checkers, both sides together, under rules without
    /// history.
    pub fn new(rules: &Alquerque, max_checkers: usize) -> AlquerqueNumbering {
        AlquerqueNumbering { rules: rules.clone(), orbits: Orbits::new(rules, max_checkers) }
    }

    /// The number of checkers that the positions of a group have, both sides together.
    pub fn checkers(&self, group: &[usize]) -> usize {
        group.first().map_or(0, |class| class / COUNTS + class % COUNTS)
    }

    /// The name of the table file of a group.
    pub fn name(&self, group: &[usize]) -> String {
        let class = group.first().copied().unwrap_or_default();
        file_name(&self.rules, (class / COUNTS, class % COUNTS))
    }
}

/// The checkers of the side to move and of the other side, as Light and Dark have them if it is Light's turn.
fn as_light(position: &Position) -> [u32; 2] {
    match position.side {
        Side::First => position.men,
        Side::Second => [position.men[1], position.men[0]].map(|men| map_set(men, mirror_ranks)),
    }
}

/// The position with these light and dark checkers, this side to move, and no history.
pub fn position(men: [u32; 2], side: Side) -> Position {
    Position { men, banned: [0; 8], spent: 0, huff: 0, full_move: 1, side }
}

/// The numbers of checkers that the two sides can have if together they have from `least` to `most`, the lower number
/// first. They ascend by their sum.
pub fn counts(least: usize, most: usize) -> impl Iterator<Item = (usize, usize)> {
    (least..=most).flat_map(|sum| (1..=sum / 2).map(move |less| (less, sum - less)))
}

/// The name of the table file of the positions in which the sides have these numbers of checkers, the lower number
/// first, under these rules without history. Rules that differ in nothing but repetition share their files.
pub fn file_name(rules: &Alquerque, (less, more): (usize, usize)) -> String {
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
    format!("alquerque-{multi_capture}-{removal}-{movement}-{win}-{less}-{more}")
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
        if checkers > self.orbits.max_checkers || position.men.contains(&0) {
            return None;
        }
        let [own, enemy] = as_light(position);
        Some(self.orbits.row(enemy)?.index(own).0)
    }

    fn position(&self, index: TableIndex) -> Option<Position> {
        let (men, _) = self.orbits.men(index)?;
        Some(position(men, Side::First))
    }
}

impl Retromoves for AlquerqueNumbering {
    fn groups(&self) -> Vec<Vec<usize>> {
        let classes =
            |(a, b)| if a == b { vec![class(a, a)] } else { vec![class(a, b), class(b, a)] };
        counts(2, self.orbits.max_checkers).map(classes).collect()
    }

    fn images(&self, position: &Position) -> u16 {
        let [own, enemy] = as_light(position);
        self.orbits.row(enemy).map_or(1, |row| self.orbits.images(row.index(own).1))
    }

    fn leaves_group(&self, _: &Position, mv: Move) -> bool {
        !mv.is_step()
    }

    fn predecessors(&self, position: &Position, mut visit: impl FnMut(TableIndex)) {
        // The position as seen by the side that has just moved, with that side to move again.
        let [enemy, own] = as_light(position).map(|men| map_set(men, mirror_ranks));
        let after = Position { men: [own, enemy], side: Side::First, ..*position };
        let Some(row) = self.orbits.row(enemy) else { return };
        let free = ALL & !after.occupied();
        for direction in Direction::ALL {
            for from in
                spots(direction.behind(own) & free & self.rules.step_from[0][direction.index()])
            {
                let men = own ^ from.bit() ^ direction.ahead(from.bit());
                let before = Position { men: [men, enemy], ..after };
                if self.rules.jumpers(&before) == 0 {
                    visit(row.index(men).0);
                }
            }
        }
    }
}
