//! Reads the moves of a line, with their notes and variations.

use std::collections::VecDeque;

use pentarch_core::notation::record::notes::{append_to_comment, normalise_comment};
use pentarch_core::notation::record::{MAX_VARIATION_NESTING, RecordedMove};
use pentarch_core::{Point, Side};

use crate::error::{EngineError, EngineFault};
use crate::input_word::InputWord;
use crate::record::{RecordError, STOP_CHECK_INTERVAL_MOVES};
use crate::session::Session;
use crate::sgf_properties::{
    SGF_SCORE_PROPERTY, SGF_WIN_CHANCE_PROPERTY, add_sgf_note_to_move, is_note_property,
    is_sgf_root_property, is_sgf_value_inexact,
};
use crate::sgf_tree::SgfNode;

use super::{SgfError, SgfReader};

/// Another branch of the tree, which begins in the middle of a move.
struct MidMoveBranch {
    /// The index of the branch's first node.
    node: usize,
    /// The clicks of the move before this node.
    clicks: Vec<Point>,
}

/// The state of reading a line.
struct MoveLineReadingState {
    line: Vec<RecordedMove>,
    /// The clicks of the unfinished move.
    clicks: Vec<Point>,
    /// The notes of the unfinished move; its notation is empty.
    unfinished: RecordedMove,
    /// The other branches of the unfinished move.
    branches: VecDeque<MidMoveBranch>,
}

/// The place of a node in its line, which determines the subject of the node's notes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SgfNodePlace {
    /// A click of this side, or a node in the middle of its move.
    Click(Side),
    /// The root, without a click. Its comment is about the game.
    GameRoot,
    /// A node between two moves.
    Between,
}

impl SgfReader<'_> {
    /// Reads the moves of a line, beginning at the node `first` and the current position of the
    /// session. `clicks` are the clicks of the unfinished move. When the function returns, the
    /// session is at the end of the line.
    pub(super) fn read_move_line(
        &mut self,
        session: &mut dyn Session,
        first: &SgfNode,
        clicks: Vec<Point>,
        size: u8,
        depth: usize,
    ) -> Result<Vec<RecordedMove>, EngineError> {
        let tree = &self.games.tree;
        let mut state = MoveLineReadingState {
            line: Vec::new(),
            clicks,
            unfinished: RecordedMove::new(String::new(), None),
            branches: VecDeque::new(),
        };
        let mut next = Some(first);
        while let Some(node) = next {
            self.check_node_is_readable(node)?;
            let is_root = depth == 0 && std::ptr::eq(node, first);
            let side = session.game_state().side;
            let click = self.read_click(node, session, &state.clicks, size)?;
            // Go programs end a game with passes.
            let click =
                click.filter(|click| click.is_some() || session.game_state().outcome.is_none());
            let place = match click {
                None if state.clicks.is_empty() && is_root => SgfNodePlace::GameRoot,
                None if state.clicks.is_empty() => SgfNodePlace::Between,
                _ => SgfNodePlace::Click(side),
            };
            self.read_notes(node, (place, is_root), &mut state)?;
            let completed = match click {
                None => None,
                Some(click) => {
                    self.complete_move_with_click(node, session, &mut state.clicks, click)?
                }
            };
            if let Some(text) = completed {
                self.add_move(node, session, &mut state, &text, (size, depth))?;
            }
            let mut children = node.children.iter().copied();
            let main = children.next();
            for other in children {
                let branch = MidMoveBranch { node: other, clicks: state.clicks.clone() };
                state.branches.push_back(branch);
            }
            let after = match main {
                Some(main) => Some(main),
                None => self.find_node_after_end_of_branch(node, &mut state)?,
            };
            next = after.map(|after| &tree.nodes[after]);
        }
        Ok(state.line)
    }

    /// Returns the node that continues a line after `node`, the last node of a branch. If the
    /// branch has no move, this is the first node of the next branch of the same position.
    /// Otherwise returns `None`.
    fn find_node_after_end_of_branch(
        &mut self,
        node: &SgfNode,
        state: &mut MoveLineReadingState,
    ) -> Result<Option<usize>, EngineError> {
        if !state.clicks.is_empty() {
            return Err(self.error_at_node(node, SgfError::Incomplete));
        }
        // No click has been made since these branches began, so they begin between two moves.
        let other = state.branches.pop_front();
        if other.is_none() && !state.unfinished.notes().comment.is_empty() {
            self.report_unread_property(node, "C without a move");
        }
        Ok(other.map(|branch| branch.node))
    }

    /// Adds a completed move to a line. Reads the branches of the move as variations, and makes the
    /// move in the session.
    fn add_move(
        &mut self,
        node: &SgfNode,
        session: &mut dyn Session,
        state: &mut MoveLineReadingState,
        text: &str,
        (size, depth): (u8, usize),
    ) -> Result<(), EngineError> {
        self.moves += 1;
        let limits = self.limits;
        if self.moves > limits.most_moves {
            let fault = EngineFault::TooManyMoves { most: limits.most_moves };
            return Err(self.error_at_node(node, fault));
        }
        if self.moves.is_multiple_of(STOP_CHECK_INTERVAL_MOVES) && (limits.is_stopped)() {
            return Err(RecordError::Stopped.into());
        }
        let tree = &self.games.tree;
        let unfinished = RecordedMove::new(String::new(), None);
        let mut mv = std::mem::replace(&mut state.unfinished, unfinished);
        mv.text = text.into();
        for branch in state.branches.drain(..) {
            if depth == MAX_VARIATION_NESTING {
                return Err(self.error_at_node(node, SgfError::TooDeep));
            }
            let first = &tree.nodes[branch.node];
            let variation = self.read_move_line(session, first, branch.clicks, size, depth + 1)?;
            let undone = session.undo_moves(variation.len() as u32);
            undone.map_err(|error| self.error_at_node(node, error))?;
            if !variation.is_empty() {
                mv.notes_mut().variations.push(variation);
            }
        }
        let played = session.play_moves(&[InputWord::from_text(text)]);
        played.map_err(|error| self.error_at_node(node, error))?;
        state.line.push(mv);
        Ok(())
    }

    /// Adds the notes of a node to its move, and reports the other properties. The comment of a
    /// node without a move is about the position, so it is added to the previous move, or to the
    /// next move at the beginning of a line.
    fn read_notes(
        &mut self,
        node: &SgfNode,
        (place, is_root): (SgfNodePlace, bool),
        state: &mut MoveLineReadingState,
    ) -> Result<(), EngineError> {
        for (name, values) in &node.properties {
            let is_read = match (name.as_str(), place) {
                ("B" | "W", _) => true,
                ("C", SgfNodePlace::GameRoot) => true,
                ("C", _) => {
                    let mv = match (place, state.line.last_mut()) {
                        (SgfNodePlace::Between, Some(last)) => last,
                        _ => &mut state.unfinished,
                    };
                    let comment = normalise_comment(&values.join("")).and_then(|comment| {
                        if comment.is_empty() {
                            return Ok(());
                        }
                        append_to_comment(&mut mv.notes_mut().comment, &comment)
                    });
                    comment.map_err(|error| self.error_at_node(node, RecordError::from(error)))?;
                    true
                }
                // The chance of winning is derived from the score.
                (SGF_WIN_CHANCE_PROPERTY, _) => node.property_value(SGF_SCORE_PROPERTY).is_some(),
                (_, SgfNodePlace::Click(side)) if is_note_property(name) => {
                    add_sgf_note_to_move(name, values, side, &mut state.unfinished)
                }
                _ => is_root && is_sgf_root_property(name),
            };
            if !is_read {
                self.report_unread_property(node, name);
            } else if is_sgf_value_inexact(name, values) {
                self.report_unread_property(node, &format!("the exact value of {name}"));
            }
        }
        Ok(())
    }
}
