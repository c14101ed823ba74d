//! The values, proved in advance, of the start position and of positions soon after it.
//! `docs/games/alquerque.md` has the commands. The [opening books](super::opening_book) have
//! further values.

use pentarch_core::rules::legal_move_list;
use pentarch_core::{HasTurn, Notation, Rules, TableValue};

use super::Alquerque;
use super::position::Position;
use super::rules::{
    BaseRowRule, CaptureRemovalRule, MissedCaptureRule, MovementRule, MultiCaptureRule,
    RetreatBanRule,
};

use CaptureRemovalRule::{After, Instant};
use MovementRule::Free;
use MultiCaptureRule::{Complete, Maximum, Off, Stop};
use TableValue::{Draw, Loss, Win};

/// Bell's movement with a free base row.
const BELL_MOVEMENT_RULE: MovementRule = MovementRule::Bell(BaseRowRule::Free);
/// Bell's movement with captures only along the base row.
const BELL_HORIZONTAL_MOVEMENT_RULE: MovementRule = MovementRule::Bell(BaseRowRule::Horizontal);
/// The minimum number of checkers after the lines below. The first move captures nothing, and the
/// reply captures at most three checkers.
const MIN_CHECKERS_AFTER_LINES: u32 = 21;

/// A rule set with proved values. In all these rule sets a missed capture is illegal. The values
/// are also true if the third occurrence of a position is a draw.
struct ProvedRules {
    multi_capture: MultiCaptureRule,
    removal: CaptureRemovalRule,
    movement: MovementRule,
    retreat: RetreatBanRule,
    /// Whether a side without a move has lost.
    blocked_loses: bool,
    /// The value of the start position; `None` if a book has this value.
    start: Option<TableValue>,
    /// Lines from the start, with the value for the side to move after the line.
    after: &'static [(&'static str, TableValue)],
}

/// The values after lines that do not win for Light under the preset `modern`.
const MODERN_PROVED_LINE_VALUES: &[(&str, TableValue)] = &[
    ("b2c3", Draw),
    ("b2c3 d4b2", Draw),
    ("d2c3", Win(135)),
    ("d2c3 d4d2", Loss(134)),
    ("d3c3", Win(135)),
];
/// The values after lines that do not win for Light under the preset `bell`.
const BELL_PROVED_LINE_VALUES: &[(&str, TableValue)] =
    &[("b2c3", Win(107)), ("d2c3", Win(77)), ("d2c3 b4d2", Loss(76)), ("d3c3", Win(103))];

/// The value of a start position from which neither side can win.
const DRAWN_START_VALUE: Option<TableValue> = Some(Draw);

/// Returns the value of a start position from which Light wins within this number of plies.
const fn light_wins(plies: u32) -> Option<TableValue> {
    Some(Win(plies))
}

/// Creates the entry of a rule set in which a side without a move has lost.
const fn blocked_loses_rules(
    multi_capture: MultiCaptureRule,
    removal: CaptureRemovalRule,
    movement: MovementRule,
    retreat: RetreatBanRule,
    start: Option<TableValue>,
    after: &'static [(&'static str, TableValue)],
) -> ProvedRules {
    let blocked_loses = true;
    ProvedRules { multi_capture, removal, movement, retreat, blocked_loses, start, after }
}

/// Creates the entry of a rule set in which only the capture of all checkers wins.
const fn capture_only_rules(
    multi_capture: MultiCaptureRule,
    removal: CaptureRemovalRule,
    movement: MovementRule,
    retreat: RetreatBanRule,
    start: Option<TableValue>,
    after: &'static [(&'static str, TableValue)],
) -> ProvedRules {
    let entry = blocked_loses_rules(multi_capture, removal, movement, retreat, start, after);
    ProvedRules { blocked_loses: false, ..entry }
}

static PROVED_RULES: &[ProvedRules] = &[
    blocked_loses_rules(
        Complete,
        After,
        BELL_MOVEMENT_RULE,
        RetreatBanRule::Free,
        light_wins(97),
        &[],
    ),
    blocked_loses_rules(
        Complete,
        After,
        BELL_HORIZONTAL_MOVEMENT_RULE,
        RetreatBanRule::Free,
        light_wins(113),
        &[],
    ),
    blocked_loses_rules(
        Complete,
        After,
        Free,
        RetreatBanRule::Free,
        light_wins(131),
        &[("c2c3", Loss(130))],
    ),
    blocked_loses_rules(Complete, After, Free, RetreatBanRule::Player, light_wins(135), &[]),
    blocked_loses_rules(
        Complete,
        Instant,
        BELL_MOVEMENT_RULE,
        RetreatBanRule::Checker,
        None,
        BELL_PROVED_LINE_VALUES,
    ),
    blocked_loses_rules(
        Complete,
        Instant,
        BELL_MOVEMENT_RULE,
        RetreatBanRule::Free,
        light_wins(113),
        &[],
    ),
    blocked_loses_rules(
        Complete,
        Instant,
        BELL_HORIZONTAL_MOVEMENT_RULE,
        RetreatBanRule::Free,
        light_wins(131),
        &[],
    ),
    blocked_loses_rules(
        Complete,
        Instant,
        Free,
        RetreatBanRule::Player,
        None,
        MODERN_PROVED_LINE_VALUES,
    ),
    blocked_loses_rules(
        Maximum,
        After,
        BELL_MOVEMENT_RULE,
        RetreatBanRule::Free,
        light_wins(105),
        &[],
    ),
    blocked_loses_rules(
        Maximum,
        After,
        BELL_HORIZONTAL_MOVEMENT_RULE,
        RetreatBanRule::Free,
        light_wins(109),
        &[],
    ),
    blocked_loses_rules(
        Maximum,
        After,
        Free,
        RetreatBanRule::Free,
        light_wins(123),
        &[("c2c3", Loss(128))],
    ),
    blocked_loses_rules(Maximum, After, Free, RetreatBanRule::Player, light_wins(127), &[]),
    blocked_loses_rules(
        Maximum,
        Instant,
        BELL_MOVEMENT_RULE,
        RetreatBanRule::Free,
        light_wins(111),
        &[],
    ),
    blocked_loses_rules(
        Maximum,
        Instant,
        BELL_HORIZONTAL_MOVEMENT_RULE,
        RetreatBanRule::Free,
        light_wins(113),
        &[],
    ),
    blocked_loses_rules(
        Maximum,
        Instant,
        Free,
        RetreatBanRule::Free,
        DRAWN_START_VALUE,
        &[("b2c3", Draw)],
    ),
    blocked_loses_rules(
        Off,
        Instant,
        BELL_MOVEMENT_RULE,
        RetreatBanRule::Free,
        light_wins(83),
        &[],
    ),
    blocked_loses_rules(
        Off,
        Instant,
        Free,
        RetreatBanRule::Free,
        light_wins(83),
        &[("c2c3", Loss(82))],
    ),
    blocked_loses_rules(
        Stop,
        After,
        BELL_MOVEMENT_RULE,
        RetreatBanRule::Free,
        light_wins(107),
        &[],
    ),
    blocked_loses_rules(
        Stop,
        After,
        BELL_HORIZONTAL_MOVEMENT_RULE,
        RetreatBanRule::Free,
        light_wins(105),
        &[],
    ),
    blocked_loses_rules(
        Stop,
        After,
        Free,
        RetreatBanRule::Free,
        light_wins(131),
        &[("c2c3", Loss(130))],
    ),
    blocked_loses_rules(Stop, After, Free, RetreatBanRule::Player, light_wins(133), &[]),
    blocked_loses_rules(
        Stop,
        Instant,
        BELL_MOVEMENT_RULE,
        RetreatBanRule::Free,
        light_wins(107),
        &[],
    ),
    blocked_loses_rules(
        Stop,
        Instant,
        BELL_HORIZONTAL_MOVEMENT_RULE,
        RetreatBanRule::Free,
        light_wins(107),
        &[],
    ),
    blocked_loses_rules(
        Stop,
        Instant,
        Free,
        RetreatBanRule::Free,
        light_wins(137),
        &[("c2c3", Loss(136))],
    ),
    blocked_loses_rules(Stop, Instant, Free, RetreatBanRule::Player, light_wins(135), &[]),
    capture_only_rules(
        Off,
        Instant,
        BELL_MOVEMENT_RULE,
        RetreatBanRule::Free,
        DRAWN_START_VALUE,
        &[],
    ),
    capture_only_rules(Off, Instant, Free, RetreatBanRule::Free, light_wins(87), &[]),
];

impl Alquerque {
    /// Returns the value of this position for its side to move, if it was proved in advance.
    pub(crate) fn value_proved_in_advance(&self, position: &Position) -> Option<TableValue> {
        let checkers = position.occupied_points().count_ones();
        if checkers < MIN_CHECKERS_AFTER_LINES || self.missed_capture != MissedCaptureRule::Illegal
        {
            return None;
        }
        let proved = PROVED_RULES.iter().find(|proved| {
            proved.multi_capture == self.multi_capture
                && proved.removal == self.removal
                && proved.movement == self.movement
                && proved.retreat == self.retreat
                && proved.blocked_loses == self.blocked_loses
        })?;
        let position = position.with_full_move_number(1);
        if position == self.start_position() {
            return proved.start;
        }
        let ends_here = |line: &str| {
            self.position_after_line(line)
                .is_some_and(|end| end.with_full_move_number(1) == position)
        };
        proved.after.iter().find(|(line, _)| ends_here(line)).map(|&(_, value)| value)
    }

    fn position_after_line(&self, line: &str) -> Option<Position> {
        let mut position = self.start_position();
        for text in line.split(' ') {
            let moves = legal_move_list(self, &position);
            let mv = moves.into_iter().find(|&mv| self.move_text(mv) == text)?;
            position = self.play(&position, mv);
        }
        Some(position)
    }
}
