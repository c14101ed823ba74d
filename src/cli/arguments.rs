//! The parsers of values of command-line arguments.

/// Returns a parser of whole numbers from `min` to `max`. These numbers must fit into the type `T`.
pub(super) fn number_parser<T: TryFrom<u64>>(
    min: u64,
    max: u64,
) -> impl Fn(&str) -> Result<T, String> + Clone {
    move |text| {
        let number = text.parse().ok().filter(|number| (min..=max).contains(number));
        let number = number.and_then(|number| T::try_from(number).ok());
        number.ok_or_else(|| format!("expected a whole number from {min} to {max}"))
    }
}

/// The maximum number of nodes: the protocols count them in `i64`.
pub(super) const MAX_NODES_ARGUMENT: u64 = i64::MAX as u64;
