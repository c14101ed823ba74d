//! Commands as data.

use pentarch_engine::engine_state::GoCommand;
use pentarch_engine::input_word::Word;

/// A command. It is parsed, but not checked against the game.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "each is the command of its name; `help` says what they do")]
pub enum Command {
    Ugi,
    Uci,
    IsReady,
    NewGame,
    SetOption {
        name: Word,
        value: String,
    },
    /// `fen` is `None` for the start position.
    Position {
        fen: Option<Vec<Word>>,
        moves: Vec<Word>,
    },
    Go(Box<GoCommand>),
    Perft {
        depth: u32,
        divide: bool,
    },
    Stop,
    PonderHit,
    Query(Query),
    Legal(Option<Word>),
    Play(Vec<Word>),
    Undo(u32),
    Resign(Option<Word>),
    Agree,
    Flag(Option<Word>),
    Diagram,
    DrawOffer,
    Eval,
    Bench(Option<u32>),
    Games,
    Help(Option<Word>),
    Record(Option<String>),
    Load(String),
    /// The line of the command with blanks in place of everything before the record. So columns of
    /// errors are correct.
    LoadText(String),
    Quit,
    /// A command of UCI that has no effect here.
    Ignored,
}

/// The position of a query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueryPosition {
    /// The first position. `None` stands for the current position of the game, and `Some(None)` for
    /// the start position. Otherwise it is a FEN.
    pub start: Option<Option<Vec<Word>>>,
    /// The moves from that position.
    pub moves: Vec<Word>,
}

/// The question of a `query`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "each is the word of its name")]
pub enum Query {
    GameOver,
    P1Turn,
    P2Turn,
    Turn,
    Result,
    Outcome,
    Game,
    Fen,
    Moves,
    IsLegal(Word),
    Protocol,
    Rules(Option<Word>),
    Board,
    Scene(QueryPosition),
    Diagram { flipped: bool, position: QueryPosition },
    Clicks(Vec<Word>),
    Details(Word),
}
