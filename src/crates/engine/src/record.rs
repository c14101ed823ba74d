//! The game in play as a record, and records that become the game in play.
//!
//! What a record has besides its moves (comments, marks, times, variations, names) is kept beside the game in play, as
//! the record that was loaded or added to last. When the game is written, its moves are made the main line of that
//! record; so what was said comes back with the moves, whatever was taken back and made again between.

use std::collections::BTreeSet;

use thiserror::Error;

use pentarch_core::notation::record;
use pentarch_core::notation::record::checksum::ChecksumError;
use pentarch_core::notation::record::notes;
use pentarch_core::notation::record::notes::{bare, is_hidden};
use pentarch_core::notation::record::{
    CommentError, MAX_NESTING, Record, RecordedMove, escaped, normalise_comment,
};
use pentarch_core::notation::text::quoted;
use pentarch_core::{Options, PlayerEnd};

use super::engine_state::{Engine, changed_rules, own_rules, rule_options, session_with_tables};
use super::error::{EngineError, ErrorKind, Subject};
use super::findings::write_findings;
use super::host::Host;
use super::input_word::Word;
use super::review::Review;
use super::session::{Course, MAX_PLIES, Session};

/// Something that is added to the record of the game in play.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Addition {
    /// What is said of the last move, or before the first one; nothing takes back what was said.
    Comment(String),
    /// The mark of the last move: a glyph; none takes its marks away.
    Mark(Option<u8>),
    /// The milliseconds that the player has left who made the last move.
    Clock(u64),
    /// Moves instead of the last one.
    Variation(Vec<Word>),
    /// A tag with this name, as a text without escapes; an empty one takes it away.
    Tag(String, String),
}

impl Engine {
    /// The text of the game in play as a record.
    pub fn record_text(&self) -> String {
        self.record().text(self.session.course().turns)
    }

    /// The game in play as a record, with what was added to it.
    pub fn record(&self) -> Record {
        record_with_additions(self.kept.as_ref(), &self.options, self.session.as_ref())
    }

    /// Makes the game of a record the game in play, under its rules. `number` chooses one, from 1, if the text holds
    /// several records. [`Engine::warning`] says so if the record may be cut off.
    ///
    /// # Errors
    /// If the text has no such record or another form, if the record names an unknown game or option, has an illegal
    /// move, or states another outcome than the rules; nothing changes then.
    pub fn load(&mut self, text: &str, number: Option<usize>) -> Result<(), EngineError> {
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
    ) -> Result<(), EngineError> {
        let record = chosen(text, number, "FILE:NUMBER names one of them")?;
        let Replayed { options, session, record, warning } =
            replayed_unless(record, &self.options, self.host.as_ref(), is_stopped)?;
        self.clear_search();
        (self.options, self.session, self.kept) = (options, session, Some(record));
        self.warning = warning.map(|warning| warning.to_string());
        Ok(())
    }

    /// Sets a position up and makes moves, as [`Play::set_position`](super::session::Play::set_position) does. What was
    /// added to the record of the game in play goes, unless the moves lead on from there or back.
    ///
    /// # Errors
    /// If the text is no position of these rules, or a move is not legal; nothing changes then.
    pub fn set_position(
        &mut self,
        fen: Option<&[Word]>,
        moves: &[Word],
    ) -> Result<(), EngineError> {
        let is_same_game =
            self.kept.is_some() && self.session.shared_moves(fen, &[]).is_some() && {
                let made = self.session.course().moves;
                made.iter()
                    .zip(moves)
                    .all(|(made, word)| made.eq_ignore_ascii_case(bare(&word.text)))
            };
        self.session.set_position(fen, moves)?;
        if !is_same_game {
            self.kept = None;
        }
        Ok(())
    }

    /// Writes what a review of the game in play has found into its record.
    ///
    /// # Errors
    /// If the review is of another game; nothing changes then.
    pub fn annotate(&mut self, review: &Review) -> Result<(), EngineError> {
        let mut record = self.record();
        write_findings(&mut record, review, self.session.as_ref())?;
        self.kept = Some(record);
        Ok(())
    }

    /// Adds something to the record of the game in play.
    ///
    /// # Errors
    /// If it has not the form that it must have, if there is no move yet that it could belong to, or a move of a
    /// variation is not legal; nothing changes then.
    pub fn add(&mut self, addition: Addition) -> Result<(), EngineError> {
        let mut record = self.record();
        // What was taken back can be made again.
        let is_begun = |kept: &&Record| {
            let mut both = kept.moves.iter().zip(&record.moves);
            kept.moves.len() >= record.moves.len()
                && both.all(|(one, other)| one.bare() == other.bare())
        };
        let taken_back = self
            .kept
            .as_ref()
            .filter(is_begun)
            .map(|kept| kept.moves[record.moves.len()..].to_vec());
        let last = record.moves.last_mut();
        match addition {
            Addition::Comment(text) => {
                let comment = normalise_comment(&text).map_err(RecordError::from)?;
                match last {
                    Some(mv) => mv.notes_mut().comment = comment,
                    None => record.comment = comment,
                }
            }
            Addition::Mark(glyph) => {
                let glyphs = &mut last.ok_or(RecordError::NoMove)?.notes_mut().glyphs;
                let others = glyphs
                    .iter()
                    .copied()
                    .filter(|&other| usize::from(other) > record::MARKS.len());
                *glyphs = glyph.into_iter().chain(others.collect::<Vec<_>>()).collect();
            }
            Addition::Clock(time) => {
                last.ok_or(RecordError::NoMove)?.notes_mut().clock = Some(time)
            }
            Addition::Variation(moves) => {
                let mv = last.ok_or(RecordError::NoMove)?;
                let mut line: Vec<RecordedMove> =
                    moves.into_iter().map(|word| word.text.into()).collect();
                let mut session = self.session.copy();
                session.undo(1 + u32::from(session.standing().end.is_some()))?;
                canonicalise(session.as_mut(), &mut line, &mut |session, mv| {
                    canonical(session, &mv.text)
                })?;
                if line.is_empty() {
                    return Err(RecordError::EmptyVariation.into());
                }
                mv.notes_mut().add_variation(line);
            }
            Addition::Tag(name, value) => set_tag(&mut record, &name, &value)?,
        }
        record.moves.extend(taken_back.into_iter().flatten());
        if !notes::is_nested_within(&record.moves, MAX_NESTING) {
            return Err(RecordError::TooDeep.into());
        }
        self.kept = Some(record);
        Ok(())
    }
}

/// Checks the name of a tag that somebody adds to a record.
///
/// # Errors
/// If it is no name, or one of a tag that is [told](is_told).
pub fn check_tag_name(name: &str) -> Result<(), RecordError> {
    let is_word = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    if name.is_empty() || name.len() > 100 || !name.chars().all(is_word) {
        return Err(RecordError::TagName { name: name.into() });
    }
    if is_told(name) {
        return Err(RecordError::OwnTag { name: name.into() });
    }
    Ok(())
}

/// Sets a tag of a record, or takes it away.
fn set_tag(record: &mut Record, name: &str, value: &str) -> Result<(), RecordError> {
    check_tag_name(name)?;
    if let Some(at) = value.chars().position(is_hidden) {
        return Err(RecordError::ControlCharacter { at: at + 1 });
    }
    let value = normalise_comment(value)?;
    record.tags.retain(|(known, _)| !known.eq_ignore_ascii_case(name));
    if !value.is_empty() {
        record.tags.push((name.into(), escaped(&value)));
    }
    Ok(())
}

/// Whether a tag says what the moves, the rules or the file of a match say, so that it is not kept: it could be wrong
/// after another move.
pub fn is_told(tag: &str) -> bool {
    const TOLD: [&str; 16] = [
        "Game", "Option", "Fen", "Outcome", "Result", "SetUp", "PlyCount", "Match", "Number",
        "Opening", "End", "Fault", "Effort1", "Effort2", "Seed", "Checksum",
    ];
    TOLD.iter().any(|told| told.eq_ignore_ascii_case(tag))
}

/// The game that was played as a record, with what this record of the same game has besides.
pub(super) fn with_additions(kept: &Record, played: Record, session: &dyn Session) -> Record {
    let told = |record: &Record, name| record.values(name).map(String::from).collect::<Vec<_>>();
    if ["Game", "Option", "Fen"].iter().any(|name| told(kept, name) != told(&played, name)) {
        return played;
    }
    let is_same = kept.moves.len() == played.moves.len()
        && kept.moves.iter().zip(&played.moves).all(|(one, other)| one.bare() == other.bare())
        && told(kept, "Outcome") == told(&played, "Outcome");
    let added = kept.tags.iter().filter(|(name, _)| !is_told(name)).cloned();
    let tags = played.tags.into_iter().chain(added).collect();
    // A result for which there is no reason is kept as long as nothing else was played.
    let result = match session.standing().outcome {
        None if is_same => kept.result.clone(),
        _ => played.result,
    };
    Record { tags, result, ..kept.clone().with_main_line(played.moves) }
}

/// The record of a game, with the additions of `kept`.
pub(super) fn record_with_additions(
    kept: Option<&Record>,
    options: &Options,
    session: &dyn Session,
) -> Record {
    let played = record_of(options, session);
    match kept {
        Some(kept) => with_additions(kept, played, session),
        None => played,
    }
}

/// A game by the rules that these options choose, as a record of what was played.
pub fn record_of(options: &Options, session: &dyn Session) -> Record {
    let Course { start, marked, .. } = session.course();
    let mut tags = vec![("Game".to_string(), session.facts().game.to_string())];
    let changed = changed_rules(options).into_iter();
    tags.extend(changed.map(|(spec, value)| ("Option".into(), format!("{}={value}", spec.name))));
    tags.extend(start.map(|text| ("Fen".into(), text)));
    tags.push(("Outcome".into(), session.status().outcome));
    let moves = marked.into_iter().map(RecordedMove::from).collect();
    Record { moves, result: result(session).into(), ..Record::new(tags) }
}

/// The result of a game as a record states it. A record has results for two sides only.
fn result(session: &dyn Session) -> &'static str {
    record::result(session.standing().outcome.filter(|_| session.facts().players.len() == 2))
}

/// The game of a record.
pub struct Replayed {
    /// The options of the record, and for what it does not say those that were given.
    pub options: Options,
    /// The game, at the end of the main line.
    pub session: Box<dyn Session>,
    /// The record with the canonical texts of all its moves, and the marks behind them.
    pub record: Record,
    /// The sign that the record is cut off.
    pub warning: Option<CutOff>,
}

/// The warning that a record states how the game ended, but lacks its result.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("the record may be cut off: its tag Outcome says {}, and it does not end in {result}", quoted(.outcome))]
pub struct CutOff {
    /// The value of the tag.
    pub outcome: String,
    /// The result that is missing.
    pub result: &'static str,
}

/// A fault of a record, or of something that is added to one.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum RecordError {
    /// An addition belongs to a move, and there is none yet.
    #[error("no move was made yet")]
    NoMove,
    /// A variation has no move.
    #[error("a variation has a move at least")]
    EmptyVariation,
    /// Variations lie deeper in one another than [`MAX_NESTING`].
    #[error("variations lie at most {MAX_NESTING} deep in one another")]
    TooDeep,
    /// The name of a tag has another character.
    #[error("the name of a tag has letters, digits and _ only, not {}", quoted(.name))]
    TagName {
        /// The name.
        name: String,
    },
    /// A tag is one that the program writes by itself.
    #[error("the game itself says what the tag {name} does")]
    OwnTag {
        /// The name of the tag.
        name: String,
    },
    /// The value of a tag has a control character.
    #[error("a tag has no control characters, but there is one at character {at}")]
    ControlCharacter {
        /// Its place, in characters from 1.
        at: usize,
    },
    /// A text cannot be a comment, or the value of a tag.
    #[error(transparent)]
    Comment(#[from] CommentError),
    /// The record has a tag twice that can occur once.
    #[error("the record has the tag {name} twice")]
    DuplicateTag {
        /// The name of the tag.
        name: &'static str,
    },
    /// The record sets an option twice.
    #[error("the record sets the option {name} twice")]
    DuplicateOption {
        /// The name of the option.
        name: String,
    },
    /// The record names no game.
    #[error("the record has no tag Game")]
    NoGameTag,
    /// The record has more moves than [`MAX_PLIES`] with its variations.
    #[error("a record has at most {MAX_PLIES} moves with its variations")]
    TooManyMoves,
    /// A stop came before all moves were made.
    #[error("it was stopped before all moves were made; the game in play is as it was")]
    Stopped,
    /// The record has another checksum than the one that it states.
    #[error(transparent)]
    Checksum(#[from] ChecksumError),
    /// The record states another outcome than that of its moves.
    #[error("the record says {}, but the game is: {outcome}", quoted(.stated))]
    Outcome {
        /// The outcome in the record.
        stated: String,
        /// The outcome of the game.
        outcome: String,
    },
    /// The record ends in another result than that of its moves.
    #[error("the record ends in {stated}, but the game is: {outcome}")]
    Result {
        /// The result at the end of the record.
        stated: String,
        /// The outcome of the game.
        outcome: String,
    },
    /// The text has no game with this number.
    #[error("{}", games_held(*.games))]
    GameNumber {
        /// The number of games in the text.
        games: usize,
    },
    /// The text has several games, and one is needed.
    #[error("it holds {games} games: {advice}")]
    SeveralGames {
        /// The number of games in the text.
        games: usize,
        /// How to choose one of them.
        advice: &'static str,
    },
}

impl RecordError {
    /// Returns the kind of the fault.
    pub(crate) fn kind(&self) -> ErrorKind {
        match self {
            RecordError::NoMove | RecordError::Stopped => ErrorKind::State,
            RecordError::TooDeep
            | RecordError::TooManyMoves
            | RecordError::Comment(CommentError::TooLong) => ErrorKind::Limit,
            RecordError::DuplicateTag { .. }
            | RecordError::DuplicateOption { .. }
            | RecordError::NoGameTag
            | RecordError::EmptyVariation
            | RecordError::TagName { .. }
            | RecordError::ControlCharacter { .. } => ErrorKind::Syntax,
            _ => ErrorKind::Value,
        }
    }
}

/// Returns the numbers of the games in a text, as a sentence.
fn games_held(games: usize) -> String {
    match games {
        0 => "it holds no game".into(),
        1 => "it holds game 1 only".into(),
        games => format!("it holds games 1 to {games}"),
    }
}

impl Replayed {
    /// The game of a record, with these options where the record says nothing, and with its rules.
    ///
    /// # Errors
    /// If the record names an unknown game or option, has an illegal move, also in a variation, or states another
    /// outcome than the rules.
    pub fn of(record: Record, options: &Options, host: &dyn Host) -> Result<Replayed, EngineError> {
        replayed_unless(record, options, host, &|| false)
    }
}

/// How many moves of a record are made before it is asked whether that is to stop, and then asked again. So a script
/// that loads a usual game and ends in `quit` has the game loaded, however early the `quit` is read.
const STRETCH: usize = 1_000;

/// The rules of a record: these options with those that it names, the others of its game at their defaults.
///
/// # Errors
/// If it names an unknown game or option, or says something twice.
pub fn rules_of(record: &Record, options: &Options) -> Result<Options, EngineError> {
    check_duplicates(record)?;
    let mut options = options.clone();
    let game = record.values("Game").next().ok_or(RecordError::NoGameTag)?;
    options.set(&pentarch_games::GAME, game)?;
    set_rules(&mut options, record.values("Option"))?;
    Ok(options)
}

/// Checks that the record says nothing twice of the game, of which one value would be lost.
fn check_duplicates(record: &Record) -> Result<(), RecordError> {
    if let Some(name) =
        ["Game", "Fen", "Outcome"].into_iter().find(|name| record.values(name).count() > 1)
    {
        return Err(RecordError::DuplicateTag { name });
    }
    let mut names = BTreeSet::new();
    for setting in record.values("Option") {
        let name = setting.split('=').next().unwrap_or_default();
        if !names.insert(name.to_ascii_lowercase()) {
            return Err(RecordError::DuplicateOption { name: name.into() });
        }
    }
    Ok(())
}

/// Sets the rules of a game by texts `NAME=VALUE`, and all that are not named to their defaults.
///
/// # Errors
/// If the game has no such rule, or the rule no such value.
pub fn set_rules<'a>(
    options: &mut Options,
    settings: impl IntoIterator<Item = &'a str>,
) -> Result<(), EngineError> {
    for spec in rule_options(options) {
        options.reset(spec);
    }
    for setting in settings {
        options.set_rule_text(own_rules(options), setting)?;
    }
    Ok(())
}

/// The same as [`Replayed::of`], but it ends with an error as soon as `is_stopped` says so.
fn replayed_unless(
    mut record: Record,
    options: &Options,
    host: &dyn Host,
    is_stopped: &dyn Fn() -> bool,
) -> Result<Replayed, EngineError> {
    record.verify_and_remove_checksum().map_err(RecordError::from)?;
    let options = rules_of(&record, options)?;
    let mut session = session_with_tables(&options, host);
    let fen = record
        .values("Fen")
        .next()
        .map(|text| text.split_whitespace().map(Word::alone).collect::<Vec<_>>());
    let moves: Vec<Word> = record.moves.iter().map(|mv| Word::alone(&mv.text)).collect();
    // A list that is too long for a game is refused before any of its moves is made.
    let stretch = if moves.len() > MAX_PLIES { moves.len() } else { STRETCH };
    for end in (0..moves.len()).step_by(stretch).skip(1).chain([moves.len()]) {
        if end > STRETCH && is_stopped() {
            return Err(RecordError::Stopped.into());
        }
        session.set_position(fen.as_deref(), &moves[..end])?;
    }
    if record.len_with_variations() > moves.len() {
        if record.len_with_variations() > MAX_PLIES {
            return Err(RecordError::TooManyMoves.into());
        }
        let mut made = 0;
        let mut beginning = session.copy();
        beginning.set_position(fen.as_deref(), &[])?;
        canonicalise(beginning.as_mut(), &mut record.moves, &mut |session, mv| {
            made += 1;
            match made % STRETCH == 0 && is_stopped() {
                true => Err(RecordError::Stopped.into()),
                false => canonical(session, &mv.text),
            }
        })?;
    }
    let stated = record.values("Outcome").next();
    let end = |end: &PlayerEnd| stated == Some(session.outcome_words(end.outcome()).as_str());
    if let Some(end) = PlayerEnd::ALL.into_iter().find(end) {
        let stated = Subject::Outcome(stated.unwrap_or_default().into());
        session.end(end).map_err(|error| error.within(stated))?;
    }
    let outcome = session.status().outcome;
    if let Some(stated) = stated.filter(|stated| *stated != outcome) {
        return Err(RecordError::Outcome { stated: stated.into(), outcome }.into());
    }
    // A result without a reason is accepted while the game goes on, as in records of programs that give none.
    if session.standing().outcome.is_some()
        && record.result != "*"
        && record.result != result(session.as_ref())
    {
        return Err(RecordError::Result { stated: record.result, outcome }.into());
    }
    // The result is the last word of a record that was written in full.
    let expected = result(session.as_ref());
    let is_cut_off = stated.is_some() && record.result != expected && record.result == "*";
    let warning = is_cut_off.then(|| CutOff { outcome: outcome.clone(), result: expected });
    // What it says of rules, start and outcome is now said in the engine's own words.
    let played = record_of(&options, session.as_ref());
    // The canonical notation, in which moves are compared: `E2` is the move e2.
    record
        .moves
        .iter_mut()
        .zip(&played.moves)
        .for_each(|(mv, made)| mv.text.clone_from(&made.text));
    let own = played
        .tags
        .iter()
        .cloned()
        .chain(record.tags.into_iter().filter(|(name, _)| !is_told(name)));
    let record = Record { tags: own.collect(), ..record };
    let record = with_additions(&record, played, session.as_ref());
    Ok(Replayed { options, session, record, warning })
}

/// The canonical text of a legal move, with the signs that stand behind it.
fn canonical(session: &dyn Session, text: &str) -> Result<String, EngineError> {
    let number = session.standing().moves + 1;
    let found = session.find_move(text);
    let found = found.map_err(|error| EngineError::of_move(number, &Word::alone(text), error))?;
    Ok(found.text + &text[bare(text).len()..])
}

/// Reads the moves of a line that begins in the current position of a game, and of its variations: `read` gives the
/// text of each, which takes the place of the one that it has. The game is at the end of the line then.
///
/// # Errors
/// What `read` says of a move, and if a move is not legal. Of a move in a variation it is said which move the variation
/// is for. The game may be anywhere then.
pub fn canonicalise(
    session: &mut dyn Session,
    line: &mut [RecordedMove],
    read: &mut dyn FnMut(&dyn Session, &RecordedMove) -> Result<String, EngineError>,
) -> Result<(), EngineError> {
    for mv in line {
        let text = read(session, mv)?;
        if !mv.notes().variations.is_empty() {
            let number = session.standing().moves + 1;
            let subject = Subject::Variation { number, text: text.clone() };
            for variation in &mut mv.notes_mut().variations {
                canonicalise(session, variation, read)
                    .map_err(|error| error.within(subject.clone()))?;
                session.undo(variation.len() as u32)?;
            }
        }
        session.play(&[Word::alone(&text)])?;
        mv.text = text;
    }
    Ok(())
}

/// The record with this number, from 1, or without a number the only one. `advice` says what to do if there are
/// several.
///
/// # Errors
/// If the text has no such record or another form.
pub fn chosen(
    text: &str,
    number: Option<usize>,
    advice: &'static str,
) -> Result<Record, EngineError> {
    let all = Record::parse_all(text);
    match (number, all) {
        (Some(number), all) => {
            let all = all.map_err(|error| EngineError::in_lines(text, error))?;
            let games = all.len();
            let record = all.into_iter().nth(number.wrapping_sub(1));
            Ok(record.ok_or(RecordError::GameNumber { games })?)
        }
        (None, Ok(all))
            if all.len() > 1 && all.iter().all(|record| record.values("Game").next().is_some()) =>
        {
            Err(RecordError::SeveralGames { games: all.len(), advice }.into())
        }
        (None, Ok(mut all)) if all.len() == 1 => Ok(all.remove(0)),
        (None, _) => Record::parse(text).map_err(|error| EngineError::in_lines(text, error)),
    }
}
