//! Alquerque de doze: twelve checkers a side on twenty-five points. Almost every rule has alternatives.
//!
//! The source of the rules is a list of numbered requirements, REQ.0 to REQ.27, and comments and the reasons of illegal
//! moves name a rule by its number there: REQ.5 is a requirement, REQ.10.ALT.2 the second alternative that the source
//! has for REQ.10. The options in [`rules`] choose among the alternatives. `rules.md` in this folder has the rules in
//! words with their numbers, and `tests/requirements/alquerque.md` a row for each number.
//!
//! | module | what it holds |
//! |---|---|
//! | `board` | points, lines and directions |
//! | `rules` | the alternatives of the rules, and the options that choose them |
//! | `position` | the state, and playing a move |
//! | `moves` | the moves and their generation |
//! | `move_text` | the texts of moves, read but not checked against a position |
//! | `notation` | position texts, move texts, the board as a text diagram |
//! | `legality` | from a move text to the legal move, or to the rule that forbids it |
//! | `errors` | the errors of move texts and position texts, with the rules that are broken |
//! | `lesson` | a guided first game |
//! | `layout` | the board as front ends draw it, and moves as clicks |
//! | `projection` | the game on the board of a Go front end |
//! | `eval` | the evaluation |
//! | `numbering` | the positions as numbers, for tablebases |
//! | `tables` | tablebases of positions without history: in memory and in files, and probing |
//! | `retreat_tables` | tablebases of positions in which one side may be forbidden a step |
//! | `past` | the bans that the past of a position leaves, for proofs |
//! | `opening_book` | the opening books by which Light wins from the start |

pub mod board;
mod errors;
mod eval;
mod layout;
mod legality;
mod lesson;
mod move_text;
pub mod moves;
mod notation;
pub mod numbering;
pub mod opening_book;
mod past;
pub mod position;
mod projection;
pub mod retreat_tables;
pub mod rules;
pub mod tables;

pub use rules::Alquerque;

use pentarch_core::symmetry;
use pentarch_core::{
    NetInputs, OptionSpec, Options, Outcome, Players, PublishedNotation, Rules, Side, Symmetry,
};

use board::rank;
use moves::Move;
use position::Position;
use rules::Movement;

pentarch_core::turn_from_fields!(Position);

impl Rules for Alquerque {
    type Position = Position;
    type Move = Move;

    const ID: &'static str = "alquerque";
    const NAME: &'static str = "Alquerque de doze";
    const SUMMARY: &'static str =
        "jump over all twelve enemy checkers along the lines of the board";
    const SIDES: [&'static str; 2] = ["light", "dark"];
    const OPTIONS: &'static [OptionSpec] = &[
        rules::RULESET.spec,
        rules::MULTI_CAPTURE.spec,
        rules::REMOVAL.spec,
        rules::MOVEMENT.spec,
        rules::BASE_ROW.spec,
        rules::RETREAT.spec,
        rules::MISSED_CAPTURE.spec,
        rules::WIN.spec,
    ];
    const RULESET_OPTION: Option<&'static OptionSpec> = Some(&rules::RULESET.spec);

    fn from_options(options: &Options) -> Alquerque {
        Alquerque::new(options)
    }

    /// By REQ.3, REQ.4 and REQ.6 Light stands on ranks 1 and 2, d3 and e3, Dark stands opposite, and Light is to move.
    fn start(&self) -> Position {
        let files_d_and_e = 0b11111_11111 << 15;
        let light = rank(0) | rank(1) | rank(2) & files_d_and_e;
        let men = [light, board::map_set(light, board::half_turn)];
        Position { men, banned: [0; 8], spent: 0, huff: 0, full_move: 1, side: Side::First }
    }

    /// By REQ.27 a side without checkers has lost. If the side to move has no legal move, it has lost or the game is
    /// drawn, as the rules say.
    fn outcome(&self, position: &Position) -> Option<Outcome> {
        if let Some(side) = Side::BOTH.into_iter().find(|side| position.men[side.index()] == 0) {
            Some(Outcome::Win(!side, "captured"))
        } else if position
            .huff_choices()
            .any(|(_, after)| after.enemy() == 0 || self.can_move(&after))
        {
            None
        } else if self.blocked_loses {
            Some(Outcome::Win(!position.side, "blocked"))
        } else {
            Some(Outcome::Draw("no move"))
        }
    }

    fn legal_moves(&self, position: &Position, moves: &mut Vec<Move>) {
        if position.men.iter().all(|&men| men != 0) {
            self.generate(position, moves);
        }
    }

    fn play(&self, position: &Position, mv: Move) -> Position {
        position.play(self, mv)
    }

    /// REQ.27.ALT.3 compares the board, the side to move, and everything that restricts later moves.
    fn repetition_key(&self, position: &Position) -> u64 {
        position.key_with(position.banned)
    }

    /// The key covers what REQ.25 forbids only where such a step could be made otherwise.
    fn search_key(&self, position: &Position) -> u64 {
        position.key_with(position.effective_bans(self))
    }

    fn repetition_outcome(&self, _: &Position) -> Option<Outcome> {
        self.repetition_draws.then_some(Outcome::Draw("repetition"))
    }

    /// Huffs and captures are irreversible, because checkers that leave the board do not return (REQ.13). So are
    /// forward steps in Bell's movement, in which only a capture leads a checker back.
    fn is_irreversible(&self, _: &Position, mv: Move) -> bool {
        let is_forward = mv.step().is_some_and(|direction| direction.ranks() != 0);
        mv.huffed.is_some() || !mv.is_step() || is_forward && self.movement != Movement::Free
    }

    /// Free movement has all symmetries of the board, each with the sides swapped or not. Bell's movement has only
    /// those that keep each side's forward direction. The quarter turns are left out because they are not their own
    /// inverses.
    fn symmetries(&self) -> Vec<Symmetry<Alquerque>> {
        let mut symmetries = vec![
            symmetry!("file mirror", false, board::mirror_files),
            symmetry!("rank mirror, sides swapped", true, board::mirror_ranks),
            symmetry!("half turn, sides swapped", true, board::half_turn),
        ];
        if self.movement == Movement::Free {
            symmetries.extend([
                symmetry!("rank mirror", false, board::mirror_ranks),
                symmetry!("half turn", false, board::half_turn),
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

impl Players for Alquerque {
    /// REQ.27.ALT.1 and 2 end by mutual agreement, too; REQ.27.ALT.3 does not name it.
    fn allows_draw_agreement(&self) -> bool {
        self.agreed_draws
    }
}

impl NetInputs for Alquerque {}
impl PublishedNotation for Alquerque {}

pentarch_search::compile_search!(Alquerque);
