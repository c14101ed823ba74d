//! The folder of what the program keeps from one run to the next, for this user only.

use std::fs::DirBuilder;
use std::io;
use std::path::{Path, PathBuf};

/// The folder for what programs keep from one run to the next.
pub fn folder() -> Option<PathBuf> {
    let absolute =
        |name| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let home = |folder| {
        std::env::home_dir().filter(|home| home.is_absolute()).map(|home| home.join(folder))
    };
    let state = absolute("XDG_STATE_HOME").or_else(|| match std::env::consts::OS {
        "windows" => absolute("LOCALAPPDATA"),
        "macos" => home("Library/Application Support"),
        _ => home(".local/state"),
    });
    state.map(|state| state.join("pentarch"))
}

/// Creates a folder that is only its owner's, unless it is there.
pub fn create_folder(folder: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}
