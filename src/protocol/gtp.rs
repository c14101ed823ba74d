//! The Go Text Protocol, version 2, for front ends and tools made for Go: GoGui and its relatives.
//!
//! Black is the side that moves first. `play` and `genmove` exchange single points of the game's projection on a Go
//! board, of which a move may take several. Commands are answered one after the other; only the comment `# interrupt` and
//! `quit` act at once, on the search that runs.

use std::io::{BufRead, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::core::text::{did_you_mean, finish, quoted};
use crate::core::{Field, MoveError, Options, Outcome, Side};
use crate::games::GameId;
use crate::search::control::Control;

use super::clicks::Click;
use super::command::{Go, Word};
use super::engine::start_input;
use super::gtp_clock::GtpClock;
use super::gtp_text::{argument, cleaned, click_at, click_text, colour, count, ends_searches, request, side_of, time};
use super::host::{Host, PreparedSearch};
use super::input::{BadLine, Lines, MOST_WAITING};
use super::out::{Errors, Out};
use super::session::GoBoard;
use super::settings;

/// How long a move takes when nobody has set a clock.
const UNTIMED_MOVE: Duration = Duration::from_secs(1);

/// What the thread that reads and the one that answers share.
#[derive(Default)]
struct Interrupts {
    /// The search that runs, if one does.
    running: Option<Arc<Control>>,
    /// The number of the last line that was an interrupt: it ends the searches of all lines before it.
    last: u64,
}

type Shared = Arc<Mutex<Interrupts>>;

/// Reads commands until `quit`, the end of the input or of the output.
///
/// # Errors
/// If the output cannot be written, though not because nobody reads it any more, the input cannot be read, or there is
/// no thread to read it on.
pub fn run(
    input: impl BufRead + Send + 'static,
    output: impl Write + Send + 'static,
    options: Options,
) -> Result<(), String> {
    serve(input, &Out::new(output, Errors::Apart), Host::new(options))
}

/// Reads commands and answers them.
fn serve(input: impl BufRead + Send + 'static, out: &Out, host: Host) -> Result<(), String> {
    let shared = Shared::default();
    let (lines, received) = channel();
    let interrupts = shared.clone();
    let to_out = out.clone();
    let read = move || {
        let mut input = Lines::new(input, MOST_WAITING);
        let mut number = 0;
        while let Some(line) = input.next_line().unwrap_or_else(|error| {
            to_out.input_failed(&error);
            None
        }) {
            number += 1;
            if matches!(&line.text, Ok(text) if ends_searches(text)) {
                locked(&interrupts).stop(number);
            }
            if lines.send((number, line)).is_err() {
                return;
            }
        }
    };
    start_input(read)?;
    let mut gtp = Gtp {
        out: out.clone(),
        host,
        clock: GtpClock::default(),
        intended: None,
        searched: Duration::ZERO,
        line: 0,
        shared,
        ended: false,
    };
    while let Ok((number, line)) = received.recv() {
        gtp.line = number;
        let answer = match &line.text {
            Ok(text) => {
                log::debug!("> {text}");
                gtp.answer(&cleaned(text))
            }
            Err(error) => gtp.answer_bad(error),
        };
        if let Some(answer) = answer {
            out.raw(&answer);
        }
        if gtp.ended || out.is_closed() {
            break;
        }
    }
    out.result()
}

fn locked(shared: &Shared) -> MutexGuard<'_, Interrupts> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Interrupts {
    /// Takes note of an interrupt on this line.
    fn stop(&mut self, line: u64) {
        self.last = line;
        if let Some(control) = &self.running {
            control.stop();
        }
    }

    /// Takes note of the search that this line began. An interrupt may have been read already.
    fn begin(&mut self, line: u64, control: Arc<Control>) {
        if self.last > line {
            control.stop();
        }
        self.running = Some(control);
    }
}

struct Gtp {
    /// For what goes wrong, which has no place in an answer.
    out: Out,
    host: Host,
    clock: GtpClock,
    /// The move that `genmove` is in the midst of giving point by point.
    intended: Option<String>,
    /// The time that all searches took.
    searched: Duration,
    /// The number of the line that is carried out.
    line: u64,
    shared: Shared,
    ended: bool,
}

/// What a command answers, or why it is refused.
type Answer = Result<String, String>;

/// A command, with the arguments that it takes.
struct Command {
    name: &'static str,
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
    command("cputime", "", |gtp, _| Ok(format!("{:.3}", gtp.searched.as_secs_f64()))),
    command("final_score", "", Gtp::final_score),
    command("genmove", "COLOR", Gtp::genmove),
    command("genmove_text", "[COLOR]", Gtp::genmove_text),
    command("gogui-analyze_commands", "", |_, _| Ok(ANALYZE.into())),
    command("gogui-interrupt", "", |_, _| Ok(String::new())),
    command("gogui-rules_board", "", |gtp, _| Ok(gtp.board_fields())),
    command("gogui-rules_board_gfx", "", |gtp, _| Ok(gtp.board().graphics().join("\n"))),
    command("gogui-rules_board_size", "", |gtp, _| {
        let grid = gtp.board().grid();
        Ok(format!("{}{}", grid.size, if grid.hexagonal { " hex" } else { "" }))
    }),
    command("gogui-rules_captured_count", "", |gtp, _| {
        let [black, white] = gtp.board().captured();
        Ok(format!("{black} {white}"))
    }),
    command("gogui-rules_final_result", "", |gtp, _| Ok(gtp.host.session.verdict())),
    command("gogui-rules_game_id", "", |gtp, _| {
        let id = gtp.host.session.game();
        Ok(id[..1].to_uppercase() + &id[1..])
    }),
    command("gogui-rules_legal_moves", "", |gtp, _| {
        let clicks = gtp.board().legal_clicks();
        Ok(clicks.into_iter().map(|click| click_text(click).replace("PASS", "pass")).collect::<Vec<_>>().join(" "))
    }),
    command("gogui-rules_side_to_move", "", |gtp, _| Ok(colour(gtp.host.session.side_to_move()).into())),
    command("known_command", "NAME", |_, words| {
        let name = argument(words, 0, "a command")?;
        Ok(find(name).is_some().to_string())
    }),
    command("komi", "NUMBER", |_, words| match argument(words, 0, "a number")?.parse::<f64>() {
        Ok(komi) if komi.is_finite() => Ok(String::new()),
        _ => Err(format!("komi takes a number, not {}", quoted(&words[0].text))),
    }),
    command("legal_moves", "", |gtp, _| Ok(gtp.host.session.legal_moves().join(" "))),
    command("list_commands", "", |_, _| Ok(COMMANDS.iter().map(|command| command.name).collect::<Vec<_>>().join("\n"))),
    command("list_games", "", |_, _| Ok(GameId::WORDS.join("\n"))),
    command("name", "", |_, _| Ok("pentarch".into())),
    command("play", "COLOR VERTEX", Gtp::play),
    command("play_text", "[COLOR] MOVE", Gtp::play_text),
    command("position_text", "", |gtp, _| Ok(gtp.host.session.position_text())),
    command("protocol_version", "", |_, _| Ok("2".into())),
    command("quit", "", |gtp, _| {
        gtp.ended = true;
        Ok(String::new())
    }),
    command("reg_genmove", "[COLOR]", |gtp, words| gtp.search_for(words)),
    command("set_game", "GAME", |gtp, words| {
        gtp.host.set_option(settings::GAME.name, argument(words, 0, "a game")?)?;
        gtp.begin_anew();
        Ok(String::new())
    }),
    command("set_position", "TEXT", |gtp, words| {
        argument(words, 0, "a position text")?;
        gtp.host.session.set_position(Some(words), &[])?;
        gtp.begin_anew();
        Ok(String::new())
    }),
    command("showboard", "", |gtp, _| Ok(format!("\n{}", gtp.host.session.picture()))),
    command("time_left", "COLOR SECONDS STONES", Gtp::time_left),
    command("time_settings", "MAIN BYOYOMI STONES", Gtp::time_settings),
    command("undo", "", |gtp, _| {
        gtp.intended = None;
        gtp.board().take_back().map(|()| String::new())
    }),
    command("version", "", |_, _| Ok(env!("CARGO_PKG_VERSION").into())),
];

/// The command of this name, whatever its case.
fn find(name: &str) -> Option<&'static Command> {
    COMMANDS.iter().find(|command| command.name.eq_ignore_ascii_case(name))
}

/// What GoGui offers to show of a position.
const ANALYZE: &str = "\
gfx/Board/gogui-rules_board_gfx
string/Position text/position_text
string/Legal moves/legal_moves
string/Result/gogui-rules_final_result
hstring/Picture/showboard";

impl Gtp {
    /// The whole answer to a line; none to an empty one.
    fn answer(&mut self, line: &str) -> Option<String> {
        if line.trim().is_empty() {
            return None;
        }
        let parsed = finish(|input| request(line, input), line);
        let (id, answer) = match parsed {
            Err(error) => (String::new(), Err(error.to_string())),
            Ok(request) => {
                let run = AssertUnwindSafe(|| self.carry_out(request.name, &request.arguments));
                let fault = |_| Err("the command failed inside; this is a fault of the program".into());
                (request.id.to_string(), catch_unwind(run).unwrap_or_else(fault))
            }
        };
        let (sign, text) = match answer {
            Ok(text) => ('=', text),
            Err(text) => ('?', text),
        };
        Some(format!("{sign}{id} {text}\n\n"))
    }

    /// The answer to a line that is not text: none if only its comment is not.
    fn answer_bad(&mut self, line: &BadLine) -> Option<String> {
        let text = cleaned(line.readable());
        if matches!(line, BadLine::NotText(..)) && !text.contains('\u{fffd}') {
            return self.answer(&text);
        }
        let id: String = text.trim_start().chars().take_while(char::is_ascii_digit).collect();
        (!text.trim().is_empty()).then(|| format!("?{id} {line}\n\n"))
    }

    fn carry_out(&mut self, name: &str, arguments: &[Word]) -> Answer {
        if name.is_empty() {
            return Err("a command expected, found the end".into());
        }
        let known = find(name).ok_or_else(|| {
            let hint = did_you_mean(name, COMMANDS.iter().map(|command| command.name));
            format!("unknown command {}{hint}", quoted(name))
        })?;
        let most = known.usage.split(' ').filter(|word| !word.is_empty()).count();
        if arguments.len() > most && known.usage != "TEXT" {
            return Err(format!("too many arguments: {}", format!("{} {}", known.name, known.usage).trim_end()));
        }
        (known.run)(self, arguments)
    }

    fn board(&mut self) -> &mut dyn GoBoard {
        self.host.session.on_go_board()
    }

    fn begin_anew(&mut self) {
        self.intended = None;
        self.clock.restart();
    }

    fn clear(&mut self) -> Answer {
        self.host.session.set_position(None, &[])?;
        self.begin_anew();
        Ok(String::new())
    }

    fn board_size(&mut self, words: &[Word]) -> Answer {
        let size = self.board().grid().size;
        let wanted = argument(words, 0, "a size")?;
        if wanted.parse() != Ok(size) {
            return Err(format!("unacceptable size: the board of this game has size {size}, not {}", quoted(wanted)));
        }
        self.clear()
    }

    fn board_fields(&mut self) -> String {
        let field = |field| match field {
            Field::Missing => "?",
            Field::Empty => ".",
            Field::Man(Side::First) => "X",
            Field::Man(Side::Second) => "O",
        };
        let row = |row: Vec<Field>| row.into_iter().map(field).collect::<Vec<_>>().join(" ");
        self.board().fields().into_iter().map(row).collect::<Vec<_>>().join("\n")
    }

    fn final_score(&mut self, _: &[Word]) -> Answer {
        match self.host.session.outcome() {
            Some(Outcome::Win(Side::First, _)) => Ok("B+".into()),
            Some(Outcome::Win(Side::Second, _)) => Ok("W+".into()),
            Some(Outcome::Draw(_)) => Ok("0".into()),
            None => Err("the game is not over".into()),
        }
    }

    /// Checks that it is the turn of the colour given, if one is.
    fn check_turn(&self, word: Option<&Word>) -> Result<(), String> {
        let Some(word) = word else { return Ok(()) };
        let side = side_of(&word.text)?;
        if self.host.session.outcome().is_none() && side != self.host.session.side_to_move() {
            return Err(format!("it is the turn of {}", colour(!side)));
        }
        Ok(())
    }

    fn play(&mut self, words: &[Word]) -> Answer {
        let vertex = argument(words, 1, "a colour and a vertex")?;
        self.check_turn(words.first())?;
        let click = click_at(vertex, self.board().grid().size)?;
        self.board().click(click)?;
        self.intended = None;
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
        self.intended = None;
        Ok(String::new())
    }

    fn genmove(&mut self, words: &[Word]) -> Answer {
        argument(words, 0, "a colour")?;
        self.check_turn(words.first())?;
        let mut click = Click::Pass;
        if self.host.session.outcome().is_none() {
            let intended = match self.intended.take() {
                Some(text) => text,
                None => self.search()?,
            };
            click = self.board().next_click(&intended).unwrap_or(Click::Pass);
            self.intended = Some(intended);
        }
        self.board().click(click)?;
        if !self.board().is_half_made() {
            self.intended = None;
        }
        Ok(click_text(click))
    }

    fn genmove_text(&mut self, words: &[Word]) -> Answer {
        let text = self.search_for(words)?;
        self.board().play_whole(&text).map_err(|error| error.to_string())?;
        self.intended = None;
        Ok(text)
    }

    /// The best move as a text, for the colour that is given or for the side to move.
    fn search_for(&mut self, words: &[Word]) -> Answer {
        self.check_turn(words.first())?;
        match self.host.session.outcome() {
            Some(_) => Err(format!("the game is over: {}", self.host.session.verdict())),
            None => self.search(),
        }
    }

    /// The best of the moves that the half-made one can become.
    fn search(&mut self) -> Answer {
        let half_made = self.board().is_half_made();
        let moves = if half_made { self.board().completions() } else { Vec::new() };
        let side = self.host.session.side_to_move().index();
        let mut go = Go { search_moves: moves.iter().map(|text| Word::alone(text)).collect(), ..Go::default() };
        let milliseconds = |time: Duration| i64::try_from(time.as_millis()).unwrap_or(i64::MAX);
        match self.clock.left(side) {
            None => go.movetime = Some(milliseconds(UNTIMED_MOVE)),
            Some(left) => {
                go.time[side] = Some(milliseconds(left.time));
                go.moves_to_go = left.stones;
            }
        }
        let PreparedSearch { job, table, control } = self.host.prepare(&go)?.ok_or("there is no legal move")?;
        if let Some(warning) = self.host.warning.take() {
            self.out.error(&warning);
        }
        let control = Arc::new(control);
        locked(&self.shared).begin(self.line, control.clone());
        let begun = Instant::now();
        let answer = job(&table, &control, &mut |line| log::info!("{line}"));
        locked(&self.shared).running = None;
        self.searched += begun.elapsed();
        self.clock.spend(side, begun.elapsed());
        answer.faults.iter().for_each(|fault| self.out.error(fault));
        Ok(answer.best)
    }

    fn time_settings(&mut self, words: &[Word]) -> Answer {
        let usage = "main time, byo-yomi time and stones";
        let [main, period, stones] = [0, 1, 2].map(|at| argument(words, at, usage));
        self.clock.set(time(main?)?, time(period?)?, count(stones?)?);
        Ok(String::new())
    }

    fn time_left(&mut self, words: &[Word]) -> Answer {
        let usage = "a colour, seconds and stones";
        let [colour, seconds, stones] = [0, 1, 2].map(|at| argument(words, at, usage));
        self.clock.tell(side_of(colour?)?.index(), time(seconds?)?, count(stones?)?);
        Ok(String::new())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::game_session::begin;
    use crate::protocol::out::tests::Kept;
    use crate::search::tests::nim::{Fault, Nim};

    #[test]
    fn a_search_that_panics_is_answered() {
        let kept = Kept::default();
        let out = Out::new(kept.clone(), Errors::InBand);
        let mut host = Host::new(Options::default());
        host.session = begin(Nim { fault: Fault::Main, ..Nim::default() });
        let lines = "time_settings 600 0 0\nreg_genmove\nplay_text 333\ngenmove_text\nname\n";
        serve(std::io::Cursor::new(lines), &out, host).unwrap();
        let lines = kept.lines();
        let failed =
            lines.iter().filter(|line| line.ends_with("the search failed inside; this is a fault of the program"));
        assert_eq!(failed.count(), 2, "{lines:#?}");
        let answers: Vec<&str> = lines.iter().filter_map(|line| line.strip_prefix('=')).map(str::trim).collect();
        assert_eq!((answers.len(), answers[0], answers[2], answers[4]), (5, "", "", "pentarch"), "{lines:#?}");
        assert!([answers[1], answers[3]].iter().all(|answer| ["1", "2", "3"].contains(answer)), "{lines:#?}");
    }
}
