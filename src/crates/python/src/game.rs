//! The class `Game`: a game with its moves.

use std::borrow::Cow;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyIterator, PyList, PyString};

use pentarch_core::notation::parsing::did_you_mean_hint;
use pentarch_core::{MoveError, OptionSpec, OptionValue, Options, Outcome, Side};
use pentarch_diagram::board::ImageOptions;
use pentarch_diagram::stylesheet::ColourScheme;
use pentarch_engine::engine_state::{Engine, non_default_rules, rule_options};
use pentarch_engine::error::EngineError;
use pentarch_engine::games::GAME_OPTION;
use pentarch_engine::host::Host;
use pentarch_engine::input_word::InputWord;
use pentarch_engine::session::Session;
use pentarch_search::clock::Clock;

use crate::error::RulesError;
use crate::legal_moves::LegalMoves;
use crate::outcome::GameOutcome;

/// A host for an engine that never searches.
struct NoSearchHost;

impl Host for NoSearchHost {
    fn host_clock(&self) -> Clock {
        Clock::new(|| Duration::ZERO)
    }
}

/// A game with its moves. The rules run in this process, without the program.
///
///     >>> from pentarch import Game
///     >>> game = Game("quoridor", board_size=5)
///     >>> len(game.legal_moves), game.turn
///     (35, 'white')
///     >>> game.push("c2")
///     >>> game.why_illegal("e2")
///     "e2 is not a neighbour of c5, and white's pawn on c2 is not between them"
///     >>> game.pop()
///     'c2'
///
/// The keywords are the options of the game's rules. `fen` is the first position, by default the
/// start position of the rules. `moves` are moves to make.
///
/// Two games are equal if they have the same rules and the same position. Earlier moves and the
/// number of the move do not matter. The hash changes with the position: put copies into a set.
/// A game can be pickled. Threads may share a game, and each call is atomic.
///
/// Invalid arguments and illegal moves raise `EngineError`. The game is unchanged then.
#[pyclass(frozen, module = "pentarch", name = "Game")]
pub(crate) struct Game(Mutex<GameState>);

/// The state of a game.
pub(crate) struct GameState {
    engine: Engine,
    /// The number of legal moves, if they were generated for the current position.
    legal_move_count: Option<usize>,
    /// The last legal move that was read by its index, with this index. Usually this object is
    /// passed to `push` next, and then it need not be parsed.
    last_read_move: Option<(usize, Py<PyString>)>,
}

impl GameState {
    pub(crate) fn session(&self) -> &dyn Session {
        self.engine.session.as_ref()
    }

    /// Returns the current game, so that the caller can change it.
    fn session_to_change(&mut self) -> &mut dyn Session {
        self.legal_move_count = None;
        self.last_read_move = None;
        self.engine.session.as_mut()
    }

    /// Returns the number of legal moves, and generates them if necessary.
    pub(crate) fn legal_move_count(&mut self) -> usize {
        let session = &mut self.engine.session;
        *self.legal_move_count.get_or_insert_with(|| session.generate_legal_moves())
    }

    /// Returns the legal move with this index. Creating a string runs no Python code.
    pub(crate) fn legal_move_at(&mut self, py: Python<'_>, index: usize) -> Option<Py<PyString>> {
        self.legal_move_count();
        let text = self.session().generated_move_text(index)?;
        let text = PyString::new(py, &text).unbind();
        self.last_read_move = Some((index, text.clone_ref(py)));
        Some(text)
    }

    /// Makes the legal move that was read last, if `mv` is that object. Returns whether the move
    /// was made.
    fn push_last_read_move(&mut self, mv: &Bound<'_, PyString>) -> bool {
        let Some((index, _)) = self.last_read_move.take().filter(|(_, read)| read.is(mv)) else {
            return false;
        };
        self.session_to_change().play_generated_move(index)
    }

    /// Makes a move.
    fn push(&mut self, text: &str) -> Result<(), RulesError> {
        let session = self.session_to_change();
        let word = InputWord::from_text(text);
        let error = match session.play_moves(std::slice::from_ref(&word)) {
            Ok(()) => return Ok(()),
            Err(error) => error,
        };
        // The list of moves contains only this move, so the error does not state its number.
        Err(match session.resolve_move(text) {
            Err(error) => EngineError::invalid_single_move(&word, error).into(),
            Ok(_) => error.into(),
        })
    }

    /// Makes uniformly random moves until the game ends, but at most `limit`. Returns their number.
    fn push_random_moves(&mut self, limit: usize, seed: u64) -> usize {
        let mut random = fastrand::Rng::with_seed(seed);
        let session = self.session_to_change();
        for made in 0..limit {
            let count = session.generate_legal_moves();
            if count == 0 || !session.play_generated_move(random.usize(..count)) {
                return made;
            }
        }
        limit
    }

    /// Takes back the last move. If the players ended the game after it, this end is also taken
    /// back.
    fn pop(&mut self) -> Result<String, RulesError> {
        let count = 1 + u32::from(self.session().game_state().end.is_some());
        let last = self.session().last_move_text();
        self.session_to_change().undo_moves(count)?;
        Ok(last.unwrap_or_default())
    }

    /// Returns the FEN without the number of the move.
    fn fen_without_number(&self) -> String {
        let fen = self.session().position_fen();
        fen.rsplit_once(' ').map_or(String::new(), |(position, _)| position.into())
    }
}

impl Game {
    pub(crate) fn new(engine: Engine) -> Game {
        Game(Mutex::new(GameState { engine, legal_move_count: None, last_read_move: None }))
    }

    /// Locks the state. The caller must not run Python code before it drops the lock. Otherwise
    /// Python may switch to another thread, which may wait for the lock and block Python.
    pub(crate) fn lock(&self) -> MutexGuard<'_, GameState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns the keyword for an option of a game: `board_size` for `Quoridor_BoardSize`.
fn option_keyword(spec: &OptionSpec) -> String {
    let name = spec.name.split_once('_').map_or(spec.name, |(_, name)| name);
    let mut keyword = String::new();
    for letter in name.chars() {
        if letter.is_ascii_uppercase() && !keyword.is_empty() {
            keyword.push('_');
        }
        keyword.push(letter.to_ascii_lowercase());
    }
    keyword
}

/// Returns the value of a keyword as a string.
fn option_value_text(value: &Bound<'_, PyAny>) -> PyResult<String> {
    match value.extract::<bool>() {
        Ok(is_on) => Ok(is_on.to_string()),
        Err(_) => Ok(value.str()?.to_string()),
    }
}

/// Sets an option of the game's rules by its keyword.
fn set_rule_by_keyword(engine: &mut Engine, keyword: &str, value: &str) -> Result<(), RulesError> {
    let specs: Vec<_> = rule_options(&engine.options).collect();
    let keywords: Vec<String> = specs.iter().map(|spec| option_keyword(spec)).collect();
    let Some(at) = keywords.iter().position(|known| known == keyword) else {
        let hint = did_you_mean_hint(keyword, keywords.iter().map(String::as_str));
        let game = engine.session.game_constants().game;
        let known = keywords.join(", ");
        let message = format!("{game} has no rule '{keyword}'{hint}; its rules are {known}");
        return Err(RulesError::unknown_option(message, keyword));
    };
    engine
        .set_option(specs[at].name, value)
        .map_err(|error| RulesError::from(error).in_argument(keyword))
}

/// Creates an engine with the default rules of a game.
fn engine_for_game(game: &str) -> Result<Engine, RulesError> {
    let mut options = Options::default();
    let set = options.set(&GAME_OPTION, game).map_err(EngineError::from);
    set.map_err(|error| RulesError::from(error).in_argument("game"))?;
    Ok(Engine::new(options, Arc::new(NoSearchHost)))
}

#[pymethods]
impl Game {
    #[new]
    #[pyo3(signature = (game, *, fen=None, moves=Vec::new(), **options))]
    fn from_arguments(
        game: &str,
        fen: Option<&str>,
        moves: Vec<String>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Game> {
        let mut engine = engine_for_game(game)?;
        for (name, value) in options.into_iter().flatten() {
            let value = option_value_text(&value)?;
            set_rule_by_keyword(&mut engine, &name.extract::<String>()?, &value)?;
        }
        let fen = fen.map(InputWord::split_into_words);
        let moves: Vec<InputWord> = moves.iter().map(|mv| InputWord::from_text(mv)).collect();
        engine.session.set_position(fen.as_deref(), &moves).map_err(RulesError::from)?;
        Ok(Game::new(engine))
    }

    /// Returns the game of a record, of SGF or of a list of moves. If the text has several games,
    /// `number` chooses one of them, from 1.
    ///
    ///     >>> from pentarch import Game
    ///     >>> Game.from_record(Game("roses", moves=["d3"]).record()).moves
    ///     ['d3']
    #[staticmethod]
    #[pyo3(signature = (text, number=None))]
    fn from_record(text: &str, number: Option<usize>) -> PyResult<Game> {
        let mut engine = Engine::new(Options::default(), Arc::new(NoSearchHost));
        engine.load_record(text, number).map_err(RulesError::from)?;
        Ok(Game::new(engine))
    }

    /// The word that names the game.
    #[getter]
    fn name(&self) -> &'static str {
        self.lock().session().game_constants().game
    }

    /// The options of the rules that differ from their defaults.
    #[getter]
    fn options<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let rules = non_default_rules(&self.lock().engine.options);
        let options = PyDict::new(py);
        for (spec, value) in rules {
            let keyword = option_keyword(spec);
            match value {
                OptionValue::Check(value) => options.set_item(keyword, value)?,
                OptionValue::Spin(value) => options.set_item(keyword, value)?,
                value => options.set_item(keyword, value.to_string())?,
            }
        }
        Ok(options)
    }

    /// The words that name the players, in the order of their turns.
    #[getter]
    fn players(&self) -> Vec<&'static str> {
        self.lock().session().game_constants().players.to_vec()
    }

    /// The word that names the player to move; None if the game is over.
    #[getter]
    fn turn(&self) -> Option<&'static str> {
        let state = self.lock();
        let game_state = state.session().game_state();
        let is_over = game_state.outcome.is_some();
        (!is_over).then(|| state.session().game_constants().players[game_state.player])
    }

    /// The outcome; None while the game continues.
    #[getter]
    fn outcome(&self) -> Option<GameOutcome> {
        let state = self.lock();
        let reason = state.session().game_state().outcome.map(Outcome::reason)?;
        let status = state.session().game_status();
        Some(GameOutcome {
            winner: status.winner,
            reason,
            words: status.outcome,
            sentence: status.sentence,
        })
    }

    /// The FEN of the position.
    #[getter]
    fn fen(&self) -> String {
        self.lock().session().position_fen()
    }

    /// The hash key of the position, a number of 64 bits. It covers everything that decides how the
    /// game can continue, except earlier positions.
    #[getter]
    fn key(&self) -> u64 {
        self.lock().session().position_notation().key
    }

    /// The moves made so far, as a new list.
    #[getter]
    fn moves(&self) -> Vec<String> {
        self.lock().session().game_moves().moves
    }

    /// The number of moves made so far.
    #[getter]
    fn ply(&self) -> usize {
        self.lock().session().game_state().moves
    }

    /// The legal moves of the current position, as a sequence. A move is written only when it is
    /// read, so `random.choice(game.legal_moves)` is faster than a choice from a list.
    ///
    /// The sequence always shows the moves of the current position. `list(game.legal_moves)` does
    /// not change.
    #[getter]
    fn legal_moves(game: Py<Game>) -> LegalMoves {
        LegalMoves::new(game)
    }

    /// Makes a move.
    ///
    ///     >>> from pentarch import EngineError, Game
    ///     >>> game = Game("quoridor", moves=["e2"])
    ///     >>> try:
    ///     ...     game.push("e7")
    ///     ... except EngineError as error:
    ///     ...     print(error.kind, error.rule)
    ///     illegal 6.1
    #[pyo3(signature = (r#move, /))]
    fn push(&self, r#move: &Bound<'_, PyString>) -> PyResult<()> {
        if self.lock().push_last_read_move(r#move) {
            return Ok(());
        }
        let text = r#move.to_cow()?;
        let result = self.lock().push(&text);
        Ok(result?)
    }

    /// Makes uniformly random moves until the game ends, but at most `limit`, and returns their
    /// number. The same seed makes the same moves.
    ///
    ///     >>> from pentarch import Game
    ///     >>> game = Game("bushka")
    ///     >>> game.push_random(10, seed=1), game.ply
    ///     (10, 10)
    #[pyo3(signature = (limit, *, seed))]
    fn push_random(&self, limit: usize, seed: u64) -> usize {
        self.lock().push_random_moves(limit, seed)
    }

    /// Takes back the last move and returns it. If the players ended the game after it, this end is
    /// also taken back.
    fn pop(&self) -> PyResult<String> {
        let result = self.lock().pop();
        Ok(result?)
    }

    /// Returns whether a move is legal.
    #[pyo3(signature = (r#move, /))]
    pub(crate) fn is_legal(&self, r#move: Cow<'_, str>) -> bool {
        self.lock().session().resolve_move(&r#move).is_ok()
    }

    /// Returns the rule that forbids a move; None if the move is legal. A string that is not a move
    /// raises `EngineError`.
    #[pyo3(signature = (r#move, /))]
    fn why_illegal(&self, r#move: Cow<'_, str>) -> PyResult<Option<String>> {
        let result = self.lock().session().resolve_move(&r#move);
        match result {
            Ok(_) => Ok(None),
            Err(MoveError::Illegal(violation)) => Ok(Some(violation.to_string())),
            Err(error) => {
                let word = InputWord::from_text(&r#move);
                Err(RulesError::from(EngineError::invalid_single_move(&word, error)).into())
            }
        }
    }

    /// Returns the game as a record. A loaded record keeps its comments and variations.
    fn record(&self) -> String {
        self.lock().engine.record_text()
    }

    /// Returns the position as an image in SVG. `flip` draws the second side at the bottom. `moves`
    /// are legal moves that the image shows.
    #[pyo3(signature = (*, flip=false, moves=Vec::new()))]
    fn svg(&self, flip: bool, moves: Vec<String>) -> PyResult<String> {
        let shown: Vec<InputWord> = moves.iter().map(|mv| InputWord::from_text(mv)).collect();
        let view = ImageOptions { flipped: flip, colours: ColourScheme::Auto };
        let image = self.lock().session().svg_image(&shown, view);
        Ok(image.map_err(RulesError::from)?)
    }

    fn _repr_svg_(&self) -> PyResult<String> {
        self.svg(false, Vec::new())
    }

    /// Returns a copy of the game with its moves.
    fn copy(&self) -> Game {
        Game::new(self.lock().engine.copy_without_search_results())
    }

    fn __copy__(&self) -> Game {
        self.copy()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Game {
        self.copy()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        let load = py.get_type::<Game>().getattr("from_record")?;
        Ok((load, (self.record(),)))
    }

    /// Iterates over the moves made so far.
    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        PyList::new(py, self.moves())?.try_iter()
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        let Ok(other) = other.cast::<Game>() else { return false };
        // The two games are locked one after the other, because two threads could compare the same
        // games in different orders.
        let compared = |game: &Game| {
            let state = game.lock();
            let word = state.session().game_constants().game;
            (word, non_default_rules(&state.engine.options), state.fen_without_number())
        };
        compared(self) == compared(other.get())
    }

    fn __hash__(&self) -> u64 {
        self.key()
    }

    fn __str__(&self) -> String {
        self.lock().session().current_and_previous_diagrams(Side::First).0.to_string()
    }

    fn __repr__(&self) -> String {
        let state = self.lock();
        let game = state.session().game_constants().game;
        format!("<pentarch.Game {game} {}>", state.session().position_fen())
    }
}
