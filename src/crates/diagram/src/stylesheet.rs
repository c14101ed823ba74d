//! The stylesheet of boards. The page uses the stylesheet unchanged. Images contain its rules, with
//! the colours inserted.

/// The colours of boards as CSS custom properties, in three blocks: for light paper, for a dark
/// screen, and for print.
pub const COLOURS_CSS: &str = include_str!("colours.css");
/// The CSS rules of boards. The rules refer to the colours in [`COLOURS_CSS`].
pub const BOARD_CSS: &str = include_str!("board.css");

/// The colours of an image.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColourScheme {
    /// The colours for light paper, or for a dark screen if the reader prefers dark colours.
    Auto,
    /// The colours for light paper.
    Light,
    /// The colours for a dark screen.
    Dark,
    /// Black, white and greys.
    Print,
}

/// The index of the block with the colours for light paper in [`COLOURS_CSS`].
const LIGHT_COLOUR_SCHEME_INDEX: usize = 0;
/// The index of the block with the colours for a dark screen in [`COLOURS_CSS`].
const DARK_COLOUR_SCHEME_INDEX: usize = 1;
/// The index of the colours for print.
const PRINT_COLOUR_SCHEME_INDEX: usize = 2;

/// Returns the stylesheet of an image.
pub fn image_stylesheet(scheme: ColourScheme) -> String {
    match scheme {
        ColourScheme::Auto => {
            let light = css_rules_with_colours(LIGHT_COLOUR_SCHEME_INDEX);
            let dark = css_rules_with_colours(DARK_COLOUR_SCHEME_INDEX);
            format!("{light}@media (prefers-color-scheme: dark) {{\n{dark}}}\n")
        }
        ColourScheme::Light => css_rules_with_colours(LIGHT_COLOUR_SCHEME_INDEX),
        ColourScheme::Dark => css_rules_with_colours(DARK_COLOUR_SCHEME_INDEX),
        ColourScheme::Print => css_rules_with_colours(PRINT_COLOUR_SCHEME_INDEX),
    }
}

/// Returns the names and values of the colours in the block with this index in [`COLOURS_CSS`].
fn colours_in_css_block(block: usize) -> impl Iterator<Item = (&'static str, &'static str)> {
    let block = COLOURS_CSS.split("[data-theme=\"wood\"] {").nth(block + 1).unwrap_or_default();
    let block = block.split('}').next().unwrap_or_default();
    block.lines().filter_map(|line| line.trim().strip_suffix(';')?.split_once(": "))
}

/// Returns the CSS rules of boards with the colours of one block inserted, and without comments. A
/// colour that the block does not define has its value for light paper.
fn css_rules_with_colours(block: usize) -> String {
    let mut rest = BOARD_CSS;
    let mut rules = String::new();
    while let Some((before, comment)) = rest.split_once("/*") {
        rules += before;
        rest = comment.split_once("*/").map_or("", |(_, after)| after.trim_start());
    }
    rules += rest;
    for (name, value) in
        colours_in_css_block(block).chain(colours_in_css_block(LIGHT_COLOUR_SCHEME_INDEX))
    {
        rules = rules.replace(&format!("var({name})"), value);
    }
    rules
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_use_exactly_the_defined_colours() {
        let names = |block| colours_in_css_block(block).map(|(name, _)| name).collect::<Vec<_>>();
        let light = names(LIGHT_COLOUR_SCHEME_INDEX);
        assert!(light.len() > 30 && names(PRINT_COLOUR_SCHEME_INDEX) == light, "{light:?}");
        assert!(
            names(DARK_COLOUR_SCHEME_INDEX).iter().all(|name| light.contains(name)),
            "{:?}",
            names(DARK_COLOUR_SCHEME_INDEX)
        );
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
        // The only other colour is the near-white of the lock on a blocked wall.
        let is_grey = |colour: &str| colour[..2] == colour[2..4] && colour[..2] == colour[4..];
        assert!(colours.filter(|colour| *colour != "fff6d8").all(is_grey), "{print}");
    }
}
