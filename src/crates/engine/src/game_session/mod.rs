//! The one implementation of [`Session`], generic over the game.

mod game_search;

use std::collections::HashSet;
use std::sync::Arc;

use pentarch_core::options::REPETITION_DRAW;
use pentarch_core::rules_page;
use pentarch_core::rules_text::RulesText;
use pentarch_core::text::{did_you_mean, one_of, quoted};
use pentarch_core::{
    GameHistory, GivenFile, MakeTables, MoveError, MoveStyle, Options, Outcome, PlayerEnd, Probing,
    Side, SyntaxError, TableFiles, TableValue, Turn,
};
use pentarch_games::{Game, Visitor};
use pentarch_search::{Answer, Limits};

use crate::input_word::Word;
use crate::refused::Refused;
use crate::session::{
    Course, Facts, Features, Lesson, MAX_PLIES, May, PerftJob, Play, SearchJob, Searching, Session,
    Standing, Status, TablesJob, Texts,
};

use game_search::GameSearch;

/// Makes a session with the game that it visits, in its start position, by the rules that these options choose and with
/// these files of tables.
pub struct NewSession<'a>(pub &'a Options, pub Option<Arc<dyn TableFiles>>);

impl Visitor for NewSession<'_> {
    type Output = Box<dyn Session>;

    fn visit<G: Game>(self) -> Box<dyn Session> {
        session_with_rules(G::from_options(self.0), self.1)
    }
}

/// A session with the start position of these rules, and with these files of tables.
pub fn session_with_rules<G: Game>(
    rules: G,
    files: Option<Arc<dyn TableFiles>>,
) -> Box<dyn Session> {
    Box::new(GameSession::new(Arc::new(rules), files))
}

/// A session with one game.
pub(super) struct GameSession<G: Game> {
    pub(super) history: GameHistory<G>,
    /// The text of the position that the game began at, as it was given; none for the start position.
    start: Option<String>,
    /// The game's tablebases, and the files that they are read from.
    tables: Arc<G::Tables>,
    files: Option<Arc<dyn TableFiles>>,
    /// The texts of the moves as they were typed, with their marks.
    typed: Vec<String>,
}

/// The history of a game that begins at the position of the text `fen`, or at the start position without one, and in
/// which these moves are made.
///
/// # Errors
/// If the text is no position of these rules, or a move is not legal.
pub fn line_of<G: Game>(
    rules: &Arc<G>,
    fen: Option<&[Word]>,
    moves: &[Word],
) -> Result<GameHistory<G>, Refused> {
    let position = match fen {
        None => rules.start(),
        Some(words) => rules
            .parse_position(&joined(words))
            .map_err(|error| Refused::of_position(words, error))?,
    };
    let mut history = GameHistory::new(rules.clone(), position);
    extend(&mut history, moves, 0)?;
    Ok(history)
}

/// Makes the moves of a list from the index `first` on. If one of them is not legal, or the game would become too long,
/// none is made.
fn extend<G: Game>(
    history: &mut GameHistory<G>,
    moves: &[Word],
    first: usize,
) -> Result<(), Refused> {
    let before = history.len();
    if before + moves.len() - first > MAX_PLIES {
        return Err(format!("a game has at most {MAX_PLIES} moves").into());
    }
    for (number, word) in (1..).zip(moves).skip(first) {
        match history.find_move(&word.text) {
            Ok(mv) => history.push(mv),
            Err(error) => {
                while history.len() > before {
                    history.pop();
                }
                return Err(Refused::of_move(number, word, error));
            }
        }
    }
    Ok(())
}

/// The players of each team; none where each player plays for himself.
fn teams<G: Game>(rules: &G) -> Vec<Vec<&'static str>> {
    let of = |side| {
        let is_on = |&player: &usize| rules.side_of_player(player) == Some(side);
        (0..G::PLAYERS.len()).filter(is_on).map(|player| G::PLAYERS[player]).collect()
    };
    let teams: Vec<Vec<_>> = Side::BOTH.into_iter().map(of).collect();
    if teams.iter().all(|team| team.len() > 1) { teams } else { Vec::new() }
}

/// The words with single spaces between them.
fn joined(words: &[Word]) -> String {
    words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ")
}

/// The legal moves with their canonical texts, sorted by the texts.
pub fn sorted_moves<G: Game>(history: &GameHistory<G>) -> Vec<(String, G::Move)> {
    let mut moves = Vec::new();
    history.legal_moves(&mut moves);
    let mut sorted: Vec<_> =
        moves.into_iter().map(|mv| (history.rules().move_text(mv), mv)).collect();
    sorted.sort_by(|a, b| a.0.cmp(&b.0));
    sorted
}

impl<G: Game> GameSession<G> {
    /// A session with the start position of these rules. None of its tables is made yet.
    fn new(rules: Arc<G>, files: Option<Arc<dyn TableFiles>>) -> GameSession<G> {
        let (tables, start) = (rules.shared_tables(files.clone()), rules.start());
        let history = GameHistory::new(rules, start);
        GameSession { history, start: None, tables, files, typed: Vec::new() }
    }

    /// Keeps the texts that these moves were typed with, which were just made. All others that were made have their
    /// canonical texts.
    fn keep_typed(&mut self, moves: &[Word]) {
        self.typed.truncate(self.history.len() - moves.len());
        let (rules, known) = (self.history.rules(), self.typed.len());
        // Looking for others takes as long as the game is.
        if known < self.history.len() - moves.len() {
            let others = self.history.moves().take(self.history.len() - moves.len()).skip(known);
            self.typed.extend(others.map(|mv| rules.move_text(mv)));
        }
        self.typed.extend(moves.iter().map(|word| word.text.clone()));
    }
}

impl<G: Game> Play for GameSession<G> {
    fn configure(&mut self, options: &Options) -> bool {
        let rules = G::from_options(options);
        let is_other_game = rules != **self.history.rules();
        if is_other_game {
            *self = GameSession::new(Arc::new(rules), self.files.take());
        }
        is_other_game
    }

    fn set_table_files(&mut self, files: Option<Arc<dyn TableFiles>>) {
        self.tables = self.history.rules().shared_tables(files.clone());
        self.files = files;
    }

    fn set_position(&mut self, fen: Option<&[Word]>, moves: &[Word]) -> Result<(), Refused> {
        let kept = match self.shared_moves(fen, moves).filter(|&shared| shared > 0) {
            None => {
                self.history = line_of(self.history.rules(), fen, moves)?;
                0
            }
            Some(shared) => {
                let end = self.history.player_end();
                self.history.resume();
                let mut taken_back = Vec::new();
                while self.history.len() > shared {
                    taken_back.extend(self.history.pop());
                }
                if let Err(refused) = extend(&mut self.history, moves, shared) {
                    taken_back.into_iter().rev().for_each(|mv| self.history.push(mv));
                    // It ended the same game before.
                    end.map(|end| self.history.end(end));
                    return Err(refused);
                }
                shared
            }
        };
        self.start = fen.map(joined);
        self.keep_typed(&moves[kept..]);
        Ok(())
    }

    fn copy(&self) -> Box<dyn Session> {
        let GameSession { history, start, tables, files, typed } = self;
        let (history, start, tables) = (history.clone(), start.clone(), tables.clone());
        Box::new(GameSession { history, start, tables, files: files.clone(), typed: typed.clone() })
    }

    fn play(&mut self, moves: &[Word]) -> Result<(), Refused> {
        extend(&mut self.history, moves, 0)?;
        self.keep_typed(moves);
        Ok(())
    }

    fn end(&mut self, end: PlayerEnd) -> Result<(), Refused> {
        Ok(self.history.end(end)?)
    }

    fn undo(&mut self, count: u32) -> Result<(), Refused> {
        let ends = u32::from(self.history.player_end().is_some());
        let moves = self.history.len();
        if moves < count.saturating_sub(ends) as usize {
            let end = if ends > 0 { ", and the end of the game" } else { "" };
            return Err(format!("cannot take back {count}: moves made so far: {moves}{end}").into());
        }
        self.history.resume();
        for _ in ends..count {
            self.history.pop();
        }
        self.keep_typed(&[]);
        Ok(())
    }

    fn facts(&self) -> Facts {
        Facts { game: G::ID, sides: G::SIDES, players: G::PLAYERS, odds_scale: G::ODDS_SCALE }
    }

    fn standing(&self) -> Standing {
        let (history, rules) = (&self.history, self.history.rules());
        let (player, outcome) = (history.player_to_move(), history.outcome());
        let winner = outcome.and_then(Outcome::winner);
        Standing {
            moves: history.len(),
            player,
            side: history.side_to_move(),
            turn_number: rules.side_of_player(player).map_or(player, Side::index),
            outcome,
            winner_number: winner.map(|winner| rules.side_name(history.position(), winner).0),
            end: history.player_end(),
            knows_agreement: rules.knows_agreement(),
        }
    }

    fn status(&self) -> Status {
        let (history, rules) = (&self.history, self.history.rules());
        let (player, outcome) = (history.player_to_move(), history.outcome());
        let goes_on = outcome.is_none();
        // Where each player plays against all others, no player can end the game for them.
        let can_end = goes_on && rules.side_of_player(player).is_some();
        let sides = || if can_end { G::SIDES.to_vec() } else { Vec::new() };
        let winner = outcome.and_then(Outcome::winner);
        Status {
            turn: goes_on.then(|| G::PLAYERS[player]),
            player,
            players: G::PLAYERS,
            outcome: history.outcome_text(),
            sentence: history.status(),
            why: history.why_over(),
            teams: teams(&**rules),
            winner: winner.map(|winner| rules.side_name(history.position(), winner).1),
            may: May { resign: sides(), agree: goes_on && rules.knows_agreement(), flag: sides() },
        }
    }

    fn course(&self) -> Course {
        let (history, rules) = (&self.history, self.history.rules());
        let moves: Vec<String> = history.moves().map(|mv| rules.move_text(mv)).collect();
        let start = history.start();
        let turn = |position: &G::Position| (rules.player_to_move(position), position.full_move());
        Course {
            start: (*start != rules.start()).then(|| rules.position_text(start)),
            first_turn: (start.full_move(), start.side_to_move()),
            marked: moves
                .iter()
                .zip(&self.typed)
                .map(|(mv, typed)| mv.clone() + rules.move_marks(typed))
                .collect(),
            turns: history.positions_before().map(turn).collect(),
            moves,
        }
    }

    fn shared_moves(&self, fen: Option<&[Word]>, moves: &[Word]) -> Option<usize> {
        if self.start != fen.map(joined) {
            return None;
        }
        Some(self.typed.iter().zip(moves).take_while(|(typed, word)| **typed == word.text).count())
    }

    fn side_named(&self, word: &str) -> Result<Side, Refused> {
        let named = |names: &[&str]| names.iter().position(|name| name.eq_ignore_ascii_case(word));
        let side = named(&G::SIDES).map(|side| Side::BOTH[side]);
        // Where players have no side, whatever a player ends is refused later.
        let of_player = |player| self.history.rules().side_of_player(player).unwrap_or(Side::First);
        side.or_else(|| named(G::PLAYERS).map(of_player)).ok_or_else(|| {
            let mut names = G::PLAYERS.to_vec();
            names.extend(G::SIDES.into_iter().filter(|side| !G::PLAYERS.contains(side)));
            let hint = did_you_mean(word, names.iter().copied());
            Refused::new(format!("expected {}, found {}{hint}", one_of(&names), quoted(word)))
        })
    }
}

impl<G: Game> Texts for GameSession<G> {
    fn position_text(&self) -> String {
        self.history.rules().position_text(self.history.position())
    }

    fn legal_moves(&self) -> Vec<String> {
        self.history.move_texts()
    }

    fn canonical_move(&self, text: &str) -> Result<String, MoveError> {
        self.history.find_move(text).map(|mv| self.history.rules().move_text(mv))
    }

    fn outcome_words(&self, outcome: Outcome) -> String {
        self.history.outcome_words(outcome)
    }

    fn outcome_sentence(&self) -> String {
        let sentence = |outcome| self.history.outcome_sentence(outcome);
        self.history.outcome().map_or_else(|| "the game goes on".into(), sentence)
    }

    fn side_words(&self) -> ([&'static str; 2], Side) {
        let rules = self.history.rules();
        let seen = rules.seen_by_mover(self.history.position());
        (Side::BOTH.map(|side| rules.side_name(&seen, side).1), seen.side_to_move())
    }

    fn rules_text(&self) -> Result<RulesText<'static>, Refused> {
        Ok(rules_page::rules_text::<G>()?)
    }

    fn lesson(&self) -> Result<Lesson, Refused> {
        if G::LESSON.is_empty() {
            return Err(format!("{} has no guided first game", G::NAME).into());
        }
        let (usual, rules) = (Options::default(), G::OPTIONS.iter().chain([&REPETITION_DRAW]));
        Ok(Lesson {
            options: rules.map(|spec| (spec.name, usual.text(spec))).collect(),
            tasks: G::LESSON,
        })
    }

    fn rules(&self, topic: Option<&str>) -> Result<String, Refused> {
        Ok(rules_page::page::<G>(topic)?)
    }

    fn rules_in_short(&self) -> Option<String> {
        rules_page::summary(self.history.rules().as_ref())
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
        let moves: Vec<String> =
            sorted_moves(&self.history).into_iter().map(&mut annotated).collect();
        let moves = if moves.is_empty() { "none".into() } else { moves.join(" ") };
        let mut lines = vec![
            rules.diagram(position, Side::First),
            self.history.status(),
            format!("Fen: {}", self.position_text()),
            format!("Key: {:016x}", rules.search_key(position)),
            format!("Legal: {moves}"),
            format!("Outcome: {}", self.history.outcome_text()),
        ];
        lines.extend(rules.source_text(position).map(|text| format!("Source: {text}")));
        lines.join("\n")
    }

    fn source_text(&self) -> Option<String> {
        self.history.rules().source_text(self.history.position())
    }

    fn annotated_move(&self, text: &str) -> Result<String, MoveError> {
        let mv = self.history.find_move(text)?;
        let mut after = self.history.clone();
        after.push(mv);
        Ok(self.history.rules().annotated_move(self.history.position(), mv, after.outcome()))
    }

    fn move_styles(&self) -> &'static [MoveStyle] {
        G::MOVE_STYLES
    }

    fn read_styled(&self, style: &MoveStyle, text: &str) -> Result<String, SyntaxError> {
        self.history.rules().read_styled(style, text)
    }

    fn styled(&self, style: &MoveStyle, text: &str) -> String {
        self.history.rules().styled(style, text)
    }

    fn pictures(&self, viewer: Side) -> (String, Option<String>) {
        let rules = self.history.rules();
        let before = self.history.last().map(|(before, _)| rules.diagram(before, viewer));
        (rules.diagram(self.history.position(), viewer), before)
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
            rows.extend(
                weights
                    .next()
                    .map(|(name, weight)| (*name, amounts.map(|amount| amount * weight / 10))),
            );
        });
        rows.retain(|(_, amounts)| *amounts != [0; 2]);
        Some((rules.evaluate(position, &cache), rows))
    }

    fn evaluation(&self) -> String {
        let Some((score, rows)) = self.features() else {
            return format!("Eval: none, {}", self.outcome_sentence());
        };
        let width =
            rows.iter().map(|(name, _)| name.len()).max().unwrap_or(0).max("centipawns".len());
        let ([first, second], _) = self.side_words();
        let wide = [first, second].iter().map(|word| word.len() + 1).max().unwrap_or(0).max(9);
        let mut lines = vec![format!("{:width$}{first:>wide$}{second:>wide$}", "centipawns")];
        lines.extend(
            rows.iter().map(|(name, [first, second])| {
                format!("{name:width$}{first:>wide$}{second:>wide$}")
            }),
        );
        let side = G::PLAYERS[self.history.player_to_move()];
        lines.push(format!("Eval: cp {score} for {side}, to move"));
        lines.join("\n")
    }
}

impl<G: Game> Searching for GameSession<G> {
    fn search(&self, limits: &Limits<Word>) -> Result<Option<Box<dyn SearchJob>>, Refused> {
        let (mut moves, mut texts) = (Vec::new(), HashSet::new());
        for (number, word) in (1..).zip(&limits.moves) {
            let find = self.history.find_move(&word.text);
            let mv = find.map_err(|error| Refused::of_move(number, word, error))?;
            if texts.insert(self.history.rules().move_text(mv)) {
                moves.push(mv);
            }
        }
        if moves.is_empty() {
            self.history.legal_moves(&mut moves);
        }
        let Some(best) = moves.get(..1).and_then(|first| Answer::of(first, None, 0)) else {
            return Ok(None);
        };
        let (history, tables) = (self.history.clone(), self.tables.clone());
        Ok(Some(Box::new(GameSearch::new(history, tables, limits.with_moves(moves), best))))
    }

    fn lacking_files(&self) -> Vec<&'static dyn GivenFile> {
        let mut files = self.history.rules().files();
        files.retain(|file| !file.is_there());
        files
    }

    fn perft(&self, depth: u32) -> PerftJob {
        let mut history = GameHistory::new(self.history.rules().clone(), *self.history.position());
        Box::new(move |control, each| {
            let Some(below) = depth.checked_sub(1) else { return Some(1) };
            let mut sum = 0;
            for (text, mv) in sorted_moves(&history) {
                history.push(mv);
                let leaves = (G::functions().perft)(&mut history, below, &|| control.is_over());
                history.pop();
                each(&text, leaves?);
                sum += leaves?;
            }
            Some(sum)
        })
    }

    fn make_tables(&self) -> TablesJob {
        let tables = self.tables.clone();
        Box::new(move |control| {
            tables.begin();
            tables.wait(&|| control.is_over());
            tables.take_faults()
        })
    }

    fn known_winner(&self) -> Option<Option<Side>> {
        // A winner by tables comes nearer to its win with each move, so that no position recurs on the way. The loser
        // can only save itself where a position has occurred twice already.
        if self.history.outcome().is_some() || self.history.has_repetitions() {
            return None;
        }
        let side = self.history.side_to_move();
        let probed =
            self.history.rules().probe(&self.tables, self.history.position(), Probing::Thorough)?;
        Some(match probed.value()? {
            TableValue::Win(_) => Some(side),
            TableValue::Draw => None,
            TableValue::Loss(_) => Some(!side),
        })
    }

    fn is_solved(&self) -> bool {
        self.tables.have_solved_game()
    }
}
