//! The files of the page, which are part of the program, and their addresses.
//!
//! The address of a file contains a digest of all files. If a file changes, its address changes.
//! Therefore a browser may cache a file forever. The browser requests only the page itself again,
//! and the page names the other files.

use std::hash::{DefaultHasher, Hash, Hasher};

use hyper::body::Bytes;

use pentarch_diagram::stylesheet;

/// The HTML document of the page.
const INDEX_PAGE: &str = include_str!("../page/index.html");

/// A file of the page.
#[derive(Hash)]
struct PageFile {
    /// The path of the file below the folder `page`, as in its address.
    name: &'static str,
    bytes: &'static [u8],
}

/// The styles of boards, which diagrams share.
const BOARD_STYLE_FILES: [PageFile; 2] = [
    PageFile { name: "board.css", bytes: stylesheet::BOARD_CSS.as_bytes() },
    PageFile { name: "colours.css", bytes: stylesheet::COLOURS_CSS.as_bytes() },
];

/// The files in the folder `page` that the page loads, in the order of their paths. `build.rs`
/// lists these files.
const PAGE_FOLDER_FILES: &[PageFile] = include!(concat!(env!("OUT_DIR"), "/page_files.rs"));

/// The first script of the page, which imports all others.
const MAIN_SCRIPT_NAME: &str = "app/main.js";

impl PageFile {
    /// Returns all files except the page itself.
    fn all_except_index() -> impl Iterator<Item = &'static PageFile> {
        PAGE_FOLDER_FILES.iter().chain(&BOARD_STYLE_FILES)
    }

    /// Returns the media type by the extension of the name. Browsers reject scripts and styles of
    /// another type.
    fn media_type(&self) -> &'static str {
        match self.name.rsplit('.').next() {
            Some("css") => "text/css; charset=utf-8",
            Some("js") => "text/javascript; charset=utf-8",
            _ => "application/octet-stream",
        }
    }
}

/// The files of a server.
pub(super) struct PageFiles {
    /// The page itself, with the addresses of the other files.
    index: Bytes,
    /// The digest of all files. The digest is the prefix of the files' names in addresses.
    digest: String,
    /// The digest as an entity tag.
    tag: String,
}

/// The body and the headers of the response with a file.
pub(super) struct FileResponse<'a> {
    pub bytes: Bytes,
    pub media_type: &'static str,
    /// The value of `Cache-Control`.
    pub cache_control: &'static str,
    pub tag: &'a str,
}

impl PageFiles {
    /// Creates the files of a server. `usual_host` is the usual host name of the page, if this
    /// server has another.
    pub(super) fn new(usual_host: Option<&str>) -> PageFiles {
        let mut hasher = DefaultHasher::new();
        (INDEX_PAGE, usual_host).hash(&mut hasher);
        PageFile::all_except_index().for_each(|file| file.hash(&mut hasher));
        let digest = format!("{:016x}", hasher.finish());
        let mut index = INDEX_PAGE.to_string();
        for PageFile { name, .. } in PageFile::all_except_index() {
            index = index.replace(&format!("\"{name}\""), &format!("\"{digest}/{name}\""));
        }
        // Without these links the browser would load a module only after the module that imports
        // it.
        let mut links = String::new();
        for PageFile { name, .. } in PageFile::all_except_index() {
            if name.ends_with(".js") && *name != MAIN_SCRIPT_NAME {
                links += &format!("<link rel=\"modulepreload\" href=\"{digest}/{name}\">\n");
            }
        }
        if let Some(host) = usual_host {
            links += &format!("<meta name=\"usual-host\" content=\"{host}\">\n");
        }
        let index = index.replacen("</head>", &(links + "</head>"), 1).into();
        PageFiles { index, tag: format!("\"{digest}\""), digest }
    }

    /// Returns the file with this name below the page's path. An empty name is the page itself.
    pub(super) fn file_at_path(&self, name: &str) -> Option<FileResponse<'_>> {
        let (bytes, media_type, cache_control) = if name.is_empty() {
            (self.index.clone(), "text/html; charset=utf-8", "no-cache")
        } else {
            let name = name.strip_prefix(&self.digest)?.strip_prefix('/')?;
            let file = PageFile::all_except_index().find(|file| file.name == name)?;
            (Bytes::from_static(file.bytes), file.media_type(), "max-age=31536000, immutable")
        };
        Some(FileResponse { bytes, media_type, cache_control, tag: &self.tag })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_of_the_page_is_served_and_of_a_known_type() {
        let files = PageFiles::new(None);
        for file in PageFile::all_except_index() {
            assert!(!file.media_type().starts_with("application"), "{}", file.name);
            let found = files.file_at_path(&format!("{}/{}", files.digest, file.name)).unwrap();
            assert_eq!(
                (found.bytes, found.media_type),
                (Bytes::from_static(file.bytes), file.media_type())
            );
            let other = format!("{:016x}/{}", 0, file.name);
            assert!(
                files.file_at_path(file.name).is_none() && files.file_at_path(&other).is_none(),
                "{}",
                file.name
            );
        }
    }

    #[test]
    fn the_page_names_all_files_once_and_imports_every_module() {
        let files = PageFiles::new(None);
        let index = String::from_utf8(files.file_at_path("").unwrap().bytes.to_vec()).unwrap();
        for PageFile { name, .. } in PageFile::all_except_index() {
            let address = format!("=\"{}/{name}\"", files.digest);
            assert_eq!(index.matches(&address).count(), 1, "{address}: {index}");
            // A module in another folder is imported as `../folder/file.js`.
            let file_name = name.rsplit('/').next().unwrap();
            let import = format!("/{file_name}\";");
            let is_imported =
                |file: &PageFile| str::from_utf8(file.bytes).unwrap().contains(&import);
            assert!(
                !name.ends_with(".js")
                    || *name == MAIN_SCRIPT_NAME
                    || PageFile::all_except_index().any(is_imported),
                "{name}"
            );
        }
        let before = index.split_once("</head>").unwrap().0;
        assert_eq!(before.matches("modulepreload").count(), index.matches("modulepreload").count());
        assert!(!index.contains("name=\"usual-host\""));
    }

    #[test]
    fn a_page_at_another_address_names_its_usual_one() {
        let [usual, other] = [None, Some("127.0.0.1:1")].map(PageFiles::new);
        let index = String::from_utf8(other.file_at_path("").unwrap().bytes.to_vec()).unwrap();
        assert!(
            index.contains("<meta name=\"usual-host\" content=\"127.0.0.1:1\">\n</head>"),
            "{index}"
        );
        assert_ne!(usual.tag, other.tag);
    }
}
