//! The notation of Quoridor for four: position strings and move strings, and the text diagram.

use nom::Parser;
use nom::character::complete::{char, one_of};
use nom::multi::separated_list1;

use pentarch_core::notation::parsing::label_expected_input;
use pentarch_core::view::diagram::Diagram;
use pentarch_core::view::lesson::LessonStep;
use pentarch_core::{Notation, Outcome, PositionError, RuleViolation, Rules, Side, SyntaxError};

use super::super::diagram;
use super::super::legality::LegalityChecker;
use super::super::lesson::LESSON_STEPS;
use super::super::moves::Move;
use super::super::notation::{format_position, parse_walls_left, read_position};
use super::super::rule_violations::InvalidPosition;
use super::super::unchecked_move::{self, UncheckedMove};
use super::position::{FourPlayerTurn, Position};
use super::{PLAYER_NAMES, QuoridorForFour, moves};

impl Notation for QuoridorForFour {
    type ParsedMove = UncheckedMove;

    const RULES_TEXT: &'static str = include_str!("../../rules-four.md");
    const NO_MOVE_AFTER_END_RULE_IDS: &'static [&'static str] = &["3.5"];
    const RULE_CASES: &'static str = include_str!("../../rule_cases-four.txt");
    const TURN_RULE_ID: Option<&'static str> = Some("1.2");
    const FEN_FORMAT_RULE_ID: Option<&'static str> = Some("4.2");
    const LESSON_STEPS: &'static [LessonStep] = LESSON_STEPS;

    fn game_aim(&self) -> &'static str {
        match self.has_teams {
            true => "reach the opposite edge with your pawn, or your partner with his",
            false => "be the first to reach the opposite edge with your pawn",
        }
    }

    fn short_rules(&self) -> Option<[&'static str; 2]> {
        Some([
            "The four take turns clockwise. You either step with your pawn to a square beside it, \
                or place one of your walls between the squares, where it stays. If another pawn is \
                beside yours, you may jump over it. No pawn crosses a wall, walls do not cross or \
                cover each other, and each pawn must always have a path to its goal.",
            match self.has_teams {
                true => {
                    "The first pawn on the edge opposite to its start wins for its team, players 1 \
                     and 3 or 2 and 4."
                }
                false => {
                    "The first pawn on the edge opposite to its start wins for its player, and all \
                     others lose."
                }
            },
        ])
    }

    fn parse_position(&self, text: &str) -> Result<Position, PositionError> {
        let first_side_players = self.start_position().mover.first_side_players;
        let mover = one_of("1234")
            .map(|digit: char| FourPlayerTurn { player: digit as u8 - b'1', first_side_players });
        let mover = label_expected_input("the number of a player from 1 to 4", mover);
        let numbers = separated_list1(label_expected_input("/", char('/')), parse_walls_left);
        let four = numbers.map_opt(|numbers: Vec<u8>| <[u8; 4]>::try_from(numbers).ok());
        let walls_left = label_expected_input("the walls left of four players", four);
        let position =
            read_position(&self.legality_checker(), text, "player to move", mover, walls_left)?;
        let open = position.open_passages(&self.board);
        if self.player_at_goal(&position).is_none()
            && !self.can_move(&position, open, position.player_index())
            && let Some(player) = (0..4).find(|&player| self.can_move(&position, open, player))
        {
            let error: InvalidPosition<4> = InvalidPosition::PlayerSkipped {
                player: PLAYER_NAMES[position.player_index()],
                other: PLAYER_NAMES[player],
            };
            return Err(error.into());
        }
        Ok(position)
    }

    fn position_text(&self, position: &Position) -> String {
        format_position(position, &(position.mover.player + 1).to_string())
    }

    fn parse_move(&self, text: &str) -> Result<UncheckedMove, SyntaxError> {
        unchecked_move::parse_move(text)
    }

    fn resolve_move(&self, position: &Position, mv: &UncheckedMove) -> Result<Move, RuleViolation> {
        let open = position.open_passages(&self.board);
        let targets = moves::pawn_targets(&position.pawns, position.player_index(), open);
        Ok(self.legality_checker().resolve_move(
            position,
            mv,
            targets,
            self.placeable_walls(position, open),
        )?)
    }

    fn move_text(&self, mv: Move) -> String {
        mv.to_string()
    }

    fn explain_outcome(&self, position: &Position, _: Outcome) -> String {
        match self.player_at_goal(position) {
            Some(player) => {
                format!(
                    "{}'s pawn has reached {}",
                    PLAYER_NAMES[player],
                    self.legality_checker().player_goal_line(player)
                )
            }
            None => "nobody has a legal move".into(),
        }
    }

    fn move_kind_plural(&self, _: &Position, mv: Move) -> &'static str {
        mv.kind_name()
    }

    fn rule_id_of_move(&self, position: &Position, mv: Move) -> Option<&'static str> {
        Some(match mv.pawn_distance(position.pawns[position.player_index()]) {
            None => "6.5",
            Some([1, 0] | [0, 1]) => "6.2",
            Some([1, 1]) => "6.4",
            Some(_) => "2.3",
        })
    }

    fn rule_id_of_outcome(&self, reason: &str) -> Option<&'static str> {
        match reason {
            "goal" if self.has_teams => Some("3.2"),
            "goal" => Some("3.1"),
            "no move" => Some("3.4"),
            "repetition" => Some("6.7"),
            _ => None,
        }
    }

    /// Draws the board. A note below the board lists the number of walls that each player has left.
    fn board_diagram(&self, position: &Position, viewer: Side) -> Diagram {
        let signs = ['1', '2', '3', '4'];
        let mut diagram = diagram::draw_board(&self.board, position, viewer, signs, |_| None);
        let left = PLAYER_NAMES
            .iter()
            .zip(position.walls_left)
            .map(|(name, left)| format!("{name} {left}"));
        diagram.push_note(&format!("walls left: {}", left.collect::<Vec<_>>().join(", ")));
        diagram.push_note("1, 2, 3, 4: the pawns");
        diagram
    }
}

impl QuoridorForFour {
    fn legality_checker(&self) -> LegalityChecker<'_, 4> {
        LegalityChecker {
            board: &self.board,
            goals: self.goals,
            walls: [self.walls; 4],
            names: &PLAYER_NAMES,
            has_teams: self.has_teams,
        }
    }
}
