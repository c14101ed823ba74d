//! The positions of Alquerque as numbers, for tables of those with few checkers, under the rules whose positions have
//! no history, and under REQ.25.ALT.3, which forbids a player one step at most.
//!
//! Which step it forbids the numbers do not tell. So the tables hold for each position two values then, one for each
//! side: what it reaches at least if it is bound, whatever step is forbidden, and the other side is not.
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
    ALL, Direction, Image, SIZE, half_turn, map_set, mirror_antidiagonal, mirror_diagonal, mirror_files, mirror_ranks,
    spots,
};
use super::moves::Move;
use super::position::Position;
use super::rules::{Alquerque, BaseRow, Movement, MultiCapture, Removal};

/// How many points there are.
const POINTS: usize = SIZE as usize * SIZE as usize;
/// Class numbers count the checkers of each side from 0 to 12.
const COUNTS: usize = 13;
/// The most checkers that positions with numbers have.
pub const MOST: usize = COUNTS - 1;
/// What is added to a class number if the other side, and not the one to move, is bound by REQ.25.
const OTHER_IS_BOUND: usize = COUNTS * COUNTS;

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

/// Sets of points up to the symmetries of the rules.
pub struct Orbits {
    /// For each symmetry and file, the images of the sets on that file.
    images: Vec<[[u32; 1 << SIZE]; SIZE as usize]>,
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
        let largest = most.saturating_sub(1).min(MOST);
        let mut orbits = Orbits { images, sets: Sets::new(POINTS, largest), sizes: Vec::new() };
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
    fn row(&self, enemy: u32) -> Option<Row<'_>> {
        let of_size = self.sizes.get(enemy.count_ones() as usize)?;
        let (orbit, symmetries) = *of_size.orbit.get(EVERYWHERE.rank(enemy))?;
        let (_, rest) = of_size.first.get(orbit as usize)?;
        Some(Row { orbits: self, orbit: orbit as usize, symmetries, rest, enemy: enemy.count_ones() as usize })
    }
}

/// All points.
static EVERYWHERE: Rest = Rest::new(0);

/// The places in which the other side has the same checkers.
struct Row<'a> {
    orbits: &'a Orbits,
    orbit: usize,
    symmetries: u8,
    rest: &'a Rest,
    enemy: usize,
}

impl Row<'_> {
    /// The place of the position in which the side to move has these checkers, and how many symmetries leave it as it
    /// is.
    fn place(&self, own: u32) -> (Place, u16) {
        let count = own.count_ones() as usize;
        let (mut least, mut fixed) = (usize::MAX, 0);
        for symmetry in (0..self.orbits.images.len()).filter(|symmetry| self.symmetries >> symmetry & 1 != 0) {
            let number = self.rest.rank(self.orbits.image(symmetry, own));
            if number < least {
                (least, fixed) = (number, 0);
            }
            fixed += u16::from(number == least);
        }
        let class = count * COUNTS + self.enemy;
        (Place { class, number: self.orbit * choose(POINTS - self.enemy, count) + least }, fixed)
    }
}

/// The numbering of the positions with few checkers.
pub struct Checkers<'a> {
    rules: &'a Alquerque,
    orbits: &'a Orbits,
    most: usize,
}

impl<'a> Checkers<'a> {
    /// For positions with at most this many checkers in all (12 at most), under rules that know no history, or by which
    /// only Light may be forbidden a step.
    pub fn new(rules: &'a Alquerque, orbits: &'a Orbits, most: usize) -> Checkers<'a> {
        Checkers { rules, orbits, most }
    }

    /// Whether the other side may be forbidden a step, and not the one to move.
    fn other_is_bound(&self, position: &Position) -> bool {
        self.rules.binds[(!position.side).index()]
    }

    /// How many checkers the positions of a group have in all.
    pub fn checkers(&self, group: &[usize]) -> usize {
        group.first().map_or(0, |class| class % OTHER_IS_BOUND / COUNTS + class % COUNTS)
    }
}

/// The checkers of the side to move and of the other one, as if it were Light's turn.
fn as_light(position: &Position) -> [u32; 2] {
    match position.side {
        Side::First => position.men,
        Side::Second => [position.men[1], position.men[0]].map(|men| map_set(men, mirror_ranks)),
    }
}

/// The place of the same checkers if the other side is bound, or if it is not.
fn bound(place: Place, other_is_bound: bool) -> Place {
    Place { class: place.class % OTHER_IS_BOUND + if other_is_bound { OTHER_IS_BOUND } else { 0 }, ..place }
}

impl Orbits {
    /// How many checkers the positions have at most.
    pub fn most(&self) -> usize {
        self.sizes.len()
    }

    /// The place of a position, if it is none of those in which a side has no checkers, or too many.
    pub fn place(&self, position: &Position, other_is_bound: bool) -> Option<Place> {
        let [own, enemy] = as_light(position);
        let row = self.row(enemy).filter(|_| own != 0 && enemy != 0 && self.sizes.len() > own.count_ones() as usize)?;
        Some(bound(row.place(own).0, other_is_bound))
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
        let id = |own: usize, enemy: usize| own * COUNTS + enemy;
        let classes = |(a, b)| match (self.rules.binds[0], a == b) {
            (true, true) => vec![vec![id(a, a), id(a, a) + OTHER_IS_BOUND]],
            (true, false) => vec![vec![id(a, b), id(b, a) + OTHER_IS_BOUND], vec![id(b, a), id(a, b) + OTHER_IS_BOUND]],
            (false, true) => vec![vec![id(a, a)]],
            (false, false) => vec![vec![id(a, b), id(b, a)]],
        };
        counts(2, self.most).flat_map(classes).collect()
    }

    fn size(&self, class: usize) -> usize {
        let class = class % OTHER_IS_BOUND;
        let (own, enemy) = (class / COUNTS, class % COUNTS);
        self.orbits.sizes[enemy].first.len() * choose(POINTS - enemy, own)
    }

    fn place(&self, position: &Position) -> Option<Place> {
        self.orbits.place(position, self.other_is_bound(position))
    }

    fn position(&self, place: Place) -> Option<Position> {
        let Place { class, .. } = bound(place, false);
        let (count, enemies) = (class / COUNTS, class % COUNTS);
        let row = choose(POINTS - enemies, count);
        let (enemy, _) = self.orbits.sizes[enemies].first[place.number / row];
        let own = self.orbits.sets.get(count, place.number % row, enemy);
        // Of positions that symmetries map on each other only one has the place.
        let symmetric = self.orbits.row(enemy)?;
        let is_first = symmetric.symmetries == 1 || symmetric.place(own).0 == bound(place, false);
        // It is Light that is bound, if anybody is.
        let (side, men) = match place.class < OTHER_IS_BOUND {
            true => (Side::First, [own, enemy]),
            false => (Side::Second, [enemy, own].map(|men| map_set(men, mirror_ranks))),
        };
        is_first.then_some(Position { men, banned: [0; 8], spent: 0, huff: 0, full_move: 1, side })
    }

    fn images(&self, position: &Position) -> u16 {
        let [own, enemy] = as_light(position);
        let fixed = self.orbits.row(enemy).map_or(1, |row| row.place(own).1);
        self.orbits.images.len() as u16 / fixed
    }

    fn leaves_group(&self, _: &Position, mv: Move) -> bool {
        !mv.is_step()
    }

    fn spare(&self, class: usize) -> u16 {
        u16::from(self.rules.binds[0] && class < OTHER_IS_BOUND)
    }

    fn predecessors(&self, position: &Position, _: &mut Vec<Move>, mut visit: impl FnMut(Place)) {
        // As the side that has moved sees it, and as if it had still to move.
        let [enemy, own] = as_light(position).map(|men| map_set(men, mirror_ranks));
        let after = Position { men: [own, enemy], side: Side::First, ..*position };
        let other_is_bound = self.other_is_bound(&Position { side: !position.side, ..*position });
        let Some(row) = self.orbits.row(enemy) else { return };
        let free = ALL & !after.occupied();
        for direction in Direction::ALL {
            for from in spots(direction.behind(own) & free & self.rules.step_from[0][direction.index()]) {
                let men = own ^ from.bit() ^ direction.ahead(from.bit());
                let before = Position { men: [men, enemy], ..after };
                if self.rules.jumpers(&before) == 0 {
                    visit(bound(row.place(men).0, other_is_bound));
                }
            }
        }
    }
}
