//! The positions of Alquerque as numbers, for tables of those with few checkers, under the rules whose positions have
//! no history.
//!
//! The side to move is taken for Light: otherwise the mirror that exchanges near and far makes it so. A class is how
//! many checkers the side to move has and how many the other one. In it, a number says where the other side's checkers
//! stand, up to the symmetries of the board, and then, of the points that are left, where those of the side to move do:
//! so the positions before a step have numbers close to each other.

use crate::core::Side;
use crate::tables::file::Filed;
use crate::tables::sets::{Rest, Sets, choose};
use crate::tables::{Numbering, Place};

use super::board::{
    ALL, Direction, Image, SIZE, Spot, half_turn, map_direction, map_set, map_spot, mirror_antidiagonal,
    mirror_diagonal, mirror_files, mirror_ranks, spots,
};
use super::moves::Move;
use super::position::Position;
use super::rules::{Alquerque, BaseRow, Movement, MultiCapture, Removal};

/// How many points there are.
const POINTS: usize = SIZE as usize * SIZE as usize;
/// Class numbers count the checkers of each side from 0 to 12.
pub const COUNTS: usize = 13;
/// The most checkers that positions with numbers have.
pub const MOST: usize = COUNTS - 1;
/// The symmetries of the board with free movement; the first two, and no more, are those of Bell's.
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

/// A step as a number: the point where it begins, and its direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Step(pub u8);

/// How many steps there would be if a line led everywhere.
const STEPS: usize = POINTS * Direction::ALL.len();

impl Step {
    /// The step from this point in this direction.
    pub fn new(from: Spot, direction: Direction) -> Step {
        Step((from.index() * Direction::ALL.len() + direction.index()) as u8)
    }

    /// All that there would be if a line led everywhere.
    fn all() -> impl Iterator<Item = (Spot, Direction)> {
        spots(ALL).flat_map(|from| Direction::ALL.map(|direction| (from, direction)))
    }
}

/// Sets of points up to the symmetries of the rules.
pub struct Orbits {
    /// For each symmetry and file, the images of the sets on that file.
    images: Vec<[[u32; 1 << SIZE]; SIZE as usize]>,
    /// For each symmetry, the images of the steps.
    steps: Vec<[Step; STEPS]>,
    sets: Sets,
    /// By the size of the sets.
    sizes: Vec<OfSize>,
}

/// The sets of one size.
struct OfSize {
    /// By the number of the set: the number of its orbit, and as bits the symmetries that map it to the orbit's first.
    orbit: Box<[(u32, u8)]>,
    /// The set of each orbit with the least number, and the points that it leaves.
    first: Vec<(u32, Rest)>,
}

impl Orbits {
    /// For positions with at most this many checkers in all (12 at most), under these rules.
    pub fn new(rules: &Alquerque, most: usize) -> Orbits {
        let count = if rules.movement == Movement::Free { SYMMETRIES.len() } else { 2 };
        let file = |image, file: usize| std::array::from_fn(|set| map_set((set as u32) << (file * POINTS / 5), image));
        let images = SYMMETRIES[..count].iter().map(|&image| std::array::from_fn(|at| file(image, at))).collect();
        let steps = |image| {
            let mut steps = [Step(0); STEPS];
            let all = Step::all().map(|(from, way)| Step::new(map_spot(from, image), map_direction(way, image)));
            steps.iter_mut().zip(all).for_each(|(step, image)| *step = image);
            steps
        };
        let steps = SYMMETRIES[..count].iter().map(|&image| steps(image)).collect();
        let largest = most.saturating_sub(1).min(MOST);
        let mut orbits = Orbits { images, steps, sets: Sets::new(POINTS, largest), sizes: Vec::new() };
        orbits.sizes = (0..=largest).map(|size| orbits.of_size(size)).collect();
        orbits
    }

    fn of_size(&self, size: usize) -> OfSize {
        let mut orbit = vec![(0, 0); choose(POINTS, size)].into_boxed_slice();
        let mut first = Vec::new();
        for number in 0..orbit.len() {
            if orbit[number].1 != 0 {
                continue;
            }
            // The images of the first set of an orbit; the way back to it is the inverse symmetry.
            let set = self.sets.get(size, number, 0);
            for symmetry in 0..self.images.len() {
                let image = self.image(symmetry, set);
                let entry = &mut orbit[EVERYWHERE.rank(image)];
                let back = (0..self.images.len()).filter(|&back| self.image(back, image) == set);
                *entry = (first.len() as u32, back.fold(0, |bits, back| bits | 1 << back));
            }
            first.push((set, Rest::new(set | !ALL)));
        }
        OfSize { orbit, first }
    }

    /// The image of a set under one of the symmetries.
    fn image(&self, symmetry: usize, set: u32) -> u32 {
        let files = self.images[symmetry].iter().enumerate();
        files.fold(0, |image, (file, images)| image | images[(set >> (file * POINTS / 5)) as usize & 0x1f])
    }

    /// The places in which the other side has these checkers, none if they are too many.
    pub fn row(&self, enemy: u32) -> Option<Row<'_>> {
        let of_size = self.sizes.get(enemy.count_ones() as usize)?;
        let (orbit, symmetries) = *of_size.orbit.get(EVERYWHERE.rank(enemy))?;
        let (_, rest) = of_size.first.get(orbit as usize)?;
        Some(Row { orbits: self, orbit: orbit as usize, symmetries, rest, enemy: enemy.count_ones() as usize })
    }
}

/// All points.
static EVERYWHERE: Rest = Rest::new(0);

/// The places in which the other side has the same checkers.
pub struct Row<'a> {
    orbits: &'a Orbits,
    orbit: usize,
    symmetries: u8,
    rest: &'a Rest,
    enemy: usize,
}

impl Row<'_> {
    /// The place of the position in which the side to move has these checkers, and the symmetries that lead there.
    pub fn place(&self, own: u32) -> (Place, Symmetries) {
        let count = own.count_ones() as usize;
        let (mut least, mut lead) = (usize::MAX, 0);
        for symmetry in (0..self.orbits.images.len()).filter(|symmetry| self.symmetries >> symmetry & 1 != 0) {
            let number = self.rest.rank(self.orbits.image(symmetry, own));
            if number < least {
                (least, lead) = (number, 0);
            }
            lead |= u8::from(number == least) << symmetry;
        }
        let number = self.orbit * choose(POINTS - self.enemy, count) + least;
        (Place { class: class(count, self.enemy), number }, Symmetries(lead))
    }
}

/// The class of the positions in which the side to move and the other one have so many checkers.
pub fn class(own: usize, enemy: usize) -> usize {
    own * COUNTS + enemy
}

/// Symmetries of the rules, at least one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Symmetries(u8);

impl Symmetries {
    /// How many there are.
    pub fn count(self) -> u16 {
        self.0.count_ones() as u16
    }

    /// The image of a step under the first of them.
    pub fn image(self, orbits: &Orbits, step: Step) -> Step {
        orbits.steps[self.0.trailing_zeros() as usize & 7][usize::from(step.0)]
    }

    /// The image of a step under each of them; the same one several times, perhaps.
    pub fn images(self, orbits: &Orbits, step: Step) -> impl Iterator<Item = Step> {
        let steps = orbits.steps.iter().enumerate().filter(move |&(symmetry, _)| self.0 >> symmetry & 1 != 0);
        steps.map(move |(_, steps)| steps[usize::from(step.0)])
    }
}

/// The numbering of the positions with few checkers.
pub struct Checkers<'a> {
    rules: &'a Alquerque,
    orbits: &'a Orbits,
    most: usize,
}

impl<'a> Checkers<'a> {
    /// For positions with at most this many checkers in all (12 at most), under rules that know no history.
    pub fn new(rules: &'a Alquerque, orbits: &'a Orbits, most: usize) -> Checkers<'a> {
        Checkers { rules, orbits, most }
    }

    /// How many checkers the positions of a group have in all.
    pub fn checkers(&self, group: &[usize]) -> usize {
        group.first().map_or(0, |class| class / COUNTS + class % COUNTS)
    }
}

/// The checkers of the side to move and of the other one, as if it were Light's turn.
fn as_light(position: &Position) -> [u32; 2] {
    match position.side {
        Side::First => position.men,
        Side::Second => [position.men[1], position.men[0]].map(|men| map_set(men, mirror_ranks)),
    }
}

impl Orbits {
    /// The place of a position, if it is none of those in which a side has no checkers, or too many.
    pub fn place(&self, position: &Position) -> Option<Place> {
        let [own, enemy] = as_light(position);
        let row = self.row(enemy).filter(|_| own != 0 && enemy != 0 && self.sizes.len() > own.count_ones() as usize)?;
        Some(row.place(own).0)
    }

    /// How many numbers a class has. Not each of them need be that of a position.
    pub fn size(&self, class: usize) -> usize {
        let (own, enemy) = (class / COUNTS, class % COUNTS);
        self.sizes[enemy].first.len() * choose(POINTS - enemy, own)
    }

    /// The checkers of the side to move and of the other one at a place, up to symmetry, and the symmetries that leave
    /// them as they are; none if no position has this place.
    pub fn men(&self, place: Place) -> Option<([u32; 2], Symmetries)> {
        let (count, enemies) = (place.class / COUNTS, place.class % COUNTS);
        let row = choose(POINTS - enemies, count);
        let (enemy, _) = self.sizes[enemies].first[place.number / row];
        let own = self.sets.get(count, place.number % row, enemy);
        // Of positions that symmetries map on each other only one has the place.
        let symmetric = self.row(enemy)?;
        if symmetric.symmetries == 1 {
            return Some(([own, enemy], Symmetries(1)));
        }
        let (first, symmetries) = symmetric.place(own);
        (first == place).then_some(([own, enemy], symmetries))
    }

    /// How many different positions share the place of one that these symmetries leave as it is.
    pub fn images(&self, symmetries: Symmetries) -> u16 {
        self.images.len() as u16 / symmetries.count()
    }
}

/// How many checkers the sides can have that have so many in all, the side with fewer first; from few to many.
pub fn counts(least: usize, most: usize) -> impl Iterator<Item = (usize, usize)> {
    (least..=most).flat_map(|sum| (1..=sum / 2).map(move |less| (less, sum - less)))
}

/// The name of the tables of positions with so many checkers, the side with fewer first, under these rules without
/// history. Rules that differ in nothing but repetition share their tables.
pub fn name(rules: &Alquerque, (less, more): (usize, usize)) -> String {
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

impl Filed for Checkers<'_> {
    fn name(&self, group: &[usize]) -> String {
        let class = group.first().copied().unwrap_or_default();
        name(self.rules, (class / COUNTS, class % COUNTS))
    }
}

impl Numbering for Checkers<'_> {
    type Game = Alquerque;

    fn game(&self) -> &Alquerque {
        self.rules
    }

    fn groups(&self) -> Vec<Vec<usize>> {
        let classes = |(a, b)| if a == b { vec![class(a, a)] } else { vec![class(a, b), class(b, a)] };
        counts(2, self.most).map(classes).collect()
    }

    fn size(&self, class: usize) -> usize {
        self.orbits.size(class)
    }

    fn place(&self, position: &Position) -> Option<Place> {
        self.orbits.place(position)
    }

    fn position(&self, place: Place) -> Option<Position> {
        let (men, _) = self.orbits.men(place)?;
        Some(Position { men, banned: [0; 8], spent: 0, huff: 0, full_move: 1, side: Side::First })
    }

    fn images(&self, position: &Position) -> u16 {
        let [own, enemy] = as_light(position);
        self.orbits.row(enemy).map_or(1, |row| self.orbits.images(row.place(own).1))
    }

    fn leaves_group(&self, _: &Position, mv: Move) -> bool {
        !mv.is_step()
    }

    fn predecessors(&self, position: &Position, _: &mut Vec<Move>, mut visit: impl FnMut(Place)) {
        // As the side that has moved sees it, and as if it had still to move.
        let [enemy, own] = as_light(position).map(|men| map_set(men, mirror_ranks));
        let after = Position { men: [own, enemy], side: Side::First, ..*position };
        let Some(row) = self.orbits.row(enemy) else { return };
        let free = ALL & !after.occupied();
        for direction in Direction::ALL {
            for from in spots(direction.behind(own) & free & self.rules.step_from[0][direction.index()]) {
                let men = own ^ from.bit() ^ direction.ahead(from.bit());
                let before = Position { men: [men, enemy], ..after };
                if self.rules.jumpers(&before) == 0 {
                    visit(row.place(men).0);
                }
            }
        }
    }
}
