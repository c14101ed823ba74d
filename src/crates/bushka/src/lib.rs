//! Bushka: soldiers in phalanxes and flying kings, which capture by approach.
//!
//! | module | contents |
//! |---|---|
//! | `board` | the dark squares, directions, and rays |
//! | `position` | the state, and playing a move |
//! | `moves` | the moves, the generation of quiet moves, and the precedence of captures |
//! | `captures` | captures by phalanxes and by pieces |
//! | `notation` | position strings, move strings, the text diagram |
//! | `oblique` | the notation of the published games |
//! | `legality` | the reason why a move is illegal |
//! | `rule_violations` | the errors of moves and positions, with the rules that they break |
//! | `lesson` | a guided first game |
//! | `layout` | the board as front ends draw it, and moves as clicks |
//! | `position_counts` | the numbers by which players assess a position |
//! | `go_board_projection` | the game on the board of a Go front end |
//! | `eval` | the evaluation |
//! | `net_input_sums` | the sums of the net's weights for a soldier with its pairs |
//! | `numbering` | the numbers of positions with few pieces |
//! | `tables` | the tablebases of these positions |

mod board;
mod captures;
mod eval;
mod go_board_projection;
mod layout;
mod legality;
mod lesson;
mod moves;
mod net_input_sums;
mod notation;
pub mod numbering;
mod oblique;
mod position;
mod position_counts;
mod rule_violations;
pub mod tables;

use pentarch_core::notation::points::BoardReflection;
use pentarch_core::rules::key;
use pentarch_core::{
    ComboOption, Exercises, Handicap, HasPlayers, HistoryBans, LoadableFile, MatchOpenings,
    OpeningBook, OptionSpec, Options, Outcome, Rules, SearchDataFiles, Side, Symmetry,
};

use board::Board;
use moves::Move;
use position::Position;

/// The option for the board: 10x10 as published, or the older 11x9.
const BOARD_OPTION: ComboOption<[u8; 2]> = OptionSpec::define_combo(
    "Bushka_Board",
    "Board: 10x10, as published; 11x9, the older one, with two more soldiers for each side",
    &["10x10", "11x9"],
    &[[10, 10], [11, 9]],
    0,
);

/// The rules of Bushka on one of the two boards.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bushka {
    board: Board,
}

impl Default for Bushka {
    fn default() -> Bushka {
        Bushka::from_options(&Options::default())
    }
}

pentarch_core::turn_from_fields!(Position);

impl Rules for Bushka {
    type Position = Position;
    type Move = Move;

    const GAME_ID: &'static str = "bushka";
    const GAME_NAME: &'static str = "Bushka";
    const GAME_SUMMARY: &'static str =
        "advance in phalanxes, capture by approach, and make the last move";
    const FIRST_SIDE_SCORE_PERCENT: Option<u8> = Some(51);
    const SIDE_NAMES: [&'static str; 2] = ["white", "black"];
    const RULE_OPTIONS: &'static [OptionSpec] = &[BOARD_OPTION.spec];

    fn from_options(options: &Options) -> Bushka {
        let [files, ranks] = options.combo_value(&BOARD_OPTION);
        Bushka { board: Board::new(files, ranks) }
    }

    /// Returns the position with soldiers on all dark squares of the three ranks nearest to their
    /// side.
    fn start_position(&self) -> Position {
        Position {
            soldiers: self.board.home_squares,
            kings: [0; 2],
            side: Side::First,
            full_move: 1,
        }
    }

    /// Returns the outcome. A side without pieces has lost. If the side to move has no legal move,
    /// this side has also lost.
    fn outcome(&self, position: &Position) -> Option<Outcome> {
        if position.enemy_pieces() == 0 {
            Some(Outcome::Win(position.side, "captured"))
        } else if position.pieces(position.side) == 0 {
            Some(Outcome::Win(!position.side, "captured"))
        } else if !position.can_move(&self.board) {
            Some(Outcome::Win(!position.side, "no move"))
        } else {
            None
        }
    }

    fn legal_moves(&self, position: &Position, moves: &mut Vec<Move>) {
        moves::generate_moves(&self.board, position, moves);
    }

    fn play(&self, position: &Position, mv: Move) -> Position {
        position.play(&self.board, mv)
    }

    fn search_key(&self, position: &Position) -> u64 {
        key::hash_words(&position.words_to_hash())
    }

    fn repetition_outcome(&self, _: &Position) -> Option<Outcome> {
        Some(Outcome::Draw("repetition"))
    }

    /// Returns `true` except for quiet moves of kings. Captured pieces never return. Quiet moves of
    /// soldiers lead forward; only captures can lead soldiers back.
    fn is_irreversible_move(&self, position: &Position, mv: Move) -> bool {
        position.own_soldiers() & mv.from().bit() != 0
            || captures::captured_pieces(position, mv) != 0
    }

    /// Returns the half turn, which swaps the sides. On 11x9 there are also the two mirrors. On
    /// 10x10 a mirror would swap dark and light squares.
    fn symmetries(&self) -> Vec<Symmetry<Bushka>> {
        let half_turn = board_symmetry::<true, true>("half turn");
        if self.board.files.is_multiple_of(2) {
            return vec![half_turn];
        }
        vec![
            half_turn,
            board_symmetry::<true, false>("file mirror"),
            board_symmetry::<false, true>("rank mirror"),
        ]
    }
}

/// Returns the symmetry that reverses the files, the ranks or both. If the symmetry reverses the
/// ranks, it swaps the sides.
fn board_symmetry<const FILES: bool, const RANKS: bool>(name: &'static str) -> Symmetry<Bushka> {
    Symmetry {
        name,
        swaps_sides: RANKS,
        position: |rules, position| {
            position.apply_symmetry(RANKS, |square| {
                rules.board.mirror_square(square, BoardReflection { files: FILES, ranks: RANKS })
            })
        },
        mv: |rules, mv| {
            mv.apply_symmetry(|square| {
                rules.board.mirror_square(square, BoardReflection { files: FILES, ranks: RANKS })
            })
        },
    }
}

impl HasPlayers for Bushka {}
impl HistoryBans for Bushka {}

pentarch_search::compile_search!(Bushka);

impl OpeningBook for Bushka {}

impl SearchDataFiles for Bushka {
    fn search_data_files(&self) -> Vec<&'static dyn LoadableFile> {
        vec![self.net()]
    }
}

impl MatchOpenings for Bushka {
    fn match_openings(&self) -> Option<&'static str> {
        Some(match self.board.files {
            10 => include_str!("../openings/10x10.txt"),
            _ => include_str!("../openings/11x9.txt"),
        })
    }

    fn handicaps(&self) -> Vec<Handicap> {
        let handicap = |count| Handicap::without_pieces(self, ['w', 'b'], count, "soldiers");
        (1..=3).map(handicap).collect()
    }
}

impl Exercises for Bushka {
    const PROBLEM_RECORDS: &'static str = include_str!("../problems.txt");
    const DRILL_POSITIONS: &'static str = include_str!("../drills.txt");
}
