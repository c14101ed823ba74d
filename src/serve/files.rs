//! The files of the page, which are part of the program.

use crate::diagram::style;

/// A file of the page.
pub struct File {
    /// The name in its address.
    pub name: &'static str,
    /// The contents.
    pub bytes: &'static [u8],
}

/// A table of files in the folder `page`.
macro_rules! table {
    ($($name:literal),* $(,)?) => {
        &[$(File { name: $name, bytes: include_bytes!(concat!("page/", $name)) }),*]
    };
}

/// The looks of boards, which pictures share. Every name that is neither here nor among the [`FILES`] is unknown.
const LOOKS: [File; 2] = [
    File { name: "board.css", bytes: style::RULES.as_bytes() },
    File { name: "colours.css", bytes: style::COLOURS.as_bytes() },
];

/// The files in the folder.
const FILES: &[File] = table![
    "advice-arrows.js",
    "analysis-lines.js",
    "analysis.js",
    "board-animation.js",
    "board-keys.js",
    "board-pointer.js",
    "board.js",
    "clock.js",
    "console.js",
    "controls.js",
    "dom.js",
    "engine-player.js",
    "evaluation.js",
    "game.js",
    "hit-test.js",
    "hover.js",
    "index.html",
    "legend.js",
    "main.js",
    "move-input.js",
    "move-list.js",
    "own-marks.js",
    "page.css",
    "players.js",
    "position-panel.js",
    "premove.js",
    "preview.js",
    "requests.js",
    "review-graph.js",
    "review.js",
    "roving-focus.js",
    "rules-panel.js",
    "saved-game.js",
    "score.js",
    "settings-dialog.js",
    "settings.js",
    "setup-dialog.js",
    "site-names.js",
    "sounds.js",
    "state.js",
    "strings.js",
    "table.js",
    "themes.css",
    "tree.js",
    "types.js",
];

impl File {
    /// The file with this name; without a name, the page itself.
    pub fn find(name: &str) -> Option<&'static File> {
        let name = if name.is_empty() { "index.html" } else { name };
        FILES.iter().chain(&LOOKS).find(|file| file.name == name)
    }

    /// The media type, which the end of the name tells. A browser runs no script and applies no style of another type.
    pub fn media_type(&self) -> &'static str {
        match self.name.rsplit('.').next() {
            Some("html") => "text/html; charset=utf-8",
            Some("css") => "text/css; charset=utf-8",
            Some("js") => "text/javascript; charset=utf-8",
            _ => "application/octet-stream",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_of_the_page_is_served_and_of_a_known_type() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/serve/page");
        let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
        let mut names: Vec<String> = entries.map(|name| name.into_string().unwrap()).collect();
        names.sort();
        assert_eq!(FILES.iter().map(|file| file.name).collect::<Vec<_>>(), names);
        for file in FILES.iter().chain(&LOOKS) {
            assert!(!file.media_type().starts_with("application"), "{}", file.name);
        }
        assert_eq!(File::find("").unwrap().name, "index.html");
    }
}
