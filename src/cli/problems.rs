//! The subcommand `problems`: parses its flags, and writes the list of problems that they specify.

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use crate::cli::CliError;
use crate::cli::arguments::{MAX_NODES_ARGUMENT, number_parser};
use crate::games::RunOperation;
use crate::io::output::Output;
use crate::io::record_file::warn_of_unread_elements;
use crate::io::whole_files::read_regular_file;
use crate::problems::MAX_PROBLEM_MOVES;
use crate::problems::compose::{ComposeError, ProblemListBuilder, ProblemListSettings};
use crate::problems::grader::ProblemGrader;
use pentarch_core::Options;
use pentarch_core::notation::record::GameRecord;
use pentarch_engine::engine_state::two_player_rules;
use pentarch_engine::error::EngineError;
use pentarch_engine::games::all_game_words;
use pentarch_engine::problem::{NotAProblemReason, ProblemTheme};
use pentarch_games::{Game, GameOperation};
use pentarch_system::WithErrorLocation;

use super::{prove, select_game_by_word};

/// Composes problems: positions in which exactly one move wins, or holds a draw.
///
/// The command writes each problem as a record as soon as it is found. The record has the position,
/// the solution, the grade from 1 to 5, the length in moves of the solver, and the themes of the
/// first move. The prover has proved that the length is the minimum number of moves to win. It has
/// also proved that before the last move, no other move of the solver wins at all. With --theme
/// draw it has proved that after every other move the opponent wins. There are no duplicates, even
/// under the symmetries of the game.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES_HELP)]
pub(super) struct ProblemsArguments {
    /// The game, unless --game names it
    #[arg(value_name = "GAME")]
    word: Option<String>,
    /// Number of problems; 10 by default, or all that --from yields
    #[arg(long, value_name = "N", value_parser = number_parser::<u32>(1, 1_000_000))]
    count: Option<u32>,
    /// Seed of the games in which problems are sought
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number_parser::<u64>(0, u64::MAX))]
    seed: u64,
    /// Number of moves of the solver, from 1 to 5: one number, or the minimum and the maximum with
    /// '..' between them; 1..3 by default, or 1..5 for --position
    #[arg(long, value_name = "N", value_parser = parse_problem_length_range)]
    length: Option<RangeInclusive<u32>>,
    /// Only problems with at least this number of legal moves to choose from
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = number_parser::<usize>(2, 1000))]
    moves: usize,
    /// Only problems with this theme
    #[arg(long, value_name = "THEME", value_parser = problem_theme_parser())]
    theme: Option<ProblemTheme>,
    /// Maximum number of positions of a proof; a higher number finds more problems in each game,
    /// but takes longer
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = number_parser::<u64>(1, MAX_NODES_ARGUMENT))]
    nodes: u64,
    /// End after this number of games in a row without a new problem
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = number_parser::<u32>(1, 1_000_000_000))]
    games: u32,
    /// Try positions from the recorded games in this file instead of games of the engine with
    /// itself
    #[arg(long, value_name = "FILE", conflicts_with_all = ["seed", "games"])]
    from: Option<PathBuf>,
    /// Exclude duplicates of the problems in this file, which 'pentarch problems' has written
    #[arg(long, value_name = "FILE")]
    beside: Option<PathBuf>,
    /// Turn this position into a problem, or report why it is not a problem; the words of the
    /// command 'position', or only a FEN
    #[arg(long, value_name = "POSITION", num_args = 1.., conflicts_with_all = PROBLEM_LIST_FLAGS)]
    position: Option<Vec<String>>,
}

const EXAMPLES_HELP: &str = "\
Examples:
  pentarch problems roses                             ten problems, one after the other
  pentarch problems quoridor --count 3 --length 2     three that are won in two moves
  pentarch problems alcaxar --theme quiet --seed 7    others, whose first move is quiet
  pentarch problems bushka --count 100 > bushka.txt   many, in a file
  pentarch problems roses --position c/1s1s/1SSs1/S1s2/1S2/C b 0/0 1

The same command makes the same list again on any machine, until the search or the evaluation of the game changes. If
there are fewer problems, those that were found are written, and the exit code is 1; it is also 1 if a position is not a
problem.

'pentarch play --problems' has problems of every game for you to solve.";

/// The flags about a list.
const PROBLEM_LIST_FLAGS: [&str; 7] =
    ["count", "seed", "moves", "theme", "games", "from", "beside"];

/// Parses a length, or the minimum and the maximum with `..` between them.
fn parse_problem_length_range(text: &str) -> Result<RangeInclusive<u32>, String> {
    let (least, most) = text.split_once("..").unwrap_or((text, text));
    let number =
        |text: &str| text.parse().ok().filter(|length| (1..=MAX_PROBLEM_MOVES).contains(length));
    match (number(least), number(most)) {
        (Some(least), Some(most)) if least <= most => Ok(least..=most),
        _ => {
            Err(format!("expected a number from 1 to {MAX_PROBLEM_MOVES}, or a range such as 2..3"))
        }
    }
}

/// Reads the records of a file.
fn read_record_list(path: &Path) -> Result<Vec<GameRecord>, CliError> {
    let text = read_regular_file(path).with_file_path(path).map_err(CliError::command_failed)?;
    let records = GameRecord::parse_all(&text)
        .map_err(|error| EngineError::syntax_error_in_text(&text, error));
    let mut records = records.with_file_path(path).map_err(CliError::command_failed)?;
    warn_of_unread_elements(path, &mut records);
    Ok(records)
}

/// Returns the parser of a theme's word.
fn problem_theme_parser() -> impl TypedValueParser<Value = ProblemTheme> {
    let values = ProblemTheme::ALL
        .map(ProblemTheme::word_and_description)
        .map(|[word, says]| PossibleValue::new(word).help(says));
    PossibleValuesParser::new(values)
        .try_map(|word| ProblemTheme::from_word(&word).ok_or("expected a theme"))
}

impl ProblemsArguments {
    /// Runs the subcommand: writes the list. `chosen` is the game of --game.
    ///
    /// # Errors
    /// Returns an error in these cases:
    /// - The arguments name no game or two games.
    /// - There are fewer problems than requested.
    /// - There is no memory for a search.
    pub(super) fn run(
        &self,
        chosen: Option<&str>,
        mut options: Options,
        out: &Output,
    ) -> Result<(), CliError> {
        match (&self.word, chosen) {
            (Some(_), Some(_)) => {
                return Err(CliError::InvalidArguments(
                    "the game is named twice: by --game, and as a word".into(),
                ));
            }
            (Some(word), None) => options = select_game_by_word(options, word)?,
            (None, Some(_)) => {}
            (None, None) => {
                let games = all_game_words().join(", ");
                return Err(CliError::InvalidArguments(format!(
                    "which game? 'pentarch problems GAME', one of {games}"
                )));
            }
        }
        let game = two_player_rules(&options, "problems are of games")
            .map_err(super::invalid_arguments_error)?;
        if let Some(words) = &self.position {
            let words = match words.first().map(String::as_str) {
                Some("startpos" | "fen") => words.clone(),
                _ => [&["fen".to_string()], &words[..]].concat(),
            };
            return game.run_operation(PositionProblemOperation {
                words,
                arguments: self,
                options: &options,
                out,
            });
        }
        let &ProblemsArguments { seed, moves, theme, nodes, games, .. } = self;
        let settings = &ProblemListSettings {
            count: self.count.or(self.from.is_none().then_some(10)),
            seed,
            lengths: self.length.clone().unwrap_or(1..=3),
            moves,
            theme,
            nodes,
            games,
            from: self.from.as_deref().map(read_record_list).transpose()?,
            known: self.beside.as_deref().map(read_record_list).transpose()?.unwrap_or_default(),
        };
        Ok(game.run_operation(ProblemListBuilder { settings, options: &options, out })?)
    }
}

/// An operation that turns one position into a problem.
pub(crate) struct PositionProblemOperation<'a> {
    /// The words of the command `position`.
    words: Vec<String>,
    arguments: &'a ProblemsArguments,
    options: &'a Options,
    out: &'a Output,
}

impl GameOperation for PositionProblemOperation<'_> {
    type Output = Result<(), CliError>;

    fn run_for_game_type<G: Game>(self) -> Result<(), CliError> {
        let history = prove::parse_position::<G>(&self.words, self.options)?;
        let grader = ProblemGrader::<G>::new(self.options, self.arguments.nodes, false)
            .ok_or_else(|| CliError::command_failed(NotAProblemReason::NoMemory))?;
        // By default, the same lengths are permitted as in requests.
        let lengths = self.arguments.length.clone().unwrap_or(1..=MAX_PROBLEM_MOVES);
        let problem = grader.problem_from_history(&history, &lengths);
        let problem =
            problem.map_err(|why| CliError::Failed(format!("it is not a problem: {why}")))?;
        self.out.write_lines(&problem.to_record_text((1, history.side_to_move())));
        Ok(())
    }
}

impl From<ComposeError> for CliError {
    fn from(error: ComposeError) -> CliError {
        if error.is_usage_error() {
            CliError::invalid_arguments(error)
        } else {
            CliError::command_failed(error)
        }
    }
}
