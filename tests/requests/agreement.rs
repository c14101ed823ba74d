//! The line protocol and requests in JSON must report the same about the same position.

use std::fmt::Write;

use fastrand::Rng;
use pentarch::protocol::ugi::parse::parse_input_line;
use pentarch_core::{GameHistory, Options};
use pentarch_engine::games::GAME_OPTION;
use pentarch_games::{Game, GameOperation};
use serde_json::{Value, json};

use super::answers::{clicks_of, moves_made};
use super::schema::{RequestEngine, request};
use crate::client::{program, run};
use crate::common::fuzz::ugi;
use crate::common::*;

/// The line protocol and the request engine for the same game.
struct BothInterfaces {
    lines: ugi::CommandRunner,
    requests: RequestEngine,
    options: Options,
}

/// Checks that the numbers after a move are those of the position after the move.
fn assert_differences(with_move: &Value, counts_after: &Value) {
    let counts = with_move["counts"].as_array().unwrap();
    let counts_after = counts_after.as_array().unwrap();
    assert_eq!(counts.len(), counts_after.len());
    for (count, after) in counts.iter().zip(counts_after) {
        let values = after["value"].as_i64().zip(count["value"].as_i64());
        let added = values.map(|(after, before)| after - before);
        let expected = json!({ "value": after["value"], "sites": after["sites"], "added": added });
        assert_eq!((&count["label"], &count["after"]), (&after["label"], &expected), "{with_move}");
    }
}

impl BothInterfaces {
    /// Returns the answer to a line as one string. If the line is rejected, returns the error.
    fn line(&mut self, line: &str) -> Result<String, String> {
        let command = parse_input_line(&Ok(line.into()))
            .map_err(|error| error.to_string())?
            .expect("a command");
        self.lines.execute(command).map(|lines| lines.join("\n"))
    }

    /// Returns the answer to a query.
    fn query(&mut self, what: &str) -> String {
        let answer =
            self.line(&format!("query {what}")).unwrap_or_else(|error| panic!("{what}: {error}"));
        answer.strip_prefix("response ").unwrap().into()
    }

    /// Sets up a position in both interfaces. Returns the request fields that describe it.
    fn set_up(&mut self, fen: Option<&str>, moves: &[String]) -> Value {
        let mut line = fen.map_or("position startpos".into(), |fen| format!("position fen {fen}"));
        write!(line, " moves {}", moves.join(" ")).unwrap();
        assert_eq!(self.line(&line).as_deref(), Ok(""), "{line}");
        json!({ "fen": fen, "moves": moves })
    }

    /// Returns the answer to a request about this position as a line of output. If the request is
    /// rejected, returns the message.
    fn ask<G: Game>(&mut self, place: &Value, members: Value) -> Result<String, String> {
        let mut asked = request::<G>(&self.options, place.clone());
        super::schema::extend(&mut asked, members);
        let (kind, answer) = self.requests.ask(&asked, 1);
        match kind {
            "response" => Ok(answer.to_string()),
            _ => Err(answer["error"]["message"].as_str().unwrap().into()),
        }
    }

    /// Checks that both interfaces report the same about this position.
    fn compare<G: Game>(&mut self, place: &Value, history: &GameHistory<G>, rng: &mut Rng) {
        let legal = legal_move_strings(history);
        let mv = rng.choice(&legal).cloned();
        let clicks = mv.as_ref().map_or(Vec::new(), |mv| clicks_of(history, mv));
        let clicks = clicks[..rng.usize(..=clicks.len())].to_vec();
        let simple = json!({ "ask": ["board", "scene", "clicks", "counts", "rules", "status", "moves", "record", "diagram"], "clicks": clicks });
        let answer = self.ask::<G>(place, simple).unwrap();
        let queries = [
            ("board", "board".to_string()),
            ("scene", "scene".into()),
            ("clicks", format!("clicks {}", clicks.join(" "))),
            ("counts", "counts".into()),
            ("rules", "rules".into()),
            ("diagram", "diagram".into()),
        ];
        if let Some(mv) = &mv {
            let details = self.ask::<G>(place, json!({ "ask": "details", "move": mv })).unwrap();
            let member = format!("\"details\":{},", self.query(&format!("details {mv}")));
            assert!(details.contains(&member), "{details}\n{member}");
            let mut there = place.clone();
            there["moves"].as_array_mut().unwrap().push(json!(mv));
            let with_move = self.ask::<G>(place, json!({ "ask": "counts", "move": mv })).unwrap();
            let member = format!("\"counts\":{}", self.query(&format!("counts {mv}")));
            assert!(with_move.contains(&member), "{with_move}\n{member}");
            let asked = json!({ "ask": ["scene", "status", "clicks", "counts"] });
            let mut after: Value =
                serde_json::from_str(&self.ask::<G>(&there, asked).unwrap()).unwrap();
            assert_differences(&serde_json::from_str(&with_move).unwrap(), &after["counts"]);
            let details: Value = serde_json::from_str(&details).unwrap();
            let expected = json!({
                "details": details["details"], "scene": after["scene"].take(), "status": after["status"].take(),
                "clicks": after["clicks"].take(),
            });
            let all = clicks_of(history, mv);
            for (asked, expected) in [
                (json!({ "ask": "successor", "move": mv }), &expected),
                (json!({ "ask": ["clicks", "successor"], "clicks": all }), &expected),
                (json!({ "ask": "successor" }), &Value::Null),
            ] {
                let answer: Value =
                    serde_json::from_str(&self.ask::<G>(place, asked).unwrap()).unwrap();
                assert_eq!(&answer["successor"], expected, "{mv}");
            }
        }
        for (word, query) in queries {
            let member = format!("\"{word}\":{}", self.query(&query));
            assert!(answer.contains(&member), "{answer}\n{member}");
        }
        self.compare_texts(&answer);
        // These moves are legal in no position or only in another one. The same moves in careless
        // notation are also tested.
        for text in ["a1", "e3h", "b5c6"]
            .into_iter()
            .map(String::from)
            .chain(mv.map(|mv| mv.to_uppercase()))
        {
            self.compare_legality::<G>(place, &text);
        }
    }

    /// Checks the parts of an answer that the line protocol reports as text.
    fn compare_texts(&mut self, answer: &str) {
        let answer: Value = serde_json::from_str(answer).unwrap();
        let status = &answer["status"];
        assert_eq!(
            (answer["fen"].as_str(), answer["game"].as_str()),
            (Some(&*self.query("fen")), Some(&*self.query("game")))
        );
        assert_eq!(status["outcome"], self.query("outcome"));
        assert_eq!(status["turn"].as_str().unwrap_or("none"), self.query("turn"));
        assert_eq!(status["turn"].is_null().to_string(), self.query("gameover"));
        assert_eq!(status["sentence"], answer["scene"]["sentence"]);
        let words: Vec<&str> =
            answer["moves"].as_array().unwrap().iter().map(|mv| mv.as_str().unwrap()).collect();
        let moves = if words.is_empty() { "none".into() } else { words.join(" ") };
        assert_eq!(moves, self.query("moves"));
        assert_eq!(
            format!("legal {}: {}", words.len(), words.join(" ")).trim_end(),
            self.line("legal").unwrap()
        );
        let record = answer["record"].as_str().unwrap();
        let lines: Vec<&str> = record.lines().filter(|line| !line.is_empty()).collect();
        assert_eq!(lines.join("\n"), self.line("record").unwrap());
    }

    /// Checks that both interfaces agree on whether a move is legal.
    fn compare_legality<G: Game>(&mut self, place: &Value, text: &str) {
        let answer = self.ask::<G>(place, json!({ "ask": "legal", "move": text })).unwrap();
        let answer: Value = serde_json::from_str(&answer).unwrap();
        let legal = &answer["legal"];
        let why = legal["why"].as_str().unwrap_or_default();
        let expected = match legal["move"].as_str() {
            Some(canonical) => format!("legal {canonical}"),
            None => format!("illegal {text}: {why}"),
        };
        match self.line(&format!("legal {text}")) {
            Ok(line) => assert_eq!(line, expected),
            // In this command, a text that is not a move is an error.
            Err(error) => {
                assert!(legal["rule"].is_null() && ends_alike(&error, why), "{error}\n{why}")
            }
        }
    }

    /// Checks an ending by the players. Both interfaces must accept or reject it, and report the
    /// same afterwards.
    fn compare_end<G: Game>(&mut self, place: &Value, line: &str, end: Value) {
        let asked = json!({ "ask": ["scene", "status", "moves", "record"], "end": end });
        match (self.line(line), self.ask::<G>(place, asked)) {
            (Ok(_), Ok(answer)) => {
                assert!(
                    answer.contains(&format!("\"scene\":{},", self.query("scene"))),
                    "{answer}"
                );
                self.compare_texts(&answer);
                self.line("undo").unwrap();
            }
            (Err(error), Err(message)) => {
                assert!(ends_alike(&error, &message), "{error}\n{message}")
            }
            (line, request) => panic!("{line:?} but {request:?}"),
        }
    }
}

/// Returns whether two messages are the same, apart from the column or field in front of them.
fn ends_alike(one: &str, other: &str) -> bool {
    let last = |text: &str| text.rsplit(": ").next().unwrap_or_default().to_string();
    last(one) == last(other)
}

/// Random games of every kind under several rule sets. They begin at the start position or at later
/// positions.
#[test]
fn requests_agree_with_the_line_protocol() {
    #[derive(Clone)]
    struct Check;
    impl GameOperation for Check {
        type Output = ();
        fn run_for_game_type<G: Game>(self) {
            let mut rng = Rng::with_seed(12);
            for mut options in option_sets::<G>(3) {
                options.set(&GAME_OPTION, G::GAME_ID).unwrap();
                let lines = ugi::CommandRunner::new(ugi::low_cost_options(options.clone()));
                let rules = std::sync::Arc::new(G::from_options(&options));
                let mut both = BothInterfaces { lines, requests: RequestEngine::new(), options };
                let mut positions = Vec::new();
                random_game(new_history(&rules), &mut rng, 90, |history| {
                    if history.len() % 60 == 0 || history.outcome().is_some() {
                        positions.push(history.clone());
                    }
                });
                for history in &positions {
                    let place = both.set_up(None, &moves_made(history));
                    both.compare(&place, history, &mut rng);
                    for side in G::SIDE_NAMES {
                        both.compare_end::<G>(
                            &place,
                            &format!("resign {side}"),
                            json!({ "resign": side }),
                        );
                        both.compare_end::<G>(
                            &place,
                            &format!("flag {side}"),
                            json!({ "flag": side }),
                        );
                    }
                    both.compare_end::<G>(&place, "agree", json!({ "agree": true }));
                }
                // This game goes from a middle position to the last one.
                let from = &positions[positions.len() / 2];
                let to = positions.last().unwrap();
                let fen = rules.position_text(from.position());
                let rest = &moves_made(to)[from.len()..];
                let mut line = GameHistory::new(rules.clone(), rules.parse_position(&fen).unwrap());
                for mv in rest {
                    match line.resolve_move(mv) {
                        Ok(mv) => line.push(mv),
                        // Repetitions before that position no longer count.
                        Err(_) => break,
                    }
                }
                let place = both.set_up(Some(&fen), &moves_made(&line));
                both.compare(&place, &line, &mut rng);
            }
        }
    }
    for_each_rules(Check);
}

/// With a seed, a level repeats its game: by requests in slices of any size, and by the line
/// protocol. Another seed leads to another game.
#[test]
fn level_with_a_seed_repeats_its_game() {
    #[derive(Clone)]
    struct Check;
    impl GameOperation for Check {
        type Output = ();
        fn run_for_game_type<G: Game>(self) {
            let options = default_options::<G>();
            let mut engine = RequestEngine::new();
            let mut game = |seed: u32, slice: u64| {
                let mut moves: Vec<String> = Vec::new();
                for _ in 0..8 {
                    let asked =
                        json!({ "ask": "play", "level": "learner", "seed": seed, "moves": moves });
                    let (_, answer) = engine.ask(&request::<G>(&options, asked), slice);
                    moves.extend(answer["play"]["move"].as_str().map(String::from));
                }
                moves
            };
            let moves = game(7, u64::MAX);
            assert_eq!(game(7, 40), moves, "{}", G::GAME_ID);
            assert!((8..12).any(|seed| game(seed, u64::MAX) != moves), "{}", G::GAME_ID);
            let mut lines =
                "setoption name Level value learner\nsetoption name Seed value 7\n".to_string();
            for ply in 0..moves.len() {
                let made = moves[..ply].join(" ");
                writeln!(lines, "position startpos moves {made}\ngo nodes 1000000").unwrap();
            }
            let (out, ..) = run(program(["--game", G::GAME_ID]), &lines);
            let played: Vec<&str> =
                out.lines().filter_map(|line| line.strip_prefix("bestmove ")).collect();
            assert_eq!(played, moves, "{}", G::GAME_ID);
        }
    }
    for_each_game(Check);
}
