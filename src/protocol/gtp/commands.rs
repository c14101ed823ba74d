//! Executes the commands of GTP: changes the engine, and writes the responses.

use std::time::{Duration, Instant};

use crate::protocol::uci_lines;
use pentarch_core::notation::parsing::nearest_known_word;
use pentarch_core::{EndByPlayers, OptionKind, OptionSpec, OptionValue, Options, Outcome, Side};
use pentarch_engine::engine_options;
use pentarch_engine::engine_state::{
    GoCommandParameters, PreparedSearch, non_default_rules, rule_options, two_player_rules,
};
use pentarch_engine::games::all_game_words;
use pentarch_engine::go_board::GoBoardScene;
use pentarch_engine::input_word::InputWord;

use super::analysis::AnalysisReportFormat;
use super::error::GtpError;
use super::partial_move::{BoardClick, PartialMove};
use super::text::{
    argument_at, format_click, parse_click, parse_colour, parse_seconds, parse_stone_count,
    side_colour, side_name_with_stone_colour,
};
use super::{Gtp, graphics};

/// The time for a move if no clock is set.
const DEFAULT_GTP_MOVE_TIME: Duration = Duration::from_secs(1);

/// The response to a command.
pub(super) type GtpCommandResult = Result<String, GtpError>;

/// A command of GTP.
pub(super) struct GtpCommand {
    name: &'static str,
    /// The names of the command's arguments.
    usage: &'static str,
    run: fn(&mut Gtp, &[InputWord]) -> GtpCommandResult,
}

impl GtpCommand {
    const fn new(
        name: &'static str,
        usage: &'static str,
        run: fn(&mut Gtp, &[InputWord]) -> GtpCommandResult,
    ) -> GtpCommand {
        GtpCommand { name, usage, run }
    }
}

/// All commands, in the order of `list_commands`.
const GTP_COMMANDS: &[GtpCommand] = &[
    GtpCommand::new("best_move", "", |gtp, _| gtp.best_move_graphics()),
    GtpCommand::new("boardsize", "SIZE", Gtp::board_size),
    GtpCommand::new("clear_board", "", |gtp, _| gtp.clear_board()),
    GtpCommand::new("cputime", "", |gtp, _| Ok(format!("{:.3}", gtp.search_time.as_secs_f64()))),
    GtpCommand::new("evaluation", "", |gtp, _| Ok(gtp.engine.session.evaluation_table_text())),
    GtpCommand::new("final_score", "", |gtp, _| gtp.final_score()),
    GtpCommand::new("genmove", "COLOR", Gtp::genmove),
    GtpCommand::new("genmove_text", "[COLOR]", Gtp::genmove_text),
    GtpCommand::new("gogui-analyze_commands", "", |_, _| Ok(GOGUI_ANALYZE_COMMANDS.into())),
    GtpCommand::new("gogui-interrupt", "", |_, _| Ok(String::new())),
    GtpCommand::new("gogui-rules_board", "", |gtp, _| {
        Ok(graphics::board_rows(&gtp.go_board_scene()?).join("\n"))
    }),
    GtpCommand::new("gogui-rules_board_gfx", "", |gtp, _| {
        let mut lines = graphics::gogui_graphics_lines(&gtp.go_board_scene()?);
        lines.extend(graphics::shape_mark_line(
            "CIRCLE",
            gtp.partial_move.clicked_points().iter().copied(),
        ));
        Ok(lines.join("\n"))
    }),
    GtpCommand::new("gogui-rules_board_size", "", |gtp, _| {
        let grid = gtp.go_board_scene()?.grid;
        Ok(format!("{}{}", grid.size, if grid.hexagonal { " hex" } else { "" }))
    }),
    GtpCommand::new("gogui-rules_captured_count", "", |gtp, _| {
        let [black, white] = gtp.go_board_scene()?.captured;
        Ok(format!("{black} {white}"))
    }),
    GtpCommand::new("gogui-rules_final_result", "", |gtp, _| Ok(gtp.outcome_with_stone_colour())),
    GtpCommand::new("gogui-rules_game_id", "", |gtp, _| Ok(gtp.game_name())),
    GtpCommand::new("gogui-rules_legal_moves", "", |gtp, _| {
        gtp.go_board_scene()?;
        let clicks = gtp.partial_move.legal_clicks(gtp.engine.session.as_ref());
        Ok(clicks
            .into_iter()
            .map(|click| format_click(click).replace("PASS", "pass"))
            .collect::<Vec<_>>()
            .join(" "))
    }),
    GtpCommand::new("gogui-rules_side_to_move", "", |gtp, _| {
        Ok(side_colour(gtp.engine.session.game_state().side).into())
    }),
    GtpCommand::new("kata-analyze", "[COLOR] [INTERVAL] [NAME VALUE]...", |gtp, words| {
        gtp.analyze(words, AnalysisReportFormat::KataGo)
    }),
    GtpCommand::new("kata-genmove_analyze", "[COLOR] [INTERVAL] [NAME VALUE]...", |gtp, words| {
        gtp.genmove_analyze(words, AnalysisReportFormat::KataGo)
    }),
    GtpCommand::new("known_command", "NAME", |_, words| {
        let name = argument_at(words, 0, "a command")?;
        Ok(find_command(name).is_some().to_string())
    }),
    GtpCommand::new("komi", "NUMBER", |_, words| {
        match argument_at(words, 0, "a number")?.parse::<f64>() {
            Ok(komi) if komi.is_finite() => Ok(String::new()),
            _ => Err(GtpError::Komi { found: words[0].text.clone() }),
        }
    }),
    GtpCommand::new("legal_moves", "", |gtp, _| {
        Ok(gtp.engine.session.legal_move_strings().join(" "))
    }),
    GtpCommand::new("legal_points", "", |gtp, _| {
        gtp.go_board_scene()?;
        let clicks = gtp.partial_move.legal_clicks(gtp.engine.session.as_ref());
        let points = clicks.iter().filter_map(|click| click.point());
        Ok(graphics::shape_mark_line("SQUARE", points).unwrap_or_default())
    }),
    GtpCommand::new("list_commands", "", |_, _| {
        Ok(GTP_COMMANDS.iter().map(|command| command.name).collect::<Vec<_>>().join("\n"))
    }),
    GtpCommand::new("list_games", "", |_, _| Ok(all_game_words().join("\n"))),
    GtpCommand::new("lz-analyze", "[COLOR] [INTERVAL] [NAME VALUE]...", |gtp, words| {
        gtp.analyze(words, AnalysisReportFormat::LeelaZero)
    }),
    GtpCommand::new("lz-genmove_analyze", "[COLOR] [INTERVAL] [NAME VALUE]...", |gtp, words| {
        gtp.genmove_analyze(words, AnalysisReportFormat::LeelaZero)
    }),
    GtpCommand::new("name", "", |gtp, _| Ok(format!("pentarch {}", gtp.game_name()))),
    GtpCommand::new("play", "COLOR VERTEX", Gtp::play),
    GtpCommand::new("play_text", "[COLOR] MOVE", Gtp::play_text),
    GtpCommand::new("position_text", "", |gtp, _| Ok(gtp.engine.session.position_fen())),
    GtpCommand::new("protocol_version", "", |_, _| Ok("2".into())),
    GtpCommand::new("quit", "", |gtp, _| {
        gtp.has_quit = true;
        Ok(String::new())
    }),
    GtpCommand::new("reg_genmove", "[COLOR]", |gtp, words| gtp.find_best_move(words)),
    GtpCommand::new("rule_options", "[NAME VALUE]", |gtp, words| {
        let specs: Vec<OptionSpec> = rule_options(&gtp.engine.options).copied().collect();
        let (rules, partial_move) =
            (non_default_rules(&gtp.engine.options), gtp.partial_move.clone());
        let answer = gtp.option_dialog(&specs, words)?;
        if !words.is_empty() {
            gtp.start_new_game();
            let game_state = gtp.engine.session.game_state();
            // The half-made move stays, unless a new game has begun. A new game has other rules, no
            // moves and no end.
            if non_default_rules(&gtp.engine.options) == rules
                || game_state.moves > 0
                || game_state.end.is_some()
            {
                gtp.partial_move = partial_move;
            }
        }
        Ok(answer)
    }),
    GtpCommand::new("set_game", "GAME", |gtp, words| {
        gtp.set_option(&pentarch_engine::games::GAME_OPTION, argument_at(words, 0, "a game")?)?;
        gtp.start_new_game();
        Ok(String::new())
    }),
    GtpCommand::new("set_position", "TEXT", |gtp, words| {
        argument_at(words, 0, "a position string")?;
        gtp.engine.session.set_position(Some(words), &[])?;
        gtp.start_new_game();
        Ok(String::new())
    }),
    GtpCommand::new("showboard", "", |gtp, _| {
        let players = Side::BOTH_SIDES
            .map(|side| {
                side_name_with_stone_colour(gtp.engine.session.game_constants().sides, side)
            })
            .join(", ");
        Ok(format!("{players}\n{}", gtp.engine.session.position_report_text()))
    }),
    GtpCommand::new("strength_options", "[NAME VALUE]", |gtp, words| {
        gtp.option_dialog(STRENGTH_OPTIONS, words)
    }),
    GtpCommand::new("time_left", "COLOR SECONDS STONES", Gtp::time_left),
    GtpCommand::new("time_settings", "MAIN BYOYOMI STONES", Gtp::time_settings),
    GtpCommand::new("undo", "", |gtp, _| {
        gtp.planned_move = None;
        gtp.flagged_side = None;
        gtp.partial_move.take_back_last_input(gtp.engine.session.as_mut()).map(|()| String::new())
    }),
    GtpCommand::new("version", "", |_, _| Ok(env!("CARGO_PKG_VERSION").into())),
];

fn option_dialog_line(options: &Options, spec: &OptionSpec) -> String {
    let (kind, value) = match (spec.kind, options.value(spec)) {
        (_, OptionValue::Check(is_on)) => ("bool".into(), u8::from(is_on).to_string()),
        (OptionKind::Combo { values, .. }, value) => {
            (format!("list/{}", values.join("/")), value.to_string())
        }
        (_, value) => ("string".into(), value.to_string()),
    };
    format!("[{kind}] {} {value}", spec.name)
}

/// Returns the command with this name, ignoring case.
fn find_command(name: &str) -> Option<&'static GtpCommand> {
    GTP_COMMANDS.iter().find(|command| command.name.eq_ignore_ascii_case(name))
}

/// The commands that GoGui offers in its menu for analysis.
const GOGUI_ANALYZE_COMMANDS: &str = "\
gfx/Board/gogui-rules_board_gfx
gfx/Best move/best_move
gfx/Legal points/legal_points
string/Evaluation/evaluation
string/Position string/position_text
string/Legal moves/legal_moves
string/Result/gogui-rules_final_result
hstring/Diagram/showboard
param/Strength/strength_options
param/Rules/rule_options";

/// The options for the playing strength.
const STRENGTH_OPTIONS: &[OptionSpec] = &[
    engine_options::LEVEL_OPTION.spec,
    engine_options::LIMIT_STRENGTH_OPTION.spec,
    engine_options::ELO_OPTION.spec,
];

impl Gtp {
    /// Executes a command.
    ///
    /// # Errors
    /// If there is no such command, or if the command is rejected.
    pub(super) fn execute(&mut self, name: &str, arguments: &[InputWord]) -> GtpCommandResult {
        if name.is_empty() {
            return Err(GtpError::Missing { expected: "a command" });
        }
        let command = find_command(name).ok_or_else(|| {
            let nearest = nearest_known_word(name, GTP_COMMANDS.iter().map(|command| command.name));
            GtpError::UnknownCommand { name: name.into(), nearest }
        })?;
        let max_arguments = command.usage.split(' ').filter(|word| !word.is_empty()).count();
        if arguments.len() > max_arguments
            && command.usage != "TEXT"
            && !command.usage.ends_with("...")
        {
            let GtpCommand { name, usage, .. } = *command;
            return Err(GtpError::TooManyArguments { name, usage });
        }
        (command.run)(self, arguments)
    }

    /// Returns the position for the front end's Go board.
    ///
    /// # Errors
    /// If the game has no such board.
    pub(super) fn go_board_scene(&self) -> Result<GoBoardScene, GtpError> {
        let session = &self.engine.session;
        session
            .go_board_scene()
            .ok_or_else(|| GtpError::NoBoard { game: session.game_constants().game })
    }

    /// Lists options for GoGui's parameter dialog, or sets one of them to a new value. The dialog
    /// writes 1 for on and 0 for off.
    fn option_dialog(&mut self, specs: &[OptionSpec], words: &[InputWord]) -> GtpCommandResult {
        let Some(name) = words.first().map(|word| word.text.as_str()) else {
            let options = &self.engine.options;
            return Ok(specs
                .iter()
                .map(|spec| option_dialog_line(options, spec))
                .collect::<Vec<_>>()
                .join("\n"));
        };
        let spec = specs.iter().find(|spec| spec.name.eq_ignore_ascii_case(name));
        let spec = spec.ok_or_else(|| {
            let nearest = nearest_known_word(name, specs.iter().map(|spec| spec.name));
            GtpError::UnlistedOption { name: name.into(), nearest }
        })?;
        let value = match (spec.kind, argument_at(words, 1, "a value")?) {
            (OptionKind::Check { .. }, "1") => "true",
            (OptionKind::Check { .. }, "0") => "false",
            (_, value) => value,
        };
        self.set_option(spec, value).map(|()| String::new())
    }

    /// Sets an option.
    ///
    /// # Errors
    /// If the option does not accept the value, or if the game would have more than two players.
    fn set_option(&mut self, spec: &OptionSpec, value: &str) -> Result<(), GtpError> {
        let mut options = self.engine.options.clone();
        options.set(spec, value)?;
        two_player_rules(&options, "GTP plays games")?;
        Ok(self.engine.set_option(spec.name, value)?)
    }

    fn start_new_game(&mut self) {
        self.planned_move = None;
        self.flagged_side = None;
        self.clock.reset_clocks();
        self.partial_move = PartialMove::default();
    }

    fn clear_board(&mut self) -> GtpCommandResult {
        self.engine.session.set_position(None, &[])?;
        self.start_new_game();
        Ok(String::new())
    }

    fn board_size(&mut self, words: &[InputWord]) -> GtpCommandResult {
        let size = self.go_board_scene()?.grid.size;
        let requested = argument_at(words, 0, "a size")?;
        if requested.parse() != Ok(size) {
            return Err(GtpError::BoardSize { size, found: requested.into() });
        }
        self.clear_board()
    }

    fn final_score(&self) -> GtpCommandResult {
        let outcome = self.outcome().ok_or(GtpError::NotOver)?;
        let Outcome::Win(winner, reason) = outcome else { return Ok("0".into()) };
        // These are the letters for a win by resignation or on time in SGF, the file format of Go.
        let how = match reason {
            "resignation" => "R",
            "time" => "T",
            _ => "",
        };
        Ok(format!("{}+{how}", ["B", "W"][winner.index()]))
    }

    /// Returns the name of the game with a capital letter: `Quoridor`.
    fn game_name(&self) -> String {
        let word = self.engine.session.game_constants().game;
        word[..1].to_uppercase() + &word[1..]
    }

    /// Returns whether this colour must wait, because the other colour has made only a part of its
    /// move.
    fn must_colour_wait(&self, word: &InputWord) -> Result<bool, GtpError> {
        Ok(parse_colour(&word.text)? != self.engine.session.game_state().side
            && !self.partial_move.clicked_points().is_empty())
    }

    /// Checks that it is the turn of this colour. `None` is always accepted.
    pub(super) fn check_turn(&self, word: Option<&InputWord>) -> Result<(), GtpError> {
        let Some(word) = word else { return Ok(()) };
        let side = parse_colour(&word.text)?;
        let game_state = self.engine.session.game_state();
        if game_state.outcome.is_none() && side != game_state.side {
            return Err(GtpError::Turn(!side));
        }
        Ok(())
    }

    fn play(&mut self, words: &[InputWord]) -> GtpCommandResult {
        let vertex = argument_at(words, 1, "a colour and a vertex")?;
        if vertex.eq_ignore_ascii_case("resign") {
            let end = EndByPlayers::Resignation(parse_colour(&words[0].text)?);
            self.partial_move.end_game_by_players(self.engine.session.as_mut(), end)?;
            self.planned_move = None;
            return Ok(String::new());
        }
        let click = parse_click(vertex, self.go_board_scene()?.grid.size)?;
        if click == BoardClick::Pass && self.must_colour_wait(&words[0])? {
            self.partial_move.record_pass();
            return Ok(String::new());
        }
        self.check_turn(words.first())?;
        self.partial_move.apply_click(self.engine.session.as_mut(), click)?;
        self.planned_move = None;
        Ok(String::new())
    }

    fn play_text(&mut self, words: &[InputWord]) -> GtpCommandResult {
        argument_at(words, 0, "a move")?;
        self.check_turn(words.first().filter(|_| words.len() > 1))?;
        self.partial_move
            .replace_with_complete_move(self.engine.session.as_mut(), &words[words.len() - 1])?;
        self.planned_move = None;
        Ok(String::new())
    }

    fn genmove(&mut self, words: &[InputWord]) -> GtpCommandResult {
        argument_at(words, 0, "a colour")?;
        self.play_next_click(words.first(), Gtp::search_best_move)
    }

    /// Clicks the next vertex of the engine's move. `search` chooses the move, unless the
    /// engine has already begun one.
    pub(super) fn play_next_click(
        &mut self,
        colour: Option<&InputWord>,
        search: impl FnOnce(&mut Gtp) -> GtpCommandResult,
    ) -> GtpCommandResult {
        self.go_board_scene()?;
        if let Some(colour) = colour
            && self.must_colour_wait(colour)?
        {
            self.partial_move.record_pass();
            return Ok(format_click(BoardClick::Pass));
        }
        self.check_turn(colour)?;
        let mut click = BoardClick::Pass;
        if self.engine.session.game_state().outcome.is_none() {
            let planned_move = match self.planned_move.take() {
                Some(text) => text,
                None => search(self)?,
            };
            click = self.partial_move.next_click(self.engine.session.as_ref(), &planned_move);
            self.planned_move = Some(planned_move);
        }
        self.partial_move.apply_click(self.engine.session.as_mut(), click)?;
        if self.partial_move.clicked_points().is_empty() {
            self.planned_move = None;
        }
        Ok(format_click(click))
    }

    /// Returns the best move as lines of GoGui's graphics language. The points that remain to be
    /// clicked are numbered in order. The notation of the move is below the board. The clocks do
    /// not run during this search.
    fn best_move_graphics(&mut self) -> GtpCommandResult {
        self.go_board_scene()?;
        let (clock, flagged_side) = (self.clock.clone(), self.flagged_side);
        let best = self.find_best_move(&[]);
        (self.clock, self.flagged_side) = (clock, flagged_side);
        let best = best?;
        let session = self.engine.session.as_ref();
        let points = session.go_board_points_of_moves(std::slice::from_ref(&best));
        // [`PartialMove::apply_click`] requires a pass under the same condition.
        let end = if session.moves_matching_clicks(&points).moves.len() > 1 {
            "; a pass ends the move"
        } else {
            ""
        };
        let side =
            side_name_with_stone_colour(session.game_constants().sides, session.game_state().side);
        let text = format!("TEXT {side}: {best}{end}");
        let numbers = graphics::gogui_number_label_line(
            points.into_iter().skip(self.partial_move.clicked_points().len()),
        );
        Ok(numbers.into_iter().chain([text]).collect::<Vec<_>>().join("\n"))
    }

    /// Returns the outcome of the game. The outcome comes from the rules, from the players, or from
    /// a clock that has run out.
    fn outcome(&self) -> Option<Outcome> {
        let on_time = || self.flagged_side.map(|side| EndByPlayers::Time(side).outcome());
        self.engine.session.game_state().outcome.or_else(on_time)
    }

    /// Returns the outcome as a sentence.
    fn outcome_with_stone_colour(&self) -> String {
        match self.outcome() {
            Some(Outcome::Win(winner, reason)) => {
                format!(
                    "{} has won ({reason})",
                    side_name_with_stone_colour(self.engine.session.game_constants().sides, winner)
                )
            }
            _ => self.engine.session.outcome_sentence(),
        }
    }

    fn genmove_text(&mut self, words: &[InputWord]) -> GtpCommandResult {
        let text = self.find_best_move(words)?;
        self.partial_move.replace_with_complete_move(
            self.engine.session.as_mut(),
            &InputWord::from_text(&text),
        )?;
        self.planned_move = None;
        Ok(text)
    }

    /// Returns the notation of the best move. If a colour is given, it must be the colour of the
    /// side to move.
    fn find_best_move(&mut self, words: &[InputWord]) -> GtpCommandResult {
        self.check_turn(words.first())?;
        match self.engine.session.game_state().outcome {
            Some(_) => Err(GtpError::Over { outcome: self.engine.session.outcome_sentence() }),
            None => self.search_best_move(),
        }
    }

    /// Returns the moves that begin with the points of the half-made move. The list is empty if no
    /// move is half made.
    pub(super) fn legal_completions(&self) -> Vec<InputWord> {
        let is_half_made = !self.partial_move.clicked_points().is_empty();
        let moves =
            is_half_made.then(|| self.partial_move.legal_completions(self.engine.session.as_ref()));
        moves.unwrap_or_default().iter().map(|text| InputWord::from_text(text)).collect()
    }

    /// Returns the notation of the best move. The notation begins with the points of the half-made
    /// move, if a move is half made.
    fn search_best_move(&mut self) -> GtpCommandResult {
        let go = self.go_command_parameters();
        let search = self.prepare_search(&go)?;
        let start = Instant::now();
        let answer = search.run(&mut |step| log::info!("{}", uci_lines::info_line(step)));
        self.search_time += start.elapsed();
        self.subtract_time(start.elapsed());
        answer.faults.iter().for_each(|fault| self.out.report_error(fault));
        Ok(answer.best)
    }

    /// Returns the limits of a search for the next move. The limits contain the moves that begin
    /// with the points of the half-made move, and the clock of the side to move.
    pub(super) fn go_command_parameters(&self) -> GoCommandParameters {
        let side = self.engine.session.game_state().side.index();
        let mut go = GoCommandParameters::default();
        go.limits.moves = self.legal_completions();
        let milliseconds = |time: Duration| i64::try_from(time.as_millis()).unwrap_or(i64::MAX);
        match self.clock.left[side] {
            None => go.time.movetime = Some(milliseconds(DEFAULT_GTP_MOVE_TIME)),
            Some(left) => {
                go.time.time[side] = Some(milliseconds(left.time));
                go.time.moves_to_go = left.stones;
            }
        }
        go
    }

    /// Prepares a search.
    pub(super) fn prepare_search(
        &mut self,
        go: &GoCommandParameters,
    ) -> Result<PreparedSearch, GtpError> {
        let search = self.engine.prepare_search(go)?.ok_or(GtpError::NoLegalMove)?;
        if let Some(warning) = self.engine.warning.take() {
            self.out.report_error(&warning);
        }
        self.stopper.connect_search_control(&search.control);
        Ok(search)
    }

    /// Subtracts the time of a search from the clock of the side to move.
    pub(super) fn subtract_time(&mut self, time: Duration) {
        let side = self.engine.session.game_state().side;
        if self.clock.subtract_move_time(side.index(), time) {
            self.flagged_side = Some(side);
        }
    }

    fn time_settings(&mut self, words: &[InputWord]) -> GtpCommandResult {
        let expected = "main time, byo-yomi time and stones";
        let [main, period, stones] = [0, 1, 2].map(|at| argument_at(words, at, expected));
        self.clock.set_time_settings(
            parse_seconds(main?)?,
            parse_seconds(period?)?,
            parse_stone_count(stones?)?,
        );
        self.flagged_side = None;
        Ok(String::new())
    }

    fn time_left(&mut self, words: &[InputWord]) -> GtpCommandResult {
        let expected = "a colour, seconds and stones";
        let [colour, seconds, stones] = [0, 1, 2].map(|at| argument_at(words, at, expected));
        self.clock.set_time_left(
            parse_colour(colour?)?.index(),
            parse_seconds(seconds?)?,
            parse_stone_count(stones?)?,
        );
        self.flagged_side = None;
        Ok(String::new())
    }
}
