//! Gives the program a digest of what it is built from, so that results of different programs are told apart: the
//! sources of its crates with their nets, books and openings, and the versions of the libraries.

use std::path::Path;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let root = env::var("CARGO_MANIFEST_DIR").unwrap_or_default();
    let root = Path::new(&root);
    let mut digest = Digest(0xcbf2_9ce4_8422_2325);
    digest.folder(&root.join("src"))?;
    digest.bytes(&fs::read(root.join("Cargo.lock")).unwrap_or_default());
    println!("cargo::rerun-if-changed=src");
    println!("cargo::rerun-if-changed=Cargo.lock");
    println!("cargo::rustc-env=PENTARCH_SOURCES={:016x}", digest.0);
    Ok(())
}

/// The hash FNV-1a (G. Fowler, L. C. Noll, K.-P. Vo), which takes no library.
struct Digest(u64);

impl Digest {
    fn bytes(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    /// The names and contents of all files in a folder, in the order of their names, except for the Python package.
    fn folder(&mut self, folder: &Path) -> io::Result<()> {
        let mut entries = fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>()?;
        entries.sort_by_key(fs::DirEntry::file_name);
        for entry in entries {
            let (path, name) = (entry.path(), entry.file_name());
            match path.is_dir() {
                true if name == "python" => {}
                true => self.folder(&path)?,
                false => {
                    let contents = fs::read(&path)?;
                    self.bytes(name.as_encoded_bytes());
                    self.bytes(&(contents.len() as u64).to_le_bytes());
                    self.bytes(&contents);
                }
            }
        }
        Ok(())
    }
}
