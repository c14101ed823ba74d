//! Fuzzing: good input of every kind, spoilt by chance, and what must hold whatever comes in.
//!
//! | module | what it holds |
//! |---|---|
//! | [`mutation`] | how good texts are spoilt |
//! | [`texts`] | what must hold of positions and moves |
//! | [`ugi`], [`gtp`] | of sessions |
//! | [`files`] | of files |
//! | [`runner`] | much of it on several threads |
//! | [`targets`] | what each target of `tests/fuzz` does with an input |

pub mod files;
pub mod gtp;
pub mod mutation;
pub mod runner;
pub mod targets;
pub mod texts;
pub mod ugi;

use std::path::Path;
use std::sync::{Arc, OnceLock};

use fastrand::Rng;
use pentarch_core::{GameHistory, OptionKind, OptionSpec, Options};
use pentarch_engine::options as engine_options;
use pentarch_games::{Game, GameId, GameVisitor};

use super::{cases, move_texts, new_history, option_sets, random_game, rules};
use mutation::{spoil_bytes, spoilt_line, spoilt_text, with_a_character_changed};

/// How many rule sets of each game are chosen at random, beside each option at each value.
const RULE_SETS: usize = 30;

/// The options that choose a game and one of its rule sets for so many players.
fn rule_sets<G: Game>() -> Vec<Options> {
    let mut sets = option_sets::<G>(RULE_SETS);
    sets.iter_mut().for_each(|options| options.set(&pentarch_games::GAME, G::ID).unwrap());
    sets
}

/// A game under one of its rule sets, chosen by the first two bytes, and the rest of them.
pub fn chosen(bytes: &[u8]) -> Option<(GameId, Options, &[u8])> {
    struct Combinations;
    impl GameVisitor for Combinations {
        type Output = Vec<Options>;
        fn visit<G: Game>(self) -> Vec<Options> {
            rule_sets::<G>()
        }
    }
    static SETS: OnceLock<Vec<Vec<Options>>> = OnceLock::new();
    let [game, rules, rest @ ..] = bytes else { return None };
    let all = SETS.get_or_init(|| GameId::ALL.iter().map(|id| id.visit(Combinations)).collect());
    let game = usize::from(*game) % all.len();
    let rules = usize::from(*rules) % all[game].len();
    Some((GameId::ALL[game], all[game][rules].clone(), rest))
}

/// Good texts, and bad ones that are nearly good: what the fixtures hold, and at least the start of each game.
pub struct Corpus {
    /// Lines of sessions.
    ugi: Vec<String>,
    gtp: Vec<String>,
    /// Texts of all rules, in the order of [`GameId::ALL`].
    games: Vec<GameCorpus>,
}

struct GameCorpus {
    options: Vec<Options>,
    positions: Vec<String>,
    moves: Vec<String>,
    /// All words of these, and those of lines of sessions.
    words: Vec<String>,
}

impl Corpus {
    /// Reads the fixtures.
    pub fn read() -> Corpus {
        #[derive(Clone)]
        struct Read<'a>(&'a [String]);
        impl GameVisitor for Read<'_> {
            type Output = GameCorpus;
            fn visit<G: Game>(self) -> GameCorpus {
                let texts = |ending: &str| {
                    cases::<G>(ending).into_iter().map(|case| first_half(&case.text))
                };
                let fens = cases::<G>("moves.ok").into_iter().map(|case| case.fen);
                let start = new_history(&rules::<G>(&[]));
                let start_text = [start.rules().position_text(start.position())];
                let positions: Vec<String> = texts("positions.ok")
                    .chain(texts("positions.bad"))
                    .chain(fens)
                    .chain(start_text)
                    .collect();
                let moves: Vec<String> =
                    texts("moves.ok").chain(texts("moves.bad")).chain(move_texts(&start)).collect();
                let options =
                    GameId::OPTIONS.iter().flat_map(|specs| specs.iter()).flat_map(|spec| {
                        let values = match spec.kind {
                            OptionKind::Combo { values, .. } => values.to_vec(),
                            _ => Vec::new(),
                        };
                        [spec.name].into_iter().chain(values).map(String::from)
                    });
                let texts = positions.iter().chain(&moves).chain(self.0);
                let words = texts.flat_map(|text| text.split_whitespace()).map(String::from);
                let mut words: Vec<String> = words.chain(options).collect();
                words.sort_unstable();
                words.dedup();
                GameCorpus { options: rule_sets::<G>(), positions, moves, words }
            }
        }
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
        let (ugi, gtp) = (sent_lines(&folder, "ugi"), sent_lines(&folder, "gtp"));
        let sent = [&ugi[..], &gtp[..]].concat();
        let games = GameId::ALL.iter().map(|id| id.visit(Read(&sent))).collect();
        Corpus { ugi, gtp, games }
    }
}

/// What stands before ` => `.
fn first_half(text: &str) -> String {
    text.split(" => ").next().unwrap_or_default().into()
}

/// The lines that the transcripts with this extension send.
fn sent_lines(folder: &Path, extension: &str) -> Vec<String> {
    let mut lines = Vec::new();
    let mut entries: Vec<_> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            lines.extend(sent_lines(&path, extension));
        } else if path.extension().is_some_and(|found| found == extension) {
            let text = std::fs::read_to_string(path).unwrap();
            lines.extend(text.lines().filter_map(|line| line.strip_prefix("> ")).map(String::from));
        }
    }
    lines
}

/// Checks one lot of spoilt input, which depends on the seed alone. Returns how many lines or texts it was.
pub fn round(corpus: &Corpus, seed: u64) -> usize {
    let mut rng = Rng::with_seed(seed);
    let at = rng.usize(..GameId::ALL.len());
    let options = rng.choice(&corpus.games[at].options).unwrap().clone();
    GameId::ALL[at].visit(Round { corpus, own: &corpus.games[at], options, rng })
}

/// What one lot is made from.
struct Round<'a> {
    corpus: &'a Corpus,
    own: &'a GameCorpus,
    options: Options,
    rng: Rng,
}

/// Lines or texts in a lot, but for files.
const LOT: usize = 300;

impl GameVisitor for Round<'_> {
    type Output = usize;

    fn visit<G: Game>(mut self) -> usize {
        let rules = Arc::new(G::from_options(&self.options));
        let mut history = new_history(&rules);
        let plies = self.rng.usize(..120);
        random_game(new_history(&rules), &mut self.rng, plies, |now| history = now.clone());
        match self.rng.u8(..10) {
            0..3 => self.texts(&history),
            3..7 => self.ugi(&history),
            // The rest is of games for two.
            _ if G::PLAYERS.len() > 2 => self.ugi(&history),
            7 | 8 => self.gtp(&history),
            _ => self.files(&history),
        }
    }
}

impl Round<'_> {
    /// Positions and moves.
    fn texts<G: Game>(&mut self, history: &GameHistory<G>) -> usize {
        let (rng, rules) = (&mut self.rng, history.rules());
        let fens = positions(history);
        let mut at = history.clone();
        for number in 0..LOT {
            let known =
                if rng.u8(..4) == 0 { rng.choice(&self.own.positions) } else { rng.choice(&fens) };
            let fen = spoilt(rng, known.unwrap(), &fens, &self.own.words);
            if let Some(position) = texts::position(rules, &fen) {
                at = GameHistory::new(rules.clone(), position);
            } else if number % 8 == 0 {
                at = history.clone();
            }
            let mut moves = Vec::new();
            at.legal_moves(&mut moves);
            let mv = match rng.choice(&moves) {
                Some(&mv) if rng.u8(..4) > 0 => rules.move_text(mv),
                _ => rng.choice(&self.own.moves).unwrap().clone(),
            };
            texts::a_move(&at, &mv);
            texts::a_move(&at, &spoilt(rng, &mv, &self.own.moves, &self.own.words));
        }
        3 * LOT
    }

    /// A session in UGI.
    fn ugi<G: Game>(&mut self, history: &GameHistory<G>) -> usize {
        let (fens, moves) = (positions(history), moves(history));
        let rng = &mut self.rng;
        let lines = (0..LOT).map(|_| {
            let at = rng.usize(..fens.len());
            let fen = &fens[at];
            let to = rng.usize(at..fens.len());
            let (rest, some) = (moves[at..to].join(" "), rng.choice(&self.own.moves).unwrap());
            let mv = moves.get(at).unwrap_or(some);
            let line = match rng.u8(..20) {
                0 => format!("position fen {}", rng.choice(&self.own.positions).unwrap()),
                1 => format!("position fen {fen}"),
                2 | 3 => format!("position fen {fen} moves {rest}"),
                4 | 5 => format!("position startpos moves {}", moves[..at].join(" ")),
                6 => format!("play {mv}"),
                7 => format!("play {rest}"),
                8 => format!("legal {mv}"),
                9 => format!("query islegal {some}"),
                10 => format!("go depth 1 searchmoves {mv}"),
                11 => format!("undo {}", rng.u8(..4)),
                12 | 13 => set_option(rng),
                _ => rng.choice(&self.corpus.ugi).unwrap().clone(),
            };
            finished(rng, line, &self.corpus.ugi, &self.own.words)
        });
        let lines: Vec<Vec<u8>> = lines.collect();
        ugi::session(&self.options, lines)
    }

    /// A session in GTP.
    fn gtp<G: Game>(&mut self, history: &GameHistory<G>) -> usize {
        let (fens, moves) = (positions(history), moves(history));
        let rng = &mut self.rng;
        // Whoever has no board refuses these points too.
        let size = history.rules().grid().map_or(9, |grid| grid.size);
        let lines = (0..LOT / 3).map(|_| {
            let at = rng.usize(..fens.len());
            let mv = moves.get(at).or(rng.choice(&self.own.moves)).unwrap();
            let colour = rng.choice(["b", "w", "black", "WHITE"]).unwrap();
            let line = match rng.u8(..16) {
                0 | 1 => format!("set_position {}", fens[at]),
                2 | 3 => format!("play_text {mv}"),
                4 => format!("play_text {colour} {mv}"),
                5..9 => {
                    let point = pentarch_core::Point::new(rng.u8(..size), rng.u8(..size));
                    format!("play {colour} {}", pentarch::protocol::gtp::text::vertex(point))
                }
                9 => format!("{} play {colour} pass", rng.u16(..)),
                10 => "undo".into(),
                _ => rng.choice(&self.corpus.gtp).unwrap().clone(),
            };
            finished(rng, line, &self.corpus.gtp, &self.own.words)
        });
        let lines: Vec<Vec<u8>> = lines.collect();
        gtp::session(&self.options, lines)
    }

    /// Files of one kind.
    fn files<G: Game>(&mut self, history: &GameHistory<G>) -> usize {
        let (fens, moves) = (positions(history), moves(history));
        let from = self.rng.usize(..fens.len());
        let record = files::good_record(&self.options, &fens[from], &moves[from..].join(" "));
        let words = &self.own.words;
        let rng = &mut self.rng;
        match rng.u8(..8) {
            0..3 => {
                let text =
                    format!("{record}\n\n{}\n", files::good_record(&self.options, &fens[0], ""));
                let text = if rng.bool() { text } else { record };
                repeat(rng, |rng| files::record(&self.options, &spoilt_text(rng, &text, words)))
            }
            3 => {
                let list = format!(
                    "# list\n{}\nstartpos moves {}\nfen {}\n",
                    fens[from],
                    moves[..from].join(" "),
                    fens[0]
                );
                repeat(rng, |rng| files::openings(&self.options, &spoilt_text(rng, &list, words)))
            }
            4 => {
                let set = self.options.clone();
                let specs = super::specs::<G>();
                let set = specs.iter().filter(|spec| set.value(spec) != spec.default_value());
                let option = |spec: &OptionSpec| {
                    format!("[Option \"{}={}\"]\n", spec.name, self.options.value(spec))
                };
                let head = format!(
                    "[Game \"{}\"]\n{}[Seed \"1\"]\n",
                    G::ID,
                    set.map(option).collect::<String>()
                );
                let scored: String =
                    moves.iter().take(3).map(|mv| format!("{mv} {{-0.12/3}} ")).collect();
                let text = format!(
                    "{head}[Number \"0\"]\n{} 1-0\n\n{head}[Number \"3\"]\n{scored}1/2-1/2\n\n",
                    moves.join(" ")
                );
                repeat(rng, |rng| files::tuner::<G>(&spoilt_text(rng, &text, words)))
            }
            5 => {
                let record = files::good_record(&self.options, &fens[0], &moves.join(" "));
                let text = files::good_archive(&self.options, &record);
                repeat(rng, |rng| files::archive(&self.options, &spoilt_text(rng, &text, words)))
            }
            6 => {
                let mut late = history.clone();
                let _: Vec<_> = (0..1 + rng.usize(..3)).map(|_| late.pop()).collect();
                let Some(text) = files::good_proof(&late) else { return 0 };
                files::proof(history.rules(), &text, true);
                repeat(rng, |rng| {
                    files::proof(history.rules(), &spoilt_text(rng, &text, words), false)
                })
            }
            _ => {
                let (table, book) = (files::good_table(), files::good_book(rng.u64(..50)));
                files::table(table);
                repeat(rng, |rng| {
                    let mut bytes = table.to_vec();
                    // The first lines are few, the values many.
                    if rng.bool() {
                        let line = String::from_utf8_lossy(&bytes[..80]).into_owned();
                        bytes.splice(..80, with_a_character_changed(rng, &line).into_bytes());
                    } else {
                        spoil_bytes(rng, &mut bytes);
                    }
                    files::table(&bytes);
                    let mut bytes = book.clone();
                    spoil_bytes(rng, &mut bytes);
                    files::read_book(&bytes);
                })
            }
        }
    }
}

/// Runs a check on files some times. Returns how many.
fn repeat(rng: &mut Rng, mut check: impl FnMut(&mut Rng)) -> usize {
    let times = LOT / 6;
    (0..times).for_each(|_| check(rng));
    times
}

/// The texts of all positions of a game.
fn positions<G: Game>(history: &GameHistory<G>) -> Vec<String> {
    let rules = history.rules();
    let mut replay = GameHistory::new(rules.clone(), *history.start());
    let mut texts = vec![rules.position_text(replay.position())];
    for mv in history.moves() {
        replay.push(mv);
        texts.push(rules.position_text(replay.position()));
    }
    texts
}

/// The texts of all its moves.
fn moves<G: Game>(history: &GameHistory<G>) -> Vec<String> {
    history.moves().map(|mv| history.rules().move_text(mv)).collect()
}

/// A line of a session: two in three are spoilt.
fn finished(rng: &mut Rng, line: String, others: &[String], words: &[String]) -> Vec<u8> {
    if rng.u8(..3) == 0 { line.into_bytes() } else { spoilt_line(rng, &line, others, words) }
}

/// A position or a move, spoilt.
fn spoilt(rng: &mut Rng, text: &str, others: &[String], words: &[String]) -> String {
    match rng.u8(..5) {
        0 => String::from_utf8_lossy(&spoilt_line(rng, text, others, words)).into_owned(),
        1 => {
            let once = with_a_character_changed(rng, text);
            with_a_character_changed(rng, &once)
        }
        _ => with_a_character_changed(rng, text),
    }
}

/// Sets any option, most often to a value that it takes; tables and threads stay small.
pub fn set_option(rng: &mut Rng) -> String {
    let specs: Vec<_> = engine_options::all().collect();
    let spec = *rng.choice(&specs).unwrap();
    if rng.u8(..5) == 0 {
        let value = rng
            .choice(["", "x", "-1", "65537", "true", "9999999999999999999", "no such directory"])
            .unwrap();
        return format!("setoption name {} value {value}", spec.name);
    }
    let value = match spec.kind {
        OptionKind::Check { .. } => rng.bool().to_string(),
        OptionKind::Spin { min, .. }
            if [engine_options::HASH.spec, engine_options::THREADS.spec].contains(spec) =>
        {
            rng.i64(min..=4).to_string()
        }
        OptionKind::Spin { min, max, .. } => rng.i64(min..=max).to_string(),
        OptionKind::Combo { values, .. } => rng.choice(values).unwrap().to_string(),
        OptionKind::Text => String::new(),
        OptionKind::Button => return format!("setoption name {}", spec.name),
    };
    format!("setoption name {} value {value}", spec.name)
}
