//! Reads games of Go front ends. Such a game consists of a user's clicks on a Go board that
//! represents the game's board, as described in `docs/go-front-ends.md`. A move is one or more
//! clicks, each in a separate node. Black is the side that moves first.
//!
//! | module | contents |
//! | --- | --- |
//! | `clicks` | the clicks of nodes, and the moves that the clicks complete |
//! | `error` | the errors of nodes |
//! | `line` | the moves of a line, with their notes and variations |
//! | `root` | the first node of a game: its rules, its result and its tags |

mod clicks;
mod error;
mod line;
mod root;

use pentarch_core::notation::record::GameRecord;
use pentarch_core::notation::record::unread_elements::UnreadElements;
use pentarch_core::{Options, SyntaxError};

use crate::error::EngineError;
use crate::record::RecordError;
use crate::session::MAX_GAME_PLIES;
use crate::sgf_properties::{
    SGF_CLOCK_PROPERTIES, SGF_FILE_PROPERTIES, SGF_MOVE_PROPERTIES, SGF_ROOT_PROPERTY_TAGS,
    SGF_SETUP_PROPERTIES, SGF_SINGLE_VALUE_PROPERTIES,
};
use crate::sgf_tree::{SgfCollection, SgfNode, parse_sgf};

pub use error::SgfError;

/// Returns whether a text is SGF, which means that its first bracket begins a node. Other text may
/// precede this bracket if the node has a property and the text contains no tag and no comment of a
/// record.
pub fn is_sgf(text: impl AsRef<[u8]>) -> bool {
    let text = text.as_ref();
    let Some(begin) = text.iter().position(|&letter| letter == b'(') else { return false };
    let (before, rest) = text.split_at(begin);
    let Some(node) = rest[1..].trim_ascii_start().strip_prefix(b";") else { return false };
    let before = before.strip_prefix("\u{feff}".as_bytes()).unwrap_or(before).trim_ascii_start();
    let node = node.trim_ascii_start();
    let name = node.iter().take_while(|letter| letter.is_ascii_alphabetic()).count();
    let has_property = name > 0 && node[name..].trim_ascii_start().starts_with(b"[");
    before.is_empty() || has_property && !before.iter().any(|letter| b"[{;".contains(letter))
}

/// The games of a text in SGF.
pub struct SgfGames<'a> {
    text: &'a str,
    tree: SgfCollection,
    /// The offsets at which the lines of the text begin.
    line_starts: Vec<usize>,
}

/// The limits of reading a game.
pub struct SgfReadLimits<'a> {
    /// The maximum number of moves, including those of variations.
    pub most_moves: usize,
    /// A function that returns whether the reader must stop, which the reader calls every few
    /// moves.
    pub is_stopped: &'a dyn Fn() -> bool,
}

impl SgfReadLimits<'_> {
    /// The limits of a reader that is not stopped.
    pub const DEFAULT: SgfReadLimits<'static> =
        SgfReadLimits { most_moves: MAX_GAME_PLIES, is_stopped: &|| false };
}

impl SgfGames<'_> {
    /// Parses a text.
    ///
    /// # Errors
    /// If the text is not SGF.
    pub fn parse(text: &str) -> Result<SgfGames<'_>, SyntaxError> {
        let ends = text.match_indices('\n').map(|(end, _)| end + 1);
        let line_starts = std::iter::once(0).chain(ends).collect();
        Ok(SgfGames { text, tree: parse_sgf(text)?, line_starts })
    }

    /// Returns the number of games.
    pub fn len(&self) -> usize {
        self.tree.roots.len()
    }

    /// Returns whether the text has no game.
    pub fn is_empty(&self) -> bool {
        self.tree.roots.is_empty()
    }

    /// Reads the game with this index. The game and the rules are those in the property `RU` if
    /// this program has written the property, and otherwise those of the options.
    ///
    /// # Errors
    /// If there is no such game, or if the game has no board for Go front ends. If a click cannot
    /// lead to a legal move, or if there are too many moves. If the reader was stopped.
    pub fn read_game_at_index(
        &self,
        index: usize,
        options: &Options,
        limits: &SgfReadLimits,
    ) -> Result<GameRecord, EngineError> {
        let games = self.len();
        let &root = self.tree.roots.get(index).ok_or(RecordError::GameNumber { games })?;
        let unread = UnreadElements::default();
        let mut reader = SgfReader { games: self, unread, limits, moves: 0 };
        if index == 0 && self.text.split('(').next().is_some_and(has_visible_text) {
            reader.unread.add("the text before the first bracket", Some(1));
        }
        let mut record = reader.read_game(&self.tree.nodes[root], options)?;
        record.unread = reader.unread;
        Ok(record)
    }
}

/// Returns whether a text has more than white space and a byte order mark.
fn has_visible_text(text: &str) -> bool {
    !text.trim_start_matches('\u{feff}').trim().is_empty()
}

struct SgfReader<'a> {
    games: &'a SgfGames<'a>,
    /// The properties that were not read.
    unread: UnreadElements,
    limits: &'a SgfReadLimits<'a>,
    /// The number of moves that were read, including those of variations.
    moves: usize,
}

impl SgfReader<'_> {
    /// Returns the number of the line with a node, from 1.
    fn line_number_of_node(&self, node: &SgfNode) -> usize {
        self.games.line_starts.partition_point(|&start| start <= node.offset)
    }

    /// Returns the error, located at a node.
    fn error_at_node(&self, node: &SgfNode, error: impl Into<EngineError>) -> EngineError {
        let line = self.line_number_of_node(node);
        let start = self.games.line_starts[line - 1];
        let column = self.games.text[start..node.offset].chars().count() + 1;
        error.into().with_line_number(line).at_column(column)
    }

    fn report_unread_property(&mut self, node: &SgfNode, name: &str) {
        self.unread.add(name, Some(self.line_number_of_node(node)));
    }

    /// Checks that no part of a node is lost. A node must have at most one move, no set-up stones,
    /// and one value for each property that is read.
    fn check_node_is_readable(&self, node: &SgfNode) -> Result<(), EngineError> {
        if SGF_MOVE_PROPERTIES.iter().all(|name| node.property_value(name).is_some()) {
            return Err(self.error_at_node(node, SgfError::TwoMoves));
        }
        if let Some(property) =
            SGF_SETUP_PROPERTIES.into_iter().find(|name| node.property_value(name).is_some())
        {
            return Err(self.error_at_node(node, SgfError::SetUp { property }));
        }
        let tags = SGF_ROOT_PROPERTY_TAGS.iter().map(|&(name, _)| name);
        let of_moves = SGF_MOVE_PROPERTIES.into_iter().chain(SGF_CLOCK_PROPERTIES);
        for name in
            of_moves.chain(SGF_SINGLE_VALUE_PROPERTIES).chain(SGF_FILE_PROPERTIES).chain(tags)
        {
            let mut found = node.properties.iter().filter(|(known, _)| known == name);
            let count = found.next().map_or(1, |(_, values)| values.len());
            if count > 1 {
                return Err(self.error_at_node(node, SgfError::SeveralValues { name, count }));
            }
            if found.next().is_some() {
                return Err(self.error_at_node(node, SgfError::Duplicate { name }));
            }
        }
        Ok(())
    }
}
