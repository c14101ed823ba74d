//! The state that UGI and GTP share: the options, the game in play, and the transposition table.

use std::fs::metadata;
use std::mem::replace;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use crate::core::options::{REPETITION_DRAW, TABLE_PATH};
use crate::core::text::quoted;
use crate::core::{OptionKind, OptionSpec, Options, PlayerEnd, SyntaxError};
use crate::games::GameId;
use crate::io::clock;
use crate::io::files::read_plain;
use crate::io::record::{self, Record, RecordedMove};
use crate::search::control::Control;
use crate::search::transposition::TranspositionTable;
use crate::search::{Answer, Info, Limits, score};

use super::engine_options;
use super::game_session::NewSession;
use super::request::{Go, Word};
use super::session::{SearchJob, Session};

/// The state of the engine between commands.
pub struct Engine {
    /// The options in force.
    pub options: Options,
    /// The game in play.
    pub session: Box<dyn Session>,
    /// The score of the last search in centipawns, for the side that was to move.
    pub last_score: Option<i32>,
    /// The transposition table with the size in MiB that was asked for; `None` before it is needed.
    table: Option<(i64, Arc<TranspositionTable>)>,
    /// The record that was loaded last. Its result is kept where the rules give none.
    loaded: Option<Record>,
    /// Whether the table holds scores that depend on the repetitions of one game.
    rests_on_history: bool,
    /// A warning that is still to be shown: the memory for the table was not available.
    pub warning: Option<String>,
}

/// A search that is ready to run on any thread. Its clock runs already.
pub struct Search {
    /// Stops the search.
    pub control: Arc<Control>,
    table: Arc<TranspositionTable>,
    job: SearchJob,
}

impl Search {
    /// Searches, calls `info` with each `info` line, and returns the answer. There is an answer even if the search
    /// fails inside.
    pub fn run(self, info: &mut dyn FnMut(String)) -> Answer<String> {
        let mut is_told = false;
        self.run_steps(&mut |step| {
            info(info_line(step));
            if step.is_known && !replace(&mut is_told, true) {
                info("info string proven".into());
            }
        })
    }

    /// The same with the reports as data.
    pub fn run_steps(self, report: &mut dyn FnMut(&Info<String>)) -> Answer<String> {
        (self.job)(&self.table, &self.control, &mut |step| report(&step))
    }
}

impl Engine {
    /// An engine with these options; the game in play is in its start position.
    pub fn new(options: Options) -> Engine {
        let session = new_session(&options);
        Engine { options, session, last_score: None, table: None, loaded: None, rests_on_history: false, warning: None }
    }

    /// Clears what earlier searches have left: their entries in the transposition table and the last score.
    pub fn clear_search(&mut self) {
        self.last_score = None;
        if let Some((_, table)) = &self.table {
            table.clear();
        }
    }

    /// Sets an option.
    ///
    /// # Errors
    /// If no option has this name, or the option does not take this value; nothing changes then.
    pub fn set_option(&mut self, name: &str, value: &str) -> Result<(), String> {
        let spec = engine_options::find(name)?;
        let mut options = self.options.clone();
        engine_options::set(&mut options, spec, value).map_err(|error| error.to_string())?;
        if *spec == engine_options::HASH {
            let freed = self.table.as_ref().map_or(0, |(_, table)| table.mib());
            engine_options::check_memory(&options, freed)?;
        }
        let game = GameId::ALL[options.choice(&engine_options::GAME)];
        if *spec == engine_options::GAME || game.has_other_rules(&options) != game.has_other_rules(&self.options) {
            self.session = new_session(&options);
            self.clear_search();
        } else if *spec == TABLE_PATH {
            engine_options::check_table_path(&options)?;
            self.session.change_tables(&options);
            self.clear_search();
        } else if self.session.configure(&options) || spec.kind == OptionKind::Button {
            self.clear_search();
        }
        self.options = options;
        Ok(())
    }

    /// The game in play as a record.
    pub fn record(&self) -> Record {
        let session = &self.session;
        let mut tags = vec![("Game".to_string(), session.game().to_string())];
        let changed = changed_rules(&self.options).into_iter();
        tags.extend(changed.map(|(spec, value)| ("Option".into(), format!("{}={value}", spec.name))));
        tags.extend(session.start_text().map(|text| ("Fen".into(), text)));
        tags.push(("Outcome".into(), session.outcome_text()));
        let result = self.result().into();
        let moves = session.marked_moves().into_iter().map(RecordedMove::from).collect();
        let mut record = Record { tags, moves, result };
        if session.outcome().is_none()
            && let Some(loaded) = &self.loaded
            && (&loaded.tags, &loaded.moves) == (&record.tags, &record.moves)
        {
            record.result.clone_from(&loaded.result);
        }
        record
    }

    /// The text of the game in play as a record.
    pub fn record_text(&self) -> String {
        let record = self.record();
        if self.session.players().len() == 2 {
            return record.text(self.session.first_turn());
        }
        // Each move that begins a new number has it in front, and so has the first one.
        let mut last = None;
        let number = |(player, number): (usize, u32)| {
            let dots = if player == 0 { "." } else { "..." };
            let is_new = last.replace(number) != Some(number);
            is_new.then(|| format!("{number}{dots}"))
        };
        record.text_with_numbers(self.session.turns().into_iter().map(number))
    }

    /// The result of the game in play as a record states it. A record has results for two sides only.
    fn result(&self) -> &'static str {
        record::result(self.session.outcome().filter(|_| self.session.players().len() == 2))
    }

    /// Makes a game of a file of records the game in play, under its rules. `name` is the path of the file, or of one
    /// with several games `FILE:NUMBER`.
    ///
    /// # Errors
    /// If the file cannot be read, or as [`load`](Engine::load) fails; nothing changes then.
    pub fn load_file(&mut self, name: &str) -> Result<(), String> {
        let (name, number) = split_number(name);
        self.load(&read_records(name)?, number)
    }

    /// Makes the game of a record the game in play, under its rules. `number` chooses one, from 1, if the text holds
    /// several records.
    ///
    /// # Errors
    /// If the text has no such record or another form, if the record names an unknown game or option, has an illegal
    /// move, or states another outcome than the rules; nothing changes then.
    pub fn load(&mut self, text: &str, number: Option<usize>) -> Result<(), String> {
        let record = choose_record(text, number)?;
        let mut options = self.options.clone();
        let game = record.values("Game").next().ok_or("the record has no tag Game")?;
        options.set(&engine_options::GAME, game).map_err(|error| error.to_string())?;
        for spec in rule_options(&options) {
            options.set(spec, &spec.default_value()).map_err(|error| error.to_string())?;
        }
        for setting in record.values("Option") {
            options.set_rule(own_rules(&options), setting)?;
        }
        let mut session = new_session(&options);
        let fen = record.values("Fen").next().map(|text| text.split_whitespace().map(Word::alone).collect::<Vec<_>>());
        let moves: Vec<Word> = record.moves.iter().map(|mv| Word::alone(&mv.text)).collect();
        session.set_position(fen.as_deref(), &moves)?;
        let stated = record.values("Outcome").next();
        let end = |end: &PlayerEnd| stated == Some(session.outcome_words(end.outcome()).as_str());
        if let Some(end) = PlayerEnd::ALL.into_iter().find(end) {
            session
                .end(end)
                .map_err(|error| format!("the record says {}: {error}", quoted(stated.unwrap_or_default())))?;
        }
        if let Some(outcome) = stated.filter(|outcome| *outcome != session.outcome_text()) {
            return Err(format!("the record says {}, but the game is: {}", quoted(outcome), session.outcome_text()));
        }
        // A result without a reason is accepted while the game goes on, as in records of programs that give none.
        let two = session.players().len() == 2;
        let result = record::result(session.outcome().filter(|_| two));
        if session.outcome().is_some() && record.result != "*" && record.result != result {
            return Err(format!("the record ends in {}, but the game is: {}", record.result, session.outcome_text()));
        }
        self.clear_search();
        (self.options, self.session, self.loaded) = (options, session, None);
        self.loaded = Some(Record { result: record.result, ..self.record() });
        Ok(())
    }

    /// A search of the current position, its clock started; `None` if the game is over.
    ///
    /// # Errors
    /// If one of the moves to be searched is not legal.
    pub fn search(&mut self, go: &Go) -> Result<Option<Search>, String> {
        let number = |spec| self.options.number(spec);
        let limits = Limits {
            multi_pv: number(&engine_options::MULTI_PV) as usize,
            threads: number(&engine_options::THREADS) as usize,
            skill: engine_options::skill(&self.options),
            ..go.limits.clone()
        };
        let overhead = Duration::from_millis(number(&engine_options::MOVE_OVERHEAD) as u64);
        let (player, players) = (self.session.player_to_move(), self.session.players().len());
        let budget = go.time.budget(player, players, overhead);
        let infinite = go.infinite || (budget.is_none() && !limits.is_bounded());
        // The clock starts before the table is allocated, since that takes time, too.
        let control = Arc::new(Control::new(&clock::system(), budget, go.ponder, infinite));
        let Some(job) = self.session.search(&limits)? else { return Ok(None) };
        let table = self.table();
        // The table is cleared where its entries must not have an influence: a search by depth or nodes is to give the
        // same result every time, and a search for a mate must not use scores of reduced searches. It is also cleared
        // before and after a search in which repetitions of the game could end it, because such scores do not hold
        // for other games (the graph history interaction problem).
        let repeats = self.session.has_repeated();
        let is_deterministic = budget.is_none() && limits.is_bounded() && limits.threads == 1;
        if is_deterministic || limits.mate.is_some() || repeats || self.rests_on_history {
            table.clear();
        } else {
            table.begin_search();
        }
        self.rests_on_history = repeats;
        Ok(Some(Search { control, table, job }))
    }

    /// The transposition table, of the size that the option asks for. If there is not enough memory, the old table
    /// stays, or without one the size is halved until there is; [`Engine::warning`] says so then.
    pub fn table(&mut self) -> Arc<TranspositionTable> {
        let size = self.options.number(&engine_options::HASH);
        if let Some((asked, table)) = &self.table
            && *asked == size
        {
            return table.clone();
        }
        let old = self.table.take().map(|(_, table)| table);
        let table = TranspositionTable::new(size as usize).map(Arc::new).unwrap_or_else(|| {
            let mut smaller = std::iter::successors(Some(size / 2), |size| (*size > 0).then_some(size / 2));
            let fallback = old.unwrap_or_else(|| {
                smaller.find_map(|size| TranspositionTable::new(size as usize)).unwrap_or_default().into()
            });
            self.warning = Some(format!("no memory for a Hash of {size} MiB; one of {} MiB serves", fallback.mib()));
            fallback
        });
        self.table = Some((size, table.clone()));
        table
    }
}

/// The `info` line for a report of the search.
fn info_line(info: &Info<String>) -> String {
    let Info { depth, seldepth, rank, score, pv, nodes, table_hits, per_mille_full, time, .. } = info;
    let per_second = (u128::from(*nodes) * 1_000_000).checked_div(time.as_micros()).unwrap_or(0);
    format!(
        "info depth {depth} seldepth {seldepth} multipv {rank} score {} nodes {nodes} nps {per_second} \
         hashfull {per_mille_full} tbhits {table_hits} time {} pv {}",
        score::text(*score),
        time.as_millis(),
        pv.join(" "),
    )
}

/// Splits `FILE:NUMBER`, unless there is a file with that whole name.
fn split_number(name: &str) -> (&str, Option<usize>) {
    let parts = name.rsplit_once(':').filter(|_| !Path::new(name).exists());
    let number = |(file, number): (_, &str)| Some((file, Some(number.parse().ok()?)));
    parts.and_then(number).unwrap_or((name, None))
}

/// The greatest size of a file of records, in bytes.
const MAX_RECORD_FILE: u64 = 16 * 1024 * 1024;

/// The text of a file of records.
fn read_records(name: &str) -> Result<String, String> {
    let length = metadata(name).map_err(|error| error.to_string())?.len();
    if length > MAX_RECORD_FILE {
        return Err(format!("it has more than {MAX_RECORD_FILE} bytes"));
    }
    read_plain(Path::new(name)).map_err(|error| error.to_string())
}

/// The record with this number, from 1, or without a number the only one.
fn choose_record(text: &str, number: Option<usize>) -> Result<Record, String> {
    let all = Record::parse_all(text);
    match (number, all) {
        (Some(number), all) => {
            let all = all.map_err(|error| in_lines(text, error))?;
            let held = match all.len() {
                0 => "it holds no game".into(),
                1 => "it holds game 1 only".into(),
                games => format!("it holds games 1 to {games}"),
            };
            all.into_iter().nth(number.wrapping_sub(1)).ok_or(held)
        }
        (None, Ok(all)) if all.len() > 1 && all.iter().all(|record| record.values("Game").next().is_some()) => {
            Err(format!("it holds {} games: FILE:NUMBER names one of them", all.len()))
        }
        (None, Ok(mut all)) if all.len() == 1 => Ok(all.remove(0)),
        (None, _) => Record::parse(text).map_err(|error| in_lines(text, error)),
    }
}

/// The message for an error in a text of several lines: the line, and the column in it.
fn in_lines(text: &str, error: SyntaxError) -> String {
    let before: String = text.chars().take(error.column - 1).collect();
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    format!("line {line}, {}", SyntaxError { column, ..error })
}

/// The options that choose among the rules of the game that these options name.
pub fn rule_options(options: &Options) -> impl Iterator<Item = &'static OptionSpec> + use<> {
    own_rules(options).iter().chain([&REPETITION_DRAW])
}

/// Those of the [`rule_options`] that no other game has.
pub fn own_rules(options: &Options) -> &'static [OptionSpec] {
    GameId::OPTIONS.get(options.choice(&engine_options::GAME)).copied().unwrap_or_default()
}

/// A session with the game that these options choose, in its start position.
pub fn new_session(options: &Options) -> Box<dyn Session> {
    let chosen = GameId::ALL[options.choice(&engine_options::GAME)];
    chosen.visit_rules(options, NewSession(options))
}

/// Checks that the rules that these options choose are for two players, as what is to be done with them needs.
///
/// # Errors
/// If they are for more; the error begins with `what` needs two.
pub fn check_two_players(options: &Options, what: &str) -> Result<(), String> {
    match new_session(options).players().len() {
        2 => Ok(()),
        players => Err(format!("{what} between two players, and these rules are for {players}")),
    }
}

/// The options of the rules that differ from their defaults, with their values.
pub fn changed_rules(options: &Options) -> Vec<(&'static OptionSpec, String)> {
    let all = rule_options(options).map(|spec| (spec, options.text(spec)));
    all.filter(|(spec, value)| *value != spec.default_value()).collect()
}
