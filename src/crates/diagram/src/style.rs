//! The stylesheet of boards: the page has it as it is, and pictures that stand alone have its rules with the colours
//! put in.

/// The colours as custom properties: those on light paper, on a dark screen, and in print.
pub const COLOURS: &str = include_str!("colours.css");
/// The rules, which use the colours.
pub const RULES: &str = include_str!("board.css");

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
            format!(
                "{}@media (prefers-color-scheme: dark) {{\n{}}}\n",
                with_colours(0),
                with_colours(1)
            )
        }
        Theme::Light => with_colours(0),
        Theme::Dark => with_colours(1),
        Theme::Print => with_colours(2),
    }
}

/// The colours of one of the three kinds, as names and values.
fn colours(kind: usize) -> impl Iterator<Item = (&'static str, &'static str)> {
    let block = COLOURS
        .split(":root {")
        .nth(kind + 1)
        .and_then(|rest| rest.split('}').next())
        .unwrap_or_default();
    let colour = |line: &'static str| line.trim().strip_suffix(';')?.split_once(": ");
    block.lines().filter_map(colour)
}

/// The rules with the colours of this kind put in, without their comments. Where it has no value, the colour of light
/// paper holds.
fn with_colours(kind: usize) -> String {
    let (mut rest, mut rules) = (RULES, String::new());
    while let Some((before, comment)) = rest.split_once("/*") {
        rules += before;
        rest = comment.split_once("*/").map_or("", |(_, after)| after.trim_start());
    }
    rules += rest;
    for (name, value) in colours(kind).chain(colours(0)) {
        rules = rules.replace(&format!("var({name})"), value);
    }
    rules
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_colour_is_used_and_every_one_used_is_known() {
        let names = |kind| colours(kind).map(|(name, _)| name).collect::<Vec<_>>();
        assert!(names(0).len() > 30 && names(2) == names(0), "{:?}", names(0));
        assert!(names(1).iter().all(|name| names(0).contains(name)), "{:?}", names(1));
        for name in names(0) {
            assert!(RULES.contains(&format!("var({name})")), "{name}");
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
}
