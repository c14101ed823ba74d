//! Whole moves put together from single points, as a front end with a Go board sends them.
//!
//! A move is *half made* while only the first of its points have been given. Until it is complete the other side can
//! only pass: tools that know nothing but strict alternation of the sides need that.

use crate::core::projection::click_points;
use crate::core::{Game, GameHistory, Point};

/// One input of a front end with a Go board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Click {
    /// A point of the board.
    At(Point),
    /// A pass. It ends a move whose points begin those of another move; after the end of the game it is accepted and
    /// changes nothing.
    Pass,
}

/// The half-made move, and how the moves before it were made.
#[derive(Debug, Clone, Default)]
pub struct Clicks {
    half_made: Inputs,
    steps: Vec<Step>,
}

/// The points of a half-made move, and the passes of the other side between them.
type Inputs = Vec<Click>;

/// How a step of the game was made, which says how it is taken back.
#[derive(Debug, Clone)]
enum Step {
    /// A move that was given whole, with the points of the half-made move that it replaced.
    Whole { replaced: Inputs },
    /// A move that was put together from points, and whether a pass ended it.
    Clicked { inputs: Inputs, passed: bool },
    /// A pass after the end of the game.
    Pass,
    /// The end that the players have made, with the points of the half-made move that it interrupted.
    End { interrupted: Inputs },
}

impl Clicks {
    /// The points of the half-made move; empty if no move is half made.
    pub fn half_made(&self) -> Vec<Point> {
        let point = |input: &Click| match input {
            Click::At(point) => Some(*point),
            Click::Pass => None,
        };
        self.half_made.iter().filter_map(point).collect()
    }

    /// Records that the side whose turn it is not has passed while a move is half made. It changes nothing but what is
    /// taken back next.
    pub fn add_pass_between(&mut self) {
        self.half_made.push(Click::Pass);
    }

    /// Records that a move was given whole. It replaces the half-made one.
    pub fn add_whole_move(&mut self) {
        let replaced = std::mem::take(&mut self.half_made);
        self.steps.push(Step::Whole { replaced });
    }

    /// Records that the players have ended the game, which interrupts a half-made move.
    pub fn add_end(&mut self) {
        let interrupted = std::mem::take(&mut self.half_made);
        self.steps.push(Step::End { interrupted });
    }

    /// The legal moves that begin with the points of the half-made one, each with all its points.
    pub fn completions<G: Game>(&self, history: &GameHistory<G>) -> Vec<(G::Move, Vec<Point>)> {
        let (mut moves, half_made) = (Vec::new(), self.half_made());
        history.legal_moves(&mut moves);
        let mut completions = Vec::new();
        for mv in moves {
            let mut points = Vec::new();
            click_points(history.rules().as_ref(), history.position(), mv, &mut points);
            if points.starts_with(&half_made) {
                completions.push((mv, points));
            }
        }
        completions
    }

    /// The inputs that can come next, sorted; none if the game is over.
    pub fn legal<G: Game>(&self, history: &GameHistory<G>) -> Vec<Click> {
        let made = self.half_made().len();
        let next = |(_, points): (G::Move, Vec<Point>)| click_after(made, &points);
        let mut clicks: Vec<Click> = self.completions(history).into_iter().map(next).collect();
        clicks.sort_unstable();
        clicks.dedup();
        clicks
    }

    /// Carries out an input, which begins, continues or ends a move of this game.
    ///
    /// # Errors
    /// If no legal move continues with this input; nothing changes then.
    pub fn click<G: Game>(&mut self, history: &mut GameHistory<G>, click: Click) -> Result<(), String> {
        let at = match click {
            Click::At(at) => at,
            Click::Pass if history.outcome().is_some() => {
                self.steps.push(Step::Pass);
                return Ok(());
            }
            Click::Pass => {
                let half_made = self.half_made();
                let ended = self.completions(history).into_iter().find(|(_, points)| *points == half_made);
                let (mv, _) = ended.ok_or("no legal move ends here")?;
                self.finish(history, mv, true);
                return Ok(());
            }
        };
        if let Some(outcome) = history.outcome() {
            return Err(format!("the game is over: {}", history.outcome_sentence(outcome)));
        }
        let made = self.half_made().len();
        let mut completions = self.completions(history);
        completions.retain(|(_, points)| points.get(made) == Some(&at));
        match completions.as_slice() {
            [] if made == 0 => return Err("no legal move begins there".into()),
            [] => return Err("no legal move goes on there".into()),
            _ => self.half_made.push(click),
        }
        // With its last point a move is complete, unless another move goes on from there.
        if let [(mv, points)] = completions.as_slice()
            && points.len() == made + 1
        {
            self.finish(history, *mv, false);
        }
        Ok(())
    }

    fn finish<G: Game>(&mut self, history: &mut GameHistory<G>, mv: G::Move, passed: bool) {
        history.push(mv);
        self.steps.push(Step::Clicked { inputs: std::mem::take(&mut self.half_made), passed });
    }

    /// Takes back the last input, or the last move if it was given whole, or the end that the players have made.
    ///
    /// # Errors
    /// If there was no input yet.
    pub fn undo<G: Game>(&mut self, history: &mut GameHistory<G>) -> Result<(), String> {
        if self.half_made.pop().is_some() {
            return Ok(());
        }
        match self.steps.pop() {
            None => return Err("there is nothing to be taken back".into()),
            Some(Step::Pass) => {}
            Some(Step::End { interrupted }) => {
                history.resume();
                self.half_made = interrupted;
            }
            Some(Step::Whole { replaced }) => {
                history.pop();
                self.half_made = replaced;
            }
            Some(Step::Clicked { mut inputs, passed }) => {
                history.pop();
                if !passed {
                    inputs.pop();
                }
                self.half_made = inputs;
            }
        }
        Ok(())
    }

    /// The next input towards a legal move that begins with the points of the half-made one.
    pub fn next_click<G: Game>(&self, history: &GameHistory<G>, mv: G::Move) -> Click {
        let mut points = Vec::new();
        click_points(history.rules().as_ref(), history.position(), mv, &mut points);
        click_after(self.half_made().len(), &points)
    }
}

/// The input that follows the first `made` points in a move with these points: a pass if it has no more of them.
fn click_after(made: usize, points: &[Point]) -> Click {
    points.get(made).map_or(Click::Pass, |&at| Click::At(at))
}
