//! What both dialects of the protocol work with: the options, the game in play, and the table of the search.

use std::sync::Arc;
use std::time::Duration;

use crate::core::options::{REPETITION_DRAW, TABLE_PATH};
use crate::core::text::quoted;
use crate::core::{OptionKind, OptionSpec, Options, SyntaxError};
use crate::games::GameId;
use crate::search::clock::{self, Budget, Clock};
use crate::search::control::Control;
use crate::search::table::Table;
use crate::search::{FULL_SKILL, Limits};

use super::command::{Go, Word};
use super::game_session::NewSession;
use super::record::{self, Record};
use super::session::{SearchJob, SearchRequest, Session};
use super::settings;

/// The state that stays between commands.
pub struct Host {
    /// The options in force.
    pub options: Options,
    /// The game in play.
    pub session: Box<dyn Session>,
    /// The score of the last search, for the side that it searched for.
    pub judgement: Option<i32>,
    /// The transposition table, and the size in MiB that was asked for; none before it is needed.
    table: Option<(i64, Arc<Table>)>,
    /// Whether the table holds scores that rest on the repetitions of one game.
    rests_on_history: bool,
    /// What a person should know and nobody asked for.
    pub warning: Option<String>,
}

/// A search ready to run, with the table and the control that it runs with.
pub struct PreparedSearch {
    /// The search.
    pub job: SearchJob,
    /// Its table.
    pub table: Arc<Table>,
    /// Its control; its clock runs already.
    pub control: Control,
}

impl Host {
    /// A game in its start position.
    pub fn new(options: Options) -> Host {
        let session = new_session(&options);
        Host { options, session, judgement: None, table: None, rests_on_history: false, warning: None }
    }

    /// Forgets what was learnt from earlier searches.
    pub fn forget(&mut self) {
        self.judgement = None;
        if let Some((_, table)) = &self.table {
            table.clear();
        }
    }

    /// Sets an option.
    ///
    /// # Errors
    /// If there is none of this name, or it takes no such value; nothing changes then.
    pub fn set_option(&mut self, name: &str, value: &str) -> Result<(), String> {
        let spec = settings::find(name)?;
        let mut options = self.options.clone();
        options.set(spec, value).map_err(|error| error.to_string())?;
        if *spec == settings::HASH {
            let held = self.table.as_ref().map_or(0, |(_, table)| table.mib());
            settings::check_memory(&options, held)?;
        }
        if *spec == settings::GAME {
            self.session = new_session(&options);
            self.forget();
        } else if *spec == TABLE_PATH {
            settings::check_table_path(&options)?;
            self.session.change_tables(&options);
            self.forget();
        } else if self.session.configure(&options) || spec.kind == OptionKind::Button {
            self.forget();
        }
        self.options = options;
        Ok(())
    }

    /// The game in play as a record.
    pub fn record(&self) -> Record {
        let session = &self.session;
        let mut tags = vec![("Game".to_string(), session.game().to_string())];
        for spec in rule_options(&self.options) {
            let value = self.options.text(spec);
            if value != spec.default_value() {
                tags.push(("Option".into(), format!("{}={value}", spec.name)));
            }
        }
        tags.extend(session.beginning().map(|text| ("Fen".into(), text)));
        tags.push(("Outcome".into(), session.outcome_text()));
        let result = record::result(session.outcome()).into();
        Record { tags, moves: session.moves_made(), result }
    }

    /// Takes up the game of a record, under its rules; `number` says which one, from 1, if the text holds several.
    ///
    /// # Errors
    /// If there is not that one, it is not of the form, names unknown things, a move is not legal, or it tells another
    /// outcome than the rules; nothing changes then.
    pub fn load(&mut self, text: &str, number: Option<usize>) -> Result<(), String> {
        let record = choose_record(text, number)?;
        let mut options = self.options.clone();
        let game = record.values("Game").next().ok_or("the record has no tag Game")?;
        options.set(&settings::GAME, game).map_err(|error| error.to_string())?;
        let rules: Vec<&OptionSpec> = rule_options(&options).collect();
        for spec in &rules {
            options.set(spec, &spec.default_value()).map_err(|error| error.to_string())?;
        }
        for setting in record.values("Option") {
            let (name, value) =
                setting.split_once('=').ok_or_else(|| format!("NAME=VALUE expected, found {}", quoted(setting)))?;
            let spec = rules.iter().find(|spec| spec.name.eq_ignore_ascii_case(name));
            let spec = spec.ok_or_else(|| format!("the game has no rule {}", quoted(name)))?;
            options.set(spec, value).map_err(|error| error.to_string())?;
        }
        let mut session = new_session(&options);
        let fen = record.values("Fen").next().map(|text| text.split_whitespace().map(Word::alone).collect::<Vec<_>>());
        let moves: Vec<Word> = record.moves.iter().map(|text| Word::alone(text)).collect();
        session.set_position(fen.as_deref(), &moves)?;
        if let Some(outcome) = record.values("Outcome").next().filter(|outcome| *outcome != session.outcome_text()) {
            return Err(format!("the record says {}, but the game is: {}", quoted(outcome), session.outcome_text()));
        }
        // A result without an outcome is the players' own: one resigned, both agreed, a clock ran out.
        if session.outcome().is_some() && record.result != "*" && record.result != record::result(session.outcome()) {
            return Err(format!("the record ends in {}, but the game is: {}", record.result, session.outcome_text()));
        }
        self.forget();
        (self.options, self.session) = (options, session);
        Ok(())
    }

    /// A search of the current position; none if the game is over.
    ///
    /// # Errors
    /// If one of the moves to be searched is not legal.
    pub fn prepare(&mut self, go: &Go) -> Result<Option<PreparedSearch>, String> {
        let number = |spec| self.options.number(spec);
        let limits = Limits {
            depth: go.depth,
            nodes: go.nodes,
            mate: go.mate,
            moves: Vec::new(),
            multi_pv: number(&settings::MULTI_PV) as usize,
            // A weak player does not know what tables know.
            solved: number(&settings::SKILL_LEVEL) as u32 == FULL_SKILL,
            threads: number(&settings::THREADS) as usize,
            skill: number(&settings::SKILL_LEVEL) as u32,
        };
        let request = SearchRequest { limits, moves: go.search_moves.clone() };
        let budget = self.budget(go);
        let is_limited = go.depth.is_some() || go.nodes.is_some() || go.mate.is_some();
        let infinite = go.infinite || (budget.is_none() && !is_limited);
        // The clock runs from here: memory for the table takes its time too.
        let control = Control::new(budget, go.ponder, infinite);
        let Some(job) = self.session.search(&request)? else { return Ok(None) };
        let table = self.table();
        // Searches by depth or nodes are the same every time; what refutes a win must not rest on reduced searches. And
        // what is known does not hold in another game, once repetitions can end this one.
        let repeats = self.session.has_repeated();
        let same_every_time = budget.is_none() && is_limited && request.limits.threads == 1;
        if same_every_time || go.mate.is_some() || repeats || self.rests_on_history {
            table.clear();
        } else {
            table.begin_search();
        }
        self.rests_on_history = repeats;
        Ok(Some(PreparedSearch { job, table, control }))
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

    /// The transposition table at the size asked for. If there is no memory for that, the old one stays, or the largest
    /// that there is memory for is taken; [`Host::warning`] says so then.
    pub fn table(&mut self) -> Arc<Table> {
        let size = self.options.number(&settings::HASH);
        if let Some((asked, table)) = &self.table
            && *asked == size
        {
            return table.clone();
        }
        let old = self.table.take().map(|(_, table)| table);
        let table = Table::new(size as usize).map(Arc::new).unwrap_or_else(|| {
            let mut smaller = std::iter::successors(Some(size / 2), |size| (*size > 0).then_some(size / 2));
            let serves =
                old.unwrap_or_else(|| smaller.find_map(|size| Table::new(size as usize)).unwrap_or_default().into());
            self.warning = Some(format!("no memory for a Hash of {size} MiB; one of {} MiB serves", serves.mib()));
            serves
        });
        self.table = Some((size, table.clone()));
        table
    }
}

/// The record with this number, from 1, or the only one.
fn choose_record(text: &str, number: Option<usize>) -> Result<Record, String> {
    let all = Record::parse_all(text);
    match (number, all) {
        (Some(number), all) => {
            let all = all.map_err(|error| in_lines(text, error))?;
            let games = all.len();
            all.into_iter().nth(number.wrapping_sub(1)).ok_or_else(|| format!("it holds games 1 to {games}"))
        }
        (None, Ok(all)) if all.len() > 1 && all.iter().all(|record| record.values("Game").next().is_some()) => {
            Err(format!("it holds {} games: 'load FILE:NUMBER' takes up one of them", all.len()))
        }
        (None, _) => Record::parse(text).map_err(|error| in_lines(text, error)),
    }
}

/// An error in a text of several lines, with the line and the column in it.
fn in_lines(text: &str, error: SyntaxError) -> String {
    let before: String = text.chars().take(error.column - 1).collect();
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    format!("line {line}, {}", SyntaxError { column, ..error })
}

/// The options that choose the rules of the game in play.
pub fn rule_options(options: &Options) -> impl Iterator<Item = &'static OptionSpec> + use<> {
    let own = GameId::OPTIONS.get(options.choice(&settings::GAME)).copied().unwrap_or_default();
    own.iter().chain([&REPETITION_DRAW])
}

/// The game that these options choose, in its start position.
pub fn new_session(options: &Options) -> Box<dyn Session> {
    let chosen = GameId::ALL[options.choice(&settings::GAME)];
    chosen.visit(NewSession(options))
}
