//! Games of Go front ends: the clicks of a user on a Go board that represents the game's board, as
//! in `docs/go-front-ends.md`. A move is one click or several, each in a separate node; Black is
//! the side that moves first.

use thiserror::Error;

use crate::io::host::SystemHost;
use pentarch_core::notation::record::notes::{CommentError, MARKS, add_comment, normalise_comment};
use pentarch_core::notation::record::{MAX_NESTING, Record, RecordedMove, escape_tag_value};
use pentarch_core::notation::text::quoted;
use pentarch_core::rules::options::RuleSettingError;
use pentarch_core::{Options, PlayerEnd, Point, Side, Violation};
use pentarch_engine::engine_state::{game_specific_options, new_session};
use pentarch_engine::error::EngineError;
use pentarch_engine::go_board::MatchingMoves;
use pentarch_engine::input_word::Word;
use pentarch_engine::record::{ReplayedGame, game_record};
use pentarch_engine::session::Session;
use pentarch_games::GAME_OPTION;
use pentarch_system::{Located, Location};

use super::error::ConvertError;
use super::sgf_tree::{SgfNode, SgfTree, parse_sgf};

/// Properties of the root, and the tags that correspond to them.
pub(super) const ROOT_PROPERTY_TAGS: [(&str, &str); 7] = [
    ("PB", "P1"),
    ("PW", "P2"),
    ("DT", "Date"),
    ("EV", "Event"),
    ("PC", "Site"),
    ("RO", "Round"),
    ("AN", "Annotator"),
];

/// Properties of nodes, each for the mark with the same index in [`MARKS`].
pub(super) const MARK_PROPERTIES: [(&str, &str); 6] =
    [("TE", "1"), ("BM", "1"), ("TE", "2"), ("BM", "2"), ("IT", ""), ("DO", "")];

/// The property of this program for the signs after a move; SGF has none for them.
pub(super) const SIGNS_PROPERTY: &str = "SIGNS";

/// The other properties that are used, each of which has one value.
const SINGLE_VALUE_PROPERTIES: [&str; 10] =
    ["C", "RU", "RE", "SZ", "HA", "BL", "WL", "IT", "DO", SIGNS_PROPERTY];

/// The property for a move of each side.
pub(super) const MOVE_PROPERTIES: [&str; 2] = ["B", "W"];

/// An error of a node.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SgfError {
    /// The rules have no board for Go front ends.
    #[error("these rules have no board for Go front ends")]
    NoBoard,
    /// The property `SZ` states another size than that of the board.
    #[error("the board has {size} lines by these rules, not {}", quoted(.found))]
    Size {
        /// The number of lines of the board.
        size: u8,
        /// The size in the node.
        found: String,
    },
    /// A property sets up stones.
    #[error("stones set up by {property} do not define a start position")]
    SetUp {
        /// The name of the property.
        property: &'static str,
    },
    /// A node has two moves.
    #[error("a node has one move, not B and W")]
    TwoMoves,
    /// A node has a property twice.
    #[error("the node has the property {name} twice")]
    Duplicate {
        /// The name of the property.
        name: &'static str,
    },
    /// A property that takes one value has several.
    #[error("{name} takes one value, not {count}")]
    SeveralValues {
        /// The name of the property.
        name: &'static str,
        /// The number of values.
        count: usize,
    },
    /// A value cannot be a comment or the value of a tag.
    #[error(transparent)]
    Comment(#[from] CommentError),
    /// The property `RU` names rules that do not exist.
    #[error("RU: {0}")]
    Rules(#[from] RuleSettingError),
    /// Variations are nested deeper than [`MAX_NESTING`].
    #[error("variations may be nested at most {MAX_NESTING} deep")]
    TooDeep,
    /// Clicks of the last move are missing.
    #[error("the last move is incomplete")]
    Incomplete,
    /// A click is not on a point of the board.
    #[error("two letters for a point of the board expected, found {}", quoted(.found))]
    Point {
        /// The value of the node.
        found: String,
    },
    /// The click belongs to the side that is not to move.
    #[error("{to_move} is to move, not {found}")]
    WrongSide {
        /// The property of the side to move.
        to_move: &'static str,
        /// The property of the click.
        found: &'static str,
    },
    /// A rule forbids the move.
    #[error("{}", .0.reason)]
    Illegal(Violation),
    /// The game is over before the click.
    #[error("the game is over: {outcome}")]
    GameOver {
        /// The outcome, as a sentence.
        outcome: String,
    },
    /// No legal move has these clicks.
    #[error("no legal move continues there")]
    NoMove,
    /// The engine rejects the game.
    #[error(transparent)]
    Game(#[from] EngineError),
}

/// Reads the games of a text in SGF. The property `RU` names the game and the rules if this program
/// has written it; otherwise the options do.
///
/// # Errors
/// If the text is not SGF, the game has no board for Go front ends, or a click leads to no legal
/// move.
pub fn read_sgf(text: &str, options: &Options) -> Result<Vec<ReplayedGame>, ConvertError> {
    let tree = parse_sgf(text)
        .map_err(|error| ConvertError::Syntax(EngineError::in_multiline_text(text, error)))?;
    let reader = SgfReader { text, tree: &tree };
    tree.roots.iter().map(|&root| Ok(reader.read_game(root, options)?)).collect()
}

struct SgfReader<'a> {
    text: &'a str,
    tree: &'a SgfTree,
}

/// The value of a move property: a point, or `None` for a pass.
type PointOrPass = Option<Point>;

/// Another branch of the tree, which begins in the middle of a move.
struct Branch {
    /// The index of its first node.
    node: usize,
    /// The clicks of the move before this node.
    clicks: Vec<Point>,
}

/// The state of reading a line.
struct LineState {
    line: Vec<RecordedMove>,
    /// The clicks of the unfinished move.
    clicks: Vec<Point>,
    /// The notes of the unfinished move; its notation is empty.
    unfinished: RecordedMove,
    /// The other branches of the unfinished move.
    branches: Vec<Branch>,
}

impl SgfReader<'_> {
    /// Returns an error with the place of a node.
    fn error_at(&self, node: &SgfNode, error: impl Into<SgfError>) -> Located<SgfError> {
        let before = &self.text[..node.offset];
        let line = before.matches('\n').count() + 1;
        let start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let column = before[start..].chars().count() + 1;
        Located { location: Location::Column { line, column }, error: error.into() }
    }

    /// Checks that no part of a node is lost: it has at most one move, and each property that is
    /// used has one value.
    fn check(&self, node: &SgfNode) -> Result<(), Located<SgfError>> {
        if MOVE_PROPERTIES.iter().all(|name| node.value(name).is_some()) {
            return Err(self.error_at(node, SgfError::TwoMoves));
        }
        let tags = ROOT_PROPERTY_TAGS.iter().map(|&(name, _)| name);
        for name in MOVE_PROPERTIES.into_iter().chain(SINGLE_VALUE_PROPERTIES).chain(tags) {
            let mut found = node.properties.iter().filter(|(known, _)| known == name);
            let count = found.next().map_or(1, |(_, values)| values.len());
            if count > 1 {
                return Err(self.error_at(node, SgfError::SeveralValues { name, count }));
            }
            if found.next().is_some() {
                return Err(self.error_at(node, SgfError::Duplicate { name }));
            }
        }
        Ok(())
    }

    fn read_game(&self, root: usize, options: &Options) -> Result<ReplayedGame, Located<SgfError>> {
        let node = &self.tree.nodes[root];
        self.check(node)?;
        let options = self.read_rules(node, options)?;
        let mut session = new_session(&options);
        let size = match session.go_scene() {
            Some(scene) => scene.grid.size,
            None => return Err(self.error_at(node, SgfError::NoBoard)),
        };
        let stated = node.value("SZ").map(|size| size.split(':').next().unwrap_or_default().trim());
        if let Some(found) = stated.filter(|stated| *stated != size.to_string()) {
            return Err(self.error_at(node, SgfError::Size { size, found: found.into() }));
        }
        // Several programs write a handicap of 0 in each even game.
        let is_set_up = |&property: &&str| {
            node.value(property).is_some_and(|value| property != "HA" || value.trim() != "0")
        };
        if let Some(property) = ["AB", "AW", "AE", "HA"].into_iter().find(is_set_up) {
            return Err(self.error_at(node, SgfError::SetUp { property }));
        }
        let mut record = Record::new(Vec::new());
        let mut start = node.clone();
        // The notes of a root with a move belong to the move, those of another root to the game.
        if MOVE_PROPERTIES.iter().all(|name| node.value(name).is_none()) {
            let comment = node.value("C").unwrap_or_default();
            record.comment =
                normalise_comment(comment).map_err(|error| self.error_at(node, error))?;
            start.properties.clear();
        }
        record.moves = self.read_line(session.as_mut(), &start, Vec::new(), size, 0)?;
        let mut tags = game_record(&options, session.as_ref()).tags;
        record.result = self.read_result(node, session.as_mut(), &mut tags).into();
        for (property, tag) in ROOT_PROPERTY_TAGS {
            if let Some(value) = node.value(property).filter(|value| !value.trim().is_empty()) {
                let value = if tag == "Date" { value.replace('-', ".") } else { value.into() };
                let value =
                    normalise_comment(&value).map_err(|error| self.error_at(node, error))?;
                tags.push((tag.into(), escape_tag_value(&value)));
            }
        }
        record.tags = tags;
        let replayed = ReplayedGame::replay(record, &options, SystemHost::shared().as_ref());
        replayed.map_err(|error| self.error_at(node, error))
    }

    /// Returns the options of the property `RU`, or these.
    fn read_rules(&self, node: &SgfNode, options: &Options) -> Result<Options, Located<SgfError>> {
        let words: Vec<&str> = node.value("RU").unwrap_or_default().split_whitespace().collect();
        let Some((&"pentarch", [game, settings @ ..])) = words.split_first() else {
            return Ok(options.clone());
        };
        let mut options = Options::default();
        let set = options.set(&GAME_OPTION, game).map_err(RuleSettingError::from).and_then(|()| {
            settings.iter().try_for_each(|setting| {
                options.set_rule_text(game_specific_options(&options), setting)
            })
        });
        set.map_err(|error| self.error_at(node, error))?;
        Ok(options)
    }

    /// Returns the result of the game. If the players have ended the game, ends it in the session,
    /// and updates the tag `Outcome`.
    fn read_result(
        &self,
        node: &SgfNode,
        session: &mut dyn Session,
        tags: &mut [(String, String)],
    ) -> &'static str {
        let stated = node.value("RE").unwrap_or_default().trim().to_ascii_uppercase();
        let (winner, reason) = stated.split_once('+').unwrap_or((&stated, ""));
        let loser = match winner {
            "B" => Some(Side::Second),
            "W" => Some(Side::First),
            _ => None,
        };
        let end = match (loser, reason.chars().next()) {
            (Some(loser), Some('R')) => Some(PlayerEnd::Resignation(loser)),
            (Some(loser), Some('T')) => Some(PlayerEnd::Time(loser)),
            (None, _) if winner == "0" || winner == "DRAW" => Some(PlayerEnd::Agreement),
            _ => None,
        };
        let is_ended = session.game_state().outcome.is_none()
            && end.is_some_and(|end| session.end(end).is_ok());
        if is_ended {
            let outcome = session.status().outcome;
            tags.iter_mut()
                .filter(|(name, _)| name == "Outcome")
                .for_each(|tag| tag.1.clone_from(&outcome));
        }
        match (loser, winner) {
            (Some(Side::Second), _) => "1-0",
            (Some(Side::First), _) => "0-1",
            (None, "0" | "DRAW") => "1/2-1/2",
            _ => "*",
        }
    }

    /// Reads the moves of a line that begins with the node `first`, in the current position of the
    /// session, where the clicks `clicks` of a move have been made. Afterwards the session is at
    /// the end of the line.
    fn read_line(
        &self,
        session: &mut dyn Session,
        first: &SgfNode,
        clicks: Vec<Point>,
        size: u8,
        depth: usize,
    ) -> Result<Vec<RecordedMove>, Located<SgfError>> {
        let mut state = LineState {
            line: Vec::new(),
            clicks,
            unfinished: RecordedMove::new(String::new(), None),
            branches: Vec::new(),
        };
        let mut next = Some(first);
        while let Some(node) = next {
            self.check(node)?;
            self.read_notes(node, session.game_state().side, &mut state.unfinished)?;
            let completed = match self.read_click(node, session, &state.clicks, size)? {
                None => None,
                Some(None) if session.game_state().outcome.is_some() => None,
                Some(click) => self.completed_move(node, session, &mut state.clicks, click)?,
            };
            if let Some(text) = completed {
                self.add_move(node, session, &mut state, &text, (size, depth))?;
            } else if state.clicks.is_empty()
                && let Some(last) = state.line.last_mut()
            {
                // A comment of a node without a move is about the position, so it belongs to the
                // move before.
                let comment = std::mem::take(&mut state.unfinished.notes_mut().comment);
                if !comment.is_empty() {
                    add_comment(&mut last.notes_mut().comment, &comment)
                        .map_err(|error| self.error_at(node, error))?;
                }
            }
            let (main, others) = match node.children.split_first() {
                Some((&main, others)) => (Some(main), others),
                None => (None, [].as_slice()),
            };
            for &other in others {
                state.branches.push(Branch { node: other, clicks: state.clicks.clone() });
            }
            if main.is_none() && !state.clicks.is_empty() {
                return Err(self.error_at(node, SgfError::Incomplete));
            }
            next = main.map(|main| &self.tree.nodes[main]);
        }
        Ok(state.line)
    }

    /// Adds a completed move to a line: reads its branches as variations, and plays it in the
    /// session.
    fn add_move(
        &self,
        node: &SgfNode,
        session: &mut dyn Session,
        state: &mut LineState,
        text: &str,
        (size, depth): (u8, usize),
    ) -> Result<(), Located<SgfError>> {
        let unfinished = RecordedMove::new(String::new(), None);
        let mut mv = std::mem::replace(&mut state.unfinished, unfinished);
        mv.text = text.into();
        for branch in state.branches.drain(..) {
            if depth == MAX_NESTING {
                return Err(self.error_at(node, SgfError::TooDeep));
            }
            let first = &self.tree.nodes[branch.node];
            let variation = self.read_line(session, first, branch.clicks, size, depth + 1)?;
            let undone = session.undo(variation.len() as u32);
            undone.map_err(|error| self.error_at(node, error))?;
            if !variation.is_empty() {
                mv.notes_mut().variations.push(variation);
            }
        }
        let played = session.play(&[Word::without_column(text)]);
        played.map_err(|error| self.error_at(node, error))?;
        state.line.push(mv);
        Ok(())
    }

    /// Adds the notes of a node to its move, which this side makes.
    fn read_notes(
        &self,
        node: &SgfNode,
        side: Side,
        mv: &mut RecordedMove,
    ) -> Result<(), Located<SgfError>> {
        if let Some(signs) = node.value(SIGNS_PROPERTY) {
            mv.add_signs(signs.trim());
        }
        let notes = mv.notes_mut();
        if let Some(text) = node.value("C") {
            let comment = normalise_comment(text).map_err(|error| self.error_at(node, error))?;
            if !comment.is_empty() {
                add_comment(&mut notes.comment, &comment)
                    .map_err(|error| self.error_at(node, error))?;
            }
        }
        for (glyph, (name, value)) in (1..).zip(MARK_PROPERTIES) {
            if node.value(name).is_some_and(|found| value.is_empty() || found.trim() == value) {
                notes.add_glyph(glyph);
            }
        }
        let left =
            node.value(["BL", "WL"][side.index()]).and_then(|left| left.trim().parse::<f64>().ok());
        if let Some(left) = left.filter(|left| (0. ..1e7).contains(left)) {
            notes.clock = Some((left * 1000.).round() as u64);
        }
        debug_assert!(notes.glyphs.len() <= MARKS.len());
        Ok(())
    }

    /// Returns the click of a node; `None` if it has none. A pass by the side that is not to move,
    /// in the middle of a move, counts as none: tools that know only strict alternation write it.
    fn read_click(
        &self,
        node: &SgfNode,
        session: &dyn Session,
        clicks: &[Point],
        size: u8,
    ) -> Result<Option<PointOrPass>, Located<SgfError>> {
        let to_move = session.game_state().side;
        let found = MOVE_PROPERTIES
            .iter()
            .zip(Side::BOTH)
            .find_map(|(name, side)| Some((node.value(name)?, side)));
        let Some((value, side)) = found else { return Ok(None) };
        let click = match value.trim() {
            "" => None,
            "tt" if size <= 19 => None,
            value => match point_of_letters(value, size) {
                Some(point) => Some(point),
                None => return Err(self.error_at(node, SgfError::Point { found: value.into() })),
            },
        };
        if side != to_move && session.game_state().outcome.is_none() {
            if click.is_none() && !clicks.is_empty() {
                return Ok(None);
            }
            let [to_move, found] = [to_move, side].map(|side| MOVE_PROPERTIES[side.index()]);
            return Err(self.error_at(node, SgfError::WrongSide { to_move, found }));
        }
        Ok(Some(click))
    }

    /// Adds a click to the unfinished move. Returns the move if the click completes it.
    fn completed_move(
        &self,
        node: &SgfNode,
        session: &dyn Session,
        clicks: &mut Vec<Point>,
        click: PointOrPass,
    ) -> Result<Option<String>, Located<SgfError>> {
        clicks.extend(click);
        let MatchingMoves { moves, violation } = session.matching_moves(clicks);
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
            return Err(self.error_at(node, error));
        }
        Ok(None)
    }
}

/// Returns the point of two letters, the first counted from the left and the second from the top.
fn point_of_letters(text: &str, size: u8) -> Option<Point> {
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
