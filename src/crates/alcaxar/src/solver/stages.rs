//! What is solved one after the other.

use pentarch_core::Side;

use super::Step;

/// What is solved: which wins count, and for whom.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// The wins without repetition. Those of green are the images of those of red.
    Plain,
    /// The wins that are safe, for one side.
    Safe(Side),
    /// The wins that are certain, for one side. This goes on from those that are safe.
    Certain(Side),
    /// The wins with those by repetition, for one side. This goes on from those that are certain.
    Repetition(Side),
    /// Whether one side wins the start: wins that are certain, found in any order, until the start is among them. This
    /// goes on from those that are safe.
    Start(Side),
}

impl Stage {
    /// All stages, in an order in which each follows the one that it goes on from.
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
    /// How many of them, the first ones, have counts.
    pub(super) const COUNTED: usize = 7;

    /// What the results call it.
    pub fn name(self) -> &'static str {
        match self {
            Stage::Plain => "plain",
            Stage::Safe(_) => "safe",
            Stage::Certain(_) => "certain",
            Stage::Repetition(_) => "repetition",
            Stage::Start(_) => "start",
        }
    }

    /// The side whose wins are looked for.
    pub fn winner(self) -> Side {
        match self {
            Stage::Plain => Side::First,
            Stage::Safe(winner)
            | Stage::Certain(winner)
            | Stage::Repetition(winner)
            | Stage::Start(winner) => winner,
        }
    }

    /// The stage from whose wins it goes on, if from any.
    pub fn base(self) -> Option<Stage> {
        match self {
            Stage::Plain | Stage::Safe(_) => None,
            Stage::Certain(winner) | Stage::Start(winner) => Some(Stage::Safe(winner)),
            Stage::Repetition(winner) => Some(Stage::Certain(winner)),
        }
    }

    /// Whether it goes on from the wins of another stage, directly or not, or is that stage.
    pub(super) fn rests_on(self, stage: Stage) -> bool {
        self == stage || self.base().is_some_and(|base| base.rests_on(stage))
    }

    /// The step by which its states enter: the same one again and again, until nothing is new.
    pub(super) fn attracting(self) -> Step {
        match self {
            Stage::Certain(_) => Step::AttractOwned,
            Stage::Start(_) => Step::AttractTwice,
            Stage::Plain | Stage::Safe(_) | Stage::Repetition(_) => Step::Attract,
        }
    }

    /// The names by which [`named`](Stage::named) asks for stages.
    pub const NAMES: [&str; 6] =
        ["red", "green", "plain", "repetition", "red-start", "green-start"];

    /// The stages that these names ask for, parted by commas, in their order: `red` and `green` for the certain wins of
    /// a side, `plain` for the plain ones, `repetition` for those by repetition of the sides that are named, or of
    /// both, `red-start` and `green-start` for whether a side wins the start.
    ///
    /// # Errors
    /// The name that is none of these.
    pub fn named(names: &str) -> Result<Vec<Stage>, &str> {
        let names: Vec<&str> = names.split(',').map(str::trim).collect();
        if let Some(wrong) = names.iter().find(|name| !Stage::NAMES.contains(name)) {
            return Err(wrong);
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

    /// The number of the stage among all.
    pub(super) fn index(self) -> usize {
        Stage::ALL.iter().position(|&other| other == self).unwrap_or_default()
    }

    /// How often a set of walls is worked out, each time for one side: as measured with four walls.
    pub(super) fn expected_evaluations(self) -> usize {
        match self {
            Stage::Plain => 35,
            Stage::Safe(_) => 22,
            Stage::Certain(_) => 90,
            Stage::Repetition(_) => 57,
            Stage::Start(_) => 86,
        }
    }
}

/// The numbers of undecided states, of those with red to move that red wins, and of those with green to move that red
/// wins, where red is the side whose wins are looked for.
pub type Counts = [u64; 3];

/// The numbers of states that the side to move wins, that it loses, and that are open, by the counts of both sides.
pub fn won_lost_open(red: Counts, green: Counts) -> [u64; 3] {
    let [undecided, red_moves, green_moves] = [0, 1, 2].map(|at| red[at] + green[at]);
    [red_moves, green_moves, undecided - red_moves - green_moves]
}
