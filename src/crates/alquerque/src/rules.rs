//! The alternatives of the rules, and the options that choose them. The numbers of rules, such as
//! REQ.24, are those of `rules.md`.
//!
//! [`Alquerque`] leaves out alternatives without effect. Therefore two values are equal if they
//! describe the same game. For example, `BaseRow` has an effect only with Bell's movement, and
//! `Removal` only if a turn can have several jumps.

use pentarch_core::rules::options::REPETITION_DRAW_OPTION;
use pentarch_core::{ComboOption, OptionSpec, Options};

use super::board::{Direction, points_of_rank};

// All options except that of the preset have the choice `ruleset`, which is their first choice and
// the default. With `ruleset`, the preset decides.

/// The option that chooses a preset. The preset determines every other option whose value is
/// `ruleset`.
pub const RULESET_OPTION: ComboOption<RulesetPreset> = OptionSpec::define_combo(
    "Alquerque_Ruleset",
    "Rule set: it decides each of the options below whose value is 'ruleset'",
    &["modern", "alfonso", "bell"],
    &[
        RulesetPreset {
            bell: false,
            retreat: RetreatBanRule::Player,
            missed_capture: MissedCaptureRule::Illegal,
            game_end: GameEndRule::Repetition,
        },
        RulesetPreset {
            bell: false,
            retreat: RetreatBanRule::Free,
            missed_capture: MissedCaptureRule::Huff,
            game_end: GameEndRule::Capture,
        },
        RulesetPreset {
            bell: true,
            retreat: RetreatBanRule::Checker,
            missed_capture: MissedCaptureRule::Illegal,
            game_end: GameEndRule::Block,
        },
    ],
    0,
);
/// The option for the number of jumps in a turn (REQ.10 and REQ.10.1).
pub const MULTI_CAPTURE_OPTION: ComboOption<Option<MultiCaptureRule>> = OptionSpec::define_combo(
    "Alquerque_MultiCapture",
    "Jumps in a turn: off, one; stop, until the player stops; complete, to the end of a path; \
     maximum, along a path that captures the most",
    &["ruleset", "off", "stop", "complete", "maximum"],
    &[
        None,
        Some(MultiCaptureRule::Off),
        Some(MultiCaptureRule::Stop),
        Some(MultiCaptureRule::Complete),
        Some(MultiCaptureRule::Maximum),
    ],
    0,
);
/// The option for REQ.24, which says when a jumped checker leaves the board.
pub const CAPTURE_REMOVAL_OPTION: ComboOption<Option<CaptureRemovalRule>> =
    OptionSpec::define_combo(
        "Alquerque_Removal",
        "When a jumped checker leaves the board: instant, at once; after, at the end of the turn",
        &["ruleset", "instant", "after"],
        &[None, Some(CaptureRemovalRule::Instant), Some(CaptureRemovalRule::After)],
        0,
    );
/// The option for the directions of steps: all directions (REQ.7 and REQ.8) or Bell's movement
/// (REQ.19 to REQ.22). `true` stands for Bell's movement.
pub const MOVEMENT_OPTION: ComboOption<Option<bool>> = OptionSpec::define_combo(
    "Alquerque_Movement",
    "Directions of steps: free, all; bell, not backwards, and none from the opponent's base row",
    &["ruleset", "free", "bell"],
    &[None, Some(false), Some(true)],
    0,
);
/// The option for the restriction on a checker that has reached the opponent's base row (REQ.23).
pub const BASE_ROW_OPTION: ComboOption<Option<BaseRowRule>> = OptionSpec::define_combo(
    "Alquerque_BaseRow",
    "A checker that has reached the opponent's base row, with Movement bell: free, it steps \
     again after a capture off that row; spent, it never steps again; horizontal, its captures \
     from there go along the rank",
    &["ruleset", "free", "spent", "horizontal"],
    &[None, Some(BaseRowRule::Free), Some(BaseRowRule::Spent), Some(BaseRowRule::Horizontal)],
    0,
);
/// The option for the forbidden steps back (REQ.25).
pub const RETREAT_BAN_OPTION: ComboOption<Option<RetreatBanRule>> = OptionSpec::define_combo(
    "Alquerque_Retreat",
    "Checkers that must not step back to where their last move began: free, none; checker, all; \
     player, the one that the player moved last",
    &["ruleset", "free", "checker", "player"],
    &[
        None,
        Some(RetreatBanRule::Free),
        Some(RetreatBanRule::Checker),
        Some(RetreatBanRule::Player),
    ],
    0,
);
/// The option for REQ.26, which says what happens after a missed capture.
pub const MISSED_CAPTURE_OPTION: ComboOption<Option<MissedCaptureRule>> = OptionSpec::define_combo(
    "Alquerque_MissedCapture",
    "A step while a jump is possible: illegal; or huff, legal, and the opponent removes a \
     checker that could have jumped",
    &["ruleset", "illegal", "huff"],
    &[None, Some(MissedCaptureRule::Illegal), Some(MissedCaptureRule::Huff)],
    0,
);
/// The option for REQ.27, which says how a game ends.
pub const GAME_END_OPTION: ComboOption<Option<GameEndRule>> = OptionSpec::define_combo(
    "Alquerque_Win",
    "How a side wins: capture, by capturing all checkers; block, also by leaving no move; \
     repetition, as block, and a third occurrence of a position is a draw",
    &["ruleset", "capture", "block", "repetition"],
    &[None, Some(GameEndRule::Capture), Some(GameEndRule::Block), Some(GameEndRule::Repetition)],
    0,
);

/// The rule for the number of jumps in a turn (REQ.10).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MultiCaptureRule {
    /// REQ.10.ALT.2: a turn has one jump at most.
    Off,
    /// REQ.10.1.ALT.1: the player may stop after any jump.
    Stop,
    /// REQ.10.1.ALT.2: a capture continues until no jump is possible.
    Complete,
    /// REQ.10.1.ALT.3: like [`Complete`](MultiCaptureRule::Complete), but the capture must also
    /// take as many checkers as possible.
    Maximum,
}

/// The moment at which a jumped checker leaves the board (REQ.24).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CaptureRemovalRule {
    /// REQ.24.ALT.1: the jumped checker leaves the board at once.
    Instant,
    /// REQ.24.ALT.2: the jumped checker leaves the board when the turn ends.
    After,
}

/// How checkers step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MovementRule {
    /// REQ.8: a checker steps along a line to any neighbouring free point.
    Free,
    /// REQ.19 to REQ.22: a checker never steps backwards or from the opponent's base row.
    Bell(BaseRowRule),
}

/// The restriction on a checker that has reached the opponent's base row (REQ.23).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BaseRowRule {
    /// REQ.23.ALT.1: no restrictions. The checker can step again once a capture has led it off the
    /// base row.
    Free,
    /// REQ.23.ALT.2: the checker never steps again.
    Spent,
    /// REQ.23.ALT.3: if the turn begins on the base row, the checker captures only along the rank.
    Horizontal,
}

/// The rule that forbids steps back (REQ.25).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RetreatBanRule {
    /// REQ.25.ALT.1: no step back is forbidden.
    Free,
    /// REQ.25.ALT.2: a step may not take back the latest move of the same checker.
    Checker,
    /// REQ.25.ALT.3: a step may not take back the player's last move.
    Player,
}

/// The consequence of a step when a jump is possible (REQ.26).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MissedCaptureRule {
    /// REQ.26.ALT.2: such a step is illegal.
    Illegal,
    /// REQ.26.ALT.1: the opponent must huff one of the checkers that could have jumped. A huff
    /// takes the checker off the board.
    Huff,
}

/// The end of a game in which both sides still have checkers (REQ.27).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GameEndRule {
    /// REQ.27.ALT.1: the game is a draw if the side to move cannot move.
    Capture,
    /// REQ.27.ALT.2: the side to move loses if it cannot move.
    Block,
    /// REQ.27.ALT.3: like [`Block`](GameEndRule::Block), but a repetition is also a draw.
    Repetition,
}

/// The rules of Alquerque, with one alternative chosen for each requirement that has alternatives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alquerque {
    /// The rule for the number of jumps in a turn (REQ.10).
    pub multi_capture: MultiCaptureRule,
    /// The moment at which a jumped checker leaves the board (REQ.24).
    pub removal: CaptureRemovalRule,
    /// The way in which checkers step (REQ.8, or REQ.19 to REQ.23).
    pub movement: MovementRule,
    /// The steps back that are forbidden (REQ.25).
    pub retreat: RetreatBanRule,
    /// For each side, whether REQ.25 applies to this side. In the game the rule applies to both
    /// sides or to neither side. Tablebases and proofs use rules in which REQ.25 applies to only
    /// one side.
    pub retreat_binds: [bool; 2],
    /// The consequence of a step when a jump is possible (REQ.26).
    pub missed_capture: MissedCaptureRule,
    /// Whether the side to move loses if it has no legal move (REQ.27.ALT.2). Otherwise the game is
    /// drawn.
    pub blocked_loses: bool,
    /// Whether the players may agree on a draw (REQ.27.ALT.1 and 2).
    pub agreed_draws: bool,
    /// Whether the third occurrence of a position is a draw (REQ.27.ALT.3).
    pub repetition_draws: bool,
    /// For each side and direction, the points from which the movement rule allows a step in that
    /// direction.
    pub step_start_points: [[u32; 8]; 2],
    /// For each side, the points from which its checkers may jump only along the rank.
    pub sideways_only: [u32; 2],
    /// For each side, the points on which a checker becomes spent. A checker that ends its turn
    /// there never steps again.
    pub spending_points: [u32; 2],
}

/// The alternatives that a preset chooses. In addition, all presets have `MultiCapture complete`
/// and `Removal instant`, and `BaseRow free` where `BaseRow` has an effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RulesetPreset {
    bell: bool,
    retreat: RetreatBanRule,
    missed_capture: MissedCaptureRule,
    game_end: GameEndRule,
}

/// For each side, the opponent's base row: rank 5 for Light, rank 1 for Dark.
pub const OPPONENT_BASE_ROWS: [u32; 2] = [points_of_rank(4), points_of_rank(0)];

impl Default for Alquerque {
    fn default() -> Alquerque {
        Alquerque::new(&Options::default())
    }
}

impl Alquerque {
    /// Creates the rules that these options choose.
    pub fn new(options: &Options) -> Alquerque {
        let preset = options.combo_value(&RULESET_OPTION);
        let movement = match options.combo_value(&MOVEMENT_OPTION).unwrap_or(preset.bell) {
            true => MovementRule::Bell(
                options.combo_value(&BASE_ROW_OPTION).unwrap_or(BaseRowRule::Free),
            ),
            false => MovementRule::Free,
        };
        let multi_capture =
            options.combo_value(&MULTI_CAPTURE_OPTION).unwrap_or(MultiCaptureRule::Complete);
        let removal = match multi_capture {
            MultiCaptureRule::Off => CaptureRemovalRule::Instant,
            _ => {
                options.combo_value(&CAPTURE_REMOVAL_OPTION).unwrap_or(CaptureRemovalRule::Instant)
            }
        };
        let retreat = options.combo_value(&RETREAT_BAN_OPTION).unwrap_or(preset.retreat);
        let game_end = options.combo_value(&GAME_END_OPTION).unwrap_or(preset.game_end);
        Alquerque {
            multi_capture,
            removal,
            movement,
            retreat,
            retreat_binds: [retreat != RetreatBanRule::Free; 2],
            missed_capture: options
                .combo_value(&MISSED_CAPTURE_OPTION)
                .unwrap_or(preset.missed_capture),
            blocked_loses: game_end != GameEndRule::Capture,
            agreed_draws: game_end != GameEndRule::Repetition,
            repetition_draws: game_end == GameEndRule::Repetition
                || options.is_on(&REPETITION_DRAW_OPTION),
            step_start_points: [0, 1].map(|side| {
                Direction::ALL.map(|direction| step_start_points(movement, side, direction))
            }),
            sideways_only: match movement {
                MovementRule::Bell(BaseRowRule::Horizontal) => OPPONENT_BASE_ROWS,
                _ => [0; 2],
            },
            spending_points: match movement {
                MovementRule::Bell(BaseRowRule::Spent) => OPPONENT_BASE_ROWS,
                _ => [0; 2],
            },
        }
    }

    /// Returns whether the possible continuations of a game depend only on the board and the side
    /// to move.
    pub fn has_no_history(&self) -> bool {
        self.retreat == RetreatBanRule::Free
            && self.missed_capture == MissedCaptureRule::Illegal
            && self.spending_points == [0; 2]
    }

    /// Returns whether REQ.25.ALT.3 is the only effect of the past on the possible continuations.
    /// The rule bans one step for each player. Such a ban never helps the banned player.
    pub fn has_player_retreat_ban_only(&self) -> bool {
        let is_free = self.movement == MovementRule::Free
            && self.missed_capture == MissedCaptureRule::Illegal;
        self.retreat == RetreatBanRule::Player && is_free && self.blocked_loses
    }

    /// Returns whether bans of steps along the rank by REQ.25.ALT.2 are the only effect of the past
    /// on the possible continuations.
    ///
    /// Such bans never help the banned player. No position can occur again, because a checker never
    /// turns back on its rank and goes backwards only by a capture.
    pub fn has_sideways_bans_only(&self) -> bool {
        let is_bell = self.movement != MovementRule::Free
            && self.missed_capture == MissedCaptureRule::Illegal;
        self.retreat == RetreatBanRule::Checker && is_bell && self.blocked_loses
    }

    /// Returns these rules without the alternatives in which the past of a game restricts the moves
    /// or ends the game. In the returned rules, players may agree on a draw.
    pub fn without_history(&self) -> Alquerque {
        Alquerque {
            movement: if self.spending_points == [0; 2] {
                self.movement
            } else {
                MovementRule::Bell(BaseRowRule::Free)
            },
            retreat: RetreatBanRule::Free,
            retreat_binds: [false; 2],
            missed_capture: MissedCaptureRule::Illegal,
            spending_points: [0; 2],
            agreed_draws: true,
            repetition_draws: false,
            ..self.clone()
        }
    }

    /// Returns these rules [without history](Alquerque::without_history), except that steps back
    /// remain forbidden to the first side.
    pub fn without_history_except_first_side_bans(&self) -> Alquerque {
        Alquerque { retreat: self.retreat, retreat_binds: [true, false], ..self.without_history() }
    }
}

/// Returns the points from which a side's checkers may step in this direction.
fn step_start_points(movement: MovementRule, side: usize, direction: Direction) -> u32 {
    let forward_ranks = if side == 0 { direction.rank_step() } else { -direction.rank_step() };
    match movement {
        MovementRule::Free => direction.line_start_points(),
        MovementRule::Bell(_) if forward_ranks < 0 => 0,
        MovementRule::Bell(_) => direction.line_start_points() & !OPPONENT_BASE_ROWS[side],
    }
}
