//! Connect Four, as an example of a game that uses the public interface of the library.
//!
//! It is a program of its own, with everything that `pentarch` offers: the line protocols, matches,
//! requests and games at the terminal. `examples/README.md` explains the parts one by one.

use std::convert::Infallible;
use std::process::ExitCode;

use nom::Parser;
use nom::character::complete::satisfy;
use pentarch_core::notation::parsing::{
    ParseResult, label_expected_input, next_full_move_number, parse_full_move_number,
    parse_whole_string, split_position_fields,
};
use pentarch_core::notation::piece_placement::{self, PlacementShapeError};
use pentarch_core::notation::{parse_side_initial, points::file_letter, side_initial};
use pentarch_core::rules::key;
use pentarch_core::view::diagram::{Diagram, DiagramCell, DiagramCellKind};
use pentarch_core::view::layout::Site;
use pentarch_core::{
    BoardLayout, Evaluate, Exercises, GoBoardProjection, HasPlayers, HistoryBans, MatchOpenings,
    NetInputs, Notation, OpeningBook, Outcome, Point, PositionError, ProbeTables,
    PublishedNotation, RuleError, RuleViolation, Rules, SearchDataFiles, Side, SyntaxError,
    WriteTables,
};
use thiserror::Error;

const FILES: usize = 7;
const RANKS: usize = 6;
/// The rules of Connect Four: drop a disc into a file. The first side with four in a row wins.
#[derive(Debug, Clone, PartialEq)]
struct ConnectFour {
    /// All sets of four squares in a row.
    rows: Vec<u64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Position {
    /// The discs of the first side and of the second side.
    discs: [u64; 2],
    side: Side,
    full_move: u32,
}

pentarch_core::turn_from_fields!(Position);

fn square(file: usize, rank: usize) -> u64 {
    1 << (file * RANKS + rank)
}

/// Returns the lowest empty square of a file, or `None` if the file is full.
fn landing(position: &Position, file: usize) -> Option<u64> {
    let taken = position.discs[0] | position.discs[1];
    (0..RANKS).map(|rank| square(file, rank)).find(|square| taken & square == 0)
}

impl Default for ConnectFour {
    fn default() -> ConnectFour {
        let mut rows = Vec::new();
        for (file, rank) in (0..FILES).flat_map(|file| (0..RANKS).map(move |rank| (file, rank))) {
            for (files, ranks) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
                let squares =
                    (0..4).map(|step| (file + step * files, rank as i32 + step as i32 * ranks));
                let on_board = |&(file, rank): &(usize, i32)| {
                    file < FILES && (0..RANKS as i32).contains(&rank)
                };
                let row: Vec<u64> = squares
                    .filter(on_board)
                    .map(|(file, rank)| square(file, rank as usize))
                    .collect();
                rows.extend((row.len() == 4).then(|| row.iter().sum::<u64>()));
            }
        }
        ConnectFour { rows }
    }
}

impl Rules for ConnectFour {
    type Position = Position;
    /// The file, from 0.
    type Move = usize;

    const GAME_ID: &'static str = "connectfour";
    const GAME_NAME: &'static str = "Connect Four";
    const GAME_SUMMARY: &'static str = "drop discs into seven files; four in a row win";
    const SIDE_NAMES: [&'static str; 2] = ["red", "black"];

    fn start_position(&self) -> Position {
        Position { discs: [0; 2], side: Side::First, full_move: 1 }
    }

    fn outcome(&self, position: &Position) -> Option<Outcome> {
        let has_row =
            |side: &Side| self.rows.iter().any(|&row| position.discs[side.index()] & row == row);
        if let Some(side) = Side::BOTH_SIDES.into_iter().find(has_row) {
            return Some(Outcome::Win(side, "four in a row"));
        }
        (0..FILES)
            .all(|file| landing(position, file).is_none())
            .then_some(Outcome::Draw("full board"))
    }

    fn legal_moves(&self, position: &Position, moves: &mut Vec<usize>) {
        if self.outcome(position).is_none() {
            moves.extend((0..FILES).filter(|&file| landing(position, file).is_some()));
        }
    }

    fn play(&self, position: &Position, file: usize) -> Position {
        let mut next = *position;
        next.discs[position.side.index()] |= landing(position, file).unwrap_or(0);
        next.side = !position.side;
        next.full_move = next_full_move_number(position.full_move, position.side);
        next
    }

    fn search_key(&self, position: &Position) -> u64 {
        key::hash_words(&[position.discs[0], position.discs[1], position.side as u64])
    }
}

/// The reason why a move or a position is invalid.
#[derive(Debug, Error)]
enum ConnectFourError {
    #[error("file {0} is full")]
    FullFile(String),
    #[error("{0}")]
    Board(PlacementShapeError),
    #[error("a disc has no disc below it")]
    FloatingDisc,
    #[error("{first} and {second} discs do not fit the side to move")]
    DiscCount { first: u32, second: u32 },
}

/// A game with [`Notation::RULES_TEXT`] returns the ids of the sentences of this text here.
impl RuleError for ConnectFourError {
    fn broken_rule_ids(&self) -> &'static [&'static str] {
        &[]
    }
}

/// A FEN has three fields, as in `7/7/7/7/7/3r3 b 1`: the ranks from the top, the side to move, and
/// the full-move number.
impl Notation for ConnectFour {
    type ParsedMove = usize;

    fn parse_position(&self, text: &str) -> Result<Position, PositionError> {
        let [board, side, number] =
            split_position_fields(text, ["board", "side to move", "full-move number"])?;
        let disc = |letter: char| {
            Side::BOTH_SIDES
                .into_iter()
                .find(|&side| side_initial::<Self>(side).starts_with(letter))
        };
        let mut position = self.start_position();
        let discs = piece_placement::parse_piece_placement(
            board.text,
            "r, b, a digit or /",
            disc,
            &[FILES; RANKS],
        )
        .map_err(|error| error.to_position_error(ConnectFourError::Board))?;
        for piece_placement::PlacedPiece { row, column: file, piece: side } in discs {
            position.discs[side.index()] |= square(file, RANKS - 1 - row);
        }
        position.side = side.read(parse_side_initial::<Self>)?;
        position.full_move = number.read(parse_full_move_number)?;
        let taken = position.discs[0] | position.discs[1];
        let is_floating = |at: usize| {
            !at.is_multiple_of(RANKS) && taken >> at & 1 != 0 && taken >> (at - 1) & 1 == 0
        };
        if (0..FILES * RANKS).any(is_floating) {
            return Err(ConnectFourError::FloatingDisc.into());
        }
        let [first, second] = position.discs.map(u64::count_ones);
        if first != second + u32::from(position.side == Side::Second) {
            return Err(ConnectFourError::DiscCount { first, second }.into());
        }
        Ok(position)
    }

    fn position_text(&self, position: &Position) -> String {
        let disc = |row, file| {
            let square = square(file, RANKS - 1 - row);
            let side = Side::BOTH_SIDES
                .into_iter()
                .find(|side| position.discs[side.index()] & square != 0)?;
            side_initial::<Self>(side).chars().next()
        };
        let board = piece_placement::format_piece_placement(&[FILES; RANKS], disc);
        format!("{board} {} {}", side_initial::<Self>(position.side), position.full_move)
    }

    fn parse_move(&self, text: &str) -> Result<usize, SyntaxError> {
        fn file(input: &str) -> ParseResult<'_, usize> {
            let letter = satisfy(|letter| ('a'..='g').contains(&letter.to_ascii_lowercase()));
            let (rest, letter) = label_expected_input("a file from a to g", letter).parse(input)?;
            Ok((rest, usize::from(letter.to_ascii_lowercase() as u8 - b'a')))
        }
        parse_whole_string(file, text)
    }

    fn resolve_move(&self, position: &Position, &file: &usize) -> Result<usize, RuleViolation> {
        let full = || ConnectFourError::FullFile(self.move_text(file)).into();
        landing(position, file).map(|_| file).ok_or_else(full)
    }

    fn move_text(&self, file: usize) -> String {
        char::from(b'a' + file as u8).to_string()
    }

    fn board_diagram(&self, position: &Position, _: Side) -> Diagram {
        let mut diagram = Diagram::default();
        for rank in (0..RANKS).rev() {
            let mut row = Vec::new();
            for file in 0..FILES {
                let site = Point::new(file as u8, rank as u8).into();
                let here = square(file, rank);
                let player = position.discs.iter().position(|discs| discs & here != 0);
                row.push(match player {
                    Some(player) => DiagramCell::of_piece(['R', 'B'][player], player, site),
                    None => DiagramCell::of_empty_site('.', site),
                });
                row.push(DiagramCell::SPACE_CELL);
            }
            diagram.rows.push(row);
        }
        let mut labels = Vec::new();
        for file in 0..FILES {
            labels.extend(
                DiagramCellKind::File(file as u8).cells_for_characters(&self.move_text(file)),
            );
            labels.push(DiagramCell::SPACE_CELL);
        }
        diagram.rows.push(labels);
        diagram
    }
}

impl Evaluate for ConnectFour {
    type PositionEvalData = ();

    const FEATURE_WEIGHTS: &'static [(&'static str, i32)] =
        &[("open rows with two", 100), ("open rows with three", 500)];
    const HISTORY_TABLE_SIZE: usize = FILES;

    fn visit_features(&self, position: &Position, (): &(), mut feature: impl FnMut([i32; 2])) {
        for count in [2, 3] {
            feature([0, 1].map(|side| {
                let open = self.rows.iter().filter(|&&row| position.discs[1 - side] & row == 0);
                open.filter(|&&row| (position.discs[side] & row).count_ones() == count).count()
                    as i32
            }));
        }
    }

    fn history_table_index(&self, file: usize) -> usize {
        file
    }
}

impl ProbeTables for ConnectFour {
    type Tables = ();
}

impl HasPlayers for ConnectFour {}
impl HistoryBans for ConnectFour {}
impl OpeningBook for ConnectFour {}
impl SearchDataFiles for ConnectFour {}
impl MatchOpenings for ConnectFour {}
impl Exercises for ConnectFour {}
impl NetInputs for ConnectFour {}
impl PublishedNotation for ConnectFour {}
impl GoBoardProjection for ConnectFour {}
impl WriteTables for ConnectFour {
    type TableError = Infallible;
}

pentarch_search::compile_search!(ConnectFour);

/// The board is the default grid. A move is a click on the lowest empty square of its file.
impl BoardLayout for ConnectFour {
    fn append_move_clicks(&self, position: &Position, file: usize, sites: &mut Vec<Site>) {
        let rank = (0..RANKS).find(|&rank| landing(position, file) == Some(square(file, rank)));
        sites.extend(rank.map(|rank| Site::from(Point::new(file as u8, rank as u8))));
    }

    fn move_string_from_clicks(&self, _: &Position, clicks: &[Site]) -> String {
        clicks.iter().map(|site| file_letter(site.point.file)).collect()
    }
}

fn main() -> ExitCode {
    pentarch::run(&[pentarch::game::<ConnectFour>()])
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use pentarch_core::GameHistory;
    use pentarch_core::rules::perft::perft;
    use pentarch_search::{Limits, Searcher};

    use super::*;

    fn history(text: &str) -> GameHistory<ConnectFour> {
        let rules = Arc::new(ConnectFour::default());
        let position = rules.parse_position(text).unwrap();
        assert_eq!(rules.position_text(&position), text);
        GameHistory::new(rules, position)
    }

    /// Compares the numbers of games with up to seven moves with the numbers in John Tromp's
    /// "Connect Four playground".
    #[test]
    fn perft_counts() {
        let counts = [7, 49, 343, 2401, 16_807, 117_649, 823_536];
        for (depth, nodes) in (1..).zip(counts) {
            let mut history = history("7/7/7/7/7/7 r 1");
            assert_eq!(perft(&mut history, depth, &|| false), Some(nodes));
        }
    }

    #[test]
    fn only_rows_of_four_win() {
        let outcome = |moves: &str| {
            let mut history = history("7/7/7/7/7/7 r 1");
            for text in moves.split(' ') {
                let mv = history.resolve_move(text).unwrap();
                history.push(mv);
            }
            history.status_protocol_words()
        };
        for won in
            ["a a b b c c d", "a b a b a b a", "a b b c c d c d d g d", "g f f e e d e d d a d"]
        {
            assert_eq!(outcome(won), "win red four in a row", "{won}");
            let (before, _) = won.rsplit_once(' ').unwrap();
            assert_eq!(outcome(before), "ongoing", "{before}");
        }
        // The top of a file and the bottom of the next file are not in a row.
        assert_eq!(history("r6/r6/r6/b6/b6/br5 b 4").status_protocol_words(), "ongoing");
        let full =
            "a a a a a a b b b b b b c c c c c c e d d d d d d e e e e e f f f f f f g g g g g g";
        assert_eq!(outcome(full), "draw full board");
    }

    #[test]
    fn rejects_illegal_moves_and_positions_with_a_reason() {
        let full = history("b6/r6/b6/r6/b6/r6 r 4");
        assert_eq!(full.resolve_move("a").unwrap_err().to_string(), "file a is full");
        assert_eq!(
            full.resolve_move("h").unwrap_err().to_string(),
            "column 1: expected a file from a to g, found 'h'"
        );
        let error = |text| full.rules().parse_position(text).unwrap_err().to_string();
        assert_eq!(error("7/7/7/7/r6/7 b 1"), "a disc has no disc below it");
        assert_eq!(error("7/7/7/7/7/r6 r 1"), "1 and 0 discs do not fit the side to move");
    }

    #[test]
    fn the_search_finds_wins_and_blocks() {
        let best = |text| {
            let history = history(text);
            let limits = Limits { depth: Some(6), ..Limits::default() };
            let answer = Searcher::new(history.rules().clone()).search(&history, &limits).unwrap();
            history.rules().move_text(answer.best)
        };
        assert_eq!(best("7/7/7/b6/b6/brrr3 r 4"), "e");
        assert_eq!(best("7/7/7/7/b6/brrr3 b 3"), "e");
    }
}
