//! The notation of Quoridor for four: position texts and move texts, and the text diagram.

use nom::Parser;
use nom::character::complete::{char, one_of};
use nom::multi::separated_list1;

use pentarch_core::notation::text::expect;
use pentarch_core::view::diagram::Diagram;
use pentarch_core::view::lesson::LessonStep;
use pentarch_core::{Notation, Outcome, PositionError, Rules, Side, SyntaxError, Violation};

use super::super::diagram;
use super::super::errors::InvalidPosition;
use super::super::legality::Terms;
use super::super::lesson::LESSON;
use super::super::move_text::{self, ParsedMove};
use super::super::moves::Move;
use super::super::notation::{position_text, read_position, walls_left};
use super::position::{Position, Seat};
use super::{NAMES, QuoridorForFour, moves};

impl Notation for QuoridorForFour {
    type ParsedMove = ParsedMove;

    const RULES_TEXT: &'static str = include_str!("../../rules-four.md");
    const GAME_OVER: &'static [&'static str] = &["3.5"];
    const LESSON: &'static [LessonStep] = LESSON;

    fn aim(&self) -> &'static str {
        match self.teams {
            true => "reach the opposite edge with your pawn, or your partner with his",
            false => "be the first to reach the opposite edge with your pawn",
        }
    }

    fn short_rules(&self) -> Option<[&'static str; 2]> {
        Some([
            "The four take turns clockwise. You either step with your pawn to a square beside it, or place one of your \
             walls between the squares, where it stays. If another pawn is beside yours, you may jump over it. No pawn \
             crosses a wall, walls do not cross or cover each other, and each pawn must always have a path to its aim.",
            match self.teams {
                true => {
                    "The first pawn on the edge opposite to its start wins for its team, players 1 and 3 or 2 and 4."
                }
                false => {
                    "The first pawn on the edge opposite to its start wins for its player, and all others lose."
                }
            },
        ])
    }

    fn parse_position(&self, text: &str) -> Result<Position, PositionError> {
        let first_side = self.start().mover.first_side;
        let seat =
            one_of("1234").map(|digit: char| Seat { player: digit as u8 - b'1', first_side });
        let mover = expect("the number of a player from 1 to 4", seat);
        let lefts = separated_list1(expect("/", char('/')), walls_left);
        let four = lefts.map_opt(|lefts: Vec<u8>| <[u8; 4]>::try_from(lefts).ok());
        let four = expect("the walls left of four players", four);
        let position = read_position(&self.terms(), text, "player to move", mover, four)?;
        let open = position.open(&self.board);
        if self.arrived(&position).is_none()
            && !self.can_move(&position, open, position.player())
            && let Some(player) = (0..4).find(|&player| self.can_move(&position, open, player))
        {
            let error: InvalidPosition<4> = InvalidPosition::PassedOver {
                player: NAMES[position.player()],
                other: NAMES[player],
            };
            return Err(error.into());
        }
        Ok(position)
    }

    fn position_text(&self, position: &Position) -> String {
        position_text(position, &(position.mover.player + 1).to_string())
    }

    fn parse_move(&self, text: &str) -> Result<ParsedMove, SyntaxError> {
        move_text::parse_move(text)
    }

    fn find_move(&self, position: &Position, text: &ParsedMove) -> Result<Move, Violation> {
        let open = position.open(&self.board);
        let targets = moves::targets(&position.pawns, position.player(), open);
        Ok(self.terms().find_move(position, text, targets, self.allowed(position, open))?)
    }

    fn move_text(&self, mv: Move) -> String {
        mv.to_string()
    }

    fn explain_outcome(&self, position: &Position, _: Outcome) -> String {
        match self.arrived(position) {
            Some(player) => {
                format!("{}'s pawn has reached {}", NAMES[player], self.terms().goal(player))
            }
            None => "nobody has a legal move".into(),
        }
    }

    fn move_kind(&self, _: &Position, mv: Move) -> &'static str {
        mv.kind()
    }

    /// Below the board are the walls that each player has left.
    fn diagram(&self, position: &Position, viewer: Side) -> Diagram {
        let signs = ['1', '2', '3', '4'];
        let mut diagram = diagram::board(&self.board, position, viewer, signs, |_| None);
        let left =
            NAMES.iter().zip(position.walls_left).map(|(name, left)| format!("{name} {left}"));
        diagram.push_note(&format!("walls left: {}", left.collect::<Vec<_>>().join(", ")));
        diagram.push_note("1, 2, 3, 4: the pawns");
        diagram
    }
}

impl QuoridorForFour {
    /// What texts tell of these rules.
    fn terms(&self) -> Terms<'_, 4> {
        Terms {
            board: &self.board,
            goals: self.goals,
            walls: [self.walls; 4],
            names: &NAMES,
            teams: self.teams,
        }
    }
}
