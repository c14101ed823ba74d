//! The one implementation of [`Session`] and [`GoBoard`], generic over the game.

use std::collections::{BTreeMap, HashSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;

use crate::core::options::TABLE_PATH;
use crate::core::perft::perft;
use crate::core::projection::shaped;
use crate::core::rules_page::{self, Style};
use crate::core::rules_text::RulesText;
use crate::core::text::shortened;
use crate::core::{
    Field, Game, GameHistory, Grid, MakeTables, MoveError, Options, Outcome, PlayerEnd, PositionError, Side,
    SyntaxError, TableFiles, Turn,
};
use crate::files::Directory;
use crate::games::Visitor;
use crate::search::control::Control;
use crate::search::mate::score_in_own_moves;
use crate::search::transposition::TranspositionTable;
use crate::search::{self, Answer, Info, Limits};

use super::clicks::{Click, Clicks};
use super::front_end::FrontEnd;
use super::request::Word;
use super::session::{Features, GoBoard, MAX_PLIES, PerftJob, SearchJob, Session, TablesJob};

/// Makes a session with the game that it visits, in its start position.
pub struct NewSession<'a>(pub &'a Options);

impl Visitor for NewSession<'_> {
    type Output = Box<dyn Session>;

    fn visit<G: Game>(self) -> Box<dyn Session> {
        session_with_rules(G::from_options(self.0), self.0)
    }
}

/// A session with the start position of these rules. The options say where table files are.
pub fn session_with_rules<G: Game>(rules: G, options: &Options) -> Box<dyn Session> {
    let (start, tables) = (rules.start(), new_tables(&rules, options));
    let history = GameHistory::new(Arc::new(rules), start);
    Box::new(GameSession { history, tables, clicks: Clicks::default(), marks: BTreeMap::new() })
}

/// The tablebases for these rules. None of them is computed yet.
fn new_tables<G: Game>(rules: &G, options: &Options) -> Arc<G::Tables> {
    let path = options.text(&TABLE_PATH);
    let files = (!path.is_empty()).then(|| Arc::new(Directory(PathBuf::from(path))) as Arc<dyn TableFiles>);
    Arc::new(G::Tables::new(rules, files))
}

/// A session with one game.
pub(super) struct GameSession<G: Game> {
    pub(super) history: GameHistory<G>,
    /// The game's tablebases.
    tables: Arc<G::Tables>,
    /// How the moves were made on a Go board.
    clicks: Clicks,
    /// The marks that were typed with moves, by the index of the move.
    marks: BTreeMap<usize, String>,
}

/// The history of a game that begins at the position of the text `fen`, or at the start position without one, and in
/// which these moves are made.
///
/// # Errors
/// If the text is no position of these rules, or a move is not legal.
pub fn line_of<G: Game>(rules: &Arc<G>, fen: Option<&[Word]>, moves: &[Word]) -> Result<GameHistory<G>, String> {
    let position = match fen {
        None => rules.start(),
        Some(words) => {
            let text = words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ");
            rules.parse_position(&text).map_err(|error| bad_position(words, error))?
        }
    };
    let mut history = GameHistory::new(rules.clone(), position);
    extend(&mut history, moves)?;
    Ok(history)
}

/// Makes these moves, up to the first that is not legal. A game that would become too long gets none of them.
pub(super) fn extend<G: Game>(history: &mut GameHistory<G>, moves: &[Word]) -> Result<(), String> {
    if history.len() + moves.len() > MAX_PLIES {
        return Err(format!("a game has at most {MAX_PLIES} moves"));
    }
    for (number, word) in (1..).zip(moves) {
        let mv = history.find_move(&word.text).map_err(|error| bad_move(number, word, error))?;
        history.push(mv);
    }
    Ok(())
}

/// The legal moves with their canonical texts, sorted by the texts.
fn sorted_moves<G: Game>(history: &GameHistory<G>) -> Vec<(String, G::Move)> {
    let mut moves = Vec::new();
    history.legal_moves(&mut moves);
    let mut sorted: Vec<_> = moves.into_iter().map(|mv| (history.rules().move_text(mv), mv)).collect();
    sorted.sort_by(|a, b| a.0.cmp(&b.0));
    sorted
}

impl<G: Game> Session for GameSession<G> {
    fn configure(&mut self, options: &Options) -> bool {
        let rules = G::from_options(options);
        let is_other_game = rules != **self.history.rules();
        if is_other_game {
            let start = rules.start();
            self.tables = new_tables(&rules, options);
            self.history = GameHistory::new(Arc::new(rules), start);
            self.clicks = Clicks::default();
            self.marks.clear();
        }
        is_other_game
    }

    fn change_tables(&mut self, options: &Options) {
        self.tables = new_tables(self.history.rules().as_ref(), options);
    }

    fn set_position(&mut self, fen: Option<&[Word]>, moves: &[Word]) -> Result<(), String> {
        let history = line_of(self.history.rules(), fen, moves)?;
        self.history = history;
        self.clicks = Clicks::default();
        self.marks.clear();
        self.keep_marks(0, moves);
        Ok(())
    }

    fn play(&mut self, moves: &[Word]) -> Result<(), String> {
        let before = self.history.len();
        let made = extend(&mut self.history, moves);
        while made.is_err() && self.history.len() > before {
            self.history.pop();
        }
        if made.is_ok() {
            self.keep_marks(before, moves);
        }
        made
    }

    fn end(&mut self, end: PlayerEnd) -> Result<(), String> {
        self.history.end(end)?;
        self.clicks.add_end();
        Ok(())
    }

    fn player_end(&self) -> Option<PlayerEnd> {
        self.history.player_end()
    }

    fn knows_agreement(&self) -> bool {
        self.history.rules().knows_agreement()
    }

    fn undo(&mut self, count: u32) -> Result<(), String> {
        let ends = u32::from(self.history.player_end().is_some());
        let moves = self.history.len();
        if moves < count.saturating_sub(ends) as usize {
            let end = if ends > 0 { ", and the end of the game" } else { "" };
            return Err(format!("cannot take back {count}: moves made so far: {moves}{end}"));
        }
        self.history.resume();
        for _ in ends..count {
            self.history.pop();
        }
        self.marks.split_off(&self.history.len());
        Ok(())
    }

    fn game(&self) -> &'static str {
        G::ID
    }

    fn sides(&self) -> [&'static str; 2] {
        G::SIDES
    }

    fn players(&self) -> &'static [&'static str] {
        G::PLAYERS
    }

    fn player_to_move(&self) -> usize {
        self.history.player_to_move()
    }

    fn turn_number(&self) -> usize {
        let player = self.history.player_to_move();
        self.history.rules().side_of_player(player).map_or(player, Side::index)
    }

    fn winner_number(&self) -> Option<usize> {
        let winner = self.history.outcome()?.winner()?;
        Some(self.history.rules().winner(self.history.position(), winner).0)
    }

    fn side_named(&self, word: &str) -> Option<Side> {
        let named = |names: &[&str]| names.iter().position(|name| name.eq_ignore_ascii_case(word));
        let side = named(&G::SIDES).map(|side| Side::BOTH[side]);
        // Where players have no side, whatever a player ends is refused later.
        let of_player = |player| self.history.rules().side_of_player(player).unwrap_or(Side::First);
        side.or_else(|| named(G::PLAYERS).map(of_player))
    }

    fn side_words(&self) -> ([&'static str; 2], Side) {
        let rules = self.history.rules();
        let seen = rules.seen_by_mover(self.history.position());
        (rules.side_words(&seen), seen.side_to_move())
    }

    fn turns(&self) -> Vec<(usize, u32)> {
        let rules = self.history.rules();
        let turn = |position: &G::Position| (rules.player_to_move(position), position.full_move());
        self.history.positions_before().map(turn).collect()
    }

    fn side_to_move(&self) -> Side {
        self.history.side_to_move()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.history.outcome()
    }

    fn outcome_text(&self) -> String {
        self.history.outcome_text()
    }

    fn outcome_sentence(&self) -> String {
        let sentence = |outcome| self.history.outcome_sentence(outcome);
        self.history.outcome().map_or_else(|| "the game goes on".into(), sentence)
    }

    fn outcome_words(&self, outcome: Outcome) -> String {
        self.history.outcome_words(outcome)
    }

    fn status(&self) -> String {
        self.history.status()
    }

    fn position_text(&self) -> String {
        self.history.rules().position_text(self.history.position())
    }

    fn start_text(&self) -> Option<String> {
        let rules = self.history.rules();
        (*self.history.start() != rules.start()).then(|| rules.position_text(self.history.start()))
    }

    fn first_turn(&self) -> (u32, Side) {
        let start = self.history.start();
        (start.full_move(), start.side_to_move())
    }

    fn moves_made(&self) -> Vec<String> {
        self.history.moves().map(|mv| self.history.rules().move_text(mv)).collect()
    }

    fn marked_moves(&self) -> Vec<String> {
        let marks = |at| self.marks.get(&at).map_or("", String::as_str);
        (0..).zip(self.moves_made()).map(|(at, mv)| mv + marks(at)).collect()
    }

    fn legal_moves(&self) -> Vec<String> {
        self.history.move_texts()
    }

    fn canonical_move(&self, text: &str) -> Result<String, MoveError> {
        self.history.find_move(text).map(|mv| self.history.rules().move_text(mv))
    }

    fn rules_text(&self) -> Result<RulesText<'static>, String> {
        rules_page::rules_text::<G>()
    }

    fn board_text(&self) -> String {
        let (rules, position) = (self.history.rules(), self.history.position());
        let mut history = self.history.clone();
        let mut annotated = |(_, mv)| {
            history.push(mv);
            let after = history.outcome();
            history.pop();
            rules.annotated_move(position, mv, after)
        };
        let moves: Vec<String> = sorted_moves(&self.history).into_iter().map(&mut annotated).collect();
        let moves = if moves.is_empty() { "none".into() } else { moves.join(" ") };
        let mut lines = vec![
            rules.diagram(position, Side::First),
            self.history.status(),
            format!("Fen: {}", self.position_text()),
            format!("Key: {:016x}", rules.search_key(position)),
            format!("Legal: {moves}"),
            format!("Outcome: {}", self.outcome_text()),
        ];
        lines.extend(rules.source_text(position).map(|text| format!("Source: {text}")));
        lines.join("\n")
    }

    fn picture(&self, viewer: Side) -> String {
        self.history.rules().diagram(self.history.position(), viewer)
    }

    fn picture_before(&self, viewer: Side) -> Option<String> {
        let mut before = self.history.clone();
        before.pop()?;
        Some(before.rules().diagram(before.position(), viewer))
    }

    fn move_groups(&self) -> Vec<(&'static str, Vec<String>)> {
        let mut groups: Vec<(&str, Vec<String>)> = Vec::new();
        for (text, mv) in sorted_moves(&self.history) {
            let kind = self.history.rules().move_kind(self.history.position(), mv);
            match groups.iter_mut().find(|(known, _)| *known == kind) {
                Some((_, moves)) => moves.push(text),
                None => groups.push((kind, vec![text])),
            }
        }
        groups
    }

    fn rules(&self, topic: Option<&str>) -> Result<String, String> {
        rules_page::page::<G>(topic, Style::Screen)
    }

    fn features(&self) -> Option<(i32, Features)> {
        if self.history.outcome().is_some() {
            return None;
        }
        let rules = self.history.rules();
        let position = &rules.seen_by_mover(self.history.position());
        let cache = rules.eval_cache(position);
        let mut rows: Vec<(&str, [i32; 2])> = Vec::new();
        let mut weights = G::FEATURE_WEIGHTS.iter();
        rules.features(position, &cache, |amounts| {
            rows.extend(weights.next().map(|(name, weight)| (*name, amounts.map(|amount| amount * weight / 10))));
        });
        rows.retain(|(_, amounts)| *amounts != [0; 2]);
        Some((rules.evaluate(position, &cache), rows))
    }

    fn evaluation(&self) -> String {
        let Some((score, rows)) = self.features() else { return format!("Eval: none, {}", self.outcome_sentence()) };
        let width = rows.iter().map(|(name, _)| name.len()).max().unwrap_or(0).max("centipawns".len());
        let ([first, second], _) = self.side_words();
        let wide = [first, second].iter().map(|word| word.len() + 1).max().unwrap_or(0).max(9);
        let mut lines = vec![format!("{:width$}{first:>wide$}{second:>wide$}", "centipawns")];
        lines.extend(rows.iter().map(|(name, [first, second])| format!("{name:width$}{first:>wide$}{second:>wide$}")));
        let side = G::PLAYERS[self.history.player_to_move()];
        lines.push(format!("Eval: cp {score} for {side}, to move"));
        lines.join("\n")
    }

    fn odds_scale(&self) -> i32 {
        G::ODDS_SCALE
    }

    fn perft(&self, depth: u32) -> PerftJob {
        let mut history = GameHistory::new(self.history.rules().clone(), *self.history.position());
        Box::new(move |control, each| {
            let Some(below) = depth.checked_sub(1) else { return Some(1) };
            let mut sum = 0;
            for (text, mv) in sorted_moves(&history) {
                history.push(mv);
                let leaves = perft(&mut history, below, &|| control.is_over());
                history.pop();
                each(&text, leaves?);
                sum += leaves?;
            }
            Some(sum)
        })
    }

    fn search(&self, limits: &Limits<Word>) -> Result<Option<SearchJob>, String> {
        let (mut moves, mut texts) = (Vec::new(), HashSet::new());
        for (number, word) in (1..).zip(&limits.moves) {
            let mv = self.history.find_move(&word.text).map_err(|error| bad_move(number, word, error))?;
            if texts.insert(self.history.rules().move_text(mv)) {
                moves.push(mv);
            }
        }
        if moves.is_empty() {
            self.history.legal_moves(&mut moves);
        }
        let Some(&first) = moves.first() else { return Ok(None) };
        let limits = limits.with_moves(moves);
        let (history, tables) = (self.history.clone(), self.tables.clone());
        let run = move |table: &TranspositionTable, control: &Control, info: &mut dyn FnMut(Info<String>)| {
            // The best answer so far is given if the search panics.
            let mut best_so_far = Answer::unknown(first);
            // The score of the search, and the same as it is reported.
            let mut last = (0, 0);
            let report = |step: Info<G::Move>| {
                let reported = score_in_own_moves(&history, step.score, step.pv);
                if let (1, Some(&best)) = (step.rank, step.pv.first()) {
                    last = (step.score, reported);
                    let (ponder, score, nodes) = (step.pv.get(1).copied(), Some(step.score), step.nodes);
                    best_so_far = Answer { best, ponder, score, nodes, faults: Vec::new() };
                }
                let pv: Vec<String> = step.pv.iter().map(|&mv| history.rules().move_text(mv)).collect();
                info(step.with(reported, &pv));
            };
            let search = || search::search(&history, &tables, &limits, table, control, report);
            let searched = catch_unwind(AssertUnwindSafe(search));
            let mut answer = searched.map(|answer| answer.unwrap_or(best_so_far.clone())).unwrap_or_else(|_| {
                best_so_far.faults.push("the search failed inside; this is a fault of the program".into());
                best_so_far
            });
            answer.faults.extend(tables.take_faults());
            answer.score = answer.score.map(|score| if score == last.0 { last.1 } else { score });
            answer.map(|mv| history.rules().move_text(mv))
        };
        Ok(Some(Box::new(run)))
    }

    fn make_tables(&self) -> TablesJob {
        let tables = self.tables.clone();
        Box::new(move |control| {
            tables.begin();
            tables.wait(&|| control.is_over());
            tables.take_faults()
        })
    }

    fn has_repeated(&self) -> bool {
        self.history.has_repeated()
    }

    fn on_go_board(&mut self) -> &mut dyn GoBoard {
        self
    }

    fn front_end(&self) -> &dyn FrontEnd {
        self
    }
}

impl<G: Game> GameSession<G> {
    /// Keeps the marks of the moves that were just made with these texts, the first of which has this index.
    fn keep_marks(&mut self, first: usize, moves: &[Word]) {
        let rules = self.history.rules();
        let marks = (first..).zip(moves.iter().map(|word| rules.move_marks(&word.text).to_string()));
        self.marks.extend(marks.filter(|(_, marks)| !marks.is_empty()));
    }
}

impl<G: Game> GoBoard for GameSession<G> {
    fn grid(&self) -> Option<Grid> {
        self.history.rules().grid()
    }

    fn fields(&self) -> Vec<Vec<Field>> {
        let fields = self.history.rules().fields(self.history.position());
        let ranks = fields.iter().map(|(point, _)| point.rank + 1).max().unwrap_or(0);
        let row = |rank| fields.iter().filter(|(point, _)| point.rank == rank).map(|&(_, field)| field).collect();
        (0..ranks).rev().map(row).collect()
    }

    fn graphics(&self) -> Vec<String> {
        let mut lines = self.history.rules().graphics(self.history.position());
        lines.extend(shaped("CIRCLE", self.clicks.half_made().into_iter()));
        lines
    }

    fn captured(&self) -> [u32; 2] {
        let mut captured = self.history.rules().lost(self.history.position());
        captured.reverse();
        captured
    }

    fn legal_clicks(&self) -> Vec<Click> {
        self.clicks.legal(&self.history)
    }

    fn click(&mut self, click: Click) -> Result<(), String> {
        self.clicks.click(&mut self.history, click)
    }

    fn pass_between(&mut self) {
        self.clicks.add_pass_between();
    }

    fn play_whole(&mut self, text: &str) -> Result<(), MoveError> {
        let mv = self.history.find_move(text)?;
        self.history.push(mv);
        self.clicks.add_whole_move();
        Ok(())
    }

    fn take_back(&mut self) -> Result<(), String> {
        self.clicks.undo(&mut self.history)?;
        self.marks.split_off(&self.history.len());
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
            history.rules().click_points(history.position(), mv, &mut points);
            history.push(mv);
        }
        points.into_iter().skip(self.clicks.half_made().len()).map(Click::At).collect()
    }

    fn next_click(&self, text: &str) -> Option<Click> {
        let mv = self.history.find_move(text).ok()?;
        Some(self.clicks.next_click(&self.history, mv))
    }
}

/// The message for a move that is refused, the one with this number in a list.
pub(super) fn bad_move(number: usize, word: &Word, error: MoveError) -> String {
    match error {
        MoveError::Syntax(error) => {
            format!("move {number}, {}: {}", shortened(&word.text), error.shifted(word.column.saturating_sub(1)))
        }
        MoveError::Illegal(why) => {
            format!("{}move {number}, {}, is illegal: {why}", word.place(), shortened(&word.text))
        }
    }
}

/// The message for a position text that is refused.
fn bad_position(words: &[Word], error: PositionError) -> String {
    let place = words.first().map(Word::place).unwrap_or_default();
    match error {
        PositionError::Syntax(error) => format!("position text: {}", in_line(words, error)),
        PositionError::Invalid(why) => format!("{place}the position cannot be: {why}"),
    }
}

/// Converts an error whose column counts in these words joined by single spaces: its column then counts in the line of
/// input that has the words.
fn in_line(words: &[Word], error: SyntaxError) -> SyntaxError {
    let mut start = 1;
    for (at, word) in words.iter().enumerate() {
        let length = word.text.chars().count();
        if error.column <= start + length || at + 1 == words.len() {
            return error.shifted(word.column.saturating_sub(start));
        }
        start += length + 1;
    }
    error
}
