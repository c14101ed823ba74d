//! The documentation pages: all Markdown files of the repository. The tests here check every link
//! in them. Other tests run their examples.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Component, Path, PathBuf};

/// A Markdown file.
pub(crate) struct Page {
    /// The path relative to the root of the repository, with slashes.
    pub name: String,
    /// The complete content.
    pub text: String,
}

/// A fenced block of a page.
pub(crate) struct Block<'a> {
    /// The number of the line that begins the block, from 1.
    pub line: usize,
    /// The text after the opening fence, such as `ugi`.
    pub mark: &'a str,
    /// The lines between the fences.
    pub text: String,
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Returns whether a folder is outside the repository. Such a folder belongs to a tool, or contains
/// packages or build output.
fn is_outside_repository(folder: &Path) -> bool {
    let name = folder.file_name().unwrap().to_string_lossy();
    let is_hidden = name.starts_with('.') && name != ".github";
    is_hidden || name == "node_modules" || name == "target" || folder.join("CACHEDIR.TAG").exists()
}

/// Appends all pages below a folder, sorted by path.
fn collect_pages(folder: &Path, found: &mut Vec<Page>) {
    let mut paths: Vec<PathBuf> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            if !is_outside_repository(&path) {
                collect_pages(&path, found);
            }
        } else if path.extension().is_some_and(|ending| ending == "md") {
            let parts = path.strip_prefix(root()).unwrap().components();
            let name =
                parts.map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/");
            found.push(Page { name, text: fs::read_to_string(&path).unwrap() });
        }
    }
}

/// Returns all pages of the repository.
pub(crate) fn pages() -> Vec<Page> {
    let mut found = Vec::new();
    collect_pages(root(), &mut found);
    found
}

impl Page {
    /// Returns the fenced blocks of this page in their order.
    pub(crate) fn blocks(&self) -> Vec<Block<'_>> {
        let mut found: Vec<Block> = Vec::new();
        let mut inside = false;
        for (line, text) in (1..).zip(self.text.lines()) {
            if let Some(mark) = text.trim_start().strip_prefix("```") {
                inside = !inside;
                found.extend(inside.then(|| Block { line, mark, text: String::new() }));
            } else if inside && let Some(block) = found.last_mut() {
                block.text += text;
                block.text.push('\n');
            }
        }
        found
    }

    /// Returns the page without its fenced blocks.
    fn prose(&self) -> String {
        let mut inside = false;
        let mut prose = String::new();
        for line in self.text.lines() {
            let is_fence = line.trim_start().starts_with("```");
            inside ^= is_fence;
            if !inside && !is_fence {
                prose += line;
            }
            prose.push('\n');
        }
        prose
    }

    /// Returns the anchors of the headings of this page. As on GitHub, an anchor consists of the
    /// words in lower case, joined by hyphens. If an anchor is repeated, a number follows it.
    fn anchors(&self) -> Vec<String> {
        let mut seen: BTreeMap<String, usize> = BTreeMap::new();
        let prose = self.prose();
        let headings = prose.lines().filter(|line| line.starts_with('#'));
        let mut anchors = Vec::new();
        for heading in headings {
            let words = without_link_targets(heading.trim_start_matches('#').trim());
            let signs =
                words.chars().filter(|sign| sign.is_alphanumeric() || " -_".contains(*sign));
            let joined: String = signs.map(|sign| if sign == ' ' { '-' } else { sign }).collect();
            let anchor = joined.to_lowercase();
            let before = seen.entry(anchor.clone()).or_default();
            *before += 1;
            anchors.push(if *before == 1 { anchor } else { format!("{anchor}-{}", *before - 1) });
        }
        anchors
    }

    /// Returns the targets of the links and images of this page.
    fn targets(&self) -> Vec<String> {
        let mut found = Vec::new();
        let prose = self.prose();
        for paragraph in prose.split("\n\n") {
            let text = without_code(paragraph);
            for (begin, end) in [("](", ')'), ("src=\"", '"'), ("href=\"", '"'), ("]: ", '\n')] {
                let after = text.split(begin).skip(1);
                found.extend(
                    after.map(|text| text.split(end).next().unwrap_or_default().trim().to_string()),
                );
            }
        }
        found
    }
}

/// Returns a heading in which each link is replaced by its text.
fn without_link_targets(heading: &str) -> String {
    let mut parts = heading.split("](");
    let first = parts.next().unwrap_or_default().to_string();
    parts.fold(first, |text, part| text + part.split_once(')').map_or("", |(_, rest)| rest))
}

/// Returns a paragraph without inline code, because inline code contains no links.
fn without_code(paragraph: &str) -> String {
    let parts: Vec<&str> = paragraph.split('`').collect();
    if parts.len().is_multiple_of(2) {
        paragraph.into()
    } else {
        parts.into_iter().step_by(2).collect()
    }
}

/// Returns the path of a target relative to the root; `None` if the target is outside the
/// repository.
fn resolve_target(page: &str, target: &str) -> Option<String> {
    let folder = Path::new(page).parent().unwrap_or(Path::new(""));
    let mut parts: Vec<String> = Vec::new();
    for part in folder.join(target).components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => drop(parts.pop()?),
            Component::Normal(name) => parts.push(name.to_string_lossy().into()),
            Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    Some(parts.join("/"))
}

/// The invalid links of a page, and the number of all its links to this repository.
#[derive(Debug, PartialEq)]
struct LinkReport {
    faults: Vec<String>,
    count: usize,
}

/// Checks the links of a page. `pages` contains all pages.
fn check_links(page: &Page, pages: &[Page]) -> LinkReport {
    let mut faults = Vec::new();
    let mut count = 0;
    for target in page.targets() {
        if target.contains("://") || target.starts_with("mailto:") {
            continue;
        }
        count += 1;
        let (path, anchor) = target
            .split_once('#')
            .map_or((target.as_str(), None), |(path, name)| (path, Some(name)));
        let name = if path.is_empty() {
            Some(page.name.clone())
        } else {
            resolve_target(&page.name, path)
        };
        let other = pages.iter().find(|other| name.as_ref() == Some(&other.name));
        let exists =
            other.is_some() || name.as_ref().is_some_and(|name| root().join(name).exists());
        if !exists {
            faults.push(format!("{}: '{target}': there is no such file", page.name));
        } else if let Some(anchor) = anchor
            && !other.is_some_and(|other| other.anchors().iter().any(|known| known == anchor))
        {
            faults.push(format!("{}: '{target}': there is no such heading", page.name));
        }
    }
    LinkReport { faults, count }
}

#[test]
fn every_link_leads_to_a_file_and_a_heading() {
    let pages = pages();
    let mut faults = Vec::new();
    let mut links = 0;
    for page in &pages {
        let report = check_links(page, &pages);
        faults.extend(report.faults);
        links += report.count;
    }
    assert!(faults.is_empty(), "links that lead nowhere:\n  {}", faults.join("\n  "));
    assert!(links > 100 && pages.iter().any(|page| page.name == "README.md"), "{links} links");
}

#[test]
fn finds_links_that_lead_nowhere() {
    let page = |name: &str, text: &str| Page { name: name.into(), text: text.into() };
    let other = page(
        "docs/b.md",
        "# B\n\n## The `x`, and [more](c.md)\n\n## Twice\n\n## Twice\n\n```\n# no heading\n```\n",
    );
    let report = |text: &str| {
        check_links(
            &page("docs/a.md", text),
            &[page("docs/a.md", text), page(&other.name, &other.text)],
        )
    };
    assert_eq!(
        report("# A\n[b](b.md#the-x-and-more) [t](b.md#twice-1) [a](#a) [r](../README.md)").faults,
        [""; 0]
    );
    assert_eq!(
        report("`[code](none.md)`\n\n```\n[code](none.md)\n```\n[out](https://example.org/#x)"),
        LinkReport { faults: Vec::new(), count: 0 }
    );
    for (text, fault) in [
        ("[b](c.md)", "docs/a.md: 'c.md': there is no such file"),
        ("[`b`](../../b.md)", "docs/a.md: '../../b.md': there is no such file"),
        ("[two\nlines](b.md#three)", "docs/a.md: 'b.md#three': there is no such heading"),
        ("[b](b.md#no-heading)", "docs/a.md: 'b.md#no-heading': there is no such heading"),
        ("[b](b.md#twice-2)", "docs/a.md: 'b.md#twice-2': there is no such heading"),
        ("<img src=\"none.svg\">", "docs/a.md: 'none.svg': there is no such file"),
        ("[b]: none.md\n", "docs/a.md: 'none.md': there is no such file"),
    ] {
        let expected = LinkReport { faults: vec![fault.to_string()], count: 1 };
        assert_eq!(report(text), expected, "{text}");
    }
}
