//! Changes of files during a run, and the part of them that survives a power failure.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use nix::libc::{self, user_regs_struct};
use nix::unistd::Pid;

/// A change of files. Paths are relative to the folder of the run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Change {
    /// A file is created, or its content is removed.
    Create(PathBuf),
    /// A folder is created.
    Folder(PathBuf),
    /// Bytes are written at an offset of a file.
    Write(PathBuf, usize, Vec<u8>),
    /// A file is set to this length.
    Length(PathBuf, usize),
    /// A file or a folder is synced.
    Sync(PathBuf),
    /// A file gets a second name.
    Link(PathBuf, PathBuf),
    /// A file is renamed.
    Rename(PathBuf, PathBuf),
    /// A name is removed.
    Remove(PathBuf),
}

impl Change {
    /// Returns the change that a call makes; `None` if it changes no file in the folder. The thread
    /// is at the entry of the call.
    pub(super) fn from_call(
        folder: &Path,
        thread: Pid,
        call: i64,
        registers: &user_regs_struct,
    ) -> Option<Change> {
        let memory = File::open(format!("/proc/{thread}/mem")).ok()?;
        let bytes = |at: u64, len: usize| {
            let mut bytes = vec![0; len];
            let read = memory.read_at(&mut bytes, at).unwrap_or(0);
            bytes.truncate(read);
            bytes
        };
        let inside = |path: &Path| folder.join(path).strip_prefix(folder).ok().map(PathBuf::from);
        let path = |at: u64| {
            let text = bytes(at, 4096);
            let end = text.iter().position(|&byte| byte == 0)?;
            inside(Path::new(std::str::from_utf8(&text[..end]).ok()?))
        };
        let open = |number: u64| {
            let path = fs::read_link(format!("/proc/{thread}/fd/{number}")).ok()?;
            inside(&path)
        };
        let user_regs_struct { rdi, rsi, rdx, r10, .. } = *registers;
        match call {
            libc::SYS_openat => {
                let path = path(rsi)?;
                let flags = rdx as i32;
                let is_new = flags & libc::O_CREAT != 0 && !folder.join(&path).exists();
                (is_new || flags & libc::O_TRUNC != 0).then_some(Change::Create(path))
            }
            libc::SYS_write => {
                let path = open(rdi)?;
                let length =
                    folder.join(&path).metadata().ok().filter(fs::Metadata::is_file)?.len();
                let info = fs::read_to_string(format!("/proc/{thread}/fdinfo/{rdi}")).ok()?;
                let field = |name| info.lines().find_map(|line: &str| line.strip_prefix(name));
                let flags = i32::from_str_radix(field("flags:")?.trim(), 8).ok()?;
                let at = match flags & libc::O_APPEND {
                    0 => field("pos:")?.trim().parse().ok()?,
                    _ => length,
                };
                Some(Change::Write(path, at as usize, bytes(rsi, rdx as usize)))
            }
            libc::SYS_ftruncate => Some(Change::Length(open(rdi)?, rsi as usize)),
            libc::SYS_fsync | libc::SYS_fdatasync => Some(Change::Sync(open(rdi)?)),
            libc::SYS_mkdir => Some(Change::Folder(path(rdi)?)),
            libc::SYS_unlink => Some(Change::Remove(path(rdi)?)),
            libc::SYS_rename => Some(Change::Rename(path(rdi)?, path(rsi)?)),
            libc::SYS_linkat => Some(Change::Link(path(rsi)?, path(r10)?)),
            _ => None,
        }
    }

    /// Returns the change after the call has returned `result`.
    pub(super) fn with_result(self, result: usize) -> Change {
        match self {
            Change::Write(path, at, mut bytes) => {
                bytes.truncate(result);
                Change::Write(path, at, bytes)
            }
            change => change,
        }
    }
}

/// The part of the changes that is on the disk after a power failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SurvivingData {
    /// Only synced data: the synced bytes of files, and the synced names in folders.
    Synced,
    /// All names, but only the synced bytes of files. This happens if names reach the disk before
    /// bytes.
    Names,
    /// All bytes, but only the synced names in folders.
    Bytes,
    /// Everything, as after the program was killed.
    All,
}

impl SurvivingData {
    /// All kinds of surviving data.
    pub(super) const ALL: [SurvivingData; 4] =
        [SurvivingData::Synced, SurvivingData::Names, SurvivingData::Bytes, SurvivingData::All];
}

/// Files, with their state on the disk and in memory.
#[derive(Debug, Clone, Default)]
pub(super) struct Disk {
    /// The bytes of each file. The first are those in memory, and the second those on the disk.
    files: Vec<[Vec<u8>; 2]>,
    /// The files by name, as they are in memory.
    names: BTreeMap<PathBuf, usize>,
    /// The files by name, as they are on the disk.
    synced: BTreeMap<PathBuf, usize>,
}

impl Disk {
    /// Returns the files in a folder. All of them are synced.
    pub(super) fn from_folder(folder: &Path) -> Disk {
        let mut disk = Disk::default();
        for (name, bytes) in contents(folder) {
            disk.names.insert(name.clone(), disk.files.len());
            disk.synced.insert(name, disk.files.len());
            disk.files.push([bytes.clone(), bytes]);
        }
        disk
    }

    /// Applies a change.
    pub(super) fn apply(&mut self, change: &Change) {
        match change {
            Change::Create(path) => match self.names.get(path) {
                Some(&file) => self.files[file][0].clear(),
                None => {
                    self.names.insert(path.clone(), self.files.len());
                    self.files.push(Default::default());
                }
            },
            // A folder exists as soon as it contains a file.
            Change::Folder(_) => {}
            Change::Write(path, at, bytes) => {
                if let Some(&file) = self.names.get(path) {
                    let file = &mut self.files[file][0];
                    file.resize(file.len().max(at + bytes.len()), 0);
                    file[*at..at + bytes.len()].copy_from_slice(bytes);
                }
            }
            Change::Length(path, length) => {
                if let Some(&file) = self.names.get(path) {
                    self.files[file][0].resize(*length, 0);
                }
            }
            Change::Sync(path) => match self.names.get(path) {
                Some(&file) => self.files[file][1] = self.files[file][0].clone(),
                None => {
                    let is_in = |name: &Path| name.parent() == Some(path.as_path());
                    self.synced.retain(|name, _| !is_in(name));
                    let names = self.names.iter().filter(|(name, _)| is_in(name));
                    self.synced.extend(names.map(|(name, &file)| (name.clone(), file)));
                }
            },
            Change::Link(from, to) => {
                if let Some(&file) = self.names.get(from) {
                    self.names.insert(to.clone(), file);
                }
            }
            Change::Rename(from, to) => {
                if let Some(file) = self.names.remove(from) {
                    self.names.insert(to.clone(), file);
                }
            }
            Change::Remove(path) => drop(self.names.remove(path)),
        }
    }

    /// Writes the surviving files to an empty folder. If two names belong to one file, they still
    /// do so afterwards.
    pub(super) fn write(&self, folder: &Path, survivors: SurvivingData) {
        let mut written: BTreeMap<usize, PathBuf> = BTreeMap::new();
        let is_synced = |one: SurvivingData| [SurvivingData::Synced, one].contains(&survivors);
        let names = if is_synced(SurvivingData::Bytes) { &self.synced } else { &self.names };
        let bytes = usize::from(is_synced(SurvivingData::Names));
        for (name, &file) in names {
            let path = folder.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            match written.get(&file) {
                Some(first) => fs::hard_link(first, &path).unwrap(),
                None => {
                    fs::write(&path, &self.files[file][bytes]).unwrap();
                    written.insert(file, path);
                }
            }
        }
    }
}

/// Returns the files in a folder and in its subfolders, by their relative paths.
pub(super) fn contents(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap().to_path_buf();
                found.insert(name, fs::read(&path).unwrap());
            }
        }
    }
    found
}
