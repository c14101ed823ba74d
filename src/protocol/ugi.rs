//! The commands: what each does with the game in play, the options and the table, and what it answers.

use std::sync::Arc;
use std::time::Duration;

use crate::core::text::{did_you_mean, quoted};
use crate::core::{Complete, MoveError, OptionKind, OptionSpec, Options, Outcome, Side};
use crate::games::{GameId, Visitor};
use crate::search::Limits;
use crate::search::clock::{self, Budget, Clock};
use crate::search::control::Control;
use crate::search::table::Table;

use super::command::{Command, Go, Query, Word};
use super::jobs::{self, Job};
use super::out::Out;
use super::session::{NewSession, SearchRequest, Session};
use super::{help, settings};

/// What stays between commands.
pub struct Ugi {
    out: Out,
    options: Options,
    /// The options before the first command.
    initial: Options,
    session: Box<dyn Session>,
    /// The transposition table and its size in MiB; none before it is needed.
    table: Option<(i64, Arc<Table>)>,
    /// The score of the last search, for the side that it searched for.
    judgement: Option<i32>,
}

/// A job to be run, and its control.
pub type Started = (Job, Control);

impl Ugi {
    /// A game in its start position, under the options set before the first command.
    pub fn new(out: Out, options: Options) -> Ugi {
        let session = new_session(&options);
        Ugi { out, initial: options.clone(), options, session, table: None, judgement: None }
    }

    /// Takes note of the score that a search ended with.
    pub fn remember(&mut self, score: Option<i32>) {
        self.judgement = score.or(self.judgement);
    }

    /// Answers a command. What takes its time is not done yet but returned, to be run elsewhere.
    ///
    /// # Errors
    /// What is wrong with it; nothing has changed then.
    pub fn carry_out(&mut self, command: Command) -> Result<Option<Started>, String> {
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
            Command::Go(go) => return self.go(&go),
            Command::Perft { depth, divide } => {
                let job = jobs::count(self.session.count(depth), depth, divide);
                return Ok(Some((job, Control::new(None, false, false))));
            }
            Command::Bench(depth) => return Ok(Some((jobs::bench(depth), Control::new(None, false, false)))),
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
            // The loop deals with these as they come in.
            Command::Stop | Command::PonderHit | Command::Quit => {}
        }
        Ok(None)
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
        } else if self.session.configure(&options) || spec.kind == OptionKind::Button {
            self.forget();
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

    /// A search of the current position.
    fn go(&mut self, go: &Go) -> Result<Option<Started>, String> {
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
            return Ok(None);
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
        Ok(Some((job, Control::new(budget, go.ponder, infinite))))
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
