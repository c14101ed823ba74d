//! The numbers on which pruning and reductions of the search depend. A game may have its own.

/// A field of [`SearchParameters`], as a tuner sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parameter {
    /// The name of the field.
    pub name: &'static str,
    /// The least and the greatest value.
    pub range: (i32, i32),
    /// A change of the value that is likely to be felt in the results of games.
    pub step: i32,
}

/// Declares the fields of [`SearchParameters`]: for each its default, its range, and the step of a tuner.
macro_rules! parameters {
    ($($(#[$text:meta])* $name:ident: $default:literal, $least:literal..=$greatest:literal, $step:literal;)*) => {
        /// The numbers on which pruning and reductions depend. What they do is described where the search uses them,
        /// in `search::pruning`.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub struct SearchParameters {
            $($(#[$text])* pub $name: i32,)*
        }

        impl SearchParameters {
            /// The numbers of a game that has none of its own.
            pub const DEFAULT: SearchParameters = SearchParameters { $($name: $default,)* };

            /// The fields, in the order of the [values](SearchParameters::values).
            pub const FIELDS: &[Parameter] =
                &[$(Parameter { name: stringify!($name), range: ($least, $greatest), step: $step },)*];

            /// The values of the fields.
            pub fn values(&self) -> [i32; SearchParameters::FIELDS.len()] {
                [$(self.$name,)*]
            }

            /// The parameters with these values.
            pub fn from_values(values: [i32; SearchParameters::FIELDS.len()]) -> SearchParameters {
                let [$($name,)*] = values;
                SearchParameters { $($name,)* }
            }
        }
    };
}

parameters! {
    /// Reverse futility pruning: how far above `beta` the static evaluation must be, in centipawns for each ply of
    /// depth.
    reverse_futility_margin: 200, 10..=1000, 30;
    /// Futility pruning: how much a quiet move and what follows it may gain, in centipawns for each ply of depth.
    futility_margin: 100, 10..=1000, 20;
    /// Late move pruning: how many moves are tried at depth 0, in hundredths of a move.
    late_moves: 400, 100..=3000, 80;
    /// Late move pruning: how many more are tried, in hundredths of a move for the square of the depth.
    late_moves_slope: 200, 20..=1000, 40;
    /// Null move pruning: the reduction at depth 0, in thousandths of a ply.
    null_move_reduction: 2000, 0..=5000, 250;
    /// Null move pruning: how much the reduction grows, in thousandths of a ply for each ply of depth.
    null_move_slope: 250, 0..=800, 60;
    /// Late move reductions: the constant part, in thousandths of a ply.
    reduction: 400, -1000..=2000, 150;
    /// Late move reductions: what is added for the product of the logarithms to base 2 of the depth and of the number
    /// of the move, in thousandths of a ply.
    reduction_slope: 240, 0..=600, 30;
    /// Late move reductions: what is added in expected cut nodes, in thousandths of a ply.
    cut_node_reduction: 0, -1000..=2500, 200;
    /// Late move reductions: the history score for which a move is reduced by one ply less.
    reduction_history: 500, 100..=2000, 100;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_field_has_its_value_and_is_within_its_range() {
        let values = [3, 5, 7, 11, 13, 17, 19, 23, 29, 31];
        assert_eq!(SearchParameters::from_values(values).values(), values);
        assert_eq!(SearchParameters::from_values(values).futility_margin, 5);
        for (field, value) in
            SearchParameters::FIELDS.iter().zip(SearchParameters::DEFAULT.values())
        {
            assert!(
                field.range.0 <= value - field.step && value + field.step <= field.range.1,
                "{field:?}"
            );
        }
    }
}
