//! A game at the terminal: people and the engine at one board, with everything that a player asks for.
//!
//! | module | what it holds |
//! |---|---|
//! | [`clock`] | the clocks of the players |
//! | [`commands`] | the words that can be typed besides moves |
//! | [`drills`] | won and drawn positions to be played to the end |
//! | [`error`] | the errors of a session, and of a line that was typed |
//! | [`exercise`] | what problems, turning points and drills have in common |
//! | [`practice`] | the turning points of a game, asked again |
//! | [`problems`] | problems to be solved |
//! | [`review`] | where the game turned, and another try from there |
//! | [`setup`] | the questions before the game: which game, which rules, which side, how strong |
//! | [`table`] | the game in play, who plays which side, undo and redo |
//! | [`view`] | what is shown: the board with the last move marked, the moves in groups, judgements in words |
//! | [`terminal`] | lines that are typed, with editing, history and completion; Ctrl-C |
//!
//! Everything goes through the [`Engine`](pentarch_engine::engine_state::Engine), as it does for a front end: nothing
//! here knows a game.

pub mod clock;
pub mod commands;
pub mod drills;
pub mod error;
pub mod exercise;
pub mod practice;
pub mod problems;
pub mod review;
pub mod setup;
pub mod table;
pub mod terminal;
pub mod view;

use std::ops::ControlFlow;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::io::files::{read_plain, write_new};
use crate::io::output::Output;
use crate::io::pager;
use crate::io::record_file::ReadGameError;
use pentarch_core::notation::record::MARKS;
use pentarch_core::notation::text::{capitalised, did_you_mean, escape_for_terminal, quoted, wrap};
use pentarch_core::view::rules_text::Block;
use pentarch_core::{MoveError, Options, Violation};
use pentarch_engine::error::EngineError;
use pentarch_engine::game_rules::{printed_rules, rules_in_short, rules_text};
use pentarch_engine::input_word::Word;
use pentarch_engine::record::Addition;
use pentarch_games::GameId;
use pentarch_system::{ErrorContext, FileError};

use commands::Command;
use error::{CommandError, GameFileError, PlayError};
use exercise::Desk;
use review::Reviewed;
use setup::{Setup, warn};
use table::{Player, Table, TableError, Thought};
use terminal::{Terminal, TerminalError, Typed};

/// A game being played at the terminal.
struct Play<'a> {
    table: Table,
    terminal: &'a mut Terminal,
    out: &'a Output,
    /// Whether the engine waits, although it is its turn, because a search was stopped by Ctrl-C.
    is_paused: bool,
    /// The least time from one move to the next where a person watches engines.
    pace: Duration,
    /// Whether long texts may be shown through a pager.
    has_pager: bool,
    /// The move that was refused last, and why.
    refused: Option<(String, Violation)>,
    /// The review of the game in play, if there was one.
    reviewed: Option<Reviewed>,
}

/// The rules of a game, or a topic of them, printed. On a terminal the whole begins with the rules in short.
///
/// # Errors
/// If the game has no such text or topic.
pub fn rules_for_people(options: &Options, topic: Option<&str>) -> Result<String, EngineError> {
    let text = printed_rules(GameId::chosen(options), topic)?;
    let short = rules_in_short(options).filter(|_| topic.is_none() && pager::is_on_terminal());
    Ok(short.map_or(text.clone(), |short| format!("{short}\n\n{text}")))
}

/// Plays games until the player leaves or the input ends.
///
/// # Errors
/// If the input cannot be read.
pub fn run(setup: &Setup, options: Options, out: &Output) -> Result<(), PlayError> {
    let mut terminal = Terminal::new()?;
    let (pace, has_pager) = (setup.pace, !setup.no_pager);
    let Some(table) = setup.ask(options, &mut terminal, out)? else { return Ok(()) };
    let (terminal, refused, reviewed) = (&mut terminal, None, None);
    let mut play =
        Play { table, terminal, out, is_paused: false, pace, has_pager, refused, reviewed };
    out.raw("Type a move, or 'help' for what else you can type.\n");
    play.show_board();
    Ok(play.run()?)
}

impl Play<'_> {
    fn run(&mut self) -> Result<(), TerminalError> {
        loop {
            if self.out.is_closed() {
                return Ok(());
            }
            self.look_at_clock();
            if self.table.engine_is_to_move() && !self.is_paused {
                self.let_engine_move();
                continue;
            }
            let words = commands::completions(&self.table.session().move_texts());
            let goes_on = self.table.session().standing().outcome.is_none();
            let time = self.table.time_left().map_or_else(String::new, |time| format!(" {time}"));
            let prompt =
                if goes_on { format!("{}{time}> ", self.table.to_move()) } else { "> ".into() };
            let flow = match self.terminal.read(&prompt, words)? {
                Typed::Line(line) => self.answer(&line),
                Typed::Interrupted => ControlFlow::Continue(()),
                Typed::End => ControlFlow::Break(()),
            };
            if flow.is_break() {
                return Ok(());
            }
        }
    }

    /// Has the clock run of the player to move, unless the engine waits. Returns whether that player has lost by time.
    fn look_at_clock(&mut self) -> bool {
        let waits = self.is_paused && self.table.engine_is_to_move();
        let Some(player) = self.table.run_clock(waits) else { return false };
        self.tell(&format!("{} has no time left.", capitalised(player)));
        self.show_board();
        true
    }

    fn say(&self, text: &str) {
        self.out.raw(&format!("{text}\n"));
    }

    /// Shows a text that may be longer than a terminal is high.
    fn show_long(&self, text: &str) {
        match self.terminal.is_interactive() {
            true => pager::show(text, self.has_pager, self.out),
            false => self.say(text),
        }
    }

    /// Shows sentences, on as many lines as they take.
    fn tell(&self, text: &str) {
        self.say(&wrap(text, view::INDENT));
    }

    /// Shows the board, whose turn it is or who has won, and at the end what can be typed then.
    fn show_board(&mut self) {
        self.show_board_below(None);
    }

    /// The same below this sentence, which is left out where the whole would not fit on the terminal.
    fn show_board_below(&mut self, told: Option<&str>) {
        let rows = self.terminal.rows();
        let session = self.table.session();
        let board = view::board(session, self.table.viewer, self.terminal.has_colour(), rows);
        let is_over = session.standing().outcome.is_some();
        let help = if rows.is_some() && !is_over { " 'help' lists what you can type." } else { "" };
        let (board, last) = board.rsplit_once('\n').unwrap_or(("", &board));
        let turn = wrap(&format!("{last}{}.{help}", session.status().sentence), view::INDENT);
        let can_be_reviewed =
            session.facts().players.len() == 2 && !session.course().moves.is_empty();
        let end = match rows {
            _ if !is_over => "",
            Some(_) if can_be_reviewed => {
                "\n'review' shows where the game turned, and 'practise' asks you again there.\n\
                 'new', 'undo' and 'save FILE' go on."
            }
            _ => "\nNow 'new' begins another game, 'undo' goes back, 'save FILE' keeps the game.",
        };
        let said: String = self
            .table
            .said()
            .iter()
            .map(|line| format!("\n{}", wrap(line, view::INDENT)))
            .collect();
        let shown = format!("{board}\n{turn}{said}{end}");
        // The sentence and the prompt take a line each.
        let fits = |_: &&str| rows.is_none_or(|rows| shown.lines().count() + 2 <= rows);
        told.filter(fits).into_iter().for_each(|told| self.say(told));
        self.say(&shown);
    }

    /// Shows what the record says of the last move.
    fn show_said(&self) {
        self.table.said().iter().for_each(|line| self.tell(line));
    }

    /// The engine chooses a move for the side to move, and makes it.
    fn let_engine_move(&mut self) {
        let player = self.table.to_move();
        let is_watched = self.terminal.is_interactive()
            && self.table.players.iter().all(|&at| at == Player::Engine);
        let due = Instant::now() + self.pace;
        let Thought { best, mut is_stopped, faults, .. } = match self.table.think(self.terminal) {
            Ok(thought) => thought,
            Err(error) => return self.tell(&view::sentence(&error)),
        };
        faults.iter().for_each(|fault| self.out.error(fault));
        if self.look_at_clock() {
            return;
        }
        if let Some(clocks) = &mut self.table.clocks {
            // The pace takes no time of a player.
            clocks.run(None);
        }
        if is_watched && !is_stopped {
            is_stopped = self.terminal.wait_until(due);
        }
        if let Err(error) = self.table.play(&best) {
            return self.tell(&view::sentence(&error));
        }
        self.show_board_below(Some(&format!("{} plays {best}.", capitalised(player))));
        // Where two engines play, Ctrl-C is the only way to the prompt.
        self.is_paused =
            is_stopped && self.table.players.iter().all(|&player| player == Player::Engine);
        if self.is_paused {
            self.say("The engines wait: 'go' lets them play on.");
        }
    }

    /// Carries out a line that was typed.
    fn answer(&mut self, line: &str) -> ControlFlow<()> {
        let parsed = commands::parse(line).map_err(CommandError::from);
        let carried_out = parsed.and_then(|command| match command {
            Some(Command::Quit) => Ok(ControlFlow::Break(())),
            // What was typed was meant for the game that went on.
            Some(_) if self.look_at_clock() => Ok(ControlFlow::Continue(())),
            Some(command) => self.carry_out(command).map(ControlFlow::Continue),
            None => Ok(ControlFlow::Continue(())),
        });
        carried_out.unwrap_or_else(|error| {
            self.tell(&view::sentence(&error));
            ControlFlow::Continue(())
        })
    }

    fn make_move(&mut self, text: &str) {
        match self.table.play(text) {
            Ok(()) => {
                self.is_paused = false;
                self.show_board();
            }
            Err(MoveError::Illegal(why)) => {
                self.tell(&view::illegal(text, &why, self.terminal.is_interactive()));
                self.refused = Some((text.into(), why));
            }
            Err(MoveError::Syntax(error)) => {
                let hint = did_you_mean(text, commands::names());
                self.tell(&match hint.is_empty() {
                    true if self.terminal.is_interactive() => {
                        let example = self.table.session().move_texts().into_iter().next();
                        let form = example.map_or_else(String::new, |mv| format!(": a move looks like {mv}"));
                        format!(
                            "{} is no move and no word{form}. 'moves' lists the moves, 'help' the words.",
                            quoted(text)
                        )
                    }
                    true => format!("No move: {error}. 'moves' lists the moves, 'help' the other words."),
                    false => format!("There is no word {}{hint}. 'help' lists them all.", quoted(text)),
                });
            }
        }
    }

    /// Carries out a command other than `quit`.
    ///
    /// # Errors
    /// If the command is refused; nothing has changed then.
    fn carry_out(&mut self, command: Command) -> Result<(), CommandError> {
        if let (Command::Review | Command::Practise, Some(clocks)) =
            (&command, &mut self.table.clocks)
        {
            // They take no time of a player.
            clocks.run(None);
        }
        match command {
            Command::Move(text) => self.make_move(&text),
            Command::Help => self.show_long(&commands::help()),
            Command::Board => self.show_board(),
            Command::Moves(point) => {
                self.show_long(&view::moves(self.table.session(), point.as_deref())?)
            }
            Command::Hint => {
                let thought = self.table.advise(self.terminal)?;
                self.say(&view::advice(&thought, self.table.session()));
            }
            Command::Why => self.tell(&self.why()?),
            Command::Eval => self.say(&view::judgement(self.table.session())),
            Command::Undo => self.table.undo().map(|()| self.show_board())?,
            Command::Redo => self.table.redo().map(|()| self.show_board())?,
            Command::Go => {
                if self.table.session().standing().outcome.is_some() {
                    return Err(TableError::GameOver.into());
                }
                self.is_paused = false;
                if !self.table.engine_is_to_move() {
                    self.let_engine_move();
                }
            }
            Command::Flip => {
                self.table.viewer = !self.table.viewer;
                self.show_board();
            }
            Command::Level(level) => {
                let told = self.table.set_level(level.as_deref())?;
                self.tell(&told);
            }
            Command::Side(side) => {
                let told = self.table.set_players(side.as_deref()).map_err(TableError::from)?;
                self.is_paused = false;
                self.tell(&told);
            }
            Command::Rules(topic) => {
                let text = rules_for_people(&self.table.engine.options, topic.as_deref())?;
                pager::show(&text, self.has_pager, self.out);
            }
            Command::Review => {
                let reviewed = Reviewed::of(&mut self.table, self.terminal)?;
                self.show_long(&reviewed.text());
                self.reviewed = Some(reviewed);
            }
            Command::Practise => {
                let course = self.table.session().course();
                let reviewed = match self.reviewed.take().filter(|reviewed| reviewed.is_of(&course))
                {
                    Some(reviewed) => reviewed,
                    None => Reviewed::of(&mut self.table, self.terminal)?,
                };
                let mut desk = Desk { terminal: &mut *self.terminal, out: self.out };
                let practised = practice::run(&reviewed, &mut self.table, &mut desk);
                self.reviewed = Some(reviewed);
                practised?;
            }
            Command::Retry(number) => {
                let reviewed = self.reviewed.as_ref().ok_or(CommandError::NotReviewed)?;
                let (start, moves) = reviewed.before(number.as_deref(), &self.table.players)?;
                self.table.set_up(start, moves)?;
                self.is_paused = false;
                self.show_board();
            }
            Command::Annotate => {
                let course = self.table.session().course();
                let reviewed = self.reviewed.as_ref().filter(|reviewed| reviewed.is_of(&course));
                self.table.engine.annotate(&reviewed.ok_or(CommandError::NotReviewed)?.review)?;
                self.say("The record has it now: 'record' shows it, 'save FILE' keeps it.");
            }
            Command::Comment(text) => {
                self.table.engine.add(Addition::Comment(text.unwrap_or_default()))?;
                self.show_said();
            }
            Command::Mark(mark) => {
                let glyph = mark.map(|mark| {
                    let glyph = (1..).zip(MARKS).find(|(_, known)| *known == mark);
                    glyph.map(|(glyph, _)| glyph).ok_or(CommandError::UnknownMark { typed: mark })
                });
                self.table.engine.add(Addition::Mark(glyph.transpose()?))?;
            }
            Command::Variation(moves) => {
                self.table.engine.add(Addition::Variation(
                    moves.split_whitespace().map(Word::alone).collect(),
                ))?;
                self.show_said();
            }
            Command::Tag(text) => {
                let (name, value) = text.split_once(char::is_whitespace).unwrap_or((&text, ""));
                self.table.engine.add(Addition::Tag(name.into(), value.trim().into()))?;
            }
            Command::Record => {
                let record = escape_for_terminal(&self.table.engine.record_text());
                self.show_long(
                    &record.lines().map(|line| wrap(line, "")).collect::<Vec<_>>().join("\n"),
                );
            }
            Command::Save(file) => self.save(&file)?,
            Command::Load(file) => {
                let path = Path::new(&file);
                let text = read_plain(path).map_err(ReadGameError::from);
                let text = text.map_err(GameFileError::from).in_file(path)?;
                self.table.load(&text).map_err(GameFileError::from).in_file(path)?;
                warn(&mut self.table.engine);
                self.reviewed = None;
                self.show_board();
            }
            Command::New => {
                self.table.begin_again()?;
                (self.is_paused, self.reviewed) = (false, None);
                self.show_board();
            }
            Command::Resign => self.table.resign().map(|()| self.show_board())?,
            Command::Draw => {
                let told = self.table.offer_draw(self.terminal)?;
                self.tell(&told);
                if self.table.session().standing().outcome.is_some() {
                    self.show_board();
                }
            }
            Command::Quit => {}
        }
        Ok(())
    }

    /// Which rule forbids the move that was refused last: its source and its sentences.
    fn why(&self) -> Result<String, CommandError> {
        let (text, why) = self.refused.as_ref().ok_or(CommandError::NothingRejected)?;
        let illegal = view::illegal(text, why, true);
        let Some(rule) = why.rule() else { return Ok(illegal) };
        let rules = rules_text(GameId::chosen(&self.table.engine.options))?;
        let mut sentences = Vec::new();
        for topic in &rules.topics {
            for block in &topic.blocks {
                let Block::Paragraph(paragraph) = block else { continue };
                let of_rule = paragraph.iter().filter(|sentence| sentence.id == Some(rule));
                sentences.extend(
                    of_rule.map(|sentence| format!(" {} ('rules {}')", sentence.text, topic.name)),
                );
            }
        }
        Ok(format!("{illegal} The rule is {rule}:{}", sentences.concat()))
    }

    fn save(&self, file: &str) -> Result<(), FileError> {
        let record = self.table.engine.record_text() + "\n";
        let path = Path::new(file);
        write_new(path, record.as_bytes()).in_file(path)?;
        self.tell(&format!(
            "The game is in {}; 'load' with this name takes it up again.",
            quoted(file)
        ));
        Ok(())
    }
}
