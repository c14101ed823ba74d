//! Games of Go front ends: what somebody has clicked there on the board that stands for the game's board, as
//! `docs/go-front-ends.md` describes it. A move is one click or several, each in a node of its own; Black is the side
//! that moves first.

use thiserror::Error;

use crate::io::host::System;
use pentarch_core::notation::record::notes::{CommentError, MARKS, add_comment, normalise_comment};
use pentarch_core::notation::record::{MAX_NESTING, Record, RecordedMove, escaped};
use pentarch_core::notation::text::quoted;
use pentarch_core::rules::options::RuleSettingError;
use pentarch_core::{Options, PlayerEnd, Point, Side, Violation};
use pentarch_engine::engine_state::{new_session, own_rules};
use pentarch_engine::error::EngineError;
use pentarch_engine::go_board::MovesThrough;
use pentarch_engine::input_word::Word;
use pentarch_engine::record::{Replayed, record_of};
use pentarch_engine::session::Session;
use pentarch_games::GAME;
use pentarch_system::{Located, Location};

use super::error::ConvertError;
use super::sgf_tree::{Collection, Node, parse};

/// Properties of the root, and the tags for them.
pub(super) const TAGS: [(&str, &str); 7] = [
    ("PB", "P1"),
    ("PW", "P2"),
    ("DT", "Date"),
    ("EV", "Event"),
    ("PC", "Site"),
    ("RO", "Round"),
    ("AN", "Annotator"),
];

/// Properties of nodes and the marks for them, in the order of [`MARKS`].
pub(super) const PROPERTIES: [(&str, &str); 6] =
    [("TE", "1"), ("BM", "1"), ("TE", "2"), ("BM", "2"), ("IT", ""), ("DO", "")];

/// The other properties that are read, each of which has one value.
const SINGLE_VALUES: [&str; 9] = ["C", "RU", "RE", "SZ", "HA", "BL", "WL", "IT", "DO"];

/// The colours of the sides.
pub(super) const COLOURS: [&str; 2] = ["B", "W"];

/// A fault of a node.
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
    /// A property sets stones up.
    #[error("stones that are set up ({property}) say too little of where a game begins")]
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
    /// A text cannot be a comment or the value of a tag.
    #[error(transparent)]
    Comment(#[from] CommentError),
    /// The property `RU` names rules that do not exist.
    #[error("RU: {0}")]
    Rules(#[from] RuleSettingError),
    /// Variations are nested deeper than [`MAX_NESTING`].
    #[error("variations lie at most {MAX_NESTING} deep in one another")]
    TooDeep,
    /// The last move lacks clicks.
    #[error("the last move is half made")]
    HalfMade,
    /// A click is not on a point of the board.
    #[error("two letters for a point of the board expected, found {}", quoted(.found))]
    Point {
        /// The value of the node.
        found: String,
    },
    /// The click is not one of the side to move.
    #[error("{to_move} is to move, not {found}")]
    Colour {
        /// The colour of the side to move.
        to_move: &'static str,
        /// The colour of the click.
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
    #[error("no legal move goes on there")]
    NoMove,
    /// The engine rejects the game.
    #[error(transparent)]
    Game(#[from] EngineError),
}

/// Reads the games of a text. The property `RU` names game and rules where this program has written it; else they are
/// those of the options.
///
/// # Errors
/// If the text is no SGF, the game has no board for Go front ends, or a click leads to no legal move.
pub fn read(text: &str, options: &Options) -> Result<Vec<Replayed>, ConvertError> {
    let tree =
        parse(text).map_err(|error| ConvertError::Syntax(EngineError::in_lines(text, error)))?;
    let reader = Reader { text, tree: &tree };
    tree.roots.iter().map(|&root| Ok(reader.game(root, options)?)).collect()
}

struct Reader<'a> {
    text: &'a str,
    tree: &'a Collection,
}

/// A click in a node: a point, or none for a pass.
type Click = Option<Point>;

impl Reader<'_> {
    /// Returns the error of a node with its place.
    fn at(&self, node: &Node, error: impl Into<SgfError>) -> Located<SgfError> {
        let before = &self.text[..node.offset];
        let line = before.matches('\n').count() + 1;
        let start = before.rfind('\n').map_or(0, |at| at + 1);
        let column = before[start..].chars().count() + 1;
        Located { location: Location::Column { line, column }, error: error.into() }
    }

    /// Checks that no part of a node is lost: it has one move at most, and each property that is read has one value.
    fn check(&self, node: &Node) -> Result<(), Located<SgfError>> {
        if COLOURS.iter().all(|colour| node.value(colour).is_some()) {
            return Err(self.at(node, SgfError::TwoMoves));
        }
        let tags = TAGS.iter().map(|&(name, _)| name);
        let names = COLOURS.into_iter().chain(SINGLE_VALUES).chain(tags);
        for name in names {
            let mut found = node.properties.iter().filter(|(known, _)| known == name);
            let count = found.next().map_or(1, |(_, values)| values.len());
            if count > 1 {
                return Err(self.at(node, SgfError::SeveralValues { name, count }));
            }
            if found.next().is_some() {
                return Err(self.at(node, SgfError::Duplicate { name }));
            }
        }
        Ok(())
    }

    fn game(&self, root: usize, options: &Options) -> Result<Replayed, Located<SgfError>> {
        let node = &self.tree.nodes[root];
        self.check(node)?;
        let options = self.rules(node, options)?;
        let mut session = new_session(&options);
        let size = match session.go_scene() {
            Some(scene) => scene.grid.size,
            None => return Err(self.at(node, SgfError::NoBoard)),
        };
        let stated = node.value("SZ").map(|size| size.split(':').next().unwrap_or_default().trim());
        if let Some(found) = stated.filter(|stated| *stated != size.to_string()) {
            return Err(self.at(node, SgfError::Size { size, found: found.into() }));
        }
        // Several programs write a handicap of 0 in each even game.
        let is_set_up = |&property: &&str| {
            node.value(property).is_some_and(|value| property != "HA" || value.trim() != "0")
        };
        if let Some(property) = ["AB", "AW", "AE", "HA"].into_iter().find(is_set_up) {
            return Err(self.at(node, SgfError::SetUp { property }));
        }
        let mut record = Record::new(Vec::new());
        let mut start = node.clone();
        // A root with a move says something of that, and another one of the game.
        if COLOURS.iter().all(|colour| node.value(colour).is_none()) {
            let comment = node.value("C").unwrap_or_default();
            record.comment = normalise_comment(comment).map_err(|error| self.at(node, error))?;
            start.properties.clear();
        }
        record.moves = self.line(session.as_mut(), &start, Vec::new(), size, 0)?;
        let mut tags = record_of(&options, session.as_ref()).tags;
        self.ended(node, session.as_mut(), &mut tags, &mut record.result);
        for (property, tag) in TAGS {
            if let Some(value) = node.value(property).filter(|value| !value.trim().is_empty()) {
                let value = if tag == "Date" { value.replace('-', ".") } else { value.into() };
                let value = normalise_comment(&value).map_err(|error| self.at(node, error))?;
                tags.push((tag.into(), escaped(&value)));
            }
        }
        record.tags = tags;
        let read = Replayed::of(record, &options, System::shared().as_ref());
        read.map_err(|error| self.at(node, error))
    }

    /// The rules that the property `RU` names, or these.
    fn rules(&self, node: &Node, options: &Options) -> Result<Options, Located<SgfError>> {
        let words: Vec<&str> = node.value("RU").unwrap_or_default().split_whitespace().collect();
        let Some((&"pentarch", [game, settings @ ..])) = words.split_first() else {
            return Ok(options.clone());
        };
        let mut options = Options::default();
        let set = options.set(&GAME, game).map_err(RuleSettingError::from).and_then(|()| {
            settings
                .iter()
                .try_for_each(|setting| options.set_rule_text(own_rules(&options), setting))
        });
        set.map_err(|error| self.at(node, error))?;
        Ok(options)
    }

    /// Takes in the result: an end that the players have made, or a result without a reason.
    fn ended(
        &self,
        node: &Node,
        session: &mut dyn Session,
        tags: &mut [(String, String)],
        result: &mut String,
    ) {
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
        let is_ended =
            session.standing().outcome.is_none() && end.is_some_and(|end| session.end(end).is_ok());
        if is_ended {
            let outcome = session.status().outcome;
            tags.iter_mut()
                .filter(|(name, _)| name == "Outcome")
                .for_each(|tag| tag.1.clone_from(&outcome));
        }
        *result = match (loser, winner) {
            (Some(Side::Second), _) => "1-0",
            (Some(Side::First), _) => "0-1",
            (None, "0" | "DRAW") => "1/2-1/2",
            _ => "*",
        }
        .into();
    }

    /// The moves of a line that begins with this node, in the current position of the session, where so many clicks of
    /// a move have been made. The session is at the end of the line then.
    fn line(
        &self,
        session: &mut dyn Session,
        first: &Node,
        mut begun: Vec<Point>,
        size: u8,
        depth: usize,
    ) -> Result<Vec<RecordedMove>, Located<SgfError>> {
        let mut line = Vec::new();
        let mut next = Some(first);
        // What is said in the nodes of the move that is half made, and where other moves go on from there.
        let nothing = || RecordedMove::new(String::new(), None);
        let (mut said, mut others): (_, Vec<(usize, Vec<Point>)>) = (nothing(), Vec::new());
        while let Some(node) = next {
            self.check(node)?;
            self.say(node, session.standing().side, &mut said)?;
            let made = match self.click(node, session, &begun, size)? {
                None => None,
                Some(None) if session.standing().outcome.is_some() => None,
                Some(click) => self.completed(node, session, &mut begun, click)?,
            };
            if let Some(text) = made {
                let mut mv = std::mem::replace(&mut said, nothing());
                mv.text.clone_from(&text);
                for (other, prefix) in others.drain(..) {
                    if depth == MAX_NESTING {
                        return Err(self.at(node, SgfError::TooDeep));
                    }
                    let variation =
                        self.line(session, &self.tree.nodes[other], prefix, size, depth + 1)?;
                    let undone = session.undo(variation.len() as u32);
                    undone.map_err(|error| self.at(node, error))?;
                    if !variation.is_empty() {
                        mv.notes_mut().variations.push(variation);
                    }
                }
                let played = session.play(&[Word::alone(&text)]);
                played.map_err(|error| self.at(node, error))?;
                line.push(mv);
            } else if let (true, Some(last)) = (begun.is_empty(), line.last_mut()) {
                // A node without a move says something of the position, and so of the move before.
                let words = std::mem::take(&mut said.notes_mut().comment);
                if !words.is_empty() {
                    add_comment(&mut last.notes_mut().comment, &words)
                        .map_err(|error| self.at(node, error))?;
                }
            }
            let (main, rest) = match node.children.split_first() {
                Some((&main, rest)) => (Some(main), rest),
                None => (None, [].as_slice()),
            };
            others.extend(rest.iter().map(|&other| (other, begun.clone())));
            if main.is_none() && !begun.is_empty() {
                return Err(self.at(node, SgfError::HalfMade));
            }
            next = main.map(|main| &self.tree.nodes[main]);
        }
        Ok(line)
    }

    /// What a node says of the move that it belongs to, which this side makes.
    fn say(&self, node: &Node, side: Side, mv: &mut RecordedMove) -> Result<(), Located<SgfError>> {
        let notes = mv.notes_mut();
        if let Some(text) = node.value("C") {
            let said = normalise_comment(text).map_err(|error| self.at(node, error))?;
            if !said.is_empty() {
                add_comment(&mut notes.comment, &said).map_err(|error| self.at(node, error))?;
            }
        }
        for (glyph, (name, value)) in (1..).zip(PROPERTIES) {
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

    /// The click of a node; none if it has none, or if it is a pass of the side whose turn it is not while a move is
    /// half made, as tools make it that know strict alternation only.
    fn click(
        &self,
        node: &Node,
        session: &dyn Session,
        begun: &[Point],
        size: u8,
    ) -> Result<Option<Click>, Located<SgfError>> {
        let side = session.standing().side;
        let found = COLOURS
            .iter()
            .zip(Side::BOTH)
            .find_map(|(colour, side)| Some((node.value(colour)?, side)));
        let Some((value, of)) = found else { return Ok(None) };
        let click = match value.trim() {
            "" => None,
            "tt" if size <= 19 => None,
            value => Some(
                point(value, size)
                    .ok_or_else(|| self.at(node, SgfError::Point { found: value.into() }))?,
            ),
        };
        if of != side && session.standing().outcome.is_none() {
            if click.is_none() && !begun.is_empty() {
                return Ok(None);
            }
            let [to_move, found] = [side, of].map(|side| COLOURS[side.index()]);
            return Err(self.at(node, SgfError::Colour { to_move, found }));
        }
        Ok(Some(click))
    }

    /// The move that a click completes; none if it begins or continues one.
    fn completed(
        &self,
        node: &Node,
        session: &dyn Session,
        begun: &mut Vec<Point>,
        click: Click,
    ) -> Result<Option<String>, Located<SgfError>> {
        begun.extend(click);
        let MovesThrough { moves, violation } = session.moves_through(begun);
        let is_last = click.is_none() || moves.len() == 1;
        if let Some(mv) = moves.iter().find(|mv| is_last && mv.points == *begun) {
            begun.clear();
            return Ok(Some(mv.text.clone()));
        }
        if moves.is_empty() || click.is_none() {
            let error = match (violation, session.standing().outcome) {
                (Some(violation), _) => SgfError::Illegal(violation),
                (None, Some(_)) => SgfError::GameOver { outcome: session.outcome_sentence() },
                (None, None) => SgfError::NoMove,
            };
            return Err(self.at(node, error));
        }
        Ok(None)
    }
}

/// The point of two letters, of which the first counts from the left and the second from the top.
fn point(text: &str, size: u8) -> Option<Point> {
    let number = |letter: u8| match letter {
        b'a'..=b'z' => Some(letter - b'a'),
        b'A'..=b'Z' => Some(letter - b'A' + 26),
        _ => None,
    };
    let &[file, row] = text.as_bytes() else { return None };
    let (file, row) = (number(file)?, number(row)?);
    (file < size && row < size).then(|| Point::new(file, size - 1 - row))
}
