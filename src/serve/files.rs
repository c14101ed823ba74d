//! The files of the page, which are part of the program.

/// A file of the page.
pub struct File {
    /// The name in its address; empty for the page itself.
    pub name: &'static str,
    /// The media type.
    pub media_type: &'static str,
    /// The contents.
    pub bytes: &'static [u8],
}

/// All files. Every other name is unknown.
pub const FILES: &[File] = &[
    file("", HTML, include_bytes!("page/index.html")),
    file("actions.js", JS, include_bytes!("page/actions.js")),
    file("animation.js", JS, include_bytes!("page/animation.js")),
    file("board.js", JS, include_bytes!("page/board.js")),
    file("clock.js", JS, include_bytes!("page/clock.js")),
    file("console.js", JS, include_bytes!("page/console.js")),
    file("dom.js", JS, include_bytes!("page/dom.js")),
    file("editor.js", JS, include_bytes!("page/editor.js")),
    file("engine.js", JS, include_bytes!("page/engine.js")),
    file("game.js", JS, include_bytes!("page/game.js")),
    file("hit.js", JS, include_bytes!("page/hit.js")),
    file("keyboard.js", JS, include_bytes!("page/keyboard.js")),
    file("legend.js", JS, include_bytes!("page/legend.js")),
    file("main.js", JS, include_bytes!("page/main.js")),
    file("moves.js", JS, include_bytes!("page/moves.js")),
    file("names.js", JS, include_bytes!("page/names.js")),
    file("note.js", JS, include_bytes!("page/note.js")),
    file("options.js", JS, include_bytes!("page/options.js")),
    file("page.css", CSS, include_bytes!("page/page.css")),
    file("play.js", JS, include_bytes!("page/play.js")),
    file("pointer.js", JS, include_bytes!("page/pointer.js")),
    file("record.js", JS, include_bytes!("page/record.js")),
    file("rules.js", JS, include_bytes!("page/rules.js")),
    file("session.js", JS, include_bytes!("page/session.js")),
    file("setup.js", JS, include_bytes!("page/setup.js")),
    file("sides.js", JS, include_bytes!("page/sides.js")),
    file("store.js", JS, include_bytes!("page/store.js")),
    file("strings.js", JS, include_bytes!("page/strings.js")),
    file("transport.js", JS, include_bytes!("page/transport.js")),
];

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const JS: &str = "text/javascript; charset=utf-8";

const fn file(name: &'static str, media_type: &'static str, bytes: &'static [u8]) -> File {
    File { name, media_type, bytes }
}
