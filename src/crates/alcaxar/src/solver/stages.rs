//! The stages that the solver solves one after the other.

use pentarch_core::Side;

use super::FixpointStepKind;

/// A stage: a kind of wins to compute, and the winning side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Red's wins in a game where repetition has no consequence. Green's wins are their images on
    /// the turned board.
    Plain,
    /// The safe wins of one side.
    Safe(Side),
    /// The certain wins of one side. This stage builds on the safe wins.
    Certain(Side),
    /// All wins of one side, including those by repetition. This stage builds on the certain wins.
    Repetition(Side),
    /// The question whether one side wins the start position. The solver finds certain wins in any
    /// order until they include the start position. This stage builds on the safe wins.
    Start(Side),
}

impl Stage {
    /// All stages. Each stage comes after the stage on which it builds.
    pub const ALL: [Stage; 9] = [
        Stage::Plain,
        Stage::Safe(Side::First),
        Stage::Certain(Side::First),
        Stage::Repetition(Side::First),
        Stage::Safe(Side::Second),
        Stage::Certain(Side::Second),
        Stage::Repetition(Side::Second),
        Stage::Start(Side::First),
        Stage::Start(Side::Second),
    ];
    /// The number of stages that count states. They are the first stages in `ALL`.
    pub(super) const COUNTED_STAGE_COUNT: usize = 7;

    /// Returns the name of the stage for progress messages and results.
    pub fn name(self) -> &'static str {
        match self {
            Stage::Plain => "plain",
            Stage::Safe(_) => "safe",
            Stage::Certain(_) => "certain",
            Stage::Repetition(_) => "repetition",
            Stage::Start(_) => "start",
        }
    }

    /// Returns the side whose wins the stage computes.
    pub fn winner(self) -> Side {
        match self {
            Stage::Plain => Side::First,
            Stage::Safe(winner)
            | Stage::Certain(winner)
            | Stage::Repetition(winner)
            | Stage::Start(winner) => winner,
        }
    }

    /// Returns the stage whose wins this stage builds on, if any.
    pub fn prerequisite_stage(self) -> Option<Stage> {
        match self {
            Stage::Plain | Stage::Safe(_) => None,
            Stage::Certain(winner) | Stage::Start(winner) => Some(Stage::Safe(winner)),
            Stage::Repetition(winner) => Some(Stage::Certain(winner)),
        }
    }

    /// Returns whether this stage is `stage`, or builds on the wins of `stage` directly or
    /// indirectly.
    pub(super) fn depends_on(self, stage: Stage) -> bool {
        self == stage || self.prerequisite_stage().is_some_and(|base| base.depends_on(stage))
    }

    /// Returns the step by which won states enter in this stage. The solver repeats the step until
    /// no new states enter.
    pub(super) fn attracting_step(self) -> FixpointStepKind {
        match self {
            Stage::Certain(_) => FixpointStepKind::AttractOwned,
            Stage::Start(_) => FixpointStepKind::AttractCapped,
            Stage::Plain | Stage::Safe(_) | Stage::Repetition(_) => FixpointStepKind::Attract,
        }
    }

    /// The names that [`parse_list`](Stage::parse_list) reads.
    pub const PARSEABLE_STAGE_NAMES: [&str; 6] =
        ["red", "green", "plain", "repetition", "red-start", "green-start"];

    /// Parses a list of names, separated by commas. Returns the stages that the solver must solve
    /// for them, in order. The names are:
    ///
    /// - `red` and `green`: the certain wins of a side
    /// - `plain`: the plain wins
    /// - `repetition`: the wins by repetition of the named sides, or of both sides
    /// - `red-start` and `green-start`: whether a side wins the start position
    ///
    /// # Errors
    /// The first invalid name.
    pub fn parse_list(names: &str) -> Result<Vec<Stage>, &str> {
        let names: Vec<&str> = names.split(',').map(str::trim).collect();
        if let Some(unknown) =
            names.iter().find(|name| !Stage::PARSEABLE_STAGE_NAMES.contains(name))
        {
            return Err(unknown);
        }
        let by_repetition = names.contains(&"repetition");
        let of_side = |side| {
            let by_repetition = by_repetition.then_some(Stage::Repetition(side));
            [Stage::Safe(side), Stage::Certain(side)].into_iter().chain(by_repetition).collect()
        };
        let has_side = names.contains(&"red") || names.contains(&"green");
        let mut stages: Vec<Stage> = Vec::new();
        for name in names {
            let more = match name {
                "plain" => vec![Stage::Plain],
                "red" => of_side(Side::First),
                "green" => of_side(Side::Second),
                "red-start" => vec![Stage::Safe(Side::First), Stage::Start(Side::First)],
                "green-start" => vec![Stage::Safe(Side::Second), Stage::Start(Side::Second)],
                _ if has_side => Vec::new(),
                _ => [of_side(Side::First), of_side(Side::Second)].concat(),
            };
            stages.extend(
                more.into_iter().filter(|stage| !stages.contains(stage)).collect::<Vec<_>>(),
            );
        }
        Ok(stages)
    }

    /// Returns the index of the stage in [`Stage::ALL`].
    pub(super) fn index(self) -> usize {
        Stage::ALL.iter().position(|&other| other == self).unwrap_or_default()
    }

    /// Returns the expected number of updates per set of walls, as measured with four walls.
    pub(super) fn expected_updates_per_wall_set(self) -> usize {
        match self {
            Stage::Plain => 35,
            Stage::Safe(_) => 22,
            Stage::Certain(_) => 90,
            Stage::Repetition(_) => 57,
            Stage::Start(_) => 86,
        }
    }
}

/// Three counts of states: undecided with a given side to move, won by red with red to move, and
/// won by red with green to move. Red represents the side whose wins the stage computes.
pub type StateCounts = [u64; 3];

/// Combines the counts of red's wins and of green's wins. Returns the numbers of won, lost and open
/// states, as seen from the side to move, for both sides together.
pub fn combine_side_counts(red: StateCounts, green: StateCounts) -> [u64; 3] {
    let [undecided, red_moves, green_moves] = [0, 1, 2].map(|at| red[at] + green[at]);
    [red_moves, green_moves, undecided - red_moves - green_moves]
}
