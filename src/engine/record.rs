//! The game in play as a record, and records that become the game in play.

use pentarch_core::record::{self, Record, RecordedMove};
use pentarch_core::text::quoted;
use pentarch_core::{Options, PlayerEnd};

use super::engine_state::{Engine, changed_rules, own_rules, rule_options, session_with_tables};
use super::host::Host;
use super::input_word::Word;
use super::options as engine_options;
use super::refused::Refused;
use super::session::{MAX_PLIES, Session};

impl Engine {
    /// The text of the game in play as a record.
    pub fn record_text(&self) -> String {
        self.record().text(self.session.course().turns)
    }

    /// The game in play as a record.
    pub fn record(&self) -> Record {
        let mut record = record_of(&self.options, self.session.as_ref());
        if self.session.standing().outcome.is_none()
            && let Some(loaded) = &self.loaded
            && (&loaded.tags, &loaded.moves) == (&record.tags, &record.moves)
        {
            record.result.clone_from(&loaded.result);
        }
        record
    }

    /// Makes the game of a record the game in play, under its rules. `number` chooses one, from 1, if the text holds
    /// several records.
    ///
    /// # Errors
    /// If the text has no such record or another form, if the record names an unknown game or option, has an illegal
    /// move, or states another outcome than the rules; nothing changes then.
    pub fn load(&mut self, text: &str, number: Option<usize>) -> Result<(), Refused> {
        self.load_unless(text, number, &|| false)
    }

    /// The same, but it ends with an error as soon as `is_stopped` says so, which is asked every few moves.
    ///
    /// # Errors
    /// As those of [`load`](Engine::load), and if it was stopped; nothing changes then.
    pub fn load_unless(
        &mut self,
        text: &str,
        number: Option<usize>,
        is_stopped: &dyn Fn() -> bool,
    ) -> Result<(), Refused> {
        let record = chosen(text, number, "FILE:NUMBER names one of them")?;
        let (options, session) = replayed_unless(&record, &self.options, self.host.as_ref(), is_stopped)?;
        self.clear_search();
        (self.options, self.session, self.loaded) = (options, session, None);
        self.loaded = Some(Record { result: record.result, ..self.record() });
        Ok(())
    }
}

/// A game by the rules that these options choose, as a record.
pub fn record_of(options: &Options, session: &dyn Session) -> Record {
    let course = session.course();
    let mut tags = vec![("Game".to_string(), session.facts().game.to_string())];
    let changed = changed_rules(options).into_iter();
    tags.extend(changed.map(|(spec, value)| ("Option".into(), format!("{}={value}", spec.name))));
    tags.extend(course.start.map(|text| ("Fen".into(), text)));
    tags.push(("Outcome".into(), session.status().outcome));
    let moves = course.marked.into_iter().map(RecordedMove::from).collect();
    Record { tags, moves, result: result(session).into() }
}

/// The result of a game as a record states it. A record has results for two sides only.
fn result(session: &dyn Session) -> &'static str {
    record::result(session.standing().outcome.filter(|_| session.facts().players.len() == 2))
}

/// The game of a record, with these options where the record says nothing, and with its rules.
///
/// # Errors
/// If the record names an unknown game or option, has an illegal move, or states another outcome than the rules.
pub fn replayed(record: &Record, options: &Options, host: &dyn Host) -> Result<(Options, Box<dyn Session>), Refused> {
    replayed_unless(record, options, host, &|| false)
}

/// How many moves of a record are made before it is asked whether that is to stop, and then asked again. So a script
/// that loads a usual game and ends in `quit` has the game loaded, however early the `quit` is read.
const STRETCH: usize = 1_000;

/// The same, but it ends with an error as soon as `is_stopped` says so.
fn replayed_unless(
    record: &Record,
    options: &Options,
    host: &dyn Host,
    is_stopped: &dyn Fn() -> bool,
) -> Result<(Options, Box<dyn Session>), Refused> {
    let mut options = options.clone();
    let game = record.values("Game").next().ok_or("the record has no tag Game")?;
    options.set(&engine_options::GAME, game)?;
    for spec in rule_options(&options) {
        options.set(spec, &spec.default_value())?;
    }
    for setting in record.values("Option") {
        options.set_rule(own_rules(&options), setting)?;
    }
    let mut session = session_with_tables(&options, host);
    let fen = record.values("Fen").next().map(|text| text.split_whitespace().map(Word::alone).collect::<Vec<_>>());
    let moves: Vec<Word> = record.moves.iter().map(|mv| Word::alone(&mv.text)).collect();
    // A list that is too long for a game is refused before any of its moves is made.
    let stretch = if moves.len() > MAX_PLIES { moves.len() } else { STRETCH };
    for end in (0..moves.len()).step_by(stretch).skip(1).chain([moves.len()]) {
        if end > STRETCH && is_stopped() {
            return Err("it was stopped before all moves were made; the game in play is as it was".into());
        }
        session.set_position(fen.as_deref(), &moves[..end])?;
    }
    let stated = record.values("Outcome").next();
    let end = |end: &PlayerEnd| stated == Some(session.outcome_words(end.outcome()).as_str());
    if let Some(end) = PlayerEnd::ALL.into_iter().find(end) {
        let refused = |error: Refused| format!("the record says {}: {error}", quoted(stated.unwrap_or_default()));
        session.end(end).map_err(refused)?;
    }
    let outcome = session.status().outcome;
    if let Some(stated) = stated.filter(|stated| *stated != outcome) {
        return Err(format!("the record says {}, but the game is: {outcome}", quoted(stated)).into());
    }
    // A result without a reason is accepted while the game goes on, as in records of programs that give none.
    if session.standing().outcome.is_some() && record.result != "*" && record.result != result(session.as_ref()) {
        return Err(format!("the record ends in {}, but the game is: {outcome}", record.result).into());
    }
    Ok((options, session))
}

/// The record with this number, from 1, or without a number the only one. `advice` says what to do if there are several.
///
/// # Errors
/// If the text has no such record or another form.
pub fn chosen(text: &str, number: Option<usize>, advice: &str) -> Result<Record, Refused> {
    let all = Record::parse_all(text);
    match (number, all) {
        (Some(number), all) => {
            let all = all.map_err(|error| Refused::in_lines(text, error))?;
            let held = match all.len() {
                0 => "it holds no game".into(),
                1 => "it holds game 1 only".into(),
                games => format!("it holds games 1 to {games}"),
            };
            Ok(all.into_iter().nth(number.wrapping_sub(1)).ok_or(held)?)
        }
        (None, Ok(all)) if all.len() > 1 && all.iter().all(|record| record.values("Game").next().is_some()) => {
            Err(format!("it holds {} games: {advice}", all.len()).into())
        }
        (None, Ok(mut all)) if all.len() == 1 => Ok(all.remove(0)),
        (None, _) => Record::parse(text).map_err(|error| Refused::in_lines(text, error)),
    }
}
