//! The game in play at a terminal: who plays which side, the engine's thinking, undo and redo.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use crate::io::progress::Progress;
use pentarch_core::notation::record::RecordedMove;
use pentarch_core::notation::text::{
    capitalised, escape_for_terminal, hint, nearest, or_list, quoted,
};
use pentarch_core::{MoveError, PlayerEnd, PlayerEndError, Side, Warning};
use pentarch_engine::engine_state::{Engine, Go};
use pentarch_engine::error::EngineError;
use pentarch_engine::input_word::Word;
use pentarch_engine::options::{EngineOptions, LEVEL, LIMIT_STRENGTH};
use pentarch_engine::record::Addition;
use pentarch_engine::session::{Course, Facts, Session};
use pentarch_search::SearchReport;
use pentarch_search::levels::Level;
use pentarch_search::time_management::TimeControl;
use thiserror::Error;

use super::clock::Clocks;
use super::commands::{ChoiceError, chosen};
use super::terminal::Terminal;

/// How often the progress of a search is shown.
const REFRESH_INTERVAL: Duration = Duration::from_millis(200);

/// Who is a player of the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Player {
    /// A person at this terminal.
    Person,
    /// The engine.
    Engine,
}

/// An error of a command to the table.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum TableError {
    /// The game is over, so that no move can be looked for.
    #[error("the game is over: 'new' begins another one")]
    GameOver,
    /// The search has panicked.
    #[error("the search failed inside; this is a fault of the program")]
    SearchPanicked,
    /// There is no move of a person to be taken back.
    #[error("you have made no move yet")]
    NothingMade,
    /// Nothing was taken back since the last move.
    #[error("there is nothing to be made again")]
    NothingUndone,
    /// There is no such level.
    #[error(transparent)]
    Level(#[from] ChoiceError),
    /// The game has no such players.
    #[error(transparent)]
    Players(#[from] PlayersError),
    /// The engine rejects the command.
    #[error(transparent)]
    Engine(#[from] EngineError),
}

/// An error of a word for the players that people are.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error(
    "{place} takes {}{}, not {}{}",
    or_list(.choices),
    if *.takes_several { " (several players with commas between them)" } else { "" },
    quoted(.word),
    if *.is_choice { " beside others".into() } else { hint(*.nearest) }
)]
pub struct PlayersError {
    /// The name of the place where the word was entered: `side` or `--side`.
    pub place: &'static str,
    /// The possible words.
    pub choices: Vec<&'static str>,
    /// Whether the game is for more than two, so that there can be several players.
    pub takes_several: bool,
    /// The word.
    pub word: String,
    /// Whether the word is one of the choices, but one that must be alone.
    pub is_choice: bool,
    /// The choice that was probably meant.
    pub nearest: Option<&'static str>,
}

/// What the engine has found out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Thought {
    /// The best move.
    pub best: String,
    /// The moves that it expects, the best one first.
    pub line: Vec<String>,
    /// The score for the side to move in centipawns, or beyond the limit of proofs; `None` if nothing was searched.
    pub score: Option<i32>,
    /// The rank by which tables know the winner, if they do.
    pub rank: Option<u32>,
    /// Whether Ctrl-C has ended the search.
    pub is_stopped: bool,
    /// What went wrong inside.
    pub faults: Vec<Warning>,
}

/// What one `undo` has taken back.
enum Undone {
    /// Moves.
    Moves(Vec<String>),
    /// The end that the players had made.
    End(PlayerEnd),
}

/// The board, the engine, and who plays.
pub struct Table {
    pub(super) engine: Engine,
    /// Who the players of the game are, in the order of their turns.
    pub players: Vec<Player>,
    /// What was taken back, the last first to be made again.
    undone: Vec<Undone>,
    /// The side that sees its own men below.
    pub viewer: Side,
    /// How long the engine thinks about a move at full strength, and about a hint.
    time: Duration,
    /// The clocks of the players, if there are any.
    pub clocks: Option<Clocks>,
}

impl Table {
    /// A game with this engine, in its start position. The board stands before the first person among the players.
    pub fn new(engine: Engine, players: Vec<Player>, time: Duration) -> Table {
        let person = players.iter().position(|&player| player == Player::Person).unwrap_or(0);
        let viewer = if 2 * person < players.len() { Side::First } else { Side::Second };
        Table { engine, players, undone: Vec::new(), viewer, time, clocks: None }
    }

    /// The game in play.
    pub fn session(&self) -> &dyn Session {
        self.engine.session.as_ref()
    }

    /// The word for the player to move.
    pub fn to_move(&self) -> &'static str {
        self.session().facts().players[self.session().standing().player]
    }

    /// Whether the game goes on and it is the engine's turn.
    pub fn engine_is_to_move(&self) -> bool {
        let standing = self.session().standing();
        standing.outcome.is_none() && self.players[standing.player] == Player::Engine
    }

    /// Makes a move.
    ///
    /// # Errors
    /// If the text has not the form of a move, or the move is not legal; nothing changes then.
    pub fn play(&mut self, text: &str) -> Result<(), MoveError> {
        let typed = RecordedMove::from(text.to_string());
        self.session().find_move(&typed.text)?;
        let player = self.session().standing().player;
        // The move was found legal, so that it is made. It is kept as it was typed, with its marks.
        let made = self.engine.session.play(&[Word::alone(&typed.text)]);
        debug_assert_eq!(made, Ok(()));
        self.undone.clear();
        let mark = typed.notes().glyphs.first().map(|&glyph| Addition::Mark(Some(glyph)));
        let time = self.clocks.as_mut().map(|clocks| {
            clocks.moved(player);
            Addition::Clock(clocks.milliseconds(player))
        });
        let added = mark.into_iter().chain(time).try_for_each(|addition| self.engine.add(addition));
        debug_assert_eq!(added, Ok(()));
        Ok(())
    }

    /// The engine's move for the side to move, at its level.
    ///
    /// # Errors
    /// If the game is over.
    pub fn think(&mut self, terminal: &Terminal) -> Result<Thought, TableError> {
        let time = self.clocks.as_ref().map(Clocks::time_control);
        self.search(
            format!("{} is thinking (Ctrl-C: move now)", capitalised(self.to_move())),
            time,
            terminal,
        )
    }

    /// Has the clock run of the player to move, if the game goes on and does not wait. If that player has no time left,
    /// the game ends, and the word for the player is given.
    pub fn run_clock(&mut self, waits: bool) -> Option<&'static str> {
        let standing = self.session().standing();
        let clocks = self.clocks.as_mut()?;
        clocks.run((standing.outcome.is_none() && !waits).then_some(standing.player));
        let word = self.engine.session.facts().players[clocks.fallen()?];
        let side = self.session().side_named(word).ok()?;
        self.engine.session.end(PlayerEnd::Time(side)).ok()?;
        Some(word)
    }

    /// The time that the player to move has left, as a clock shows it; none without a clock.
    pub fn time_left(&self) -> Option<String> {
        Some(self.clocks.as_ref()?.text(self.session().standing().player))
    }

    /// Sets the game up that begins at this position, or at the start without one, and in which these moves were made.
    ///
    /// # Errors
    /// If they are none of these rules; nothing changes then.
    pub fn set_up(&mut self, start: Option<&str>, moves: &[String]) -> Result<(), EngineError> {
        let start = start.map(|text| text.split_whitespace().map(Word::alone).collect::<Vec<_>>());
        let moves: Vec<Word> = moves.iter().map(|text| Word::alone(text)).collect();
        self.engine.set_position(start.as_deref(), &moves)?;
        self.forget();
        Ok(())
    }

    /// Forgets what was taken back, and has the clocks begin again.
    fn forget(&mut self) {
        self.undone.clear();
        self.clocks.iter_mut().for_each(Clocks::reset);
    }

    /// The best move for the side to move, at full strength.
    ///
    /// # Errors
    /// If the game is over.
    pub fn advise(&mut self, terminal: &Terminal) -> Result<Thought, TableError> {
        let options = self.engine.options.clone();
        self.engine.set_option(LIMIT_STRENGTH.name, "false")?;
        self.engine.set_option(LEVEL.name, Level::Champion.name())?;
        let thought =
            self.search("Looking for a good move (Ctrl-C: enough)".into(), None, terminal);
        self.engine.options = options;
        thought
    }

    fn search(
        &mut self,
        title: String,
        time: Option<TimeControl>,
        terminal: &Terminal,
    ) -> Result<Thought, TableError> {
        let movetime = Some(i64::try_from(self.time.as_millis()).unwrap_or(i64::MAX));
        let time = time.unwrap_or(TimeControl { movetime, ..TimeControl::default() });
        let go = Go { time, ..Go::default() };
        let search = self.engine.search(&go)?.ok_or(TableError::GameOver)?;
        let mut progress = Progress::begin(title);
        terminal.stop_on_interrupt(&search.control);
        let (mut depth, mut line, mut rank) = (0, Vec::new(), None);
        let answer = thread::scope(|scope| {
            let (sender, infos) = channel();
            // The progress goes on while a long iteration reports nothing.
            let tell = move |step: &SearchReport<String>| {
                drop(sender.send((step.depth, step.pv.to_vec(), step.table_rank)))
            };
            let searching = scope.spawn(move || search.run(&mut { tell }));
            loop {
                match infos.recv_timeout(REFRESH_INTERVAL) {
                    Ok(told) => (depth, line, rank) = told,
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => break searching.join(),
                }
                progress.show(&format!("depth {depth}"));
            }
        });
        drop(progress);
        let answer = answer.map_err(|_| TableError::SearchPanicked)?;
        if line.first() != Some(&answer.best) {
            line = std::iter::once(answer.best.clone()).chain(answer.ponder).collect();
            rank = None;
        }
        self.engine.last_score = answer.score;
        Ok(Thought {
            best: answer.best,
            line,
            score: answer.score,
            rank,
            is_stopped: terminal.was_interrupted(),
            faults: answer.faults,
        })
    }

    /// Takes the last move of a person back, with whatever came after it; the last move where no person plays; or only
    /// the end that the players have made.
    ///
    /// # Errors
    /// If there is no such move.
    pub fn undo(&mut self) -> Result<(), TableError> {
        let Course { marked: moves, turns, .. } = self.session().course();
        if let Some(end) = self.session().standing().end {
            self.engine.session.undo(1)?;
            self.undone.push(Undone::End(end));
            if let (PlayerEnd::Time(_), Some(clocks)) = (end, &mut self.clocks) {
                clocks.reset();
            }
            return Ok(());
        }
        let has_person = self.players.contains(&Player::Person);
        let is_own = |at: &usize| !has_person || self.players[turns[*at].0] == Player::Person;
        let from = (0..moves.len()).rev().find(is_own).ok_or(TableError::NothingMade)?;
        self.engine.session.undo((moves.len() - from) as u32)?;
        self.clocks.iter_mut().for_each(|clocks| clocks.taken_back(moves.len() - from));
        self.undone.push(Undone::Moves(moves[from..].to_vec()));
        Ok(())
    }

    /// Makes again what the last [`undo`](Table::undo) took back.
    ///
    /// # Errors
    /// If nothing was taken back since the last move, or the game is over; nothing changes then.
    pub fn redo(&mut self) -> Result<(), TableError> {
        match self.undone.last().ok_or(TableError::NothingUndone)? {
            Undone::Moves(moves) => {
                self.engine
                    .session
                    .play(&moves.iter().map(|text| Word::alone(text)).collect::<Vec<_>>())?;
                let turns = self.session().course().turns;
                for &(player, ..) in &turns[turns.len() - moves.len()..] {
                    self.clocks.iter_mut().for_each(|clocks| clocks.moved(player));
                }
            }
            Undone::End(end) => self.engine.session.end(*end)?,
        }
        self.undone.pop();
        Ok(())
    }

    /// Sets the engine's level by its [word](chosen), or without one says which level it is and which there are.
    ///
    /// # Errors
    /// If there is no such level.
    pub fn set_level(&mut self, typed: Option<&str>) -> Result<String, TableError> {
        if let Some(typed) = typed {
            self.engine.set_option(LEVEL.name, chosen(&Level::NAMES, typed)?)?;
            // An Elo number that the command line has set would count instead of the level.
            self.engine.set_option(LIMIT_STRENGTH.name, "false")?;
        }
        let level = EngineOptions::of(&self.engine.options).level.name();
        let told = format!("The engine plays at the level '{level}'.");
        let all: Vec<String> =
            (1..).zip(Level::NAMES).map(|(number, name)| format!("{number} {name}")).collect();
        Ok(if typed.is_some() {
            told
        } else {
            format!("{told} Weakest first: {}.", all.join(", "))
        })
    }

    /// Sets who plays, as [`players_of`] reads it, or without a word says who plays.
    ///
    /// # Errors
    /// If the word is something else.
    pub fn set_players(&mut self, word: Option<&str>) -> Result<String, PlayersError> {
        if let Some(word) = word {
            self.players = players_of("side", word, self.session())?;
        }
        let who = |(name, player): (&&str, &Player)| match player {
            Player::Person => format!("{name}: you"),
            Player::Engine => format!("{name}: the engine"),
        };
        let all: Vec<String> =
            self.session().facts().players.iter().zip(&self.players).map(who).collect();
        Ok(format!("{}.", all.join(", ")))
    }

    /// Begins another game by the same rules.
    ///
    /// # Errors
    /// If that fails inside.
    pub fn begin_again(&mut self) -> Result<(), EngineError> {
        self.engine.begin_game();
        self.set_up(None, &[])
    }

    /// The side of the people resigns: where both sides have people or none has, the side to move.
    ///
    /// # Errors
    /// If the game is over, or no player can end it.
    pub fn resign(&mut self) -> Result<(), EngineError> {
        let session = self.session();
        let named = session.facts().players.iter().zip(&self.players);
        let people = named.filter(|&(_, player)| *player == Player::Person);
        let sides: Vec<Side> =
            people.filter_map(|(name, _)| session.side_named(name).ok()).collect();
        let side = match sides[..] {
            [first, ..] if sides.iter().all(|&side| side == first) => first,
            _ => session.standing().side,
        };
        self.engine.session.end(PlayerEnd::Resignation(side))
    }

    /// Offers the engine a draw; between two people it is agreed at once.
    ///
    /// # Errors
    /// If the game is over, or the rules know no draw by agreement.
    pub fn offer_draw(&mut self, terminal: &Terminal) -> Result<String, TableError> {
        if !self.session().standing().allows_draw_agreement {
            return Err(EngineError::from(PlayerEndError::NoAgreement).into());
        }
        if self.players.contains(&Player::Engine) {
            let score = self.advise(terminal)?.score.unwrap_or_default();
            let is_for_engine = self.engine_is_to_move();
            let for_engine = if is_for_engine { score } else { -score };
            if for_engine > 0 {
                return Ok("The engine declines: it hopes for more.".into());
            }
        }
        self.engine.session.end(PlayerEnd::Agreement)?;
        Ok("The draw is agreed.".into())
    }

    /// What the record says of the last move, or before the first one, as lines for people: its comment and what could
    /// have been played instead. Empty if it says nothing.
    pub fn said(&self) -> Vec<String> {
        const MOST: usize = 400;
        let record = self.engine.record();
        let (comment, variations) = match record.moves.last() {
            Some(mv) => (&mv.notes().comment, mv.notes().variations.as_slice()),
            None => (&record.comment, [].as_slice()),
        };
        let lines = variations.iter().map(|line| {
            let texts: Vec<&str> = line.iter().map(|mv| mv.text.as_str()).collect();
            format!("Instead: {}", texts.join(" "))
        });
        let comment = Some(format!("Comment: {comment}")).filter(|_| !comment.is_empty());
        let shortened = |line: String| match line.char_indices().nth(MOST) {
            Some((end, _)) => format!("{}... ('record' shows all of it)", &line[..end]),
            None => line,
        };
        comment
            .into_iter()
            .chain(lines)
            .map(shortened)
            .map(|line| escape_for_terminal(&line))
            .collect()
    }

    /// Takes up the game of a record, with its rules.
    ///
    /// # Errors
    /// If the text holds no such record; nothing changes then.
    pub fn load(&mut self, text: &str) -> Result<(), EngineError> {
        self.engine.load(text, None)?;
        // The game may be for another number of players: whoever is new is the engine, and no clock fits.
        let players = self.session().facts().players.len();
        if players != self.players.len() {
            self.clocks = None;
        }
        self.players.resize(players, Player::Engine);
        self.forget();
        Ok(())
    }
}

/// The word for a game in which everybody is a person.
pub fn everybody(players: &[&str]) -> &'static str {
    if players.len() == 2 { "both" } else { "all" }
}

/// The players of a game if people play those with these names, or those of these teams, with commas between them; or
/// [everybody], or with `none` nobody.
///
/// # Errors
/// If a word is something else. The error calls it by the name of the `place` where it was entered.
pub fn players_of(
    place: &'static str,
    words: &str,
    session: &dyn Session,
) -> Result<Vec<Player>, PlayersError> {
    let (Facts { players: names, sides, .. }, teams) = (session.facts(), session.status().teams);
    let choices =
        [names, &[everybody(names), "none"], if teams.is_empty() { &[] } else { &sides[..] }]
            .concat();
    let mut players = vec![Player::Engine; names.len()];
    for word in words.split(',').map(str::trim) {
        match choices.iter().position(|name| name.eq_ignore_ascii_case(word)) {
            Some(at) if at < names.len() => players[at] = Player::Person,
            Some(at) if at >= names.len() + 2 => {
                let is_in_team = |name: &&str| teams[at - names.len() - 2].contains(name);
                (0..names.len())
                    .filter(|&at| is_in_team(&names[at]))
                    .for_each(|at| players[at] = Player::Person);
            }
            Some(at) if !words.contains(',') => {
                players.fill([Player::Person, Player::Engine][at - names.len()])
            }
            found => {
                return Err(PlayersError {
                    place,
                    takes_several: names.len() > 2,
                    word: word.into(),
                    is_choice: found.is_some(),
                    nearest: nearest(word, choices.iter().copied()),
                    choices,
                });
            }
        }
    }
    Ok(players)
}
