//! The one implementation of the seam, generic over the game.

use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use crate::core::perft::perft;
use crate::core::projection::shaped;
use crate::core::text::shortened;
use crate::core::{Complete, Field, Grid, Line, MoveError, Options, Outcome, Point, PositionError, Side, SyntaxError};
use crate::games::Visitor;
use crate::search::control::Control;
use crate::search::table::Table;
use crate::search::{self, Answer, Limits, score};

use super::clicks::{Click, Clicks};
use super::command::Word;
use super::session::{CountJob, GoBoard, SearchAnswer, SearchJob, SearchRequest, Session};

/// Begins a session with the game that it visits.
pub struct NewSession<'a>(pub &'a Options);

impl Visitor for NewSession<'_> {
    type Output = Box<dyn Session>;

    fn visit<G: Complete>(self) -> Box<dyn Session> {
        begin(G::from_options(self.0))
    }
}

/// A session with this game in its start position.
pub fn begin<G: Complete>(game: G) -> Box<dyn Session> {
    let start = game.start();
    Box::new(GameSession { line: Line::new(Arc::new(game), start), clicks: Clicks::default() })
}

/// A session with one kind of game.
struct GameSession<G: Complete> {
    line: Line<G>,
    /// How the moves were made, as far as they came from a Go board.
    clicks: Clicks,
}

impl<G: Complete> GameSession<G> {
    /// The legal moves with their canonical texts, sorted by these.
    fn sorted_moves(&self) -> Vec<(String, G::Move)> {
        sorted_moves(&self.line)
    }
}

/// A game that begins at the start position or at a position text, and these moves.
///
/// # Errors
/// If any of it is wrong.
pub fn line_of<G: Complete>(rules: &Arc<G>, fen: Option<&[Word]>, moves: &[Word]) -> Result<Line<G>, String> {
    let position = match fen {
        None => rules.start(),
        Some(words) => {
            let text = words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ");
            rules.parse_position(&text).map_err(|error| bad_position(words, error))?
        }
    };
    let mut line = Line::new(rules.clone(), position);
    extend(&mut line, moves)?;
    Ok(line)
}

/// Makes moves up to the first that is not legal.
fn extend<G: Complete>(line: &mut Line<G>, moves: &[Word]) -> Result<(), String> {
    for (number, word) in (1..).zip(moves) {
        let mv = line.find_move(&word.text).map_err(|error| bad_move(number, word, error))?;
        line.push(mv);
    }
    Ok(())
}

fn sorted_moves<G: Complete>(line: &Line<G>) -> Vec<(String, G::Move)> {
    let mut moves = Vec::new();
    line.legal_moves(&mut moves);
    let mut sorted: Vec<_> = moves.into_iter().map(|mv| (line.game().move_text(mv), mv)).collect();
    sorted.sort_by(|a, b| a.0.cmp(&b.0));
    sorted
}

impl<G: Complete> Session for GameSession<G> {
    fn configure(&mut self, options: &Options) -> bool {
        let rules = G::from_options(options);
        let differ = rules != **self.line.game();
        if differ {
            let start = rules.start();
            self.line = Line::new(Arc::new(rules), start);
            self.clicks = Clicks::default();
        }
        differ
    }

    fn change_tables(&mut self, options: &Options) {
        self.line.change_game(Arc::new(G::from_options(options)));
    }

    fn set_position(&mut self, fen: Option<&[Word]>, moves: &[Word]) -> Result<(), String> {
        let line = line_of(self.line.game(), fen, moves)?;
        self.line = line;
        self.clicks = Clicks::default();
        Ok(())
    }

    fn play(&mut self, moves: &[Word]) -> Result<(), String> {
        let before = self.line.len();
        let made = extend(&mut self.line, moves);
        while made.is_err() && self.line.len() > before {
            self.line.pop();
        }
        made
    }

    fn undo(&mut self, count: u32) -> Result<(), String> {
        let made = self.line.len();
        if made < count as usize {
            return Err(format!("cannot take back {count}: moves made so far: {made}"));
        }
        for _ in 0..count {
            self.line.pop();
        }
        Ok(())
    }

    fn game(&self) -> &'static str {
        G::ID
    }

    fn side_to_move(&self) -> Side {
        self.line.game().side_to_move(self.line.position())
    }

    fn outcome(&self) -> Option<Outcome> {
        self.line.outcome()
    }

    fn outcome_text(&self) -> String {
        match self.line.outcome() {
            None => "ongoing".into(),
            Some(Outcome::Win(side, reason)) => format!("win {} {reason}", G::SIDES[side.index()]),
            Some(Outcome::Draw(reason)) => format!("draw {reason}"),
        }
    }

    fn verdict(&self) -> String {
        let sentence = |outcome| self.line.outcome_sentence(outcome);
        self.line.outcome().map_or_else(|| "the game goes on".into(), sentence)
    }

    fn position_text(&self) -> String {
        self.line.game().position_text(self.line.position())
    }

    fn beginning(&self) -> Option<String> {
        let rules = self.line.game();
        (*self.line.start() != rules.start()).then(|| rules.position_text(self.line.start()))
    }

    fn first_turn(&self) -> (u32, Side) {
        let (rules, start) = (self.line.game(), self.line.start());
        (rules.full_move(start), rules.side_to_move(start))
    }

    fn moves_made(&self) -> Vec<String> {
        self.line.moves().map(|mv| self.line.game().move_text(mv)).collect()
    }

    fn legal_moves(&self) -> Vec<String> {
        self.sorted_moves().into_iter().map(|(text, _)| text).collect()
    }

    fn canonical_move(&self, text: &str) -> Result<String, MoveError> {
        self.line.find_move(text).map(|mv| self.line.game().move_text(mv))
    }

    fn picture(&self) -> String {
        let (rules, position) = (self.line.game(), self.line.position());
        let mut line = self.line.clone();
        let mut annotated = |(_, mv)| {
            line.push(mv);
            let after = line.outcome();
            line.pop();
            rules.annotated_move(position, mv, after)
        };
        let moves: Vec<String> = self.sorted_moves().into_iter().map(&mut annotated).collect();
        let moves = if moves.is_empty() { "none".into() } else { moves.join(" ") };
        let picture = [
            rules.diagram(position),
            format!("Fen: {}", self.position_text()),
            format!("Key: {:016x}", rules.search_key(position)),
            format!("Legal: {moves}"),
            format!("Outcome: {}", self.outcome_text()),
        ];
        picture.join("\n")
    }

    fn evaluation(&self) -> String {
        if let Some(outcome) = self.line.outcome() {
            return format!("Eval: none, {}", self.line.outcome_sentence(outcome));
        }
        let (rules, position) = (self.line.game(), self.line.position());
        let insight = rules.study(position);
        let mut rows: Vec<(&str, [i32; 2])> = Vec::new();
        let mut weights = G::WEIGHTS.iter();
        rules.parts(position, &insight, |amounts| {
            rows.extend(weights.next().map(|(name, weight)| (*name, amounts.map(|amount| amount * weight / 10))));
        });
        rows.retain(|(_, amounts)| *amounts != [0; 2]);
        let width = rows.iter().map(|(name, _)| name.len()).max().unwrap_or(0).max("centipawns".len());
        let [first, second] = G::SIDES;
        let mut lines = vec![format!("{:width$}{first:>9}{second:>9}", "centipawns")];
        lines.extend(rows.iter().map(|(name, [first, second])| format!("{name:width$}{first:>9}{second:>9}")));
        let side = G::SIDES[self.side_to_move().index()];
        lines.push(format!("Eval: cp {} for {side}, to move", rules.evaluate(position, &insight)));
        lines.join("\n")
    }

    fn count(&self, depth: u32) -> CountJob {
        let mut line = Line::new(self.line.game().clone(), *self.line.position());
        Box::new(move |control, each| {
            let Some(below) = depth.checked_sub(1) else { return Some(1) };
            let mut sum = 0;
            for (text, mv) in sorted_moves(&line) {
                line.push(mv);
                let leaves = perft(&mut line, below, &|| control.is_over());
                line.pop();
                each(&text, leaves?);
                sum += leaves?;
            }
            Some(sum)
        })
    }

    fn search(&self, request: &SearchRequest) -> Result<Option<SearchJob>, String> {
        let (mut moves, mut texts) = (Vec::new(), HashSet::new());
        for (number, word) in (1..).zip(&request.moves) {
            let mv = self.line.find_move(&word.text).map_err(|error| bad_move(number, word, error))?;
            if texts.insert(self.line.game().move_text(mv)) {
                moves.push(mv);
            }
        }
        if request.moves.is_empty() {
            self.line.legal_moves(&mut moves);
        }
        let Some(&first) = moves.first() else { return Ok(None) };
        let line = self.line.clone();
        let Limits { depth, nodes, mate, multi_pv, solved, threads, skill, .. } = request.limits;
        let limits = Limits { depth, nodes, mate, moves, multi_pv, solved, threads, skill };
        let run = move |table: &Table, control: &Control, info: &mut dyn FnMut(String)| {
            let mut known = Answer { best: first, ponder: None, score: None, nodes: 0, faults: Vec::new() };
            let report = |step: search::Info<G::Move>| {
                if let (1, Some(&best)) = (step.rank, step.pv.first()) {
                    let (ponder, score, nodes) = (step.pv.get(1).copied(), Some(step.score), step.nodes);
                    known = Answer { best, ponder, score, nodes, faults: Vec::new() };
                }
                info(info_line(&line, &step));
            };
            let searched = catch_unwind(AssertUnwindSafe(|| search::search(&line, &limits, table, control, report)));
            let answer = searched.map(|answer| answer.unwrap_or(known.clone())).unwrap_or_else(|_| {
                known.faults.push("the search failed inside; this is a fault of the program".into());
                known
            });
            let text = |mv| line.game().move_text(mv);
            let Answer { best, ponder, score, nodes, mut faults } = answer;
            faults.extend(line.game().table_faults());
            SearchAnswer { best: text(best), ponder: ponder.map(text), score, nodes, faults }
        };
        Ok(Some(Box::new(run)))
    }

    fn has_repeated(&self) -> bool {
        self.line.has_repeated()
    }

    fn on_go_board(&mut self) -> &mut dyn GoBoard {
        self
    }
}

impl<G: Complete> GoBoard for GameSession<G> {
    fn grid(&self) -> Grid {
        self.line.game().grid()
    }

    fn fields(&self) -> Vec<Vec<Field>> {
        let game = self.line.game();
        let size = game.grid().size;
        let row = |rank| (0..size).map(|file| game.field(self.line.position(), Point::new(file, rank))).collect();
        (0..size).rev().map(row).collect()
    }

    fn graphics(&self) -> Vec<String> {
        let mut lines = self.line.game().graphics(self.line.position());
        lines.extend(shaped("CIRCLE", self.clicks.half().iter().copied()));
        lines
    }

    fn captured(&self) -> [u32; 2] {
        self.line.game().captured(self.line.position())
    }

    fn legal_clicks(&self) -> Vec<Click> {
        self.clicks.legal(&self.line)
    }

    fn click(&mut self, click: Click) -> Result<(), String> {
        self.clicks.click(&mut self.line, click)
    }

    fn play_whole(&mut self, text: &str) -> Result<(), MoveError> {
        let mv = self.line.find_move(text)?;
        self.line.push(mv);
        self.clicks.whole_move();
        Ok(())
    }

    fn take_back(&mut self) -> Result<(), String> {
        self.clicks.undo(&mut self.line)
    }

    fn is_half_made(&self) -> bool {
        !self.clicks.half().is_empty()
    }

    fn completions(&self) -> Vec<String> {
        self.clicks.completions(&self.line).into_iter().map(|(mv, _)| self.line.game().move_text(mv)).collect()
    }

    fn next_click(&self, text: &str) -> Option<Click> {
        let mv = self.line.find_move(text).ok()?;
        Some(self.clicks.next_of(&self.line, mv))
    }
}

fn info_line<G: Complete>(line: &Line<G>, info: &search::Info<G::Move>) -> String {
    let search::Info { depth, seldepth, rank, nodes, table_hits, per_mille_full, time, .. } = info;
    let per_second = (u128::from(*nodes) * 1_000_000).checked_div(time.as_micros()).unwrap_or(0);
    let pv: Vec<String> = info.pv.iter().map(|&mv| line.game().move_text(mv)).collect();
    format!(
        "info depth {depth} seldepth {seldepth} multipv {rank} score {} nodes {nodes} nps {per_second} \
         hashfull {per_mille_full} tbhits {table_hits} time {} pv {}",
        score::text(info.score),
        time.as_millis(),
        pv.join(" "),
    )
}

fn bad_move(number: usize, word: &Word, error: MoveError) -> String {
    match error {
        MoveError::Syntax(error) => {
            format!("move {number}, {}: {}", shortened(&word.text), error.shifted(word.column.saturating_sub(1)))
        }
        MoveError::Illegal(why) => {
            format!("{}move {number}, {}, is illegal: {why}", word.place(), shortened(&word.text))
        }
    }
}

fn bad_position(words: &[Word], error: PositionError) -> String {
    let place = words.first().map(Word::place).unwrap_or_default();
    match error {
        PositionError::Syntax(error) => format!("position text: {}", in_line(words, error)),
        PositionError::Invalid(why) => format!("{place}the position cannot be: {why}"),
    }
}

/// An error in words joined by single spaces, with its column in the line that these words stand in.
fn in_line(words: &[Word], error: SyntaxError) -> SyntaxError {
    let mut joined = 1;
    for (at, word) in words.iter().enumerate() {
        let length = word.text.chars().count();
        if error.column <= joined + length || at + 1 == words.len() {
            return error.shifted(word.column.saturating_sub(joined));
        }
        joined += length + 1;
    }
    error
}
