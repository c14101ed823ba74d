//! The pages of the documentation: every Markdown file of the repository. Other tests run the examples in them; here
//! every link in them leads to something.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Component, Path, PathBuf};

/// A Markdown file.
pub struct Page {
    /// Its path from the root of the repository, with slashes.
    pub name: String,
    /// All of it.
    pub text: String,
}

/// A fenced block of a page.
pub struct Block<'a> {
    /// The line of the page in which it begins, from 1.
    pub line: usize,
    /// What stands behind the signs that begin it, such as `ugi`.
    pub mark: &'a str,
    /// The lines between those that begin and end it.
    pub text: String,
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Whether a folder is no part of the repository: one of a tool, of packages or of what was built.
fn is_foreign(folder: &Path) -> bool {
    let name = folder.file_name().unwrap().to_string_lossy();
    let is_hidden = name.starts_with('.') && name != ".github";
    is_hidden || name == "node_modules" || name == "target" || folder.join("CACHEDIR.TAG").exists()
}

/// Every page below a folder, in the order of their paths.
fn pages_below(folder: &Path, found: &mut Vec<Page>) {
    let mut paths: Vec<PathBuf> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            if !is_foreign(&path) {
                pages_below(&path, found);
            }
        } else if path.extension().is_some_and(|ending| ending == "md") {
            let parts = path.strip_prefix(root()).unwrap().components();
            let name =
                parts.map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/");
            found.push(Page { name, text: fs::read_to_string(&path).unwrap() });
        }
    }
}

/// Every page of the repository.
pub fn pages() -> Vec<Page> {
    let mut found = Vec::new();
    pages_below(root(), &mut found);
    found
}

impl Page {
    /// The fenced blocks of this page, in their order.
    pub fn blocks(&self) -> Vec<Block<'_>> {
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

    /// The page without its fenced blocks.
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

    /// The names by which links reach the headings of this page: as GitHub makes them, words in lower case and joined,
    /// and a number behind a name that was there before.
    fn anchors(&self) -> Vec<String> {
        let mut seen: BTreeMap<String, usize> = BTreeMap::new();
        let prose = self.prose();
        let headings = prose.lines().filter(|line| line.starts_with('#'));
        let name = |heading: &str| {
            let words = without_targets(heading.trim_start_matches('#').trim());
            let kept = words.chars().filter(|sign| sign.is_alphanumeric() || " -_".contains(*sign));
            kept.map(|sign| if sign == ' ' { '-' } else { sign }).collect::<String>().to_lowercase()
        };
        let numbered = headings.map(name).map(|name| {
            let before = seen.entry(name.clone()).or_default();
            *before += 1;
            if *before == 1 { name } else { format!("{name}-{}", *before - 1) }
        });
        numbered.collect()
    }

    /// Where the links and pictures of this page lead.
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

/// A heading in which a link is only its text.
fn without_targets(heading: &str) -> String {
    let mut parts = heading.split("](");
    let first = parts.next().unwrap_or_default().to_string();
    parts.fold(first, |text, part| text + part.split_once(')').map_or("", |(_, rest)| rest))
}

/// A paragraph without what stands in backticks, which is no link however it looks.
fn without_code(paragraph: &str) -> String {
    let parts: Vec<&str> = paragraph.split('`').collect();
    if parts.len().is_multiple_of(2) {
        paragraph.into()
    } else {
        parts.into_iter().step_by(2).collect()
    }
}

/// The path of a target, seen from a page; `None` if it leads out of the repository.
fn resolved(page: &str, target: &str) -> Option<String> {
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

/// What is wrong with the links of a page among these pages, and how many links it has to this repository.
fn faults(page: &Page, pages: &[Page]) -> (Vec<String>, usize) {
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
        let name =
            if path.is_empty() { Some(page.name.clone()) } else { resolved(&page.name, path) };
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
    (faults, count)
}

#[test]
fn every_link_leads_to_a_file_and_a_heading() {
    let pages = pages();
    let (mut all, mut links) = (Vec::new(), 0);
    for page in &pages {
        let (faults, count) = faults(page, &pages);
        all.extend(faults);
        links += count;
    }
    assert!(all.is_empty(), "links that lead nowhere:\n  {}", all.join("\n  "));
    assert!(links > 100 && pages.iter().any(|page| page.name == "README.md"), "{links} links");
}

#[test]
fn links_that_lead_nowhere_are_noticed() {
    let page = |name: &str, text: &str| Page { name: name.into(), text: text.into() };
    let other = page(
        "docs/b.md",
        "# B\n\n## The `x`, and [more](c.md)\n\n## Twice\n\n## Twice\n\n```\n# no heading\n```\n",
    );
    let found = |text: &str| {
        faults(&page("docs/a.md", text), &[page("docs/a.md", text), page(&other.name, &other.text)])
    };
    assert_eq!(
        found("# A\n[b](b.md#the-x-and-more) [t](b.md#twice-1) [a](#a) [r](../README.md)").0,
        [""; 0]
    );
    assert_eq!(
        found("`[code](none.md)`\n\n```\n[code](none.md)\n```\n[out](https://example.org/#x)"),
        (vec![], 0)
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
        assert_eq!(found(text), (vec![fault.to_string()], 1), "{text}");
    }
}
