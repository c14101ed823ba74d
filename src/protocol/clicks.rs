//! Whole moves put together from single points, as a front end with a Go board plays them.

use crate::core::{Complete, Line, Point};

/// One input of such a front end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Click {
    /// A point of its board.
    At(Point),
    /// The pass: it ends a move that might go on, and stands for the moves of a game that is over.
    Pass,
}

/// The move that is half made, and how the moves before it were made.
#[derive(Debug, Clone, Default)]
pub struct Clicks {
    half: Vec<Point>,
    made: Vec<Made>,
}

/// How one step of the game was made, and so how it is taken back.
#[derive(Debug, Clone)]
enum Made {
    /// A move given whole, and the points of the half-made one in whose place it came.
    Whole { instead_of: Vec<Point> },
    /// A move clicked together, with the pass that ended it if there was one.
    Clicked { points: Vec<Point>, passed: bool },
    /// A pass after the end of the game.
    Pass,
}

impl Clicks {
    /// The points of the move that is half made.
    pub fn half(&self) -> &[Point] {
        &self.half
    }

    /// Takes note of a move that was given whole.
    pub fn whole_move(&mut self) {
        let instead_of = std::mem::take(&mut self.half);
        self.made.push(Made::Whole { instead_of });
    }

    /// The legal moves that begin like the one that is half made, each with all its points.
    pub fn completions<G: Complete>(&self, line: &Line<G>) -> Vec<(G::Move, Vec<Point>)> {
        let mut moves = Vec::new();
        line.legal_moves(&mut moves);
        let mut completions = Vec::new();
        for mv in moves {
            let mut points = Vec::new();
            line.game().clicks(line.position(), mv, &mut points);
            if points.starts_with(&self.half) {
                completions.push((mv, points));
            }
        }
        completions
    }

    /// The inputs that can come next, in order; none if the game is over.
    pub fn legal<G: Complete>(&self, line: &Line<G>) -> Vec<Click> {
        let next =
            |(_, points): (G::Move, Vec<Point>)| points.get(self.half.len()).map_or(Click::Pass, |&at| Click::At(at));
        let mut clicks: Vec<Click> = self.completions(line).into_iter().map(next).collect();
        clicks.sort_unstable();
        clicks.dedup();
        clicks
    }

    /// Makes an input: it begins, goes on with or ends a move of this line.
    ///
    /// # Errors
    /// If no legal move goes on like this; nothing changes then.
    pub fn click<G: Complete>(&mut self, line: &mut Line<G>, click: Click) -> Result<(), String> {
        let at = match click {
            Click::At(at) => at,
            Click::Pass if line.outcome().is_some() => {
                self.made.push(Made::Pass);
                return Ok(());
            }
            Click::Pass => {
                let ended = self.completions(line).into_iter().find(|(_, points)| *points == self.half);
                let (mv, _) = ended.ok_or("no legal move ends here")?;
                self.finish(line, mv, true);
                return Ok(());
            }
        };
        if let Some(outcome) = line.outcome() {
            return Err(format!("the game is over: {}", line.outcome_sentence(outcome)));
        }
        let mut longer = self.completions(line);
        longer.retain(|(_, points)| points.get(self.half.len()) == Some(&at));
        match longer.as_slice() {
            [] if self.half.is_empty() => return Err("no legal move begins there".into()),
            [] => return Err("no legal move goes on there".into()),
            _ => self.half.push(at),
        }
        // A move is complete when its points are, unless others go on from here.
        if let [(mv, points)] = longer.as_slice()
            && points.len() == self.half.len()
        {
            self.finish(line, *mv, false);
        }
        Ok(())
    }

    fn finish<G: Complete>(&mut self, line: &mut Line<G>, mv: G::Move, passed: bool) {
        line.push(mv);
        self.made.push(Made::Clicked { points: std::mem::take(&mut self.half), passed });
    }

    /// Takes the last input back.
    ///
    /// # Errors
    /// If there is none.
    pub fn undo<G: Complete>(&mut self, line: &mut Line<G>) -> Result<(), String> {
        if self.half.pop().is_some() {
            return Ok(());
        }
        match self.made.pop() {
            None => return Err("there is nothing to be taken back".into()),
            Some(Made::Pass) => {}
            Some(Made::Whole { instead_of }) => {
                line.pop();
                self.half = instead_of;
            }
            Some(Made::Clicked { mut points, passed }) => {
                line.pop();
                if !passed {
                    points.pop();
                }
                self.half = points;
            }
        }
        Ok(())
    }

    /// The next input of a legal move that begins like the one that is half made.
    pub fn next_of<G: Complete>(&self, line: &Line<G>, mv: G::Move) -> Click {
        let mut points = Vec::new();
        line.game().clicks(line.position(), mv, &mut points);
        points.get(self.half.len()).map_or(Click::Pass, |&at| Click::At(at))
    }
}
