//! Runs drills at the terminal: people play won or drawn positions to the end against perfect
//! replies.

use std::ops::ControlFlow;

use crate::games::RunOperation;
use crate::io::output::Output;
use crate::io::progress::ProgressLine;
use crate::problems::drills::{DrillGenerator, DrillGeneratorBuilder};
use pentarch_core::notation::parsing::capitalise;
use pentarch_core::{Options, Outcome, Side, TableValue};
use pentarch_engine::builtin_drills::{self, Drill};
use pentarch_engine::engine_state::{new_game_session, non_default_rules, two_player_rules};
use pentarch_engine::games::GAME_OPTION;
use pentarch_engine::input_word::InputWord;
use pentarch_engine::session::Session;

use super::error::PlayError;
use super::exercise::{self, CommandDescriptions, Exercise, TerminalIo};
use super::setup::ask_game_if_not_chosen;
use super::terminal::Terminal;
use super::text_formatting;

/// Number of drills for a seed.
const DRILLS_PER_PRACTICE_SEED: usize = 20;

/// The state of a drill. The value of its position is a win or a draw for the player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum DrillState {
    /// The game continues, and the player can still win it, or hold the draw if the drill is a
    /// draw.
    Held,
    /// The last move has given the win or the draw of the drill away. The engine does not reply to
    /// it.
    Lost,
    /// The game has ended with the result that the drill demands: a win or a draw.
    Done,
}

/// An exercise in which people play the drills of a game.
struct DrillExercise {
    options: Options,
    session: Box<dyn Session>,
    /// The tables of the game.
    solved: Box<dyn DrillGenerator>,
    drills: Vec<Drill>,
    /// For each drill, whether the player has finished it without a slip.
    done: Vec<bool>,
    /// The index of the current drill.
    current: usize,
    state: DrillState,
    /// Number of moves in the current drill that gave away the win or the draw.
    slips: u32,
    /// Number of hints given for the current move.
    hints: usize,
}

/// Runs the drills of a game until the player quits or the input ends. Asks for the game if the
/// options name no game. Without a seed the drills are the built-in ones. With a seed the engine
/// generates other drills.
///
/// # Errors
/// If the engine solves no part of the game, or the input cannot be read.
pub fn run_drills(mut options: Options, seed: Option<u64>, out: &Output) -> Result<(), PlayError> {
    let mut terminal = Terminal::new()?;
    if !ask_game_if_not_chosen(&mut options, None, &mut terminal, out)? {
        return Ok(());
    }
    let game = two_player_rules(&options, "drills are of games").map_err(PlayError::NotForTwo)?;
    let builtin = game.game_definition().drills().to_vec();
    if builtin.is_empty() {
        return Err(PlayError::NoDrills {
            game: options.value(&GAME_OPTION).to_string(),
            has_drills: false,
        });
    }
    let mut progress = ProgressLine::begin("Looking for drills".into());
    progress.show("computing the tables");
    let solved = game
        .run_operation(DrillGeneratorBuilder { options: &options })
        .ok_or(PlayError::NoMemory)?;
    // The built-in drills are for the default rules.
    let drills = match seed {
        None if non_default_rules(&options).is_empty() => builtin,
        seed => solved.generate_drills(seed.unwrap_or(1), DRILLS_PER_PRACTICE_SEED),
    };
    drop(progress);
    if drills.is_empty() {
        return Err(PlayError::NoDrills {
            game: options.value(&GAME_OPTION).to_string(),
            has_drills: true,
        });
    }
    let mut exercise = DrillExercise {
        session: new_game_session(&options),
        options,
        solved,
        done: vec![false; drills.len()],
        // The next drill is the first.
        current: drills.len() - 1,
        drills,
        state: DrillState::Held,
        slips: 0,
        hints: 0,
    };
    let mut io = TerminalIo { terminal: &mut terminal, out };
    out.write_unchanged("Play each game to its end, or type 'help' for a list of commands.\n");
    let _ = exercise.next(&mut io);
    exercise::run_exercise(&mut exercise, &mut io)?;
    Ok(())
}

impl Exercise for DrillExercise {
    const EXERCISE_COMMANDS: CommandDescriptions = &[
        ("hint", "the number of moves that hold the win or draw; again for one of them"),
        ("undo", "take back your last move"),
        ("next", "the next drill that is not done"),
        ("drill N", "the drill with this number"),
        ("again", "the drill from its beginning"),
        ("board", "the board again"),
        ("moves", "the legal moves"),
        ("rules", "the rules of the game; 'rules TOPIC' shows one topic"),
        ("help", "this list"),
        ("quit", "leave the program"),
    ];

    fn game_options(&self) -> &Options {
        &self.options
    }

    fn session(&self) -> &dyn Session {
        self.session.as_ref()
    }

    /// Returns the side of the player.
    fn side_at_bottom(&self) -> Side {
        self.session.game_moves().first_turn.1
    }

    const TASK_NOUN: &'static str = "drill";

    fn exercise_task_count(&self) -> usize {
        self.drills.len()
    }

    fn current_exercise_task_index(&self) -> usize {
        self.current
    }

    fn is_exercise_task_done(&self, index: usize) -> bool {
        self.done[index]
    }

    fn start_exercise_task(&mut self, index: usize, io: &mut TerminalIo) {
        self.current = index;
        self.state = DrillState::Held;
        self.slips = 0;
        self.hints = 0;
        let Drill { position, is_win, grade } = &self.drills[index];
        // The FEN is valid, because the drill was made with the same rules.
        let _ = self.session.set_position(Some(&InputWord::split_into_words(position)), &[]);
        let done = self.done.iter().filter(|done| **done).count();
        io.print(&format!(
            "Drill {} of {}, grade {grade}. You have done {done}.",
            index + 1,
            self.drills.len()
        ));
        let player = capitalise(self.session.game_constants().sides[self.side_at_bottom().index()]);
        let task = if *is_win { "wins: win this won game" } else { "can draw: hold this draw" };
        io.show_board(
            self.session(),
            self.side_at_bottom(),
            &format!("{player} is to move and {task}."),
        );
    }

    fn run_exercise_command(&mut self, command: &str, io: &mut TerminalIo) -> bool {
        match command {
            "hint" => self.show_hint(io),
            "undo" => self.undo(io),
            _ => return false,
        }
        true
    }

    fn move_blocked_reason(&self) -> Option<&'static str> {
        match self.state {
            DrillState::Held => None,
            DrillState::Lost => {
                Some("'undo' takes the last move back, 'again' restarts the drill.")
            }
            DrillState::Done => {
                Some("This drill is over: 'next' shows another one, 'again' repeats this one.")
            }
        }
    }

    fn try_typed_move(&mut self, mv: &str, io: &mut TerminalIo) -> ControlFlow<()> {
        // The caller has checked that the move is legal.
        let _ = self.session.play_moves(&[InputWord::from_text(mv)]);
        self.hints = 0;
        match self.session.game_state().outcome {
            Some(outcome) => self.end_drill(outcome, "", io),
            None => self.reply_to_move(mv, io),
        }
        ControlFlow::Continue(())
    }
}

impl DrillExercise {
    /// Returns the value of the current drill for the player: `win` or `draw`.
    fn drill_goal_word(&self) -> &'static str {
        builtin_drills::drill_value_word(self.drills[self.current].is_win)
    }

    fn show_hint(&mut self, io: &TerminalIo) {
        if let Some(reason) = self.move_blocked_reason() {
            return io.print(reason);
        }
        let start = &self.drills[self.current].position;
        let best = self.solved.best_table_moves_after(start, &self.session.game_moves().moves);
        self.hints += 1;
        io.print(&match (self.hints, best.first()) {
            (2.., Some(best)) => exercise::candidate_moves_hint(self.session(), best, self.current),
            _ => {
                let count = best.len();
                let verb = if count == 1 { "holds" } else { "hold" };
                let legal = self.session.legal_moves().len();
                format!("{count} of {legal} moves {verb} the {}.", self.drill_goal_word())
            }
        });
    }

    /// Takes back the last move of the player and the reply to that move.
    fn undo(&mut self, io: &mut TerminalIo) {
        let moves = self.session.game_state().moves;
        let has_reply = self.session.game_state().side == self.side_at_bottom();
        if self.session.undo_moves(1 + u32::from(has_reply)).is_err() {
            return io.print("You have made no move yet.");
        }
        debug_assert!(self.session.game_state().moves < moves);
        self.state = DrillState::Held;
        let below = format!("{}.", self.session.game_status().sentence);
        io.show_board(self.session(), self.side_at_bottom(), &below);
    }

    /// Replies to a move of the player, unless the move has given the win or the draw of the drill
    /// away.
    fn reply_to_move(&mut self, mv: &str, io: &mut TerminalIo) {
        let start = &self.drills[self.current].position;
        let moves = self.session.game_moves().moves;
        let value = self.solved.table_value_after_moves(start, &moves);
        let reply = self.solved.best_table_moves_after(start, &moves).first().cloned();
        // The value is for the opponent, who is to move.
        let holds_value = match value {
            Some(TableValue::Loss(_)) => true,
            Some(TableValue::Draw) => !self.drills[self.current].is_win,
            _ => false,
        };
        let Some(reply) = reply.clone().filter(|_| holds_value) else {
            let opponent = self.session.game_constants().sides[(!self.side_at_bottom()).index()];
            let result = match value {
                Some(TableValue::Win(plies)) if plies <= 2 => format!("{opponent} wins at once"),
                Some(TableValue::Win(plies)) => {
                    format!("{opponent} wins in {} moves", plies.div_ceil(2))
                }
                _ => "it is a draw".into(),
            };
            let by = reply.map_or_else(String::new, |reply| format!(" by {reply}"));
            let sentences = format!(
                "{mv} gives the {} away: now {result}{by}. 'undo' takes it back.",
                self.drill_goal_word()
            );
            self.state = DrillState::Lost;
            self.slips += 1;
            return io.show_board(self.session(), self.side_at_bottom(), &sentences);
        };
        // The best moves are legal.
        let _ = self.session.play_moves(&[InputWord::from_text(&reply)]);
        let sentence = format!("The reply is {reply}.");
        match self.session.game_state().outcome {
            Some(outcome) => self.end_drill(outcome, &format!("{sentence} "), io),
            None => io.show_board(
                self.session(),
                self.side_at_bottom(),
                &format!("{sentence} What now?"),
            ),
        }
    }

    /// Ends the drill with this outcome, and shows the result after the sentences in `prefix`.
    fn end_drill(&mut self, outcome: Outcome, prefix: &str, io: &mut TerminalIo) {
        let status = self.session.game_status().sentence;
        let value = self.drill_goal_word();
        let holds_value = match outcome.winner() {
            Some(winner) => winner == self.side_at_bottom(),
            None => !self.drills[self.current].is_win,
        };
        let result = match (holds_value, self.slips) {
            (true, 0) => {
                format!("You have held the {value} to the end. 'next' shows another drill.")
            }
            (true, 1) => "You have taken back one move: 'again' repeats the drill.".into(),
            (true, slips) => {
                format!("You have taken back {slips} moves: 'again' repeats the drill.")
            }
            (false, _) => format!("You have given the {value} away. 'undo' takes your move back."),
        };
        if holds_value {
            self.done[self.current] |= self.slips == 0;
            self.state = DrillState::Done;
        } else {
            self.state = DrillState::Lost;
            self.slips += 1;
        }
        let below = text_formatting::error_as_sentence(&format!("{prefix}{status}. {result}"));
        io.show_board(self.session(), self.side_at_bottom(), &below);
    }
}
