//! Reads the clicks of nodes, and the moves that the clicks complete.

use pentarch_core::{Point, Side};

use crate::error::EngineError;
use crate::go_board::MovesMatchingClicks;
use crate::session::Session;
use crate::sgf_properties::SGF_MOVE_PROPERTIES;
use crate::sgf_tree::SgfNode;

use super::{SgfError, SgfReader};

/// The value of a move property: a point, or `None` for a pass.
pub(super) type PointOrPass = Option<Point>;

impl SgfReader<'_> {
    /// Returns the click of a node; `None` if the node has no click. A pass by the waiting side in
    /// the middle of a move is not a click, because tools with strict alternation write such
    /// passes.
    pub(super) fn read_click(
        &self,
        node: &SgfNode,
        session: &dyn Session,
        clicks: &[Point],
        size: u8,
    ) -> Result<Option<PointOrPass>, EngineError> {
        let to_move = session.game_state().side;
        let found = SGF_MOVE_PROPERTIES
            .iter()
            .zip(Side::BOTH_SIDES)
            .find_map(|(name, side)| Some((node.property_value(name)?, side)));
        let Some((value, side)) = found else { return Ok(None) };
        let click = match value.trim() {
            "" => None,
            "tt" if size <= 19 => None,
            value => match parse_point_letters(value, size) {
                Some(point) => Some(point),
                None => {
                    return Err(self.error_at_node(node, SgfError::Point { found: value.into() }));
                }
            },
        };
        if side != to_move && session.game_state().outcome.is_none() {
            if click.is_none() && !clicks.is_empty() {
                return Ok(None);
            }
            let [to_move, found] = [to_move, side].map(|side| SGF_MOVE_PROPERTIES[side.index()]);
            return Err(self.error_at_node(node, SgfError::WrongSide { to_move, found }));
        }
        Ok(Some(click))
    }

    /// Adds a click to the unfinished move. Returns the move if the click completes the move.
    pub(super) fn complete_move_with_click(
        &self,
        node: &SgfNode,
        session: &dyn Session,
        clicks: &mut Vec<Point>,
        click: PointOrPass,
    ) -> Result<Option<String>, EngineError> {
        clicks.extend(click);
        let MovesMatchingClicks { moves, violation } = session.moves_matching_clicks(clicks);
        let is_last = click.is_none() || moves.len() == 1;
        if let Some(mv) = moves.iter().find(|mv| is_last && mv.points == *clicks) {
            clicks.clear();
            return Ok(Some(mv.text.clone()));
        }
        if moves.is_empty() || click.is_none() {
            let error = match (violation, session.game_state().outcome) {
                (Some(violation), _) => SgfError::Illegal(violation),
                (None, Some(_)) => SgfError::GameOver { outcome: session.outcome_sentence() },
                (None, None) => SgfError::NoMove,
            };
            return Err(self.error_at_node(node, error));
        }
        Ok(None)
    }
}

/// Returns the point that two letters denote. The first letter counts from the left and the second
/// from the top.
fn parse_point_letters(text: &str, size: u8) -> Option<Point> {
    let number = |letter: u8| match letter {
        b'a'..=b'z' => Some(letter - b'a'),
        b'A'..=b'Z' => Some(letter - b'A' + 26),
        _ => None,
    };
    let &[file, row] = text.as_bytes() else { return None };
    let file = number(file)?;
    let row = number(row)?;
    (file < size && row < size).then(|| Point::new(file, size - 1 - row))
}
