//! The stylesheet of boards. The page uses the stylesheet unchanged. Images contain the rules of
//! the stylesheet, with the colours inserted.

/// The colours as custom properties: for light paper, for a dark screen, and for print.
pub const COLOURS_CSS: &str = include_str!("colours.css");
/// The rules of the stylesheet. They use the colours.
pub const BOARD_CSS: &str = include_str!("board.css");

/// The colours of an image.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColourScheme {
    /// The colours for light paper, or for a dark screen if the reader prefers a dark screen.
    Auto,
    /// The colours for light paper.
    Light,
    /// The colours for a dark screen.
    Dark,
    /// Black, white and greys.
    Print,
}

/// The index of the colours for light paper in [`COLOURS_CSS`].
const LIGHT: usize = 0;
/// The index of the colours for a dark screen.
const DARK: usize = 1;
/// The index of the colours for print.
const PRINT: usize = 2;

/// Returns the stylesheet of an image.
pub fn image_stylesheet(scheme: ColourScheme) -> String {
    match scheme {
        ColourScheme::Auto => {
            let light = rules_with_colours(LIGHT);
            let dark = rules_with_colours(DARK);
            format!("{light}@media (prefers-color-scheme: dark) {{\n{dark}}}\n")
        }
        ColourScheme::Light => rules_with_colours(LIGHT),
        ColourScheme::Dark => rules_with_colours(DARK),
        ColourScheme::Print => rules_with_colours(PRINT),
    }
}

/// Returns the names and values of the colours in one block of [`COLOURS_CSS`].
fn block_colours(block: usize) -> impl Iterator<Item = (&'static str, &'static str)> {
    let block = COLOURS_CSS.split(":root {").nth(block + 1).unwrap_or_default();
    let block = block.split('}').next().unwrap_or_default();
    block.lines().filter_map(|line| line.trim().strip_suffix(';')?.split_once(": "))
}

/// Returns the rules without their comments and with the colours of one block inserted. If a colour
/// is not in the block, its value for light paper is used.
fn rules_with_colours(block: usize) -> String {
    let mut rest = BOARD_CSS;
    let mut rules = String::new();
    while let Some((before, comment)) = rest.split_once("/*") {
        rules += before;
        rest = comment.split_once("*/").map_or("", |(_, after)| after.trim_start());
    }
    rules += rest;
    for (name, value) in block_colours(block).chain(block_colours(LIGHT)) {
        rules = rules.replace(&format!("var({name})"), value);
    }
    rules
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_use_exactly_the_defined_colours() {
        let names = |block| block_colours(block).map(|(name, _)| name).collect::<Vec<_>>();
        let light = names(LIGHT);
        assert!(light.len() > 30 && names(PRINT) == light, "{light:?}");
        assert!(names(DARK).iter().all(|name| light.contains(name)), "{:?}", names(DARK));
        for name in light {
            assert!(BOARD_CSS.contains(&format!("var({name})")), "{name}");
        }
        for scheme in
            [ColourScheme::Auto, ColourScheme::Light, ColourScheme::Dark, ColourScheme::Print]
        {
            let sheet = image_stylesheet(scheme);
            assert!(!sheet.contains("var(") && !sheet.contains("/*"), "{sheet}");
            assert_eq!(sheet.matches('{').count(), sheet.matches('}').count());
        }
        let print = image_stylesheet(ColourScheme::Print);
        let colours = print.split('#').skip(1).map(|rest| &rest[..6]);
        // The lock of a blocked wall is nearly white.
        let is_grey = |colour: &str| colour[..2] == colour[2..4] && colour[..2] == colour[4..];
        assert!(colours.filter(|colour| *colour != "fff6d8").all(is_grey), "{print}");
    }
}
