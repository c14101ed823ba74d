//! The parameters of pruning and reductions in the search. A game may define its own values.

/// A field of [`SearchParameters`], for tuning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SearchParameterField {
    /// The name of the field.
    pub name: &'static str,
    /// The minimum and the maximum value.
    pub range: (i32, i32),
    /// A step for tuning: a change of the value that is large enough to affect the results of
    /// games.
    pub step: i32,
}

/// Declares the fields of [`SearchParameters`], each with its default, its range and its tuning
/// step.
macro_rules! parameters {
    ($($(#[$doc:meta])* $name:ident: $default:literal, $least:literal..=$greatest:literal, $step:literal;)*) => {
        /// The parameters of pruning and reductions. The module `search::pruning` uses these
        /// parameters and describes their effects.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub struct SearchParameters {
            $($(#[$doc])* pub $name: i32,)*
        }

        impl SearchParameters {
            /// The default values, for a game that does not define its own.
            pub const DEFAULT_PARAMETERS: SearchParameters =
                SearchParameters { $($name: $default,)* };

            /// The descriptions of the fields, in the order of the
            /// [values](SearchParameters::parameter_values).
            pub const PARAMETER_FIELDS: &[SearchParameterField] =
                &[$(SearchParameterField {
                    name: stringify!($name),
                    range: ($least, $greatest),
                    step: $step,
                },)*];

            /// Returns the values of the fields.
            pub fn parameter_values(&self) -> [i32; SearchParameters::PARAMETER_FIELDS.len()] {
                [$(self.$name,)*]
            }

            /// Creates parameters with these values.
            pub fn from_parameter_values(values: [i32; SearchParameters::PARAMETER_FIELDS.len()]) -> SearchParameters {
                let [$($name,)*] = values;
                SearchParameters { $($name,)* }
            }
        }
    };
}

parameters! {
    /// Reverse futility pruning: the margin, in centipawns per ply of depth, by which the static
    /// evaluation must exceed `beta`.
    reverse_futility_margin: 200, 10..=1000, 30;
    /// Futility pruning: the largest gain expected from a quiet move and its consequences, in
    /// centipawns per ply of depth.
    futility_margin: 100, 10..=1000, 20;
    /// Late move pruning: the number of moves that are tried at depth 0, in hundredths of a move.
    late_moves: 400, 100..=3000, 80;
    /// Late move pruning: the number of further moves that are tried at greater depths, in
    /// hundredths of a move. The search multiplies this number by the square of the depth in plies.
    late_moves_slope: 200, 20..=1000, 40;
    /// Null move pruning: the number of plies by which the search is reduced at depth 0, in
    /// thousandths of a ply.
    null_move_reduction: 2000, 0..=5000, 250;
    /// Null move pruning: the number by which the reduction grows with each ply of depth, in
    /// thousandths of a ply.
    null_move_slope: 250, 0..=800, 60;
    /// Late move reductions: the constant part of the reduction, in thousandths of a ply.
    reduction: 400, -1000..=2000, 150;
    /// Late move reductions: the factor of the variable part, in thousandths of a ply. This part is
    /// the product of the factor and the base-2 logarithms of the depth and of the move's number.
    reduction_slope: 240, 0..=600, 30;
    /// Late move reductions: the extra reduction in expected cut nodes, in thousandths of a ply.
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
        assert_eq!(SearchParameters::from_parameter_values(values).parameter_values(), values);
        assert_eq!(SearchParameters::from_parameter_values(values).futility_margin, 5);
        for (field, value) in SearchParameters::PARAMETER_FIELDS
            .iter()
            .zip(SearchParameters::DEFAULT_PARAMETERS.parameter_values())
        {
            assert!(
                field.range.0 <= value - field.step && value + field.step <= field.range.1,
                "{field:?}"
            );
        }
    }
}
