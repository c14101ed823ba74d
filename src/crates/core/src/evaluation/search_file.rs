//! Files that searches of a game take: nets and opening books.
//!
//! With the feature `embedded` they are part of the program. Without it, as in a browser, they are files of their own,
//! which the program is given. Whoever has searches run asks the rules for [their files](crate::SearchFiles::files)
//! first.

use std::ops::Deref;

use crate::evaluation::net::Net;

/// What such a file holds.
pub trait SearchFileContents: Sync + 'static {
    /// Whether no search can do without the file.
    const IS_NEEDED: bool;

    /// Reads a file, which stays in memory; none if it holds something else.
    fn read(bytes: Vec<u8>) -> Option<&'static Self>;
}

/// An opening book.
impl SearchFileContents for [u8] {
    const IS_NEEDED: bool = false;

    fn read(bytes: Vec<u8>) -> Option<&'static [u8]> {
        Some(bytes.leak())
    }
}

impl<const INPUTS: usize, const HIDDEN: usize, const BUCKETS: usize> SearchFileContents
    for Net<INPUTS, HIDDEN, BUCKETS>
{
    const IS_NEEDED: bool = true;

    fn read(bytes: Vec<u8>) -> Option<&'static Self> {
        Net::read(&bytes).map(|net| &*Box::leak(net))
    }
}

/// A file that searches take, of whatever contents.
pub trait LoadableFile: Sync {
    /// Its name.
    fn name(&self) -> &'static str;

    /// Whether no search can do without it. Other files make searches better.
    fn is_required(&self) -> bool;

    /// Whether the program has it.
    fn is_loaded(&self) -> bool;

    /// Gives the program the file. Returns whether the program has it then: not if the bytes are no such file.
    fn load(&self, bytes: Vec<u8>) -> bool;
}

/// A file that searches take. [`search_file!`](crate::search_file!) makes one.
#[cfg(feature = "embedded")]
pub struct SearchFile<T: SearchFileContents + ?Sized> {
    #[doc(hidden)]
    pub name: &'static str,
    #[doc(hidden)]
    pub contents: &'static T,
}

/// A file that searches take. [`search_file!`](crate::search_file!) makes one.
#[cfg(not(feature = "embedded"))]
pub struct SearchFile<T: SearchFileContents + ?Sized> {
    #[doc(hidden)]
    pub name: &'static str,
    #[doc(hidden)]
    pub contents: std::sync::OnceLock<&'static T>,
}

#[cfg(feature = "embedded")]
impl<T: SearchFileContents + ?Sized> SearchFile<T> {
    /// What the file holds; none if the program does not have it.
    #[inline]
    pub fn contents(&self) -> Option<&'static T> {
        Some(self.contents)
    }

    fn set(&self, _: Vec<u8>) {}
}

#[cfg(not(feature = "embedded"))]
impl<T: SearchFileContents + ?Sized> SearchFile<T> {
    /// What the file holds; none if the program does not have it.
    #[inline]
    pub fn contents(&self) -> Option<&'static T> {
        self.contents.get().copied()
    }

    fn set(&self, bytes: Vec<u8>) {
        if let Some(contents) = T::read(bytes) {
            // Another thread may have given the same file in the meantime.
            let _ = self.contents.set(contents);
        }
    }
}

/// # Panics
/// If the program does not have the file.
impl<T: SearchFileContents + ?Sized> Deref for SearchFile<T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        self.contents().unwrap_or_else(|| panic!("the file {} has not been given", self.name))
    }
}

impl<T: SearchFileContents + ?Sized> LoadableFile for SearchFile<T> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn is_required(&self) -> bool {
        T::IS_NEEDED
    }

    fn is_loaded(&self) -> bool {
        self.contents().is_some()
    }

    fn load(&self, bytes: Vec<u8>) -> bool {
        if !self.is_loaded() {
            self.set(bytes);
        }
        self.is_loaded()
    }
}

/// The [`SearchFile`](crate::SearchFile) of this name beside the manifest of the crate whose `src` names it, read by this constant function when the program is compiled.
#[cfg(feature = "embedded")]
#[macro_export]
macro_rules! search_file {
    ($file:literal) => {
        $crate::evaluation::search_file::SearchFile {
            name: $file,
            contents: include_bytes!(concat!("../", $file)),
        }
    };
    ($file:literal, $read:expr) => {
        $crate::evaluation::search_file::SearchFile {
            name: $file,
            contents: &$read(include_bytes!(concat!("../", $file))),
        }
    };
}

/// The [`SearchFile`](crate::SearchFile) of this name, which the program is to be given.
#[cfg(not(feature = "embedded"))]
#[macro_export]
macro_rules! search_file {
    ($file:literal $(, $read:expr)?) => {
        $crate::evaluation::search_file::SearchFile {
            name: $file,
            contents: std::sync::OnceLock::new(),
        }
    };
}
