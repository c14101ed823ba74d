//! The tuner: finds the weights of a game's evaluation from the results of games that the engine plays with itself.
//!
//! | room | what it holds |
//! |---|---|
//! | [`selfplay`] | one game of the engine with itself, and many of them on several threads |
//! | [`file`](mod@file) | the file that keeps the games |
//! | [`samples`] | what a regression learns from: positions of the games and how these ended |
//! | [`regression`] | logistic regression |
//! | [`report`] | the outcome as tables, for people and for the source |
//!
//! The model is that of Texel's tuning, the standard in chess programming: the first side's expected result is
//! `1 / (1 + exp(-scale * evaluation))`. Weights and scale are those that make the results of the games most likely. As
//! the evaluation is linear in its parts this is a logistic regression, and Newton's method solves it exactly.

pub mod file;
pub mod regression;
pub mod report;
pub mod samples;
pub mod selfplay;

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use thiserror::Error;

use crate::core::options::REPETITION_DRAW;
use crate::core::{Complete, Options};
use crate::games::Visitor;

use file::{GamesFile, Tally};
use report::Report;
use samples::Samples;

/// What to play and how to learn from it.
#[derive(Debug, Clone, Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// The file of games: it is created or grows; what it holds is not played again
    #[arg(long, value_name = "FILE")]
    pub data: PathBuf,

    /// How many games the file is to hold
    #[arg(long, value_name = "N", default_value_t = 2000)]
    pub games: u32,

    /// Learn from this file of games as well; may be given more than once, also with games by other rules
    #[arg(long = "with", value_name = "FILE")]
    pub others: Vec<PathBuf>,

    #[command(flatten)]
    #[allow(missing_docs, reason = "clap would show it")]
    pub play: selfplay::Settings,

    /// How many samples the present weights count for: the more, the less the new ones leave them
    #[arg(long, value_name = "SAMPLES", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    pub prior: u32,

    /// Keep the weight of this part and scale the others to it; else a centipawn goes on to mean as much on the whole
    #[arg(long, value_name = "PART")]
    pub unit: Option<String>,
}

const EXAMPLES: &str = "\
Examples:
  pentarch tune --game roses --data roses.games --games 5000 --threads 4
        plays 5000 games and prints new weights; after an interruption the same command goes on
  pentarch tune --game roses --data roses.games --games 0
        learns from the games that the file holds and plays none
  pentarch tune --game alquerque --set Alquerque_Ruleset=bell --data bell.games --with modern.games
        learns from games by two sets of rules

The new table takes the place of WEIGHTS in the game's eval.rs; run 'cargo fmt' then. Games are played with RepetitionDraw
set, and do not depend on the number of threads. Exit codes: 0 done, 1 failed, 2 bad arguments.";

/// Why there are no new weights.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Failure {
    /// What was asked for cannot be.
    #[error("{0}")]
    BadArguments(String),
    /// Something went wrong, or the games do not tell.
    #[error("{0}")]
    Failed(String),
}

impl From<String> for Failure {
    fn from(message: String) -> Failure {
        Failure::Failed(message)
    }
}

/// Plays what is missing and learns from all: [`Arguments`] for a game that [`Options`] choose the rules of.
pub struct Tune<'a> {
    /// What to do.
    pub arguments: &'a Arguments,
    /// Which rules.
    pub options: &'a Options,
}

impl Visitor for Tune<'_> {
    type Output = Result<Report, Failure>;

    fn visit<G: Complete>(self) -> Result<Report, Failure> {
        let Tune { arguments, options } = self;
        let mut options = options.clone();
        options.set(&REPETITION_DRAW, "true").map_err(|error| error.to_string())?;
        let unit = arguments.unit.as_deref().map(report::unit::<G>).transpose().map_err(Failure::BadArguments)?;
        let rules = Arc::new(G::from_options(&options));
        let mut file = GamesFile::<G>::open(&arguments.data, rules, &options, arguments.play.seed)?;
        selfplay::fill(&mut file, arguments.games, &arguments.play)?;

        let mut tally = Tally::default();
        let [mut learnt, mut held_out] = [(); 2].map(|()| Samples::new(G::WEIGHTS.len()));
        let mut learn = |file: &GamesFile<G>| {
            for record in file.records() {
                tally.count(record.winner);
                let samples = if record.number % HELD_OUT == HELD_OUT - 1 { &mut held_out } else { &mut learnt };
                samples.add(file.rules().as_ref(), record);
            }
        };
        learn(&file);
        for path in &arguments.others {
            learn(&GamesFile::read(path)?);
        }
        Ok(Report::new::<G>(tally, [&learnt, &held_out], unit, f64::from(arguments.prior))?)
    }
}

/// One game of so many is not learnt from but checks what was learnt.
const HELD_OUT: u32 = 10;
