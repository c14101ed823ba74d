//! Texts of Guerre des Deux Roses: positions and moves.

use nom::Parser;
use nom::branch::alt;
use nom::character::complete::{char, one_of, satisfy};
use nom::combinator::{map, opt, value};
use nom::multi::{count, many1};
use nom::sequence::{pair, preceded, separated_pair};

use crate::core::points::point_any_case;
use crate::core::text::{Parsed, expect, fields, finish, full_move};
use crate::core::{Game, Illegal, Notation, Point, PositionError, Side, SyntaxError};

use super::Roses;
use super::board::{Cell, Cells, HOMES, ROWS, row};
use super::diagram;
use super::moves::Move;
use super::position::{Position, SOLDIERS};
use super::reasons;

/// A move as written: one, two or four cells, which need not be on the board.
///
/// A text names at most one legal move, although two rules can give the same text:
///
/// - One cell is a drop: this is the drop phase, or the text is illegal.
/// - Two cells, from and to, on one line: the direction is the line's. A line move of n soldiers goes from the rearmost
///   to the cell n steps on, and so do an attack by support (n is 1) and one by phalanx (n is 2). The number of soldiers
///   is thus that of the steps, and what is on the last cell tells the rules apart: empty, the line move (for n of 1 the
///   single step); an enemy piece, the attack. Two steps ending on an enemy are never an attack by support of the
///   soldier in front: its text begins with its own cell and has one step.
/// - Four cells are a translation. Two soldiers that go along their own line make a line move, which has two cells.
///   The two from-cells, each with the cell that it goes to, can be written in either order; the canonical one is
///   ascending.
///
/// The other way round each move has one text: the soldiers of a line move are the ones from the rearmost to the empty
/// cell, and both soldiers of a phalanx are given by its rear and its direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MoveText {
    /// `d3`
    Drop(Point),
    /// `f6d4`: from and to.
    Forward(Point, Point),
    /// `d4e5c4d5`: the two cells left, then the two reached.
    Translation([Point; 2], [Point; 2]),
}

impl Notation for Roses {
    type MoveText = MoveText;

    fn parse_position(&self, text: &str) -> Result<Position, PositionError> {
        let [board, side, hands, number] = fields(text, ["board", "side to move", "reserves", "full-move number"])?;
        let at = |column| move |error: SyntaxError| error.shifted(column);
        let rows = finish(rows, board.1).map_err(at(board.0))?;
        let side = finish(side_letter, side.1).map_err(at(side.0))?;
        let (white, black) = finish(reserves, hands.1).map_err(at(hands.0))?;
        let full_move = finish(full_move, number.1).map_err(at(number.0))?;
        let (soldiers, castles) = pieces(&rows)?;
        let position = Position { soldiers, castles, reserves: [white, black], side, full_move };
        check(&position)?;
        Ok(position)
    }

    fn position_text(&self, position: &Position) -> String {
        let rows: Vec<String> = (0..ROWS).map(|number| row_text(position, number)).collect();
        let side = if position.side == Side::First { 'w' } else { 'b' };
        let [white, black] = position.reserves;
        format!("{} {side} {white}/{black} {}", rows.join("/"), position.full_move)
    }

    fn parse_move(&self, text: &str) -> Result<MoveText, SyntaxError> {
        let cell = || expect("a cell", point_any_case);
        let mut move_text = map((cell(), opt(pair(cell(), opt(pair(cell(), cell()))))), |(first, rest)| match rest {
            None => MoveText::Drop(first),
            Some((second, None)) => MoveText::Forward(first, second),
            Some((second, Some((third, fourth)))) => MoveText::Translation([first, second], [third, fourth]),
        });
        finish(|input| move_text.parse(input), text)
    }

    fn find_move(&self, position: &Position, text: &MoveText) -> Result<Move, Illegal> {
        match *text {
            MoveText::Drop(place) => reasons::find_drop(&self.board, position, place),
            MoveText::Forward(from, to) => reasons::find_forward(&self.board, position, from, to),
            MoveText::Translation(from, to) => reasons::find_translation(&self.board, position, from, to),
        }
        .map_err(Illegal)
    }

    fn move_text(&self, mv: Move) -> String {
        match mv {
            Move::Drop(cell) => cell.point().to_string(),
            Move::Forward { from, to, .. } => format!("{}{}", from.point(), to.point()),
            Move::Translation { from, to } => {
                [from[0], from[1], to[0], to[1]].map(|cell| cell.point().to_string()).concat()
            }
        }
    }

    fn diagram(&self, position: &Position) -> String {
        diagram::draw(position)
    }
}

/// The letter of the piece on a cell; none if it is empty.
pub fn symbol(position: &Position, cell: Cell) -> Option<char> {
    let sets =
        [position.soldiers[0], position.soldiers[1], position.castle(Side::First), position.castle(Side::Second)];
    sets.into_iter().zip(['S', 's', 'C', 'c']).find_map(|(set, letter)| (set & cell.bit() != 0).then_some(letter))
}

/// A row of the board: the letters of pieces, and the number of empty cells between them.
fn row_text(position: &Position, number: u8) -> String {
    let symbols: Vec<Option<char>> = row(number).map(|cell| symbol(position, cell)).collect();
    let item = |run: &[Option<char>]| run[0].map_or_else(|| run.len().to_string(), String::from);
    symbols.chunk_by(|left, right| left.is_none() && right.is_none()).map(item).collect()
}

fn rows(input: &str) -> Parsed<'_, Vec<Vec<char>>> {
    let item = || expect("C, c, S, s or a digit from 1 to 5", one_of("CcSs12345"));
    let next = expect("C, c, S, s, a digit from 1 to 5 or /", char('/'));
    let (rest, first) = many1(item()).parse(input)?;
    let (rest, others) = count(preceded(next, many1(item())), usize::from(ROWS) - 1).parse(rest)?;
    Ok((rest, std::iter::once(first).chain(others).collect()))
}

fn side_letter(input: &str) -> Parsed<'_, Side> {
    expect("w or b", alt((value(Side::First, char('w')), value(Side::Second, char('b'))))).parse(input)
}

fn reserves(input: &str) -> Parsed<'_, (u8, u8)> {
    let reserve = || {
        let digit = satisfy(|letter| ('0'..='4').contains(&letter));
        expect("a number of soldiers from 0 to 4", map(digit, |digit| digit as u8 - b'0'))
    };
    separated_pair(reserve(), expect("/", char('/')), reserve()).parse(input)
}

fn invalid(reason: String) -> PositionError {
    PositionError::Invalid(reason)
}

/// The soldiers of both sides and the castles on a board of these rows.
fn pieces(rows: &[Vec<char>]) -> Result<([Cells; 2], Cells), PositionError> {
    let (mut soldiers, mut castles) = ([0; 2], 0);
    for (number, items) in (0..).zip(rows) {
        let shown = number + 1;
        if items.windows(2).any(|pair| pair.iter().all(char::is_ascii_digit)) {
            return Err(invalid(format!("row {shown} has two digits side by side: a run of empty cells is one digit")));
        }
        let empty = |item: char| item.to_digit(10).map(|cells| cells as usize);
        let width = row(number).count();
        let found: usize = items.iter().map(|&item| empty(item).unwrap_or(1)).sum();
        if found != width {
            return Err(invalid(format!("row {shown} has {width} cells, not {found}")));
        }
        let spread = items.iter().flat_map(|&item| std::iter::repeat_n(item, empty(item).unwrap_or(1)));
        for (cell, item) in row(number).zip(spread) {
            match item {
                'S' => soldiers[0] |= cell.bit(),
                's' => soldiers[1] |= cell.bit(),
                'C' => castles |= castle(Side::First, cell)?,
                'c' => castles |= castle(Side::Second, cell)?,
                _ => {}
            }
        }
    }
    Ok((soldiers, castles))
}

/// The castle of this side as a set, if this cell is its home.
fn castle(side: Side, cell: Cell) -> Result<Cells, PositionError> {
    let home = HOMES[side.index()];
    let wrong = || invalid(format!("the {} castle stands on {}, not on {}", name(side), home.point(), cell.point()));
    (cell == home).then_some(cell.bit()).ok_or_else(wrong)
}

fn check(position: &Position) -> Result<(), PositionError> {
    let [white, black] = position.reserves;
    let on_board = |side| position.soldiers(side).count_ones() as u8;
    if position.castles == 0 {
        return Err(invalid("both castles are gone".into()));
    }
    for side in Side::BOTH {
        let all = on_board(side) + position.reserves[side.index()];
        if all > SOLDIERS {
            return Err(invalid(format!("{} has {all} soldiers, reserve included: more than {SOLDIERS}", name(side))));
        }
    }
    match position.side {
        Side::First if white != black => {
            return Err(invalid(format!("with white to move the reserves are equal, not {white}/{black}")));
        }
        Side::Second if black != white + 1 && (white, black) != (0, 0) => {
            let rule = "with black to move black's reserve is one larger than white's, or both are 0";
            return Err(invalid(format!("{rule}, not {white}/{black}")));
        }
        _ => {}
    }
    for side in Side::BOTH {
        let (board, reserve) = (on_board(side), position.reserves[side.index()]);
        if reserve > 0 && board + reserve < SOLDIERS {
            let rule = format!("while any are in reserve they are {SOLDIERS} together");
            return Err(invalid(format!(
                "{} has {reserve} soldiers in reserve and {board} on the board: {rule}",
                name(side)
            )));
        }
    }
    let Some(loser) = Side::BOTH.into_iter().find(|&side| position.castle(side) == 0) else { return Ok(()) };
    if position.reserves != [0, 0] {
        return Err(invalid(format!("the {} castle is gone, but soldiers are still in reserve", name(loser))));
    }
    if position.side != loser {
        let [loser, winner] = [loser, !loser].map(name);
        return Err(invalid(format!(
            "the {loser} castle is gone, so {winner} has just moved, but it is {winner}'s turn"
        )));
    }
    Ok(())
}

/// What the rules call a side.
pub fn name(side: Side) -> &'static str {
    Roses::SIDES[side.index()]
}
