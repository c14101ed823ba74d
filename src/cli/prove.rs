//! The subcommand `prove`: determines who can force a win from a position, by proof-number search.
//! Proofs are checked and can be written to files.

use std::cell::RefCell;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::Args;
use thiserror::Error;

use crate::analysis::proof::{PositionProver, start_tablebases_for_proof};
use crate::cli::CliError;
use crate::cli::arguments::{MAX_NODES_ARGUMENT, number_parser};
use crate::games::RunOperation;
use crate::io::output::Output;
use crate::io::progress::{ProgressLine, estimate_time_left};
use crate::io::proof_file::{ProofFile, ProofFileError, proof_claim_text};
use crate::io::whole_files::{check_output_path, read_regular_file, write_output_file};
use crate::protocol::ugi::command::Command;
use crate::protocol::ugi::parse;
use pentarch_core::{GameHistory, GameTables, Options, Outcome, Side};
use pentarch_engine::engine_state::{non_default_rules, two_player_rules};
use pentarch_engine::error::EngineError;
use pentarch_engine::game_session::{build_game_history, sorted_legal_moves};
use pentarch_engine::input_word::InputWord;
use pentarch_engine::proof::{MAX_PROOF_MEMORY_MIB, MAX_PROOF_TABLE_PIECES};
use pentarch_engine::record::set_rules_from_settings;
use pentarch_games::{Game, GameOperation};
use pentarch_search::control::SearchControl;
use pentarch_search::prover::book_builder::{BookBuildError, ProofStrategyFn};
use pentarch_search::prover::question::ProofQuestion;
use pentarch_search::prover::verify::ProofSize;
use pentarch_search::prover::{Proof, ProofClaim};
use pentarch_system::{FileError, WithErrorLocation};

/// Proves who can force a win from a position: the side to move, the other side, or no side.
///
/// Every answer is checked by playing all moves of the other side against the replies of the proof.
/// A proved win never returns to an earlier position. After each move, the replies of a refutation
/// lead only to positions that it covers. A win by a repetition does not count. An interrupted
/// proof is lost.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES_HELP)]
pub(super) struct ProveArguments {
    /// The position, in the words of the command 'position': startpos, or fen and a FEN; then
    /// optionally moves and the moves
    #[arg(value_name = "POSITION", default_value = "startpos", num_args = 1..)]
    pub position: Vec<String>,

    /// Settle each move of the position separately
    #[arg(long)]
    moves: bool,

    /// Prove only whether this side can force a win
    #[arg(long, value_name = "SIDE")]
    side: Option<String>,

    /// Memory for the search, in MiB [default: 256, or less if the system has less]
    #[arg(long, value_name = "MIB", value_parser = number_parser::<u32>(1, MAX_PROOF_MEMORY_MIB))]
    memory: Option<u32>,

    /// Solve the positions with at most this many pieces first and base the proof on them, in games
    /// that support it
    #[arg(long, value_name = "PIECES", value_parser = number_parser::<usize>(2, MAX_PROOF_TABLE_PIECES))]
    tables: Option<usize>,

    /// Give up a question after this number of positions
    #[arg(long, value_name = "N", value_parser = number_parser::<u64>(1, MAX_NODES_ARGUMENT))]
    nodes: Option<u64>,

    /// Write the proof about the side to move, or about SIDE, to this file, which must not exist;
    /// a second proof, about the other side, is not written
    #[arg(long, value_name = "FILE", conflicts_with = "moves")]
    output: Option<PathBuf>,

    /// Write a book for the winner to this file, which must not exist; the book ends at positions
    /// in the tables that the game builds by itself
    #[arg(long, value_name = "FILE", conflicts_with = "moves")]
    book: Option<PathBuf>,

    /// Check the proof in this file instead; the file names the game, its rules and the position,
    /// but not the tables on which the proof may be based
    #[arg(long, value_name = "FILE", conflicts_with_all = ["position", "moves", "side", "nodes", "output"])]
    pub check: Option<PathBuf>,
}

const EXAMPLES_HELP: &str = "\
Examples:
  pentarch prove fen f2h4 b5c6d7e2e8f3g4h5 r - 9
  pentarch --game alquerque prove --moves fen x4/2o2/4o/5/5 l - - - 19
  pentarch -g alquerque prove --output win.proof fen x4/2o2/4o/5/5 l - - - 19
  pentarch prove --check win.proof

Exit codes:
  0   the question is settled, or the proof holds
  1   it is not, or does not
  2   invalid arguments";

/// Runs the subcommand: searches for a proof or checks one, and prints the answer.
///
/// # Errors
/// Returns an error in these cases:
/// - The arguments are invalid.
/// - The question stays open.
/// - A proof is invalid.
/// - A file cannot be read or written.
pub(super) fn run_prove(
    arguments: &ProveArguments,
    options: Options,
    out: &Output,
) -> Result<(), CliError> {
    let mut targets = [&arguments.output, &arguments.book].into_iter().flatten();
    targets.try_for_each(|path| check_output_path(path)).map_err(CliError::command_failed)?;
    let Some(file) = &arguments.check else {
        let game = two_player_rules(&options, "a proof is about a game")
            .map_err(super::invalid_arguments_error)?;
        return game.run_operation(ProofSearchOperation { arguments, options, out });
    };
    let check = || {
        let proof = ProofFile::parse(&read_regular_file(file)?)?;
        let options = options_of_proof_file(&proof)?;
        let game = two_player_rules(&options, "a proof is about a game")?;
        game.run_operation(ProofCheckOperation { arguments, proof, options, out })
    };
    check().with_file_path(file).map_err(CliError::command_failed)
}

/// Returns the options that a proof file sets: the game and its rules.
fn options_of_proof_file(proof: &ProofFile) -> Result<Options, ProveError> {
    let mut options = Options::default();
    options
        .set(&pentarch_engine::games::GAME_OPTION, proof.tag_value("Game")?)
        .map_err(EngineError::from)?;
    set_rules_from_settings(&mut options, proof.tag_values("Option"))?;
    Ok(options)
}

/// An error while a proof file is read or checked, or while a file is written from a proof.
#[derive(Debug, Error)]
pub(crate) enum ProveError {
    /// The file of a proof cannot be read.
    #[error(transparent)]
    Read(#[from] io::Error),
    /// The file of a proof has another format, or its proof is invalid.
    #[error(transparent)]
    Proof(#[from] ProofFileError),
    /// A proof names an invalid game, rule or position.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// A book is requested from a proof without a winner.
    #[error("a book is made from the proof of a win")]
    NoWin,
    /// The book cannot be built.
    #[error(transparent)]
    Book(#[from] BookBuildError<String>),
    /// A file cannot be written.
    #[error(transparent)]
    Write(#[from] FileError),
}

/// The check of a proof file.
pub(crate) struct ProofCheckOperation<'a> {
    arguments: &'a ProveArguments,
    proof: ProofFile,
    options: Options,
    out: &'a Output,
}

impl GameOperation for ProofCheckOperation<'_> {
    type Output = Result<(), ProveError>;

    fn run_for_game_type<G: Game>(self) -> Result<(), ProveError> {
        let begun = Instant::now();
        let words =
            |text: &str| text.split_whitespace().map(InputWord::from_text).collect::<Vec<_>>();
        let moves = words(self.proof.tag_values("Moves").next().unwrap_or_default());
        let rules = Arc::new(G::from_options(&self.options));
        let history =
            build_game_history(&rules, Some(&words(self.proof.tag_value("Position")?)), &moves)?;
        let tables = tablebases_for_proof(rules.as_ref(), self.arguments.tables);
        let (attacker, claim) = self.proof.claimed_side_and_result::<G>()?;
        let question = ProofQuestion::new(history, tables, attacker);
        let size = self.proof.check_claim(&question, claim, &|| false)?;
        let time = begun.elapsed().as_secs_f64();
        let changed = non_default_rules(&self.options)
            .into_iter()
            .map(|(spec, value)| format!(" {}={value}", spec.name));
        let mut position = rules.position_text(question.history.start_position());
        if !question.history.is_empty() {
            let moves: Vec<String> =
                question.history.moves().map(|mv| rules.move_text(mv)).collect();
            position += &format!(" moves {}", moves.join(" "));
        }
        self.out.write_lines(&proof_answer_text(&question, claim, &size));
        self.out.write_lines(&format!(
            "Rules: {}{}\nPosition: {position}",
            G::GAME_ID,
            changed.collect::<String>()
        ));
        self.out.write_lines(&format!("Time: {time:.1} s"));
        match &self.arguments.book {
            Some(path) if claim == ProofClaim::Win => {
                write_proof_book(path, &question, &|rules: &G, position: &_| {
                    self.proof.reply_in_position(rules, position)
                })
            }
            Some(_) => Err(ProveError::NoWin),
            None => Ok(()),
        }
    }
}

/// The search for a proof about a position.
pub(crate) struct ProofSearchOperation<'a> {
    arguments: &'a ProveArguments,
    options: Options,
    out: &'a Output,
}

impl GameOperation for ProofSearchOperation<'_> {
    type Output = Result<(), CliError>;

    fn run_for_game_type<G: Game>(self) -> Result<(), CliError> {
        let ProofSearchOperation { arguments, options, out } = self;
        let history = parse_position::<G>(&arguments.position, &options)?;
        if let Some(outcome) = history.outcome() {
            out.write_lines(&format!("the game is over: {}", history.outcome_sentence(outcome)));
            return Ok(());
        }
        let mut session = ProveCommandSession::new(history.rules().as_ref(), arguments, out)?;
        let settled = if arguments.moves {
            Ok(session.print_proven_move_values(history))
        } else {
            session.prove_position(history, &options)
        };
        let settled = settled.map_err(CliError::command_failed)?;
        let PositionProver { nodes, memory, .. } = session.prover;
        let time = session.begun.elapsed().as_secs_f64();
        out.write_lines(&format!(
            "Nodes: {nodes}\nTime: {time:.1} s\nMemory: {memory} MiB for the search"
        ));
        match settled || out.is_closed() {
            true => Ok(()),
            false => {
                Err(CliError::Failed("not settled: more memory or more nodes may help".into()))
            }
        }
    }
}

/// Returns the tablebases for a proof under these rules. The tablebases contain the positions with
/// at most `men` pieces, or no positions if `men` is `None`.
fn tablebases_for_proof<G: Game>(rules: &G, men: Option<usize>) -> Arc<G::Tables> {
    let tables = start_tablebases_for_proof(rules, men);
    if men.is_some() {
        wait_for_tablebases::<G>(&tables);
    }
    tables
}

fn wait_for_tablebases<G: Game>(tables: &G::Tables) {
    let progress = RefCell::new(ProgressLine::begin("tables".into()));
    tables.wait_until_computed(&|| {
        progress.borrow_mut().show("being made");
        false
    });
}

/// Returns the history of the game in the words of a command `position`: a position and moves.
///
/// # Errors
/// If the words are not a position. The program reports this as an error of the arguments.
pub(super) fn parse_position<G: Game>(
    words: &[String],
    options: &Options,
) -> Result<GameHistory<G>, CliError> {
    let parsed = parse::parse_ugi_command(&format!("position {}", words.join(" ")));
    let Some(Command::Position { fen, moves }) = parsed.map_err(CliError::invalid_arguments)?
    else {
        return Err(CliError::InvalidArguments("a position is expected".into()));
    };
    let rules = Arc::new(G::from_options(options));
    build_game_history(&rules, fen.as_deref(), &moves).map_err(CliError::invalid_arguments)
}

/// The questions of the command, all answered by one prover.
struct ProveCommandSession<'a, G: Game> {
    arguments: &'a ProveArguments,
    out: &'a Output,
    prover: PositionProver<G>,
    /// The only side for which to prove a win; `None` for both sides.
    side: Option<Side>,
    begun: Instant,
}

impl<'a, G: Game> ProveCommandSession<'a, G> {
    fn new(rules: &G, arguments: &'a ProveArguments, out: &'a Output) -> Result<Self, CliError> {
        let parse_side = |name: &String| {
            let found = Side::BOTH_SIDES
                .into_iter()
                .find(|side| G::SIDE_NAMES[side.index()].eq_ignore_ascii_case(name));
            found
                .ok_or_else(|| format!("--side takes {} or {}", G::SIDE_NAMES[0], G::SIDE_NAMES[1]))
        };
        let side = arguments.side.as_ref().map(parse_side).transpose();
        let side = side.map_err(CliError::InvalidArguments)?;
        let begun = Instant::now();
        let sides = if side.is_some() { 1 } else { 2 };
        let tables = start_tablebases_for_proof(rules, None);
        let prover = PositionProver::new(rules, tables, arguments.memory, sides);
        let mut prover = prover.ok_or_else(|| {
            CliError::InvalidArguments(match arguments.memory {
                Some(mib) => format!("there is no memory of {mib} MiB: set a smaller --memory"),
                None => "there is no memory for the search".into(),
            })
        })?;
        prover.tables = tablebases_for_proof(rules, arguments.tables);
        Ok(ProveCommandSession { arguments, out, prover, side, begun })
    }

    /// Returns the sides for which to prove a win, beginning with `first`.
    fn sides_to_prove_win_for(&self, first: Side) -> Vec<Side> {
        self.side.map_or(vec![first, !first], |side| vec![side])
    }

    /// Answers one question; `None` if the question stays open.
    fn prove_question(
        &mut self,
        question: &ProofQuestion<G>,
        title: &str,
    ) -> Option<Proof<G::Move>> {
        let before = self.prover.nodes;
        let begun = Instant::now();
        let max_nodes = self.arguments.nodes;
        let mut progress = ProgressLine::begin(title.into());
        let mut on_progress = |nodes: u64| {
            progress.show(&proof_progress_text(nodes, nodes - before, max_nodes, begun.elapsed()))
        };
        self.prover.answer_proof_question(
            question,
            max_nodes,
            &SearchControl::default(),
            &mut on_progress,
        )
    }

    /// Determines and prints who can force a win. Asks about the requested side, or about the side
    /// to move and then the other side. Returns whether the question is settled.
    fn prove_position(
        &mut self,
        history: GameHistory<G>,
        options: &Options,
    ) -> Result<bool, ProveError> {
        let mut file = self.arguments.output.as_ref();
        for attacker in self.sides_to_prove_win_for(history.side_to_move()) {
            let question =
                ProofQuestion::new(history.clone(), self.prover.tables.clone(), attacker);
            let Some(proof) = self.prove_question(&question, G::SIDE_NAMES[attacker.index()])
            else {
                return Ok(false);
            };
            self.out.write_lines(&proof_answer_text(&question, proof.claim, &proof.size));
            if let Some(path) = file.take() {
                let text = ProofFile::format_proof(&question, &proof, &non_default_rules(options));
                write_output_file(path, text.as_bytes()).with_file_path(path)?;
            }
            if proof.claim == ProofClaim::Win {
                if let Some(path) = &self.arguments.book {
                    let reply = |rules: &G, position: &_| {
                        proof.replies.get(&rules.search_key(position)).copied()
                    };
                    write_proof_book(path, &question, &reply)?;
                }
                break;
            }
        }
        Ok(true)
    }

    /// Determines and prints the value of each move. Stops if the output is closed. Returns whether
    /// all values are settled.
    fn print_proven_move_values(&mut self, mut history: GameHistory<G>) -> bool {
        let to_move = history.side_to_move();
        let mut are_settled = true;
        for (text, mv) in sorted_legal_moves(&history) {
            history.push(mv);
            let value = self.position_value_text(&history, to_move, &text);
            history.pop();
            are_settled &= value.is_some();
            self.out
                .write_lines(&format!("{text}: {}", value.unwrap_or_else(|| "not settled".into())));
            if self.out.is_closed() {
                break;
            }
        }
        are_settled
    }

    /// Returns the value of a position for the side that has just moved, as a message; `None` if
    /// the value is not settled.
    fn position_value_text(
        &mut self,
        history: &GameHistory<G>,
        mover: Side,
        title: &str,
    ) -> Option<String> {
        if let Some(outcome) = history.outcome() {
            let word = match outcome {
                Outcome::Win(side, _) if side == mover => "wins",
                Outcome::Win(..) => "loses",
                Outcome::Draw(_) => "draws",
            };
            return Some(format!("{word} at once"));
        }
        let mut positions = 0;
        for attacker in self.sides_to_prove_win_for(mover) {
            let question =
                ProofQuestion::new(history.clone(), self.prover.tables.clone(), attacker);
            let Proof { claim, size, .. } = self.prove_question(&question, title)?;
            positions += size.positions;
            if claim == ProofClaim::Win {
                let word = if attacker == mover { "wins" } else { "loses" };
                return Some(format!(
                    "{word} in at most {} plies more, {positions} positions checked",
                    size.plies
                ));
            }
        }
        let word = match self.side {
            Some(side) => format!("{} does not win", G::SIDE_NAMES[side.index()]),
            None => "neither side wins".into(),
        };
        Some(format!("{word}, {positions} positions checked"))
    }
}

/// Returns the progress of a search in words: the number of nodes of all questions so far. If a
/// question has a node limit, the text also contains an estimate of the time left, from the `done`
/// nodes of the current question.
fn proof_progress_text(nodes: u64, done: u64, max_nodes: Option<u64>, spent: Duration) -> String {
    let left = max_nodes.and_then(|max| {
        estimate_time_left(spent, done as f64, max.saturating_sub(done) as f64, Duration::ZERO)
    });
    format!(
        "{nodes} nodes{}",
        left.map_or_else(String::new, |left| format!(", at most {left} left"))
    )
}

/// Returns the answer to a question as a message, with the size of its proof.
fn proof_answer_text<G: Game>(
    question: &ProofQuestion<G>,
    claim: ProofClaim,
    size: &ProofSize,
) -> String {
    let rules = question.history.rules();
    let by_repetition =
        matches!(rules.repetition_outcome(question.history.position()), Some(Outcome::Win(..)));
    let how = match claim {
        ProofClaim::Win => format!(" in at most {} plies", size.plies),
        ProofClaim::Disproved if by_repetition => " without a repetition".into(),
        ProofClaim::Disproved => String::new(),
    };
    let ProofSize { positions, replies, .. } = size;
    let claim = proof_claim_text::<G>(question.attacker, claim);
    format!("{claim}{how}: {replies} replies, {positions} positions checked")
}

/// Writes the opening book of a proved win. The book ends at positions in the tablebases that the
/// game computes by itself.
fn write_proof_book<G: Game>(
    path: &Path,
    question: &ProofQuestion<G>,
    reply: ProofStrategyFn<G>,
) -> Result<(), ProveError> {
    let rules = question.history.rules().as_ref();
    let tables = rules.create_uncomputed_tables(None);
    tables.begin_tablebases_for_proof(None);
    wait_for_tablebases::<G>(&tables);
    let book = (G::search_functions().book)(question, reply, tables);
    let book = book.map_err(|error| error.map(|position| rules.position_text(&position)))?;
    Ok(write_output_file(path, &book).with_file_path(path)?)
}
