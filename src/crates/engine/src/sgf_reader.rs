//! Games of Go front ends: the clicks of a user on a Go board that represents the game's board, as
//! in `docs/go-front-ends.md`. A move is one click or several, each in a separate node; Black is
//! the side that moves first.

use thiserror::Error;

use pentarch_core::notation::record::notes::{add_comment, normalise_comment};
use pentarch_core::notation::record::unread::UnreadElements;
use pentarch_core::notation::record::{
    GameRecord, MAX_VARIATION_NESTING, RecordedMove, escape_tag_value,
};
use pentarch_core::notation::text::quote_word;
use pentarch_core::rules::options::RuleSettingError;
use pentarch_core::{EndByPlayers, Options, Point, RuleViolation, Side, SyntaxError};
use pentarch_games::GAME_OPTION;

use super::engine_state::{game_specific_options, new_game_session};
use super::error::{EngineError, ErrorContext, ErrorKind};
use super::go_board::MatchingMoves;
use super::input_word::InputWord;
use super::record::{RecordError, STOP_CHECK_MOVES, check_tag_value, game_record};
use super::session::Session;
use super::sgf_properties::{
    CHANCE_PROPERTY, CLOCK_PROPERTIES, FILE_PROPERTIES, SCORE_PROPERTY, SETUP_PROPERTIES,
    SGF_MOVE_PROPERTIES, SGF_ROOT_PROPERTY_TAGS, SINGLE_VALUE_PROPERTIES, add_property_to_move,
    is_note, is_root_property, swap_date_separators,
};
use super::sgf_tree::{SgfNode, SgfTree, parse_sgf};

/// An error of a node.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SgfError {
    /// The rules have no board for Go front ends.
    #[error("these rules have no board for Go front ends")]
    NoBoard,
    /// The property `SZ` states another size than that of the board.
    #[error("the board has {size} lines by these rules, not {}", quote_word(.found))]
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
    /// The property `RU` names rules that do not exist.
    #[error("RU: {0}")]
    Rules(#[from] RuleSettingError),
    /// Variations are nested deeper than [`MAX_VARIATION_NESTING`].
    #[error("variations may be nested at most {MAX_VARIATION_NESTING} deep")]
    TooDeep,
    /// Clicks of the last move are missing.
    #[error("the last move is incomplete")]
    Incomplete,
    /// A click is not on a point of the board.
    #[error("expected two letters for a point of the board, found {}", quote_word(.found))]
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
    Illegal(RuleViolation),
    /// The game is over before the click.
    #[error("the game is over: {outcome}")]
    GameOver {
        /// The outcome, as a sentence.
        outcome: String,
    },
    /// No legal move has these clicks.
    #[error("no legal move continues there")]
    NoMove,
}

impl SgfError {
    /// Returns the kind of the fault.
    pub(crate) fn kind(&self) -> ErrorKind {
        match self {
            SgfError::Illegal(_) | SgfError::NoMove | SgfError::WrongSide { .. } => {
                ErrorKind::Illegal
            }
            SgfError::GameOver { .. } => ErrorKind::State,
            SgfError::TooDeep => ErrorKind::Limit,
            SgfError::NoBoard | SgfError::SetUp { .. } => ErrorKind::Unavailable,
            SgfError::Size { .. } | SgfError::Rules(_) => ErrorKind::Value,
            _ => ErrorKind::Syntax,
        }
    }
}

/// Returns whether a text begins like SGF.
pub fn is_sgf(text: &str) -> bool {
    let begin = text.trim_start_matches('\u{feff}').trim_start();
    begin.strip_prefix('(').is_some_and(|rest| rest.trim_start().starts_with(';'))
}

/// The games of a text in SGF.
pub struct SgfGames<'a> {
    text: &'a str,
    tree: SgfTree,
}

impl SgfGames<'_> {
    /// Parses a text.
    ///
    /// # Errors
    /// If the text is not SGF.
    pub fn parse(text: &str) -> Result<SgfGames<'_>, SyntaxError> {
        Ok(SgfGames { text, tree: parse_sgf(text)? })
    }

    /// Returns the number of games.
    pub fn len(&self) -> usize {
        self.tree.roots.len()
    }

    /// Returns whether the text has no game.
    pub fn is_empty(&self) -> bool {
        self.tree.roots.is_empty()
    }

    /// Reads the game with this index. The property `RU` names the game and the rules if this
    /// program has written it; otherwise the options do. Fails as soon as `is_stopped` returns
    /// `true`; it is called every few moves.
    ///
    /// # Errors
    /// If there is no such game, if the game has no board for Go front ends, if a click leads to no
    /// legal move, or if the reader was stopped.
    pub fn read(
        &self,
        index: usize,
        options: &Options,
        is_stopped: &dyn Fn() -> bool,
    ) -> Result<GameRecord, EngineError> {
        let games = self.len();
        let &root = self.tree.roots.get(index).ok_or(RecordError::GameNumber { games })?;
        let unread = UnreadElements::default();
        let mut reader =
            SgfReader { text: self.text, tree: &self.tree, unread, is_stopped, moves: 0 };
        if index == 0 && self.text.split('(').next().is_some_and(has_words) {
            reader.unread.add("the text before the first bracket", Some(1));
        }
        let mut record = reader.read_game(root, options)?;
        record.unread = reader.unread;
        Ok(record)
    }
}

/// Returns whether a text has more than white space and a byte order mark.
fn has_words(text: &str) -> bool {
    !text.trim_start_matches('\u{feff}').trim().is_empty()
}

struct SgfReader<'a> {
    text: &'a str,
    tree: &'a SgfTree,
    /// The properties that were not read.
    unread: UnreadElements,
    is_stopped: &'a dyn Fn() -> bool,
    /// The number of moves that were read, including those of variations.
    moves: usize,
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

/// The place of a node in its line, which decides where its notes belong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum NodeKind {
    /// A click of the side, or a node in the middle of its move.
    Click(Side),
    /// The root, without a click: its comment is about the game.
    GameRoot,
    /// A node between two moves.
    Between,
}

impl SgfReader<'_> {
    /// Returns the line and the column of a node.
    fn place(&self, node: &SgfNode) -> (usize, usize) {
        let before = &self.text[..node.offset];
        let line = before.matches('\n').count() + 1;
        let start = before.rfind('\n').map_or(0, |newline| newline + 1);
        (line, before[start..].chars().count() + 1)
    }

    /// Returns an error with the place of a node.
    fn error_at(&self, node: &SgfNode, error: impl Into<EngineError>) -> EngineError {
        let (line, column) = self.place(node);
        error.into().with_line_number(line).at_column(column)
    }

    /// Reports that a part of a node was not read.
    fn add_unread(&mut self, node: &SgfNode, name: &str) {
        let (line, _) = self.place(node);
        self.unread.add(name, Some(line));
    }

    /// Checks that no part of a node is lost: it has at most one move and sets up no stones, and
    /// each property that is read has one value.
    fn check(&self, node: &SgfNode) -> Result<(), EngineError> {
        if SGF_MOVE_PROPERTIES.iter().all(|name| node.value(name).is_some()) {
            return Err(self.error_at(node, SgfError::TwoMoves));
        }
        if let Some(property) = SETUP_PROPERTIES.into_iter().find(|name| node.value(name).is_some())
        {
            return Err(self.error_at(node, SgfError::SetUp { property }));
        }
        let tags = SGF_ROOT_PROPERTY_TAGS.iter().map(|&(name, _)| name);
        let of_moves = SGF_MOVE_PROPERTIES.into_iter().chain(CLOCK_PROPERTIES);
        for name in of_moves.chain(SINGLE_VALUE_PROPERTIES).chain(FILE_PROPERTIES).chain(tags) {
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

    fn read_game(&mut self, root: usize, options: &Options) -> Result<GameRecord, EngineError> {
        let tree = self.tree;
        let node = &tree.nodes[root];
        self.check(node)?;
        match self.read_rules(node)? {
            Some(options) => self.read_game_by(node, &options),
            None => self.read_game_by(node, options).map_err(|error| {
                let game = options.value(&GAME_OPTION).to_string();
                error.in_context(ErrorContext::AssumedGame(game))
            }),
        }
    }

    /// Reads a game by the rules of these options.
    fn read_game_by(
        &mut self,
        node: &SgfNode,
        options: &Options,
    ) -> Result<GameRecord, EngineError> {
        let mut session = new_game_session(options);
        let size = match session.go_board_scene() {
            Some(scene) => scene.grid.size,
            None => return Err(self.error_at(node, SgfError::NoBoard)),
        };
        self.check_root(node, session.as_ref(), size)?;
        let mut record = GameRecord::new(Vec::new());
        // The comment of a root with a move belongs to the move, that of another root to the game.
        let comments = if node.has_move() { ["GC"].as_slice() } else { &["GC", "C"] };
        for text in comments.iter().filter_map(|name| node.value(name)) {
            let comment = normalise_comment(text).and_then(|comment| {
                if comment.is_empty() { Ok(()) } else { add_comment(&mut record.comment, &comment) }
            });
            comment.map_err(|error| self.error_at(node, RecordError::from(error)))?;
        }
        record.moves = self.read_line(session.as_mut(), node, Vec::new(), size, 0)?;
        let mut tags = game_record(options, session.as_ref()).tags;
        record.result = self.read_result(node, session.as_mut(), &mut tags).into();
        for (name, values) in &node.properties {
            let Some((_, tag)) =
                SGF_ROOT_PROPERTY_TAGS.iter().find(|(property, _)| property == name)
            else {
                continue;
            };
            let value = values.join("").replace(['\n', '\r'], " ");
            let value = if *tag == "Date" { swap_date_separators(&value) } else { value };
            check_tag_value(&value).map_err(|error| self.error_at(node, error))?;
            tags.push(((*tag).into(), escape_tag_value(&value)));
        }
        record.tags = tags;
        Ok(record)
    }

    /// Checks the properties of the root that fix the board, and reports those that are not read.
    fn check_root(
        &mut self,
        node: &SgfNode,
        session: &dyn Session,
        size: u8,
    ) -> Result<(), EngineError> {
        for (name, values) in &node.properties {
            let value = values.first().map_or("", |value| value.trim());
            let number = value.parse::<f64>().ok();
            match name.as_str() {
                "SZ" if value.split(':').any(|part| part.trim() != size.to_string()) => {
                    let found = value.into();
                    return Err(self.error_at(node, SgfError::Size { size, found }));
                }
                // Several programs write a handicap of 0 in each even game.
                "HA" if !value.is_empty() && number != Some(0.) => {
                    return Err(self.error_at(node, SgfError::SetUp { property: "HA" }));
                }
                "PL" if !value.to_ascii_uppercase().starts_with('B') => {
                    return Err(self.error_at(node, SgfError::SetUp { property: "PL" }));
                }
                "KM" if !value.is_empty() && number != Some(0.) => self.add_unread(node, name),
                "GM" if value != "1" => self.add_unread(node, name),
                "GN" if value != session.game_constants().game => self.add_unread(node, name),
                _ => {}
            }
        }
        Ok(())
    }

    /// Returns the options of the property `RU`, if this program wrote it.
    fn read_rules(&mut self, node: &SgfNode) -> Result<Option<Options>, EngineError> {
        let words: Vec<&str> = node.value("RU").unwrap_or_default().split_whitespace().collect();
        let Some((&"pentarch", [game, settings @ ..])) = words.split_first() else {
            if !words.is_empty() {
                self.add_unread(node, "RU");
            }
            return Ok(None);
        };
        let mut options = Options::default();
        let set = options.set(&GAME_OPTION, game).map_err(RuleSettingError::from);
        set.map_err(|error| self.error_at(node, SgfError::from(error)))?;
        for (index, setting) in settings.iter().enumerate() {
            let name = |setting: &str| setting.split('=').next().map(str::to_ascii_lowercase);
            if settings[..index].iter().any(|other| name(other) == name(setting)) {
                let name = setting.split('=').next().unwrap_or_default().into();
                return Err(self.error_at(node, RecordError::DuplicateOption { name }));
            }
            options
                .set_rule_text(game_specific_options(&options), setting)
                .map_err(|error| self.error_at(node, SgfError::from(error)))?;
        }
        Ok(Some(options))
    }

    /// Returns the result of the game. If the players have ended the game, ends it in the session,
    /// and updates the tag `Outcome`.
    fn read_result(
        &mut self,
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
        let end = match (loser, reason) {
            (Some(loser), "R" | "RESIGN") => Some(EndByPlayers::Resignation(loser)),
            (Some(loser), "T" | "TIME") => Some(EndByPlayers::Time(loser)),
            (None, _) if winner == "0" || winner == "DRAW" => Some(EndByPlayers::Agreement),
            _ => None,
        };
        let is_ended = session.game_state().outcome.is_none()
            && end.is_some_and(|end| session.end_game(end).is_ok());
        if is_ended {
            let outcome = session.game_status().outcome;
            tags.iter_mut()
                .filter(|(name, _)| name == "Outcome")
                .for_each(|tag| tag.1.clone_from(&outcome));
        }
        let result = match (loser, winner) {
            (Some(Side::Second), _) => "1-0",
            (Some(Side::First), _) => "0-1",
            (None, "0" | "DRAW") => "1/2-1/2",
            _ => "*",
        };
        let is_reason_lost = loser.is_some() && !reason.is_empty() && !is_ended;
        let is_unknown = result == "*" && !matches!(stated.as_str(), "" | "?");
        if is_reason_lost || is_unknown {
            self.add_unread(node, if is_unknown { "RE" } else { "the reason in RE" });
        }
        result
    }

    /// Reads the moves of a line that begins with the node `first`, in the current position of the
    /// session, where the clicks `clicks` of a move have been made. Afterwards the session is at
    /// the end of the line.
    fn read_line(
        &mut self,
        session: &mut dyn Session,
        first: &SgfNode,
        clicks: Vec<Point>,
        size: u8,
        depth: usize,
    ) -> Result<Vec<RecordedMove>, EngineError> {
        let tree = self.tree;
        let mut state = LineState {
            line: Vec::new(),
            clicks,
            unfinished: RecordedMove::new(String::new(), None),
            branches: Vec::new(),
        };
        let mut next = Some(first);
        while let Some(node) = next {
            self.check(node)?;
            let is_root = depth == 0 && std::ptr::eq(node, first);
            let side = session.game_state().side;
            let click = self.read_click(node, session, &state.clicks, size)?;
            // Go programs end a game with passes.
            let click =
                click.filter(|click| click.is_some() || session.game_state().outcome.is_none());
            let kind = match click {
                None if state.clicks.is_empty() && is_root => NodeKind::GameRoot,
                None if state.clicks.is_empty() => NodeKind::Between,
                _ => NodeKind::Click(side),
            };
            self.read_notes(node, (kind, is_root), &mut state)?;
            let completed = match click {
                None => None,
                Some(click) => self.completed_move(node, session, &mut state.clicks, click)?,
            };
            if let Some(text) = completed {
                self.add_move(node, session, &mut state, &text, (size, depth))?;
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
            if main.is_none() && !state.unfinished.notes().comment.is_empty() {
                self.add_unread(node, "C without a move");
            }
            next = main.map(|main| &tree.nodes[main]);
        }
        Ok(state.line)
    }

    /// Adds a completed move to a line: reads its branches as variations, and plays it in the
    /// session.
    fn add_move(
        &mut self,
        node: &SgfNode,
        session: &mut dyn Session,
        state: &mut LineState,
        text: &str,
        (size, depth): (u8, usize),
    ) -> Result<(), EngineError> {
        self.moves += 1;
        if self.moves.is_multiple_of(STOP_CHECK_MOVES) && (self.is_stopped)() {
            return Err(RecordError::Stopped.into());
        }
        let tree = self.tree;
        let unfinished = RecordedMove::new(String::new(), None);
        let mut mv = std::mem::replace(&mut state.unfinished, unfinished);
        mv.text = text.into();
        for branch in state.branches.drain(..) {
            if depth == MAX_VARIATION_NESTING {
                return Err(self.error_at(node, SgfError::TooDeep));
            }
            let first = &tree.nodes[branch.node];
            let variation = self.read_line(session, first, branch.clicks, size, depth + 1)?;
            let undone = session.undo_moves(variation.len() as u32);
            undone.map_err(|error| self.error_at(node, error))?;
            if !variation.is_empty() {
                mv.notes_mut().variations.push(variation);
            }
        }
        let played = session.play(&[InputWord::from_text(text)]);
        played.map_err(|error| self.error_at(node, error))?;
        state.line.push(mv);
        Ok(())
    }

    /// Adds the notes of a node to its move, and reports the other properties. The comment of a
    /// node without a move is about the position, so it belongs to the move before; at the
    /// beginning of a line it belongs to the next move.
    fn read_notes(
        &mut self,
        node: &SgfNode,
        (kind, is_root): (NodeKind, bool),
        state: &mut LineState,
    ) -> Result<(), EngineError> {
        for (name, values) in &node.properties {
            let is_read = match (name.as_str(), kind) {
                ("B" | "W", _) => true,
                ("C", NodeKind::GameRoot) => true,
                ("C", _) => {
                    let mv = match (kind, state.line.last_mut()) {
                        (NodeKind::Between, Some(last)) => last,
                        _ => &mut state.unfinished,
                    };
                    let comment = normalise_comment(&values.join("")).and_then(|comment| {
                        if comment.is_empty() {
                            return Ok(());
                        }
                        add_comment(&mut mv.notes_mut().comment, &comment)
                    });
                    comment.map_err(|error| self.error_at(node, RecordError::from(error)))?;
                    true
                }
                // The program derives the chance from the score.
                (CHANCE_PROPERTY, _) => node.value(SCORE_PROPERTY).is_some(),
                (_, NodeKind::Click(side)) if is_note(name) => {
                    add_property_to_move(name, values, side, &mut state.unfinished)
                }
                _ => is_root && is_root_property(name),
            };
            if !is_read {
                self.add_unread(node, name);
            }
        }
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
    ) -> Result<Option<PointOrPass>, EngineError> {
        let to_move = session.game_state().side;
        let found = SGF_MOVE_PROPERTIES
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
            let [to_move, found] = [to_move, side].map(|side| SGF_MOVE_PROPERTIES[side.index()]);
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
    ) -> Result<Option<String>, EngineError> {
        clicks.extend(click);
        let MatchingMoves { moves, violation } = session.moves_matching_clicks(clicks);
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
