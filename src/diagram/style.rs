//! The stylesheet of boards and its colours: the same rules for the page, where colours are custom properties, and for
//! pictures that stand alone, where they are values.

/// The rules. They name colours as `var(--NAME)`.
const RULES: &str = include_str!("board.css");

/// The names of the colours, each with its values on light paper, on a dark screen, and in print, which has no colours.
const COLOURS: &[(&str, [&str; 3])] = &[
    ("ground", ["#d9c39a", "#a58d63", "#ffffff"]),
    ("square", ["#ecdcb8", "#bfa97d", "#ececec"]),
    ("square-dark", ["#a97f54", "#71522f", "#c0c0c0"]),
    ("square-light", ["#f0e2c4", "#b79f74", "#f4f4f4"]),
    ("slot", ["#c9b48c", "#98815a", "#ffffff"]),
    ("groove", ["#6d4b2f", "#3b2717", "#ffffff"]),
    ("tower", ["#8a8577", "#57534a", "#909090"]),
    ("wall", ["#7a4a22", "#5b3413", "#000000"]),
    ("wall-line", ["#2e1a08", "#2e1a08", "#000000"]),
    ("wall-on-groove", ["#e8b968", "#e8b968", "#000000"]),
    ("mark-ink", ["#1d1710", "#1d1710", "#000000"]),
    ("label", ["#4a3d27", "#231b0e", "#000000"]),
    ("label-on-groove", ["#f0e2c4", "#b79f74", "#000000"]),
    ("red", ["#c8422e", "#c8422e", "#000000"]),
    ("red-cell", ["#c8422e", "#c8422e", "#a0a0a0"]),
    ("choice", ["#0f5fae", "#0a4480", "#000000"]),
    ("last", ["#e0a500", "#f2c230", "#707070"]),
    ("first-fill", ["#fbf6ea", "#fbf6ea", "#ffffff"]),
    ("first-line", ["#2b2318", "#2b2318", "#000000"]),
    ("first-inner", ["#9d978c", "#9d978c", "#909090"]),
    ("second-fill", ["#2f2a26", "#2f2a26", "#000000"]),
    ("second-line", ["#f4ead6", "#f4ead6", "#ffffff"]),
    ("second-inner", ["#9b9487", "#9b9487", "#909090"]),
    ("red-fill", ["#d6452f", "#d6452f", "#ffffff"]),
    ("red-line", ["#3a0d06", "#3a0d06", "#000000"]),
    ("green-fill", ["#14603a", "#14603a", "#000000"]),
    ("green-line", ["#e9f7ec", "#e9f7ec", "#ffffff"]),
    ("goal-first", ["#f7f0de", "#ece3cf", "#ffffff"]),
    ("goal-second", ["#978c76", "#7e7056", "#b0b0b0"]),
    ("home-first", ["#f6edd8", "#e6dbc4", "#ffffff"]),
    ("home-second", ["#978c76", "#7e7056", "#b0b0b0"]),
    ("home-red", ["#e3a081", "#c8815e", "#ffffff"]),
    ("home-green", ["#8ba47f", "#72885f", "#b0b0b0"]),
];

/// The colours of a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Theme {
    /// Those of light paper, or of a dark screen where the reader prefers one.
    Auto,
    /// Those of light paper.
    Light,
    /// Those of a dark screen.
    Dark,
    /// Black, white and greys.
    Print,
}

/// The stylesheet of a picture that stands alone.
pub fn of_picture(theme: Theme) -> String {
    match theme {
        Theme::Auto => {
            format!("{}@media (prefers-color-scheme: dark) {{\n{}}}\n", with_colours(0), with_colours(1))
        }
        Theme::Light => with_colours(0),
        Theme::Dark => with_colours(1),
        Theme::Print => with_colours(2),
    }
}

/// The rules with the colours of this column put in, without their comments.
fn with_colours(column: usize) -> String {
    let mut rules = String::new();
    let mut rest = RULES;
    while let Some((before, comment)) = rest.split_once("/*") {
        rules += before;
        rest = comment.split_once("*/").map_or("", |(_, after)| after.trim_start());
    }
    rules += rest;
    for (name, values) in COLOURS {
        rules = rules.replace(&format!("var(--{name})"), values[column]);
    }
    rules
}

/// The stylesheet of boards on the page: the colours as custom properties, light or dark as the reader prefers, then
/// the rules.
pub fn of_page() -> String {
    let properties = |column: usize| -> String {
        COLOURS.iter().map(|(name, values)| format!("    --{name}: {};\n", values[column])).collect()
    };
    let (light, dark) = (properties(0), properties(1));
    format!(":root {{\n{light}}}\n\n@media (prefers-color-scheme: dark) {{\n:root {{\n{dark}}}\n}}\n\n{RULES}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_colour_is_used_and_every_one_used_is_known() {
        for (name, _) in COLOURS {
            assert!(RULES.contains(&format!("var(--{name})")), "{name}");
        }
        for theme in [Theme::Auto, Theme::Light, Theme::Dark, Theme::Print] {
            let sheet = of_picture(theme);
            assert!(!sheet.contains("var(") && !sheet.contains("/*"), "{sheet}");
            assert_eq!(sheet.matches('{').count(), sheet.matches('}').count());
        }
        let print = of_picture(Theme::Print);
        let colours = print.split('#').skip(1).map(|rest| &rest[..6]);
        // The lock of a blocked wall is nearly white.
        let is_grey = |colour: &str| colour[..2] == colour[2..4] && colour[..2] == colour[4..];
        assert!(colours.filter(|colour| *colour != "fff6d8").all(is_grey), "{print}");
    }

    #[test]
    fn the_page_has_the_same_rules() {
        let sheet = of_page();
        assert!(sheet.contains("--ground: #d9c39a;") && sheet.contains("--ground: #a58d63;"));
        assert!(sheet.ends_with(RULES));
    }
}
