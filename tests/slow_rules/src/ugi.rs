//! Serves the slow rules over UGI: positions, legal moves, outcomes and perft counts.
//!
//! FENs must be valid. A move string is legal if it is the canonical string of a legal move, in any
//! case of letters.

use std::collections::BTreeMap;
use std::io::{self, BufRead, Write};

use crate::alcaxar;
use crate::alquerque;
use crate::bushka;
use crate::quoridor;
use crate::quoridor_four;
use crate::roses;

/// The options of all games.
const OPTION_NAMES: [&str; 20] = [
    "Game",
    "RepetitionDraw",
    "Alquerque_Ruleset",
    "Alquerque_MultiCapture",
    "Alquerque_Removal",
    "Alquerque_Movement",
    "Alquerque_BaseRow",
    "Alquerque_Retreat",
    "Alquerque_MissedCapture",
    "Alquerque_Win",
    "Roses_ContiguousSupport",
    "Roses_Repetition",
    "Quoridor_BoardSize",
    "Quoridor_Walls",
    "Quoridor_Walls2",
    "Quoridor_Players",
    "Quoridor_Teams",
    "Quoridor_FourWalls",
    "Bushka_Board",
    "Hash",
];

type Options = BTreeMap<String, String>;

/// A position of any game.
#[derive(Clone)]
enum Position {
    Alcaxar(alcaxar::SlowPosition),
    Alquerque(alquerque::State, alquerque::RuleOptions),
    Bushka(bushka::Board),
    Quoridor(quoridor::SlowPosition),
    QuoridorForFour(quoridor_four::SlowPosition),
    Roses(roses::Position),
}

/// A game: its current position, and the earlier ones.
#[derive(Clone)]
struct Game {
    position: Position,
    /// The positions of the game without the parts that repetition ignores. The current one is
    /// last.
    history: Vec<String>,
    draws_by_repetition: bool,
}

fn option<'a>(options: &'a Options, name: &str, default: &'a str) -> &'a str {
    options.get(name).map_or(default, String::as_str)
}

fn is_on(options: &Options, name: &str) -> bool {
    option(options, name, "false") == "true"
}

/// Returns the values of the seven options of Alquerque.
fn alquerque_rules(options: &Options) -> alquerque::RuleOptions {
    let modern = alquerque::RuleOptions::MODERN;
    let preset = match option(options, "Alquerque_Ruleset", "modern") {
        "alfonso" => alquerque::RuleOptions {
            retreat: "free",
            missed_capture: "huff",
            win: "capture",
            ..modern
        },
        "bell" => {
            alquerque::RuleOptions { movement: "bell", retreat: "checker", win: "block", ..modern }
        }
        _ => modern,
    };
    let value = |name: &str, preset: &'static str| -> &'static str {
        match option(options, &format!("Alquerque_{name}"), "ruleset") {
            "ruleset" => preset,
            // The engine lives as long as its options.
            value => Box::leak(value.to_string().into_boxed_str()),
        }
    };
    alquerque::RuleOptions {
        multi_capture: value("MultiCapture", preset.multi_capture),
        removal: value("Removal", preset.removal),
        movement: value("Movement", preset.movement),
        base_row: value("BaseRow", preset.base_row),
        retreat: value("Retreat", preset.retreat),
        missed_capture: value("MissedCapture", preset.missed_capture),
        win: value("Win", preset.win),
    }
}

/// Returns the start position of the game that the options choose.
fn start_fen(options: &Options) -> String {
    let number = |name, default| option(options, name, default).parse::<u32>().unwrap();
    let size = number("Quoridor_BoardSize", "9") as i32;
    let walls = number("Quoridor_Walls", "10");
    match option(options, "Game", "alcaxar") {
        "alcaxar" => "b8h2 b5c6d7e2e8f3g4h5 r - 1".into(),
        "alquerque" => "xxxxx/xxxxx/xx1oo/ooooo/ooooo l - - - 1".into(),
        "bushka" if option(options, "Bushka_Board", "10x10") == "11x9" => {
            "b1b1b1b1b1b/1b1b1b1b1b1/b1b1b1b1b1b/11/11/11/w1w1w1w1w1w/1w1w1w1w1w1/w1w1w1w1w1w w 1"
                .into()
        }
        "bushka" => {
            "1b1b1b1b1b/b1b1b1b1b1/1b1b1b1b1b/10/10/10/10/w1w1w1w1w1/1w1w1w1w1w/w1w1w1w1w1 w 1"
                .into()
        }
        "roses" => "c/4/5/5/4/C w 4/4 1".into(),
        _ if option(options, "Quoridor_Players", "2") == "4" => {
            let walls = number("Quoridor_FourWalls", "5");
            quoridor_four::SlowPosition::start(size, walls, is_on(options, "Quoridor_Teams")).text()
        }
        _ => {
            let second = option(options, "Quoridor_Walls2", "same").parse().unwrap_or(walls);
            quoridor::SlowPosition::start(size, [walls, second], false).text()
        }
    }
}

fn read_position(options: &Options, fen: &str) -> Position {
    let size = option(options, "Quoridor_BoardSize", "9").parse().unwrap();
    match option(options, "Game", "alcaxar") {
        "alcaxar" => Position::Alcaxar(alcaxar::SlowPosition::new(fen)),
        "alquerque" => {
            let rules = alquerque_rules(options);
            Position::Alquerque(alquerque::State::read(fen), rules)
        }
        "bushka" => Position::Bushka(bushka::Board::read(fen)),
        "roses" => {
            let contiguous = is_on(options, "Roses_ContiguousSupport");
            Position::Roses(roses::Position::parse(fen, contiguous))
        }
        _ if option(options, "Quoridor_Players", "2") == "4" => {
            let teams = is_on(options, "Quoridor_Teams");
            Position::QuoridorForFour(quoridor_four::SlowPosition::read(size, teams, fen))
        }
        _ => Position::Quoridor(quoridor::SlowPosition::read(size, false, fen)),
    }
}

impl Position {
    fn fen(&self) -> String {
        match self {
            Position::Alcaxar(position) => position.text(),
            Position::Alquerque(state, rules) => state.text(rules),
            Position::Bushka(board) => board.text(),
            Position::Quoridor(position) => position.text(),
            Position::QuoridorForFour(position) => position.text(),
            Position::Roses(position) => position.text(),
        }
    }

    /// Returns the parts of the position that repetition compares.
    fn repetition_key(&self) -> String {
        let fen = self.fen();
        let fields: Vec<&str> = fen.split(' ').collect();
        match self {
            Position::Alcaxar(_) => fields[..3].join(" "),
            _ => fields[..fields.len() - 1].join(" "),
        }
    }

    /// Returns the legal moves, sorted, ignoring repetition.
    fn moves(&self) -> Vec<String> {
        let mut moves: Vec<String> = match self {
            Position::Alcaxar(position) if position.immediate_win().is_some() => Vec::new(),
            Position::Alcaxar(position) => position.moves().into_iter().collect(),
            Position::Quoridor(position) => position.status().legal_moves,
            Position::QuoridorForFour(position) => position.status().legal_moves,
            Position::Alquerque(state, rules) => {
                state.turns(rules).into_iter().map(|(text, _)| text).collect()
            }
            Position::Bushka(board) => {
                board.legal_moves().into_iter().map(|turn| turn.text).collect()
            }
            Position::Roses(position) => {
                position.moves().into_iter().map(|(text, _)| text).collect()
            }
        };
        moves.sort();
        moves
    }

    /// Makes a legal move.
    fn play(&mut self, text: &str) {
        match self {
            Position::Alcaxar(position) => position.play(text),
            Position::Quoridor(position) => position.play(text),
            Position::QuoridorForFour(position) => position.play(text),
            Position::Alquerque(state, rules) => {
                let mut turns = state.turns(rules).into_iter();
                *state = turns.find(|(turn, _)| turn == text).unwrap().1;
            }
            Position::Bushka(board) => {
                let mut turns = board.legal_moves().into_iter();
                *board = board.play(&turns.find(|turn| turn.text == text).unwrap());
            }
            Position::Roses(position) => {
                let mut moves = position.moves().into_iter();
                *position = moves.find(|(mv, _)| mv == text).unwrap().1;
            }
        }
    }

    /// Returns the outcome without repetition.
    fn outcome(&self) -> String {
        match self {
            Position::Alcaxar(position) => {
                position.immediate_win().unwrap_or_else(|| "ongoing".into())
            }
            Position::Alquerque(state, rules) => {
                let has_turns = !state.turns(rules).is_empty();
                state.outcome(rules, has_turns, &[String::new()])
            }
            Position::Bushka(board) => board.outcome(),
            Position::Quoridor(position) => position.status().outcome,
            Position::QuoridorForFour(position) => position.status().outcome,
            Position::Roses(position) => position.outcome(),
        }
    }

    /// Returns whether it is the turn of the first side.
    fn is_first_to_move(&self) -> bool {
        match self {
            Position::Alcaxar(position) => position.side == 0,
            Position::Alquerque(state, _) => state.side == 'o',
            Position::Bushka(board) => board.side == 'w',
            Position::Quoridor(position) => position.side == 0,
            Position::QuoridorForFour(position) if position.teams => position.player % 2 == 0,
            Position::QuoridorForFour(position) => position.player == 0,
            Position::Roses(position) => position.white_to_move,
        }
    }
}

impl Game {
    fn new(options: &Options, fen: &str) -> Game {
        let position = read_position(options, fen);
        let draws_by_repetition = match &position {
            Position::Alcaxar(_) => false,
            Position::Alquerque(_, rules) if rules.win == "repetition" => true,
            Position::Bushka(_) => true,
            Position::Roses(_) if option(options, "Roses_Repetition", "true") == "true" => true,
            _ => is_on(options, "RepetitionDraw"),
        };
        Game { history: vec![position.repetition_key()], position, draws_by_repetition }
    }

    fn outcome(&self) -> String {
        let outcome = self.position.outcome();
        if outcome != "ongoing" || !self.is_third_occurrence() {
            return outcome;
        }
        match &self.position {
            Position::Alcaxar(position) => position.stalemate_outcome(),
            _ if self.draws_by_repetition => "draw repetition".into(),
            _ => outcome,
        }
    }

    fn is_third_occurrence(&self) -> bool {
        let now = &self.history[self.history.len() - 1];
        self.history.iter().filter(|earlier| *earlier == now).count() >= 3
    }

    fn moves(&self) -> Vec<String> {
        if self.outcome() == "ongoing" { self.position.moves() } else { Vec::new() }
    }

    fn play(&mut self, text: &str) {
        self.position.play(text);
        self.history.push(self.position.repetition_key());
    }

    fn perft(&self, depth: u32) -> u64 {
        let moves = self.moves();
        if depth == 1 {
            return moves.len() as u64;
        }
        let mut leaves = 0;
        for mv in moves {
            let mut after = self.clone();
            after.play(&mv);
            leaves += after.perft(depth - 1);
        }
        leaves
    }
}

/// Executes the lines of the standard input, up to `quit`.
pub fn run() {
    let mut options = Options::new();
    let mut game = Game::new(&options, &start_fen(&options));
    for line in io::stdin().lock().lines() {
        let line = line.unwrap();
        let words: Vec<&str> = line.split_whitespace().collect();
        let response = match &words[..] {
            ["ugi"] => {
                let names = OPTION_NAMES.map(|name| format!("option name {name} type string\n"));
                format!("id name slow rules\n{}ugiok", names.concat())
            }
            ["isready"] => "readyok".into(),
            ["setoption", "name", _, "value", "?"] => "info string error: unknown value".into(),
            ["setoption", "name", name, "value", value] => {
                options.insert(name.to_string(), value.to_string());
                game = Game::new(&options, &start_fen(&options));
                continue;
            }
            ["position", words @ ..] => match set_up(&options, words) {
                Ok(new) => {
                    game = new;
                    continue;
                }
                Err(mv) => format!("info string error: {mv} is illegal"),
            },
            ["query", "fen"] => format!("response {}", game.position.fen()),
            ["query", "moves"] => {
                let moves = game.moves();
                let none = if moves.is_empty() { "none" } else { "" };
                format!("response {none}{}", moves.join(" "))
            }
            ["query", "islegal", mv] => {
                let is_legal = game.moves().iter().any(|legal| legal.eq_ignore_ascii_case(mv));
                format!("response {is_legal}")
            }
            ["query", "outcome"] => format!("response {}", game.outcome()),
            ["query", "p1turn"] => format!("response {}", game.position.is_first_to_move()),
            ["perft", depth] => {
                let root = Game { history: vec![game.position.repetition_key()], ..game.clone() };
                format!("Nodes: {}", root.perft(depth.parse().unwrap()))
            }
            ["quit"] => return,
            _ => continue,
        };
        println!("{response}");
        io::stdout().flush().unwrap();
    }
}

/// Returns the game of a `position` command, or the illegal move.
fn set_up(options: &Options, words: &[&str]) -> Result<Game, String> {
    let moves = words.iter().position(|word| *word == "moves").unwrap_or(words.len());
    let fen = match words[0] {
        "fen" => words[1..moves].join(" "),
        _ => start_fen(options),
    };
    let mut game = Game::new(options, &fen);
    for mv in words.iter().skip(moves + 1) {
        if !game.moves().iter().any(|legal| legal == mv) {
            return Err(mv.to_string());
        }
        game.play(mv);
    }
    Ok(game)
}
