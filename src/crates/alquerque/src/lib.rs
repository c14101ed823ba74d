//! Alquerque de doze: each side has twelve checkers on a board of twenty-five points. Almost every
//! rule has alternatives.
//!
//! The source of the rules is a list of numbered requirements, REQ.0 to REQ.27. Comments and error
//! messages refer to rules by these numbers. For example, REQ.5 is a requirement, and REQ.10.ALT.2
//! is the second alternative of REQ.10. The options in [`rules`] choose among the alternatives.
//! `rules.md` in this folder states the rules with their numbers, and
//! `tests/requirements/alquerque.md` has a row for each number.
//!
//! | module | contents |
//! |---|---|
//! | `board` | points, lines and directions |
//! | `rules` | the alternatives of the rules, and the options that choose them |
//! | `position` | the state, and playing a move |
//! | `moves` | the moves and their generation |
//! | `move_string` | parsing of move strings, without a position |
//! | `notation` | position strings, move strings, the board as a text diagram |
//! | `legality` | from a parsed move to the legal move, or to the rule that forbids it |
//! | `rule_violations` | the errors of move strings and position strings, with the rules that they break |
//! | `lesson` | a guided first game |
//! | `layout` | the board as front ends draw it, and moves as clicks |
//! | `position_counts` | the numbers by which players assess a position |
//! | `go_board_projection` | the game on the board of a Go front end |
//! | `eval` | the evaluation |
//! | `numbering` | the positions as numbers, for tablebases |
//! | `tables` | tablebases of positions without history: in memory and in files, and probing |
//! | `one_sided_ban_tables` | tablebases of positions in which a step may be forbidden to one side |
//! | `history_bans` | the steps that the past of a position bans, for proofs |
//! | `proved_values` | the values of the start and after first moves that were proved in advance |
//! | `opening_book` | the opening books by which Light wins from the start |

pub mod board;
mod eval;
mod go_board_projection;
mod history_bans;
mod layout;
mod legality;
mod lesson;
mod move_string;
pub mod moves;
mod notation;
pub mod numbering;
mod one_sided_ban_tables;
mod opening_book;
pub mod position;
mod position_counts;
mod proved_values;
mod rule_violations;
pub mod rules;
pub mod tables;

pub use rules::Alquerque;

use pentarch_core::symmetry;
use pentarch_core::{
    HasPlayers, NetInputs, OptionSpec, Options, Outcome, PublishedNotation, Rules, Side, Symmetry,
};

use board::points_of_rank;
use moves::Move;
use position::Position;
use rules::MovementRule;

pentarch_core::turn_from_fields!(Position);

impl Rules for Alquerque {
    type Position = Position;
    type Move = Move;

    const GAME_ID: &'static str = "alquerque";
    const GAME_NAME: &'static str = "Alquerque de doze";
    const GAME_SUMMARY: &'static str =
        "jump over all twelve enemy checkers along the lines of the board";
    const FIRST_SIDE_SCORE_PERCENT: Option<u8> = Some(62);
    const SIDE_NAMES: [&'static str; 2] = ["light", "dark"];
    const RULE_OPTIONS: &'static [OptionSpec] = &[
        rules::RULESET_OPTION.spec,
        rules::MULTI_CAPTURE_OPTION.spec,
        rules::CAPTURE_REMOVAL_OPTION.spec,
        rules::MOVEMENT_OPTION.spec,
        rules::BASE_ROW_OPTION.spec,
        rules::RETREAT_BAN_OPTION.spec,
        rules::MISSED_CAPTURE_OPTION.spec,
        rules::GAME_END_OPTION.spec,
    ];
    const RULESET_OPTION: Option<&'static OptionSpec> = Some(&rules::RULESET_OPTION.spec);

    fn from_options(options: &Options) -> Alquerque {
        Alquerque::new(options)
    }

    /// Returns the position of REQ.3, REQ.4 and REQ.6. Light has the points of ranks 1 and 2, and
    /// also d3 and e3. Dark has the points that a half turn maps to the points of Light. Light is
    /// to move.
    fn start_position(&self) -> Position {
        let files_d_and_e = 0b11111_11111 << 15;
        let light = points_of_rank(0) | points_of_rank(1) | points_of_rank(2) & files_d_and_e;
        let checkers = [light, board::map_point_set(light, board::half_turn_point)];
        Position { checkers, banned: [0; 8], spent: 0, huff: 0, full_move: 1, side: Side::First }
    }

    /// Returns the outcome by REQ.27. A side without checkers has lost. If the side to move has no
    /// legal move, this side has lost or the game is drawn, depending on the rules.
    fn outcome(&self, position: &Position) -> Option<Outcome> {
        if let Some(side) =
            Side::BOTH_SIDES.into_iter().find(|side| position.checkers[side.index()] == 0)
        {
            Some(Outcome::Win(!side, "captured"))
        } else if position
            .huff_choices()
            .any(|choice| choice.after.enemy_checkers() == 0 || self.can_move(&choice.after))
        {
            None
        } else if self.blocked_loses {
            Some(Outcome::Win(!position.side, "blocked"))
        } else {
            Some(Outcome::Draw("no move"))
        }
    }

    fn legal_moves(&self, position: &Position, moves: &mut Vec<Move>) {
        if position.checkers.iter().all(|&checkers| checkers != 0) {
            self.generate_moves(position, moves);
        }
    }

    fn play(&self, position: &Position, mv: Move) -> Position {
        position.play(self, mv)
    }

    /// Returns a key of everything that REQ.27.ALT.3 compares: the board, the side to move, and all
    /// restrictions of later moves.
    fn repetition_key(&self, position: &Position) -> u64 {
        position.key_with_bans(position.banned)
    }

    /// Returns a key of the board, the side to move and the restrictions of later moves. The key
    /// ignores a ban by REQ.25 of a step that is illegal anyway.
    fn search_key(&self, position: &Position) -> u64 {
        position.key_with_bans(position.effective_step_bans(self))
    }

    fn repetition_outcome(&self, _: &Position) -> Option<Outcome> {
        self.repetition_draws.then_some(Outcome::Draw("repetition"))
    }

    /// Returns whether the move is irreversible: a huff, a capture, or a forward step in Bell's
    /// movement. Checkers that leave the board do not return (REQ.13). In Bell's movement, a
    /// checker can go back only by a capture.
    fn is_irreversible_move(&self, _: &Position, mv: Move) -> bool {
        let is_forward = mv.step_direction().is_some_and(|direction| direction.rank_step() != 0);
        mv.huffed.is_some() || !mv.is_step() || is_forward && self.movement != MovementRule::Free
    }

    /// Returns the symmetries of the rules. Free movement has all symmetries of the board, each
    /// with and without a swap of the sides. Bell's movement has only the symmetries that preserve
    /// each side's forward direction. Quarter turns are left out because they are not their own
    /// inverses.
    fn symmetries(&self) -> Vec<Symmetry<Alquerque>> {
        let mut symmetries = vec![
            symmetry!("file mirror", false, board::mirror_files),
            symmetry!("rank mirror, sides swapped", true, board::mirror_ranks),
            symmetry!("half turn, sides swapped", true, board::half_turn_point),
        ];
        if self.movement == MovementRule::Free {
            symmetries.extend([
                symmetry!("rank mirror", false, board::mirror_ranks),
                symmetry!("half turn", false, board::half_turn_point),
                symmetry!("mirror on a1-e5", false, board::mirror_diagonal),
                symmetry!("mirror on a5-e1", false, board::mirror_antidiagonal),
                symmetry!("sides swapped", true, |point| point),
                symmetry!("file mirror, sides swapped", true, board::mirror_files),
                symmetry!("mirror on a1-e5, sides swapped", true, board::mirror_diagonal),
                symmetry!("mirror on a5-e1, sides swapped", true, board::mirror_antidiagonal),
            ]);
        }
        symmetries
    }
}

impl HasPlayers for Alquerque {
    /// Returns whether REQ.27.ALT.1 or REQ.27.ALT.2 applies. Both allow a draw by mutual agreement.
    /// REQ.27.ALT.3 does not mention agreement.
    fn allows_draw_agreement(&self) -> bool {
        self.agreed_draws
    }
}

impl NetInputs for Alquerque {}
impl PublishedNotation for Alquerque {}

pentarch_search::compile_search!(Alquerque);
