//! The tuner: finds the weights of a game's evaluation from the results of games that the engine plays with itself.
//!
//! | room | what it holds |
//! |---|---|
//! | [`selfplay`] | one game of the engine with itself, and many of them on several threads |
//! | [`file`](mod@file) | the file that keeps the games |
//! | [`samples`] | what a regression learns from: positions of the games and how these ended |
//! | [`regression`] | logistic regression |
//! | [`training`] | gradient descent, for games that have a [net](crate::core::net) |
//! | [`report`] | the outcome as tables, for people and for the source |
//!
//! The model is that of Texel's tuning, the standard in chess programming: the first side's expected result is
//! `1 / (1 + exp(-scale * evaluation))`. Weights and scale are those that make the results of the games most likely. As
//! the evaluation is linear in its parts this is a logistic regression, and Newton's method solves it exactly. The numbers
//! of a net are found by gradient descent instead.

pub mod file;
pub mod regression;
pub mod report;
pub mod samples;
pub mod selfplay;
pub mod training;

use std::path::PathBuf;
use std::sync::Arc;

use thiserror::Error;

use crate::core::options::REPETITION_DRAW;
use crate::core::{Complete, Options};
use crate::games::Visitor;

use file::{GamesFile, Record, Tally};
use report::Report;
use samples::Samples;
use selfplay::Settings;
use training::Lessons;

/// What to play, and how to learn from it.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The file of games. It is created or grows; what it holds is not played again.
    pub data: PathBuf,
    /// Files of games to learn from as well, by any rules of the game.
    pub others: Vec<PathBuf>,
    /// How many games the file is to hold.
    pub games: u32,
    /// How they are played.
    pub play: Settings,
    /// How many samples the present weights count for.
    pub prior: u32,
    /// The name of the part whose weight stays as it is; none to keep the scale of the present weights.
    pub unit: Option<String>,
}

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

/// Plays what is missing, and learns from all games of the file.
#[derive(Debug, Clone, Copy)]
pub struct Tune<'a> {
    /// What to do.
    pub plan: &'a Plan,
    /// The rules to play by; repetition draws in any case.
    pub options: &'a Options,
}

impl Visitor for Tune<'_> {
    type Output = Result<Report, Failure>;

    fn visit<G: Complete>(self) -> Result<Report, Failure> {
        let Tune { plan, options } = self;
        let unit = plan.unit.as_deref().map(report::unit::<G>).transpose().map_err(Failure::BadArguments)?;
        let mut sets = [(); 2].map(|()| Samples::new(G::WEIGHTS.len()));
        let tally = learn::<G>(plan, options, |rules, set, record| sets[set].add(rules, record))?;
        let [learnt, held_out] = &sets;
        Ok(Report::new::<G>(tally, [learnt, held_out], unit, f64::from(plan.prior))?)
    }
}

/// Plays what is missing, and trains the game's net with all games of the file.
#[derive(Debug, Clone, Copy)]
pub struct Train<'a> {
    /// What to do.
    pub plan: &'a Plan,
    /// The rules to play by; repetition draws in any case.
    pub options: &'a Options,
    /// How many times to go through what there is to learn from.
    pub epochs: u32,
}

impl Visitor for Train<'_> {
    /// What was learnt from, and the file of the net.
    type Output = Result<(Report, Vec<u8>), Failure>;

    fn visit<G: Complete>(self) -> Self::Output {
        let Train { plan, options, epochs } = self;
        if G::INPUTS == 0 {
            return Err(Failure::BadArguments(format!("the evaluation of {} has no net", G::NAME)));
        }
        let mut sets = [(); 2].map(|()| Lessons::default());
        let tally = learn::<G>(plan, options, |rules, set, record| sets[set].add(rules, record))?;
        Ok(training::train::<G>(tally, &sets, f64::from(plan.prior), epochs, plan.play.seed)?)
    }
}

/// Plays what is missing, and calls `add` with each game of all files, and whether it is one to learn from, 0, or held
/// out, 1. Tells how the games ended.
fn learn<G: Complete>(
    plan: &Plan,
    options: &Options,
    mut add: impl FnMut(&G, usize, &Record<G::Move>),
) -> Result<Tally, String> {
    let mut options = options.clone();
    options.set(&REPETITION_DRAW, "true").map_err(|error| error.to_string())?;
    let rules = Arc::new(G::from_options(&options));
    let mut file = GamesFile::<G>::open(&plan.data, rules, &options, plan.play.seed)?;
    selfplay::fill(&mut file, plan.games, &plan.play)?;
    let mut tally = Tally::default();
    let mut add_all = |file: &GamesFile<G>| {
        for record in file.records() {
            tally.count(record.winner);
            add(file.rules(), usize::from(record.number % HELD_OUT == HELD_OUT - 1), record);
        }
    };
    add_all(&file);
    for path in &plan.others {
        add_all(&GamesFile::read(path)?);
    }
    Ok(tally)
}

/// One game of so many is not learnt from but checks what was learnt.
const HELD_OUT: u32 = 10;
