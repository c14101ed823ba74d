//! The subcommand `arena`: its flags, and the match that they specify.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use crate::arena::Conditions;
use crate::arena::limit::Limit;
use crate::arena::opening::{self, Source};
use crate::arena::process::Spec;
use crate::arena::rows::Form;
use crate::arena::statistics::Sprt;
use crate::core::options::REPETITION_DRAW;
use crate::core::{OptionSpec, Options};
use crate::engine::engine_state::{game_for_two, rule_options};
use crate::engine::options::{GAME, UCI_VARIANT};
use crate::engine::session::MAX_PLIES;
use crate::files::at;
use crate::io::arguments::{MAX_NODES, number};
use crate::io::files::read_plain;
use crate::shards::ShardArguments;

use super::setting;

/// Plays a match between two engines and says what it tells about their strength.
///
/// An engine without a command is this very program. Each engine is a process that speaks UGI or UCI. The arena keeps
/// the games by its own rules: who makes an illegal move, exceeds the time, crashes, hangs or answers nonsense loses
/// the game.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct ArenaArguments {
    #[command(flatten)]
    engines: EngineArguments,
    #[command(flatten)]
    limits: LimitArguments,
    #[command(flatten)]
    games: GameArguments,
    /// Which of its pairs of games to play, on one of several machines.
    #[command(flatten)]
    pub shard: ShardArguments,
}

/// The engines.
#[derive(Debug, Args)]
#[command(next_help_heading = "Engines")]
struct EngineArguments {
    /// The first engine: a program with its arguments
    #[arg(long, value_name = "COMMAND", value_parser = words, default_value = "", hide_default_value = true)]
    first: Words,
    /// The second engine
    #[arg(long, value_name = "COMMAND", value_parser = words, default_value = "", hide_default_value = true)]
    second: Words,
    /// What to call the first engine
    #[arg(long, value_name = "NAME", default_value = "first")]
    first_name: String,
    /// What to call the second engine
    #[arg(long, value_name = "NAME", default_value = "second")]
    second_name: String,
    /// Set an option of the first engine only; may be given more than once
    #[arg(long, value_name = "NAME=VALUE", value_parser = setting)]
    first_set: Vec<Setting>,
    /// Set an option of the second engine only; may be given more than once
    #[arg(long, value_name = "NAME=VALUE", value_parser = setting)]
    second_set: Vec<Setting>,
}

/// What limits the moves of both engines, or of one of them.
#[derive(Debug, Args)]
#[command(next_help_heading = "Limits")]
struct LimitArguments {
    /// Milliseconds for each move
    #[arg(long, value_name = "MS", group = "both", value_parser = move_time)]
    movetime: Option<Limit>,
    /// Milliseconds on the clock, and those that each move adds
    #[arg(long, value_name = "MS[+INC]", group = "both", value_parser = clock)]
    time: Option<Limit>,
    /// Positions for each move
    #[arg(long, value_name = "N", group = "both", value_parser = nodes)]
    nodes: Option<Limit>,
    /// Plies for each move
    #[arg(long, value_name = "N", group = "both", value_parser = depth)]
    depth: Option<Limit>,
    /// The same for the first engine only
    #[arg(long, value_name = "MS", group = "limit of the first", value_parser = move_time)]
    first_movetime: Option<Limit>,
    /// The same for the first engine only
    #[arg(long, value_name = "MS[+INC]", group = "limit of the first", value_parser = clock)]
    first_time: Option<Limit>,
    /// The same for the first engine only
    #[arg(long, value_name = "N", group = "limit of the first", value_parser = nodes)]
    first_nodes: Option<Limit>,
    /// The same for the first engine only
    #[arg(long, value_name = "N", group = "limit of the first", value_parser = depth)]
    first_depth: Option<Limit>,
    /// The same for the second engine only
    #[arg(long, value_name = "MS", group = "limit of the second", value_parser = move_time)]
    second_movetime: Option<Limit>,
    /// The same for the second engine only
    #[arg(long, value_name = "MS[+INC]", group = "limit of the second", value_parser = clock)]
    second_time: Option<Limit>,
    /// The same for the second engine only
    #[arg(long, value_name = "N", group = "limit of the second", value_parser = nodes)]
    second_nodes: Option<Limit>,
    /// The same for the second engine only
    #[arg(long, value_name = "N", group = "limit of the second", value_parser = depth)]
    second_depth: Option<Limit>,
}

/// The games.
#[derive(Debug, Args)]
#[command(next_help_heading = "Games")]
struct GameArguments {
    /// How many games
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = number::<usize>(1, MAX_COUNT))]
    games: usize,
    /// How many games to play at once
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number::<u16>(1, 256))]
    concurrency: u16,
    /// Call a game a draw after this many plies
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = number::<usize>(1, MAX_PLIES as u64))]
    plies: usize,
    /// Begin with this many random moves, the same for both games of a pair; 0 for the start position
    #[arg(long, value_name = "N", conflicts_with = "openings")]
    #[arg(value_parser = number::<usize>(0, MAX_PLIES as u64))]
    random_plies: Option<usize>,
    /// Choose the random moves by this number
    #[arg(long, value_name = "N", default_value_t = 1, requires = "random_plies")]
    #[arg(value_parser = number::<u64>(0, u64::MAX))]
    seed: u64,
    /// Begin with the positions of this file: position texts or 'startpos', each with 'moves M...' if need be
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Let the first engine always play the side that moves first in the start position
    #[arg(long)]
    fixed_sides: bool,
    /// Stop as soon as a sequential test decides between these two Elo differences
    #[arg(long, num_args = 2, value_names = ["ELO0", "ELO1"], allow_negative_numbers = true, value_parser = elo)]
    sprt: Option<Vec<f64>>,
    /// The probability that the test takes the second difference by mistake
    #[arg(long, value_name = "P", default_value_t = 0.05, value_parser = probability, requires = "sprt")]
    alpha: f64,
    /// The probability that the test takes the first difference by mistake
    #[arg(long, value_name = "P", default_value_t = 0.05, value_parser = probability, requires = "sprt")]
    beta: f64,
    /// Keep the games in this file; if it holds games of this match already, go on from there
    #[arg(long, value_name = "FILE", conflicts_with = "shard")]
    record: Option<PathBuf>,
    /// When the match ends, write a graph of the score to this new file, in SVG
    #[arg(long, value_name = "FILE", conflicts_with = "shard")]
    plot: Option<PathBuf>,
    /// Print each game as it ends as comma-separated values, and nothing else
    #[arg(long, conflicts_with = "shard")]
    csv: bool,
    /// Print each game as it ends as an object in JSON, and at the end one for the match, and nothing else
    #[arg(long, conflicts_with_all = ["csv", "shard"])]
    json: bool,
    /// How much more time than its limit an engine may take for a move
    #[arg(long, value_name = "MS", default_value = "50", value_parser = milliseconds)]
    margin: Duration,
    /// What happens after an illegal move: the engine loses, or it is asked again up to three times on its running clock
    #[arg(long, value_name = "WHAT", default_value = "lose", value_parser = retries())]
    illegal: u32,
    /// End with the exit code 1 if an engine has lost a game by a crash
    #[arg(long)]
    fail_on_crash: bool,
    /// How long an engine may take for an answer that no clock limits
    #[arg(long, value_name = "MS", default_value = "60000", value_parser = milliseconds)]
    patience: Duration,
}

/// How often an engine is asked again after an illegal move.
fn retries() -> impl TypedValueParser<Value = u32> {
    PossibleValuesParser::new(["lose", "retry"]).map(|word| if word == "retry" { 3 } else { 0 })
}

const EXAMPLES: &str = "\
Examples:
  Is the working copy better than the last version? Two commands, a thousand positions a move:
    pentarch arena --game quoridor --first target/release/pentarch \\
      --second ./old --nodes 1000
  Does more memory help? Two sets of options of this program, ten seconds and a tenth of a second a move:
    pentarch arena --game bushka --first-set Hash=256 --second-set Hash=1 \\
      --time 10000+100
  Test until it is clear whether a change is worth 0 or 10 Elo; the games go to a file, from which the match goes on:
    pentarch arena --second ./old --nodes 2000 --random-plies 6 --games 2000 \\
      --sprt 0 10 --record match.games
  How good is the second side's chance with twenty times the time?
    pentarch arena --game roses --fixed-sides --first-movetime 50 \\
      --second-movetime 1000

Games:
  The arena keeps the games by its own rules, with RepetitionDraw on unless --set RepetitionDraw=false is given.
  --set sets an option of both engines, --first-set and --second-set of one of them; rules are set for both. An
  engine that lacks the options Game or RepetitionDraw, or one for a rule at its default, is accepted without them.
  A game with --plies plies, those of the opening included, is a draw.

Openings:
  Games begin with the openings of the game: under its usual rules each game has a list of them, from which either
  side can win, and they are played in their order; under other rules games begin at the start position. Instead they
  can begin with random moves (--random-plies, --seed: never decided, and different from each other as long as there
  are different ones), at the start position (--random-plies 0), or with the lines of a file (--openings: 'startpos
  moves e2 e8', a position text, or one followed by 'moves' and moves), as 'pentarch openings' writes them.
  Each opening is played twice, the engines swapping sides. With --fixed-sides the first engine always plays the
  first side, and each opening is played once. Matches by nodes or depth have the same results on every run and on
  busy machines, times aside. They need as many openings as pairs of games, since the same opening always gives the
  same games. An opening by which one side is sure to win says nothing about the engines: after random moves most are
  of this kind, in Alquerque nearly all.

Faults:
  An engine that makes an illegal move, answers nonsense, crashes or does not answer loses the game, and the match
  goes on with a new process; one that answers too late loses and goes on itself. That an illegal move loses is the
  choice of this arena: the rules of Quoridor refuse it without a penalty. With --illegal retry the engine is asked
  again instead, up to three times for a move, while its clock or the time for its move runs on.
  Before each game an engine gets 'uginewgame' or 'ucinewgame', and --patience milliseconds for its 'readyok'. Time is
  measured from 'go' to the answer. An engine loses on time if it takes more than its limit, or than its clock shows,
  by more than --margin. The margin allows for a busy machine, which can hold a process up for some tens of
  milliseconds; what an engine takes of it still runs off its clock, down to 0. An engine whose time is up is sent
  'stop': if it answers within a second it was late, otherwise it hangs. Searches by nodes or depth have --patience
  milliseconds.

Results:
  The results are those of the first engine. Games of a pair depend on each other, pairs do not, so that the pair is
  the unit; with --fixed-sides it is the game. With N units of mean score m and variance v,
    error of m  = sqrt(v / N)
    Elo         = 400 log10(m / (1 - m)), with the interval at 95 % from m - 1.96 errors to m + 1.96 errors
    LOS         = the normal distribution function at (m - 1/2) / error
  '± X' is half of the interval. LOS is the likelihood that the first engine is the stronger one. v counts one unit
  more, of variance 1/8 (1/4 for a game), so that a few units that all ended alike do not pass for certainty.

Sequential test:
  --sprt ELO0 ELO1 stops the match as soon as a sequential probability ratio test decides for one of the two Elo
  differences. With s0 and s1 the scores that they let expect, the log likelihood ratio is
    LLR = N (s1 - s0) (2 m - s0 - s1) / (2 v)
  This is the normal approximation of the generalised test by M. Van den Bergh, which Fishtest uses. Units count in
  their order, so that no quick game counts before a slow one, and nothing is decided before the tenth.

Rows for programs:
  --csv and --json print a row for each game as it ends, in the order in which games end, and first those that the
  file of --record holds already. p1 and p2 are the engines that play the first and the second side, points those of
  the first engine. The effort has columns of its own: p1_moves, p1_plies (the sum of the depths), p1_nodes and p1_us
  (microseconds), and the same for p2. The last object of --json tells what the match tells, with null for what is not
  known: accepted is 0 or 1, the hypothesis that --sprt has taken.

Records:
  --record FILE writes each game as it ends. 'load FILE:3' in a session takes up the third. If a match was
  interrupted, the same command goes on from there, and more --games prolong it. A file of another match, or of
  anything else, is left alone. When the match is over, the same command with --plot FILE draws its results.

Concurrency:
  Each of the --concurrency games has two processes, of which one thinks: more games than cores spoil matches by
  time. The program of an engine must not change during a match: give a copy of a program that will be built anew.";

impl ArenaArguments {
    /// The conditions of the match. `options` choose the game; `settings` are texts `NAME=VALUE` that set rules and
    /// options of both engines.
    ///
    /// # Errors
    /// If the arguments contradict each other or lack a limit, a setting is bad, or the file of openings cannot be
    /// used.
    pub fn conditions(self, mut options: Options, settings: &[String]) -> Result<Conditions, String> {
        let ArenaArguments { engines, limits, games, .. } = self;
        let [first_limit, second_limit] = limits.limits()?;
        let common = set_rules(&mut options, settings)?;
        game_for_two(&options, "a match is")?;
        let first_settings = with_engine_settings(&common, engines.first_set, &options)?;
        let second_settings = with_engine_settings(&common, engines.second_set, &options)?;
        let spec = |name, command, settings, limit| Spec { name, command, settings, limit };
        let engines = [
            spec(engines.first_name, engines.first, first_settings, first_limit),
            spec(engines.second_name, engines.second, second_settings, second_limit),
        ];
        let openings = games.source(&options)?;
        let sprt = games.sprt()?;
        Ok(Conditions {
            options,
            engines,
            openings,
            games: games.games,
            fixed_sides: games.fixed_sides,
            most_plies: games.plies,
            margin: games.margin,
            patience: games.patience,
            retries: games.illegal,
            fail_on_crash: games.fail_on_crash,
            concurrency: games.concurrency.into(),
            sprt,
            form: match (games.csv, games.json) {
                (true, _) => Form::Csv,
                (_, true) => Form::Json,
                _ => Form::Text,
            },
            record: games.record,
            plot: games.plot,
        })
    }
}

/// A name and a value.
type Setting = (String, String);

/// Whether this is a name of the option that chooses the game.
fn is_game(name: &str) -> bool {
    [GAME.name, UCI_VARIANT].iter().any(|game| game.eq_ignore_ascii_case(name))
}

/// The option with this name, in any case, if it is one of the rules of the game.
fn rule(options: &Options, name: &str) -> Option<&'static OptionSpec> {
    rule_options(options).find(|spec| spec.name.eq_ignore_ascii_case(name))
}

/// Sets those of these settings that are rules of the game, and returns the others, which are options of the engines.
fn set_rules(options: &mut Options, settings: &[String]) -> Result<Vec<Setting>, String> {
    let mut others = Vec::new();
    // Without this rule some games would never end.
    options.set(&REPETITION_DRAW, "true").map_err(|error| error.to_string())?;
    for text in settings {
        let (name, value) = setting(text).map_err(|error| format!("--set {error}"))?;
        if is_game(&name) {
            return Err("the game is chosen by --game".into());
        }
        match rule(options, &name) {
            Some(spec) => options.set(spec, &value).map_err(|error| error.to_string())?,
            None => others.push((name, value)),
        }
    }
    Ok(others)
}

/// The settings of both engines, then those of one engine, which must not be rules of the game.
fn with_engine_settings(common: &[Setting], own: Vec<Setting>, options: &Options) -> Result<Vec<Setting>, String> {
    match own.iter().find(|(name, _)| is_game(name) || rule(options, name).is_some()) {
        Some((name, _)) => Err(format!("{name} is a matter of both engines: --game or --set sets it")),
        None => Ok(common.iter().cloned().chain(own).collect()),
    }
}

impl GameArguments {
    /// The sequential test, if one is asked for.
    fn sprt(&self) -> Result<Option<Sprt>, String> {
        match self.sprt.as_deref() {
            None => Ok(None),
            Some(&[elo0, elo1]) if elo0 < elo1 => Ok(Some(Sprt { elo0, elo1, alpha: self.alpha, beta: self.beta })),
            Some(_) => Err("--sprt takes two Elo differences, the smaller one first".into()),
        }
    }

    /// The source of the openings.
    fn source(&self, options: &Options) -> Result<Source, String> {
        let source = match (&self.openings, self.random_plies) {
            (Some(path), _) => {
                let text = read_plain(path).map_err(at(path))?;
                let name = path.display().to_string();
                let openings = opening::read_list(&text, options).map_err(|error| format!("{name}, {error}"))?;
                Source::List { name, openings }
            }
            (None, Some(0)) => Source::Start,
            (None, Some(plies)) => Source::Random { plies, seed: self.seed },
            (None, None) => opening::of_the_game(options)?,
        };
        match source.plies() {
            plies if plies >= self.plies => Err(format!("no game goes on after the {plies} plies of its opening")),
            _ => Ok(source),
        }
    }
}

impl LimitArguments {
    /// The limits of the two engines: their own, or the common one.
    fn limits(&self) -> Result<[Limit; 2], String> {
        let both = self.movetime.or(self.time).or(self.nodes).or(self.depth);
        let first = self.first_movetime.or(self.first_time).or(self.first_nodes).or(self.first_depth);
        let second = self.second_movetime.or(self.second_time).or(self.second_nodes).or(self.second_depth);
        let limit = |which: &str, own: Option<Limit>| {
            let missing = "--movetime, --time, --nodes or --depth does";
            own.or(both).ok_or_else(|| format!("nothing limits the moves of the {which} engine: {missing}"))
        };
        Ok([limit("first", first)?, limit("second", second)?])
    }
}

/// A command, split into words. (Were it called `Vec`, clap would take it for many commands.)
type Words = Vec<String>;

/// Splits a command into words as a shell does: at white space, but not between quotes.
fn words(text: &str) -> Result<Words, String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for character in text.chars() {
        match quote {
            Some(open) if open == character => quote = None,
            None if character == '"' || character == '\'' => {
                quote = Some(character);
                word.get_or_insert_default();
            }
            None if character.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(character),
        }
    }
    words.extend(word);
    quote.map_or(Ok(words), |open| Err(format!("a {open} is not closed")))
}

/// The greatest number of games, and of plies of a search.
const MAX_COUNT: u64 = 1_000_000;

fn probability(text: &str) -> Result<f64, String> {
    text.parse().ok().filter(|p| *p > 0.0 && *p < 0.5).ok_or_else(|| "a number between 0 and 0.5 expected".into())
}

fn elo(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|elo| (-10_000.0..=10_000.0).contains(elo));
    number.ok_or_else(|| "a number from -10000 to 10000 expected".into())
}

fn milliseconds(text: &str) -> Result<Duration, String> {
    number(0, 1_000_000_000)(text).map(Duration::from_millis)
}

fn move_time(text: &str) -> Result<Limit, String> {
    milliseconds(text).map(Limit::MoveTime)
}

fn clock(text: &str) -> Result<Limit, String> {
    let (time, increment) = text.split_once('+').unwrap_or((text, "0"));
    Ok(Limit::Clock { time: milliseconds(time)?, increment: milliseconds(increment)? })
}

fn nodes(text: &str) -> Result<Limit, String> {
    number(1, MAX_NODES)(text).map(Limit::Nodes)
}

fn depth(text: &str) -> Result<Limit, String> {
    number(1, MAX_COUNT)(text).map(Limit::Depth)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_parted_at_blanks_outside_quotes() {
        assert_eq!(words("a  b\tc").unwrap(), ["a", "b", "c"]);
        assert_eq!(words("sh -c 'echo \"x  y\"' \"\" d\"e f\"g").unwrap(), ["sh", "-c", "echo \"x  y\"", "", "de fg"]);
        assert_eq!(words(" ").unwrap(), [""; 0]);
        assert_eq!(words("a 'b").unwrap_err(), "a ' is not closed");
    }

    #[test]
    fn limits_are_read() {
        let ms = Duration::from_millis;
        assert_eq!(clock("10+5"), Ok(Limit::Clock { time: ms(10), increment: ms(5) }));
        assert_eq!(clock("10"), Ok(Limit::Clock { time: ms(10), increment: ms(0) }));
        assert!(clock("10+").is_err() && clock("-1").is_err() && nodes("0").is_err() && depth("0").is_err());
    }
}
