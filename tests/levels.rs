//! Levels of strength. The tests check their options, their deliberate weaknesses, and matches
//! between them.

mod matches;

use std::ops::RangeInclusive;
use std::sync::Mutex;

use pentarch::io::host::SystemHost;
use pentarch_alcaxar::Alcaxar;
use pentarch_core::{GameHistory, Options, Side};
use pentarch_engine::engine_options::EngineOptions;
use pentarch_engine::engine_state::Engine;
use pentarch_engine::games::all_game_words;
use pentarch_games::{BuiltinRules, Game, GameOperation};
use pentarch_quoridor::Quoridor;
use pentarch_quoridor::moves::Move;
use pentarch_search::control::SearchControl;
use pentarch_search::strength_levels::StrengthLevel;
use pentarch_search::transposition::TranspositionTable;
use pentarch_search::{Limits, SearchResult, search};

use crate::common::{for_each_game, new_history, no_tables, random_game, rules};
use matches::{MatchSetup, Player, Score, winning_moves};

/// Returns the level of an engine after these settings.
fn level_after(settings: &[(&str, &str)]) -> StrengthLevel {
    let mut engine = Engine::new(Options::default(), SystemHost::shared_host());
    for (name, value) in settings {
        engine.set_option(name, value).unwrap();
    }
    EngineOptions::new(&engine.options).level
}

#[test]
fn each_level_has_a_name_and_an_elo_rating() {
    assert!(
        StrengthLevel::ALL.is_sorted() && StrengthLevel::ALL.is_sorted_by_key(|level| level.elo())
    );
    assert!(
        StrengthLevel::ALL
            .into_iter()
            .all(|level| StrengthLevel::by_name(level.name()) == Some(level))
    );
    assert!(
        StrengthLevel::ALL
            .into_iter()
            .all(|level| StrengthLevel::nearest_to_elo(level.elo()) == level)
    );
    assert_eq!(
        (
            StrengthLevel::nearest_to_elo(0),
            StrengthLevel::nearest_to_elo(1110),
            StrengthLevel::nearest_to_elo(9999)
        ),
        { (StrengthLevel::Beginner, StrengthLevel::Average, StrengthLevel::Champion) }
    );
}

#[test]
fn level_and_elo_agree_in_any_order() {
    assert_eq!(level_after(&[]), StrengthLevel::Champion);
    for level in StrengthLevel::ALL {
        let elo = level.elo().to_string();
        assert_eq!(level_after(&[("level", &level.name().to_uppercase())]), level);
        // The Elo rating has an effect only while it limits the strength. Then the level is
        // ignored.
        let limit = ("UCI_LimitStrength", "true");
        for settings in [[("UCI_Elo", &*elo), limit], [limit, ("UCI_Elo", &*elo)]] {
            assert_eq!(level_after(&settings), level);
            assert_eq!(level_after(&[&[("Level", "casual")], &settings[..]].concat()), level);
            assert_eq!(
                level_after(&[&settings[..], &[("UCI_LimitStrength", "false")]].concat()),
                StrengthLevel::Champion
            );
        }
        assert_eq!(level_after(&[("UCI_Elo", &elo)]), StrengthLevel::Champion);
    }
}

#[test]
fn unknown_level_changes_nothing() {
    let mut engine = Engine::new(Options::default(), SystemHost::shared_host());
    engine.set_option("Level", "novice").unwrap();
    let error = engine.set_option("Level", "novise").unwrap_err();
    assert!(error.to_string().contains("did you mean 'novice'?"), "{error}");
    assert_eq!(EngineOptions::new(&engine.options).level, StrengthLevel::Novice);
}

/// Returns the move that a level plays with this seed.
fn answer<G: Game>(
    history: &GameHistory<G>,
    level: StrengthLevel,
    seed: u64,
    table: &TranspositionTable,
) -> SearchResult<G::Move> {
    let tables = no_tables(history.rules().as_ref());
    let limits = Limits { level, seed: Some(seed), ..Limits::default() };
    search(history, &tables, &limits, table, &SearchControl::default(), &mut |_| {}).unwrap()
}

#[test]
fn same_seed_plays_the_same_legal_move() {
    #[derive(Clone)]
    struct Check;
    impl GameOperation for Check {
        type Output = ();
        fn run_for_game_type<G: Game>(self) {
            let mut rng = fastrand::Rng::with_seed(5);
            let empty = TranspositionTable::new(1).unwrap();
            let used = TranspositionTable::new(1).unwrap();
            let mut levels = StrengthLevel::ALL
                .into_iter()
                .filter(|level| *level < StrengthLevel::Champion)
                .cycle();
            let mut varies = false;
            random_game(new_history(&rules::<G>(&[])), &mut rng, 18, |history| {
                let mut moves = Vec::new();
                history.legal_moves(&mut moves);
                if let Some(level) = levels.next()
                    && !moves.is_empty()
                {
                    let first = answer(history, level, 1, &empty);
                    assert!(moves.contains(&first.best), "{}", G::GAME_ID);
                    // Earlier searches of the engine do not change the result.
                    let full =
                        Limits { nodes: Some(2_000), use_tablebases: false, ..Limits::default() };
                    search(
                        history,
                        &no_tables(history.rules().as_ref()),
                        &full,
                        &used,
                        &SearchControl::default(),
                        &mut |_| {},
                    );
                    assert_eq!(
                        answer(history, level, 1, &used),
                        first,
                        "{} {}",
                        G::GAME_ID,
                        level.name()
                    );
                    if level == StrengthLevel::Beginner {
                        let mut moves = (0..20).map(|seed| {
                            answer(history, StrengthLevel::Beginner, seed, &empty).best
                        });
                        let first = moves.next();
                        varies |= moves.any(|mv| Some(mv) != first);
                    }
                }
            });
            assert!(varies, "{}", G::GAME_ID);
        }
    }
    for_each_game(Check);
}

/// Tests games of beginners in positions in which one move wins and other moves do not. In
/// Alquerque and Bushka such a choice is rare, because captures are compulsory.
#[test]
fn beginner_misses_wins_in_one_and_good_never_does() {
    #[derive(Clone)]
    struct Check;
    impl GameOperation for Check {
        type Output = ();
        fn run_for_game_type<G: Game>(self) {
            let table = TranspositionTable::new(1).unwrap();
            let mut won = 0;
            let mut found = 0;
            let mut found_by_good = 0;
            for seed in 0..40 {
                let mut history = new_history(&rules::<G>(&["RepetitionDraw=true"]));
                for ply in 0..200 {
                    if history.outcome().is_some() || won == 24 {
                        break;
                    }
                    let chosen =
                        answer(&history, StrengthLevel::Beginner, seed * 1000 + ply, &table).best;
                    let wins = winning_moves(&mut history);
                    if let [win] = wins[..]
                        && has_choice(&history)
                        && ply >= OPENING_PLIES
                    {
                        won += 1;
                        found += u32::from(chosen == win);
                        found_by_good += u32::from(
                            answer(&history, StrengthLevel::Good, seed, &table).best == win,
                        );
                    }
                    history.push(chosen);
                }
            }
            assert!(
                won >= 10 || ["alquerque", "bushka"].contains(&G::GAME_ID),
                "{}: {won}",
                G::GAME_ID
            );
            let is_missed = found < won || won < 10;
            assert!(found * 2 >= won && is_missed, "{}: {found} of {won}", G::GAME_ID);
            assert_eq!(found_by_good, won, "{}", G::GAME_ID);
        }
    }
    for_each_game(Check);
}

/// The number of plies in which the two lowest levels do not win.
const OPENING_PLIES: u64 = 6;

/// A newcomer who begins Alcaxar with a natural step could lose to a single move.
#[test]
fn lowest_levels_do_not_win_in_the_first_three_moves() {
    let rules = rules::<Alcaxar>(&["RepetitionDraw=true"]);
    let table = TranspositionTable::new(1).unwrap();
    let mut possible_wins = 0;
    for seed in 0..40 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let level = StrengthLevel::ALL[seed as usize % 2];
        let mut history = new_history(&rules);
        history.push(history.resolve_move(["Kd8", "Kb6"][seed as usize / 2 % 2]).unwrap());
        while history.len() < OPENING_PLIES as usize && history.outcome().is_none() {
            if history.len().is_multiple_of(2) {
                let moves = history.legal_move_list();
                history.push(moves[rng.usize(..moves.len())]);
            } else {
                possible_wins += winning_moves(&mut history).len();
                history.push(answer(&history, level, seed, &table).best);
                assert_eq!(history.outcome(), None, "{seed}");
            }
        }
    }
    assert!(possible_wins > 10, "{possible_wins}");
}

/// The steps of `casual` in Quoridor: under 25 per cent go sideways, and under 5 per cent go back.
/// Some walls are left in a third of the games of `beginner` or more, and it does not begin with a
/// wall.
///
/// `cargo test --release --test all levels::steps_of -- --ignored --nocapture`
#[test]
#[ignore = "plays two hundred games"]
fn steps_of_quoridor_go_forward_and_walls_are_kept() {
    let [casual, beginner] = [StrengthLevel::Casual, StrengthLevel::Beginner].map(quoridor_habits);
    println!("casual: {casual:?}, beginner: {beginner:?}");
    let [back, sideways, forward] = casual.steps;
    let steps = back + sideways + forward;
    assert!(back * 20 < steps && sideways * 4 < steps, "{casual:?}");
    assert!(beginner.games_with_walls_left * 3 >= 100 && beginner.early_walls == 0, "{beginner:?}");
}

/// The habits of a level of Quoridor, counted in a hundred games against itself.
#[derive(Debug, Default)]
struct QuoridorHabits {
    /// The numbers of steps that go backward, sideways and forward.
    steps: [u32; 3],
    /// The number of walls among the first two moves.
    early_walls: u32,
    /// The number of games in which both players have walls left.
    games_with_walls_left: u32,
}

fn quoridor_habits(level: StrengthLevel) -> QuoridorHabits {
    let rules = rules::<Quoridor>(&["RepetitionDraw=true"]);
    let table = TranspositionTable::new(1).unwrap();
    let mut habits = QuoridorHabits::default();
    for game in 0..100 {
        let mut history = new_history(&rules);
        while history.outcome().is_none() {
            let seed = game * 1000 + history.len() as u64;
            let position = *history.position();
            let mv = answer(&history, level, seed, &table).best;
            if let Move::Pawn(to) = mv {
                let ranks = [position.pawn(position.mover), to].map(|at| at.point().rank);
                let progress = match position.mover {
                    Side::First => ranks[1].cmp(&ranks[0]),
                    Side::Second => ranks[0].cmp(&ranks[1]),
                };
                habits.steps[(progress as i8 + 1) as usize] += 1;
            } else if history.len() < 4 {
                habits.early_walls += 1;
            }
            history.push(mv);
        }
        habits.games_with_walls_left += u32::from(!history.position().walls_left.contains(&0));
    }
    habits
}

/// Beginners of Quoridor reach their goals. They place some walls in their first ten turns, but
/// keep most of them.
#[test]
fn beginners_of_quoridor_race_and_reach_the_goal() {
    let rules = rules::<Quoridor>(&["RepetitionDraw=true"]);
    let table = TranspositionTable::new(1).unwrap();
    let mut repeated = 0;
    let mut early_walls = 0;
    for game in 0..20 {
        let mut history = new_history(&rules);
        while history.outcome().is_none() {
            let chosen = answer(
                &history,
                StrengthLevel::Beginner,
                game * 1000 + history.len() as u64,
                &table,
            )
            .best;
            early_walls += u32::from(history.len() < 20 && matches!(chosen, Move::Wall(_)));
            history.push(chosen);
        }
        repeated += u32::from(history.outcome().is_some_and(|outcome| outcome.winner().is_none()));
    }
    // These are forty players with ten turns each.
    assert!(repeated <= 1 && (20..200).contains(&early_walls), "{repeated} {early_walls}");
}

/// Returns whether there is more than one legal move.
fn has_choice<G: Game>(history: &GameHistory<G>) -> bool {
    let mut moves = Vec::new();
    history.legal_moves(&mut moves);
    moves.len() > 1
}

#[test]
fn level_knows_only_what_it_has_searched() {
    let history = new_history::<Quoridor>(&rules(&["Quoridor_Walls=0"]));
    let tables = no_tables(history.rules().as_ref());
    let hits = |level| {
        let mut hits = 0;
        let limits = Limits { depth: Some(4), level, ..Limits::default() };
        let table = TranspositionTable::new(1).unwrap();
        let control = SearchControl::default();
        search(&history, &tables, &limits, &table, &control, &mut |info| hits = info.table_hits)
            .unwrap();
        hits
    };
    assert!(
        StrengthLevel::ALL
            .into_iter()
            .all(|level| (hits(level) > 0) == (level == StrengthLevel::Champion))
    );
}

/// The number of games of each match.
const GAMES: usize = 200;
/// The number of nodes per move at full strength.
const FULL_NODES: u64 = 10_000;

/// The allowed score of a level against the level below it, in per cent.
const ALLOWED_STEP: RangeInclusive<f64> = 60.0..=85.0;
/// The allowed score for the highest steps of a solved game. Strong players draw most games of
/// Guerre des Deux Roses.
const ALLOWED_SOLVED_STEP: RangeInclusive<f64> = 50.0..=85.0;

/// Returns the allowed score of the level with this name in this game.
fn allowed_score(game: &str, level: &str) -> RangeInclusive<f64> {
    if game == "roses" && ["master", "champion"].contains(&level) {
        ALLOWED_SOLVED_STEP
    } else {
        ALLOWED_STEP
    }
}

/// The environment variable that selects matches. It contains words. A word is a game, or the upper
/// level of a step. For example, `PENTARCH_LEVELS="alcaxar bushka master"` selects the matches of
/// the level `master` against the level below, in two games.
const SELECTED_MATCHES: &str = "PENTARCH_LEVELS";

/// Returns whether [`SELECTED_MATCHES`] selects this word. If it contains no word of this kind, all
/// words of the kind are selected.
fn is_selected(word: &str, kind: &[&str]) -> bool {
    let only = std::env::var(SELECTED_MATCHES).unwrap_or_default();
    let mut named = only.split_whitespace().filter(|named| kind.contains(named)).peekable();
    named.peek().is_none() || named.any(|named| named == word)
}

/// Plays matches in each game, some games in parallel. Prints each score as soon as it is known.
/// Each match has a name and two players. Returns the scores of each game, in the order of the
/// matches.
fn table(matches: &[(String, [Player; 2])]) -> Vec<(&'static str, Vec<Score>)> {
    struct Play<'a>(&'a [(String, [Player; 2])]);
    impl GameOperation for Play<'_> {
        type Output = (&'static str, Vec<Score>);
        fn run_for_game_type<G: Game>(self) -> Self::Output {
            let setup = MatchSetup::<G>::new(GAMES / 2, 1);
            println!("{}: {} openings", G::GAME_ID, setup.openings());
            let play = |(name, players): &(String, [Player; 2])| {
                let score = setup.play(*players, GAMES, 7);
                println!("{} {name}: {score}", G::GAME_ID);
                score
            };
            (G::GAME_ID, self.0.iter().map(play).collect())
        }
    }
    let chosen = BuiltinRules::TWO_PLAYER_GAMES
        .iter()
        .zip(all_game_words())
        .filter(|(_, word)| is_selected(word, all_game_words()));
    let games = Mutex::new(chosen.map(|(game, _)| game));
    let tables = Mutex::new(Vec::new());
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let Some(game) = games.lock().unwrap().next() else { break };
                    let scores = game.run_operation(Play(matches));
                    tables.lock().unwrap().push(scores);
                }
            });
        }
    });
    let mut tables = tables.into_inner().unwrap();
    tables.sort_by_key(|(game, _)| all_game_words().iter().position(|word| word == game));
    tables
}

/// A careful player is a fair opponent of a beginner. It takes a win in one, avoids a loss in one,
/// and otherwise plays at random.
///
/// `cargo test --release --test all levels::a_careful -- --ignored --nocapture`
#[test]
#[ignore = "plays a thousand games"]
fn a_careful_random_player_scores_30_to_60_per_cent_against_a_beginner() {
    let tables = table(&[(
        "random mover - beginner".into(),
        [Player::Careful, Player::StrengthLevel(StrengthLevel::Beginner)],
    )]);
    for (game, scores) in tables {
        assert!((30.0..=60.0).contains(&scores[0].per_cent()), "{game}: {}", scores[0]);
    }
}

/// A uniformly random mover is the fixed point of the ladder, which is far below `beginner`.
///
/// `cargo test --release --test all levels::a_uniformly -- --ignored --nocapture`
#[test]
#[ignore = "plays a thousand games"]
fn a_uniformly_random_player_loses_to_a_beginner() {
    let tables = table(&[(
        "uniformly random mover - beginner".into(),
        [Player::Random, Player::StrengthLevel(StrengthLevel::Beginner)],
    )]);
    for (game, scores) in tables {
        assert!(scores[0].per_cent() < 40.0, "{game}: {}", scores[0]);
    }
}

/// The score of each level against the level below must be in the range of [`allowed_score`]. The
/// test prints rows like those of the table in docs/levels.md. It also prints the average Elo
/// difference of each step. [`SELECTED_MATCHES`] selects matches.
///
/// `cargo test --release --test all levels::each_level_beats -- --ignored --nocapture`
#[test]
#[ignore = "plays nine thousand games"]
fn each_level_beats_the_one_below() {
    let player = |level| {
        if level == StrengthLevel::Champion {
            Player::Nodes(FULL_NODES)
        } else {
            Player::StrengthLevel(level)
        }
    };
    let step = |pair: &[StrengthLevel]| {
        (format!("{} - {}", pair[1].name(), pair[0].name()), [player(pair[1]), player(pair[0])])
    };
    let steps: Vec<_> = StrengthLevel::ALL
        .windows(2)
        .filter(|pair| is_selected(pair[1].name(), &StrengthLevel::STRENGTH_LEVEL_NAMES))
        .map(step)
        .collect();
    let tables = table(&steps);
    let mut outside = Vec::new();
    for (at, (name, _)) in steps.iter().enumerate() {
        let scores: Vec<f64> = tables.iter().map(|(_, scores)| scores[at].per_cent()).collect();
        let differences = scores.iter().map(|score| {
            let score = score.min(99.0);
            400.0 * (score / (100.0 - score)).log10()
        });
        let elo = differences.sum::<f64>() / scores.len() as f64;
        println!(
            "{name}: {}, Elo +{elo:.0}",
            scores.iter().map(|s| format!("{s:.1}")).collect::<Vec<_>>().join(" ")
        );
        let level = name.split(' ').next().unwrap_or_default();
        let bad = tables
            .iter()
            .filter(|(game, scores)| !allowed_score(game, level).contains(&scores[at].per_cent()));
        outside.extend(bad.map(|(game, scores)| format!("{game} {name}: {}", scores[at])));
    }
    assert!(outside.is_empty(), "too near or too far apart: {outside:#?}");
}
