//! Problems at the terminal: positions in which one move wins or holds a draw, solved by typing moves.

use std::ops::ControlFlow;

use crate::io::host::System;
use crate::io::output::{Output, tell};
use crate::problems::solved_problems::SolvedProblems;
use pentarch_core::notation::text::capitalised;
use pentarch_core::{Options, Side};
use pentarch_engine::builtin_problems;
use pentarch_engine::engine_state::{Engine, Go, changed_rules};
use pentarch_engine::error::EngineError;
use pentarch_engine::input_word::Word;
use pentarch_engine::problem::Problem;
use pentarch_engine::record::set_rules;
use pentarch_engine::session::Session;
use pentarch_games::GAME;
use pentarch_search::Limits;

use super::error::PlayError;
use super::exercise::{self, Desk, Exercise, Words};
use super::setup::ensure_game;
use super::terminal::Terminal;
use super::view;

/// The nodes of the search for what refutes a wrong move.
const REFUTATION_NODES: u64 = 20_000;
/// What is said where no move is awaited.
const OVER: &str = "This problem is over: 'next' shows another one, 'again' the same once more.";

/// A problem that is being solved.
struct Solving {
    engine: Engine,
    problems: Vec<Problem>,
    solved: SolvedProblems,
    /// The problem in play, by its place in the list.
    at: usize,
    /// How many hints were given.
    hints: usize,
}

/// Shows the problems of the game that these options choose, or of one that is asked for, until the player leaves or
/// the input ends.
///
/// # Errors
/// If the game has no problems, or the input cannot be read.
pub fn run(mut options: Options, out: &Output) -> Result<(), PlayError> {
    let mut terminal = Terminal::new()?;
    if !ensure_game(&mut options, &mut terminal, out)? {
        return Ok(());
    }
    let game = options.value(&GAME).to_string();
    if let Some((spec, value)) = changed_rules(&options).into_iter().next() {
        return Err(PlayError::ProblemRules { game, rule: spec.name, value: value.to_string() });
    }
    let problems = builtin_problems::of_game(options.choice(&GAME)).to_vec();
    if problems.is_empty() {
        return Err(PlayError::NoProblems { game });
    }
    let (solved, fault) = SolvedProblems::load();
    fault.iter().for_each(|fault| tell(&fault.to_string()));
    let engine = Engine::new(options, System::shared());
    let at = problems.len() - 1;
    let (mut solving, mut desk) =
        (Solving { engine, problems, solved, at, hints: 0 }, Desk { terminal: &mut terminal, out });
    out.raw("Type the best move, or 'help' for what else you can type.\n");
    let _ = solving.next(&mut desk);
    Ok(exercise::run(&mut solving, &mut desk)?)
}

impl Exercise for Solving {
    const WORDS: Words = &[
        ("hint", "something about the move; again for more"),
        ("solution", "the solution; the problem stays unsolved"),
        ("next", "the next problem that is not solved"),
        ("problem N", "the problem with this number"),
        ("board", "the board once more"),
        ("moves", "the legal moves"),
        ("rules", "the rules of the game; 'rules TOPIC' shows a part of them"),
        ("again", "the problem from its beginning"),
        ("help", "this list"),
        ("quit", "leave; what was solved is kept"),
    ];

    fn options(&self) -> &Options {
        &self.engine.options
    }

    fn session(&self) -> &dyn Session {
        self.engine.session.as_ref()
    }

    /// The solver.
    fn viewer(&self) -> Side {
        self.session().course().first_turn.1
    }

    const TASK: &'static str = "problem";

    fn count(&self) -> usize {
        self.problems.len()
    }

    fn at(&self) -> usize {
        self.at
    }

    fn is_done(&self, at: usize) -> bool {
        let Problem { rules: (game, _), position, .. } = &self.problems[at];
        self.solved.contains(game, position)
    }

    fn take_up(&mut self, at: usize, desk: &mut Desk) {
        (self.at, self.hints) = (at, 0);
        if let Err(error) = self.take_rules().and_then(|()| self.go_back(0)) {
            return desk.tell(&view::sentence(&error));
        }
        let solved = (0..self.problems.len()).filter(|&at| self.is_done(at)).count();
        let problem = self.problem();
        let mark = if self.is_done(at) { ", solved" } else { "" };
        let count = self.problems.len();
        desk.tell(&format!(
            "Problem {} of {count}, grade {}{mark}. You have solved {solved}.",
            at + 1,
            problem.grade
        ));
        let task = match problem.length() {
            1 if problem.is_draw() => "has one move that holds the draw".into(),
            length if problem.is_draw() => {
                format!("has one move that holds the draw, {length} times in a row")
            }
            1 => "wins in one move".into(),
            length => format!("wins in {length} moves"),
        };
        self.show_board(&format!("{} is to move and {task}.", capitalised(self.solver())), desk);
    }

    fn word(&mut self, word: &str, desk: &mut Desk) -> bool {
        match word {
            "hint" => self.hint(desk),
            "solution" => self.show_solution(desk),
            _ => return false,
        }
        true
    }

    fn is_over(&self) -> Option<&'static str> {
        self.wanted().is_none().then_some(OVER)
    }

    fn try_move(&mut self, mv: &str, desk: &mut Desk) -> ControlFlow<()> {
        let wanted = self.wanted().is_some_and(|wanted| wanted == mv);
        let made = self.session().standing().moves;
        // The move was found legal.
        let _ = self.engine.session.play(&[Word::alone(mv)]);
        let standing = self.session().standing();
        let has_won = standing.outcome.and_then(|outcome| outcome.winner()) == Some(self.viewer());
        match self.problem().solution.get(made + 1).cloned() {
            None if has_won || (self.problem().is_draw() && wanted) => self.end(desk),
            Some(reply) if wanted => {
                let _ = self.engine.session.play(&[Word::alone(&reply)]);
                self.hints = 0;
                self.show_board(&format!("Right: {mv}. The reply is {reply}. What now?"), desk);
            }
            _ => self.refute(made, mv, desk),
        }
        ControlFlow::Continue(())
    }
}

impl Solving {
    fn problem(&self) -> &Problem {
        &self.problems[self.at]
    }

    /// The word for the solver.
    fn solver(&self) -> &'static str {
        let facts = self.session().facts();
        facts.sides[self.viewer().index()]
    }

    /// Takes the rules of the problem in play, if the last one had others.
    fn take_rules(&mut self) -> Result<(), EngineError> {
        let mut options = self.engine.options.clone();
        set_rules(&mut options, self.problem().rules.1.iter().map(String::as_str))?;
        let settings = |options: &Options| -> Vec<String> {
            changed_rules(options)
                .into_iter()
                .map(|(spec, value)| format!("{}={value}", spec.name))
                .collect()
        };
        if settings(&options) != settings(&self.engine.options) {
            self.engine = Engine::new(options, System::shared());
        }
        Ok(())
    }

    /// The position of the problem after so many moves of its solution.
    fn go_back(&mut self, moves: usize) -> Result<(), EngineError> {
        let problem = &self.problems[self.at];
        let fen: Vec<Word> = problem.position.split_whitespace().map(Word::alone).collect();
        let moves: Vec<Word> = problem.solution[..moves].iter().map(|mv| Word::alone(mv)).collect();
        self.engine.session.set_position(Some(&fen), &moves)
    }

    fn show_board(&self, below: &str, desk: &mut Desk) {
        desk.show_board(self.session(), self.viewer(), below);
    }

    /// The move of the solution that is to be found; none if the problem is over.
    fn wanted(&self) -> Option<&str> {
        let made = self.session().standing().moves;
        self.problem()
            .solution
            .get(made)
            .map(String::as_str)
            .filter(|_| self.session().standing().outcome.is_none())
    }

    fn hint(&mut self, desk: &Desk) {
        let Some(wanted) = self.wanted().map(str::to_string) else { return desk.tell(OVER) };
        self.hints += 1;
        if self.hints > 1 {
            return desk.tell(&exercise::one_of_these(self.session(), &wanted, self.at));
        }
        let is_key = self.session().standing().moves == 0;
        let themes: Vec<&str> =
            self.problem().themes.iter().filter(|_| is_key).map(|theme| theme.word()).collect();
        let themes = if themes.is_empty() {
            String::new()
        } else {
            format!(" Theme: {}.", themes.join(", "))
        };
        desk.tell(&format!("{}{themes}", exercise::kind_of(self.session(), &wanted)));
    }

    fn show_solution(&mut self, desk: &mut Desk) {
        let solution = self.problem().solution.join(" ");
        if let Err(error) = self.go_back(self.problem().solution.len()) {
            return desk.tell(&view::sentence(&error));
        }
        let status = self.session().status().sentence;
        self.show_board(
            &format!("The solution: {solution}. {status}. 'next' shows another problem."),
            desk,
        );
    }

    /// The problem is solved.
    fn end(&mut self, desk: &mut Desk) {
        let Problem { rules: (game, _), position, .. } = &self.problems[self.at];
        let kept = self.solved.add(game, position);
        let status = match self.problem().is_draw() {
            true => "The draw is held".into(),
            false => self.session().status().sentence,
        };
        self.show_board(&format!("Solved. {status}. 'next' shows another problem."), desk);
        if let Err(error) = kept {
            tell(&format!("what you solve is not kept: {error}"));
        }
    }

    /// Shows what refutes the wrong move that was made, and takes it back.
    fn refute(&mut self, made: usize, mv: &str, desk: &mut Desk) {
        let status = self.session().status().sentence;
        // At the last move another one may win as well, but later. The key is the only one that wins at all.
        let is_last = made > 0 && made + 1 == self.problem().solution.len();
        let (fails, right) = match self.problem().is_draw() {
            true => ("loses", "holds the draw"),
            false if is_last => ("does not win at once", "does"),
            false => ("does not win", "wins"),
        };
        let told = if self.session().standing().outcome.is_some() {
            format!("{mv} {fails}: {status}.")
        } else {
            let line = self.refutation(made, mv);
            let [reply, ..] = &line[..] else { return };
            let replied = self.engine.session.play(&[Word::alone(reply)]);
            debug_assert!(replied.is_ok());
            let status = self.session().status();
            let after = if status.turn.is_none() {
                format!(" {}.", status.sentence)
            } else {
                String::new()
            };
            let rest = match &line[1..] {
                [] => String::new(),
                rest => format!(" It might go on: {}.", rest.join(" ")),
            };
            format!("{mv} {fails}, because of {reply}.{after}{rest}")
        };
        self.show_board(&told, desk);
        match self.go_back(made) {
            Ok(()) => self.show_board(&format!("It is taken back: another move {right}."), desk),
            Err(error) => desk.tell(&view::sentence(&error)),
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
