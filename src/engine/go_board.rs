//! The boundary between Go front ends and the games: a game in play whose moves are made point by point, and what such
//! a front end shows of it, as plain data.

use crate::core::layout::{DrawnSite, Mark, Piece};
use crate::core::projection::{Writing, click_point, click_points};
use crate::core::{Game, Grid, MoveError, Part, Point, Side};

use super::game_session::GameSession;
use super::go_clicks::Click;

/// A game in play on the board of a Go front end, which plays moves point by point: a move may be half made.
pub trait GoBoard {
    /// The size and kind of the board; `None` if the game has no such board.
    fn grid(&self) -> Option<Grid>;

    /// What the front end shows of the position in play; `None` if the game has no such board.
    fn go_scene(&self) -> Option<GoScene>;

    /// How many men each side has captured.
    fn captured(&self) -> [u32; 2];

    /// The inputs that can come next, sorted; none if the game is over.
    fn legal_clicks(&self) -> Vec<Click>;

    /// Carries out an input, which begins, continues or ends a move.
    ///
    /// # Errors
    /// If no legal move continues with this input; nothing changes then.
    fn click(&mut self, click: Click) -> Result<(), String>;

    /// Records that the side whose turn it is not has passed while a move is half made. It changes nothing but what is
    /// taken back next.
    fn pass_between(&mut self);

    /// Makes a move that is given whole. It replaces the half-made one.
    ///
    /// # Errors
    /// If the text does not have the form of a move, or the move is not legal; nothing changes then.
    fn play_whole(&mut self, text: &str) -> Result<(), MoveError>;

    /// Takes back the last input, a pass of the other side included, or the last move if it was given whole, or the end
    /// that the players have made.
    ///
    /// # Errors
    /// If there was no input yet.
    fn take_back(&mut self) -> Result<(), String>;

    /// Whether a move is half made.
    fn is_half_made(&self) -> bool;

    /// The texts of the legal moves that begin with the points of the half-made one.
    fn completions(&self) -> Vec<String>;

    /// The inputs for a line of legal moves from here on, without those of the half-made move. They end before a move
    /// that is not legal.
    fn vertices(&self, line: &[String]) -> Vec<Click>;

    /// The next input towards the move with this text, one of the [completions](GoBoard::completions); `None` if the
    /// move is not legal.
    fn next_click(&self, text: &str) -> Option<Click>;
}

/// What a Go front end shows of a position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GoScene {
    /// The size and kind of the board.
    pub grid: Grid,
    /// The sites of the game's board, in the order in which they are drawn.
    pub sites: Vec<GoSite>,
    /// What stands on them.
    pub pieces: Vec<GoPiece>,
    /// What is to be known of sites.
    pub marks: Vec<GoMark>,
    /// What the game calls its sides.
    pub sides: [&'static str; 2],
    /// What to say of each side below the board, after its name; empty if there is nothing to say.
    pub remarks: [Vec<Part>; 2],
    /// What else to say below the board; empty if there is nothing to say.
    pub note: Vec<Part>,
    /// The points of the half-made move.
    pub half_made: Vec<Point>,
}

/// A site of the game's board on that of the front end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GoSite {
    /// What kind of site it is: words of the list in `protocol.md`, separated by spaces.
    pub class: &'static str,
    /// The points that it covers, first the one by which it is clicked.
    pub points: Vec<Point>,
}

/// A piece on the board of the front end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GoPiece {
    /// What it is: `pawn`, `wall`, `king`, ...
    pub kind: &'static str,
    /// Whose it is; none if it belongs to nobody.
    pub side: Option<Side>,
    /// What is written on it: a word without spaces, or nothing.
    pub label: Vec<Part>,
    /// The points that it covers, first the one by which it is clicked.
    pub points: Vec<Point>,
}

/// Something to be known of a site in a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GoMark {
    /// What is to be known: a word of the list in `protocol.md`.
    pub kind: &'static str,
    /// The point by which the site is clicked.
    pub point: Point,
}

impl GoScene {
    /// What is shown of this position while no move is half made; none if Go front ends do not show this game.
    pub fn of<G: Game>(rules: &G, position: &G::Position) -> Option<GoScene> {
        let site = |drawn: DrawnSite| GoSite { class: drawn.class, points: rules.points(drawn.site) };
        let (scene, Writing { labels, remarks, note }) = (rules.scene(position), rules.writing(position));
        let piece = |piece: Piece| GoPiece {
            kind: piece.kind,
            side: piece.player.map(|player| Side::BOTH[player]),
            label: labels.iter().find(|label| label.0 == piece.site).map(|label| label.1.clone()).unwrap_or_default(),
            points: rules.points(piece.site),
        };
        let mark = |mark: Mark| GoMark { kind: mark.kind, point: click_point(rules, mark.site) };
        Some(GoScene {
            grid: rules.grid()?,
            sites: rules.geometry().sites.into_iter().map(site).collect(),
            pieces: scene.pieces.into_iter().map(piece).collect(),
            marks: scene.marks.into_iter().map(mark).collect(),
            sides: G::SIDES,
            remarks,
            note,
            half_made: Vec::new(),
        })
    }
}

impl<G: Game> GoBoard for GameSession<G> {
    fn grid(&self) -> Option<Grid> {
        self.history.rules().grid()
    }

    fn go_scene(&self) -> Option<GoScene> {
        let scene = GoScene::of(self.history.rules().as_ref(), self.history.position())?;
        Some(GoScene { half_made: self.clicks.half_made(), ..scene })
    }

    fn captured(&self) -> [u32; 2] {
        let mut captured = self.history.rules().scene(self.history.position()).lost;
        captured.reverse();
        captured
    }

    fn legal_clicks(&self) -> Vec<Click> {
        self.clicks.legal(&self.history)
    }

    fn click(&mut self, click: Click) -> Result<(), String> {
        self.clicks.click(&mut self.history, click)?;
        self.keep_typed(&[]);
        Ok(())
    }

    fn pass_between(&mut self) {
        self.clicks.add_pass_between();
    }

    fn play_whole(&mut self, text: &str) -> Result<(), MoveError> {
        let mv = self.history.find_move(text)?;
        self.history.push(mv);
        self.clicks.add_whole_move();
        self.keep_typed(&[]);
        Ok(())
    }

    fn take_back(&mut self) -> Result<(), String> {
        self.clicks.undo(&mut self.history)?;
        self.keep_typed(&[]);
        Ok(())
    }

    fn is_half_made(&self) -> bool {
        !self.clicks.half_made().is_empty()
    }

    fn completions(&self) -> Vec<String> {
        self.clicks.completions(&self.history).into_iter().map(|(mv, _)| self.history.rules().move_text(mv)).collect()
    }

    fn vertices(&self, line: &[String]) -> Vec<Click> {
        let mut history = self.history.clone();
        let mut points = Vec::new();
        for text in line {
            let Ok(mv) = history.find_move(text) else { break };
            click_points(history.rules().as_ref(), history.position(), mv, &mut points);
            history.push(mv);
        }
        points.into_iter().skip(self.clicks.half_made().len()).map(Click::At).collect()
    }

    fn next_click(&self, text: &str) -> Option<Click> {
        let mv = self.history.find_move(text).ok()?;
        Some(self.clicks.next_click(&self.history, mv))
    }
}
