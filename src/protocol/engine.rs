//! The loop of the protocol: which command is carried out when, and what stays between commands.
//!
//! One thread reads lines, one carries commands out, and each search runs on a thread of its own; all that happens
//! arrives at the second one as [`Event`]s. While a search runs, questions are answered at once, `stop`, `ponderhit` and
//! `quit` act at once, and every other command waits in a queue, with all that comes after it.

use std::collections::VecDeque;
use std::io::{BufRead, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Duration;

use crate::core::text::{did_you_mean, quoted};
use crate::core::{Complete, MoveError, OptionKind, OptionSpec, Options, Outcome, Side};
use crate::games::{GameId, Visitor};
use crate::search::Limits;
use crate::search::clock::{self, Budget, Clock};
use crate::search::control::Control;
use crate::search::table::Table;

use super::command::{self, Command, Go, Query, Word};
use super::input::{BadLine, next_line};
use super::jobs::{self, Job};
use super::out::{Errors, Out};
use super::session::{NewSession, SearchRequest, Session};
use super::{help, settings};

/// Something that the loop must deal with.
enum Event {
    /// A line came in.
    Line(Result<String, BadLine>),
    /// The input has ended.
    End,
    /// The job is done; a search has this score.
    Finished(Option<i32>),
}

/// What waits to be carried out.
struct Waiting {
    task: Task,
    /// Whether `stop` came after it: a job is then to end at once.
    stopped: bool,
}

enum Task {
    Command(Command),
    /// A line that is no command, to be answered with this error.
    Refuse(String),
    /// The end of the input.
    End,
}

impl Task {
    /// Whether it is carried out while a search runs.
    fn is_immediate(&self) -> bool {
        use Command::{Diagram, Eval, Help, IsReady, Legal, Query};
        match self {
            Task::Refuse(_) => true,
            Task::End => false,
            Task::Command(command) => {
                matches!(command, IsReady | Query(_) | Legal(_) | Diagram | Eval | Help(_))
            }
        }
    }
}

/// Reads commands until `quit`, the end of the input or of the output. Returns whether all input was accepted.
///
/// `options` are those set before the first command.
pub fn run(
    input: impl BufRead + Send + 'static,
    output: impl Write + Send + 'static,
    errors: Errors,
    options: Options,
) -> bool {
    let out = Out::new(output, errors);
    let (events, received) = channel();
    let lines = events.clone();
    let reading = thread::Builder::new().name("input".into()).spawn(move || read(input, &lines));
    if let Err(error) = reading {
        out.error(&format!("the input cannot be read: {error}"));
        return false;
    }
    Engine::new(out.clone(), events, options).run(&received);
    !out.has_refused()
}

fn read(mut input: impl BufRead, events: &Sender<Event>) {
    loop {
        let event = match next_line(&mut input) {
            Ok(Some(line)) => Event::Line(line),
            Ok(None) => Event::End,
            Err(error) => {
                log::error!("the input cannot be read any more: {error}");
                Event::End
            }
        };
        let is_end = matches!(event, Event::End);
        if events.send(event).is_err() || is_end {
            return;
        }
    }
}

struct Engine {
    out: Out,
    events: Sender<Event>,
    options: Options,
    /// The options before the first command.
    initial: Options,
    session: Box<dyn Session>,
    /// The transposition table and its size in MiB; none before it is needed.
    table: Option<(i64, Arc<Table>)>,
    /// The control of the job that runs.
    running: Option<Arc<Control>>,
    waiting: VecDeque<Waiting>,
    /// The score of the last search, for the side that it searched for.
    judgement: Option<i32>,
}

/// Whether the loop goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Flow {
    GoOn,
    End,
}

impl Engine {
    fn new(out: Out, events: Sender<Event>, options: Options) -> Engine {
        let session = new_session(&options);
        let (initial, waiting) = (options.clone(), VecDeque::new());
        Engine { out, events, options, initial, session, table: None, running: None, waiting, judgement: None }
    }

    fn run(&mut self, events: &Receiver<Event>) {
        while let Ok(event) = events.recv() {
            match event {
                Event::Line(line) => self.receive(line),
                Event::End => self.wait_for_turn(Task::End),
                Event::Finished(score) => {
                    self.running = None;
                    self.judgement = score.or(self.judgement);
                }
            }
            if self.out.is_closed() {
                self.stop_all();
                return;
            }
            if self.work_off() == Flow::End {
                return;
            }
        }
    }

    /// Acts at once on what acts at once, and puts everything else in the queue.
    fn receive(&mut self, line: Result<String, BadLine>) {
        let parsed = match line {
            Ok(line) => {
                log::debug!("> {line}");
                command::parse(&line).map_err(|error| error.to_string())
            }
            Err(error) => Err(error.to_string()),
        };
        match parsed {
            Ok(None) => {}
            Ok(Some(Command::Stop)) => self.stop_all(),
            Ok(Some(Command::PonderHit)) => self.ponder_hit(),
            Ok(Some(Command::Quit)) => {
                self.stop_all();
                self.wait_for_turn(Task::Command(Command::Quit));
            }
            Ok(Some(command)) => self.wait_for_turn(Task::Command(command)),
            Err(message) => self.wait_for_turn(Task::Refuse(message)),
        }
    }

    fn wait_for_turn(&mut self, task: Task) {
        self.waiting.push_back(Waiting { task, stopped: false });
    }

    fn stop_all(&mut self) {
        if let Some(control) = &self.running {
            control.stop();
        }
        self.waiting.iter_mut().for_each(|waiting| waiting.stopped = true);
    }

    /// The expected move was made: for the search that ponders, or for one that waits and was to ponder.
    fn ponder_hit(&mut self) {
        if let Some(control) = &self.running {
            control.ponderhit();
        }
        for waiting in &mut self.waiting {
            if let Task::Command(Command::Go(go)) = &mut waiting.task {
                go.ponder = false;
            }
        }
    }

    /// Carries out what may be carried out now.
    fn work_off(&mut self) -> Flow {
        while let Some(next) = self.waiting.front() {
            if let Some(control) = &self.running
                && !next.task.is_immediate()
            {
                if control.is_unbounded() {
                    control.stop();
                }
                return Flow::GoOn;
            }
            let Some(Waiting { task, stopped }) = self.waiting.pop_front() else { break };
            match task {
                Task::End | Task::Command(Command::Quit) => return Flow::End,
                Task::Refuse(message) => self.out.error(&message),
                Task::Command(command) => self.carry_out_safely(command, stopped),
            }
        }
        Flow::GoOn
    }

    /// A fault in one command must not end the program.
    fn carry_out_safely(&mut self, command: Command, stopped: bool) {
        let done = catch_unwind(AssertUnwindSafe(|| self.carry_out(command, stopped)));
        match done {
            Ok(Ok(())) => {}
            Ok(Err(message)) => self.out.error(&message),
            Err(_) => self.out.error("the command failed inside; this is a fault of the program"),
        }
    }

    fn carry_out(&mut self, command: Command, stopped: bool) -> Result<(), String> {
        match command {
            Command::Ugi => self.introduce(&settings::GAME, "ugiok"),
            Command::Uci => self.introduce(&settings::UCI_VARIANT, "uciok"),
            Command::IsReady => {
                self.table()?;
                self.out.lines("readyok");
            }
            Command::NewGame => self.forget(),
            Command::SetOption { name, value } => self.set_option(&name, &value)?,
            Command::Position { fen, moves } => self.session.set_position(fen.as_deref(), &moves)?,
            Command::Go(go) => self.go(&go, stopped)?,
            Command::Perft { depth, divide } => {
                let job = jobs::count(self.session.count(depth), depth, divide);
                self.start(job, Control::new(None, false, false), stopped)?;
            }
            Command::Bench(depth) => self.start(jobs::bench(depth), Control::new(None, false, false), stopped)?,
            Command::Query(query) => self.answer(&query),
            Command::Legal(None) => {
                let moves = self.session.legal_moves();
                self.out.lines(&format!("legal {}: {}", moves.len(), moves.join(" ")));
            }
            Command::Legal(Some(word)) => match self.session.canonical_move(&word.text) {
                Ok(text) => self.out.lines(&format!("legal {text}")),
                Err(MoveError::Illegal(why)) => self.out.lines(&format!("illegal {}: {why}", word.text)),
                Err(MoveError::Syntax(error)) => return Err(error.shifted(word.column - 1).to_string()),
            },
            Command::Play(moves) => self.session.play(&moves)?,
            Command::Undo(count) => self.session.undo(count)?,
            Command::Diagram => self.out.lines(&self.session.picture()),
            Command::DrawOffer => {
                let accepts = self.session.outcome().is_none() && self.judgement.is_some_and(|score| score <= 0);
                self.out.lines(if accepts { "response accept" } else { "response decline" });
            }
            Command::Eval => self.out.lines(&self.session.evaluation()),
            Command::Games => self.out.lines(&games()),
            Command::Help(None) => self.out.lines(&help::overview()),
            Command::Help(Some(word)) => {
                let unknown = || {
                    let hint = did_you_mean(&word.text, help::COMMANDS.iter().flat_map(help::Help::names));
                    format!("column {}: there is no command {}{hint}", word.column, quoted(&word.text))
                };
                self.out.lines(&help::about(&word.text).ok_or_else(unknown)?);
            }
            // Dealt with as they come in.
            Command::Stop | Command::PonderHit | Command::Quit => {}
        }
        Ok(())
    }

    fn introduce(&self, game: &'static OptionSpec, end: &str) {
        self.out.lines(&format!(
            "id name pentarch {}\nid author {}\n{}\n{end}",
            env!("CARGO_PKG_VERSION"),
            env!("CARGO_PKG_AUTHORS"),
            settings::list(game, &self.initial)
        ));
    }

    fn forget(&mut self) {
        self.judgement = None;
        if let Some((_, table)) = &self.table {
            table.clear();
        }
    }

    fn set_option(&mut self, name: &Word, value: &str) -> Result<(), String> {
        let unknown = || {
            let hint = did_you_mean(&name.text, settings::all().map(|spec| spec.name));
            format!("column {}: there is no option {}{hint}; 'ugi' lists them all", name.column, quoted(&name.text))
        };
        let spec = settings::find(&name.text).ok_or_else(unknown)?;
        let mut options = self.options.clone();
        options.set(spec, value).map_err(|error| error.to_string())?;
        if *spec == settings::HASH
            && let Some(free) = settings::free_memory().filter(|free| *free < options.number(spec))
        {
            let (asked, kept) = (options.number(spec), self.options.number(spec));
            return Err(format!("a Hash of {asked} MiB does not fit into the {free} MiB of free memory; {kept} stays"));
        }
        if *spec == settings::UCI_VARIANT {
            options.set(&settings::GAME, value).map_err(|error| error.to_string())?;
        }
        if *spec == settings::GAME || *spec == settings::UCI_VARIANT {
            self.session = new_session(&options);
            self.forget();
        } else if spec.kind == OptionKind::Button {
            self.forget();
        } else {
            self.session.configure(&options);
        }
        self.options = options;
        Ok(())
    }

    fn answer(&self, query: &Query) {
        let truth = |holds: bool| if holds { "true".to_string() } else { "false".into() };
        let session = &self.session;
        let response = match query {
            Query::GameOver => truth(session.outcome().is_some()),
            Query::P1Turn => truth(session.side_to_move() == Side::First),
            Query::P2Turn => truth(session.side_to_move() == Side::Second),
            Query::Result => match session.outcome() {
                None => "none".into(),
                Some(Outcome::Draw(_)) => "draw".into(),
                Some(Outcome::Win(Side::First, _)) => "p1win".into(),
                Some(Outcome::Win(Side::Second, _)) => "p2win".into(),
            },
            Query::Outcome => session.outcome_text(),
            Query::Game => session.game().into(),
            Query::Fen => session.position_text(),
            Query::Moves => {
                let moves = session.legal_moves();
                if moves.is_empty() { "none".into() } else { moves.join(" ") }
            }
            Query::IsLegal(word) => truth(session.canonical_move(&word.text).is_ok()),
        };
        self.out.lines(&format!("response {response}"));
    }

    /// Starts a search of the current position.
    fn go(&mut self, go: &Go, stopped: bool) -> Result<(), String> {
        let number = |spec| self.options.number(spec);
        let limits = Limits {
            depth: go.depth,
            nodes: go.nodes,
            mate: go.mate,
            moves: Vec::new(),
            multi_pv: number(&settings::MULTI_PV) as usize,
            threads: number(&settings::THREADS) as usize,
            skill: number(&settings::SKILL_LEVEL) as u32,
        };
        let request = SearchRequest { limits, moves: go.search_moves.clone() };
        let budget = self.budget(go);
        let is_limited = go.depth.is_some() || go.nodes.is_some() || go.mate.is_some();
        let infinite = go.infinite || (budget.is_none() && !is_limited);
        let Some(job) = self.session.search(&request)? else {
            self.out.lines("bestmove (none)");
            return Ok(());
        };
        let table = self.table()?;
        // Searches by depth or nodes are the same every time. And what a table holds does not count on repetitions,
        // so it is not to be trusted once the next one can end the game.
        if (budget.is_none() && is_limited && request.limits.threads == 1) || self.session.has_repeated() {
            table.clear();
        } else {
            table.begin_search();
        }
        let job = jobs::search(job, table, self.options.is_on(&settings::PONDER));
        self.start(job, Control::new(budget, go.ponder, infinite), stopped)
    }

    /// The time for a move, if there is a limit of it.
    fn budget(&self, go: &Go) -> Option<Budget> {
        let milliseconds = |time: i64| Duration::from_millis(u64::try_from(time).unwrap_or(0));
        let overhead = milliseconds(self.options.number(&settings::MOVE_OVERHEAD));
        let side = self.session.side_to_move();
        // A front end that tells only one clock means both.
        let own = |times: [Option<i64>; 2]| times[side.index()].or(times[(!side).index()]);
        let has_clock = own(go.time).is_some() || own(go.increment).is_some();
        let on_clock = has_clock.then(|| {
            let remaining = milliseconds(own(go.time).unwrap_or(0));
            let increment = milliseconds(own(go.increment).unwrap_or(0));
            clock::for_clock(Clock { remaining, increment, moves_to_go: go.moves_to_go }, overhead)
        });
        let on_move = go.movetime.map(|time| clock::for_move(milliseconds(time), overhead));
        match (on_clock, on_move) {
            (Some(a), Some(b)) => Some(Budget { soft: a.soft.min(b.soft), hard: a.hard.min(b.hard) }),
            (a, b) => a.or(b),
        }
    }

    /// The transposition table at the size asked for.
    fn table(&mut self) -> Result<Arc<Table>, String> {
        let size = self.options.number(&settings::HASH);
        match &self.table {
            Some((have, table)) if *have == size => Ok(table.clone()),
            _ => {
                let table = Table::new(size as usize);
                let table = Arc::new(table.map_err(|error| format!("no memory for a Hash of {size} MiB: {error}"))?);
                self.table = Some((size, table.clone()));
                Ok(table)
            }
        }
    }

    /// Runs a job on a thread of its own.
    fn start(&mut self, job: Job, control: Control, stopped: bool) -> Result<(), String> {
        if stopped {
            control.stop();
        }
        let control = Arc::new(control);
        let (for_job, out, events) = (control.clone(), self.out.clone(), self.events.clone());
        let run = move || {
            let score = catch_unwind(AssertUnwindSafe(|| job(&for_job, &out))).unwrap_or_else(|_| {
                out.error("the job failed inside; this is a fault of the program");
                None
            });
            // The loop is gone only when the program ends.
            let _ = events.send(Event::Finished(score));
        };
        thread::Builder::new().name("search".into()).spawn(run).map_err(|error| format!("no thread: {error}"))?;
        self.running = Some(control);
        Ok(())
    }
}

fn new_session(options: &Options) -> Box<dyn Session> {
    let chosen = GameId::ALL[options.choice(&settings::GAME)];
    chosen.visit(NewSession(options))
}

/// The list of games for people.
fn games() -> String {
    struct Row;
    impl Visitor for Row {
        type Output = String;
        fn visit<G: Complete>(self) -> String {
            let sides = G::SIDES.join(", ");
            format!("{:10} {:24} {sides:14} {}", G::ID, G::NAME, G::SUMMARY)
        }
    }
    GameId::ALL.iter().map(|id| id.visit(Row)).collect::<Vec<_>>().join("\n")
}
