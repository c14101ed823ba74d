//! The notation of Alcaxar: position strings, move strings with their signs, and the text diagram
//! of the board.

use nom::Parser;
use nom::branch::alt;
use nom::character::complete::{char, one_of};
use nom::combinator::{eof, value};
use nom::multi::{many_till, many0_count};
use nom::sequence::{pair, preceded, terminated};

use pentarch_core::notation::parsing::{
    label_expected_input, parse_full_move_number, parse_whole_string, split_position_fields,
};
use pentarch_core::notation::points::{
    files_from_left, parse_point, parse_point_ignoring_case, ranks_from_top,
};
use pentarch_core::notation::record::notes::MOVE_SUFFIX_CHARACTERS;
use pentarch_core::notation::{parse_side_initial, side_initial};
use pentarch_core::view::diagram::{
    Diagram, DiagramCell, DiagramCellKind, file_label_line, rank_label,
};
use pentarch_core::view::layout::Site;
use pentarch_core::view::lesson::LessonStep;
use pentarch_core::{
    Notation, Outcome, Point, PositionError, PublishedNotation, RuleViolation, Rules, Side,
    SyntaxError,
};

use super::Alcaxar;
use super::board::{BOARD_SIZE, Board, Square, WallSlot, iter_slots};
use super::legality::{self, require_square, require_wall_slot};
use super::lesson::LESSON_STEPS;
use super::moves::{self, Move};
use super::position::{FORTRESS_SQUARES, Position, REPETITION_WIN_REASON};
use super::published_notation::{self, ParsedPublishedPosition};
use super::rule_violations::InvalidPosition;

/// A parsed move string. Its points have not been checked yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParsedMove {
    /// A knight move: `K` and a point.
    Knight(Point),
    /// A wall move: two points.
    Wall(Point, Point),
}
/// The number of walls on the board in every position.
const WALL_COUNT: usize = 8;

impl Notation for Alcaxar {
    type ParsedMove = ParsedMove;

    const RULES_TEXT: &'static str = include_str!("../rules.md");
    const NO_MOVE_AFTER_END_RULE_IDS: &'static [&'static str] = &["5.11"];
    const RULE_CASES: &'static str = include_str!("../rule_cases.txt");
    const TURN_RULE_ID: Option<&'static str> = Some("3.1");
    const FEN_FORMAT_RULE_ID: Option<&'static str> = Some("6.8");
    const LESSON_STEPS: &'static [LessonStep] = LESSON_STEPS;

    fn game_aim(&self) -> &'static str {
        "step into the enemy fortress, or trap the enemy knight"
    }

    fn short_rules(&self) -> Option<[&'static str; 2]> {
        Some([
            "You either step with your knight to a square beside it, through a gap between the walls, or turn one of \
             the eight walls, which belong to nobody, like a door about one of its ends. You must not turn the wall \
             that your opponent has just turned, nor one that touches it, nor leave your own knight without a step.",
            "A knight that steps into the enemy fortress wins, and so does a move that leaves the enemy knight no \
             step. At the third occurrence of a position the knight nearer to its aim wins: there is no draw.",
        ])
    }

    fn parse_position(&self, text: &str) -> Result<Position, PositionError> {
        if published_notation::is_in_published_notation(text) {
            let ParsedPublishedPosition { knights, mut walls, side } =
                parse_whole_string(published_notation::parse_published_position, text)?;
            walls.sort_by_key(|&point| WallSlot::from_point(point));
            return Ok(self.checked_position(knights, &walls, side, None, 1)?);
        }
        let names = ["knights", "walls", "side to move", "wall moved last", "full-move number"];
        let [knights, walls, side, last, number] = split_position_fields(text, names)?;
        let knights = knights.read(pair(parse_point, parse_point))?;
        let (walls, _) =
            walls.read(many_till(label_expected_input("a wall slot", parse_point), eof))?;
        let side = side.read(parse_side_initial::<Self>)?;
        let none = value(None, label_expected_input("-", char('-')));
        let last_wall =
            last.read(alt((none, label_expected_input("a wall slot", parse_point).map(Some))))?;
        let number = number.read(parse_full_move_number)?;
        Ok(self.checked_position(knights.into(), &walls, side, last_wall, number)?)
    }

    fn position_text(&self, position: &Position) -> String {
        let [red, green] = position.knights.map(Square::point);
        let walls: String =
            iter_slots(position.walls).map(|slot| slot.point().to_string()).collect();
        let side = side_initial::<Self>(position.side);
        let last = position.last_wall.map_or("-".into(), |slot| slot.point().to_string());
        format!("{red}{green} {walls} {side} {last} {}", position.full_move)
    }

    fn parse_move(&self, text: &str) -> Result<ParsedMove, SyntaxError> {
        let knight = preceded(
            label_expected_input("K and a square", one_of("Kk")),
            parse_point_ignoring_case,
        )
        .map(ParsedMove::Knight);
        let wall = pair(
            label_expected_input("two wall slots", parse_point_ignoring_case),
            parse_point_ignoring_case,
        )
        .map(|(a, b)| ParsedMove::Wall(a, b));
        let signs = many0_count(one_of(MOVE_SUFFIX_CHARACTERS));
        parse_whole_string(terminated(alt((knight, wall)), signs), text)
    }

    fn resolve_move(&self, position: &Position, text: &ParsedMove) -> Result<Move, RuleViolation> {
        Ok(match *text {
            ParsedMove::Knight(to) => legality::resolve_knight_move(&self.board, position, to)?,
            ParsedMove::Wall(from, to) => {
                legality::resolve_wall_move(&self.board, position, from, to)?
            }
        })
    }

    fn move_text(&self, mv: Move) -> String {
        match mv {
            Move::Knight(to) => format!("K{}", to.point()),
            Move::Wall { from, to } => format!("{}{}", from.point(), to.point()),
        }
    }

    fn explain_outcome(&self, position: &Position, outcome: Outcome) -> String {
        let Outcome::Win(winner, reason) = outcome else { return outcome.reason().into() };
        let loser = Self::SIDE_NAMES[(!winner).index()];
        match reason {
            "fortress" => format!("its knight stands on {loser}'s fortress"),
            "trapped" => format!("{loser}'s knight has no step"),
            _ => {
                let why = position.third_occurrence_result(&self.board).reason;
                format!("the position has occurred for the third time, and {why}")
            }
        }
    }

    fn move_kind_plural(&self, _: &Position, mv: Move) -> &'static str {
        match mv {
            Move::Knight(_) => "knight moves",
            Move::Wall { .. } => "wall moves",
        }
    }

    fn rule_id_of_move(&self, _: &Position, mv: Move) -> Option<&'static str> {
        Some(match mv {
            Move::Knight(_) => "3.3",
            Move::Wall { .. } => "4.2",
        })
    }

    fn rule_id_of_outcome(&self, reason: &str) -> Option<&'static str> {
        match reason {
            "fortress" => Some("5.1"),
            "trapped" => Some("5.2"),
            "stalemate" => Some("5.4"),
            _ => None,
        }
    }

    fn board_diagram(&self, position: &Position, viewer: Side) -> Diagram {
        let mut diagram = Diagram::default();
        for rank in ranks_from_top(BOARD_SIZE, viewer) {
            let mut row = rank_label(rank, 1);
            row.extend([DiagramCell::SPACE_CELL; 2]);
            for file in files_from_left(BOARD_SIZE, viewer) {
                append_diagram_cells(position, Point::new(file, rank), &mut row);
            }
            diagram.rows.push(row);
        }
        diagram.rows.push(file_label_line(files_from_left(BOARD_SIZE, viewer), 1, 2));
        let [red, green] = FORTRESS_SQUARES.map(Square::point);
        diagram.push_note(&format!(
            "R, G: the knights; [ ]: the fortresses, {red} red's, {green} green's"
        ));
        if let Some(slot) = position.last_wall {
            let [one, other] = slot.towers();
            diagram.push_note(&format!(
                "the wall just moved to {} blocks every wall on {one} or {other}",
                slot.point()
            ));
        }
        diagram
    }
}

impl PublishedNotation for Alcaxar {
    fn position_in_published_notation(&self, position: &Position) -> Option<String> {
        Some(published_notation::format_published_position(position))
    }

    fn trailing_move_suffix<'t>(&self, text: &'t str) -> &'t str {
        let bare = text.trim_end_matches(|letter| MOVE_SUFFIX_CHARACTERS.contains(letter));
        &text[bare.len()..]
    }

    /// Adds a mark to some moves: `≠` if the move wins, `≡` if it ends the game in stalemate, and
    /// `+` if it threatens to win with the next move.
    fn move_in_published_notation(
        &self,
        position: &Position,
        mv: Move,
        after: Option<Outcome>,
    ) -> String {
        let mark = match after {
            Some(outcome) if outcome.reason() == REPETITION_WIN_REASON => "≡",
            Some(_) => "≠",
            None if self.threatens_to_win(&position.play(mv)) => "+",
            None => "",
        };
        self.move_text(mv) + mark
    }
}

impl Alcaxar {
    /// Returns the position of a parsed string.
    ///
    /// # Errors
    /// If a point is of the wrong kind, or no game can reach the position.
    fn checked_position(
        &self,
        knights: [Point; 2],
        walls: &[Point],
        side: Side,
        last_wall: Option<Point>,
        full_move: u32,
    ) -> Result<Position, InvalidPosition> {
        let position = Position {
            knights: [require_square(knights[0])?, require_square(knights[1])?],
            walls: wall_set_of_points(walls)?,
            side,
            last_wall: last_wall.map(require_wall_slot).transpose()?,
            full_move,
        };
        check_position_reachable(&self.board, &position)?;
        Ok(position)
    }

    /// Returns whether the side that has just moved threatens to win: it could win with its next
    /// move if the other side made a null move. The null move unblocks all walls.
    fn threatens_to_win(&self, after: &Position) -> bool {
        let passed = Position { side: !after.side, last_wall: None, ..*after };
        let mut replies = Vec::new();
        moves::generate_moves(&self.board, &passed, &mut replies);
        replies.into_iter().any(|reply| self.outcome(&passed.play(reply)).is_some())
    }
}

/// Returns the set of the listed walls.
///
/// # Errors
/// If the list is not [`WALL_COUNT`] different slots in ascending order.
fn wall_set_of_points(points: &[Point]) -> Result<u64, InvalidPosition> {
    let walls =
        points.iter().map(|&point| require_wall_slot(point)).collect::<Result<Vec<_>, _>>()?;
    if walls.len() != WALL_COUNT {
        return Err(InvalidPosition::WallCount { expected: WALL_COUNT, found: walls.len() });
    }
    for pair in walls.windows(2) {
        let [first, second] = [pair[0], pair[1]].map(WallSlot::point);
        if pair[0] == pair[1] {
            return Err(InvalidPosition::DuplicateWall { slot: first });
        }
        if pair[0] > pair[1] {
            return Err(InvalidPosition::UnsortedWalls { first, second });
        }
    }
    Ok(walls.iter().fold(0, |set, slot| set | slot.bit()))
}

fn check_position_reachable(board: &Board, position: &Position) -> Result<(), InvalidPosition> {
    let mover = !position.side;
    let [own, enemy] = [position.side, mover].map(|side| Alcaxar::SIDE_NAMES[side.index()]);
    if position.knights[0] == position.knights[1] {
        return Err(InvalidPosition::SharedSquare { square: position.knights[0].point() });
    }
    if let Some(slot) = position.last_wall.filter(|slot| slot.bit() & position.walls == 0) {
        return Err(InvalidPosition::NoLastWall { slot: slot.point() });
    }
    if position.count_knight_step_targets(board, mover) == 0 {
        return Err(InvalidPosition::TrappedMover { side: enemy });
    }
    if position.knight(position.side) == Position::target_fortress(position.side) {
        return Err(InvalidPosition::WinnerToMove { side: own });
    }
    Ok(())
}

/// Appends the cells of one point to a row: one cell on a tower file, five on a square file.
fn append_diagram_cells(position: &Position, point: Point, row: &mut Vec<DiagramCell>) {
    let site = Site::from(point);
    let wall = WallSlot::from_point(point).is_some_and(|slot| slot.bit() & position.walls != 0);
    match (point.file % 2, point.rank % 2) {
        (0, 0) => row.push(DiagramCell::new('+', DiagramCellKind::Post)),
        (0, _) if wall => {
            row.push(DiagramCell::new('|', DiagramCellKind::Vertical).with_site(site))
        }
        (_, 0) if wall => {
            row.extend([DiagramCell::new('-', DiagramCellKind::Horizontal).with_site(site); 5])
        }
        (0, _) => row.push(DiagramCell::of_empty_site(' ', site)),
        (_, 0) => row.extend([DiagramCell::of_empty_site(' ', site); 5]),
        _ => {
            let here = |square: &Square| square.point() == point;
            let is_fortress = FORTRESS_SQUARES.iter().any(here);
            let middle = match position.knights.iter().position(here) {
                Some(player) => DiagramCell::of_piece(['R', 'G'][player], player, site),
                None if is_fortress => DiagramCell::of_empty_site(' ', site),
                None => DiagramCell::of_empty_site('.', site),
            };
            let [left, right] = match is_fortress {
                true => ['[', ']']
                    .map(|sign| DiagramCell::new(sign, DiagramCellKind::Line).with_site(site)),
                false => [DiagramCell::SPACE_CELL; 2],
            };
            row.extend([DiagramCell::SPACE_CELL, left, middle, right, DiagramCell::SPACE_CELL]);
        }
    }
}
