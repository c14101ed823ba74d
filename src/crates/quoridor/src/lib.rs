//! Quoridor (Mirko Marchesi, 1997): two pawns race across the board, and the players place walls to
//! lengthen the path of the enemy pawn.
//!
//! | module | contents |
//! |---|---|
//! | `square_sets` | squares, posts and passages as bits, sets of these, and floods |
//! | `board` | the sets that make up a board of one size |
//! | `walls` | walls, and sets of walls |
//! | `shortest_paths` | shortest paths, and the walls that lengthen these paths |
//! | `blocking_walls` | the walls that would separate a pawn from its goal, all at once |
//! | `bidirectional_flood` | the number of steps that a wall adds to a path |
//! | `wall_placement` | the walls that may be placed |
//! | `pawn_retrograde` | retrograde analysis of the positions that pawn moves connect |
//! | `pawn_race` | the game without walls in hand, solved during a search |
//! | `numbering` | the positions as numbers, for tablebases |
//! | `class_solver` | retrograde analysis of all positions with one number of walls on the board |
//! | `ending_cache` | positions with few walls in hand, solved on request |
//! | `solved_starts` | the values of start positions that were solved in advance |
//! | `tables` | the tablebases in files, and probing |
//! | `position` | the state, playing a move, outcomes |
//! | `move_styles` | move notations of other programs |
//! | `moves` | the moves and their generation |
//! | `unchecked_move` | moves as written, before they are checked against a position |
//! | `notation` | position strings, and the notation for two players |
//! | `legality` | legal moves by their notation, and the reason why a move is illegal |
//! | `rule_violations` | the errors of moves and positions, with the broken rules |
//! | `lesson` | a guided first game |
//! | `diagram` | the board as a text diagram |
//! | `layout` | the board as front ends draw it, and moves as clicks |
//! | `position_counts` | the numbers by which players assess a position |
//! | `go_board_projection` | the game on the board of a Go front end |
//! | `eval` | the evaluation |
//! | `net_inputs` | the inputs of the evaluation's net |
//! | `four_players` | the game for four players |
//! | `test_positions` | random positions, and a slow search for the legal walls, for tests |

mod bidirectional_flood;
mod blocking_walls;
mod board;
mod class_solver;
mod diagram;
mod ending_cache;
mod eval;
pub mod four_players;
mod go_board_projection;
mod layout;
mod legality;
mod lesson;
mod move_styles;
pub mod moves;
mod net_inputs;
mod notation;
mod numbering;
mod pawn_race;
mod pawn_retrograde;
pub mod position;
mod position_counts;
mod rule_violations;
mod shortest_paths;
mod solved_starts;
mod square_sets;
pub mod tables;
#[cfg(test)]
mod test_positions;
mod unchecked_move;
mod wall_placement;
mod walls;

use pentarch_core::notation::points::BoardReflection;
use pentarch_core::rules::key;
use pentarch_core::rules::options::REPETITION_DRAW_OPTION;
use pentarch_core::{
    CheckOption, ComboOption, Exercises, Handicap, HandicapStart, HasPlayers, HistoryBans,
    LoadableFile, MatchOpenings, OpeningBook, OptionSpec, Options, Outcome, Rules, SearchDataFiles,
    SpinOption, Symmetry,
};

use board::Board;
use moves::Move;
use position::Position;
use square_sets::FILE_STRIDE;

/// The option for the number of files, which is also the number of ranks.
const BOARD_SIZE_OPTION: SpinOption = OptionSpec::define_spin(
    "Quoridor_BoardSize",
    "Number of files and of ranks",
    9,
    MIN_BOARD_SIZE as i64,
    FILE_STRIDE as i64,
);
/// The option for the number of walls of each player at the start.
const WALLS_OPTION: SpinOption = OptionSpec::define_spin(
    "Quoridor_Walls",
    "Number of walls that each player has at the start",
    10,
    0,
    MAX_WALLS_WITH_TWO_PLAYERS as i64,
)
.with_condition(&PLAYER_COUNT_OPTION.spec, "2");
/// The option for the second player's number of walls at the start, for a handicap. `None` means
/// the same number as for the first player.
const SECOND_WALLS_OPTION: ComboOption<Option<u8>> = OptionSpec::define_combo(
    "Quoridor_Walls2",
    "Number of walls that the second player has at the start, for a handicap: same, as the \
     first player",
    &[
        "same", "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14",
        "15", "16", "17", "18", "19", "20",
    ],
    &SECOND_WALLS_VALUES,
    0,
)
.with_condition(&PLAYER_COUNT_OPTION.spec, "2");
const SECOND_WALLS_VALUES: [Option<u8>; MAX_WALLS_WITH_TWO_PLAYERS as usize + 2] = {
    let mut values = [None; MAX_WALLS_WITH_TWO_PLAYERS as usize + 2];
    let mut walls = 0;
    while walls <= MAX_WALLS_WITH_TWO_PLAYERS {
        values[walls as usize + 1] = Some(walls);
        walls += 1;
    }
    values
};
/// The option for the number of players.
const PLAYER_COUNT_OPTION: ComboOption<usize> =
    OptionSpec::define_combo("Quoridor_Players", "Number of players", &["2", "4"], &[2, 4], 0);
/// Whether four players play as two teams.
const TEAMS_OPTION: CheckOption =
    OptionSpec::define_check("Quoridor_Teams", "Whether four players play as two teams", false)
        .with_condition(&PLAYER_COUNT_OPTION.spec, "4");
/// The option for each player's number of walls at the start, with four players.
const FOUR_PLAYER_WALLS_OPTION: SpinOption = OptionSpec::define_spin(
    "Quoridor_FourWalls",
    "Number of walls that each of four players has at the start",
    5,
    0,
    MAX_WALLS_WITH_FOUR_PLAYERS as i64,
)
.with_condition(&PLAYER_COUNT_OPTION.spec, "4");
/// The maximum number of walls per player, with four players.
const MAX_WALLS_WITH_FOUR_PLAYERS: u8 = 10;
/// The maximum number of walls per player, with two players.
const MAX_WALLS_WITH_TWO_PLAYERS: u8 = 20;
/// The minimum number of files and ranks.
const MIN_BOARD_SIZE: u8 = 3;

/// The rules of Quoridor for two players, on a board of one size and with given numbers of walls.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quoridor {
    board: Board,
    /// The numbers of walls that the first player and the second player have at the start.
    walls: [u8; 2],
    /// Whether the third occurrence of a position is a draw.
    repetition_draw: bool,
}

impl Default for Quoridor {
    fn default() -> Quoridor {
        Quoridor::from_options(&Options::default())
    }
}

/// Returns the symmetry that reverses the files of the board, the ranks, or both. If the symmetry
/// reverses the ranks, it also swaps the sides.
fn mirror_symmetry<const FILES: bool, const RANKS: bool>(name: &'static str) -> Symmetry<Quoridor> {
    Symmetry {
        name,
        swaps_sides: RANKS,
        position: |rules, position| {
            position.mirrored(&rules.board, BoardReflection { files: FILES, ranks: RANKS })
        },
        mv: |rules, mv| mv.mirrored(&rules.board, BoardReflection { files: FILES, ranks: RANKS }),
    }
}

impl Rules for Quoridor {
    type Position = Position;
    type Move = Move;

    const GAME_ID: &'static str = "quoridor";
    const GAME_NAME: &'static str = "Quoridor";
    const GAME_SUMMARY: &'static str =
        "walk your pawn to the far side, and put walls in the way of the other one";
    const FIRST_SIDE_SCORE_PERCENT: Option<u8> = Some(44);
    const SIDE_NAMES: [&'static str; 2] = ["white", "black"];
    const RULE_OPTIONS: &'static [OptionSpec] = &[
        BOARD_SIZE_OPTION.spec,
        WALLS_OPTION.spec,
        SECOND_WALLS_OPTION.spec,
        PLAYER_COUNT_OPTION.spec,
        TEAMS_OPTION.spec,
        FOUR_PLAYER_WALLS_OPTION.spec,
    ];

    fn from_options(options: &Options) -> Quoridor {
        let first = options.spin_value(&WALLS_OPTION) as u8;
        Quoridor {
            board: Board::new(options.spin_value(&BOARD_SIZE_OPTION) as u8),
            walls: [first, options.combo_value(&SECOND_WALLS_OPTION).unwrap_or(first)],
            repetition_draw: options.is_on(&REPETITION_DRAW_OPTION),
        }
    }

    fn start_position(&self) -> Position {
        Position::start(&self.board, self.walls)
    }

    fn outcome(&self, position: &Position) -> Option<Outcome> {
        position.outcome(&self.board)
    }

    fn legal_moves(&self, position: &Position, moves: &mut Vec<Move>) {
        if self.outcome(position).is_none() {
            let open = position.open_passages(&self.board);
            let targets = moves::pawn_targets(position, open);
            moves::generate_moves(
                position,
                targets,
                || wall_placement::placeable_walls(&self.board, position, open),
                moves,
            );
        }
    }

    fn play(&self, position: &Position, mv: Move) -> Position {
        position.play(mv)
    }

    /// Returns a key of the pawns, the walls on the board, the walls left and the side to move. The
    /// repetition rule compares the same data.
    fn search_key(&self, position: &Position) -> u64 {
        key::hash_words(&position.words_to_hash())
    }

    /// Returns a draw if the common option `RepetitionDraw` is on. The rules of Quoridor have no
    /// draw.
    fn repetition_outcome(&self, _: &Position) -> Option<Outcome> {
        self.repetition_draw.then_some(Outcome::Draw("repetition"))
    }

    /// Returns `true` for a wall, because a wall is never removed.
    fn is_irreversible_move(&self, _: &Position, mv: Move) -> bool {
        matches!(mv, Move::Wall(_))
    }

    /// Returns the symmetries. On a board of even size, the start squares are not in the middle, so
    /// only the half turn maps one start square to the other.
    fn symmetries(&self) -> Vec<Symmetry<Quoridor>> {
        let all = [
            mirror_symmetry::<true, false>("mirror of the files"),
            mirror_symmetry::<false, true>("mirror of the ranks"),
            mirror_symmetry::<true, true>("half turn"),
        ];
        // With a handicap, a swap of the sides leads to a position that cannot occur under these
        // rules.
        let [first, second] = self.walls;
        all.into_iter().filter(|symmetry| first == second || !symmetry.swaps_sides).collect()
    }
}

impl HasPlayers for Quoridor {
    const PLAYER_COUNT_OPTION: Option<&'static ComboOption<usize>> = Some(&PLAYER_COUNT_OPTION);
}

impl HistoryBans for Quoridor {}

pentarch_search::compile_search!(Quoridor);

impl OpeningBook for Quoridor {}

impl SearchDataFiles for Quoridor {
    fn search_data_files(&self) -> Vec<&'static dyn LoadableFile> {
        vec![&eval::QUORIDOR_NET]
    }
}

impl MatchOpenings for Quoridor {
    /// Returns openings for the default game: 9x9 with ten walls each.
    fn match_openings(&self) -> Option<&'static str> {
        (self.board.size == 9 && self.walls == [10; 2])
            .then_some(include_str!("../openings/9x9.txt"))
    }

    /// Returns the handicaps: two, four or six walls fewer than the side with the most walls has.
    fn handicaps(&self) -> Vec<Handicap> {
        let most = self.walls[0].max(self.walls[1]);
        let walls = |first: u8, second: u8| HandicapStart {
            options: vec![
                (WALLS_OPTION.name, first.to_string()),
                (SECOND_WALLS_OPTION.name, second.to_string()),
            ],
            fen: None,
        };
        let fewer = [2, 4, 6].into_iter().filter_map(|count| most.checked_sub(count));
        let handicap = |less: u8| Handicap {
            less: less.into(),
            more: most.into(),
            kind: "walls",
            starts: [walls(less, most), walls(most, less)],
        };
        fewer.map(handicap).collect()
    }
}

impl Exercises for Quoridor {
    const PROBLEM_RECORDS: &'static str = include_str!("../problems.txt");
    const DRILL_POSITIONS: &'static str = include_str!("../drills.txt");
}
