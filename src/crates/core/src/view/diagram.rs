//! The board in characters, for people: rows of cells.
//!
//! A cell is a character with its meaning, so that no code has to parse a drawn board. The cells
//! are used for the text of the board, the cropped boards on a page of rules, and the marks of the
//! last move.

use std::collections::BTreeMap;
use std::fmt;

use thiserror::Error;

use crate::Point;
use crate::notation::points::file_letter;
use crate::view::layout::Site;

/// The meaning of a character of a diagram.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DiagramCellKind {
    /// A space between other cells, or in an open gap between squares.
    Space,
    /// A character that shows a piece, or a sign next to a piece.
    Piece,
    /// A site without a piece.
    Empty,
    /// A character of the lines, outlines or signs of the board.
    Line,
    /// A character of a point where walls or edges of the board meet.
    Post,
    /// A character of a horizontal wall (between two ranks), or of a horizontal edge of the board.
    Horizontal,
    /// A character of a vertical wall (between two files), or of a vertical edge of the board.
    Vertical,
    /// A character of a word for a site, such as its name.
    Name,
    /// A letter at the edge of the board that labels a file. The field is the file, counted from 0.
    File(u8),
    /// A digit at the edge of the board that labels a rank. The field is the rank, counted from 0.
    Rank(u8),
    /// A text beside or below the board.
    Note,
}

impl DiagramCellKind {
    /// Returns the cells of a text, all of this kind.
    pub fn cells_for_characters(self, text: &str) -> impl Iterator<Item = DiagramCell> {
        text.chars().map(move |character| DiagramCell::new(character, self))
    }
}

/// A character of a diagram.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DiagramCell {
    /// The character that the diagram shows.
    pub character: char,
    /// The meaning of the character.
    pub kind: DiagramCellKind,
    /// The index of the player who owns the piece; `None` if nobody owns it.
    pub player: Option<usize>,
    /// The site of the piece, wall or empty point that the cell shows; `None` if the cell shows no
    /// site.
    pub site: Option<Site>,
}

impl DiagramCell {
    /// A cell that contains a space.
    pub const SPACE_CELL: DiagramCell = DiagramCell::new(' ', DiagramCellKind::Space);

    /// Creates a cell without a site.
    pub const fn new(character: char, kind: DiagramCellKind) -> DiagramCell {
        DiagramCell { character, kind, player: None, site: None }
    }

    /// Creates the cell of a piece.
    pub fn of_piece(character: char, player: usize, site: Site) -> DiagramCell {
        DiagramCell {
            player: Some(player),
            ..DiagramCell::new(character, DiagramCellKind::Piece).with_site(site)
        }
    }

    /// Creates the cell of an empty site.
    pub fn of_empty_site(character: char, site: Site) -> DiagramCell {
        DiagramCell::new(character, DiagramCellKind::Empty).with_site(site)
    }

    /// Returns the same cell with this site.
    #[must_use]
    pub fn with_site(self, site: Site) -> DiagramCell {
        DiagramCell { site: Some(site), ..self }
    }

    /// Returns whether the cell shows neither a piece nor a part of the board.
    pub fn is_background(&self) -> bool {
        matches!(self.kind, DiagramCellKind::Space | DiagramCellKind::Empty)
    }
}

/// The board of a game, drawn with characters. Its text has no trailing spaces, and no line end
/// after the last line.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Diagram {
    /// The lines, each from the left.
    pub rows: Vec<Vec<DiagramCell>>,
}

/// The reason why a diagram cannot be cropped.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum DiagramCropError {
    /// The diagram has no labels around it.
    #[error("the diagram has no file labels, so that it cannot be cropped")]
    NoLabels,
    /// The diagram has no label for the file or the rank of a corner.
    #[error("the diagram does not have both {} and {}", .corners[0], .corners[1])]
    NoCorner {
        /// The two corners that the caller requested.
        corners: [Point; 2],
    },
}

impl Diagram {
    /// Appends a line of text below the board.
    pub fn push_note(&mut self, text: &str) {
        self.rows.push(DiagramCellKind::Note.cells_for_characters(text).collect());
    }

    /// Returns the lines as strings.
    pub fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for row in &self.rows {
            let line: String = row.iter().map(|cell| cell.character).collect();
            lines.push(line.trim_end().into());
        }
        lines
    }

    /// Returns the diagram without its notes.
    #[must_use]
    pub fn without_notes(&self) -> Diagram {
        let mut rows = self.rows.clone();
        rows.iter_mut().for_each(|row| row.retain(|cell| cell.kind != DiagramCellKind::Note));
        rows.retain(|row| !row.is_empty());
        Diagram { rows }
    }

    /// Returns the part of the diagram between two corners of the board, with the labels of this
    /// part. The diagram must show the board as the first side sees it.
    ///
    /// # Errors
    /// If the board has no labels, or does not contain a corner.
    pub fn crop(&self, corners: [Point; 2]) -> Result<Diagram, DiagramCropError> {
        let Diagram { rows } = self.without_notes();
        // The columns of the file labels, and the lines of the rank labels.
        let mut files = BTreeMap::new();
        let mut ranks = BTreeMap::new();
        let mut bottom = 0;
        let mut labels_end = 0;
        for (line, row) in rows.iter().enumerate() {
            for (column, cell) in row.iter().enumerate() {
                match cell.kind {
                    DiagramCellKind::File(file) => {
                        files.insert(file, column);
                        bottom = line;
                    }
                    DiagramCellKind::Rank(rank) => {
                        ranks.insert(rank, line);
                        labels_end = labels_end.max(column + 1);
                    }
                    _ => {}
                }
            }
        }
        let first_file = *files.values().min().ok_or(DiagramCropError::NoLabels)?;
        let file_span = cell_range_between_labels(&files, corners.map(|corner| corner.file));
        let [left, right] = file_span.ok_or(DiagramCropError::NoCorner { corners })?;
        let rank_span = cell_range_between_labels(&ranks, corners.map(|corner| corner.rank));
        let [top, low] = rank_span.ok_or(DiagramCropError::NoCorner { corners })?;
        // The rank labels are followed by at least one space. The part of the board begins after
        // this space.
        let margin =
            first_file.saturating_sub(half_distance_between_labels(&files)).max(labels_end + 1);
        let columns = left.max(margin)..=right;
        let cut = |row: &Vec<DiagramCell>| -> Vec<DiagramCell> {
            let label = row.iter().chain(std::iter::repeat(&DiagramCell::SPACE_CELL)).take(margin);
            let part = row.iter().enumerate().filter(|(column, _)| columns.contains(column));
            label.chain(part.map(|(_, cell)| cell)).copied().collect()
        };
        let lines = top..=low.min(bottom.saturating_sub(1));
        let shown = rows.get(lines).unwrap_or_default().iter().chain(rows.get(bottom));
        Ok(Diagram { rows: shown.map(cut).collect() })
    }
}

/// Returns half of the distance between two neighbouring labels, in columns or lines. The columns
/// or lines within this distance of a point are part of the point. They can contain a wall or a
/// line of the board.
fn half_distance_between_labels(labels: &BTreeMap<u8, usize>) -> usize {
    let mut indices = labels.values();
    match (indices.next(), indices.next()) {
        (Some(first), Some(second)) => first.abs_diff(*second) / 2,
        _ => 0,
    }
}

/// Returns the first and the last column (or line) of the part of the diagram between two labels.
fn cell_range_between_labels(labels: &BTreeMap<u8, usize>, ends: [u8; 2]) -> Option<[usize; 2]> {
    let one = *labels.get(&ends[0])?;
    let other = *labels.get(&ends[1])?;
    Some([
        one.min(other).saturating_sub(half_distance_between_labels(labels)),
        one.max(other) + half_distance_between_labels(labels),
    ])
}

impl fmt::Display for Diagram {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.lines().join("\n"))
    }
}

/// Returns the label at the left of a rank, right-aligned in `width` columns.
pub fn rank_label(rank: u8, width: usize) -> Vec<DiagramCell> {
    let label = (rank + 1).to_string();
    let spaces = width.saturating_sub(label.len());
    let digits = DiagramCellKind::Rank(rank).cells_for_characters(&label);
    std::iter::repeat_n(DiagramCell::SPACE_CELL, spaces).chain(digits).collect()
}

/// Returns the line with the labels of `files`, from left to right. `gap` spaces precede each
/// label. The first label is also preceded by `margin` spaces.
pub fn file_label_line(
    files: impl Iterator<Item = u8>,
    margin: usize,
    gap: usize,
) -> Vec<DiagramCell> {
    let mut row = vec![DiagramCell::SPACE_CELL; margin];
    for file in files {
        row.extend(std::iter::repeat_n(DiagramCell::SPACE_CELL, gap));
        row.extend(
            DiagramCellKind::File(file)
                .cells_for_characters(file_letter(file).encode_utf8(&mut [0; 4])),
        );
    }
    row
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a test board of three files and three ranks, with a note beside the board and a note
    /// below it. There are `gap` cells between neighbouring points of a rank, and `gap / 2` lines
    /// between neighbouring ranks.
    fn board(gap: usize) -> Diagram {
        let mut diagram = Diagram::default();
        for rank in (0..3).rev() {
            let mut row = rank_label(rank, 2);
            for file in 0..3 {
                row.extend(vec![DiagramCell::SPACE_CELL; gap]);
                row.push(DiagramCell::of_empty_site('.', Point::new(file, rank).into()));
            }
            row.extend(DiagramCellKind::Note.cells_for_characters("  beside"));
            diagram.rows.push(row);
            if rank > 0 {
                let line = vec![DiagramCell::new('|', DiagramCellKind::Line); 2 + 3 * (gap + 1)];
                diagram.rows.extend(vec![line; gap / 2]);
            }
        }
        diagram.rows.push(file_label_line(0..3, 2, gap));
        diagram.push_note("below");
        diagram
    }

    #[test]
    fn notes_are_not_part_of_the_board() {
        let board = board(2);
        assert_eq!((board.rows.len(), board.without_notes().rows.len()), (7, 6));
        assert_eq!(board.without_notes().lines()[0], " 3  .  .  .");
        assert!(board.to_string().starts_with(" 3  .  .  .  beside\n||||"));
        assert!(board.to_string().ends_with("\n    a  b  c\nbelow"));
    }

    #[test]
    fn a_cropped_board_keeps_its_labels_and_surroundings() {
        let crop =
            |gap: usize, one, other| board(gap).crop([one, other]).map(|cropped| cropped.lines());
        let (b2, c1) = (Point::new(1, 1), Point::new(2, 0));
        assert_eq!(
            crop(3, b2, c1).unwrap(),
            ["|".repeat(10).as_str(), " 2   .   .", &"|".repeat(10), " 1   .   .", "     b   c"]
        );
        assert_eq!(crop(1, c1, b2).unwrap(), [" 2  . .", " 1  . .", "    b c"]);
        let corners = [b2, Point::new(3, 0)];
        assert_eq!(board(3).crop(corners), Err(DiagramCropError::NoCorner { corners }));
        let mut diagram = Diagram::default();
        diagram.push_note("a b c");
        assert_eq!(diagram.crop(corners), Err(DiagramCropError::NoLabels));
    }
}
