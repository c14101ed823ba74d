//! The numbers with which players assess a position, such as steps to a goal, pieces and possible
//! captures.

use super::layout::Site;

/// A number with which players assess a position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LabelledCount {
    /// The name of the number, for people, such as `steps to the goal`.
    pub label: &'static str,
    /// The index of the player whose number this is; `None` stands for the player to move.
    pub player: Option<usize>,
    /// The number; `None` for the steps of a piece that has no path.
    pub value: Option<u32>,
    /// The counted sites. For a path, the sites of the path in order; its first site is not
    /// counted.
    pub sites: Vec<Site>,
    /// Whether the sites are a path.
    pub is_path: bool,
}

impl LabelledCount {
    /// Creates a count without sites.
    pub fn of_number(label: &'static str, player: usize, number: u32) -> LabelledCount {
        let player = Some(player);
        LabelledCount { label, player, value: Some(number), sites: Vec::new(), is_path: false }
    }

    /// Creates a count of sites.
    pub fn of_sites(
        label: &'static str,
        player: usize,
        sites: impl IntoIterator<Item = Site>,
    ) -> LabelledCount {
        let sites: Vec<Site> = sites.into_iter().collect();
        let number = sites.len() as u32;
        LabelledCount { sites, ..LabelledCount::of_number(label, player, number) }
    }

    /// Creates a count of sites for each of the two sides.
    pub fn of_each_side<S: IntoIterator<Item = Site>>(
        label: &'static str,
        [first, second]: [S; 2],
    ) -> [LabelledCount; 2] {
        [LabelledCount::of_sites(label, 0, first), LabelledCount::of_sites(label, 1, second)]
    }

    /// Creates a count of the steps of a path. The path begins with the site of the piece. `None`
    /// stands for a piece that has no path.
    pub fn of_path(label: &'static str, player: usize, path: Option<Vec<Site>>) -> LabelledCount {
        let value = path.as_ref().map(|sites| sites.len().saturating_sub(1) as u32);
        let sites = path.unwrap_or_default();
        LabelledCount { label, player: Some(player), value, sites, is_path: true }
    }
}

/// The name and the unit of the count that decides a race between two players. The side with the
/// smaller number is ahead.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RaceCountLabel {
    /// The [label](LabelledCount::label) of the count.
    pub label: &'static str,
    /// The name of one unit, such as `step`.
    pub unit: &'static str,
}
