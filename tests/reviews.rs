//! Reviews of games: known blunders, the chances of people, and the accuracy of the levels.

use std::ops::ControlFlow;

use fastrand::Rng;
use pentarch_core::evaluation::HumanWinChanceCurve;
use pentarch_core::rules::options::REPETITION_DRAW_OPTION;
use pentarch_core::{Options, Outcome, Side};
use pentarch_engine::best_lines::BestLines;
use pentarch_engine::engine_state::new_game_session;
use pentarch_engine::games::{GAME_OPTION, all_game_words};
use pentarch_engine::input_word::InputWord;
use pentarch_engine::review::verdict::human_win_chance;
use pentarch_engine::review::{Review, prepare_review};
use pentarch_engine::session::Session;
use pentarch_search::Limits;
use pentarch_search::control::SearchControl;
use pentarch_search::strength_levels::StrengthLevel;
use pentarch_search::transposition::TranspositionTable;

/// Returns the options of a game: its word, and settings such as `Quoridor_BoardSize=7`.
fn options_of(game: &str) -> Options {
    let mut options = Options::default();
    let mut words = game.split(' ');
    options.set(&GAME_OPTION, words.next().unwrap()).unwrap();
    options.set(&REPETITION_DRAW_OPTION, "true").unwrap();
    for setting in words {
        let (name, value) = setting.split_once('=').unwrap();
        let spec = pentarch_engine::engine_options::all_options().find(|spec| spec.name == name);
        options.set(spec.unwrap(), value).unwrap();
    }
    options
}

/// Reviews the game of a session with this number of nodes for each position.
fn review(session: &dyn Session, nodes: u64, table: &TranspositionTable) -> Review {
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let mut review = prepare_review(session, limits).unwrap();
    while let Some(search) = review.next_search() {
        table.clear();
        let mut lines = BestLines::default();
        let control = SearchControl::default();
        let answer = search.job.search_to_end(table, &control, &mut |info| lines.add_report(info));
        review.add_result(search.id, lines.finish_with_search_result(answer, usize::MAX));
    }
    assert!(review.is_complete());
    review.into_review()
}

/// A position of a game, two moves, and the verdict on the first one: the class and the reason.
type KnownBlunder = (&'static str, &'static str, &'static str, &'static str, &'static str);

/// Blunders, mostly of the levels `casual` and `good`. A search with 20 times the nodes comes
/// to the same classes.
const KNOWN_BLUNDERS: [KnownBlunder; 10] = [
    // The soldiers leave the castle without a defender.
    (
        "roses",
        "c/sss1/1sSS1/2SS1/4/C b 0/0 6",
        "c5d6 c4c5",
        "blunder",
        "lets white win in at most 2 moves",
    ),
    (
        "roses",
        "c/2s1/sS1SS/1ssS1/4/C w 0/0 12",
        "b3a3 d4d3",
        "blunder",
        "lets black win in at most 2 moves",
    ),
    // The knight has no step after a wall.
    (
        "alcaxar",
        "f6f4 d1d5e4f3f5f7h3i6 g h3 29",
        "d5c6 d1e2",
        "blunder",
        "lets red win at once by h3g4",
    ),
    (
        "alcaxar",
        "h6f4 a6a8b3d3e6f1f5g4 r d3 21",
        "e6e4 g4h5",
        "missed win",
        "misses a win in at most 2 moves",
    ),
    // A phalanx captures the pieces in its line.
    (
        "bushka",
        "1b5b2/b1b7/1b5b2/2b5b1/3w1b1b2/b5w3/1w8/4w1w3/3w3w1w/w1w5w1 w 14",
        "e3d4 f6e5f4e3f4e5",
        "blunder",
        "loses five soldiers",
    ),
    (
        "bushka",
        "9b/2b7/10/2w7/7b1w/2w3b1b1/1w3b1w2/6w1w1/10/10 w 32",
        "c5d6 f4e5f4",
        "blunder",
        "loses two soldiers",
    ),
    // The wall a3h was there to be placed by Black.
    (
        "quoridor",
        "d4e4 c3hc6he3he8hf3v b 6/9 8",
        "g2h a3h",
        "blunder",
        "lets white make black's path three steps longer with a3h",
    ),
    (
        "quoridor Quoridor_BoardSize=7",
        "d3d7 b6vc2vc4hd3vd5vd6h w 7/7 6",
        "d4 a4h",
        "blunder",
        "lets black make white's path four steps longer with a4h",
    ),
    (
        "quoridor",
        "d6b4 a7hb1hb2vb5hb6vb8hc2hc3vc7vd1hd6he2ve4ve6vf6hf7vg8vh6h w 2/0 31",
        "c6 a4",
        "missed win",
        "misses a win in at most 8 moves",
    ),
    // A checker moves next to two enemies and is taken.
    (
        "alquerque",
        "xxxxx/xxxxx/x1o2/ooooo/ooooo d - - - 2",
        "d4d3 c3e3",
        "blunder",
        "loses a checker",
    ),
];

#[test]
fn finds_and_names_known_blunders() {
    let table = TranspositionTable::new(1).unwrap();
    for (game, fen, moves, class, reason) in KNOWN_BLUNDERS {
        let mut session = new_game_session(&options_of(game));
        let fen = InputWord::split_into_words(fen);
        session.set_position(Some(&fen), &InputWord::split_into_words(moves)).unwrap();
        let review = review(session.as_ref(), 1000, &table);
        let blunder = &review.moves[0];
        assert_eq!(
            (blunder.class.word(), blunder.reason.as_deref()),
            (class, Some(reason)),
            "{game}: {blunder:?}"
        );
        assert!(review.summary.moments.contains(&1), "{review:?}");
        for mv in &review.moves {
            assert!(mv.mark.is_empty() || mv.lost >= 0.05, "{mv:?}");
        }
    }
}

/// The player of a game. `None` moves at random.
type Player = Option<StrengthLevel>;

/// The maximum number of moves of both sides in a game.
const MAX_PLIES: usize = 200;

/// Plays a game from the start position.
fn play(game: &str, players: [Player; 2], rng: &mut Rng) -> Box<dyn Session> {
    let mut session = new_game_session(&options_of(game));
    let table = TranspositionTable::new(1).unwrap();
    while session.game_state().outcome.is_none() && session.game_state().moves < MAX_PLIES {
        let seed = rng.u32(..).into();
        let mv = match players[session.game_state().side.index()] {
            None => rng.choice(session.legal_move_strings()).unwrap(),
            Some(level) => {
                let limits = Limits { level, seed: Some(seed), ..Limits::default() };
                let nodes = (level == StrengthLevel::Champion).then_some(10_000);
                let job = session.prepare_search_job(&Limits { nodes, ..limits });
                let control = SearchControl::default();
                job.unwrap().unwrap().search_to_end(&table, &control, &mut |_| {}).best
            }
        };
        session.play_moves(&[InputWord::from_text(&mv)]).unwrap();
    }
    session
}

/// The environment variable with the number of games.
const GAMES_VARIABLE: &str = "PENTARCH_REVIEWED_GAMES";

fn game_count() -> usize {
    std::env::var(GAMES_VARIABLE).ok().and_then(|games| games.parse().ok()).unwrap_or(40)
}

/// Returns the games with their boards.
fn games_and_boards() -> Vec<String> {
    let boards = ["quoridor Quoridor_BoardSize=7", "quoridor Quoridor_BoardSize=5"];
    all_game_words().iter().chain(&boards).map(ToString::to_string).collect()
}

/// Fits the [curves](pentarch_core::Evaluate::human_chances) from scores to the chances of people
/// to games between the levels `casual` and `average`, and prints their constants. Each position
/// counts with its score and with the result of its game. The likelihood is maximal on a grid.
///
/// `cargo test --release --test all reviews::fits -- --ignored --nocapture`;
/// `PENTARCH_REVIEWED_GAMES` is the number of games (default 40).
#[test]
#[ignore = "plays many games"]
fn fits_the_chances_of_people() {
    let table = TranspositionTable::new(4).unwrap();
    let levels = [StrengthLevel::Casual, StrengthLevel::Average].map(Some);
    for game in games_and_boards() {
        let mut rng = Rng::with_seed(1);
        let mut samples = Vec::new();
        for number in 0..game_count() {
            let [one, other] = levels;
            let players = if number % 2 == 0 { [one, other] } else { [other, one] };
            let session = play(&game, players, &mut rng);
            let winner = session.game_state().outcome.and_then(Outcome::winner);
            append_samples(session.as_ref(), winner, &table, &mut samples);
        }
        let steps = |ratio: f64, count: i32| (0..count).map(move |step| ratio.powi(step) as i32);
        // Only one of the two numbers matters for a sample, so each can be fitted alone.
        let likelihood = |scale: i32, win_moves: u32| -> f64 {
            let curve = HumanWinChanceCurve { scale, win_moves };
            let chance = |score| human_win_chance(score, curve).clamp(0.001, 0.999);
            let log = |&(score, result): &(i32, f64)| {
                result * chance(score).ln() + (1. - result) * (1. - chance(score)).ln()
            };
            samples.iter().map(log).sum()
        };
        let best = |candidates: Vec<i32>, log: &dyn Fn(i32) -> f64| {
            candidates.into_iter().max_by(|&a, &b| log(a).total_cmp(&log(b))).unwrap()
        };
        let scale = best(steps(1.05, 160).skip(47).collect(), &|scale| likelihood(scale, 20));
        let win_moves = best(steps(1.15, 33).collect(), &|moves| likelihood(scale, moves as u32));
        let present = new_game_session(&options_of(&game)).human_win_chance_curve();
        println!(
            "{game}: scale: {scale}, win_moves: {win_moves} ({} positions; present {present:?})",
            samples.len()
        );
    }
}

/// Appends the score of each position of a game, and the result for the side to move: 1, 0.5 or 0.
fn append_samples(
    session: &dyn Session,
    winner: Option<Side>,
    table: &TranspositionTable,
    samples: &mut Vec<(i32, f64)>,
) {
    let mut replayed = session.copy_session();
    let mut add_position = |replayed: &dyn Session| {
        let limits = Limits { nodes: Some(3_000), ..Limits::default() };
        let Some(job) = replayed.prepare_search_job(&limits).unwrap() else {
            return ControlFlow::Break(());
        };
        table.clear();
        let answer = job.search_to_end(table, &SearchControl::default(), &mut |_| {});
        let result =
            winner.map_or(0.5, |winner| f64::from(u8::from(winner == replayed.game_state().side)));
        samples.extend(answer.score.map(|score| (score, result)));
        ControlFlow::Continue(())
    };
    replayed.set_position(None, &[]).unwrap();
    for mv in session.game_moves().moves {
        if add_position(replayed.as_ref()).is_break() {
            break;
        }
        replayed.play_moves(&[InputWord::from_text(&mv)]).unwrap();
    }
}

/// Prints the mean accuracy of each level in games against `average`, with its standard error, and
/// checks that it separates the levels: a random player, `casual`, `good` and `expert`.
///
/// `cargo test --release --test all reviews::accuracy -- --ignored --nocapture`;
/// `PENTARCH_REVIEWED_GAMES` is the number of games of each level (default 40).
#[test]
#[ignore = "plays and reviews many games"]
fn accuracy_separates_the_levels() {
    let table = TranspositionTable::new(4).unwrap();
    let players =
        [None, Some(StrengthLevel::Casual), Some(StrengthLevel::Good), Some(StrengthLevel::Expert)];
    let boards = ["quoridor Quoridor_BoardSize=7"];
    for game in all_game_words().iter().chain(&boards) {
        let mut last: Option<[f64; 2]> = None;
        for player in players {
            let mut rng = Rng::with_seed(2);
            let mut accuracies = Vec::new();
            for number in 0..game_count() {
                let average = Some(StrengthLevel::Average);
                let sides = if number % 2 == 0 { [player, average] } else { [average, player] };
                let review = review(play(game, sides, &mut rng).as_ref(), 20_000, &table);
                let accuracy = review.summary.sides[number % 2].accuracy;
                accuracies.extend(accuracy.map(|accuracy| 100. * accuracy));
            }
            let count = accuracies.len() as f64;
            let mean = accuracies.iter().sum::<f64>() / count;
            let squares = accuracies.iter().map(|one| (one - mean) * (one - mean)).sum::<f64>();
            let error = (squares / (count - 1.) / count).sqrt();
            let name = player.map_or("random", StrengthLevel::name);
            println!("{game} {name}: {mean:.1} ± {error:.1}");
            assert!(player.is_some() || mean <= 60., "{game} {name}");
            assert!(player != Some(StrengthLevel::Expert) || mean >= 85., "{game} {name}");
            if let Some([last_mean, last_error]) = last {
                let limit = 2. * (error * error + last_error * last_error).sqrt();
                assert!(mean - last_mean > limit, "{game} {name}");
            }
            last = Some([mean, error]);
        }
    }
}
