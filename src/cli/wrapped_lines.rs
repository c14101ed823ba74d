//! Wraps lines for a screen or a page: help with examples, and errors with styles.

/// Wraps each line to `width` columns. Continuation lines have a hanging indent: they begin below
/// the description in the last column of the line, or below the text of the line.
pub(super) fn wrap_lines(text: &str, width: usize) -> String {
    let lines: Vec<String> = text.split('\n').map(|line| wrap_line(line, width)).collect();
    lines.join("\n")
}

/// Joins lines without an indent into paragraphs. An empty line or an indented line ends a
/// paragraph.
pub(super) fn join_paragraph_lines(text: &str) -> String {
    let mut joined = String::new();
    let mut is_in_paragraph = false;
    for line in text.split_inclusive('\n') {
        let is_prose = !line.starts_with([' ', '\n']);
        if is_prose && is_in_paragraph && joined.ends_with('\n') {
            joined.pop();
            joined.push(' ');
        }
        joined += line;
        is_in_paragraph = is_prose;
    }
    joined
}

fn wrap_line(line: &str, width: usize) -> String {
    if visible_width(line) <= width {
        return line.into();
    }
    let indent = hanging_indent(line).min(2 * width / 3);
    let mut lines = Vec::new();
    let mut current = String::new();
    for (number, word) in line.split(' ').enumerate() {
        let is_begun = !current.trim().is_empty();
        if is_begun && visible_width(&current) + 1 + visible_width(word) > width {
            lines.push(current.trim_end().to_string());
            current = " ".repeat(indent);
        } else if number > 0 {
            current.push(' ');
        }
        current += word;
    }
    lines.push(current);
    lines.join("\n")
}

/// Returns the offset at which the last column of a line begins. At least two spaces separate
/// columns. A line without columns has the indent of its text.
fn hanging_indent(line: &str) -> usize {
    let text = line.trim_start_matches(' ');
    let begin = line.len() - text.len();
    match text.rfind("  ") {
        Some(gap) => visible_width(&line[..begin + gap + 2]),
        None => begin,
    }
}

/// Returns the displayed width of a text, without its style codes.
fn visible_width(text: &str) -> usize {
    let mut width = 0;
    let mut is_code = false;
    for character in text.chars() {
        match character {
            '\x1b' => is_code = true,
            'm' if is_code => is_code = false,
            _ if is_code => {}
            _ => width += 1,
        }
    }
    width
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rest_of_a_line_begins_below_its_last_column() {
        let text = "Examples:\n  play  all games, the newest first\n  a b c d e f g h i";
        let wrapped =
            "Examples:\n  play  all games,\n        the newest\n        first\n  a b c d e f g h i";
        assert_eq!(wrap_lines(text, 19), wrapped);
        assert_eq!(
            join_paragraph_lines("one:\n  two\n\nthree\nfour\n"),
            "one:\n  two\n\nthree four\n"
        );
        assert_eq!(wrap_lines("  one two three", 10), "  one two\n  three");
        assert_eq!(wrap_lines("\x1b[1mone\x1b[0m two", 7), "\x1b[1mone\x1b[0m two");
        assert_eq!(wrap_lines("\x1b[1mone\x1b[0m two", 6), "\x1b[1mone\x1b[0m\ntwo");
        assert_eq!(wrap_lines("", 5), "");
    }
}
