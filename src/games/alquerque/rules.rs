//! The alternatives of the rules, and what they come to: one value that says which rule set is played.
//!
//! Alternatives that have no effect under the others are left out, so that equal values are equal games: what happens
//! on the base row without Bell's movement, and when jumped checkers leave if there is only one jump a turn.

use crate::core::options::{REPETITION_DRAW, TABLE_PATH};
use crate::core::{OptionSpec, Options};

use crate::tables::later::Later;

use super::board::{Direction, rank};
use super::bound::Bound;
use super::solution::Solution;

/// Which preset the alternatives that are not chosen one by one come from.
pub const RULESET: OptionSpec = OptionSpec::combo("Alquerque_Ruleset", &["modern", "alfonso", "bell"]);
/// REQ.10 and REQ.10.1.
pub const MULTI_CAPTURE: OptionSpec =
    OptionSpec::combo("Alquerque_MultiCapture", &["ruleset", "off", "stop", "complete", "maximum"]);
/// REQ.24.
pub const REMOVAL: OptionSpec = OptionSpec::combo("Alquerque_Removal", &["ruleset", "instant", "after"]);
/// REQ.7, REQ.8 or REQ.19 to REQ.22.
pub const MOVEMENT: OptionSpec = OptionSpec::combo("Alquerque_Movement", &["ruleset", "free", "bell"]);
/// REQ.23.
pub const BASE_ROW: OptionSpec = OptionSpec::combo("Alquerque_BaseRow", &["ruleset", "free", "spent", "horizontal"]);
/// REQ.25.
pub const RETREAT: OptionSpec = OptionSpec::combo("Alquerque_Retreat", &["ruleset", "free", "checker", "player"]);
/// REQ.26.
pub const MISSED_CAPTURE: OptionSpec = OptionSpec::combo("Alquerque_MissedCapture", &["ruleset", "illegal", "huff"]);
/// REQ.27.
pub const WIN: OptionSpec = OptionSpec::combo("Alquerque_Win", &["ruleset", "capture", "block", "repetition"]);

/// REQ.10: how many jumps a turn may and must have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MultiCapture {
    /// REQ.10.ALT.2: one.
    Off,
    /// REQ.10.1.ALT.1: one at least, and on as long as the player likes.
    Stop,
    /// REQ.10.1.ALT.2: on until no jump is possible.
    Complete,
    /// REQ.10.1.ALT.3: as [`Complete`](MultiCapture::Complete), on a path that captures the most.
    Maximum,
}

/// REQ.24: when a jumped checker leaves the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Removal {
    /// REQ.24.ALT.1: at once.
    Instant,
    /// REQ.24.ALT.2: when the turn ends.
    After,
}

/// How checkers step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Movement {
    /// REQ.8: to any free point along a line.
    Free,
    /// REQ.19 to REQ.22: never backwards, and not from the opponent's base row.
    Bell(BaseRow),
}

/// REQ.23: what else holds for a checker that came to the opponent's base row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BaseRow {
    /// REQ.23.ALT.1: nothing; it steps again once a capture has taken it off.
    Free,
    /// REQ.23.ALT.2: it never steps again.
    Spent,
    /// REQ.23.ALT.3: a turn that it starts there captures along the rank only.
    Horizontal,
}

/// REQ.25: which steps back are forbidden.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Retreat {
    /// REQ.25.ALT.1: none.
    Free,
    /// REQ.25.ALT.2: those that take back a checker's own latest move.
    Checker,
    /// REQ.25.ALT.3: those that take back the player's last move.
    Player,
}

/// REQ.26: what a step is while a jump is possible.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MissedCapture {
    /// REQ.26.ALT.2: illegal.
    Illegal,
    /// REQ.26.ALT.1: paid for with one of the checkers that could have jumped.
    Huff,
}

/// REQ.27: how a game ends but by the capture of all checkers of a side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Win {
    /// REQ.27.ALT.1: in a draw if the side to move cannot move.
    Capture,
    /// REQ.27.ALT.2: the side to move has lost if it cannot move.
    Block,
    /// REQ.27.ALT.3: as [`Block`](Win::Block), or in a draw by repetition.
    Repetition,
}

/// The rules of Alquerque, with an alternative chosen wherever there are some.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alquerque {
    /// REQ.10.
    pub multi_capture: MultiCapture,
    /// REQ.24.
    pub removal: Removal,
    /// REQ.19 to REQ.23.
    pub movement: Movement,
    /// REQ.25.
    pub retreat: Retreat,
    /// For each side, whether REQ.25 forbids it anything.
    pub binds: [bool; 2],
    /// REQ.26.
    pub missed_capture: MissedCapture,
    /// REQ.27.ALT.2: whether a side to move without a legal move has lost; if not, it is a draw.
    pub blocked_loses: bool,
    /// REQ.27.ALT.3: whether the third occurrence of a position is a draw.
    pub repetition_draws: bool,
    /// For each side and direction, the points from which the rules let it step that way.
    pub step_from: [[u32; 8]; 2],
    /// For each side, the points from which it may jump along the rank only.
    pub along_rank: [u32; 2],
    /// For each side, the points on which a checker that ends its move there has taken its last step.
    pub spends: [u32; 2],
    /// The value of positions with few checkers.
    pub solution: Later<Solution>,
    /// What a side reaches, in positions with few checkers, if it may be forbidden a step and the other one may not.
    pub bound: Later<Bound>,
}

/// A column of the table of presets.
struct Preset {
    multi_capture: MultiCapture,
    removal: Removal,
    bell: bool,
    base_row: BaseRow,
    retreat: Retreat,
    missed_capture: MissedCapture,
    win: Win,
}

/// The presets, in the order of [`RULESET`]'s values.
const PRESETS: [Preset; 3] = [
    Preset {
        multi_capture: MultiCapture::Complete,
        removal: Removal::Instant,
        bell: false,
        base_row: BaseRow::Free,
        retreat: Retreat::Player,
        missed_capture: MissedCapture::Illegal,
        win: Win::Repetition,
    },
    Preset {
        multi_capture: MultiCapture::Complete,
        removal: Removal::Instant,
        bell: false,
        base_row: BaseRow::Free,
        retreat: Retreat::Free,
        missed_capture: MissedCapture::Huff,
        win: Win::Capture,
    },
    Preset {
        multi_capture: MultiCapture::Complete,
        removal: Removal::Instant,
        bell: true,
        base_row: BaseRow::Free,
        retreat: Retreat::Checker,
        missed_capture: MissedCapture::Illegal,
        win: Win::Block,
    },
];

/// For each side, the opponent's base row: rank 5 for Light, rank 1 for Dark.
pub const OPPONENTS_BASE: [u32; 2] = [rank(4), rank(0)];

impl Alquerque {
    /// The rules that these options choose.
    pub fn new(options: &Options) -> Alquerque {
        use {BaseRow::*, MissedCapture::*, MultiCapture::*};
        let preset = &PRESETS[options.choice(&RULESET)];
        let base_row = chosen(options, &BASE_ROW, &[Free, Spent, Horizontal], preset.base_row);
        let bell = chosen(options, &MOVEMENT, &[false, true], preset.bell);
        let movement = if bell { Movement::Bell(base_row) } else { Movement::Free };
        let multi_capture = chosen(options, &MULTI_CAPTURE, &[Off, Stop, Complete, Maximum], preset.multi_capture);
        let removal = match multi_capture {
            Off => Removal::Instant,
            _ => chosen(options, &REMOVAL, &[Removal::Instant, Removal::After], preset.removal),
        };
        let retreats = [Retreat::Free, Retreat::Checker, Retreat::Player];
        let retreat = chosen(options, &RETREAT, &retreats, preset.retreat);
        let win = chosen(options, &WIN, &[Win::Capture, Win::Block, Win::Repetition], preset.win);
        Alquerque {
            multi_capture,
            removal,
            movement,
            retreat,
            binds: [retreat != Retreat::Free; 2],
            missed_capture: chosen(options, &MISSED_CAPTURE, &[Illegal, Huff], preset.missed_capture),
            blocked_loses: win != Win::Capture,
            repetition_draws: win == Win::Repetition || options.is_on(&REPETITION_DRAW),
            step_from: [0, 1].map(|side| Direction::ALL.map(|direction| step_from(movement, side, direction))),
            along_rank: if movement == Movement::Bell(Horizontal) { OPPONENTS_BASE } else { [0; 2] },
            spends: if movement == Movement::Bell(Spent) { OPPONENTS_BASE } else { [0; 2] },
            solution: Later::new(options.text(&TABLE_PATH)),
            bound: Later::default(),
        }
    }

    /// Whether under these rules the board and the side to move decide how the game goes on.
    pub fn has_no_history(&self) -> bool {
        self.retreat == Retreat::Free && self.missed_capture == MissedCapture::Illegal && self.spends == [0; 2]
    }

    /// Whether it is besides them only one step that may be forbidden to a player, to whom that is never of use.
    pub fn forbids_a_step(&self) -> bool {
        let is_free = self.movement == Movement::Free && self.missed_capture == MissedCapture::Illegal;
        self.retreat == Retreat::Player && is_free && self.blocked_loses
    }

    /// Whether it is besides them only what REQ.25.ALT.2 forbids the checkers, which is never of use to a player, and
    /// no position comes again: on a rank no checker turns back, and none leaves it backwards but by a capture.
    pub fn never_turns_back(&self) -> bool {
        let is_bell = self.movement != Movement::Free && self.missed_capture == MissedCapture::Illegal;
        self.retreat == Retreat::Checker && is_bell && self.blocked_loses
    }

    /// The same rules without those that make a history, and with no solution yet.
    pub fn without_history(&self) -> Alquerque {
        Alquerque {
            movement: if self.spends == [0; 2] { self.movement } else { Movement::Bell(BaseRow::Free) },
            retreat: Retreat::Free,
            binds: [false; 2],
            missed_capture: MissedCapture::Illegal,
            spends: [0; 2],
            solution: Later::default(),
            bound: Later::default(),
            ..self.clone()
        }
    }
}

/// The alternative that an option chooses; its first word leaves that to the preset.
fn chosen<T: Copy>(options: &Options, option: &OptionSpec, alternatives: &[T], preset: T) -> T {
    let explicit = options.choice(option).checked_sub(1).and_then(|at| alternatives.get(at));
    explicit.copied().unwrap_or(preset)
}

/// The points from which a side's checkers may step in this direction.
fn step_from(movement: Movement, side: usize, direction: Direction) -> u32 {
    let forwards = if side == 0 { direction.ranks() } else { -direction.ranks() };
    match movement {
        Movement::Free => direction.lines(),
        Movement::Bell(_) if forwards < 0 => 0,
        Movement::Bell(_) => direction.lines() & !OPPONENTS_BASE[side],
    }
}
