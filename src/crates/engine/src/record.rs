//! Conversion of the current game to a record, and of a record to the current game.
//!
//! A record contains more than moves: it also has comments, marks, times, variations and names. The
//! engine stores this information next to the current game, in the record that was last loaded or
//! annotated. When the game is written, its moves become the main line of this record. So
//! annotations stay with their moves, even if moves were taken back and made again.

use std::collections::BTreeSet;

use thiserror::Error;

use pentarch_core::notation::record;
use pentarch_core::notation::record::checksum::ChecksumError;
use pentarch_core::notation::record::notes;
use pentarch_core::notation::record::notes::is_forbidden_character;
use pentarch_core::notation::record::unread::UnreadElements;
use pentarch_core::notation::record::{
    CommentError, GameRecord, MAX_COMMENT_LENGTH, MAX_VARIATION_NESTING, RecordedMove,
    escape_tag_value, normalise_comment,
};
use pentarch_core::notation::text::quote_word;
use pentarch_core::{EndByPlayers, Options};

use super::annotate::annotate_record;
use super::engine_state::{
    Engine, game_specific_options, non_default_rules, rule_options, session_with_tables,
};
use super::error::{EngineError, ErrorContext, ErrorKind};
use super::host::Host;
use super::input_word::InputWord;
use super::review::Review;
use super::session::{GameLine, MAX_GAME_PLIES, Session};
use super::sgf_reader::{SgfGames, is_sgf};

/// An annotation of the current game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RecordAnnotation {
    /// A comment on the last move, or on the game before the first move. It replaces the previous
    /// comment. An empty comment removes it.
    Comment(String),
    /// The glyph that marks the last move; `None` removes the marks of this move.
    Mark(Option<u8>),
    /// The remaining time in milliseconds of the player who made the last move.
    Clock(u64),
    /// Moves that could have been made in place of the last move.
    Variation(Vec<InputWord>),
    /// A tag with this name and value, without escapes. An empty value removes the tag.
    Tag(String, String),
}

impl Engine {
    /// Returns the current game as a record, as a string.
    pub fn record_text(&self) -> String {
        self.record().text(self.session.game_line().turns)
    }

    /// Returns the current game as a record with its annotations.
    pub fn record(&self) -> GameRecord {
        current_record(self.annotated_record.as_ref(), &self.options, self.session.as_ref())
    }

    /// Loads the game of a record as the current game, with its rules. `number` chooses a record,
    /// from 1, if the text has several. The text may also be SGF, or a list of moves: the rules of
    /// the current game apply if it names none. Sets [`Engine::warning`] if the record may be
    /// truncated, or if a part of the text was not read.
    ///
    /// # Errors
    /// If the text has an invalid form or no record with this number. If the record names an
    /// unknown game or option, or has an illegal move. If its outcome differs from that of the
    /// rules. The engine is unchanged then.
    pub fn load_record(&mut self, text: &str, number: Option<usize>) -> Result<(), EngineError> {
        self.load_record_unless_stopped(text, number, &|| false)
    }

    /// Loads a record like [`load`](Engine::load_record), but fails as soon as `is_stopped` returns
    /// `true`. The function `is_stopped` is called every few moves.
    ///
    /// # Errors
    /// The errors of [`load`](Engine::load_record), and an error if the loading was stopped. The
    /// engine is unchanged then.
    pub fn load_record_unless_stopped(
        &mut self,
        text: &str,
        number: Option<usize>,
        is_stopped: &dyn Fn() -> bool,
    ) -> Result<(), EngineError> {
        let source = RecordSource { text, number, advice: "FILE:NUMBER names one of them" };
        let record = source.select(&self.options, is_stopped)?;
        let host = self.host.as_ref();
        let game = replay_unless_stopped(record, &self.options, host, is_stopped)?;
        self.clear_search();
        self.options = game.options;
        self.session = game.session;
        self.annotated_record = Some(game.record);
        self.warning = Some(game.warnings.messages().join("; ")).filter(|text| !text.is_empty());
        Ok(())
    }

    /// Sets up a position and makes moves, like
    /// [`GameControl::set_position`](super::session::GameControl::set_position). If the moves
    /// continue the current game or take moves back, its annotations stay. Otherwise they are
    /// removed.
    ///
    /// # Errors
    /// If `fen` is not a position of these rules, or if a move is not legal. The engine is
    /// unchanged then.
    pub fn set_position(
        &mut self,
        fen: Option<&[InputWord]>,
        moves: &[InputWord],
    ) -> Result<(), EngineError> {
        let has_same_start =
            self.annotated_record.is_some() && self.session.count_shared_moves(fen, &[]).is_some();
        let before = has_same_start.then(|| self.session.game_line().moves);
        self.session.set_position(fen, moves)?;
        let is_same_game = before.is_some_and(|before| {
            // Moves are compared in canonical notation, because they may be typed in another.
            let after = self.session.game_line().moves;
            before.iter().zip(&after).all(|(before, after)| before == after)
        });
        if !is_same_game {
            self.annotated_record = None;
        }
        Ok(())
    }

    /// Writes a review of the current game into its record.
    ///
    /// # Errors
    /// If the review is of another game. The engine is unchanged then.
    pub fn add_review(&mut self, review: &Review) -> Result<(), EngineError> {
        let mut record = self.record();
        annotate_record(&mut record, review, self.session.as_ref())?;
        self.annotated_record = Some(record);
        Ok(())
    }

    /// Adds an annotation to the record of the current game.
    ///
    /// # Errors
    /// If the annotation has an invalid form. If it needs a move and none was made. If a move of a
    /// variation is not legal. The engine is unchanged then.
    pub fn annotate(&mut self, annotation: RecordAnnotation) -> Result<(), EngineError> {
        let mut record = self.record();
        // Moves that were taken back stay in the record, because they can be made again.
        let taken_back = match &self.annotated_record {
            Some(annotated) if begins_with_moves_of(annotated, &record) => {
                annotated.moves.get(record.moves.len()..).unwrap_or_default().to_vec()
            }
            _ => Vec::new(),
        };
        let last = record.moves.last_mut();
        match annotation {
            RecordAnnotation::Comment(text) => {
                let comment = normalise_comment(&text).map_err(RecordError::from)?;
                match last {
                    Some(mv) => mv.notes_mut().comment = comment,
                    None => record.comment = comment,
                }
            }
            RecordAnnotation::Mark(glyph) => {
                let glyphs = &mut last.ok_or(RecordError::NoMove)?.notes_mut().glyphs;
                glyphs.retain(|&other| usize::from(other) > record::MOVE_MARKS.len());
                if let Some(glyph) = glyph {
                    glyphs.insert(0, glyph);
                }
            }
            RecordAnnotation::Clock(time) => {
                last.ok_or(RecordError::NoMove)?.notes_mut().clock = Some(time)
            }
            RecordAnnotation::Variation(moves) => {
                let mv = last.ok_or(RecordError::NoMove)?;
                let mut line: Vec<RecordedMove> =
                    moves.into_iter().map(|word| word.text.into()).collect();
                let mut session = self.session.copy_session();
                session.undo_moves(1 + u32::from(session.game_state().end.is_some()))?;
                canonicalise_line(session.as_mut(), &mut line, &mut |session, mv| {
                    canonical_move_string(session, mv)
                })?;
                if line.is_empty() {
                    return Err(RecordError::EmptyVariation.into());
                }
                mv.notes_mut().add_variation(line);
            }
            RecordAnnotation::Tag(name, value) => set_record_tag(&mut record, &name, &value)?,
        }
        record.moves.extend(taken_back);
        if !notes::is_nesting_at_most(&record.moves, MAX_VARIATION_NESTING) {
            return Err(RecordError::TooDeep.into());
        }
        self.annotated_record = Some(record);
        Ok(())
    }
}

/// Checks the name of a tag that a user adds to a record.
///
/// # Errors
/// If the name is invalid, or if the value of the tag [is derived](is_derived_tag).
pub fn check_tag_name(name: &str) -> Result<(), RecordError> {
    let has_valid_letters =
        name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
    if name.is_empty() || name.len() > 100 || !has_valid_letters {
        return Err(RecordError::TagName { name: name.into() });
    }
    if is_derived_tag(name) {
        return Err(RecordError::OwnTag { name: name.into() });
    }
    Ok(())
}

/// Checks the value of a tag, without escapes.
///
/// # Errors
/// If it has control characters or is too long.
pub(crate) fn check_tag_value(value: &str) -> Result<(), RecordError> {
    if let Some(index) = value.chars().position(is_forbidden_character) {
        return Err(RecordError::ControlCharacter { at: index + 1 });
    }
    if value.chars().count() > MAX_COMMENT_LENGTH {
        return Err(CommentError::TooLong.into());
    }
    Ok(())
}

/// Sets or removes a tag of a record.
fn set_record_tag(record: &mut GameRecord, name: &str, value: &str) -> Result<(), RecordError> {
    check_tag_name(name)?;
    check_tag_value(value)?;
    let value = normalise_comment(value)?;
    record.tags.retain(|(known, _)| !known.eq_ignore_ascii_case(name));
    if !value.is_empty() {
        record.tags.push((name.into(), escape_tag_value(&value)));
    }
    Ok(())
}

/// Returns whether the value of a tag follows from the moves, the rules or the file of a match.
/// Such a tag is not stored, because another move could make its value wrong.
pub fn is_derived_tag(tag: &str) -> bool {
    const DERIVED_TAGS: [&str; 8] =
        ["Game", "Option", "Fen", "Outcome", "Result", "SetUp", "PlyCount", "Checksum"];
    DERIVED_TAGS.iter().chain(&MATCH_TAGS).any(|derived| derived.eq_ignore_ascii_case(tag))
}

/// The tags that place a game in the file of a match or of a tuning.
const MATCH_TAGS: [&str; 8] =
    ["Match", "Number", "Opening", "End", "Fault", "Effort1", "Effort2", "Seed"];

/// Returns whether the moves of one record begin with those of another.
fn begins_with_moves_of(record: &GameRecord, beginning: &GameRecord) -> bool {
    let mut pairs = record.moves.iter().zip(&beginning.moves);
    record.moves.len() >= beginning.moves.len() && pairs.all(|(one, other)| one.text == other.text)
}

/// Returns the record `played` with the annotations of another record of the same game. If the
/// other record is of another game, returns `played` unchanged.
fn with_annotations(
    annotated: &GameRecord,
    played: GameRecord,
    session: &dyn Session,
) -> GameRecord {
    let has_same = |name| annotated.values(name).eq(played.values(name));
    if !["Game", "Option", "Fen"].into_iter().all(has_same) {
        return played;
    }
    let is_unchanged = annotated.moves.len() == played.moves.len()
        && begins_with_moves_of(annotated, &played)
        && has_same("Outcome");
    // The result of an unfinished game does not follow from the rules. It stays while the moves are
    // the same.
    let result = match session.game_state().outcome {
        None if is_unchanged => annotated.result.clone(),
        _ => played.result,
    };
    let added_tags = annotated.tags.iter().filter(|(name, _)| !is_derived_tag(name)).cloned();
    let tags = played.tags.into_iter().chain(added_tags).collect();
    GameRecord { tags, result, ..annotated.clone().with_main_line(played.moves) }
}

/// Returns the record of the current game, with the annotations of `annotated`.
pub(super) fn current_record(
    annotated: Option<&GameRecord>,
    options: &Options,
    session: &dyn Session,
) -> GameRecord {
    let played = game_record(options, session);
    match annotated {
        Some(annotated) => with_annotations(annotated, played, session),
        None => played,
    }
}

/// Returns the record of a game with the rules of these options, without annotations.
pub fn game_record(options: &Options, session: &dyn Session) -> GameRecord {
    let GameLine { start, moves, signs, .. } = session.game_line();
    let mut tags = vec![("Game".to_string(), session.game_constants().game.to_string())];
    let changed = non_default_rules(options).into_iter();
    tags.extend(changed.map(|(spec, value)| ("Option".into(), format!("{}={value}", spec.name))));
    tags.extend(start.map(|text| ("Fen".into(), text)));
    tags.push(("Outcome".into(), session.game_status().outcome));
    let mut line = Vec::with_capacity(moves.len());
    for (text, signs) in moves.into_iter().zip(signs) {
        let mut mv = RecordedMove::new(text, None);
        mv.add_signs(&signs);
        line.push(mv);
    }
    GameRecord { moves: line, result: two_side_result(session).into(), ..GameRecord::new(tags) }
}

/// Returns the result of a game for a record. Records have results for two sides only.
fn two_side_result(session: &dyn Session) -> &'static str {
    record::record_result(
        session.game_state().outcome.filter(|_| session.game_constants().players.len() == 2),
    )
}

/// The game of a loaded record.
pub struct ReplayedGame {
    /// The options of the record. Options that the record does not set have their default values.
    pub options: Options,
    /// The game, at the end of the main line.
    pub session: Box<dyn Session>,
    /// The record with all its moves in canonical notation.
    pub record: GameRecord,
    /// The parts of the text that may be missing here.
    pub warnings: RecordWarnings,
}

/// Warnings about a text that was read as a game.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RecordWarnings {
    /// The warning that the record may be truncated.
    pub truncation: Option<TruncationWarning>,
    /// The elements that were not read.
    pub unread: UnreadElements,
    /// The rules, as `GAME_NAME=VALUE`, that a reader found by trying several rules, because the
    /// text does not name its rules. `None` if the text or the user names them.
    pub assumed_rules: Option<&'static str>,
}

impl RecordWarnings {
    /// Returns the warnings as sentences.
    pub fn messages(&self) -> Vec<String> {
        let truncation = self.truncation.iter().map(TruncationWarning::to_string);
        let unread = Some(&self.unread).filter(|unread| !unread.is_empty());
        truncation.chain(unread.map(UnreadElements::to_string)).collect()
    }
}

/// The record states how the game ended, but its result is missing.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("the record may be truncated: its tag {tag} says {}, but it does not end in {result}", quote_word(.stated))]
pub struct TruncationWarning {
    /// The tag: `Outcome` or `Result`.
    pub tag: &'static str,
    /// Its value.
    pub stated: String,
    /// The missing result.
    pub result: &'static str,
}

/// A fault of a record or of an annotation.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum RecordError {
    /// An annotation belongs to a move, but no move was made yet.
    #[error("no move was made yet")]
    NoMove,
    /// A variation has no move.
    #[error("a variation needs at least one move")]
    EmptyVariation,
    /// Variations are nested deeper than [`MAX_VARIATION_NESTING`].
    #[error("variations lie at most {MAX_VARIATION_NESTING} deep in one another")]
    TooDeep,
    /// The name of a tag has an invalid character.
    #[error("the name of a tag may have only letters, digits and _, not {}", quote_word(.name))]
    TagName {
        /// The invalid name.
        name: String,
    },
    /// The program itself determines the value of the tag.
    #[error("the game itself determines the tag {name}")]
    OwnTag {
        /// The name of the tag.
        name: String,
    },
    /// The value of a tag has a control character.
    #[error("a tag may not have control characters, but there is one at character {at}")]
    ControlCharacter {
        /// The position of the character, from 1.
        at: usize,
    },
    /// A text cannot be a comment or the value of a tag.
    #[error(transparent)]
    Comment(#[from] CommentError),
    /// The record has a tag twice.
    #[error("the record has the tag {name} twice")]
    DuplicateTag {
        /// The name of the tag.
        name: String,
    },
    /// A tag contradicts the rest of the record.
    #[error("the tag {tag} says {}, but {}", quote_word(.stated), .found)]
    Contradiction {
        /// The name of the tag.
        tag: &'static str,
        /// Its value.
        stated: String,
        /// The contents of the rest of the record, as a clause.
        found: String,
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
    /// The record with its variations has more than [`MAX_GAME_PLIES`] moves.
    #[error("a record has at most {MAX_GAME_PLIES} moves with its variations")]
    TooManyMoves,
    /// Loading was stopped before all moves were made.
    #[error("loading was stopped; the current game is unchanged")]
    Stopped,
    /// The checksum of the record is not the stated one.
    #[error(transparent)]
    Checksum(#[from] ChecksumError),
    /// The stated outcome differs from that of the moves.
    #[error("the record says {}, but the game is: {outcome}", quote_word(.stated))]
    Outcome {
        /// The outcome in the record.
        stated: String,
        /// The outcome of the game.
        outcome: String,
    },
    /// The result of the record differs from that of its moves.
    #[error("the record ends in {stated}, but the game is: {outcome}")]
    Result {
        /// The result at the end of the record.
        stated: String,
        /// The outcome of the game.
        outcome: String,
    },
    /// The text has no game with this number.
    #[error("{}", format_game_numbers(*.games))]
    GameNumber {
        /// The number of games in the text.
        games: usize,
    },
    /// The text contains several games, but must contain one.
    #[error("it holds {games} games: {advice}")]
    SeveralGames {
        /// The number of games in the text.
        games: usize,
        /// A hint how to choose one of them.
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
            | RecordError::Contradiction { .. }
            | RecordError::DuplicateOption { .. }
            | RecordError::NoGameTag
            | RecordError::EmptyVariation
            | RecordError::TagName { .. }
            | RecordError::ControlCharacter { .. } => ErrorKind::Syntax,
            _ => ErrorKind::Value,
        }
    }
}

/// Returns a sentence about the numbers of the games in a text.
fn format_game_numbers(games: usize) -> String {
    match games {
        0 => "it holds no game".into(),
        1 => "it holds game 1 only".into(),
        games => format!("it holds games 1 to {games}"),
    }
}

impl ReplayedGame {
    /// Replays the game of a record with its rules. `options` name the game and the rules if the
    /// record names no game.
    ///
    /// # Errors
    /// If the record names an unknown game or option. If it has an illegal move, even in a
    /// variation. If its outcome differs from that of the rules.
    pub fn replay(
        record: GameRecord,
        options: &Options,
        host: &dyn Host,
    ) -> Result<ReplayedGame, EngineError> {
        replay_unless_stopped(record, options, host, &|| false)
    }
}

/// The number of moves between two checks for a stop. There is no check before the first 1,000
/// moves. A script may load a game and then contain `quit`. Without a check it always loads a game
/// of normal length, however early the `quit` is read.
pub(crate) const STOP_CHECK_MOVES: usize = 1_000;

/// Returns the rules of a record. The record sets some options. Other options of its game have
/// their default values, and all remaining options are those of `options`.
///
/// # Errors
/// If the record names an unknown game or option, or contains a tag or an option twice.
pub fn record_options(record: &GameRecord, options: &Options) -> Result<Options, EngineError> {
    check_tags(record)?;
    let mut options = options.clone();
    let game = record.values("Game").next().ok_or(RecordError::NoGameTag)?;
    options.set(&pentarch_games::GAME_OPTION, game)?;
    set_rules(&mut options, record.values("Option"))?;
    Ok(options)
}

/// Checks that no tag or option is duplicate, because one of the values would be lost, and that the
/// tags that repeat what the record says agree with it.
fn check_tags(record: &GameRecord) -> Result<(), RecordError> {
    let mut names = BTreeSet::new();
    for (name, _) in record.tags.iter().filter(|(name, _)| !name.eq_ignore_ascii_case("Option")) {
        if !names.insert(name.to_ascii_lowercase()) {
            return Err(RecordError::DuplicateTag { name: name.clone() });
        }
    }
    let mut options = BTreeSet::new();
    for setting in record.values("Option") {
        let name = setting.split('=').next().unwrap_or_default();
        if !options.insert(name.to_ascii_lowercase()) {
            return Err(RecordError::DuplicateOption { name: name.into() });
        }
    }
    let contradiction = |tag, stated: &str, found: String| {
        Err(RecordError::Contradiction { tag, stated: stated.into(), found })
    };
    let has_fen = record.values("Fen").next().is_some();
    if let Some(stated) = record.values("Result").find(|stated| *stated != record.result) {
        return contradiction("Result", stated, format!("the record ends in {}", record.result));
    }
    if let Some(stated) = record.values("SetUp").find(|stated| (*stated == "1") != has_fen) {
        let found = if has_fen { "there is a tag Fen" } else { "there is no tag Fen" };
        return contradiction("SetUp", stated, found.into());
    }
    let moves = record.moves.len();
    if let Some(stated) = record.values("PlyCount").find(|stated| stated.parse() != Ok(moves)) {
        return contradiction("PlyCount", stated, format!("the record has {moves} moves"));
    }
    Ok(())
}

/// Adds the game and the rules of these options to a record that names no game. Returns the game in
/// that case.
pub fn assume_game(record: &mut GameRecord, options: &Options) -> Option<String> {
    if record.values("Game").next().is_some() {
        return None;
    }
    let game = options.value(&pentarch_games::GAME_OPTION).to_string();
    let mut tags = vec![("Game".to_string(), game.clone())];
    for (spec, value) in non_default_rules(options) {
        let is_same = |setting: &str| {
            setting.split('=').next().is_some_and(|name| name.eq_ignore_ascii_case(spec.name))
        };
        if !record.values("Option").any(is_same) {
            tags.push(("Option".into(), format!("{}={value}", spec.name)));
        }
    }
    record.tags.splice(0..0, tags);
    Some(game)
}

/// Takes the result of the tag `Result` if the record does not end in one. Returns a warning then.
fn complete_result(record: &mut GameRecord) -> Option<TruncationWarning> {
    let stated = record.values("Result").next().filter(|_| record.result == "*")?;
    let result = record::FINAL_RESULTS.into_iter().find(|result| *result == stated)?;
    record.result = result.into();
    Some(TruncationWarning { tag: "Result", stated: result.into(), result })
}

/// Sets the rules of a game by strings `GAME_NAME=VALUE`, and all other rules of the game to their
/// defaults.
///
/// # Errors
/// If the game has no such rule, or if the rule has no such value.
pub fn set_rules<'a>(
    options: &mut Options,
    settings: impl IntoIterator<Item = &'a str>,
) -> Result<(), EngineError> {
    for spec in rule_options(options) {
        options.reset(spec);
    }
    for setting in settings {
        options.set_rule_text(game_specific_options(options), setting)?;
    }
    Ok(())
}

/// Replays a record like [`ReplayedGame::replay`], but fails as soon as `is_stopped` returns
/// `true`.
fn replay_unless_stopped(
    mut record: GameRecord,
    options: &Options,
    host: &dyn Host,
    is_stopped: &dyn Fn() -> bool,
) -> Result<ReplayedGame, EngineError> {
    record.verify_and_remove_checksum().map_err(RecordError::from)?;
    let assumed = assume_game(&mut record, options);
    replay_game(record, options, host, is_stopped).map_err(|error| match assumed {
        Some(game) => error.in_context(ErrorContext::AssumedGame(game)),
        None => error,
    })
}

/// Replays a record that names its game.
fn replay_game(
    mut record: GameRecord,
    options: &Options,
    host: &dyn Host,
    is_stopped: &dyn Fn() -> bool,
) -> Result<ReplayedGame, EngineError> {
    let truncation = complete_result(&mut record);
    let options = record_options(&record, options)?;
    let mut session = session_with_tables(&options, host);
    let fen = record
        .values("Fen")
        .next()
        .map(|text| text.split_whitespace().map(InputWord::from_text).collect::<Vec<_>>());
    let typed = record.moves.iter().map(RecordedMove::text_with_signs);
    let moves: Vec<InputWord> = typed.map(|text| InputWord::from_text(&text)).collect();
    // A list that is too long is rejected before any of its moves is made.
    let interval = if moves.len() > MAX_GAME_PLIES { moves.len() } else { STOP_CHECK_MOVES };
    for end in (0..moves.len()).step_by(interval).skip(1).chain([moves.len()]) {
        if end > STOP_CHECK_MOVES && is_stopped() {
            return Err(RecordError::Stopped.into());
        }
        session.set_position(fen.as_deref(), &moves[..end])?;
    }
    let mut numbers = InvalidNumbers::default();
    if record.len_with_variations() > moves.len() {
        if record.len_with_variations() > MAX_GAME_PLIES {
            return Err(RecordError::TooManyMoves.into());
        }
        let mut game = session.copy_session();
        game.set_position(fen.as_deref(), &[])?;
        canonicalise_variations(game.as_mut(), &mut record.moves, &mut numbers, is_stopped)?;
    } else {
        for (mv, (_, number)) in record.moves.iter().zip(session.game_line().turns) {
            numbers.check(mv, number);
        }
    }
    end_game_as_stated(session.as_mut(), &record)?;
    let truncation = check_record_outcome(session.as_ref(), &record)?.or(truncation);
    let mut unread = std::mem::take(&mut record.unread);
    numbers.report(&mut unread);
    for (name, _) in &record.tags {
        if MATCH_TAGS.iter().any(|known| known.eq_ignore_ascii_case(name)) {
            unread.add(&format!("the tag {name}"), None);
        }
    }
    // The engine replaces the tags for rules, start and outcome by its own values.
    let played = game_record(&options, session.as_ref());
    // Moves are compared in canonical notation: `E2` becomes `e2`.
    for (mv, made) in record.moves.iter_mut().zip(&played.moves) {
        mv.text.clone_from(&made.text);
    }
    let mut tags = played.tags.clone();
    tags.extend(record.tags.into_iter().filter(|(name, _)| !is_derived_tag(name)));
    let record = GameRecord { tags, ..record };
    let record = with_annotations(&record, played, session.as_ref());
    let warnings = RecordWarnings { truncation, unread, assumed_rules: None };
    Ok(ReplayedGame { options, session, record, warnings })
}

/// The move numbers of a text that are not those of their positions.
#[derive(Debug, Default)]
struct InvalidNumbers {
    count: usize,
    /// The right number in place of the first of them.
    first: u32,
}

impl InvalidNumbers {
    /// Checks the number that the text states for a move. `number` is that of its position.
    fn check(&mut self, mv: &RecordedMove, number: u32) {
        if mv.stated_number().is_some_and(|stated| stated != number) {
            self.first = if self.count == 0 { number } else { self.first };
            self.count += 1;
        }
    }

    fn report(&self, unread: &mut UnreadElements) {
        let name = format!("an invalid move number, the first in place of {}", self.first);
        (0..self.count).for_each(|_| unread.add(&name, None));
    }
}

/// Replaces the notation of the moves of a record, including its variations, by the canonical one.
/// `game` is in the first position.
fn canonicalise_variations(
    game: &mut dyn Session,
    line: &mut [RecordedMove],
    numbers: &mut InvalidNumbers,
    is_stopped: &dyn Fn() -> bool,
) -> Result<(), EngineError> {
    let mut made = 0;
    canonicalise_line(game, line, &mut |game, mv| {
        made += 1;
        numbers.check(mv, game.game_state().full_move);
        match made % STOP_CHECK_MOVES == 0 && is_stopped() {
            true => Err(RecordError::Stopped.into()),
            false => canonical_move_string(game, mv),
        }
    })
}

/// Ends the game if the record states that the players ended it.
fn end_game_as_stated(session: &mut dyn Session, record: &GameRecord) -> Result<(), EngineError> {
    let Some(stated) = record.values("Outcome").next() else { return Ok(()) };
    for end in EndByPlayers::ALL {
        if session.outcome_words(end.outcome()) == stated {
            let context = ErrorContext::Outcome(stated.into());
            return session.end_game(end).map_err(|error| error.in_context(context));
        }
    }
    Ok(())
}

/// Checks that a record states the outcome and the result of the game. Returns a warning if the
/// record may be truncated.
fn check_record_outcome(
    session: &dyn Session,
    record: &GameRecord,
) -> Result<Option<TruncationWarning>, RecordError> {
    let stated = record.values("Outcome").next();
    let outcome = session.game_status().outcome;
    if let Some(stated) = stated.filter(|stated| *stated != outcome) {
        return Err(RecordError::Outcome { stated: stated.into(), outcome });
    }
    let result = two_side_result(session);
    let is_other_result = record.result != "*" && record.result != result;
    // A result without a reason is accepted while the game is not over, because some programs write
    // such results.
    if session.game_state().outcome.is_some() && is_other_result {
        return Err(RecordError::Result { stated: record.result.clone(), outcome });
    }
    // A complete record ends in its result.
    let is_truncated = stated.is_some() && record.result != result && record.result == "*";
    let warning = TruncationWarning { tag: "Outcome", stated: outcome, result };
    Ok(is_truncated.then_some(warning))
}

/// Returns the canonical notation of a legal move.
fn canonical_move_string(session: &dyn Session, mv: &RecordedMove) -> Result<String, EngineError> {
    let number = session.game_state().moves + 1;
    let text = mv.text_with_signs();
    let found = session.find_move(&text);
    let found = found
        .map_err(|error| EngineError::invalid_move(number, &InputWord::from_text(&text), error))?;
    Ok(found.text)
}

/// Replaces the notation of the moves in a line and in its variations. The line starts at the
/// current position of the game. `read` returns the new notation of a move. Afterwards the game is
/// at the end of the line.
///
/// # Errors
/// The errors of `read`, and an error if a move is not legal. The error of a variation names the
/// move that the variation replaces. After an error the position of the game is unspecified.
fn canonicalise_line(
    session: &mut dyn Session,
    line: &mut [RecordedMove],
    read: &mut dyn FnMut(&dyn Session, &RecordedMove) -> Result<String, EngineError>,
) -> Result<(), EngineError> {
    for mv in line {
        let text = read(session, mv)?;
        if !mv.notes().variations.is_empty() {
            let number = session.game_state().moves + 1;
            let context = ErrorContext::Variation { number, text: text.clone() };
            for variation in &mut mv.notes_mut().variations {
                canonicalise_line(session, variation, read)
                    .map_err(|error| error.in_context(context.clone()))?;
                session.undo_moves(variation.len() as u32)?;
            }
        }
        session.play(&[InputWord::from_text(&text)])?;
        mv.text = text;
    }
    Ok(())
}

/// Returns whether a record shows that it is a separate game, by a tag or by its first number.
fn begins_game(record: &GameRecord) -> bool {
    let number = record.moves.first().and_then(RecordedMove::stated_number);
    record.values("Game").next().is_some() || number == Some(1)
}

/// A text with games, and the choice of one of them.
pub(crate) struct RecordSource<'a> {
    /// Records, a list of moves, or SGF.
    pub text: &'a str,
    /// The number of the game, from 1; `None` if there must be only one.
    pub number: Option<usize>,
    /// The part of the error if there are several.
    pub advice: &'static str,
}

impl RecordSource<'_> {
    /// Returns the chosen record. `options` apply to SGF that names no rules. Fails as soon as
    /// `is_stopped` returns `true`.
    ///
    /// # Errors
    /// If the text has another form or no such record, or if it was stopped.
    pub(crate) fn select(
        &self,
        options: &Options,
        is_stopped: &dyn Fn() -> bool,
    ) -> Result<GameRecord, EngineError> {
        let RecordSource { text, number, advice } = *self;
        let in_text = |error| EngineError::in_multiline_text(text, error);
        if is_sgf(text) {
            let all = SgfGames::parse(text).map_err(in_text)?;
            return match (number, all.len()) {
                (None, games) if games > 1 => {
                    Err(RecordError::SeveralGames { games, advice }.into())
                }
                (number, _) => all.read(number.unwrap_or(1).wrapping_sub(1), options, is_stopped),
            };
        }
        let all = GameRecord::parse_all(text);
        match (number, all) {
            (Some(number), all) => {
                let all = all.map_err(in_text)?;
                let games = all.len();
                let record = all.into_iter().nth(number.wrapping_sub(1));
                Ok(record.ok_or(RecordError::GameNumber { games })?)
            }
            (None, Ok(all)) if all.len() > 1 && all.iter().all(begins_game) => {
                Err(RecordError::SeveralGames { games: all.len(), advice }.into())
            }
            (None, Ok(all)) if all.is_empty() => Err(RecordError::GameNumber { games: 0 }.into()),
            (None, Ok(mut all)) if all.len() == 1 => Ok(all.remove(0)),
            (None, _) => GameRecord::parse(text).map_err(in_text),
        }
    }
}
