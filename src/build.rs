//! The build script of the program. It lists the files of the page, and computes a digest of the
//! sources. The digest distinguishes the results of different programs. It covers the source of the
//! crates with their nets, books and openings, and the versions of libraries.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let root = env::var("CARGO_MANIFEST_DIR").unwrap_or_default();
    let root = Path::new(&root);
    let mut digest = Fnv1aDigest(0xcbf2_9ce4_8422_2325);
    let mut paths = sorted_folder_entries(&root.join("src"))?;
    paths.retain(|path| !path.ends_with("crates"));
    paths.extend(sorted_folder_entries(&root.join("src/crates"))?);
    for path in paths {
        // The Python package and the WebAssembly module are not part of the program.
        if !path.ends_with("python") && !path.ends_with("web") {
            digest.add_files_at_path(&path)?;
            println!("cargo::rerun-if-changed={}", path.display());
        }
    }
    digest.add_files_at_path(&root.join("Cargo.lock"))?;
    println!("cargo::rerun-if-changed=Cargo.lock");
    println!("cargo::rustc-env=PENTARCH_SOURCES={:016x}", digest.0);
    let table = Path::new(&env::var("OUT_DIR").unwrap_or_default()).join("page_files.rs");
    fs::write(table, page_file_table_source(&root.join("src/page"))?)
}

/// Returns Rust source for `serve/page_files.rs`: a table of the files that the page loads, which
/// are in this folder and in the folders inside it. The table omits `types.js`, which has no code.
fn page_file_table_source(folder: &Path) -> io::Result<String> {
    let mut rows = String::new();
    for path in sorted_folder_entries(folder)? {
        let entries = if path.is_dir() { sorted_folder_entries(&path)? } else { vec![path] };
        for path in entries {
            if is_file_loaded_by_page(&path) {
                let parts = path.strip_prefix(folder).unwrap_or(&path).iter();
                let name = parts.map(|part| part.to_string_lossy()).collect::<Vec<_>>().join("/");
                rows +=
                    &format!("PageFile {{ name: {name:?}, bytes: include_bytes!({path:?}) }},\n");
            }
        }
    }
    Ok(format!("&[\n{rows}]\n"))
}

/// Returns whether the page loads a file in its folder.
fn is_file_loaded_by_page(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name != "types.js"
        && !name.starts_with('.')
        && [".js", ".css"].iter().any(|end| name.ends_with(end))
}

/// Returns the paths of the entries of a folder, sorted.
fn sorted_folder_entries(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut entries =
        fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
    entries.sort();
    Ok(entries)
}

/// The hash FNV-1a (G. Fowler, L. C. Noll, K.-P. Vo), which needs no library.
struct Fnv1aDigest(u64);

impl Fnv1aDigest {
    fn add_bytes(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    /// Adds the names and contents of all files at a path. The path may be a folder or a file, or
    /// may not exist.
    fn add_files_at_path(&mut self, path: &Path) -> io::Result<()> {
        if path.is_dir() {
            return sorted_folder_entries(path)?
                .iter()
                .try_for_each(|path| self.add_files_at_path(path));
        }
        let contents = fs::read(path).unwrap_or_default();
        self.add_bytes(path.file_name().unwrap_or_default().as_encoded_bytes());
        self.add_bytes(&(contents.len() as u64).to_le_bytes());
        self.add_bytes(&contents);
        Ok(())
    }
}
