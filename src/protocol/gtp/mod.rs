//! The Go Text Protocol, version 2 (G. Farnebäck, 2002), for front ends and tools that were made for Go, such as
//! GoGui.
//!
//! Black is the side that moves first. `play` and `genmove` exchange single points of the game's projection on a Go
//! board; a move may take several of them. Commands are answered one after the other. Only the comment `# interrupt`
//! and `quit` act at once: they stop the search that runs. Any line ends an analysis.
//!
//! | module | what it holds |
//! |---|---|
//! | [`text`] | the grammar of requests, and the texts of colours, players, vertices and numbers |
//! | [`clock`] | main time and byo-yomi of both sides |
//! | [`graphics`] | what a position shows on GoGui's board |
//! | `analysis` | reports on a search while it runs |

mod analysis;
pub mod clock;
pub mod graphics;
pub mod text;

use std::io::{BufRead, Write};
use std::mem::replace;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::core::text::{did_you_mean, finish, quoted};
use crate::core::{Grid, MoveError, OptionKind, OptionSpec, Options, Outcome, PlayerEnd, Side};
use crate::engine::go_board::GoScene;
use crate::engine::go_clicks::Click;
use crate::engine::options as engine_options;
use crate::engine::session::Session;
use crate::engine::state::Go;
use crate::engine::state::{Engine, game_for_two, rule_options};
use crate::engine::word::Word;
use crate::games::GameId;
use crate::io::host::System;
use crate::io::input::{BadLine, Lines, MAX_WAITING, start_reader};
use crate::io::output::{Errors, Output};
use crate::protocol::uci_lines;
use crate::search::control::Control;

use analysis::Form;
use clock::GtpClock;
use text::{
    argument, cleaned, click_at, click_text, colour, count, ends_searches, is_blank, player, request, side_of, time,
};

/// How long a move takes while no clock is set.
const DEFAULT_MOVE_TIME: Duration = Duration::from_secs(1);

/// The interrupts, which the thread that reads passes to the thread that answers.
#[derive(Default)]
struct Interrupts {
    /// The control of the search that runs; `None` while none runs.
    running: Option<Arc<Control>>,
    /// The number of the last line that was an interrupt. It stops the searches of all lines before it.
    last: u64,
    /// Whether any line stops the search that runs.
    any_line_stops: bool,
    /// The number of the last line that was read; the greatest number when the input has ended.
    read: u64,
}

type Shared = Arc<Mutex<Interrupts>>;

/// Reads and answers commands until `quit`, or until the input ends or the output is closed. Returns whether all
/// commands were carried out.
///
/// # Errors
/// If the input cannot be read or the output cannot be written (that its reader has closed it is no failure), or if no
/// thread can be started to read the input.
pub fn run(
    input: impl BufRead + Send + 'static,
    output: impl Write + Send + 'static,
    options: Options,
) -> Result<bool, String> {
    serve(input, &Output::new(output, Errors::Apart), Engine::new(options, System::shared()))
}

/// Reads commands and answers them.
fn serve(input: impl BufRead + Send + 'static, out: &Output, engine: Engine) -> Result<bool, String> {
    let shared = Shared::default();
    let (lines, received) = channel();
    let interrupts = shared.clone();
    let to_out = out.clone();
    let read = move || {
        let mut input = Lines::new(input, MAX_WAITING);
        let mut number = 0;
        while let Some(line) = input.next_line().unwrap_or_else(|error| {
            to_out.input_failed(&error);
            None
        }) {
            number += 1;
            locked(&interrupts).read(number);
            if matches!(&line.text, Ok(text) if ends_searches(text)) {
                locked(&interrupts).stop(number);
            }
            if lines.send((number, line)).is_err() {
                return;
            }
        }
        locked(&interrupts).read(u64::MAX);
    };
    start_reader(read)?;
    let mut gtp = Gtp {
        out: out.clone(),
        engine,
        clock: GtpClock::default(),
        planned: None,
        fallen: None,
        search_time: Duration::ZERO,
        line_number: 0,
        id: String::new(),
        has_begun: false,
        shared,
        has_quit: false,
    };
    let mut all_carried_out = true;
    while let Ok((number, line)) = received.recv() {
        gtp.line_number = number;
        let answer = match &line.text {
            Ok(text) => {
                log::debug!("> {text}");
                gtp.answer(&cleaned(text))
            }
            Err(error) => gtp.answer_bad(error),
        };
        if let Some(answer) = answer {
            all_carried_out &= !answer.starts_with('?');
            out.raw(&answer);
        }
        if gtp.has_quit || out.is_closed() {
            break;
        }
    }
    out.result().map(|()| all_carried_out)
}

fn locked(shared: &Shared) -> MutexGuard<'_, Interrupts> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Interrupts {
    /// Handles an interrupt on the line with this number.
    fn stop(&mut self, line: u64) {
        self.last = line;
        if let Some(control) = &self.running {
            control.stop();
        }
    }

    /// Handles that the line with this number was read.
    fn read(&mut self, line: u64) {
        self.read = line;
        if let Some(control) = self.running.as_ref().filter(|_| self.any_line_stops) {
            control.stop();
        }
    }

    /// Lets any line stop the search that runs, which is that of the line with this number. If a line after it was read
    /// already, it has done so.
    fn let_any_line_stop(&mut self, line: u64) {
        self.any_line_stops = true;
        if let Some(control) = self.running.as_ref().filter(|_| self.read > line) {
            control.stop();
        }
    }

    /// Registers the search of the line with this number, and stops it if an interrupt after that line was read
    /// already.
    fn register(&mut self, line: u64, control: Arc<Control>) {
        if self.last > line {
            control.stop();
        }
        self.running = Some(control);
        self.any_line_stops = false;
    }
}

/// The state between commands.
struct Gtp {
    /// The output for errors and warnings that belong to no answer.
    out: Output,
    engine: Engine,
    clock: GtpClock,
    /// The move of which `genmove` has given the first points but not all.
    planned: Option<String>,
    /// The side whose clock has run out. The game goes on if the front end, which has a clock of its own, goes on.
    fallen: Option<Side>,
    /// The time that all searches took together.
    search_time: Duration,
    /// The number of the line that is being carried out.
    line_number: u64,
    /// The number that the answer to it repeats.
    id: String,
    /// Whether the beginning of this answer was written already.
    has_begun: bool,
    shared: Shared,
    has_quit: bool,
}

/// The answer to a command, or why the command is refused.
type Answer = Result<String, String>;

/// A command.
struct Command {
    name: &'static str,
    /// The names of its arguments.
    usage: &'static str,
    run: fn(&mut Gtp, &[Word]) -> Answer,
}

const fn command(name: &'static str, usage: &'static str, run: fn(&mut Gtp, &[Word]) -> Answer) -> Command {
    Command { name, usage, run }
}

/// All commands, in the order in which `list_commands` lists them.
const COMMANDS: &[Command] = &[
    command("boardsize", "SIZE", Gtp::board_size),
    command("clear_board", "", |gtp, _| gtp.clear()),
    command("cputime", "", |gtp, _| Ok(format!("{:.3}", gtp.search_time.as_secs_f64()))),
    command("final_score", "", Gtp::final_score),
    command("genmove", "COLOR", Gtp::genmove),
    command("genmove_text", "[COLOR]", Gtp::genmove_text),
    command("gogui-analyze_commands", "", |_, _| Ok(ANALYZE.into())),
    command("gogui-interrupt", "", |_, _| Ok(String::new())),
    command("gogui-rules_board", "", |gtp, _| Ok(graphics::rows(&gtp.scene()?).join("\n"))),
    command("gogui-rules_board_gfx", "", |gtp, _| Ok(graphics::lines(&gtp.scene()?).join("\n"))),
    command("gogui-rules_board_size", "", |gtp, _| {
        let grid = gtp.grid()?;
        Ok(format!("{}{}", grid.size, if grid.hexagonal { " hex" } else { "" }))
    }),
    command("gogui-rules_captured_count", "", |gtp, _| {
        let [black, white] = gtp.board().captured();
        Ok(format!("{black} {white}"))
    }),
    command("gogui-rules_final_result", "", |gtp, _| Ok(gtp.final_result())),
    command("gogui-rules_game_id", "", |gtp, _| Ok(gtp.game_id())),
    command("gogui-rules_legal_moves", "", |gtp, _| {
        gtp.grid()?;
        let clicks = gtp.board().legal_clicks();
        Ok(clicks.into_iter().map(|click| click_text(click).replace("PASS", "pass")).collect::<Vec<_>>().join(" "))
    }),
    command("gogui-rules_side_to_move", "", |gtp, _| Ok(colour(gtp.engine.session.standing().side).into())),
    command("kata-analyze", "[COLOR] [INTERVAL] [NAME VALUE]...", |gtp, words| gtp.analyze(words, Form::KataGo)),
    command("known_command", "NAME", |_, words| {
        let name = argument(words, 0, "a command")?;
        Ok(find(name).is_some().to_string())
    }),
    command("komi", "NUMBER", |_, words| match argument(words, 0, "a number")?.parse::<f64>() {
        Ok(komi) if komi.is_finite() => Ok(String::new()),
        _ => Err(format!("komi takes a number, not {}", quoted(&words[0].text))),
    }),
    command("legal_moves", "", |gtp, _| Ok(gtp.engine.session.legal_moves().join(" "))),
    command("list_commands", "", |_, _| Ok(COMMANDS.iter().map(|command| command.name).collect::<Vec<_>>().join("\n"))),
    command("list_games", "", |_, _| Ok(GameId::WORDS.join("\n"))),
    command("lz-analyze", "[COLOR] [INTERVAL] [NAME VALUE]...", |gtp, words| gtp.analyze(words, Form::LeelaZero)),
    command("name", "", |gtp, _| Ok(format!("pentarch {}", gtp.game_id()))),
    command("play", "COLOR VERTEX", Gtp::play),
    command("play_text", "[COLOR] MOVE", Gtp::play_text),
    command("position_text", "", |gtp, _| Ok(gtp.engine.session.position_text())),
    command("protocol_version", "", |_, _| Ok("2".into())),
    command("quit", "", |gtp, _| {
        gtp.has_quit = true;
        Ok(String::new())
    }),
    command("reg_genmove", "[COLOR]", |gtp, words| gtp.search_for(words)),
    command("rule_options", "[NAME VALUE]", |gtp, words| {
        let specs: Vec<OptionSpec> = rule_options(&gtp.engine.options).copied().collect();
        let answer = gtp.parameters(&specs, words)?;
        if !words.is_empty() {
            gtp.start_new_game();
        }
        Ok(answer)
    }),
    command("set_game", "GAME", |gtp, words| {
        gtp.set_option(&engine_options::GAME, argument(words, 0, "a game")?)?;
        gtp.start_new_game();
        Ok(String::new())
    }),
    command("set_position", "TEXT", |gtp, words| {
        argument(words, 0, "a position text")?;
        gtp.engine.session.set_position(Some(words), &[])?;
        gtp.start_new_game();
        Ok(String::new())
    }),
    command("showboard", "", |gtp, _| {
        let players = Side::BOTH.map(|side| gtp.player(side)).join(", ");
        Ok(format!("{players}\n{}", gtp.engine.session.board_text()))
    }),
    command("strength_options", "[NAME VALUE]", |gtp, words| gtp.parameters(STRENGTH, words)),
    command("time_left", "COLOR SECONDS STONES", Gtp::time_left),
    command("time_settings", "MAIN BYOYOMI STONES", Gtp::time_settings),
    command("undo", "", |gtp, _| {
        gtp.planned = None;
        gtp.fallen = None;
        gtp.board().take_back().map(|()| String::new())
    }),
    command("version", "", |_, _| Ok(env!("CARGO_PKG_VERSION").into())),
];

/// An option as a line of GoGui's dialog of parameters.
fn parameter(options: &Options, spec: &OptionSpec) -> String {
    let value = engine_options::text(options, spec);
    let (kind, value) = match spec.kind {
        OptionKind::Check { .. } => ("bool".into(), u8::from(value == "true").to_string()),
        OptionKind::Combo { values, .. } => (format!("list/{}", values.join("/")), value),
        _ => ("string".into(), value),
    };
    format!("[{kind}] {} {value}", spec.name)
}

/// The command with this name, in any case.
fn find(name: &str) -> Option<&'static Command> {
    COMMANDS.iter().find(|command| command.name.eq_ignore_ascii_case(name))
}

/// The commands that GoGui offers in its menu for analysis.
const ANALYZE: &str = "\
gfx/Board/gogui-rules_board_gfx
string/Position text/position_text
string/Legal moves/legal_moves
string/Result/gogui-rules_final_result
hstring/Picture/showboard
param/Strength/strength_options
param/Rules/rule_options";

/// The options that say how well the engine plays.
const STRENGTH: &[OptionSpec] = &[engine_options::LEVEL, engine_options::LIMIT_STRENGTH, engine_options::ELO];

impl Gtp {
    /// The whole answer to a line; `None` if the line is empty.
    fn answer(&mut self, line: &str) -> Option<String> {
        if is_blank(line) {
            return None;
        }
        let parsed = finish(|input| request(line, input), line);
        let (id, answer) = match parsed {
            Err(error) => (String::new(), Err(error.to_string())),
            Ok(request) => {
                self.id = request.id.into();
                let run = AssertUnwindSafe(|| self.carry_out(request.name, &request.arguments));
                let fault = |_| Err("the command failed inside; this is a fault of the program".into());
                (request.id.to_string(), catch_unwind(run).unwrap_or_else(fault))
            }
        };
        if replace(&mut self.has_begun, false) {
            return Some("\n".into());
        }
        let (sign, text) = match answer {
            Ok(text) => ('=', text),
            Err(text) => ('?', text),
        };
        Some(format!("{sign}{id} {text}\n\n"))
    }

    /// The answer to a line that cannot be used. If the fault is only in its comment, the rest is answered.
    fn answer_bad(&mut self, line: &BadLine) -> Option<String> {
        let text = cleaned(line.readable());
        if matches!(line, BadLine::NotText(..)) && !text.contains('\u{fffd}') {
            return self.answer(&text);
        }
        let id: String = text.trim_start().chars().take_while(char::is_ascii_digit).collect();
        (!is_blank(&text)).then(|| format!("?{id} {line}\n\n"))
    }

    fn carry_out(&mut self, name: &str, arguments: &[Word]) -> Answer {
        if name.is_empty() {
            return Err("a command expected, found the end".into());
        }
        let command = find(name).ok_or_else(|| {
            let hint = did_you_mean(name, COMMANDS.iter().map(|command| command.name));
            format!("unknown command {}{hint}", quoted(name))
        })?;
        let max_arguments = command.usage.split(' ').filter(|word| !word.is_empty()).count();
        if arguments.len() > max_arguments && command.usage != "TEXT" && !command.usage.ends_with("...") {
            return Err(format!("too many arguments: {}", format!("{} {}", command.name, command.usage).trim_end()));
        }
        (command.run)(self, arguments)
    }

    /// Writes the beginning of an answer that grows while the command is carried out.
    fn begin_answer(&mut self) {
        self.out.raw(&format!("={} \n", self.id));
        self.has_begun = true;
    }

    fn board(&mut self) -> &mut dyn Session {
        self.engine.session.as_mut()
    }

    /// The size and kind of the board of points.
    ///
    /// # Errors
    /// If the game has no such board.
    fn grid(&mut self) -> Result<Grid, String> {
        self.board().grid().ok_or_else(|| self.no_board())
    }

    /// What is shown on the board of points.
    ///
    /// # Errors
    /// If the game has no such board.
    fn scene(&mut self) -> Result<GoScene, String> {
        self.board().go_scene().ok_or_else(|| self.no_board())
    }

    /// Why a command is refused that needs a board of points.
    fn no_board(&self) -> String {
        format!("{} has no board of points; use moves as texts", self.engine.session.facts().game)
    }

    /// Lists some options for GoGui's dialog of parameters, which writes what is on as 1 and what is off as 0, or sets
    /// one of them to a new value.
    fn parameters(&mut self, specs: &[OptionSpec], words: &[Word]) -> Answer {
        let Some(name) = words.first().map(|word| word.text.as_str()) else {
            let options = &self.engine.options;
            return Ok(specs.iter().map(|spec| parameter(options, spec)).collect::<Vec<_>>().join("\n"));
        };
        let spec = specs.iter().find(|spec| spec.name.eq_ignore_ascii_case(name));
        let hint = || did_you_mean(name, specs.iter().map(|spec| spec.name));
        let spec = spec.ok_or_else(|| format!("no option {} is listed here{}", quoted(name), hint()))?;
        let value = match (spec.kind, argument(words, 1, "a value")?) {
            (OptionKind::Check { .. }, "1") => "true",
            (OptionKind::Check { .. }, "0") => "false",
            (_, value) => value,
        };
        self.set_option(spec, value).map(|()| String::new())
    }

    /// Sets an option.
    ///
    /// # Errors
    /// If it does not take the value, or the game would be for more than two players.
    fn set_option(&mut self, spec: &OptionSpec, value: &str) -> Result<(), String> {
        let mut options = self.engine.options.clone();
        engine_options::set(&mut options, spec, value).map_err(|error| error.to_string())?;
        game_for_two(&options, "GTP plays games")?;
        Ok(self.engine.set_option(spec.name, value)?)
    }

    fn start_new_game(&mut self) {
        self.planned = None;
        self.fallen = None;
        self.clock.restart();
    }

    fn clear(&mut self) -> Answer {
        self.engine.session.set_position(None, &[])?;
        self.start_new_game();
        Ok(String::new())
    }

    fn board_size(&mut self, words: &[Word]) -> Answer {
        let size = self.grid()?.size;
        let wanted = argument(words, 0, "a size")?;
        if wanted.parse() != Ok(size) {
            return Err(format!("unacceptable size: the board of this game has size {size}, not {}", quoted(wanted)));
        }
        self.clear()
    }

    fn final_score(&mut self, _: &[Word]) -> Answer {
        let outcome = self.outcome().ok_or("the game is not over")?;
        let Outcome::Win(winner, reason) = outcome else { return Ok("0".into()) };
        // The letters of SGF, the file format of Go: won by resignation, on time.
        let how = match reason {
            "resignation" => "R",
            "time" => "T",
            _ => "",
        };
        Ok(format!("{}+{how}", ["B", "W"][winner.index()]))
    }

    /// The game, with a capital: `Quoridor`.
    fn game_id(&self) -> String {
        let id = self.engine.session.facts().game;
        id[..1].to_uppercase() + &id[1..]
    }

    /// A side by its name in the game and by its stones: `white (black stones)`.
    fn player(&self, side: Side) -> String {
        player(self.engine.session.facts().sides, side)
    }

    /// Whether this is the colour that waits while the other one has made half a move.
    fn waits(&mut self, word: &Word) -> Result<bool, String> {
        Ok(side_of(&word.text)? != self.engine.session.standing().side && self.board().is_half_made())
    }

    /// Checks that it is the turn of this colour, if one is given.
    fn check_turn(&self, word: Option<&Word>) -> Result<(), String> {
        let Some(word) = word else { return Ok(()) };
        let side = side_of(&word.text)?;
        let standing = self.engine.session.standing();
        if standing.outcome.is_none() && side != standing.side {
            return Err(format!("it is the turn of {}", colour(!side)));
        }
        Ok(())
    }

    fn play(&mut self, words: &[Word]) -> Answer {
        let vertex = argument(words, 1, "a colour and a vertex")?;
        if vertex.eq_ignore_ascii_case("resign") {
            self.engine.session.end(PlayerEnd::Resignation(side_of(&words[0].text)?))?;
            self.planned = None;
            return Ok(String::new());
        }
        let click = click_at(vertex, self.grid()?.size)?;
        if click == Click::Pass && self.waits(&words[0])? {
            self.board().pass_between();
            return Ok(String::new());
        }
        self.check_turn(words.first())?;
        self.board().click(click)?;
        self.planned = None;
        Ok(String::new())
    }

    fn play_text(&mut self, words: &[Word]) -> Answer {
        argument(words, 0, "a move")?;
        self.check_turn(words.first().filter(|_| words.len() > 1))?;
        let word = &words[words.len() - 1];
        self.board().play_whole(&word.text).map_err(|error| match error {
            MoveError::Syntax(error) => error.shifted(word.column - 1).to_string(),
            MoveError::Illegal(why) => why.to_string(),
        })?;
        self.planned = None;
        Ok(String::new())
    }

    fn genmove(&mut self, words: &[Word]) -> Answer {
        argument(words, 0, "a colour")?;
        self.grid()?;
        if self.waits(&words[0])? {
            self.board().pass_between();
            return Ok(click_text(Click::Pass));
        }
        self.check_turn(words.first())?;
        let mut click = Click::Pass;
        if self.engine.session.standing().outcome.is_none() {
            let planned = match self.planned.take() {
                Some(text) => text,
                None => self.search()?,
            };
            click = self.board().next_click(&planned).unwrap_or(Click::Pass);
            self.planned = Some(planned);
        }
        self.board().click(click)?;
        if !self.board().is_half_made() {
            self.planned = None;
        }
        Ok(click_text(click))
    }

    /// The outcome of the game: by the rules, by the players, or by a clock that has run out.
    fn outcome(&self) -> Option<Outcome> {
        let on_time = || self.fallen.map(|side| PlayerEnd::Time(side).outcome());
        self.engine.session.standing().outcome.or_else(on_time)
    }

    /// The outcome as a sentence.
    fn final_result(&self) -> String {
        match self.outcome() {
            Some(Outcome::Win(winner, reason)) => format!("{} has won ({reason})", self.player(winner)),
            _ => self.engine.session.outcome_sentence(),
        }
    }

    fn genmove_text(&mut self, words: &[Word]) -> Answer {
        let text = self.search_for(words)?;
        self.board().play_whole(&text).map_err(|error| error.to_string())?;
        self.planned = None;
        Ok(text)
    }

    /// The text of the best move. If a colour is given, it must be that of the side to move.
    fn search_for(&mut self, words: &[Word]) -> Answer {
        self.check_turn(words.first())?;
        match self.engine.session.standing().outcome {
            Some(_) => Err(format!("the game is over: {}", self.engine.session.outcome_sentence())),
            None => self.search(),
        }
    }

    /// The texts of the moves that begin with the points of the half-made one; none if no move is half made.
    fn completions(&mut self) -> Vec<String> {
        let half_made = self.board().is_half_made();
        if half_made { self.board().completions() } else { Vec::new() }
    }

    /// The text of the best move, among those that begin with the points of the half-made one.
    fn search(&mut self) -> Answer {
        let moves = self.completions();
        let side = self.engine.session.standing().side.index();
        let mut go = Go::default();
        go.limits.moves = moves.iter().map(|text| Word::alone(text)).collect();
        let milliseconds = |time: Duration| i64::try_from(time.as_millis()).unwrap_or(i64::MAX);
        match self.clock.left(side) {
            None => go.time.movetime = Some(milliseconds(DEFAULT_MOVE_TIME)),
            Some(left) => {
                go.time.time[side] = Some(milliseconds(left.time));
                go.time.moves_to_go = left.stones;
            }
        }
        let search = self.engine.search(&go)?.ok_or("there is no legal move")?;
        if let Some(warning) = self.engine.warning.take() {
            self.out.error(&warning);
        }
        locked(&self.shared).register(self.line_number, search.control.clone());
        let begun = Instant::now();
        let answer = search.run(&mut |step| log::info!("{}", uci_lines::info(step)));
        locked(&self.shared).running = None;
        self.search_time += begun.elapsed();
        if self.clock.spend(side, begun.elapsed()) {
            self.fallen = Some(self.engine.session.standing().side);
        }
        answer.faults.iter().for_each(|fault| self.out.error(fault));
        Ok(answer.best)
    }

    fn time_settings(&mut self, words: &[Word]) -> Answer {
        let expected = "main time, byo-yomi time and stones";
        let [main, period, stones] = [0, 1, 2].map(|at| argument(words, at, expected));
        self.clock.set(time(main?)?, time(period?)?, count(stones?)?);
        self.fallen = None;
        Ok(String::new())
    }

    fn time_left(&mut self, words: &[Word]) -> Answer {
        let expected = "a colour, seconds and stones";
        let [colour, seconds, stones] = [0, 1, 2].map(|at| argument(words, at, expected));
        self.clock.set_left(side_of(colour?)?.index(), time(seconds?)?, count(stones?)?);
        self.fallen = None;
        Ok(String::new())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::game_session::session_with_rules;
    use crate::io::output::tests::Kept;
    use crate::search::tests::nim::{Fault, Nim};

    #[test]
    fn a_search_that_panics_is_answered() {
        let kept = Kept::default();
        let out = Output::new(kept.clone(), Errors::InBand);
        let mut engine = Engine::new(Options::default(), System::shared());
        engine.session = session_with_rules(Nim { fault: Fault::Main, ..Nim::default() }, None);
        let lines = "time_settings 600 0 0\nreg_genmove\nplay_text 333\ngenmove_text\nname\n";
        serve(std::io::Cursor::new(lines), &out, engine).unwrap();
        let lines = kept.lines();
        let failed =
            lines.iter().filter(|line| line.ends_with("the search failed inside; this is a fault of the program"));
        assert_eq!(failed.count(), 2, "{lines:#?}");
        let answers: Vec<&str> = lines.iter().filter_map(|line| line.strip_prefix('=')).map(str::trim).collect();
        assert_eq!((answers.len(), answers[0], answers[2], answers[4]), (5, "", "", "pentarch Nim"), "{lines:#?}");
        assert!([answers[1], answers[3]].iter().all(|answer| ["1", "2", "3"].contains(answer)), "{lines:#?}");
    }
}
