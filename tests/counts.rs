//! The numbers that players of each game count, compared with the slow rules.

use std::collections::BTreeSet;
use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

use fastrand::Rng;
use pentarch_alcaxar::Alcaxar;
use pentarch_alquerque::Alquerque;
use pentarch_bushka::Bushka;
use pentarch_core::view::position_counts::LabelledCount;
use pentarch_core::{GameHistory, Notation};
use pentarch_games::Game;
use pentarch_quoridor::Quoridor;
use pentarch_quoridor::four_players::QuoridorForFour;
use pentarch_roses::Roses;
use pentarch_slow_rules::{alcaxar, alquerque, bushka, quoridor, quoridor_four, roses};

use crate::common::{SHORT, for_all_games, for_each_rules, new_history, random_game, rules};

/// Returns the counts of a position.
fn counts_of<G: Game>(history: &GameHistory<G>) -> Vec<LabelledCount> {
    history.rules().labelled_position_counts(history.position())
}

/// Returns the number of a player's count.
fn number(counts: &[LabelledCount], label: &str, player: usize) -> Option<u32> {
    find_count(counts, label, player).value
}

/// Returns the names of the counted sites of a player's count. Checks that each site is counted.
fn site_names(counts: &[LabelledCount], label: &str, player: usize) -> BTreeSet<String> {
    let count = find_count(counts, label, player);
    assert_eq!(count.value, Some(count.sites.len() as u32), "{count:?}");
    count.sites.iter().map(ToString::to_string).collect()
}

fn find_count<'a>(counts: &'a [LabelledCount], label: &str, player: usize) -> &'a LabelledCount {
    let is_searched = |count: &&LabelledCount| count.label == label && count.player == Some(player);
    counts.iter().find(is_searched).unwrap_or_else(|| panic!("no {label} of player {player}"))
}

/// Returns a shortest path by a breadth-first search over lists of squares. `next` returns the
/// squares that can follow.
fn slow_path<S: Copy + PartialEq>(
    from: S,
    is_goal: impl Fn(S) -> bool,
    next: impl Fn(S) -> Vec<S>,
) -> Option<u32> {
    let mut seen = vec![(from, 0)];
    let mut index = 0;
    while let Some(&(at, steps)) = seen.get(index) {
        if is_goal(at) {
            return Some(steps);
        }
        for square in next(at) {
            if seen.iter().all(|(other, _)| *other != square) {
                seen.push((square, steps + 1));
            }
        }
        index += 1;
    }
    None
}

/// Checks that the sites of a path are connected, and that its length is the number.
fn assert_path(count: &LabelledCount, from: &str, is_step: impl Fn(&str, &str) -> bool) {
    let sites: Vec<String> = count.sites.iter().map(ToString::to_string).collect();
    match count.value {
        None => assert!(sites.is_empty(), "{count:?}"),
        Some(steps) => {
            assert_eq!(sites.len() as u32, steps + 1, "{count:?}");
            assert_eq!(sites[0], from);
            assert!(sites.windows(2).all(|step| is_step(&step[0], &step[1])), "{count:?}");
        }
    }
}

for_all_games! {
    /// All positions of a game have the same labels and players.
    labels_and_players_are_the_same_in_all_positions, G, SHORT, |history| {
        let heads = |position: &G::Position| -> Vec<(&str, Option<usize>)> {
            let counts = history.rules().labelled_position_counts(position);
            counts.iter().map(|count| (count.label, count.player)).collect()
        };
        let counted = heads(history.position());
        assert_eq!(counted, heads(history.start_position()));
        assert!(counted.iter().all(|(_, player)| player.is_none_or(|player| player < G::PLAYER_NAMES.len())));
        assert!(G::RACE_COUNT_LABEL.is_none_or(|race| {
            counted.iter().filter(|(label, _)| *label == race.label).count() == 2
        }));
    }
}

/// Visits positions of random games until there are `positions` of them.
fn visit_positions<G: Game>(
    rules: &Arc<G>,
    positions: usize,
    rng: &mut Rng,
    mut visit: impl FnMut(&GameHistory<G>),
) {
    let mut count = 0;
    while count < positions {
        random_game(new_history(rules), rng, 80, |history| {
            count += 1;
            if count <= positions {
                visit(history);
            }
        });
    }
}

/// Parses the name of a square.
fn parse_square(name: &str) -> (i32, i32) {
    let (file, rank, _) = quoridor::SlowPosition::parse_names(name, false)[0];
    (file, rank)
}

/// Returns whether two squares are beside each other.
fn are_neighbours(one: (i32, i32), other: (i32, i32)) -> bool {
    (one.0 - other.0).abs() + (one.1 - other.1).abs() == 1
}

/// Compares the counts of Quoridor for two with a breadth-first search, and what a move adds with
/// the difference of two searches.
fn check_quoridor(size: i32, positions: usize) {
    let setting = format!("Quoridor_BoardSize={size}");
    let fast = rules::<Quoridor>(&[&setting]);
    let mut rng = Rng::with_seed(87 + size as u64);
    let mut longer = 0;
    visit_positions(&fast, positions, &mut rng.clone(), |history| {
        let before = assert_quoridor_counts(size, history);
        let moves = history.legal_move_list();
        let Some(&mv) = rng.choice(&moves) else { return };
        let mut after = history.clone();
        after.push(mv);
        let after = assert_quoridor_counts(size, &after);
        longer += usize::from(after.iter().zip(&before).any(|(after, before)| after > before));
    });
    assert!(longer > positions / 20, "{longer}");
}

/// Compares the counts of a position with a breadth-first search. Returns the steps.
fn assert_quoridor_counts(size: i32, history: &GameHistory<Quoridor>) -> Vec<Option<u32>> {
    let fen = history.rules().position_text(history.position());
    let slow = quoridor::SlowPosition::read(size, false, &fen);
    let counts = counts_of(history);
    let is_step = |from: quoridor::Square, to: quoridor::Square| {
        are_neighbours(from, to) && !slow.has_wall_between(from, to)
    };
    let mut steps = Vec::new();
    for (player, &pawn) in slow.pawns.iter().enumerate() {
        let expected = slow.distance_to_goal(player).map(|steps| steps as u32);
        let count = find_count(&counts, "steps to the goal", player);
        assert_eq!(count.value, expected, "{fen}");
        assert_path(count, &quoridor::SlowPosition::square_name(pawn), |from, to| {
            is_step(parse_square(from), parse_square(to))
        });
        assert_eq!(number(&counts, "walls in hand", player), Some(slow.walls_left[player]));
        steps.push(expected);
    }
    steps
}

#[test]
fn quoridor_counts_equal_a_breadth_first_search() {
    for (size, positions) in [(5, 60), (9, 40), (11, 20)] {
        check_quoridor(size, positions);
    }
    for teams in [false, true] {
        check_four_players(teams, 20);
    }
}

/// The same in 10,000 positions of each board: `cargo test --test all counts:: -- --ignored`.
#[test]
#[ignore = "takes half a minute"]
fn quoridor_counts_equal_a_breadth_first_search_in_many_positions() {
    for size in [5, 9, 11] {
        check_quoridor(size, 10_000);
    }
    for teams in [false, true] {
        check_four_players(teams, 10_000);
    }
}

/// Compares the counts of Quoridor for four with a breadth-first search.
fn check_four_players(teams: bool, positions: usize) {
    let settings = ["Quoridor_Players=4".into(), format!("Quoridor_Teams={teams}")];
    let fast = rules::<QuoridorForFour>(&settings.each_ref().map(String::as_str));
    let mut rng = Rng::with_seed(4);
    let mut slow = quoridor_four::SlowPosition::start(9, 5, teams);
    visit_positions(&fast, positions, &mut rng, |history| {
        match history.last_position_and_move() {
            Some((_, mv)) => slow.play(&fast.move_text(mv)),
            None => slow = quoridor_four::SlowPosition::start(9, 5, teams),
        }
        assert_eq!(slow.text(), fast.position_text(history.position()));
        let counts = counts_of(history);
        let is_step = |from: quoridor_four::Square, to: quoridor_four::Square| {
            are_neighbours(from, to) && slow.is_open(from, to)
        };
        for (player, &pawn) in slow.pawns.iter().enumerate() {
            let expected = slow.distance_to_goal(player);
            let count = find_count(&counts, "steps to the goal", player);
            assert_eq!(count.value, expected, "{}", slow.text());
            assert_path(count, &quoridor_four::SlowPosition::square_name(pawn), |from, to| {
                is_step(parse_square(from), parse_square(to))
            });
            assert_eq!(number(&counts, "walls in hand", player), Some(slow.walls_left[player]));
        }
    });
}

#[test]
fn alcaxar_counts_equal_the_slow_rules() {
    let fast = rules::<Alcaxar>(&[]);
    let mut unreachable = 0;
    visit_positions(&fast, 200, &mut Rng::with_seed(1), |history| {
        let slow = alcaxar::SlowPosition::new(&fast.position_text(history.position()));
        let counts = counts_of(history);
        for side in [0, 1] {
            let next = |at: alcaxar::GridPoint| {
                alcaxar::SlowPosition { knights: [at; 2], ..slow.clone() }.accessible(0)
            };
            let fortress = alcaxar::parse_point(["h2", "b8"][side]);
            let expected = slow_path(slow.knights[side], |at| at == fortress, next);
            let count = find_count(&counts, "steps to the fortress", side);
            assert_eq!(count.value, expected, "{}", slow.text());
            assert_path(count, &alcaxar::point_name(slow.knights[side]), |from, to| {
                next(alcaxar::parse_point(from)).contains(&alcaxar::parse_point(to))
            });
            unreachable += usize::from(expected.is_none());
            let mut mover = slow.clone();
            if side != slow.side {
                mover.side = side;
                mover.last_wall = None;
            }
            let moves =
                if slow.immediate_win().is_none() { mover.moves() } else { BTreeSet::new() };
            let wall_moves: Vec<&String> = moves.iter().filter(|mv| !mv.starts_with('K')).collect();
            let walls: BTreeSet<&str> = wall_moves.iter().map(|mv| &mv[..2]).collect();
            let count = find_count(&counts, "wall moves", side);
            assert_eq!(count.value, Some(wall_moves.len() as u32), "{}", slow.text());
            let sites: Vec<String> = count.sites.iter().map(ToString::to_string).collect();
            assert_eq!(sites.iter().map(String::as_str).collect::<BTreeSet<_>>(), walls);
        }
    });
    assert!(unreachable > 20, "{unreachable}");
}

#[test]
fn alquerque_counts_equal_the_slow_rules() {
    let modern = alquerque::RuleOptions::MODERN;
    let mut captures = 0;
    for slow_rules in [
        modern,
        alquerque::RuleOptions {
            retreat: "free",
            missed_capture: "huff",
            win: "capture",
            ..modern
        },
        alquerque::RuleOptions { movement: "bell", retreat: "checker", win: "block", ..modern },
        alquerque::RuleOptions {
            multi_capture: "maximum",
            removal: "after",
            movement: "bell",
            base_row: "horizontal",
            missed_capture: "huff",
            ..modern
        },
    ] {
        let settings = [
            ("MultiCapture", slow_rules.multi_capture),
            ("Removal", slow_rules.removal),
            ("Movement", slow_rules.movement),
            ("BaseRow", slow_rules.base_row),
            ("Retreat", slow_rules.retreat),
            ("MissedCapture", slow_rules.missed_capture),
            ("Win", slow_rules.win),
        ];
        let settings = settings.map(|(name, value)| format!("Alquerque_{name}={value}"));
        let fast = rules::<Alquerque>(&settings.each_ref().map(String::as_str));
        visit_positions(&fast, 50, &mut Rng::with_seed(2), |history| {
            let mut slow = alquerque::State::start();
            for mv in history.moves() {
                let text = fast.move_text(mv);
                let turns = slow.turns(&slow_rules);
                slow = turns.into_iter().find(|(other, _)| *other == text).unwrap().1;
            }
            captures += assert_alquerque_counts(history, &slow, &slow_rules);
        });
    }
    assert!(captures > 50, "{captures}");
}

/// Compares the counts of a position with the slow rules. Returns the number of captures on offer.
fn assert_alquerque_counts(
    history: &GameHistory<Alquerque>,
    slow: &alquerque::State,
    slow_rules: &alquerque::RuleOptions,
) -> usize {
    let counts = counts_of(history);
    let names = |points: Vec<alquerque::Point>| -> BTreeSet<String> {
        points.into_iter().map(alquerque::point_name).collect()
    };
    let is_decided = slow.turns(slow_rules).is_empty();
    let mut captures = 0;
    for (player, side) in ['o', 'x'].into_iter().enumerate() {
        assert_eq!(site_names(&counts, "checkers", player), names(slow.checkers(side)));
        let mut mover = slow.clone();
        if side != slow.side {
            mover.side = side;
            mover.huff.clear();
        }
        let mut movers = BTreeSet::new();
        let mut captured = BTreeSet::new();
        let turns = if is_decided { Vec::new() } else { mover.turns(slow_rules) };
        for (text, after) in turns {
            let huffed = text.strip_prefix('h').map(|rest| rest[..2].to_string());
            let path = text.strip_prefix('h').map_or(&text[..], |rest| &rest[2..]);
            movers.extend(path.get(..2).map(String::from));
            let other = alquerque::other_side(side);
            let lost = names(mover.checkers(other)).into_iter();
            let remaining = names(after.checkers(other));
            captured.extend(
                lost.filter(|name| !remaining.contains(name) && huffed.as_ref() != Some(name)),
            );
        }
        let text = slow.text(slow_rules);
        assert_eq!(site_names(&counts, "checkers that can move", player), movers, "{text}");
        assert_eq!(site_names(&counts, "captures on offer", player), captured, "{text}");
        captures += captured.len();
    }
    captures
}

#[test]
fn roses_counts_equal_the_slow_rules() {
    let fast = rules::<Roses>(&[]);
    let mut attacks = 0;
    visit_positions(&fast, 200, &mut Rng::with_seed(3), |history| {
        let slow = roses::Position::parse(&fast.position_text(history.position()), false);
        let counts = counts_of(history);
        for (player, soldier) in ['S', 's'].into_iter().enumerate() {
            let cells = |own: bool, piece: char| {
                let owner = piece.is_uppercase() == soldier.is_uppercase();
                owner == own && (!own || piece == soldier)
            };
            let of = |own: bool| -> BTreeSet<String> {
                let pieces = slow.pieces.iter().filter(|(_, piece)| cells(own, **piece));
                pieces.map(|(cell, _)| cell.to_string()).collect()
            };
            let enemies = of(false);
            assert_eq!(site_names(&counts, "soldiers on the board", player), of(true));
            let reserve = [slow.white_reserve, slow.black_reserve][player];
            assert_eq!(number(&counts, "soldiers in reserve", player), Some(reserve as u32));
            let mover = roses::Position { white_to_move: player == 0, ..slow.clone() };
            let moves = if slow.outcome() == "ongoing" { mover.moves() } else { Vec::new() };
            let targets =
                moves.iter().filter(|(text, _)| text.len() == 4).map(|(text, _)| &text[2..]);
            let attacked: BTreeSet<String> =
                targets.filter(|cell| enemies.contains(*cell)).map(String::from).collect();
            attacks += attacked.len();
            assert_eq!(
                site_names(&counts, "attacks on offer", player),
                attacked,
                "{}",
                slow.text()
            );
        }
    });
    assert!(attacks > 20, "{attacks}");
}

#[test]
fn bushka_counts_equal_the_slow_rules() {
    let fast = rules::<Bushka>(&[]);
    let (mut captures, mut kings) = (0, 0);
    visit_positions(&fast, 160, &mut Rng::with_seed(5), |history| {
        let slow = bushka::Board::read(&fast.position_text(history.position()));
        let counts = counts_of(history);
        let is_decided = slow.outcome() != "ongoing";
        for (player, side) in ['w', 'b'].into_iter().enumerate() {
            let of = |piece: char| -> BTreeSet<String> {
                let pieces = slow.pieces.iter().filter(|(_, other)| **other == piece);
                pieces.map(|(square, _)| bushka::square_name(*square)).collect()
            };
            assert_eq!(site_names(&counts, "soldiers", player), of(side));
            let own_kings = of(side.to_ascii_uppercase());
            kings += own_kings.len();
            assert_eq!(site_names(&counts, "kings", player), own_kings);
            let mover = bushka::Board { side, ..slow.clone() };
            let turns = if is_decided { Vec::new() } else { mover.legal_moves() };
            let names = |squares: Vec<bushka::Square>| -> BTreeSet<String> {
                squares.into_iter().map(bushka::square_name).collect()
            };
            let steps = turns.iter().flat_map(|turn| &turn.piece_steps);
            let movers = names(steps.map(|&(from, _)| from).collect());
            let captured = names(turns.iter().flat_map(|turn| turn.captured.clone()).collect());
            captures += captured.len();
            assert_eq!(
                site_names(&counts, "pieces that can move", player),
                movers,
                "{}",
                slow.text()
            );
            assert_eq!(
                site_names(&counts, "captures on offer", player),
                captured,
                "{}",
                slow.text()
            );
        }
    });
    assert!(captures > 20 && kings > 0, "{captures} {kings}");
}

/// Prints the average time for the counts of a position: `cargo test --release --test all counts::
/// -- --ignored --nocapture`.
#[test]
#[ignore = "prints times"]
fn counts_are_cheap() {
    #[derive(Clone)]
    struct Measure;
    impl pentarch_games::GameOperation for Measure {
        type Output = ();
        fn run_for_game_type<G: Game>(self) {
            let rules = rules::<G>(&[]);
            let mut time = Duration::ZERO;
            let mut positions = 0;
            visit_positions(&rules, 2000, &mut Rng::with_seed(6), |history| {
                let begun = Instant::now();
                black_box(rules.labelled_position_counts(history.position()));
                time += begun.elapsed();
                positions += 1;
            });
            println!("{} for {}: {:?}", G::GAME_NAME, G::PLAYER_NAMES.len(), time / positions);
        }
    }
    for_each_rules(Measure);
}
