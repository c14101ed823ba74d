//! Fuzzing. It uses valid input of every kind, random mutations of it, and checks that must hold
//! for any input.
//!
//! | module | content |
//! |---|---|
//! | [`mutation`] | random mutations of valid input |
//! | [`notation`] | checks of positions and moves |
//! | [`ugi`], [`gtp`] | checks of sessions |
//! | [`requests`] | checks of requests in JSON |
//! | `frames` | checks of the frames of a WebSocket |
//! | [`engine_lines`] | checks of the lines of a foreign engine |
//! | [`files`] | checks of files |
//! | [`sealed`] | checks of files with correct checksums |
//! | [`runner`] | runs batches of checks on several threads |
//! | [`targets`] | the fuzz targets of `tests/fuzz` |

pub(crate) mod engine_lines;
pub(crate) mod files;
#[cfg(feature = "serve")]
pub(crate) mod frames;
pub(crate) mod gtp;
pub(crate) mod mutation;
pub(crate) mod notation;
pub(crate) mod requests;
pub(crate) mod runner;
pub(crate) mod sealed;
pub(crate) mod targets;
pub(crate) mod ugi;

use std::path::Path;
use std::sync::{Arc, OnceLock};

use fastrand::Rng;
use pentarch_core::{GameHistory, OptionKind, Options};
use pentarch_engine::engine_options;
use pentarch_engine::games::all_games;
use pentarch_games::{BuiltinRules, Game, GameOperation};

use super::{cases, legal_move_strings, new_history, option_sets, random_game, rules};
use mutation::{change_character, mutate_bytes, mutated_line, mutated_text};

/// The number of random rule sets of each game. They are tested in addition to rule sets with each
/// value of each option.
const RULE_SETS: usize = 30;

/// Returns options for a game and its rule sets. The rules are for the number of players of `G`.
fn rule_sets<G: Game>() -> Vec<Options> {
    let mut sets = option_sets::<G>(RULE_SETS);
    sets.iter_mut()
        .for_each(|options| options.set(&pentarch_engine::games::GAME_OPTION, G::GAME_ID).unwrap());
    sets
}

/// Chooses a game and a rule set. The first two bytes determine them. Returns them with the
/// remaining bytes.
pub(crate) fn choose_rules(bytes: &[u8]) -> Option<(BuiltinRules, Options, &[u8])> {
    struct Combinations;
    impl GameOperation for Combinations {
        type Output = Vec<Options>;
        fn run_for_game_type<G: Game>(self) -> Vec<Options> {
            rule_sets::<G>()
        }
    }
    static SETS: OnceLock<Vec<Vec<Options>>> = OnceLock::new();
    let [game, rules, rest @ ..] = bytes else { return None };
    let all = SETS.get_or_init(|| {
        BuiltinRules::ALL_RULES.iter().map(|id| id.run_operation(Combinations)).collect()
    });
    let game = usize::from(*game) % all.len();
    let rules = usize::from(*rules) % all[game].len();
    Some((BuiltinRules::ALL_RULES[game], all[game][rules].clone(), rest))
}

/// Valid and nearly valid input. It comes from the fixtures, and contains at least the start of
/// each game.
pub(crate) struct Corpus {
    /// Lines of UGI sessions.
    ugi: Vec<String>,
    gtp: Vec<String>,
    /// Input for each game, in the order of [`BuiltinRules::ALL_RULES`].
    games: Vec<GameCorpus>,
}

struct GameCorpus {
    options: Vec<Options>,
    positions: Vec<String>,
    moves: Vec<String>,
    /// Words of the positions, the moves and the lines of sessions.
    words: Vec<String>,
}

impl Corpus {
    /// Reads the fixtures.
    pub(crate) fn read() -> Corpus {
        #[derive(Clone)]
        struct Read<'a>(&'a [String]);
        impl GameOperation for Read<'_> {
            type Output = GameCorpus;
            fn run_for_game_type<G: Game>(self) -> GameCorpus {
                let texts = |ending: &str| {
                    cases::<G>(ending).into_iter().map(|case| before_arrow(&case.text))
                };
                let fens = cases::<G>("moves.ok").into_iter().map(|case| case.fen);
                let start = new_history(&rules::<G>(&[]));
                let start_text = [start.rules().position_text(start.position())];
                let positions: Vec<String> = texts("positions.ok")
                    .chain(texts("positions.bad"))
                    .chain(fens)
                    .chain(start_text)
                    .collect();
                let moves: Vec<String> = texts("moves.ok")
                    .chain(texts("moves.bad"))
                    .chain(legal_move_strings(&start))
                    .collect();
                let options = all_games().iter().flat_map(|game| game.options).flat_map(|spec| {
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
        let ugi = sent_lines(&folder, "ugi");
        let gtp = sent_lines(&folder, "gtp");
        let sent = [&ugi[..], &gtp[..]].concat();
        let games =
            BuiltinRules::ALL_RULES.iter().map(|id| id.run_operation(Read(&sent))).collect();
        Corpus { ugi, gtp, games }
    }
}

/// Returns the part before ` => `.
fn before_arrow(text: &str) -> String {
    text.split(" => ").next().unwrap_or_default().into()
}

/// Returns the lines that the transcripts with this extension send.
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

/// Checks one batch of mutated input. The batch depends only on the seed. Returns the number of
/// lines or strings in it.
pub(crate) fn check_batch(corpus: &Corpus, seed: u64) -> usize {
    let mut rng = Rng::with_seed(seed);
    let at = rng.usize(..BuiltinRules::ALL_RULES.len());
    let options = rng.choice(&corpus.games[at].options).unwrap().clone();
    BuiltinRules::ALL_RULES[at].run_operation(BatchSource {
        corpus,
        game: &corpus.games[at],
        options,
        rng,
    })
}

/// The source of the input for one batch.
struct BatchSource<'a> {
    corpus: &'a Corpus,
    game: &'a GameCorpus,
    options: Options,
    rng: Rng,
}

/// The number of lines or strings in a batch, except for files.
const BATCH_SIZE: usize = 300;

impl GameOperation for BatchSource<'_> {
    type Output = usize;

    fn run_for_game_type<G: Game>(mut self) -> usize {
        let rules = Arc::new(G::from_options(&self.options));
        let mut history = new_history(&rules);
        let plies = self.rng.usize(..120);
        random_game(new_history(&rules), &mut self.rng, plies, |now| history = now.clone());
        match self.rng.u8(..10) {
            0..3 => self.check_notation(&history),
            3..7 => self.check_ugi(&history),
            // The other kinds of input exist only for two players.
            _ if G::PLAYER_NAMES.len() > 2 => self.check_ugi(&history),
            7 | 8 => self.check_gtp(&history),
            _ => self.check_files(&history),
        }
    }
}

impl BatchSource<'_> {
    /// Checks mutated positions and moves.
    fn check_notation<G: Game>(&mut self, history: &GameHistory<G>) -> usize {
        let rng = &mut self.rng;
        let rules = history.rules();
        let fens = positions(history);
        let mut at = history.clone();
        for number in 0..BATCH_SIZE {
            let known =
                if rng.u8(..4) == 0 { rng.choice(&self.game.positions) } else { rng.choice(&fens) };
            let fen = mutated(rng, known.unwrap(), &fens, &self.game.words);
            if let Some(position) = notation::check_position(rules, &fen) {
                at = GameHistory::new(rules.clone(), position);
            } else if number % 8 == 0 {
                at = history.clone();
            }
            let mut moves = Vec::new();
            at.legal_moves(&mut moves);
            let mv = match rng.choice(&moves) {
                Some(&mv) if rng.u8(..4) > 0 => rules.move_text(mv),
                _ => rng.choice(&self.game.moves).unwrap().clone(),
            };
            notation::check_move(&at, &mv);
            notation::check_move(&at, &mutated(rng, &mv, &self.game.moves, &self.game.words));
        }
        3 * BATCH_SIZE
    }

    /// Checks a session in UGI.
    fn check_ugi<G: Game>(&mut self, history: &GameHistory<G>) -> usize {
        let fens = positions(history);
        let moves = moves(history);
        let rng = &mut self.rng;
        let lines = (0..BATCH_SIZE).map(|_| {
            let at = rng.usize(..fens.len());
            let fen = &fens[at];
            let to = rng.usize(at..fens.len());
            let rest = moves[at..to].join(" ");
            let some = rng.choice(&self.game.moves).unwrap();
            let mv = moves.get(at).unwrap_or(some);
            let line = match rng.u8(..20) {
                0 => format!("position fen {}", rng.choice(&self.game.positions).unwrap()),
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
            maybe_mutated(rng, line, &self.corpus.ugi, &self.game.words)
        });
        let lines: Vec<Vec<u8>> = lines.collect();
        ugi::check_session(&self.options, lines)
    }

    /// Checks a session in GTP.
    fn check_gtp<G: Game>(&mut self, history: &GameHistory<G>) -> usize {
        let fens = positions(history);
        let moves = moves(history);
        let rng = &mut self.rng;
        // If a game has no Go board, it must also reject these points.
        let size = history.rules().go_board_shape().map_or(9, |grid| grid.size);
        let lines = (0..BATCH_SIZE / 3).map(|_| {
            let at = rng.usize(..fens.len());
            let mv = moves.get(at).or(rng.choice(&self.game.moves)).unwrap();
            let colour = rng.choice(["b", "w", "black", "WHITE"]).unwrap();
            let line = match rng.u8(..16) {
                0 | 1 => format!("set_position {}", fens[at]),
                2 | 3 => format!("play_text {mv}"),
                4 => format!("play_text {colour} {mv}"),
                5..9 => {
                    let point = pentarch_core::Point::new(rng.u8(..size), rng.u8(..size));
                    format!("play {colour} {}", pentarch::protocol::gtp::text::vertex_name(point))
                }
                9 => format!("{} play {colour} pass", rng.u16(..)),
                10 => "undo".into(),
                _ => rng.choice(&self.corpus.gtp).unwrap().clone(),
            };
            maybe_mutated(rng, line, &self.corpus.gtp, &self.game.words)
        });
        let lines: Vec<Vec<u8>> = lines.collect();
        gtp::check_session(&self.options, lines)
    }

    /// Checks files of one kind.
    fn check_files<G: Game>(&mut self, history: &GameHistory<G>) -> usize {
        let fens = positions(history);
        let moves = moves(history);
        let from = self.rng.usize(..fens.len());
        let record = files::valid_record(&self.options, &fens[from], &moves[from..].join(" "));
        let words = &self.game.words;
        let rng = &mut self.rng;
        match rng.u8(..8) {
            0..3 => {
                let text =
                    format!("{record}\n\n{}\n", files::valid_record(&self.options, &fens[0], ""));
                let text = if rng.bool() { text } else { record };
                repeat(rng, |rng| {
                    files::check_record(&self.options, &mutated_text(rng, &text, words))
                })
            }
            3 => {
                let list = format!(
                    "# list\n{}\nstartpos moves {}\nfen {}\n",
                    fens[from],
                    moves[..from].join(" "),
                    fens[0]
                );
                repeat(rng, |rng| {
                    files::check_openings(&self.options, &mutated_text(rng, &list, words))
                })
            }
            4 => {
                let text = selfplay_games::<G>(&self.options, &moves);
                repeat(rng, |rng| {
                    files::check_selfplay_games::<G>(&mutated_text(rng, &text, words))
                })
            }
            5 => {
                let record = files::valid_record(&self.options, &fens[0], &moves.join(" "));
                let text = files::valid_match_file(&self.options, &record);
                repeat(rng, |rng| {
                    files::check_match_file(&self.options, &mutated_text(rng, &text, words))
                })
            }
            6 => {
                let mut late = history.clone();
                let _: Vec<_> = (0..1 + rng.usize(..3)).map(|_| late.pop()).collect();
                let Some(text) = files::valid_proof(&late) else { return 0 };
                files::check_proof(history.rules(), &text, true);
                repeat(rng, |rng| {
                    files::check_proof(history.rules(), &mutated_text(rng, &text, words), false)
                })
            }
            _ => check_tables_and_books(rng),
        }
    }
}

/// Returns a file of two self-play games. One game has these moves. The other has the first three
/// moves with their scores.
fn selfplay_games<G: Game>(options: &Options, moves: &[String]) -> String {
    let mut head = format!("[Game \"{}\"]\n", G::GAME_ID);
    for spec in super::option_specs::<G>() {
        if options.value(&spec) != spec.default_value() {
            head += &format!("[Option \"{}={}\"]\n", spec.name, options.value(&spec));
        }
    }
    head += "[Seed \"1\"]\n";
    let scored: String = moves.iter().take(3).map(|mv| format!("{mv} {{-0.12/3}} ")).collect();
    format!(
        "{head}[Number \"0\"]\n{} 1-0\n\n{head}[Number \"3\"]\n{scored}1/2-1/2\n\n",
        moves.join(" ")
    )
}

/// Checks mutated table files and books. Returns the number of runs.
fn check_tables_and_books(rng: &mut Rng) -> usize {
    let table = files::valid_table();
    let book = files::valid_book(rng.u64(..50));
    files::check_table(table);
    repeat(rng, |rng| {
        let mut bytes = table.to_vec();
        // The header lines are a small part of the file, so half of the mutations are there.
        if rng.bool() {
            let line = String::from_utf8_lossy(&bytes[..80]).into_owned();
            bytes.splice(..80, change_character(rng, &line).into_bytes());
        } else {
            mutate_bytes(rng, &mut bytes);
        }
        files::check_table(&bytes);
        let mut bytes = book.clone();
        mutate_bytes(rng, &mut bytes);
        files::check_book(&bytes);
    })
}

/// Runs a check of files several times. Returns the number of runs.
fn repeat(rng: &mut Rng, mut check: impl FnMut(&mut Rng)) -> usize {
    let times = BATCH_SIZE / 6;
    (0..times).for_each(|_| check(rng));
    times
}

/// Returns the strings of all positions of a game.
fn positions<G: Game>(history: &GameHistory<G>) -> Vec<String> {
    let rules = history.rules();
    let mut replay = GameHistory::new(rules.clone(), *history.start_position());
    let mut texts = vec![rules.position_text(replay.position())];
    for mv in history.moves() {
        replay.push(mv);
        texts.push(rules.position_text(replay.position()));
    }
    texts
}

/// Returns the strings of all moves of a game.
fn moves<G: Game>(history: &GameHistory<G>) -> Vec<String> {
    history.moves().map(|mv| history.rules().move_text(mv)).collect()
}

/// Returns a line of a session. Two of three lines are mutated.
fn maybe_mutated(rng: &mut Rng, line: String, others: &[String], words: &[String]) -> Vec<u8> {
    if rng.u8(..3) == 0 { line.into_bytes() } else { mutated_line(rng, &line, others, words) }
}

/// Returns a mutated position or move.
fn mutated(rng: &mut Rng, text: &str, others: &[String], words: &[String]) -> String {
    match rng.u8(..5) {
        0 => String::from_utf8_lossy(&mutated_line(rng, text, others, words)).into_owned(),
        1 => {
            let once = change_character(rng, text);
            change_character(rng, &once)
        }
        _ => change_character(rng, text),
    }
}

/// Returns a command that sets an option. The value is valid in most cases. The values for tables
/// and threads are small.
pub(crate) fn set_option(rng: &mut Rng) -> String {
    let specs: Vec<_> = engine_options::all_options().collect();
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
            if [engine_options::HASH_OPTION.spec, engine_options::THREADS_OPTION.spec]
                .contains(spec) =>
        {
            rng.i64(min..=4).to_string()
        }
        OptionKind::Spin { min, max, .. } => rng.i64(min..=max).to_string(),
        OptionKind::Combo { values, .. } => rng.choice(values).unwrap().to_string(),
        OptionKind::String => String::new(),
        OptionKind::Button => return format!("setoption name {}", spec.name),
    };
    format!("setoption name {} value {value}", spec.name)
}
