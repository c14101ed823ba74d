//! The subcommand `prove`: who can force a win from a position, with proofs that are written to files and checked.

use std::cell::{Cell, RefCell};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use clap::Args;

use crate::core::files::{check_new, read_plain};
use crate::core::{Complete, Line, OptionSpec, Options, Outcome, Side};
use crate::games::Visitor;
use crate::protocol::command::{self, Command, Word};
use crate::protocol::game_session::line_of;
use crate::protocol::host::rule_options;
use crate::protocol::jobs::Progress;
use crate::protocol::out::Out;
use crate::protocol::settings;
use crate::search::control::Control;
use crate::search::prover::book;
use crate::search::prover::check::Checked;
use crate::search::prover::file::{ProofFile, claim_text};
use crate::search::prover::solver::{Effort, Question};
use crate::search::prover::table::ProofTable;
use crate::search::prover::{Claim, Proof, Verdict, prove};

use super::{Failure, MOST, chosen_game, number, write_new};

/// Proves who can force a win from a position: the side to move, the other side, or neither.
///
/// Every answer has been checked by playing all that the other side can do against its replies: a win never comes back
/// to a position, a refutation stays on positions that are all followed. A win that rests on a repetition does not
/// count. A proof that is interrupted is lost.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct ProveArguments {
    /// The position, in the words of the command 'position': startpos, or fen and a position text; then perhaps moves
    /// and moves
    #[arg(value_name = "POSITION", default_value = "startpos", num_args = 1..)]
    position: Vec<String>,

    /// Settle each move of the position by itself
    #[arg(long)]
    moves: bool,

    /// Ask only whether this side can force a win
    #[arg(long, value_name = "SIDE")]
    side: Option<String>,

    /// Memory for what the search finds out, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 256, value_parser = number::<u32>(1, 65_536))]
    memory: u32,

    /// Solve the positions with at most this many men first and rest the proof on them, where the game can
    #[arg(long, value_name = "MEN", value_parser = number::<usize>(2, 32))]
    tables: Option<usize>,

    /// Give up a question after so many positions
    #[arg(long, value_name = "N", value_parser = number::<u64>(1, MOST))]
    nodes: Option<u64>,

    /// Write the first proof to this file, which must not be there yet
    #[arg(long, value_name = "FILE", conflicts_with = "moves")]
    output: Option<PathBuf>,

    /// Write a book for the winner to this file, which must not be there yet; it ends where the tables of a game take
    /// over that it makes by itself
    #[arg(long, value_name = "FILE", conflicts_with = "moves")]
    book: Option<PathBuf>,

    /// Check the proof in this file instead; it names the game, its rules and the position, but not the tables that it
    /// may rest on
    #[arg(long, value_name = "FILE", conflicts_with_all = ["position", "moves", "side", "nodes", "output"])]
    check: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  pentarch prove fen f2h4 b5c6d7e2e8f3g4h5 r - 9
  pentarch --game alquerque prove --moves fen x4/2o2/4o/5/5 l - - - 19
  pentarch --game alquerque prove --output win.proof fen x4/2o2/4o/5/5 l - - - 19
  pentarch prove --check win.proof

Exit codes:
  0   the question is settled, or the proof holds
  1   it is not, or does not
  2   bad arguments";

/// Proves or checks what the arguments say, and prints it.
///
/// # Errors
/// If the arguments are bad, the question was not settled, a proof does not hold, or a file cannot be written.
pub fn run(arguments: &ProveArguments, options: Options, out: &Out) -> Result<(), Failure> {
    let mut targets = [&arguments.output, &arguments.book].into_iter().flatten();
    targets.try_for_each(|path| check_new(path)).map_err(Failure::Failed)?;
    let Some(file) = &arguments.check else {
        let game = chosen_game(&options);
        return game.visit(Proving { arguments, options, out });
    };
    let in_file = |error: String| Failure::Failed(format!("{}: {error}", file.display()));
    let proof = read(file).map_err(in_file)?;
    let options = rules_of(&proof).map_err(in_file)?;
    let game = chosen_game(&options);
    game.visit(Checking { arguments, proof, options, out }).map_err(in_file)
}

fn read(file: &Path) -> Result<ProofFile, String> {
    ProofFile::parse(&read_plain(file).map_err(|error| error.to_string())?)
}

/// The options that a file names.
fn rules_of(proof: &ProofFile) -> Result<Options, String> {
    let mut options = Options::default();
    options.set(&settings::GAME, proof.value("Game")?).map_err(|error| error.to_string())?;
    for setting in proof.values("Option") {
        let (name, value) = setting.split_once('=').ok_or("an option without a value")?;
        let spec = settings::find(name)?;
        if !rule_options(&options).any(|rule| rule == spec) {
            return Err(format!("{} is no option of the rules", spec.name));
        }
        options.set(spec, value).map_err(|error| error.to_string())?;
    }
    Ok(options)
}

/// The check of a file.
struct Checking<'a> {
    arguments: &'a ProveArguments,
    proof: ProofFile,
    options: Options,
    out: &'a Out,
}

impl Visitor for Checking<'_> {
    type Output = Result<(), String>;

    fn visit<G: Complete>(self) -> Result<(), String> {
        let begun = Instant::now();
        let words = |text: &str| text.split_whitespace().map(Word::alone).collect::<Vec<_>>();
        let moves = words(self.proof.values("Moves").next().unwrap_or_default());
        let rules = Arc::new(G::from_options(&self.options));
        let line = line_of(&rules, Some(&words(self.proof.value("Position")?)), &moves)?;
        self.arguments.tables.inspect(|&men| solve_tables(rules.as_ref(), Some(men)));
        let (attacker, claim) = self.proof.claim::<G>()?;
        let question = Question::new(line, attacker);
        let checked = self.proof.check(&question, claim, &|| false).map_err(|flaw| flaw.to_string())?;
        let time = begun.elapsed().as_secs_f64();
        self.out.lines(&format!("{}\nTime: {time:.1} s", sentence(&question, claim, &checked)));
        match &self.arguments.book {
            Some(path) if claim == Claim::Win => {
                write_book(path, &question, |game: &G, position: &_| self.proof.reply(game, position), &self.options)
            }
            Some(_) => Err("a book is made from the proof of a win".into()),
            None => Ok(()),
        }
    }
}

/// The work on a position.
struct Proving<'a> {
    arguments: &'a ProveArguments,
    options: Options,
    out: &'a Out,
}

impl Visitor for Proving<'_> {
    type Output = Result<(), Failure>;

    fn visit<G: Complete>(self) -> Result<(), Failure> {
        let Proving { arguments, options, out } = self;
        let line = position::<G>(arguments, &options).map_err(Failure::Refused)?;
        if let Some(outcome) = line.outcome() {
            out.lines(&format!("the game is over: {}", line.outcome_sentence(outcome)));
            return Ok(());
        }
        let mut desk = Desk::new(line.game().as_ref(), arguments, out).map_err(Failure::Refused)?;
        arguments.tables.inspect(|&men| solve_tables(line.game().as_ref(), Some(men)));
        let settled = if arguments.moves { Ok(desk.settle_moves(line)) } else { desk.settle(line, &options) };
        let settled = settled.map_err(Failure::Failed)?;
        let (nodes, time) = (desk.nodes, desk.begun.elapsed().as_secs_f64());
        out.lines(&format!("Nodes: {nodes}\nTime: {time:.1} s\nMemory: {} MiB for the search", arguments.memory));
        match settled || out.is_closed() {
            true => Ok(()),
            false => Err(Failure::Failed("not settled: more memory or more nodes may help".into())),
        }
    }
}

/// Makes the tables of solved positions with at most so many men, or as many as the game makes by itself, if it has any.
fn solve_tables<G: Complete>(game: &G, men: Option<usize>) {
    let progress = RefCell::new(Progress::begin("tables".into()));
    game.begin_proof_tables(men);
    game.await_tables(&|| {
        progress.borrow_mut().show("being made");
        false
    });
}

fn position<G: Complete>(arguments: &ProveArguments, options: &Options) -> Result<Line<G>, String> {
    let words = format!("position {}", arguments.position.join(" "));
    let parsed = command::parse(&words).map_err(|error| error.to_string())?;
    let Some(Command::Position { fen, moves }) = parsed else { return Err("a position is expected".into()) };
    line_of(&Arc::new(G::from_options(options)), fen.as_deref(), &moves)
}

/// What is needed to answer questions one after the other.
struct Desk<'a, G: Complete> {
    arguments: &'a ProveArguments,
    out: &'a Out,
    /// What is known of each side as the attacker.
    tables: [ProofTable; 2],
    /// The sides to be asked about; none if it depends on the position.
    side: Option<Side>,
    begun: Instant,
    nodes: u64,
    game: std::marker::PhantomData<G>,
}

impl<'a, G: Complete> Desk<'a, G> {
    fn new(game: &G, arguments: &'a ProveArguments, out: &'a Out) -> Result<Self, String> {
        let named = |name: &String| {
            let found = Side::BOTH.into_iter().find(|side| G::SIDES[side.index()].eq_ignore_ascii_case(name));
            found.ok_or_else(|| format!("--side takes {} or {}", G::SIDES[0], G::SIDES[1]))
        };
        let side = arguments.side.as_ref().map(named).transpose()?;
        let share = arguments.memory as usize;
        // Of the second table nothing is used before it is needed, but it should have its share then.
        let share = if side.is_some() { [share, share] } else { [share / 2, share / 2] };
        let table = |mib: usize| ProofTable::new(mib, game).ok_or("there is not so much memory");
        let tables = [table(share[0])?, table(share[1])?];
        Ok(Desk { arguments, out, tables, side, begun: Instant::now(), nodes: 0, game: std::marker::PhantomData })
    }

    /// Answers one question, with what the earlier ones about the same attacker have taught.
    fn ask(&mut self, question: &Question<G>, title: &str) -> Option<Proof<G::Move>> {
        let (control, before) = (Control::new(None, false, false), self.nodes);
        let mut progress = Progress::begin(title.into());
        let mut watch = |nodes: u64| progress.show(&format!("{nodes} nodes"));
        let most_nodes = before.saturating_add(self.arguments.nodes.unwrap_or(u64::MAX));
        let table_hits = Cell::new(0);
        let mut effort = Effort { control: &control, nodes: before, most_nodes, table_hits, watch: &mut watch };
        let verdict = prove(question, &mut self.tables[question.attacker.index()], &mut effort);
        self.nodes = effort.nodes;
        match verdict {
            Verdict::Proved(proof) => Some(proof),
            Verdict::NotWithin | Verdict::Open => None,
        }
    }

    /// Finds out who wins: the side that is asked about, or the one to move, then the other. Returns whether it is
    /// settled.
    fn settle(&mut self, line: Line<G>, options: &Options) -> Result<bool, String> {
        let to_move = line.game().side_to_move(line.position());
        let mut file = self.arguments.output.as_ref();
        for attacker in self.side.map_or(vec![to_move, !to_move], |side| vec![side]) {
            let question = Question::new(line.clone(), attacker);
            let Some(proof) = self.ask(&question, G::SIDES[attacker.index()]) else { return Ok(false) };
            self.out.lines(&sentence(&question, proof.claim, &proof.checked));
            if let Some(path) = file.take() {
                write_new(path, ProofFile::text(&question, &proof, &rules_set(options)).as_bytes())?;
            }
            if proof.claim == Claim::Win {
                if let Some(path) = &self.arguments.book {
                    let reply = |game: &G, position: &_| proof.replies.get(&game.search_key(position)).copied();
                    write_book(path, &question, reply, options)?;
                }
                break;
            }
        }
        Ok(true)
    }

    /// Finds out what each move is worth, as long as somebody reads it. Returns whether all of them are settled.
    fn settle_moves(&mut self, mut line: Line<G>) -> bool {
        let to_move = line.game().side_to_move(line.position());
        let mut moves = Vec::new();
        line.legal_moves(&mut moves);
        let mut moves: Vec<_> = moves.into_iter().map(|mv| (line.game().move_text(mv), mv)).collect();
        moves.sort_by(|a, b| a.0.cmp(&b.0));
        let mut all = true;
        for (text, mv) in moves {
            line.push(mv);
            let worth = self.worth(&line, to_move, &text);
            line.pop();
            all &= worth.is_some();
            self.out.lines(&format!("{text}: {}", worth.unwrap_or_else(|| "not settled".into())));
            if self.out.is_closed() {
                break;
            }
        }
        all
    }

    /// What a position is worth to the side that has just moved; none if it is not settled.
    fn worth(&mut self, line: &Line<G>, mover: Side, title: &str) -> Option<String> {
        if let Some(outcome) = line.outcome() {
            let word = match outcome {
                Outcome::Win(side, _) if side == mover => "wins",
                Outcome::Win(..) => "loses",
                Outcome::Draw(_) => "draws",
            };
            return Some(format!("{word} at once"));
        }
        let mut positions = 0;
        for attacker in self.side.map_or(vec![mover, !mover], |side| vec![side]) {
            let question = Question::new(line.clone(), attacker);
            let Proof { claim, checked, .. } = self.ask(&question, title)?;
            positions += checked.positions;
            if claim == Claim::Win {
                let word = if attacker == mover { "wins" } else { "loses" };
                return Some(format!("{word} in at most {} plies more, {positions} positions checked", checked.plies));
            }
        }
        let word = match self.side {
            Some(side) => format!("{} does not win", G::SIDES[side.index()]),
            None => "neither side wins".into(),
        };
        Some(format!("{word}, {positions} positions checked"))
    }
}

/// The answer for people.
fn sentence<G: Complete>(question: &Question<G>, claim: Claim, checked: &Checked) -> String {
    let game = question.line.game();
    let by_repetition = matches!(game.repetition_outcome(question.line.position()), Some(Outcome::Win(..)));
    let how = match claim {
        Claim::Win => format!(" in at most {} plies", checked.plies),
        Claim::Refuted if by_repetition => " without a repetition".into(),
        Claim::Refuted => String::new(),
    };
    let Checked { positions, replies, .. } = checked;
    let claim = claim_text::<G>(question.attacker, claim);
    format!("{claim}{how}: {replies} replies, {positions} positions checked")
}

/// The options of the rules that are not at their defaults.
fn rules_set(options: &Options) -> Vec<(&'static OptionSpec, String)> {
    let all = rule_options(options).map(|spec| (spec, options.text(spec)));
    all.filter(|(spec, value)| *value != spec.default_value()).collect()
}

/// Writes the book of a win that is proved; it ends where the game solves the positions by itself.
fn write_book<G: Complete>(
    path: &Path,
    question: &Question<G>,
    reply: impl Fn(&G, &G::Position) -> Option<G::Move>,
    options: &Options,
) -> Result<(), String> {
    let game = G::from_options(options);
    solve_tables(&game, None);
    write_new(path, &book::bytes(question, reply, game)?)
}
