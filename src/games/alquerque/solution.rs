//! The tables of positions with few checkers: solved in memory, or read from files, and what they say.
//!
//! They hold under rules without history. Under others, those of the same rules without it give hints.

use std::path::Path;

use crate::core::text::quoted;
use crate::core::{Game, Probe, Side, TableFailure, TableNews, TablePlan, TableValue};
use crate::tables::check::first_fault;
use crate::tables::file::{self, Filed};
use crate::tables::later::Making;
use crate::tables::solve::{Effort, solve};
use crate::tables::{Numbering, Place, Tables, threads};

use super::Alquerque;
use super::board::Direction;
use super::bound::Bound;
use super::moves::Move;
use super::position::Position;
use super::rules::{BaseRow, MissedCapture, Movement, MultiCapture, Removal, Retreat};
use super::tables::{Checkers, MOST, Orbits, counts, name};

/// The book by which Light wins from the start under the rules of the preset modern, with REQ.25.ALT.3 and without it,
/// to where the tables take over. This command makes it: `pentarch --game alquerque prove --side light --tables 8
/// --memory 3000 --book modern.book startpos moves c2c3`.
static MODERN: &[u8] = include_bytes!("modern.book");
/// The book by which Light wins from the start under the rules of the preset bell, to the end. This command makes it:
/// `pentarch --game alquerque --set Alquerque_Ruleset=bell prove --side light --memory 8000 --book bell.book startpos
/// moves c2c3`.
static BELL: &[u8] = include_bytes!("bell.book");

/// How many checkers, at most, the positions have that are solved in memory if no file has them.
const SOLVED: usize = 6;
/// The same for positions in which a step may be forbidden to a side.
const SOLVED_BOUND: usize = 5;

/// The directions in which REQ.25.ALT.2 forbids steps that Bell's movement allows.
const SIDEWAYS: [Direction; 2] = [Direction(2), Direction(6)];

/// For each of those directions, the points where steps begin, as bits.
fn steps([right, left]: [u32; 2]) -> u64 {
    u64::from(right) | u64::from(left) << 32
}

/// The values of positions, and how to find them.
pub struct Solution {
    /// The positions have no more checkers than this.
    most: usize,
    orbits: Orbits,
    tables: Tables,
}

impl Solution {
    fn value(&self, position: &Position) -> Option<TableValue> {
        if position.occupied().count_ones() as usize > self.most {
            return None;
        }
        Some(self.tables.get(self.orbits.place(position)?)?.value())
    }

    /// Reads the files that there are in this directory, and solves the rest of the positions with at most so many
    /// checkers. An empty path stands for no directory.
    fn make(rules: &Alquerque, solved: usize, directory: &str, making: &Making<Solution>) -> Option<Solution> {
        let directory: Option<&Path> = (!directory.is_empty()).then_some(directory.as_ref());
        let (mut most, mut faults) = (solved, Vec::new());
        for counts in counts(solved + 1, MOST) {
            let checkers = counts.0 + counts.1;
            match directory.map_or(Ok(false), |directory| file::exists(&name(rules, counts), directory)) {
                Ok(true) => most = checkers,
                Ok(false) => {}
                Err(fault) => faults.push((checkers, fault)),
            }
        }
        // Those of fewer checkers are looked at once more.
        let of_no_use = faults.into_iter().filter(|&(checkers, _)| checkers > most);
        of_no_use.for_each(|(_, fault)| making.complain(fault));
        let orbits = Orbits::new(rules, most);
        let numbering = Checkers::new(rules, &orbits, most);
        let mut tables = Tables::default();
        for group in numbering.groups() {
            let loaded = directory.map(|directory| file::load(&numbering, &mut tables, &group, directory));
            let is_there = loaded.unwrap_or(Ok(false)).unwrap_or_else(|fault| {
                making.complain(fault);
                false
            });
            let is_small = numbering.checkers(&group) <= solved;
            if making.is_unwanted() || !is_there && is_small && !tables.solve(&numbering, &group, making) {
                return None;
            }
        }
        Some(Solution { most, orbits, tables })
    }
}

impl Alquerque {
    /// How many checkers, at most, the positions have of which the tables are exact.
    fn solved(&self) -> usize {
        if self.forbids_a_step() { SOLVED_BOUND } else { SOLVED }
    }

    /// Begins to make the tables of positions with at most so many checkers in which a step may be forbidden to a side,
    /// if these rules are such.
    fn begin_bound(&self, men: usize) {
        if self.forbids_a_step() {
            let rules = Alquerque { retreat: self.retreat, binds: [true, false], ..self.without_history() };
            self.bound.begin(move |making| Bound::make(rules, men, making));
        }
    }
}

impl Probe for Alquerque {
    /// Where a step may be forbidden to both sides, it is what each of them reaches that decides if it is forbidden to
    /// this side only: at least that.
    fn probe(&self, position: &Position) -> Option<TableValue> {
        if self.has_no_history() {
            return self.solution.get()?.value(position);
        }
        let bound = self.bound.get()?;
        let value = |side: Side| bound.value(position, side);
        match self.binds {
            [true, true] => match (value(position.side)?, value(!position.side)?) {
                (win @ TableValue::Win(_), _) => Some(win),
                (_, loss @ TableValue::Loss(_)) => Some(loss),
                (TableValue::Draw, TableValue::Draw) => Some(TableValue::Draw),
                _ => None,
            },
            [true, false] => value(Side::First),
            [false, _] => value(Side::Second),
        }
    }

    /// A huff that is due is another move than those of the rules without history.
    fn hint(&self, position: &Position) -> Option<TableValue> {
        self.solution.get().filter(|_| !self.has_no_history() && position.huff == 0)?.value(position)
    }

    fn begin_tables(&self) {
        let rules = self.without_history();
        self.solution.begin(move |making| Solution::make(&rules, SOLVED, making.source(), making));
        self.begin_bound(SOLVED_BOUND);
    }

    /// A proof rests on nothing but what this program has computed: files are not read.
    fn begin_proof_tables(&self, men: Option<usize>) {
        let men = men.unwrap_or(self.solved()).clamp(2, MOST);
        if self.has_no_history() {
            let rules = self.without_history();
            self.solution.begin(move |making| Solution::make(&rules, men, "", making));
        }
        self.begin_bound(men);
    }

    fn await_tables(&self, given_up: &dyn Fn() -> bool) {
        self.solution.wait(given_up);
        self.bound.wait(given_up);
    }

    /// That of modern forbids itself what REQ.25.ALT.3 forbids Light, and leaves Dark free: so it wins whether that
    /// holds or not.
    fn book(&self, position: &Position) -> Option<&'static [u8]> {
        let is_usual = self.multi_capture == MultiCapture::Complete
            && self.removal == Removal::Instant
            && self.missed_capture == MissedCapture::Illegal
            && self.blocked_loses;
        let is_as_far = position.occupied().count_ones() as usize > self.solved();
        match (self.movement, self.retreat) {
            (Movement::Free, Retreat::Free | Retreat::Player) if is_usual && is_as_far => Some(MODERN),
            (Movement::Bell(BaseRow::Free), Retreat::Checker) if is_usual => Some(BELL),
            _ => None,
        }
    }

    fn without_past_of(&self, position: &Position, side: Side) -> Position {
        let others = !position.men[side.index()];
        Position { banned: position.banned.map(|men| men & others), ..*position }
    }

    /// Steps along the ranks, no others: a position text may forbid one forwards, which no game does.
    fn forbidden(&self, position: &Position) -> Option<[u64; 2]> {
        let forbidden = |side: Side, way: Direction| {
            position.banned[way.index()] & position.men[side.index()] & self.step_from[side.index()][way.index()]
        };
        let is_usual =
            |way: &Direction| SIDEWAYS.contains(way) || Side::BOTH.iter().all(|&side| forbidden(side, *way) == 0);
        let applies = self.never_turns_back() && Direction::ALL.iter().all(is_usual);
        applies.then(|| Side::BOTH.map(|side| steps(SIDEWAYS.map(|way| forbidden(side, way)))))
    }

    fn forbidden_now(&self, position: &Position) -> u64 {
        let free = Position { banned: [0; 8], ..*position };
        let jumps = self.jumpers(position) != 0;
        let stopped = |way: Direction| self.steppers(&free, way) & position.banned[way.index()];
        if jumps { 0 } else { steps(SIDEWAYS.map(stopped)) }
    }

    fn forbids(&self, mv: Move) -> u64 {
        steps(SIDEWAYS.map(|way| if mv.step() == Some(way) { mv.from.bit() } else { 0 }))
    }

    fn set_by(&self, mv: Move) -> u64 {
        let (to, taken) = mv.reach();
        steps([mv.from.bit() | to | taken; 2])
    }

    /// Those in which REQ.25.ALT.3 binds only that side.
    fn easier_against(&self, side: Side) -> Option<Alquerque> {
        let binds = Side::BOTH.map(|bound| bound == side);
        (self.forbids_a_step() && self.binds == [true; 2]).then(|| Alquerque { binds, ..self.clone() })
    }

    fn table_faults(&self) -> Vec<String> {
        [self.solution.take_faults(), self.bound.take_faults()].concat()
    }

    fn make_tables(&self, plan: &TablePlan, tell: &(dyn Fn(TableNews) + Sync)) -> Result<(), TableFailure> {
        let men = plan.men.parse().ok().filter(|men| (2..=MOST).contains(men));
        let men = men.ok_or_else(|| {
            let fault = format!("tables of {} are for 2 to {MOST} checkers, not {}", Self::ID, quoted(plan.men));
            TableFailure::Refused(fault)
        })?;
        let rules = self.without_history();
        let orbits = Orbits::new(&rules, men);
        let numbering = Checkers::new(&rules, &orbits, men);
        let mut tables = Tables::default();
        let mut make = |group: &Vec<usize>| make_file(&numbering, &mut tables, group, plan, tell);
        numbering.groups().iter().try_for_each(&mut make).map_err(TableFailure::Failed)
    }
}

/// Makes the file of a group, or reads the one that there is; one of no use is made anew.
fn make_file(
    numbering: &Checkers,
    tables: &mut Tables,
    group: &[usize],
    plan: &TablePlan,
    tell: &(dyn Fn(TableNews) + Sync),
) -> Result<(), String> {
    let name = numbering.name(group);
    let kept = file::load(numbering, tables, group, plan.directory).unwrap_or_else(|fault| {
        tell(TableNews::Refused(&fault));
        false
    });
    if !kept {
        let go_on = |plies| {
            tell(TableNews::Solving(&name, plies));
            true
        };
        let effort = Effort { threads: threads(), go_on: &go_on };
        solve(numbering, group, tables, &effort).map_err(|error| format!("{name}: {error}"))?;
        file::save(numbering, tables, group, plan.directory)?;
    }
    if plan.check {
        tell(TableNews::Checking(&name));
        let fault = group.iter().find_map(|&class| first_fault(numbering, tables, class, 1, threads()));
        if let Some(Place { class, number }) = fault {
            return Err(format!(
                "{name} is wrong: place {number} of class {class} does not hold what its moves lead to"
            ));
        }
    }
    let bytes = tables.bytes(group);
    tell(if kept { TableNews::Kept(&name, bytes) } else { TableNews::Made(&name, bytes) });
    Ok(())
}
