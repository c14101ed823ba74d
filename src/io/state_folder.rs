//! Finds and creates the folder for data that outlives a run. Only the user of the program can read
//! this folder.

use std::fs::DirBuilder;
use std::io;
use std::path::{Path, PathBuf};

/// Returns the folder for the program's state. The folder is in `XDG_STATE_HOME`, or otherwise in
/// the system's usual location. Returns `None` if the system does not provide an absolute path.
pub fn user_state_folder() -> Option<PathBuf> {
    let variable = |name| std::env::var_os(name).map(PathBuf::from);
    let home = |folder| std::env::home_dir().map(|home| home.join(folder));
    let is_absolute = |path: &PathBuf| path.is_absolute();
    let state = variable("XDG_STATE_HOME").filter(is_absolute).or_else(|| {
        let default = match std::env::consts::OS {
            "windows" => variable("LOCALAPPDATA"),
            "macos" => home("Library/Application Support"),
            _ => home(".local/state"),
        };
        default.filter(is_absolute)
    })?;
    Some(state.join("pentarch"))
}

/// Creates a folder that only its owner can use. Does nothing if the folder exists.
pub fn create_private_folder(folder: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}
