//! Commands as data.

use pentarch_engine::engine_state::GoCommandParameters;
use pentarch_engine::input_word::InputWord;

/// A command. The command is parsed, but not checked against the game.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "each is the command of its name; `help` says what they do")]
pub enum Command {
    Ugi,
    Uci,
    IsReady,
    NewGame,
    SetOption {
        name: InputWord,
        value: String,
    },
    /// The command `position`. `fen` is `None` for the start position.
    Position {
        fen: Option<Vec<InputWord>>,
        moves: Vec<InputWord>,
    },
    Go(Box<GoCommandParameters>),
    Perft {
        depth: u32,
        divide: bool,
    },
    Stop,
    PonderHit,
    Query(UgiQuery),
    Legal(Option<InputWord>),
    Play(Vec<InputWord>),
    Undo(u32),
    Resign(Option<InputWord>),
    Agree,
    Flag(Option<InputWord>),
    Diagram,
    DrawOffer,
    Eval,
    Bench(Option<u32>),
    Games,
    Help(Option<InputWord>),
    Record(Option<String>),
    Load(String),
    /// The line of the command. Blanks replace everything before the record, so that errors in the
    /// record name the right columns.
    LoadText(String),
    Quit,
    /// A command of UCI that has no effect here.
    Ignored,
}

/// The position of a query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueryPosition {
    /// The first position. `None` stands for the current position of the game, and `Some(None)` for
    /// the start position. Any other value is a FEN.
    pub start: Option<Option<Vec<InputWord>>>,
    /// The moves from that position.
    pub moves: Vec<InputWord>,
}

/// The question of a `query`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "each is the word of its name")]
pub enum UgiQuery {
    GameOver,
    P1Turn,
    P2Turn,
    Turn,
    Result,
    Outcome,
    Game,
    Fen,
    Moves,
    IsLegal(InputWord),
    Protocol,
    Known,
    Rules(Option<InputWord>),
    Board,
    Scene(QueryPosition),
    Diagram { flipped: bool, position: QueryPosition },
    Clicks(Vec<InputWord>),
    Details(InputWord),
    Counts(Option<InputWord>),
}
