//! The stages that the solver solves one after the other.

use pentarch_core::Side;

use super::FixpointStep;

/// A stage: which wins the solver computes, and for which side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// The wins without repetition. Green's wins are the images of red's.
    Plain,
    /// The safe wins of one side.
    Safe(Side),
    /// The certain wins of one side. This stage builds on the safe wins.
    Certain(Side),
    /// All wins of one side, including those by repetition. This stage builds on the certain wins.
    Repetition(Side),
    /// Whether one side wins the start: certain wins, found in any order, until the start is among
    /// them. This stage builds on the safe wins.
    Start(Side),
}

impl Stage {
    /// All stages, each after the stage that it builds on.
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
    /// The number of the first stages, those with counts.
    pub(super) const COUNTED: usize = 7;

    /// Returns the name of the stage in the results.
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
    pub fn base(self) -> Option<Stage> {
        match self {
            Stage::Plain | Stage::Safe(_) => None,
            Stage::Certain(winner) | Stage::Start(winner) => Some(Stage::Safe(winner)),
            Stage::Repetition(winner) => Some(Stage::Certain(winner)),
        }
    }

    /// Returns whether the stage is `stage`, or builds on its wins directly or indirectly.
    pub(super) fn depends_on(self, stage: Stage) -> bool {
        self == stage || self.base().is_some_and(|base| base.depends_on(stage))
    }

    /// Returns the step by which states enter. The stage repeats it until nothing is new.
    pub(super) fn attracting_step(self) -> FixpointStep {
        match self {
            Stage::Certain(_) => FixpointStep::AttractOwned,
            Stage::Start(_) => FixpointStep::AttractCapped,
            Stage::Plain | Stage::Safe(_) | Stage::Repetition(_) => FixpointStep::Attract,
        }
    }

    /// The names that [`parse_list`](Stage::parse_list) reads.
    pub const NAMES: [&str; 6] =
        ["red", "green", "plain", "repetition", "red-start", "green-start"];

    /// Returns the stages for a list of names, separated by commas, in their order: `red` and
    /// `green` for the certain wins of a side, `plain` for the plain wins, `repetition` for the
    /// wins by repetition of the sides that are named, or of both, `red-start` and `green-start`
    /// for whether a side wins the start.
    ///
    /// # Errors
    /// The first name that is none of these.
    pub fn parse_list(names: &str) -> Result<Vec<Stage>, &str> {
        let names: Vec<&str> = names.split(',').map(str::trim).collect();
        if let Some(unknown) = names.iter().find(|name| !Stage::NAMES.contains(name)) {
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
    pub(super) fn expected_updates(self) -> usize {
        match self {
            Stage::Plain => 35,
            Stage::Safe(_) => 22,
            Stage::Certain(_) => 90,
            Stage::Repetition(_) => 57,
            Stage::Start(_) => 86,
        }
    }
}

/// The numbers of undecided states, of those with red to move that red wins, and of those with
/// green to move that red wins. Red is the side whose wins the stage computes.
pub type Counts = [u64; 3];

/// Returns the numbers of states that the side to move wins, that it loses, and that are open, from
/// both sides' counts.
pub fn count_results(red: Counts, green: Counts) -> [u64; 3] {
    let [undecided, red_moves, green_moves] = [0, 1, 2].map(|at| red[at] + green[at]);
    [red_moves, green_moves, undecided - red_moves - green_moves]
}
