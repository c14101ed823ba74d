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
pub const FILES: &[File] = &[file("", HTML, include_bytes!("page/index.html"))];

const HTML: &str = "text/html; charset=utf-8";

const fn file(name: &'static str, media_type: &'static str, bytes: &'static [u8]) -> File {
    File { name, media_type, bytes }
}
