//! The elements of a text that its reader did not store, such as unknown properties of an SGF file.
//! A reader reports all of them, so that people notice what was lost.

use std::collections::HashMap;
use std::fmt;

/// A list of the elements of a text that its reader did not store.
///
/// As a string, the list is a warning, such as `not read: GN (line 1), CR (2 times, first in line
/// 3)`. Elements with the same name form one entry. An element has no line if its name already
/// states the location.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct UnreadElements {
    /// The entries, in the order in which their first elements occur in the text.
    elements: Vec<UnreadElement>,
    /// The indices of the elements, by name.
    indices: HashMap<String, usize>,
}

/// The maximum number of different element names in a warning. A text with more names is probably
/// not a game.
const MAX_NAMES_IN_WARNING: usize = 100;

/// The elements of a text that have the same name.
#[derive(Debug, Clone, PartialEq, Eq)]
struct UnreadElement {
    name: String,
    count: usize,
    /// The line of the first element with this name, counted from 1. The parser of records first
    /// stores the number of bytes from the element to the end of the text here.
    /// [`set_element_line_numbers`] replaces this number by the line.
    line: Option<usize>,
}

impl UnreadElements {
    /// Adds an element. `line` is the number of its line, counted from 1.
    pub fn add(&mut self, name: &str, line: Option<usize>) {
        self.add_element(UnreadElement { name: name.into(), count: 1, line });
    }

    /// Adds the elements of a later part of the same text.
    pub fn append(&mut self, others: UnreadElements) {
        for other in others.elements {
            self.add_element(other);
        }
    }

    fn add_element(&mut self, element: UnreadElement) {
        match self.indices.get(&element.name) {
            Some(&index) => self.elements[index].count += element.count,
            None => {
                self.indices.insert(element.name.clone(), self.elements.len());
                self.elements.push(element);
            }
        }
    }

    /// Returns whether the reader stored everything.
    pub fn is_empty(&self) -> bool {
        self.elements.is_empty()
    }
}

impl fmt::Display for UnreadElements {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        for (index, UnreadElement { name, count, line }) in
            self.elements.iter().take(MAX_NAMES_IN_WARNING).enumerate()
        {
            f.write_str(if index == 0 { "not read: " } else { ", " })?;
            match (count, line) {
                (1, None) => write!(f, "{name}")?,
                (1, Some(line)) => write!(f, "{name} (line {line})")?,
                (_, None) => write!(f, "{name} ({count} times)")?,
                (_, Some(line)) => write!(f, "{name} ({count} times, first in line {line})")?,
            }
        }
        match self.elements.len().saturating_sub(MAX_NAMES_IN_WARNING) {
            0 => Ok(()),
            more => write!(f, ", and {more} more names"),
        }
    }
}

/// Computes the lines of elements from their distances to the end of `text`. The elements must be
/// in the order of the text, so that the text is scanned only once.
pub(super) fn set_element_line_numbers<'a>(
    all: impl IntoIterator<Item = &'a mut UnreadElements>,
    text: &str,
) {
    let mut line = 1;
    let mut at = 0;
    for element in all.into_iter().flat_map(|unread| &mut unread.elements) {
        let Some(distance) = element.line else { continue };
        let begin = text.len() - distance;
        line += text[at..begin].matches('\n').count();
        at = begin;
        element.line = Some(line);
    }
}
