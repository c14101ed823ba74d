//! Files that searches of a game need: nets, opening books and packed losses.
//!
//! With the feature `embedded`, these files are compiled into the program. Without this feature, as
//! in a browser, the program must load them as separate files. A caller asks the rules for [their
//! files](crate::SearchDataFiles::search_data_files) before it starts a search.

use std::ops::Deref;

use crate::evaluation::data_format::{BOOK_FILE_FORMAT, LOSSES_FILE_FORMAT};
use crate::evaluation::net::Net;

/// The contents of a search file: a net, an opening book or packed losses.
pub trait SearchFileContents: Sync + 'static {
    /// Whether every search needs the file.
    const IS_FILE_REQUIRED: bool;

    /// Parses the bytes of a file, which stays in memory. Returns `None` if the bytes have another
    /// format or are damaged.
    fn parse_file_bytes(bytes: Vec<u8>) -> Option<&'static Self>;
}

/// An opening book, or packed losses.
impl SearchFileContents for [u8] {
    const IS_FILE_REQUIRED: bool = false;

    fn parse_file_bytes(bytes: Vec<u8>) -> Option<&'static [u8]> {
        let is_valid = [BOOK_FILE_FORMAT, LOSSES_FILE_FORMAT]
            .iter()
            .any(|format| format.verified_contents(&bytes).is_ok());
        is_valid.then(|| &*bytes.leak())
    }
}

impl<const INPUTS: usize, const HIDDEN: usize, const BUCKETS: usize> SearchFileContents
    for Net<INPUTS, HIDDEN, BUCKETS>
{
    const IS_FILE_REQUIRED: bool = true;

    fn parse_file_bytes(bytes: Vec<u8>) -> Option<&'static Self> {
        Net::from_verified_file(&bytes).map(|net| &*Box::leak(net))
    }
}

/// A file that searches need, with contents of any type.
pub trait LoadableFile: Sync {
    /// Returns the name of the file.
    fn file_name(&self) -> &'static str;

    /// Returns whether every search needs the file. A file that is not required only improves
    /// searches.
    fn is_required_for_search(&self) -> bool;

    /// Returns whether the file is loaded.
    fn is_file_loaded(&self) -> bool;

    /// Loads the file from its bytes, unless it is already loaded. Returns whether the file is
    /// loaded afterwards, or `false` if the bytes have another format or are damaged.
    fn load_from_bytes(&self, bytes: Vec<u8>) -> bool;
}

/// A file that searches need, created by [`search_file!`](crate::search_file!).
#[cfg(feature = "embedded")]
pub struct SearchDataFile<T: SearchFileContents + ?Sized> {
    #[doc(hidden)]
    pub name: &'static str,
    #[doc(hidden)]
    pub contents: &'static T,
}

/// A file that searches need, created by [`search_file!`](crate::search_file!).
#[cfg(not(feature = "embedded"))]
pub struct SearchDataFile<T: SearchFileContents + ?Sized> {
    #[doc(hidden)]
    pub name: &'static str,
    #[doc(hidden)]
    pub contents: std::sync::OnceLock<&'static T>,
}

#[cfg(feature = "embedded")]
impl<T: SearchFileContents + ?Sized> SearchDataFile<T> {
    /// Returns the contents, or `None` if the file is not loaded.
    #[inline]
    pub fn contents(&self) -> Option<&'static T> {
        Some(self.contents)
    }

    fn set_contents(&self, _: Vec<u8>) {}
}

#[cfg(not(feature = "embedded"))]
impl<T: SearchFileContents + ?Sized> SearchDataFile<T> {
    /// Returns the contents, or `None` if the file is not loaded.
    #[inline]
    pub fn contents(&self) -> Option<&'static T> {
        self.contents.get().copied()
    }

    fn set_contents(&self, bytes: Vec<u8>) {
        if let Some(contents) = T::parse_file_bytes(bytes) {
            // Another thread may have loaded the same file in the meantime.
            let _ = self.contents.set(contents);
        }
    }
}

/// # Panics
/// If the file is not loaded.
impl<T: SearchFileContents + ?Sized> Deref for SearchDataFile<T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        self.contents().unwrap_or_else(|| panic!("the file {} is not loaded", self.name))
    }
}

impl<T: SearchFileContents + ?Sized> LoadableFile for SearchDataFile<T> {
    fn file_name(&self) -> &'static str {
        self.name
    }

    fn is_required_for_search(&self) -> bool {
        T::IS_FILE_REQUIRED
    }

    fn is_file_loaded(&self) -> bool {
        self.contents().is_some()
    }

    fn load_from_bytes(&self, bytes: Vec<u8>) -> bool {
        if !self.is_file_loaded() {
            self.set_contents(bytes);
        }
        self.is_file_loaded()
    }
}

/// Creates the [`SearchDataFile`](crate::SearchDataFile) with this name. The file is next to the
/// manifest of the crate that invokes the macro, and is compiled into the program. The optional
/// function `$read` reads the file at compile time.
#[cfg(feature = "embedded")]
#[macro_export]
macro_rules! search_file {
    ($file:literal) => {
        $crate::evaluation::search_file::SearchDataFile {
            name: $file,
            contents: include_bytes!(concat!("../", $file)),
        }
    };
    ($file:literal, $read:expr) => {
        $crate::evaluation::search_file::SearchDataFile {
            name: $file,
            contents: &$read(include_bytes!(concat!("../", $file))),
        }
    };
}

/// Creates the [`SearchDataFile`](crate::SearchDataFile) with this name. The program must load the
/// contents of the file.
#[cfg(not(feature = "embedded"))]
#[macro_export]
macro_rules! search_file {
    ($file:literal $(, $read:expr)?) => {
        $crate::evaluation::search_file::SearchDataFile {
            name: $file,
            contents: std::sync::OnceLock::new(),
        }
    };
}
