//! Generates the [cases](super::case) of a rule set: questions to an engine, and their replies.
//!
//! Positions come from games in which each move is the best of a few random moves by the static
//! evaluation, or just a random move. Such games end sooner than games of random moves only. The
//! illegal moves are moves from other positions, or moves with a random change. Invalid FENs are
//! valid FENs with a small change. The same seed gives the same cases.

use std::collections::{BTreeMap, BTreeSet};

use fastrand::Rng;
use thiserror::Error;

use pentarch_core::{MoveError, Options};
use pentarch_engine::engine_state::game_specific_options;
use pentarch_engine::error::EngineError;
use pentarch_system::LocatedError;

use super::case::{CaseQuestion, ConformanceCase, PositionReply};
use super::checked_rule_sets::RuleSet;
use super::reference::{GameEndCommandError, ReferenceGame, rule_id_of_invalid_fen};
use super::rule_cases::{RuleCaseError, RuleCaseQuestion, RuleTestCase, parse_rule_cases};

/// The numbers of cases of a rule set. There are fewer cases if random games do not provide enough.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CaseCounts {
    /// The number of positions with their legal moves.
    pub positions: usize,
    /// The number of illegal moves.
    pub illegal: usize,
    /// The number of invalid FENs.
    pub invalid: usize,
    /// The number of finished games.
    pub games: usize,
    /// The number of perft counts.
    pub perfts: usize,
}

impl CaseCounts {
    /// The numbers for the default rules and for each published rule set of a game.
    const CASES_PER_MAJOR_RULE_SET: CaseCounts =
        CaseCounts { positions: 300, illegal: 100, invalid: 40, games: 30, perfts: 4 };
    /// The numbers for the other rule sets.
    const CASES_PER_MINOR_RULE_SET: CaseCounts =
        CaseCounts { positions: 60, illegal: 20, invalid: 8, games: 8, perfts: 2 };

    /// Returns the numbers for a rule set.
    pub fn of_rule_set(set: &RuleSet) -> CaseCounts {
        if set.is_major {
            CaseCounts::CASES_PER_MAJOR_RULE_SET
        } else {
            CaseCounts::CASES_PER_MINOR_RULE_SET
        }
    }
}

/// Invalid full-move numbers. Valid ones are the whole numbers from 1 to 999999 without leading
/// zeros.
const INVALID_NUMBERS: [&str; 3] = ["0", "01", "1000000"];
/// The maximum number of plies of a game.
const MAX_RANDOM_GAME_PLIES: usize = 250;
/// The maximum number of legal moves of a position.
const MAX_LEGAL_MOVES_PER_CASE: usize = 250;
/// The maximum number of sequences that a perft counts.
const MAX_PERFT_NODES: u64 = 20_000;
/// The maximum depth of a perft.
const MAX_PERFT_DEPTH: u32 = 8;
/// The number of random moves from which the evaluation chooses.
const EVALUATED_MOVES: usize = 3;
/// The number of attempts for each illegal move or invalid FEN that is wanted.
const ATTEMPTS_PER_CASE: usize = 40;
/// The maximum number of random games for each finished game that is wanted.
const ATTEMPTS_PER_GAME: usize = 8;

/// An error in the list of a game's rule cases.
#[derive(Debug, Error)]
pub enum RuleCaseListError {
    /// A line is invalid.
    #[error("the rule cases of {game}: {error}")]
    List {
        /// The word that selects the game.
        game: &'static str,
        /// The error with its line.
        error: LocatedError<RuleCaseError>,
    },
    /// The position of a case is not valid.
    #[error("the rule case of {}: {error}", rules.join(" "))]
    Position {
        /// The names of the sentences that the case shows.
        rules: Vec<String>,
        /// The error of the position or of its moves.
        error: Box<EngineError>,
    },
    /// The string should be an invalid FEN, but is valid.
    #[error("the rule case of {}: {fen} is valid", rules.join(" "))]
    Valid {
        /// The names of the sentences that the case shows.
        rules: Vec<String>,
        /// The valid FEN.
        fen: String,
    },
    /// The players cannot end the game by a command.
    #[error("the rule case of {}: {error}", rules.join(" "))]
    End {
        /// The names of the sentences that the case shows.
        rules: Vec<String>,
        /// The error of the command.
        error: GameEndCommandError,
    },
}

/// Returns the cases that show the sentences of a game's rules. Cases under the same rules are
/// consecutive. `default` chooses the game and its default rules.
///
/// # Errors
/// If the list of the game has an invalid line, or a line that does not fit the rules.
pub fn generate_conformance_cases(
    default: &Options,
) -> Result<Vec<ConformanceCase>, RuleCaseListError> {
    let constants = ReferenceGame::new(default).constants();
    let own = game_specific_options(default);
    let list = parse_rule_cases(constants.rule_cases, default, own)
        .map_err(|error| RuleCaseListError::List { game: constants.game, error })?;
    let mut cases = list.into_iter().map(to_conformance_case).collect::<Result<Vec<_>, _>>()?;
    cases.sort_by(|one, other| one.options.cmp(&other.options));
    Ok(cases)
}

fn to_conformance_case(case: RuleTestCase) -> Result<ConformanceCase, RuleCaseListError> {
    let RuleTestCase { options, rules, fen, question } = case;
    let mut game = ReferenceGame::new(&options);
    let position_error =
        |error| RuleCaseListError::Position { rules: rules.clone(), error: Box::new(error) };
    game.set_up(fen, "").map_err(position_error)?;
    let first_fen = fen.map_or_else(|| game.fen(), str::to_string);
    let (first_fen, question) = match question {
        RuleCaseQuestion::Moves(moves) => {
            game.set_up(fen, moves).map_err(position_error)?;
            let after = Some(game.fen()).filter(|after| *after != first_fen);
            let reply = PositionReply { after, ..game.position_reply() };
            (first_fen, CaseQuestion::Position(reply))
        }
        RuleCaseQuestion::Move(mv) => (first_fen, move_legality_question(&mut game, mv)),
        RuleCaseQuestion::Invalid(invalid) => {
            if game.set_up(Some(invalid), "").is_ok() {
                return Err(RuleCaseListError::Valid { rules, fen: invalid.into() });
            }
            (invalid.into(), CaseQuestion::Invalid)
        }
        RuleCaseQuestion::End(command) => match game.end_by_players(command) {
            // Rules without an agreement reject the command, and the game goes on.
            Ok(()) | Err(GameEndCommandError::Engine(_)) => {
                let end = Some(command.to_string());
                let reply = PositionReply { end, ..game.position_reply() };
                (first_fen, CaseQuestion::Position(reply))
            }
            Err(error) => return Err(RuleCaseListError::End { rules, error }),
        },
    };
    Ok(ConformanceCase { rules, ..ConformanceCase::new(&options, first_fen, question) })
}

/// Returns the question whether a move is legal in the current position of a game.
fn move_legality_question(game: &mut ReferenceGame, mv: &str) -> CaseQuestion {
    let legal = game.resolve_move(mv).is_ok();
    let after = legal.then(|| {
        game.play(mv);
        let fen = game.fen();
        game.take_back();
        fen
    });
    CaseQuestion::Move { mv: mv.into(), legal, after }
}

/// Returns the cases of a rule set from random games.
pub fn generate_cases(set: &RuleSet, counts: CaseCounts, seed: u64) -> Vec<ConformanceCase> {
    let mut generator = CaseGenerator {
        options: &set.options,
        game: ReferenceGame::new(&set.options),
        random: Rng::with_seed(seed),
        positions: Vec::new(),
        fens: BTreeSet::new(),
        moves: BTreeSet::new(),
        shown_rules: BTreeMap::new(),
        outcomes: BTreeMap::new(),
        cases: Vec::new(),
    };
    generator.add_start();
    generator.add_games(counts);
    if set.is_major {
        generator.add_end_commands();
        generator.add_invalid_numbers();
    }
    generator.add_illegal_moves(counts.illegal);
    generator.add_invalid_fens(counts.invalid);
    generator.add_perfts(counts.perfts);
    generator.cases
}

/// The cases of a rule set so far, and the random games from which they come.
struct CaseGenerator<'a> {
    options: &'a Options,
    game: ReferenceGame,
    random: Rng,
    /// The FENs of the positions with cases.
    positions: Vec<String>,
    fens: BTreeSet<String>,
    /// The legal moves of all these positions.
    moves: BTreeSet<String>,
    /// For each sentence of the rules, the number of moves under this sentence whose effect is in a
    /// case.
    shown_rules: BTreeMap<Option<&'static str>, usize>,
    /// The number of finished games by their outcomes.
    outcomes: BTreeMap<String, usize>,
    cases: Vec<ConformanceCase>,
}

impl CaseGenerator<'_> {
    fn add_case(&mut self, fen: String, question: CaseQuestion) {
        self.cases.push(ConformanceCase::new(self.options, fen, question));
    }

    /// Returns to the start position.
    fn reset_to_start_position(&mut self) {
        // The start position is always valid.
        let _ = self.game.set_up(None, "");
    }

    fn add_start(&mut self) {
        self.reset_to_start_position();
        self.add_position();
    }

    /// Adds positions of random games, and finished games.
    fn add_games(&mut self, counts: CaseCounts) {
        let mut games = 0;
        for attempt in 0..ATTEMPTS_PER_GAME * counts.games {
            if self.positions.len() >= counts.positions && games >= counts.games {
                return;
            }
            self.reset_to_start_position();
            self.play_random_moves(counts.positions);
            // Some games end by a repetition.
            if attempt % 4 == 3 {
                self.reset_to_start_position();
                self.play_cycle();
            }
            games += usize::from(games < counts.games && self.add_finished_game(counts.games));
        }
    }

    /// Plays to the end of the game, and adds some of the positions.
    fn play_random_moves(&mut self, most_positions: usize) {
        for _ in 0..MAX_RANDOM_GAME_PLIES {
            let Some(mv) = self.choose_move() else { return };
            self.game.play(&mv);
            if self.positions.len() < most_positions && self.random.u8(..8) == 0 {
                self.add_position();
            }
        }
    }

    /// Returns a legal move; `None` if the game is over.
    fn choose_move(&mut self) -> Option<String> {
        let legal = self.game.legal_moves();
        let first = self.random.choice(&legal)?.text.clone();
        if self.random.u8(..3) == 0 {
            return Some(first);
        }
        let mut best = (self.evaluate_move(&first), first);
        for _ in 1..EVALUATED_MOVES {
            let mv = self.random.choice(&legal)?.text.clone();
            let score = self.evaluate_move(&mv);
            if score > best.0 {
                best = (score, mv);
            }
        }
        Some(best.1)
    }

    /// Returns the score of a legal move for its player. A move that ends the game has the highest
    /// score, so that games end.
    fn evaluate_move(&mut self, mv: &str) -> i32 {
        self.game.play(mv);
        let score = self.game.evaluation().map_or(i32::MAX, |score| -score);
        self.game.take_back();
        score
    }

    /// Plays some random moves, and then four moves that lead back to the same position, twice.
    /// Does nothing more if there are no such moves.
    fn play_cycle(&mut self) {
        for _ in 0..self.random.usize(8..30) {
            let Some(mv) = self.choose_move() else { return };
            self.game.play(&mv);
        }
        let start = fen_without_number(&self.game.fen());
        let mut cycle = Vec::new();
        for _ in 0..2 {
            let Some(mv) = self.random.choice(self.game.legal_moves()) else { return };
            self.game.play(&mv.text);
            cycle.push(mv.text);
        }
        let Some(back) = self.find_way_back(&start) else { return };
        for mv in &back {
            self.game.play(mv);
        }
        cycle.extend(back);
        for mv in &cycle {
            if !self.game.play(mv) {
                return;
            }
        }
    }

    /// Returns two moves that lead to this FEN, ignoring the full-move number; `None` if there are
    /// no such moves.
    fn find_way_back(&mut self, start: &str) -> Option<Vec<String>> {
        for first in self.game.legal_moves() {
            self.game.play(&first.text);
            for second in self.game.legal_moves() {
                self.game.play(&second.text);
                let is_back = fen_without_number(&self.game.fen()) == start;
                self.game.take_back();
                if is_back {
                    self.game.take_back();
                    return Some(vec![first.text, second.text]);
                }
            }
            self.game.take_back();
        }
        None
    }

    /// Adds the current position, unless the position already has a case or has too many moves.
    fn add_position(&mut self) {
        let fen = self.game.fen();
        let legal = self.game.legal_moves();
        if legal.len() > MAX_LEGAL_MOVES_PER_CASE || !self.fens.insert(fen.clone()) {
            return;
        }
        // The case contains only the FEN, but earlier positions may be the reason that the game is
        // over.
        if self.game.outcome() != "ongoing" {
            return;
        }
        let shown = legal.iter().min_by_key(|mv| self.shown_rules.get(&mv.rule).unwrap_or(&0));
        let mut reply =
            PositionReply { moves: String::new(), after: None, ..self.game.position_reply() };
        if let Some(mv) = shown {
            *self.shown_rules.entry(mv.rule).or_default() += 1;
            self.game.play(&mv.text);
            reply.next.insert(mv.text.clone(), self.game.fen());
            self.game.take_back();
        }
        self.moves.extend(legal.into_iter().map(|mv| mv.text));
        self.positions.push(fen.clone());
        self.add_case(fen, CaseQuestion::Position(reply));
    }

    /// Adds the current game if it is over, and if not too many games ended in the same way.
    /// Returns whether the game was added.
    fn add_finished_game(&mut self, games: usize) -> bool {
        let reply = self.game.position_reply();
        let count = self.outcomes.entry(reply.outcome.clone()).or_default();
        if reply.outcome == "ongoing" || *count > games / 2 {
            return false;
        }
        *count += 1;
        self.reset_to_start_position();
        let fen = self.game.fen();
        self.add_case(fen, CaseQuestion::Position(reply));
        true
    }

    /// Adds cases in which the players end the game.
    fn add_end_commands(&mut self) {
        self.reset_to_start_position();
        let fen = self.game.fen();
        for command in self.game.end_commands() {
            self.reset_to_start_position();
            if self.game.end_by_players(&command).is_ok() {
                let reply = PositionReply { end: Some(command), ..self.game.position_reply() };
                self.add_case(fen.clone(), CaseQuestion::Position(reply));
            }
        }
    }

    /// Adds moves that are illegal in one of the positions. The moves are legal in another
    /// position, or are changed at random. The number of cases for each sentence is limited, so
    /// that rare sentences also occur.
    fn add_illegal_moves(&mut self, wanted: usize) {
        let moves: Vec<String> = self.moves.iter().cloned().collect();
        let mut counts = BTreeMap::<Option<&str>, usize>::new();
        let mut tested = BTreeSet::new();
        let mut added = 0;
        let attempts = wanted * ATTEMPTS_PER_CASE;
        for attempt in 0..attempts {
            let fen = self.random.choice(&self.positions).cloned();
            let mv = self.random.choice(&moves).cloned();
            let (Some(fen), Some(mut mv)) = (fen, mv) else { return };
            if self.random.bool() {
                mv = self.change_string(&mv, &moves);
            }
            if added == wanted || self.game.set_up(Some(&fen), "").is_err() {
                return;
            }
            let Err(MoveError::Illegal(violation)) = self.game.resolve_move(&mv) else { continue };
            let rule = violation.decisive_rule_id();
            // Without rule cases the sentences of the rules have no ids.
            if rule.is_none() && !self.game.constants().rule_cases.is_empty() {
                continue;
            }
            let count = counts.entry(rule).or_default();
            let most = if attempt < attempts / 2 { wanted / 8 } else { wanted };
            if *count < most && tested.insert((fen.clone(), mv.clone())) {
                *count += 1;
                added += 1;
                self.add_case(fen, CaseQuestion::Move { mv, legal: false, after: None });
                if let Some((case, rule)) = self.cases.last_mut().zip(rule) {
                    case.rules.push(rule.into());
                }
            }
        }
    }

    /// Adds FENs of the start position with an invalid full-move number.
    fn add_invalid_numbers(&mut self) {
        self.reset_to_start_position();
        let start = fen_without_number(&self.game.fen());
        for number in INVALID_NUMBERS {
            let fen = format!("{start} {number}");
            self.fens.insert(fen.clone());
            self.add_case(fen, CaseQuestion::Invalid);
        }
    }

    /// Adds strings that are almost FENs.
    fn add_invalid_fens(&mut self, wanted: usize) {
        let fens = self.positions.clone();
        let mut counts = BTreeMap::<Option<&str>, usize>::new();
        let mut added = 0;
        for _ in 0..wanted * ATTEMPTS_PER_CASE {
            let Some(fen) = self.random.choice(&fens) else { return };
            let changed = self.change_string(fen, &fens);
            // Engines split lines into words, so spaces in other places would not matter.
            let has_same_words = changed.split(' ').all(|word| !word.is_empty());
            let Err(error) = self.game.set_up(Some(&changed), "") else { continue };
            let rule = rule_id_of_invalid_fen(&error);
            let count = counts.entry(rule).or_default();
            if added == wanted {
                return;
            }
            if has_same_words && *count < wanted / 4 && self.fens.insert(changed.clone()) {
                *count += 1;
                added += 1;
                self.add_case(changed, CaseQuestion::Invalid);
                if let Some((case, rule)) = self.cases.last_mut().zip(rule) {
                    case.rules.push(rule.into());
                }
            }
        }
    }

    /// Returns a string with a small change. The change may use characters of the other strings.
    fn change_string(&mut self, text: &str, others: &[String]) -> String {
        let mut bytes = text.as_bytes().to_vec();
        let other = self.random.choice(others).map_or("", String::as_str).as_bytes();
        let at = self.random.usize(..bytes.len());
        let from = self.random.usize(..bytes.len());
        match self.random.u8(..4) {
            0 => drop(bytes.remove(at)),
            1 => bytes.swap(at, from),
            2 => bytes.insert(at, bytes[from]),
            _ => bytes[at] = *self.random.choice(other).unwrap_or(&b'-'),
        }
        // FENs and moves are ASCII, so the string stays valid.
        String::from_utf8(bytes).unwrap_or_default()
    }

    /// Adds perft counts of the start position and of random positions, each as deep as the limit
    /// on the count permits.
    fn add_perfts(&mut self, wanted: usize) {
        let Some(wanted_others) = wanted.checked_sub(1) else { return };
        self.reset_to_start_position();
        let mut fens = vec![self.game.fen()];
        fens.extend(
            self.random.choose_multiple(self.positions.iter(), wanted_others).into_iter().cloned(),
        );
        for fen in fens {
            if self.game.set_up(Some(&fen), "").is_err() {
                continue;
            }
            let mut last = None;
            for depth in 1..=MAX_PERFT_DEPTH {
                let nodes = self.game.perft(depth);
                if nodes > MAX_PERFT_NODES {
                    break;
                }
                last = Some((depth, nodes));
                if nodes.saturating_mul(self.game.legal_moves().len() as u64) > 10 * MAX_PERFT_NODES
                {
                    break;
                }
            }
            if let Some((depth, nodes)) = last {
                self.add_case(fen, CaseQuestion::Perft { depth, nodes });
            }
        }
    }
}

/// Returns a FEN without its last field, the full-move number.
fn fen_without_number(fen: &str) -> String {
    fen.rsplit_once(' ').map_or(fen, |(start, _)| start).into()
}
