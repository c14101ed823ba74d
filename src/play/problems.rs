//! Problems at the terminal: positions in which one move wins, solved by typing moves.

use std::ops::ControlFlow;

use crate::core::text::{capitalised, did_you_mean, quoted, wrapped};
use crate::core::{Failure, MoveError, Options, Side};
use crate::engine::engine_state::{Engine, Go};
use crate::engine::input_word::Word;
use crate::engine::options::GAME;
use crate::engine::session::Session;
use crate::io::host::System;
use crate::io::output::{Output, tell};
use crate::problems::solved::Solved;
use crate::problems::{Problem, kept};
use crate::search::Limits;

use super::setup::ask_game;
use super::terminal::{Terminal, Typed};
use super::view;

/// The nodes of the search for what refutes a wrong move.
const REFUTATION_NODES: u64 = 20_000;
/// How many moves the second hint names.
const HINTED: usize = 3;

/// What can be typed besides moves, and what it does.
const WORDS: [(&str, &str); 9] = [
    ("hint", "something about the move; again for more"),
    ("solution", "the solution; the problem stays unsolved"),
    ("next", "the next problem that is not solved"),
    ("problem N", "the problem with this number"),
    ("board", "the board once more"),
    ("moves", "the legal moves"),
    ("again", "the problem from its beginning"),
    ("help", "this list"),
    ("quit", "leave; what was solved is kept"),
];

/// A problem that is being solved.
struct Solving<'a> {
    engine: Engine,
    problems: Vec<Problem>,
    solved: Solved,
    /// The problem in play, by its place in the list.
    at: usize,
    /// How many hints were given.
    hints: usize,
    terminal: &'a mut Terminal,
    out: &'a Output,
}

/// Shows the problems of the game that these options choose, or of one that is asked for, until the player leaves or
/// the input ends.
///
/// # Errors
/// If the game has no problems, or the input cannot be read.
pub fn run(mut options: Options, has_game: bool, out: &Output) -> Result<(), Failure> {
    let mut terminal = Terminal::new().map_err(Failure::Failed)?;
    if !has_game && !ask_game(&mut options, &mut terminal, out)? {
        return Ok(());
    }
    let game = options.choice(&GAME);
    let problems = kept::of_game(game);
    if problems.is_empty() {
        let fault = format!("there are no problems of {} in the program", options.text(&GAME));
        return Err(Failure::BadArguments(format!("{fault}; 'pentarch problems' composes some")));
    }
    let (solved, fault) = Solved::of_user();
    fault.iter().for_each(|fault| tell(fault));
    let engine = Engine::new(options, System::shared());
    let at = problems.len() - 1;
    let mut solving = Solving { engine, problems, solved, at, hints: 0, terminal: &mut terminal, out };
    out.raw("Type the move that wins, or 'help' for what else you can type.\n");
    solving.next();
    solving.run()
}

impl Solving<'_> {
    fn run(&mut self) -> Result<(), Failure> {
        while !self.out.is_closed() {
            let standing = self.session().standing();
            let side = self.session().facts().players[standing.player];
            let prompt = if standing.outcome.is_none() { format!("{side}> ") } else { "> ".into() };
            let words = WORDS.iter().map(|(word, _)| word.split(' ').next().unwrap_or(word).to_string());
            let words = self.session().legal_moves().into_iter().chain(words).collect();
            match self.terminal.read(&prompt, words).map_err(Failure::Failed)? {
                Typed::Line(line) => {
                    if self.answer(line.trim()).is_break() {
                        break;
                    }
                }
                Typed::Interrupted => {}
                Typed::End => break,
            }
        }
        Ok(())
    }

    fn session(&self) -> &dyn Session {
        self.engine.session.as_ref()
    }

    fn problem(&self) -> &Problem {
        &self.problems[self.at]
    }

    fn is_solved(&self, at: usize) -> bool {
        let Problem { rules: (game, _), position, .. } = &self.problems[at];
        self.solved.has(game, position)
    }

    fn tell(&self, text: &str) {
        self.out.raw(&format!("{}\n", wrapped(text, view::INDENT)));
    }

    /// Takes up the next problem that is not solved; if all are, the next one.
    fn next(&mut self) {
        let count = self.problems.len();
        let following = |step: usize| (self.at + step) % count;
        let at = (1..=count).map(following).find(|&at| !self.is_solved(at)).unwrap_or_else(|| following(1));
        self.take_up(at);
    }

    /// Sets a problem up and shows it.
    fn take_up(&mut self, at: usize) {
        (self.at, self.hints) = (at, 0);
        if let Err(error) = self.go_back(0) {
            return self.tell(&view::sentence(&error));
        }
        let solved = (0..self.problems.len()).filter(|&at| self.is_solved(at)).count();
        let problem = self.problem();
        let mark = if self.is_solved(at) { ", solved" } else { "" };
        let count = self.problems.len();
        self.tell(&format!("Problem {} of {count}, grade {}{mark}. You have solved {solved}.", at + 1, problem.grade));
        let moves = match problem.length() {
            1 => "one move".into(),
            length => format!("{length} moves"),
        };
        self.show_board(&format!("{} is to move and wins in {moves}.", capitalised(self.solver())));
    }

    /// The word for the solver.
    fn solver(&self) -> &'static str {
        let facts = self.session().facts();
        facts.sides[self.solver_side().index()]
    }

    fn solver_side(&self) -> Side {
        self.session().course().first_turn.1
    }

    /// The position of the problem after so many moves of its solution.
    fn go_back(&mut self, moves: usize) -> Result<(), String> {
        let problem = &self.problems[self.at];
        let fen: Vec<Word> = problem.position.split_whitespace().map(Word::alone).collect();
        let moves: Vec<Word> = problem.solution[..moves].iter().map(|mv| Word::alone(mv)).collect();
        self.engine.session.set_position(Some(&fen), &moves).map_err(|error| error.to_string())
    }

    fn show_board(&mut self, below: &str) {
        let rows = self.terminal.rows();
        let viewer = self.solver_side();
        let board = view::board(self.session(), viewer, self.terminal.has_colour(), rows);
        self.out.raw(&format!("{board}\n{}\n", wrapped(below, view::INDENT)));
    }

    /// Carries out a line that was typed.
    fn answer(&mut self, line: &str) -> ControlFlow<()> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        match (word.to_ascii_lowercase().as_str(), rest.trim()) {
            ("", _) => {}
            ("quit" | "q" | "exit", "") => return ControlFlow::Break(()),
            ("help" | "?", "") => self.help(),
            ("hint", "") => self.hint(),
            ("solution", "") => self.show_solution(),
            ("next", "") => self.next(),
            ("again", "") => self.take_up(self.at),
            ("problem", number) => {
                match number.parse::<usize>().ok().filter(|at| (1..=self.problems.len()).contains(at)) {
                    Some(number) => self.take_up(number - 1),
                    None => {
                        let count = self.problems.len();
                        self.tell(&format!("A number from 1 to {count} expected, not {}.", quoted(number)));
                    }
                }
            }
            ("board", "") => self.show_board(&format!("{}.", self.session().status().sentence)),
            ("moves", "") => match view::moves(self.session(), None) {
                Ok(moves) => self.out.raw(&format!("{moves}\n")),
                Err(error) => self.tell(&view::sentence(&error)),
            },
            (_, "") => self.try_move(line),
            _ => self.tell(&format!("One move or one word a line, not {}. 'help' lists the words.", quoted(line))),
        }
        ControlFlow::Continue(())
    }

    fn help(&self) {
        let rows: Vec<String> = WORDS.iter().map(|(word, text)| format!("  {word:10} {text}")).collect();
        self.out.raw(&format!("Type a move, or one of these:\n{}\n", rows.join("\n")));
    }

    /// The move of the solution that is to be found; none if the problem is over.
    fn wanted(&self) -> Option<&str> {
        let made = self.session().standing().moves;
        self.problem().solution.get(made).map(String::as_str).filter(|_| self.session().standing().outcome.is_none())
    }

    fn over(&self) {
        self.tell("This problem is over: 'next' shows another one, 'again' the same once more.");
    }

    fn hint(&mut self) {
        let Some(wanted) = self.wanted().map(str::to_string) else { return self.over() };
        self.hints += 1;
        if self.hints == 1 {
            let groups = self.session().move_groups();
            let kind = groups.iter().find(|(_, moves)| moves.contains(&wanted)).map_or("", |(kind, _)| *kind);
            let is_key = self.session().standing().moves == 0;
            let themes: Vec<&str> = self.problem().themes.iter().filter(|_| is_key).map(|theme| theme.word()).collect();
            let themes = if themes.is_empty() { String::new() } else { format!(" Theme: {}.", themes.join(", ")) };
            return self.tell(&format!("Look among the {}.{themes}", kind.to_lowercase()));
        }
        // The wanted move with its neighbours in the list of moves, so that the place tells nothing.
        let legal = self.session().legal_moves();
        let at = legal.iter().position(|mv| *mv == wanted).unwrap_or(0);
        let first = (at.saturating_sub(self.at % HINTED)).min(legal.len().saturating_sub(HINTED));
        let named: Vec<&str> = legal.iter().skip(first).take(HINTED).map(String::as_str).collect();
        self.tell(&format!("It is one of these: {}.", named.join(", ")));
    }

    fn show_solution(&mut self) {
        let solution = self.problem().solution.join(" ");
        if let Err(error) = self.go_back(self.problem().solution.len()) {
            return self.tell(&view::sentence(&error));
        }
        let status = self.session().status().sentence;
        self.show_board(&format!("The solution: {solution}. {status}. 'next' shows another problem."));
    }

    fn try_move(&mut self, text: &str) {
        let Some(wanted) = self.wanted().map(str::to_string) else { return self.over() };
        let mv = match self.session().canonical_move(text) {
            Ok(mv) => mv,
            Err(MoveError::Illegal(why)) => {
                let reason = if self.terminal.is_interactive() { why.reason() } else { &why.why };
                return self.tell(&format!("{} is illegal: {reason}.", quoted(text)));
            }
            Err(MoveError::Syntax(error)) => {
                let hint = did_you_mean(text, WORDS.iter().map(|(word, _)| *word));
                let hint = if hint.is_empty() { format!(": {error}") } else { hint };
                return self.tell(&format!("{} is no move and no word{hint}. 'help' lists the words.", quoted(text)));
            }
        };
        let made = self.session().standing().moves;
        // The move was found legal.
        let _ = self.engine.session.play(&[Word::alone(&mv)]);
        let standing = self.session().standing();
        let has_won = standing.outcome.and_then(|outcome| outcome.winner()) == Some(self.solver_side());
        match self.problem().solution.get(made + 1).cloned() {
            None if has_won => self.end(),
            Some(reply) if mv == wanted => {
                let _ = self.engine.session.play(&[Word::alone(&reply)]);
                self.hints = 0;
                self.show_board(&format!("Right: {mv}. The reply is {reply}. What now?"));
            }
            _ => self.refute(made, &mv),
        }
    }

    /// The problem is solved.
    fn end(&mut self) {
        let Problem { rules: (game, _), position, .. } = &self.problems[self.at];
        let kept = self.solved.add(game, position);
        let status = self.session().status().sentence;
        self.show_board(&format!("Solved. {status}. 'next' shows another problem."));
        if let Err(error) = kept {
            tell(&format!("what you solve is not kept: {error}"));
        }
    }

    /// Shows what refutes the wrong move that was made, and takes it back.
    fn refute(&mut self, made: usize, mv: &str) {
        let status = self.session().status().sentence;
        let told = if self.session().standing().outcome.is_some() {
            format!("{} does not win: {status}.", mv)
        } else {
            let line = self.refutation(made, mv);
            let [reply, ..] = &line[..] else { return };
            let replied = self.engine.session.play(&[Word::alone(reply)]);
            debug_assert!(replied.is_ok());
            let status = self.session().status();
            let after = if status.turn.is_none() { format!(" {}.", status.sentence) } else { String::new() };
            let rest = match &line[1..] {
                [] => String::new(),
                rest => format!(" It might go on: {}.", rest.join(" ")),
            };
            format!("{mv} does not win, because of {reply}.{after}{rest}")
        };
        self.show_board(&told);
        match self.go_back(made) {
            Ok(()) => self.tell("It is taken back: another move wins."),
            Err(error) => self.tell(&view::sentence(&error)),
        }
    }

    /// The best reply to the wrong move that was made, and how the game might go on.
    fn refutation(&mut self, made: usize, mv: &str) -> Vec<String> {
        let known = self.problem().temptation.clone().filter(|[wrong, _]| made == 0 && wrong == mv);
        if let Some([_, reply]) = known {
            return vec![reply];
        }
        let limits = Limits { nodes: Some(REFUTATION_NODES), ..Limits::default() };
        let mut line = Vec::new();
        let search = self.engine.search(&Go { limits, ..Go::default() });
        let Ok(Some(search)) = search else { return line };
        let answer = search.run(&mut |info| line = info.pv.iter().take(4).cloned().collect());
        if line.first() != Some(&answer.best) {
            line = vec![answer.best];
        }
        line
    }
}
