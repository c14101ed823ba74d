//! The subcommand `problems`: its flags, and the list of problems that they specify.

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use crate::cli::Failure;
use crate::cli::arguments::{MAX_NODES, number};
use crate::io::files::read_plain;
use crate::io::output::Output;
use crate::problems::MOST_MOVES;
use crate::problems::compose::{ComposeError, MakeProblems, Settings};
use crate::problems::judge::Judge;
use pentarch_core::Options;
use pentarch_core::notation::record::Record;
use pentarch_engine::engine_state::game_for_two;
use pentarch_engine::error::EngineError;
use pentarch_engine::problem::{NotAProblem, Theme};
use pentarch_games::{Game, Visitor};
use pentarch_system::ErrorContext;

use super::{prove, with_game};

/// Composes problems: positions in which exactly one move wins, or holds a draw.
///
/// Each is written as a record as soon as it is found: the position, the solution, the grade from 1 to 5, the length
/// in moves of the solver, and what is special about the first move. The prover has proved that the solver wins in so
/// many moves and no fewer, and that at each of them but the last no other move wins at all; or with --theme draw, that
/// after every other move the opponent wins. No two are alike, nor alike under the symmetries of the game.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct ProblemsArguments {
    /// The game, unless --game names it
    #[arg(value_name = "GAME")]
    word: Option<String>,
    /// How many problems; without it 10, or all that --from gives
    #[arg(long, value_name = "N", value_parser = number::<u32>(1, 1_000_000))]
    count: Option<u32>,
    /// Choose the games from which they come by this number
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number::<u64>(0, u64::MAX))]
    seed: u64,
    /// How many moves the solver makes, from 1 to 5: one number, or the least and the most with '..' between them;
    /// without it 1..3, or 1..5 for --position
    #[arg(long, value_name = "N", value_parser = lengths)]
    length: Option<RangeInclusive<u32>>,
    /// Only problems with at least so many legal moves to choose from
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = number::<usize>(2, 1000))]
    moves: usize,
    /// Only problems with this theme
    #[arg(long, value_name = "THEME", value_parser = theme())]
    theme: Option<Theme>,
    /// The most positions that a proof may take; more find more problems in each game, and take longer
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = number::<u64>(1, MAX_NODES))]
    nodes: u64,
    /// End after so many games in a row without a new problem
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = number::<u32>(1, 1_000_000_000))]
    games: u32,
    /// Try the positions of the games in this file of records instead of games of the engine with itself
    #[arg(long, value_name = "FILE", conflicts_with_all = ["seed", "games"])]
    from: Option<PathBuf>,
    /// No twins of the problems in this file, which 'pentarch problems' has written
    #[arg(long, value_name = "FILE")]
    beside: Option<PathBuf>,
    /// Make a problem of this position if it is one, and say why if it is none: the words of the command 'position',
    /// or a position text by itself
    #[arg(long, value_name = "POSITION", num_args = 1.., conflicts_with_all = OF_LISTS)]
    position: Option<Vec<String>>,
}

const EXAMPLES: &str = "\
Examples:
  pentarch problems roses                             ten problems, one after the other
  pentarch problems quoridor --count 3 --length 2     three that are won in two moves
  pentarch problems alcaxar --theme quiet --seed 7    others, whose first move is quiet
  pentarch problems bushka --count 100 > bushka.txt   many, in a file
  pentarch problems roses --position c/1s1s/1SSs1/S1s2/1S2/C b 0/0 1

The same command makes the same list again on any machine, until the search or the evaluation of the game changes. If
there are fewer problems, those that were found are written, and the exit code is 1; it is 1, too, if a position is no
problem.

'pentarch play --problems' has problems of every game to be solved.";

/// The flags that are about a list.
const OF_LISTS: [&str; 7] = ["count", "seed", "moves", "theme", "games", "from", "beside"];

/// Reads a length, or the least and the most with `..` between them.
fn lengths(text: &str) -> Result<RangeInclusive<u32>, String> {
    let (least, most) = text.split_once("..").unwrap_or((text, text));
    let number = |text: &str| text.parse().ok().filter(|length| (1..=MOST_MOVES).contains(length));
    let range = number(least).zip(number(most)).filter(|(least, most)| least <= most);
    range.map(|(least, most)| least..=most).ok_or_else(|| {
        format!("a number from 1 to {MOST_MOVES} expected, or the least and the most as in 2..3")
    })
}

/// The records of a file.
fn records(path: &Path) -> Result<Vec<Record>, Failure> {
    let text = read_plain(path).in_file(path).map_err(Failure::failed)?;
    let records = Record::parse_all(&text).map_err(|error| EngineError::in_lines(&text, error));
    records.in_file(path).map_err(Failure::failed)
}

/// Reads a theme by its word.
fn theme() -> impl TypedValueParser<Value = Theme> {
    let values =
        Theme::ALL.map(Theme::words).map(|[word, says]| PossibleValue::new(word).help(says));
    PossibleValuesParser::new(values).try_map(|word| Theme::named(&word).ok_or("a theme expected"))
}

impl ProblemsArguments {
    /// Runs the subcommand: writes the list. `chosen` is the game that --game names.
    ///
    /// # Errors
    /// If no game is named, or two are; if there are fewer problems than asked for, or there is no memory for a search.
    pub fn run(
        &self,
        chosen: Option<&str>,
        mut options: Options,
        out: &Output,
    ) -> Result<(), Failure> {
        match (&self.word, chosen) {
            (Some(_), Some(_)) => {
                return Err(Failure::BadArguments(
                    "the game is named twice: by --game, and as a word".into(),
                ));
            }
            (Some(word), None) => options = with_game(options, word)?,
            (None, Some(_)) => {}
            (None, None) => {
                let games = pentarch_games::GameId::WORDS.join(", ");
                return Err(Failure::BadArguments(format!(
                    "which game? 'pentarch problems GAME', one of {games}"
                )));
            }
        }
        let game = game_for_two(&options, "problems are of games").map_err(super::bad_arguments)?;
        if let Some(words) = &self.position {
            let words = match words.first().map(String::as_str) {
                Some("startpos" | "fen") => words.clone(),
                _ => [&["fen".to_string()], &words[..]].concat(),
            };
            return game.visit(MakeProblem { words, arguments: self, options: &options, out });
        }
        let (lengths, theme) = (self.length.clone().unwrap_or(1..=3), self.theme);
        let &ProblemsArguments { seed, moves, nodes, games, .. } = self;
        let count = self.count.or(self.from.is_none().then_some(10));
        let (from, beside) =
            (self.from.as_deref().map(records), self.beside.as_deref().map(records));
        let (from, beside) = (from.transpose()?, beside.transpose()?.unwrap_or_default());
        let settings = &Settings { count, seed, lengths, moves, theme, nodes, games, from, beside };
        Ok(game.visit(MakeProblems { settings, options: &options, out })?)
    }
}

/// Makes a problem of a position.
struct MakeProblem<'a> {
    /// The words of the command `position`.
    words: Vec<String>,
    arguments: &'a ProblemsArguments,
    options: &'a Options,
    out: &'a Output,
}

impl Visitor for MakeProblem<'_> {
    type Output = Result<(), Failure>;

    fn visit<G: Game>(self) -> Result<(), Failure> {
        let history = prove::position::<G>(&self.words, self.options)?;
        let judge = Judge::<G>::new(self.options, self.arguments.nodes, false)
            .ok_or_else(|| Failure::failed(NotAProblem::NoMemory))?;
        // As long as those that requests make.
        let lengths = self.arguments.length.clone().unwrap_or(1..=MOST_MOVES);
        let problem = judge.problem(&history, &lengths);
        let problem = problem.map_err(|why| Failure::Failed(format!("it is no problem: {why}")))?;
        self.out.lines(&problem.text((1, history.side_to_move())));
        Ok(())
    }
}

impl From<ComposeError> for Failure {
    fn from(error: ComposeError) -> Failure {
        if error.is_usage() { Failure::bad_arguments(error) } else { Failure::failed(error) }
    }
}
