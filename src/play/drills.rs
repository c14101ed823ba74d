//! Drills at the terminal: won or drawn positions that are played to the end against perfect replies.

use std::ops::ControlFlow;

use crate::io::output::Output;
use crate::io::progress::Progress;
use crate::problems::drills::{Drills, DrillsBuilder};
use pentarch_core::notation::text::capitalised;
use pentarch_core::{Options, Outcome, Side, TableValue};
use pentarch_engine::builtin_drills::{self, Drill};
use pentarch_engine::engine_state::{changed_rules, game_for_two, new_session};
use pentarch_engine::input_word::Word;
use pentarch_engine::session::Session;
use pentarch_games::GAME;

use super::error::PlayError;
use super::exercise::{self, Desk, Exercise, Words};
use super::setup::ensure_game;
use super::terminal::Terminal;
use super::view;

/// How many drills there are for a seed.
const DRILLS: usize = 20;

/// Where a drill stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// The value was kept so far.
    Kept,
    /// The last move has given it away, and was not answered.
    GivenAway,
    /// It was kept to the end of the game.
    Done,
}

/// A drill that is being played.
struct Drilling {
    options: Options,
    session: Box<dyn Session>,
    solved: Box<dyn Drills>,
    drills: Vec<Drill>,
    /// Which were done without a move that gave the value away.
    done: Vec<bool>,
    at: usize,
    state: State,
    /// How many moves gave the value away and were taken back.
    slips: u32,
    hints: usize,
}

/// Plays the drills of the game that these options choose, or of one that is asked for, until the player leaves or the
/// input ends: those that the program has, or others, which the seed chooses.
///
/// # Errors
/// If the engine has solved no part of the game, or the input cannot be read.
pub fn run(mut options: Options, seed: Option<u64>, out: &Output) -> Result<(), PlayError> {
    let mut terminal = Terminal::new()?;
    if !ensure_game(&mut options, &mut terminal, out)? {
        return Ok(());
    }
    let game = game_for_two(&options, "drills are of games").map_err(PlayError::NotForTwo)?;
    let kept = builtin_drills::of_game(options.choice(&GAME)).to_vec();
    if kept.is_empty() {
        return Err(PlayError::NoDrills {
            game: options.value(&GAME).to_string(),
            has_drills: false,
        });
    }
    let mut progress = Progress::begin("Looking for drills".into());
    progress.show("the tables are being made");
    let solved = game.visit(DrillsBuilder { options: &options }).ok_or(PlayError::NoMemory)?;
    // Those that the program has are by the usual rules.
    let drills = match seed {
        None if changed_rules(&options).is_empty() => kept,
        seed => solved.generate(seed.unwrap_or(1), DRILLS),
    };
    drop(progress);
    if drills.is_empty() {
        return Err(PlayError::NoDrills {
            game: options.value(&GAME).to_string(),
            has_drills: true,
        });
    }
    let (session, done, at) = (new_session(&options), vec![false; drills.len()], drills.len() - 1);
    let state = State::Kept;
    let mut drilling =
        Drilling { options, session, solved, drills, done, at, state, slips: 0, hints: 0 };
    let mut desk = Desk { terminal: &mut terminal, out };
    out.raw("Play each game to its end, or type 'help' for what else you can type.\n");
    let _ = drilling.next(&mut desk);
    Ok(exercise::run(&mut drilling, &mut desk)?)
}

impl Exercise for Drilling {
    const WORDS: Words = &[
        ("hint", "how many moves keep the value; again for one of them"),
        ("undo", "take your last move back"),
        ("next", "the next drill that is not done"),
        ("drill N", "the drill with this number"),
        ("again", "the drill from its beginning"),
        ("board", "the board once more"),
        ("moves", "the legal moves"),
        ("rules", "the rules of the game; 'rules TOPIC' shows a part of them"),
        ("help", "this list"),
        ("quit", "leave"),
    ];

    fn options(&self) -> &Options {
        &self.options
    }

    fn session(&self) -> &dyn Session {
        self.session.as_ref()
    }

    /// The player.
    fn viewer(&self) -> Side {
        self.session.course().first_turn.1
    }

    const TASK: &'static str = "drill";

    fn count(&self) -> usize {
        self.drills.len()
    }

    fn at(&self) -> usize {
        self.at
    }

    fn is_done(&self, at: usize) -> bool {
        self.done[at]
    }

    fn take_up(&mut self, at: usize, desk: &mut Desk) {
        (self.at, self.state, self.slips, self.hints) = (at, State::Kept, 0, 0);
        let Drill { position, is_win, grade } = &self.drills[at];
        // It was the text of this position.
        let _ = self.session.set_position(Some(&Word::all_of(position)), &[]);
        let done = self.done.iter().filter(|done| **done).count();
        desk.tell(&format!(
            "Drill {} of {}, grade {grade}. You have done {done}.",
            at + 1,
            self.drills.len()
        ));
        let player = capitalised(self.session.facts().sides[self.viewer().index()]);
        let task = if *is_win { "wins: win this won game" } else { "can draw: hold this draw" };
        desk.show_board(self.session(), self.viewer(), &format!("{player} is to move and {task}."));
    }

    fn word(&mut self, word: &str, desk: &mut Desk) -> bool {
        match word {
            "hint" => self.hint(desk),
            "undo" => self.undo(desk),
            _ => return false,
        }
        true
    }

    fn is_over(&self) -> Option<&'static str> {
        match self.state {
            State::Kept => None,
            State::GivenAway => Some("'undo' takes the last move back, 'again' begins anew."),
            State::Done => {
                Some("This drill is over: 'next' shows another one, 'again' the same once more.")
            }
        }
    }

    fn try_move(&mut self, mv: &str, desk: &mut Desk) -> ControlFlow<()> {
        // The move was found legal.
        let _ = self.session.play(&[Word::alone(mv)]);
        self.hints = 0;
        match self.session.standing().outcome {
            Some(outcome) => self.end(outcome, "", desk),
            None => self.reply(mv, desk),
        }
        ControlFlow::Continue(())
    }
}

impl Drilling {
    /// What is to be kept, in a word.
    fn value(&self) -> &'static str {
        builtin_drills::word(self.drills[self.at].is_win)
    }

    fn hint(&mut self, desk: &Desk) {
        if let Some(why) = self.is_over() {
            return desk.tell(why);
        }
        let best =
            self.solved.best_moves(&self.drills[self.at].position, &self.session.course().moves);
        self.hints += 1;
        desk.tell(&match (self.hints, best.first()) {
            (2.., Some(best)) => exercise::one_of_these(self.session(), best, self.at),
            _ => {
                let keep = if best.len() == 1 { "keeps" } else { "keep" };
                format!(
                    "{} of {} moves {keep} the {}.",
                    best.len(),
                    self.session.legal_moves().len(),
                    self.value()
                )
            }
        });
    }

    /// Takes the last move of the player back, with the reply to it.
    fn undo(&mut self, desk: &mut Desk) {
        let made = self.session.standing().moves;
        let is_answered = self.session.standing().side == self.viewer();
        if self.session.undo(1 + u32::from(is_answered)).is_err() {
            return desk.tell("You have made no move yet.");
        }
        debug_assert!(self.session.standing().moves < made);
        self.state = State::Kept;
        let below = format!("{}.", self.session.status().sentence);
        desk.show_board(self.session(), self.viewer(), &below);
    }

    /// Answers the move that was made, unless it has given the value away.
    fn reply(&mut self, mv: &str, desk: &mut Desk) {
        let (start, moves) = (&self.drills[self.at].position, self.session.course().moves);
        let value = self.solved.value(start, &moves);
        let best = self.solved.best_moves(start, &moves);
        let reply = best.first().cloned();
        let is_kept = match value {
            Some(TableValue::Loss(_)) => true,
            Some(TableValue::Draw) => !self.drills[self.at].is_win,
            _ => false,
        };
        let (Some(reply), true) = (reply.clone(), is_kept) else {
            let other = self.session.facts().sides[(!self.viewer()).index()];
            let now = match value {
                Some(TableValue::Win(plies)) if plies <= 2 => format!("{other} wins at once"),
                Some(TableValue::Win(plies)) => {
                    format!("{other} wins in {} moves", plies.div_ceil(2))
                }
                _ => "it is a draw".into(),
            };
            let by = reply.map_or_else(String::new, |reply| format!(" by {reply}"));
            let told = format!(
                "{mv} gives the {} away: now {now}{by}. 'undo' takes it back.",
                self.value()
            );
            (self.state, self.slips) = (State::GivenAway, self.slips + 1);
            return desk.show_board(self.session(), self.viewer(), &told);
        };
        // The best moves are legal.
        let _ = self.session.play(&[Word::alone(&reply)]);
        let told = format!("The reply is {reply}.");
        match self.session.standing().outcome {
            Some(outcome) => self.end(outcome, &format!("{told} "), desk),
            None => desk.show_board(self.session(), self.viewer(), &format!("{told} What now?")),
        }
    }

    /// The game is over.
    fn end(&mut self, outcome: Outcome, told: &str, desk: &mut Desk) {
        let (status, value) = (self.session.status().sentence, self.value());
        let is_kept = match outcome.winner() {
            Some(winner) => winner == self.viewer(),
            None => !self.drills[self.at].is_win,
        };
        let judged = match (is_kept, self.slips) {
            (true, 0) => format!("The {value} is kept to the end. 'next' shows another drill."),
            (true, 1) => "One move was taken back on the way: 'again' tries it without.".into(),
            (true, slips) => {
                format!("{slips} moves were taken back on the way: 'again' tries it without.")
            }
            (false, _) => format!("The {value} is given away. 'undo' takes your move back."),
        };
        if is_kept {
            self.done[self.at] |= self.slips == 0;
            self.state = State::Done;
        } else {
            (self.state, self.slips) = (State::GivenAway, self.slips + 1);
        }
        let below = view::sentence(&format!("{told}{status}. {judged}"));
        desk.show_board(self.session(), self.viewer(), &below);
    }
}
